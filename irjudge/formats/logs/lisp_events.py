"""Logs of one event a line, as the LISP search platform writes them: queries, their results below them, openings, stances."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from irjudge.formats.logs.rows import NAN, LogRows, UnfitRow, kind, name_of, shorn, time_of
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.message import Message
from irjudge.model.search_log import NOT_SHOWN

BEFORE_A_QUERY = Oddity(
    "1 opening or act before the first query was left out: {first}.",
    "{count} openings or acts before the first query were left out, beginning with {first}.",
    key="before-a-query",
)
UNREAD_EVENTS = frozenset(
    "idSubmitted TaskStarted queryBoxFocused pageNavigationClicked ClickedEndTask TaskEndConfirmed TaskEnded TaskContinued "
    "toggleSavedDocumentsClicked".split()
)


def is_event(row: Mapping[str, Any]) -> bool:
    """Tell whether a JSON object is a line of such a log."""
    return "session" not in row and (
        ("type" in row and "timestamp" in row) or ("docno" in row and "score" in row)
    )


def read_events(
    path: Path, lines: Iterable[tuple[int, Any]], rows: LogRows, remarks: Remarks
) -> None:
    """Put the queries of one file into columns.

    A query is followed by its results, one a line, and by what was done with them. An `expand` opens a result, its
    `reduce` closes it: the time between is the dwell. Choosing a stance is an explicit act. Rows without `sessionID`
    belong to the session of the file.
    """
    reader = _Reader(path, rows, remarks)
    rows.acts_logged = True
    for number, event in lines:
        reader.line = number
        reader.read(event)


class _Reader:
    """Holds the query that results and openings belong to: the last one before them in the file."""

    def __init__(self, path: Path, rows: LogRows, remarks: Remarks) -> None:
        self.line = 0
        self._path, self._rows, self._remarks = path, rows, remarks
        self._ranks: dict[str, int] = {}
        self._open: dict[str, tuple[int, float]] = {}  # the click that opened a document, and when
        self._time = NAN
        self._backwards = False  # before the first query there is no row to say it of
        self._begun = False

    def read(self, event: object) -> None:
        """Take one line."""
        if not isinstance(event, dict):
            raise UnfitRow(Message("found {kind}, expected an object", kind=kind(event)))
        what = event.get("type")
        if what is None:
            self._result(event)
            return
        self._tick(event)
        if what == "querySubmitted":
            self._query(event)
        elif what in ("toggleArgument", "StanceClicked"):
            self._use(event)
        elif not isinstance(what, str) or what not in UNREAD_EVENTS:
            self._rows.unread.setdefault(f"events of type {shorn(what)}")

    def _tick(self, event: Mapping[str, Any]) -> None:
        now = time_of(event.get("timestamp"))
        if now < self._time:
            self._backwards = True
            if self._begun:
                self._rows.backwards[-1] = 1
        self._time = now if now == now else self._time

    def _query(self, event: Mapping[str, Any]) -> None:
        session = event.get("sessionID")
        self._rows.begin(
            name_of(session, "session") if session else str(self._path),
            time_of(event.get("timestamp")),
            0,
        )
        self._rows.backwards[-1] = self._backwards
        self._begun, self._ranks, self._open = True, {}, {}

    def _result(self, event: Mapping[str, Any]) -> None:
        if not self._begun:
            raise UnfitRow(
                Message(
                    "a result before the first query, expected an event querySubmitted",
                    key="before-a-query",
                )
            )
        self._rows.shown[-1] += 1
        self._ranks.setdefault(name_of(event.get("docno"), "docno"), self._rows.shown[-1])

    def _use(self, event: Mapping[str, Any]) -> None:
        if not self._begun:
            self._remarks.add(BEFORE_A_QUERY, f"{self._path.name}, line {self.line}")
            return
        document, action = name_of(event.get("doc"), "doc"), event.get("action")
        if action == "chooseStance":
            self._rows.act()
        elif action == "expand":
            self._open[document] = (len(self._rows.rank), time_of(event.get("timestamp")))
            self._rows.click(self._ranks.get(document, NOT_SHOWN))
        elif action == "reduce" and document in self._open:
            click, since = self._open.pop(document)
            self._rows.dwell[click] = time_of(event.get("timestamp")) - since

"""Search logs as columns: queries, clicks, and the results shown."""

from array import array
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.model.documents import normalise_query
from irjudge.model.ranking import Floats, Ints

# Search logs as columns, without a Python object for each query

LogFlags: TypeAlias = npt.NDArray[np.bool_]

# prefix of the names of qrels that are derived from clicks instead of judgments
CLICK_QRELS_PREFIX = "clicks (COEC)"
NOT_LOGGED = -1
NOT_SHOWN = 0


@dataclass(frozen=True, slots=True, eq=False)
class SearchLog:
    """Search log as columns: Q queries in S sessions, and C clicks, in file order.

    Online measures are computed from it. Several files can be read into one log. It contains
    neither the texts of queries nor documents: a query has its time, session, variant of an A/B
    test and number of results shown, and a click has its rank and dwell time.
    """

    sessions: int  # number of sessions, S
    session: Ints  # shape (Q,): session of each query, from 0 to S - 1
    time: Floats  # shape (Q,): seconds since 1970 in UTC; NaN if not logged
    shown: Ints  # shape (Q,): number of results shown; `NOT_LOGGED` (-1) if unknown
    # shape (Q,): whether the user acted explicitly, for example saved or bought a result
    acted: LogFlags
    latency: Floats  # shape (Q,): milliseconds until the results arrived; NaN if not logged
    variants: tuple[str, ...]  # V variants of an A/B test, sorted; empty if none are logged
    variant: Ints  # shape (Q,): index in `variants`; `NOT_LOGGED` (-1) if not logged
    click: Ints  # shape (C,): index of the query of each click, ascending
    # shape (C,): rank of the clicked result, from 1; `NOT_SHOWN` (0) if the query did not show the
    # result, `NOT_LOGGED` (-1) if the rank is unknown
    rank: Ints
    dwell: Floats  # shape (C,): seconds spent on the result; NaN if not logged
    has_explicit_actions: bool = (
        False  # whether the log records explicit actions such as saving a result
    )
    warnings: tuple[str, ...] = ()  # warnings from reading the files

    def __len__(self) -> int:
        return len(self.session)

    def of_variant(self, code: int) -> "SearchLog":
        """Return a log of the queries with one variant, with their sessions and clicks."""
        is_selected = self.variant == code
        session_codes, session = np.unique(self.session[is_selected], return_inverse=True)
        new_indices = np.cumsum(is_selected, dtype=np.int32) - np.int32(1)
        is_selected_click = is_selected[self.click]

        return SearchLog(
            sessions=len(session_codes),
            session=session.astype(np.int32),
            time=self.time[is_selected],
            shown=self.shown[is_selected],
            acted=self.acted[is_selected],
            latency=self.latency[is_selected],
            variants=self.variants,
            variant=self.variant[is_selected],
            click=new_indices[self.click[is_selected_click]],
            rank=self.rank[is_selected_click],
            dwell=self.dwell[is_selected_click],
            has_explicit_actions=self.has_explicit_actions,
        )


# Results that were displayed, with one row for each result of each query


@dataclass(slots=True)
class ShownResults:
    """Accumulator of the results shown for queries, with clicks, from which qrels are derived.

    A reader of search logs adds one row for each result that was shown for a query whose text is
    logged; the N rows are in log order. Queries with the same normalised text have the same code.
    """

    queries: dict[str, int] = field(default_factory=dict)  # code of each query, by its text
    documents: dict[str, int] = field(default_factory=dict)  # code of each document, by its id
    _query: "array[int]" = field(default_factory=lambda: array("i"))
    _document: "array[int]" = field(default_factory=lambda: array("i"))
    _rank: "array[int]" = field(default_factory=lambda: array("i"))
    _clicked: bytearray = field(default_factory=bytearray)

    def __len__(self) -> int:
        return len(self._query)

    def add(self, query: str, document: str, rank: int, *, clicked: bool) -> None:
        """Add a result that was shown for a query, with its rank from 1."""
        self._query.append(self.queries.setdefault(normalise_query(query), len(self.queries)))
        self._document.append(self.documents.setdefault(document, len(self.documents)))
        self._rank.append(rank)
        self._clicked.append(clicked)

    @property
    def query(self) -> Ints:
        """Query code of each result, shape (N,)."""
        return np.array(self._query, dtype=np.int32)

    @property
    def document(self) -> Ints:
        """Document code of each result, shape (N,)."""
        return np.array(self._document, dtype=np.int32)

    @property
    def rank(self) -> Ints:
        """Rank of each result from 1, shape (N,)."""
        return np.array(self._rank, dtype=np.int32)

    @property
    def has_click(self) -> LogFlags:
        """Whether each result was clicked, shape (N,)."""
        return np.frombuffer(bytes(self._clicked), dtype=bool)

"""How much of what is evaluated the auxiliary files describe: nothing is an error, a part a warning."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.metrics.basis.judged import JudgedRun, SideRows
from irjudge.model.side import SIDES, SideTable

MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class _Match:
    """What one auxiliary file says of one run."""

    run: str
    topics: int  # evaluated topics
    lacking: tuple[str, ...]  # those without a row
    documents: int  # retrieved documents; 0 for a file about topics
    described: int  # those that have a row


@dataclass(slots=True)
class SideCoverage:
    """The matches of auxiliary files with all runs."""

    sides: Sequence[SideTable]
    _matches: dict[str, list[_Match]] = field(default_factory=dict)

    def add(self, run: str, judged: JudgedRun) -> None:
        """Add a run that was joined with the files."""
        for table in self.sides:
            match = _match(run, judged, judged.sides[table.side], table)
            self._matches.setdefault(table.side, []).append(match)

    def warnings(self) -> tuple[Message, ...]:
        """Return warnings about files that describe a part of the runs.

        Raises
        ------
        IrjudgeError
            When a file describes nothing of any run.
        """
        found: list[Message] = []
        for table in self.sides:
            matches = [each for each in self._matches.get(table.side, ()) if each.topics]
            if matches and all(len(each.lacking) == each.topics for each in matches):
                raise _nothing(table, matches)
            found += (message for each in matches for message in _partial(table, each))
        return tuple(found)


def _match(run: str, judged: JudgedRun, rows: SideRows, table: SideTable) -> _Match:
    is_used = rows.rank > 0 if SIDES.find(table.side).by_document else rows.rank == 0
    topic, rank = rows.topic[is_used], rows.rank[is_used]
    has_row = np.zeros(len(judged.topics), dtype=bool)
    has_row[topic] = True
    lacking = tuple(judged.topics[place] for place in np.flatnonzero(~has_row).tolist())
    if not SIDES.find(table.side).by_document:
        return _Match(run, len(judged.topics), lacking, 0, 0)
    described = len(np.unique(np.stack([topic, rank]), axis=1).T)
    return _Match(run, len(judged.topics), lacking, int(judged.n_retrieved.sum()), described)


def _nothing(table: SideTable, matches: Sequence[_Match]) -> IrjudgeError:
    column = "document" if SIDES.find(table.side).by_document else "topic"
    names = {
        part: ", ".join([*dict.fromkeys(map(str, table.columns[part]))][:MAX_NAMED])
        for part in ("run", column)
        if part in table.columns
    }
    shown = "; ".join(f"{part}: {values}" for part, values in names.items() if values)
    return IrjudgeError(
        "{file}: none of its {count:,} rows belongs to an evaluated run ({runs}). "
        "Do the ids match? The file has {shown}. Runs are named by their file or tag.",
        key="side-matches-nothing",
        file=table.source or table.side,
        count=len(table),
        runs=", ".join(each.run for each in matches[:MAX_NAMED]),
        shown=shown,
    )


def _partial(table: SideTable, match: _Match) -> Iterator[Message]:
    values = {"file": table.source or table.side, "run": match.run}
    if len(match.lacking) == match.topics:
        yield Message(
            "{file}: no row belongs to run {run}, so its values by this file say nothing.",
            key="side-lacks-run",
            **values,
        )
    elif match.documents and match.described < match.documents:
        yield Message(
            "{file}, run {run}: {count:,} of {total:,} retrieved documents have no row.",
            key="side-lacks-documents",
            count=match.documents - match.described,
            total=match.documents,
            **values,
        )
    elif match.lacking and not match.documents:
        yield Message(
            "{file}, run {run}: {count:,} of {total:,} topics have no row, for example {topic}.",
            key="side-lacks-topics",
            count=len(match.lacking),
            total=match.topics,
            topic=match.lacking[0],
            **values,
        )

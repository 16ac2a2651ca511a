"""TREC's judged samples, five columns a line: what was drawn, from which stratum or how likely, and the grade."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from irjudge.errors import FormatError
from irjudge.formats.bytes.utf8 import decoded
from irjudge.model.arrow import strings_of
from irjudge.model.pool import Pool, Undrawn
from irjudge.model.ranking import UNJUDGED, Longs, Qrels, make_qrels, starts_of

Dialect: TypeAlias = Literal["strata", "probabilities"]
COLUMNS = 5
EXPECTED: dict[Dialect, str] = {
    "strata": "topic, iteration, document, stratum, grade",
    "probabilities": "topic, document, grade, method, probability",
}
Row: TypeAlias = tuple[str, str, int, int, float]


@dataclass(frozen=True, slots=True, eq=False)
class Prels:
    """A judged sample."""

    pool: Pool  # what was drawn, and of a sample by strata what was not
    qrels: Qrels  # the grades of what was drawn
    # `strata`: each line names its stratum, and a grade below 0 was not drawn. `probabilities`, of the Million Query tracks: each line has
    # the probability with which it was drawn; what was not drawn is not listed.
    dialect: Dialect


def read_prels(path: Path) -> Prels | None:
    """Read a judged sample; None where the lines do not have five columns."""
    try:
        lines = [line.split() for line in decoded(path.read_bytes(), path).splitlines()]
    except OSError as fault:
        raise FormatError(path, f"cannot be read ({fault.strerror or fault})") from fault
    numbered = [(number, cells) for number, cells in enumerate(lines, 1) if cells and not cells[0].startswith("#")]
    if not numbered or len(numbered[0][1]) != COLUMNS:
        return None
    dialect = _dialect([cells for _, cells in numbered if len(cells) == COLUMNS])
    rows = [_row(cells, dialect, path, number) for number, cells in numbered]
    seen: set[tuple[str, str]] = set()
    for (number, _), row in zip(numbered, rows, strict=True):
        if row[:2] in seen:
            raise FormatError(path, f"topic {row[0]} has document {row[1]} twice", number)
        seen.add(row[:2])
    return Prels(_pool(rows, dialect), make_qrels([row[:3] for row in rows if row[2] > UNJUDGED]), dialect)


def _dialect(lines: list[list[str]]) -> Dialect:
    """Return which column is the document: the third where it is no number, else the one that says more different things."""
    if not all(_is_whole(cells[2]) for cells in lines):
        return "strata"
    if not all(_is_whole(cells[1]) for cells in lines) or not all(_is_whole(cells[4]) for cells in lines):
        return "probabilities"
    second, third = ({cells[place] for cells in lines} for place in (1, 2))
    return "strata" if len(third) > len(second) else "probabilities"


def _row(cells: list[str], dialect: Dialect, path: Path, number: int) -> Row:
    """Return topic, document, grade, stratum and probability; 0 where it was not drawn."""
    if len(cells) != COLUMNS:
        raise FormatError(path, f"{len(cells)} columns, expected {COLUMNS}: {EXPECTED[dialect]}", number)
    topic, document = cells[0], cells[2 if dialect == "strata" else 1]
    grade = cells[4 if dialect == "strata" else 2]
    if not _is_whole(grade):
        raise FormatError(path, f"grade {grade!r} is no whole number; expected {EXPECTED[dialect]}", number)
    if dialect == "strata":
        if not cells[3].isdecimal() or len(cells[3]) > 3:
            raise FormatError(path, f"stratum {cells[3]!r}, expected a whole number from 0 to 999", number)
        return topic, document, max(int(grade), UNJUDGED), int(cells[3]), float(int(grade) >= 0)
    try:
        probability = float(cells[4])
    except ValueError:
        probability = 2.0
    if not probability <= 1:
        raise FormatError(path, f"probability {cells[4]!r}, expected a number of at most 1", number)
    return topic, document, max(int(grade), UNJUDGED), 0, max(probability, 0.0)


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdecimal()


def _pool(rows: list[Row], dialect: Dialect) -> Pool:
    """Return the sample as a pool: of a stratum the drawn ones have its share as their probability."""
    topics = tuple(dict.fromkeys(row[0] for row in rows))
    place = {topic: at for at, topic in enumerate(topics)}
    ordered = sorted(rows, key=lambda row: place[row[0]])
    size: dict[tuple[str, int], int] = {}
    judged: dict[tuple[str, int], int] = {}
    for topic, _, _, stratum, probability in rows:
        size[topic, stratum] = size.get((topic, stratum), 0) + 1
        judged[topic, stratum] = judged.get((topic, stratum), 0) + (probability > 0)
    by_strata = dialect == "strata"
    drawn = [row for row in ordered if row[4] > 0]
    left = [row for row in ordered if not row[4]] if by_strata else []
    chance = [judged[row[0], row[3]] / size[row[0], row[3]] if by_strata else row[4] for row in drawn]
    none = np.empty(0, dtype=np.int32)

    def starts(some: list[Row]) -> Longs:
        return starts_of(np.array([place[row[0]] for row in some], dtype=np.int32), len(topics))

    return Pool(
        topics=topics,
        starts=starts(drawn),
        document=strings_of([row[1] for row in drawn]),
        strategy="file",
        parameters={},
        runs=(),
        contribution_starts=np.zeros(len(drawn) + 1, dtype=np.int64),
        contribution_run=none,
        contribution_rank=none,
        stratum=np.array([row[3] for row in drawn], dtype=np.int32),
        probability=np.array(chance, dtype=np.float64),
        undrawn=Undrawn(starts(left), strings_of([row[1] for row in left]), np.array([row[3] for row in left], dtype=np.int32)),
    )

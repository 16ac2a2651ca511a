"""What the user decided about files that may mean two things: one object for the command line, the window and the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from irjudge.formats.collections import document_records
from irjudge.formats.collections.topics import topics
from irjudge.formats.collections.topics.topics import TopicIds
from irjudge.formats.judgments import judgments
from irjudge.formats.rankings import qrels, short_runs
from irjudge.formats.rankings.qrels import Negative
from irjudge.formats.ratings.engine_answers import AnswerPaths
from irjudge.formats.rows.mapping import ColumnMapping, parse_columns
from irjudge.model.events import ModelJudge

FileKind = Literal["documents", "topics", "runs", "qrels", "calibration", "judgments"]

# What columns of each kind of file can be named.
PARTS: Mapping[FileKind, Sequence[str]] = {
    "documents": document_records.PARTS,
    "topics": [part.name for part in topics.PARTS],
    "runs": [part.name for part in short_runs.PARTS],
    "qrels": [part.name for part in qrels.PARTS],
    "calibration": [part.name for part in qrels.PARTS],
    "judgments": [part.name for part in judgments.PARTS],
}


# What else a person may call them.
ALIASES: Mapping[FileKind, Mapping[str, str]] = {"judgments": judgments.ALIASES}


def columns_of(kind: FileKind, text: str) -> ColumnMapping:
    """Return the columns that a user names for a kind of file, such as `item=Input.item,worker=WorkerId`."""
    aliases = ALIASES.get(kind, {})
    said = parse_columns(text, (*PARTS[kind], *aliases)).named
    return ColumnMapping(tuple((aliases.get(part, part), column) for part, column in said))


@dataclass(frozen=True, slots=True)
class Decisions:
    """How to read files of one kind; what is not decided is told from the files, or refused with a sentence."""

    # of all files
    encoding: str | None = None
    columns: ColumnMapping = ColumnMapping()  # noqa: RUF009 -- it never changes
    topic_ids: TopicIds | None = None  # of topics
    negative: Negative | None = None  # of qrels and calibration
    grades: Mapping[float, int] | None = None  # of these and of judgments
    paths: AnswerPaths | None = (
        None  # of runs that are answers of an engine: where hits, ids and so on stand
    )
    # of judgments: what grades are called, in small letters, and which there are; none where every one is
    words: Mapping[str, int] | None = None
    scale: tuple[int, ...] = ()
    judge: ModelJudge | None = (
        None  # the model whose labels they are, or which of their assessors is one
    )
    person: str = ""  # which assessor is a person whatever the name looks like
    backwards: bool | None = None  # whether the model's scale runs the other way

    def said_of_qrels(self) -> list[str]:
        """Return what was decided about qrels as options of a command that evaluates files.

        >>> Decisions(grades={0: 0, 0.5: 1}, negative="unjudged").said_of_qrels()
        ['--grades', '0:0,0.5:1', '--negative', 'unjudged']
        """
        grades = ",".join(f"{old:g}:{new}" for old, new in (self.grades or {}).items())
        columns = f"qrels:{self.columns}" if self.columns else ""
        said = (("--grades", grades), ("--negative", self.negative), ("--columns", columns))
        return [word for option, value in said if value for word in (option, value)]


UNDECIDED = Decisions()

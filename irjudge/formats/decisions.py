"""What the user decided about files that may mean two things: one object for the command line, the window and the report."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from irjudge.formats import document_records, judged_tables, judgments, short_runs, topics
from irjudge.formats.mapping import Columns
from irjudge.formats.qrels import Negative
from irjudge.formats.topic_ids import TopicIds

FileKind = Literal["documents", "topics", "runs", "qrels", "judgments"]

# What columns of each kind of file can be named.
PARTS: Mapping[FileKind, Sequence[str]] = {
    "documents": document_records.PARTS,
    "topics": [part.name for part in topics.PARTS],
    "runs": [part.name for part in short_runs.PARTS],
    "qrels": [part.name for part in judged_tables.PARTS],
    "judgments": [part.name for part in judgments.PARTS],
}


@dataclass(frozen=True, slots=True)
class Decisions:
    """How to read files of one kind; what is not decided is told from the files, or refused with a sentence.

    Parameters
    ----------
    encoding, columns
        Of documents, topics, runs and qrels.
    topic_ids
        Of topics.
    negative, grades
        Of qrels.
    """

    encoding: str | None = None
    columns: Columns = Columns()  # noqa: RUF009 -- it never changes
    topic_ids: TopicIds | None = None
    negative: Negative | None = None
    grades: Mapping[int, int] | None = None


UNDECIDED = Decisions()

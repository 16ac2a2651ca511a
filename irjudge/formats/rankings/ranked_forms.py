"""The forms of rankings that are neither lines of columns nor tables, and how each is known by its first lines."""

from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.single import OneFile
from irjudge.formats.collections.answers import answer_ranking, is_answers
from irjudge.formats.collections.candidates import candidate_ranking, is_candidates
from irjudge.formats.collections.top_passages import is_top_passages, top_passages_ranking
from irjudge.formats.forms import FormOfFiles, look_at
from irjudge.formats.rankings.ranked import RetrievedDocument
from irjudge.formats.remarks import Remarks
from irjudge.message import Message

# The first form that fits is taken. A new form is one more line here.
FORMS: tuple[FormOfFiles[RetrievedDocument], ...] = (
    FormOfFiles(Message("MS MARCO's top 1000"), is_top_passages, top_passages_ranking),
    FormOfFiles(Message("JSON of queries and their candidates"), is_candidates, candidate_ranking),
    FormOfFiles(Message("answers with citations"), is_answers, answer_ranking),
)


@dataclass(frozen=True, slots=True)
class RankedRows:
    """The rows of a ranking: N topics, documents and scores, or no scores where one has none; and what was recognised."""

    topics: list[str]
    documents: list[str]
    scores: list[float] | None
    said: tuple[str, ...]


def ranked_rows(file: OneFile) -> RankedRows | None:
    """Read a ranking in one of these forms; None where none fits."""
    if not file.path.is_file():
        return None
    remarks = Remarks()
    entry = file.text(remarks)
    look = look_at(entry)
    form = next((form for form in FORMS if form.fits(look)), None)
    return _rows(file.path, form, list(form.read(entry, remarks)), remarks) if form else None


def _rows(path: Path, form: FormOfFiles[RetrievedDocument], rows: list[RetrievedDocument], remarks: Remarks) -> RankedRows:
    if not rows:
        raise FormatError(path, Message("no ranking was found, expected {form}", form=form.name))
    scores = [row.score for row in rows if row.score is not None]
    order = "" if len(scores) == len(rows) else Message("; the order in the file is the ranking")
    said = Message("{file}: read as {form}{order}.", file=path.name, form=form.name, order=order)
    return RankedRows(
        [row.topic for row in rows], [row.document for row in rows], None if order else scores, (said, *remarks.about(path.name))
    )

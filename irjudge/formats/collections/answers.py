"""Answers as TREC RAG and its kin submit them: JSON lines of references and of sentences that cite them, by index or by id."""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.one_file import single_file
from irjudge.formats.bytes.utf8 import folded
from irjudge.formats.forms import FirstLook, look_at
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.records import Names, Record, checked_id, json_lines, json_list, storable
from irjudge.message import Message
from irjudge.model.documents import CitedAnswer, Document, Sentence, Topic
from irjudge.model.ranking import RetrievedDocument

EXPECTED = Message(
    "expected JSON lines of answers, each with a topic, references, and sentences that have a text and citations"
)
ABOUT = "metadata"
TOPICS: Names = ("topic_id", "narrative_id", "qid", "query_id", "question_id", "id")
RUNS: Names = ("run_id", "run_name", "run", "tag")
QUESTIONS: Names = ("topic", "narrative", "question", "query", "title", "problem_statement")
SENTENCES: Names = ("answer", "responses", "response", "sentences")
TEXT, CITATIONS, REFERENCES = "text", "citations", "references"
NO_RUN = "run"

NOT_AMONG = Oddity(
    "1 citation names no reference and was left out: {first}.",
    "{count} citations name no reference and were left out, beginning with {first}.",
    key="unknown-reference",
)

_MARKS = re.compile(
    rb'"(?:answer|responses?|sentences)"\s*+:\s*+\[\s*+\{\s*+"(?:text|citations)"\s*+:'
)


def is_answers(look: FirstLook) -> bool:
    """Tell whether it is JSON in which an answer is a list of sentences with a text or citations."""
    return look.start.startswith((b"{", b"[")) and bool(_MARKS.search(look.start))


def read_answers(path: Path, remarks: Remarks) -> list[CitedAnswer]:
    """Read a file of answers."""
    for entry in single_file(path, remarks):
        if not is_answers(look_at(entry)):
            raise FormatError(
                path, Message("no answer was found, {expected}", key="no-answer", expected=EXPECTED)
            )
        return list(answers_of(entry, remarks))
    raise FormatError(
        path, Message("no answer was found, {expected}", key="no-answer", expected=EXPECTED)
    )


def answers_of(entry: ArchiveEntry, remarks: Remarks) -> Iterator[CitedAnswer]:
    """Yield the answers of an open file."""
    is_list = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    for record in json_list(entry) if is_list else json_lines(entry):
        yield _answer(record, remarks)


def answer_documents(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Document]:
    """Yield each answer as a page: a paragraph a sentence, with the numbers of its citations, and the references below."""
    for answer in answers_of(entry, remarks):
        yield Document(
            answer_id(answer), answer_page(answer).encode(), answer.question[:200], "html"
        )


def answer_topics(entry: ArchiveEntry, remarks: Remarks) -> Iterator[Topic]:
    """Yield what was asked."""
    for answer in answers_of(entry, remarks):
        yield Topic(answer.topic, answer.question)


def answer_ranking(entry: ArchiveEntry, remarks: Remarks) -> Iterator[RetrievedDocument]:
    """Yield the references of each answer; their order is the ranking."""
    for answer in answers_of(entry, remarks):
        references = answer.references or ("",)
        yield from (RetrievedDocument(answer.topic, reference) for reference in references)


def answer_id(answer: CitedAnswer) -> str:
    """Return what an answer is called among documents."""
    return f"{answer.topic}:{answer.run}"


def answer_page(answer: CitedAnswer) -> str:
    """Return an answer as HTML."""
    place = {reference: number for number, reference in enumerate(answer.references, 1)}
    sentences = "\n".join(
        f"<p>{html.escape(each.text, quote=False)}{_marks(each.citations, place)}</p>"
        for each in answer.sentences
    )
    cited = "\n".join(f"<li>{html.escape(each, quote=False)}</li>" for each in answer.references)
    return f"{sentences}\n<ol>\n{cited}\n</ol>" if cited else sentences


def _marks(citations: Sequence[str], place: Mapping[str, int]) -> str:
    return "".join(f" [{place[each]}]" for each in citations if each in place)


def _answer(record: Record, remarks: Remarks) -> CitedAnswer:
    about = record.fields.get(ABOUT)
    fields = {**about, **record.fields} if isinstance(about, Mapping) else record.fields
    whole = replace(record, fields=fields)
    found = next((value for name in SENTENCES if isinstance(value := fields.get(name), list)), None)
    if found is None:
        raise FormatError(
            record.where,
            Message(
                "the answer has no list of sentences, {expected}",
                key="no-sentences",
                expected=EXPECTED,
            ),
            record.line,
        )
    topic = whole.id(TOPICS, remarks)
    run = folded(_text(whole, RUNS, remarks)) or NO_RUN
    references = _references(whole, found, remarks)
    sentences = tuple(_sentence(whole, each, references, remarks) for each in found)
    return CitedAnswer(
        topic,
        run,
        tuple(each for each in sentences if each.text),
        references,
        folded(_text(whole, QUESTIONS, remarks)),
    )


def _references(record: Record, sentences: Sequence[object], remarks: Remarks) -> tuple[str, ...]:
    """Return the references; where none are listed, whatever sentences cite."""
    listed = _ids(record, record.fields.get(REFERENCES), remarks)
    if listed:
        return tuple(dict.fromkeys(listed))
    cited = [
        each
        for part in sentences
        if isinstance(part, Mapping)
        for each in _ids(record, part.get(CITATIONS), remarks)
    ]
    return tuple(dict.fromkeys(cited))


def _sentence(
    record: Record, found: object, references: tuple[str, ...], remarks: Remarks
) -> Sentence:
    part = replace(record, fields=found if isinstance(found, Mapping) else {})
    text = part.text((TEXT,), remarks)
    if text is None:
        raise FormatError(
            record.where,
            Message("a sentence has no text, {expected}", key="no-text", expected=EXPECTED),
            record.line,
        )
    cited: dict[str, None] = {}
    for citation in _ids(record, part.fields.get(CITATIONS), remarks):
        if citation in references:
            cited[citation] = None
        elif (
            citation.isascii()
            and citation.isdecimal()
            and len(citation) < 9
            and int(citation) < len(references)
        ):
            cited[references[int(citation)]] = None
        else:
            remarks.add(
                NOT_AMONG, Message("{citation} in line {line}", citation=citation, line=record.line)
            )
    return Sentence(folded(text), tuple(cited))


def _ids(record: Record, found: object, remarks: Remarks) -> list[str]:
    """Return what a list or an object names: numbers stay as they are written; a reference may be an object with an id."""
    parts = found if isinstance(found, Sequence | Mapping) and not isinstance(found, str) else ()
    named = [
        each.get("docid", each.get("id")) if isinstance(each, Mapping) else each for each in parts
    ]
    return [
        checked_id(storable(each, record.where.name, remarks), record.where, record.line, remarks)
        for each in named
        if isinstance(each, str)
    ]


def _text(record: Record, names: Names, remarks: Remarks) -> str:
    filled = next((name for name in names if isinstance(record.fields.get(name), str)), None)
    return record.text((filled,), remarks) or "" if filled else ""

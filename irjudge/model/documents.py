"""Documents, topics and cited answers, and the column names for topics and documents.

The same names are used for tables in files and in memory.
"""

import json
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count
from typing import Literal, TypeAlias, get_args

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model.scale import Grade, Scale

Pair: TypeAlias = tuple[str, str]
"""Id of a topic, and id of a document."""

Fields: TypeAlias = tuple[tuple[str, str], ...]
"""Names and texts of additional fields of a document, such as price and brand, in file order."""

DocumentKind = Literal["text", "markdown", "html", "image"]
DOCUMENT_KINDS: tuple[DocumentKind, ...] = get_args(DocumentKind)


@dataclass(frozen=True, slots=True)
class Document:
    """Document of a collection: its id, title, body, format and fields.

    The body is source bytes in one of four formats: text, Markdown, HTML or an image. The document
    can also have a PDF file from which the text was extracted, and a picture. The file and the
    picture are empty if the document was read from a project, which stores them separately.
    """

    id: str  # unchanged text from the file; `007` and `NA` are valid ids
    body: bytes  # source bytes: UTF-8 text, or the bytes of an image file
    title: str = ""
    kind: DocumentKind = "text"  # format of the body
    # bytes of the PDF file from which the text was extracted, or empty; stored in the project and
    # loaded when its pages are shown
    pdf: bytes = field(default=b"", repr=False, compare=False)
    # Fields that are shown below the title. They are not part of the digest, since judgments refer
    # to the text.
    fields: Fields = ()
    # name of the field that refers to the picture; empty if there is none
    pictured: str = ""
    # bytes of the picture, stored in the project and loaded when needed
    picture: bytes = field(default=b"", repr=False, compare=False)

    @property
    def text(self) -> str:
        """Body as text, with invalid UTF-8 replaced; empty for an image."""
        return "" if self.kind == "image" else self.body.decode("utf-8", "replace")

    @property
    def digest(self) -> bytes:
        """SHA-256 of what assessors see (kind, title and body), used to detect edits."""
        return content_digest(self.kind, self.title, self.body)


def content_digest(kind: str, title: str, body: bytes) -> bytes:
    """Return the SHA-256 digest of a document's kind, title and body."""
    return _compute_sha256(json.dumps([kind, title]).encode() + body)


def _compute_sha256(content: bytes) -> bytes:
    from hashlib import sha256  # noqa: PLC0415 -- slow (OpenSSL), and evaluating needs no digests

    return sha256(content).digest()


# Topics


@dataclass(frozen=True, slots=True)
class Topic:
    """Topic of a test collection: its id, a query, and a description of the information need.

    The query is `title`. Each of the texts may be empty.
    """

    id: str  # unchanged text from the file; `051` remains `051`
    title: str  # query; may be empty
    description: str = ""  # description of the information need; may be empty
    narrative: str = ""  # criteria of relevance in words; may be empty

    @property
    def digest(self) -> bytes:
        """SHA-256 of the id and all texts that assessors read, used to detect edits."""
        return _compute_sha256(
            json.dumps([self.id, self.title, self.description, self.narrative]).encode()
        )


def normalise_query(query: str) -> str:
    """Normalise the text of a query that has no id: Unicode form NFC, single spaces.

    >>> normalise_query("  Jazz \\n bass ")
    'Jazz bass'
    """
    return " ".join(normalise_unicode("NFC", query).split())


# maximum number of consecutive combining marks; sorting them takes quadratic time
MAX_MARKS = 30


def normalise_unicode(form: Literal["NFC", "NFD", "NFKC", "NFKD"], text: str) -> str:
    """Return the Unicode normal form of a text, in linear time.

    Of more than 30 consecutive combining marks, only the first 30 remain. No language has so many.

    >>> normalise_unicode("NFC", "e\u0301"), len(normalise_unicode("NFC", "e" + 99 * "\u0316\u0301"))
    ('é', 30)
    """
    if not text.isascii() and (marks := "".join(filter(_is_mark, set(text)))):
        text = re.sub(f"([{marks}]{{{MAX_MARKS}}})[{marks}]+", r"\1", text)
    return unicodedata.normalize(form, text)


@lru_cache(maxsize=10_000)
def _is_mark(character: str) -> bool:
    """Return whether the decomposed character consists only of combining marks."""
    return all(map(unicodedata.combining, unicodedata.normalize("NFKD", character)))


def replace_query_texts(
    topics: Sequence[str], known_ids: Collection[str], ids: Mapping[str, str]
) -> tuple[str, ...]:
    """Return topics, with the texts of queries replaced by the ids of the queries.

    `ids` contains the id of each text. A topic in `known_ids` is unchanged. A text is not replaced
    if its id is already used by another topic.

    >>> replace_query_texts(["jazz  bass", "rock", "q1"], {"q1"}, {"jazz bass": "q1", "rock": "q2"})
    ('jazz  bass', 'q2', 'q1')
    """
    used_ids = {*topics}
    new_ids: dict[str, str] = {}
    for topic in dict.fromkeys(topics):
        new_id = topic if topic in known_ids else ids.get(normalise_query(topic), topic)
        new_ids[topic] = topic if new_id in used_ids else new_id
        used_ids.add(new_ids[topic])
    return tuple(new_ids[topic] for topic in topics)


def rename_topics_with_blanks(topics: Iterable[str]) -> dict[str, str]:
    """Return a name without spaces for each topic: the topic itself or, if it has spaces, q1, q2 ….

    >>> rename_topics_with_blanks(["jazz bass", "q1", "rock"])
    {'jazz bass': 'q2', 'q1': 'q1', 'rock': 'rock'}
    """
    unique_topics = dict.fromkeys(topics)
    unused_names = (name for number in count(1) if (name := f"q{number}") not in unique_topics)
    return {
        topic: topic if topic.split() == [topic] else next(unused_names) for topic in unique_topics
    }


def warn_of_renamed_topics(names: Mapping[str, str]) -> tuple[str, ...]:
    """Return a warning about renamed topics; empty if there are none."""
    renamed_topics = [(name, topic) for topic, name in names.items() if topic != name]
    if not renamed_topics:
        return ()
    template = "Ids in TREC files contain no spaces; topics with changed ids: {count:,}, for example {name} for “{topic}”."
    return (
        Message(
            template,
            count=len(renamed_topics),
            name=renamed_topics[0][0],
            topic=renamed_topics[0][1],
        ),
    )


def select_topics(text: str, known_ids: Sequence[str]) -> tuple[str, ...]:
    """Return the topics in a selection such as `1, 401-405`, in the order of `known_ids`.

    Ids are separated by commas; `401-405` is a range. An existing id takes precedence over a range.
    An empty text selects no topics. Raises IrjudgeError for an unknown id or a descending range.

    >>> select_topics("5, 1-3", ["1", "2", "3", "4", "5"])
    ('1', '2', '3', '5')
    """
    if not text.strip():
        return ()
    indices = {topic: index for index, topic in enumerate(known_ids)}
    selected_indices: set[int] = set()
    for part in list(filter(None, map(str.strip, text.split(",")))) or [text]:
        range_ends = [part] if part in indices else [end.strip() for end in part.split("-", 1)]
        unknown_id = next((end for end in range_ends if end not in indices), None)
        if unknown_id is not None:
            example = known_ids[0] if known_ids else "–"
            raise IrjudgeError(
                "There is no topic {topic}; give ids such as {example}, separated by commas.",
                topic=part,
                example=example,
            )
        first_index, last_index = indices[range_ends[0]], indices[range_ends[-1]]
        if first_index > last_index:
            raise IrjudgeError("The topic range {part} is reversed.", part=part)
        selected_indices.update(range(first_index, last_index + 1))
    return tuple(known_ids[index] for index in sorted(selected_indices))


# Answer of a system for a topic: its sentences, and the documents that each sentence cites


@dataclass(frozen=True, slots=True)
class Sentence:
    """Sentence of a system's answer, and the ids of the documents that it cites."""

    text: str
    # in the order in the file, without duplicates; empty if the sentence cites no document
    citations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """Answer of one system to the question of one topic, with the documents that it cites.

    A sentence may cite documents that support it. The references are the documents that the answer
    lists, including those that no sentence cites; if the answer lists none, they are the cited
    documents.
    """

    topic: str  # id of the topic
    run: str  # name of the system
    sentences: tuple[Sentence, ...]  # in reading order
    # ids of the listed documents, including those that no sentence cites
    references: tuple[str, ...] = ()
    question: str = ""  # text of the topic; empty if the file does not contain it

    @property
    def text(self) -> str:
        """Text of all sentences, separated by spaces."""
        return " ".join(sentence.text for sentence in self.sentences)


@dataclass(frozen=True, slots=True)
class Nugget:
    """Statement that a good answer to a topic's question contains, with its importance.

    Assessors judge whether answers of systems contain the statement, or how important it is. It can
    also be a question, followed by its known answers. The importance is a text from the file,
    usually `vital` or `okay`; it is empty if unknown.
    """

    text: str
    importance: str = ""


def _make_scale(name: str, *grades: tuple[str, str]) -> Scale:
    return Scale(
        name,
        tuple(
            Grade(value, str(label), str(description))
            for value, (label, description) in enumerate(grades)
        ),
    )


# Scales for judging answers; `Scale.question` is the question that the assessor answers
CITATION_SUPPORT = _make_scale(
    "citation support",
    (
        Message("No support"),
        Message("The passage does not state what the sentence states, or contradicts it."),
    ),
    (
        Message("Partial support"),
        Message("The passage states part of what the sentence states, or something weaker."),
    ),
    (Message("Full support"), Message("The passage states everything that the sentence states.")),
)
NUGGET_SUPPORT = _make_scale(
    "nugget support",
    (Message("Not supported"), Message("The answer does not contain this statement.")),
    (Message("Partly supported"), Message("The answer contains part of this statement.")),
    (Message("Supported"), Message("The answer contains the whole statement, in any wording.")),
)
NUGGET_IMPORTANCE = _make_scale(
    "nugget importance",
    (Message("Fair"), Message("Useful, but not required.")),
    (Message("Vital"), Message("A good answer must contain this statement.")),
)


# Names of columns with topics and documents in files and tables

# Names of ids come first, because columns called `topic` and `document` may contain ids or texts.
# `did` and `pid` are among the last, because they may be ids of participants in the table of a
# study.
TOPIC_NAMES = ("query_id", "qid", "topic_id", "query-id", "queryid", "q_id", "topic", "query")
DOCUMENT_NAMES = tuple(
    "docno doc_id docid document_id doc-id corpus-id corpus_id document doc did pid product_id productid".split()
)
# Smallest floating-point number that may be a rounded id: spreadsheet programs store 15 digits. From
# this number on, the texts of whole numbers have a decimal point or an exponent.
MIN_ROUNDED_NUMBER = 1e15

_SUFFIX = r"[ _.-]?(?:id|no|num|number|key|uuid|uid|code)"
_ID_LIKE = {
    "topic": rf"(?:topic|query|question|request|search|need|narrative|q){_SUFFIX}",
    "document": rf"(?:(?:doc|document|corpus|passage|product|article|paper|page|record|d|p){_SUFFIX})"
    "|sku|asin",
}


def is_id_like(part: str, column: str) -> bool:
    """Return whether the name of a column indicates that it contains ids of topics or documents.

    >>> is_id_like("topic", "Query ID"), is_id_like("document", "product_id")
    (True, True)
    >>> is_id_like("topic", "query"), is_id_like("document", "session_id")
    (False, False)
    """
    return part in _ID_LIKE and bool(re.fullmatch(_ID_LIKE[part], column.strip(), re.IGNORECASE))


def natural_key(id: str) -> tuple[tuple[str | int, ...], str]:
    """Return a sort key that orders ids by the numbers in them: 29, 31, 184.

    Examples
    --------
    >>> sorted(["d184", "d29", "31"], key=natural_key)
    ['31', 'd29', 'd184']
    """
    # texts have even indices and numbers odd ones, so that only elements of the same type are
    # compared
    parts = re.split("([0-9]{1,18})", id)
    return tuple(int(part) if index % 2 else part for index, part in enumerate(parts)), id

"""Ratings of documents for queries, in the file formats of tools that search teams use.

Each JSON format is an entry of `FORMATS` (name, detector, reader), and each writer an entry of
`WRITERS`.
"""

import csv
import io
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, TextIO

import pyarrow as pa

from irjudge.catalogue import Catalogue, load_extensions, providing_package, report_problem
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import (
    ArchiveEntry,
    FileSource,
    InputFile,
    decode_text,
    iter_nonblank_lines,
    open_input,
    read_limited,
    replace_file,
    replace_surrogates,
)
from irjudge.formats.collections import flatten_fields
from irjudge.formats.rankings import format_rating, is_word
from irjudge.formats.reader_warnings import QUERY_FOR_ID, ReaderWarnings
from irjudge.formats.rows import (
    ASSESSOR,
    DOCUMENT,
    GRADE,
    MAX_ID_CHARACTERS,
    MAX_LIST_BYTES,
    MAX_SHOWN_CHARACTERS,
    TOPIC,
    iter_csv_rows,
    iter_json_lines,
    parse_id,
    to_storable,
)
from irjudge.message import Message
from irjudge.model import normalise_query

# Ratings of documents for queries; a query is identified by its text

NO_ASSESSOR = ""  # assessor of ratings in formats without assessors


@dataclass(frozen=True, slots=True)
class Query:
    """Query in a file of ratings, with its id and information need."""

    id: str  # id in the file; if there is none, q1, q2 … in file order
    text: str  # the id if the file has no text
    need: str = ""  # description of the information need
    # whether `id` may be used to match the query with a topic of a project whose title differs
    # from `text`
    is_topic_id: bool = False


@dataclass(frozen=True, slots=True)
class Rating:
    """Rating of a document for a query, by one assessor or model, in a `RatingsFile`."""

    topic: str  # id of the query
    document: str
    # rating; None if it is a word, or if the document is unjudgeable or was not rated
    value: float | None
    assessor: str = NO_ASSESSOR  # empty in formats without assessors
    is_unjudgeable: bool = False  # whether the document is unjudgeable
    unsure: bool = False
    note: str = ""  # note of the assessor, or the reason why the model did not rate the document
    word: str = ""  # grade as a word; empty if the rating is a number


@dataclass(slots=True)
class RatingsFile:
    """Content of a file of ratings, to which the reader of the file adds queries and ratings.

    The ratings are by assessors or by a model. If the file contains results of a search engine,
    `ranking` contains them; such a file may have no ratings. The class is also used for writing.
    """

    format_name: str = ""  # displayed name of the format
    name: str = ""  # name of the ratings, as stored in the file
    model: str = ""  # name of the model that made the ratings; empty if assessors made them
    has_assessor_columns: bool = False  # whether the file is a table with a column per assessor
    queries: dict[str, Query] = field(default_factory=dict)  # queries by id
    ratings: list[Rating] = field(default_factory=list)
    # fields of documents, by id
    documents: dict[str, Mapping[str, str]] = field(default_factory=dict)
    # if the file contains results of a search engine: topic, document and score of each hit
    ranking: list[tuple[str, str, float]] = field(default_factory=list)
    # if the file contains responses: topics with a response, including those without hits
    ranked: dict[str, None] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    # warnings collected while reading; `warnings` contains those that are already sentences
    id_warnings: ReaderWarnings = field(default_factory=ReaderWarnings)
    # ids that occur in the file; queries without an id get other ids
    reserved_ids: set[str] = field(default_factory=set)
    # number of ratings that queries share with their group; limited, since each query repeats them
    shared_count: int = 0
    _query_ids_by_text: dict[str, str] = field(default_factory=dict)
    # ids that were made for queries without an id, and the number in the last of these ids
    _made_ids: set[str] = field(default_factory=set)
    _last_number: int = 0

    def add_query(
        self, text: str, *, id: str = "", need: str = "", is_topic_id: bool = False
    ) -> str:
        """Return the id of the query with this text; add the query if it is new.

        Raises IrjudgeError if the id was already made for a query without an id.
        """
        if id in self._made_ids:
            raise IrjudgeError(
                "The id {id} occurs after queries without ids, of which one was named {id}; give "
                "each query an id.",
                id=id,
            )
        key = normalise_query(text)
        name = id or self._query_ids_by_text.get(key) or self._make_id()
        self._query_ids_by_text.setdefault(key, name)
        query_id = self.queries.get(name)
        if query_id is None or (need and not query_id.need):
            self.queries[name] = Query(name, key, need, is_topic_id)
        return name

    def _make_id(self) -> str:
        """Return the id of the next query without an id, such as q1."""
        number = max(len(self.queries), self._last_number) + 1
        while f"q{number}" in self.queries or f"q{number}" in self.reserved_ids:
            number += 1
        self._last_number = number
        self._made_ids.add(f"q{number}")
        return f"q{number}"

    @property
    def assessors(self) -> tuple[str, ...]:
        """Names of the assessors, in file order."""
        return tuple(
            dict.fromkeys(
                rating.assessor
                for rating in self.ratings
                if rating.value is not None or rating.is_unjudgeable or rating.word
            )
        )

    @property
    def is_signed(self) -> bool:
        """Whether every rating has an assessor."""
        return bool(self.assessors) and NO_ASSESSOR not in self.assessors


def _shorten(name: str) -> str:
    """Return the name of a member for locations, of which each child of the member has a copy."""
    return name if len(name) <= MAX_SHOWN_CHARACTERS else f"{name[:MAX_SHOWN_CHARACTERS]}…"


@dataclass(frozen=True, slots=True)
class JsonNode:
    """Value in a JSON file, with its position, which is part of error messages.

    Members of an object and items of a list are nodes too. Most methods raise FormatError if the
    value does not have the type that they require. `get`, `text_of` and the operator `in` raise no
    such error for a value that is not an object: it has no members.
    """

    path: Path
    value: Any
    where: str = ""  # position in the file, such as `queries[1].text`; empty for the whole content
    # warnings of the reader, to which texts that were changed are added
    warnings: ReaderWarnings = field(default_factory=ReaderWarnings)

    def make_error(self, expected: str) -> FormatError:
        """Return an error whose message contains the value and the description `expected`."""
        return FormatError(
            self.path,
            Message(
                "{location}: found {value}; expected {expected}",
                key="unexpected-value",
                location=self.where or "$",
                value=replace_surrogates(repr(self.value))[:60],
                expected=expected,
            ),
        )

    def __contains__(self, name: str) -> bool:
        return isinstance(self.value, dict) and name in self.value

    def __getitem__(self, name: str) -> "JsonNode":
        """Return a member of an object; raise FormatError if it is missing."""
        if not isinstance(self.value, dict) or name not in self.value:
            raise self.make_error(Message('an object with "{name}"', name=name))
        location = f"{self.where}.{_shorten(name)}".lstrip(".")
        return JsonNode(self.path, self.value[name], location, self.warnings)

    def get(self, name: str) -> "JsonNode | None":
        """Return a member of an object; None if it is missing or null."""
        return self[name] if name in self and self.value[name] is not None else None

    def text_of(self, name: str, *, default: str = "") -> str:
        """Return a member of an object as text; `default` if it is missing or null."""
        node = self.get(name)
        return node.text() if node else default

    def iter_items(self) -> Iterator["JsonNode"]:
        """Yield the items of a list."""
        if not isinstance(self.value, list):
            raise self.make_error(Message("a list"))
        yield from (
            JsonNode(self.path, value, f"{self.where}[{number}]", self.warnings)
            for number, value in enumerate(self.value, 1)
        )

    def items(self) -> Iterator[tuple[str, "JsonNode"]]:
        """Yield the names and members of an object."""
        if not isinstance(self.value, dict):
            raise self.make_error(Message("an object"))
        yield from (
            (name, JsonNode(self.path, value, f"{self.where}.{_shorten(name)}", self.warnings))
            for name, value in self.value.items()
        )

    def text(self, *, default: str | None = None) -> str:
        """Return the value as text, without leading and trailing white space."""
        if self.value is None and default is not None:
            return default
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            raise self.make_error(Message("text"))
        return to_storable(str(self.value), self.path.name, self.warnings).strip()

    def name(self) -> str:
        """Return the value as an id; raise FormatError if it is empty or too long."""
        return parse_id(self.text(), self.path, None, self.warnings)

    def query_text(self) -> str:
        """Return the text of a query; raise FormatError if it is empty or too long for an id."""
        text = self.text()
        if not text or len(text) > MAX_ID_CHARACTERS:
            raise self.make_error(Message("the text of a query"))
        return text

    def rating(self) -> float | None:
        """Return the rating in a number or text; None if the value is null or empty.

        Raises FormatError for other values.
        """
        if self.value is None or self.value == "":
            return None
        if not isinstance(self.value, bool) and isinstance(self.value, int | float | str):
            text = str(self.value).strip()
            try:
                number = float(text) if text.isascii() and "_" not in text else float("nan")
            except ValueError:
                number = float("nan")
            if number == number and abs(number) < 2**31:
                return number
        raise self.make_error(Message("a rating (a number)"))


def read_text_fields(node: JsonNode) -> dict[str, str]:
    """Return the fields of a document as strings, by field name."""
    return dict(
        flatten_fields(
            {name: child.value for name, child in node.items()}, node.path.name, node.warnings
        )
    )


def ratings_from_grades(
    rows: Iterable[tuple[str, str, float]], titles: Mapping[str, str], name: str, format_name: str
) -> RatingsFile:
    """Convert grades to ratings, with topic titles as queries; grades below 0 become None."""
    file = RatingsFile(name=name)
    for topic, document, grade in rows:
        file.add_query(titles.get(topic) or topic, id=topic)
        file.ratings.append(Rating(topic, document, float(grade) if grade >= 0 else None))
    if len({query.text for query in file.queries.values()}) < len(file.queries):
        raise IrjudgeError(
            "Several topics have the same title, but {form} identifies queries by title.",
            form=format_name,
        )
    return file


RATING_COLUMNS = ("topic", "document", "assessor", "grade", "note", "unsure")


def iter_rating_rows(file: RatingsFile) -> Iterator[tuple[str, ...]]:
    """Yield the ratings as rows with the columns `RATING_COLUMNS`; grades may be empty."""
    for rating in file.ratings:
        grade = rating.word if rating.value is None else format_rating(rating.value)
        yield (
            rating.topic,
            rating.document,
            rating.assessor,
            "unjudgeable" if rating.is_unjudgeable else grade,
            rating.note,
            "yes" if rating.unsure else "",
        )


# JSON formats: Quepid books and cases, OpenSearch judgments, rank_eval requests and responses, RRE

# error message of the json module for a file with several values, such as JSON lines
EXTRA_DATA = "Extra data"


def _read_quepid_book(data: JsonNode, file: RatingsFile) -> None:
    for pair in data["query_doc_pairs"].iter_items():
        topic = file.add_query(
            pair["query_text"].query_text(), need=pair.text_of("information_need")
        )
        document = pair["doc_id"].name()
        if fields := pair.get("document_fields"):
            file.documents.setdefault(document, read_text_fields(_parse_nested(fields)))
        judgements = pair.get("judgements")
        for judgement in judgements.iter_items() if judgements else ():
            rating, unrateable, judge_later = (
                judgement.get(name) for name in ("rating", "unrateable", "judge_later")
            )
            file.ratings.append(
                Rating(
                    topic,
                    document,
                    rating.rating() if rating else None,
                    judgement.text_of("user_email", default=UNNAMED_ASSESSOR),
                    is_unjudgeable=bool(unrateable and unrateable.value),
                    unsure=bool(judge_later and judge_later.value),
                    note=judgement.text_of("explanation"),
                )
            )


def _parse_nested(node: JsonNode) -> JsonNode:
    """Return the node; if its value is a string, parse the string as JSON."""
    if not isinstance(node.value, str):
        return node
    try:
        content = json.loads(node.value)
    except (ValueError, RecursionError):
        raise node.make_error(Message("an object")) from None
    return replace(node, value=content)


def _read_quepid_snapshot(data: JsonNode, file: RatingsFile) -> None:
    """Read the ratings in a Quepid snapshot; the documents of each query are a ranking."""
    _read_quepid_case(data, file)
    topics = {}
    for query in data["queries"].iter_items():
        if id := query.get("query_id"):
            topics[id.text()] = file.add_query(query["query_text"].query_text())
    for name, query_documents in data["docs"].items():
        if name not in topics:
            raise query_documents.make_error(
                Message("a query with the query_id {number}", number=name[:40])
            )
        topic, hits = topics[name], [*query_documents.iter_items()]
        file.ranked.setdefault(topic)
        for index, hit in enumerate(hits):
            document = hit["id"].name()
            file.ranking.append((topic, document, float(len(hits) - index)))
            if fields := hit.get("fields"):
                file.documents.setdefault(document, read_text_fields(_parse_nested(fields)))


def _read_quepid_case(data: JsonNode, file: RatingsFile) -> None:
    for query in data["queries"].iter_items():
        text = query["query_text" if "query_text" in query else "query"].query_text()
        topic = file.add_query(text, need=query.text_of("information_need"))
        ratings = query.get("ratings")
        if ratings is None:
            continue
        if isinstance(ratings.value, dict):
            file.ratings += [
                Rating(topic, _parse_document_id(document, ratings), rating.rating())
                for document, rating in ratings.items()
            ]
        else:
            file.ratings += [
                Rating(
                    topic,
                    rating["doc_id"].name(),
                    rating["rating"].rating(),
                    rating.text_of("user_email"),
                )
                for rating in ratings.iter_items()
            ]


def _read_opensearch(data: JsonNode, file: RatingsFile) -> None:
    kind = data.get("type")
    if kind and kind.value == LLM_JUDGMENT:
        metadata = data.get("metadata")
        # if the file does not name the model, the name of the judgments is used
        names = (
            metadata.get(name)
            for name in ("modelName", "modelId", "model_id")
            if metadata is not None and isinstance(metadata.value, dict)
        )
        file.model = (
            next((name_node.text() for name_node in names if name_node is not None), "")
            or file.name
            or data.path.stem
        )
    for query in data["judgmentRatings"].iter_items():
        topic = file.add_query(query["query"].query_text())
        file.ratings += [
            parse_rating_or_label(topic, rating["docId"].name(), rating["rating"])
            for rating in query["ratings"].iter_items()
        ]
        file.ratings += [
            Rating(topic, name, None, note=reason)
            for name, reason in _iter_failures(query.get("failures"))
        ]
    for query_text, failures in _iter_failed_queries(data.get("failures")):
        topic = file.add_query(query_text)
        file.ratings += [
            Rating(topic, name, None, note=reason) for name, reason in _iter_failures(failures)
        ]


LLM_JUDGMENT = "LLM_JUDGMENT"


def _iter_failures(node: JsonNode | None) -> Iterator[tuple[str, str]]:
    """Yield the document id and the reason of each failed rating.

    The node is an object that maps ids to reasons, or a list of ids or of objects with an id.
    """
    if node is None:
        return
    if isinstance(node.value, dict):
        yield from ((name, reason_node.text(default="")) for name, reason_node in node.items())
        return
    for failure in node.iter_items():
        if not isinstance(failure.value, dict):
            yield failure.name(), ""
            continue
        id = next((failure[name] for name in ("docId", "doc_id", "_id") if name in failure), None)
        reason = next(
            (failure[name] for name in ("error", "reason", "message") if name in failure), None
        )
        if id is not None:
            yield id.name(), reason.text(default="") if reason else ""


def _iter_failed_queries(node: JsonNode | None) -> Iterator[tuple[str, JsonNode]]:
    """Yield the text and the failed ratings of each query in a list of query objects.

    Nothing is yielded if the node is None or not a list.
    """
    if node is None or not isinstance(node.value, list):
        return
    for query_node in node.iter_items():
        if not isinstance(query_node.value, dict) or "query" not in query_node:
            continue
        failures = next(
            (query_node[name] for name in ("failures", "docIds", "ratings") if name in query_node),
            None,
        )
        yield (
            query_node["query"].query_text(),
            replace(query_node, value=[query_node.value]) if failures is None else failures,
        )


def parse_rating_or_label(topic: str, document: str, node: JsonNode) -> Rating:
    """Return the rating in a JSON value, which is a number or a word."""
    if isinstance(node.value, str) and is_word(node.value.strip()):
        return Rating(topic, document, None, word=node.text())
    return Rating(topic, document, node.rating())


def _read_rank_eval_request(data: JsonNode, file: RatingsFile) -> None:
    _reserve_names((request["id"] for request in data["requests"].iter_items()), file)
    for request in data["requests"].iter_items():
        topic = _resolve_query_name(request["id"], file)
        file.ratings += [
            Rating(topic, rating["_id"].name(), rating["rating"].rating())
            for rating in request["ratings"].iter_items()
        ]


def _read_rank_eval_response(data: JsonNode, file: RatingsFile) -> None:
    details = data["details"]
    _reserve_names((replace(detail, value=name) for name, detail in details.items()), file)
    for name, detail in details.items():
        topic = _resolve_query_name(replace(detail, value=name), file)
        file.ranked.setdefault(topic)
        documents, scores = list[str](), list[float | None]()
        for hit_node in detail["hits"].iter_items():
            hit, rating = hit_node["hit"], hit_node.get("rating")
            documents.append(hit["_id"].name())
            scores.append(_parse_score(score) if (score := hit.get("_score")) else None)
            if rating is not None:
                file.ratings.append(Rating(topic, documents[-1], rating.rating()))
        for document, rank_score in zip(documents, make_rank_scores(scores), strict=True):
            file.ranking.append((topic, document, rank_score))


def make_rank_scores(scores: Sequence[float | None]) -> list[float]:
    """Return scores that rank hits in the order of a list.

    They are the scores of the hits if these are in descending order without ties, and otherwise the
    number of hits from each hit to the last.

    >>> make_rank_scores([2.5, 1.5]), make_rank_scores([1.0, 1.0]), make_rank_scores([2.0, None])
    ([2.5, 1.5], [2.0, 1.0], [2.0, 1.0])
    """
    valid_scores = [score for score in scores if score is not None]
    is_descending = all(score > next_score for score, next_score in pairwise(valid_scores))
    if is_descending and len(valid_scores) == len(scores):
        return valid_scores
    return [float(count) for count in range(len(scores), 0, -1)]


def _read_query_set(data: JsonNode, file: RatingsFile) -> None:
    for query in data["querySetQueries"].iter_items():
        file.add_query(query["queryText"].query_text())


def _resolve_query_name(node: JsonNode, file: RatingsFile) -> str:
    """Return the id of a named query; a name that contains a space is the query's text."""
    name = node.query_text()
    if not _is_id(name):
        file.id_warnings.add(QUERY_FOR_ID, name)
    return file.add_query(name, id=name if _is_id(name) else "")


def _reserve_names(nodes: Iterable[JsonNode], file: RatingsFile) -> None:
    """Reserve the names that are ids, so that queries without an id get other ids."""
    file.reserved_ids.update(filter(_is_id, (node.query_text() for node in nodes)))


def _is_id(name: str) -> bool:
    return name.split() == [name]


# maximum number of ratings of queries that share the judgments of their RRE group
MAX_SHARED_RATINGS = 1_000_000


def _read_rre(data: JsonNode, file: RatingsFile) -> None:
    placeholder = data.text_of("query_placeholder", default="$query")
    topics = data.get("topics")
    for topic in topics.iter_items() if topics else ():
        for group in topic["query_groups"].iter_items():
            _read_rre_queries(group, placeholder, group.text_of("description"), file)
    for group in (data, *(data["query_groups"].iter_items() if "query_groups" in data else ())):
        if "queries" in group:
            _read_rre_queries(group, placeholder, "", file)


def _read_rre_queries(group: JsonNode, placeholder: str, need: str, file: RatingsFile) -> None:
    """Read an RRE group's queries; a query without judgments uses the group's judgments.

    The number of these ratings is limited, since it is the product of two lists in the file.
    """
    for query in group["queries"].iter_items():
        count_before = len(file.ratings)
        topic = file.add_query(query["placeholders"][placeholder].query_text(), need=need)
        rated_group = query if "relevant_documents" in query else group
        for name, documents_node in rated_group["relevant_documents"].items():
            # the name is a gain, and the value is the list of documents with this gain
            if isinstance(documents_node.value, list):
                gain = replace(documents_node, value=name).rating()
                file.ratings += [
                    Rating(topic, document.name(), gain) for document in documents_node.iter_items()
                ]
            else:
                document_id = _parse_document_id(name, documents_node)
                file.ratings.append(Rating(topic, document_id, documents_node["gain"].rating()))
        if rated_group is group:
            file.shared_count += len(file.ratings) - count_before
            _check_shared_ratings(group, file)


def _check_shared_ratings(group: JsonNode, file: RatingsFile) -> None:
    if file.shared_count > MAX_SHARED_RATINGS:
        raise FormatError(
            group.path,
            Message(
                "the queries that share the judgments of their group have more than {limit:,} "
                "judgments; split the file",
                key="too-many-ratings",
                limit=MAX_SHARED_RATINGS,
            ),
        )


def _parse_document_id(name: str, node: JsonNode) -> str:
    return replace(node, value=name).name()


def _parse_score(node: JsonNode) -> float:
    is_number = isinstance(node.value, int | float) and not isinstance(node.value, bool)
    if not is_number or not abs(node.value) <= sys.float_info.max:  # true for NaN, too
        raise node.make_error(Message("a score (a number)"))
    return float(node.value)


@dataclass(frozen=True, slots=True)
class JsonRatingsFormat:
    """JSON file format of ratings: its name, detector and reader."""

    name: str  # displayed name
    fits: Callable[[Any], bool]  # returns whether a parsed object has this format
    read: Callable[[JsonNode, RatingsFile], None]  # adds the parsed content to the ratings


def _has_list(*names: str) -> Callable[[Any], bool]:
    return lambda data: all(isinstance(data.get(name), list) for name in names)


def _is_rre(data: Any) -> bool:
    def first_item_has(list_name: str, member: str) -> bool:
        items = data.get(list_name)
        return (
            isinstance(items, list)
            and isinstance(next(iter(items), None), dict)
            and member in items[0]
        )

    return (
        first_item_has("queries", "placeholders")
        or first_item_has("topics", "query_groups")
        or isinstance(data.get("query_groups"), list)
    )


# Formats in the order in which they are tried. A new format is added to this list.
FORMATS = (
    JsonRatingsFormat(Message("a Quepid book"), _has_list("query_doc_pairs"), _read_quepid_book),
    JsonRatingsFormat(
        Message("OpenSearch judgments"), _has_list("judgmentRatings"), _read_opensearch
    ),
    JsonRatingsFormat(Message("RRE ratings"), _is_rre, _read_rre),
    JsonRatingsFormat(
        Message("a rank_eval request"), _has_list("requests"), _read_rank_eval_request
    ),
    JsonRatingsFormat(
        Message("a rank_eval response"),
        lambda data: isinstance(data.get("details"), dict),
        _read_rank_eval_response,
    ),
    JsonRatingsFormat(
        Message("a Quepid snapshot"),
        lambda data: isinstance(data.get("queries"), list) and isinstance(data.get("docs"), dict),
        _read_quepid_snapshot,
    ),
    JsonRatingsFormat(Message("a Quepid case"), _has_list("queries"), _read_quepid_case),
    JsonRatingsFormat(
        Message("an OpenSearch query set"), _has_list("querySetQueries"), _read_query_set
    ),
)
FORMAT_KEYS = tuple(
    f'"{name}"'.encode()
    for name in (
        "query_doc_pairs",
        "judgmentratings",
        "query_groups",
        "requests",
        "details",
        "queries",
        "querysetqueries",
    )
)  # names of JSON members; every file in one of the formats contains at least one of them


_JSON_LINES = re.compile(rb"[^\n]*\}[ \t\r]*+\n\s*+\{")


def _has_name(text: bytes) -> bool:
    """Return whether a text contains the name of a member that occurs in one of the formats."""
    lowercase_text = text.lower()
    return any(name in lowercase_text for name in FORMAT_KEYS)


def _read_json_ratings(file: InputFile) -> RatingsFile | None:
    warnings = ReaderWarnings()
    entry = file.text(warnings)
    head = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not head.startswith(b"{"):
        return None
    has_format_name = _has_name(head)
    if not has_format_name and _JSON_LINES.match(head):
        return None
    raw = entry.stream.read(MAX_LIST_BYTES + 1)
    if not has_format_name and (len(raw) > MAX_LIST_BYTES or not _has_name(raw)):
        return None
    data = parse_json(
        file.path,
        decode_text(
            read_limited(io.BufferedReader(io.BytesIO(raw)), file.path, MAX_LIST_BYTES), file.path
        ),
    )
    ratings_form = (
        next((ratings_format for ratings_format in FORMATS if ratings_format.fits(data)), None)
        if isinstance(data, dict)
        else None
    )
    if ratings_form is None:
        return None
    ratings_file, root = RatingsFile(ratings_form.name), JsonNode(file.path, data, "", warnings)
    name = root.get("name")
    ratings_file.name = name.text() if name and isinstance(name.value, str) else ""
    ratings_form.read(root, ratings_file)
    if not ratings_file.queries:
        raise FormatError(
            file.path,
            Message("no query found; expected {form}", key="no-query", form=ratings_form.name),
        )
    return ratings_file


class RepeatedName(ValueError):
    """Error for a repeated name in a JSON object; the parser would use only one of its values."""

    def to_format_error(self, path: Path, line: int | None = None) -> FormatError:
        """Return the error for users."""
        return FormatError(
            path,
            Message(
                '"{name}" occurs twice in one object; each name may occur only once',
                key="repeated-name",
                name=replace_surrogates(str(self))[:40],
            ),
            line,
        )


def load_json(text: str) -> Any:
    """Parse a JSON text; raise `RepeatedName` if a name occurs twice in one object."""
    return json.loads(text, object_pairs_hook=_make_object)


def _make_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        counts = Counter(name for name, _ in pairs)
        raise RepeatedName(next(name for name in counts if counts[name] > 1))
    return fields


def parse_json(path: Path, text: str) -> Any:
    """Parse a JSON text; return None if it contains several values."""
    try:
        return load_json(text)
    except json.JSONDecodeError as error:
        if error.msg == EXTRA_DATA:
            return None
        raise FormatError(
            path, Message("not JSON ({reason})", reason=error.msg), error.lineno
        ) from None
    except RepeatedName as error:
        raise error.to_format_error(path) from None
    except (RecursionError, ValueError):
        raise FormatError(
            path, "the JSON is nested too deeply or contains a number that is too long"
        ) from None


# Reading of ratings in any format, including line formats: Quepid CSV, learning-to-rank files

OTHER_COLUMNS = {
    *TOPIC.column_names,
    *DOCUMENT.column_names,
    *GRADE.column_names,
    *ASSESSOR.column_names,
    "rank",
    "position",
    "sim",
    "similarity",
    "iteration",
    "subtopic",
}
ID_COLUMNS = frozenset({*TOPIC.column_names, *DOCUMENT.column_names})
CASE_COLUMNS, BOOK_COLUMNS, NEED_COLUMNS = (
    ("query", "docid", "rating"),
    ("query", "docid"),
    ("query", "information_need"),
)
DETAIL_COLUMNS = frozenset({"case id", "query text", "doc id", "rating"})
UNNAMED_ASSESSOR = "Unknown"  # Quepid's name for an unnamed assessor
# separator between several ratings of a query and document by the same assessor
RATING_SEPARATOR = "|"
_RATING_CELL = re.compile(r"\s*+(-?\d++(\.\d++)?(e[+-]?\d{1,3})?)?\s*+", re.ASCII | re.IGNORECASE)
_LEARNING_TO_RANK_LINE = re.compile(
    r"\s*(?P<rating>-?\d+(\.\d+)?(e[+-]?\d{1,3})?)\s+qid:\s*(?P<query>\S+)(?P<features>(\s+\d+:\S+)*)\s*(#(?P<comment>(?s:.*)))?",
    re.ASCII,
)
_QUERY_LINE = re.compile(r"#\s*qid:\s*(?P<query>[^\s:]+)\s*:\s*(?P<text>.*\S)\s*")
_QUERY_SET = re.compile(rb'[^\n]*"queryText"\s*:')
_DOCID_COMMENT = re.compile(r"\s*docid\s*=\s*(?P<document>\S+)", re.IGNORECASE)


def read_ratings(source: FileSource) -> RatingsFile | None:
    """Read ratings in a format that search teams use; None if the file has another format."""
    return _read_first(source, _read_json_ratings, _read_text_ratings)


def read_rating_book(source: FileSource) -> RatingsFile | None:
    """Read ratings by assessors, such as a Quepid book; None for other files."""
    book = _read_first(source, _read_json_ratings, _read_quepid_table)
    return book if book and book.is_signed else None


def read_rated_response(source: FileSource) -> RatingsFile | None:
    """Read a ranking that contains ratings, such as a rank_eval response; None for other files."""
    answer = _read_first(source, _read_json_ratings)
    return answer if answer and answer.ranking else None


def _read_first(
    source: FileSource, *readers: Callable[[InputFile], RatingsFile | None]
) -> RatingsFile | None:
    with open_input(source) as file:
        if not file.path.is_file() or file.has_several_files():
            return None
        return next(filter(None, (read(file) for read in readers)), None)


# Line formats of ratings


def _read_text_ratings(file: InputFile) -> RatingsFile | None:
    warnings = ReaderWarnings()
    entry = file.text(warnings)
    header = _read_header(entry)
    if header == CASE_COLUMNS:
        return _read_case(entry, warnings)
    if _is_book(header):
        return _read_book(entry, warnings)
    if header == NEED_COLUMNS:
        return _read_needs(entry)
    if {*header} >= DETAIL_COLUMNS:
        return _read_details(entry, warnings)
    if _is_learning_to_rank(entry.head):
        return _read_learning_to_rank(entry, warnings)
    if entry.head.lstrip(b"\xef\xbb\xbf").startswith(b"{"):
        return _read_query_lines(entry) if _QUERY_SET.match(entry.head) else _read_pair_lines(entry)
    return None


def _read_quepid_table(file: InputFile) -> RatingsFile | None:
    """Read a table with a column per assessor; None for other files."""
    warnings = ReaderWarnings()
    entry = file.text(warnings)
    return _read_book(entry, warnings) if _is_book(_read_header(entry)) else None


def _read_header(entry: ArchiveEntry) -> tuple[str, ...]:
    first_cells = (
        entry.head.removeprefix(b"\xef\xbb\xbf").lstrip().split(b"\n")[0].decode("utf-8", "replace")
    )
    return tuple(cell.strip(' \t\r"').lower() for cell in first_cells.split(","))


def _is_book(header: tuple[str, ...]) -> bool:
    """Return whether the columns are query, document and one column for each assessor.

    If there is only one assessor column, it must not have the name of another part. No assessor
    column may have the name of an id.
    """
    assessors = header[2:]
    return (
        header[:2] == BOOK_COLUMNS
        and len(assessors) > 0
        and (len(assessors) > 1 or assessors[0] not in OTHER_COLUMNS)
        and ID_COLUMNS.isdisjoint(assessors)
    )


def _read_case(entry: ArchiveEntry, warnings: ReaderWarnings) -> RatingsFile:
    """Read a Quepid case; a query may have no documents, and a document may have no rating."""
    file = RatingsFile(Message("Quepid ratings"))
    for line, cells in islice(_iter_cells(entry), 1, None):
        query, document, rating = _check_column_count(entry, line, cells, 3)
        topic = file.add_query(_parse_query(entry, line, query))
        if document:
            grade_word = rating.strip() if is_word(rating.strip()) else ""
            value = None if grade_word else _parse_rating(entry, line, rating)
            name = parse_id(document, entry.where, line, warnings)
            file.ratings.append(Rating(topic, name, value, word=grade_word))
    return file


def _read_details(entry: ArchiveEntry, warnings: ReaderWarnings) -> RatingsFile:
    """Read the details of a Quepid case, a row per query and document; ratings may be empty."""
    file = RatingsFile(Message("details of a Quepid case"))
    rows = _iter_cells(entry)
    line, header = next(rows)
    names = [name.lower() for name in header]
    if any(names.count(name) != 1 for name in DETAIL_COLUMNS):
        raise FormatError(
            entry.where,
            Message(
                "expected each column once: {names}",
                key="same-column",
                names=", ".join(sorted(DETAIL_COLUMNS)),
            ),
            line,
        )
    columns = [names.index(name) for name in ("query text", "doc id", "rating")]
    for line, cells in rows:
        query, document, rating = (
            _check_column_count(entry, line, cells, len(names))[column] for column in columns
        )
        topic = file.add_query(_parse_query(entry, line, query))
        if document:
            name = parse_id(document, entry.where, line, warnings)
            file.ratings.append(Rating(topic, name, _parse_rating(entry, line, rating)))
    return file


def _read_needs(entry: ArchiveEntry) -> RatingsFile:
    file = RatingsFile(Message("Quepid information needs"))
    for line, cells in islice(_iter_cells(entry), 1, None):
        query, need = _check_column_count(entry, line, cells, 2)
        file.add_query(_parse_query(entry, line, query), need=need)
    return file


def _read_query_lines(entry: ArchiveEntry) -> RatingsFile:
    """Read an OpenSearch query set: JSON lines with `queryText` and optional information needs."""
    file = RatingsFile(Message("an OpenSearch query set"))
    for record in iter_json_lines(entry):
        node = JsonNode(entry.where, dict(record.fields), Message("line {line}", line=record.line))
        file.add_query(node["queryText"].query_text(), need=node.text_of("referenceAnswer"))
    return file


def _read_pair_lines(entry: ArchiveEntry) -> RatingsFile | None:
    """Read JSON lines, each with a query, a document and a rating; None for other files."""
    file, is_first_line = RatingsFile(Message("JSON lines of pairs")), True
    try:
        for record in iter_json_lines(entry):
            node = JsonNode(
                entry.where, dict(record.fields), Message("line {line}", line=record.line)
            )
            names = [
                next((name for name in part.column_names if name in node), "")
                for part in (TOPIC, DOCUMENT, GRADE)
            ]
            if not all(names) and is_first_line:
                return None
            id, document, value = (
                node[name or part.name]
                for name, part in zip(names, (TOPIC, DOCUMENT, GRADE), strict=True)
            )
            text = node.get("query") or node.get("query_text") or id
            has_id = names[0] != "query"
            topic = file.add_query(
                text.query_text(), id=id.query_text() if has_id else "", is_topic_id=has_id
            )
            file.ratings.append(parse_rating_or_label(topic, document.name(), value))
            is_first_line = False
    except FormatError:
        if is_first_line:
            return None
        raise
    return file


def _read_book(entry: ArchiveEntry, warnings: ReaderWarnings) -> RatingsFile | None:
    """Read a book; None if a column of an assessor contains something other than ratings."""
    file = RatingsFile(Message("a Quepid book exported as a table"), has_assessor_columns=True)
    rows = _iter_cells(entry)
    _, header = next(rows)
    assessors = [name or UNNAMED_ASSESSOR for name in header[2:]]
    for line, cells in rows:
        query, document, *rated_cells = _check_column_count(entry, line, cells, len(header))
        if not all(
            _RATING_CELL.fullmatch(part)
            for cell in rated_cells
            for part in cell.split(RATING_SEPARATOR)
        ):
            return None
        topic = file.add_query(_parse_query(entry, line, query))
        if not document:
            continue
        name = parse_id(document, entry.where, line, warnings)
        for assessor, cell in zip(assessors, rated_cells, strict=True):
            file.ratings += [
                Rating(topic, name, _parse_rating(entry, line, part), assessor)
                for part in cell.split(RATING_SEPARATOR)
                if part
            ]
    return file


def _iter_cells(entry: ArchiveEntry) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and the cells of each non-blank row.

    Spaces around a cell are removed, since Quepid escapes formulas with a space.
    """
    for line, cells in iter_csv_rows(entry, ","):
        if any(cell.strip() for cell in cells):
            yield line, [cell.removeprefix("\ufeff").strip() for cell in cells]


def _check_column_count(
    entry: ArchiveEntry, line: int, cells: list[str], column_count: int
) -> list[str]:
    if len(cells) != column_count:
        raise FormatError(
            entry.where,
            Message(
                "number of columns: {count}; expected {expected}, as in the header",
                count=len(cells),
                expected=column_count,
            ),
            line,
        )
    return cells


def _parse_query(entry: ArchiveEntry, line: int, text: str) -> str:
    if not text:
        raise FormatError(entry.where, "the query is empty; expected its text", line)
    return text


def _parse_rating(entry: ArchiveEntry, line: int, text: str) -> float | None:
    if not text:
        return None
    if not _RATING_CELL.fullmatch(text):
        raise FormatError(
            entry.where,
            Message(
                "the rating is “{text}”; expected a number",
                key="not-a-rating",
                text=text[:MAX_SHOWN_CHARACTERS],
            ),
            line,
        )
    return JsonNode(entry.where, text).rating()


def _is_learning_to_rank(head: bytes) -> bool:
    """Return whether each of the first lines, without comments, is a rating followed by `qid:`."""
    text = head.decode("utf-8", "replace")
    rated_lines = [
        line
        for line in text.split("\n")[:-1] or [text]
        if line.strip() and not line.lstrip().startswith("#")
    ]
    return bool(rated_lines) and all(
        map(_LEARNING_TO_RANK_LINE.fullmatch, (line.rstrip("\r") for line in rated_lines[:20]))
    )


def _read_learning_to_rank(entry: ArchiveEntry, warnings: ReaderWarnings) -> RatingsFile:
    """Read lines for learning to rank, such as `3 qid:1 # DOC query`.

    In LETOR, the comment is `#docid = DOC …`. A line `# qid:1: text` contains the text of a query.
    """
    file, texts = RatingsFile(Message("ratings for learning to rank")), dict[str, str]()
    for line, text in iter_nonblank_lines(entry.stream, entry.where):
        if query_match := _QUERY_LINE.fullmatch(text.strip()):
            texts[query_match["query"]] = query_match["text"]
        if text.lstrip().startswith("#"):
            continue
        match = _LEARNING_TO_RANK_LINE.fullmatch(text)
        if match is None:
            raise FormatError(
                entry.where,
                Message(
                    "found “{text}”; expected a rating, qid:QUERY, and # followed by the document",
                    key="not-a-rating",
                    text=text[:MAX_SHOWN_CHARACTERS],
                ),
                line,
            )
        document, comment_text = _parse_comment(match["comment"] or "")
        if not document:
            raise FormatError(
                entry.where,
                Message(
                    "no document is given after #, and features alone do not identify a document",
                    key="no-document",
                ),
                line,
            )
        query_text = texts.get(match["query"]) or comment_text
        stored_query = file.queries.get(match["query"])
        topic = (
            stored_query.id
            if stored_query and (not query_text or stored_query.text)
            else file.add_query(query_text or match["query"], id=match["query"])
        )
        name = parse_id(document, entry.where, line, warnings)
        file.ratings.append(
            Rating(topic, name, JsonNode(entry.where, match["rating"]).rating(), NO_ASSESSOR)
        )
    return file


def _parse_comment(comment: str) -> tuple[str, str]:
    """Return the document in a comment, and the query's text after it, which may be empty."""
    if letor_match := _DOCID_COMMENT.match(comment):
        return letor_match["document"], ""
    text = comment.strip()
    document, _, comment_text = text.partition("\t" if "\t" in text else " ")
    return document.strip(), comment_text.strip()


# Writers of the formats that search teams use; `read_ratings` can read the written files

# Quepid writes a space before cells that begin with these characters, since they look like formulas
FORMULA_STARTS = ("-", "=", "+", "@")


def _simplify_number(value: float) -> int | float:
    return int(value) if value.is_integer() else value


def _group_by_query(file: RatingsFile) -> Iterator[tuple[Query, list[Rating]]]:
    ratings_by_query: dict[str, list[Rating]] = {id: [] for id in file.queries}
    for rating in file.ratings:
        ratings_by_query[rating.topic].append(rating)
    yield from ((file.queries[id], ratings) for id, ratings in ratings_by_query.items())


def _iter_values(ratings: Sequence[Rating]) -> Iterator[tuple[str, float]]:
    yield from ((rating.document, rating.value) for rating in ratings if rating.value is not None)


def _write_json(data: Any, target: TextIO) -> None:
    json.dump(data, target, ensure_ascii=False, indent=1)
    target.write("\n")


def _write_quepid(file: RatingsFile, target: TextIO) -> None:
    table = csv.writer(target)
    table.writerow(("query", "docid", "rating"))
    for query, ratings in _group_by_query(file):
        rows = [
            (rating.document, "" if rating.value is None else _simplify_number(rating.value))
            for rating in ratings
        ] or [("", "")]
        table.writerows(
            (_escape_cell(query.text), _escape_cell(document), rating) for document, rating in rows
        )


def _escape_cell(cell: str) -> str:
    return f" {cell}" if cell.startswith(FORMULA_STARTS) else cell


def _format_decimal(value: float) -> str:
    """Return a rating with three decimals, as OpenSearch writes it, or more if necessary."""
    text = f"{value:.3f}"
    return text if float(text) == value else repr(value)


def _write_opensearch(file: RatingsFile, target: TextIO) -> None:
    _write_json(
        {
            "name": file.name or "irjudge",
            "description": "",
            "type": "IMPORT_JUDGMENT",
            "judgmentRatings": [
                {
                    "query": query.text,
                    "ratings": [
                        {"docId": document, "rating": _format_decimal(value)}
                        for document, value in _iter_values(ratings)
                    ],
                }
                for query, ratings in _group_by_query(file)
            ],
        },
        target,
    )


def _write_rre(file: RatingsFile, target: TextIO) -> None:
    _write_json(
        {
            "id_field": "id",
            "index": file.name or "irjudge",
            "template": "template.json",
            "queries": [
                {
                    "placeholders": {"$query": query.text},
                    "relevant_documents": {
                        document: {"gain": _simplify_number(value)}
                        for document, value in _iter_values(ratings)
                    },
                }
                for query, ratings in _group_by_query(file)
            ],
        },
        target,
    )


def _write_rank_eval(file: RatingsFile, target: TextIO) -> None:
    index_name = file.name or "irjudge"
    requests = [
        {
            "id": query.text,
            "request": {"query": {"match": {"_all": query.text}}},
            "ratings": [
                {"_index": index_name, "_id": document, "rating": _simplify_number(value)}
                for document, value in _iter_values(ratings)
            ],
        }
        for query, ratings in _group_by_query(file)
    ]
    _write_json({"requests": requests, "metric": {"dcg": {"k": 10, "normalize": True}}}, target)


def _write_learning_to_rank(file: RatingsFile, target: TextIO) -> None:
    for number, query in enumerate(file.queries.values(), 1):
        target.write(f"# qid:{number}: {query.text}\n")
    for number, (query, ratings) in enumerate(_group_by_query(file), 1):
        for document, value in _iter_values(ratings):
            if document.split() != [document]:
                raise IrjudgeError(
                    "The id of document {document!r} contains a space, which the "
                    "learning-to-rank format cannot represent.",
                    document=document,
                )
            target.write(f"{_simplify_number(value)}\tqid:{number}\t# {document}\t{query.text}\n")


def _write_csv(file: RatingsFile, target: TextIO) -> None:
    table = csv.writer(target)
    table.writerow(("topic", "document", "grade"))
    for query, ratings in _group_by_query(file):
        table.writerows(
            (query.id, document, _simplify_number(value))
            for document, value in _iter_values(ratings)
        )


def _write_jsonl(file: RatingsFile, target: TextIO) -> None:
    for query, ratings in _group_by_query(file):
        for document, value in _iter_values(ratings):
            row = {
                "query_id": query.id,
                "query": query.text,
                "doc_id": document,
                "relevance": _simplify_number(value),
            }
            target.write(json.dumps(row, ensure_ascii=False) + "\n")


def _write_text(
    write: Callable[[RatingsFile, TextIO], None], file: RatingsFile, part: Path
) -> None:
    with part.open("w", encoding="utf-8", newline="") as text_stream:
        write(file, text_stream)


def _write_parquet(file: RatingsFile, path: Path) -> None:
    import pyarrow.parquet  # noqa: PLC0415 -- few files are Parquet

    rows = [
        (query, *rating_cells)
        for query, ratings in _group_by_query(file)
        for rating_cells in _iter_values(ratings)
    ]
    table = pa.table(
        {
            "query_id": pa.array([query.id for query, _, _ in rows], pa.string()),
            "query_text": pa.array([query.text for query, _, _ in rows], pa.string()),
            "doc_id": pa.array([document for _, document, _ in rows], pa.string()),
            "relevance": pa.array([value for _, _, value in rows], pa.float64()),
        }
    )
    pyarrow.parquet.write_table(table, path)


@dataclass(frozen=True, slots=True)
class RatingsWriter:
    """Format in which ratings can be written: its names, file name extension and writer."""

    name: str  # name of the format in options
    title: str  # displayed name
    suffix: str  # file name extension
    write: Callable[[RatingsFile, Path], None]
    decimals: int | None = None  # number of decimals written; None for full precision


def _register_extension_writers() -> None:
    for extension in load_extensions("irjudge.writers"):
        if not isinstance(extension.loaded_object, RatingsWriter):
            report_problem(
                extension.package,
                extension.name,
                Message(
                    "a writer must be a RatingsWriter, got {type}",
                    type=type(extension.loaded_object).__name__,
                ),
            )
            continue
        title = Message(
            "{form} (by {package})", form=extension.loaded_object.title, package=extension.package
        )
        try:
            WRITERS.add(replace(extension.loaded_object, title=title))
        except ValueError as error:  # the name of the format is already used
            report_problem(extension.package, extension.name, error)


# writers by name; a new writer is added to this mapping
WRITERS: Catalogue[RatingsWriter] = Catalogue(
    Message("Ratings format"), load_extensions=_register_extension_writers
)
for _writer in (
    RatingsWriter(
        "quepid", Message("Quepid ratings (CSV)"), ".csv", partial(_write_text, _write_quepid)
    ),
    RatingsWriter(
        "opensearch",
        Message("OpenSearch judgments (JSON)"),
        ".json",
        partial(_write_text, _write_opensearch),
    ),
    RatingsWriter("rre", Message("RRE ratings (JSON)"), ".json", partial(_write_text, _write_rre)),
    RatingsWriter(
        "rank_eval",
        Message("rank_eval request of Elasticsearch and OpenSearch (JSON)"),
        ".json",
        partial(_write_text, _write_rank_eval),
    ),
    RatingsWriter(
        "ltr",
        Message("learning to rank (text)"),
        ".txt",
        partial(_write_text, _write_learning_to_rank),
    ),
    RatingsWriter("csv", Message("a table (CSV)"), ".csv", partial(_write_text, _write_csv)),
    RatingsWriter(
        "jsonl", Message("JSON, one pair per line"), ".jsonl", partial(_write_text, _write_jsonl)
    ),
    RatingsWriter("parquet", "Parquet", ".parquet", _write_parquet),
):
    WRITERS.add(_writer)


def write_ratings(path: Path, file: RatingsFile, format_name: str) -> int:
    """Write ratings to a file atomically, and return the number of ratings that have a value."""
    writer = WRITERS.find(format_name)
    values: dict[tuple[str, str], float] = {}
    for rating in file.ratings:
        if rating.value is None:
            continue
        if values.setdefault((rating.topic, rating.document), rating.value) != rating.value:
            raise IrjudgeError(
                "Document {document} of the query “{query}” has several ratings, but {form} "
                "stores only one. Create consensus qrels first.",
                document=rating.document,
                query=file.queries[rating.topic].text,
                form=writer.title,
            )
        if writer.decimals is not None and round(rating.value, writer.decimals) != rating.value:
            raise IrjudgeError(
                "{value} has more decimals than {form} can store.",
                value=rating.value,
                form=writer.title,
            )
    with replace_file(path) as part:
        try:
            writer.write(file, part)
        except (IrjudgeError, OSError):
            raise
        except Exception as error:
            if not providing_package(writer.write.__module__):
                raise
            raise IrjudgeError(
                "Writing {form} failed: {reason}.",
                form=writer.title,
                reason=f"{type(error).__name__}: {error}",
            ) from error
    return len(values)

"""Saved responses of search engines, and the paths of hits and fields in the format of each engine.

A path selects members by name (`hits.hits`), all members or list items (`*`), or the first of
several alternatives (`a|b`).
"""

import base64
import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats.bytes import (
    ArchiveEntry,
    FileSource,
    InputFile,
    decode_text,
    iter_entries,
    open_input,
    read_limited,
    replace_surrogates,
    to_text_entry,
)
from irjudge.formats.collections import is_image
from irjudge.formats.judgments import (
    JsonNode,
    RatingsFile,
    make_rank_scores,
    parse_json,
    read_rated_response,
    read_text_fields,
)
from irjudge.formats.reader_warnings import FILE_LEFT_OUT, ReaderWarnings, WarningKind
from irjudge.formats.rows import MAX_LIST_BYTES, NUMBER_PATTERN, iter_csv_rows, iter_json_lines
from irjudge.message import Message
from irjudge.model import normalise_query

# names of members that contain a list of responses, one per query
RESPONSE_LIST_NAMES = ("responses", "results")
# columns that every Quepid snapshot has, and columns with the name or time of the snapshot
SNAPSHOT_COLUMNS = ("case id", "query text", "doc id", "doc position")
SNAPSHOT_NAME_COLUMNS = ("snapshot name", "snapshot time")
# keys of the query and keys of the response, in JSON lines that contain a query and its response
QUERY_FIELDS = ("query", "q", "query_text")
QUERY_ID_FIELDS = ("qid", "query_id", "topic_id", "topic")
RESPONSE_FIELDS = ("response", "answer")
# every response contains at least one of these keys
RESPONSE_KEYS = tuple(
    f'"{name}"'.encode() for name in ("hits", "response", "grouped", "root", *RESPONSE_LIST_NAMES)
)
JSON_START = re.compile(rb"(?:\xef\xbb\xbf)?\s*\{")
MAX_NAME_CHARACTERS = 40  # maximum characters of a name in a message


@dataclass(frozen=True, slots=True)
class ResponsePaths:
    """Paths in the responses of a search engine, and paths in each hit of a response.

    Paths in a response lead to the hits, the query and the number of hits; paths in a hit lead to
    the id, the score and the fields. A path is a list of names separated by points, such as
    `hits.hits`; `*` means all members, and `|` separates alternatives. The paths are those of a
    known engine, or were specified by the user.
    """

    hits: str  # path of the list of hits in a response
    id: str  # path of the id within a hit
    score: str = ""  # path of the score within a hit; empty if hits have no scores
    # path of the document's fields within a hit; if empty, the members of the hit are the fields
    fields: str = ""
    query: str = ""  # path of the query within a response; empty if responses do not contain it
    # path of the number of hits; an engine may omit the list of hits if this number is 0
    count: str = ""
    name: str = Message("search engine responses")  # displayed name

    def __str__(self) -> str:
        """Return the paths as text for `--paths`: `hits=result.items,id=key`."""
        return ",".join(
            f"{part}={path}" for part in _list_path_keys() if (path := getattr(self, part))
        )

    def fits(self, answer: object) -> bool:
        """Return whether a response has hits at the path `hits`, and the first hit has an id.

        A response without hits matches if the list of hits is empty or the number of hits is 0.
        """
        lists = self.find_hit_lists(answer)
        first_hit = next((hit for hits in lists for hit in hits), None)
        if first_hit is not None:
            return bool(find_values(first_hit, self.id))
        return bool(lists) or (
            bool(self.count) and str(0) in map(str, find_values(answer, self.count))
        )

    def find_hit_lists(self, answer: object) -> list[list[Any]]:
        """Return the lists of hits in a response."""
        return [value for value in find_values(answer, self.hits) if isinstance(value, list)]

    def find_query(self, answer: object) -> str:
        """Return the query contained in a response; empty if there is none."""
        queries = find_values(answer, self.query) if self.query else []
        return next((query for query in queries if isinstance(query, str)), "")


# Engines in the order in which they are tried. A new engine is added to this list.
ENGINES = (
    ResponsePaths(
        "hits.hits",
        "_id",
        "_score",
        "_source",
        name=Message("Elasticsearch or OpenSearch responses"),
    ),
    ResponsePaths(
        "response.docs",
        "id",
        "score",
        query="responseHeader.params.q",
        name=Message("Solr responses"),
    ),
    ResponsePaths(
        "grouped.*.groups.*.doclist.docs|grouped.*.doclist.docs",
        "id",
        "score",
        query="responseHeader.params.q",
        count="grouped.*.matches",
        name=Message("Solr responses"),
    ),
    ResponsePaths(
        "root.children",
        "fields.documentid|id",
        "relevance",
        "fields",
        count="root.fields.totalCount",
        name=Message("Vespa responses"),
    ),
    ResponsePaths(
        "hits",
        "document.id",
        "text_match",
        "document",
        "request_params.q",
        name=Message("Typesense responses"),
    ),
    ResponsePaths("hits", "objectID", query="query", name=Message("Algolia responses")),
    ResponsePaths(
        "hits", "id", "_rankingScore", query="query", name=Message("Meilisearch responses")
    ),
)


def parse_response_paths(text: str) -> ResponsePaths:
    """Return the paths in a text such as `hits=result.items,id=key,score=rank`.

    Raises IrjudgeError if a name is unknown, or if hits or id are missing.

    >>> parse_response_paths("hits=result.items,id=key,score=rank").id
    'key'
    """
    parts = {
        name.strip(): path.strip()
        for name, _, path in (pair.partition("=") for pair in text.split(","))
    }
    allowed_keys = _list_path_keys()
    if (
        not parts.keys() <= {*allowed_keys}
        or not parts.get("hits")
        or not parts.get("id")
        or not all(parts.values())
    ):
        raise IrjudgeError(
            'Expected paths such as "hits=result.items,id=key", got {text}. The keys hits and '
            "id are required; the allowed keys are {parts}.",
            key="not-paths",
            parts=", ".join(allowed_keys),
            text=text,
        )
    return ResponsePaths(**parts)


def _list_path_keys() -> list[str]:
    return [field.name for field in fields(ResponsePaths) if field.name != "name"]


def find_values(value: object, path: str) -> list[Any]:
    """Return all values at a path; for `a|b`, those at `a` or, if there are none, at `b`.

    >>> find_values({"a": [{"b": 1}, {"b": 2}]}, "a.*.b"), find_values({"b": 3}, "a|b"), find_values({}, "a.b")
    ([1, 2], [3], [])
    """
    for path_alternative in path.split("|"):
        values = [value]
        for name in path_alternative.split("."):
            values = [child for parent in values for child in _list_children(parent, name)]
        if values and any(found_value is not None for found_value in values):
            return values
    return []


def _list_children(value: object, name: str) -> list[Any]:
    if name == "*":
        return (
            list(value.values())
            if isinstance(value, dict)
            else value
            if isinstance(value, list)
            else []
        )
    return [value[name]] if isinstance(value, dict) and name in value else []


def read_engine_responses(
    path: FileSource, paths: ResponsePaths | None = None
) -> RatingsFile | None:
    """Read responses of an engine from a file or folder; None if the format is not recognised.

    The input is one response, which contains the query or whose file name is the query; a folder of
    such responses; JSON lines with a query and its response; or a Quepid snapshot. If `paths` are
    given, they are used instead of those of known engines. An invalid response raises FormatError
    if `paths` are given or other responses are valid.
    """
    if not isinstance(path, Path) or not path.is_dir():
        with open_input(path) as file:
            return read_responses_in_file(file, paths)
    reader, warnings = _ResponseReader(path, paths), ReaderWarnings()
    for entry in iter_entries(path, warnings):
        if JSON_START.match(entry.head):
            reader.read_file(to_text_entry(entry, warnings), entry.name)
        elif not is_image(entry.head):  # folders may also contain pictures of documents
            warnings.add(FILE_LEFT_OUT, entry.name)
    return reader.finish(warnings)


def read_responses_in_file(
    file: InputFile, paths: ResponsePaths | None = None
) -> RatingsFile | None:
    """Read responses of an engine from one file; None if the format is not recognised."""
    if not file.path.is_file() or file.has_several_files():
        return None
    warnings = ReaderWarnings()
    reader, entry = _ResponseReader(file.path, paths), file.text(warnings)
    if JSON_START.match(entry.head):
        if (
            paths is not None
            or HAR_START.match(entry.head)
            or any(name in entry.head for name in RESPONSE_KEYS)
        ):
            reader.read_file(entry, file.path.name)
    elif _is_snapshot(entry.head):
        reader.read_snapshot(entry)
    return reader.finish(warnings) or (read_rated_response(file) if paths is None else None)


def _is_snapshot(head: bytes) -> bool:
    header_line = (
        head.removeprefix(b"\xef\xbb\xbf").split(b"\n", 1)[0].decode("utf-8", "replace").lower()
    )
    return {*SNAPSHOT_COLUMNS} <= {cell.strip(' \r"') for cell in header_line.split(",")}


class _ResponseReader:
    """Accumulator of search engine responses, which are read one after another."""

    def __init__(self, path: Path, paths: ResponsePaths | None) -> None:
        self._path = path
        self._engines = (paths,) if paths else ENGINES
        self._has_user_paths = paths is not None
        self._file, self._engine_names, self._seen_queries = (
            RatingsFile(),
            dict[str, None](),
            set[str](),
        )
        # number of queries whose hits are not in descending order of score
        self.unordered_query_count = 0

    def finish(self, warnings: ReaderWarnings) -> RatingsFile | None:
        """Return the collected responses; None if no response was recognised.

        If the user gave paths and no response has hits at these paths, FormatError is raised.
        """
        if not self._engine_names:
            if self._has_user_paths:
                raise FormatError(
                    self._path,
                    Message(
                        "no response has its hits and ids at the paths given with --paths",
                        key="no-hits",
                    ),
                )
            return None
        self._file.format_name = (
            " · ".join(self._engine_names)
            if len(self._engine_names) > 1
            else next(iter(self._engine_names))
        )
        if self.unordered_query_count:
            self._file.warnings = (
                Message(
                    "Queries whose scores are not in descending order: {count:,}. The file order "
                    "is used for these queries.",
                    key="ranked-as-listed",
                    count=self.unordered_query_count,
                ),
            )
        warnings.merge(self._file.id_warnings)
        self._file.warnings += warnings.sentences()
        return self._file

    def read_file(self, entry: ArchiveEntry, name: str) -> None:
        """Read a file with one response, a list of responses, a response per line, or a HAR file.

        `name` is the name of the file, which may be the query of a single response.
        """
        stem = unquote(PurePosixPath(name).stem)
        if _is_json_lines(entry.head):
            for record in iter_json_lines(entry):
                self._read_line(record.fields, record.line or 0, stem)
            return
        is_har = bool(HAR_START.match(entry.head))
        data = parse_json(
            entry.where,
            decode_text(read_limited(entry.stream, entry.where, MAX_LIST_BYTES), entry.where),
        )
        if is_har:
            self._read_exchanges(data)
            return
        if not self._read_response(data, stem, "") and self._engine_names:
            raise FormatError(
                self._path,
                Message(
                    "{name} is not a search engine response like the other files",
                    key="other-answer",
                    name=name[:MAX_NAME_CHARACTERS],
                ),
            )

    def _read_exchanges(self, data: Any) -> None:
        """Read the responses in a HAR file, in which a browser records requests and responses.

        Only addresses and contents are read, never cookies or headers.
        """
        query_path = self._engines[0].query if self._has_user_paths else ""
        self._engines = (*self._engines, *ENGINES) if self._has_user_paths else self._engines
        log = data.get("log") if isinstance(data, dict) else None
        entries = log.get("entries") if isinstance(log, dict) else None
        if not isinstance(entries, list):
            raise FormatError(
                self._path, Message("the HAR file has no list of entries", key="no-entries")
            )
        other_queries = dict[str, None]()
        for entry in entries:
            request, answer = _parse_exchange(entry)
            engine = None if answer is None else self._find_engine(answer)
            if engine is None:
                if answer is not None:
                    other_queries.setdefault(_describe_outline(answer))
                continue
            query = engine.find_query(answer) or find_query_in_request(request, query_path)
            if not query:
                self._file.id_warnings.add(NO_QUERY_FOUND, engine.name)
            elif normalise_query(query) in self._seen_queries:
                self._file.id_warnings.add(REPEATED_QUERY, query[:MAX_NAME_CHARACTERS])
            else:
                self._read_response(answer, "", query)
        if not self._engine_names:
            raise Undecided(
                self._path,
                Message(
                    "no response in the HAR file has a query and hits at the expected paths; give"
                    " the paths with --paths (responses: {queries})",
                    key="no-hits",
                    queries="; ".join([*other_queries][:MAX_LISTED_ANSWERS]) or "–",
                ),
                ("paths",),
            )

    def _read_line(self, data: Mapping[str, Any], line: int, stem: str) -> None:
        query = next((data[name] for name in QUERY_FIELDS if isinstance(data.get(name), str)), None)
        response = next(
            (data[name] for name in RESPONSE_FIELDS if isinstance(data.get(name), dict)), None
        )
        if response is not None and query is not None:
            self._file.id_warnings.add_unread(name for name in QUERY_ID_FIELDS if name in data)
        # a line without these keys may be a response that contains its query
        response_rows = (
            self._read_response(data, f"{stem}-{line}", "")
            if response is None or query is None
            else self._read_response(response, query, query)
        )
        if not response_rows and self._engine_names:
            raise FormatError(
                self._path,
                Message(
                    'expected "query" and "response", or a response as in the other lines',
                    key="other-answer",
                ),
                line,
            )

    def _read_response(self, data: object, run_name: str, query: str) -> bool:
        """Read a response, or an object with a list of responses.

        The result is False if the value, or an item of the list, is not a response. If `query` is
        empty, the query is the one in the response or, if there is none, `run_name`.
        """
        if isinstance(data, dict) and (
            name := next(
                (
                    list_name
                    for list_name in RESPONSE_LIST_NAMES
                    if isinstance(data.get(list_name), list)
                ),
                "",
            )
        ):
            results = list[bool]()
            for rank, response in enumerate(data[name], 1):
                if isinstance(response, dict) and response.get("error"):
                    self._file.id_warnings.add(
                        FAILED_RESPONSE, Message("response {number}", number=rank)
                    )
                else:
                    results.append(self._read_response(response, f"{run_name}-{rank}", ""))
            return bool(results) and all(results)
        engine = self._find_engine(data)
        if engine is None:
            return False
        self._engine_names.setdefault(engine.name)
        hits = [
            hit
            for hit_list in engine.find_hit_lists(data)
            for hit in hit_list
            if find_values(hit, engine.id)
        ]
        self._add_hits(self._add_query(query or engine.find_query(data) or run_name), hits, engine)
        return True

    def _find_engine(self, data: object) -> ResponsePaths | None:
        """Return the engine of a response; None if no engine matches.

        Several engines may match a response without hits. In this case, an engine that matched an
        earlier response is preferred, then an engine at whose path the response has a query.
        """
        matching_engines = [engine for engine in self._engines if engine.fits(data)]
        if len(matching_engines) < 2 or any(matching_engines[0].find_hit_lists(data)):
            return next(iter(matching_engines), None)
        return max(
            matching_engines,
            key=lambda candidate: (
                candidate.name in self._engine_names,
                bool(candidate.find_query(data)),
            ),
        )

    def _add_query(self, text: str) -> str:
        """Add a query and return its id; raise FormatError if the query occurred before."""
        query_text = JsonNode(self._path, text, Message("the query")).query_text()
        if normalise_query(query_text) in self._seen_queries:
            raise FormatError(
                self._path,
                Message(
                    "two responses to the query {text!r}; expected one",
                    key="two-answers",
                    text=query_text[:MAX_NAME_CHARACTERS],
                ),
            )
        self._seen_queries.add(normalise_query(query_text))
        return self._file.add_query(query_text)

    def _add_hits(self, topic: str, hits: Sequence[object], engine: ResponsePaths) -> None:
        self._file.ranked.setdefault(topic)
        documents, scores = list[str](), list[float | None]()
        for hit in hits:
            document = JsonNode(
                self._path,
                find_values(hit, engine.id)[0],
                f"{engine.hits}.{engine.id}",
                self._file.id_warnings,
            ).name()
            hit_node = JsonNode(
                self._path,
                next(iter(find_values(hit, engine.fields) if engine.fields else [hit]), None),
                engine.hits,
            )
            if isinstance(hit_node.value, dict) and (
                document_fields := _collect_document_fields(hit_node, engine)
            ):
                self._file.documents.setdefault(document, document_fields)
            documents.append(document)
            scores.append(_parse_score(hit, engine.score))
        is_descending = all(
            score is not None and next_score is not None and score >= next_score
            for score, next_score in pairwise(scores)
        )
        self.unordered_query_count += bool(engine.score) and not (
            is_descending and None not in scores
        )
        for document, rank_score in zip(documents, make_rank_scores(scores), strict=True):
            self._file.ranking.append((topic, document, rank_score))

    def read_snapshot(self, entry: ArchiveEntry) -> None:
        """Read a Quepid snapshot: a row per query and document, sorted by position."""
        names: list[str] = []
        rows: dict[str, list[tuple[float, str, dict[str, str]]]] = {}
        snapshots: dict[str, None] = {}
        for line, cells in iter_csv_rows(entry, ","):
            if not names:
                names = [cell.strip() for cell in cells]
                if len({name.lower() for name in names}) < len(names) or not {
                    *SNAPSHOT_COLUMNS
                } <= {name.lower() for name in names}:
                    raise FormatError(
                        self._path,
                        Message(
                            "a Quepid snapshot must contain each of these columns exactly "
                            "once: {names}",
                            names=", ".join(SNAPSHOT_COLUMNS),
                        ),
                        line,
                    )
                continue
            if len(cells) != len(names):
                raise FormatError(
                    self._path,
                    Message(
                        "expected {count} columns, got {cells}",
                        key="column-count",
                        count=len(names),
                        cells=len(cells),
                    ),
                    line,
                )
            row = dict(zip(map(str.lower, names), (cell.strip() for cell in cells), strict=True))
            snapshots.setdefault(row.get(SNAPSHOT_NAME_COLUMNS[0], ""))
            query, document, position = (row[column] for column in SNAPSHOT_COLUMNS[1:])
            query_rows = rows.setdefault(query, [])
            if document:
                fields = {
                    name: row[name.lower()]
                    for name in names
                    if row[name.lower()]
                    and name.lower() not in (*SNAPSHOT_COLUMNS, *SNAPSHOT_NAME_COLUMNS)
                }
                query_rows.append((self._parse_position(position, line), document, fields))
        if len(snapshots) > 1:
            raise FormatError(
                self._path,
                Message(
                    "contains several snapshots ({listed}); expected one per file",
                    key="several-snapshots",
                    listed=", ".join(list(snapshots)[:3]),
                ),
            )
        for query, ranked_rows in rows.items():
            self._engine_names.setdefault(
                Message("a Quepid snapshot")
                if [*snapshots] != [""]
                else Message("details of a Quepid case")
            )
            hits = [
                {"id": document, "fields": hit_node}
                for _, document, hit_node in sorted(ranked_rows, key=lambda row: row[0])
            ]
            self._add_hits(
                self._add_query(query), hits, ResponsePaths("hits", "id", fields="fields")
            )

    def _parse_position(self, cell: str, line: int) -> float:
        if not cell.isascii() or not cell.isdecimal():
            raise FormatError(
                self._path,
                Message(
                    "expected a whole number in the column Doc Position, got {cell!r:.20}",
                    key="not-a-position",
                    cell=cell,
                ),
                line,
            )
        return float(cell)


HAR_START = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"log"\s*:\s*\{')
MAX_LISTED_ANSWERS = 3  # maximum number of responses of a HAR file that a message lists
MAX_LISTED_NAMES = 6
MAX_QUERY_DEPTH = 20
# Names of query parameters in addresses and request bodies, in order of preference.
QUERY_NAMES = tuple("q query query_text search s term keyword keywords text w".split())
FAILED_RESPONSE = WarningKind(
    "Skipped 1 response that is an error of the search engine: {first}.",
    "Skipped {count} responses that are errors of the search engine. First: {first}.",
    key="failed-response",
)
NO_QUERY_FOUND = WarningKind(
    "Skipped 1 response without a query in its request: {first}.",
    "Skipped {count} responses without a query in their requests. First: {first}.",
    key="no-query-found",
)
REPEATED_QUERY = WarningKind(
    "1 response repeats a query; the first response to the query is used: {first}.",
    "{count} responses repeat a query; the first response to each query is used. First "
    "repeated query: {first}.",
    key="answered-before",
)


def _parse_exchange(entry: object) -> tuple[Mapping[str, Any], Any]:
    """Return the request and the parsed response of a HAR entry.

    The response is None if it is not JSON.
    """
    request = entry.get("request") if isinstance(entry, dict) else None
    response = entry.get("response") if isinstance(entry, dict) else None
    content = response.get("content") if isinstance(response, dict) else None
    text = content.get("text") if isinstance(content, dict) else None
    if not isinstance(request, dict) or not isinstance(content, dict) or not isinstance(text, str):
        return {}, None
    if content.get("encoding") == "base64":
        try:
            text = base64.b64decode(text, validate=True).decode("utf-8", "replace")
        except ValueError:
            return {}, None
    return request, _parse_json_or_none(text)


def _parse_json_or_none(text: object) -> Any:
    if not isinstance(text, str) or not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _describe_outline(answer: object) -> str:
    """Return the names of the members of a JSON response, for a message."""
    if isinstance(answer, list):
        return Message("a list")
    names = [*answer][:MAX_LISTED_NAMES] if isinstance(answer, dict) else []
    return replace_surrogates(", ".join(name[:MAX_NAME_CHARACTERS] for name in names))


def find_query_in_request(request: Mapping[str, Any], path: str = "") -> str:
    """Return the query in a request of a HAR file; empty if there is none.

    The address is searched first, then the body. In the body, the query is at `path` or in a member
    with a common name.

    >>> find_query_in_request({"url": "https://a.example/s?q=red+shoes&page=1"})
    'red shoes'
    >>> find_query_in_request({"postData": {"text": '{"query": {"match": {"title": "blue hat"}}}'}})
    'blue hat'
    """
    url, posted_data = request.get("url"), request.get("postData")
    body = posted_data.get("text") if isinstance(posted_data, dict) else None
    data = _parse_json_or_none(body)
    pairs = _parse_parameters(extract_url_query(url))
    if data is None and isinstance(body, str):
        pairs += _parse_parameters(body)
    for name in (*([path] if path else []), *QUERY_NAMES):
        if result := next((value for key, value in pairs if key == name and value.strip()), None):
            return result.strip()
        values = find_values(data, name) if data is not None else []
        if result := next(filter(None, map(_find_query_text, values)), ""):
            return result
    return ""


def extract_url_query(url: object) -> str:
    """Return the part of an address after `?`; empty if there is none."""
    try:
        return urlsplit(url).query if isinstance(url, str) else ""
    except ValueError:
        return ""


def _parse_parameters(text: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(text, errors="replace")
    except ValueError:  # the address has more parameters than parse_qsl accepts
        return []


# parts of a query object that restrict the results, and parts that contain what the user typed
FILTER_NAMES = frozenset(
    "filter must_not term terms range exists ids prefix wildcard regexp".split()
)
TEXT_QUERY_NAMES = (
    "match multi_match query_string simple_query_string match_phrase combined_fields must should"
).split()


def _find_query_text(value: object, depth: int = 0) -> str:
    """Return the first text inside a query object, such as `{"match": {"title": "hat"}}`.

    Filters are skipped, and parts that contain texts of users are preferred.
    """
    if isinstance(value, str):
        return value.strip()
    if depth > MAX_QUERY_DEPTH:
        return ""
    if isinstance(value, dict):
        names = ["query"] if "query" in value else [*TEXT_QUERY_NAMES, *value]
        value = [value[name] for name in names if name in value and name not in FILTER_NAMES]
    if isinstance(value, list):
        return next(filter(None, (_find_query_text(item, depth + 1) for item in value)), "")
    return ""


def _is_json_lines(head: bytes) -> bool:
    """Return whether a file is JSON lines rather than one JSON object.

    This is the case if the first line is a complete object, and either another object follows or
    the first object contains both a query and a response.
    """
    first_line, end, remainder = head.strip().partition(b"\n")
    return first_line.rstrip().endswith(b"}") and (
        (bool(end) and bool(JSON_START.match(remainder)))
        or (b'"query"' in first_line and b'"response"' in first_line)
    )


def _collect_document_fields(hit_node: JsonNode, engine: ResponsePaths) -> dict[str, str]:
    """Return a hit's document fields, without id, score and the engine's own fields.

    Names of the engine's own fields begin with an underscore.
    """
    added_fields = {engine.score, engine.id} if not engine.fields else set()
    return {
        name: text
        for name, text in read_text_fields(hit_node).items()
        if name not in added_fields and not name.startswith("_")
    }


def _parse_score(hit: object, path: str) -> float | None:
    """Return the score of a hit, which may be text in JSON lines; None if there is none."""
    value = next(iter(find_values(hit, path)), None) if path else None
    if (
        isinstance(value, bool)
        or not isinstance(value, int | float | str)
        or (isinstance(value, str) and not NUMBER_PATTERN.fullmatch(value))
    ):
        return None
    try:
        number = float(value)
    except OverflowError:  # the score is an integer with hundreds of digits
        return None
    return number if math.isfinite(number) else None


def iter_query_texts(answers: RatingsFile) -> Iterator[str]:
    """Yield, for each document of the ranking, the text of the query that retrieved it."""
    yield from (answers.queries[topic].text for topic, _, _ in answers.ranking)

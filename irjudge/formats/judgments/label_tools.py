"""Readers of exports of label tools: doccano, Prodigy, Argilla, Potato and INCEpTION.

Each tool is an entry of `LABEL_TOOLS`. All readers of labels and judgments recognise these tools.
The formats follow the documentation of the tools; a record is recognised by its fields, not by the
name of its file.
"""

import io
import json
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, cast

from irjudge.errors import FormatError
from irjudge.formats.bytes import (
    READ_ERRORS,
    DeflatedArchive,
    check_decompressed_size,
    decode_text,
    open_input,
    read_limited,
)
from irjudge.formats.judgments.ratings import RepeatedName, load_json
from irjudge.formats.reader_warnings import ReaderWarnings, WarningKind
from irjudge.formats.rows import (
    MAX_LIST_BYTES,
    Row,
    check_cell_count,
    check_repeated_fields,
    check_repeated_texts,
    to_storable,
)
from irjudge.message import Message
from irjudge.model import DOCUMENT_NAMES, TOPIC_NAMES

SKIPPED_RECORD = WarningKind(
    "Did not read 1 record that was skipped, rejected or unfinished in the annotation tool: "
    "{first}.",
    "Did not read {count} records that were skipped, rejected or unfinished in the annotation "
    "tool. First: {first}.",
    key="skipped",
)
NO_ASSESSOR = WarningKind(
    "1 label has no assessor and was attributed to {first}; choose another assessor with --as "
    "person NAME.",
    "{count} labels have no assessor and were attributed to {first}; choose another assessor "
    "with --as person NAME.",
    key="no-assessor",
)
ITEM, ASSESSOR, LABEL, TIME, NOTE = "item", "assessor", "label", "time", "note"
MAX_CELL = 1000  # maximum characters of a field that may identify a document
MAX_FILES = 100_000  # maximum number of files in an archive
HEAD_BYTES = 64
_ITEM_CODE = re.compile(r"p[0-9a-f]{16}")  # pattern of `make_item_id`
_LINE_END = re.compile(r"\r\n?|\n")
# Fields of a record that contain annotators, labels, times and other data, but identify no item.
TOOL_FIELDS = frozenset(
    "label labels cats annotations annotation_approver comments assessor worker annotator user"
    " username responses suggestions vectors answer accept options text data time grade".split()
)


class LabelRecord(NamedTuple):
    """JSON object in an export of a label tool, with the names of its file and folder.

    In the archives of some tools, these names are the names of the assessor or the document.
    """

    line: int
    fields: Mapping[str, Any]
    file: str  # file name without extension
    folder: str  # name of the folder that contains the file in an archive; empty if there is none


class ToolLabel(NamedTuple):
    """Answers of one assessor to the questions about one record of a label tool's export.

    The labels are converted to the rows of a table, which is then read as a table of judgments.
    """

    line: int
    shown: dict[str, str]  # fields that were shown to the assessor; they identify the item
    assessor: str  # empty if the record does not name the assessor
    answers: dict[str, str]  # answer to each question; an answer is empty if there is no label
    time: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class LabelTool:
    """Label tool, such as doccano, with functions that recognise its exports and read labels."""

    name: str
    # returns whether the fields of a record are in the tool's format; all records of a file must be
    fits: Callable[[Mapping[str, Any]], bool]
    # returns the labels in the records of an export at a path
    labels: Callable[[Sequence[LabelRecord], ReaderWarnings, Path], Iterable[ToolLabel]]


def read_label_tool(
    path: Path, warnings: ReaderWarnings, assessor: str = ""
) -> tuple[str, tuple[str, ...], Iterator[Row]] | None:
    """Return the tool, header and rows of an export, one row per label; None for other files.

    A label without an assessor is assigned to `assessor` or, if this is empty, to the name of the
    file.
    """
    members = _read_json_members(path)
    if not members:
        return None
    records = [record for member in members for record in _iter_records(path, *member)]
    tool = next((tool for tool in LABEL_TOOLS if records and tool.fits(records[0].fields)), None)
    if tool is None:
        return None
    if other_record := next((record for record in records if not tool.fits(record.fields)), None):
        raise FormatError(
            path,
            Message(
                "the record is not in the format of {tool}, unlike the previous records",
                key="other-record",
                tool=tool.name,
            ),
            other_record.line,
        )
    return tool.name, *_to_table(
        path, list(tool.labels(records, warnings, path)), warnings, assessor
    )


def _to_table(
    path: Path, labels: Sequence[ToolLabel], warnings: ReaderWarnings, assessor: str
) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return labels as a header and rows; the column of a single question is called `label`."""
    questions = list(dict.fromkeys(name for label in labels for name in label.answers))
    column_names = (
        {questions[0]: LABEL} if len(questions) == 1 else {name: name for name in questions}
    )
    shown_columns = [
        name
        for name in dict.fromkeys(name for label in labels for name in label.shown)
        if name not in column_names.values()
    ]
    header = (
        *shown_columns,
        ASSESSOR,
        *column_names.values(),
        *([TIME] if any(label.time for label in labels) else []),
        *([NOTE] if any(label.note for label in labels) else []),
    )
    check_repeated_fields(path, len(labels), len(header))
    check_cell_count(path, [{**label.shown, **label.answers} for label in labels], len(header))
    row_counts = Counter(id(label.shown) for label in labels)  # labels of a record share the fields
    for label in {id(label.shown): label for label in labels}.values():
        row_count = row_counts[id(label.shown)]
        check_repeated_texts(path, row_count, chain(label.shown.values(), [label.note]))
    unnamed_count = sum(not label.assessor for label in labels)
    if unnamed_count and not assessor:
        warnings.add(NO_ASSESSOR, path.stem, unnamed_count)
    rows: list[Row] = []
    for label in labels:
        cells = {name: label.shown.get(name, "") for name in shown_columns} | {
            ASSESSOR: label.assessor or assessor or path.stem,
            TIME: label.time,
            NOTE: label.note,
            **{column_names[name]: answer for name, answer in label.answers.items()},
        }
        location = f"{path.name}, line {label.line}"
        rows.append(
            (label.line, [to_storable(cells.get(name, ""), location, warnings) for name in header])
        )
    return tuple(to_storable(name, path.name, warnings) for name in header), iter(rows)


# Reading of files and archives


def _read_json_members(path: Path) -> list[tuple[str, str, bytes]]:
    """Return the name, folder and content of each JSON file at a path; empty for other files."""
    with path.open("rb") as file:
        begin = file.read(HEAD_BYTES)
    if begin.startswith(b"PK\x03\x04"):
        # doccano writes a file for each assessor. INCEpTION writes a file for each document and
        # assessor, which may be in an archive inside the archive.
        try:
            with DeflatedArchive(path) as archive:
                return list(_ZipReader(path).members(archive))
        except READ_ERRORS as error:
            raise FormatError(
                path,
                Message(
                    "the archive cannot be read ({error})",
                    key="bad-archive",
                    error=str(error) or type(error).__name__,
                ),
            ) from error
    if path.stat().st_size > MAX_LIST_BYTES:
        raise _make_size_error(path)
    with open_input(path) as plain_file:
        begin = plain_file.plain(last=False).read(HEAD_BYTES)
        if begin.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] not in (b"{", b"["):
            return []
        content = io.BufferedReader(cast(Any, plain_file.plain()))
        return [(path.stem, "", read_limited(content, path, MAX_LIST_BYTES))]


@dataclass(slots=True)
class _ZipReader:
    """Reader of an archive and archives inside it, which limits the number and size of files."""

    path: Path
    files: int = 0
    size: int = 0  # total bytes read so far, after decompression

    def members(
        self, archive: zipfile.ZipFile, archive_name: PurePosixPath | None = None
    ) -> Iterator[tuple[str, str, bytes]]:
        """Yield the name, folder and content of each JSON file.

        `archive_name` is the name of `archive` inside another archive; None for the outer archive.
        """
        infos = [
            info
            for info in archive.infolist()
            if not info.is_dir() and "__MACOSX" not in PurePosixPath(info.filename).parts
        ]
        self._check_limits(infos)
        annotation_infos = [
            info for info in infos if "annotation" in PurePosixPath(info.filename).parts[:-1]
        ]
        for info in annotation_infos or infos:
            name = PurePosixPath(info.filename)
            member = archive_name or name
            if name.suffix.lower() in (".json", ".jsonl"):
                with archive.open(info) as file:
                    yield member.stem, member.parent.name, file.read(info.file_size)
            elif name.suffix.lower() == ".zip" and archive_name is None:
                with archive.open(info) as file:
                    nested_bytes = io.BytesIO(file.read(info.file_size))
                with DeflatedArchive(nested_bytes) as nested_archive:
                    yield from self.members(nested_archive, name)

    def _check_limits(self, infos: Sequence[zipfile.ZipInfo]) -> None:
        self.files += len(infos)
        self.size += sum(info.file_size for info in infos)
        if self.files > MAX_FILES or self.size > MAX_LIST_BYTES:
            raise _make_size_error(self.path)
        check_decompressed_size(self.path, self.size)


def _make_size_error(path: Path) -> FormatError:
    return FormatError(
        path,
        Message(
            "more than {limit:,} bytes, too large to be read as JSON",
            key="too-large",
            limit=MAX_LIST_BYTES,
        ),
    )


def _iter_records(path: Path, name: str, folder: str, data: bytes) -> Iterator[LabelRecord]:
    """Yield the objects in a JSON file, which is one object, a list of objects, or JSON lines."""
    text = decode_text(data, path).removeprefix("\ufeff")
    lines = [
        (line, line_text)
        for line, line_text in enumerate(_LINE_END.split(text), 1)
        if line_text.strip()
    ]
    if not lines:
        return
    is_single_document = text.lstrip().startswith("[") or not _is_object(lines[0][1])
    for line, entry in [(1, text)] if is_single_document else lines:
        value = _parse_json(path, entry, line)
        for number, record in enumerate(value, 1) if isinstance(value, list) else [(line, value)]:
            if not isinstance(record, dict):
                raise FormatError(
                    path,
                    Message("expected an object in each record", key="not-a-record"),
                    number,
                )
            yield LabelRecord(number, record, name, folder)


def _parse_json(path: Path, text: str, line: int) -> Any:
    try:
        return load_json(text)
    except RepeatedName as error:
        raise error.to_format_error(path, line) from None
    except json.JSONDecodeError as error:
        raise FormatError(
            path,
            Message("not JSON ({reason})", key="not-json", reason=error.msg),
            line + error.lineno - 1,
        ) from None
    except (RecursionError, ValueError):
        raise FormatError(
            path,
            Message(
                "the JSON is nested too deeply or contains a number that is too long",
                key="too-deep",
            ),
            line,
        ) from None


def _is_object(line: str) -> bool:
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _to_text(value: object) -> str:
    """Return a number, text or truth value as text; return an empty text for other values."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip() if isinstance(value, str | int | float) else ""


def _collect_shown_fields(*groups: object) -> dict[str, str]:
    """Return the fields of several objects that can identify an item.

    Fields of the tool and long texts are omitted. If several objects have the same field, that of
    the first object is used.
    """
    shown_fields: dict[str, str] = {}
    for group in groups:
        for name, value in group.items() if isinstance(group, Mapping) else ():
            text = _to_text(value)
            if text and len(text) <= MAX_CELL and name.lower() not in TOOL_FIELDS:
                shown_fields.setdefault(name, text)
    return shown_fields


def _add_unit_id(shown_fields: dict[str, str], unit_id: object) -> dict[str, str]:
    """Return the shown fields, with the tool's record number as item if they identify no item.

    The number is also added if it is an item code of irjudge: fields such as `query` and `document`
    may then contain texts instead of ids.
    """
    names = {name.lower() for name in shown_fields}
    is_known = ITEM in names or (
        not names.isdisjoint(TOPIC_NAMES) and not names.isdisjoint(DOCUMENT_NAMES)
    )
    other_fields = {name: text for name, text in shown_fields.items() if name.lower() != "id"}
    has_item_code = ITEM not in names and _ITEM_CODE.fullmatch(_to_text(unit_id))
    return (
        {ITEM: _to_text(unit_id), **other_fields} if has_item_code or not is_known else other_fields
    )


def _join_texts(values: Iterable[object]) -> str:
    return ", ".join(filter(None, map(_to_text, values)))


def join_answers(answers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the answer to each question; different answers to it are joined by commas.

    >>> join_answers([("grade", "1"), ("grade", "2"), ("grade", "1"), ("topical", "yes")])
    {'grade': '1, 2', 'topical': 'yes'}
    """
    answers_by_question: dict[str, list[str]] = {}
    for question, answer in answers:
        answers_by_question.setdefault(question, []).append(answer)
    return {
        question: ", ".join(dict.fromkeys(texts)) for question, texts in answers_by_question.items()
    }


# doccano: {"id", "text" or "data", "label": [...], "Comments": [...]} and fields of the document

# files in an archive that are not named after an assessor
NO_ASSESSOR_FILES = frozenset({"all", "unknown"})


def _is_doccano(fields: Mapping[str, Any]) -> bool:
    has_text = isinstance(fields.get("text"), str) or isinstance(fields.get("data"), str)
    has_label = any(
        isinstance(fields.get(name), list) for name in ("label", "labels", "annotations", "cats")
    )
    return has_text and has_label and "id" in fields and "_task_hash" not in fields


def _read_doccano(
    records: Sequence[LabelRecord], _warnings: ReaderWarnings, path: Path
) -> Iterator[ToolLabel]:
    is_archive = any(record.file != path.stem for record in records)
    for record in records:
        fields = record.fields
        shown_fields = _add_unit_id(_collect_shown_fields(fields.get("meta"), fields), fields["id"])
        note = _join_texts(_list_items(fields.get("Comments", fields.get("comments"))))
        labels = next(
            (fields[name] for name in ("label", "labels", "cats") if name in fields), None
        )
        if labels is not None or "annotations" not in fields:
            answers = {LABEL: _join_document_labels(path, record.line, _list_items(labels))}
            yield ToolLabel(
                record.line,
                shown_fields,
                record.file if is_archive and record.file not in NO_ASSESSOR_FILES else "",
                answers,
                note=note,
            )
            continue
        labels_by_user: dict[str, list[object]] = {}
        for annotation in _list_items(fields["annotations"]):
            if isinstance(annotation, Mapping):
                labels_by_user.setdefault(_to_text(annotation.get("user")), []).append(
                    annotation.get("label")
                )
        for user, user_labels in labels_by_user.items():
            answers = {LABEL: _join_document_labels(path, record.line, user_labels)}
            yield ToolLabel(record.line, shown_fields, user, answers, note=note)


def _list_items(value: object) -> list[object]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _join_document_labels(path: Path, line: int, labels: Sequence[object]) -> str:
    """Return the labels of a document, separated by commas.

    Raises FormatError if a label refers to a span of text.
    """
    if any(isinstance(label, list | dict) for label in labels):
        raise FormatError(
            path,
            Message(
                "a label refers to a span of text; expected labels of whole documents",
                key="span-label",
            ),
            line,
        )
    return _join_texts(labels)


# Prodigy: {"_input_hash", "_session_id", "accept": [...], "answer": "accept"}


def _read_prodigy(
    records: Sequence[LabelRecord], warnings: ReaderWarnings, path: Path
) -> Iterator[ToolLabel]:
    labels = {
        _to_text(record.fields.get(LABEL)) for record in records if "accept" not in record.fields
    }
    if len(labels - {""}) > 1:
        raise FormatError(
            path,
            Message(
                "the records have several label fields ({labels}); expected one per file",
                key="several-labels",
                labels=", ".join(sorted(labels - {""})[:8]),
            ),
        )
    for record in records:
        fields, answer = record.fields, _to_text(record.fields.get("answer")) or "accept"
        is_choice = isinstance(fields.get("accept"), list)
        if answer == "ignore" or (is_choice and answer != "accept"):
            warnings.add(SKIPPED_RECORD, Message("line {line}", line=record.line))
            continue
        shown_fields = {
            name: text
            for name, text in _collect_shown_fields(fields.get("meta"), fields).items()
            if not name.startswith("_")
        }
        yield ToolLabel(
            record.line,
            _add_unit_id(shown_fields, fields.get("_input_hash", fields.get("_task_hash"))),
            _read_session_name(fields),
            {LABEL: _join_texts(fields["accept"]) if is_choice else answer},
        )


def _read_session_name(fields: Mapping[str, Any]) -> str:
    """Return the name of the assessor in a session id, which has the form `DATASET-NAME`.

    If the name of the dataset contains hyphens, only its first part is removed: the name of an
    assessor must not depend on the other records of the file.

    >>> _read_session_name({"_session_id": "rel-anna"}), _read_session_name({"_session_id": "anna"})
    ('anna', 'anna')
    """
    session = _to_text(fields.get("_session_id")) or _to_text(fields.get("_annotator_id"))
    dataset, _, name = session.partition("-")
    return name or dataset


# Argilla: {"fields", "metadata", "responses": {question: [{"value", "user_id"}]}}, or flattened


def _read_argilla(
    records: Sequence[LabelRecord], warnings: ReaderWarnings, _path: Path
) -> Iterator[ToolLabel]:
    for record in records:
        fields = record.fields
        flat_fields = {name: value for name, value in fields.items() if "." not in name}
        shown_fields = _add_unit_id(
            _collect_shown_fields(fields.get("metadata"), fields.get("fields"), flat_fields),
            fields.get("id", record.line),
        )
        # several answers of a user to the same question are labels of their own
        answers_by_user: dict[str, list[dict[str, str]]] = {}
        for user, question, value, status in _iter_responses(fields):
            if status in ("", "submitted"):
                user_answers = answers_by_user.setdefault(user, [{}])
                if question in user_answers[-1]:
                    user_answers.append({})
                user_answers[-1][question] = value
            else:
                warnings.add(SKIPPED_RECORD, Message("record {line}", line=record.line))
        for user, user_answers in answers_by_user.items():
            for answers in user_answers:
                yield ToolLabel(record.line, shown_fields, user, answers)


def _iter_responses(fields: Mapping[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Yield the user, question, value and status of each response."""
    responses = fields.get("responses")
    if isinstance(responses, Mapping):
        for question, question_responses in responses.items():
            for answer in _list_items(question_responses):
                if isinstance(answer, Mapping):
                    yield (
                        _read_response_user(answer),
                        question,
                        _format_value(answer),
                        _to_text(answer.get("status")),
                    )
    for response in responses if isinstance(responses, list) else ():
        values = response.get("values") if isinstance(response, Mapping) else None
        for question, value in values.items() if isinstance(values, Mapping) else ():
            yield (
                _read_response_user(response),
                question,
                _format_value(value),
                _to_text(response.get("status")),
            )
    for name in [name for name in fields if name.endswith(".responses")]:
        users = _list_items(fields.get(f"{name}.users"))
        statuses = _list_items(fields.get(f"{name}.status"))
        for index, value in enumerate(_list_items(fields[name])):
            user, response_status = (
                _to_text(values[index]) if index < len(values) else ""
                for values in (users, statuses)
            )
            yield user, name.removesuffix(".responses"), _format_value(value), response_status


def _read_response_user(response: Mapping[str, Any]) -> str:
    return _to_text(response.get("user_id")) or _to_text(response.get("user"))


def _format_value(value: object) -> str:
    inner_value = value.get("value") if isinstance(value, Mapping) else value
    return _join_texts(inner_value) if isinstance(inner_value, list) else _to_text(inner_value)


# Potato: {"id", "label_annotations": {schema: {label: value}}}; one folder per assessor

SCHEMA_SEPARATOR = ":::"
UNCHOSEN_VALUES = frozenset({"", "false", "none", "null", "no"})


def _read_potato(
    records: Sequence[LabelRecord], _warnings: ReaderWarnings, _path: Path
) -> Iterator[ToolLabel]:
    for record in records:
        fields = record.fields
        user = _to_text(fields.get("user")) or _to_text(fields.get("user_id")) or record.folder
        schemas = fields["label_annotations"]
        answers = {
            schema: _join_texts(
                _parse_scale_point(label)
                for label, value in (
                    schema_answers if isinstance(schema_answers, Mapping) else {}
                ).items()
                if _to_text(value).lower() not in UNCHOSEN_VALUES
            )
            for schema, schema_answers in (schemas if isinstance(schemas, Mapping) else {}).items()
        }
        shown_fields = {
            name: text
            for name, text in _collect_shown_fields(fields).items()
            if name not in ("instance_id", "displayed_text", "user_id")
        }
        yield ToolLabel(
            record.line,
            _add_unit_id(shown_fields, fields.get("id", fields.get("instance_id"))),
            user,
            answers,
        )


def _parse_scale_point(label: str) -> str:
    """Return the number of a point on Potato's Likert scales; return other labels unchanged.

    >>> _parse_scale_point("scale_3"), _parse_scale_point("relevant")
    ('3', 'relevant')
    """
    number = label.removeprefix("scale_")
    return number if number.isdecimal() else label


def is_potato_header(header: Sequence[str]) -> bool:
    """Return whether a table has the columns of Potato, such as `relevance:::2`."""
    names = {name.lower() for name in header}
    return {"user", "instance_id"} <= names and any(SCHEMA_SEPARATOR in name for name in header)


def read_potato_table(
    header: Sequence[str], rows: Sequence[Row]
) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the header and rows of a Potato table, with one column for each question."""
    schemas: dict[str, list[tuple[int, str]]] = {}
    for index, name in enumerate(header):
        schema, separator, label = name.partition(SCHEMA_SEPARATOR)
        if separator:
            schemas.setdefault(schema, []).append((index, _parse_scale_point(label)))
    part_of_column = {"instance_id": ITEM, "user": ASSESSOR}
    indices = [
        index
        for index, name in enumerate(header)
        if SCHEMA_SEPARATOR not in name and name.lower() != "displayed_text"
    ]
    column_names = [LABEL] if len(schemas) == 1 else [*schemas]
    # the questions are first, so that short rows below a wide header need not be filled up
    names = (
        *column_names,
        *(part_of_column.get(header[index].lower(), header[index]) for index in indices),
    )
    return names, (
        (
            line,
            [
                *(
                    _join_texts(
                        label
                        for index, label in pairs
                        if index < len(cells)
                        and cells[index].strip().lower() not in UNCHOSEN_VALUES
                    )
                    for pairs in schemas.values()
                ),
                *(cells[index] for index in indices if index < len(cells)),
            ],
        )
        for line, cells in rows
    )


# INCEpTION: UIMA CAS JSON 0.4; one file per document and assessor; labels of whole documents

STRUCTURES_KEY, TYPE_KEY, METADATA_TYPE = "%FEATURE_STRUCTURES", "%TYPE", "DocumentMetaData"
NON_ASSESSOR_FILES = frozenset({"INITIAL_CAS", "CURATION_USER"})
DOCUMENT_SUFFIXES = (".txt", ".html", ".htm", ".xml", ".pdf", ".json")


def _read_inception(
    records: Sequence[LabelRecord], _warnings: ReaderWarnings, _path: Path
) -> Iterator[ToolLabel]:
    for record in records:
        if record.file in NON_ASSESSOR_FILES:
            continue
        content = record.fields[STRUCTURES_KEY]
        structures = [
            structure
            for structure in (content.values() if isinstance(content, dict) else content)
            if isinstance(structure, Mapping)
        ]
        named_structure = next(
            (
                structure
                for structure in structures
                if _to_text(structure.get(TYPE_KEY)).endswith(METADATA_TYPE)
            ),
            {},
        )
        document = (
            record.folder
            or _to_text(named_structure.get("documentId"))
            or _to_text(named_structure.get("documentTitle"))
        )
        answers = join_answers(
            (name, _to_text(value))
            for structure in structures
            if _is_document_label(structure)
            for name, value in structure.items()
            if not name.startswith(("%", "@", "^")) and _to_text(value)
        )
        item = next(
            (document.removesuffix(end) for end in DOCUMENT_SUFFIXES if document.endswith(end)),
            document,
        )
        yield ToolLabel(
            record.line, {ITEM: item}, record.file if record.folder else "", answers or {LABEL: ""}
        )


def _is_document_label(structure: Mapping[str, Any]) -> bool:
    """Return whether a feature structure is a label of the document in a user-defined layer."""
    kind = _to_text(structure.get(TYPE_KEY))
    return (
        "begin" not in structure
        and not kind.startswith("uima.")
        and not kind.endswith(METADATA_TYPE)
        and ".ukp.dkpro." not in kind
        and ".ukp.clarin." not in kind
    )


def is_label_tool_export(path: Path) -> bool:
    """Return whether a file is an export of a label tool and can be read."""
    try:
        return path.is_file() and read_label_tool(path, ReaderWarnings()) is not None
    except FormatError:
        return False


# Tools in the order in which they are tried. A new tool is added to this list.
LABEL_TOOLS: tuple[LabelTool, ...] = (
    LabelTool(
        "INCEpTION",
        lambda fields: isinstance(fields.get(STRUCTURES_KEY), list | dict),
        _read_inception,
    ),
    LabelTool(
        "Prodigy",
        lambda fields: not {"_input_hash", "_task_hash"}.isdisjoint(fields),
        _read_prodigy,
    ),
    LabelTool("Potato", lambda fields: "label_annotations" in fields, _read_potato),
    LabelTool(
        "Argilla",
        lambda fields: any(f".{name}".endswith(".responses") for name in fields),
        _read_argilla,
    ),
    LabelTool("doccano", _is_doccano, _read_doccano),
)

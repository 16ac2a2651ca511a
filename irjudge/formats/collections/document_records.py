"""Documents as records with named fields, from JSON, tables and SMART files."""

import base64
import binascii
import csv
import html
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes import ArchiveEntry, collapse_whitespace
from irjudge.formats.collections.plain_text_records import (
    ID_MARK,
    TEXT_MARK,
    TITLE_MARK,
    iter_smart_records,
)
from irjudge.formats.collections.whole_files import flatten_fields, is_image
from irjudge.formats.file_formats import FileHead
from irjudge.formats.judgments import JsonNode, read_text_fields
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    SAMPLED_ROWS,
    CandidateColumn,
    ColumnKind,
    ColumnMapping,
    Names,
    Record,
    check_ids,
    describe_columns,
    find_min_column_count,
    format_choices,
    iter_csv_rows,
    iter_json_lines,
    iter_tsv_rows,
    iter_workbook_rows,
    list_candidate_columns,
    list_head_lines,
    list_record_columns,
    read_first_cell,
    read_header_columns,
    to_storable,
)
from irjudge.message import Message
from irjudge.model import DOCUMENT_KINDS, Document, DocumentKind, Fields

ID_FIELDS: Names = ("id", "_id", "docno", "pid", "docid", "doc_id")
TEXT_FIELDS: Names = tuple(
    "text contents content body passage segment abstract default_text".split()
)
TITLE_FIELDS: Names = ("title", "headline")
KIND_FIELD, BASE64_FIELD = "kind", "base64"
KNOWN_FIELDS: Names = (*ID_FIELDS, *TEXT_FIELDS, *TITLE_FIELDS, "url")
PRODUCT_TITLE_FIELDS: Names = ("name", "product_title", "product_name")
PRODUCT_TEXT_FIELDS: Names = ("description", "product_description")
# keys in files that `write_documents` writes: the picture of a document, and the name of the field
# that refers to the picture
PICTURE_FIELD = "irjudge_picture"
PICTURE_SOURCE_KEY = "field"
# names (in any case) of fields and columns that are recognised
READ_FIELDS: Names = (
    *KNOWN_FIELDS,
    KIND_FIELD,
    BASE64_FIELD,
    *PRODUCT_TITLE_FIELDS,
    *PRODUCT_TEXT_FIELDS,
)
# actions in a bulk request; after each action except delete, the next line is a document
BULK_ACTIONS = ("index", "create", "update", "delete")
SHEET_PARTS = (
    ColumnKind("id", ID_FIELDS),
    ColumnKind("text", (*TEXT_FIELDS, *PRODUCT_TEXT_FIELDS)),
    ColumnKind("title", (*TITLE_FIELDS, *PRODUCT_TITLE_FIELDS)),
)
# names of document parts in files that `write_documents` writes; fields must have other names
RESERVED_FIELDS = ("id", "text", "title")
DOCUMENT_PARTS: Names = ("id", "text", "title")
"""Parts of a document that `--columns` can name."""

BULK_ACTION_LINE: re.Pattern[bytes] = re.compile(
    rb'\{\s*+"(?:index|create|update|delete)"\s*+:\s*+\{[^{}]*+\}\s*+\}[ \t\r]*+(?:\n|$)'
)
SEPARATORS = ",;\t"

# For tables without a header: which part of a document each column contains, by the number of
# columns. Four columns are MS MARCO's format.
PARTS_BY_COLUMN_COUNT: dict[int, Names] = {
    2: ("id", "text"),
    3: ("id", "title", "text"),
    4: ("id", "url", "title", "text"),
}


def document_from_record(
    record: Record, columns: ColumnMapping, warnings: ReaderWarnings
) -> Document:
    """Convert a record to a document; members other than id, text and title become fields."""
    ids = columns.names("id", ID_FIELDS)
    texts = columns.names("text", TEXT_FIELDS)
    titles = columns.names("title", TITLE_FIELDS)
    _require_part(record, "id", ids)
    kind, id = _read_kind(record), record.id(ids, warnings)
    # beside a text, a field called base64 is a field of the document
    has_encoded_body = kind == "image" or record.name(texts) is None
    body = _decode_image(record) if has_encoded_body else None
    if (
        body is None
        and record.name(texts) is None
        and record.name(PRODUCT_TITLE_FIELDS)
        and "text" not in dict(columns.named)
    ):
        other_fields = {
            name: value
            for name, value in record.fields.items()
            if name not in (record.name(ids), PICTURE_FIELD) and not _is_document_kind(name, value)
        }
        return _attach_picture(
            record,
            document_from_fields(
                id, dict(flatten_fields(other_fields, _describe_location(record), warnings))
            ),
        )
    if body is None:
        _require_part(record, "text", texts)
        body = (record.text(texts, warnings) or "").encode()
    used_fields = (
        record.name(ids),
        record.name(texts),
        record.name(titles),
        BASE64_FIELD if has_encoded_body else None,
    )
    # columns that are mapped by number have no names, so they cannot become fields
    fields = () if columns.numbers() else _collect_fields(record, used_fields, warnings)
    return _attach_picture(
        record,
        Document(
            id, body, collapse_whitespace(record.text(titles, warnings) or ""), kind, fields=fields
        ),
    )


def _describe_location(record: Record) -> str:
    return f"{record.where.name}, line {record.line}"


def _collect_fields(
    record: Record, used_fields: Iterable[str | None], warnings: ReaderWarnings
) -> Fields:
    other_fields = {
        name: value
        for name, value in record.fields.items()
        if name not in {*used_fields, PICTURE_FIELD} and not _is_document_kind(name, value)
    }
    warnings.add_unread(
        name
        for name, value in other_fields.items()
        if name in RESERVED_FIELDS and value is not None
    )
    return flatten_fields(
        {name: value for name, value in other_fields.items() if name not in RESERVED_FIELDS},
        _describe_location(record),
        warnings,
    )


def document_from_fields(id: str, fields: Mapping[str, str]) -> Document:
    """Return a document made from fields; a product's name and description are title and text.

    >>> document = document_from_fields("p1", {"name": "Red shoe", "description": "For rain.", "price": "12"})
    >>> document.title, document.text, document.fields
    ('Red shoe', 'For rain.', (('price', '12'),))
    """
    title = next((name for name in (*TITLE_FIELDS, *PRODUCT_TITLE_FIELDS) if fields.get(name)), "")
    text = next((name for name in (*TEXT_FIELDS, *PRODUCT_TEXT_FIELDS) if fields.get(name)), "")
    return Document(
        id,
        fields.get(text, "").encode(),
        collapse_whitespace(fields.get(title, "")),
        fields=tuple(
            (name, value)
            for name, value in fields.items()
            if name not in (title, text, *RESERVED_FIELDS) and value != id
        ),
    )


def _attach_picture(record: Record, document: Document) -> Document:
    """Return a document with the picture that `write_documents` stored in its record."""
    picture_data = record.fields.get(PICTURE_FIELD)
    if not isinstance(picture_data, Mapping) or not isinstance(
        name := picture_data.get(PICTURE_SOURCE_KEY), str
    ):
        return document
    data = _decode_image(Record(record.where, record.line, picture_data)) or b""
    return replace(document, pictured=name, picture=data) if is_image(data) else document


def iter_bulk_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the documents in a bulk file of Elasticsearch or OpenSearch.

    The id of a document is in the action on the preceding line.
    """
    action: Record | None = None
    for record in iter_json_lines(entry):
        if action is None:
            (name, action_metadata), *_ = record.fields.items() or [("", None)]
            if name not in BULK_ACTIONS or not isinstance(action_metadata, Mapping):
                raise FormatError(
                    record.where,
                    Message(
                        "expected one of the actions {names}",
                        key="no-action",
                        names=", ".join(BULK_ACTIONS),
                    ),
                    record.line,
                )
            if name != "delete":
                action = Record(record.where, record.line, {**action_metadata})
        else:
            yield _read_source(action, record, warnings)
            action = None
    if action is not None:
        raise FormatError(
            action.where,
            Message("the action has no source on the next line", key="no-source"),
            action.line,
        )


def _read_source(action: Record, source: Record, warnings: ReaderWarnings) -> Document:
    if action.name(("_id",)) is None:
        raise FormatError(
            action.where,
            Message(
                'the action has no "_id", so its document could not be identified',
                key="no-action-id",
            ),
            action.line,
        )
    values = source.fields.get("doc")  # in an update action, the document is in `doc`
    source_node = JsonNode(
        source.where, values if isinstance(values, Mapping) else dict(source.fields), "", warnings
    )
    return document_from_fields(action.id(("_id",), warnings), read_text_fields(source_node))


def _require_part(record: Record, part: str, names: Names) -> None:
    if record.name(names) is None:
        raise Undecided(
            record.where,
            Message(
                "the record has no {part}; expected one of the fields {names}; {fields}",
                key="no-part",
                part=part,
                names=", ".join(names),
                fields=describe_columns(
                    list_record_columns(record.fields), DOCUMENT_PARTS[:2], Message("fields")
                ),
            ),
            ("columns",),
            record.line,
        )


def _is_document_kind(name: str, value: object) -> bool:
    """Return whether a field is the kind of a document, as in files that irjudge writes."""
    return name == KIND_FIELD and value in DOCUMENT_KINDS


def _read_kind(record: Record) -> DocumentKind:
    return next(
        (
            kind
            for kind in DOCUMENT_KINDS
            if kind == record.fields.get(KIND_FIELD)
            and (kind != "image" or BASE64_FIELD in record.fields)
        ),
        "text",
    )


def _decode_image(record: Record) -> bytes | None:
    """Return the decoded bytes of an image; None if the record is a text document."""
    encoded_text = record.fields.get(BASE64_FIELD)
    if not isinstance(encoded_text, str):
        return None
    try:
        return base64.b64decode(encoded_text, validate=True)
    except (binascii.Error, ValueError):
        raise FormatError(
            record.where,
            Message(
                'the field "{field}" does not contain valid base64',
                key="not-base64",
                field=BASE64_FIELD,
            ),
            record.line,
        ) from None


def iter_json_documents(
    iter_records: Callable[[ArchiveEntry], Iterator[Record]],
    entry: ArchiveEntry,
    warnings: ReaderWarnings,
) -> Iterator[Document]:
    """Yield the documents of a JSON file, whose objects are read by `iter_records`."""
    return (document_from_record(record, entry.columns, warnings) for record in iter_records(entry))


def iter_smart_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield SMART documents; unless mapped, `.I` is the id, `.T` the title and `.W` the text."""
    ids, texts, titles = (
        entry.columns.names(part, (mark,))
        for part, mark in (("id", ID_MARK), ("text", TEXT_MARK), ("title", TITLE_MARK))
    )
    for record in iter_smart_records(entry.stream, entry.where, warnings):
        warnings.add_unread(
            f".{name}" for name in record.fields if name not in (*ids, *texts, *titles)
        )
        text, title = record.text(texts, warnings) or "", record.text(titles, warnings) or ""
        yield Document(record.id(ids, warnings), text.encode(), collapse_whitespace(title))


# Documents in tables


# Cells as in CSV, but separated by tabs: in quotation marks, or without any; the last may be cut.
_QUOTED_TABLE = re.compile(
    rb'(?:(?:"(?:[^"]|"")*+"|[^"\t\r\n]*+)(?:\t|\r?\n))*+(?:"(?:[^"]|"")*+"?|[^"]*+)'
)
# Cell in quotation marks that are no part of the text, since it contains a doubled quotation mark or
# a line end
_QUOTED_CELL = re.compile(rb'[\t\n]"[^"\t\n]*+(?:""|\n)(?:[^"\t]|"")*+"(?=[\t\r\n]|$)')
_WHOLE_CELL = re.compile(r'"(?:[^"]++|"")*+"')


def _has_quoted_cells(head: bytes) -> bool:
    """Return whether tab-separated cells are in quotation marks as in CSV, as pandas writes them.

    Other quotation marks around a text, and quotation marks inside it, are part of the text.
    """
    content = head.removeprefix(b"\xef\xbb\xbf")
    return (content.startswith(b'"') or _QUOTED_CELL.search(content) is not None) and (
        _QUOTED_TABLE.fullmatch(content) is not None
    )


def iter_tab_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the document on each line of tab-separated columns."""
    if _has_column_names(entry.head, "\t") and _has_quoted_cells(entry.head):
        return iter_comma_documents(entry, warnings)
    lines = list_head_lines(entry.head)
    first_cells = lines[0].split("\t") if lines else []
    has_header = _has_column_names(entry.head, "\t") or (
        entry.columns and not entry.columns.numbers()
    )
    if has_header and not entry.columns and len(first_cells) == 2:
        second_name = first_cells[1].strip().lower()
        # a column of unknown name beside the id is the text
        first_cells[1] = second_name if second_name in READ_FIELDS else TEXT_FIELDS[0]
    names = (
        _read_column_names(first_cells, entry, entry.head, "\t")
        if has_header or entry.columns
        else _detect_layout(entry)
    )
    return (
        document_from_record(_unquote_cells(record), entry.columns, warnings)
        for record in iter_tsv_rows(entry, names, header=bool(has_header))
    )


def _unquote_cells(record: Record) -> Record:
    """Remove the quotation marks that a program added to cells with quotation marks in their text.

    Cells in quotation marks without doubled quotation marks inside are left unchanged.
    """
    fields = {
        name: value[1:-1].replace('""', '"')
        for name, value in record.fields.items()
        if isinstance(value, str) and '""' in value[1:-1] and _WHOLE_CELL.fullmatch(value)
    }
    return replace(record, fields={**record.fields, **fields}) if fields else record


def _has_column_names(head: bytes, separator: str) -> bool:
    """Return whether the first line is a header.

    The first cell of a header is the name of an id, or several cells are names of known fields.
    """
    return (
        read_header_columns(head, KNOWN_FIELDS, ID_FIELDS, separator) is not None
        or read_first_cell(head, separator).lower() in ID_FIELDS
    )


def iter_comma_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the document in each row of a CSV file.

    The first row is the header. If columns are mapped by number, there is only a header if the
    first row contains known column names.
    """
    head = entry.head  # the beginning is not available after a row has been read
    separator = find_separator(head)
    names: Names = ()
    for line, cells in iter_csv_rows(entry, separator):
        if not names:
            names = _read_column_names(cells, entry, head, separator)
            if not entry.columns.numbers() or _has_column_names(head, separator):
                continue
        if len(cells) != len(names):
            raise _make_column_count_error(entry, line, cells, names)
        fields = dict(zip(names, cells, strict=True))
        _check_id(entry, line, fields)
        yield document_from_record(Record(entry.where, line, fields), entry.columns, warnings)


def _check_id(entry: ArchiveEntry, line: int, fields: Mapping[str, str]) -> None:
    """Raise FormatError if the id of a document was changed, as `check_ids` does."""
    names = entry.columns.names("id", ID_FIELDS)
    id = next((fields[name] for name in names if name in fields), "")
    check_ids(entry.where, line, {"id": id})


def _make_column_count_error(
    entry: ArchiveEntry, line: int, cells: Sequence[str], names: Names
) -> FormatError:
    return FormatError(
        entry.where,
        Message(
            "number of columns: {cells}; expected {count}: {names}",
            key="column-count",
            cells=len(cells),
            count=len(names),
            names=", ".join(names),
        ),
        line,
    )


def iter_sheet_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the document in each row of a spreadsheet.

    The sheet is the one that the user named or, if none is named, the one whose header has most of
    the columns id, text and title.
    """
    rows = iter_workbook_rows(entry.where, warnings, SHEET_PARTS, entry.columns)
    sample = list(islice(rows, SAMPLED_ROWS))
    if not sample:
        raise FormatError(
            entry.where,
            Message("the sheet is empty; expected a header and rows below it", key="no-rows"),
        )
    head = io.StringIO()
    csv.writer(head).writerows([" ".join(cell.split()) for cell in cells] for _, cells in sample)
    names = _read_column_names(sample[0][1], entry, head.getvalue().encode(), ",")
    has_header = not entry.columns.numbers() or bool(
        {*KNOWN_FIELDS}.intersection(cell.strip().lower() for cell in sample[0][1])
    )
    for line, cells in chain(sample[has_header:], rows):
        if len(cells) > len(names):
            raise _make_column_count_error(entry, line, cells, names)
        padded_cells = [*cells, *[""] * (len(names) - len(cells))]
        fields = {name: cell for name, cell in zip(names, padded_cells, strict=True) if name}
        _check_id(entry, line, fields)
        yield document_from_record(Record(entry.where, line, fields), entry.columns, warnings)


def find_separator(head: bytes) -> str:
    """Return the separator that occurs most often in the first line: comma, semicolon or tab."""
    lines = list_head_lines(head)
    return max(SEPARATORS, key=lines[0].count) if lines else SEPARATORS[0]


def _list_candidates(head: bytes, separator: str) -> list[CandidateColumn]:
    """Return the columns of a table, each with its values in the first rows."""
    lines = list_head_lines(head)[: SAMPLED_ROWS + 1]
    try:
        header, *rows = [*csv.reader(lines, delimiter=separator)] or [[]]
    # The result is used only in a message; the reader reports an invalid CSV file.
    except csv.Error:
        header, *rows = [line.split(separator) for line in lines] or [[]]
    has_column_names = not {*READ_FIELDS}.isdisjoint(cell.strip().lower() for cell in header)
    return list_candidate_columns(
        [cell.strip() for cell in header], rows, has_header=True if has_column_names else None
    )


def _read_column_names(
    first_cells: list[str], entry: ArchiveEntry, head: bytes, separator: str
) -> Names:
    """Return the column names in the first row, or numbers if columns are mapped by number."""
    mapped_columns = {column for _, column in entry.columns.named}
    cells = [cell.strip() for cell in first_cells]
    if entry.columns.numbers() is not None:
        names = tuple(str(index) for index in range(1, len(cells) + 1))
    else:
        names = tuple(
            cell.lower() if cell not in mapped_columns and cell.lower() in READ_FIELDS else cell
            for cell in cells
        )
        _check_repeated_names(entry, names)
    for part, known_names, default_names in (
        ("id", ID_FIELDS, ()),
        ("text", TEXT_FIELDS, PRODUCT_TITLE_FIELDS),
    ):
        expected = entry.columns.names(part, known_names)
        if not set(names) & {*expected, *default_names}:
            raise Undecided(
                entry.where,
                Message(
                    "cannot tell which column is the {part}; expected one of {names}; {columns}",
                    key="no-column",
                    part=part,
                    names=", ".join(expected),
                    columns=describe_columns(_list_candidates(head, separator), DOCUMENT_PARTS[:2]),
                ),
                ("columns",),
                1,
            )
    return names


def _check_repeated_names(entry: ArchiveEntry, names: Names) -> None:
    """Raise Undecided if several columns have the name of the id, the text or the title."""
    indices_of_part: dict[str, list[int]] = {}
    for part, known_names in (("id", ID_FIELDS), ("text", TEXT_FIELDS), ("title", TITLE_FIELDS)):
        used_name = next(
            (name for name in entry.columns.names(part, known_names) if name in names), None
        )
        if used_name is not None:
            indices_of_part[part] = [
                index for index, name in enumerate(names, 1) if name == used_name
            ]
    for part, indices in indices_of_part.items():
        if len(indices) > 1:
            raise Undecided(
                entry.where,
                Message(
                    "the column {name} occurs {count} times; choose one with --columns {choice}",
                    key="same-column",
                    name=names[indices[0] - 1],
                    count=len(indices),
                    choice=format_choices(
                        ",".join(
                            f"{other_part}={index if other_part == part else other_indices[0]}"
                            for other_part, other_indices in indices_of_part.items()
                        )
                        for index in indices
                    ),
                ),
                ("columns",),
                1,
            )


def _detect_layout(entry: ArchiveEntry) -> Names:
    width = find_min_column_count(entry.head)
    if width not in PARTS_BY_COLUMN_COUNT or (
        width == 4 and "://" not in list_head_lines(entry.head)[0].split("\t")[1]
    ):
        raise Undecided(
            entry.where,
            Message(
                "number of columns: {found}; expected {expected}; {listed}",
                key="column-count",
                found=width,
                expected=Message("id, tab and text; or id, title and text; or a header line"),
                listed=describe_columns(_list_candidates(entry.head, "\t"), DOCUMENT_PARTS[:2]),
            ),
            ("columns",),
            1,
        )
    return PARTS_BY_COLUMN_COUNT[width]


CAPTION_FIELDS = ("fullcaption", "caption", "blurb")
TAG_OF_TYPE = {"title": "h1", "kicker": "p", "byline": "p", "deck": "h2"}

# the beginning of a list of contents, of which the first has a type
_CONTENTS = re.compile(
    rb'"contents"\s*+:\s*+\[\s*+(?:null\s*+,\s*+)*+\{'
    rb'(?:(?!"type"\s*+:)(?:"(?:[^"\\]|\\.)*+"|[^"\]]))*+"type"\s*+:'
)


def is_news(file_head: FileHead) -> bool:
    """Return whether a file is JSON lines whose `contents` are lists of objects with a type."""
    return file_head.start.startswith(b"{") and bool(_CONTENTS.search(file_head.start))


def iter_news_documents(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[Document]:
    """Yield the articles as HTML, including the captions of pictures, galleries and videos."""
    for record in iter_json_lines(entry):
        contents = record.fields.get("contents")
        parts = (
            [content for content in contents if isinstance(content, Mapping)]
            if isinstance(contents, list)
            else []
        )
        body = "\n".join(filter(None, map(_to_markup, parts)))
        location = f"{record.where.name}, line {record.line}"
        title = collapse_whitespace(_escape_text(record.fields.get("title"))) or next(
            (
                collapse_whitespace(_escape_text(part.get("content")))
                for part in parts
                if part.get("type") == "title"
            ),
            "",
        )
        yield Document(
            record.id(ID_FIELDS, warnings),
            to_storable(body, location, warnings).encode(),
            to_storable(title, location, warnings),
            "html",
        )


def _to_markup(part: Mapping[str, object]) -> str:
    content, kind = part.get("content"), _escape_text(part.get("type"))
    if isinstance(content, list):  # the content is a bulleted list
        return (
            "<ul>"
            + "".join(f"<li>{item}</li>" for item in content if isinstance(item, str))
            + "</ul>"
        )
    if isinstance(content, str) and kind not in ("date", "image", "gallery", "video"):
        tag = TAG_OF_TYPE.get(kind, "p")
        text = (
            content
            if part.get("mime") == "text/html" or kind == "sanitized_html"
            else html.escape(content, quote=False)
        )
        return f"<{tag}>{text}</{tag}>"
    caption = next(
        (_escape_text(part.get(name)) for name in CAPTION_FIELDS if _escape_text(part.get(name))),
        "",
    )
    return f"<p><i>{html.escape(caption, quote=False)}</i></p>" if caption else ""


def _escape_text(value: object) -> str:
    return value if isinstance(value, str) else ""

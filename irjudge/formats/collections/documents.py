"""Streaming readers of documents: records in a file, or files in a folder or archive."""

import base64
import io
import json
import re
from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes import (
    OFFICE_DOCUMENTS,
    ArchiveEntry,
    NotUtf8,
    detect_office_format,
    iter_entries,
    replace_file,
    to_text_entry,
)
from irjudge.formats.collections.combined_files import (
    is_answers,
    is_candidates,
    is_quoted_passages,
    is_top_passages,
    iter_answer_documents,
    iter_candidate_documents,
    iter_quoted_passages,
    iter_top_passages_documents,
)
from irjudge.formats.collections.document_records import (
    BASE64_FIELD,
    BULK_ACTION_LINE,
    ID_FIELDS,
    KIND_FIELD,
    KNOWN_FIELDS,
    PICTURE_FIELD,
    PICTURE_SOURCE_KEY,
    SEPARATORS,
    is_news,
    iter_bulk_documents,
    iter_comma_documents,
    iter_json_documents,
    iter_news_documents,
    iter_sheet_documents,
    iter_smart_documents,
    iter_tab_documents,
)
from irjudge.formats.collections.plain_text_records import (
    TIME_START,
    is_lisa,
    is_npl,
    is_smart,
    iter_lisa_documents,
    iter_npl_documents,
    iter_time_documents,
)
from irjudge.formats.collections.references import (
    PUBMED,
    RIS,
    WEB_OF_SCIENCE,
    WEB_OF_SCIENCE_TABLE,
)
from irjudge.formats.collections.topic_records import is_rubrics, refuse_rubrics
from irjudge.formats.collections.trec_documents import (
    WEB_TAG,
    is_warc,
    iter_trec_documents,
    iter_warc_documents,
)
from irjudge.formats.collections.whole_files import (
    is_image,
    iter_html_file,
    iter_image_file,
    iter_markdown_file,
    iter_office_file,
    iter_text_file,
    load_picture,
)
from irjudge.formats.file_formats import (
    FileFormat,
    FileHead,
    add_extension_formats,
    detect_format,
)
from irjudge.formats.reader_warnings import (
    EMPTY_DOCUMENT,
    FILE_LEFT_OUT,
    NAMED_BY_PATH,
    NOT_DOCUMENTS,
    NOT_FOUND,
    OFFICE_LEFT_OUT,
    SAME_DOCUMENT,
    TITLE_ONLY,
    ReaderWarnings,
    WarningKind,
)
from irjudge.formats.rows import (
    AS_RECOGNISED,
    WORKBOOK,
    ColumnMapping,
    find_min_column_count,
    is_workbook,
    iter_json_lines,
    iter_json_list,
    iter_json_objects,
    read_header_columns,
)
from irjudge.message import Message
from irjudge.model import Document
from irjudge.progress import SILENT, Progress


def write_documents(path: Path, documents: Iterable[Document], progress: Progress = SILENT) -> int:
    """Write documents as JSON lines atomically, and return their number."""
    count = 0
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as target:
        for document in progress.track(documents, "documents"):
            # a field whose name is also that of another member (id, title, text …) is omitted
            picture = {
                PICTURE_SOURCE_KEY: document.pictured,
                BASE64_FIELD: base64.b64encode(document.picture).decode("ascii"),
            }
            target.write(
                json.dumps(
                    dict(document.fields)
                    | _encode_content(document)
                    | ({PICTURE_FIELD: picture} if document.picture else {}),
                    ensure_ascii=False,
                )
                + "\n"
            )
            count += 1
    return count


def _encode_content(document: Document) -> dict[str, str]:
    fields = {"id": document.id}
    if document.title or document.fields:
        fields["title"] = document.title
    if document.kind != "text":
        fields[KIND_FIELD] = document.kind
    try:
        return (
            fields | {"text": document.body.decode()}
            if document.kind != "image"
            else fields | {BASE64_FIELD: _encode_body(document)}
        )
    except UnicodeDecodeError:
        return fields | {BASE64_FIELD: _encode_body(document)}


def _encode_body(document: Document) -> str:
    return base64.b64encode(document.body).decode("ascii")


# names of the file of documents in a BEIR collection, which also has files of topics and qrels
CORPUS_FILES = ("corpus.jsonl", "corpus.jsonl.gz")

_CORPUS_COMPANIONS = re.compile(r"(?:^|/)(?:queries\.jsonl(?:\.gz)?|qrels/[^/]+\.tsv)$")


def read_documents(
    paths: Sequence[Path],
    progress: Progress = SILENT,
    *,
    warnings: list[str],
    columns: ColumnMapping | None = None,
    encoding: str | None = None,
    wanted: Collection[str] | None = None,
) -> Iterator[Document]:
    """Yield the documents at `paths` one at a time.

    If `wanted` is given, only documents with these ids are yielded. After the last document, the
    warnings of the reader are appended to `warnings`.
    """
    reader = _DocumentReader(columns, encoding, wanted)
    try:
        yield from progress.track(reader.documents(paths), "documents")
    finally:
        warnings.extend(reader.warnings.sentences())


def preview_documents(
    paths: Sequence[Path],
    count: int = 3,
    *,
    warnings: list[str] | None = None,
    columns: ColumnMapping | None = None,
    encoding: str | None = None,
) -> list[Document]:
    """Return the first documents, at most `count`, that `read_documents` yields."""
    reader = _DocumentReader(columns, encoding)
    with closing(reader.documents(paths)) as documents:
        first_documents = list(islice(documents, count))
    if warnings is not None:
        warnings.extend(reader.warnings.sentences())
    return first_documents


def recognise_document_format(
    path: Path, *, columns: ColumnMapping | None = None, encoding: str | None = None
) -> str:
    """Return the displayed name of the format of documents, such as "HTML in a tar archive"."""
    with closing(_DocumentReader(columns, encoding).files(path)) as files:
        for file in files:
            next(file.file_format.read(file.entry, ReaderWarnings()), None)
            compression_text = (
                Message(", compressed with {packed}", packed=file.entry.compression)
                if file.entry.compression
                else ""
            )
            return file.file_format.name + (
                Message(" in a {holder}", holder=file.entry.container)
                if file.entry.container
                else compression_text
            )
    raise _make_no_document_error(path)


MAX_COMPARED_IDS = 10
NAMES_AS_DOCUMENT = WarningKind(
    "The first row was read as the document {first}, since columns given by number have no header. "
    "If the row is a header, give the columns by name.",
    "The first rows of {count} files were read as documents, since columns given by number have no "
    "header. If these rows are headers, give the columns by name. First: {first}.",
    key="names-as-document",
)


@dataclass(frozen=True, slots=True)
class _File:
    """Open file of documents, with its format and the warnings about its encoding."""

    entry: ArchiveEntry
    file_format: FileFormat[Document]
    encoding_warnings: ReaderWarnings

    @property
    def is_document(self) -> bool:
        return self.file_format in SINGLE_DOCUMENT_FORMATS

    def may_contain(self, ids: Collection[str]) -> bool:
        """Return whether the file may contain a document with one of the ids."""
        return not self.is_document or _to_file_id(self.entry.name) in ids or self.entry.name in ids


def _to_file_id(path: str) -> str:
    """Return the id of a file that is one document, if no other document has this id."""
    name = path.rpartition("/")[2]  # faster than `PurePosixPath` for many ids
    return (name.rpartition(".")[0] or name).strip()


@dataclass(slots=True)
class _DocumentReader:
    """Reader of documents, with reading options and the warnings collected so far."""

    columns: ColumnMapping | None = None
    encoding: str | None = None
    wanted: Collection[str] | None = None
    warnings: ReaderWarnings = field(default_factory=ReaderWarnings)

    def documents(self, paths: Sequence[Path]) -> Generator[Document, None, None]:
        """Yield the documents at the paths.

        If several records have the same id, only the first is yielded. The id of a file that is
        one document is replaced by its path if another document has the same id.
        """
        seen_ids: set[str] = set()
        file_ids = {name for id in self.wanted or () for name in (id, _to_file_id(id))}
        for path in paths:
            for file, document in self._iter_documents(path, file_ids):
                if document.id in seen_ids and file.is_document:
                    self.warnings.add(NAMED_BY_PATH, file.entry.name)
                    document = replace(document, id=file.entry.name)
                if self.wanted is not None and document.id not in self.wanted:
                    if document.id in file_ids:  # a later file has another id because of this one
                        seen_ids.add(document.id)
                    continue
                if document.id in seen_ids:
                    self.warnings.add(
                        SAME_DOCUMENT,
                        Message("{id} in {entry}", id=document.id, entry=file.entry.name),
                    )
                    continue
                seen_ids.add(document.id)
                document = (
                    load_picture(document, find_containing_folder(path, file.entry), self.warnings)
                    if document.fields
                    else document
                )
                if not document.fields and (not document.body or document.body.isspace()):
                    self.warnings.add(TITLE_ONLY if document.title else EMPTY_DOCUMENT, document.id)
                yield document
        for wanted_id in self.wanted or ():
            if wanted_id not in seen_ids:
                self.warnings.add(NOT_FOUND, wanted_id)

    def files(self, path: Path) -> Generator[_File, None, None]:
        if is_workbook(path):
            # The reader opens a spreadsheet by its path and does not need this stream.
            empty_stream: io.BufferedReader = io.BufferedReader(io.BytesIO())
            columns = AS_RECOGNISED if self.columns is None else self.columns
            entry = ArchiveEntry(path, path.name, empty_stream, columns=columns)
            yield _File(entry, SHEET_FORMAT, ReaderWarnings())
            return
        for entry in iter_entries(find_corpus_file(path), self.warnings):
            if entry.container and _CORPUS_COMPANIONS.search(entry.name):
                self.warnings.add(NOT_DOCUMENTS, entry.name)
                continue
            warnings = ReaderWarnings()
            is_binary = (
                is_image(entry.head)
                or detect_office_format(entry.head, entry.name)
                or is_warc(entry.head)
            )
            text = (
                entry
                if is_binary
                else to_text_entry(entry, warnings, encoding=self.encoding, columns=self.columns)
            )
            if file_format := detect_format(
                text, add_extension_formats("documents", FORMS, Document), EXPECTED
            ):
                yield _File(text, file_format, warnings)
            else:
                self.warnings.add(FILE_LEFT_OUT, entry.name)

    def _iter_documents(
        self, path: Path, file_ids: Collection[str]
    ) -> Iterator[tuple[_File, Document]]:
        """Yield the documents at a path, without files that are surely none of those wanted."""
        has_documents = False
        for file in self.files(path):
            if self.wanted is not None and not file.may_contain(file_ids):
                has_documents = True
                continue
            first_ids: list[str] = []
            try:
                for document in file.file_format.read(file.entry, self.warnings):
                    has_documents = True
                    if len(first_ids) < MAX_COMPARED_IDS:
                        first_ids.append(document.id)
                    yield file, document
                if self.columns and self.columns.numbers() and _has_name_as_first_id(first_ids):
                    self.warnings.add(NAMES_AS_DOCUMENT, first_ids[0])
            except NotUtf8 as error:
                raise FormatError(
                    error.path,
                    Message(
                        "{problem}; give the encoding of the file with --encoding, or use "
                        "--encoding utf-8 to read the file despite its invalid bytes",
                        key="not-utf8",
                        problem=error.problem,
                    ),
                    error.line,
                ) from None
            finally:
                self.warnings.merge(file.encoding_warnings)
        if not has_documents:
            raise _make_no_document_error(path, self.warnings.sentence(OFFICE_LEFT_OUT))


def _has_name_as_first_id(ids: Sequence[str]) -> bool:
    """Return whether only the first of several ids has no digit, as the name of a column."""
    has_digit = [any(map(str.isdigit, id)) for id in ids]
    return len(ids) > 1 and not has_digit[0] and all(has_digit[1:])


def find_containing_folder(path: Path, entry: ArchiveEntry) -> Path:
    """Return the folder that contains an entry; `path` is the folder or file given by the user."""
    return (path / entry.name).parent if path.is_dir() else path.parent


def find_corpus_file(path: Path) -> Path:
    """Return the document file of a BEIR folder; other paths are returned unchanged."""
    return next((path / name for name in CORPUS_FILES if (path / name).is_file()), path)


def _make_no_document_error(path: Path, reason: str = "") -> FormatError:
    return FormatError(
        path,
        Message(
            "no document found; {reason}",
            key="only-office-files",
            reason=reason.removesuffix("."),
        )
        if reason
        else Message("no document found; {expected}", key="no-document", expected=EXPECTED),
    )


EXPECTED = Message(
    "expected TREC (<DOC>), SMART (.I 1), JSON objects with an id and text, lines with an id, a tab and the text, "
    "CSV with a header, or a folder or archive of .txt, .md, .html, .pdf, .docx, .odt or image files"
)

JSON_SUFFIXES = (".jsonl", ".ndjson", ".json")

_DOC_TAG = re.compile(rb"<doc[\s>]")
_JSON_LIST_START = re.compile(rb"\[\s*+(?:[{\]]|$)")


def _is_image(file_head: FileHead) -> bool:
    return is_image(file_head.head) and (
        file_head.is_named_by_user
        or file_head.suffix in (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
    )


def _is_office(format_name: str, file_head: FileHead) -> bool:
    return detect_office_format(file_head.head, f"a{file_head.suffix}") == format_name


def _is_html(file_head: FileHead) -> bool:
    return file_head.suffix in (".html", ".htm", ".xhtml") or (
        file_head.is_named_by_user and file_head.start.startswith((b"<!doctype html", b"<html"))
    )


def _is_trec(file_head: FileHead) -> bool:
    return bool(_DOC_TAG.match(file_head.start)) or (
        file_head.start.startswith(b"<") and b"<docno" in file_head.start
    )


def _is_json_list(file_head: FileHead) -> bool:
    return bool(_JSON_LIST_START.match(file_head.start)) and (
        file_head.is_named_by_user or file_head.suffix in JSON_SUFFIXES
    )


def _is_json_object(file_head: FileHead) -> bool:
    """Return whether a JSON object begins on the first line and continues on further lines."""
    first_line, line_end, _ = file_head.start.partition(b"\n")
    return (
        file_head.start.startswith(b"{")
        and bool(line_end)
        and not first_line.rstrip().endswith(b"}")
        and (
            file_head.suffix == ".json"
            or (file_head.is_named_by_user and file_head.suffix not in JSON_SUFFIXES)
        )
    )


def _is_json_lines(file_head: FileHead) -> bool:
    return file_head.start.startswith(b"{") and (
        file_head.is_named_by_user or file_head.suffix in JSON_SUFFIXES
    )


def _is_csv(file_head: FileHead) -> bool:
    if file_head.suffix == ".csv":
        return bool(file_head.start)
    return file_head.is_named_by_user and any(
        read_header_columns(file_head.head, KNOWN_FIELDS, ID_FIELDS, separator)
        for separator in SEPARATORS
        if separator != "\t"
    )


def _is_tsv(file_head: FileHead) -> bool:
    return bool(file_head.start) and (
        file_head.suffix in (".tsv", ".tab")
        or (file_head.is_named_by_user and find_min_column_count(file_head.head) > 1)
    )


def _refuse_xml(entry: ArchiveEntry, _warnings: ReaderWarnings) -> Iterator[Document]:
    raise FormatError(
        entry.where,
        Message(
            "this is {format}, which cannot be read; {expected}",
            key="format-not-read",
            format=Message("an XML file"),
            expected=EXPECTED,
        ),
        1,
    )


SHEET_FORMAT = FileFormat(WORKBOOK, lambda _file_head: False, iter_sheet_documents)
# Formats in the order in which they are tried. A new format is added to this list.
WHOLE_FILE_FORMATS: tuple[FileFormat[Document], ...] = (
    *(FileFormat(name, partial(_is_office, name), iter_office_file) for name in OFFICE_DOCUMENTS),
    FileFormat("image", _is_image, iter_image_file),
    FileFormat("HTML", _is_html, iter_html_file),
    FileFormat(
        "Markdown", lambda file_head: file_head.suffix in (".md", ".markdown"), iter_markdown_file
    ),
)
PLAIN_TEXT_FORMAT = FileFormat(
    Message("plain text"), lambda file_head: file_head.suffix in (".txt", ".text"), iter_text_file
)
FORMS: tuple[FileFormat[Document], ...] = (
    *WHOLE_FILE_FORMATS,
    *(
        FileFormat(reference_format.name, reference_format.fits, reference_format.documents)
        for reference_format in (RIS, PUBMED, WEB_OF_SCIENCE)
    ),
    FileFormat(
        Message("Web of Science table"),
        lambda file_head: bool(WEB_OF_SCIENCE_TABLE.match(file_head.head)),
        WEB_OF_SCIENCE.table_documents,
    ),
    FileFormat("WARC", lambda file_head: is_warc(file_head.head), iter_warc_documents),
    FileFormat(
        "TRECWEB",
        lambda file_head: _is_trec(file_head) and f"<{WEB_TAG}>".encode() in file_head.start,
        iter_trec_documents,
    ),
    FileFormat("TREC", _is_trec, iter_trec_documents),
    FileFormat("SMART", lambda file_head: is_smart(file_head.start), iter_smart_documents),
    FileFormat("NPL", is_npl, iter_npl_documents),
    FileFormat("LISA", is_lisa, iter_lisa_documents),
    FileFormat(
        "TIME", lambda file_head: bool(TIME_START.match(file_head.start)), iter_time_documents
    ),
    FileFormat("TREC News", is_news, iter_news_documents),
    FileFormat(
        Message("JSON of queries and their candidates"), is_candidates, iter_candidate_documents
    ),
    FileFormat(Message("answers with citations"), is_answers, iter_answer_documents),
    FileFormat(Message("rubrics"), is_rubrics, refuse_rubrics),
    FileFormat(
        Message("lines of a _bulk request"),
        lambda file_head: bool(BULK_ACTION_LINE.match(file_head.start)),
        iter_bulk_documents,
    ),
    FileFormat(Message("JSON list"), _is_json_list, partial(iter_json_documents, iter_json_list)),
    FileFormat(
        Message("JSON object"), _is_json_object, partial(iter_json_documents, iter_json_objects)
    ),
    FileFormat(
        Message("JSON lines"), _is_json_lines, partial(iter_json_documents, iter_json_lines)
    ),
    FileFormat(
        "XML",
        lambda file_head: file_head.is_named_by_user and file_head.start.startswith(b"<?xml"),
        _refuse_xml,
    ),
    FileFormat("CSV", _is_csv, iter_comma_documents),
    FileFormat(Message("DPR passages"), is_quoted_passages, iter_quoted_passages),
    FileFormat(Message("MS MARCO top 1000"), is_top_passages, iter_top_passages_documents),
    FileFormat("TSV", _is_tsv, iter_tab_documents),
    PLAIN_TEXT_FORMAT,
)
SINGLE_DOCUMENT_FORMATS = (*WHOLE_FILE_FORMATS, PLAIN_TEXT_FORMAT)
"""Formats of files that contain one document each, whose id is the file name."""

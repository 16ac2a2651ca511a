"""Reads documents: records in one file, or a file each in a folder or an archive; one at a time, however many there are."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.archives import Entry, entries
from irjudge.formats.records import Names, Record, fewest_columns, head_lines, header_columns, json_lines, json_list, tab_separated
from irjudge.formats.remarks import EMPTY_DOCUMENT, FILE_LEFT_OUT, SAME_DOCUMENT, Remarks
from irjudge.formats.sgml import without_comments
from irjudge.formats.trec_documents import WEB_TAG, trec_documents
from irjudge.formats.utf8 import UTF16_MARKS, beginning, folded, refuse_utf16
from irjudge.formats.whole_files import html_file, markdown_file, text_file
from irjudge.model.document import Document
from irjudge.progress import SILENT, Progress

IDS: Names = ("id", "_id", "docno", "pid", "docid", "doc_id")
TEXTS: Names = ("text", "contents", "content", "body", "passage", "segment", "abstract")
TITLES: Names = ("title", "headline")
KNOWN: Names = (*IDS, *TEXTS, *TITLES, "url")

EXPECTED = (
    "expected TREC (<DOC>), JSON objects with an id and text, lines with an id, a tab and the text, "
    "or a folder or archive of .txt, .md or .html files"
)

JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
TSV_ENDINGS = (".tsv", ".tab")
HTML_ENDINGS = (".html", ".htm", ".xhtml")
MARKDOWN_ENDINGS = (".md", ".markdown")
TEXT_ENDINGS = (".txt", ".text")
TEXTUAL = (*JSON_ENDINGS, *TSV_ENDINGS, *HTML_ENDINGS, *MARKDOWN_ENDINGS, *TEXT_ENDINGS)

# What columns hold when no first line names them; four are those of MS MARCO.
LAYOUTS: dict[int, Names] = {2: ("id", "text"), 3: ("id", "title", "text"), 4: ("id", "url", "title", "text")}


@dataclass(frozen=True, slots=True)
class DocumentForm:
    """One form of documents.

    Parameters
    ----------
    name
        In words.
    fits
        Tells from a file and its first bytes, in small letters and without blanks and comments in front, whether it has this form.
    read
        Yields the documents of such a file; a form that is known but not read raises.
    """

    name: str
    fits: Callable[[Entry, bytes], bool]
    read: Callable[[Entry, Remarks], Iterator[Document]]


def read_documents(paths: Sequence[Path], progress: Progress = SILENT, *, remarks: list[str]) -> Iterator[Document]:
    """Yield the documents at `paths`, one at a time.

    Parameters
    ----------
    paths
        Files, folders or archives. In folders files come by name, in archives in the order of the archive.
    progress
        Learns how many documents were read.
    remarks
        Takes what was strange, a sentence each, when reading ends: doubled ids, empty documents, files left out.

    Returns
    -------
    Iterator of Document
        Ids are unique over all paths: of several documents with one id the first is kept. Ids are all that
        is held in memory.

    Raises
    ------
    FormatError
        When a path holds no document, or a file is damaged, is not UTF-8, or has a record without id or text.
    """
    noted = Remarks()
    try:
        yield from progress.through(_first_of_each(paths, noted), "documents")
    finally:
        remarks.extend(noted.sentences())


def preview_documents(paths: Sequence[Path], count: int = 3) -> list[Document]:
    """Return the first documents at `paths`, `count` at most; raises as `read_documents` does."""
    with closing(_first_of_each(paths, Remarks())) as documents:
        return list(islice(documents, count))


def recognise_documents(path: Path) -> str:
    """Return in words what form the documents at `path` have, such as "HTML in a tar archive".

    Raises
    ------
    FormatError
        When the form is not known, or the first document cannot be read.
    """
    with closing(entries(path, Remarks())) as found:
        for entry in found:
            if form := _recognised(entry):
                next(form.read(entry, Remarks()), None)
                packing = ", packed with gzip" if entry.packed else ""
                return form.name + (f" in a {entry.holder}" if entry.holder else packing)
    raise _no_document(path)


def _first_of_each(paths: Sequence[Path], remarks: Remarks) -> Iterator[Document]:
    seen: set[str] = set()
    for path in paths:
        for place, document in _all(path, remarks):
            if document.id in seen:
                remarks.add(SAME_DOCUMENT, f"{document.id} in {place}")
                continue
            seen.add(document.id)
            if not document.body or document.body.isspace():
                remarks.add(EMPTY_DOCUMENT, document.id)
            yield document


def _all(path: Path, remarks: Remarks) -> Iterator[tuple[str, Document]]:
    found = False
    for entry in entries(path, remarks):
        form = _recognised(entry)
        if form is None:
            remarks.add(FILE_LEFT_OUT, entry.name)
            continue
        for document in form.read(entry, remarks):
            found = True
            yield entry.name, document
    if not found:
        raise _no_document(path)


def _recognised(entry: Entry) -> DocumentForm | None:
    """Return the form of a file; None when it is one among others and of no form.

    Raises
    ------
    FormatError
        When the user named just this file and it is of no form.
    """
    if not entry.holder or (entry.ending in TEXTUAL and entry.head.startswith(UTF16_MARKS)):
        refuse_utf16(entry.head, entry.where)
    start = without_comments(entry.head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")).lstrip().lower().encode("latin-1")
    for form in FORMS:
        if form.fits(entry, start):
            return form
    if entry.holder:
        return None
    if not start:
        raise FormatError(entry.where, f"the file is empty, {EXPECTED}")
    raise FormatError(entry.where, f"found “{beginning(entry.head)}”, {EXPECTED}", 1)


def _no_document(path: Path) -> FormatError:
    return FormatError(path, f"no document was found, {EXPECTED}")


# Records


def _document(record: Record, remarks: Remarks) -> Document:
    identifier = record.id(IDS, remarks)
    text = record.text(TEXTS, remarks)
    if text is None:
        raise FormatError(record.where, f"the record has no text, expected one of {', '.join(TEXTS)}", record.line)
    return Document(identifier, text.encode(), folded(record.text(TITLES, remarks) or ""))


def _from_records(records: Iterator[Record], remarks: Remarks) -> Iterator[Document]:
    for place, record in enumerate(records):
        if place == 0:
            remarks.unread(name for name in record.fields if name not in KNOWN)
        yield _document(record, remarks)


def _json_lines(entry: Entry, remarks: Remarks) -> Iterator[Document]:
    return _from_records(json_lines(entry), remarks)


def _json_list(entry: Entry, remarks: Remarks) -> Iterator[Document]:
    return _from_records(json_list(entry), remarks)


def _tsv(entry: Entry, remarks: Remarks) -> Iterator[Document]:
    header = header_columns(entry.head, KNOWN, IDS)
    columns = header or _layout(entry)
    return _from_records(tab_separated(entry, columns, header=bool(header)), remarks)


def _layout(entry: Entry) -> Names:
    found = fewest_columns(entry.head)
    if found not in LAYOUTS or (found == 4 and "://" not in head_lines(entry.head)[0].split("\t")[1]):
        problem = (
            f"found {found} column(s), expected an id, a tab and the text; or id, title and text; or a first line that names the columns"
        )
        raise FormatError(entry.where, problem, 1)
    return LAYOUTS[found]


def _refuse_xml(entry: Entry, remarks: Remarks) -> Iterator[Document]:
    raise FormatError(entry.where, f"this is an XML file, which irjudge does not read as documents; {EXPECTED}", 1)


def _refuse_web(entry: Entry, remarks: Remarks) -> Iterator[Document]:
    raise FormatError(entry.where, f"this is a TRECWEB file, which irjudge does not read; {EXPECTED}", 1)


# What fits


def _is_html(entry: Entry, start: bytes) -> bool:
    return entry.ending in HTML_ENDINGS or (not entry.holder and start.startswith((b"<!doctype html", b"<html")))


def _is_trec(entry: Entry, start: bytes) -> bool:
    opening = start.find(b"<doc")
    wrapped = start.startswith(b"<") and opening >= 0 and (b"<docno" in start or b"<docno>" in start)
    return start[4:5] in (b">", b" ", b"\n", b"\t", b"\r") if opening == 0 else wrapped


def _is_web(entry: Entry, start: bytes) -> bool:
    return f"<{WEB_TAG}>".encode() in start and _is_trec(entry, start)


def _is_json_list(entry: Entry, start: bytes) -> bool:
    named = not entry.holder or entry.ending in JSON_ENDINGS
    return named and start.startswith(b"[") and start[1:].lstrip()[:1] in (b"{", b"]", b"")


def _is_json_lines(entry: Entry, start: bytes) -> bool:
    named = not entry.holder or entry.ending in JSON_ENDINGS[:2]
    whole_line = start.split(b"\n", 1)[0].rstrip().endswith(b"}")
    return start.startswith(b"{") and (named or (entry.ending in JSON_ENDINGS and whole_line))


def _is_tsv(entry: Entry, start: bytes) -> bool:
    return entry.ending in TSV_ENDINGS or (not entry.holder and fewest_columns(entry.head) > 1)


# The first form that fits is taken. A new form is one more line here.
FORMS = (
    DocumentForm("HTML", _is_html, html_file),
    DocumentForm("Markdown", lambda entry, start: entry.ending in MARKDOWN_ENDINGS, markdown_file),
    DocumentForm("TRECWEB", _is_web, _refuse_web),
    DocumentForm("TREC", _is_trec, trec_documents),
    DocumentForm("JSON list", _is_json_list, _json_list),
    DocumentForm("JSON lines", _is_json_lines, _json_lines),
    DocumentForm("XML", lambda entry, start: not entry.holder and start.startswith(b"<?xml"), _refuse_xml),
    DocumentForm("TSV", _is_tsv, _tsv),
    DocumentForm("plain text", lambda entry, start: entry.ending in TEXT_ENDINGS, text_file),
)

"""Reads documents: records in one file, or a file each in a folder or an archive; one at a time, however many there are."""

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.archives import Entry, entries
from irjudge.formats.forms import Form, Look, recognised, refusing
from irjudge.formats.records import Names, Record, fewest_columns, head_lines, header_columns, json_lines, json_list, tab_separated
from irjudge.formats.remarks import EMPTY_DOCUMENT, FILE_LEFT_OUT, SAME_DOCUMENT, Remarks
from irjudge.formats.trec_documents import WEB_TAG, trec_documents
from irjudge.formats.utf8 import folded
from irjudge.formats.whole_files import html_file, image_file, is_image, markdown_file, text_file
from irjudge.model.document import Document
from irjudge.progress import SILENT, Progress

IDS: Names = ("id", "_id", "docno", "pid", "docid", "doc_id")
TEXTS: Names = ("text", "contents", "content", "body", "passage", "segment", "abstract")
TITLES: Names = ("title", "headline")
KNOWN = (*IDS, *TEXTS, *TITLES, "url")

EXPECTED = (
    "expected TREC (<DOC>), JSON objects with an id and text, lines with an id, a tab and the text, "
    "or a folder or archive of .txt, .md, .html or image files"
)

JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
TSV_ENDINGS = (".tsv", ".tab")
HTML_ENDINGS = (".html", ".htm", ".xhtml")
MARKDOWN_ENDINGS = (".md", ".markdown")
TEXT_ENDINGS = (".txt", ".text")
IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")

_DOC = re.compile(rb"<doc[\s>]")
_LIST = re.compile(rb"\[\s*+(?:[{\]]|$)")

# What columns hold when no first line names them; four are those of MS MARCO.
LAYOUTS: dict[int, Names] = {2: ("id", "text"), 3: ("id", "title", "text"), 4: ("id", "url", "title", "text")}


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
            if form := recognised(entry, FORMS, EXPECTED):
                next(form.read(entry, Remarks()), None)
                packing = ", packed with gzip" if entry.packed else ""
                return form.name + (f" in a {entry.holder}" if entry.holder else packing)
    raise _no_document(path)


def _first_of_each(paths: Sequence[Path], remarks: Remarks) -> Generator[Document, None, None]:
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
        form = recognised(entry, FORMS, EXPECTED)
        if form is None:
            remarks.add(FILE_LEFT_OUT, entry.name)
            continue
        for document in form.read(entry, remarks):
            found = True
            yield entry.name, document
    if not found:
        raise _no_document(path)


def _no_document(path: Path) -> FormatError:
    return FormatError(path, f"no document was found, {EXPECTED}")


# Records


def _document(record: Record, remarks: Remarks) -> Document:
    identifier = record.id(IDS, remarks)
    text = record.text(TEXTS, remarks)
    if text is None:
        raise FormatError(record.where, f"the record has no text, expected one of {', '.join(TEXTS)}", record.line)
    remarks.unread(name for name in record.fields if name not in KNOWN)
    return Document(identifier, text.encode(), folded(record.text(TITLES, remarks) or ""))


def _json_lines(entry: Entry, remarks: Remarks) -> Iterator[Document]:
    return (_document(record, remarks) for record in json_lines(entry))


def _json_list(entry: Entry, remarks: Remarks) -> Iterator[Document]:
    return (_document(record, remarks) for record in json_list(entry))


def _tsv(entry: Entry, remarks: Remarks) -> Iterator[Document]:
    header = header_columns(entry.head, KNOWN, IDS)
    columns = header or _layout(entry)
    return (_document(record, remarks) for record in tab_separated(entry, columns, header=bool(header)))


def _layout(entry: Entry) -> Names:
    found = fewest_columns(entry.head)
    if found not in LAYOUTS or (found == 4 and "://" not in head_lines(entry.head)[0].split("\t")[1]):
        problem = (
            f"found {found} column(s), expected an id, a tab and the text; or id, title and text; or a first line that names the columns"
        )
        raise FormatError(entry.where, problem, 1)
    return LAYOUTS[found]


# What fits. Inside a folder or archive the ending decides, since any file may lie there; alone, the content does.


def _is_image(look: Look) -> bool:
    return is_image(look.head) and (look.alone or look.ending in IMAGE_ENDINGS)


def _is_html(look: Look) -> bool:
    return look.ending in HTML_ENDINGS or (look.alone and look.start.startswith((b"<!doctype html", b"<html")))


def _is_trec(look: Look) -> bool:
    return bool(_DOC.match(look.start)) or (look.start.startswith(b"<") and b"<docno" in look.start)


def _is_web(look: Look) -> bool:
    return _is_trec(look) and f"<{WEB_TAG}>".encode() in look.start


def _is_json_list(look: Look) -> bool:
    return bool(_LIST.match(look.start)) and (look.alone or look.ending in JSON_ENDINGS)


def _is_json_lines(look: Look) -> bool:
    first_line = look.start.split(b"\n", 1)[0].rstrip()
    is_record = look.ending in JSON_ENDINGS and first_line.endswith(b"}")
    return look.start.startswith(b"{") and (look.alone or look.ending in JSON_ENDINGS[:2] or is_record)


def _is_tsv(look: Look) -> bool:
    return bool(look.start) and (look.ending in TSV_ENDINGS or (look.alone and fewest_columns(look.head) > 1))


# The first form that fits is taken. A new form is one more line here.
FORMS: tuple[Form[Document], ...] = (
    Form("image", _is_image, image_file),
    Form("HTML", _is_html, html_file),
    Form("Markdown", lambda look: look.ending in MARKDOWN_ENDINGS, markdown_file),
    Form("TRECWEB", _is_web, refusing("a TRECWEB file", EXPECTED)),
    Form("TREC", _is_trec, trec_documents),
    Form("JSON list", _is_json_list, _json_list),
    Form("JSON lines", _is_json_lines, _json_lines),
    Form("XML", lambda look: look.alone and look.start.startswith(b"<?xml"), refusing("an XML file", EXPECTED)),
    Form("TSV", _is_tsv, _tsv),
    Form("plain text", lambda look: look.ending in TEXT_ENDINGS, text_file),
)

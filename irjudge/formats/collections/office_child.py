"""The text of one office file, in a process of its own: what strangers wrote is unpacked and parsed here, under limits, and nowhere else.

`python -m irjudge.formats.collections.office_child FORM` reads the file from standard input
and writes JSON: title and text, or why there is none.
"""

import io
import json
import sys
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from xml.etree.ElementTree import Element

import defusedxml.ElementTree
import pypdfium2

try:
    import resource
except ImportError:  # on Windows; the time that the parent gives is the limit there
    resource = None  # type: ignore[assignment]

MEMORY, SECONDS = 2 << 30, 60
MOST_XML, MOST_TEXT = 256 << 20, 32 << 20  # bytes of a part when unpacked, and characters of a text
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
OPEN = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TITLE = "{http://purl.org/dc/elements/1.1/}title"
BLANKS = {f"{WORD}tab": "\t", f"{WORD}br": "\n", f"{WORD}cr": "\n", f"{OPEN}tab": "\t", f"{OPEN}line-break": "\n"}
UNSEEN = (f"{OPEN}tracked-changes", f"{OPEN}note-citation")  # what was deleted, and the numbers of notes


class Unreadable(Exception):
    """Why there is no text, as one word that the other side knows."""


def limit() -> None:
    """Let this process take no more memory and time than a document needs, and write no file."""
    if resource is None:
        return
    for what, most in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, SECONDS), (resource.RLIMIT_FSIZE, 0)):
        with suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def pdf(data: bytes) -> tuple[str, str]:
    """Return title and text of a PDF file, an empty line between pages."""
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as fault:
        raise Unreadable("locked" if "password" in str(fault).lower() else "damaged") from fault
    pages: list[str] = []
    for page in document:
        words = page.get_textpage().get_text_range()
        pages.append(words.replace("\r\n", "\n").replace("\ufffe", "").strip())  # U+FFFE stands for a hyphen at the end of a line
        if sum(map(len, pages)) > MOST_TEXT:
            raise Unreadable("large")
    return str(document.get_metadata_dict().get("Title", "")), "\n\n".join(pages)


def docx(data: bytes) -> tuple[str, str]:
    """Return title and text of a DOCX file, a paragraph a line."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        return _title(parts, "docProps/core.xml"), _text(parts, "word/document.xml", {f"{WORD}p"}, {f"{WORD}t"})


def odt(data: bytes) -> tuple[str, str]:
    """Return title and text of an ODT file, a paragraph or heading a line."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        return _title(parts, "meta.xml"), _text(parts, "content.xml", {f"{OPEN}p", f"{OPEN}h"}, None)


def _part(parts: zipfile.ZipFile, name: str) -> Element:
    with parts.open(name) as file:
        raw = file.read(MOST_XML + 1)
    if len(raw) > MOST_XML:
        raise Unreadable("large")
    root: Element = defusedxml.ElementTree.fromstring(raw)
    return root


def _title(parts: zipfile.ZipFile, name: str) -> str:
    if name not in parts.namelist():
        return ""
    found = _part(parts, name).find(f".//{TITLE}")
    return "" if found is None else (found.text or "").strip()


def _text(parts: zipfile.ZipFile, name: str, paragraphs: set[str], words: set[str] | None) -> str:
    root = _part(parts, name)
    for tag in UNSEEN:
        for unseen in root.iter(tag):
            unseen.clear()
    lines = ["".join(_words(each, paragraphs, words)) for each in root.iter() if each.tag in paragraphs]
    if sum(map(len, lines)) > MOST_TEXT:
        raise Unreadable("large")
    return "\n".join(lines).strip()


def _words(inside: Element, paragraphs: set[str], words: set[str] | None) -> Iterator[str]:
    """Yield the words of a paragraph, without those of paragraphs inside it; `words` names what holds them, None says that all does."""
    waiting: list[tuple[Element, bool]] = [(inside, False)]
    while waiting:
        element, ending = waiting.pop()
        if ending:
            yield element.tail or "" if words is None else ""
            continue
        hidden = element is not inside and element.tag in paragraphs
        if element is not inside:
            waiting.append((element, True))
        if not hidden:
            yield BLANKS.get(element.tag, "")
            if element.tag == f"{OPEN}s":
                yield " " * min(int(element.get(f"{OPEN}c", "1")), 1000)
            yield (element.text or "") if words is None or element.tag in words else ""
            waiting.extend((child, False) for child in reversed(element))


READERS = {"PDF": pdf, "DOCX": docx, "ODT": odt}


def main() -> None:
    """Read one file."""
    limit()
    try:
        title, text = READERS[sys.argv[1]](sys.stdin.buffer.read())
        said = {"title": title[:1000], "text": text}
    except Unreadable as fault:
        said = {"problem": str(fault)}
    except MemoryError:
        said = {"problem": "large"}
    except Exception:  # noqa: BLE001 -- whatever a hostile file makes a parser raise, it is one sentence
        said = {"problem": "damaged"}
    sys.stdout.buffer.write(json.dumps(said).encode())


if __name__ == "__main__":
    main()

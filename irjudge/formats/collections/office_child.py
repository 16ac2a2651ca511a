"""The text of one office file, or the picture of a page, in a process of its own.

What strangers wrote is unpacked and parsed here, under limits, and nowhere else. `python -m irjudge.formats.collections.office_child FORM`
reads the file from standard input and writes JSON: title and text, or why there is none; `PAGE NUMBER` asks for a page of a PDF file,
`PAGES MOST` for its first pages, small enough to be sent.
"""

import io
import json
import struct
import sys
import zipfile
import zlib
from base64 import b64encode
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
PAGE_WIDTH, TALLEST = 1000, 4000  # pixels of the picture of a page
QUALITY, EFFORT = (
    60,
    2,
)  # of pictures that are sent: letters stay sharp at a third of the bytes of a PNG file
MOST_XML, MOST_TEXT = 256 << 20, 32 << 20  # bytes of a part when unpacked, and characters of a text
WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
OPEN = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TITLE = "{http://purl.org/dc/elements/1.1/}title"
BLANKS = {
    f"{WORD}tab": "\t",
    f"{WORD}br": "\n",
    f"{WORD}cr": "\n",
    f"{OPEN}tab": "\t",
    f"{OPEN}line-break": "\n",
}
UNSEEN = (
    f"{OPEN}tracked-changes",
    f"{OPEN}note-citation",
)  # what was deleted, and the numbers of notes


class Unreadable(Exception):
    """Why there is no text, as one word that the other side knows."""


def limit() -> None:
    """Let this process take no more memory and time than a document needs, and write no file."""
    if resource is None:
        return
    for what, most in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, SECONDS),
        (resource.RLIMIT_FSIZE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def _opened(data: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as fault:
        raise Unreadable("locked" if "password" in str(fault).lower() else "damaged") from fault


def pdf(data: bytes) -> tuple[str, str]:
    """Return title and text of a PDF file, an empty line between pages."""
    document = _opened(data)
    pages: list[str] = []
    for page in document:
        words = page.get_textpage().get_text_range()
        pages.append(
            words.replace("\r\n", "\n").replace("\ufffe", "").strip()
        )  # U+FFFE stands for a hyphen at the end of a line
        if sum(map(len, pages)) > MOST_TEXT:
            raise Unreadable("large")
    return str(document.get_metadata_dict().get("Title", "")), "\n\n".join(pages)


def page(data: bytes, number: int) -> dict[str, object]:
    """Return a page of a PDF file as a PNG file, its number, and how many there are; beyond the last it is the last."""
    document = _opened(data)
    number = max(1, min(number, len(document)))
    return {
        "png": b64encode(png(_drawn(document[number - 1]))).decode(),
        "number": number,
        "pages": len(document),
    }


def pages(data: bytes, most: int) -> dict[str, object]:
    """Return the first pages of a PDF file as WebP files, and how many there are."""
    from PIL import Image  # noqa: PLC0415 -- only these pictures need it

    document = _opened(data)
    made: list[str] = []
    for place in range(min(most, len(document))):
        bitmap, file = _drawn(document[place]), io.BytesIO()
        picture = Image.frombuffer(
            "RGB",
            (bitmap.width, bitmap.height),
            bytes(bitmap.buffer),
            "raw",
            "RGB",
            bitmap.stride,
            1,
        )
        picture.save(file, "WEBP", quality=QUALITY, method=EFFORT)
        made.append(b64encode(file.getvalue()).decode())
    return {"pictures": made, "pages": len(document)}


def _drawn(sheet: pypdfium2.PdfPage) -> pypdfium2.PdfBitmap:
    width, height = sheet.get_size()
    return sheet.render(
        scale=min(PAGE_WIDTH / max(width, 1), TALLEST / max(height, 1)), rev_byteorder=True
    )


def png(bitmap: pypdfium2.PdfBitmap) -> bytes:
    """Return a bitmap of red, green and blue as a PNG file."""
    width, height, stride = bitmap.width, bitmap.height, bitmap.stride
    pixels = bytes(bitmap.buffer)
    rows = b"".join(
        b"\0" + pixels[begin : begin + 3 * width] for begin in range(0, height * stride, stride)
    )
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part))
        for name, part in parts
    )


def docx(data: bytes) -> tuple[str, str]:
    """Return title and text of a DOCX file, a paragraph a line."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        return _title(parts, "docProps/core.xml"), _text(
            parts, "word/document.xml", {f"{WORD}p"}, {f"{WORD}t"}
        )


def odt(data: bytes) -> tuple[str, str]:
    """Return title and text of an ODT file, a paragraph or heading a line."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        return _title(parts, "meta.xml"), _text(
            parts, "content.xml", {f"{OPEN}p", f"{OPEN}h"}, None
        )


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
    lines = [
        "".join(_words(each, paragraphs, words)) for each in root.iter() if each.tag in paragraphs
    ]
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


def _said(form: str, number: str = "1") -> dict[str, object]:
    data = sys.stdin.buffer.read()
    if form == "PAGE":
        return page(data, int(number))
    if form == "PAGES":
        return pages(data, int(number))
    title, text = READERS[form](data)
    return {"title": title[:1000], "text": text}


def main() -> None:
    """Read one file."""
    limit()
    try:
        said = _said(*sys.argv[1:])
    except Unreadable as fault:
        said = {"problem": str(fault)}
    except MemoryError:
        said = {"problem": "large"}
    except Exception:  # noqa: BLE001 -- whatever a hostile file makes a parser raise, it is one sentence
        said = {"problem": "damaged"}
    sys.stdout.buffer.write(json.dumps(said).encode())


if __name__ == "__main__":
    main()

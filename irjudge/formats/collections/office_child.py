"""Child process that extracts the text of one office file, or renders a page.

Untrusted files are decompressed and parsed only in this process, under resource limits. `python -m
irjudge.formats.collections.office_child FORMAT` reads a file of this format (`PDF`, `DOCX` or
`ODT`) from standard input and writes JSON with title and text, or with the code of the problem. The
arguments `PAGE NUMBER` render one page of a PDF file, and `PAGES COUNT` its first pages at reduced
size.
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
except ImportError:  # missing on Windows, where only the parent's timeout applies
    resource = None  # type: ignore[assignment]

MAX_MEMORY_BYTES, MAX_CPU_SECONDS = 2 << 30, 60
PAGE_WIDTH, MAX_PAGE_HEIGHT = 1000, 4000  # maximum width and height of a page picture, in pixels
# Memory and CPU time for extracting text: a minimum, plus an amount per byte or per megabyte.
MIN_MEMORY, MEMORY_PER_BYTE = 768 << 20, 8
MIN_SECONDS, SECONDS_PER_MEGABYTE = 5, 5
# maximum size of a decompressed part in bytes, and of a text in characters
MAX_XML_BYTES = 64 << 20
MAX_TEXT_CHARACTERS = 32 << 20
# maximum compression ratio of a part, checked only for parts of more than MIN_CHECKED_SIZE bytes
MAX_RATIO, MIN_CHECKED_SIZE = 100, 4 << 20
MAX_PARTS = 10_000
# Maximum number of tags, attributes, references and lines of a part, per compressed byte, and the
# number that is always accepted. The parser needs about 1 µs and 100 bytes for each tag or line.
MARKUP_PER_BYTE, MIN_MARKUP = 3, 500_000
# Maximum characters of text per byte of a PDF file, and the number that is always accepted. Pages
# of a PDF file can share their text.
TEXT_PER_BYTE, MIN_TEXT = 20, 1 << 20
WORD_NAMESPACE = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
OPEN_DOCUMENT_NAMESPACE = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TITLE_TAG = "{http://purl.org/dc/elements/1.1/}title"
BLANKS = {
    f"{WORD_NAMESPACE}tab": "\t",
    f"{WORD_NAMESPACE}br": "\n",
    f"{WORD_NAMESPACE}cr": "\n",
    f"{OPEN_DOCUMENT_NAMESPACE}tab": "\t",
    f"{OPEN_DOCUMENT_NAMESPACE}line-break": "\n",
}
# tags of deleted text, of text at the place from which it was moved, of footnote numbers, and of
# alternatives to text boxes that older programs show; their text is not extracted
HIDDEN_TAGS = (
    f"{WORD_NAMESPACE}moveFrom",
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
    f"{OPEN_DOCUMENT_NAMESPACE}tracked-changes",
    f"{OPEN_DOCUMENT_NAMESPACE}note-citation",
)


class Unreadable(Exception):
    """Error for a file without extractable text; the message is a code for the parent process."""


def limit_resources() -> None:
    """Limit memory and CPU time of this process, and prevent it from writing files."""
    _set_limit("RLIMIT_AS", MAX_MEMORY_BYTES, MAX_MEMORY_BYTES)
    _set_limit("RLIMIT_FSIZE", 0, 0)
    limit_cpu_time(MAX_CPU_SECONDS)


def limit_cpu_time(seconds: int) -> None:
    """Limit the CPU time of this process; the parent detects the signal sent at the limit."""
    _set_limit("RLIMIT_CPU", seconds, MAX_CPU_SECONDS + 1)


def limit_for_text(size: int) -> None:
    """Limit memory and CPU time for extracting text, in proportion to the size of the file."""
    memory = min(MAX_MEMORY_BYTES, MIN_MEMORY + MEMORY_PER_BYTE * size)
    _set_limit("RLIMIT_AS", memory, MAX_MEMORY_BYTES)
    limit_cpu_time(min(MAX_CPU_SECONDS, MIN_SECONDS + SECONDS_PER_MEGABYTE * size // 1_000_000))


def _set_limit(name: str, soft: int, hard: int) -> None:
    """Set a limit of this process; if the system does not support it, do nothing."""
    if resource is not None:
        with suppress(ValueError, OSError):
            resource.setrlimit(getattr(resource, name), (soft, hard))


def _open_pdf(data: bytes) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise Unreadable("locked" if "password" in str(error).lower() else "damaged") from error


def extract_pdf_text(data: bytes) -> tuple[str, str]:
    """Return title and text of a PDF file, with a blank line between pages."""
    document = _open_pdf(data)
    pages: list[str] = []
    characters_left = min(MAX_TEXT_CHARACTERS, MIN_TEXT + TEXT_PER_BYTE * len(data))
    for page in document:
        text = page.get_textpage().get_text_range()
        # pypdfium2 replaces a hyphen at the end of a line with U+FFFE
        pages.append(text.replace("\r\n", "\n").replace("\ufffe", "").strip())
        characters_left -= len(text)
        if characters_left < 0:
            raise Unreadable("large")
    return str(document.get_metadata_dict().get("Title", "")), "\n\n".join(pages)


def render_page(data: bytes, number: int) -> dict[str, object]:
    """Return a page of a PDF file as PNG, its number, and the total number of pages.

    If `number` is too large, the last page is returned.
    """
    document = _open_pdf(data)
    number = max(1, min(number, len(document)))
    return {
        "png": b64encode(encode_png(_render_bitmap(document[number - 1]))).decode(),
        "number": number,
        "pages": len(document),
    }


def render_pages(data: bytes, max_pages: int) -> dict[str, object]:
    """Return the first pages of a PDF file in WebP format, and the total number of pages."""
    from PIL import Image  # noqa: PLC0415 -- only these pictures need it

    document = _open_pdf(data)
    encoded_pictures: list[str] = []
    for index in range(min(max_pages, len(document))):
        bitmap, file = _render_bitmap(document[index]), io.BytesIO()
        # at this quality, text is sharp, and files are a third as large as PNG files
        Image.frombuffer(
            "RGB",
            (bitmap.width, bitmap.height),
            bytes(bitmap.buffer),
            "raw",
            "RGB",
            bitmap.stride,
            1,
        ).save(file, "WEBP", quality=60, method=2)
        encoded_pictures.append(b64encode(file.getvalue()).decode())
    return {"pictures": encoded_pictures, "pages": len(document)}


def _render_bitmap(page: pypdfium2.PdfPage) -> pypdfium2.PdfBitmap:
    width, height = page.get_size()
    return page.render(
        scale=min(PAGE_WIDTH / max(width, 1), MAX_PAGE_HEIGHT / max(height, 1)), rev_byteorder=True
    )


def encode_png(bitmap: pypdfium2.PdfBitmap) -> bytes:
    """Return an RGB bitmap as a PNG file."""
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


def extract_docx_text(data: bytes) -> tuple[str, str]:
    """Return title and text of a DOCX file, one paragraph per line."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        return _read_title(parts, "docProps/core.xml"), _read_text(
            parts, "word/document.xml", {f"{WORD_NAMESPACE}p"}, {f"{WORD_NAMESPACE}t"}
        )


def extract_odt_text(data: bytes) -> tuple[str, str]:
    """Return title and text of an ODT file, one paragraph or heading per line."""
    with zipfile.ZipFile(io.BytesIO(data)) as parts:
        return _read_title(parts, "meta.xml"), _read_text(
            parts,
            "content.xml",
            {f"{OPEN_DOCUMENT_NAMESPACE}p", f"{OPEN_DOCUMENT_NAMESPACE}h"},
            None,
        )


def _parse_part(parts: zipfile.ZipFile, name: str) -> Element:
    info = parts.getinfo(name)  # a part cannot be larger than its declared size
    if len(parts.infolist()) > MAX_PARTS or (
        info.file_size > MIN_CHECKED_SIZE and info.file_size > MAX_RATIO * info.compress_size
    ):
        raise Unreadable("bomb")
    if info.file_size > MAX_XML_BYTES:
        raise Unreadable("large")
    raw = parts.read(info)
    if sum(map(raw.count, (b"<", b"=", b"&", b"\n"))) > max(
        MIN_MARKUP, MARKUP_PER_BYTE * info.compress_size
    ):
        raise Unreadable("bomb")
    root: Element = defusedxml.ElementTree.fromstring(raw)
    return root


def _read_title(parts: zipfile.ZipFile, name: str) -> str:
    if name not in parts.namelist():
        return ""
    element = _parse_part(parts, name).find(f".//{TITLE_TAG}")
    return "" if element is None else (element.text or "").strip()


def _read_text(
    parts: zipfile.ZipFile, name: str, paragraphs: set[str], text_tags: set[str] | None
) -> str:
    root = _parse_part(parts, name)
    for tag in HIDDEN_TAGS:
        for hidden_element in root.iter(tag):
            hidden_element.clear()
    lines, characters_left = [], MAX_TEXT_CHARACTERS
    for paragraph in (element for element in root.iter() if element.tag in paragraphs):
        texts: list[str] = []
        for text in _iter_texts(paragraph, paragraphs, text_tags):
            texts.append(text)
            characters_left -= len(text)
            if characters_left < 0:
                raise Unreadable("large")
        lines.append("".join(texts))
    return "\n".join(lines).strip()


def _iter_texts(body: Element, paragraphs: set[str], text_tags: set[str] | None) -> Iterator[str]:
    """Yield the texts of a paragraph, but not those of paragraphs inside it.

    If `text_tags` is given, only the texts directly inside these tags are included.
    """
    pending: list[tuple[Element, bool]] = [(body, False)]
    while pending:
        element, is_end = pending.pop()
        if is_end:
            yield element.tail or "" if text_tags is None else ""
            continue
        is_hidden = element is not body and element.tag in paragraphs
        if element is not body:
            pending.append((element, True))
        if not is_hidden:
            yield BLANKS.get(element.tag, "")
            if element.tag == f"{OPEN_DOCUMENT_NAMESPACE}s":
                yield " " * min(int(element.get(f"{OPEN_DOCUMENT_NAMESPACE}c", "1")), 1000)
            yield (element.text or "") if text_tags is None or element.tag in text_tags else ""
            pending.extend((child, False) for child in reversed(element))


EXTRACTORS = {"PDF": extract_pdf_text, "DOCX": extract_docx_text, "ODT": extract_odt_text}


def _convert(format_name: str, number: str = "1") -> dict[str, object]:
    data = sys.stdin.buffer.read()
    if format_name == "PAGE":
        return render_page(data, int(number))
    if format_name == "PAGES":
        return render_pages(data, int(number))
    limit_for_text(len(data))
    title, text = EXTRACTORS[format_name](data)
    return {"title": title[:1000], "text": text}


def main() -> None:
    """Read one file from standard input and write its text or pages to standard output."""
    limit_resources()
    try:
        result = _convert(*sys.argv[1:])
    except Unreadable as error:
        result = {"problem": str(error)}
    except MemoryError:
        result = {"problem": "large"}
    except Exception:  # noqa: BLE001 -- whatever a hostile file makes a parser raise, it is one sentence
        result = {"problem": "damaged"}
    sys.stdout.buffer.write(json.dumps(result).encode())


if __name__ == "__main__":
    main()

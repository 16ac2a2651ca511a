"""Files of office programs, PDF and e-books: known by their bytes; of three forms the text is read, in a process of its own."""

import json
import re
import subprocess
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from irjudge.errors import FormatError
from irjudge.formats.reader_warnings import OFFICE_LEFT_OUT, SHEETS_LEFT_OUT, Oddity
from irjudge.message import Message
from irjudge.shipped import module_command

_ZIP, _OLE = b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FIRST_NAME = 30  # where a zip archive names its first file
_MIME = re.compile(
    rb"mimetypeapplication/(epub|vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation|graphics))"
)  # stored first in its zip
_BY_TYPE = {
    b"epub": "EPUB",
    b"text": "ODT",
    b"spreadsheet": "ODS",
    b"presentation": "ODP",
    b"graphics": "ODG",
}
_PACKAGE = re.compile(
    rb"\[Content_Types\]\.xml|_rels/|docProps/|customXml/|word/|xl/|ppt/"
)  # an archive of such files begins with their names
_BY_PART = {b"word/": "DOCX", b"xl/": "XLSX", b"ppt/": "PPTX"}
_OLD = {".xls": "XLS", ".ppt": "PPT"}
_SHEETS = frozenset({"XLSX", "XLS", "ODS"})

READ = ("PDF", "DOCX", "ODT")  # as documents
CHILD, PATIENCE = (
    "irjudge.formats.collections.office_child",
    120,
)  # seconds of a clock; the child's own limit is of work
LARGEST, LARGEST_PICTURE = 256 << 20, 8 << 20  # bytes
WHY = {
    "locked": Message("it is locked with a password; save it without one", key="locked"),
    "large": Message("it expands to more than irjudge reads of one document; save it as text"),
    "damaged": Message(
        "it is damaged, or no such file; open it in its program and save it anew, or as text"
    ),
    "slow": Message("reading it takes too long; save it as text"),
}


def office_text(data: bytes, form: str, where: Path) -> tuple[str, str]:
    """Return title and text of a file of one of the forms in `READ`, extracted by a process of its own, under limits."""
    said = _asked(data, where, form)
    return said["title"], said["text"]


def _asked(data: bytes, where: Path, *words: str) -> dict[str, Any]:
    """Return what the other process says of a file; FormatError where it says why there is nothing."""
    if len(data) > LARGEST:
        raise FormatError(where, WHY["large"])
    command = [*module_command(CHILD), *words]
    try:
        done = subprocess.run(
            command, input=data, capture_output=True, timeout=PATIENCE, check=False
        )
        said: dict[str, Any] = (
            json.loads(done.stdout) if done.returncode == 0 else {"problem": "damaged"}
        )
    except subprocess.TimeoutExpired:
        said = {"problem": "slow"}
    if "problem" in said:
        raise FormatError(where, WHY[said["problem"]])
    return said


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as a PNG file, its number from 1, and how many there are."""

    png: bytes
    number: int
    pages: int


def page_picture(pdf: bytes, number: int, where: Path) -> PagePicture:
    """Return a picture of a page of a PDF file, drawn by a process of its own, under limits."""
    said = _asked(pdf, where, "PAGE", str(number))
    return PagePicture(b64decode(said["png"]), said["number"], said["pages"])


def page_pictures(pdf: bytes, most: int, where: Path) -> tuple[tuple[bytes, ...], int]:
    """Return the first pages of a PDF file as WebP files, and how many pages it has; drawn by a process of its own, under limits."""
    said = _asked(pdf, where, "PAGES", str(most))
    try:
        pictures = tuple(b64decode(each, validate=True) for each in said["pictures"])
        pages = int(said["pages"])
    except (KeyError, TypeError, ValueError) as fault:
        raise FormatError(where, WHY["damaged"]) from fault
    if not 0 < len(pictures) <= min(most, pages) or not all(_is_webp(each) for each in pictures):
        raise FormatError(where, WHY["damaged"])
    return pictures, pages


def _is_webp(picture: bytes) -> bool:
    size = int.from_bytes(picture[4:8], "little") + 8
    return (
        picture[:4] == b"RIFF"
        and picture[8:12] == b"WEBP"
        and size == len(picture) <= LARGEST_PICTURE
    )


def office_form(head: bytes, name: str) -> str:
    """Return what a file is, such as `DOCX` or `PDF`, from its first bytes; empty for any other.

    >>> office_form(b"%PDF-1.7", "a"), office_form(b"words", "a.pdf")
    ('PDF', '')
    """
    if head.startswith(_ZIP):
        return _of_zip(head, PurePosixPath(name).suffix.lower())
    if head.startswith(_OLE):
        return _OLD.get(PurePosixPath(name).suffix.lower(), "DOC")
    if head.startswith(b"%PDF-"):
        return "PDF"
    return "RTF" if head.startswith(rb"{\rtf") else ""


def _of_zip(head: bytes, ending: str) -> str:
    if match := _MIME.match(head, _FIRST_NAME):
        return _BY_TYPE[match[1].rpartition(b".")[2]]
    if not _PACKAGE.match(head, _FIRST_NAME) or (
        b"[Content_Types].xml" not in head and b"_rels/" not in head
    ):
        return ""
    named = ending[1:].upper()
    return (
        named
        if named in _BY_PART.values()
        else next((form for part, form in _BY_PART.items() if part in head), "DOCX")
    )


def left_out(form: str) -> Oddity:
    """Return what is said of such files in a folder or an archive."""
    return SHEETS_LEFT_OUT if form in _SHEETS else OFFICE_LEFT_OUT


def refusal(form: str) -> str:
    """Return the sentence about such a file that the user named."""
    if form in _SHEETS:
        return Message(
            "it is a spreadsheet ({form}), from which nothing like this is read; save its sheet as CSV and read that",
            key="spreadsheet",
            form=form,
        )
    if form in READ:
        return Message(
            "it is a {form} file, of which documents are read and nothing else; save it as text and read that",
            key="documents-only",
            form=form,
        )
    return Message(
        "it is a {form} file, which is not read yet; save it as text or HTML and read that",
        key="office-file",
        form=form,
    )

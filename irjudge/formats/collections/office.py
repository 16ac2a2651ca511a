"""Extraction of text and page pictures from office and PDF files, in a separate process."""

import json
import signal
import subprocess
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError
from irjudge.message import Message
from irjudge.shipped import module_command

# module of the child process, and its maximum elapsed time; the child limits its own CPU time
CHILD_MODULE = "irjudge.formats.collections.office_child"
TIMEOUT_SECONDS = 120
# exit code of a child that exceeded its CPU time; None on Windows
CPU_TIME_EXIT_CODE = -getattr(signal, "SIGXCPU", 0) or None
MAX_FILE_BYTES, MAX_PICTURE_BYTES = 256 << 20, 8 << 20  # maximum bytes of a file, and of a picture
FAILURE_REASONS = {
    "locked": Message("it is protected by a password; save it without one", key="locked"),
    "large": Message(
        "it expands to more text than irjudge reads from one document; save it as plain text"
    ),
    "bomb": Message(
        "it expands to an implausibly large amount of data for its size; this may be a "
        "decompression bomb and is not read",
        key="bomb",
    ),
    "damaged": Message(
        "it is damaged or of another type; open it in its own program and save it again, or "
        "save it as text"
    ),
    "slow": Message("reading the file takes too long; save it as text"),
}


def extract_office_text(data: bytes, format_name: str, path: Path) -> tuple[str, str]:
    """Return title and text of an office file, extracted by a child process."""
    result = _run_child(data, path, format_name)
    return result["title"], result["text"]


def _run_child(data: bytes, path: Path, *arguments: str) -> dict[str, Any]:
    """Return the JSON output of a child process for a file; raise FormatError if it fails."""
    if len(data) > MAX_FILE_BYTES:
        raise FormatError(path, FAILURE_REASONS["large"])
    command = [*module_command(CHILD_MODULE), *arguments]
    try:
        process = subprocess.run(
            command, input=data, capture_output=True, timeout=TIMEOUT_SECONDS, check=False
        )
        result: dict[str, Any] = (
            json.loads(process.stdout)
            if process.returncode == 0
            else {"problem": "slow" if process.returncode == CPU_TIME_EXIT_CODE else "damaged"}
        )
    except subprocess.TimeoutExpired:
        result = {"problem": "slow"}
    if "problem" in result:
        raise FormatError(path, FAILURE_REASONS[result["problem"]])
    return result


@dataclass(frozen=True, slots=True)
class PagePicture:
    """Picture of a PDF page: a PNG file, the page number from 1, and the number of pages."""

    png: bytes
    number: int
    pages: int


def render_page_picture(pdf: bytes, number: int, path: Path) -> PagePicture:
    """Return a picture of a page of a PDF file, rendered by a child process."""
    result = _run_child(pdf, path, "PAGE", str(number))
    return PagePicture(b64decode(result["png"]), result["number"], result["pages"])


def render_page_pictures(pdf: bytes, max_pages: int, path: Path) -> tuple[tuple[bytes, ...], int]:
    """Return WebP pictures of the first pages of a PDF file, and the total number of pages."""
    result = _run_child(pdf, path, "PAGES", str(max_pages))
    try:
        pictures = tuple(b64decode(picture, validate=True) for picture in result["pictures"])
        pages = int(result["pages"])
    except (KeyError, TypeError, ValueError) as error:
        raise FormatError(path, FAILURE_REASONS["damaged"]) from error
    if not 0 < len(pictures) <= min(max_pages, pages) or not all(
        _is_webp(picture) for picture in pictures
    ):
        raise FormatError(path, FAILURE_REASONS["damaged"])
    return pictures, pages


def _is_webp(picture: bytes) -> bool:
    size = int.from_bytes(picture[4:8], "little") + 8
    return (
        picture[:4] == b"RIFF"
        and picture[8:12] == b"WEBP"
        and size == len(picture) <= MAX_PICTURE_BYTES
    )

"""How much there is to read, where that can be told without reading all of it."""

import os
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path

from irjudge.formats.bytes.archives import is_hidden
from irjudge.formats.collections.documents import corpus_in

MOST_BYTES = 200_000_000  # of a file whose lines are counted
MOST_FILES = 200_000
UTF_16 = (b"\xff\xfe", b"\xfe\xff")


def documents_in(path: Path, form: str) -> int | None:
    """Return how many documents there are at a path whose form was recognised; None where only reading all of it would tell.

    Of JSON lines in a plain file every line that is not blank counts.
    """
    with suppress(OSError):  # reading it says what is wrong
        corpus = corpus_in(path)
        if form != "JSON lines" or not corpus.is_file() or corpus.stat().st_size > MOST_BYTES:
            return None
        with corpus.open("rb") as file:
            return None if file.peek(2).startswith(UTF_16) else sum(not line.isspace() for line in file)
    return None


def files_in(path: Path, form: str) -> int | None:
    """Return how many files a folder or archive holds; None for other paths, and where only unpacking or a long walk would tell."""
    with suppress(OSError, ValueError, zipfile.BadZipFile, tarfile.TarError):  # reading it says what is wrong
        return _files(path, form)
    return None


def _files(path: Path, form: str) -> int | None:
    if path.is_dir():
        return _up_to(_files_in_folder(path))
    if form.endswith(" in a zip archive"):
        with zipfile.ZipFile(path) as archive:
            return _up_to(info.filename for info in archive.infolist() if not info.is_dir() and not is_hidden(info.filename))
    if form.endswith(" in a tar archive") and path.stat().st_size <= MOST_BYTES and tarfile.is_tarfile(path):
        with tarfile.open(path, "r:") as archive:  # packed ones are not: to count is to unpack
            return _up_to(member.name for member in archive if member.isfile() and not is_hidden(member.name))
    return None


def _files_in_folder(folder: Path) -> Iterator[str]:
    for _, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_hidden(name)]
        yield from (name for name in names if not is_hidden(name))


def _up_to(names: Iterable[str]) -> int | None:
    count = sum(1 for _ in islice(names, MOST_FILES + 1))
    return count if count <= MOST_FILES else None

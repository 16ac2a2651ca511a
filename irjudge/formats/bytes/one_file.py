"""One file, plain or packed, that is opened once, however many readers look at its beginning before one reads it."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TypeAlias, cast

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import (
    ZIP,
    ArchiveEntry,
    as_text,
    cannot_open,
    one_of_text,
    unpacked,
)
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.mapping import ColumnMapping
from irjudge.message import Message

MARK = 8  # bytes that tell what a file is
KEPT = (
    8 << 20
)  # bytes, unpacked: as much as one block of lines, and several times what tells most files from each other


class _Passes(io.RawIOBase):
    """What comes out of a file; its beginning is kept for whoever begins again, while that is little."""

    def __init__(self, entry: ArchiveEntry) -> None:
        self.entry = entry
        self.gone = False  # what was read is kept no longer: who begins again needs the file again
        self._kept, self._at, self._last = bytearray(), 0, False

    def begin(self, *, last: bool) -> None:
        """Give the first byte next; after the last beginning nothing more is kept."""
        self._at, self._last = 0, last

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with what is kept, and with what follows once that has been given."""
        view = memoryview(buffer)
        kept = self._kept[self._at : self._at + len(view)]
        if kept:
            view[: len(kept)] = kept
            self._at += len(kept)
            return len(kept)
        try:
            count = self.entry.stream.readinto(view)
        except BaseException:
            self._forget()  # a stream that has failed says something else when it is read on
            raise
        if self._last or len(self._kept) + count > KEPT:
            self._forget()
        elif not self.gone:
            self._kept += view[:count]
        self._at += count
        return count

    def _forget(self) -> None:
        self._kept, self.gone = bytearray(), True


class OneFile:
    """A file that the user named, opened when it is first looked at.

    Readers that may give up take it first, one after another, each from its beginning, then the one that reads it. It is read once
    where all that the others took fits in `KEPT`; else twice, since keeping what might not be wanted would take as much memory as the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: io.BufferedReader | None = None
        self._passes: _Passes | None = None
        self._mark = b""

    def raw(self) -> io.BufferedReader:
        """Return the file itself at its beginning, packed as it is."""
        if self._file is None:
            self._file = self.path.open("rb")
            self._mark = self._file.peek(MARK)[:MARK]
        else:
            self._file.seek(0)
        self._passes = None
        return self._file

    def begins(self, marks: bytes | tuple[bytes, ...]) -> bool:
        """Tell whether it begins, packed as it is, with one of some marks, and leave what was read of it as it is."""
        if self._file is None:
            self.raw()
        return self._mark.startswith(marks)

    def is_zip(self) -> bool:
        """Tell whether it begins as a zip archive does."""
        return self.begins(ZIP)

    def plain(self, *, last: bool = True) -> BinaryIO:
        """Return what it holds, unpacked, from the beginning on; unless `last`, somebody may begin again."""
        try:
            passes = self._begin(last=last)
        except OSError as fault:
            raise FormatError(
                self.path, Message("cannot be read ({value})", value=fault.strerror or fault)
            ) from fault
        return cast(BinaryIO, passes)

    def text(
        self, remarks: Remarks, *, encoding: str | None = None, columns: ColumnMapping | None = None
    ) -> ArchiveEntry:
        """Return it as text from the beginning on, as `single_file` yields it; somebody may begin again."""
        if self.path.is_dir():
            raise FormatError(self.path, "it is a folder, expected a file")
        try:
            passes = self._begin(last=False)
        except (OSError, ValueError) as fault:
            raise cannot_open(self.path, fault) from None
        return as_text(
            one_of_text(passes.entry, passes), remarks, encoding=encoding, columns=columns
        )

    def _begin(self, *, last: bool) -> _Passes:
        if self._passes is None or self._passes.gone:
            self._passes = _Passes(unpacked(self.raw(), self.path))
        self._passes.begin(last=last)
        return self._passes

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


Given: TypeAlias = Path | OneFile
"""A path; or a file that somebody has looked at already, so that it is not opened again."""


@contextmanager
def one_file(given: Given) -> Iterator[OneFile]:
    """Give the file that is given, and close it again where it was given as a path."""
    if isinstance(given, OneFile):
        yield given
        return
    file = OneFile(given)
    try:
        yield file
    finally:
        file.close()


def single_file(
    given: Given,
    remarks: Remarks,
    *,
    encoding: str | None = None,
    columns: ColumnMapping | None = None,
) -> Iterator[ArchiveEntry]:
    """Yield the one file of text that is given, plain or packed, open until the next is asked for."""
    with one_file(given) as file:
        yield file.text(remarks, encoding=encoding, columns=columns)


@contextmanager
def open_plain(path: Path) -> Iterator[io.BufferedReader]:
    """Open a file or pipe for reading bytes, and unpack gzip, bzip2 and xz by its first bytes."""
    with one_file(path) as file:
        yield io.BufferedReader(cast(io.RawIOBase, file.plain()))

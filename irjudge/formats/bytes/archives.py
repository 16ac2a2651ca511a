"""Files, folders and archives as a row of open entries: nothing is written to disk, and nothing expands without bounds."""

import bz2
import gzip
import io
import lzma
import os
import re
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Protocol, cast

from irjudge.errors import FormatError
from irjudge.formats.bytes.encodings import as_utf8
from irjudge.formats.bytes.utf8 import megabytes
from irjudge.formats.collections.office import READ, left_out, office_form, refusal
from irjudge.formats.remarks import ARCHIVE_LEFT_OUT, LINK_LEFT_OUT, NO_END_MARK, Remarks
from irjudge.formats.rows.mapping import AS_RECOGNISED, ColumnMapping
from irjudge.message import Message

CHUNK = 64 * 1024
MOST_MEMORY = 128 * 1024 * 1024  # xz -9 takes 65 MB to unpack; a header may claim 4 GB


class ByteSource(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return `size` bytes or fewer; none at the end."""


class _Engine(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Unpacking:
    """What several packed streams in a row hold, in pieces no larger than asked for."""

    def __init__(self, file: io.BufferedReader, engine: Callable[[], object]) -> None:
        self._file, self._new = file, cast(Callable[[], _Engine], engine)
        self._engine = self._new()

    def read(self, size: int, /) -> bytes:
        while packed := self._packed():
            piece = self._engine.decompress(packed[0], size)
            if piece:
                return piece
        return b""

    def _packed(self) -> tuple[bytes] | None:
        """Return what the engine is to be given next, maybe nothing; None at the end of the file."""
        if self._engine.eof:
            following = self._engine.unused_data.lstrip(b"\0")  # xz pads with zero bytes
            while not following and (chunk := self._file.read(CHUNK)):
                following = chunk.lstrip(b"\0")
            if not following:
                return None
            self._engine = self._new()
            return (following,)
        if not self._engine.needs_input:
            return (b"",)
        chunk = self._file.read(CHUNK)
        if not chunk:
            raise EOFError(Message("its end is missing"))
        return (chunk,)


@dataclass(frozen=True, slots=True)
class Packer:
    """One way to pack a file."""

    name: str  # in words
    mark: re.Pattern[bytes]  # what packed files begin with
    endings: tuple[
        tuple[str, str], ...
    ]  # what packing adds to a name, and what stands in its place after unpacking
    unpack: Callable[
        [io.BufferedReader], ByteSource
    ]  # makes a packed file one that gives its content

    def unpacked_name(self, name: str) -> str:
        """Return the name without its ending.

        >>> PACKERS[0].unpacked_name("docs.TGZ"), PACKERS[1].unpacked_name("docs.jsonl.bz2")
        ('docs.tar', 'docs.jsonl')
        """
        for ending, instead in self.endings:
            if name.lower().endswith(ending):
                return name[: -len(ending)] + instead
        return name


PACKERS = (
    Packer(
        "gzip",
        re.compile(rb"\x1f\x8b"),
        ((".tgz", ".tar"), (".gz", "")),
        lambda file: gzip.GzipFile(fileobj=file, mode="rb"),
    ),
    Packer(
        "bzip2",
        re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
        ((".tbz2", ".tar"), (".tbz", ".tar"), (".bz2", "")),
        lambda file: _Unpacking(file, bz2.BZ2Decompressor),
    ),
    Packer(
        "xz",
        re.compile(rb"\xfd7zXZ\x00"),
        ((".txz", ".tar"), (".xz", "")),
        lambda file: _Unpacking(
            file, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
        ),
    ),
)


def packer_of(head: bytes) -> Packer | None:
    """Return what a file that begins with `head` is packed with; None when it is not packed."""
    return next((packer for packer in PACKERS if packer.mark.match(head)), None)


HEAD = 64 * 1024
SUSPICIOUS_RATIO = 100
SUSPICIOUS_SIZE = 16 * 1024 * 1024
LARGEST_TOTAL = 20 * 1024**3
# Rows of words that are said again and again, as weights of learned sparse models are written, are packed tighter than other text.
ROWS_RATIO = 400
LONGEST_ROW = 1024 * 1024
LONGEST_BEGINNING = 32

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
OTHER_PACKERS = {
    "Zstandard": re.compile(rb"\x28\xb5\x2f\xfd"),
    "compress": re.compile(rb"\x1f\x9d"),
    "7-Zip": re.compile(rb"7z\xbc\xaf\x27"),
}

# What the standard library raises on packed bytes that are broken.
BROKEN = (
    EOFError,
    IndexError,
    KeyError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    ValueError,
    lzma.LZMAError,
    struct.error,
    zipfile.BadZipFile,
    zlib.error,
)


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """One file that is open for reading."""

    where: Path  # what errors name; inside an archive it is no path that exists
    name: str  # its name inside the folder or archive, without the ending of its packer
    stream: io.BufferedReader  # its bytes, unpacked
    holder: str = ""  # what it lies in: "folder", "tar archive", "zip archive"; empty when the user named the file itself
    packed: str = (
        ""  # what the file itself was packed with: "gzip", "bzip2", "xz"; empty when it was not
    )
    columns: ColumnMapping = AS_RECOGNISED  # what the user said about the columns of all files
    by_order: bool = False  # whether records are called by their places, so that they need no ids

    @property
    def head(self) -> bytes:
        """The first bytes that are not read yet, 64 KB at most."""
        return self.stream.peek(HEAD)[:HEAD]

    @property
    def ending(self) -> str:
        """The ending of the name in small letters, with its dot."""
        return PurePosixPath(self.name).suffix.lower()


class _Weight:
    """How much came out of one file or archive of `packed` bytes."""

    def __init__(self, packed: int) -> None:
        self.packed, self.total = packed, 0


class _Guarded(io.RawIOBase):
    """A stream that stops at a bomb, and turns what a broken file raises into a sentence."""

    def __init__(
        self,
        source: ByteSource,
        where: Path,
        packed: int | None,
        weight: _Weight,
        *,
        alone: bool = False,
    ) -> None:
        self._source, self._where, self._packed, self._weight, self._size = (
            source,
            where,
            packed,
            weight,
            0,
        )
        self._alone, self._row = alone, 0  # bytes since the last line end

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as the source goes, so that one look at the head sees all of it."""
        view, filled = memoryview(buffer), 0
        while filled < len(view) and (piece := self._piece(len(view) - filled)):
            view[filled : filled + len(piece)] = piece
            filled += len(piece)
        if self._packed is not None:
            self._weigh(view[:filled], self._packed)
        return filled

    def _piece(self, size: int) -> bytes:
        try:
            return self._source.read(size)
        except BROKEN as error:
            raise _damaged(self._where, error) from error

    def _weigh(self, piece: memoryview, packed: int) -> None:
        self._size += len(piece)
        self._weight.total += len(piece)
        weighed = (
            (self._size, packed),
            (self._weight.total, self._weight.packed),
        )  # members may share their packed bytes
        heavy = next(
            (
                (out, taken)
                for out, taken in weighed
                if out > SUSPICIOUS_SIZE and out > SUSPICIOUS_RATIO * taken
            ),
            None,
        )
        if heavy and not (
            self._alone and self._size <= ROWS_RATIO * packed and self._in_rows(piece)
        ):
            out, taken = heavy
            problem = Message(
                "{taken:,} packed bytes expand to more than {megabytes}; it looks like a bomb and is not read",
                key="bomb",
                taken=taken,
                megabytes=megabytes(out),
            )
            raise FormatError(self._where, problem)
        if self._weight.total > LARGEST_TOTAL:
            raise FormatError(
                self._where,
                Message(
                    "it expands to more than {megabytes} and is not read further",
                    key="too-much-unpacked",
                    megabytes=megabytes(LARGEST_TOTAL),
                ),
            )

    def _in_rows(self, piece: memoryview) -> bool:
        """Tell whether what comes out is lines of text that begin differently: no zero byte, and no line longer than a megabyte."""
        raw = bytes(piece)
        first, *lines = raw.split(b"\n")
        self._row = len(lines[-1]) if lines else self._row + len(first)
        begins = {line[:LONGEST_BEGINNING] for line in lines}
        return self._row <= LONGEST_ROW and b"\0" not in raw and 2 * len(begins) >= len(lines)


def entries(path: Path, remarks: Remarks) -> Generator[ArchiveEntry, None, None]:
    """Yield the files at `path`, each open until the next is asked for."""
    if path.is_dir():
        yield from _in_folder(path, "", remarks)
        return
    with _opened(path) as file:
        if office_form(file.peek(HEAD)[:HEAD], path.name) in READ:
            yield _single(file, path, path.name, "")
            return
        _refuse_office(file, path)
        if file.peek(4).startswith(ZIP):
            yield from _in_zip(file, path, remarks)
            return
        entry = _single(file, path, path.name, "")
        if is_tar(entry.head, entry.name):
            yield from _in_tar(entry, remarks)
        else:
            yield entry


def unpacked(file: io.BufferedReader, where: Path) -> ArchiveEntry:
    """Return an open file with its bytes as they are, or unpacked from gzip, bzip2 or xz, and refused where it looks like a bomb."""
    _refuse_office(file, where)
    return (
        _single(file, where, where.name, "")
        if packer_of(file.peek(HEAD)[:HEAD])
        else ArchiveEntry(where, where.name, file)
    )


def one_of_text(entry: ArchiveEntry, source: ByteSource) -> ArchiveEntry:
    """Return a file that the user named with its unpacked bytes from `source`, and what breaks in them said in a sentence."""
    single = replace(entry, stream=_buffered(source, entry.where, None, _Weight(0)))
    _refuse_packed(single)
    if single.head.startswith(ZIP) or is_tar(single.head, single.name):
        raise FormatError(
            entry.where,
            Message(
                "it is an archive, expected one file, plain or packed with gzip, bzip2 or xz",
                key="archive",
            ),
        )
    return single


def as_text(
    entry: ArchiveEntry,
    remarks: Remarks,
    *,
    encoding: str | None = None,
    columns: ColumnMapping | None = None,
) -> ArchiveEntry:
    """Return the entry with its stream in UTF-8 (see `as_utf8`), and with what was said about columns."""
    return replace(
        entry,
        stream=as_utf8(entry.stream, entry.name, remarks, encoding),
        columns=columns or entry.columns,
    )


def is_archive(entry: ArchiveEntry) -> bool:
    """Tell whether the entry is itself an archive or a packed file."""
    head = entry.head
    return head.startswith(ZIP) or is_tar(head, entry.name) or packer_of(head) is not None


def _opened(path: Path) -> io.BufferedReader:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise cannot_open(path, error) from None


def cannot_open(path: Path, error: Exception) -> FormatError:
    """Return the sentence about a file that cannot be opened."""
    return FormatError(
        path,
        Message(
            "the file cannot be opened ({value})",
            key="cannot-open",
            value=getattr(error, "strerror", None) or error,
        ),
    )


def _refuse_office(file: io.BufferedReader, where: Path) -> None:
    if form := office_form(file.peek(HEAD)[:HEAD], where.name):
        raise FormatError(where, refusal(form))


def _damaged(where: Path, error: Exception) -> FormatError:
    if isinstance(error, NotImplementedError):
        return FormatError(
            where,
            Message(
                "it is packed in a way that is not known ({error}); unpack it and read the files",
                key="unknown-packing",
                error=error,
            ),
        )
    if isinstance(error, RuntimeError) and "password" in str(error):
        return FormatError(
            where,
            Message("it is locked with a password; unpack it and read the files", key="locked"),
        )
    return FormatError(
        where,
        Message(
            "the file is damaged and cannot be read to its end ({value})",
            key="damaged",
            value=error or type(error).__name__,
        ),
    )


def _single(file: io.BufferedReader, where: Path, name: str, holder: str) -> ArchiveEntry:
    size, packer = os.fstat(file.fileno()).st_size, packer_of(file.peek(HEAD)[:HEAD])
    packed = size if packer and size else None  # nobody knows how much comes through a pipe
    stream = _buffered(
        packer.unpack(file) if packer else file, where, packed, _Weight(size), alone=not holder
    )
    entry = ArchiveEntry(
        where,
        packer.unpacked_name(name) if packer else name,
        stream,
        holder,
        packer.name if packer else "",
    )
    if not holder:
        _refuse_packed(entry)
    return entry


def _refuse_packed(entry: ArchiveEntry) -> None:
    """Refuse what is packed in a way that is known and not read."""
    for other, mark in OTHER_PACKERS.items():
        if mark.match(entry.stream.peek(8)):
            problem = Message(
                "it is packed with {other}, expected gzip, bzip2, xz, zip or tar; unpack it and read the files",
                key="other-packer",
                other=other,
            )
            raise FormatError(entry.where, problem)


def _buffered(
    source: ByteSource, where: Path, packed: int | None, weight: _Weight, *, alone: bool = False
) -> io.BufferedReader:
    return io.BufferedReader(_Guarded(source, where, packed, weight, alone=alone), 2 * HEAD)


def _in_folder(folder: Path, prefix: str, remarks: Remarks) -> Iterator[ArchiveEntry]:
    try:
        found = sorted(os.scandir(folder), key=lambda item: item.name)
    except OSError as error:
        raise FormatError(
            folder, Message("the folder cannot be opened ({strerror})", strerror=error.strerror)
        ) from None
    for item in found:
        name = prefix + _storable(item.name)
        if is_hidden(item.name):
            continue
        if item.is_dir(follow_symlinks=False):
            yield from _in_folder(Path(item.path), f"{name}/", remarks)
        elif _is_file(item):
            yield from _file_in_folder(Path(item.path), name, remarks)
        else:  # a link to a folder could lead round in a circle, a pipe would wait for ever
            remarks.add(LINK_LEFT_OUT, name)


def _is_file(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_file()
    except OSError:  # a link to itself
        return False


def _file_in_folder(path: Path, name: str, remarks: Remarks) -> Iterator[ArchiveEntry]:
    with _opened(path) as file:
        yield from _member(_single(file, path, name, "folder"), remarks)


def _in_tar(archive: ArchiveEntry, remarks: Remarks) -> Iterator[ArchiveEntry]:
    for member in tar_members(archive.stream, archive.where, remarks):
        name = _storable(member.name)
        if not is_hidden(name):
            yield from _member(
                ArchiveEntry(
                    _inside(archive.where, name), name, member.stream, Message("tar archive")
                ),
                remarks,
            )


def _member(entry: ArchiveEntry, remarks: Remarks) -> Iterator[ArchiveEntry]:
    form = office_form(entry.head, entry.name)
    if form and form not in READ:
        remarks.add(left_out(form), entry.name)
    elif not form and is_archive(entry):
        remarks.add(ARCHIVE_LEFT_OUT, entry.name)
    else:
        yield entry


def _in_zip(file: io.BufferedReader, where: Path, remarks: Remarks) -> Iterator[ArchiveEntry]:
    size = os.fstat(file.fileno()).st_size
    weight = _Weight(size)
    try:
        with zipfile.ZipFile(file) as archive:
            for info in archive.infolist():
                if info.is_dir() or is_hidden(info.filename):
                    continue
                name = _storable(info.filename)
                with archive.open(info) as member:
                    inside = _inside(where, name)
                    # What a header claims is no more than the whole archive.
                    stream = _buffered(member, inside, min(info.compress_size, size), weight)
                    yield from _member(
                        ArchiveEntry(inside, name, stream, Message("zip archive")), remarks
                    )
    except BROKEN as error:
        raise _damaged(where, error) from error


def _inside(archive: Path, name: str) -> Path:
    return archive / name.lstrip("/")


def _storable(name: str) -> str:
    """Return a name that was not UTF-8 as Latin-1, since no file can hold half a character."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogateescape").decode("latin-1")
    return name


def is_hidden(name: str) -> bool:
    """Tell whether a file is left out for its name: one that begins with a dot, or what a Mac adds to archives."""
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or any(
        part.startswith(".") and part not in (".", "..") for part in parts
    )


BLOCK = 512
END = bytes(BLOCK)
LONGEST_HEADER = 1024 * 1024
FILES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
PAX = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
ABOUT_OTHERS = (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK)
WITHOUT_DATA = (
    tarfile.LNKTYPE,
    tarfile.SYMTYPE,
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.DIRTYPE,
    tarfile.FIFOTYPE,
)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive, to be read before the next is asked for."""

    name: str
    stream: io.BufferedReader


class _Slice(io.RawIOBase):
    """The next `size` bytes of a stream."""

    def __init__(self, stream: io.BufferedReader, size: int, where: Path) -> None:
        self._stream, self._left, self._where = stream, size, where

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = self._stream.read(min(len(buffer), self._left))
        if not piece and self._left and len(buffer):
            raise _cut_off(self._where)
        buffer[: len(piece)] = piece
        self._left -= len(piece)
        return len(piece)

    def skip(self) -> None:
        """Read on to the end."""
        scratch = bytearray(BLOCK * BLOCK)
        while self.readinto(scratch):
            pass


def is_tar(head: bytes, name: str) -> bool:
    """Tell whether a file that begins with `head` is a tar archive; very old ones are known by their ending alone."""
    return head[257:262] == b"ustar" or (name.lower().endswith(".tar") and len(head) >= BLOCK)


def tar_members(stream: io.BufferedReader, where: Path, remarks: Remarks) -> Iterator[Member]:
    """Yield the files of a tar archive in its order."""
    said: dict[bytes, bytes] = {}  # what headers said about the member that follows them
    while header := _next_header(stream, where, remarks):
        size = 0 if header.type in WITHOUT_DATA else int(said.get(b"size", header.size))
        data = _Slice(stream, size, where)
        if header.type == tarfile.GNUTYPE_LONGNAME:
            said[b"path"] = _small(data, size, where).split(b"\0", 1)[0]
        elif header.type in PAX:
            said |= _pax_records(_small(data, size, where))
        elif header.type not in ABOUT_OTHERS:
            name = (
                said[b"path"].decode("utf-8", "surrogateescape")
                if said.get(b"path")
                else header.name
            )
            if header.type in FILES and not any(key.startswith(b"GNU.sparse") for key in said):
                yield Member(name, io.BufferedReader(data, BLOCK * BLOCK))
            elif header.type != tarfile.DIRTYPE:
                remarks.add(LINK_LEFT_OUT, ascii(name).strip("'"))
            said = {}
        data.skip()
        stream.read(-size % BLOCK)


def _next_header(
    stream: io.BufferedReader, where: Path, remarks: Remarks
) -> tarfile.TarInfo | None:
    block = stream.read(BLOCK)
    if not block:
        remarks.add(NO_END_MARK, where.name)
    if block in (b"", END):
        return None
    try:
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError, OverflowError) as error:
        raise FormatError(
            where, Message("the archive is damaged ({error})", key="damaged-archive", error=error)
        ) from error
    if header.size < 0:
        raise FormatError(
            where,
            Message(
                "the archive is damaged (a member of {size} bytes)",
                key="damaged-archive",
                size=header.size,
            ),
        )
    return header


def _small(data: _Slice, size: int, where: Path) -> bytes:
    if size > LONGEST_HEADER:
        raise FormatError(
            where,
            Message(
                "the archive has a header of {size:,} bytes, expected {longest_header:,} at most",
                size=size,
                longest_header=LONGEST_HEADER,
            ),
        )
    return io.BufferedReader(data, BLOCK).read()


def _pax_records(block: bytes) -> dict[bytes, bytes]:
    """Return the records of a header: `LENGTH KEY=VALUE`, each ended by a line end."""
    records, at = {}, 0
    while (blank := block.find(b" ", at, at + 8)) > 0 and block[at:blank].isdigit():
        end = at + int(block[at:blank])
        key, _, value = block[blank + 1 : end].partition(b"=")
        if key != b"size" or re.fullmatch(rb"[0-9]{1,18}\n", value):
            records[key] = value.removesuffix(b"\n")
        if end <= blank:
            break
        at = end
    return records


def _cut_off(where: Path) -> FormatError:
    return FormatError(where, Message("the archive is cut off inside a file", key="cut-off"))

"""Files, folders and archives, compressed or not, as streams of UTF-8 text."""

import atexit
import bz2
import codecs
import gzip
import io
import lzma
import os
import re
import shutil
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, Protocol, TypeAlias, cast

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes.atomic_write import replace_file
from irjudge.formats.bytes.encoding import format_megabytes, read_limited
from irjudge.formats.reader_warnings import (
    ARCHIVE_LEFT_OUT,
    LINK_LEFT_OUT,
    NO_END_MARK,
    OFFICE_LEFT_OUT,
    SHEETS_LEFT_OUT,
    ReaderWarnings,
    WarningKind,
)
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping
from irjudge.message import Message

# Conversion of streams from any encoding to UTF-8

CHUNK_BYTES = 64 * 1024
SAMPLE_BYTES = 64 * 1024

# Encodings to try. If several of them fit a short text equally well, the first is used.
CANDIDATE_ENCODINGS = tuple(
    "cp1252 gb18030 big5hkscs cp932 euc_jp cp949 cp1250 cp1251 koi8_r cp1253 cp1254 cp1255 cp1256 cp1257 cp874".split()
)
# Supersets of encodings. The superset is used instead of the declared encoding, since files often
# contain characters that only the superset has.
SUPERSET_ENCODINGS = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
ENCODING_LABELS = {
    "gb18030": "GB18030",
    "big5hkscs": "Big5",
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "koi8-r": "KOI8-R",
    "koi8_r": "KOI8-R",
}

BYTE_ORDER_MARKS = (  # longest first, because the UTF-32-LE mark begins with the UTF-16-LE mark
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

WIDE_ENCODINGS = ("utf-16", "utf-32")  # encodings in which each line end contains zero bytes

AS_NAMED = Message("as specified")
# Non-ASCII text and up to 20 characters before it. It ends before a byte below 0x30, because no
# encoding has such a byte inside a character.
NON_ASCII_WORD = re.compile(rb"[\x20-\x7e]{0,20}[\x80-\xff][\x30-\xff]*+")
MAX_CHARACTER_BYTES = 4
MAX_DECLARATION_BYTES = 4096
ENCODING_DECLARATION = re.compile(
    rb"""<(?:meta|\?xml)\s[^<>]*?(?:charset|encoding)\s*+=\s*+["']?\s*+([A-Za-z][\w.:-]*+)""",
    re.IGNORECASE,
)

# character that replaces an invalid byte; decoders never produce this character
BROKEN_BYTE_MARK = "\udfff"


def _mark_broken(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return BROKEN_BYTE_MARK * (error.end - error.start), error.end


codecs.register_error("irjudge.broken", _mark_broken)


class _PieceStream(io.RawIOBase):
    """Stream whose reads fill the buffer, so that one read returns the whole head of a file."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        view, count = memoryview(buffer), 0
        while count < len(view) and (piece := self._read_piece(len(view) - count)):
            view[count : count + len(piece)] = piece
            count += len(piece)
        return count

    def _read_piece(self, size: int) -> bytes | memoryview:
        """Return up to `size` bytes; empty at the end."""
        raise NotImplementedError


class _Utf8Stream(_PieceStream):
    """Binary stream that converts the text of another stream to UTF-8.

    ASCII passes through unchanged. The first non-ASCII bytes determine the encoding: valid UTF-8
    passes through unchanged; text in another encoding is decoded from these bytes on. Only a few
    chunks are in memory at a time.
    """

    def __init__(
        self, source: io.BufferedReader, name: str, warnings: ReaderWarnings, encoding: str | None
    ) -> None:
        self._source, self._name, self._warnings, self._user_encoding = (
            source,
            name,
            warnings,
            encoding,
        )
        self._ready = memoryview(b"")
        self._is_undecoded, self._is_ended = False, False
        self._decoder: codecs.IncrementalDecoder | None = None
        self._encoding_label = ""

    def _read_piece(self, size: int) -> memoryview:
        while not self._ready and not self._is_ended:
            raw = self._source.read(CHUNK_BYTES)
            if not self._is_undecoded and not self._decoder and raw:
                raw = self._start_decoding(raw)
            self._is_ended = not raw
            self._ready = memoryview(self._decode_chunk(raw) if self._decoder else raw)
        piece, self._ready = self._ready[:size], self._ready[size:]
        return piece

    def _start_decoding(self, raw: bytes) -> bytes:
        """Choose the encoding, given the first non-ASCII bytes; return the bytes to decode.

        More bytes are read if the encoding must be detected.
        """
        # An encoding given by the user may apply only to some files of a folder. If it is UTF-16 or
        # UTF-32, it is not used for ASCII and UTF-8 files.
        if self._user_encoding and (
            not self._user_encoding.startswith(WIDE_ENCODINGS)
            or b"\0" in raw
            or not is_utf8(raw, is_complete=False)
        ):
            self._set_encoding(
                self._user_encoding, raw, AS_NAMED if self._user_encoding != "utf-8" else ""
            )
        elif b"\0" in raw or not raw.isascii():
            raw += self._source.read(SAMPLE_BYTES)
            is_complete = len(raw) < SAMPLE_BYTES
            if mark := next(
                (encoding for mark, encoding in BYTE_ORDER_MARKS if raw.startswith(mark)), None
            ):
                self._set_encoding(
                    mark, raw, Message("according to the byte order mark", key="by-mark")
                )
            elif encoding := _detect_utf16(raw):
                self._set_encoding(encoding, raw, "detected")
            elif is_utf8(raw, is_complete=is_complete):
                self._is_undecoded = not raw.isascii()
            elif encoding := find_declared_encoding(raw):
                self._set_encoding(
                    encoding, raw, Message("as declared in the file", key="declared")
                )
            elif encoding := detect_encoding(raw, is_complete=is_complete):
                self._set_encoding(encoding, raw, "detected")
            else:  # the reader of lines reports the line with the invalid bytes
                self._is_undecoded = True
        return raw

    def _set_encoding(self, encoding: str, raw: bytes, detection: str) -> None:
        has_mark = any(raw.startswith(mark) for mark, _ in BYTE_ORDER_MARKS)
        codec = f"{encoding}-le" if encoding in ("utf-16", "utf-32") and not has_mark else encoding
        self._decoder = codecs.getincrementaldecoder(codec)("irjudge.broken")
        self._encoding_label = ENCODING_LABELS.get(
            encoding, encoding.upper() if encoding.startswith("utf") else encoding
        )
        if detection:
            advice = (
                "" if detection == AS_NAMED else Message("; set another encoding with --encoding")
            )
            self._warnings.add(
                WarningKind(
                    "{first}: read as {encoding} ({how}){other}.",
                    "{count} files were read as {encoding} ({how}){other}. First: {first}.",
                    (("encoding", self._encoding_label), ("how", detection), ("other", advice)),
                    key="read-as",
                ),
                self._name,
            )

    def _decode_chunk(self, raw: bytes) -> bytes:
        text = self._decoder.decode(raw, final=not raw) if self._decoder else ""
        if invalid_byte_count := text.count(BROKEN_BYTE_MARK):
            self._warnings.add(
                WarningKind(
                    "1 byte in {first} is not valid {encoding} and is shown as �.",
                    "{count} bytes are not valid {encoding} and are shown as �; the first is in {first}.",
                    (("encoding", self._encoding_label),),
                    key="broken-bytes",
                ),
                self._name,
                invalid_byte_count,
            )
            text = text.replace(BROKEN_BYTE_MARK, "\N{REPLACEMENT CHARACTER}")
        # the decoder of UTF-7 can return lone surrogates, which UTF-8 cannot encode
        return text.encode("utf-8", "replace")


def to_utf8_stream(
    stream: io.BufferedReader, name: str, warnings: ReaderWarnings, encoding: str | None = None
) -> io.BufferedReader:
    """Return a stream of the text in `stream`, converted to UTF-8."""
    return io.BufferedReader(
        _Utf8Stream(stream, name, warnings, parse_encoding_option(encoding)), 2 * CHUNK_BYTES
    )


def parse_encoding(name: str) -> str:
    """Return Python's name of an encoding that the user named.

    >>> parse_encoding("Shift-JIS"), parse_encoding("UTF8"), parse_encoding("gbk")
    ('cp932', 'utf-8', 'gb18030')
    """
    try:
        codec = codecs.lookup(name.strip())
        # raises an error for codecs that convert bytes to bytes; the next line raises an error for
        # codecs without error handlers
        "a".encode(codec.name)
        codecs.getincrementaldecoder(codec.name)("irjudge.broken").decode(b"a")
    except (LookupError, ValueError):
        raise IrjudgeError(
            'Unknown encoding "{name}"; expected a name such as utf-8, utf-16, cp1252, '
            "gb18030, big5 or shift-jis.",
            key="unknown-encoding",
            name=name,
        ) from None
    return SUPERSET_ENCODINGS.get(codec.name, codec.name)


def parse_encoding_option(encoding: str | None) -> str | None:
    """Return Python's name of the encoding named by the user; None if none is named."""
    return parse_encoding(encoding) if encoding else None


def is_utf8(raw: bytes, *, is_complete: bool = True) -> bool:
    """Return whether bytes are UTF-8, except for a few broken bytes.

    If `is_complete` is False, the last character may be truncated.
    """
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    text = decoder.decode(raw, is_complete)
    valid_bytes, cut_bytes = len(text.encode()), len(decoder.getstate()[0])
    invalid_bytes = len(raw) - cut_bytes - valid_bytes
    return not invalid_bytes or valid_bytes - len(text) > 20 * invalid_bytes


def find_declared_encoding(raw: bytes) -> str | None:
    """Return the encoding declared in HTML or XML, if it is valid.

    >>> find_declared_encoding('<meta charset="gb2312">\u5929'.encode("gb18030"))
    'gb18030'
    """
    if not (headers := ENCODING_DECLARATION.search(raw[:MAX_DECLARATION_BYTES])):
        return None
    try:
        name = parse_encoding(headers[1].decode())
    except IrjudgeError:
        return None
    if name.startswith("utf"):  # the declaration is wrong, since the file is not UTF-8
        return None
    encoding = "cp1252" if name == "iso8859-1" else name  # browsers decode Latin-1 as cp1252
    text = codecs.getincrementaldecoder(encoding)("irjudge.broken").decode(raw)
    return encoding if 100 * text.count(BROKEN_BYTE_MARK) <= len(text) else None


def detect_encoding(raw: bytes, *, is_complete: bool = True) -> str | None:
    """Return the encoding of text that is not UTF-8 and may be truncated; None if none fits."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 -- 15 ms, and most text is UTF-8

    non_ascii_words = NON_ASCII_WORD.findall(raw)
    sample = b"\n".join(
        non_ascii_words if is_complete or len(non_ascii_words) == 1 else non_ascii_words[:-1]
    )
    # If the text is one truncated word, decoding without its last 0 to 3 bytes is tried.
    possible_ends = range(1 if is_complete or len(non_ascii_words) > 1 else MAX_CHARACTER_BYTES)
    candidates = [
        list(from_bytes(sample[: len(sample) - end], cp_isolation=list(CANDIDATE_ENCODINGS)))
        for end in possible_ends
    ]
    matches = min(filter(None, candidates), key=lambda matches: matches[0].chaos, default=[])
    possible_encodings = {
        encoding
        for match in matches
        if (match.chaos, match.coherence) == (matches[0].chaos, matches[0].coherence)
        for encoding in match.could_be_from_charset
    }
    return next(
        (encoding for encoding in CANDIDATE_ENCODINGS if encoding in possible_encodings), None
    )


def _detect_utf16(raw: bytes) -> str | None:
    """Return the variant of UTF-16 if about every second byte is zero; None otherwise."""
    zero_count, odd_zero_count = raw.count(b"\0"), raw[1::2].count(b"\0")
    if (
        zero_count < 4
        or zero_count * 50 < len(raw)
        or 0.1 * zero_count < odd_zero_count < 0.9 * zero_count
    ):
        return None
    return "utf-16-le" if odd_zero_count > zero_count / 2 else "utf-16-be"


# Files from folders and archives, as streams that raise an error for a decompression bomb

# Maximum bytes of memory for decompression. A header may claim 4 GB; files of `xz -9` need 65 MB.
MAX_LZMA_MEMORY = 128 * 1024 * 1024


class ByteSource(Protocol):
    """Object from which bytes are read in pieces, such as a file or a decompressor."""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes; empty at the end."""


class _Engine(Protocol):
    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _DecompressedStream:
    """Source of the content of one or more concatenated compressed streams."""

    def __init__(self, file: io.BufferedReader, engine: Callable[[], object]) -> None:
        self._file, self._make_engine = file, cast(Callable[[], _Engine], engine)
        self._engine = self._make_engine()

    def read(self, size: int, /) -> bytes:
        while compressed_bytes := self._read_compressed():
            piece = self._engine.decompress(compressed_bytes[0], size)
            if piece:
                return piece
        return b""

    def _read_compressed(self) -> tuple[bytes] | None:
        """Return the next compressed bytes in a tuple; None at the end.

        The bytes may be empty if the decompressor has unread output.
        """
        if self._engine.eof:
            next_stream = self._engine.unused_data.lstrip(b"\0")  # xz pads with zero bytes
            while not next_stream and (chunk := self._file.read(CHUNK_BYTES)):
                next_stream = chunk.lstrip(b"\0")
            if not next_stream:
                return None
            self._engine = self._make_engine()
            return (next_stream,)
        if not self._engine.needs_input:
            return (b"",)
        chunk = self._file.read(CHUNK_BYTES)
        if not chunk:
            raise EOFError(Message("its end is missing"))
        return (chunk,)


class _WithoutClose:
    """Wrapper of a file that ignores `close`, so that Arrow cannot close the file."""

    closed = False

    def __init__(self, file: io.BufferedReader) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        return self._file.read(size)

    def close(self) -> None:
        pass


def _open_arrow_stream(file: io.BufferedReader, codec: str) -> ByteSource:
    """Return the decompressed content of a stream, decoded by the Arrow codec `codec`.

    The callers use only codecs that need a limited amount of memory.
    """
    import pyarrow as pa  # noqa: PLC0415 -- few files use these compression formats

    return cast(
        ByteSource, pa.CompressedInputStream(pa.PythonFile(_WithoutClose(file), mode="r"), codec)
    )


@dataclass(frozen=True, slots=True)
class Compression:
    """Compression format, with its signature, file name suffixes, and function for reading."""

    name: str  # displayed name
    signature: re.Pattern[bytes]  # matches the first bytes of a compressed file
    # pairs of a file name suffix and its replacement after decompression
    suffixes: tuple[tuple[str, str], ...]
    # function that returns the decompressed content of a file
    unpack: Callable[[io.BufferedReader], ByteSource]

    def strip_compression_suffix(self, name: str) -> str:
        """Return the file name after decompression.

        >>> COMPRESSIONS[0].strip_compression_suffix("docs.TGZ"), COMPRESSIONS[1].strip_compression_suffix("docs.jsonl.bz2")
        ('docs.tar', 'docs.jsonl')
        """
        for suffix, replacement in self.suffixes:
            if name.lower().endswith(suffix):
                return name[: -len(suffix)] + replacement
        return name


COMPRESSIONS = (
    Compression(
        "gzip",
        re.compile(rb"\x1f\x8b"),
        ((".tgz", ".tar"), (".gz", "")),
        lambda file: gzip.GzipFile(fileobj=file, mode="rb"),
    ),
    Compression(
        "bzip2",
        re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
        ((".tbz2", ".tar"), (".tbz", ".tar"), (".bz2", "")),
        lambda file: _DecompressedStream(file, bz2.BZ2Decompressor),
    ),
    Compression(
        "xz",
        re.compile(rb"\xfd7zXZ\x00"),
        ((".txz", ".tar"), (".xz", "")),
        lambda file: _DecompressedStream(
            file, lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MAX_LZMA_MEMORY)
        ),
    ),
    Compression(
        "lz4",
        re.compile(rb"\x04\x22\x4d\x18"),
        ((".lz4", ""),),
        lambda file: _open_arrow_stream(file, "lz4"),
    ),
    Compression(
        "Zstandard",
        re.compile(rb"\x28\xb5\x2f\xfd"),
        ((".tzst", ".tar"), (".zstd", ""), (".zst", "")),
        lambda file: _open_arrow_stream(file, "zstd"),
    ),
)


def detect_compression(head: bytes) -> Compression | None:
    """Return the compression of a file from its first bytes; None if it is not compressed."""
    return next(
        (compression for compression in COMPRESSIONS if compression.signature.match(head)), None
    )


HEAD_BYTES = 64 * 1024
MAX_METADATA_BYTES = 1024 * 1024
MAX_LISTED_FILES = 3  # maximum number of files in an archive that a message lists
MAX_NAME_CHARACTERS = 60  # maximum length of a file name in a message
MAX_COMPRESSION_RATIO = 100
MIN_CHECKED_SIZE = 16 * 1024 * 1024
MAX_TOTAL_BYTES = 20 * 1024**3
# Maximum compression ratio of row-based data. Repeated terms, such as those of learned sparse
# vectors, compress better than other text.
MAX_ROWS_RATIO = 400
MAX_ROW_BYTES = 1024 * 1024
MAX_ROW_START_BYTES = 32

ZIP = (b"PK\x03\x04", b"PK\x05\x06")
UNSUPPORTED_COMPRESSIONS = {
    "compress": re.compile(rb"\x1f\x9d"),
    "7-Zip": re.compile(rb"7z\xbc\xaf\x27"),
}

# Office documents, PDF files and e-books, recognised by their first bytes.
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_FIRST_NAME_OFFSET = 30  # offset of the first file name in a zip archive
_MIME = re.compile(
    rb"mimetypeapplication/(epub|vnd\.oasis\.opendocument\.(?:text|spreadsheet|presentation|graphics))"
)  # media type of the document, which is the first file in the zip archive
_FORMAT_BY_MEDIA_TYPE = {
    b"epub": "EPUB",
    b"text": "ODT",
    b"spreadsheet": "ODS",
    b"presentation": "ODP",
    b"graphics": "ODG",
}
# name of the first file in the zip archive of an Office Open XML document
_PACKAGE_PART = re.compile(rb"\[Content_Types\]\.xml|_rels/|docProps/|customXml/|word/|xl/|ppt/")
_FORMAT_BY_FOLDER = {b"word/": "DOCX", b"xl/": "XLSX", b"ppt/": "PPTX"}
_OLD_FORMAT_BY_SUFFIX = {".xls": "XLS", ".ppt": "PPT"}
_SHEETS = frozenset({"XLSX", "XLS", "ODS"})

OFFICE_DOCUMENTS = ("PDF", "DOCX", "ODT")  # formats whose text is extracted

# Errors of the standard library for corrupt compressed data.
READ_ERRORS: tuple[type[Exception], ...] = (
    EOFError,
    IndexError,
    KeyError,
    MemoryError,  # LZMA data in a zip archive may require up to 4 GB of memory
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
    """Open file with a stream of its decompressed bytes.

    The user named the file itself, or a folder or archive that contains it. The stream is closed
    when the reader requests the next file of the folder or archive. The user's column mapping is
    included.
    """

    where: Path  # path for error messages; that of a file in an archive need not exist
    name: str  # name inside the folder or archive, without a suffix such as `.gz`
    # decompressed bytes, which `to_text_entry` also converts to UTF-8
    stream: io.BufferedReader
    # "folder", "tar archive" or "zip archive"; empty if the user named the file itself, or a zip
    # archive that is read as its only file
    container: str = ""
    compression: str = ""  # compression of the file, such as "gzip"; empty if none
    columns: ColumnMapping = AS_RECOGNISED  # column mapping given by the user
    by_order: bool = False  # whether records are identified by their position

    @property
    def head(self) -> bytes:
        """The next unread bytes, at most 64 KB."""
        return self.stream.peek(HEAD_BYTES)[:HEAD_BYTES]

    @property
    def suffix(self) -> str:
        """Lower-case file name extension, with its dot."""
        return PurePosixPath(self.name).suffix.lower()


class _SizeCounter:
    """Compressed size of a file or archive, and total of the bytes decompressed so far."""

    def __init__(self, compressed_size: int) -> None:
        self.compressed_size, self.total = compressed_size, 0


class _GuardedStream(_PieceStream):
    """Stream that raises FormatError for a decompression bomb or a read error."""

    def __init__(
        self,
        source: ByteSource,
        path: Path,
        compressed_size: int | None,
        size_counter: _SizeCounter,
        *,
        is_single_file: bool = False,
    ) -> None:
        self._source = source
        self._where = path
        self._compressed_size = compressed_size
        self._size_counter = size_counter
        self._size = 0
        self._is_single_file = is_single_file
        self._row_bytes = 0  # number of bytes since the last line end

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        count = super().readinto(buffer)
        if self._compressed_size is not None:
            self._check_expansion(memoryview(buffer)[:count], self._compressed_size)
        return count

    def _read_piece(self, size: int) -> bytes:
        try:
            return self._source.read(size)
        except READ_ERRORS as error:
            raise _make_damage_error(self._where, error) from error

    def _check_expansion(self, piece: memoryview, compressed_size: int) -> None:
        self._size += len(piece)
        self._size_counter.total += len(piece)
        # the total size of all members is also checked, since they can share compressed bytes
        size_pairs = (
            (self._size, compressed_size),
            (self._size_counter.total, self._size_counter.compressed_size),
        )
        excessive_sizes = next(
            (
                (decoded_bytes, compressed_bytes)
                for decoded_bytes, compressed_bytes in size_pairs
                if decoded_bytes > MIN_CHECKED_SIZE
                and decoded_bytes > MAX_COMPRESSION_RATIO * compressed_bytes
            ),
            None,
        )
        if excessive_sizes and not (
            self._is_single_file
            and self._size <= MAX_ROWS_RATIO * compressed_size
            and self._looks_like_rows(piece)
        ):
            output_bytes, input_bytes = excessive_sizes
            raise FormatError(
                self._where,
                Message(
                    "{taken:,} compressed bytes expand to more than {megabytes}; this may be a "
                    "decompression bomb, so it is not read",
                    key="bomb",
                    taken=input_bytes,
                    megabytes=format_megabytes(output_bytes),
                ),
            )
        if self._size_counter.total > MAX_TOTAL_BYTES:
            raise FormatError(
                self._where,
                Message(
                    "expands to more than {megabytes} and is not read further",
                    key="too-much-unpacked",
                    megabytes=format_megabytes(MAX_TOTAL_BYTES),
                ),
            )

    def _looks_like_rows(self, piece: memoryview) -> bool:
        """Return whether a piece looks like rows of data, which may compress unusually well.

        This is the case if no line is too long, at least half of the lines begin differently, and
        there is no NUL byte.
        """
        raw = bytes(piece)
        first, *lines = raw.split(b"\n")
        self._row_bytes = len(lines[-1]) if lines else self._row_bytes + len(first)
        row_starts = {line[:MAX_ROW_START_BYTES] for line in lines}
        return (
            self._row_bytes <= MAX_ROW_BYTES
            and b"\0" not in raw
            and 2 * len(row_starts) >= len(lines)
        )


def detect_office_format(head: bytes, name: str) -> str:
    """Return the office format of a file, such as `DOCX` or `PDF`; empty for other files.

    The format is detected from the first bytes and, where these are ambiguous, from the name.

    >>> detect_office_format(b"%PDF-1.7", "a"), detect_office_format(b"words", "a.pdf")
    ('PDF', '')
    """
    if head.startswith(ZIP[0]):
        if match := _MIME.match(head, _FIRST_NAME_OFFSET):
            return _FORMAT_BY_MEDIA_TYPE[match[1].rpartition(b".")[2]]
        if not _PACKAGE_PART.match(head, _FIRST_NAME_OFFSET) or (
            b"[Content_Types].xml" not in head and b"_rels/" not in head
        ):
            return ""
        format_name = PurePosixPath(name).suffix.lower()[1:].upper()
        return (
            format_name
            if format_name in _FORMAT_BY_FOLDER.values()
            else next((form for part, form in _FORMAT_BY_FOLDER.items() if part in head), "DOCX")
        )
    if head.startswith(_OLE):
        return _OLD_FORMAT_BY_SUFFIX.get(PurePosixPath(name).suffix.lower(), "DOC")
    if head.startswith(b"%PDF-"):
        return "PDF"
    return "RTF" if head.startswith(rb"{\rtf") else ""


def _make_office_refusal(format_name: str) -> str:
    if format_name in _SHEETS:
        return Message(
            "this content cannot be read from a spreadsheet ({form}); save its sheet as CSV "
            "and read the CSV file",
            key="spreadsheet",
            form=format_name,
        )
    if format_name in OFFICE_DOCUMENTS:
        return Message(
            "its format is {form}, which can only be read as documents; save it as text and "
            "read the text file",
            key="documents-only",
            form=format_name,
        )
    return Message(
        "its format is {form}, which is not supported; save it as text or HTML and read that file",
        key="office-file",
        form=format_name,
    )


def iter_entries(path: Path, warnings: ReaderWarnings) -> Generator[ArchiveEntry, None, None]:
    """Yield the files at `path`. Each file is closed when the next one is requested."""
    if path.is_dir():
        yield from _iter_folder(path, "", warnings)
        return
    with _open_file(path) as file:
        if detect_office_format(file.peek(HEAD_BYTES)[:HEAD_BYTES], path.name) in OFFICE_DOCUMENTS:
            yield _make_single_entry(file, path, path.name, "")
            return
        _refuse_office(file, path)
        if file.peek(4).startswith(ZIP):
            yield from _iter_zip(file, path, warnings)
            return
        entry = _make_single_entry(file, path, path.name, "")
        if is_tar(entry.head, entry.name):
            yield from _iter_tar(entry, warnings)
        else:
            yield entry


def decompress(file: io.BufferedReader, path: Path) -> ArchiveEntry:
    """Return a decompressed file, or the only file of a zip archive, as a guarded stream."""
    _refuse_office(file, path)
    head = file.peek(HEAD_BYTES)[:HEAD_BYTES]
    if head.startswith(ZIP) and file.seekable():
        return _find_only_member(file, path)
    return (
        _make_single_entry(file, path, path.name, "")
        if detect_compression(head)
        else ArchiveEntry(path, path.name, file)
    )


class DeflatedArchive(zipfile.ZipFile):
    """Zip archive that refuses to open members which `zipfile` cannot decompress piece by piece.

    For bzip2 and LZMA, `zipfile` has no limit: 600 bytes can take gigabytes of memory.
    """

    def open(self, name: str | zipfile.ZipInfo, *args: Any, **options: Any) -> IO[bytes]:
        """Open a member; raise NotImplementedError if it is neither stored nor deflated."""
        member = name if isinstance(name, zipfile.ZipInfo) else self.getinfo(name)
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise NotImplementedError(f"zip method {member.compress_type}")
        return super().open(name, *args, **options)


def _find_only_member(file: io.BufferedReader, path: Path) -> ArchiveEntry:
    """Return the only file of a zip archive, ignoring metadata and compressed copies."""
    size = os.fstat(file.fileno()).st_size
    try:
        archive = DeflatedArchive(file)
        names = select_data_files(
            [info.filename for info in archive.infolist() if not info.is_dir()]
        )
        if len(names) != 1:
            raise FormatError(
                path,
                Message(
                    "it is an archive of {count:,} files ({listed}); expected one file. Unpack it "
                    "and read the files",
                    key="archive",
                    count=len(names),
                    listed=", ".join(
                        name[:MAX_NAME_CHARACTERS] for name in names[:MAX_LISTED_FILES]
                    )
                    + (" …" if len(names) > MAX_LISTED_FILES else ""),
                ),
            )
        info = archive.getinfo(names[0])
        member = archive.open(info)
    except READ_ERRORS as error:
        raise _make_damage_error(path, error) from error
    size_counter, compressed_size = _SizeCounter(size), min(info.compress_size, size)
    stream = _open_buffered(member, path, compressed_size, size_counter, is_single_file=True)
    compression = detect_compression(stream.peek(HEAD_BYTES)[:HEAD_BYTES])
    name = _to_storable_name(PurePosixPath(info.filename).name)
    if compression is None:
        return ArchiveEntry(path, name, stream)
    inner = _open_buffered(
        compression.unpack(stream), path, compressed_size, size_counter, is_single_file=True
    )
    return ArchiveEntry(
        path, compression.strip_compression_suffix(name), inner, "", compression.name
    )


RUN_METADATA = re.compile(r"ir[-_]metadata\.ya?ml", re.IGNORECASE)
"""Name of the file that describes the run in the same folder."""


def select_data_files(names: Sequence[str]) -> list[str]:
    """Return the names of data files; omit hidden files, run metadata and compressed copies.

    >>> select_data_files(["a/run.txt", "a/run.txt.gz", "a/ir-metadata.yml", "__MACOSX/a/._run.txt"])
    ['a/run.txt']
    """
    visible_names = [
        name
        for name in names
        if not is_hidden(name) and not RUN_METADATA.fullmatch(PurePosixPath(name).name)
    ]
    decompressed_names = {name: _remove_compression_suffix(name) for name in visible_names}
    return [
        name
        for name in visible_names
        if decompressed_names[name] == name or decompressed_names[name] not in decompressed_names
    ]


def _remove_compression_suffix(name: str) -> str:
    for compression in COMPRESSIONS:
        if (decompressed_name := compression.strip_compression_suffix(name)) != name:
            return decompressed_name
    return name


def read_run_metadata(path: Path) -> bytes:
    """Return the content of `ir-metadata.yml` in a folder or zip archive.

    The result is empty unless there is exactly one such file. Raises FormatError if the file cannot
    be read.
    """
    if path.is_dir():
        matches = [
            file_path
            for file_path in path.iterdir()
            if RUN_METADATA.fullmatch(file_path.name)
            and file_path.is_file()
            and not file_path.is_symlink()
        ]
        if len(matches) != 1:
            return b""
        with _open_file(matches[0]) as file:
            return read_limited(file, matches[0], MAX_METADATA_BYTES)
    with _open_file(path) as file:
        if not file.seekable() or not file.peek(4).startswith(ZIP):
            return b""
        try:
            with DeflatedArchive(file) as archive:
                infos = [
                    info
                    for info in archive.infolist()
                    if RUN_METADATA.fullmatch(PurePosixPath(info.filename).name)
                    and not is_hidden(info.filename)
                ]
                if len(infos) != 1:
                    return b""
                with archive.open(infos[0]) as member:
                    return read_limited(cast(io.BufferedReader, member), path, MAX_METADATA_BYTES)
        except READ_ERRORS as error:
            raise _make_damage_error(path, error) from error


def _replace_stream(entry: ArchiveEntry, source: ByteSource) -> ArchiveEntry:
    """Return an entry that reads the decompressed bytes from `source`.

    Raises FormatError if the decompressed content is an archive or is still compressed.
    """
    single_file = replace(entry, stream=_open_buffered(source, entry.where, None, _SizeCounter(0)))
    _refuse_unsupported_compression(single_file)
    if single_file.head.startswith(ZIP) or is_tar(single_file.head, single_file.name):
        raise FormatError(
            entry.where,
            Message(
                "it is an archive; expected a single file, uncompressed or compressed with "
                "gzip, bzip2, xz, lz4 or Zstandard",
                key="archive",
            ),
        )
    return single_file


def to_text_entry(
    entry: ArchiveEntry,
    warnings: ReaderWarnings,
    *,
    encoding: str | None = None,
    columns: ColumnMapping | None = None,
) -> ArchiveEntry:
    """Return the entry with its stream in UTF-8 (see `to_utf8_stream`)."""
    _skip_separator_line(entry)
    return replace(
        entry,
        stream=to_utf8_stream(entry.stream, entry.name, warnings, encoding),
        columns=entry.columns if columns is None else columns,
    )


_SEPARATOR_LINE = re.compile(rb"(?:\xef\xbb\xbf)?sep=[^\r\n](?=\r?\n)", re.IGNORECASE)


def _skip_separator_line(entry: ArchiveEntry) -> ArchiveEntry:
    """Skip a first line such as `sep=;`, which specifies the separator for Excel.

    The end of this line is not skipped, so that line numbers do not change.
    """
    if match := _SEPARATOR_LINE.match(entry.stream.peek(16)):
        entry.stream.read(match.end())
    return entry


def is_archive(entry: ArchiveEntry) -> bool:
    """Return whether the entry is an archive or a compressed file."""
    head = entry.head
    return head.startswith(ZIP) or is_tar(head, entry.name) or detect_compression(head) is not None


def _open_file(path: Path) -> io.BufferedReader:
    try:
        return path.open("rb")
    except (OSError, ValueError) as error:
        raise _make_open_error(path, error) from None


def _make_open_error(path: Path, error: Exception) -> FormatError:
    return FormatError(
        path,
        Message(
            "the file cannot be opened ({value})",
            key="cannot-open",
            value=getattr(error, "strerror", None) or error,
        ),
    )


def _refuse_office(file: io.BufferedReader, path: Path) -> None:
    if format_name := detect_office_format(file.peek(HEAD_BYTES)[:HEAD_BYTES], path.name):
        raise FormatError(path, _make_office_refusal(format_name))


def _make_damage_error(path: Path, error: Exception) -> FormatError:
    if isinstance(error, NotImplementedError):
        return FormatError(
            path,
            Message(
                "it is compressed in an unknown format ({error}); unpack it and read the files",
                key="unknown-packing",
                error=error,
            ),
        )
    if isinstance(error, RuntimeError) and "password" in str(error):
        return FormatError(
            path,
            Message("it is protected by a password; unpack it and read the files", key="locked"),
        )
    if isinstance(error, MemoryError):
        return FormatError(
            path, Message("it is too large for the memory of this computer", key="memory")
        )
    return FormatError(
        path,
        Message(
            "the file is damaged and cannot be read completely ({value})",
            key="damaged",
            value=str(error) or type(error).__name__,
        ),
    )


def check_decompressed_size(
    path: Path,
    decompressed_size: int,
    min_checked: int = MIN_CHECKED_SIZE,
    compressed_size: int | None = None,
) -> None:
    """Raise FormatError if a zip archive claims an implausibly large decompressed size.

    `decompressed_size` is the size that the members of the archive claim. Sizes up to `min_checked`
    bytes are always accepted. `compressed_size` is by default the size of the archive.
    """
    if decompressed_size <= min_checked:
        return
    file_bytes = path.stat().st_size if compressed_size is None else compressed_size
    if decompressed_size > MAX_COMPRESSION_RATIO * file_bytes:
        raise FormatError(
            path,
            Message(
                "{size:,} compressed bytes expand to {megabytes}; this may be a decompression "
                "bomb, so it is not read",
                key="bomb",
                size=file_bytes,
                megabytes=format_megabytes(decompressed_size),
            ),
        )


def _make_single_entry(
    file: io.BufferedReader, path: Path, name: str, container: str
) -> ArchiveEntry:
    size = os.fstat(file.fileno()).st_size
    compression = detect_compression(file.peek(HEAD_BYTES)[:HEAD_BYTES])
    compressed_size = size if compression and size else None  # the size of a pipe is unknown
    entry = ArchiveEntry(
        path,
        compression.strip_compression_suffix(name) if compression else name,
        _open_buffered(
            compression.unpack(file) if compression else file,
            path,
            compressed_size,
            _SizeCounter(size),
            is_single_file=not container,
        ),
        container,
        compression.name if compression else "",
    )
    if not container:
        _refuse_unsupported_compression(entry)
    return entry


def _refuse_unsupported_compression(entry: ArchiveEntry) -> None:
    for format_name, mark in UNSUPPORTED_COMPRESSIONS.items():
        if mark.match(entry.stream.peek(8)):
            raise FormatError(
                entry.where,
                Message(
                    "it is compressed with {other}; expected gzip, bzip2, xz, lz4, Zstandard, zip "
                    "or tar. Unpack it and read the files",
                    key="other-packer",
                    other=format_name,
                ),
            )


def _open_buffered(
    source: ByteSource,
    path: Path,
    compressed_size: int | None,
    size_counter: _SizeCounter,
    *,
    is_single_file: bool = False,
) -> io.BufferedReader:
    return io.BufferedReader(
        _GuardedStream(source, path, compressed_size, size_counter, is_single_file=is_single_file),
        2 * HEAD_BYTES,
    )


def _iter_folder(folder: Path, prefix: str, warnings: ReaderWarnings) -> Iterator[ArchiveEntry]:
    try:
        matches = sorted(os.scandir(folder), key=lambda item: item.name)
    except OSError as error:
        raise FormatError(
            folder, Message("the folder cannot be opened ({reason})", reason=error.strerror)
        ) from None
    for item in matches:
        name = prefix + _to_storable_name(item.name)
        if is_hidden(item.name):
            continue
        if item.is_dir(follow_symlinks=False):
            yield from _iter_folder(Path(item.path), f"{name}/", warnings)
        elif _is_file(item):
            path = Path(item.path)
            with _open_file(path) as file:
                yield from _yield_readable(_make_single_entry(file, path, name, "folder"), warnings)
        # links to folders are skipped because they could form a cycle, pipes because they block
        else:
            warnings.add(LINK_LEFT_OUT, name)


def _is_file(item: os.DirEntry[str]) -> bool:
    try:
        return item.is_file()
    except OSError:  # the path is invalid, such as a link to itself
        return False


def _iter_tar(archive: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[ArchiveEntry]:
    for member in iter_tar_members(archive.stream, archive.where, warnings):
        name = _to_storable_name(member.name)
        if not is_hidden(name):
            yield from _yield_readable(
                ArchiveEntry(
                    archive.where / name.lstrip("/"),
                    name,
                    member.stream,
                    Message("tar archive"),
                ),
                warnings,
            )


def _yield_readable(entry: ArchiveEntry, warnings: ReaderWarnings) -> Iterator[ArchiveEntry]:
    format_name = detect_office_format(entry.head, entry.name)
    if format_name and format_name not in OFFICE_DOCUMENTS:
        warnings.add(SHEETS_LEFT_OUT if format_name in _SHEETS else OFFICE_LEFT_OUT, entry.name)
    elif not format_name and is_archive(entry):
        warnings.add(ARCHIVE_LEFT_OUT, entry.name)
    else:
        yield entry


def _iter_zip(
    file: io.BufferedReader, path: Path, warnings: ReaderWarnings
) -> Iterator[ArchiveEntry]:
    size = os.fstat(file.fileno()).st_size
    weight = _SizeCounter(size)
    try:
        with DeflatedArchive(file) as archive:
            for info in archive.infolist():
                if info.is_dir() or is_hidden(info.filename):
                    continue
                name = _to_storable_name(info.filename)
                with archive.open(info) as member:
                    member_path = path / name.lstrip("/")
                    # the size in the header may be wrong, but no compressed file is larger than
                    # its archive
                    stream = _open_buffered(
                        member, member_path, min(info.compress_size, size), weight
                    )
                    yield from _yield_readable(
                        ArchiveEntry(member_path, name, stream, Message("zip archive")), warnings
                    )
    except READ_ERRORS as error:
        raise _make_damage_error(path, error) from error


def _to_storable_name(name: str) -> str:
    """Return a name without lone surrogates; names that are not UTF-8 are decoded as Latin-1."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogateescape").decode("latin-1")
    return name


def is_hidden(name: str) -> bool:
    """Return whether a part of a path begins with a dot, or the file is macOS archive metadata."""
    parts = PurePosixPath(name).parts
    return "__MACOSX" in parts or any(
        part.startswith(".") and part not in (".", "..") for part in parts
    )


BLOCK_BYTES = 512
END_BLOCK = bytes(BLOCK_BYTES)
MAX_HEADER_BYTES = 1024 * 1024
FILE_TYPES = (tarfile.REGTYPE, tarfile.AREGTYPE, tarfile.CONTTYPE)
PAX_TYPES = (tarfile.XHDTYPE, tarfile.SOLARIS_XHDTYPE)
SPARSE_PREFIX = b"GNU.sparse"  # prefix of the header keys of sparse files
SKIPPED_TYPES = (tarfile.XGLTYPE, tarfile.GNUTYPE_LONGLINK)
TYPES_WITHOUT_DATA = (
    tarfile.LNKTYPE,
    tarfile.SYMTYPE,
    tarfile.CHRTYPE,
    tarfile.BLKTYPE,
    tarfile.DIRTYPE,
    tarfile.FIFOTYPE,
)


@dataclass(frozen=True, slots=True)
class Member:
    """One file of a tar archive. Its stream must be read before the next file is requested."""

    name: str
    stream: io.BufferedReader


class _Slice(io.RawIOBase):
    """Stream of the next `size` bytes of another stream."""

    def __init__(self, stream: io.BufferedReader, size: int, path: Path) -> None:
        self._stream, self._remaining_bytes, self._where = stream, size, path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        piece = self._stream.read(min(len(buffer), self._remaining_bytes))
        if not piece and self._remaining_bytes and len(buffer):
            raise FormatError(
                self._where, Message("the archive ends in the middle of a file", key="cut-off")
            )
        buffer[: len(piece)] = piece
        self._remaining_bytes -= len(piece)
        return len(piece)

    def skip(self) -> None:
        scratch = bytearray(BLOCK_BYTES * BLOCK_BYTES)
        while self.readinto(scratch):
            pass


def is_tar(head: bytes, name: str) -> bool:
    """Return whether a file is a tar archive, by its content or, for old archives, its name."""
    return head[257:262] == b"ustar" or (name.lower().endswith(".tar") and len(head) >= BLOCK_BYTES)


def iter_tar_members(
    stream: io.BufferedReader, path: Path, warnings: ReaderWarnings
) -> Iterator[Member]:
    """Yield the files of a tar archive in archive order."""
    headers: dict[bytes, bytes] = {}  # values of extended headers, which apply to the next member
    while header := _read_header(stream, path, warnings):
        size = 0 if header.type in TYPES_WITHOUT_DATA else int(headers.get(b"size", header.size))
        data = _Slice(stream, size, path)
        if header.type == tarfile.GNUTYPE_LONGNAME:
            headers[b"path"] = _read_small(data, size, path).split(b"\0", 1)[0]
        elif header.type in PAX_TYPES:
            headers |= _parse_pax_records(_read_small(data, size, path))
        elif header.type not in SKIPPED_TYPES:
            name = (
                headers[b"path"].decode("utf-8", "surrogateescape")
                if headers.get(b"path")
                else header.name
            )
            if header.type in FILE_TYPES and SPARSE_PREFIX not in headers:
                yield Member(name, io.BufferedReader(data, BLOCK_BYTES * BLOCK_BYTES))
            elif header.type != tarfile.DIRTYPE:
                warnings.add(LINK_LEFT_OUT, ascii(name).strip("'"))
            headers = {}
        data.skip()
        stream.read(-size % BLOCK_BYTES)


def _read_header(
    stream: io.BufferedReader, path: Path, warnings: ReaderWarnings
) -> tarfile.TarInfo | None:
    block = stream.read(BLOCK_BYTES)
    if not block:
        warnings.add(NO_END_MARK, path.name)
    if block in (b"", END_BLOCK):
        return None
    try:
        header = tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError, OverflowError) as error:
        raise FormatError(
            path, Message("the archive is damaged ({error})", key="damaged-archive", error=error)
        ) from error
    if header.size < 0:
        raise FormatError(
            path,
            Message(
                "the archive is damaged (a member states a size of {size} bytes)",
                key="damaged-archive",
                size=header.size,
            ),
        )
    return header


def _read_small(data: _Slice, size: int, path: Path) -> bytes:
    if size > MAX_HEADER_BYTES:
        raise FormatError(
            path,
            Message(
                "the archive has a header of {size:,} bytes; expected at most {limit:,}",
                size=size,
                limit=MAX_HEADER_BYTES,
            ),
        )
    return io.BufferedReader(data, BLOCK_BYTES).read()


def _parse_pax_records(block: bytes) -> dict[bytes, bytes]:
    """Return the supported records of a PAX header, each `LENGTH KEY=VALUE` and a newline.

    Other records are discarded, since they may need any amount of memory.
    """
    records, offset = {}, 0
    while (space := block.find(b" ", offset, offset + 8)) > 0 and block[offset:space].isdigit():
        end = offset + int(block[offset:space])
        key, _, value = block[space + 1 : end].partition(b"=")
        if key == b"path" or (key == b"size" and re.fullmatch(rb"[0-9]{1,18}\n", value)):
            records[key] = value.removesuffix(b"\n")
        elif key.startswith(SPARSE_PREFIX):
            records[SPARSE_PREFIX] = b""
        if end <= space:
            break
        offset = end
    return records


# Input files, each opened only once although several detectors read its beginning

MAGIC_BYTES = 8  # number of bytes that identify a file type
MAX_DETECTION_BYTES = 4096  # number of bytes inspected to detect UTF-16
# maximum bytes stored for rereading: one block of lines, much more than most detectors read
MAX_REPLAY_BYTES = 8 << 20


class _ReplayStream(io.RawIOBase):
    """Stream that stores the bytes read so far, up to a limit, so that they can be read again."""

    def __init__(self, entry: ArchiveEntry) -> None:
        self.entry = entry
        # whether the stored bytes were discarded, so that rereading requires opening the file again
        self.is_discarded = False
        self._stored_bytes, self._position, self._last = bytearray(), 0, False

    def begin(self, *, last: bool) -> None:
        """Return to the first byte; if `last` is set, bytes are not stored for another reading."""
        self._position, self._last = 0, last

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer with stored bytes, then with bytes from the source."""
        view = memoryview(buffer)
        replayed_bytes = self._stored_bytes[self._position : self._position + len(view)]
        if replayed_bytes:
            view[: len(replayed_bytes)] = replayed_bytes
            self._position += len(replayed_bytes)
            return len(replayed_bytes)
        try:
            count = self.entry.stream.readinto(view)
        except BaseException:
            self._discard_stored_bytes()  # after an error, the file must be reopened
            raise
        if self._last or len(self._stored_bytes) + count > MAX_REPLAY_BYTES:
            self._discard_stored_bytes()
        elif not self.is_discarded:
            self._stored_bytes += view[:count]
        self._position += count
        return count

    def _discard_stored_bytes(self) -> None:
        self._stored_bytes, self.is_discarded = bytearray(), True


_pipe_copies: dict[Path, None] = {}


def copy_pipe(path: Path) -> Path:
    """Copy a pipe to a temporary file, which can be read several times and is removed at exit."""
    import tempfile  # noqa: PLC0415 -- takes 2 ms, and few files are pipes

    folder = Path(tempfile.mkdtemp(prefix="irjudge-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    copy = folder / path.name
    try:
        with path.open("rb") as source, replace_file(copy) as part, part.open("wb") as target:
            shutil.copyfileobj(source, target)
    except OSError as error:
        raise FormatError(
            path, Message("cannot be read ({value})", value=error.strerror or error)
        ) from error
    _pipe_copies[copy] = None
    return copy


def is_pipe(path: Path) -> bool:
    """Return whether a path is a pipe, a device or a copy of a pipe.

    The format of such a file cannot be detected from its name.
    """
    return path in _pipe_copies or (path.exists() and not path.is_file() and not path.is_dir())


def _is_wide(head: bytes) -> bool:
    """Return whether a file is UTF-16 or UTF-32, judged by its first bytes."""
    return head.startswith(tuple(mark for mark, _ in BYTE_ORDER_MARKS)) or (
        b"\0" in head and _detect_utf16(head) is not None
    )


class InputFile:
    """File named by the user, opened when it is first read.

    `raw` returns the content as stored. `plain` returns the decompressed content, converted to
    UTF-8 if it is in UTF-16, UTF-32 or the encoding that the user named. Each format detector,
    and then the reader of the format, reads the file from its beginning. If the detectors read
    at most `MAX_REPLAY_BYTES`, these bytes are stored, and the file is read from disk only
    once. Otherwise it is read from disk again, because storing more could take as much memory
    as the whole file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: io.BufferedReader | None = None
        self._replay: _ReplayStream | None = None
        self._head = b""
        # whether the text is not UTF-8 and must be converted; None if it has not been checked
        self._needs_conversion: bool | None = None
        self.encoding: str | None = None  # encoding of plain lines, as specified by the user
        self.warnings = ReaderWarnings()  # warnings from the conversion of plain lines to UTF-8

    def raw(self) -> io.BufferedReader:
        """Return the raw file, rewound and still compressed."""
        if self._file is None:
            self._file = self.path.open("rb")
            self._head = self._file.peek(MAGIC_BYTES)
        else:
            self._file.seek(0)
        self._replay = None
        return self._file

    def begins(self, marks: bytes | tuple[bytes, ...]) -> bool:
        """Return whether the raw file begins with one of the byte strings."""
        if self._file is None:
            self.raw()
        return self._head.startswith(marks)

    def first_rows(self) -> list[list[str]]:
        """Return the words of each of the first lines of an ASCII file, to detect the format.

        Blank lines, comments and a line that may be truncated are omitted. The result is empty for
        other files and for pipes.
        """
        try:
            if not self.path.is_file():
                return []
            if self._file is None:
                self.raw()
        except (OSError, ValueError):
            return []  # the error is reported when the file is read
        if not self._head.isascii() or b"\0" in self._head or self._head.startswith(ZIP):
            return []
        lines = self._head.decode().split("\n")
        rows = [line.split() for line in (lines[:-1] or lines)]
        return [row for row in rows if row and not row[0].startswith("#")]

    def is_zip(self) -> bool:
        """Return whether the file begins as a zip archive."""
        return self.begins(ZIP)

    def has_several_files(self) -> bool:
        """Return whether the file is a zip archive without exactly one data file.

        Spreadsheets are such archives. The result is also True for a damaged zip archive, and for
        a zip archive that contains another one.
        """
        if not self.is_zip():
            return False
        try:
            with zipfile.ZipFile(self.raw()) as archive:
                names = [info.filename for info in archive.infolist() if not info.is_dir()]
        except READ_ERRORS:
            return True
        data_names = select_data_files(names)
        return len(data_names) != 1 or data_names[0].lower().endswith(".zip")

    def plain(self, *, last: bool = True) -> BinaryIO:
        """Return the decompressed content from the beginning; if `last`, it cannot be reread.

        Text in UTF-16, UTF-32 or the named encoding is converted to UTF-8.
        """
        try:
            if self._needs_conversion is None:
                head = self._restart_stream(last=False).read(MAX_DETECTION_BYTES) or b""
                self._needs_conversion = _is_wide(head) or self.encoding not in (None, "utf-8")
            replay = self._restart_stream(last=last)
        except OSError as error:
            raise FormatError(
                self.path, Message("cannot be read ({value})", value=error.strerror or error)
            ) from error
        if not self._needs_conversion:
            return cast(BinaryIO, replay)
        self.warnings = ReaderWarnings()
        # closing the returned stream closes this buffer, but not the replay stream
        source = _open_buffered(replay, self.path, None, _SizeCounter(0))
        return to_utf8_stream(source, self.path.name, self.warnings, self.encoding)

    def text(
        self,
        warnings: ReaderWarnings,
        *,
        encoding: str | None = None,
        columns: ColumnMapping | None = None,
    ) -> ArchiveEntry:
        """Return the content as text from the beginning; the content can be reread."""
        if self.path.is_dir():
            raise FormatError(self.path, "it is a folder; expected a file")
        try:
            replay = self._restart_stream(last=False)
        except (OSError, ValueError) as error:
            raise _make_open_error(self.path, error) from None
        return to_text_entry(
            _replace_stream(replay.entry, replay), warnings, encoding=encoding, columns=columns
        )

    def _restart_stream(self, *, last: bool) -> _ReplayStream:
        if self._replay is None or self._replay.is_discarded:
            self._replay = _ReplayStream(_skip_separator_line(decompress(self.raw(), self.path)))
        self._replay.begin(last=last)
        return self._replay

    def close(self) -> None:
        """Close the raw file if it was opened."""
        if self._file is not None:
            self._file.close()


FileSource: TypeAlias = Path | InputFile
"""Path of a file, or an input file that is already open."""


@contextmanager
def open_input(source: FileSource) -> Iterator[InputFile]:
    """Yield the input file of a source; close it at the end if `source` is a path."""
    if isinstance(source, InputFile):
        yield source
        return
    file = InputFile(source)
    try:
        yield file
    finally:
        file.close()


def open_single_text(
    source: FileSource,
    warnings: ReaderWarnings,
    *,
    encoding: str | None = None,
    columns: ColumnMapping | None = None,
) -> Iterator[ArchiveEntry]:
    """Yield the entry of a single text file, plain or compressed, and close it at the end."""
    with open_input(source) as file:
        yield file.text(warnings, encoding=encoding, columns=columns)


@contextmanager
def open_decompressed(path: Path) -> Iterator[io.BufferedReader]:
    """Open a file or pipe for reading bytes, decompressing gzip, bzip2 and xz."""
    with open_input(path) as file:
        yield io.BufferedReader(cast(io.RawIOBase, file.plain()))

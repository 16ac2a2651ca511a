"""Columnar files (Parquet, Arrow IPC), read by row group in several threads, with checksums.

`_checksums.json` lists the SHA-256 of the footer and of each column chunk of each file. Readers
check the footer when they open a file, and each chunk that they read. The list also has a checksum
of itself.
"""

import glob
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import (
    HOST_SCHEMES,
    Address,
    FileSource,
    expand_ipv6_host,
    parse_location,
    remove_secrets,
    replace_name,
    replace_path,
    write_text_atomically,
)
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows.columns import COLUMNAR_SUFFIXES, RUN_FOLDER, IrregularFile
from irjudge.formats.rows.decoded_size import (
    COLUMN_ERRORS,
    DAMAGED_METADATA,
    Chunk,
    DecodedTotal,
    FetchedParts,
    IpcFooter,
    Malformed,
    ReadBytes,
    check_column_type,
    check_size,
    measure_chunk,
    measure_rows,
    measure_text_size,
    read_at,
    read_column_chunks,
)
from irjudge.formats.rows.grouping import get_offsets
from irjudge.formats.rows.mapping import ColumnMapping
from irjudge.formats.rows.remote_files import (
    NoResponse,
    RemoteFile,
    list_files,
    look_up,
    make_store_options,
)
from irjudge.formats.rows.tables import (
    ENCRYPTED_MARK,
    FORMAT_BY_MAGIC,
    PARQUET,
    ColumnKind,
    ReadTable,
    check_texts,
    detect_columnar_format,
    make_table,
)
from irjudge.message import Message
from irjudge.model import MIN_ROUNDED_NUMBER, to_numpy

# Checksums of the Parquet files in a folder, by which damaged files are detected

CHECKSUMS_FILE = "_checksums.json"
# Name of the file with the rows of a converted run; names of other files in its folder begin with
# an underscore.
DATA_FILE = "part-0.parquet"
MAX_SIZE = 64 << 20  # maximum size of a checksum list in bytes
# whole numbers in a column of fractional numbers are ids if they are below this limit
MAX_EXACT_ID = 1e15
DAMAGED_FILE = Message(
    "does not match the checksum stored by `irjudge convert`, so the file is damaged; copy it "
    "again or convert the run again. If the file was rewritten on purpose, delete "
    "_checksums.json"
)


def compute_digest(data: Any) -> str:
    """Return the first 32 hexadecimal digits of the SHA-256 of bytes."""
    return sha256(data).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class FileChecksums:
    """Size of a Parquet file, and the checksums of its footer and its column chunks.

    `irjudge convert` stores them; `RowGroups` checks each column chunk that it reads. A checksum is
    the first 32 hexadecimal digits of a SHA-256.
    """

    size: int  # size of the file in bytes
    footer: str  # checksum of the footer
    # checksum of each column chunk, by row group, then by column
    chunks: tuple[tuple[str, ...], ...]

    @classmethod
    def compute(cls, path: Path) -> "FileChecksums":
        """Compute the checksums of a file."""
        # Arrow cannot open a file whose name is not UTF-8.
        with path.open("rb") as file, pa.PythonFile(file, mode="r") as source:
            read_bytes, size = partial(read_at, source), int(source.size())
            return cls(
                size,
                compute_footer_digest(read_bytes, size),
                tuple(
                    tuple(compute_digest(read_bytes(chunk.begin, chunk.length)) for chunk in group)
                    for group in read_column_chunks(read_bytes, size)
                ),
            )

    def check(self, group: int, column: int, chunk: memoryview) -> None:
        """Raise `Malformed` if a column chunk does not match its checksum."""
        if compute_digest(chunk) != self.chunks[group][column]:
            raise Malformed(DAMAGED_FILE)


def compute_footer_digest(read_bytes: ReadBytes, size: int) -> str:
    """Return the checksum of the footer of a Parquet file that has `size` bytes."""
    length = int.from_bytes(read_bytes(size - 8, 4), "little")
    return compute_digest(read_bytes(size - 8 - length, length + 8))


def is_listed(name: str) -> bool:
    """Return whether a file of this name belongs to a converted run, and should have checksums."""
    return name == DATA_FILE or (name.startswith("_") and name.endswith(".parquet"))


def find_checksums(
    checksums_text: str, name: str, read_bytes: ReadBytes, size: int
) -> FileChecksums | None:
    """Return the checksums of an open file, given the text of a checksum list.

    The result is None if the list does not contain the file.

    Raises
    ------
    Malformed
        If the list is corrupt, or if the size or the footer of the file does not match the list.
    """
    stored_checksums = Checksums.parse(checksums_text).files.get(name)
    if stored_checksums is None:
        return None
    footer = compute_footer_digest(read_bytes, size)
    for checksums in stored_checksums:
        if (checksums.size, checksums.footer) == (size, footer):
            return checksums
    raise Malformed(DAMAGED_FILE)


@dataclass(slots=True)
class Checksums:
    """List of the checksums of the Parquet files in the folder of a converted run.

    While a file is replaced, the list contains the checksums of the old and of the new file. This
    class computes and stores checksums; `find_checksums` compares them with a file.
    """

    # checksums by file name; of two entries, the last one is that of the new file
    files: dict[str, list[FileChecksums]] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "Checksums":
        """Parse a checksum list.

        Raises
        ------
        Malformed
            If the list is corrupt.
        """
        try:
            data = json.loads(text)
            if data["digest"] != compute_digest(_dump_checksums(data["files"])):
                raise Malformed(Message("{name} is damaged", name=CHECKSUMS_FILE))
            return cls(
                {
                    name: [
                        FileChecksums(
                            checksum["size"],
                            checksum["footer"],
                            tuple(map(tuple, checksum["chunks"])),
                        )
                        for checksum in entry
                    ]
                    for name, entry in data["files"].items()
                }
            )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
            raise Malformed(Message("{name} is damaged", name=CHECKSUMS_FILE)) from error

    @classmethod
    def in_folder(cls, folder: Path) -> "Checksums":
        """Return the checksum list of a folder; empty if it is missing or corrupt."""
        try:
            return cls.parse((folder / CHECKSUMS_FILE).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return cls()

    def add(self, folder: Path, name: str, path: Path) -> None:
        """Add the checksums of the file at `path`, which will replace `name`, and save the list."""
        self.files.setdefault(name, []).append(FileChecksums.compute(path))
        self._save(folder)

    def keep_only(self, folder: Path, names: set[str]) -> None:
        """Reduce the list to the newest checksums of each named file, and save it."""
        self.files = {name: self.files[name][-1:] for name in sorted(names)}
        self._save(folder)

    def _save(self, folder: Path) -> None:
        files = {
            name: [
                {"size": checksum.size, "footer": checksum.footer, "chunks": checksum.chunks}
                for checksum in entry
            ]
            for name, entry in self.files.items()
        }
        data = {
            "irjudge": "checksums",
            "version": 1,
            "files": files,
            "digest": compute_digest(_dump_checksums(files)),
        }
        write_text_atomically(folder / CHECKSUMS_FILE, json.dumps(data) + "\n")


def _dump_checksums(files: Any) -> bytes:
    return json.dumps(files, sort_keys=True).encode()


# Columnar files (Parquet, Arrow IPC) by path, folder, pattern or address, read by row group

ENCRYPTED = Message("it is encrypted; write it without encryption")
# maximum number of rows read together; a larger row group is read in batches
MAX_GROUP_ROWS = 1 << 20
_WILDCARD = re.compile(r"[*?\[]")
_PLAIN_NAME = re.compile(r"[\w-][\w.-]*")


@dataclass(frozen=True, slots=True)
class ColumnFile:
    """Columnar file at a path or `Address`, which may be opened several times.

    `open` opens the file, and `RowGroups.from_file` reads its metadata. For a table in memory, the
    path is only a name, and there is no file.
    """

    path: Path

    def open(self) -> Any:
        """Open the file as a seekable Arrow file object."""
        if not isinstance(self.path, Address):
            return pa.memory_map(str(self.path))
        with _StoreErrors(self.path):
            store, name = _open_store(self.path)
            # the file is copied, since all readers of a file in this store share one position
            if store.protocol == "memory":
                return pa.BufferReader(store.cat_file(name))
            return pa.PythonFile(RemoteFile(look_up(lambda: store.open(name, "rb"))), mode="r")

    def sibling(self, name: str) -> "ColumnFile":
        """Return the file with another name in the folder.

        Raises FormatError for the name of a file in another folder, which a damaged or hostile file
        may contain.
        """
        if not _PLAIN_NAME.fullmatch(name):
            raise FormatError(self.path, DAMAGED_METADATA)
        if not isinstance(self.path, Address):
            return ColumnFile(self.path.parent / name)
        return ColumnFile(replace_name(self.path, name))


@dataclass(frozen=True, slots=True, eq=False)
class RowGroups:
    """Schema and metadata of a columnar file with G row groups (record batches in Arrow IPC).

    The file is not kept open: `read` and `pieces` open it again to read rows. An object for a table
    in memory has only a name and a schema; it has no row groups and cannot read rows.
    """

    file: ColumnFile
    format_name: str  # Parquet or Arrow IPC
    schema: Any  # a pyarrow.Schema
    # shape (G,): number of rows of each row group, -1 if not yet known; empty for a table in memory
    row_counts: tuple[int, ...]
    # metadata of the file: a pyarrow.parquet.FileMetaData or an IpcFooter
    metadata: Any = None
    chunks: tuple[tuple[Chunk, ...], ...] = ()  # column chunks of each row group in Parquet
    # checksums of the file; None if it has none
    checksums: FileChecksums | None = None
    file_size: int = 0  # size of the file in bytes; 0 for a table in memory

    @classmethod
    def from_file(cls, file: ColumnFile) -> "RowGroups":
        """Read the metadata of a file.

        Raises
        ------
        FormatError
            If the file is not a columnar file or cannot be read.
        """
        with _convert_read_errors(file), file.open() as source:
            mark = bytes(source.read(max(map(len, FORMAT_BY_MAGIC))))
            format_name = next(
                (form for begin, form in FORMAT_BY_MAGIC.items() if mark.startswith(begin)), ""
            )
            if not format_name:
                raise FormatError(file.path, Message("the file is neither Parquet nor Arrow IPC"))
            if mark.startswith(ENCRYPTED_MARK):
                raise Malformed(ENCRYPTED)
            source.seek(0)
            if format_name != PARQUET:
                footer = IpcFooter.read(partial(read_at, source), source.size())
                schema = _check_schema(file, pa.ipc.open_file(source).schema)
                row_counts = (-1,) * len(footer.batches)
                return cls(file, format_name, schema, row_counts, footer, file_size=source.size())
            checksums = _read_checksums(file, source)
            metadata = _open_parquet_file(source).metadata
            row_counts = tuple(
                metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)
            )
            chunks = read_column_chunks(partial(read_at, source), source.size())
            schema = _check_schema(file, metadata.schema.to_arrow_schema())
            return cls(
                file, format_name, schema, row_counts, metadata, chunks, checksums, source.size()
            )

    def format_position(self, group: int, row: int | None = None) -> str:
        """Return the position of a row group or row as text, counted from 1.

        The indices `group` and `row` are counted from 0.
        """
        if row is None:
            return Message("row group {group}", group=group + 1)
        if not self.row_counts:
            return Message("row {row}", row=row + 1)
        return Message("row group {group}, row {row}", group=group + 1, row=row + 1)

    def pieces(
        self,
        columns: Sequence[str],
        groups: Sequence[int] | None = None,
        total: DecodedTotal | None = None,
    ) -> Iterator[tuple[int, int, Callable[[], Any]]]:
        """Yield (row group, first row, reader) for each batch of rows, in file order.

        A reader is a function that returns the columns of its batch; any thread can call it. A
        large row group of a Parquet file is split into several batches. The size of the batches is
        added to `total`, which several files may share.
        """
        total = total or DecodedTotal(self.file_size)
        for group in range(len(self.row_counts)) if groups is None else groups:
            if self.format_name == PARQUET and self.row_counts[group] > MAX_GROUP_ROWS:
                first_row = 0
                with (
                    _convert_read_errors(self.file, self.format_position(group)),
                    self.file.open() as source,
                ):
                    total.check_rows(self.row_counts[group])
                    source = self._check_chunks(source, group, columns, MAX_GROUP_ROWS)
                    for batch in self._open_parquet(source, group, columns).iter_batches(
                        MAX_GROUP_ROWS, row_groups=[group], columns=list(columns)
                    ):
                        yield (
                            group,
                            first_row,
                            partial(
                                pa.Table.from_batches, [_check_text_size(check_texts(batch), total)]
                            ),
                        )
                        first_row += batch.num_rows
            elif self.row_counts[group]:
                yield group, 0, partial(self.read, group, columns, total)

    def read(self, group: int, columns: Sequence[str], total: DecodedTotal | None = None) -> Any:
        """Read columns of a row group as a table; add their size to `total`."""
        total = total or DecodedTotal(self.file_size)
        with (
            _convert_read_errors(self.file, self.format_position(group)),
            self.file.open() as source,
        ):
            if self.format_name == PARQUET:
                total.check_rows(self.row_counts[group])
                checked_source = self._check_chunks(source, group, columns, self.row_counts[group])
                table = self._open_parquet(checked_source, group, columns).read_row_group(
                    group, columns=list(columns), use_threads=False
                )
                return _check_text_size(check_texts(table), total)
            size, rows = self.metadata.size(partial(read_at, source), group)
            check_size(size, self.file_size)
            total.check_rows(rows)
            fields = sorted(map(self.schema.get_field_index, columns))
            reader = pa.ipc.open_file(
                source,
                options=pa.ipc.IpcReadOptions(included_fields=fields, use_threads=False),
            )
            return pa.Table.from_batches(
                [_check_text_size(check_texts(reader.get_batch(group)), total)]
            ).select(list(columns))

    def _check_chunks(self, source: Any, group: int, columns: Sequence[str], rows: int) -> Any:
        """Check that `rows` rows of columns fit in memory, and check the checksums of the columns.

        Return the file object from which the rows are to be read.
        """
        chunks = {
            index: chunk
            for index, chunk in enumerate(self.chunks[group])
            if any(f"{chunk.path}.".startswith(f"{name}.") for name in columns)
        }
        if any(chunk.is_encrypted for chunk in chunks.values()):
            raise Malformed(ENCRYPTED)
        parts = {
            chunk.begin: read_at(source, chunk.begin, chunk.length) for chunk in chunks.values()
        }
        if self.checksums is not None:
            for index, chunk in chunks.items():
                self.checksums.check(group, index, parts[chunk.begin])
        if isinstance(self.file.path, Address):  # avoids downloading each column chunk twice
            source = pa.PythonFile(FetchedParts(source, parts), mode="r")
        sizes = (
            measure_chunk(self.metadata, group, index, chunk.path, parts[chunk.begin], source, rows)
            for index, chunk in chunks.items()
        )
        check_size(sum(sizes), self.file_size)
        return source

    def _open_parquet(self, source: Any, group: int, columns: Sequence[str]) -> Any:
        """Return a reader of a row group that dictionary-encodes the first column if possible.

        pyarrow can dictionary-encode texts, except those that are stored as differences.
        """
        kind = self.schema.field(columns[0]).type
        is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        encodings = (
            encoding
            for index, chunk in enumerate(self.chunks[group])
            if chunk.path == columns[0]
            for encoding in self.metadata.row_group(group).column(index).encodings
        )
        can_encode = is_text and not any(name.startswith("DELTA_") for name in encodings)
        return _open_parquet_file(
            source,
            metadata=self.metadata,
            read_dictionary=list(columns[:1]) if can_encode else None,
        )


def _check_text_size(rows: Any, total: DecodedTotal) -> Any:
    """Return the rows after checking that their texts fit in memory when codes are expanded.

    The size of the rows is added to `total`.
    """
    check_size(sum(map(measure_text_size, rows.columns)))
    total.add(measure_rows(rows), rows.num_rows)
    return rows


def _read_checksums(file: ColumnFile, source: Any) -> FileChecksums | None:
    """Return the checksums of a file that belongs to a converted run; None if it has none."""
    if not is_listed(file.path.name):
        return None
    try:
        with file.sibling(CHECKSUMS_FILE).open() as checksums_file:
            text = str(read_at(checksums_file, 0, MAX_SIZE), "utf-8")
    except FileNotFoundError:
        return None
    except IrjudgeError as error:
        if isinstance(error.__context__, FileNotFoundError):
            return None
        raise
    return find_checksums(text, file.path.name, partial(read_at, source), source.size())


def _check_schema(file: ColumnFile, schema: Any) -> Any:
    """Return a schema after checking names and types of its columns.

    Names must be UTF-8, and no column may expand without limit. Raises ValueError for an invalid
    name, and FormatError for an invalid type.
    """
    for column in schema:  # a name may be repeated
        check_column_type(file.path, column.name, column.type)
    return schema


def _open_parquet_file(source: Any, **options: Any) -> Any:
    import pyarrow.parquet  # noqa: PLC0415 -- few files are Parquet

    return pyarrow.parquet.ParquetFile(source, **options)


class _convert_read_errors:  # noqa: N801 -- used as a function is
    """Context manager that converts errors of Arrow and of object stores to FormatError."""

    def __init__(self, file: ColumnFile, position: str = "") -> None:
        self._file, self._location = file, position

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        # stores are third-party packages with error classes of their own
        is_remote_error = isinstance(self._file.path, Address) and isinstance(error, Exception)
        if isinstance(error, IrjudgeError):
            return
        if is_remote_error or isinstance(error, COLUMN_ERRORS):
            raise FormatError(
                self._file.path,
                Message(
                    "{location}cannot be read ({reason})",
                    key="unreadable",
                    location=Message("{location}: ", location=self._location)
                    if self._location
                    else "",
                    reason=_describe_error(error, self._file.path),
                ),
            ) from _select_cause(error, self._file.path)


class _StoreErrors:
    """Context manager that converts errors of an object store to IrjudgeError with the address."""

    def __init__(self, address: Address) -> None:
        self._address = address

    def __enter__(self) -> None:
        return None

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, Exception) and not isinstance(error, IrjudgeError):
            raise IrjudgeError(
                "{address} cannot be reached: {reason}.",
                address=str(self._address),
                reason=_describe_error(error, self._address),
            ) from _select_cause(error, self._address)


def _describe_error(error: BaseException | None, path: Path) -> str:
    """Return the first line of an error message, without the secret parts of an address."""
    if isinstance(error, NoResponse):
        return str(error.args[0])
    text = remove_secrets(str(error), path.url) if isinstance(path, Address) else str(error)
    return (text.splitlines() or [type(error).__name__])[0].rstrip(".")[:200]


def _select_cause(error: BaseException | None, path: Path) -> BaseException | None:
    """Return an error as the cause of another; None for an address, which may contain secrets.

    Python prints the messages of causes in tracebacks, which notebooks store.
    """
    return None if isinstance(path, Address) else error


def _open_store(address: Address) -> tuple[Any, str]:
    """Return the file system for an address, and the path in that file system."""
    try:
        import fsspec  # noqa: PLC0415 -- few files are elsewhere
    except ImportError:
        raise IrjudgeError(
            "Reading {address} needs fsspec, which is not installed; install it with `pip "
            "install irjudge[cluster]`.",
            address=str(address),
        ) from None
    options = make_store_options(address.url)
    store, name = look_up(lambda: fsspec.core.url_to_fs(expand_ipv6_host(address.url), **options))
    return store, str(name)


def find_column_files(source: FileSource) -> tuple[ColumnFile, ...]:
    """Return the columnar files at a path, folder, pattern or address, sorted by name.

    The result is empty if there are none. Names that begin with a dot or an underscore are ignored,
    as in Hive and Spark.
    """
    path = source if isinstance(source, Path) else source.path
    if isinstance(path, Address):
        return _find_files_at_address(path)
    if path.is_file():
        return (ColumnFile(path),) if detect_columnar_format(source) else ()
    if path.is_dir():
        paths = [file for file in sorted(path.rglob("*")) if _is_part(file.relative_to(path).parts)]
    elif _WILDCARD.search(str(path)) and not path.exists():
        pattern = _escape_folder(path.as_posix(), os.path.exists)
        paths = [Path(name) for name in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207 -- a pattern may be absolute
        paths = [path for path in paths if _is_part(path.parts[-1:])]
    else:
        return ()
    return tuple(ColumnFile(path) for path in paths if path.is_file())


def _find_files_at_address(address: Address) -> tuple[ColumnFile, ...]:
    with _StoreErrors(address):
        store, name = _open_store(address)
        if _is_pattern(address, store, name):
            pattern = _escape_folder(name, lambda folder: look_up(lambda: store.exists(folder)))
            paths = list_files(lambda: store.glob(pattern))
            names = [path for path in sorted(paths) if _is_part((path.rpartition("/")[2],))]
        elif look_up(lambda: store.isdir(name)):
            paths = list_files(lambda: store.find(name))
            names = [
                entry_name
                for entry_name in sorted(paths)
                if _is_part(entry_name.removeprefix(name).strip("/").split("/"))
            ]
        else:
            names = [name] if look_up(lambda: store.exists(name)) else []
        if names == [name]:
            return (ColumnFile(address),)
        files = tuple(ColumnFile(_to_address(store, name, address)) for name in names)
    if not files:
        raise IrjudgeError(
            "There is no file at {address}, and no folder with Parquet or Arrow files.",
            address=str(address),
        )
    return files


def _to_address(store: Any, name: str, address: Address) -> Path:
    """Return the address of a file in the store of another address.

    In stores such as FTP, the names of files do not contain the host.
    """
    url = store.unstrip_protocol(name)
    scheme, _, path = url.partition("://")
    is_without_host = scheme in HOST_SCHEMES and path.startswith("/")
    return parse_location(replace_path(address, path) if is_without_host else url)


def _is_pattern(address: Address, store: Any, name: str) -> bool:
    """Return whether an address is a pattern; in an HTTP address, `?` precedes the query."""
    return (
        bool(_WILDCARD.search(name))
        and not address.url.lower().startswith("http")
        and not look_up(lambda: store.exists(name))
    )


def _escape_folder(pattern: str, exists: Callable[[str], bool]) -> str:
    """Escape wildcards in the longest folder before a pattern that exists with exactly this name."""
    for slash in reversed(range(len(pattern))):
        folder = pattern[:slash]
        if pattern[slash] == "/" and _WILDCARD.search(folder) and exists(folder):
            return glob.escape(folder) + pattern[slash:]
    return pattern


def _is_part(names: Sequence[str]) -> bool:
    return not any(name.startswith((".", "_")) for name in names) and names[-1].endswith(
        COLUMNAR_SUFFIXES
    )


def _name_columns(path: Path, names: Sequence[str], indices: Mapping[str, int]) -> dict[str, str]:
    """Return the name of each part's column; columns are read by name, so names must be unique."""
    for index in indices.values():
        if names.count(names[index]) > 1:
            raise FormatError(
                path,
                Message(
                    "several columns are named {column}; rename them, so that their names differ",
                    key="repeated-column",
                    column=names[index],
                ),
            )
    return {part: names[index] for part, index in indices.items()}


def find_run_folders(address: Address) -> list[Path]:
    """Return the run folders (`run=bm25/`) at an address; if there are none, the address itself."""
    with _StoreErrors(address):
        store, name = _open_store(address)
        is_folder = not _is_pattern(address, store, name) and look_up(lambda: store.isdir(name))
        run_files = sorted(list_files(lambda: store.ls(name, detail=False))) if is_folder else []
        folders = [
            file for file in run_files if file.rstrip("/").rpartition("/")[2].startswith(RUN_FOLDER)
        ]
        return [_to_address(store, folder, address) for folder in folders] or [address]


@dataclass(frozen=True, slots=True, eq=False)
class RowPiece:
    """Rows read together from one row group of a columnar file, or from a table in memory.

    `column_of_part` contains the column name of each part of a row, such as the score; only some of
    these columns may have been read (see `has`).
    """

    part: RowGroups
    group: int  # index of the row group, from 0
    first: int  # index of the first of these rows in the row group, from 0
    table: Any  # columns that were read, as a pyarrow.Table
    column_of_part: dict[str, str]

    def has(self, name: str) -> bool:
        """Return whether the column of a part, such as the score, was read."""
        return self.column_of_part.get(name) in self.table.column_names

    def make_error(self, name: str, row: int, text: str) -> FormatError:
        """Return the error for an invalid value; `row` is an index in this batch, from 0."""
        return FormatError(
            self.part.file.path,
            Message(
                "{location}: the {name} {problem}",
                key="wrong-cell",
                location=self.part.format_position(self.group, self.first + row),
                name=name,
                problem=text,
            ),
        )

    def optional_column(self, name: str) -> Any:
        """Return the column of a part, in which values may be missing."""
        column = self.table[self.column_of_part[name]]
        # combine_chunks would copy even a single chunk
        return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()

    def column(self, name: str) -> Any:
        """Return the column of a part, such as the score.

        Raises
        ------
        FormatError
            If a value is missing; the error contains the number of the first such row.
        """
        array = self.optional_column(name)
        has_empty_entry = pa.types.is_dictionary(array.type) and array.dictionary.null_count
        values = array.dictionary_decode() if has_empty_entry else array
        if values.null_count:
            raise self.make_error(
                name,
                int(to_numpy(pa.compute.indices_nonzero(values.is_null()))[0]),
                Message("is empty"),
            )
        return array

    def id_column(self, name: str) -> Any:
        """Return a column of ids, such as the document.

        Raises
        ------
        FormatError
            If an id is missing or empty, or is a rounded number; the error contains the number of
            the first such row.
        """
        column = self.column(name)
        is_dictionary = pa.types.is_dictionary(column.type)
        values = column.dictionary if is_dictionary else column
        if pa.types.is_floating(values.type):
            numbers = to_numpy(values)
            if ((numbers == np.floor(numbers)) & (np.abs(numbers) < MAX_EXACT_ID)).all():
                integers = values.cast(pa.int64())
                return integers.take(column.indices) if is_dictionary else integers
            is_wrong = pa.compute.match_substring(cast_column(values, pa.string()), "e+")
            problem = Message("is a rounded number; store ids as text")
        elif pa.types.is_string(values.type) or pa.types.is_large_string(values.type):
            # not compared with 0, since pyarrow imports pandas to convert a Python number
            is_wrong = pa.compute.invert(pa.compute.binary_length(values).cast(pa.bool_()))
            problem = Message("is empty")
        else:
            return column
        if not pa.compute.any(is_wrong).as_py():
            return column
        rows = to_numpy(
            pa.compute.indices_nonzero(is_wrong.take(column.indices) if is_dictionary else is_wrong)
        )
        if len(rows):
            raise self.make_error(name, int(rows[0]), problem)
        return column


@dataclass(frozen=True, slots=True, eq=False)
class ColumnTable:
    """Table in columnar files or in memory, with the name of the column that contains each part.

    A part of a row is, for example, the topic, the document or the score (`column_of_part`). The
    field `parts` contains the metadata of each file, or of the table in memory. `pieces` reads the
    rows.
    """

    path: Path  # path given by the user
    parts: tuple[RowGroups, ...]
    column_of_part: dict[str, str]  # name of the column in the files, by part
    header: ReadTable  # header of the first file, as a table without rows
    arrow_table: Any = None  # Arrow table if the table is in memory; otherwise None

    @classmethod
    def open(
        cls, source: FileSource, kinds: Sequence[ColumnKind], columns: ColumnMapping
    ) -> "ColumnTable | None":
        """Return the table at a path; None if there are no columnar files.

        Raises
        ------
        FormatError
            If a required column is missing, or if two files have different columns.
        """
        path = source if isinstance(source, Path) else source.path
        parts = tuple(map(RowGroups.from_file, find_column_files(source)))
        if not parts:
            return None
        pieces = [
            make_table(
                part.file.path,
                part.format_name,
                iter([(1, list(part.schema.names))]),
                kinds,
                columns,
            )
            for part in parts
        ]
        different_part = next(
            (
                part
                for part, table in zip(parts, pieces, strict=True)
                if table.columns() != pieces[0].columns()
            ),
            None,
        )
        if different_part is not None:
            raise FormatError(
                different_part.file.path,
                Message("its columns differ from those of {first}", first=parts[0].file.path.name),
            )
        names, index_of_part = parts[0].schema.names, pieces[0].index_of_part
        last_index = max(index_of_part.values(), default=0)
        if last_index >= len(names):  # a column number given by the user is too large
            raise FormatError(
                parts[0].file.path,
                Message(
                    "there is no column {number}; number of columns in the file: {count}",
                    number=last_index + 1,
                    count=len(names),
                ),
            )
        return cls(path, parts, _name_columns(path, names, index_of_part), pieces[0])

    @classmethod
    def in_memory(
        cls, name: str, table: Any, columns: ColumnMapping, kinds: Sequence[ColumnKind]
    ) -> "ColumnTable":
        """Return an Arrow table as a `ColumnTable`; `columns` maps parts to columns."""
        row_groups = RowGroups(ColumnFile(Path(name)), Message("a table"), table.schema, ())
        header = make_table(
            row_groups.file.path,
            row_groups.format_name,
            iter([(1, table.column_names)]),
            kinds,
            columns,
        )
        return cls(
            row_groups.file.path,
            (row_groups,),
            _name_columns(row_groups.file.path, table.column_names, header.index_of_part),
            header,
            table,
        )

    def pieces(
        self, part_names: Sequence[str], row_group: tuple[int, int] | None = None
    ) -> Iterator[Callable[[], RowPiece]]:
        """Yield, for each batch of rows in file order, a function that reads the batch.

        Only the columns of the parts in `part_names` are read; parts without a column are ignored.
        `row_group` selects one row group: the index of its file, and its index in that file.
        """
        if self.arrow_table is not None:
            if self.arrow_table.num_rows:
                yield lambda: RowPiece(self.parts[0], 0, 0, self.arrow_table, self.column_of_part)
            return
        columns = [self.column_of_part[name] for name in part_names if name in self.column_of_part]
        # the limits apply to the total of all files, since there may be many small files
        total = DecodedTotal(sum(part.file_size for part in self.parts))
        for row_groups in self.parts if row_group is None else [self.parts[row_group[0]]]:
            for group, first_row, read_columns in row_groups.pieces(
                columns, None if row_group is None else [row_group[1]], total
            ):
                yield partial(self._read_piece, row_groups, group, first_row, read_columns)

    def _read_piece(
        self, row_groups: RowGroups, group: int, first_row: int, read_columns: Callable[[], Any]
    ) -> RowPiece:
        return RowPiece(row_groups, group, first_row, read_columns(), self.column_of_part)

    def messages(self, note: str) -> tuple[str, ...]:
        """Return messages about the columns that are read and the other columns.

        The message about the columns that are read ends with `note`.
        """
        warnings, header = ReaderWarnings(), self.header
        header.report_unread(warnings)
        return (
            Message(
                "{file}: read as {form}: {columns}{note}.",
                key="read-as",
                file=self.path.name,
                form=header.format_name,
                columns=header.describe_mapping(),
                note=note,
            ),
            *warnings.format_for(self.path.name),
        )


def cast_column(column: Any, kind: Any) -> Any:
    """Return a column cast to another type.

    Raises
    ------
    IrregularFile
        If the column cannot be cast without changing a value.
    """
    try:
        return column if column.type == kind else column.cast(kind)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise IrregularFile from None


def to_numbers(column: Any, kind: Any) -> Any:
    """Return a numeric column as a NumPy array.

    Raises
    ------
    IrregularFile
        If the column is not numeric, or a number is out of range.
    """
    if not (pa.types.is_integer(column.type) or pa.types.is_floating(column.type)):
        raise IrregularFile
    return to_numpy(cast_column(column, kind))


def to_ids(column: Any) -> Any:
    """Return a column of ids as int32 or int64, as strings, or as a dictionary of strings.

    Raises
    ------
    IrregularFile
        If an id is empty, begins or ends with white space, or is a floating-point number that is
        not whole or may have been rounded.
    """
    if pa.types.is_floating(column.type):
        whole_numbers = cast_column(column, pa.int64())
        if (np.abs(to_numpy(whole_numbers)) >= MIN_ROUNDED_NUMBER).any():
            raise IrregularFile
        return whole_numbers
    if pa.types.is_integer(column.type):
        return column if column.type == pa.int32() else cast_column(column, pa.int64())
    is_dictionary = pa.types.is_dictionary(column.type)
    texts = cast_column(column.dictionary if is_dictionary else column, pa.string())
    if not _are_stripped(texts):
        raise IrregularFile
    return pa.DictionaryArray.from_arrays(column.indices, texts) if is_dictionary else texts


def _are_stripped(texts: Any) -> bool:
    """Return whether no text is empty, or begins or ends with white space."""
    if not len(texts):
        return True
    offsets = get_offsets(texts)
    if not (np.diff(offsets) > 0).all():
        return False
    characters = np.frombuffer(texts.buffers()[2], dtype=np.uint8)
    ends = characters[offsets[:-1]], characters[offsets[1:] - 1]
    if all(((end > ord(" ")) & (end < 128)).all() for end in ends):
        return True
    is_equal = pa.compute.equal(pa.compute.utf8_trim_whitespace(texts), texts)
    return bool(pa.compute.all(is_equal).as_py())


def encode_ids(column: Any) -> tuple[Any, Any]:
    """Return (codes, distinct ids) for a column of ids; (values, None) for a column of numbers.

    Raises IrregularFile as `to_ids` does.
    """
    ids = to_ids(column)
    if pa.types.is_integer(ids.type):
        return to_numpy(ids), None
    dictionary = ids if pa.types.is_dictionary(ids.type) else ids.dictionary_encode()
    return to_numpy(dictionary.indices), dictionary.dictionary

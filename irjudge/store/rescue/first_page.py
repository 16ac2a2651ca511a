"""The header and the table of contents of a project file: what they must say, and a copy of a damaged file in which they say so."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from operator import eq
from pathlib import Path
from tempfile import TemporaryDirectory

from irjudge.errors import ProjectDamaged, ProjectError
from irjudge.message import Message
from irjudge.store.connection import Connection
from irjudge.store.rescue.raw_events import BEGIN, page_size
from irjudge.store.schema import APPLICATION_ID, SCHEMA_VERSION, create_tables

HEADER = 100  # bytes
MAGIC, MARK = b"SQLite format 3\0", APPLICATION_ID.to_bytes(4, "big")
ALIKE = (
    0.9  # share of the bytes of a sound page of the table of contents that are those of a new file
)
CUT_OFF = 20  # times as many pages as are there that a file may say it had before it was cut off
MOST_READ = 1 << 24  # bytes that are looked at
FIXED = (
    *range(16),
    *range(20, 24),
    *range(44, 52),
    *range(56, 60),
    *range(68, 92),
)  # of the header: the same in every project file
HEADER_CHANGED = Message("its header was changed")
JOURNALS = (
    b"\1\1",
    b"\2\2",
)  # how it is written and read: as we do, or with another program's write-ahead log


def header_is_sound(path: Path) -> bool:
    """Tell whether what never changes in the header of a project file is as it must be: SQLite overlooks some of it."""
    try:
        with path.open("rb") as file:
            head = file.read(HEADER)
    except OSError as fault:
        raise ProjectError(
            "{file} cannot be read ({value}).", file=path.name, value=fault.strerror or fault
        ) from fault
    sound = _sound_header(head, page_size(head), len(head), same_tables=True)
    return (
        len(head) == HEADER
        and head[18:20] in JOURNALS
        and all(head[place] == sound[place] for place in FIXED)
    )


def has_damaged_beginning(path: Path) -> bool:
    """Tell whether a file that does not open as a project is one whose header or table of contents was damaged.

    A file of a newer form is not: only where its table of contents is exactly ours was its form changed by damage.
    """
    try:
        with path.open("rb") as file:
            head = file.read(MOST_READ)
    except OSError:
        return False
    contents = _contents_of_a_new_file(page_size(head))
    shares = [_share(head, number, page) for number, page in contents.items()]
    newer = (
        head.startswith(MAGIC)
        and _has_mark(head, len(MARK))
        and int.from_bytes(head[60:64], "big") > SCHEMA_VERSION
    )
    ours = _has_mark(head, len(MARK) - 1) or sum(share >= ALIKE for share in shares) >= max(
        1, len(shares) - 1
    )
    return min(shares) == 1 if newer else ours and _mended(head, path.stat().st_size) is not None


@contextmanager
def damaged_source(path: Path) -> Iterator[Connection]:
    """Open a damaged file for reading what is left of it; where its header or its table of contents is damaged, a mended copy."""
    if not path.is_file():
        raise ProjectError("{path} does not exist.", path=path)
    with path.open("rb") as file:
        head = file.read(MOST_READ)
    pages = _mended(head, path.stat().st_size)
    if pages is None:
        connection = Connection(path, writing=False, damaged=True, handed_on=True)
        try:
            yield connection
        finally:
            connection.close()
        return
    with TemporaryDirectory(prefix="irjudge-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / path.name
        _copy(path, copy, pages, page_size(head))
        connection = Connection(copy, writing=False, damaged=True, name=path.name, handed_on=True)
        try:
            yield connection
        finally:
            connection.close()


def _copy(path: Path, copy: Path, pages: dict[int, bytes], size: int) -> None:
    try:
        shutil.copyfile(path, copy)
        with copy.open("r+b") as file:
            for number, page in pages.items():
                file.seek((number - 1) * size)
                file.write(page)
    except OSError as fault:
        raise ProjectDamaged(
            "{file} is damaged, and no copy of it could be made to mend ({value}).",
            file=path.name,
            value=fault.strerror or fault,
        ) from fault


def _mended(head: bytes, length: int) -> dict[int, bytes] | None:
    """Return the pages that have to be replaced, by number; None where nothing is to be mended, or the file is none of ours."""
    size = page_size(head)
    contents = _contents_of_a_new_file(size)
    shares = [
        _share(head, number, page) for number, page in contents.items() if number * size <= length
    ]
    same_tables = sum(share >= ALIKE for share in shares) >= max(
        1, len(shares) - 1
    )  # one page may be gone whole, and what is cut off
    if not (same_tables or _is_ours(head)):
        return None
    header = _sound_header(head, size, length, same_tables)
    if same_tables and (min(shares) < 1 or len(shares) < len(contents)):
        return {**contents, 1: header + contents[1][HEADER:]}
    return {1: header + head[HEADER:size]} if header != head[:HEADER] else None


def _is_ours(head: bytes) -> bool:
    return _has_mark(head, len(MARK) - 1) or BEGIN.search(head) is not None


def _has_mark(head: bytes, least: int) -> bool:
    """Tell whether so many bytes of the mark of a project are where they should be."""
    return sum(one == other for one, other in zip(head[68:72], MARK, strict=False)) >= least


def _share(head: bytes, number: int, page: bytes) -> float:
    """Return how much of a page is as it should be, the header left out."""
    begin = HEADER if number == 1 else 0
    there = head[(number - 1) * len(page) : number * len(page)]
    alike: int = sum(map(eq, there[begin:], page[begin:]))
    return alike / (len(page) - begin)


def _sound_header(head: bytes, size: int, length: int, same_tables: bool) -> bytes:
    """Return the header as it must be; what may have any value stays as it is."""
    head = head[:HEADER].ljust(HEADER, b"\0")
    pages, said = length // size, int.from_bytes(head[28:32], "big")
    trunk = int.from_bytes(head[32:36], "big")
    form = int.from_bytes(head[60:64], "big")
    sound = 1 <= form <= SCHEMA_VERSION or not same_tables
    return b"".join(
        (
            MAGIC,
            (1 if size == 65536 else size).to_bytes(2, "big"),
            bytes((1, 1, 0, 64, 32, 32)),
            head[24:28],
            head[28:32] if pages < said <= CUT_OFF * pages else pages.to_bytes(4, "big"),
            head[32:36] if trunk <= pages else bytes(4),
            head[36:44],
            (4).to_bytes(4, "big"),
            bytes(8),
            (1).to_bytes(4, "big"),
            head[60:64] if sound else SCHEMA_VERSION.to_bytes(4, "big"),
            bytes(4),
            MARK,
            bytes(20),
            head[24:28],
            head[96:100],
        )
    )


def _contents_of_a_new_file(size: int) -> dict[int, bytes]:
    """Return the pages of the table of contents as every new file has them, by number."""
    sqlite = sqlite3.connect(":memory:", isolation_level=None)
    try:
        sqlite.execute(f"PRAGMA page_size = {size}")
        create_tables(sqlite)
        data = sqlite.serialize()
    finally:
        sqlite.close()
    return {number: data[(number - 1) * size : number * size] for number in _tree(data, size, 1)}


def _tree(data: bytes, size: int, number: int) -> Iterator[int]:
    """Yield the numbers of the pages of a table, its root first."""
    yield number
    begin, page = (HEADER if number == 1 else 0), data[(number - 1) * size : number * size]
    if page[begin] != 5:
        return
    count = int.from_bytes(page[begin + 3 : begin + 5], "big")
    cells = (
        int.from_bytes(page[at : at + 2], "big")
        for at in range(begin + 12, begin + 12 + 2 * count, 2)
    )
    for child in (
        *(int.from_bytes(page[cell : cell + 4], "big") for cell in cells),
        int.from_bytes(page[begin + 8 : begin + 12], "big"),
    ):
        yield from _tree(data, size, child)

"""Finds events in the raw bytes of a file, whatever its header, tables and pages say: an event is known by its form and its hash."""

import hashlib
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Literal, TypeAlias

from irjudge.errors import ProjectError
from irjudge.model.event import Event, decode

How: TypeAlias = Literal["raw scan", "free page", "overflow chain", "behind the last page"]

BEGIN, END = (
    re.compile(rb'\{"(?:actor|assessor)":"'),
    re.compile(rb'"v":[12]\}'),
)  # of versions 1 and 2
NAME = b'"assessor":"'
LARGEST = 1_000_000  # bytes of an event
ENDS = 8  # of one event that are tried: a payload may hold what looks like one
LINKS = 20_000  # pages that are tried in the place of a link that was damaged
ENOUGH = 16  # bytes of a damaged hash of 32 that still prove an event
GUESSED = 1 << 20  # bytes in which the beginnings of pages are looked for
SIZES = tuple(1 << power for power in range(9, 17))
TREES = frozenset((2, 5, 10, 13))  # what a page of a tree begins with


@dataclass(frozen=True, slots=True)
class RawEvent:
    """An event that was found outside the tables."""

    event: Event  # what its bytes say; they are canonical
    how: How  # where they stood
    sequence: (
        int | None
    )  # the number in the log that the row around it gives; None where there is no such row
    in_row: bool  # whether the row around it holds its hash, or enough of it


@dataclass(frozen=True, slots=True)
class FilePages:
    """How the bytes of a file are divided: the size of a page, how many the header counts, and which are free."""

    size: int
    count: int
    free: frozenset[int]

    @classmethod
    def of(cls, data: bytes) -> "FilePages":
        """Read it from the header, as far as that makes sense."""
        size = page_size(data)
        there = max(1, -(-len(data) // size))
        said = int.from_bytes(data[28:32], "big")
        return cls(size, said if 1 <= said <= there else there, frozenset(_free(data, size, there)))

    def how(self, place: int) -> How:
        """Tell what kind of page a byte stands in."""
        number = place // self.size + 1
        if number > self.count:
            return "behind the last page"
        return "free page" if number in self.free else "raw scan"


def page_size(data: bytes) -> int:
    """Return the size of a page: what the header says where pages begin there, else the largest size at which most pages begin."""
    begins = {size: _trees(data, size) for size in SIZES}
    likely = [
        size for size, count in begins.items() if count and count >= 0.8 * max(begins.values())
    ]
    said = int.from_bytes(data[16:18], "big")
    said = 65536 if said == 1 else said
    return said if said in likely else max(likely, default=4096)


def _trees(data: bytes, size: int) -> int:
    """Return how many pages of that size begin as pages of a tree do; the first, which begins with the header, is left out."""
    ends = min(len(data) - 8, GUESSED)
    trees = 0
    for place, kind in zip(range(size, ends, size), data[size:ends:size], strict=False):
        if kind in TREES:
            cells = int.from_bytes(data[place + 3 : place + 5], "big")
            content = int.from_bytes(data[place + 5 : place + 7], "big") or 65536
            trees += 8 + 2 * cells <= content <= size
    return trees


def _free(data: bytes, size: int, count: int) -> Iterator[int]:
    """Yield the numbers of the pages on the free list: each of its trunks names the next one and its leaves."""
    trunk, seen = int.from_bytes(data[32:36], "big"), set[int]()
    while 2 <= trunk <= count and trunk not in seen:
        seen.add(trunk)
        yield trunk
        begin = (trunk - 1) * size
        leaves = int.from_bytes(data[begin + 4 : begin + 8], "big")
        if leaves > size // 4:
            return
        yield from (
            int.from_bytes(data[at : at + 4], "big")
            for at in range(begin + 8, begin + 8 + 4 * leaves, 4)
        )
        trunk = int.from_bytes(data[begin : begin + 4], "big")


def scan(
    data: bytes, known: Collection[bytes], step: Callable[[int], None] = lambda place: None
) -> Iterator[RawEvent]:
    """Yield every event that stands in the bytes of a file and is not known, each once."""
    pages, seen = FilePages.of(data), set[bytes]()
    begins = (match.start() for match in BEGIN.finditer(data))
    for begin, following in pairwise(_and_end(begins, len(data))):
        step(begin)
        whole = _whole(data[begin : min(following, begin + LARGEST)], known)
        if whole == b"":
            continue
        found = whole or _chained(data, begin, pages, known)
        event = _decoded(found) if found else None
        if event is None or event.encoded in seen or bytes.fromhex(event.digest) in known:
            continue
        seen.add(event.encoded)
        sequence, stored = _row_before(data, begin, event)
        agreeing = sum(
            one == other for one, other in zip(stored, bytes.fromhex(event.digest), strict=False)
        )
        how = pages.how(begin)
        yield RawEvent(
            event,
            how if whole or how != "raw scan" else "overflow chain",
            sequence,
            agreeing >= ENOUGH,
        )


def _and_end(places: Iterator[int], end: int) -> Iterator[int]:
    yield from places
    yield end


def _decoded(body: bytes) -> Event | None:
    try:
        return decode(body)
    except (ProjectError, AttributeError, TypeError):
        return None


def _whole(window: bytes, known: Collection[bytes]) -> bytes | None:
    """Return the event that a window begins with, empty where it is a known one; None where none stands there in one piece."""
    for match in islice(END.finditer(window), ENDS):
        if hashlib.sha256(window[: match.end()]).digest() in known:
            return b""
        if _decoded(window[: match.end()]):
            return window[: match.end()]
    return None


# Events that are longer than a page: what does not fit stands in a chain of pages, each naming the next


def _chained(data: bytes, begin: int, pages: FilePages, known: Collection[bytes]) -> bytes | None:
    """Return an event that goes on in other pages; the place where it leaves its own is found, not trusted."""
    last, row = len(data) // pages.size, _local_part(data, begin, pages.size)
    body = _followed(data, begin, pages, last, known)
    if not row or (body is not None and (not body or hashlib.sha256(body).digest() == row[2])):
        return body
    # A damaged link can lead into another long event, and what comes of that can read as one that nobody wrote.
    return _over_a_broken_link(data, begin, pages, last, row) or body


def _followed(
    data: bytes, begin: int, pages: FilePages, last: int, known: Collection[bytes]
) -> bytes | None:
    """Return what the links give, empty where that is a known event; None where it is none."""
    end = (begin // pages.size + 1) * pages.size
    for split in range(begin + 64, end - 3):
        first = int.from_bytes(data[split : split + 4], "big")
        if 2 <= first <= last:
            body = _whole(
                data[begin:split] + _rest(data, pages.size, _chain(data, pages.size, first, last)),
                known,
            )
            if body is not None:
                return body
    return None


def _chain(data: bytes, size: int, first: int, last: int, most: int = LARGEST) -> list[int]:
    """Return the numbers of a chain of pages, up to a link that leads nowhere or back."""
    chain: list[int] = []
    while 2 <= first <= last and first not in chain and len(chain) * size < most:
        chain.append(first)
        first = int.from_bytes(data[(first - 1) * size : (first - 1) * size + 4], "big")
    return chain


def _rest(data: bytes, size: int, chain: Sequence[int]) -> bytes:
    return b"".join(data[(number - 1) * size + 4 : number * size] for number in chain)


def _over_a_broken_link(
    data: bytes, begin: int, pages: FilePages, last: int, row: tuple[int, int, bytes]
) -> bytes | None:
    """Return an event one of whose links was damaged: every page is tried in its place, and its hash tells the true one."""
    here, length, digest = row
    tries, needed = iter(range(LINKS)), -(-(length - here) // (pages.size - 4))
    first = int.from_bytes(data[begin + here : begin + here + 4], "big")
    sound = _chain(data, pages.size, first, last, needed * pages.size)
    for kept in range(min(len(sound) + 1, needed)):
        for number, _ in zip(range(2, last + 1), tries, strict=False):
            chain = sound[:kept] + _chain(
                data, pages.size, number, last, (needed - kept) * pages.size
            )
            body = (data[begin : begin + here] + _rest(data, pages.size, chain[:needed]))[:length]
            if len(body) == length and hashlib.sha256(body).digest() == digest:
                return body
    return None


def _local_part(data: bytes, begin: int, size: int) -> tuple[int, int, bytes] | None:
    """Return how many bytes of a long event stand in its own page, how many it has, and its hash, as its row says."""
    name = data.find(NAME, begin, begin + 2000) + len(NAME)
    name_end = data.find(b'"', name, begin + 2000)
    for parent in (32, 0):
        place = begin - parent - (name_end - name) - 32
        header = _header_before(data, place) if place > 0 else None
        if header is None:
            continue
        kind, at, end = 0, place - 1, place
        while at > place - 9 and at > 0 and data[at - 1] & 0x80:
            at -= 1
        for byte in data[at:end]:
            kind = kind << 7 | byte & 0x7F
        length, payload = (kind - 12) // 2, (place - header) + (begin - place) + (kind - 12) // 2
        least = (size - 12) * 32 // 255 - 23
        local = least + (payload - least) % (size - 4)
        local = local if local <= size - 35 else least
        here = local - (begin - header)
        return (here, length, data[place : place + 32]) if 0 < here < length <= LARGEST else None
    return None


# The row around an event: size, number, header, hash, assessor, parent, body


def _row_before(data: bytes, begin: int, event: Event) -> tuple[int | None, bytes]:
    """Return the number and the hash that stand before an event's bytes in a row of the log; None where the row cannot be read."""
    place = begin - (32 if event.parent else 0) - len(event.assessor.encode()) - 32
    if place < 0:
        return None, b""
    header = _header_before(data, place)
    return (None if header is None else _number_before(data, header)), bytes(
        data[place : place + 32]
    )


def _header_before(data: bytes, place: int) -> int | None:
    """Return where the header of a row begins whose first values are its number and a hash; None where there is none."""
    return next(
        (
            place - size
            for size in range(5, 16)
            if place > size and data[place - size : place - size + 3] == bytes((size, 0, 76))
        ),
        None,
    )


def _number_before(data: bytes, header: int) -> int | None:
    """Return the whole number of seven bits a byte that ends at a place."""
    begin = header - 1
    while begin > header - 9 and begin > 0 and data[begin - 1] & 0x80:
        begin -= 1
    number = 0
    for byte in data[begin:header]:
        number = number << 7 | byte & 0x7F
    return number if 0 < number < 1 << 40 else None

"""Cuts a long page into slices that are whole HTML each, so that a screen can take them one after another."""

from collections.abc import Iterable, Iterator

from irjudge.text.pieces import cut_before
from irjudge.text.sanitize import BLOCKS, HOLDERS, SINGLE, TABLE_PARTS

# A slice's weight is about what the screen needs to lay it out: 60,000 take 10 ms.
FIRST, NEXT = 6_000, 20_000
WAIT = 4  # how many times heavier a slice or a cell may grow before it is cut where a reader would see it
ROWS, HEAVY, HEAVIEST = (
    400,
    300_000,
    400_000,
)  # cells, or weight, before a table is cut between rows; weight before inside one
ROW = 30_000  # weight of one row before it is cut between cells
DEEP = 3  # tables in so many tables are for looks: they are not kept whole
LONGEST_BLOCK = 10_000  # a paragraph is laid out as a whole
CELL, IMAGE, BLOCK, LINE, INLINE = 200, 200, 50, 40, 20  # weights of tags
BREAKS = 5  # what the end of a line adds to the length of its paragraph
LEAST_ROOM = 200

BETWEEN_ROWS = frozenset({"tr", "thead", "tbody", "tfoot"})
CONTINUED = {"p": '<p style="margin-bottom:0px">'}


def sliced(tokens: Iterable[str]) -> Iterator[str]:
    """Yield harmless HTML in slices with every tag closed, from tags and texts, balanced over the whole, as `sanitize.tokens` yields them.

    The first slice fills a few screens, the others are larger. Paragraphs that are too long go on in a new one. A table of 400 cells or
    more goes on in another one after a row, or, where it would have to be cut inside a cell, as plain blocks; a smaller one is whole.
    Without tokens there is no slice.
    """
    slicer = _Slicer()
    for token in tokens:
        yield from slicer.take(token)
    if slicer.filled:
        yield slicer.cut()


class _Open:
    """A tag that is open: how it is written, and what was met in it."""

    def __init__(self, name: str, token: str, place: int) -> None:
        self.name, self.token, self.place, self.items = name, token, place, 0
        self.close = f"</{name}>"
        self.plain = False  # whether it is a part of a table that is written as plain blocks
        self.begun = 0  # the weight of the slice where it began

    def drop(self) -> None:
        """Write it no more; its end is still waited for."""
        self.token = self.close = ""
        self.plain = True

    @property
    def again(self) -> str:
        """The tag that opens it once more in the next slice."""
        return f'<ol start="{self.items + 1}">' if self.name == "ol" and self.token else self.token


class _Slicer:
    def __init__(self) -> None:
        self.filled = False  # whether anything stands in the slice but tags that were opened again
        self._out: list[str] = []
        self._stack: list[_Open] = []
        self._limit = FIRST
        self._weight = self._block = self._cells = 0

    def take(self, token: str) -> Iterator[str]:
        """Take one token and yield the slices that are ready."""
        if not token.startswith("<"):
            yield from self._text(token)
        elif token.startswith("</"):
            self._end()
        else:
            name = token[1:].split(" ", 1)[0].rstrip(">")
            if self._ready(name):
                yield self.cut()
                if name == "br":
                    return
            if name in SINGLE:
                self._add(token, IMAGE if name == "img" else LINE)
                self._block += BREAKS
                self.filled = True
            else:
                self._start(name, token)

    def cut(self) -> str:
        """Return the slice, and begin the next inside the same tags."""
        for entry in self._stack:
            if entry.name in CONTINUED and entry.token:
                self._out[entry.place] = entry.token = CONTINUED[entry.name]
        made = "".join(self._out + [entry.close for entry in reversed(self._stack)])
        holder = max(
            (place for place, entry in enumerate(self._stack) if entry.name in HOLDERS), default=-1
        )
        for place, entry in enumerate(self._stack):
            if entry.name == "li" or (place <= holder and entry.name in TABLE_PARTS):
                entry.drop()
        self._out, self._weight, self._block, self._cells, self.filled, self._limit = (
            [],
            0,
            0,
            0,
            False,
            NEXT,
        )
        for entry in self._stack:
            entry.place, entry.begun = len(self._out), 0
            self._out.append(entry.again)
        return made

    def _ready(self, name: str) -> bool:
        """Tell whether to cut before this tag."""
        if not self.filled:
            return self._weight >= self._most()  # of tags that hold nothing
        if name == "br" and self._block > LONGEST_BLOCK // 2:
            return True
        return name in BLOCKS and self._is_full(name)

    def _is_full(self, name: str) -> bool:
        """Tell whether the slice is full enough to be cut before a block: sooner between rows than inside one."""
        parts = [entry for entry in self._stack if entry.name in TABLE_PARTS and not entry.plain]
        if not parts:
            return self._weight >= self._limit
        if self._weight >= self._most():
            return True
        if parts[-1].name in HOLDERS:
            return self._weight - parts[-1].begun >= self._limit * WAIT
        if name in BETWEEN_ROWS:
            return self._cells >= ROWS or self._weight >= HEAVY
        return self._weight - parts[-1].begun >= ROW

    def _most(self) -> int:
        """Return the weight at which the slice is cut wherever it stands."""
        return HEAVIEST if 0 < self._depth() < DEEP else self._limit * WAIT

    def _start(self, name: str, token: str) -> None:
        within = next((entry for entry in reversed(self._stack) if entry.name in TABLE_PARTS), None)
        entry = _Open(name, token, len(self._out))
        if name in TABLE_PARTS and name != "table" and within is not None and within.plain:
            entry.token, entry.close, entry.plain = "<div>", "</div>", True
        elif name == "li" and self._stack and self._stack[-1].name in ("ol", "ul"):
            self._stack[-1].items += 1
        self._stack.append(entry)
        entry.begun = self._weight
        if name == "table" and self._depth() == 1:
            self._cells = 0
        if name in HOLDERS and not entry.plain:
            self._cells += 1
            self._weight += CELL * 3 ** max(0, self._depth() - 1)
        self._add(entry.token, BLOCK if name in BLOCKS else INLINE)
        self._block = self._block + INLINE if name not in BLOCKS else 0

    def _end(self) -> None:
        entry = self._stack.pop()
        self._add(entry.close, 0)
        if entry.name in BLOCKS:
            self._block = 0

    def _text(self, text: str) -> Iterator[str]:
        if self._block >= LONGEST_BLOCK or self._weight >= self._most():
            yield self.cut()
        while len(text) > (room := self._room()):
            at = _cut_in(text, room)
            self._say(text[:at])
            yield self.cut()
            text = text[at:]
        self._say(text)

    def _room(self) -> int:
        by_weight = (self._most() - self._weight) // self._factor()
        return max(LEAST_ROOM, min(LONGEST_BLOCK - self._block, by_weight))

    def _factor(self) -> int:
        """Return how many times a text is laid out: twice for each table around it."""
        return int(2 ** self._depth())

    def _depth(self) -> int:
        return sum(entry.name == "table" and not entry.plain for entry in self._stack)

    def _say(self, text: str) -> None:
        self._add(text, len(text))
        self._block += len(text)
        self.filled = self.filled or not text.isspace()

    def _add(self, piece: str, weight: int) -> None:
        self._out.append(piece)
        self._weight += weight * self._factor()


def _cut_in(text: str, room: int) -> int:
    """Return where to cut escaped text: behind a blank, else not inside a character reference."""
    at = cut_before(text, 0, room)
    reference = text.rfind("&", max(1, at - 5), at)
    return reference if reference > 0 and ";" not in text[reference:at] else at

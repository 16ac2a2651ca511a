"""Finds what a person types anywhere in a text, also inside words, and looks through long texts slice by slice."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from irjudge.progress import SILENT, Progress
from irjudge.text.folding import fold, fold_plainly
from irjudge.text.highlight import TermHit, utf16_positions

SLICE = 5_000  # characters looked through in one go: about 1 ms, in which no other thread runs
EVERY = 10  # slices between two looks whether to stop
MOST_HITS = (
    50_000  # one in 200 letters of 10 MB; each takes 10 microseconds, and nobody goes through more
)
REACH = 1000  # longer hits are not found where they stand across the border of two slices
SPACE = r"[^\S\r\n\u2028\u2029]"
# A typed space is any space, and the end of a line, but not an empty line.
GAP = rf"(?:{SPACE}++(?:\r?[\n\u2028\u2029]{SPACE}*+)?+|\r?[\n\u2028\u2029]{SPACE}*+)"
DOT = "\u0307"  # what stays of the dot of İ when it becomes small


@dataclass(frozen=True, slots=True)
class TextMatches:
    """What was found in a text."""

    hits: list[TermHit] = field(default_factory=list)  # ascending, not overlapping
    places: list[tuple[int, int]] = field(
        default_factory=list
    )  # begin and end of each hit as Qt counts letters
    more: bool = False  # whether the search stopped at so many: the text behind the last hit was not looked through


def find_typed(text: str, typed: str, *, match_case: bool = False) -> list[TermHit]:
    """Return where something typed stands in a text, also inside words, in ascending order, not overlapping; all of term 0.

    It is taken as it stands: no sign in it has a meaning; empty finds nothing. A space finds any spaces, one end of a line among them.
    Without `match_case` is the same what readers take for the same: `SS` and `ß`, `ﬁ` and `fi`, `İ` and `i`. Work grows with the length of
    the text.

    >>> find_typed("Riptides. Tide.", "tide")
    [TermHit(begin=3, end=7, term=0), TermHit(begin=10, end=14, term=0)]
    >>> find_typed("Straße", "SS")
    [TermHit(begin=4, end=5, term=0)]
    """
    if match_case:
        pattern = _pattern(typed, dotted=False)
        return [TermHit(*match.span(), 0) for match in pattern.finditer(text)] if pattern else []
    folded = fold(text)
    pattern = _pattern(fold_plainly(typed).replace(f"i{DOT}", "i"), dotted=f"i{DOT}" in folded.text)
    hits = []
    match = pattern.search(folded.text) if pattern else None
    while pattern and match:
        source = folded.source(*match.span())  # None for a part of a letter, such as one s of ß
        if source:
            hits.append(TermHit(*source, 0))
        match = pattern.search(folded.text, match.end() if source else match.start() + 1)
    return hits


def look_through(
    text: str,
    look: Callable[[str], Sequence[TermHit]],
    progress: Progress = SILENT,
    *,
    size: int = SLICE,
    most: int = MOST_HITS,
) -> TextMatches:
    """Return what a search finds in a text, looking through it slice by slice until there is more than anybody asks for.

    `look` returns the hits in a text, in ascending order. `size` is how many characters a slice has, and after `most` hits the search
    stops, both at least 1; a text that has just so many is looked through to its end. Progress is told of every tenth slice; Cancelled when
    it was asked to stop.
    """
    found = TextMatches()
    start = wide = (
        0  # where the text goes on, and what Qt counts more than there are letters before it
    )
    for _begin, end in progress.through(slices(text, size), "", every=EVERY):
        if start < end:
            piece = text[start : end + REACH]
            hits = [hit for hit in look(piece) if hit.begin < end - start]
            counted = iter(
                utf16_positions(piece, [place for hit in hits for place in (hit.begin, hit.end)])
            )
            found.places.extend(
                (start + wide + first, start + wide + last)
                for first, last in zip(counted, counted, strict=True)
            )
            found.hits.extend(
                TermHit(start + begin, start + end, term) for begin, end, term in hits
            )
            after = max(end, found.hits[-1].end) if hits else end
            wide += utf16_length(text[start:after]) - (after - start)
            start = after
        if len(found.hits) > most:
            return TextMatches(found.hits[:most], found.places[:most], more=True)
    return found


def slices(text: str, size: int = SLICE) -> Iterator[tuple[int, int]]:
    """Yield the borders of slices, each beginning after a space where there is one nearby.

    >>> list(slices("high tide low tide", 6))
    [(0, 5), (5, 10), (10, 14), (14, 18)]
    """
    begin = 0
    while begin < len(text):
        end = begin + size
        if end < len(text):
            spaces = [text.rfind(space, max(begin, end - REACH), end) for space in "\n "]
            end = max(spaces) + 1 or end
        yield begin, min(end, len(text))
        begin = end


def utf16_length(text: str) -> int:
    """Return how long a text is as Qt counts: a letter beyond U+FFFF, such as an emoji, counts as two."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


@lru_cache(maxsize=16)
def _pattern(typed: str, *, dotted: bool) -> re.Pattern[str] | None:
    """Return what finds something typed; without spaces and dots it is plain letters, which take linear time whatever they are."""
    if not typed:
        return None
    words = [
        re.escape(word).replace("i", f"i{DOT}?+") if dotted else re.escape(word)
        for word in typed.split()
    ]
    before = (
        rf"(?<!{SPACE}){GAP}" if typed[0].isspace() else ""
    )  # each run of spaces is tried from its begin only
    after = GAP if typed[-1].isspace() and words else ""
    return re.compile(before + GAP.join(words) + after)

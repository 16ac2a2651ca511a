"""Chooses the passage of a text that says most about a topic."""

import re
from collections import Counter
from collections.abc import Sequence

from irjudge.text.highlight import TermHit

CLOSING = "[\"'”’»)\\]]*"
SENTENCE_END = re.compile(rf"[.!?…]{CLOSING}(?=\s)|[。！？｡।؟۔][」』）”]*")
# A line that ends with its sentence ends a paragraph; others may only be full.
PARAGRAPH_END = re.compile(r"\u2029|(?<=[.!?…:。！？।؟۔\"'”’»)\]])[ \t]*\r?\n|\n[ \t]*\r?\n|\n(?=\f)")
LINE_END = re.compile(r"[\n\u2028]")
SPACE = re.compile(r"\s")
BORDERS = (PARAGRAPH_END, SENTENCE_END, LINE_END, SPACE)


def best_passage(text: str, hits: Sequence[TermHit], length: int = 600) -> tuple[int, int]:
    """Return where the passage with the most different terms stands; of equal ones that with more hits, then the earliest.

    Parameters
    ----------
    text
        The text in which the hits were found.
    hits
        In ascending order, as `find` returns them.
    length
        At most so many characters, at least 1. Only a hit that is longer itself makes the passage longer.

    Returns
    -------
    tuple of int
        Begin and end: of a paragraph where one fits, else of a sentence, a line or a word. (0, 0) when there are no hits.

    Examples
    --------
    >>> text = "Bread needs time. Tides follow the moon. The sea is cold."
    >>> begin, end = best_passage(text, [TermHit(18, 23, 0), TermHit(35, 39, 1)], 30)
    >>> text[begin:end]
    'Tides follow the moon.'
    """
    if length < 1:
        raise ValueError(f"length must be 1 or more, got {length}")
    if not hits:
        return 0, 0
    first, last = _densest(hits, length)
    begin = _begin(text, first, max(0, min(first, last - length)))
    end = _end(text, last, min(len(text), max(last, begin + length)))
    while begin < first and text[begin].isspace():
        begin += 1
    while end > last and text[end - 1].isspace():
        end -= 1
    return begin, end


def _densest(hits: Sequence[TermHit], length: int) -> tuple[int, int]:
    """Return the begin of the first and the end of the last hit of the best window."""
    inside: Counter[int] = Counter()
    best, place, after = (0, 0), (hits[0].begin, hits[0].end), 0
    for index, hit in enumerate(hits):
        while after < len(hits) and (after == index or hits[after].end - hit.begin <= length):
            inside[hits[after].term] += 1
            after += 1
        if (len(inside), after - index) > best:
            best, place = (len(inside), after - index), (hit.begin, hits[after - 1].end)
        inside[hit.term] -= 1
        if not inside[hit.term]:
            del inside[hit.term]
    return place


def _begin(text: str, first: int, earliest: int) -> int:
    """Return the place from `earliest` to `first` where the best border is nearest to `first`."""
    for border in BORDERS:
        ends = [match.end() for match in border.finditer(text, max(0, earliest - 1), first) if match.end() >= earliest]
        if ends:
            return ends[-1]
        if earliest == 0:
            return 0
    return first


def _end(text: str, last: int, latest: int) -> int:
    """Return the place from `last` to `latest` where the best border is farthest."""
    if latest == len(text):
        return latest
    for border in BORDERS:
        ends = [match.end() for match in border.finditer(text, last, latest)]
        if ends:
            return ends[-1]
    return last

"""What the engine says, in the language of the window: finished English sentences are taken apart by the templates that made them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QCoreApplication

from irjudge.shipped import shipped
from irjudge_ui.language import listed, sentences

PLACE = re.compile(r"%(\d)")
SENTENCE_END = re.compile(r"(?<=[.?]) ")
LONGEST, DEEPEST = 2000, 6  # letters of a sentence, and templates within templates
FILE_AND_FORM = "%1: %2"  # these two have no words of their own and would fit nearly everything
FILE_AND_PROBLEM = "%1: %2."
TAILS = " ,;"  # what begins so is said after something else


@dataclass(frozen=True, slots=True)
class Template:
    """A sentence of the engine with %1, %2 … where values stood; a tail has what it follows in the place of %0."""

    words: str
    pieces: tuple[str, ...]
    places: tuple[str, ...]
    pattern: re.Pattern[str]

    def values(self, sentence: str) -> dict[str, str] | None:
        """Return what stood at each place; None when the sentence was made from something else."""
        if not all(piece in sentence for piece in self.pieces):  # a search for words costs far less than a match
            return None
        found = self.pattern.fullmatch(sentence)
        return dict(zip(self.places, found.groups(), strict=True)) if found else None


def in_language(sentence: str) -> str:
    """Return a sentence, remark or phrase of the engine in the language of the window; what is not known stays English."""
    templates = _templates()
    spoken = any(_translated(each.words) != each.words for each in templates[:1])
    return _said(sentence, 0) if spoken and len(sentence) <= LONGEST else sentence


def _said(sentence: str, depth: int) -> str:
    exact = _translated(sentence)
    if exact != sentence or depth > DEEPEST or not sentence.strip():
        return exact
    name, colon, found = sentence.partition(": ")
    if colon and _translated(found) != found:  # a file and what it was recognised as
        return _filled(_translated(FILE_AND_FORM), {"1": name, "2": _translated(found)})
    parts = [_said(part, DEEPEST) for part in sentence.split(", ")] if depth and ", " in sentence else []
    if parts and not set(parts) & set(sentence.split(", ")):
        return listed(parts)
    found = next(_readings(sentence, depth), "")
    if found or ". " not in sentence:
        return found or sentence
    return sentences(*(_said(part, depth + 1) for part in SENTENCE_END.split(sentence)))


def _readings(sentence: str, depth: int) -> Iterator[str]:
    """Yield what a sentence says, by the templates that fit; those that end as it does come first, since a place takes full stops too."""
    templates = _templates()
    for template in sorted(templates, key=lambda template: template.words[-1] != sentence[-1]):
        values = template.values(sentence)
        if values is None:
            continue
        said = {place: _said(value, depth + 1) for place, value in values.items()}
        if template.words != FILE_AND_PROBLEM or said["2"] != values["2"]:
            yield _filled(_translated(template.words), said)


def _filled(words: str, values: dict[str, str]) -> str:
    filled = PLACE.sub(lambda place: values.get(place[1], place[0]), words)
    return values.get("0", "") + filled


def _translated(words: str) -> str:
    return QCoreApplication.translate("Engine", words)


@cache
def _templates() -> tuple[Template, ...]:
    """Return the templates with places, the one with most letters of its own first: what is said most precisely wins."""
    lines = (shipped("resources") / "translations" / "engine.txt").read_text(encoding="utf-8").split("\n")
    return tuple(sorted(_made(lines), key=lambda template: -sum(map(len, template.pieces))))


def _made(lines: list[str]) -> Iterator[Template]:
    for words in filter(None, lines):
        pieces, places = PLACE.split(words)[::2], PLACE.findall(words)
        pattern = "(.*?)".join(map(re.escape, pieces))
        if words[0] in TAILS:
            pattern, places = f"(.+?){pattern}", ["0", *places]
        if places and words != FILE_AND_FORM:
            yield Template(words, tuple(filter(None, pieces)), tuple(places), re.compile(pattern, re.DOTALL))

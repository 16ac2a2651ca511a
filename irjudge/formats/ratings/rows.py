"""Ratings of documents for queries, which are known by their text, and what a file says of both."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.formats.collections.fields import fields_in
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import LONGEST_ID, checked_id, storable
from irjudge.message import Message
from irjudge.model.documents import same_text

NOBODY = ""  # the assessor where a form has none


@dataclass(frozen=True, slots=True)
class Query:
    """A query of a file."""

    id: str  # as the file has it, or q1, q2 … in the order in which queries stand there
    text: str
    need: str = ""  # what whoever asks it wants to know, in words


@dataclass(frozen=True, slots=True)
class Rating:
    """What one assessor said of a document for a query."""

    topic: str  # the query's id
    document: str
    value: float | None  # None where it is not rated yet
    assessor: str = NOBODY
    unusable: bool = False  # whether it could not be judged
    unsure: bool = False
    note: str = ""


@dataclass(slots=True)
class RatingsFile:
    """The ratings of one file, in its order."""

    form: str = ""  # what it was recognised as, in words
    name: str = ""  # what the file calls itself
    by_judge: bool = False  # whether it is a table with a column for each assessor
    queries: dict[str, Query] = field(default_factory=dict)  # by id
    ratings: list[Rating] = field(default_factory=list)
    documents: dict[str, Mapping[str, str]] = field(
        default_factory=dict
    )  # fields of those that come with some
    ranking: list[tuple[str, str, float]] = field(
        default_factory=list
    )  # topic, document, score, where the file is an answer of an engine
    # the topics of these rankings, those without a hit included
    ranked: dict[str, None] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()  # what was strange
    strange: Remarks = field(default_factory=Remarks)  # the same of ids, as they are read
    _by_text: dict[str, str] = field(default_factory=dict)

    def query(self, text: str, *, id: str = "", need: str = "") -> str:
        """Return the id of a query, which is new where its text was not there before."""
        key = same_text(text)
        name = id or self._by_text.get(key) or f"q{len(self.queries) + 1}"
        self._by_text.setdefault(key, name)
        known = self.queries.get(name)
        if known is None or (need and not known.need):
            self.queries[name] = Query(name, key, need)
        return name

    @property
    def assessors(self) -> tuple[str, ...]:
        """Who rated, in the order of the file."""
        return tuple(
            dict.fromkeys(
                each.assessor for each in self.ratings if each.value is not None or each.unusable
            )
        )

    @property
    def is_signed(self) -> bool:
        """Whether it says of each rating whose it is."""
        return bool(self.assessors) and NOBODY not in self.assessors


@dataclass(frozen=True, slots=True)
class Place:
    """Where in a JSON file something stands, for errors and for reading what is below it."""

    path: Path
    value: Any
    where: str = ""
    remarks: Remarks = field(default_factory=Remarks)

    def wrong(self, expected: str) -> FormatError:
        """Return the error that says what was found here and what was expected."""
        shown = without_half_characters(repr(self.value))[:60]
        return FormatError(
            self.path,
            Message(
                "{where}: found {shown}, expected {expected}",
                key="unexpected-value",
                where=self.where or "$",
                shown=shown,
                expected=expected,
            ),
        )

    def __contains__(self, name: str) -> bool:
        return isinstance(self.value, dict) and name in self.value

    def __getitem__(self, name: str) -> "Place":
        """Return what stands under a name; FormatError where there is none."""
        if not isinstance(self.value, dict) or name not in self.value:
            raise self.wrong(Message('an object with "{name}"', name=name))
        return self._below(f"{self.where}.{name}".lstrip("."), self.value[name])

    def get(self, name: str) -> "Place | None":
        """Return what stands under a name; None where nothing does."""
        return self[name] if name in self and self.value[name] is not None else None

    def _below(self, where: str, value: Any) -> "Place":
        return Place(self.path, value, where, self.remarks)

    def each(self) -> Iterator["Place"]:
        """Yield what stands in a list."""
        if not isinstance(self.value, list):
            raise self.wrong(Message("a list"))
        yield from (
            self._below(f"{self.where}[{number}]", value)
            for number, value in enumerate(self.value, 1)
        )

    def items(self) -> Iterator[tuple[str, "Place"]]:
        """Yield the names of an object and what stands under them."""
        if not isinstance(self.value, dict):
            raise self.wrong(Message("an object"))
        yield from (
            (name, self._below(f"{self.where}.{name}", value)) for name, value in self.value.items()
        )

    def text(self, *, usual: str | None = None) -> str:
        """Return a text; blanks around it are no part of it."""
        if self.value is None and usual is not None:
            return usual
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            raise self.wrong(Message("a text"))
        return storable(str(self.value), self.path.name, self.remarks).strip()

    def name(self) -> str:
        """Return the id of a document."""
        return checked_id(self.text(), self.path, None, self.remarks)

    def query_text(self) -> str:
        """Return the text of a query, which is not empty and not longer than an id can be."""
        text = self.text()
        if not text or len(text) > LONGEST_ID:
            raise self.wrong(Message("the text of a query"))
        return text

    def rating(self) -> float | None:
        """Return a rating, as a number or as text; None where it is empty."""
        return None if self.value is None or self.value == "" else rating_of(self.value, self)


def rating_of(value: object, place: Place) -> float:
    """Return a rating as a number."""
    if not isinstance(value, bool) and isinstance(value, int | float | str):
        text = str(value).strip()
        try:
            number = float(text) if text.isascii() and "_" not in text else float("nan")
        except ValueError:
            number = float("nan")
        if number == number and abs(number) < 2**31:
            return number
    raise place.wrong(Message("a rating, a number"))


def strings_below(place: Place) -> dict[str, str]:
    """Return the fields of a document as texts by name."""
    return dict(
        fields_in(
            {name: each.value for name, each in place.items()}, place.path.name, place.remarks
        )
    )


def add_all(file: RatingsFile, topic: str, rated: Iterable[tuple[str, float | None]]) -> None:
    """Add the ratings of a query by nobody in particular."""
    file.ratings += [Rating(topic, document, value) for document, value in rated]


def rated_file(
    rows: Iterable[tuple[str, str, int]], titles: Mapping[str, str], name: str, form: str
) -> RatingsFile:
    """Return grades (topic, document, grade) as ratings, in which a query is known by its title; a negative grade is no rating."""
    file = RatingsFile(name=name)
    for topic, document, grade in rows:
        file.query(titles.get(topic) or topic, id=topic)
        file.ratings.append(Rating(topic, document, float(grade) if grade >= 0 else None))
    if len({query.text for query in file.queries.values()}) < len(file.queries):
        raise IrjudgeError(
            "Several topics have the same title, and {form} knows a query by its title.", form=form
        )
    return file


RATED_COLUMNS = ("topic", "document", "assessor", "grade", "note", "unsure")


def rated_cells(file: RatingsFile) -> Iterator[tuple[str, ...]]:
    """Yield ratings as rows of a table of judgments, whose columns are `RATED_COLUMNS`; one that is not rated yet has no grade."""
    for each in file.ratings:
        if each.unusable:
            grade = "unjudgeable"
        elif each.value is None:
            grade = ""
        else:
            grade = number_text(each.value)
        yield (
            each.topic,
            each.document,
            each.assessor,
            grade,
            each.note,
            "yes" if each.unsure else "",
        )


def number_text(value: float) -> str:
    """Return a rating as it is written: without a point where it is whole."""
    return str(int(value)) if value.is_integer() else repr(value)

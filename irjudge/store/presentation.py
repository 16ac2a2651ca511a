"""Presentation of documents to assessors: fields, and documents per page."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.model import Assignment, Document, Fields
from irjudge.store.project import Project

# Which fields of documents whoever judges sees, and in what order: a setting of the project, kept as a fact.

SHOWN_FIELDS = "shown fields"  # fact
MAX_DEFAULT_FIELDS = 12  # without a choice: a table that fills the page hides the text
MAX_FIELD_CHARACTERS = 400  # letters of a field
MAX_SUMMARY_FIELDS, MAX_SUMMARY_CHARACTERS, SUMMARY_SEPARATOR = (
    4,
    40,
    " · ",
)  # fields in a line, letters of each, and what stands between
BIASING_NAMES = frozenset(
    ("score", "rank", "position", "relevance", "run", "system", "grade", "label")
)  # of what nobody who judges may know
ADDRESS_SUFFIXES = (
    "url",
    "uri",
    "link",
    "href",
)  # how names of fields end that hold nothing to read


def shown_field_names(project: Project) -> tuple[str, ...]:
    """Return the names of the fields that are shown, in their order.

    Where nobody chose, these are the first ones but for addresses and what tells how a system ranked.
    """
    return project.compute_cached(_compute_shown_names)


def set_shown_fields(project: Project, names: Sequence[str]) -> None:
    """Choose the fields that are shown, in this order; ProjectError when no document has a field of that name, or one is named twice."""
    known = project.collection.field_names()
    for place, name in enumerate(names):
        if name not in known or name in names[:place]:
            raise ProjectError(
                "{name} is no field that can be shown, or is named twice; the fields of {file} are {known}.",
                key="unknown-field",
                name=name,
                file=project.path.name,
                known=", ".join(known) or "–",
            )
    project.set_fact(SHOWN_FIELDS, json.dumps(list(names), ensure_ascii=False))


def shown_fields_of(project: Project, document: Document) -> Fields:
    """Return what is shown of a document's fields; the one that names its picture is shown as that."""
    return select_fields(document, shown_field_names(project))


def select_fields(document: Document, names: Iterable[str]) -> Fields:
    """Return some of a document's fields in an order, each as long as a table has room for.

    >>> shoe = Document("p1", b"", "Shoe", fields=(("brand", "Nordwind"), ("price", "12")))
    >>> select_fields(shoe, ("price", "colour", "brand"))
    (('price', '12'), ('brand', 'Nordwind'))
    """
    texts = dict(document.fields)
    return tuple(
        (name, _shorten(texts[name]))
        for name in names
        if name in texts and name != document.pictured
    )


def summarise_document(project: Project, document: Document) -> str:
    """Return the first fields that are shown of a document in one line."""
    return summarise_fields(shown_fields_of(project, document))


def summarise_fields(fields: Fields) -> str:
    """Return the texts of the first fields in one line, as a list of results has room for.

    >>> summarise_fields((("price", "12"), ("brand", "Nordwind")))
    '12 · Nordwind'
    """
    return SUMMARY_SEPARATOR.join(
        text for _, text in fields[:MAX_SUMMARY_FIELDS] if len(text) <= MAX_SUMMARY_CHARACTERS
    )


def has_shown_picture(project: Project, document: Document) -> bool:
    """Tell whether a picture of a document is shown."""
    return bool(document.pictured) and document.pictured in shown_field_names(project)


def shown_picture(project: Project, document: Document) -> bytes:
    """Return the picture that is shown of a document; empty where it has none or the field that names it is not shown."""
    return (
        (project.collection.picture(document.id) or b"")
        if has_shown_picture(project, document)
        else b""
    )


def limit_to_shown_fields(project: Project, document: Document) -> Document:
    """Return a document with nothing but what is shown of its fields, and with its picture."""
    if not document.fields:
        return document  # the settings need not be read for each of very many
    picture = shown_picture(project, document)
    pictured = document.pictured if picture else ""
    return Document(
        document.id,
        document.body,
        document.title,
        document.kind,
        document.pdf,
        shown_fields_of(project, document),
        pictured,
        picture,
    )


def _compute_shown_names(project: Project) -> tuple[str, ...]:
    known = project.collection.field_names()
    first = [
        name
        for name in known
        if name.lower() not in BIASING_NAMES and not name.lower().endswith(ADDRESS_SUFFIXES)
    ][:MAX_DEFAULT_FIELDS]

    def read(kept: Any) -> list[str]:
        return [str(name) for name in kept]

    chosen = project.read_json_fact(
        SHOWN_FIELDS, first, "{file} does not say in a readable way which fields are shown.", read
    )
    return tuple(name for name in chosen if name in known)


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_FIELD_CHARACTERS else f"{text[: MAX_FIELD_CHARACTERS - 1]}…"


# Several documents of a topic on one page: how many are asked for, which stand together, and what a judgment keeps of it.

DOCUMENTS_PER_PAGE = "several"  # wish of a round, and fact of a file that was made for somebody
MIN_DOCUMENTS_PER_PAGE, DEFAULT_DOCUMENTS_PER_PAGE, MAX_DOCUMENTS_PER_PAGE = (
    2,
    6,
    12,
)  # documents of a page; USUAL where a person asks for several and nobody said how many
Entry = TypeVar("Entry")


def check_documents_per_page(count: int) -> int:
    """Return how many documents stand on a page; 0 shows one at a time. IrjudgeError when so many are never shown."""
    if count and not MIN_DOCUMENTS_PER_PAGE <= count <= MAX_DOCUMENTS_PER_PAGE:
        raise IrjudgeError(
            "On a page stand {least} to {most} documents, or 0 for one at a time; got {count}.",
            least=MIN_DOCUMENTS_PER_PAGE,
            most=MAX_DOCUMENTS_PER_PAGE,
            count=count,
        )
    return count


def read_documents_per_page(project: Project, assignment: Assignment | None) -> int:
    """Return how many documents of a topic an assignment asks to show on one page; 0 where they are shown one at a time."""
    if assignment is None:
        return 0
    if not assignment.round:  # the file of one assessor carries no rounds
        return _parse_page_size(project.fact(DOCUMENTS_PER_PAGE))
    made = (each for each in project.assignments.rounds() if each.number == assignment.round)
    return next((_parse_page_size(each.wishes.get(DOCUMENTS_PER_PAGE)) for each in made), 0)


def _parse_page_size(kept: object) -> int:
    """Return what a file says, as far as it makes sense: it may come from other hands."""
    text = str(kept or 0)
    return (
        int(text)
        if text.isascii()
        and text.isdigit()
        and MIN_DOCUMENTS_PER_PAGE <= int(text[:4]) <= MAX_DOCUMENTS_PER_PAGE
        else 0
    )


def select_page(places: Sequence[Entry], at: int, size: int) -> tuple[Entry, ...]:
    """Return what stands on one page with what is at a place: the order is cut into pages once, so that nothing moves while it is judged.

    >>> select_page("abcdefg", 4, 3), select_page("abcdefg", 6, 3)
    (('d', 'e', 'f'), ('g',))
    """
    begin = at - at % size
    return tuple(places[begin : begin + size])

"""Presentation of documents to assessors: shown fields, and number of documents per page."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.model import Assignment, Document, Fields
from irjudge.store.project import Project

# Fields that are shown to assessors

SHOWN_FIELDS = "shown fields"  # key of a setting: names of the shown fields in order
MAX_DEFAULT_FIELDS = 12  # maximum number of fields shown by default; more would hide the text
MAX_FIELD_CHARACTERS = 400  # maximum number of characters of a shown field; longer texts are cut
# limits of a summary: maximum number of fields, maximum number of characters of a field
MAX_SUMMARY_FIELDS = 4
MAX_SUMMARY_CHARACTERS = 40
SUMMARY_SEPARATOR = " · "
BIASING_NAMES = frozenset(
    ("score", "rank", "position", "relevance", "run", "system", "grade", "label")
)  # names of fields that could bias assessors
# suffixes of the names of fields with addresses, which are not shown by default
ADDRESS_SUFFIXES = ("url", "uri", "link", "href")


def shown_field_names(project: Project) -> tuple[str, ...]:
    """Return the names of the fields that are shown to assessors, in the order they are shown.

    By default, these are the first fields, except addresses and fields that could bias assessors.
    """
    return project.compute_cached(_compute_shown_names)


def set_shown_fields(project: Project, names: Sequence[str]) -> None:
    """Set the names of the shown fields; raise ProjectError for an unknown or repeated name."""
    known_fields = project.collection.field_names()
    for index, name in enumerate(names):
        if name not in known_fields or name in names[:index]:
            raise ProjectError(
                "{name} is not a field of {file}, or is given twice; the fields of the file "
                "are {known}.",
                key="unknown-field",
                name=name,
                file=project.path.name,
                known=", ".join(known_fields) or "–",
            )
    project.set_setting(SHOWN_FIELDS, json.dumps(list(names), ensure_ascii=False))


def shown_fields_of(project: Project, document: Document) -> Fields:
    """Return the shown fields of a document, except the field that refers to its picture."""
    return select_fields(document, shown_field_names(project))


def select_fields(document: Document, names: Iterable[str]) -> Fields:
    """Return the fields of a document that have the given names, shortened for a table.

    The fields are in the order of `names`. The field that refers to the picture is omitted.

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
    """Return one line with the texts of the first shown fields of a document."""
    return summarise_fields(shown_fields_of(project, document))


def summarise_fields(fields: Fields) -> str:
    """Return one line with the texts of the first fields, for a list of results.

    Fields with long texts are omitted.

    >>> summarise_fields((("price", "12"), ("brand", "Nordwind")))
    '12 · Nordwind'
    """
    return SUMMARY_SEPARATOR.join(
        text for _, text in fields[:MAX_SUMMARY_FIELDS] if len(text) <= MAX_SUMMARY_CHARACTERS
    )


def has_shown_picture(project: Project, document: Document) -> bool:
    """Return whether a document has a picture that is shown to assessors."""
    return bool(document.pictured) and document.pictured in shown_field_names(project)


def shown_picture(project: Project, document: Document) -> bytes:
    """Return the picture of a document; empty if it has none or its field is not shown."""
    return (
        (project.collection.picture(document.id) or b"")
        if has_shown_picture(project, document)
        else b""
    )


def limit_to_shown_fields(project: Project, document: Document) -> Document:
    """Return a copy of a document that has only the shown fields and, if shown, the picture."""
    if not document.fields:
        # Without fields, the settings have no effect. They are not read, since reading them for
        # each document would be slow.
        return document
    picture = shown_picture(project, document)
    picture_field = document.pictured if picture else ""
    return Document(
        document.id,
        document.body,
        document.title,
        document.kind,
        document.pdf,
        shown_fields_of(project, document),
        picture_field,
        picture,
    )


def _compute_shown_names(project: Project) -> tuple[str, ...]:
    known_fields = project.collection.field_names()
    first_names = [
        name
        for name in known_fields
        if name.lower() not in BIASING_NAMES and not name.lower().endswith(ADDRESS_SUFFIXES)
    ][:MAX_DEFAULT_FIELDS]

    def read(entries: Any) -> list[str]:
        return [str(name) for name in entries]

    chosen_fields = project.read_json_setting(
        SHOWN_FIELDS, first_names, "Cannot read the list of shown fields in {file}.", read
    )
    return tuple(name for name in chosen_fields if name in known_fields)


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_FIELD_CHARACTERS else f"{text[: MAX_FIELD_CHARACTERS - 1]}…"


# Several documents of a topic on one page

DOCUMENTS_PER_PAGE = "several"  # key of an option of a round, and of a setting in assessors' files
MIN_DOCUMENTS_PER_PAGE = 2
DEFAULT_DOCUMENTS_PER_PAGE = 6
MAX_DOCUMENTS_PER_PAGE = 12
Entry = TypeVar("Entry")


def check_documents_per_page(count: int) -> int:
    """Return the given number of documents per page; raise IrjudgeError if it is invalid.

    0 means that documents are shown one at a time.
    """
    if count and not MIN_DOCUMENTS_PER_PAGE <= count <= MAX_DOCUMENTS_PER_PAGE:
        raise IrjudgeError(
            "The number of documents per page must be {minimum} to {maximum}, or 0 to show one "
            "document at a time; got {count}.",
            minimum=MIN_DOCUMENTS_PER_PAGE,
            maximum=MAX_DOCUMENTS_PER_PAGE,
            count=count,
        )
    return count


def read_documents_per_page(project: Project, assignment: Assignment | None) -> int:
    """Return the number of documents per page of an assignment; 0 to show one at a time."""
    if assignment is None:
        return 0
    if not assignment.round:  # an assessor's file has no rounds
        return _parse_page_size(project.get_setting(DOCUMENTS_PER_PAGE))
    assigned_rounds = (
        assignment_round
        for assignment_round in project.assignments.rounds()
        if assignment_round.number == assignment.round
    )
    return next(
        (
            _parse_page_size(assigned_round.options.get(DOCUMENTS_PER_PAGE))
            for assigned_round in assigned_rounds
        ),
        0,
    )


def _parse_page_size(value: object) -> int:
    """Return a stored number of documents per page; 0 if it is invalid."""
    text = str(value or 0)
    size = int(text) if text.isascii() and text.isdigit() and len(text) <= 4 else 0
    return size if MIN_DOCUMENTS_PER_PAGE <= size <= MAX_DOCUMENTS_PER_PAGE else 0


def select_page(entries: Sequence[Entry], index: int, size: int) -> tuple[Entry, ...]:
    """Return the entries of the page to which the entry at an index belongs.

    An entry is always on the same page, so that it does not move during judging.

    >>> select_page("abcdefg", 4, 3), select_page("abcdefg", 6, 3)
    (('d', 'e', 'f'), ('g',))
    """
    start = index - index % size
    return tuple(entries[start : start + size])

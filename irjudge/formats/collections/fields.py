"""What is known of a document beside its title and text: its fields, and the picture that one of them names and that lies beside."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path, PurePosixPath

from irjudge.formats.collections.whole_files import is_image
from irjudge.formats.remarks import FIELDS_LEFT_OUT, PICTURE_LEFT_OUT, PICTURE_MISSING, Remarks
from irjudge.formats.rows.records import storable
from irjudge.message import Message
from irjudge.model.documents import Document, Fields

MOST_FIELDS, LONGEST_NAME, LONGEST_FIELD = 100, 100, 10_000  # fields of a document, and letters
DEEPEST = 4  # objects in objects
LARGEST_PICTURE = 1_000_000  # bytes: it goes along with all that is handed out
LONGEST_ADDRESS = 500  # letters
FALSE, TRUE = "false", "true"

# A file called by a path that goes down from where it is named: no address of the web, no drive, nothing hidden.
_BESIDE = re.compile(
    r"(?!.*(?::|\\|//|(?:^|/)\.))[^/].*\.(?:png|jpe?g|gif|webp|bmp)", re.IGNORECASE
)


def fields_in(values: Mapping[str, object], place: str, remarks: Remarks) -> Fields:
    """Return what an object says as names and texts: lists with commas between, objects in it by names with points; `null` is nothing.

    >>> fields_in({"price": 12.5, "tags": ["red", "new"], "size": {"eu": "42", "us": None}, "sold": False}, "shop.json", Remarks())
    (('price', '12.5'), ('tags', 'red, new'), ('size.eu', '42'), ('sold', 'false'))
    """
    found: dict[str, str] = {}
    for name, text in _flat(values, "", DEEPEST, remarks):
        shown = storable(name, place, remarks).strip()
        if not shown or not text.strip():
            continue
        if len(shown) > LONGEST_NAME or len(text) > LONGEST_FIELD or len(found) == MOST_FIELDS:
            remarks.add(
                FIELDS_LEFT_OUT,
                Message("{name} in {place}", name=shown[:LONGEST_NAME], place=place),
            )
        else:
            found.setdefault(shown, storable(text, place, remarks).strip())
    return tuple(found.items())


def _flat(
    values: Mapping[str, object], before: str, deep: int, remarks: Remarks
) -> Iterator[tuple[str, str]]:
    for key, value in values.items():
        name = f"{before}{key}"
        if isinstance(value, Mapping):
            if deep:
                yield from _flat(value, f"{name}.", deep - 1, remarks)
            else:
                remarks.unread((name,))
        elif isinstance(value, list):
            if all(isinstance(part, str | int | float) for part in value):
                yield name, ", ".join(_word(part) for part in value)
            else:
                remarks.unread((name,))
        elif value is not None:
            yield name, _word(value)


def _word(value: object) -> str:
    return (TRUE if value else FALSE) if isinstance(value, bool) else str(value)


def with_picture(document: Document, folder: Path, remarks: Remarks) -> Document:
    """Return a document with the picture that the first of its fields that names one names; only files below a folder are read.

    Whatever else a field says stays a text: an address of the web is never asked, and no way leads up or through a link out of the folder.
    """
    named = next(
        (
            (name, text)
            for name, text in document.fields
            if len(text) <= LONGEST_ADDRESS and _BESIDE.fullmatch(text)
        ),
        None,
    )
    if named is None or document.picture:
        return document
    name, text = named
    try:
        path = (folder / PurePosixPath(text)).resolve()
        there = path.is_relative_to(folder.resolve()) and path.is_file()
        size = path.stat().st_size if there else 0
        data = path.read_bytes() if there and size <= LARGEST_PICTURE else b""
    except (OSError, ValueError):
        there, data = False, b""
    if not is_image(data):
        remarks.add(PICTURE_LEFT_OUT if there else PICTURE_MISSING, text)
        return document
    return replace(document, pictured=name, picture=data)

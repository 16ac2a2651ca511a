"""A document: what an assessor reads and grades."""

import hashlib
import json
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

Fields: TypeAlias = tuple[tuple[str, str], ...]
"""What a document has beside title and text, such as a price and a brand: name and text of each, in the order of its file."""

Kind = Literal["text", "markdown", "html", "image"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a collection."""

    id: str  # text as it stands in the file: `007` and `NA` are ids like any other
    body: bytes  # the source bytes of what is shown: UTF-8, or the bytes of an image's file
    title: str = ""  # may be empty
    kind: Kind = "text"  # how the body is to be read
    # the file that the text was read from, of which pages can be shown beside; not painted itself, and left in the project until it is
    # asked for
    pdf: bytes = field(default=b"", repr=False, compare=False)
    fields: Fields = ()  # shown under the title; what is graded is known by its text, so they are no part of the digest
    pictured: str = ""  # the name of the field that says in which file beside it its picture lies; empty where there is none
    picture: bytes = field(
        default=b"", repr=False, compare=False
    )  # the bytes of that file, left in the project like a PDF

    @property
    def text(self) -> str:
        """The body as text; bytes that are not UTF-8 show as the replacement character. An image has none."""
        return "" if self.kind == "image" else self.body.decode("utf-8", "replace")

    @property
    def digest(self) -> bytes:
        """SHA-256 over all that is painted: kind, title and body. Equal texts under several ids share it."""
        return content_digest(self.kind, self.title, self.body)


def content_digest(kind: str, title: str, body: bytes) -> bytes:
    """Return the hash by which a project knows a content."""
    return hashlib.sha256(json.dumps([kind, title]).encode() + body).digest()

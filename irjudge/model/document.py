"""A document: what an assessor reads and grades."""

import hashlib
import json
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["text", "markdown", "html", "image"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class Document:
    """One document of a collection.

    Parameters
    ----------
    id
        Text as it stands in the file: `007` and `NA` are ids like any other.
    body
        The source bytes of what is shown: UTF-8, or the bytes of an image's file.
    title
        May be empty.
    kind
        How the body is to be read.
    """

    id: str
    body: bytes
    title: str = ""
    kind: Kind = "text"

    @property
    def text(self) -> str:
        """The body as text; bytes that are not UTF-8 show as the replacement character. An image has none."""
        return "" if self.kind == "image" else self.body.decode("utf-8", "replace")

    @property
    def digest(self) -> bytes:
        """SHA-256 over all that is painted: kind, title and body. Equal texts under several ids share it."""
        return hashlib.sha256(json.dumps([self.kind, self.title]).encode() + self.body).digest()

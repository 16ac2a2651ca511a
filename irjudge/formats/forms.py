"""The table that topics and documents are recognised by: a form's name, what fits it, and what reads it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from irjudge.errors import FormatError
from irjudge.formats.bytes.archives import ArchiveEntry
from irjudge.formats.bytes.utf8 import beginning
from irjudge.formats.collections.sgml import without_comments
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.records import head_lines
from irjudge.message import Message

T = TypeVar("T")
LOOK = 8192  # bytes whose lines are looked at one by one


@dataclass(frozen=True, slots=True)
class FirstLook:
    """What a file shows before it is read."""

    ending: str  # of its name, in small letters, with the dot
    alone: bool  # whether the user named just this file; else it is one of many in a folder or archive
    head: bytes  # the first bytes
    start: bytes  # the same in small letters, without a byte order mark, comments, and blanks in front

    @property
    def lines(self) -> list[str]:
        """The first lines of `start` that are not blank, as many as a look needs."""
        return head_lines(self.start[:LOOK])


@dataclass(frozen=True, slots=True)
class FormOfFiles(Generic[T]):
    """One form of files."""

    name: str  # in words
    fits: Callable[[FirstLook], bool]  # tells from a look at a file whether it has this form
    read: Callable[[ArchiveEntry, Remarks], Iterator[T]]  # yields what the file holds; see `refusing` for a form that is known but not read


def refusing(what: str, expected: str) -> Callable[[ArchiveEntry, Remarks], Iterator[T]]:
    """Return a reader that says which form was found and that it is not read."""

    def refuse(entry: ArchiveEntry, _remarks: Remarks) -> Iterator[T]:
        raise FormatError(entry.where, Message("this is {what}, which cannot be read; {expected}", what=what, expected=expected), 1)

    return refuse


def recognised(entry: ArchiveEntry, forms: Sequence[FormOfFiles[T]], expected: str) -> FormOfFiles[T] | None:
    """Return the first form that fits a file; None when none fits and the file is one of many."""
    look = look_at(entry)
    for form in forms:
        if form.fits(look):
            return form
    if not look.alone:
        return None
    if not _words(look.head).strip():
        raise FormatError(entry.where, Message("the file is empty, {expected}", expected=expected))
    raise FormatError(entry.where, Message("found “{beginning}”, {expected}", beginning=beginning(look.head), expected=expected), 1)


def look_at(entry: ArchiveEntry) -> FirstLook:
    """Return what a file shows before it is read."""
    head = entry.head
    return FirstLook(entry.ending, not entry.holder, head, without_comments(_words(head)).lstrip().encode("latin-1").lower())


def _words(head: bytes) -> str:
    return head.removeprefix(b"\xef\xbb\xbf").decode("latin-1")

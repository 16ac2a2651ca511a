"""What task files carry so that assessors see pages: how much it is, and how much of it a file may have."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import ProjectError
from irjudge.exchange.plan import AssignmentPlan
from irjudge.message import Message, counted
from irjudge.store.project import Project

MOST = 1_000_000_000  # bytes in one task file, which is mailed or goes on a stick


@dataclass(frozen=True, slots=True)
class Carried:
    """The PDF files that a plan hands out, or the pictures of their pages."""

    documents: int  # different documents that have one
    largest: int  # bytes of those of one assessor at most; of pictures an estimate
    most: int | None = None  # bytes that one file may carry; None for what a task file may
    pictures: bool = False  # whether pictures of pages go along, and not the PDF files themselves

    def sentences(self) -> list[str]:
        """Return it in words."""
        if not self.documents:
            return [Message("None of these documents has a PDF file in the project, so no pages go along.")]
        told: list[str] = [self._size()]
        most = MOST if self.most is None else self.most
        if self.largest > most:
            told.append(Message("One file carries {most:,.0f} MB of them at most.", most=most / 1e6))
        return told

    def _size(self) -> Message:
        size = self.largest / 1e6
        if self.pictures:
            return Message(
                "Documents whose pages go along as pictures: {documents:,}; for one assessor about {size:,.1f} MB.",
                documents=self.documents,
                size=size,
            )
        return Message(
            "Documents whose PDF file goes along: {documents:,}; for one assessor {size:,.1f} MB at most.",
            documents=self.documents,
            size=size,
        )


def carried(project: Project, plan: AssignmentPlan) -> Carried:
    """Return which PDF files a plan would hand out."""
    having: set[str] = set()
    largest = 0
    for items in plan.items.values():
        sizes = project.collection.pdf_sizes(list({item.document for item in items}))
        having |= sizes.keys()
        largest = max(largest, _total(sizes))
    return Carried(len(having), largest)


def check_size(project: Project, documents: Sequence[str], assessor: str) -> None:
    """Raise a `ProjectError` when the PDF files of some documents are more than one task file may carry."""
    size = _total(project.collection.pdf_sizes(documents))
    if size > MOST:
        raise ProjectError(
            "The PDF files of {assessor}'s documents have {size:,.1f} MB, expected {most:,.1f} MB at most in one file. "
            "Assign fewer topics at a time (--split 10 makes smaller files), or hand out the text alone.",
            assessor=assessor,
            size=size / 1e6,
            most=MOST / 1e6,
        )


def pages_told(paths: Iterable[Path]) -> list[str]:
    """Return a sentence about the sizes of files that carry PDF files."""
    sizes = [path.stat().st_size for path in paths]
    if not sizes:
        return []
    return [Message("With page images: {files} of {size:,.1f} MB at most.", files=counted(len(sizes), "file"), size=max(sizes) / 1e6)]


def _total(sizes: Mapping[str, tuple[bytes, int]]) -> int:
    """Return the bytes of different files; a task file has equal ones once."""
    return sum(dict(sizes.values()).values())

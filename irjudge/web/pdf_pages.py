"""Pages of PDF files as pictures for browsers: drawn once, before anything is kept, however many files carry them."""

import json
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from irjudge.errors import FormatError, ProjectError
from irjudge.exchange.assignment_plan import AssignmentPlan
from irjudge.exchange.task_file import Carried
from irjudge.formats.bytes.atomic_write import write_whole
from irjudge.formats.collections.office import page_pictures
from irjudge.message import Message, listed
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project

MOST = 100_000_000  # bytes of pictures in one file, as they stand in it: a browser takes seconds to open more
MOST_PAGES = 20  # of a document
SAMPLES = 6  # documents whose pages are drawn to say how much all of them will be
MOST_NAMED, MOST_KNOWN = 5, 10_000
_known: dict[
    bytes, int
] = {}  # bytes of the pictures of a PDF file, by its hash: a form asks again with every key


class Sheets:
    """The pages of documents as pictures, in a folder until they were written."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._names: dict[str, str] = {}
        self._failed: list[str] = []

    @property
    def remarks(self) -> list[str]:
        """Say of which documents no page could be drawn."""
        if not self._failed:
            return []
        names = listed(self._failed[:MOST_NAMED]) + (" …" if len(self._failed) > MOST_NAMED else "")
        return [
            Message(
                "Documents whose pages could not be drawn: {failed:,} ({names}). The files have their text alone.",
                failed=len(self._failed),
                names=names,
            )
        ]

    def draw(self, project: Project, documents: Iterable[str], progress: Progress) -> None:
        """Draw the pages of those documents that have a PDF file in the project."""
        found = project.collection.pdf_sizes(list(dict.fromkeys(documents)))
        for name, (digest, _size) in progress.through(
            found.items(), Message("Drawing pages"), total=len(found)
        ):
            path = self._folder / digest.hex()
            try:
                if not path.exists():
                    write_whole(path, _drawn(project, name, digest))
                self._names[name] = path.name
            except FormatError:
                self._failed.append(name)

    def added_to(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """Return a task with the pages of its documents; each entry of a document that has some says which."""
        places: dict[str, int] = {}
        documents = [
            {**each, "pages": places.setdefault(name, len(places))}
            if (name := self._names.get(each["id"]))
            else each
            for each in task["documents"]
        ]
        sheets = [json.loads((self._folder / name).read_text(encoding="ascii")) for name in places]
        return {**task, "documents": documents, **({"sheets": sheets} if sheets else {})}

    def check(self, documents: Iterable[str], assessor: str) -> None:
        """Raise a `ProjectError` when the pictures of some documents are more than one file may carry."""
        names = {name for document in documents if (name := self._names.get(document))}
        size = sum((self._folder / name).stat().st_size for name in names)
        if size > MOST:
            raise ProjectError(
                "The page images of {assessor}'s documents have {size:,.1f} MB, expected {most:,.1f} MB at most in one file. "
                "Assign fewer topics at a time (--split 10 makes smaller files), or hand out the text alone.",
                key="page-images-size",
                assessor=assessor,
                size=size / 1e6,
                most=MOST / 1e6,
            )


@contextmanager
def drawn(
    project: Project, documents: Iterable[str], progress: Progress = SILENT
) -> Iterator[Sheets]:
    """Draw the pages of some documents, and let go of them in the end."""
    with TemporaryDirectory(prefix="irjudge-pages-") as folder:
        sheets = Sheets(Path(folder))
        sheets.draw(project, documents, progress)
        yield sheets


def sketched(project: Project, plan: AssignmentPlan) -> Carried:
    """Return how much the pictures of pages that a plan would hand out are, judged by those of a few documents."""
    files: dict[bytes, tuple[int, str]] = {}
    having: set[str] = set()
    most = 0
    for items in plan.items.values():
        sizes = project.collection.pdf_sizes(list({item.document for item in items}))
        having |= sizes.keys()
        files.update((digest, (size, name)) for name, (digest, size) in sizes.items())
        most = max(most, len({digest for digest, _ in sizes.values()}))
    seen = [_size_of(project, name, digest) for digest, name in _spread(files)]
    return Carried(len(having), round(most * sum(seen) / max(1, len(seen))), MOST, pictures=True)


def _spread(files: dict[bytes, tuple[int, str]]) -> Sequence[tuple[bytes, str]]:
    """Return a few files, small and large ones alike."""
    by_size = sorted((size, digest, name) for digest, (size, name) in files.items())
    count = min(SAMPLES, len(by_size))
    return [by_size[(2 * place + 1) * len(by_size) // (2 * count)][1:] for place in range(count)]


def _size_of(project: Project, document: str, digest: bytes) -> int:
    if digest not in _known:
        try:
            _drawn(project, document, digest)
        except FormatError:
            return 0
    return _known[digest]


def _drawn(project: Project, document: str, digest: bytes) -> str:
    """Return the pages of a document as the page has them, and remember how much they are."""
    pictures, pages = page_pictures(
        project.collection.pdf(document) or b"", MOST_PAGES, Path(document)
    )
    text = json.dumps(
        {"pages": pages, "pictures": [b64encode(each).decode() for each in pictures]},
        separators=(",", ":"),
    )
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    _known[digest] = len(text)
    return text

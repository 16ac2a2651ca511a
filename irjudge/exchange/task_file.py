"""Writer of an assessor's task file, which contains only what the assessor may see."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import numpy as np

from irjudge.errors import ProjectError
from irjudge.exchange.assignment_plan import AssignmentPlan
from irjudge.judging import read_comparison_rules
from irjudge.message import Message, format_count
from irjudge.model import (
    AssignedItem,
    Assignment,
    Document,
    Pool,
    UnsampledDocuments,
    to_arrow_strings,
)
from irjudge.progress import Progress
from irjudge.store import (
    ASSESSOR_ROLE,
    ASSIGNMENT_KEY,
    CALIBRATION,
    COMPARISON_RULES,
    DOCUMENTS_PER_PAGE,
    INSTRUCTIONS,
    PROJECT_KEY,
    ROLE_KEY,
    SHOWN_FIELDS,
    Project,
    create_project,
    limit_to_shown_fields,
    read_documents_per_page,
    shown_field_names,
)

# maximum size of a task file in bytes, so that it can be sent or copied to a memory stick
MAX_FILE_BYTES = 1_000_000_000


@dataclass(frozen=True, slots=True)
class PdfAttachmentSummary:
    """Summary of the PDF files that will be attached to the task files of a plan.

    It has the number of documents with a PDF file, and the bytes attached for the assessor with
    the largest total. With `pictures`, images of the PDF pages are attached instead.
    """

    documents: int  # number of distinct documents with a PDF file
    largest: int  # maximum bytes per assessor; an estimate if pictures are attached
    max_bytes: int | None = None  # maximum bytes per file; None for `MAX_FILE_BYTES`
    pictures: bool = False  # whether images of pages are attached instead of PDF files

    def sentences(self) -> list[str]:
        """Return sentences for users about the number of documents and the size."""
        if not self.documents:
            return [
                Message(
                    "None of the documents has a PDF file in the project, so no page images "
                    "are sent.",
                    key="no-pdf-files",
                )
            ]
        messages: list[str] = [self._describe_size()]
        limit = MAX_FILE_BYTES if self.max_bytes is None else self.max_bytes
        if self.largest > limit:
            messages.append(
                Message(
                    "The limit per file is {limit:,.0f} MB.",
                    key="most-in-a-file",
                    limit=limit / 1e6,
                )
            )
        return messages

    def _describe_size(self) -> Message:
        size = self.largest / 1e6
        if self.pictures:
            return Message(
                "Documents sent with images of their pages: {documents:,}; about {size:,.1f} "
                "MB per assessor.",
                documents=self.documents,
                size=size,
            )
        return Message(
            "Documents sent with their PDF file: {documents:,}; at most {size:,.1f} MB per "
            "assessor.",
            key="pdf-files",
            documents=self.documents,
            size=size,
        )


def measure_pdfs(project: Project, plan: AssignmentPlan) -> PdfAttachmentSummary:
    """Return a summary of the PDF files of the documents in a plan."""
    documents_with_pdf: set[str] = set()
    largest_size = 0
    for items in plan.items.values():
        sizes = project.collection.pdf_sizes(list({item.document for item in items}))
        documents_with_pdf |= sizes.keys()
        largest_size = max(largest_size, _sum_bytes(sizes))
    return PdfAttachmentSummary(len(documents_with_pdf), largest_size)


def check_size(project: Project, documents: Sequence[str], assessor: str) -> None:
    """Raise ProjectError if the PDF files of `documents` are too large for one task file."""
    size = _sum_bytes(project.collection.pdf_sizes(documents))
    if size > MAX_FILE_BYTES:
        raise ProjectError(
            "The PDF files of {assessor}'s documents take {size:,.1f} MB; a file may contain "
            "at most {limit:,.1f} MB. Assign fewer topics at a time (--split 10 makes smaller "
            "files), or assign the text only.",
            key="files-too-large",
            assessor=assessor,
            size=size / 1e6,
            limit=MAX_FILE_BYTES / 1e6,
        )


def describe_page_images(paths: Iterable[Path]) -> list[str]:
    """Return a sentence about the number and maximum size of the files in `paths`, if any."""
    sizes = [path.stat().st_size for path in paths]
    if not sizes:
        return []
    return [
        Message(
            "Wrote {files} with page images; largest file: {size:,.1f} MB.",
            key="sizes",
            files=format_count(len(sizes), "file"),
            size=max(sizes) / 1e6,
        )
    ]


def _sum_bytes(sizes: Mapping[str, tuple[bytes, int]]) -> int:
    """Return the total bytes of the files of documents; equal files are counted once."""
    return sum(dict(sizes.values()).values())


TASK_SUFFIX = ".irtask"
DEADLINE_KEY = "deadline"  # key of a setting: date by which the assessor should finish


def write_task_file(
    path: Path,
    project: Project,
    assignment: Assignment,
    items: Sequence[AssignedItem],
    *,
    page_images: bool = False,
) -> None:
    """Write a task file: topics, texts, scale, instructions, and the items in order.

    The file contains nothing about runs, systems, ranks, the pool, the seed of the plan, other
    assessors or gold grades. It contains the agreed grades of calibration documents, which are
    shown after they are judged. With `page_images`, it also contains the PDF files of the documents.
    """
    topics = list(dict.fromkeys(item.topic for item in items))
    documents = list(dict.fromkeys(document for item in items for document in item.documents))
    if page_images:
        check_size(project, documents, assignment.assessor)
    with create_project(
        path, scale=project.scale, title=project.title, owner=assignment.assessor
    ) as output:
        metadata = {
            ROLE_KEY: ASSESSOR_ROLE,
            PROJECT_KEY: project.get_setting(PROJECT_KEY) or "",
            ASSIGNMENT_KEY: assignment.id,
            DEADLINE_KEY: assignment.deadline,
            INSTRUCTIONS: project.instructions,
            CALIBRATION: _encode_calibration(project, items),
            COMPARISON_RULES: json.dumps(
                read_comparison_rules(project, assignment).as_json(), ensure_ascii=False
            )
            if assignment.mode == "side-by-side"
            else "",
            SHOWN_FIELDS: json.dumps(shown_field_names(project), ensure_ascii=False)
            if shown_field_names(project)
            else "",
            DOCUMENTS_PER_PAGE: str(read_documents_per_page(project, assignment) or ""),
            "seed": str(int(assignment.id[:7], 16)),
        }
        for name, value in metadata.items():
            if value:
                output.set_setting(name, value)
        topics_by_id = {topic.id: topic for topic in project.collection.topics()}
        output.collection.add_topics(
            topics_by_id[topic] for topic in topics if topic in topics_by_id
        )
        output.collection.add_documents(
            _iter_shown_documents(project, documents, assignment.assessor, page_images=page_images)
        )
        output.rankings.add_pool(_make_item_pool(topics, items))
        shown_assignment = Assignment(
            0,
            assignment.id,
            assignment.assessor,
            assignment.mode,
            assignment.pool,
            assignment.deadline,
        )
        output.assignments.add(shown_assignment, items)


def _iter_shown_documents(
    project: Project, names: Iterable[str], assessor: str, *, page_images: bool
) -> Iterator[Document]:
    """Yield the documents to be written for an assessor, without the fields that are hidden.

    With `page_images`, the documents contain their PDF files.
    """
    document_bytes = 0
    for name in names:
        document = project.collection.document(name)
        if document is None:
            raise ProjectError(
                "Document {name} has no text in {file} and cannot be assigned.",
                name=name,
                file=project.path.name,
            )
        shown_document = limit_to_shown_fields(project, document)
        document_bytes += len(shown_document.picture)
        if document_bytes > MAX_FILE_BYTES:
            raise ProjectError(
                "The pictures of {assessor}'s documents take more than {limit:,.1f} MB, which "
                "is too much for one file. Assign fewer topics at a time (--split 10 makes "
                "smaller files), or hide the field with the pictures.",
                key="pictures-too-large",
                assessor=assessor,
                limit=MAX_FILE_BYTES / 1e6,
            )
        # the picture is shown only if the document contains the field that refers to it
        picture_field = ((shown_document.pictured, ""),) if shown_document.picture else ()
        yield replace(
            shown_document,
            fields=shown_document.fields + picture_field,
            pdf=(project.collection.pdf(name) if page_images else None) or b"",
        )


WriteFunction: TypeAlias = Callable[[Path, Project, Assignment, Sequence[AssignedItem]], None]


@dataclass(frozen=True, slots=True)
class TaskWriter:
    """Result of preparing task files: a function that writes one task file, and warnings.

    The function has the parameters path, project, assignment and assigned items. It is called once
    for each file.
    """

    write: WriteFunction
    warnings: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class TaskFileFormat:
    """Format of assignment files: functions that prepare, write and describe the files.

    The formats are `irtask` and `html`, each with or without the pages of PDF documents.
    """

    name: str
    suffix: str  # suffix of the file names
    write: WriteFunction
    max_topics: int = 0  # maximum number of topics per file; 0 for no limit
    # function that returns messages about the written files
    describe: Callable[[Iterable[Path]], list[str]] = lambda _paths: []
    # function that returns a summary of the attached files; None if nothing is attached
    page_images: Callable[[Project, AssignmentPlan], PdfAttachmentSummary] | None = None
    # function that returns a context manager for slow preparations, which precede all storing and
    # writing; None if there are no slow preparations
    prepare: (
        Callable[[Project, Iterable[str], Progress], AbstractContextManager[TaskWriter]] | None
    ) = None

    def open_writer(
        self, project: Project, documents: Iterable[str], progress: Progress
    ) -> AbstractContextManager[TaskWriter]:
        """Return a context manager that prepares files with `documents` and yields a writer."""
        return (
            self.prepare(project, documents, progress)
            if self.prepare
            else nullcontext(TaskWriter(self.write))
        )


IRTASK_FORMAT = TaskFileFormat("irtask", TASK_SUFFIX, write_task_file)
WITH_PAGES = replace(
    IRTASK_FORMAT,
    write=partial(write_task_file, page_images=True),
    describe=describe_page_images,
    page_images=measure_pdfs,
)


def _encode_calibration(project: Project, items: Sequence[AssignedItem]) -> str:
    """Return the agreed grades of the assigned calibration documents as JSON; empty if none."""
    assigned_pairs = {
        (item.topic, document)
        for item in items
        if item.type == "document"
        for document in item.documents
    }
    grades_by_topic = {
        topic: {
            document: grade
            for document, grade in grades.items()
            if (topic, document) in assigned_pairs
        }
        for topic, grades in project.calibration.items()
    }
    grades_by_topic = {topic: grades for topic, grades in grades_by_topic.items() if grades}
    return json.dumps(grades_by_topic, ensure_ascii=False) if grades_by_topic else ""


def _make_item_pool(topics: Sequence[str], items: Sequence[AssignedItem]) -> Pool:
    """Return a pool of the items' documents, without runs, to store in a task file."""
    by_topic: dict[str, dict[str, None]] = {topic: {} for topic in topics}
    for item in items:
        by_topic[item.topic].update(dict.fromkeys(item.documents))
    documents = [
        document for documents_of_topic in by_topic.values() for document in documents_of_topic
    ]
    starts = np.cumsum([0, *map(len, by_topic.values())]).astype(np.int64)
    empty_codes, empty_texts = np.empty(0, dtype=np.int32), to_arrow_strings([])
    return Pool(
        topics=tuple(topics),
        starts=starts,
        document=to_arrow_strings(documents),
        strategy="assigned",
        parameters={},
        runs=(),
        contribution_starts=np.zeros(len(documents) + 1, dtype=np.int64),
        contribution_run=empty_codes,
        contribution_rank=empty_codes,
        stratum=np.zeros(len(documents), dtype=np.int32),
        probability=np.ones(len(documents)),
        unsampled=UnsampledDocuments(
            np.zeros(len(topics) + 1, dtype=np.int64), empty_texts, empty_codes, np.empty(0)
        ),
    )


def compute_assignment_id(
    project: str, round_number: int, assessor: str, items: Sequence[AssignedItem]
) -> str:
    """Return the id of an assignment: a hash of project, round, assessor and items."""
    parts = [
        project,
        str(round_number),
        assessor,
        *(repr((item.topic, item.lists, item.type, item.sides)) for item in items),
    ]
    return sha256("\0".join(parts).encode()).hexdigest()[:32]


def make_file_names(
    assessors: Sequence[str], taken_names: Sequence[str], suffix: str = TASK_SUFFIX
) -> list[str]:
    """Return a valid, unique file name for each assessor.

    >>> make_file_names(["Ann", "../etc/x", "ann", "CON"], ["ann.irtask"])
    ['Ann-2.irtask', 'etc-x.irtask', 'ann-3.irtask', 'assessor-CON.irtask']
    """
    used_names = {name.casefold() for name in taken_names}
    names = []
    for assessor in assessors:
        stem = _make_stem(assessor)
        numbered_names = (
            f"{stem}{'' if number == 1 else f'-{number}'}{suffix}"
            for number in range(1, len(used_names) + 2)
        )
        names.append(next(name for name in numbered_names if name.casefold() not in used_names))
        used_names.add(names[-1].casefold())
    return names


def _make_stem(name: str) -> str:
    """Return a name without characters that are invalid in file names.

    A name that an operating system reserves gets a prefix.
    """
    cleaned_name = "".join(
        character if character.isalnum() or character in "_." else "-" for character in name.strip()
    )
    stem = "-".join(name_part for name_part in cleaned_name.split("-") if name_part.strip("."))[
        :60
    ].strip(".-")
    device_name = stem.split(".")[0].upper()
    is_reserved = device_name in {"CON", "PRN", "AUX", "NUL"} or (
        device_name[:3] in {"COM", "LPT"} and device_name[3:].isdigit()
    )
    return f"assessor-{stem}" if is_reserved else stem or "assessor"

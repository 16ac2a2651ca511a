"""Writes the file of one assessor: built fresh from what they may see, never a copy with parts taken out."""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

import numpy as np

from irjudge.errors import ProjectError
from irjudge.exchange.page_images import Carried, carried, check_size, pages_told
from irjudge.exchange.plan import AssignmentPlan
from irjudge.judging.comparison_queue import rules_of
from irjudge.model.arrow import strings_of
from irjudge.model.assignment import AssignedItem, Assignment
from irjudge.model.pool import Pool, Undrawn
from irjudge.progress import Progress
from irjudge.store.assignments import ASSESSOR, ASSIGNMENT, PROJECT, ROLE, RULES
from irjudge.store.project import CALIBRATION, INSTRUCTIONS, Project, create

SUFFIX = ".irtask"
DEADLINE = "deadline"  # fact


def write_task_file(
    path: Path, project: Project, assignment: Assignment, items: Sequence[AssignedItem], *, page_images: bool = False
) -> None:
    """Write what an assessor needs and nothing else: topics, texts, scale, instructions and the items in their order.

    No run, system, rank, pool, seed of the plan, other assessor or gold answer gets into the file. Calibration documents keep
    their agreed grades, which are shown after each is judged. With `page_images` the PDF files of the documents are in it.
    """
    topics = list(dict.fromkeys(item.topic for item in items))
    documents = list(dict.fromkeys(document for item in items for document in item.documents))
    if page_images:
        check_size(project, documents, assignment.assessor)
    with create(path, scale=project.scale, title=project.title, owner=assignment.assessor) as made:
        facts = {
            ROLE: ASSESSOR,
            PROJECT: project.fact(PROJECT) or "",
            ASSIGNMENT: assignment.id,
            DEADLINE: assignment.deadline,
            INSTRUCTIONS: project.instructions,
            CALIBRATION: _calibration(project, items),
            RULES: json.dumps(rules_of(project, assignment).as_json(), ensure_ascii=False) if assignment.mode == "side-by-side" else "",
            "seed": str(int(assignment.id[:7], 16)),
        }
        for name, value in facts.items():
            if value:
                made.set_fact(name, value)
        known = {topic.id: topic for topic in project.collection.topics()}
        made.collection.add_topics(known[topic] for topic in topics if topic in known)
        for name in documents:
            document = project.collection.document(name)
            if document is None:
                raise ProjectError("Document {name} has no text in {file} and cannot be assigned.", name=name, file=project.path.name)
            pdf = project.collection.pdf(name) if page_images else None
            made.collection.add_documents([replace(document, pdf=pdf or b"")])
        made.rankings.add_pool(_listed(topics, items))
        seen = Assignment(0, assignment.id, assignment.assessor, assignment.mode, assignment.pool, assignment.deadline)
        made.assignments.add(seen, items)


Write: TypeAlias = Callable[[Path, Project, Assignment, Sequence[AssignedItem]], None]


@dataclass(frozen=True, slots=True)
class Writing:
    """Writes the files of a round; `remarks` say what is missing in them."""

    write: Write
    remarks: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class FileForm:
    """A form in which assignments are handed out."""

    # what it is called, and the ending of its files
    name: str
    suffix: str
    write: Write  # writes one
    split: int = 0  # the most topics in one file; whoever has more gets several. 0 puts all into one.
    told: Callable[[Iterable[Path]], list[str]] = lambda _paths: []  # gives sentences about the files that were written
    # says how much a plan's files carry so that pages can be seen; None where they cannot
    page_images: Callable[[Project, AssignmentPlan], Carried] | None = None
    # does what takes long for some documents before anything is kept, and lets go of it in the end; None where nothing does
    prepare: Callable[[Project, Iterable[str], Progress], AbstractContextManager[Writing]] | None = None

    def writing(self, project: Project, documents: Iterable[str], progress: Progress) -> AbstractContextManager[Writing]:
        """Return what writes files of these documents."""
        return self.prepare(project, documents, progress) if self.prepare else nullcontext(Writing(self.write))


IRTASK = FileForm("irtask", SUFFIX, write_task_file)
WITH_PAGES = replace(IRTASK, write=partial(write_task_file, page_images=True), told=pages_told, page_images=carried)


def _calibration(project: Project, items: Sequence[AssignedItem]) -> str:
    """Return the agreed grades of the calibration documents among the items, as the fact keeps them."""
    assigned = {(item.topic, document) for item in items if item.type == "document" for document in item.documents}
    kept = {
        topic: {document: grade for document, grade in grades.items() if (topic, document) in assigned}
        for topic, grades in project.calibration.items()
    }
    kept = {topic: grades for topic, grades in kept.items() if grades}
    return json.dumps(kept, ensure_ascii=False) if kept else ""


def _listed(topics: Sequence[str], items: Sequence[AssignedItem]) -> Pool:
    """Return the items as a pool that nobody contributed to, so that whatever asks for a pool finds the assigned documents."""
    by_topic: dict[str, dict[str, None]] = {topic: {} for topic in topics}
    for item in items:
        by_topic[item.topic].update(dict.fromkeys(item.documents))
    documents = [document for each in by_topic.values() for document in each]
    starts = np.cumsum([0, *map(len, by_topic.values())]).astype(np.int64)
    none, strings = np.empty(0, dtype=np.int32), strings_of([])
    return Pool(
        topics=tuple(topics),
        starts=starts,
        document=strings_of(documents),
        strategy="assigned",
        parameters={},
        runs=(),
        contribution_starts=np.zeros(len(documents) + 1, dtype=np.int64),
        contribution_run=none,
        contribution_rank=none,
        stratum=np.zeros(len(documents), dtype=np.int32),
        probability=np.ones(len(documents)),
        undrawn=Undrawn(np.zeros(len(topics) + 1, dtype=np.int64), strings, none),
    )


def assignment_id(project: str, number: int, assessor: str, items: Sequence[AssignedItem]) -> str:
    """Return the identity of an assignment: a hash, so that the same assignment has the same one wherever it is made."""
    parts = [project, str(number), assessor, *(repr((item.topic, item.lists, item.type, item.sides)) for item in items)]
    return sha256("\0".join(parts).encode()).hexdigest()[:32]


def file_names(assessors: Sequence[str], taken: Sequence[str], suffix: str = SUFFIX) -> list[str]:
    """Return a file name for each assessor that every system can keep and that no other of the project has.

    Examples
    --------
    >>> file_names(["Ann", "../etc/x", "ann", "CON"], ["ann.irtask"])
    ['Ann-2.irtask', 'etc-x.irtask', 'ann-3.irtask', 'assessor-CON.irtask']
    """
    used = {name.casefold() for name in taken}
    names = []
    for assessor in assessors:
        stem = _stem(assessor)
        numbered = (f"{stem}{'' if number == 1 else f'-{number}'}{suffix}" for number in range(1, len(used) + 2))
        names.append(next(name for name in numbered if name.casefold() not in used))
        used.add(names[-1].casefold())
    return names


def _stem(name: str) -> str:
    """Return what of a name a file name may hold; names that some system keeps for devices get a word before them."""
    kept = "".join(letter if letter.isalnum() or letter in "_." else "-" for letter in name.strip())
    stem = "-".join(part for part in kept.split("-") if part.strip("."))[:60].strip(".-")
    device = stem.split(".")[0].upper()
    reserved = device in {"CON", "PRN", "AUX", "NUL"} or (device[:3] in {"COM", "LPT"} and device[3:].isdigit())
    return f"assessor-{stem}" if reserved else stem or "assessor"

"""Assignment of pooled documents to assessors, with a file for each of them."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeAlias

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.exchange.assignment_plan import (
    AssignmentOptions,
    AssignmentPlan,
    Candidate,
    PlanAssessor,
    PlannedItem,
    distribute_pairs,
    group_documents_by_topic,
    make_plan,
)
from irjudge.exchange.task_file import (
    IRTASK_FORMAT,
    TaskFileFormat,
    compute_assignment_id,
    make_file_names,
)
from irjudge.formats.bytes import write_text_atomically
from irjudge.judging import (
    GOLD_FROM,
    get_ledger,
    list_assigned_pairs,
    list_calibration,
    list_excluded_assessors,
    list_unassigned,
    list_unjudged_pairs,
    read_gold,
    warn_off_scale_gold,
)
from irjudge.message import Message
from irjudge.model import (
    AssignedItem,
    Assignment,
    Mode,
    OrganiserNote,
    Pair,
    natural_key,
    select_topics,
    utc_now,
)
from irjudge.progress import SILENT, Progress
from irjudge.stats import HashOrder
from irjudge.store import (
    ASSIGNMENT_KEY,
    DOCUMENTS_PER_PAGE,
    PROJECT_KEY,
    Project,
    RegisteredAssessor,
    Round,
    is_project,
    open_project,
    read_documents_per_page,
    remove_leftovers,
)


@dataclass(frozen=True, slots=True)
class WithdrawalReport:
    """Result of `withdraw_round`: withdrawn assignments, and names of files not withdrawn.

    A file is not withdrawn if it was merged and has judgments. Files that had been withdrawn before
    are not included.
    """

    withdrawn: tuple[Assignment, ...]
    returned_files: tuple[str, ...]


def _has_judgments(project: Project, assignment: Assignment) -> bool:
    """Return whether the assessor judged an item of an assignment."""
    ledger = get_ledger(project, assignment.assessor)
    return any(
        ledger.judgment((item.topic, item.documents, 1)) is not None
        for item in project.assignments.items(assignment.code)
    )


def withdraw_round(project: Project, round_number: int) -> WithdrawalReport:
    """Withdraw the files of a round, except files from which judgments were returned.

    Pairs in withdrawn files can be assigned again. A withdrawn file can still be merged if it is
    returned later.
    """
    rounds = [assignment_round.number for assignment_round in project.assignments.rounds()]
    if round_number not in rounds:
        raise ProjectError(
            "There is no assignment round {number}; expected one of {rounds}.",
            key="no-such-round",
            number=round_number,
            rounds=", ".join(map(str, rounds)) or Message("none"),
        )
    round_assignments = [
        assignment
        for assignment in project.assignments.all()
        if assignment.round == round_number and assignment.file
    ]
    merged_ids = {file.assignment for file in project.assignments.merged_files()}
    returned_ids = {
        assignment.id
        for assignment in round_assignments
        if assignment.id in merged_ids and _has_judgments(project, assignment)
    }
    withdrawn_assignments = tuple(
        assignment
        for assignment in round_assignments
        if not assignment.withdrawn and assignment.id not in returned_ids
    )
    if not withdrawn_assignments:
        raise ProjectError(
            "No file of round {number} can be withdrawn: all have already been returned or "
            "withdrawn.",
            key="nothing-to-withdraw",
            number=round_number,
        )
    with project.transaction():
        for assignment in withdrawn_assignments:
            project.assignments.withdraw(assignment.code)
    returned_files = tuple(
        assignment.file
        for assignment in round_assignments
        if not assignment.withdrawn and assignment.id in returned_ids
    )
    return WithdrawalReport(withdrawn_assignments, returned_files)


@dataclass(frozen=True, slots=True)
class WrittenAssignment:
    """Table row about one written assignment file: assessor, path, numbers of topics and items."""

    assessor: str
    path: Path  # path of the file or, if no file was written, of the project
    topics: int
    items: int


@dataclass(frozen=True, slots=True)
class AssignmentReport:
    """Result of an assignment: a row for each written file, warnings, and messages.

    Documents to be graded, comparisons and reassigned documents have the same report. An
    assessor can have several files. A comparison that is assigned to the owner has a row, but
    no file.
    """

    files: tuple[WrittenAssignment, ...] = ()
    warnings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()  # messages about the sizes of the files


def assign_pool(
    project: Project,
    candidates: Sequence[Candidate],
    options: AssignmentOptions,
    folder: Path,
    *,
    deadline: str = "",
    gold_from: str | None = None,
    file_format: TaskFileFormat = IRTASK_FORMAT,
    progress: Progress = SILENT,
) -> AssignmentReport:
    """Assign the unassigned pairs of the newest pool, and write a file for each assessor.

    In the first round, all pairs of the pool are unassigned. In later rounds, the unassigned pairs
    are usually those that new runs contributed.
    """
    plan, gold_name = plan_assignment(project, candidates, options, gold_from=gold_from)
    round_options = {**asdict(options), "mode": "grade", GOLD_FROM: gold_name}
    written_files = write_round(
        project,
        AssignmentRound(
            _make_items(plan),
            options.seed,
            round_options,
            "grade",
            deadline,
            candidates,
            file_format,
        ),
        folder,
        progress,
    )
    return replace(written_files, warnings=(*plan.warnings, *written_files.warnings))


def plan_assignment(
    project: Project,
    candidates: Sequence[Candidate],
    options: AssignmentOptions,
    *,
    gold_from: str | None = None,
) -> tuple[AssignmentPlan, str]:
    """Return the plan of an assignment, and the name of the qrels with gold grades.

    The name is empty if there are no gold items. Nothing is stored.
    """
    candidates = resolve_assessors(project, candidates)
    pool, warnings = list_unassigned(project)
    if not pool and not list_assigned_pairs(project):
        raise ProjectError(
            "There is nothing to assign: no pooled document has a text in the project. Do the "
            "document ids match?",
            key="no-pooled-text",
        )
    if options.topics:
        pool = {topic: documents for topic, documents in pool.items() if topic in options.topics}
    gold_name, gold = (
        read_gold(project, gold_from) if options.gold or options.qualification else ("", {})
    )
    if gold_name:
        warnings += warn_off_scale_gold(project, gold_name)
    gold = {
        topic: grades
        for topic, grades in gold.items()
        if not options.topics or topic in options.topics
    }
    newest_pool = project.rankings.pool()
    plan = make_plan(
        pool,
        [candidate.to_plan_assessor() for candidate in candidates],
        options,
        gold=gold,
        calibration=list_calibration(project),
        assigned_pairs=list_assigned_pairs(project),
        in_order=newest_pool is not None and newest_pool.in_order,
    )
    plan.warnings[:0] = warnings
    return plan, gold_name


def resolve_assessors(project: Project, candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the assessors with their topics, in which ranges such as `1-5` are replaced.

    Raises IrjudgeError if an assessor is the owner, or is limited to an unknown topic.
    """
    owner_name = next(
        (candidate.name for candidate in candidates if candidate.name == project.owner), None
    )
    if owner_name is not None:
        raise IrjudgeError(
            "{owner} owns the project; an assessor needs another name, so that the owner's own "
            "judgments stay separate.",
            owner=owner_name,
        )
    pool = project.rankings.pool()
    known_topics = [
        *dict.fromkeys([*project.collection.topic_titles(), *(pool.topics if pool else ())])
    ]
    return [
        replace(candidate, topics=_resolve_topics(candidate, known_topics))
        for candidate in candidates
    ]


def _resolve_topics(candidate: Candidate, known_topics: Sequence[str]) -> frozenset[str] | None:
    if candidate.topics is None:
        return None
    text = ",".join(sorted(candidate.topics, key=natural_key))
    try:
        return frozenset(select_topics(text, known_topics))
    except IrjudgeError as error:
        raise IrjudgeError(
            "{assessor} is to judge topic {topic}, which the project does not have; "
            "expected topic ids or ranges such as 1-5, separated by blanks or commas.",
            key="unknown-topic",
            assessor=candidate.name,
            topic=error.values.get("topic") or error.values["part"],
        ) from error


def reassign(
    project: Project,
    assessor: str,
    folder: Path,
    *,
    assessors: Sequence[Candidate] = (),
    deadline: str = "",
    file_format: TaskFileFormat = IRTASK_FORMAT,
    progress: Progress = SILENT,
) -> AssignmentReport:
    """Reassign the pairs of an assessor that have no returned judgments.

    They are assigned to `assessors` or, by default, to all other assessors with assignment
    files, but not to session participants.
    """
    assessors = resolve_assessors(project, assessors)
    assignments = [
        assignment
        for assignment in project.assignments.all()
        if assignment.assessor == assessor
        and assignment.mode == "grade"
        and not assignment.withdrawn
    ]
    if not assignments:
        raise ProjectError(
            "{assessor} has no assignment to reassign.",
            key="nothing-to-reassign",
            assessor=assessor,
        )
    round_number = len(project.assignments.rounds()) + 1
    seed = default_round_seed(project, round_number)
    plan = _plan_reassignment(project, assessor, assessors, seed)
    new_deadline = deadline or max(assignment.deadline for assignment in assignments)
    round_options = {
        "instead_of": assessor,
        DOCUMENTS_PER_PAGE: read_documents_per_page(project, assignments[-1]),
    }
    assignment_round = AssignmentRound(
        _make_items(plan),
        seed,
        round_options,
        "grade",
        new_deadline,
        assessors,
        file_format,
        replaced=assignments,
    )
    written_files = write_round(project, assignment_round, folder, progress)
    return replace(written_files, warnings=(*plan.warnings, *written_files.warnings))


def _plan_reassignment(
    project: Project, assessor: str, assessors: Sequence[Candidate], seed: int
) -> AssignmentPlan:
    """Return the plan of a reassignment; raise ProjectError if no pair can be reassigned."""
    unjudged_pairs = list_unjudged_pairs(project, assessor)
    if not unjudged_pairs:
        raise ProjectError("{assessor} has nothing left to judge.", assessor=assessor)
    candidates = assessors or [Candidate(name) for name in _list_other_assessors(project, assessor)]
    if not candidates:
        raise ProjectError(
            "No other assessor has an assignment. Name the assessor who is to take over the "
            "documents."
        )
    loads = {
        candidate.name: len(list_unjudged_pairs(project, candidate.name))
        for candidate in candidates
    }
    draw = HashOrder(seed)
    shares = distribute_pairs(
        dict.fromkeys(unjudged_pairs, 1),
        [
            _add_to_limit(candidate.to_plan_assessor(), loads[candidate.name])
            for candidate in candidates
        ],
        draw,
        assigned_pairs=list_assigned_pairs(project),
        loads=loads,
    )
    plan = AssignmentPlan(
        {
            name: _shuffle_by_topic(pairs, name, draw)
            for name, pairs in shares.by_assessor.items()
            if pairs
        }
    )
    if shares.unassigned:
        plan.warnings.append(
            Message(
                "Judgments that cannot be reassigned, because the document was already assigned "
                "to every other assessor, or is excluded by the limits of the assessors: "
                "{count:,}.",
                key="not-reassigned",
                count=len(shares.unassigned),
            )
        )
    if not plan.items:
        raise ProjectError(
            "The documents cannot be reassigned, because they were already assigned to every "
            "other assessor, or are excluded by the limits of the assessors.",
            key="not-reassigned",
        )
    return plan


def _add_to_limit(assessor: PlanAssessor, load: int) -> PlanAssessor:
    """Return the assessor with a limit that includes earlier pairs.

    The limit of a candidate applies to new pairs only.
    """
    if assessor.max_pairs is None:
        return assessor
    return replace(assessor, max_pairs=assessor.max_pairs + load)


def default_round_seed(project: Project, round_number: int) -> int:
    """Return the default seed of a round: the project's seed plus the round number."""
    return project.seed + round_number


def _shuffle_by_topic(pairs: Sequence[Pair], name: str, draw: HashOrder) -> tuple[PlannedItem, ...]:
    documents_by_topic = group_documents_by_topic(pairs)
    return tuple(
        PlannedItem(topic, document)
        for topic in draw.shuffle([*documents_by_topic], "order", name)
        for document in draw.shuffle(documents_by_topic[topic], "order", name, topic)
    )


def _list_other_assessors(project: Project, assessor: str) -> list[str]:
    """Return the other assessors with an assignment file, except the owner and excluded ones."""
    excluded_names = {
        excluded_assessor.name for excluded_assessor in list_excluded_assessors(project)
    }
    names = (
        assignment.assessor
        for assignment in project.assignments.all()
        if assignment.mode == "grade" and assignment.file and not assignment.withdrawn
    )
    return [
        name
        for name in dict.fromkeys(names)
        if name not in {assessor, project.owner, *excluded_names}
    ]


# Storage of a round, and writing of its files

# items in the order of presentation, each with the organiser's note
ItemsWithNotes: TypeAlias = Sequence[tuple[AssignedItem, OrganiserNote]]


@dataclass(frozen=True, slots=True)
class AssignmentRound:
    """Round of assignments, which `write_round` stores and writes to files for the assessors."""

    shares: Mapping[str, ItemsWithNotes]  # items of each assessor, with the organiser's notes
    seed: int  # random seed with which the items were assigned; stored with the round
    options: Mapping[str, object]  # options with which the items were assigned; stored as JSON
    mode: Mode = "grade"
    deadline: str = ""  # date shown to assessors; empty if there is none
    assessors: Sequence[Candidate] = ()  # assessors to register with their e-mail addresses
    file_format: TaskFileFormat = IRTASK_FORMAT  # format of the files
    replaced: Sequence[Assignment] = ()  # assignments that are withdrawn with this round


def _make_items(plan: AssignmentPlan) -> dict[str, list[tuple[AssignedItem, OrganiserNote]]]:
    return {
        assessor: [
            (AssignedItem(item.topic, ((item.document,),)), OrganiserNote(item.role))
            for item in planned_items
        ]
        for assessor, planned_items in plan.items.items()
    }


def write_round(
    project: Project,
    assignment_round: AssignmentRound,
    folder: Path | None,
    progress: Progress = SILENT,
) -> AssignmentReport:
    """Store a round in the project and write its files.

    If `folder` is None, no files are written. After an error, nothing is stored, and the files
    written so far are removed. Do not call this function within a transaction: files must not be
    left without their round if the transaction is not committed.
    """
    written_files, creation_time = list[WrittenAssignment](), utc_now()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        _remove_pending_files(project, folder)
    try:
        documents = (
            document
            for assessor_items in assignment_round.shares.values()
            for item, _ in assessor_items
            for document in item.documents
        )
        with (
            assignment_round.file_format.open_writer(project, documents, progress) as task_writer,
            project.transaction(),
        ):
            stored_round = _store_round(project, assignment_round, creation_time)
            assignments, warnings = _make_assignments(
                project, assignment_round, stored_round, has_files=folder is not None
            )
            if folder is not None:
                _write_pending_list(
                    project,
                    folder,
                    {assignment.file: assignment.id for assignment, _ in assignments},
                )
            for index, (assignment, entries) in enumerate(assignments):
                progress.step(
                    index,
                    len(assignments),
                    Message("Writing {file}", file=assignment.file or project.path.name),
                )
                items = [item for item, _ in entries]
                project.assignments.add(assignment, items, [note for _, note in entries])
                path = project.path
                if folder is not None:
                    path = folder / assignment.file
                    task_writer.write(path, project, assignment, items)
                written_files.append(
                    WrittenAssignment(
                        assignment.assessor,
                        path,
                        len({item.topic for item in items}),
                        len(items),
                    )
                )
            warnings.extend(task_writer.warnings)
    except BaseException:
        for written_file in written_files if folder is not None else []:
            written_file.path.unlink(missing_ok=True)
        raise
    finally:
        if folder is not None:
            _make_pending_list_path(project, folder).unlink(missing_ok=True)
    notes = assignment_round.file_format.describe(file.path for file in written_files)
    return AssignmentReport(tuple(written_files), tuple(warnings), tuple(notes))


def _store_round(project: Project, assignment_round: AssignmentRound, creation_time: str) -> Round:
    """Store a round and its assessors, withdraw the replaced assignments, and return the round."""
    for replaced_assignment in assignment_round.replaced:
        project.assignments.withdraw(replaced_assignment.code)
    ensure_identity(project)
    stored_round = Round(
        len(project.assignments.rounds()) + 1,
        assignment_round.seed,
        assignment_round.options,
        creation_time,
    )
    project.assignments.add_round(stored_round)
    project.assignments.add_people(
        RegisteredAssessor(candidate.name, candidate.email)
        for candidate in assignment_round.assessors
    )
    return stored_round


def _make_assignments(
    project: Project,
    assignment_round: AssignmentRound,
    stored_round: Round,
    *,
    has_files: bool,
) -> tuple[list[tuple[Assignment, ItemsWithNotes]], list[str]]:
    """Return the assignments of a round with their items, and warnings; nothing is stored.

    If `has_files` is False, the names of the files are empty.
    """
    parts, warnings = _split_into_files(assignment_round)
    names = [""] * len(parts)
    if has_files:
        used_names = [
            assignment.file for assignment in project.assignments.all() if assignment.file
        ]
        suffix = assignment_round.file_format.suffix
        names = make_file_names([assessor for assessor, _ in parts], used_names, suffix)
    identity, version = compute_identity(project), project.rankings.pool_version()
    assignments = [
        (
            Assignment(
                0,
                compute_assignment_id(
                    identity, stored_round.number, assessor, [item for item, _ in entries]
                ),
                assessor,
                assignment_round.mode,
                version,
                assignment_round.deadline,
                file,
                stored_round.number,
                stored_round.made,
            ),
            entries,
        )
        for (assessor, entries), file in zip(parts, names, strict=True)
    ]
    return assignments, warnings


def _split_into_files(
    assignment_round: AssignmentRound,
) -> tuple[list[tuple[str, ItemsWithNotes]], list[str]]:
    """Return the assessor and the items of each file, and warnings.

    If the format limits the topics per file, an assessor can have several files.
    """
    parts: list[tuple[str, ItemsWithNotes]] = []
    warnings = list[str]()
    for assessor, assessor_items in assignment_round.shares.items():
        if not assessor_items:
            warnings.append(
                Message(
                    "{assessor} gets no items: there are fewer items than assessors.",
                    assessor=assessor,
                )
            )
        elif not assignment_round.file_format.max_topics:
            parts.append((assessor, assessor_items))
        else:
            topics = dict.fromkeys(item.topic for item, _ in assessor_items)
            max_topics = assignment_round.file_format.max_topics
            part_of_topic = {topic: index // max_topics for index, topic in enumerate(topics)}
            items_by_part = defaultdict[int, list[tuple[AssignedItem, OrganiserNote]]](list)
            for entry in assessor_items:
                items_by_part[part_of_topic[entry[0].topic]].append(entry)
            parts += [(assessor, items_by_part[part]) for part in sorted(items_by_part)]
    return parts, warnings


def _make_pending_list_path(project: Project, folder: Path) -> Path:
    """Return the path of a temporary list of the files that are being written for a round.

    If the process is killed, `_remove_pending_files` removes the listed files, since the project
    stores the round only after the files are written.
    """
    return folder / f".{project.path.name}.assigning"


def _write_pending_list(project: Project, folder: Path, files: Mapping[str, str]) -> None:
    """Write the list of files (assignment id by file name); call this before writing the files."""
    existing_name = next((name for name in files if (folder / name).exists()), None)
    if existing_name is not None:
        raise ProjectError(
            "{file} already exists. Choose another name; nothing was overwritten.",
            file=existing_name,
        )
    write_text_atomically(_make_pending_list_path(project, folder), json.dumps(files))


def _remove_pending_files(project: Project, folder: Path) -> None:
    """Remove the files of an interrupted round that the project did not store.

    Files that contain judgments are not removed.
    """
    remove_leftovers(folder)
    list_path = _make_pending_list_path(project, folder)
    if not list_path.is_file():
        return
    assignment_ids = {assignment.id for assignment in project.assignments.all()}
    try:
        files = dict(json.loads(list_path.read_text(encoding="utf-8")))
    except (ValueError, TypeError, OSError, RecursionError):
        files = {}
    for name, id in files.items():
        path = folder / str(name)
        if (
            isinstance(id, str)
            and Path(str(name)).name == name
            and id not in assignment_ids
            and path.is_file()
            and _is_untouched(path, id)
        ):
            path.unlink()
    list_path.unlink()


def _is_untouched(path: Path, id: str) -> bool:
    """Return whether a file belongs to assignment `id` and contains no judgments."""
    if not is_project(path):
        return id.encode() in path.read_bytes()
    try:
        with open_project(path, writing=False) as task:
            return task.get_setting(ASSIGNMENT_KEY) == id and not task.events.count()
    except ProjectError:
        return False


def compute_identity(project: Project) -> str:
    """Return the stored identity of a project; if there is none, a hash of its properties.

    The properties are title, seed and topics.
    """
    stored_identity = project.get_setting(PROJECT_KEY)
    if stored_identity:
        return stored_identity
    parts = [
        project.title.encode(),
        str(project.seed).encode(),
        *(topic.digest for topic in project.collection.topics()),
    ]
    return sha256(b"\0".join(parts)).hexdigest()


def ensure_identity(project: Project) -> str:
    """Return the identity of a project, and store it if it is not stored yet."""
    identity = compute_identity(project)
    if not project.get_setting(PROJECT_KEY):
        project.set_setting(PROJECT_KEY, identity)
    return identity

"""Workflow of a project: its stages, and the next stage to work on."""

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import date
from hashlib import sha256
from typing import Any, Literal

import numpy as np

from irjudge.exchange.work_status import list_assignment_files
from irjudge.judging import (
    QrelsChoice,
    build_extended_pool,
    build_vote_labels,
    count_adjudicated,
    find_pairs_to_adjudicate,
    list_excluded_assessors,
    list_pool_pairs,
    list_qrels_choices,
    list_qrels_rows,
    make_learning_queue,
)
from irjudge.message import Message, join_messages
from irjudge.model import Labels
from irjudge.progress import SILENT, Progress
from irjudge.store import ENDED, HOSTED_ELSEWHERE, PAUSED, Project

StageName = Literal[
    "runs",
    "pool",
    "assign",
    "judge",
    "merge",
    "session",
    "agreement",
    "decide",
    "qrels",
    "evaluate",
    "report",
    "preferences",
]
State = Literal["done", "now", "ahead"]
DONE_STAGES_KEY = "road"  # key of a setting: fingerprint of each stage that was marked as done
MAX_NAMES = 3  # maximum number of assessors with missing files who are listed by name
# Optional stages. If one of them is done, unfinished optional stages before it are skipped.
OPTIONAL_STAGES: tuple[StageName, ...] = ("agreement", "decide", "qrels", "evaluate", "report")
# Stages that are done only when they are marked as done
MARKED_STAGES: tuple[StageName, ...] = ("agreement", "qrels", "evaluate", "report")


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Status of a session that is running, paused or ending: progress and state.

    The numbers of judgments are known only while the session runs in this program.
    """

    participants: int = 0  # number of participants
    judged: int = 0  # number of judgments that count
    required: int = 0  # number of required judgments; 0 if unknown
    paused: bool = False  # whether the host paused the session
    # whether the session is in its norming rounds; if so, `judged` and `required` are about the
    # newest round
    rounds: bool = False
    # whether the host ended the session, but some open pages have not been notified yet
    is_ending: bool = False


@dataclass(frozen=True, slots=True)
class ProjectStatus:
    """Status of a project: the numbers and marks that determine its workflow.

    The numbers are those of runs, pooled and judged pairs, assessors, disagreements and assignment
    files. Some stages are marked as done when the user has viewed them; the fingerprints `votes`
    and `grades` determine whether these marks are still valid.
    """

    runs: int = 0
    # number of pairs in the newest pool, with the documents retrieved in other ways, such as search
    pooled: int = 0
    judged: int = 0  # number of judged pairs in the pool
    textless: int = 0  # number of unjudged pairs in the pool whose documents have no text
    # number of documents that active learning has yet to select, if there is no pool
    unselected: int = 0
    unassigned: int = 0  # number of unjudged, unassigned pairs in the pool that have a text
    own_judgments: int = 0  # number of the owner's judgments that count
    assessors: int = 0  # number of other assessors whose judgments count
    shared: int = 0  # number of pairs judged by two or more assessors
    disputed: int = 0  # number of pairs on which assessors disagree
    adjudicated: int = 0  # number of disagreements that were adjudicated
    files: int = 0  # number of assignment files, without withdrawn files
    returned: int = 0  # number of returned files that are completely judged or were submitted
    late: int = 0  # number of overdue files
    assessors_with_missing_files: tuple[str, ...] = ()  # names of the assessors with missing files
    has_only_comparisons: bool = False  # whether only comparisons were assigned
    qrels: int = 0  # number of pairs in the default qrels
    # newest session that has not ended, without sessions that another program hosts; None if there
    # is none
    session: OpenSession | None = None
    has_ended_session: bool = False  # whether a session with participants has ended
    votes: str = ""  # fingerprint of the judgments that count
    grades: str = ""  # fingerprint of the default qrels and the runs
    # stages that were marked as done (`mark_stage_done`) and have not changed since
    marked_stages: frozenset[StageName] = frozenset()

    @property
    def is_owner_only(self) -> bool:
        """Whether only the owner judges."""
        return bool(self.own_judgments) and not self.assessors and not self.files

    @property
    def judgeable(self) -> int:
        """Number of pairs in the newest pool that are judged or have a text to judge.

        Documents that active learning has yet to select are included.
        """
        return self.pooled - self.textless + self.unselected

    @property
    def is_started(self) -> bool:
        """Whether judging has started: there are judgments or assignment files."""
        return bool(self.own_judgments or self.assessors or self.files)

    @property
    def has_only_imported_qrels(self) -> bool:
        """Whether qrels were imported but nothing was judged, pooled or assigned."""
        return bool(self.qrels) and not self.is_started and not self.pooled and self.session is None

    @property
    def waiting(self) -> bool:
        """Whether judgments in files or in a session are outstanding."""
        return self.returned < self.files or self.session is not None

    @property
    def undecided_count(self) -> int:
        """Number of disagreements without adjudication."""
        return self.disputed - self.adjudicated


@dataclass(frozen=True, slots=True)
class Stage:
    """Stage of a workflow: its state, and how many of its items are done.

    `name` is, for example, `pool`, `judge` or `merge`; `state` is `done`, `now` or `ahead`. The
    numbers are 0 for stages that do not consist of items.
    """

    name: StageName
    state: State  # `done`, `now` (the current stage) or `ahead` (neither done nor current)
    done_count: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Workflow:
    """Content of the workflow bar: stages in order, the current stage, and what it still lacks.

    If all stages are done, `current_stage` is the last stage. `reason` is a sentence for users.
    Which stages a workflow has depends on the project.
    """

    stages: tuple[Stage, ...]
    current_stage: StageName
    reason: str


def make_workflow(status: ProjectStatus) -> Workflow:
    """Return the workflow of a project, which window, page and command line show."""
    stage_names = _list_stages(status)
    is_done_by_stage: dict[StageName, bool] = {
        "runs": status.runs > 0,
        "pool": status.pooled > 0,
        "assign": status.has_only_comparisons or (status.is_started and not status.unassigned),
        "judge": 0 < status.judgeable <= status.judged,
        "merge": 0 < status.files <= status.returned,
        "session": status.has_ended_session and status.session is None,
        "decide": 0 < status.disputed <= status.adjudicated,
    }
    done_stages = {
        name for name, is_done in is_done_by_stage.items() if is_done
    } | status.marked_stages
    current_stage = _find_next_stage(stage_names, done_stages, status)

    def state(name: StageName) -> State:
        if name == current_stage:
            return "now"
        return "done" if name in done_stages else "ahead"

    counts: dict[StageName, tuple[int, int]] = {
        "judge": (status.judged, status.judgeable),
        "merge": (status.returned, status.files),
        "session": (status.session.judged, status.session.required) if status.session else (0, 0),
        "decide": (status.adjudicated, status.disputed),
    }
    stages = tuple(Stage(name, state(name), *counts.get(name, (0, 0))) for name in stage_names)
    if current_stage is None:
        last_stage = stage_names[-1]
        return Workflow(
            stages,
            last_stage,
            Message(
                "Report created (graded pairs: {count:,}).",
                key="report-written",
                count=status.qrels,
            ),
        )
    return Workflow(stages, current_stage, _explain_stage(status, current_stage))


def _list_stages(status: ProjectStatus) -> tuple[StageName, ...]:
    runs: tuple[StageName, ...] = () if status.runs else ("runs",)
    if status.has_only_comparisons:
        return (*_list_collection_stages(status), "preferences")
    if status.has_only_imported_qrels:
        return (*runs, "evaluate", "report")
    if status.is_owner_only:
        return (*_list_pool_stages(status), "judge", *runs, "evaluate", "report")
    if not status.is_started and not status.pooled:
        return (*runs, *_list_pool_stages(status), "assign", "merge", *OPTIONAL_STAGES)
    return (
        *_list_pool_stages(status),
        *_list_collection_stages(status),
        *_list_agreement_stages(status),
        "qrels",
        *runs,
        "evaluate",
        "report",
    )


def _list_pool_stages(status: ProjectStatus) -> tuple[StageName, ...]:
    """Return the pooling stage, or nothing if there are judgments but no pool."""
    return ("pool",) if status.pooled or not status.is_started else ()


def _list_collection_stages(status: ProjectStatus) -> tuple[StageName, ...]:
    """Return the stages in which judgments are collected: session, files or both."""
    session_stage: tuple[StageName, ...] = (
        ("session",) if status.session or status.has_ended_session else ()
    )
    is_unassigned = (
        not status.session
        and not status.has_only_comparisons
        and (status.unassigned or not status.assessors)
    )
    return (*session_stage, "assign", "merge") if status.files or is_unassigned else session_stage


def _list_agreement_stages(status: ProjectStatus) -> tuple[StageName, ...]:
    """Return the stages of agreement and adjudication, if there are several assessors."""
    agreement_stage: tuple[StageName, ...] = (
        ("agreement",) if status.shared or status.waiting or not status.is_started else ()
    )
    return (
        (*agreement_stage, "decide")
        if status.disputed or status.waiting or not status.is_started
        else agreement_stage
    )


def _find_next_stage(
    stages: tuple[StageName, ...], done_stages: Collection[StageName], status: ProjectStatus
) -> StageName | None:
    """Return the next stage; None if all stages are done.

    The stages of an unfinished session and of missing files come first, then required stages, then
    optional stages.
    """
    if status.session is not None:
        return "session"
    if status.returned < status.files:
        return "merge"
    first_optional_index = next(
        (index for index, name in enumerate(stages) if name in OPTIONAL_STAGES), len(stages)
    )
    required_stage = next(
        (name for name in stages[:first_optional_index] if name not in done_stages), None
    )
    if required_stage is not None:
        return required_stage
    last_done_index = max(
        (index for index, name in enumerate(stages[first_optional_index:]) if name in done_stages),
        default=-1,
    )
    return next(
        (
            name
            for name in stages[first_optional_index + last_done_index + 1 :]
            if name not in done_stages
        ),
        None,
    )


def _explain_stage(status: ProjectStatus, stage: StageName) -> str:
    """Return a sentence that explains what a stage still lacks, and why it matters."""
    if stage == "merge":
        return _describe_missing_files(status)
    if status.session is not None and stage == "session":
        return _describe_session(status.session)
    if stage == "assign" and status.assessors + status.files:
        return Message(
            "Pairs of the pool that are neither judged nor assigned: {count:,}. Assign these "
            "pairs.",
            count=status.unassigned,
        )
    if stage == "evaluate" and not (
        status.is_owner_only or status.has_only_imported_qrels or status.shared
    ):
        return Message(
            "No document was judged by two assessors, so agreement cannot be computed. View "
            "the results.",
            key="no-shared-documents",
        )
    reasons: dict[StageName, str] = {
        "runs": Message(
            "There are no runs yet. Add the runs of your systems, or create one with the "
            "built-in search.",
            key="no-runs",
        ),
        "pool": Message(
            "There is no pool yet. The pool is the list of documents to judge, such as the top "
            "documents of every run.",
            key="no-pool",
        ),
        "assign": Message(
            "The pool has not been assigned yet (pairs: {count:,}). Assign it, or judge it "
            "yourself.",
            key="unassigned-pool",
            count=status.judgeable,
        ),
        "judge": Message(
            "Judged: {done:,} of {total:,}. Continue judging.",
            key="judging",
            done=status.judged,
            total=status.judgeable,
        ),
        "agreement": Message(
            "Pairs judged by at least two assessors: {count:,}. Check the agreement of the "
            "assessors.",
            key="shared-pairs",
            count=status.shared,
        ),
        "decide": Message(
            "Unresolved disagreements: {count:,}. The consensus rule resolves those that you "
            "do not adjudicate.",
            key="undecided",
            count=status.undecided_count,
        ),
        "qrels": Message(
            "Pairs with a grade: {count:,}. Export them as qrels.", count=status.qrels
        ),
        "evaluate": Message(
            "Graded documents: {count:,}. Evaluate the runs.", key="graded", count=status.qrels
        ),
        "report": Message(
            "Graded pairs: {count:,}. Create a report.",
            key="graded-pairs",
            count=status.qrels,
        ),
        "preferences": Message(
            "All assigned files have been returned. See which run is preferred.",
            key="preferences-back",
        ),
    }
    return reasons[stage]


def _describe_session(session: OpenSession) -> str:
    if not session.required:
        return Message("A session is running. Continue or end it.", key="session-open")
    counts = {"people": session.participants, "done": session.judged, "total": session.required}
    if session.is_ending:
        return Message(
            "The session has ended. Participants: {people:,}; judgments: {done:,} of {total:,}.",
            key="session-ended",
            **counts,
        )
    if session.rounds:
        return Message(
            "Norming rounds. Participants: {people:,}; judgments of the latest round: {done:,} of "
            "{total:,}.",
            **counts,
        )
    if session.judged >= session.required:
        return Message(
            "Participants in the session: {people:,}. All judgments are done ({total:,}). End "
            "the session.",
            key="session-complete",
            **counts,
        )
    if session.paused:
        return Message(
            "The session is paused. Participants: {people:,}; judgments: {done:,} of {total:,}.",
            key="session-paused",
            **counts,
        )
    return Message(
        "A session is running. Participants: {people:,}; judgments: {done:,} of {total:,}.",
        key="session-runs",
        **counts,
    )


def _describe_missing_files(status: ProjectStatus) -> str:
    names = join_messages(status.assessors_with_missing_files[:MAX_NAMES])
    remaining_count = len(status.assessors_with_missing_files) - MAX_NAMES
    names_text = (
        Message("{names} and {count:,} more", names=names, count=remaining_count)
        if remaining_count > 0
        else names
    )
    message = Message(
        "Files returned: {returned:,} of {total:,}. Waiting for {assessors}.",
        key="files-back",
        returned=status.returned,
        total=status.files,
        assessors=names_text,
    )
    return (
        Message(
            "{message} Overdue files: {overdue:,}.",
            key="files-overdue",
            message=message,
            overdue=status.late,
        )
        if status.late
        else message
    )


# Status


def mark_stage_done(project: Project, stage: StageName, status: ProjectStatus) -> ProjectStatus:
    """Mark a stage as done in its current state, and return the new status.

    The mark becomes invalid when the data of the stage change. For agreement, these are the
    judgments that count; for other stages, the default qrels and the runs. A stage without data is
    not marked.
    """
    state = _fingerprint_stage(status, stage)
    if state and stage not in status.marked_stages:
        project.set_setting(
            DONE_STAGES_KEY,
            json.dumps({**_read_done_stages(project), stage: state}, sort_keys=True),
        )
        return replace(status, marked_stages=status.marked_stages | {stage})
    return status


def _fingerprint_stage(status: ProjectStatus, stage: StageName) -> str:
    """Return a fingerprint of the data on which a stage depends; empty if there are no data."""
    if stage == "agreement":
        return status.votes if status.shared else ""
    return status.grades if status.qrels and (status.runs or stage == "qrels") else ""


def _read_done_stages(project: Project) -> dict[str, str]:
    # unreadable marks are ignored, since no error message is passed as an argument
    stored_marks: dict[str, Any] = project.read_json_setting(DONE_STAGES_KEY, {})
    return {name: str(state) for name, state in stored_marks.items()}


def read_project_status(
    project: Project, today: date, progress: Progress = SILENT
) -> ProjectStatus:
    """Return the status of a project; `today` determines which files are overdue."""
    participants = project.sessions.participants()  # participants of sessions have no files
    files = [row for row in list_assignment_files(project, today) if row.state != "withdrawn"]
    missing_files = [row for row in files if row.state != "returned"]
    labels = build_vote_labels(project, progress).latest()
    vote_counts = np.bincount(labels.item.astype(np.int64), minlength=len(labels.items))
    pairs = labels.pairs or ()
    judged_pairs = {pair for pair, votes in zip(pairs, vote_counts.tolist(), strict=True) if votes}
    adjudicated_count = count_adjudicated(project, find_pairs_to_adjudicate(project, labels))
    pooled_pairs = set(list_pool_pairs(build_extended_pool(project)))
    qrels_choices = list_qrels_choices(project)
    unjudged_pairs = pooled_pairs - judged_pairs
    textless_pairs = _select_textless(project, unjudged_pairs)
    owner_code = labels.workers.index(project.owner) if project.owner in labels.workers else -1
    status = ProjectStatus(
        runs=len(project.rankings.runs()),
        pooled=len(pooled_pairs),
        judged=len(pooled_pairs & judged_pairs),
        textless=len(textless_pairs),
        unselected=_count_unselected(project, pooled_pairs),
        unassigned=len(unjudged_pairs - textless_pairs - _list_assigned_pairs(project)),
        own_judgments=int((labels.worker == owner_code).sum()),
        assessors=len(set(labels.worker.tolist()) - {owner_code}),
        shared=int((vote_counts > 1).sum()),
        disputed=adjudicated_count.total,
        adjudicated=adjudicated_count.adjudicated,
        has_only_comparisons=bool(files or participants)
        and all(assignment.mode != "grade" for assignment in project.assignments.all()),
        qrels=qrels_choices[0].pair_count if qrels_choices else 0,
        files=len(files),
        returned=len(files) - len(missing_files),
        late=sum(row.late for row in missing_files),
        assessors_with_missing_files=tuple(dict.fromkeys(row.assessor for row in missing_files)),
        session=_find_open_session(project),
        has_ended_session=any(session.state == ENDED for session in project.sessions.all())
        and bool(participants),
        votes=_fingerprint_votes(labels),
        grades=_fingerprint_grades(project, qrels_choices[0]) if qrels_choices else "",
    )
    notes = _read_done_stages(project)
    return replace(
        status,
        marked_stages=frozenset(
            name
            for name in MARKED_STAGES
            if notes.get(name, "") and notes[name] == _fingerprint_stage(status, name)
        ),
    )


def _fingerprint_votes(labels: Labels) -> str:
    parts = (
        repr((labels.items, labels.workers)).encode(),
        labels.item.tobytes(),
        labels.worker.tobytes(),
        labels.label.tobytes(),
    )
    return sha256(b"".join(parts)).hexdigest()


def _fingerprint_grades(project: Project, choice: QrelsChoice) -> str:
    """Return a hash of the grades of qrels and of the runs.

    Imported qrels and runs are identified by name, since their content never changes.
    """
    rows = () if choice.source == "imported" else sorted(list_qrels_rows(project, choice))
    runs = sorted(run.name for run in project.rankings.runs())
    return sha256(repr((choice.name, choice.pair_count, rows, runs)).encode()).hexdigest()


def _find_open_session(project: Project) -> OpenSession | None:
    """Return the newest session that has not ended, according to the project file."""
    open_sessions = [
        session
        for session in project.sessions.all()
        if session.state != ENDED and HOSTED_ELSEWHERE not in session.terms
    ]
    return (
        OpenSession(
            _count_participants(project, open_sessions[-1].code),
            paused=open_sessions[-1].state == PAUSED,
        )
        if open_sessions
        else None
    )


def _count_participants(project: Project, session: int) -> int:
    """Return the number of participants who have joined or have events.

    A participant with several ids is counted once.
    """
    main_ids, active_assessors = project.sessions.first_ids(), set(project.events.assessors())
    return len(
        {
            main_ids.get(participant.id, participant.id)
            for participant in project.sessions.participants(session)
            if participant.name or participant.token or participant.id in active_assessors
        }
    )


def _select_textless(project: Project, pairs: Collection[tuple[str, str]]) -> set[tuple[str, str]]:
    """Return the pairs whose documents are in the newest pool and have no text."""
    documents_without_text = {*project.rankings.pooled_without_text()}
    return {pair for pair in pairs if pair[1] in documents_without_text}


def _count_unselected(project: Project, pooled_pairs: Collection[tuple[str, str]]) -> int:
    """Return the number of documents that active learning still has to show without a pool."""
    queue = make_learning_queue(project)
    if queue is None:
        return 0
    items = (item for topic in queue.topics for item in queue.topic_items(topic))
    return len(queue) - sum((item.topic, item.document) in pooled_pairs for item in items)


def _list_assigned_pairs(project: Project) -> set[tuple[str, str]]:
    """Return the pairs of open or returned assignments, without those of excluded assessors."""
    ended_sessions = project.sessions.ended_assignments()
    excluded_names = {assessor.name for assessor in list_excluded_assessors(project)}
    assignments = (
        assignment
        for assignment in project.assignments.all()
        if not assignment.withdrawn
        and assignment.mode == "grade"
        and assignment.code not in ended_sessions
        and assignment.assessor not in excluded_names
    )
    return {
        (item.topic, item.documents[0])
        for assignment in assignments
        for item in project.assignments.items(assignment.code)
    }

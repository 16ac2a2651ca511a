"""What an organiser does next: the stages from runs to a report, how far a project is in them, and the one action that comes now."""

from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

import numpy as np

from irjudge.exchange.outstanding import file_rows
from irjudge.judging.decisions import valid_decisions
from irjudge.judging.judged_qrels import choices
from irjudge.judging.settlement import voting_labels
from irjudge.message import Message, listed
from irjudge.model.labels import Labels
from irjudge.model.ranking import rows_to_topics
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project
from irjudge.store.sessions import ELSEWHERE, ENDED, PAUSED

StageName = Literal[
    "runs", "pool", "assign", "judge", "merge", "session", "agreement", "decide", "qrels", "evaluate", "report", "preferences"
]
State = Literal["done", "now", "ahead"]
MOST_NAMES = 3  # of assessors whose files are out

TOGETHER: tuple[StageName, ...] = ("pool", "assign", "merge", "agreement", "decide", "qrels", "evaluate", "report")
ALONE: tuple[StageName, ...] = ("pool", "judge", "evaluate", "report")
GATHERED: tuple[StageName, ...] = ("pool", "session", "agreement", "decide", "qrels", "evaluate", "report")
BROUGHT: tuple[StageName, ...] = ("evaluate", "report")  # qrels came along, and nobody has judged
COMPARING: tuple[StageName, ...] = ("assign", "merge", "preferences")
# Pages where values are looked at: what comes next there is to write them down.
RESULTS = frozenset({"evaluate", "explain", "figures", "live", "compare", "correlate", "rankings"})
WORK = frozenset({"collection", "browse", "assessors"})


@dataclass(frozen=True, slots=True)
class Gathering:
    """A session that has not ended.

    Parameters
    ----------
    people
        How many joined.
    judged, wanted
        Judgments that count, and those that are wanted; 0 wanted where nobody serves it now.
    paused
        Whether whoever leads stopped it for a while.
    """

    people: int = 0
    judged: int = 0
    wanted: int = 0
    paused: bool = False


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a project is.

    Parameters
    ----------
    runs
        How many.
    pooled, judged, unassigned
        Pairs of topic and document in the newest pool; how many of them somebody judged; how many nobody judged or has in a file.
    mine
        Judgments of the owner that count.
    assessors
        Others whose judgments count.
    shared, disputed, decided
        Pairs that two or more judged, on which they differ, and what of these the organiser decided.
    files, back, late
        Assignment files that were not withdrawn, how many came back whole, how many are overdue.
    out
        Whose files are not back.
    compares
        Whether only comparisons of two were handed out.
    qrels
        Pairs of the qrels used by default; 0 where there are none.
    session
        The one that has not ended; None where there is none.
    """

    runs: int = 0
    pooled: int = 0
    judged: int = 0
    unassigned: int = 0
    mine: int = 0
    assessors: int = 0
    shared: int = 0
    disputed: int = 0
    decided: int = 0
    files: int = 0
    back: int = 0
    late: int = 0
    out: tuple[str, ...] = ()
    compares: bool = False
    qrels: int = 0
    session: Gathering | None = None

    @property
    def alone(self) -> bool:
        """Whether the owner judges, and nobody else."""
        return bool(self.mine) and not self.assessors and not self.files

    @property
    def begun(self) -> bool:
        """Whether anybody has judged, or has a file to judge in."""
        return bool(self.mine or self.assessors or self.files)

    @property
    def undecided(self) -> int:
        """On how many pairs assessors differ that the organiser has not decided."""
        return self.disputed - self.decided


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage of the way: whether it is done, the one to work at now, or ahead; and of what is counted there how much is done."""

    name: StageName
    state: State
    done: int = 0
    total: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """What to do now.

    Parameters
    ----------
    stage
        The stage it belongs to.
    action
        What does it, as the window names it.
    why
        What is missing, in a sentence or two.
    other
        What can be done instead; empty where there is nothing.
    stages
        The whole way, in order.
    """

    stage: StageName
    action: str
    why: str
    other: str
    stages: tuple[Stage, ...]


def next_step(standing: Standing, here: str = "", *, exported: bool = False, reported: bool = False) -> Step:
    """Return the one action that comes next.

    What others wait for comes first, wherever one looks. Looking at agreement and at values is never done for good: it comes next on the
    pages before it.

    Parameters
    ----------
    standing
        How far the project is.
    here
        The page that asks, as the window names it.
    exported
        Whether the qrels were written since anything changed.
    reported
        Whether the workbook was.
    """
    stage = _stage(standing, here)
    if stage == "qrels" and exported:
        stage = "evaluate"
    action, other = ACTIONS[stage]
    if stage == "pool" and standing.qrels:
        other = "evaluate"  # who brought qrels along has values already
    stages, why = _stages(standing, stage), _why(standing, stage)
    if stage == "report" and reported:
        stages = *stages[:-1], replace(stages[-1], state="done")
        why = Message("The report is written. Its values rest on {count:,} graded pairs.", count=standing.qrels)
    return Step(stage, action, why, other, stages)


# What does a stage, and what can be done instead.
ACTIONS: dict[StageName, tuple[str, str]] = {
    "runs": ("add-runs", ""),
    "pool": ("build-pool", ""),
    "assign": ("assign", "judge"),
    "judge": ("judge", "assign"),
    "merge": ("merge", ""),
    "session": ("session", ""),
    "agreement": ("agreement", "export-qrels"),
    "decide": ("adjudicate", "evaluate"),
    "qrels": ("export-qrels", "evaluate"),
    "evaluate": ("evaluate", "export-qrels"),
    "report": ("workbook", "export-qrels"),
    "preferences": ("preferences", ""),
}


def _stage(standing: Standing, here: str) -> StageName:
    if here in RESULTS and standing.qrels and not standing.begun:
        return "report"  # who brought qrels along may want nothing judged
    if standing.session is not None:
        return "session"
    if not standing.pooled and not standing.begun:
        return "pool" if standing.runs else "runs"
    if standing.back < standing.files:
        return "merge"
    if standing.compares:
        return "preferences"
    if standing.alone:
        return "judge" if standing.judged < standing.pooled else "report" if here in RESULTS else "evaluate"
    if not standing.assessors or (standing.unassigned and here in WORK):
        return "assign"
    return _after_judging(standing, here)


def _after_judging(standing: Standing, here: str) -> StageName:
    if here in RESULTS:
        return "report"
    if here in ("agreement", "quality", "adjudicate"):
        return "decide" if standing.undecided else "qrels"
    return "agreement" if standing.shared else "evaluate"


def _stages(standing: Standing, now: StageName) -> tuple[Stage, ...]:
    way = GATHERED if now == "session" else COMPARING if standing.compares else ALONE if standing.alone else TOGETHER
    if now == "report" and not standing.begun:
        way = BROUGHT
    way = way if now in way else (now, *way)
    counts: dict[StageName, tuple[int, int]] = {
        "judge": (standing.judged, standing.pooled),
        "merge": (standing.back, standing.files),
        "session": (standing.session.judged, standing.session.wanted) if standing.session else (0, 0),
        "decide": (standing.decided, standing.disputed),
    }
    at = way.index(now)
    return tuple(
        Stage(name, "done" if place < at else "now" if place == at else "ahead", *counts.get(name, (0, 0)))
        for place, name in enumerate(way)
    )


def _why(standing: Standing, stage: StageName) -> str:
    """Return what is missing, and why it matters."""
    if stage == "merge":
        return _out(standing)
    if standing.session is not None and stage == "session":
        return _together(standing.session)
    if stage == "assign" and standing.assessors + standing.files:
        return Message("Pairs of the pool that nobody has judged or been given: {count:,}. Hand them out.", count=standing.unassigned)
    if stage == "evaluate" and not standing.alone and not standing.shared:
        return Message("No document was judged by two assessors, so agreement cannot be measured. Look at the values.")
    why: dict[StageName, str] = {
        "runs": Message("There are no runs yet. Add what each system retrieved."),
        "pool": Message("There is no pool yet. It is the list of documents to judge: the top of every run."),
        "assign": Message("Nobody has the pool yet (pairs: {count:,}). Hand it out, or judge it yourself.", count=standing.pooled),
        "judge": Message("Judged: {done:,} of {total:,}. Go on judging.", done=standing.judged, total=standing.pooled),
        "agreement": Message("Pairs that two or more judged: {count:,}. See how far they agree.", count=standing.shared),
        "decide": Message(
            "Assessors differ, and you have not decided: {count:,}. What you leave, the rule settles.", count=standing.undecided
        ),
        "qrels": Message("Pairs with a grade: {count:,}. Write them as qrels.", count=standing.qrels),
        "evaluate": Message("Pairs with a grade: {count:,}. See what the runs are worth.", count=standing.qrels),
        "report": Message("Values rest on {count:,} graded pairs. Write them down.", count=standing.qrels),
        "preferences": Message("What was handed out is back. See which run is preferred."),
    }
    return why[stage]


def _together(session: Gathering) -> str:
    if not session.wanted:
        return Message("A session has not ended. Go on with it, or end it.")
    counts = {"people": session.people, "done": session.judged, "total": session.wanted}
    if session.judged >= session.wanted:
        return Message("People in the session: {people:,}. All {total:,} judgments are there: end it.", **counts)
    if session.paused:
        return Message("The session is paused. People: {people:,}. Judgments: {done:,} of {total:,}.", **counts)
    return Message("People judge together: {people:,}. Judgments: {done:,} of {total:,}.", **counts)


def _out(standing: Standing) -> str:
    names = listed(standing.out[:MOST_NAMES])
    more = len(standing.out) - MOST_NAMES
    who = Message("{names} and {count:,} more", names=names, count=more) if more > 0 else names
    words = Message("Files back: {back:,} of {files:,}. Still out: {who}.", back=standing.back, files=standing.files, who=who)
    return Message("{words} Overdue: {late:,}.", words=words, late=standing.late) if standing.late else words


# Reading it


def standing_of(project: Project, today: date, progress: Progress = SILENT) -> Standing:
    """Return how far a project is.

    Raises
    ------
    ProjectError
        When an event or an assignment cannot be read.
    """
    people = project.sessions.people()  # who judged together has no file
    files = [row for row in file_rows(project, today) if row.state != "withdrawn"]
    waiting = [row for row in files if row.state != "returned"]
    labels = voting_labels(project, progress).latest()
    voted = np.bincount(labels.item, minlength=len(labels.items)) if len(labels) else np.zeros(0, dtype=np.int64)
    pairs = labels.pairs or ()
    judged = {pair for pair, votes in zip(pairs, voted.tolist(), strict=True) if votes}
    split = {pairs[item] for item in _split(labels)}
    pooled, offered = _pooled(project), choices(project)
    mine = labels.workers.index(project.owner) if project.owner in labels.workers else -1
    return Standing(
        runs=len(project.rankings.runs()),
        pooled=len(pooled),
        judged=len(pooled & judged),
        unassigned=len(pooled - judged - _assigned(project)),
        mine=int((labels.worker == mine).sum()),
        assessors=len(set(labels.worker.tolist()) - {mine}),
        shared=int((voted > 1).sum()),
        disputed=len(split),
        decided=len(split & valid_decisions(project).keys()),
        compares=bool(files or people) and all(each.mode != "grade" for each in project.assignments.all()),
        qrels=offered[0].rows if offered else 0,
        files=len(files),
        back=len(files) - len(waiting),
        late=sum(row.late for row in waiting),
        out=tuple(dict.fromkeys(row.assessor for row in waiting)),
        session=_gathering(project),
    )


def _gathering(project: Project) -> Gathering | None:
    """Return the session that has not ended, as far as the file tells of it."""
    begun = [each for each in project.sessions.all() if each.state != ENDED and ELSEWHERE not in each.terms]
    return Gathering(len(project.sessions.people(begun[-1].code)), paused=begun[-1].state == PAUSED) if begun else None


def _split(labels: Labels) -> list[int]:
    """Return the items on which votes differ."""
    lowest, highest = (np.full(len(labels.items), value) for value in (np.iinfo(np.int32).max, np.iinfo(np.int32).min))
    np.minimum.at(lowest, labels.item, labels.label)
    np.maximum.at(highest, labels.item, labels.label)
    return np.flatnonzero(lowest < highest).tolist()


def _pooled(project: Project) -> set[tuple[str, str]]:
    pool = project.rankings.pool()
    if pool is None:
        return set()
    return set(zip((pool.topics[code] for code in rows_to_topics(pool.starts).tolist()), pool.document.to_pylist(), strict=True))


def _assigned(project: Project) -> set[tuple[str, str]]:
    """Return the pairs that stand in somebody's file, or are given out in a session."""
    over = project.sessions.over()
    given = (each for each in project.assignments.all() if not each.withdrawn and each.mode == "grade" and each.code not in over)
    return {(item.topic, item.documents[0]) for each in given for item in project.assignments.items(each.code)}

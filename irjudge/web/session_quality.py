"""What whoever leads a session is told of the judgments while they come: known answers met, what stands out, and how far people agree."""

from dataclasses import dataclass

import numpy as np

from irjudge.judging.assignable_documents import gold_answers
from irjudge.judging.consensus import project_labels, voting_labels, wanted_in_sessions
from irjudge.judging.counted_assessors import people_aside
from irjudge.judging.judged_qrels import choices
from irjudge.judging.ledger import grades_in_force
from irjudge.model.labels import Labels
from irjudge.progress import SILENT, Progress
from irjudge.stats.agreement.estimates import AgreementEstimate, agreement
from irjudge.stats.assessor_quality import met_gold, verdicts
from irjudge.stats.sampling import Sampling
from irjudge.store.project import Project

LIVE_MEASURE = "nDCG@10"
LEAST_VOTES, LEAST_PEOPLE = (
    3,
    5,
)  # of a document that a class sees, and who take part: fewer would know what each of them said


@dataclass(frozen=True, slots=True)
class Notice:
    """What is known of one person."""

    # known answers that were met, and those that were asked
    met: int
    gold: int
    stands_out: tuple[
        str, ...
    ]  # A sentence for each thing that nobody who reads would do, such as answers faster than anybody can read


@dataclass(frozen=True, slots=True)
class Told:
    """What is known while people judge."""

    people: dict[
        str, Notice
    ]  # of everybody who graded documents, by id; all ids of a person have the same
    # krippendorff's alpha (ordinal) of all who joined and count, with its interval, as `agreement` has it; None where no two of them graded
    # the same document
    agreement: AgreementEstimate | None = None


def notices(project: Project, progress: Progress = SILENT) -> Told:
    """Return what is known of those who graded documents."""
    labels = project_labels(project, repeats=True, gold=gold_answers(project), progress=progress)
    gold, met = met_gold(labels.first_showings().latest())
    found = {}
    for place, (name, verdict) in enumerate(
        zip(labels.workers, verdicts(labels, progress=progress), strict=True)
    ):
        evidence = verdict.evidence if verdict.state == "stands out" else ()
        found[name] = Notice(int(met[place]), int(gold[place]), evidence)
    found |= {one: found[other] for one, other in project.sessions.same().items() if other in found}
    return Told(found, _agreement(project, progress))


def _agreement(project: Project, progress: Progress) -> AgreementEstimate | None:
    out = set(project.events.assessors()) - _counting(project)
    labels = voting_labels(project, progress, leave_out=out)
    (found,) = agreement(labels, ["alpha-ordinal"], sampling=Sampling(progress=progress))
    return found if found.used else None


@dataclass(frozen=True, slots=True)
class ClosedDocument:
    """A document that nobody is to judge any more, and what people said of it."""

    topic: str  # its words, or its id where it has none
    title: str  # likewise
    counts: tuple[
        tuple[int, str, int], ...
    ]  # each grade with its label, and how often it was given
    unjudgeable: int

    @property
    def votes(self) -> int:
        """How many judged it."""
        return self.unjudgeable + sum(count for *_, count in self.counts)


@dataclass(frozen=True, slots=True)
class LiveRun:
    """A run by the measure that is shown: its value now, and how low and high it can still be."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class LiveResults:
    """What a class may see while it judges: nothing of a document that is open, and nothing that tells what one person said."""

    document: (
        ClosedDocument | None
    )  # the one that was closed last; None where none is, or too few take part
    people: int  # how many take part
    agreement: AgreementEstimate | None
    measure: str
    runs: tuple[LiveRun, ...]  # the best first


def live_results(project: Project, progress: Progress = SILENT) -> LiveResults:
    """Return what a class may see of a session by now."""
    labels = project_labels(
        project, leave_out=set(project.events.assessors()) - _counting(project), progress=progress
    )
    people = len(set(labels.worker.tolist()))
    open_ones = set(wanted_in_sessions(project))
    votes = np.bincount(labels.item, minlength=len(labels.items))
    enough = [
        (item, pair)
        for item, pair in enumerate(labels.pairs or ())
        if votes[item] >= LEAST_VOTES and pair not in open_ones
    ]
    last = _judged_last(project, {pair for _, pair in enough}) if people >= LEAST_PEOPLE else None
    shown = next(
        (_closed(project, labels, item, pair) for item, pair in enough if pair == last), None
    )
    name, runs = _live_runs(project, progress)
    return LiveResults(shown, people, _agreement(project, progress), name, runs)


def _counting(project: Project) -> set[str]:
    return {person.id for person in project.sessions.people()} - {
        person.name for person in people_aside(project)
    }


def _judged_last(project: Project, pairs: set[tuple[str, str]]) -> tuple[str, str] | None:
    """Return which of some documents was judged last."""
    grades = (event for name in _counting(project) for event in grades_in_force(project, name))
    found = ((event.time, (event.item.topic, event.item.documents[0])) for event in grades)
    return max((each for each in found if each[1] in pairs), default=(None, None))[1]


def _closed(project: Project, labels: Labels, item: int, pair: tuple[str, str]) -> ClosedDocument:
    topic, document = pair
    given = labels.counts()[item].tolist()
    counts = tuple(
        (grade.value, grade.label, count)
        for grade, count in zip(project.scale.grades, given, strict=True)
    )
    titles = (
        project.collection.topic_titles().get(topic, ""),
        project.collection.titles([document]).get(document, ""),
    )
    return ClosedDocument(
        titles[0] or topic, titles[1] or document, counts, int(labels.unjudgeable()[item])
    )


def _live_runs(project: Project, progress: Progress) -> tuple[str, tuple[LiveRun, ...]]:
    """Return the runs by the measure that a class sees, the best first; none before there is a consensus."""
    from irjudge.evaluation.bounds import live_project  # noqa: PLC0415 -- scipy, which a session does without
    from irjudge.evaluation.table import parse_measures  # noqa: PLC0415

    settling = next((each for each in choices(project) if each.source == "consensus"), None)
    if settling is None or not project.rankings.runs():
        return LIVE_MEASURE, ()
    table = live_project(
        project, parse_measures([LIVE_MEASURE]), choice=settling, progress=progress
    )
    cells = ((run.run, table.cell(run, 0)) for run in table.runs)
    runs = (
        LiveRun(name, value, value if low is None else low, value if high is None else high)
        for name, (value, low, high) in cells
    )
    return LIVE_MEASURE, tuple(sorted(runs, key=lambda run: (-run.value, run.name)))

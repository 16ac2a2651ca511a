"""What whoever leads a session is told of the judgments while they come: known answers met, what stands out, and how far people agree."""

from dataclasses import dataclass

from irjudge.judging.labels import project_labels
from irjudge.judging.supply import gold_answers
from irjudge.judging.votes import people_aside
from irjudge.progress import SILENT, Progress
from irjudge.stats.agreement.estimates import AgreementEstimate, agreement
from irjudge.stats.quality import met_gold
from irjudge.stats.testing import Sampling
from irjudge.stats.verdicts import verdicts
from irjudge.store.project import Project

SAMPLES = 200  # of an interval that is found anew again and again


@dataclass(frozen=True, slots=True)
class Notice:
    """What is known of one person."""

    # known answers that were met, and those that were asked
    met: int
    gold: int
    stands_out: tuple[str, ...]  # A sentence for each thing that nobody who reads would do, such as answers faster than anybody can read


@dataclass(frozen=True, slots=True)
class Told:
    """What is known while people judge."""

    people: dict[str, Notice]  # of everybody who graded documents, by id; all ids of a person have the same
    # krippendorff's alpha (ordinal) of all who joined and count, with its interval, as `agreement` has it; None where no two of them graded
    # the same document
    agreement: AgreementEstimate | None = None


def notices(project: Project, progress: Progress = SILENT) -> Told:
    """Return what is known of those who graded documents."""
    labels = project_labels(project, repeats=True, gold=gold_answers(project), progress=progress)
    gold, met = met_gold(labels.first_showings().latest())
    found = {}
    for place, (name, verdict) in enumerate(zip(labels.workers, verdicts(labels, progress=progress), strict=True)):
        evidence = verdict.evidence if verdict.state == "stands out" else ()
        found[name] = Notice(int(met[place]), int(gold[place]), evidence)
    found |= {one: found[other] for one, other in project.sessions.same().items() if other in found}
    return Told(found, _agreement(project, progress))


def _agreement(project: Project, progress: Progress) -> AgreementEstimate | None:
    aside = {person.name for person in people_aside(project)}
    counting = {person.id for person in project.sessions.people()} - aside
    labels = project_labels(project, leave_out=set(project.events.assessors()) - counting, progress=progress)
    (found,) = agreement(labels, ["alpha-ordinal"], sampling=Sampling(SAMPLES, progress=progress))
    return found if found.used else None

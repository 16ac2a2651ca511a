"""What whoever leads a session is told of each person's judgments while they come: known answers met, and what stands out."""

from dataclasses import dataclass

from irjudge.exchange.assign import gold_answers
from irjudge.judging.labels import project_labels
from irjudge.progress import SILENT, Progress
from irjudge.stats.quality import met_gold
from irjudge.stats.verdicts import verdicts
from irjudge.store.project import Project


@dataclass(frozen=True, slots=True)
class Notice:
    """What is known of one person.

    Parameters
    ----------
    met, gold
        Known answers that were met, and those that were asked.
    stands_out
        A sentence for each thing that nobody who reads would do, such as answers faster than anybody can read.
    """

    met: int
    gold: int
    stands_out: tuple[str, ...]


def notices(project: Project, progress: Progress = SILENT) -> dict[str, Notice]:
    """Return what is known of everybody who graded documents, by id; all ids of a person have the same.

    Raises
    ------
    ProjectError
        When an event cannot be read.
    """
    labels = project_labels(project, repeats=True, gold=gold_answers(project), progress=progress)
    gold, met = met_gold(labels.first_showings().latest())
    found = {}
    for place, (name, verdict) in enumerate(zip(labels.workers, verdicts(labels, progress=progress), strict=True)):
        evidence = verdict.evidence if verdict.state == "stands out" else ()
        found[name] = Notice(int(met[place]), int(gold[place]), evidence)
    return found | {one: found[other] for one, other in project.sessions.same().items() if other in found}

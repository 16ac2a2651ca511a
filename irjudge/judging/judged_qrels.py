"""The qrels of a project: what its owner judged, or what was imported."""

from dataclasses import dataclass
from typing import Literal

from irjudge.errors import ProjectError
from irjudge.judging.ledger import Ledger, in_order
from irjudge.model.event import Event
from irjudge.model.ranking import UNJUDGEABLE, UNJUDGED, Qrels, make_qrels, rows_to_topics
from irjudge.store.project import Project

Source = Literal["judged", "imported"]


@dataclass(frozen=True, slots=True)
class QrelsChoice:
    """Qrels a project can offer: `judged` here, or imported under a name; how many rows, and a phrase for a list."""

    name: str
    source: Source
    rows: int


def judgments_in_force(project: Project, assessor: str | None = None) -> list[Event]:
    """Return each judgment that stands, of one assessor (by default the owner), in the order items were first judged."""
    ordered, _ = in_order(project.events.read(assessor or project.owner))
    return list(Ledger(ordered).judgments())


def grades_in_force(project: Project, assessor: str | None = None) -> list[Event]:
    """Return each judgment of a single document that stands: a preference between two is no grade."""
    return [event for event in judgments_in_force(project, assessor) if event.kind in ("grade", "unjudgeable")]


def judged_rows(project: Project, *, unjudged: bool = False) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of the owner's judgments, in pool order.

    Unjudgeable documents are -2. With `unjudged`, pooled documents that wait for a judgment are there too, as -1;
    otherwise they are left out: unjudged is never 0.
    """
    grade = {}
    for event in grades_in_force(project):
        value = event.payload["value"] if event.kind == "grade" else UNJUDGEABLE
        grade[event.item.topic, event.item.documents[0]] = int(value)
    pool = project.rankings.pool()
    pairs: list[tuple[str, str]] = []
    if pool:
        topics = [pool.topics[code] for code in rows_to_topics(pool.starts).tolist()]
        pairs = list(zip(topics, pool.document.to_pylist(), strict=True))
    order = list(dict.fromkeys(pairs + list(grade)))
    return [(*pair, grade.get(pair, UNJUDGED)) for pair in order if unjudged or pair in grade]


def choices(project: Project) -> list[QrelsChoice]:
    """Return the qrels a project can offer, the one used by default first: judged here, then imported."""
    judged = len(grades_in_force(project))
    mine = [QrelsChoice("judged here", "judged", judged)] if judged else []
    return mine + [QrelsChoice(stored.name, "imported", stored.rows) for stored in project.rankings.qrels_names()]


def project_qrels(project: Project, choice: QrelsChoice | None = None) -> Qrels:
    """Return the qrels of a project, by default its own judgments when there are any, else the first imported ones.

    Raises
    ------
    ProjectError
        When nothing is judged and nothing was imported.
    """
    offered = choices(project)
    if not offered:
        raise ProjectError("There are no qrels: nothing is judged yet and no qrels were imported.")
    chosen = choice or offered[0]
    return make_qrels(judged_rows(project)) if chosen.source == "judged" else project.rankings.qrels(chosen.name)


def qrels_rows(project: Project, choice: QrelsChoice | None = None) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of the qrels of a project; empty when it has none."""
    offered = choices(project)
    if not offered:
        return []
    chosen = choice or offered[0]
    if chosen.source == "judged":
        return judged_rows(project)
    return list(project.rankings.qrels(chosen.name).rows())

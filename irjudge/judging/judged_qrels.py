"""The qrels of a project: what its owner judged, or what was imported."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Literal

from irjudge.errors import ProjectError
from irjudge.judging.ledger import ledger_of
from irjudge.model.event import Event
from irjudge.model.pool import Pool, Undrawn
from irjudge.model.ranking import UNJUDGEABLE, UNJUDGED, Qrels, make_qrels, rows_to_topics
from irjudge.store.project import Project

Source = Literal["judged", "imported"]


@dataclass(frozen=True, slots=True)
class QrelsChoice:
    """Qrels a project can offer: `judged` here, or imported under a name; how many rows, and a phrase for a list."""

    name: str
    source: Source
    rows: int


def grades_in_force(project: Project, assessor: str | None = None) -> list[Event]:
    """Return each judgment of a single document that stands, of one assessor (by default the owner).

    They come in the order in which documents were first judged; a preference between two is no grade.
    """
    return [event for event in ledger_of(project, assessor).judgments() if event.kind in ("grade", "unjudgeable")]


def judged_rows(project: Project, *, unjudged: bool = False) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of the owner's judgments, in pool order.

    Unjudgeable documents are -2. With `unjudged`, pooled documents that wait for a judgment are there too, as -1, and so are those
    that a sampled pool left out by chance; otherwise they are left out: unjudged is never 0. A calibration document counts where it
    is pooled too.
    """
    pairs = _pooled(project)
    grade = _grades(project, pairs)
    order = list(dict.fromkeys([*pairs, *grade, *(_undrawn(project) if unjudged else ())]))
    return [(*pair, grade.get(pair, UNJUDGED)) for pair in order if unjudged or pair in grade]


def _pooled(project: Project) -> dict[tuple[str, str], None]:
    """Return the pairs of the newest pool, in its order."""
    pool = project.rankings.pool()
    return _pairs(pool.topics, pool) if pool else {}


def _undrawn(project: Project) -> dict[tuple[str, str], None]:
    """Return the pairs that chance kept out of the newest pool."""
    pool = project.rankings.pool()
    return _pairs(pool.topics, pool.undrawn) if pool else {}


def _pairs(topics: Sequence[str], rows: Pool | Undrawn) -> dict[tuple[str, str], None]:
    names = [topics[code] for code in rows_to_topics(rows.starts).tolist()]
    return dict.fromkeys(zip(names, rows.document.to_pylist(), strict=True))


def _grades(project: Project, pooled: Container[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """Return the owner's grade of each pair; a document judged only to calibrate the assessor is none of the result."""
    calibration = project.calibration
    grade = {}
    for event in grades_in_force(project):
        topic, document = event.item.topic, event.item.documents[0]
        if (topic, document) in pooled or document not in calibration.get(topic, ()):
            grade[topic, document] = int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE
    return grade


def choices(project: Project) -> list[QrelsChoice]:
    """Return the qrels a project can offer, the one used by default first: judged here, then imported."""
    judged = len(_grades(project, _pooled(project))) if project.calibration else len(grades_in_force(project))
    mine = [QrelsChoice("judged here", "judged", judged)] if judged else []
    return mine + [QrelsChoice(stored.name, "imported", stored.rows) for stored in project.rankings.qrels_names()]


def chosen_qrels(project: Project, name: str | None = None) -> QrelsChoice:
    """Return the qrels of a name, by default what was judged here when there is anything, else what was imported first.

    Raises
    ------
    ProjectError
        When there are none, or none of that name.
    """
    offered = {choice.name: choice for choice in choices(project)}
    if not offered:
        raise ProjectError("There are no qrels: nothing is judged yet and no qrels were imported.")
    if name is not None and name not in offered:
        raise ProjectError(f"There are no qrels called {name!r}; choose {', '.join(offered)}.")
    return offered[name] if name is not None else next(iter(offered.values()))


def project_qrels(project: Project, choice: QrelsChoice | None = None) -> Qrels:
    """Return the qrels of a project, by default those of `chosen_qrels`.

    Raises
    ------
    ProjectError
        When nothing is judged and nothing was imported.
    """
    chosen = choice or chosen_qrels(project)
    return make_qrels(judged_rows(project)) if chosen.source == "judged" else project.rankings.qrels(chosen.name)


def qrels_rows(project: Project, choice: QrelsChoice | None = None, *, unjudged: bool = False) -> list[tuple[str, str, int]]:
    """Return (topic, document, grade) of the qrels of a project, for writing; `unjudged` as for `judged_rows`.

    Raises
    ------
    ProjectError
        When nothing is judged and nothing was imported.
    """
    chosen = choice or chosen_qrels(project)
    return judged_rows(project, unjudged=unjudged) if chosen.source == "judged" else list(project.rankings.qrels(chosen.name).rows())

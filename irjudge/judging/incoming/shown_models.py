"""Which grades of models the program showed to whoever judges here: a judgment of such a pair says so from then on."""

import json
from collections.abc import Iterable

from irjudge.judging.ledger import grades_in_force
from irjudge.store.project import Project

Pair = tuple[str, str]
FACT = "models_shown"
SAW = "saw_models"  # what a judgment keeps: the models whose grades of this pair were shown before


def note_shown(project: Project, model: str, pairs: Iterable[Pair]) -> None:
    """Keep that a model's grades of pairs were shown to the owner of a project; who only reads cannot judge."""
    known = _shown(project)
    new = set(pairs) - known.get(model, set())
    if new and project.writing:
        known[model] = known.get(model, set()) | new
        project.set_fact(
            FACT,
            json.dumps({name: sorted(each) for name, each in known.items()}, ensure_ascii=False),
        )


def models_shown(project: Project, assessor: str, pair: Pair) -> tuple[str, ...]:
    """Return the models whose grades of a pair an assessor saw here; who judges in a file of their own, or in a browser, saw none."""
    if assessor != project.owner or not project.fact(FACT):
        return ()
    return tuple(sorted(name for name, pairs in project.derived(_shown).items() if pair in pairs))


def judged_seeing(project: Project, model: str) -> frozenset[Pair]:
    """Return the pairs whose judgment stands of somebody who had seen the model's grade."""
    if not project.fact(FACT):
        return frozenset()
    found = grades_in_force(project, project.owner)
    return frozenset(
        (event.item.topic, event.item.documents[0])
        for event in found
        if model in event.payload.get(SAW, ())
    )


def _shown(project: Project) -> dict[str, set[Pair]]:
    return project.kept_fact(
        FACT,
        {},
        "{file} does not say in a readable way which grades of models were shown ({fault}).",
        _read,
    )


def _read(said: dict[str, list[list[str]]]) -> dict[str, set[Pair]]:
    return {name: {(topic, document) for topic, document in pairs} for name, pairs in said.items()}

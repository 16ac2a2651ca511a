"""Judgments of models in the event log, and records of model grades shown to assessors."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from irjudge.errors import ProjectError
from irjudge.judging.ledger import Ledger, get_ledger, list_grades_in_force
from irjudge.message import Message
from irjudge.model import Event, ModelJudge, Pair
from irjudge.store import Project


@dataclass(frozen=True, slots=True)
class ModelJudgments:
    """Judgments of one model, from a log or a file: grades, repeated grades, unjudged pairs.

    They are the input of an audit of the model. A pair consists of a topic and a document.
    """

    # description of the model in its newest judgment; for a file, only name and version
    judge: ModelJudge
    grades: dict[Pair, int]  # last valid grade of each pair
    # all valid grades of each pair that has two or more, oldest first
    repeats: dict[Pair, tuple[int, ...]]
    unjudged: dict[Pair, str]  # reason for each pair with responses but without a valid grade

    @property
    def self_agreement(self) -> tuple[float, int]:
        """Agreement of the model with itself: mean share of equal grades, and number of pairs.

        Only pairs with at least two grades count. The share of a pair is the probability that two
        of its grades are equal. NaN if there are no such pairs.
        """
        shares = [_compute_share_of_equal_pairs(grades) for grades in self.repeats.values()]
        return (float(np.mean(shares)) if shares else float("nan")), len(shares)


def _compute_share_of_equal_pairs(grades: Sequence[int]) -> float:
    """Return the probability that two of the grades, chosen at random, are equal."""
    counts = np.unique(grades, return_counts=True)[1]
    return float((counts * (counts - 1)).sum() / (len(grades) * (len(grades) - 1)))


def read_model_judgments(project: Project, name: str) -> ModelJudgments:
    """Return the judgments of a model; raise ProjectError for an unknown model."""
    models = project.events.models()
    if name not in models:
        raise ProjectError(
            "There is no model {name!r} in the project; expected one of {names}.",
            name=name,
            names=", ".join(models) or Message("none"),
        )
    grades_by_repeat: dict[Pair, dict[int, int]] = {}
    reasons: dict[Pair, str] = {}
    judge = ModelJudge(name)
    ledger = get_ledger(project, name)
    for event in ledger.actions.undoable_events:
        judge = ModelJudge.from_payload(name, event.payload.get("model"))
        if event.kind == "skip":
            reasons[_get_pair(event)] = str(event.payload.get("reason", ""))
    grades = {}
    for event in _iter_grade_events(ledger):
        pair, grade = _get_pair(event), int(event.payload["value"])
        grades_by_repeat.setdefault(pair, {})[event.item.occurrence] = grade
        grades[pair] = grade
    repeats = {
        pair: tuple(answers.values())
        for pair, answers in grades_by_repeat.items()
        if len(answers) > 1
    }
    return ModelJudgments(
        judge,
        grades,
        repeats,
        {pair: reason for pair, reason in reasons.items() if pair not in grades},
    )


def _get_pair(event: Event) -> Pair:
    return event.item.topic, event.item.documents[0]


def _iter_grade_events(ledger: Ledger) -> Iterator[Event]:
    """Yield the events of a model's grades that are in force, oldest first."""
    for event in ledger.actions.undoable_events:
        if event.kind == "grade" and ledger.judgment(event.item.key) is event:
            yield event


def read_newest_grades(ledger: Ledger) -> dict[Pair, int]:
    """Return the newest grade that a model gave to each pair."""
    return {_get_pair(event): int(event.payload["value"]) for event in _iter_grade_events(ledger)}


# Models whose grades were shown to the owner. The owner's later judgments of the pairs record these
# models.

SETTING = "models_shown"
# payload key for the models whose grades of the pair had been shown to the assessor
SHOWN_MODELS_KEY = "saw_models"


def record_shown_grades(project: Project, model: str, pairs: Iterable[Pair]) -> None:
    """Record that a model's grades of pairs were shown to the owner.

    Nothing is recorded if the project is open read-only.
    """
    pairs_by_model = _read_shown_pairs(project)
    new_pairs = set(pairs) - pairs_by_model.get(model, set())
    if new_pairs and project.writing:
        pairs_by_model[model] = pairs_by_model.get(model, set()) | new_pairs
        project.set_setting(
            SETTING,
            json.dumps(
                {name: sorted(pairs) for name, pairs in pairs_by_model.items()}, ensure_ascii=False
            ),
        )


def list_models_shown(project: Project, assessor: str, pair: Pair) -> tuple[str, ...]:
    """Return the models whose grades of a pair have been shown to an assessor.

    Grades of models are shown only to the owner, not to assessors with files or in browsers.
    """
    if assessor != project.owner or not project.get_setting(SETTING):
        return ()
    return tuple(
        sorted(
            name
            for name, pairs in project.compute_cached(_read_shown_pairs).items()
            if pair in pairs
        )
    )


def find_influenced_pairs(project: Project, model: str) -> frozenset[Pair]:
    """Return the pairs that the owner judged after the model's grade had been shown."""
    if not project.get_setting(SETTING):
        return frozenset()
    judgments = list_grades_in_force(project, project.owner)
    return frozenset(
        (event.item.topic, event.item.documents[0])
        for event in judgments
        if model in event.payload.get(SHOWN_MODELS_KEY, ())
    )


def _read_shown_pairs(project: Project) -> dict[str, set[Pair]]:
    return project.read_json_setting(
        SETTING,
        {},
        "Cannot read the list of shown model grades in {file} ({error}).",
        _parse_shown_pairs,
    )


def _parse_shown_pairs(data: dict[str, list[list[str]]]) -> dict[str, set[Pair]]:
    return {name: {(topic, document) for topic, document in pairs} for name, pairs in data.items()}

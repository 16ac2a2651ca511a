"""Adjudication: what the organiser decided where assessors disagree, each decision an event that can be taken back."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import cast

from irjudge.errors import IrjudgeError
from irjudge.judging.ledger import Ledger, ledger_of
from irjudge.judging.recorder import Recorder, utc_now
from irjudge.model.document import Document
from irjudge.model.event import Event, Item
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.store.project import Project

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided of a document of a topic."""

    # ids
    topic: str
    document: str
    content: str  # SHA-256 (hex) of the text that was shown
    grade: int  # A grade of the scale, or `UNJUDGEABLE`
    why: str  # what the organiser wrote about it; may be empty
    time: str  # UTC, as events keep it

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic, self.document


def _decision(event: Event) -> Decision:
    said: Mapping[str, object] = event.payload
    grade = UNJUDGEABLE if said.get("unjudgeable") else int(str(said["value"]))
    return Decision(event.item.topic, event.item.documents[0], event.item.contents[0], grade, str(said.get("why", "")), event.time)


def decision_on(ledger: Ledger, pair: Pair) -> Decision | None:
    """Return the decision in force for a document of a topic; None where nothing is decided."""
    return next(map(_decision, ledger.decisions.in_force(pair)), None)


def decisions_in(ledger: Ledger) -> dict[Pair, Decision]:
    """Return every decision in force, in the order in which documents were first decided."""
    pairs = cast(Iterable[Pair], ledger.decisions.of)
    return {pair: decision for pair in pairs if (decision := decision_on(ledger, pair)) is not None}


def decisions_of(project: Project) -> dict[Pair, Decision]:
    """Return the decisions in force of the project's owner; nobody else's events decide anything."""
    return decisions_in(ledger_of(project))


def valid_decisions(project: Project) -> dict[Pair, Decision]:
    """Return the decisions in force that are of the text and of the scale that the project holds now."""
    found = decisions_of(project)
    current = project.collection.digests(list(dict.fromkeys(document for _, document in found)))
    grades = {*project.scale.values, UNJUDGEABLE}
    return {pair: each for pair, each in found.items() if each.grade in grades and each.content in ("", current.get(each.document, ""))}


class Adjudication(Recorder):
    """The organiser deciding, one document at a time, in the owner's one chain, in which the owner's judgments stand as well."""

    decides = True

    def __init__(self, project: Project, *, clock: Callable[[], str] = utc_now) -> None:
        super().__init__(project, clock=clock)

    def decision(self, pair: Pair) -> Decision | None:
        """Return the decision in force for a document of a topic; None where nothing is decided."""
        return decision_on(self.ledger, pair)

    def decide(self, topic: str, document: Document, grade: int, *, why: str = "", active_ms: int = 0) -> Event:
        """Decide the grade (or `UNJUDGEABLE`) of the document that was painted."""
        scale = self._project.scale
        if grade not in (*scale.values, UNJUDGEABLE):
            raise IrjudgeError("The scale has no grade {grade}; it has {values}.", grade=grade, values=", ".join(map(str, scale.values)))
        said = {"unjudgeable": True} if grade == UNJUDGEABLE else {"value": grade}
        item = Item(topic, (document.id,), (document.digest.hex(),))
        return self._record("adjudicate", item, {**said, "scale": scale.version, "why": why, "active_ms": active_ms})

    def follow(self) -> None:
        """Take in what was written since by others, such as decisions of a copy that was merged."""
        self._chain.follow()

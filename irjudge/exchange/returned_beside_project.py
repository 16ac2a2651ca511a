"""Compares a returned file with the project it goes into: what forbids taking it, what differs, and an account of its events."""

import json
from collections import Counter
from collections.abc import Set
from dataclasses import dataclass, field
from typing import Any

from irjudge.errors import IrjudgeError
from irjudge.exchange.believable_events import Sieve, slots_of
from irjudge.judging.preferences import rules_of
from irjudge.judging.submission import in_minutes
from irjudge.message import Message, counted
from irjudge.model.assignment import Assignment
from irjudge.model.scale import Scale
from irjudge.store.assignments import ASSESSOR, ASSIGNMENT, HANDED_IN, PROJECT, ROLE
from irjudge.store.events import LOSSES, losses_in, losses_in_words
from irjudge.store.project import Project
from irjudge.store.returned_file import Guest

PARTS = ("new", "identical", "superseded", "waiting", "rejected")


@dataclass(slots=True)
class Balance:
    """What became of the events of one returned file."""

    # the file's name, whose it is, the id of its assignment, its SHA-256 in hex; empty where they cannot be known
    file: str
    assessor: str = ""
    assignment: str = ""
    digest: str = ""
    read: int = 0  # events the file says it holds
    new: int = 0  # taken, and in force (or no judgment at all: notes, undone steps)
    identical: int = 0  # in the project already
    superseded: int = 0  # taken, and a later judgment of the same assessor stands in their place
    waiting: int = 0  # kept apart until the event before them comes
    reasons: Counter[str] = field(default_factory=Counter)  # why events were rejected, and how many
    remarks: list[str] = field(
        default_factory=list
    )  # what is remarkable about the file, a sentence each
    refused: str | None = None  # why nothing of the file was taken; None where something could be
    handed_in: str = ""  # when the assessor handed it in (UTC); empty where they did not

    @property
    def rejected(self) -> int:
        """How many events were not taken."""
        return self.reasons.total()

    @property
    def brought(self) -> bool:
        """Whether anything in the file was new to the project."""
        return bool(self.new or self.superseded or self.waiting)

    @property
    def adds_up(self) -> bool:
        """Whether every event that was read is accounted for."""
        return (
            self.read == self.new + self.identical + self.superseded + self.waiting + self.rejected
        )

    @property
    def sentences(self) -> list[str]:
        """What is to be said about the file, each with its name."""
        said = [self.refused] if self.refused else []
        if not self.refused:
            said += [
                Message(
                    "{number} not taken: {reason}.", number=counted(number, "event"), reason=reason
                )
                for reason, number in self.reasons.most_common()
            ]
        if self.waiting:
            said.append(
                Message(
                    "{waiting} kept until the event before comes.",
                    waiting=counted(self.waiting, "event"),
                )
            )
        return [
            sentence
            if sentence.startswith(self.file)
            else Message("{file}: {sentence}", file=self.file, sentence=sentence)
            for sentence in [*said, *self.remarks]
        ]

    def as_json(self) -> dict[str, Any]:
        """Return the sheet as the project keeps it."""
        numbers = {part: getattr(self, part) for part in ("read", *PARTS)}
        return {
            **numbers,
            "reasons": dict(self.reasons),
            "remarks": self.remarks,
            "refused": self.refused,
            "handed_in": self.handed_in,
        }


@dataclass(frozen=True, slots=True)
class ReturnedLog:
    """What is looked at of a returned log: the digests of its rows, and id and SHA-256 of the documents that its new events are about."""

    digests: Set[str]
    shown: Set[tuple[str, str]]


def refusal(project: Project, guest: Guest, assignment: Assignment | None) -> str | None:
    """Return why nothing of a file can be taken; None when it can."""
    name, facts = guest.path.name, guest.facts
    if not {ROLE, PROJECT, ASSIGNMENT} & facts.keys() and guest.damage:
        return Message(
            "{name} is so damaged that it does not say what it belongs to. Ask for it again.",
            name=name,
        )
    if facts.get(ROLE) != ASSESSOR:
        return Message(
            "{name} is a project of its own, expected a file that was made for an assessor.",
            key="not-an-assignment",
            name=name,
        )
    if facts.get(PROJECT) != project.fact(PROJECT):
        return Message(
            "{name} belongs to another project ({facts}).",
            key="another-project",
            name=name,
            facts=_short(facts.get("title", "?")),
        )
    if assignment is None:
        return Message(
            "{name} belongs to an assignment that this project does not know. Was the project set back to an older copy?",
            key="unknown-assignment",
            name=name,
        )
    people = {
        person.id: person.name for person in project.sessions.people()
    }  # whose pages show a name, and whose events an opaque id
    if facts.get("owner") not in (assignment.assessor, people.get(assignment.assessor)):
        return Message(
            "{name} was made for {assessor} and says that it is {facts}'s.",
            key="another-assessor",
            name=name,
            assessor=assignment.assessor,
            facts=_short(facts.get("owner", "nobody")),
        )
    return _other_scale(project, guest)


def _other_scale(project: Project, guest: Guest) -> str | None:
    scale = _scale(guest)
    if scale is None:
        return Message(
            "{file} does not say in a readable way on which scale it was judged.",
            file=guest.path.name,
        )
    if scale.values != project.scale.values:
        return Message(
            "{file} was judged with the grades {theirs}; the project's are {ours}.",
            file=guest.path.name,
            theirs=_listed(scale),
            ours=_listed(project.scale),
        )
    return None


def _scale(guest: Guest) -> Scale | None:
    try:
        return Scale.from_json(guest.facts.get("scale", ""))
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        IrjudgeError,
    ):
        return None


def _listed(scale: Scale) -> str:
    return ", ".join(map(str, scale.values))


def _short(text: str) -> str:
    return "".join(letter for letter in text[:60] if letter.isprintable())


def sieve_of(project: Project, guest: Guest, assignment: Assignment) -> Sieve:
    """Return what the events of a file that is not refused have to fit."""
    scale = _scale(guest)
    scales = frozenset({project.scale.version} | ({scale.version} if scale else set()))
    grading = assignment.mode == "side-by-side" and rules_of(project, assignment).grading
    slots = slots_of(project.assignments.items(assignment.code), grading=grading)
    return Sieve(assignment.assessor, slots, scales, frozenset(project.scale.values))


def differences(
    project: Project, guest: Guest, assignment: Assignment, log: ReturnedLog, balance: Balance
) -> None:
    """Add a remark to the balance for each thing in which file and project differ, and say whether it was handed in."""
    scale, version = _scale(guest), project.rankings.pool_version()
    if scale and scale.version != project.scale.version:
        balance.remarks.append(
            Message(
                "The grades are the project's, but their words are not: labels or help were changed since.",
                key="changed-labels",
            )
        )
    if assignment.mode == "grade" and assignment.pool != version:
        balance.remarks.append(
            Message(
                "It was assigned from pool {pool}; the project is at pool {version} by now.",
                key="older-pool",
                pool=assignment.pool,
                version=version,
            )
        )
    if assignment.withdrawn:
        balance.remarks.append(
            Message(
                "What was left of it had been given to others; what came back all the same is kept."
            )
        )
    known = {topic.id: topic.digest for topic in project.collection.topics()}
    topics = [topic for topic, digest in guest.topics.items() if known.get(topic, digest) != digest]
    if topics:
        balance.remarks.append(
            Message(
                "{topics} read otherwise than in the project (for example {first}).",
                key="changed-topics",
                topics=counted(len(topics), "topic"),
                first=_short(topics[0]),
            )
        )
    _say_texts(project, log.shown, balance)
    lost = losses_in(guest.facts.get(LOSSES, ""))
    if lost:
        balance.remarks.append(
            Message(
                "It was rescued from a damaged file, of which {losses_in_words} {rest} lost.",
                key="rescued-file",
                losses_in_words=losses_in_words(lost),
                rest="was" if sum(lost.values()) == 1 else "were",
            )
        )
    _say_handed_in(guest, log.digests, balance)


def _say_texts(project: Project, shown: Set[tuple[str, str]], balance: Balance) -> None:
    """Say which documents were judged in another text than the project holds."""
    current = project.collection.digests(sorted({name for name, _ in shown}))
    other = sorted({name for name, content in shown if current.get(name, "") != content})
    if other:
        said = Message(
            "{other} judged in another text than the project has now (for example {first})",
            other=counted(len(other), "document"),
            first=other[0],
        )
        balance.remarks.append(
            Message("{said}; these judgments are kept apart.", key="another-text", said=said)
        )


def _say_handed_in(guest: Guest, digests: Set[str], balance: Balance) -> None:
    try:
        fact = json.loads(guest.facts[HANDED_IN])
        when, head = in_minutes(str(fact["time"])), str(fact["head"])
    except (KeyError, ValueError, TypeError, RecursionError):
        taken = balance.read > balance.rejected + balance.waiting
        balance.remarks.append(
            Message(
                "It was not handed in yet; what is judged so far is taken.", key="not-handed-in"
            )
            if taken
            else Message("It was not handed in yet.")
        )
        return
    balance.handed_in = when
    if head not in digests:
        balance.remarks.append(
            Message(
                "It was handed in on {when} with another log: the head of that receipt is not in the file.",
                key="another-log",
                when=when,
            )
        )

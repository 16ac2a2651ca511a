"""Submission of finished work: missing judgments, checked file, receipt."""

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from irjudge.errors import ProjectError
from irjudge.judging.ledger import get_ledger
from irjudge.judging.session import JudgedCount
from irjudge.message import Message
from irjudge.model import ItemKey, Topic, active_ms, utc_now
from irjudge.progress import SILENT, Progress
from irjudge.store import SUBMISSION, Project

CODE_GROUPS, CODE_GROUP_LENGTH = (
    3,
    4,
)  # how much of the head is read aloud: 48 bits, enough to tell files apart by accident
MAX_REVIEWED_TOPICS = (
    100  # topics where work is left that are listed; more would make the dialog slow to open
)
CODE_CAVEAT = Message(
    "The code shows what was lost or changed by accident, not a log that somebody wrote anew."
)


class SubmittableWork(Protocol):
    """What can be handed in: a session that grades, or one that compares."""

    @property
    def assessor(self) -> str:
        """Who judges."""

    @property
    def project(self) -> Project:
        """The project that is judged."""

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics that have something to judge, in their order."""

    def topic(self, topic: str) -> Topic:
        """Return a topic."""

    def keys(self, topic: str) -> tuple[ItemKey, ...]:
        """Return the key of each item of a topic."""

    def count(self, topic: str | None = None) -> JudgedCount:
        """Return how much is judged, of one topic or of all."""


@dataclass(frozen=True, slots=True)
class TopicReview:
    """How one topic stands: documents by what was done with them, and the time spent on it."""

    # its id and title
    topic: str
    title: str
    # documents; those that cannot be judged are among the judged
    assigned: int
    judged: int
    unjudgeable: int
    # documents put off and not judged since; documents flagged
    skipped: int
    unsure: int
    drafts: int  # documents with a note that was typed and not kept
    active_ms: int  # milliseconds, on judgments that were taken back or changed too


@dataclass(frozen=True, slots=True)
class Review:
    """What would be handed in now, topic by topic in the order of the queue."""

    topics: tuple[TopicReview, ...]

    def total(self, field: str) -> int:
        """Return the sum of a field of `TopicReview` over all topics."""
        return sum(getattr(topic, field) for topic in self.topics)

    @property
    def complete(self) -> bool:
        """Whether every assigned document is judged and no note waits to be kept."""
        return self.total("judged") == self.total("assigned") and not self.total("drafts")


@dataclass(frozen=True, slots=True)
class Submission:
    """That work was handed in: when (UTC), with how many events and which head, and how many events came since."""

    time: str
    events: int
    head: str
    added: int
    changed: bool  # whether the log is another by now, so that its receipt no longer fits


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an assessor's log holds, short enough to compare by eye or over the phone."""

    # whose work, the project's title and the name of its file
    assessor: str
    title: str
    file: str
    handed_in: Submission | None  # when, and what changed since; None while it is not handed in
    # how many events the assessor's chain has, and the digest of the newest; empty when there is none
    events: int
    head: str
    topics: tuple[tuple[str, int, int], ...]  # (topic, judged, assigned) in the order of the queue

    @property
    def judged(self) -> int:
        """How many documents are judged."""
        return sum(judged for _, judged, _ in self.topics)

    @property
    def assigned(self) -> int:
        """How many documents are to be judged."""
        return sum(assigned for _, _, assigned in self.topics)

    @property
    def code(self) -> str:
        """The beginning of the head in groups, to be read aloud; `none` while there are no events."""
        return (
            " ".join(
                self.head[begin : begin + CODE_GROUP_LENGTH]
                for begin in range(0, CODE_GROUPS * CODE_GROUP_LENGTH, CODE_GROUP_LENGTH)
            )
            if self.head
            else "none"
        )

    @property
    def text(self) -> str:
        """The receipt as lines to save, print or read aloud."""
        lines = [
            Message("Receipt {code}", code=self.code),
            "",
            f"Assessor   {self.assessor}",
            f"Project    {self.title} ({self.file})",
            f"Handed in  {self._said()}",
            f"Judged     {self.judged:,} of {self.assigned:,}",
            *(
                f"           topic {topic}: {judged:,} of {assigned:,}"
                for topic, judged, assigned in self.topics
            ),
            f"Events     {self.events:,}",
            f"Head       {self.head or 'none'}",
            "",
            CODE_CAVEAT,
        ]
        return "\n".join(lines) + "\n"

    def _said(self) -> str:
        done = self.handed_in
        if done is None:
            return Message("not yet")
        when = format_minutes(done.time)
        if not done.changed:
            return when
        count = (
            Message("1 event was added")
            if done.added == 1
            else Message("{added:,} events were added", added=done.added)
        )
        return Message(
            "{when}; {count} since, so the receipt of then no longer fits",
            when=when,
            count=count if done.added > 0 else "the log was changed",
        )


def format_minutes(time: str) -> str:
    """Return a time of the log as a person reads it.

    >>> format_minutes("2026-03-01T09:05:07.123Z")
    '2026-03-01 09:05 UTC'
    """
    return datetime.fromisoformat(time).strftime("%Y-%m-%d %H:%M UTC")


def review_work(session: SubmittableWork) -> Review:
    """Return what would be handed in now and what is missing; nothing is written."""
    return Review(tuple(_review_topic(session, topic) for topic in session.topics))


def _review_topic(session: SubmittableWork, topic: str) -> TopicReview:
    ledger, count = get_ledger(session.project, session.assessor), session.count(topic)
    keys = [key for key in session.keys(topic) if ledger.touched(key)]
    judgments = [ledger.judgment(key) for key in keys]
    return TopicReview(
        topic=topic,
        title=session.topic(topic).title,
        assigned=count.assigned,
        judged=count.judged,
        unjudgeable=sum(
            judgment is not None and judgment.kind == "unjudgeable" for judgment in judgments
        ),
        skipped=sum(
            judgment is None and ledger.skipped(key)
            for key, judgment in zip(keys, judgments, strict=True)
        ),
        unsure=sum(ledger.marks(key).unsure for key in keys),
        drafts=sum(ledger.draft(key) is not None for key in keys),
        active_ms=sum(active_ms(event) for key in keys for event in ledger.history(key)),
    )


def submit_work(
    session: SubmittableWork, *, checked: bool = False, progress: Progress = SILENT
) -> Receipt:
    """Check the log, note in the project that the work is handed in, and return the receipt.

    `checked` says that the log was looked through just now, so that it need not be again. Work that is not complete can
    be handed in; `review_work` says what is missing. Judging on is possible and makes the receipt one of the past, which
    `read_submission` and every later receipt say.
    """
    project = session.project
    made = make_receipt(session, checked=checked, progress=progress)
    if not made.head:
        raise ProjectError(
            "There is nothing to hand in yet: nothing is judged.", key="nothing-judged"
        )
    fact = {"time": utc_now(), "events": made.events, "head": made.head}
    project.set_fact(_fact_name(project, session.assessor), json.dumps(fact))
    return make_receipt(session, checked=True)


def make_receipt(
    session: SubmittableWork, *, checked: bool = False, progress: Progress = SILENT
) -> Receipt:
    """Return the receipt of what an assessor's log holds now; nothing is written."""
    project = session.project
    faults = () if checked else project.verify_events(progress)
    if faults:
        raise ProjectError(
            "{file} cannot be handed in, since its log does not fit together. {faults}",
            key="broken-log",
            file=project.path.name,
            faults=" ".join(faults),
        )
    return Receipt(
        assessor=session.assessor,
        title=project.title,
        file=project.path.name,
        handed_in=read_submission(project, session.assessor),
        events=project.events.count(session.assessor),
        head=get_ledger(project, session.assessor).head or "",
        topics=tuple(
            (topic, (count := session.count(topic)).judged, count.assigned)
            for topic in session.topics
        ),
    )


def read_submission(project: Project, assessor: str | None = None) -> Submission | None:
    """Return when an assessor (by default the owner) handed in last, and what came since; None when never."""
    assessor = assessor or project.owner

    def read(data: dict[str, Any]) -> tuple[tuple[str, int, str], ...]:
        format_minutes(str(data["time"]))
        return ((str(data["time"]), int(data["events"]), str(data["head"])),)

    name = _fact_name(project, assessor)
    no: tuple[tuple[str, int, str], ...] = ()
    kept = project.kept_fact(
        name, no, "{file} says in a way nobody can read that it was handed in ({fault}).", read
    )
    if not kept:
        return None
    time, events, head = kept[0]
    added = project.events.count(assessor) - events
    return Submission(
        time, events, head, max(0, added), changed=get_ledger(project, assessor).head != head
    )


def _fact_name(project: Project, assessor: str) -> str:
    return SUBMISSION if assessor == project.owner else f"{SUBMISSION} {assessor}"

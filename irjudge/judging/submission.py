"""Submission of finished work: review of missing judgments, check of the log, and receipt."""

import json
from dataclasses import dataclass
from typing import Any, Protocol

from irjudge.errors import ProjectError
from irjudge.judging.ledger import get_ledger
from irjudge.judging.session import JudgedCount
from irjudge.message import SENTENCES, Message, join_messages
from irjudge.model import ItemKey, Topic, active_ms, format_minutes, utc_now
from irjudge.progress import SILENT, Progress
from irjudge.store import SUBMISSION_KEY, Project

# number and length of the groups of digits in a receipt code, which has 48 bits: enough to detect
# accidental differences
CODE_GROUPS, CODE_GROUP_LENGTH = 3, 4
# maximum number of incomplete topics that are listed, since a longer list makes the dialog slow
MAX_REVIEWED_TOPICS = 100
CODE_CAVEAT = Message(
    "The receipt code reveals accidental loss or changes, but not deliberate tampering."
)


class SubmittableWork(Protocol):
    """Protocol of a session whose work can be submitted: a judging or comparison session.

    The work returned to the organiser (`AssignedWork`) has the same properties, so that receipts
    can be compared.
    """

    @property
    def assessor(self) -> str:
        """Name of the assessor."""

    @property
    def project(self) -> Project:
        """Project that is judged."""

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with items to judge, in the order of presentation."""

    def topic(self, topic: str) -> Topic:
        """Return the topic with the given id."""

    def keys(self, topic: str) -> tuple[ItemKey, ...]:
        """Return the key of each item of a topic."""

    def count(self, topic: str | None = None) -> JudgedCount:
        """Return the numbers of items and of judged items, in one topic or in all topics."""


@dataclass(frozen=True, slots=True)
class TopicReview:
    """Table row of a review before submission: a topic's document counts and active time.

    In a comparison session, comparisons are counted instead of documents.
    """

    topic: str  # topic id
    title: str
    assigned: int  # number of documents to judge
    judged: int  # number of judged documents, including unjudgeable documents
    unjudgeable: int  # number of unjudgeable documents
    skipped: int  # number of documents skipped and not judged since
    unsure: int  # number of flagged documents
    drafts: int  # number of documents with an unsaved note
    active_ms: int  # active milliseconds, including those of judgments that were undone or changed


@dataclass(frozen=True, slots=True)
class SubmissionReview:
    """Review of an assessor's work before submission: a row for each topic, in queue order."""

    topics: tuple[TopicReview, ...]

    def total(self, field: str) -> int:
        """Return the sum of a field of `TopicReview` over all topics."""
        return sum(getattr(topic, field) for topic in self.topics)

    @property
    def complete(self) -> bool:
        """Whether every assigned document is judged and no note is unsaved."""
        return self.total("judged") == self.total("assigned") and not self.total("drafts")


@dataclass(frozen=True, slots=True)
class Submission:
    """Record of a submission: time (UTC), and state of the assessor's log at that time.

    All fields but `added` and `changed` are stored in the project.
    """

    time: str  # time of the submission, UTC
    events: int  # number of events at the submission
    head: str  # digest of the newest event at the submission
    added: int  # number of events added since the submission
    # whether the newest event now differs, so that the receipt no longer matches
    changed: bool


@dataclass(frozen=True, slots=True)
class Receipt:
    """Summary of an assessor's log, short enough to compare by eye or over the phone.

    It can be made before and after a submission. `code` consists of the first digits of the digest
    of the newest event, so that equal codes indicate equal logs; it is `none` without events.
    """

    assessor: str  # name of the assessor
    title: str  # title of the project
    file: str  # name of the project file
    submission: Submission | None  # the last submission; None if there is none
    events: int  # number of events
    head: str  # digest of the newest event; empty if there is none
    # (topic, number of judged documents or comparisons, number of assigned ones), in queue order
    topics: tuple[tuple[str, int, int], ...]

    @property
    def judged_count(self) -> int:
        """Number of judged documents."""
        return sum(judged_count for _, judged_count, _ in self.topics)

    @property
    def assigned_count(self) -> int:
        """Number of documents to judge."""
        return sum(assigned_count for _, _, assigned_count in self.topics)

    @property
    def code(self) -> str:
        """Code to read aloud: the first digits of the newest digest, in groups.

        The code is `none` if there are no events.
        """
        return (
            " ".join(
                self.head[start : start + CODE_GROUP_LENGTH]
                for start in range(0, CODE_GROUPS * CODE_GROUP_LENGTH, CODE_GROUP_LENGTH)
            )
            if self.head
            else "none"
        )

    @property
    def text(self) -> str:
        """Receipt as text, for saving, printing or reading aloud."""
        lines = [
            Message("Receipt {code}", code=self.code),
            "",
            f"Assessor   {self.assessor}",
            f"Project    {self.title} ({self.file})",
            f"Submitted  {self._describe_submission()}",
            f"Judged     {self.judged_count:,} of {self.assigned_count:,}",
            *(
                f"           topic {topic}: {judged_count:,} of {assigned_count:,}"
                for topic, judged_count, assigned_count in self.topics
            ),
            f"Events     {self.events:,}",
            f"Checksum   {self.head or 'none'}",
            "",
            CODE_CAVEAT,
        ]
        return "\n".join(lines) + "\n"

    def _describe_submission(self) -> str:
        submission = self.submission
        if submission is None:
            return Message("not yet")
        submission_time = format_minutes(submission.time)
        if not submission.changed:
            return submission_time
        count = (
            Message("1 event was added")
            if submission.added == 1
            else Message("{added:,} events were added", added=submission.added)
        )
        return Message(
            "{time}; {changes} since then, so the receipt no longer matches",
            time=submission_time,
            changes=count if submission.added > 0 else Message("the log was changed"),
        )


def review_work(session: SubmittableWork) -> SubmissionReview:
    """Return a review of the work of a session; nothing is written."""
    return SubmissionReview(tuple(_review_topic(session, topic) for topic in session.topics))


def _review_topic(session: SubmittableWork, topic: str) -> TopicReview:
    ledger, count = get_ledger(session.project, session.assessor), session.count(topic)
    keys = [key for key in session.keys(topic) if ledger.has_events(key)]
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
            judgment is None and ledger.is_skipped(key)
            for key, judgment in zip(keys, judgments, strict=True)
        ),
        unsure=sum(ledger.marks(key).unsure for key in keys),
        drafts=sum(ledger.marks(key).draft is not None for key in keys),
        active_ms=sum(active_ms(event) for key in keys for event in ledger.history(key)),
    )


def submit_work(
    session: SubmittableWork, *, is_checked: bool = False, progress: Progress = SILENT
) -> Receipt:
    """Check the log, record the submission in the project, and return the receipt.

    If `is_checked`, the log was already checked and is not checked again. Incomplete work can be
    submitted; see `review_work`. Judging can continue afterwards. Then the receipt no longer
    matches the log, which `read_submission` and later receipts report.
    """
    project = session.project
    new_receipt = make_receipt(session, is_checked=is_checked, progress=progress)
    if not new_receipt.head:
        raise ProjectError("Nothing to submit yet: nothing has been judged.", key="nothing-judged")
    record = {"time": utc_now(), "events": new_receipt.events, "head": new_receipt.head}
    project.set_setting(_make_setting_name(project, session.assessor), json.dumps(record))
    return make_receipt(session, is_checked=True)


def make_receipt(
    session: SubmittableWork, *, is_checked: bool = False, progress: Progress = SILENT
) -> Receipt:
    """Return a receipt of an assessor's current log; nothing is written."""
    project = session.project
    problems = () if is_checked else project.verify_events(progress)
    if problems:
        raise ProjectError(
            "Cannot submit {file}, because its log is inconsistent. {problems}",
            key="broken-log",
            file=project.path.name,
            problems=join_messages(problems, SENTENCES),
        )
    return Receipt(
        assessor=session.assessor,
        title=project.title,
        file=project.path.name,
        submission=read_submission(project, session.assessor),
        events=project.events.count(session.assessor),
        head=get_ledger(project, session.assessor).head or "",
        topics=tuple(
            (topic, (count := session.count(topic)).judged, count.assigned)
            for topic in session.topics
        ),
    )


def read_submission(project: Project, assessor: str | None = None) -> Submission | None:
    """Return the last submission of an assessor (by default the owner); None if there is none."""
    assessor = assessor or project.owner

    def read(data: dict[str, Any]) -> tuple[tuple[str, int, str], ...]:
        format_minutes(str(data["time"]))
        return ((str(data["time"]), int(data["events"]), str(data["head"])),)

    name = _make_setting_name(project, assessor)
    no_submission: tuple[tuple[str, int, str], ...] = ()
    stored_values = project.read_json_setting(
        name, no_submission, "Cannot read the submission record in {file} ({error}).", read
    )
    if not stored_values:
        return None
    time, events, head_digest = stored_values[0]
    added_count = project.events.count(assessor) - events
    return Submission(
        time,
        events,
        head_digest,
        max(0, added_count),
        changed=get_ledger(project, assessor).head != head_digest,
    )


def _make_setting_name(project: Project, assessor: str) -> str:
    return SUBMISSION_KEY if assessor == project.owner else f"{SUBMISSION_KEY} {assessor}"

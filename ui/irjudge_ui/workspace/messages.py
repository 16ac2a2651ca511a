"""Texts of judging pages: on actions, and messages shown instead of a document."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from PySide6.QtWidgets import QWidget

from irjudge.judging import (
    QueueItem,
    Session,
    SubmittableWork,
    TopicSummary,
    make_receipt,
    read_submission,
)
from irjudge.model import Event, format_minutes
from irjudge.store import OWNER_KEY
from irjudge_ui.messages import filled, join_list, join_sentences, translate, translate_message
from irjudge_ui.widgets import GradeBar, StatePage
from irjudge_ui.workspace.panels import format_duration
from irjudge_ui.workspace.submission import ReceiptView

Choice = tuple[str, str | Callable[[], None]]


@dataclass(frozen=True, slots=True)
class StateMessage:
    """Message that a page shows instead of its content, for example if no documents are left.

    Each choice is a label with an action id or a function, and is shown as a button. `picture` and
    `details` create widgets above and below the text. `page` creates the widget that shows the
    message.
    """

    title: str
    message: str
    choices: list[Choice] = field(default_factory=list)
    picture: Callable[[], QWidget] | None = None
    details: Callable[[], QWidget] | None = None

    def page(self, do: Callable[[str], None]) -> StatePage:
        """Create the page that shows the message; `do` is called with the id of an action."""

        calls = [
            (label, partial(do, choice) if isinstance(choice, str) else choice)
            for label, choice in self.choices
        ]
        return StatePage(
            self.title,
            self.message,
            calls,
            self.picture() if self.picture else None,
            self.details() if self.details else None,
        )


def waiting_state(
    reading: str, *, documents: bool = True, judge_without_runs: Callable[[], None] | None = None
) -> StateMessage:
    """Return the message shown if a project is read-only, or has no documents or no pool to judge.

    `reading` is why the project is read-only; empty if it is not. `documents` is whether there are
    documents. `judge_without_runs` begins judging without a pool; None if that is not possible.
    """
    if reading:
        message = join_sentences(
            reading, translate("JudgeWords", "You can still view values and export data.")
        )
        return StateMessage(
            translate("JudgeWords", "This project is open read-only"),
            message,
            [
                (translate("JudgeWords", "Try again"), "reopen"),
                (translate("JudgeWords", "Evaluate the runs"), "evaluate"),
            ],
        )
    if not documents:
        return StateMessage(
            translate("JudgeWords", "No documents yet"),
            translate(
                "JudgeWords",
                "Judging needs the texts of the documents. Evaluating runs with qrels does not.",
            ),
            [
                (translate("JudgeWords", "Add documents"), "browse"),
                (translate("JudgeWords", "Evaluate the runs"), "evaluate"),
            ],
        )
    message = translate(
        "JudgeWords",
        "A pool is the list of documents to judge for each topic, built from the runs.",
    )
    choices: list[Choice] = [(translate("JudgeWords", "Build a pool"), "collection")]
    if judge_without_runs:
        message = join_sentences(
            message,
            translate(
                "JudgeWords",
                "Without runs, active learning uses your grades to find documents to judge.",
            ),
        )
        choices.append((translate("JudgeWords", "Judge without runs"), judge_without_runs))
    return StateMessage(translate("JudgeWords", "Nothing to judge yet"), message, choices)


def topic_done_state(
    session: Session,
    topic: str,
    continue_judging: Callable[[], None],
    jump: Callable[[], None],
    undo: Callable[[], None],
) -> StateMessage:
    """Return the message shown after the last document of a topic, if other topics remain."""
    summary = session.summary(topic)
    name = session.topic(topic).title or topic
    remaining = filled(
        translate("JudgeWords", "Documents left: {documents_left}; topics: {topics_left}."),
        documents_left=f"{summary.documents_left:,}",
        topics_left=f"{summary.topics_left:,}",
    )
    seconds = session.seconds_left()
    if seconds is not None:
        remaining = join_sentences(
            remaining,
            filled(
                translate("JudgeWords", "About {duration} left at your pace."),
                duration=format_duration(seconds),
            ),
        )
    choices: list[Choice] = [
        (translate("JudgeWords", "Next topic"), continue_judging),
        (translate("JudgeWords", "Documents of this topic"), jump),
        (translate("JudgeWords", "Undo the last judgment"), undo),
    ]
    title = filled(translate("JudgeWords", "Topic done: {name}"), name=name)
    return StateMessage(
        title,
        _describe_numbers(summary) + "\n" + remaining,
        choices,
        lambda: _make_grade_bar(session, summary),
    )


def _describe_numbers(summary: TopicSummary) -> str:
    template = translate("JudgeWords", "Documents judged: {judged}, in {duration}.")
    if summary.median_ms is not None:
        template = translate(
            "JudgeWords", "Documents judged: {judged}, in {duration}, median time {half} s."
        )
    median_seconds = max(1, round((summary.median_ms or 0) / 1000))
    template = filled(
        template,
        judged=f"{summary.judged:,}",
        duration=format_duration(summary.active_ms / 1000),
        half=f"{median_seconds:,}",
    )
    marks = [
        filled(
            translate("JudgeWords", "Unjudgeable: {unjudgeable}."),
            unjudgeable=f"{summary.unjudgeable:,}",
        )
        if summary.unjudgeable
        else "",
        filled(translate("JudgeWords", "Unsure: {unsure}."), unsure=f"{summary.unsure:,}")
        if summary.unsure
        else "",
    ]
    return join_sentences(template, *marks)


def _make_grade_bar(session: Session, summary: TopicSummary) -> GradeBar:
    pieces = [
        (
            f"{grade.value} {translate_message(grade.label)}".strip(),
            summary.grades.get(grade.value, 0),
        )
        for grade in session.scale.grades
    ]
    return GradeBar(pieces)


def finished_state(
    session: Session, submit: Callable[[], None], jump: Callable[[], None]
) -> StateMessage:
    """Return the message shown if no documents are left to judge."""
    count, missing = session.count(), session.without_text
    if not count.assigned:
        message = translate(
            "JudgeWords",
            "None of the pooled documents (for example {document}) has a text in this project. "
            "Do the ids in the runs match the ids of the documents?",
        )
        message = filled(message, document=missing[0] if missing else "–")
        return StateMessage(
            translate("JudgeWords", "Nothing to judge"),
            message,
            [(translate("JudgeWords", "View the collection"), "collection")],
        )
    message = translate(
        "JudgeWords", "All judgments are saved. Documents judged: {judged}; topics: {topics}."
    )
    message = filled(message, judged=f"{count.judged:,}", topics=f"{len(session.queue.topics):,}")
    if missing:
        without_text = translate(
            "JudgeWords",
            "Pooled documents skipped because the project has no text for them: {count}.",
        )
        message = join_sentences(message, filled(without_text, count=f"{len(missing):,}"))
    evaluate_choice: Choice = (translate("JudgeWords", "Evaluate the runs"), "evaluate")
    submitted, is_outdated = describe_submission(session)
    message = f"{message}\n{submitted}" if submitted else message
    receipt = current_receipt(session)
    submit_choice: Choice = (submission_label(submitted), submit)
    browse_choice: Choice = (translate("JudgeWords", "Browse documents"), jump)
    if session.assessor != OWNER_KEY:  # assessors cannot evaluate runs: task files have none
        # unchanged work must not be submitted again by Enter, which presses the first button
        choices = (
            [browse_choice, submit_choice]
            if submitted and not is_outdated
            else [submit_choice, browse_choice]
        )
        return StateMessage(translate("JudgeWords", "All done"), message, choices, details=receipt)
    export_choice: Choice = (translate("JudgeWords", "Export qrels"), "export-qrels")
    return StateMessage(
        translate("JudgeWords", "All done"),
        message,
        [evaluate_choice, browse_choice, export_choice],
        details=receipt,
    )


def reason_label(reason: str) -> str:
    """Return the label of one of `UNJUDGEABLE_REASONS` in the user's language."""
    return {
        "broken": translate("JudgeWords", "broken"),
        "wrong language": translate("JudgeWords", "wrong language"),
        "spam": translate("JudgeWords", "spam"),
        "other": translate("JudgeWords", "other"),
    }[reason]


def describe_agreed_grade(session: Session, item: QueueItem) -> str:
    """Return a text that compares a judgment with the known grade of a calibration document.

    The text is empty for other documents, and before the document is judged.
    """
    agreed_grade, judgment = session.calibration(item), session.judgment(item)
    if agreed_grade is None or judgment is None:
        return ""
    label = next(
        (
            translate_message(grade.label)
            for grade in session.scale.grades
            if grade.value == agreed_grade
        ),
        "",
    )
    grade_given = judgment.payload.get("value")
    if grade_given is None or grade_given == agreed_grade:
        message = filled(
            translate("JudgeWords", "Known grade of {document}: {value} {label}"),
            document=item.document,
            value=agreed_grade,
            label=label,
        ).strip()
        return f"✓ {message}" if grade_given == agreed_grade else message
    template = translate("JudgeWords", "Known grade of {document}: {value}; your grade: {given}")
    return "⚠ " + filled(
        template, document=item.document, value=f"{agreed_grade} {label}".strip(), given=grade_given
    )


def submission_label(submitted: str) -> str:
    """Return the label of the submit button; `submitted` is empty before the first submission."""
    return (
        translate("JudgeWords", "Submit again") if submitted else translate("JudgeWords", "Submit")
    )


def describe_submission(session: SubmittableWork) -> tuple[str, bool]:
    """Return a text about the last submission, and whether the work has changed since then.

    The text is empty if the work has not been submitted.
    """
    submitted = read_submission(session.project, session.assessor)
    if submitted is None:
        return "", False
    if submitted.changed:
        return translate(
            "JudgeWords", "Changed since submission; submit again for a new receipt."
        ), True
    return filled(
        translate("JudgeWords", "Submitted {time}"), time=format_minutes(submitted.time)
    ), False


def current_receipt(session: SubmittableWork) -> Callable[[], QWidget] | None:
    """Return a function that creates a widget with the receipt of the last submission.

    Return None if there is no submission, or if the work has changed since then.
    """
    submitted, is_outdated = describe_submission(session)
    if not submitted or is_outdated:
        return None
    return lambda: ReceiptView(make_receipt(session, is_checked=True), session.project.path)


def describe_event(event: Event) -> str:
    """Return a description of a judging action: the document, and what was done."""
    document = event.item.documents[0]
    if event.kind == "grade":
        return filled(
            translate("JudgeWords", "{document}, grade {value}"),
            document=document,
            value=str(event.payload["value"]),
        )
    labels = {
        "skip": translate("JudgeWords", "skipped"),
        "unjudgeable": translate("JudgeWords", "unjudgeable"),
        "unsure": translate("JudgeWords", "unsure"),
        "note": translate("JudgeWords", "a note"),
        "rationale": translate("JudgeWords", "a reason"),
    }
    return join_list((document, labels[event.kind]))


def describe_deadline(deadline: str, today: datetime) -> str:
    """Return a text that states when work is due, or since when it is overdue."""
    is_late = deadline[:10] < f"{today:%Y-%m-%d}"
    return filled(
        translate("JudgeWords", "overdue since {deadline}")
        if is_late
        else translate("JudgeWords", "due {deadline}"),
        deadline=deadline,
    )

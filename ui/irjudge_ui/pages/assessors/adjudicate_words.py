"""What the adjudication page says: where there is no document on the desk, why one is listed, and the columns of its list."""

from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from irjudge.judging.disputes import Dispute
from irjudge.judging.settlement import Decision
from irjudge.model.ranking import UNJUDGEABLE
from irjudge_ui.desk.messages import State
from irjudge_ui.models.tables import Column
from irjudge_ui.words import filled

translate = QCoreApplication.translate


def looking() -> State:
    """Return what is shown while votes are compared."""
    words = translate("Adjudicate", "The votes on every document are compared.")
    return State(translate("Adjudicate", "Looking for disagreement …"), words)


def nothing() -> State:
    """Return what is shown where assessors agree, or have judged nothing in common."""
    words = translate(
        "Adjudicate",
        "Here stand the documents that two assessors or more have judged differently, those that matter most first.",
    )
    return State(
        translate("Adjudicate", "Nothing to decide"),
        words,
        [
            (translate("Adjudicate", "How far they agree"), "agreement"),
            (translate("Adjudicate", "Hand out the pool"), "assessors"),
        ],
    )


def all_decided(queue: Sequence[Dispute], look: Callable[[], None]) -> State:
    """Return what is shown when every document is decided."""
    words = translate(
        "Adjudicate", "All is decided, and every decision is on disk. The consensus follows them. Pairs of topic and document: %1."
    )
    return State(
        translate("Adjudicate", "All decided"),
        filled(words, f"{len(queue):,}"),
        [
            (translate("Adjudicate", "Evaluate the runs"), "evaluate"),
            (translate("Adjudicate", "Look through the decisions"), look),
            (translate("Adjudicate", "Export qrels"), "export-qrels"),
        ],
    )


def why_listed(dispute: Dispute) -> str:
    """Return why a document is listed: its votes, and where they are all the same what else it is."""
    said = _votes_in_words([vote.grade for vote in dispute.votes])
    if dispute.split:
        return said
    if dispute.weight:
        return filled(translate("Adjudicate", "%1; the rules differ"), said)
    return filled(translate("Adjudicate", "%1; it was decided"), said)


def _votes_in_words(grades: Sequence[int]) -> str:
    """Return how many votes there are and for what, such as `3 votes: 2 × 0 and 3`."""
    if not grades:
        return translate("Adjudicate", "No votes that count")
    times = Counter(sorted(grades, key=lambda grade: (grade == UNJUDGEABLE, grade)))
    names = {grade: translate("Adjudicate", "cannot be judged") if grade == UNJUDGEABLE else str(grade) for grade in times}
    *first, last = (names[grade] if count == 1 else f"{count} × {names[grade]}" for grade, count in times.items())
    listed = filled(translate("Adjudicate", "%1 and %2"), ", ".join(first), last) if first else last
    words = translate("Adjudicate", "1 vote: %2") if len(grades) == 1 else translate("Adjudicate", "%1 votes: %2")
    return filled(words, str(len(grades)), listed)


def list_columns(decision_on: Callable[[Dispute], Decision | None]) -> list[Column]:
    """Return the document with its topic, and what was decided."""

    def mark(dispute: Dispute) -> str:
        decision = decision_on(dispute)
        if decision is None:
            return ""
        return "✕" if decision.grade == UNJUDGEABLE else str(decision.grade)

    return [
        Column(translate("Adjudicate", "Topic and document"), lambda each: f"{each.topic} · {each.document}"),
        Column(translate("Adjudicate", "Grade"), mark, number=True, help=translate("Adjudicate", "The grade that was decided")),
    ]

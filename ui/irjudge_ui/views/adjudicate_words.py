"""What the adjudication page says where there is no document on the desk, and the columns of its list."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from irjudge.judging.deciding import Decision
from irjudge.judging.disputes import Dispute
from irjudge.model.ranking import UNJUDGEABLE
from irjudge_ui.models.tables import Column
from irjudge_ui.views.judge_words import State

translate = QCoreApplication.translate


def looking() -> State:
    """Return what is shown while rules are compared."""
    words = translate("Adjudicate", "Rules of consensus are compared on every document.")
    return State(translate("Adjudicate", "Looking for disagreement …"), words)


def nothing() -> State:
    """Return what is shown where the rules agree, or have too few votes to disagree on."""
    words = translate(
        "Adjudicate",
        "Here stand the documents on which the rules of consensus disagree, once two assessors or more have judged the same documents "
        "differently.",
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
    words = translate("Adjudicate", "All is decided, and every decision is on disk. The consensus follows them. Documents: %1.")
    return State(
        translate("Adjudicate", "All decided"),
        words.replace("%1", f"{len(queue):,}"),
        [
            (translate("Adjudicate", "Evaluate the runs"), "evaluate"),
            (translate("Adjudicate", "Look through the decisions"), look),
            (translate("Adjudicate", "Export qrels"), "export-qrels"),
        ],
    )


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

"""What the comparison page says: of an action, of what is missing, and when all is compared."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from irjudge.judging.side_by_side import SideBySide
from irjudge.model.event import Event
from irjudge_ui.desk.words import Choice, State, hand_in_label, handed_in_words
from irjudge_ui.words import filled, sentences

translate = QCoreApplication.translate


def said(event: Event) -> str:
    """Return what an action said."""
    if event.kind == "skip":
        return translate("PanelWords", "skipped for now")
    if event.kind == "grade":
        return filled(translate("PanelWords", "grade %1"), str(event.payload["value"]))
    much = event.payload.get("strength") == 2
    words = {
        "left": translate("PanelWords", "left much better") if much else translate("PanelWords", "left better"),
        "right": translate("PanelWords", "right much better") if much else translate("PanelWords", "right better"),
        "tie": translate("PanelWords", "about equal"),
    }
    return words.get(str(event.payload.get("winner")), "")


def sides_in_words(missing: Sequence[str]) -> str:
    """Return what must still be looked at before one may be preferred."""
    if len(missing) > 1:
        return translate("PanelWords", "Scroll both sides to their end, or open a result of each, first.")
    if missing[0] == "left":
        return translate("PanelWords", "Scroll the left side to its end, or open a result of it, first.")
    return translate("PanelWords", "Scroll the right side to its end, or open a result of it, first.")


def done_state(session: SideBySide, hand_in: Callable[[], None], design: Callable[[], None]) -> State:
    """Return what is said when nothing is left to compare. Who won is not said: assessors are blind, and so is who compares for oneself."""
    count = session.count()
    words = translate("PanelWords", "Every comparison is on disk. Made: %1; topics: %2.")
    words = filled(words, f"{count.judged:,}", f"{len(session.queue.topics):,}")
    if same := session.identical():
        alike = filled(translate("PanelWords", "Recorded as identical and not shown: %1."), f"{same:,}")
        words = sentences(words, alike)
    if session.without_text:
        left_out = translate("PanelWords", "Documents without a text, whose comparisons are left out: %1.")
        words = sentences(words, filled(left_out, f"{len(session.without_text):,}"))
    done = handed_in_words(session)[0]
    words = sentences(words, done) if done else words
    close: Choice = (hand_in_label(done), hand_in)
    another: Choice = (translate("PanelWords", "Compare more"), design)
    own = session.project.assignments.own() is not None
    return State(translate("PanelWords", "All compared"), words, [close] if own else [another])

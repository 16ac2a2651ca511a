"""The parts of the adjudication page and what it says: what is decided, how, every vote, and its states."""

from collections import Counter
from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from irjudge.judging.consensus import AdjudicationCount, Decision, Dispute, RuleVerdict, Vote
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.model.scale import Scale
from irjudge.stats.consensus.rules import UNJUDGEABLE_WORD
from irjudge_ui.actions import KEYS
from irjudge_ui.messages import filled, in_language
from irjudge_ui.models.tables import Column
from irjudge_ui.widgets.grades import GradeButtons, GradeLabel
from irjudge_ui.widgets.layout import (
    Flow,
    button,
    card,
    clear,
    column,
    row,
    scrolling,
    text,
    together,
)
from irjudge_ui.widgets.status import Meter
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_XS, zoomed
from irjudge_ui.workspace.action_list import ActionList
from irjudge_ui.workspace.keyboard import grade_cap
from irjudge_ui.workspace.messages import State, reason_in_words
from irjudge_ui.workspace.panels import NoteField

AROUND_GRADES = 90  # pixels of the page, at the normal zoom, that are not theirs
VOTES_HEIGHT = 300  # at most; votes with long notes scroll
SHORT_LIST = ("cannot-decide", "put-off", "why", "hide-names", "undo-decision")
translate = QCoreApplication.translate


class DecisionPanel(QWidget):
    """The grades with their keys, the reason, the progress, and what was saved last."""

    chosen = Signal(int)
    asked = Signal(str)  # an action of the page, by its id

    def __init__(self) -> None:
        super().__init__()
        self.buttons: GradeButtons | None = None
        self._flat = False  # whether the grades stand side by side
        self._grades_box = QVBoxLayout()
        self.why = NoteField()
        self.why.setPlaceholderText(self.tr("Why (is kept with the decision)"))
        self.why.setAccessibleName(self.tr("Why"))
        actions = ActionList(SHORT_LIST)
        actions.asked.connect(self.asked)
        self._meter = Meter(self.tr("Decided"))
        self._agreed = text("", "quiet")
        self._agreed.hide()
        self._message = text("", "small")
        self._message.setAccessibleName(self.tr("Last action"))
        self._again = button(self.tr("Try again"), "primary")
        self._again.clicked.connect(lambda: self.asked.emit("save-decision"))
        self._again.hide()
        self._asks, self._above = text(self.tr("Which grade is right?"), "heading"), QVBoxLayout()
        self.grades = card(self._asks, self._above, self._grades_box, self.why, spacing=SPACE_M)
        self._progress = column(self._meter, self._agreed, self._message, row(None, self._again))
        progress = card(self._progress)
        self._whole = column(self.grades, card(actions), progress, spacing=SPACE_M)
        self._whole.setStretchFactor(progress, 1)
        self.setLayout(self._whole)
        KEYS.changed.connect(self._show_keys)

    def take_grades(self) -> None:
        """Have the grades at the top, one below another, with their question."""
        self._whole.insertWidget(0, self.grades)
        self._flatten(flat=False)

    def give_grades(self, below: QBoxLayout, votes: QWidget, width: int) -> None:
        """Let the grades stand elsewhere, side by side where the width allows it, with the votes above them."""
        self._above.addWidget(votes)
        below.addWidget(self.grades)
        made = list(self.buttons.buttons.values()) if self.buttons else []
        self._flatten(
            flat=sum(each.sizeHint().width() for each in made) + zoomed(AROUND_GRADES) <= width
        )

    def _flatten(self, *, flat: bool) -> None:
        self._asks.setVisible(self._whole.indexOf(self.grades) >= 0)
        self._flat = flat
        if self.buttons:
            self.buttons.set_row(flat)

    def add(self, line: QWidget, table: QWidget) -> None:
        """Show the list of what there is to decide below the progress, in the room that is left, and above it the line that filters it."""
        self._progress.addWidget(line)
        self._progress.addWidget(table, 1)

    def set_scale(self, scale: Scale) -> None:
        """Show the grades of a scale."""
        if self.buttons:
            self._grades_box.removeWidget(self.buttons)
            self.buttons.deleteLater()
        self.buttons = GradeButtons(
            [(grade.value, in_language(grade.label)) for grade in scale.grades]
        )
        self.buttons.chosen.connect(self.chosen)
        self.buttons.set_row(self._flat)
        self._grades_box.addWidget(self.buttons)
        before: QWidget = self
        for made in reversed(self.buttons.buttons.values()):  # as they stand, from the top
            QWidget.setTabOrder(before, made)
            before = made
        QWidget.setTabOrder(before, self.why)
        self._show_keys()

    def _show_keys(self) -> None:
        if self.buttons:
            self.buttons.show_keys({grade: grade_cap(grade) for grade in self.buttons.buttons})

    def show_decision(self, decision: Decision | None, count: AdjudicationCount) -> None:
        """Show what was decided of the document, if anything was, and how much is decided in all."""
        self._meter.show_count(count.adjudicated, count.total)
        self.why.setText(decision.why if decision else "")
        if self.buttons:
            self.buttons.show_given(decision.grade if decision else None)

    def show_agreed(self, count: int) -> None:
        """Show on how many listed documents the assessors agree; the count is of the others."""
        words = self.tr("Not counted: {count} where only a rule differs.")
        self._agreed.setText(filled(words, count=f"{count:,}"))
        self._agreed.setVisible(bool(count))

    def show_hint(self, words: str) -> None:
        """Say what was saved, and how it is taken back."""
        self._say(words, "small")

    def show_ignored(self, words: str) -> None:
        """Say that a key did nothing."""
        self._say("⚠ " + words, "warning")

    def show_problem(self, words: str, *, again: bool = False) -> None:
        """Say what went wrong; with `again` it can be tried once more."""
        self._say("✕ " + words, "error")
        self._again.setVisible(again)

    def message(self) -> str:
        """Return what was said last."""
        return self._message.text()

    def _say(self, words: str, style: str) -> None:
        self._again.hide()
        self._message.setText(words)
        self._message.setObjectName(style)
        self._message.style().polish(self._message)


class VotesPanel(QWidget):
    """Every vote with what was marked beside it, and what the rules of consensus make of them."""

    def __init__(self) -> None:
        super().__init__()
        self.hidden = False
        self.called: dict[str, str] = {}  # names of people of sessions
        self._dispute: Dispute | None = None
        self._scale: Scale | None = None
        self._votes_box, self._rules_box = QVBoxLayout(), QVBoxLayout()
        self._votes_box.setSpacing(SPACE_M)
        self._votes = QWidget()
        self._votes.setLayout(column(self._votes_box, None))
        self._area = scrolling(self._votes, "inset", name=self.tr("Votes"))
        about = text(self.tr("What the rules make of it"), "heading")
        self.why = text("", "small")
        self.why.setAccessibleName(self.tr("Why it is listed"))
        said = card(text(self.tr("What the assessors said"), "heading"), self.why, self._area)
        said.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.strip, self._line = QWidget(), Flow(())
        self.strip.setAccessibleName(self.tr("Votes in short"))
        self.strip.setLayout(self._line)
        whole = column(said, card(about, self._rules_box), None, spacing=SPACE_L)
        self.setLayout(whole)

    def show_dispute(self, dispute: Dispute, scale: Scale) -> None:
        """Show the votes on a document."""
        self._dispute, self._scale = dispute, scale
        self.why.setText(why_listed(dispute))
        clear(self._votes_box)
        for place, vote in enumerate(dispute.votes):
            made = self._vote(place, vote, scale)
            self._votes_box.addWidget(made)
            made.show()  # now, for the height that all need together
        clear(self._line)
        for place, vote in enumerate(dispute.votes):
            self._line.addWidget(
                together(
                    text(self._name(place, vote), "strong", wrap=False),
                    grade_chip(vote.grade, scale, vote.reason),
                )
            )
        clear(self._rules_box)
        for verdict in dispute.verdicts:
            self._rules_box.addWidget(_rule(verdict, scale))
        self._fit()

    def _fit(self) -> None:
        """Give the votes the height they need, as far as there is room for the rules below them."""
        inside = self._votes.layout()
        if inside:
            needed = max(
                inside.heightForWidth(self._area.viewport().width()), inside.minimumSize().height()
            )
            self._area.setFixedHeight(min(needed, zoomed(VOTES_HEIGHT)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the notes anew."""
        super().resizeEvent(event)
        self._fit()

    def hide_names(self, hidden: bool) -> None:
        """Call the assessors by number, or by name."""
        self.hidden = hidden
        if self._dispute and self._scale:
            self.show_dispute(self._dispute, self._scale)

    def names(self) -> list[str]:
        """Return what the assessors are called now."""
        return (
            [self._name(place, vote) for place, vote in enumerate(self._dispute.votes)]
            if self._dispute
            else []
        )

    def _name(self, place: int, vote: Vote) -> str:
        return (
            filled(self.tr("Assessor {place}"), place=str(place + 1))
            if self.hidden
            else self.called.get(vote.assessor, vote.assessor)
        )

    def _vote(self, place: int, vote: Vote, scale: Scale) -> QWidget:
        parts: list[QWidget] = []
        if vote.unsure:
            parts.append(text(self.tr("⚑ unsure"), "warning"))
        if vote.note:
            parts.append(text(vote.note))
        parts += [text(f"“{words}”", "quiet") for words in vote.rationales]
        said = QWidget()
        head = row(
            text(self._name(place, vote), "strong"), grade_chip(vote.grade, scale, vote.reason)
        )
        said.setLayout(column(head, *parts, spacing=SPACE_XS))
        return said


def grade_chip(grade: int, scale: Scale, reason: str = "") -> GradeLabel:
    """Return the chip of a grade, or of one who could not judge."""
    if grade == UNJUDGEABLE:
        words = translate("Adjudicate", "cannot be judged")
        return GradeLabel("✕", None, f"{words} ({reason_in_words(reason)})" if reason else words)
    place = scale.values.index(grade) if grade in scale.values else 0
    return GradeLabel(
        str(grade),
        (place, len(scale.values) - 1),
        in_language(scale.grades[place].label) or str(grade),
    )


def _rule(verdict: RuleVerdict, scale: Scale) -> QWidget:
    """Return what a rule says; why stands below."""
    number = verdict.grade
    if number == UNJUDGEABLE_WORD:
        chip = grade_chip(UNJUDGEABLE, scale)
    elif number.isdecimal():
        chip = grade_chip(int(number), scale)
    else:  # a mean
        chip = GradeLabel(number, _nearest(float(number), scale.values), number)
    said = QWidget()
    title, why = in_language(verdict.rule), in_language(verdict.reason)
    said.setLayout(column(row(text(title), chip), text(why, "small"), spacing=SPACE_XS))
    return said


def _nearest(value: float, values: Sequence[int]) -> tuple[int, int]:
    return min(range(len(values)), key=lambda place: abs(values[place] - value)), len(values) - 1


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


def all_decided(count: AdjudicationCount, look: Callable[[], None]) -> State:
    """Return what is shown when every document is decided."""
    words = translate(
        "Adjudicate",
        "All is decided, and every decision is on disk. The consensus follows them. Pairs of topic and document: {total}.",
    )
    return State(
        translate("Adjudicate", "All decided"),
        filled(words, total=f"{count.total:,}"),
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
        return filled(translate("Adjudicate", "{text}; the rules differ"), text=said)
    return filled(translate("Adjudicate", "{text}; it was decided"), text=said)


def _votes_in_words(grades: Sequence[int]) -> str:
    """Return how many votes there are and for what, such as `3 votes: 2 × 0 and 3`."""
    if not grades:
        return translate("Adjudicate", "No votes that count")
    times = Counter(sorted(grades, key=lambda grade: (grade == UNJUDGEABLE, grade)))
    names = {
        grade: translate("Adjudicate", "cannot be judged") if grade == UNJUDGEABLE else str(grade)
        for grade in times
    }
    *first, last = (
        names[grade] if count == 1 else f"{count} × {names[grade]}"
        for grade, count in times.items()
    )
    listed = (
        filled(translate("Adjudicate", "{first} and {second}"), first=", ".join(first), second=last)
        if first
        else last
    )
    words = (
        translate("Adjudicate", "1 vote: {listed}")
        if len(grades) == 1
        else translate("Adjudicate", "{count} votes: {listed}")
    )
    return filled(words, count=str(len(grades)), listed=listed)


def list_columns(
    decision_on: Callable[[Dispute], Decision | None], called: Callable[[Dispute], tuple[str, str]]
) -> list[Column]:
    """Return the document with its topic, as the two are `called`, and what was decided."""

    def mark(dispute: Dispute) -> str:
        decision = decision_on(dispute)
        if decision is None:
            return ""
        return "✕" if decision.grade == UNJUDGEABLE else str(decision.grade)

    return [
        Column(
            translate("Adjudicate", "Document and topic"),
            lambda each: " · ".join(
                reversed(called(each))
            ),  # where there is little room the document's name stays
            also=lambda each: f"{each.topic} · {each.document}",
        ),
        Column(
            translate("Adjudicate", "Grade"),
            mark,
            number=True,
            help=translate("Adjudicate", "The grade that was decided"),
        ),
    ]

"""Topic panel, grade panel with notes, and their layout around the document."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from irjudge.judging import Marks, PresentedDocument, Session
from irjudge.model import Scale, Topic
from irjudge.text import Term, TermHit
from irjudge_ui.actions import KEYS, bind_key_cap
from irjudge_ui.messages import escape_markup, filled, translate_message
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_S,
    SPACE_XL,
    SPACE_XS,
    FixedHeightLabel,
    GradeButtons,
    Meter,
    card,
    column,
    label_height,
    make_button,
    make_label,
    row,
    scale_length,
    scrolling,
)
from irjudge_ui.workspace.action_list import ActionRow, KeyStrip
from irjudge_ui.workspace.highlights import HighlightsCard
from irjudge_ui.workspace.keyboard import grade_key_text

# Annotations of a judgment: unsure flag, note, rationales.

DRAFT_MS = 700  # after this pause in typing the draft is saved


MAX_SHOWN_REASONS = 3  # reasons
MAX_REASON_LENGTH = 80  # maximum number of characters shown of each


class NoteField(QLineEdit):
    """Line edit; `left` is emitted on Escape."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class MarksCard(QWidget):
    """Note field and other marks of a document.

    `typed` is emitted when typing pauses, `kept` on Enter, `left` on Escape; unsaved text stays in
    the field as a draft.
    """

    kept = Signal(str)
    typed = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._marked = make_label("", "small")
        self.note = NoteField()
        self.note.setPlaceholderText(self.tr("Note"))
        self.note.setAccessibleName(self.tr("Note"))
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(DRAFT_MS)
        self._pause.timeout.connect(self._tell_typed)
        self.note.returnPressed.connect(lambda: self.kept.emit(self.note.text()))
        self.note.textEdited.connect(lambda _text: self._pause.start())
        self.note.left.connect(self._leave)
        self._saved = ""
        self.used = False  # whether the document has any mark
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(card(self.note, self._marked))

    def show_marks(self, marks: Marks) -> None:
        """Show the stored marks; a draft left by a crash is restored."""
        self._pause.stop()
        self._saved = marks.note
        self.used = bool(marks.note or marks.draft or marks.unsure or marks.rationales)
        self.note.setText(marks.note if marks.draft is None else marks.draft)
        parts = [self.tr("⚑ unsure")] if marks.unsure else []
        if marks.draft is not None:
            parts.append(self.tr("Unsaved note. Press Enter to save."))
        parts += [
            f"“{_shorten_reason(rationale.text)}”"
            for rationale in marks.rationales[-MAX_SHOWN_REASONS:]
        ]
        if len(marks.rationales) > MAX_SHOWN_REASONS:
            parts.append(
                filled(self.tr("Rationales saved: {count}"), count=f"{len(marks.rationales):,}")
            )
        self._marked.setText("\n".join(parts))
        self._marked.setVisible(bool(parts))

    def _tell_typed(self) -> None:
        if self.isEnabled():
            self.typed.emit(self.note.text())
        else:  # a job that blocks the page has exclusive use of the project's connection
            self._pause.start()

    def _leave(self) -> None:
        if self.unsaved_note() is not None:
            self._pause.stop()
            self._tell_typed()
        self.left.emit()

    def unsaved_note(self) -> str | None:
        """The unsaved text of the note; None if there is none."""
        return self.note.text() if self.note.text() != self._saved else None


def _shorten_reason(text: str) -> str:
    """Return the beginning of a rationale as one line."""
    line = " ".join(text.split())
    return line if len(line) <= MAX_REASON_LENGTH else line[: MAX_REASON_LENGTH - 1] + "…"


# Panels around the document: topic, and grades with keys and progress

PANEL_WIDTH = 264
LARGE = 150  # per cent
MESSAGE_LINES = 2  # lines of the message, so that cards do not move with its length
# maximum height above the document, in pixels and as a share of the window
TOPIC_HEIGHT, TALL_TOPIC_HEIGHT = (132, 1 / 4), (240, 1 / 3)
translate = QCoreApplication.translate


class TopicPanel(QWidget):
    """Topic of the current document, always visible."""

    def __init__(self) -> None:
        super().__init__()
        self._position, self._calibration_note = make_label("", "small"), make_label("", "small")
        self.title = make_label("", "heading")
        self._description = make_label()
        self._fold = make_button(self.tr("Hide narrative"), "link")
        self._narrative = make_label("", "quiet")
        self._fold.clicked.connect(self._switch_narrative)
        for label in (self.title, self._description, self._narrative):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        inside = QWidget()
        self._labels = column(
            self._position,
            self._calibration_note,
            self.title,
            self._description,
            self._fold,
            self._narrative,
        )
        inside.setLayout(self._labels)
        self._area = scrolling(inside, "inset", name=self.tr("Topic"))
        self._card = card(self._area)
        self._wide, self._limit = True, TOPIC_HEIGHT
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._card)
        self.highlights = HighlightsCard()
        self.highlights.hide()
        box.addWidget(self.highlights)
        box.addStretch(1)

    def show_hits(
        self, terms: Sequence[Term], hits: Sequence[TermHit], *, more: bool = False
    ) -> None:
        """Show the term counts; in a low window they are only marked in the text."""
        self.highlights.show_hits(terms, hits, more=more)
        self.highlights.setVisible(self._wide)
        self._hug()

    def show_topic(
        self, topic: Topic, topics: Sequence[str], *, fresh: bool = False, calibrates: bool = False
    ) -> None:
        """Show a topic and its position; a new topic is emphasised so that it is noticed.

        `calibrates` marks a calibration document, which is explained if there is space, otherwise
        in a tooltip.
        """
        style = "fresh" if fresh else "heading"
        if self.title.objectName() != style:
            self.title.setObjectName(style)
            self.title.style().polish(self.title)
        label = self._position_label(
            topic, str(topics.index(topic.id) + 1 if topic.id in topics else 0), str(len(topics))
        )
        note = self.tr("The agreed grade is shown after you grade.") if calibrates else ""
        self._position.setText(
            filled(self.tr("{text} · calibration"), text=label) if calibrates else label
        )
        self._position.setToolTip(escape_markup(note))
        self._calibration_note.setText(note)
        self._calibration_note.setVisible(calibrates and self._wide)
        self.title.setText(topic.title or topic.id)
        self._description.setText(topic.description)
        self._description.setVisible(bool(topic.description))
        self._narrative.setText(topic.narrative)
        self._fold.setVisible(bool(topic.narrative) and self._wide)
        self._narrative.setVisible(
            bool(topic.narrative) and self._fold.property("folded") is not True
        )
        QTimer.singleShot(0, self, self._hug)  # after the texts have their size on screen

    def _position_label(self, topic: Topic, position: str, count: str) -> str:
        """Show the topic's name, as used in receipts and tables, and its position."""
        if not topic.title or topic.id == position:
            return filled(self.tr("Topic {place} of {count}"), place=position, count=count)
        return filled(
            self.tr("Topic {topic}, {place} of {count}"),
            topic=topic.id,
            place=position,
            count=count,
        )

    def arrange(self, shape: str) -> None:
        """Arrange the panel as a column, or as a strip above the document, low or tall."""
        wide = shape == "wide"
        self._wide = wide
        self._limit = TALL_TOPIC_HEIGHT if shape == "tall" else TOPIC_HEIGHT
        self._calibration_note.setVisible(bool(self._calibration_note.text()) and wide)
        self._fold.setVisible(bool(self._narrative.text()) and wide)
        self.highlights.setVisible(wide)
        self.setMinimumWidth(scale_length(PANEL_WIDTH) if wide else 0)
        self.setMaximumWidth(scale_length(PANEL_WIDTH) if wide else 16_777_215)
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred,
            QSizePolicy.Policy.Expanding if wide else QSizePolicy.Policy.Fixed,
        )
        self._hug()

    def _switch_narrative(self) -> None:
        folded = self._narrative.isVisible()
        self._fold.setProperty("folded", folded)
        self._fold.setText(self.tr("Show narrative") if folded else self.tr("Hide narrative"))
        self._narrative.setVisible(not folded)
        self._hug()

    def _hug(self) -> None:
        """Limit the height of the card to its text."""
        width = self.width() - 2 * SPACE_L - 2
        self._labels.setContentsMargins(0, 0, 0, 0)
        needed = self._labels.totalHeightForWidth(max(1, width)) + 2 * SPACE_L + SPACE_XS
        pixels, share = self._limit
        below = self.highlights.sizeHint().height() if self.highlights.isVisible() else 0
        room = (
            max(self.height() - below, self.height() // 3)
            if self._wide
            else min(scale_length(pixels), round(self.window().height() * share))
        )
        fits = needed <= room
        self._labels.setContentsMargins(
            0, 0, 0 if fits else SPACE_S, 0
        )  # so that the text does not touch the scroll bar
        self._area.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff if fits else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        )
        self._card.setFixedHeight(min(needed, room))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._hug()


class GradePanel(QWidget):
    """Panel with grades, progress, and the last message."""

    chosen = Signal(int)
    again = Signal()  # retry saving
    asked = Signal(str)  # id of an action of the page

    def __init__(self) -> None:
        super().__init__()
        self.buttons: GradeButtons | None = None
        KEYS.changed.connect(self.show_keys)
        self._shape = "wide"
        self._question = make_label("", "heading")
        self._grades_box = QVBoxLayout()
        self._grades = card(self._question, self._grades_box)
        self.marks = MarksCard()
        self.marks.hide()
        self._topic_meter, self._all_meter = (
            Meter(self.tr("This topic")),
            Meter(self.tr("All topics")),
        )
        self._details, self._handed = make_label("", "small"), make_label("", "small")
        self._pace, self._order, self._due = "", "", ""
        self._details.hide()
        self._handed.hide()
        self._brief = make_label("", "small")
        self._closings: list[QPushButton] = []
        self._learning_links = QWidget()
        self._learning_links.setLayout(
            row(
                self._link("search-collection", self.tr("Search")),
                self._link("order", self.tr("Order")),
                None,
                spacing=SPACE_L,
            )
        )
        self._learning_links.hide()
        self._several = self._link("several", "")
        links = (self._learning_links, self._several)
        self._progress = card(
            self._topic_meter,
            self._all_meter,
            self._details,
            self._handed,
            *links,
            self._make_links(),
        )
        self._low_progress = card(self._brief, self._make_links())
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(SPACE_L)
        for part in (self._grades, self.marks, self._progress, self._low_progress):
            self._box.addWidget(part)
        self._box.addStretch(1)
        self._box.addLayout(self._make_foot())

    def _make_foot(self) -> QVBoxLayout:
        self.message = make_label("", "small")
        self.message.setMinimumHeight(self.message.fontMetrics().height() * MESSAGE_LINES)
        self.message.setAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
        self.message.setAccessibleName(self.tr("Last action"))
        self.notable = FixedHeightLabel("strong")
        self.notable.hide()
        self._short = make_label("", "small", wrap=False)
        self._again = make_button(self.tr("Try again"), "primary")
        self._again.clicked.connect(self.again)
        self._copy = make_button(self.tr("Save a copy"))
        self._copy.clicked.connect(lambda: self.asked.emit("save-copy"))
        for made in (self._again, self._copy):
            made.hide()
        foot = QVBoxLayout()  # stacked, since a message with buttons is long
        foot.setSpacing(SPACE_S)
        foot.addWidget(self.notable)
        foot.addWidget(self.message)
        foot.addLayout(row(None, self._copy, self._again))
        self.low_line = row(None, self._short)
        foot.addLayout(self.low_line)
        return foot

    def _make_links(self) -> QHBoxLayout:
        close = self._link("hand-in", self.tr("Submit"))
        self._closings.append(close)
        return row(self._link("help", self.tr("Instructions")), close, None, spacing=SPACE_L)

    def _link(self, action: str, label: str) -> QPushButton:
        made = make_button(label, "link")
        made.clicked.connect(lambda: self.asked.emit(action))
        bind_key_cap(action, made.setToolTip, made)
        return made

    def set_scale(self, scale: Scale) -> None:
        """Show the grades of a scale and the question they answer."""
        self._question.setText(
            translate_message(scale.question)
            if scale.question
            else self.tr("How relevant is this document?")
        )
        if self.buttons:
            self._grades_box.removeWidget(self.buttons)
            self.buttons.deleteLater()
        self.buttons = GradeButtons(
            [(grade.value, translate_message(grade.label)) for grade in scale.grades]
        )
        self.buttons.chosen.connect(self.chosen)
        for grade in scale.grades:
            self.buttons.buttons[grade.value].setToolTip(
                escape_markup(grade.help or translate_message(grade.label))
            )
        self._grades_box.addWidget(self.buttons)
        before: QWidget = self
        for made in reversed(
            self.buttons.buttons.values()
        ):  # in order from the top; parts below are added later
            QWidget.setTabOrder(before, made)
            before = made
        QWidget.setTabOrder(before, self.marks.note)
        self.show_keys()
        self.arrange(self._shape)

    def show_keys(self) -> None:
        """Show the current keys of the grades."""
        if self.buttons:
            self.buttons.show_keys({grade: grade_key_text(grade) for grade in self.buttons.buttons})

    def arrange(self, shape: str) -> None:
        """Arrange the panel as a column, or as a bar below the document."""
        self._shape = shape
        narrow = shape == "narrow"
        self.setMinimumWidth(
            0 if narrow else scale_length(PANEL_WIDTH if shape == "wide" else PANEL_WIDTH - 44)
        )
        self.setMaximumWidth(16_777_215 if narrow else self.minimumWidth())
        self._box.setSpacing(SPACE_S if narrow else SPACE_L)
        margin = SPACE_S if narrow else SPACE_L
        if inside := self._grades.layout():
            inside.setContentsMargins(margin, margin, margin, margin)
        self._question.setVisible(not narrow)
        self.open_marks(self.marks.isVisibleTo(self))
        self.message.setVisible(not narrow or bool(self.message.text()))
        if self.buttons:
            self.buttons.set_row(narrow)
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred,
            QSizePolicy.Policy.Fixed if narrow else QSizePolicy.Policy.Expanding,
        )

    def show_state(self, session: Session, work: PresentedDocument) -> None:
        """Show the progress, and the document's grade if it was judged before."""
        topic, total = session.count(work.topic.id), session.count()
        self._topic_meter.show_count(topic.judged, topic.assigned)
        self._all_meter.show_count(total.judged, total.assigned)
        short = self.tr("{judged}/{assigned} in topic · {total_judged}/{total_assigned} total")
        self._short.setText(
            filled(
                short,
                judged=f"{topic.judged:,}",
                assigned=f"{topic.assigned:,}",
                total_judged=f"{total.judged:,}",
                total_assigned=f"{total.assigned:,}",
            )
        )
        seconds = session.seconds_left()
        self._pace = (
            filled(self.tr("about {duration} left at your pace"), duration=format_duration(seconds))
            if seconds
            else ""
        )
        self._show_details()
        self.marks.show_marks(session.marks(work.place))
        self.open_marks(self.marks.used)
        judgment = session.judgment(work.place)
        if self.buttons:
            self.buttons.show_given(
                judgment.payload["value"] if judgment and judgment.kind == "grade" else None
            )

    def _show_details(self) -> None:
        """Show pace, order and deadline; numbers replace bars that do not fit."""
        details = "\n".join(filter(None, (self._pace, self._order, self._due)))
        self._details.setText(details)
        self._details.setVisible(bool(details))
        self._brief.setText("\n".join(filter(None, (self._short.text(), details))))

    def open_marks(self, opened: bool) -> None:
        """Show or hide the note and the marks."""
        self.marks.setVisible(opened)
        self._share_room()

    def _share_room(self) -> None:
        """Show as much of the progress as fits; grades and marks have priority."""
        if self._shape == "narrow":
            self._show_progress(None)
            self.message.setMinimumHeight(label_height(self.message, self.width()))
            return
        self._spare_question()
        self.message.setMinimumHeight(
            0
            if not self.notable.isHidden()
            else self.message.fontMetrics().height() * MESSAGE_LINES
        )
        message_height = label_height(self.message, self.width())
        used = (
            self._grades.sizeHint().height()
            + max(message_height, self.message.minimumHeight())
            + 2 * SPACE_L
        )
        used += (
            label_height(self.notable, self.width()) + SPACE_S if not self.notable.isHidden() else 0
        )
        used += self._again.sizeHint().height() + SPACE_S if not self._again.isHidden() else 0
        used += self.marks.sizeHint().height() + SPACE_L if not self.marks.isHidden() else 0
        room = (
            self.height() - used - SPACE_L - SPACE_S
            # otherwise a card that just fits would enlarge the panel and alternately appear and
            # disappear
        )
        cards = (
            (self._progress, self._low_progress)
            if scale_length(100) <= LARGE
            else (self._progress,)
        )  # otherwise it would push the page out of view
        self._show_progress(
            next((part for part in cards if part.sizeHint().height() <= room), None)
        )

    def _show_progress(self, shown: QWidget | None) -> None:
        """Show one of the progress cards, or for None a line at the bottom."""
        for part in (self._progress, self._low_progress):
            part.setVisible(part is shown)
        self._short.setVisible(shown is None)

    def _spare_question(self) -> None:
        """Hide the question if the note would take the space of the grades."""
        inside = self._grades.layout()
        asked = self._question.heightForWidth(max(1, self._grades.width() - 2 * SPACE_L)) + (
            inside.spacing() if inside else 0
        )
        grades = self._grades.sizeHint().height() + (asked if self._question.isHidden() else 0)
        needed = (
            grades + self.marks.sizeHint().height() + self.message.minimumHeight() + 2 * SPACE_L
        )
        self._question.setVisible(self.marks.isHidden() or needed <= self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_room()

    def event(self, event: QEvent) -> bool:
        """Recompute the layout when a part requests another height."""
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._share_room()
        return done

    def show_saved(self, message: str) -> None:
        """Show what was saved, and how to undo it."""
        self._say(message, "small")

    def add_message(self, message: str) -> None:
        """Show an additional emphasised message until the next message; an empty one shows nothing."""
        self.notable.setText(message)
        self.notable.setVisible(bool(message))
        self._share_room()

    def show_hint(self, message: str) -> None:
        """Show what is expected next."""
        self._say(message, "small")

    def show_begun(self, digit: str) -> None:
        """Show that a second digit is expected."""
        self.show_hint(filled(self.tr("Grade {digit}_: type the second digit."), digit=digit))

    def show_unknown(self, grade: int) -> None:
        """Show that the grade is not on the scale."""
        self.show_ignored(filled(self.tr("Grade {grade} is not on the scale."), grade=str(grade)))

    def show_ignored(self, message: str) -> None:
        """Show that a key did nothing."""
        self._say("⚠ " + message, "warning")

    def show_problem(self, message: str, *, again: bool = False) -> None:
        """Show an error and whether data are safe; `again` offers a retry."""
        self._say("✕ " + message, "error")
        for made in (self._again, self._copy):
            made.setVisible(again)
        self._share_room()

    def show_due(self, deadline: str) -> None:
        """Show the deadline; an empty text hides it."""
        self._due = deadline
        self._show_details()

    def offer_learning_links(self, offered: bool) -> None:
        """Show or hide collection search and order selection."""
        self._learning_links.setVisible(offered)

    def offer_several(self, offered: bool, *, shown: bool) -> None:
        """Show or hide the switch between one and several documents per page."""
        self._several.setVisible(offered)
        self._several.setText(
            self.tr("One document per page") if shown else self.tr("Several on a page")
        )

    def show_order(self, order: str) -> None:
        """Show the document order if it is not the default; an empty text hides it."""
        self._order = order
        self._show_details()

    def show_handed_in(self, message: str, *, stale: bool) -> None:
        """Show that the work was submitted, and whether the receipt is outdated.

        An empty text hides it.
        """
        self._handed.setText(("⚠ " if stale else "") + message)
        self._handed.setVisible(bool(message))
        for close in self._closings:
            close.setText(self.tr("Submit again") if message else self.tr("Submit"))
        self._handed.setObjectName("warning" if stale else "small")
        self._handed.style().polish(self._handed)

    def _say(self, message: str, style: str) -> None:
        for made in (self._again, self._copy):
            made.hide()
        self.notable.hide()
        self.message.setText(message)
        self.message.setVisible(bool(message) or self._shape != "narrow")
        if self.message.objectName() != style:
            self.message.setObjectName(style)
            self.message.style().polish(self.message)
        self._share_room()


def format_duration(seconds: float) -> str:
    """Return an approximate duration for a forecast.

    Examples
    --------
    >>> format_duration(7800), format_duration(170), format_duration(20)
    ('2 h 10 min', '3 min', '1 min')
    """
    minutes = max(1, round(seconds / 60))
    template = (
        translate("Duration", "{hours} h {minutes} min")
        if minutes >= 60
        else translate("Duration", "{minutes} min")
    )
    return filled(template, hours=str(minutes // 60), minutes=str(minutes % 60))


# Layout of topic, document, grades and keys: side by side or stacked.

# Widths of this page in windows of 1,000 and 700 pixels, without the navigation bar
WIDE, NARROW = 830, 560
MIN_SIDE_HEIGHT, GRADE_HEIGHT = (
    300,
    50,
)  # minimum heights of the side panels and of each grade; below them the panels are stacked
CELLS = {
    "wide": ((0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1)),
    "middle": ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)),
    "narrow": ((0, 0, 1, 1), (1, 0, 1, 1), (2, 0, 1, 1)),
}


SHORT_LIST = (
    "skip",
    "unjudgeable",
    "unsure",
    "note",
    "reason",
    "undo",
    "passage",
    "jump",
    "shortcuts",
)


class JudgingLayout(QWidget):
    """Three columns in a wide window.

    In a narrower one the topic, then the grades, are stacked. Keys at the bottom.
    """

    def __init__(self, topic: TopicPanel, papers: QWidget, grades: GradePanel) -> None:
        super().__init__()
        self.keys = KeyStrip(SHORT_LIST)
        self._topic, self._grades = topic, grades
        self.way_on = ActionRow("go-on", cap_width=0)
        self.way_on.hide()
        self._paper: QFrame = card(self.way_on, papers, margin=SPACE_XL)
        self._paper.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._arranged = ("wide", 0.0)
        self._arrange("wide")

    def fit(self, width: float, height: float, zoom: float, grades: int) -> None:
        """Arrange the parts for a size in pixels at normal zoom.

        `grades` is the number of grades.
        """
        low = height < MIN_SIDE_HEIGHT + GRADE_HEIGHT * grades
        if low or width < NARROW:
            shape = "narrow"
        elif width >= WIDE:
            shape = "wide"
        else:
            shape = "middle"
        if (shape, zoom) != self._arranged:
            self._arranged = (shape, zoom)
            QTimer.singleShot(0, self, lambda: self._arrange(shape))

    def _arrange(self, shape: str) -> None:
        parts: tuple[QWidget, ...] = (self._topic, self._paper, self._grades)
        cells = CELLS[shape]
        for part in parts:
            self._grid.removeWidget(part)
        self._grid.setSpacing(SPACE_S if shape == "narrow" else SPACE_L)
        self._topic.arrange(shape)
        self._grades.arrange(shape)
        margin = SPACE_XL if shape == "wide" else SPACE_S + 4
        inside = self._paper.layout()
        assert isinstance(inside, QBoxLayout)  # noqa: S101 -- a card is a column
        inside.setContentsMargins(margin, margin, margin, margin)
        (self._grades.low_line if shape == "narrow" else inside).insertWidget(0, self.way_on)
        for part, cell in zip(parts, cells, strict=True):
            self._grid.addWidget(part, *cell)
        across = 1 + max(
            column for _, column, *_ in cells
        )  # otherwise an empty column would keep its spacing
        self._grid.addWidget(self.keys, 3, 0, 1, across)
        for line in range(3):
            self._grid.setColumnStretch(line, int(line == cells[1][1]))
            self._grid.setRowStretch(line, int(line == cells[1][0]))
        self._grid.activate()
        # otherwise a part that changes its height during layout would leave no height to earlier
        # parts
        self._grid.invalidate()
        self._grid.activate()


def make_document_card(*parts: QWidget) -> QWidget:
    """Return the middle card: the document, with the bars that open above it."""
    holder = QWidget()
    holder.setLayout(column(*parts))
    return holder

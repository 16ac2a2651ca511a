"""Topic panel, grade panel, card of notes, and the layout of these and the document."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from irjudge.judging import Marks, PresentedDocument, Session
from irjudge.model import Scale, Topic
from irjudge.text import Term, TermHit
from irjudge_ui.actions import KEYS, bind_key_cap, key_cap_text
from irjudge_ui.messages import escape_markup, filled, translate, translate_message
from irjudge_ui.widgets import (
    MAX_WIDGET_SIZE,
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
    make_container,
    make_label,
    make_scroll_area,
    make_timer,
    row,
    scale_length,
    set_style,
    show_text,
)
from irjudge_ui.workspace.action_list import ActionRow, KeyStrip
from irjudge_ui.workspace.highlights import HighlightsCard
from irjudge_ui.workspace.keyboard import grade_key_text

# Card of a document's note and other marks

DRAFT_DELAY_MS = 700  # pause in typing after which a draft is saved


MAX_SHOWN_REASONS = 3  # maximum number of rationales shown
MAX_REASON_LENGTH = 80  # maximum number of characters of a displayed rationale


class NoteField(QLineEdit):
    """Single-line field for a note or a reason; `left` is emitted on Escape.

    Escape does not clear the text.
    """

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)


class MarksCard(QWidget):
    """Card with a field for the note on a document, and with other marks as text.

    The other marks are the unsure flag and the rationales. They cannot be edited on the card. The
    card saves nothing. `typed` is emitted with the text when typing pauses, and on Escape if the
    text is unsaved, to be saved as a draft; `note_submitted` with the text on Enter, and `left` on
    Escape. An unsaved text stays in the field. The card is part of `GradePanel`.
    """

    note_submitted = Signal(str)
    typed = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._marks_label = make_label("", "small")
        self.note = NoteField(placeholderText=self.tr("Note"))
        self.note.setAccessibleName(self.tr("Note"))
        self._typing_timer = make_timer(self, DRAFT_DELAY_MS, self._report_typed)
        self.note.returnPressed.connect(lambda: self.note_submitted.emit(self.note.text()))
        self.note.textEdited.connect(lambda _text: self._typing_timer.start())
        self.note.left.connect(self._on_escape)
        self._saved_note = ""
        self.has_marks = False  # whether the document has any mark, including a draft of a note
        self.setLayout(column(card(self.note, self._marks_label)))

    def show_marks(self, marks: Marks) -> None:
        self._typing_timer.stop()
        self._saved_note = marks.note
        self.has_marks = bool(marks.note or marks.draft or marks.unsure or marks.rationales)
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
        show_text(self._marks_label, "\n".join(parts))

    def _report_typed(self) -> None:
        if self.isEnabled():
            self.typed.emit(self.note.text())
        else:  # tried again later: a job that disables the page has exclusive use of the project
            self._typing_timer.start()

    def _on_escape(self) -> None:
        if self.unsaved_note() is not None:
            self._typing_timer.stop()
            self._report_typed()
        self.left.emit()

    def unsaved_note(self) -> str | None:
        return self.note.text() if self.note.text() != self._saved_note else None


def _shorten_reason(text: str) -> str:
    one_line = " ".join(text.split())
    return (
        one_line if len(one_line) <= MAX_REASON_LENGTH else one_line[: MAX_REASON_LENGTH - 1] + "…"
    )


# Panels beside the document: topic, and grades with progress

PANEL_WIDTH = 264
MAX_COMPACT_ZOOM = 150  # zoom in percent above which the compact progress card is not used
MESSAGE_LINES = 2  # number of lines reserved for a message, so that it does not move the cards
# maximum height of the panel above the document: in pixels at normal zoom, and as a share of the
# window height
TOPIC_HEIGHT, TALL_TOPIC_HEIGHT, LOW_TOPIC_HEIGHT = (132, 1 / 4), (240, 1 / 3), (96, 1 / 6)


class TopicPanel(QWidget):
    """Panel that shows the topic of the current document or comparison.

    The panel is a column beside the document, or a strip above the document or the comparison. A
    column also has a card with highlighted terms below the topic. The panel is on the judging,
    adjudication and side-by-side pages.
    """

    def __init__(self) -> None:
        super().__init__()
        self._position, self._calibration_note = make_label("", "small"), make_label("", "small")
        self.title = make_label("", "heading")
        self._description = make_label()
        self._fold_button = make_button(
            self.tr("Hide narrative"), "link", clicked=self._switch_narrative
        )
        self._narrative = make_label("", "quiet")
        for label in (self.title, self._description, self._narrative):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._labels = column(
            self._position,
            self._calibration_note,
            self.title,
            self._description,
            self._fold_button,
            self._narrative,
        )
        self._area = make_scroll_area(make_container(self._labels), "inset", name=self.tr("Topic"))
        self._card = card(self._area)
        self._is_wide, self._height_limit = True, TOPIC_HEIGHT
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self._card)
        self.highlights = HighlightsCard()
        self.highlights.hide()
        box.addWidget(self.highlights)
        box.addStretch(1)

    def show_hits(
        self, terms: Sequence[Term], hits: Sequence[TermHit], *, has_more: bool = False
    ) -> None:
        """Set the highlighted terms and their occurrences; only a panel in a column shows them."""
        self.highlights.show_hits(terms, hits, has_more=has_more)
        self.highlights.setVisible(self._is_wide)
        self._fit_height()

    def show_topic(
        self, topic: Topic, topics: Sequence[str], *, is_new: bool = False, calibrates: bool = False
    ) -> None:
        """Show a topic and its position in `topics`; a new topic is emphasised.

        `calibrates` is whether the document is a calibration document, which the panel explains: in
        a text if it is a column, otherwise in a tooltip.
        """
        set_style(self.title, "fresh" if is_new else "heading")
        label = self._format_position(
            topic, str(topics.index(topic.id) + 1 if topic.id in topics else 0), str(len(topics))
        )
        note = (
            self.tr("The known grade is shown after you grade the document.") if calibrates else ""
        )
        self._position.setText(
            filled(self.tr("{text} · calibration"), text=label) if calibrates else label
        )
        self._position.setToolTip(escape_markup(note))
        self._calibration_note.setText(note)
        self._calibration_note.setVisible(calibrates and self._is_wide)
        self.title.setText(topic.title or topic.id)
        show_text(self._description, topic.description)
        self._narrative.setText(topic.narrative)
        self._fold_button.setVisible(bool(topic.narrative) and self._is_wide)
        self._narrative.setVisible(
            bool(topic.narrative) and self._fold_button.property("folded") is not True
        )
        QTimer.singleShot(0, self, self._fit_height)  # deferred, until the labels have their size

    def _format_position(self, topic: Topic, position: str, count: str) -> str:
        """Return a text with the position of a topic, and its id unless that is redundant."""
        if not topic.title or topic.id == position:
            return filled(self.tr("Topic {place} of {count}"), place=position, count=count)
        return filled(
            self.tr("Topic {topic} ({place} of {count})"),
            topic=topic.id,
            place=position,
            count=count,
        )

    def arrange(self, shape: str) -> None:
        """Arrange the panel as a column (shape "wide") or as a strip above the document.

        The maximum height of the strip is lower for the shape "low", and higher for "tall".
        """
        wide = shape == "wide"
        self._is_wide = wide
        self._height_limit = {"tall": TALL_TOPIC_HEIGHT, "low": LOW_TOPIC_HEIGHT}.get(
            shape, TOPIC_HEIGHT
        )
        self._calibration_note.setVisible(bool(self._calibration_note.text()) and wide)
        self._fold_button.setVisible(bool(self._narrative.text()) and wide)
        self.highlights.setVisible(wide)
        self.setMinimumWidth(scale_length(PANEL_WIDTH) if wide else 0)
        self.setMaximumWidth(scale_length(PANEL_WIDTH) if wide else MAX_WIDGET_SIZE)
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred,
            QSizePolicy.Policy.Expanding if wide else QSizePolicy.Policy.Fixed,
        )
        self._fit_height()

    def _switch_narrative(self) -> None:
        was_visible = self._narrative.isVisible()
        self._fold_button.setProperty("folded", was_visible)
        self._fold_button.setText(
            self.tr("Show narrative") if was_visible else self.tr("Hide narrative")
        )
        self._narrative.setVisible(not was_visible)
        self._fit_height()

    def _fit_height(self) -> None:
        """Make the card as high as its text, up to a maximum."""
        width = self.width() - 2 * SPACE_L - 2
        self._labels.setContentsMargins(0, 0, 0, 0)
        needed_height = self._labels.totalHeightForWidth(max(1, width)) + 2 * SPACE_L + SPACE_XS
        pixels, share = self._height_limit
        highlights_height = (
            self.highlights.sizeHint().height() if self.highlights.isVisible() else 0
        )
        max_height = (
            max(self.height() - highlights_height, self.height() // 3)
            if self._is_wide
            else min(scale_length(pixels), round(self.window().height() * share))
        )
        is_fitting = needed_height <= max_height
        # if there is a scroll bar, a margin separates it from the text
        self._labels.setContentsMargins(0, 0, 0 if is_fitting else SPACE_S, 0)
        self._area.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            if is_fitting
            else Qt.ScrollBarPolicy.ScrollBarAsNeeded
        )
        self._card.setFixedHeight(min(needed_height, max_height))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_height()


class GradePanel(QWidget):
    """Panel of the judging page: grade buttons, card of notes, progress, and last message.

    The panel saves no judgments: other objects handle its signals. `chosen` is emitted with the
    grade of a clicked button; keys are handled elsewhere. The parts are arranged, and some hidden,
    to fit the space.
    """

    chosen = Signal(int)
    retry_requested = Signal()  # emitted to retry a failed save
    action_requested = Signal(str)  # emitted with the id of an action of the page

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
        self._topic_meter = Meter(self.tr("This topic"))
        self._all_meter = Meter(self.tr("All topics"))
        self._details, self._submission_note = (
            make_label("", "small", hidden=True),
            make_label("", "small", hidden=True),
        )
        self._pace_text, self._order_text, self._deadline_text = "", "", ""
        self._brief_progress = make_label("", "small")
        self._submit_buttons: list[QPushButton] = []
        self._learning_links = make_container(
            row(
                self._make_link("search-collection", self.tr("Search")),
                self._make_link("order", self.tr("Order")),
                spacing=SPACE_L,
            )
        )
        self._learning_links.hide()
        self._several = self._make_link("several", "")
        self._progress = card(
            self._topic_meter,
            self._all_meter,
            self._details,
            self._submission_note,
            row(self._learning_links, self._several, None, spacing=SPACE_L),
            self._make_links(),
        )
        self._low_progress = card(self._brief_progress, self._make_links())
        self._box = column(
            self._grades,
            self.marks,
            self._progress,
            self._low_progress,
            None,
            self._make_messages(),
            spacing=SPACE_L,
        )
        self.setLayout(self._box)

    def _make_messages(self) -> QVBoxLayout:
        self.message = make_label("", "small", name=self.tr("Last action"))
        self.message.setMinimumHeight(self.message.fontMetrics().height() * MESSAGE_LINES)
        self.message.setAlignment(Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft)
        self.notable = FixedHeightLabel("strong")
        self.notable.hide()
        self._short_progress = make_label("", "small", wrap=False)
        self._retry_button = make_button(
            self.tr("Try again"), "primary", clicked=self.retry_requested
        )
        self._copy_button = make_button(
            self.tr("Save a copy"), clicked=lambda: self.action_requested.emit("save-copy")
        )
        for button in (self._retry_button, self._copy_button):
            button.hide()
        self._more_button = make_button(self.tr("More"), "link", clicked=self._show_more)
        self.bottom_row = row(None, self._short_progress, self._more_button, spacing=SPACE_S)
        # in a column, since a message and its buttons do not fit side by side
        return column(
            self.notable,
            self.message,
            row(None, self._copy_button, self._retry_button),
            self.bottom_row,
        )

    def _make_links(self) -> QHBoxLayout:
        submit_button = self._make_link("hand-in", self.tr("Submit"))
        self._submit_buttons.append(submit_button)
        return row(
            self._make_link("help", self.tr("Instructions")), submit_button, None, spacing=SPACE_L
        )

    def more_actions(self) -> list[QAction]:
        """Return menu entries that replace the links on the progress card if the card is hidden."""
        links = [("hand-in", self._submit_buttons[0].text()), ("help", self.tr("Instructions"))]
        if not self._learning_links.isHidden():
            links += [("search-collection", self.tr("Search")), ("order", self.tr("Order"))]
        if not self._several.isHidden():
            links.append(("several", self._several.text()))
        actions = []
        for id, label in links:
            entry = QAction(f"{label}\t{key_cap_text(id)}", self)
            entry.triggered.connect(lambda _checked=False, id=id: self.action_requested.emit(id))
            actions.append(entry)
        return actions

    def _show_more(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions(self.more_actions())
        menu.popup(self._more_button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _make_link(self, action: str, label: str) -> QPushButton:
        button = make_button(label, "link", clicked=lambda: self.action_requested.emit(action))
        bind_key_cap(action, button.setToolTip, button)
        return button

    def set_scale(self, scale: Scale) -> None:
        """Show the grades of a scale, and the question that the grades answer."""
        self._question.setText(
            translate_message(scale.question)
            if scale.question
            else self.tr("How relevant is this document?")
        )
        if self.buttons:
            self._grades_box.removeWidget(self.buttons)
            self.buttons.hide()
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
        previous: QWidget = self
        # the tab order begins at the highest grade, which is at the top
        for button in reversed(self.buttons.buttons.values()):
            QWidget.setTabOrder(previous, button)
            previous = button
        QWidget.setTabOrder(previous, self.marks.note)
        self.show_keys()
        self.arrange(self._shape)

    def show_keys(self) -> None:
        """Update the displayed keys of the grades."""
        if self.buttons:
            self.buttons.show_keys({grade: grade_key_text(grade) for grade in self.buttons.buttons})

    def arrange(self, shape: str) -> None:
        """Arrange the panel as a column or, for the shape "narrow", as a bar below the document."""
        self._shape = shape
        narrow = shape == "narrow"
        self.setMinimumWidth(
            0 if narrow else scale_length(PANEL_WIDTH if shape == "wide" else PANEL_WIDTH - 44)
        )
        self.setMaximumWidth(MAX_WIDGET_SIZE if narrow else self.minimumWidth())
        self._box.setSpacing(SPACE_S if narrow else SPACE_L)
        margin = SPACE_S if narrow else SPACE_L
        if grades_layout := self._grades.layout():
            grades_layout.setContentsMargins(margin, margin, margin, margin)
        self._question.setVisible(not narrow)
        self.open_marks(self.marks.isVisibleTo(self))
        self.message.setVisible(not narrow or bool(self.message.text()))
        if self.buttons:
            self.buttons.set_row(narrow, highest_first=True)
        self.setSizePolicy(
            QSizePolicy.Policy.Preferred,
            QSizePolicy.Policy.Fixed if narrow else QSizePolicy.Policy.Expanding,
        )

    def show_state(self, session: Session, presentation: PresentedDocument) -> None:
        """Show the progress, and the marks and the grade of the document."""
        topic_count, total_count = session.count(presentation.topic.id), session.count()
        self._topic_meter.show_count(topic_count.judged, topic_count.assigned)
        self._all_meter.show_count(total_count.judged, total_count.assigned)
        self._short_progress.setText(
            filled(
                self.tr("{judged}/{assigned} in topic · {total_judged}/{total_assigned} total"),
                judged=f"{topic_count.judged:,}",
                assigned=f"{topic_count.assigned:,}",
                total_judged=f"{total_count.judged:,}",
                total_assigned=f"{total_count.assigned:,}",
            )
        )
        seconds = session.seconds_left()
        self._pace_text = (
            filled(self.tr("about {duration} left at your pace"), duration=format_duration(seconds))
            if seconds
            else ""
        )
        self._show_details()
        self.marks.show_marks(session.marks(presentation.queue_item))
        self.open_marks(self.marks.has_marks)
        judgment = session.judgment(presentation.queue_item)
        if self.buttons:
            self.buttons.mark_grade(
                judgment.payload["value"] if judgment and judgment.kind == "grade" else None
            )

    def _show_details(self) -> None:
        details = "\n".join(filter(None, (self._pace_text, self._order_text, self._deadline_text)))
        show_text(self._details, details)
        self._brief_progress.setText(
            "\n".join(filter(None, (self._short_progress.text(), details)))
        )

    def open_marks(self, visible: bool) -> None:
        """Show or hide the card with the note and the marks."""
        self.marks.setVisible(visible)
        self._fit_progress()

    def _fit_progress(self) -> None:
        """Show the largest of the progress displays that fits below the other parts."""
        if self._shape == "narrow":
            self._show_progress(None)
            self.message.setMinimumHeight(label_height(self.message, self.width()))
            return
        self._hide_or_show_question()
        self.message.setMinimumHeight(
            0
            if not self.notable.isHidden()
            else self.message.fontMetrics().height() * MESSAGE_LINES
        )
        used_height = (
            self._grades.sizeHint().height()
            + max(label_height(self.message, self.width()), self.message.minimumHeight())
            + 2 * SPACE_L
        )
        used_height += (
            label_height(self.notable, self.width()) + SPACE_S if not self.notable.isHidden() else 0
        )
        used_height += (
            self._retry_button.sizeHint().height() + SPACE_S
            if not self._retry_button.isHidden()
            else 0
        )
        used_height += self.marks.sizeHint().height() + SPACE_L if not self.marks.isHidden() else 0
        # without this margin, a card that just fits would enlarge the panel, and no longer fit
        available_height = self.height() - used_height - SPACE_L - SPACE_S
        # with large text, the compact card would not fit either
        cards = (
            (self._progress, self._low_progress)
            if scale_length(100) <= MAX_COMPACT_ZOOM
            else (self._progress,)
        )
        self._show_progress(
            next((part for part in cards if part.sizeHint().height() <= available_height), None)
        )

    def _show_progress(self, visible_card: QWidget | None) -> None:
        """Show only `visible_card`, a progress card; if None, show a line at the bottom instead."""
        for part in (self._progress, self._low_progress):
            part.setVisible(part is visible_card)
        self._short_progress.setVisible(visible_card is None)
        has_notice = not (self.notable.isHidden() and self._retry_button.isHidden())
        self._more_button.setVisible(
            visible_card is None and not has_notice and self._fits_more_button()
        )

    def _fits_more_button(self) -> bool:
        """Return whether the menu button fits in the last line, beside the other parts."""
        items = (self.bottom_row.itemAt(index) for index in range(self.bottom_row.count()))
        parts = [
            part
            for item in items
            if item is not None
            and (part := item.widget()) is not None
            and (part is self._more_button or not part.isHidden())
        ]
        return sum(part.sizeHint().width() + SPACE_S for part in parts) <= self.width()

    def _hide_or_show_question(self) -> None:
        """Show the question, except if the note is open and there is no space for the question."""
        layout = self._grades.layout()
        question_height = self._question.heightForWidth(
            max(1, self._grades.width() - 2 * SPACE_L)
        ) + (layout.spacing() if layout else 0)
        grades_height = self._grades.sizeHint().height() + (
            question_height if self._question.isHidden() else 0
        )
        needed_height = (
            grades_height
            + self.marks.sizeHint().height()
            + self.message.minimumHeight()
            + 2 * SPACE_L
        )
        self._question.setVisible(self.marks.isHidden() or needed_height <= self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_progress()

    def event(self, event: QEvent) -> bool:
        """Fit the progress again when a part requests another height."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self._fit_progress()
        return handled

    def add_message(self, message: str) -> None:
        """Show an emphasised text below the message, until the next message; hide an empty text."""
        show_text(self.notable, message)
        self._fit_progress()

    def show_hint(self, message: str) -> None:
        """Show a message about what was saved, or about what to do next."""
        self._set_message(message, "small")

    def show_begun(self, digit: str) -> None:
        """Show that a second digit of the grade is expected."""
        self.show_hint(filled(self.tr("Grade {digit}_: type the second digit."), digit=digit))

    def show_unknown(self, grade: int) -> None:
        """Show that a typed number is not a grade of the scale."""
        self.show_ignored(filled(self.tr("Grade {grade} is not on the scale."), grade=str(grade)))

    def show_ignored(self, message: str) -> None:
        """Show that a key had no effect."""
        self._set_message("⚠ " + message, "warning")

    def show_problem(self, message: str, *, offers_retry: bool = False) -> None:
        """Show an error and, with `offers_retry`, buttons that retry or save a copy."""
        self._set_message("✕ " + message, "error")
        for button in (self._retry_button, self._copy_button):
            button.setVisible(offers_retry)
        self._fit_progress()

    def show_deadline(self, deadline: str) -> None:
        """Show the deadline; an empty text hides it."""
        self._deadline_text = deadline
        self._show_details()

    def offer_learning_links(self, is_offered: bool) -> None:
        """Show or hide the links to the collection search and to the order of judging."""
        self._learning_links.setVisible(is_offered)

    def offer_several(self, is_offered: bool, *, is_shown: bool) -> None:
        """Show or hide the link that switches between one and several documents per page."""
        self._several.setVisible(is_offered)
        self._several.setText(self.tr("One per page") if is_shown else self.tr("Several per page"))

    def show_order(self, order: str) -> None:
        """Show a text about the order of judging; an empty text hides it."""
        self._order_text = order
        self._show_details()

    def show_submission(self, message: str, *, stale: bool) -> None:
        """Show a text about the submission, as a warning if `stale`.

        An empty text means that the work has not been submitted.
        """
        self._submission_note.setText(("⚠ " if stale else "") + message)
        self._submission_note.setVisible(bool(message))
        for button in self._submit_buttons:
            button.setText(self.tr("Submit again") if message else self.tr("Submit"))
        set_style(self._submission_note, "warning" if stale else "small")

    def _set_message(self, message: str, style: str) -> None:
        for button in (self._retry_button, self._copy_button):
            button.hide()
        self.notable.hide()
        self.message.setText(message)
        self.message.setVisible(bool(message) or self._shape != "narrow")
        set_style(self.message, style)
        self._fit_progress()


def format_duration(seconds: float) -> str:
    """Return the text of a duration, rounded to minutes.

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


def format_seconds(seconds: float, decimals: int = 1) -> str:
    """Return the text of a short duration in seconds.

    Examples
    --------
    >>> format_seconds(4.26), format_seconds(12.3, decimals=0)
    ('4.3 s', '12 s')
    """
    return filled(translate("Duration", "{seconds} s"), seconds=f"{seconds:.{decimals}f}")


# Layout of the judging page

# minimum page widths in pixels for three and for two columns; windows that are 1,000 and 700 pixels
# wide have such pages
WIDE_WIDTH, NARROW_WIDTH = 830, 560
# minimum heights in pixels of a side panel without grades, and of each grade in it; on a lower page
# the panels are above and below the document
MIN_SIDE_HEIGHT = 300
GRADE_HEIGHT = 50
GRID_CELLS = {
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
    """Layout of the judging page: topic, document and grades, and the key strip below.

    A wide page has three columns. On a narrower page the topic is above the document; on a narrow
    or low page the grades are also below the document.
    """

    def __init__(self, topic: TopicPanel, document_area: QWidget, grades: GradePanel) -> None:
        super().__init__()
        self.keys = KeyStrip(SHORT_LIST)
        self._topic, self._grades = topic, grades
        self.continue_row = ActionRow("go-on", cap_width=0)
        self.continue_row.hide()
        self._document_card: QFrame = card(self.continue_row, document_area, margin=SPACE_XL)
        self._document_card.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding
        )
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._arrangement = ("wide", 0.0)
        self._arrange("wide")

    def fit(self, width: float, height: float, zoom: float, grades: int) -> None:
        """Arrange the parts for a page size in pixels at normal zoom.

        `grades` is the number of grades.
        """
        is_low = height < MIN_SIDE_HEIGHT + GRADE_HEIGHT * grades
        if is_low or width < NARROW_WIDTH:
            shape = "narrow"
        elif width >= WIDE_WIDTH:
            shape = "wide"
        else:
            shape = "middle"
        if (shape, zoom) != self._arrangement:
            self._arrangement = (shape, zoom)
            QTimer.singleShot(0, self, lambda: self._arrange(shape))

    def _arrange(self, shape: str) -> None:
        parts: tuple[QWidget, ...] = (self._topic, self._document_card, self._grades)
        cells = GRID_CELLS[shape]
        for part in parts:
            self._grid.removeWidget(part)
        self._grid.setSpacing(SPACE_S if shape == "narrow" else SPACE_L)
        self._topic.arrange(shape)
        self._grades.arrange(shape)
        margin = SPACE_XL if shape == "wide" else SPACE_S + 4
        layout = self._document_card.layout()
        assert isinstance(layout, QBoxLayout)  # noqa: S101 -- a card is a column
        layout.setContentsMargins(margin, margin, margin, margin)
        (self._grades.bottom_row if shape == "narrow" else layout).insertWidget(
            0, self.continue_row
        )
        for part, cell in zip(parts, cells, strict=True):
            self._grid.addWidget(part, *cell)
        # the key strip spans only the used columns, since empty columns would keep their spacing
        self._grid.addWidget(self.keys, 3, 0, 1, 1 + max(column for _, column, *_ in cells))
        for index in range(3):
            self._grid.setColumnStretch(index, int(index == cells[1][1]))
            self._grid.setRowStretch(index, int(index == cells[1][0]))
        self._grid.activate()
        # laid out twice: a part that changes its height during the first layout would leave no
        # space for earlier parts
        self._grid.invalidate()
        self._grid.activate()

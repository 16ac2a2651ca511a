"""Answer bar of a comparison, and texts that it shows."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from irjudge.judging import ComparisonSession, PresentedLists
from irjudge.model import Event
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    card,
    clear,
    column,
    keycap,
    make_button,
    make_container,
    make_flow,
    make_grid,
    make_label,
    make_scroll_area,
    named,
    row,
    scale_length,
    set_style,
)
from irjudge_ui.workspace import (
    ActionRow,
    AnswerButton,
    Choice,
    NoteField,
    StateMessage,
    current_receipt,
    describe_submission,
    format_duration,
    submission_label,
)


def describe_action(event: Event) -> str:
    """Return a description of a logged action, for messages about saving and undo."""
    if event.kind == "skip":
        return translate("PanelWords", "skipped for now")
    if event.kind == "grade":
        return filled(translate("PanelWords", "grade {grade}"), grade=str(event.payload["value"]))
    is_strong = event.payload.get("strength") == 2
    return {
        "left": translate("PanelWords", "left much better")
        if is_strong
        else translate("PanelWords", "left better"),
        "right": translate("PanelWords", "right much better")
        if is_strong
        else translate("PanelWords", "right better"),
        "tie": translate("PanelWords", "about equal"),
    }.get(str(event.payload.get("winner")), "")


def describe_missing_lists(missing: Sequence[str]) -> str:
    """Return an instruction to view the sides in `missing`, before a preference is accepted."""
    if len(missing) > 1:
        return translate(
            "PanelWords", "First scroll both sides to the end, or open a result on each side."
        )
    if missing[0] == "left":
        return translate(
            "PanelWords", "First scroll the left side to the end, or open one of its results."
        )
    return translate(
        "PanelWords", "First scroll the right side to the end, or open one of its results."
    )


def done_state(
    session: ComparisonSession, submit: Callable[[], None], design: Callable[[], None]
) -> StateMessage:
    """Return the message that is shown when all items are compared.

    It does not reveal which run is better.
    """
    count = session.count()
    sentences = [
        filled(
            translate(
                "PanelWords",
                "All comparisons are saved. Comparisons made: {made}; topics: {topics}.",
            ),
            made=f"{count.judged:,}",
            topics=f"{len(session.queue.topics):,}",
        )
    ]
    if identical_count := session.identical():
        template = translate(
            "PanelWords", "Comparisons of identical sides, recorded without being shown: {same}."
        )
        sentences.append(filled(template, same=f"{identical_count:,}"))
    if session.without_text:
        template = translate(
            "PanelWords", "Documents not compared because they have no text: {count}."
        )
        sentences.append(filled(template, count=f"{len(session.without_text):,}"))
    submitted = describe_submission(session)[0]
    choices: list[Choice] = [
        (translate("PanelWords", "View the results"), "preferences"),
        (translate("PanelWords", "Start another comparison"), design),
    ]
    if session.project.assignments.assessor_assignment() is not None:
        choices = [(submission_label(submitted), submit)]
    return StateMessage(
        translate("PanelWords", "All comparisons done"),
        "\n".join(filter(None, (join_sentences(*sentences), submitted))),
        choices,
        details=current_receipt(session),
    )


ANSWERS = ("left", "equal", "right")
# actions whose keys are shown below the answers
OTHER_ACTIONS = ("much-left", "much-right", "open-result", "panel-note", "later", "panel-undo")
LOW_PAGE_HEIGHT = 620  # height in pixels at normal zoom; on a lower page the answer bar is shorter
MAX_HEIGHT = 0.36  # maximum height as a share of the page height; higher content scrolls


class AnswerBar(QWidget):
    """Bar of the side-by-side page: question, answers, reasons, note, progress, last message.

    The bar saves nothing. `action_requested` is emitted with an action id, such as the id of an
    answer, `retry_requested` when a failed save is to be retried, and `left_note` on Enter or
    Escape in the field for the note. The bar is below the two lists or documents.
    """

    action_requested = Signal(str)
    retry_requested = Signal()
    left_note = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._question = make_label(
            self.tr("Which side fits the topic better?"), "heading", wrap=False
        )
        self.rows: dict[str, ActionRow] = {}
        self._grid = make_grid(SPACE_M, SPACE_S)
        for index, action in enumerate(ANSWERS):
            self.rows[action] = AnswerButton(action)
            self._grid.addWidget(self.rows[action], 0, 2 * index, 1, 2)
        for action in OTHER_ACTIONS:
            self.rows[action] = ActionRow(action, cap_width=0)
        for action, action_row in self.rows.items():
            action_row.clicked.connect(
                lambda _checked=False, action=action: self.action_requested.emit(action)
            )
        self._other_keys = make_flow(*(self.rows[action] for action in OTHER_ACTIONS))
        self.boxes: list[QCheckBox] = []
        self._reason_box = column()
        self._reasons = make_container(self._reason_box)
        self._reason_texts: tuple[str, ...] = ()
        self.note = named(NoteField(placeholderText=self.tr("Note")), self.tr("Note"))
        self.note.hide()
        for signal in (self.note.left, self.note.returnPressed):
            signal.connect(self.left_note)
        self._lay_out()

    def _arrange_answers(self) -> None:
        """Arrange the answers in a row; in a narrow bar, place "equal" below the other answers."""
        left_row, equal_row, right_row = (self.rows[action] for action in ANSWERS)
        narrow = (
            3 * max(row.sizeHint().width() for row in (left_row, equal_row, right_row))
            + 2 * SPACE_M
            > self.width() - 2 * SPACE_M - 2
        )
        for button, grid_row, first_column, column_span in (
            (left_row, 0, 0, 3 if narrow else 2),
            (right_row, 0, 3 if narrow else 4, 3 if narrow else 2),
        ):
            self._grid.addWidget(button, grid_row, first_column, 1, column_span)
        self._grid.addWidget(equal_row, int(narrow), 0 if narrow else 2, 1, 6 if narrow else 2)

    def _lay_out(self) -> None:
        self.message, self._progress = (
            make_label("", "small", name=self.tr("Last action")),
            make_label("", "small", wrap=False),
        )
        self._retry_button, self._copy_button = (
            make_button(self.tr("Try again"), "primary", clicked=self.retry_requested),
            make_button(
                self.tr("Save a copy"), clicked=lambda: self.action_requested.emit("panel-copy")
            ),
        )
        for button in (self._retry_button, self._copy_button):
            button.hide()
        self._texts = column(
            self._question,
            make_container(self._grid),
            self._other_keys,
            self._reasons,
            self.note,
            row(
                self.message,
                self._retry_button,
                self._copy_button,
                self._progress,
                spacing=SPACE_M,
                stretched=self.message,
            ),
            spacing=SPACE_S,
        )
        self._area = make_scroll_area(make_container(self._texts), "inset")
        self.setLayout(column(card(self._area, margin=SPACE_M)))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    # Answers

    def begin(self, lists: PresentedLists) -> None:
        """Show the question, and the reasons that the rules of the presented item contain."""
        self._reason_texts = lists.item.rules.reasons
        opens = lists.item.type != "pair"  # whether results can be opened, so that the key is shown
        self._question.setText(
            self.tr("Which side fits the topic better?")
            if opens
            else self.tr("Which document fits the topic better?")
        )
        self.rows["open-result"].setVisible(opens)
        clear(self._reason_box)
        self.boxes = [QCheckBox(translate_message(reason)) for reason in self._reason_texts]
        self._reason_box.addWidget(
            make_flow(
                *(
                    make_container(row(keycap(str(number)), box, spacing=SPACE_XS + 2))
                    for number, box in enumerate(self.boxes, 1)
                )
            )
        )
        self._reasons.setVisible(bool(self.boxes))

    def clear_answer(self) -> None:
        for box in self.boxes:
            box.setChecked(False)
        self.note.clear()
        self.note.hide()
        self.fit()

    def show_answer(self, reasons: Sequence[str], note: str) -> None:
        for box, reason in zip(self.boxes, self._reason_texts, strict=True):
            box.setChecked(reason in reasons)
        self.note.setText(note)
        self.note.setVisible(bool(note))
        self.fit()

    def reasons(self) -> list[str]:
        return [
            reason
            for box, reason in zip(self.boxes, self._reason_texts, strict=True)
            if box.isChecked()
        ]

    def tick(self, number: int) -> bool:
        """Check or uncheck a reason by its number, from 1; return whether the number is valid."""
        if not 1 <= number <= len(self.boxes):
            return False
        self.boxes[number - 1].toggle()
        return True

    def write_note(self) -> None:
        self.note.show()
        self.fit()
        self.note.setFocus()

    # Messages

    def show_state(self, session: ComparisonSession) -> None:
        count = session.count()
        text = filled(
            self.tr("{judged} of {assigned} compared"),
            judged=f"{count.judged:,}",
            assigned=f"{count.assigned:,}",
        )
        if seconds := session.seconds_left():
            text = filled(
                self.tr("{text}, about {duration} left"),
                text=text,
                duration=format_duration(seconds),
            )
        self._progress.setText(text)

    def show_hint(self, message: str) -> None:
        self._show_message(message, "small")

    def show_ignored(self, message: str) -> None:
        self._show_message("⚠ " + message, "warning")

    def show_problem(self, message: str, *, offers_retry: bool = False) -> None:
        self._show_message("✕ " + message, "error")
        for button in (self._retry_button, self._copy_button):
            button.setVisible(offers_retry)
        self.fit()

    def _show_message(self, message: str, style: str) -> None:
        for button in (self._retry_button, self._copy_button):
            button.hide()
        self.message.setText(message)
        set_style(self.message, style)
        self.fit()
        if style != "small":
            QTimer.singleShot(0, self, lambda: self._area.ensureWidgetVisible(self.message))

    def fit(self) -> None:
        """Schedule fitting the height of the bar to its content, up to a limit."""
        QTimer.singleShot(0, self, self._fit_height)

    def _fit_height(self) -> None:
        self._arrange_answers()
        parent = self.parentWidget()
        page_height = parent.height() if parent else self.height()
        is_low = page_height < scale_length(LOW_PAGE_HEIGHT)
        if is_low == self._other_keys.isVisibleTo(self):
            for part in (self._question, self._other_keys):
                part.setVisible(not is_low)
            self.fit()  # repeated, since the layout does not reflect the changed parts yet
            return
        height = min(
            self._texts.totalHeightForWidth(max(1, self.width() - 2 * SPACE_M - 2))
            + 2 * SPACE_M
            + SPACE_XS,
            max(1, round(page_height * MAX_HEIGHT)),
        )
        if height != self.height():
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

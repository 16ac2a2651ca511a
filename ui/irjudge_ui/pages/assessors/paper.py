"""Judging on paper: dialogs for printing booklets and for entering marks from their pages."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.exchange import (
    EMPTY_MARK,
    MAX_DOCUMENTS_ON_PAGE,
    TICK_ALIASES,
    UNJUDGEABLE_MARK,
    BookletPage,
    count_tick_digits,
    find_page,
    read_entry,
    read_pages,
    record_entry,
)
from irjudge.model import Scale
from irjudge.store import Project
from irjudge_ui.keymap import KEYPAD
from irjudge_ui.messages import filled, translate_message
from irjudge_ui.widgets import Dialog, column, make_growing, make_label, named, with_label
from irjudge_ui.workspace import KEYPAD_DIGITS

DIALOG_SIZE, CODE_DIALOG_SIZE = (640, 560), (480, 240)


class BookletDialog(Dialog):
    """Dialog of the Assessors page that asks for the assessors whose booklets are printed.

    The dialog does not print. `named` is emitted with the distinct names of the assessors, possibly
    none, when the user confirms.
    """

    named = Signal(list)

    def __init__(self, parent: QWidget, default: str) -> None:
        super().__init__(parent, CODE_DIALOG_SIZE)
        self.names = named(QLineEdit(default), self.tr("Print booklets for"))
        self.fill(
            self.tr("Print booklet"),
            [
                with_label(self.tr("Print booklets for"), self.names),
                make_label(
                    self.tr(
                        "Names separated by commas. Assessors with a task file get the documents "
                        "assigned to them; all others get the pool in random order."
                    ),
                    "quiet",
                ),
                None,
            ],
            [(self.tr("Cancel"), None), (self.tr("Print to PDF"), self._emit_names)],
        )
        self.buttons[-1].setDefault(True)
        self.names.setFocus()

    def _emit_names(self) -> None:
        self.named.emit(
            list(
                dict.fromkeys(
                    filter(
                        None, (part.strip() for part in re.split("[,，、;；\n]", self.names.text()))
                    )
                )
            )
        )


class PaperTicks(QWidget):
    """Part of `PaperEntryDialog` that lists a page's documents; the user types their marks.

    The page is a part of a printed booklet. A mark is a grade of the scale, or the sign for
    unjudgeable or for an empty row; other digits are ignored. Backspace deletes an incomplete grade
    or the last mark. `done` is emitted with all marks, in the order of the documents, once the last
    mark is entered; `left` is emitted when Backspace is pressed and there is nothing to delete.
    """

    done = Signal(object)
    left = Signal()

    def __init__(self, scale: Scale) -> None:
        super().__init__(focusPolicy=Qt.FocusPolicy.StrongFocus)
        self._scale = scale
        self.titles = tuple[str, ...]()
        self._ticks = list[str]()
        self._entered_digits = ""
        self._row_labels: list[QLabel] = [make_label() for _ in range(MAX_DOCUMENTS_ON_PAGE)]
        self.setLayout(column(*self._row_labels, None))
        self.setAccessibleName(self.tr("Ticks entered for this page"))

    @property
    def ticks(self) -> tuple[str, ...]:
        return tuple(self._ticks)

    def show_titles(self, titles: Sequence[str]) -> None:
        self.titles, self._entered_digits = tuple(titles), ""
        self._ticks.clear()
        self._show()

    def _show(self) -> None:
        marks = dict(enumerate([*map(self._describe_tick, self._ticks), self._entered_digits]))
        for index, row_label in enumerate(self._row_labels):
            row_label.setVisible(index < len(self.titles))
            if index < len(self.titles):
                pointer = "▸ " if index == len(self._ticks) else "    "
                row_label.setText(
                    f"{pointer}{index + 1}   {self.titles[index]}"
                    + (f"\n          {marks[index]}" if marks.get(index) else "")
                )

    def _describe_tick(self, tick: str) -> str:
        if tick == EMPTY_MARK:
            return "– " + self.tr("left empty")
        if tick == UNJUDGEABLE_MARK:
            return "✕ " + self.tr("unjudgeable")
        label = next(grade.label for grade in self._scale.grades if str(grade.value) == tick)
        return f"✓ {tick}  {translate_message(label)}"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        keypad_digit = KEYPAD_DIGITS.get(key, "") if event.modifiers() == KEYPAD else ""
        digit = keypad_digit or event.text()
        if key == Qt.Key.Key_Backspace:
            self.remove_last()
        elif (
            self.titles
            and not event.isAutoRepeat()
            and (
                digit.isdigit() or TICK_ALIASES.get(digit, digit) in (EMPTY_MARK, UNJUDGEABLE_MARK)
            )
            and digit.isascii()
        ):
            self._enter_key(TICK_ALIASES.get(digit, digit))
        else:
            super().keyPressEvent(event)

    def remove_last(self) -> None:
        """Delete the incomplete grade or else the last mark; emit `left` if there is neither."""
        if not self._ticks and not self._entered_digits:
            self.left.emit()
        elif self._entered_digits:
            self._entered_digits = ""
        else:
            self._ticks.pop()
        self._show()

    def _enter_key(self, key: str) -> None:
        if key.isdigit():
            self._entered_digits += key
            if len(self._entered_digits) < count_tick_digits(self._scale):
                self._show()
                return
        # a sign after a single digit completes this grade, as in files of marks
        marks = [self._entered_digits] if self._entered_digits else []
        self._entered_digits = ""
        for mark in marks if key.isdigit() else [*marks, key]:
            if mark.isdigit() and int(mark) not in self._scale.values:
                break
            self._ticks.append(str(int(mark)) if mark.isdigit() else mark)
        del self._ticks[len(self.titles) :]
        self._show()
        if len(self._ticks) == len(self.titles):
            self.done.emit(self.ticks)


class PaperEntryDialog(Dialog):
    """Dialog of the Assessors page that asks for the code of a paper page and its marks.

    The marks are those that an assessor made on paper. They are saved after the last mark is
    entered; then the dialog asks for the next code.
    """

    def __init__(self, parent: QWidget, project: Project) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self._project, self._pages = project, read_pages(project)
        self._current_page: tuple[str, BookletPage] | None = None
        self.saved = 0  # number of saved judgments
        self.code, self.ticks = (
            named(QLineEdit(), self.tr("Code of the booklet part")),
            PaperTicks(project.scale),
        )
        self._assessor_label, self.status = (
            make_label("", "heading"),
            make_label("", "small", name=self.tr("Messages")),
        )
        self.fill(
            self.tr("Enter paper judgments"),
            [
                make_label(
                    self.tr(
                        "Type the code of a booklet part, then one character for each document: a "
                        "digit, x if unjudgeable, or - if nothing is ticked. The part is saved "
                        "after the last character."
                    ),
                    "quiet",
                ),
                with_label(self.tr("Code of the booklet part"), self.code),
                self._assessor_label,
                make_growing(self.ticks),
                self.status,
            ],
            [(self.tr("Close"), None)],
        )
        self.code.textEdited.connect(lambda _text: self._open_entered_page(is_entered=False))
        self.code.returnPressed.connect(lambda: self._open_entered_page(is_entered=True))
        self.ticks.done.connect(self._save)
        self.ticks.left.connect(self._begin)
        self._begin()

    def _begin(self) -> None:
        self._hide_page()
        self.code.clear()
        self.code.setFocus()

    def _hide_page(self) -> None:
        self._current_page = None
        self.ticks.show_titles(())
        self._assessor_label.setText("")

    def _open_entered_page(self, *, is_entered: bool) -> None:
        """Show the page with the entered code, if the code is unambiguous or Enter was pressed.

        Otherwise no page is shown, so that no marks are saved under a previous code.
        """
        self._hide_page()
        entered_text = self.code.text().strip()
        is_unambiguous = entered_text in self._pages and not any(
            code != entered_text and code.startswith(entered_text) for code in self._pages
        )
        if not (is_unambiguous or (is_entered and entered_text)):
            self._show_rejected(entered_text)
            return
        try:
            code, page = find_page(self._pages, entered_text)
        except IrjudgeError as error:
            self.status.setText("✕ " + translate_message(str(error)))
            self.code.selectAll()
            return
        self._current_page = code, page
        titles = self._project.collection.titles(page.documents)
        topic = self._project.collection.topic_titles().get(page.topic) or page.topic
        self._assessor_label.setText(f"{page.assessor} · {topic}")
        self.status.setText("")
        self.ticks.show_titles([titles.get(document) or document for document in page.documents])
        self.ticks.setFocus()

    def _show_rejected(self, entered_text: str) -> None:
        """Show an error if a code of full length is unknown; otherwise clear the message."""
        try:
            if entered_text and len(entered_text) >= max(map(len, self._pages), default=0):
                find_page(self._pages, entered_text)
            self.status.setText("")
        except IrjudgeError as error:
            self.status.setText("✕ " + translate_message(str(error)))

    def _save(self, ticks: tuple[str, ...]) -> None:
        if self._current_page is None:
            return
        code, page = self._current_page
        try:
            entry = record_entry(
                self._project, read_entry(self._pages, self._project.scale, code, ticks)
            )
        except IrjudgeError as error:
            self.status.setText("✕ " + translate_message(str(error)))
            if isinstance(error, CommitFailed):
                self.ticks.remove_last()  # typing the last mark again repeats the attempt
            else:
                self.ticks.show_titles(())
            return
        self.saved += entry.new_count
        self._begin()
        self.status.setText(
            filled(
                self.tr(
                    "✓ Saved part {code} of {assessor}. Judgments: {new} new, {known} already "
                    "saved, {empty} empty."
                ),
                code=code,
                assessor=page.assessor,
                new=f"{entry.new_count}",
                known=f"{entry.known_count}",
                empty=f"{entry.empty_count}",
            )
        )

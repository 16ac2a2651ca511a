"""Judging on paper: printing of booklets, and entry of marked pages by page code and keys."""

import re
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    BROKEN,
    EMPTY,
    MAX_DOCUMENTS_ON_PAGE,
    TICK_ALIASES,
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
from irjudge_ui.widgets import Dialog, column, make_growing, make_label, with_label
from irjudge_ui.workspace import PAD

SIZE, ASKED_SIZE = (640, 560), (480, 240)


class BookletDialog(Dialog):
    """Asks whose booklets to print. `named` is emitted with the assessors' names."""

    named = Signal(list)

    def __init__(self, parent: QWidget, default: str) -> None:
        super().__init__(parent, ASKED_SIZE)
        self.names = QLineEdit(default)
        self.names.setAccessibleName(self.tr("Booklets for"))
        about = self.tr(
            "Names separated by commas. Participants with a file get their assignment, others "
            "the pool in random order."
        )
        choices = [(self.tr("Cancel"), None), (self.tr("Print to PDF"), self._name)]
        self.fill(
            self.tr("Print booklet"),
            [with_label(self.tr("Booklets for"), self.names), make_label(about, "quiet"), None],
            choices,
        )
        self.buttons[-1].setDefault(True)
        self.names.setFocus()

    def _name(self) -> None:
        self.named.emit(
            list(
                dict.fromkeys(
                    filter(
                        None, (each.strip() for each in re.split("[,，、;；\n]", self.names.text()))
                    )
                )
            )
        )


class PaperTicks(QWidget):
    """Lists the documents of a page and accepts a key for each.

    `done` is emitted with the entered marks, `left` when Backspace is pressed before the first
    mark.
    """

    done = Signal(object)
    left = Signal()

    def __init__(self, scale: Scale) -> None:
        super().__init__()
        self._scale, self.titles, self._ticks, self._typed = (
            scale,
            tuple[str, ...](),
            list[str](),
            "",
        )
        self._lines: list[QLabel] = [make_label() for _ in range(MAX_DOCUMENTS_ON_PAGE)]
        self.setLayout(column(*self._lines, None))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Ticks"))

    @property
    def ticks(self) -> tuple[str, ...]:
        """The marks entered so far."""
        return tuple(self._ticks)

    def show_titles(self, titles: Sequence[str]) -> None:
        """Begin with the documents of a page; an empty sequence clears the list."""
        self.titles, self._typed = tuple(titles), ""
        self._ticks.clear()
        self._show()

    def _show(self) -> None:
        for index, line in enumerate(self._lines):
            line.setVisible(index < len(self.titles))
            if index < len(self.titles):
                mark = "▸ " if index == len(self._ticks) else "    "
                marks = (
                    self._describe_tick(self._ticks[index])
                    if index < len(self._ticks)
                    else self._typed
                    if index == len(self._ticks)
                    else ""
                )
                line.setText(
                    f"{mark}{index + 1}   {self.titles[index]}"
                    + (f"\n          {marks}" if marks else "")
                )

    def _describe_tick(self, tick: str) -> str:
        if tick == EMPTY:
            return "– " + self.tr("left empty")
        if tick == BROKEN:
            return "✕ " + self.tr("unjudgeable")
        label = next(grade.label for grade in self._scale.grades if str(grade.value) == tick)
        return f"✓ {tick}  {translate_message(label)}"

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter a mark, or remove the last one."""
        key = Qt.Key(event.key())
        digit = PAD.get(key, "") if event.modifiers() == KEYPAD else ""
        digit = digit or event.text()
        if key == Qt.Key.Key_Backspace:
            self._take_back()
        elif (
            self.titles
            and not event.isAutoRepeat()
            and (digit.isdigit() or TICK_ALIASES.get(digit, digit) in (EMPTY, BROKEN))
            and digit.isascii()
        ):
            self._take(TICK_ALIASES.get(digit, digit))
        else:
            super().keyPressEvent(event)

    def _take_back(self) -> None:
        if not self._ticks and not self._typed:
            self.left.emit()
        elif self._typed:
            self._typed = ""
        else:
            self._ticks.pop()
        self._show()

    def _take(self, key: str) -> None:
        self._typed += key
        if self._typed.isdigit() and len(self._typed) < count_tick_digits(self._scale):
            self._show()
            return
        tick, self._typed = (key if not key.isdigit() else str(int(self._typed))), ""
        if tick in (EMPTY, BROKEN) or int(tick) in self._scale.values:
            self._ticks.append(tick)
        self._show()
        if len(self._ticks) == len(self.titles):
            self.done.emit(self.ticks)


class PaperEntryDialog(Dialog):
    """Asks for the code of a page, shows its assessor, and saves the marks after the last one; then
    asks for the next code.
    """

    def __init__(self, parent: QWidget, project: Project) -> None:
        super().__init__(parent, SIZE)
        self._project, self._pages = project, read_pages(project)
        self._at: tuple[str, BookletPage] | None = None
        self.saved = 0  # judgments
        self.code, self.ticks = QLineEdit(), PaperTicks(project.scale)
        self.code.setAccessibleName(self.tr("Code of the page"))
        self._whose, self._status = make_label("", "heading"), make_label("", "small")
        self._status.setAccessibleName(self.tr("Remarks"))
        about = self.tr(
            "Type the page code, then one character for each document: a digit, x for "
            "unjudgeable, - if nothing is ticked. The page is saved after the last character."
        )
        self.fill(
            self.tr("Enter paper judgments"),
            [
                make_label(about, "quiet"),
                with_label(self.tr("Code of the page"), self.code),
                self._whose,
                make_growing(self.ticks),
                self._status,
            ],
            [(self.tr("Close"), None)],
        )
        self.code.textEdited.connect(lambda _text: self._look_up(entered=False))
        self.code.returnPressed.connect(lambda: self._look_up(entered=True))
        self.ticks.done.connect(self._save)
        self.ticks.left.connect(self._begin)
        self._begin()

    @property
    def status_text(self) -> str:
        """Message about the last page or the entered code."""
        return self._status.text()

    def _begin(self) -> None:
        """Wait for a page code."""
        self._at = None
        self.code.clear()
        self.ticks.show_titles(())
        self._whose.setText("")
        self.code.setFocus()

    def _look_up(self, *, entered: bool) -> None:
        """Open the page of a code as soon as it is unambiguous, or on Enter."""
        typed = self.code.text().strip()
        whole = typed in self._pages and not any(
            code != typed and code.startswith(typed) for code in self._pages
        )
        if not (whole or (entered and typed)):
            self._show_rejected(typed)
            return
        try:
            code, page = find_page(self._pages, typed)
        except IrjudgeError as error:
            self._status.setText("✕ " + translate_message(str(error)))
            self.code.selectAll()
            return
        self._at = code, page
        titles = self._project.collection.titles(page.documents)
        self._whose.setText(f"{page.assessor} · {self._topic(page.topic)}")
        self._status.setText("")
        self.ticks.show_titles([titles.get(each) or each for each in page.documents])
        self.ticks.setFocus()

    def _show_rejected(self, typed: str) -> None:
        """Report a complete but unknown code at once, before further digits are typed."""
        max_length = max(map(len, self._pages), default=0)
        try:
            if typed and len(typed) >= max_length:
                find_page(self._pages, typed)
            self._status.setText("")
        except IrjudgeError as error:
            self._status.setText("✕ " + translate_message(str(error)))

    def _topic(self, topic: str) -> str:
        return next(
            (
                each.title or each.id
                for each in self._project.collection.topics()
                if each.id == topic
            ),
            topic,
        )

    def _save(self, ticks: tuple[str, ...]) -> None:
        if self._at is None:
            return
        code, page = self._at
        try:
            done = record_entry(
                self._project, read_entry(self._pages, self._project.scale, code, ticks)
            )
        except IrjudgeError as error:
            self._status.setText("✕ " + translate_message(str(error)))
            self.ticks.show_titles(())
            return
        self.saved += done.new
        self._begin()
        message = self.tr(
            "✓ Saved page {code} of {assessor}. Judgments: {new} new, {known} known, {empty} empty."
        )
        self._status.setText(
            filled(
                message,
                code=code,
                assessor=page.assessor,
                new=f"{done.new}",
                known=f"{done.known}",
                empty=f"{done.empty}",
            )
        )

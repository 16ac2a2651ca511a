"""The settings page: one row for each declared setting that has a title."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QComboBox, QLineEdit, QVBoxLayout, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import parse_measures
from irjudge_ui.settings import SETTINGS, Setting, Settings
from irjudge_ui.widgets.layout import button, card, column, row, scrolling, text
from irjudge_ui.widgets.number_field import NumberField
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, SPACE_XL

PAGE_WIDTH, CONTROL_WIDTH = 760, 220


class SettingsView(QWidget):
    """Shows every setting with its help. A change counts at once."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.controls: dict[str, QWidget] = {}
        self._show: dict[str, Callable[[], None]] = {}
        rows = [self._row(setting) for setting in SETTINGS if setting.title]
        self._problem = text("", "error")
        back = button(self.tr("Back to the defaults"))
        back.clicked.connect(self._reset)
        inside = QWidget()
        inside.setMaximumWidth(PAGE_WIDTH)
        parts = column(
            text(self.tr("Settings"), "title"), card(*rows, spacing=SPACE_L), self._problem, row(back, None), None, spacing=SPACE_M
        )
        parts.setContentsMargins(0, SPACE_XL, SPACE_L, SPACE_L)
        inside.setLayout(parts)
        beside = row(inside, None)
        beside.setStretch(0, 100)  # as wide as its maximum before the empty part takes any
        holder = QWidget()
        holder.setLayout(beside)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(scrolling(holder))
        settings.changed.connect(self._refresh)

    def focus(self) -> None:
        """Put the focus on the first setting."""
        next(iter(self.controls.values())).setFocus()

    def _row(self, setting: Setting) -> QWidget:
        title, words = _translated(setting.title), _translated(setting.help)
        control = self._control(setting)
        control.setAccessibleName(title)
        control.setAccessibleDescription(words)
        if not isinstance(control, NumberField):
            control.setFixedWidth(CONTROL_WIDTH)
        place = QWidget()
        place.setFixedWidth(CONTROL_WIDTH)
        place.setLayout(row(control, None))
        self.controls[setting.name] = control
        line = QWidget()
        parts = row(column(text(title), text(words, "small"), spacing=2), place, spacing=SPACE_L)
        parts.setStretch(0, 1)
        line.setLayout(parts)
        return line

    def _control(self, setting: Setting) -> QWidget:
        if setting.choices:
            return self._choice(setting)
        return self._number(setting) if setting.span and isinstance(setting.default, int) else self._text(setting)

    def _choice(self, setting: Setting) -> QComboBox:
        box = QComboBox()
        for choice in setting.choices:
            box.addItem(_translated(choice), choice)
        self._show[setting.name] = lambda: box.setCurrentIndex(box.findData(self._settings.get(setting.name)))
        self._show[setting.name]()
        box.activated.connect(lambda _place: self._settings.set(setting.name, box.currentData()))
        return box

    def _number(self, setting: Setting) -> NumberField:
        low, high = setting.span or (0, 0)
        field = NumberField(int(low), int(high), int(self._settings.get(setting.name)), setting.name)
        self._show[setting.name] = lambda: field.set_value(int(self._settings.get(setting.name)))
        field.changed.connect(lambda value: self._settings.set(setting.name, value))
        return field

    def _text(self, setting: Setting) -> QLineEdit:
        """A line of text; for a number with a fraction, what makes no sense goes back to what it was."""
        field = QLineEdit()
        self._show[setting.name] = lambda: field.setText(str(self._settings.get(setting.name)))
        self._show[setting.name]()
        field.editingFinished.connect(lambda: self._enter(setting, field.text()))
        return field

    def _enter(self, setting: Setting, typed: str) -> None:
        problem = self._problem_with(setting, typed)
        self._problem.setText("✕ " + problem if problem else "")
        if not problem and typed != str(self._settings.get(setting.name)):
            self._settings.set(setting.name, typed)
        self._show[setting.name]()

    def _problem_with(self, setting: Setting, typed: str) -> str:
        title = _translated(setting.title)
        if not self._settings.accepts(setting.name, typed):
            low, high = setting.span or ("", "")
            words = self.tr("%1: %2 does not fit; expected %3 to %4.").replace("%1", title).replace("%2", repr(typed))
            return words.replace("%3", str(low)).replace("%4", str(high))
        try:
            if setting.name == "measures":
                parse_measures(typed.split())
        except IrjudgeError as fault:
            return f"{title}: {fault}"
        return ""

    def _reset(self) -> None:
        for setting in SETTINGS:
            if setting.title:
                self._settings.set(setting.name, setting.default)

    def _refresh(self, name: str) -> None:
        if name in self._show:
            self._show[name]()


def _translated(words: object) -> str:
    return QCoreApplication.translate("Setting", str(words))

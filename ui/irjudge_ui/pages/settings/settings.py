"""The settings page: a card for each kind of setting, a row for each declared setting that has a title."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QCheckBox, QFrame, QLineEdit, QVBoxLayout, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import parse_measures
from irjudge_ui.messages import filled, in_language
from irjudge_ui.pages.settings.keys import KeysTable
from irjudge_ui.pages.shared.view import View
from irjudge_ui.settings import CARDS, SETTINGS, Setting, Settings
from irjudge_ui.widgets.fields import ChoiceBox, NumberField
from irjudge_ui.widgets.layout import Beside, Bounded, Paged, Part, button, card, column, row, text
from irjudge_ui.widgets.theme import FAMILIES, SPACE_L, SPACE_M, SPACE_XL, zoomed

PAGE_WIDTH, BESIDE_WIDTH, CONTROL_WIDTH = 760, 560, 220


class SettingsView(View):
    """Shows every setting with its help. A change counts at once."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.controls: dict[str, QWidget] = {}
        self.rows: dict[str, SettingRow] = {}
        self._show: dict[str, Callable[[], None]] = {}
        self.keys = KeysTable()
        cards = [self._card(name) for name in CARDS]
        back = button(self.tr("Back to the defaults"))
        back.clicked.connect(self._reset)
        parts = column(
            text(self.tr("Settings"), "title"), *cards, row(back, None), None, spacing=SPACE_M
        )
        parts.setContentsMargins(0, SPACE_XL, SPACE_L, SPACE_L)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(Paged(Bounded(PAGE_WIDTH, parts)))
        settings.changed.connect(self._refresh)

    def focus(self) -> None:
        """Put the focus on the first setting."""
        next(iter(self.controls.values())).setFocus()

    def _card(self, name: str) -> QFrame:
        here = [
            setting
            for setting in SETTINGS
            if setting.card == name and not isinstance(setting.default, dict)
        ]
        parts: list[Part] = [text(_translated(CARDS[name]), "heading"), *map(self._row, here)]
        return card(*parts, *([self.keys] if name == "keys" else []), spacing=SPACE_L)

    def _row(self, setting: Setting) -> QWidget:
        control = self._control(setting)
        self.controls[setting.name] = control
        self.rows[setting.name] = SettingRow(
            _translated(setting.title), _translated(setting.help), control
        )
        self._show[setting.name]()
        return self.rows[setting.name]

    def _control(self, setting: Setting) -> QWidget:
        if setting.choices or setting.name == "font":
            return self._choice(setting)
        if isinstance(setting.default, bool):
            return self._switch(setting)
        return (
            self._number(setting)
            if setting.span and isinstance(setting.default, int)
            else self._text(setting)
        )

    def _switch(self, setting: Setting) -> QCheckBox:
        box = QCheckBox()
        self._show[setting.name] = lambda: box.setChecked(bool(self._settings.get(setting.name)))
        box.clicked.connect(lambda checked: self._settings.set(setting.name, checked))
        return box

    def _choice(self, setting: Setting) -> ChoiceBox:
        box = ChoiceBox()
        for choice, label in _choices(setting):
            box.addItem(_translated(label), choice)
        self._show[setting.name] = lambda: box.setCurrentIndex(
            max(0, box.findData(self._settings.get(setting.name)))
        )
        box.activated.connect(lambda _place: self._settings.set(setting.name, box.currentData()))
        return box

    def _number(self, setting: Setting) -> NumberField:
        low, high = setting.span or (0, 0)
        field = NumberField(
            int(low), int(high), int(self._settings.get(setting.name)), setting.name
        )
        self._show[setting.name] = lambda: field.set_value(int(self._settings.get(setting.name)))
        field.changed.connect(lambda value: self._settings.set(setting.name, value))
        return field

    def _text(self, setting: Setting) -> QLineEdit:
        """A line of text; for a number with a fraction, what makes no sense goes back to what it was."""
        field = QLineEdit()
        self._show[setting.name] = lambda: field.setText(str(self._settings.get(setting.name)))
        field.editingFinished.connect(lambda: self._enter(setting, field.text()))
        return field

    def _enter(self, setting: Setting, typed: str) -> None:
        if typed == str(self._settings.get(setting.name)):
            return  # the focus went through the field; a problem said before stays to be read
        problem = self._problem_with(setting, typed)
        self.rows[setting.name].say(problem)
        if not problem:
            self._settings.set(setting.name, typed)
        self._show[setting.name]()

    def _problem_with(self, setting: Setting, typed: str) -> str:
        title = _translated(setting.title)
        if not self._settings.accepts(setting.name, typed):
            low, high = setting.span or ("", "")
            return filled(
                self.tr("{title}: {typed} does not fit; expected {low} to {high}."),
                title=title,
                typed=repr(typed),
                low=low,
                high=high,
            )
        try:
            if setting.name == "measures":
                parse_measures(typed.split())
        except IrjudgeError as fault:
            return filled(
                self.tr("{name}: {sentences}"), name=title, sentences=in_language(str(fault))
            )
        return ""

    def _reset(self) -> None:
        for setting in SETTINGS:
            if setting.title and self._settings.get(setting.name) != setting.default:
                self._settings.set(setting.name, setting.default)
        for line in self.rows.values():
            line.say("")

    def _refresh(self, name: str) -> None:
        if name in self._show:
            self._show[name]()


class SettingRow(QWidget):
    """A setting's title and help, its control beside or below them, and what is wrong with what was typed."""

    def __init__(self, title: str, words: str, control: QWidget) -> None:
        super().__init__()
        self._control = control
        control.setAccessibleName(title)
        control.setAccessibleDescription(words)
        self._place = QWidget()
        self._place.setLayout(row(control, None))
        self.problem = text("", "error")
        self.problem.hide()
        said = column(text(title), text(words, "small"), self.problem, spacing=2)
        self.setLayout(column(Beside(said, row(self._place, None), BESIDE_WIDTH)))
        self._measure()

    def say(self, problem: str) -> None:
        """Say what is wrong; nothing takes it back."""
        self.problem.setText("✕ " + problem if problem else "")
        self.problem.setVisible(bool(problem))

    def _measure(self) -> None:
        self._place.setFixedWidth(zoomed(CONTROL_WIDTH))
        if isinstance(self._control, ChoiceBox) or type(self._control) is QLineEdit:
            self._control.setFixedWidth(zoomed(CONTROL_WIDTH))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the zoom."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._measure()


def _choices(setting: Setting) -> list[tuple[str, object]]:
    """Return what can be chosen and how it is called; for the font also every family that is installed."""
    if setting.name != "font":
        return list(zip(setting.choices, setting.labels, strict=True))
    translate = QCoreApplication.translate
    names = {
        "system": translate("Setting", "System"),
        "serif": translate("Setting", "Serif"),
        "sans": translate("Setting", "Sans serif"),
    }
    names["mono"] = translate("Setting", "Monospaced")
    families = [
        family for family in QFontDatabase.families() if not QFontDatabase.isPrivateFamily(family)
    ]
    return [
        *((choice, names[choice]) for choice in ("system", *FAMILIES)),
        *((family, family) for family in families),
    ]


def _translated(words: object) -> str:
    return QCoreApplication.translate("Setting", str(words))

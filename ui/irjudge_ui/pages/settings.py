"""Settings page, editor and list of keys, and application of theme, zoom and font."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QFrame,
    QLineEdit,
    QWidget,
)

from irjudge.errors import IrjudgeError
from irjudge.evaluation import parse_measures
from irjudge.model import Scale
from irjudge_ui.actions import ACTIONS, BY_ID, KEYS, format_keys
from irjudge_ui.keymap import GRADE_BINDINGS, JUDGE_PAGE, is_assignable, pressed_key
from irjudge_ui.messages import filled, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.shared import View
from irjudge_ui.settings import CARDS, SETTINGS, Setting, Settings
from irjudge_ui.widgets import (
    FAMILIES,
    KEY_SEPARATOR,
    SPACE_L,
    SPACE_M,
    SPACE_XL,
    ChoiceBox,
    Dialog,
    FilterLine,
    KeyButton,
    KeyCapDelegate,
    MaxWidthBox,
    NumberField,
    PageScrollArea,
    SideBySide,
    Table,
    apply_theme,
    card,
    column,
    current_theme,
    make_button,
    make_container,
    make_key_list,
    make_label,
    make_scroll_area,
    opposite_theme,
    resolve_theme,
    row,
    scale_length,
    set_style,
    show_text,
)
from irjudge_ui.workspace import grade_key_text

# Dialog that lists all keys, and editor of the keys

DIALOG_SIZE = (520, 560)


class ShortcutsDialog(Dialog):
    """Read-only dialog with a list of all actions and their keys, by page.

    The actions of the page `first_page` come first. Grades are listed if they are on the scale and
    have a key. Keys cannot be changed in this dialog.
    """

    def __init__(self, parent: QWidget, first_page: str = "", scale: Scale | None = None) -> None:
        super().__init__(parent, DIALOG_SIZE)
        self._grades = [
            grade for grade in range(len(GRADE_BINDINGS)) if scale is None or grade in scale.values
        ]
        self.setWindowTitle(self.tr("All shortcuts"))
        pages = sorted(
            dict.fromkeys(action.page for action in ACTIONS), key=lambda page: page != first_page
        )
        area = make_scroll_area(
            make_container(column(*map(self._make_page_card, pages), None, spacing=SPACE_L)),
            name=self.tr("Keys"),
        )
        self.setLayout(
            column(
                make_label(self.tr("All shortcuts"), "title"),
                area,
                row(None, make_button(self.tr("Close"), "primary", clicked=self.accept)),
                spacing=SPACE_L,
                margins=(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL),
                stretched=area,
            )
        )

    def _make_page_card(self, page: str) -> QWidget:
        keys = [
            ("   ".join(format_keys(key) for key in KEYS.keys(action.id)), action.label)
            for action in ACTIONS
            if action.page == page
        ]
        if page == JUDGE_PAGE and self._grades:
            text = filled(
                self.tr("give the grade {lowest} … {highest} and show the next document"),
                lowest=self._grades[0],
                highest=self._grades[-1],
            )
            keys.insert(0, (format_grade_keys(self._grades), text))
        title = BY_ID[page].label if page else self.tr("Everywhere")
        return card(make_label(title, "heading"), make_key_list(keys))


def format_grade_keys(grades: Sequence[int]) -> str:
    """Return the keys of some grades, in ascending order, as text.

    If the grades are consecutive and each key is the digit of its grade, the text contains only
    the first and the last key.
    """
    key_texts = [grade_key_text(grade) for grade in grades]
    is_consecutive = key_texts == [str(grade) for grade in range(grades[0], grades[-1] + 1)]
    return f"{key_texts[0]} … {key_texts[-1]}" if is_consecutive else "  ".join(key_texts)


MAX_ROWS = 10


class KeysEditor(QWidget):
    """Editor of the keys of grades and actions: a table with a filter and buttons.

    The user presses Enter, double-clicks or clicks the button below, then types the new key, which
    replaces all keys of the action and is stored immediately. A key is refused if another action
    uses it on the same page, or if it is needed for moving or editing. Another button restores the
    default keys of the selected action.
    """

    def __init__(self) -> None:
        super().__init__()
        self.change = KeyButton(self.tr("Change"), self.tr("Press a key"), pressed_key)
        self._model = TableModel(
            [
                Column(
                    self.tr("Keys"),
                    lambda id: KEY_SEPARATOR.join(format_keys(key) for key in KEYS.keys(id)),
                ),
                Column(self.tr("Effect"), _key_label),
                Column(self.tr("Page"), _page_title_of),
            ],
            _list_ids(),
        )
        self.table = Table(
            self._model, self.tr("Keys for grades and actions"), stretch=1, rows=MAX_ROWS
        )
        self.table.setItemDelegateForColumn(0, KeyCapDelegate(self.table))
        self.table.opened.connect(lambda _row: self.change.set_recording(True))
        self.table.selectionModel().currentChanged.connect(lambda *_: self._show_choice())
        self.change.recording_changed.connect(self._show_waiting)
        self.change.key_recorded.connect(self._assign_key)
        self.back = make_button(self.tr("Restore the default"), clicked=self._restore_default)
        self.message = make_label("", "small")
        self.setLayout(
            column(
                FilterLine(self.table),
                self.table,
                row(self.change, self.back, None),
                self.message,
                spacing=SPACE_M,
            )
        )
        KEYS.changed.connect(self.refresh)
        self.choose(next(iter(GRADE_BINDINGS)))

    def choose(self, id: str) -> None:
        self.table.setCurrentIndex(self._model.line_of(self._model.rows.index(id)))

    @property
    def chosen(self) -> str:
        return str(self._model.at(self.table.currentIndex()))

    def refresh(self) -> None:
        self._model.update_and_append(self._model.rows)
        self.back.setEnabled(
            self.table.currentIndex().isValid() and KEYS.is_customised(self.chosen)
        )

    def _show_choice(self) -> None:
        # no row is selected if none matches the filter
        has_choice = self.table.currentIndex().isValid()
        self.change.setEnabled(has_choice)
        self.back.setEnabled(has_choice and KEYS.is_customised(self.chosen))
        self._show_message("")
        if has_choice:
            label = _key_label(self.chosen)
            self.change.setAccessibleName(
                filled(self.tr("Change the key for {label}"), label=label)
            )
            self.back.setAccessibleName(filled(self.tr("Reset the key for {label}"), label=label))

    def _show_waiting(self, is_waiting: bool) -> None:
        self._show_message(
            filled(
                self.tr("Press the new key for “{action}”. Esc keeps the old one."),
                action=_key_label(self.chosen),
            )
            if is_waiting
            else ""
        )

    def _assign_key(self, key: str) -> None:
        if not (problem := find_key_problem(self.chosen, key)):
            KEYS.change(self.chosen, key)
        self._show_message(problem, "error" if problem else "small")
        self.table.setFocus()

    def _restore_default(self) -> None:
        KEYS.change(self.chosen, "")
        self._show_message("")
        self.table.setFocus()

    def _show_message(self, message: str, style: str = "small") -> None:
        self.message.setText("✕ " + message if style == "error" else message)
        set_style(self.message, style)


def _list_ids() -> list[str]:
    """Return the ids of the grades, then those of the actions.

    Actions are grouped by page; those of the judging page are first.
    """
    pages = dict.fromkeys([JUDGE_PAGE, *(action.page for action in ACTIONS)])
    return [
        *GRADE_BINDINGS,
        *(action.id for page in pages for action in ACTIONS if action.page == page),
    ]


def _page_title_of(id: str) -> str:
    page = JUDGE_PAGE if id in GRADE_BINDINGS else BY_ID[id].page
    return BY_ID[page].label if page else translate("KeysEditor", "Everywhere")


def _key_label(id: str) -> str:
    if id in GRADE_BINDINGS:
        return filled(
            translate("KeysEditor", "grade {grade}"),
            grade=id.removeprefix("grade-"),
        )
    return BY_ID[id].label


def find_key_problem(id: str, key: str) -> str:
    """Return why a key cannot be assigned to an action or grade; empty if it can."""
    if clashing_action := KEYS.find_conflict(id, key):
        return filled(
            translate(
                "KeysEditor", "{key} is already the key for “{action}”. Nothing was changed."
            ),
            key=format_keys(key),
            action=_key_label(clashing_action),
        )
    if is_assignable(id, key):
        return ""
    return filled(
        translate(
            "KeysEditor",
            "{key} cannot be a grade key: choose one key without Ctrl, Alt or Shift that "
            "is not used for scrolling or pressing buttons.",
        )
        if id in GRADE_BINDINGS
        else translate(
            "KeysEditor",
            "{key} moves the page or the focus, presses buttons or edits text: choose another key.",
        ),
        key=format_keys(key),
    )


# The settings page

PAGE_WIDTH, ROW_WIDTH, CONTROL_WIDTH = 760, 560, 220


class SettingsView(View):
    """Settings page: a row with a control and help for each setting, and editor of keys.

    Changes take effect immediately; an invalid text is not stored, and an error is shown. Settings
    without a title are not shown.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.controls: dict[str, QWidget] = {}
        self.rows: dict[str, SettingRow] = {}
        self._display_functions: dict[str, Callable[[], object]] = {}
        self.keys = KeysEditor()
        parts = column(
            make_label(self.tr("Settings"), "title"),
            *map(self._make_card, CARDS),
            row(make_button(self.tr("Restore the defaults"), clicked=self._reset), None),
            None,
            spacing=SPACE_M,
            margins=(0, SPACE_XL, SPACE_L, SPACE_L),
        )
        self.setLayout(column(PageScrollArea(MaxWidthBox(PAGE_WIDTH, parts))))
        settings.changed.connect(self._refresh)

    def focus(self) -> None:
        next(iter(self.controls.values())).setFocus()

    def _make_card(self, name: str) -> QFrame:
        return card(
            make_label(_translate_setting(CARDS[name]), "heading"),
            *(
                self._make_row(setting)
                for setting in SETTINGS
                if setting.card == name and not isinstance(setting.default, dict)
            ),
            *([self.keys] if name == "keys" else []),
            spacing=SPACE_L,
        )

    def _make_row(self, setting: Setting) -> QWidget:
        control, show = self._make_control(setting)
        self.controls[setting.name] = control
        setting_row = self.rows[setting.name] = SettingRow(
            _translate_setting(setting.title), _translate_setting(setting.help), control
        )
        self._display_functions[setting.name] = lambda: show(self._settings.get(setting.name))
        self._display_functions[setting.name]()
        return setting_row

    def _make_control(self, setting: Setting) -> tuple[QWidget, Callable[[Any], object]]:
        """Return the control of a setting, and a function that shows a value in the control."""
        name = setting.name
        if setting.choices or name == "font":
            choice_box = ChoiceBox(
                activated=lambda _index: self._settings.set(name, choice_box.currentData())
            )
            choice_box.add_choices(
                (_translate_setting(label), choice) for choice, label in _list_choices(setting)
            )
            return choice_box, lambda value: choice_box.setCurrentIndex(
                max(0, choice_box.findData(value))
            )
        if isinstance(setting.default, bool):
            check_box = QCheckBox()
            check_box.clicked.connect(lambda checked: self._settings.set(name, checked))
            return check_box, lambda value: check_box.setChecked(bool(value))
        if setting.span and isinstance(setting.default, int):
            low, high = map(int, setting.span)
            number_field = NumberField(low, high, int(self._settings.get(name)), name, fits=False)
            number_field.changed.connect(lambda value: self._settings.set(name, value))
            return number_field, lambda value: number_field.set_value(int(value))
        text_field = QLineEdit()
        # an invalid text is replaced by the stored value
        text_field.editingFinished.connect(lambda: self._enter(setting, text_field.text()))
        return text_field, lambda value: text_field.setText(str(value))

    def _enter(self, setting: Setting, text: str) -> None:
        if text == str(self._settings.get(setting.name)):
            return  # the text was not edited; a visible error message is not replaced
        problem = self._find_problem(setting, text)
        self.rows[setting.name].show_problem(problem)
        if not problem:
            self._settings.set(setting.name, text)
        self._display_functions[setting.name]()

    def _find_problem(self, setting: Setting, text: str) -> str:
        title = _translate_setting(setting.title)
        if not self._settings.accepts(setting.name, text):
            low, high = setting.span or ("", "")
            return filled(
                self.tr("{title}: {typed} is out of range; expected {low} to {high}."),
                title=title,
                typed=repr(text),
                low=low,
                high=high,
            )
        try:
            if setting.name == "measures":
                parse_measures(text.split())
        except IrjudgeError as error:
            return filled(
                self.tr("{name}: {sentences}"), name=title, sentences=translate_message(str(error))
            )
        return ""

    def _reset(self) -> None:
        for setting in SETTINGS:
            if setting.title and self._settings.get(setting.name) != setting.default:
                self._settings.set(setting.name, setting.default)
        for setting_row in self.rows.values():
            setting_row.show_problem("")

    def _refresh(self, name: str) -> None:
        if name in self._display_functions:
            self._display_functions[name]()


class SettingRow(QWidget):
    """Row of the settings page: title and help of a setting, its control, and an error message.

    The row neither reads nor stores the setting.
    """

    def __init__(self, title: str, description: str, control: QWidget) -> None:
        super().__init__()
        self._control = control
        control.setAccessibleName(title)
        control.setAccessibleDescription(description)
        self._container = make_container(row(control, None))
        self.problem = make_label("", "error", hidden=True)
        texts = column(make_label(title), make_label(description, "small"), self.problem, spacing=2)
        self.setLayout(column(SideBySide(texts, row(self._container, None), ROW_WIDTH)))
        self._measure()

    def show_problem(self, problem: str) -> None:
        show_text(self.problem, "✕ " + problem if problem else "")

    def _measure(self) -> None:
        self._container.setFixedWidth(scale_length(CONTROL_WIDTH))
        if isinstance(self._control, ChoiceBox | NumberField | QLineEdit):
            self._control.setFixedWidth(scale_length(CONTROL_WIDTH))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._measure()


def _list_choices(setting: Setting) -> list[tuple[str, object]]:
    if setting.name != "font":
        return list(zip(setting.choices, setting.labels, strict=True))
    names = {
        "system": translate("Setting", "System"),
        "serif": translate("Setting", "Serif"),
        "sans": translate("Setting", "Sans serif"),
        "mono": translate("Setting", "Monospaced"),
    }
    return [
        *((choice, names[choice]) for choice in ("system", *FAMILIES)),
        *(
            (family, family)
            for family in QFontDatabase.families()
            if not QFontDatabase.isPrivateFamily(family)
        ),
    ]


def _translate_setting(text: object) -> str:
    return translate("Setting", str(text))


# Application of the settings of colours and fonts

# settings that change the appearance of the window
APPEARANCE_SETTINGS = ("theme", "zoom", "font", "highlight")
ZOOM_RANGE, ZOOM_STEP = (0.7, 3.0), 0.1


def apply_appearance(application: QApplication, settings: Settings) -> None:
    """Apply the settings of theme, zoom, font and highlight colour to the application."""
    theme, zoom, font, highlight = (settings.get(name) for name in APPEARANCE_SETTINGS)
    apply_theme(
        application,
        resolve_theme(str(theme)),
        float(zoom),
        highlight=str(highlight),
        font=str(font),
    )


class Appearance(QObject):
    """Object that applies the appearance settings whenever they or the desktop's theme change.

    Its methods increase and decrease the zoom and switch the theme. `changed` is emitted after the
    settings were applied to the application.
    """

    changed = Signal()

    def __init__(self, settings: Settings, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        settings.changed.connect(self._on_changed)
        hints = QApplication.styleHints()
        # connected to a method, since a lambda would be called even after the window was deleted
        hints.colorSchemeChanged.connect(self._apply)
        hints.accessibility().contrastPreferenceChanged.connect(self._apply)

    def zoom_in(self) -> None:
        self._zoom(float(self._settings.get("zoom")) + ZOOM_STEP)

    def zoom_out(self) -> None:
        self._zoom(float(self._settings.get("zoom")) - ZOOM_STEP)

    def zoom_reset(self) -> None:
        self._zoom(1.0)

    def _zoom(self, zoom: float) -> None:
        self._settings.set("zoom", round(min(max(zoom, ZOOM_RANGE[0]), ZOOM_RANGE[1]), 2))

    def switch_theme(self) -> None:
        self._settings.set("theme", opposite_theme(current_theme()))

    def _on_changed(self, name: str) -> None:
        if name in APPEARANCE_SETTINGS:
            self._apply()

    def _apply(self) -> None:
        application = QApplication.instance()
        if isinstance(application, QApplication):
            apply_appearance(application, self._settings)
        self.changed.emit()

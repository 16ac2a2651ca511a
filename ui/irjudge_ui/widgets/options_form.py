"""Form made from the options that a dataclass declares."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QLineEdit, QWidget

from irjudge.options import (
    FormField,
    OptionField,
    build_options,
    option_fields,
    unmet_conditions,
)
from irjudge_ui.messages import escape_markup, translate_message
from irjudge_ui.widgets.fields import ChoiceBox, NumberField
from irjudge_ui.widgets.layout import FieldError, fill_choices, make_button, make_label, row
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S

MAX_NUMBER = 999_999
NARROWEST = 140  # minimum width of a field, in pixels


class OptionsForm(QWidget):
    """Form with a field per option of a dataclass; fields that have no effect are hidden. Advanced
    options are shown once "More options" has been pressed.

    `changed` is emitted when a field was edited.

    Parameters
    ----------
    declared
        The dataclass.
    order
        Names of the options that come first, in this order.
    """

    changed = Signal()

    def __init__(self, declared: type, order: Sequence[str] = ()) -> None:
        super().__init__()
        self.declared = declared
        offered = [each for each in option_fields(declared) if each.option.in_form]
        rank = {name: index for index, name in enumerate(order)}
        self._options = sorted(
            offered,
            key=lambda each: (form_field(each).advanced, rank.get(each.name, len(rank))),
        )
        self.more = make_button(self.tr("More options"), "link")
        self.more.setCheckable(True)
        self.fields: dict[str, QWidget] = {
            each.name: self.make_field(each) for each in self._options
        }
        self.complaints: dict[QWidget, FieldError] = {
            field: FieldError(field)
            for field in self.fields.values()
            if isinstance(field, QLineEdit) and not isinstance(field, NumberField)
        }
        self._labels: dict[str, tuple[QLabel, ...]] = {}
        self._lay_out()
        for field in self.fields.values():
            self._connect(field)
        self.more.toggled.connect(lambda _on: self.show_fields())
        self.show_fields()

    def make_field(self, declared: OptionField) -> QWidget:
        """Return a field for an option, with its initial value."""
        shown = form_field(declared)
        initial = initial_value(declared)
        if declared.type is bool or shown.value is not True:
            field: QWidget = QCheckBox(translate_message(shown.unit))
        elif declared.choices:
            choices = shown.choices or tuple((each, str(each)) for each in declared.choices)
            field = ChoiceBox()
            texts = [(translate_message(text), value) for value, text in choices]
            initial_index = next((at for at, (_, each) in enumerate(texts) if each == initial), 0)
            fill_choices(field, texts, initial_index)
        elif declared.type is int:
            low = int(declared.option.minimum or 0)
            high = int(shown.maximum or declared.option.maximum or MAX_NUMBER)
            field = NumberField(low, high, initial or low, translate_message(shown.label))
        else:
            field = QLineEdit(initial_text(declared))
            field.setPlaceholderText(translate_message(shown.placeholder))
            if declared.type is float:
                field.setValidator(QDoubleValidator(field))
        if shown.tip:
            field.setToolTip(escape_markup(translate_message(shown.tip)))
        return field

    def _lay_out(self) -> None:
        box = QGridLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setVerticalSpacing(SPACE_S)
        box.setHorizontalSpacing(SPACE_M)
        group, index = "", 0
        for declared in self._options:
            field, shown = self.fields[declared.name], form_field(declared)
            if shown.advanced and box.indexOf(self.more) < 0:
                box.addWidget(self.more, index, 0, 1, 2)
                index += 1
            if declared.option.group not in ("", group):
                group = declared.option.group
                box.addWidget(make_label(translate_message(group), "heading"), index, 0, 1, 2)
                index += 1
            caption = translate_message(shown.label)
            label, unit = make_label(caption, "quiet"), make_label("", "quiet")
            field.setAccessibleName(caption)
            # In large text a long choice is narrowed, not its label.
            field.setMinimumWidth(min(field.minimumSizeHint().width(), NARROWEST))
            box.addWidget(label, index, 0)
            if isinstance(field, NumberField):
                unit.setText(translate_message(shown.unit))
                box.addLayout(row(field, unit, None), index, 1)
            else:
                box.addLayout(row(field), index, 1)
            if complaint := self.complaints.get(field):
                box.addWidget(complaint, index + 1, 1, 1, 2)
            numbered = isinstance(field, NumberField)
            self._labels[declared.name] = (label, unit) if numbered else (label,)
            index += 2
        box.setColumnStretch(2, 1)

    def _connect(self, field: QWidget) -> None:
        if isinstance(field, ChoiceBox):
            field.currentIndexChanged.connect(lambda _index: self._notify_edited())
        elif isinstance(field, QCheckBox):
            field.toggled.connect(lambda _on: self._notify_edited())
        elif isinstance(field, NumberField):
            field.changed.connect(lambda _value: self._notify_edited())
        elif isinstance(field, QLineEdit):
            field.textChanged.connect(lambda _text: self._notify_edited())

    def _notify_edited(self) -> None:
        self.show_fields()
        self.changed.emit()

    def show_fields(self) -> None:
        """Show only the fields that have an effect."""
        draft: Any = build_options(self.declared, self.values())
        for declared in self._options:
            unfolded = self.more.isChecked() or not form_field(declared).advanced
            visible = unfolded and self.has_effect(declared, draft)
            field = self.fields[declared.name]
            for each in (field, *self._labels[declared.name]):
                each.setVisible(visible)
            if not visible and (complaint := self.complaints.get(field)):
                complaint.take_back()

    def has_effect(self, declared: OptionField, draft: Any) -> bool:
        """Return whether an option has an effect, given the values of the others."""
        return not any(unmet_conditions(draft, declared))

    def reset(self) -> None:
        """Restore the initial value of each field except numbers."""
        for declared in self._options:
            field = self.fields[declared.name]
            if isinstance(field, QCheckBox):
                field.setChecked(False)
            elif isinstance(field, ChoiceBox):
                field.setCurrentIndex(max(0, field.findData(initial_value(declared))))
            elif isinstance(field, QLineEdit) and not isinstance(field, NumberField):
                field.setText(initial_text(declared))

    def values(self) -> Mapping[tuple[str, ...], Any]:
        """Return the values of all fields by the path of their option."""
        return {(*each.group, each.name): self.value_of(each) for each in self._options}

    def value_of(self, declared: OptionField) -> Any:
        """Return the value of a field; the default for an empty one."""
        field, shown = self.fields[declared.name], form_field(declared)
        if isinstance(field, QCheckBox):
            return shown.value if field.isChecked() else declared.default
        if isinstance(field, ChoiceBox):
            return field.currentData()
        if isinstance(field, NumberField):
            return field.value()
        assert isinstance(field, QLineEdit)  # noqa: S101 -- `make_field` makes no others
        text = field.text().strip()
        if declared.repeated:
            return tuple(filter(None, (each.strip() for each in text.split(","))))
        if not text or (declared.type is float and not field.hasAcceptableInput()):
            return declared.default
        return declared.type(text)

    def options(self) -> Any:
        """Return the options as an instance of the dataclass; options without effect have their
        default.
        """
        values = self.values()
        draft: Any = build_options(self.declared, values)
        hidden = {
            (*each.group, each.name) for each in self._options if not self.has_effect(each, draft)
        }
        return build_options(
            self.declared, {path: value for path, value in values.items() if path not in hidden}
        )


def form_field(declared: OptionField) -> FormField:
    """Return how the form shows an option; undeclared options use their name and help."""
    if declared.option.form is not None:
        return declared.option.form
    return FormField(declared.name.replace("_", " ").capitalize(), tip=declared.option.help)


def initial_value(declared: OptionField) -> Any:
    """Return the initial value of a field."""
    initial = form_field(declared).initial
    return declared.default if initial is None else initial


def initial_text(declared: OptionField) -> str:
    """Return the initial text of a text field."""
    initial = initial_value(declared)
    if isinstance(initial, tuple):
        return ", ".join(map(str, initial))
    return str(initial) if initial else ""

"""Form that is generated from the options that a dataclass declares."""

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QDoubleValidator
from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QWidget

from irjudge.options import (
    FormField,
    OptionField,
    build_options,
    option_fields,
    unmet_conditions,
)
from irjudge_ui.messages import escape_markup, translate_message
from irjudge_ui.widgets.fields import ChoiceBox, NumberField
from irjudge_ui.widgets.layout import (
    FieldError,
    fill_choices,
    make_button,
    make_grid,
    make_label,
    row,
)
from irjudge_ui.widgets.theme import SPACE_M, SPACE_S

MAX_NUMBER = 999_999
MIN_FIELD_WIDTH = 140  # minimum width of a field, in pixels


class OptionsForm(QWidget):
    """Form with fields for the options of a dataclass, except options declared as not in forms.

    `options` returns the entered options as an instance of the dataclass. Fields that have no
    effect are hidden, and their options get the default values. Advanced options are hidden until
    the user presses "More options".

    `changed` is emitted after the value of a field has changed, even when `reset` changes it.
    `reset` does not restore number fields.

    Parameters
    ----------
    declared
        Dataclass that declares the options.
    order
        Names of the options whose fields come first, in this order.
    """

    changed = Signal()

    def __init__(self, declared: type, order: Sequence[str] = ()) -> None:
        super().__init__()
        self.declared = declared
        form_options = [field for field in option_fields(declared) if field.option.in_form]
        ranks = {name: index for index, name in enumerate(order)}
        self._options = sorted(
            form_options,
            key=lambda option: (form_field(option).advanced, ranks.get(option.name, len(ranks))),
        )
        self.more = make_button(self.tr("More options"), "link")
        self.more.setCheckable(True)
        self.fields: dict[str, QWidget] = {
            option.name: self.make_field(option) for option in self._options
        }
        self.field_errors: dict[QWidget, FieldError] = {
            field: FieldError(field)
            for field in self.fields.values()
            if isinstance(field, QLineEdit) and not isinstance(field, NumberField)
        }
        self._labels: dict[str, tuple[QLabel, ...]] = {}
        self._lay_out()
        for field in self.fields.values():
            self._connect(field)
        self.more.toggled.connect(lambda _checked: self.show_fields())
        self.show_fields()

    def make_field(self, option: OptionField) -> QWidget:
        """Return a field for an option, with its initial value."""
        form_option = form_field(option)
        initial = initial_value(option)
        if option.type is bool or form_option.value is not True:
            field: QWidget = QCheckBox(translate_message(form_option.unit))
        elif option.choices:
            choices = form_option.choices or tuple(
                (choice, str(choice)) for choice in option.choices
            )
            field = ChoiceBox()
            texts = [(translate_message(text), value) for value, text in choices]
            initial_index = next(
                (index for index, (_, choice) in enumerate(texts) if choice == initial), 0
            )
            fill_choices(field, texts, initial_index)
        elif option.type is int:
            low = int(option.option.minimum or 0)
            high = int(form_option.maximum or option.option.maximum or MAX_NUMBER)
            field = NumberField(low, high, initial or low, translate_message(form_option.label))
        else:
            field = QLineEdit(
                initial_text(option), placeholderText=translate_message(form_option.placeholder)
            )
            if option.type is float:
                field.setValidator(QDoubleValidator(field))
        if form_option.tip:
            field.setToolTip(escape_markup(translate_message(form_option.tip)))
        return field

    def _lay_out(self) -> None:
        box = make_grid(SPACE_M, SPACE_S, stretched=2)
        self.setLayout(box)
        group, index = "", 0
        for option in self._options:
            field, form_option = self.fields[option.name], form_field(option)
            if form_option.advanced and box.indexOf(self.more) < 0:
                box.addWidget(self.more, index, 0, 1, 2)
                index += 1
            if option.option.group not in ("", group):
                group = option.option.group
                box.addWidget(make_label(translate_message(group), "heading"), index, 0, 1, 2)
                index += 1
            caption = translate_message(form_option.label)
            label = make_label(caption, "quiet")
            units = (
                [make_label(translate_message(form_option.unit), "quiet")]
                if isinstance(field, NumberField)
                else []
            )
            field.setAccessibleName(caption)
            # With a large font, a combo box with long choices may shrink, so that its label fits.
            field.setMinimumWidth(min(field.minimumSizeHint().width(), MIN_FIELD_WIDTH))
            box.addWidget(label, index, 0)
            box.addLayout(row(field, *units, *([None] if units else [])), index, 1)
            if field_error := self.field_errors.get(field):
                box.addWidget(field_error, index + 1, 1, 1, 2)
            self._labels[option.name] = (label, *units)
            index += 2

    def _connect(self, field: QWidget) -> None:
        if isinstance(field, ChoiceBox):
            field.currentIndexChanged.connect(lambda _index: self._notify_edited())
        elif isinstance(field, QCheckBox):
            field.toggled.connect(lambda _checked: self._notify_edited())
        elif isinstance(field, NumberField):
            field.changed.connect(lambda _value: self._notify_edited())
        elif isinstance(field, QLineEdit):
            field.textChanged.connect(lambda _text: self._notify_edited())

    def _notify_edited(self) -> None:
        self.show_fields()
        self.changed.emit()

    def show_fields(self) -> None:
        """Show the fields that have an effect, but advanced fields only if requested."""
        draft: Any = build_options(self.declared, self.values())
        for option in self._options:
            is_unfolded = self.more.isChecked() or not form_field(option).advanced
            is_visible = is_unfolded and self.has_effect(option, draft)
            field = self.fields[option.name]
            for widget in (field, *self._labels[option.name]):
                widget.setVisible(is_visible)
            if not is_visible and (field_error := self.field_errors.get(field)):
                field_error.hide_error()

    def has_effect(self, option: OptionField, draft: Any) -> bool:
        """Return whether an option has an effect, given the values of all options in `draft`."""
        return not any(unmet_conditions(draft, option))

    def reset(self) -> None:
        """Restore the initial values of all fields except number fields."""
        for option in self._options:
            field = self.fields[option.name]
            if isinstance(field, QCheckBox):
                field.setChecked(False)
            elif isinstance(field, ChoiceBox):
                field.setCurrentIndex(max(0, field.findData(initial_value(option))))
            elif isinstance(field, QLineEdit) and not isinstance(field, NumberField):
                field.setText(initial_text(option))

    def values(self) -> Mapping[tuple[str, ...], Any]:
        """Return the value of each field, by the path (group and name) of its option."""
        return {(*option.group, option.name): self.get_value(option) for option in self._options}

    def get_value(self, option: OptionField) -> Any:
        """Return the value of an option's field; the default if the field is empty."""
        field, form_option = self.fields[option.name], form_field(option)
        if isinstance(field, QCheckBox):
            return form_option.value if field.isChecked() else option.default
        if isinstance(field, ChoiceBox):
            return field.currentData()
        if isinstance(field, NumberField):
            return field.value()
        assert isinstance(field, QLineEdit)  # noqa: S101 -- `make_field` makes no others
        text = field.text().strip()
        if option.repeated:
            return tuple(filter(None, (part.strip() for part in text.split(","))))
        if not text or (option.type is float and not field.hasAcceptableInput()):
            return option.default
        return option.type(text)

    def options(self) -> Any:
        """Return the entered options as an instance of the dataclass.

        Options that have no effect get their default values.
        """
        values = self.values()
        draft: Any = build_options(self.declared, values)
        hidden = {
            (*option.group, option.name)
            for option in self._options
            if not self.has_effect(option, draft)
        }
        return build_options(
            self.declared, {path: value for path, value in values.items() if path not in hidden}
        )


def form_field(option: OptionField) -> FormField:
    """Return the declaration of an option's field; if there is none, derive it from the option."""
    if option.option.form is not None:
        return option.option.form
    return FormField(option.name.replace("_", " ").capitalize(), tip=option.option.help)


def initial_value(option: OptionField) -> Any:
    """Return the declared initial value of an option's field, or else the option's default."""
    initial = form_field(option).initial
    return option.default if initial is None else initial


def initial_text(option: OptionField) -> str:
    """Return the initial text of an option's text field."""
    initial = initial_value(option)
    if isinstance(initial, tuple):
        return ", ".join(map(str, initial))
    return str(initial) if initial else ""

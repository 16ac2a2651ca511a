"""Tests of a form made from declared options: fields, ranges, conditions and values."""

from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QLineEdit

from irjudge.options import FormField, Option, When
from irjudge_ui.widgets import ChoiceBox, NumberField, OptionsForm


@dataclass(frozen=True, kw_only=True)
class Inner:
    depth: Annotated[int, Option("Depth.", minimum=2, maximum=9)] = 4


@dataclass(frozen=True, kw_only=True)
class Choices:
    way: Annotated[
        Literal["a", "b"],
        Option("Way.", form=FormField("Which way", choices=(("b", "second"), ("a", "first")))),
    ] = "a"
    inner: Inner = field(default_factory=Inner)
    names: Annotated[tuple[str, ...], Option("Names.", group="People")] = ()
    share: Annotated[float, Option("Share.", when=(When("way", ("b",)),))] = 0.5
    many: Annotated[int, Option("Many.", form=FormField("Many", unit="six", value=6))] = 0
    note: Annotated[str | None, Option("Note.", when=(When("many", enforced=False),))] = None
    hidden: Annotated[str, Option("Hidden.", in_form=False)] = "kept"


@pytest.fixture
def form(qapp: QApplication) -> OptionsForm:
    return OptionsForm(Choices, ("names", "many"))


def line_edit(form: OptionsForm, name: str) -> QLineEdit:
    result = form.fields[name]
    assert isinstance(result, QLineEdit)
    return result


def test_an_untouched_form_gives_the_defaults(form: OptionsForm) -> None:
    assert form.options() == Choices()


def test_the_kind_of_a_field_follows_from_the_type(form: OptionsForm) -> None:
    kinds = {name: type(each) for name, each in form.fields.items()}
    assert list(kinds) == ["names", "many", "way", "depth", "share", "note"]
    assert kinds["way"] is ChoiceBox and kinds["depth"] is NumberField
    assert kinds["many"] is QCheckBox and kinds["names"] is kinds["share"] is QLineEdit


def test_choices_are_offered_in_the_order_and_with_the_texts_of_the_form(
    form: OptionsForm,
) -> None:
    box = form.fields["way"]
    assert isinstance(box, ChoiceBox)
    assert [(box.itemText(at), box.itemData(at)) for at in range(box.count())] == [
        ("second", "b"),
        ("first", "a"),
    ]
    assert box.currentData() == "a"


def test_labels_and_headings_come_from_the_declaration(form: OptionsForm) -> None:
    labels = [each.text() for each in form.findChildren(QLabel)]
    assert {"Which way", "Depth", "People"} <= {*labels}
    assert form.fields["depth"].accessibleName() == "Depth"
    assert form.fields["depth"].toolTip() == "Depth."


def test_a_number_stays_in_the_declared_range(form: OptionsForm) -> None:
    depth = form.fields["depth"]
    assert isinstance(depth, NumberField)
    depth.set_value(99)
    assert form.options().inner == Inner(depth=9)
    depth.set_value(0)
    assert form.options().inner == Inner(depth=2)


def test_an_option_without_effect_is_hidden_and_has_its_default(form: OptionsForm) -> None:
    box, many = form.fields["way"], form.fields["many"]
    assert isinstance(box, ChoiceBox) and isinstance(many, QCheckBox)
    line_edit(form, "share").setText("0.25")
    line_edit(form, "note").setText("later")
    assert form.fields["share"].isHidden() and form.fields["note"].isHidden()
    assert form.options() == Choices()
    box.setCurrentIndex(0)
    many.setChecked(True)
    assert not form.fields["share"].isHidden() and not form.fields["note"].isHidden()
    assert form.options() == Choices(way="b", share=0.25, many=6, note="later")


def test_several_values_are_separated_by_commas(form: OptionsForm) -> None:
    line_edit(form, "names").setText(" ann, ,bob ")
    assert form.options().names == ("ann", "bob")


def test_an_edit_is_signalled_and_reset_restores_what_is_no_number(form: OptionsForm) -> None:
    edits: list[int] = []
    form.changed.connect(lambda: edits.append(1))
    line_edit(form, "names").setText("ann")
    many = form.fields["many"]
    assert isinstance(many, QCheckBox)
    many.setChecked(True)
    assert len(edits) == 2
    form.reset()
    assert form.options() == Choices()

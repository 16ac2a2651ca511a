"""Colours: every word can be read, every grade told from its neighbours."""

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets.theme import DARK, LIGHT, Theme, contrast, ink_on, wanted_theme

ENOUGH = 4.5
both = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)


@pytest.mark.parametrize(
    ("one", "other", "value"), [("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1.0), ("#777777", "#ffffff", 4.48)]
)
def test_contrast_is_that_of_wcag(one: str, other: str, value: float) -> None:
    assert contrast(QColor(one), QColor(other)) == contrast(QColor(other), QColor(one)) == pytest.approx(value, abs=0.005)


@both
@pytest.mark.parametrize("words", ["text", "quiet", "accent", "warning", "error"])
@pytest.mark.parametrize("back", ["surface", "window"])
def test_words_can_be_read_on_every_background(theme: Theme, words: str, back: str) -> None:
    assert contrast(QColor(getattr(theme, words)), QColor(getattr(theme, back))) >= ENOUGH


@both
@pytest.mark.parametrize(("words", "back"), [("on_accent", "accent"), ("quiet", "key"), ("text", "key"), ("text", "mark")])
def test_words_on_colours_can_be_read(theme: Theme, words: str, back: str) -> None:
    assert contrast(QColor(getattr(theme, words)), QColor(getattr(theme, back))) >= ENOUGH


@both
@pytest.mark.parametrize("grades", range(2, 11))
def test_the_ink_of_every_grade_can_be_read(theme: Theme, grades: int) -> None:
    for place in range(grades):
        colour = theme.grade(place, grades - 1)
        for shade in (colour, colour.darker(106)):  # pressed down
            assert contrast(ink_on(shade), shade) >= ENOUGH, (place, colour.name())


@both
@pytest.mark.parametrize("grades", range(2, 11))
def test_every_grade_has_its_own_colour_and_stronger_ones_differ_more_from_the_page(theme: Theme, grades: int) -> None:
    colours = [theme.grade(place, grades - 1) for place in range(grades)]
    assert len({colour.name() for colour in colours}) == grades
    strengths = [contrast(colour, QColor(theme.surface)) for colour in colours[1:]]
    assert strengths == sorted(strengths)


@both
def test_unjudged_is_hatched_and_never_the_colour_of_grade_zero(theme: Theme) -> None:
    assert theme.hatch().color() != theme.grade(0, 3)


def test_a_theme_is_chosen_by_name_and_the_system_decides_otherwise(qtbot: QtBot) -> None:
    assert (wanted_theme("dark"), wanted_theme("light")) == (DARK, LIGHT)
    assert wanted_theme("system") in (DARK, LIGHT)

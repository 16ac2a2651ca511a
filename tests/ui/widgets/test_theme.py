"""Tests of colours: readable text in every theme, grades distinguishable with colour blindness."""

import re
from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QFontInfo,
    QFontMetrics,
    QGuiApplication,
    QImage,
    QPainter,
    QPalette,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit
from pytestqt.qtbot import QtBot

from irjudge.palette import MARKS
from irjudge_ui.widgets import (
    Theme,
    apply_theme,
    choose_text_colour,
    current_theme,
    opposite_theme,
    resolve_theme,
)
from irjudge_ui.widgets.theme import (
    CONTRAST_DARK,
    CONTRAST_LIGHT,
    DOCUMENT_FONT_SIZE,
    LIGHT,
    THEMES,
    contrast,
    document_font,
    mark_format,
    style_sheet,
)

TEXT_ON_BACKGROUND = {  # backgrounds, and the text colours on each
    "window": ("text", "quiet", "accent", "warning", "error"),
    "surface": ("text", "quiet", "accent", "warning", "error"),
    "key": ("text", "quiet"),
    "accent": ("on_accent",),
    "mark": ("text",),
}
PAIRS = [(words, back) for back, all_words in TEXT_ON_BACKGROUND.items() for words in all_words]
each_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)

# Simulation of missing cone types, for linear RGB: Machado, Oliveira and Fernandes (2009), A
# physiologically-based model for simulation of color vision deficiency, IEEE TVCG 15(6), tables for
# severity 1.0 on the authors' page.
VISION = {
    "every cone": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
# sRGB, IEC 61966-2-1
TO_XYZ = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
WHITE = (0.9505, 1.0, 1.089)
# the just noticeable difference in CIELAB: Mahy, Van Eycken and Oosterlinck (1994)
JUST_NOTICEABLE = 2.3


def min_contrast(theme: Theme) -> float:
    return 7 if theme.strong else 4.5


@each_theme
@pytest.mark.parametrize("back", ["window", "surface", "key"])
def test_the_handle_of_a_scroll_bar_is_visible_on_every_background(theme: Theme, back: str) -> None:
    (color,) = re.findall(
        r"QScrollBar::handle \{ background: (#\w+);", style_sheet(theme.name, 1.0)
    )
    (track,) = set(
        re.findall(
            r"QScrollBar:(?:vertical|horizontal) \{ background: (\w+);",
            style_sheet(theme.name, 1.0),
        )
    )
    assert (
        track == "transparent" and contrast(QColor(color), QColor(getattr(theme, back))) >= 3
    )  # WCAG 2.2, 1.4.11
    (over,) = re.findall(
        r"QScrollBar::handle:hover \{ background: (#\w+);", style_sheet(theme.name, 1.0)
    )
    assert contrast(QColor(over), QColor(theme.surface)) > contrast(
        QColor(color), QColor(theme.surface)
    ), "it stands out under the mouse"


def multiply(matrix: tuple[tuple[float, ...], ...], parts: list[float]) -> list[float]:
    return [sum(factor * part for factor, part in zip(line, parts, strict=True)) for line in matrix]


def to_lab(colour: QColor, vision: str) -> tuple[float, float, float]:
    """Convert a colour to CIELAB (D65) as seen with a kind of colour vision."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    seen = [min(max(part, 0.0), 1.0) for part in multiply(VISION[vision], linear)]
    ratios = [part / white for part, white in zip(multiply(TO_XYZ, seen), WHITE, strict=True)]
    x, y, z = (
        ratio ** (1 / 3) if ratio > 216 / 24389 else (24389 / 27 * ratio + 16) / 116
        for ratio in ratios
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.fixture
def application(qtbot: QtBot) -> Iterator[QApplication]:
    instance = QApplication.instance()
    assert isinstance(instance, QApplication)
    yield instance
    apply_theme(instance, LIGHT)


@pytest.mark.parametrize(
    ("one", "other", "value"),
    [("#000000", "#ffffff", 21.0), ("#ffffff", "#ffffff", 1.0), ("#777777", "#ffffff", 4.48)],
)
def test_contrast_follows_wcag(one: str, other: str, value: float) -> None:
    assert (
        contrast(QColor(one), QColor(other))
        == contrast(QColor(other), QColor(one))
        == pytest.approx(value, abs=0.005)
    )


@each_theme
@pytest.mark.parametrize(("text", "back"), PAIRS)
def test_text_is_readable_on_every_background(theme: Theme, text: str, back: str) -> None:
    assert contrast(QColor(getattr(theme, text)), QColor(getattr(theme, back))) >= min_contrast(
        theme
    )


@each_theme
@pytest.mark.parametrize("highlight", [name for name in MARKS if name != "underline"])
def test_text_is_readable_on_every_highlight(theme: Theme, highlight: str) -> None:
    assert contrast(QColor(theme.text), QColor(MARKS[highlight][theme.dark])) >= min_contrast(theme)


@pytest.mark.parametrize("theme", [CONTRAST_LIGHT, CONTRAST_DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("back", ["window", "surface", "key"])
def test_lines_are_prominent_in_high_contrast(theme: Theme, back: str) -> None:
    assert contrast(QColor(theme.line), QColor(getattr(theme, back))) >= 3


@each_theme
@pytest.mark.parametrize("grades", range(2, 11))
def test_the_text_of_every_grade_is_readable(theme: Theme, grades: int) -> None:
    for index in range(grades):
        colour = theme.grade(index, grades - 1)
        for shade in (colour, colour.darker(106)):  # pressed
            assert contrast(choose_text_colour(shade), shade) >= min_contrast(theme), (
                index,
                colour.name(),
            )


@each_theme
@pytest.mark.parametrize("grades", range(2, 11))
def test_every_grade_has_its_own_colour_and_higher_ones_differ_more_from_the_page(
    theme: Theme, grades: int
) -> None:
    colours = [theme.grade(index, grades - 1) for index in range(grades)]
    assert len({colour.name() for colour in colours}) == grades
    strengths = [contrast(colour, QColor(theme.surface)) for colour in colours[1:]]
    assert strengths == sorted(strengths)


@pytest.mark.parametrize("vision", VISION)
@each_theme
@pytest.mark.parametrize("grades", range(2, 11))
def test_grades_are_ordered_and_distinguishable_with_every_kind_of_colour_vision(
    theme: Theme, grades: int, vision: str
) -> None:
    seen = [to_lab(theme.grade(index, grades - 1), vision) for index in range(grades)]
    lightness = [light for light, _, _ in seen]
    assert lightness == sorted(
        lightness, reverse=not theme.dark
    )  # from pale to strong: increasing distance from the background
    for one, other in pairwise(seen):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 >= JUST_NOTICEABLE


def test_the_simulation_confuses_red_and_green_if_either_cone_is_missing() -> None:
    red, green = QColor("#C0392B"), QColor("#6E7A1F")
    apart = {
        name: sum((a - b) ** 2 for a, b in zip(to_lab(red, name), to_lab(green, name), strict=True))
        ** 0.5
        for name in VISION
    }
    assert apart["deuteranopia"] < apart["every cone"] / 3
    assert to_lab(QColor("#FFFFFF"), "every cone") == pytest.approx((100, 0, 0), abs=0.05)
    assert to_lab(QColor("#FF0000"), "every cone") == pytest.approx(
        (53.24, 80.09, 67.20), abs=0.1
    )  # sRGB's red, D65


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_dark_differs_from_light_only_in_colours_and_in_the_shade_of_icons(zoom: float) -> None:
    def shapes(name: str) -> str:
        return re.sub(r"#[0-9A-Fa-f]{6}|-(light|dark)(?=\.svg)", "", style_sheet(name, zoom))

    assert shapes("light") == shapes("dark") != style_sheet("dark", zoom)


@each_theme
def test_unjudged_is_hatched_and_grades_are_not(theme: Theme) -> None:
    hatched = QImage(24, 24, QImage.Format.Format_RGB32)
    hatched.fill(QColor(theme.surface))
    painter = QPainter(hatched)
    painter.fillRect(hatched.rect(), theme.hatch())
    painter.end()
    colours = {hatched.pixelColor(x, y).name().upper() for x in range(24) for y in range(24)}
    assert colours == {theme.surface, theme.quiet}
    assert theme.quiet not in {theme.grade(index, 3).name().upper() for index in range(4)}
    assert contrast(QColor(theme.quiet), QColor(theme.surface)) >= 3


@each_theme
def test_a_theme_is_found_by_its_name(theme: Theme) -> None:
    assert resolve_theme(theme.name) is theme


@pytest.mark.parametrize("strong", [False, True])
@pytest.mark.parametrize("dark", [False, True])
def test_the_desktop_determines_darkness_and_contrast(
    dark: bool, strong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Desktop:
        def colorScheme(self) -> Qt.ColorScheme:
            return Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light

        def accessibility(self) -> "Desktop":
            return self

        def contrastPreference(self) -> Qt.ContrastPreference:
            return (
                Qt.ContrastPreference.HighContrast if strong else Qt.ContrastPreference.NoPreference
            )

    monkeypatch.setattr(QGuiApplication, "styleHints", Desktop)
    wished = resolve_theme("system")
    assert (wished.dark, wished.strong) == (dark, strong)


def test_the_current_desktop_can_be_queried(qtbot: QtBot) -> None:
    assert resolve_theme("system") in THEMES.values()


@each_theme
def test_switching_keeps_the_contrast_and_switching_twice_restores_the_theme(theme: Theme) -> None:
    other = THEMES[opposite_theme(theme)]
    assert (
        other.strong == theme.strong
        and other.dark != theme.dark
        and opposite_theme(other) == theme.name
    )


@each_theme
@pytest.mark.parametrize("highlight", MARKS)
def test_highlighted_text_has_the_chosen_highlight(
    theme: Theme, highlight: str, application: QApplication
) -> None:
    apply_theme(application, theme, highlight=highlight)
    look = mark_format()
    assert (
        current_theme().name == theme.name and current_theme().mark == MARKS[highlight][theme.dark]
    )
    assert look.fontUnderline() == (theme.strong or highlight == "underline")
    assert (look.background().style() == Qt.BrushStyle.NoBrush) == (highlight == "underline")
    if highlight != "underline":
        assert look.background().color() == QColor(MARKS[highlight][theme.dark])
        assert look.foreground().color() == QColor(theme.text)


@each_theme
@pytest.mark.parametrize("field", [QLineEdit, QPlainTextEdit])
def test_placeholders_in_empty_fields_are_readable(
    theme: Theme, field: type[QLineEdit], application: QApplication, qtbot: QtBot
) -> None:
    apply_theme(application, theme)
    made = field()
    qtbot.addWidget(made)
    made.ensurePolished()
    hint = made.palette().color(QPalette.ColorRole.PlaceholderText)
    assert hint == QColor(theme.quiet) and hint.alpha() == 255


@pytest.mark.slow
def test_only_documents_have_the_chosen_font(application: QApplication) -> None:
    apply_theme(application, LIGHT)
    systems, window = document_font(), application.font()
    (installed, *_) = [
        family
        for family in QFontDatabase.families()
        if family != systems.family() and QFontInfo(family).exactMatch()
    ]
    apply_theme(application, LIGHT, font=installed)
    assert document_font(1.5).family() == installed and document_font(1.5).pixelSize() == round(
        1.5 * DOCUMENT_FONT_SIZE
    )
    assert application.font() == window
    apply_theme(application, LIGHT, font="mono")
    mono = QFontMetrics(document_font())
    assert mono.horizontalAdvance("iiii") == mono.horizontalAdvance("WWWW")
    apply_theme(application, LIGHT, font="no such font")
    assert document_font() == systems

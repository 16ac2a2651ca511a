"""Colours: every word can be read in every theme, every grade told from its neighbours with every kind of colour vision."""

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
    current_theme,
    ink_on,
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

BACKS = {  # what words stand on, and which words
    "window": ("text", "quiet", "accent", "warning", "error"),
    "surface": ("text", "quiet", "accent", "warning", "error"),
    "key": ("text", "quiet"),
    "accent": ("on_accent",),
    "mark": ("text",),
}
PAIRS = [(words, back) for back, all_words in BACKS.items() for words in all_words]
every = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)

# How people see who lack one kind of cone, for linear RGB: Machado, Oliveira and Fernandes (2009), A physiologically-based model for
# simulation of color vision deficiency, IEEE TVCG 15(6), the tables for severity 1.0 on the authors' page.
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
# a difference in CIELAB that people just notice: Mahy, Van Eycken and Oosterlinck (1994)
JUST_SEEN = 2.3


def enough(theme: Theme) -> float:
    return 7 if theme.strong else 4.5


@every
@pytest.mark.parametrize("back", ["window", "surface", "key"])
def test_the_handle_of_a_scroll_bar_is_seen_on_whatever_it_runs_over(
    theme: Theme, back: str
) -> None:
    (drawn,) = re.findall(
        r"QScrollBar::handle \{ background: (#\w+);", style_sheet(theme.name, 1.0)
    )
    (track,) = set(
        re.findall(
            r"QScrollBar:(?:vertical|horizontal) \{ background: (\w+);",
            style_sheet(theme.name, 1.0),
        )
    )
    assert (
        track == "transparent" and contrast(QColor(drawn), QColor(getattr(theme, back))) >= 3
    )  # WCAG 2.2, 1.4.11
    (over,) = re.findall(
        r"QScrollBar::handle:hover \{ background: (#\w+);", style_sheet(theme.name, 1.0)
    )
    assert contrast(QColor(over), QColor(theme.surface)) > contrast(
        QColor(drawn), QColor(theme.surface)
    ), "it stands out under the mouse"


def times(matrix: tuple[tuple[float, ...], ...], parts: list[float]) -> list[float]:
    return [sum(factor * part for factor, part in zip(line, parts, strict=True)) for line in matrix]


def lab(colour: QColor, vision: str) -> tuple[float, float, float]:
    """Lightness and the two directions of colour (CIELAB, D65) that somebody sees."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    seen = [min(max(part, 0.0), 1.0) for part in times(VISION[vision], linear)]
    ratios = [part / white for part, white in zip(times(TO_XYZ, seen), WHITE, strict=True)]
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
def test_contrast_is_that_of_wcag(one: str, other: str, value: float) -> None:
    assert (
        contrast(QColor(one), QColor(other))
        == contrast(QColor(other), QColor(one))
        == pytest.approx(value, abs=0.005)
    )


@every
@pytest.mark.parametrize(("words", "back"), PAIRS)
def test_words_can_be_read_on_everything_they_stand_on(theme: Theme, words: str, back: str) -> None:
    assert contrast(QColor(getattr(theme, words)), QColor(getattr(theme, back))) >= enough(theme)


@every
@pytest.mark.parametrize("highlight", [name for name in MARKS if name != "underline"])
def test_words_can_be_read_on_every_highlight(theme: Theme, highlight: str) -> None:
    assert contrast(QColor(theme.text), QColor(MARKS[highlight][theme.dark])) >= enough(theme)


@pytest.mark.parametrize("theme", [CONTRAST_LIGHT, CONTRAST_DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("back", ["window", "surface", "key"])
def test_lines_stand_out_in_high_contrast(theme: Theme, back: str) -> None:
    assert contrast(QColor(theme.line), QColor(getattr(theme, back))) >= 3


@every
@pytest.mark.parametrize("grades", range(2, 11))
def test_the_ink_of_every_grade_can_be_read(theme: Theme, grades: int) -> None:
    for place in range(grades):
        colour = theme.grade(place, grades - 1)
        for shade in (colour, colour.darker(106)):  # pressed down
            assert contrast(ink_on(shade), shade) >= enough(theme), (place, colour.name())


@every
@pytest.mark.parametrize("grades", range(2, 11))
def test_every_grade_has_its_own_colour_and_stronger_ones_differ_more_from_the_page(
    theme: Theme, grades: int
) -> None:
    colours = [theme.grade(place, grades - 1) for place in range(grades)]
    assert len({colour.name() for colour in colours}) == grades
    strengths = [contrast(colour, QColor(theme.surface)) for colour in colours[1:]]
    assert strengths == sorted(strengths)


@pytest.mark.parametrize("vision", VISION)
@every
@pytest.mark.parametrize("grades", range(2, 11))
def test_grades_keep_their_order_and_stay_apart_with_every_kind_of_colour_vision(
    theme: Theme, grades: int, vision: str
) -> None:
    seen = [lab(theme.grade(place, grades - 1), vision) for place in range(grades)]
    lightness = [light for light, _, _ in seen]
    assert lightness == sorted(
        lightness, reverse=not theme.dark
    )  # from pale to strong: away from the page
    for one, other in pairwise(seen):
        assert sum((a - b) ** 2 for a, b in zip(one, other, strict=True)) ** 0.5 >= JUST_SEEN


def test_the_simulation_knows_that_red_and_green_meet_without_the_cone_for_either() -> None:
    red, green = QColor("#C0392B"), QColor("#6E7A1F")
    apart = {
        name: sum((a - b) ** 2 for a, b in zip(lab(red, name), lab(green, name), strict=True))
        ** 0.5
        for name in VISION
    }
    assert apart["deuteranopia"] < apart["every cone"] / 3
    assert lab(QColor("#FFFFFF"), "every cone") == pytest.approx((100, 0, 0), abs=0.05)
    assert lab(QColor("#FF0000"), "every cone") == pytest.approx(
        (53.24, 80.09, 67.20), abs=0.1
    )  # sRGB's red, D65


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_dark_differs_from_light_in_colours_and_in_the_shade_of_icons_alone(zoom: float) -> None:
    def shapes(name: str) -> str:
        return re.sub(r"#[0-9A-Fa-f]{6}|-(light|dark)(?=\.svg)", "", style_sheet(name, zoom))

    assert shapes("light") == shapes("dark") != style_sheet("dark", zoom)


@every
def test_unjudged_is_hatched_and_grades_are_not(theme: Theme) -> None:
    hatched = QImage(24, 24, QImage.Format.Format_RGB32)
    hatched.fill(QColor(theme.surface))
    painter = QPainter(hatched)
    painter.fillRect(hatched.rect(), theme.hatch())
    painter.end()
    colours = {hatched.pixelColor(x, y).name().upper() for x in range(24) for y in range(24)}
    assert colours == {theme.surface, theme.quiet}
    assert theme.quiet not in {theme.grade(place, 3).name().upper() for place in range(4)}
    assert contrast(QColor(theme.quiet), QColor(theme.surface)) >= 3


@every
def test_a_theme_is_chosen_by_its_name(theme: Theme) -> None:
    assert resolve_theme(theme.name) is theme


@pytest.mark.parametrize("strong", [False, True])
@pytest.mark.parametrize("dark", [False, True])
def test_the_desktop_decides_on_darkness_and_contrast(
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


def test_the_desktop_of_now_can_be_asked(qtbot: QtBot) -> None:
    assert resolve_theme("system") in THEMES.values()


@every
def test_switching_keeps_the_contrast_and_twice_is_back(theme: Theme) -> None:
    other = THEMES[opposite_theme(theme)]
    assert (
        other.strong == theme.strong
        and other.dark != theme.dark
        and opposite_theme(other) == theme.name
    )


@every
@pytest.mark.parametrize("highlight", MARKS)
def test_marked_words_have_the_wanted_highlight(
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


@every
@pytest.mark.parametrize("field", [QLineEdit, QPlainTextEdit])
def test_hints_in_empty_fields_can_be_read(
    theme: Theme, field: type[QLineEdit], application: QApplication, qtbot: QtBot
) -> None:
    apply_theme(application, theme)
    made = field()
    qtbot.addWidget(made)
    made.ensurePolished()
    hint = made.palette().color(QPalette.ColorRole.PlaceholderText)
    assert hint == QColor(theme.quiet) and hint.alpha() == 255


@pytest.mark.slow
def test_documents_have_the_wanted_font_and_nothing_else_has(application: QApplication) -> None:
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

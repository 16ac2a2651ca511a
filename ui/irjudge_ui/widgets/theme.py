"""Themes of the window: colours, fonts, spacing, and the style sheet."""

from dataclasses import asdict, dataclass, replace
from functools import cache
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QFontInfo,
    QGuiApplication,
    QPalette,
    QTextCharFormat,
)
from PySide6.QtWidgets import QApplication, QWidget

from irjudge.palette import MARKS, PALETTES, Palette
from irjudge.shipped import shipped_folder

SPACE_XS, SPACE_S, SPACE_M, SPACE_L, SPACE_XL = 4, 8, 12, 16, 24
READING_WIDTH = 700  # maximum line width in pixels: about 75 characters of 16-pixel text

(
    CONTROL_FONT_SIZE,
    SMALL_FONT_SIZE,
    CARD_TITLE_FONT_SIZE,
    PAGE_TITLE_FONT_SIZE,
    DOCUMENT_FONT_SIZE,
) = 13, 12, 15, 20, 16


class Theme(Palette):
    """Colours of a theme, with functions for grades and unjudged documents.

    The themes are light and dark, each also with high contrast. The colour of a grade depends on
    its level on the scale.
    """

    __slots__ = ()

    def grade(self, level: int, highest_grade: int) -> QColor:
        """Return the colour of a grade level on a scale whose highest level is `highest_grade`."""
        if level <= 0:
            return QColor(self.grade_zero)
        steps = [QColor(step) for step in self.grade_steps]
        position = (
            (level - 1) / max(1, highest_grade - 1) * (len(steps) - 1)
            if highest_grade > 1
            else len(steps) - 1
        )
        low, fraction = int(position), position - int(position)
        high = min(low + 1, len(steps) - 1)
        components = zip(steps[low].getRgb()[:3], steps[high].getRgb()[:3], strict=True)  # type: ignore[index]
        return QColor(*(round(a + (b - a) * fraction) for a, b in components))

    def hatch(self) -> QBrush:
        """Return the brush of unjudged items: grey and hatched, unlike grade 0."""
        return QBrush(QColor(self.quiet), Qt.BrushStyle.BDiagPattern)


LIGHT, DARK, CONTRAST_LIGHT, CONTRAST_DARK = (Theme(**asdict(palette)) for palette in PALETTES)
THEMES = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST_LIGHT, CONTRAST_DARK)}


def _apply_highlight(theme: Theme, highlight: str) -> Theme:
    return replace(theme, mark=MARKS[highlight][theme.dark])


@dataclass(slots=True)
class _Appearance:
    """Current theme, zoom, font of documents and locale of the window.

    The values are stored in Python, since drawing a cell needs them and a query through Qt would
    wait for other threads.
    """

    theme: Theme
    zoom: float = 1.0
    font: str = "system"
    locale: str = ""
    is_applied: bool = False


_APPEARANCE = _Appearance(_apply_highlight(LIGHT, "amber"))

FAMILIES = {
    "serif": QFont.StyleHint.Serif,
    "sans": QFont.StyleHint.SansSerif,
    "mono": QFont.StyleHint.Monospace,
}

# fonts with the Han glyphs of a locale, used for characters that the system's font lacks; otherwise
# Qt may choose Japanese glyphs
SCRIPTS = {
    "zh_CN": (
        "Noto Sans CJK SC",
        "Source Han Sans SC",
        "Microsoft YaHei UI",
        "PingFang SC",
        "WenQuanYi Micro Hei",
    )
}


def choose_text_colour(background: QColor) -> QColor:
    """Return black or white, whichever has the higher contrast on a colour."""
    return max((QColor("#000000"), QColor("#FFFFFF")), key=lambda ink: contrast(ink, background))


def contrast(first: QColor, second: QColor) -> float:
    """Return the contrast ratio of two colours, from 1 to 21 (WCAG 2)."""
    luminances = sorted((_luminance(first), _luminance(second)))
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)


def _luminance(colour: QColor) -> float:
    linear_components = [
        component / 12.92 if component <= 0.04045 else ((component + 0.055) / 1.055) ** 2.4
        for component in (colour.redF(), colour.greenF(), colour.blueF())
    ]
    return (
        0.2126 * linear_components[0]
        + 0.7152 * linear_components[1]
        + 0.0722 * linear_components[2]
    )


def resolve_theme(choice: str) -> Theme:
    """Return the theme for a value of the setting `theme`.

    For `system`, it is the theme that fits the desktop's colour scheme and contrast.
    """
    if choice in THEMES:
        return THEMES[choice]
    # stored in a variable, since PySide would delete the object otherwise
    hints = QGuiApplication.styleHints()
    high_contrast = hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
    dark = hints.colorScheme() == Qt.ColorScheme.Dark
    return next(
        theme for theme in THEMES.values() if (theme.dark, theme.strong) == (dark, high_contrast)
    )


def opposite_theme(theme: Theme) -> str:
    """Return the name of the light counterpart of a dark theme, or vice versa."""
    return next(
        other_theme.name
        for other_theme in THEMES.values()
        if (other_theme.dark, other_theme.strong) == (not theme.dark, theme.strong)
    )


def current_theme() -> Theme:
    """Return the current theme, with the highlight colour that the user has chosen."""
    return _APPEARANCE.theme


def mark_format() -> QTextCharFormat:
    """Return the text format of marked terms.

    Marked terms have the highlight colour. Without a highlight colour, or in a theme with high
    contrast, they are underlined.
    """
    theme, text_format = current_theme(), QTextCharFormat()
    colour = QColor(theme.mark)
    if colour.alpha():
        text_format.setBackground(colour)
        # links also get the text colour, since their own colour is not always legible on a mark
        text_format.setForeground(QColor(theme.text))
    if theme.strong or not colour.alpha():
        text_format.setFontUnderline(True)
        text_format.setUnderlineColor(QColor(theme.accent))
    return text_format


def document_font(zoom: float = 1.0) -> QFont:
    """Return the font in which documents are shown at a zoom.

    The font family is the one chosen by the user or, if this is not installed, the default family
    of the system.
    """
    family, font = _APPEARANCE.font, QFont(QApplication.font())
    if family in FAMILIES:
        font.setStyleHint(FAMILIES[family])
        font.setFamilies([font.defaultFamily()])
    elif family in QFontDatabase.families():
        font.setFamilies([family])
    font.setPixelSize(round(DOCUMENT_FONT_SIZE * zoom))
    return font


def scale_length(pixels: float) -> int:
    """Return a length in pixels at the current zoom, given the length at normal zoom."""
    return round(pixels * _APPEARANCE.zoom)


def apply_theme(
    application: QApplication,
    theme: Theme,
    zoom: float = 1.0,
    *,
    highlight: str = "amber",
    font: str = "system",
) -> None:
    """Set the theme and zoom of the application, and highlight colour and font of documents.

    Existing widgets change when `apply_style` is called for them.
    """
    is_unchanged = _APPEARANCE.is_applied and (_APPEARANCE.theme.name, _APPEARANCE.zoom) == (
        theme.name,
        zoom,
    )
    _APPEARANCE.theme, _APPEARANCE.zoom, _APPEARANCE.font = (
        _apply_highlight(theme, highlight),
        zoom,
        font,
    )
    if is_unchanged:
        return
    if not _APPEARANCE.is_applied:
        application.setStyle("Fusion")
    _APPEARANCE.is_applied = True
    application.setFont(_base_font(zoom))
    application.setPalette(_make_palette(theme))


def apply_style(widget: QWidget) -> None:
    """Set the style sheet for the current theme and zoom on a widget, unless already set.

    The style sheet also applies to the widget's children. The application has no style sheet, since
    Qt would then restyle all widgets of all pages, which takes two seconds.
    """
    sheet = style_sheet(_APPEARANCE.theme.name, _APPEARANCE.zoom)
    if widget.styleSheet() != sheet:
        widget.setStyleSheet(sheet)


@cache
def style_sheet(name: str, zoom: float) -> str:
    """Return the style sheet for a theme, given by its name, and for a zoom."""
    theme = THEMES[name]
    sheet = Template((shipped_folder("resources") / "style.qss").read_text(encoding="utf-8"))
    return sheet.substitute(_make_colours(theme), **_make_shapes(theme), **_make_sizes(zoom))


def apply_script(application: QApplication, locale: str) -> None:
    """Use the glyphs of a locale (such as `zh_CN`) for characters that languages share."""
    _APPEARANCE.locale = locale
    application.setFont(_base_font(_APPEARANCE.zoom))


def window_locale() -> str:
    """Return the name of the locale of the window's texts, such as `zh_CN`."""
    return _APPEARANCE.locale


def _base_font(zoom: float) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    if script := SCRIPTS.get(window_locale()):
        font.setFamilies([QFontInfo(font).family(), *script])
    font.setPixelSize(round(CONTROL_FONT_SIZE * zoom))
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


def _make_colours(theme: Theme) -> dict[str, str]:
    names = (
        "window",
        "surface",
        "line",
        "handle",
        "text",
        "quiet",
        "accent",
        "on_accent",
        "key",
        "warning",
        "error",
    )
    return {name: getattr(theme, name) for name in names}


def _make_shapes(theme: Theme) -> dict[str, str]:
    """Return the style sheet's values for icons and for borders of disabled controls."""
    return {
        "icons": (shipped_folder("resources") / "icons").as_posix(),
        "shade": "dark" if theme.dark else "light",
        "disabled": "dashed" if theme.strong else "solid",
    }


def _make_sizes(zoom: float) -> dict[str, str]:
    sizes = {
        "control": CONTROL_FONT_SIZE,
        "small": SMALL_FONT_SIZE,
        "card_title": CARD_TITLE_FONT_SIZE,
        "page_title": PAGE_TITLE_FONT_SIZE,
    }
    return {f"{name}_size": f"{round(size * zoom)}px" for name, size in sizes.items()}


def _make_palette(theme: Theme) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for names, colour in (
        ((role.Window, role.AlternateBase), theme.window),
        ((role.Base, role.Button, role.ToolTipBase), theme.surface),
        ((role.WindowText, role.Text, role.ButtonText, role.ToolTipText), theme.text),
        ((role.PlaceholderText,), theme.quiet),
        ((role.Highlight, role.Link, role.Accent), theme.accent),
        ((role.HighlightedText,), theme.on_accent),
    ):
        for name in names:
            palette.setColor(name, QColor(colour))
    # Qt's own colour of disabled labels is hard to read
    for name in (role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.quiet))
    return palette

"""Colours, type and spacing of the whole window, light and dark, in one place."""

from dataclasses import dataclass
from string import Template

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication

from irjudge.shipped import shipped

SPACE_XS, SPACE_S, SPACE_M, SPACE_L, SPACE_XL = 4, 8, 12, 16, 24
READING_WIDTH = 700  # about 75 characters of 16-pixel text

CONTROL, QUIET, CARD_TITLE, PAGE_TITLE, DOCUMENT = 13, 12, 15, 20, 16


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of one appearance, and its grades from pale (0) to strong (K)."""

    name: str
    window: str
    surface: str
    line: str
    text: str
    quiet: str
    accent: str
    on_accent: str
    mark: str
    key: str
    warning: str
    error: str
    grade_zero: str
    grade_steps: tuple[str, ...]

    def grade(self, place: int, highest: int) -> QColor:
        """Return the colour of the grade at a place of a scale whose last place is `highest`."""
        if place <= 0:
            return QColor(self.grade_zero)
        steps = [QColor(step) for step in self.grade_steps]
        at = (place - 1) / max(1, highest - 1) * (len(steps) - 1) if highest > 1 else len(steps) - 1
        low, part = int(at), at - int(at)
        high = min(low + 1, len(steps) - 1)
        parts = zip(steps[low].getRgb()[:3], steps[high].getRgb()[:3], strict=True)  # type: ignore[index]
        return QColor(*(round(a + (b - a) * part) for a, b in parts))

    def hatch(self) -> QBrush:
        """Return the brush of what is unjudged: grey and hatched, never the colour of grade 0."""
        return QBrush(QColor(self.quiet), Qt.BrushStyle.BDiagPattern)


LIGHT = Theme(
    name="light",
    window="#F6F6F3",
    surface="#FFFFFF",
    line="#E2E2DC",
    text="#1F2328",
    quiet="#5B656F",
    accent="#1F5F8B",
    on_accent="#FFFFFF",
    mark="#FFE9A8",
    key="#EFEFEA",
    warning="#8A5300",
    error="#B3261E",
    grade_zero="#EEF1F3",
    grade_steps=("#CFE3EE", "#8CC0DA", "#256F98"),
)
DARK = Theme(
    name="dark",
    window="#15171A",
    surface="#1D2024",
    line="#2E3238",
    text="#E8E8E4",
    quiet="#98A1AA",
    accent="#7DB4E0",
    on_accent="#10202C",
    mark="#5A4A12",
    key="#2A2E33",
    warning="#E3B341",
    error="#FF8A80",
    grade_zero="#2A2F34",
    grade_steps=("#27465A", "#2F6F95", "#6FB7E0"),
)


def ink_on(background: QColor) -> QColor:
    """Return black or white, whichever reads better on a colour."""
    return max((QColor("#000000"), QColor("#FFFFFF")), key=lambda ink: contrast(ink, background))


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2)."""
    lights = sorted((_luminance(one), _luminance(other)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def _luminance(colour: QColor) -> float:
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def wanted_theme(choice: str) -> Theme:
    """Return the theme for a setting: `light`, `dark`, or `system`, which follows the desktop."""
    if choice == "system":
        choice = "dark" if QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"
    return DARK if choice == "dark" else LIGHT


def current_theme() -> Theme:
    """Return the theme the application shows now."""
    return DARK if QApplication.instance() and QApplication.instance().property("irjudge-theme") == "dark" else LIGHT  # type: ignore[union-attr]


def zoomed(pixels: float) -> int:
    """Return a length at the zoom that the application shows now."""
    application = QApplication.instance()
    return round(pixels * float((application.property("irjudge-zoom") if application else None) or 1.0))


def apply_theme(application: QApplication, theme: Theme, zoom: float = 1.0) -> None:
    """Give the whole application a theme; zoom scales type and spacing together."""
    application.setProperty("irjudge-theme", theme.name)
    application.setProperty("irjudge-zoom", zoom)
    application.setStyle("Fusion")
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font.setPixelSize(round(CONTROL * zoom))
    font.setFeature(QFont.Tag("tnum"), 1)
    application.setFont(font)
    application.setPalette(_palette(theme))
    sheet = Template((shipped("resources") / "style.qss").read_text(encoding="utf-8"))
    application.setStyleSheet(sheet.substitute(_colours(theme), icons=(shipped("resources") / "icons").as_posix(), **_sizes(zoom)))


def _colours(theme: Theme) -> dict[str, str]:
    names = ("name", "window", "surface", "line", "text", "quiet", "accent", "on_accent", "mark", "key", "warning", "error")
    return {name: getattr(theme, name) for name in names}


def _sizes(zoom: float) -> dict[str, str]:
    sizes = {"control": CONTROL, "small": QUIET, "card_title": CARD_TITLE, "page_title": PAGE_TITLE}
    return {f"{name}_size": f"{round(size * zoom)}px" for name, size in sizes.items()}


def _palette(theme: Theme) -> QPalette:
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
    for name in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, name, QColor(theme.quiet))
    return palette

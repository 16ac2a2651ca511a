"""Colours of window, page, reports and figures: light, dark and high-contrast palettes."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours of one appearance, such as light or dark.

    The colours of grades range from pale (lowest grade) to strong (highest grade).
    """

    name: str
    window: str  # background of the window
    surface: str  # background of cards and fields
    line: str  # borders and axes
    handle: str  # scroll bar handle, with a contrast of 3 to 1 on any background
    text: str
    quiet: str  # secondary text
    accent: str  # links, selection and focus
    on_accent: str  # text on `accent`
    mark: str  # default background of marked terms
    key: str  # background of key caps and of selected rows
    warning: str
    error: str
    grade_zero: str  # colour of the lowest grade
    # colours of the other grades, lowest first; interpolated if the number of grades differs
    grade_steps: tuple[str, ...]
    dark: bool = False
    strong: bool = False  # whether this is a high-contrast palette


LIGHT = Palette(
    name="light",
    window="#F6F6F3",
    surface="#FFFFFF",
    line="#E2E2DC",
    handle="#858A91",
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
DARK = Palette(
    name="dark",
    window="#15171A",
    surface="#1D2024",
    line="#2E3238",
    handle="#727B85",
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
    dark=True,
)
# In high contrast, each grade's colour has a contrast of at least 7:1 with black or white text.
CONTRAST_LIGHT = Palette(
    name="contrast-light",
    window="#FFFFFF",
    surface="#FFFFFF",
    line="#5C5C5C",
    handle="#5C5C5C",
    text="#000000",
    quiet="#2E2E2E",
    accent="#003A7A",
    on_accent="#FFFFFF",
    mark="#FFE9A8",
    key="#F0F0F0",
    warning="#5A3600",
    error="#8C0F0A",
    grade_zero="#F4F4F4",
    grade_steps=("#D3EAFB", "#4FA9DE"),
    strong=True,
)
CONTRAST_DARK = Palette(
    name="contrast-dark",
    window="#000000",
    surface="#000000",
    line="#A8A8A8",
    handle="#A8A8A8",
    text="#FFFFFF",
    quiet="#DADADA",
    accent="#9ED0FF",
    on_accent="#000000",
    mark="#5A4A12",
    key="#1E1E1E",
    warning="#FFD24D",
    error="#FFB4AB",
    grade_zero="#262626",
    grade_steps=("#5AA6DA", "#DDF1FF"),
    dark=True,
    strong=True,
)
PALETTES = (LIGHT, DARK, CONTRAST_LIGHT, CONTRAST_DARK)

# Highlight colours (light, dark); on each, text in black or in the theme's text colour is readable.
MARKS = {
    "amber": (LIGHT.mark, DARK.mark),
    "green": ("#CFEFC2", "#1F5425"),
    "blue": ("#CDE4FF", "#1D4A78"),
    "pink": ("#FFD6E6", "#722447"),
    "underline": ("transparent", "transparent"),
}

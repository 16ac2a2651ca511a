"""How figures look: colours on light and on dark that stay apart for every kind of colour blindness and in grey print."""

from dataclasses import dataclass

from irjudge import palette


@dataclass(frozen=True, slots=True)
class FigureColours:
    """Colours of a figure."""

    name: str  # `light` or `dark`
    # background, words, quiet words and marks, lines of the axes
    paper: str
    text: str
    quiet: str
    line: str
    hues: tuple[str, ...]  # of chosen marks; each differs from the next in lightness too
    # the ends of the scale of a grid, from nothing to most: one hue, so that grey print keeps the order
    pale: str
    strong: str
    below: str  # the other end, of values below 0


LIGHT = FigureColours(
    name="light",
    paper=palette.LIGHT.surface,
    text=palette.LIGHT.text,
    quiet="#AAB2BA",
    line="#D9DCDF",
    hues=(palette.LIGHT.accent, "#D55E00", "#00795A", "#8A3C7C", "#9A7400", palette.LIGHT.text),
    pale="#F3F6F8",
    strong="#0F3F61",
    below="#A84800",
)
DARK = FigureColours(
    name="dark",
    paper=palette.DARK.surface,
    text=palette.DARK.text,
    quiet="#6B737C",
    line="#3A3F46",
    hues=(palette.DARK.accent, "#FF9E57", "#4FC9A0", "#E29BD0", "#E5C453", "#F0F0EC"),
    pale="#262A2F",
    strong="#A9D6F7",
    below="#FFB27A",
)
LOOKS = {look.name: look for look in (LIGHT, DARK)}

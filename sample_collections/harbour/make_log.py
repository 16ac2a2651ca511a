"""Write the log-book of the harbour watch, a year in 300,000 characters: `documents/log-book.md`.

The weather is a small model: the pressure wanders, and wind, sky and sea follow from how fast it falls or rises.
Sentences are dealt from decks, so that none comes back before all were used.
"""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent
PHRASES = FOLDER / "log_phrases.txt"

MONTHS = {
    "January": 31, "February": 28, "March": 31, "April": 30, "May": 31, "June": 30,
    "July": 31, "August": 31, "September": 30, "October": 31, "November": 30, "December": 31,
}  # fmt: skip
SEASONS = (
    "winter",
    "winter",
    "spring",
    "spring",
    "spring",
    "summer",
    "summer",
    "summer",
    "autumn",
    "autumn",
    "autumn",
    "winter",
)
WEEK = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WATCHES = ("Night", "Morning", "Afternoon", "Evening")
RISING_WINDS = ("north-west", "north", "north-east", "west")
FALLING_WINDS = ("south", "south-west", "south-east", "south-west")


@dataclass
class Decks:
    """Deals phrases by the name of their deck, each once before any comes back."""

    phrases: dict[str, list[str]]
    chance: random.Random
    left: dict[str, list[str]] = field(default_factory=dict)

    def deal(self, name: str) -> str:
        """Return the next phrase of a deck, with `{other}` filled from other decks."""
        if not self.left.get(name):
            self.left[name] = sorted(self.phrases[name], key=lambda _: self.chance.random())
        phrase = self.left[name].pop()
        while "{" in phrase:
            before, _, rest = phrase.partition("{")
            slot, _, after = rest.partition("}")
            phrase = before + self.deal(slot) + after
        return phrase

    def sentences(self, name: str) -> str:
        """Return the next phrase with a capital at the start of each sentence."""
        return re.sub(r"(?:^|(?<=[.?] ))[a-z]", lambda letter: letter[0].upper(), self.deal(name))

    def happens(self, share: float) -> bool:
        """Tell whether something happens that does so in this share of all cases."""
        return self.chance.random() < share


@dataclass
class Weather:
    """The pressure in hectopascals and how much it changed since the last watch."""

    chance: random.Random
    pressure: float = 1013.0
    change: float = 0.0

    def next_watch(self) -> None:
        """Go on by six hours: the change has inertia, and the pressure is drawn back to its mean."""
        push = (self.chance.random() + self.chance.random() + self.chance.random() - 1.5) * 5.2
        self.change = 0.6 * self.change + push - 0.08 * (self.pressure - 1013)
        self.pressure += self.change

    @property
    def tendency(self) -> str:
        """What the needle does, in a word that names decks too."""
        if abs(self.change) < 1:
            return "steady"
        quickly = "fast" if abs(self.change) >= 4 else "slowly"
        return f"{'falling' if self.change < 0 else 'rising'} {quickly}"

    @property
    def force(self) -> int:
        """The wind on Beaufort's scale: the farther from calm weather and the faster the change, the more."""
        return min(
            11,
            int(
                1
                + abs(self.change) * 0.9
                + max(0.0, 1012 - self.pressure) * 0.12
                + 2 * self.chance.random()
            ),
        )

    @property
    def wind(self) -> str:
        """Where the wind comes from."""
        winds = RISING_WINDS if self.change > 0 else FALLING_WINDS
        return winds[int(self.chance.random() * len(winds))]


def read_phrases() -> dict[str, list[str]]:
    """Return the decks: a line `= name` begins one, every other line is a phrase."""
    decks: dict[str, list[str]] = {}
    for line in PHRASES.read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            name = line[2:]
            decks[name] = []
        elif line:
            decks[name].append(line)
    return decks


def sky(weather: Weather, force: int, *, dark: bool) -> str:
    """Return the deck that fits the weather."""
    if force >= 8:
        return "gale"
    if force <= 2 and weather.tendency == "steady":
        return "calm"
    return f"dark, {weather.tendency.split()[0]}" if dark else weather.tendency


def watch(name: str, season: str, weather: Weather, decks: Decks) -> str:
    """Return the entry of one watch."""
    weather.next_watch()
    force = weather.force
    dark = name in ("Night", "Evening")
    parts = [
        f"**{name}.** Glass {weather.pressure:.0f}, {weather.tendency}. Wind {weather.wind} {force}.",
        decks.sentences(sky(weather, force, dark=dark)),
    ]
    if name != "Night" and force < 9 and decks.happens(0.8):
        parts.append(decks.sentences("arrival" if decks.happens(0.5) else "departure"))
    if not dark and decks.happens(0.7):
        parts.append(decks.sentences(season))
    if decks.happens(0.65):
        parts.append(decks.sentences("night" if name == "Night" else "event"))
    return " ".join(parts)


def days() -> Iterator[tuple[str, int, str]]:
    """Yield month, day and day of the week."""
    place = 0
    for month, length in MONTHS.items():
        for day in range(1, length + 1):
            yield month, day, WEEK[place % 7]
            place += 1


def entries() -> Iterator[str]:
    """Yield the paragraphs of the log-book."""
    chance, season = random.Random(1912), dict(zip(MONTHS, SEASONS, strict=True))
    decks, weather = Decks(read_phrases(), chance), Weather(chance)
    yield "# Log-book of the harbour watch"
    yield decks.deal("foreword")
    for month, day, name in days():
        if day == 1:
            yield f"## {month}"
        yield f"### {name}, {day} {month}"
        yield from (watch(each, season[month], weather, decks) for each in WATCHES)
        special = f"{day} {month}"
        if special in decks.phrases:
            yield decks.deal(special)
        elif name == "Sunday":
            yield decks.deal("sunday")


def main() -> None:
    """Write the log-book."""
    text = "\n\n".join(entries()) + "\n"
    (FOLDER / "documents" / "log-book.md").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()

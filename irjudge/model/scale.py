"""Grading scales, and the keys for judging."""

import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from irjudge.errors import FormatError, IrjudgeError
from irjudge.message import Message

DEFAULT_LABELS = {
    1: ("Not relevant", "Relevant"),
    2: ("Not relevant", "Partly relevant", "Relevant"),
    3: ("Not relevant", "Marginally relevant", "Relevant", "Highly relevant"),
    4: ("Not relevant", "Marginally relevant", "Fairly relevant", "Relevant", "Highly relevant"),
}
QUESTIONS = {
    "citation support": Message("Does the passage support the sentence?"),
    "nugget support": Message("Does the answer contain this statement?"),
    "nugget importance": Message("Must a good answer contain this statement?"),
}
MAX_SCALE_GRADE = 99


@dataclass(frozen=True, slots=True)
class Grade:
    """Definition of a grade of a scale: value (0 or more), and label and help, possibly empty."""

    value: int
    label: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """Grading scale: a name, and grades from the lowest; values may have gaps (0, 1, 3).

    It has at least two grades. Judgments contain its `version`, a hash of names, values and texts.
    """

    name: str
    grades: tuple[Grade, ...]

    def __post_init__(self) -> None:
        values = self.values
        if (
            len(values) < 2
            or list(values) != sorted(set(values))
            or values[0] < 0
            or values[-1] > MAX_SCALE_GRADE
        ):
            raise IrjudgeError(
                "A scale needs at least two different grades between 0 and {highest}, lowest "
                "first; got {values}.",
                highest=MAX_SCALE_GRADE,
                values=list(values),
            )

    @property
    def values(self) -> tuple[int, ...]:
        """Values of the grades, ascending."""
        return tuple(grade.value for grade in self.grades)

    @property
    def question(self) -> str:
        """Question that assessors answer with the grades; empty for relevance."""
        return QUESTIONS.get(self.name, "")

    @property
    def highest(self) -> int:
        """Highest value of the grades, which is G in the formulas of graded measures."""
        return self.grades[-1].value

    @property
    def version(self) -> str:
        """Hash of the scale's name, values, labels and help texts; judgments contain this hash."""
        from hashlib import sha256  # noqa: PLC0415 -- slow (OpenSSL), and evaluating needs none

        return sha256(self.to_json().encode()).hexdigest()[:12]

    def to_json(self) -> str:
        """Return the scale as JSON for `from_json`."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Scale":
        """Return the scale that `to_json` wrote.

        Raises ValueError, KeyError, TypeError or IrjudgeError if the text is invalid or contains
        lone surrogates.
        """
        data = json.loads(text)
        grades = tuple(
            Grade(int(grade["value"]), str(grade.get("label") or ""), str(grade.get("help") or ""))
            for grade in data["grades"]
        )
        if any(
            isinstance(entry["value"], bool) or grade.value != float(entry["value"])
            for grade, entry in zip(grades, data["grades"], strict=True)
        ):
            raise ValueError("a grade is not a whole number")
        name = str(data["name"])
        # raises UnicodeEncodeError, a ValueError, if a text contains lone surrogates
        "".join((name, *(grade.label + grade.help for grade in grades))).encode()
        return cls(name, grades)

    @classmethod
    def parse(cls, text: str) -> "Scale":
        """Return the scale that a user specified: `binary`, `0-3`, or the path of a JSON file.

        >>> Scale.parse("binary").values
        (0, 1)
        >>> [grade.label for grade in Scale.parse("0-2").grades]
        ['Not relevant', 'Partly relevant', 'Relevant']
        """
        span = re.fullmatch(r"0-(\d{1,2})", "0-1" if text == "binary" else text)
        if span and int(span[1]) >= 1:
            highest_grade = int(span[1])
            labels = DEFAULT_LABELS.get(highest_grade, ("",) * (highest_grade + 1))
            return cls(text, tuple(Grade(value, label) for value, label in enumerate(labels)))
        if os.path.isfile(text):  # noqa: PTH113 -- `Path.is_file` fails for invalid paths
            return read_scale(Path(text))
        raise IrjudgeError(
            "Unknown scale {scale!r}; expected binary, 0-1 to 0-{highest}, or a JSON file.",
            key="unknown-scale",
            scale=text,
            highest=MAX_SCALE_GRADE,
        )


def read_scale(path: Path) -> Scale:
    """Read a scale file: `{"name": …, "grades": [{"value": 0, "label": …, "help": …}, …]}`.

    Raises FormatError if the file cannot be read or does not have this structure.
    """
    try:
        return Scale.from_json(path.read_text(encoding="utf-8-sig"))
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        IrjudgeError,
    ) as error:
        problem = Message(
            'not a scale; expected {{"name": …, "grades": [{{"value": 0, "label": …}}, …]}} '
            "({error})",
            key="not-a-scale",
            error=error,
        )
        raise FormatError(path, problem) from error


# Keys for judging, in the window and in the browser

ARROW_SIGNS = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓"}  # symbols on the arrow keys
# Keys that move the focus, scroll, press buttons or close menus. Users cannot assign them to
# commands.
NAVIGATION_KEYS = (
    "Tab",
    "Escape",
    "Return",
    "Space",
    "Left",
    "Right",
    "Up",
    "Down",
    "PageUp",
    "PageDown",
    "Home",
    "End",
)
EDITING_KEYS = ("Ctrl+C", "Ctrl+X", "Ctrl+V", "Ctrl+A")


@dataclass(frozen=True, slots=True)
class JudgingKey:
    """Command of judging pages in window and browser: id, label, and default keys."""

    id: str
    text: Message
    keys: tuple[str, ...]  # default keys, in Qt's notation; the first one is displayed
    # kind of judging to which the command applies; empty for both kinds
    where: Literal["grade", "compare", ""] = ""


JUDGING_KEYS = {
    key.id: key
    for key in (
        JudgingKey("skip", Message("skip for now"), ("S",), "grade"),
        JudgingKey("unjudgeable", Message("unjudgeable"), ("X",), "grade"),
        JudgingKey("unsure", Message("unsure"), ("U",), "grade"),
        JudgingKey("note", Message("note"), ("N",), "grade"),
        JudgingKey("reason", Message("mark as evidence"), ("R",), "grade"),
        JudgingKey("passage", Message("best passage"), ("B",), "grade"),
        JudgingKey("highlight", Message("highlight a word"), ("H",), "grade"),
        JudgingKey("next-hit", Message("next highlight"), ("J",), "grade"),
        JudgingKey("previous-hit", Message("previous highlight"), ("K",), "grade"),
        JudgingKey("find", Message("find in document"), ("Ctrl+F",), "grade"),
        JudgingKey("find-next", Message("find next"), ("F3",), "grade"),
        JudgingKey("find-previous", Message("find previous"), ("Shift+F3",), "grade"),
        JudgingKey("pages", Message("show page images"), ("P",), "grade"),
        JudgingKey("jump", Message("list documents"), ("L",), "grade"),
        JudgingKey(
            "search-collection", Message("search collection"), ("/", "Ctrl+Shift+F"), "grade"
        ),
        JudgingKey("back", Message("previous document"), ("Backspace",), "grade"),
        JudgingKey("several", Message("several documents per page"), ("I",), "grade"),
        JudgingKey("next-on-page", Message("next document on the page"), ("Alt+Down",), "grade"),
        JudgingKey(
            "previous-on-page", Message("previous document on the page"), ("Alt+Up",), "grade"
        ),
        JudgingKey("left", Message("left better"), ("Left",), "compare"),
        JudgingKey("equal", Message("about equal"), ("0", "="), "compare"),
        JudgingKey("right", Message("right better"), ("Right",), "compare"),
        JudgingKey("much-left", Message("left much better"), ("Shift+Left",), "compare"),
        JudgingKey("much-right", Message("right much better"), ("Shift+Right",), "compare"),
        JudgingKey("open-result", Message("open the result"), ("O",), "compare"),
        JudgingKey("link", Message("synchronise scrolling"), ("L",), "compare"),
        JudgingKey("same", Message("show matching documents"), ("J",), "compare"),
        JudgingKey("panel-note", Message("note"), ("N",), "compare"),
        JudgingKey("later", Message("skip for now"), ("S",), "compare"),
        JudgingKey("undo", Message("undo"), ("Ctrl+Z",)),
        JudgingKey("redo", Message("redo"), ("Ctrl+Shift+Z", "Ctrl+Y")),
        JudgingKey("save-result", Message("save result"), ("Ctrl+S",)),
        JudgingKey("hand-in", Message("submit"), ("Ctrl+Return",)),
        JudgingKey("help", Message("Instructions"), ("F1",)),
        JudgingKey("shortcuts", Message("All shortcuts"), ("?",)),
        JudgingKey("settings", Message("Settings"), ("Ctrl+,",)),
        JudgingKey("retry", Message("retry saving"), ("F5",)),
    )
}

# Keys for judging with the left hand only. Commands that are not listed keep their default keys,
# which are within reach of the left hand or not needed for judging.
LEFT_HAND_KEYS: dict[str, tuple[str, ...]] = {
    "grade-0": ("`", "0"),
    "grade-6": ("Q", "6"),
    "grade-7": ("W", "7"),
    "grade-8": ("E", "8"),
    "grade-9": ("R", "9"),
    "unsure": ("D",),
    "note": ("A",),
    "reason": ("F",),
    "highlight": ("G",),
    "jump": ("T",),
    "back": ("Z", "Backspace"),
    "go-on": ("Alt+Z",),
    "previous-hit": ("C",),
    "next-hit": ("V",),
    "hand-in": ("Ctrl+D", "Ctrl+Return"),
    "print": ("Alt+W", "Ctrl+P"),
    "pages": ("Alt+R", "P"),
    "search-collection": ("Alt+E", "/"),
    "several": ("Alt+Q", "I"),
    "next-on-page": ("Alt+V", "Alt+Down"),
    "previous-on-page": ("Alt+G", "Alt+Up"),
    # not Alt+Y, because Y is on German keyboards where Z, the key of `back`, is on others
    "why-shown": ("Alt+A",),
    "order": ("Alt+C", "O"),
    "shortcuts": ("Shift+F1", "?"),
    "zoom-out": ("Alt+S", "Ctrl+-"),
    "zoom-reset": ("Alt+D", "Ctrl+0"),
    "zoom-in": ("Alt+F", "Ctrl++", "Ctrl+="),
}

"""A grading scale: the grades an assessor can give and what each means."""

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from irjudge.errors import FormatError, IrjudgeError
from irjudge.message import Message

LABELS = {
    1: ("Not relevant", "Relevant"),
    2: ("Not relevant", "Partly relevant", "Relevant"),
    3: ("Not relevant", "Marginally relevant", "Relevant", "Highly relevant"),
    4: ("Not relevant", "Marginally relevant", "Fairly relevant", "Relevant", "Highly relevant"),
}
QUESTIONS = {
    "citation support": Message("Does the passage support the sentence?"),
    "nugget support": Message("Does the answer say this?"),
    "nugget importance": Message("Must a good answer say this?"),
}
HIGHEST = 99


@dataclass(frozen=True, slots=True)
class Grade:
    """One step of a scale: its value (0 or more), a short label, and a sentence of help."""

    value: int
    label: str = ""
    help: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    """The grades of a project, lowest first; their values need not be contiguous (0 1 3 is a scale)."""

    name: str
    grades: tuple[Grade, ...]

    def __post_init__(self) -> None:
        values = self.values
        if (
            len(values) < 2
            or list(values) != sorted(set(values))
            or values[0] < 0
            or values[-1] > HIGHEST
        ):
            raise IrjudgeError(
                "A scale needs two or more different grades between 0 and {highest}, lowest first; got {values}.",
                highest=HIGHEST,
                values=list(values),
            )

    @property
    def values(self) -> tuple[int, ...]:
        """The values of the grades, ascending."""
        return tuple(grade.value for grade in self.grades)

    @property
    def question(self) -> str:
        """What the grades answer, where it is not how relevant a document is; else nothing."""
        return QUESTIONS.get(self.name, "")

    @property
    def highest(self) -> int:
        """The highest value, which the graded measures call G."""
        return self.grades[-1].value

    @property
    def version(self) -> str:
        """A short fingerprint of values and labels, kept with each judgment."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:12]

    def to_json(self) -> str:
        """Write the scale as the JSON that `from_json` reads."""
        return json.dumps(asdict(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> "Scale":
        """Read what `to_json` wrote; ValueError, KeyError, TypeError, IrjudgeError when it is not a scale."""
        data = json.loads(text)
        grades = tuple(
            Grade(int(grade["value"]), str(grade.get("label", "")), str(grade.get("help", "")))
            for grade in data["grades"]
        )
        if any(
            grade.value != float(given["value"])
            for grade, given in zip(grades, data["grades"], strict=True)
        ):
            raise ValueError("a grade is not a whole number")
        return cls(str(data["name"]), grades)

    @classmethod
    def parse(cls, wish: str) -> "Scale":
        """Return the scale a user names: `binary`, `0-3`, or a JSON file; IrjudgeError when it is none of these.

        >>> Scale.parse("binary").values
        (0, 1)
        >>> [grade.label for grade in Scale.parse("0-2").grades]
        ['Not relevant', 'Partly relevant', 'Relevant']
        """
        span = re.fullmatch(r"0-(\d{1,2})", "0-1" if wish == "binary" else wish)
        if span and int(span[1]) >= 1:
            highest = int(span[1])
            labels = LABELS.get(highest, ("",) * (highest + 1))
            return cls(wish, tuple(Grade(value, label) for value, label in enumerate(labels)))
        if Path(wish).is_file():
            return read_scale(Path(wish))
        raise IrjudgeError(
            "Scale {wish!r} is not known; give binary, 0-1 to 0-{highest}, or a JSON file.",
            key="unknown-scale",
            wish=wish,
            highest=HIGHEST,
        )


def read_scale(path: Path) -> Scale:
    """Read a scale file: `{"name": …, "grades": [{"value": 0, "label": …, "help": …}, …]}`; FormatError when it is not such a file."""
    try:
        return Scale.from_json(path.read_text(encoding="utf-8"))
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
        IrjudgeError,
    ) as fault:
        problem = Message(
            'this is not a scale, expected {{"name": …, "grades": [{{"value": 0, "label": …}}, …]}} ({fault})',
            key="not-a-scale",
            fault=fault,
        )
        raise FormatError(path, problem) from fault

"""Rules that convert ratings to grades (a mapping of numbers or words, or cuts) or to gains."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeAlias

import numpy as np

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.message import EITHER_TEMPLATE, Message, join_messages
from irjudge.model import MAX_SCALE_GRADE as HIGHEST_OF_SCALES
from irjudge.model import UNJUDGEABLE, UNJUDGED, Floats, Ints

MAX_GRADE, MAX_SHOWN = 999, 8
MAX_SHOWN_CHARACTERS = 40
# maximum number of distinct ratings for which the user is asked to choose grades
MAX_RATINGS = 100
NTCIR_LEVEL = re.compile(r"L(\d{1,3})", re.ASCII)  # grade of NTCIR, such as L2
MAX_GAIN = 2**31
MAX_WORD = 60
NON_WORDS = frozenset({"nan", "inf", "infinity", "null", "none", "na"})
DECIMAL = re.compile(
    r"[+-]?(?:\d{0,9}\.\d{1,20}(?:e[+-]?\d{1,3})?|\d{1,9}e-\d{1,3})", re.ASCII | re.IGNORECASE
)
_NUMBER_PATTERN = r"[+-]?(?:\d{1,9}(?:\.\d{1,20})?|\.\d{1,20})(?:e-\d{1,3})?"
_PAIR_PATTERN = re.compile(
    rf"(?:(?:L(?=\d))?(?P<number>{_NUMBER_PATTERN})|(?P<word>[^:]{{1,200}}?))\s*:\s*(?P<new>[+-]?\d{{1,9}})",
    re.ASCII | re.IGNORECASE,
)
_RATING_PATTERN = re.compile(_NUMBER_PATTERN, re.ASCII | re.IGNORECASE)

GradeMap: TypeAlias = Mapping[float | str, int]  # grades by number or word in the file


def fold_word(text: str) -> str:
    """Normalise a word that means a grade, so that case and additional spaces are ignored.

    >>> fold_word(" Highly  Relevant")
    'highly relevant'
    """
    return " ".join(text.split()).casefold()


@dataclass(frozen=True, slots=True)
class GradeRules:
    """Rules that convert ratings to grades: either `mapping`, or `cuts`, `gains` or both.

    Ratings are numbers or words. Rules without any of these do not change integers, and raise
    `Undecided` for fractions and words. With `gains`, measures that are based on gains use the
    ratings themselves.
    """

    # grade of each rating; a word is in the form that `fold_word` returns
    mapping: GradeMap | None = None
    # Lowest rating for each of the grades 1, 2, 3 …, ascending; empty if there are no cuts.
    cuts: tuple[float, ...] = ()
    # Whether gain-based measures use the unchanged ratings. Other measures use the grades by
    # `cuts`; without cuts, each rating above 0 is grade 1.
    gains: bool = False

    def __post_init__(self) -> None:
        if self.mapping is not None and self.is_numeric:
            raise IrjudgeError(
                "--grades cannot be combined with --gains or --cuts; give either --grades, or "
                "--gains and --cuts.",
                key="grades-and-gains",
            )
        if any(not math.isfinite(cut) or cut < 0 for cut in self.cuts) or any(
            low >= high for low, high in zip(self.cuts, self.cuts[1:], strict=False)
        ):
            raise IrjudgeError(
                "cuts must be distinct numbers of at least 0, in ascending order; got {cuts}.",
                key="invalid-cuts",
                cuts=", ".join(f"{cut:g}" for cut in self.cuts),
            )

    @classmethod
    def from_grades(cls, grades: "GradeMap | GradeRules | None") -> "GradeRules":
        """Return rules with a mapping; `grades` that are rules are returned unchanged."""
        return grades if isinstance(grades, GradeRules) else cls(grades)

    @property
    def is_numeric(self) -> bool:
        """Whether any number can be a rating, because there are gains or cuts."""
        return self.gains or bool(self.cuts)

    @property
    def words(self) -> dict[str, int]:
        """Grade of each word in the mapping."""
        return {old: new for old, new in (self.mapping or {}).items() if isinstance(old, str)}

    @property
    def numbers(self) -> dict[float, int] | None:
        """Grade of each number in the mapping.

        None if there is no mapping, or if it contains only words.
        """
        pairs = {old: new for old, new in (self.mapping or {}).items() if not isinstance(old, str)}
        return pairs if pairs or (not self.words and self.mapping is not None) else None

    def with_words(self, words: Mapping[str, int]) -> "GradeRules":
        """Return rules whose mapping also contains the given words, such as labels of a scale.

        Grades that are already in the mapping are not replaced. Rules with gains or cuts are
        returned unchanged.
        """
        if not words or self.is_numeric:
            return self
        return GradeRules(
            {**{fold_word(word): grade for word, grade in words.items()}, **(self.mapping or {})}
        )

    def cut(self, ratings: Floats) -> Ints:
        """Return the grade of each rating, determined by the cuts.

        Without cuts, the grade is 1 for a rating above 0, and 0 for other ratings.

        >>> GradeRules(cuts=(0.2, 1)).cut(np.array([0.1, 0.2, 1.5])).tolist()
        [0, 1, 2]
        """
        if not self.cuts:
            return (ratings > 0).astype(np.int32)
        return np.searchsorted(np.array(self.cuts), ratings, side="right").astype(np.int32)

    def options(self) -> list[tuple[str, str]]:
        """Return the command-line options for these rules, with their values.

        >>> GradeRules(cuts=(0.2, 1), gains=True).options()
        [('--gains', ''), ('--cuts', '0.2,1')]
        """
        pairs = ",".join(
            f"{old if isinstance(old, str) else format_rating(old)}:{new}"
            for old, new in (self.mapping or {}).items()
        )
        cuts = ",".join(map(format_rating, self.cuts))
        gains = [("--gains", "")] if self.gains else []
        return gains + [
            (name, text) for name, text in (("--grades", pairs), ("--cuts", cuts)) if text
        ]


NO_RULES = GradeRules()


def format_rating(value: float) -> str:
    """Return a rating as text for files, without a decimal point if it is an integer.

    >>> format_rating(2.0), format_rating(0.412), format_rating(-1)
    ('2', '0.412', '-1')
    """
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def parse_grade_rules(
    grades: str | None = None, *, cuts: str | None = None, gains: bool = False
) -> GradeRules | None:
    """Return the rules given by command-line options; None if no option is given.

    >>> parse_grade_rules(cuts="0.2, 1")
    GradeRules(mapping=None, cuts=(0.2, 1.0), gains=False)
    """
    if grades is None and cuts is None and not gains:
        return None
    return GradeRules(
        parse_grades(grades) if grades is not None else None,
        parse_cuts(cuts) if cuts is not None else (),
        gains,
    )


def parse_cuts(text: str) -> tuple[float, ...]:
    """Return the lowest ratings of grades 1, 2, 3 … in a text such as `0.2,0.5`."""
    cuts = [cut.strip() for cut in text.split(",")]
    invalid_cut = next((cut for cut in cuts if not _RATING_PATTERN.fullmatch(cut)), None)
    if invalid_cut is not None:
        raise IrjudgeError(
            '--cuts contains "{cut}"; expected numbers such as 0.2,0.5: the lowest rating for '
            "each of the grades 1, 2 …",
            key="no-cut",
            cut=invalid_cut[:MAX_SHOWN_CHARACTERS],
        )
    return tuple(map(float, cuts))


def parse_grades(text: str) -> dict[float | str, int]:
    """Return the grades in a text such as `1:4,2:3,-1:0`, `0.5:1` or `Exact:3`; NTCIR's `L2` is 2.

    Words are normalised by `fold_word`.

    >>> parse_grades("1:4, 2:3,-1:0")
    {1: 4, 2: 3, -1: 0}
    >>> parse_grades("L0:0,L1:1,L2:1")
    {0: 0, 1: 1, 2: 1}
    >>> parse_grades("0.0:0,0.5:1")
    {0: 0, 0.5: 1}
    >>> parse_grades("Exact:3,Not relevant:0")
    {'exact': 3, 'not relevant': 0}
    """
    grades: dict[float | str, int] = {}
    for pair in filter(None, (pair.strip() for pair in text.split(","))):
        match = _PAIR_PATTERN.fullmatch(pair)
        if not match:
            raise IrjudgeError(
                '"{pair}" is not a valid grade mapping; expected pairs such as 1:4 or Exact:3 '
                "(a grade or word in the file, then the new grade).",
                key="no-pair",
                pair=pair,
            )
        old, new = _parse_file_grade(match), int(match["new"])
        if old in grades:
            raise IrjudgeError(
                "Grade {old} is mapped to both {grades} and {new}; expected one of them.",
                key="two-grades",
                old=old,
                grades=grades[old],
                new=new,
            )
        if not UNJUDGEABLE <= new <= MAX_GRADE:
            raise IrjudgeError(
                Message(
                    "Grade {old} is mapped to {new}; expected a grade from 0 to {highest}, -1 for "
                    "unjudged or -2 for unjudgeable.",
                    key="out-of-range",
                    old=old,
                    new=new,
                    highest=MAX_GRADE,
                )
            )
        grades[old] = new
    return grades


def _parse_file_grade(match: re.Match[str]) -> float | str:
    if match["number"] is None:
        return fold_word(match["word"])
    value = float(match["number"])
    return int(value) if value.is_integer() else value


def to_grade_column(
    path: Path, values: Sequence[float], grades: GradeMap | GradeRules | None
) -> tuple[Ints | Floats, bool]:
    """Return the grades of ratings, and whether the ratings were converted.

    Ratings that are all integers are returned unchanged, as integers. If a rating is a fraction,
    all ratings are converted by the mapping. With gains or cuts, the ratings are returned
    unchanged, as floats.

    >>> to_grade_column(Path("a.csv"), [2.0, 0.0], None), to_grade_column(Path("a.csv"), [0.5, 1.0], {0.5: 1, 1: 2})
    ((array([2, 0], dtype=int32), False), (array([1, 2], dtype=int32), True))
    """
    rules = GradeRules.from_grades(grades)
    if rules.is_numeric:
        return np.array(values, dtype=np.float64), False
    distinct_values = sorted({*values})
    fractions = [value for value in distinct_values if not float(value).is_integer()]
    if not fractions:
        return np.array(values, dtype=np.int32), False
    pairs = rules.numbers
    if pairs is None and len(distinct_values) > MAX_RATINGS:
        raise Undecided(
            path,
            Message(
                "contains {count:,} different fractional numbers, such as {example:g}; if they are "
                "not scores of a run, read them as gains with --gains, or convert them to grades "
                "with --cuts",
                key="not-grades",
                count=len(distinct_values),
                example=fractions[0],
            ),
            ("grades",),
        )
    if pairs is None:
        raise _make_undecided_error(path, distinct_values, fractions)
    missing_value = next((value for value in distinct_values if value not in pairs), None)
    if missing_value is not None:
        raise make_unmapped_rating_error(path, missing_value)
    return np.array([pairs[value] for value in values], dtype=np.int32), True


def split_ratings(
    path: Path, values: Floats, rules: GradeRules, negative: int | None
) -> tuple[Ints, Floats]:
    """Return the grade and the gain of each rating; only negative ratings must be integers.

    If `negative` is None, a rating of -1 means unjudged, and -2 unjudgeable. Otherwise `negative`
    is the grade of all negative ratings. The gain of a negative rating is 0.
    """
    if not (np.abs(values) < MAX_GAIN).all():
        raise FormatError(
            path,
            Message(
                "a rating is {value:g}; ratings must be less than {limit:,}",
                key="large-number",
                value=values[~(np.abs(values) < MAX_GAIN)][0],
                limit=MAX_GAIN,
            ),
        )
    is_negative = values < 0
    is_unknown_negative = is_negative & (values != UNJUDGED) & (values != UNJUDGEABLE)
    if negative is None and is_unknown_negative.any():
        raise Undecided(
            path,
            Message(
                "gains must be 0 or more, but the file has negative ratings, such as {value:g} "
                "(judgments: {count:,}); set their meaning with --negative",
                key="unknown-negative",
                count=int(is_unknown_negative.sum()),
                value=values[is_unknown_negative][0],
            ),
            ("negative",),
        )
    gain = np.where(is_negative, 0.0, values)
    codes = np.where(is_negative, values if negative is None else negative, 0).astype(np.int32)
    return np.where(is_negative, codes, rules.cut(gain)).astype(np.int32), gain


def is_word(text: str) -> bool:
    """Return whether a text may be a word for a grade: it is short and begins with a letter.

    >>> [text for text in ("Exact", "not relevant", "0.5", "-1", "nan", "L2") if is_word(text)]
    ['Exact', 'not relevant', 'L2']
    """
    return text[:1].isalpha() and len(text) <= MAX_WORD and text.casefold() not in NON_WORDS


def is_rating(text: str) -> bool:
    """Return whether a text is a number that can be a rating."""
    return _RATING_PATTERN.fullmatch(text) is not None


def resolve_grades(path: Path, texts: Sequence[str], rules: GradeRules) -> Ints:
    """Convert words and numbers to grades; raise Undecided for words that are not in the rules."""
    words, pairs = rules.words, rules.numbers
    grades = [words.get(fold_word(text)) for text in texts]
    unmapped_texts = [text for text, grade in zip(texts, grades, strict=True) if grade is None]
    if unknown_words := [text for text in unmapped_texts if not _RATING_PATTERN.fullmatch(text)]:
        raise make_unknown_words_error(path, unknown_words)
    ratings = list(map(float, unmapped_texts))
    if pairs is not None and (missing_values := [value for value in ratings if value not in pairs]):
        raise make_unmapped_rating_error(path, missing_values[0])
    converted_numbers = iter(
        to_grade_column(path, ratings, None)[0]
        if pairs is None
        else [pairs[value] for value in ratings]
    )
    return np.array(
        [next(converted_numbers) if grade is None else grade for grade in grades], dtype=np.int32
    )


def convert_label(path: Path, line: int, text: str, rules: GradeRules) -> str:
    """Return the grade of a label; if no rule applies to the label, return it unchanged.

    If the rules map words but not this word, Undecided is raised. If the rules map numbers but not
    this number, FormatError is raised.
    """
    if rules == NO_RULES or rules.gains:
        return text
    if (grade := rules.words.get(fold_word(text))) is not None:
        return str(grade)
    if not _RATING_PATTERN.fullmatch(text):
        if rules.words or rules.is_numeric:
            raise make_unknown_words_error(path, [text], line)
        return text
    if rules.cuts:
        return str(int(rules.cut(np.array([float(text)]))[0]))
    if (pairs := rules.numbers) is None:
        return text
    if float(text) not in pairs:
        raise make_unmapped_rating_error(path, float(text), line)
    return str(pairs[float(text)])


def suggest_words(texts: Iterable[str]) -> str:
    """Return words as a mapping for `--grades`, with an ellipsis instead of each grade.

    >>> suggest_words(["Exact", "Partial"])
    'Exact:…,Partial:…'
    """
    return ",".join(
        f"{' '.join(text.split())[:MAX_SHOWN_CHARACTERS]}:…" for text in islice(texts, MAX_SHOWN)
    )


def make_unmapped_rating_error(path: Path, value: float, line: int | None = None) -> FormatError:
    """Return the error for a rating that is not in the mapping."""
    return FormatError(
        path,
        Message("--grades does not map the rating {value:g}", key="unturned-grade", value=value),
        line,
    )


def make_unknown_words_error(
    path: Path, texts: Sequence[str], line: int | None = None
) -> Undecided:
    """Return the error for words that are not known grades; the error suggests a mapping."""
    distinct_words = list(dict.fromkeys(" ".join(text.split()) for text in texts))
    shown_words = [text[:MAX_SHOWN_CHARACTERS] for text in distinct_words[:MAX_SHOWN]]
    return Undecided(
        path,
        Message(
            'grades are words ({words}); map them with --grades "{example}"',
            key="words",
            words=join_messages(
                shown_words + ([Message("more")] if len(distinct_words) > MAX_SHOWN else [])
            ),
            example=suggest_words(distinct_words),
        ),
        ("grades",),
        line,
    )


def _make_undecided_error(path: Path, values: list[float], fractions: list[float]) -> Undecided:
    return Undecided(
        path,
        Message(
            "ratings are fractions, such as {example:g}, but grades are whole numbers (ratings: "
            '{ratings}); map them with --grades "{mapping}", read them as gains with --gains, or '
            "convert them to grades with --cuts",
            key="fractions",
            example=fractions[0],
            ratings=join_messages(
                [f"{value:g}" for value in values[:MAX_SHOWN]]
                + ([Message("more")] if len(values) > MAX_SHOWN else [])
            ),
            mapping=suggest_steps(values[:MAX_SHOWN]),
        ),
        ("grades",),
    )


def suggest_steps(values: Sequence[float]) -> str:
    """Return a mapping of values to the grades 0, 1, 2 …, as written in `--grades`.

    >>> suggest_steps([0, 1, 10, 100])
    '0:0,1:1,10:2,100:3'
    """
    return ",".join(f"{value:g}:{index}" for index, value in enumerate(values))


@dataclass(frozen=True, slots=True)
class OffScaleGrades:
    """Grades in a file that are not on the scale, with suggested command-line options.

    The options convert the grades, or select a scale that contains them.
    """

    grades: tuple[int, ...]  # grades that are not on the scale
    values: tuple[int, ...]  # grades of the scale
    steps: str  # mapping of the file's grades to the scale; empty if the scale has fewer grades
    wider_scale: str  # name of a scale that contains all grades of the file; empty if there is none

    @property
    def problem(self) -> Message:
        """Message that lists the grades that are not on the scale, and suggests the options."""
        options = [
            Message('--grades "{steps}" (lowest first)', steps=self.steps)
            if self.steps
            else Message("--grades with a pair for each grade"),
            *([Message("--scale {wider}", wider=self.wider_scale)] if self.wider_scale else []),
        ]
        return Message(
            "grades that are not on the scale ({values}): {grades}; use {fits}",
            values=join_messages(map(str, self.values)),
            grades=join_messages(map(str, self.grades)),
            fits=join_messages(options, EITHER_TEMPLATE),
        )


def find_off_scale(grades: Iterable[int], values: Sequence[int]) -> OffScaleGrades | None:
    """Return the grades of 0 or more that are not on a scale; None if all are on the scale.

    >>> off_scale = find_off_scale([0, 1, 4, 4, -2], [0, 1, 2, 3])
    >>> off_scale.grades, off_scale.steps, off_scale.wider_scale
    ((4,), '0:0,1:1,4:2', '0-4')
    >>> find_off_scale([0, 5, 10], [0, 2, 4]).steps
    '0:0,5:2,10:4'
    """
    used_grades = sorted({grade for grade in grades if grade >= 0})
    off_scale = tuple(grade for grade in used_grades if grade not in values)
    if not off_scale:
        return None
    return OffScaleGrades(
        off_scale,
        tuple(values),
        ",".join(f"{old}:{new}" for old, new in zip(used_grades, sorted(values), strict=False))
        if used_grades[-1] and len(used_grades) <= len(values)
        else "",
        f"0-{used_grades[-1]}" if used_grades[-1] <= HIGHEST_OF_SCALES else "",
    )


def convert_grades(
    path: Path, grade: Ints, grades: Mapping[float, int], *, keep_negative: bool = False
) -> tuple[Ints, str]:
    """Return grades converted by a mapping, and a message about the conversion.

    A grade that is missing from the mapping raises FormatError. With `keep_negative`, a negative
    grade that is missing is not converted.
    """
    values, codes, counts = np.unique(grade, return_inverse=True, return_counts=True)
    # unmapped negative grades are not converted: the option `negative` determines their meaning
    if keep_negative:
        grades = {value: value for value in values.tolist() if value < 0} | dict(grades)
    for value, count in zip(values.tolist(), counts.tolist(), strict=True):
        if value not in grades:
            raise FormatError(
                path,
                Message(
                    "--grades does not map the grade {value} (judgments: {count:,}); expected a "
                    "pair for each of {values}",
                    key="unturned-grade",
                    count=count,
                    value=value,
                    values=join_messages(map(str, values.tolist())),
                ),
            )
    new_grades = np.array([grades[value] for value in values.tolist()], dtype=np.int32)
    parts = [
        Message(
            "{old} became {to} (judgments: {count:,})", count=count, old=old_grade, to=new_grade
        )
        for old_grade, new_grade, count in zip(
            values.tolist(), new_grades.tolist(), counts.tolist(), strict=True
        )
        if old_grade != new_grade
    ]
    message = (
        Message("grades mapped as specified: {parts}", key="turned", parts=join_messages(parts))
        if parts
        else Message("grades unchanged, as specified", key="not-turned")
    )
    return new_grades[codes].astype(np.int32), Message(
        "{file}: {done}.", key=message.key, file=path.name, done=message
    )

"""An exercise: a value to compute by hand, or a ranking to rearrange until a measure has a value."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

Relation: TypeAlias = Literal["=", ">=", "<="]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
DECIMALS = 2  # that an answer needs where an exercise does not say it
SLACK = 1e-9  # of floating point


@dataclass(frozen=True, slots=True)
class Target:
    """What a value is to become.

    >>> Target("=", 0.79, 2).reached(0.7888), Target(">=", 0.79, 2).reached(0.7888)
    (True, False)
    """

    relation: Relation  # `=` when it is rounded to `decimals`; at least or at most otherwise
    # as it is written
    value: float
    decimals: int

    def reached(self, value: float) -> bool:
        """Say whether a value is there."""
        if self.relation == "=":
            return abs(value - self.value) <= 0.5 * 10.0**-self.decimals + SLACK
        return value >= self.value - SLACK if self.relation == ">=" else value <= self.value + SLACK

    @property
    def written(self) -> str:
        """As a file has it."""
        return (
            f"{'' if self.relation == '=' else self.relation + ' '}{self.value:.{self.decimals}f}"
        )


@dataclass(frozen=True, slots=True)
class Exercise:
    """What a student is asked."""

    name: str  # of the exercise, in the file of answers
    # what is to be computed; an empty run is the first of the project
    topic: str
    measure: str
    run: str = ""
    question: str = ""  # in the teacher's words; empty where what is asked says it
    target: Target | None = (
        None  # of a ranking that is to be rearranged; None where a value is to be computed
    )
    moves: int | None = None  # how many documents may be moved at most; None for any number
    decimals: int = DECIMALS  # how many an answer needs at least


@dataclass(frozen=True, slots=True)
class ExerciseAnswer:
    """What a student answered, as it is kept: with the time in UTC and what came of it; without seconds where nobody measured."""

    time: str
    student: str
    exercise: Exercise
    given: str
    steps: str
    verdict: str
    wrong_at: str
    seconds: int | None = None

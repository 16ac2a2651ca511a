"""Exercises on measures, checked against the measures' worked examples."""

import ast
import math
import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Literal, TypeAlias

from irjudge.catalogue import nearest
from irjudge.errors import FormatError, IrjudgeError, MeasureError
from irjudge.evaluation.explanations import Explanation, Trial, find_value_changes, make_trial
from irjudge.evaluation.table import Policy
from irjudge.formats import TOLERANCE, Exercise, Target, read_exercises
from irjudge.judging import QrelsChoice, read_project_qrels
from irjudge.message import Message
from irjudge.metrics import Measure, format_number, make_measure, parse_measure_name
from irjudge.model import Qrels, Run, make_labels
from irjudge.progress import SILENT, Progress
from irjudge.shipped import sample_folders
from irjudge.stats.agreement import agreement
from irjudge.store import Project

# Exercises: the first error is found by comparing the student's calculation with the measure's
# calculation

Verdict: TypeAlias = Literal["right", "wrong", "rounded", "close", "open"]
ROUNDING_VERDICTS: tuple[Verdict, ...] = ("rounded", "close")
StepPosition: TypeAlias = tuple[int, str]
"""Rank and column name of a step."""

MAX_DECIMALS = 4  # maximum number of decimals of an answer that are compared
# maximum error of an answer with rounded intermediate results, in units of the last decimal
ROUNDING_UNITS = 1.5
MAX_EXPRESSION_LENGTH = 200
MAX_EXPRESSION_DEPTH = 50
_DECIMAL = re.compile(r"[+-]?(?:\d++(?:[.,]\d*+)?|[.,]\d++)", re.ASCII)
_CALCULATION = re.compile(r"(?:log2|log10|ln|sqrt|[-+*/().\d\s])+", re.ASCII)
_MOVE_PATTERN = re.compile(r"(\d+)\s*>\s*(\d+)", re.ASCII)
_OPERATORS: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: math.pow,
}
_FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "log2": math.log2,
    "ln": math.log,
    "log10": math.log10,
    "sqrt": math.sqrt,
}


# Parsing of typed answers


@dataclass(frozen=True, slots=True)
class TypedNumber:
    """Number typed by a student, and its number of decimals, which is None for a calculation."""

    value: float
    decimals: int | None

    def compare(self, correct_value: float, decimals: int) -> Verdict:
        """Compare the number with the correct value, to `decimals` decimals.

        The result is `right`, `rounded` (to too few decimals), `close` (the last decimal differs),
        or `wrong`.
        """
        difference = abs(self.value - correct_value)
        if difference <= TOLERANCE * max(1.0, abs(correct_value)):
            return "right"
        shown_decimals = (
            decimals if self.decimals is None else min(self.decimals, max(MAX_DECIMALS, decimals))
        )
        unit = 10.0**-shown_decimals
        if difference <= unit / 2 + TOLERANCE:
            return "right" if shown_decimals >= decimals else "rounded"
        return (
            "close"
            if shown_decimals >= decimals and difference <= ROUNDING_UNITS * unit
            else "wrong"
        )


def parse_steps(value: str, steps: Mapping[StepPosition, str] | None) -> dict[StepPosition, str]:
    """Return the non-empty steps; raise IrjudgeError if both steps and value are empty."""
    filled_steps = {step: text for step, text in (steps or {}).items() if text.strip()}
    if not value.strip() and not filled_steps:
        raise IrjudgeError(Message("Enter the value, or some of the steps, before checking."))
    return filled_steps


def parse_typed_number(text: str) -> TypedNumber:
    """Parse a number typed by a student: a decimal, a fraction or a calculation.

    Calculations can contain + - * / ^, brackets, log2, log10, ln and sqrt. Raises IrjudgeError for
    other text.

    >>> parse_typed_number("0,50"), parse_typed_number("(1/1 + 2/4)/2")
    (TypedNumber(value=0.5, decimals=2), TypedNumber(value=0.75, decimals=None))
    """
    text = text.strip().removeprefix("=").strip()
    if _DECIMAL.fullmatch(text):
        normalised = text.replace(",", ".")
        return TypedNumber(float(normalised), len(normalised.partition(".")[2]))
    try:
        value = _evaluate_expression(
            ast.parse(_to_python(text), mode="eval").body, MAX_EXPRESSION_DEPTH
        )
    except (SyntaxError, ValueError, ArithmeticError, RecursionError, MemoryError):
        raise IrjudgeError(
            "{text!r} is not a valid number; expected a number such as 0.56, 5/9 or (1/1 + 2/3)/3.",
            key="not-a-number",
            text=text[:40],
        ) from None
    return TypedNumber(value, None)


def _to_python(text: str) -> str:
    """Translate a calculation to Python syntax; raise ValueError if it is invalid or too long."""
    for symbol, python_operator in (
        ("×", "*"),
        ("·", "*"),
        ("÷", "/"),
        (":", "/"),
        ("−", "-"),
        ("^", "**"),
    ):
        text = text.replace(symbol, python_operator)
    if len(text) > MAX_EXPRESSION_LENGTH or not _CALCULATION.fullmatch(text):
        raise ValueError
    return text


def _evaluate_expression(node: ast.expr, max_depth: int) -> float:
    """Evaluate a parsed calculation; raise ValueError for any other expression."""
    if max_depth and isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return float(node.value)
    if max_depth and isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        return _OPERATORS[type(node.op)](
            _evaluate_expression(node.left, max_depth - 1),
            _evaluate_expression(node.right, max_depth - 1),
        )
    if max_depth and isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        value = _evaluate_expression(node.operand, max_depth - 1)
        return -value if isinstance(node.op, ast.USub) else value
    if (
        max_depth
        and isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in _FUNCTIONS
        and len(node.args) == 1
    ):
        return _FUNCTIONS[node.func.id](_evaluate_expression(node.args[0], max_depth - 1))
    raise ValueError


def find_step(
    step_verdicts: Mapping[StepPosition, Verdict], *verdicts: Verdict
) -> StepPosition | None:
    """Return the position of the first step with one of the verdicts; None if there is none."""
    return next((step for step, verdict in step_verdicts.items() if verdict in verdicts), None)


def describe_rounding(value: str, verdict: Verdict, decimals: int) -> Message:
    """Return the message about a number that is right apart from its rounding.

    `verdict` is one of `ROUNDING_VERDICTS`.
    """
    if verdict == "rounded":
        return Message(
            "{value} is correct, but has too few decimals: give at least {decimals}.",
            key="too-few-decimals",
            value=value.strip(),
            decimals=decimals,
        )
    return Message(
        "{value} is close: only the last digit is wrong. Round only at the end.",
        key="last-digit-wrong",
        value=value.strip(),
    )


# Exercises and their checks


@dataclass(frozen=True)
class CheckResult:
    """Result of checking a student's answer: verdict, messages, correctness of typed steps.

    The verdict is `right`, `wrong`, `rounded` (too few decimals), `close` (only the last digit is
    wrong) or `open` (right steps without a value). The messages do not reveal the correct value.
    For a rearranged ranking, there are no steps. The position of a step is its rank or, in an
    exercise about a score, the number of its term, and its column.
    """

    # verdict on the whole answer; `open` if the steps are right and the value is missing
    verdict: Verdict
    messages: tuple[str, ...]  # sentences for the student, which do not reveal the correct value
    # whether each typed step is right, apart from rounding; without steps for which the solution has
    # no number
    step_results: Mapping[StepPosition, bool]
    wrong_at: StepPosition | None = None  # first wrong step, if there is one

    @property
    def where(self) -> str:
        """Position of the first wrong step, as text; empty if there is none."""
        return (
            Message(
                "rank {rank}, {column}", rank=self.wrong_at[0], column=Message(self.wrong_at[1])
            )
            if self.wrong_at
            else ""
        )


@dataclass(frozen=True)
class OpenExercise:
    """Exercise with the ranking and judgments (`trial`) that are used to check answers.

    Without a target, the exercise asks for the value of a measure; students may also type the steps
    of the calculation (`check`). With a target, it asks for a rearranged ranking (`check_order`):
    the value must equal the target, or be at least or at most the target. The number of moves can
    be limited.

    >>> from irjudge.evaluation import make_trial
    >>> from irjudge.model import make_qrels, make_run
    >>> trial = make_trial(make_qrels([("1", "y", 1)]), make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)]), "1")
    >>> exercise = OpenExercise(Exercise("1", "1", "P@2"), trial)
    >>> exercise.check("0.5").verdict, exercise.check("", {(1, "P@r"): "1"}).where
    ('right', 'rank 1, P@r')
    """

    exercise: Exercise
    trial: Trial

    @cached_property
    def measure(self) -> Measure:
        """Measure of the exercise; raises MeasureError unless its name is unambiguous."""
        return parse_one_measure(self.exercise.measure, self.trial.policy)

    @cached_property
    def solution(self) -> Explanation:
        """Solution: the measure's calculation on the original ranking."""
        return self.trial.explain(self.measure)

    @property
    def ranks(self) -> int:
        """Number of ranks that have steps."""
        return len(self.solution.worked_example.rows) if self.columns else 0

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that can be computed step by step; empty if the ranking is to be rearranged."""
        return () if self.exercise.target else self.solution.worked_example.columns

    def check(self, value: str, steps: Mapping[StepPosition, str] | None = None) -> CheckResult:
        """Check a value, and the steps of its calculation that the student typed.

        Raises IrjudgeError if there is neither a value nor a step, or if the value or a step is
        not a number.
        """
        typed_steps = parse_steps(value, steps)
        step_verdicts = dict(self._check_steps(typed_steps))
        wrong_step = find_step(step_verdicts, "wrong")
        verdict = (
            parse_typed_number(value).compare(self.solution.value, self.exercise.decimals)
            if value.strip()
            else "open"
        )
        value_messages = [*self._iter_value_messages(value, verdict)]
        step_messages = [*self._iter_step_messages(typed_steps, step_verdicts, verdict)]
        # messages about errors are listed first
        messages = (
            [*step_messages, *value_messages]
            if wrong_step and verdict == "right"
            else [*value_messages, *step_messages]
        )
        if verdict == "wrong" and len(messages) == 1 and self.columns:
            messages.append(
                Message("Enter the steps too, so that the first wrong step can be found.")
            )
        return CheckResult(
            "wrong" if wrong_step and verdict != "close" else verdict,
            tuple(messages),
            {step: step_verdict != "wrong" for step, step_verdict in step_verdicts.items()},
            wrong_step,
        )

    def check_order(self, trial: Trial, moves: int) -> CheckResult:
        """Check a ranking that was rearranged in `moves` moves.

        Raises MeasureError if the measure cannot be computed.
        """
        target, max_moves = self.exercise.target, self.exercise.moves
        if target is None:
            raise ValueError
        value = float(trial.values([self.measure])[0])
        messages = [self._classify_value(value)]
        is_reached = target.is_reached(value)
        if is_reached and max_moves is not None and moves > max_moves:
            messages.append(
                Message(
                    "Moves made: {moves}; moves allowed: {maximum}.", moves=moves, maximum=max_moves
                )
            )
        is_right = is_reached and (max_moves is None or moves <= max_moves)
        return CheckResult("right" if is_right else "wrong", tuple(messages), {})

    def _classify_value(self, value: float) -> str:
        target = self.exercise.target
        return Message(
            "{measure} is {value}: the target {target} is reached."
            if target is not None and target.is_reached(value)
            else "{measure} is {value}: the target {target} is not reached.",
            measure=self.measure.name,
            value=format_number(value),
            target=target.written if target else "",
        )

    def _check_steps(
        self, typed_steps: Mapping[StepPosition, str]
    ) -> Iterator[tuple[StepPosition, Verdict]]:
        """Yield the position and the verdict of each typed step, sorted by rank and column."""
        for rank, cells in enumerate(self.solution.worked_example.rows, 1):
            for column, correct_value in zip(self.columns, cells, strict=True):
                text = typed_steps.get((rank, column))
                # a step is not checked if the solution has no number for it
                if text is not None and isinstance(correct_value, int | float):
                    yield (
                        (rank, column),
                        parse_typed_number(text).compare(correct_value, self.exercise.decimals),
                    )

    def _iter_value_messages(self, value: str, verdict: Verdict) -> Iterator[str]:
        name, decimals = self.measure.name, self.exercise.decimals
        if verdict == "right":
            yield Message("{measure} = {value} is correct.", measure=name, value=value.strip())
        elif verdict in ROUNDING_VERDICTS:
            yield describe_rounding(value, verdict, decimals)
        elif verdict == "wrong":
            yield Message(
                "{measure} is not {value}.", key="wrong-value", measure=name, value=value.strip()
            )
            yield from self._describe_mistake(parse_typed_number(value))

    def _iter_step_messages(
        self,
        typed_steps: Mapping[StepPosition, str],
        step_verdicts: Mapping[StepPosition, Verdict],
        verdict: Verdict,
    ) -> Iterator[str]:
        wrong_step = find_step(step_verdicts, "wrong")
        rounded_step = find_step(step_verdicts, *ROUNDING_VERDICTS)
        if wrong_step:
            yield Message(
                "The first wrong step is at rank {rank}, in the column {column}.",
                key="first-wrong-step",
                rank=wrong_step[0],
                column=Message(wrong_step[1]),
            )
        elif rounded_step:
            yield describe_rounding(
                typed_steps[rounded_step], step_verdicts[rounded_step], self.exercise.decimals
            )
        elif step_verdicts and verdict == "open":
            yield Message(
                "All steps so far are correct ({count}). The value is still missing.",
                key="steps-right",
                count=len(step_verdicts),
            )
        elif verdict == "open":
            yield Message(
                "The calculation has no values at the steps that you entered; enter other steps, "
                "or the value.",
                key="no-such-step",
            )
        elif step_verdicts and verdict == "wrong":
            yield Message(
                "All steps that you entered are correct ({count}); the mistake must be in a "
                "later step.",
                key="mistake-after-steps",
                count=len(step_verdicts),
            )

    def _describe_mistake(self, typed_number: TypedNumber) -> Iterator[str]:
        decimals = self.exercise.decimals
        last_row = (
            self.solution.worked_example.rows[-1] if self.solution.worked_example.rows else ()
        )
        for column, correct_value in zip(self.columns, last_row, strict=False):
            if (
                isinstance(correct_value, int | float)
                and correct_value
                and typed_number.compare(correct_value, decimals) == "right"
            ):
                yield Message(
                    "You entered the last number in the column {column}; further steps are "
                    "needed to get the value.",
                    key="last-of-column",
                    column=Message(column),
                )
                return
        similar_measures = [
            measure
            for measure in related_measures(self.measure)
            if self._is_value_of(measure, typed_number)
        ]
        if similar_measures:
            yield Message(
                "You entered the value of {name}; check how the measures differ.",
                key="other-measure",
                name=similar_measures[0].name,
            )

    def _is_value_of(self, measure: Measure, typed_number: TypedNumber) -> bool:
        try:
            return (
                typed_number.compare(float(self.trial.values([measure])[0]), self.exercise.decimals)
                == "right"
            )
        except MeasureError:
            return False


def parse_one_measure(name: str, policy: Policy | None = None) -> Measure:
    """Return the measure named `name`; raise MeasureError if the name is unknown or ambiguous."""
    rules = policy or Policy()
    measures = parse_measure_name(name, rel=rules.rel, profile=rules.profile)
    if len(measures) != 1:
        raise MeasureError(
            "{name} specifies {count} measures; an exercise needs exactly one.",
            name=name,
            count=len(measures),
        )
    return measures[0]


def related_measures(measure: Measure) -> Iterator[Measure]:
    """Yield variants of a measure in which one parameter is another choice or differs by 1."""
    values = measure.values
    for parameter in measure.declaration.parameters:
        value = values[parameter.name]
        alternatives: Sequence[str | int] = parameter.choices
        if parameter.kind == "whole" and isinstance(value, int):
            alternatives = (value + 1, value - 1)
        for alternative in alternatives:
            if alternative != value and (
                isinstance(alternative, str) or alternative in parameter.range
            ):
                yield make_measure(measure.declaration, **{**values, parameter.name: alternative})


# Rearranged rankings


def make_exchange_target(
    trial: Trial, exercise: Exercise, progress: Progress = SILENT
) -> OpenExercise:
    """Return an exercise whose target value is reached by the best exchange of two documents.

    Raises IrjudgeError if no exchange improves the rounded value.
    """
    open_exercise = OpenExercise(exercise, trial)
    best_exchange = find_value_changes(trial, open_exercise.measure, progress).exchange
    if best_exchange is not None:
        lower_is_better = open_exercise.measure.direction < 0
        # a target that is rounded to a better value could not be reached
        round_value = math.ceil if lower_is_better else math.floor
        target = Target(
            "<=" if lower_is_better else ">=",
            round_value(best_exchange.value * 10**MAX_DECIMALS) / 10**MAX_DECIMALS,
            MAX_DECIMALS,
        )
        if not target.is_reached(open_exercise.solution.value):
            return OpenExercise(replace(exercise, target=target), trial)
    raise IrjudgeError(
        Message("Swapping two documents cannot improve the value. Choose another topic or measure.")
    )


def format_moves(moves: Sequence[tuple[int, int]]) -> str:
    """Return moves in the stored format, such as `3>2 9>8`: old and new rank of each document."""
    return " ".join(f"{start}>{end}" for start, end in moves)


def format_steps(steps: Mapping[StepPosition, str]) -> str:
    """Return steps in the stored format, such as `1 P@r 0.5; 2 P@r 1/2`."""
    return "; ".join(
        f"{rank} {column} {text.strip()}"
        for (rank, column), text in sorted(steps.items())
        if text.strip()
    )


def apply_moves(trial: Trial, text: str) -> tuple[Trial, int]:
    """Apply moves in the format of `format_moves`; return the new ranking and the move count.

    Raises IrjudgeError for an invalid move or rank.
    """
    pieces = text.replace(",", " ").split()
    for piece in pieces:
        match = _MOVE_PATTERN.fullmatch(piece)
        if not match:
            raise IrjudgeError(
                "{move!r} is not a move; expected a move such as 3>2, from rank 3 to rank 2.",
                move=piece[:40],
            )
        start, target = int(match[1]), int(match[2])
        if not (1 <= start <= len(trial.documents) and 1 <= target <= len(trial.documents)):
            raise IrjudgeError(
                "{move}: the ranking has only the ranks 1 to {count}.",
                move=piece,
                count=len(trial.documents),
            )
        trial = trial.move(start - 1, target - 1)
    return trial, len(pieces)


# Exercises from a file


def applicable_exercises(
    path: Path,
    exercises: Sequence[Exercise],
    topics_by_run: Mapping[str, Sequence[str]],
    topics: Sequence[str],
) -> tuple[Exercise, ...]:
    """Return the exercises of a file, with full measure names.

    An exercise without a run is assigned the first run. `topics_by_run` contains the topics of each
    run; `topics` contains the topics of the qrels. Raises FormatError at the first exercise with an
    unknown run, topic or measure.
    """
    return tuple(
        _complete_exercise(path, exercise, topics_by_run, topics) for exercise in exercises
    )


def read_project_exercises(
    project: Project, path: Path, choice: QrelsChoice | None
) -> tuple[Exercise, ...]:
    """Return the exercises of a file, completed as by `applicable_exercises` for a project."""
    exercises, names = read_exercises(path), [run.name for run in project.rankings.runs()]
    used_runs = {exercise.run or next(iter(names), "") for exercise in exercises}
    return applicable_exercises(
        path,
        exercises,
        {name: project.rankings.run(name).topics if name in used_runs else () for name in names},
        read_project_qrels(project, choice).topics,
    )


def read_sample_exercises(project: Project, choice: QrelsChoice | None) -> tuple[Exercise, ...]:
    """Return the exercises of the sample collection that fits a project; empty if none does."""
    for folder in sample_folders().values():
        with suppress(FormatError):
            if (folder / "exercises.csv").is_file():
                return read_project_exercises(project, folder / "exercises.csv", choice)
    return ()


def _complete_exercise(
    path: Path,
    exercise: Exercise,
    topics_by_run: Mapping[str, Sequence[str]],
    topics: Sequence[str],
) -> Exercise:
    name = exercise.run or next(iter(topics_by_run), "")
    exercise_label = Message("exercise {name}", name=exercise.name)
    if name not in topics_by_run:
        raise FormatError(
            path,
            Message(
                "{exercise}: there is no run {run!r}{hint}",
                exercise=exercise_label,
                run=name,
                hint=_suggest_nearest(name, topics_by_run),
            ),
        )
    if exercise.topic not in topics:
        raise FormatError(
            path,
            Message(
                "{exercise}: there are no qrels for topic {topic!r}{hint}",
                exercise=exercise_label,
                topic=exercise.topic,
                hint=_suggest_nearest(exercise.topic, topics),
            ),
        )
    if exercise.topic not in topics_by_run[name]:
        raise FormatError(
            path,
            Message(
                "{exercise}: run {run} lacks topic {topic}",
                exercise=exercise_label,
                run=name,
                topic=exercise.topic,
            ),
        )
    try:
        measure = parse_one_measure(exercise.measure)
    except MeasureError as error:
        raise FormatError(
            path,
            Message("{exercise}: {error}", exercise=exercise_label, error=str(error).rstrip(".")),
        ) from error
    return replace(exercise, run=name, measure=measure.name)


def _suggest_nearest(name: str, names: Mapping[str, object] | Sequence[str]) -> str:
    nearest_name = nearest(name, list(names)) if name else ""
    return Message("; closest match: {suggestion}", suggestion=nearest_name) if nearest_name else ""


# Multiple-choice exercises

MAX_RANKS = 8  # number of top ranks of each ranking that exercises use
CHOICE_COUNT = 4
CHOICE_LETTERS = "abcd"
MIN_DIFFERENCE = 0.002  # minimum difference of values that a student must distinguish
EXERCISE_MEASURES = ("P@3", "P@5", "R@8", "AP", "RR", "nDCG@5", "nDCG@8", "RBP(p=0.8)")
# measures with columns of steps, for exercises about the first wrong step
STEPWISE_MEASURES = ("AP", "DCG@8", "RBP(p=0.8)", "nDCG@8")
CALCULATION_DECIMALS = 4  # number of decimals in the calculation of an answer
TABLE_SIZES = (12, 30)  # minimum and maximum number of documents in a table of two assessors


@dataclass(frozen=True, slots=True)
class ChoiceExercise:
    """Multiple-choice question with exactly one right answer.

    The question is generated from the rankings and judgments of one topic, with a random seed;
    for some kinds, data such as the grades of a second assessor are simulated. `kind` is the kind
    of question, such as `better` (which run is better by which measure) or `kappa`. `run` may
    contain several names.
    """

    # the fields from `kind` to `measure` are the parameters from which the question was generated
    kind: str
    topic: str
    seed: int
    run: str
    measure: str
    question: str
    headings: tuple[str, ...]  # column headings of the question's table
    rows: tuple[tuple[str, ...], ...]  # rows of the question's table
    choices: tuple[str, ...]  # answers, in the order of `CHOICE_LETTERS`
    right: int  # index of the right choice
    calculation: tuple[str, ...]  # calculation of the answer

    @property
    def exercise(self) -> Exercise:
        """Exercise in the format of the file of answers."""
        return Exercise(
            f"{self.kind} {self.seed}", self.topic, self.measure, self.run, self.question
        )

    def check(self, letter: str) -> bool:
        """Return whether `letter` is the right choice; raise IrjudgeError if it is not a choice."""
        index = CHOICE_LETTERS.find(letter.strip().casefold()) if len(letter.strip()) == 1 else -1
        if not 0 <= index < len(self.choices):
            raise IrjudgeError(
                "{option!r} is not a choice in this exercise; expected one of {options}.",
                option=letter[:20],
                options=", ".join(CHOICE_LETTERS[: len(self.choices)]),
            )
        return index == self.right


@dataclass(frozen=True, slots=True)
class ExerciseSource:
    """Data for generating exercises: one topic as ranked by several runs."""

    topic: str
    # first `MAX_RANKS` documents of each run that has the topic, by name of the run
    trials: Mapping[str, Trial]

    @property
    def first(self) -> Trial:
        """Ranking of the first run."""
        return next(iter(self.trials.values()))


def make_exercise_source(
    qrels: Qrels, runs: Mapping[str, Run], topic: str, highest: int | None = None
) -> ExerciseSource:
    """Return the data of a topic; raise IrjudgeError if the qrels or all runs lack the topic."""
    if topic not in qrels.topics:
        raise IrjudgeError("There are no qrels for topic {topic}.", key="no-qrels", topic=topic)
    trials = {
        name: make_trial(qrels, run, topic, highest=highest)
        for name, run in runs.items()
        if topic in run.topics
    }
    if not trials:
        raise IrjudgeError(
            "No run ranks documents for topic {topic}.", key="no-ranking", topic=topic
        )
    return ExerciseSource(
        topic,
        {
            name: replace(trial, documents=trial.documents[:MAX_RANKS])
            for name, trial in trials.items()
        },
    )


def make_choice_exercise(kind: str, source: ExerciseSource, seed: int) -> ChoiceExercise:
    """Generate an exercise of the kind `kind`; equal seeds yield equal exercises.

    Raises IrjudgeError if the kind is unknown or not applicable to the topic.
    """
    if kind not in CHOICE_EXERCISES:
        raise IrjudgeError(
            "Unknown kind of exercise {kind!r}; expected one of {kinds}.",
            kind=kind,
            kinds=", ".join(CHOICE_EXERCISES),
        )
    return CHOICE_EXERCISES[kind].make(source, seed, Random(f"{kind}/{source.topic}/{seed}"))


def make_choice_exercise_of_any_topic(
    kind: str, qrels: Qrels, runs: Mapping[str, Run], seed: int, highest: int | None = None
) -> ChoiceExercise:
    """Generate an exercise for the first applicable topic, in an order that the seed determines.

    Raises IrjudgeError if the kind is unknown or applicable to no topic.
    """
    ranked_topics = {topic for run in runs.values() for topic in run.topics}
    topics = [topic for topic in qrels.topics if topic in ranked_topics]
    error = IrjudgeError("No topic has both qrels and a ranking.")
    for topic in Random(f"{kind}/{seed}").sample(topics, len(topics)):
        try:
            return make_choice_exercise(
                kind, make_exercise_source(qrels, runs, topic, highest), seed
            )
        except IrjudgeError as topic_error:
            error = topic_error
    raise error


def _make_topic_error(source: ExerciseSource, reason: str) -> IrjudgeError:
    return IrjudgeError(
        "Topic {topic} is not suitable: {reason}. Choose another topic.",
        topic=source.topic,
        reason=reason,
    )


def _shuffle_choices(
    random: Random, right_choice: str, wrong_choices: Sequence[str]
) -> tuple[tuple[str, ...], int]:
    choices = [
        right_choice,
        *random.sample(list(wrong_choices), min(len(wrong_choices), CHOICE_COUNT - 1)),
    ]
    random.shuffle(choices)
    return tuple(choices), choices.index(right_choice)


def _compute_ranking_rows(trial: Trial) -> tuple[tuple[str, ...], ...]:
    grades = trial.grades
    return tuple(
        (str(rank), document, str(grades.get(document, "–")))
        for rank, document in enumerate(trial.documents, 1)
    )


RANKING_HEADINGS = (Message("rank"), Message("document"), Message("grade"))


def ask_target_move(source: ExerciseSource, seed: int, random: Random) -> ChoiceExercise:
    """Generate a question: which move changes the nDCG of a ranking to a certain value."""
    run = random.choice(sorted(source.trials))
    trial, measure = source.trials[run], parse_one_measure("nDCG@8")
    value_before = _compute_value(trial, measure.name)
    moves = list(permutations(range(1, len(trial.documents) + 1), 2))
    values = {
        move: _compute_value(trial.move(move[0] - 1, move[1] - 1), measure.name) for move in moves
    }
    improving_moves = [move for move in moves if values[move] > value_before + MIN_DIFFERENCE]
    random.shuffle(improving_moves)
    for move in improving_moves:
        target = Target("=", round(values[move], CALCULATION_DECIMALS), CALCULATION_DECIMALS)
        wrong_moves = [
            other for other in moves if abs(values[other] - values[move]) > MIN_DIFFERENCE
        ]
        if len(wrong_moves) >= CHOICE_COUNT - 1:
            choices, right_index = _shuffle_choices(
                random, format_moves([move]), [format_moves([move]) for move in wrong_moves]
            )
            question = Message(
                "{measure} is {value}. Which move changes it to {target}? 3>1 moves the "
                "document at rank 3 to rank 1.",
                measure=measure.name,
                value=format_number(value_before),
                target=target.written,
            )
            explanation = trial.move(move[0] - 1, move[1] - 1).explain(measure)
            return ChoiceExercise(
                "reach",
                source.topic,
                seed,
                run,
                measure.name,
                question,
                RANKING_HEADINGS,
                _compute_ranking_rows(trial),
                choices,
                right_index,
                (*explanation.worked_example.steps, explanation.result),
            )
    raise _make_topic_error(
        source,
        Message(
            "no value of {measure} above the current value can be reached by exactly one of "
            "the possible moves",
            measure=measure.name,
        ),
    )


def ask_better_run(source: ExerciseSource, seed: int, random: Random) -> ChoiceExercise:
    """Generate a question: which of two runs is better, and by which measure."""
    pairs = list(permutations(sorted(source.trials), 2))
    random.shuffle(pairs)
    for first, second in pairs:
        values_by_measure = {
            name: [_compute_value(source.trials[run], name) for run in (first, second)]
            for name in EXERCISE_MEASURES
        }
        differences = {
            (run, name): a - b if run == first else b - a
            for name, (a, b) in values_by_measure.items()
            for run in (first, second)
        }
        true_claims = [
            claim for claim, difference in differences.items() if difference > MIN_DIFFERENCE
        ]
        false_claims = [
            claim for claim, difference in differences.items() if difference < MIN_DIFFERENCE / 100
        ]
        if not true_claims:
            continue
        answer = random.choice(true_claims)
        wrong_choices = [claim for claim in false_claims if claim[1] != answer[1]] + [
            claim for claim in false_claims if claim[1] == answer[1]
        ][:1]
        choices, right_index = _shuffle_choices(
            random, _format_claim(*answer), [_format_claim(*choice) for choice in wrong_choices]
        )
        if len(choices) == CHOICE_COUNT:
            question = Message(
                "The table shows the first {ranks} documents of two runs. Which statement is true?",
                ranks=MAX_RANKS,
            )
            rows = _compute_side_by_side_rows(source.trials[first], source.trials[second])
            named_measures = sorted({choice.rsplit(" ", 1)[1] for choice in choices})
            calculation = tuple(
                f"{name}: {first} {format_number(values_by_measure[name][0])}, {second} {format_number(values_by_measure[name][1])}."
                for name in named_measures
            )
            return ChoiceExercise(
                "better",
                source.topic,
                seed,
                f"{first}, {second}",
                answer[1],
                question,
                (
                    RANKING_HEADINGS[0],
                    first,
                    RANKING_HEADINGS[2],
                    second,
                    RANKING_HEADINGS[2],
                ),
                rows,
                choices,
                right_index,
                calculation,
            )
    raise _make_topic_error(source, Message("no two runs differ in any measure"))


def _format_claim(run: str, measure: str) -> str:
    return Message("{run} is better according to {measure}", run=run, measure=measure)


def _compute_side_by_side_rows(first: Trial, second: Trial) -> tuple[tuple[str, ...], ...]:
    left, right = _compute_ranking_rows(first), _compute_ranking_rows(second)
    rows = max(len(left), len(right))
    padded_rows = [[*rank, *[("", "", "")] * (rows - len(rank))] for rank in (left, right)]
    return tuple(
        (str(row + 1), *padded_rows[0][row][1:], *padded_rows[1][row][1:]) for row in range(rows)
    )


BINARY_GRADES = (Message("not relevant"), Message("relevant"))


def ask_kappa(source: ExerciseSource, seed: int, random: Random) -> ChoiceExercise:
    """Generate a question: Cohen's kappa of two assessors.

    The grades of one assessor are sampled from the qrels; the other assessor sometimes disagrees.
    """
    grades = list(source.first.grades.values()) or [0]
    for _ in range(100):
        count = random.randint(*TABLE_SIZES)
        first_grades = [int(random.choice(grades) > 0) for _ in range(count)]
        second_grades = [1 - grade if random.random() < 0.25 else grade for grade in first_grades]
        pairs = list(zip(first_grades, second_grades, strict=True))
        table = [
            [pairs.count((first_grade, second_grade)) for second_grade in (0, 1)]
            for first_grade in (0, 1)
        ]
        value = _compute_kappa(first_grades, second_grades)
        wrong_values = sorted(
            {
                kappa
                for kappa in _iter_wrong_kappas(table)
                if abs(kappa - value) > 10 * MIN_DIFFERENCE
            }
        )
        if (
            all(map(sum, table))
            and len({f"{candidate:.2f}" for candidate in [value, *wrong_values]})
            == len(wrong_values) + 1
            >= CHOICE_COUNT
        ):
            choices, right_index = _shuffle_choices(
                random, f"{value:.2f}", [f"{value:.2f}" for value in wrong_values]
            )
            question = Message(
                "Two assessors judged the same {count} documents. What is Cohen's kappa?",
                count=count,
            )
            rows = tuple(
                (word, *map(str, row)) for word, row in zip(BINARY_GRADES, table, strict=True)
            )
            return ChoiceExercise(
                "kappa",
                source.topic,
                seed,
                source.first.run,
                "kappa",
                question,
                (Message("rows: first assessor; columns: second assessor"), *BINARY_GRADES),
                rows,
                choices,
                right_index,
                tuple(_format_kappa_steps(table, value)),
            )
    raise _make_topic_error(source, Message("kappa is undefined for the grades of this topic"))


def _compute_kappa(first: Sequence[int], second: Sequence[int]) -> float:
    rows = [
        (str(item), assessor, grade)
        for item, pair in enumerate(zip(first, second, strict=True))
        for assessor, grade in zip("ab", pair, strict=True)
    ]
    return agreement(make_labels(rows, [0, 1]), ["kappa-nominal"])[0].value or 0.0


def _compute_observed_and_chance_agreement(table: Sequence[Sequence[int]]) -> tuple[float, float]:
    total = sum(map(sum, table))
    rows = [sum(row) / total for row in table]
    columns = [sum(column) / total for column in zip(*table, strict=True)]
    chance_agreement = sum(a * b for a, b in zip(rows, columns, strict=True))
    return (table[0][0] + table[1][1]) / total, chance_agreement


def _iter_wrong_kappas(table: Sequence[Sequence[int]]) -> Iterator[float]:
    """Yield wrong values of kappa that result from typical mistakes, such as ignoring chance."""
    observed, expected = _compute_observed_and_chance_agreement(table)
    yield from (
        observed,
        observed - expected,
        2 * observed - 1,
        (observed - expected) / max(observed, 0.01),
        expected,
    )


def _format_kappa_steps(table: Sequence[Sequence[int]], value: float) -> Iterator[str]:
    observed, expected = _compute_observed_and_chance_agreement(table)
    joint_counts = {
        "nonrelevant": table[0][0],
        "relevant": table[1][1],
        "documents": sum(map(sum, table)),
        "share": format_number(observed),
    }
    yield Message(
        "The assessors agree on {nonrelevant} + {relevant} of {documents} documents: {share}.",
        **joint_counts,
    )
    yield Message(
        "Agreement expected by chance, given how often each assessor calls a document "
        "relevant: {chance}.",
        chance=format_number(expected),
    )
    yield f"kappa = ({format_number(observed)} - {format_number(expected)})/(1 - {format_number(expected)}) = {format_number(value)}"


def ask_wrong_step(source: ExerciseSource, seed: int, random: Random) -> ChoiceExercise:
    """Generate a question: the first wrong step in a calculation with two mistakes."""
    run = random.choice(sorted(source.trials))
    for name in random.sample(STEPWISE_MEASURES, len(STEPWISE_MEASURES)):
        open_exercise = OpenExercise(
            Exercise("", source.topic, name, run, decimals=CALCULATION_DECIMALS), source.trials[run]
        )
        step_texts = {
            (rank, column): f"{cell:.{CALCULATION_DECIMALS}f}".rstrip("0").rstrip(".")
            if isinstance(cell, int | float)
            else ""
            for rank, cells in enumerate(open_exercise.solution.worked_example.rows, 1)
            for column, cell in zip(open_exercise.columns, cells, strict=True)
        }
        falsifiable_steps = [
            step for step, text in step_texts.items() if _falsify_step(text) is not None
        ]
        if len(falsifiable_steps) < CHOICE_COUNT + 1:
            continue
        wrong_step, *other_steps = sorted(
            random.sample(falsifiable_steps, 2), key=falsifiable_steps.index
        )
        for step in (wrong_step, *other_steps):
            step_texts[step] = _falsify_step(step_texts[step]) or ""
        if open_exercise.check("", step_texts).wrong_at != wrong_step:
            continue
        wrong_choices = [
            _format_step_position(step)
            for step in [*other_steps, *random.sample(falsifiable_steps, CHOICE_COUNT)]
            if step != wrong_step
        ][: CHOICE_COUNT - 1]
        choices, right_index = _shuffle_choices(
            random, _format_step_position(wrong_step), wrong_choices
        )
        if len(set(choices)) == CHOICE_COUNT:
            return _make_step_exercise(open_exercise, step_texts, seed, choices, right_index)
    raise _make_topic_error(source, Message("no measure has enough steps in its calculation"))


def _make_step_exercise(
    open_exercise: OpenExercise,
    step_texts: Mapping[StepPosition, str],
    seed: int,
    choices: tuple[str, ...],
    right_index: int,
) -> ChoiceExercise:
    name, solution = open_exercise.measure.name, open_exercise.solution
    question = Message(
        "Two steps of this calculation of {measure} are wrong. Which of the two comes first "
        "when you read line by line?",
        measure=name,
    )
    rows = tuple(
        (*line, *(step_texts[int(line[0]), column] for column in open_exercise.columns))
        for line in _compute_ranking_rows(open_exercise.trial)[: open_exercise.ranks]
    )
    return ChoiceExercise(
        "step",
        open_exercise.exercise.topic,
        seed,
        open_exercise.exercise.run,
        name,
        question,
        (*RANKING_HEADINGS, *open_exercise.columns),
        rows,
        choices,
        right_index,
        (*solution.worked_example.steps, solution.result),
    )


def _falsify_step(text: str) -> str | None:
    """Return a wrong value for a step; None if the step is empty."""
    if not text:
        return None
    return (
        str(int(text) + 1)
        if text.isdigit()
        else f"{float(text) * 1.5 + 0.05:.{CALCULATION_DECIMALS}f}"
    )


def _format_step_position(step: StepPosition) -> str:
    return Message("rank {rank}, {column}", rank=step[0], column=Message(step[1]))


def _compute_value(trial: Trial, name: str) -> float:
    return float(trial.values([parse_one_measure(name, trial.policy)])[0])


@dataclass(frozen=True, slots=True)
class ChoiceExerciseKind:
    """Kind of multiple-choice exercises: displayed title, and function that makes an exercise."""

    title: Message
    # function that makes an exercise from a source, a seed (to store in it) and a random generator
    make: Callable[[ExerciseSource, int, Random], ChoiceExercise]


# kinds of multiple-choice exercises, by name
CHOICE_EXERCISES: Mapping[str, ChoiceExerciseKind] = {
    "reach": ChoiceExerciseKind(
        Message("which move changes the measure to a given value"), ask_target_move
    ),
    "better": ChoiceExerciseKind(
        Message("which of two runs is better, and by which measure"), ask_better_run
    ),
    "kappa": ChoiceExerciseKind(Message("Cohen's kappa of a small table"), ask_kappa),
    "step": ChoiceExerciseKind(Message("the first wrong step"), ask_wrong_step),
}

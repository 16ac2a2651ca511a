"""Command exercise, which shows exercises to students and checks their answers."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from irjudge.cli.open_project import choose_qrels, open_for_reading
from irjudge.cli.options import FILE, format_option, show, terminal_progress
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    ANSWER_DECIMALS,
    BM25_KIND,
    CHOICE_EXERCISES,
    CHOICE_LETTERS,
    SCORE_COLUMNS,
    ChoiceExercise,
    OpenExercise,
    ScoreExercise,
    StepPosition,
    applicable_exercises,
    apply_moves,
    format_steps,
    make_choice_exercise,
    make_choice_exercise_of_any_topic,
    make_exercise_source,
    make_score_exercise,
    make_trial,
)
from irjudge.formats import (
    Exercise,
    ExerciseAnswer,
    append_answer,
    read_answers,
    read_exercises,
    summarise_class,
)
from irjudge.judging import read_project_qrels
from irjudge.message import Message, format_count
from irjudge.model import Qrels, Run
from irjudge.report import format_column
from irjudge.shipped import cache_folder
from irjudge.store import Project, project_postings

SKIPPED_STEP = "-"


@click.command("exercise")
@click.argument("project", type=FILE)
@click.argument("exercises", type=FILE, required=False)
@click.option(
    "-n", "--name", help=("Name of the exercise to show. Without this option, list all exercises.")
)
@click.option(
    "--answer",
    help=(
        "Answer: a value, such as 0.56, 5/9 or (1/1 + 2/3)/3; or moves, such as 3>2 9>8, if "
        "the exercise asks for a ranking that reaches a target value."
    ),
)
@click.option(
    "--step",
    "steps",
    multiple=True,
    help='Your values for an intermediate column, one per rank, such as "P@r=1 - 0.67"; use '
    '"-" to skip a rank.',
)
@click.option("--solution", is_flag=True, help="Print the calculation of the correct value.")
@click.option(
    "--make",
    "kind",
    type=click.Choice([*CHOICE_EXERCISES, BM25_KIND]),
    help=(
        "Create an exercise instead of reading a file. Exercises are multiple-choice, with a "
        "letter for --answer; only bm25 expects a value and allows --step."
    ),
)
@click.option(
    "--topic",
    help=("With --make: topic of the exercise. Default: a suitable topic, chosen at random."),
)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    help="Random seed for --make, for reproducible exercises.",
)
@click.option(
    "--results",
    type=FILE,
    help="Print a file of answers as one table: one row per student, one column per exercise.",
)
@click.option("--student", default="", help=("Name of the student, for the file of answers."))
@click.option("--source", "which", help="Which qrels of the project to use.")
@click.option(
    "-o",
    "--output",
    type=FILE,
    help="Append the answer to this CSV file.",
)
@format_option()
def exercise_command(
    project: Path,
    exercises: Path | None,
    name: str | None,
    answer: str | None,
    steps: tuple[str, ...],
    solution: bool,
    kind: str | None,
    topic: str | None,
    seed: int,
    results: Path | None,
    student: str,
    which: str | None,
    output: Path | None,
    output_format: str,
) -> None:
    """List the EXERCISES in a table that refers to a PROJECT, show one, or check an answer and
    report the first wrong step. --make creates a multiple-choice exercise from the project: the
    move that reaches a value of nDCG (reach), which of two runs is better and by which measure
    (better), Cohen's kappa of a small table (kappa), or the first wrong step of a calculation
    (step). --make bm25 asks for a score and is not multiple-choice; its steps have one value for
    each term, such as "idf=2.009 0.657". --results prints the answers of a class.
    """
    if results:
        show(*summarise_class(read_answers(results)), output_format)
        return
    _check_options(
        exercises,
        kind,
        name,
        topic,
        has_answer=answer is not None or bool(steps),
        steps=steps,
        solution=solution,
        output=output,
    )
    if kind == BM25_KIND:
        score_exercise = _make_score_exercise(project, topic, seed)
        _show_or_check_score(score_exercise, answer, steps, student, output, solution=solution)
        return
    with open_for_reading(project) as opened_project:
        qrels = read_project_qrels(opened_project, choose_qrels(opened_project, which))
        runs = {
            run.name: opened_project.rankings.run(run.name)
            for run in opened_project.rankings.runs()
        }
        if exercises is None:
            choice_exercise = _choose_exercise(
                str(kind), qrels, runs, topic, seed, opened_project.scale.highest
            )
            _show_or_check(choice_exercise, answer, student, output, solution=solution)
            return
        applicable_names = applicable_exercises(
            exercises,
            read_exercises(exercises),
            {name: run.topics for name, run in runs.items()},
            qrels.topics,
        )
        if name is None:
            show(
                ("exercise", "run", "topic", "measure", "target", "question"),
                _iter_exercise_rows(applicable_names),
                output_format,
            )
            return
        exercise = _pose_exercise(
            opened_project, _get_exercise(applicable_names, name), qrels, runs
        )
    if answer is None and not steps and not solution:
        _show_task(exercise)
    if answer is not None or steps:
        _check_answer(exercise, answer or "", steps, student, output)
    if solution:
        tell(*exercise.solution.worked_example.steps, exercise.solution.result)


def _check_options(
    exercises: Path | None,
    kind: str | None,
    name: str | None,
    topic: str | None,
    *,
    has_answer: bool,
    steps: tuple[str, ...],
    solution: bool,
    output: Path | None,
) -> None:
    """Raise IrjudgeError for options that contradict each other or have no effect."""
    if (
        (exercises is None) == (kind is None)
        or (kind and (name or (steps and kind != BM25_KIND)))
        or (kind is None and topic)
    ):
        raise IrjudgeError(
            "Give either a file of EXERCISES or --make KIND. --name needs a file, --topic needs "
            "--make, and --step needs a file or --make bm25.",
            key="file-or-kind",
        )
    if kind is None and name is None and (has_answer or solution):
        raise IrjudgeError(
            "--answer, --step and --solution need the exercise that they are about; give its "
            "--name.",
            key="no-name",
        )
    if output and not has_answer:
        raise IrjudgeError("-o saves an answer; give --answer or --step.", key="no-answer")


def _choose_exercise(
    kind: str, qrels: Qrels, runs: dict[str, Run], topic: str | None, seed: int, highest_grade: int
) -> ChoiceExercise:
    if topic is None:
        return make_choice_exercise_of_any_topic(kind, qrels, runs, seed, highest_grade)
    return make_choice_exercise(kind, make_exercise_source(qrels, runs, topic, highest_grade), seed)


def _show_or_check(
    choice_exercise: ChoiceExercise,
    answer: str | None,
    student: str,
    output: Path | None,
    *,
    solution: bool,
) -> None:
    if answer is None and not solution:
        tell(f"Topic {choice_exercise.topic}. {choice_exercise.question}")
        show(choice_exercise.headings, choice_exercise.rows, "text")
        tell(
            *(
                f"{letter}  {choice}"
                for letter, choice in zip(CHOICE_LETTERS, choice_exercise.choices, strict=False)
            )
        )
    if answer is not None:
        verdict = "right" if choice_exercise.check(answer) else "wrong"
        tell(f"{answer} is {verdict}.")
        if output:
            append_answer(
                output,
                ExerciseAnswer(
                    _get_time(), student, choice_exercise.exercise, answer, "", verdict, ""
                ),
            )
            say(f"The answer was saved in {output.name}.")
    if solution:
        tell(
            *choice_exercise.calculation,
            f"{CHOICE_LETTERS[choice_exercise.right]} is correct: {choice_exercise.choices[choice_exercise.right]}.",
        )


def _make_score_exercise(path: Path, topic: str | None, seed: int) -> ScoreExercise:
    with open_for_reading(path) as project, terminal_progress() as progress:
        topics = project.collection.topics()
        if topic is not None and topic not in {project_topic.id for project_topic in topics}:
            raise IrjudgeError("The project has no topic {topic}.", topic=topic)
        return make_score_exercise(
            project_postings(project, cache_folder(), progress),
            [project_topic for project_topic in topics if topic in (None, project_topic.id)],
            seed,
        )


def _show_or_check_score(
    exercise: ScoreExercise,
    answer: str | None,
    steps: tuple[str, ...],
    student: str,
    output: Path | None,
    *,
    solution: bool,
) -> None:
    if answer is None and not steps and not solution:
        tell(f"Topic {exercise.exercise.topic}. {exercise.exercise.question}")
        rows = [
            (term.term, f"{term.query:g}", term.count, term.document_frequency)
            for term in exercise.explained.terms
        ]
        show(("term", "in the query", "count", "n: documents containing the term"), rows, "text")
        tell(
            exercise.given_values_text,
            exercise.formulas,
            f"Intermediate columns: {', '.join(SCORE_COLUMNS)}. Give {ANSWER_DECIMALS} decimals or more.",
        )
    if answer is not None or steps:
        typed_cells = dict(cell for step in steps for cell in _parse_steps(SCORE_COLUMNS, step))
        result = exercise.check(answer or "", typed_cells)
        tell(*result.messages)
        if output:
            location = (
                f"{exercise.explained.terms[result.wrong_at[0] - 1].term}, {result.wrong_at[1]}"
                if result.wrong_at
                else ""
            )
            append_answer(
                output,
                ExerciseAnswer(
                    _get_time(),
                    student,
                    exercise.exercise,
                    answer or "",
                    format_steps(typed_cells),
                    result.verdict,
                    location,
                ),
            )
            say(f"The answer was saved in {output.name}.")
    if solution:
        tell(*exercise.iter_calculation_lines())


def _get_time() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _iter_exercise_rows(exercises: tuple[Exercise, ...]) -> Iterator[tuple[str, ...]]:
    for exercise in exercises:
        yield (
            exercise.name,
            exercise.run,
            exercise.topic,
            exercise.measure,
            exercise.target.written if exercise.target else "",
            exercise.question,
        )


def _get_exercise(exercises: tuple[Exercise, ...], name: str) -> Exercise:
    for exercise in exercises:
        if exercise.name == name:
            return exercise
    raise IrjudgeError(
        "There is no exercise {name!r}; expected one of {exercises}.",
        name=name,
        exercises=", ".join(exercise.name for exercise in exercises),
    )


def _pose_exercise(
    project: Project, exercise: Exercise, qrels: Qrels, runs: dict[str, Run]
) -> OpenExercise:
    return OpenExercise(
        exercise,
        make_trial(
            qrels,
            runs[exercise.run],
            exercise.topic,
            highest=project.scale.highest,
            collection=project.collection.document_count() or None,
        ),
    )


def _show_task(exercise: OpenExercise) -> None:
    """Print the task of an exercise and the ranking with grades; omit computed columns."""
    task, worked_example = exercise.exercise, exercise.solution.example
    rows = zip(
        range(1, len(worked_example.documents) + 1),
        worked_example.documents,
        format_column(2, worked_example.grades),
        strict=True,
    )
    tell(task.question or f"What is {task.measure}?", exercise.measure.definition)
    if task.target:
        limit = "" if task.moves is None else f", with at most {format_count(task.moves, 'move')}"
        tell(f"Move documents until {task.measure} is {task.target.written}{limit}.")
    elif exercise.columns:
        tell(f"Intermediate columns: {', '.join(exercise.columns)}.")
    tell(
        f"Judged documents: {len(exercise.solution.example.judged)}; grades: {' '.join(map(str, worked_example.judged))}."
    )
    show(("rank", "document", "grade"), rows, "text")


def _check_answer(
    exercise: OpenExercise, answer: str, steps: tuple[str, ...], student: str, output: Path | None
) -> None:
    typed_cells = dict(cell for step in steps for cell in _parse_steps(exercise.columns, step))
    result = (
        exercise.check_order(*apply_moves(exercise.trial, answer))
        if exercise.exercise.target
        else exercise.check(answer, typed_cells)
    )
    tell(*result.messages)
    if output:
        append_answer(
            output,
            ExerciseAnswer(
                _get_time(),
                student,
                exercise.exercise,
                answer,
                format_steps(typed_cells),
                result.verdict,
                result.where,
            ),
        )
        say(f"The answer was saved in {output.name}.")


def _parse_steps(columns: Sequence[str], text: str) -> Iterator[tuple[StepPosition, str]]:
    """Yield the position and the value of each step in a text such as `P@r=1 - 0.67`.

    The text consists of the name of a column and the column's values, beginning at rank 1; `-`
    skips a rank.
    """
    column, _, values_text = text.partition("=")
    if column.strip() not in columns:
        raise IrjudgeError(
            "{column!r} is not a column of this exercise; expected one of {columns}.",
            column=column,
            columns=", ".join(columns) or Message("none"),
        )
    for rank, value in enumerate(values_text.split(), 1):
        if value != SKIPPED_STEP:
            yield (rank, column.strip()), value

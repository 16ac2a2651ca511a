"""Tests of multiple-choice exercises: exactly one choice is right, for any seed."""

from random import Random

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    CHOICE_EXERCISES,
    ChoiceExercise,
    OpenExercise,
    apply_moves,
    make_choice_exercise,
    make_choice_exercise_of_any_topic,
    make_exercise_source,
)
from irjudge.evaluation.exercises import MAX_RANKS, ExerciseSource
from irjudge.formats import Exercise
from irjudge.metrics import parse_measure_name
from irjudge.model import make_qrels, make_run
from tests.lengths import example_count

DOCUMENTS = [f"d{number}" for number in range(12)]


def random_source(seed: int) -> ExerciseSource:
    """Return a random topic with grades and two rankings."""
    random = Random(seed)
    qrels = make_qrels(
        [("1", each, random.randint(0, 3) * random.randint(0, 1)) for each in DOCUMENTS]
    )
    runs = {}
    for name in ("left", "right"):
        order = random.sample(DOCUMENTS, 10)
        runs[name] = make_run(name, [("1", each, -float(rank)) for rank, each in enumerate(order)])
    return make_exercise_source(qrels, runs, "1", highest=3)


def make_exercises(kind: str, seeds: range) -> list[tuple[ExerciseSource, ChoiceExercise]]:
    exercises = []
    for seed in seeds:
        source = random_source(seed)
        try:
            exercises.append((source, make_choice_exercise(kind, source, seed)))
        except IrjudgeError:  # a topic without relevant documents
            continue
    assert len(exercises) > 0.8 * len(seeds)
    return exercises


def reaches_target(source: ExerciseSource, made: ChoiceExercise, choice: str) -> bool:
    goal = made.question.rsplit("changes it to ", 1)[1].partition("?")[0]
    now, _ = apply_moves(source.trials[made.run], choice)
    return (
        f"{now.values(parse_measure_name(made.measure))[0]:.{len(goal.partition('.')[2])}f}" == goal
    )


def is_ahead(source: ExerciseSource, _made: ChoiceExercise, choice: str) -> bool:
    run, measure = choice.split(" is better according to ")
    [other] = set(source.trials) - {run}
    one, two = (
        float(source.trials[name].values(parse_measure_name(measure))[0]) for name in (run, other)
    )
    return one > two + 1e-9


def is_kappa(_source: ExerciseSource, made: ChoiceExercise, choice: str) -> bool:
    (_, a, b), (_, c, d) = made.rows
    (a, b), (c, d) = (int(a), int(b)), (int(c), int(d))
    whole = a + b + c + d
    chance = ((a + b) * (a + c) + (c + d) * (b + d)) / whole**2
    return abs(((a + d) / whole - chance) / (1 - chance) - float(choice)) <= 0.005 + 1e-9


def is_first_wrong(source: ExerciseSource, made: ChoiceExercise, choice: str) -> bool:
    columns = made.headings[3:]
    truth = OpenExercise(
        Exercise("1", "1", made.measure, made.run), source.trials[made.run]
    ).solution.worked_example.rows
    wrong_answers = [
        f"rank {rank}, {column}"
        for rank, (shown, row) in enumerate(zip(made.rows, truth, strict=True), 1)
        for column, shown_value, true in zip(columns, shown[3:], row, strict=True)
        if isinstance(true, int | float) and abs(float(shown_value) - true) > 0.00006
    ]
    assert len(wrong_answers) == 2
    return choice == wrong_answers[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "holds"),
    [
        ("reach", reaches_target),
        ("better", is_ahead),
        ("kappa", is_kappa),
        ("step", is_first_wrong),
    ],
)
def test_exactly_one_choice_is_right_and_marked_as_right(kind: str, holds) -> None:
    for source, exercise in make_exercises(kind, range(example_count(200))):
        assert [holds(source, exercise, choice) for choice in exercise.choices] == [
            exercise.check(letter) for letter in "abcd"
        ]
        assert len(set(exercise.choices)) == 4 and exercise.calculation


def test_the_first_wrong_step_of_a_mutated_answer_is_named() -> None:
    random = Random(35)
    count = 0
    while count < example_count(1000):
        exercise = OpenExercise(
            Exercise("1", "1", random.choice(["AP", "DCG@8", "RBP(p=0.8)"])),
            random_source(random.randrange(1000)).first,
        )
        steps = {
            (rank, column): f"{value:.4f}"
            for rank, row in enumerate(exercise.solution.worked_example.rows, 1)
            for column, value in zip(exercise.columns, row, strict=True)
            if isinstance(value, int | float)
        }
        wrong_steps = [step for step in steps if random.random() < 0.1]
        if wrong_steps:
            for step in wrong_steps:
                steps[step] = f"{float(steps[step]) + random.choice([-0.5, 0.1, 1]):.4f}"
            given = random.sample(sorted(steps), len(steps))  # the order of typing does not matter
            assert (
                exercise.check("", {step: steps[step] for step in given}).wrong_at == wrong_steps[0]
            )
            count += 1


def test_the_seed_determines_the_exercise() -> None:
    source = random_source(3)
    for kind in CHOICE_EXERCISES:
        assert make_choice_exercise(kind, source, 7) == make_choice_exercise(kind, source, 7)
    assert len({make_choice_exercise("kappa", source, seed).rows for seed in range(6)}) > 3


@pytest.mark.slow
def test_an_unsuitable_topic_is_refused_and_others_are_accepted() -> None:
    rows = [
        (topic, each, int(topic == "2" and each in "d1 d4 d7"))
        for topic in "12"
        for each in DOCUMENTS
    ]
    run = make_run(
        "r", [(topic, each, -float(rank)) for topic in "12" for rank, each in enumerate(DOCUMENTS)]
    )
    qrels = make_qrels(rows)
    with pytest.raises(IrjudgeError, match="Topic 1 is not suitable"):
        make_choice_exercise("reach", make_exercise_source(qrels, {"r": run}, "1"), 1)
    assert {
        make_choice_exercise_of_any_topic("reach", qrels, {"r": run}, seed).topic
        for seed in range(4)
    } == {"2"}
    with pytest.raises(IrjudgeError, match="no two runs differ"):
        make_choice_exercise_of_any_topic("better", qrels, {"r": run}, 1)


@pytest.mark.parametrize(("topic", "key"), [("9", "no-qrels"), ("2", "no-ranking")])
def test_missing_runs_and_topics_are_named(topic: str, key: str) -> None:
    run = make_run("r", [("1", "d1", 1.0)])
    with pytest.raises(IrjudgeError) as error:
        make_exercise_source(make_qrels([("1", "d1", 1), ("2", "d1", 1)]), {"r": run}, topic)
    assert (error.value.key, error.value.values) == (key, {"topic": topic})
    with pytest.raises(IrjudgeError) as error:
        make_choice_exercise("guess", random_source(1), 1)
    assert error.value.values["kind"] == "'guess'"
    assert error.value.values["kinds"] == "reach, better, kappa, step"
    with pytest.raises(IrjudgeError) as error:
        make_choice_exercise("kappa", random_source(1), 1).check("e")
    assert error.value.values["option"] == "'e'"
    assert error.value.values["options"] == "a, b, c, d"


def test_only_used_documents_are_shown() -> None:
    for kind in ("reach", "better"):
        assert len(make_choice_exercise(kind, random_source(3), 1).rows) == MAX_RANKS

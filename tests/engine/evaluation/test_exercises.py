"""Tests of exercises: typed answers, the first wrong step, and hints that do not give the value."""

import re
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import (
    OpenExercise,
    Trial,
    applicable_exercises,
    apply_moves,
    format_moves,
    format_steps,
    make_exchange_target,
    make_trial,
)
from irjudge.evaluation.exercises import parse_typed_number, related_measures
from irjudge.formats import Exercise, Target
from irjudge.message import Message
from irjudge.metrics import parse_measure_name
from irjudge.model import make_qrels, make_run
from tests.lengths import example_count


def ranking(grades: str, missed: int = 0) -> Trial:
    """Return a ranking with these grades; `missed` relevant documents are not retrieved."""
    qrels = make_qrels(
        [("1", f"d{rank}", int(grade)) for rank, grade in enumerate(grades, 1)]
        + [("1", f"m{n}", 1) for n in range(missed)]
    )
    return make_trial(
        qrels,
        make_run("r", [("1", f"d{rank}", -float(rank)) for rank in range(1, len(grades) + 1)]),
        "1",
    )


# AP = (1/1 + 2/3 + 3/6)/4 = 0.5417
AP = OpenExercise(Exercise("1", "1", "AP"), ranking("101001", missed=1))


def test_the_target_is_the_best_value_that_an_exchange_reaches() -> None:
    """P@3 of 0 0 0 1 is 0, and 1/3 with the last document above rank 4; FDR@3 is 1 and 2/3."""
    for measure, relation, value in (("P@3", ">=", 0.3333), ("FDR@3", "<=", 0.6667)):
        trial = ranking("0001")
        exercise = make_exchange_target(trial, Exercise("1", "1", measure))
        target = exercise.exercise.target
        assert target is not None and (target.relation, target.value) == (relation, value)
        verdicts = [exercise.check_order(each, 1).verdict for each in (trial, trial.exchange(0, 3))]
        assert verdicts == ["wrong", "right"]


def test_steps_that_the_calculation_does_not_have_are_reported() -> None:
    """AP has no precision at rank 2, which is not relevant, and no rank 9."""
    for step in ((2, "P@r"), (9, "P@r")):
        result = AP.check("", {step: "0.5"})
        (message,) = result.messages
        assert isinstance(message, Message) and message.key == "no-such-step"
        assert (result.verdict, result.step_results) == ("open", {})


def test_a_target_is_not_reached_before_the_exchange() -> None:
    """RBP of 20 relevant documents is 1 - 0.5^20; exchanging ranks 21 and 22 adds 0.5^22."""
    trial = ranking("1" * 20 + "01")
    with pytest.raises(IrjudgeError):
        make_exchange_target(trial, Exercise("1", "1", "RBP(p=0.5)"))


@pytest.mark.parametrize(
    ("typed", "verdict"),
    [
        ("0.54", "right"),
        ("0,5417", "right"),
        (".5417", "right"),
        ("13/24", "right"),
        ("(1/1 + 2/3 + 3/6)/4", "right"),
        ("(1 + 2/3 + 3/6) ÷ 4", "right"),
        ("(1 + .67 + .5)/4", "right"),  # exact enough for two decimals
        ("0.5", "rounded"),
        ("0.55", "close"),
        ("0.5416", "close"),
        ("0.53", "close"),
        ("0.5317", "wrong"),
        ("0.57", "wrong"),
        ("0.4", "wrong"),
        ("54", "wrong"),
    ],
)
def test_a_value_is_right_in_any_notation(typed: str, verdict: str) -> None:
    assert AP.check(typed).verdict == verdict


@pytest.mark.parametrize(
    "typed",
    [
        "half",
        "1/0",
        "0.5 0.6",
        "__import__('os')",
        "2^99999",
        "(" * 300,
        "log2(1,2)",
        "a.b",
        "1 if 1 else 2",
    ],
)
def test_an_invalid_number_is_reported_and_not_counted(typed: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        AP.check(typed)
    assert error.value.key == "not-a-number"


@settings(max_examples=example_count(200), deadline=None)
@given(st.text(alphabet="0123456789.,+-*/^()elogn2 ='[]{}\"", max_size=40))
def test_no_text_crashes_the_calculator(typed: str) -> None:
    with suppress(IrjudgeError):
        assert isinstance(parse_typed_number(typed).value, float)


def test_logarithms_are_accepted_in_textbook_notation() -> None:
    exercise = OpenExercise(Exercise("1", "1", "DCG(discount=jk)@3"), ranking("321"))
    assert exercise.check("3 + 2/log2(2) + 1/log2(3)").verdict == "right"


def test_the_first_wrong_step_is_named_and_no_step_after_it_matters() -> None:
    checked = AP.check(
        "0.7", {(1, "P@r"): "1", (3, "P@r"): "1/2", (3, "sum"): "1.5", (6, "found"): "3"}
    )
    assert (checked.wrong_at, checked.where, checked.verdict) == (
        (3, "P@r"),
        "rank 3, P@r",
        "wrong",
    )
    assert checked.step_results == {
        (1, "P@r"): True,
        (3, "P@r"): False,
        (3, "sum"): False,
        (6, "found"): True,
    }
    assert checked.messages[-1].key == "first-wrong-step"
    assert checked.messages[-1].values == {"rank": "3", "column": "P@r"}


def test_a_right_value_with_a_wrong_step_is_not_yet_right() -> None:
    assert AP.check("0.5417", {(3, "P@r"): "0.5"}).verdict == "wrong"


@pytest.mark.parametrize(
    ("step", "key"), [("0.67", "too-few-decimals"), ("0.6668", "last-digit-wrong")]
)
def test_a_rounded_step_is_not_a_wrong_step(step: str, key: str) -> None:
    """AP = (1 + 2/3)/2 = 0.8333, to four decimals; P@r at rank 3 is 2/3."""
    exercise = OpenExercise(Exercise("1", "1", "AP", decimals=4), ranking("101"))
    for value, verdict in (("0.8333", "right"), ("0.9", "wrong"), ("", "open")):
        checked = exercise.check(value, {(3, "P@r"): step})
        assert (checked.verdict, checked.wrong_at) == (verdict, None)
        assert checked.step_results == {(3, "P@r"): True}
        assert (checked.messages[-1].key, checked.messages[-1].values["value"]) == (key, step)
    wrong = exercise.check("0.8333", {(1, "P@r"): "1.0", (3, "P@r"): "0.5"})
    assert (wrong.verdict, wrong.wrong_at) == ("wrong", (3, "P@r"))


def test_right_steps_without_a_value_are_right_so_far() -> None:
    checked = AP.check("", {(1, "found"): "1", (3, "sum"): "5/3"})
    (steps,) = checked.messages
    assert (checked.verdict, steps.key, steps.values) == ("open", "steps-right", {"count": "2"})


def test_right_steps_with_a_wrong_value_point_to_the_next_step() -> None:
    steps = AP.check("0.7", {(6, "sum"): "2.1667"}).messages[-1]
    assert (steps.key, steps.values) == ("mistake-after-steps", {"count": "1"})


def test_a_step_missing_in_the_worked_example_is_never_wrong() -> None:
    assert (
        AP.check("0.54", {(2, "P@r"): "0.9"}).step_results == {}
    )  # rank 2 has no relevant document


def test_an_empty_answer_is_refused() -> None:
    with pytest.raises(IrjudgeError, match="Enter the value"):
        AP.check("  ", {(1, "P@r"): " "})


def test_a_sum_that_was_not_divided_is_recognised() -> None:
    assert [(each.key, each.values) for each in AP.check("2.17").messages] == [
        ("wrong-value", {"measure": "AP", "value": "2.17"}),
        ("last-of-column", {"column": "sum"}),
    ]


def test_the_value_of_another_kind_is_recognised() -> None:
    assert [(each.key, each.values) for each in AP.check("0.7222").messages] == [
        ("wrong-value", {"measure": "AP", "value": "0.7222"}),
        ("other-measure", {"name": "AP(norm=retrieved)"}),
    ]


def test_related_measures_differ_in_one_parameter() -> None:
    (measure,) = parse_measure_name("P@1")
    measures = list(related_measures(measure))
    assert {"P(rel=2)@1", "P@2"} <= {each.name for each in measures}
    assert [
        each.name for each in measures if each.values["cutoff"] == 0 or each.values["rel"] == 0
    ] == []
    assert all(len(set(each.parameters) - set(measure.parameters)) == 1 for each in measures)


@pytest.mark.parametrize("typed", ["0.7", "0.55", "0.5", "2.17", "0.7222"])
def test_feedback_on_a_wrong_answer_does_not_reveal_the_value(typed: str) -> None:
    feedback = " ".join(AP.check(typed, {(3, "P@r"): "0.1"}).messages)
    assert "0.54" not in feedback and "2/3" not in feedback and "0.6667" not in feedback


def test_a_ranking_is_rearranged_until_the_target_is_reached() -> None:
    posed = OpenExercise(
        Exercise("1", "1", "AP", target=Target("=", 0.63, 2), moves=1), ranking("101001", missed=1)
    )
    now, moves = apply_moves(posed.trial, "3>2")  # (1 + 1 + 3/6)/4
    (near,) = posed.check_order(now, moves).messages
    assert near.values == {"measure": "AP", "value": "0.6250", "target": "0.63"}
    assert posed.check_order(now, moves).verdict == "right" and posed.columns == ()
    (far,) = posed.check_order(posed.trial, 0).messages
    assert far.values == {"measure": "AP", "value": "0.5417", "target": "0.63"}
    assert far.template != near.template and posed.check_order(posed.trial, 0).verdict == "wrong"


def test_too_many_moves_do_not_count() -> None:
    posed = OpenExercise(
        Exercise("1", "1", "AP", target=Target(">=", 0.6, 1), moves=1), ranking("101001", missed=1)
    )
    checked = posed.check_order(*apply_moves(posed.trial, "6>4, 3>2"))
    assert (checked.verdict, re.findall(r"\d+", checked.messages[-1])) == ("wrong", ["2", "1"])


@pytest.mark.parametrize(
    ("relation", "value", "reached"),
    [(">=", 0.5416, True), (">=", 0.542, False), ("<=", 0.542, True), ("<=", 0.5, False)],
)
def test_targets_have_a_direction(relation: str, value: float, reached: bool) -> None:
    posed = OpenExercise(Exercise("1", "1", "AP", target=Target(relation, value, 4)), AP.trial)
    assert (posed.check_order(posed.trial, 0).verdict == "right") is reached


def test_moves_are_stored_as_read() -> None:
    text = format_moves([(3, 2), (6, 1)])
    assert text == "3>2 6>1"
    assert apply_moves(AP.trial, text)[0].documents == ("d6", "d1", "d3", "d2", "d4", "d5")
    assert (
        format_steps({(3, "P@r"): " 0.5", (1, "sum"): "1", (2, "sum"): ""}) == "1 sum 1; 3 P@r 0.5"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [("3-2", "is not a move"), ("7>1", "the ranks 1 to 6"), ("0>1", "the ranks 1 to 6")],
)
def test_an_impossible_move_is_reported(text: str, message: str) -> None:
    with pytest.raises(IrjudgeError, match=message):
        apply_moves(AP.trial, text)


def test_exercises_of_a_file_are_matched_with_the_project() -> None:
    (exercise,) = applicable_exercises(
        __file__, [Exercise("1", "q1", "map")], {"bm25": ["q1"]}, ["q1"]
    )
    assert (exercise.run, exercise.measure) == ("bm25", "AP")


@pytest.mark.parametrize(
    ("exercise", "message"),
    [
        (
            Exercise("A", "q1", "AP", "bm52"),
            "no run 'bm52'; closest match: bm25",
        ),
        (
            Exercise("A", "q11", "AP", "bm25"),
            "topic 'q11'; closest match: q1",
        ),
        (Exercise("A", "q2", "AP", "bm25"), "run bm25 lacks topic q2"),
        (
            Exercise("A", "q1", "P@5,10", "bm25"),
            "2 measures",
        ),
        (Exercise("A", "q1", "APP", "bm25"), "APP"),
    ],
)
def test_an_exercise_without_its_run_or_topic_is_named(exercise: Exercise, message: str) -> None:
    with pytest.raises(FormatError) as error:
        applicable_exercises("e.csv", [exercise], {"bm25": ["q1"]}, ["q1", "q2"])
    assert re.match(rf"e\.csv: exercise A: .*{re.escape(message)}", str(error.value))

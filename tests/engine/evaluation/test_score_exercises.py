"""Tests of exercises on retrieval scores: they can be solved from the displayed numbers."""

from math import log

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import ANSWER_DECIMALS, SCORE_COLUMNS, ScoreExercise, make_score_exercise
from irjudge.model import Document, Topic
from irjudge.search import make_postings
from tests.lengths import example_count

TEXTS = [
    "tide tide moon salt",
    "tide bread",
    "salt",
    "moon bread bread tide sea",
    "",
    "moon moon tide",
]
POSTINGS = make_postings(
    [Document(f"d{index}", text.encode()) for index, text in enumerate(TEXTS)],
    languages={"LATIN": "english"},
)
TOPICS = [Topic("1", "tide moon"), Topic("2", "bread"), Topic("3", "tide tide bread")]


def compute_by_formula(exercise: ScoreExercise) -> list[tuple[float, float, float]]:
    """Compute each step from the displayed numbers, by the displayed formulas."""
    explanation, k1, b = exercise.explained, exercise.k1, exercise.b
    long = 1 - b + b * explanation.length / explanation.mean_length
    rows = []
    for term in explanation.terms:
        idf = log(
            1
            + (explanation.documents - term.document_frequency + 0.5)
            / (term.document_frequency + 0.5)
        )
        tf = term.count * (k1 + 1) / (term.count + k1 * long)
        rows.append((idf, tf, term.query * idf * tf))
    return rows


def test_steps_and_score_follow_the_displayed_formulas() -> None:
    asked = set()
    for seed in range(example_count(60)):
        posed = make_score_exercise(POSTINGS, TOPICS, seed)
        rows = compute_by_formula(posed)
        given = {
            (rank, column): f"{value:.{ANSWER_DECIMALS}f}"
            for rank, row in enumerate(rows, 1)
            for column, value in zip(SCORE_COLUMNS, row, strict=True)
        }
        checked = posed.check(f"{sum(adds for *_, adds in rows):.{ANSWER_DECIMALS}f}", given)
        assert (checked.verdict, all(checked.step_results.values()), len(checked.step_results)) == (
            "right",
            True,
            3 * len(rows),
        )
        assert [*posed.iter_calculation_lines()][-1].endswith(
            f"= {posed.explained.score:.4f}".rstrip("0")
        )
        asked.add((posed.exercise.topic, posed.document, posed.k1, posed.b))
    assert len(asked) > 5 and {topic for topic, *_ in asked} == {
        "1",
        "3",
    }  # only one word of topic 2 occurs in the texts


def test_the_first_wrong_step_is_named_by_its_term() -> None:
    posed = make_score_exercise(POSTINGS, TOPICS, 1)
    [first, second, *_] = compute_by_formula(posed)
    steps = {(1, "idf"): f"{first[0]:.4f}", (1, "tf"): "9.999", (2, "adds"): "9.999"}
    checked = posed.check("", steps)
    assert (checked.verdict, checked.wrong_at) == ("wrong", (1, "tf"))
    assert checked.messages[0].values == {"term": posed.explained.terms[0].term, "column": "tf"}
    open_so_far = posed.check("", {(2, "idf"): f"{second[0]:.4f}"})
    assert open_so_far.verdict == "open" and "correct (1)" in open_so_far.messages[0]


def test_a_score_of_another_formula_is_recognised() -> None:
    posed = next(
        each
        for each in (make_score_exercise(POSTINGS, TOPICS, seed) for seed in range(50))
        if len(each.other_scores) == 5
    )
    for name, score in posed.other_scores.items():
        other = posed.check(f"{score:.6f}").messages[-1]
        assert other.key == "other-formula"
        assert posed.other_scores[other.values["name"]] == pytest.approx(score, abs=1e-4), name
    assert posed.check("123").messages == ("The score is not 123.",)
    with pytest.raises(IrjudgeError, match="Enter the value"):
        posed.check(" ")


def test_the_seed_determines_the_exercise_and_one_word_gives_none() -> None:
    assert (
        make_score_exercise(POSTINGS, TOPICS, 3).exercise
        == make_score_exercise(POSTINGS, TOPICS, 3).exercise
    )
    with pytest.raises(IrjudgeError) as error:
        make_score_exercise(POSTINGS, [Topic("2", "bread")], 1)
    assert error.value.values["minimum"] == "2"
    assert error.value.values["maximum"] == "4"

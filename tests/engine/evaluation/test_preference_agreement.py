"""Tests of agreement between measures and preferences, and of compatibility."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import MeasureError
from irjudge.evaluation import compatibility, evaluate_runs, join, parse_measures, preference_qrels
from irjudge.evaluation.preferences import MeasureAgreement, measure_agreement
from irjudge.metrics import JudgedRun
from irjudge.model import make_preferences, make_qrels, make_run


def by_definition(run: list[str], grades: dict[str, int], p: float, depth: int = 1000) -> float:
    """Return RBO(run, ideal) / RBO(ideal, ideal), computed rank by rank."""
    rank_of = {document: rank for rank, document in enumerate(run)}
    ideal = sorted(
        (d for d, grade in grades.items() if grade > 0),
        key=lambda d: (-grades[d], rank_of.get(d, len(run))),
    )

    def overlap(one: list[str], two: list[str]) -> float:
        return sum(p ** (i - 1) * len(set(one[:i]) & set(two[:i])) / i for i in range(1, depth + 1))

    return overlap(run, ideal) / overlap(ideal, ideal) if ideal else 0.0


# Clarke's compatibility program: run a to h, grades c 3, a 2, b 2, z 2, h 1, d 0.
@pytest.mark.parametrize(("p", "value"), [(0.8, 0.541752), (0.9, 0.613984), (0.95, 0.658887)])
def test_compatibility_of_the_worked_run(p: float, value: float) -> None:
    run = make_run("r", [("1", document, -rank) for rank, document in enumerate("abcdefgh")])
    grades = {"c": 3, "a": 2, "b": 2, "z": 2, "h": 1, "d": 0}
    qrels = make_qrels([("1", document, grade) for document, grade in grades.items()])
    assert compatibility(join(run, qrels), p=p) == pytest.approx([value], abs=5e-7)
    assert by_definition(list("abcdefgh"), grades, p) == pytest.approx(value, abs=5e-7)


@given(
    st.lists(st.permutations("abcdefgh"), min_size=1, max_size=3),
    st.lists(
        st.dictionaries(st.sampled_from("abcdefghxyz"), st.integers(0, 3), min_size=1),
        min_size=3,
        max_size=3,
    ),
    st.integers(1, 8),
    st.integers(1, 12),
    st.sampled_from([0.5, 0.8, 0.95]),
)
def test_compatibility_matches_its_definition(
    runs, grades, length: int, depth: int, p: float
) -> None:
    ranked = [run[:length] for run in runs]
    run = make_run(
        "r",
        [
            (str(topic), document, -rank)
            for topic, top in enumerate(ranked)
            for rank, document in enumerate(top)
        ],
    )
    qrels = make_qrels(
        [
            (str(topic), document, grade)
            for topic, _ in enumerate(ranked)
            for document, grade in grades[topic].items()
        ]
    )
    expected = [
        by_definition(list(top), each, p, depth) for top, each in zip(ranked, grades, strict=False)
    ]
    assert compatibility(join(run, qrels), p=p, depth=depth) == pytest.approx(expected)


def test_a_perfect_run_is_one_and_nothing_preferred_is_zero() -> None:
    assert compatibility(JudgedRun.single(ranked=[3, 2, 2, 1, 0])).tolist() == [1]
    assert compatibility(JudgedRun.single(ranked=[0, 0], judged=[0, 0])).tolist() == [0]
    with pytest.raises(MeasureError) as error:
        compatibility(JudgedRun.single(ranked=[1]), p=1)
    assert error.value.values["p"] == "1"


def test_documents_get_two_points_per_win_and_one_per_tie() -> None:
    preferences = make_preferences(
        ["d1", "d2", "d1"], ["d2", "d3", "d2"], [-1, 0, 1], topic=["1", "1", "2"], documents=True
    )
    assert list(preference_qrels(preferences).rows()) == [
        ("1", "d1", 0),
        ("1", "d2", 3),
        ("1", "d3", 1),
        ("2", "d1", 2),
        ("2", "d2", 0),
    ]


def test_topics_are_counted_by_agreement_of_measure_and_majority() -> None:
    qrels = make_qrels([(topic, "good", 1) for topic in "1234"])
    top = {"a": ["good", "good", "bad", "good"], "b": ["bad", "bad", "good", "good"]}
    runs = [
        make_run(name, [(str(at), document, 1.0) for at, document in enumerate(tops, 1)])
        for name, tops in top.items()
    ]
    answers = [("1", 1), ("1", 1), ("1", -1), ("2", -1), ("3", 0), ("4", 1), ("9", 1)]
    for swapped in (False, True):
        left, right = ("b", "a") if swapped else ("a", "b")
        winner = [-each if swapped else each for _, each in answers]
        preferences = make_preferences(
            [left] * 7, [right] * 7, winner, topic=[topic for topic, _ in answers]
        )
        result = list(
            measure_agreement(preferences, evaluate_runs(qrels, runs, parse_measures(["P@1"])))
        )
        assert result == [
            MeasureAgreement("P@1", "a", "b", same=1, opposite=1, measure_tied=1, undecided=1)
        ]


def test_a_measure_favours_the_run_with_the_lower_value_if_lower_is_better() -> None:
    """Run a retrieves only relevant documents on both topics, run b as many that are not.

    SetP is 1 and 1/2; E = 1 - F is 0 and 1 - 2/3; FDR is 0 and 1/2: a is better by each.
    """
    qrels = make_qrels([(topic, "good", 1) for topic in "12"])
    runs = [
        make_run("a", [(topic, "good", 1.0) for topic in "12"]),
        make_run("b", [(topic, document, 1.0) for topic in "12" for document in ("good", "bad")]),
    ]
    preferences = make_preferences(["a", "a"], ["b", "b"], [1, 1], topic=["1", "2"])
    evaluation = evaluate_runs(qrels, runs, parse_measures(["SetP", "SetE", "FDR"]))
    agreements = list(measure_agreement(preferences, evaluation))
    assert [(each.measure, each.same, each.opposite) for each in agreements] == [
        ("SetP", 2, 0),
        ("SetE", 2, 0),
        ("FDR", 2, 0),
    ]


def test_systems_without_a_run_are_left_out() -> None:
    run = make_run("a", [("1", "d", 1.0)])
    preferences = make_preferences(["a"], ["other"], [1], topic=["1"])
    assert (
        list(
            measure_agreement(
                preferences,
                evaluate_runs(make_qrels([("1", "d", 1)]), [run], parse_measures(["P@1"])),
            )
        )
        == []
    )
    assert np.isfinite(compatibility(join(run, make_qrels([("1", "d", 1)])))).all()

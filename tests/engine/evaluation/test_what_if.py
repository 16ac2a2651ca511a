"""Tests of what-if rankings: values equal the engine's, and each change is computed as if made."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.evaluation import (
    Policy,
    Trial,
    evaluate_runs,
    explain_value,
    find_value_changes,
    make_trial,
    parse_measures,
)
from irjudge.formats.rankings import read_auxiliary_table
from irjudge.metrics import PROFILES, parse_measure_name
from irjudge.model import Qrels, Run, make_qrels, make_run
from tests.lengths import example_count

LETTERS = "abcdefghij"
MEASURES = parse_measures(
    "AP P@3 nDCG@5 DCG(discount=jk) RR Bpref ERR Rprec SetF NumRet ACC(universe=collection) infAP".split()
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Qrels, Run]:
    """Return qrels and a run of two topics, the run with ties."""
    rows = [
        (topic, letter, draw(st.sampled_from([-2, -1, 0, 0, 1, 2])))
        for topic in "12"
        for letter in draw(st.lists(st.sampled_from(LETTERS), unique=True, min_size=1))
    ]
    lines = [
        (topic, letter, float(draw(st.integers(0, 4))))
        for topic in "12"
        for letter in draw(st.permutations(LETTERS))[:7]
    ]
    return make_qrels(rows), make_run("r", lines)


def trial_of(grades: str, *, missed: str = "") -> Trial:
    """Return a trial with these grades (`?` is unjudged), and further judged documents."""
    named = [(f"d{rank}", int(grade)) for rank, grade in enumerate(grades, 1) if grade != "?"]
    qrels = make_qrels(
        [("1", name, grade) for name, grade in named]
        + [("1", f"m{index}", int(each)) for index, each in enumerate(missed)]
    )
    return make_trial(
        qrels,
        make_run("r", [("1", f"d{rank}", -float(rank)) for rank in range(1, len(grades) + 1)]),
        "1",
    )


@pytest.mark.slow
@settings(max_examples=example_count(40), deadline=None)
@given(case=cases(), profile=st.sampled_from(PROFILES), depth=st.sampled_from([None, 3]))
def test_an_unchanged_ranking_has_the_values_of_the_evaluation(case, profile, depth) -> None:
    policy = Policy(profile=profile, depth=depth, average="median")
    scores = evaluate_runs(*case[:1], [case[1]], MEASURES, policy, highest=2, collection=20).runs[0]
    for index, topic in enumerate(scores.topics):
        trial = make_trial(*case, topic, policy, highest=2, collection=20)
        assert trial.values(MEASURES).tolist() == scores.values[:, index].tolist()
        for measure, value in zip(MEASURES, scores.values[:, index].tolist(), strict=True):
            assert trial.explain(measure).value == value
            explanation = explain_value(*case, topic, measure, policy, highest=2, collection=20)
            assert trial.explain(measure).worked_example.steps == explanation.worked_example.steps


def test_a_trial_uses_a_higher_grade_of_the_qrels_than_the_scale_has() -> None:
    """Grade 3 of topic 2 is the highest: ERR of topic 1 is (2^1 - 1)/2^3 = 1/8."""
    qrels = make_qrels([("1", "x", 1), ("2", "x", 3)])
    run = make_run("r", [("1", "x", 1.0), ("2", "x", 1.0)])
    measures = parse_measure_name("ERR@10")
    (scores,) = evaluate_runs(qrels, [run], measures, highest=1).runs
    trial = make_trial(qrels, run, "1", highest=1)
    assert scores.values[0, 0] == trial.values(measures)[0] == 0.125
    assert trial.explain(measures[0]).value == 0.125


def test_subtopics_are_kept() -> None:
    rows = [("1", "a", 1), ("1", "a", 1), ("1", "b", 1)]
    plain = make_qrels(rows)
    qrels = Qrels(
        plain.topics,
        plain.starts,
        plain.documents,
        plain.document,
        plain.grade,
        np.array([0, 1, 0], np.int32),
        ("x", "y"),
    )
    run = make_run("r", [("1", "b", 2.0), ("1", "a", 1.0)])
    measures = parse_measures(["alpha-nDCG@2", "StRecall@1"])
    trial = make_trial(qrels, run, "1")
    assert (
        trial.values(measures).tolist()
        == evaluate_runs(qrels, [run], measures).runs[0].values[:, 0].tolist()
    )
    assert trial.move(1, 0).values(measures).tolist() == [1.0, 1.0]
    assert trial.with_grade("a", 0).values(measures)[1] == 1.0, (
        "one subtopic is left, and b is at rank 1"
    )
    assert find_value_changes(trial, measures[0]).tried == 0


def test_measures_with_an_auxiliary_file_have_a_next_judgment_but_no_exchange(
    tmp_path: Path,
) -> None:
    """TBG is higher if the unjudged first document is relevant."""
    (tmp_path / "len.csv").write_text("document,words\nx,10\na,20\nb,30\n")
    table = read_auxiliary_table(tmp_path / "len.csv", "lengths")
    qrels = make_qrels([("1", "a", 0), ("1", "b", 1)])
    run = make_run("r", [("1", "x", 3.0), ("1", "a", 2.0), ("1", "b", 1.0)])
    (measure,) = parse_measures(["TBG"])
    changes = find_value_changes(make_trial(qrels, run, "1", tables=[table]), measure)
    assert changes.exchange is None and changes.judgment is not None
    assert changes.judgment.document == "x"
    assert changes.judgment.lowest == changes.value < changes.judgment.highest


def test_moving_makes_room_and_exchanging_does_not() -> None:
    trial = trial_of("00001")
    assert trial.move(4, 1).documents == ("d1", "d5", "d2", "d3", "d4")
    assert trial.move(0, 4).documents == ("d2", "d3", "d4", "d5", "d1")
    assert trial.exchange(0, 4).documents == ("d5", "d2", "d3", "d4", "d1")
    assert trial.documents == ("d1", "d2", "d3", "d4", "d5")


def test_a_grade_can_be_given_changed_and_taken_away() -> None:
    trial = trial_of("1?0")
    (precision,) = parse_measure_name("P@3")
    assert trial.values([precision])[0] == pytest.approx(1 / 3)
    assert trial.with_grade("d2", 1).values([precision])[0] == pytest.approx(2 / 3)
    assert trial.with_grade("d1", 0).values([precision])[0] == 0
    bare = trial.with_grade("d1", None).with_grade("d3", None)
    assert bare.grades == {} and bare.values(MEASURES[:4]).tolist() == [0, 0, 0, 0]


def test_an_empty_ranking_is_allowed() -> None:
    trial = make_trial(
        make_qrels([("1", "a", 1), ("2", "a", 1)]), make_run("r", [("2", "a", 1.0)]), "1"
    )
    assert trial.documents == () and trial.values(parse_measure_name("AP")).tolist() == [0]
    assert find_value_changes(trial, parse_measure_name("AP")[0]).exchange is None


def test_the_ideal_list_is_ordered_by_grade_then_by_rank() -> None:
    assert trial_of("1020?", missed="203").ideal == (("m2", 3), ("d3", 2), ("m0", 2), ("d1", 1))


def test_unretrieved_equals_are_ordered_by_the_numbers_in_their_ids() -> None:
    qrels = make_qrels([("1", id, 1) for id in ("184", "29", "31", "12")])
    trial = make_trial(qrels, make_run("r", [("1", "31", 1.0)]), "1")
    assert [id for id, _ in trial.ideal] == ["31", "12", "29", "184"]


def test_the_best_exchange_is_found() -> None:
    # Relevant at 1 and 3 of 4, R = 2. AP = (1 + 2/3)/2; with ranks 2 and 3 exchanged (1 + 1)/2.
    changes = find_value_changes(trial_of("1010"), parse_measure_name("AP")[0])
    assert changes.value == pytest.approx(5 / 6)
    assert changes.exchange is not None and (
        changes.exchange.upper,
        changes.exchange.lower,
        changes.exchange.value,
    ) == (2, 3, 1.0)
    assert changes.tried == 4 and changes.judgment is None


def test_no_exchange_helps_the_ideal_ranking() -> None:
    assert find_value_changes(trial_of("3210"), parse_measure_name("nDCG")[0]).exchange is None


def test_the_best_exchange_lowers_a_value_if_lower_is_better() -> None:
    """FDR@1 is 1 - P@1: 1 for ranks 0 1, and 0 once they are exchanged; 1 0 cannot improve."""
    (measure,) = parse_measure_name("FDR@1")
    assert find_value_changes(trial_of("10"), measure).exchange is None
    exchange = find_value_changes(trial_of("01"), measure).exchange
    assert exchange is not None and (exchange.upper, exchange.lower, exchange.value) == (1, 2, 0)


@settings(max_examples=example_count(40), deadline=None)
@given(
    grades=st.text("0012?", min_size=1, max_size=8),
    name=st.sampled_from("AP nDCG@3 Bpref DCG(discount=jk) RR SetP ERR".split()),
)
def test_exchanges_are_computed_as_if_made(grades: str, name: str) -> None:
    trial, measure = trial_of(grades, missed="1"), parse_measure_name(name)
    changes = find_value_changes(trial, measure[0])
    tried = {
        pair: trial.exchange(*pair).values(measure)[0]
        for pair in combinations(range(len(grades)), 2)
    }
    best = max(tried.values(), default=0)
    if changes.exchange is None:
        assert best <= changes.value + 1e-9
    else:
        assert changes.exchange.value == pytest.approx(best)
        assert tried[changes.exchange.upper - 1, changes.exchange.lower - 1] == pytest.approx(best)


def test_the_first_unjudged_document_is_tried_with_both_grades() -> None:
    # R = 1, found at rank 2. Relevant at rank 1 too: R = 2 and AP = (1 + 2/2)/2 = 1.
    changes = find_value_changes(trial_of("?1?"), parse_measure_name("AP")[0]).judgment
    assert changes is not None and (
        changes.rank,
        changes.document,
        changes.lowest,
        changes.highest,
    ) == (
        1,
        "d1",
        0.5,
        1.0,
    )


def test_the_lowest_grade_is_that_of_the_scale() -> None:
    """On a scale from 1 to 2, grade 1 is relevant too: R@1 is 1/2 with the relevant d2."""
    judgment = find_value_changes(trial_of("?1"), parse_measure_name("R@1")[0], lowest=1).judgment
    assert judgment is not None and (judgment.lowest, judgment.highest) == (0.5, 0.5)


def test_only_the_top_of_a_long_ranking_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("irjudge.evaluation.explanations.MAX_UPPER_RANK", 2)
    monkeypatch.setattr("irjudge.evaluation.explanations.MAX_LOWER_RANK", 4)
    monkeypatch.setattr("irjudge.evaluation.explanations.EXCHANGES_PER_BATCH", 2)
    changes = find_value_changes(trial_of("000101"), parse_measure_name("AP")[0])
    assert (
        changes.tried == 2
        and changes.exchange is not None
        and (changes.exchange.upper, changes.exchange.lower) == (1, 4)
    )

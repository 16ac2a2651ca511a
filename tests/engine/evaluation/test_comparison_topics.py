"""Tests of the number of topics that a comparison needs, with values worked by hand."""

import math

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Evaluation, compute_needed_topics, evaluate_runs, parse_measures
from irjudge.model import make_qrels, make_run
from irjudge.stats.significance import PairedDesign, required_topics

# P@4 of each topic is the number of relevant documents in the top 4, over 4
HITS = {"a": (4, 3, 2, 1), "b": (3, 1, 2, 0), "c": (1, 1, 0, 0)}


def table(names: str = "abc", topics: int = 4) -> Evaluation:
    judged = [(str(topic), f"r{at}", 1) for topic in range(topics) for at in range(4)]
    runs = []
    for name in names:
        lines = []
        for topic, hits in enumerate(HITS[name][:topics]):
            lines += [
                (str(topic), f"r{at}" if at < hits else f"n{at}", float(-at)) for at in range(4)
            ]
        runs.append(make_run(name, lines))
    return evaluate_runs(make_qrels(judged), runs, parse_measures(["P@4"]))


def test_pairs_use_the_deviation_of_their_own_differences() -> None:
    """a less b: .25 .5 0 .25: mean .25, squares 0 .0625 .0625 0, so the variance is .125 / 3."""
    need = compute_needed_topics(table("ab"), difference=0.1).rows[0]
    deviation = math.sqrt(0.125 / 3)
    assert (need.run_a, need.run_b, need.test, need.runs, need.topics) == ("a", "b", "t", 2, 4)
    assert (
        need.deviation == pytest.approx(deviation)
        and need.needed == required_topics(PairedDesign(1.0), 0.1 / deviation) == 35
    )
    # four topics find an effect of 2.1279 in .8 of all cases: the noncentral t of 3 degrees beyond
    # 3.1824
    assert (
        need.seen == pytest.approx(2.1279 * deviation, rel=1e-4)
        and need.chance is not None
        and 0.05 < need.chance < 0.8
    )


def test_the_default_effect_is_the_observed_difference() -> None:
    need = compute_needed_topics(table("ab")).rows[0]
    assert (
        need.difference == pytest.approx(0.25)
        and need.needed == required_topics(PairedDesign(1.0), 0.25 / need.deviation) == 8
    )


def test_several_runs_use_the_variance_within_them() -> None:
    """Within a: 5 / 16, b: 5 / 16, c: 1 / 16, over 3 · 3 degrees.

    The means are .625, .375, .125.
    """
    rows = compute_needed_topics(table()).rows
    assert [each.run_a + each.run_b + each.test for each in rows] == [
        "abt",
        "act",
        "bct",
        "acanova",
    ]
    need = rows[-1]
    assert (
        need.deviation == pytest.approx(math.sqrt(11 / 16 / 9))
        and need.difference == pytest.approx(0.5)
        and need.runs == 3
    )


def test_pairs_that_share_topics_need_no_topic_of_all_runs() -> None:
    """Runs a, b and c lack topic 2, 0 and 1; a pair has one common topic, but all three have none."""
    qrels = make_qrels([(topic, "r", 1) for topic in "012"])
    lacking = {"a": "2", "b": "0", "c": "1"}
    runs = [
        make_run(name, [(topic, "r", 1.0) for topic in "012" if topic != lacked])
        for name, lacked in lacking.items()
    ]
    needs = compute_needed_topics(evaluate_runs(qrels, runs, parse_measures(["P@1"])))
    assert [(need.run_a, need.run_b, need.test, need.topics) for need in needs.rows] == [
        ("a", "b", "t", 1),
        ("a", "c", "t", 1),
        ("b", "c", "t", 1),
    ]
    assert "no-topic-of-all" in [getattr(note, "key", "") for note in needs.notes]


def test_with_a_baseline_only_its_pairs_are_listed() -> None:
    rows = compute_needed_topics(table(), baseline="c").rows
    assert [(each.run_a, each.run_b) for each in rows] == [("a", "c"), ("b", "c"), ("a", "c")]


@pytest.mark.parametrize("topics", [1, 4])
def test_without_variance_there_is_no_result(topics: int) -> None:
    same = table("a", topics)
    twin = evaluate_runs(
        same.qrels,
        [make_run(name, [(str(t), "r0", 1.0) for t in range(topics)]) for name in "xy"],
        same.measures,
    )
    need = compute_needed_topics(twin).rows[0]
    assert (need.seen, need.chance, need.needed, need.design) == (None, None, None, None)


@pytest.mark.parametrize(
    "options",
    [
        {"power": 1.0},
        {"power": 0.0},
        {"difference": 0.0},
        {"difference": -0.1},
        {"difference": math.nan},
    ],
)
def test_impossible_options_are_refused(options: dict[str, float]) -> None:
    with pytest.raises(IrjudgeError, match="must be"):
        compute_needed_topics(table(), **options)

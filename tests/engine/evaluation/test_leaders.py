"""Tests of the runs that are not significantly different from the best, by measure."""

from dataclasses import replace

import pytest
from scipy.stats import ttest_rel

from irjudge.evaluation import (
    Evaluation,
    Policy,
    compare,
    evaluate_runs,
    find_leaders,
    parse_measures,
    rank_runs,
)
from irjudge.evaluation.comparison import adjusted_p_values
from irjudge.model import make_qrels, make_run
from irjudge.report.contents import summary_table

TOPICS = 12
# Rank of the one relevant document, topic by topic: `far` is behind `best` on every topic, `near`
# on one.
RANKS = {"best": [1] * TOPICS, "near": [1] * (TOPICS - 1) + [2], "far": [2, 3, 4] * (TOPICS // 3)}


def evaluate(
    names: str = "best near far", measures: str = "RR NumRelRet GMAP", policy: Policy | None = None
) -> Evaluation:
    qrels = make_qrels([(str(topic), "yes", 1) for topic in range(TOPICS)])
    runs = []
    for name in names.split():
        lines = []
        for topic, rank in enumerate(RANKS[name]):
            lines += [(str(topic), f"no{index}", -float(index)) for index in range(1, rank)] + [
                (str(topic), "yes", -float(rank))
            ]
        runs.append(make_run(name, lines))
    return evaluate_runs(qrels, runs, parse_measures(measures.split()), policy)


def test_only_runs_not_significantly_different_from_the_best_are_named() -> None:
    table = evaluate()
    p = {
        name: ttest_rel(
            [1 / rank for rank in RANKS["best"]], [1 / rank for rank in RANKS[name]]
        ).pvalue
        for name in ("near", "far")
    }
    assert p["near"] > 0.05 > 2 * p["far"], "by SciPy, and with Holm's factor"
    assert find_leaders(table)[0] == {"near"}


def test_a_stricter_level_gives_a_larger_group() -> None:
    assert find_leaders(evaluate(), alpha=1e-12)[0] == {"near", "far"}


def test_counts_and_geometric_means_have_no_group() -> None:
    assert find_leaders(evaluate())[1:] == (frozenset(), frozenset())


def test_averages_other_than_the_mean_have_no_group() -> None:
    assert find_leaders(evaluate(measures="RR", policy=Policy(average="median"))) == (frozenset(),)


@pytest.mark.parametrize("names", ["best", ""])
def test_a_group_needs_two_runs(names: str) -> None:
    assert find_leaders(evaluate(names, "RR")) == (frozenset(),)


def test_a_run_without_a_topic_in_common_is_left_out() -> None:
    qrels = make_qrels([("1", "yes", 1), ("2", "yes", 1)])
    table = evaluate_runs(
        qrels,
        [make_run("a", [("1", "yes", 1.0)]), make_run("b", [("2", "no", 1.0)])],
        parse_measures(["RR"]),
    )
    assert find_leaders(table) == (frozenset(),)


def test_runs_not_significantly_different_share_ranks() -> None:
    result = {each.run: each for each in rank_runs(evaluate("far near best"))}
    assert [each.run for each in rank_runs(evaluate("far near best"))] == ["best", "near", "far"]
    assert {name: (each.group, each.interval) for name, each in result.items()} == {
        "best": ("1–2", "1–2"),
        "near": ("1–2", "1–2"),
        "far": ("3", "3"),
    }


@pytest.mark.parametrize(
    ("test", "correction"), [("t", "holm"), ("tukey-hsd", "holm"), ("permutation", "bh")]
)
def test_ranks_use_the_p_values_of_the_comparison(test: str, correction: str) -> None:
    table = evaluate(measures="NumRelRet RR")
    for baseline in (None, "near"):
        pairs = compare(table, tests=(test,), correction=correction, baseline=baseline).pairs
        expected = [each.p_adjusted for each in pairs if each.measure == "RR"]
        assert (
            adjusted_p_values(
                table, 1, test=test, correction=correction, baseline=baseline
            ).tolist()
            == expected
        )


def test_a_group_ends_before_the_first_significantly_different_run() -> None:
    """In a chain of runs, each similar to the next, only the first and last differ significantly.

    The middle run belongs to the group of the best, and its interval reaches further.
    """
    RANKS.update({"first": [1] * TOPICS, "middle": [1] * 8 + [2] * 4, "last": [1] * 5 + [2] * 7})
    result = {
        each.run: (each.group, each.interval)
        for each in rank_runs(evaluate("first middle last"), alpha=0.02)
    }
    assert result == {"first": ("1–2", "1–2"), "middle": ("1–2", "1–3"), "last": ("3", "2–3")}


def test_counts_single_runs_and_runs_without_shared_topics_have_no_ranks() -> None:
    assert rank_runs(evaluate("best")) == rank_runs(evaluate(measures="NumRelRet")) == ()
    table = evaluate("best near")
    apart = replace(table.runs[1], topics=tuple(f"other {topic}" for topic in table.runs[1].topics))
    assert rank_runs(replace(table, runs=(table.runs[0], apart))) == ()


def test_fewer_comparisons_find_more_differences_and_captions_count_them() -> None:
    table = evaluate("best far near", "RR")
    assert find_leaders(table, alpha=1e-12)[0] == {"near", "far"}
    apart = adjusted_p_values(table, 0, test="t", correction="bonferroni")
    against_best = adjusted_p_values(table, 0, test="t", correction="bonferroni", baseline="best")
    assert (against_best < apart[:2]).all()
    assert apart[0] == pytest.approx(1.5 * against_best[0]), "3 comparisons, not 2"
    note = next(each for each in summary_table(table).notes if each.startswith("†"))
    assert "2 comparisons" in note

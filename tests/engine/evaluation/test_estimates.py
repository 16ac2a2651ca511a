"""Tests of estimates of runs from a pool and its judgments."""

from dataclasses import replace

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    TopicPolicy,
    applicable_estimates,
    estimate_runs,
    evaluate_runs,
    parse_measures,
)
from irjudge.model import Qrels, Run, make_qrels, make_run
from irjudge.pooling import ESTIMATES, PoolOptions, build_pool, make_qrels_judge
from irjudge.shipped import shipped_folder
from irjudge.stats import TopicRandom

RUNS = [
    make_run(
        name,
        [
            (topic, f"d{index * step % 20}", -float(index))
            for topic in ("1", "2")
            for index in range(20)
        ],
    )
    for name, step in (("a", 1), ("b", 3))
]
RELEVANT = [0, 3, 4, 9, 12]
QRELS = make_qrels(
    [
        (topic, f"d{number}", 2 * (number in RELEVANT))
        for topic in ("1", "2")
        for number in range(20)
    ]
)


def test_estimates_of_complete_judgments_are_the_measures() -> None:
    pool = build_pool(RUNS, PoolOptions("stratified(edges=5,rates=1/1)"))
    estimates = estimate_runs(pool, QRELS, RUNS, ["xinfAP", "htAP", "infNDCG", "htP@10"])
    table = evaluate_runs(QRELS, RUNS, parse_measures(["AP", "AP", "nDCG", "P@10"][1:]))
    expected = np.array(
        [[run.values[0], run.values[0], run.values[1], run.values[2]] for run in table.runs]
    )
    assert estimates.values == pytest.approx(expected, abs=2e-5)
    assert (estimates.unjudged, estimates.judged_outside, estimates.topics, estimates.runs) == (
        0,
        0,
        ("1", "2"),
        ("a", "b"),
    )


def test_only_sampled_documents_count() -> None:
    pool = build_pool(RUNS, PoolOptions("sample(share=0.5)"))
    sampled = set(
        zip([pool.topics[code] for code in pool.topic], pool.document.to_pylist(), strict=True)
    )
    only = make_qrels([row for row in QRELS.rows() if row[:2] in sampled])
    one, other = estimate_runs(pool, QRELS, RUNS), estimate_runs(pool, only, RUNS)
    assert np.array_equal(one.values, other.values)
    assert (one.judged_outside, other.judged_outside) == (20, 0)
    waiting = make_qrels([*only.rows(), ("1", "other", -1), ("1", "spam", -2)])
    assert estimate_runs(pool, waiting, RUNS).judged_outside == 0


def test_an_unpooled_run_and_topics_without_judgments_are_estimated() -> None:
    pool = build_pool(RUNS, PoolOptions("sample(share=0.5)"))
    first = make_qrels([row for row in QRELS.rows() if row[0] == "1"])
    estimates = estimate_runs(
        pool,
        first,
        [make_run("new", [("1", "d3", 2.0), ("1", "never", 1.0)]), make_run("none", [])],
    )
    assert estimates.topics == ("1",) and estimates.unjudged == 10
    assert estimates.values[1].tolist() == [[0.0]] and estimates.averaged.tolist() == [
        [True],
        [False],
    ]
    rows = list(estimates.rows(per_topic=True))
    assert [row[:3] for row in rows] == [
        ("new", "xinfAP", "1"),
        ("new", "xinfAP", "all"),
        ("none", "xinfAP", "all"),
    ]
    assert rows[-1][3] == 0


@pytest.mark.parametrize(
    ("policy", "topics"), [("both", ["1"]), ("qrels", ["1", "2"]), ("relevant", ["1"])]
)
def test_topics_are_averaged_by_the_policy_of_evaluate(
    policy: TopicPolicy, topics: list[str]
) -> None:
    pool = build_pool(RUNS, PoolOptions("depth", 20))
    judged = make_qrels([row if row[0] == "1" else (*row[:2], 0) for row in QRELS.rows()])
    estimates = estimate_runs(
        pool, judged, [make_run("short", [("1", "d0", 1.0)])], ["htAP"], policy=policy
    )
    *rows, (_, _, _, mean) = estimates.rows(per_topic=True)
    assert [row[2] for row in rows] == topics and mean == pytest.approx(
        sum(row[3] for row in rows) / len(topics)
    ) != 0


@pytest.mark.parametrize(
    ("qrels", "names", "key"),
    [
        (QRELS, ["AP"], "unknown-estimate"),
        (make_qrels([("9", "x", 1)]), ["xinfAP"], "nothing-judged"),
    ],
)
def test_impossible_estimates_are_explained(qrels, names: list[str], key: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        estimate_runs(build_pool(RUNS, PoolOptions("sample")), qrels, RUNS, names)
    assert error.value.key == key
    if key == "unknown-estimate":
        assert error.value.values["name"] == "'AP'" and "xinfAP" in error.value.values["names"]


BY_STRATA = ["xinfAP", "infNDCG", "xinfAP(nist)", "infNDCG(nist)"]
UNEQUAL = PoolOptions("active", size=8)


@pytest.mark.parametrize("name", BY_STRATA)
def test_unequal_probabilities_are_refused_if_equal_ones_are_needed(name: str) -> None:
    pool = build_pool(RUNS, UNEQUAL, judge=make_qrels_judge(QRELS))
    with pytest.raises(IrjudgeError) as error:
        estimate_runs(pool, QRELS, RUNS, ["statAP", name])
    assert error.value.key == "needs-equal-chances"
    assert error.value.values["name"] == name
    assert error.value.values["fit"] == "statAP, htAP, htP@10"
    assert estimate_runs(
        build_pool(RUNS, PoolOptions("sample"), judge=make_qrels_judge(QRELS)), QRELS, RUNS, [name]
    ).names == (name,)


@pytest.mark.parametrize(
    "strategy", ["depth", "sample", "stratified(edges=3/9,rates=1/0.5/0.2)", "active"]
)
def test_the_default_estimator_fits_the_pool(strategy: str) -> None:
    pool = build_pool(RUNS, PoolOptions(strategy, 15, 9), judge=make_qrels_judge(QRELS))
    default_measure = "statAP" if strategy == "active" else "xinfAP"
    assert (
        estimate_runs(pool, QRELS, RUNS).names
        == (default_measure,)
        == applicable_estimates(pool)[:1]
    )
    assert set(ESTIMATES) - set(applicable_estimates(pool)) == (
        set(BY_STRATA) if strategy == "active" else set()
    )


# The table of the help: a small random collection, the same on any machine

POOLS = {
    "sample": PoolOptions("sample(share=0.3)"),
    "stratified": PoolOptions("stratified(edges=5,rates=1/0.2)"),
    "active": PoolOptions("active", size=20),
}
TRUE = {
    "xinfAP": "AP",
    "xinfAP(nist)": "AP",
    "statAP": "AP",
    "htAP": "AP",
    "infNDCG": "nDCG",
    "infNDCG(nist)": "nDCG",
    "htP@10": "P@10",
}


def make_collection() -> tuple[list[Run], Qrels]:
    """Return 4 runs of 5 topics, the top 40 of 60 documents each, and all grades:

    about 12 of 60 are relevant.
    """
    worth = {topic: TopicRandom(7, topic).draw_numbers(60) for topic in "12345"}
    rows = {
        name: [
            (topic, f"d{position}", float(score))
            for topic, good in worth.items()
            for position, score in sorted(
                enumerate(good + spread * TopicRandom(8, name + topic).draw_numbers(60)),
                key=lambda each: -each[1],
            )[:40]
        ]
        for name, spread in (("a", 0.5), ("b", 1.0), ("c", 1.5), ("d", 3.0))
    }
    grades = [
        (topic, f"d{index}", int(one > 0.8) + int(one > 0.95))
        for topic, good in worth.items()
        for index, one in enumerate(good)
    ]
    return [make_run(name, mine) for name, mine in rows.items()], make_qrels(grades)


def simulate(draws: int) -> dict[tuple[str, str], tuple[float, float, float] | None]:
    """Return the mean and standard deviation of each estimator with each sampling method.

    The true mean of the runs precedes them.
    """
    runs, qrels = make_collection()
    pool = build_pool(runs, PoolOptions("depth", 40))
    pairs = set(
        zip([pool.topics[code] for code in pool.topic], pool.document.to_pylist(), strict=True)
    )
    pooled = make_qrels([row for row in qrels.rows() if row[:2] in pairs])
    table = evaluate_runs(pooled, runs, parse_measures(["AP", "nDCG", "P@10"]))
    true = dict(
        zip(
            ("AP", "nDCG", "P@10"),
            np.mean([run.summary for run in table.runs], axis=0).tolist(),
            strict=True,
        )
    )
    estimates: dict[tuple[str, str], tuple[float, float, float] | None] = {}
    for label, plan in POOLS.items():
        fit = applicable_estimates(build_pool(runs, plan, judge=make_qrels_judge(qrels)))
        pools = (
            build_pool(runs, replace(plan, seed=seed), judge=make_qrels_judge(qrels))
            for seed in range(draws)
        )
        means = np.array(
            [estimate_runs(pool, qrels, runs, fit).values.mean(axis=(0, 2)) for pool in pools]
        )
        for name in ESTIMATES:
            mine = means[:, fit.index(name)] if name in fit else None
            estimates[label, name] = (
                None
                if mine is None
                else (true[TRUE[name]], float(mine.mean()), float(mine.std(ddof=1)))
            )
    return estimates


@pytest.mark.parametrize("size", [12, 20, 30, 40])
def test_stat_ap_of_active_pools_improves_with_the_sample_size(size: int, full: bool) -> None:
    """Checks the second table of the help; with --full every digit."""
    draws = 1000 if full else 12
    text = (shipped_folder("resources") / "help" / "differences.md").read_text(encoding="utf-8")
    (line,) = [line for line in text.splitlines() if line.startswith(f"| active, {size} |")]
    (runs, qrels), true = make_collection(), 0.5193967
    judge = make_qrels_judge(qrels)
    pools = (
        build_pool(runs, PoolOptions("active", size=size, seed=seed), judge=judge)
        for seed in range(draws)
    )
    means = np.array([estimate_runs(pool, qrels, runs, ["statAP"]).values.mean() for pool in pools])
    mean, spread = float(means.mean()), float(means.std(ddof=1))
    if full:
        assert (
            line
            == f"| active, {size} | {mean:.3f} | {spread:.3f} | {(mean - true) / spread * np.sqrt(draws):.1f} |"
        )
    else:
        assert abs(mean - float(line.split("|")[2])) < 4 * spread / np.sqrt(draws) + 0.0005


def table_row(label: str, name: str, cells: tuple[float, float, float] | None, draws: int) -> str:
    if cells is None:
        return f"| {label} | `{name}` | refused | | | |"
    true, mean, spread = cells
    return f"| {label} | `{name}` | {true:.3f} | {mean:.3f} | {spread:.3f} | {(mean - true) / spread * np.sqrt(draws):.1f} |"


@pytest.mark.slow
def test_the_table_of_the_help_matches_the_simulation(full: bool) -> None:
    """With --full -m full it draws 1,000 samples and compares every digit."""
    draws = 1000 if full else 12
    text = (shipped_folder("resources") / "help" / "differences.md").read_text(encoding="utf-8")
    lines = [
        line
        for line in text.splitlines()
        if line.startswith(tuple(f"| {label} |" for label in POOLS))
    ]
    rows = {(line.split("|")[1].strip(), line.split("`")[1]): line for line in lines}
    intervals = simulate(draws)
    assert rows.keys() == intervals.keys()
    for (label, name), cells in intervals.items():
        if full or cells is None:
            assert rows[label, name] == table_row(label, name, cells, draws)
        else:
            printed = float(rows[label, name].split("|")[4])
            assert abs(cells[1] - printed) < 4 * cells[2] / np.sqrt(draws) + 0.0005

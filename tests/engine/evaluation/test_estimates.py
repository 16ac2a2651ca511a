"""Estimates of runs from a pool and its judgments: what counts, and that all judged is the measure itself."""

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation.estimates import estimate
from irjudge.evaluation.join import TopicPolicy
from irjudge.evaluation.table import evaluate, parse_measures
from irjudge.model.ranking import make_qrels, make_run
from irjudge.pooling.building import Plan, build_pool

RUNS = [
    make_run(name, [(topic, f"d{place * step % 20}", -float(place)) for topic in ("1", "2") for place in range(20)])
    for name, step in (("a", 1), ("b", 3))
]
RELEVANT = [0, 3, 4, 9, 12]
QRELS = make_qrels([(topic, f"d{number}", 2 * (number in RELEVANT)) for topic in ("1", "2") for number in range(20)])


def test_where_all_is_drawn_and_judged_estimates_are_the_measures() -> None:
    pool = build_pool(RUNS, Plan("stratified(edges=5,rates=1/1)"))
    found = estimate(pool, QRELS, RUNS, ["xinfAP", "htAP", "infNDCG", "htP@10"])
    table = evaluate(QRELS, RUNS, parse_measures(["AP", "AP", "nDCG", "P@10"][1:]))
    expected = np.array([[run.values[0], run.values[0], run.values[1], run.values[2]] for run in table.runs])
    assert found.values == pytest.approx(expected, abs=2e-5)
    assert (found.unjudged, found.outside, found.topics, found.runs) == (0, 0, ("1", "2"), ("a", "b"))


def test_only_what_was_drawn_counts() -> None:
    pool = build_pool(RUNS, Plan("sample(share=0.5)"))
    drawn = set(zip([pool.topics[code] for code in pool.topic], pool.document.to_pylist(), strict=True))
    only = make_qrels([row for row in QRELS.rows() if row[:2] in drawn])
    one, other = estimate(pool, QRELS, RUNS), estimate(pool, only, RUNS)
    assert np.array_equal(one.values, other.values)
    assert (one.outside, other.outside) == (20, 0)
    waiting = make_qrels([*only.rows(), ("1", "other", -1), ("1", "spam", -2)])
    assert estimate(pool, waiting, RUNS).outside == 0


def test_a_run_from_elsewhere_and_topics_without_judgments() -> None:
    pool = build_pool(RUNS, Plan("sample(share=0.5)"))
    first = make_qrels([row for row in QRELS.rows() if row[0] == "1"])
    found = estimate(pool, first, [make_run("new", [("1", "d3", 2.0), ("1", "never", 1.0)]), make_run("none", [])])
    assert found.topics == ("1",) and found.unjudged == 10
    assert found.values[1].tolist() == [[0.0]] and found.averaged.tolist() == [[True], [False]]
    rows = list(found.rows(per_topic=True))
    assert [row[:3] for row in rows] == [("new", "xinfAP", "1"), ("new", "xinfAP", "all"), ("none", "xinfAP", "all")]
    assert rows[-1][3] == 0


@pytest.mark.parametrize(("policy", "topics"), [("both", ["1"]), ("qrels", ["1", "2"]), ("relevant", ["1"])])
def test_topics_are_averaged_by_the_policy_of_evaluate(policy: TopicPolicy, topics: list[str]) -> None:
    pool = build_pool(RUNS, Plan("depth", 20))
    judged = make_qrels([row if row[0] == "1" else (*row[:2], 0) for row in QRELS.rows()])
    found = estimate(pool, judged, [make_run("short", [("1", "d0", 1.0)])], ["htAP"], policy=policy)
    *rows, (_, _, _, mean) = found.rows(per_topic=True)
    assert [row[2] for row in rows] == topics and mean == pytest.approx(sum(row[3] for row in rows) / len(topics)) != 0


@pytest.mark.parametrize(
    ("qrels", "names", "sentence"),
    [
        (QRELS, ["AP"], "Estimate 'AP' is not known; choose xinfAP"),
        (make_qrels([("9", "x", 1)]), ["xinfAP"], "Nothing of the pool is judged"),
    ],
)
def test_what_cannot_be_estimated_is_explained(qrels, names: list[str], sentence: str) -> None:
    with pytest.raises(IrjudgeError, match=sentence):
        estimate(build_pool(RUNS, Plan("sample")), qrels, RUNS, names)

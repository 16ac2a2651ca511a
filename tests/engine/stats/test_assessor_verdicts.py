"""Tests of verdicts on assessors: outliers, insufficient data, and error rates."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.model import Labels, make_labels
from irjudge.stats import AssessorVerdict, assessor_quality, judge_assessors
from tests.engine.stats.simulated_assessors import CELLS, KINDS, Cell, verdict_shares

MAX_FALSE_ALARMS, MIN_DETECTION_RATE = 0.05, 0.95


def verdict_of(labels: Labels, name: str) -> AssessorVerdict:
    return judge_assessors(labels)[labels.workers.index(name)]


def three_workers(odd: object, size: int = 60) -> Labels:
    """Return labels of two workers who agree, and of one who gives `odd` of the item's index."""
    rows = [(f"d{at}", name, at % 4) for at in range(size) for name in ("ann", "bob")]
    return make_labels([*rows, *((f"d{at}", "odd", odd(at)) for at in range(size))], range(4))


def test_three_fast_random_assessors_are_flagged_for_speed() -> None:
    rng = np.random.default_rng(5)
    labels = make_labels(
        [(f"d{at}", name, int(rng.integers(4))) for name in "abc" for at in range(40)], range(4)
    )
    hasty = replace(
        labels, seconds=np.full(len(labels), 0.3), sizes=np.full(len(labels.items), 2000.0)
    )
    for verdict in judge_assessors(hasty):
        assert verdict.state == "stands out"
        assert verdict.evidence[0].key == "hasty"
        assert verdict.evidence[0].values == {"median": "0.3", "share": "100", "words": "40"}
    assert {verdict.state for verdict in judge_assessors(labels)} == {"too few data"}, (
        "without times the copier cannot be identified"
    )


def test_a_short_document_may_be_judged_faster_than_a_long_one() -> None:
    labels = three_workers(lambda at: at % 4)
    slow = replace(labels, seconds=np.full(len(labels), 1.0))
    assert verdict_of(replace(slow, sizes=np.full(60, 60.0)), "odd").state == "nothing flagged"
    assert verdict_of(replace(slow, sizes=np.full(60, 600.0)), "odd").state == "stands out"


def test_gold_accuracy_is_compared_with_chance() -> None:
    rows = [(f"d{at}", "ann", (at + (at % 10 > 1)) % 4) for at in range(20)]
    labels = make_labels(rows, range(4)).with_gold({f"d{at}": str(at % 4) for at in range(20)})
    assert verdict_of(labels, "ann") == AssessorVerdict(
        "stands out", ("4 of 20 gold items correct; 5.0 expected by chance.",)
    )
    right = make_labels([(f"d{at}", "ann", at % 4) for at in range(20)], range(4)).with_gold(
        {f"d{at}": str(at % 4) for at in range(20)}
    )
    assert verdict_of(right, "ann") == AssessorVerdict(
        "nothing flagged", ("20 of 20 gold items correct; 5.0 expected by chance.",)
    )


def test_ten_gold_items_with_two_grades_are_not_enough() -> None:
    rows = [(f"d{at}", "ann", at % 2) for at in range(100)]
    labels = make_labels(rows, range(2)).with_gold(
        {f"d{at}": str((at + 1) % 2) for at in range(10)}
    )
    assert verdict_of(labels, "ann").state == "too few data"
    (evidence,) = verdict_of(labels, "ann").evidence
    assert (evidence.key, evidence.values) == ("undecided", {"gold": "10", "shared": "0"})


def test_reversed_labels_are_flagged() -> None:
    verdict = verdict_of(three_workers(lambda at: 3 - at % 4), "odd")
    (evidence,) = verdict.evidence
    assert (verdict.state, evidence.key) == ("stands out", "agreement")
    assert evidence.values == {"share": "0", "count": "60", "chance": "25"}


def test_constant_grades_are_flagged_if_others_vary() -> None:
    verdict = verdict_of(three_workers(lambda _: 0), "odd")
    (evidence,) = verdict.evidence
    assert evidence.key == "same-grade"
    assert evidence.values == {"grade": "0", "length": "60", "share": "25"}
    constant_labels = make_labels(
        [(f"d{at}", name, 0) for at in range(60) for name in "abc"], range(4)
    )
    assert {each.state for each in judge_assessors(constant_labels)} == {"too few data"}, (
        "a topic without relevant documents flags no assessor"
    )


def test_inconsistent_repeats_are_flagged() -> None:
    labels = three_workers(lambda at: at % 4)
    again = [(f"d{at}", "odd", (at + 1) % 4) for at in range(12)]
    rows = [
        (labels.items[i], labels.workers[w], int(g))
        for i, w, g in zip(labels.item, labels.worker, labels.label, strict=True)
    ]
    both = make_labels([*rows, *again], range(4))
    marked = replace(both, is_repeat=np.arange(len(both)) >= len(rows))
    (evidence,) = verdict_of(marked, "odd").evidence
    assert (evidence.key, evidence.values) == ("repeats", {"count": "12", "matches": "0"})


def test_possible_copying_is_flagged_with_both_assessors() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 4, 120)
    noisy = [np.where(rng.random(120) < 0.3, rng.integers(0, 4, 120), truth) for _ in range(3)]
    grades = {"ann": noisy[0], "bob": noisy[0], "cleo": noisy[1], "dora": noisy[2]}
    labels = make_labels(
        [(f"d{at}", name, int(digits[at])) for name, digits in grades.items() for at in range(120)],
        range(4),
    )
    verdicts = dict(zip(labels.workers, judge_assessors(labels), strict=True))
    assert [name for name, verdict in verdicts.items() if verdict.state == "stands out"] == [
        "ann",
        "bob",
    ]
    evidence = verdicts["bob"].evidence[0]
    assert (evidence.key, evidence.values["name"]) == ("copied", "ann")


def test_no_labels_give_no_verdict() -> None:
    assert judge_assessors(make_labels([], range(2))) == ()
    labels = make_labels([("d1", "ann", 1)], range(2))
    assert (
        verdict_of(replace(labels, label=np.array([-2], dtype=np.int32)), "ann").state
        == "too few data"
    )


@pytest.mark.parametrize("kind", ["random", "reversed"])
@pytest.mark.parametrize(
    "cell", [cell for cell in CELLS if (cell.scale, cell.overlap) == ("0-3", 3)], ids=str
)
def test_random_and_reversed_assessors_are_detected(cell: Cell, kind: str, full: bool) -> None:
    detection_rate, alarms = verdict_shares(kind, cell, 1000 if full else 40)
    assert detection_rate["stands out"] >= MIN_DETECTION_RATE and alarms <= MAX_FALSE_ALARMS


@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_careful_assessors_are_rarely_flagged(cell: Cell, full: bool) -> None:
    detection_rate, alarms = verdict_shares("careful", cell, 1000 if full else 40)
    assert detection_rate.get("stands out", 0) <= MAX_FALSE_ALARMS and alarms <= MAX_FALSE_ALARMS
    if (cell.scale, cell.overlap) == ("binary", 1):
        assert detection_rate["too few data"] > MIN_DETECTION_RATE


@pytest.mark.parametrize("kind", KINDS)
def test_careful_assessors_are_not_flagged_with_a_careless_one(kind: str, full: bool) -> None:
    alarms = [verdict_shares(kind, cell, 1000 if full else 4)[1] for cell in CELLS]
    assert (max(alarms) if full else np.mean(alarms)) <= MAX_FALSE_ALARMS


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4)), unique=True, max_size=120))
def test_overlapping_pairs_have_enough_common_items(labels: list[tuple[int, int]]) -> None:
    rows = np.array(sorted(labels), dtype=np.int32).reshape(-1, 2)
    items = {worker: {item for item, other in labels if other == worker} for worker in range(5)}
    expected = [
        pair for pair in combinations(range(5), 2) if len(items[pair[0]] & items[pair[1]]) >= 3
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assessor_quality, "MIN_LABELS", 3)
        found = [*assessor_quality._iter_overlapping_pairs(rows[:, 0], rows[:, 1])]
    assert found == expected

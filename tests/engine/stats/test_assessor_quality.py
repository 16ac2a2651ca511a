"""Tests of assessor quality: worked values, spammers, drift, repeats and times."""

from dataclasses import replace

import numpy as np
import pytest

from irjudge.errors import Cancelled
from irjudge.model import Labels, make_labels
from irjudge.progress import Progress
from irjudge.stats import judge_assessors, measure_quality, wilson_interval
from irjudge.stats.assessor_quality import answer_cost

SKEWED = np.array([0.85, 0.15])


@pytest.mark.parametrize(
    ("table", "cost", "worth"),
    [
        (
            [[1, 0], [1, 0]],
            0.255,
            0.0,
        ),  # always the first label: wrong for 15 %, and worth nothing
        ([[0.8, 0.2], [0.2, 0.8]], 0.198154, 0.222924),
        ([[0, 1], [1, 0]], 0.0, 1.0),  # always the opposite label: worth all
    ],
)
def test_cost_distinguishes_noise_from_bias(table, cost: float, worth: float) -> None:
    """Ipeirotis, Provost and Wang (2010): their example, p = (.85, .15), cost 1 for an error.

    A spammer costs 2 · .85 · .15 = .255.
    """
    assert answer_cost(SKEWED, np.array(table, dtype=float)) == (
        pytest.approx(cost, abs=5e-7),
        pytest.approx(worth, abs=5e-7),
    )


def test_costs_may_be_unequal() -> None:
    """The labels are uninformative, so that the cost is p₁ p₂ (3 + 1)."""
    assert answer_cost(
        np.array([0.5, 0.5]), np.full((2, 2), 0.5), np.array([[0.0, 3.0], [1.0, 0.0]])
    )[0] == pytest.approx(1.0)


def test_wilson_is_the_published_interval() -> None:
    """61 of 100: .5120 to .6998 (statsmodels 0.14, proportion_confint)."""
    low, high = wilson_interval([61, 0, 5], [100, 5, 5])
    assert (low[0], high[0]) == pytest.approx((0.5120, 0.6998), abs=5e-5)
    assert (low[1], high[2]) == (0, 1)


def class_of(careful: int = 4) -> Labels:
    """Return labels of 60 items by careful, lenient, constant and tiring workers.

    Careful workers err on every ninth item, one is lenient, one always gives 2, and one becomes
    careless at the end.
    """
    rows = []
    for item in range(60):
        truth = item % 4
        for worker in range(careful):
            rows.append(
                (
                    f"d{item}",
                    f"careful {worker}",
                    (truth + 1) % 4 if (item + worker) % 9 == 0 else truth,
                )
            )
        rows.append((f"d{item}", "lenient", min(truth + 1, 3)))
        rows.append((f"d{item}", "spam", 2))
        rows.append((f"d{item}", "tired", truth if item < 40 else (3 * truth + item) % 4))
    return make_labels(rows, range(4))


def test_a_spammer_stands_out_and_a_lenient_assessor_is_not_one() -> None:
    quality = measure_quality(class_of())
    of = {name: at for at, name in enumerate(quality.workers)}
    assert int(quality.quality.argmin()) == of["spam"] and quality.quality[of["spam"]] < 0.1
    assert quality.quality[of["lenient"]] > 0.4 and quality.bias[of["lenient"]] == pytest.approx(
        0.75
    )
    assert quality.same_as_before[of["spam"]] == 1
    assert quality.kappa[of["spam"]] == pytest.approx(0)
    assert quality.kappa[of["careful 0"]] > 0.6


def test_a_tiring_assessor_agrees_less_in_the_last_third() -> None:
    quality = measure_quality(class_of())
    first, middle, last = quality.thirds[quality.workers.index("tired")]
    assert first == pytest.approx(middle, abs=0.05) and last < first - 0.2


def test_a_worker_is_compared_with_the_others_only() -> None:
    labels = make_labels(
        [("d1", "a", 0), ("d1", "b", 1), ("d2", "a", 1), ("d2", "b", 1), ("d3", "a", 1)], range(2)
    )
    quality = measure_quality(labels)
    assert quality.compared.tolist() == [2, 2]
    assert quality.tables[0].tolist() == [[0, 0], [1, 1]]  # b gave 1 twice; a gave 0 and 1
    assert (quality.agreement.tolist(), quality.bias.tolist(), quality.error.tolist()) == (
        [0.5, 0.5],
        [-0.5, 0.5],
        [0.5, 0.5],
    )


def test_gold_labels_are_the_reference_from_ten_on() -> None:
    rows = [
        (f"d{item}", name, vote)
        for item in range(10)
        for name, vote in (("a", 1), ("b", 0), ("c", 0))
    ]
    few = measure_quality(
        make_labels(rows, range(2)).with_gold({f"d{item}": "1" for item in range(9)})
    )
    enough = measure_quality(
        make_labels(rows, range(2)).with_gold({f"d{item}": "1" for item in range(10)})
    )
    assert (few.gold.tolist(), few.gold_right.tolist(), few.bias.tolist()) == (
        [9, 9, 9],
        [9, 0, 0],
        [1, 0, 0],
    )
    assert (enough.bias.tolist(), enough.accuracy.tolist()) == ([0, -1, -1], [1, 0, 0])
    assert (enough.accuracy_low[0], enough.accuracy_high[0]) == pytest.approx(
        (0.7225, 1.0), abs=5e-5
    )  # n/(n + 1.96²)


def test_unjudgeable_is_wrong_on_gold_and_ignored_elsewhere() -> None:
    made = make_labels([("d1", "a", 1), ("d1", "b", 1)], range(2)).with_gold({"d1": "1"})
    quality = measure_quality(replace(made, label=np.array([-2, 1], dtype=np.int32)))
    assert (
        quality.gold_right.tolist(),
        quality.unjudgeable.tolist(),
        quality.compared.tolist(),
    ) == (
        [0, 1],
        [1, 0],
        [0, 0],
    )


def test_repeats_are_compared_with_the_first_label() -> None:
    labels = make_labels(
        [("d1", "a", 1), ("d2", "a", 0), ("d1", "a", 1), ("d1", "a", 0), ("d1", "b", 1)], range(2)
    )
    quality = measure_quality(labels)
    assert (quality.repeats.tolist(), quality.repeats_same.tolist(), quality.labels.tolist()) == (
        [2, 0],
        [1, 0],
        [4, 1],
    )


def test_a_deliberate_repeat_affects_only_the_repeat_statistics() -> None:
    rows = [("d1", "a", 2), ("d2", "a", 0), ("d1", "b", 2), ("d2", "b", 0), ("d1", "a", 0)]
    labels = make_labels(rows, range(3))
    once = measure_quality(make_labels(rows[:-1], range(3)))
    twice = measure_quality(replace(labels, is_repeat=np.array([0, 0, 0, 0, 1], dtype=bool)))
    assert (twice.repeats.tolist(), twice.repeats_same.tolist()) == ([1, 0], [0, 0])
    assert twice.agreement.tolist() == once.agreement.tolist() == [1.0, 1.0]
    assert (twice.bias.tolist(), twice.error.tolist()) == ([0.0, 0.0], [0.0, 0.0])
    assert (twice.quality.tolist(), twice.thirds.tolist()) == (
        once.quality.tolist(),
        pytest.approx(once.thirds, nan_ok=True),
    )


def test_speed_is_compared_with_reading_time_not_with_the_group() -> None:
    made = make_labels([(f"d{at}", "abc"[at % 3], 0) for at in range(36)])
    hasty = replace(made, seconds=np.tile([0.3, 0.2, 0.1], 12), sizes=np.full(36, 2000.0))
    quality = measure_quality(hasty)
    assert quality.too_fast.tolist() == quality.timed.tolist() == [
        12,
        12,
        12,
    ] and quality.seconds.tolist() == [0.3, 0.2, 0.1]
    for index, verdict in enumerate(judge_assessors(hasty)):
        share = 100 * quality.too_fast[index] / quality.timed[index]
        assert verdict.evidence[0].values["share"] == f"{share:.0f}", (
            "the column and the sentence say the same"
        )
    short = replace(
        hasty, seconds=np.full(36, 1.0), sizes=np.where(np.arange(36) % 2, 60.0, 2000.0)
    )
    assert measure_quality(short).too_fast.tolist() == [6, 6, 6], (
        "10 words are skimmed in a third of a second, 40 in 1.3"
    )
    unknown = measure_quality(made)
    assert unknown.too_fast.tolist() == [0, 0, 0] and np.isnan(unknown.seconds).all()


def test_the_work_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        measure_quality(class_of(), progress=Progress(cancelled=lambda: True))


@pytest.mark.parametrize("workers", [(), ("ann",)])
def test_undone_judgments_give_no_statistics(
    workers: tuple[str, ...],
) -> None:
    none = np.zeros(0, np.int32)
    quality = measure_quality(
        Labels((), workers, ("0", "1"), np.array([0.0, 1.0]), none, none, none)
    )
    assert (quality.workers, quality.labels.tolist()) == (workers, [0] * len(workers))

"""Tests of models of workers: the data of Dawid and Skene, the likelihood, and gold items."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import Cancelled
from irjudge.model import Labels, make_labels
from irjudge.progress import Progress
from irjudge.stats.consensus import FitOptions, consensus, dawid_skene
from irjudge.stats.consensus.annotator_models import one_coin
from tests.lengths import example_count

# Dawid and Skene (1979), table 1: 45 patients; the first observer three times, then observers 2 to
# 5.
PATIENTS = """
1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111 2223212 1211111 1112111 1111111
1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 2222222
2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222
""".split()
EXACT = FitOptions(smoothing=0, tolerance=1e-12)
PLAIN = FitOptions(smoothing=0)


@pytest.fixture
def patients() -> Labels:
    observers = "1112345"
    return make_labels(
        [
            (str(at), observers[index], label)
            for at, row in enumerate(PATIENTS, 1)
            for index, label in enumerate(row)
        ]
    )


def test_dawid_and_skene_gives_the_published_values(patients: Labels) -> None:
    """Their table 2: p = .40 .42 .11 .07 and the first observer's table, to two digits.

    Other values are those to which the iteration converges.
    """
    assert len(patients) == 315
    model = dawid_skene(patients, EXACT)
    assert model.prior.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    assert model.tables[0].round(2).tolist() == [
        [0.89, 0.11, 0, 0],
        [0.07, 0.88, 0.05, 0],
        [0, 0.34, 0.66, 0],
        [0, 0, 0.56, 0.44],
    ]
    assert model.prior == pytest.approx([0.3996, 0.4220, 0.1118, 0.0667], abs=5e-5)
    assert model.tables[1] == pytest.approx(
        np.array([[0.8342, 0.1658, 0, 0], [0.0527, 0.6329, 0.3143, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
        abs=5e-5,
    )
    assert model.log_likelihood == pytest.approx(-192.890881, abs=5e-7)
    assert model.converged


def test_the_uncertain_patients_are_the_published_ones(patients: Labels) -> None:
    chances = dawid_skene(patients, EXACT).probabilities
    unsure = np.flatnonzero(chances.max(axis=1) < 0.99995) + 1
    assert unsure.tolist() == [7, 30, 35, 38, 42]
    assert chances[[6, 34, 37], [0, 1, 2]] == pytest.approx([0.981, 0.948, 0.9788], abs=5e-4)


def test_the_model_differs_from_the_majority_on_three_patients(patients: Labels) -> None:
    majority = consensus(patients).label
    model = dawid_skene(patients, EXACT).probabilities.argmax(axis=1)
    differ = np.flatnonzero(majority != model)
    assert [(int(at) + 1, int(majority[at]) + 1, int(model[at]) + 1) for at in differ] == [
        (2, 3, 4),
        (12, 2, 3),
        (36, 3, 4),
    ]


def test_the_one_coin_model_gives_the_values_of_crowdkit(patients: Labels) -> None:
    """crowd-kit, OneCoinDawidSkene."""
    model = one_coin(patients, PLAIN)
    accuracies = np.einsum("wkk,k->w", model.tables, model.prior)
    assert accuracies == pytest.approx([0.8854, 0.7007, 0.8115, 0.8531, 0.8089], abs=5e-5)
    assert model.prior == pytest.approx([0.4019, 0.4511, 0.1246, 0.0224], abs=5e-5)


@st.composite
def labels(draw: st.DrawFn) -> Labels:
    rows = draw(
        st.lists(
            st.tuples(st.integers(0, 6), st.integers(0, 3), st.integers(0, 2)),
            min_size=1,
            max_size=30,
        )
    )
    return make_labels(
        [(f"d{item}", f"w{worker}", label) for item, worker, label in rows], range(3)
    )


@given(labels(), st.sampled_from([dawid_skene, one_coin]), st.sampled_from([0.0, 0.01, 1.0]))
@settings(max_examples=example_count(60))
def test_the_likelihood_never_falls(made: Labels, fit, smoothing: float) -> None:
    model = fit(made, FitOptions(smoothing=smoothing, iterations=40))
    steps = np.diff(model.likelihoods)
    assert (steps >= -1e-9 * (1 + np.abs(model.likelihoods[:-1]))).all()
    assert model.probabilities.sum(axis=1) == pytest.approx(1)
    assert model.tables.sum(axis=2) == pytest.approx(1)


@given(
    labels(),
    st.sampled_from([dawid_skene, one_coin]),
    st.permutations(range(4)),
    st.randoms(use_true_random=False),
)
@settings(max_examples=example_count(60))
def test_neither_the_order_of_rows_nor_the_names_of_workers_matter(
    made: Labels, fit, to: list[int], random
) -> None:
    rows = list(zip(made.item.tolist(), made.worker.tolist(), made.label.tolist(), strict=True))
    random.shuffle(rows)
    again = make_labels(
        [(made.items[item], f"{to[worker]}", label) for item, worker, label in rows], range(3)
    )
    one, two = fit(made), fit(again)
    index_of = {name: at for at, name in enumerate(again.items)}
    assert one.probabilities == pytest.approx(
        two.probabilities[[index_of[name] for name in made.items]], abs=1e-6
    )


@pytest.mark.parametrize(
    "order", [(0, 1, 2, 3, 4), (4, 3, 2, 1, 0), (3, 0, 4, 1, 2), (2, 4, 1, 3, 0)]
)
def test_undetermined_items_stay_even_in_any_order_of_rows(order: tuple[int, ...]) -> None:
    """The last item has two workers who give only 0 and 1; no other label supports one of them."""
    rows = [("d0", "a", 0), ("d1", "a", 1), ("d2", "a", 2), ("d3", "b", 0), ("d3", "c", 1)]
    made = make_labels([rows[at] for at in order], range(3))
    model = one_coin(made)
    assert model.probabilities[made.items.index("d3"), :2] == pytest.approx([0.5, 0.5], abs=1e-6)
    assert consensus(made, "one-coin").label[made.items.index("d3")] == 0


def test_gold_labels_are_kept_and_inform_the_model() -> None:
    """Two workers who always disagree: only gold items show which one is right."""
    rows = [
        (f"d{item}", name, (item + turn) % 2)
        for item in range(8)
        for turn, name in enumerate(("straight", "crooked"))
    ]
    known = make_labels(rows).with_gold({"d0": "0", "d1": "1"})
    model = dawid_skene(known)
    assert model.probabilities[:2].tolist() == [[1, 0], [0, 1]]
    assert model.probabilities.argmax(axis=1).tolist() == [item % 2 for item in range(8)]


def test_an_item_with_only_unjudgeable_labels_gets_the_prior() -> None:
    made = make_labels([("d1", "a", 0), ("d2", "a", 1), ("d3", "a", 1)])
    refused = Labels(
        made.items,
        made.workers,
        made.scale,
        made.values,
        made.item,
        made.worker,
        np.array([-2, 1, 1], dtype=np.int32),
    )
    assert dawid_skene(refused, PLAIN).probabilities[0].tolist() == [0, 1]


def test_the_work_can_be_cancelled(patients: Labels) -> None:
    with pytest.raises(Cancelled):
        dawid_skene(patients, FitOptions(progress=Progress(cancelled=lambda: True)))


def slow_crowd() -> Labels:
    """Return labels of many workers with few labels each on hard items.

    Plain iterations need thousands of rounds to converge.
    """
    draw = np.random.default_rng(7)
    truth = draw.integers(0, 4, 400)
    right = draw.uniform(0.25, 0.6, 150)
    rows = []
    for item in range(400):
        for worker in draw.choice(150, 5, replace=False):
            label = truth[item] if draw.random() < right[worker] else draw.integers(0, 4)
            rows.append((f"d{item}", f"w{worker}", int(label)))
    return make_labels(rows, range(4))


def test_slow_data_converge_and_a_limit_reports_open_items() -> None:
    made = slow_crowd()
    rest = dawid_skene(made)
    assert rest.converged and rest.unsettled == 0
    onwards = dawid_skene(made, FitOptions(tolerance=1e-10))
    assert (rest.probabilities.argmax(axis=1) != onwards.probabilities.argmax(axis=1)).sum() == 0
    short = dawid_skene(made, FitOptions(iterations=10))
    assert not short.converged and len(short.likelihoods) == 10 and short.unsettled > 0
    longer = dawid_skene(made, FitOptions(iterations=60))
    difference_count = int(
        (longer.probabilities.argmax(axis=1) != rest.probabilities.argmax(axis=1)).sum()
    )
    assert longer.unsettled >= difference_count > 0


def test_the_time_is_bounded(patients: Labels) -> None:
    model = dawid_skene(patients, FitOptions(tolerance=0.0, seconds=0.05))
    assert not model.converged and len(model.likelihoods) > 10

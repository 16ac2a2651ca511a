"""Tests of GLAD and MACE: crowd-kit's values, the objective, gold items, and invariance."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import Cancelled
from irjudge.model import Labels, make_labels
from irjudge.progress import Progress
from irjudge.stats.consensus import FitOptions, consensus
from irjudge.stats.consensus.annotator_models import glad, mace
from tests.lengths import example_count

CROWDKIT = json.loads(
    (Path(__file__).parents[3] / "golden" / "crowdkit.json").read_text(encoding="utf-8")
)
BOTH = pytest.mark.parametrize("fit", [glad, mace])


@BOTH
def test_probabilities_are_those_of_crowdkit(fit) -> None:
    crowd = make_labels([tuple(row) for row in CROWDKIT["rows"]], range(3))
    model, order = fit(crowd), np.argsort(crowd.items)
    assert model.converged
    assert model.probabilities[order] == pytest.approx(
        np.array(CROWDKIT[fit.__name__]["chances"]), abs=1e-5
    )


def test_abilities_are_those_of_crowdkit() -> None:
    crowd = make_labels([tuple(row) for row in CROWDKIT["rows"]], range(3))
    right = dict(zip(crowd.workers, glad(crowd).tables[:, 0, 0].tolist(), strict=True))
    assert right == pytest.approx(CROWDKIT["glad"]["right"], abs=1e-6)


def test_one_label_gives_the_values_worked_by_hand() -> None:
    """One label of two grades: in GLAD ability and ease satisfy s = σ(αβ), P(1) = s.

    In MACE the odds are (g + l) : g, where g and l are the weights of guessing 1 and of knowing.
    """
    made = make_labels([("d", "a", 1)], range(2))
    chance = glad(made).probabilities[0]
    # log(s + (1 - s)) is 0 for any s, so that the priors determine α = 1 and β = e.
    assert chance[1] == pytest.approx(1 / (1 + np.exp(-np.e)), abs=1e-9)
    assert mace(made).probabilities[0, 1] > 0.5


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


@given(labels(), st.sampled_from([glad, mace]))
@settings(max_examples=example_count(30))
def test_the_objective_never_decreases(made: Labels, fit) -> None:
    model = fit(made, FitOptions(iterations=40))
    steps = np.diff(model.likelihoods)
    assert (steps >= -1e-9 * (1 + np.abs(model.likelihoods[:-1]))).all()
    assert model.probabilities.sum(axis=1) == pytest.approx(1)
    assert model.tables.sum(axis=2) == pytest.approx(1)


@given(
    labels(),
    st.sampled_from([glad, mace]),
    st.permutations(range(4)),
    st.randoms(use_true_random=False),
)
@settings(max_examples=example_count(30))
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
        two.probabilities[[index_of[name] for name in made.items]], abs=1e-5
    )


@BOTH
def test_gold_labels_are_kept_and_inform_the_model(fit) -> None:
    """A reliable and a careless worker: gold items show which is which."""
    rows = [
        (f"d{item}", name, item % 2 if name == "sure" else 1)
        for item in range(12)
        for name in ("sure", "lazy")
    ]
    model = fit(make_labels(rows).with_gold({f"d{item}": str(item % 2) for item in range(8)}))
    assert model.probabilities[:2].tolist() == [[1, 0], [0, 1]]
    assert model.probabilities.argmax(axis=1).tolist() == [item % 2 for item in range(12)]


@BOTH
def test_the_work_is_bounded_and_can_be_cancelled(fit) -> None:
    crowd = make_labels([tuple(row) for row in CROWDKIT["rows"]], range(3))
    short = fit(crowd, FitOptions(iterations=3))
    assert not short.converged and len(short.likelihoods) <= 4
    assert not fit(crowd, FitOptions(tolerance=0.0, seconds=1e-9)).converged
    with pytest.raises(Cancelled):
        fit(crowd, FitOptions(progress=Progress(cancelled=lambda: True)))


@pytest.mark.parametrize("method", ["glad", "mace"])
def test_consensus_works_with_word_labels_and_with_one_grade(method: str) -> None:
    rows = [
        ("d1", "a", "fine"),
        ("d1", "b", "fine"),
        ("d2", "a", "spam"),
        ("d2", "b", "spam"),
        ("d2", "c", "fine"),
    ]
    result = consensus(make_labels(rows), method)
    assert [row[1] for row in result.rows()] == ["fine", "spam"]
    assert result.rows()[1][3].startswith("2 of 3 chose spam; ")
    assert consensus(make_labels([("d1", "a", 1), ("d1", "b", 1)]), method).label.tolist() == [0]

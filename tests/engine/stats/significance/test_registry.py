"""Tests of significance tests by name, and of laws that each test obeys."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.stats import Sampling
from irjudge.stats.significance import (
    CORRECTIONS,
    TESTS,
    all_pairs,
    find_correction,
    find_test,
    run_test,
)
from tests.lengths import example_count

every_test = pytest.mark.parametrize("name", TESTS)
FEW = Sampling(samples=200)
tables = st.integers(2, 3).flatmap(
    lambda systems: st.lists(
        st.lists(st.integers(0, 4), min_size=systems, max_size=systems), max_size=6
    ).map(lambda rows: np.array(rows, dtype=float).reshape(len(rows), systems).T / 4)
)


@every_test
@given(scores=tables)
@settings(max_examples=example_count(40))
def test_p_is_a_probability_and_never_nan(name: str, scores) -> None:
    with np.errstate(divide="raise", invalid="raise"):
        result = run_test(name, scores, sampling=FEW)
    assert ((result.p >= 0) & (result.p <= 1)).all() and len(result.p) == len(
        result.statistic
    ) == len(all_pairs(len(scores)))
    assert all(each is None or np.isfinite(each) for each in result.statistic)


@every_test
@given(scores=tables)
@settings(max_examples=example_count(40))
def test_swapping_the_systems_does_not_change_p(name: str, scores) -> None:
    pairs = all_pairs(len(scores))
    assert run_test(name, scores, pairs, FEW).p == pytest.approx(
        run_test(name, scores, pairs[:, ::-1], FEW).p, abs=1e-12
    )


@every_test
def test_identical_systems_have_p_1(name: str) -> None:
    scores = np.tile(np.linspace(0, 1, 30), (3, 1))
    assert run_test(name, scores, sampling=FEW).p.tolist() == [1, 1, 1]


@every_test
def test_a_large_difference_is_found_and_a_small_one_is_not(name: str) -> None:
    topics = np.random.default_rng(8).random((3, 40)) / 10
    result = run_test(
        name, topics + np.array([[0.5], [0.0], [0.0]]), sampling=Sampling(samples=2000)
    )
    assert result.p[0] < 0.01 and result.p[1] < 0.01 and result.p[2] > 0.01


@pytest.mark.parametrize(
    "name", [name for name in TESTS if name not in ("permutation", "tukey", "bootstrap")]
)
def test_the_order_of_topics_does_not_matter(name: str) -> None:
    scores = np.random.default_rng(1).random((3, 25))
    assert run_test(name, scores).p == pytest.approx(run_test(name, scores[:, ::-1]).p, rel=1e-9)


@every_test
def test_every_test_has_a_description(name: str) -> None:
    assert (
        TESTS[name].title and TESTS[name].about.endswith(".") and run_test(name, np.eye(2)).method
    )


def test_only_simultaneous_tests_are_already_corrected() -> None:
    assert {name for name, test in TESTS.items() if test.corrects_all_pairs} == {
        "tukey",
        "tukey-hsd",
    }


@pytest.mark.parametrize(
    ("find", "kind", "name", "near"),
    [
        (find_test, "Test", "wilcoxen", "wilcoxon"),
        (find_test, "Test", "zzz", None),
        (find_correction, "Correction", "bonferoni", "bonferroni"),
    ],
)
def test_an_unknown_name_is_refused_with_a_suggestion(find, kind, name, near) -> None:
    with pytest.raises(IrjudgeError) as error:
        find(name)
    values = error.value.values
    assert (error.value.key, values["kind"]) == ("unknown-name", kind)
    assert (values["name"], values.get("suggestion")) == (repr(name), near)


def test_common_spellings_of_names_are_accepted() -> None:
    assert [find_test(name).name for name in ("T-Test", "Randomisation", "tukey_hsd", "sign")] == [
        "t",
        "permutation",
        "tukey-hsd",
        "sign",
    ]
    assert [find_correction(name).name for name in ("Holm", "FDR")] == ["holm", "bh"]
    assert set(CORRECTIONS) == {"holm", "bonferroni", "bh", "none"}


@pytest.mark.parametrize(
    "scores", [[0.1, 0.2], [[0.1, np.nan], [0.1, 0.2]], [[0.1, np.inf], [0.1, 0.2]]]
)
def test_invalid_scores_are_refused(scores) -> None:
    with pytest.raises(IrjudgeError):
        run_test("t", scores)


@pytest.mark.slow
@pytest.mark.parametrize(
    "work", ["import irjudge.stats.correlation", "import irjudge, irjudge.cli.main"]
)
def test_correlation_does_not_load_scipy(work: str) -> None:
    assert (
        subprocess.run(
            [sys.executable, "-c", f"{work}, sys; sys.exit('scipy' in sys.modules)"], check=False
        ).returncode
        == 0
    )

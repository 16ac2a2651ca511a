"""Tests of recall levels: trec_eval's rules in C doubles, irjudge's rule in exact decimals."""

import json
from fractions import Fraction
from math import ceil, floor
from pathlib import Path

import numpy as np
import pytest

from irjudge.metrics import JudgedRun, parse_measure_name
from irjudge.metrics.precision import first_document_at_level, rank_of_multiple

GOLDEN = json.loads(
    (Path(__file__).parents[2] / "golden" / "recall_levels.json").read_text(encoding="utf-8")
)
RELEVANT = np.arange(GOLDEN["highest"] + 1)
MORE = {"trec9": Fraction(9, 10), "trec10": Fraction(1, 2)}


def count_by_c(rule: str, level: str) -> list[int]:
    """Return how many documents reach a level, for each R, as computed with C's doubles."""
    reached = [floor(Fraction(level) * relevant + MORE[rule]) for relevant in RELEVANT.tolist()]
    for _, relevant, retrieved in (row for row in GOLDEN[rule] if row[0] == level):
        reached[relevant] = retrieved
    return reached


@pytest.mark.parametrize("rule", MORE)
def test_every_level_is_reached_at_the_same_rank_as_in_c(rule: str) -> None:
    for level in GOLDEN["levels"]:
        assert first_document_at_level(float(level), RELEVANT, rule).tolist() == count_by_c(
            rule, level
        )


@pytest.mark.slow
def test_every_multiple_has_the_cutoff_of_c_in_both_versions() -> None:
    for level in GOLDEN["multiples"]:
        assert rank_of_multiple(float(level), RELEVANT, "trec9").tolist() == count_by_c(
            "trec9", level
        )
        assert rank_of_multiple(float(level), RELEVANT, "trec10").tolist() == count_by_c(
            "trec9", level
        )


@pytest.mark.slow
def test_the_default_rule_is_exact() -> None:
    for level in GOLDEN["levels"]:
        wanted = [ceil(Fraction(level) * relevant) for relevant in RELEVANT.tolist()]
        assert first_document_at_level(float(level), RELEVANT, "max").tolist() == wanted
    for level in GOLDEN["multiples"]:
        wanted = [
            floor(Fraction(level) * relevant + Fraction(9, 10)) for relevant in RELEVANT.tolist()
        ]
        assert rank_of_multiple(float(level), RELEVANT, "exact").tolist() == wanted


def test_recall_levels_of_three_relevant_at_ranks_one_two_and_ten() -> None:
    judged = JudgedRun.single(ranked=[1, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    values = {
        profile: [
            float(parse_measure_name(name, profile=profile)[0].compute(judged)[0])
            for name in ("iprec_at_recall_0.70", "Rprec_mult.0.7")
        ]
        for profile in ("irjudge", "trec_eval-9", "trec_eval-10")
    }
    assert values["trec_eval-9"] == values["trec_eval-10"] == [1, 1]
    assert values["irjudge"] == [3 / 10, 2 / 3]


def test_on_arm_the_sum_is_rounded_once() -> None:
    # 0.7·3 + 0.9 is nearest to 3 when it is rounded once; 0.7·43 + 0.9 stays below 31 either way.
    assert first_document_at_level(0.7, np.array([3, 43]), "trec9fused").tolist() == [3, 30]
    assert first_document_at_level(0.7, np.array([3, 43]), "trec9").tolist() == [2, 30]
    three = JudgedRun.single(ranked=[1, 1, 0, 0, 0, 0, 0, 0, 0, 1])
    assert [
        float(parse_measure_name(f"IPrec(rule={rule})@0.7")[0].compute(three)[0])
        for rule in ("trec9", "trec9fused")
    ] == [1, 3 / 10]

"""Tests of laws that every measure obeys unless its declaration exempts it."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from irjudge.evaluation.measure_laws import LAWS, find_violation
from irjudge.metrics import Exemption, Law, list_measures, make_measure
from irjudge.metrics.registry import JUDGED_ONLY, MeasureRegistry

every_measure = pytest.mark.parametrize("declaration", list_measures(), ids=lambda each: each.name)


def test_every_law_that_a_measure_can_be_excused_from_is_tested():
    assert set(LAWS) == set(get_args(Law))


@pytest.mark.parametrize("law", LAWS)
@every_measure  # changes last, so that the variants of a measure are made once for all laws
def test_the_measure_obeys(law, declaration, examples):
    assert find_violation(law, declaration, examples) == ""


@pytest.mark.parametrize(
    "declaration",
    [each for each in list_measures() if JUDGED_ONLY in each.parameters],
    ids=lambda each: each.name,
)
def test_a_condensed_list_is_the_ranking_without_its_unjudged_documents(
    declaration, examples, build, variants
):
    for turn, cases in examples:
        measure = variants(declaration)[turn % len(variants(declaration))]
        shorter = [
            replace(
                case,
                ranked=tuple(grade for grade in case.ranked if grade is not None and grade >= 0),
            )
            for case in cases
        ]
        condensed = make_measure(declaration, **{**measure.values, "judged_only": "true"})
        assert condensed.compute(build(cases)).tolist() == measure.compute(build(shorter)).tolist()


def test_moving_a_document_up_is_tested_on_all_ranked_measures_but_those_that_ignore_order():
    heavy = {each.name for each in list_measures() if each.top_heavy}
    assert {
        "P",
        "R",
        "AP",
        "RR",
        "Rprec",
        "Success",
        "IPrec",
        "Bpref",
        "CG",
        "DCG",
        "nDCG",
    } <= heavy


# Measures that break one law each, which must be detected.


def nan_without_relevant(judged):
    """Return NaN where nothing is relevant."""
    with np.errstate(all="ignore"):
        return judged.count_by_topic(judged.relevant_hits().topic) / judged.n_relevant()


def above_one(judged):
    """Return a count."""
    return judged.count_by_topic(judged.relevant_hits().topic) * 1.0


def divided_by_length(judged):
    """Return a value that depends on the length of the list."""
    return judged.sum_by_topic(
        judged.relevant_hits().topic, judged.relevant_hits().rank * 0 + 1
    ) / (judged.n_retrieved + 1)


def counts_ungraded(judged):
    """Return the share of documents that are in the qrels."""
    return judged.count_by_topic(judged.hit_topic) / (judged.n_retrieved + 1)


def sees_other_topics(judged):
    """Return a value that depends on the other topics."""
    return judged.n_relevant() / (1.0 + judged.n_relevant().sum())


def likes_late_documents(judged):
    """Return more, the later the first document."""
    first = judged.relevant_hits().where(judged.relevant_hits().nth_in_topic == 1)
    return judged.sum_by_topic(first.topic, 1 - 1 / first.rank)


BROKEN = {
    "finite": nan_without_relevant,
    "bounds": above_one,
    "tail": divided_by_length,
    "unjudged": counts_ungraded,
    "together": sees_other_topics,
    "top_heavy": likes_late_documents,
}


@pytest.mark.parametrize("law", LAWS)
def test_the_law_catches_a_measure_that_breaks_it(law, examples):
    registry = MeasureRegistry()
    registry.measure("Broken", title="Broken", formula="none", top_heavy=True)(BROKEN[law])
    assert find_violation(law, registry.find("Broken"), examples)


@pytest.mark.parametrize("law", LAWS)
def test_an_exemption_applies_only_to_its_law(law):
    registry = MeasureRegistry()
    exempt = registry.measure(
        "Excused",
        title="Excused",
        formula="none",
        top_heavy=True,
        exemptions=[Exemption(law, "it is broken")],
    )
    exempt(BROKEN[law])
    assert [each for each in LAWS if not registry.find("Excused").satisfies(each, {})] == [law]

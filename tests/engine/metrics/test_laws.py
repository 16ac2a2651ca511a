"""Laws that every measure in the catalogue obeys, or is excused from in its declaration; and that they catch what breaks them."""

from collections.abc import Callable
from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from irjudge.metrics import Exemption, GainMap, Measure, catalogue, make
from irjudge.metrics.naming.parameters import JUDGED_ONLY
from irjudge.metrics.naming.registry import Law, MeasureRegistry

EXACT = 1e-12
every_measure = pytest.mark.parametrize("declaration", catalogue(), ids=lambda each: each.name)


def finite(measure: Measure, cases, build) -> None:
    with np.errstate(all="raise"):
        scores = measure.compute(build(cases))
    assert scores.shape == (len(cases),) and scores.dtype == np.float64, f"{measure}: {scores!r}"
    assert np.isfinite(scores).all(), f"{measure}: {scores} for {cases}"


def bounds(measure: Measure, cases, build) -> None:
    low, high = measure.declaration.bounds
    scores = measure.compute(build(cases))
    assert ((scores >= low - EXACT) & (scores <= high + EXACT)).all(), f"{measure}: {scores} for {cases}"


def tail(measure: Measure, cases, build) -> None:
    """An unjudged document appended at the end changes nothing."""
    longer = [replace(case, ranked=(*case.ranked, None)) for case in cases]
    same(measure, build(cases), build(longer), cases)


def unjudged(measure: Measure, cases, build) -> None:
    """A document that was pooled and has no grade counts as one that the qrels do not name."""
    unnamed = [replace(case, ranked=tuple(None if grade in (-1, -2) else grade for grade in case.ranked)) for case in cases]
    same(measure, build(cases), build(unnamed), cases)


def together(measure: Measure, cases, build) -> None:
    """Topics evaluated together get what each gets alone."""
    alone = [measure.compute(build([case]))[0] for case in cases]
    assert measure.compute(build(cases)).tolist() == alone, f"{measure}: {cases}"


def top_heavy(measure: Measure, cases, build) -> None:
    """A relevant document moved up past a non-relevant one never lowers the value; with a gain map: a gaining document."""
    pairs = [(case, better) for case in cases for better in promotions(case, worth(measure))]
    before = measure.compute(build([case for case, _ in pairs]))
    after = measure.compute(build([better for _, better in pairs]))
    assert (after >= before - EXACT).all(), f"{measure}: {pairs[int(np.argmin(after - before))]}"


def worth(measure: Measure) -> Callable[[int | None], bool]:
    gain, rel = measure.values.get("gain"), measure.values.get("rel", 1)
    if isinstance(gain, GainMap):
        return lambda grade: grade is not None and grade >= 0 and dict(gain.pairs).get(grade, grade) > 0
    return lambda grade: grade is not None and grade >= rel


def promotions(case, good: Callable[[int | None], bool]):
    for above in range(len(case.ranked) - 1):
        upper, lower = (case.ranked[place] for place in (above, above + 1))
        if good(lower) and not good(upper):
            yield replace(case, ranked=(*case.ranked[:above], lower, upper, *case.ranked[above + 2 :]))


def same(measure: Measure, one, other, cases) -> None:
    assert np.allclose(measure.compute(one), measure.compute(other), rtol=0, atol=EXACT), f"{measure}: {cases}"


LAWS: dict[Law, Callable[..., None]] = {
    "finite": finite,
    "bounds": bounds,
    "tail": tail,
    "unjudged": unjudged,
    "together": together,
    "top_heavy": top_heavy,
}


def check(law: Law, declaration, examples, build, variants) -> None:
    bound = [each for each in variants(declaration) if declaration.obeys(law, each.values)]
    parts = 1 + len(bound) // 10  # an example tries one part of many variants
    for turn, cases in examples:
        for measure in bound[turn % parts :: parts]:
            LAWS[law](measure, cases, build)


def test_every_law_that_a_measure_can_be_excused_from_is_tested():
    assert set(LAWS) == set(get_args(Law))


@pytest.mark.parametrize("law", LAWS)
@every_measure  # which changes last: its variants are made once for all laws
def test_the_measure_obeys(law, declaration, examples, build, variants):
    check(law, declaration, examples, build, variants)


@pytest.mark.parametrize("declaration", [each for each in catalogue() if JUDGED_ONLY in each.parameters], ids=lambda each: each.name)
def test_a_condensed_list_is_the_ranking_without_its_unjudged_documents(declaration, examples, build, variants):
    for turn, cases in examples:
        measure = variants(declaration)[turn % len(variants(declaration))]
        shorter = [replace(case, ranked=tuple(grade for grade in case.ranked if grade is not None and grade >= 0)) for case in cases]
        condensed = make(declaration, **{**measure.values, "judged_only": "true"})
        assert condensed.compute(build(cases)).tolist() == measure.compute(build(shorter)).tolist()


def test_moving_a_document_up_is_tested_on_all_ranked_measures_but_those_that_ignore_order():
    heavy = {each.name for each in catalogue() if each.top_heavy}
    assert {"P", "R", "AP", "RR", "Rprec", "Success", "IPrec", "Bpref", "CG", "DCG", "nDCG"} <= heavy


# Measures that break one law each. The law must notice.


def nan_without_relevant(judged):
    """Return NaN where nothing is relevant."""
    with np.errstate(all="ignore"):
        return judged.count_by_topic(judged.relevant_hits().topic) / judged.n_relevant()


def above_one(judged):
    """Return a count."""
    return judged.count_by_topic(judged.relevant_hits().topic) * 1.0


def divided_by_length(judged):
    """Return a value that depends on the length of the list."""
    return judged.sum_by_topic(judged.relevant_hits().topic, judged.relevant_hits().rank * 0 + 1) / (judged.n_retrieved + 1)


def counts_ungraded(judged):
    """Return the share of documents that the qrels name."""
    return judged.count_by_topic(judged.hit_topic) / (judged.n_retrieved + 1)


def sees_other_topics(judged):
    """Return a value that depends on the other topics."""
    return judged.n_relevant() / (1.0 + judged.n_relevant().sum())


def likes_late_documents(judged):
    """Return more for a later first document."""
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
def test_the_law_catches_a_measure_that_breaks_it(law, examples, build, variants):
    registry = MeasureRegistry()
    registry.measure("Broken", title="Broken", formula="none", top_heavy=True)(BROKEN[law])
    with pytest.raises(AssertionError):
        check(law, registry.find("Broken"), examples, build, variants)


@pytest.mark.parametrize("law", LAWS)
def test_an_exemption_excuses_a_measure_from_its_law_alone(law):
    registry = MeasureRegistry()
    exempt = registry.measure("Excused", title="Excused", formula="none", top_heavy=True, exemptions=[Exemption(law, "it is broken")])
    exempt(BROKEN[law])
    assert [each for each in LAWS if not registry.find("Excused").obeys(each, {})] == [law]

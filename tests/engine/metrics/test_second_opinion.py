"""Every measure against a slow implementation that follows its definition word by word, one topic and one rank at a time."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.metrics import catalogue


def ratio(a, b):
    return a / b if b else 0.0


def top(case, cutoff):
    return case.ranked if cutoff is None else case.ranked[:cutoff]


def relevant(grades, rel=1):
    return sum(grade is not None and grade >= rel for grade in grades)


def set_precision(case, rel, cutoff):
    return ratio(relevant(top(case, cutoff), rel), len(top(case, cutoff)))


def set_recall(case, rel, cutoff):
    return ratio(relevant(top(case, cutoff), rel), relevant(case.judged, rel))


def set_f(case, rel, beta, cutoff):
    precision, recall = set_precision(case, rel, cutoff), set_recall(case, rel, cutoff)
    return ratio((1 + beta**2) * precision * recall, beta**2 * precision + recall)


def judged_share(case, cutoff):
    return ratio(relevant(top(case, cutoff), 0), min(cutoff, len(case.ranked)))


def unjudged_share(case, cutoff):
    return sum(grade is None or grade < 0 for grade in top(case, cutoff)) / cutoff


def precision(case, rel, cutoff):
    return relevant(case.ranked[:cutoff], rel) / cutoff


def r_precision(case, rel):
    wanted = relevant(case.judged, rel)
    return precision(case, rel, wanted) if wanted else 0.0


def points(case, rel):
    """Recall and precision at each relevant document."""
    wanted = relevant(case.judged, rel)
    ranks = [rank for rank, grade in enumerate(case.ranked, 1) if relevant([grade], rel)]
    return [(Fraction(nth, wanted), nth / rank) for nth, rank in enumerate(ranks, 1)]


def interpolated_precision(case, rel, rule, recall):
    level = Fraction(str(recall))
    if rule == "max":
        return max((value for reached, value in points(case, rel) if reached >= level), default=0.0)
    for reached, value in points(case, rel):
        if reached == level:
            return value
    while level <= 1:
        window = [value for reached, value in points(case, rel) if level < reached <= level + Fraction(1, 10)]
        if window:
            return max(window)
        level += Fraction(1, 10)
    return 0.0


def bpref(case, rel):
    wanted = relevant(case.judged, rel)
    unwanted = len(case.judged) - wanted
    total = 0.0
    for place, grade in enumerate(case.ranked):
        if relevant([grade], rel):
            above = sum(other is not None and 0 <= other < rel for other in case.ranked[:place])
            total += 1 - ratio(min(above, wanted, unwanted), min(wanted, unwanted))
    return ratio(total, wanted)


def average_precision(case, rel, norm, cutoff):
    ranks = [rank for rank, grade in enumerate(top(case, cutoff), 1) if relevant([grade], rel)]
    total = sum(precision(case, rel, rank) for rank in ranks)
    wanted = relevant(case.judged, rel)
    return ratio(total, {"relevant": wanted, "retrieved": len(ranks), "cutoff": min(wanted, cutoff or wanted)}[norm])


def reciprocal_rank(case, rel, cutoff):
    return next((1 / rank for rank, grade in enumerate(top(case, cutoff), 1) if relevant([grade], rel)), 0.0)


def gain_of(grade, gain):
    if grade is None or grade < 0:
        return 0
    return grade if gain == "linear" else 2**grade - 1


def discounted(grades, gain, discount, base):
    total = 0.0
    for rank, grade in enumerate(grades, 1):
        if discount == "log2p1":
            total += gain_of(grade, gain) / math.log(rank + 1, base)
        else:
            total += gain_of(grade, gain) if rank < base else gain_of(grade, gain) / math.log(rank, base)
    return total


def idcg(case, gain, discount, base, ideal, cutoff):
    best = case.judged if ideal == "judged" else sorted((grade or 0 for grade in case.ranked), reverse=True)
    return discounted(best[:cutoff], gain, discount, base)


def ndcg(case, gain, discount, base, ideal, cutoff):
    return ratio(discounted(top(case, cutoff), gain, discount, base), idcg(case, gain, discount, base, ideal, cutoff))


OPINIONS = {
    "NumQ": lambda case: 1,
    "NumRet": lambda case, cutoff: len(top(case, cutoff)),
    "NumRel": lambda case, rel: relevant(case.judged, rel),
    "NumRelRet": lambda case, rel, cutoff: relevant(top(case, cutoff), rel),
    "NumJudgedRet": lambda case, cutoff: relevant(top(case, cutoff), 0),
    "Judged": judged_share,
    "Unjudged": unjudged_share,
    "SetP": set_precision,
    "SetR": set_recall,
    "SetF": set_f,
    "P": precision,
    "R": set_recall,
    "Success": lambda case, rel, cutoff: float(relevant(case.ranked[:cutoff], rel) > 0),
    "Rprec": r_precision,
    "IPrec": interpolated_precision,
    "Bpref": bpref,
    "AP": average_precision,
    "RR": reciprocal_rank,
    "CG": lambda case, gain, cutoff: sum(gain_of(grade, gain) for grade in top(case, cutoff)),
    "DCG": lambda case, gain, discount, base, cutoff: discounted(top(case, cutoff), gain, discount, base),
    "IDCG": idcg,
    "nDCG": ndcg,
}


def test_every_measure_has_a_second_opinion():
    assert [each.name for each in catalogue() if each.name not in OPINIONS] == []


@pytest.mark.parametrize("declaration", catalogue(), ids=lambda each: each.name)
def test_the_measure_agrees_with_its_definition(declaration, cases, build, variants):
    measures = variants(declaration)

    @settings(max_examples=60, deadline=None)
    @given(st.data())
    def agrees(data):
        drawn = data.draw(cases)
        judged = build(drawn)
        for measure in measures:
            expected = [OPINIONS[declaration.name](case, **measure.values) for case in drawn]
            assert measure.compute(judged).tolist() == pytest.approx(expected, rel=0, abs=1e-12), f"{measure} for {drawn}"

    agrees()

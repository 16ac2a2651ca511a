"""Every measure against a slow implementation that follows its definition word by word, one topic and one rank at a time."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.metrics import GainMap, catalogue


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
    if rule.startswith("trec"):
        wanted = level * relevant(case.judged, rel) + (Fraction(9, 10) if rule == "trec9" else Fraction(1, 2))
        return max((value for nth, (_, value) in enumerate(points(case, rel), 1) if nth >= math.floor(wanted)), default=0.0)
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
    if isinstance(gain, GainMap):
        return dict(gain.pairs).get(grade, grade)
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
    best = case.judged if ideal == "judged" else [grade for grade in case.ranked if grade is not None]
    best = sorted(best, key=lambda grade: gain_of(grade, gain), reverse=True)
    return discounted(best[:cutoff], gain, discount, base)


def ndcg(case, gain, discount, base, ideal, cutoff):
    return ratio(discounted(top(case, cutoff), gain, discount, base), idcg(case, gain, discount, base, ideal, cutoff))


def relative_precision(case, rel, cutoff):
    return ratio(relevant(case.ranked[:cutoff], rel), min(cutoff, relevant(case.judged, rel)))


def set_relative_precision(case, rel, cutoff):
    return ratio(relevant(top(case, cutoff), rel), min(len(top(case, cutoff)), relevant(case.judged, rel)))


def utility(case, rel, a, b, c, d, universe):
    found = relevant(case.ranked, rel)
    return a * found + b * (len(case.ranked) - found) + c * (relevant(case.judged, rel) - found)


def eleven_points(case, rel, rule, levels):
    return sum(interpolated_precision(case, rel, rule, level) for level in levels) / len(levels)


def precision_at_multiple(case, rel, multiple):
    cutoff = math.floor(Fraction(str(multiple)) * relevant(case.judged, rel) + Fraction(9, 10))
    return precision(case, rel, cutoff) if cutoff else 0.0


def binary_g(case, rel):
    total = 0.0
    for place, grade in enumerate(case.ranked):
        if relevant([grade], rel):
            total += 1 / math.log2(2 + place - relevant(case.ranked[:place], rel))
    return ratio(total, relevant(case.judged, rel))


def ideal_of(case, gain):
    return sorted((gain_of(grade, gain) for grade in case.judged if gain_of(grade, gain) > 0), reverse=True)


def normalised_gain(case, gain):
    best, spent, reached, total = ideal_of(case, gain), 0.0, 0.0, 0.0
    for place, grade in enumerate(case.ranked):
        spent += max(best[place] if place < len(best) else 0, 1)
        reached += gain_of(grade, gain)
        total += gain_of(grade, gain) / math.log2(2 + spent - reached)
    return ratio(total, sum(best))


def dcg_of(gains):
    return sum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, 1))


def ndcg_over_relevant(case, gain):
    best, gained = ideal_of(case, gain), [gain_of(grade, gain) for grade in case.ranked]
    places = [rank for rank, each in enumerate(gained, 1) if each > 0]
    seen = sum(dcg_of(gained[:rank]) / dcg_of(best[:rank]) for rank in places)
    return ratio(seen + (len(best) - len(places)) * ratio(dcg_of(gained), dcg_of(best)), len(best))


def ndcg_over_levels(case, gain):
    best, gained = ideal_of(case, gain), [gain_of(grade, gain) for grade in case.ranked]
    ends = [rank for rank in range(1, len(best) + 1) if rank == len(best) or best[rank] != best[rank - 1]]
    values = [dcg_of(gained[:rank]) / dcg_of(best[:rank]) for rank in ends]
    if best and len(gained) > len(best) + 1:
        values.append(dcg_of(gained) / dcg_of(best))
    return ratio(sum(values), len(values))


def rank_biased(case, p, rel, gain, cutoff):
    highest = {"binary": 1, "graded": 3, "topic": max(case.judged, default=0)}[gain]
    gained = [relevant([grade], rel) if gain == "binary" else max(grade or 0, 0) for grade in top(case, cutoff)]
    return (1 - p) * sum(ratio(each, highest) * p**place for place, each in enumerate(gained))


def rank_biased_residual(case, p, rule, cutoff):
    unknown = [place for place, grade in enumerate(top(case, cutoff)) if grade is None or grade < 0]
    if rule == "trec10" and not unknown:
        return 0.0
    return (1 - p) * sum(p**place for place in unknown) + p ** len(top(case, cutoff))


def yaap(case, rel):
    total = average_precision(case, rel, "relevant", None) * relevant(case.judged, rel)
    return math.log((1 + total) / (1 + relevant(case.judged, rel) - total))


def inferred(case, rel):
    total = 0.0
    for place, grade in enumerate(case.ranked):
        if relevant([grade], rel):
            above = case.ranked[:place]
            pooled = sum(each is not None for each in above)
            share = (relevant(above, rel) + 1e-5) / (relevant(above, 0) + 2e-5)
            total += 1 / (place + 1) + (place / (place + 1) * (pooled / place) * share if place else 0)
    return ratio(total, relevant(case.judged, rel))


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
    "NumNonrelJudgedRet": lambda case, rel, cutoff: relevant(top(case, cutoff), 0) - relevant(top(case, cutoff), rel),
    "RelP": relative_precision,
    "SetRelP": set_relative_precision,
    "SetAP": lambda case, rel, cutoff: set_precision(case, rel, cutoff) * set_recall(case, rel, cutoff),
    "Utility": utility,
    "11ptAP": eleven_points,
    "RprecMult": precision_at_multiple,
    "BinG": binary_g,
    "G": normalised_gain,
    "nDCGrel": ndcg_over_relevant,
    "RnDCG": ndcg_over_levels,
    "RBP": rank_biased,
    "RBPResid": rank_biased_residual,
    "GMAP": lambda case, rel, eps: max(eps, average_precision(case, rel, "relevant", None)),
    "GMBpref": lambda case, rel, eps: max(eps, bpref(case, rel)),
    "YAAP": yaap,
    "infAP": inferred,
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

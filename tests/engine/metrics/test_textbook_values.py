"""Tests of measures with values worked by hand, as in textbooks and lecture notes."""

import numpy as np
import pytest

from irjudge.metrics import JudgedRun, parse_measure_name

# Two queries of a textbook (Baeza-Yates and Ribeiro-Neto, Modern Information Retrieval), with their
# graded variants.
Q1 = "d123 d84 d56 d6 d8 d9 d511 d129 d187 d25 d38 d48 d250 d113 d3".split()
Q2 = "d425 d87 d56 d32 d124 d615 d512 d129 d4 d130 d193 d715 d810 d5 d3".split()
GRADES1 = {
    "d3": 3,
    "d5": 3,
    "d9": 3,
    "d25": 2,
    "d39": 2,
    "d44": 2,
    "d56": 1,
    "d71": 1,
    "d89": 1,
    "d123": 1,
}
GRADES2 = {"d3": 3, "d56": 2, "d129": 1}


def value(name: str, ranked, judged=()) -> float:
    (measure,) = parse_measure_name(name)
    return float(measure.compute(JudgedRun.single(ranked=ranked, judged=judged))[0])


def at(*ranks: int, of: int = 0) -> list[int]:
    """Return a ranking that is relevant at these ranks."""
    return [int(rank in ranks) for rank in range(1, max(*ranks, of) + 1)]


def curve(name: str, ranked, judged=(), upto: int = 15) -> list[float]:
    """Return the values of a measure at the cutoffs 1 to `upto`."""
    return [value(f"{name}@{cutoff}", ranked, judged) for cutoff in range(1, upto + 1)]


def round_values(values, digits: int) -> list[float]:
    return [round(each + 1e-9, digits) for each in values]


def test_precision_at_several_ranks():
    ranked = at(1, 3, 5, 6, 8)
    assert [value(f"P@{k}", ranked) for k in (1, 2, 3, 8)] == pytest.approx(
        [1, 1 / 2, 2 / 3, 5 / 8]
    )
    # (1/1 + 2/3 + 3/5 + 4/6 + 5/8) / 5 = 3.5583 / 5
    assert value("AP(norm=retrieved)", ranked, [1] * 9) == pytest.approx(0.712, abs=5e-4)


def test_nothing_retrieved_scores_nothing():
    for name in ("SetP", "SetR", "SetF", "P@10", "R@10", "AP", "nDCG", "RR", "Judged@10"):
        assert value(name, [], [1] * 5 + [0] * 995) == 0


def test_cumulative_gain_of_ten_graded_documents():
    ranked = [3, 2, 3, 0, 0, 1, 2, 2, 3, 0]
    assert value("CG@10", ranked) == 16
    # 3 + 2/1 + 3/1.585 + 1/2.585 + 2/2.807 + 2/3 + 3/3.170
    assert value("DCG(discount=jk)@10", ranked) == pytest.approx(9.61, abs=5e-3)
    # 3 + 3/1 + 3/1.585 + 2/2 + 2/2.322 + 2/2.585 + 1/2.807
    assert value("DCG(discount=jk)@10", sorted(ranked, reverse=True)) == pytest.approx(
        10.88, abs=5e-3
    )
    assert value("nDCG(discount=jk,ideal=retrieved)@10", ranked, [3, 3, 3, 3]) == pytest.approx(
        0.88, abs=5e-3
    )


def test_precision_and_recall_with_twenty_relevant():
    ranked, judged = at(1, 3, 4, 5, 6, 7, 9, of=10), [1] * 20
    relevant_counts = [1, 1, 2, 3, 4, 5, 6, 6, 7, 7]
    assert curve("P", ranked, judged, upto=10) == pytest.approx(
        [n / k for k, n in enumerate(relevant_counts, 1)]
    )
    assert round_values(curve("P", ranked, judged, upto=10), 2) == [
        1,
        0.5,
        0.67,
        0.75,
        0.8,
        0.83,
        0.86,
        0.75,
        0.78,
        0.7,
    ]
    assert round_values(curve("R", ranked, judged, upto=10), 2) == [
        0.05,
        0.05,
        0.1,
        0.15,
        0.2,
        0.25,
        0.3,
        0.3,
        0.35,
        0.35,
    ]


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        # (1/1 + 2/3 + 3/4 + 4/5 + 5/6 + 6/7 + 7/9 + 8/11 + 9/14 + 10/20) / 10 = 7.555 / 10
        ((1, 3, 4, 5, 6, 7, 9, 11, 14, 20), 0.76),
        (range(1, 11), 1.0),
        # (1/11 + 2/12 + … + 10/20) / 10
        (range(11, 21), 0.33),
        # ranks 2 and 3 are exchanged: 2/2 instead of 2/3
        ((1, 2, 4, 5, 6, 7, 9, 11, 14, 20), 0.79),
        # ranks 8 and 9 are exchanged: 7/8 instead of 7/9
        ((1, 3, 4, 5, 6, 7, 8, 11, 14, 20), 0.77),
    ],
)
def test_average_precision_rewards_the_top(ranks, expected):
    assert value("AP", at(*ranks), [1] * 10) == pytest.approx(expected, abs=5e-3)


def test_discounted_cumulative_gain_rank_by_rank():
    ranked = [4, 3, 4, 2, 0, 0, 0, 1, 1, 0]
    expected = [4, 7, 9.52, 10.52, 10.52, 10.52, 10.52, 10.86, 11.17, 11.17]
    assert round_values(curve("DCG(discount=jk)", ranked, upto=10), 2) == expected
    assert value("DCG(discount=jk)@10", [3, *ranked[1:]]) == pytest.approx(10.17, abs=5e-3)
    assert value("DCG(discount=jk)@10", [*ranked[:9], 3]) == pytest.approx(
        12.08, abs=5e-3
    )  # + 3/3.3219


def test_average_precision_divided_by_all_or_by_retrieved_relevant_documents():
    # 1/1 + 2/2 + 3/5 + 4/10 + 5/20 = 3.25
    ranked, judged = at(1, 2, 5, 10, 20), [1] * 6
    assert value("AP", ranked, judged) == pytest.approx(3.25 / 6)
    assert value("AP(norm=retrieved)", ranked, judged) == pytest.approx(3.25 / 5)
    # the first three only: 2.6 over min(6, 5)
    assert value("AP(norm=cutoff)@5", ranked, judged) == pytest.approx(2.6 / 5)
    assert value("AP@5", ranked, judged) == pytest.approx(2.6 / 6)


@pytest.mark.parametrize("rule", ["max", "window"])
def test_interpolated_precision_of_three_relevant(rule):
    # precisions 1/3, 2/8, 3/15 at recall 1/3, 2/3, 1
    ranked = at(3, 8, 15)
    values = [value(f"IPrec(rule={rule})@{level / 10}", ranked) for level in range(11)]
    assert values == pytest.approx([1 / 3] * 4 + [2 / 8] * 3 + [3 / 15] * 4)


def test_interpolated_precision_when_precision_rises():
    ranked = at(*range(11, 21))
    assert value("IPrec(rule=max)@.1", ranked) == pytest.approx(10 / 20)
    assert value("IPrec(rule=window)@.1", ranked) == pytest.approx(1 / 11)


def test_a_recall_level_is_an_exact_decimal():
    # .07 · 100 is 7.000000000000001 in doubles, and .55 · 100 is 55.00000000000001: 7 and 55 of 100
    # do reach these levels
    assert value("IPrec@.07", at(*range(1, 8)), [1] * 100) == 1
    assert value("IPrec@.55", at(*range(1, 56)), [1] * 100) == 1
    # .29 · 100 is 28.999999999999996 in doubles: 28 do not reach it, 29 do
    assert value("IPrec@.29", at(*range(1, 29)), [1] * 100) == 0
    assert value("IPrec@.29", at(*range(1, 30)), [1] * 100) == 1


def test_binary_preference_passes_over_unjudged_documents():
    ranked = [0, 1, None, None, 1, 0, 1, 0, 0, 0]
    # 1, 1 and 2 judged non-relevant documents rank above them; min(R, N) = min(3, 5)
    assert value("Bpref", ranked) == pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 3)


def test_set_measures_averaged_over_topics_and_over_documents():
    one = JudgedRun.single(ranked=[1] * 40 + [0] * 40, judged=[1] * 100)
    two = JudgedRun.single(ranked=[1] * 24 + [0] * 6, judged=[1] * 50)

    def values(name: str) -> np.ndarray:
        return np.array([parse_measure_name(name)[0].compute(each)[0] for each in (one, two)])

    assert values("SetP").mean() == pytest.approx((40 / 80 + 24 / 30) / 2) == 0.65
    assert values("SetR").mean() == pytest.approx((40 / 100 + 24 / 50) / 2) == 0.44
    assert values("NumRelRet").sum() / values("NumRet").sum() == pytest.approx(64 / 110)
    assert values("NumRelRet").sum() / values("NumRel").sum() == pytest.approx(64 / 150)


def test_the_mean_of_two_average_precisions():
    # (1/1 + 2/2 + 3/4 + 4/7) / 4 and (1/1 + 2/3 + 3/5) / 5
    both = value("AP", at(1, 2, 4, 7)), value("AP", at(1, 3, 5), [1] * 5)
    assert round_values(both, 2) == [0.83, 0.45]
    assert np.mean(both) == pytest.approx(0.64, abs=5e-3)


def test_mean_reciprocal_ranks_are_those_worked_by_hand():
    assert np.mean([value("RR", at(2)), value("RR", at(4))]) == pytest.approx(3 / 8)
    assert np.mean([value("RR", at(rank)) for rank in (3, 2, 1)]) == pytest.approx(11 / 18)


def test_binary_measures_of_the_textbook_query():
    ranked, judged = [GRADES1.get(document) for document in Q1], list(GRADES1.values())
    assert [value(name, ranked, judged) for name in ("P@5", "P@10", "Rprec")] == pytest.approx(
        [0.4, 0.4, 0.4]
    )
    assert value("AP", ranked, judged) == pytest.approx((1 + 2 / 3 + 3 / 6 + 4 / 10 + 5 / 15) / 10)
    levels = [value(f"IPrec@{level / 10}", ranked, judged) for level in range(11)]
    assert levels == pytest.approx([1, 1, 2 / 3, 3 / 6, 4 / 10, 5 / 15, 0, 0, 0, 0, 0])


def test_gain_curves_of_the_textbook_queries():
    one, two = [GRADES1.get(each) for each in Q1], [GRADES2.get(each) for each in Q2]
    assert [grade or 0 for grade in one] == [1, 0, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3]
    assert curve("CG", one) == [1, 1, 2, 2, 2, 5, 5, 5, 5, 7, 7, 7, 7, 7, 10]
    assert curve("CG", two) == [0, 0, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 6]
    expected = [1.0, 1.0, 1.6, 1.6, 1.6, 2.8, 2.8, 2.8, 2.8, 3.4, 3.4, 3.4, 3.4, 3.4, 4.2]
    assert round_values(curve("DCG(discount=jk)", one), 1) == expected
    assert round_values(curve("DCG(discount=jk)", two), 1) == [0, 0] + [1.3] * 5 + [1.6] * 7 + [2.4]
    average = (np.array(curve("CG", one)) + curve("CG", two)) / 2
    assert average.tolist() == [0.5, 0.5, 2, 2, 2, 3.5, 3.5, 4, 4, 5, 5, 5, 5, 5, 8]


def ideal(grades: dict[str, int]) -> list[int]:
    return sorted(grades.values(), reverse=True) + [0] * 15


def test_ideal_gain_curves_of_the_textbook_queries():
    one, two = ideal(GRADES1), ideal(GRADES2)
    assert curve("CG", one, upto=11) == [3, 6, 9, 11, 13, 15, 16, 17, 18, 19, 19]
    assert curve("CG", two, upto=4) == [3, 5, 6, 6]
    assert round_values(curve("DCG(discount=jk)", one, upto=11), 1) == [
        3.0,
        6.0,
        7.9,
        8.9,
        9.8,
        10.5,
        10.9,
        11.2,
        11.5,
        11.8,
        11.8,
    ]
    assert round_values(curve("DCG(discount=jk)", two, upto=4), 1) == [3.0, 5.0, 5.6, 5.6]
    average = (np.array(curve("DCG(discount=jk)", one)) + curve("DCG(discount=jk)", two)) / 2
    assert round_values(average[:10], 1) == [3.0, 5.5, 6.8, 7.3, 7.7, 8.1, 8.3, 8.4, 8.6, 8.7]


def test_ratios_of_mean_curves_of_the_textbook_queries():
    def ratio(name: str) -> np.ndarray:
        one = [GRADES1.get(each) for each in Q1], ideal(GRADES1)
        two = [GRADES2.get(each) for each in Q2], ideal(GRADES2)
        reached, best = (
            np.array(curve(name, one[position])) + curve(name, two[position]) for position in (0, 1)
        )
        return reached / best

    gain, discounted = ratio("CG"), ratio("DCG(discount=jk)")
    assert round_values(gain, 2) == [
        0.17,
        0.09,
        0.27,
        0.24,
        0.21,
        0.33,
        0.32,
        0.35,
        0.33,
        0.4,
        0.4,
        0.4,
        0.4,
        0.4,
        0.64,
    ]
    assert round_values(discounted, 2) == [
        0.17,
        0.09,
        0.21,
        0.2,
        0.19,
        0.25,
        0.25,
        0.26,
        0.26,
        0.29,
        0.29,
        0.29,
        0.29,
        0.29,
        0.37,
    ]
    assert (gain.mean(), discounted.mean()) == pytest.approx((0.3295, 0.2448), abs=5e-5)


def test_the_ideal_ranking_is_of_judged_documents_retrieved_or_not():
    ranked, judged = [GRADES1.get(each) for each in Q1], list(GRADES1.values())
    best = value("DCG@15", ideal(GRADES1))
    assert value("nDCG@15", ranked, judged) == pytest.approx(value("DCG@15", ranked) / best)


def test_the_discounted_gain_of_an_ideal_ranking():
    # 4 + 4/log2 2 + 3/log2 3
    assert round_values(curve("DCG(discount=jk)", [4, 4, 3, 0, 0], upto=3), 2) == [4, 8, 9.89]


def test_the_limits_of_the_f_measure_are_precision_and_recall():
    ranked, judged = [1, 0, 0, 1], [1] * 5
    precision, recall = 2 / 4, 2 / 5
    assert value("SetF", ranked, judged) == pytest.approx(
        2 * precision * recall / (precision + recall)
    )
    assert value("SetF(beta=0)", ranked, judged) == pytest.approx(precision)
    assert value("SetF(beta=1e6)", ranked, judged) == pytest.approx(recall)
    # trec_eval's x is beta²: (1 + .5)·P·R / (.5·P + R)
    assert value("set_F.0.5", ranked, judged) == pytest.approx(
        1.5 * precision * recall / (0.5 * precision + recall)
    )


def test_short_lists_are_divided_as_each_measure_says():
    ranked = [1, None, 1]
    assert value("P@5", ranked) == pytest.approx(2 / 5)
    assert value("SetP@5", ranked) == pytest.approx(2 / 3)
    assert value("Judged@5", ranked) == pytest.approx(2 / 3)
    assert value("Unjudged@5", ranked) == pytest.approx(1 / 5)


def test_exponential_gain():
    # (2^2 − 1)/log2 2 + (2^1 − 1)/log2 4 = 3.5, of the best: 3/1 + 1/log2 3
    assert value("DCG(gain=exp2)", [2, 0, 1]) == pytest.approx(3.5)
    assert value("ndcg_burges", [2, 0, 1]) == pytest.approx(3.5 / (3 + 1 / np.log2(3)))


def test_negative_grades_are_neither_judged_nor_relevant_nor_gains():
    ranked = [-2, -1, 1]
    assert [
        value(name, ranked) for name in ("AP", "CG", "NumJudgedRet", "Judged@3", "Bpref")
    ] == pytest.approx([1 / 3, 1, 1, 1 / 3, 1])

"""Tests of further measures of trec_eval, with values worked by hand."""

import math

import pytest

from irjudge.errors import MeasureError
from irjudge.metrics import JudgedRun, parse_measure_name

# R = 4 relevant of 7 judged; found at ranks 2 and 4 of 5.
BINARY = [0, 1, None, 1, 0], [1, 1, 1, 1, 0, 0, 0]
# Gains 1 2 0 3 of an ideal 3 2 1 1; one document of grade 1 is not found.
GRADED = [1, 2, None, 3], [3, 2, 1, 1, 0]


def value(name: str, ranked, judged=(), **options) -> float:
    (measure,) = parse_measure_name(name)
    return float(measure.compute(JudgedRun.single(ranked=ranked, judged=judged, **options))[0])


def log2(number: float) -> float:
    return math.log2(number)


def test_counts_of_judged_documents():
    assert value("num_nonrel_judged_ret", *BINARY) == 2
    assert value("NumNonrelJudgedRet@4", *BINARY) == 1
    # one of the top 4 is unjudged
    assert value("unj_4", *BINARY) == 1 / 4
    assert value("unj_10", *BINARY) == 1 / 10


def test_relative_precision_is_a_share_of_the_possible():
    assert [value(f"relative_P_{k}", *BINARY) for k in (1, 2, 3, 5, 100)] == [
        0,
        1 / 2,
        1 / 3,
        2 / 4,
        2 / 4,
    ]
    assert value("set_relative_P", *BINARY) == 2 / 4
    assert value("set_relative_P", [1, 0, 0], [1] * 9) == 1 / 3
    assert value("set_relative_P", [0], [0]) == value("relative_P_5", [0], [0]) == 0


def test_set_average_precision_is_precision_times_recall():
    assert value("set_map", *BINARY) == pytest.approx(2 / 5 * 2 / 4)


def test_precision_at_multiples_of_r():
    # floor(4x + .9): .5 gives 2, .3 (2.1) gives 2, .26 (1.94) gives 1, 2 gives 8
    assert [value(f"Rprec_mult_{x}", *BINARY) for x in ("0.5", "0.3", "0.26", "2", "0")] == [
        1 / 2,
        1 / 2,
        0,
        2 / 8,
        0,
    ]
    # .7 · 3 + .9 is 3, exactly; in doubles, as trec_eval computes it, it is 2.9999999999999996
    assert value("Rprec_mult_0.7", [1, 1, 0], [1, 1, 1]) == 2 / 3
    assert value("RprecMult(rule=trec9)@0.7", [1, 1, 0], [1, 1, 1]) == 1


def test_utility_weighs_four_kinds_of_documents():
    # 2 found, 3 others retrieved, 2 missed
    assert value("utility", *BINARY) == 2 - 3
    assert value("utility.2,-1,0,0", *BINARY) == 4 - 3
    assert value("Utility(a=1,b=-.5,c=-2)", *BINARY) == 2 - 1.5 - 4
    # of 100 documents 7 were retrieved or are relevant
    assert value("Utility(a=0,b=0,c=0,d=.1,universe=100)", *BINARY) == pytest.approx(9.3)
    with pytest.raises(MeasureError) as error:
        value("Utility(d=1,universe=6)", *BINARY)
    assert error.value.values["universe"] == "6"
    assert error.value.values["documents"] == "7"
    assert value("Utility(d=1,universe=7)", *BINARY) == -1


def test_eleven_point_average_precision():
    # precision 1/2 at recall 1/4, 2/4 at recall 2/4, nothing beyond: .5 at the six levels 0 to .5
    assert value("11pt_avg", *BINARY) == pytest.approx(6 * 0.5 / 11)
    assert value("11pt_avg..25,.5,.75", *BINARY) == pytest.approx(2 * 0.5 / 3)
    assert value("11ptAP(levels=.5/.5/1)", *BINARY) == pytest.approx(2 * 0.5 / 3)


def test_the_rules_of_trec_eval_reach_a_level_with_fewer_documents():
    # 3 relevant at 3, 8, 15. Recall .4 is 1.2 of them: 2, floor(2.1) = 2, round(1.2) = 1. Recall
    # .7: 3, 2 (2.99…96 in
    # doubles), 2. Recall .8: 3, 3, 2.
    ranked = [int(rank in (3, 8, 15)) for rank in range(1, 16)]
    levels = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    by_rule = {
        rule: [value(f"IPrec(rule={rule})@{x}", ranked) for x in levels]
        for rule in ("max", "trec9", "trec10")
    }
    one, two, three = 1 / 3, 2 / 8, 3 / 15
    assert by_rule["max"] == [one, two, two, two, three, three, three]
    assert by_rule["trec9"] == [one, two, two, two, two, three, three]
    assert by_rule["trec10"] == [one, one, two, two, two, two, three]
    # 11 relevant, recall .1 is 1.1 of them: 2, floor(2.0) = 2, round(1.1) = 1; recall .55 is 6.05:
    # 7, floor(6.95) = 6, 6
    ranked = [1] + [0, 1] * 10
    assert [value(f"IPrec(rule={rule})@.1", ranked) for rule in by_rule] == [2 / 3, 2 / 3, 1]
    assert [value(f"IPrec(rule={rule})@.55", ranked) for rule in by_rule] == pytest.approx(
        [7 / 13, 6 / 11, 6 / 11]
    )
    # half a document is rounded up: .5 of 1 and of 3
    assert value("IPrec(rule=trec10)@.5", [0, 1]) == 1 / 2
    assert value("IPrec(rule=trec10)@.5", [1, 0, 0], [1, 1, 1]) == 0


def test_binary_g():
    # one non-relevant above the first, two above the second
    assert value("binG", *BINARY) == pytest.approx((1 / log2(3) + 1 / log2(4)) / 4)


def test_g():
    # Ideal so far: 3, 5, 6, 7; found so far: 1, 3, 3, 6. The ranking is behind by 2, 2, 3, 1.
    assert value("G", *GRADED) == pytest.approx((1 / log2(4) + 2 / log2(4) + 3 / log2(3)) / 7)
    # Beyond the ideal ranking each rank costs 1: 1 + 1 + 1 - 1 = 2
    assert value("G", [0, 0, 1]) == pytest.approx(1 / log2(4))
    # an ideal list is never behind
    assert value("G", [3, 2, 1, 1, 0]) == 1


def test_g_with_its_own_gains():
    # Grade 2 gains 9, grade 4 gains 4.5: ideal so far 9, 13.5; found so far 4.5, 13.5
    assert value("G.2=9,4=4.5", [4, 2]) == pytest.approx((4.5 / log2(6.5) + 9 / log2(2)) / 13.5)
    # a rank costs 1 where the ideal gain is less: 1 + 1 - .5 = 1.5
    assert value("G.1=.5", [0, 1]) == pytest.approx(0.5 / log2(3.5) / 0.5)


def dcg(*gains: float) -> float:
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains, 1))


def test_ndcg_averaged_over_relevant_documents():
    # gaining documents at 1, 2 and 4; the fourth was not found and counts with the whole list
    points = [dcg(1) / dcg(3), dcg(1, 2) / dcg(3, 2), dcg(1, 2, 0, 3) / dcg(3, 2, 1, 1)]
    assert value("ndcg_rel", *GRADED) == pytest.approx((sum(points) + points[2]) / 4)
    # beyond the ideal ranking, its DCG stays the same
    assert value("ndcg_rel", [0, 0, 1]) == pytest.approx(dcg(0, 0, 1) / dcg(1))


def test_ndcg_averaged_over_levels_of_gain():
    # the levels of the ideal 3 | 2 | 1 1 end at 1, 2 and 4; the list has fewer than 6 documents
    levels = [dcg(1) / dcg(3), dcg(1, 2) / dcg(3, 2), dcg(1, 2, 0, 3) / dcg(3, 2, 1, 1)]
    assert value("Rndcg", *GRADED) == pytest.approx(sum(levels) / 3)
    # with 5 documents nothing changes; with 6 the whole list is a point of its own
    ranked, judged = GRADED
    assert value("Rndcg", [*ranked, 1], judged) == pytest.approx(sum(levels) / 3)
    whole = dcg(*(grade or 0 for grade in ranked), 0, 1) / dcg(3, 2, 1, 1)
    assert value("Rndcg", [*ranked, 0, 1], judged) == pytest.approx((sum(levels) + whole) / 4)
    # two grades with the same gain are one level
    assert value("Rndcg.2=1", *GRADED) == pytest.approx(
        (dcg(1) / dcg(3) + dcg(1, 1, 0, 3) / dcg(3, 1, 1, 1)) / 2
    )


def test_ndcg_with_its_own_gains():
    # Grade 1 gains 3, grade 2 gains 9, grade 4 gains 4.5, grade 3 gains 3: the best is 2 4 3 1
    ranked, judged = [4, 3, 0, 2], [1, 2, 3, 4]
    assert value("ndcg.1=3,2=9,4=4.5", ranked, judged) == pytest.approx(
        dcg(4.5, 3, 0, 9) / dcg(9, 4.5, 3, 3)
    )
    assert value("CG(gain=1:3/2:9/4:4.5)@2", ranked) == 7.5
    # a gain for grade 0, and none for unjudged and unjudgeable documents
    assert value("CG(gain=0:.5)", [0, None, -1, -2, 1]) == 1.5
    assert value("nDCG(gain=0:.5)", [None, 0], [0, 0]) == pytest.approx(dcg(0, 0.5) / dcg(0.5, 0.5))
    assert value("nDCG(gain=1:0)", [1, 1]) == 0


def test_rank_biased_precision():
    # .5 · (1 + .5² + .5³)
    ranked = [1, 0, 1, 2]
    assert value("RBP(p=.5)", ranked) == pytest.approx(0.5 * (1 + 0.25 + 0.125))
    assert value("RBP(p=.5,rel=2)", ranked) == 0.5 * 0.125
    assert value("RBP(p=.5)@3", ranked) == pytest.approx(0.5 * 1.25)
    # of the scale's highest grade 4; of the topic's highest 2
    assert value("RBP(p=.5,gain=graded)", ranked, highest=4) == pytest.approx(
        0.5 * (1 / 4 + 0.25 / 4 + 0.125 * 2 / 4)
    )
    assert value("RBP(p=.5,gain=topic)", ranked, highest=4) == pytest.approx(
        0.5 * (1 / 2 + 0.25 / 2 + 0.125)
    )
    assert value("RBP(p=.5,gain=graded)", ranked) == value("RBP(p=.5,gain=topic)", ranked)
    # graded gains need no lowest relevant grade
    assert value("RBP(p=.5,gain=topic,rel=2)", ranked) == value("RBP(p=.5,gain=topic)", ranked)
    assert value("RBP(gain=topic)", [0]) == value("RBP(gain=graded)", []) == 0
    assert value("RBP(p=0)", [1, 1]) == 1


def test_the_residual_is_what_unjudged_documents_could_add():
    # rank 2 is unjudged, and all from rank 4 on: .5 · .5 + .5³
    ranked = [1, None, 0]
    assert value("RBPResid(p=.5)", ranked) == pytest.approx(0.25 + 0.125)
    assert value("RBPResid(p=.5)@1", ranked) == 0.5
    all_relevant = value("RBP(p=.5)", [1, 1, 0] + [1] * 60)
    assert value("RBP(p=.5)", ranked) + value("RBPResid(p=.5)", ranked) == pytest.approx(
        all_relevant
    )
    assert value("RBPResid(p=.5)", []) == 1


def test_the_residual_of_trec_eval_is_0_where_no_unjudged_document_is_retrieved():
    assert value("RBPResid(p=.5,rule=trec10)", [1, None, 0]) == pytest.approx(0.25 + 0.125)
    assert value("RBPResid(p=.5)", [1, 0]) == 0.25
    assert value("RBPResid(p=.5,rule=trec10)", [1, 0]) == 0
    assert value("RBPResid(p=.5,rule=trec10)", []) == 0


def test_yet_another_average_precision():
    # S = 1/2 + 2/4 = 1: ln((1 + 1) / (1 + 4 - 1))
    assert value("yaap", *BINARY) == pytest.approx(math.log(2 / 4))
    assert value("yaap", [1, 1]) == pytest.approx(math.log(3))
    assert value("yaap", [0]) == 0


def test_inferred_average_precision():
    # At rank 2: 1/2 + 1/2 · 1/1 · ε/(1 + 2ε). At rank 4, where two of three above are pooled: 1/4 +
    # 3/4 · 2/3 · (1 + ε)/(2 + 2ε)
    eps = 1e-5
    second = 1 / 2 + 1 / 2 * eps / (1 + 2 * eps)
    fourth = 1 / 4 + 3 / 4 * 2 / 3 * (1 + eps) / (2 + 2 * eps)
    assert value("infAP", *BINARY) == pytest.approx((second + fourth) / 4)
    # a pooled document without a grade is pooled, and as often relevant as the judged ones
    fourth = 1 / 4 + 3 / 4 * 3 / 3 * (1 + eps) / (2 + 2 * eps)
    assert value("infAP", [0, 1, -1, 1, 0], BINARY[1]) == pytest.approx((second + fourth) / 4)


def test_a_complete_pool_makes_inferred_average_precision_average_precision():
    ranked = [0, 1, 1, 0, 1]
    assert value("infAP", ranked) == pytest.approx(value("AP", ranked), abs=1e-5)


def test_a_small_topic_prints_what_trec_eval_10_prints():
    # d1 1, d2 -1, d3 0, d4 1, d5 not in the qrels, d6 -1, d7 1, d8 0, d9 -1, d10 1; x1 1 was not
    # retrieved.
    # Printed by trec_eval 10.0, built from its sources, for these ten documents in this order.
    ranked, judged = [1, -1, 0, 1, None, -1, 1, 0, -1, 1], [1, 1, 1, 1, 1, 0, 0]
    printed = {
        "infAP": 0.5648,
        "bpref": 0.4,
        "map": 0.4657,
        "RBP(p=.9)": 0.2648,
        "rbp_resid": 0.6064,
        "unj_5": 0.4,
        "unj_10": 0.4,
        "unj_20": 0.2,
    }
    assert {name: round(value(name, ranked, judged), 4) for name in printed} == printed

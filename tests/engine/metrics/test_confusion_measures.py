"""Tests of confusion-matrix measures, F, E and the break-even point, worked by hand."""

import numpy as np
import pytest

from irjudge.errors import MeasureError
from irjudge.metrics import JudgedRun, list_measures, make_measure, parse_measure_name
from irjudge.metrics.counts import confusion_cells

# 4 of 100 documents are relevant. 5 are retrieved: relevant, judged not, unjudged, relevant, judged
# not.
# TP = 2, FP = 3, FN = 2, TN = 100 − 7 = 93. 4 + 3 documents are judged: FP = 2, TN = 1.
RUN = JudgedRun.single(ranked=[1, 0, None, 1, 0], judged=[1, 1, 1, 1, 0, 0, 0])


def value(name: str, judged: JudgedRun = RUN) -> float:
    (measure,) = parse_measure_name(name)
    return float(measure.compute(judged)[0])


def at(*ranks: int, of: int = 0) -> list[int]:
    return [int(rank in ranks) for rank in range(1, max(*ranks, of) + 1)]


def test_the_four_cells_add_up_to_the_universe():
    assert [float(each[0]) for each in confusion_cells(RUN, rel=1, universe=100)] == [2, 3, 2, 93]
    assert [float(each[0]) for each in confusion_cells(RUN, rel=1, universe="judged")] == [
        2,
        2,
        2,
        1,
    ]
    assert [value(name) for name in ("TP", "FP", "FN", "TN(universe=100)")] == [2, 3, 2, 93]
    assert [
        value(name) for name in ("FP(universe=judged)", "TN(universe=judged)", "FP(universe=100)")
    ] == [2, 1, 3]
    # of the top 3: the first is right, two are not, three relevant ones are missed
    assert [value(name) for name in ("TP@3", "FP@3", "FN@3", "TN(universe=100)@3")] == [1, 2, 3, 94]
    assert [value(name) for name in ("TP(rel=2)", "FN(rel=2)")] == [0, 0]


def test_ratios_of_the_matrix_are_those_worked_by_hand():
    assert value("TNR(universe=100)") == pytest.approx(93 / 96)
    assert value("FPR(universe=100)") == pytest.approx(3 / 96)
    assert value("NPV(universe=100)") == pytest.approx(93 / 95)
    assert value("FOR(universe=100)") == pytest.approx(2 / 95)
    assert value("FDR") == pytest.approx(3 / 5)
    assert value("FDR(universe=judged)") == pytest.approx(2 / 4)
    assert value("FNR") == pytest.approx(2 / 4)
    assert value("ACC(universe=100)") == pytest.approx(95 / 100)
    assert value("BACC(universe=100)") == pytest.approx((2 / 4 + 93 / 96) / 2)
    # (2·93 − 3·2) / √(5 · 4 · 96 · 95) = 180 / √182,400
    assert value("MCC(universe=100)") == pytest.approx(180 / 182_400**0.5)
    assert value("MCC(universe=judged)") == pytest.approx((2 * 1 - 2 * 2) / (4 * 4 * 3 * 3) ** 0.5)


def test_nothing_retrieved_of_a_thousand_documents_with_five_relevant():
    nothing = JudgedRun.single(ranked=[], judged=[1] * 5)
    assert value("ACC(universe=1000)", nothing) == 0.995
    assert [value(name, nothing) for name in ("SetP", "SetR", "SetF", "F@10", "SetMeanPR")] == [
        0,
        0,
        0,
        0,
        0,
    ]


def test_every_ratio_is_0_where_its_own_denominator_is_0():
    nothing = JudgedRun.single(ranked=[])
    assert [value(name, nothing) for name in ("FDR", "FNR", "SetMeanPR", "BEP", "F@1")] == [0] * 5
    names = ("TNR", "FPR", "NPV", "FOR", "ACC", "BACC", "MCC", "APmin")
    assert [value(f"{name}(universe=judged)", nothing) for name in names] == [0] * 8
    # FDR is not 1 − P: nothing retrieved means nothing wrong; E is 1 − F there.
    assert value("SetE", nothing) == 1
    everything = JudgedRun.single(ranked=[1, 1])
    assert [
        value(f"{name}(universe=judged)", everything)
        for name in ("TNR", "FPR", "NPV", "FOR", "MCC")
    ] == [0] * 5
    assert value("BACC(universe=judged)", everything) == 0.5


def test_the_micro_average_adds_up_the_cells():
    (measure,) = parse_measure_name("TNR(universe=100)")
    counts = measure.declaration.micro.counts(RUN, **measure.values)
    assert measure.declaration.micro.formula(*(2 * each for each in counts)) == pytest.approx(
        93 / 96
    )


def test_true_negatives_are_refused_without_a_universe():
    needing = ("TN", "TNR", "FPR", "NPV", "FOR", "ACC", "BACC", "MCC", "APmin")
    for name in needing:
        with pytest.raises(MeasureError) as error:
            parse_measure_name(name)
        assert error.value.key == "missing-parameter"
        assert error.value.values["text"] == name
        assert error.value.values["example"] == f"{name}(universe=judged)"
    assert {
        each.name
        for each in list_measures()
        if any(every.name == "universe" and every.required for every in each.parameters)
    } == {*needing}


def test_a_universe_is_a_word_or_a_number():
    assert [measure.name for measure in parse_measure_name("TN(universe=Judged)@5,10")] == [
        "TN(universe=judged)@5",
        "TN(universe=judged)@10",
    ]
    assert parse_measure_name("FPR(universe=1400)")[0].values["universe"] == 1400
    for invalid in ("world", "0", "-3", "1.5"):
        with pytest.raises(MeasureError, match="universe must be"):
            parse_measure_name(f"TN(universe={invalid})")
    for invalid in (True, 0.5, "world"):
        with pytest.raises(MeasureError) as error:
            make_measure(parse_measure_name("TN(universe=judged)")[0].declaration, universe=invalid)
        assert error.value.values["parameter"] == "universe"
        assert error.value.key == "wrong-kind"
        assert error.value.values["value"] == repr(invalid)


def test_a_collection_must_be_known_and_large_enough():
    with pytest.raises(MeasureError) as error:
        value("TN(universe=collection)")
    assert error.value.key == "no-collection-size"
    known = JudgedRun(*(getattr(RUN, name) for name in list(RUN.__slots__)[:7]), collection=100)
    assert value("TN(universe=collection)", known) == 93
    with pytest.raises(MeasureError) as error:
        value("TN(universe=6)")
    assert error.value.values["universe"] == "6"
    assert error.value.values["documents"] == "7"
    assert value("TN(universe=7)") == 0
    with pytest.raises(MeasureError) as error:
        value("APmin(universe=3)")
    assert error.value.values["universe"] == "3"
    assert error.value.values["documents"] == "4"


def test_f_at_each_rank_with_twenty_relevant_documents():
    judged = JudgedRun.single(ranked=at(1, 3, 4, 5, 6, 7, 9, of=10), judged=[1] * 20)
    relevant_counts = [1, 1, 2, 3, 4, 5, 6, 6, 7, 7]
    for k, n in enumerate(relevant_counts, 1):
        precision, recall = n / k, n / 20
        assert value(f"F@{k}", judged) == pytest.approx(
            2 * precision * recall / (precision + recall)
        )
        # b = 2: recall weighs four times as much
        assert value(f"E(beta=2)@{k}", judged) == pytest.approx(
            1 - 5 * precision * recall / (4 * precision + recall)
        )


def test_e_with_extreme_beta_is_1_minus_precision_or_recall():
    # P@4 = 2/4, R@4 = 2/4; P@5 = 2/5
    assert value("E@4") == pytest.approx(1 - value("F@4"))
    assert value("E(beta=0)@5") == pytest.approx(1 - 2 / 5)
    assert value("E(beta=1e6)@5") == pytest.approx(1 - 2 / 4)
    assert value("SetE(beta=0)") == pytest.approx(1 - 2 / 5)
    assert value("SetE(beta=1e6)") == pytest.approx(1 - 2 / 4)
    assert value("SetE") == pytest.approx(1 - value("SetF"))


def test_alpha_and_beta_are_equivalent():
    # beta = 2 is alpha = 1 / (1 + 4)
    assert value("F(alpha=0.2)@5") == pytest.approx(value("F(beta=2)@5"))
    assert value("F(alpha=0)@5") == pytest.approx(2 / 4)
    assert value("F(alpha=1)@5") == pytest.approx(2 / 5)
    with pytest.raises(
        MeasureError,
        match=r"^Give beta or alpha = 1 / \(1 \+ beta²\), not both: got beta=2 and alpha=0\.2\.$",
    ):
        value("SetE(beta=2,alpha=0.2)")


def test_names_of_other_programs_are_accepted():
    assert [
        parse_measure_name(name)[0].name
        for name in ("f1@10", "specificity(universe=100)", "fallout(universe=100)", "F_5")
    ] == [
        "F@10",
        "TNR(universe=100)",
        "FPR(universe=100)",
        "F@5",
    ]


def test_the_arithmetic_mean_rewards_retrieving_everything():
    everything = JudgedRun.single(ranked=[1] + [0] * 99)
    # P = 1/100 and R = 1
    assert value("SetMeanPR", everything) == pytest.approx((0.01 + 1) / 2)
    assert value("SetF", everything) == pytest.approx(2 * 0.01 / 1.01)
    assert value("SetAP", everything) == pytest.approx(0.01)


def test_the_break_even_point_is_where_the_interpolated_curve_meets_the_diagonal():
    # points (.1, 1), (.2, 2/3), (.3, 3/6), (.4, 4/10), (.5, 5/15): the curve is .4 high from recall
    # .3 to .4
    textbook = JudgedRun.single(ranked=at(1, 3, 6, 10, 15), judged=[1] * 10)
    assert value("BEP", textbook) == pytest.approx(0.4) == value("Rprec", textbook)
    # points (1/3, 1/3), (2/3, 2/8), (1, 3/15): at recall 1/3 the curve falls from 1/3 to 1/4
    assert value("BEP", JudgedRun.single(ranked=at(3, 8, 15))) == pytest.approx(1 / 3)
    # points (1/4, 1/2), (2/4, 2/3), (3/4, 3/4) with R = 4: R-precision is 3/4 too
    assert value("BEP", JudgedRun.single(ranked=[0, 1, 1, 1], judged=[1] * 4)) == pytest.approx(
        0.75
    )
    # R = 2; points (1/2, 1/3), (1, 2/4): the curve is 1/2 high everywhere, R-precision is 0
    late = JudgedRun.single(ranked=[0, 0, 1, 1])
    assert value("BEP", late) == pytest.approx(0.5)
    assert value("Rprec", late) == 0


def test_the_lowest_average_precision_is_that_worked_by_hand():
    # 2 relevant below 2 others: (1/3 + 2/4) / 2; below 98 others: (1/99 + 2/100) / 2
    judged = JudgedRun.single(ranked=[1], judged=[1, 1, 0, 0])
    assert value("APmin(universe=judged)", judged) == pytest.approx((1 / 3 + 2 / 4) / 2)
    assert value("APmin(universe=100)", judged) == pytest.approx((1 / 99 + 2 / 100) / 2)
    worst = JudgedRun.single(ranked=[0, 0, 1, 1])
    assert value("APmin(universe=judged)", worst) == pytest.approx(value("AP", worst))
    assert value("APmin(universe=judged)", JudgedRun.single(ranked=[1, 1])) == 1


def test_counts_are_whole_numbers_of_any_size():
    large = JudgedRun.single(ranked=[1], judged=[1, 1])
    assert value("MCC(universe=2000000000)", large) == pytest.approx((0.5 * 1) ** 0.5, rel=1e-6)
    assert np.isfinite(value("TNR(universe=2000000000)", large))

"""Tests of precision-recall and gain curves and their areas, worked by hand and from a textbook."""

import numpy as np
import pytest

from irjudge.errors import MeasureError
from irjudge.evaluation import parse_measures
from irjudge.evaluation.table import summarise
from irjudge.metrics import (
    JudgedRun,
    gain_curves,
    parse_measure_name,
    precision_recall_levels,
    precision_recall_steps,
    topic_gain_curves,
)

# Two queries of a textbook (Baeza-Yates and Ribeiro-Neto, Modern Information Retrieval): the grade
# at each of 15 ranks.
G1 = [1, 0, 1, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 0, 3]
G2 = [0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3]
JUDGED1, JUDGED2 = [3, 3, 3, 2, 2, 2, 1, 1, 1, 1], [3, 2, 1]


def join_topics(*topics: tuple[list[int], list[int]]) -> JudgedRun:
    singles = [JudgedRun.single(ranked=ranked, judged=judged) for ranked, judged in topics]
    return JudgedRun(
        tuple(map(str, range(len(topics)))),
        np.concatenate([each.hit_topic + index for index, each in enumerate(singles)]).astype(
            np.int32
        ),
        np.concatenate([each.hit_rank for each in singles]),
        np.concatenate([each.hit_grade for each in singles]),
        np.concatenate([each.n_retrieved for each in singles]),
        np.cumsum([0, *(len(each.judged_grades) for each in singles)]),
        np.concatenate([each.judged_grades for each in singles]),
    )


TEXTBOOK = join_topics((G1, JUDGED1), (G2, JUDGED2))


def round_values(values, digits: int) -> list[float]:
    return [round(each + 1e-9, digits) for each in np.asarray(values).tolist()]


def test_average_curves_have_the_textbook_values():
    gain, discounted = gain_curves(TEXTBOOK), gain_curves(TEXTBOOK, discount="jk")
    assert gain.rank.tolist() == list(range(1, 16))
    assert gain.gain.tolist() == [0.5, 0.5, 2, 2, 2, 3.5, 3.5, 4, 4, 5, 5, 5, 5, 5, 8]
    assert gain.ideal.tolist() == [
        3,
        5.5,
        7.5,
        8.5,
        9.5,
        10.5,
        11,
        11.5,
        12,
        12.5,
        12.5,
        12.5,
        12.5,
        12.5,
        12.5,
    ]
    # the book averages rounded terms: 1.5 and 2.1 instead of 1.4 and 2.0
    assert round_values(discounted.gain, 1) == [
        0.5,
        0.5,
        1.4,
        1.4,
        1.4,
        2,
        2,
        2.2,
        2.2,
        2.5,
        2.5,
        2.5,
        2.5,
        2.5,
        3.3,
    ]
    assert round_values(discounted.ideal[:10], 1) == [
        3.0,
        5.5,
        6.8,
        7.3,
        7.7,
        8.1,
        8.3,
        8.4,
        8.6,
        8.7,
    ]


def test_curves_of_each_query_have_the_textbook_values():
    reached, ideal = topic_gain_curves(TEXTBOOK)
    assert reached.tolist() == [np.cumsum(G1).tolist(), np.cumsum(G2).tolist()]
    assert ideal[0].tolist() == [3, 6, 9, 11, 13, 15, 16, 17, 18, 19, 19, 19, 19, 19, 19]
    assert ideal[1].tolist() == [3, 5] + [6] * 13
    discounted = topic_gain_curves(TEXTBOOK, discount="jk")
    assert round_values(discounted[0][0], 1) == [
        1.0,
        1.0,
        1.6,
        1.6,
        1.6,
        2.8,
        2.8,
        2.8,
        2.8,
        3.4,
        3.4,
        3.4,
        3.4,
        3.4,
        4.2,
    ]
    assert round_values(discounted[1][0][:11], 1) == [
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


@pytest.mark.parametrize(("cutoff", "value"), [(10, 0.2856), (15, 0.3736)])
def test_ndcg_of_a_run_may_be_mean_dcg_over_mean_ideal_dcg(cutoff: int, value: float) -> None:
    """The book prints .29 and, from rounded terms, .38."""
    plain, ratio = parse_measures(
        [f"nDCG(discount=jk)@{cutoff}", f"nDCG(discount=jk,mean=ratio)@{cutoff}"]
    )
    assert ratio.name == f"nDCG(discount=jk,mean=ratio)@{cutoff}"
    topics = np.stack([each.compute(TEXTBOOK) for each in (plain, ratio)])
    assert topics[0].tolist() == topics[1].tolist()
    summary = summarise([plain, ratio], topics, TEXTBOOK)
    assert summary[1] == pytest.approx(value, abs=5e-5)
    assert summary[1] == gain_curves(TEXTBOOK, discount="jk", mean="ratio").normalised[cutoff - 1]
    assert summary[0] == pytest.approx(topics[0].mean()) and summary[0] != pytest.approx(summary[1])


def test_ratios_of_mean_curves_have_the_textbook_values():
    gain = gain_curves(TEXTBOOK, mean="ratio")
    discounted = gain_curves(TEXTBOOK, discount="jk", mean="ratio")
    assert round_values(gain.normalised, 2) == [
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
    expected = [
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
    assert round_values(discounted.normalised, 2) == expected
    assert (gain.area, discounted.area) == pytest.approx((0.3295, 0.2448), abs=5e-5)


def test_the_mean_of_ratios_is_the_mean_of_the_measure_at_each_rank():
    for name, discount in (("NCG", None), ("nDCG", "log2p1"), ("nDCG(discount=jk)", "jk")):
        curve = gain_curves(TEXTBOOK, depth=20, discount=discount)
        expected = [
            parse_measure_name(f"{name}@{k}")[0].compute(TEXTBOOK).mean() for k in range(1, 21)
        ]
        assert curve.normalised == pytest.approx(expected)
        assert curve.area == pytest.approx(np.mean(expected))
    # rank 1: (1/3 + 0/3) / 2, rank 3: (2/9 + 2/6) / 2
    assert gain_curves(TEXTBOOK).normalised[[0, 2]] == pytest.approx([1 / 6, (2 / 9 + 2 / 6) / 2])


def test_gain_curves_take_the_parameters_of_the_measures():
    for ideal in ("judged", "retrieved"):
        curve = gain_curves(TEXTBOOK, gain="exp2", discount="jk", base=3.0, ideal=ideal, depth=15)
        name = f"nDCG(gain=exp2,discount=jk,base=3,ideal={ideal})@15"
        assert curve.normalised[-1] == pytest.approx(
            parse_measure_name(name)[0].compute(TEXTBOOK).mean()
        )


def test_curves_computed_in_parts_are_the_same(monkeypatch):
    many = join_topics(*([(G1, JUDGED1), (G2, JUDGED2), ([], [1]), ([0], [])] * 5))
    whole = gain_curves(many)
    monkeypatch.setattr("irjudge.metrics.curves.MAX_VALUES_PER_BLOCK", 30)
    parts = gain_curves(many)
    assert np.allclose(parts.normalised, whole.normalised) and np.allclose(parts.gain, whole.gain)
    assert np.allclose(parts.ideal, whole.ideal)


def test_gain_curves_of_an_empty_run_are_empty():
    nothing = gain_curves(JudgedRun.single(ranked=[]))
    assert nothing.gain.tolist() == [] and nothing.area == 0
    assert gain_curves(JudgedRun.single(ranked=[]), depth=2).normalised.tolist() == [0, 0]
    with pytest.raises(MeasureError, match=r"depth .*, got 0"):
        gain_curves(TEXTBOOK, depth=0)


def test_steps_of_precision_over_recall_are_those_worked_by_hand():
    # relevant at 1, 3, 4 and 20 of R = 5; precision 1, 2/3, 3/4, 4/20
    run = join_topics(([0, 1, 1], [1, 1]), ([1, 0, 1, 1] + [0] * 15 + [1], [1] * 5), ([0], [1]))
    steps = precision_recall_steps(run)
    second = steps.topic == 1
    assert steps.recall[second] == pytest.approx([0.2, 0.4, 0.6, 0.8])
    assert steps.precision[second] == pytest.approx([1, 2 / 3, 3 / 4, 4 / 20])
    assert steps.interpolated[second] == pytest.approx([1, 3 / 4, 3 / 4, 4 / 20])
    assert steps.interpolated[steps.topic == 0] == pytest.approx([2 / 3, 2 / 3])
    recall, precision = steps.curve_of_topic(1)
    assert recall == pytest.approx([0, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6, 0.8])
    assert precision == pytest.approx([1, 1, 3 / 4, 3 / 4, 3 / 4, 3 / 4, 4 / 20, 4 / 20])
    assert [each.tolist() for each in steps.curve_of_topic(2)] == [[], []]


def test_precision_is_averaged_at_levels_of_recall():
    eleven = precision_recall_levels(TEXTBOOK)
    assert eleven.recall == pytest.approx(np.arange(11) / 10)
    # query 2: relevant at 3, 8, 15 of 3
    assert eleven.precision[0] == pytest.approx([1, 1, 2 / 3, 3 / 6, 4 / 10, 5 / 15, 0, 0, 0, 0, 0])
    assert eleven.precision[1] == pytest.approx([1 / 3] * 4 + [2 / 8] * 3 + [3 / 15] * 4)
    assert eleven.mean == pytest.approx((eleven.precision[0] + eleven.precision[1]) / 2)
    mean = eleven.mean
    assert eleven.area == pytest.approx((mean.sum() - (mean[0] + mean[10]) / 2) / 10)
    hundred = precision_recall_levels(TEXTBOOK, levels=101)
    assert (
        hundred.precision.shape == (2, 101)
        and hundred.precision[:, ::10].tolist() == eleven.precision.tolist()
    )
    assert hundred.precision[0, 11] == pytest.approx(2 / 3)
    for level, row in zip(hundred.recall.tolist(), hundred.precision.T.tolist(), strict=True):
        assert row == parse_measure_name(f"IPrec@{level}")[0].compute(TEXTBOOK).tolist()
    window = precision_recall_levels(JudgedRun.single(ranked=[0] * 10 + [1] * 10), rule="window")
    assert window.precision[0, 1] == pytest.approx(1 / 11)
    with pytest.raises(MeasureError, match=r"levels .*, got 1"):
        precision_recall_levels(TEXTBOOK, levels=1)

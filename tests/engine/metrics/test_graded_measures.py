"""Tests of NCG, ERR, Q and user models, worked by hand and against their authors' program."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy.special import polygamma

from irjudge.errors import MeasureError
from irjudge.metrics import JudgedRun, parse_measure_name
from irjudge.metrics.user_models import _compute_trigamma

CWL = json.loads((Path(__file__).parents[2] / "golden" / "cwl.json").read_text(encoding="utf-8"))


def value(name: str, ranked, judged=(), highest: int | None = None) -> float:
    (measure,) = parse_measure_name(name)
    return float(
        measure.compute(JudgedRun.single(ranked=ranked, judged=judged, highest=highest))[0]
    )


def test_normalised_gain_is_a_share_of_the_ideal_one():
    ranked, judged = [1, 0, None, 3, 2], [3, 3, 2, 1]
    # CG 1 1 1 4 6, ideal 3 6 8 9 9
    assert [value(f"NCG@{k}", ranked, judged) for k in range(1, 6)] == pytest.approx(
        [1 / 3, 1 / 6, 1 / 8, 4 / 9, 6 / 9]
    )
    assert value("NCG", ranked, judged) == pytest.approx(6 / 9)
    # its own best order: 3 2 1
    assert value("NCG(ideal=retrieved)@2", ranked, judged) == pytest.approx(1 / 5)
    # 7 for grade 3: 1 + 7 + 2 of 7 + 7 + 2 + 1
    assert value("NCG(gain=3:7)", ranked, judged) == pytest.approx(10 / 17)


def test_expected_reciprocal_rank_is_that_worked_by_hand():
    # G = 2: R = 0, 3/4, 1/4. The second satisfies 3/4 of all, the third 1/4 of the rest.
    expected = 1 / 2 * 3 / 4 + 1 / 3 * 1 / 4 * 1 / 4
    assert value("ERR", [0, 2, 1], highest=2) == pytest.approx(expected)
    assert value("ERR@2", [0, 2, 1], highest=2) == pytest.approx(3 / 8)
    # the best order: 3/4 at once, 1/4 of the rest at rank 2
    best = 3 / 4 + 1 / 2 * 1 / 4 * 1 / 4
    assert value("nERR", [0, 2, 1], highest=2) == pytest.approx(expected / best)
    assert value("nERR@1", [0, 2, 1], highest=2) == 0
    assert value("nERR@2", [2, 1], highest=2) == 1


def test_the_highest_grade_is_that_of_the_scale_else_that_of_the_qrels():
    # G = 4: (2² − 1)/2⁴; G = 2: (2² − 1)/2²
    assert value("ERR", [2], highest=4) == pytest.approx(3 / 16)
    assert value("ERR", [2]) == pytest.approx(3 / 4)
    assert value("ERR(highest=4)", [2], highest=2) == pytest.approx(3 / 16)
    # one grade above the scale counts as the highest
    assert value("ERR", [3], highest=2) == pytest.approx(7 / 8)
    with pytest.raises(MeasureError) as error:
        value("ERR(highest=2)", [0], [3])
    assert error.value.values["highest"] == "2"
    assert error.value.values["grade"] == "3"
    assert value("ERR(highest=1000)", [2]) == pytest.approx(0, abs=1e-200)


def test_q_measure_is_that_worked_by_hand():
    # Gaining: rank 2 (2) and rank 3 (1); CG 0 2 3, ideal CG 2 3 3.
    # (1 + 2) / (2 + 3) and (2 + 3) / (3 + 3), over R = 2
    assert value("Q", [0, 2, 1]) == pytest.approx((3 / 5 + 5 / 6) / 2)
    # beta = 2: (1 + 4) / (2 + 6) and (2 + 6) / (3 + 6)
    assert value("Q(beta=2)", [0, 2, 1]) == pytest.approx((5 / 8 + 8 / 9) / 2)
    # beta = 0 is AP; one more relevant document was missed
    assert (
        value("Q(beta=0)", [0, 2, 1], [1, 1, 2])
        == pytest.approx((1 / 2 + 2 / 3) / 3)
        == value("AP", [0, 2, 1], [1, 1, 2])
    )
    assert value("Q@2", [0, 2, 1]) == pytest.approx(3 / 5 / 2)
    # the ideal list ends before rank 4: (1 + 2) / (4 + 2)
    assert value("Q", [0, 0, 0, 2]) == pytest.approx(3 / 6)
    assert value("Q", [2, 1]) == 1


def test_a_user_of_insq_looks_less_at_each_rank():
    # T = 1, two ranks: W proportional to 1/2² and 1/3², so 9/13 and 4/13
    assert value("INSQ(t=1,depth=2)", [0, 1]) == pytest.approx(4 / 13)
    assert value("INSQ(t=1,depth=2)", [1, 0]) == pytest.approx(9 / 13)
    # grade 1 of 2 gains a half
    assert value("INSQ(t=1,depth=2)", [1, 0], highest=2) == pytest.approx(9 / 26)


def test_a_user_of_inst_stops_earlier_after_a_relevant_document():
    # T = 1, depth 3. After rank 1 with G = 0: ((1 + 2 − 0 − 1)/(1 + 2 − 0))² = 4/9; after rank 2
    # with G = 1: ((2 + 2 − 1 − 1)/3)² = 4/9
    assert value("INST(t=1,depth=3)", [0, 1, 1]) == pytest.approx(
        (4 / 9 + 16 / 81) / (1 + 4 / 9 + 16 / 81)
    )
    # after rank 1 with G = 1: ((1 + 2 − 1 − 1)/2)² = 1/4; after rank 2 with G = 1: 4/9
    assert value("INST(t=1,depth=3)", [1, 0, 1]) == pytest.approx((1 + 1 / 9) / (1 + 1 / 4 + 1 / 9))
    for invalid in (0.5, 0):
        with pytest.raises(MeasureError) as error:
            parse_measure_name(f"INST(t={invalid})")
        assert error.value.values["parameter"] == "t"
        assert error.value.key == "out-of-range"
        assert "0.5" in error.value.values["range"]


def test_a_bejeweled_player_stops_after_enough_gain_or_documents():
    ranked = [0, 1, 1, 0, 1]
    # 1 is gained at rank 2, 2 at rank 3; 4 never, so that the user sees k documents, even beyond
    # the list
    assert value("BPM(t=1)@10", ranked) == pytest.approx(1 / 2)
    assert value("BPM(t=2,k=10)", ranked) == pytest.approx(2 / 3)
    assert value("BPM(T=4,K=10)", ranked) == pytest.approx(3 / 10)
    assert value("BPM(t=2)@2", ranked) == pytest.approx(1 / 2)
    # ten tenths are one, though a tenth added up ten times is less in binary
    assert value("BPM(t=1)@20", [1] * 20, highest=10) == pytest.approx(1 / 10)
    assert np.cumsum([0.1] * 10)[-1] < 1
    assert parse_measure_name("BPM(T=2,K=5)")[0].name == "BPM(t=2)@5"


@pytest.mark.parametrize("name", CWL["cases"][0]["values"])
def test_user_models_have_the_values_of_their_authors_program(name):
    assert (CWL["tool"], CWL["version"]) == ("cwl-eval", "1.0.12")
    for case in CWL["cases"]:
        assert value(name, case["ranked"], highest=CWL["highest"]) == pytest.approx(
            case["values"][name], abs=1e-13
        ), len(case["ranked"])


def test_sums_of_inverse_squares_are_exact_to_double_precision():
    numbers = np.concatenate([np.linspace(0.01, 40, 500), [100, 999.5, 1e6]])
    assert _compute_trigamma(numbers) == pytest.approx(polygamma(1, numbers), rel=1e-14)


def test_topics_of_very_different_length_are_independent():
    rng = np.random.default_rng(3)
    lists = [rng.integers(0, 4, size).tolist() for size in (0, 1, 2, 3, 4, 5, 63, 64, 65, 900)]
    names = "ERR nERR Q INST(t=2) INSQ(t=2) BPM(t=2)@10 NCG@20".split()
    starts = np.cumsum([0, *map(len, lists)])
    together = JudgedRun(
        tuple(map(str, range(len(lists)))),
        np.repeat(np.arange(len(lists)), [len(each) for each in lists]).astype(np.int32),
        np.concatenate([np.arange(1, len(each) + 1) for each in lists]).astype(np.int32),
        np.array([grade for each in lists for grade in each], dtype=np.int32),
        np.array([len(each) for each in lists]),
        starts,
        np.array([grade for each in lists for grade in sorted(each, reverse=True)], dtype=np.int32),
        3,
    )
    for name in names:
        assert parse_measure_name(name)[0].compute(together).tolist() == [
            value(name, each, highest=3) for each in lists
        ]

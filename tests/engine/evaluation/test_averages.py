"""Tests of averages over topics, with textbook values, and of their confidence intervals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import MeasureError
from irjudge.evaluation import Policy, deviations, evaluate_runs, intervals, parse_measures
from irjudge.evaluation.table import summarise
from irjudge.metrics import (
    JudgedRun,
    Measure,
    MeasureDeclaration,
    list_measures,
    make_measure,
    parse_measure_name,
)
from irjudge.model import make_qrels, make_run


def evaluate_counts(
    topics: dict[str, tuple[int, int, int]], names: str, average: str
) -> list[float]:
    """Evaluate topics given as counts of relevant, retrieved, and relevant retrieved documents."""
    judged, ranked = [], []
    for topic, (relevant, retrieved, relevant_retrieved) in topics.items():
        judged += [(topic, f"d{n}", 1) for n in range(relevant)]
        ranked += [
            (topic, f"d{n}" if n < relevant_retrieved else f"x{n}", -n) for n in range(retrieved)
        ]
    run = evaluate_runs(
        make_qrels(judged),
        [make_run("r", ranked)],
        parse_measures(names.split()),
        Policy(average=average),
    ).runs[0]
    return run.summary.tolist()


def summary(name: str, values: list[float], average: str = "macro") -> float:
    (measure,) = parse_measure_name(name)
    count = len(values)
    judged = JudgedRun(
        tuple(map(str, range(count))),
        *(np.empty(0, np.int32) for _ in range(3)),
        np.zeros(count, np.int64),
        np.zeros(count + 1, np.int64),
        np.empty(0, np.int32),
    )
    return float(summarise([measure], np.array([values]), judged, average)[0])


def test_macro_averages_topics_and_micro_averages_documents():
    topics = {"q1": (100, 80, 40), "q2": (50, 30, 24)}
    assert (
        evaluate_counts(topics, "SetP SetR", "macro")
        == pytest.approx([(40 / 80 + 24 / 30) / 2, (40 / 100 + 24 / 50) / 2])
        == [0.65, 0.44]
    )
    assert evaluate_counts(topics, "SetP SetR", "micro") == pytest.approx([64 / 110, 64 / 150])
    # F of the pooled counts, and P·R of them; not of the averages
    assert evaluate_counts(topics, "SetF SetAP", "micro") == pytest.approx(
        [2 * 64 / (110 + 150), 64 * 64 / (110 * 150)]
    )
    # P@20 and P@40: 20 + 20 of 40, 40 + 24 of 80
    assert evaluate_counts(topics, "P@20 P@40 R@40 NumRet", "micro") == pytest.approx(
        [1, 64 / 80, 64 / 150, 110]
    )


def test_the_geometric_mean_of_average_precisions_disagrees_with_the_mean():
    one, other = [0.02, 0.03, 0.30], [0.08, 0.04, 0.20]
    # the cube roots of .00018 and .00064
    assert [round(summary("GMAP", each), 3) for each in (one, other)] == [0.056, 0.086]
    assert [round(summary("AP", each), 3) for each in (one, other)] == [0.117, 0.107]
    assert [round(summary("AP", each, "geometric"), 3) for each in (one, other)] == [0.056, 0.086]


def test_a_topic_that_fails_counts_with_a_small_number_in_a_geometric_mean():
    # exp((ln 1 + ln .00001) / 2)
    assert summary("AP", [1.0, 0.0], "geometric") == pytest.approx(1e-5**0.5)
    judged = JudgedRun.single(ranked=[0], judged=[1])
    assert [
        parse_measure_name(name)[0].compute(judged).tolist()
        for name in ("GMAP", "GMAP(eps=0.01)", "GMBpref")
    ] == [[1e-5], [0.01], [1e-5]]


def test_the_median_is_the_middle_value():
    assert summary("AP", [0.9, 0.1, 0.3], "median") == 0.3
    assert summary("AP", [0.9, 0.1, 0.3, 0.5], "median") == pytest.approx(0.4)


@pytest.mark.parametrize("average", ["macro", "micro", "geometric", "median"])
def test_counts_are_summed_for_any_average_and_no_topics_give_zero(average):
    assert summary("NumRel", [3.0, 4.0], average) == 7
    assert [summary(name, [], average) for name in ("P@5", "NumRel")] == [0, 0]


@pytest.mark.parametrize("average", ["macro", "median"])
def test_a_geometric_measure_stays_geometric(average):
    assert summary("GMAP", [0.04, 0.09], average) == pytest.approx(0.06)


def test_measures_without_counts_have_no_micro_average():
    with pytest.raises(MeasureError) as error:
        evaluate_counts({"1": (1, 1, 1)}, "nDCG@5", "micro")
    assert error.value.key == "no-micro-average"
    assert error.value.values["measure"] == "nDCG@5"
    assert "SetP, SetR" in error.value.values["measures"]
    with pytest.raises(MeasureError) as error:
        evaluate_counts({"1": (1, 1, 1)}, "GMAP", "micro")
    assert error.value.key == "no-micro-average"
    assert error.value.values["measure"] == "GMAP"


def test_measures_with_negative_values_have_no_geometric_mean():
    with pytest.raises(MeasureError) as error:
        evaluate_counts({"1": (1, 1, 1)}, "YAAP", "geometric")
    assert error.value.key == "no-geometric-mean"
    assert error.value.values["measure"] == "YAAP"


def make_default_measure(declaration: MeasureDeclaration) -> Measure:
    return make_measure(
        declaration,
        **{
            each.name: each.choices[0] if each.choices else 3
            for each in declaration.parameters
            if each.required
        },
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(1, 6), st.integers(0, 4)), min_size=1, max_size=4
    )
)
def test_the_micro_average_of_one_topic_is_its_value(topics):
    topics = [
        (relevant, retrieved, min(relevant, retrieved, relevant_retrieved))
        for relevant, retrieved, relevant_retrieved in topics
        if relevant
    ]
    names = [
        make_default_measure(each).name for each in list_measures() if each.micro and not each.needs
    ]
    for topic in topics:
        macro, micro = (
            evaluate_counts({"1": topic}, " ".join(names), average)
            for average in ("macro", "micro")
        )
        assert micro == pytest.approx(macro, abs=1e-15)


def test_the_mean_does_not_depend_on_the_order_of_the_topics():
    values = [0.1, 1e16, -1e16, 0.3]
    (measure,) = parse_measure_name("YAAP")

    def mean(order):
        judged = JudgedRun(
            tuple(str(position) for position in order),
            *(np.empty(0, np.int32) for _ in range(3)),
            np.zeros(4, np.int64),
            np.zeros(5, np.int64),
            np.empty(0, np.int32),
        )
        return summarise(
            [measure], np.array([[values[position] for position in order]]), judged
        ).tolist()

    assert mean([0, 1, 2, 3]) == mean([3, 1, 0, 2]) == mean([2, 3, 1, 0])


def test_the_deviation_is_that_of_a_sample():
    # mean .4; squares .09, .01, .16; their sum .26 over 2
    assert deviations(np.array([[0.1, 0.3, 0.8]])).tolist() == pytest.approx([0.13**0.5])
    assert deviations(np.array([[0.5], [0.2]])).tolist() == [0, 0]
    assert deviations(np.empty((2, 0))).tolist() == [0, 0]


def test_the_same_seed_gives_the_same_interval():
    values = np.array([np.linspace(0, 1, 20), np.linspace(0, 1, 20) ** 2])
    once = intervals(values, 7)
    assert once.tolist() == intervals(values, 7).tolist() != intervals(values, 8).tolist()
    assert ((once[:, 0] < values.mean(axis=1)) & (values.mean(axis=1) < once[:, 1])).all()
    # 1.96 standard errors on each side
    half = 1.96 * values[0].std() / 20**0.5
    assert once[0].tolist() == pytest.approx([0.5 - half, 0.5 + half], abs=0.01)
    for topics in (0, 1):
        mean_intervals = intervals(np.ones((2, topics)))
        assert mean_intervals.shape == (2, 2) and np.isnan(mean_intervals).all(), topics
    assert intervals(np.empty((0, 3))).shape == (0, 2)


def test_an_interval_does_not_depend_on_the_batch_size(monkeypatch):
    values = np.array([np.linspace(0, 1, 9)])
    whole = intervals(values, 3, resamples=100)
    monkeypatch.setattr("irjudge.evaluation.table.TOPICS_PER_BATCH", 90)
    assert intervals(values, 3, resamples=100).tolist() == whole.tolist()


def test_an_interval_has_about_its_nominal_coverage():
    values = np.random.Generator(np.random.PCG64(1)).random((300, 40))
    ends = intervals(values, resamples=1000)
    assert 0.90 <= ((ends[:, 0] <= 0.5) & (ends[:, 1] >= 0.5)).mean() <= 0.99

"""Tests of `evaluate_arrow`: parts of whole topics give exactly the values of the whole run."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import irjudge
from irjudge.errors import IrjudgeError, MeasureError
from irjudge.evaluation.evaluation_in_parts import VALUE_TABLE_SCHEMA
from irjudge.metrics import list_measures, parse_measure_name
from irjudge.model import AUXILIARY_KINDS, make_qrels, make_run

TOPICS = [f"t{number}" for number in range(12)]


def every_measure() -> list[str]:
    """Return a name for each measure of the catalogue that needs no auxiliary file."""
    parts = []
    for each in list_measures():
        for name in (
            each.name,
            f"{each.name}@10",
            f"{each.name}@0.1",
            f"{each.name}(universe=1000)",
        ):
            try:
                parse_measure_name(name)
            except MeasureError:
                continue
            parts.append(name)
            break
    return parts


def collection(seed: int):
    random = np.random.default_rng(seed)
    run = [
        (topic, f"d{each}", round(float(random.normal()), 1))
        for topic in TOPICS
        for each in random.choice(60, 30, replace=False).tolist()
    ]
    qrels = [
        (topic, f"d{each}", int(random.integers(0, 4)))
        for topic in TOPICS
        for each in random.choice(60, 25, replace=False).tolist()
    ]
    return make_run("run", run), make_qrels(qrels)


def filter_usable(names: list[str]) -> list[str]:
    run, qrels = collection(0)
    parts = []
    for name in names:
        try:
            irjudge.evaluate(qrels, run, name, highest=3)
        except MeasureError:  # the measure needs an auxiliary file or more than qrels and run
            continue
        parts.append(name)
    return parts


@pytest.fixture(scope="module")
def measures():
    usable = filter_usable(every_measure())
    assert len(usable) > len(list_measures()) - 3 * len(AUXILIARY_KINDS.catalogue()) - 15
    return usable


@pytest.mark.slow
@settings(max_examples=8, deadline=None)
@given(st.permutations(TOPICS), st.lists(st.integers(1, len(TOPICS) - 1), max_size=4))
def test_any_topic_order_and_any_parts_give_the_same_bits(measures, order, cuts):
    run, qrels = collection(1)
    whole = irjudge.evaluate(qrels, run, measures, per_topic=True, highest=3)
    wanted = {
        (row.topic, row.measure): np.float64(row.value).tobytes()
        for row in whole.itertuples()
        if row.topic != "all"
    }
    bounds = [0, *sorted({*cuts}), len(order)]
    result = {}
    for begin, end in pairwise(bounds):
        part = run.select_topics(order[begin:end]).to_arrow()
        for row in irjudge.evaluate_arrow(part, qrels, measures, highest=3).to_pylist():
            result[row["topic"], row["measure"]] = np.float64(row["value"]).tobytes()
    assert result == wanted


def test_the_qrels_of_a_part_are_enough():
    run, qrels = collection(2)
    whole = irjudge.evaluate_arrow(run, qrels, "AP ERR@10", highest=3)
    parts = [
        irjudge.evaluate_arrow(
            run.select_topics([topic]), qrels.select_topics([topic]), "AP ERR@10", highest=3
        )
        for topic in qrels.topics
    ]
    assert pa.concat_tables(parts).to_pylist() == whole.to_pylist()


def test_a_part_without_judged_topics_has_no_rows_and_the_same_columns():
    run, qrels = collection(2)
    result = irjudge.evaluate_arrow(
        run.select_topics([TOPICS[0]]), qrels.select_topics([TOPICS[1]]), "AP"
    )
    assert result.num_rows == 0
    assert result.schema == VALUE_TABLE_SCHEMA


def test_measures_that_divide_by_the_highest_grade_require_it():
    with pytest.raises(MeasureError) as error:
        irjudge.evaluate_arrow(*collection(2), "AP ERR@10")
    assert error.value.key == "needs-highest"
    assert error.value.values["measure"] == "ERR@10"


def test_errors_in_a_table_are_reported():
    _, qrels = collection(2)
    twice = pa.table({"qid": ["t1", "t1"], "docno": ["a", "a"], "score": [1.0, 0.5]})
    with pytest.raises(IrjudgeError) as error:
        irjudge.evaluate_arrow(twice, qrels, "AP")
    assert error.value.key == "repeated-document"
    assert error.value.values["document"] == "a"
    assert error.value.values["topic"] == "t1"
    with pytest.raises(IrjudgeError, match="row 2"):
        irjudge.evaluate_arrow(
            pa.table({"qid": ["t1", "t1"], "docno": ["a", "b"], "score": [1.0, None]}), qrels, "AP"
        )

"""Two runs topic by topic under one measure."""

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation.topic_differences import topic_differences
from irjudge.model.ranking import make_qrels, make_run
from irjudge.stats.differences import histogram

QRELS = make_qrels([(topic, document, 1) for topic in "123" for document in ("d1", "d2")])
A = make_run("a", [("3", "d1", 9.0), ("3", "d2", 8.0), ("1", "d1", 9.0), ("1", "x", 8.0), ("2", "x", 9.0)])
B = make_run("b", [("1", "d1", 9.0), ("1", "d2", 8.0), ("3", "x", 8.0)])


def test_r_precision_is_compared_on_the_topics_of_both_runs() -> None:
    """Rprec of a: 1/2 on topic 1, 1 on topic 3; of b: 1 and 0."""
    found = topic_differences(QRELS, A, B)
    assert (found.measure, found.run_a, found.run_b) == ("Rprec", "a", "b")
    assert list(found.rows()) == [("1", 0.5, 1.0, -0.5), ("3", 1.0, 0.0, 1.0)]
    assert (found.differences.wins, found.differences.ties, found.differences.losses) == (1, 0, 1)
    assert histogram(found.differences.values, bins=4, limit=1).counts.tolist() == [0, 1, 0, 1]


def test_another_measure_can_be_named() -> None:
    assert [row[3] for row in topic_differences(QRELS, A, B, "RR").rows()] == [0, 1]


def test_runs_without_common_topics_have_no_differences() -> None:
    found = topic_differences(QRELS, make_run("a", [("1", "d1", 1.0)]), make_run("b", [("2", "d1", 1.0)]))
    assert list(found.rows()) == [] and found.differences.mean == 0


def test_several_measures_and_runs_of_one_name_are_refused() -> None:
    with pytest.raises(IrjudgeError, match="one measure; P@5,10 means 2"):
        topic_differences(QRELS, A, B, "P@5,10")
    with pytest.raises(IrjudgeError, match="Two runs are called a"):
        topic_differences(QRELS, A, A)

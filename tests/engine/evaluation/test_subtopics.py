"""Tests of column 2 of qrels as subtopics, in a joined run."""

import pytest

from irjudge.evaluation import join
from irjudge.formats.rankings import read_qrels
from irjudge.metrics import parse_measure_name
from irjudge.model import Qrels, make_run

TEXT = "2 a x 1\n2 b x -1\n2 a y 0\n2 b y 2\n1 b x 1\n1 c z 1\n3 a x 1\n"


@pytest.fixture
def qrels(tmp_path) -> Qrels:
    (tmp_path / "qrels").write_text(TEXT)
    return read_qrels(tmp_path / "qrels")


def rows(qrels: Qrels, run, **options) -> tuple[list, list]:
    joined = join(run, qrels, **options)
    known = joined.subtopics
    topics, groups = joined.topics, qrels.groups
    triples = zip(
        known.retrieved_topic.tolist(),
        known.retrieved_rank.tolist(),
        known.retrieved_subtopic.tolist(),
        known.retrieved_grade.tolist(),
        strict=True,
    )
    judged = zip(
        known.topic.tolist(),
        known.document.tolist(),
        known.subtopic.tolist(),
        known.grade.tolist(),
        strict=True,
    )
    return [(topics[a], b, groups[c], d) for a, b, c, d in triples], [
        (topics[a], b, groups[c], d) for a, b, c, d in judged
    ]


# The run has the topics in another order than the qrels, and no documents for topic 3.
RUN = make_run(
    "run", [("1", "u", 3.0), ("1", "z", 2.0), ("2", "y", 9.0), ("2", "u", 8.0), ("2", "x", 7.0)]
)


def test_each_subtopic_of_a_document_is_a_row_at_its_rank(qrels):
    actual, judged = rows(qrels, RUN)
    assert actual == [
        ("2", 1, "a", 0),
        ("2", 1, "b", 2),
        ("2", 3, "a", 1),
        ("2", 3, "b", -1),
        ("1", 2, "c", 1),
    ]
    # within a topic the documents are numbered from the last by id
    assert judged == [
        ("2", 0, "a", 0),
        ("2", 0, "b", 2),
        ("2", 1, "a", 1),
        ("2", 1, "b", -1),
        ("1", 2, "c", 1),
        ("1", 3, "b", 1),
    ]


def test_excluded_topics_and_ranks_are_left_out(qrels):
    actual, judged = rows(qrels, RUN, topics="qrels", depth=1)
    assert actual == [("2", 1, "a", 0), ("2", 1, "b", 2)]
    assert judged[-1] == ("3", 4, "a", 1)


def test_qrels_with_a_constant_column_2_have_no_subtopics(tmp_path):
    (tmp_path / "plain").write_text("1 0 x 1\n1 0 z 0\n")
    assert join(RUN, read_qrels(tmp_path / "plain")).subtopics is None


def test_a_run_that_shares_nothing_with_the_qrels_has_no_rows(qrels):
    actual, judged = rows(qrels, make_run("other", [("9", "x", 1.0)]))
    assert (actual, judged) == ([], [])
    assert (
        parse_measure_name("alpha-nDCG@5")[0]
        .compute(join(make_run("other", [("9", "x", 1.0)]), qrels))
        .tolist()
        == []
    )


def test_the_size_of_the_collection_reaches_the_measures(qrels):
    (measure,) = parse_measure_name("TN(universe=collection)")
    # topic 2: retrieved 3, 2 of them relevant; topic 1: retrieved 2, relevant 2, one of them missed
    assert measure.compute(join(RUN, qrels, collection=10)).tolist() == [7, 7]

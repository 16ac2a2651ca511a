"""Tests of small qrels and runs, and of digests of rendered documents."""

from hypothesis import given
from hypothesis import strategies as st

from irjudge.model import Document, Topic, make_qrels, make_run, row_offsets, topic_of_each_row

PAIRS = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("wxyz"), st.integers(-2, 3)), max_size=20
)


@given(PAIRS)
def test_qrels_and_runs_group_their_rows_by_topic(rows):
    topics = list(dict.fromkeys(row[0] for row in rows))
    expected = sorted(rows, key=lambda row: topics.index(row[0]))
    qrels, run = make_qrels(rows), make_run("run", rows)
    names = qrels.documents.to_pylist()
    assert [
        (qrels.topics[t], names[d], g)
        for t, d, g in zip(qrels.topic, qrels.document, qrels.grade.tolist(), strict=True)
    ] == expected
    assert [
        (run.topics[t], d, s)
        for t, d, s in zip(run.topic, run.document.to_pylist(), run.score.tolist(), strict=True)
    ] == expected
    assert (len(qrels), len(run)) == (len(rows), len(rows))
    assert (
        row_offsets(topic_of_each_row(run.starts), len(run.topics)).tolist() == run.starts.tolist()
    )


TEXTS = st.text("ab\0", max_size=3)


@given(st.tuples(TEXTS, TEXTS), st.tuples(TEXTS, TEXTS))
def test_digests_differ_if_the_rendered_content_differs(one, other):
    documents = [Document("id", body.encode(), title) for title, body in (one, other)]
    topics = [Topic("1", title, narrative) for title, narrative in (one, other)]
    assert (
        (documents[0].digest == documents[1].digest)
        == (one == other)
        == (topics[0].digest == topics[1].digest)
    )


def test_the_digest_of_a_document_does_not_depend_on_its_id():
    assert (
        Document("a", b"x", "t").digest
        == Document("b", b"x", "t").digest
        != Document("a", b"x", "t", "html").digest
    )

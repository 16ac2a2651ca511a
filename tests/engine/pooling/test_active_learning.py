"""Tests of the pool that active learning would have judged."""

import pytest

from irjudge.errors import IrjudgeError
from irjudge.model import Document, Topic
from irjudge.pooling import learn_pool
from irjudge.search import make_postings

POSTINGS = make_postings(
    [
        Document(f"d{index}", text.encode())
        for index, text in enumerate(["tide moon", "moon", "bread", "tide", "dough"])
    ]
)
TOPICS = [Topic("1", "tide"), Topic("2", "bread")]


def test_a_pool_is_in_the_order_of_judging() -> None:
    asked: list[tuple[str, str]] = []

    def judge(topic: str, document: str) -> bool:
        asked.append((topic, document))
        return document in {"1": {"d0", "d1", "d3"}, "2": {"d2"}}[topic]

    pool = learn_pool(POSTINGS, TOPICS, judge, 3)
    assert (
        list(
            zip([pool.topics[code] for code in pool.topic], pool.document.to_pylist(), strict=True)
        )
        == asked
    )
    assert (
        {document for topic, document in asked[:2]} == {"d0", "d3"}
        and asked[3] == ("2", "d2")
        and len(asked) == 6
    )
    assert (pool.strategy, pool.runs, pool.is_sample, pool.parameters["size"]) == (
        "learning",
        (),
        False,
        3,
    )


def test_a_small_collection_is_judged_completely() -> None:
    assert len(learn_pool(POSTINGS, TOPICS, lambda *_: False, 100)) == 10


@pytest.mark.parametrize(("postings", "topics"), [(make_postings([]), TOPICS), (POSTINGS, [])])
def test_learning_needs_documents_and_topics(postings, topics) -> None:
    with pytest.raises(IrjudgeError, match="needs documents and topics"):
        learn_pool(postings, topics, lambda *_: False, 3)

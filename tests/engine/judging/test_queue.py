"""Tests of the order of judging: random, reproducible, and independent of ranks."""

from hypothesis import given
from hypothesis import strategies as st

from irjudge.judging import QueueItem
from irjudge.judging.queue import PoolQueue
from irjudge.model import Pool, make_run
from tests.pools import depth_pool


def pool_of(documents: list[str], topic: str = "051") -> Pool:
    return depth_pool(
        [
            make_run(
                "a", [(topic, document, -float(index)) for index, document in enumerate(documents)]
            )
        ],
        1000,
    )


def order(
    documents: list[str], topic: str = "051", seed: int = 7, assessor: str = "ann"
) -> tuple[str, ...]:
    return PoolQueue(pool_of(documents, topic), seed=seed, assessor=assessor).documents(topic)


EIGHT = [f"d{number}" for number in range(8)]


def test_the_order_is_the_same_on_every_machine() -> None:
    # Computed once from BLAKE2b (16 bytes) over seed, assessor, topic and document, joined by zero
    # bytes.
    assert order(EIGHT) == ("d4", "d5", "d0", "d3", "d6", "d1", "d7", "d2")
    assert order(EIGHT, assessor="bob") == ("d6", "d0", "d1", "d3", "d4", "d7", "d5", "d2")
    assert order(EIGHT, seed=8) == ("d1", "d6", "d3", "d0", "d4", "d7", "d5", "d2")
    assert order(["ä", "b"], topic="文") == ("ä", "b")


NAMES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=5),
    min_size=1,
    max_size=12,
    unique=True,
)


@given(NAMES, st.randoms())
def test_the_order_does_not_depend_on_the_order_of_the_pool(names: list[str], shuffle) -> None:
    shuffled = list(names)
    shuffle.shuffle(shuffled)
    assert order(shuffled) == order(names)


@given(NAMES, st.data())
def test_a_document_added_later_moves_no_other(names: list[str], data: st.DataObject) -> None:
    fewer = data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
    assert order(fewer) == tuple(name for name in order(names) if name in fewer)


def test_the_order_is_independent_of_the_rank() -> None:
    names = [f"doc{number}" for number in range(1000)]
    positions = {name: index for index, name in enumerate(order(names))}
    mean = 499.5
    covariance = (
        sum((rank - mean) * (positions[name] - mean) for rank, name in enumerate(names)) / 1000
    )
    assert (
        abs(covariance / (1000**2 - 1) * 12) < 0.1
    )  # the correlation of two permutations of a thousand


def test_unpresentable_documents_and_empty_topics_are_left_out() -> None:
    rows = [("1", "a", 2.0), ("1", "b", 1.0), ("2", "b", 1.0)]
    queue = PoolQueue(
        depth_pool([make_run("run", rows)], 9),
        seed=1,
        assessor="ann",
        excluded_documents=frozenset({"b"}),
    )
    assert (queue.topics, queue.documents("1"), len(queue), queue.size("1"), queue.size("2")) == (
        ("1",),
        ("a",),
        1,
        1,
        0,
    )
    assert [
        QueueItem("1", "a") in queue,
        QueueItem("1", "b") in queue,
        QueueItem("2", "b") in queue,
        QueueItem("3", "a") in queue,
    ] == [
        True,
        False,
        False,
        False,
    ]

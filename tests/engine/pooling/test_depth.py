"""Tests of depth-k pools, worked by hand and against sets and sorting."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.model import TIES, Pool, Run, Ties, make_run
from irjudge.pooling import PoolOptions, build_pool
from irjudge.progress import Progress
from tests.pools import depth_pool

Rows = list[tuple[str, str, float]]


def rows(pool: Pool) -> list[tuple[str, str, dict[str, int]]]:
    """Return (topic, document, rank by run) of a pool."""
    result = []
    for code, topic in enumerate(pool.topics):
        for row in range(pool.starts[code], pool.starts[code + 1]):
            brought = range(pool.contribution_starts[row], pool.contribution_starts[row + 1])
            ranks = {
                pool.runs[pool.contribution_run[at]]: int(pool.contribution_rank[at])
                for at in brought
            }
            assert len(ranks) == len(brought)
            result.append((topic, pool.document[row].as_py(), ranks))
    return result


A = make_run("a", [("1", "d1", 3.0), ("1", "d2", 2.0), ("1", "d3", 1.0), ("2", "d9", 1.0)])
B = make_run("b", [("3", "d1", 1.0), ("1", "d2", 0.1), ("1", "d4", 0.9), ("1", "d5", 0.1)])


def test_a_pool_has_the_documents_worked_by_hand() -> None:
    # a ranks d1 d2 | d3; b ranks d4 d2 | d5 (the tie of d2 and d5 by id ascending). Best ranks: d1
    # 1, d4 1, d2 2.
    pool = depth_pool([A, B], 2)
    assert rows(pool) == [
        ("1", "d1", {"a": 1}),
        ("1", "d4", {"b": 1}),
        ("1", "d2", {"a": 2, "b": 2}),
        ("2", "d9", {"a": 1}),
        ("3", "d1", {"b": 1}),
    ]
    assert (pool.strategy, pool.parameters, len(pool)) == (
        "depth",
        {"depth": 2, "ties": "docno"},
        5,
    )


def test_a_pool_of_some_topics_has_only_these() -> None:
    pool = build_pool([A, B], PoolOptions("depth", depth=1, topics=("3", "1")))
    assert rows(pool) == [("1", "d1", {"a": 1}), ("1", "d4", {"b": 1}), ("3", "d1", {"b": 1})]


def test_depth_one_takes_the_first_of_every_run() -> None:
    assert [(topic, document) for topic, document, _ in rows(depth_pool([A, B], 1))] == [
        ("1", "d1"),
        ("1", "d4"),
        ("2", "d9"),
        ("3", "d1"),
    ]


def test_ties_at_the_depth_follow_the_requested_order() -> None:
    run = make_run("a", [("1", "x", 1.0), ("1", "z", 1.0), ("1", "y", 1.0)])
    firsts = {
        ties: depth_pool([run], 1, ties=ties).document.to_pylist()
        for ties in ("docno", "trec", "file")
    }
    assert firsts == {"docno": ["x"], "trec": ["z"], "file": ["x"]}


RUN_ROWS = st.lists(
    st.tuples(
        st.sampled_from("123"),
        st.sampled_from(["a", "b", "c", "ä", "\uffee", "😀", "d10", "d9"]),
        st.sampled_from([0.0, 1.0, 2.0]),
    ),
    max_size=14,
    unique_by=lambda row: row[:2],
)


@given(
    st.lists(RUN_ROWS, min_size=1, max_size=4),
    st.integers(1, 5),
    st.sampled_from([ties for ties in TIES if ties != "rank"]),
)
def test_a_pool_is_the_union_of_the_tops_with_contributing_runs(
    tables: list[Rows], depth: int, ties: Ties
) -> None:
    runs = [make_run(f"run{number}", table) for number, table in enumerate(tables)]
    expected: dict[str, dict[str, dict[str, int]]] = {
        topic: {} for run in runs for topic in run.topics
    }
    for run, table in zip(runs, tables, strict=True):
        for topic in run.topics:
            for rank, document in enumerate(top(table, topic, depth, ties), 1):
                expected[topic].setdefault(document, {})[run.name] = rank
    in_order = [
        (topic, document, documents[document])
        for topic, documents in expected.items()
        for document in sorted(
            documents, key=lambda document: (min(documents[document].values()), document.encode())
        )
    ]
    assert rows(depth_pool(runs, depth, ties=ties)) == in_order


def top(table: Rows, topic: str, depth: int, ties: Ties) -> list[str]:
    mine = [row for row in table if row[0] == topic]
    if ties == "docno":
        mine.sort(key=lambda row: (-row[2], row[1].encode()))
    elif ties == "trec":
        mine.sort(key=lambda row: (row[2], row[1].encode()), reverse=True)
    return [row[1] for row in mine[:depth]]


def test_runs_that_retrieved_nothing_give_an_empty_pool() -> None:
    pool = depth_pool([make_run("a", [])], 3)
    assert (len(pool), pool.topics, pool.starts.tolist(), pool.contribution_starts.tolist()) == (
        0,
        (),
        [0],
        [0],
    )


@pytest.mark.parametrize(
    ("runs", "depth", "key", "values"),
    [
        ([], 1, "no-run", {}),
        ([A], 0, "invalid-depth", {"depth": "0"}),
        ([A, B, A], 1, "repeated-run", {"name": "a"}),
    ],
)
def test_invalid_options_are_refused(
    runs: list[Run], depth: int, key: str, values: dict[str, str]
) -> None:
    with pytest.raises(IrjudgeError) as error:
        depth_pool(runs, depth)
    assert error.value.key == key and error.value.values.items() >= values.items()


def test_pooling_reports_progress_and_can_be_cancelled() -> None:
    reported: list[tuple] = []
    depth_pool([A, B], 1, progress=Progress(lambda *step: reported.append(step)))
    assert reported == [(1, 2, "Pooling"), (2, 2, "Pooling")]
    with pytest.raises(Cancelled):
        depth_pool([A, B], 1, progress=Progress(cancelled=lambda: True))

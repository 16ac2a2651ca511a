"""Tests of the order of a ranking against Python's sort, with ties and unsorted topics."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irjudge.errors import MeasureError
from irjudge.model import TIES, Run, Ties, count_tied_documents, ranking_order, row_offsets

# by UTF-16 units 😀 is before \uffee, by UTF-8 bytes after
IDS = ["a", "b", "B", "10", "9", "ä", "z", "\uffee", "😀", "文"]
SCORES = [0.0, -0.0, 1.0, 1.5, -2.0, float("inf"), float("-inf")]
ROWS = st.lists(
    st.tuples(st.integers(0, 3), st.sampled_from(IDS), st.sampled_from(SCORES), st.integers(0, 4)),
    max_size=40,
    unique_by=lambda row: row[:2],
)


def run_of(rows: list[tuple[int, str, float, int]], topics: int = 4) -> Run:
    rows = sorted(rows, key=lambda row: row[0])
    topic = np.array([row[0] for row in rows], dtype=np.int32)
    return Run(
        name="run",
        topics=tuple(map(str, range(topics))),
        starts=row_offsets(topic, topics),
        document=pa.array([row[1] for row in rows], pa.string()),
        score=np.array([row[2] for row in rows], dtype=np.float64),
        rank=np.array([row[3] for row in rows], dtype=np.int32),
        line=np.arange(1, len(rows) + 1),
    )


def sort_slowly(run: Run, ties: Ties) -> list[int]:
    documents, score = run.document.to_pylist(), run.score.tolist()
    keys = {
        "trec": lambda row: (score[row], documents[row].encode()),
        "docno": lambda row: (-score[row], documents[row].encode()),
        "rank": lambda row: run.rank[row],
        "file": lambda row: row,
    }
    order: list[int] = []
    for begin, end in zip(run.starts[:-1].tolist(), run.starts[1:].tolist(), strict=True):
        order += sorted(range(begin, end), key=keys[ties], reverse=ties == "trec")
    return order


@pytest.mark.parametrize("ties", TIES)
@given(ROWS)
@example([(0, "\uffee", 1.0, 0), (0, "😀", 1.0, 0)])
@example([(0, "a", 1.0, 0), (0, "b", 1.0, 0), (1, "a", 1.0, 0), (1, "b", 0.0, 0)])
@example([(0, "a", -0.0, 0), (0, "b", 0.0, 0)])
def test_every_order_is_the_order_of_a_plain_sort(
    ties: Ties, rows: list[tuple[int, str, float, int]]
) -> None:
    run = run_of(rows)
    order = ranking_order(run, ties)
    assert (list(range(len(run))) if order is None else order.tolist()) == sort_slowly(run, ties)


@pytest.mark.parametrize("ties", TIES)
def test_an_ordered_run_is_not_copied(ties: Ties) -> None:
    assert (
        ranking_order(run_of([(0, "a", 2.0, 1), (0, "b", 1.0, 2), (2, "a", 9.0, 1)]), ties) is None
    )


def test_rows_without_a_rank_are_not_ordered_by_rank() -> None:
    with pytest.raises(MeasureError) as error:
        ranking_order(run_of([(0, "a", 2.0, 1), (0, "b", 1.0, -1)]), "rank")
    assert error.value.key == "rows-without-rank"
    assert error.value.values["run"] == "run"


@given(ROWS)
def test_documents_in_ties_are_counted(rows: list[tuple[int, str, float, int]]) -> None:
    pairs = [(row[0], row[2] + 0.0) for row in rows]
    assert count_tied_documents(run_of(rows)) == sum(pairs.count(pair) > 1 for pair in pairs)

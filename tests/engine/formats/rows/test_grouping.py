"""Tests of grouping by topic: equal to a dictionary, for any order of rows and any ids."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irjudge.formats.rows import group_by_topic, grouping, hash_ids

IDS = st.one_of(
    st.sampled_from(
        ["a", "b", "ab", "abcdefgh", "abcdefghi", "abcdefgh\u00e9", "x" * 16, "x" * 17]
    ),
    st.text(min_size=1, max_size=20),
)


@given(st.lists(st.tuples(st.integers(0, 3), IDS, st.integers(0, 1)), max_size=30), st.booleans())
def test_rows_are_grouped_without_duplicates_as_by_a_dictionary(
    rows: list[tuple[int, str, int]], with_extra: bool
) -> None:
    topics = list(dict.fromkeys(row[0] for row in rows))
    topic = np.array([topics.index(row[0]) for row in rows], dtype=np.int32)
    extra = np.array([row[2] for row in rows], dtype=np.int32) if with_extra else None
    result = group_by_topic(
        topic, len(topics), pa.array([row[1] for row in rows], pa.string()), extra
    )
    first: dict[tuple, int] = {}
    for index, row in enumerate(rows):
        first.setdefault((topics.index(row[0]), row[1], row[2] if with_extra else 0), index)
    expected = sorted(first.values(), key=lambda position: (topic[position], position))
    assert result.take(np.arange(len(rows))).tolist() == expected
    assert np.diff(result.starts).tolist() == [
        sum(key[0] == code for key in first) for code in range(len(topics))
    ]
    assert result.duplicate_count == len(rows) - len(first)
    assert (result.first_duplicate is None) == (result.duplicate_count == 0)


def test_equal_fingerprints_of_different_ids_are_not_duplicates(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(grouping, "hash_ids", lambda ids: np.zeros(len(ids), dtype=np.uint64))
    result = group_by_topic(np.zeros(3, dtype=np.int32), 1, pa.array(["a", "b", "a"]))
    assert (result.take(np.arange(3)).tolist(), result.duplicate_count, result.first_duplicate) == (
        [0, 1],
        1,
        (0, "a"),
    )


@example(["x" * 17, "abc", "y" * 30, "q"], 1, 4, 0)
@given(st.lists(IDS, max_size=20), st.integers(0, 3), st.integers(1, 4), st.integers(0, 2))
def test_a_fingerprint_depends_only_on_the_id(
    ids: list[str], skipped: int, slice_: int, rounds: int
) -> None:
    whole = pa.array(["before"] * skipped + ids, pa.string())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(grouping, "HASH_BLOCK_SIZE", slice_)
        patch.setattr(grouping, "MAX_HASH_ROUNDS", rounds)  # the rest is hashed as a whole
        sliced = hash_ids(whole[skipped:]).tolist()
        assert sliced == [hash_ids(pa.array([name]))[0] for name in ids]
    assert len(set(sliced)) == len(set(ids))


def test_arrow_columns_are_accepted_like_arrays() -> None:
    result = group_by_topic(np.array([0, 1, 0], dtype=np.int32), 2, pa.array(["a", "b", "c"]))
    assert result.take(pa.array(["a", "b", "c"])).to_pylist() == ["a", "c", "b"]

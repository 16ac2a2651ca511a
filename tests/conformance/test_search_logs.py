"""Tests of the session logs of a user study."""

import gzip

import pytest

from irjudge.formats import read_log
from irjudge.logs import LogOptions, compute_online_measures
from tests.numbers_in_text import find_numbers


def read_counts(paths):
    table = compute_online_measures(read_log(paths), LogOptions(rank=1))
    return table, {row.measure: (row.count, row.total) for row in table.rows}


def test_the_logs_have_the_known_counts(data):
    table, counts = read_counts(data / "clicks" / "logs")
    assert counts["NumSessions"] == (122, None)
    assert counts["NumQueries"] == (413, None)
    assert counts["NumClicks"] == (2717, None)
    assert counts["CTR"][1] == 40753
    assert counts["ZeroResults"] == (3, 413)
    assert counts["QueryAbandonment"] == (74, 413)
    assert counts["QueriesWithClick"] == (339, 413)
    assert counts["QueriesPerSession"] == (413, 122)
    keys = [getattr(warning, "key", None) for warning in table.warnings]
    assert keys == ["not-shown-clicks", "backwards-time", None]
    assert [find_numbers(warning) for warning in table.warnings[:2]] == [["37"], ["3"]]


def test_files_one_by_one_add_up_to_the_folder(data):
    files = sorted((data / "clicks" / "logs").iterdir())
    _, whole = read_counts(files[::-1])
    parts = [read_counts(path)[1] for path in files]
    for name in (
        "NumClicks",
        "CTR",
        "CTR@1",
        "QueryAbandonment",
        "ZeroResults",
        "FirstClickRank",
        "SessionSuccess(dwell=30)",
    ):
        assert whole[name][0] == sum(part[name][0] for part in parts)


def test_compressed_logs_concatenated_into_one_file_have_the_same_content(data, tmp_path):
    files = sorted((data / "clicks" / "logs").iterdir())
    (packed := tmp_path / "all.log.gz").write_bytes(
        gzip.compress(b"".join(path.read_bytes() for path in files))
    )
    joined, apart = read_counts(packed)[0], read_counts(files)[0]
    assert [row.cells() for row in joined.rows] == [
        pytest.approx(row.cells()) for row in apart.rows
    ]

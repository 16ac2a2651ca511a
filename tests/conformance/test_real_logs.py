"""Session logs of a user study, read to their end."""

import gzip

import pytest

from irjudge.formats import read_log
from irjudge.logs import LogOptions, compute_online_measures
from tests.numbers_in import numbers_in


def found(paths):
    table = compute_online_measures(read_log(paths), LogOptions(rank=1))
    return table, {row.measure: (row.count, row.total) for row in table.rows}


def test_the_known_counts_come_out(data):
    table, counts = found(data / "clicks" / "logs")
    assert counts["NumSessions"] == (122, None)
    assert counts["NumQueries"] == (413, None)
    assert counts["NumClicks"] == (2717, None)
    assert counts["CTR"][1] == 40753
    assert counts["ZeroResults"] == (3, 413)
    assert counts["QueryAbandonment"] == (74, 413)
    assert counts["QueriesWithClick"] == (339, 413)
    assert counts["QueriesPerSession"] == (413, 122)
    keys = [getattr(remark, "key", None) for remark in table.warnings]
    assert keys == ["not-shown-clicks", "backwards-time", None]
    assert [numbers_in(remark) for remark in table.warnings[:2]] == [["37"], ["3"]]


def test_files_one_by_one_add_up_to_the_folder(data):
    files = sorted((data / "clicks" / "logs").iterdir())
    _, whole = found(files[::-1])
    parts = [found(path)[1] for path in files]
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


def test_packed_logs_joined_into_one_file_say_the_same(data, tmp_path):
    files = sorted((data / "clicks" / "logs").iterdir())
    (packed := tmp_path / "all.log.gz").write_bytes(
        gzip.compress(b"".join(path.read_bytes() for path in files))
    )
    joined, apart = found(packed)[0], found(files)[0]
    assert [row.cells() for row in joined.rows] == [
        pytest.approx(row.cells()) for row in apart.rows
    ]

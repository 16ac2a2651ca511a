"""Tests of pools as tables: equal when read back, and errors in invalid tables."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings import COLUMNS, iter_pool_rows, read_pool
from irjudge.model import make_run
from irjudge.pooling import PoolOptions, build_pool
from irjudge.report import table_text
from tests.lengths import takes_less_than

RUNS = [
    make_run("a,b", [("007", f"d{index}", -float(index)) for index in range(9)]),
    make_run("c", [("NA", 'x"y', 1.0)]),
]


def test_a_pool_is_read_back_equal(tmp_path: Path) -> None:
    pool = build_pool(RUNS, PoolOptions("stratified(edges=2,rates=1/0.3)"))
    path = tmp_path / "p.csv"
    path.write_text(table_text(COLUMNS, iter_pool_rows(pool), "csv"), encoding="utf-8")
    again = read_pool(path)
    assert (again.topics, again.document.to_pylist(), again.starts.tolist()) == (
        pool.topics,
        pool.document.to_pylist(),
        pool.starts.tolist(),
    )
    assert (again.stratum.tolist(), again.probability.tolist()) == (
        pool.stratum.tolist(),
        pool.probability.tolist(),
    )
    assert again.unsampled.document.to_pylist() == pool.unsampled.document.to_pylist() != []
    assert again.unsampled.starts.tolist() == pool.unsampled.starts.tolist()
    assert again.unsampled.probability.tolist() == pool.unsampled.probability.tolist()


def test_a_table_without_probabilities_of_unsampled_documents_reads_as_unknown(
    tmp_path: Path,
) -> None:
    path = tmp_path / "p.csv"
    path.write_text(HEAD + "1,d1,1,0,0.5\n1,d2,,0,\n")
    pool = read_pool(path)
    assert np.isnan(pool.unsampled.probability).tolist() == [True]
    rows = list(iter_pool_rows(pool))
    assert rows[1] == ("1", "d2", None, 0, None, None, "")


def test_rows_have_the_order_in_the_topic_and_contributing_runs() -> None:
    runs = [
        make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)]),
        make_run("b", [("2", "y", 1.0), ("1", "y", 1.0)]),
    ]
    assert list(iter_pool_rows(build_pool(runs, PoolOptions("depth", 2)))) == [
        ("1", "x", 1, 0, 1.0, 1, "a (1)"),
        ("1", "y", 2, 0, 1.0, 1, "b (1), a (2)"),
        ("2", "y", 1, 0, 1.0, 1, "b (1)"),
    ]


HEAD = "topic,document,order,stratum,probability\n"


@pytest.mark.parametrize(
    ("text", "key", "line", "value"),
    [
        ("topic,document\n1,d1\n", "no-column", 1, "order"),
        (HEAD + "1,d1,1,0\n", "column-count", 2, "5"),
        (HEAD + "1,d1,1,0,1\n1,d2,2,-1,1\n", "not-a-stratum", 3, "'-1'"),
        (HEAD + "1,d1,1,99999999999,1\n", "not-a-stratum", 2, "'99999999999'"),
        (HEAD + "1,d1,1,0,0\n", "not-a-probability", 2, "'0'"),
        (HEAD + "1,d1,1,0,0_1\n", "not-a-probability", 2, "'0_1'"),
        (HEAD + ",d1,1,0,1\n", "empty-id", 2, ""),
        (HEAD + "1, ,1,0,1\n", "empty-id", 2, ""),
        (HEAD + "1,d1,1,0,much\n", "not-a-probability", 2, "'much'"),
        (HEAD + "1,d1,1,0,nan\n", "not-a-probability", 2, "'nan'"),
        (HEAD + "1,d1,,0,2\n", "not-a-probability", 2, "'2'"),
        (HEAD + "1,d1,1,0,1\n1,d1,,0,\n", "same-document", 3, "d1"),
        (HEAD + '1,"d1,1,0,1\n1,"d2,2,0,1\n', "not-csv", None, ""),
        ("", "no-column", 1, "topic"),
        ('[\n  {"topic": "1", "document": "d1"}\n]', "no-column", 1, "topic"),
        ('"topic"\t"document"\n', "no-column", 1, "topic"),
    ],
)
def test_invalid_rows_are_named(tmp_path: Path, text: str, key: str, line: int, value: str) -> None:
    path = tmp_path / "p.csv"
    path.write_text(text)
    with pytest.raises(FormatError) as error:
        read_pool(path)
    assert (error.value.key, error.value.line) == (key, line)
    assert value in str(error.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"no\.csv: cannot be read"):
        read_pool(tmp_path / "no.csv")


def test_documents_are_in_the_order_of_their_numbers(tmp_path):
    rows = [f"1,d{order},0,1,{order},\n" for order in (10, 2, 1)] + ["2,b,0,1,2,\n", "2,a,0,1,1,\n"]
    path = tmp_path / "pool.csv"
    path.write_text("topic,document,stratum,probability,order,runs\n" + "".join(rows))
    assert read_pool(path).document.to_pylist() == ["d1", "d2", "d10", "a", "b"]


def test_short_rows_below_a_wide_header_are_read_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "pool.csv"
    names, rows = (",c" * 8000), "".join(f"1,d{number},1,0,1\n" for number in range(8000))
    path.write_text(f"{HEAD.strip()}{names}\n{rows}")
    assert takes_less_than(1, lambda: read_pool(path))  # 6 s if each row is filled up
    assert len(read_pool(path)) == 8000

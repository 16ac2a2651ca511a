"""Numbers between Arrow and numpy: the same numbers, shared where they can be, and no pandas loaded for it."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from irjudge.model.arrow import places_of, values_of


@pytest.mark.parametrize("kind", [pa.int32(), pa.int64(), pa.float64()])
@pytest.mark.parametrize("chunks", [[], [[]], [[1, 2, 3]], [[1], [], [2, 3]]])
def test_a_column_in_chunks_gives_its_numbers(kind: pa.DataType, chunks: list[list[int]]) -> None:
    values = values_of(pa.chunked_array(chunks, kind))
    assert values.tolist() == [each for chunk in chunks for each in chunk]
    assert values.dtype == kind.to_pandas_dtype()


def test_an_array_that_begins_late_gives_its_own_numbers() -> None:
    assert values_of(pa.array([1, 2, 3])[1:]).tolist() == [2, 3]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_places_with_gaps_in_memory_name_what_they_say(dtype: type) -> None:
    places = np.arange(6, dtype=dtype)[::-2]
    assert pa.array(list("abcdef")).take(places_of(places)).to_pylist() == ["f", "d", "b"]


EVALUATE = """
import sys
from pathlib import Path
from irjudge.evaluation.table import evaluate, parse_measures
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.rankings.runs import read_run
evaluate(read_qrels(Path(sys.argv[1])), [read_run(Path(sys.argv[2]))], parse_measures(["all_trec"]))
print("pandas" in sys.modules)
"""


def test_evaluating_files_loads_no_pandas(tmp_path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 b 1 2 t\n1 Q0 a 2 2 t\n1 Q0 a 3 1 t\n")
    words = [sys.executable, "-c", EVALUATE, tmp_path / "qrels", tmp_path / "run"]
    assert subprocess.run(words, capture_output=True, text=True, check=True).stdout == "False\n"


EXPLAIN = """
import sys
from irjudge.evaluation.what_if import trial_of
from irjudge.metrics.naming.names import parse
from irjudge.model.ranking import make_qrels, make_run
trial_of(make_qrels([("1", "y", 1)]), make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)]), "1").explained(parse("AP")[0])
print("pandas" in sys.modules)
"""


def test_explaining_a_number_loads_no_pandas() -> None:
    """The window explains on its own thread, which would stand still for most of a second."""
    assert subprocess.run([sys.executable, "-c", EXPLAIN], capture_output=True, text=True, check=True).stdout == "False\n"

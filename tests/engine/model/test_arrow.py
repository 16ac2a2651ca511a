"""Tests of conversion between Arrow and numpy: same numbers, shared memory, no pandas."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest

from irjudge.model import index_in, to_arrow_column, to_arrow_strings, to_numpy


@pytest.mark.parametrize("kind", [pa.int32(), pa.int64(), pa.float64()])
@pytest.mark.parametrize("chunks", [[], [[]], [[1, 2, 3]], [[1], [], [2, 3]]])
def test_a_column_in_chunks_gives_its_numbers(kind: pa.DataType, chunks: list[list[int]]) -> None:
    values = to_numpy(pa.chunked_array(chunks, kind))
    assert values.tolist() == [each for chunk in chunks for each in chunk]
    assert values.dtype == kind.to_pandas_dtype()


def test_a_sliced_array_gives_its_own_numbers() -> None:
    assert to_numpy(pa.array([1, 2, 3])[1:]).tolist() == [2, 3]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_strided_indices_give_the_right_values(dtype: type) -> None:
    array = np.arange(6, dtype=dtype)[::-2]
    assert pa.array(list("abcdef")).take(to_arrow_column(array)).to_pylist() == ["f", "d", "b"]


# The steps run one after another in one process. Importing pandas takes longer than most
# evaluations and would freeze the window.
WORK = {
    "evaluating files": """
from irjudge.evaluation.table import evaluate_runs as evaluate, parse_measures
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.rankings.runs import read_run
Path("qrels").write_text("1 0 a 1\\n1 0 b 0\\n")
Path("run").write_text("1 Q0 b 1 2 t\\n1 Q0 a 2 2 t\\n1 Q0 a 3 1 t\\n")
evaluate(read_qrels(Path("qrels")), [read_run(Path("run"))], parse_measures(["all_trec"]))
""",
    "explaining a number": """
from irjudge.evaluation.explanations import make_trial
from irjudge.metrics.registry import parse_measure_name
from irjudge.model.ranking import make_qrels, make_run
make_trial(make_qrels([("1", "y", 1)]), make_run("a", [("1", "x", 2.0), ("1", "y", 1.0)]), "1").explain(parse_measure_name("AP")[0])
""",
    "a project": 'call("sample harbour -o p.irjudge")',
    "a pool": 'call("pool p.irjudge --depth 5")',
    "assignments": 'call("assign p.irjudge --assessors dora,emil -o out")',
    "agreement": 'call("agreement p.irjudge")',
    "qrels": 'call("qrels p.irjudge")',
    "a comparison of runs": 'call("compare p.irjudge")',
    "a workbook": 'call("report p.irjudge -o r.xlsx")',
}
BEGIN = """
import contextlib, io, sys
from pathlib import Path
def call(words):
    from irjudge.cli.main import main
    with contextlib.redirect_stdout(io.StringIO()):
        assert main(words.split()) == 0
"""


@pytest.fixture(scope="module")
def loads_pandas(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bool]:
    """Return the steps by whose end pandas has been loaded."""
    steps = [f"{work}\nprint('pandas' in sys.modules)" for work in WORK.values()]
    command = [sys.executable, "-c", "\n".join([BEGIN, *steps])]
    done = subprocess.run(
        command, cwd=tmp_path_factory.mktemp("work"), capture_output=True, text=True, check=True
    )
    return dict(zip(WORK, (line == "True" for line in done.stdout.split()), strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("work", WORK)
def test_no_pandas_is_loaded(loads_pandas: dict[str, bool], work: str) -> None:
    assert not loads_pandas[work]


def test_indices_among_other_values_are_found() -> None:
    texts, others = to_arrow_strings(["b", "", "é", "b"]), to_arrow_strings(["é", "b"])
    assert (
        index_in(texts, others).tolist() == [1, -1, 0, 1]
        and index_in(texts, to_arrow_strings([])).tolist() == [-1] * 4
    )
    assert index_in(pa.chunked_array([texts, texts[:1]]), others).tolist() == [1, -1, 0, 1, 1]

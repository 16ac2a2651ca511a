"""Tests that start-up does not load heavy modules."""

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from irjudge.formats.rankings import convert_runs, read_run
from irjudge.model import Document, Scale, make_run
from irjudge.store import create_project
from tests.pools import depth_pool

pytestmark = pytest.mark.slow

HEAVY = ("pandas", "scipy", "matplotlib", "openpyxl", "xlsxwriter", "PySide6", "shiboken6")
LOADED = f"import sys; print([name for name in {HEAVY} if name in sys.modules])"


@pytest.mark.parametrize(
    "work",
    [
        "import irjudge",
        "from irjudge.metrics import parse_measure_name; parse_measure_name('nDCG@10')",
        "from irjudge.evaluation import parse_measures; parse_measures(['AP', 'official'])",
        "from irjudge.store import open_project; from irjudge.judging import Session",
        "from irjudge.cli.main import irjudge; assert 'consensus' in irjudge.get_help(irjudge.context_class(irjudge))",
    ],
)
def test_start_up_loads_no_heavy_modules(work: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", f"{work}; {LOADED}"], capture_output=True, text=True, check=True
    )
    assert answer.stdout == "[]\n"


def test_opening_a_project_to_judge_loads_no_heavy_modules(tmp_path: Path) -> None:
    """Arrow imports pandas in many of its calls, which takes half a second."""
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_documents([Document("a", b"text")])
        project.rankings.add_pool(depth_pool([make_run("r", [("1", "a", 1.0)])], 1))
    work = f"from pathlib import Path; session = Session(open_project(Path({str(path)!r}))); session.current(); session.fetch_ahead()"
    imports = "from irjudge.store import open_project; from irjudge.judging import Session"
    answer = subprocess.run(
        [sys.executable, "-c", f"{imports}; {work}; {LOADED}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout == "[]\n"


COLUMNS = {
    "texts": [pa.array(["1", "2"]), pa.array(["a", "b"])],
    "dictionaries": [
        pa.array(["1", "2"]).dictionary_encode(),
        pa.array(["a", "b"]).dictionary_encode(),
    ],
    "numbers": [pa.array([1, 2]), pa.array([7, 8])],
    "topics that change about": [
        pa.array(["1", "2", "1"]),
        pa.array(["a", "a", "b"]),
    ],  # read whole
}


@pytest.fixture(params=COLUMNS)
def run_by_columns(request, tmp_path: Path) -> Path:
    topic, document = COLUMNS[request.param]
    pyarrow.parquet.write_table(
        pa.table(
            {"topic": topic, "document": document, "score": pa.array([2.5, 1, 0.5][: len(topic)])}
        ),
        tmp_path / "r.parquet",
    )
    return tmp_path / "r.parquet"


@pytest.mark.parametrize("form", ["qrels", "qrels.parquet"])
def test_evaluating_columns_loads_no_heavy_modules(
    form: str, run_by_columns: Path, tmp_path: Path
) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n2 0 8 1\n")
    judged = {
        "topic": pa.array(["1", "2"]),
        "document": pa.array(["a", "8"]),
        "relevance": pa.array([1, 1]),
    }
    pyarrow.parquet.write_table(pa.table(judged), tmp_path / "qrels.parquet")
    converted = tmp_path / "converted"
    convert_runs([read_run(run_by_columns)], converted)
    work = f"for run in {[*map(str, (run_by_columns, converted))]!r}: main(['evaluate', {str(tmp_path / form)!r}, run, '-m', 'AP'])"
    lines = f"from irjudge.cli.main import main\n{work}\n{LOADED}"
    answer = subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, text=True, check=True
    )
    assert answer.stdout.count("AP") == 2 and answer.stdout.endswith("\n[]\n")

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


WORK = {
    "the package": "import irjudge",
    "a name of a measure": "from irjudge.metrics import parse_measure_name; parse_measure_name('nDCG@10')",
    "measures": "from irjudge.evaluation import parse_measures; parse_measures(['AP', 'official'])",
    "judging": "from irjudge.store import open_project; from irjudge.judging import Session",
    "help": "from irjudge.cli.main import irjudge; assert 'consensus' in irjudge.get_help(irjudge.context_class(irjudge))",
}


@pytest.fixture(scope="module")
def loaded_by_work() -> dict[str, str]:
    """Return the heavy modules that are loaded by the end of each step in one process."""
    steps = "\n".join(f"{work}; {LOADED}" for work in WORK.values())
    answer = subprocess.run(
        [sys.executable, "-c", steps], capture_output=True, text=True, check=True
    )
    return dict(zip(WORK, answer.stdout.splitlines(), strict=True))


@pytest.mark.parametrize("work", WORK)
def test_start_up_loads_no_heavy_modules(loaded_by_work: dict[str, str], work: str) -> None:
    assert loaded_by_work[work] == "[]"


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


def test_evaluating_columns_loads_no_heavy_modules(tmp_path: Path) -> None:
    """Qrels as text and as columns with a run of each kind, as a file and as a converted folder."""
    qrels = [tmp_path / "qrels", tmp_path / "qrels.parquet"]
    qrels[0].write_text("1 0 a 1\n2 0 8 1\n")
    judged = {
        "topic": pa.array(["1", "2"]),
        "document": pa.array(["a", "8"]),
        "relevance": pa.array([1, 1]),
    }
    pyarrow.parquet.write_table(pa.table(judged), qrels[1])
    runs = []
    for number, (topic, document) in enumerate(COLUMNS.values()):
        scores = pa.array([2.5, 1, 0.5][: len(topic)])
        table = pa.table({"topic": topic, "document": document, "score": scores})
        runs += [tmp_path / f"r{number}.parquet", tmp_path / f"converted{number}"]
        pyarrow.parquet.write_table(table, runs[-2])
        convert_runs([read_run(runs[-2])], runs[-1])
    work = [["evaluate", str(each), str(run), "-m", "AP"] for each in qrels for run in runs]
    lines = f"""
import sys
from irjudge.cli.main import main
for arguments in {work!r}:
    main(arguments)
    print(arguments[1:3], [name for name in {HEAVY} if name in sys.modules])
"""
    answer = subprocess.run(
        [sys.executable, "-c", lines], capture_output=True, text=True, check=True
    )
    assert answer.stdout.count("AP") == len(work) == 16
    loaded = [line for line in answer.stdout.splitlines() if line.startswith("[")]
    assert loaded == [f"{each[1:3]} []" for each in work]

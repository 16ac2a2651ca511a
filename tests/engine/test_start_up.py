"""Starting is quick because nothing heavy is loaded before it is needed."""

import subprocess
import sys
from pathlib import Path

import pytest

from irjudge.model.document import Document
from irjudge.model.ranking import make_run
from irjudge.model.scale import Scale
from irjudge.store.project import create
from tests.pools import depth_pool

HEAVY = ("pandas", "scipy", "matplotlib", "openpyxl", "xlsxwriter", "PySide6", "shiboken6")
LOADED = f"import sys; print([name for name in {HEAVY} if name in sys.modules])"


@pytest.mark.parametrize(
    "work",
    [
        "import irjudge",
        "from irjudge.metrics.naming.names import parse; parse('nDCG@10')",
        "from irjudge.evaluation.table import parse_measures; parse_measures(['AP', 'official'])",
        "from irjudge.store.project import open_project; from irjudge.judging.session import Session",
        "from irjudge.cli.main import irjudge; assert 'consensus' in irjudge.get_help(irjudge.context_class(irjudge))",
    ],
)
def test_nothing_heavy_is_loaded(work: str) -> None:
    answer = subprocess.run([sys.executable, "-c", f"{work}; {LOADED}"], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"


def test_opening_a_project_to_judge_loads_nothing_heavy(tmp_path: Path) -> None:
    """Arrow imports pandas in many of its calls, which takes half a second."""
    path = tmp_path / "p.irjudge"
    with create(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_documents([Document("a", b"text")])
        project.rankings.add_pool(depth_pool([make_run("r", [("1", "a", 1.0)])], 1))
    work = f"from pathlib import Path; session = Session(open_project(Path({str(path)!r}))); session.current(); session.fetch_ahead()"
    imports = "from irjudge.store.project import open_project; from irjudge.judging.session import Session"
    answer = subprocess.run([sys.executable, "-c", f"{imports}; {work}; {LOADED}"], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"

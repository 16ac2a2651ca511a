"""Starting is quick because nothing heavy is loaded before it is needed."""

import subprocess
import sys

import pytest

HEAVY = ("pandas", "scipy", "matplotlib", "openpyxl", "xlsxwriter", "PySide6", "shiboken6")
LOADED = f"import sys; print([name for name in {HEAVY} if name in sys.modules])"


@pytest.mark.parametrize(
    "work",
    [
        "import irjudge",
        "from irjudge.metrics.names import parse; parse('nDCG@10')",
        "from irjudge.evaluation.table import parse_measures; parse_measures(['AP', 'official'])",
        "from irjudge.store.project import open_project; from irjudge.judging.session import Session",
    ],
)
def test_nothing_heavy_is_loaded(work: str) -> None:
    answer = subprocess.run([sys.executable, "-c", f"{work}; {LOADED}"], capture_output=True, text=True, check=True)
    assert answer.stdout == "[]\n"

"""Tests of extensions: a measure, a page and a file format added to a copy of the code are used."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
COPIED = ("irjudge", "ui", "tests/engine/metrics")
LINKED = ("resources", "sample_collections")

MEASURE = '''"""The last relevant document."""

from irjudge.metrics.judged import JudgedRun, Scores
from irjudge.metrics.worked_example import ExampleTopic, WorkedExample, explains
from irjudge.metrics.registry import Rel
from irjudge.metrics.registry import measure


@measure("LastHit", title="Last hit", formula="1 / rank of the last relevant document")
def last_hit(judged: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return how early the last relevant document is ranked."""
    hits = judged.relevant_hits(rel)
    return 1 / judged.max_by_topic(hits.topic, hits.rank)


@explains("LastHit")
def explain_last_hit(board: ExampleTopic, *, rel: int) -> WorkedExample:
    """One divided by the rank of the last of the hits."""
    last = board.list_hit_ranks(rel)[-1]
    return WorkedExample((f"LastHit = 1 / {last}",), 1 / last)
'''
WORKED = """

def test_the_last_hit():
    assert value("LastHit", [1, 0, 1, 0]) == 1 / 3
"""
PAGE = '''"""A page that shows when the tide comes."""

from PySide6.QtWidgets import QLabel

from irjudge_ui.pages.shared.view import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.layout import column


class TidesView(View):
    """Shows when the tide comes."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.setLayout(column(QLabel(self.tr("At noon."))))
'''
MAKER = """PAGES = (
    PageEntry("tides", "tides:TidesView"),
"""
READER = """def _piped(entry: ArchiveEntry, _remarks: ReaderWarnings) -> Iterator[Document]:
    for line in entry.head.decode().splitlines()[1:]:
        name, _, words = line.partition("|")
        yield Document(name, words.encode())


FORMS: tuple[FileFormat[Document], ...] = (
    FileFormat("pipes", lambda look: look.start.startswith(b"%pipes"), _piped),
"""
# Edits for each extension, keyed by the beginning of its line in `README.md`: a file, the old text
# and the new text. An empty old text means the end of the file or a new file.
ADDITIONS = {
    "A measure": [
        ("irjudge/metrics/last_hit.py", "", MEASURE),
        (
            "irjudge/metrics/registry.py",
            "MEASURE_MODULES = (\n",
            'MEASURE_MODULES = (\n    "last_hit",\n',
        ),
        (
            "tests/engine/metrics/test_reference_implementation.py",
            "OPINIONS = {\n",
            'OPINIONS = {\n    "LastHit": lambda case, rel: 0.0,\n',
        ),
        ("tests/engine/metrics/test_textbook_values.py", "", WORKED),
    ],
    "A page": [
        ("ui/irjudge_ui/pages/tides.py", "", PAGE),
        ("ui/irjudge_ui/pages/registry.py", "PAGES = (\n", MAKER),
        (
            "ui/irjudge_ui/actions.py",
            "ACTIONS = (\n",
            'ACTIONS = (\n    Action("tides", QT_TRANSLATE_NOOP("Action", "Tides"), ()),\n',
        ),
    ],
    "A form of files": [
        (
            "irjudge/formats/collections/documents.py",
            "FORMS: tuple[FileFormat[Document], ...] = (\n",
            READER,
        )
    ],
}
# Checks in the copy: each extension is used where a user would look for it.
CHECK_SCRIPT = {
    "A measure": """
assert "0.3333" in run_command("evaluate", write_file("q.qrels", "1 0 a 1\\n1 0 c 1\\n"), run, "-m", "lasthit", "--format", "csv")
assert "LastHit = 1 / 3" in run_command("explain", write_file("q.qrels", "1 0 a 1\\n1 0 c 1\\n"), run, "-t", "1", "-m", "LastHit")
assert "### LastHit" in run_command("measures", "--page")  # the page of the help
from tests.engine.metrics import test_reference_implementation, test_textbook_values
test_reference_implementation.test_every_measure_has_a_slow_implementation()
test_textbook_values.test_the_last_hit()
""",
    "A form of files": """
project = FOLDER / "p.irjudge"
run_command("new", str(project), "--documents", write_file("two.txt", "%pipes\\na|Tides rise.\\n"), "--topics", topics, "--runs", run)
""",
    "A page": """
from PySide6.QtWidgets import QApplication
with window() as shown:
    shown.open(project)
    while shown.project is None:  # it is opened in the background
        QApplication.processEvents()
    shown.do("tides")
    assert shown.pages.on_top() == "tides"
""",
}
CHECK_SETUP = """
from tests.declared_extensions import FOLDER, run_command, window, write_file
run, topics = write_file("x.run", "1 Q0 a 1 4 x\\n1 Q0 b 2 3 x\\n1 Q0 c 3 2 x\\n"), write_file("t.tsv", "1\\ttides\\n")
"""


@pytest.fixture(scope="module")
def check_process(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """Return the process that checks each extension in a copy of the code with all of them."""
    copy = tmp_path_factory.mktemp("copy")
    for folder in COPIED:
        # with bytecode, which is valid for unchanged files
        shutil.copytree(ROOT / folder, copy / folder)
    shutil.copy(ROOT / "tests" / "declared_extensions.py", copy / "tests")
    for folder in LINKED:
        (copy / folder).symlink_to(ROOT / folder)
    for path, before, after in (each for edits in ADDITIONS.values() for each in edits):
        text = (copy / path).read_text(encoding="utf-8") if (copy / path).exists() else ""
        assert not before or text.count(before) == 1, path
        (copy / path).write_text(
            text.replace(before, after) if before else text + after, encoding="utf-8"
        )
    lines = [
        CHECK_SETUP,
        *(f"{script}print('found {what}')\n" for what, script in CHECK_SCRIPT.items()),
    ]
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": os.pathsep.join((str(copy), str(copy / "ui"))),
    }
    return subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=copy,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.slow
@pytest.mark.parametrize("what", ADDITIONS)
def test_extensions_added_as_the_readme_describes_are_found(
    what: str, check_process: subprocess.CompletedProcess[str]
) -> None:
    assert f"found {what}\n" in check_process.stdout, check_process.stderr

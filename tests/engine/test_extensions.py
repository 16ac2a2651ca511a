"""Tests of plug-in packages: measures, readers and writers, installed in a separate folder."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

MEASURES = '''
from irjudge.metrics.judged import JudgedRun, Scores
from irjudge.metrics.registry import Rel
from irjudge.metrics.registry import measure

@measure("LastHit", title="Last hit", formula="1 / rank of the last relevant document")
def last_hit(judged: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return how early the last relevant document is ranked."""
    hits = judged.relevant_hits(rel)
    return 1 / judged.max_by_topic(hits.topic, hits.rank)
'''
FORMS = """
from irjudge.formats.file_formats import FileFormat
from irjudge.formats.judgments.ratings import RatingsWriter
from irjudge.formats.rankings.other_qrels import PlainJudgment
from irjudge.model.documents import Document
from irjudge.model.ranking import RetrievedDocument
from irjudge.model.documents import Topic

def rows(entry):
    return [line.split("|") for line in entry.head.decode().splitlines()[1:]]

def form(kind, make):
    return FileFormat(f"{kind} of pipes", lambda look: look.start.startswith(f"%{kind}".encode()), lambda entry, _: map(make, rows(entry)))

qrels = form("qrels", lambda row: PlainJudgment(row[0], row[1], int(row[2])))
runs = form("runs", lambda row: RetrievedDocument(row[0], row[1], float(row[2])))
documents = form("documents", lambda row: Document(row[0], row[1].encode()))
topics = form("topics", lambda row: Topic(row[0], row[1]))
strings = form("strings", "|".join)

def pipes(file, path):
    path.write_text("%qrels\\n" + "".join(f"{each.topic}|{each.document}|{each.value:g}\\\\n" for each in file.ratings))

def fails(file, path):
    raise RuntimeError("no ink")

writer = RatingsWriter("pipes", "pipes", ".pipes", pipes)
broken_writer = RatingsWriter("dry", "dry ink", ".dry", fails)
""".replace("\\\\n", "\\n")
POINTS = """[irjudge.measures]
last-hit = tides_extra.measures
gone = tides_extra.nowhere

[irjudge.readers]
qrels.pipes = tides_extra.forms:qrels
runs.pipes = tides_extra.forms:runs
documents.pipes = tides_extra.forms:documents
topics.pipes = tides_extra.forms:topics
topics.strings = tides_extra.forms:strings
qrels.none = tides_extra.forms:rows

[irjudge.writers]
pipes = tides_extra.forms:writer
dry = tides_extra.forms:broken_writer
"""
BY = "(by tides-extra 1.2)"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder in which a package is installed."""
    folder = tmp_path_factory.mktemp("installed")
    code, about = folder / "tides_extra", folder / "tides_extra-1.2.dist-info"
    code.mkdir(), about.mkdir()
    (code / "__init__.py").write_text("")
    (code / "measures.py").write_text(MEASURES)
    (code / "forms.py").write_text(FORMS)
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: tides-extra\nVersion: 1.2\n")
    (about / "entry_points.txt").write_text(POINTS)
    files = {
        "q.pipes": "%qrels\n1|a|1\n1|c|2\n",
        "r.pipes": "%runs\n1|a|3\n1|b|2\n1|c|1\n",
        "d.pipes": "%documents\na|Tides rise.\nb|Tides fall.\nc|The moon.\n",
        "t.pipes": "%topics\n1|tides\n",
        "s.pipes": "%strings\n1|tides\n",
        "q.qrels": "1 0 a 1\n1 0 c 2\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


RUN_COMMANDS = """
import contextlib, io, json, sys
from irjudge.cli.main import main
results = []
for arguments in json.loads(sys.argv[1]):
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = main(arguments)
    results.append((code, " ".join(output.getvalue().split())))
print(json.dumps(results))
"""


def irjudge(folder: Path, *commands: str, installed: bool = True) -> list[tuple[int, str]]:
    """Run commands there in one process, and return the exit code and output of each."""
    environment = {**os.environ, **({"PYTHONPATH": str(folder)} if installed else {})}
    arguments = json.dumps([command.split() for command in commands])
    done = subprocess.run(
        [sys.executable, "-P", "-c", RUN_COMMANDS, arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return [(code, output) for code, output in json.loads(done.stdout)]


def test_plug_ins_work_like_built_ins_and_name_their_package(package: Path) -> None:
    evaluated, listed, made, exported = irjudge(
        package,
        "evaluate q.pipes r.pipes -m LastHit -m P@1",
        "measures lasthit",
        "new p.irjudge --documents d.pipes --topics t.pipes --qrels q.pipes",
        "export p.irjudge --qrels --form pipes -o out.pipes",
    )
    code, output = evaluated
    assert (
        code == 0
        and "0.3333" in output
        and f"qrels of pipes {BY}" in output
        and f"runs of pipes {BY}" in output
    )
    # unusable plug-ins are reported without other effects
    assert "gone from the package tides-extra 1.2" in output and "ModuleNotFoundError" in output
    assert "'tides_extra.nowhere'" in output
    assert listed[0] == 0 and f"Last hit {BY}" in listed[1]
    assert made[0] == 0
    assert exported[0] == 0, exported
    assert (package / "out.pipes").read_text() == "%qrels\n1|a|1\n1|c|2\n", exported


def test_errors_of_a_package_are_reported(package: Path) -> None:
    refused, made, exported = irjudge(
        package,
        "new s.irjudge --documents d.pipes --topics s.pipes",
        "new f.irjudge --documents d.pipes --topics t.pipes --qrels q.qrels",
        "export f.irjudge --qrels --form dry -o out.dry",
    )
    code, output = refused
    assert code == 2 and f"strings of pipes {BY}" in output
    assert "TypeError" in output and "Topic" in output
    assert not (package / "s.irjudge").exists()
    code, output = made
    assert code == 0 and "qrels.none from the package tides-extra 1.2" in output
    assert "FileFormat" in output and "function" in output
    code, output = exported
    assert (
        code == 2
        and f"dry ink {BY}" in output
        and "RuntimeError: no ink" in output
        and not (package / "out.dry").exists()
    )


def test_plug_in_measures_are_tested_by_the_laws(package: Path) -> None:
    (code, output), other = irjudge(
        package, "measures LastHit --laws", "measures P --laws --format csv"
    )
    assert code == 3 and "LastHit finite" in output and "divide by zero" in output
    assert other[0] == 0 and "P,together," in other[1]


def test_names_in_files_load_no_modules(package: Path) -> None:
    """Names in files and of measures import no module that is not an installed plug-in."""
    (package / "evil.py").write_text("open('was-run', 'w')\n")
    (package / "e.pipes").write_text("%evil:reader\n1|a|1\n")
    names = ("evil", "evil:x", "tides_extra.measures", "evil.P")
    commands = [f"evaluate q.qrels q.qrels -m {name}" for name in names]
    for code, output in irjudge(package, *commands, installed=False):
        assert code == 2 and "is not known" in output
    # with the package, its folder is searched for modules
    unknown_format, *unknown_names = irjudge(package, "evaluate e.pipes r.pipes -m P@1", *commands)
    assert unknown_format[0] == 2
    assert all(code == 2 and "is not known" in output for code, output in unknown_names)
    assert not (package / "was-run").exists()

"""Two generated answers of TREC RAG are judged by citation, exported, evaluated and compared."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from irjudge.cli.main import main
from irjudge.exchange.merging import read_returned
from irjudge.formats.rankings import read_qrels
from irjudge.judging import Session
from irjudge.model.scale import QUESTIONS
from irjudge.store import open_project
from irjudge_ui import jobs
from irjudge_ui.pages.shared.view import InstructionsDialog
from irjudge_ui.settings import Settings
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers

TIDES = (
    "Tides come twice daily.",
    "The moon pulls water.",
    "The sun helps sometimes.",
    "Bays double it.",
    "Tables say when.",
)
PORTS = (
    "Ports wait for tides.",
    "The moon makes it.",
    "Half moons weaken tides.",
    "Storms add to it.",
    "Pilots read tables.",
)
MOST_KEYS = 25
RELEVANT = {"none": 0, "partial": 0.5, "full": 1}
RELEVANT_OF = tuple(RELEVANT.values())


def make_answer(run: str, sentences: tuple[str, ...], shift: int) -> dict[str, object]:
    """Return an answer in the format of 2025; one run cites by index, the other by id."""
    cited = [
        [(index + shift) % 5, (index + 1) % 5]
        if not shift
        else [f"d{(index + shift) % 5}", f"d{index}"]
        for index in range(5)
    ]
    parts = [
        {"text": text, "citations": list(dict.fromkeys(each))}
        for text, each in zip(sentences, cited, strict=True)
    ]
    metadata = {
        "run_id": run,
        "narrative_id": "14",
        "narrative": "How do tides work, and what do ports make of them?",
    }
    return {
        "metadata": metadata,
        "references": [f"d{number}" for number in range(5)],
        "answer": parts,
    }


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for run, sentences, shift in (("alpha", TIDES, 0), ("beta", PORTS, 2)):
        (tmp_path / f"{run}.jsonl").write_text(
            json.dumps(make_answer(run, sentences, shift)) + "\n"
        )
    passages = (
        {
            "docid": f"d{n}",
            "title": f"Passage {n}",
            "segment": f"Passage {n} is on the moon. " * 9,
        }
        for n in range(5)
    )
    (tmp_path / "segments.jsonl").write_text("".join(json.dumps(each) + "\n" for each in passages))
    return tmp_path


def support_grade(run: str, sentence: int, citation: int) -> int:
    """Return the assessor's grade of the support by a citation."""
    return (len(run) + sentence + citation) % 3


def run_command(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(arguments) == 0
    return capsys.readouterr().out


def test_two_answers_are_judged_exported_and_evaluated(
    qtbot: QtBot,
    open_window: Callable[[], Window],
    settings: Settings,
    snap: Callable[..., None],
    files: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = run_command(
        capsys,
        "answers",
        "support.irjudge",
        "--answers",
        "alpha.jsonl",
        "beta.jsonl",
        "--documents",
        "segments.jsonl",
    )
    assert "support.irjudge: " in made and find_numbers(made) == ["20", "2", "1"]
    whose = {}
    with open_project(files / "support.irjudge", writing=False) as project:
        for run in project.rankings.runs():
            whose |= dict.fromkeys(project.rankings.run(run.name).document.to_pylist(), run.name)
    settings.set("guard_ms", 0)
    window = open_window()
    window.resize(1366, 768)
    window.open(files / "support.irjudge")
    qtbot.waitUntil(lambda: not jobs.is_busy() and window.project is not None, timeout=20_000)
    window.show_page("judge")
    qtbot.waitUntil(lambda: window.judge.session is not None, timeout=20_000)
    assert QUESTIONS["citation support"] in [
        each.text() for each in window.judge.findChildren(QLabel)
    ]
    keys, seen = 0, []
    while window.judge.session.count().left:
        qtbot.waitUntil(
            lambda: window.judge.can_judge and window.judge.document.complete, timeout=20_000
        )
        shown = window.judge.session.current().document
        seen.append(shown.title)
        if keys == 2:
            snap(window, "answers-support")
            text = window.judge.document.toPlainText()
            assert TIDES[1] in text or PORTS[1] in text
            assert "on the moon" in text and not any(run in text for run in ("alpha", "beta"))
        _, _, sentence, citation = shown.id.split(".")
        qtbot.keyClick(
            window.judge.document,
            Qt.Key(Qt.Key.Key_0 + support_grade(whose[shown.id], int(sentence), int(citation))),
        )
        keys += 1
    assert keys == 20 < MOST_KEYS
    assert seen == sorted(seen)
    window.close()
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=20_000)

    citations = run_command(capsys, "answers", "support.irjudge", "--format", "csv")
    (files / "citations.csv").write_text(citations, encoding="utf-8")
    rows = list(csv.DictReader(citations.splitlines()))
    assert len(rows) == 20 and {row["support"] for row in rows} == set(RELEVANT)
    run_command(capsys, "qrels", "support.irjudge", "-o", "support.qrels")
    assert len(read_qrels(files / "support.qrels")) == 20
    measures = ("-m", "CitationPrecision", "-m", "CitationRecall")
    printed = run_command(
        capsys,
        "evaluate",
        "support.irjudge",
        "--citations",
        "citations.csv",
        *measures,
        "--format",
        "csv",
    )
    result = {
        (row["run"], row["measure"].partition("(")[0]): float(row["value"])
        for row in csv.DictReader(printed.splitlines())
    }
    for run in ("alpha", "beta"):
        given = {(n, c): RELEVANT_OF[support_grade(run, n, c)] for n in range(1, 6) for c in (1, 2)}
        assert result[run, "CitationPrecision"] == pytest.approx(sum(given.values()) / 10)
        assert result[run, "CitationRecall"] == pytest.approx(
            sum(max(given[n, 1], given[n, 2]) for n in range(1, 6)) / 5
        )


def test_two_answers_are_compared_anonymously_with_one_key(
    qtbot: QtBot,
    open_window: Callable[[], Window],
    settings: Settings,
    snap: Callable[..., None],
    files: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_command(
        capsys,
        "answers",
        "whole.irjudge",
        "--answers",
        "alpha.jsonl",
        "beta.jsonl",
        "--task",
        "whole",
    )
    run_command(
        capsys,
        "assign",
        "whole.irjudge",
        "--mode",
        "side-by-side",
        "--choice",
        "all",
        "--assessors",
        "ann",
        "-o",
        "out",
    )
    content = (files / "out" / "ann.irtask").read_bytes()
    assert b"Tides come twice daily" in content and b"Ports wait" in content
    assert b"alpha" not in content and b"beta" not in content
    settings.set("guard_ms", 0)
    settings.add_name("ann")
    window = open_window()
    window.resize(1366, 768)
    window.activateWindow()
    window.open(files / "out" / "ann.irtask")
    qtbot.waitUntil(lambda: not jobs.is_busy() and window.project is not None, timeout=20_000)
    view = window.panels
    qtbot.waitUntil(lambda: view.can_compare, timeout=20_000)
    if view.session.is_unstarted:
        qtbot.waitUntil(
            lambda: isinstance(QApplication.activeModalWidget(), InstructionsDialog), timeout=20_000
        )
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None, timeout=20_000)
    snap(window, "answers-side-by-side")
    qtbot.waitUntil(
        lambda: view.can_compare and QApplication.focusWidget() is not None, timeout=20_000
    )
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Left)
    qtbot.waitUntil(lambda: view.session.count().left == 0, timeout=20_000)
    window.close()
    run_command(capsys, "merge", "whole.irjudge", "out/ann.irtask")
    assert (
        "14.A" in (output := run_command(capsys, "preferences", "whole.irjudge", "--format", "csv"))
        and "14.B" in output
    )
    whose = csv.DictReader(
        run_command(capsys, "answers", "whole.irjudge", "--format", "csv").splitlines()
    )
    assert {row["answer"]: row["run"] for row in whose}.keys() == {"14.A", "14.B"}


def test_a_browser_page_has_the_same_content_and_is_merged(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run_command(
        capsys,
        "answers",
        "support.irjudge",
        "--answers",
        "alpha.jsonl",
        "beta.jsonl",
        "--documents",
        "segments.jsonl",
    )
    run_command(
        capsys, "assign", "support.irjudge", "--assessors", "ann,bob", "--overlap", "2", "-o", "out"
    )
    run_command(capsys, "export", "out/ann.irtask", "--html", "-o", "ann.html")
    page = (files / "ann.html").read_text(encoding="utf-8")
    assert QUESTIONS["citation support"] in page
    assert "sentence 1, citation 1" in page
    for name in ("ann", "bob"):
        with open_project(files / "out" / f"{name}.irtask") as task:
            session = Session(task, name)
            while session.count().left:
                session.grade(session.advance(), 1)
        assert read_returned(files / "out" / f"{name}.irtask")
    run_command(capsys, "merge", "support.irjudge", "out/ann.irtask", "out/bob.irtask")
    rows = list(
        csv.DictReader(
            run_command(capsys, "answers", "support.irjudge", "--format", "csv").splitlines()
        )
    )
    assert {row["support"] for row in rows} == {"partial"}

"""A search team's export: 20 of its pairs are rejudged, compared with its ratings and exported."""

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from irjudge.audit import STATISTICS
from irjudge.cli.main import main
from irjudge.exchange import AssignmentOptions, assign_pool, parse_candidates
from irjudge.judging import Session
from irjudge.store import open_project
from irjudge_ui import jobs
from irjudge_ui.pages.project.export_dialog import ExportDialog
from irjudge_ui.widgets import PageScrollArea
from irjudge_ui.window import Window

OpenWindow = Callable[[], Window]
Snap = Callable[..., None]
Rated = dict[str, dict[str, float]]  # ratings by query and document
PATIENCE = 60_000
QUERIES, OF_EACH = 5, 4
GAINS = (0, 1, 10, 100)
TURNING = ", ".join(f"{gain}:{grade}" for grade, gain in enumerate(GAINS))
ESCI = Path(os.environ.get("IRJUDGE_DATA", "")) / "search_teams" / "esci_us_judgments.json"


def read_ratings(path: Path) -> Rated:
    ratings = json.loads(path.read_text(encoding="utf-8"))["judgmentRatings"]
    return {
        each["query"]: {rating["docId"]: float(rating["rating"]) for rating in each["ratings"]}
        for each in ratings
    }


def write_export(path: Path) -> Path:
    """Write judgments in OpenSearch's format, for queries with quotes, spaces and other scripts."""
    queries = [f"“jazz” bass, №{number} & 琴" for number in range(QUERIES)]
    rated = [
        {
            "query": query,
            "ratings": [
                {"docId": f"B{index}{number}", "rating": f"{GAINS[(number + index) % 4]}.000"}
                for number in range(6)
            ],
        }
        for index, query in enumerate(queries)
    ]
    path.write_text(
        json.dumps({"name": "mine", "type": "IMPORT_JUDGMENT", "judgmentRatings": rated}),
        encoding="utf-8",
    )
    return path


def write_run(export: Path, folder: Path) -> tuple[Path, Path]:
    """Write a run of 20 pairs of an export, identified by query text, and their documents."""
    pairs = [
        (query, document)
        for query, ratings in [*read_ratings(export).items()][:QUERIES]
        for document in [*ratings][:OF_EACH]
    ]
    run, documents = folder / "engine.json", folder / "documents.jsonl"
    ranked: dict[str, dict[str, float]] = {}
    for index, (query, document) in enumerate(pairs):
        ranked.setdefault(query, {})[document] = 100.0 - index
    run.write_text(json.dumps(ranked), encoding="utf-8")
    lines = (
        json.dumps(
            {"id": document, "title": f"Product {document}", "text": "What the shop says of it."}
        )
        for _, document in pairs
    )
    documents.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return run, documents


def wait_until_idle(qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not jobs.is_busy(), timeout=PATIENCE)


def click_button(page: object, label: str) -> None:
    (made,) = (
        each
        for each in page.findChildren(QPushButton)
        if each.text() == label and each.isVisible() and each.isEnabled()
    )
    made.click()


def export_qrels(
    window: Window, which: str, form: str, path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """Write qrels through the export dialog."""
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    window.show_page("collection")
    window.collection.exporting.ask()
    (dialog,) = (
        each
        for each in window.findChildren(QDialog)
        if isinstance(each, ExportDialog) and each.isVisible()
    )
    for box, wanted in (
        (dialog.kind_box, "qrels"),
        (dialog.selection_box, which),
        (dialog.form, form),
    ):
        box.setCurrentIndex(box.findData(wanted))
    dialog.buttons[-1].click()
    wait_until_idle(qtbot)
    return path


@pytest.mark.parametrize(
    "export",
    [
        None,
        pytest.param(
            ESCI,
            marks=pytest.mark.skipif(not ESCI.is_file(), reason="the export of ESCI is not here"),
        ),
    ],
)
def test_pairs_of_an_export_are_rejudged_compared_and_exported_again(
    export: Path | None,
    open_window: OpenWindow,
    tmp_path: Path,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    snap: Snap,
    capsys: pytest.CaptureFixture[str],
) -> None:
    export = export or write_export(tmp_path / "export.json")
    came, (run, documents) = read_ratings(export), write_run(export, tmp_path)
    window = open_window()
    window.show_page("new")
    page = window.pages.view("new")
    for kind, path in (("qrels", export), ("runs", run), ("documents", documents)):
        page.rows[kind].choose([path])
    page.rows["qrels"].deciding.fields["grades"].setText(TURNING)
    page.rows["qrels"].deciding.decided.emit()
    wait_until_idle(qtbot)
    snap(window, "export-previewed")
    page.file.setText(str(tmp_path / "team.irjudge"))
    click_button(page, "Create project")
    wait_until_idle(qtbot)
    project = window.project
    assert project is not None and [topic.title for topic in project.collection.topics()] == [*came]
    click_button(window.collection, "Build pool")
    wait_until_idle(qtbot)
    pool = project.rankings.pool()
    assert pool is not None and len(pool) == QUERIES * OF_EACH

    made = assign_pool(
        project, parse_candidates("ann,bob"), AssignmentOptions(overlap=2), tmp_path / "out"
    )
    # ann repeats the shop's ratings, bob's are one grade lower
    for index, file in enumerate(made.files):
        with open_project(file.path) as task:
            session = Session(task)
            while work := session.current():
                grade = GAINS.index(int(came[work.topic.title][work.document.id]))
                session.grade(work, max(0, grade - index), active_ms=3000)
                session.advance()
    window.pages.view("assessors").merge([file.path for file in made.files])
    wait_until_idle(qtbot)

    window.show_page("agreement")
    wait_until_idle(qtbot)
    compared = window.pages.view("agreement").ratings
    assert compared.isVisible() and compared.result is not None
    kappa = STATISTICS.index("kappa")
    ratings = {
        rater.name: (rater.pairs, rater.statistics[kappa].value)
        for rater in compared.result.comparison.raters
    }
    assert ratings["ann"] == (20, 1.0) and ratings["bob"][0] == 20 and ratings["bob"][1] < 1
    conflicts = {(each.topic, each.document) for each in compared.result.comparison.conflicts}
    assert len(conflicts) == sum(
        came[query][document] > 0
        for query, query_ratings in json.loads(run.read_bytes()).items()
        for document in query_ratings
    )
    bar = compared.parentWidget().mapTo(window, compared.pos())
    window.pages.view("agreement").findChild(PageScrollArea).verticalScrollBar().setValue(
        bar.y() - 100
    )
    snap(window, "export-judged-anew")
    capsys.readouterr()
    assert (
        main(
            [
                "agreement",
                str(project.path),
                "--ratings",
                export.stem,
                "--show",
                "conflicts",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    query_ratings = [*csv.DictReader(io.StringIO(capsys.readouterr().out))]
    assert {(row["topic"], row["document"]) for row in query_ratings} == conflicts
    window.show_page("evaluate")
    wait_until_idle(qtbot)

    settled = read_ratings(
        export_qrels(
            window, "assessor ann", "opensearch", tmp_path / "anew.json", qtbot, monkeypatch
        )
    )
    assert sum(map(len, settled.values())) == 20
    assert all(
        grade == GAINS.index(int(came[query][document]))
        for query, query_ratings in settled.items()
        for document, grade in query_ratings.items()
    )
    back = read_ratings(
        export_qrels(window, export.stem, "opensearch", tmp_path / "back.json", qtbot, monkeypatch)
    )
    assert {
        query: {document: GAINS[int(grade)] for document, grade in query_ratings.items()}
        for query, query_ratings in back.items()
    } == came

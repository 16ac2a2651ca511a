"""Tests of the export dialog: kind, source and format; the file is verified and counted."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton

from irjudge.formats.judgments import WRITERS
from irjudge.formats.rankings import read_qrels
from irjudge.judging import AdjudicationRecorder, import_judgments
from irjudge.report import (
    EXPORT_KINDS,
    EXPORTS,
    TREC,
    ExportOptions,
    list_available_exports,
    project_exports,
)
from irjudge.shipped import shipped_folder
from irjudge_ui.pages.project import CollectionView
from irjudge_ui.pages.project.export_dialog import (
    PURPOSES,
    TITLES,
    ExportDialog,
)
from irjudge_ui.widgets import Theme
from irjudge_ui.widgets.theme import DARK, LIGHT
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers

ONE_WINDOW = True

Idle = Callable[[], None]


@pytest.fixture
def first_page() -> str:
    return "collection"


@pytest.fixture
def page(open_window: Window) -> CollectionView:
    assert open_window.project is not None
    import_judgments(
        open_window.project, shipped_folder("sample_collections") / "everyday" / "judgments.csv"
    )
    decided = next(iter(open_window.project.collection.documents()))
    topic = open_window.project.collection.topics()[0].id
    AdjudicationRecorder(open_window.project).decide(topic, decided, 1)
    open_window.show_page("collection")
    return open_window.collection


@pytest.fixture
def dialog(page: CollectionView) -> ExportDialog:
    page.exporting.ask()
    result = page.findChild(ExportDialog)
    assert result is not None
    return result


def choose_kind(dialog: ExportDialog, what: str) -> None:
    dialog.kind_box.setCurrentIndex(dialog.kind_box.findData(what))


@pytest.mark.slow
def test_every_kind_with_data_is_offered_with_its_purpose(
    page: CollectionView, dialog: ExportDialog
) -> None:
    assert set(PURPOSES) == set(TITLES) == set(EXPORT_KINDS)
    assert (
        [dialog.kind_box.itemData(index) for index in range(dialog.kind_box.count())]
        == [*EXPORTS, "layout"]
        == list_available_exports(page.project)
    )  # type: ignore[arg-type]


def test_only_the_fields_of_the_selected_kind_are_shown(dialog: ExportDialog) -> None:
    shown = {}
    for what in (*EXPORTS, "layout"):
        choose_kind(dialog, what)
        shown[what] = [
            field.isVisible() for field in (dialog.selection_box, dialog.unjudged, dialog.form)
        ]
    assert shown == {
        "qrels": [True, True, True],
        "judgments": [False, False, True],
        "adjudications": [False, False, True],
        "topics": [False] * 3,
        "documents": [False] * 3,
        "run": [True, False, False],
        "pool": [False] * 3,
        "tasks": [False, False, True],
        "layout": [False, False, True],
    }
    choose_kind(dialog, "qrels")
    dialog.unjudged.setChecked(True)
    assert dialog.options() == ExportOptions("qrels", "consensus", unjudged=True)
    dialog.selection_box.setCurrentIndex(dialog.selection_box.findData("qrels"))
    assert not dialog.unjudged.isVisible() and dialog.options() == ExportOptions(
        "qrels", "qrels", unjudged=False
    ), "imported ones are as they are"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "form", "ending"),
    [("judgments", ".xlsx", ".xlsx"), ("run", None, ".run"), ("tasks", None, ".csv")],
)
def test_the_file_is_written_and_both_counts_are_shown(
    open_window: Window,
    dialog: ExportDialog,
    wait_until_idle: Idle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    form: str,
    ending: str,
) -> None:
    started: list[str] = []
    monkeypatch.setattr(
        QFileDialog,
        "getSaveFileName",
        lambda _parent, _title, start: (started.append(start), (str(tmp_path / "out"), ""))[1],
    )
    choose_kind(dialog, what)
    if form:
        dialog.form.setCurrentIndex(dialog.form.findData(form))
    dialog.buttons[-1].click()
    wait_until_idle()
    path = tmp_path / f"out{ending}"
    assert path.is_file() and started[0].endswith(ending)
    rows = {"judgments": "183", "run": "75", "tasks": "34"}[what]
    message = open_window.message.text()
    assert str(path) in message and find_numbers(message.replace(str(path), ""))[:2] == [rows, rows]


def test_a_file_that_does_not_read_back_is_reported_and_the_earlier_one_kept(
    open_window: Window,
    page: CollectionView,
    wait_until_idle: Idle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = project_exports.write_topics
    monkeypatch.setattr(
        project_exports, "write_topics", lambda path, topics: whole(path, topics[1:])
    )
    (tmp_path / "t.jsonl").write_text("before")
    page.exporting.write(ExportOptions("topics"), tmp_path / "t.jsonl")
    wait_until_idle()
    assert (
        open_window.message.text().startswith("✕ t.jsonl was not saved")
        and (tmp_path / "t.jsonl").read_text() == "before"
    )
    assert not open_window.written_file_buttons.isVisible()
    monkeypatch.undo()
    page.exporting.write(ExportOptions("topics"), tmp_path / "t.jsonl")
    wait_until_idle()
    assert (
        open_window.written_file_buttons.isVisible()
        and open_window.written_file_buttons._path == tmp_path / "t.jsonl"
    )


def test_nothing_is_offered_without_a_project(window: Window) -> None:
    assert not window.collection.actions_by_id["export"].possible


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_no_text_is_cut_in_a_small_window(
    open_window: Window,
    page: CollectionView,
    set_look: Callable[[Theme, float], None],
    zoom: float,
    theme: Theme,
    qapp: object,
) -> None:
    open_window.resize(800, 600)
    set_look(theme, zoom)
    page.exporting.ask()
    dialog = page.findChild(ExportDialog)
    assert dialog is not None
    for what in EXPORTS:
        choose_kind(dialog, what)
        qapp.processEvents()  # type: ignore[attr-defined]
        for label in dialog.findChildren(QLabel):
            if label.isVisible():
                needed = (
                    label.heightForWidth(label.width())
                    if label.wordWrap()
                    else label.sizeHint().height()
                )
                assert label.height() >= needed, (what, label.text())
        for each in dialog.findChildren(QPushButton):
            assert each.mapTo(dialog, each.rect().bottomRight()).y() <= dialog.height()
    dialog.reject()


def test_a_run_with_a_slash_in_its_name_gets_a_file_name_without_one(
    page: CollectionView, monkeypatch: pytest.MonkeyPatch, project_path: Path
) -> None:
    starts: list[str] = []
    monkeypatch.setattr(
        QFileDialog,
        "getSaveFileName",
        lambda _parent, _title, start: (starts.append(start), ("", ""))[1],
    )
    page.exporting.ask_where(ExportOptions("run", "x/bm25"), ".run")
    assert starts == [str(project_path.with_name("x-bm25.run"))]


def test_qrels_are_exported_in_the_format_of_a_search_teams_tool(
    page: CollectionView,
    dialog: ExportDialog,
    wait_until_idle: Idle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    choose_kind(dialog, "qrels")
    assert [dialog.form.itemData(index) for index in range(dialog.form.count())] == [TREC, *WRITERS]
    dialog.form.setCurrentIndex(dialog.form.findData("opensearch"))
    assert not dialog.unjudged.isVisible() and dialog.options() == ExportOptions(
        "qrels", "consensus", form="opensearch"
    )
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "out"), ""))
    dialog.buttons[-1].click()
    wait_until_idle()
    assert page.project is not None
    titles = set(page.project.collection.topic_titles().values())
    assert {*read_qrels(tmp_path / "out.json").titles} <= titles

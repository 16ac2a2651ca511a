"""Tests of the new-project page: files are previewed before anything is created."""

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from irjudge.formats import FileKind, FilePreview, ReadingOptions, find_missing_documents
from irjudge.model import Scale
from irjudge.store import (
    Sources,
    create_project_from_files,
    open_project,
    read_import_reports,
    sample_sources,
)
from irjudge_ui.actions import BY_ID
from irjudge_ui.pages.frame import CrashDialog
from irjudge_ui.pages.project import ProjectRequest
from irjudge_ui.pages.project import new_project as file_row
from irjudge_ui.pages.project.new_project import SCALES, FileRow, NewProjectView, ScaleChoice
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import StatePage
from irjudge_ui.window import Window
from tests.engine.exchange.test_class_folder import make_folder
from tests.numbers_in_text import find_numbers
from tests.ui.layout_checks import process_layouts
from tests.ui.layout_checks import visible_rect as place_of
from tests.ui.window_content import find_widget, visible_text


@pytest.fixture
def choice(qtbot: QtBot) -> ScaleChoice:
    made = ScaleChoice()
    qtbot.addWidget(made)
    return made


def test_the_default_scales_are_listed(choice: ScaleChoice) -> None:
    result = []
    for index in range(choice.box.count()):
        choice.box.setCurrentIndex(index)
        result.append(choice.scale)
    assert result == [Scale.parse(name) for name in SCALES] and choice.problem() == ""


@pytest.mark.parametrize(
    ("typed", "highest"),
    [("0-1", 1), (" 0-99 ", 99), ("0-0", None), ("0-100", None), ("much", None), ("", None)],
)
def test_a_typed_scale_is_used_or_rejected(
    choice: ScaleChoice, typed: str, highest: int | None
) -> None:
    choice.box.setEditText(typed)
    assert (choice.scale and choice.scale.highest) == highest
    assert find_numbers(choice.problem()) == ([] if highest else ["0", "1", "0", "99"])
    assert bool(choice.problem()) is (highest is None)


def test_a_file_name_cannot_be_typed_as_a_scale(choice: ScaleChoice, tmp_path: Path) -> None:
    path = tmp_path / "scale.json"
    path.write_text(Scale.parse("0-2").to_json(), encoding="utf-8")
    choice.box.setEditText(str(path))
    assert choice.scale is None and choice.problem()


def test_a_scale_is_read_from_a_file(
    choice: ScaleChoice,
    tmp_path: Path,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    path = tmp_path / "own.json"
    path.write_text(
        '{"name": "own", "grades": [{"value": 0, "label": "no"}, {"value": 5, "label": "yes"}]}',
        encoding="utf-8",
    )
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
    for _ in range(2):  # a file chosen again is listed once
        with qtbot.waitSignal(choice.changed):
            choice.file.click()
            wait_until_idle()
    assert (
        choice.scale is not None
        and choice.scale.values == (0, 5)
        and choice.box.currentText() == "own.json"
    )
    assert choice.box.count() == len(SCALES) + 1
    choice.box.setCurrentText("0-2")
    assert choice.scale is not None and choice.scale.highest == 2


def test_an_invalid_scale_file_is_reported_until_another_is_chosen(
    choice: ScaleChoice, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    path = tmp_path / "own.json"
    path.write_text("[]", encoding="utf-8")
    choice.choose(path)
    wait_until_idle()
    assert "own.json: " in choice.problem()
    choice.box.setCurrentText("0-2")
    assert choice.problem() == ""


SOURCES, SCALE = sample_sources("everyday")


@pytest.fixture
def page(qtbot: QtBot, settings: Settings) -> NewProjectView:
    made = NewProjectView(settings)
    qtbot.addWidget(made)
    made.show()
    return made


def row_text(row: FileRow) -> str:
    return "\n".join(label.text() for label in row.findChildren(QLabel) if label.isVisible())


def test_valid_files_show_their_format_and_first_records(
    page: NewProjectView, wait_until_idle: Callable[[], None]
) -> None:
    page.rows["documents"].choose(SOURCES.documents)
    page.rows["topics"].choose(SOURCES.topics)
    page.rows["runs"].choose(SOURCES.runs)
    page.rows["qrels"].choose(SOURCES.qrels)
    assert "Reading" in row_text(page.rows["documents"])
    wait_until_idle()
    assert "JSON lines" in row_text(page.rows["documents"]) and "tides-made" in row_text(
        page.rows["documents"]
    )
    assert "TREC SGML; topics: 6" in row_text(page.rows["topics"])
    assert "bm25: " in row_text(page.rows["runs"]) and "judgments: 61" in row_text(
        page.rows["qrels"]
    )
    assert all(row.is_ready for row in page.rows.values() if row.chosen)


def test_grades_missing_from_the_scale_are_asked_about_before_creation(
    page: NewProjectView, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    qrels = tmp_path / "cran.qrels"
    qrels.write_text("1 0 a 1\n1 0 b 4\n", encoding="utf-8")
    page.file.setText(str(tmp_path / "p.irjudge"))
    page.rows["qrels"].choose([qrels])
    wait_until_idle()
    assert not page.create_button.isEnabled() and "0-4" in page.scale_problem.text()
    page.scale.box.setEditText("0-4")
    assert page.create_button.isEnabled() and not page.scale_problem.isVisible()
    page.scale.box.setCurrentText("0-3")
    assert not page.create_button.isEnabled()
    deciding = page.rows["qrels"].deciding
    assert deciding is not None
    deciding.fields["grades"].setText("1:0,4:1")
    deciding.decided.emit()
    wait_until_idle()
    assert page.create_button.isEnabled()


def test_an_invalid_file_is_reported_and_does_not_count(
    page: NewProjectView, wait_until_idle: Callable[[], None]
) -> None:
    row = page.rows["runs"]
    row.choose(SOURCES.topics)
    wait_until_idle()
    assert "✕ topics.txt, line 1" in row_text(row) and "expected 6" in row_text(row)
    assert row.paths == () and not row.is_ready
    row.choose(SOURCES.runs)
    wait_until_idle()
    assert "✕" not in row_text(row) and row.is_ready


def test_only_the_preview_of_the_newest_choice_is_shown(
    page: NewProjectView,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    real, go = file_row.preview_files, threading.Event()

    def slow(kind: FileKind, paths: Sequence[Path], decided: ReadingOptions) -> FilePreview:
        if paths == SOURCES.qrels:
            go.wait(5)
        return real(kind, paths, decided)

    monkeypatch.setattr(file_row, "preview_files", slow)
    row = page.rows["topics"]
    # an invalid file, whose preview arrives after that of the newer choice
    row.choose(SOURCES.qrels)
    row.choose(SOURCES.topics)
    qtbot.waitUntil(lambda: row.is_ready)
    go.set()
    wait_until_idle()
    assert row.is_ready and "topics: 6" in row_text(row) and "✕" not in row_text(row)


def test_create_is_offered_only_if_everything_is_chosen(
    page: NewProjectView, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    assert not page.create_button.isEnabled() and "topics and documents" in page.missing.text()
    page.rows["documents"].choose(SOURCES.documents)
    page.rows["topics"].choose(SOURCES.topics)
    assert not page.create_button.isEnabled() and "Reading" in page.missing.text()
    wait_until_idle()
    assert page.create_button.isEnabled() and "where" in page.missing.text(), "creating asks for it"
    page.file.setText(str(tmp_path / "new"))
    assert page.create_button.isEnabled() and page.missing.text() == ""
    (tmp_path / "new.irjudge").touch()
    page.file.setText(str(tmp_path / "new") + " ")
    assert not page.create_button.isEnabled() and "already exists" in page.missing.text()


def test_the_request_has_the_files_the_scale_and_the_path(
    page: NewProjectView, wait_until_idle: Callable[[], None], tmp_path: Path, qtbot: QtBot
) -> None:
    for kind in ("documents", "topics", "runs"):
        page.rows[kind].choose(getattr(SOURCES, kind))
    wait_until_idle()
    page.file.setText(str(tmp_path / "new"))
    page.scale.box.setCurrentText("binary")
    with qtbot.waitSignal(page.new_project) as asked:
        page.create_button.click()
    (options,) = asked.args or []
    assert (
        isinstance(options, ProjectRequest)
        and options.path == tmp_path / "new.irjudge"
        and options.scale.values == (0, 1)
    )
    assert options.sources.runs == SOURCES.runs and options.sources.qrels == ()


def test_a_project_is_created_from_chosen_files_and_opened(
    window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window.show_page("new")
    page = window.pages.view("new")
    for kind in ("documents", "topics", "runs"):
        names = [str(path) for path in getattr(SOURCES, kind)]
        monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_, names=names: (names, ""))
        page.rows[kind].first.click()
    wait_until_idle()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    page._ask_path()
    assert page.file.text() == str(tmp_path / "mine.irjudge")
    page.create_button.click()
    wait_until_idle()
    assert window.project is not None and window.project.collection.document_count() == 40
    assert (
        "Documents: 40" in visible_text(window.collection)
        and not window.blocking_job.busy.isVisible()
    )
    window.show_page("new")
    assert not page.file.text() and not any(each.chosen for each in page.rows.values())


def test_a_file_that_breaks_after_its_preview_leaves_no_project(
    window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    topics = tmp_path / "topics.tsv"
    topics.write_text("1\twhat\n", encoding="utf-8")
    window.show_page("new")
    window.pages.view("new").rows["documents"].choose(SOURCES.documents)
    window.pages.view("new").rows["topics"].choose([topics])
    wait_until_idle()
    window.pages.view("new").file.setText(str(tmp_path / "new.irjudge"))
    topics.unlink()
    window.pages.view("new").create_button.click()
    wait_until_idle()
    assert window.project is None and not (tmp_path / "new.irjudge").exists()
    assert window.message.text().startswith("✕ ") and "topics.tsv" in window.message.text()


def test_an_internal_error_while_reading_is_shown_with_details(
    window: Window,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("our fault")

    monkeypatch.setattr(file_row, "preview_files", broken)
    window.show_page("new")
    window.pages.view("new").rows["topics"].choose(SOURCES.topics)
    wait_until_idle()
    dialog = window.findChild(CrashDialog)
    assert dialog is not None and "in broken" in dialog.details
    with qtbot.waitSignal(dialog.destroyed):
        dialog.accept()
        dialog.close()


def test_the_shipped_sample_is_previewed(everyday: Path) -> None:
    with open_project(everyday, writing=False) as project:
        assert len(project.rankings.runs()) == 4


# Ambiguous files


def write_collection(folder: Path) -> dict[FileKind, Path]:
    """A collection like Cranfield: own columns, odd topic ids, reversed grades with -1."""
    texts = {
        "documents": ("docs.csv", "key,body\nd1,one\nd2,two\n"),
        "topics": ("topics.qry", ".I 1\n.W\nfirst\n.I 4\n.W\nsecond\n"),
        "qrels": ("judged.rel", "1 d1 1\n2 d2 3\n2 d1 -1\n"),
    }
    for name, text in texts.values():
        (folder / name).write_text(text)
    return {kind: folder / name for kind, (name, _) in texts.items()}  # type: ignore[misc]


def answer_all(
    view: NewProjectView, given: Mapping[FileKind, Path], wait_until_idle: Callable[[], None]
) -> None:
    answers = {
        "documents": ("columns", "id=key, text=body"),
        "topics": ("topic_ids", "order"),
        "qrels": ("grades", "1:4, 3:2, -1:0"),
    }
    for kind, path in given.items():
        row = view.rows[kind]
        row.choose([path])
        wait_until_idle()
        assert not row.is_ready and "✕" in row_text(row) and row.deciding.isVisible(), kind
        assert "--" not in row_text(row), "an option of the command line"
        field, answer = answers[kind]
        if field in row.deciding.fields:
            row.deciding.fields[field].setText(answer)
            row.deciding.fields[field].editingFinished.emit()
        else:
            box = row.deciding.choices[field]
            box.setCurrentIndex(box.findData(answer))
            box.activated.emit(box.currentIndex())
        wait_until_idle()
        assert row.is_ready and "✕" not in row_text(row), row_text(row)


@pytest.mark.slow
def test_ambiguities_are_resolved_on_the_page_and_stored_in_the_project(
    window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    window.do("new")
    view = window.pages.view("new")
    assert isinstance(view, NewProjectView)
    answer_all(view, write_collection(tmp_path), wait_until_idle)
    view.scale.box.setCurrentText("0-4")
    view.file.setText(str(tmp_path / "new.irjudge"))
    view.create_button.click()
    wait_until_idle()
    assert window.project is not None
    assert [topic.id for topic in window.project.collection.topics()] == ["1", "2"]
    assert sorted(window.project.rankings.qrels("judged.rel").rows()) == [
        ("1", "d1", 4),
        ("2", "d1", 0),
        ("2", "d2", 2),
    ]
    assert any(
        "grades mapped" in warning
        for report in read_import_reports(window.project)
        for warning in report.warnings
    )


def test_an_impossible_option_is_reported_and_the_files_stay_chosen(
    page: NewProjectView, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    row = page.rows["qrels"]
    row.choose([write_collection(tmp_path)["qrels"]])
    wait_until_idle()
    for typed, problem in (
        ("1 to 4", "not a valid grade mapping"),
        ("1:4", "map the grade -1"),
        ("1:4,3:2,-1:0", ""),
    ):
        row.deciding.fields["grades"].setText(typed)
        row.deciding.fields["grades"].editingFinished.emit()
        wait_until_idle()
        assert problem in row_text(row) and row.is_ready is (not problem)
    assert "1 became 4" in row_text(row)


def test_unambiguous_files_ask_nothing(
    page: NewProjectView, wait_until_idle: Callable[[], None]
) -> None:
    row = page.rows["topics"]
    assert not row.options_button.isVisible()
    row.choose(SOURCES.topics)
    wait_until_idle()
    assert row.is_ready and row.options_button.isVisible() and not row.deciding.isVisible()
    row.options_button.click()
    assert row.deciding.isVisible()


# Several files, one of them invalid


def test_one_invalid_file_hides_nothing_of_the_others_and_can_be_removed(
    page: NewProjectView, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    page.file.setText(str(tmp_path / "new"))
    page.rows["documents"].choose(SOURCES.documents)
    page.rows["topics"].choose(SOURCES.topics)
    row = page.rows["runs"]
    row.choose([SOURCES.runs[0], SOURCES.topics[0], SOURCES.runs[1]])
    wait_until_idle()
    assert (
        "bm25: documents retrieved: 75" in row_text(row)
        and "ql: " in row_text(row)
        and "✕ topics.txt, line 1" in row_text(row)
    )
    assert not page.create_button.isEnabled() and page.missing.text().endswith(
        "skip them: topics.txt."
    )
    row.skip_button.click()
    wait_until_idle()
    assert (
        row.paths == (SOURCES.runs[0], SOURCES.runs[1])
        and "✕" not in row_text(row)
        and page.create_button.isEnabled()
    )


def test_removing_files_that_are_all_invalid_leaves_an_empty_row(
    page: NewProjectView, wait_until_idle: Callable[[], None]
) -> None:
    row = page.rows["qrels"]
    row.choose(SOURCES.documents)
    wait_until_idle()
    assert "✕" in row_text(row)
    row.skip_button.click()
    wait_until_idle()
    assert (
        row.chosen == row.rejected == ()
        and "✕" not in row_text(row)
        and not row.options_button.isVisible()
        and not row.skip_button.isVisible()
    )


# Optional parts


@pytest.mark.slow
def test_instructions_calibration_owner_and_a_typed_scale_reach_the_project(
    window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    guide = tmp_path / "guide.md"
    known = tmp_path / "known.qrels"
    documents = tmp_path / "all.jsonl"
    guide.write_text("# Judge\n\nRead all of it.\n", encoding="utf-8")
    known.write_text("1 0 tides-made 7\n", encoding="utf-8")
    text = "".join(path.read_text(encoding="utf-8") for path in SOURCES.documents)
    documents.write_text(
        text + '{"id": "stray", "text": "that nobody retrieved"}\n', encoding="utf-8"
    )
    window.do("new")
    view = window.pages.view("new")
    assert isinstance(view, NewProjectView)
    assert not view.rows["instructions"].isVisible()
    view.more.click()
    assert view.rows["instructions"].isVisible()
    for kind, paths in (
        ("documents", (documents,)),
        ("topics", SOURCES.topics),
        ("runs", SOURCES.runs),
    ):
        view.rows[kind].choose(paths)  # type: ignore[index]
    view.rows["instructions"].choose([guide])
    view.rows["calibration"].choose([known])
    view.only_pooled.setChecked(True)
    view.owner.setText(" Ann ")
    view.scale.box.setEditText("0-7")
    view.file.setText(str(tmp_path / "new"))
    wait_until_idle()
    assert "guide.md: lines: 3" in row_text(
        view.rows["instructions"]
    ) and "documents: 41" in row_text(view.rows["documents"])
    window.settings.add_name("Ann")
    view.create_button.click()
    wait_until_idle()
    project = window.project
    assert (
        project is not None and project.owner == "Ann" and project.scale.values == tuple(range(8))
    )
    assert project.calibration == {"1": {"tides-made": 7}} and project.instructions.startswith(
        "# Judge"
    )
    needed = {
        id
        for run in project.rankings.runs()
        for id in project.rankings.run(run.name).document.to_pylist()
    }
    assert project.collection.document_count() == len(needed) and project.collection.without_text(
        ["stray"]
    ) == ["stray"]


def test_reading_only_shown_documents_requires_runs_or_qrels(
    page: NewProjectView, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    page.file.setText(str(tmp_path / "new"))
    page.rows["documents"].choose(SOURCES.documents)
    page.rows["topics"].choose(SOURCES.topics)
    page.only_pooled.setChecked(True)
    wait_until_idle()
    assert not page.create_button.isEnabled() and "Choose runs or qrels" in page.missing.text()
    page.rows["qrels"].choose(SOURCES.qrels)
    wait_until_idle()
    assert page.create_button.isEnabled()


def test_the_proposed_path_is_in_the_folder_of_the_documents(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, proposed = window.pages.view("new"), list[str]()
    monkeypatch.setattr(
        QFileDialog,
        "getSaveFileName",
        lambda _page, _title, start, _kinds: (proposed.append(start) or "", ""),
    )
    page._ask_path()
    folder = SOURCES.documents[0].parent
    page.rows["documents"].choose(SOURCES.documents)
    page._ask_path()
    page.rows["documents"].choose([folder])
    page._ask_path()
    assert proposed == [
        "",
        str(folder / f"{folder.name}.irjudge"),
        str(folder.parent / f"{folder.name}.irjudge"),
    ]


@pytest.mark.parametrize("kinds", [("runs", "qrels"), ("topics", "documents"), ("topics",)])
def test_a_project_is_created_from_partial_data_and_lists_what_is_missing(
    kinds: tuple[str, ...], window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    sources, _ = sample_sources("everyday")
    window.show_page("new")
    page = window.pages.view("new")
    assert isinstance(page, NewProjectView)
    for kind in kinds:
        page.rows[kind].choose(getattr(sources, kind))
    wait_until_idle()
    page.file.setText(str(tmp_path / "part.irjudge"))
    assert page.create_button.isEnabled() and ("needs documents" in page.missing.text()) == (
        "documents" not in kinds
    )
    page.create_button.click()
    wait_until_idle()
    project = window.project
    assert project is not None and bool(project.rankings.runs()) == ("runs" in kinds)
    needs = [
        each.text()
        for each in window.collection.findChildren(QLabel)
        if each.isVisible() and "no documents" in each.text()
    ]
    assert bool(needs) == ("documents" not in kinds)
    window.show_page("judge")
    assert window.judge.findChild(StatePage) and (
        "Add documents" in visible_buttons(window.judge)
    ) == ("runs" in kinds)


def visible_buttons(page: QWidget) -> set[str]:
    return {each.text() for each in page.findChildren(QPushButton) if each.isVisible()}


def test_documents_and_topics_are_added_later(
    window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sources, scale = sample_sources("everyday")
    create_project_from_files(
        tmp_path / "later.irjudge", Sources(runs=sources.runs, qrels=sources.qrels), scale=scale
    )
    window.open(tmp_path / "later.irjudge")
    wait_until_idle()
    for action, paths in (("add-topics", sources.topics), ("add-documents", sources.documents)):
        monkeypatch.setattr(
            QFileDialog,
            "getOpenFileNames",
            lambda *_, paths=paths: ([str(path) for path in paths], ""),
        )
        page = BY_ID[action].page
        window.show_page(page)
        window.pages.view(page).buttons[action].click()
        wait_until_idle()
    assert window.project is not None
    assert (
        window.project.collection.document_count() == 40
        and len(window.project.collection.topic_titles()) == 6
    )


@pytest.mark.parametrize("size", [(1366, 768), (800, 600)])
def test_the_create_button_is_visible_at_any_scroll_position(
    window: Window, size: tuple[int, int]
) -> None:
    window.resize(*size)
    window.show_page("new")
    page = window.pages.view("new")
    assert isinstance(page, NewProjectView)
    for folded in (False, True):
        page.more.setChecked(folded)
        process_layouts()
        assert place_of(
            page.create_button
        ).size() == page.create_button.size() and "Choose files" in visible_text(page)


def test_all_supported_formats_are_listed_by_one_click(window: Window) -> None:
    window.show_page("new")
    find_widget(window.pages.view("new"), "Supported formats", QPushButton).click()
    assert window.pages.on_top() == "guides" and window.pages.view("guides").shown == "files"


def test_creating_without_a_path_asks_for_one(
    window: Window,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window.show_page("new")
    page = window.pages.view("new")
    assert isinstance(page, NewProjectView)
    sources, _ = sample_sources("everyday")
    page.rows["topics"].choose(sources.topics)
    wait_until_idle()
    wishes: list[ProjectRequest] = []
    page.new_project.disconnect()
    page.new_project.connect(wishes.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: ("", ""))
    page.create_button.click()
    assert not wishes and not page.file.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    page.create_button.click()
    assert [options.path for options in wishes] == [tmp_path / "mine.irjudge"]


def test_a_dropped_class_folder_creates_its_pool_and_assignments(
    window: Window, tmp_path: Path, wait_until_idle: Callable[[], None], qtbot: QtBot
) -> None:
    folder = make_folder(tmp_path / "class")
    window.show_page("new")
    view = window.pages.view("new")
    view.set_request([folder])
    wait_until_idle()
    qtbot.waitUntil(lambda: view.create_button.isEnabled())
    view.file.setText(str(tmp_path / "c"))
    qtbot.waitUntil(lambda: not view.describe_problem())
    assert find_numbers(view.missing.text()) == ["4", "2"]
    assert "c-assignments" in view.missing.text()
    view.create_button.click()
    wait_until_idle()
    qtbot.waitUntil(lambda: window.project is not None)
    assert len(window.project.rankings.pool().document) == 4
    assert [each.label for each in window.project.scale.grades] == ["Irrelevant", "Related"]
    written = sorted(each.name for each in (tmp_path / "c-assignments").iterdir())
    assert len(written) == 2 and "ir-01" in written[0] and "ir-02" in written[1]


def test_a_class_folder_without_topics_adds_only_its_files(
    page: NewProjectView, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    page.set_request([make_folder(tmp_path / "class")])
    wait_until_idle()
    page.rows["topics"].choose(())
    wait_until_idle()
    asked: list[ProjectRequest] = []
    page.new_project.connect(asked.append)
    page.file.setText(str(tmp_path / "c"))
    page.create_button.click()
    assert [each.class_folder for each in asked] == [None]


def test_retrieved_documents_missing_from_all_files_are_counted_before_creation(
    make_window: Callable[[], Window],
    textless_sources: Sources,
    wait_until_idle: Callable[[], None],
) -> None:
    window = make_window()
    window.resize(1366, 728)
    window.show_page("new")
    view = window.pages.view("new")
    assert isinstance(view, NewProjectView)
    view.rows["documents"].add(textless_sources.documents)
    view.rows["runs"].add(textless_sources.runs)
    wait_until_idle()
    note = view.rows["runs"].note
    missing = find_missing_documents(textless_sources.documents, textless_sources.runs)
    needed = [document for document, rank in missing.items() if rank <= 10]
    assert 0 < len(needed) < len(missing) and find_numbers(note.text())[:2] == [
        "10",
        str(len(needed)),
    ]
    assert note.objectName() == "warning"
    process_layouts()
    assert not note.visibleRegion().isEmpty()  # the page scrolled to it
    whole, _scale = sample_sources("everyday")
    view.rows["documents"].choose(whole.documents)
    wait_until_idle()
    assert note.isHidden()
    view.reset()


def test_missing_documents_below_the_pool_depth_cause_no_warning(
    page: NewProjectView, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    sources, _scale = sample_sources("everyday")
    empty = tmp_path / "none.jsonl"
    empty.write_text('{"id": "none", "text": "none"}\n', encoding="utf-8")
    deep = {
        document
        for document, rank in find_missing_documents([empty], sources.runs).items()
        if rank > 10
    }
    lines = sources.documents[0].read_text(encoding="utf-8").splitlines(keepends=True)
    pooled = tmp_path / "pooled.jsonl"
    pooled.write_text(
        "".join(line for line in lines if json.loads(line)["id"] not in deep), encoding="utf-8"
    )
    page.rows["documents"].add([pooled])
    page.rows["runs"].add(sources.runs)
    wait_until_idle()
    note = page.rows["runs"].note
    assert deep and find_numbers(note.text())[0] == str(len(deep))
    assert note.objectName() == "quiet" and "⚠" not in note.text()
    page.reset()

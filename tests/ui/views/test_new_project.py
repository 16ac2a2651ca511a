"""The page that makes a project: what was read is shown before anything is made."""

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from irjudge.formats.decisions import Decisions, FileKind
from irjudge.formats.preview import Preview
from irjudge.store.import_report import import_reports
from irjudge.store.importing import sample_sources
from irjudge.store.project import open_project
from irjudge_ui.settings import Settings
from irjudge_ui.views import new_project
from irjudge_ui.views.new_project import FileRow, NewProjectView, Wish
from irjudge_ui.views.trouble import TroubleDialog
from irjudge_ui.window import Window

SOURCES, SCALE = sample_sources("everyday")


@pytest.fixture
def page(qtbot: QtBot, settings: Settings) -> NewProjectView:
    made = NewProjectView(settings)
    qtbot.addWidget(made)
    made.show()
    return made


def words(row: FileRow) -> str:
    return "\n".join(label.text() for label in row.findChildren(QLabel) if label.isVisible())


def test_good_files_show_what_was_recognised_and_the_first_records(page: NewProjectView, idle: Callable[[], None]) -> None:
    page.rows["documents"].choose(SOURCES.documents)
    page.rows["topics"].choose(SOURCES.topics)
    page.rows["runs"].choose(SOURCES.runs)
    page.rows["qrels"].choose(SOURCES.qrels)
    assert "Reading" in words(page.rows["documents"])
    idle()
    assert "JSON lines" in words(page.rows["documents"]) and "tides-made" in words(page.rows["documents"])
    assert "6 topics, TREC" in words(page.rows["topics"])
    assert "bm25: " in words(page.rows["runs"]) and "61 judgments" in words(page.rows["qrels"])
    assert all(row.ready for row in page.rows.values())


def test_a_wrong_file_says_what_is_wrong_with_it_and_does_not_count(page: NewProjectView, idle: Callable[[], None]) -> None:
    row = page.rows["runs"]
    row.choose(SOURCES.topics)
    idle()
    assert "✕ topics.txt, line 1" in words(row) and "expected 6" in words(row)
    assert row.paths == () and not row.ready
    row.choose(SOURCES.runs)
    idle()
    assert "✕" not in words(row) and row.ready


def test_only_the_answer_for_the_newest_choice_is_shown(
    page: NewProjectView, idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    real, go = new_project.preview, threading.Event()

    def slow(kind: FileKind, paths: Sequence[Path], decided: Decisions) -> Preview:
        if paths == SOURCES.qrels:
            go.wait(5)
        return real(kind, paths, decided)

    monkeypatch.setattr(new_project, "preview", slow)
    row = page.rows["topics"]
    row.choose(SOURCES.qrels)  # a wrong choice, whose answer comes after that of the newer one
    row.choose(SOURCES.topics)
    qtbot.waitUntil(lambda: row.ready)
    go.set()
    idle()
    assert row.ready and "6 topics" in words(row) and "✕" not in words(row)


def test_create_is_offered_only_when_all_is_there(page: NewProjectView, idle: Callable[[], None], tmp_path: Path) -> None:
    assert not page._create.isEnabled() and "documents and topics" in page._problem.text()
    page.rows["documents"].choose(SOURCES.documents)
    page.rows["topics"].choose(SOURCES.topics)
    assert not page._create.isEnabled()
    idle()
    assert not page._create.isEnabled() and "where" in page._problem.text()
    page.file.setText(str(tmp_path / "new"))
    assert page._create.isEnabled() and page._problem.text() == ""
    (tmp_path / "new.irjudge").touch()
    page.file.setText(str(tmp_path / "new") + " ")
    assert not page._create.isEnabled() and "exists already" in page._problem.text()


def test_what_is_asked_for_names_files_scale_and_place(
    page: NewProjectView, idle: Callable[[], None], tmp_path: Path, qtbot: QtBot
) -> None:
    for kind in ("documents", "topics", "runs"):
        page.rows[kind].choose(getattr(SOURCES, kind))
    idle()
    page.file.setText(str(tmp_path / "new"))
    page.scale.setCurrentText("binary")
    with qtbot.waitSignal(page.asked) as asked:
        page._create.click()
    (wish,) = asked.args or []
    assert isinstance(wish, Wish) and wish.path == tmp_path / "new.irjudge" and wish.scale.values == (0, 1)
    assert wish.sources.runs == SOURCES.runs and wish.sources.qrels == ()


def test_a_project_is_made_from_chosen_files_and_opened(
    window: Window, idle: Callable[[], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.show_page("new")
    page = window.pages.view("new")
    for kind in ("documents", "topics", "runs"):
        names = [str(path) for path in getattr(SOURCES, kind)]
        monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_, names=names: (names, ""))
        page.rows[kind].first.click()
    idle()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    page._ask_path()
    assert page.file.text() == str(tmp_path / "mine.irjudge")
    page._create.click()
    idle()
    assert window.project is not None and window.project.collection.document_count() == 40
    assert "Documents: 40" in window.collection._report.text() and not window._working.busy.isVisible()


def test_a_file_that_breaks_after_its_preview_leaves_no_project(window: Window, idle: Callable[[], None], tmp_path: Path) -> None:
    topics = tmp_path / "topics.tsv"
    topics.write_text("1\twhat\n", encoding="utf-8")
    window.show_page("new")
    window.pages.view("new").rows["documents"].choose(SOURCES.documents)
    window.pages.view("new").rows["topics"].choose([topics])
    idle()
    window.pages.view("new").file.setText(str(tmp_path / "new.irjudge"))
    topics.unlink()
    window.pages.view("new")._create.click()
    idle()
    assert window.project is None and not (tmp_path / "new.irjudge").exists()
    assert window._message.text().startswith("✕ ") and "topics.tsv" in window._message.text()


def test_a_fault_of_ours_while_reading_is_shown_with_details(
    window: Window, idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("our fault")

    monkeypatch.setattr(new_project, "preview", broken)
    window.show_page("new")
    window.pages.view("new").rows["topics"].choose(SOURCES.topics)
    idle()
    dialog = window.findChild(TroubleDialog)
    assert dialog is not None and "in broken" in dialog.details
    with qtbot.waitSignal(dialog.destroyed):
        dialog.accept()
        dialog.close()


def test_the_shipped_sample_is_read(everyday: Path) -> None:
    with open_project(everyday, writing=False) as project:
        assert len(project.rankings.runs()) == 4


# Files that may mean two things


def files(folder: Path) -> dict[FileKind, Path]:
    """A collection as Cranfield is: table columns of its own, topics that do not count, grades turned round with -1 among them."""
    texts = {
        "documents": ("docs.csv", "key,body\nd1,one\nd2,two\n"),
        "topics": ("topics.qry", ".I 1\n.W\nfirst\n.I 4\n.W\nsecond\n"),
        "qrels": ("judged.rel", "1 d1 1\n2 d2 3\n2 d1 -1\n"),
    }
    for name, text in texts.values():
        (folder / name).write_text(text)
    return {kind: folder / name for kind, (name, _) in texts.items()}  # type: ignore[misc]


def decide_all(view: NewProjectView, given: Mapping[FileKind, Path], idle: Callable[[], None]) -> None:
    answers = {"documents": ("columns", "id=key, text=body"), "topics": ("topic_ids", "order"), "qrels": ("grades", "1:4, 3:2, -1:0")}
    for kind, path in given.items():
        row = view.rows[kind]
        row.choose([path])
        idle()
        assert not row.ready and "✕" in words(row) and row.deciding.isVisible(), kind
        assert "--" not in words(row), "an option of the command line"
        field, answer = answers[kind]
        if field in row.deciding.fields:
            row.deciding.fields[field].setText(answer)
            row.deciding.fields[field].editingFinished.emit()
        else:
            box = row.deciding.choices[field]
            box.setCurrentIndex(box.findData(answer))
            box.activated.emit(box.currentIndex())
        idle()
        assert row.ready and "✕" not in words(row), words(row)


def test_what_is_not_clear_is_decided_on_the_page_and_kept_in_the_project(window: Window, tmp_path: Path, idle: Callable[[], None]) -> None:
    window.do("new")
    view = window.pages.view("new")
    assert isinstance(view, NewProjectView)
    decide_all(view, files(tmp_path), idle)
    view.scale.setCurrentIndex(view.scale.findData("0-4"))
    view.file.setText(str(tmp_path / "new.irjudge"))
    view._create.click()
    idle()
    assert window.project is not None
    assert [topic.id for topic in window.project.collection.topics()] == ["1", "2"]
    assert sorted(window.project.rankings.qrels("judged.rel").rows()) == [("1", "d1", 4), ("2", "d1", 0), ("2", "d2", 2)]
    assert any("grades were turned" in remark for report in import_reports(window.project) for remark in report.remarks)


def test_a_decision_that_cannot_be_is_said_and_the_files_stay_chosen(
    page: NewProjectView, tmp_path: Path, idle: Callable[[], None]
) -> None:
    row = page.rows["qrels"]
    row.choose([files(tmp_path)["qrels"]])
    idle()
    for typed, problem in (("1 to 4", "turns no grade into another"), ("1:4", "does not say what -1 becomes"), ("1:4,3:2,-1:0", "")):
        row.deciding.fields["grades"].setText(typed)
        row.deciding.fields["grades"].editingFinished.emit()
        idle()
        assert problem in words(row) and row.ready is (not problem)
    assert "1 of grade 4" in words(row)


def test_nothing_is_asked_of_files_that_are_clear(page: NewProjectView, idle: Callable[[], None]) -> None:
    row = page.rows["topics"]
    assert not row.how.isVisible()
    row.choose(SOURCES.topics)
    idle()
    assert row.ready and row.how.isVisible() and not row.deciding.isVisible()
    row.how.click()
    assert row.deciding.isVisible()

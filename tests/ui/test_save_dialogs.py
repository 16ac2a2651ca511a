"""Tests that no save dialog overwrites a project, and that the refusal is reported."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel

import irjudge_ui
from irjudge.exchange import read_assigned_work
from irjudge.judging import Session, make_receipt
from irjudge.report import ExportOptions
from irjudge_ui.pages.frame import CrashDialog
from irjudge_ui.pages.project.export_dialog import ProjectExporter
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from irjudge_ui.workspace.submission import ReceiptDialog
from tests.ui.window_content import find_widget

Idle = Callable[[], None]


def open_page(window: Window, name: str, wait_until_idle: Idle) -> object:
    window.show_page(name)
    wait_until_idle()
    return window.pages.view(name)


def ask_report(window: Window, wait_until_idle: Idle) -> None:
    open_page(window, "evaluate", wait_until_idle).ask_where(".xlsx")


def ask_export(window: Window, wait_until_idle: Idle) -> None:
    exporting: ProjectExporter = open_page(window, "collection", wait_until_idle).exporting
    exporting.ask_where(ExportOptions("pool"), ".csv")


def ask_receipt(window: Window, wait_until_idle: Idle) -> None:
    made = make_receipt(read_assigned_work(window.project, None) or Session(window.project))
    dialog = ReceiptDialog(window, made, window.project.path)
    dialog.open()
    dialog.receipt._save()


def ask_details(window: Window, wait_until_idle: Idle) -> None:
    dialog = CrashDialog(window, ValueError("x"), "trace")
    dialog.open()
    dialog._save()


def ask_browser_page(window: Window, wait_until_idle: Idle) -> None:
    assessors = open_page(window, "assessors", wait_until_idle)
    assessors.form.people.setText("dora, emil")
    assessors.form.overlap.set_value(1)
    assessors.assign()
    wait_until_idle()
    find_widget(assessors, "Files", Table).selectRow(0)
    assessors.ask_page()


def ask_audit(window: Window, wait_until_idle: Idle) -> None:
    """Import labels of a model that gives grade 1 everywhere, and ask where to save its audit."""
    models = open_page(window, "models", wait_until_idle)
    judged = {
        (event.item.topic, event.item.documents[0])
        for event in window.project.events.read()
        if event.kind == "grade"
    }
    labels = window.project.path.with_name("model.qrels")
    labels.write_text("".join(f"{topic} 0 {document} 1\n" for topic, document in sorted(judged)))
    models.import_file(labels, "m-1")
    wait_until_idle()
    models.save()


# By module: the function that asks for a path, and its file extension. A new project asks too, but
# its page refuses existing files.
ASKS: dict[str, tuple[Callable[[Window, Idle], None], str]] = {
    "exports.py": (lambda window, wait_until_idle: window.exports.ask_qrels(), ""),
    "evaluate.py": (ask_report, ".csv"),
    "export_dialog.py": (ask_export, ".csv"),
    "figures.py": (
        lambda window, wait_until_idle: open_page(window, "figures", wait_until_idle).ask_save(),
        ".svg",
    ),
    "saving.py": (
        lambda window, wait_until_idle: open_page(
            window, "judge", wait_until_idle
        ).saving.ask_copy(),
        "",
    ),
    "open_project.py": (
        lambda window, wait_until_idle: window._opener._ask_rescue(window.project.path),
        "",
    ),
    "assessors.py": (ask_browser_page, ".html"),
    "models.py": (ask_audit, ".xlsx"),
    "submission.py": (ask_receipt, ""),
    "crash_dialog.py": (ask_details, ""),
}


def test_every_module_with_a_save_dialog_is_tested_here() -> None:
    folder = Path(irjudge_ui.__file__).parent
    asking = {
        path.name
        for path in folder.rglob("*.py")
        if "ask_save_path(" in path.read_text(encoding="utf-8")
    }
    asking.remove("file_dialogs.py")
    assert asking == {
        *ASKS,
        "new_project.py",
        "evaluate_files.py",
        "exercises.py",
        "printing.py",
    }  # the third adds to an existing file; the last is tested with sessions


@pytest.mark.slow
@pytest.mark.parametrize("module", ASKS)
def test_no_page_overwrites_a_project(
    module: str,
    assessed_window: Window,
    wait_until_idle: Idle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    window, (ask, ending) = assessed_window, ASKS[module]
    assert window.project is not None
    copy = Path(shutil.copy(window.project.path, tmp_path / "other"))
    before, link = copy.read_bytes(), tmp_path / f"link{ending}"
    link.symlink_to(copy)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(link), f"X (*{ending})"))
    ask(window, wait_until_idle)
    wait_until_idle()
    texts = [label.text() for label in window.findChildren(QLabel)]
    assert copy.read_bytes() == before and link.is_symlink()
    assert any("never overwritten" in text or "already exists" in text for text in texts), texts
    for dialog in window.findChildren(QDialog):
        dialog.close()

"""Tests that the start page shows each project's progress, read from the user's settings only."""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from irjudge.exchange import (
    AssignmentOptions,
    assign_pool,
    parse_candidates,
    read_project_status,
)
from irjudge.judging import count_judged_in_pool, submit_work
from irjudge.store import open_project
from irjudge_ui.pages.home import format_summary
from irjudge_ui.window import Window

TODAY = datetime(2026, 5, 4)  # noqa: DTZ001


def project_description(window: Window) -> str:
    window.show_page("home")
    (entry,) = window.pages.view("home")._recent_entries.values()
    return str(entry.accessibleDescription())


@pytest.mark.slow
def test_the_start_page_follows_judging_and_submission(open_window: Window, qtbot: QtBot) -> None:
    assert open_window.project is not None
    assert project_description(open_window).startswith("0 of 34 judged") and str(
        open_window.project.path.parent
    ) in project_description(open_window).replace("\u200b", "")
    open_window.show_page("judge")
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    QTest.keyClick(open_window.judge.document, Qt.Key.Key_2)
    assert project_description(open_window).startswith(
        "1 of 34 judged"
    ) and "opened" in project_description(open_window)
    path = open_window.project.path
    open_window.close_project()
    assert open_window.settings.last_seen()[str(path)]["judged"] == "1"


@pytest.mark.slow
def test_an_organisers_project_counts_the_judgments_of_all_assessors(
    window: Window, harbour_path: Path
) -> None:
    assert window.open(harbour_path)
    window.show_page("judge")
    assert project_description(window).startswith("166 of 166 judged"), (
        "three assessors judged it, and its owner nothing"
    )


@pytest.mark.parametrize(
    ("values", "parts"),
    [
        ({}, []),
        (
            {"judged": "3", "assigned": "34", "used": "2026-05-03"},
            ["3 of 34", "2026-05-03"],
        ),
        (
            {"assigned": "34", "judged": "0", "deadline": "2026-05-04", "owner": "ann"},
            ["0 of 34", "due 2026-05-04", "ann"],
        ),
        ({"deadline": "2026-05-03"}, ["overdue since 2026-05-03"]),
        ({"deadline": "2026-05-03", "handed": "2026-05-02"}, ["submitted 2026-05-02"]),
        (
            {"deadline": "2026-05-04", "handed": "2026-05-02", "judged": "3", "assigned": "34"},
            ["3 of 34", "submitted 2026-05-02", "due 2026-05-04"],
        ),
        (
            {"handed": "2026-05-02", "changed": "yes"},
            ["submitted 2026-05-02", "changed"],
        ),
        ({"else": "what"}, []),
    ],
)
def test_the_stored_progress_is_described(values: dict[str, str], parts: list[str]) -> None:
    text = format_summary(values, TODAY)
    for part, expected in zip(text.split(" · ") if text else [], parts, strict=True):
        assert expected in part


@pytest.mark.slow
def test_the_start_page_reads_no_project(
    open_window: Window, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    open_window.close_project()
    monkeypatch.setattr(
        "irjudge.store.project.open_project", lambda *_args, **_more: pytest.fail("read")
    )
    open_window.settings.add_recent(tmp_path / "never read.irjudge")
    open_window.show_page("home")


@pytest.mark.slow
def test_a_submission_changes_the_start_page(open_window: Window) -> None:
    session = open_window.judge.session
    assert session is not None
    first = session.current()
    assert first is not None
    session.grade(first, 2, active_ms=1)
    submit_work(session)
    assert "· submitted 20" in project_description(
        open_window
    ) and "changed" not in project_description(open_window)
    work = session.advance()
    assert work is not None
    session.grade(work, 1, active_ms=1)
    assert "changed after" in project_description(open_window)


@pytest.mark.slow
def test_an_assigned_project_continues_with_its_next_step(
    open_window: Window, tmp_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    project = open_window.project
    assert project is not None
    assign_pool(
        project, parse_candidates("ann,bob"), AssignmentOptions(overlap=2), tmp_path / "out"
    )
    path = project.path
    open_window.show_page("judge")
    open_window.show_page("collection")
    wait_until_idle()
    open_window.show_page("home")
    open_window.pages.view("home").open_file.emit(path)
    assert open_window.pages.on_top() == "assessors", "the project is already open"
    open_window.close_project()
    assert open_window.settings.last_seen()[str(path)]["next"] == "assessors"
    assert open_window.open(path)
    wait_until_idle()
    assert open_window.pages.on_top() == "assessors"


def test_pairs_without_text_do_not_count_as_judgeable(textless_path: Path) -> None:
    with open_project(textless_path) as project:
        status = read_project_status(project, TODAY.date())
        assert status.textless, "otherwise nothing is tested"
        assert count_judged_in_pool(project) == (status.judged, status.judgeable)

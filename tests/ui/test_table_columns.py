"""Tests that tables cut no value: columns fit their content, the rest scrolls, headers elide."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.assessors import AssessorsView
from irjudge_ui.pages.results.explain import ExplainView
from irjudge_ui.pages.results.what_if import RankedRow, RankingTable, TrialModel
from irjudge_ui.widgets import Table
from irjudge_ui.widgets.table import Header
from irjudge_ui.window import Window
from tests.ui.layout_checks import process_layouts

Idle = Callable[[], None]
SMALL = (1366, 768)
PAGES = ("assessors", "evaluate", "explain")
LONG = "AP P@10 nDCG@10 RR ERR@20 RBP(p=0.5,gain=graded) alpha-nDCG@10 bpref INST(T=3) Rprec"


def visible_tables(window: Window) -> list[Table]:
    return [each for each in window.pages.findChildren(Table) if each.isVisible()]


def find_cut_values(table: Table) -> list[str]:
    """Describe columns that are partly visible, and values that have too little room."""
    header, model, problems = table.horizontalHeader(), table.model(), []
    for section in range(header.count()):
        if header.isSectionHidden(section):
            continue
        name = str(model.headerData(section, Qt.Orientation.Horizontal))
        left = header.sectionViewportPosition(section)
        width = header.sectionSize(section)
        room = table.viewport().width()
        if 0 <= left < room < left + width:
            problems.append(
                f"{table.accessibleName()}, {name}: {room - left} of {width} pixels in view"
            )
        rows = range(model.rowCount()) if is_numeric(table, section) else ()
        needed = max(
            (table.sizeHintForIndex(model.index(row, section)).width() for row in rows), default=0
        )
        if needed > width:
            problems.append(
                f"{table.accessibleName()}, {name}: {width} pixels wide, needs {needed}"
            )
    bottom = header.height() + table.verticalHeader().length()
    if table._rows >= model.rowCount() and table.viewport().geometry().bottom() + 1 < bottom:
        problems.append(
            f"{table.accessibleName()}: {table.viewport().geometry().bottom() + 1} pixels high, needs {bottom}"
        )
    return problems


def is_numeric(table: Table, section: int) -> bool:
    """Return whether a column has numbers."""
    return bool(
        int(
            table.model().headerData(
                section, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
            )
        )
        & Qt.AlignmentFlag.AlignRight.value
    )


def find_problems(window: Window, page: str, wait_until_idle: Idle) -> list[str]:
    window.show_page(page)
    wait_until_idle()
    process_layouts()
    return [problem for table in visible_tables(window) for problem in find_cut_values(table)]


@pytest.fixture
def busy_window(
    language: str,
    make_window: Callable[[], Window],
    assessed_path: Path,
    tmp_path: Path,
    wait_until_idle: Idle,
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> Window:
    """A window of 1366×768 with assigned files, five runs and many measures."""
    made = make_window()
    made.resize(*SMALL)
    made.open(assessed_path)
    project = made.project
    assert project is not None
    first = project.rankings.run(project.rankings.runs()[0].name)
    project.rankings.add_run(replace(first, name="a-fifth-run-with-a-long-name"))
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path / "out"))
    made.show_page("assessors")
    wait_until_idle()
    page = made.pages.view("assessors")
    assert isinstance(page, AssessorsView)
    page.form.people.setText("ann, bob, cleo")
    page.form.deadline.setText("2030-01-01")
    page.actions_by_id["assign"].trigger()
    wait_until_idle()
    return made


@pytest.mark.slow
def test_no_value_is_cut_on_pages_with_wide_tables(
    busy_window: Window, wait_until_idle: Idle
) -> None:
    assert [
        problem for page in PAGES for problem in find_problems(busy_window, page, wait_until_idle)
    ] == []
    busy_window.evaluation.use_measures(LONG)
    assert [
        problem for page in PAGES for problem in find_problems(busy_window, page, wait_until_idle)
    ] == []


@pytest.mark.slow
def test_no_value_is_cut_when_another_topic_has_longer_ones(
    busy_window: Window, wait_until_idle: Idle, language: str, full: bool
) -> None:
    if language != "en" and not full:
        pytest.skip("values are equal in all languages: --full")
    find_problems(busy_window, "explain", wait_until_idle)
    page = busy_window.pages.view("explain")
    assert isinstance(page, ExplainView)
    for name in ("nDCG@10", "ERR@20", "DCG(discount=jk)@10"):
        page.measure.setEditText(name)
        page._explain()
        for item in range(page.topic.count()):
            page.topic.setCurrentIndex(item)
            page._begin()
            wait_until_idle()
            process_layouts()
            assert [
                value for table in visible_tables(busy_window) for value in find_cut_values(table)
            ] == [], (
                name,
                item,
            )


def test_a_header_without_room_is_elided_and_has_a_tooltip(
    open_window: Window, wait_until_idle: Idle
) -> None:
    name = "RBP(p=0.5,gain=graded,norm=expected,depth=1000)@1000"
    columns = [Column(name, str, help="what it means"), Column("Run", str)]
    table = Table(TableModel(columns, ["a", "b"]), "A table", stretch=1)
    open_window.setCentralWidget(table)
    process_layouts()
    header = table.horizontalHeader()
    assert isinstance(header, Header) and header.textElideMode() == Qt.TextElideMode.ElideRight
    assert header.sectionSize(0) < header.sectionSizeHint(0)
    assert (
        header.section_tooltip(0) == f"{name}\nwhat it means" and header.section_tooltip(1) == "Run"
    )


def test_a_ranking_of_the_same_length_with_longer_numbers_gets_wider_columns(
    open_window: Window,
) -> None:
    model = TrialModel()
    table = RankingTable(model, "Ranking")
    open_window.setCentralWidget(table)
    for cell in ("3.0", "3.00000000000001"):
        model.show_ranking([RankedRow("d1", 1, cells=(cell, cell))], ("gain", "sum"), (0, 1))
        process_layouts()
        assert find_cut_values(table) == []

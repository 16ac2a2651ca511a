"""Tests of the collection page: the project's contents, and changes that can be undone."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from irjudge.errors import Undecided
from irjudge.evaluation import evaluate_project, parse_measures
from irjudge.formats import FileKind
from irjudge.judging import (
    Session,
    choose_qrels,
    count_documents_by_topic,
    list_pooled_without_text,
    list_retrieved_without_text,
    read_project_qrels,
)
from irjudge.pooling import PoolOptions, build_pool, make_qrels_judge
from irjudge.progress import Progress
from irjudge.store import Project, Sources
from irjudge_ui import jobs
from irjudge_ui.pages.project import CollectionView, collection
from irjudge_ui.pages.project import file_import as add_files
from irjudge_ui.pages.project.collection import ProjectCounts
from irjudge_ui.pages.project.file_import import AmbiguousFileDialog, ImportOptionsPanel
from irjudge_ui.pages.shared import DocumentDialog
from irjudge_ui.widgets import Table
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import find_widget, is_shown, label_texts, visible_text

ONE_WINDOW = True

CTRL = Qt.KeyboardModifier.ControlModifier
Press = Callable[..., None]


@pytest.fixture
def first_page() -> str:
    return "collection"


@pytest.fixture
def page(open_window: Window) -> CollectionView:
    return open_window.collection


def run_names(page: CollectionView) -> list[str]:
    assert page.project is not None
    return [run.name for run in page.project.rankings.runs()]


def project_contents(page: CollectionView) -> tuple[object, ...]:
    assert page.project is not None
    rankings = page.project.rankings
    return (
        rankings.runs(),
        rankings.qrels_names(),
        rankings.pool_version(),
        page.project.collection.document_count(),
    )


def test_the_page_shows_the_contents_of_the_project(
    page: CollectionView, qtmodeltester: ModelTester
) -> None:
    assert "Documents: 40 · topics: 6 · runs: 4" in label_texts(page)
    assert (
        "top 5 of" in visible_text(page)
        and "(runs: 4)" in visible_text(page)
        and "graded: 34 of 34" in visible_text(page)
    )
    assert "qrels (judgments: 61)" in label_texts(page)
    qtmodeltester.check(page.topics)


@pytest.mark.slow
def test_counts_follow_judging(
    page: CollectionView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.show_page("judge")
    session = open_window.judge.session
    assert session is not None and page.project is not None
    choose_qrels(page.project, "judged here")
    for grade in (0, 2):
        work = session.current()
        assert work is not None
        session.grade(work, grade)
        session.advance()
    open_window.show_page("collection")
    wait_until_idle()
    assert (
        sum(row.judged for row in page.topics.rows) == 2
        and sum(row.relevant for row in page.topics.rows) == 1
    )
    assert "graded: 2 of" in visible_text(page) and "judged here (judgments: 2)" in visible_text(
        page
    )


def test_judgments_outside_the_pool_are_counted_separately(
    page: CollectionView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    open_window.show_page("judge")
    session = open_window.judge.session
    assert session is not None and page.project is not None
    choose_qrels(page.project, "judged here")
    work = session.current()
    session.grade(work, 2)
    runs_now = [page.project.rankings.run(run.name) for run in page.project.rankings.runs()]
    smaller = build_pool(runs_now, PoolOptions("depth", depth=1, topics=("2", "3", "4", "5", "6")))
    page.project.rankings.add_pool(smaller)
    open_window.show_page("collection")
    wait_until_idle()
    (row,) = [row for row in page.topics.rows if row.id == "1"]
    assert (row.pooled, row.judged, row.relevant, row.judged_outside) == (0, 0, 1, 1), (
        "what is relevant is what measures count"
    )
    assert "None of the pairs" in visible_text(page) and "outside the pool: 1." in visible_text(
        page
    )


def test_a_pool_is_built_undone_and_redone_by_keyboard(
    page: CollectionView, press: Press, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    pools = [len(page.project.rankings.pool() or ())]
    page.pool_form.top.set_value(2)
    press("B", CTRL)
    wait_until_idle()
    pools.append(len(page.project.rankings.pool() or ()))
    press("Z", CTRL)
    pools.append(len(page.project.rankings.pool() or ()))
    press("Y", CTRL)
    pools.append(len(page.project.rankings.pool() or ()))
    assert pools[0] == pools[2] > pools[1] == pools[3]
    assert f"{pools[3]} topic–document pairs" in visible_text(page) and "the top 2" in visible_text(
        page
    )


def test_judging_continues_with_the_new_pool(
    page: CollectionView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    page.pool_form.top.set_value(1)
    page.build_pool()
    wait_until_idle()
    open_window.show_page("judge")
    session = open_window.judge.session
    assert (
        session is not None
        and page.project is not None
        and len(session.queue) == len(page.project.rankings.pool() or ())
    )


def test_an_imported_auxiliary_file_is_shown_and_its_measures_are_evaluated(
    page: CollectionView,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    press: Press,
) -> None:
    assert page.project is not None and "Auxiliary files" not in visible_text(page)
    retrieved = {
        name
        for run in run_names(page)
        for name in page.project.rankings.run(run).document.to_pylist()
    }
    (tmp_path / "size.csv").write_text(
        "".join(["document,characters\n", *(f"{name},500\n" for name in sorted(retrieved))])
    )
    monkeypatch.setattr(
        QFileDialog, "getOpenFileNames", lambda *_: ([str(tmp_path / "size.csv")], "")
    )
    press(Qt.Key.Key_I, CTRL | Qt.KeyboardModifier.AltModifier)
    wait_until_idle()
    assert f"(size.csv, rows: {len(retrieved)})" in visible_text(page)
    assert f"from size.csv (rows: {len(retrieved)})." in visible_text(page)
    values = [run.summary[0] for run in evaluate_project(page.project, parse_measures(["U"])).runs]
    assert min(values) > 0


def test_a_broken_file_changes_nothing_and_its_problem_is_shown(
    page: CollectionView, open_window: Window, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    good, bad = tmp_path / "good.run", tmp_path / "bad.run"
    good.write_text("1 Q0 tides-made 1 2.0 good\n", encoding="utf-8")
    bad.write_text("1 Q0 tides-made 1 2.0 bad\n1 Q0\n", encoding="utf-8")
    before = project_contents(page)
    page.adding.add(Sources(runs=(good, bad)))
    wait_until_idle()
    assert project_contents(page) == before
    assert not page.actions_by_id["undo-change"].possible
    assert open_window.message.text().startswith("✕ bad.run, line 2")
    assert open_window.pages.isEnabled() and not open_window.blocking_job.busy.isVisible()


@pytest.mark.slow
@pytest.mark.parametrize("work", ["pool", "import"])
def test_a_cancelled_import_leaves_everything_unchanged(
    work: str,
    page: CollectionView,
    open_window: Window,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    press: Press,
    tmp_path: Path,
) -> None:
    module, name = {"pool": (collection, "create_pool"), "import": (add_files, "import_sources")}[
        work
    ]
    real = getattr(module, name)

    def slow(*given: object, **named: object) -> object:
        for _ in range(2000):
            Progress.step(
                next(each for each in [*given, *named.values()] if isinstance(each, Progress)),
                1,
                2,
                "slow",
            )
            cancelled.wait(0.005)
        return real(*given, **named)

    cancelled = threading.Event()
    monkeypatch.setattr(module, name, slow)
    before = project_contents(page)
    if work == "pool":
        page.build_pool()
    else:
        path = tmp_path / "mine.run"
        path.write_text("1 Q0 tides-made 1 2.0 mine\n", encoding="utf-8")
        page.adding.add(Sources(runs=(path,)))
    assert (
        open_window.blocking_job.busy.isVisible()
        and jobs.is_busy()
        and not open_window.pages.isEnabled()
    )
    press("O", CTRL)  # no other project can be opened meanwhile
    press(Qt.Key.Key_Escape)
    wait_until_idle()
    assert (
        project_contents(page) == before
        and "Cancelled; nothing was changed." in open_window.message.text()
    )
    assert find_widget(page, "Topics", Table).hasFocus()


def test_an_ambiguous_file_is_added_after_a_question(
    page: CollectionView, wait_until_idle: Callable[[], None], tmp_path: Path
) -> None:
    answers = tmp_path / "ours.json"
    answers.write_text(
        json.dumps({"query": "tides", "found": {"items": [{"key": "tides-made", "rank": 2.5}]}}),
        encoding="utf-8",
    )
    before = project_contents(page)
    page.adding.add(Sources(runs=(answers,)))
    wait_until_idle()
    asked = page.findChild(AmbiguousFileDialog)
    assert (
        project_contents(page) == before
        and "--paths" not in visible_text(asked)
        and '"Paths"' in visible_text(asked)
    )
    paths = asked.deciding.fields["paths"]
    assert paths.hasFocus()
    QTest.keyClicks(paths, "hits=nowhere=1")
    asked.buttons[-1].click()
    wait_until_idle()
    assert project_contents(page) == before and asked.isVisible(), (
        "wrong words are said in the dialog"
    )
    paths.clear()
    QTest.keyClicks(paths, "query=query, hits=found.items, id=key, score=rank")
    asked.buttons[-1].click()
    wait_until_idle()
    assert page.project is not None and page.project.rankings.run("ours").document.to_pylist() == [
        "tides-made"
    ]


def enter_options(panel: ImportOptionsPanel, options: dict[str, str]) -> None:
    for name, value in options.items():
        if box := panel.choices.get(name):
            box.setCurrentIndex(box.findData(value))
        else:
            panel.fields[name].setText(value)


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("qrels", {"columns": "topic=t,document=d,grade=g"}, {"negative": "unjudged"}),
        ("qrels", {"gains": "gains"}, {"cuts": "0.2,0.5"}),
        ("qrels", {"encoding": "UTF-16", "grades": "exact:3,1:0"}, {"negative": "0"}),
        ("topics", {"topic_ids": "order"}, {"columns": "id=a"}),
        ("runs", {"paths": "hits=found.items,id=key,score=rank"}, {"encoding": "UTF-8"}),
    ],
)
def test_a_second_question_about_a_file_keeps_the_first_answer(
    qtbot: QtBot, tmp_path: Path, kind: FileKind, first: dict[str, str], second: dict[str, str]
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    path = tmp_path / "a"
    sources = [add_files.to_sources(kind, (path,))]
    for answer in (first, second):
        dialog = AmbiguousFileDialog(
            parent, sources[-1], Undecided(path, "?", tuple(answer)), sources.append
        )
        enter_options(dialog.deciding, answer)
        dialog.buttons[-1].click()
    panel = ImportOptionsPanel(kind, "")
    qtbot.addWidget(panel)
    enter_options(panel, first | second)
    assert sources[-1].get_options(kind) == panel.decisions()


def test_topics_known_only_from_the_pool_or_the_judgments_are_listed(project: Project) -> None:
    rows = count_documents_by_topic(project)
    assert [row.id for row in rows] == ["1", "2", "3", "4", "5", "6"]
    pool = project.rankings.pool()
    assert pool is not None and sum(row.pooled for row in rows) == len(pool)


def test_judged_and_relevant_counts_of_topics_use_the_selected_qrels(
    page: CollectionView, wait_until_idle: Callable[[], None]
) -> None:
    project = page.project
    assert project is not None
    page.refresh()
    wait_until_idle()
    pool = project.rankings.pool()
    assert pool is not None
    assert sum(row.judged for row in count_documents_by_topic(project)) == len(pool), (
        "imported qrels judge all of it"
    )
    assert sum(row.relevant for row in count_documents_by_topic(project)) > 0
    assert "graded: 34 of 34" in visible_text(page)
    session = Session(project)
    session.grade(session.current(), 0)
    choose_qrels(project, "judged here")
    assert [
        (row.judged, row.relevant) for row in count_documents_by_topic(project) if row.judged
    ] == [(1, 0)]


def test_a_pool_is_built_by_the_selected_strategy(
    page: CollectionView, press: Press, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None
    names = [
        page.pool_form.strategy.itemData(index) for index in range(page.pool_form.strategy.count())
    ]
    assert names[0] == "plain" and {"rank-systems", "find-relevant", "rrf", "maxmean"} <= set(names)
    for name, size in (("rrf", 3), ("maxmean", 4), ("rank-systems", 0)):
        page.pool_form.strategy.setCurrentIndex(page.pool_form.strategy.findData(name))
        page.pool_form.max_size.set_value(size)
        page.pool_form.top.set_value(10)
        page.build_pool()
        wait_until_idle()
        runs = [page.project.rankings.run(run.name) for run in page.project.rankings.runs()]
        judge = make_qrels_judge(read_project_qrels(page.project))
        expected = build_pool(runs, PoolOptions(name, depth=10, size=size or None), judge=judge)
        pool = page.project.rankings.pool()
        assert pool is not None and pool.document.to_pylist() == expected.document.to_pylist()
        assert pool.strategy in visible_text(page)


def test_strategies_that_need_a_judge_are_offered_only_if_something_is_judged(
    page: CollectionView,
) -> None:
    page.pool_form.offer(adaptive=False)
    assert (
        page.pool_form.strategy.findData("maxmean") < 0 <= page.pool_form.strategy.findData("rrf")
    )


def test_the_report_of_the_last_import_is_shown_after_a_restart(
    page: CollectionView, open_window: Window
) -> None:
    assert page.project is not None
    open_window.reopen()
    assert is_shown(page, "Last import") and "Topics read from" in visible_text(page)


@pytest.mark.usefixtures("own_window")
def test_without_runs_the_pool_form_offers_to_add_some(
    page: CollectionView, open_window: Window, wait_until_idle: Callable[[], None]
) -> None:
    assert page.project is not None and not page._runs_button.isVisible()
    assert page.buttons["build-pool"].isVisible() and page.pool_form.isVisible()
    for name in run_names(page):
        page.project.rankings.remove_run(name)
    page.refresh()
    wait_until_idle()
    assert not page.buttons["build-pool"].isVisible() and not page.pool_form.isVisible()
    assert page._runs_button.objectName() != "primary"  # the primary button is in the workflow bar
    page._runs_button.click()
    assert open_window.pages.on_top() == "runs"
    assert open_window.pages.view("runs").buttons["add-runs"].hasFocus()


def test_the_text_of_a_topic_is_opened_from_the_menu_of_its_row(
    page: CollectionView,
) -> None:
    table = find_widget(page, "Topics", Table)
    table.selectRow(2)
    judge, read = table.row_actions
    read.trigger()
    dialog = page.findChild(DocumentDialog)
    title = str(table.model().index(2, 1).data())
    assert title in dialog.view.toPlainText() + dialog.windowTitle()
    dialog.reject()
    asked: list[str] = []
    page.judge_topic.connect(asked.append)
    judge.trigger()
    assert asked == [str(table.model().index(2, 0).data())]


def test_opening_a_topic_starts_judging_it(
    page: CollectionView, open_window: Window, press: Press, qtbot: QtBot
) -> None:
    table = find_widget(page, "Topics", Table)
    table.setFocus()
    table.selectRow(3)
    wanted = str(table.model().index(3, 0).data())
    press(Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: open_window.judge.can_judge)
    assert open_window.pages.on_top() == "judge"
    assert (
        open_window.judge.session is not None
        and open_window.judge.session.current().topic.id == wanted
    )


def test_the_page_counts_documents_without_text_in_pool_and_runs(
    make_window: Callable[[], Window], textless_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    window = make_window()
    assert window.open(textless_path)
    window.show_page("collection")
    wait_until_idle()
    page = window.collection
    assert page.project is not None
    pooled = list_pooled_without_text(page.project)
    retrieved = list_retrieved_without_text(page.project)
    assert 0 < len(pooled) < len(retrieved)
    assert find_numbers(page._textless_text.text())[0] == str(len(pooled))
    outside = set(retrieved) - set(pooled)
    assert find_numbers(page._textless_import.text())[0] == str(len(outside))
    assert "⚠" not in page._textless_import.text(), "the pool does not need them"
    assert page.buttons["add-documents"].isVisible()


def test_documents_without_text_are_not_mentioned_where_there_are_none(
    page: CollectionView,
) -> None:
    assert not page._textless_text.isVisible() and not page._textless_import.isVisible()
    assert not page.buttons["add-documents"].isVisible()


@pytest.mark.parametrize("strategy", ["plain", "rank-systems", "find-relevant", "rrf"])
def test_the_form_starts_with_the_options_of_the_newest_pool(
    page: CollectionView, open_window: Window, wait_until_idle: Callable[[], None], strategy: str
) -> None:
    form = page.pool_form
    form.strategy.setCurrentIndex(form.strategy.findData(strategy))
    form.top.set_value(3)
    form.max_size.set_value(4)
    page.build_pool()
    wait_until_idle()
    assert page.project is not None
    path = page.project.path
    open_window.close_project()
    assert form.top.value() == 10
    assert open_window.open(path)
    open_window.show_page("collection")
    wait_until_idle()
    chosen = (form.strategy.currentData(), form.top.value(), form.max_size.value())
    assert chosen == (strategy, 3, 4)
    form.top.set_value(7)
    page.refresh()
    wait_until_idle()
    assert form.top.value() == 7


def test_qrels_are_not_called_missing_while_they_are_counted(page: CollectionView) -> None:
    page.show_project(None)
    loading = page._qrels_text.text()
    page._show_counts(None, ProjectCounts([], []))
    assert loading and page._qrels_text.text() != loading

"""Tests of estimates on the evaluation page: for pools judged as a sample, with warnings."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

import irjudge
from irjudge.evaluation import estimate_project, evaluate_project
from irjudge.judging import QueueItem, Session, list_qrels_choices, read_project_qrels
from irjudge.pooling import ESTIMATES, PoolOptions, build_pool, make_qrels_judge
from irjudge.store import open_project
from irjudge_ui.models import IntervalColumn
from irjudge_ui.pages.results import EvaluateView
from irjudge_ui.pages.results.evaluate import EstimatedRun, estimate_columns
from irjudge_ui.window import Window
from tests.ui.window_content import visible_text

ONE_WINDOW = True
Opened = Callable[[Path], Window]
BY_STRATA = [name for name, each in ESTIMATES.items() if each.needs_equal_probabilities]


@pytest.fixture
def first_page() -> str:
    return "evaluate"


def open_evaluation(open_path: Opened, path: Path, plan: PoolOptions) -> EvaluateView:
    """Open a project with a pool sampled by a plan and judged according to its qrels."""
    with open_project(path) as project:
        qrels = project.rankings.qrels(project.rankings.qrels_names()[0].name)
        known = {(topic, document): grade for topic, document, grade in qrels.rows()}
        pool = build_pool(
            [project.rankings.run(run.name) for run in project.rankings.runs()],
            plan,
            judge=make_qrels_judge(qrels),
        )
        project.rankings.add_pool(pool)
        session = Session(project)
        for code, document in zip(pool.topic.tolist(), pool.document.to_pylist(), strict=True):
            item = QueueItem(pool.topics[code], document)
            session.grade(session.open_item(item), max(0, known.get((item.topic, document), 0)))
    return open_path(path).evaluation


def choose_estimate(page: EvaluateView, name: str) -> None:
    page.estimates.estimate.setCurrentIndex(page.estimates.estimate.findData(name))
    page.estimates.estimate.activated.emit(page.estimates.estimate.currentIndex())


def estimate_rows(page: EvaluateView) -> dict[str, str]:
    model = page.estimates.table.model()
    return {
        str(model.index(row, 0).data()): str(model.index(row, 1).data())
        for row in range(model.rowCount())
    }


@pytest.mark.parametrize(
    ("plan", "fit"),
    [
        (PoolOptions("sample(share=0.5)"), list(ESTIMATES)),
        (PoolOptions("active", size=8), [name for name in ESTIMATES if name not in BY_STRATA]),
    ],
)
def test_suitable_estimates_can_be_chosen_and_others_state_what_they_need(
    open_path: Opened, project_path: Path, plan: PoolOptions, fit: list[str]
) -> None:
    page = open_evaluation(open_path, project_path, plan)
    assert page.project is not None
    estimates, pool = (
        estimate_project(page.project, choice=page.policy.choice()),
        page.project.rankings.pool(),
    )
    box = page.estimates.estimate
    enabled = [
        box.itemData(index)
        for index in range(box.count())
        if box.model().flags(box.model().index(index, 0)) & Qt.ItemFlag.ItemIsEnabled
    ]
    assert enabled == fit == list(estimates.names) and box.currentData() == fit[0]
    lacking = "xinfAP, infNDCG, xinfAP(nist), infNDCG(nist). "
    assert (lacking in visible_text(page.estimates)) == (len(fit) < len(ESTIMATES))
    runs = [page.project.rankings.run(run.name) for run in page.project.rankings.runs()]
    for name in fit:
        choose_estimate(page, name)
        table = irjudge.estimate(
            read_project_qrels(page.project, page.policy.choice()),
            runs,
            name,
            pool=pool,
            interval=True,
        )
        expected = {
            run: f"{value:.4f} {low:.4f}–{high:.4f}"
            for run, _, _, value, low, high in table.values.tolist()
        }
        assert estimate_rows(page) == expected, name
        assert list(estimate_rows(page)) == sorted(
            expected, key=lambda run: -float(expected[run].split()[0])
        ), "the best first"
    assert "qrels and run" in page.estimates.basis_label.text()


@pytest.mark.slow
def test_a_warning_next_to_plain_values_leads_to_estimates(
    open_path: Opened, project_path: Path, wait_until_idle: Callable[[], None]
) -> None:
    page = open_evaluation(open_path, project_path, PoolOptions("sample(share=0.5)"))
    assert page.project is not None and page.table is not None
    (warning,) = evaluate_project(
        page.project, page.table.measures, choice=page.policy.choice()
    ).notes
    assert page.cautions.text() == f"⚠ {warning}" and "The pool was sampled" in warning
    page.to_estimates.click()
    assert page.estimates.table.hasFocus()
    official = next(each for each in list_qrels_choices(page.project) if each.source == "imported")
    page.policy.qrels.setCurrentIndex(page.policy.qrels.findData(official.name))
    page.policy.qrels.activated.emit(page.policy.qrels.currentIndex())
    wait_until_idle()
    assert (
        not page.estimates.isVisible()
        and not page.cautions.isVisible()
        and not page.to_estimates.isVisible()
    )


def test_a_pool_without_sampling_needs_no_estimates(open_path: Opened, project_path: Path) -> None:
    page = open_evaluation(open_path, project_path, PoolOptions("depth", 3))
    choice = page.policy.choice()
    assert choice is not None and choice.source == "judged" and page.table is not None
    assert not page.estimates.isVisible() and not page.cautions.isVisible()


def test_an_estimate_of_one_topic_has_no_interval() -> None:
    column = estimate_columns("xinfAP", 1.0, 4)[1]
    assert isinstance(column, IntervalColumn)
    nan = float("nan")
    for low, high, aside in ((nan, nan, ""), (0.1, 0.4, "0.1000–0.4000")):
        span = column.span(EstimatedRun("a", 0.25, low, high))
        assert span is not None and (span.label, span.interval_text) == ("0.2500", aside)
        assert (span.low is None) == (aside == "")

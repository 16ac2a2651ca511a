"""Estimates on the evaluation page: where chance decided what was judged, with what fits the pool, and a caution beside plain values."""

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
from tests.ui.shown import says

ONE_WINDOW = True
Opened = Callable[[Path], Window]
BY_STRATA = [name for name, each in ESTIMATES.items() if each.by_strata]


@pytest.fixture
def first_page() -> str:
    return "evaluate"


def page_of(opened: Opened, path: Path, plan: PoolOptions) -> EvaluateView:
    """Open a project whose newest pool was drawn so, and judged by its qrels."""
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
            place = QueueItem(pool.topics[code], document)
            session.grade(session.open_item(place), max(0, known.get((place.topic, document), 0)))
    return opened(path).evaluation


def choose(page: EvaluateView, name: str) -> None:
    page.estimates.estimate.setCurrentIndex(page.estimates.estimate.findData(name))
    page.estimates.estimate.activated.emit(page.estimates.estimate.currentIndex())


def shown(page: EvaluateView) -> dict[str, str]:
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
def test_estimates_that_fit_can_be_chosen_and_others_say_what_they_lack(
    opened: Opened, project_path: Path, plan: PoolOptions, fit: list[str]
) -> None:
    page = page_of(opened, project_path, plan)
    assert page.project is not None
    found, pool = estimate_project(page.project, choice=page.choice()), page.project.rankings.pool()
    box = page.estimates.estimate
    enabled = [
        box.itemData(place)
        for place in range(box.count())
        if box.model().flags(box.model().index(place, 0)) & Qt.ItemFlag.ItemIsEnabled
    ]
    assert enabled == fit == list(found.names) and box.currentData() == fit[0]
    lacking = "xinfAP, infNDCG, xinfAP(nist), infNDCG(nist). "
    assert (lacking in says(page.estimates)) == (len(fit) < len(ESTIMATES))
    runs = [page.project.rankings.run(run.name) for run in page.project.rankings.runs()]
    for name in fit:
        choose(page, name)
        table = irjudge.estimate(
            read_project_qrels(page.project, page.choice()), runs, name, pool=pool, interval=True
        )
        expected = {
            run: f"{value:.4f} {low:.4f}–{high:.4f}"
            for run, _, _, value, low, high in table.values.tolist()
        }
        assert shown(page) == expected, name
        assert list(shown(page)) == sorted(
            expected, key=lambda run: -float(expected[run].split()[0])
        ), "the best first"
    assert "qrels and run" in page.estimates.basis_label.text()


@pytest.mark.slow
def test_a_caution_stands_beside_plain_values_and_leads_to_estimates(
    opened: Opened, project_path: Path, idle: Callable[[], None]
) -> None:
    page = page_of(opened, project_path, PoolOptions("sample(share=0.5)"))
    assert page.project is not None and page.table is not None
    (remark,) = evaluate_project(page.project, page.table.measures, choice=page.choice()).notes
    assert page.cautions.text() == f"⚠ {remark}" and "The pool was sampled" in remark
    page.to_estimates.click()
    assert page.estimates.table.hasFocus()
    official = next(each for each in list_qrels_choices(page.project) if each.source == "imported")
    page.policy.qrels.setCurrentIndex(page.policy.qrels.findData(official.name))
    page.policy.qrels.activated.emit(page.policy.qrels.currentIndex())
    idle()
    assert (
        not page.estimates.isVisible()
        and not page.cautions.isVisible()
        and not page.to_estimates.isVisible()
    )


def test_a_pool_that_leaves_nothing_to_chance_needs_no_estimates(
    opened: Opened, project_path: Path
) -> None:
    page = page_of(opened, project_path, PoolOptions("depth", 3))
    choice = page.choice()
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

"""Tests of the correlation page: the engine's numbers, their explanation, and warnings."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QPushButton

from irjudge.evaluation import (
    Evaluation,
    Policy,
    RunCorrelation,
    SystemOrdering,
    SystemOrders,
    assessor_orderings,
    compare_orderings,
    correlate_project_runs,
    evaluate_project,
    measure_orderings,
    ordering_matrix,
    parse_measures,
)
from irjudge.judging import import_judgments, list_qrels_choices, project_labels
from irjudge.model import make_qrels, make_run
from irjudge.shipped import shipped_folder
from irjudge.stats import Items, RankPair, parse_statistics, rank_agreement, run_pairs
from irjudge.store import Project
from irjudge_ui.pages.compare.correlate import (
    CorrelateView,
    describe_pairs,
    describe_statistic,
    explain_orders,
    explain_rankings,
)
from irjudge_ui.window import Window
from tests.numbers_in_text import find_numbers
from tests.ui.window_content import visible_text

ONE_WINDOW = True

MEASURES = ("AP", "P@10", "nDCG@10", "RR")


@pytest.fixture
def first_page() -> str:
    return "correlate"


@pytest.fixture
def page(open_window: Window) -> CorrelateView:
    view = open_window.pages.view("correlate")
    assert isinstance(view, CorrelateView)
    return view


@pytest.fixture
def project(page: CorrelateView) -> Project:
    assert page.project is not None
    return page.project


def choose_item(box: QComboBox, data: object, wait_until_idle: Callable[[], None]) -> None:
    assert box.findData(data) >= 0
    box.setCurrentIndex(box.findData(data))
    box.activated.emit(box.currentIndex())
    wait_until_idle()


def system_orders(page: CorrelateView) -> SystemOrders:
    assert isinstance(page._result, SystemOrders)
    return page._result


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")
def test_orders_by_measure_equal_the_matrix_of_the_engine(
    page: CorrelateView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    table = evaluate_project(project, parse_measures(MEASURES))
    for name in ("tau-b", "spearman", "tau-ap"):
        choose_item(page.statistic, name, wait_until_idle)
        assert system_orders(page).names == MEASURES
        assert np.array_equal(
            system_orders(page).values,
            ordering_matrix(measure_orderings(table), parse_statistics([name])[0]),
        )
        assert np.array_equal(page.matrix.matrix.values, system_orders(page).values)
    pairs = [(line[0], line[1], line[2]) for line in page.lines.rows]
    comparisons = compare_orderings(
        [
            (a, b)
            for at, a in enumerate(measure_orderings(table))
            for b in measure_orderings(table)[at + 1 :]
        ],
        parse_statistics(["tau-ap"]),
    )
    assert pairs == [(each.measure_a, each.measure_b, each.value) for each in comparisons]


def test_orders_by_qrels_equal_those_of_each_qrels(
    page: CorrelateView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    choose_item(page.mode, "qrels", wait_until_idle)
    assert (
        page.empty.isVisible()
        and "at least two qrels" in visible_text(page)
        and not page.table.isVisible()
    )
    rows = list(project.rankings.qrels(list_qrels_choices(project)[0].name).rows())
    project.rankings.add_qrels(
        "others",
        make_qrels(
            [(topic, document, int(at % 2)) for at, (topic, document, _) in enumerate(rows)]
        ),
    )
    page.refresh()
    wait_until_idle()
    choose_item(page.measure, "P@10", wait_until_idle)
    orders = system_orders(page)
    assert (
        orders.names == tuple(choice.name for choice in list_qrels_choices(project))
        and len(orders.names) == 2
    )
    measures = parse_measures(["P@10"])
    one, two = (
        measure_orderings(evaluate_project(project, measures, Policy(), choice))[0]
        for choice in list_qrels_choices(project)
    )
    assert orders.values[0, 1] == parse_statistics(["tau-b"])[0].compute(
        RankPair.of_scores(one.values, two.values)
    )
    assert not page.empty.isVisible() and page.matrix.isVisible()


@pytest.mark.slow
def test_orders_by_assessor_equal_those_of_the_engine(
    page: CorrelateView, open_window: Window, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    choose_item(page.mode, "assessors", wait_until_idle)
    assert page.empty.isVisible() and "at least two assessors" in visible_text(page)
    wanted: list[str] = []
    page.wants.connect(wanted.append)
    page.empty.findChild(QPushButton).click()
    wait_until_idle()
    assert wanted == ["assessors"]
    import_judgments(project, shipped_folder("sample_collections") / "everyday" / "judgments.csv")
    open_window.do("correlate")
    wait_until_idle()
    names = [run.name for run in project.rankings.runs()]
    orderings = assessor_orderings(
        project_labels(project),
        lambda: map(project.rankings.run, names),
        parse_measures(["AP"]),
        Policy(),
    )
    assert (
        system_orders(page).names == orderings.names
        and len(orderings.names) > 2
        and orderings.names[-1] == "consensus"
    )
    assert np.array_equal(
        system_orders(page).values, orderings.matrix(parse_statistics(["tau-b"])[0])
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "items", "depth"),
    [("rbo", "common", None), ("tau", "union", 10), ("overlap", "common", 10)],
)
def test_two_runs_have_the_engines_value_for_each_topic(
    page: CorrelateView,
    project: Project,
    wait_until_idle: Callable[[], None],
    name: str,
    items: str,
    depth: int | None,
) -> None:
    choose_item(page.mode, "runs", wait_until_idle)
    choose_item(page.first, "bm25", wait_until_idle)
    choose_item(page.second, "title", wait_until_idle)
    choose_item(page.statistic, name, wait_until_idle)
    choose_item(page.items, items, wait_until_idle)
    choose_item(page.tops, depth, wait_until_idle)
    statistic = parse_statistics([name])[0]
    pairs = list(
        run_pairs(project.rankings.run("bm25"), project.rankings.run("title"), depth=depth)
    )
    expected = [
        (each.topic, statistic.compute(each.pair, "union" if items == "union" else "common"))
        for each in pairs
    ]
    assert [(line.topic, line.value) for line in page.lines.rows] == expected
    assert isinstance(page._result, RunCorrelation)
    assert (
        f"{np.mean([value for _, value in expected]):.4f}".replace("-", "−") in page.verdict.text()
    )
    assert (
        page.items.isVisible() is (statistic.declaration.kind == "order")
        and not page.matrix.isVisible()
    )


@pytest.mark.slow
@pytest.mark.usefixtures("own_window")
def test_the_text_counts_the_swapped_pairs(page: CorrelateView) -> None:
    orders = system_orders(page)
    page.matrix.choose(0, 3)
    counted = orders.count_pairs(0, 3)
    one, two = (orders.orders[at].values for at in (0, 3))
    signs = [
        np.sign(one[a] - one[b]) * np.sign(two[a] - two[b]) for a in range(4) for b in range(a)
    ]
    assert (counted.concordant, counted.discordant, counted.tied) == (
        signs.count(1),
        signs.count(-1),
        signs.count(0),
    )
    assert page.verdict.text().startswith("AP and RR")
    assert f"tau-b = {orders.values[0, 3]:.4f}" in page.verdict.text()
    assert find_numbers(page.verdict.text())[1:] == [str(counted.discordant), "6"]
    assert f"{counted.concordant} in the same order" in page.description_label.text()
    assert "4 runs" in page.description_label.text() and "6 pairs" in page.description_label.text()
    assert "0.33" in page.description_label.text(), "what one pair moves tau by"


def test_one_of_ten_pairs_swapped_is_a_tau_of_080() -> None:
    """Kendall: 1 - 2 * 1 / 10."""
    pair = RankPair.of_lists("abcde", "bacde")
    counts = rank_agreement(pair.first, pair.second)
    assert (counts.concordant, counts.discordant, counts.tied) == (9, 1, 0)
    assert parse_statistics(["tau"])[0].compute(pair) == pytest.approx(0.8)
    text = describe_pairs(counts, "runs")
    assert find_numbers(text) == ["10", "9", "1", "0"]


@pytest.mark.usefixtures("own_window")
def test_the_matrix_and_the_table_select_the_same_pair(page: CorrelateView) -> None:
    page.matrix.choose(3, 2)
    index = page.table.currentIndex()
    assert (index.siblingAtColumn(0).data(), index.siblingAtColumn(1).data()) == ("nDCG@10", "RR")
    page.table.setCurrentIndex(page.table.model().index(1, 0))
    assert page.matrix.cell() == (0, 2) and page.verdict.text().startswith("AP and nDCG@10")
    page.matrix.choose(1, 1)
    assert page.verdict.text() == "P@10 compared with itself"


def test_the_row_is_the_reference_order_for_asymmetric_statistics() -> None:
    orders = [
        SystemOrdering(name, tuple("abcd"), np.array(values))
        for name, values in (("one", [4.0, 3, 2, 1]), ("two", [2.0, 4, 1, 3]))
    ]
    statistic = parse_statistics(["tau-ap"])[0]
    values = ordering_matrix(orders, statistic)
    assert (
        values[0, 1]
        == statistic.compute(RankPair.of_scores(orders[0].values, orders[1].values))
        != values[1, 0]
    )


def test_many_runs_have_no_warning_about_few_runs(page: CorrelateView) -> None:
    values = np.arange(20.0)
    orders = tuple(
        SystemOrdering(name, tuple(map(str, range(20))), values) for name in ("one", "two")
    )
    texts = " ".join(
        explain_orders(
            SystemOrders(("one", "two"), orders, parse_statistics(["tau-ap"])[0], np.ones((2, 2))),
            0,
            1,
        )
    )
    assert "conclusions are limited" not in texts and "by one is the reference" in texts


def test_every_selectable_statistic_is_explained(
    page: CorrelateView, wait_until_idle: Callable[[], None]
) -> None:
    for mode in ("measures", "runs"):
        choose_item(page.mode, mode, wait_until_idle)
        names = [page.statistic.itemData(at) for at in range(page.statistic.count())]
        assert names and all(
            len(describe_statistic(parse_statistics([name])[0])) > 20 for name in names
        )
    assert "rbo" in names


def test_another_project_starts_with_its_default_measure_and_first_runs(
    page: CorrelateView, open_fresh_copy: Callable[[], Window]
) -> None:
    boxes = (page.first, page.second, page.measure)
    for box in boxes:
        box.setCurrentIndex(2)
    open_fresh_copy()
    assert [box.currentIndex() for box in boxes] == [0, 1, 0]


def test_without_two_runs_the_page_states_what_it_needs(
    page: CorrelateView, project: Project, wait_until_idle: Callable[[], None]
) -> None:
    for name in ("bm25", "ql", "tfidf"):
        project.rankings.remove_run(name)
    for mode in ("runs", "measures", "qrels", "assessors"):
        choose_item(page.mode, mode, wait_until_idle)
        assert (
            page.empty.isVisible()
            and not page.table.isVisible()
            and page.empty.findChild(QPushButton).text()
        )


@pytest.mark.slow
def test_orders_by_averages_over_different_topics_have_a_warning(
    page: CorrelateView, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def warning() -> str:
        page._choose_orders(0, 1)
        return page.description_label.text()

    choose_item(page.mode, "measures", wait_until_idle)
    assert "bm25: 6" not in warning()
    monkeypatch.setattr(Evaluation, "is_rankable", property(lambda _table: False))
    page.refresh()
    wait_until_idle()
    assert "bm25: 6" in warning()


@pytest.mark.parametrize(("items", "warned"), [("common", True), ("union", False)])
def test_topics_with_few_documents_to_rank_are_counted(
    project: Project, items: Items, warned: bool
) -> None:
    """Both runs have one document in common, and a second document each."""
    for name, documents in (("one", ["a", "b"]), ("two", ["a", "c"])):
        project.rankings.add_run(
            make_run(name, [("051", each, 2.0 - rank) for rank, each in enumerate(documents)])
        )
    (statistic,) = parse_statistics(["tau"])
    rankings = correlate_project_runs(project, "one", "two", statistic, items=items)
    explanation = " ".join(explain_rankings(rankings, None, 4))
    assert ("meaningless" in explanation) is warned

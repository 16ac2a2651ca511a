"""Tests of computing on a cluster: equal results, errors in one sentence, one connection."""

import sys
import time
from collections.abc import Callable, Iterator

import pytest
from distributed import Client, LocalCluster
from pytestqt.qtbot import QtBot

from irjudge.stats.cluster import Cluster
from irjudge_ui.jobs import CLUSTER_WORKERS
from irjudge_ui.pages.compare.compare import CompareView
from irjudge_ui.pages.compare.correlate import CorrelateView
from irjudge_ui.pages.results import EvaluateView
from irjudge_ui.window import Window

pytestmark = pytest.mark.slow


@pytest.fixture
def first_page() -> str:
    return "compare"


def _short(_shared: None, _task: int) -> None:
    time.sleep(0.1)


@pytest.fixture(scope="module")
def scheduler() -> Iterator[LocalCluster]:
    """A cluster of threads in this process, at a local address."""
    # another cluster may be running
    any_port = {"dashboard": False, "dashboard_address": "127.0.0.1:0"}
    how = {
        "n_workers": 1,
        "threads_per_worker": 2,
        "processes": False,
        "protocol": "tcp",
        "dashboard_address": None,
        "scheduler_kwargs": any_port,
    }
    with LocalCluster(**how) as cluster:
        with Client(cluster, set_as_default=False) as client:
            # its threads start here, and no leak check counts them
            list(Cluster(client).map_tasks(_short, None, range(6), ""))
        yield cluster


@pytest.fixture(autouse=True)
def close_workers(own_window: None) -> Iterator[None]:
    """Close the connection of the window to the cluster."""
    yield
    CLUSTER_WORKERS.close()


def test_pages_have_the_same_numbers_from_a_cluster(
    open_window: Window, scheduler: LocalCluster, wait_until_idle: Callable[[], None]
) -> None:
    compare, correlate, evaluate = (
        open_window.pages.view(name) for name in ("compare", "correlate", "evaluate")
    )
    assert (
        isinstance(compare, CompareView)
        and isinstance(correlate, CorrelateView)
        and isinstance(evaluate, EvaluateView)
    )
    compare.test.setCurrentIndex(compare.test.findData("permutation"))

    def displayed_values() -> list[object]:
        compare.refresh()
        evaluate.refresh()
        correlate.refresh()
        wait_until_idle()
        assert evaluate.results is not None
        return [
            compare.pairs.rows,
            evaluate.results.values.tobytes(),
            correlate.matrix.matrix.values.tobytes(),
        ]

    alone, tasks = displayed_values(), len(scheduler.scheduler.tasks)
    assert tasks == 0
    open_window.settings.set("cluster", scheduler.scheduler_address)
    assert displayed_values() == alone
    clients = len(scheduler.scheduler.clients)
    assert displayed_values() == alone
    assert clients == len(scheduler.scheduler.clients) > 1, (
        "the same client did the second time what it did the first"
    )


def test_another_choice_cancels_the_tasks_of_the_previous_one(
    open_window: Window,
    scheduler: LocalCluster,
    wait_until_idle: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    qtbot: QtBot,
) -> None:
    monkeypatch.setattr("irjudge.stats.significance.tests.MAX_EXACT_ORDERS", 1)
    # takes minutes
    monkeypatch.setattr("irjudge.stats.significance.tests.DEFAULT_ORDER_SAMPLES", 40_000_000)
    page, tasks = open_window.pages.view("compare"), scheduler.scheduler.tasks
    assert isinstance(page, CompareView)
    open_window.settings.set("cluster", scheduler.scheduler_address)
    page.test.setCurrentIndex(page.test.findData("tukey"))
    page.refresh()
    states = lambda: [task.state for task in [*tasks.values()]]  # noqa: E731
    qtbot.waitUntil(
        lambda: states().count("memory") > 1 and "processing" in states(), timeout=60_000
    )
    begun = time.monotonic()
    page.test.setCurrentIndex(page.test.findData("t"))
    page.refresh()
    qtbot.waitUntil(lambda: not {"processing", "queued", "waiting"} & {*states()}, timeout=60_000)
    assert time.monotonic() - begun < 2
    wait_until_idle()
    assert page.pairs.rows


def test_a_module_missing_from_the_cluster_is_reported_in_one_sentence(
    open_window: Window, wait_until_idle: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_window.pages.view("compare")
    assert isinstance(page, CompareView)
    monkeypatch.setitem(sys.modules, "distributed", None)
    open_window.settings.set("cluster", "tcp://127.0.0.1:9")
    page.refresh()
    wait_until_idle()
    assert "irjudge[cluster]" in page.problem.text()
    open_window.settings.set("cluster", "")
    page.refresh()
    wait_until_idle()
    assert page.pairs.rows

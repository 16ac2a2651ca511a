"""Fixtures and hooks of all tests: selection, temporary folders, logging, garbage collection."""

import gc
import linecache
import logging
import os
import re
import sys
import tempfile
from collections.abc import Generator, Iterator
from itertools import count, filterfalse
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import settings

from irjudge.store import connection
from tests.lengths import LONG, SHORT
from tests.quick_bot import QuickBot

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
# search indexes are small, and old ones are deleted
os.environ.setdefault("IRJUDGE_CACHE", str(Path(tempfile.gettempdir()) / "irjudge-tests-cache"))
# tests start hundreds of processes: without bytecode each would compile every import
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False  # and each worker would rewrite the assertions of all tests
if "PYTEST_XDIST_WORKER" in os.environ:  # workers share the processors
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # idle OpenBLAS threads use the processor

HERE = Path(__file__).parent
FULL_COLLECTION_INTERVAL = 20  # tests
SLOW_FOLDERS = ("tests/conformance/", "tests/journeys/", "tests/web/")
BENCHMARKS = "tests/bench/"
SYNCHRONOUS = connection.SYNCHRONOUS  # the setting of the program
FOLDERS = count()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file() -> Iterator[list[pytest.Collector]]:
    """Skip doctest modules: tests have no examples, and looking for them takes long."""
    collectors = yield
    return [each for each in collectors if not isinstance(each, DoctestModule)]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the tests marked slow as well")
    parser.addoption(
        "--full", action="store_true", help="run all tests, in their long form where they have one"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Set the default number of random examples."""
    settings.register_profile("length", max_examples=LONG if config.getoption("--full") else SHORT)
    settings.load_profile("length")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests with garbage collection off: importing modules creates no garbage.

    Cached source lines are cleared: otherwise Python would check before each docstring example
    whether one of these files has changed.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        linecache.clearcache()
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Mark tests by folder and fixture, before `-m` selects, then deselect the slow ones.

    Browser tests run first: they mostly wait, and one worker runs them all, so that each browser is
    started once.
    """
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "full" in fixtures or item.get_closest_marker("hypothesis"):
            item.add_marker("full")
        if "slow" in fixtures or item.nodeid.startswith(SLOW_FOLDERS):
            item.add_marker("slow")
    yield
    if not runs_slow_tests(config):
        config.hook.pytest_deselected(items=[*filter(is_slow, items)])
        items[:] = filterfalse(is_slow, items)
    items.sort(key=lambda item: not item.nodeid.startswith("tests/web/"))


def is_slow(item: pytest.Item) -> bool:
    """Return whether a test is slow and not a benchmark, which only runs if it is named."""
    return bool(item.get_closest_marker("slow")) and not item.nodeid.startswith(BENCHMARKS)


def runs_slow_tests(config: pytest.Config) -> bool:
    """Return whether slow tests run: by an option, by a marker, or because a test is named."""
    return bool(
        config.getoption("--all")
        or config.getoption("--full")
        or config.getoption("-m")
        or any("::" in each for each in config.args)
    )


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Set whether commits wait for the disk, before the first fixture creates a project.

    Only tests of durability in this process and benchmarks wait, since each commit would wait three
    or four times. Programs that tests start always wait, as they do for users.
    """
    is_synchronous = item.get_closest_marker("synchronous") or item.nodeid.startswith(BENCHMARKS)
    connection.SYNCHRONOUS = SYNCHRONOUS if is_synchronous else "OFF"


def pytest_report_header(config: pytest.Config) -> str | None:
    """Report that slow tests are deselected."""
    return None if runs_slow_tests(config) else "slow tests: deselected (--all runs them)"


@pytest.fixture(scope="session")
def slow() -> None:
    """Mark each test that uses this fixture, directly or through another one, as slow."""


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Return whether `--full` was given."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def data(slow: None) -> Path:
    """Return the folder of real collections; skip the test if it does not exist."""
    folder = Path(os.environ.get("IRJUDGE_DATA", HERE.parent.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real collections at {folder} (set IRJUDGE_DATA)")
    return folder


@pytest.fixture
def tmp_path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder for one test, numbered without a look at the folders of earlier tests."""
    name = re.sub(r"\W", "_", request.node.name)[:30]
    return tmp_path_factory.mktemp(f"{name}_{next(FOLDERS)}", numbered=False)


@pytest.fixture
def qtbot(qapp: object, request: pytest.FixtureRequest) -> QuickBot:
    return QuickBot(request)


@pytest.fixture(autouse=True)
def no_stray_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test that logs an unexpected warning."""
    yield
    stray = [
        record.getMessage()
        for record in caplog.get_records("call")
        if record.levelno >= logging.WARNING
    ]
    assert not stray, f"stray log records: {stray}"


@pytest.fixture(scope="module", autouse=True)
def freeze_loaded_objects() -> Iterator[None]:
    """Exclude objects that outlive a module from later garbage collections, to save time."""
    before = count_full_collections()
    yield
    if count_full_collections() > before:
        gc.collect()
        gc.freeze()


def count_full_collections() -> int:
    """Return the number of full garbage collections so far."""
    return gc.get_stats()[2]["collections"]


@pytest.fixture(autouse=True)
def collect_garbage_between_tests(request: pytest.FixtureRequest) -> Iterator[None]:
    """Collect garbage between tests, as the window does between events.

    Qt objects that are deleted in the middle of a call or in another thread crash the process.
    """
    if "qtbot" not in request.fixturenames:
        yield
        return
    gc.disable()
    yield
    # the objects of the test, and from time to time older ones
    gc.collect(2 if gc.get_count()[2] > FULL_COLLECTION_INTERVAL else 1)
    gc.enable()

"""Tests that garbage is collected between events, in the window's thread."""

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from irjudge.progress import Progress
from irjudge_ui import jobs
from irjudge_ui.app import GarbageCollector


class Cycle:
    """A reference cycle, which only the garbage collector frees; records the freeing thread."""

    def __init__(self, ended: list[int]) -> None:
        self.me, self.ended = self, ended

    def __del__(self) -> None:
        self.ended.append(threading.get_ident())


@pytest.fixture
def collector() -> Iterator[QObject]:
    parent = QObject()
    threshold = gc.get_threshold()
    GarbageCollector(parent)
    gc.set_threshold(10, 1, 1)
    yield parent
    gc.set_threshold(*threshold)
    parent.deleteLater()


def test_garbage_of_background_threads_is_freed_in_the_windows_thread(
    qtbot: QtBot, collector: QObject
) -> None:
    ended: list[int] = []

    def make_garbage(progress: Progress) -> None:
        for _ in range(1000):
            Cycle(ended)

    jobs.run(make_garbage, lambda result: None, lambda error, trace: None)
    qtbot.waitUntil(lambda: len(ended) == 1000)
    assert set(ended) == {threading.get_ident()}


def test_nothing_is_collected_during_a_call(collector: QObject) -> None:
    ended: list[int] = []
    for _ in range(1000):
        Cycle(ended)
    assert not ended
    gc.collect()


def test_a_deleted_receiver_of_a_job_is_not_freed_in_the_background_thread(qtbot: QtBot) -> None:
    class Page(QObject):
        def hear(self, *_: object) -> None:
            pass

    go, page = threading.Event(), Page()
    ended = weakref.ref(page)
    ends: list[int] = []
    weakref.finalize(page, lambda: ends.append(threading.get_ident()))
    job = jobs.run(lambda progress: go.wait(5), page.hear, page.hear)
    del page
    go.set()
    qtbot.waitUntil(lambda: ended() is None)
    assert ends == [threading.get_ident()] and job

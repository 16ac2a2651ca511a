"""Fixtures of the engine's tests: small projects, and a count of Python objects."""

import gc
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import settings

from tests.pools import make_small_project

settings.register_profile("irjudge", deadline=None)  # a busy machine must not fail a test
settings.load_profile("irjudge")


@pytest.fixture
def count_most_objects(slow: None) -> Callable[[Callable[[], Any]], int]:
    """Return a function that measures the most Python memory blocks in use while `work` runs.

    The count is taken before every line of irjudge.
    """
    return _most_objects


def _most_objects(work: Callable[[], Any]) -> int:
    gc.collect()
    held = sys.getallocatedblocks
    before = most = held()

    def look(frame: FrameType, event: str, argument: Any) -> Any:
        return each_line(frame, event, argument) if "irjudge" in frame.f_code.co_filename else None

    def each_line(_frame: FrameType, _event: str, _argument: Any) -> Any:
        nonlocal most
        now = held()
        if now > most:
            most = now
        return each_line

    earlier = sys.gettrace()
    sys.settrace(look)
    try:
        work()
    finally:
        sys.settrace(earlier)
    return most - before


@pytest.fixture
def project_file(tmp_path: Path, small_project: Path) -> Path:
    """Return a project with two topics; d0 to d5 are pooled for `051`, d3 to d8 for `007`."""
    return Path(shutil.copy(small_project, tmp_path))


@pytest.fixture(scope="session")
def small_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the project that is copied for each test."""
    path = tmp_path_factory.mktemp("project") / "small.irjudge"
    make_small_project(path)
    return path

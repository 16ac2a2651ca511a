"""What every test stands on: silence is the only pass, settings are fresh, and nothing is left behind."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

HERE = Path(__file__).parent


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run the long form of tests that have one")


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether the long form was asked for."""
    return bool(request.config.getoption("--full"))


@pytest.fixture(scope="session")
def data() -> Path:
    """The folder of real collections; tests that need it are left out where it is not."""
    folder = Path(os.environ.get("IRJUDGE_DATA", HERE.parent.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no real collections at {folder} (set IRJUDGE_DATA)")
    return folder


@pytest.fixture(autouse=True)
def no_stray_log(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fail a test in which anything logs a warning that it does not expect."""
    yield
    stray = [record.getMessage() for record in caplog.get_records("call") if record.levelno >= logging.WARNING]
    assert not stray, f"stray log records: {stray}"

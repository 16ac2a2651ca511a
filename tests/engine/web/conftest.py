"""What tests of judging in a browser share: the class of the tests of exchange, the files of its assessors, and where sessions are kept."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engine.exchange.conftest import (
    assigned_template,
    class_template,
    files,
    project,
    three_runs_project,
)
from tests.engine.web import browsing
from tests.engine.web.loaded import mother
from tests.postgres import Postgres

__all__ = ["assigned_template", "class_template", "files", "project", "three_runs_project"]


@pytest.fixture(scope="session")
def one_postgres(slow: None) -> Iterator[Postgres]:
    """A server of PostgreSQL for all tests."""
    server = Postgres()
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def postgres(one_postgres: Postgres) -> Iterator[Postgres]:
    """A server of PostgreSQL, whose databases are empty again after the test."""
    yield one_postgres
    one_postgres.empty_databases()


@pytest.fixture(scope="session", autouse=True)
def loaded_processes_end() -> Iterator[None]:
    """End the process of which others are copies, if there is one."""
    yield
    if mother.cache_info().currsize:
        mother().close()


class Databases(dict[Path, str]):
    """A database for each project that asks for one."""

    def __init__(self, server: Postgres) -> None:
        super().__init__()
        self._server = server

    def __missing__(self, path: Path) -> str:
        self[path] = self._server.database()
        return self[path]


@pytest.fixture
def databases(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Databases:
    """Keep sessions in databases."""
    made = Databases(postgres)
    monkeypatch.setattr(browsing, "databases", made)
    return made


@pytest.fixture(params=["project", pytest.param("database", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest) -> str:
    """Keep sessions in their projects, and once more in databases."""
    if request.param == "database":
        request.getfixturevalue("databases")
    return str(request.param)

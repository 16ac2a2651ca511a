"""Fixtures of session tests: a class, the files of its assessors, and the storage of sessions."""

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
from tests.engine.web import session_client
from tests.engine.web.fork_server import fork_server
from tests.postgres import Postgres

__all__ = ["assigned_template", "class_template", "files", "project", "three_runs_project"]


@pytest.fixture(scope="session")
def postgres_server(slow: None) -> Iterator[Postgres]:
    """A PostgreSQL server for all tests."""
    server = Postgres()
    try:
        yield server
    finally:
        server.close()


@pytest.fixture
def postgres(postgres_server: Postgres) -> Iterator[Postgres]:
    """A PostgreSQL server without databases; they are deleted after the test."""
    yield postgres_server
    postgres_server.empty_databases()


@pytest.fixture(scope="session", autouse=True)
def stop_fork_server() -> Iterator[None]:
    """Stop the fork server after the last test, if it was started."""
    yield
    if fork_server.cache_info().currsize:
        fork_server().close()


class Databases(dict[Path, str]):
    """Creates a database for each project on first access."""

    def __init__(self, server: Postgres) -> None:
        super().__init__()
        self._server = server

    def __missing__(self, path: Path) -> str:
        self[path] = self._server.database()
        return self[path]


@pytest.fixture
def databases(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> Databases:
    """Store sessions in databases."""
    made = Databases(postgres)
    monkeypatch.setattr(session_client, "databases", made)
    return made


@pytest.fixture(params=["project", pytest.param("database", marks=pytest.mark.slow)])
def store(request: pytest.FixtureRequest) -> str:
    """Where sessions are stored: in their projects, and in a second run in databases."""
    if request.param == "database":
        request.getfixturevalue("databases")
    return str(request.param)

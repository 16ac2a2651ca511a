"""Tests of files of format 1, which are migrated without loss."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from irjudge.model import make_run
from irjudge.pooling import PoolOptions, build_pool
from irjudge.store import open_project, rescue_file
from irjudge.store.lock_and_journals import APPLICATION_ID

# Features of the first published format.
FORM_1 = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE topic (
    code INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL, description TEXT NOT NULL, narrative TEXT NOT NULL
) STRICT;

-- What is painted, stored once however many ids it has.
CREATE TABLE content (digest BLOB PRIMARY KEY, kind TEXT NOT NULL, title TEXT NOT NULL, body BLOB NOT NULL) STRICT;

-- A document without a digest is named by a run or by qrels and has no text.
CREATE TABLE document (
    code INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, digest BLOB REFERENCES content DEFERRABLE INITIALLY DEFERRED
) STRICT;
CREATE INDEX document_digest ON document (digest) WHERE digest IS NOT NULL;

-- Long things are columns: little-endian arrays, one row a topic.
-- A run that was taken out stays, so that putting it back costs nothing.
CREATE TABLE run (
    code INTEGER PRIMARY KEY, name TEXT NOT NULL, source TEXT NOT NULL, rows INTEGER NOT NULL, removed INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX run_name ON run (name) WHERE NOT removed;
CREATE TABLE run_topic (
    run INTEGER NOT NULL REFERENCES run ON DELETE CASCADE,
    place INTEGER NOT NULL, topic TEXT NOT NULL,
    document BLOB NOT NULL, score BLOB NOT NULL, rank BLOB NOT NULL, line BLOB NOT NULL,
    PRIMARY KEY (run, place), UNIQUE (run, topic)
) STRICT;

CREATE TABLE qrels (
    code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, source TEXT NOT NULL, groups TEXT NOT NULL, rows INTEGER NOT NULL
) STRICT;
CREATE TABLE qrels_topic (
    qrels INTEGER NOT NULL REFERENCES qrels ON DELETE CASCADE,
    place INTEGER NOT NULL, topic TEXT NOT NULL,
    document BLOB NOT NULL, grade BLOB NOT NULL, grp BLOB NOT NULL,
    PRIMARY KEY (qrels, place), UNIQUE (qrels, topic)
) STRICT;

-- A pool is never changed: one built later has the next version.
CREATE TABLE pool (
    version INTEGER PRIMARY KEY, strategy TEXT NOT NULL, parameters TEXT NOT NULL, runs TEXT NOT NULL, rows INTEGER NOT NULL
) STRICT;
CREATE TABLE pool_topic (
    pool INTEGER NOT NULL REFERENCES pool ON DELETE CASCADE,
    place INTEGER NOT NULL, topic TEXT NOT NULL,
    document BLOB NOT NULL, contributions BLOB NOT NULL, contribution_run BLOB NOT NULL, contribution_rank BLOB NOT NULL,
    PRIMARY KEY (pool, place), UNIQUE (pool, topic)
) STRICT;

-- Append-only. The digest is the identity; the other columns repeat what the body says, for looking up.
CREATE TABLE event (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL UNIQUE, assessor TEXT NOT NULL, parent BLOB, body BLOB NOT NULL
) STRICT;
CREATE INDEX event_assessor ON event (assessor, sequence);
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
CREATE TRIGGER event_remains BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'events are never deleted'); END;
"""


def code(*numbers: int) -> bytes:
    return np.array(numbers, dtype="<i4").tobytes()


@pytest.fixture
def form_1(tmp_path: Path, project_file: Path) -> Path:
    """Return a project of format 1 with a pool of two topics and current settings."""
    path = tmp_path / "old.irjudge"
    database = sqlite3.connect(path)
    database.executescript(FORM_1)
    database.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    database.execute("PRAGMA user_version = 1")
    database.execute("ATTACH ? AS today", (str(project_file),))
    with database:
        database.execute("INSERT INTO fact SELECT * FROM today.fact")
        database.executemany(
            "INSERT INTO document (code, id) VALUES (?, ?)", [(1, "d1"), (2, "d2"), (3, "d3")]
        )
        database.execute(
            'INSERT INTO pool VALUES (1, \'depth\', \'{"depth": 2, "ties": "docno"}\', \'["a", "b"]\', 3)'
        )
        rows = [
            (1, 0, "051", code(2, 1), code(1, 2), code(0, 0, 1), code(1, 2, 1)),
            (1, 1, "007", code(3), code(1), code(1), code(2)),
        ]
        database.executemany("INSERT INTO pool_topic VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    database.close()
    return path


def test_an_older_pool_is_marked_as_not_sampled(form_1: Path) -> None:
    with open_project(form_1) as project:
        pool = project.rankings.pool()
        assert project.verify().problems == ()
    assert (pool.topics, pool.document.to_pylist(), pool.runs) == (
        ("051", "007"),
        ["d2", "d1", "d3"],
        ("a", "b"),
    )
    assert pool.contribution_rank.tolist() == [1, 2, 1, 2]
    assert (pool.stratum.tolist(), pool.probability.tolist()) == ([0, 0, 0], [1, 1, 1])
    assert (
        len(pool.unsampled) == 0
        and pool.unsampled.starts.tolist() == [0, 0, 0]
        and not pool.is_sample
    )


def test_a_copy_of_the_older_file_is_kept(form_1: Path) -> None:
    before = form_1.read_bytes()
    open_project(form_1).close()
    assert form_1.with_name("old.form1.irjudge").read_bytes() == before


def test_a_migrated_file_has_the_tables_of_a_new_one(form_1: Path, project_file: Path) -> None:
    with open_project(form_1):
        pass
    assert tables(form_1) == tables(project_file)


def tables(path: Path) -> dict[str, list[tuple]]:
    database = sqlite3.connect(path)
    names = [
        row[0]
        for row in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
        )
    ]
    result = {name: database.execute(f"PRAGMA table_info({name})").fetchall() for name in names}
    database.close()
    return result


def test_a_sampled_pool_is_read_back_equal(project_file: Path) -> None:
    runs = [
        make_run(
            name,
            [
                (topic, f"d{index}", -index - shift)
                for topic in ("051", "007", "x")
                for index in range(9)
            ],
        )
        for name, shift in (("a", 0.0), ("b", 0.5))
    ]
    pool = build_pool(runs, PoolOptions("stratified(edges=2,rates=1/0.5)", seed=2**64 - 1))
    with open_project(project_file) as project:
        project.rankings.add_pool(pool)
        assert project.verify().problems == ()
    with open_project(project_file, writing=False) as project:
        stored = project.rankings.pool()
    assert (stored.strategy, stored.parameters) == (
        "stratified",
        {"ties": "docno", "edges": "2", "rates": "1/0.5", "seed": 2**64 - 1},
    )
    for name in ("starts", "stratum", "probability"):
        assert np.array_equal(getattr(stored, name), getattr(pool, name))
    assert stored.document.to_pylist() == pool.document.to_pylist() and len(pool.unsampled) > 5
    assert stored.unsampled.document.to_pylist() == pool.unsampled.document.to_pylist()
    assert stored.unsampled.starts.tolist() == pool.unsampled.starts.tolist()
    assert stored.unsampled.stratum.tolist() == pool.unsampled.stratum.tolist()
    assert stored.unsampled.probability.tolist() == pool.unsampled.probability.tolist()
    assert set(pool.unsampled.probability.tolist()) <= set(pool.probability.tolist())


def test_unsampled_documents_are_rescued_too(tmp_path: Path, project_file: Path) -> None:
    run = make_run("a", [("051", f"d{index}", -float(index)) for index in range(9)])
    with open_project(project_file) as project:
        project.rankings.add_pool(build_pool([run], PoolOptions("sample(share=0.5)")))
        before = project.rankings.pool()
    assert rescue_file(project_file, tmp_path / "again.irjudge").is_complete
    with open_project(tmp_path / "again.irjudge") as project:
        after = project.rankings.pool()
    assert after.unsampled.document.to_pylist() == before.unsampled.document.to_pylist() != []
    assert after.probability.tolist() == before.probability.tolist() == [5 / 9] * 5
    assert after.unsampled.probability.tolist() == [5 / 9] * 4


@pytest.mark.parametrize(
    "column", ["stratum", "probability", "undrawn_stratum", "undrawn_probability"]
)
def test_a_truncated_column_is_named(project_file: Path, column: str) -> None:
    with open_project(project_file) as project:
        project.rankings.add_pool(
            build_pool(
                [make_run("a", [("051", "d1", 2.0), ("051", "d2", 1.0)])],
                PoolOptions("sample(share=0.5)"),
            )
        )
        project._db.execute(f"UPDATE pool_topic SET {column} = x''")
        (problem, *_) = project.verify().problems
    assert problem.key == "column-lengths"


def to_form_6(path: Path) -> None:
    """Drop the additions of format 7."""
    database = sqlite3.connect(path)
    with database:
        database.execute("ALTER TABLE pool_topic DROP COLUMN undrawn_probability")
        database.execute("DELETE FROM seal")
        database.execute("PRAGMA user_version = 6")
    database.close()


def test_probabilities_that_form_6_did_not_store_are_unknown(
    project_file: Path, tmp_path: Path
) -> None:
    run = make_run("a", [("051", f"d{index}", -float(index)) for index in range(9)])
    with open_project(project_file) as project:
        project.rankings.add_pool(build_pool([run], PoolOptions("sample(share=0.5)")))
    to_form_6(project_file)
    rescue_file(project_file, tmp_path / "again.irjudge")
    for path, writing in (
        (project_file, False),
        (project_file, True),
        (tmp_path / "again.irjudge", True),
    ):
        with open_project(path, writing=writing) as project:
            pool = project.rankings.pool()
            assert len(pool) == 5 and np.isnan(pool.unsampled.probability).tolist() == [True] * 4
            if writing:
                assert project.verify().problems == ()

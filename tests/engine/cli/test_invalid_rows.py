"""Tests of rows with valid hashes but invalid values: commands work, or report unreadable data."""

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.store import Project, open_project
from irjudge.store.connection import Connection
from irjudge.store.schema import TABLES_BY_NAME
from tests.byte_flips import make_class_project
from tests.lengths import short_or_long

SETTINGS = (
    "title",
    "owner",
    "scale",
    "seed",
    "instructions",
    "calibration",
    "handed_in",
    "deadline",
    "role",
    "project",
    "assignment",
    "rules",
)
SETTINGS += (
    "side_key",
    "imports",
    "columns",
    "losses",
    "lost_events",
    "unused_numbers",
    "consensus",
    "live",
    "prices",
)
TEXTS = (
    "",
    "x",
    "-5",
    "2.5",
    "9" * 5000,
    "1e999",
    "null",
    "{",
    "[" * 3000,
    '"x"',
    "[1]",
    "[null]",
    "[[]]",
    "[[],[]]",
    "[[1]]",
    '["a"]',
)
TEXTS += (
    '[["a","b"]]',
    '[["a"],["b"]]',
    '{"a":1}',
    '{"a":{"b":"x"}}',
    '[{"a":1}]',
    '{"new":1e999,"superseded":"x"}',
)
TEXTS += (
    '[{"time":3,"done":4,"remarks":5,"files":6}]',
    '{"time":"x","events":"y","head":3}',
    '{"grades":[{"value":1e999}],"name":1}',
)
VALUES: dict[str, tuple[Any, ...]] = {
    "TEXT": TEXTS,
    "INTEGER": (0, -1, 5, 2**31, 2**62, -(2**63)),
    "BLOB": (b"", b"\0", b"\xff" * 4, b"\xff\xff\xff\x7f", b"\0" * 16, b"\1\0\0\0" * 12),
}
COMMANDS = (
    ["status"],
    ["qrels"],
    ["agreement"],
    ["evaluate"],
    ["export", "-o", "out.csv", "--judgments"],
    ["report", "-m", "AP", "-m", "nDCG@10", "-o", "out.xlsx"],
    ["receipt"],
    ["consensus", "--method", "majority"],
    ["preferences"],
    ["pool", "--depth", "3"],
    ["merge", "out/bob.irtask"],
    ["import", "--qrels", "more.qrels"],
    ["rescue", "-o", "rescued.irjudge"],
)
Case = tuple[str, str, Any]


@pytest.fixture(scope="module")
def class_project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path, _ = make_class_project(tmp_path_factory.mktemp("class"))
    (path.parent / "more.qrels").write_text("051 0 t051n1 1\n")
    return path


def cases(path: Path) -> list[Case]:
    """Return table, column (or name of a fact) and value of every invalid row."""
    connection = sqlite3.connect(path)
    columns = {
        table: connection.execute(f"PRAGMA table_info({table})").fetchall()
        for table in TABLES_BY_NAME
        if table != "fact"
    }
    connection.close()
    rows = [
        (table, name, kind)
        for table, table_columns in columns.items()
        for _, name, kind, *_ in table_columns
    ]
    setting_cases: list[Case] = [("fact", name, text) for name in SETTINGS for text in TEXTS]
    return setting_cases + [
        (table, name, value) for table, name, kind in rows for value in VALUES[kind]
    ]


def write_row(path: Path, table: str, name: str, value: Any) -> bool:
    """Write an invalid row through irjudge, so that its hash is valid.

    Return whether it is accepted.
    """
    connection = Connection(path)
    try:
        with connection.transaction():
            if table == "fact":
                connection.execute("INSERT OR REPLACE INTO fact VALUES (?, ?)", (name, value))
            else:
                connection.execute(
                    f"UPDATE {table} SET {name} = ? WHERE rowid = (SELECT min(rowid) FROM {table})",
                    (value,),
                )
    except (sqlite3.IntegrityError, IrjudgeError):
        return False
    finally:
        connection.close()
    return True


@pytest.mark.slow
def test_no_row_stops_a_command_with_a_traceback(
    class_project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(class_project.parent)
    whole, every = class_project.read_bytes(), cases(class_project)
    chosen = random.Random(12).sample(every, short_or_long(40, len(every)))
    for number, case in enumerate(chosen):
        class_project.write_bytes(whole)
        if not write_row(class_project, *case):
            continue
        for name, *more in COMMANDS if len(chosen) == len(every) else COMMANDS[number % 3 :: 3]:
            for made in ("out.csv", "out.xlsx", "rescued.irjudge"):
                Path(made).unlink(missing_ok=True)
            code = main([name, str(class_project), *more])
            err = capsys.readouterr().err
            assert code in (0, 1, 2) and "Traceback" not in err and "rror in irjudge" not in err, (
                case,
                name,
                err,
            )
            for backup in Path.cwd().glob("*.before-merge-*"):
                backup.unlink()
    class_project.write_bytes(whole)


def read_all_pages(project: Project) -> list[object]:
    """Read the data of each page of the window; the first error ends it."""
    rankings = project.rankings
    return [
        project.scale,
        project.seed,
        project.calibration,
        project.instructions,
        rankings.pool(),
        [rankings.run(stored.name) for stored in rankings.runs()],
        [list(rankings.qrels(stored.name).rows()) for stored in rankings.qrels_names()],
        [
            (
                each,
                project.assignments.items(each.code),
                project.assignments.organiser_notes(each.code),
            )
            for each in project.assignments.all()
        ],
        (
            project.assignments.rounds(),
            project.assignments.registered_assessors(),
            project.assignments.merged_files(),
        ),
    ]


@pytest.mark.parametrize(
    ("case", "key", "values"),
    [
        (("pool", "parameters", "[1]"), "damaged-pool", ["1"]),
        (("pool", "runs", '{"a":1}'), "damaged-pool", ["1"]),
        (("pool_topic", "contributions", b"\0" * 48), "damaged-pool", ["1"]),
        (("qrels", "groups", "[1]"), "damaged-qrels", ["truth"]),
        (("run_topic", "score", b""), "damaged-topic", ["051"]),
        (("assignment_item", "lists", '["a"]'), "damaged-item", []),
        (("assignment_item", "sides", "{}"), "damaged-item", []),
        (("assignment_round", "wishes", "[]"), "damaged-record", ["1"]),
        (("returned_file", "balance", "[]"), "damaged-record", ["ann.irtask"]),
    ],
)
def test_unreadable_data_is_named(
    class_project: Path, tmp_path: Path, case: Case, key: str, values: list[str]
) -> None:
    path = tmp_path / "p.irjudge"
    path.write_bytes(class_project.read_bytes())
    assert write_row(path, *case)
    with open_project(path) as project, pytest.raises(IrjudgeError) as error:
        read_all_pages(project)
    assert error.value.key == key and {*values} <= {*error.value.values.values()}

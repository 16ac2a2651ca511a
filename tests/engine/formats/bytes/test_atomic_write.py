"""Tests of atomic writing: whole files, unchanged permissions, and protected work."""

import json
import os
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.formats import Exercise, ExerciseAnswer, append_answer
from irjudge.formats.bytes import (
    check_overwrite,
    protect_files,
    replace_file,
    write_text_atomically,
)
from irjudge.formats.bytes.atomic_write import MAX_SAMPLES, SAMPLE_BYTES
from irjudge.model import Document, Event, Item, Scale
from irjudge.progress import Progress
from irjudge.store import create_project, open_project, rescue_file

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="permissions and links of POSIX")


@pytest.fixture(autouse=True)
def default_umask() -> object:
    before = os.umask(0o022)
    yield
    os.umask(before)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def database(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as made, made:
        made.execute("CREATE TABLE t (x)")
    made.close()
    return path


def make_project(path: Path) -> Path:
    with create_project(path, scale=Scale.parse("0-3")):
        pass
    return path


def make_damaged_project(path: Path) -> Path:
    content = bytearray(make_project(path).read_bytes())
    content[:100] = bytes(100)
    path.write_bytes(content)
    return path


def make_judged_project(path: Path) -> Path:
    """Create a project with judgments, without its first page, which marks it as judged."""
    with create_project(path, scale=Scale.parse("0-3")) as made:
        made.events.append(
            Event(
                "ann",
                "grade",
                Item("t", ("d",), ("0" * 64,)),
                "2026-03-01T10:00:00.000Z",
                {"value": 1},
            )
        )
    content = bytearray(path.read_bytes())
    content[: 4096 * 12] = bytes(4096 * 12)
    assert b'"assessor":"ann"' in content
    path.write_bytes(content)
    return path


def make_large_project(path: Path) -> Path:
    """Create a large project without judgments and without its first quarter."""
    with create_project(path, scale=Scale.parse("0-3")) as made:
        made.collection.add_documents(
            Document(f"d{number}", f"{number} {'word ' * 20000}".encode()) for number in range(120)
        )
    content = bytearray(path.read_bytes())
    assert len(content) > 2 * SAMPLE_BYTES * MAX_SAMPLES and b'"assessor":"' not in content
    content[: len(content) // 4] = bytes(len(content) // 4)
    path.write_bytes(content)
    return path


RESULT = (
    '{"irjudge":"result","version":1,"assignment":"a","code":"c","assessor":"ann","title":"","saved":"","handed_in":"","actions":[\n'
    '["'
    + "0" * 64
    + '","{\\"client\\":\\"'
    + "1" * 32
    + '\\",\\"number\\":1}"]\n],"receipt":{"count":1,"last":""}}\n'
)


def write_result(path: Path, content: bytes = RESULT.encode()) -> Path:
    path.write_bytes(content)
    return path


def write_answers(path: Path) -> Path:
    append_answer(
        path,
        ExerciseAnswer(
            "2026-03-01T10:00:00", "ann", Exercise("1", "t", "P@2"), "0.5", "", "right", ""
        ),
    )
    return path


def write_journal(path: Path) -> Path:
    path.write_bytes(b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7rest")
    return path


WORK = {
    "a project": lambda folder: make_project(folder / "p.irjudge"),
    "a project of another name": lambda folder: make_project(folder / "p.irjudge").rename(
        folder / "p.qrels"
    ),
    "a project whose beginning is gone": lambda folder: make_damaged_project(folder / "p.irjudge"),
    "any database": lambda folder: database(folder / "browser.db"),
    "a project whose beginning is gone, of another name": lambda folder: make_damaged_project(
        folder / "p.irjudge"
    ).rename(folder / "p.qrels"),
    "a project of which only judgments are left, of another name": lambda folder: (
        make_judged_project(folder / "p.irjudge").rename(folder / "p.csv")
    ),
    "a large project of which only texts are left, of another name": lambda folder: (
        make_large_project(folder / "p.irjudge").rename(folder / "p.csv")
    ),
    "a result at the end of a large file": lambda folder: write_result(
        folder / "ann.csv", b"some words\n" * 1_000_000 + RESULT.encode()
    ),
    "a large result whose beginning is gone": lambda folder: write_result(
        folder / "ann.csv", bytes(1 << 20) + f"{RESULT.splitlines()[1]},\n".encode() * 40_000
    ),
    "a result from a browser": lambda folder: write_result(folder / "ann.result.json"),
    "a result of another name": lambda folder: write_result(folder / "ann.csv"),
    "a result laid out anew": lambda folder: write_result(
        folder / "ann.csv", json.dumps(json.loads(RESULT), indent=2, sort_keys=True).encode()
    ),
    "a result in UTF-16": lambda folder: write_result(folder / "ann.csv", RESULT.encode("utf-16")),
    "a result whose beginning is gone": lambda folder: write_result(
        folder / "ann.csv", bytes(100) + RESULT[100:].encode()
    ),
    "a result of which nothing is left": lambda folder: write_result(
        folder / "ann.result.json", bytes(100)
    ),
    "a result after much else": lambda folder: write_result(
        folder / "ann.csv", b" " * ((2 << 20) - 200) + RESULT.encode()
    ),
    "answers to exercises": lambda folder: write_answers(folder / "answers.csv"),
    "the journal of a write that was cut off": lambda folder: write_journal(
        folder / "p.irjudge-journal"
    ),
}


WAYS = [
    (kind, way)
    for kind in WORK
    for way in ("itself", "symbolic link", "hard link")
    if "large" not in kind or way == "itself"
]
# neither its bytes nor this name identify it
WAYS.remove(("a result of which nothing is left", "hard link"))


@pytest.mark.parametrize(
    ("kind", "way"),
    [pytest.param(*each, marks=pytest.mark.slow if "large" in each[0] else ()) for each in WAYS],
)
@POSIX
def test_files_with_work_are_never_overwritten(kind: str, way: str, tmp_path: Path) -> None:
    work = WORK[kind](tmp_path)
    before, target = work.read_bytes(), work if way == "itself" else tmp_path / "out.qrels"
    if way == "symbolic link":
        target.symlink_to(work)
    if way == "hard link":
        os.link(work, target)
    with pytest.raises(IrjudgeError, match="never overwritten"):
        write_text_atomically(target, "other words")
    assert work.read_bytes() == before and not list(tmp_path.glob(".irjudge-*"))


OTHERS = {
    "zeros": lambda _chance: bytes(20_000_000),
    "random bytes": lambda chance: chance.bytes(9_000_000),
    "codes": lambda chance: chance.integers(0, 5000, 2_000_000, "<i4").tobytes(),
    "codes in order": lambda _chance: np.arange(2_000_000, dtype="<i4").tobytes(),
    "codes in order, big-endian": lambda _chance: np.arange(2_000_000, dtype=">i4").tobytes(),
    "numbers": lambda chance: chance.random(1_000_000).tobytes(),
    "lines": lambda _chance: b"1 Q0 d7 1 9.5 tag\r\n" * 400_000,
    "line ends": lambda _chance: b"\r\n" * 4_000_000,
    "nothing": lambda _chance: b"",
    "one page of one byte": lambda _chance: b"\5" * 4096,
    "UTF-16": lambda _chance: ("1 Q0 d7 1 9.5 tag\n" * 100_000).encode("utf-16"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", OTHERS)
def test_files_without_work_are_replaced(kind: str, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_bytes(OTHERS[kind](np.random.default_rng(5)))
    write_text_atomically(target, "written")
    assert target.read_text() == "written"


@pytest.mark.skipif(not Path("/proc/self/io").exists(), reason="nothing counts what is read")
@pytest.mark.parametrize("begins", [b"1 Q0 d7 1 9.5 tag\n", b"\0" * 20, b"{"])
def test_only_a_bounded_part_of_a_large_target_is_read(begins: bytes, tmp_path: Path) -> None:
    def bytes_read() -> int:
        return int(Path("/proc/self/io").read_text().split()[1])

    target = tmp_path / "out.run"
    target.write_bytes(begins)
    os.truncate(target, 2 << 30)
    before = bytes_read()
    check_overwrite(target)
    assert bytes_read() - before < 2 * SAMPLE_BYTES * MAX_SAMPLES


def test_an_input_file_is_not_overwritten(tmp_path: Path) -> None:
    read = tmp_path / "in.run"
    read.write_text("read")
    with (
        protect_files([read, tmp_path / "of another type"]),
        pytest.raises(IrjudgeError) as refused,
    ):
        write_text_atomically(tmp_path / "." / "in.run", "written")
    assert refused.value.values["problem"].key == "is-input"
    assert read.read_text() == "read"
    write_text_atomically(read, "written")
    assert read.read_text() == "written"


def test_a_project_created_in_the_meantime_stays(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    with pytest.raises(IrjudgeError, match="never overwritten"), replace_file(target) as part:
        part.write_text("x")
        make_project(target)
    with open_project(target, writing=False) as still:
        assert still.verify().problems == ()


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="no devices here")
def test_a_device_is_not_replaced() -> None:
    with pytest.raises(IrjudgeError, match="not a regular file"):
        write_text_atomically(Path("/dev/null"), "x")
    assert not Path("/dev/null").is_file()


@POSIX
@pytest.mark.parametrize("given", [0o600, 0o640, 0o644])
def test_a_private_file_stays_private_from_the_first_byte(given: int, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    target.chmod(given)
    with replace_file(target) as part:
        assert mode(part) == given
        other = tmp_path / "made beside"
        other.write_text("new")
        other.replace(part)
    assert (mode(target), target.read_text()) == (given, "new")


@POSIX
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path) -> None:
    write_text_atomically(tmp_path / "new.csv", "x")
    assert mode(tmp_path / "new.csv") == 0o644


@POSIX
def test_a_new_file_with_secrets_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "cards.html"
    with replace_file(path, is_private=True) as part:
        assert mode(part) == 0o600
    assert mode(path) == 0o600
    path.chmod(0o644)  # permissions that the owner gave are kept
    write_text_atomically(path, "x", is_private=True)
    assert mode(path) == 0o644


@POSIX
def test_copies_of_a_private_project_are_private(tmp_path: Path) -> None:
    path = make_project(tmp_path / "p.irjudge")
    path.chmod(0o600)
    rescue_file(path, tmp_path / "rescued.irjudge")
    seen: list[int] = []
    progress = Progress(
        lambda _done, _total, _what: seen.extend(map(mode, tmp_path.glob(".copy*.part")))
    )
    with open_project(path) as opened:
        opened.copy_to(tmp_path / "copy.irjudge", progress)
    assert [mode(tmp_path / f"{name}.irjudge") for name in ("rescued", "copy")] == [0o600, 0o600]
    assert set(seen) == {0o600}

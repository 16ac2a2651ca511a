"""Tests that files with one changed byte that pass `verify` can be opened and used."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import ProjectDamaged
from irjudge.exchange import merge_files
from irjudge.judging import Session
from irjudge.store import open_project
from tests.byte_flips import (
    HEADER,
    changed_copies,
    make_class_project,
    passes_verification,
    read_contents,
)
from tests.lengths import short_or_long

COMMANDS = (
    ["status"],
    ["qrels"],
    ["agreement"],
    ["export", "-o", "out.csv", "--judgments"],
    ["evaluate"],
    ["receipt"],
)
# percentage of changes that must pass `verify` for a meaningful test: many bytes of a page are
# unused
LEFT = 2


@pytest.fixture(scope="module")
def classes(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    return make_class_project(tmp_path_factory.mktemp("class"))


@pytest.mark.slow
def test_a_verified_project_is_complete_and_accepts_a_judgment(
    classes: tuple[Path, Path], tmp_path: Path
) -> None:
    path, passed = tmp_path / "p.irjudge", 0
    with open_project(classes[0], writing=False) as project:
        sound = read_contents(project)
    for data in changed_copies(classes[0].read_bytes(), 1, short_or_long(40, 3000)):
        path.write_bytes(data)
        if not passes_verification(path):
            continue
        passed += 1
        with open_project(path) as project:
            assert read_contents(project) == sound
            session = Session(project)
            session.grade(session.advance(), 1)
        assert passes_verification(path)
        with open_project(path) as project:
            assert read_contents(project)["events"][:-1] == sound["events"]
    assert passed >= LEFT


@pytest.mark.slow
def test_commands_work_with_a_verified_project(
    classes: tuple[Path, Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "p.irjudge"
    outputs: dict[str, tuple[int, str]] = {}
    for number, data in enumerate(
        (
            classes[0].read_bytes(),
            *changed_copies(classes[0].read_bytes(), 2, short_or_long(40, 3000)),
        )
    ):
        path.write_bytes(data)
        commands = COMMANDS if number == 0 else (COMMANDS[number % len(COMMANDS)],)
        if main(["verify", str(path)]) == 0:
            for name, *more in commands:
                Path("out.csv").unlink(missing_ok=True)
                capsys.readouterr()
                code = main([name, str(path), *more])
                answer = (code, capsys.readouterr().out)
                assert answer == outputs.setdefault(name, answer) and code == 0, name
    assert outputs.keys() == {name for name, *_ in COMMANDS}


@pytest.mark.slow
def test_a_verified_returned_file_can_be_judged_and_merged(
    classes: tuple[Path, Path], tmp_path: Path
) -> None:
    source, task = classes
    path, organiser, passed = tmp_path / task.name, tmp_path / "class.irjudge", 0
    with open_project(task, writing=False) as project:
        sound = read_contents(project)
    for data in changed_copies(task.read_bytes(), 3, short_or_long(40, 3000)):
        path.write_bytes(data)
        if not passes_verification(path):
            continue
        passed += 1
        organiser.write_bytes(source.read_bytes())
        with open_project(organiser) as project:
            (balance,) = merge_files(project, [path]).reports
            assert balance.new == balance.read == len(sound["events"]) and balance.sentences == []
        with open_project(path) as project:
            assert read_contents(project) == sound
            session = Session(project)
            session.grade(session.advance(), 1)
        assert passes_verification(path)
    assert passed >= LEFT


@pytest.mark.parametrize(
    ("offset", "value"), [(18, 0x40), (18, 2), (20, 0), (48, 1), (60, 1), (75, 1), (91, 0x80)]
)
def test_a_changed_header_that_sqlite_overlooks_is_detected(
    classes: tuple[Path, Path], tmp_path: Path, offset: int, value: int
) -> None:
    data, path = bytearray(classes[0].read_bytes()), tmp_path / "p.irjudge"
    data[offset] ^= value
    path.write_bytes(data)
    assert len(data) > HEADER and passes_verification(path) == (value == 0)
    if value:
        with pytest.raises(ProjectDamaged):
            open_project(path)


@pytest.mark.parametrize(
    "offset", [b"balance TEXT NOT NULL", b"CREATE TABLE returned_file", b"Class", b"title of 051"]
)
def test_a_damaged_file_that_did_not_open_is_not_locked(
    classes: tuple[Path, Path], tmp_path: Path, offset: bytes
) -> None:
    """A backup copied over it takes judgments at once, while the error report still exists."""
    sound, path = classes[0].read_bytes(), tmp_path / "p.irjudge"
    path.write_bytes(sound.replace(offset, b"\xff" + offset[1:]))
    with pytest.raises(ProjectDamaged) as error:
        open_project(path)
    path.write_bytes(sound)
    with open_project(path) as project:
        session = Session(project)
        session.grade(session.advance(), 1)
    assert "damaged" in str(error.value)

"""Tests that no command overwrites work; all commands with an output are found automatically."""

import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import click
import pytest

from irjudge.cli.main import COMMANDS, OUTPUT_PARAMETER, irjudge, main
from irjudge.judging import AdjudicationRecorder
from irjudge.report import EXPORTS
from irjudge.store import open_project
from irjudge.web import SessionOptions, begin_session

# Further arguments of each command, and the name of its output file; a command that is not listed
# needs none.
ARGUMENTS: dict[str, list[tuple[list[str], str]]] = {
    "sample": [(["everyday"], "new.irjudge")],
    "pool": [(["--depth", "3"], name) for name in ("new.csv", "new.qrels", "new.txt")],
    "assign": [(["--assessors", "ann,bob", "--overlap", "1"], "new")],
    "figure": [(["topic-differences"], "new.png")],
    "serve": [],  # runs until it is stopped; `tests/engine/web/test_failover.py` reads its cards
    "ask": [(["--model", "tiny"], "new")],
    "audit": [([], "new.xlsx")],
    "report": [(["-m", "AP"], "new.xlsx"), (["-m", "AP"], "new.csv")],
    "search": [([], "new.run")],
    "fuse": [([], "new.run")],
    "participant": [(["Eva", "--erase"], "new.irjudge")],
    "exercise": [(["--name", "first", "--answer", "0"], "new.csv")],
    "export": [
        ([f"--{what}", *(["bm25"] if what == "run" else [])], f"new{(each.suffixes or ('',))[0]}")
        for what, each in EXPORTS.items()
    ],
}
WRITES = re.compile(r"\b(writ(e|es|ten)|make|made)\b(?! by)")


def find_command(name: str) -> click.Command:
    command = irjudge.get_command(click.Context(irjudge), name)
    assert command is not None
    return command


def options(command: click.Command) -> Iterator[click.Option]:
    return (option for option in command.params if isinstance(option, click.Option))


WRITERS = [
    name for name in COMMANDS if any("-o" in option.opts for option in options(find_command(name)))
]


def test_every_writing_command_calls_its_file_output() -> None:
    for name in COMMANDS:
        for option in options(find_command(name)):
            writes = (
                isinstance(option.type, click.Path)
                and WRITES.search((option.help or "").lower()) is not None
            )
            assert writes <= (option.name == OUTPUT_PARAMETER), f"{name} {option.opts}"
            assert ("-o" in option.opts) == (option.name == OUTPUT_PARAMETER), (
                f"{name} {option.opts}"
            )


@pytest.fixture(scope="module")
def work_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a judged project, its runs and labels, and files that contain work."""
    folder = tmp_path_factory.mktemp("made")
    path = folder / "p.irjudge"
    assert main(["sample", "everyday", "-o", str(path)]) == 0
    assert main(["pool", str(path), "--depth", "3"]) == 0
    assert main(["export", str(path), "--run", "bm25", "-o", str(folder / "bm25.run")]) == 0
    assert main(["export", str(path), "--pool", "-o", str(folder / "pool.csv")]) == 0
    rows = [line.split(",")[:2] for line in (folder / "pool.csv").read_text().splitlines()[1:]]
    labels = "topic,document,assessor,grade\n" + "".join(
        f"{topic},{document},ann,1\n" for topic, document in rows[:4]
    )
    (folder / "labels.csv").write_text(labels)
    assert main(["import", str(path), "--judgments", str(folder / "labels.csv")]) == 0
    (folder / "model.txt").write_text(
        "".join(f"{topic} 0 {document} 1\n" for topic, document in rows[:4])
    )
    assert (
        main(
            ["import", str(path), "--judgments", str(folder / "model.txt"), "--as", "model", "m-1"]
        )
        == 0
    )
    with open_project(path) as project:
        begin_session(project, SessionOptions(join="links", names=("Eva",)))
        topic = project.collection.topics()[0].id
        decided = project.collection.document(rows[0][1])
        assert decided is not None
        AdjudicationRecorder(project).decide(rows[0][0], decided, 1)
    (folder / "exercises.csv").write_text(f"exercise,topic,measure,run\nfirst,{topic},P@2,bm25\n")
    (folder / "log.csv").write_text('session,query,results,clicks\n1,tea,"[""a"", ""b""]",1\n')
    shutil.copy(path, folder / "other project")
    assert (
        main(
            [
                "assign",
                str(folder / "other project"),
                "--assessors",
                "zoe",
                "--overlap",
                "1",
                "-o",
                str(folder / "out"),
            ]
        )
        == 0
    )
    shutil.move(next((folder / "out").iterdir()), folder / "task.irtask")
    (folder / "ann.json").write_text(
        '{"irjudge":"result","version":1,"assignment":"a","actions":[\n],"receipt":{"count":0,"last":""}}\n'
    )
    content = (folder / "task.irtask").read_bytes()
    (folder / "damaged").write_bytes(bytes(4096) + content[4096:])
    with closing(sqlite3.connect(folder / "browser.db")) as other, other:
        other.execute("CREATE TABLE t (x)")
    other.close()
    return folder


@pytest.fixture
def work_folder(work_template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    shutil.copytree(work_template, folder)
    monkeypatch.chdir(folder)
    return folder


def arguments(name: str) -> list[str]:
    """Return the input files of a command, by the names of its arguments."""
    given = {
        "project": "p.irjudge",
        "file": "p.irjudge",
        "source": "p.irjudge",
        "sources": "bm25.run",
        "exercises": "exercises.csv",
    }
    given |= {"logs": "log.csv"} | ({"runs": "bm25.run"} if name == "convert" else {})
    given |= {"sources": "p.irjudge"} if name in ("search", "fuse") else {}
    return [
        given[str(each.name)]
        for each in find_command(name).params
        if isinstance(each, click.Argument) and each.name in given
    ]


CASES = [(name, *case) for name in WRITERS for case in ARGUMENTS.get(name, [([], "new")])]


def run(name: str, command_arguments: list[str], target: str) -> int:
    files = arguments(name)
    return main(
        [name, *command_arguments, *files, "-o", target]
        if name == "figure"
        else [name, *files, *command_arguments, "-o", target]
    )


@pytest.mark.parametrize(
    ("name", "command_arguments", "new"),
    CASES,
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_a_command_writes_a_new_file_but_never_over_work(
    name: str,
    command_arguments: list[str],
    new: str,
    work_folder: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    before = {path: path.read_bytes() for path in work_folder.iterdir() if path.is_file()}
    (work_folder / "link").symlink_to(work_folder / "other project")
    os.link(work_folder / "task.irtask", work_folder / "hard link")
    for target in (
        "p.irjudge",
        "other project",
        "task.irtask",
        "browser.db",
        "link",
        "hard link",
        "ann.json",
        "damaged",
        *arguments(name),
    ):
        capfd.readouterr()
        assert run(name, command_arguments, target) == 2, target
        captured = capfd.readouterr()
        assert captured.out == "" and len(captured.err.splitlines()) == 1, captured
    assert {path: path.read_bytes() for path in before} == before
    assert run(name, command_arguments, new) == 0, capfd.readouterr().err
    assert (work_folder / new).exists()


# Unwritable destinations, and unusual names


def long_name(new: str) -> str:
    return "n" * (255 - len(Path(new).suffix)) + Path(new).suffix


def make_fifo(new: str) -> str:
    os.mkfifo(Path("pipe").with_suffix(Path(new).suffix))
    return f"pipe{Path(new).suffix}"


def make_folder(new: str) -> str:
    (made := Path("folder").with_suffix(Path(new).suffix)).mkdir()
    (made / "kept").write_text("kept")
    return str(made)


def make_dangling_link(new: str) -> str:
    (made := Path("dangling").with_suffix(Path(new).suffix)).symlink_to("nowhere/else")
    return str(made)


def make_full_device(new: str) -> str:
    (made := Path("full").with_suffix(Path(new).suffix)).symlink_to("/dev/full")
    return str(made)


HOSTILE: dict[str, Callable[[str], str]] = {
    "a name of 255 bytes": long_name,
    "a name that is too long": lambda new: "n" + long_name(new),
    "a name that is not UTF-8": lambda new: f"\udcff\udcfe{new}",
    "a name with marks of a terminal": lambda new: f"\x1b[2J\n{new}",
    "a pipe": make_fifo,
    "a folder": make_folder,
    "a link to nowhere": make_dangling_link,
    "a link to a full device": make_full_device,
    "a folder that is not there": lambda new: f"no/{new}",
    "below a file": lambda new: f"labels.csv/{new}",
}


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="files of POSIX")
@pytest.mark.parametrize(
    ("name", "command_arguments", "new"),
    CASES,
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_an_unwritable_destination_gives_one_error_and_no_files(
    name: str,
    command_arguments: list[str],
    new: str,
    work_folder: Path,
    capfd: pytest.CaptureFixture[str],
) -> None:
    for path_kind, target in HOSTILE.items():
        where = target(new)
        before = {path: path.read_bytes() for path in work_folder.iterdir() if path.is_file()}
        capfd.readouterr()
        code, captured = run(name, command_arguments, where), capfd.readouterr()
        assert (
            code in (0, 2) and "has a fault" not in captured.err and "Traceback" not in captured.err
        ), (
            path_kind,
            captured.err,
        )
        assert "\x1b" not in captured.err + captured.out, path_kind
        assert not [path for path in work_folder.rglob("*") if path.name.startswith(".")], (
            path_kind,
            sorted(work_folder.iterdir()),
        )
        if code == 2:
            assert {path: path.read_bytes() for path in before} == before, path_kind
            assert os.path.isfile(work_folder / where) == (work_folder / where in before), path_kind  # noqa: PTH113 -- a name may be too long for a path to ask
            assert captured.err.splitlines()[-1].startswith(("irjudge: ", "Error: ")), (
                path_kind,
                captured.err,
            )


@pytest.mark.parametrize("path_kind", HOSTILE)
def test_a_pool_whose_file_cannot_be_written_is_not_stored(
    path_kind: str, work_folder: Path
) -> None:
    with open_project(work_folder / "p.irjudge", writing=False) as project:
        before = project.rankings.pool_version()
    code = main(["pool", "p.irjudge", "--depth", "5", "-o", HOSTILE[path_kind]("new.csv")])
    with open_project(work_folder / "p.irjudge", writing=False) as project:
        assert project.rankings.pool_version() == before + (code == 0)


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="names of POSIX")
@pytest.mark.parametrize("strange", ["\udcff\udcfe", "\x1b[2J\n"])
def test_files_with_unusual_names_are_read_and_written(
    strange: str, work_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("p.irjudge", "task.irtask", "bm25.run"):
        shutil.copy(name, strange + name)
    assert main(["export", "p.irjudge", "--qrels", "-o", f"{strange}.qrels"]) == 0
    judged, project, page = f"{strange}.qrels", f"{strange}p.irjudge", f"{strange}page.html"
    for command_arguments in (
        ["export", f"{strange}task.irtask", "--html", "-o", page],
        ["report", judged, f"{strange}bm25.run", "-m", "AP", "-o", f"{strange}.html"],
        ["report", project, "-m", "AP", "-o", f"{strange}.xlsx"],
        ["evaluate", judged, f"{strange}bm25.run", "-m", "AP"],
        [
            "figure",
            "topic-differences",
            judged,
            f"{strange}bm25.run",
            "bm25.run",
            "-o",
            f"{strange}.svg",
        ],
        ["status", project],
        ["rescue", project, "-o", f"{strange}rescued.irjudge"],
    ):
        assert main(command_arguments) == 0, capfd.readouterr()
    captured = capfd.readouterr()
    assert (
        "\x1b" not in captured.out + captured.err and (work_folder / page).stat().st_size > 10_000
    )

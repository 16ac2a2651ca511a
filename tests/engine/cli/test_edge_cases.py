"""Tests of edge cases of commands: closed pipes, crashes, missing texts, negative grades, names."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import ProjectError
from irjudge.formats.rankings import read_qrels
from irjudge.model import Scale
from irjudge.store import create_project, is_project, open_project
from tests.engine.cli.output import command_error, find_line, numbers

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell and signals")


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    rows = [(topic, f"d{index}", 50 - index) for topic in range(200) for index in range(50)]
    (tmp_path / "a.run").write_text(
        "".join(f"{topic} Q0 {document} 1 {score} a\n" for topic, document, score in rows)
    )
    (tmp_path / "q.qrels").write_text(
        "".join(f"{topic} 0 d{topic % 50} 1\n" for topic in range(200))
    )
    return tmp_path


def shell(command: str) -> subprocess.CompletedProcess[str]:
    line = command.replace("irjudge", f"'{sys.executable}' -m irjudge")
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize(
    "command", ["irjudge pool a.run --depth 50 --format csv | head -n 1", "irjudge measures | true"]
)
def test_a_closed_pipe_causes_no_error(files: Path, command: str) -> None:
    done = shell(command)
    assert (done.returncode, "Traceback" in done.stderr, "fault" in done.stderr) == (
        0,
        False,
        False,
    ), done.stderr


@pytest.mark.slow
@POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_for_stdout_gives_one_error(files: Path) -> None:
    done = shell("irjudge measures > /dev/full")
    assert (
        done.returncode == 2 and "No space left" in done.stderr and "Traceback" not in done.stderr
    )


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "n" * 300, "a.run", "-m", "AP"],
        ["evaluate", "q.qrels", "n" * 300, "-m", "AP"],
        ["evaluate", "q.qrels", f"{'n/' * 400}{'n' * 300}", "-m", "AP"],
        ["evaluate", ".", "a.run", "-m", "AP"],
        ["verify", "."],
        ["verify", "n" * 300],
        ["status", "n" * 300 + ".irjudge"],
        ["sample", "everyday", "-o", "n" * 300 + ".irjudge"],
        ["open", "n" * 300],
        ["online", "n" * 300],
    ],
    ids=lambda arguments: " ".join(arguments)[:30],
)
def test_an_unusable_input_is_not_reported_as_the_output(
    files: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1 and "output" not in err and "Traceback" not in err
    assert any(
        why in err
        for why in (
            "Cannot use",
            "Cannot open",
            "Cannot read",
            "cannot be used: File name too long",
            "cannot be opened: File name too long",
            "cannot be read",
            "is a folder",
        )
    )


@pytest.mark.slow
@POSIX
def test_a_run_from_a_pipe_is_named_by_its_tag(files: Path) -> None:
    assert (
        shell("irjudge evaluate q.qrels <(cat a.run) -m RR --format csv")
        .stdout.splitlines()[1]
        .startswith("a,RR,all,")
    )


def test_runs_with_the_same_file_name_are_distinguished_by_folder(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("x", "y"):
        (files / folder).mkdir()
        shutil.copy(files / "a.run", files / folder / "a.run")
    assert main(["evaluate", "q.qrels", "x/a.run", "y/a.run", "-m", "RR", "--format", "csv"]) == 0
    assert [line.split(",")[0] for line in capsys.readouterr().out.splitlines()[1:]] == [
        "x/a",
        "y/a",
    ]


def test_negative_grades_are_reported_and_can_be_given_a_meaning(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = files / "n.qrels"
    path.write_text("1 0 d1 1\n1 0 d2 -1\n1 0 d3 -2\n1 0 d4 -1\n")
    (warning,) = read_qrels(path).warnings
    assert warning.startswith("n.qrels: ") and numbers(warning) == ["2", "1", "1", "2"]
    assert read_qrels(path, "0").grade.tolist() == [1, 0, 0, 0]
    path.write_text("1 0 d1 1\n1 0 d2 -3\n")
    assert main(["evaluate", "n.qrels", "a.run", "-m", "RR"]) == 2
    assert ": unjudged, unjudgeable, 0." in find_line(capsys.readouterr().err, "n.qrels: ", "-3")
    assert main(["evaluate", "n.qrels", "a.run", "-m", "RR", "--negative", "unjudged"]) == 0


def test_projects_are_recognised_by_content(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with create_project(files / "mine", scale=Scale.parse("0-3")) as project:
        project.set_setting("x", "y")
    assert (
        is_project(files / "mine")
        and not is_project(files / "a.run")
        and not is_project(files / "nosuch")
    )
    error = command_error("pool", "mine", "a.run", "--depth", "1")
    assert (error.key, dict(error.values)) == ("project-alone", {"name": "mine"})


def test_documents_without_text_are_not_assigned(
    files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "docs.jsonl").write_text('{"id": "d0", "text": "only this one"}\n')
    (files / "topics.tsv").write_text("0\tone\n1\ttwo\n")
    assert (
        main(
            [
                "new",
                "p.irjudge",
                "--documents",
                "docs.jsonl",
                "--topics",
                "topics.tsv",
                "--runs",
                "a.run",
            ]
        )
        == 0
    )
    assert main(["pool", "p.irjudge", "--depth", "2"]) == 0
    capsys.readouterr()
    assert main(["status", "p.irjudge", "--format", "csv"]) == 0
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == "owner,all,0,200,200,0.0," and find_line(
        captured.err, ": 1 (", " d"
    )


@pytest.mark.slow
@POSIX
def test_a_killed_new_command_leaves_no_file(files: Path) -> None:
    lines = "".join(f'{{"id": "d{index}", "text": "{"x" * 2000}"}}\n' for index in range(60_000))
    (files / "docs.jsonl").write_text(lines)
    (files / "topics.tsv").write_text("0\tone\n")
    command = [
        sys.executable,
        "-m",
        "irjudge",
        "new",
        "p.irjudge",
        "--documents",
        "docs.jsonl",
        "--topics",
        "topics.tsv",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not [
        path for path in files.iterdir() if path.name.endswith("-journal")
    ]:
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not (files / "p.irjudge").exists()


@pytest.mark.slow
@POSIX
def test_a_half_written_project_is_read_in_its_old_state(files: Path) -> None:
    path = files / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.set_setting("kept", "yes")
    crash = (
        "import os, sys\nfrom pathlib import Path\nfrom irjudge.store.project import open_project\n"
        "project = open_project(Path(sys.argv[1]))\nproject._db.execute('PRAGMA cache_size = 1')\n"
        "with project.transaction():\n"
        "    for number in range(3000):\n        project.set_setting(str(number), 'x' * 3000)\n    os.kill(os.getpid(), 9)\n"
    )
    subprocess.run([sys.executable, "-c", crash, str(path)], check=False)
    assert path.with_name("p.irjudge-journal").exists()
    link = files / "link.irjudge"
    link.symlink_to(path)
    with open_project(link, writing=False) as project:
        assert (
            project.get_setting("kept"),
            project.get_setting("0"),
            project.verify().problems,
        ) == (
            "yes",
            None,
            (),
        )


@POSIX
def test_a_second_connection_refuses_a_replaced_file(files: Path) -> None:
    for name in ("p.irjudge", "other.irjudge"):
        with create_project(files / name, scale=Scale.parse("0-3")) as project:
            project.set_setting("name", name)
    with open_project(files / "p.irjudge") as project:
        (files / "other.irjudge").replace(files / "p.irjudge")
        with (
            pytest.raises(ProjectError, match="moved, deleted or replaced"),
            project.second_connection(),
        ):
            pass


def test_a_project_name_may_have_the_maximum_length_of_file_names(files: Path) -> None:
    name = f"{'m' * 238}.irjudge"  # 246; NAME-journal is next to it during a write
    assert main(["sample", "everyday", "-o", name]) == 0
    assert main(["verify", name]) == 0

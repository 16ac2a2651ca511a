"""Tests of starting the window: with a screen, without one, and with missing libraries."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from irjudge.cli import desktop as starting
from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.model import AUXILIARY_KINDS
from irjudge.shipped import module_command
from irjudge_ui import probe
from tests.engine.cli.output import find_line


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Return the list of commands that would have been run."""
    made: list[list[str]] = []
    monkeypatch.setattr(starting, "run_window", lambda command: made.append(command) or 0)
    monkeypatch.setattr(starting, "check_qt", lambda: None)
    return made


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


def test_without_a_screen_the_sample_is_evaluated_here(
    no_screen: None, calls: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([]) == 0
    captured = capsys.readouterr()
    assert calls == [] and "`irjudge --help`" in captured.err
    assert captured.out.splitlines()[0].split() == ["run", "AP", "P@5", "nDCG@10", "RR"]
    assert "0.7084" in captured.out


def test_with_a_screen_the_window_is_a_new_process(
    calls: list[list[str]], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DISPLAY", ":9")
    file = tmp_path / "a.irjudge"
    assert main(["sample", "everyday", "-o", str(file)]) == 0
    assert main([]) == main([str(file)]) == main(["open", str(file)]) == 0
    assert [command[1:] for command in calls] == [
        ["-P", "-m", "irjudge_ui"],
        *[["-P", "-m", "irjudge_ui", str(file)]] * 2,
    ]


SLEEPER = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
# Under nohup a signal is ignored from the start, also in children: the command runs as under a
# terminal.
RESET_SIGNALS = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL); signal.signal(signal.SIGTERM, signal.SIG_DFL); "
STARTER = f"{RESET_SIGNALS}import sys; from irjudge.cli.desktop import run_window; run_window([sys.executable, '-c', {SLEEPER!r}])"


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are handed on under POSIX alone")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_ending_the_command_ends_the_window_first(name: str) -> None:
    number = getattr(signal, name)
    with subprocess.Popen(
        [sys.executable, "-c", STARTER], stdout=subprocess.PIPE, text=True
    ) as command:
        assert command.stdout is not None
        window = int(command.stdout.readline())
        command.send_signal(number)
        assert command.wait(timeout=20) == -number
    with pytest.raises(ProcessLookupError):
        os.kill(window, 0)


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="signals are handed on under POSIX alone")
def test_an_ignored_signal_stays_ignored() -> None:
    asks = "import os, signal; os.kill(os.getppid(), signal.SIGHUP); os._exit(7)"
    code = (
        "import signal, sys; from irjudge.cli.desktop import run_window; signal.signal(signal.SIGHUP, signal.SIG_IGN); "
        f"sys.exit(run_window([sys.executable, '-c', {asks!r}]))"
    )
    assert subprocess.run([sys.executable, "-c", code], timeout=20, check=False).returncode == 7


@pytest.mark.slow
def test_the_exit_code_of_the_window_is_passed_on() -> None:
    before = {number: signal.getsignal(number) for number in starting.END_SIGNALS}
    assert starting.run_window([sys.executable, "-c", "raise SystemExit(3)"]) == 3
    assert {number: signal.getsignal(number) for number in starting.END_SIGNALS} == before


@pytest.mark.slow
def test_missing_libraries_are_named_by_their_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = subprocess.CompletedProcess(
        [],
        returncode=-6,
        stdout="libxcb-cursor0\nlibegl1\n",
        stderr="could not load the platform plugin",
    )
    monkeypatch.setattr(starting.subprocess, "run", lambda *_, **__: answer)
    with pytest.raises(IrjudgeError, match=r"apt-get install libxcb-cursor0 libegl1$"):
        starting.check_qt()


@pytest.mark.slow
def test_another_error_of_qt_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    answer = subprocess.CompletedProcess(
        [], returncode=-6, stdout="", stderr="first\nno display named :9"
    )
    monkeypatch.setattr(starting.subprocess, "run", lambda *_, **__: answer)
    with pytest.raises(IrjudgeError, match="no display named :9"):
        starting.check_qt()


@pytest.mark.slow
def test_an_abort_of_qt_is_caught_in_a_child(monkeypatch: pytest.MonkeyPatch) -> None:
    """The real probe, on a platform whose plugin Qt cannot load, so that Qt aborts."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "nosuchplatform")
    with pytest.raises(IrjudgeError, match="Qt ") as error:
        starting.check_qt()
    assert error.value.key == "no-window"


def test_the_probe_finds_missing_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probe, "LIBRARIES", {"libnosuch.so.9": "libnosuch9", "libc.so.6": "libc6"})
    assert probe.missing_packages() == ["libnosuch9"]


def test_a_file_that_is_not_a_project_is_refused_before_the_window(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "good.run"
    file.write_text("1 Q0 d 1 2.0 t\n")
    assert main([str(file)]) == 2
    assert find_line(capsys.readouterr().err, "irjudge: good.run ", "irjudge evaluate")


@pytest.fixture
def hostile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a current folder with modules named as imported ones, which leave a file when run."""
    folder = tmp_path / "hostile"
    folder.mkdir()
    trace = f"open({str(folder / 'ran')!r}, 'a').write(__name__)\n"
    for name in (
        *"numpy click json sqlite3 pyarrow typing tempfile platformdirs PySide6 shiboken6 irjudge_ui xml rich filelock".split(),
    ):
        (folder / f"{name}.py").write_text(trace)
    monkeypatch.chdir(folder)
    yield folder
    assert not (folder / "ran").exists(), (folder / "ran").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "irjudge", "measures", "AP"],
        [sys.executable, "-m", "irjudge", "sample", "everyday", "-o", "p.irjudge"],
        [str(Path(sys.executable).with_name("irjudge")), "measures", "AP"],
        module_command("irjudge_ui.window"),  # loads the whole window and ends
        module_command("irjudge_ui.probe"),
    ],
    ids=lambda command: " ".join(command[1:]),
)
def test_code_next_to_a_project_does_not_run(hostile: Path, command: list[str]) -> None:
    if Path(command[0]).exists():  # without an installation there is no script
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_a_window_started_in_a_folder_with_code_does_not_run_it(
    hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setattr(starting, "run_window", lambda command: started.append(command) or 0)
    assert main([]) == 0
    assert started == [module_command("irjudge_ui")]


@pytest.mark.slow
def test_each_kind_of_auxiliary_file_has_an_option_in_a_new_process() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "irjudge", "evaluate", "--help"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert len(AUXILIARY_KINDS) >= 5 and all(
        f"--{name} " in done.stdout for name in AUXILIARY_KINDS
    )

"""Tests and commands do not depend on how they were started: without input or home, elsewhere, in another language and time."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOME = (
    "HOME",
    "USERPROFILE",
    "XDG_DATA_HOME",
    "XDG_CONFIG_HOME",
    "XDG_CACHE_HOME",
    "USER",
    "LOGNAME",
)
# One of each kind: files and permissions, a command's streams, durable saving, times of a receipt, settings of the window.
FILES = (
    "tests/engine/formats/bytes/test_atomic_write.py",
    "tests/engine/cli/test_rescue.py",
    "tests/engine/judging/test_hand_in.py",
    "tests/engine/cli/test_desktop.py",
    "tests/ui/test_settings.py",
)
COMMANDS = (
    ["sample", "textbook", "-o", "p.irjudge"],
    ["status", "p.irjudge"],
    ["verify", "p.irjudge"],
    ["evaluate", "p.irjudge"],
    ["desktop"],
)
IN_TURN = "import sys; from irjudge.cli.main import main; [main(line.split()) == 0 or sys.exit(line) for line in sys.argv[1:]]"


def start(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run Python as a job without a home is started by a machine that speaks no language and lets nobody else read."""

    def oddly() -> None:
        os.close(0)
        os.umask(0o077)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    environment = {name: value for name, value in os.environ.items() if name not in HOME}
    environment |= {
        "TZ": "Pacific/Chatham",
        "LANG": "C",
        "LC_ALL": "C",
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_RUNTIME_DIR": str(folder),
    }
    command = [sys.executable, *words]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        preexec_fn=oddly,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


@pytest.mark.skipif(os.name != "posix", reason="starts are odd in other ways elsewhere")
def test_a_few_tests_of_each_kind_pass_however_they_are_started(tmp_path: Path) -> None:
    files = [str(ROOT / name) for name in FILES]
    done = start(
        tmp_path,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--rootdir",
        str(ROOT),
        *files,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]


@pytest.mark.skipif(os.name != "posix", reason="starts are odd in other ways elsewhere")
def test_commands_work_however_they_are_started(tmp_path: Path) -> None:
    for words in (["-m", "irjudge", *COMMANDS[0]], ["-c", IN_TURN, *map(" ".join, COMMANDS[1:])]):
        done = start(tmp_path, *words)
        assert done.returncode == 0 and "Traceback" not in done.stderr, (words, done.stderr)
    assert (tmp_path / "p.irjudge").stat().st_mode & 0o077 == 0

"""Tasks for workers, in a separate module, so that processes do not import test libraries."""

import os
import signal
import sys
import time
from pathlib import Path

from irjudge.errors import IrjudgeError


def work_slowly(marks: Path, number: int) -> int:
    """Leave a file named after the task and its process, compute for a while, return the number."""
    (marks / f"{number}-{os.getpid()}").touch()
    deadline = time.monotonic() + 0.15
    while time.monotonic() < deadline:
        pass
    return number


def kill_own_process(_shared: None, task: int) -> int:
    if task == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    return task


def fail(_shared: None, task: int) -> int:
    if task == 1:
        raise IrjudgeError("problem in {place}", place="line 7")
    return {0: 0}[task]


def parent_command(_shared: None, _task: int) -> bytes:
    sys.stdout.flush()  # a forked copy would write inherited buffers again
    return Path(f"/proc/{os.getppid()}/cmdline").read_bytes()


def loaded_modules(_shared: None, _task: int) -> set[str]:
    return {*sys.modules}

"""The lock on a file: one process writes in it, and others only read; the system lets go of it when that process ends."""

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from irjudge.errors import ProjectBusy, ProjectReadOnly

if TYPE_CHECKING:
    from filelock import FileLock


def lock_of(path: Path) -> "FileLock":
    """Return the lock that whoever writes to a file holds: one for the file itself, whatever link it was opened by."""
    from filelock import FileLock  # noqa: PLC0415 -- 15 ms, and who only asks whether a file is a project locks none

    return FileLock(f"{path.resolve()}.lock", timeout=0, thread_local=False)


def take_lock(lock: "FileLock | None", project: str, interrupted: Callable[[], str]) -> None:
    """Take the lock of a project (None: it is only read), or raise who has it; where none can be made, `interrupted` may know why."""
    from filelock import Timeout  # noqa: PLC0415 -- as above

    if lock is None:
        return
    try:
        lock.acquire()
    except Timeout as fault:
        raise ProjectBusy(
            "{project} is open for judging in another irjudge. Close it there, or open it here for reading.",
            project=project,
        ) from fault
    except (OSError, NotImplementedError) as fault:
        if why := interrupted():
            raise ProjectReadOnly(why) from fault
        raise ProjectReadOnly(
            "{project} cannot be opened for writing: {reason}. Copy it to a folder where you may write.",
            project=project,
            reason=getattr(fault, "strerror", None) or fault,
        ) from fault


def drop_lock(lock: "FileLock | None") -> None:
    """Let others write, and leave no file of the lock behind."""
    if lock is None:
        return
    if os.name != "nt":
        with suppress(OSError):  # where it may not be removed it stays, and holds nobody up
            Path(lock.lock_file).unlink(missing_ok=True)
    lock.release()

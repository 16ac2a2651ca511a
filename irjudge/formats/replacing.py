"""Writes files whole or not at all: beside the target first, then renamed over it."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from irjudge.errors import IrjudgeError


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give the block a new file's path; when the block ends well, that file takes the target's place.

    Parameters
    ----------
    path
        The target; a file there stays whole until the new one is complete, and stays for good when anything fails.
        Behind a symbolic link the file it points at is replaced.

    Yields
    ------
    Path
        An empty file in the target's folder.

    Raises
    ------
    IrjudgeError
        When the target cannot be written, or the disk fails.
    """
    target = Path(os.path.realpath(path))
    _check(target, path)
    part = target.with_name(f".irjudge-{secrets.token_hex(6)}.part")
    try:
        part.touch(exist_ok=False)  # where nothing may be written, this is said before the work
        yield part
        _keep(part)
        part.replace(target)
    except OSError as fault:
        raise IrjudgeError(f"{path.name} could not be written: {reason(fault)}.{_unchanged(target)}") from fault
    finally:
        part.unlink(missing_ok=True)


def reason(fault: OSError) -> str:
    """Return why a file could not be written, in the words of a user."""
    if isinstance(fault, PermissionError):
        return "it is open in another program, or you may not write there"
    return (fault.strerror or str(fault) or type(fault).__name__).rstrip(".")


def _check(target: Path, path: Path) -> None:
    """Refuse before the work what would fail after it."""
    if target.is_dir():
        raise IrjudgeError(f"{path.name} could not be written: it is a folder, expected the name of a file.")
    if not target.parent.is_dir():
        raise IrjudgeError(f"{path.name} could not be written: the folder {target.parent} does not exist.")
    if target.exists() and not os.access(target, os.W_OK):
        raise IrjudgeError(f"{path.name} could not be written: it is read-only.{_unchanged(target)}")


def _keep(part: Path) -> None:
    """Bring the bytes to the disk: a rename that survives a power cut without them would leave an empty file."""
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _unchanged(target: Path) -> str:
    return " The file that is there is unchanged." if target.exists() else ""

"""The one door for files that irjudge writes: whole or not at all, never wider open than before, and never over work."""

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from irjudge.errors import IrjudgeError
from irjudge.message import Message

# How files begin that are never written over: SQLite's own, and what it keeps beside them while it writes.
DATABASE = b"SQLite format 3\0"
JOURNALS = (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
OURS = b"irJ1"  # the application id, at byte 68
ENDINGS = (".irjudge", ".irtask")  # a damaged beginning makes a project no less worth keeping

_inputs: ContextVar[tuple[Path, ...]] = ContextVar("inputs", default=())


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
        An empty file in the target's folder. From its first byte on nobody may read it who may not read what it replaces.

    Raises
    ------
    IrjudgeError
        When the target cannot be written, is not to be written over (see `spare`), or the disk fails.
    """
    target = Path(os.path.realpath(path))
    part = target.with_name(f".irjudge-{secrets.token_hex(6)}.part")
    try:
        _check(target, path)
        mode = _make(part, target)  # where nothing may be written, this is said before the work
        yield part
        _keep(part, mode)
        spare(path)  # something may have come to stand there meanwhile
        part.replace(target)
        sync_folder(target.parent)
    except OSError as fault:
        raise IrjudgeError(
            "{file} could not be written: {reason}.{unchanged}", file=path.name, reason=reason(fault), unchanged=_unchanged(target)
        ) from fault
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_whole(path: Path, content: str) -> None:
    """Write a text to a file, whole or not at all.

    Raises
    ------
    IrjudgeError
        As for `replacing`.
    """
    with replacing(path) as part:
        part.write_text(content, encoding="utf-8")


@contextmanager
def sparing(inputs: Iterable[Path]) -> Iterator[None]:
    """Let nothing that the block writes take the place of these files: it reads them."""
    token = _inputs.set((*_inputs.get(), *inputs))
    try:
        yield
    finally:
        _inputs.reset(token)


def spare(path: Path) -> None:
    """Refuse a target that holds work: a project, an assignment, any database, or what is being read (`sparing`).

    Raises
    ------
    IrjudgeError
        When it is one; its bytes say so, through any link.
    """
    if what := _work(path):
        raise IrjudgeError(
            "{file} could not be written: {what}. Choose another name.{unchanged}", file=path.name, what=what, unchanged=_unchanged(path)
        )


def there(path: Path) -> bool:
    """Tell whether something is at a path; what cannot be reached (a lost share, a folder without permission) counts as not there."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def private_to(source: Path) -> int:
    """Return the permissions a copy of a file may have: those of the file, and its owner may write; any where it is not there."""
    try:
        return source.stat().st_mode & 0o777 | 0o200
    except OSError:
        return 0o666


def reason(fault: OSError) -> str:
    """Return why a file could not be written, in the words of a user."""
    if isinstance(fault, PermissionError):
        return Message("it is open in another program, or you may not write there")
    return (fault.strerror or str(fault) or type(fault).__name__).rstrip(".")


def _work(path: Path) -> str:
    """Return why a file is not to be written over; empty where there is none, or it may be."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        head = file.read(72)
    if head[68:72] == OURS or (head and os.path.realpath(path).endswith(ENDINGS)):
        return Message("it is a project or an assignment, and those are never written over")
    if head.startswith((DATABASE, *JOURNALS)):
        return Message("it is a database, and those are never written over")
    return Message("it is one of the files that this is made from") if any(_same(path, other) for other in _inputs.get()) else ""


def _same(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    except (OSError, ValueError):  # no file at all: a run's name in a project
        return False


def _check(target: Path, path: Path) -> None:
    """Refuse before the work what would fail after it."""
    if target.is_dir():
        raise IrjudgeError("{file} could not be written: it is a folder, expected the name of a file.", file=path.name)
    if not target.parent.is_dir():
        raise IrjudgeError("{file} could not be written: the folder {parent} does not exist.", file=path.name, parent=target.parent)
    if not target.exists():
        return
    if not target.is_file():
        raise IrjudgeError("{file} could not be written: it is no ordinary file.", file=path.name)
    if not os.access(target, os.W_OK):
        raise IrjudgeError("{file} could not be written: it is read-only.{unchanged}", file=path.name, unchanged=_unchanged(target))
    spare(path)


def _make(part: Path, target: Path) -> int | None:
    """Make the empty file as private as its model, and return its permissions; None without a target."""
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, private_to(target)))
    if not target.exists() or os.name != "posix":
        return None
    status, made = target.stat(), part.stat()
    mode = status.st_mode & 0o777 | 0o200  # it is about to be written
    if made.st_gid != status.st_gid:  # what a group may do is for that group alone
        try:
            os.chown(part, -1, status.st_gid)
        except OSError:
            mode &= ~0o070
    part.chmod(mode)
    return mode


def _keep(part: Path, mode: int | None) -> None:
    """Bring the bytes to the disk: a rename that survives a power cut without them would leave an empty file."""
    if mode is not None:
        part.chmod(mode)  # another file may have taken its place
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> bool:
    """Bring the names of a folder to the disk: without it a power cut takes a new file away that was said to be there.

    Tells whether they are: a file system may not be able to, and a folder may not be readable.
    """
    if os.name != "posix":  # elsewhere a folder cannot be opened, and the system does it by itself
        return True
    try:
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
    except OSError:
        return False
    return True


def _unchanged(target: Path) -> str:
    return Message(" The file that is there is unchanged.") if target.exists() else ""

"""Locks of project files, partially written files, and journals left by a crash."""

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from irjudge.errors import ProjectBusy, ProjectError, ProjectReadOnly
from irjudge.formats.bytes import sync_folder

if TYPE_CHECKING:
    from filelock import FileLock

# Recognition of project files without loading SQLite

PROJECT_SUFFIX = ".irjudge"
APPLICATION_ID = 0x69724A31  # "irJ1"


def is_project(path: Path) -> bool:
    """Return whether the first bytes of a file are those of a project."""
    try:
        with path.open("rb") as file:
            first_bytes = file.read(72)
    except OSError:
        return False
    return first_bytes.startswith(b"SQLite format 3\0") and first_bytes[
        68:72
    ] == APPLICATION_ID.to_bytes(4, "big")


# Write lock, which the operating system releases when the process ends


def make_lock(path: Path) -> "FileLock":
    """Return the write lock of the file that a path or link refers to."""
    from filelock import FileLock  # noqa: PLC0415 -- 15 ms, and checking whether a file is a project needs no lock

    return FileLock(f"{path.resolve()}.lock", timeout=0, thread_local=False)


def acquire_lock(
    lock: "FileLock | None", project: str, describe_interruption: Callable[[], str]
) -> None:
    """Acquire a lock; raise an error if another process holds it or the folder is not writable.

    `lock` is None for a project that is opened read-only. `describe_interruption` is called if
    the folder is not writable. It returns an error message if the last write was interrupted,
    otherwise an empty string.
    """
    from filelock import Timeout  # noqa: PLC0415 -- as above

    if lock is None:
        return
    try:
        lock.acquire()
    except Timeout as error:
        raise ProjectBusy(
            "{project} is open for judging in another instance of irjudge. Close it there, or "
            "open it read-only here.",
            project=project,
        ) from error
    except (OSError, NotImplementedError) as error:
        if reason := describe_interruption():
            raise ProjectReadOnly(reason) from error
        raise ProjectReadOnly(
            "Cannot open {project} for writing: {reason}. Copy it to a folder with write "
            "permission.",
            project=project,
            reason=getattr(error, "strerror", None) or error,
        ) from error


def release_lock(lock: "FileLock | None") -> None:
    """Release the lock and delete its file."""
    if lock is None:
        return
    if os.name != "nt":
        with suppress(OSError):  # an unlocked lock file that cannot be deleted does no harm
            Path(lock.lock_file).unlink(missing_ok=True)
    lock.release()


# Partial files, and removal of partial files and journals left by killed processes

MAX_NAME_CHARACTERS = (
    # maximum number of characters of a file's name that are used in the name of its partial file.
    # The limit is low because file systems limit the bytes of names: a character can have four
    # bytes, and SQLite adds a suffix.
    48
)
# pattern of the names of partial files
PARTIAL_NAME = re.compile(r"\..+\.[0-9a-f]{8}\.part|\.irjudge-[0-9a-f]{12}\.part")
COMPANION_SUFFIXES = ("-journal", ".lock")  # suffixes of files that belong to a partial file
# age in seconds after which a partial file without a lock file is deleted
MAX_PARTIAL_SECONDS = 24 * 3600.0


def partial_path(path: Path) -> Path:
    """Return a temporary path at which a new file is written; `publish_file` renames it later.

    Raises ProjectError if `path` exists or cannot be accessed.
    """
    try:
        is_occupied = _exists(path)
        for journal in _iter_journal_paths(path):
            _exists(journal)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ProjectError(
            "Cannot write {file} ({value}).", file=path.name, value=reason
        ) from error
    if is_occupied:
        raise ProjectError(
            "{file} already exists. Choose another name; nothing was overwritten.", file=path.name
        )
    return path.with_name(f".{path.name[:MAX_NAME_CHARACTERS]}.{os.urandom(4).hex()}.part")


def _exists(path: Path) -> bool:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def publish_file(temporary_path: Path, path: Path) -> None:
    """Rename a finished partial file without overwriting an existing file.

    A journal left at `path` is renamed first, since SQLite would apply it to the new file.
    """
    if not path.exists():
        rename_journals(path)
    try:
        os.link(temporary_path, path)
    except FileExistsError as error:
        raise ProjectError(
            "{file} already exists. Choose another name; nothing was overwritten.", file=path.name
        ) from error
    except OSError:  # the file system has no hard links
        temporary_path.rename(path)
    finally:
        temporary_path.unlink(missing_ok=True)
    sync_folder(path.parent)


def remove_leftovers(folder: Path) -> None:
    """Delete from a folder the partial files that no running process uses, and their journals."""
    with suppress(OSError):
        for temporary_path in {_find_partial_file(path) for path in folder.iterdir()} - {None}:
            if temporary_path is not None:
                _remove_partial(temporary_path)


def _find_partial_file(path: Path) -> Path | None:
    """Return the partial file to which a path belongs; None for other files.

    The path may be that of the partial file itself, of its journal, or of its lock file.
    """
    stem = next(
        (
            path.name.removesuffix(suffix)
            for suffix in COMPANION_SUFFIXES
            if path.name.endswith(suffix)
        ),
        path.name,
    )
    return path.with_name(stem) if PARTIAL_NAME.fullmatch(stem) else None


def _remove_partial(temporary_path: Path) -> None:
    from filelock import Timeout  # noqa: PLC0415 -- as for locks

    lock = make_lock(temporary_path)
    if (
        not Path(lock.lock_file).exists()
        and temporary_path.exists()
        and time.time() - temporary_path.stat().st_mtime < MAX_PARTIAL_SECONDS
    ):
        return  # the file has no lock file but is recent, so that it may still be in use
    with suppress(Timeout, OSError, NotImplementedError), lock:
        for path in (
            temporary_path,
            *(
                temporary_path.with_name(temporary_path.name + suffix)
                for suffix in COMPANION_SUFFIXES
            ),
        ):
            path.unlink(missing_ok=True)


def rename_journals(path: Path) -> list[Path]:
    """Rename journals at the path of a new file, and return their new paths.

    Such journals belong to an earlier file, which was moved or deleted after a crash. SQLite would
    apply them to the new file. They are not deleted, because the earlier file may need them.
    """
    return [
        journal.rename(_find_unused_path(journal))
        for journal in _iter_journal_paths(path)
        if journal.exists()
    ]


def _iter_journal_paths(path: Path) -> Iterator[Path]:
    return (path.with_name(path.name + suffix) for suffix in ("-journal", "-wal", "-shm"))


def _find_unused_path(path: Path) -> Path:
    candidates = (
        path.with_name(f"{path.name}.old{'' if number == 1 else f'-{number}'}")
        for number in count(1)
    )
    return next(candidate for candidate in candidates if not candidate.exists())

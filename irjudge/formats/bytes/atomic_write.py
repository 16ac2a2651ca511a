"""Atomic writing of files. Projects, results and input files are never overwritten.

A new file has the same permissions as the file that it replaces.
"""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

from irjudge.errors import IrjudgeError
from irjudge.message import Message

# Headers of files that are never overwritten: SQLite databases, their journals and WAL files.
DATABASE = (b"SQLite format 3\0",)
JOURNALS = (b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7", b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
APPLICATION_ID = b"irJ1"  # application id of project files, at byte 68
ANSWERS_HEADER = b"time,student,exercise,run,topic,measure,target,"
# Patterns of the content of protected files. A match may be anywhere in a file, so damaged and
# renamed files are also recognised.
_EVENT = rb'\{"(?:actor|assessor)":"'
# pattern of the definition of the table `fact`, and of a complete event; the match of an event does
# not contain the beginning of a second event
PROJECT = re.compile(
    _EVENT + rb"(?:(?!" + _EVENT + rb')[^\0]){1,4000}?"v":[12]\}|CREATE TABLE fact \(name TEXT'
)
RESULT = re.compile(rb'"irjudge"\s*:\s*"result"|"[0-9a-f]{64}",\s*"\{\\"client\\":\\"')
REFUSALS = {
    PROJECT: Message("it is a project or an assignment, which is never overwritten"),
    RESULT: Message("it contains an assessor's judgments, which are never overwritten"),
}
KINDS_BY_SUFFIX = {".irjudge": PROJECT, ".irtask": PROJECT, ".result.json": RESULT}
# Only samples of a large target are read: protected content occurs everywhere in a project or
# result, and reading a large run completely takes longer than replacing it.
SAMPLE_BYTES = 1 << 16
OVERLAP_BYTES = 12288  # number of bytes that are read beyond the end of a sample
MAX_SAMPLES = 64  # files of up to SAMPLE_BYTES * MAX_SAMPLES bytes are read in full
PAGE_BYTES = 4096  # page size of a project file, in bytes
TREE_PAGE_TYPES = frozenset((2, 5, 10, 13))  # possible first bytes of a B-tree page

_inputs: ContextVar[tuple[Path, ...]] = ContextVar("inputs", default=())


@contextmanager
def replace_file(path: Path, *, is_private: bool = False) -> Iterator[Path]:
    """Yield a temporary path; if the block raises no error, the file there replaces `path`.

    With `is_private`, a new file can be read only by its owner.
    """
    target = Path(os.path.realpath(path))
    part = target.with_name(f".irjudge-{os.urandom(6).hex()}.part")
    try:
        _check_target(target, path)
        # The file is created before the block runs, so that an unwritable folder is reported first.
        mode = _create_part(part, target, is_private=is_private)
        yield part
        _sync_part(part, mode)
        # Another process may have created the target in the meantime.
        check_overwrite(path)
        part.replace(target)
        sync_folder(target.parent)
    except OSError as error:
        raise IrjudgeError(
            "Cannot write {file}: {reason}.{note}",
            file=path.name,
            reason=describe_os_error(error),
            note=_make_unchanged_note(target),
        ) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_text_atomically(path: Path, content: str, *, is_private: bool = False) -> None:
    """Write a text to a file in UTF-8; the old file remains until the new one is complete.

    With `is_private`, a new file can be read only by its owner.
    """
    with replace_file(path, is_private=is_private) as part:
        part.write_text(content, encoding="utf-8", newline="\n")


@contextmanager
def protect_files(inputs: Iterable[Path]) -> Iterator[None]:
    """Protect input files: within the block, `check_overwrite` raises an error for them."""
    token = _inputs.set((*_inputs.get(), *inputs))
    try:
        yield
    finally:
        _inputs.reset(token)


def check_overwrite(path: Path, *, is_append: bool = False) -> None:
    """Raise IrjudgeError if a file must not be overwritten.

    Projects, assignment files, results from a browser, answers to exercises, databases and input
    files (`protect_files`) are protected. With `is_append`, a file of answers to exercises is not
    protected, since rows are only appended to it.
    """
    if problem := _find_overwrite_problem(path, is_append):
        raise IrjudgeError(
            "Cannot write {file}: {problem}. Choose another name.{note}",
            key="not-overwritten",
            file=path.name,
            problem=problem,
            note=_make_unchanged_note(path),
        )


def path_exists(path: Path) -> bool:
    """Return whether a path exists; False if the path is invalid or cannot be accessed."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def get_copy_mode(source: Path) -> int:
    """Return the permissions for a copy of a file.

    These are the permissions of the file, with write access for the owner; 0o666 if there is no
    such file.
    """
    try:
        return source.stat().st_mode & 0o777 | 0o200
    except OSError:
        return 0o666


def describe_os_error(error: OSError) -> str:
    """Return a user-facing reason why a file could not be written."""
    if isinstance(error, PermissionError):
        return Message("it is open in another program, or you do not have write permission")
    return (error.strerror or str(error) or type(error).__name__).rstrip(".")


def _find_overwrite_problem(path: Path, is_append: bool) -> str:
    """Return why a file must not be overwritten; empty if it may be."""
    if not path.is_file():
        return ""
    with path.open("rb") as file:
        head = file.read(SAMPLE_BYTES)
        if head.removeprefix(b"\xef\xbb\xbf").startswith(ANSWERS_HEADER):
            return (
                ""
                if is_append
                else Message("it contains answers to exercises, which are never overwritten")
            )
        reason = _find_protection_reason(
            head, os.path.realpath(path)
        ) or _find_protection_reason_in_samples(file)
    return reason or (
        Message("it is one of the input files", key="is-input")
        if any(_is_same_file(path, input_path) for input_path in _inputs.get())
        else ""
    )


def _find_protection_reason(head: bytes, name: str) -> str:
    """Return why a file is protected, judged by its first bytes or name; empty if it is not.

    The name of an empty file is ignored.
    """
    if head[68:72] == APPLICATION_ID:
        return REFUSALS[PROJECT]
    if head.startswith(DATABASE + JOURNALS):
        return Message("it is a database, which is never overwritten")
    return next(
        (
            REFUSALS[kind]
            for suffix, kind in KINDS_BY_SUFFIX.items()
            if head and name.lower().endswith(suffix)
        ),
        "",
    )


def _find_protection_reason_in_samples(file: BinaryIO) -> str:
    """Return why a file is protected, judged by samples of its content; empty if it is not.

    The samples are searched for events, results and database pages. Pages are searched for because
    a damaged project may lack its beginning, and most of its pages may contain no event.
    """
    pages, database_pages = 0, 0
    for begin, sample in _read_samples(file):
        # removes the zero bytes of UTF-16, so that ASCII text matches
        text = sample.replace(b"\0", b"")
        for kind, message in REFUSALS.items():
            if kind.search(text):
                return message
        for offset in range(0, min(len(sample), SAMPLE_BYTES) - PAGE_BYTES + 1, PAGE_BYTES):
            if (page := sample[offset : offset + PAGE_BYTES]) != bytes(PAGE_BYTES):
                pages += 1
                database_pages += _is_page(page, (begin + offset) // PAGE_BYTES + 1)
    return REFUSALS[PROJECT] if database_pages > max(1, pages // 2) else ""


def _read_samples(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Yield the offset and the bytes of each sample of a file.

    Samples of a small file overlap; those of a large file are evenly spaced and include its end.
    """
    size = file.seek(0, os.SEEK_END)
    count, last_offset = min(-(-size // SAMPLE_BYTES), MAX_SAMPLES), max(0, size - SAMPLE_BYTES)
    for number in range(count):
        begin = last_offset * number // max(1, count - 1) // PAGE_BYTES * PAGE_BYTES
        file.seek(begin)
        yield begin, file.read(SAMPLE_BYTES + OVERLAP_BYTES)


def _is_page(page: bytes, number: int) -> bool:
    """Return whether bytes look like an SQLite B-tree page, or an overflow page with a link."""
    cells, content = (int.from_bytes(page[offset : offset + 2], "big") for offset in (3, 5))
    is_tree = page[0] in TREE_PAGE_TYPES and 8 + 2 * cells <= content <= PAGE_BYTES
    return is_tree or int.from_bytes(page[:4], "big") == number + 1


def _is_same_file(path: Path, other: Path) -> bool:
    try:
        return path.samefile(other)
    # An input may be a run in a project, and the name of a run may be an invalid path.
    except (OSError, ValueError):
        return False


def _check_target(target: Path, path: Path) -> None:
    """Raise IrjudgeError if the target cannot or must not be replaced."""
    if target.is_dir():
        raise IrjudgeError(
            "Cannot write {file}: it is a folder; expected a file name.",
            file=path.name,
        )
    if not target.parent.is_dir():
        raise IrjudgeError(
            "Cannot write {file}: the folder {folder} does not exist.",
            file=path.name,
            folder=target.parent,
        )
    if not target.exists():
        return
    if not target.is_file():
        raise IrjudgeError("Cannot write {file}: it is not a regular file.", file=path.name)
    if not os.access(target, os.W_OK):
        raise IrjudgeError(
            "Cannot write {file}: it is read-only.{note}",
            file=path.name,
            note=_make_unchanged_note(target),
        )
    check_overwrite(path)


def _create_part(part: Path, target: Path, *, is_private: bool) -> int | None:
    """Create the temporary file; return the permissions that it will have.

    The permissions are those of the target; None if there is no target, or on Windows.
    """
    new_mode = 0o600 if is_private and not target.exists() else get_copy_mode(target)
    os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, new_mode))
    if not target.exists() or os.name != "posix":
        return None
    status, part_status = target.stat(), part.stat()
    mode = status.st_mode & 0o777 | 0o200  # the owner must be able to write the file
    # the target's group permissions must not apply to another group
    if part_status.st_gid != status.st_gid:
        try:
            os.chown(part, -1, status.st_gid)
        except OSError:
            mode &= ~0o070
    part.chmod(mode)
    return mode


def _sync_part(part: Path, mode: int | None) -> None:
    """Flush the temporary file to disk, so that its content is stored before it is renamed."""
    if mode is not None:
        # the permissions are set again, since the caller may have replaced the temporary file
        part.chmod(mode)
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> bool:
    """Flush the entries of a folder to disk, so that a new file survives a power failure.

    The result is False if the file system does not support this, or the folder is unreadable.
    """
    if os.name != "posix":  # other systems flush the entries of folders themselves
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


def _make_unchanged_note(target: Path) -> str:
    return Message(" The existing file is unchanged.") if target.exists() else ""

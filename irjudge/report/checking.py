"""Files that are read back before they take their place: what went in has to come out."""

from collections.abc import Callable, Iterable
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes.replacing import replacing

Row = TypeVar("Row")
_NOTHING = object()


class NotEqual(IrjudgeError):
    """A file did not read back as what was to be written; the file that was there is as it was."""


def write_checked(path: Path, write: Callable[[Path], object], read_back: Callable[[Path], int]) -> int:
    """Write a file, read it back, and let it take its place when it is right.

    Parameters
    ----------
    path
        A file there stays whole until the new one is checked, and stays for good when anything fails.
    write
        Writes to the path it is given, which ends in the same name.
    read_back
        Reads that path, compares, and returns how many rows came back; raises `NotEqual` when they are not what went in.

    Returns
    -------
    int
        What `read_back` returned.

    Raises
    ------
    IrjudgeError
        When the file cannot be written, or reads back as something else.
    """
    with replacing(path) as part, TemporaryDirectory(dir=part.parent, prefix=".irjudge-") as folder:
        draft = Path(folder) / path.name  # forms are told by the ending, and faults name the file
        write(draft)
        found = read_back(draft)
        draft.chmod(part.stat().st_mode)
        draft.replace(part)
    return found


def compare(path: Path, what: str, rows: Iterable[Row], back: Iterable[Row]) -> int:
    """Compare what went into a file with what was read back from it, row by row, and return how many there are.

    Raises
    ------
    NotEqual
        With both numbers, and the first row that differs.
    """
    went_in = came_back = differs = 0
    for row, other in zip_longest(rows, back, fillvalue=_NOTHING):
        went_in, came_back = went_in + (row is not _NOTHING), came_back + (other is not _NOTHING)
        if row != other:
            differs = differs or max(went_in, came_back)
    if differs:
        numbers = f"{went_in:,} {what} went in and {came_back:,} came back; the first that differs is number {differs:,}"
        raise NotEqual(f"{path.name} was not written: read back, it is not what was to be written. {numbers}.")
    return came_back

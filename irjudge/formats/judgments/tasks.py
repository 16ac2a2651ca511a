"""Tasks for crowd platforms: a CSV file with a row for each document that somebody is to judge for a topic."""

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass, fields
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.replacing import replacing
from irjudge.formats.bytes.utf8 import LONGEST
from irjudge.message import Message

csv.field_size_limit(LONGEST)  # the module's own limit, for all of the program, is shorter than a long document


@dataclass(frozen=True, slots=True)
class Task:
    """One document to judge for one topic, as a stranger sees it.

    Parameters
    ----------
    item
        The code by which the label comes back; see `item_of`.
    topic, title, description
        Of the topic.
    document, document_title, text
        The words of a page without its marks; none for an image.
    url
        Where the document stands on the web; empty where that is not known.
    """

    item: str
    topic: str
    title: str
    description: str
    document: str
    document_title: str
    text: str
    url: str = ""


COLUMNS = tuple(field.name for field in fields(Task))


def item_of(topic: str, document: str) -> str:
    """Return the code of a document of a topic: always the same one, and nothing a spreadsheet or a platform would change.

    Examples
    --------
    >>> item_of("051", "d1")
    'p460391bb2c62e2be'
    """
    return "p" + hashlib.sha256(json.dumps([topic, document]).encode()).hexdigest()[:16]


def write_tasks(path: Path, tasks: Iterable[Task]) -> int:
    """Write tasks as CSV, whole or not at all, and return how many; `read_tasks` reads them back equal.

    Raises
    ------
    IrjudgeError
        When the file cannot be written.
    """
    count = 0
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for count, task in enumerate(tasks, 1):  # noqa: B007 -- the last number is the result
            table.writerow(astuple(task))
    return count


def read_tasks(path: Path) -> Iterator[Task]:
    """Yield the tasks of a file that `write_tasks` wrote.

    Raises
    ------
    FormatError
        When it is no such file, or cannot be read.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file, strict=True)
            if tuple(next(rows, ())) != COLUMNS:
                raise FormatError(path, Message("the columns are no tasks', expected {columns}", columns=", ".join(COLUMNS)), 1)
            for row in rows:
                if len(row) != len(COLUMNS):
                    raise FormatError(path, Message("{row} columns, expected {columns}", row=len(row), columns=len(COLUMNS)), rows.line_num)
                yield Task(*row)
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise FormatError(path, Message("cannot be read ({fault})", fault=fault)) from fault

"""Tasks for crowd platforms: a row for each document that somebody is to judge for a topic, as CSV, for Toloka, or for Label Studio."""

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.replacing import replacing
from irjudge.formats.bytes.utf8 import LONGEST
from irjudge.formats.rows.cells import neutral, restored
from irjudge.message import Message

csv.field_size_limit(LONGEST)  # the module's own limit, for all of the program, is shorter than a long document


@dataclass(frozen=True, slots=True)
class JudgingTask:
    """One document to judge for one topic, as a stranger sees it."""

    item: str  # the code by which the label comes back; see `item_of`
    # of the topic
    topic: str
    title: str
    description: str
    # the words of a page without its marks; none for an image
    document: str
    document_title: str
    text: str
    url: str = ""  # where the document stands on the web; empty where that is not known


COLUMNS = tuple(field.name for field in fields(JudgingTask))
TOLOKA, STUDIO = ".tsv", ".json"


def item_of(topic: str, document: str) -> str:
    """Return the code of a document of a topic: always the same one, and nothing a spreadsheet or a platform would change.

    Examples
    --------
    >>> item_of("051", "d1")
    'p460391bb2c62e2be'
    """
    return "p" + hashlib.sha256(json.dumps([topic, document]).encode()).hexdigest()[:16]


def write_tasks(path: Path, tasks: Iterable[JudgingTask]) -> int:
    """Write tasks, whole or not at all, and return how many; `read_tasks` reads them back equal.

    The ending tells the form: `.tsv` is Toloka's, `.json` Label Studio's, any other CSV. Where a spreadsheet may open it, in all but
    `.json`, what begins as a formula has an apostrophe before it (`neutral`).
    """
    count = 0
    form = path.suffix.lower()
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="") as file:
        if form == STUDIO:
            for count, task in enumerate(tasks, 1):
                file.write(("[" if count == 1 else ",") + "\n" + json.dumps({"data": asdict(task)}, ensure_ascii=False))
            file.write("\n]\n" if count else "[]\n")
            return count
        table = csv.writer(file, delimiter=_separator(form))
        table.writerow(_header(form))
        for count, task in enumerate(tasks, 1):  # noqa: B007 -- the last number is the result
            table.writerow(map(neutral, astuple(task)))
    return count


def _separator(form: str) -> str:
    return "\t" if form == TOLOKA else ","


def _header(form: str) -> tuple[str, ...]:
    return tuple(f"INPUT:{name}" for name in COLUMNS) if form == TOLOKA else COLUMNS


def read_tasks(path: Path) -> Iterator[JudgingTask]:
    """Yield the tasks of a file that `write_tasks` wrote."""
    form = path.suffix.lower()
    if form == STUDIO:
        yield from _studio_tasks(path)
        return
    expected = _header(form)
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.reader(file, strict=True, delimiter=_separator(form))
            if tuple(next(rows, ())) != expected:
                raise FormatError(path, Message("the columns are no tasks', expected {columns}", columns=", ".join(expected)), 1)
            for row in rows:
                if len(row) != len(COLUMNS):
                    raise FormatError(path, Message("{row} columns, expected {columns}", row=len(row), columns=len(COLUMNS)), rows.line_num)
                yield JudgingTask(*map(restored, row))
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise FormatError(path, Message("cannot be read ({fault})", fault=fault)) from fault


def _studio_tasks(path: Path) -> Iterator[JudgingTask]:
    try:
        for each in json.loads(path.read_text(encoding="utf-8")):
            yield JudgingTask(**each["data"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as fault:
        raise FormatError(path, Message("cannot be read ({fault})", fault=fault)) from fault

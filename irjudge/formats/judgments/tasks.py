"""Tasks for crowd platforms: a row for each document that somebody is to judge for a topic, as CSV, for Toloka, or for Label Studio."""

import csv
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.atomic_write import replacing
from irjudge.formats.bytes.one_file import single_file
from irjudge.formats.bytes.utf8 import LONGEST, folded
from irjudge.formats.remarks import Remarks
from irjudge.formats.rows.cells_without_formulas import neutral, restored
from irjudge.formats.rows.records import Names, Record, json_list, json_objects, storable
from irjudge.formats.rows.tables import JSON, ColumnKind, read_table, table_form
from irjudge.message import Message
from irjudge.model.documents import Nugget

EXPECTED = Message(
    'expected JSON lines like {{"qid": "7", "nuggets": [{{"text": "…", "importance": "vital"}}]}}'
)
TOPICS: Names = ("qid", "topic_id", "narrative_id", "query_id", "topic", "id")
PARTS = (
    ColumnKind("topic", TOPICS),
    ColumnKind("nugget", ("nugget", "text")),
    ColumnKind("importance", ("importance",), needed=False),
)
IMPORTANCES = ("vital", "okay")
BANKS, ASKED = ("nugget_bank", "claim_bank"), ("question", "claim")  # of a NuggetBank
LIST, TEXTS, IMPORTANCE = "nuggets", ("text", "nugget"), "importance"


def read_nuggets(path: Path) -> dict[str, tuple[Nugget, ...]]:
    """Read the nuggets of each topic: JSON, or a table of topic, nugget and importance as `irjudge answers` prints it."""
    found: dict[str, tuple[Nugget, ...]] = {}
    remarks = Remarks()
    if table_form(path, PARTS) not in ("", JSON):
        return _of_table(path, remarks)
    for entry in single_file(path, remarks):
        is_list = entry.head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
        for record in json_list(entry) if is_list else json_objects(entry):
            topic = record.id(TOPICS, remarks)
            if topic in found:
                raise FormatError(
                    path,
                    Message(
                        "topic {topic} is there twice, expected each once",
                        key="same-topic",
                        topic=topic,
                    ),
                    record.line,
                )
            listed = record.fields.get(LIST) or _of_bank(record.fields)
            if not isinstance(listed, list) or not listed:
                raise FormatError(
                    path,
                    Message(
                        "topic {topic} has no list of nuggets, {expected}",
                        key="no-nuggets",
                        topic=topic,
                        expected=EXPECTED,
                    ),
                    record.line,
                )
            found[topic] = tuple(dict.fromkeys(_nugget(each, record, remarks) for each in listed))
    if not found:
        raise FormatError(
            path, Message("no nugget was found, {expected}", key="no-nugget", expected=EXPECTED)
        )
    return found


def _of_table(path: Path, remarks: Remarks) -> dict[str, tuple[Nugget, ...]]:
    table = read_table(path, PARTS, remarks)
    found: dict[str, list[Nugget]] = {}
    for line, cells in table.records():
        for part in ("topic", "nugget"):
            if not cells[part]:
                raise table.empty(part, line)
        found.setdefault(cells["topic"], []).append(
            Nugget(folded(cells["nugget"]), folded(cells.get("importance", "")))
        )
    if not found:
        raise FormatError(
            path, Message("no nugget was found, {expected}", key="no-nugget", expected=EXPECTED)
        )
    return {topic: tuple(nuggets) for topic, nuggets in found.items()}


def _of_bank(found: Mapping[str, object]) -> list[object]:
    """Return the nuggets of a NuggetBank, of the form v3, as those of other files: questions, then claims, each with what is below it.

    The answers that are known of a question stand behind it. An importance that is none of ours is left.
    """
    listed: list[object] = []
    waiting = [each for bank in BANKS for each in _each(found.get(bank))]
    while waiting:
        nugget = waiting.pop(0)
        if not isinstance(nugget, Mapping):
            listed.append(nugget)
            continue
        text = next((nugget[name] for name in ASKED if isinstance(nugget.get(name), str)), None)
        known = [each for answer in _each(nugget.get("answers")) if (each := _answer_text(answer))]
        importance = nugget.get(IMPORTANCE) if nugget.get(IMPORTANCE) in IMPORTANCES else None
        listed.append(
            {
                TEXTS[0]: f"{text} ({'; '.join(known)})" if text and known else text,
                IMPORTANCE: importance,
            }
        )
        waiting[:0] = _each(nugget.get("sub_nuggets"))
    return listed


def _each(found: object) -> list[object]:
    """Return what a list or an object holds."""
    return (
        list(found.values())
        if isinstance(found, Mapping)
        else list(found)
        if isinstance(found, list)
        else []
    )


def _answer_text(found: object) -> str:
    text = found.get("answer") if isinstance(found, Mapping) else found
    return text if isinstance(text, str) else ""


def _nugget(found: object, record: Record, remarks: Remarks) -> Nugget:
    cells = found if isinstance(found, Mapping) else {TEXTS[0]: found}
    text = next((value for name in TEXTS if isinstance(value := cells.get(name), str)), "")
    importance = cells.get(IMPORTANCE)
    if not text.strip():
        raise FormatError(
            record.where,
            Message("a nugget has no text, {expected}", key="no-text", expected=EXPECTED),
            record.line,
        )
    place = f"{record.where.name}, line {record.line}"
    said = folded(storable(importance, place, remarks)) if isinstance(importance, str) else ""
    return Nugget(folded(storable(text, place, remarks)), said)


csv.field_size_limit(
    LONGEST
)  # the module's own limit, for all of the program, is shorter than a long document


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
                file.write(
                    ("[" if count == 1 else ",")
                    + "\n"
                    + json.dumps({"data": asdict(task)}, ensure_ascii=False)
                )
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
                raise FormatError(
                    path,
                    Message(
                        "the columns are no tasks', expected {columns}",
                        key="not-tasks",
                        columns=", ".join(expected),
                    ),
                    1,
                )
            for row in rows:
                if len(row) != len(COLUMNS):
                    raise FormatError(
                        path,
                        Message(
                            "{row} columns, expected {columns}",
                            key="column-count",
                            row=len(row),
                            columns=len(COLUMNS),
                        ),
                        rows.line_num,
                    )
                yield JudgingTask(*map(restored, row))
    except (OSError, UnicodeDecodeError, csv.Error) as fault:
        raise FormatError(path, Message("cannot be read ({fault})", fault=fault)) from fault


def _studio_tasks(path: Path) -> Iterator[JudgingTask]:
    try:
        for each in json.loads(path.read_text(encoding="utf-8")):
            yield JudgingTask(**each["data"])
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as fault:
        raise FormatError(path, Message("cannot be read ({fault})", fault=fault)) from fault

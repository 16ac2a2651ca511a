"""Tables that crowd platforms write, recognised by their header: which column is what, and which rows were rejected there.

A platform is data: add one to `PLATFORMS`, and every reader of labels, judgments and preferences knows it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from irjudge.errors import FormatError
from irjudge.formats.bytes.utf8 import decoded
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.mapping import Columns
from irjudge.formats.rows.records import LARGEST_LIST
from irjudge.formats.rows.tables import JSON, Part, Row, Table, as_written, header_of, read_table, table_of_rows
from irjudge.formats.rows.workbooks import is_workbook
from irjudge.message import Message

REJECTED = Oddity(
    "1 row was rejected on the platform and was left out: {first}.",
    "{count} rows were rejected on the platform and were left out, beginning with {first}.",
)
ANSWERS = ("label", "grade", "winner")  # the parts that hold what somebody answered


@dataclass(frozen=True, slots=True)
class Platform:
    """How one platform names its columns; all names in small letters.

    Parameters
    ----------
    name
        In sentences.
    marks
        Columns that only its files have, all of them.
    shown, answered, known
        What stands in front of the name of a column that was shown, that was answered, and that holds the known answer.
    parts
        Columns that are always the same, by part.
    rejected
        Column and the values with which a row does not count.
    known_behind
        What stands behind the name of an answer in the name of its known answer; only such columns are answers then.
    """

    name: str
    marks: tuple[str, ...]
    shown: str = ""
    answered: str = ""
    known: str = ""
    parts: Mapping[str, str] | None = None
    rejected: tuple[str, tuple[str, ...]] = ("", ())
    known_behind: str = ""

    def columns(self, header: Sequence[str], parts: Sequence[Part], said: Columns) -> Columns:
        """Return which column is which part, as far as that is plain; what the user said stands."""
        names, found = [name.lower() for name in header], dict(said.named)
        answers = self._answers(names)
        for part in parts:
            place = None if part.name in found else self._place(part, names, answers)
            if place is not None and header[place] not in found.values():
                found[part.name] = header[place]
        if "item" not in found and not {"topic", "document"} <= found.keys():
            shown = [name for name in header if self.shown and name.lower().startswith(self.shown)]
            found |= self._item(shown, names, header, parts)
        known = self._known_answer(found, names)
        if known is not None and any(part.name == "gold" for part in parts):
            found.setdefault("gold", header[known])
        return Columns(tuple(found.items()))

    def _answers(self, names: Sequence[str]) -> list[int]:
        """Return where answers stand."""
        if self.known_behind:
            return [place for place, name in enumerate(names) if name + self.known_behind in names]
        return [place for place, name in enumerate(names) if self.answered and name.startswith(self.answered)]

    def _place(self, part: Part, names: Sequence[str], answers: Sequence[int]) -> int | None:
        """Return where a part stands: where it always does, where its name says so, or in the only answer."""
        fixed = (self.parts or {}).get(part.name)
        if fixed in names:
            return names.index(fixed)
        prefix = self.answered if part.name in ANSWERS else self.shown
        places = (names.index(prefix + name) for name in part.known if prefix + name in names)
        found = next(places, None)
        return answers[0] if found is None and part.name in ANSWERS and len(answers) == 1 else found

    def _item(self, shown: Sequence[str], names: Sequence[str], header: Sequence[str], parts: Sequence[Part]) -> dict[str, str]:
        """Return what tells items apart: the only thing shown, or the number the platform gave where it shows none of them by name."""
        if not any(part.name == "item" for part in parts):
            return {}
        if len(shown) == 1:
            return {"item": shown[0]}
        number = (self.parts or {}).get("unit", "")
        return {"item": header[names.index(number)]} if number in names and not shown else {}

    def _known_answer(self, found: Mapping[str, str], names: Sequence[str]) -> int | None:
        """Return where the known answer to what was answered stands."""
        answer = next((found[part].lower() for part in ANSWERS if part in found), "")
        known = answer + self.known_behind if self.known_behind else self.known + answer.removeprefix(self.answered)
        return names.index(known) if answer and (self.known or self.known_behind) and known in names else None

    def counted(self, header: Sequence[str], rows: Iterator[Row], remarks: Remarks) -> Iterator[Row]:
        """Yield the rows that count; those that were rejected are told."""
        column, values = self.rejected
        place = next((number for number, name in enumerate(header) if name.lower() == column), None)
        for line, cells in rows:
            if place is not None and place < len(cells) and cells[place].strip().lower() in values:
                remarks.add(REJECTED, Message("line {line}", line=line))
            else:
                yield line, cells


TURK = Platform(
    "Mechanical Turk",
    ("hitid", "workerid"),
    "input.",
    "answer.",
    parts={"worker": "workerid", "assessor": "workerid", "seconds": "worktimeinseconds", "unit": "hitid"},
    rejected=("assignmentstatus", ("rejected",)),
)
TOLOKA = Platform(
    "Toloka",
    ("assignment:assignment_id", "assignment:worker_id"),
    "input:",
    "output:",
    "golden:",
    parts={
        "worker": "assignment:worker_id",
        "assessor": "assignment:worker_id",
        "unit": "assignment:task_id",
    },
    rejected=("assignment:status", ("rejected", "expired", "skipped")),
)
APPEN = Platform(
    "Appen",
    ("_unit_id", "_worker_id", "_trust"),
    parts={"worker": "_worker_id", "assessor": "_worker_id", "unit": "_unit_id"},
    rejected=("_tainted", ("true",)),
    known_behind="_gold",
)
LABEL_STUDIO = Platform(
    "Label Studio",
    ("annotation.id", "annotation.completed_by"),
    "data.",
    "result.",
    "truth.",
    parts={
        "worker": "annotation.completed_by",
        "assessor": "annotation.completed_by",
        "seconds": "annotation.lead_time",
        "unit": "id",
    },
    rejected=("annotation.was_cancelled", ("true",)),
)
PLATFORMS = (TURK, TOLOKA, APPEN, LABEL_STUDIO)
SUBMISSIONS = ("submission id", "participant id", "status")  # Prolific: who took part, and no answers


def platform_of(header: Sequence[str]) -> Platform | None:
    """Return whose file has such a header; None where nobody's is known.

    Examples
    --------
    >>> platform_of(["HITId", "WorkerId", "Answer.radio"]).name
    'Mechanical Turk'
    """
    names = {name.lower() for name in header}
    return next((each for each in PLATFORMS if names.issuperset(each.marks)), None)


def read_crowd_table(path: Path, parts: Sequence[Part], remarks: Remarks, *, columns: Columns, encoding: str | None = None) -> Table:
    """Read a table as `read_table` does, and one of a crowd platform by that platform's names, without what was rejected there.

    An apostrophe before what begins as a formula is taken away: our own tables have it, and tasks come back from a platform with it.

    Raises
    ------
    FormatError
        When a needed column is not there, or not plain (`Undecided`), or the file cannot be read.
    """
    return as_written(_crowd_table(path, parts, remarks, columns=columns, encoding=encoding), remarks)


def _crowd_table(path: Path, parts: Sequence[Part], remarks: Remarks, *, columns: Columns, encoding: str | None) -> Table:
    if not path.is_file():  # a pipe comes once
        return read_table(path, parts, remarks, columns=columns, encoding=encoding)
    studio = None if is_workbook(path) else _label_studio(path)
    header = studio[0] if studio else header_of(path, encoding)
    if {name.lower() for name in header}.issuperset(SUBMISSIONS):
        raise FormatError(
            path, "a list of submissions and no answers; `irjudge import PROJECT --panel FILE` frees what was returned or timed out"
        )
    platform = platform_of(header)
    if platform is None:
        return read_table(path, parts, remarks, columns=columns, encoding=encoding)
    known = columns if columns.numbers() else platform.columns(header, parts, columns)
    if studio:
        table = table_of_rows(path, JSON, iter([(1, list(header)), *studio[1]]), parts, known)
    else:
        table = read_table(path, parts, remarks, columns=known, encoding=encoding)
    table.rows = platform.counted(header, table.rows, remarks)
    return table


# Label Studio


def _label_studio(path: Path) -> tuple[tuple[str, ...], list[Row]] | None:
    """Return header and rows of a JSON export, a row an annotation; None where the file is none."""
    with path.open("rb") as file:
        if file.read(64).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"[":
            return None
        if path.stat().st_size > LARGEST_LIST:
            raise FormatError(path, Message("more than {most:,} bytes, which is too large for JSON", most=LARGEST_LIST))
    try:
        tasks = json.loads(decoded(path.read_bytes(), path))
    except (ValueError, RecursionError) as fault:
        raise FormatError(path, Message("the JSON cannot be read ({fault})", fault=fault)) from fault
    if not all(isinstance(task, dict) and isinstance(task.get("annotations"), list) for task in tasks):
        raise FormatError(path, "not an export of Label Studio, expected a list of tasks with their annotations")
    records = [(number, record) for number, task in enumerate(tasks, 1) for record in _annotations(task)]
    header = tuple(dict.fromkeys(name for _, record in records for name in record))
    return header, [(number, [record.get(name, "") for name in header]) for number, record in records]


def _annotations(task: Mapping[str, Any]) -> Iterator[dict[str, str]]:
    """Yield a record for each annotation of a task; what was marked as the truth is the known answer and nobody's."""
    made = [each for each in task["annotations"] if isinstance(each, dict)]
    truths = {f"truth.{name}": text for each in made if each.get("ground_truth") for name, text in _results(each)}
    data = task.get("data") if isinstance(task.get("data"), dict) else {}
    shown = {f"data.{name}": _text(value) for name, value in (data or {}).items() if not isinstance(value, dict | list)}
    for each in made:
        if not each.get("ground_truth"):
            fields = {f"annotation.{name}": _text(each.get(name)) for name in ("id", "lead_time", "was_cancelled")}
            who = each.get("completed_by")
            fields["annotation.completed_by"] = _text(who.get("email") or who.get("id") if isinstance(who, dict) else who)
            yield {"id": _text(task.get("id")), **shown, **truths, **fields, **{f"result.{name}": text for name, text in _results(each)}}


def _results(annotation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield name and text of what was chosen."""
    for each in annotation.get("result") or ():
        value = each.get("value") if isinstance(each, dict) else None
        if isinstance(value, dict):
            chosen = value.get("choices", value.get("rating", value.get("number")))
            if chosen is not None:
                yield str(each.get("from_name", "choice")), ", ".join(map(str, chosen)) if isinstance(chosen, list) else _text(chosen)


def _text(value: Any) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)

"""Label files: who gave which label to which item, a row each, as any crowd platform writes them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from irjudge.errors import FormatError
from irjudge.formats.judgments.platforms import read_crowd_table
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.mapping import ColumnMapping, parse_columns
from irjudge.formats.rows.suggestions import describe_columns
from irjudge.formats.rows.tables import (
    DOCUMENT,
    TOPIC,
    ColumnKind,
    ReadTable,
    as_written,
    read_table,
)
from irjudge.message import Message
from irjudge.model.labels import Coder, Labels, usual_scale
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.progress import SILENT, Progress

ITEM = ColumnKind(
    "item",
    tuple("item item_id itemid task task_id unit unit_id example example_id hit_id id".split()),
    needed=False,
    suggested=True,
)
TOPIC_OF_ITEM, DOCUMENT_OF_ITEM = (
    ColumnKind("topic", TOPIC.known, needed=False),
    ColumnKind("document", DOCUMENT.known, needed=False),
)
WORKER = ColumnKind(
    "worker",
    tuple(
        "worker worker_id workerid assessor judge annotator rater observer performer user".split()
    ),
)
LABEL = ColumnKind(
    "label",
    tuple(
        "label grade answer response relevance rel relevancy relevance_label rating judgment judgement".split()
    ),
)
GOLD = ColumnKind("gold", tuple("gold gold_label truth".split()), needed=False)
SECONDS = ColumnKind(
    "seconds", tuple("seconds work_time worktimeinseconds duration".split()), needed=False
)
PARTS = (ITEM, TOPIC_OF_ITEM, DOCUMENT_OF_ITEM, WORKER, LABEL, GOLD, SECONDS)
ANSWER = ColumnKind("gold", (*GOLD.known, *LABEL.known))
KNOWN_PARTS = (ITEM, TOPIC_OF_ITEM, DOCUMENT_OF_ITEM, ANSWER)
# What a user may call the parts of a label file; the words of qrels mean the same.
NAMES = {
    **{part.name: part.name for part in PARTS},
    "assessor": "worker",
    "grade": "label",
    "truth": "gold",
}
REFUSED = frozenset({"unjudgeable", "unjudgable"})
Known = Mapping[str, str] | Mapping[tuple[str, str], str]

NO_LABEL = Oddity(
    "1 row has no label and was left out: {first}.",
    "{count} rows have no label and were left out, beginning with {first}.",
    key="no-label",
)
NOT_JUDGED = Oddity(
    "1 row has label -1, which is not judged, and was left out: {first}.",
    "{count} rows have label -1, which is not judged, and were left out, beginning with {first}.",
    key="not-judged",
)


def label_columns(text: str) -> ColumnMapping:
    """Return the columns of a label file that a user names, such as `item=Input.id,worker=WorkerId,label=Answer`.

    `assessor`, `grade` and `truth` stand for `worker`, `label` and `gold`.

    >>> label_columns("item=HIT,assessor=WorkerId").named
    (('item', 'HIT'), ('worker', 'WorkerId'))
    """
    return ColumnMapping(
        tuple((NAMES[part], column) for part, column in parse_columns(text, tuple(NAMES)).named)
    )


def read_labels(
    path: Path,
    *,
    columns: ColumnMapping | None = None,
    encoding: str | None = None,
    progress: Progress = SILENT,
) -> Labels:
    """Read a label file."""
    remarks = Remarks()
    table = read_crowd_table(
        path, PARTS, remarks, columns=columns or ColumnMapping(), encoding=encoding
    )
    table.report_ignored_ids(remarks)
    rows = _Rows(path, _item_parts(table, ("item", "worker", "label")), remarks)
    for line, fields in progress.through(
        table.records(), Message("Reading {file}", file=path.name), every=4096
    ):
        rows.take(line, fields)
    return rows.labels()


def read_known(
    path: Path, *, columns: ColumnMapping | None = None, encoding: str | None = None
) -> Known:
    """Read a table of known answers: `item` (or `topic` and `document`), and `truth`, `gold`, `label` or `grade`; or TREC qrels."""
    try:
        table = as_written(
            read_table(
                path, KNOWN_PARTS, Remarks(), columns=columns or ColumnMapping(), encoding=encoding
            ),
            Remarks(),
        )
    except FormatError as fault:
        return _known_of_qrels(path, encoding, fault)
    parts = _item_parts(table, ("item", "gold"))
    known: dict[tuple[str, ...], str] = {}
    for line, fields in table.records():
        item = _named(path, line, fields, parts)
        _settle(path, line, known, item, fields["gold"])
    return _keyed(known, parts)


def _known_of_qrels(path: Path, encoding: str | None, fault: FormatError) -> Known:
    """Return the grades of qrels, which have no header; the fault of the table where the file is no qrels either."""
    try:
        qrels = read_qrels(path, encoding=encoding)
    except FormatError:
        raise fault from None
    return {(topic, document): str(grade) for topic, document, grade in qrels.rows() if grade >= 0}


@dataclass(slots=True)
class _Rows:
    """The rows read so far, as codes."""

    path: Path
    parts: tuple[str, ...]
    remarks: Remarks
    items: Coder = field(default_factory=Coder)
    workers: Coder = field(default_factory=Coder)
    words: Coder = field(default_factory=Coder)
    item: list[int] = field(default_factory=list)
    worker: list[int] = field(default_factory=list)
    label: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    gold: dict[tuple[str, ...], str] = field(default_factory=dict)

    def take(self, line: int, fields: Mapping[str, str]) -> None:
        """Keep a row, or count it where it says nothing."""
        named = _named(self.path, line, fields, self.parts)
        word, paired = fields["label"], len(self.parts) > 1
        _settle(self.path, line, self.gold, named, fields.get("gold", ""))
        if not word or (paired and word == "-1"):
            self.remarks.add(NOT_JUDGED if word else NO_LABEL, Message("line {line}", line=line))
            return
        if not fields["worker"]:
            raise FormatError(self.path, Message("the worker is empty", key="empty-cell"), line)
        refused = word.lower() in REFUSED or (paired and word == "-2")
        self.item.append(self.items("\t".join(named)))
        self.worker.append(self.workers(fields["worker"]))
        self.label.append(UNJUDGEABLE if refused else self.words(word))
        if "seconds" in fields:
            self.seconds.append(seconds_of(self.path, line, fields["seconds"]))

    def labels(self) -> Labels:
        """Return all rows, on the scale that their labels seem to be of."""
        if not self.label:
            raise FormatError(
                self.path,
                Message("there is no label in it, expected rows below the header", key="no-label"),
            )
        names = [tuple(name.split("\t")) for name in self.items.names]
        words = self.words.names
        made = Labels(
            items=tuple(map(" ".join, names)),
            workers=self.workers.names,
            scale=words,
            values=None,
            item=np.array(self.item, dtype=np.int32),
            worker=np.array(self.worker, dtype=np.int32),
            label=np.array(self.label, dtype=np.int32),
            pairs=tuple((topic, document) for topic, document in names)
            if len(self.parts) > 1
            else None,
            seconds=np.array(self.seconds) if self.seconds else None,
            remarks=self.remarks.about(self.path.name),
        )
        made = made.with_scale(usual_scale([*words, *self.gold.values()]))
        return made.with_gold(_keyed(self.gold, self.parts)) if self.gold else made


def _item_parts(table: ReadTable, needed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the parts that name an item: topic and document where both are there."""
    if {"topic", "document"} <= set(table.places):
        return ("topic", "document")
    if "item" not in table.places:
        raise FormatError(
            table.path,
            Message(
                "the header has no item, nor topic and document; {columns}",
                key="no-column",
                columns=describe_columns(table.candidates(), needed, known=table.columns()),
            ),
            1,
        )
    return ("item",)


def _keyed(known: Mapping[tuple[str, ...], str], parts: tuple[str, ...]) -> Known:
    """Return known answers by item, or by topic and document."""
    if len(parts) > 1:
        return {(item[0], item[1]): answer for item, answer in known.items()}
    return {item[0]: answer for item, answer in known.items()}


def _named(
    path: Path, line: int, fields: Mapping[str, str], parts: tuple[str, ...]
) -> tuple[str, ...]:
    for part in parts:
        if not fields[part]:
            raise FormatError(
                path, Message("the {part} is empty", key="empty-cell", part=part), line
            )
    return tuple(fields[part].replace("\t", " ") for part in parts)


def _settle(
    path: Path, line: int, known: dict[tuple[str, ...], str], item: tuple[str, ...], answer: str
) -> None:
    """Keep an item's known answer."""
    if answer and known.setdefault(item, answer) != answer:
        raise FormatError(
            path,
            Message(
                "{items} has the known answer {answer!r} and had {known!r} before",
                key="two-known-answers",
                items=" ".join(item),
                answer=answer,
                known=known[item],
            ),
            line,
        )


def seconds_of(path: Path, line: int, cell: str) -> float:
    """Return the seconds a cell says; NaN for an empty one."""
    try:
        seconds = float(cell or "nan")
    except ValueError:
        seconds = -1.0
    if seconds < 0 or seconds == float("inf"):
        raise FormatError(
            path, Message("{cell!r} is no time in seconds", key="not-a-time", cell=cell), line
        )
    return seconds

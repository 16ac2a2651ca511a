"""Brings judgments made elsewhere into the log of a project, one event each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.formats.decisions import UNDECIDED, Decisions
from irjudge.formats.judgments.judgments import JudgmentFile, LabelRow, read_judgments
from irjudge.formats.judgments.platforms import crowd_header
from irjudge.formats.ratings.reading import read_book
from irjudge.formats.ratings.rows import RatingsFile
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.mapping import ColumnMapping
from irjudge.judging.crowd import items
from irjudge.judging.ledger import Ledger, in_order
from irjudge.judging.recorder import utc_now
from irjudge.message import Message
from irjudge.model.event import Event, EventKind, Item
from irjudge.model.event_form import REASONS
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.model.scale import Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.import_report import ImportReport, keep_report, say_strangers, say_textless
from irjudge.store.importing import import_queries, remember_columns, remembered_columns
from irjudge.store.project import Project

OTHERWISE = Oddity(
    "1 row names another topic or document than its item stands for, and the item was taken: {first}.",
    "{count} rows name another topic or document than their items stand for, and the items were taken, beginning with {first}.",
)
UNSAID = "other"  # of REASONS


def import_judgments(project: Project, path: Path, how: Decisions = UNDECIDED, progress: Progress = SILENT) -> ImportReport:
    """Add a table of judgments, of irjudge or of any platform; each becomes an event of its assessor. All of them or none.

    One that says what stands already is left out and counted, so that importing a file twice changes nothing. Columns that were said
    are remembered in the project, and read the same way in the next table with the same header, which is said.
    """
    book = None if how.columns else read_book(path)
    file, remarks = _read(project, path, how, book)
    rows = _resolved(project, path, file.rows, remarks)
    _check(path, rows, project.scale)
    report = ImportReport(remarks=remarks, files=[without_half_characters(path.name)])
    ledgers: dict[str, Ledger] = {}
    known = 0
    with project.transaction():
        if book:  # its queries are known by their texts
            ids = import_queries(project, path, book, report)
            rows = [replace(row, topic=ids[row.topic]) for row in rows]
        if how.columns and file.header:
            remember_columns(project, "judgments", file.header, how.columns)
        for row in progress.through(rows, Message("Reading {file}", file=path.name), total=len(rows)):
            if row.assessor not in ledgers:  # of its own: should the import fail, the project's ledgers must not know of it
                ledgers[row.assessor] = Ledger(in_order(project.events.read(row.assessor), project.events.lost())[0])
            ledger = ledgers[row.assessor]
            event = _event(project, row, ledger, path.name)
            standing = ledger.judgment(event.item.key)
            if standing is not None and (standing.kind, standing.payload.get("value")) == (event.kind, event.payload.get("value")):
                known += 1
                continue
            for each in (event, *_marks(event, row)):
                project.events.append(each)
                ledger.apply(each)
        report.done.append(
            Message(
                "Judgments: {rows:,} read from {file}. Assessors: {ledgers:,}.",
                rows=len(rows) - known,
                file=path.name,
                ledgers=len(ledgers),
            )
        )
        say_strangers(project, list(dict.fromkeys(row.topic for row in rows)), path.name, report)
        say_textless(project, [row.document for row in rows], path.name, report)
        if known:
            report.remarks.append(Message("{file}: judgments that stood in the project already: {known:,}.", file=path.name, known=known))
        keep_report(project, report)
    return report


def words_of(scale: Scale) -> dict[str, int]:
    """Return what the grades of a scale are called, in small letters."""
    return {grade.label.casefold(): grade.value for grade in scale.grades if grade.label}


def _read(project: Project, path: Path, how: Decisions, book: RatingsFile | None) -> tuple[JudgmentFile, list[str]]:
    """Read a table with the columns that were said, or else with those that were said of its header before; a book has none."""
    columns = how.columns or (ColumnMapping() if book else remembered_columns(project, "judgments", crowd_header(path, how.encoding)))
    file = read_judgments(path, columns=columns, encoding=how.encoding, words=words_of(project.scale))
    remarks = list(file.remarks)
    if columns and not how.columns:
        remarks.append(Message("{file}: read as the file before with the same header: {reading}.", file=path.name, reading=file.reading))
    return file, remarks


def _resolved(project: Project, path: Path, rows: Sequence[LabelRow], said: list[str]) -> list[LabelRow]:
    """Return the rows with the topic and document that their items stand for."""
    known = items(project) if any(row.item for row in rows) else {}
    remarks = Remarks()
    found = [_of_item(path, row, known, remarks) for row in rows]
    said += remarks.about(path.name)
    return found


def _of_item(path: Path, row: LabelRow, known: Mapping[str, tuple[str, str]], remarks: Remarks) -> LabelRow:
    pair = known.get(row.item)
    if pair is None:
        if not (row.topic and row.document):
            problem = Message(
                "the item {item!r} stands for no document, expected one of a file that `irjudge export --tasks` wrote of this project",
                item=row.item,
            )
            raise FormatError(path, problem, row.line)
        return row
    if any(said and said != meant for said, meant in zip((row.topic, row.document), pair, strict=True)):
        remarks.add(OTHERWISE, Message("line {line}", line=row.line))
    return replace(row, topic=pair[0], document=pair[1])


def _check(path: Path, rows: Sequence[LabelRow], scale: Scale) -> None:
    """Refuse grades that the scale lacks, all of them in one sentence, and showings that cannot be."""
    strange: dict[int, int] = {}
    for row in rows:
        if row.grade not in (*scale.values, UNJUDGEABLE):
            strange.setdefault(row.grade, row.line)
    if strange:
        grades, values = (", ".join(map(str, each)) for each in (sorted(strange), scale.values))
        raise FormatError(
            path, Message("the scale has no grade {grade}; it has {values}", grade=grades, values=values), next(iter(strange.values()))
        )
    for row in rows:
        if row.showing < 1:
            raise FormatError(path, Message("showing is {showing}, expected 1 or more", showing=row.showing), row.line)


def _event(project: Project, row: LabelRow, ledger: Ledger, source: str) -> Event:
    digest = project.collection.digest(row.document)
    item = Item(row.topic, (row.document,), (digest.hex() if digest else "",), occurrence=row.showing)
    spent = round(row.seconds * 1000) if row.seconds is not None else 0
    payload: dict[str, object] = {"active_ms": spent, "imported": Message("{source}, line {line}", source=source, line=row.line)}
    if row.time:
        payload["judged"] = row.time  # as the table says it; the event's own time orders the log
    if row.grade == UNJUDGEABLE:
        payload["reason"] = row.because if row.because in REASONS else UNSAID
        return Event(row.assessor, "unjudgeable", item, utc_now(), payload, None, ledger.head)
    payload |= {"value": row.grade, "scale": project.scale.version}
    return Event(row.assessor, "grade", item, utc_now(), payload, None, ledger.head)


def _marks(event: Event, row: LabelRow) -> Iterator[Event]:
    """Yield the events of the flag and the note that the table has beside a grade, each after the one before."""
    said: list[tuple[EventKind, dict[str, object]]] = [("unsure", {"value": True})] if row.unsure else []
    said += [("note", {"text": row.note})] if row.note else []
    last = event
    for kind, payload in said:
        last = Event(event.assessor, kind, event.item, event.time, payload, None, last.digest)
        yield last

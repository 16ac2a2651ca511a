"""Brings judgments made elsewhere into the log of a project, one event each."""

from collections.abc import Iterator
from pathlib import Path

from irjudge.errors import FormatError
from irjudge.formats.decisions import UNDECIDED, Decisions
from irjudge.formats.judgments import LabelRow, read_judgments
from irjudge.formats.utf8 import without_half_characters
from irjudge.judging.ledger import Ledger, in_order
from irjudge.judging.session import utc_now
from irjudge.model.event import Event, Item
from irjudge.progress import SILENT, Progress
from irjudge.store.import_report import ImportReport, keep_report, say_strangers, say_textless
from irjudge.store.project import Project


def import_judgments(project: Project, path: Path, how: Decisions = UNDECIDED, progress: Progress = SILENT) -> ImportReport:
    """Add a table of judgments; each becomes an event of its assessor. All of them or none.

    One that says what stands already is left out and counted, so that importing a file twice changes nothing.

    Raises
    ------
    FormatError
        When a line does not fit or has a grade that the scale lacks.
    """
    file = read_judgments(path, columns=how.columns, encoding=how.encoding)
    rows, scale = file.rows, project.scale
    report = ImportReport(remarks=list(file.remarks), files=[without_half_characters(path.name)])
    ledgers: dict[str, Ledger] = {}
    known = 0
    with project.transaction():
        for row in progress.through(rows, f"Reading {path.name}", total=len(rows)):
            if row.grade not in scale.values:
                raise FormatError(path, f"the scale has no grade {row.grade}; it has {', '.join(map(str, scale.values))}", row.line)
            if row.assessor not in ledgers:  # of its own: should the import fail, the project's ledgers must not know of it
                ledgers[row.assessor] = Ledger(in_order(project.events.read(row.assessor), project.events.lost())[0])
            ledger = ledgers[row.assessor]
            event = _event(project, row, ledger, path.name)
            standing = ledger.judgment(event.item.key)
            if standing is not None and standing.payload.get("value") == row.grade:
                known += 1
                continue
            for each in (event, *_notes(event, row)):
                project.events.append(each)
                ledger.apply(each)
        report.done.append(f"Judgments: {len(rows) - known:,} of {len(ledgers):,} assessors read from {path.name}.")
        say_strangers(project, list(dict.fromkeys(row.topic for row in rows)), path.name, report)
        say_textless(project, [row.document for row in rows], path.name, report)
        if known:
            report.remarks.append(f"{path.name}: {known:,} judgments stood in the project already.")
        keep_report(project, report)
    return report


def _event(project: Project, row: LabelRow, ledger: Ledger, source: str) -> Event:
    digest = project.collection.digest(row.document)
    item = Item(row.topic, (row.document,), (digest.hex() if digest else "",))
    payload = {"value": row.grade, "scale": project.scale.version, "active_ms": 0, "imported": f"{source}, line {row.line}"}
    if row.time:
        payload["judged"] = row.time  # as the table says it; the event's own time orders the log
    return Event(row.assessor, "grade", item, utc_now(), payload, None, ledger.head)


def _notes(event: Event, row: LabelRow) -> Iterator[Event]:
    """Yield the event of a note that the table has beside a grade."""
    if row.note:
        yield Event(event.assessor, "note", event.item, event.time, {"text": row.note}, None, event.digest)

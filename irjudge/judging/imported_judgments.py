"""Brings judgments made elsewhere into the log of a project, one event each."""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from irjudge.errors import FormatError, Undecided
from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.formats.decisions import UNDECIDED, Decisions
from irjudge.formats.judgments.judgments import WHO, JudgmentFile, LabelRow, read_judgments
from irjudge.formats.judgments.model_labels import is_of_model_form, looks_like_model
from irjudge.formats.judgments.platforms import crowd_header
from irjudge.formats.ratings.ratings import read_book
from irjudge.formats.ratings.rows import RatingsFile
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.formats.rows.mapping import ColumnMapping
from irjudge.judging.incoming.crowd import items
from irjudge.judging.incoming.model_labels import check_free, import_model_labels
from irjudge.judging.judged_qrels import choices, qrels_rows
from irjudge.judging.ledger import Ledger, in_order
from irjudge.judging.recorder import utc_now
from irjudge.message import Message
from irjudge.model.event import OF_CLIENTS, Actor, Event, EventKind, Item
from irjudge.model.event_form import REASONS
from irjudge.model.judge import ModelJudge
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.model.scale import Scale
from irjudge.progress import SILENT, Progress
from irjudge.store.import_files import import_queries, remember_columns, remembered_columns
from irjudge.store.import_report import ImportReport, keep_report, say_strangers, say_textless
from irjudge.store.project import Project

OTHERWISE = Oddity(
    "1 row names another topic or document than its item stands for, and the item was taken: {first}.",
    "{count} rows name another topic or document than their items stand for, and the items were taken, beginning with {first}.",
    key="other-item-named",
)
UNSAID = "other"  # of REASONS
ALL = "all"  # the assessors of a table


def import_judgments(
    project: Project, path: Path, how: Decisions = UNDECIDED, progress: Progress = SILENT
) -> ImportReport:
    """Add a table of judgments, of irjudge or of any platform; each becomes an event of its assessor. All of them or none.

    One that says what stands already is left out and counted, so that importing a file twice changes nothing. Columns that were said
    are remembered in the project, and read the same way in the next table with the same header, which is said.

    A file that names no assessor can only be what a model answered, and `how` has to name the model. An assessor whose name is like that
    of a model, and of whom nobody said what it is, is asked about.
    """
    if how.judge and _names_nobody(path, how):
        people = people_grades(project)
        return import_model_labels(
            project,
            path,
            how.judge,
            backwards=how.backwards,
            encoding=how.encoding,
            people=people,
            progress=progress,
        )
    book = None if how.columns else read_book(path)
    file, remarks = _read(project, path, how, book)
    rows = _resolved(project, path, file.rows, remarks)
    _check(path, rows)
    actors = _actors(project, path, rows, how)
    report = ImportReport(remarks=remarks, files=[without_half_characters(path.name)])
    ledgers: dict[str, Ledger] = {}
    known, client = 0, secrets.token_hex(16)
    with project.transaction():
        if book:  # its queries are known by their texts
            ids = import_queries(project, path, book, report)
            rows = [replace(row, topic=ids[row.topic]) for row in rows]
        if how.columns and file.header:
            remember_columns(project, "judgments", file.header, how.columns)
        for row in progress.through(
            rows, Message("Reading {file}", file=path.name), total=len(rows)
        ):
            if (
                row.assessor not in ledgers
            ):  # of its own: should the import fail, the project's ledgers must not know of it
                ledgers[row.assessor] = Ledger(
                    in_order(project.events.read(row.assessor), project.events.lost())[0]
                )
            ledger = ledgers[row.assessor]
            event = _event(project, row, ledger, path.name)
            if actors[row.assessor] == "model":
                event = _by_model(event, how.judge, client, row.line)
            known += not _added(project, row, ledger, event)
        _say_done(project, path.name, rows, report, known=known, assessors=len(ledgers))
        keep_report(project, report)
    return report


def _added(project: Project, row: LabelRow, ledger: Ledger, event: Event) -> bool:
    """Add an event and what is marked beside it, unless it stands already; tell whether it was added."""
    standing = ledger.judgment(event.item.key)
    if standing is not None and (standing.kind, standing.payload.get("value")) == (
        event.kind,
        event.payload.get("value"),
    ):
        return False
    for each in (event, *_marks(event, row)):
        project.events.append(each)
        ledger.apply(each)
    return True


def _say_done(
    project: Project,
    file: str,
    rows: Sequence[LabelRow],
    report: ImportReport,
    *,
    known: int,
    assessors: int,
) -> None:
    report.done.append(
        Message(
            "Judgments: {rows:,} read from {file}. Assessors: {ledgers:,}.",
            rows=len(rows) - known,
            file=file,
            ledgers=assessors,
        )
    )
    say_strangers(project, list(dict.fromkeys(row.topic for row in rows)), file, report)
    say_textless(project, [row.document for row in rows], file, report)
    if known:
        report.remarks.append(
            Message(
                "{file}: judgments that stood in the project already: {known:,}.",
                key="known-judgments",
                file=file,
                known=known,
            )
        )


def _names_nobody(path: Path, how: Decisions) -> bool:
    """Tell whether a file says of none of its labels who gave them."""
    if is_of_model_form(path):
        return read_book(path) is None
    header = {name.strip().lower() for name in crowd_header(path, how.encoding)}
    return header.isdisjoint(WHO.known) and "assessor" not in dict(how.columns.named)


def people_grades(project: Project) -> dict[tuple[str, str], int]:
    """Return the grades of people, as the qrels have them that numbers rest on; empty where there are none."""
    if not choices(project):
        return {}
    return {
        (topic, document): grade for topic, document, grade in qrels_rows(project) if grade >= 0
    }


def _actors(
    project: Project, path: Path, rows: Sequence[LabelRow], how: Decisions
) -> dict[str, Actor]:
    """Return what each assessor of a table is, and refuse one that was something else before."""
    found: dict[str, Actor] = {}
    for row in rows:
        if (
            found.setdefault(
                row.assessor,
                kind := row.kind or found.get(row.assessor) or _actor(project, path, row, how),
            )
            != kind
        ):
            problem = Message(
                "{name} is a person in one row and a model in another", name=row.assessor
            )
            raise FormatError(path, problem, row.line)
    for name, kind in found.items():
        if kind == "model":
            check_free(project, name)
        elif name in project.events.models():
            raise FormatError(
                path,
                Message(
                    "{name} is a model in the project, and here a person",
                    key="name-of-a-model",
                    name=name,
                ),
            )
    return found


def _actor(project: Project, path: Path, row: LabelRow, how: Decisions) -> Actor:
    name = row.assessor
    if name in project.events.models() or (how.judge and how.judge.name in (name, ALL)):
        return "model"
    if (
        name in project.events.assessors()
        or how.person in (name, ALL)
        or not looks_like_model(name)
    ):
        return "person"
    problem = Message(
        "{name} may be the name of a model; say --as model {name} or --as person {name}, or give a column kind",
        key="model-or-person",
        name=name,
    )
    raise Undecided(path, problem, ("judge",), row.line)


def _by_model(event: Event, judge: ModelJudge | None, client: str, number: int) -> Event:
    """Return a judgment as one that a model made."""
    said = replace(judge, name=event.assessor) if judge else ModelJudge(event.assessor)
    payload = {**event.payload, "model": said.as_payload()}
    return replace(
        event, payload=payload, version=OF_CLIENTS, client=client, number=number, actor="model"
    )


class OfScale(TypedDict):
    """What a scale says of the grades in a table: what they are called, in small letters, and which there are."""

    words: dict[str, int]
    scale: tuple[int, ...]


def of_scale(scale: Scale) -> OfScale:
    """Return what `read_judgments` needs to know of a scale."""
    return {
        "words": {grade.label.casefold(): grade.value for grade in scale.grades if grade.label},
        "scale": scale.values,
    }


def _read(
    project: Project, path: Path, how: Decisions, book: RatingsFile | None
) -> tuple[JudgmentFile, list[str]]:
    """Read a table with the columns that were said, or else with those that were said of its header before; a book has none."""
    columns = how.columns or (
        ColumnMapping()
        if book
        else remembered_columns(project, "judgments", crowd_header(path, how.encoding))
    )
    file = read_judgments(
        path, columns=columns, encoding=how.encoding, **of_scale(project.scale), grades=how.grades
    )
    remarks = list(file.remarks)
    if columns and not how.columns:
        remarks.append(
            Message(
                "{file}: read as the file before with the same header: {reading}.",
                key="read-as-before",
                file=path.name,
                reading=file.reading,
            )
        )
    return file, remarks


def _resolved(
    project: Project, path: Path, rows: Sequence[LabelRow], said: list[str]
) -> list[LabelRow]:
    """Return the rows with the topic and document that their items stand for."""
    known = items(project) if any(row.item for row in rows) else {}
    remarks = Remarks()
    found = [_of_item(path, row, known, remarks) for row in rows]
    said += remarks.about(path.name)
    return found


def _of_item(
    path: Path, row: LabelRow, known: Mapping[str, tuple[str, str]], remarks: Remarks
) -> LabelRow:
    pair = known.get(row.item)
    if pair is None:
        if not (row.topic and row.document):
            problem = Message(
                "the item {item!r} stands for no document, expected one of a file that `irjudge export --tasks` wrote of this project",
                key="unknown-item",
                item=row.item,
            )
            raise FormatError(path, problem, row.line)
        return row
    if any(
        said and said != meant for said, meant in zip((row.topic, row.document), pair, strict=True)
    ):
        remarks.add(OTHERWISE, Message("line {line}", line=row.line))
    return replace(row, topic=pair[0], document=pair[1])


def _check(path: Path, rows: Sequence[LabelRow]) -> None:
    """Refuse showings that cannot be."""
    for row in rows:
        if row.showing < 1:
            raise FormatError(
                path,
                Message(
                    "showing is {showing}, expected 1 or more",
                    key="invalid-showing",
                    showing=row.showing,
                ),
                row.line,
            )


def _event(project: Project, row: LabelRow, ledger: Ledger, source: str) -> Event:
    digest = project.collection.digest(row.document)
    item = Item(
        row.topic, (row.document,), (digest.hex() if digest else "",), occurrence=row.showing
    )
    spent = round(row.seconds * 1000) if row.seconds is not None else 0
    payload: dict[str, object] = {
        "active_ms": spent,
        "imported": Message("{source}, line {line}", source=source, line=row.line),
    }
    if row.time:
        payload["judged"] = row.time  # as the table says it; the event's own time orders the log
    if row.grade == UNJUDGEABLE:
        payload["reason"] = row.because if row.because in REASONS else UNSAID
        return Event(row.assessor, "unjudgeable", item, utc_now(), payload, None, ledger.head)
    payload |= {"value": row.grade, "scale": project.scale.version}
    return Event(row.assessor, "grade", item, utc_now(), payload, None, ledger.head)


def _marks(event: Event, row: LabelRow) -> Iterator[Event]:
    """Yield the events of flag, note and rationales of a row, each after the one before."""
    said: list[tuple[EventKind, dict[str, object]]] = (
        [("unsure", {"value": True})] if row.unsure else []
    )
    said += [("note", {"text": row.note})] if row.note else []
    said += [
        ("rationale", {"text": each.text, "position": [each.begin, each.end]})
        for each in row.rationales
    ]
    last = event
    for kind, payload in said:
        last = Event(event.assessor, kind, event.item, event.time, payload, None, last.digest)
        yield last

"""The judgments in force as rows of a table, with everything that an assessor said beside a grade."""

from collections.abc import Iterator

from irjudge.formats.judgments.judgments import LabelRow
from irjudge.judging.ledger import Ledger, ledger_of
from irjudge.judging.overview import active_ms
from irjudge.message import Message
from irjudge.model.event import Event
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project

GRADES = ("grade", "unjudgeable")


def judgment_rows(project: Project, progress: Progress = SILENT) -> tuple[list[LabelRow], tuple[str, ...]]:
    """Return the judgments in force of every assessor by name, in the order of their work, and what is not among them.

    Those of assessors who are set aside are there: they are judgments. Time is when it was judged, as the table it was imported from
    said it, or else as the log does.
    """
    rows = list[LabelRow]()
    preferences = noted = 0
    names = project.events.assessors()
    for name in progress.through(names, Message("Reading judgments"), total=len(names), every=1):
        ledger = ledger_of(project, name)
        events = list(ledger.judgments())
        rows += [_row(event, ledger) for event in events if event.kind in GRADES]
        preferences += sum(event.kind not in GRADES for event in events)
        noted += sum(1 for _ in _notes_alone(project, name, ledger))
    said = ((preferences, Message("preferences between panels")), (noted, Message("notes or flags on documents without a judgment")))
    return rows, tuple(Message("Not among the judgments: {what} ({count:,}).", what=what, count=count) for count, what in said if count)


def _row(event: Event, ledger: Ledger) -> LabelRow:
    marks, spent = ledger.marks(event.item.key), active_ms(event)
    return LabelRow(
        0,
        event.item.topic,
        event.item.documents[0],
        event.assessor,
        int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE,
        str(event.payload.get("judged") or event.time),
        marks.note,
        marks.unsure,
        spent / 1000 if spent else None,
        event.item.occurrence,
        str(event.payload.get("reason", "")),
    )


def _notes_alone(project: Project, assessor: str, ledger: Ledger) -> Iterator[object]:
    """Yield the items that have a note or a flag and no judgment."""
    touched = {event.item.key for event in project.events.read(assessor) if event.kind in ("note", "unsure")}
    for key in touched:
        marks = ledger.marks(key)
        if (marks.note or marks.unsure) and ledger.judgment(key) is None:
            yield key

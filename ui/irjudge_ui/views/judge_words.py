"""What the judging page says: of an action, and where there is no document to show."""

from collections.abc import Callable

from irjudge.judging.session import Session
from irjudge.model.event import Event

State = tuple[str, str, list[tuple[str, str]]]


def ended(session: Session, tr: Callable[[str], str]) -> State:
    """Return title, words and choices (label, action of the window) for a session that has no document left."""
    count, missing = session.count(), session.without_text
    if not count.assigned:
        words = tr("None of the pooled documents has a text in this project, for example %1. Do the ids of runs and documents fit?")
        return tr("Nothing can be judged"), words.replace("%1", missing[0] if missing else "–"), [(tr("See the collection"), "collection")]
    words = tr("%1 documents over %2 topics are judged, and every judgment is on disk.")
    words = words.replace("%1", f"{count.judged:,}").replace("%2", f"{len(session.queue.topics):,}")
    if missing:
        words += " " + tr("%1 pooled documents have no text in this project and were left out.").replace("%1", f"{len(missing):,}")
    return tr("All done"), words, [(tr("Evaluate the runs"), "evaluate"), (tr("Export qrels"), "export-qrels")]


def in_words(event: Event, tr: Callable[[str], str]) -> str:
    """Return what an action did to which document."""
    document = event.item.documents[0]
    if event.kind == "grade":
        return tr("%1, grade %2").replace("%1", document).replace("%2", str(event.payload["value"]))
    words = {
        "skip": tr("skipped"),
        "unjudgeable": tr("cannot be judged"),
        "unsure": tr("unsure"),
        "note": tr("a note"),
        "rationale": tr("a reason"),
    }
    return f"{document}, {words[event.kind]}"

"""What the judging page says: of an action, and where there is no document to show."""

from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtWidgets import QWidget

from irjudge.judging.overview import TopicSummary
from irjudge.judging.session import Session
from irjudge.model.event import Event
from irjudge.store.project import OWNER
from irjudge_ui.views.judge_panels import duration
from irjudge_ui.widgets.grade_bar import GradeBar
from irjudge_ui.widgets.state import StatePage

Tr = Callable[[str], str]
Choice = tuple[str, str | Callable[[], None]]


@dataclass(frozen=True, slots=True)
class State:
    """A page without a document: title, words, choices (label, and an action of the window or what is called), a picture."""

    title: str
    words: str
    choices: list[Choice] = field(default_factory=list)
    picture: Callable[[], QWidget] | None = None

    def page(self, do: Callable[[str], None]) -> StatePage:
        """Return the page; `do` does an action of the window by its id."""

        def call(choice: str | Callable[[], None]) -> None:
            do(choice) if isinstance(choice, str) else choice()

        calls = [(label, lambda choice=choice: call(choice)) for label, choice in self.choices]
        return StatePage(self.title, self.words, calls, self.picture() if self.picture else None)


def waiting(reading: str, tr: Tr) -> State:
    """Return what is shown without a session: there is no pool yet, or the project is open for reading only, and why."""
    if reading:
        words = reading + " " + tr("Numbers and exports work all the same.")
        return State(tr("This project is open for reading"), words, [(tr("Evaluate the runs"), "evaluate")])
    words = tr("A pool is the list of documents to judge for each topic. It is built from the runs.")
    return State(tr("Nothing to judge yet"), words, [(tr("Build a pool"), "collection")])


def topic_done(session: Session, topic: str, go_on: Callable[[], None], jump: Callable[[], None], tr: Tr) -> State:
    """Return what is said when the last document of a topic was judged and others wait."""
    summary = session.summary(topic)
    name = session.topic(topic).title or topic
    words = _numbers(summary, tr) + "\n" + tr("Left: %1 documents in %2 topics.")
    words = words.replace("%1", f"{summary.documents_left:,}").replace("%2", f"{summary.topics_left:,}")
    seconds = session.seconds_left()
    if seconds is not None:
        words += " " + tr("That is about %1 at your pace.").replace("%1", duration(seconds))
    choices: list[Choice] = [(tr("Next topic"), go_on), (tr("Documents of this topic"), jump)]
    return State(tr("Topic done: %1").replace("%1", name), words, choices, lambda: _grade_bar(session, summary))


def _numbers(summary: TopicSummary, tr: Tr) -> str:
    words = tr("%1 documents judged in %2").replace("%1", f"{summary.judged:,}").replace("%2", duration(summary.active_ms / 1000))
    if summary.median_ms is not None:
        words += tr(", half of them within %1 s").replace("%1", f"{max(1, round(summary.median_ms / 1000)):,}")
    marks = [
        tr("%1 cannot be judged").replace("%1", f"{summary.unjudgeable:,}") if summary.unjudgeable else "",
        tr("%1 unsure").replace("%1", f"{summary.unsure:,}") if summary.unsure else "",
    ]
    return ". ".join([words, *filter(None, marks)]) + "."


def _grade_bar(session: Session, summary: TopicSummary) -> GradeBar:
    pieces = [(f"{grade.value} {grade.label}".strip(), summary.grades.get(grade.value, 0)) for grade in session.scale.grades]
    return GradeBar(pieces)


def ended(session: Session, hand_in: Callable[[], None], tr: Tr) -> State:
    """Return what is said for a session that has no document left."""
    count, missing = session.count(), session.without_text
    if not count.assigned:
        words = tr("None of the pooled documents has a text in this project, for example %1. Do the ids of runs and documents fit?")
        words = words.replace("%1", missing[0] if missing else "–")
        return State(tr("Nothing can be judged"), words, [(tr("See the collection"), "collection")])
    words = tr("%1 documents over %2 topics are judged, and every judgment is on disk.")
    words = words.replace("%1", f"{count.judged:,}").replace("%2", f"{len(session.queue.topics):,}")
    if missing:
        words += " " + tr("%1 pooled documents have no text in this project and were left out.").replace("%1", f"{len(missing):,}")
    evaluate: Choice = (tr("Evaluate the runs"), "evaluate")
    close: Choice = (tr("Hand in"), hand_in)
    choices = [close, evaluate] if session.assessor != OWNER else [evaluate, close]
    return State(tr("All done"), words, [*choices, (tr("Export qrels"), "export-qrels")])


def in_words(event: Event, tr: Tr) -> str:
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

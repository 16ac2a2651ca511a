"""Events that do not count, since one before them is missing or they say nothing that can be: how many there are, and whose they are."""

from collections import Counter
from dataclasses import dataclass

from irjudge.counting import counted
from irjudge.judging.ledger import JUDGMENTS, ledger_of, waiting_in_log
from irjudge.message import Message
from irjudge.store.project import Project


@dataclass(frozen=True, slots=True)
class Gap:
    """What of one assessor waits for a missing event: how many events, and how many judgments among them."""

    assessor: str
    events: int
    judgments: int

    @property
    def sentence(self) -> str:
        """What is to be said to whoever reads judgments."""
        what = counted(self.judgments, "judgment") if self.judgments else counted(self.events, "event")
        return Message(
            "Of {assessor}, {what} wait for an event that is missing and do not count. "
            "Merge an untouched copy of the file, accept the gap (`irjudge merge --accept-gap`), or rescue the project (`irjudge rescue`).",
            assessor=self.assessor,
            what=what,
        )


def gaps(project: Project) -> tuple[Gap, ...]:
    """Return for each assessor, in alphabetical order, what waits: in the log, or kept apart from it when a returned file was merged."""
    events, judgments = Counter[str](), Counter[str]()
    kept = [event for name in project.events.assessors() for event in waiting_in_log(project, name)]
    for event in [*kept, *project.events.waiting()]:
        events[event.assessor] += 1
        judgments[event.assessor] += event.kind in JUDGMENTS
    return tuple(Gap(name, number, judgments[name]) for name, number in sorted(events.items()))


@dataclass(frozen=True, slots=True)
class Strange:
    """What of one assessor is in the log and is not as its kind asks: how many events."""

    assessor: str
    events: int

    @property
    def sentence(self) -> str:
        """What is to be said to whoever reads judgments."""
        return Message(
            "Of {assessor}, {events} of the log do not count: irjudge writes none of such a form. `irjudge verify` says which.",
            assessor=self.assessor,
            events=counted(self.events, "event"),
        )


def strange_events(project: Project) -> tuple[Strange, ...]:
    """Return for each assessor, in alphabetical order, how many events of the log are not as their kind asks."""
    found = ((name, len(ledger_of(project, name).strange)) for name in project.events.assessors())
    return tuple(Strange(name, number) for name, number in found if number)


def uncounted(project: Project) -> tuple[str, ...]:
    """Return a sentence for each assessor of whom something does not count: what waits, and what cannot be."""
    return (*(gap.sentence for gap in gaps(project)), *(strange.sentence for strange in strange_events(project)))

"""Merges returned files into the project: a union of events by identity, with a balance for each file."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count as numbers
from pathlib import Path

from irjudge.counting import counted
from irjudge.errors import ProjectError
from irjudge.exchange.balance import Balance
from irjudge.exchange.compare import differences, refusal, sieve_of
from irjudge.exchange.sieve import event_of
from irjudge.judging.ledger import JUDGMENTS, Ledger, in_order
from irjudge.judging.session import utc_now
from irjudge.model.assignment import Assignment
from irjudge.model.event import Event
from irjudge.progress import SILENT, Progress
from irjudge.store.assignments import ASSIGNMENT, Returned
from irjudge.store.guest import Guest, read_guest
from irjudge.store.project import Project


@dataclass(slots=True)
class Merged:
    """What a merge did.

    Attributes
    ----------
    backup
        The copy of the project that was made before; None where nothing was written.
    balances
        One for each file, in the order given.
    remarks
        What is remarkable about the whole: copies that were worked on separately, events that waited and found the one before them.
    waiting
        How many events wait in the project now.
    """

    backup: Path | None = None
    balances: list[Balance] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    waiting: int = 0


def merge(
    project: Project, paths: Sequence[Path], *, accept_gap: bool = False, clock: Callable[[], str] = utc_now, progress: Progress = SILENT
) -> Merged:
    """Take in what assessors judged.

    Files may come in any order, several times, under any name, as older versions and as copies that were worked on separately:
    the same events make the same project. The files are only read. A file that cannot be used costs nothing but a sentence. Of a
    log that does not fit together, what comes before the first event that does not fit is taken; what follows it waits for an
    untouched copy. Where the organiser accepts the gap, what follows it is taken too, and the project notes which events it lacks; should
    an untouched copy come after all, they take their place.

    Parameters
    ----------
    project
        Open for writing, with assignments.
    paths
        Returned files.
    accept_gap
        Take the events of these files that wait for one which is missing.

    Raises
    ------
    ProjectError
        When the project has no assignments.
    CommitFailed
        When it could not be made durable.
    Cancelled
        When `progress` says so. In all three cases nothing was changed.
    """
    if not project.assignments.all():
        raise ProjectError(f"{project.path.name} has no assignments, so no file can belong to it. Assign something first.")
    time, work = clock(), _Merging(project, accept_gap=accept_gap)
    balances = [work.file(path, number, len(paths), progress) for number, path in enumerate(paths)]
    noted = {each.digest or each.file for each in project.assignments.returned()}
    fresh = [balance for balance in balances if balance.brought or (balance.digest or balance.file) not in noted]
    backup = _backup(project, time, progress) if fresh or work.taken else None
    if backup is not None:
        try:
            progress.step(len(paths), len(paths), "Saving")
            with project.transaction():
                project.events.take(work.taken, list(work.waiting.values()), work.given_up())
                project.assignments.add_returned(_returned(balance, time) for balance in fresh)
        except BaseException:
            backup.unlink(missing_ok=True)
            raise
    return Merged(backup, balances, work.remarks(), len(work.waiting))


def _returned(balance: Balance, time: str) -> Returned:
    return Returned(time, balance.file, balance.digest, balance.assignment, balance.assessor, balance.as_json())


def _backup(project: Project, time: str, progress: Progress) -> Path:
    stamp = "".join(letter for letter in time[:16] if letter.isdigit())
    names = (f"{project.path.stem}.before-merge-{stamp}{'' if number == 1 else f'-{number}'}{project.path.suffix}" for number in numbers(1))
    path = next(path for name in names if not (path := project.path.with_name(name)).exists())
    project.copy_to(path, progress)
    return path


class _Merging:
    """What is known while file after file is read; nothing is written here."""

    def __init__(self, project: Project, *, accept_gap: bool) -> None:
        self.taken: list[Event] = []
        self.waiting = {event.digest: event for event in project.events.waiting()}
        self._project, self._lost, self._accept_gap = project, project.events.lost(), accept_gap
        self._given_up: set[str] = set()
        self._known = project.events.digests()
        self._assignments = {assignment.id: assignment for assignment in project.assignments.all()}
        self._events: dict[str, list[Event]] = {}
        self._waited = set(self.waiting)
        self._returned = {each.assignment for each in project.assignments.returned()}

    def file(self, path: Path, number: int, total: int, progress: Progress) -> Balance:
        """Read one file and return its balance."""
        progress.step(number, total, f"Reading {path.name}")
        balance = Balance(path.name)
        try:
            guest = read_guest(path, Progress(cancelled=progress.asked))
        except ProjectError as fault:
            balance.refused = str(fault)
            return balance
        balance.digest, balance.read = guest.digest, len(guest.rows)
        balance.remarks += guest.damage
        assignment = self._assignments.get(guest.facts.get(ASSIGNMENT, ""))
        balance.refused = refusal(self._project, guest, assignment)
        if assignment is None or balance.refused:
            balance.reasons.update({balance.refused or "": balance.read} if balance.read else {})
            return balance
        balance.assessor, balance.assignment = assignment.assessor, assignment.id
        self._returned.add(assignment.id)
        self._sift(guest, assignment, balance)
        return balance

    def _sift(self, guest: Guest, assignment: Assignment, balance: Balance) -> None:
        sieve = sieve_of(self._project, guest, assignment)
        sound: dict[str, Event] = {}
        first: str | None = None
        here = {row.digest.hex() for row in guest.rows if row.digest}
        for row in guest.rows:
            event = event_of(row)
            problem = event if isinstance(event, str) else sieve.problem(event)
            if isinstance(event, str) or problem:
                balance.reasons[problem or ""] += 1
            else:
                balance.identical += event.digest in sound or self._has(event)
                sound[event.digest] = event
                problem = None if event.parent in here or self._there(event.parent) else "the event before it is missing"
            if problem and first is None:
                first = f"event {row.sequence}{f' ({row.digest.hex()[:12]})' if row.digest else ''}: {problem}"
        fresh = {digest: event for digest, event in sound.items() if not self._has(event)}
        missing = self._give_up(sound) if self._accept_gap else 0
        self._settle(fresh, assignment.assessor, balance)
        if first:
            waits = " What follows it waits for a whole copy of the file." if sound.keys() & self.waiting.keys() else ""
            balance.remarks.append(f"The first that does not fit is {first}.{waits}")
        if missing:
            balance.remarks.append(f"The gap is accepted: {counted(missing, 'event')} missing; what follows is taken.")
        differences(self._project, guest, assignment, list(fresh.values()), balance)

    def _give_up(self, sound: Mapping[str, Event]) -> int:
        """Wait no longer for events that those of a file name and that nobody brought, and return how many there are."""
        named = {name for event in sound.values() for name in (event.parent, event.target) if name}
        missing = {name for name in named if not (self._there(name) or name in sound or name in self.waiting)}
        self._given_up |= missing
        self._lost |= missing
        return len(missing)

    def given_up(self) -> list[str]:
        """Return the digests of events for which nothing waits any more and which no file brought."""
        return sorted(self._given_up - self._known)

    def _has(self, event: Event) -> bool:
        return event.digest in self._known or event.digest in self.waiting

    def _there(self, digest: str | None) -> bool:
        return digest is None or digest in self._known or digest in self._lost

    def _settle(self, fresh: dict[str, Event], assessor: str, balance: Balance) -> None:
        """Take the events whose parents are there, also those that waited for one of these."""
        ready, waiting = arrivals([*self.waiting.values(), *fresh.values()], self._there)
        self.taken += ready
        self._known |= {event.digest for event in ready}
        self.waiting = {event.digest: event for event in waiting}
        for event in ready:
            self._log(event.assessor).append(event)
        standing = self._standing(assessor)
        for event in fresh.values():
            if event.digest in self.waiting:
                balance.waiting += 1
            elif event.kind in JUDGMENTS and event.digest not in standing:
                balance.superseded += 1
            else:
                balance.new += 1

    def _log(self, assessor: str) -> list[Event]:
        if assessor not in self._events:
            self._events[assessor] = list(self._project.events.read(assessor))
        return self._events[assessor]

    def _standing(self, assessor: str) -> set[str]:
        ordered, _ = in_order(self._log(assessor), self._lost)
        return {event.digest for event in Ledger(ordered).judgments()}

    def remarks(self) -> list[str]:
        """Return what is remarkable about all files together."""
        found = [self._forks(assessor) for assessor in sorted(self._events)]
        settled = len(self._waited - self.waiting.keys())
        return [sentence for sentence in found if sentence] + (
            [f"{counted(settled, 'event')} that waited {'count now' if self._given_up else 'found the one before and count now'}."]
            if settled
            else []
        )

    def _forks(self, assessor: str) -> str | None:
        """Return a sentence when an assessor's log has branches: copies of one file that were worked on separately."""
        children = Counter(event.parent for event in self._log(assessor))
        files = sum(assignment.assessor == assessor and id in self._returned for id, assignment in self._assignments.items())
        branches = sum(number - 1 for parent, number in children.items() if parent is not None)
        branches += max(0, children[None] - max(1, files))
        if not branches:
            return None
        return f"{assessor} worked on {branches + 1} copies separately. All of it is kept; the later judgment of a document counts."


def arrivals(events: Iterable[Event], there: Callable[[str], bool]) -> tuple[list[Event], list[Event]]:
    """Return the events for which all that they name is there, each after what it names, and those that wait.

    Parameters
    ----------
    events
        In any order, none of them there yet.
    there
        Tells whether the event of a digest is there.
    """
    different = {event.digest: event for event in events}
    missing = {digest: {name for name in (event.parent, event.target) if name and not there(name)} for digest, event in different.items()}
    after: dict[str, list[str]] = defaultdict(list)
    for digest, names in missing.items():
        for name in names:
            after[name].append(digest)
    queue, ready = deque(digest for digest, names in missing.items() if not names), []
    while queue:
        digest = queue.popleft()
        ready.append(different.pop(digest))
        for later in after[digest]:
            missing[later].discard(digest)
            if not missing[later]:
                queue.append(later)
    return ready, list(different.values())

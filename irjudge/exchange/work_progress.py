"""How far the work is, how fast it goes, and when it will be done: numbers from plain rows, nothing is read here."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from statistics import fmean, median, pvariance, variance

from irjudge.errors import IrjudgeError
from irjudge.judging.active_time import PACE_NEEDS
from irjudge.message import Message

ALL = "all"
UNHELD = "\0unheld"  # a name nobody has: of what people of a session share as they come
Z = 1.959963984540054  # of a 95 % interval
PARTS = 4  # of the documents by length
CLOSE = 1e-9  # days: what rounding may add to a whole number


@dataclass(frozen=True, slots=True)
class Done:
    """A judgment in force: by whom, of what, how long it took (0 where unknown), on which day (ISO), and the bytes of the document."""

    assessor: str
    topic: str
    document: str
    active_ms: int = 0
    day: str = ""
    length: int = 0


@dataclass(frozen=True, slots=True)
class AllWork:
    """All the work there is."""

    done: tuple[Done, ...]  # judgments in force of what is assigned
    # topic and document of what each assessor has still to judge; everyone who has an assignment is there
    left: Mapping[str, Sequence[tuple[str, str]]]
    ranks: Mapping[
        tuple[str, str], int
    ]  # the best rank of a pair in any run; pairs that are not pooled have none
    topics: tuple[str, ...] = ()  # the order in which topics are told; others come after these
    # how many judgments of a pooled document are assigned at most, and from which rank up documents are pooled; None where nobody knows
    overlap: int | None = None
    depth: int | None = None
    unheld: tuple[
        tuple[str, str], ...
    ] = ()  # what a session that goes on still wants and nobody holds, a pair as often as it is wanted
    sharing: tuple[
        str, ...
    ] = ()  # who takes part in that session; with nobody, somebody who comes yet


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """How one assessor stands in one topic, or (topic `all`) in all of them; the median is None where no time is known."""

    assessor: str
    topic: str
    judged: int
    assigned: int
    active_ms: int
    median_seconds: float | None

    @property
    def left(self) -> int:
        """How many are not judged yet."""
        return self.assigned - self.judged


@dataclass(frozen=True, slots=True)
class Speed:
    """Judgments of documents of similar length: how many, the median length in bytes, and the median time of one."""

    documents: int
    length: float
    median_seconds: float


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is left and how long it takes."""

    left: int  # judgments
    # active hours of all assessors together, and their 95 % interval
    hours: float | None
    low: float | None
    high: float | None
    # when the last assessor is done, at the hours a day each worked so far; None where nothing is known of that
    finish: date | None
    earliest: date | None
    latest: date | None


@dataclass(frozen=True, slots=True)
class ProgressChange:
    """A change to try: more assessors, at most so many judgments a pair, only the documents down to a rank."""

    assessors: int = 0
    overlap: int | None = None
    depth: int | None = None


def parse_what_if(wishes: Iterable[str]) -> ProgressChange:
    """Read `assessors=+1`, `overlap=2` and `depth=10`.

    >>> parse_what_if(["assessors=+2", "depth=10"])
    ProgressChange(assessors=2, overlap=None, depth=10)
    """
    asked = ProgressChange()
    for wish in wishes:
        name, _, value = wish.partition("=")
        number = (
            int(value)
            if value.removeprefix("+").isascii()
            and value.removeprefix("+").isdigit()
            and len(value) < 8
            else 0
        )
        if name not in ("assessors", "overlap", "depth") or number < 1:
            raise IrjudgeError(
                "{wish!r} is not known; give assessors=+1, overlap=2 or depth=10 with a number of 1 or more.",
                wish=wish,
            )
        asked = replace(asked, **{name: number})
    return asked


def plans(wishes: Sequence[str]) -> dict[str, ProgressChange]:
    """Return each wish as a plan of its own, and all of them together where they are of different kinds, by name.

    >>> list(plans(["assessors=+2", "depth=10"]))
    ['assessors=+2', 'depth=10', 'assessors=+2, depth=10']
    >>> list(plans(["depth=5", "depth=10"]))
    ['depth=5', 'depth=10']
    """
    found = {wish: parse_what_if([wish]) for wish in wishes}
    kinds = {wish.partition("=")[0] for wish in found}
    return (
        found | {", ".join(found): parse_what_if(found)}
        if len(kinds) == len(found) and found
        else found
    )


def check_what_if(work: AllWork, asked: ProgressChange) -> None:
    """Refuse a change that would need more judgments than are assigned."""
    for name, wanted, there, part in (
        ("depth", asked.depth, work.depth, Message("A pool deeper than it is")),
        ("overlap", asked.overlap, work.overlap, Message("More overlap than assigned")),
    ):
        if wanted is not None and there is not None and wanted > there:
            raise IrjudgeError(
                "{part} needs a new assignment, which nobody can forecast: {name}={wanted}, and it is {there}.",
                part=part,
                name=name,
                wanted=wanted,
                there=there,
            )


def progress_rows(work: AllWork) -> list[ProgressRow]:
    """Return how each assessor stands, topic by topic and then in all; in the order of the names in `work`."""
    times: dict[tuple[str, str], list[int]] = defaultdict(list)
    left = Counter((assessor, topic) for assessor, pairs in work.left.items() for topic, _ in pairs)
    for done in work.done:
        times[done.assessor, done.topic].append(done.active_ms)
    topics: dict[str, dict[str, None]] = {
        assessor: {} for assessor in [*work.left, *(done.assessor for done in work.done)]
    }
    for assessor, topic in [*times, *left]:
        topics[assessor][topic] = None
    order = {topic: place for place, topic in enumerate(work.topics)}
    rows = []
    for assessor, found in topics.items():
        mine = sorted(found, key=lambda topic: order.get(topic, len(order)))
        rows += [
            _row(assessor, topic, times[assessor, topic], left[assessor, topic]) for topic in mine
        ]
        together = [each for topic in mine for each in times[assessor, topic]]
        rows.append(_row(assessor, ALL, together, sum(left[assessor, topic] for topic in mine)))
    return rows


def _row(assessor: str, topic: str, times: Sequence[int], left: int) -> ProgressRow:
    timed = [each for each in times if each > 0]
    return ProgressRow(
        assessor,
        topic,
        len(times),
        len(times) + left,
        sum(timed),
        median(timed) / 1000 if timed else None,
    )


def speed_by_length(done: Iterable[Done]) -> list[Speed]:
    """Return how fast documents are judged, from the shortest to the longest quarter; empty quarters are left out."""
    timed = sorted(
        (each for each in done if each.active_ms > 0 and each.length), key=lambda each: each.length
    )
    cuts = [len(timed) * part // PARTS for part in range(PARTS + 1)]
    parts = [timed[begin:end] for begin, end in pairwise(cuts) if end > begin]
    return [
        Speed(
            len(part),
            median(each.length for each in part),
            median(each.active_ms for each in part) / 1000,
        )
        for part in parts
    ]


def forecast(work: AllWork, today: date, what_if: ProgressChange | None = None) -> Forecast:
    """Return what is left, how many hours it takes and when it is done, as things stand or after a change.

    Each assessor goes on at the mean of their own times, or of all times before they have five, and for as many hours a day as they
    worked on the days from their first to their last judgment. The interval allows for the spread of single
    times and for a mean known from few of them; it does not know holidays.
    """
    asked = what_if or ProgressChange()
    check_what_if(work, asked)
    left = _left(work, asked)
    if asked.assessors and left:
        working = [name for name in left if left[name]] or list(left)
        factor = len(working) / (len(working) + asked.assessors)
        each = sum(left.values()) / (len(working) + asked.assessors)
        left = {name: number * factor for name, number in left.items()}
        left.update({f"{place}\0": each for place in range(asked.assessors)})  # a name nobody has
    count, timed = round(sum(left.values())), _seconds(work.done)
    pooled = [each for times in timed.values() for each in times]
    if not count or not pooled:
        done = None if count else 0.0
        day = None if count else today
        return Forecast(count, done, done, done, day, day, day)
    return _expected(left, count, timed, pooled, _hours_a_day(work.done), today)


def _left(work: AllWork, asked: ProgressChange) -> dict[str, float]:
    """Return how many judgments are left for each: their own, and an equal part of what a session wants and nobody holds."""
    needed = _needed(work, asked)
    unheld = len(needed.pop(UNHELD))
    sharing = work.sharing or ((UNHELD,) if unheld else ())
    names = dict.fromkeys([*needed, *sharing])
    return {
        name: len(needed.get(name, ())) + (unheld / len(sharing) if name in sharing else 0)
        for name in names
    }


def _needed(work: AllWork, asked: ProgressChange) -> dict[str, list[tuple[str, str]]]:
    """Return what each would still have to judge."""
    votes = Counter((done.topic, done.document) for done in work.done)
    needed: dict[str, list[tuple[str, str]]] = {name: [] for name in (*work.left, UNHELD)}
    for name, pairs in (*work.left.items(), (UNHELD, work.unheld)):
        for pair in pairs:
            shallow = asked.depth is None or work.ranks.get(pair, 1) <= asked.depth
            if shallow and (asked.overlap is None or votes[pair] < asked.overlap):
                votes[pair] += 1
                needed[name].append(pair)
    return needed


def _seconds(done: Iterable[Done]) -> dict[str, list[float]]:
    times: dict[str, list[float]] = defaultdict(list)
    for each in done:
        if each.active_ms > 0:
            times[each.assessor].append(each.active_ms / 1000)
    return times


def _hours_a_day(done: Iterable[Done]) -> dict[str, float]:
    """Return the active hours a day of each assessor, from their first day to their last."""
    hours: dict[str, float] = defaultdict(float)
    days: dict[str, set[date]] = defaultdict(set)
    for each in done:
        if each.active_ms > 0 and each.day:
            hours[each.assessor] += each.active_ms / 3_600_000
            days[each.assessor].add(date.fromisoformat(each.day))
    return {name: hours[name] / ((max(days[name]) - min(days[name])).days + 1) for name in days}


def _expected(
    left: Mapping[str, float],
    count: int,
    timed: Mapping[str, Sequence[float]],
    pooled: Sequence[float],
    paces: Mapping[str, float],
    today: date,
) -> Forecast:
    usual = fmean(paces.values()) if paces else 0.0
    total = spread = shared = 0.0
    days: list[tuple[float, float, float]] = []
    for name, number in left.items():
        own = timed.get(name, ())
        times = own if len(own) >= PACE_NEEDS else pooled
        mean, single = fmean(times), variance(times) if len(times) > 1 else pvariance(times)
        total += number * mean
        spread += number * single + (number**2 * single / len(times) if times is own else 0.0)
        shared += number if times is pooled else 0.0
        margin = Z * math.sqrt(number * single + number**2 * single / len(times))
        pace = paces.get(name) or usual
        if pace and number:
            days.append(
                tuple(  # type: ignore[arg-type]
                    max(0.0, each) / 3600 / pace
                    for each in (number * mean, number * mean - margin, number * mean + margin)
                )
            )
    spread += shared**2 * (variance(pooled) if len(pooled) > 1 else 0.0) / len(pooled)
    margin = Z * math.sqrt(spread)
    ends = (
        [
            today + timedelta(days=min(36_500, math.ceil(max(day[place] for day in days) - CLOSE)))
            for place in range(3)
        ]
        if days
        else [None] * 3
    )
    return Forecast(
        count,
        total / 3600,
        max(0.0, total - margin) / 3600,
        (total + margin) / 3600,
        ends[0],
        ends[1],
        ends[2],
    )

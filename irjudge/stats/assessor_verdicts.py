"""What can be said of an assessor: what stands out, with its evidence; that nothing does; or that there is too little to tell."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb
from statistics import NormalDist
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.message import Message
from irjudge.model.labels import Flags, Labels
from irjudge.model.ranking import Floats, Ints, Longs
from irjudge.progress import SILENT, Progress
from irjudge.stats.assessor_quality import GLANCE, met_gold, unread
from irjudge.stats.proportion import wilson

VerdictState: TypeAlias = Literal["stands out", "nothing stands out", "too little to tell"]

LEVEL = 0.99  # of the intervals: five things are looked at, and 5 % of false alarms are the most
Z = NormalDist().inv_cdf(LEVEL)  # one-sided
Z_BOTH = NormalDist().inv_cdf((1 + LEVEL) / 2)
Z_BELOW = NormalDist().inv_cdf(0.999)  # the others are few, and one of them may be the careless one
CAREFUL = 0.7  # of the known answers are met by whoever reads
SAME_AGAIN = 0.5  # of the repeats get the same grade from whoever reads
COPIED = 0.8  # of the documents of which a third person says something else: who agrees more than that may have copied
TOO_ALIKE = 0.95  # agreement of others among each other that may be one copied twice, and then proves nothing against a third
RARE = 0.001  # a run of one grade that is less likely is no accident
FEWEST = 20  # documents shared with others, or a run of one grade; fewer tell nothing
FEWEST_TIMES = 10
MOST_UNREAD = 0.5  # of the answers


@dataclass(frozen=True, slots=True)
class AssessorVerdict:
    """What is said of one assessor, and from what."""

    # `nothing stands out` only where the answers were shown to be better than chance; `too little to tell` where they were not, and nothing
    # speaks against them
    state: VerdictState
    # A sentence for each thing that stands out, or that shows that the answers are better than chance, or how little there is
    evidence: tuple[str, ...]


def verdicts(labels: Labels, *, progress: Progress = SILENT) -> tuple[AssessorVerdict, ...]:
    """Return a verdict on each worker; somebody without labels, or a scale of one grade, is too little to tell.

    Known answers and agreement with the others are held against chance: what answers of the same number of each grade would reach in a
    random order. What stands out is named where an interval of 99 % excludes that somebody read: fewer known answers met than 70 %;
    agreement no better than chance while the others agree among each other; agreement below chance; one grade so often in a row that the
    others' grades make it less likely than 1 in 1,000; half of the repeats or more graded differently; the same grade as another assessor
    wherever a third differs; more than half of the answers faster than 40 words can be skimmed. How often each kind of careless assessor is
    found, and how often a careful one is named, is in the help. Labels are as for `quality`.

    >>> from irjudge.model.labels import make_labels
    >>> rows = [(f"d{item}", name, item % 3 == 0) for item in range(60) for name in ("ann", "bob")]
    >>> found = verdicts(make_labels([(item, name, int(grade)) for item, name, grade in rows]))
    >>> found[0].state, *found[0].evidence
    ('nothing stands out', 'Agrees with the others in 100 % of 60 documents; chance would give 56 %.')
    """
    latest = labels.first_showings().latest()
    counts, fast = latest.counts(), unread(labels)
    seen = [
        _Seen(labels, latest, counts, fast, worker)
        for worker in progress.through(range(len(labels.workers)), Message("Looking at assessors"))
    ]
    against = [[*each.standing_out()] for each in seen]
    suspect = {place for place, found in enumerate(against) if found}
    for one, other, same, of in _copies(latest, suspect):
        against[one].append(_copied(labels.workers[other], same, of))
        against[other].append(_copied(labels.workers[one], same, of))
    return tuple(_verdict(each, found) for each, found in zip(seen, against, strict=True))


def _verdict(seen: "_Seen", against: list[str]) -> AssessorVerdict:
    if against:
        return AssessorVerdict("stands out", tuple(against))
    shown = tuple(seen.better_than_chance())
    return (
        AssessorVerdict("nothing stands out", shown)
        if shown
        else AssessorVerdict("too little to tell", (seen.how_little(),))
    )


class _Seen:
    """What is known of one worker."""

    def __init__(
        self, labels: Labels, latest: Labels, counts: Longs, fast: Flags, worker: int
    ) -> None:
        self.labels, self.latest, self.unread, self.worker = labels, latest, fast, worker
        self.rows = np.flatnonzero(labels.worker == worker)
        graded = np.flatnonzero((latest.worker == worker) & (latest.label >= 0))
        self.item, self.label = latest.item[graded], latest.label[graded]
        others = counts[self.item]
        others[np.arange(len(graded)), self.label] -= 1
        shared = others.sum(axis=1) > 0
        self.agreement = _Agreement(self.label[shared], others[shared])
        asked, met = met_gold(latest.where(latest.worker == worker))
        self.met, self.gold = int(met[worker]), int(asked[worker])
        answer = latest.known_answers()[graded]
        self.gold_chance = _chance(self.label, answer[answer >= 0])

    def standing_out(self) -> Iterator[str]:
        """Yield a sentence for each thing that nobody who reads would do."""
        yield from self._unread()
        if self._gold_tells() and float(_upper(self.met, self.gold)) < CAREFUL:
            yield Message(
                "Met {met} of {gold} known answers; chance would give {chance:.1f}.",
                **self._gold_values(),
            )
        yield from self._disagreeing()
        yield from self._run()
        yield from self._changing()

    def better_than_chance(self) -> Iterator[str]:
        """Yield a sentence for each thing that answers without looking would hardly reach."""
        if self._gold_tells() and _at_least(self.met, self.gold, self.gold_chance) < 1 - LEVEL:
            yield Message(
                "Met {met} of {gold} known answers; chance would give {chance:.1f}.",
                **self._gold_values(),
            )
        if self.agreement.size >= FEWEST and self.agreement.above_chance > Z:
            yield self._agrees()

    def how_little(self) -> str:
        """Return what there is to tell from, and that it does not suffice."""
        return Message(
            "{gold} known answers and {shared} documents that others graded too do not tell these answers from chance.",
            key="undecided",
            gold=self.gold,
            shared=self.agreement.size,
        )

    def _gold_tells(self) -> bool:
        """Tell whether there are so many known answers that chance would more often than not be named, and whoever reads would not."""
        named = np.flatnonzero(_upper(np.arange(self.gold + 1), self.gold) < CAREFUL)
        return (
            bool(len(named))
            and 1 - _at_least(int(named[-1]) + 1, self.gold, self.gold_chance) > 0.5
        )

    def _gold_values(self) -> dict[str, float]:
        return {"met": self.met, "gold": self.gold, "chance": self.gold * self.gold_chance}

    def _agrees(self) -> str:
        found = self.agreement
        return Message(
            "Agrees with the others in {share:.0f} % of {size} documents; chance would give {chance:.0f} %.",
            key="agreement",
            share=100 * found.mean,
            size=found.size,
            chance=100 * found.chance,
        )

    def _disagreeing(self) -> Iterator[str]:
        found = self.agreement
        if found.size < FEWEST:
            return
        if found.above_chance < -Z_BOTH:
            yield self._agrees()
        elif (
            found.above_chance < Z
            and found.below_others > Z_BELOW
            and found.among_others < TOO_ALIKE
        ):
            yield self._agrees()
            yield Message(
                "The others agree among each other in {share:.0f} %.",
                share=100 * found.among_others,
            )

    def _run(self) -> Iterator[str]:
        """Yield a sentence where one grade stands so often in a row that the others' grades do not explain it."""
        label = self.labels.label[self.rows]
        length, grade = _longest_run(label)
        if length < FEWEST or grade < 0:
            return
        beside = _beside(self.latest, self.worker)
        if not len(beside) or (len(beside) < 2 and length < len(label)):
            return  # one other alone may be the careless one
        share = float(beside[:, grade].max())
        if len(label) * share**length < RARE:
            yield Message(
                "Gave the grade {grade} {length} times in a row; others gave it in {share:.0f} % of the cases at most.",
                key="same-grade",
                grade=self.labels.scale[grade],
                length=length,
                share=100 * share,
            )

    def _changing(self) -> Iterator[str]:
        """Yield a sentence where documents shown again got another grade too often."""
        order = np.argsort(self.labels.item[self.rows], kind="stable")
        item, label = self.labels.item[self.rows][order], self.labels.label[self.rows][order]
        again = item[1:] == item[:-1]
        count, same = int(again.sum()), int((label[1:] == label[:-1])[again].sum())
        if count and float(_upper(same, count)) < SAME_AGAIN:
            yield Message(
                "Of {count} documents shown again, {same} got the same grade.",
                key="repeats",
                count=count,
                same=same,
            )

    def _unread(self) -> Iterator[str]:
        """Yield a sentence where most answers came before anybody can have read."""
        if self.labels.seconds is None:
            return
        seconds = self.labels.seconds[self.rows]
        known = np.isfinite(seconds)
        fast = self.unread[self.rows][known]
        if len(fast) >= FEWEST_TIMES and fast.mean() > MOST_UNREAD:
            yield Message(
                "Half of the answers took {median:.1f} s or less; {share:.0f} % came before the first {words} words can be skimmed.",
                key="hasty",
                median=float(np.median(seconds[known])),
                share=100 * fast.mean(),
                words=GLANCE,
            )


def _beside(latest: Labels, worker: int) -> Floats:
    """Return what share of their grades the others gave to each grade: those who graded the same documents, else all."""
    graded = latest.label >= 0
    own = np.unique(latest.item[latest.worker == worker])
    others = graded & (latest.worker != worker)
    same = others & np.isin(latest.item, own)
    for rows in (same, others):
        counts = _by_worker(latest, rows)
        enough = counts[counts.sum(axis=1) >= FEWEST]
        if len(enough):
            return np.asarray(enough / enough.sum(axis=1, keepdims=True), dtype=np.float64)
    return np.zeros((0, len(latest.scale)))


def _by_worker(latest: Labels, rows: Flags) -> Longs:
    grades = len(latest.scale)
    cells = latest.worker[rows].astype(np.int64) * grades + latest.label[rows]
    return np.bincount(cells, minlength=len(latest.workers) * grades).reshape(-1, grades)


class _Agreement:
    """How often a worker's grades are those of others, against chance and against the others among each other."""

    def __init__(self, label: Longs, others: Longs) -> None:
        self.size = len(label)
        voters = others.sum(axis=1)
        share = others / np.maximum(voters, 1)[:, None]
        own = np.bincount(label, minlength=others.shape[1]) / max(self.size, 1)
        same = share[np.arange(self.size), label]
        self.mean = float(same.mean()) if self.size else np.nan
        self.chance = float(own @ share.mean(axis=0)) if self.size else np.nan
        self.above_chance = self._above_chance(share, own)
        several = voters > 1
        pairs = (voters * (voters - 1))[several]
        among = (others * (others - 1)).sum(axis=1)[several] / pairs
        self.among_others = float(among.mean()) if several.any() else np.nan
        self.below_others = _mean_in_errors(among - same[several])

    def _above_chance(self, share: Floats, own: Floats) -> float:
        """Return how many standard deviations of a random order of the worker's grades the agreement is above its mean."""
        if self.size < FEWEST:
            return 0.0
        centred = (
            share - (share @ own)[:, None] - share.mean(axis=0)[None, :] + share.mean(axis=0) @ own
        )
        deviation = (
            np.sqrt(float((centred**2 @ own).sum()) * self.size / (self.size - 1)) / self.size
        )
        return (self.mean - self.chance) / deviation if deviation > 1e-12 else 0.0


def _mean_in_errors(values: Floats) -> float:
    """Return a mean in its standard errors; 0 where there is too little for one, infinite where all values are one and not 0."""
    if len(values) < FEWEST:
        return 0.0
    error = float(values.std(ddof=1) / np.sqrt(len(values)))
    if error > 0:
        return float(values.mean() / error)
    if values.mean():
        return float(np.sign(values.mean()) * np.inf)
    return 0.0


def _chance(label: Ints, gold: Ints) -> float:
    """Return which share of the known answers the worker's grades would meet in a random order."""
    if not len(gold) or not len(label):
        return 0.0
    size = int(max(label.max(), gold.max())) + 1
    return float(
        np.bincount(label, minlength=size)
        / len(label)
        @ (np.bincount(gold, minlength=size) / len(gold))
    )


def _at_least(met: int, tried: int, chance: float) -> float:
    """Return how likely so many successes or more are."""
    return float(
        sum(
            comb(tried, count) * chance**count * (1 - chance) ** (tried - count)
            for count in range(met, tried + 1)
        )
    )


def _upper(count: npt.ArrayLike, total: int) -> Floats:
    return wilson(count, total, LEVEL)[1]


def _longest_run(label: Ints) -> tuple[int, int]:
    """Return how long the longest run of one value is, and which value it has."""
    if not len(label):
        return 0, -1
    begins = np.flatnonzero(np.diff(label, prepend=label[0] - 1))
    lengths = np.diff(begins, append=len(label))
    longest = int(lengths.argmax())
    return int(lengths[longest]), int(label[begins[longest]])


def _copies(latest: Labels, suspect: set[int]) -> Iterator[tuple[int, int, int, int]]:
    """Yield two workers who agree wherever a third differs, in how many documents, and of how many; suspects are no such third."""
    graded = latest.where(latest.label >= 0)
    order = np.lexsort((graded.worker, graded.item))
    trusted = ~np.isin(graded.worker, list(suspect))
    thirds = graded.where(trusted).counts()
    by_worker = [graded.where(graded.worker == worker) for worker in range(len(graded.workers))]
    beside = _together(graded.item[order], graded.worker[order])
    for one, other in beside:
        a, b = by_worker[one], by_worker[other]
        shared, at_a, at_b = np.intersect1d(a.item, b.item, assume_unique=True, return_indices=True)
        said_a, said_b = a.label[at_a], b.label[at_b]
        third = thirds[shared].copy()
        for worker, said in ((one, said_a), (other, said_b)):
            if worker not in suspect:
                third[np.arange(len(shared)), said] -= 1
        split = (third.sum(axis=1) > 0) & (
            (third.argmax(axis=1) != said_a) | (third.argmax(axis=1) != said_b)
        )
        same, of = int((said_a == said_b)[split].sum()), int(split.sum())
        if of >= FEWEST and float(wilson(same, of, LEVEL)[0]) > COPIED:
            yield one, other, same, of


def _together(item: Ints, worker: Ints) -> Iterator[tuple[int, int]]:
    """Yield each two workers who labelled so many of the same items that copying can show; rows stand by item, then by worker."""
    pairs: list[Longs] = []
    size = int(worker.max(initial=0)) + 1
    for apart in range(1, int(np.bincount(item).max(initial=1))):
        meet = item[apart:] == item[:-apart]
        pairs.append(worker[:-apart][meet].astype(np.int64) * size + worker[apart:][meet])
    if pairs:
        codes, counts = np.unique(np.concatenate(pairs), return_counts=True)
        yield from (divmod(code, size) for code in codes[counts >= FEWEST].tolist())


def _copied(name: str, same: int, of: int) -> str:
    return Message(
        "Says the same as {name} in {same} of {of} documents of which a third person says something else: one may have copied.",
        key="copied",
        name=name,
        same=same,
        of=of,
    )

"""What difference the topics of an evaluation can see between its runs, and how many topics another difference needs."""

import math
from collections.abc import Iterator
from dataclasses import astuple, dataclass, fields

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation.comparison import baseline_place, over_all_topics, pairs_by_topics
from irjudge.evaluation.table import Evaluation
from irjudge.message import Message
from irjudge.stats.rankings import Floats
from irjudge.stats.significance.differences import Differences, all_pairs, mean
from irjudge.stats.significance.power import ALPHA, POWER, OneWayDesign, PairedDesign, TopicDesign, difference_seen, topics_for

PAIRED, ONE_WAY = "t", "anova"


@dataclass(frozen=True, slots=True)
class TopicNeed:
    """What topics can tell of two runs, or of the best and the worst of several, by one measure."""

    measure: str
    # what is compared; of several runs the one of the highest mean and the one of the lowest
    run_a: str
    run_b: str
    test: str  # `t`: paired, of these two; `anova`: one-way analysis of variance of all runs
    runs: int  # how many runs the test is of
    topics: int  # those that all of them have
    deviation: float  # of the differences by topic; for `anova` of a run's values
    seen: float | None  # the smallest difference that these topics find; None with fewer than two, or where nothing varies
    difference: float  # the one that is asked about: as wished, else the runs' own
    chance: float | None  # that these topics find it; None as for `seen`
    needed: int | None  # the fewest topics that find it; None where it is 0, nothing varies or a million are too few

    @property
    def design(self) -> TopicDesign | None:
        """How the runs are compared; None where nothing varies."""
        if self.deviation == 0:
            return None
        return PairedDesign(self.deviation) if self.test == PAIRED else OneWayDesign(self.deviation, self.runs)


NEED_COLUMNS = tuple(field.name for field in fields(TopicNeed))


@dataclass(frozen=True, slots=True)
class TopicNeeds:
    """All needs, and what is to be known to read them, a sentence each."""

    rows: tuple[TopicNeed, ...]
    remarks: tuple[str, ...]

    def cells(self) -> Iterator[tuple[str | int | float | None, ...]]:
        """Yield a row of `NEED_COLUMNS` for each."""
        yield from (astuple(row) for row in self.rows)


def topics_needed_by(
    evaluation: Evaluation, *, baseline: str | None = None, power: float = POWER, difference: float | None = None
) -> TopicNeeds:
    """Say for every two runs, or each with a baseline, what their topics can see; and for three or more, what they can see of all.

    Parameters
    ----------
    evaluation
        Two runs or more.
    baseline
        The name of one of the runs; None for every two.
    power
        The chance to find a difference that is real.
    difference
        More than 0; None asks about the difference that the runs have.

    Raises
    ------
    IrjudgeError
        When there are fewer than two runs, the baseline is none of them, two runs share no topic, the power is not between 0 and 1 or
        the difference is not more than 0.

    References
    ----------
    Sakai (2016), Topic set size design, Information Retrieval Journal 19(3).
    """
    if not 0 < power < 1:
        raise IrjudgeError("The power must be between 0 and 1, got {power:g}.", power=power)
    if difference is not None and not 0 < difference < math.inf:
        raise IrjudgeError("The difference must be more than 0, got {difference:g}.", difference=difference)
    runs = evaluation.runs
    pairs = all_pairs(len(runs), baseline_place(runs, baseline))
    groups = pairs_by_topics(runs, pairs)
    found: list[TopicNeed] = []
    for row, measure in enumerate(evaluation.measures):
        needs: dict[int, TopicNeed] = {}
        for group in groups:
            scores, local = group.scores(runs, row), group.local(pairs)
            for at, (one, two) in zip(group.at, local.tolist(), strict=True):
                names = runs[group.runs[one]].run, runs[group.runs[two]].run
                needs[at] = _of_pair(measure.name, names, Differences(scores[one], scores[two]), power, difference)
        found += [needs[at] for at in range(len(pairs))]
        if len(runs) > 2:
            family = over_all_topics(runs, len(pairs))
            found.append(_of_all(measure.name, [run.run for run in runs], family.scores(runs, row), power, difference))
    return TopicNeeds(tuple(found), tuple(_remarks(len(runs), power, difference)))


def _of_pair(measure: str, names: tuple[str, str], found: Differences, power: float, wish: float | None) -> TopicNeed:
    return _need(measure, names, (PAIRED, 2), len(found), found.deviation, found.mean if wish is None else wish, power)


def _of_all(measure: str, names: list[str], scores: Floats, power: float, wish: float | None) -> TopicNeed:
    means = [mean(row) for row in scores]
    best, worst = int(np.argmax(means)), int(np.argmin(means))
    systems, topics = scores.shape
    squares = math.fsum(((scores - np.array(means)[:, None]) ** 2).ravel().tolist())
    spread = math.sqrt(squares / (systems * (topics - 1))) if topics > 1 and np.ptp(scores, axis=1).any() else 0.0
    asked = means[best] - means[worst] if wish is None else wish
    return _need(measure, (names[best], names[worst]), (ONE_WAY, systems), topics, spread, asked, power)


def _need(
    measure: str, names: tuple[str, str], test: tuple[str, int], topics: int, deviation: float, difference: float, power: float
) -> TopicNeed:
    need = TopicNeed(measure, *names, *test, topics, deviation, None, difference, None, None)
    design = need.design
    if design is None or topics < 2:
        return need
    seen, needed = difference_seen(design, topics, power=power), topics_for(design, difference, power=power)
    return TopicNeed(measure, *names, *test, topics, deviation, seen, difference, design.power(topics, difference), needed)


def _remarks(runs: int, power: float, difference: float | None) -> Iterator[str]:
    yield Message(
        "Found: with a chance of {percent:.3g} %, by a two-sided paired t-test at {alpha:g}, from the deviation of the runs' own"
        " differences; for one pair alone, without a correction.",
        percent=100 * power,
        alpha=ALPHA,
    )
    if runs > 2:
        yield Message(
            "anova: one-way analysis of variance of all {runs:,} runs; the difference is that of the best and the worst (Sakai 2016).",
            runs=runs,
        )
    if difference is None:
        yield Message("Needed: the topics that find the difference the runs have here, which is itself uncertain.")

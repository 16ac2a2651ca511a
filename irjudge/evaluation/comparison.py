"""Compares runs on the topics they share: differences, intervals, tests, and corrections for the number of comparisons."""

from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Literal, get_args

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Evaluation, RunScores
from irjudge.message import Message
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.significance.bootstrap import bootstrap_intervals
from irjudge.stats.significance.by_name import all_pairs, find_correction, find_test
from irjudge.stats.significance.differences import Differences, mean
from irjudge.stats.significance.parametric import t_interval
from irjudge.stats.testing import Sampling, SignificanceTest

# The t-test is the usual one for means, and randomisation beside it trusts no distribution (Smucker, Allan and Carterette 2007).
USUAL_TESTS = ("t", "permutation")
IntervalName = Literal["t", "percentile", "bca"]
INTERVALS: tuple[IntervalName, ...] = get_args(IntervalName)
INTERVALS_MEAN: dict[IntervalName, str] = {
    "t": Message("by Student's distribution"),
    "percentile": Message("bootstrap, from one quantile of the drawn means to the other"),
    "bca": Message("bootstrap, the quantiles corrected for bias and skewness"),
}


@dataclass(frozen=True, slots=True)
class ComparedPair:
    """Two runs compared by one measure and one test, over the topics that both have."""

    # what is compared; with a baseline, run_b is it
    measure: str
    run_a: str
    run_b: str
    topics: int
    # means over these topics, and a less b
    mean_a: float
    mean_b: float
    difference: float
    # 95 % interval of the difference; None with one topic
    low: float | None
    high: float | None
    # see `Outcome`; adjusted over all pairs of the measure and test
    test: str
    statistic: float | None
    p: float
    p_adjusted: float
    effect: float | None  # mean over standard deviation of the differences; None where they do not vary and are not 0
    # topics on which a is better, equal, worse
    wins: int
    ties: int
    losses: int


COLUMNS = tuple(field.name for field in fields(ComparedPair))


@dataclass(frozen=True, slots=True)
class Comparison:
    """All pairs compared, and what is to be known to read and to repeat them, a sentence each."""

    pairs: tuple[ComparedPair, ...]
    remarks: tuple[str, ...]

    def rows(self) -> Iterator[tuple[str | int | float | None, ...]]:
        """Yield a row of `COLUMNS` for each pair."""
        yield from (astuple(pair) for pair in self.pairs)


def compare(
    evaluation: Evaluation,
    *,
    tests: Sequence[str] = USUAL_TESTS,
    baseline: str | Sequence[str] | None = None,
    correction: str = "holm",
    interval: IntervalName = "t",
    sampling: Sampling | None = None,
) -> Comparison:
    """Compare every two runs of an evaluation, or each with a baseline or several.

    Parameters
    ----------
    evaluation
        Two runs or more.
    tests
        Names of tests; those for all pairs at once see only the topics that all runs have.
    baseline
        The name of one of the runs, or of several; None to compare every two. The correction is for all pairs together.
    correction
        For the pairs of one measure and test; tests for all pairs at once need none.
    interval
        How the interval of the difference is made.
    sampling
        Seed, number of samples and progress of whatever is random; None for the defaults.

    Raises
    ------
    IrjudgeError
        When there are fewer than two runs, the baseline is none of them, two runs share no topic, or a name is not known.
    """
    runs, sampling = evaluation.runs, sampling or Sampling()
    declared, corrected = [find_test(name) for name in dict.fromkeys(tests)], find_correction(correction)
    pairs = all_pairs(len(runs), _baselines(runs, [baseline] if isinstance(baseline, str) else baseline))
    groups = _groups(runs, pairs)
    compared: list[ComparedPair] = []
    said: dict[str, None] = {}
    for row, measure in enumerate(evaluation.measures):
        facts = _facts(runs, row, pairs, groups, interval, sampling, said)
        for test in declared:
            outcome = _outcomes(runs, row, pairs, groups, test, sampling, said)
            adjusted = outcome.p if test.family else corrected.adjust(outcome.p)
            for at, fact in enumerate(facts):
                compared.append(fact.row(measure.name, test.name, outcome.statistic[at], float(outcome.p[at]), float(adjusted[at])))
    return Comparison(tuple(compared), (*_notes(evaluation, pairs, groups, declared, corrected.meaning), *said))


@dataclass(frozen=True, slots=True)
class _Fact:
    """What is known of a pair before it is tested: the columns before the test's, and those after."""

    before: tuple[str, str, int, float, float, float, float | None, float | None]
    after: tuple[float | None, int, int, int]

    @classmethod
    def of(cls, run_a: str, run_b: str, found: Differences, ends: tuple[float, float] | None) -> "_Fact":
        low, high = ends or (None, None)
        before = (run_a, run_b, len(found), mean(found.first), mean(found.second), found.mean, low, high)
        return cls(before, (found.effect, found.wins, found.ties, found.losses))

    def row(self, measure: str, test: str, statistic: float | None, p: float, adjusted: float) -> ComparedPair:
        return ComparedPair(measure, *self.before, test, statistic, p, adjusted, *self.after)


@dataclass(frozen=True, slots=True)
class _Group:
    """Pairs that share the same topics: which pairs, which runs they are of, and the topics."""

    at: tuple[int, ...]
    runs: tuple[int, ...]
    topics: tuple[str, ...]

    def scores(self, runs: Sequence[RunScores], row: int) -> Floats:
        """Return the values of one measure, shape (runs of the group, topics)."""
        return np.stack([_values(runs[each], row, self.topics) for each in self.runs])

    def local(self, pairs: Longs) -> Longs:
        """Return the group's pairs as rows of its scores."""
        return np.searchsorted(np.array(self.runs), pairs[list(self.at)])


@dataclass(frozen=True, slots=True, eq=False)
class _Tested:
    """A test's statistic and p of all pairs."""

    statistic: list[float | None]
    p: Floats


def _baselines(runs: Sequence[RunScores], wanted: Sequence[str] | None) -> list[int] | None:
    if len(runs) < 2:
        raise IrjudgeError("Comparing takes two runs or more, got {rest}.", rest=f"one ({runs[0].run})" if runs else "none")
    names = [run.run for run in runs]
    for name in wanted or ():
        if name not in names:
            raise IrjudgeError("The baseline {name!r} is none of the runs; they are {names}.", name=name, names=", ".join(names))
    return [names.index(name) for name in dict.fromkeys(wanted)] if wanted else None


def _groups(runs: Sequence[RunScores], pairs: Longs) -> tuple[_Group, ...]:
    """Return the pairs, together where they share the same topics."""
    held = [frozenset(run.topics) for run in runs]
    found: dict[tuple[str, ...], list[int]] = {}
    for at, (one, two) in enumerate(pairs.tolist()):
        same = runs[one].topics == runs[two].topics
        topics = runs[one].topics if same else tuple(topic for topic in runs[one].topics if topic in held[two])
        if not topics:
            raise IrjudgeError(
                "{run} and {run2} have no evaluated topic in common, so they cannot be compared.", run=runs[one].run, run2=runs[two].run
            )
        found.setdefault(topics, []).append(at)
    return tuple(_Group(tuple(at), tuple(np.unique(pairs[at]).tolist()), topics) for topics, at in found.items())


def _values(run: RunScores, row: int, topics: tuple[str, ...]) -> Floats:
    if run.topics == topics:
        values: Floats = run.values[row]
        return values
    place = {topic: column for column, topic in enumerate(run.topics)}
    chosen: Floats = run.values[row][[place[topic] for topic in topics]]
    return chosen


def _facts(
    runs: Sequence[RunScores],
    row: int,
    pairs: Longs,
    groups: Sequence[_Group],
    interval: IntervalName,
    sampling: Sampling,
    said: dict[str, None],
) -> list[_Fact]:
    """Return what is known of each pair, in the order of the pairs, and say how the intervals were made."""
    facts: dict[int, _Fact] = {}
    for group in groups:
        scores, local = group.scores(runs, row), group.local(pairs)
        found = [Differences(scores[one], scores[two]) for one, two in local.tolist()]
        if interval == "t":
            ends = [t_interval(each.values) for each in found]
            how = INTERVALS_MEAN[interval]
        else:
            drawn = bootstrap_intervals(scores, local, method=interval, sampling=sampling)
            ends = [(each.low, each.high) if each else None for each in drawn]
            how = next((each.how for each in drawn if each), interval)
        said.setdefault(Message("Interval of the difference: 95 %, {how}.", how=how))
        for at, (one, two), each, end in zip(group.at, local.tolist(), found, ends, strict=True):
            facts[at] = _Fact.of(runs[group.runs[one]].run, runs[group.runs[two]].run, each, end)
    return [facts[at] for at in range(len(pairs))]


def _outcomes(
    runs: Sequence[RunScores],
    row: int,
    pairs: Longs,
    groups: Sequence[_Group],
    test: SignificanceTest,
    sampling: Sampling,
    said: dict[str, None],
) -> _Tested:
    """Return what a test says of all pairs, and say how it did."""
    tested = _Tested([None] * len(pairs), np.ones(len(pairs)))
    for group in [_family(runs, len(pairs))] if test.family else groups:
        outcome = test.function(group.scores(runs, row), group.local(pairs), sampling)
        tested.p[list(group.at)] = outcome.p
        for at, statistic in zip(group.at, outcome.statistic, strict=True):
            tested.statistic[at] = statistic
        said.setdefault(Message("{test}: {title}, two-sided; {how}.", test=test.name, title=Message(test.title), how=outcome.how))
    return tested


def _family(runs: Sequence[RunScores], pairs: int) -> _Group:
    """Return all pairs over the topics that all runs have."""
    held = frozenset.intersection(*(frozenset(run.topics) for run in runs))
    topics = tuple(topic for topic in runs[0].topics if topic in held)
    if not topics:
        raise IrjudgeError("The runs have no topic that all of them have, which a test for all pairs at once needs.")
    return _Group(tuple(range(pairs)), tuple(range(len(runs))), topics)


def _notes(
    evaluation: Evaluation, pairs: Longs, groups: Sequence[_Group], tests: Sequence[SignificanceTest], correction: str
) -> Iterator[str]:
    if len(groups) > 1 or any(len(run.topics) > len(groups[0].topics) for run in evaluation.runs):
        yield Message(
            "Not all runs have the same topics: each pair is compared on those both have, so means can differ from those of an evaluation."
        )
    if len(pairs) > 1 and not all(test.family for test in tests):
        yield Message(
            "Adjusted p: over all pairs of each measure and test ({pairs:,}); {correction}.", pairs=len(pairs), correction=correction
        )
    unjudged = max(run.coverage.unjudged_top for run in evaluation.runs)
    if unjudged > 0:
        yield Message(
            "p-values know nothing of missing judgments: up to {words:.1f} % of a run's top 10 is unjudged.", words=100 * unjudged
        )

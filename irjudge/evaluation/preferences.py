"""Results of preference judgments."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from irjudge.errors import IrjudgeError, MeasureError
from irjudge.evaluation.judged_runs import join
from irjudge.evaluation.project_evaluation import evaluate_project
from irjudge.evaluation.requests import add_warnings_to_errors
from irjudge.evaluation.table import Evaluation, RunScores, evaluate_runs, parse_measures
from irjudge.formats.judgments import PREFERENCE_PARTS, parse_winners, read_preferences
from irjudge.formats.rankings import GradesRequest, choose_distinct_run_names, read_qrels, read_run
from irjudge.formats.rows import parse_columns
from irjudge.judging import (
    iter_preferences,
    list_qrels_choices,
    map_sides_to_runs,
    open_for_reading,
    read_project_preferences,
)
from irjudge.message import Message
from irjudge.metrics import Hits, JudgedRun, Scores, to_goodness
from irjudge.model import (
    UNSPECIFIED,
    Floats,
    Ints,
    Longs,
    Preferences,
    Qrels,
    Run,
    make_qrels,
)
from irjudge.options import Option, SheetOption
from irjudge.progress import SILENT, Progress
from irjudge.stats import (
    DEFAULT_PREFERENCE_SAMPLES,
    DEFAULT_SAMPLING_SEED,
    PairCounts,
    Sampling,
    SeedOption,
    Strengths,
    binomial_p,
    bradley_terry,
    cluster_covariance,
    condorcet_winner,
    connected_components,
    copeland,
    count_circular_triads,
    count_left_choices,
    count_pairs,
    count_shown_left,
    davidson,
    drop_repeats,
    half_tie_p,
    net_preference,
    orient_pairs,
    self_agreement,
    shortest_cycles,
    sort_canonically,
    trials_needed,
    trinomial_p,
    wilson_interval,
)
from irjudge.store import is_project

# Agreement of preferences with measures, and compatibility of runs with preferred documents

DEFAULT_DEPTH = 1000
VALUE_TOLERANCE = 1e-12  # smaller differences are rounding errors


@dataclass(frozen=True, slots=True)
class MeasureAgreement:
    """Comparison of a measure with preferences between two runs: numbers of topics."""

    measure: str  # name of the measure
    first: str  # name of the first run
    second: str  # name of the second run
    same: int  # number of topics on which measure and preferences favour the same run
    opposite: int  # number of topics on which measure and preferences favour different runs
    measure_tied: int  # number of topics on which only the preferences favour a run
    undecided: int  # number of topics with equally many preferences for each run


def measure_agreement(
    preferences: Preferences, evaluation: Evaluation
) -> Iterator[MeasureAgreement]:
    """Yield the agreement with preferences for each pair of compared runs and each measure.

    On a topic, preferences favour the run that most answers about the topic prefer, and a measure
    favours the run with the better value; a measure without a direction favours the higher value.
    Runs are matched by name. Runs and topics that only one of the arguments contains are omitted.
    """
    majority = _compute_majorities(preferences)
    scores = {run.run: run for run in evaluation.runs}
    for (first, second), topics in majority.items():
        if first not in scores or second not in scores:
            continue
        first_values, second_values = (values_by_topic(scores[name]) for name in (first, second))
        common_topics = [
            (sign, first_values[topic], second_values[topic])
            for topic, sign in topics.items()
            if topic in first_values and topic in second_values
        ]
        for row, measure in enumerate(evaluation.measures):
            products = [
                sign * _compute_sign(float(to_goodness(measure, a[row] - b[row])))
                for sign, a, b in common_topics
                if sign
            ]
            yield MeasureAgreement(
                measure.name,
                first,
                second,
                products.count(1),
                products.count(-1),
                products.count(0),
                len(common_topics) - len(products),
            )


def _compute_majorities(preferences: Preferences) -> dict[tuple[str, str], dict[str, int]]:
    """Return the majority for each pair and topic: 1 (first system), -1 (second) or 0 (tie)."""
    first_item, second_item, sign = orient_pairs(preferences)
    combinations, row = np.unique(
        np.stack((first_item, second_item, preferences.topic)), axis=1, return_inverse=True
    )
    majorities = (
        np.sign(np.bincount(row.reshape(-1), sign, combinations.shape[1])).astype(int).tolist()
    )
    majorities_by_pair: dict[tuple[str, str], dict[str, int]] = {}
    for (first, second, topic), majority in zip(combinations.T.tolist(), majorities, strict=True):
        if topic >= 0:
            majorities_by_pair.setdefault(
                (preferences.items[first], preferences.items[second]), {}
            )[preferences.topics[topic]] = majority
    return majorities_by_pair


def values_by_topic(run: RunScores | None) -> dict[str, Floats]:
    """Return the values of a run, shape (M,), by topic; empty if `run` is None."""
    return dict(zip(run.topics, run.values.T, strict=True)) if run else {}


def _compute_sign(difference: float) -> int:
    return 0 if abs(difference) <= VALUE_TOLERANCE else int(np.sign(difference))


def preference_qrels(preferences: Preferences) -> Qrels:
    """Return qrels in which a document's grade is two points per win and one point per tie.

    The grades order the documents and are not interval-scaled: use them with methods that need
    only the order, such as compatibility.

    References
    ----------
    Clarke, Vtyurina and Smucker (2021), Assessing top-k preferences, ACM TOIS 39(3):
    wins as gains.

    Examples
    --------
    >>> from irjudge.model import make_preferences
    >>> preferences = make_preferences(["d1", "d1"], ["d2", "d3"], [1, 0], topic=["7", "7"], documents=True)
    >>> list(preference_qrels(preferences).rows())
    [('7', 'd1', 3), ('7', 'd2', 0), ('7', 'd3', 1)]
    """
    rows: list[tuple[str, str, int]] = []
    for topic, part in preferences.groups():
        points = np.bincount(part.left, part.winner + 1, len(part.items)) + np.bincount(
            part.right, 1 - part.winner, len(part.items)
        )
        rows += [
            (topic, document, int(value))
            for document, value in zip(part.items, points.tolist(), strict=True)
        ]
    return make_qrels(rows)


def compatibility(judged_run: JudgedRun, *, p: float = 0.95, depth: int = DEFAULT_DEPTH) -> Scores:
    """Return the rank-biased overlap of each ranking with its most similar ideal ranking.

    Parameters
    ----------
    judged_run
        T topics. The ideal ranking contains the documents graded above 0, best first; documents of
        equal grade are in the order of the run, those not retrieved last.
    p
        Persistence, between 0 and 1; .95 corresponds to the depth of nDCG@20.
    depth
        Number of ranks compared.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1: the overlap with the ideal ranking, divided by that of the
        ideal ranking with itself; 0 if no document is graded above 0. A perfect ranking has 1.

    Raises
    ------
    MeasureError
        If p is not between 0 and 1 or depth is below 1.

    Notes
    -----
    An unjudged document occupies a rank, but is never in the ideal ranking.

    References
    ----------
    Clarke, Vtyurina and Smucker (2020), Offline evaluation without gain, ICTIR.

    Examples
    --------
    >>> run = JudgedRun.single(ranked=[2, 2, 3, 0, None, None, None, 1], judged=[3, 2, 2, 2, 1, 0])
    >>> compatibility(run, p=0.9).round(6)
    array([0.613984])
    """
    if not 0 < p < 1 or depth < 1:
        raise MeasureError(
            "Compatibility needs 0 < p < 1 and a depth of at least 1, got {p:g} and {depth}.",
            p=p,
            depth=depth,
        )
    # for each depth, the sum of p^(i-1)/i over this depth and all larger depths i
    weights_below = np.append(
        np.cumsum((p ** np.arange(depth) / np.arange(1, depth + 1))[::-1])[::-1], 0.0
    )
    hits = judged_run.judged_hits(None)
    hits = hits.where((hits.grade > 0) & (hits.rank <= depth))
    # first depth at which both rankings contain the document
    meeting_rank = np.maximum(hits.rank, _compute_ideal_ranks(judged_run, hits))
    overlap = np.bincount(
        hits.topic, weights_below[np.minimum(meeting_rank, depth + 1) - 1], len(judged_run)
    )
    ideal_overlap = np.concatenate(([0.0], np.cumsum(weights_below[:-1])))[
        np.minimum(judged_run.n_relevant(1), depth)
    ]
    return np.divide(overlap, ideal_overlap, out=np.zeros(len(judged_run)), where=ideal_overlap > 0)


def _compute_ideal_ranks(judged_run: JudgedRun, hits: Hits) -> Longs:
    """Return the rank of each hit in the ideal ranking of its topic, shape (H,)."""
    topic = np.repeat(np.arange(len(judged_run)), np.diff(judged_run.judged_starts))
    grade_count = int(judged_run.judged_grades.max(initial=0)) + 1
    # the keys are ascending, since grades are descending within a topic
    descending_keys = topic * grade_count - judged_run.judged_grades
    key = hits.topic.astype(np.int64) * grade_count - hits.grade
    better_count = np.searchsorted(descending_keys, key) - judged_run.judged_starts[hits.topic]
    order = np.lexsort((hits.rank, key))
    first = np.searchsorted(key[order], key[order])
    rank_among_equal = np.empty(len(key), dtype=np.int64)
    rank_among_equal[order] = np.arange(len(key)) - first
    return better_count + rank_among_equal + 1


# Statistics of preferences, as rows of one table

PARTS = {
    "answers": Message("Answers"),
    "pairs": "Pairs",
    "topics": Message("Pairs by topic"),
    "assessors": Message("Pairs by assessor"),
    "plan": Message("More answers needed"),
    "strengths": Message("Strengths, best first"),
    "order": "Contradictions",
    "sides": Message("Side bias"),
    "repeats": Message("Repeated questions"),
    "measures": Message("Agreement of the measures with the preferences"),
}
DEFAULT_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class PreferenceStatistic:
    """Row of the results of preferences: a statistic with counts, interval and p-value.

    `part` is the part of the results, such as `pairs`, `strengths` or `sides`. The compared
    items are runs, systems or documents. If the value is a proportion, `count` is its
    numerator and `total` its denominator; otherwise they are other numbers on which the value is
    based. Fields that do not apply to the statistic are empty or None.
    """

    part: str  # one of `PARTS`
    topic: str  # topic of the answers; empty for all topics
    assessor: str  # assessor who gave the answers; empty for all assessors
    first: str  # first compared item or, in a cycle, all its items; empty if not applicable
    second: str  # second compared item; empty if not applicable
    statistic: str  # name of the statistic
    value: float | None = None  # value of the statistic; None if it cannot be computed
    low: float | None = None  # lower end of the 95 % interval
    high: float | None = None  # upper end of the 95 % interval
    p: float | None = None  # two-sided p-value
    # numerator and denominator of a proportion; in some parts, other numbers, such as the number of
    # given and of needed answers
    count: int | None = None
    total: int | None = None


PREFERENCE_COLUMNS = tuple(field.name for field in fields(PreferenceStatistic))


@dataclass(frozen=True, slots=True)
class PreferenceResults:
    """Result of an analysis of preferences: statistics in the order of `PARTS`, and notes.

    The notes describe the methods and how the answers were counted.
    """

    findings: tuple[PreferenceStatistic, ...]
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()  # warnings about the project

    def rows(self, parts: Iterable[str] = PARTS) -> Iterator[tuple[str | float | int | None, ...]]:
        """Yield a row with the columns `PREFERENCE_COLUMNS` for each statistic of `parts`."""
        part_set = set(parts)
        yield from (astuple(each) for each in self.findings if each.part in part_set)


def preference_results(
    preferences: Preferences,
    *,
    share: float = DEFAULT_SHARE,
    sampling: Sampling | None = None,
    evaluation: Evaluation | None = None,
    runs: Iterable[Run] = (),
) -> PreferenceResults:
    """Compute all statistics of preferences.

    Parameters
    ----------
    share
        Share of wins to detect, between 0 and 1, for the required number of answers.
    evaluation
        Evaluation of runs with the names of the systems, to count agreement with its measures.
    runs
        Runs whose compatibility with preferences between documents is computed.

    Raises
    ------
    IrjudgeError
        If `share` is not between 0 and 1.
    """
    statistics: list[PreferenceStatistic] = [
        *_iter_answer_counts(preferences),
        *_iter_side_statistics(preferences),
        *_iter_repeat_statistics(preferences),
    ]
    answer_count = len(preferences)
    preferences = sort_canonically(drop_repeats(preferences))
    methods: dict[str, None] = dict.fromkeys(
        (*preferences.warnings, *_describe_repeats(answer_count - len(preferences)))
    )
    for topic, part in preferences.groups():
        counts = count_pairs(part)
        statistics += [
            *_iter_pair_statistics(topic, part, counts, sampling or Sampling(), methods),
            *_iter_plan_statistics(topic, part, counts, share),
        ]
        statistics += [
            *_iter_strength_statistics(topic, part, counts, methods),
            *_iter_contradictions(topic, part, counts),
        ]
    if preferences.documents:
        statistics += _iter_compatibility_statistics(preferences, runs)
    else:
        statistics += [
            *_iter_net_preferences(preferences, "topics"),
            *_iter_net_preferences(preferences, "assessors"),
        ]
        statistics += _iter_measure_statistics(preferences, evaluation)
    order = {part: index for index, part in enumerate(PARTS)}
    return PreferenceResults(
        tuple(sorted(statistics, key=lambda statistic: order[statistic.part])),
        (*methods, *_describe_methods(preferences)),
    )


def _iter_compatibility_statistics(
    preferences: Preferences, runs: Iterable[Run]
) -> Iterator[PreferenceStatistic]:
    qrels = preference_qrels(preferences)
    for run in runs:
        judged = join(run, qrels)
        values = compatibility(judged)
        for topic, value in zip(judged.topics, values.tolist(), strict=True):
            yield PreferenceStatistic("measures", topic, "", run.name, "", "compatibility", value)
        mean, total = float(values.mean()) if len(values) else None, len(values)
        yield PreferenceStatistic(
            "measures", "", "", run.name, "", "compatibility", mean, total=total
        )


def _iter_answer_counts(preferences: Preferences) -> Iterator[PreferenceStatistic]:
    total = len(preferences)
    for name, outcome in (("left", 1), ("right", -1), ("tie", 0)):
        yield _make_proportion(
            "answers", ("", "", "", ""), name, int((preferences.winner == outcome).sum()), total
        )
    yield _make_proportion(
        "answers",
        ("", "", "", ""),
        Message("much better"),
        int((preferences.strength == 2).sum()),
        total,
    )
    yield PreferenceStatistic(
        "answers", "", "", "", "", "blank", count=preferences.blank, total=total + preferences.blank
    )
    timed_seconds = preferences.seconds[~np.isnan(preferences.seconds)]
    if len(timed_seconds):
        yield PreferenceStatistic(
            "answers",
            "",
            "",
            "",
            "",
            Message("median seconds"),
            float(np.median(timed_seconds)),
            count=len(timed_seconds),
            total=total,
        )


def _make_proportion(
    part: str,
    statistic_key: tuple[str, str, str, str],
    statistic: str,
    count: int,
    total: int,
    p: float | None = None,
) -> PreferenceStatistic:
    if not total:
        return PreferenceStatistic(
            part, *statistic_key, statistic, None, None, None, p, count, total
        )
    low, high = wilson_interval(count, total)
    return PreferenceStatistic(
        part, *statistic_key, statistic, count / total, float(low), float(high), p, count, total
    )


def _iter_pair_statistics(
    topic: str, part: Preferences, counts: PairCounts, sampling: Sampling, methods: dict[str, None]
) -> Iterator[PreferenceStatistic]:
    net = net_preference(part, counts, sampling=sampling)
    methods[Message("Intervals of net preferences: {method}.", method=net.method)] = None
    by_topic = _list_topic_majorities(part, counts)
    for row in range(len(counts)):
        wins, losses, ties = (
            int(column[row]) for column in (counts.wins, counts.losses, counts.ties)
        )
        total = wins + losses + ties
        statistic_key = (topic, "", part.items[counts.first[row]], part.items[counts.second[row]])
        yield _make_win_proportion(statistic_key, Message("wins, ties dropped"), wins, losses)
        yield PreferenceStatistic(
            "pairs",
            *statistic_key,
            Message("wins, ties half"),
            (wins + ties / 2) / total,
            p=half_tie_p(wins, losses, ties),
            total=total,
        )
        low, high = (
            None if math.isnan(end) else float(end) for end in (net.low[row], net.high[row])
        )
        yield PreferenceStatistic(
            "pairs",
            *statistic_key,
            Message("net preference"),
            float(net.value[row]),
            low,
            high,
            trinomial_p(wins, losses, ties),
            wins - losses,
            total,
        )
        if not part.documents and part.topics:
            yield _make_win_proportion(statistic_key, Message("topics won"), *by_topic[row])


def _make_win_proportion(
    statistic_key: tuple[str, str, str, str], statistic: str, wins: int, losses: int
) -> PreferenceStatistic:
    return _make_proportion(
        "pairs", statistic_key, statistic, wins, wins + losses, binomial_p(wins, losses)
    )


def _list_topic_majorities(part: Preferences, counts: PairCounts) -> list[tuple[int, int]]:
    """Return, for each pair, the number of topics on which the majority prefers each item."""
    combinations, net, _ = _count_net_wins_by_code(part, counts, part.topic)
    pair, code = combinations
    won, lost = (
        np.bincount(pair[is_majority & (code >= 0)], minlength=len(counts)).tolist()
        for is_majority in (net > 0, net < 0)
    )
    return list(zip(won, lost, strict=True))


def _count_net_wins_by_code(
    part: Preferences, counts: PairCounts, code: Ints
) -> tuple[Longs, Longs, Longs]:
    """Return the C existing combinations of pair and code, their net wins and answer counts.

    The combinations have shape (2, C). Net wins, shape (C,), are wins minus losses of the first
    item. Answer counts, shape (C,), include ties.
    """
    first_item, second_item, sign = orient_pairs(part)
    pair = np.searchsorted(
        counts.first * counts.items + counts.second, first_item * counts.items + second_item
    )
    combinations, combination_row = np.unique(
        np.stack((pair, code.astype(np.int64))), axis=1, return_inverse=True
    )
    combination_row = combination_row.reshape(-1)
    return (
        combinations,
        np.bincount(combination_row, sign, combinations.shape[1]).astype(np.int64),
        np.bincount(combination_row, minlength=combinations.shape[1]).astype(np.int64),
    )


def _iter_net_preferences(
    preferences: Preferences, criterion: str
) -> Iterator[PreferenceStatistic]:
    counts = count_pairs(preferences)
    code, names = (
        (preferences.topic, preferences.topics)
        if criterion == "topics"
        else (preferences.assessor, preferences.assessors)
    )
    combinations, net, total = _count_net_wins_by_code(preferences, counts, code)
    for (pair, name_code), value, total_count in zip(
        combinations.T.tolist(), net.tolist(), total.tolist(), strict=True
    ):
        if name_code >= 0:
            topic, assessor = (
                (names[name_code], "") if criterion == "topics" else ("", names[name_code])
            )
            yield PreferenceStatistic(
                criterion,
                topic,
                assessor,
                preferences.items[counts.first[pair]],
                preferences.items[counts.second[pair]],
                Message("net preference"),
                value / total_count,
                count=value,
                total=total_count,
            )


def _iter_plan_statistics(
    topic: str, part: Preferences, counts: PairCounts, share: float
) -> Iterator[PreferenceStatistic]:
    needed_decisive = trials_needed(share)
    for row in range(len(counts)) if needed_decisive is not None and not part.documents else ():
        decided_count = int(counts.wins[row] + counts.losses[row])
        answers = int(counts.wins[row] + counts.losses[row] + counts.ties[row])
        needed_answers = (
            math.ceil((needed_decisive or 0) * answers / decided_count) if decided_count else None
        )
        missing_answers = max(0, needed_answers - answers) if needed_answers is not None else None
        labels = (topic, "", part.items[counts.first[row]], part.items[counts.second[row]])
        yield PreferenceStatistic(
            "plan",
            *labels,
            Message("more answers (share={share:g})", share=share),
            missing_answers,
            count=answers,
            total=needed_answers,
        )


def _iter_strength_statistics(
    topic: str, part: Preferences, counts: PairCounts, methods: dict[str, None]
) -> Iterator[PreferenceStatistic]:
    if len(np.unique(connected_components(counts))) > 1:
        hint = (
            ""
            if part.documents
            else Message(" If the left and right items are documents of a topic, use --documents.")
        )
        methods[
            Message(
                "Some items are not connected by comparisons, directly or indirectly: "
                "strengths can be compared only within each connected group.{hint}",
                hint=hint,
            )
        ] = None
    models = (
        (davidson(counts), bradley_terry(counts)) if counts.ties.any() else (bradley_terry(counts),)
    )
    for model in models:
        if model.added_wins:
            methods[
                Message(
                    "Some items won or lost all their comparisons; to estimate strengths, half a "
                    "win was added to each side of every pair."
                )
            ] = None
        yield from _iter_worth_statistics(topic, part, counts, cluster_covariance(model, part))
    score = copeland(counts)
    for item in np.argsort(-score, kind="stable").tolist():
        yield PreferenceStatistic(
            "strengths", topic, "", part.items[item], "", "copeland", int(score[item])
        )


def _iter_worth_statistics(
    topic: str, part: Preferences, counts: PairCounts, strengths: Strengths
) -> Iterator[PreferenceStatistic]:
    low, high = strengths.interval()
    wins = np.bincount(counts.first, counts.wins, counts.items) + np.bincount(
        counts.second, counts.losses, counts.items
    )
    decided_counts = (
        counts.wins + counts.losses + (counts.ties if strengths.tie_parameter is not None else 0)
    )
    answer_counts = np.bincount(counts.first, decided_counts, counts.items) + np.bincount(
        counts.second, decided_counts, counts.items
    )
    for item in np.argsort(-strengths.log_worth, kind="stable").tolist():
        value, interval = float(strengths.log_worth[item]), (float(low[item]), float(high[item]))
        if not math.isnan(value):
            name = Message("{model} log-worth", model=strengths.model) + (
                Message(", with half a win added to each side") if strengths.added_wins else ""
            )
            yield PreferenceStatistic(
                "strengths",
                topic,
                "",
                part.items[item],
                "",
                name,
                value,
                *interval,
                None,
                int(wins[item]),
                int(answer_counts[item]),
            )
    if strengths.tie_parameter is not None:
        yield PreferenceStatistic(
            "strengths", topic, "", "", "", Message("davidson tie"), strengths.tie_parameter
        )


def _iter_contradictions(
    topic: str, part: Preferences, counts: PairCounts
) -> Iterator[PreferenceStatistic]:
    winner = condorcet_winner(counts)
    if winner is not None:
        yield PreferenceStatistic(
            "order", topic, "", part.items[winner], "", Message("beats every other")
        )
    yield PreferenceStatistic(
        "order", topic, "", "", "", Message("circular triads"), count=count_circular_triads(counts)
    )
    for cycle in shortest_cycles(counts):
        names = " > ".join(part.items[item] for item in (*cycle, cycle[0]))
        yield PreferenceStatistic("order", topic, "", names, "", "cycle", count=len(cycle))


def _iter_side_statistics(preferences: Preferences) -> Iterator[PreferenceStatistic]:
    left_count, decided_count = count_left_choices(preferences)
    is_known = preferences.assessor != UNSPECIFIED
    left_counts, decided_counts = (
        np.bincount(
            preferences.assessor[is_known & is_counted], minlength=len(preferences.assessors)
        )
        for is_counted in (preferences.winner > 0, preferences.winner != 0)
    )
    for assessor, left, decided in (
        ("", left_count, decided_count),
        *zip(preferences.assessors, left_counts.tolist(), decided_counts.tolist(), strict=True),
    ):
        yield _make_proportion(
            "sides",
            ("", assessor, "", ""),
            Message("left chosen"),
            left,
            decided,
            binomial_p(left, decided - left),
        )
    first, shown_count = count_shown_left(preferences)
    yield _make_proportion(
        "sides",
        ("", "", "", ""),
        Message("first item on the left, least balanced pair"),
        first,
        shown_count,
    )


def _iter_repeat_statistics(preferences: Preferences) -> Iterator[PreferenceStatistic]:
    agreement, labels = self_agreement(preferences), ("", "", "", "")
    if agreement.total:
        yield _make_proportion(
            "repeats", labels, Message("same answer"), agreement.same, agreement.total
        )
        yield _make_proportion(
            "repeats",
            labels,
            Message("same answer, sides swapped"),
            agreement.swapped_same,
            agreement.swapped,
        )
        yield _make_proportion(
            "repeats",
            labels,
            Message("same side, sides swapped"),
            agreement.followed_side,
            agreement.swapped,
        )


def _describe_repeats(count: int) -> Iterator[str]:
    if count:
        yield Message(
            "Repeated answers: {count:,}. If an assessor answered a question more than once, only "
            "the first answer counts, except in the numbers of answers, side bias and repeated "
            "questions.",
            key="repeated-answers",
            count=count,
        )


def _iter_measure_statistics(
    preferences: Preferences, evaluation: Evaluation | None
) -> Iterator[PreferenceStatistic]:
    for agreement in measure_agreement(preferences, evaluation) if evaluation else ():
        labels, compared_count = (
            ("", "", agreement.first, agreement.second),
            agreement.same + agreement.opposite,
        )
        yield _make_proportion(
            "measures",
            labels,
            agreement.measure,
            agreement.same,
            compared_count,
            binomial_p(agreement.same, agreement.opposite),
        )


def _describe_methods(preferences: Preferences) -> Iterator[str]:
    yield Message(
        "p-value of wins: exact sign test; p-value of net preference: trinomial test. Both "
        "assume independent answers; the p-value of topics won does not."
    )
    if preferences.documents:
        yield Message("Each document is compared only with documents of the same topic.")


# Preferences of a project or of a table

DEFAULT_PREFERENCE_MEASURES = ("P@10", "nDCG@10")
PART_NAMES = tuple(part.name for part in PREFERENCE_PARTS)
# options of `PreferencesRequest` that apply only to tables
TABLE_OPTIONS = ("columns", "sheet", "winners", "encoding", "qrels", "runs", "measures", "how")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreferencesRequest:
    """Options of `irjudge preferences`: how preferences are read, and how they are analysed.

    The table or project with the preferences is a separate argument. Qrels, runs, measures and the
    mapping of columns apply only to tables; `parts` selects the printed parts of the results.
    """

    columns: Annotated[
        str,
        Option(
            "Map the columns, by name or number, such as left=model_a,right=model_b,winner=5. "
            f"Columns: {', '.join(PART_NAMES)}.",
            metavar="PART=COLUMN,...",
        ),
    ] = ""
    winners: Annotated[
        str | None,
        Option(
            "Meaning of each value in the column winner, such as A:left,B:right,same:tie.",
            metavar="PAIRS",
        ),
    ] = None
    sheet: SheetOption = ""
    encoding: Annotated[
        str | None,
        Option(
            "Encoding of the table, such as GB18030. Default: the detected encoding.",
            metavar="NAME",
        ),
    ] = None
    documents: Annotated[
        bool,
        Option(
            "Analyse preferences between documents, not between systems. In a table, the "
            "columns left and right then contain documents of a topic; in a project, the "
            "comparisons of documents are used."
        ),
    ] = False
    parts: Annotated[
        tuple[str, ...],
        Option(
            "Print only this part of the results; may be repeated.",
            flags=("--part",),
            choices=tuple(PARTS),
        ),
    ] = ()
    share: Annotated[
        float,
        Option(
            "Win rate that the planned comparisons must be able to detect.", minimum=0, maximum=1
        ),
    ] = DEFAULT_SHARE
    qrels: Annotated[
        Path | None,
        Option(
            "With --run: report whether measures computed with these qrels favour the same "
            "runs as the preferences."
        ),
    ] = None
    runs: Annotated[
        tuple[Path, ...],
        Option(
            "Run of one of the systems; may be repeated. With --documents: run whose "
            "compatibility with the preferred documents is computed.",
            flags=("--run",),
        ),
    ] = ()
    measures: Annotated[
        tuple[str, ...],
        Option(
            f"Measure; may be repeated. [default: {' '.join(DEFAULT_PREFERENCE_MEASURES)}]",
            flags=("-m", "--measure"),
        ),
    ] = ()
    seed: SeedOption = DEFAULT_SAMPLING_SEED
    samples: Annotated[
        int,
        Option(
            "Number of bootstrap samples of topics and assessors, for the intervals.", minimum=1
        ),
    ] = DEFAULT_PREFERENCE_SAMPLES
    how: GradesRequest = field(default_factory=GradesRequest)


def analyse_preferences(
    source: Path, request: PreferencesRequest | None = None, *, progress: Progress = SILENT
) -> PreferenceResults:
    """Compute the statistics of the preferences in a project or in a table.

    Parameters
    ----------
    source
        A project with side-by-side comparisons, or a table of left, right and winner.
    request
        How the table is read, what is compared with the preferences, and the resamples.
    progress
        Progress of resampling.

    Returns
    -------
    PreferenceResults
        Statistics of all parts, even of those that are not printed.

    Raises
    ------
    IrjudgeError
        If there are no preferences, if options for tables are given although the source is a
        project, if the measures need runs or qrels that are missing, or if a file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     table = Path(folder, "answers.csv")
    ...     _ = table.write_text("left,right,winner\\na,b,left\\nb,a,right\\na,b,tie\\n")
    ...     results = analyse_preferences(table, PreferencesRequest(samples=10))
    >>> [(each.statistic, each.count) for each in results.findings if each.part == "answers"]
    [('left', 1), ('right', 1), ('tie', 1), ('much better', 0), ('blank', 0)]
    """
    request, warnings = request or PreferencesRequest(), list[str]()
    keywords: Any = {
        "share": request.share,
        "sampling": Sampling(seed=request.seed, samples=request.samples, progress=progress),
    }
    if not is_project(source):
        columns = replace(parse_columns(request.columns, PART_NAMES), sheet=request.sheet)
        preferences = read_preferences(
            source,
            columns=columns,
            winners=None if request.winners is None else parse_winners(request.winners),
            documents=request.documents,
            encoding=request.encoding,
        )
        evaluation = _evaluate_systems(request)
        return preference_results(
            preferences, evaluation=evaluation, runs=_read_runs(request.runs), **keywords
        )
    defaults = PreferencesRequest()
    if any(getattr(request, name) != getattr(defaults, name) for name in TABLE_OPTIONS):
        raise IrjudgeError(
            "--columns, --sheet, --winners, --encoding, --qrels, --run, --measure, --negative and "
            "--grades apply to tables; a project has its own settings."
        )
    with add_warnings_to_errors(warnings), open_for_reading(source, warnings) as project:
        evaluation, runs = None, project.rankings.runs()
        if request.documents or not any(iter_preferences(project, "panel")):
            preferences = read_project_preferences(project)
        else:
            preferences = read_project_preferences(project, map_sides_to_runs(project))
            run_names = {run.name for run in runs}
            if list_qrels_choices(project) and run_names.issuperset(preferences.items):
                evaluation = evaluate_project(project, parse_measures(DEFAULT_PREFERENCE_MEASURES))
        results = preference_results(
            preferences,
            evaluation=evaluation,
            runs=(project.rankings.run(run.name) for run in runs),
            **keywords,
        )
    return replace(results, warnings=tuple(warnings))


def _evaluate_systems(request: PreferencesRequest) -> Evaluation | None:
    if not request.qrels and request.how != GradesRequest():
        raise IrjudgeError(
            "--grades and --negative are options for reading --qrels; give --qrels too."
        )
    if request.documents and (request.qrels or request.measures):
        raise IrjudgeError(
            "Measures can be compared only with preferences between runs; --qrels and "
            "--measure cannot be combined with --documents."
        )
    if request.documents or not (request.qrels or request.runs or request.measures):
        return None
    if not request.qrels or not request.runs:
        raise IrjudgeError(
            "To compare measures with preferences, give --qrels, and --run once for each system."
        )
    qrels = read_qrels(request.qrels, request.how.negative, grades=request.how.rules())
    measures = parse_measures(request.measures or DEFAULT_PREFERENCE_MEASURES)
    return evaluate_runs(qrels, _read_runs(request.runs), measures)


def _read_runs(paths: Sequence[Path]) -> Iterator[Run]:
    return map(read_run, paths, choose_distinct_run_names(paths))

"""C/W/L measures: ERR, INSQ, INST and the bejeweled player model."""

import itertools
from typing import Annotated, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.cumulative_gain import MAX_EXP2_GRADE
from irjudge.metrics.judged import (
    Floats,
    Hits,
    Ints,
    JudgedRun,
    Longs,
    Scores,
    accumulate_by_topic,
    compute_accumulated_before,
    divide,
    highest_gain,
)
from irjudge.metrics.measure_bounds import (
    INFINITE_RANK,
    Interval,
    OpenRun,
    OpenRunPair,
    iter_topic_rows,
    register_bounds,
    register_difference_bounds,
)
from irjudge.metrics.registry import (
    Cutoff,
    MaybeBothCutoff,
    MaybeCutoff,
    Range,
    format_value,
    measure,
)
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    describe_cutoff,
    explains,
    format_number,
    format_quotient,
    format_sum,
)

# Expected reciprocal rank: the user examines documents from the top until one satisfies the need

# maximum number E of open documents retrieved by both runs for which all 2^E combinations of
# satisfaction are tried
MAX_ENUMERATED = 10

MaybeHighest: TypeAlias = Annotated[
    int | None,
    Range(1),
    "Highest grade; by default the highest grade of the scale if the scale is known, otherwise "
    "the highest grade in the qrels.",
]


def highest_grade(run: JudgedRun, highest: int | None = None) -> int:
    """Return the highest grade of the scale.

    This is `highest` or, if it is None, the highest grade of `run`'s scale or the highest judged
    grade, whichever is higher. Raises MeasureError if a judged grade is higher than `highest`.
    """
    judged_highest = int(run.judged_grades.max(initial=0))
    if highest is None:
        return max(run.highest or 0, judged_highest)
    if highest < judged_highest:
        raise MeasureError(
            "highest={highest} is less than the grade {grade} in the qrels.",
            highest=highest,
            grade=judged_highest,
        )
    return highest


def _compute_err_of_hits(run: JudgedRun, hits: Hits, highest: int | None) -> Scores:
    """Return the expected reciprocal rank of each topic, given the `hits` with positive gain."""
    stop_probabilities = (
        satisfaction(hits.grade, highest_grade(run, highest))
        if hits.gain is None
        else _compute_gain_satisfaction(run, hits.gain, highest)
    )
    arrival_probabilities = compute_accumulated_before(
        hits.topic,
        accumulate_by_topic(np.multiply, hits.topic, 1 - stop_probabilities, len(run)),
        1.0,
    )
    return run.sum_by_topic(hits.topic, arrival_probabilities * stop_probabilities / hits.rank)


def _compute_gain_satisfaction(run: JudgedRun, gain: Floats, highest: int | None) -> Floats:
    """Return the probability that a document satisfies the user: (2^gain − 1) / 2^highest.

    If `highest` is None, the highest gain of the qrels is used instead.
    """
    max_gain = highest_gain(run)
    if highest is not None and highest < max_gain:
        raise MeasureError(
            "highest={highest} is less than the gain {gain:g} in the qrels.",
            highest=highest,
            gain=max_gain,
        )
    if max_gain > MAX_EXP2_GRADE:
        raise MeasureError(
            "ERR accepts gains up to {maximum}, got {gain:g}; convert the ratings to grades with --cuts.",
            maximum=MAX_EXP2_GRADE,
            gain=max_gain,
        )
    exponent = float(max_gain if highest is None else highest)
    probability: Floats = np.exp2(gain - exponent) - np.exp2(-exponent)
    return probability


def satisfaction(grade: npt.NDArray[np.int32], highest: int) -> Floats:
    """Return the probability that a document satisfies the user: (2^grade − 1) / 2^highest.

    >>> satisfaction(np.array([0, 1, 2], dtype=np.int32), highest=2)
    array([0.  , 0.25, 0.75])
    """
    probability: Floats = np.ldexp(1.0, grade - highest) - np.ldexp(1.0, -highest)
    return probability


@measure(
    "ERR",
    title="Expected reciprocal rank",
    formula=(
        "Σ over ranks r ≤ k of (1/r)·R_r·Π over i < r of (1 − R_i), where R = (2^grade − "
        "1) / 2^G and G is the highest grade of the scale"
    ),
    kind="graded",
    aliases=("err",),
    top_heavy=True,
)
def expected_reciprocal_rank(
    run: JudgedRun, *, highest: MaybeHighest = None, cutoff: MaybeCutoff = None
) -> Scores:
    """Return the expected reciprocal of the rank at which the user is satisfied.

    Parameters
    ----------
    highest
        Highest grade, G; by default the highest grade of the scale if the scale is known, otherwise
        the highest grade in the qrels.

    Returns
    -------
    Scores
        Shape (T,), less than 1; 0 where no retrieved document satisfies the user.

    Raises
    ------
    MeasureError
        If a judged grade is higher than `highest`.

    Notes
    -----
    Unjudged and unjudgeable documents never satisfy the user. TREC's gdeval computes
    ERR(highest=4).

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, 621–630.

    Examples
    --------
    >>> expected_reciprocal_rank(JudgedRun.single(ranked=[0, 2, 1]), highest=2).round(4)
    array([0.3958])
    """
    return _compute_err_of_hits(run, run.gaining_hits(cutoff), highest)


@register_bounds("ERR")
def expected_reciprocal_rank_bounds(
    run: OpenRun, *, highest: int | None, cutoff: int | None
) -> Interval:
    """Return the bounds of ERR.

    The lower bound is the value if all open documents have grade 0, so that none satisfies the
    user; the upper bound is the value if all have the highest grade.
    """
    best_grade = run.grades[-1] if highest is None else min(highest, run.grades[-1])
    return Interval(
        *(
            expected_reciprocal_rank(run.assign_grade(grade), highest=highest, cutoff=cutoff)
            for grade in (0, best_grade)
        )
    )


@register_difference_bounds(
    "ERR",
    note=Message(
        "ERR: the interval of the difference is exact if each run ranks at most {count} "
        "unjudged documents; otherwise it is slightly too wide",
        count=MAX_ENUMERATED,
    ),
)
def expected_reciprocal_rank_difference(
    pair: OpenRunPair, *, highest: int | None, cutoff: int | None
) -> Interval:
    """Return the bounds of the difference in ERR.

    At each bound, the satisfaction of an open document is either 0 or the maximum. If only one run
    retrieved the document, it is clear which of the two values reaches the bound. For documents
    that both runs retrieved, all combinations are tried. After the first `MAX_ENUMERATED` of these
    documents, each is treated as a different document in each run, which can only widen the
    interval.
    """
    count, max_rank = len(pair), INFINITE_RANK if cutoff is None else cutoff
    max_grade = highest_grade(pair.a.with_highest_grade(), highest)
    max_satisfaction = float(
        satisfaction(np.array([min(max_grade, pair.a.grades[-1])], dtype=np.int32), max_grade)[0]
    )
    satisfactions = [
        _list_satisfaction_by_topic(open_run, max_grade, max_rank) for open_run in (pair.a, pair.b)
    ]
    low, high = np.zeros(count), np.zeros(count)
    for topic, rows in enumerate(iter_topic_rows(pair.topic, count)):
        rank_pair = [
            np.where(rank[rows] <= max_rank, rank[rows], 0).astype(np.int64)
            for rank in (pair.rank_a, pair.rank_b)
        ]
        shared_rows = np.flatnonzero((rank_pair[0] > 0) & (rank_pair[1] > 0))
        enumerated_rows = shared_rows[
            np.argsort(np.minimum(rank_pair[0], rank_pair[1])[shared_rows], kind="stable")
        ][:MAX_ENUMERATED]
        max_a, min_b = (
            _compute_possible_values(
                run_satisfactions[topic], run_ranks, enumerated_rows, max_satisfaction, is_highest
            )
            for run_satisfactions, run_ranks, is_highest in zip(
                satisfactions, rank_pair, (True, False), strict=True
            )
        )
        min_a, max_b = (
            _compute_possible_values(
                run_satisfactions[topic], run_ranks, enumerated_rows, max_satisfaction, is_highest
            )
            for run_satisfactions, run_ranks, is_highest in zip(
                satisfactions, rank_pair, (False, True), strict=True
            )
        )
        high[topic], low[topic] = (max_a - min_b).max(), (min_a - max_b).min()
    return Interval(low, high)


def _list_satisfaction_by_topic(
    run: OpenRun, max_grade: int, max_rank: int
) -> list[tuple[Ints, Floats]]:
    """Return the ranks and satisfactions of judged documents at ranks 1 to `max_rank`, by topic.

    Documents that cannot satisfy the user are omitted.
    """
    hits = run.judged.relevant_hits(1, max_rank)
    stop_probabilities = satisfaction(hits.grade, max_grade)
    return [
        (hits.rank[rows], stop_probabilities[rows])
        for rows in iter_topic_rows(hits.topic, len(run.judged))
    ]


def _compute_possible_values(
    judged_hits: tuple[Ints, Floats],
    rank: npt.NDArray[np.int64],
    enumerated_rows: npt.NDArray[np.int64],
    max_satisfaction: float,
    is_highest: bool,
) -> Floats:
    """Return a run's value for each combination of satisfactions of E enumerated documents.

    `judged_hits` are the ranks and satisfactions of judged documents. `rank`, shape (D,), contains
    the ranks of open documents, 0 if not retrieved. `enumerated_rows`, shape (E,), are the indexes
    of the enumerated documents in `rank`. An enumerated document has satisfaction 0 or
    `max_satisfaction`; all other open documents have the maximum if `is_highest`, otherwise 0. The
    result has shape (2 ** E,).
    """
    other_rows = (
        np.setdiff1d(np.flatnonzero(rank), enumerated_rows)
        if is_highest
        else np.zeros(0, dtype=np.int64)
    )
    outcomes = np.array(
        list(itertools.product((0.0, max_satisfaction), repeat=len(enumerated_rows)))
    ).reshape(2 ** len(enumerated_rows), len(enumerated_rows))
    fixed_satisfaction = np.concatenate(
        (judged_hits[1], np.full(len(other_rows), max_satisfaction))
    )
    ranks = np.concatenate((judged_hits[0], rank[other_rows], rank[enumerated_rows]))
    stop_probabilities = np.concatenate(
        (np.broadcast_to(fixed_satisfaction, (len(outcomes), len(fixed_satisfaction))), outcomes),
        axis=1,
    )
    order = np.argsort(ranks)
    stop_probabilities, ranks = stop_probabilities[:, order], ranks[order]
    reach_probability = np.cumprod(1 - stop_probabilities, axis=1)
    reach_probability = np.concatenate(
        (np.ones((len(outcomes), 1)), reach_probability[:, :-1]), axis=1
    )[:, : len(ranks)]
    return np.asarray(
        (reach_probability * stop_probabilities / ranks).sum(axis=1), dtype=np.float64
    )


def _describe_satisfaction(example: ExampleTopic, max_grade: float) -> str:
    if example.gains is not None:
        return Message(
            "G = {highest}, the highest gain. A user who reaches a document is satisfied and "
            "stops with probability (2^gain − 1) / 2^G.",
            highest=format_number(max_grade),
        )
    return Message(
        "G = {scale}, the highest grade. A user who reaches a document is satisfied and stops "
        "with probability (2^grade − 1) / 2^G.",
        scale=max_grade,
    )


@explains("ERR")
def explain_expected_reciprocal_rank(
    example: ExampleTopic, *, highest: int | None, cutoff: int | None
) -> WorkedExample:
    """Explain ERR by a user who stops at the first satisfying document."""
    max_grade = example.highest_gain_or_grade() if highest is None else highest
    rows: list[tuple[float, ...]] = []
    total, reach_probability, terms, hits = 0.0, 1.0, [], []
    for rank, gain_or_grade in enumerate(example.gains_or_grades(cutoff), 1):
        stop_probability = (2.0 ** max(gain_or_grade or 0, 0) - 1) / 2.0**max_grade
        total += reach_probability * stop_probability / rank
        rows.append(
            (
                stop_probability,
                reach_probability,
                reach_probability * stop_probability / rank,
                total,
            )
        )
        if stop_probability:
            hits.append(rank)
            terms.append(
                f"{format_number(reach_probability)}·{format_number(stop_probability)}/{rank}"
            )
        reach_probability *= 1 - stop_probability
    steps = (
        describe_cutoff(example, cutoff),
        _describe_satisfaction(example, max_grade),
        Message(
            "ERR = sum of P(reached)·P(satisfied)/r = {terms} = {number}",
            terms=format_sum(terms),
            number=format_number(total),
        ),
    )
    return WorkedExample(
        steps, total, ("P(satisfied)", "P(reached)", "term", "sum"), tuple(rows), frozenset(hits)
    )


@measure(
    "nERR",
    title="Normalised expected reciprocal rank",
    formula="ERR / ERR of the ideal order of all judged documents, both over ranks 1 to k",
    kind="graded",
    top_heavy=True,
)
def normalised_expected_reciprocal_rank(
    run: JudgedRun, *, highest: MaybeHighest = None, cutoff: MaybeBothCutoff = None
) -> Scores:
    """Return the expected reciprocal rank divided by the highest possible expected reciprocal rank.

    Parameters
    ----------
    highest
        Highest grade, G; by default the highest grade of the scale if the scale is known, otherwise
        the highest grade in the qrels.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no judged document satisfies the user.

    Raises
    ------
    MeasureError
        If a judged grade is higher than `highest`.

    Notes
    -----
    Unjudged and unjudgeable documents never satisfy the user.

    References
    ----------
    Chapelle, Metzler, Zhang and Grinspan (2009), Expected reciprocal rank for graded relevance, CIKM, 621–630.

    Examples
    --------
    >>> normalised_expected_reciprocal_rank(JudgedRun.single(ranked=[0, 2, 1]), highest=2).round(4)
    array([0.5067])
    """
    ideal_value = _compute_err_of_hits(run, run.ideal_hits(cutoff), highest)
    return divide(expected_reciprocal_rank(run, highest=highest, cutoff=cutoff), ideal_value)


# C/W/L measures: gain per document of users who continue or stop depending on the gain so far

Wanted: TypeAlias = Annotated[
    float, Range(0, 1e6, above=True), "Number of relevant documents the user wants, T."
]
# the formula of INST is undefined if T is one half or less
WantedInst: TypeAlias = Annotated[
    float, Range(0.5, 1e6, above=True), "Number of relevant documents the user wants, T."
]
Depth: TypeAlias = Annotated[
    int,
    Range(1),
    "Last rank that the user looks at. Ranks beyond the end of the run have no gain.",
]

# lowest argument for which the asymptotic series of the trigamma function is exact in doubles
MIN_SERIES_ARGUMENT = 16
BERNOULLI_NUMBERS = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66)


@measure(
    "INSQ",
    title="INSQ",
    formula="Σ of W_r·g_r over ranks r ≤ depth, with W_r proportional to 1 / (r + 2t − 1)² and g = grade / highest grade of the scale",
    kind="graded",
    always=("t",),
    top_heavy=True,
)
def inverse_squares(
    run: JudgedRun, *, t: Wanted = 1.0, highest: MaybeHighest = None, depth: Depth = 1000
) -> Scores:
    """Return the gain per document of a user who wants a certain number of relevant documents; the
    higher this number, the more likely the user is to continue.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no retrieved document has gain.

    Raises
    ------
    MeasureError
        If a judged grade is higher than `highest`.

    Notes
    -----
    Unjudged documents have no gain. The depth of 1,000 and the values agree with cwl-eval, the
    program of the measure's authors.

    References
    ----------
    Moffat, Scholer and Thomas (2012), Models and metrics: IR evaluation as a user process, ADCS, 47–54.

    Examples
    --------
    >>> inverse_squares(JudgedRun.single(ranked=[1, 0, 1]), t=1.0).round(4)
    array([0.4853])
    """
    weights = 1 / np.square(np.arange(1, depth + 1) + 2 * t - 1)
    hits = run.relevant_hits(1, depth)
    weighted_gain = run.sum_by_topic(
        hits.topic, weights[hits.rank - 1] * (hits.grade / max(highest_grade(run, highest), 1))
    )
    return divide(weighted_gain, weights.sum())


@measure(
    "INST",
    title="INST",
    formula=(
        "Σ of W_r·g_r over ranks r ≤ depth, where the user continues from rank r with "
        "probability ((r + 2t − G_r − 1) / (r + 2t − G_r))²; g = grade / highest grade of "
        "the scale, G_r = Σ of g up to r"
    ),
    kind="graded",
    always=("t",),
)
def adaptive_squares(
    run: JudgedRun, *, t: WantedInst = 1.0, highest: MaybeHighest = None, depth: Depth = 1000
) -> Scores:
    """Return the gain per document of a user who wants a certain number of relevant documents; the
    more of them are found, the less likely the user is to continue.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no retrieved document has gain.

    Raises
    ------
    MeasureError
        If a judged grade is higher than `highest`.

    Notes
    -----
    Unjudged documents have no gain. The depth of 1,000 and the values agree with cwl-eval, the
    program of the measure's authors. Between two documents with gain, the product of the continuation probabilities
    is a ratio of squares, so the ranks need not be processed one by one.

    References
    ----------
    Moffat, Bailey, Scholer and Thomas (2015), INST: an adaptive metric for information retrieval evaluation, ADCS, 5:1–5:4.

    Examples
    --------
    >>> adaptive_squares(JudgedRun.single(ranked=[1, 0, 1]), t=1.0).round(4)
    array([0.7233])
    """
    hits = run.relevant_hits(1, depth)
    gain = hits.grade / max(highest_grade(run, highest), 1)
    # After a document at rank a, rank i is reached with probability (x / (x + i − a))², where x = a
    # − 1 + 2t − G
    effective_rank = hits.rank - 1 + 2 * t - accumulate_by_topic(np.add, hits.topic, gain, len(run))
    is_last_hit = np.append(hits.topic[1:] != hits.topic[:-1], True)[: len(hits.topic)]
    next_rank: Longs = np.where(
        is_last_hit, depth + 1, np.append(hits.rank[1:], 0)[: len(hits.rank)]
    ).astype(np.int64)
    previous_effective_rank = compute_accumulated_before(hits.topic, effective_rank, 2 * t)
    previous_rank = compute_accumulated_before(hits.topic, hits.rank.astype(np.float64), 1.0)
    reach_ratio: Floats = np.square(
        previous_effective_rank / (previous_effective_rank + hits.rank - previous_rank)
    )
    reach_probability = accumulate_by_topic(np.multiply, hits.topic, reach_ratio, len(run))
    expected_examined = run.sum_by_topic(
        hits.topic, reach_probability * _sum_reach_ratios(effective_rank, next_rank - hits.rank)
    )
    ranks_before_first = np.full(len(run), depth, dtype=np.int64)
    is_first_hit = hits.nth_in_topic == 1
    ranks_before_first[hits.topic[is_first_hit]] = hits.rank[is_first_hit] - 1
    expected_examined += _sum_reach_ratios(np.full(len(run), 2 * t), ranks_before_first)
    return divide(run.sum_by_topic(hits.topic, reach_probability * gain), expected_examined)


@register_bounds("INSQ")
def inverse_squares_bounds(run: OpenRun, *, t: float, highest: int | None, depth: int) -> Interval:
    """Return the bounds of INSQ.

    The lower bound is the value if all open documents have gain 0; the upper bound is the value if
    all have the highest gain, since the value is a sum over documents.
    """
    return Interval(
        *(
            inverse_squares(run.assign_grade(grade), t=t, highest=highest, depth=depth)
            for grade in (0, run.grades[-1])
        )
    )


@register_bounds("INST")
def adaptive_squares_bounds(run: OpenRun, *, t: float, highest: int | None, depth: int) -> Interval:
    """Return the bounds of INST.

    The lower bound is the value if all open documents have gain 0; the upper bound is the value if
    all have the highest gain, since a higher gain of a document never lowers the value.

    With d_r = r + 2t − G_r, which is above 1 and never falls, rank r + 1 is reached ((d_r − 1) /
    d_r)² times as often as rank r. More gain at rank s reduces the weight of lower ranks. This loss
    is largest if all lower ranks have gain 1, because d is then constant from s on. It is 2·d·(d −
    1) / (2d − 1)² times the weight of s, less than half of what the gain itself adds.
    """
    return Interval(
        *(
            adaptive_squares(run.assign_grade(grade), t=t, highest=highest, depth=depth)
            for grade in (0, run.grades[-1])
        )
    )


@measure(
    "BPM",
    title="Bejeweled player model",
    formula=(
        "(Σ of g over ranks 1 to d) / d, where d is the rank at which the user stops: the "
        "first rank where the sum is at least t, but at most k; g = grade / highest grade of "
        "the scale"
    ),
    kind="graded",
    at="k",
    always=("t",),
    top_heavy=True,
)
def bejeweled_player(
    run: JudgedRun,
    *,
    t: Wanted = 1.0,
    highest: MaybeHighest = None,
    depth: Cutoff = 1000,
    k: Cutoff,
) -> Scores:
    """Return the gain per document of a user who stops after enough gain or enough documents.

    Parameters
    ----------
    t
        Amount of gain the user wants, T.
    depth
        Last rank that the user may look at.
    k
        Maximum number of documents the user will look at, K.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where no retrieved document has gain.

    Raises
    ------
    MeasureError
        If a judged grade is higher than `highest`.

    Notes
    -----
    This is the static model: t and k do not change while the user reads. Unjudged documents have no
    gain. A list shorter than k is treated as if it continued with documents without gain, as in
    cwl-eval, the program of the measure's authors. Grades are added as whole numbers.

    References
    ----------
    Zhang, Liu, Li, Zhang, Xu and Ma (2017), Evaluating web search with a bejeweled player model, SIGIR, 425–434.

    Examples
    --------
    >>> bejeweled_player(JudgedRun.single(ranked=[1, 0, 1, 1]), t=2.0, k=10).round(4)
    array([0.6667])
    """
    max_grade, max_rank = max(highest_grade(run, highest), 1), min(k, depth)
    hits = run.relevant_hits(1, max_rank)
    running_grades = accumulate_by_topic(
        np.add, hits.topic, hits.grade.astype(np.float64), len(run)
    )
    has_enough_gain = running_grades >= t * max_grade
    stop_rank = np.full(len(run), max_rank, dtype=np.int64)
    np.minimum.at(stop_rank, hits.topic[has_enough_gain], hits.rank[has_enough_gain])
    examined_hits = hits.where(hits.rank <= stop_rank[hits.topic])
    return run.sum_by_topic(examined_hits.topic, examined_hits.grade / max_grade) / stop_rank


@explains("BPM")
def explain_bejeweled_player(
    example: ExampleTopic, *, t: float, highest: int | None, depth: int, k: int
) -> WorkedExample:
    """Explain BPM by a user who stops after enough gain or enough documents."""
    max_grade, max_rank = max(example.highest if highest is None else highest, 1), min(k, depth)
    total, stop_rank = 0, max_rank
    rows: list[tuple[float, ...]] = []
    for rank, grade in enumerate(example.top_grades(max_rank), 1):
        total += max(grade or 0, 0)
        rows.append((max(grade or 0, 0) / max_grade, total / max_grade))
        if total and total >= t * max_grade:
            stop_rank = rank
            break
    stop_message = Message(
        "The gain reaches T = {threshold} at rank {rank}, so the user stops there.",
        threshold=format_value(t),
        rank=stop_rank,
    )
    no_stop_message = Message(
        "The gain does not reach T = {threshold}, so the user looks at all {number} ranks, even if "
        "the list is shorter.",
        threshold=format_value(t),
        number=max_rank,
    )
    steps = (
        Message(
            "Gain = grade / {highest}, the highest grade. At most {number} documents are read: the "
            "smaller of K = {k} and depth = {depth}.",
            highest=max_grade,
            number=max_rank,
            k=k,
            depth=depth,
        ),
        stop_message if total and total >= t * max_grade else no_stop_message,
    )
    step, value = format_quotient(
        Message("BPM = gain / documents read"),
        total / max_grade,
        stop_rank,
        Message("the number of documents examined"),
    )
    hits = frozenset(rank for rank, (gain, _) in enumerate(rows, 1) if gain)
    return WorkedExample((*steps, step), value, ("gain", "sum"), tuple(rows), hits)


def _sum_reach_ratios(effective_rank: Floats, count: Longs) -> Floats:
    """Return Σ over i = 0 … count − 1 of (x / (x + i))², where x is `effective_rank`, above 0."""
    return np.square(effective_rank) * (
        _compute_trigamma(effective_rank) - _compute_trigamma(effective_rank + count)
    )


def _compute_trigamma(x: Floats) -> Floats:
    """Return Σ over i = 0, 1, 2 … of 1 / (x + i)², for x above 0."""
    total, argument = np.zeros(len(x)), x.copy()
    small_rows = np.flatnonzero(argument < MIN_SERIES_ARGUMENT)
    while len(small_rows):
        total[small_rows] += 1 / np.square(argument[small_rows])
        argument[small_rows] += 1
        small_rows = small_rows[argument[small_rows] < MIN_SERIES_ARGUMENT]
    inverse = 1 / argument
    inverse_square, series = np.square(inverse), np.zeros(len(x))
    for coefficient in reversed(BERNOULLI_NUMBERS):
        series = (series + coefficient) * inverse_square
    return total + inverse * (1 + inverse / 2 + series)

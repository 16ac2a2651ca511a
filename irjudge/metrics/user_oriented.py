"""Measures of reading effort, of sessions, and of users' prior knowledge and targets."""

import math
from typing import Annotated, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.cumulative_gain import (
    Base,
    Discount,
    Gain,
    describe_gain,
    discounted_cumulative_gain,
    explain_discounted_cumulative_gain,
    gains,
)
from irjudge.metrics.judged import (
    AuxiliaryRows,
    Floats,
    Hits,
    JudgedRun,
    Scores,
    accumulate_by_topic,
    compute_accumulated_before,
    divide,
)
from irjudge.metrics.registry import MaybeCutoff, MicroAverage, Range, Rel, format_value, measure
from irjudge.metrics.worked_example import (
    Cell,
    ExampleTopic,
    WorkedExample,
    describe_relevance,
    explains,
    format_number,
    format_sum,
)

# Reading effort: text to read, and time needed, before a document is reached

Positive: TypeAlias = Annotated[float, Range(0, above=True)]
Share: TypeAlias = Annotated[float, Range(0, 1)]

# User model of Smucker and Clarke: seconds per summary, per word and for opening a document, and
# probabilities of opening and saving.
SECONDS_PER_SUMMARY, SECONDS_PER_WORD, SECONDS_TO_OPEN = 4.4, 0.018, 7.8
RELEVANT_CLICK_PROBABILITY, OTHER_CLICK_PROBABILITY, SAVE_PROBABILITY = 0.64, 0.39, 0.77


def _find_reading_lengths(run: JudgedRun, column: str) -> tuple[AuxiliaryRows, Floats]:
    """Return the rows of retrieved documents, sorted by topic and rank, and their lengths."""
    lengths = run.auxiliary_rows("lengths")
    rows = lengths.where(lengths.rank > 0)
    length = rows.columns[column]
    if np.isnan(length).any():
        raise MeasureError(
            "The file of document lengths has no number of {column} for some retrieved documents.",
            column=column,
        )
    return rows, length


@measure(
    "U",
    title="U-measure",
    formula=(
        "(1/norm) · Σ over ranks of gain · max(0, 1 − position / L); position: number of "
        "characters read up to the end of the document (snippet characters of each document "
        "and, if it is relevant, also share × its length)"
    ),
    bounds=(0, math.inf),
    kind="graded",
    aliases=("U-measure", "U_measure"),
    top_heavy=True,
    needs=("lengths",),
)
def u_measure(
    run: JudgedRun,
    *,
    l: Positive = 132000,  # noqa: E741 -- as the paper calls it
    snippet: Annotated[float, Range(0)] = 200,
    share: Share = 0.2,
    gain: Gain = "linear",
    rel: Rel = 1,
    norm: Positive = 1,
) -> Scores:
    """Return the gain of a user who keeps reading; a document counts less the more text precedes
    it.

    Parameters
    ----------
    run
        T topics, with the lengths of all retrieved documents in characters.
    l
        Maximum number of characters a user reads, L.
    snippet
        Number of characters read from each document in the list.
    share
        Share of a relevant document that is read, from 0 to 1.
    gain
        Gain of a grade: `linear`, `exp2`, or a mapping.
    rel
        A document is read and has gain if its grade is `rel` or more.
    norm
        Divisor of the sum.

    Returns
    -------
    Scores
        Shape (T,), 0 or more; 0 where nothing relevant is reached within L characters.

    Raises
    ------
    MeasureError
        If the lengths were not given, or not in characters.

    Notes
    -----
    With `snippet=0,share=1`, only relevant documents are read, each of them completely. Unjudged
    documents count as not relevant.

    References
    ----------
    Sakai and Dou (2013), Summaries, ranked retrieval and sessions: a unified framework for information access evaluation, SIGIR, 473–482.

    Examples
    --------
    >>> from irjudge.metrics import AuxiliaryRows
    >>> run = JudgedRun.single(ranked=[0, 1])
    >>> side = AuxiliaryRows(run.hit_topic, run.hit_rank, run.hit_grade, {"characters": np.array([500.0, 1000.0])})
    >>> u_measure(run.with_tables(lengths=side), l=1000)
    array([0.4])
    """
    rows, length = _find_reading_lengths(run, "characters")
    relevant = rows.grade >= rel
    position = accumulate_by_topic(
        np.add, rows.topic, snippet + np.where(relevant, share * length, 0.0), len(run)
    )
    relevant_gain = gains(np.maximum(rows.grade, 0), gain) * relevant
    return run.sum_by_topic(rows.topic, relevant_gain * np.maximum(0, 1 - position / l)) / norm


@explains("U")
def explain_u_measure(
    example: ExampleTopic,
    *,
    l: float,  # noqa: E741
    snippet: float,
    share: float,
    gain: Gain,
    rel: int,
    norm: float,
) -> WorkedExample:
    """Explain U by the text read so far and the discounted gain at each relevant document."""
    retrieved, length = _find_reading_lengths(example.judged_run, "characters")
    rows: list[tuple[Cell, ...]] = []
    position, total, terms, hits = 0.0, 0.0, [], set()
    for rank, grade, characters in zip(
        retrieved.rank.tolist(), retrieved.grade.tolist(), length.tolist(), strict=True
    ):
        position += snippet + (share * characters if grade >= rel else 0)
        if grade >= rel:
            document_gain = float(gains(np.array([grade]), gain)[0])
            decay = max(0.0, 1 - position / l)
            total += document_gain * decay
            terms.append(f"{format_number(document_gain)}·{format_number(decay)}")
            hits.add(rank)
        rows.append((characters, position, total))
    value = total / norm
    steps = (
        describe_relevance(rel),
        describe_gain(gain),
        Message(
            "A user reads {snippet} characters of each document and, if it is relevant, "
            "also {share} of its length.",
            snippet=format_value(snippet),
            share=format_value(share),
        ),
        Message(
            "Sum of gain · max(0, 1 − position / {l}): {terms} = {number}",
            l=format_value(l),
            terms=format_sum(terms),
            number=format_number(total),
        ),
        f"U = {format_number(total)} / {format_value(norm)} = {format_number(value)}",
    )
    return WorkedExample(
        steps, value, ("characters", "position", "sum"), tuple(rows), frozenset(hits)
    )


@measure(
    "TBG",
    title="Time-biased gain",
    formula=(
        "Σ over the ranks k of relevant documents of 0.64·0.77 · 2^(−T(k) / h); T(k) = Σ over "
        "ranks m < k of [4.4 + (0.018 · number of words in document m + 7.8) · (0.64 if "
        "document m is relevant, else 0.39)]"
    ),
    bounds=(0, math.inf),
    kind="graded",
    aliases=("time_biased_gain",),
    top_heavy=True,
    needs=("lengths",),
)
def time_biased_gain(run: JudgedRun, *, h: Positive = 224, rel: Rel = 1) -> Scores:
    """Return the expected number of relevant documents seen by a user for whom reading takes time
    and who may stop at any time.

    Parameters
    ----------
    run
        T topics, with the lengths of all retrieved documents in words.
    h
        Half-life in seconds: the time after which half of the users have stopped.

    Returns
    -------
    Scores
        Shape (T,), in documents, 0 or more.

    Raises
    ------
    MeasureError
        If the lengths were not given, or not in words.

    Notes
    -----
    Times and probabilities are those measured by the measure's authors: 4.4 seconds for a summary,
    7.8 plus 0.018 per word for an opened document; a relevant document is opened with probability
    0.64, any other with 0.39; a relevant document that is opened is saved with probability 0.77.
    Unjudged documents count as not relevant.

    References
    ----------
    Smucker and Clarke (2012), Time-based calibration of effectiveness measures, SIGIR, 95–104.

    Examples
    --------
    >>> from irjudge.metrics import AuxiliaryRows
    >>> run = JudgedRun.single(ranked=[1, 1])
    >>> side = AuxiliaryRows(run.hit_topic, run.hit_rank, run.hit_grade, {"words": np.array([1000.0, 1000.0])})
    >>> time_biased_gain(run.with_tables(lengths=side)).round(4)
    array([0.9547])
    """
    rows, lengths = _find_reading_lengths(run, "words")
    relevant = rows.grade >= rel
    seconds_upto_rank = accumulate_by_topic(
        np.add, rows.topic, _compute_reading_seconds(lengths, relevant), len(run)
    )
    seconds_before = compute_accumulated_before(rows.topic, seconds_upto_rank, 0.0)
    return run.sum_by_topic(
        rows.topic,
        np.where(
            relevant,
            RELEVANT_CLICK_PROBABILITY * SAVE_PROBABILITY * np.exp2(-seconds_before / h),
            0.0,
        ),
    )


def _compute_reading_seconds(
    lengths: Floats, relevant: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]
) -> Floats:
    """Return the expected time that the user spends on each document, in seconds."""
    return SECONDS_PER_SUMMARY + (SECONDS_PER_WORD * lengths + SECONDS_TO_OPEN) * np.where(
        relevant, RELEVANT_CLICK_PROBABILITY, OTHER_CLICK_PROBABILITY
    )


@explains("TBG")
def explain_time_biased_gain(example: ExampleTopic, *, h: float, rel: int) -> WorkedExample:
    """Explain TBG by the time at which each document is reached and its discounted gain."""
    retrieved, lengths = _find_reading_lengths(example.judged_run, "words")
    relevant = retrieved.grade >= rel
    rows: list[tuple[Cell, ...]] = []
    elapsed_seconds, total, terms = 0.0, 0.0, []
    for is_relevant, count, reading_seconds in zip(
        relevant.tolist(),
        lengths.tolist(),
        _compute_reading_seconds(lengths, relevant).tolist(),
        strict=True,
    ):
        if is_relevant:
            total += RELEVANT_CLICK_PROBABILITY * SAVE_PROBABILITY * 2 ** (-elapsed_seconds / h)
            terms.append(f"2^(−{format_number(elapsed_seconds)}/{format_value(h)})")
        rows.append((count, elapsed_seconds, total))
        elapsed_seconds += reading_seconds
    steps = (
        describe_relevance(rel),
        Message(
            "The user spends 4.4 seconds on the summary of a document and, if the document is "
            "opened, another 7.8 seconds plus 0.018 seconds for each word. A relevant document "
            "is opened with probability 0.64, any other document with probability 0.39."
        ),
        Message(
            "A relevant document is worth 0.64·0.77 = 0.4928; this value is halved every "
            "{h} seconds.",
            h=format_value(h),
        ),
        f"TBG = 0.4928 · ({format_sum(terms)}) = {format_number(total)}",
    )
    return WorkedExample(
        steps,
        total,
        ("words", "seconds", "sum"),
        tuple(rows),
        frozenset(retrieved.rank[relevant].tolist()),
    )


# Sessions: consecutive queries of one user, each of which is a topic of the run


def _compute_positions_in_session(run: JudgedRun) -> tuple[Floats, Floats]:
    """Return each topic's position in its session, from 1, and the code of its session."""
    rows = run.auxiliary_rows("sessions")
    values = np.zeros((2, len(run)))
    values[:, rows.topic] = rows.columns["position"], rows.columns["session"]
    missing_topics = np.setdiff1d(np.arange(len(run)), rows.topic)
    if len(missing_topics):
        raise MeasureError(
            "Topic {topic} is not in any session in the file.",
            key="no-session",
            topic=run.topics[int(missing_topics[0])],
        )
    if (values[0] < 1).any():
        raise MeasureError(
            "The position of topic {topic} in its session must be at least 1.",
            key="invalid-position",
            topic=run.topics[int(np.argmin(values[0]))],
        )
    return values[0], values[1]


def _compute_session_counts(run: JudgedRun, **settings: object) -> tuple[Scores, Scores]:
    """Return the counts to pool: each query's value, and 1 for the first query of a session."""
    session = _compute_positions_in_session(run)[1]
    is_first_query = np.zeros(len(run))
    is_first_query[np.unique(session, return_index=True)[1]] = 1
    return session_dcg(run, **settings), is_first_query  # type: ignore[arg-type]


@measure(
    "sDCG",
    title="Session DCG",
    formula="for query j of a session: DCG / (1 + log_bq j); for a run: the mean over the "
    "sessions of the sums over their queries",
    bounds=(0, math.inf),
    kind="graded",
    summary="pooled",
    micro=MicroAverage(_compute_session_counts),
    top_heavy=True,
    needs=("sessions",),
)
def session_dcg(
    run: JudgedRun,
    *,
    b: Base = 2,
    bq: Annotated[float, Range(1, above=True)] = 4,
    gain: Gain = "linear",
    discount: Discount = "jk",
    cutoff: MaybeCutoff = None,
) -> Scores:
    """Return the gain that a query adds to its session, discounted by its position in the session.

    Parameters
    ----------
    run
        T topics, each a query, with sessions.
    b
        Base of the logarithm that discounts ranks.
    bq
        Base of the logarithm that discounts the queries of a session.
    gain
        Gain of a grade: `linear`, `exp2`, or a mapping.
    discount
        `jk`: ranks from b on are discounted by log_b r; `log2p1`: all ranks are discounted by log_b
        (r + 1).
    cutoff
        Uses ranks 1 to `cutoff` of each query; without a cutoff, all ranks.

    Returns
    -------
    Scores
        Shape (T,), 0 or more.

    Raises
    ------
    MeasureError
        If the sessions were not given, or a topic is in none.

    Notes
    -----
    For each session, the values of its queries are summed; the value of a run is the mean of these
    sums, regardless of how topics are averaged. Unjudged documents have no gain.

    References
    ----------
    Järvelin, Price, Delcambre and Nielsen (2008), Discounted cumulated gain based evaluation of multiple-query IR sessions, ECIR, 4–15.

    Examples
    --------
    >>> from irjudge.metrics import AuxiliaryRows
    >>> zeros = np.zeros(1, dtype=np.int32)
    >>> sessions = AuxiliaryRows(zeros, zeros, zeros, {"session": np.array([0.0]), "position": np.array([4.0])})
    >>> session_dcg(JudgedRun.single(ranked=[1, 0, 0, 2]).with_tables(sessions=sessions))
    array([1.])
    """
    dcg = discounted_cumulative_gain(run, gain=gain, discount=discount, base=b, cutoff=cutoff)
    return divide(dcg, 1 + np.log(_compute_positions_in_session(run)[0]) / np.log(bq))


@explains("sDCG")
def explain_session_dcg(
    example: ExampleTopic,
    *,
    b: float,
    bq: float,
    gain: Gain,
    discount: Discount,
    cutoff: int | None,
) -> WorkedExample:
    """Explain sDCG: DCG, discounted by the position of the query in its session."""
    dcg_example = explain_discounted_cumulative_gain(
        example, gain=gain, discount=discount, base=b, cutoff=cutoff
    )
    position = float(_compute_positions_in_session(example.judged_run)[0][0])
    query_divisor = 1 + math.log(position) / math.log(bq)
    value = dcg_example.result / query_divisor
    message = Message(
        "This is query {j} of its session; the gain is divided by 1 + log{bq}({j}) = {divisor}",
        j=format_value(position),
        bq=format_value(bq),
        divisor=format_number(query_divisor),
    )
    last_step = f"sDCG = {format_number(dcg_example.result)} / {format_number(query_divisor)} = {format_number(value)}"
    mean = Message(
        "For each session, the values of its queries are summed; the value of a run "
        "is the mean of these sums."
    )
    return WorkedExample(
        (*dcg_example.steps, message, mean, last_step),
        value,
        dcg_example.columns,
        dcg_example.rows,
        dcg_example.hits,
    )


# User-oriented measures, which need more input than qrels and a run: the documents that the user
# already knew, or the number of relevant documents that the user wants

Wanted: TypeAlias = Annotated[int, Range(1), "Number of relevant documents the user wants."]
Patience: TypeAlias = Annotated[
    int | None, Range(1), "The user reads ranks 1 to `cutoff`; None means the whole ranking."
]


def coverage(known: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None) -> Scores:
    """Return the share of retrieved documents among the relevant ones known to the user.

    Parameters
    ----------
    known
        The run joined with the user's own qrels: documents known to be relevant before the search.

    Returns
    -------
    Scores
        Shape (T,), each between 0 and 1: |Rk| / |U|, where U are the relevant documents that the user
        knew, and Rk those of them that were retrieved; 0 where the user knew no relevant document.

    References
    ----------
    Korfhage (1997), Information Storage and Retrieval, Wiley, ch. 8.

    Examples
    --------
    The user knows 5 relevant documents; the run has 2 of them.

    >>> coverage(JudgedRun.single(ranked=[1, None, None, 1], judged=[1, 1, 1, 1, 1]))
    array([0.4])
    """
    return divide(known.count_relevant_retrieved(rel, cutoff), known.n_relevant(rel))


def novelty(
    run: JudgedRun, known: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None
) -> Scores:
    """Return the share of documents new to the user among the relevant retrieved ones.

    Parameters
    ----------
    run
        The run joined with the qrels.
    known
        The same run, with ties broken in the same way, joined with the user's own qrels. The topics
        must be the same as those of `run`.

    Returns
    -------
    Scores
        Shape (T,), each between 0 and 1: |Ru| / (|Rk| + |Ru|), where Rk are the retrieved relevant
        documents that the user knew, and Ru the retrieved documents that are relevant by the qrels
        and that the user did not know; 0 where nothing relevant was retrieved.

    Raises
    ------
    MeasureError
        If the two judged runs do not have the same topics.

    References
    ----------
    Korfhage (1997), Information Storage and Retrieval, Wiley, ch. 8.

    Examples
    --------
    The documents at ranks 1, 2 and 4 are relevant; the user knew the one at rank 4.

    >>> run = JudgedRun.single(ranked=[1, 1, 0, 1])
    >>> novelty(run, JudgedRun.single(ranked=[None, None, None, 1])).round(4)
    array([0.6667])
    """
    if run.topics != known.topics:
        raise MeasureError(
            "novelty needs the same topics in both qrels, got {count} and {known_count} topics.",
            count=len(run),
            known_count=len(known),
        )
    hits, known_hits = run.relevant_hits(rel, cutoff), known.relevant_hits(rel, cutoff)
    new_count = run.count_by_topic(
        hits.topic[~np.isin(_combine_topic_and_rank(hits), _combine_topic_and_rank(known_hits))]
    )
    return divide(new_count, new_count + known.count_by_topic(known_hits.topic))


def relative_recall(
    run: JudgedRun, *, wanted: Wanted, rel: Rel = 1, cutoff: Patience = None
) -> Scores:
    """Return the retrieved share of the number of relevant documents the user wants.

    Returns
    -------
    Scores
        Shape (T,), each between 0 and 1: number of relevant documents retrieved / wanted; 1 if more
        than wanted were retrieved.

    Raises
    ------
    MeasureError
        If `wanted` is less than 1.

    References
    ----------
    Baeza-Yates and Ribeiro-Neto (1999), Modern Information Retrieval, Addison-Wesley, 3.2.2.

    Examples
    --------
    The user wants 4 relevant documents; the run has 3.

    >>> relative_recall(JudgedRun.single(ranked=[1, 0, 1, 1]), wanted=4)
    array([0.75])
    """
    retrieved = run.count_relevant_retrieved(rel, cutoff)
    return np.minimum(retrieved, _check_wanted(wanted)) / wanted


def recall_effort(
    run: JudgedRun, *, wanted: Wanted, rel: Rel = 1, cutoff: Patience = None
) -> Scores:
    """Return the number of wanted documents per examined document.

    Returns
    -------
    Scores
        Shape (T,), 0 or more: wanted / examined, where the user examines down to the wanted-th
        relevant document, or the whole list if it contains fewer. 1 is the best value for a user
        who finds all wanted documents; a value above 1 means that the list was shorter than the
        wanted number. 0 if nothing was retrieved.

    Raises
    ------
    MeasureError
        If `wanted` is less than 1.

    References
    ----------
    Baeza-Yates and Ribeiro-Neto (1999), Modern Information Retrieval, Addison-Wesley, 3.2.2.

    Examples
    --------
    Two relevant documents are wanted; the second is at rank 5.

    >>> recall_effort(JudgedRun.single(ranked=[0, 1, 0, 0, 1, 1]), wanted=2)
    array([0.4])
    """
    hits = run.relevant_hits(rel, cutoff)
    is_last_wanted = hits.nth_in_topic == _check_wanted(wanted)
    examined_count = run.count_retrieved(cutoff).copy()
    examined_count[hits.topic[is_last_wanted]] = hits.rank[is_last_wanted]
    return divide(wanted, examined_count)


def _combine_topic_and_rank(hits: Hits) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return hits.topic.astype(np.int64) << 32 | hits.rank


def _check_wanted(wanted: int) -> int:
    if wanted < 1:
        raise MeasureError("wanted must be 1 or more, got {wanted}.", wanted=wanted)
    return wanted

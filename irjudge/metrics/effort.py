"""Effort of a search for all relevant documents, as in technology-assisted review."""

import math
from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.judged import JudgedRun, Longs, Scores, divide
from irjudge.metrics.precision import Level, first_document_at_level
from irjudge.metrics.registry import Exemption, Range, Rel, format_value, measure
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    count_relevant_by_rank,
    describe_relevance,
    describe_relevant,
    explains,
    format_number,
    format_quotient,
)

Rule: TypeAlias = Literal["exact", "rounded"]
Norm: TypeAlias = Annotated[Literal["count", "share"], "`share`: the value is divided by N."]
Universe: TypeAlias = Annotated[
    Literal["collection"] | int | None,
    Range(1),
    (
        "Number of documents N: `collection`, or a number; by default, the number of judged "
        "documents or the number of retrieved documents, whichever is larger."
    ),
]
LONGER_LIST_EXEMPTION = Exemption("tail", "a longer list takes more effort")


@measure(
    "WSS",
    title="Work saved over sampling",
    formula=(
        "(N − rank at which recall x is reached) / N − (1 − x), where N is the number of "
        "documents; 0 if recall x is never reached"
    ),
    bounds=(-1, 1),
    aliases=("work_saved_over_sampling",),
    at="recall",
    top_heavy=True,
    exemptions=(LONGER_LIST_EXEMPTION,),
)
def work_saved(
    run: JudgedRun,
    *,
    rel: Rel = 1,
    rule: Rule = "exact",
    universe: Universe = None,
    recall: Level,
) -> Scores:
    """Return the share of documents that need not be read to find a given share of the relevant
    documents, compared with a random order.

    Parameters
    ----------
    rule
        `exact`: recall x is reached with the smallest number of relevant documents that is at least
        x·R; `rounded`: with x·R rounded (half to even), as in the script of CLEF TAR.

    Returns
    -------
    Scores
        Shape (T,), below 0 where a random order is better; 0 where the run never reaches the recall or no document is relevant.

    Raises
    ------
    MeasureError
        If `universe` is `collection` and its size is unknown, or if the universe has fewer documents than
        the rank at which the recall is reached.

    Notes
    -----
    Unjudged documents count as not relevant. Like all other documents, they add to the number of
    documents examined.

    References
    ----------
    Cohen, Hersh, Peterson and Yen (2006), Reducing workload in systematic review preparation using
    automated citation classification, JAMIA 13(2), 206–219. Kanoulas, Li, Azzopardi and Spijker
    (2018), CLEF 2018 Technologically Assisted Reviews in Empirical Medicine overview, CLEF.

    Examples
    --------
    >>> work_saved(JudgedRun.single(ranked=[1, 0, 1, 0, 0, 0, 0, 0, 0, 0]), recall=1)
    array([0.7])
    """
    rank_of_recall, is_reached = _compute_rank_of_recall(run, rel, rule, recall)
    documents = _get_collection_size(run, universe, rank_of_recall)
    return np.where(is_reached, divide(documents - rank_of_recall, documents) - (1 - recall), 0.0)


@explains("WSS")
def explain_work_saved(
    example: ExampleTopic, *, rel: int, rule: Rule, universe: int | str | None, recall: float
) -> WorkedExample:
    """Explain WSS: the share of unread documents, minus the share expected for a random order."""
    steps, rank_of_recall, documents, rows = _explain_search(example, rel, rule, universe, recall)
    if rank_of_recall is None:
        return WorkedExample(
            (*steps, Message("WSS = 0, because the recall level is never reached.")),
            0.0,
            ("found",),
            rows,
        )
    step, share_left = format_quotient(
        Message("share of documents not examined"), documents - rank_of_recall, documents, "N"
    )
    value = share_left - (1 - recall)
    last_step = (
        f"WSS = {format_number(share_left)} − (1 − {format_value(recall)}) = {format_number(value)}"
    )
    return WorkedExample(
        (*steps, step, last_step), value, ("found",), rows, frozenset([rank_of_recall])
    )


@measure(
    "Effort",
    title="Effort",
    better="lower",
    formula=(
        "rank at which recall x is reached, or N if it is never reached, where N is the number "
        "of documents (norm=share: divided by N)"
    ),
    bounds=(0, math.inf),
    at="recall",
    exemptions=(LONGER_LIST_EXEMPTION,),
)
def effort(
    run: JudgedRun,
    *,
    rel: Rel = 1,
    rule: Rule = "exact",
    norm: Norm = "count",
    universe: Universe = None,
    recall: Level,
) -> Scores:
    """Return the number of documents to read until a given share of the relevant documents is
    found.

    Parameters
    ----------
    rule
        `exact`: recall x is reached with the smallest number of relevant documents that is at least
        x·R; `rounded`: with x·R rounded (half to even).

    Returns
    -------
    Scores
        Shape (T,), lower is better; N if the run never reaches the recall, since all N documents
        must then be examined; 0 where no document is relevant.

    Raises
    ------
    MeasureError
        If `universe` is `collection` and its size is unknown, or if the universe has fewer documents than
        the rank at which the recall is reached.

    Notes
    -----
    Unjudged documents count as not relevant. Like all other documents, they add to the number of
    documents examined.

    References
    ----------
    Kanoulas, Li, Azzopardi and Spijker (2017), CLEF 2017 Technologically Assisted Reviews in Empirical Medicine overview, CLEF.

    Examples
    --------
    >>> effort(JudgedRun.single(ranked=[1, 0, 1, 0], judged=[1, 1, 1]), recall=0.5)
    array([3.])
    """
    rank_of_recall, is_reached = _compute_rank_of_recall(run, rel, rule, recall)
    documents = _get_collection_size(run, universe, rank_of_recall)
    documents_read = np.where(
        is_reached | (run.n_relevant(rel) == 0), rank_of_recall, documents
    ).astype(np.float64)
    return documents_read if norm == "count" else divide(documents_read, documents)


@explains("Effort")
def explain_effort(
    example: ExampleTopic,
    *,
    rel: int,
    rule: Rule,
    norm: Norm,
    universe: int | str | None,
    recall: float,
) -> WorkedExample:
    """Explain Effort: the rank at which the recall is reached."""
    steps, rank_of_recall, documents, rows = _explain_search(example, rel, rule, universe, recall)
    if rank_of_recall is not None:
        documents_read = rank_of_recall
    elif example.count_relevant(rel):
        documents_read = documents
    else:
        documents_read = 0
    effort_step = (
        Message("Documents read: {documents}", documents=documents_read)
        if rank_of_recall is not None
        else Message(
            "The recall level is not reached; documents read: {looked}", looked=documents_read
        )
    )
    hits = frozenset([documents_read] if rank_of_recall else [])
    if norm == "count":
        return WorkedExample((*steps, effort_step), documents_read, ("found",), rows, hits)
    step, value = format_quotient("Effort", documents_read, documents, "N")
    return WorkedExample((*steps, effort_step, step), value, ("found",), rows, hits)


@measure(
    "LastRel",
    title="Last relevant document",
    better="lower",
    formula=(
        "rank of the last relevant document retrieved, or N if there is none, where N is the "
        "number of documents (norm=share: divided by N)"
    ),
    bounds=(0, math.inf),
    aliases=("last_rel",),
    exemptions=(LONGER_LIST_EXEMPTION,),
)
def last_relevant(
    run: JudgedRun, *, rel: Rel = 1, norm: Norm = "count", universe: Universe = None
) -> Scores:
    """Return the rank of the last relevant document that the run retrieved.

    Returns
    -------
    Scores
        Shape (T,), lower is better; N, the number of documents, where no relevant document was retrieved, and 0 where none exists.

    Raises
    ------
    MeasureError
        If `universe` is `collection` and its size is unknown, or if the universe has fewer
        documents than the rank.

    Notes
    -----
    Relevant documents that were not retrieved are ignored; `Effort@1` gives the cost of finding all
    relevant documents.

    References
    ----------
    Kanoulas, Li, Azzopardi and Spijker (2017), CLEF 2017 Technologically Assisted Reviews in Empirical Medicine overview, CLEF.

    Examples
    --------
    >>> last_relevant(JudgedRun.single(ranked=[1, 0, 1, 0], judged=[1, 1, 1]))
    array([3.])
    """
    hits = run.relevant_hits(rel)
    last_rank = run.max_by_topic(hits.topic, hits.rank)
    documents = _get_collection_size(run, universe, last_rank)
    last_rank = np.where((last_rank == 0) & (run.n_relevant(rel) > 0), documents, last_rank)
    return last_rank if norm == "count" else divide(last_rank, documents)


@explains("LastRel")
def explain_last_relevant(
    example: ExampleTopic, *, rel: int, norm: Norm, universe: int | str | None
) -> WorkedExample:
    """Explain LastRel: the rank of the last relevant document."""
    hits, documents = example.list_hit_ranks(rel), _get_example_collection_size(example, universe)
    if hits:
        last_rank = hits[-1]
    elif example.count_relevant(rel):
        last_rank = documents
    else:
        last_rank = 0
    message = Message("The last relevant document is at rank {rank}.", rank=last_rank)
    if not hits:
        message = Message("No relevant document is retrieved.")
    steps = (describe_relevance(rel), describe_relevant(example, rel), message)
    rows = tuple((count,) for count in count_relevant_by_rank(example, rel, None))
    if norm == "count":
        return WorkedExample(
            (*steps, f"LastRel = {last_rank}"), last_rank, ("found",), rows, frozenset(hits)
        )
    step, value = format_quotient("LastRel", last_rank, documents, "N")
    return WorkedExample((*steps, step), value, ("found",), rows, frozenset(hits))


def _compute_rank_of_recall(
    run: JudgedRun, rel: int, rule: Rule, recall: float
) -> tuple[Longs, np.ndarray[tuple[int, ...], np.dtype[np.bool_]]]:
    """Return the rank at which each topic reaches the recall, and a mask of topics that reach it.

    The rank is 0 if the recall needs no document or is not reached. A topic without relevant
    documents does not reach the recall.
    """
    hits, relevant = run.relevant_hits(rel), run.n_relevant(rel)
    needed_count = count_needed(recall, relevant, rule)
    is_last_needed = hits.nth_in_topic == needed_count[hits.topic]
    rank_of_recall = np.zeros(len(run), dtype=np.int64)
    rank_of_recall[hits.topic[is_last_needed]] = hits.rank[is_last_needed]
    return rank_of_recall, (relevant > 0) & ((rank_of_recall > 0) | (needed_count == 0))


def count_needed(recall: float, relevant: Longs, rule: Rule) -> Longs:
    """Return the number of relevant documents needed for a recall, in the shape of `relevant`.

    >>> [count_needed(0.95, np.array([30]), rule).tolist() for rule in ("exact", "rounded")]
    [[29], [28]]
    """
    return (
        np.rint(recall * relevant).astype(np.int64)
        if rule == "rounded"
        else first_document_at_level(recall, relevant, "max")
    )


def _get_collection_size(
    run: JudgedRun, universe: int | str | None, ranks: Scores | Longs
) -> Longs:
    """Return the number of documents N for each topic.

    N is the size of the universe. If `universe` is None, N is the number of judged documents or of
    retrieved documents, whichever is larger. Raises MeasureError if the size is unknown, or if it
    is less than one of `ranks`.
    """
    if universe is None:
        return np.maximum(run.n_judged, run.n_retrieved)
    collection_size = run.collection if universe == "collection" else universe
    if collection_size is None:
        raise MeasureError(
            "universe=collection needs the size of the collection, which is unknown; give the "
            "size, for example universe=1400.",
            key="no-collection-size",
        )
    documents = np.full(len(run), int(collection_size), dtype=np.int64)
    if (documents < ranks).any():
        raise MeasureError(
            "universe={universe} is less than the number of documents examined ({documents:,}).",
            universe=universe,
            documents=int(np.max(ranks)),
        )
    return documents


def _get_example_collection_size(example: ExampleTopic, universe: int | str | None) -> int:
    return int(_get_collection_size(example.judged_run, universe, np.zeros(1))[0])


def _explain_search(
    example: ExampleTopic, rel: int, rule: Rule, universe: int | str | None, recall: float
) -> tuple[tuple[str, ...], int | None, int, tuple[tuple[int], ...]]:
    """Return the parts of a worked example: first steps, rank of the recall, N, and rows.

    The rank is that at which the recall is reached; None if it is not reached. There is a row for
    each rank, with the number of relevant documents at or above the rank.
    """
    hits, relevant = example.list_hit_ranks(rel), example.count_relevant(rel)
    needed_count = int(count_needed(recall, np.array([relevant]), rule)[0])
    if not relevant or needed_count > len(hits):
        rank_of_recall = None
    elif needed_count:
        rank_of_recall = hits[needed_count - 1]
    else:
        rank_of_recall = 0
    documents = _get_example_collection_size(example, universe)
    message = Message(
        "With R = {relevant}, the number of relevant documents for recall {recall} is "
        "{number}, which is reached at rank {rank}."
        if rank_of_recall is not None
        else "With R = {relevant}, the number of relevant documents for recall {recall} is "
        "{number}, which is never reached.",
        relevant=relevant,
        recall=format_value(recall),
        number=needed_count,
        rank=rank_of_recall,
    )
    return (
        (
            describe_relevance(rel),
            describe_relevant(example, rel),
            Message("Documents: N = {documents}.", documents=documents),
            message,
        ),
        rank_of_recall,
        documents,
        tuple((count,) for count in count_relevant_by_rank(example, rel, None)),
    )

"""Measures of generated answers: citations and nuggets."""

from typing import Annotated, Literal, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.judged import AuxiliaryRows, Floats, JudgedRun, Scores, divide
from irjudge.metrics.registry import MicroAverage, Range, format_value, measure
from irjudge.metrics.worked_example import (
    ExampleTopic,
    WorkedExample,
    explains,
    format_number,
    format_quotient,
)

# Citations: whether cited documents support the sentences of an answer

FULL_SUPPORT, PARTIAL_SUPPORT = 2, 1
Partial: TypeAlias = Annotated[
    float, Range(0, 1), "Weight of a citation that partly supports its sentence."
]


def _compute_citation_credit(rows: AuxiliaryRows, partial_credit: float) -> Floats:
    """Return the credit of each citation; 0 for a sentence without citations."""
    support = np.where(_has_citation(rows), rows.columns["support"], 0)
    return np.where(
        support == FULL_SUPPORT, 1.0, np.where(support == PARTIAL_SUPPORT, partial_credit, 0.0)
    )


def _has_citation(rows: AuxiliaryRows) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    no_citation_codes = [
        code for code, name in enumerate(rows.names.get("citation", ())) if not name
    ]
    return ~np.isin(rows.columns["citation"], no_citation_codes)


def _sum_citation_credit(run: JudgedRun, *, partial: float) -> tuple[Scores, Scores]:
    rows = run.auxiliary_rows("citations")
    return run.sum_by_topic(
        rows.topic, _compute_citation_credit(rows, partial)
    ), run.count_by_topic(rows.topic[_has_citation(rows)]).astype(np.float64)


def _sum_sentence_credit(run: JudgedRun, *, partial: float) -> tuple[Scores, Scores]:
    """Return the total credit of the sentences of each topic, and the number of sentences.

    The credit of a sentence is the credit of its best citation.
    """
    topic, best_credits = _find_best_citation_credit(run, partial)
    return run.sum_by_topic(topic, best_credits), run.count_by_topic(topic).astype(np.float64)


def _find_best_citation_credit(
    run: JudgedRun, partial: float
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int32]], Floats]:
    """Return the topic of each sentence, and the credit of its best citation."""
    rows = run.auxiliary_rows("citations")
    key = rows.topic.astype(np.int64) << 32 | rows.columns["sentence"].astype(np.int64)
    sentences, indices = np.unique(key, return_inverse=True)
    best_credit = np.zeros(len(sentences))
    np.maximum.at(best_credit, indices, _compute_citation_credit(rows, partial))
    return (sentences >> 32).astype(np.int32), best_credit


@measure(
    "CitationPrecision",
    title="Citation precision",
    formula=(
        "Σ over citations (1 if the document supports the sentence, partial if it partly "
        "supports it, else 0) / number of citations"
    ),
    kind="set",
    micro=MicroAverage(_sum_citation_credit),
    aliases=("citation_precision",),
    needs=("citations",),
)
def citation_precision(run: JudgedRun, *, partial: Partial = 0.5) -> Scores:
    """Return the extent to which the citations of an answer support its sentences.

    Parameters
    ----------
    run
        T topics, with citations.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where an answer has no citation.

    Raises
    ------
    MeasureError
        If the citations were not given.

    Notes
    -----
    The value does not depend on the ranking. An unjudged citation counts as not supporting its
    sentence.

    References
    ----------
    Thakur, Pradeep, Upadhyay, Campos, Craswell and Lin (2025), Support evaluation for the TREC 2024 RAG track, SIGIR.

    Examples
    --------
    >>> none = np.zeros(2, dtype=np.int32)
    >>> columns = {"sentence": np.array([0.0, 0.0]), "citation": np.array([0.0, 1.0]), "support": np.array([2.0, 1.0])}
    >>> citation_precision(JudgedRun.single(ranked=[]).with_tables(citations=AuxiliaryRows(none, none, none, columns)))
    array([0.75])
    """
    return divide(*_sum_citation_credit(run, partial=partial))


@explains("CitationPrecision")
def explain_citation_precision(example: ExampleTopic, *, partial: float) -> WorkedExample:
    """Explain CitationPrecision: the total credit of the citations, divided by their number."""
    credit, count = (
        float(values[0]) for values in _sum_citation_credit(example.judged_run, partial=partial)
    )
    rows = example.judged_run.auxiliary_rows("citations")
    support = rows.columns["support"][_has_citation(rows)]
    full_count, partial_count = (
        int((support == FULL_SUPPORT).sum()),
        int((support == PARTIAL_SUPPORT).sum()),
    )
    message = Message(
        "Citations that support their sentence fully: {full} of {count}; partly: {partly}.",
        count=int(count),
        full=full_count,
        partly=partial_count,
    )
    sum_step = f"{full_count} + {format_value(partial)}·{partial_count} = {format_number(credit)}"
    step, value = format_quotient(
        "CitationPrecision", credit, count, Message("the number of citations")
    )
    return WorkedExample((message, sum_step, step), value)


@measure(
    "CitationRecall",
    title="Citation recall",
    formula=(
        "(Σ over sentences of the value of the sentence's best citation: 1, partial or 0) "
        "/ number of sentences"
    ),
    kind="set",
    micro=MicroAverage(_sum_sentence_credit),
    aliases=("citation_recall",),
    needs=("citations",),
)
def citation_recall(run: JudgedRun, *, partial: Partial = 0.5) -> Scores:
    """Return the extent to which the sentences of an answer are supported by their citations.

    Parameters
    ----------
    run
        T topics, with citations; a sentence that cites nothing has a row without a citation.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where there is no sentence.

    Raises
    ------
    MeasureError
        If the citations were not given.

    Notes
    -----
    The value does not depend on the ranking. An unjudged citation counts as not supporting its
    sentence.

    References
    ----------
    Thakur, Pradeep, Upadhyay, Campos, Craswell and Lin (2025), Support evaluation for the TREC 2024 RAG track, SIGIR.

    Examples
    --------
    >>> none = np.zeros(2, dtype=np.int32)
    >>> columns = {"sentence": np.array([0.0, 1.0]), "citation": np.array([0.0, 1.0]), "support": np.array([2.0, 0.0])}
    >>> citation_recall(JudgedRun.single(ranked=[]).with_tables(citations=AuxiliaryRows(none, none, none, columns)))
    array([0.5])
    """
    return divide(*_sum_sentence_credit(run, partial=partial))


@explains("CitationRecall")
def explain_citation_recall(example: ExampleTopic, *, partial: float) -> WorkedExample:
    """Explain CitationRecall: the credit of each sentence's best citation, averaged."""
    best_credits = _find_best_citation_credit(example.judged_run, partial)[1]
    full_count, unsupported_count = int((best_credits == 1).sum()), int((best_credits == 0).sum())
    message = Message(
        "Sentences fully supported by their best citation: {full} of {count}; not supported by "
        "any citation: {none}.",
        count=len(best_credits),
        full=full_count,
        none=unsupported_count,
    )
    step, value = format_quotient(
        "CitationRecall",
        float(best_credits.sum()),
        len(best_credits),
        Message("the number of sentences"),
    )
    return WorkedExample((message, step), value)


# Nuggets: facts, vital or merely okay, that an answer should contain

Of: TypeAlias = Literal["all", "vital"]
Credit: TypeAlias = Literal["partial", "strict"]


def _select_nuggets(run: JudgedRun, of: Of) -> AuxiliaryRows:
    rows = run.auxiliary_rows("nuggets")
    return rows.where((rows.columns["importance"] > 0) | (of == "all"))


def _count_nuggets(run: JudgedRun, *, of: Of, credit: Credit) -> tuple[Scores, Scores]:
    rows = _select_nuggets(run, of)
    support = rows.columns["support"]
    return run.sum_by_topic(
        rows.topic,
        np.where(
            support == FULL_SUPPORT,
            1.0,
            np.where((support == PARTIAL_SUPPORT) & (credit == "partial"), 0.5, 0.0),
        ),
    ), run.count_by_topic(rows.topic).astype(np.float64)


@measure(
    "NuggetRecall",
    title="Nugget recall",
    formula=(
        "Σ over nuggets (1 if the answer supports the nugget, 0.5 if it partly supports it "
        "(credit=strict: 0), else 0) / number of nuggets"
    ),
    kind="set",
    micro=MicroAverage(_count_nuggets),
    aliases=("nugget_recall",),
    needs=("nuggets",),
)
def nugget_recall(run: JudgedRun, *, of: Of = "all", credit: Credit = "partial") -> Scores:
    """Return the share of a topic's nuggets that an answer contains.

    Parameters
    ----------
    run
        T topics, with nuggets.
    of
        `all` nuggets, or only the `vital` ones.
    credit
        `partial`: a partly supported nugget counts half; `strict`: it does not count.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where a topic has no nugget, or with of=vital no vital one.

    Raises
    ------
    MeasureError
        If the nuggets were not given.

    Notes
    -----
    The value does not depend on the ranking. A topic without a vital nugget scores 0, as in
    nuggetizer, and lowers the mean.

    References
    ----------
    Pradeep, Thakur, Upadhyay, Campos, Craswell and Lin (2025), The great nugget recall, SIGIR, 180–190.

    Examples
    --------
    >>> none = np.zeros(2, dtype=np.int32)
    >>> side = AuxiliaryRows(none, none, none, {"importance": np.array([1.0, 0.0]), "support": np.array([1.0, 2.0])})
    >>> nugget_recall(JudgedRun.single(ranked=[]).with_tables(nuggets=side))
    array([0.75])
    """
    return divide(*_count_nuggets(run, of=of, credit=credit))


@explains("NuggetRecall")
def explain_nugget_recall(example: ExampleTopic, *, of: Of, credit: Credit) -> WorkedExample:
    """Explain NuggetRecall by the numbers of supported and partly supported nuggets."""
    support = _select_nuggets(example.judged_run, of).columns["support"]
    full_count, partial_count = (
        int((support == FULL_SUPPORT).sum()),
        int((support == PARTIAL_SUPPORT).sum()),
    )
    partial_credit = 0.5 if credit == "partial" else 0.0
    message = Message(
        "The answer supports {full} of {count} nuggets fully, and {partly} partly.",
        count=len(support),
        full=full_count,
        partly=partial_count,
    )
    sum_step = f"{full_count} + {format_value(partial_credit)}·{partial_count} = {format_number(full_count + partial_credit * partial_count)}"
    step, value = format_quotient(
        "NuggetRecall",
        full_count + partial_credit * partial_count,
        len(support),
        Message("the number of nuggets"),
    )
    return WorkedExample((message, sum_step, step), value)

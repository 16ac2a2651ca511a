"""Citations: whether what an answer cites proves what it says, sentence by sentence."""

from typing import Annotated, TypeAlias

import numpy as np

from irjudge.message import Message
from irjudge.metrics.basis.judged import Floats, JudgedRun, Scores, SideRows, divide
from irjudge.metrics.basis.working import Board, Working, divided, explains, number
from irjudge.metrics.naming.parameters import Range, show
from irjudge.metrics.naming.registry import Pooled, measure
from irjudge.model.auxiliary import RUN, TOPIC, Side, SideColumn, declare

FULL, PARTIAL = 2, 1
CITATIONS = declare(
    Side(
        "citations",
        title=Message("Citations of answers"),
        columns=(
            RUN,
            TOPIC,
            SideColumn("sentence", ("sentence_id", "statement", "statement_id")),
            SideColumn(
                "citation", ("cited", "cited_document", "docid", "doc_id", "document"), default=""
            ),
            SideColumn(
                "support",
                ("label", "grade"),
                "choice",
                (
                    ("full", FULL),
                    ("partial", PARTIAL),
                    ("none", 0),
                    ("full_support", FULL),
                    ("partial_support", PARTIAL),
                    ("no_support", 0),
                    ("2", FULL),
                    ("1", PARTIAL),
                    ("0", 0),
                ),
                default=0,
            ),
        ),
        once=("run", "topic", "sentence", "citation"),
    )
)
Partial: TypeAlias = Annotated[
    float, Range(0, 1), "What a citation is worth that supports its sentence partly."
]


def _worth(side: SideRows, partial: float) -> Floats:
    """Return what each citation is worth; a sentence without one has a row that is worth nothing."""
    support = np.where(_cited(side), side.columns["support"], 0)
    return np.where(support == FULL, 1.0, np.where(support == PARTIAL, partial, 0.0))


def _cited(side: SideRows) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Say which rows are citations."""
    none = [code for code, name in enumerate(side.names.get("citation", ())) if not name]
    return ~np.isin(side.columns["citation"], none)


def _of_citations(judged: JudgedRun, *, partial: float) -> tuple[Scores, Scores]:
    """Return what the citations of each topic are worth, and how many there are."""
    side = judged.side("citations")
    return judged.sum_by_topic(side.topic, _worth(side, partial)), judged.count_by_topic(
        side.topic[_cited(side)]
    ).astype(np.float64)


def _of_sentences(judged: JudgedRun, *, partial: float) -> tuple[Scores, Scores]:
    """Return what the best citation of each sentence is worth, added up by topic, and how many sentences there are."""
    topic, best = _best(judged, partial)
    return judged.sum_by_topic(topic, best), judged.count_by_topic(topic).astype(np.float64)


def _best(
    judged: JudgedRun, partial: float
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.int32]], Floats]:
    """Return the topic of each sentence, and what its best citation is worth."""
    side = judged.side("citations")
    key = side.topic.astype(np.int64) << 32 | side.columns["sentence"].astype(np.int64)
    sentences, place = np.unique(key, return_inverse=True)
    best = np.zeros(len(sentences))
    np.maximum.at(best, place, _worth(side, partial))
    return (sentences >> 32).astype(np.int32), best


@measure(
    "CitationPrecision",
    title="Citation precision",
    formula="Σ over citations of 1 where the document supports the sentence, partial where it does so partly, / citations",
    kind="set",
    micro=Pooled(_of_citations),
    aliases=("citation_precision",),
    needs=("citations",),
)
def citation_precision(judged: JudgedRun, *, partial: Partial = 0.5) -> Scores:
    """Return how far the citations of an answer support its sentences.

    Parameters
    ----------
    judged
        T topics, with citations.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where an answer has no citation.

    Raises
    ------
    MeasureError
        When the citations were not given.

    Notes
    -----
    Of the ranking nothing matters. A citation that nobody judged supports nothing.

    References
    ----------
    Thakur, Pradeep, Upadhyay, Campos, Craswell and Lin (2025), Support evaluation for the TREC 2024 RAG track, SIGIR.

    Examples
    --------
    >>> none = np.zeros(2, dtype=np.int32)
    >>> columns = {"sentence": np.array([0.0, 0.0]), "citation": np.array([0.0, 1.0]), "support": np.array([2.0, 1.0])}
    >>> citation_precision(JudgedRun.single(ranked=[]).beside(citations=SideRows(none, none, none, columns)))
    array([0.75])
    """
    return divide(*_of_citations(judged, partial=partial))


@explains("CitationPrecision")
def citation_precision_working(board: Board, *, partial: float) -> Working:
    """What the citations are worth."""
    worth, count = (float(each[0]) for each in _of_citations(board.seen, partial=partial))
    side = board.seen.side("citations")
    support = side.columns["support"][_cited(side)]
    full, partly = int((support == FULL).sum()), int((support == PARTIAL).sum())
    said = Message(
        "Of {count} citations {full} support their sentence, and {partly} partly.",
        count=int(count),
        full=full,
        partly=partly,
    )
    total = f"{full} + {show(partial)}·{partly} = {number(worth)}"
    step, value = divided("CitationPrecision", worth, count, Message("the number of citations"))
    return Working((said, total, step), value)


@measure(
    "CitationRecall",
    title="Citation recall",
    formula="Σ over sentences of what the best of their citations is worth: 1, partial or 0, / sentences",
    kind="set",
    micro=Pooled(_of_sentences),
    aliases=("citation_recall",),
    needs=("citations",),
)
def citation_recall(judged: JudgedRun, *, partial: Partial = 0.5) -> Scores:
    """Return how far the sentences of an answer are supported by what they cite.

    Parameters
    ----------
    judged
        T topics, with citations; a sentence that cites nothing has a row without a citation.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where there is no sentence.

    Raises
    ------
    MeasureError
        When the citations were not given.

    Notes
    -----
    Of the ranking nothing matters. A citation that nobody judged supports nothing.

    References
    ----------
    Thakur, Pradeep, Upadhyay, Campos, Craswell and Lin (2025), Support evaluation for the TREC 2024 RAG track, SIGIR.

    Examples
    --------
    >>> none = np.zeros(2, dtype=np.int32)
    >>> columns = {"sentence": np.array([0.0, 1.0]), "citation": np.array([0.0, 1.0]), "support": np.array([2.0, 0.0])}
    >>> citation_recall(JudgedRun.single(ranked=[]).beside(citations=SideRows(none, none, none, columns)))
    array([0.5])
    """
    return divide(*_of_sentences(judged, partial=partial))


@explains("CitationRecall")
def citation_recall_working(board: Board, *, partial: float) -> Working:
    """What the best citation of each sentence is worth."""
    best = _best(board.seen, partial)[1]
    full, none = int((best == 1).sum()), int((best == 0).sum())
    said = Message(
        "Of {count} sentences {full} are supported by their best citation, {none} by none.",
        count=len(best),
        full=full,
        none=none,
    )
    step, value = divided(
        "CitationRecall", float(best.sum()), len(best), Message("the number of sentences")
    )
    return Working((said, step), value)

"""Counts of retrieved, relevant and judged documents, and the confusion matrix."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.judged import JudgedRun, Scores, divide
from irjudge.metrics.registry import (
    Alias,
    Better,
    Cutoff,
    Exemption,
    MaybeCutoff,
    MicroAverage,
    Range,
    Rel,
    SetCutoff,
    measure,
)
from irjudge.metrics.worked_example import (
    ExampleTopic,
    RelevancePredicate,
    WorkedExample,
    count_at_ranks,
    describe_cutoff,
    describe_relevance,
    describe_relevant,
    explains,
    format_quotient,
    is_relevant,
)

# Counts of retrieved, relevant and judged documents

COUNT_BOUNDS = (0, math.inf)
LONGER_COUNT_EXEMPTION = Exemption("tail", "a longer list has more documents to count")
SHORT_LIST_EXEMPTION = Exemption("tail", "a list shorter than k can get longer")


@measure(
    "NumQ",
    title="Number of topics",
    better="neither",
    formula="1 for each topic",
    bounds=(1, 1),
    kind="count",
    summary="sum",
    aliases=("num_q",),
)
def number_of_topics(run: JudgedRun) -> Scores:
    """Return 1 for each topic, so that the sum is the number of topics evaluated.

    Returns
    -------
    Scores
        Shape (T,), all 1.

    Notes
    -----
    The value does not depend on the ranking or the judgments.

    Examples
    --------
    >>> number_of_topics(JudgedRun.single(ranked=[1, 0]))
    array([1.])
    """
    return np.ones(len(run))


@explains("NumQ")
def explain_number_of_topics(_example: ExampleTopic) -> WorkedExample:
    """Explain NumQ, for which each topic counts as 1."""
    return WorkedExample(
        (Message("Each topic counts as 1; the value of a run is the number of topics evaluated."),),
        1,
    )


@measure(
    "NumRet",
    title="Number of documents retrieved",
    better="neither",
    formula="number of documents in the top k or, without k, in the whole list",
    bounds=COUNT_BOUNDS,
    kind="count",
    summary="sum",
    aliases=("num_ret",),
    exemptions=(LONGER_COUNT_EXEMPTION,),
)
def number_retrieved(run: JudgedRun, *, cutoff: MaybeCutoff = None) -> Scores:
    """Return the number of retrieved documents, judged or not.

    Returns
    -------
    Scores
        Shape (T,); 0 where the run lacks the topic.

    Notes
    -----
    Unjudged documents are counted like all other documents.

    Examples
    --------
    >>> number_retrieved(JudgedRun.single(ranked=[1, None, 0]))
    array([3.])
    """
    return run.count_retrieved(cutoff).astype(np.float64)


@explains("NumRet")
def explain_number_retrieved(example: ExampleTopic, *, cutoff: int | None) -> WorkedExample:
    """Explain NumRet by a count of all retrieved documents."""
    return _make_count_example(example, cutoff, "retrieved", lambda _: True)


@measure(
    "NumRel",
    title="Number of relevant documents",
    better="neither",
    formula="relevant documents, retrieved or not",
    bounds=COUNT_BOUNDS,
    kind="count",
    summary="sum",
    aliases=("num_rel",),
)
def number_relevant(run: JudgedRun, *, rel: Rel = 1) -> Scores:
    """Return the number of relevant documents in the qrels.

    Returns
    -------
    Scores
        Shape (T,); 0 where a topic has no relevant document.

    Notes
    -----
    Unjudged documents count as not relevant. The order of the ranking does not matter, so ties do
    not matter either.

    Examples
    --------
    >>> number_relevant(JudgedRun.single(ranked=[1, 0], judged=[1, 1, 2, 0]))
    array([3.])
    """
    return run.n_relevant(rel).astype(np.float64)


@explains("NumRel")
def explain_number_relevant(example: ExampleTopic, *, rel: int) -> WorkedExample:
    """Explain NumRel by a count of the relevant documents in the qrels."""
    return WorkedExample(
        (describe_relevance(rel), describe_relevant(example, rel)),
        example.count_relevant(rel),
        hits=frozenset(example.list_hit_ranks(rel)),
    )


@measure(
    "NumRelRet",
    title="Number of relevant documents retrieved",
    formula="relevant documents in the top k or, without k, in the whole list",
    bounds=COUNT_BOUNDS,
    kind="count",
    summary="sum",
    aliases=("num_rel_ret", "hits"),
    top_heavy=True,
)
def number_relevant_retrieved(
    run: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None
) -> Scores:
    """Return the number of relevant documents retrieved.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing relevant was retrieved.

    Notes
    -----
    Unjudged documents count as not relevant. Ties matter only at the cutoff.

    Examples
    --------
    >>> number_relevant_retrieved(JudgedRun.single(ranked=[1, 0, 2], judged=[1, 2, 2]))
    array([2.])
    """
    return run.count_relevant_retrieved(rel, cutoff).astype(np.float64)


@explains("NumRelRet")
def explain_number_relevant_retrieved(
    example: ExampleTopic, *, rel: int, cutoff: int | None
) -> WorkedExample:
    """Explain NumRelRet by a count of the retrieved relevant documents."""
    return _make_count_example(
        example, cutoff, "found", lambda grade: is_relevant(grade, rel), describe_relevance(rel)
    )


@measure(
    "NumJudgedRet",
    title="Number of retrieved documents judged",
    better="neither",
    formula="judged documents in the top k or, without k, in the whole list",
    bounds=COUNT_BOUNDS,
    kind="count",
    summary="sum",
)
def number_judged_retrieved(run: JudgedRun, *, cutoff: MaybeCutoff = None) -> Scores:
    """Return the number of retrieved documents that are judged.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing judged was retrieved.

    Notes
    -----
    Pooled documents that are unjudged or unjudgeable are not counted.

    Examples
    --------
    >>> number_judged_retrieved(JudgedRun.single(ranked=[1, None, 0, -1]))
    array([2.])
    """
    return run.count_by_topic(run.judged_hits(cutoff).topic).astype(np.float64)


@explains("NumJudgedRet")
def explain_number_judged_retrieved(example: ExampleTopic, *, cutoff: int | None) -> WorkedExample:
    """Explain NumJudgedRet by a count of the retrieved judged documents."""
    return _make_count_example(example, cutoff, "judged", lambda grade: is_relevant(grade, 0))


@measure(
    "NumNonrelJudgedRet",
    title="Number of retrieved documents judged non-relevant",
    better="lower",
    formula="documents judged not relevant in the top k or, without k, in the whole list",
    bounds=COUNT_BOUNDS,
    kind="count",
    summary="sum",
    aliases=("num_nonrel_judged_ret",),
)
def number_judged_nonrelevant_retrieved(
    run: JudgedRun, *, rel: Rel = 1, cutoff: MaybeCutoff = None
) -> Scores:
    """Return the number of retrieved documents judged non-relevant.

    Returns
    -------
    Scores
        Shape (T,); 0 where nothing judged was retrieved.

    Notes
    -----
    Unjudged and unjudgeable documents are ignored.

    Examples
    --------
    >>> number_judged_nonrelevant_retrieved(JudgedRun.single(ranked=[1, None, 0, -1]))
    array([1.])
    """
    return number_judged_retrieved(run, cutoff=cutoff) - number_relevant_retrieved(
        run, rel=rel, cutoff=cutoff
    )


@explains("NumNonrelJudgedRet")
def explain_number_judged_nonrelevant_retrieved(
    example: ExampleTopic, *, rel: int, cutoff: int | None
) -> WorkedExample:
    """Explain NumNonrelJudgedRet by a count of the retrieved documents judged non-relevant."""
    return _make_count_example(
        example,
        cutoff,
        Message("not relevant"),
        lambda grade: is_relevant(grade, 0) and not is_relevant(grade, rel),
        describe_relevance(rel),
    )


def _count_judged_of_retrieved(run: JudgedRun, *, cutoff: int | None) -> tuple[Scores, Scores]:
    return number_judged_retrieved(run, cutoff=cutoff), run.count_retrieved(cutoff).astype(
        np.float64
    )


def _count_unjudged_of_cutoff(run: JudgedRun, *, cutoff: int) -> tuple[Scores, Scores]:
    return run.count_retrieved(cutoff) - number_judged_retrieved(run, cutoff=cutoff), np.full(
        len(run), float(cutoff)
    )


@measure(
    "Judged",
    title="Share of judged documents",
    better="neither",
    formula="judged documents in the top k / min(k, n), where n is the number of documents "
    "retrieved; without k, judged documents in the whole list / n",
    kind="count",
    micro=MicroAverage(_count_judged_of_retrieved),
    exemptions=(SHORT_LIST_EXEMPTION,),
)
def judged_share(run: JudgedRun, *, cutoff: MaybeCutoff = None) -> Scores:
    """Return the share of the top k that is judged.

    Parameters
    ----------
    cutoff
        Number of documents that the user looks at, k; by default, the length of the list.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where nothing was retrieved.

    Notes
    -----
    The value is 0 if nothing was retrieved. If the list is shorter than k, the count is divided by
    the length of the list.

    Examples
    --------
    >>> judged_share(JudgedRun.single(ranked=[1, None, 0, -1]), cutoff=10)
    array([0.5])
    """
    return divide(*_count_judged_of_retrieved(run, cutoff=cutoff))


@explains("Judged")
def explain_judged_share(example: ExampleTopic, *, cutoff: int | None) -> WorkedExample:
    """Explain Judged: the share of judged documents at ranks 1 to `cutoff`."""
    total, count_rows = count_at_ranks(
        example, cutoff, "judged", lambda grade: is_relevant(grade, 0)
    )
    step, value = format_quotient(
        Message("Judged@{cutoff} = judged / min(k, n)", cutoff=cutoff)
        if cutoff
        else Message("Judged = judged / n"),
        total,
        len(example.top_grades(cutoff)),
        Message("the number of documents examined"),
    )
    return WorkedExample(
        (describe_cutoff(example, cutoff), step),
        value,
        count_rows.columns,
        count_rows.rows,
        count_rows.hits,
    )


@measure(
    "Unjudged",
    title="Share of unjudged documents",
    better="neither",
    formula="unjudged documents in the top k / k",
    kind="count",
    micro=MicroAverage(_count_unjudged_of_cutoff),
    aliases=(Alias("unj", bare=".5,10,20"),),
    exemptions=(SHORT_LIST_EXEMPTION,),
)
def unjudged_share(run: JudgedRun, *, cutoff: Cutoff) -> Scores:
    """Return the number of unjudged documents in the top k, divided by k.

    Returns
    -------
    Scores
        Shape (T,), between 0 and 1; 0 where nothing was retrieved.

    Notes
    -----
    The number is divided by k even if fewer documents were retrieved, so the value is not
    1 − Judged@k for short lists.

    Examples
    --------
    >>> unjudged_share(JudgedRun.single(ranked=[1, None, 0, -1]), cutoff=10)
    array([0.2])
    """
    return divide(*_count_unjudged_of_cutoff(run, cutoff=cutoff))


@explains("Unjudged")
def explain_unjudged_share(example: ExampleTopic, *, cutoff: int) -> WorkedExample:
    """Explain Unjudged: the number of unjudged documents in the top k, divided by k."""
    total, count_rows = count_at_ranks(
        example, cutoff, "unjudged", lambda grade: not is_relevant(grade, 0)
    )
    step, value = format_quotient(
        Message("Unjudged@{cutoff} = unjudged / k", cutoff=cutoff), total, cutoff, "k"
    )
    return WorkedExample(
        (describe_cutoff(example, cutoff), step),
        value,
        count_rows.columns,
        count_rows.rows,
        count_rows.hits,
    )


def _make_count_example(
    example: ExampleTopic,
    cutoff: int | None,
    column: str,
    is_counted: RelevancePredicate,
    *steps: str,
) -> WorkedExample:
    total, rows = count_at_ranks(example, cutoff, column, is_counted)
    return WorkedExample(
        (describe_cutoff(example, cutoff), *steps, Message("Total: {total}", total=total)),
        total,
        rows.columns,
        rows.rows,
        rows.hits,
    )


# Confusion matrix of relevance and retrieval: its cells, and the shares of its rows and columns

MatrixUniverse: TypeAlias = Annotated[
    Literal["judged", "collection"] | int,
    Range(1),
    "Documents to count: `judged`, `collection`, or a number of documents.",
]
MaybeUniverse: TypeAlias = Annotated[
    Literal["judged", "collection"] | int | None,
    Range(1),
    (
        "By default, all retrieved documents are counted; with `judged`, only those that were "
        "judged. `collection` or a number (the size of the collection) gives the same value as "
        "the default."
    ),
]
Cells: TypeAlias = tuple[Scores, Scores, Scores, Scores]

MATRIX_EXEMPTION = Exemption("tail", "every retrieved document is counted in the matrix")


def confusion_cells(
    run: JudgedRun, *, rel: int = 1, universe: int | str | None = None, cutoff: int | None = None
) -> Cells:
    """Return the confusion counts TP, FP, FN and TN of each topic.

    `universe` is the set of documents: `judged`; `collection`, whose size `run` must contain; or a
    number of documents. None means all documents that are retrieved or relevant, so that TN is 0.
    Raises MeasureError if the collection size is unknown, or less than the number of documents that
    are retrieved or relevant.

    >>> [int(count[0]) for count in confusion_cells(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1, 0, 0]), rel=1, universe="judged")]
    [1, 1, 1, 1]
    >>> [int(count[0]) for count in confusion_cells(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1, 0, 0]), rel=1, universe=10)]
    [1, 2, 1, 6]
    """
    relevant = run.n_relevant(rel)
    true_positives = run.count_relevant_retrieved(rel, cutoff)
    retrieved = (
        run.count_by_topic(run.judged_hits(cutoff).topic)
        if universe == "judged"
        else run.count_retrieved(cutoff)
    )
    false_positives = retrieved - true_positives
    unretrieved = (
        np.zeros_like(false_positives)
        if universe is None
        else run.count_non_relevant(rel, universe) - false_positives
    )
    if (unretrieved < 0).any():
        raise MeasureError(
            "universe={universe} is less than the number of documents that were retrieved or "
            "are relevant ({documents:,}).",
            universe=universe,
            documents=int((relevant + false_positives)[unretrieved < 0].max()),
        )
    return (
        true_positives.astype(np.float64),
        false_positives.astype(np.float64),
        (relevant - true_positives).astype(np.float64),
        unretrieved.astype(np.float64),
    )


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """Declaration of a measure of the confusion matrix: a row of the table `MATRIX_ROWS`.

    A measure is registered for each row; its function and docstring are made from the row. Fields
    without a comment are as in `MeasureDeclaration`.
    """

    name: str
    title: str
    formula: str
    definition: str  # text after "Return" in the docstring's summary
    special_values: str  # text after "Shape (T,);" in the docstring
    # computes the value from TP, FP, FN and TN
    compute: Callable[[Scores, Scores, Scores, Scores], Scores]
    example: float  # value in the generated example
    # type of the parameter `universe`; None if unretrieved non-relevant documents do not matter
    universe: Any = MatrixUniverse
    is_count: bool = False  # whether the value is a number of documents, to be summed over topics
    bounds: tuple[float, float] = (0, 1)
    aliases: tuple[str, ...] = ()
    better: Better = "higher"
    top_heavy: bool = False
    notes: str = ""
    references: str = ""


MATRIX_ROWS = (
    MatrixRow(
        "TP",
        "True positives",
        "relevant documents retrieved",
        "the number of retrieved documents that are relevant",
        "0 where nothing relevant was retrieved",
        lambda tp, fp, fn, tn: tp,
        1,
        universe=None,
        is_count=True,
        top_heavy=True,
    ),
    MatrixRow(
        "FP",
        "False positives",
        "retrieved documents that are not relevant (universe=judged: only documents judged not "
        "relevant)",
        "the number of retrieved documents that are not relevant",
        "0 where nothing else was retrieved",
        lambda tp, fp, fn, tn: fp,
        2,
        universe=MaybeUniverse,
        is_count=True,
        better="lower",
    ),
    MatrixRow(
        "FN",
        "False negatives",
        "relevant documents not retrieved",
        "the number of relevant documents that are not retrieved",
        "0 where a topic has no relevant document",
        lambda tp, fp, fn, tn: fn,
        1,
        universe=None,
        is_count=True,
        better="lower",
    ),
    MatrixRow(
        "TN",
        "True negatives",
        "documents neither retrieved nor relevant: U − TP − FP − FN, where U is the number of "
        "documents in the universe",
        "the number of documents neither retrieved nor relevant",
        "0 where all others were retrieved",
        lambda tp, fp, fn, tn: tn,
        6,
        is_count=True,
    ),
    MatrixRow(
        "ACC",
        "Accuracy",
        "(TP + TN) / (TP + FP + FN + TN)",
        "the share of all documents that are classified correctly",
        "0 where the universe is empty",
        lambda tp, fp, fn, tn: divide(tp + tn, tp + fp + fn + tn),
        0.7,
        notes="Since almost all documents of a collection are not relevant, an empty list scores nearly 1.",
    ),
    MatrixRow(
        "BACC",
        "Balanced accuracy",
        "(TP / (TP + FN) + TN / (TN + FP)) / 2",
        "the mean of sensitivity and specificity: the shares of relevant and of non-relevant "
        "documents classified correctly",
        "each share is 0 where there is no such document",
        lambda tp, fp, fn, tn: (divide(tp, tp + fn) + divide(tn, tn + fp)) / 2,
        0.625,
        aliases=("balanced_accuracy",),
    ),
    MatrixRow(
        "MCC",
        "Matthews correlation coefficient",
        "(TP·TN − FP·FN) / √((TP + FP)·(TP + FN)·(TN + FP)·(TN + FN))",
        "the correlation between being retrieved and being relevant",
        "between -1 and 1; 0 where a row or column of the matrix is empty",
        # The product of four counts may be rounded, so that perfect agreement would exceed 1
        lambda tp, fp, fn, tn: np.clip(
            divide(tp * tn - fp * fn, np.sqrt((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))), -1, 1
        ),
        0.2182,
        bounds=(-1, 1),
        references="Matthews (1975), Comparison of the predicted and observed secondary structure of T4 phage lysozyme, "
        "BBA 405(2), 442–451.",
    ),
    MatrixRow(
        "TNR",
        "True negative rate",
        "TN / (TN + FP)",
        "the share of non-relevant documents that were not retrieved",
        "0 where all documents are relevant",
        lambda tp, fp, fn, tn: divide(tn, tn + fp),
        0.75,
        aliases=("specificity",),
    ),
    MatrixRow(
        "FPR",
        "False positive rate",
        "FP / (FP + TN)",
        "the share of non-relevant documents that were retrieved",
        "0 where all documents are relevant",
        lambda tp, fp, fn, tn: divide(fp, tn + fp),
        0.25,
        aliases=("fallout",),
        better="lower",
    ),
    MatrixRow(
        "NPV",
        "Negative predictive value",
        "TN / (TN + FN)",
        "the share of non-relevant documents among the documents not retrieved",
        "0 where everything was retrieved",
        lambda tp, fp, fn, tn: divide(tn, tn + fn),
        0.8571,
    ),
    MatrixRow(
        "FOR",
        "False omission rate",
        "FN / (FN + TN)",
        "the share of relevant documents among the documents not retrieved",
        "0 where everything was retrieved",
        lambda tp, fp, fn, tn: divide(fn, tn + fn),
        0.1429,
        better="lower",
    ),
    MatrixRow(
        "FDR",
        "False discovery rate",
        "FP / (TP + FP)",
        "the share of retrieved documents that are not relevant",
        "0 where nothing was retrieved, so that it is not 1 − precision there",
        lambda tp, fp, fn, tn: divide(fp, tp + fp),
        0.6667,
        universe=MaybeUniverse,
        better="lower",
    ),
    MatrixRow(
        "FNR",
        "False negative rate",
        "FN / (TP + FN)",
        "the share of relevant documents that were not retrieved",
        "0 where a topic has no relevant document, so that it is not 1 − recall there",
        lambda tp, fp, fn, tn: divide(fn, tp + fn),
        0.5,
        universe=None,
        aliases=("miss_rate",),
        better="lower",
    ),
)


def _declare_matrix_measure(row: MatrixRow) -> Callable[..., Scores]:
    def compute(run: JudgedRun, **settings: Any) -> Scores:
        return np.asarray(row.compute(*confusion_cells(run, **settings)), dtype=np.float64)

    types = {"rel": (Rel, 1), "universe": (row.universe, None), "cutoff": (SetCutoff, None)}
    if row.universe is None:
        del types["universe"]
    empty = inspect.Parameter.empty
    required_names = {"universe"} if row.universe is MatrixUniverse else set()
    keywords = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=empty if name in required_names else default,
            annotation=type_,
        )
        for name, (type_, default) in types.items()
    ]
    run_parameter = inspect.Parameter(
        "run", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=JudgedRun
    )
    compute.__signature__ = inspect.Signature([run_parameter, *keywords], return_annotation=Scores)  # type: ignore[attr-defined]
    compute.__annotations__ = {
        "run": JudgedRun,
        **{name: type_ for name, (type_, _) in types.items()},
        "return": Scores,
    }
    compute.__name__ = compute.__qualname__ = row.title.lower().replace(" ", "_")
    compute.__doc__ = _make_matrix_docstring(row)
    return measure(
        row.name,
        title=row.title,
        formula=row.formula,
        bounds=COUNT_BOUNDS if row.is_count else row.bounds,
        kind="set",
        summary="sum" if row.is_count else "mean",
        better=row.better,
        micro=None if row.is_count else MicroAverage(confusion_cells, row.compute),
        aliases=row.aliases,
        top_heavy=row.top_heavy,
        exemptions=() if row.universe is None else (MATRIX_EXEMPTION,),
    )(compute)


def _make_matrix_docstring(row: MatrixRow) -> str:
    notes = [
        (
            "Documents that are not in the qrels count as not relevant; with "
            "universe=judged they are ignored."
        )
        if row.universe
        else "Unjudged documents count as not relevant. Ties matter only at the cutoff.",
        *([row.notes] if row.notes else []),
    ]
    universe_argument = ", universe=10" if row.universe is MatrixUniverse else ""
    example = (
        f'>>> MATRIX["{row.name}"](JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]){universe_argument}).round(4)',
        str(np.array([float(row.example)]).__repr__()),
    )
    error_condition = "`universe` is `collection` and its size is unknown, or it is less than the number of retrieved or relevant documents."
    sections = {
        "Returns": ["Scores", f"    Shape (T,); {row.special_values}."],
        **({"Raises": ["MeasureError", f"    {error_condition}"]} if row.universe else {}),
        "Notes": notes,
        **({"References": [row.references]} if row.references else {}),
        "Examples": example,
    }
    parts = [
        f"Return {row.definition}.",
        *("\n".join((title, "-" * len(title), *lines)) for title, lines in sections.items()),
    ]
    return "\n\n".join(parts) + "\n"


MATRIX = {row.name: _declare_matrix_measure(row) for row in MATRIX_ROWS}
__test__ = MATRIX  # doctest runs the examples of the generated functions, too

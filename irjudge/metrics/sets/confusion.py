"""The confusion matrix, relevant or not against retrieved or not: its cells, and the shares of its rows and columns."""

import inspect
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np

from irjudge.errors import MeasureError
from irjudge.metrics.basis.judged import JudgedRun, Longs, Scores, divide
from irjudge.metrics.naming.parameters import Range, Rel, SetCutoff
from irjudge.metrics.naming.registry import Better, Exemption, Pooled, measure

Universe: TypeAlias = Annotated[
    Literal["judged", "collection"] | int,
    Range(1),
    "The documents that are counted: `judged`, `collection`, or how many there are.",
]
MaybeUniverse: TypeAlias = Annotated[
    Literal["judged", "collection"] | int | None,
    Range(1),
    "None counts all that was retrieved; `judged` counts judged documents alone; `collection` or a number says how many there are.",
]
Cells: TypeAlias = tuple[Scores, Scores, Scores, Scores]
OfCells: TypeAlias = Callable[[Scores, Scores, Scores, Scores], Scores]

COUNT = (0, math.inf)
LONGER = Exemption("tail", "every document retrieved has its place in the matrix")


def cells(
    judged: JudgedRun, *, rel: int = 1, universe: int | str | None = None, cutoff: int | None = None
) -> Cells:
    """Return how many documents are retrieved and relevant, retrieved alone, relevant alone, neither: TP, FP, FN, TN.

    Counted are those of `universe`: `judged`, `collection` (whose size `judged` must know), or how many there are; None counts what was
    retrieved or is relevant, and leaves TN at 0. MeasureError when the size of the collection is not known, or is less than what was
    retrieved or is relevant.

    >>> [int(count[0]) for count in cells(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1, 0, 0]), rel=1, universe="judged")]
    [1, 1, 1, 1]
    >>> [int(count[0]) for count in cells(JudgedRun.single(ranked=[1, 0, None], judged=[1, 1, 0, 0]), rel=1, universe=10)]
    [1, 2, 1, 6]
    """
    relevant = judged.n_relevant(rel)
    true = judged.count_by_topic(judged.relevant_hits(rel, cutoff).topic)
    seen = (
        judged.count_by_topic(judged.judged_hits(cutoff).topic)
        if universe == "judged"
        else judged.depth(cutoff)
    )
    false = seen - true
    rest = np.zeros_like(false) if universe is None else non_relevant(judged, rel, universe) - false
    if (rest < 0).any():
        needed = int((relevant + false)[rest < 0].max())
        raise MeasureError(
            "universe={universe} is less than the {needed:,} documents that were retrieved or "
            "are relevant.",
            universe=universe,
            needed=needed,
        )
    return (
        true.astype(np.float64),
        false.astype(np.float64),
        (relevant - true).astype(np.float64),
        rest.astype(np.float64),
    )


def non_relevant(judged: JudgedRun, rel: int, universe: int | str) -> Longs:
    """Return how many documents of a universe are not relevant, as the qrels know them: shape (T,); below 0 where it is too small.

    MeasureError when the size of the collection is not known.
    """
    if universe == "judged":
        return judged.n_judged - judged.n_relevant(rel)
    size = judged.collection if universe == "collection" else universe
    if size is None:
        raise MeasureError(
            "universe=collection needs the size of the collection, which is not known here; write it, for example universe=1400.",
            key="no-collection-size",
        )
    return int(size) - judged.n_relevant(rel)


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One measure of the matrix."""

    name: str
    title: str
    formula: str
    says: str  # what it is: the rest of "Return …"
    empty: str  # what else is to be known of its values: the rest of "Shape (T,); …"
    of: OfCells  # takes TP, FP, FN and TN
    example: float  # its value for a relevant document, another and an unjudged one, where one of two relevant ones is missing; of 10 in all
    universe: Any = Universe  # the type of that parameter; None for a measure that never looks at what was not retrieved and is not relevant
    counts: bool = False  # whether it is a number of documents, to be added up
    bounds: tuple[float, float] = (0, 1)
    aliases: tuple[str, ...] = ()
    better: Better = "higher"
    top_heavy: bool = False
    notes: str = ""
    references: str = ""


ROWS = (
    MatrixRow(
        "TP",
        "True positives",
        "relevant in the set",
        "how many documents are retrieved and relevant",
        "0 where nothing relevant was retrieved",
        lambda tp, fp, fn, tn: tp,
        1,
        universe=None,
        counts=True,
        top_heavy=True,
    ),
    MatrixRow(
        "FP",
        "False positives",
        "in the set and not relevant (universe=judged: judged and not relevant)",
        "how many documents are retrieved and not relevant",
        "0 where nothing else was retrieved",
        lambda tp, fp, fn, tn: fp,
        2,
        universe=MaybeUniverse,
        counts=True,
        better="lower",
    ),
    MatrixRow(
        "FN",
        "False negatives",
        "relevant and not in the set",
        "how many documents are relevant and not retrieved",
        "0 where a topic has no relevant document",
        lambda tp, fp, fn, tn: fn,
        1,
        universe=None,
        counts=True,
        better="lower",
    ),
    MatrixRow(
        "TN",
        "True negatives",
        "neither in the set nor relevant: U − TP − FP − FN, with U documents in the universe",
        "how many documents are neither retrieved nor relevant",
        "0 where all others were retrieved",
        lambda tp, fp, fn, tn: tn,
        6,
        counts=True,
    ),
    MatrixRow(
        "ACC",
        "Accuracy",
        "(TP + TN) / (TP + FP + FN + TN)",
        "which share of all documents is on the right side",
        "0 where the universe is empty",
        lambda tp, fp, fn, tn: divide(tp + tn, tp + fp + fn + tn),
        0.7,
        notes="Almost all documents of a collection are rightly not retrieved, so that an empty list is nearly perfect.",
    ),
    MatrixRow(
        "BACC",
        "Balanced accuracy",
        "(TP / (TP + FN) + TN / (TN + FP)) / 2",
        "the mean of the shares of relevant and of other documents that are on the right side",
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
        # The product of four counts may be rounded, so that perfect agreement would pass 1 by a hair.
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
        "which share of the documents that are not relevant was not retrieved",
        "0 where all documents are relevant",
        lambda tp, fp, fn, tn: divide(tn, tn + fp),
        0.75,
        aliases=("specificity",),
    ),
    MatrixRow(
        "FPR",
        "False positive rate",
        "FP / (FP + TN)",
        "which share of the documents that are not relevant was retrieved",
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
        "which share of the documents that were not retrieved is rightly not",
        "0 where everything was retrieved",
        lambda tp, fp, fn, tn: divide(tn, tn + fn),
        0.8571,
    ),
    MatrixRow(
        "FOR",
        "False omission rate",
        "FN / (FN + TN)",
        "which share of the documents that were not retrieved is relevant",
        "0 where everything was retrieved",
        lambda tp, fp, fn, tn: divide(fn, tn + fn),
        0.1429,
        better="lower",
    ),
    MatrixRow(
        "FDR",
        "False discovery rate",
        "FP / (TP + FP)",
        "which share of the retrieved documents is not relevant",
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
        "which share of the relevant documents was not retrieved",
        "0 where a topic has no relevant document, so that it is not 1 − recall there",
        lambda tp, fp, fn, tn: divide(fn, tp + fn),
        0.5,
        universe=None,
        aliases=("miss_rate",),
        better="lower",
    ),
)


def _declared(row: MatrixRow) -> Callable[..., Scores]:
    """Return the function of a measure of the matrix, declared, with the signature and the words that a written one would have."""

    def share(judged: JudgedRun, **settings: Any) -> Scores:
        return np.asarray(row.of(*cells(judged, **settings)), dtype=np.float64)

    types = {"rel": (Rel, 1), "universe": (row.universe, None), "cutoff": (SetCutoff, None)}
    if row.universe is None:
        del types["universe"]
    empty = inspect.Parameter.empty
    needed = {"universe"} if row.universe is Universe else set()
    keywords = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=empty if name in needed else usual,
            annotation=type_,
        )
        for name, (type_, usual) in types.items()
    ]
    judged = inspect.Parameter(
        "judged", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=JudgedRun
    )
    share.__signature__ = inspect.Signature([judged, *keywords], return_annotation=Scores)  # type: ignore[attr-defined]
    share.__annotations__ = {
        "judged": JudgedRun,
        **{name: type_ for name, (type_, _) in types.items()},
        "return": Scores,
    }
    share.__name__ = share.__qualname__ = row.title.lower().replace(" ", "_")
    share.__doc__ = _words(row)
    return measure(
        row.name,
        title=row.title,
        formula=row.formula,
        bounds=COUNT if row.counts else row.bounds,
        kind="set",
        summary="sum" if row.counts else "mean",
        better=row.better,
        micro=None if row.counts else Pooled(cells, row.of),
        aliases=row.aliases,
        top_heavy=row.top_heavy,
        exemptions=() if row.universe is None else (LONGER,),
    )(share)


def _words(row: MatrixRow) -> str:
    """Return the docstring of a measure of the matrix."""
    notes = [
        "Documents that the qrels do not name are not relevant; with universe=judged they do not count."
        if row.universe
        else "Unjudged documents are not relevant. Ties matter at the cutoff alone.",
        *([row.notes] if row.notes else []),
    ]
    given = ", universe=10" if row.universe is Universe else ""
    example = (
        f'>>> MATRIX["{row.name}"](JudgedRun.single(ranked=[1, 0, None], judged=[1, 1]){given}).round(4)',
        str(np.array([float(row.example)]).__repr__()),
    )
    raised = "When `universe` is `collection` and its size is not known, or it is less than what was retrieved or is relevant."
    sections = {
        "Returns": ["Scores", f"    Shape (T,); {row.empty}."],
        **({"Raises": ["MeasureError", f"    {raised}"]} if row.universe else {}),
        "Notes": notes,
        **({"References": [row.references]} if row.references else {}),
        "Examples": example,
    }
    parts = [
        f"Return {row.says}.",
        *("\n".join((title, "-" * len(title), *lines)) for title, lines in sections.items()),
    ]
    return "\n\n".join(parts) + "\n"


MATRIX = {row.name: _declared(row) for row in ROWS}
__test__ = MATRIX  # their examples run too

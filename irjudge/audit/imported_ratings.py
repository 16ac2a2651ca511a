"""Agreement between new judgments and imported ratings."""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.judging import (
    CONSENSUS,
    MIN_CONSENSUS_ASSESSORS,
    build_vote_labels,
    compute_consensus,
    compute_consensus_grades,
    grades_by_assessor,
    make_display_names,
    rename_workers,
)
from irjudge.model import UNJUDGEABLE, Labels, Pair, Qrels, merge_subtopic_grades
from irjudge.stats import (
    GradeConfusion,
    JudgeStatistic,
    Leniency,
    Sampling,
    judge_statistics,
    leniency_by_grade,
)
from irjudge.stats.consensus import UNJUDGEABLE_SIGN
from irjudge.store import Project

Grades = Mapping[Pair, int]
Row = tuple[str | int | float | None, ...]
Part: TypeAlias = Literal["all", "grades", "confusion", "conflicts"]
STATISTICS = ("raw-agreement", "kappa", "kappa-quadratic", "alpha-ordinal", "leniency")
RATING_COLUMNS: dict[Part, tuple[str, ...]] = {
    "all": ("assessor", "statistic", "pairs", "value", "low", "high"),
    "grades": ("assessor", "came", "pairs", "same", "mean", "higher", "lower"),
    "confusion": ("assessor", "came", "given", "pairs"),
    "conflicts": ("topic", "document", "came", "said", "apart"),
}


@dataclass(frozen=True, slots=True, eq=False)
class RaterComparison:
    """Comparison of the grades of one assessor, or of the consensus, with imported ratings.

    It contains the confusion matrix, agreement statistics, and the leniency for each imported
    grade. Only pairs of topic and document with an imported and a new grade are included; pairs
    judged as unjudgeable are only counted.
    """

    name: str  # display name of the assessor, or `CONSENSUS`
    confusion: GradeConfusion  # number of pairs for each imported grade and each new grade
    # in the order of `STATISTICS`; the statistic `leniency` is the mean difference between new and
    # imported grades
    statistics: tuple[JudgeStatistic, ...]
    grades: tuple[Leniency, ...]  # leniency for each imported grade
    # number of rated pairs that were judged as unjudgeable; statistics exclude them
    unjudgeable: int
    is_consensus: bool = False

    @property
    def pairs(self) -> int:
        """Number of rated pairs that have a new grade."""
        return self.confusion.pairs


@dataclass(frozen=True, slots=True)
class RatingConflict:
    """Topic and document with at least one new judgment that differs from the imported rating.

    `judgments` contains the judgments of the pair by all assessors, including those that agree with
    the rating, sorted by assessor. `difference` is counted in steps of the scale. The agreement
    page lists the conflicts.
    """

    topic: str
    document: str
    imported_grade: int
    judgments: tuple[tuple[str, str], ...]  # name of each assessor, and the judgment
    # largest difference in steps of the scale; an unjudgeable document counts as the whole range
    difference: int


@dataclass(frozen=True, slots=True, eq=False)
class RatingsComparison:
    """Comparison of new judgments with imported ratings: statistics, and conflicts.

    It contains statistics of each assessor who graded a rated pair of topic and document and,
    in a project with judgments by at least two assessors, of the consensus. The conflicts are
    the pairs with at least one new judgment that differs from the imported rating.
    """

    source: str  # name of the imported ratings
    ratings: int  # number of rated pairs, without ratings below 0
    judged: int  # number of rated pairs for which there is a new judgment
    # number of judged pairs whose rating is not on the scale; statistics and conflicts exclude them
    off_scale: int
    # comparisons; that of the consensus is first, if there is one
    raters: tuple[RaterComparison, ...]
    conflicts: tuple[RatingConflict, ...]  # conflicts, in descending order of difference

    def rows(self, part: Part) -> Iterator[Row]:
        """Yield the rows of a table; `part` is a key of `RATING_COLUMNS`."""
        if part == "conflicts":
            for conflict in self.conflicts:
                yield (
                    conflict.topic,
                    conflict.document,
                    conflict.imported_grade,
                    ", ".join(map(" ".join, conflict.judgments)),
                    conflict.difference,
                )
            return
        for rater in self.raters:
            yield from ((rater.name, *row) for row in ROW_FUNCTIONS[part](rater))


def _list_statistic_rows(rater: RaterComparison) -> Iterator[Row]:
    yield from (
        (statistic.name, rater.pairs, statistic.value, statistic.low, statistic.high)
        for statistic in rater.statistics
    )


def _list_grade_rows(rater: RaterComparison) -> Iterator[Row]:
    for grade in rater.grades:
        yield (
            grade.grade,
            grade.pairs,
            1 - grade.too_high - grade.too_low,
            grade.mean,
            grade.too_high,
            grade.too_low,
        )


def _list_confusion_rows(rater: RaterComparison) -> Iterator[Row]:
    scale = rater.confusion.scale
    for imported_grade, row in zip(scale, rater.confusion.total.tolist(), strict=True):
        yield from (
            (imported_grade, new_grade, count) for new_grade, count in zip(scale, row, strict=True)
        )


ROW_FUNCTIONS: dict[Part, Callable[[RaterComparison], Iterator[Row]]] = {
    "all": _list_statistic_rows,
    "grades": _list_grade_rows,
    "confusion": _list_confusion_rows,
}


def compare_ratings(
    project: Project,
    name: str | None = None,
    *,
    leave_out: Collection[str] = (),
    sampling: Sampling | None = None,
) -> RatingsComparison:
    """Compare judgments of a project, and their consensus, with imported ratings.

    Only judgments that count are compared. `name` is the name of the imported qrels; None for the
    first imported qrels.

    Raises ProjectError if the project has no such qrels, and IrjudgeError if no rated document was
    judged with a grade on the scale.
    """
    sampling = sampling or Sampling()
    qrels_names = [qrels_name.name for qrels_name in project.rankings.qrels_names()]
    if not qrels_names:
        raise ProjectError(
            "The project has no imported ratings. Import the ratings as qrels to compare "
            "judgments with them."
        )
    if name is not None and name not in qrels_names:
        raise ProjectError(
            "The project has no ratings {name!r}; available: {names}.",
            name=name,
            names=", ".join(qrels_names),
        )
    ratings_name = name or qrels_names[0]
    vote_labels = build_vote_labels(project, sampling.progress, excluded=leave_out)
    consensus_grades = compute_consensus_grades(
        project, compute_consensus(project, progress=sampling.progress, labels=vote_labels)
    )
    labels = rename_workers(vote_labels, make_display_names(project))
    return _compare_raters(
        labels,
        project.rankings.qrels(ratings_name),
        ratings_name,
        tuple(project.scale.values),
        consensus_grades,
        sampling,
    )


def compare_labels(
    labels: Labels, ratings: Qrels, source: str, *, sampling: Sampling | None = None
) -> RatingsComparison:
    """Compare labels of topic–document pairs, which must be integer grades, with ratings in qrels.

    Raises IrjudgeError if labels are not integer grades, or if no pair in the qrels has a label.
    """
    if (
        labels.pairs is None
        or labels.values is None
        or (labels.values != np.floor(labels.values)).any()
    ):
        raise IrjudgeError(
            "Ratings can be compared only with whole-number grades of topic–document pairs; "
            "the table needs the columns topic and document."
        )
    scale = {*map(int, labels.values.tolist()), *ratings.grade[ratings.grade >= 0].tolist()}
    return _compare_raters(
        labels, ratings, source, tuple(sorted(scale)), None, sampling or Sampling()
    )


def _compare_raters(
    labels: Labels,
    ratings: Qrels,
    source: str,
    scale: tuple[int, ...],
    consensus_grades: Grades | None,
    sampling: Sampling,
) -> RatingsComparison:
    grades_of_assessors = {
        assessor: grades for assessor, grades in grades_by_assessor(labels).items() if grades
    }
    rated_pairs = merge_subtopic_grades(row for row in ratings.rows() if row[2] >= 0)
    judged_pairs = {
        pair for grades in grades_of_assessors.values() for pair in grades if pair in rated_pairs
    }
    # rated pairs that were judged, in the order of the ratings; ratings off the scale are omitted
    compared_ratings = {
        pair: grade
        for pair, grade in rated_pairs.items()
        if pair in judged_pairs and grade in scale
    }
    named_raters: list[tuple[str, Grades]] = list(grades_of_assessors.items())
    if consensus_grades and len(grades_of_assessors) >= MIN_CONSENSUS_ASSESSORS:
        named_raters.insert(0, (CONSENSUS, consensus_grades))
    raters = [
        _compare_rater(
            name, grades, compared_ratings, scale, sampling, is_consensus=grades is consensus_grades
        )
        for name, grades in named_raters
        if any(grade >= 0 and pair in compared_ratings for pair, grade in grades.items())
    ]
    if not raters:
        raise IrjudgeError(
            "None of the pairs rated in {source} ({count:,} in total) was judged by people with "
            "a grade on the scale.",
            source=source,
            count=len(rated_pairs),
        )
    return RatingsComparison(
        source,
        len(rated_pairs),
        len(judged_pairs),
        len(judged_pairs) - len(compared_ratings),
        tuple(raters),
        _list_conflicts(grades_of_assessors, compared_ratings, scale),
    )


def _compare_rater(
    rater: str,
    grades: Grades,
    ratings: Grades,
    scale: tuple[int, ...],
    sampling: Sampling,
    *,
    is_consensus: bool,
) -> RaterComparison:
    confusion = GradeConfusion.from_grades(ratings, grades, scale)
    statistic_of = {
        statistic.name: statistic for statistic in judge_statistics(confusion, sampling)
    }
    unjudgeable = sum(grade == UNJUDGEABLE and pair in ratings for pair, grade in grades.items())
    return RaterComparison(
        rater,
        confusion,
        tuple(statistic_of[name] for name in STATISTICS),
        leniency_by_grade(confusion),
        unjudgeable,
        is_consensus,
    )


def _list_conflicts(
    grades_of_assessors: Mapping[str, Grades], ratings: Grades, scale: tuple[int, ...]
) -> tuple[RatingConflict, ...]:
    """Return the pairs with a judgment that differs from the rating, largest difference first.

    Pairs with the same difference are in the order in which `grades_of_assessors` lists them.
    """
    index_of = {grade: index for index, grade in enumerate(scale)}
    conflicts = []
    for pair in dict.fromkeys(
        pair for grades in grades_of_assessors.values() for pair in grades if pair in ratings
    ):
        votes = {
            assessor: grades[pair]
            for assessor, grades in grades_of_assessors.items()
            if pair in grades
        }
        difference = max(
            len(scale) - 1
            if grade == UNJUDGEABLE
            else abs(index_of[grade] - index_of[ratings[pair]])
            for grade in votes.values()
        )
        if difference:
            texts = tuple(
                (assessor, UNJUDGEABLE_SIGN if grade == UNJUDGEABLE else str(grade))
                for assessor, grade in sorted(votes.items())
            )
            conflicts.append(RatingConflict(*pair, ratings[pair], texts, difference))
    return tuple(sorted(conflicts, key=lambda conflict: -conflict.difference))

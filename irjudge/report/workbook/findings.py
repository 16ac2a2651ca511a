"""The sheets of what was found: comparisons, correlations, preferences and agreement."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from irjudge.evaluation.comparison import PAIRED, ComparedPair, Comparison
from irjudge.evaluation.preferences import PARTS, PreferenceResults
from irjudge.evaluation.system_orderings import OrderingPair, rows
from irjudge.evaluation.table import Evaluation
from irjudge.metrics.naming.names import Measure
from irjudge.progress import Progress
from irjudge.report.workbook.by_topic import ByTopicSheet
from irjudge.report.workbook.formulas import Paired
from irjudge.report.workbook.sheet_writer import Book, Cell, Formula, WorkbookColumn, write_table
from irjudge.stats.agreement.estimates import AgreementEstimate

COMPARISONS, CORRELATIONS, PREFERENCES, AGREEMENT = (
    "Comparisons",
    "Correlations",
    "Preferences",
    "Agreement",
)

COMPARISON_COLUMNS = (
    WorkbookColumn("Measure"),
    WorkbookColumn("Run A"),
    WorkbookColumn("Run B"),
    WorkbookColumn("Topics", "whole"),
    WorkbookColumn("Mean A", "number"),
    WorkbookColumn("Mean B", "number"),
    WorkbookColumn("Difference", "number"),
    WorkbookColumn("95 % low", "number"),
    WorkbookColumn("95 % high", "number"),
    WorkbookColumn("Test"),
    WorkbookColumn("Statistic", "number"),
    WorkbookColumn("p", "probability"),
    WorkbookColumn("p adjusted", "probability"),
    WorkbookColumn("Effect", "number"),
    WorkbookColumn("A better", "whole"),
    WorkbookColumn("Equal", "whole"),
    WorkbookColumn("B better", "whole"),
    WorkbookColumn("Can be found", "number"),
    WorkbookColumn("Topics needed", "whole"),
)
COMPARISON_MEANS = {
    "Topics": "Topics that both runs have; the means are over these.",
    "Difference": "Mean A less mean B.",
    "95 % low": "Where the interval of the difference begins.",
    "95 % high": "Where it ends.",
    "p": "Two-sided: how often a difference at least this large would come about if the runs did not differ.",
    "p adjusted": "The same, with the number of pairs taken into account.",
    "Effect": "Mean of the topics' differences divided by their standard deviation.",
    "A better": "Topics on which run A has the better value: the higher one, or the lower one where less is better."
    " Equal and B better likewise.",
    "Can be found": "The smallest true difference that these topics find in 80 of 100 cases, by a paired t-test of this pair alone.",
    "Topics needed": "The fewest that find a true difference as large as the one here in 80 of 100 cases. "
    "Empty where there is none, nothing varies, or a million are too few.",
}
CORRELATION_COLUMNS = (
    WorkbookColumn("Measure A"),
    WorkbookColumn("Measure B"),
    WorkbookColumn("Statistic"),
    WorkbookColumn("Runs", "whole"),
    WorkbookColumn("Value", "number"),
)
PREFERENCE_COLUMNS = (
    WorkbookColumn("Part"),
    WorkbookColumn("Topic"),
    WorkbookColumn("Assessor"),
    WorkbookColumn("First"),
    WorkbookColumn("Second"),
    WorkbookColumn("Statistic"),
    WorkbookColumn("Value", "number"),
    WorkbookColumn("95 % low", "number"),
    WorkbookColumn("95 % high", "number"),
    WorkbookColumn("p", "probability"),
    WorkbookColumn("Count", "whole"),
    WorkbookColumn("Of", "whole"),
)
AGREEMENT_COLUMNS = (
    WorkbookColumn("Of"),
    WorkbookColumn("Statistic"),
    WorkbookColumn("Scale"),
    WorkbookColumn("Items used", "whole"),
    WorkbookColumn("Items", "whole"),
    WorkbookColumn("Value", "number"),
    WorkbookColumn("95 % low", "number"),
    WorkbookColumn("95 % high", "number"),
    WorkbookColumn("Undefined because, or how"),
)
EVERYTHING = "all"


def write_comparisons(
    book: Book,
    evaluation: Evaluation,
    comparison: Comparison,
    shown: ByTopicSheet,
    progress: Progress,
) -> None:
    """Write a row for each two runs, measure and test: means, difference and counts as formulas over the sheet By topic."""
    measures = {measure.name: place for place, measure in enumerate(evaluation.measures)}
    runs = {run.run: place for place, run in enumerate(evaluation.runs)}
    needs = need_cells(comparison)

    def cells() -> Iterator[Sequence[Cell]]:
        for row, pair in enumerate(comparison.pairs, 2):
            measure = measures[pair.measure]
            paired = Paired(
                shown.area(measure, runs[pair.run_a]), shown.area(measure, runs[pair.run_b])
            )
            yield (
                *_pair_cells(evaluation.measures[measure], pair, paired, row),
                *needs[pair.measure, pair.run_a, pair.run_b],
            )

    write_table(
        book,
        COMPARISONS,
        COMPARISON_COLUMNS,
        cells(),
        progress,
        frozen=3,
        total=len(comparison.pairs),
    )


def need_cells(
    comparison: Comparison,
) -> Mapping[tuple[str, str, str], tuple[float | None, int | None]]:
    """Return what the topics of each measure and two runs can find, and how many find the difference there is."""
    found = {
        (need.measure, need.run_a, need.run_b): (need.seen, need.needed)
        for need in comparison.needs
        if need.test == PAIRED
    }
    return defaultdict(lambda: (None, None), found)


def _pair_cells(measure: Measure, pair: ComparedPair, paired: Paired, row: int) -> Sequence[Cell]:
    mean_a, mean_b = paired.means(f"$D{row}")
    counts = zip(paired.outcomes(measure), (pair.wins, pair.ties, pair.losses), strict=True)
    return (
        pair.measure,
        pair.run_a,
        pair.run_b,
        Formula(paired.topics, pair.topics),
        Formula(mean_a, pair.mean_a),
        Formula(mean_b, pair.mean_b),
        Formula(f"=E{row}-F{row}", pair.difference),
        pair.low,
        pair.high,
        pair.test,
        pair.statistic,
        pair.p if pair.is_tested else None,
        pair.p_adjusted if pair.is_tested else None,
        pair.effect,
        *(Formula(text, count) for text, count in counts),
    )


def write_correlations(book: Book, pairs: Sequence[OrderingPair], progress: Progress) -> None:
    """Write a row for each two measures and statistic: how alike the orders are in which they put the runs."""
    write_table(
        book, CORRELATIONS, CORRELATION_COLUMNS, rows(pairs), progress, frozen=2, total=len(pairs)
    )


def write_preferences(book: Book, results: PreferenceResults, progress: Progress) -> None:
    """Write a row for each finding."""
    found = ((PARTS[str(part)], *map(_known, cells)) for part, *cells in results.rows())
    write_table(book, PREFERENCES, PREFERENCE_COLUMNS, found, progress, frozen=1)


def _known(cell: Cell) -> Cell:
    """Return a cell, empty where it is no finite number: an interval may be open."""
    return None if isinstance(cell, float) and not math.isfinite(cell) else cell


def write_agreement(book: Book, estimates: Iterable[AgreementEstimate], progress: Progress) -> None:
    """Write a row for each statistic of agreement."""
    found = (
        (
            each.of or EVERYTHING,
            each.statistic,
            each.scale,
            each.used,
            each.total,
            each.value,
            each.low,
            each.high,
            each.reason,
        )
        for each in estimates
    )
    write_table(book, AGREEMENT, AGREEMENT_COLUMNS, found, progress, frozen=2)

"""Card that compares judgments of assessors with imported ratings."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from irjudge.audit import STATISTICS, RaterComparison, RatingConflict, RatingsComparison
from irjudge.stats import JudgeStatistic
from irjudge.stats.agreement import AgreementEstimate
from irjudge_ui.charts import (
    EMPTY_MATRIX,
    IntervalTable,
    IntervalValue,
    Matrix,
    MatrixArea,
    MatrixPlot,
)
from irjudge_ui.messages import filled, join_list, join_sentences, translate, translate_message
from irjudge_ui.models import Column, IntervalColumn, IntervalModel, TableModel
from irjudge_ui.pages.shared import update_sorted_rows
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FilterLine,
    SideBySide,
    Table,
    column,
    fill_choices,
    make_container,
    make_label,
    row,
)

MAX_RATERS, MAX_CONFLICTS = 6, 8  # maximum numbers of rows shown at once
NARROW_WIDTH = 860  # width below which the card has one column
LENIENCY_STATISTIC, AGREEMENT_COUNT = STATISTICS[-1], len(STATISTICS) - 1


@dataclass(frozen=True, slots=True, eq=False)
class RatingsResult:
    """Comparison of judgments with imported ratings, with titles of topics and documents.

    `topics` contains the titles of all topics, `titles` those of documents with conflicts, by id. A
    `RatingsCard` shows the comparison.
    """

    comparison: RatingsComparison
    topics: Mapping[str, str]
    titles: Mapping[str, str]


class RatingsCard(QWidget):
    """Card of the agreement page that compares judgments with imported ratings.

    A rater is an assessor who judged the same documents again, or the consensus of all assessors.
    The user selects the imported ratings. Raters and conflicts (topic–document pairs with at least
    one judgment that differs from the rating) are in tables with filters.

    For the selected rater the card shows agreement statistics, the confusion matrix, and the new
    grades for each imported grade. The page computes the comparison.
    """

    chosen = Signal()  # emitted when the user selects other imported ratings
    opened = Signal(str, str)  # emitted with the topic and document to open

    def __init__(self) -> None:
        super().__init__()
        self.result: RatingsResult | None = None
        self.source = ChoiceBox(
            name=self.tr("Imported ratings"), activated=lambda _index: self.chosen.emit()
        )
        self.raters = TableModel()
        self.statistics = IntervalModel()
        self.grades = TableModel()
        self.conflicts = TableModel()
        self.table = Table(self.raters, self.tr("Compared with imported ratings"), rows=MAX_RATERS)
        self._intervals = IntervalTable(
            self.statistics, self.tr("Agreement with imported ratings"), rows=AGREEMENT_COUNT
        )
        self._by_grade = Table(
            self.grades, self.tr("New grades for each imported grade"), rows=MAX_RATERS
        )
        self.conflict_table = Table(
            self.conflicts,
            self.tr("Judgments that differ from the imported ratings"),
            stretch=1,
            rows=MAX_CONFLICTS,
        )
        self.confusion = MatrixPlot(self.tr("Imported and new grades"))
        self.message = make_label("", "quiet")
        self._pairs_label = make_label("", "heading")
        self._conflict_label = make_label("", "quiet")
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._show_rater()
        )
        self.conflict_table.opened.connect(self._open)

    def _lay_out(self) -> None:
        self._statistics_part = make_container(
            column(
                FilterLine(self.table),
                self.table,
                self._pairs_label,
                SideBySide(
                    column(
                        FilterLine(self._intervals),
                        self._intervals,
                        FilterLine(self._by_grade),
                        self._by_grade,
                        None,
                    ),
                    column(
                        make_label(
                            self.tr(
                                "Number of times each grade was given when the imported grade is "
                                "the grade on the left."
                            ),
                            "small",
                        ),
                        MatrixArea(self.confusion, self.confusion.accessibleName()),
                        None,
                    ),
                    NARROW_WIDTH,
                    (3, 2),
                ),
                spacing=SPACE_M,
            ),
        )
        self._conflicts_part = make_container(
            column(
                make_label(self.tr("Judgments that differ from the imported rating"), "heading"),
                self._conflict_label,
                FilterLine(self.conflict_table),
                self.conflict_table,
            )
        )
        self.setLayout(
            column(
                row(make_label(self.tr("Compared with imported ratings"), "heading"), self.source),
                self.message,
                self._statistics_part,
                self._conflicts_part,
                spacing=SPACE_M,
            )
        )

    def offer(self, names: Sequence[str]) -> None:
        fill_choices(self.source, [(name, name) for name in names])
        self.source.setVisible(len(names) > 1)

    def show_message(self, message: str) -> None:
        self.result = None
        self.message.setText(message)
        for model in (self.raters, self.statistics, self.grades, self.conflicts):
            model.fill(())
        self.confusion.show_matrix(EMPTY_MATRIX)
        for part in (self._statistics_part, self._conflicts_part):
            part.hide()

    def show_comparison(self, result: RatingsResult, decimals: int) -> None:
        self.result, comparison = result, result.comparison
        self._statistics_part.show()
        self._conflicts_part.show()
        self.message.setText(_describe_counts(comparison))
        update_sorted_rows(self.table, self.raters, comparison.raters, _rater_columns(decimals))
        if not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.table.model().index(0, 0))
        update_sorted_rows(
            self.conflict_table,
            self.conflicts,
            comparison.conflicts,
            _conflict_columns(result),
            (0, 2),
        )
        self._conflict_label.setText(
            filled(
                self.tr(
                    "Pairs: {count}, largest difference first. Press Enter to open the document."
                ),
                count=f"{len(comparison.conflicts):,}",
            )
            if comparison.conflicts
            else self.tr("All judgments agree with the imported ratings.")
        )
        self.conflict_table.setVisible(bool(comparison.conflicts))
        self._show_rater()

    def _show_rater(self) -> None:
        if self.result is None or not self.table.currentIndex().isValid():
            return
        rater: RaterComparison = self.raters.at(self.table.currentIndex())
        self._pairs_label.setText(_get_display_name(rater))
        statistics = [
            statistic for statistic in rater.statistics if statistic.name != LENIENCY_STATISTIC
        ]
        update_sorted_rows(
            self._intervals, self.statistics, statistics, statistic_columns(statistics)
        )
        update_sorted_rows(self._by_grade, self.grades, rater.grades, _grade_columns())
        names = [str(grade) for grade in rater.confusion.scale]
        counts = rater.confusion.total.astype(np.float64)
        self.confusion.show_matrix(
            Matrix(
                names,
                names,
                counts,
                float(counts.max()),
                0,
                self.tr("imported grade"),
                self.tr("given grade"),
            )
        )

    def _open(self, row_number: int) -> None:
        conflict: RatingConflict = self.conflicts.at(self.conflicts.index(row_number, 0))
        self.opened.emit(conflict.topic, conflict.document)


def _describe_counts(comparison: RatingsComparison) -> str:
    unjudgeable_count = sum(
        rater.unjudgeable for rater in comparison.raters if not rater.is_consensus
    )
    return join_sentences(
        filled(
            translate(
                "RatingsCard",
                "Imported ratings from {source}: {ratings}; rejudged: {judged}; judged "
                "differently: {conflicts}.",
            ),
            source=comparison.source,
            ratings=f"{comparison.ratings:,}",
            judged=f"{comparison.judged:,}",
            conflicts=f"{len(comparison.conflicts):,}",
        ),
        filled(
            translate(
                "RatingsCard",
                "Ratings skipped because their grade is not on the scale: {off_scale}.",
            ),
            off_scale=f"{comparison.off_scale:,}",
        )
        if comparison.off_scale
        else "",
        filled(
            translate(
                "RatingsCard",
                "Ratings not counted because the document was marked unjudgeable: {refused}.",
            ),
            refused=f"{unjudgeable_count:,}",
        )
        if unjudgeable_count
        else "",
    )


def _get_display_name(rater: RaterComparison) -> str:
    return (
        translate("RatingsCard", "Consensus of all assessors") if rater.is_consensus else rater.name
    )


def _rater_columns(decimals: int) -> list[Column]:
    tooltips = {
        "raw-agreement": translate(
            "RatingsCard", "Number of judgments that equal the imported grade"
        ),
        "kappa": translate(
            "RatingsCard", "Chance-corrected agreement: 0 is chance level, 1 is full agreement"
        ),
        "kappa-quadratic": translate(
            "RatingsCard", "Chance-corrected agreement, with partial credit for close grades"
        ),
        "alpha-ordinal": translate("RatingsCard", "Krippendorff's alpha, ordinal"),
        LENIENCY_STATISTIC: translate(
            "RatingsCard",
            "Mean of the assessor's grades minus mean of the imported grades; a value above 0 "
            "means that the assessor is more lenient",
        ),
    }
    headers = (
        translate("RatingsCard", "Same grade"),
        "κ",
        translate("RatingsCard", "Quadratic kappa"),
        "α",
        translate("RatingsCard", "Leniency"),
    )
    formats: dict[str, Callable[[float], str]] = {
        "raw-agreement": _format_percent,
        LENIENCY_STATISTIC: partial(_format_signed, decimals=decimals),
    }
    format_value = partial(format_number, decimals=decimals)
    return [
        Column(translate("RatingsCard", "Assessor"), _get_display_name),
        Column(
            translate("RatingsCard", "Pairs"), lambda row: row.pairs, "{:,}".format, number=True
        ),
        *(
            Column(
                header,
                partial(_get_value, index=index),
                formats.get(name, format_value),
                number=True,
                help=tooltips[name],
            )
            for index, (name, header) in enumerate(zip(STATISTICS, headers, strict=True))
        ),
    ]


def statistic_columns(statistics: Sequence[JudgeStatistic]) -> list[Column]:
    """Return the table columns: statistic, and value with interval."""
    floor = min(
        [
            0.0,
            *(
                number
                for statistic in statistics
                for number in (statistic.value, statistic.low)
                if number is not None
            ),
        ]
    )
    return [
        Column(translate("RatingsCard", "Statistic"), lambda row: translate_message(row.title)),
        IntervalColumn(
            translate("RatingsCard", "Value"),
            lambda row: float("nan") if row.value is None else row.value,
            help=translate("RatingsCard", "Value with its 95 % interval, from resampled topics"),
            span=partial(to_interval_value, floor=floor, decimals=2),
            without=translate("RatingsCard", "undefined"),
        ),
    ]


def _grade_columns() -> list[Column]:
    return [
        Column(
            translate("RatingsCard", "Imported"),
            lambda row: row.grade,
            help=translate("RatingsCard", "Imported grade"),
        ),
        Column(
            translate("RatingsCard", "Pairs"), lambda row: row.pairs, "{:,}".format, number=True
        ),
        Column(
            translate("RatingsCard", "Same"),
            lambda leniency: 1 - leniency.too_high - leniency.too_low,
            _format_percent,
            number=True,
        ),
        Column(
            translate("RatingsCard", "Mean grade"),
            lambda row: row.mean,
            "{:.2f}".format,
            number=True,
        ),
        Column(
            translate("RatingsCard", "Graded higher"),
            lambda row: row.too_high,
            _format_percent,
            number=True,
        ),
        Column(
            translate("RatingsCard", "Graded lower"),
            lambda row: row.too_low,
            _format_percent,
            number=True,
        ),
    ]


def _conflict_columns(result: RatingsResult) -> list[Column]:
    return [
        Column(
            translate("RatingsCard", "Topic"),
            lambda row: result.topics.get(row.topic) or row.topic,
            also=lambda row: row.topic,
        ),
        Column(translate("RatingsCard", "Title"), lambda row: result.titles.get(row.document, "")),
        Column(translate("RatingsCard", "Document"), lambda row: row.document),
        Column(translate("RatingsCard", "Imported"), lambda row: row.imported_grade, number=True),
        Column(
            translate("RatingsCard", "Grades by assessor"),
            lambda row: join_list(map(" ".join, row.judgments)),
        ),
        Column(translate("RatingsCard", "Difference"), lambda row: row.difference, number=True),
    ]


def _get_value(rater: RaterComparison, index: int) -> float:
    value = rater.statistics[index].value
    return float("nan") if value is None else value


def to_interval_value(
    statistic: AgreementEstimate | JudgeStatistic, floor: float, decimals: int
) -> IntervalValue | None:
    """Return a statistic with its interval for display; None if the value is undefined."""
    if statistic.value is None:
        return None
    return IntervalValue(
        statistic.value,
        statistic.low,
        statistic.high,
        floor,
        1.0,
        format_number(statistic.value, decimals),
        ""
        if statistic.low is None or statistic.high is None
        else f"{format_number(statistic.low, 2)} – {format_number(statistic.high, 2)}",
    )


def _format_percent(share: float) -> str:
    return "–" if share != share else f"{100 * share:.0f} %"


def format_number(value: float, decimals: int) -> str:
    """Return a number with a minus sign instead of a hyphen; a dash for NaN."""
    return "–" if value != value else f"{value:.{decimals}f}".replace("-", "−")


def _format_signed(value: float, decimals: int) -> str:
    return (
        "–" if value != value else f"{value:{'+' if value else ''}.{decimals}f}".replace("-", "−")
    )

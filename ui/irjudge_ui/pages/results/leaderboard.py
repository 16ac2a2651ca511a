"""Leaderboard: table of runs and measures, with marks of significance and ranks."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from irjudge.evaluation import (
    MIN_TOPICS,
    Evaluation,
    Policy,
    RunRank,
    evaluate_project,
    find_leaders,
    format_rank_range,
    intervals,
    rank_runs,
    runs_best_first,
)
from irjudge.judging import QrelsChoice
from irjudge.metrics import Measure
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge_ui.charts import compute_spans
from irjudge_ui.jobs import CLUSTER_WORKERS, Failure, LatestJob
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.models import Cell, Column, ScoreColumn, ScoreModel, TableModel, format_decimal
from irjudge_ui.pages.shared import describe_qrels_source
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    CELL_PADDING,
    PREFIX_ROLE,
    SECOND_LINE_ROLE,
    SIGN_ROLE,
    SPACE_M,
    TABLE_ROW_HEIGHT,
    FilterLine,
    ScoreDelegate,
    Table,
    card,
    column,
    make_button,
    make_flow,
    make_label,
    show_text,
    with_tooltip,
)

# Table of runs and measures: results, columns and widget

SAME_AS_BEST_SIGN = "≈"
# minimum share of unjudged documents among the first 10 for which a warning is shown
MIN_WARNED_UNJUDGED_SHARE = 0.3
MAX_TALL_ROWS = 12  # maximum number of runs for which rows have the normal height
DENSE_ROW_HEIGHT = 1.7  # row height in text heights if there are more than `MAX_TALL_ROWS` runs
TALL_ROW_HEIGHT = 3.2  # row height in text heights if rows have a second line

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Results:
    """Values that the evaluation page shows: an evaluation of the runs, and titles of topics.

    `values` contains all values as one array of shape (measures, runs, topics), in the order of
    `table.measures`, `table.runs` and `topics`; the values of a run are NaN for topics on which it
    was not evaluated. `titles` are the titles of all topics of the project, by id.
    """

    table: Evaluation
    topics: tuple[str, ...]
    values: Floats
    titles: Mapping[str, str]


def build_results(
    project: Project,
    measures: Sequence[Measure],
    policy: Policy,
    choice: QrelsChoice | None,
    progress: Progress,
) -> Results:
    """Evaluate the runs of a project, and return the values with the titles of topics."""
    with CLUSTER_WORKERS.provide_workers(progress) as workers:
        table = evaluate_project(project, measures, policy, choice, progress, workers=workers)
    titles = project.collection.topic_titles()
    return Results(table, table.topics, table.topic_values(), titles)


# Computations that run in the background once the table is shown


def significance_signs(table: Evaluation, progress: Progress) -> dict[Cell, str]:
    """Return a sign for each value that does not differ significantly from the best run's value."""
    leaders = find_leaders(table, progress=progress)
    best_values = [
        float(runs_best_first(table, index)[0].summary[index]) if table.runs else 0.0
        for index in range(len(leaders))
    ]
    return {
        (row, index + 1): SAME_AS_BEST_SIGN
        for row, run in enumerate(table.runs)
        for index, names in enumerate(leaders)
        if run.run in names and run.summary[index] != best_values[index]
    }


def format_intervals(table: Evaluation, decimals: int, progress: Progress) -> dict[Cell, str]:
    """Return the text of the confidence interval of each mean, by cell.

    Runs with too few topics have no intervals.
    """
    lines: dict[Cell, str] = {}
    # only arithmetic means have intervals
    is_macro = table.policy.average == "macro"
    means = [is_macro and measure.declaration.is_arithmetic_mean for measure in table.measures]
    for row, run in enumerate(table.runs):
        progress.step(row, len(table.runs), run.run)
        if len(run.topics) < MIN_TOPICS:
            continue
        for index, (low, high) in zip(
            np.flatnonzero(means).tolist(), intervals(run.values[means]).tolist(), strict=True
        ):
            lines[row, index + 1] = f"{low:.{decimals}f}–{high:.{decimals}f}"
    return lines


# Columns


def run_columns(
    table: Evaluation, decimals: int, ranks: Mapping[str, RunRank] | None, *, coverage: bool
) -> list[Column]:
    """Return the table columns: run, measures, coverage, unjudged documents, and ranks.

    Coverage columns are added if `coverage` is True. `ranks` are the ranks by run; None until the
    runs have been compared, and empty if they cannot be ranked.
    """
    columns = [Column(translate("EvaluateView", "Run"), lambda run: run.run)]
    for index, measure in enumerate(table.measures):
        is_mean = measure.declaration.summary != "sum"
        value = lambda run, index=index: float(run.summary[index])  # noqa: E731 -- needs a default argument
        columns.append(
            ScoreColumn(
                measure.name,
                value,
                partial(format_decimal, decimals=decimals if is_mean else 0),
                number=True,
                help=translate_message(measure.definition),
                best=is_mean and measure.direction != 0 and table.is_rankable,
                rising=measure.direction < 0,
                heat=is_mean and table.is_rankable,
            )
        )
    if coverage:
        columns += _coverage_columns()
    return [
        *columns,
        Column(
            translate("EvaluateView", "Unjudged@10"),
            lambda run: run.coverage.unjudged_top,
            lambda share: f"{100 * share:.0f} %",
            number=True,
            rising=True,
            help=translate(
                "EvaluateView",
                "Share of unjudged documents in the top 10; unjudged documents count as not "
                "relevant here",
            ),
        ),
        *_rank_column(table, ranks),
    ]


def _rank_column(table: Evaluation, ranks: Mapping[str, RunRank] | None) -> list[Column]:
    if len(table.runs) < 2 or not table.measures or not table.is_rankable or ranks == {}:
        return []
    known_ranks = ranks or {}
    last_ranks = (len(table.runs) + 1,) * 2
    return [
        Column(
            translate("EvaluateView", "Possible ranks"),
            lambda run: (
                (rank.highest, rank.lowest) if (rank := known_ranks.get(run.run)) else last_ranks
            ),
            lambda ends: "" if ends is last_ranks else format_rank_range(*ends),
            number=True,
            rising=True,
            help=filled(
                translate(
                    "EvaluateView",
                    "Ranks by {name}: each run comes after the runs that are significantly better "
                    "and before those that are significantly worse (paired t-test of each pair of "
                    "runs, Holm)",
                ),
                name=table.measures[0].name,
            ),
        )
    ]


def _coverage_columns() -> list[Column]:
    count_column = partial(Column, show="{:,}".format, number=True)
    return [
        count_column(
            translate("EvaluateView", "Topics"),
            lambda run: run.coverage.topics,
            help=translate("EvaluateView", "Topics averaged"),
        ),
        count_column(
            translate("EvaluateView", "Missing"),
            lambda run: run.coverage.missing,
            help=translate("EvaluateView", "Topics of the qrels that are missing from the run"),
        ),
        count_column(
            translate("EvaluateView", "Not in qrels"),
            lambda run: run.coverage.unjudged_topics,
            help=translate("EvaluateView", "Topics of the run that are missing from the qrels"),
        ),
        count_column(
            translate("EvaluateView", "None relevant"),
            lambda run: run.coverage.without_relevant,
            help=translate(
                "EvaluateView",
                "Topics without a relevant document, included in the average with a score of 0",
            ),
        ),
        count_column(
            translate("EvaluateView", "Tied"),
            lambda run: run.coverage.tied,
            help=translate(
                "EvaluateView", "Documents with the same score as another document in the run"
            ),
        ),
    ]


class ScoreTable(Table):
    """Table of a `Leaderboard`, with the scores of a `ScoreModel`; it is read-only.

    Rows can have a second line below the numbers, which shows intervals. At first the table is
    sorted by the first measure, best run first.
    """

    is_tall = False

    def __init__(self, model: ScoreModel, name: str, *, rows: int = 0) -> None:
        self._scores = model
        super().__init__(model, name, rows=rows)
        self._delegate = ScoreDelegate(self)
        self.setItemDelegate(self._delegate)
        self.sort_best_first(1)

    def set_tall(self, is_tall: bool) -> None:
        if is_tall != self.is_tall:
            self.is_tall = is_tall
            self.fit()

    def fit(self) -> None:
        self.set_row_height()
        super().fit()

    def set_row_height(self) -> None:
        lines = DENSE_ROW_HEIGHT if len(self._scores.rows) > MAX_TALL_ROWS else TABLE_ROW_HEIGHT
        self.verticalHeader().setDefaultSectionSize(
            round(self.fontMetrics().height() * (TALL_ROW_HEIGHT if self.is_tall else lines))
        )

    def _minimum_width(self, section: int) -> int:
        """Return the minimum width of a column.

        The column of run names is wide enough for whole names, up to a readable width, since names
        often differ only in their last characters.
        """
        readable_width = min(
            self._natural_width(section), self.fontMetrics().height() * self.readable
        )
        return readable_width if section == self._stretch else super()._minimum_width(section)

    def _content_width(self, section: int) -> int:
        metrics = self.fontMetrics()
        if section == self._stretch:
            prefix_width = max(
                map(metrics.horizontalAdvance, self._scores.annotations(PREFIX_ROLE).values()),
                default=0,
            )
            self._delegate.aside = prefix_width + SPACE_M if prefix_width else 0
            return super()._content_width(section) + self._delegate.aside
        texts = [
            *self._scores.find_extreme_texts(section),
            self._scores.longest_second_line(section),
        ]
        return (
            max(map(metrics.horizontalAdvance, texts))
            + metrics.horizontalAdvance(SAME_AS_BEST_SIGN)
            + 2 * CELL_PADDING
        )


# maximum number of runs that each have a column; with more runs, there are columns only for the
# selected run, the median and the highest value
MAX_RUNS = 8
TOPIC_WIDTH = 6  # minimum width of the topic column in text heights, if there are many runs


class TopicValues(QWidget):
    """Card of the evaluation page with a table of a measure's values by topic, and a filter.

    The table has a row for each topic and a column for each run, the selected run of the
    leaderboard first. If there are more than `MAX_RUNS` runs, it has columns only for the selected
    run and for the median and the highest value of all runs.

    When the user opens a cell, `explained` is emitted with a run and a topic. The run is that of
    the column or, in the other columns, the selected run.
    """

    explained = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.model = TableModel()
        self._names: list[str] = []
        self._title = make_label(self.tr("By topic"), "heading")
        self.table = with_tooltip(
            Table(self.model, self.tr("Values by topic")),
            self.tr("Press Enter or double-click a number to see how it was computed"),
        )
        self.table.readable = TOPIC_WIDTH
        self.table.opened.connect(self._open)
        self.setLayout(column(card(self._title, FilterLine(self.table), self.table)))

    def show_values(self, results: Results, index: int, run: int, decimals: int) -> None:
        """Show the values of the measure with the index `index`; the column of `run` is first."""
        measure, values = results.table.measures[index], results.values[index]
        name = results.table.runs[run].run
        self._title.setText(filled(self.tr("{count} of {total}"), count=measure.name, total=name))
        other_runs = [other_run for other_run in range(len(values)) if other_run != run]
        names = [run.run for run in results.table.runs]
        if len(values) <= MAX_RUNS:
            self._names = [name, *(names[other_run] for other_run in other_runs)]
            displayed, headers = values[[run, *other_runs]], self._names
        else:
            self._names = [name]
            _, median, highest = compute_spans(values).T
            displayed = np.stack([values[run], median, highest])
            headers = [
                name,
                filled(
                    translate("TopicValues", "Median of {count} runs"), count=f"{len(values):,}"
                ),
                translate("TopicValues", "Highest"),
            ]
        self.model.fill(
            list(zip(results.topics, *displayed.tolist(), strict=True)),
            _columns(headers, decimals, measure, results.titles),
        )

    def enter(self) -> None:
        self.table.sort_best_first(1)
        self.table.setCurrentIndex(self.table.model().index(0, 1))
        self.table.setFocus()

    def _open(self, row: int) -> None:
        column = self.table.currentIndex().column()
        self.explained.emit(
            self._names[column - 1] if 1 <= column <= len(self._names) else self._names[0],
            str(self.table.model().index(row, 0).data()),
        )


def _columns(
    headers: Sequence[str], decimals: int, measure: Measure, titles: Mapping[str, str]
) -> list[Column]:
    return [
        Column(
            translate("EvaluateView", "Topic"),
            lambda line: line[0],
            also=lambda line: titles.get(line[0], ""),
        ),
        *(
            Column(
                header,
                itemgetter(index),
                partial(format_decimal, decimals=decimals),
                number=True,
                help=translate_message(measure.definition),
                rising=measure.direction < 0,
            )
            for index, header in enumerate(headers, 1)
        ),
    ]


def _list_cautions(table: Evaluation) -> list[str]:
    cautions = list[str]()
    if warning := table.topics_warning:
        cautions.append(translate_message(warning))
    highest = max(table.runs, key=lambda run: run.coverage.unjudged_top, default=None)
    if highest is not None and highest.coverage.unjudged_top >= MIN_WARNED_UNJUDGED_SHARE:
        cautions.append(
            filled(
                translate(
                    "EvaluateView",
                    "Up to {share} % of a run's top 10 documents are unjudged (run {run}), so "
                    "the values can change a lot with more judgments.",
                ),
                share=f"{100 * highest.coverage.unjudged_top:.0f}",
                run=highest.run,
            )
        )
    return cautions


# The leaderboard


class Leaderboard(QWidget):
    """Card with a table of runs and measures, on the evaluation page and that for files.

    The card has a filter, options, buttons and warnings. The values are summaries over topics, such
    as means, which the page has computed; on the evaluation page, the values by topic are on the
    card `TopicValues`. One button restricts the table to the selected or filtered runs, which are
    then ranked among each other. Marks of significance, intervals and ranks are computed in the
    background. `latest` creates a job runner of the page; `failed` is called with errors of jobs.
    """

    def __init__(
        self, settings: Settings, latest: Callable[[], LatestJob], failed: Failure, *, rows: int
    ) -> None:
        super().__init__()
        self._settings, self._failed = settings, failed
        self._differences_job, self._intervals_job, self._ranks_job = latest(), latest(), latest()
        self._table: Evaluation | None = None  # evaluation, including hidden runs
        # measure by which runs are ranked; empty if runs cannot be ranked; None before a table is
        # shown
        self._rank_measure: tuple[Measure, ...] | None = None
        # header and order of the sorted column, if further runs may add the column
        self._awaited_sorting: tuple[str, Qt.SortOrder] | None = None
        # ranks by run name; None until the runs have been compared
        self._rank_by_run: Mapping[str, RunRank] | None = None
        self._is_complete = False  # whether all runs have been read
        self._displayed_runs: frozenset[str] = frozenset()  # displayed runs; empty for all
        self.model = ScoreModel()
        self.table = ScoreTable(self.model, self.tr("Runs and measures"), rows=rows)
        self.basis_label, self.warning = (
            make_label("", "small"),
            make_label("", "warning", hidden=True),
        )
        self.options = {
            "table_colours": QCheckBox(self.tr("Colours")),
            "table_intervals": QCheckBox(self.tr("Intervals")),
            "table_coverage": QCheckBox(self.tr("Coverage")),
        }
        self.selected_only = make_button(
            self.tr("Show selected runs"),
            tooltip=self.tr(
                "Show and compare only the selected runs; select several with Ctrl or Shift"
            ),
            clicked=lambda: self.show_only(self._chosen_runs()),
        )
        self.all_runs = make_button(
            self.tr("All runs"), clicked=lambda: self.show_only(frozenset())
        )
        self.count_missing = make_button(
            self.tr("Include missing topics"),
            tooltip=self.tr(
                "Average over all topics in the qrels, so that the runs can be ranked; a topic "
                "missing from a run counts as an empty ranking"
            ),
        )
        self.count_missing.hide()
        self.filter = FilterLine(self.table)
        tools = make_flow(
            *self.options.values(), self.selected_only, self.all_runs, self.count_missing
        )
        parts = (tools, self.warning, self.filter, self.table, self.basis_label)
        self.setLayout(column(card(*parts, margin=SPACE_M)))
        self._connect()

    def _connect(self) -> None:
        for name, box in self.options.items():
            box.setChecked(bool(self._settings.get(name)))
            box.toggled.connect(lambda is_on, name=name: self._choose_option(name, is_on))
        self.model.set_coloured(coloured=self.options["table_colours"].isChecked())
        self.table.selectionModel().selectionChanged.connect(
            lambda _current, _previous: self._update_run_buttons()
        )
        self.filter.line.textChanged.connect(lambda _text: self._update_run_buttons())
        self._update_run_buttons()

    # Called by the page

    def clear(self) -> None:
        self.stop()
        self._table, self._displayed_runs = None, frozenset()
        self.warning.hide()
        self.model.fill(())

    def stop(self) -> None:
        for job in (self._differences_job, self._intervals_job, self._ranks_job):
            job.stop()

    def show_table(self, table: Evaluation, *, complete: bool = True) -> None:
        """Show an evaluation; if `complete` is False, further runs will follow."""
        self.stop()
        old_cell = self._current_cell() if self._is_complete else ("", 1)
        self._table, self._rank_by_run, self._is_complete = table, None, complete
        if not self._displayed_runs <= {run.run for run in table.runs}:
            self._restrict_runs(frozenset())
        self._fill(old_cell)
        if complete:
            self._find_differences(table)
            self._find_intervals()

    def show_only(self, runs: frozenset[str]) -> None:
        """Show only some runs, and compare them with each other; an empty set means all runs."""
        self._restrict_runs(runs)
        if self._table:
            displayed = self._select_displayed(self._table)
            self._ranks_job.run(
                lambda _progress: rank_runs(displayed), self._show_ranks, self._failed
            )

    def _restrict_runs(self, runs: frozenset[str]) -> None:
        self._displayed_runs = runs
        self.model.restrict_rows((lambda run: run.run in runs) if runs else None)
        self._update_run_buttons()

    # Display

    def _chosen_runs(self) -> frozenset[str]:
        indexes = self.table.selectionModel().selectedRows()
        if len(indexes) < 2:
            indexes = (
                [self.model.index(table_row, 0) for table_row in range(self.model.rowCount())]
                if self.filter.line.text()
                else []
            )
        return frozenset(self.model.at(index).run for index in indexes)

    def _update_run_buttons(self) -> None:
        self.selected_only.setEnabled(len(self._chosen_runs()) > 1)
        self.all_runs.setVisible(bool(self._displayed_runs))

    @property
    def _decimals(self) -> int:
        return int(self._settings.get("decimals"))

    def _current_cell(self) -> tuple[str, int]:
        """Return the run name and the column of the current cell; ("", 1) if there is none."""
        index = self.table.currentIndex()
        return self.model.at(index).run if index.isValid() else "", max(1, index.column())

    def _fill(self, old_cell: tuple[str, int]) -> None:
        table, (run_name, column) = self._table, old_cell
        if table is None:
            return
        sort_header = self.table.horizontalHeader()
        old_headers = [column.header for column in self.model.columns]
        sort_column = sort_header.sortIndicatorSection()
        self.model.fill(
            table.runs,
            run_columns(
                table,
                self._decimals,
                self._rank_by_run,
                coverage=self.options["table_coverage"].isChecked(),
            ),
        )
        sorting = self._awaited_sorting if self.table.is_sorted_by(1) else None
        if 1 < sort_column < len(old_headers):
            sorting = old_headers[sort_column], sort_header.sortIndicatorOrder()
        self._awaited_sorting = None
        if sorting:  # the column may have another index, or be missing
            headers = [column.header for column in self.model.columns]
            if sorting[0] in headers:
                self.table.sortByColumn(headers.index(sorting[0]), sorting[1])
            else:
                self.table.sort_best_first(1)
                self._rank_measure = None
                self._awaited_sorting = None if self._is_complete else sorting
        self._sort(table)
        self._show_basis(table)
        if table.runs:
            row = next((row for row, run in enumerate(table.runs) if run.run == run_name), -1)
            table_row = max(0, self.model.line_of(row).row())
            self.table.setCurrentIndex(
                self.model.index(table_row, min(column, len(table.measures)))
            )

    def _sort(self, table: Evaluation) -> None:
        """Sort the runs by the first measure, best first, if this measure has changed.

        Runs that cannot be ranked are in the given order. If the user has sorted by another column,
        that order is kept.
        """
        rank_measure = table.measures[:1] if table.is_rankable else ()
        if rank_measure != self._rank_measure and (
            self.table.is_sorted_by(1) or self.table.is_sorted_by(-1)
        ):
            if rank_measure:  # sorted again, since low values can be better by the new measure
                self.table.sort_best_first(1)
            else:
                self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self._rank_measure = rank_measure
        self.count_missing.setVisible(not table.is_rankable)

    def _show_basis(self, table: Evaluation) -> None:
        counts = sorted({run.coverage.topics for run in table.runs})
        if len(counts) == 1:
            topic_text = str(counts[0])
        elif counts:
            topic_text = f"{counts[0]}–{counts[-1]}"
        else:
            topic_text = "0"
        parts = [
            describe_qrels_source(table.source),
            filled(
                self.tr("Topics averaged: {topics} · {policy}."),
                topics=topic_text,
                policy=translate_message(str(table.policy)),
            ),
        ]
        if highest_grade := table.highest:
            parts.append(
                filled(
                    self.tr("Highest grade of the scale: {grade} ({source})."),
                    grade=highest_grade.grade,
                    source=translate_message(highest_grade.source),
                )
            )
        if table.is_rankable and len(table.runs) > 1:
            parts.append(
                filled(
                    self.tr(
                        "Bold: the best run. ≈: not significantly worse than the best run (paired "
                        "t-test of each run with the best, Holm over {count} comparisons)."
                    ),
                    count=f"{len(table.runs) - 1:,}",
                )
            )
        if self._rank_by_run:
            run_count = len(self._rank_by_run)
            parts.append(
                filled(
                    self.tr(
                        "Ranks by {name}: runs with the same ranks do not differ significantly "
                        "from the best of them in pairwise comparisons (paired t-test, Holm over "
                        "{runs} comparisons). With more comparisons, fewer differences are "
                        "significant, so a run without ≈ may share ranks with the best."
                    ),
                    name=table.measures[0].name,
                    runs=f"{run_count * (run_count - 1) // 2:,}",
                )
            )
        self.basis_label.setText(join_sentences(*parts))
        cautions = _list_cautions(table) if self._is_complete else []
        show_text(self.warning, "\n".join(f"⚠ {caution}" for caution in cautions))

    def _choose_option(self, name: str, is_on: bool) -> None:
        self._settings.set(name, is_on)
        if name == "table_colours":
            self.model.set_coloured(coloured=is_on)
        elif name == "table_intervals":
            self._find_intervals()
        else:
            self._refill()

    def _refill(self) -> None:
        annotations = {
            role: self.model.annotations(role)
            for role in (SIGN_ROLE, SECOND_LINE_ROLE, PREFIX_ROLE)
        }
        self._fill(self._current_cell())
        for role, annotation in annotations.items():
            self.model.set_annotations(role, annotation)
        self.table.fit()

    def _find_intervals(self) -> None:
        table = self._table
        decimals = self._decimals
        shows_intervals = self.options["table_intervals"].isChecked()
        self.table.set_tall(shows_intervals)
        if not shows_intervals:
            self._intervals_job.stop()
            self.model.set_annotations(SECOND_LINE_ROLE, {})
        elif table:
            self._intervals_job.run(
                lambda progress: format_intervals(table, decimals, progress),
                self._show_intervals,
                self._failed,
            )

    def _show_intervals(self, lines: dict[Cell, str]) -> None:
        self.model.set_annotations(SECOND_LINE_ROLE, lines)
        self.table.fit()

    def _find_differences(self, table: Evaluation) -> None:
        """Compare all runs with the best run, then compare all pairs of displayed runs.

        One job does both, since two parallel jobs would slow down the window more.
        """
        displayed, displayed_runs = self._select_displayed(table), self._displayed_runs

        def show_comparisons(differences: tuple[dict[Cell, str], tuple[RunRank, ...]]) -> None:
            self.model.set_annotations(SIGN_ROLE, differences[0])
            if displayed_runs == self._displayed_runs:
                self._show_ranks(differences[1])

        self._differences_job.run(
            lambda progress: (significance_signs(table, progress), rank_runs(displayed)),
            show_comparisons,
            self._failed,
        )

    def _select_displayed(self, table: Evaluation) -> Evaluation:
        return replace(
            table,
            runs=tuple(
                run
                for run in table.runs
                if not self._displayed_runs or run.run in self._displayed_runs
            ),
        )

    def _show_ranks(self, ranks: tuple[RunRank, ...]) -> None:
        self._rank_by_run = {rank.run: rank for rank in ranks}
        rows = [run.run for run in self.model.rows]
        self.model.set_annotations(
            PREFIX_ROLE, {(rows.index(rank.run), 0): rank.group for rank in ranks}
        )
        self._refill()

"""Agreement page: agreement overall, by pair, topic and grade, and its effect on rankings."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import Any

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, QTime, QTimer
from PySide6.QtWidgets import QWidget

from irjudge.audit import (
    ProjectAgreement,
    compare_ratings,
    measure_project_agreement,
    read_named_labels,
)
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    CONSENSUS,
    MIN_SYSTEMS,
    AssessorOrderings,
    assessor_orderings,
    parse_measures,
)
from irjudge.judging import (
    ASSESSOR_GROUPS,
    Group,
    group_assessors,
    list_counted_assessors,
    read_counted_group,
    set_counted_group,
)
from irjudge.model import Floats, Labels
from irjudge.progress import Progress
from irjudge.stats import Sampling, parse_statistics
from irjudge.stats.agreement import (
    AGREEMENT,
    AgreementEstimate,
)
from irjudge.stats.consensus import DisagreedDocument
from irjudge.store import Project
from irjudge_ui.charts import (
    EMPTY_MATRIX,
    IntervalTable,
    Matrix,
    MatrixArea,
    MatrixPlot,
)
from irjudge_ui.messages import filled, join_list, join_sentences, translate, translate_message
from irjudge_ui.models import Column, IntervalColumn, IntervalModel, TableModel
from irjudge_ui.pages.assessors.ratings_card import (
    RatingsCard,
    RatingsResult,
    format_number,
    to_interval_value,
)
from irjudge_ui.pages.project import TopicRequest
from irjudge_ui.pages.session import controller_of
from irjudge_ui.pages.shared import (
    EvaluationOptions,
    StatefulView,
    open_document,
    stored_options,
    update_sorted_rows,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FilterLine,
    PageScrollArea,
    SideBySide,
    Table,
    card,
    column,
    fill_choices,
    make_flow,
    make_label,
    row,
    show_text,
    with_label,
    with_tooltip,
)
from irjudge_ui.workspace import StateMessage

# Texts of the agreement page: columns of its tables, and explanations of values

# columns of the table of documents on which assessors disagree
TOPIC_COLUMN, TITLE_COLUMN, DOCUMENT_COLUMN = range(3)
# sentences that explain a value as a number of cases out of 100, for statistics that are shares
SHARE_MEANINGS = {
    "raw-agreement": QT_TRANSLATE_NOOP(
        "AgreementView",
        "When two assessors grade the same document, they give the same grade in about {count} of "
        "100 cases.",
    ),
    "positive-agreement": QT_TRANSLATE_NOOP(
        "AgreementView",
        "A document that one assessor judges relevant is also judged relevant by another "
        "assessor in about {count} of 100 cases.",
    ),
    "overlap": QT_TRANSLATE_NOOP(
        "AgreementView",
        "Of 100 documents that at least one assessor judges relevant, about {count} are judged "
        "relevant by all assessors.",
    ),
    "prevalence": QT_TRANSLATE_NOOP(
        "AgreementView",
        "About {count} of 100 grades count as relevant. For the same raw agreement, kappa is "
        "lower when relevant grades are rarer.",
    ),
}
ABOVE_CHANCE_TEXT = QT_TRANSLATE_NOOP(
    "AgreementView",
    "Agreement is about {count} % of the way from chance level (0) to full agreement (1).",
)
AT_CHANCE_TEXT = QT_TRANSLATE_NOOP("AgreementView", "Agreement is at chance level.")


def statistic_title(estimate: AgreementEstimate) -> str:
    """Return the title of a statistic, with its scale if the statistic has several scales."""
    declaration = AGREEMENT[estimate.statistic]
    title = translate_message(declaration.title)
    return (
        join_list((title, translate_message(estimate.scale)))
        if len(declaration.scalings) > 1
        else title
    )


def _define_statistic(estimate: AgreementEstimate) -> str:
    text = translate_message(AGREEMENT[estimate.statistic].about).removeprefix("Return ")
    return text[:1].upper() + text[1:]


def explain_value(estimate: AgreementEstimate) -> str:
    """Return a sentence that explains what a value means.

    The sentence does not state whether the agreement is sufficient, since this depends on the use
    of the qrels.
    """
    if estimate.value is None:
        return filled(
            translate("AgreementView", "Undefined: {reason}."),
            reason=translate_message(estimate.reason),
        )
    percent = f"{100 * estimate.value:.0f}"
    if estimate.statistic in SHARE_MEANINGS:
        text = filled(
            translate("AgreementView", str(SHARE_MEANINGS[estimate.statistic])), count=percent
        )
    elif estimate.value > 0:
        text = filled(translate("AgreementView", str(ABOVE_CHANCE_TEXT)), count=percent)
    else:
        text = translate("AgreementView", str(AT_CHANCE_TEXT))
    return join_sentences(
        text,
        _describe_basis(estimate),
        translate_message(f"{estimate.reason[0].upper()}{estimate.reason[1:]}.")
        if estimate.reason
        else "",
    )


def _describe_basis(estimate: AgreementEstimate) -> str:
    text = filled(
        translate(
            "AgreementView",
            "Based on the {used} of {total} documents that have at least two grades.",
        ),
        used=f"{estimate.used:,}",
        total=f"{estimate.total:,}",
    )
    if estimate.low is None or estimate.high is None:
        return text
    return join_sentences(
        text,
        filled(
            translate(
                "AgreementView",
                "95 % confidence interval: {low} to {high}.",
            ),
            low=format_number(estimate.low, 2),
            high=format_number(estimate.high, 2),
        ),
    )


def statistic_columns(estimates: Sequence[AgreementEstimate], decimals: int) -> list[Column]:
    """Return the table columns: statistic, value with interval, and number of cases used."""
    return [
        Column(translate("AgreementView", "Statistic"), statistic_title),
        _make_interval_column(
            translate("AgreementView", "Value"),
            translate("AgreementView", "Value with its 95 % interval"),
            _axis_floor(estimates),
            decimals,
        ),
        _used_column(),
    ]


def part_columns(
    header: str,
    statistics: Sequence[AgreementEstimate],
    floor: float,
    decimals: int,
    *,
    titles: Mapping[str, str] | None,
) -> list[Column]:
    """Return the columns of a table with the agreement for each pair, topic or grade.

    Each row is a tuple of estimates; the attribute `of` of an estimate is the pair, topic or grade.
    `titles` are the titles of topics, None for pairs and grades; with topics, the number of
    documents is also shown.
    """
    columns = [
        Column(
            header,
            lambda row: row[0].of,
            also=(lambda row: titles.get(row[0].of, "")) if titles is not None else None,
        )
    ]
    columns += [
        _make_interval_column(
            translate_message(AGREEMENT[statistic.statistic].title),
            _define_statistic(statistic),
            floor,
            decimals,
            itemgetter(index),
        )
        for index, statistic in enumerate(statistics)
    ]
    if titles is not None:
        basis_column = _used_column()
        columns.append(replace(basis_column, value=lambda row: basis_column.value(row[0])))
    return columns


def _used_column() -> Column:
    return Column(
        translate("AgreementView", "Documents used"),
        lambda row: (row.used, row.total),
        lambda counts: filled(
            translate("AgreementView", "{count} of {total}"),
            count=f"{counts[0]:,}",
            total=f"{counts[1]:,}",
        ),
        number=True,
        help=translate(
            "AgreementView",
            "Documents with at least two grades (agreement is computed from these only), out "
            "of all documents",
        ),
    )


def _make_interval_column(
    header: str,
    help_text: str,
    floor: float,
    decimals: int,
    get_estimate: Callable[[Any], AgreementEstimate] = lambda row: row,
) -> IntervalColumn:
    def get_sort_key(row: Any) -> float:
        value = get_estimate(row).value
        return float("nan") if value is None else value

    return IntervalColumn(
        header,
        get_sort_key,
        help=help_text,
        span=lambda row: to_interval_value(get_estimate(row), floor, decimals),
        without=translate("AgreementView", "undefined"),
    )


def _axis_floor(estimates: Sequence[AgreementEstimate]) -> float:
    return min(
        [
            0.0,
            *(
                estimate.low if estimate.low is not None else estimate.value
                for estimate in estimates
                if estimate.value is not None
            ),
        ]
    )


def _disagreement_columns(titles: Mapping[str, str]) -> list[Column]:
    return [
        Column(translate("AgreementView", "Topic"), lambda row: row.topic),
        Column(translate("AgreementView", "Title"), lambda row: titles.get(row.document, "")),
        Column(translate("AgreementView", "Document"), lambda row: row.document),
        Column(
            translate("AgreementView", "Grades by assessor"),
            lambda document: join_list(f"{name} {label}" for name, label in document.labels),
        ),
        Column(
            translate("AgreementView", "Difference"),
            lambda row: row.distance,
            number=True,
            help=translate(
                "AgreementView",
                "Difference between the highest and the lowest grade given; ✕ (unjudgeable) "
                "counts as the largest possible difference",
            ),
        ),
    ]


# The agreement page

DEFAULT_MEASURE = "nDCG@10"
# time between updates during a session: minimum in seconds, and minimum as a multiple of the
# computing time
UPDATE_SECONDS = 10.0
COMPUTING_TIME_FACTOR = 10
UPDATE_TIMER_MS = 1000
MAX_STATISTICS, MAX_PART_ROWS = 9, 8  # maximum numbers of rows shown at once
NARROW_WIDTH = 860


class AgreementView(StatefulView):
    """Agreement page: agreement statistics of assessors, disagreements, orders of systems.

    The page also compares judgments with imported ratings. The results are computed in the
    background. While the page is visible and this window serves a session, they are updated at
    intervals if there are new judgments.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._last_request: tuple[Any, ...] | None = None
        self._options: EvaluationOptions | None = None
        self._session_state, self._next_update = tuple[Any, ...](), 0.0
        self._job = self.latest(on_cancelled=lambda: self._clear_results(""))
        self._orders_job = self.latest(on_cancelled=self._forget_orders)
        self._ratings_job = self.latest(quiet=True)
        self.result: ProjectAgreement | None = None
        self.orders: AssessorOrderings | None = None
        self._order_matrices: list[Floats] = []  # correlations of the orders, by measure
        # last requested comparison with imported ratings
        self._ratings_request: tuple[Any, ...] | None = None
        self.ratings = RatingsCard()
        self.statistics, self.topics, self.grades = (IntervalModel() for _ in range(3))
        self.table = IntervalTable(
            self.statistics, self.tr("Agreement statistics"), rows=MAX_STATISTICS
        )
        self._topic_table = IntervalTable(
            self.topics, self.tr("Agreement by topic"), rows=MAX_PART_ROWS
        )
        self._topic_table.opened.connect(
            lambda row: self.opens.emit(
                "collection", TopicRequest(str(self._topic_table.model().index(row, 0).data()))
            )
        )
        self.disagreed = TableModel()
        self._disagreed_table = Table(
            self.disagreed, self.tr("Documents with disagreement"), stretch=1, rows=MAX_PART_ROWS
        )
        self._disagreed_table.opened.connect(self._open_document)
        self._grade_table = IntervalTable(
            self.grades, self.tr("Agreement by grade"), rows=MAX_PART_ROWS
        )
        self._make_choices()
        self.pair_plot = MatrixPlot(self.tr("Pairwise agreement"))
        self.order_plot = MatrixPlot(self.tr("Correlation of system rankings between assessors"))
        self._basis_label = make_label("", "quiet")
        self._title = make_label("", "heading")
        self._meaning = make_label()
        self._formula = make_label("", "quiet")
        self.description_label = make_label("", "quiet")
        self._pair_text, self._order_text = make_label("", "small"), make_label()
        self._lay_out()
        self.table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._explain()
        )
        self.ratings.chosen.connect(self.refresh)
        self.ratings.opened.connect(self._open_pair)
        self._update_timer = QTimer(self, interval=UPDATE_TIMER_MS)
        self._update_timer.timeout.connect(self.follow)
        self._update_timer.start()

    def _make_choices(self) -> None:
        self.group_box = with_tooltip(
            ChoiceBox(activated=lambda _index: self._count_group()),
            self.tr(
                "Choose the assessors to include here, on the Quality page, and in consensus, "
                "qrels and evaluation. All judgments are kept."
            ),
        )
        self.group_box.add_choices(
            zip(
                (self.tr("Everyone"), self.tr("Session participants"), self.tr("Other assessors")),
                ASSESSOR_GROUPS,
                strict=True,
            )
        )
        self.pair_statistic_box = ChoiceBox(
            name=self.tr("Statistic for two assessors"),
            activated=lambda _index: self._show_pairs(),
        )
        self.measure = ChoiceBox(
            name=self.tr("Measure used to rank the systems"),
            activated=lambda _index: self._show_orders(),
        )

    def _lay_out(self) -> None:
        upper_part = SideBySide(
            column(card(FilterLine(self.table), self.table, margin=SPACE_M)),
            column(card(self._title, self._meaning, self.description_label, self._formula, None)),
            NARROW_WIDTH,
            (3, 2),
        )
        self._disagreed_text = make_label("", "quiet")
        self._group_field = with_label(self.tr("Included assessors"), self.group_box)
        self._ratings = card(self.ratings)
        # parts that are shown only if there are at least two assessors
        self._two_assessor_parts = [
            upper_part,
            SideBySide(
                column(
                    card(
                        _make_headed_row(self.tr("Pairwise agreement"), self.pair_statistic_box),
                        MatrixArea(self.pair_plot, self.tr("Pairwise agreement")),
                        self._pair_text,
                    ),
                    None,
                ),
                column(
                    card(
                        _make_headed_row(self.tr("System rankings"), self.measure),
                        self._order_text,
                        MatrixArea(self.order_plot, self.tr("System rankings")),
                    ),
                    None,
                ),
                NARROW_WIDTH,
                (1, 1),
            ),
            card(
                make_label(self.tr("Documents with disagreement"), "heading"),
                self._disagreed_text,
                FilterLine(self._disagreed_table),
                self._disagreed_table,
            ),
            card(
                make_label(self.tr("Agreement by grade"), "heading"),
                make_label(
                    self.tr(
                        "Each grade against all others: when one assessor gives this grade, does "
                        "another assessor also give it?"
                    ),
                    "quiet",
                ),
                FilterLine(self._grade_table),
                self._grade_table,
            ),
            card(
                make_label(self.tr("By topic"), "heading"),
                FilterLine(self._topic_table),
                self._topic_table,
            ),
        ]
        self.put_parts(
            PageScrollArea(
                column(
                    column(
                        row(
                            make_label(self.tr("Agreement"), "title", wrap=False),
                            None,
                            self._group_field,
                        ),
                        self._basis_label,
                        self.problem,
                    ),
                    *self._two_assessor_parts,
                    self._ratings,
                    None,
                    spacing=SPACE_M,
                )
            ),
            self.table,
        )

    def _open_document(self, row_number: int) -> None:
        disagreed: DisagreedDocument = self.disagreed.at(self.disagreed.index(row_number, 0))
        self._open_pair(disagreed.topic, disagreed.document)

    def _open_pair(self, topic: str, document: str) -> None:
        if self.project:
            self.message_shown.emit(
                open_document(
                    self,
                    self.project,
                    document,
                    filled(self.tr("Topic {topic}"), topic=topic),
                    self.zoom,
                )
            )

    # Computation

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._clear_results("")
        self._ratings_request = None

    def refresh(self) -> None:
        if (project := self.project) is None:
            return
        self._options, groups = stored_options(project, self._settings), group_assessors(project)
        counting, group = list_counted_assessors(project), read_counted_group(project)
        self._offer_groups(group, has_several_groups=all(groups.values()))
        has_ratings = self._refresh_ratings(project, counting)
        self.show_state(
            _needs_two_message()
            if len(counting) < 2 and group == "everybody" and not has_ratings
            else None
        )
        for part in self._two_assessor_parts:
            part.setVisible(len(counting) > 1)
        if len(counting) < 2:
            self._clear_results(self.tr("Agreement needs judgments by two assessors."))
            return
        request = (
            project.events.count(),
            counting,
            self._options,
            tuple(run.name for run in project.rankings.runs()),
        )
        if request != self._last_request:
            self._last_request = request
            self.result = self.orders = None
            self._basis_label.setText(self.tr("Computing …"))
            self._order_text.setText(self.tr("Computing …"))
            self.order_plot.show_matrix(EMPTY_MATRIX)
            self._compute(self._options)

    def _refresh_ratings(self, project: Project, counting: Sequence[str]) -> bool:
        """Compare the judgments with imported ratings, in the background.

        Return whether the project has both ratings and judgments.
        """
        names = tuple(name.name for name in project.rankings.qrels_names())
        has_both = bool(names and counting)
        self._ratings.setVisible(has_both)
        self.ratings.offer(names)
        request = (
            (project.writes, counting, names, self.ratings.source.currentData())
            if has_both
            else None
        )
        if request is not None and request != self._ratings_request:
            self.ratings.show_message(self.tr("Computing …"))
            self._load_comparison()
        self._ratings_request = request
        return has_both

    def _load_comparison(self) -> None:
        name = self.ratings.source.currentData()

        def compare(project: Project, progress: Progress) -> RatingsResult:
            result = compare_ratings(project, name, sampling=Sampling(progress=progress))
            return RatingsResult(
                result,
                project.collection.topic_titles(),
                project.collection.titles([conflict.document for conflict in result.conflicts]),
            )

        self.run_on_project(
            self._ratings_job,
            compare,
            lambda ratings: self.ratings.show_comparison(ratings, self.decimals),
            self._on_ratings_failed,
        )

    def follow(self) -> None:
        """Update the results at intervals, while the page is visible and a session is running."""
        project, options, controller = self.project, self._options, controller_of(self.project)
        is_busy = self._job.busy or self._orders_job.busy or time.monotonic() < self._next_update
        if (
            project is None
            or options is None
            or controller is None
            or controller.status is None
            or is_busy
            or not self.isVisible()
        ):
            return
        # the session's state in memory is compared, since reading the file would have to wait for
        # writes
        state = (project.path, controller.status.judgment_state)
        if state != self._session_state:
            self._session_state = state
            self._compute(options)
            if self._ratings_request:
                self._load_comparison()

    def _offer_groups(self, group: Group, *, has_several_groups: bool) -> None:
        """Show the selected group of assessors; hide the selector if there is only one group."""
        self.group_box.setCurrentIndex(self.group_box.findData(group))
        self.group_box.setEnabled(self.can_write)
        self._group_field.setVisible(group != "everybody" or has_several_groups)

    def _count_group(self) -> None:
        if self.project and self.group_box.currentData() != read_counted_group(self.project):
            try:
                set_counted_group(self.project, self.group_box.currentData())
            except IrjudgeError as error:
                self.message_shown.emit("✕ " + translate_message(str(error)))
            self.progressed.emit()
            self.refresh()

    def _clear_results(self, basis: str) -> None:
        """Empty the page; `basis` replaces the description of what the results are based on."""
        for job in (self._job, self._orders_job):
            job.stop()
        self._last_request = self.result = self.orders = None
        self._basis_label.setText(basis)
        for model in (self.statistics, self.topics, self.grades, self.disagreed):
            model.fill(())
        for plot in (self.pair_plot, self.order_plot):
            plot.show_matrix(EMPTY_MATRIX)
        for text in (
            self._title,
            self._meaning,
            self._formula,
            self.description_label,
            self._pair_text,
            self._order_text,
            self._disagreed_text,
        ):
            text.setText("")

    def _forget_orders(self) -> None:
        self._last_request = self.orders = None
        self.order_plot.show_matrix(EMPTY_MATRIX)
        self._order_text.setText("")

    def _compute(self, options: EvaluationOptions) -> None:
        started = time.monotonic()

        def compute_orders(
            job_project: Project, progress: Progress
        ) -> tuple[AssessorOrderings, list[Floats]]:
            labels = read_named_labels(job_project, progress)
            names = [run.name for run in job_project.rankings.runs()]
            if len(names) < 2:
                raise IrjudgeError(
                    translate("AgreementView", "To compare system rankings, add at least two runs.")
                )
            orders = assessor_orderings(
                labels,
                lambda: (job_project.rankings.run(name) for name in names),
                parse_measures([DEFAULT_MEASURE, *options.measures.split()], options.rel),
                options.policy(),
                progress=progress,
            )
            [tau] = parse_statistics(["tau"])
            return orders, [orders.matrix(tau, index) for index in range(len(orders.orders))]

        def on_done(result: ProjectAgreement | None) -> None:
            self._next_update = time.monotonic() + max(
                UPDATE_SECONDS, COMPUTING_TIME_FACTOR * (time.monotonic() - started)
            )
            if result is None:  # fewer than two included assessors have judged
                self._clear_results(self.tr("Agreement needs judgments by two assessors."))
            else:
                self._show_result(result)

        self.run_on_project(
            self._job,
            lambda project, progress: measure_project_agreement(project, options.rel, progress),
            on_done,
            self._on_failed,
        )
        self.run_on_project(
            self._orders_job, compute_orders, self._set_orders, self._on_orders_failed
        )

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._clear_results("")
        self.show_error(error, trace)

    def _on_orders_failed(self, error: Exception, trace: str) -> None:
        if trace:
            self.failed.emit(error, trace)
        else:
            self._order_text.setText(translate_message(str(error)))

    def _on_ratings_failed(self, error: Exception, trace: str) -> None:
        self.ratings.show_message(translate_message(str(error)))
        if trace:
            self.failed.emit(error, trace)
        # with fewer than two assessors to compare and no ratings, there is nothing to show
        elif not self._two_assessor_parts[0].isVisibleTo(self):
            self._ratings.hide()
            self.show_state(_needs_two_message())

    # Display

    def _show_result(self, result: ProjectAgreement) -> None:
        self.result = result
        self.problem.hide()
        self.show_state(None)
        self._offer_groups(result.group, has_several_groups=result.has_several_groups)
        self._basis_label.setText(self._show_counts(result.labels))
        update_sorted_rows(
            self.table,
            self.statistics,
            result.overall,
            statistic_columns(result.overall, self.decimals),
        )
        for table, model, header, parts in (
            (self._topic_table, self.topics, self.tr("Topic"), result.topics),
            (self._grade_table, self.grades, self.tr("Grade"), result.grades),
        ):
            update_sorted_rows(
                table,
                model,
                parts,
                part_columns(
                    header,
                    parts[0],
                    _axis_floor([estimate for part in parts for estimate in part]),
                    2,
                    titles=result.topic_titles if model is self.topics else None,
                )
                if parts
                else [],
            )
        self._show_disagreed(result)
        if result.overall and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.table.model().index(0, 0))
        fill_choices(
            self.pair_statistic_box,
            [
                (
                    statistic_title(
                        AgreementEstimate(estimates.statistic, estimates.scale, 0, 0, None)
                    ),
                    index,
                )
                for index, estimates in enumerate(result.pairs)
            ],
        )
        self._show_pairs()
        self._explain()

    def _show_disagreed(self, result: ProjectAgreement) -> None:
        update_sorted_rows(
            self._disagreed_table,
            self.disagreed,
            result.disagreed,
            _disagreement_columns(result.titles),
            (TOPIC_COLUMN, DOCUMENT_COLUMN),
        )
        self._disagreed_text.setText(
            filled(
                self.tr(
                    "Documents: {count}, largest difference first. Press Enter to open a document."
                ),
                count=f"{len(result.disagreed):,}",
            )
            if result.disagreed
            else self.tr("The assessors agree on every document judged by at least two of them.")
        )
        self._disagreed_table.setVisible(bool(result.disagreed))

    def _show_counts(self, labels: Labels) -> str:
        counts_text = filled(
            self.tr("Assessors: {assessors}; judgments: {judgments}; documents: {documents}."),
            assessors=f"{len(labels.workers):,}",
            judgments=f"{len(labels):,}",
            documents=f"{len(labels.items):,}",
        )
        if controller_of(self.project) is None:
            return counts_text
        return join_sentences(
            counts_text,
            filled(
                self.tr("As of {time}; updated while participants judge."),
                time=QTime.currentTime().toString("HH:mm:ss"),
            ),
        )

    def _explain(self) -> None:
        selected: AgreementEstimate | None = self.statistics.at(self.table.currentIndex())
        if self.result and selected:
            self._title.setText(statistic_title(selected))
            self._meaning.setText(explain_value(selected))
            self.description_label.setText(_define_statistic(selected))
            self._formula.setText(translate_message(AGREEMENT[selected.statistic].formula))

    def _show_pairs(self) -> None:
        if self.result is None or self.pair_statistic_box.currentData() is None:
            return
        selected = self.result.pairs[self.pair_statistic_box.currentData()]
        self.pair_plot.show_matrix(Matrix(selected.workers, selected.workers, selected.matrix()))
        undefined = int(np.isnan(selected.value).sum())
        uncommon_pairs = len(selected.workers) * (len(selected.workers) - 1) // 2 - len(
            selected.value
        )
        show_text(
            self._pair_text,
            "\n".join(
                filter(
                    None,
                    [
                        filled(
                            self.tr("Pairs of assessors without a common document: {apart}."),
                            apart=f"{uncommon_pairs:,}",
                        )
                        if uncommon_pairs
                        else "",
                        filled(
                            self.tr(
                                "Pairs of assessors for which the value is undefined: {undefined} "
                                "({nothing})."
                            ),
                            undefined=f"{undefined:,}",
                            nothing=translate_message(selected.zero_reason),
                        )
                        if undefined
                        else "",
                    ],
                )
            ),
        )

    def _set_orders(self, result: tuple[AssessorOrderings, list[Floats]]) -> None:
        orders, self._order_matrices = result
        self.orders = orders
        fill_choices(self.measure, [(name, index) for index, name in enumerate(orders.measures)])
        self._show_orders()

    def _show_orders(self) -> None:
        if self.orders is not None and self.measure.currentData() is not None:
            matrix = self._order_matrices[self.measure.currentData()]
            names = [
                self.tr("consensus") if name is CONSENSUS else name for name in self.orders.names
            ]
            displayed = matrix.copy()
            np.fill_diagonal(displayed, np.nan)
            self.order_plot.show_matrix(Matrix(names, names, displayed))
            self._order_text.setText(
                join_sentences(
                    self._describe_order_effect(matrix, self.orders.systems),
                    translate_message(self.orders.topics_warning),
                )
            )

    def _describe_order_effect(self, matrix: Any, systems: int) -> str:
        if systems < MIN_SYSTEMS:
            return filled(
                self.tr(
                    "Too few systems to assess their ranking: {systems}; at least "
                    "{min_systems} are needed."
                ),
                systems=f"{systems:,}",
                min_systems=str(MIN_SYSTEMS),
            )
        with_consensus = matrix[-1, :-1]
        defined_values = with_consensus[~np.isnan(with_consensus)]
        if not len(defined_values):
            return self.tr(
                "All systems have the same value of this measure, so they cannot be ranked."
            )
        return (
            filled(
                self.tr(
                    "Kendall's tau between two rankings of {systems} systems, one by the grades of "
                    "a single assessor and one by the consensus: {low} to {high}."
                ),
                low=format_number(defined_values.min(), 2),
                high=format_number(defined_values.max(), 2),
                systems=f"{systems:,}",
            )
            + " "
            + self.tr(
                "1 means the same order, 0 no relation, −1 the opposite order. Documents that "
                "an assessor did not judge get the majority grade of the other assessors."
            )
        )


def _needs_two_message() -> StateMessage:
    return StateMessage(
        translate("AgreementView", "Agreement needs two assessors"),
        translate(
            "AgreementView",
            "Agreement values and their intervals appear here once two assessors have judged "
            "documents. Assign the pool to them, or import their judgments.",
        ),
        [(translate("AgreementView", "Assign the pool"), "assessors")],
    )


def _make_headed_row(text: str, field: ChoiceBox) -> QWidget:
    return make_flow(make_label(text, "heading", wrap=False), field)

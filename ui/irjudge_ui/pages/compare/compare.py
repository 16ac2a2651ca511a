"""Compare page: significance of differences between runs, and conclusions."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, QEvent, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QMenu, QPushButton

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DEFAULT_TESTS,
    PAIRED_TEST,
    ComparedPair,
    Comparison,
    Evaluation,
    TopicNeed,
    compare,
    compute_needed_topics,
    evaluate_project,
    runs_best_first,
    values_by_topic,
)
from irjudge.message import Message
from irjudge.metrics import Measure, to_goodness
from irjudge.progress import Progress
from irjudge.report import MAX_RUNS_FOR_ALL_PAIRS
from irjudge.report.figures import LineSeries, needed_topics_chart
from irjudge.stats import Sampling
from irjudge.stats.significance import CORRECTIONS, TESTS, PairedDifferences, required_topics
from irjudge.store import Project
from irjudge_ui.charts import DifferencePlot, LinePlot
from irjudge_ui.jobs import CLUSTER_WORKERS
from irjudge_ui.messages import escape_markup, filled, translate, translate_message
from irjudge_ui.models import Column, TableModel, format_decimal, format_signed
from irjudge_ui.pages.figure_view import current_look
from irjudge_ui.pages.shared import (
    RarePagesLine,
    ValueRequest,
    View,
    describe_qrels_source,
    stored_options,
)
from irjudge_ui.pages.side_by_side import format_p
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FilterLine,
    Flow,
    PageScrollArea,
    SideBySide,
    Table,
    card,
    column,
    fill_choices,
    make_label,
    show_text,
    with_label,
)

ALPHA = 0.05
TESTS_WITHOUT_MEANS = ("sign", "wilcoxon")  # tests of signs and ranks of the differences
MAX_PAIRS = 10  # maximum number of rows shown at once
NARROW_WIDTH, MIN_PLOT_HEIGHT = 760, 240
MIN_CHOICE_LENGTH = 14  # minimum width of a choice box, in characters
ALL_PAIRS_LABEL = QT_TRANSLATE_NOOP("CompareView", "all pairs of runs")
BEST_RUN_LABEL = QT_TRANSLATE_NOOP("CompareView", "the best run")
# value of the choice "the best run"; a tuple, so that it differs from every run name
BEST_RUN = ("best",)
MAX_LISTED_PAIRS = 200  # maximum number of pairs listed; the most significant pairs are listed


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """Result of the Compare page: evaluation, comparison of runs, numbers of topics needed.

    The result is computed for the selected measure and test.
    """

    table: Evaluation
    comparison: Comparison
    # numbers of topics needed by each test: a test of each pair of runs and, if there are more than
    # two runs, the tests of all runs
    needs: tuple[TopicNeed, ...]

    def needs_of(self, pair: ComparedPair) -> list[TopicNeed]:
        """Return the numbers needed by the test of a pair and by the tests of all runs."""
        return [
            need
            for need in self.needs
            if need.test != PAIRED_TEST or (need.run_a, need.run_b) == (pair.run_a, pair.run_b)
        ]


class MultiSelectMenu(QMenu):
    """Menu of `CheckableNames`, which stays open when an entry is checked with the mouse."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.actionAt(event.position().toPoint())
        if action is not None and action.isCheckable():
            action.trigger()
        else:
            super().mouseReleaseEvent(event)


class CheckableNames(QPushButton):
    """Button with a menu in which the user checks any number of names.

    The button shows the first checked name and the number of further checked names. `changed` is
    emitted when the user checks or unchecks a name, and by `tick`, but not by `offer`; `chosen`
    contains the checked names. On the Compare page, the names are those of further baselines.
    """

    changed = Signal()

    def __init__(self, empty_label: str) -> None:
        super().__init__(empty_label)
        self._empty_label, self._menu = empty_label, MultiSelectMenu(self)
        self.setMenu(self._menu)

    @property
    def chosen(self) -> tuple[str, ...]:
        return tuple(str(action.data()) for action in self._menu.actions() if action.isChecked())

    def offer(self, names: Sequence[str]) -> None:
        """Offer names instead of the current names; names that were checked remain checked."""
        checked = self.chosen
        self._menu.clear()
        for name in names:
            action = self._menu.addAction(escape_markup(name).replace("&", "&&"))
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(name in checked)
            action.triggered.connect(lambda _checked: self._notify_changed())
        self._show()

    def tick(self, names: Sequence[str]) -> None:
        for action in self._menu.actions():
            action.setChecked(action.data() in names)
        self._notify_changed()

    def _notify_changed(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        first_name, other_count = next(iter(self.chosen), self._empty_label), len(self.chosen) - 1
        short_name = (
            first_name
            if len(first_name) <= MIN_CHOICE_LENGTH
            else first_name[: MIN_CHOICE_LENGTH - 1] + "…"
        )
        self.setText(
            (f"{short_name} +{other_count}" if other_count > 0 else short_name).replace("&", "&&")
        )


class CompareView(View):
    """Compare page: options, a table of pairs of runs, a conclusion, and two plots.

    All pairs of the project's runs, or all runs with the selected baselines, are compared by one
    measure and one significance test. The plots show the differences of the selected pair by topic,
    and the detectable difference by number of topics. The page for judging two lists or documents
    side by side is `ComparisonView`.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job = self.latest()
        self._result: ComparisonResult | None = None
        self.measure, self.test, self.correction, self.baseline = (
            ChoiceBox(MIN_CHOICE_LENGTH, activated=lambda _index: self._compute()) for _ in range(4)
        )
        self.test.add_choices((translate_message(test.title), name) for name, test in TESTS.items())
        self.test.setCurrentIndex(self.test.findData(DEFAULT_TESTS[0]))
        for name, correction in CORRECTIONS.items():
            self.correction.add_choice(
                translate_message(correction.title), name, translate_message(correction.meaning)
            )
        self.correction.setCurrentIndex(self.correction.findData("holm"))
        self.further = CheckableNames(self.tr("None"))
        self.pairs = TableModel()
        self.table = Table(self.pairs, self.tr("Pairs of runs"), rows=MAX_PAIRS, dense=True)
        self.table.hide_when_narrow(*MINOR_COLUMNS)
        self._notes = make_label("", "small")
        self.topics_note = make_label("", "warning")
        self.verdict = make_label("", "heading")
        self.description_label = make_label()
        self.empty = make_label(
            self.tr(
                "Comparing needs at least two runs, and qrels. Add runs on the Collection page."
            ),
            "quiet",
            hidden=True,
        )
        self.conclusion = make_label("", "heading")
        self.plot = DifferencePlot(self.tr("Difference by topic"))
        self.plot.picked.connect(self._explain)
        self.curve, self.needed = LinePlot(self.tr("Detectable difference")), make_label()
        self._lay_out()
        self.further.changed.connect(self._compute)
        self.table.selectionModel().currentChanged.connect(
            lambda _current, _previous: self._show_pair()
        )

    def _lay_out(self) -> None:
        self._further_baselines = with_label(self.tr("Further baselines"), self.further)
        self._table_card = card(
            self.conclusion,
            self.topics_note,
            FilterLine(self.table),
            self.table,
            self._notes,
            margin=SPACE_M,
        )
        plot_card = card(make_label(self.tr("Difference by topic"), "heading"), self.plot)
        self.minimum_heights = dict.fromkeys((plot_card, self.curve), MIN_PLOT_HEIGHT)
        self._needs_card = card(
            make_label(self.tr("Topics needed"), "heading"), self.needed, self.curve
        )
        self._lower_part = SideBySide(
            column(plot_card),
            column(card(self.verdict, self.description_label), None),
            NARROW_WIDTH,
            (3, 2),
        )
        self.more_pages = RarePagesLine(self, self._settings, self.tr("Compare"))
        self.setLayout(
            column(
                PageScrollArea(
                    column(
                        self.more_pages,
                        Flow(
                            (
                                with_label(self.tr("Measure"), self.measure),
                                with_label(self.tr("Test"), self.test),
                                with_label(self.tr("Correction"), self.correction),
                                with_label(self.tr("Baseline"), self.baseline),
                                self._further_baselines,
                            )
                        ),
                        self.problem,
                        self.empty,
                        self._table_card,
                        self._lower_part,
                        self._needs_card,
                        None,
                        spacing=SPACE_M,
                    )
                )
            )
        )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._result is not None:
            self._show_pair()

    def focus(self) -> None:
        self.table.setFocus()

    # Computation

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self.baseline.clear()  # the default depends on the number of runs
        super().show_project(project)

    def refresh(self) -> None:
        if self.project is not None:
            measures: tuple[Measure, ...] = ()
            with suppress(IrjudgeError):
                measures = stored_options(self.project, self._settings).parse()
            fill_choices(self.measure, [(measure.name, measure.name) for measure in measures])
            names = [run.name for run in self.project.rankings.runs()]
            fill_choices(
                self.baseline,
                [
                    (translate("CompareView", str(ALL_PAIRS_LABEL)), None),
                    (translate("CompareView", str(BEST_RUN_LABEL)), BEST_RUN),
                    *((name, name) for name in names),
                ],
                int(len(names) > MAX_RUNS_FOR_ALL_PAIRS),
            )
            self.further.offer(names)
            self._compute()

    def _baselines(self, table: Evaluation, baselines: Sequence[Any]) -> list[str]:
        """Return the names of the selected baselines.

        Raise IrjudgeError if the best run is selected, but no run is defined as the best.
        """
        if BEST_RUN in baselines and table.topics_warning:
            raise IrjudgeError(
                filled(
                    self.tr(
                        "{warning} Therefore, no best run can be determined: choose another "
                        "baseline, or count missing topics as 0 on the Evaluate page."
                    ),
                    warning=translate_message(table.topics_warning),
                )
            )
        (measure,) = table.measures
        if BEST_RUN in baselines and not measure.direction:
            raise IrjudgeError(
                filled(
                    self.tr(
                        "{measure} does not measure quality, so there is no best run: choose "
                        "another baseline."
                    ),
                    measure=measure.name,
                )
            )
        best_run = runs_best_first(table)[0].run
        return list(
            dict.fromkeys(
                best_run if baseline == BEST_RUN else str(baseline) for baseline in baselines
            )
        )

    def _compute(self) -> None:
        project, name = self.project, self.measure.currentData()
        self._job.stop()
        self._show(None)
        is_possible = project and len(project.rankings.runs()) > 1 and name is not None
        self.empty.setHidden(bool(is_possible))
        if project is None or not is_possible:
            return
        options = stored_options(project, self._settings)
        measures = [measure for measure in options.parse() if measure.name == name]
        test, correction = self.test.currentData(), self.correction.currentData()
        first = self.baseline.currentData()
        baseline_names = (first, *self.further.chosen) if first is not None else ()

        def compute(project: Project, progress: Progress) -> ComparisonResult:
            with CLUSTER_WORKERS.provide_workers(progress) as workers:
                table = evaluate_project(
                    project,
                    measures,
                    options.policy(),
                    options.choice(project),
                    progress,
                    workers=workers,
                )
                baselines = self._baselines(table, baseline_names) or None
                comparison = compare(
                    table,
                    tests=[test],
                    baseline=baselines,
                    correction=correction,
                    sampling=Sampling(progress=progress, workers=workers),
                )
            return ComparisonResult(
                table,
                comparison,
                tuple(
                    dict.fromkeys(  # tests of all runs are the same for each baseline
                        need
                        for baseline in baselines or (None,)
                        for need in compute_needed_topics(table, baseline=baseline).rows
                    )
                ),
            )

        self.run_on_project(self._job, compute, self._show)

    # Display

    def _show(self, result: ComparisonResult | None) -> None:
        self._result = result
        self.problem.hide()
        self._further_baselines.setVisible(self.baseline.currentData() is not None)
        for part in (self._table_card, self._lower_part, self._needs_card):
            part.setVisible(result is not None)
        if result is None:
            return
        pairs = result.comparison.pairs
        by_significance = sorted(pairs, key=lambda pair: (pair.p_adjusted, -abs(pair.difference)))
        self.pairs.fill(
            by_significance[:MAX_LISTED_PAIRS] if len(pairs) > MAX_LISTED_PAIRS else pairs,
            _columns(self.decimals, is_directed=self._defines_better_values()),
        )
        self.conclusion.setText(self._summarize_pairs(pairs))
        topics_notes = [
            note
            for note in result.comparison.notes
            if isinstance(note, Message) and note.key == "different-topics"
        ]
        show_text(
            self.topics_note, "\n".join(f"⚠ {translate_message(note)}" for note in topics_notes)
        )
        notes = [
            describe_qrels_source(result.table.source),
            *(
                translate_message(note)
                for note in result.comparison.notes
                if note not in topics_notes
            ),
        ]
        if len(pairs) > MAX_LISTED_PAIRS:
            limit_text = self.tr("Only the {limit} most significant of {count} pairs are listed.")
            notes.insert(0, filled(limit_text, limit=MAX_LISTED_PAIRS, count=f"{len(pairs):,}"))
        self._notes.setText("\n".join(notes))
        if pairs:
            self.table.setCurrentIndex(self.table.model().index(0, 0))
        self._show_pair()

    def chosen(self) -> ComparedPair | None:
        pair: ComparedPair | None = self.pairs.at(self.table.currentIndex())
        return pair if self._result else None

    def _show_pair(self) -> None:
        if (pair := self.chosen()) is None or self._result is None:
            return
        runs = {run.run: run for run in self._result.table.runs}
        first, second = (values_by_topic(runs[name]) for name in (pair.run_a, pair.run_b))
        topics = [topic for topic in first if topic in second]
        differences = PairedDifferences(
            *(np.array([values[topic][0] for topic in topics]) for values in (first, second))
        )
        self.plot.show_differences(
            topics,
            differences.values,
            self._better_and_worse(pair, 1),
            is_directed=self._defines_better_values(),
        )
        self.verdict.setText(self._describe_verdict(pair))
        self.description_label.setText(self._describe_pair(pair))
        self._show_needs(self._result.needs_of(pair))

    def _show_needs(self, needs: list[TopicNeed]) -> None:
        self.needed.setText("\n\n".join(map(self._describe_need, needs)))
        is_known = any(need.design for need in needs)
        self.curve.setVisible(is_known)
        chart = needed_topics_chart(needs, needs[:1], "") if is_known else None
        if chart is not None and isinstance(chart.marks, LineSeries):
            x, y = (
                replace(axis, label=translate_message(axis.label)) for axis in (chart.x, chart.y)
            )
            self.curve.show_lines(
                x,
                y,
                [replace(line, name=translate_message(line.name)) for line in chart.marks.lines],
                current_look().hues,
            )
            self.curve.setAccessibleDescription(self.needed.text())

    def _describe_need(self, need: TopicNeed) -> str:
        format_value = partial(format_decimal, decimals=self.decimals)
        design, detectable = need.design, need.seen
        if design is None or detectable is None:
            return self.tr(
                "The variance between topics is zero or cannot be estimated, so no forecast "
                "for more topics is possible."
            )
        if need.test == PAIRED_TEST:
            template = self.tr(
                "{run_a} and {run_b}: with these {topics} topics, a true difference of {seen} "
                "is detected with 80 % power. To detect a difference half as large, {needed} "
                "topics are needed."
            )
        else:
            template = self.tr(
                "Best of {runs} runs: {run_a}; worst: {run_b}. With these {topics} topics, a "
                "true difference of {seen} between the two is detected with 80 % power. To "
                "detect a difference half as large, {needed} topics are needed."
            )
        lines = [
            filled(
                template,
                run_a=need.run_a,
                run_b=need.run_b,
                topics=str(need.topics),
                seen=format_value(detectable),
                needed=_format_topics(required_topics(design, detectable / 2)),
                runs=str(need.runs),
            )
        ]
        if need.difference:
            lines.append(
                filled(
                    self.tr(
                        "To detect a difference of the observed size, {difference}, {topics} "
                        "topics are needed."
                    ),
                    difference=format_value(abs(need.difference)),
                    topics=_format_topics(need.needed),
                )
            )
        return " ".join(lines)

    def _explain(self, topic: str) -> None:
        if (pair := self.chosen()) and self.project:
            self.opens.emit(
                "explain",
                ValueRequest(
                    pair.run_a, topic, pair.measure, stored_options(self.project, self._settings)
                ),
            )

    def _summarize_pairs(self, pairs: Sequence[ComparedPair]) -> str:
        """Return a sentence that summarises all pairs.

        With a single baseline it contains the numbers of significantly better and worse runs,
        otherwise the number of significantly different pairs.
        """
        significant = [pair for pair in pairs if pair.p_adjusted < ALPHA]
        second_runs = {pair.run_b for pair in pairs}
        measure = next((pair.measure for pair in pairs), "")
        if self.baseline.currentData() is None or len(second_runs) > 1:
            return filled(
                self.tr("Significant differences by {measure}: {count} of {total} pairs of runs."),
                measure=measure,
                count=f"{len(significant):,}",
                total=f"{len(pairs):,}",
            )
        better_count = sum(
            self._order_significant_pair(pair)[0] == pair.run_a for pair in significant
        )
        return filled(
            self.tr(
                "Runs compared with {run} by {measure}: {better} better, {worse} worse, "
                "{equal} not significantly different."
            )
            if self._defines_better_values()
            else self.tr(
                "Runs compared with {run} by {measure}: {better} higher, {worse} lower, "
                "{equal} not significantly different."
            ),
            run=next(iter(second_runs)),
            measure=measure,
            better=f"{better_count:,}",
            worse=f"{len(significant) - better_count:,}",
            equal=f"{len(pairs) - len(significant):,}",
        )

    def _describe_verdict(self, pair: ComparedPair) -> str:
        if pair.p_adjusted >= ALPHA:
            return filled(
                self.tr(
                    "No conclusion: {run_a} and {run_b} are not significantly different by "
                    "{measure} on these topics."
                ),
                run_a=pair.run_a,
                run_b=pair.run_b,
                measure=pair.measure,
            )
        better, worse = self._order_significant_pair(pair)
        return filled(
            self.tr("{better} is significantly better than {worse} by {measure}.")
            if self._defines_better_values()
            else self.tr(
                "{measure} of {better} is significantly higher than that of {worse}; for this "
                "measure, neither higher nor lower is better."
            ),
            better=better,
            worse=worse,
            measure=pair.measure,
        )

    def _defines_better_values(self) -> bool:
        return self._result is None or all(
            measure.direction for measure in self._result.table.measures
        )

    def _order_significant_pair(self, pair: ComparedPair) -> tuple[str, str]:
        """Return the names of a pair of runs, first the run that is better according to the test.

        In tests that use only signs or ranks, the other run may have the better mean.
        """
        if pair.test in TESTS_WITHOUT_MEANS and pair.wins != pair.losses:
            runs = pair.run_a, pair.run_b
            return runs if pair.wins > pair.losses else runs[::-1]
        return self._better_and_worse(pair, pair.difference)

    def _better_and_worse(self, pair: ComparedPair, difference: float) -> tuple[str, str]:
        """Return the names of a pair of runs, the better run first.

        `difference` is the value of the first run minus the value of the second.
        """
        runs = pair.run_a, pair.run_b
        if self._result is None:
            return runs
        (measure,) = self._result.table.measures
        return runs if to_goodness(measure, difference) > 0 else (pair.run_b, pair.run_a)

    def _describe_topic_counts(self, pair: ComparedPair) -> str:
        return filled(
            self.tr(
                "Topics on which the first run is better: {wins}, equal: {ties}, worse: {losses}."
            )
            if self._defines_better_values()
            else self.tr(
                "Topics on which the first run is higher: {wins}, equal: {ties}, lower: {losses}."
            ),
            wins=str(pair.wins),
            ties=str(pair.ties),
            losses=str(pair.losses),
        )

    def _describe_pair(self, pair: ComparedPair) -> str:
        decimals = self.decimals
        format_value = partial(format_signed, decimals=decimals)
        lines = [
            filled(
                self.tr("Means: {mean_a} and {mean_b}."),
                mean_a=format_decimal(pair.mean_a, decimals),
                mean_b=format_decimal(pair.mean_b, decimals),
            ),
            filled(
                self.tr(
                    "Mean difference {difference}, 95 % interval from {low} to {high}. Topics: "
                    "{topics}."
                ),
                difference=format_value(pair.difference),
                low=format_value(pair.low),
                high=format_value(pair.high),
                topics=str(pair.topics),
            ),
            self._describe_topic_counts(pair),
        ]
        if pair.effect is not None:
            lines.append(
                filled(
                    self.tr(
                        "Effect size {effect} (mean of the differences divided by their "
                        "standard deviation)."
                    ),
                    effect=format_value(pair.effect),
                )
            )
        lines.append(
            self.tr("The test does not show whether a difference of this size matters to users.")
            if pair.p_adjusted < ALPHA
            else self.tr(
                "Not finding a difference does not prove that there is none: more topics may "
                "reveal one."
            )
        )
        return "\n\n".join(lines)


# columns Equal, Mean B and Mean A: they are hidden first, since the card of a pair also shows them
MINOR_COLUMNS = (9, 3, 2)


def _columns(decimals: int, *, is_directed: bool) -> list[Column]:
    format_value = partial(format_decimal, decimals=decimals)
    format_difference = partial(format_signed, decimals=decimals)
    number_column = partial(Column, number=True)
    return [
        Column(translate("CompareView", "Run A"), lambda pair: pair.run_a),
        Column(translate("CompareView", "Run B"), lambda pair: pair.run_b),
        number_column(translate("CompareView", "Mean A"), lambda pair: pair.mean_a, format_value),
        number_column(translate("CompareView", "Mean B"), lambda pair: pair.mean_b, format_value),
        number_column(
            translate("CompareView", "Difference"), lambda pair: pair.difference, format_difference
        ),
        number_column(
            translate("CompareView", "p"),
            lambda pair: pair.p if pair.is_tested else None,
            format_p,
            rising=True,
            help=translate("CompareView", "Two-sided"),
        ),
        number_column(
            translate("CompareView", "p adjusted"),
            lambda pair: pair.p_adjusted if pair.is_tested else None,
            lambda p: format_p(p) + (" *" if p is not None and p < ALPHA else ""),
            rising=True,
            help=translate(
                "CompareView",
                "p value corrected for the number of pairs of runs; * marks values below 0.05",
            ),
        ),
        number_column(
            translate("CompareView", "Effect size"),
            lambda pair: pair.effect,
            format_difference,
            help=translate(
                "CompareView", "Mean of the differences, divided by their standard deviation"
            ),
        ),
        number_column(
            translate("CompareView", "Better")
            if is_directed
            else translate("CompareView", "Higher"),
            lambda pair: pair.wins,
        ),
        number_column(translate("CompareView", "Equal"), lambda pair: pair.ties),
        number_column(
            translate("CompareView", "Worse") if is_directed else translate("CompareView", "Lower"),
            lambda pair: pair.losses,
        ),
    ]


def _format_topics(count: int | None) -> str:
    return f"{count:,}" if count is not None else "> 1,000,000"

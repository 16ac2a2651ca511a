"""Comparison page: which runs differ significantly, and what can be concluded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QEvent, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QMenu, QPushButton, QWidget

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DEFAULT_TESTS,
    PAIRED,
    ComparedPair,
    Comparison,
    Evaluation,
    RunScores,
    TopicNeed,
    compare,
    compute_needed_topics,
    evaluate_project,
    runs_best_first,
)
from irjudge.metrics import to_goodness
from irjudge.progress import Progress
from irjudge.report import MAX_RUNS_FOR_ALL_PAIRS
from irjudge.report.figures import LineSeries, needed_topics_chart
from irjudge.stats import Sampling
from irjudge.stats.significance import CORRECTIONS, TESTS, PairedDifferences, required_topics
from irjudge_ui.charts import DifferencePlot, LinePlot
from irjudge_ui.jobs import CLUSTER_WORKERS
from irjudge_ui.messages import escape_markup, filled, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.figure_view import current_look
from irjudge_ui.pages.shared import ValueRequest, View, describe_qrels_source, stored_options
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
    scale_length,
    with_label,
)

ALPHA = 0.05
MAX_PAIRS = 10  # maximum number of rows shown at once
NARROW, LOW = 760, 240
CHOICE_CHARACTERS = 14  # minimum width of a choice, in characters
translate = QCoreApplication.translate
EVERY_PAIR = QT_TRANSLATE_NOOP("CompareView", "all pairs of runs")
THE_BEST = QT_TRANSLATE_NOOP("CompareView", "the best run")
BEST = ("best",)  # stands for the best run by the measure; distinct from all run names
MAX_LISTED = 200  # maximum number of pairs listed, the most significant ones


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """Evaluation, its comparison by the selected test, and the power of the topics."""

    table: Evaluation
    comparison: Comparison
    needs: tuple[TopicNeed, ...]  # needs of the pairs, and of all runs if there are more than two

    def needs_of(self, pair: ComparedPair) -> list[TopicNeed]:
        """Return the topic needs of a pair, and those of tests of all runs."""
        return [
            need
            for need in self.needs
            if need.test != PAIRED or (need.run_a, need.run_b) == (pair.run_a, pair.run_b)
        ]


class MultiSelectMenu(QMenu):
    """Menu that stays open while entries are checked."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        under = self.actionAt(event.position().toPoint())
        if under is not None and under.isCheckable():
            under.trigger()
        else:
            super().mouseReleaseEvent(event)


class CheckableNames(QPushButton):
    """Button with a menu of checkable names; it shows the first and how many others are checked."""

    changed = Signal()

    def __init__(self, none: str) -> None:
        super().__init__(none)
        self._none, self._menu = none, MultiSelectMenu(self)
        self.setMenu(self._menu)

    @property
    def chosen(self) -> tuple[str, ...]:
        """The checked names."""
        return tuple(str(action.data()) for action in self._menu.actions() if action.isChecked())

    def offer(self, names: Sequence[str]) -> None:
        """Replace the names; names that were checked stay checked."""
        chosen = self.chosen
        self._menu.clear()
        for name in names:
            action = self._menu.addAction(escape_markup(name).replace("&", "&&"))
            action.setData(name)
            action.setCheckable(True)
            action.setChecked(name in chosen)
            action.triggered.connect(lambda _checked: self._tell())
        self._show()

    def tick(self, names: Sequence[str]) -> None:
        """Check exactly these names."""
        for action in self._menu.actions():
            action.setChecked(action.data() in names)
        self._tell()

    def _tell(self) -> None:
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        first, more = next(iter(self.chosen), self._none), len(self.chosen) - 1
        shown = first if len(first) <= CHOICE_CHARACTERS else first[: CHOICE_CHARACTERS - 1] + "…"
        self.setText((f"{shown} +{more}" if more > 0 else shown).replace("&", "&&"))


class CompareView(View):
    """Shows pairs of runs, the differences by topic of the selected pair, and a conclusion."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._work = self.latest()
        self._compared: ComparisonResult | None = None
        self.measure, self.test, self.correction, self.baseline = (
            ChoiceBox(CHOICE_CHARACTERS) for _ in range(4)
        )
        self.further = CheckableNames(self.tr("None"))
        self.pairs = TableModel()
        self.table = Table(self.pairs, self.tr("Pairs of runs"), rows=MAX_PAIRS)
        self.problem, self._notes, self.verdict = (
            make_label("", "error"),
            make_label("", "small"),
            make_label("", "heading"),
        )
        self.about, self.empty = make_label(), make_label("", "quiet")
        self.conclusion = make_label("", "heading")
        self.plot = DifferencePlot(self.tr("Difference by topic"))
        self.plot.picked.connect(self._explain)
        self.curve, self.needed = LinePlot(self.tr("Detectable difference")), make_label()
        self._lay_out()
        for box in (self.measure, self.test, self.correction, self.baseline):
            box.activated.connect(lambda _index: self._compute())
        self.further.changed.connect(self._compute)
        self.table.selectionModel().currentChanged.connect(lambda _now, _before: self._show_pair())

    def _lay_out(self) -> None:
        for box, name in (
            (self.measure, self.tr("Measure")),
            (self.test, self.tr("Test")),
            (self.correction, self.tr("Correction")),
            (self.baseline, self.tr("Baseline")),
        ):
            box.setAccessibleName(name)
        for name, test in TESTS.items():
            self.test.addItem(translate_message(test.title), name)
        for name, correction in CORRECTIONS.items():
            self.correction.addItem(translate_message(correction.title), name)
            self.correction.setItemData(
                self.correction.count() - 1, translate_message(correction.meaning), 3
            )
        self.test.setCurrentIndex(self.test.findData(DEFAULT_TESTS[0]))
        self.correction.setCurrentIndex(self.correction.findData("holm"))
        self.further.setAccessibleName(self.tr("Further baselines"))
        boxes = (self.measure, self.test, self.correction, self.baseline, self.further)
        labels = [with_label(box.accessibleName(), box) for box in boxes]
        self._further = labels[-1]
        choices = Flow(labels)
        self._table_card = card(
            self.conclusion, FilterLine(self.table), self.table, self._notes, margin=SPACE_M
        )
        summary, plotted = (
            card(self.verdict, self.about),
            card(make_label(self.tr("Difference by topic"), "heading"), self.plot),
        )
        self._cards = (summary, plotted)
        self._enough = card(
            make_label(self.tr("Topics needed"), "heading"), self.needed, self.curve
        )
        self._low = SideBySide(column(plotted), column(summary, None), NARROW, (3, 2))
        head = make_label(self.tr("Compare"), "title", wrap=False)
        inside = QWidget()
        inside.setLayout(
            column(
                head,
                choices,
                self.problem,
                self.empty,
                self._table_card,
                self._low,
                self._enough,
                None,
                spacing=SPACE_M,
            )
        )
        self.setLayout(column(PageScrollArea(inside)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for part in (self._cards[1], self.curve):
            part.setMinimumHeight(scale_length(LOW))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self._compared is not None:
            self._show_pair()

    def focus(self) -> None:
        self.table.setFocus()

    # Computation

    def refresh(self) -> None:
        """Compare the current runs by the measures of the evaluation page."""
        if self.project is None:
            return
        fill_choices(self.measure, self._settings_measures())
        names = [run.name for run in self.project.rankings.runs()]
        defaults = [
            (translate("CompareView", str(EVERY_PAIR)), None),
            (translate("CompareView", str(THE_BEST)), BEST),
        ]
        fill_choices(
            self.baseline,
            [*defaults, *((name, name) for name in names)],
            int(len(names) > MAX_RUNS_FOR_ALL_PAIRS),
        )
        self.further.offer(names)
        self._compute()

    def _baselines(self, table: Evaluation, wanted: Sequence[Any]) -> list[str]:
        """Return the names of the selected baselines; raise IrjudgeError if the best run is
        undefined.
        """
        if BEST in wanted and table.topics_warning:
            template = self.tr(
                "{warning} No run is the best: choose another baseline, or count missing topics "
                "as 0 under Evaluation."
            )
            raise IrjudgeError(filled(template, warning=translate_message(table.topics_warning)))
        (measure,) = table.measures
        if BEST in wanted and not measure.direction:
            template = self.tr(
                "{measure} does not measure quality, so no run is the best: choose another "
                "baseline."
            )
            raise IrjudgeError(filled(template, measure=measure.name))
        best = runs_best_first(table)[0].run
        return list(dict.fromkeys(best if each == BEST else str(each) for each in wanted))

    def _settings_measures(self) -> list[tuple[str, Any]]:
        try:
            measures = stored_options(self.project, self._settings).parse()
        except IrjudgeError:
            return []
        return [(measure.name, measure.name) for measure in measures]

    def _compute(self) -> None:
        project, self._compared = self.project, None
        self._work.stop()
        self._show()
        if (
            project is None
            or len(project.rankings.runs()) < 2
            or self.measure.currentData() is None
        ):
            self._say_empty()
            return
        self.empty.hide()
        options = stored_options(project, self._settings)
        measures = [
            measure for measure in options.parse() if measure.name == self.measure.currentData()
        ]
        test, correction = self.test.currentData(), self.correction.currentData()
        first = self.baseline.currentData()
        wanted = (first, *self.further.chosen) if first is not None else ()

        def work(progress: Progress) -> ComparisonResult:
            with CLUSTER_WORKERS.at_work(progress) as workers:
                with project.second_connection() as other:
                    table = evaluate_project(
                        other,
                        measures,
                        options.policy(),
                        options.choice(other),
                        progress,
                        workers=workers,
                    )
                baselines = self._baselines(table, wanted) or None
                sampling = Sampling(progress=progress, workers=workers)
                comparison = compare(
                    table,
                    tests=[test],
                    baseline=baselines,
                    correction=correction,
                    sampling=sampling,
                )
            return ComparisonResult(
                table,
                comparison,
                compute_needed_topics(table, baseline=baselines[0] if baselines else None).rows,
            )

        self._work.run(work, self._take, self._fail)

    def _say_empty(self) -> None:
        self.empty.setText(
            self.tr(
                "Comparing needs at least two runs, and qrels. Add runs on the collection page."
            )
        )
        self.empty.show()

    def _take(self, compared: ComparisonResult) -> None:
        self._compared = compared
        self._show()

    def _fail(self, error: Exception, trace: str) -> None:
        self.show_error(error, trace, self.problem)

    # Display

    def _show(self) -> None:
        self.problem.hide()
        compared = self._compared
        self._further.setVisible(self.baseline.currentData() is not None)
        for part in (self._table_card, self._low, self._enough):
            part.setVisible(compared is not None)
        if compared is None:
            return
        pairs = compared.comparison.pairs
        by_surety = sorted(pairs, key=lambda pair: (pair.p_adjusted, -abs(pair.difference)))
        surest = by_surety[:MAX_LISTED] if len(pairs) > MAX_LISTED else pairs
        self.pairs.fill(surest, _columns(int(self._settings.get("decimals"))))
        self.conclusion.setText(self._conclusion_of(pairs))
        limit = filled(
            self.tr("Listed: the {limit} most significant of {count} pairs."),
            limit=MAX_LISTED,
            count=f"{len(pairs):,}",
        )
        warnings = map(translate_message, compared.comparison.notes)
        notes = (
            *([limit] if len(surest) < len(pairs) else []),
            describe_qrels_source(compared.table.source),
            *warnings,
        )
        self._notes.setText("\n".join(notes))
        if compared.comparison.pairs:
            self.table.setCurrentIndex(self.table.model().index(0, 0))
        self._show_pair()

    def chosen(self) -> ComparedPair | None:
        """Return the selected pair."""
        index = self.table.currentIndex()
        if self._compared is None or not index.isValid():
            return None
        names = index.siblingAtColumn(0).data(), index.siblingAtColumn(1).data()
        return next(
            (pair for pair in self._compared.comparison.pairs if (pair.run_a, pair.run_b) == names),
            None,
        )

    def _show_pair(self) -> None:
        pair = self.chosen()
        if pair is None or self._compared is None:
            return
        runs = {run.run: run for run in self._compared.table.runs}
        topics, differences = _differences(runs[pair.run_a], runs[pair.run_b])
        self.plot.show_differences(topics, differences.values, self._better_and_worse(pair, 1))
        self.verdict.setText(self._verdict_of(pair))
        self.about.setText(self._about_pair(pair))
        self._show_needs(self._compared.needs_of(pair))

    def _show_needs(self, needs: list[TopicNeed]) -> None:
        """Show the difference detectable with these topics, and topics needed for smaller ones."""
        self.needed.setText("\n\n".join(map(self._about_need, needs)))
        known = any(need.design for need in needs)
        self.curve.setVisible(known)
        chart = needed_topics_chart(needs, needs[:1], "") if known else None
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

    def _about_need(self, need: TopicNeed) -> str:
        number = partial(_plain, decimals=int(self._settings.get("decimals")))
        design, seen = need.design, need.seen
        if design is None or seen is None:
            return self.tr(
                "The values do not vary between topics here, so no forecast for more topics is "
                "possible."
            )
        if need.test == PAIRED:
            template = self.tr(
                "{run_a} and {run_b}: these {topics} topics detect a true difference of {seen} "
                "with 80 % power. To detect half of it, {needed} topics are needed."
            )
        else:
            template = self.tr(
                "All runs ({runs}), best {run_a}, worst {run_b}: with these {topics} topics, a "
                "difference of {seen} between the two is detectable. To detect half of it, "
                "{needed} topics are needed."
            )
        half = required_topics(design, seen / 2)
        lines = [
            filled(
                template,
                run_a=need.run_a,
                run_b=need.run_b,
                topics=str(need.topics),
                seen=number(seen),
                needed=_format_topics(half),
                runs=str(need.runs),
            )
        ]
        if need.difference:
            template = self.tr(
                "To detect a difference of the observed size, {difference}, {topics} are needed."
            )
            lines.append(
                filled(
                    template,
                    difference=number(abs(need.difference)),
                    topics=_format_topics(need.needed),
                )
            )
        return " ".join(lines)

    def _explain(self, topic: str) -> None:
        """Open the explanation of the value of the first run for a topic."""
        if (pair := self.chosen()) and self.project:
            self.opens.emit(
                "explain",
                ValueRequest(
                    pair.run_a, topic, pair.measure, stored_options(self.project, self._settings)
                ),
            )

    def _conclusion_of(self, pairs: Sequence[ComparedPair]) -> str:
        """Return the summary of all pairs.

        It has the numbers of runs better and worse than the only baseline, or else the number of
        significant pairs.
        """
        sure = [pair for pair in pairs if pair.p_adjusted < ALPHA]
        ends, measure = {pair.run_b for pair in pairs}, next((pair.measure for pair in pairs), "")
        if self.baseline.currentData() is None or len(ends) > 1:
            template = self.tr(
                "Significant differences by {measure}: {count} of {total} pairs of runs."
            )
            return filled(
                template, measure=measure, count=f"{len(sure):,}", total=f"{len(pairs):,}"
            )
        better = sum(
            self._better_and_worse(pair, pair.difference)[0] == pair.run_a for pair in sure
        )
        template = (
            self.tr(
                "Compared with {run}, by {measure}: {better} better, {worse} worse, {equal} "
                "not significantly different."
            )
            if self._is_of_quality()
            else self.tr(
                "Compared with {run}, by {measure}: {better} higher, {worse} lower, {equal} "
                "not significantly different."
            )
        )
        return filled(
            template,
            run=next(iter(ends)),
            measure=measure,
            better=f"{better:,}",
            worse=f"{len(sure) - better:,}",
            equal=f"{len(pairs) - len(sure):,}",
        )

    def _verdict_of(self, pair: ComparedPair) -> str:
        """Return the conclusion about a pair."""
        if pair.p_adjusted >= ALPHA:
            template = self.tr(
                "No conclusion: {run_a} and {run_b} are not significantly different by "
                "{measure} on these topics."
            )
            return filled(template, run_a=pair.run_a, run_b=pair.run_b, measure=pair.measure)
        template = (
            self.tr("{better} is significantly better than {worse} by {measure}.")
            if self._is_of_quality()
            else self.tr(
                "{measure} of {better} is significantly higher than that of {worse}; for this "
                "measure, neither higher nor lower is better."
            )
        )
        better, worse = self._better_and_worse(pair, pair.difference)
        return filled(template, better=better, worse=worse, measure=pair.measure)

    def _is_of_quality(self) -> bool:
        """Return whether higher or lower values of a measure are better."""
        compared = self._compared
        return compared is None or all(each.direction for each in compared.table.measures)

    def _better_and_worse(self, pair: ComparedPair, difference: float) -> tuple[str, str]:
        """Return the runs of a pair, the better first, given the difference of first minus second."""
        runs = pair.run_a, pair.run_b
        if self._compared is None:
            return runs
        (measure,) = self._compared.table.measures
        return runs if to_goodness(measure, difference) > 0 else (pair.run_b, pair.run_a)

    def _about_pair(self, pair: ComparedPair) -> str:
        decimals = int(self._settings.get("decimals"))
        number = partial(_format_signed, decimals=decimals)
        lines = [
            filled(
                self.tr(
                    "Mean difference {difference}, 95 % interval from {low} to {high}. Topics: {topics}."
                ),
                difference=number(pair.difference),
                low=number(pair.low),
                high=number(pair.high),
                topics=str(pair.topics),
            ),
            filled(
                self.tr("Topics better: {wins}, equal: {ties}, worse: {losses}."),
                wins=str(pair.wins),
                ties=str(pair.ties),
                losses=str(pair.losses),
            ),
        ]
        if pair.effect is not None:
            lines.append(
                filled(
                    self.tr(
                        "Effect size {effect} (mean over standard deviation of the differences)."
                    ),
                    effect=number(pair.effect),
                )
            )
        if pair.p_adjusted >= ALPHA:
            lines.append(
                self.tr(
                    "Not finding a difference does not prove that there is none: more topics may "
                    "reveal one."
                )
            )
        else:
            lines.append(
                self.tr(
                    "The test does not tell whether a difference of this size matters to users."
                )
            )
        return "\n\n".join(lines)


def _differences(first: RunScores, second: RunScores) -> tuple[list[str], PairedDifferences]:
    columns = {topic: at for at, topic in enumerate(second.topics)}
    shared = [(at, columns[topic]) for at, topic in enumerate(first.topics) if topic in columns]
    mine, theirs = [at for at, _ in shared], [at for _, at in shared]
    return [first.topics[at] for at in mine], PairedDifferences(
        np.asarray(first.values[0])[mine], np.asarray(second.values[0])[theirs]
    )


def _columns(decimals: int) -> list[Column]:
    number, signed = partial(_plain, decimals=decimals), partial(_format_signed, decimals=decimals)
    return [
        Column(translate("CompareView", "Run"), lambda pair: pair.run_a),
        Column(translate("CompareView", "Compared with"), lambda pair: pair.run_b),
        Column(translate("CompareView", "Mean"), lambda pair: pair.mean_a, number, number=True),
        Column(translate("CompareView", "Mean (B)"), lambda pair: pair.mean_b, number, number=True),
        Column(
            translate("CompareView", "Difference"),
            lambda pair: pair.difference,
            signed,
            number=True,
        ),
        Column(
            translate("CompareView", "p"),
            lambda pair: pair.p if pair.is_tested else None,
            format_p,
            number=True,
            rising=True,
            help=translate("CompareView", "Two-sided"),
        ),
        Column(
            translate("CompareView", "p adjusted"),
            lambda pair: pair.p_adjusted if pair.is_tested else None,
            lambda p: format_p(p) + (" *" if p is not None and p < ALPHA else ""),
            number=True,
            rising=True,
            help=translate(
                "CompareView", "Corrected for the number of pairs; * marks values below 0.05"
            ),
        ),
        Column(
            translate("CompareView", "Effect"),
            lambda pair: -np.inf if pair.effect is None else pair.effect,
            signed,
            number=True,
        ),
        Column(translate("CompareView", "Better"), lambda pair: pair.wins, number=True),
        Column(translate("CompareView", "Equal"), lambda pair: pair.ties, number=True),
        Column(translate("CompareView", "Worse"), lambda pair: pair.losses, number=True),
    ]


def _format_topics(count: int | None) -> str:
    """Return the number of topics needed as text; None means more than a million."""
    return f"{count:,}" if count is not None else "> 1,000,000"


def _plain(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def _format_signed(value: float | None, decimals: int) -> str:
    """Return a number with its sign; a dash for a missing one, which tables store as minus
    infinity.
    """
    return "–" if value is None or np.isinf(value) else f"{value:+.{decimals}f}".replace("-", "−")

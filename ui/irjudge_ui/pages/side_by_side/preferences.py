"""Preference page: preferred items, significance, strengths, and quality of answers."""

from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QModelIndex
from PySide6.QtWidgets import QFrame, QWidget

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import (
    PreferenceResults,
    PreferenceStatistic,
    evaluate_project,
    preference_results,
)
from irjudge.judging import iter_preferences, map_sides_to_runs, read_project_preferences
from irjudge.progress import Progress
from irjudge.stats import Sampling
from irjudge.store import Project
from irjudge_ui.charts import IntervalTable, IntervalValue, Strength, StrengthsPlot
from irjudge_ui.messages import filled, translate, translate_message, with_title
from irjudge_ui.models import (
    Column,
    IntervalColumn,
    IntervalModel,
    PairRow,
    TableModel,
    build_pair_rows,
    connected_groups,
    select_pair,
    select_part,
)
from irjudge_ui.pages.shared import EvaluationOptions, StatefulView, stored_options
from irjudge_ui.pages.side_by_side import conclusions as words
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FilterLine,
    NumberField,
    PageScrollArea,
    SideBySide,
    card,
    column,
    fill_choices,
    make_container,
    make_flow,
    make_label,
    show_text,
    with_label,
)
from irjudge_ui.workspace import StateMessage

NARROW_WIDTH = 760
MAX_PAIRS, MAX_ROWS = 8, 8  # maximum numbers of rows shown at once
DEFAULT_SHARE, MIN_CHOICE_LENGTH = 60, 24
RUNS, DOCUMENTS = "panel", "pair"  # kinds of compared items, as stored in assignments
# models that estimate strengths; the page shows the results of the first model that can be fitted
MODELS = ("davidson log-worth", "bradley-terry log-worth")


@dataclass(frozen=True, slots=True)
class PreferenceAnalysis:
    """Result that the preference page computes: preference results for runs or documents.

    `kind` is the kind of compared items, `RUNS` or `DOCUMENTS`. `kinds` are all kinds for which the
    project has results. `titles` are titles of topics. `share` is the win rate to detect, in
    percent. `problem` is the reason why measures could not be compared with preferences; it is
    empty if they were compared, and for documents.
    """

    kind: str
    kinds: tuple[str, ...]
    results: PreferenceResults
    titles: dict[str, str]
    share: int
    problem: str = ""

    @property
    def topics(self) -> list[str]:
        """Topics of the compared pairs; for pairs of runs, only an empty string."""
        return list(
            dict.fromkeys(
                finding.topic for finding in self.results.findings if finding.part == "pairs"
            )
        )


class PreferencesView(StatefulView):
    """Preference page: results of comparisons by pair, strengths, quality of answers.

    The results are for runs or for documents, as selected. Those for runs include the number of
    further answers that are needed to detect a given win rate, and how often measures agree with
    the preferences. The page does not change the project.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job = self.latest()
        self._analysis: PreferenceAnalysis | None = None
        self.kind, self.topic = (
            ChoiceBox(activated=lambda _index: self.refresh()),
            ChoiceBox(MIN_CHOICE_LENGTH, activated=lambda _index: self._show_items()),
        )
        self.share = NumberField(51, 99, DEFAULT_SHARE, self.tr("Win rate to detect, in percent"))
        self.pairs = IntervalModel()
        self.table = IntervalTable(self.pairs, self.tr("Pairs"), rows=MAX_PAIRS)
        self.by_topic, self.by_assessor, self.left, self.measures = (
            IntervalModel() for _ in range(4)
        )
        self.plot = StrengthsPlot(self.tr("Strengths"))
        self.verdict = make_label("", "heading")
        self._plan_label = make_label("", "quiet")
        self._strengths_help = make_label("", "small")
        self._unconnected_warning = make_label("", "warning")
        self.description_label, self._contradictions, self._side_bias, self._repeats = (
            make_label() for _ in range(4)
        )
        self._answers = make_label("", "quiet")
        self._notes = make_label("", "small")
        self._fields = [
            with_label(self.tr("Items compared"), self.kind),
            with_label(self.tr("Topic"), self.topic),
            with_label(self.tr("Win rate to detect, in percent"), self.share),
        ]
        self._choices = make_flow(*self._fields)
        self._body = self._make_body()
        self.put_parts(
            PageScrollArea(
                column(
                    make_label(self.tr("Preference results"), "title"),
                    self._choices,
                    self.problem,
                    self._body,
                    None,
                    spacing=SPACE_M,
                )
            ),
            self.table,
        )
        for part in (self._choices, self._body, self.problem):
            part.hide()
        self.share.changed.connect(lambda _share: self.refresh())
        self.table.selectionModel().currentChanged.connect(
            lambda _current, _previous: self._show_pair()
        )

    def _make_body(self) -> QWidget:
        left_table = IntervalTable(
            self.left, self.tr("Left side chosen, by assessor"), rows=MAX_ROWS
        )
        self._by_topic = _make_table_card(self.by_topic, self.tr("Results for this pair, by topic"))
        self._by_assessor = _make_table_card(
            self.by_assessor, self.tr("Answers for this pair, by assessor")
        )
        self._measures_card = _make_table_card(
            self.measures, self.tr("Agreement of the measures with the preferences")
        )
        self._split_view = _place_side_by_side(self._by_topic, self._by_assessor)
        return make_container(
            column(
                card(self._answers, FilterLine(self.table), self.table),
                _place_side_by_side(
                    card(self.verdict, self.description_label, self._plan_label),
                    card(
                        make_label(self.tr("Strengths"), "heading"),
                        self._unconnected_warning,
                        self.plot,
                        self._strengths_help,
                    ),
                ),
                _place_side_by_side(
                    card(
                        make_label(self.tr("Side bias"), "heading"),
                        self._side_bias,
                        FilterLine(left_table),
                        left_table,
                    ),
                    card(
                        make_label(self.tr("Repeated questions"), "heading"),
                        self._repeats,
                        make_label(self.tr("Contradictions"), "heading"),
                        self._contradictions,
                    ),
                ),
                self._split_view,
                self._measures_card,
                self._notes,
                spacing=SPACE_M,
            )
        )

    # Computation

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._analysis = None
        self.show_state(None)
        for part in (self._choices, self._body, self.problem):
            part.hide()

    def refresh(self) -> None:
        kind, share = self.kind.currentData(), self.share.value()
        options = stored_options(self.project, self._settings)
        self.run_on_project(
            self._job,
            lambda project, progress: _analyse_preferences(project, kind, share, options, progress),
            self._set_analysis,
            self._on_failed,
        )

    def _set_analysis(self, analysis: PreferenceAnalysis | None) -> None:
        self._analysis = analysis
        for part in (self._choices, self._body):
            part.setVisible(analysis is not None)
        self.problem.hide()
        if analysis is not None:
            self.show_state(None)
            self._show(analysis)
            return
        self.show_state(
            StateMessage(
                self.tr("No preferences yet"),
                self.tr(
                    "The preferred run appears here, with the significance of the preference and "
                    "the reliability of the answers. This needs answers from a side-by-side "
                    "comparison."
                ),
                [(self.tr("Compare side by side"), "panels")],
            )
        )

    def cancel_jobs(self) -> None:
        super().cancel_jobs()
        if self._analysis is not None:  # the results shown are still those of its kind
            self.kind.setCurrentIndex(self.kind.findData(self._analysis.kind))

    def _on_failed(self, error: Exception, trace: str) -> None:
        if not trace:
            self.show_state(None)
            self._body.hide()
        self.show_error(error, trace)

    # Display

    def _show(self, analysis: PreferenceAnalysis) -> None:
        names = {RUNS: self.tr("Runs"), DOCUMENTS: self.tr("Documents")}
        fill_choices(self.kind, [(names[kind], kind) for kind in analysis.kinds])
        compares_documents = analysis.kind == DOCUMENTS
        fill_choices(
            self.topic,
            [
                (with_title(topic, analysis.titles.get(topic, "")), topic)
                for topic in analysis.topics
            ],
        )
        for field, is_visible in zip(
            self._fields,
            (len(analysis.kinds) > 1, compares_documents, not compares_documents),
            strict=True,
        ):
            field.setVisible(is_visible)
        self._choices.setVisible(any(not field.isHidden() for field in self._fields))
        findings = analysis.results.findings
        self._answers.setText(words.describe_answers(findings))
        self._side_bias.setText(words.describe_side_bias(findings))
        self._repeats.setText(words.describe_repeats(findings))
        self.left.fill(
            [
                finding
                for finding in select_part(findings, "sides", statistic="left chosen")
                if finding.assessor
            ],
            _left_columns(),
        )
        self._notes.setText(
            "\n".join(
                [
                    *map(translate_message, analysis.results.notes),
                    *([translate_message(analysis.problem)] if analysis.problem else []),
                ]
            )
        )
        self._show_items()

    def _show_items(self) -> None:
        analysis, topic = self._analysis, str(self.topic.currentData() or "")
        if analysis is None:
            return
        findings, pair = analysis.results.findings, self.chosen()
        old_pair = (pair.first, pair.second) if pair else None
        pair_rows = build_pair_rows(findings, topic)
        self.pairs.fill(pair_rows, _pair_columns())
        self._show_strengths(select_part(findings, "strengths", topic=topic))
        show_text(
            self._unconnected_warning, words.warn_unconnected_groups(connected_groups(pair_rows))
        )
        self._contradictions.setText(
            words.describe_contradictions(select_part(findings, "order", topic=topic))
        )
        if pair_rows:
            names = [(pair.first, pair.second) for pair in pair_rows]
            selected = (
                self.pairs.line_of(names.index(old_pair)) if old_pair in names else QModelIndex()
            )
            self.table.setCurrentIndex(selected if selected.isValid() else self.pairs.index(0, 0))
        self._show_pair()

    def _show_strengths(self, strengths: list[PreferenceStatistic]) -> None:
        name = next(
            (
                strength.statistic
                for model in MODELS
                for strength in strengths
                if strength.statistic.startswith(model)
            ),
            "",
        )
        self.plot.show_strengths(
            [
                Strength(
                    strength.first,
                    strength.value,
                    strength.low,
                    strength.high,
                    words.format_signed(strength.value, 2),
                )
                for strength in strengths
                if strength.statistic == name and strength.value is not None
            ]
        )
        self._strengths_help.setText(
            words.explain_strengths(ties=name.startswith(MODELS[0]), added="added" in name)
        )

    def chosen(self) -> PairRow | None:
        return cast(PairRow | None, self.pairs.at(self.table.currentIndex()))

    def _show_pair(self) -> None:
        pair, analysis = self.chosen(), self._analysis
        if pair is None or analysis is None:
            return
        findings = analysis.results.findings
        self.verdict.setText(words.conclude_pair(pair))
        self.description_label.setText(words.explain_pair(pair))
        show_text(self._plan_label, words.describe_plan(pair, analysis.share))
        self.by_topic.fill(
            select_pair(findings, "topics", pair), _part_columns(pair, analysis.titles)
        )
        self.by_assessor.fill(select_pair(findings, "assessors", pair), _part_columns(pair, {}))
        if analysis.kind == DOCUMENTS:
            self.measures.fill(
                [
                    finding
                    for finding in findings
                    if finding.part == "measures" and finding.topic == pair.topic
                ],
                _compatibility_columns(),
            )
        else:
            self.measures.fill(select_pair(findings, "measures", pair), _measure_columns())
        for part, model in (
            (self._by_topic, self.by_topic),
            (self._by_assessor, self.by_assessor),
            (self._measures_card, self.measures),
        ):
            part.setVisible(bool(model.rows))
        self._split_view.setVisible(bool(self.by_topic.rows or self.by_assessor.rows))


def _analyse_preferences(
    project: Project, kind: str | None, share: int, options: EvaluationOptions, progress: Progress
) -> PreferenceAnalysis | None:
    """Compute the preference results of a project; return None if it has no answers."""
    kinds = tuple(
        item_kind
        for item_kind in (RUNS, DOCUMENTS)
        if next(iter_preferences(project, item_kind), None) is not None
    )
    if not kinds:
        return None
    kind = kind if kind in kinds else kinds[0]
    titles = project.collection.topic_titles()
    sampling = Sampling(progress=progress)
    if kind == DOCUMENTS:
        return PreferenceAnalysis(
            kind,
            kinds,
            preference_results(
                read_project_preferences(project),
                share=share / 100,
                sampling=sampling,
                runs=(project.rankings.run(run.name) for run in project.rankings.runs()),
            ),
            titles,
            share,
        )
    try:
        evaluation = evaluate_project(
            project, options.parse(), options.policy(), options.choice(project), progress
        )
        problem = ""
    except Cancelled:
        raise
    except IrjudgeError as error:
        evaluation, problem = None, str(error)
    return PreferenceAnalysis(
        kind,
        kinds,
        preference_results(
            read_project_preferences(project, map_sides_to_runs(project)),
            share=share / 100,
            sampling=sampling,
            evaluation=evaluation,
        ),
        titles,
        share,
        problem,
    )


# Cards and tables


def _place_side_by_side(left: QFrame, right: QFrame) -> SideBySide:
    return SideBySide(column(left, None), column(right, None), NARROW_WIDTH, (1, 1))


def _make_table_card(model: TableModel, name: str) -> QFrame:
    table = IntervalTable(model, name, rows=MAX_ROWS)
    return card(make_label(name, "heading"), FilterLine(table), table)


def _pair_columns() -> list[Column]:

    def count_column(header: str, name: str) -> Column:
        return Column(
            header, lambda pair: getattr(pair, name), lambda count: f"{count:,}", number=True
        )

    return [
        Column(translate("PreferencesView", "Item"), lambda pair: pair.first),
        Column(translate("PreferencesView", "Compared with"), lambda pair: pair.second),
        Column(
            translate("PreferencesView", "Conclusion"),
            lambda pair: pair.is_conclusive * (1 if (pair.net.value or 0) > 0 else -1),
            lambda sign: {
                1: translate("PreferencesView", "▲ preferred"),
                -1: translate("PreferencesView", "▼ less preferred"),
                0: translate("PreferencesView", "◇ undecided"),
            }[sign],
        ),
        count_column(translate("PreferencesView", "Wins"), "wins"),
        count_column(translate("PreferencesView", "Losses"), "losses"),
        count_column(translate("PreferencesView", "Ties", "preferences"), "ties"),
        IntervalColumn(
            translate("PreferencesView", "Net preference"),
            lambda pair: pair.net.value,
            help=translate(
                "PreferencesView",
                "Wins minus losses, divided by the number of answers including ties, with the "
                "95 % bootstrap interval",
            ),
            span=_net_interval,
        ),
        Column(
            translate("PreferencesView", "p adjusted"),
            lambda pair: pair.p_adjusted,
            words.format_p,
            number=True,
            help=translate(
                "PreferencesView",
                "Sign test over topics, or over answers if topics are unknown; adjusted for "
                "the number of pairs",
            ),
        ),
    ]


def _net_interval(pair: PairRow) -> IntervalValue | None:
    net = pair.net
    if net.value is None:
        return None
    interval_text = ""
    if net.low is not None and net.low != net.high:
        interval_text = filled(
            translate("PreferencesView", "{low} to {high}"),
            low=words.format_signed(net.low),
            high=words.format_signed(net.high),
        )
    return IntervalValue(
        net.value, net.low, net.high, -1.0, 1.0, words.format_signed(net.value), interval_text
    )


def _left_columns() -> list[Column]:
    return [
        Column(translate("PreferencesView", "Assessor"), lambda estimate: estimate.assessor),
        Column(
            translate("PreferencesView", "Left"),
            lambda estimate: (estimate.count, estimate.total),
            lambda counts: filled(
                translate("PreferencesView", "{count} of {total}"), count=counts[0], total=counts[1]
            ),
            number=True,
            help=translate(
                "PreferencesView",
                "Answers in favour of the left side, out of all answers that are not ties",
            ),
        ),
        *_share_columns(),
    ]


def _share_columns() -> list[Column]:
    return [
        IntervalColumn(
            translate("PreferencesView", "Share"),
            lambda estimate: estimate.value,
            span=_make_interval,
        ),
        Column(
            translate("PreferencesView", "p"),
            lambda estimate: estimate.p if estimate.total else None,
            words.format_p,
            number=True,
            help=translate("PreferencesView", "Sign test, two-sided"),
        ),
    ]


def _make_interval(estimate: PreferenceStatistic) -> IntervalValue | None:
    if estimate.value is None:
        return None
    return IntervalValue(
        estimate.value,
        estimate.low,
        estimate.high,
        0.0,
        1.0,
        words.format_percent(estimate.value),
        words.format_interval(estimate),
    )


def _part_columns(pair: PairRow, titles: dict[str, str]) -> list[Column]:
    return [
        Column(
            translate("PreferencesView", "Topic or assessor"),
            lambda estimate: estimate.topic or estimate.assessor,
            lambda name: with_title(name, titles.get(name, "")),
        ),
        Column(
            translate("PreferencesView", "Net preference"),
            lambda estimate: estimate.value,
            words.format_signed,
            number=True,
            help=filled(
                translate(
                    "PreferencesView",
                    "Number of answers for {first} minus the number for {second}, divided by the "
                    "number of all answers",
                ),
                first=pair.first,
                second=pair.second,
            ),
        ),
        Column(
            translate("PreferencesView", "Answers"), lambda estimate: estimate.total, number=True
        ),
        Column(
            translate("PreferencesView", "Preferred"),
            lambda estimate: _describe_better_system(estimate, pair),
        ),
    ]


def _describe_better_system(estimate: PreferenceStatistic, pair: PairRow) -> str:
    if not estimate.value:
        return translate("PreferencesView", "= no preference")
    return pair.first if estimate.value > 0 else pair.second


def _measure_columns() -> list[Column]:
    return [
        Column(translate("PreferencesView", "Measure"), lambda estimate: estimate.statistic),
        Column(
            translate("PreferencesView", "Topics in agreement"),
            lambda estimate: estimate.count,
            number=True,
            help=translate(
                "PreferencesView",
                "Topics on which the measure and the preferences favour the same run",
            ),
        ),
        Column(
            translate("PreferencesView", "Topics"),
            lambda estimate: estimate.total,
            number=True,
            help=translate(
                "PreferencesView",
                "Topics on which the measure and the preferences each favour a run",
            ),
        ),
        *_share_columns(),
    ]


def _compatibility_columns() -> list[Column]:
    return [
        Column(translate("PreferencesView", "Run"), lambda estimate: estimate.first),
        Column(
            translate("PreferencesView", "Compatibility"),
            lambda estimate: estimate.value,
            lambda value: f"{value:.4f}",
            number=True,
            help=translate(
                "PreferencesView",
                "Highest similarity of the run's ranking to a ranking that has the preferred "
                "documents first; 1 means that the two rankings are identical",
            ),
        ),
    ]

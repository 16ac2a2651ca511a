"""Page that compares two runs: rankings side by side, and differences by topic."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from PySide6.QtCore import QAbstractListModel, Qt
from PySide6.QtGui import QResizeEvent

from irjudge.evaluation import (
    DEFAULT_DEPTH,
    JoinedRow,
    RunPairResult,
    TopicOverlap,
    compare_project_runs,
)
from irjudge.model import UNJUDGEABLE, UNJUDGED
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge_ui.charts import RANKED_DOCUMENT_ROLE, RankedDocument, RankLists, Venn
from irjudge_ui.messages import (
    escape_markup,
    filled,
    join_list,
    join_sentences,
    translate,
    translate_message,
    with_title,
)
from irjudge_ui.models import ROOT, Column, Index, TableModel, format_decimal, format_signed
from irjudge_ui.pages.shared import (
    StatefulView,
    describe_qrels_source,
    open_document,
    stored_options,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    FilterLine,
    NumberField,
    PageScrollArea,
    Table,
    card,
    column,
    fill_choices,
    make_container,
    make_flow,
    make_grid,
    make_label,
    row,
    scale_length,
    show_text,
    with_label,
)
from irjudge_ui.workspace import StateMessage


class RankedModel(QAbstractListModel):
    """Read-only list model of the documents of one of two compared rankings, best first.

    Each row is a `RankedDocument`, which also has the rank in the other ranking.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[RankedDocument] = []

    def fill(self, rows: Sequence[RankedDocument]) -> None:
        self.beginResetModel()
        self.rows = list(rows)
        self.endResetModel()

    # Qt model interface

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        if not index.isValid():
            return None
        document = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return document.label
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return escape_markup(self._describe_document(document))
        return document if role == RANKED_DOCUMENT_ROLE else None

    def _describe_document(self, document: RankedDocument) -> str:
        grade = (
            filled(self.tr("grade {grade}"), grade=document.mark)
            if document.level
            else self.tr("not judged")
        )
        grade = self.tr("unjudgeable") if document.mark and not document.level else grade
        other = (
            self.tr("only in this run")
            if document.other is None
            else filled(self.tr("rank {other} in the other run"), other=f"{document.other:,}")
        )
        name = (
            document.label
            if document.label == document.document
            else f"{document.label} ({document.document})"
        )
        return f"{document.rank:,}: {join_list((name, grade, other))}"


def split_rankings(
    rows: Sequence[JoinedRow], titles: Mapping[str, str], scale: Sequence[int]
) -> tuple[list[RankedDocument], list[RankedDocument]]:
    """Return the documents of the first and of the second ranking, each in order of rank.

    Each row contains the ranks of a document in both rankings.
    """
    return sorted(
        [
            _make_ranked_document(row, row.first, row.second, titles, scale)
            for row in rows
            if row.first is not None
        ],
        key=lambda row: row.rank,
    ), sorted(
        [
            _make_ranked_document(row, row.second, row.first, titles, scale)
            for row in rows
            if row.second is not None
        ],
        key=lambda row: row.rank,
    )


def _make_ranked_document(
    row: JoinedRow, rank: int, other: int | None, titles: Mapping[str, str], scale: Sequence[int]
) -> RankedDocument:
    label = titles.get(row.document) or row.document
    if row.grade is None or (row.grade not in scale and row.grade == UNJUDGED):
        return RankedDocument(row.document, label, rank, other)
    if row.grade not in scale and row.grade == UNJUDGEABLE:
        return RankedDocument(row.document, label, rank, other, "✕")
    return RankedDocument(
        row.document,
        label,
        rank,
        other,
        str(row.grade).replace("-", "−"),
        (max(0, sum(grade <= row.grade for grade in scale) - 1), len(scale) - 1),
    )


NARROW_WIDTH = 900
MAX_DEPTH, MIN_CHOICE_LENGTH = 1000, 22
MAX_TOPICS, MAX_MEASURES = 8, 6  # maximum numbers of rows shown at once


class RunComparisonView(StatefulView):
    """Two rankings page: compares two runs of a project; it does not change the project.

    The page has a table of topics. For the selected topic it shows both rankings side by side,
    their overlap, and the values of measures.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._comparison_job, self._topic_job = (
            self.latest(on_cancelled=self._forget_comparison) for _ in range(2)
        )
        self._comparison: RunPairResult | None = None
        self.first, self.second, self.measure = (
            ChoiceBox(MIN_CHOICE_LENGTH // 2) for _ in range(3)
        )
        self.depth_field = NumberField(1, MAX_DEPTH, DEFAULT_DEPTH, self.tr("Depth"))
        self.topics, self.values = TableModel(), TableModel()
        self.left, self.right = RankedModel(), RankedModel()
        self._topic_table = Table(self.topics, self.tr("Topics"), rows=MAX_TOPICS)
        self._value_table = Table(self.values, self.tr("Measures of this topic"), rows=MAX_MEASURES)
        self.rankings = RankLists(self.left, self.right)
        self.venn = Venn(self.tr("Documents in both runs or in only one"))
        self._notes = make_label("", "small")
        self._title = make_label("", "heading")
        self.description_label = make_label()
        self._legend = make_label(
            self.tr(
                "● in both   ◇ only in this run   hatched: not judged   Enter opens a document"
            ),
            "small",
        )
        self._lay_out()
        for box in (self.first, self.second):
            box.activated.connect(lambda _index: self._compute())
        self.measure.activated.connect(lambda _index: self._show_topics())
        self.depth_field.changed.connect(lambda _depth: self._compute())
        self._topic_table.selectionModel().currentChanged.connect(
            lambda _current, _previous: self._show_topic()
        )
        self._topic_table.opened.connect(lambda _row: self.rankings.lists[0].setFocus())
        self.rankings.opened.connect(self._open)

    def _lay_out(self) -> None:
        self._choices = make_flow(
            *(
                with_label(name, box)
                for box, name in (
                    (self.first, self.tr("Run")),
                    (self.second, self.tr("Second run")),
                    (self.measure, self.tr("Measure")),
                )
            ),
            with_label(self.tr("Depth"), self.depth_field),
        )
        self._topics_card = card(
            make_label(self.tr("Topics, largest difference first"), "heading"),
            FilterLine(self._topic_table),
            self._topic_table,
            self._notes,
        )
        self._statistics_card = card(
            make_label(self.tr("Topic statistics"), "heading"),
            row(self.venn, self.description_label),
            FilterLine(self._value_table),
            self._value_table,
        )
        rankings_part = column(self._title, self._legend, self.rankings)
        rankings_part.setStretch(2, 1)
        self._rankings_card = card(rankings_part)
        self._grid = make_grid(SPACE_M, SPACE_M)
        self._body = make_container(self._grid)
        self._arrange(narrow=False)
        self.put_parts(
            PageScrollArea(
                column(
                    make_label(self.tr("Two rankings"), "title"),
                    self._choices,
                    self.problem,
                    self._body,
                    spacing=SPACE_M,
                    stretched=self._body,
                )
            ),
            self._topic_table,
        )
        for part in (self._body, self.problem):
            part.hide()

    def _arrange(self, *, narrow: bool) -> None:
        for part, (grid_row, grid_column, row_span) in zip(
            (self._topics_card, self._rankings_card, self._statistics_card),
            ((0, 0, 1), (1, 0, 1), (2, 0, 1)) if narrow else ((0, 0, 1), (0, 1, 3), (1, 0, 1)),
            strict=True,
        ):
            self._grid.addWidget(part, grid_row, grid_column, row_span, 1)
        self._grid.setRowStretch(2, 0 if narrow else 1)
        for grid_column, stretch in enumerate((1, 0) if narrow else (4, 5)):
            self._grid.setColumnStretch(grid_column, stretch)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange(narrow=event.size().width() < scale_length(NARROW_WIDTH))

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._comparison = None
        for box in (self.first, self.second, self.measure):
            box.clear()

    def refresh(self) -> None:
        if self.project is None:
            return
        names = [run.name for run in self.project.rankings.runs()]
        for index, box in enumerate((self.first, self.second)):
            fill_choices(box, zip(names, names, strict=True), index)
        for part in (self._choices, self._body):
            part.setVisible(len(names) > 1)
        if len(names) > 1:
            self.show_state(None)
            self._compute()
            return
        self.show_state(
            StateMessage(
                self.tr("Two rankings"),
                self.tr(
                    "This page shows two rankings of a topic side by side and connects the "
                    "documents that are in both. It needs two runs."
                ),
                [(self.tr("Add runs"), "runs")],
            )
        )

    # Comparing

    def _compute(self) -> None:
        names = (self.first.currentText(), self.second.currentText())
        options, depth = stored_options(self.project, self._settings), self.depth_field.value()
        for job in (self._comparison_job, self._topic_job):
            job.stop()
        if all(names):
            self.run_on_project(
                self._comparison_job,
                lambda project, progress: compare_project_runs(
                    project,
                    names,
                    options.measures.split(),
                    options.policy(),
                    options.choice(project),
                    depth=depth,
                    progress=progress,
                ),
                self._set_comparison,
                self._on_failed,
            )

    def _set_comparison(self, comparison: RunPairResult) -> None:
        self._comparison = comparison
        fill_choices(self.measure, zip(comparison.measures, comparison.measures, strict=True))
        self._set_problem(comparison.problem)
        self._body.show()
        self._show_topics()

    def _forget_comparison(self) -> None:
        self._comparison = None
        self._body.hide()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._forget_comparison()
        self._set_problem("" if trace else str(error))
        if trace:
            self.failed.emit(error, trace)

    def _set_problem(self, problem: str) -> None:
        show_text(self.problem, "⚠ " + translate_message(problem) if problem else "")

    # Display

    def _show_topics(self) -> None:
        comparison, old_overlap = self._comparison, self._selected_overlap()
        if comparison is not None:
            self.topics.fill(
                comparison.overlaps,
                _topic_columns(comparison, self.measure.currentText(), self.decimals),
            )
            show_text(
                self._notes,
                join_sentences(
                    describe_qrels_source(comparison.qrels_name),
                    _describe_unmatched_topics(comparison),
                ),
            )
            ids = [overlap.topic for overlap in comparison.overlaps]
            self._topic_table.setCurrentIndex(
                self.topics.line_of(
                    ids.index(old_overlap.topic) if old_overlap and old_overlap.topic in ids else 0
                )
            )

    def _selected_overlap(self) -> TopicOverlap | None:
        return cast(TopicOverlap | None, self.topics.at(self._topic_table.currentIndex()))

    def _show_topic(self) -> None:
        comparison, overlap = self._comparison, self._selected_overlap()
        if comparison is None or overlap is None or self._comparison_job.busy:
            return  # `_set_comparison` shows the selected topic

        def compute(
            project: Project, _progress: Progress
        ) -> tuple[tuple[JoinedRow, ...], dict[str, str]]:
            rows = comparison.join_rankings(overlap.topic)
            return rows, project.collection.titles([row.document for row in rows])

        self.run_on_project(
            self._topic_job,
            compute,
            lambda contents: self._show_rankings(comparison, overlap, *contents),
            self._on_failed,
        )

    def _show_rankings(
        self,
        comparison: RunPairResult,
        overlap: TopicOverlap,
        rows: Sequence[JoinedRow],
        titles: dict[str, str],
    ) -> None:
        first, second = split_rankings(rows, titles, comparison.scale)
        self.rankings.set_titles(comparison.first.name, comparison.second.name)
        self.left.fill(first)
        self.right.fill(second)
        self.rankings.choose(0)
        self._title.setText(with_title(overlap.topic, comparison.titles.get(overlap.topic, "")))
        self.venn.show_counts(
            overlap.both,
            overlap.only_first,
            overlap.only_second,
            _describe_counts(comparison, overlap),
        )
        decimals = self.decimals
        self.description_label.setText(_describe_overlap(comparison, overlap, decimals))
        self.values.fill(overlap.values, _value_columns(comparison, decimals))
        self._value_table.setVisible(bool(overlap.values))

    def _open(self, document: str) -> None:
        project, comparison = self.project, self._comparison
        if project is None or comparison is None:
            return
        rows_with_runs = [
            (row, run.name)
            for model, run in ((self.left, comparison.first), (self.right, comparison.second))
            for row in model.rows
            if row.document == document
        ]
        ranks = (
            filled(self.tr("Rank {rank} in {run}."), rank=f"{row.rank:,}", run=name)
            for row, name in rows_with_runs
        )
        # any row can be used, since the judgment is the same in both rankings
        first_row = next((row for row, _ in rows_with_runs), None)
        grade = self.tr("Not judged.")
        if first_row and first_row.level:
            grade = filled(self.tr("Grade {mark}."), mark=first_row.mark)
        elif first_row and first_row.mark:
            grade = self.tr("Unjudgeable.")
        self.message_shown.emit(
            open_document(self, project, document, join_sentences(*ranks, grade), self.zoom)
        )


# Texts


def _describe_unmatched_topics(comparison: RunPairResult) -> str:
    template = translate("RunComparisonView", "Topics only in {name}: {count}.")
    runs = comparison.first, comparison.second
    return join_sentences(
        *(
            filled(template, name=name, count=f"{count:,}")
            for name, count in [
                (run.name, len(set(run.topics) - set(other.topics)))
                for run, other in (runs, runs[::-1])
            ]
            if count
        )
    )


def _describe_counts(comparison: RunPairResult, overlap: TopicOverlap) -> str:
    return filled(
        translate(
            "RunComparisonView",
            "Documents in both runs: {both}; only in {first}: {only_first}; only in {second}: "
            "{only_second}.",
        ),
        both=overlap.both,
        first=comparison.first.name,
        only_first=overlap.only_first,
        second=comparison.second.name,
        only_second=overlap.only_second,
    )


def _describe_overlap(comparison: RunPairResult, overlap: TopicOverlap, decimals: int) -> str:
    format_value = partial(format_decimal, decimals=decimals)
    return join_sentences(
        _describe_counts(comparison, overlap),
        filled(
            translate("RunComparisonView", "Jaccard@{depth} {jaccard}, rank-biased overlap {rbo}."),
            depth=str(comparison.depth),
            jaccard=format_value(overlap.jaccard),
            rbo=format_value(overlap.rbo),
        ),
        translate("RunComparisonView", "Both runs have the same top documents in the same order.")
        if overlap.identical
        else "",
    )


def _topic_columns(comparison: RunPairResult, measure: str, decimals: int) -> list[Column]:
    columns = [
        Column(
            translate("RunComparisonView", "Topic"),
            lambda row: row.topic,
            lambda topic: with_title(topic, comparison.titles.get(topic, "")),
        ),
        Column(
            translate("RunComparisonView", "RBO"),
            lambda row: row.rbo,
            partial(format_decimal, decimals=decimals),
            number=True,
            help=translate(
                "RunComparisonView",
                "Rank-biased overlap with p = 0.9: 1 if both rankings are equal, 0 if they "
                "have nothing in common",
            ),
        ),
    ]
    if measure:
        columns.append(
            Column(
                "Δ " + measure,
                lambda overlap: overlap.difference(measure),
                partial(format_signed, decimals=decimals),
                number=True,
                help=filled(
                    translate("RunComparisonView", "{measure} of {first} minus that of {second}"),
                    measure=measure,
                    first=comparison.first.name,
                    second=comparison.second.name,
                ),
            )
        )
    return columns


def _value_columns(comparison: RunPairResult, decimals: int) -> list[Column]:
    format_value = partial(format_decimal, decimals=decimals)
    return [
        Column(translate("RunComparisonView", "Measure"), lambda value: value[0]),
        Column(comparison.first.name, lambda value: value[1], format_value, number=True),
        Column(comparison.second.name, lambda value: value[2], format_value, number=True),
        Column(
            translate("RunComparisonView", "Difference"),
            lambda value: value[1] - value[2],
            partial(format_signed, decimals=decimals),
            number=True,
        ),
    ]

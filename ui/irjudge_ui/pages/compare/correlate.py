"""Correlation page: rankings of two runs by topic, and orders of systems."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

import numpy as np
from PySide6.QtCore import QT_TRANSLATE_NOOP, QSignalBlocker

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    PairCounts,
    RunCorrelation,
    SystemOrders,
    TopicCorrelation,
    correlate_project_assessors,
    correlate_project_orders,
    correlate_project_runs,
)
from irjudge.judging import (
    list_counted_assessors,
    list_qrels_choices,
)
from irjudge.metrics import Measure
from irjudge.progress import Progress
from irjudge.stats import ITEMS_MEAN, Statistic, list_correlations, parse_statistics
from irjudge.store import Project
from irjudge_ui.actions import BY_ID
from irjudge_ui.charts import CorrelationMatrix, Matrix, MatrixArea
from irjudge_ui.jobs import CLUSTER_WORKERS
from irjudge_ui.messages import filled, translate, translate_message
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.shared import View, describe_qrels_source, stored_options
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_XL,
    ChoiceBox,
    FilterLine,
    Flow,
    PageScrollArea,
    SideBySide,
    Table,
    card,
    column,
    fill_choices,
    make_button,
    make_label,
    row,
    with_label,
)

# The correlation page

NARROW_WIDTH, MAX_LINES, MIN_CHOICE_LENGTH = 760, 10, 16
DEFAULT_STATISTIC = {"runs": "rbo"}
DEFAULT_ORDERS_STATISTIC = "tau-b"
DEPTH_CHOICES = (10, 20, 50, 100, 1000)
MODES = {
    "measures": QT_TRANSLATE_NOOP("CorrelateView", "system rankings by measure"),
    "qrels": QT_TRANSLATE_NOOP("CorrelateView", "system rankings by qrels"),
    "assessors": QT_TRANSLATE_NOOP("CorrelateView", "system rankings by assessor"),
    "runs": QT_TRANSLATE_NOOP("CorrelateView", "two runs by topic"),
}
ITEMS_LABELS = {
    "common": QT_TRANSLATE_NOOP("CorrelateView", "in both rankings"),
    "union": QT_TRANSLATE_NOOP("CorrelateView", "in either ranking"),
}
MISSING_DATA = {
    "measures": (
        QT_TRANSLATE_NOOP(
            "CorrelateView",
            "Comparing system rankings needs at least two measures and two runs. Choose measures.",
        ),
        "evaluate",
    ),
    "qrels": (
        QT_TRANSLATE_NOOP(
            "CorrelateView",
            "Comparing system rankings needs at least two qrels. Judge documents, or import "
            "more qrels.",
        ),
        "collection",
    ),
    "assessors": (
        QT_TRANSLATE_NOOP(
            "CorrelateView",
            "Comparing system rankings needs at least two assessors. Import the judgments of "
            "other assessors.",
        ),
        "assessors",
    ),
    "runs": (
        QT_TRANSLATE_NOOP(
            "CorrelateView",
            "Comparing rankings needs at least two runs. Add runs on the Collection page.",
        ),
        "runs",
    ),
}
Computation = Callable[[Project, Progress], RunCorrelation | SystemOrders]


class CorrelateView(View):
    """Correlation page: correlations of orders of systems, or of two runs by topic.

    The orders of systems result from different measures, qrels or assessors. Correlations of orders
    are shown as a matrix, correlations by topic as a table. The selected value is explained.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job = self.latest()
        self._result: RunCorrelation | SystemOrders | None = None
        self.mode = ChoiceBox(activated=lambda _index: self._change_mode())
        self.tops, self.items = (
            ChoiceBox(activated=lambda _index: self.compute()) for _ in range(2)
        )
        self.statistic, self.measure, self.first, self.second = (
            ChoiceBox(MIN_CHOICE_LENGTH, activated=lambda _index: self.compute()) for _ in range(4)
        )
        self.lines = TableModel()
        self.matrix = CorrelationMatrix(self.tr("Correlation matrix"))
        self.table = Table(self.lines, self.tr("Correlations"), rows=MAX_LINES)
        self._missing_text = make_label("", "quiet")
        self._page_button = make_button(
            "", clicked=lambda: self.wants.emit(MISSING_DATA[self.mode.currentData()][1])
        )
        self.verdict, self.description_label = make_label("", "heading"), make_label()
        self._lay_out()
        self.mode.add_choices(
            (translate("CorrelateView", str(label)), id) for id, label in MODES.items()
        )
        for items, label in ITEMS_LABELS.items():
            self.items.add_choice(
                translate("CorrelateView", str(label)),
                items,
                translate_message(ITEMS_MEAN["union" if items == "union" else "common"]),
            )
        self.tops.addItem(self.tr("whole rankings"), None)
        self.tops.add_choices(
            (filled(self.tr("top {depth}"), depth=str(depth)), depth) for depth in DEPTH_CHOICES
        )
        self._offer_statistics()
        self.matrix.chosen.connect(lambda row, column: self._choose_orders(row, column))
        self.table.selectionModel().currentChanged.connect(
            lambda _current, _previous: self._choose_line()
        )

    def _lay_out(self) -> None:
        self._choices = {
            box: with_label(name, box)
            for box, name in (
                (self.mode, self.tr("Compare")),
                (self.statistic, self.tr("Statistic")),
                (self.measure, self.tr("Measure")),
                (self.first, self.tr("Run")),
                (self.second, self.tr("Compared with")),
                (self.tops, self.tr("Depth")),
                (self.items, self.tr("Documents")),
            )
        }
        self._matrix_area = MatrixArea(self.matrix, self.tr("Correlation matrix"), max_height=None)
        self._filter = FilterLine(self.table)
        self._lower_part = SideBySide(
            column(card(self._matrix_area, self._filter, self.table, margin=SPACE_M), None),
            column(card(self.verdict, self.description_label), None),
            NARROW_WIDTH,
            (3, 2),
        )
        self.empty = card(
            self._missing_text, row(self._page_button, None), margin=SPACE_XL, spacing=SPACE_M
        )
        self.empty.hide()
        self.setLayout(
            column(
                PageScrollArea(
                    column(
                        make_label(self.tr("Correlate"), "title", wrap=False),
                        Flow(self._choices.values()),
                        self.problem,
                        self.empty,
                        self._lower_part,
                        None,
                        spacing=SPACE_M,
                    )
                )
            )
        )

    def _change_mode(self) -> None:
        self._filter.line.clear()  # a filter for the previous table does not apply
        self._offer_statistics()
        self.compute()

    def _offer_statistics(self) -> None:
        compares_runs = self.mode.currentData() == "runs"
        self.statistic.clear()
        for declaration in list_correlations():
            if compares_runs or declaration.kind == "order":
                self.statistic.addItem(translate_message(declaration.title), declaration.name)
        self.statistic.setCurrentIndex(
            self.statistic.findData(
                DEFAULT_STATISTIC.get(self.mode.currentData(), DEFAULT_ORDERS_STATISTIC)
            )
        )

    def focus(self) -> None:
        widget = self.matrix if self._result else self.mode
        (self.table if isinstance(self._result, RunCorrelation) else widget).setFocus()

    # Computation

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._result = None
        for box in (self.first, self.second, self.measure):
            box.clear()

    def refresh(self) -> None:
        if self.project is not None:
            names = [(run.name, run.name) for run in self.project.rankings.runs()]
            fill_choices(self.first, names)
            fill_choices(self.second, names, 1)
            fill_choices(
                self.measure, [(measure.name, measure.name) for measure in self._measures()]
            )
            self.compute()

    def _measures(self) -> tuple[Measure, ...]:
        try:
            return stored_options(self.project, self._settings).parse()
        except IrjudgeError:
            return ()

    def chosen_statistic(self) -> Statistic:
        return parse_statistics([self.statistic.currentData()])[0]

    def compute(self) -> None:
        project = self.project
        self._job.stop()
        self._show(None)
        if project is not None:
            computation = (
                self._make_computation(project) if len(project.rankings.runs()) > 1 else None
            )
            if computation:
                self.run_on_project(self._job, computation, self._show)
            else:
                message, page_action = MISSING_DATA[self.mode.currentData()]
                self._missing_text.setText(translate("CorrelateView", str(message)))
                self._page_button.setText(BY_ID[page_action].label)
                self.empty.show()

    def _make_computation(self, project: Project) -> Computation | None:
        """Return the function to run in the background; None if the required data are missing."""
        options = stored_options(project, self._settings)
        statistic = self.chosen_statistic()
        mode = self.mode.currentData()
        measures, policy = self._measures(), options.policy()
        if mode == "runs":
            first, second = self.first.currentData(), self.second.currentData()
            depth, items = self.tops.currentData(), self.items.currentData()
            return lambda project, progress: correlate_project_runs(
                project, first, second, statistic, depth=depth, items=items, progress=progress
            )
        if mode != "measures":
            measures = tuple(
                measure for measure in measures if measure.name == self.measure.currentData()
            )
        orders: Sequence[object] = measures
        if mode == "qrels":
            orders = list_qrels_choices(project)
        elif mode == "assessors":
            orders = list_counted_assessors(project)
        if not measures or len(orders) < 2:
            return None
        if mode == "assessors":
            return lambda project, progress: correlate_project_assessors(
                project, measures[0], policy, statistic, progress=progress
            )

        def correlate(project: Project, progress: Progress) -> SystemOrders:
            with CLUSTER_WORKERS.provide_workers(progress) as workers:
                return correlate_project_orders(
                    project,
                    measures,
                    policy,
                    list_qrels_choices(project) if mode == "qrels" else [options.choice(project)],
                    statistic,
                    workers=workers,
                    progress=progress,
                )

        return correlate

    # Display

    def _show(self, result: RunCorrelation | SystemOrders | None) -> None:
        mode, self._result = self.mode.currentData(), result
        for box, is_visible in (
            (self.measure, mode in ("qrels", "assessors")),
            (self.first, mode == "runs"),
            (self.second, mode == "runs"),
            (self.tops, mode == "runs"),
            (self.items, mode == "runs" and self.chosen_statistic().declaration.kind == "order"),
        ):
            self._choices[box].setVisible(is_visible)
        self.problem.hide()
        self.empty.hide()
        self._lower_part.setVisible(result is not None)
        self._matrix_area.setVisible(isinstance(result, SystemOrders))
        if isinstance(result, SystemOrders):
            self._show_orders(result)
        elif result is not None:
            self.lines.fill(result.lines, _topic_columns(self.decimals, result.titles))
            self.table.setCurrentIndex(self.table.model().index(0, 0))
            self._choose_line()

    def _show_orders(self, orders: SystemOrders) -> None:
        self.lines.fill(
            [
                (
                    orders.names[a],
                    orders.names[b],
                    float(orders.values[a, b]),
                    orders.count_pairs(a, b),
                )
                for a, b in combinations(range(len(orders.names)), 2)
            ],
            _order_columns(self.decimals),
        )
        names = [translate_message(name) for name in orders.names]
        self.matrix.show_matrix(Matrix(names, names, orders.values, decimals=self.decimals))

    def _choose_orders(self, row: int, column: int) -> None:
        if not isinstance(self._result, SystemOrders):
            return
        self.verdict.setText(_describe_orders(self._result, row, column, self.decimals))
        self.description_label.setText(
            "\n\n".join(
                filter(
                    None,
                    (
                        *(explain_orders(self._result, row, column) if row != column else ()),
                        describe_qrels_source(self._result.qrels_name),
                        translate_message(self._result.topics_warning),
                    ),
                )
            )
        )
        names = [self._result.names[index] for index in sorted((row, column))]
        table_model = self.table.model()
        with QSignalBlocker(self.table.selectionModel()):
            for table_row in range(table_model.rowCount()):
                if [table_model.index(table_row, index).data() for index in (0, 1)] == names:
                    self.table.setCurrentIndex(table_model.index(table_row, 0))

    def _choose_line(self) -> None:
        index = self.table.currentIndex()
        if not index.isValid() or self._result is None:
            return
        if isinstance(self._result, SystemOrders):
            names = self._result.names
            self.matrix.choose(
                *(names.index(index.siblingAtColumn(column).data()) for column in (0, 1))
            )
        else:
            self.verdict.setText(_describe_rankings(self._result, self.decimals))
            self.description_label.setText(
                "\n\n".join(explain_rankings(self._result, self.lines.at(index), self.decimals))
            )


def _order_columns(decimals: int) -> list[Column]:
    return [
        Column(translate("CorrelateView", "Order"), lambda line: line[0]),
        Column(translate("CorrelateView", "Compared with"), lambda line: line[1]),
        Column(
            translate("CorrelateView", "Value"),
            lambda line: line[2],
            partial(format_value, decimals=decimals),
            number=True,
        ),
        Column(
            translate("CorrelateView", "Same"),
            lambda line: line[3].concordant,
            number=True,
            help=translate("CorrelateView", "Pairs of runs in the same order"),
        ),
        Column(
            translate("CorrelateView", "Swapped"),
            lambda line: line[3].discordant,
            number=True,
            help=translate("CorrelateView", "Pairs of runs in opposite order"),
        ),
        Column(
            translate("CorrelateView", "Tied"),
            lambda line: line[3].tied,
            number=True,
            help=translate(
                "CorrelateView",
                "Pairs of runs that are tied in at least one of the two system rankings",
            ),
        ),
    ]


def _topic_columns(decimals: int, titles: Mapping[str, str]) -> list[Column]:
    return [
        Column(
            translate("CorrelateView", "Topic"),
            lambda line: line.topic,
            also=lambda line: titles.get(line.topic, ""),
        ),
        Column(
            translate("CorrelateView", "Value"),
            lambda line: line.value,
            partial(format_value, decimals=decimals),
            number=True,
        ),
        Column(
            translate("CorrelateView", "In both"),
            lambda line: line.in_both,
            number=True,
            help=translate("CorrelateView", "Documents in both rankings"),
        ),
        Column(
            translate("CorrelateView", "In either"),
            lambda line: line.in_either,
            number=True,
            help=translate("CorrelateView", "Documents in either ranking"),
        ),
        Column(
            translate("CorrelateView", "Swapped"),
            lambda line: line.pairs.discordant,
            number=True,
            help=translate(
                "CorrelateView", "Pairs of documents in both rankings that are in opposite order"
            ),
        ),
    ]


# minimum number of pairs for a correlation without a warning: 10 systems form 45 pairs; with
# fewer pairs, one swapped pair changes tau by more than 0.04
FEW_PAIRS = 45
MEANINGS = {
    "tau": QT_TRANSLATE_NOOP(
        "Correlate",
        "Kendall's tau is the share of pairs in the same order minus the share in opposite "
        "order. Tied pairs count as neither.",
    ),
    "tau-b": QT_TRANSLATE_NOOP(
        "Correlate",
        "tau-b is the share of pairs in the same order minus the share in opposite order, "
        "corrected for tied pairs.",
    ),
    "tau-ap": QT_TRANSLATE_NOOP(
        "Correlate",
        "AP correlation is like tau, but swaps near the top count more than swaps near the bottom.",
    ),
    "tau-ap-b": QT_TRANSLATE_NOOP(
        "Correlate",
        "AP correlation is like tau, but swaps near the top count more; here both orders are "
        "treated equally and ties are ignored.",
    ),
    "weighted-tau": QT_TRANSLATE_NOOP(
        "Correlate", "Weighted tau is like tau, but pairs near the top weigh more."
    ),
    "spearman": QT_TRANSLATE_NOOP(
        "Correlate",
        "Spearman's rho is the correlation of the ranks: one large move counts more than "
        "many small ones.",
    ),
    "footrule": QT_TRANSLATE_NOOP(
        "Correlate",
        "Spearman's footrule measures how far items moved, as a share of the maximum.",
    ),
    "overlap": QT_TRANSLATE_NOOP(
        "Correlate",
        "Overlap is the share of the top documents that both rankings have in common, in "
        "any order.",
    ),
    "jaccard": QT_TRANSLATE_NOOP(
        "Correlate",
        "The Jaccard index is the number of documents in both rankings, divided by the number "
        "in at least one of them; the order does not matter.",
    ),
    "rbo": QT_TRANSLATE_NOOP(
        "Correlate",
        "Rank-biased overlap is the share that both rankings have in common for a reader "
        "who continues from each document to the next with probability p: top ranks count "
        "most, and documents in only one ranking lower the value.",
    ),
}


def format_value(value: float, decimals: int) -> str:
    """Format a correlation with `decimals` decimal places."""
    return f"{value:z.{decimals}f}".replace("-", "−")


def _describe_orders(orders: SystemOrders, row: int, column: int, decimals: int) -> str:
    if row == column:
        return filled(
            translate("Correlate", "{names} compared with itself"),
            names=translate_message(orders.names[row]),
        )
    pairs = orders.count_pairs(row, column)
    return filled(
        translate(
            "Correlate",
            "{first} and {second}: {statistic} = {value}; {swapped} of {pairs} pairs of runs are "
            "in opposite order",
        ),
        first=translate_message(orders.names[row]),
        second=translate_message(orders.names[column]),
        statistic=orders.statistic.name,
        value=format_value(orders.values[row, column], decimals),
        swapped=pairs.discordant,
        pairs=pairs.pairs,
    )


def explain_orders(orders: SystemOrders, row: int, column: int) -> list[str]:
    """Return paragraphs that explain the correlation of two orders of systems."""
    pairs = orders.count_pairs(row, column)
    parts = [
        describe_pairs(pairs, translate("Correlate", "runs")),
        describe_statistic(orders.statistic),
    ]
    if not orders.statistic.declaration.symmetric:
        parts.append(
            filled(
                translate(
                    "Correlate",
                    "The system ranking by {names} is the reference.",
                ),
                names=translate_message(orders.names[row]),
            )
        )
    if orders.statistic.declaration.name in ("tau", "tau-b"):
        parts.append(
            translate(
                "Correlate",
                "As a rule of thumb, 0.9 or more means the same order, and less than 0.8 a "
                "noticeable change (Voorhees, 2001).",
            )
        )
    if pairs.pairs < FEW_PAIRS:
        parts.append(
            filled(
                translate(
                    "Correlate",
                    "With {systems} runs there are only {pairs} pairs: swapping a single pair "
                    "changes tau by {value}, so conclusions are limited.",
                ),
                systems=len(orders.orders[0].systems),
                pairs=pairs.pairs,
                value=format_value(2 / max(1, pairs.pairs), 2),
            )
        )
    return parts


def _describe_rankings(rankings: RunCorrelation, decimals: int) -> str:
    return filled(
        translate(
            "Correlate", "{first} and {second}: {statistic} = {mean} on average over {count} topics"
        ),
        first=rankings.first,
        second=rankings.second,
        statistic=rankings.statistic.name,
        mean=format_value(float(np.mean([line.value for line in rankings.lines])), decimals),
        count=len(rankings.lines),
    )


def explain_rankings(
    rankings: RunCorrelation, line: TopicCorrelation | None, decimals: int
) -> list[str]:
    """Return paragraphs that explain the correlations of two runs.

    If `line` is not None, the first paragraphs explain the correlation for the topic of this row.
    """
    parts = []
    if line is not None:
        parts.append(
            filled(
                translate(
                    "Correlate",
                    "Topic {topic}: {line}. {both} of the {either} documents are in both rankings.",
                ),
                topic=line.topic,
                line=format_value(line.value, decimals),
                both=line.in_both,
                either=line.in_either,
            )
        )
        if rankings.statistic.declaration.kind == "order":
            parts.append(
                describe_pairs(line.pairs, translate("Correlate", "documents in both rankings"))
            )
    parts.append(describe_statistic(rankings.statistic))
    if not rankings.statistic.declaration.symmetric:
        parts.append(
            filled(translate("Correlate", "Reference ranking: {first}."), first=rankings.first)
        )
    unranked_count = sum(line.ranked < 2 for line in rankings.lines)
    if unranked_count and rankings.statistic.declaration.kind == "order":
        parts.append(
            filled(
                translate(
                    "Correlate",
                    "Topics with fewer than two documents to rank: {count}. For these topics, the "
                    "value is 0 and meaningless.",
                ),
                count=unranked_count,
            )
        )
    names = (rankings.first, rankings.second)
    missing = translate("Correlate", "Topics of {name} that are not in {other}: {count}.")
    parts += [
        filled(missing, count=count, name=name, other=other)
        for name, other, count in zip(names, names[::-1], rankings.unmatched_topics, strict=True)
        if count
    ]
    return parts


def describe_pairs(pairs: PairCounts, items: str) -> str:
    """Return a sentence about the numbers of concordant, discordant and tied pairs."""
    return filled(
        translate(
            "Correlate",
            "{pairs} pairs of {things}: {same} in the same order, {swapped} in opposite order, "
            "{tied} tied.",
        ),
        pairs=pairs.pairs,
        things=items,
        same=pairs.concordant,
        swapped=pairs.discordant,
        tied=pairs.tied,
    )


def describe_statistic(statistic: Statistic) -> str:
    """Return a description of a statistic and of its extreme values."""
    declaration = statistic.declaration
    meaning = MEANINGS.get(declaration.name)
    definition = (
        translate("Correlate", str(meaning))
        if meaning
        else f"{translate_message(declaration.title)}."
    )
    if declaration.same != 1:
        return definition
    value_range = (
        translate("Correlate", "1 means the same order, 0 no relation, −1 the opposite order.")
        if declaration.bounds[0] < 0
        else translate("Correlate", "1 means identical, 0 nothing in common.")
    )
    return f"{definition} {value_range}"

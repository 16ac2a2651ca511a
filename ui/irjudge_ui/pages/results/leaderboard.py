"""The leaderboard: runs and measures, best first, which of them cannot be told apart, and what the means rest on."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QVBoxLayout, QWidget

from irjudge.evaluation.comparison import LeaderPlace, standings
from irjudge.evaluation.table import Evaluation
from irjudge.metrics.names import Measure
from irjudge_ui.jobs import Failure, Latest
from irjudge_ui.messages import filled, in_language, sentences
from irjudge_ui.models.tables import Cell, ScoreModel
from irjudge_ui.pages.results.evaluate_table import ScoreTable, interval_lines, run_columns, signs
from irjudge_ui.pages.shared.policy import rests_on
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.layout import button, card, flowing, text
from irjudge_ui.widgets.table import BELOW_ROLE, PREFIX_ROLE, SIGN_ROLE, FilterLine
from irjudge_ui.widgets.theme import SPACE_M


class Leaderboard(QWidget):
    """Shows an evaluation, best first by its first measure; signs, intervals and places are computed beside the window.

    `latest` makes what runs work that stops with the page; `failed` is told of what goes wrong.
    """

    def __init__(
        self, settings: Settings, latest: Callable[[], Latest], failed: Failure, *, rows: int
    ) -> None:
        super().__init__()
        self._settings, self._failed = settings, failed
        self._differences, self._intervals, self._places = latest(), latest(), latest()
        self._table: Evaluation | None = None  # of all runs
        # the first measure, by which runs are ranked; empty where they are not, None before any are shown
        self._first: tuple[Measure, ...] | None = None
        self._standings: Mapping[str, LeaderPlace] = {}
        self._whole = False  # whether all runs are there
        self._only: frozenset[str] = frozenset()  # the runs that are shown; all where it is empty
        self.model = ScoreModel()
        self.table = ScoreTable(self.model, self.tr("Runs and measures"), rows=rows)
        self.rests_on = text("", "small")
        self.options = {name: QCheckBox(label) for name, label in self._option_labels().items()}
        self.only_these = button(self.tr("Only these runs"))
        self.only_these.setToolTip(
            self.tr(
                "Show only the chosen runs, and compare them alone; several are chosen with Ctrl or Shift"
            )
        )
        self.all_runs = button(self.tr("All runs"))
        self.count_missing = button(self.tr("Count missing topics as 0"))
        self.count_missing.setToolTip(
            self.tr("Average over all topics of the qrels, so that the runs can be ranked")
        )
        self.count_missing.hide()
        tools = flowing(*self.options.values(), self.only_these, self.all_runs, self.count_missing)
        self.filter = FilterLine(self.table)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(card(tools, self.filter, self.table, self.rests_on, margin=SPACE_M))
        self._connect()

    def _option_labels(self) -> dict[str, str]:
        return {
            "table_colours": self.tr("Colours"),
            "table_intervals": self.tr("Intervals"),
            "table_coverage": self.tr("Coverage"),
        }

    def _connect(self) -> None:
        for name, box in self.options.items():
            box.setChecked(bool(self._settings.get(name)))
            box.toggled.connect(lambda on, name=name: self._choose_option(name, on))
        self.model.colour(coloured=self.options["table_colours"].isChecked())
        self.table.selectionModel().selectionChanged.connect(
            lambda _now, _before: self._offer_only()
        )
        self.filter.line.textChanged.connect(lambda _words: self._offer_only())
        self.only_these.clicked.connect(lambda: self.show_only(self._meant()))
        self.all_runs.clicked.connect(lambda: self.show_only(frozenset()))
        self._offer_only()

    # What a page calls

    def clear(self) -> None:
        """Show nothing, and no more of what is computed."""
        self.stop()
        self._table, self._only = None, frozenset()
        self.model.fill(())

    def stop(self) -> None:
        """Stop what is computed."""
        for work in (self._differences, self._intervals, self._places):
            work.stop()

    def show_table(self, table: Evaluation, *, complete: bool = True) -> None:
        """Show an evaluation, the same cell chosen as before; one that is not complete is shown as far as it is."""
        self.stop()
        before = self._chosen() if self._whole else ("", 1)
        self._table, self._standings, self._whole = table, {}, complete
        if not self._only <= {run.run for run in table.runs}:
            self._narrow(frozenset())
        self._fill(before)
        if complete:
            self._find_differences(table)
            self._find_intervals()

    def show_only(self, runs: frozenset[str]) -> None:
        """Show only some runs, which are compared alone then; none of them means all."""
        self._narrow(runs)
        if self._table:
            self._find_places(self._table)

    def _narrow(self, runs: frozenset[str]) -> None:
        self._only = runs
        self.model.only((lambda run: run.run in runs) if runs else None)
        self._offer_only()

    # What is shown

    def _meant(self) -> frozenset[str]:
        """Return the runs that are chosen, or else those that the filter keeps."""
        chosen = self.table.selectionModel().selectedRows()
        if len(chosen) < 2:
            chosen = (
                [self.model.index(line, 0) for line in range(self.model.rowCount())]
                if self.filter.line.text()
                else []
            )
        return frozenset(self.model.at(index).run for index in chosen)

    def _offer_only(self) -> None:
        self.only_these.setEnabled(len(self._meant()) > 1)
        self.all_runs.setVisible(bool(self._only))

    @property
    def _decimals(self) -> int:
        return int(self._settings.get("decimals"))

    def _chosen(self) -> tuple[str, int]:
        """Return the run and the column of the current cell."""
        index = self.table.currentIndex()
        return self.model.at(index).run if index.isValid() else "", max(1, index.column())

    def _fill(self, before: tuple[str, int]) -> None:
        """Show the table, with the current cell where it was; of runs that come one by one the best is the current one."""
        table, (chosen, at) = self._table, before
        if table is None:
            return
        coverage = self.options["table_coverage"].isChecked()
        self.model.fill(
            list(table.runs), run_columns(table, self._decimals, self._standings, coverage=coverage)
        )
        self._sort(table)
        self._say_basis(table)
        if table.runs:
            row = next((row for row, run in enumerate(table.runs) if run.run == chosen), -1)
            line = max(0, self.model.line_of(row).row())
            self.table.setCurrentIndex(self.model.index(line, min(at, len(table.measures))))

    def _sort(self, table: Evaluation) -> None:
        """Put the best run first by another first measure; leave runs that cannot be ranked as they were given."""
        first = table.measures[:1] if table.is_rankable else ()
        if first != self._first and (self.table.is_sorted_by(1) or self.table.is_sorted_by(-1)):
            if first:  # lower values may be better by it than by the last one
                self.table.sort_best_first(1)
            else:
                self.table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
        self._first = first
        self.count_missing.setVisible(not table.is_rankable)

    def _say_basis(self, table: Evaluation) -> None:
        counts = sorted({run.coverage.topics for run in table.runs})
        if len(counts) == 1:
            topics = str(counts[0])
        elif counts:
            topics = f"{counts[0]}–{counts[-1]}"
        else:
            topics = "0"
        said = [
            rests_on(table.source),
            filled(
                self.tr("Topics averaged: {topics} · {policy}."),
                topics=topics,
                policy=in_language(str(table.policy)),
            ),
        ]
        if found := table.highest:
            said.append(
                filled(
                    self.tr("Highest grade of the scale: {grade} ({source})."),
                    grade=found.grade,
                    source=in_language(found.source),
                )
            )
        if warning := table.topics_warning:
            said.append(in_language(warning))
        elif len(table.runs) > 1:
            words = self.tr(
                "Bold: the best. ≈: not significantly worse than the best (paired t-test of each run with the best, Holm over {count}"
                " comparisons)."
            )
            said.append(filled(words, count=f"{len(table.runs) - 1:,}"))
        if self._standings:
            words = self.tr(
                "Ranks by {name}: runs with the same ranks do not differ significantly from the best of them where every two runs are"
                " compared (paired t-test, Holm over {runs} comparisons). More comparisons find fewer differences, so a run without ≈ may"
                " share ranks with the best."
            )
            runs = len(self._standings)
            said.append(
                filled(words, name=table.measures[0].name, runs=f"{runs * (runs - 1) // 2:,}")
            )
        self.rests_on.setText(sentences(*said))

    def _choose_option(self, name: str, on: bool) -> None:
        self._settings.set(name, on)
        if name == "table_colours":
            self.model.colour(coloured=on)
        elif name == "table_intervals":
            self._find_intervals()
        else:
            self._fill_again()

    def _fill_again(self) -> None:
        """Show the same runs in other columns: what takes seconds to find stands where it stood."""
        told = {role: self.model.told(role) for role in (SIGN_ROLE, BELOW_ROLE, PREFIX_ROLE)}
        self._fill(self._chosen())
        for role, words in told.items():
            self.model.tell(role, words)
        self.table.fit()

    def _find_intervals(self) -> None:
        """Compute intervals beside the window, when they are wanted, and show them when they are there."""
        table, decimals, wanted = (
            self._table,
            self._decimals,
            self.options["table_intervals"].isChecked(),
        )
        self.table.set_tall(wanted)
        if not wanted:
            self._intervals.stop()
            self.model.tell(BELOW_ROLE, {})
        elif table:
            self._intervals.run(
                lambda progress: interval_lines(table, decimals, progress),
                self._show_intervals,
                self._failed,
            )

    def _show_intervals(self, lines: dict[Cell, str]) -> None:
        self.model.tell(BELOW_ROLE, lines)
        self.table.fit()

    def _find_differences(self, table: Evaluation) -> None:
        """Compare all runs with the best, and every two that are shown: one after the other, for the window shares its turns with both."""
        shown, only = self._shown_of(table), self._only

        def show(found: tuple[dict[Cell, str], tuple[LeaderPlace, ...]]) -> None:
            self.model.tell(SIGN_ROLE, found[0])
            if only == self._only:
                self._show_places(found[1])

        self._differences.run(
            lambda progress: (signs(table, progress), standings(shown)), show, self._failed
        )

    def _find_places(self, table: Evaluation) -> None:
        """Compare the runs that are shown, every two of them."""
        shown = self._shown_of(table)
        self._places.run(lambda _progress: standings(shown), self._show_places, self._failed)

    def _shown_of(self, table: Evaluation) -> Evaluation:
        return replace(
            table, runs=tuple(run for run in table.runs if not self._only or run.run in self._only)
        )

    def _show_places(self, found: tuple[LeaderPlace, ...]) -> None:
        self._standings = {each.run: each for each in found}
        rows = [run.run for run in self.model.rows]
        self.model.tell(PREFIX_ROLE, {(rows.index(each.run), 0): each.group for each in found})
        self._fill_again()

"""Figures page: choose a figure and its options, save it, copy it, or read its values."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import (
    QT_TRANSLATE_NOOP,
    QEvent,
    QMimeData,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QImage, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QWidget,
)

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.judging import list_qrels_choices
from irjudge.progress import Progress
from irjudge.report.figures import (
    CURVES,
    FIGURE_FORMATS,
    FITS,
    SCATTER_POINTS,
    Figure,
    FigureOptions,
    Material,
    catalogue,
    render_figure,
    write_figure,
)
from irjudge.stats import list_correlations
from irjudge.stats.agreement import AGREEMENT
from irjudge.store import Project, protect_sources
from irjudge_ui import jobs
from irjudge_ui.actions import BY_ID, ActionHandler, create_actions
from irjudge_ui.file_dialogs import ask_save_path
from irjudge_ui.messages import filled, join_sentences, translate, translate_message
from irjudge_ui.pages.figure_view import (
    FigureSpec,
    FigureStage,
    RenderedFigure,
    current_look,
    describe_figure,
    make_figure,
    render_png,
)
from irjudge_ui.pages.shared import View, stored_options
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    MAX_WIDGET_SIZE,
    SPACE_M,
    SUBTITLE_ROLE,
    ChoiceBox,
    Flow,
    PageScrollArea,
    SideBySide,
    TitledDelegate,
    card,
    column,
    fill_choices,
    make_button,
    make_label,
    make_timer,
    named,
    row,
    scale_length,
    show_text,
    with_label,
)

# Options of a figure: highlighted runs, topic, measures, and computation

FIELD_CHARACTERS, FIELD_WIDTH = 12, 220
LEVEL_COUNTS = (11, 101)
RANK_COUNTS = (10, 20, 50, 100, 1000)
CHOICES = {
    "topics": QT_TRANSLATE_NOOP("FigureChoices", "mean of ratios"),
    "ratio": QT_TRANSLATE_NOOP("FigureChoices", "ratio of means"),
    "systems": QT_TRANSLATE_NOOP("FigureChoices", "one point per run"),
    "none": QT_TRANSLATE_NOOP("FigureChoices", "none"),
    "binormal": QT_TRANSLATE_NOOP("FigureChoices", "binormal, with the area under the curve"),
    "each": QT_TRANSLATE_NOOP("FigureChoices", "one point per topic"),
    "cg": "CG",
    "dcg": "DCG",
    "ncg": "NCG",
    "ndcg": "nDCG",
    "log2p1": "log2(rank + 1)",
    "jk": "log2(rank)",
}
DISCOUNTS = ("log2p1", "jk")


class FigureChoices(QWidget):
    """Form of the figures page for the options of a figure.

    Fields without effect on the figure are hidden. The options include measures, highlighted runs
    and the topic, but neither the kind of figure nor evaluation options such as the qrels. Entered
    measures are remembered for each figure until another project is shown. `changed` is emitted
    when the user selects a choice or has entered other measures.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._figure: Figure | None = None
        self._entered_measures: dict[str, str] = {}  # entered measures, by name of the figure
        self.measures = named(
            QLineEdit(),
            self.tr("Measures shown in the figure"),
            self.tr("Names separated by spaces, for example: AP nDCG@10"),
        )
        # name of the option, label and accessible name of each field
        fields = (
            ("runs", self.tr("Run"), self.tr("Highlighted run")),
            ("against", self.tr("Second run"), self.tr("Second highlighted run")),
            ("topic", self.tr("Topic"), self.tr("Topic shown in the figure")),
            ("model", self.tr("Model"), self.tr("Model shown in the figure")),
            ("curve", self.tr("Curve"), self.tr("Curve")),
            ("discount", self.tr("Discount"), self.tr("Rank discount")),
            ("levels", self.tr("Recall levels"), self.tr("Recall levels")),
            ("fit", self.tr("Smooth curve"), self.tr("Smooth curve")),
            ("averaging", self.tr("Average"), self.tr("How ratios are averaged")),
            ("ranks", self.tr("Last rank"), self.tr("Last rank")),
            ("of", self.tr("Points"), self.tr("What each point represents")),
            ("statistic", self.tr("Statistic"), self.tr("Statistic")),
        )
        self.boxes = {
            name: ChoiceBox(FIELD_CHARACTERS, accessible_name, activated=self.changed)
            for name, _, accessible_name in fields
        }
        self._fields = {"measures": with_label(self.tr("Measures"), self.measures)} | {
            name: with_label(label, self.boxes[name]) for name, label, _ in fields
        }
        self._flow = Flow(self._fields.values())
        self.setLayout(self._flow)
        self.measures.editingFinished.connect(self._enter)
        self._fill_boxes()

    def _fill_boxes(self) -> None:
        for name, numbers in (("levels", LEVEL_COUNTS), ("ranks", RANK_COUNTS)):
            self.boxes[name].add_choices((f"{number:,}", number) for number in numbers)
        for name, values in (("curve", CURVES), ("discount", DISCOUNTS)):
            self.boxes[name].add_choices((str(CHOICES[value]), value) for value in values)
        for name, options in (("averaging", ("topics", "ratio")), ("fit", FITS)):
            self.boxes[name].add_choices(
                (translate("FigureChoices", str(CHOICES[option])), option) for option in options
            )
        self.boxes["of"].add_choices(
            (
                translate("FigureChoices", str(CHOICES["each" if points == "topics" else points])),
                points,
            )
            for points in SCATTER_POINTS
        )
        self.boxes["ranks"].setCurrentIndex(RANK_COUNTS.index(100))
        self.boxes["curve"].setCurrentIndex(self.boxes["curve"].findData("ndcg"))

    def _enter(self) -> None:
        if self._figure is not None and self.measures.text() != self._entered_measures.get(
            self._figure.name
        ):
            self._entered_measures[self._figure.name] = self.measures.text()
            self.changed.emit()

    # Called by the page

    def forget(self) -> None:
        self._entered_measures.clear()
        for name in ("runs", "against", "topic", "model"):
            self.boxes[name].clear()

    def show_figure(self, figure: Figure, measures: str) -> None:
        """Show the fields for the options of a figure.

        `measures` are the default measures if the figure accepts any number of measures.
        """
        self._figure = figure
        self._entered_measures.setdefault(
            figure.name,
            measures
            if figure.measures[1] is None and len(measures.split()) >= figure.measures[0]
            else " ".join(figure.default_measures),
        )
        self.measures.setText(self._entered_measures[figure.name])
        self.measures.setMinimumWidth(
            scale_length(FIELD_WIDTH if figure.measures[1] is None else FIELD_WIDTH // 2)
        )
        box, names = self.boxes["statistic"], _list_statistics(figure)
        if [box.itemData(index) for index in range(box.count())] != names:
            box.clear()
            box.add_choices((name, name) for name in names)
        effective_names = {
            *figure.options,
            *(["measures"] if figure.input_kind == "values" else []),
            *(["against"] if "runs" in figure.options else []),
        }
        for name, field in self._fields.items():
            self._flow.removeWidget(field)
            if name in effective_names:
                self._flow.addWidget(field)
            field.setVisible(name in effective_names)
        self.updateGeometry()

    def offer(self, runs: Sequence[str], topics: Sequence[str], models: Sequence[str]) -> None:
        for option, default, names in (
            ("runs", self.tr("default runs"), runs),
            ("against", self.tr("none"), runs),
            ("topic", self.tr("all"), topics),
            ("model", self.tr("first model"), models),
        ):
            box = self.boxes[option]
            if names and [box.itemData(index) for index in range(1, box.count())] != list(names):
                fill_choices(box, [(default, None), *((name, name) for name in names)])

    def options(self, rel: int) -> FigureOptions:
        assert self._figure is not None  # noqa: S101 -- a figure is always shown first
        values: dict[str, Any] = {name: box.currentData() for name, box in self.boxes.items()}
        runs = filter(None, (values["runs"], values["against"]))
        values |= {
            "runs": tuple(dict.fromkeys(runs)),
            "model": values["model"] or "",
            "statistic": values["statistic"] or "",
        }
        return FigureOptions(
            **{name: value for name, value in values.items() if name in self._figure.options},
            rel=rel,
        )


def _list_statistics(figure: Figure) -> list[str]:
    if figure.input_kind == "labels":
        names = [name for name, statistic in AGREEMENT.items() if statistic.pairs]
        return sorted(names, key=lambda name: name != "kappa")
    names = [correlation.name for correlation in list_correlations() if correlation.kind == "order"]
    return sorted(names, key=lambda name: name != "tau-b") if "statistic" in figure.options else []


# The figures page


# function of a job, and the functions called with its result or its error
JobCalls = tuple[Callable[[Progress], Any], Callable[[Any], None], jobs.Failure]


class JobQueue:
    """Queue of the figures page: one job at a time; a new job replaces one of the same kind.

    The kinds are showing, saving and copying a figure. The earlier job is cancelled if it is
    running. The callbacks of replaced and of cancelled jobs are not called.
    """

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._on_change = on_change  # called when a job starts or ends
        self._waiting: dict[str, JobCalls] = {}  # jobs that have not started, by kind
        self._running: tuple[str, jobs.Job] | None = None

    def ask(
        self,
        kind: str,
        function: Callable[[Progress], Any],
        on_done: Callable[[Any], None],
        failed: jobs.Failure,
    ) -> None:
        """Run a function in the background, as soon as no other job of the queue is running.

        An older job of the same kind is cancelled or removed.
        """
        self._waiting[kind] = function, on_done, failed
        if self._running is None:
            self._start_next()
        elif self._running[0] == kind:
            self._running[1].cancel()

    def has(self, kind: str) -> bool:
        """Return whether a job of a kind is waiting or running."""
        return kind in self._waiting or (self._running is not None and self._running[0] == kind)

    def drop(self) -> None:
        """Cancel the running job, and remove all others."""
        self._waiting.clear()
        if self._running is not None:
            kind, job = self._running
            self._waiting[kind] = lambda progress: None, lambda result: None, lambda *error: None
            job.cancel()

    def _start_next(self) -> None:
        self._running = None
        if self._waiting:
            kind = next(iter(self._waiting))
            function, on_done, on_failed = self._waiting.pop(kind)
            self._running = (
                kind,
                jobs.run(
                    function,
                    lambda result: self._end(kind, on_done, result),
                    lambda *error: self._end(kind, on_failed, *error),
                ),
            )
        self._on_change()

    def _end(self, kind: str, report: Callable[..., None], *outcome: Any) -> None:
        has_newer = kind in self._waiting
        self._start_next()
        if not has_newer and not isinstance(outcome[0], Cancelled):
            report(*outcome)


LIST_WIDTH, LIST_HEIGHT, NARROW_WIDTH, STAGE_HEIGHT, NARROW_HEAD_WIDTH = 270, 120, 900, 300, 440
REDRAW_DELAY_MS = 150  # delay after the last resize before a picture is redrawn
MAX_STALE_MS = 150  # maximum time that an outdated picture stays visible


def _empty_material_cache(_project: Project) -> dict[tuple[str, str, str], Material]:
    return {}


class FiguresView(View):
    """Figures page: shows a figure of the runs, judgments or models, and saves or copies it.

    The user chooses the figure from a list, and its options. Data and pictures are computed in
    the background. The data are cached until the project changes.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._job = JobQueue(self.work_changed.emit)
        self.rendered_figure: RenderedFigure | None = None
        self.list = self._new_list()
        self.choices, self.stage = FigureChoices(), FigureStage()
        self.title, self._caption = make_label("", "heading"), make_label("", "small")
        self.values_shown = make_button(BY_ID["figure-values"].label, checkable=True)
        self._lay_out()
        self._is_computing = False
        self._when_ready: Callable[[], None] | None = None  # called once the figure is displayed
        self._redraw_timer = make_timer(self, REDRAW_DELAY_MS, self._redraw)
        self._stale_timer = make_timer(self, MAX_STALE_MS, self._hide_stale)
        self.list.currentRowChanged.connect(lambda _row: self._choose())
        self.choices.changed.connect(self.compute)
        self.actions_by_id = create_actions(
            self,
            {
                "save-figure": ActionHandler(self.ask_save, lambda: self.has_figure),
                "copy-figure": ActionHandler(self.copy, lambda: self.has_figure),
                "figure-values": ActionHandler(self.switch_values, lambda: self.has_figure),
            },
        )
        self.values_shown.clicked.connect(self.actions_by_id["figure-values"].trigger)

    def _new_list(self) -> QListWidget:
        list_widget = named(QListWidget(), self.tr("Figures"))
        list_widget.setObjectName("places")
        list_widget.setItemDelegate(TitledDelegate(list_widget))
        list_widget.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        list_widget.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        list_widget.setWordWrap(True)
        for figure in catalogue():
            item = QListWidgetItem(translate_message(figure.title), list_widget)
            item.setData(SUBTITLE_ROLE, translate_message(figure.about))
            item.setData(int(Qt.ItemDataRole.UserRole), figure)
        list_widget.setCurrentRow(0)
        return list_widget

    def _lay_out(self) -> None:
        self._save, self._copy = (
            self.action_button("save-figure"),
            self.action_button("copy-figure"),
        )
        size_policy = self.stage.sizePolicy()
        size_policy.setRetainSizeWhenHidden(True)
        self.stage.setSizePolicy(size_policy)
        self._card: QFrame = card(self.title, self.stage, self._caption, margin=SPACE_M)
        body = SideBySide(
            column(self.list),
            column(self.choices, self.problem, self._card, spacing=SPACE_M, stretched=self._card),
            NARROW_WIDTH,
            (0, 1),
        )
        self.setLayout(
            column(
                PageScrollArea(
                    column(
                        SideBySide(
                            column(make_label(self.tr("Figures"), "title", wrap=False)),
                            row(self.values_shown, self._copy, self._save),
                            NARROW_HEAD_WIDTH,
                        ),
                        body,
                        spacing=SPACE_M,
                        stretched=body,
                    )
                )
            )
        )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.list.setMinimumSize(0, 0)
        self.list.setMaximumSize(MAX_WIDGET_SIZE, MAX_WIDGET_SIZE)
        # in a wide window, the list of figures is beside the figure, otherwise above it
        if self.width() >= scale_length(NARROW_WIDTH):
            self.list.setFixedWidth(scale_length(LIST_WIDTH))
        else:
            self.list.setFixedHeight(scale_length(LIST_HEIGHT))
        self.list.scheduleDelayedItemsLayout()
        self.stage.setMinimumHeight(scale_length(STAGE_HEIGHT))
        if self.rendered_figure is not None and self.rendered_figure.picture:
            self._redraw_timer.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.rendered_figure is not None:
            self._redraw_timer.start()

    # Called by the window

    def show_project(self, project: Any) -> None:
        super().show_project(project)
        self._job.drop()
        self._is_computing, self._when_ready = False, None
        self.rendered_figure = None
        self.choices.forget()

    def focus(self) -> None:
        self.list.setFocus()

    def refresh(self) -> None:
        if self.project is not None:
            self._choose()

    # Actions

    @property
    def has_figure(self) -> bool:
        return self.rendered_figure is not None

    @property
    def job_progress(self) -> tuple[int, int | None, str] | None:
        return (0, None, "") if self._job.has("show") else None

    @property
    def writing(self) -> bool:
        return self._job.has("save")

    def cancel_jobs(self) -> None:
        self._job.drop()
        self._show_no_figure("")

    def switch_values(self) -> None:
        self._show_values(not self.stage.shows_values)
        self.stage.setFocus()

    def ask_save(self) -> None:
        if self._is_computing:
            self._when_ready = self.ask_save
        project = self.project
        if self.rendered_figure is None or project is None or self._is_computing:
            return
        target, kind = ask_save_path(
            self,
            BY_ID["save-figure"].label,
            project.path.with_name(f"{self.rendered_figure.spec.figure.name}.{FIGURE_FORMATS[0]}"),
            ";;".join(
                f"{image_format.upper()} (*.{image_format})" for image_format in FIGURE_FORMATS
            ),
        )
        if target:
            suffix = f".{kind.partition(' ')[0].lower()}" if kind else f".{FIGURE_FORMATS[0]}"
            path = (
                target
                if target.suffix.lower() in {f".{image_format}" for image_format in FIGURE_FORMATS}
                else Path(f"{target}{suffix}")
            )
            chart, colours = self.rendered_figure.chart, current_look()

            def save(_progress: Progress) -> Path:
                with (
                    project.second_connection() as job_project,
                    protect_sources(job_project, path.parent),
                ):
                    write_figure(path, chart, colours)
                return path

            self._job.ask("save", save, self._on_saved, self.show_error)

    def copy(self) -> None:
        if self._is_computing:
            self._when_ready = self.copy
        elif self.rendered_figure is not None:
            chart, colours = self.rendered_figure.chart, current_look()
            self._job.ask(
                "copy",
                lambda _progress: [render_figure(chart, kind, colours) for kind in ("png", "svg")],
                self._on_copied,
                self.show_error,
            )

    def _on_saved(self, path: Path) -> None:
        self.message_shown.emit(filled(self.tr("Saved {path}."), path=str(path)))
        self.wrote.emit(path)

    def _on_copied(self, images: Sequence[bytes]) -> None:
        png, svg = images
        data = QMimeData()
        data.setImageData(QImage.fromData(png))
        data.setData("image/svg+xml", svg)
        QGuiApplication.clipboard().setMimeData(data)
        self.message_shown.emit(self.tr("The figure was copied to the clipboard."))

    # Computation and display

    def figure(self) -> Figure:
        return cast(Figure, self.list.currentItem().data(int(Qt.ItemDataRole.UserRole)))

    def _choose(self) -> None:
        if self.project is not None:
            self.choices.show_figure(
                self.figure(), stored_options(self.project, self._settings).measures
            )
            self.compute()

    def compute(self) -> None:
        project, figure = self.project, self.figure()
        if project is None or not self._is_ready(figure):
            return
        policy = stored_options(project, self._settings)
        spec = FigureSpec(
            figure, self.choices.measures.text(), policy, self.choices.options(policy.rel)
        )
        cached_material = project.compute_cached(_empty_material_cache)
        zoom = scale_length(100) / 100
        render_chart = partial(
            render_png,
            colours=current_look(),
            size=QSizeF(self.stage.size()) / zoom,
            scale=zoom * self.devicePixelRatioF(),
        )

        def render(progress: Progress) -> RenderedFigure:
            return make_figure(project, spec, cached_material.get(spec.key), render_chart, progress)

        def on_done(figure: RenderedFigure) -> None:
            cached_material[figure.spec.key] = figure.material
            self._show(figure)

        self._is_computing = True
        if self.rendered_figure is not None and self.rendered_figure.spec != spec:
            self._stale_timer.start()
        self._job.ask("show", render, on_done, self._on_no_figure)

    def _hide_stale(self) -> None:
        self.title.setText(self.tr("Drawing the figure …"))
        self._caption.setText("")
        self.stage.setVisible(False)

    def _redraw(self) -> None:
        """Render the picture again for the current size and theme.

        A chart that the window draws itself adapts on its own.
        """
        if self.rendered_figure is not None and self.rendered_figure.picture:
            self.compute()
        elif self.rendered_figure is not None:
            self._show_values(self.values_shown.isChecked())

    def _is_ready(self, figure: Figure) -> bool:
        assert self.project is not None  # noqa: S101 -- called only with a project
        missing = ""
        if figure.input_kind == "labels":
            missing = (
                ""
                if len(self.project.events.assessors()) > 1
                else self.tr("This figure needs the judgments of at least two assessors.")
            )
        elif figure.input_kind == "models" and not self.project.events.models():
            missing = self.tr(
                "This figure needs model labels. Import some on the Models page, or get "
                "some on the Ask a model page."
            )
        elif not self.project.rankings.runs():
            missing = self.tr("There are no runs to plot. Add some on the Collection page.")
        elif not list_qrels_choices(self.project):
            missing = self.tr(
                "There are no qrels yet. Judge some documents, or import qrels on the "
                "Collection page."
            )
        if missing:
            self._show_no_figure(missing)
        return not missing

    def _on_no_figure(self, error: Exception, trace: str) -> None:
        self._is_computing, self._when_ready = False, None
        if not trace and isinstance(error, IrjudgeError):
            self._show_no_figure(translate_message(str(error)))
        else:
            self.show_error(error, trace)

    def _show_no_figure(self, reason: str) -> None:
        self._stale_timer.stop()
        self._is_computing, self._when_ready = False, None
        self.rendered_figure = None
        self._card.hide()
        self.show_problem(reason)
        self._enable_buttons()

    def _show(self, figure: RenderedFigure) -> None:
        self.rendered_figure = figure
        self.choices.offer(
            figure.runs,
            figure.material.topics if "topic" in figure.spec.figure.options else (),
            figure.models,
        )
        warnings = join_sentences(*map(translate_message, figure.warnings))
        show_text(self.problem, "⚠ " + warnings if warnings else "")
        self._stale_timer.stop()
        self.stage.setVisible(True)
        self.title.setText(translate_message(figure.chart.title))
        self._caption.setText(translate_message(figure.chart.caption))
        self._card.show()
        self._show_values(self.values_shown.isChecked())
        self._enable_buttons()
        callback, self._is_computing, self._when_ready = self._when_ready, False, None
        if callback:
            callback()

    def _show_values(self, visible: bool) -> None:
        self.values_shown.setChecked(visible)
        if self.rendered_figure is not None:
            self.stage.show_chart(
                self.rendered_figure,
                describe_figure(
                    self.rendered_figure, self.tr("More values in the table: {count}.")
                ),
                as_table=visible,
            )

    def _enable_buttons(self) -> None:
        for part in (self._save, self._copy, self.values_shown):
            part.setEnabled(self.rendered_figure is not None)

"""Excel workbooks of an evaluation or a project: selection of sheets, and charts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from irjudge.audit import DEFAULT_AUDIT_MEASURE, JudgeAudit, audit_project
from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import (
    Comparison,
    Evaluation,
    OrderingPair,
    PreferenceResults,
    evaluate_runs,
    preference_results,
)
from irjudge.formats.bytes import replace_file
from irjudge.judging import (
    AdjudicatedGrade,
    NormingSession,
    build_vote_labels,
    find_human_qrels,
    get_ledger,
    iter_preferences,
    list_model_qrels,
    list_norming_sessions,
    make_display_names,
    map_sides_to_runs,
    read_project_preferences,
    select_adjudications,
)
from irjudge.metrics import best_first, format_value
from irjudge.model import Pool, topic_of_each_row
from irjudge.progress import SILENT, Progress
from irjudge.report.contents import (
    Method,
    compare_all_runs,
    correlate_measures,
    describe_average,
    describe_method,
    evaluation_settings,
    first_evaluated_topic,
    format_bounds,
    make_worked_sheets,
    project_source,
    report_title,
)
from irjudge.report.evaluation_history import evaluated_qrels
from irjudge.report.judge_tables import write_audit_sheets
from irjudge.report.workbook.sheet_writer import (
    SheetWriter,
    WorkbookColumn,
    WorkbookWriter,
    create_workbook,
)
from irjudge.report.workbook.sheets import (
    AGREEMENT,
    BY_TOPIC,
    COMPARISON_MEANINGS,
    COMPARISONS,
    COVERAGE,
    CURVE_SHEETS,
    CURVES,
    PER_TOPIC,
    PREFERENCES,
    ROUND_NOTE,
    ROUNDS,
    ROW_NUMBER,
    RUN_NUMBER,
    SUMMARY,
    ByTopicSheet,
    JudgmentRow,
    WorkedSheet,
    by_topic_sheet,
    curve_measures,
    curve_row,
    topic_table,
    write_agreement,
    write_by_topic,
    write_comparisons,
    write_correlations,
    write_curves,
    write_judgments,
    write_pool,
    write_preferences,
    write_qrels,
    write_rounds,
    write_summary,
    write_topics,
    write_worked_sheet,
)
from irjudge.shipped import program_version
from irjudge.stats import Sampling
from irjudge.stats.agreement import AgreementEstimate, agreement, agreement_by_grade
from irjudge.store import Project

# Workbook of an evaluation: formulas for the means, inputs of the evaluation, and a legend

LEGEND, SETTINGS = "Legend", "Settings"
LEGEND_COLUMNS = (
    WorkbookColumn("Name", "words", 24),
    WorkbookColumn("Title", "words", 28),
    WorkbookColumn("Definition", "words", 60),
    WorkbookColumn("Parameters", "words", 28),
    WorkbookColumn("Values", "words", 14),
    WorkbookColumn("Summary", "words", 22),
    WorkbookColumn("Reference", "words", 48),
)
METHOD_WIDTHS = (30, 110)
SETTINGS_COLUMNS = (WorkbookColumn("Setting", "words", 24), WorkbookColumn("Value", "words", 90))


def write_legend(
    workbook: WorkbookWriter, evaluation: Evaluation, *, has_comparisons: bool
) -> None:
    """Write the sheet that explains each measure and the columns of other sheets.

    If `has_comparisons` is set, the columns of the sheet of comparisons are included.
    """
    sheet = SheetWriter(workbook, LEGEND, LEGEND_COLUMNS, frozen=1)
    for measure in evaluation.measures:
        declaration = measure.declaration
        parameters = ", ".join(
            f"{name} = {'none' if value is None else format_value(value)}"
            for name, value in measure.parameters
        )
        sheet.add(
            [
                measure.name,
                declaration.title,
                measure.definition,
                parameters,
                format_bounds(*declaration.bounds),
                describe_average(measure, evaluation),
                declaration.references,
            ]
        )
    for column in COVERAGE:
        sheet.add([column.title, "Basis of the means", column.meaning, None, None, None, None])
    number = f"Identifies the runs in the formulas of {SUMMARY}, independently of their names."
    sheet.add([RUN_NUMBER, "Key of the formulas", number, None, None, None, None])
    row = f"Identifies a row of {PER_TOPIC} for {BY_TOPIC}, independently of how that sheet is sorted."
    sheet.add([ROW_NUMBER, "Key of the formulas", row, None, None, None, None])
    for name, meaning in COMPARISON_MEANINGS.items() if has_comparisons else ():
        sheet.add([name, COMPARISONS, meaning, None, None, None, None])
    sheet.finish()


def write_settings(
    workbook: WorkbookWriter,
    evaluation: Evaluation,
    metadata: Mapping[str, str],
    notes: Iterable[tuple[str, str]],
) -> None:
    """Write the sheet of settings, metadata, notes and warnings.

    It must be written last, so that it contains the warnings about changed content of all sheets.
    """
    sheet = SheetWriter(workbook, SETTINGS, SETTINGS_COLUMNS, frozen=1)
    for name, value in (*evaluation_settings(evaluation).items(), *metadata.items(), *notes):
        sheet.add([name, value])
    warning = [evaluation.topics_warning] if evaluation.topics_warning else []
    for note in (*warning, *evaluation.notes, *workbook.warnings):
        sheet.add(["Remark", note])
    sheet.finish()


def write_method(workbook: WorkbookWriter, method: Method) -> None:
    """Write the sheet of the method: a paragraph for a paper, then a row for each detail."""
    columns = [
        WorkbookColumn(name, "words", width)
        for name, width in zip(method.columns, METHOD_WIDTHS, strict=True)
    ]
    sheet = SheetWriter(workbook, method.title, columns, frozen=1)
    sheet.add([method.title, method.paragraph])
    for detail in method.metadata:
        sheet.add(detail)
    sheet.finish()


CHARTS = "Charts"
# maximum number of runs in a chart of curves and in a bar chart; more could not be distinguished
MAX_LINES, MAX_BARS = 8, 4
# colours that colour-blind people can distinguish (Okabe and Ito 2008)
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
# sizes of charts in pixels; a bar chart has `TOPIC_WIDTH` for each topic
CHART_WIDTH, CHART_HEIGHT, TOPIC_WIDTH, MAX_CHART_WIDTH = 720, 420, 26, 2400
ROW_HEIGHT, CHART_GAP = 20, 2


class Charts:
    """Sheet with Excel charts of the best runs, one chart below another.

    The charts show values of later sheets. If runs cannot be ranked, the first runs are shown.
    """

    def __init__(self, workbook: WorkbookWriter, evaluation: Evaluation) -> None:
        self._book, self._evaluation = workbook, evaluation
        self._sheet = workbook.workbook.add_worksheet(CHARTS)
        self._sheet.hide_gridlines(2)
        self._sheet.set_portrait()
        self._sheet.fit_to_pages(1, 1)
        self._row = 0
        self._sorted_runs = list(range(len(evaluation.runs)))
        if evaluation.measures and evaluation.is_rankable:
            first = [run.summary[0] for run in evaluation.runs]
            self._sorted_runs = best_first(evaluation.measures[0], first)

    def add_curves(self) -> None:
        """Add a chart for each kind of curve, with the curves of the best runs."""
        for index, curve in enumerate(CURVE_SHEETS):
            first, last = curve_row(index), curve_row(index, len(curve.points) - 1)
            chart = self._book.workbook.add_chart(
                {"type": "scatter", "subtype": "straight_with_markers"}
            )
            runs = self._sorted_runs[:MAX_LINES]
            for colour, run in zip(COLOURS, runs, strict=False):
                column = 2 + run
                line_format = {
                    "line": {"color": colour, "width": 2},
                    "marker": {"type": "circle", "size": 5, "fill": {"color": colour}},
                }
                ranges = {
                    "categories": [CURVES, first, 1, last, 1],
                    "values": [CURVES, first, column, last, column],
                }
                chart.add_series({"name": [CURVES, 0, column], **ranges, **line_format})
            chart.set_x_axis(
                {
                    "name": curve.axis,
                    "max": curve.points[-1],
                    "major_gridlines": {"visible": False},
                    **({"log_base": 10} if curve.logarithmic else {"min": curve.points[0]}),
                }
            )
            self._insert_chart(chart, curve.title, curve.height, len(runs), CHART_WIDTH, maximum=1)

    def add_bars(self, layout: ByTopicSheet) -> None:
        """Add a bar chart of the values of the best runs by topic.

        The chart shows the first measure of the sheet By topic.
        """
        chart = self._book.workbook.add_chart({"type": "column"})
        runs, last = self._sorted_runs[:MAX_BARS], len(layout.topics)
        for colour, run in zip(COLOURS, runs, strict=False):
            column = layout.get_column(layout.measures[0], run)
            ranges = {
                "categories": [BY_TOPIC, 1, 0, last, 0],
                "values": [BY_TOPIC, 1, column, last, column],
            }
            chart.add_series(
                {"name": [BY_TOPIC, 0, column], **ranges, "fill": {"color": colour}, "gap": 60}
            )
        chart.set_x_axis({"name": "Topic"})
        index = layout.measures[0]
        name = self._evaluation.measures[index].name
        has_negative_values = any(
            (self._evaluation.runs[run].values[index] < 0).any() for run in runs
        )
        self._insert_chart(
            chart,
            f"{name} by topic",
            name,
            len(runs),
            min(MAX_CHART_WIDTH, max(CHART_WIDTH, TOPIC_WIDTH * last)),
            minimum=None if has_negative_values else 0,
        )

    def _insert_chart(
        self,
        chart: Any,
        title: str,
        height: str,
        runs: int,
        width: int,
        *,
        minimum: float | None = 0,
        maximum: float | None = None,
    ) -> None:
        measure_name, all_runs = self._evaluation.measures[0].name, len(self._evaluation.runs)
        runs_text = f"{runs} best of {all_runs} runs by {measure_name}"
        if not self._evaluation.is_rankable:
            runs_text = f"first {runs} of {all_runs} runs"
        title += f", the {runs_text}" if runs < all_runs else ""
        chart.set_title({"name": title, "name_font": {"size": 13, "bold": True}, "overlay": False})
        lines = {"visible": True, "line": {"color": "#D9D9D9"}}
        chart.set_y_axis(
            {
                "name": height,
                "min": minimum,
                "max": maximum,
                "num_format": "0.0",
                "major_gridlines": lines,
            }
        )
        chart.set_legend({"position": "bottom"})
        chart.set_size({"width": width, "height": CHART_HEIGHT})
        self._sheet.insert_chart(
            self._row, 0, chart, {"x_offset": 12, "y_offset": 12, "description": title}
        )
        self._row += CHART_HEIGHT // ROW_HEIGHT + CHART_GAP


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbookContents:
    """Content of a workbook in addition to the evaluation; empty parts have no sheet."""

    # titles of topics by id, for the column next to the ids
    titles: Mapping[str, str] = field(default_factory=dict)
    curves: Evaluation | None = None  # evaluation of the same runs by `curve_measures`
    # comparison of the runs by measures on the sheet By topic, computed by `compare_all_runs`
    comparison: Comparison | None = None
    # correlations between the orders of runs by two measures
    correlations: Sequence[OrderingPair] = ()
    preferences: PreferenceResults | None = None  # results of preference judgments
    agreement: Sequence[AgreementEstimate] = ()  # agreement between assessors
    rounds: Sequence[NormingSession] = ()  # norming rounds
    names: Mapping[str, str] = field(default_factory=dict)  # names of participants, by id
    audits: Sequence[JudgeAudit] = ()  # audits of the models whose labels are in the qrels
    worked_sheets: Sequence[WorkedSheet] = ()  # contents of the sheets with worked examples
    judgments: Iterable[JudgmentRow] = ()  # rows of the sheet of judgments
    qrels: Iterable[
        tuple[str, str, float]
    ] = ()  # rows of the sheet of qrels: topic, document, grade
    # adjudicated grades of pairs in the qrels
    adjudications: Mapping[tuple[str, str], AdjudicatedGrade] = field(default_factory=dict)
    pool: Pool | None = None  # pool of the project
    # additional rows of the sheet of settings: values by label, such as the names of the files
    metadata: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[tuple[str, str]] = ()  # pairs of label and note for the sheet of settings
    method: Method | None = None  # method section; None to describe only the evaluation itself


@dataclass(frozen=True, slots=True)
class WrittenWorkbook:
    """Result of writing a workbook: its path, sheets and warnings.

    `sheets` contains the name of each sheet with rows, and its number of rows without headings; the
    sheet Charts is not included. `warnings` describe content that was changed or omitted.
    """

    path: Path
    sheets: tuple[tuple[str, int], ...]
    warnings: tuple[str, ...] = ()


def write_workbook(
    path: Path,
    evaluation: Evaluation,
    contents: WorkbookContents | None = None,
    *,
    decimals: int = 4,
    progress: Progress = SILENT,
) -> WrittenWorkbook:
    """Write the workbook of an evaluation atomically.

    `decimals` is the number of decimals with which numbers are shown.
    """
    contents = contents or WorkbookContents()
    with replace_file(path) as part:
        with create_workbook(
            part, decimals=decimals, progress=progress, name=path.name
        ) as workbook:
            method = contents.method or describe_method(evaluation)
            workbook.workbook.set_properties(
                {"title": report_title(evaluation, method), "comments": program_version()}
            )
            _write_evaluation(workbook, evaluation, contents, progress)
            if contents.preferences:
                write_preferences(workbook, contents.preferences, progress)
            if contents.agreement:
                write_agreement(workbook, contents.agreement, progress)
            if contents.rounds:
                write_rounds(workbook, contents.rounds, contents.names, progress)
            if contents.audits:
                write_audit_sheets(workbook, contents.audits, progress, prefix="Audit")
            write_judgments(workbook, contents.judgments, contents.titles, progress)
            write_qrels(workbook, contents.qrels, contents.titles, contents.adjudications, progress)
            if contents.pool:
                write_pool(workbook, contents.pool, contents.titles, progress)
            write_legend(workbook, evaluation, has_comparisons=contents.comparison is not None)
            write_method(workbook, method)
            write_settings(workbook, evaluation, contents.metadata, _iter_content_notes(contents))
        progress.step(1, 1, f"Wrote {path.name}")
    return WrittenWorkbook(path, tuple(workbook.counts), workbook.warnings)


def _write_evaluation(
    workbook: WorkbookWriter, evaluation: Evaluation, contents: WorkbookContents, progress: Progress
) -> None:
    titles, has_titles = contents.titles, bool(contents.titles)
    table = topic_table(evaluation, has_titles=has_titles)
    layout = by_topic_sheet(evaluation, has_titles=has_titles)
    write_summary(workbook, evaluation, table)
    bars = bool(layout.measures and layout.topics)
    if bars or contents.curves:
        charts = Charts(workbook, evaluation)
        if contents.curves:
            charts.add_curves()
        if bars:
            charts.add_bars(layout)
    write_topics(workbook, evaluation, table, titles, progress)
    write_by_topic(workbook, evaluation, layout, table, titles, progress)
    if contents.curves:
        write_curves(workbook, contents.curves, titles, progress)
    for index, worked_sheet in enumerate(contents.worked_sheets):
        write_worked_sheet(workbook, worked_sheet, index)
    if contents.comparison:
        write_comparisons(workbook, evaluation, contents.comparison, layout, progress)
    if contents.correlations:
        write_correlations(workbook, contents.correlations, progress)


def _iter_content_notes(contents: WorkbookContents) -> Iterator[tuple[str, str]]:
    for name, results in ((COMPARISONS, contents.comparison), (PREFERENCES, contents.preferences)):
        yield from ((name, note) for note in (results.notes if results else ()))
    if contents.rounds:
        yield ROUNDS, ROUND_NOTE
    if contents.agreement:
        yield (
            AGREEMENT,
            "Current judgments, one per assessor and document; documents judged only for calibration are excluded.",
        )
    yield from contents.notes


# Workbook of a project: evaluation, judgments, agreement, qrels and pool


def write_project_workbook(
    path: Path,
    project: Project,
    evaluation: Evaluation,
    progress: Progress = SILENT,
    *,
    curves: Evaluation | None = None,
    worked_cells: Sequence[tuple[str, str]] = (),
    method: Method | None = None,
) -> WrittenWorkbook:
    """Write the workbook of a project, with all results that can be computed from the project.

    `curves` is the evaluation by the measures of curves; if None, it is computed. `worked_cells`
    contains the run and the topic of each worked example, by default the first run with topics and
    its first topic.
    """
    pool = project.rankings.pool()
    titles = {topic.id: topic.title for topic in project.collection.topics() if topic.title}
    comparison, notes = compare_all_runs(evaluation, progress)
    audits, audit_notes = _read_project_audits(project, evaluation, progress)
    contents = WorkbookContents(
        titles=titles,
        curves=curves or _read_project_curves(project, evaluation, progress),
        comparison=comparison,
        correlations=correlate_measures(evaluation),
        preferences=_read_project_preference_results(project, progress),
        agreement=_compute_project_agreement(project, evaluation.policy.rel, progress),
        rounds=list_norming_sessions(project, sampling=Sampling(progress=progress)),
        names=make_display_names(project),
        audits=audits,
        worked_sheets=make_worked_sheets(
            evaluation,
            worked_cells or first_evaluated_topic(evaluation),
            project.rankings.run,
            titles,
        ),
        judgments=project_judgments(project, pool),
        qrels=evaluation.qrels.rated_rows(),
        adjudications=select_adjudications(project, evaluated_qrels(project, evaluation)),
        pool=pool,
        metadata=_read_project_metadata(project, evaluation),
        notes=[
            *(("Comparisons", note) for note in notes),
            *(("Audit", note) for note in audit_notes),
        ],
        method=method
        or describe_method(evaluation, project_source(project, evaluation, "", progress)),
    )
    return write_workbook(path, evaluation, contents, progress=progress)


def write_files_workbook(
    path: Path,
    evaluation: Evaluation,
    metadata: Mapping[str, str],
    progress: Progress = SILENT,
    *,
    curves: Evaluation | None = None,
    worked_sheets: Sequence[WorkedSheet] = (),
    method: Method | None = None,
) -> WrittenWorkbook:
    """Write the workbook of an evaluation of files, including the qrels.

    `metadata` contains the names of the files, with their labels as keys.
    """
    comparison, notes = compare_all_runs(evaluation, progress)
    contents = WorkbookContents(
        curves=curves,
        comparison=comparison,
        correlations=correlate_measures(evaluation),
        worked_sheets=worked_sheets,
        qrels=evaluation.qrels.rated_rows(),
        metadata=metadata,
        notes=[("Comparisons", note) for note in notes],
        method=method,
    )
    return write_workbook(path, evaluation, contents, progress=progress)


def project_judgments(project: Project, pool: Pool | None) -> Iterator[JudgmentRow]:
    """Yield a row for each current judgment of a single document, sorted by assessor.

    `pool` determines which documents are for calibration only.
    """
    pooled: set[tuple[str, str]] = set()
    if pool is not None:
        topics = [pool.topics[code] for code in topic_of_each_row(pool.starts).tolist()]
        pooled = set(zip(topics, pool.document.to_pylist(), strict=True))
    calibration = {
        (topic, document) for topic, grades in project.calibration.items() for document in grades
    } - pooled
    for assessor in project.events.assessors():
        ledger = get_ledger(project, assessor)
        for event in ledger.judgments():
            if event.kind in ("grade", "unjudgeable"):
                marks = ledger.marks(event.item.key)
                only_calibrates = (event.item.topic, event.item.documents[0]) in calibration
                yield JudgmentRow.from_event(event, marks, calibration=only_calibrates)


def _read_project_metadata(project: Project, evaluation: Evaluation) -> dict[str, str]:
    return {
        "Project": project.title,
        "Scale": ", ".join(
            f"{grade.value} {grade.label}".strip() for grade in project.scale.grades
        ),
        "Qrels": evaluation.source,
    }


def _read_project_curves(
    project: Project, evaluation: Evaluation, progress: Progress
) -> Evaluation | None:
    """Evaluate the runs of `evaluation` by the measures of curves; None if it has no runs."""
    policy = replace(evaluation.policy, average="macro")
    measures, total = curve_measures(policy), len(evaluation.runs)
    return (
        evaluate_runs(
            evaluation.qrels,
            (project.rankings.run(run.run) for run in evaluation.runs),
            measures,
            policy,
            highest=project.scale.highest,
            total=total,
            progress=progress,
        )
        if total
        else None
    )


def _read_project_preference_results(
    project: Project, progress: Progress
) -> PreferenceResults | None:
    """Return the results of preferences between runs or, if there are none, between documents.

    Return None if the project has neither.
    """
    events_by_assessor = (
        get_ledger(project, name).judgments() for name in project.events.assessors()
    )
    if not any(event.kind == "preference" for events in events_by_assessor for event in events):
        # most projects have no preferences; this check is faster than reading included assessors
        return None
    panels = any(iter_preferences(project, "panel"))
    if not panels and not any(iter_preferences(project, "pair")):
        return None
    preferences = read_project_preferences(project, map_sides_to_runs(project) if panels else None)
    return preference_results(preferences, sampling=Sampling(progress=progress))


def _read_project_audits(
    project: Project, evaluation: Evaluation, progress: Progress
) -> tuple[tuple[JudgeAudit, ...], tuple[str, ...]]:
    """Return the audit of the model whose labels are the evaluation's qrels, and messages.

    The audit is missing for other qrels, for projects without human qrels, and if the model cannot
    be audited; in the last case, a message gives the reason.
    """
    model_names = [
        choice.origin
        for choice in list_model_qrels(project)
        if choice.description == evaluation.source
    ]
    if not model_names or find_human_qrels(project) is None:
        return (), ()
    measure = evaluation.measures[0].name if evaluation.measures else DEFAULT_AUDIT_MEASURE
    try:
        return audit_project(project, model_names, measure, evaluation.policy, progress=progress)
    except Cancelled:
        raise
    except IrjudgeError as error:  # for example, the model and the assessors judged no common pair
        return (), (str(error),)


def _compute_project_agreement(
    project: Project, rel: int, progress: Progress
) -> tuple[AgreementEstimate, ...]:
    """Return the agreement of included assessors, overall and by grade.

    The result is empty if there are fewer than two assessors.
    """
    labels, sampling = build_vote_labels(project, progress), Sampling(progress=progress)
    return (
        (
            *agreement(labels, rel=rel, sampling=sampling),
            *agreement_by_grade(labels, sampling=sampling),
        )
        if len(labels.workers) > 1
        else ()
    )

"""Requests for reports of files or of a project; the file extension determines the format."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DEFAULT_MEASURES,
    AverageOption,
    Evaluation,
    EvaluationRequest,
    EvaluationSettings,
    add_warnings_to_errors,
    evaluate_sources,
    parse_measures,
)
from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.rankings import ReadingRequest, expand_run_folders
from irjudge.message import Message
from irjudge.options import OnlyOption, Option
from irjudge.progress import SILENT, Progress
from irjudge.report.contents import (
    LANGUAGES,
    Language,
    Method,
    ReportContent,
    build_report,
    describe_method,
    files_source,
    make_worked_sheets,
    parse_run_topic,
    project_source,
    reproduction_command,
)
from irjudge.report.evaluation_history import make_stored_sources
from irjudge.report.study import write_study
from irjudge.report.workbook import (
    CURVE_SHEETS,
    curve_measures,
    write_files_workbook,
    write_project_workbook,
)
from irjudge.report.writers import collect_report_content, html_lines, write_report
from irjudge.store import Project, is_project, open_project


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """Options of `irjudge report`: topics, measures, worked examples, language and output.

    The language is that of the method section. The qrels and runs, or the project, are separate
    arguments. The extension of the output file determines the format.
    """

    only: OnlyOption = ""
    settings: EvaluationSettings = field(default_factory=EvaluationSettings)
    average: AverageOption = "macro"
    worked: Annotated[
        tuple[str, ...],
        Option(
            "In a workbook: add a sheet that computes the values of this run and topic "
            "from the grades; may be repeated. Default for a project: the first topic of "
            "the first run.",
            metavar="RUN:TOPIC",
        ),
    ] = ()
    language: Annotated[
        Language,
        Option("Language of the report's section on methods.", choices=LANGUAGES),
    ] = "en"
    output: Annotated[
        Path,
        Option(
            "File to write: a workbook (.xlsx), a web page (.html), LaTeX tables (.tex), "
            "Markdown (.md), one value per line (.csv), or a study (.zip): report, values, "
            "qrels, settings and the hash of every input, which `irjudge verify` checks and "
            "recomputes.",
            flags=("-o", "--output"),
            required=True,
        ),
    ]


@dataclass(frozen=True, slots=True)
class EvaluatedFiles:
    """Paths of the qrels and runs that were evaluated, and the options for reading them."""

    qrels: Path
    runs: tuple[Path, ...]
    reading: ReadingRequest = field(default_factory=ReadingRequest)


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """Result of writing a report: its path, its evaluation, and messages.

    `parts` lists the sheets of a workbook (except Charts) or the files of a study; other formats
    have no parts.
    """

    path: Path
    evaluation: Evaluation
    parts: tuple[str, ...] = ()  # sheets of a workbook with their row counts, or files of a study
    warnings: tuple[str, ...] = ()  # warnings about content that was changed or omitted
    notes: tuple[str, ...] = ()  # sentences that explain how to use the report


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationReport:
    """Report on an evaluation: its values, its project or files, and options for the content.

    The report is not yet text: `write` writes it to a file, in the format of the file extension,
    and `page` returns it as HTML. Worked examples and the measures of curves are used only by some
    formats.
    """

    evaluation: Evaluation
    source: Project | EvaluatedFiles  # evaluated project, open for reading, or evaluated files
    language: Language = "en"  # language of the method section
    command: str = ""  # command that reproduces the report
    curves: Evaluation | None = None  # evaluation of the same runs by the measures of curves
    # run and topic of each worked example in a workbook
    worked: tuple[tuple[str, str], ...] = ()
    progress: Progress = SILENT

    @property
    def project(self) -> Project | None:
        """Evaluated project; None if files were evaluated."""
        return self.source if isinstance(self.source, Project) else None

    def metadata(self) -> dict[str, str]:
        """Return the names of the evaluated project or files, by label."""
        qrels = {"Qrels": self.evaluation.source}
        if isinstance(self.source, Project):
            return {"Project": self.source.title, **qrels}
        names = ", ".join(path.name for path in self.source.runs)
        return {**qrels, "Runs": replace_surrogates(names)}

    def method(self) -> Method:
        """Return the method section, which describes how the numbers were computed."""
        if isinstance(self.source, Project):
            method_source = project_source(
                self.source, self.evaluation, self.command, self.progress
            )
        else:
            names = [run.run for run in self.evaluation.runs]
            method_source = files_source(self.source.qrels, self.source.runs, names, self.command)
        return describe_method(self.evaluation, method_source, self.language)

    def findings(self) -> ReportContent:
        """Return the content of the report in addition to the values of the evaluation."""
        topics = self.project.collection.topics() if self.project else ()
        return collect_report_content(
            self.evaluation,
            {topic.id: topic.title for topic in topics if topic.title},
            self.metadata(),
            self.progress,
            method=self.method(),
            project=self.project,
        )

    def page(self) -> str:
        """Return the report as an HTML page for printing."""
        return "\n".join(html_lines(build_report(self.evaluation, self.findings(), self.progress)))

    def write(self, path: Path) -> WrittenReport:
        """Write the report atomically, in the format of the file extension.

        Raises IrjudgeError if there is no format with this extension.
        """
        return find_report_format(path).write(self, path)


def _write_values(report: EvaluationReport, path: Path) -> WrittenReport:
    warnings = write_report(path, report.evaluation, progress=report.progress)
    return WrittenReport(path, report.evaluation, warnings=warnings)


def _write_document(report: EvaluationReport, path: Path) -> WrittenReport:
    warnings = write_report(path, report.evaluation, report.findings(), report.progress)
    return WrittenReport(path, report.evaluation, warnings=warnings)


def _write_workbook(report: EvaluationReport, path: Path) -> WrittenReport:
    evaluation, source, progress = report.evaluation, report.source, report.progress
    if isinstance(source, Project):
        workbook = write_project_workbook(
            path,
            source,
            evaluation,
            progress,
            curves=report.curves,
            worked_cells=report.worked,
            method=report.method(),
        )
    else:
        paths = dict(zip((run.run for run in evaluation.runs), source.runs, strict=False))
        reader = source.reading.reader()
        sheets = make_worked_sheets(
            evaluation,
            report.worked,
            lambda name: reader.read_run(paths[name], name, qrels=evaluation.qrels),
            {},
        )
        workbook = write_files_workbook(
            path,
            evaluation,
            report.metadata(),
            progress,
            curves=report.curves,
            worked_sheets=sheets,
            method=report.method(),
        )
    parts = tuple(f"{name} ({rows:,})" for name, rows in workbook.sheets)
    return WrittenReport(path, evaluation, parts, workbook.warnings)


def _write_study(report: EvaluationReport, path: Path) -> WrittenReport:
    source, project = report.source, report.project
    files = None if isinstance(source, Project) else source
    evaluation = make_stored_sources(
        report.evaluation,
        path.stem,
        files.qrels if files else source,  # type: ignore[arg-type]
        files.runs if files else (),
        reading=files.reading if files else None,
        progress=report.progress,
    )
    names = write_study(
        path,
        report.evaluation,
        evaluation,
        report.findings(),
        qrels=files.qrels if files else None,
        project=project,
        progress=report.progress,
    )
    note = Message(
        "`irjudge verify {file} RUN...` recomputes the values of this report from the runs or "
        "the project.",
        file=path.name,
    )
    return WrittenReport(path, report.evaluation, names, notes=(note,))


@dataclass(frozen=True, slots=True)
class ReportFormat:
    """Format of reports: writer function, and whether reports have curves and worked examples."""

    write: Callable[[EvaluationReport, Path], WrittenReport]
    curves: bool = False  # whether `EvaluationReport.curves` is used
    has_worked_examples: bool = False  # whether `EvaluationReport.worked` is used


# Report formats by file extension
REPORT_FORMATS = {
    ".xlsx": ReportFormat(_write_workbook, curves=True, has_worked_examples=True),
    ".html": ReportFormat(_write_document),
    ".htm": ReportFormat(_write_document),
    ".tex": ReportFormat(_write_document),
    ".md": ReportFormat(_write_document),
    ".csv": ReportFormat(_write_values),
    ".zip": ReportFormat(_write_study),
}


def find_report_format(path: Path) -> ReportFormat:
    """Return the format of reports for a file extension; raise IrjudgeError if there is none."""
    if path.suffix not in REPORT_FORMATS:
        raise IrjudgeError(
            "The file type of {output} is not supported; expected one of {formats}.",
            formats=", ".join(REPORT_FORMATS),
            output=path.name,
        )
    return REPORT_FORMATS[path.suffix]


def report_sources(
    source: Path,
    runs: Sequence[Path],
    request: ReportRequest,
    *,
    topics_chosen: bool = False,
    progress: Progress = SILENT,
) -> WrittenReport:
    """Evaluate runs in files, or the runs of a project, and write a report.

    Parameters
    ----------
    source
        The qrels, or a project.
    runs
        Run files, or folders of run files; empty for a project.
    request
        Options of the evaluation, and the file to write.
    topics_chosen
        See `evaluate_sources`.
    progress
        Progress of evaluating and writing.

    Returns
    -------
    WrittenReport
        The path of the report, and the evaluation, which has the warnings about its input.

    Raises
    ------
    IrjudgeError
        If the file extension or an option is invalid, or if a file cannot be read or written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, run, output = (Path(folder, name) for name in ("q.txt", "a.run", "a.csv"))
    ...     _ = qrels.write_text("1 0 x 1\\n"), run.write_text("1 Q0 x 1 2 a\\n")
    ...     settings = EvaluationSettings(measures=("RR",))
    ...     written = report_sources(qrels, [run], ReportRequest(settings=settings, output=output))
    ...     print(output.read_text().strip())
    run,measure,topic,value
    a,RR,1,1.0
    a,RR,all,1.0
    """
    report_format = find_report_format(request.output)
    if request.worked and not report_format.has_worked_examples:
        raise IrjudgeError(
            "--worked can be used only with a workbook (.xlsx), not with {output}.",
            output=request.output.name,
        )
    settings = request.settings
    measures = tuple(settings.measure_names()) or DEFAULT_MEASURES
    curves = CURVE_SHEETS if report_format.curves else ()
    points = tuple(name for curve in curves for name in curve.names)
    full_evaluation = evaluate_sources(
        source,
        runs,
        EvaluationRequest(
            only=request.only, settings=replace(settings, measures=(*measures, *points))
        ),
        topics_chosen=topics_chosen,
        average=request.average,
        progress=progress,
    )
    policy = full_evaluation.policy
    evaluation = full_evaluation.select_measures(
        parse_measures(measures, policy.rel, policy.profile)
    )
    with add_warnings_to_errors(evaluation.warnings):
        report = EvaluationReport(
            evaluation=evaluation,
            source=EvaluatedFiles(source, tuple(expand_run_folders(runs)), settings.reading),
            language=request.language,
            command=reproduction_command(
                (source, *runs),
                evaluation,
                request.output,
                request.language,
                _list_other_arguments(request),
            ),
            curves=full_evaluation.select_measures(curve_measures(policy)) if curves else None,
            worked=tuple(parse_run_topic(evaluation, run_topic) for run_topic in request.worked),
            progress=progress,
        )
        if not is_project(source):
            return report.write(request.output)
        with open_project(source, writing=False) as project:
            return replace(report, source=project).write(request.output)


def _list_other_arguments(request: ReportRequest) -> list[str]:
    """Return the command-line arguments of a request that are not settings of the evaluation.

    These arguments affect how files are read, and the sheets with worked examples.
    """
    reading = request.settings.reading
    options = [
        ("--negative", reading.negative),
        ("--source", request.settings.which),
        ("--grades", reading.grades),
        ("--cuts", reading.cuts),
        ("--encoding", reading.encoding),
        *(("--columns", column) for column in reading.columns),
        *(("--sheet", sheet) for sheet in reading.sheets),
        *(("--worked", run_topic) for run_topic in request.worked),
    ]
    arguments = [
        argument for name, value in options if value is not None for argument in (name, str(value))
    ]
    return [*arguments, *(["--gains"] if reading.gains else [])]

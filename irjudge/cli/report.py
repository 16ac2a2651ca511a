"""Command report."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import click

from irjudge.cli.evaluate import evaluated
from irjudge.cli.open_project import reading
from irjudge.cli.options import FILE_OR_ADDRESS, options_of, terminal_progress
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DEFAULT_MEASURES,
    Evaluation,
    EvaluationRequest,
    EvaluationSettings,
    describe_basis,
    parse_measures_and_texts,
)
from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.rankings import ReadingRequest
from irjudge.options import OnlyOption, Option
from irjudge.progress import Progress
from irjudge.report import (
    LANGUAGES,
    Language,
    Method,
    ReportFindings,
    collect_findings,
    describe_method,
    files_source,
    make_stored_sources,
    make_worked_sheets,
    parse_run_topic,
    project_source,
    reproduction_command,
    write_report,
    write_study,
)
from irjudge.report.workbook import (
    CURVE_SHEETS,
    curve_measures,
    select_measures,
    write_files_workbook,
    write_project_workbook,
)
from irjudge.store import Project


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """Options of a report: inputs, evaluation and output file."""

    # qrels and runs, or a project without runs
    source: Path
    runs: tuple[Path, ...]
    output: Path  # file to write
    table: Evaluation  # the evaluation
    curves: Evaluation | None  # points of the curves; None if the format has no curves
    wished: tuple[tuple[str, str], ...]  # (run, topic) of the worked sheets
    reading: ReadingRequest  # how the files are read
    language: Language  # language of the method section
    command: str  # command that reproduces the report

    @property
    def names(self) -> str:
        """Names of the run files."""
        return replace_surrogates(", ".join(path.name for path in self.runs))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportRequest:
    """Options of `irjudge report`."""

    only: OnlyOption = ""
    settings: EvaluationSettings = field(default_factory=EvaluationSettings)
    worked: Annotated[
        tuple[str, ...],
        Option(
            "In a workbook: add a sheet that computes the values of this run and topic from its "
            "grades; may be repeated. Default for a project: the first topic of the first run.",
            metavar="RUN:TOPIC",
        ),
    ] = ()
    language: Annotated[
        Language,
        Option("Language of the section on methods.", choices=LANGUAGES),
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
class ReportForm:
    """Report format: its writer, and whether it supports curves and worked topics."""

    write: Callable[[ReportOptions], None]
    curves: bool = False
    worked: bool = False


@click.command("report")
@click.argument("source", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(ReportRequest, "request")
def report_command(source: Path, runs: tuple[Path, ...], request: ReportRequest) -> None:
    """Create a report of a project, or of QRELS and RUNS: an Excel workbook, a web page, LaTeX or
    Markdown tables, CSV, or a study."""
    settings, output, worked = request.settings, request.output, request.worked
    form = FORMS.get(output.suffix)
    if form is None:
        raise IrjudgeError(
            "Unsupported file type {output}; use {forms}.",
            forms=" or ".join(FORMS),
            output=output.name,
        )
    if worked and not form.worked:
        raise IrjudgeError(
            "--worked is for a workbook (.xlsx), not for {output}.", output=output.name
        )
    wishes = replace(settings, measures=settings.measures or DEFAULT_MEASURES)
    points = tuple(name for curve in CURVE_SHEETS for name in curve.names) if form.curves else ()
    both = evaluated(
        source,
        runs,
        EvaluationRequest(
            only=request.only, settings=replace(wishes, measures=(*wishes.measures, *points))
        ),
    )
    policy = both.policy
    chosen, _ = parse_measures_and_texts(wishes.measure_names(), policy.rel, policy.profile)
    table = select_measures(both, chosen)
    curves = select_measures(both, curve_measures(policy)) if form.curves else None
    command = reproduction_command(
        (source, *runs), table, output, request.language, _further(request)
    )
    topics = tuple(parse_run_topic(table, each) for each in worked)
    form.write(
        ReportOptions(
            source, runs, output, table, curves, topics, settings.reading, request.language, command
        )
    )
    say(*describe_basis(table))


def _further(request: ReportRequest) -> list[str]:
    """Return the options given for reading files and for worked topics, as arguments."""
    reading = request.settings.reading
    given = [
        ("--negative", reading.negative),
        ("--source", request.settings.which),
        ("--grades", reading.grades),
        ("--cuts", reading.cuts),
        ("--encoding", reading.encoding),
        *(("--columns", each) for each in reading.columns),
        *(("--sheet", each) for each in reading.sheets),
        *(("--worked", each) for each in request.worked),
    ]
    words = [word for name, value in given if value is not None for word in (name, str(value))]
    return [*words, *(["--gains"] if reading.gains else [])]


def _write_printed(report: ReportOptions) -> None:
    with terminal_progress() as progress:
        warnings = write_report(report.output, report.table, _findings(report, progress), progress)
    tell(f"Wrote {report.output}.")
    say(*warnings)


def _findings(report: ReportOptions, progress: Progress) -> ReportFindings:
    """Return the findings reported together with the values; empty for CSV."""
    if report.output.suffix == ".csv":
        return ReportFindings()
    metadata = {"Qrels": report.table.source}
    if report.runs:
        return collect_findings(
            report.table,
            {},
            {**metadata, "Runs": report.names},
            progress,
            made=_method_of_files(report),
        )
    with reading(report.source) as project:
        titles = {topic.id: topic.title for topic in project.collection.topics() if topic.title}
        made = _method_of_project(report, project, progress)
        return collect_findings(
            report.table,
            titles,
            {"Project": project.title, **metadata},
            progress,
            made=made,
            project=project,
        )


def _method_of_files(report: ReportOptions) -> Method:
    return describe_method(
        report.table, files_source(report.source, report.runs, report.command), report.language
    )


def _method_of_project(report: ReportOptions, project: Project, progress: Progress) -> Method:
    return describe_method(
        report.table,
        project_source(project, report.table, report.command, progress),
        report.language,
    )


def _write_workbook(report: ReportOptions) -> None:
    with terminal_progress() as progress:
        if report.runs:
            reader = report.reading.reader()
            paths = dict(zip((run.run for run in report.table.runs), report.runs, strict=True))
            sheets = make_worked_sheets(
                report.table,
                report.wished,
                lambda name: reader.read_run(paths[name], name),
                {},
            )
            metadata = {"Qrels": report.table.source, "Runs": report.names}
            written = write_files_workbook(
                report.output,
                report.table,
                metadata,
                progress,
                curves=report.curves,
                worked=sheets,
                made=_method_of_files(report),
            )
        else:
            with reading(report.source) as project:
                made = _method_of_project(report, project, progress)
                written = write_project_workbook(
                    report.output,
                    project,
                    report.table,
                    progress,
                    curves=report.curves,
                    wished=report.wished,
                    made=made,
                )
    tell(
        f"Wrote {report.output}: {', '.join(f'{name} ({rows:,})' for name, rows in written.sheets)}."
    )
    say(*written.warnings)


def _write_study(report: ReportOptions) -> None:
    with ExitStack() as held, terminal_progress() as progress:
        project = None if report.runs else held.enter_context(reading(report.source))
        name = report.output.stem
        stored = make_stored_sources(
            report.table,
            name,
            project or report.source,
            report.runs,
            reading=report.reading,
            progress=progress,
        )
        findings = _findings(report, progress)
        names = write_study(
            report.output,
            report.table,
            stored,
            findings,
            qrels=report.source,
            project=project,
            progress=progress,
        )
    tell(f"Wrote {report.output}: {', '.join(names)}.")
    say(
        f"`irjudge verify {report.output.name} RUN...` recomputes it from the runs, or from the project."
    )


# Report formats by file extension
FORMS = {
    ".xlsx": ReportForm(_write_workbook, curves=True, worked=True),
    ".html": ReportForm(_write_printed),
    ".htm": ReportForm(_write_printed),
    ".tex": ReportForm(_write_printed),
    ".md": ReportForm(_write_printed),
    ".csv": ReportForm(_write_printed),
    ".zip": ReportForm(_write_study),
}

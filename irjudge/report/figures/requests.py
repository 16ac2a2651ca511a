"""Requests for figures: options, and making of a figure from files or a project."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, TypeAlias

from irjudge.audit import DEFAULT_AUDIT_MEASURE, audit_project, read_assessor_labels
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    Evaluation,
    EvaluationRequest,
    EvaluationSettings,
    Policy,
    add_warnings_to_errors,
    describe_basis,
    evaluate_project,
    evaluate_sources,
    iter_rankings,
    parse_measures,
    read_judgments,
    refuse_files,
)
from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.rankings import expand_run_folders
from irjudge.judging import QrelsChoice, build_vote_labels, open_for_reading, select_qrels
from irjudge.model import Labels
from irjudge.options import Option
from irjudge.progress import SILENT, Progress
from irjudge.report.figures.chart import Chart, Figure, FigureOptions, find_figure
from irjudge.report.figures.curves import (
    JudgedRankings,
    judge_project_rankings,
    judge_rankings,
)
from irjudge.report.figures.drawing import (
    DPI,
    FIGURE_COLOURS,
    FIGURE_SIZE,
    figure_format,
    write_figure,
)
from irjudge.report.figures.judges import JudgeAudits
from irjudge.stats import Sampling
from irjudge.store import Project, is_project

NO_INTERVALS = Sampling(samples=1)  # a single sample saves time, since figures show no intervals
Material: TypeAlias = JudgedRankings | Evaluation | Labels | JudgeAudits


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureRequest:
    """Options of `irjudge figure`: output file, topics, highlighted runs, colours, size.

    The options of the evaluation and of the figure are included. The name of the figure and its
    input files are separate arguments. Without an output file, no image is written.
    """

    output: Annotated[
        Path | None,
        Option(
            "Image file to write: .png, .svg or .pdf. Without this option, print the values.",
            flags=("-o", "--output"),
        ),
    ] = None
    highlighted: Annotated[
        tuple[str, ...],
        Option("Name of a run to highlight; may be repeated.", flags=("--run",), metavar="RUN"),
    ] = ()
    only: Annotated[
        str,
        Option(
            "Use only this topic; may be repeated. 401-405 means all ids in that range. A "
            "single topic is shown in detail.",
            flags=("-t", "--topic"),
            kind="topics",
            metavar="TOPIC",
        ),
    ] = ""
    # options of the figure; `highlighted` replaces their `runs`, and `settings.rel` their `rel`
    options: FigureOptions = field(default_factory=FigureOptions)
    look: Annotated[
        str, Option("Colours of the figure: light or dark.", choices=tuple(FIGURE_COLOURS))
    ] = "light"
    size: Annotated[
        tuple[float, float],
        Option("Size of the figure in inches.", metavar="WIDTH HEIGHT", show_default=True),
    ] = FIGURE_SIZE
    dpi: Annotated[
        int, Option("Resolution of a .png file, in pixels per inch.", minimum=30, maximum=1200)
    ] = DPI
    settings: EvaluationSettings = field(default_factory=EvaluationSettings)


@dataclass(frozen=True, slots=True)
class FigureResult:
    """Result of `make_figure`: the chart, and warnings about its input.

    If the request had an output, the image file has been written; the result does not contain it.
    """

    chart: Chart
    warnings: tuple[str, ...] = ()


def make_figure(
    name: str,
    source: Path | None,
    runs: Sequence[Path] = (),
    request: FigureRequest | None = None,
    *,
    topics_chosen: bool = False,
    progress: Progress = SILENT,
) -> FigureResult:
    """Make the chart of a figure, and write the image file if the request has an output.

    Parameters
    ----------
    name
        Name of the figure, such as `precision-recall`.
    source
        Qrels file, project, or, for `assessor-agreement`, a table of labels.
    runs
        Run files, or folders of run files; empty for a project or for labels.
    request
        Options of the figure, of its evaluation and of the file.
    topics_chosen
        See `evaluate_sources`.
    progress
        Progress of reading and computing.

    Returns
    -------
    FigureResult
        The chart, whose rows are the values that are drawn, and warnings.

    Raises
    ------
    IrjudgeError
        If the figure is unknown, if its input is missing or has too few runs, topics or measures,
        or if a file cannot be read or written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     qrels, run = Path(folder, "q.txt"), Path(folder, "a.run")
    ...     _ = qrels.write_text("1 0 x 1\\n"), run.write_text("1 Q0 x 1 2 a\\n")
    ...     request = FigureRequest(options=FigureOptions(levels=2))
    ...     chart = make_figure("precision-recall", qrels, [run], request).chart
    >>> list(chart.rows())
    [('a', 0.0, 1.0), ('a', 1.0, 1.0)]
    """
    figure, request = find_figure(name), request or FigureRequest()
    if source is None:
        raise IrjudgeError(
            "The figure {figure} needs {inputs}.", figure=figure.name, inputs=figure.inputs
        )
    if request.output:
        figure_format(request.output)  # to reject an invalid file name before the computation
    options = replace(request.options, runs=request.highlighted, rel=request.settings.rel)
    warnings: list[str] = []
    with add_warnings_to_errors(warnings):
        material = _read_input(figure, source, runs, request, warnings, topics_chosen, progress)
        topics = () if isinstance(material, Labels) else material.topics
        if request.only and len(topics) == 1:
            options = replace(options, topic=topics[0])
        chart = figure.chart(material, options)
        if request.output:
            colours = FIGURE_COLOURS[request.look]
            write_figure(request.output, chart, colours, size=request.size, dpi=request.dpi)
    return FigureResult(chart, tuple(warnings))


def read_project_material(
    project: Project,
    figure: Figure,
    policy: Policy,
    measures: Sequence[str] = (),
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
    *,
    model: str = "",
) -> Material:
    """Return the input of a figure from a project: labels, audits, rankings or an evaluation.

    The audits are those of `model` or, by default, of all models that can be audited.
    """
    if figure.input_kind == "labels":
        return build_vote_labels(project, progress)
    if figure.input_kind == "models":
        measure = measures[0] if measures else DEFAULT_AUDIT_MEASURE
        return JudgeAudits(
            *audit_project(
                project,
                [model] if model else (),
                measure,
                policy,
                sampling=NO_INTERVALS,
                progress=progress,
            ),
            policy=policy,
        )
    if figure.input_kind == "rankings":
        return judge_project_rankings(project, policy, choice, progress)
    parsed_measures = parse_measures(measures, policy.rel, policy.profile)
    figure.check(len(parsed_measures))
    return evaluate_project(project, parsed_measures, policy, choice, progress)


def _read_input(
    figure: Figure,
    source: Path,
    runs: Sequence[Path],
    request: FigureRequest,
    warnings: list[str],
    topics_chosen: bool,
    progress: Progress,
) -> Material:
    """Return the input of a figure, read or computed from files or a project.

    Warnings about the input are appended to `warnings`.
    """
    settings, input_kind = request.settings, figure.input_kind
    policy, measures = settings.policy(request.only), settings.measure_names()
    _check_input(figure, source, runs, request)
    if input_kind == "labels":
        return _read_labels(source, warnings, progress)
    if input_kind == "values":
        measures = measures or list(figure.default_measures)
        figure.check(len(parse_measures(measures, policy.rel, policy.profile)))
        evaluation = evaluate_sources(
            source,
            runs,
            EvaluationRequest(
                only=request.only, settings=replace(settings, measures=tuple(measures))
            ),
            topics_chosen=topics_chosen,
            progress=progress,
        )
        warnings += (*evaluation.warnings, *describe_basis(evaluation)[1:])
        return evaluation
    if not is_project(source):
        rankings = _read_rankings(source, runs, settings, policy, warnings, progress)
        return replace(rankings, topics_chosen=topics_chosen)
    with open_for_reading(source, warnings) as project:
        choice = None
        if input_kind == "rankings":
            refuse_files(source, runs, settings.reading.reader())
            choice = select_qrels(project, settings.which)
            warnings += choice.sentences
        material = read_project_material(
            project, figure, policy, measures, choice, progress, model=request.options.model
        )
    if isinstance(material, JudgedRankings):
        return replace(material, topics_chosen=topics_chosen)
    warnings += material.warnings if isinstance(material, JudgeAudits) else ()
    return material


def _check_input(
    figure: Figure, source: Path, runs: Sequence[Path], request: FigureRequest
) -> None:
    measures = request.settings.measure_names()
    if figure.input_kind == "labels" and runs:
        raise IrjudgeError(
            "The figure {figure} shows judgments only, without runs.", figure=figure.name
        )
    if figure.input_kind == "models" and (runs or not is_project(source)):
        raise IrjudgeError(
            "Figures about models need a project and no other files; got {name}.",
            name=(*runs, source)[0].name,
        )
    if figure.input_kind == "models" and len(measures) > 1:
        raise IrjudgeError(
            "A comparison of models needs exactly one measure, got {measures}.",
            measures=" ".join(measures),
        )
    if figure.input_kind in ("labels", "models") and request.only:
        raise IrjudgeError(
            "The figure {figure} shows all topics; do not give a topic.", figure=figure.name
        )
    if figure.input_kind in ("labels", "models") and request.settings.which is not None:
        raise IrjudgeError(
            "The figure {figure} shows judgments of assessors; do not give a source of qrels.",
            figure=figure.name,
        )
    if figure.input_kind == "rankings" and measures:
        raise IrjudgeError(
            "The figure {figure} shows rankings; do not give a measure.", figure=figure.name
        )


def _read_labels(source: Path, warnings: list[str], progress: Progress) -> Labels:
    if is_project(source):
        with open_for_reading(source, warnings) as project:
            labels, notes = read_assessor_labels(project, progress=progress)
    else:
        labels, notes = read_assessor_labels(source, progress=progress)
    warnings += notes
    return labels


def _read_rankings(
    source: Path,
    runs: Sequence[Path],
    settings: EvaluationSettings,
    policy: Policy,
    warnings: list[str],
    progress: Progress,
) -> JudgedRankings:
    reader, paths = settings.reading.reader(), expand_run_folders(runs)
    qrels = read_judgments(source, paths, settings, warnings)
    return judge_rankings(
        qrels,
        iter_rankings(paths, qrels, policy, reader, [], progress=progress),
        policy,
        source=replace_surrogates(source.name),
        total=len(paths),
        progress=progress,
    )

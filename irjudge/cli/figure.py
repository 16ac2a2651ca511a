"""Command figure."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import click

from irjudge.audit import DEFAULT_AUDIT_MEASURE, audit_project, read_assessor_labels
from irjudge.cli.evaluate import evaluated
from irjudge.cli.open_project import choose_qrels, open_labels, reading
from irjudge.cli.options import (
    FILE,
    FILE_OR_ADDRESS,
    format_option,
    option_of,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.streams import say, tell
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    EvaluationRequest,
    EvaluationSettings,
    Policy,
    describe_basis,
    iter_rankings,
    parse_measures,
    read_judgments,
    refuse_files,
)
from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.rankings import expand_run_folders
from irjudge.options import Option
from irjudge.report.figures import (
    CURVES,
    DEFAULT_RANKS,
    DPI,
    FIGURE_COLOURS,
    FITS,
    SCATTER_POINTS,
    SIZE,
    Chart,
    Figure,
    FigureOptions,
    JudgeAudits,
    JudgedRankings,
    catalogue,
    figure_format,
    find_figure,
    judge_project_rankings,
    judge_rankings,
    write_figure,
)
from irjudge.stats import Sampling
from irjudge.store import is_project

AVERAGINGS = ("topics", "ratio")
DISCOUNTS = ("log2p1", "jk")
FEW = Sampling(samples=1)  # figures show no intervals
ShownTopicOption = Annotated[
    str,
    Option(
        "Only this topic; may be repeated, 401-405 means all ids in that range. A single topic "
        "is shown in detail.",
        flags=("-t", "--topic"),
        kind="topics",
        metavar="TOPIC",
    ),
]
COLUMNS = ("name", "title", "takes", "shows")


@click.command("figure")
@click.argument("name", required=False)
@click.argument("source", type=FILE_OR_ADDRESS, required=False)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@click.option(
    "-o",
    "--output",
    type=FILE,
    help="Image file to write: .png, .svg or .pdf. Without this option, print the values.",
)
@click.option(
    "--run",
    "shown",
    multiple=True,
    metavar="RUN",
    help="Name of a run to highlight; may be repeated.",
)
@option_of(ShownTopicOption, "only", "")
@click.option(
    "--levels",
    type=click.IntRange(2, 1001),
    default=11,
    show_default=True,
    help="Recall levels of the figure precision-recall.",
)
@click.option(
    "--fit",
    type=click.Choice(FITS),
    default="none",
    show_default=True,
    help="For the figure precision-recall: a smooth curve with its area for each highlighted run.",
)
@click.option(
    "--curve",
    type=click.Choice(CURVES),
    default="ndcg",
    show_default=True,
    help="For the figure gain: the kind of gain.",
)
@click.option(
    "--discount",
    type=click.Choice(DISCOUNTS),
    default="log2p1",
    show_default=True,
    help="For the figure gain, curves dcg and ndcg. log2p1: divided by log2(rank + 1); jk: "
    "from rank 2 divided by log2(rank).",
)
@click.option(
    "--averaging",
    type=click.Choice(AVERAGINGS),
    default="topics",
    show_default=True,
    help="For the figure gain: the mean of the topics' ratios, or the ratio of the mean gains.",
)
@click.option(
    "--ranks",
    type=click.IntRange(1),
    default=DEFAULT_RANKS,
    show_default=True,
    help="Last rank to plot, in curves over ranks.",
)
@click.option(
    "--of",
    type=click.Choice(SCATTER_POINTS),
    default="systems",
    show_default=True,
    help="For the figure scatter: what the points represent.",
)
@click.option(
    "-s",
    "--statistic",
    default="",
    metavar="NAME",
    help="Statistic of the figures measure-correlation and assessor-agreement.",
)
@click.option(
    "--model",
    default="",
    metavar="NAME",
    help="Model of the figures model-grades, model-leniency and model-orders. Default: the "
    "first model.",
)
@click.option(
    "--look",
    type=click.Choice(list(FIGURE_COLOURS)),
    default="light",
    show_default=True,
    help="Light or dark colours.",
)
@click.option(
    "--size",
    type=(float, float),
    default=SIZE,
    show_default=True,
    metavar="WIDTH HEIGHT",
    help="Size in inches.",
)
@click.option(
    "--dpi",
    type=click.IntRange(30, 1200),
    default=DPI,
    show_default=True,
    help="Pixels per inch, for .png.",
)
@options_of(EvaluationSettings, "settings")
@format_option()
def figure_command(
    name: str | None,
    source: Path | None,
    runs: tuple[Path, ...],
    output: Path | None,
    look: str,
    size: tuple[float, float],
    dpi: int,
    form: str,
    settings: EvaluationSettings,
    **wish: Any,
) -> None:
    """Plot the figure NAME of a project, or of qrels and RUNS; for assessor-agreement, of a
    table of labels. Without NAME, list the figures. Without -o, print the values that would be
    plotted."""
    if name is None:
        rows = [(each.name, each.title, _takes(each), each.about) for each in catalogue()]
        show(COLUMNS, rows, form)
        return
    figure = find_figure(name)
    if source is None:
        raise IrjudgeError(
            "The figure {figure} needs {takes}.", figure=figure.name, takes=_takes(figure)
        )
    if output:
        figure_format(output)  # rejects an invalid file name before the computation
    chart = _chart(figure, source, runs, settings, wish)
    if output:
        write_figure(output, chart, FIGURE_COLOURS[look], size=size, dpi=dpi)
        tell(f"Wrote {output}: {chart.title}.")
    else:
        show(chart.columns, chart.rows(), form)
    say(chart.caption)


def _takes(figure: Figure) -> str:
    if figure.takes == "labels":
        return "a project, or a table of labels"
    if figure.takes == "models":
        return "a project with labels of models"
    return "a project, or qrels and runs"


def _chart(
    figure: Figure,
    source: Path,
    runs: tuple[Path, ...],
    settings: EvaluationSettings,
    given: dict[str, Any],
) -> Chart:
    """Return the chart for the options of a command."""
    parts = (
        "model",
        "levels",
        "fit",
        "curve",
        "discount",
        "averaging",
        "ranks",
        "of",
        "statistic",
    )
    options = FigureOptions(
        runs=given["shown"], rel=settings.rel, **{part: given[part] for part in parts}
    )
    settings = replace(settings, highest=None)
    policy, named = settings.policy(given["only"]), settings.measure_names()
    if figure.takes == "labels":
        if runs:
            raise IrjudgeError(
                "The figure {figure} shows judgments only, without runs.", figure=figure.name
            )
        with terminal_progress() as progress, open_labels(source) as opened:
            labels, notes = read_assessor_labels(opened, progress=progress)
        say(*notes)
        return figure.chart(labels, options)
    if figure.takes == "models":
        return figure.chart(_audits(source, runs, named, policy), options)
    if figure.takes == "rankings":
        if named:
            raise IrjudgeError(
                "The figure {figure} shows rankings and has no measure.", figure=figure.name
            )
        material = _rankings(source, runs, policy, settings)
        return figure.chart(material, _of_topic(options, given["only"], material.topics))
    measures = named or list(figure.default_measures)
    figure.check(len(parse_measures(measures, policy.rel, policy.profile)))
    settings = replace(settings, measures=tuple(measures))
    table = evaluated(source, runs, EvaluationRequest(only=given["only"], settings=settings))
    say(*describe_basis(table)[1:])
    return figure.chart(table, _of_topic(options, given["only"], table.topics))


def _audits(
    source: Path, runs: tuple[Path, ...], named: Sequence[str], policy: Policy
) -> JudgeAudits:
    """Return the audits of a project's models, by one measure."""
    if runs or not is_project(source):
        raise IrjudgeError(
            "Figures of models need a project as the only file; got {name}.",
            name=(*runs, source)[0].name,
        )
    if len(named) > 1:
        raise IrjudgeError(
            "Models are compared by exactly one measure, got {named}.", named=" ".join(named)
        )
    with terminal_progress() as progress, reading(source) as project:
        audits = audit_project(
            project,
            measure=named[0] if named else DEFAULT_AUDIT_MEASURE,
            policy=policy,
            sampling=FEW,
            progress=progress,
        )
        return JudgeAudits(audits)


def _of_topic(options: FigureOptions, only: str, topics: Sequence[str]) -> FigureOptions:
    """Return the options for a single selected topic."""
    return replace(options, topic=topics[0]) if only and len(topics) == 1 else options


def _rankings(
    source: Path,
    runs: tuple[Path, ...],
    policy: Policy,
    settings: EvaluationSettings,
) -> JudgedRankings:
    reader, warnings = settings.reading.reader(), list[str]()
    with terminal_progress() as progress:
        if is_project(source):
            refuse_files(source, runs, reader)
            with reading(source) as project:
                choice = choose_qrels(project, settings.which)
                return judge_project_rankings(project, policy, choice, progress)
        qrels = read_judgments(source, runs, settings, warnings)
        say(*warnings)
        paths = expand_run_folders(runs)
        return judge_rankings(
            qrels,
            iter_rankings(paths, qrels, policy, reader, [], progress=progress),
            policy,
            source=replace_surrogates(source.name),
            total=len(paths),
            progress=progress,
        )

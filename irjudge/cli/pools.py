"""Commands for pools: pool, strategies, estimate and reusability."""

from functools import partial
from pathlib import Path

import click

from irjudge.audit import EstimateRequest, estimate_sources
from irjudge.cli.open_project import open_single_project, open_verified
from irjudge.cli.options import (
    FILE_OR_ADDRESS,
    format_option,
    options_of,
    show,
    show_result,
    terminal_progress,
)
from irjudge.cli.streams import say, tell
from irjudge.evaluation import ReusabilityRequest, WorkersRequest, measure_reusability
from irjudge.exchange import create_pool
from irjudge.formats.rankings import COLUMNS, ReadingRequest, iter_pool_rows
from irjudge.judging import list_pool_pairs
from irjudge.metrics import format_value as shown
from irjudge.pooling import (
    LEARNING,
    LEARNING_PURPOSE,
    PLAN_STRATEGY,
    PRESETS,
    PoolRequest,
    StrategyDeclaration,
    list_strategies,
)
from irjudge.report import Cell
from irjudge.stats import workers_at
from irjudge.store import Project

PLAN_ROW: tuple[Cell, ...] = (
    PLAN_STRATEGY,
    "sample",
    "--model, --size",
    "",
    "inclusion probability proportional to the weight in DCG times the expected spread of human grades",
    "Sample documents for assessors by a model's grades, with known probabilities, so that its labels can be corrected: irjudge estimate --model NAME.",
)


@click.command("pool")
@click.argument(
    "sources", type=FILE_OR_ADDRESS, nargs=-1, required=True, metavar="RUN... | PROJECT"
)
@options_of(PoolRequest, "request")
@options_of(ReadingRequest, "reading")
@options_of(WorkersRequest, "where")
@format_option()
def pool_command(
    sources: tuple[Path, ...],
    request: PoolRequest,
    reading: ReadingRequest,
    where: WorkersRequest,
    output_format: str,
) -> None:
    """Build a pool from RUNS; or build a pool from the runs of a PROJECT and store it there."""
    with (
        open_single_project(
            sources,
            partial(open_verified, writing=not request.preview),
            "{name} is a project with its own runs; give it without other files.",
        ) as source,
        workers_at(where.cluster) as workers,
        terminal_progress() as progress,
    ):
        result = create_pool(source, request, reading, progress=progress, workers=workers)
    say(*result.notes)
    # active learning is always simulated, so its documents are printed even with --preview
    if request.preview and result.pool.strategy != LEARNING:
        tell(*result.estimate.sentences())
        return
    is_project = isinstance(source, Project)
    if not request.output and request.details:
        show(COLUMNS, iter_pool_rows(result.pool), output_format)
    elif not request.output and (output_format != "text" or not is_project):
        show(("topic", "document"), list_pool_pairs(result.pool), output_format)
    (tell if is_project and output_format == "text" and not request.details else say)(
        result.summary
    )


@click.command("strategies")
@format_option()
def strategies_command(output_format: str) -> None:
    """List the pooling presets with their purposes, and then the pooling strategies."""
    presets = (
        (preset.name, "preset", "", preset.strategy, "", preset.purpose) for preset in PRESETS
    )
    learning_text = (
        LEARNING,
        "adaptive",
        "a project, --size, --qrels",
        "",
        "highest probability of relevance by logistic regression",
        LEARNING_PURPOSE,
    )
    show(
        ("name", "kind", "needs", "parameters", "formula", "purpose"),
        [*presets, *map(_make_strategy_row, list_strategies()), learning_text, PLAN_ROW],
        output_format,
    )


def _make_strategy_row(declaration: StrategyDeclaration) -> tuple[Cell, ...]:
    if declaration.adaptive:
        kind = "adaptive"
    elif declaration.kind == "sample":
        kind = "sample"
    else:
        kind = "static"
    required_options = ", ".join(
        (
            *(f"--{option_name}" for option_name in declaration.needs),
            *(["--qrels"] if declaration.adaptive else []),
        )
    )
    return (
        declaration.name,
        kind,
        required_options,
        ", ".join(
            f"{parameter.name}={shown(parameter.default)}: {parameter.allowed_values}"
            for parameter in declaration.parameters
        ),
        declaration.formula,
        declaration.purpose,
    )


@click.command("estimate")
@click.argument("qrels", type=FILE_OR_ADDRESS, metavar="QRELS | PROJECT")
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(EstimateRequest, "request")
@format_option()
def estimate_command(
    qrels: Path, runs: tuple[Path, ...], request: EstimateRequest, output_format: str
) -> None:
    """Estimate the effectiveness of RUNS from a sampled pool judged in QRELS. For the runs of a
    project, give the project as QRELS, without RUNS. QRELS may be a judged sample of TREC with
    five columns, which also defines the pool: topic, iteration, document, stratum, grade (below
    0: not sampled), as for xinfAP; or topic, document, grade, method, probability, as in the
    Million Query tracks, for statAP (documents of methods 0 and 2 have probability 1, and lines
    with probability NA are skipped). Means are computed over the topics with judgments; a topic
    without a judged relevant document counts as 0. In contrast, statAP_MQ_eval excludes topics
    without relevant documents from its mean (as does --topics relevant), and sample_eval.pl
    counts topics without samples as 0. With --model, a judging plan and few human judgments give
    precision and DCG with valid 95 % intervals.
    """
    with terminal_progress() as progress:
        result = estimate_sources(qrels, runs, request, progress=progress)
    show_result(result, output_format)


@click.command("reusability")
@click.argument("qrels", type=FILE_OR_ADDRESS, metavar="QRELS | PROJECT")
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(ReusabilityRequest, "request")
@format_option()
def reusability_command(
    qrels: Path, runs: tuple[Path, ...], request: ReusabilityRequest, output_format: str
) -> None:
    """Evaluate each of the RUNS as if it had not contributed to the pool, and report its value, its
    rank, and Kendall's tau-b between the rankings of all runs with and without its contribution.
    The column 'change' is in percent of the value; 'shift' is the number of ranks that a run
    falls, negative if it rises.
    """
    with terminal_progress() as progress:
        result = measure_reusability(qrels, runs, request, progress=progress)
    show_result(result, output_format)

"""Commands pool, strategies, estimate and reusability."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import click

from irjudge.audit import (
    DEFAULT_ESTIMATE_MEASURES,
    ModelEstimate,
    ModelEstimateOptions,
    PlanUniverse,
    estimate_runs_with_model,
    forecast_margins,
    list_cautions,
    list_next_documents,
    make_plan_universe,
)
from irjudge.cli.open_project import choose_qrels, open_alone, reading, to_write
from irjudge.cli.options import (
    FILE,
    FILE_OR_ADDRESS,
    NAME_OR_FILE,
    format_option,
    no_source,
    option_of,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.streams import record_policy, say, tell
from irjudge.errors import IrjudgeError, ProjectError
from irjudge.evaluation import (
    INTERVAL_COLUMNS,
    REUSABILITY_COLUMNS,
    TOPIC_POLICIES,
    VALUE_COLUMNS,
    IntervalRequest,
    PerTopicOption,
    Policy,
    QrelsRequest,
    TopicPolicy,
    WorkersRequest,
    compute_reusability,
    estimate_runs,
    parse_measures,
    reusability_rows,
    summarize_reusability,
)
from irjudge.exchange import create_pool, read_model_grades
from irjudge.formats.rankings import (
    COLUMNS,
    RankingReader,
    ReadingRequest,
    pool_rows,
    read_pool,
    read_prels,
    read_run_groups,
)
from irjudge.judging import list_pool_pairs, read_project_qrels
from irjudge.message import Message
from irjudge.metrics import format_value as shown
from irjudge.model import TIES, UNJUDGED, Pool, Qrels, Run, Ties, select_topics
from irjudge.pooling import (
    ESTIMATES,
    LEARNING,
    LEARNING_PURPOSE,
    PLAN_STRATEGY,
    PRESETS,
    JudgePlanOptions,
    PoolOptions,
    PoolRequest,
    StrategyDeclaration,
    build_pool,
    list_strategies,
    plan_pool,
)
from irjudge.report import Cell
from irjudge.stats import (
    GUESSES,
    GUESSES_MEAN,
    TOPICS_ARE,
    TOPICS_ARE_MEAN,
    workers_at,
)
from irjudge.store import Project, is_project, open_project

# Judge plans and their estimates, for the commands pool and estimate

Pair = tuple[str, str]
Command = Callable[..., Any]
PLAN_ROW: tuple[Cell, ...] = (
    PLAN_STRATEGY,
    "sample",
    "--model, --size",
    "",
    "inclusion probability proportional to the weight in DCG times the expected spread of human grades",
    "Sample documents for assessors by a model's grades, with known probabilities, so that its labels can be corrected: irjudge estimate --model NAME.",
)
SHOWN = ("values", "forecast", "next")
PLAIN = {
    "guess": GUESSES[0],
    "topics_are": TOPICS_ARE[0],
    "topics_in_all": None,
    "of_maximum": False,
    "baseline": None,
    "what": SHOWN[0],
}


def model_estimate_options(command: Command) -> Command:
    """Add the options for judge plans to `estimate`."""
    for option in (
        click.option(
            "--show",
            "what",
            type=click.Choice(SHOWN),
            default=SHOWN[0],
            show_default=True,
            help=(
                "With --model: values with intervals; forecast: the intervals expected with "
                "more judgments; next: the documents to judge next, by how much they narrow "
                "the interval."
            ),
        ),
        click.option(
            "--baseline",
            metavar="RUN",
            help="With --model, estimate the other runs' differences from RUN.",
        ),
        click.option(
            "--of-maximum",
            is_flag=True,
            help=(
                "With --model: DCG divided by the maximum on the scale, which is known, "
                "unlike the ideal DCG."
            ),
        ),
        click.option(
            "--topics-in-all",
            type=click.IntRange(1),
            help="With --topics-are drawn: the total number of topics.",
        ),
        click.option(
            "--topics-are",
            type=click.Choice(TOPICS_ARE),
            default=TOPICS_ARE[0],
            show_default=True,
            help="With --model. "
            + "; ".join(f"{name}: {description}" for name, description in TOPICS_ARE_MEAN.items())
            + ".",
        ),
        click.option(
            "--guess",
            type=click.Choice(GUESSES),
            default=GUESSES[0],
            show_default=True,
            help="With --model. "
            + "; ".join(f"{name}: {description}" for name, description in GUESSES_MEAN.items())
            + ".",
        ),
        click.option(
            "--model",
            type=NAME_OR_FILE,
            metavar="NAME",
            help="Model of a PROJECT, or a file of a model's labels, which human judgments correct.",
        ),
    ):
        command = option(command)
    return command


def check_no_model(values: Mapping[str, Any]) -> None:
    """Raise IrjudgeError if options of a judge plan are given without a model."""
    conflicting = next((name for name, value in PLAIN.items() if values[name] != value), None)
    if conflicting is not None:
        raise IrjudgeError(
            "Use --{strange} only with --model.",
            strange=conflicting.replace("what", "show").replace("_", "-"),
        )


def show_model_estimates(
    source: Path,
    pool: Pool,
    judged: Qrels,
    runs: Sequence[Run],
    names: Sequence[str],
    policy: Policy,
    form: str,
    *,
    model: str,
    what: str,
    guess: Any,
    topics_are: Any,
    topics_in_all: int | None,
    of_maximum: bool,
    baseline: str | None,
    seed: int,
) -> None:
    """Print estimates for runs from a judge plan, human judgments, and a model's labels."""
    people = {
        (topic, document): grade for topic, document, grade in judged.rows() if grade != UNJUDGED
    }
    with (
        open_project(source, writing=False)
        if is_project(source)
        else nullcontext(Path(model)) as labels
    ):
        grades, highest = read_model_grades(labels, model)
    highest = max(highest, max(people.values(), default=0))
    universe = make_plan_universe(pool, people, grades, highest=highest)
    options = ModelEstimateOptions(
        parse_measures(names or DEFAULT_ESTIMATE_MEASURES, policy.rel),
        policy,
        guess,
        topics_are,
        topics_in_all,
        of_maximum,
        baseline,
        seed,
    )
    estimates: tuple[ModelEstimate, ...] = ()
    with terminal_progress():
        if what == "forecast":
            columns: tuple[str, ...] = ("judgments", "measure", "reach")
            rows: list[tuple[Cell, ...]] = [
                (each.judgments, each.measure, each.reach)
                for each in forecast_margins(universe, runs, options, highest)
            ]
        elif what == "next":
            columns = ("topic", "document", "drawn", "takes_off")
            larger = _larger(pool, runs, grades, highest)
            documents = list_next_documents(universe, runs, options, highest, larger)
            rows = [
                (each.topic, each.document, "yes" if each.drawn else "no", each.takes_off)
                for each in documents
            ]
        else:
            estimates = estimate_runs_with_model(universe, runs, options)
            columns = ("run", "measure", "value", "low", "high", "kind")
            rows = [
                (each.run, each.measure, each.value, each.low, each.high, each.kind)
                for each in estimates
            ]
    show(columns, rows, form)
    _say(universe, runs, options, model, estimates)


def _say(
    universe: PlanUniverse,
    runs: Sequence[Run],
    options: ModelEstimateOptions,
    model: str,
    estimates: Sequence[ModelEstimate],
) -> None:
    judged = int((universe.sampled & (universe.people != -1)).sum())
    sampled = int(universe.sampled.sum())
    say(
        f"Judged pairs: {judged:,} of {sampled:,} sampled ones, from a total of {len(universe.pairs):,}. "
        f"The others are estimated from the labels of model {model}, corrected by the judgments."
    )
    if options.baseline is not None:
        say(f"Values are differences from {options.baseline}.")
    say(
        f"Model estimate: {GUESSES_MEAN[options.guess]}. Topics {options.topics}: {TOPICS_ARE_MEAN[options.topics]}.",
        *list_cautions(universe, runs, options, estimates),
    )


def _read(paths: Sequence[Path], reader: RankingReader) -> list[Run]:
    runs = list(reader.read_runs(paths))
    say(*(warning for run in runs for warning in run.warnings))
    return runs


def _larger(
    pool: Pool, runs: Sequence[Run], grades: Mapping[Pair, int], highest: int
) -> Pool | None:
    """Return a plan of twice the size with the same seed, which includes this plan; None if the
    pool is not a judge plan.
    """
    if pool.strategy != PLAN_STRATEGY:
        return None
    parameters = pool.parameters
    try:
        plan = JudgePlanOptions(
            str(parameters["model"]),
            2 * int(parameters["size"]),
            int(parameters["depth"]),
            int(parameters["seed"]),
            parameters["ties"],  # type: ignore[arg-type]
        )
    except (KeyError, ValueError) as error:
        raise ProjectError(
            "The plan does not record how it was made ({error}).", error=error
        ) from error
    return plan_pool(runs, plan, grades, highest)


# Commands pool, strategies, estimate and reusability


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
    form: str,
) -> None:
    """Build a pool from RUNS; or from the runs of a PROJECT, and store it there."""
    with (
        open_alone(
            sources,
            partial(to_write, writing=not request.preview),
            "{name} is a project with its own runs; give it alone.",
        ) as source,
        workers_at(where.cluster) as workers,
        terminal_progress() as progress,
    ):
        made = create_pool(source, request, reading, progress=progress, workers=workers)
    say(*made.notes)
    if request.preview and made.pool.strategy != LEARNING:  # a simulation needs no new judgments
        tell(*made.estimate.sentences())
        return
    stored = isinstance(source, Project)
    if not request.output and request.details:
        show(COLUMNS, pool_rows(made.pool), form)
    elif not request.output and (form != "text" or not stored):
        show(("topic", "document"), list_pool_pairs(made.pool), form)
    (tell if stored and form == "text" and not request.details else say)(made.summary)


@click.command("strategies")
@format_option()
def strategies_command(form: str) -> None:
    """List pooling strategies: presets by purpose, then strategies."""
    columns = ("name", "kind", "needs", "parameters", "formula", "purpose")
    presets = ((each.name, "preset", "", each.strategy, "", each.purpose) for each in PRESETS)
    learning = (
        LEARNING,
        "adaptive",
        "a project, --size, --qrels",
        "",
        "highest probability of relevance by logistic regression",
        LEARNING_PURPOSE,
    )
    show(columns, [*presets, *map(_strategy_row, list_strategies()), learning, PLAN_ROW], form)


def _strategy_row(each: StrategyDeclaration) -> tuple[Cell, ...]:
    if each.adaptive:
        kind = "adaptive"
    elif each.kind == "sample":
        kind = "sample"
    else:
        kind = "static"
    needs = ", ".join(
        (*(f"--{need}" for need in each.needs), *(["--qrels"] if each.adaptive else []))
    )
    parameters = ", ".join(
        f"{parameter.name}={shown(parameter.default)}: {parameter.allowed_values}"
        for parameter in each.parameters
    )
    return each.name, kind, needs, parameters, each.formula, each.purpose


# Estimates


@click.command("estimate")
@click.argument("qrels", type=FILE_OR_ADDRESS, metavar="QRELS | PROJECT")
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@click.option(
    "--pool",
    "pool_file",
    type=FILE,
    help="Judged pool, from `irjudge pool -o FILE.csv`.",
)
@click.option(
    "-m",
    "--measure",
    "names",
    multiple=True,
    help="Estimator; may be repeated. Default: xinfAP, or statAP for a pool with unequal inclusion probabilities. "
    f"{'; '.join(f'{name}: {each.meaning}' for name, each in ESTIMATES.items())}.",
)
@option_of(PerTopicOption, "per_topic", default=False)
@options_of(IntervalRequest, "spread")
@click.option(
    "--rel",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Minimum grade counted as relevant.",
)
@click.option(
    "--topics",
    type=click.Choice(TOPIC_POLICIES),
    default="both",
    show_default=True,
    help="Topics to average over.",
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="trec",
    show_default=True,
    help="Order of documents with equal scores.",
)
@model_estimate_options
@options_of(QrelsRequest, "request")
@format_option()
def estimate_command(
    qrels: Path,
    runs: tuple[Path, ...],
    pool_file: Path | None,
    names: tuple[str, ...],
    per_topic: bool,
    spread: IntervalRequest,
    rel: int,
    topics: TopicPolicy,
    ties: Ties,
    request: QrelsRequest,
    form: str,
    **of_model: Any,
) -> None:
    """Estimate the effectiveness of RUNS from a sampled pool judged in QRELS; or of the runs of
    a project, given alone as QRELS. QRELS may be a judged sample of TREC with five columns,
    which is its own pool: topic, iteration, document, stratum, grade (below 0: not sampled), as
    for xinfAP; or topic, document, grade, method, probability, as in the Million Query tracks,
    for statAP: documents of methods 0 and 2 have probability 1, and lines with probability NA
    are skipped. A mean is over the topics with judgments, with 0 for topics without a judged
    relevant document. statAP_MQ_eval excludes topics without relevant documents from its mean
    (as does --topics relevant), and sample_eval.pl counts topics without samples as 0. With
    --model, a judging plan and few human judgments give precision and DCG with valid 95 %
    intervals."""
    pool, judged, read = _judged_pool(qrels, runs, pool_file, request)
    policy = Policy(ties, topics, rel, only=request.only)
    record_policy(policy)
    if of_model["model"] is not None:
        show_model_estimates(
            qrels,
            pool,
            judged,
            read,
            names,
            policy,
            form,
            seed=spread.seed,
            **of_model,
        )
        return
    check_no_model(of_model)
    with terminal_progress() as progress:
        estimates = estimate_runs(
            pool,
            judged,
            read,
            names,
            rel=rel,
            ties=ties,
            policy=topics,
            only=request.only,
            total=len(read),
            progress=progress,
        )
    header = (*VALUE_COLUMNS, *(INTERVAL_COLUMNS if spread.interval else ()))
    seed = spread.seed if spread.interval else None
    show(header, estimates.rows(per_topic=per_topic, seed=seed), form)
    say(*estimates.notes, *(estimates.missing_intervals if spread.interval else ()))


def _judged_pool(
    qrels: Path,
    runs: Sequence[Path],
    pool_file: Path | None,
    request: QrelsRequest,
) -> tuple[Pool, Qrels, list[Run]]:
    if is_project(qrels):
        return _project_pool(qrels, request, alone=not runs and pool_file is None)[:3]
    no_source(qrels, request.which)
    reader = request.reading.reader()
    sample = read_prels(qrels) if pool_file is None and runs else None
    if sample:
        if sample.skipped:
            say(
                Message(
                    "Lines skipped because they have no probability (NA): {count:,}.",
                    count=sample.skipped,
                )
            )
        return sample.pool, sample.qrels, _read(runs, reader)
    if pool_file is None or not runs:
        raise IrjudgeError(
            "The pool or the runs are missing; give the pool with --pool and at least one run after the qrels, or a project alone.",
            key="no-pool-file",
        )
    judged = reader.read_qrels(qrels)
    say(*judged.warnings)
    return read_pool(pool_file), judged, _read(runs, reader)


def _project_pool(
    path: Path, request: QrelsRequest, *, alone: bool
) -> tuple[Pool, Qrels, list[Run], int]:
    """Return the pool, qrels, runs and highest grade of a project, which must be given alone."""
    request.reading.reader().refuse_project(path)
    if not alone:
        raise IrjudgeError(
            "{qrels} is a project with its own pool and runs; give it alone.",
            key="project-alone",
            qrels=path.name,
        )
    with reading(path) as project:
        pool = project.rankings.pool()
        if pool is None:
            raise ProjectError(
                "The project has no pool yet. Build one with `irjudge pool`.", key="no-pool"
            )
        judged = read_project_qrels(project, choose_qrels(project, request.which))
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        return pool, judged, runs, project.scale.highest


# Leave-one-out evaluation


@click.command("reusability")
@click.argument("qrels", type=FILE_OR_ADDRESS, metavar="QRELS | PROJECT")
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@click.option(
    "--depth",
    type=click.IntRange(1),
    help=(
        "Pool depth: number of top documents of each run that were pooled. Not needed for a "
        "project."
    ),
)
@click.option(
    "-m", "--measure", "name", default="AP", show_default=True, help="Qrels to evaluate with."
)
@click.option(
    "--groups",
    type=FILE,
    help="Table with the columns run and group; the runs of a group are left out together.",
)
@click.option(
    "--topics",
    type=click.Choice(TOPIC_POLICIES),
    default="both",
    show_default=True,
    help="Topics to average over.",
)
@click.option(
    "--rel",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Minimum grade counted as relevant.",
)
@click.option(
    "--ties",
    type=click.Choice(TIES),
    default="trec",
    show_default=True,
    help="Order of documents with equal scores.",
)
@options_of(QrelsRequest, "request")
@options_of(WorkersRequest, "where")
@format_option()
def reusability_command(
    qrels: Path,
    runs: tuple[Path, ...],
    depth: int | None,
    name: str,
    groups: Path | None,
    request: QrelsRequest,
    where: WorkersRequest,
    form: str,
    **wish: Any,
) -> None:
    """Evaluate each of RUNS as if it had not contributed to the pool: its value, its rank, and
    the order of all runs. The column change is in percent of the value; shift is the number of
    ranks a run falls, negative if it rises."""
    policy = Policy(**wish, only=request.only)
    record_policy(policy)
    measure, *more = parse_measures(name.split(), policy.rel)
    if more:
        raise IrjudgeError(
            "Leave-one-out needs exactly one measure, got {count}.", count=1 + len(more)
        )
    pool, judged, read, highest = _contributed(qrels, runs, depth, request)
    judged = judged.only(select_topics(policy.only, judged.topics) or judged.topics)
    chosen = read_run_groups(groups) if groups else {}
    with terminal_progress() as progress, workers_at(where.cluster) as workers:
        results = compute_reusability(
            judged,
            read,
            pool,
            measure,
            policy,
            groups=chosen,
            highest=highest,
            progress=progress,
            workers=workers,
        )
    show(REUSABILITY_COLUMNS, reusability_rows(results), form)
    say(f"{measure.name}; averaged: {policy}.", *summarize_reusability(results))


def _contributed(
    qrels: Path,
    runs: Sequence[Path],
    depth: int | None,
    request: QrelsRequest,
) -> tuple[Pool, Qrels, list[Run], int]:
    if is_project(qrels):
        return _project_pool(qrels, request, alone=not runs and depth is None)
    no_source(qrels, request.which)
    if depth is None or not runs:
        raise IrjudgeError(
            "The runs or the pool depth are missing; give the runs after the qrels and the depth with --depth, or a project alone.",
            key="no-depth",
        )
    reader = request.reading.reader()
    judged = reader.read_qrels(qrels)
    say(*judged.warnings)
    read = _read(runs, reader)
    return (
        build_pool(read, PoolOptions("depth", depth)),
        judged,
        read,
        int(judged.grade.max(initial=0)),
    )

"""Commands pool, strategies, estimate and reusability."""

import csv
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
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
from irjudge.cli.open_project import choose_qrels, reading, to_write
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
from irjudge.cli.projects import WITHOUT_TEXT
from irjudge.cli.streams import record_policy, say, tell
from irjudge.errors import FormatError, IrjudgeError, ProjectError
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
from irjudge.exchange import CostEstimate, Pace, Prices, estimate_pool, measure_pace, read_prices
from irjudge.formats.bytes import replace_file
from irjudge.formats.judgments import read_model_labels
from irjudge.formats.rankings import (
    COLUMNS,
    RankingReader,
    ReadingRequest,
    distinct_run_names,
    expand_run_folders,
    pool_rows,
    read_pool,
    read_prels,
    read_qrels,
    read_run,
    write_qrels,
)
from irjudge.judging import read_model_judgments, read_project_qrels
from irjudge.message import Message, format_count
from irjudge.metrics import format_value as shown
from irjudge.model import TIES, UNJUDGED, Pool, Qrels, Run, Ties, select_topics
from irjudge.pooling import (
    ESTIMATES,
    LEARNING,
    LEARNING_PURPOSE,
    PLAN_DEPTH,
    PLAN_STRATEGY,
    PRESETS,
    Judge,
    JudgePlanOptions,
    PoolOptions,
    PoolRequest,
    StrategyDeclaration,
    build_pool,
    drop_near_duplicates,
    learn_pool,
    list_strategies,
    make_qrels_judge,
    plan_pool,
)
from irjudge.progress import Progress
from irjudge.report import Cell, write_table
from irjudge.shipped import cache_folder
from irjudge.stats import (
    GUESSES,
    GUESSES_MEAN,
    TOPICS_ARE,
    TOPICS_ARE_MEAN,
    Workers,
    workers_at,
)
from irjudge.store import (
    Project,
    is_project,
    open_project,
    project_near_duplicates,
    project_postings,
)

# Judge plans and their estimates, for the commands pool and estimate

Pair = tuple[str, str]
MakePlan = Callable[[Sequence[Run], Project | None], Pool]
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


def plan_of(request: PoolRequest) -> MakePlan:
    """Return a function that makes a judge plan for runs from a model's labels."""
    model = request.model
    if model is None or request.size is None:
        raise IrjudgeError(
            "The strategy plan needs --model, whose grades are used, and --size, the total "
            "number of pairs to judge."
        )
    plan = JudgePlanOptions(
        model, request.size, request.depth or PLAN_DEPTH, request.seed, request.ties
    )

    def make(runs: Sequence[Run], project: Project | None) -> Pool:
        grades = (
            read_model_judgments(project, model).grades
            if project is not None
            else read_model_labels(Path(model)).last()
        )
        highest = project.scale.highest if project is not None else max(grades.values(), default=1)
        return plan_pool(runs, plan, grades, highest)

    return make


def keep_plan(
    path: Path, make: MakePlan, *, keep: bool, write: Callable[[Pool], None]
) -> tuple[Pool, CostEstimate]:
    """Return a judge plan for the runs of a project, and its cost; `keep` stores and writes the
    plan.
    """
    with to_write(path, writing=keep) as project:
        pool = make([project.rankings.run(run.name) for run in project.rankings.runs()], project)
        if keep:
            with project.transaction():
                project.rankings.add_pool(pool)
                write(pool)
        return pool, estimate_pool(pool, measure_pace(project), read_prices(project))


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
    grades, highest = _labels_of(source, model)
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


def _labels_of(source: Path, model: str) -> tuple[dict[Pair, int], int]:
    """Return a model's grades, and the highest grade of the scale."""
    if not is_project(source):
        grades = read_model_labels(Path(model)).last()
        return grades, max(grades.values(), default=1)
    with open_project(source, writing=False) as project:
        return read_model_judgments(project, model).grades, project.scale.highest


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

ADAPTIVE = "{} replays the existing judgments; a document without one counts as not relevant."


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
    """Build a pool from RUNS, or from the runs of a PROJECT, which then stores it."""
    stored = _alone(sources)
    planned = request.strategy == PLAN_STRATEGY
    if request.once and (not stored or planned):
        raise IrjudgeError(
            "--once compares texts, so it needs a project with texts, and a strategy without "
            "random sampling.",
            key="project-needed",
        )
    columns = reading.reader()
    if request.strategy.strip().lower() == LEARNING:
        known = _known(request.qrels, reading, columns)
        with workers_at(where.cluster) as workers:
            _simulate(sources, request, known, form=form, workers=workers)
        return
    if planned and (request.qrels or request.wanted or request.first or where.cluster):
        raise IrjudgeError(
            "--qrels, --topic, --first and --cluster cannot be used: the strategy plan samples "
            "from all topics by a model's grades."
        )
    output, adaptive = request.output, ""
    if planned:
        make, keep = plan_of(request), not request.preview
        pool, estimate = _planned(sources, columns, make, output, keep=keep)
    else:
        with workers_at(where.cluster) as workers:
            pool, estimate, adaptive = _by_strategy(sources, request, reading, workers)
    if request.preview:
        tell(*estimate.sentences())
        return
    if output and not stored:
        _write(output, pool)
    elif not output:
        _print(pool, details=request.details, pairs=not stored or form != "text", form=form)
    if adaptive:
        say(ADAPTIVE.format(adaptive))
    if stored and not request.details and form == "text":
        tell(_describe_pool(pool))
    else:
        say(_describe_pool(pool))


def _planned(
    sources: Sequence[Path],
    columns: RankingReader,
    make: MakePlan,
    output: Path | None,
    *,
    keep: bool,
) -> tuple[Pool, CostEstimate]:
    """Return a judge plan for the runs of a project or of files, and the cost of judging it."""
    if is_project(sources[0]):
        return keep_plan(
            sources[0], make, keep=keep, write=lambda made: _write(output, made) if output else None
        )
    pool = make(_read(sources, columns), None)
    return pool, estimate_pool(pool, Pace(), Prices())


def _by_strategy(
    sources: Sequence[Path], request: PoolRequest, reading: ReadingRequest, workers: Workers
) -> tuple[Pool, CostEstimate, str]:
    """Return the pool of a run-based strategy, its cost, and the title of an adaptive one."""
    plan, columns = request.options(), reading.reader()
    declaration = plan.resolve()[0].declaration  # raises before any file is read
    if request.model is not None:
        raise IrjudgeError(
            "--model cannot be used: the strategy {declaration} ignores model grades; only the "
            "strategy plan uses them.",
            declaration=declaration.name,
        )
    if request.qrels is not None and not declaration.adaptive:
        raise IrjudgeError(
            "--qrels cannot be used: the strategy {declaration} ignores judgments.",
            declaration=declaration.name,
        )
    judge = _judge(_known(request.qrels, reading, columns), request.rel)
    if is_project(sources[0]):
        RankingReader(runs=columns.runs).refuse_project(sources[0])
        pool, estimate = _project_pool(sources[0], request, judge, workers)
    else:
        runs = _read(sources, columns)
        pool, estimate = _files_pool(runs, plan, judge, request.wanted, workers)
    return pool, estimate, declaration.title if declaration.adaptive else ""


def _known(path: Path | None, reading: ReadingRequest, columns: RankingReader) -> Qrels | None:
    if path is None:
        return None
    return read_qrels(
        path,
        reading.negative,
        grades=columns.grades,
        columns=columns.qrels,
        encoding=columns.encoding,
    )


def _judge(known: Qrels | None, rel: int) -> Judge | None:
    return None if known is None else make_qrels_judge(known, rel)


def _simulate(
    sources: Sequence[Path],
    request: PoolRequest,
    judged: Qrels | None,
    *,
    form: str,
    workers: Workers,
) -> None:
    """Simulate active learning; store, write or print its pool, and print its recall."""
    if not _alone(sources):
        raise IrjudgeError(
            "The strategy learning reads documents, so it needs a project that contains them.",
            key="project-needed",
        )
    if request.size is None:
        raise IrjudgeError(
            "The strategy learning needs a size: the number of documents to judge per topic.",
            key="no-size",
        )
    with (
        to_write(sources[0], writing=not request.preview) as project,
        terminal_progress() as progress,
    ):
        known = (
            judged
            if judged is not None
            else read_project_qrels(project, choose_qrels(project, None))
        )
        judge = make_qrels_judge(known, request.rel)
        chosen = select_topics(request.wanted, [topic.id for topic in project.collection.topics()])
        topics = [
            topic for topic in project.collection.topics() if not chosen or topic.id in chosen
        ]
        postings = project_postings(project, cache_folder(), progress)
        pool = learn_pool(
            postings,
            topics,
            judge,
            request.size,
            seed=request.seed,
            progress=progress,
            workers=workers,
        )
        pool = _once(project, pool, progress) if request.once else pool
        if not request.preview:
            with project.transaction():
                project.rankings.add_pool(pool)
                if request.output:
                    _write(request.output, pool)
    if not request.output:
        _print(pool, details=request.details, pairs=form != "text", form=form)
    relevant, asked = (
        sum(judge(topic, document) for topic, document in _pairs(pool)),
        set(pool.topics),
    )
    every = sum(topic in asked and grade >= request.rel for topic, _, grade in known.rows())
    pairs = f"{format_count(len(pool), 'pair')} for {format_count(len(pool.topics), 'topic')}, by active learning"
    message = f"{pairs}; relevant: {relevant:,} of {every:,}."
    (say if request.details or form != "text" else tell)(message)


def _print(pool: Pool, *, details: bool, pairs: bool, form: str) -> None:
    if details:
        show(COLUMNS, pool_rows(pool), form)
    elif pairs:
        show(("topic", "document"), _pairs(pool), form)


def _alone(sources: Sequence[Path]) -> bool:
    """Return whether the source is a project; raise IrjudgeError if it is not the only source."""
    if any(map(is_project, sources)) and len(sources) > 1:
        raise IrjudgeError(
            "{name} is a project with its own runs; give it alone.",
            key="project-alone",
            name=next(filter(is_project, sources)).name,
        )
    return is_project(sources[0])


def _read(paths: Sequence[Path], columns: RankingReader) -> list[Run]:
    runs: list[Run] = []
    paths = expand_run_folders(paths)
    for path, name in zip(paths, distinct_run_names(paths), strict=True):
        runs.append(read_run(path, name, columns=columns.runs, encoding=columns.encoding))
        say(*runs[-1].warnings)
    return runs


def _files_pool(
    runs: list[Run], plan: PoolOptions, judge: Judge | None, wanted: str, workers: Workers
) -> tuple[Pool, CostEstimate]:
    known = list(dict.fromkeys(topic for run in runs for topic in run.topics))
    with terminal_progress() as progress:
        pool = build_pool(
            runs,
            replace(plan, topics=select_topics(wanted, known)),
            judge=judge,
            progress=progress,
            workers=workers,
        )
    return pool, estimate_pool(pool, Pace(), Prices())


def _project_pool(
    path: Path, request: PoolRequest, judge: Judge | None, workers: Workers
) -> tuple[Pool, CostEstimate]:
    plan, keep = request.options(), not request.preview
    with to_write(path, writing=keep) as project, terminal_progress() as progress:
        if plan.resolve()[0].declaration.adaptive and judge is None:
            qrels = read_project_qrels(project, choose_qrels(project, None))
            judge = make_qrels_judge(qrels, request.rel)
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        known = list(
            dict.fromkeys(
                [
                    *(topic.id for topic in project.collection.topics()),
                    *(each for run in runs for each in run.topics),
                ]
            )
        )
        pool = build_pool(
            runs,
            replace(plan, topics=select_topics(request.wanted, known)),
            judge=judge,
            progress=progress,
            workers=workers,
        )
        pool = _once(project, pool, progress) if request.once else pool
        if keep:
            with project.transaction():  # nothing is stored if the file cannot be written
                project.rankings.add_pool(pool)
                if request.output:
                    _write(request.output, pool)
        missing = project.collection.without_text(sorted(set(pool.document.to_pylist())))
        if missing:
            say(WITHOUT_TEXT.format(len(missing), missing[0]))
        return pool, estimate_pool(pool, measure_pace(project), read_prices(project))


def _once(project: Project, pool: Pool, progress: Progress) -> Pool:
    """Return a pool without near-duplicates of earlier documents, and print how many were omitted."""
    fewer = drop_near_duplicates(
        pool, project_near_duplicates(project, cache_folder(), progress=progress)
    )
    say(f"Skipped near-duplicates: {format_count(len(pool) - len(fewer), 'pair')}.")
    return fewer


def _pairs(pool: Pool) -> list[tuple[str, str]]:
    return list(
        zip(
            [pool.topics[code] for code in pool.topic.tolist()],
            pool.document.to_pylist(),
            strict=True,
        )
    )


def _write(path: Path, pool: Pool) -> None:
    if path.suffix == ".qrels":
        write_qrels(path, ((topic, document, UNJUDGED) for topic, document in _pairs(pool)))
        return
    with replace_file(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        if path.suffix == ".csv":
            write_table(COLUMNS, pool_rows(pool), "csv", file, opened=True)
        else:
            file.writelines(f"{topic}\t{document}\n" for topic, document in _pairs(pool))


def _describe_pool(pool: Pool) -> str:
    depth, chance = pool.parameters.get("depth"), len(pool.unsampled)
    top = f"the top {depth} of " if depth is not None else ""
    sampled = f", sampled from {len(pool) + chance:,}" if chance else ""
    different = len(pool.document.unique())
    pooled = (
        format_count(different, "document")
        if different == len(pool)
        else f"{len(pool):,} topic–document pairs ({format_count(different, 'document')})"
    )
    return f"{pooled} for {format_count(len(pool.topics), 'topic')} from {top}{format_count(len(pool.runs), 'run')}{sampled}."


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
    columns, which = request.reading.reader(), request.which
    if is_project(qrels):
        columns.refuse_project(qrels)
        if runs or pool_file:
            raise IrjudgeError(
                "{qrels} is a project with its own pool and runs; give it alone.",
                key="project-alone",
                qrels=qrels.name,
            )
        with reading(qrels) as project:
            return _of_project(project, which)
    no_source(qrels, which)
    sample = read_prels(qrels) if pool_file is None and runs else None
    if sample:
        if sample.skipped:
            say(
                Message(
                    "Lines skipped because they have no probability (NA): {count:,}.",
                    count=sample.skipped,
                )
            )
        return sample.pool, sample.qrels, _read(runs, columns)
    if pool_file is None or not runs:
        raise IrjudgeError(
            "The pool or the runs are missing; give the pool with --pool and at least one run after the qrels, or a project alone.",
            key="no-pool-file",
        )
    negative = request.reading.negative
    judged = read_qrels(
        qrels, negative, grades=columns.grades, columns=columns.qrels, encoding=columns.encoding
    )
    say(*judged.warnings)
    return read_pool(pool_file), judged, _read(runs, columns)


def _of_project(project: Project, which: str | None) -> tuple[Pool, Qrels, list[Run]]:
    pool = project.rankings.pool()
    if pool is None:
        raise ProjectError(
            "The project has no pool yet. Build one with `irjudge pool`.", key="no-pool"
        )
    return (
        pool,
        read_project_qrels(project, choose_qrels(project, which)),
        [project.rankings.run(run.name) for run in project.rankings.runs()],
    )


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
    pool, judged, read, known = _contributed(qrels, runs, depth, request)
    highest = int(judged.grade.max(initial=0)) if known is None else known
    judged = judged.only(select_topics(policy.only, judged.topics) or judged.topics)
    chosen = read_groups(groups) if groups else {}
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
) -> tuple[Pool, Qrels, list[Run], int | None]:
    columns, which = request.reading.reader(), request.which
    if is_project(qrels):
        columns.refuse_project(qrels)
        if runs or depth is not None:
            raise IrjudgeError(
                "{qrels} is a project with its own pool and runs; give it alone.",
                key="project-alone",
                qrels=qrels.name,
            )
        with reading(qrels) as project:
            return *_of_project(project, which), project.scale.highest
    no_source(qrels, which)
    if depth is None or not runs:
        raise IrjudgeError(
            "The runs or the pool depth are missing; give the runs after the qrels and the depth with --depth, or a project alone.",
            key="no-depth",
        )
    negative = request.reading.negative
    judged = read_qrels(
        qrels, negative, grades=columns.grades, columns=columns.qrels, encoding=columns.encoding
    )
    say(*judged.warnings)
    read = _read(runs, columns)
    return build_pool(read, PoolOptions("depth", depth)), judged, read, None


def read_groups(path: Path) -> dict[str, str]:
    """Return the group of each run."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return dict(_group_rows(csv.DictReader(file), path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise FormatError(
            path,
            Message("cannot be read ({reason})", reason=getattr(error, "strerror", None) or error),
        ) from error


def _group_rows(table: "csv.DictReader[str]", path: Path) -> Iterator[tuple[str, str]]:
    if not {"run", "group"} <= set(table.fieldnames or ()):
        raise FormatError(path, "a column is missing in the header; expected run and group", 1)
    for row in table:
        if not row["run"] or not row["group"]:
            raise FormatError(path, "a run or group is empty", table.line_num)
        yield row["run"], row["group"]

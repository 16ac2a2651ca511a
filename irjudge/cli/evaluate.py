"""Commands evaluate, explain, user and measures."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from irjudge.cli.options import (
    FILE,
    FILE_OR_ADDRESS,
    format_option,
    given_options,
    no_source,
    option_of,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.streams import put, record_policy, say, tell, to_stdout
from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import (
    ALL,
    DEFAULT_MEASURES,
    MIN_TOPICS,
    Average,
    Evaluation,
    EvaluationRequest,
    EvaluationSettings,
    Policy,
    RunScores,
    ValueChecks,
    ValueTableOptions,
    describe_missing_interval,
    deviations,
    evaluate_runs,
    intervals,
    join,
    no_shared_topic_warning,
    parse_measures,
    parse_measures_and_texts,
    read_ranking,
)
from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.rankings import (
    RankingReader,
    ReadingRequest,
    distinct_run_names,
    expand_run_folders,
    read_qrels,
    read_run,
    read_tag,
)
from irjudge.message import Message, format_count, join_messages
from irjudge.metrics import (
    GROUPS,
    RULES,
    TEXT_DESCRIPTIONS,
    list_measures,
    parse_texts,
)
from irjudge.model import (
    AUXILIARY_KINDS,
    AuxiliaryTable,
    JudgedRanking,
    Qrels,
    Run,
    make_qrels,
    select_topics,
)
from irjudge.options import OnlyOption
from irjudge.progress import Progress
from irjudge.report import Cell
from irjudge.store import is_project

if TYPE_CHECKING:
    from irjudge.stats import Workers

TOPICS_ADVICE = "Choose --topics qrels, which counts a missing topic as 0, or --topics both."


def side_options(command: Any) -> Any:
    """Add an option for each kind of auxiliary file; the command receives the tables as `sides`."""
    kinds = AUXILIARY_KINDS.catalogue()

    @functools.wraps(command)
    def with_auxiliary_files(**given: Any) -> Any:
        paths = {kind.name: given.pop(kind.name) for kind in kinds}
        auxiliary = _read_auxiliary_tables(paths) if any(paths.values()) else []
        return command(sides=auxiliary, **given)

    options: Any = with_auxiliary_files
    for side in reversed(kinds):
        options = click.option(f"--{side.name}", type=FILE, help=f"{side.title}: {side.form}.")(
            options
        )
    return options


def _read_auxiliary_tables(paths: Mapping[str, Path | None]) -> list[AuxiliaryTable]:
    from irjudge.formats.rankings import read_auxiliary_table  # noqa: PLC0415

    tables = [read_auxiliary_table(path, name) for name, path in paths.items() if path is not None]
    say(*(warning for side in tables for warning in side.warnings))
    return tables


# Storing and checking values


@contextmanager
def _open_to_keep(checks: ValueChecks, qrels: Path) -> Iterator[Any]:
    """Open the project in which values will be stored; yield None if none is used."""
    if checks.fail_if_worse is None and (checks.by or checks.significant):
        raise IrjudgeError(
            "--by and --significant define when a run is worse; use them with --fail-if-worse."
        )
    if checks == ValueChecks():
        yield None
        return
    from irjudge.cli.open_project import to_write  # noqa: PLC0415 -- as slow as numpy
    from irjudge.cli.stored_values import check_options  # noqa: PLC0415

    check_options(checks.keep, checks.fail_below)
    if checks.keep is None or not is_project(qrels):
        yield None
        return
    with to_write(qrels) as project:
        yield project


def _check_and_keep(
    checks: ValueChecks,
    table: Evaluation,
    qrels: Path,
    runs: Sequence[Path],
    project: Any,
    auxiliary: Sequence[AuxiliaryTable],
) -> None:
    """Raise an error if a value fails `checks`, otherwise store the values in `project` or a file."""
    if checks == ValueChecks():
        return
    from irjudge.cli.stored_values import check_values, keep_values  # noqa: PLC0415

    check_values(
        table,
        qrels,
        checks.fail_below,
        checks.fail_if_worse,
        by=checks.by,
        significant=checks.significant,
    )
    if checks.keep is not None:
        keep_values(table, checks.keep, qrels, runs, project, auxiliary)


@click.command("evaluate")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(EvaluationRequest, "request")
@side_options
@options_of(ValueTableOptions)
@format_option("trec")
def evaluate_command(
    qrels: Path,
    runs: tuple[Path, ...],
    request: EvaluationRequest,
    sides: Sequence[AuxiliaryTable],
    options: ValueTableOptions,
    form: str,
) -> None:
    """Evaluate RUNS with QRELS; or all runs of a project, given alone as QRELS.

    With --keep, save the values for later comparisons. With --fail-below or --fail-if-worse, the
    exit code is 3 if a value fails.
    """
    _check_spread(options, form)
    checks = options.checks
    if options.places and (form == "trec" or options.per_topic or options.spread_columns):
        raise IrjudgeError(
            "--places prints a separate table; use it with --format text, csv or json, and "
            "without other columns."
        )
    with _open_to_keep(checks, qrels) as project, _workers_at(request.cluster) as workers:
        measures = checks.with_measures(request.settings.measures or DEFAULT_MEASURES)
        table = evaluated(
            qrels,
            runs,
            replace(request.settings, measures=measures),
            only=request.only,
            average=options.average,
            textual=form == "trec",
            sides=sides,
            workers=workers,
        )
        record_policy(table.policy)
        _show_ranks(table, form) if options.places else _print(table, options, form)
        if options.spread.interval:
            say(*_without_interval(table))
        say(*basis(table), *(_basis_of_ranks(table) if options.places else ()))
        if lost := [run.run for run in table.runs if not run.coverage.topics]:
            raise IrjudgeError(
                "The values of {runs} are meaningless, because none of their topics are in "
                "the qrels.",
                key="no-shared-topic",
                runs=join_messages(lost),
            )
        if not table.runs:
            say(
                f"There is no run to evaluate; import one: `irjudge import {qrels.name} --runs FILE`."
            )
        _check_and_keep(checks, table, qrels, runs, project, sides)


def _workers_at(cluster: str | None) -> "AbstractContextManager[Workers | None]":
    """Return the workers of a cluster; None to compute in this process."""
    if cluster is None:
        return nullcontext()
    from irjudge.stats import workers_at  # noqa: PLC0415 -- only for clusters

    return workers_at(cluster)


def _check_spread(options: ValueTableOptions, form: str) -> None:
    """Raise IrjudgeError if intervals and deviations cannot be printed."""
    if options.spread.interval and options.average != "macro":
        raise IrjudgeError(
            "--interval is for the mean: use it with --average macro, not with {average}.",
            average=options.average,
        )
    if form == "trec" and options.spread_columns:
        raise IrjudgeError(
            "trec_eval prints neither deviations nor intervals; ask for them with --format text, csv or json."
        )


def _print(table: Evaluation, options: ValueTableOptions, form: str) -> None:
    per_topic, spread = options.per_topic, options.spread_columns
    if form == "trec":
        from irjudge.report import write_trec  # noqa: PLC0415 -- rarely used

        with to_stdout() as stdout:
            write_trec(table, stdout, per_topic=per_topic)
    elif spread:
        show(
            ("run", "measure", "topic", "value", *spread),
            _spread_rows(table, per_topic, spread, options.spread.seed),
            form,
        )
    elif form == "text":
        named = ["topic", *(["query"] if table.qrels.titles else [])] if per_topic else []
        show(
            ["run", *named, *(measure.name for measure in table.measures)],
            _text_rows(table, per_topic),
            form,
        )
    elif per_topic and table.qrels.titles:
        query = _queries(table)
        rows = ((*row[:3], query.get(row[2], ""), row[3]) for row in table.rows(per_topic=True))
        show(("run", "measure", "topic", "query", "value"), rows, form)
    else:
        show(("run", "measure", "topic", "value"), table.rows(per_topic=per_topic), form)


def evaluated(
    qrels: Path,
    runs: Sequence[Path],
    settings: EvaluationSettings,
    *,
    only: str = "",
    average: Average = "macro",
    textual: bool = False,
    sides: Sequence[AuxiliaryTable] = (),
    workers: "Workers | None" = None,
) -> Evaluation:
    """Return the evaluation for the options of a command; `textual` if texts can be printed."""
    policy, runs = settings.policy(only, average=average), expand_run_folders(runs)
    columns, which = settings.reading.reader(), settings.which
    topics_chosen = "topics" in given_options()
    names = settings.measure_names() or list(DEFAULT_MEASURES)
    alone = [name for name in names if name.lower() not in GROUPS and parse_texts(name)]
    if alone and not textual:
        raise IrjudgeError("{alone} is text, which only --format trec prints.", alone=alone[0])
    chosen, texts = parse_measures_and_texts(names, policy.rel, policy.profile)
    with terminal_progress() as progress:
        if is_project(qrels):
            if runs:
                raise IrjudgeError(
                    "{qrels} is a project with its own runs; give it alone.",
                    key="project-alone",
                    qrels=qrels.name,
                )
            if columns != RankingReader():
                columns.refuse_project(qrels)
            from irjudge.cli.open_project import choose_qrels, reading  # noqa: PLC0415 -- slow
            from irjudge.evaluation import evaluate_project  # noqa: PLC0415
            from irjudge.stats import SERIAL  # noqa: PLC0415

            with reading(qrels) as project:
                evaluation = evaluate_project(
                    project,
                    chosen,
                    policy,
                    choose_qrels(project, which),
                    progress,
                    texts=texts,
                    tables=sides,
                    workers=workers or SERIAL,
                )
            return replace(evaluation, topics_chosen=topics_chosen)
        no_source(qrels, which)
        if not runs:
            raise IrjudgeError(
                "Give at least one run after the qrels, or a project (.irjudge) alone.",
                key="no-runs",
            )
        try:
            judged = columns.read_qrels(qrels)
        except FormatError as error:
            raise (exchanged_error(qrels, runs) or error) from None
        say(*judged.warnings)
        # A single run is named by its tag, as in trec_eval; several runs by their file names.
        tagged = len(runs) == 1 and RULES[policy.profile].uses_trec_order
        called = [read_tag(runs[0])] if tagged else distinct_run_names(runs)
        how: dict[str, Any] = {
            "whole": bool(sides),
            "columns": columns.runs,
            "encoding": columns.encoding,
        }
        source = replace_surrogates(qrels.name)
        read: Iterator[Run | JudgedRanking] = _read(
            runs, called, judged, policy, progress, qrels, **how
        )
        if workers is not None:
            from irjudge.evaluation import RunFile, read_rankings  # noqa: PLC0415

            files = [
                RunFile(path.absolute() if path.exists() else path, name)
                for path, name in zip(runs, called, strict=True)
            ]
            read = map(
                _report_warnings,
                read_rankings(files, judged, policy, workers, progress=progress, **how),
            )
        evaluation = evaluate_runs(
            judged,
            read,
            chosen,
            policy,
            source=source,
            texts=texts,
            tables=sides,
            total=len(runs),
            progress=progress,
        )
    return replace(evaluation, topics_chosen=topics_chosen)


def exchanged_error(qrels: Path, runs: Sequence[Path]) -> IrjudgeError | None:
    """Return the error for a run followed by qrels, in wrong order; None for other arguments."""
    if qrels in runs:
        return None
    try:
        read_run(qrels)
        read_qrels(runs[0])
    except (IrjudgeError, IndexError, OSError):
        return None
    return IrjudgeError(
        "{qrels} is a run and {run} are qrels; give the qrels first.",
        key="exchanged",
        qrels=qrels.name,
        run=runs[0].name,
    )


def _read(
    paths: Sequence[Path],
    names: Sequence[str | None],
    qrels: Qrels,
    policy: Policy,
    progress: Progress,
    source: Path | None = None,
    **how: Any,
) -> Iterator[Run | JudgedRanking]:
    for done, (path, name) in enumerate(zip(paths, names, strict=True)):
        progress.step(done, len(paths), f"Reading {path.name}")
        try:
            yield _report_warnings(
                read_ranking(path, qrels, policy, name, **how)
            )  # frees memory before the next run is read
        except FormatError as error:
            raise (exchanged_error(source, paths) if source else None) or error from None


def _report_warnings(run: Run | JudgedRanking) -> Run | JudgedRanking:
    say(*run.warnings)
    return run


def _text_rows(table: Evaluation, per_topic: bool) -> Iterator[list[Any]]:
    whole = [measure.declaration.summary == "sum" for measure in table.measures]

    def shown(values: Any) -> list[Any]:
        return [
            int(value) if count else float(value)
            for value, count in zip(values, whole, strict=True)
        ]

    query = _queries(table)
    for run in table.runs:
        if per_topic:
            for column, topic in enumerate(run.topics):
                yield [
                    run.run,
                    topic,
                    *([query[topic]] if query else []),
                    *shown(run.values[:, column]),
                ]
        yield [
            run.run,
            *(["all", *([""] if query else [])] if per_topic else []),
            *shown(run.summary),
        ]


RANK_COLUMNS = (
    "run",
    "measure",
    "topic",
    "value",
    "group_first",
    "group_last",
    "highest_place",
    "lowest_place",
)


def _show_ranks(table: Evaluation, form: str) -> None:
    """Print the runs with their groups: as text, best first by the first measure; otherwise for
    each measure.
    """
    if form == "text":
        columns = ["places", "run", *(measure.name for measure in table.measures), "places_left"]
        show(columns, _ranked_runs(table), form)
    else:
        show(RANK_COLUMNS, _rank_rows(table), form)


def _ranked_runs(table: Evaluation) -> list[list[Cell]]:
    """Return a line per run, best first by the first measure, with all values."""
    from irjudge.evaluation import RunRank, rank_runs  # noqa: PLC0415 -- tests need scipy

    ranks: dict[str, RunRank | None] = {each.run: each for each in rank_runs(table)}
    if not table.is_rankable:
        ranks = dict.fromkeys(run.run for run in table.runs)
    if not ranks:
        raise IrjudgeError(
            "Runs cannot be ranked by {measure}: ranks need two runs, common topics, and "
            "the mean of a measure with a better direction.",
            key="no-places",
            measure=table.measures[0].name,
        )
    whole = {row[0]: row[1:] for row in _text_rows(table, per_topic=False)}
    return [
        [each.group if each else "", run, *whole[run], each.interval if each else ""]
        for run, each in ranks.items()
    ]


def _rank_rows(table: Evaluation) -> Iterator[list[Cell]]:
    """Yield a line per measure and run, as `RANK_COLUMNS` name its cells."""
    from irjudge.evaluation import rank_runs  # noqa: PLC0415 -- tests need scipy
    from irjudge.report import printed_value  # noqa: PLC0415

    for index, measure in enumerate(table.measures):
        values = {run.run: printed_value(measure, float(run.summary[index])) for run in table.runs}
        if not table.is_rankable:
            for run, value in values.items():
                yield [run, measure.name, "all", value, *[None] * 4]
        for each in rank_runs(table, index):
            places = (each.first, each.last, each.highest, each.lowest)
            yield [each.run, measure.name, "all", values[each.run], *places]


def _basis_of_ranks(table: Evaluation) -> Iterator[str]:
    """Yield a note on the comparisons that the ranks of runs are based on."""
    if table.is_rankable:
        pairs = len(table.runs) * (len(table.runs) - 1) // 2
        yield Message(
            "Ranks: pairwise paired t-tests at 0.05, two-sided, Holm over {comparisons}; more "
            "comparisons detect fewer differences.",
            comparisons=format_count(pairs, "comparison"),
        )


def _without_interval(table: Evaluation) -> Iterator[str]:
    """Yield the reasons why means of runs have no interval."""
    reasons = (describe_missing_interval(run.run, len(run.topics)) for run in table.runs)
    yield from filter(None, reasons)


def _queries(table: Evaluation) -> dict[str, str]:
    """Return the query text of each topic, if topics in the qrels are identified by it."""
    return dict(zip(table.qrels.topics, table.qrels.titles, strict=False))


def _spread_rows(
    table: Evaluation, per_topic: bool, spread: Sequence[str], seed: int
) -> Iterator[list[Cell]]:
    """Yield the rows of the table; means have deviation and interval, other rows have None."""
    rows = iter(table.rows(per_topic=per_topic))
    for run in table.runs:
        columns = {"deviation": deviations(run.values).tolist()}
        has_interval = len(run.topics) >= MIN_TOPICS
        if "low" in spread:
            columns["low"], columns["high"] = intervals(run.values, seed).T.tolist()
        for index, measure in enumerate(table.measures):
            for _ in run.topics if per_topic else ():
                yield [*next(rows), *(None for _ in spread)]
            is_mean = (
                measure.declaration.summary == "mean" and measure.declaration.mean == "arithmetic"
            )
            known = [name for name in spread if is_mean and (name == "deviation" or has_interval)]
            yield [
                *next(rows),
                *(columns[name][index] if name in known else None for name in spread),
            ]


def topics_advice(table: Evaluation) -> list[str]:
    """Return the warning about runs with different topics, and options that make them comparable."""
    return [f"{table.topics_warning} {TOPICS_ADVICE}"] if table.topics_warning else []


def basis(table: Evaluation) -> list[str]:
    """Return notes on what the means are based on: policy, highest grade, and coverage of each run."""
    scale = [] if table.highest is None else [f"Highest grade of the scale: {table.highest}."]
    return [
        *topics_advice(table),
        f"Averaged: {table.policy}.",
        *scale,
        *(_coverage(run) for run in table.runs),
        *table.notes,
    ]


def _coverage(run: RunScores) -> str:
    coverage = run.coverage
    if not coverage.topics:
        return no_shared_topic_warning(run.run)
    parts = [format_count(coverage.topics, "topic")]
    if coverage.missing:
        parts.append(f"{format_count(coverage.missing, 'topic')} of the qrels not in the run")
    if coverage.unjudged_topics:
        parts.append(
            f"{format_count(coverage.unjudged_topics, 'topic')} of the run not in the qrels"
        )
    if coverage.without_relevant:
        parts.append(f"{coverage.without_relevant:,} without a relevant document")
    parts.append(f"{100 * coverage.unjudged_top:.1f} % unjudged in the top 10")
    if coverage.unjudged_top == 1:
        parts.append("so nothing near the top was judged (do the document ids match?)")
    if coverage.tied:
        parts.append(f"{format_count(coverage.tied, 'document')} in score ties")
    return f"{run.run}: {', '.join(parts)}."


@click.command("measures")
@click.argument("name", required=False)
@click.option("--page", is_flag=True, help="Explain all measures, as on the help page.")
@click.option(
    "--language",
    type=click.Choice(["en", "zh_CN"]),
    default="en",
    show_default=True,
    help="Language of the explanations.",
)
@click.option(
    "--laws",
    is_flag=True,
    help=(
        "Test the laws of measures on NAME, or on all, with random topics; exit code 3 if one "
        "is violated."
    ),
)
@format_option()
def measures_command(name: str | None, page: bool, language: str, laws: bool, form: str) -> None:
    """List the measures, or explain one: formula, parameters, aliases, references."""
    from irjudge.report import (  # noqa: PLC0415 -- slow
        EXPLAINED_COLUMNS,
        catalogue_page,
        explain_measure,
        explain_measure_row,
        find_measures,
    )

    if page:
        put(catalogue_page(language))
        return
    if laws:
        from irjudge.evaluation import COLUMNS, check_laws, require_laws  # noqa: PLC0415

        show(
            COLUMNS,
            rows := check_laws(
                [each for each, _ in find_measures(name)] if name else list_measures()
            ),
            form,
        )
        require_laws(rows)
        return
    if name is None:
        listed = [(each.name, each.kind, each.title, each.formula) for each in list_measures()]
        texts: list[tuple[str, ...]] = [
            (word, "text", "Printed by --format trec", about)
            for word, about in TEXT_DESCRIPTIONS.items()
        ]
        show(("name", "kind", "title", "formula"), [*listed, *texts], form)
        return
    texts_named = parse_texts(name) or ()
    measures = find_measures(name) if name.strip().lower() in GROUPS or not texts_named else ()
    if form != "text":
        texts = [
            (text.name, "text", "Printed by --format trec", text.about, "", "", "", "")
            for text in texts_named
        ]
        show(EXPLAINED_COLUMNS, [*texts, *(explain_measure_row(*each) for each in measures)], form)
        return
    for text in texts_named:
        tell(f"{text.name}  {text.about}", "")
    for each in measures:
        tell(*"\n".join(explain_measure(*each, language)).split("\n"))


@click.command("explain")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("run", type=FILE_OR_ADDRESS)
@click.option("-t", "--topic", required=True, help="Topic whose value is explained.")
@options_of(EvaluationSettings, "settings")
@side_options
@format_option()
def explain_command(
    qrels: Path,
    run: Path,
    topic: str,
    settings: EvaluationSettings,
    form: str,
    sides: Sequence[AuxiliaryTable],
) -> None:
    """Show step by step how the value of RUN for one topic of QRELS is computed; or for a
    project, with RUN as the name of a run in it. As csv or json: rank, document, grade (empty
    if the document is not in the qrels, -1 unjudged, -2 unjudgeable), and the intermediate
    values at each rank that the measure uses."""
    from irjudge.evaluation import explain_value  # noqa: PLC0415 -- the other commands start without them
    from irjudge.report import (  # noqa: PLC0415
        compare_with_trec_eval,
        explanation_text,
        require_single_explanation,
    )

    policy, columns = settings.policy(), settings.reading.reader()
    record_policy(policy)
    if not settings.measures:
        raise IrjudgeError("Give the measure to explain, for example -m AP.", key="no-measure")
    chosen = parse_measures(settings.measure_names(), policy.rel, policy.profile)
    stored = is_project(qrels)
    if stored:
        columns.refuse_project(qrels)
    which = settings.which
    read = (
        _project(qrels, str(run), which)
        if stored
        else (*_files(qrels, run, which, columns), None, None, ())
    )
    judged, ranking, highest, collection, tables = read
    known: dict[str, Any] = {"highest": highest, "collection": collection}
    known["tables"] = sides or tables
    explanations = [
        explain_value(judged, ranking, topic, measure, policy, **known) for measure in chosen
    ]
    if form == "text":
        tell(*"\n\n".join(map(explanation_text, explanations)).split("\n"))
        named = [each.declaration.name for each in chosen]
        say(
            "Defaults here and in trec_eval, and the option that gives trec_eval's value:",
            *(
                f"  {subject}: {here}; trec_eval: {there}: {option}"
                for subject, here, there, option in compare_with_trec_eval(named)
            ),
        )
    else:
        one = require_single_explanation(explanations)
        show(one.columns, one.rows(), form)
        say(one.result)


def _files(qrels: Path, run: Path, which: str | None, columns: RankingReader) -> tuple[Qrels, Run]:
    no_source(qrels, which)
    judged, ranking = (
        columns.read_qrels(qrels),
        columns.read_run(run),
    )
    say(*judged.warnings, *ranking.warnings)
    return judged, ranking


def _project(
    path: Path, name: str, which: str | None
) -> tuple[Qrels, Run, int, int | None, tuple[AuxiliaryTable, ...]]:
    """Return qrels and run of a project, its highest grade, number of documents (None if there are
    none), and auxiliary tables.
    """
    from irjudge.cli.open_project import choose_qrels, reading  # noqa: PLC0415 -- slow
    from irjudge.judging import read_project_qrels  # noqa: PLC0415
    from irjudge.store import read_auxiliary_tables  # noqa: PLC0415

    with reading(path) as project:
        names = [each.name for each in project.rankings.runs()]
        if name not in names:
            raise IrjudgeError(
                "The project has no run {name!r}; expected one of {names}.",
                name=name,
                names=", ".join(names) or "none",
            )
        judged, collection = (
            read_project_qrels(project, choose_qrels(project, which)),
            project.collection.document_count() or None,
        )
        return (
            judged,
            project.rankings.run(name),
            project.scale.highest,
            collection,
            read_auxiliary_tables(project),
        )


Row = tuple[str, str, str, float]


@click.command("user")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1, required=True)
@click.option(
    "--known",
    type=FILE_OR_ADDRESS,
    required=True,
    help="Qrels of the documents that the user knew before the search.",
)
@click.option(
    "--wanted",
    type=click.IntRange(1),
    help="Number of relevant documents that the user wants, for relative recall and recall effort.",
)
@click.option(
    "--depth",
    type=click.IntRange(1),
    help=("Compare only the top DEPTH documents of each ranking."),
)
@click.option(
    "--rel",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Minimum grade counted as relevant.",
)
@option_of(OnlyOption, "only", "")
@options_of(ReadingRequest, "reading")
@format_option()
def user_command(
    qrels: Path,
    runs: tuple[Path, ...],
    known: Path,
    wanted: int | None,
    depth: int | None,
    rel: int,
    only: str,
    reading: ReadingRequest,
    form: str,
) -> None:
    """Evaluate RUNS for a user who already knew some relevant documents: coverage, novelty,
    relative recall, recall effort."""
    columns = reading.reader()
    judged, before = (columns.read_qrels(path) for path in (qrels, known))
    say(*judged.warnings, *before.warnings)
    topics = [topic for topic in judged.topics if topic in set(before.topics)]
    if not topics:
        raise IrjudgeError(
            "{qrels} and {known} have no topic in common.", qrels=qrels.name, known=known.name
        )
    topics = list(select_topics(only, topics)) or topics
    judged, before = (_only(each, topics) for each in (judged, before))
    rows: list[Row] = []
    for path, name in zip(runs, distinct_run_names(runs), strict=True):
        run = columns.read_run(path, name)
        say(*run.warnings)
        rows += _rows(run, judged, before, wanted, depth, rel)
    show(("run", "measure", "topic", "value"), rows, form)
    if only:
        say(f"Averaged: only topics {only}.")


def _only(qrels: Qrels, topics: list[str]) -> Qrels:
    """Return the judgments of some topics in a given order, for comparing two files."""
    order = {topic: number for number, topic in enumerate(topics)}
    rows = [row for row in qrels.rows() if row[0] in order]
    return make_qrels(sorted(rows, key=lambda row: order[row[0]]))


def _rows(
    run: Run, qrels: Qrels, known: Qrels, wanted: int | None, depth: int | None, rel: int
) -> Iterator[Row]:
    """Yield the value of each topic, then the mean."""
    from irjudge.metrics import coverage, novelty, recall_effort, relative_recall  # noqa: PLC0415

    judged, before = (join(run, each, topics="qrels", rel=rel) for each in (qrels, known))
    values = {
        "coverage": coverage(before, rel=rel, cutoff=depth),
        "novelty": novelty(judged, before, rel=rel, cutoff=depth),
    }
    if wanted:
        values |= {
            "relative_recall": relative_recall(judged, wanted=wanted, rel=rel, cutoff=depth),
            "recall_effort": recall_effort(judged, wanted=wanted, rel=rel, cutoff=depth),
        }
    for measure, scores in values.items():
        yield from (
            (run.name, measure, topic, float(score))
            for topic, score in zip(judged.topics, scores, strict=True)
        )
        yield run.name, measure, ALL, float(scores.mean())

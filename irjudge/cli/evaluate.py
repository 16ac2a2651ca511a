"""Commands for values of measures: evaluate, explain, user and measures."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from irjudge.cli.options import (
    FILE,
    FILE_OR_ADDRESS,
    format_option,
    given_options,
    options_of,
    show,
    show_result,
    terminal_progress,
)
from irjudge.cli.streams import put, record_policy, say, tell, to_stdout
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    DEFAULT_MEASURES,
    Evaluation,
    EvaluationRequest,
    EvaluationSettings,
    UserRequest,
    ValueChecks,
    ValueTableOptions,
    evaluate_for_user,
    evaluate_sources,
    tabulate_values,
)
from irjudge.message import join_messages
from irjudge.metrics import (
    GROUPS,
    TEXT_DESCRIPTIONS,
    MeasureDeclaration,
    list_measures,
    parse_texts,
)
from irjudge.model import (
    AUXILIARY_KINDS,
    AuxiliaryTable,
)
from irjudge.store import is_project


def auxiliary_file_options(command: Any) -> Any:
    """Add an option for each kind of auxiliary file to a command.

    The files are read, and the command receives their tables as the argument `auxiliary_tables`.
    """
    kinds = AUXILIARY_KINDS.catalogue()

    @functools.wraps(command)
    def with_auxiliary_files(**values: Any) -> Any:
        paths = {kind.name: values.pop(kind.name) for kind in kinds}
        return command(
            auxiliary_tables=_read_auxiliary_tables(paths) if any(paths.values()) else [], **values
        )

    options: Any = with_auxiliary_files
    for auxiliary_table in reversed(kinds):
        options = click.option(
            f"--{auxiliary_table.name}",
            type=FILE,
            help=f"{auxiliary_table.title}: {auxiliary_table.column_description}.",
        )(options)
    return options


def _read_auxiliary_tables(paths: Mapping[str, Path | None]) -> list[AuxiliaryTable]:
    from irjudge.formats.rankings import read_auxiliary_table  # noqa: PLC0415

    tables = [read_auxiliary_table(path, name) for name, path in paths.items() if path is not None]
    say(*(warning for auxiliary_table in tables for warning in auxiliary_table.warnings))
    return tables


# Command evaluate


@click.command("evaluate")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1)
@options_of(EvaluationRequest, "request")
@auxiliary_file_options
@options_of(ValueTableOptions)
@format_option("trec")
def evaluate_command(
    qrels: Path,
    runs: tuple[Path, ...],
    request: EvaluationRequest,
    auxiliary_tables: Sequence[AuxiliaryTable],
    options: ValueTableOptions,
    output_format: str,
) -> None:
    """Evaluate RUNS with QRELS.

    To evaluate all runs of a project, give the project as QRELS, without RUNS. With --keep, save
    the values for later comparisons. With --fail-below or --fail-if-worse, the exit code is 3 if a
    check fails.
    """
    options.check(trec=output_format == "trec")
    checks, settings = options.checks, request.settings
    measures = checks.with_measures(settings.measures or DEFAULT_MEASURES)
    request = replace(request, settings=replace(settings, measures=measures))
    with _open_value_store(checks, qrels) as project:
        evaluation = evaluate_request(
            qrels,
            runs,
            request,
            average=options.average,
            with_texts=output_format == "trec",
            tables=auxiliary_tables,
        )
        result = tabulate_values(evaluation, options, wide=output_format == "text")
        if evaluation.topics_warning and checks != ValueChecks():
            # the warning is omitted, since `check_values` raises an error with the same text
            result = replace(result, notes=result.notes[1:])
        if output_format == "trec":
            from irjudge.report import write_trec  # noqa: PLC0415 -- rarely used

            record_policy(evaluation.policy)
            with to_stdout() as stdout:
                write_trec(evaluation, stdout, per_topic=options.per_topic)
            say(*result.notes)
        else:
            show_result(result, output_format)
        if runs_without_topics := [run.run for run in evaluation.runs if not run.coverage.topics]:
            raise IrjudgeError(
                "The values of {runs} are meaningless, because none of their topics are among the "
                "evaluated topics of the qrels.",
                key="no-shared-topic",
                runs=join_messages(runs_without_topics),
            )
        if not evaluation.runs:
            say(
                f"There is no run to evaluate; import one: `irjudge import {qrels.name} --runs FILE`."
            )
        _check_and_store(
            checks,
            evaluation,
            qrels,
            project,
            runs,
            reading=settings.reading,
            tables=auxiliary_tables,
        )


def evaluate_request(
    qrels: Path, runs: Sequence[Path], request: EvaluationRequest, **options: Any
) -> Evaluation:
    """Evaluate runs, print the warnings, and return the result.

    `options` are further arguments of `evaluate_sources`.
    """
    topics_chosen = "topics" in given_options()
    with terminal_progress() as progress:
        evaluation = evaluate_sources(
            qrels, runs, request, topics_chosen=topics_chosen, progress=progress, **options
        )
    say(*evaluation.warnings)
    return evaluation


@contextmanager
def _open_value_store(checks: ValueChecks, qrels: Path) -> Iterator[Any]:
    """Yield the project in which values will be stored; None if no project is needed.

    Raise IrjudgeError if the options of `checks` are invalid.
    """
    if checks == ValueChecks():
        yield None
        return
    from irjudge.cli.open_project import open_verified  # noqa: PLC0415 -- as slow as numpy
    from irjudge.report import check_options  # noqa: PLC0415

    check_options(checks)
    if checks.keep is None or not is_project(qrels):
        yield None
        return
    with open_verified(qrels) as project:
        yield project


def _check_and_store(
    checks: ValueChecks, table: Evaluation, qrels: Path, project: Any, *source: Any, **options: Any
) -> None:
    """Raise an error if a value fails `checks`; otherwise store the values if requested.

    If `checks.keep` is a name, the values are stored under this name: in `project` or, if `project`
    is None, in a file next to `qrels`.
    """
    if checks == ValueChecks():
        return
    from irjudge.report import check_values, store_values  # noqa: PLC0415

    check_values(table, checks, qrels)
    if checks.keep is not None:
        with terminal_progress() as progress:
            path = store_values(
                table, checks.keep, project or qrels, *source, progress=progress, **options
            )
        say(f"Saved as {checks.keep} in {path.name}.")


@click.command("measures")
@click.argument("name", required=False)
@click.option("--page", is_flag=True, help="Print the help page that explains all measures.")
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
        "Test on random topics whether the measure NAME obeys general laws (for example, that "
        "values stay within the bounds); without NAME, test all measures. Exit code 3 if a law "
        "is violated."
    ),
)
@format_option()
def measures_command(
    name: str | None, page: bool, language: str, laws: bool, output_format: str
) -> None:
    """List the measures, or explain one with its formula, parameters, aliases and references."""
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
        _check_laws(
            [law_measure for law_measure, _ in find_measures(name)] if name else list_measures(),
            output_format,
        )
        return
    if name is None:
        measure_rows = [
            (measure.name, measure.kind, measure.title, measure.formula)
            for measure in list_measures()
        ]
        text_rows: list[tuple[str, ...]] = [
            (name, "text", "Printed by --format trec", description)
            for name, description in TEXT_DESCRIPTIONS.items()
        ]
        show(("name", "kind", "title", "formula"), [*measure_rows, *text_rows], output_format)
        return
    named_texts = parse_texts(name) or ()
    measures = find_measures(name) if name.strip().lower() in GROUPS or not named_texts else ()
    if output_format != "text":
        text_rows = [
            (text.name, "text", "Printed by --format trec", text.about, "", "", "", "")
            for text in named_texts
        ]
        show(
            EXPLAINED_COLUMNS,
            [*text_rows, *(explain_measure_row(*measure) for measure in measures)],
            output_format,
        )
        return
    for text in named_texts:
        tell(f"{text.name}  {text.about}", "")
    for measure in measures:
        tell(*"\n".join(explain_measure(*measure, language)).split("\n"))


def _check_laws(measures: Sequence[MeasureDeclaration], output_format: str) -> None:
    from irjudge.evaluation import LAW_COLUMNS, check_laws, require_laws  # noqa: PLC0415 -- slow

    rows = check_laws(measures)
    show(LAW_COLUMNS, rows, output_format)
    require_laws(rows)


@click.command("explain")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("run", type=FILE_OR_ADDRESS)
@click.option("-t", "--topic", required=True, help="Topic whose value is explained.")
@options_of(EvaluationSettings, "settings")
@auxiliary_file_options
@format_option()
def explain_command(
    qrels: Path,
    run: Path,
    topic: str,
    settings: EvaluationSettings,
    output_format: str,
    auxiliary_tables: Sequence[AuxiliaryTable],
) -> None:
    """Show step by step how the value of RUN for one topic of QRELS is computed. For a project,
    give the project as QRELS and the name of one of its runs as RUN. With --format csv or json,
    the columns are the rank, the document, its grade (empty if the document is not in the qrels,
    -1 unjudged, -2 unjudgeable), and the intermediate values, for each rank that the measure
    uses.
    """
    from irjudge.evaluation import explain_sources  # noqa: PLC0415 -- not needed by other commands
    from irjudge.report import (  # noqa: PLC0415
        compare_with_trec_eval,
        explanation_text,
        require_single_explanation,
    )

    source_explanations = explain_sources(qrels, run, topic, settings, tables=auxiliary_tables)
    explanations = source_explanations.explanations
    record_policy(source_explanations.policy)
    say(*source_explanations.warnings)
    if output_format == "text":
        tell(*"\n\n".join(map(explanation_text, explanations)).split("\n"))
        measure_names = [explanation.measure.declaration.name for explanation in explanations]
        say(
            "Defaults of irjudge and of trec_eval, and the option that gives trec_eval's value:",
            *(
                f"  {subject}: {irjudge_value}; trec_eval: {trec_eval_value}: {option}"
                for subject, irjudge_value, trec_eval_value, option in compare_with_trec_eval(
                    measure_names
                )
            ),
        )
    else:
        single_explanation = require_single_explanation(explanations)
        show(single_explanation.columns, single_explanation.rows(), output_format)
        say(single_explanation.result)


@click.command("user")
@click.argument("qrels", type=FILE_OR_ADDRESS)
@click.argument("runs", type=FILE_OR_ADDRESS, nargs=-1, required=True)
@options_of(UserRequest, "request")
@format_option()
def user_command(
    qrels: Path, runs: tuple[Path, ...], request: UserRequest, output_format: str
) -> None:
    """Evaluate RUNS for a user who already knew some relevant documents: coverage, novelty,
    relative recall, recall effort."""
    show_result(evaluate_for_user(qrels, runs, request), output_format)

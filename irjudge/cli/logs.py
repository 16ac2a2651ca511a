"""Commands for search logs: online, clicks and interleaving."""

import shutil
from collections.abc import Sequence
from itertools import count
from pathlib import Path

import click
from rich.cells import cell_len

from irjudge.cli.open_project import open_verified
from irjudge.cli.options import FILE, format_option, show
from irjudge.cli.streams import say
from irjudge.errors import IrjudgeError
from irjudge.formats import ReaderWarnings, read_interleaved, read_log, read_shown_results
from irjudge.formats.bytes import replace_surrogates
from irjudge.formats.rankings import write_qrels
from irjudge.logs import COEC_COLUMNS as ESTIMATED
from irjudge.logs import (
    DEFAULT_CUTS,
    DEFAULT_LOG_SAMPLES,
    LOW_HIGH_COLUMNS,
    MEASURE_COLUMNS,
    MEASURES,
    METHODS,
    MIN_IMPRESSIONS,
    LogOptions,
    OnlineTable,
    clicks_over_expected,
    compare_team_draft,
    compute_online_measures,
    format_team_pairs,
    grade_by_coec,
    parse_cut_points,
)
from irjudge.logs import INTERLEAVING_COLUMNS as PAIRED_TEST
from irjudge.model import (
    CLICK_QRELS_PREFIX,
    make_qrels,
    normalise_query,
    rename_topics_with_blanks,
    warn_of_renamed_topics,
)
from irjudge.report import Cell, table_text

MAX_PRINTED_RANKS = 5  # number of top ranks for which the share of clicks is printed
MEASURE_LIST_COLUMNS = ("measure", "title", "count", "total", "interval", "notes")


@click.command("online")
@click.argument("logs", metavar="LOG...", type=FILE, nargs=-1)
@click.option(
    "--dwell",
    type=click.FloatRange(0),
    default=30.0,
    show_default=True,
    help="Minimum dwell time in seconds for a click to count as a success.",
)
@click.option(
    "--rank",
    type=click.IntRange(0, 1000),
    default=10,
    show_default=True,
    help="Compute CTR@1 to CTR@RANK.",
)
@click.option(
    "--seed",
    type=click.IntRange(0),
    default=1,
    show_default=True,
    help="Random seed of the bootstrap, for reproducible intervals.",
)
@click.option(
    "--intervals",
    is_flag=True,
    help=(
        "With --format csv or json: add the bounds of the 95 % intervals, as the columns "
        '"low" and "high".'
    ),
)
@click.option(
    "--measures",
    is_flag=True,
    help=(
        "Explain the measures (numerator, denominator and interval) instead of printing their "
        "values."
    ),
)
@format_option()
def online_command(
    logs: tuple[Path, ...],
    dwell: float,
    rank: int,
    seed: int,
    intervals: bool,
    measures: bool,
    output_format: str,
) -> None:
    """Print session and click measures of search logs: JSON lines or CSV, one row per query.
    Several files, or a folder, are read as one log.
    """
    if measures:
        show(
            MEASURE_LIST_COLUMNS,
            (
                (
                    measure.name,
                    measure.title,
                    measure.numerator,
                    measure.denominator,
                    METHODS[measure.method],
                    measure.notes,
                )
                for measure in MEASURES
            ),
            output_format,
        )
        return
    if not logs:
        raise IrjudgeError(
            "No log is given; expected one file, or several files of one log. The format is "
            "described in the guide “Search logs”.",
            key="no-log",
        )
    online_measures = compute_online_measures(read_log(logs), LogOptions(dwell, rank, seed))
    if output_format == "text":
        _show_text(online_measures)
    else:
        columns = (*MEASURE_COLUMNS, *LOW_HIGH_COLUMNS) if intervals else MEASURE_COLUMNS
        show(columns, (row.cells()[: len(columns)] for row in online_measures.rows), output_format)
    say(*online_measures.warnings)
    if output_format == "text" or intervals:
        resampling = f"{DEFAULT_LOG_SAMPLES:,} bootstrap samples, seed {seed}"
        say(
            f"95 % intervals: Wilson's where sessions are the trials, otherwise from resampled sessions ({resampling})."
        )


def _show_text(table: OnlineTable) -> None:
    rows: list[Sequence[Cell]] = [(*row.cells(), row.declaration.definition) for row in table.rows]
    columns = (*MEASURE_COLUMNS, *LOW_HIGH_COLUMNS, "definition")
    max_width = max(map(cell_len, table_text(columns, rows).splitlines()))
    if max_width <= shutil.get_terminal_size().columns:
        show(columns, rows, "text")
    else:
        show(columns[:-1], [row[:-1] for row in rows], "text")
        say(
            "`irjudge online --measures` explains each measure; in a wider terminal, the table "
            "also shows the definitions."
        )


@click.command("clicks")
@click.argument("logs", metavar="LOG...", type=FILE, nargs=-1, required=True)
@click.option(
    "--least",
    type=click.IntRange(1),
    default=MIN_IMPRESSIONS,
    show_default=True,
    help=(
        "Minimum number of times that a document was shown; documents shown less often are not "
        "included in the qrels."
    ),
)
@click.option(
    "--cuts",
    default=",".join(f"{cut_point:g}" for cut_point in DEFAULT_CUTS),
    show_default=True,
    metavar="NUMBERS",
    help="Lowest COEC for each of the grades 1, 2, 3 … in the qrels.",
)
@click.option(
    "-o",
    "--output",
    type=FILE,
    help="Write the grades as qrels; queries with spaces are named q1, q2 …",
)
@click.option(
    "--project",
    type=FILE,
    help=f"Add the grades to a project as separate qrels, named `{CLICK_QRELS_PREFIX}`; they are never mixed with human judgments.",
)
@format_option()
def clicks_command(
    logs: tuple[Path, ...],
    least: int,
    cuts: str,
    output: Path | None,
    project: Path | None,
    output_format: str,
) -> None:
    """Estimate relevance from search logs: clicks over expected clicks (COEC), with counts and
    intervals."""
    cut_points = parse_cut_points(cuts)
    results, log = read_shown_results(logs)
    estimates = clicks_over_expected(results)
    rows = list(grade_by_coec(estimates, cut_points, least))
    if output:
        names = rename_topics_with_blanks(query for query, _, _ in rows)
        write_qrels(output, [(names[query], document, grade) for query, document, grade in rows])
        say(*warn_of_renamed_topics(names))
    if project:
        say(*_store_click_grades(project, rows, logs))
    if not output and not project:
        show(ESTIMATED, estimates.cells(), output_format)
    say(*log.warnings)
    say(
        f"Queries: {len(results.queries):,}; results shown: {len(results):,}; results clicked: {int(results.has_click.sum()):,}."
    )
    shares = ", ".join(
        f"{rank}: {share:.4f}"
        for rank, share in list(zip(estimates.ranks, estimates.share, strict=True))[
            :MAX_PRINTED_RANKS
        ]
    )
    say(
        f"Expected clicks are based on the share of clicks at each rank ({shares}{' …' if len(estimates.share) > MAX_PRINTED_RANKS else ''})."
    )
    if output or project:
        say(
            f"Graded: {len(rows):,} of {len(estimates.rows):,} documents (those shown at least "
            f"{least} times)."
        )
    say("These are estimates from clicks, not judgments.")


def _store_click_grades(
    path: Path, rows: Sequence[tuple[str, str, int]], logs: Sequence[Path]
) -> list[str]:
    """Add grades from clicks to a project as qrels; return messages.

    Only queries that are titles of the project's topics are used.
    """
    with open_verified(path) as project:
        ids = {
            normalise_query(title): id
            for id, title in reversed(project.collection.topic_titles().items())
            if title
        }
        known_rows = [
            (ids[query], document, grade) for query, document, grade in rows if query in ids
        ]
        if not known_rows:
            raise IrjudgeError(
                "No graded query of the log matches the title of a topic of {path}.", path=path.name
            )
        used_names = {name.name for name in project.rankings.qrels_names()}
        name = next(
            name
            for number in count(1)
            if (name := CLICK_QRELS_PREFIX if number == 1 else f"{CLICK_QRELS_PREFIX} {number}")
            not in used_names
        )
        project.rankings.add_qrels(
            name, make_qrels(known_rows), ", ".join(replace_surrogates(log.name) for log in logs)
        )
    unmatched_count = len({query for query, _, _ in rows if query not in ids})
    return [
        f"Added to {path.name} as {name}.",
        *(
            [f"Skipped queries that match no topic of the project: {unmatched_count:,}."]
            if unmatched_count
            else []
        ),
    ]


@click.command("interleaving")
@click.argument("table", type=FILE)
@click.option(
    "--per-topic", is_flag=True, help=("Print a row for each topic before the row for all topics.")
)
@format_option()
def interleaving_command(table: Path, per_topic: bool, output_format: str) -> None:
    """Report which team won, from a TABLE of interleaved searches.

    The columns are search, topic, rank, document, team and clicked. A search is won by the team whose
    documents were clicked more often. The output has the share of wins with its 95 % interval, and
    an exact sign test.
    """
    warnings = ReaderWarnings()
    team_pairs = compare_team_draft(read_interleaved(table, warnings), per_topic=per_topic)
    show(PAIRED_TEST, format_team_pairs(team_pairs), output_format)
    say(*warnings.sentences())
    say(
        "share: wins of the first team / wins of both teams, with Wilson's interval. delta: (wins + ties / 2) / searches − 1/2. p: exact sign test."
    )

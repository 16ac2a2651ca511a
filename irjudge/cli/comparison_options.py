"""Options of side-by-side comparisons that assignments and sessions share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

from irjudge.errors import IrjudgeError
from irjudge.exchange import CHOICES, DEFAULT_DEPTH, Choice, ComparisonOptions, pair_runs
from irjudge.model import (
    DOCUMENT_REASONS,
    MAX_REASON_LENGTH,
    MAX_REASONS,
    PREFERENCE_REASONS,
    ComparisonRules,
    default_reasons,
)
from irjudge.store import MAX_DOCUMENTS_PER_PAGE, MIN_DOCUMENTS_PER_PAGE, Project

Command = TypeVar("Command", bound=Callable[..., Any])

several_option = click.option(
    "--several",
    type=click.IntRange(0, MAX_DOCUMENTS_PER_PAGE),
    default=0,
    metavar="N",
    help="Show so many documents of a topic on one page, for short texts and products "
    f"({MIN_DOCUMENTS_PER_PAGE} to {MAX_DOCUMENTS_PER_PAGE}). Default: one at a time.",
)
OPTIONS = (
    click.option(
        "--run",
        "runs",
        multiple=True,
        help="Side by side: a run to compare; may be repeated. Every two are. Default: all.",
    ),
    click.option(
        "--depth",
        type=click.IntRange(1),
        help=f"Side by side: how many results of each list. Default: {DEFAULT_DEPTH}.",
    ),
    click.option(
        "--choice",
        type=click.Choice(CHOICES),
        help="Side by side: compare documents in pairs, all, some at random, or for the top.",
    ),
    click.option(
        "--budget",
        type=click.IntRange(1),
        help="With --choice random: pairs of a topic. Default: 20.",
    ),
    click.option(
        "--top",
        type=click.IntRange(1),
        help="With --choice top: how many best documents of a topic to find. Default: 1.",
    ),
    click.option(
        "--must-view",
        is_flag=True,
        help="Side by side: both sides must be scrolled or opened first.",
    ),
    click.option("--grading", is_flag=True, help="Side by side: opened results may be graded."),
    click.option(
        "--reason",
        "reasons",
        multiple=True,
        help="Side by side: a reason to tick; may be repeated. "
        f"Default: {', '.join(PREFERENCE_REASONS)}; of two documents: {', '.join(DOCUMENT_REASONS)}.",
    ),
)


def comparison_options(command: Command) -> Command:
    """Give a command the options of comparing side by side."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def only_side_by_side(given: dict[str, Any]) -> None:
    """Raise an `IrjudgeError` when one of these options is given for something else."""
    named = [name for name, value in given.items() if value]
    if named:
        raise IrjudgeError(
            "--{named} is for --mode side-by-side.",
            named=named[0].replace("_", "-").removesuffix("s"),
        )


def comparison_wish(
    project: Project,
    *,
    overlap: int,
    repeats: int,
    seed: int | None,
    runs: tuple[str, ...],
    topics: tuple[str, ...],
    depth: int | None,
    choice: Choice | None,
    budget: int | None,
    top: int | None,
    must_view: bool,
    grading: bool,
    reasons: tuple[str, ...],
) -> ComparisonOptions:
    """Return what the options ask for."""
    if (budget is not None and choice != "random") or (top is not None and choice != "top"):
        raise IrjudgeError("--budget is for --choice random, and --top for --choice top.")
    long = next((reason for reason in reasons if len(reason) > MAX_REASON_LENGTH), "")
    if len(reasons) > MAX_REASONS or long:
        raise IrjudgeError(
            "There can be {most_reasons} reasons of at most {longest_reason} letters; got {long}.",
            most_reasons=MAX_REASONS,
            longest_reason=MAX_REASON_LENGTH,
            long=long or len(reasons),
        )
    usual = default_reasons(documents=choice is not None)
    names = runs or tuple(run.name for run in project.rankings.runs())
    return ComparisonOptions(
        runs=pair_runs(names),
        topics=topics,
        depth=depth or DEFAULT_DEPTH,
        overlap=overlap,
        repeats=repeats,
        seed=project.seed if seed is None else seed,
        rules=ComparisonRules(
            must_view, grading, reasons or usual, (top or 1) if choice == "top" else 0
        ),
        choice=choice,
        budget=budget or 20,
    )

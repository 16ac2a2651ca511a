"""Judge plans and what is estimated from them, for the commands pool and estimate."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from irjudge.audit.run_estimates import (
    DEFAULT_ESTIMATE_MEASURES,
    ModelEstimate,
    ModelEstimateWish,
    PlanUniverse,
    cautions_of,
    forecast,
    model_estimates,
    next_documents,
    plan_universe,
)
from irjudge.cli.shared.locations import NAME_OR_FILE
from irjudge.cli.shared.open_project import to_write
from irjudge.cli.shared.output import show, terminal_progress
from irjudge.cli.shared.streams import say
from irjudge.errors import IrjudgeError, ProjectError
from irjudge.evaluation.table import Policy, parse_measures
from irjudge.exchange.costs import CostEstimate, pace_of, pool_estimate, prices_of
from irjudge.formats.judgments.model_labels import read_model_labels
from irjudge.judging.model_judgments import model_answers
from irjudge.model.pool import Pool
from irjudge.model.ranking import UNJUDGED, Qrels, Run
from irjudge.pooling.judge_plan import PLAN, PLAN_DEPTH, JudgePlan, plan_pool
from irjudge.report.tables import Cell
from irjudge.stats.prediction_powered import GUESSES, GUESSES_MEAN, TOPICS_ARE, TOPICS_ARE_MEAN
from irjudge.store.project import Project, open_project
from irjudge.store.schema import is_project

Pair = tuple[str, str]
MakePlan = Callable[[Sequence[Run], Project | None], Pool]
Command = Callable[..., Any]
PLAN_ROW: tuple[Cell, ...] = (
    PLAN,
    "sample",
    "--model, --size",
    "",
    "chance in proportion to the weight in DCG times the spread that people's grades are likely to have",
    "Draw what people judge by a model's grades, with known chances, so that its labels can be corrected: irjudge estimate --model NAME.",
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


def plan_of(model: str | None, wish: Mapping[str, Any]) -> MakePlan:
    """Return what makes a judge plan of runs, by a model of a project or a file of labels."""
    if model is None or wish["size"] is None:
        raise IrjudgeError(
            "Strategy plan needs --model, whose grades decide, and --size, how many pairs people judge in all."
        )
    plan = JudgePlan(model, wish["size"], wish["depth"] or PLAN_DEPTH, wish["seed"], wish["ties"])

    def make(runs: Sequence[Run], project: Project | None) -> Pool:
        grades = (
            model_answers(project, model).grades
            if project is not None
            else read_model_labels(Path(model)).last()
        )
        highest = project.scale.highest if project is not None else max(grades.values(), default=1)
        return plan_pool(runs, plan, grades, highest)

    return make


def keep_plan(
    path: Path, make: MakePlan, *, keep: bool, write: Callable[[Pool], None]
) -> tuple[Pool, CostEstimate]:
    """Make a judge plan of the runs of a project, which keeps it, and write it where that is wished."""
    with to_write(path, writing=keep) as project:
        pool = make([project.rankings.run(run.name) for run in project.rankings.runs()], project)
        if keep:
            with project.transaction():
                project.rankings.add_pool(pool)
                write(pool)
        return pool, pool_estimate(pool, pace_of(project), prices_of(project))


def model_estimate_options(command: Command) -> Command:
    """Give `estimate` the options of a judge plan."""
    for option in (
        click.option(
            "--show",
            "what",
            type=click.Choice(SHOWN),
            default=SHOWN[0],
            show_default=True,
            help="With --model: values with intervals; forecast: how far intervals will reach with more judgments, before they are made; "
            "next: what people should judge next, by what it takes off the interval.",
        ),
        click.option(
            "--baseline",
            metavar="RUN",
            help="With --model, estimate the other runs' differences from RUN.",
        ),
        click.option(
            "--of-maximum",
            is_flag=True,
            help="With --model: DCG as a share of the most that the scale allows, which is known, unlike an ideal.",
        ),
        click.option(
            "--topics-in-all",
            type=click.IntRange(1),
            help="With --topics-are drawn: out of how many topics.",
        ),
        click.option(
            "--topics-are",
            type=click.Choice(TOPICS_ARE),
            default=TOPICS_ARE[0],
            show_default=True,
            help="With --model. "
            + "; ".join(f"{name}: {words}" for name, words in TOPICS_ARE_MEAN.items())
            + ".",
        ),
        click.option(
            "--guess",
            type=click.Choice(GUESSES),
            default=GUESSES[0],
            show_default=True,
            help="With --model. "
            + "; ".join(f"{name}: {words}" for name, words in GUESSES_MEAN.items())
            + ".",
        ),
        click.option(
            "--model",
            type=NAME_OR_FILE,
            metavar="NAME",
            help="The model of a PROJECT, or a file of its labels: people's judgments correct them.",
        ),
    ):
        command = option(command)
    return command


def check_no_model(said: Mapping[str, Any]) -> None:
    """Refuse the other options of a judge plan without a model."""
    strange = next((name for name, value in PLAIN.items() if said[name] != value), None)
    if strange is not None:
        raise IrjudgeError(
            "--{strange} goes with --model.",
            strange=strange.replace("what", "show").replace("_", "-"),
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
    """Print what is estimated of runs from a plan that people judged and a model's labels."""
    people = {
        (topic, document): grade for topic, document, grade in judged.rows() if grade != UNJUDGED
    }
    grades, highest = _labels_of(source, model)
    highest = max(highest, max(people.values(), default=0))
    universe = plan_universe(pool, people, grades, highest=highest)
    wish = ModelEstimateWish(
        parse_measures(names or DEFAULT_ESTIMATE_MEASURES, policy.rel),
        policy,
        guess,
        topics_are,
        topics_in_all,
        of_maximum,
        baseline,
        seed,
    )
    found: tuple[ModelEstimate, ...] = ()
    with terminal_progress():
        if what == "forecast":
            columns: tuple[str, ...] = ("judgments", "measure", "reach")
            rows: list[tuple[Cell, ...]] = [
                (each.judgments, each.measure, each.reach)
                for each in forecast(universe, runs, wish, highest)
            ]
        elif what == "next":
            columns = ("topic", "document", "drawn", "takes_off")
            larger = _larger(pool, runs, grades, highest)
            documents = next_documents(universe, runs, wish, highest, larger)
            rows = [
                (each.topic, each.document, "yes" if each.drawn else "no", each.takes_off)
                for each in documents
            ]
        else:
            found = model_estimates(universe, runs, wish)
            columns = ("run", "measure", "value", "low", "high", "kind")
            rows = [
                (each.run, each.measure, each.value, each.low, each.high, each.kind)
                for each in found
            ]
    show(columns, rows, form)
    _say(universe, runs, wish, model, found)


def _say(
    universe: PlanUniverse,
    runs: Sequence[Run],
    wish: ModelEstimateWish,
    model: str,
    found: Sequence[ModelEstimate],
) -> None:
    judged = int((universe.sampled & (universe.people != -1)).sum())
    drawn = int(universe.sampled.sum())
    say(
        f"People judged {judged:,} of {drawn:,} drawn of {len(universe.pairs):,} documents; for the others stands model {model}, corrected."
    )
    if wish.baseline is not None:
        say(f"Differences from {wish.baseline}.")
    say(
        f"Guess: {GUESSES_MEAN[wish.guess]}. Topics {wish.topics}: {TOPICS_ARE_MEAN[wish.topics]}.",
        *cautions_of(universe, runs, wish, found),
    )


def _labels_of(source: Path, model: str) -> tuple[dict[Pair, int], int]:
    """Return a model's grades, and the highest of the scale."""
    if not is_project(source):
        grades = read_model_labels(Path(model)).last()
        return grades, max(grades.values(), default=1)
    with open_project(source, writing=False) as project:
        return model_answers(project, model).grades, project.scale.highest


def _larger(
    pool: Pool, runs: Sequence[Run], grades: Mapping[Pair, int], highest: int
) -> Pool | None:
    """Return a plan twice as large with the same seed, which holds this one; None where the pool is no judge plan of these runs."""
    if pool.strategy != PLAN:
        return None
    said = pool.parameters
    try:
        plan = JudgePlan(
            str(said["model"]),
            2 * int(said["size"]),
            int(said["depth"]),
            int(said["seed"]),
            said["ties"],  # type: ignore[arg-type]
        )
    except (KeyError, ValueError) as fault:
        raise ProjectError(
            "The plan does not say how it was made ({fault}).", fault=fault
        ) from fault
    return plan_pool(runs, plan, grades, highest)

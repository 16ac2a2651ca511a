"""Request for a pool: the options of `irjudge pool`."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from irjudge.model import TIES, Ties
from irjudge.options import Option
from irjudge.pooling.building import (
    LEARNING,
    LEARNING_PURPOSE,
    PRESETS,
    PoolOptions,
    list_strategies,
)
from irjudge.stats import DEFAULT_SEED, MAX_SEED


def _describe_strategies() -> str:
    """Return the presets with their purpose, and the names of the strategies."""
    presets = " ".join(f"{each.name}: {each.purpose}" for each in PRESETS)
    names = ", ".join(each.name for each in list_strategies())
    return (
        f"How documents are chosen. {presets} {LEARNING}: {LEARNING_PURPOSE} Or a strategy, of"
        f" which `irjudge strategies` says more: {names}."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRequest:
    """Options of a pool and its output."""

    depth: Annotated[
        int | None,
        Option(
            "Only the top DEPTH of each run are looked at; strategy depth pools them all.",
            minimum=1,
        ),
    ] = None
    strategy: Annotated[str, Option(_describe_strategies(), metavar="NAME")] = "depth"
    size: Annotated[
        int | None,
        Option(
            "How many documents of each topic at most; without it all that are looked at.",
            minimum=1,
        ),
    ] = None
    model: Annotated[
        str | None,
        Option(
            "For strategy plan: the model of the PROJECT, or a file of labels, whose grades decide"
            " the chances. --size is of all topics then.",
            kind="name or file",
            metavar="NAME",
        ),
    ] = None
    first: Annotated[
        int, Option("The top FIRST of each run come first, up to half of the size.", minimum=0)
    ] = 0
    seed: Annotated[
        int,
        Option(
            "The same seed gives the same pool.", minimum=0, maximum=MAX_SEED, show_default=True
        ),
    ] = DEFAULT_SEED
    qrels: Annotated[
        Path | None,
        Option("Known judgments, which adaptive strategies need. Default for a project: its own."),
    ] = None
    rel: Annotated[int, Option("The lowest grade that is relevant, with --qrels.", minimum=1)] = 1
    ties: Annotated[Ties, Option("The order of equal scores within a run.", choices=TIES)] = "docno"
    output: Annotated[
        Path | None,
        Option(
            "Write to a file: a line `topic 0 document -1` each where it ends in .qrels; the whole"
            " table where it ends in .csv.",
            flags=("-o", "--output"),
        ),
    ] = None
    wanted: Annotated[
        str,
        Option(
            "Only these topics; 401-405 stands for all from one to the other.",
            flags=("--topic",),
            metavar="TOPIC,...",
        ),
    ] = ""
    once: Annotated[
        bool,
        Option(
            "Of documents of a PROJECT that are nearly the same (`irjudge duplicates`) only the"
            " first of each topic."
        ),
    ] = False
    preview: Annotated[bool, Option("Say what judging it would take, and keep nothing.")] = False
    details: Annotated[
        bool,
        Option(
            "With order, stratum, probability, best rank and the runs; and what chance left out."
        ),
    ] = False

    def options(self) -> PoolOptions:
        """Return how the pool is built, of all topics."""
        return PoolOptions(
            strategy=self.strategy,
            depth=self.depth,
            size=self.size,
            first=self.first,
            seed=self.seed,
            ties=self.ties,
        )

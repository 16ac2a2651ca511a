"""Options of `irjudge pool` and `irjudge fuse`."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from irjudge.formats.rankings import ColumnsOption, ReadingRequest, SheetOption
from irjudge.message import join_choices
from irjudge.model import TIES, Ties
from irjudge.options import Option
from irjudge.pooling.building import (
    LEARNING,
    LEARNING_PURPOSE,
    PRESETS,
    PoolOptions,
    list_fusion_strategies,
    list_strategies,
)
from irjudge.search import NewRunRequest
from irjudge.stats import DEFAULT_SEED, MAX_SEED


def _describe_strategies() -> str:
    presets = " ".join(f"{preset.name}: {preset.purpose}" for preset in PRESETS)
    names = join_choices(strategy.name for strategy in list_strategies())
    return (
        f"How documents are chosen. {presets} {LEARNING}: {LEARNING_PURPOSE} Or one of the "
        f"strategies {names}; run `irjudge strategies` for their purposes."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PoolRequest:
    """Options of `irjudge pool`: how the pool is built, and what is printed or written.

    The project or run files, and how files are read (`ReadingRequest`), are separate arguments. The
    options include the qrels for adaptive strategies, the model for the strategy `plan`, the
    selection of topics, and whether the pool is only previewed, and so not stored.
    """

    depth: Annotated[
        int | None,
        Option(
            'Consider only the top DEPTH documents of each run; the strategy "depth" puts all '
            "of these documents in the pool.",
            minimum=1,
        ),
    ] = None
    strategy: Annotated[str, Option(_describe_strategies(), metavar="NAME")] = "depth"
    size: Annotated[
        int | None,
        Option(
            "Maximum number of documents per topic in the pool. Default: all documents considered.",
            minimum=1,
        ),
    ] = None
    model: Annotated[
        str | None,
        Option(
            'For the strategy "plan": a model of the PROJECT, or a file of labels, whose '
            "grades determine the inclusion probabilities. --size is then the total over "
            "topics.",
            kind="name or file",
            metavar="NAME",
        ),
    ] = None
    first: Annotated[
        int,
        Option("Start with the top FIRST documents of each run, up to half of --size.", minimum=0),
    ] = 0
    seed: Annotated[
        int,
        Option(
            "Random seed, for a reproducible pool.", minimum=0, maximum=MAX_SEED, show_default=True
        ),
    ] = DEFAULT_SEED
    qrels: Annotated[
        Path | None,
        Option(
            "Qrels with existing judgments, required by adaptive strategies. Default for a "
            "project: the judgments of the project."
        ),
    ] = None
    rel: Annotated[int, Option("With --qrels: minimum grade counted as relevant.", minimum=1)] = 1
    ties: Annotated[
        Ties, Option("Order of documents with equal scores within a run.", choices=TIES)
    ] = "docno"
    output: Annotated[
        Path | None,
        Option(
            "Write the pool to a file: lines `topic 0 document -1` if its name ends in .qrels; "
            "the whole table if its name ends in .csv.",
            flags=("-o", "--output"),
        ),
    ] = None
    wanted: Annotated[
        str,
        Option(
            "Use only these topics; 401-405 means all ids in that range.",
            flags=("--topic",),
            metavar="TOPIC,...",
        ),
    ] = ""
    once: Annotated[
        bool,
        Option(
            "For a PROJECT: in each topic, pool only the first document of each group of "
            "near-duplicates (`irjudge duplicates`)."
        ),
    ] = False
    preview: Annotated[bool, Option("Estimate the judging work, without storing anything.")] = False
    details: Annotated[
        bool,
        Option(
            "Print the order, stratum, probability, best rank and runs of each document, "
            "including those that were not sampled."
        ),
    ] = False

    def options(self) -> PoolOptions:
        """Return the options for building the pool, without a selection of topics."""
        return PoolOptions(
            strategy=self.strategy,
            depth=self.depth,
            size=self.size,
            first=self.first,
            seed=self.seed,
            ties=self.ties,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionRequest:
    """Options of `irjudge fuse`: method, selected runs of a project, and the new run.

    `columns` and `sheets` define how run files are read; the files are not included.
    """

    method: Annotated[
        str,
        Option(
            "Fusion method, with or without parameters, such as rrf(k=20): "
            f"{join_choices(strategy.name for strategy in list_fusion_strategies())}. Run "
            "`irjudge rankers` for formulas and parameters.",
            metavar="NAME",
        ),
    ] = "rrf"
    selected_runs: Annotated[
        tuple[str, ...],
        Option(
            "Use only this run of the project; may be repeated.", flags=("--run",), metavar="NAME"
        ),
    ] = ()
    columns: ColumnsOption = ()
    sheets: SheetOption = ()
    run: NewRunRequest = field(default_factory=NewRunRequest)

    def reading(self) -> ReadingRequest:
        """Return the options with which run files are read."""
        return ReadingRequest(columns=self.columns, sheets=self.sheets)

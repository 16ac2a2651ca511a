"""The list of figures: one declaration each, filled by the decorator `figure`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from irjudge.catalogue import Catalogue, about
from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.metrics.basis.gain_and_discount import Discount, Mean
from irjudge.report.figures.chart import Chart

# Rankings joined with qrels, an evaluation, the labels of assessors, or what was found of models.
Takes: TypeAlias = Literal["rankings", "values", "labels", "models"]
TAKES: tuple[Takes, ...] = get_args(Takes)
Curve: TypeAlias = Literal["cg", "dcg", "ncg", "ndcg"]
CURVES: tuple[Curve, ...] = get_args(Curve)
Dots: TypeAlias = Literal["systems", "topics"]
DOTS: tuple[Dots, ...] = get_args(Dots)
Fit: TypeAlias = Literal["none", "binormal"]
FITS: tuple[Fit, ...] = get_args(Fit)
RANKS = 100
Maker = TypeVar("Maker", bound=Callable[..., Chart])


@dataclass(frozen=True, slots=True)
class FigureWish:
    """What is to be shown; each figure looks at the parts that it names."""

    runs: tuple[
        str, ...
    ] = ()  # those that stand out. Without any, all do where they are few, else the best.
    topic: str | None = None  # the one that is shown; None shows what all topics come to
    levels: int = 11  # levels of recall, 11 or 101 usually
    fit: Fit = "none"  # the smooth curve drawn beside precision over recall
    curve: Curve = (
        "ndcg"  # gain over rank: reached, or as a share of the ideal, with or without discount
    )
    discount: Discount = "log2p1"  # of the curves dcg and ndcg
    averaging: Mean = "topics"  # as for `gain_curves`
    ranks: int = RANKS  # the last rank of curves over ranks
    of: Dots = "systems"  # what the points of a scatter plot are
    statistic: str = ""  # A rank correlation, or a statistic of agreement; empty for the usual one
    model: str = ""  # the model that is shown; empty for the first
    rel: int = 1  # the lowest relevant grade, for labels; what was evaluated has its own


@dataclass(frozen=True, slots=True)
class Figure:
    """All that is known of a figure."""

    # `precision-recall`; `Precision over recall`
    name: str
    title: str
    takes: Takes  # what it is made of
    measures: tuple[
        int, int | None
    ]  # how many measures at least and at most, where it takes values; None for any number
    usual: tuple[str, ...]  # the measures where none are named
    options: tuple[str, ...]  # the parts of `Wish` that it looks at
    chart: Callable[[Any, FigureWish], Chart]  # makes it from `takes` and a wish

    @property
    def about(self) -> str:
        """What it shows: the first paragraph of the docstring."""
        words = about(self.chart).removeprefix("Show ")
        return words[:1].upper() + words[1:]

    def check(self, measures: int) -> None:
        """Raise where it was given too few or too many measures."""
        least, most = self.measures
        if self.takes == "values" and (measures < least or (most is not None and measures > most)):
            wanted = f"{least}" if least == most else f"{least} or more"
            raise IrjudgeError(
                "The figure {name} takes {wanted} measures, got {measures}."
                if wanted != "1"
                else "The figure {name} takes one measure, got {measures}.",
                name=self.name,
                wanted=wanted,
                measures=measures,
            )


FIGURES: Catalogue[Figure] = Catalogue(
    Message("Figure"), place=lambda each: TAKES.index(each.takes)
)
find_figure = FIGURES.find


def figure(
    name: str,
    *,
    title: str,
    takes: Takes,
    measures: tuple[int, int | None] = (0, 0),
    usual: tuple[str, ...] = (),
    options: tuple[str, ...] = (),
) -> Callable[[Maker], Maker]:
    """Declare a figure; the function makes its chart."""

    def declare(maker: Maker) -> Maker:
        FIGURES.add(Figure(name, title, takes, measures, usual, options, maker))
        return maker

    return declare

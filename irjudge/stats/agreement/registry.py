"""The catalogue of agreement statistics: one declaration a statistic, filled by `of_items` and `of_pairs`."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, get_args

import numpy as np

from irjudge.catalogue import Catalogue, about, plain
from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.model.labels import Flags
from irjudge.stats.agreement.counts import Totals
from irjudge.stats.agreement.pairs import PairTables
from irjudge.stats.rankings import Floats

# How far apart two labels are: the same or not; by place on the scale; by value; by ratio of values; relevant or not.
Scaling: TypeAlias = Literal[
    "nominal", "ordinal", "interval", "ratio", "linear", "quadratic", "binary"
]
SCALINGS: tuple[Scaling, ...] = get_args(Scaling)
ALL_THE_SAME = Message(
    "all labels are the same, so chance explains all agreement", key="labels-all-same"
)  # why several statistics have no value


@dataclass(frozen=True, slots=True, eq=False)
class LabelView:
    """How labels are looked at: the scaling, the K labels as numbers (None for words), and which are relevant."""

    scaling: Scaling
    values: Floats | None
    relevant: Flags | None

    @property
    def undefined(self) -> str:
        """Why no statistic of this scaling can be computed; empty where it can."""
        if self.scaling != "nominal" and self.values is None:
            return Message("the labels are words, which have no order", key="labels-are-words")
        if self.scaling == "ratio" and self.values is not None and (self.values < 0).any():
            return Message("a ratio takes labels of 0 or more", key="negative-labels")
        return ""


@dataclass(frozen=True, slots=True, eq=False)
class PairValues:
    """A statistic of P pairs of workers."""

    # shape (P,): the value and its 95 % interval; nan where undefined
    value: Floats
    low: Floats
    high: Floats
    # shape (C,): how far the value of its pair moves for an item more in each cell, times the items of the pair; None where the interval
    # does not come from it
    influence: Floats | None = None


# Takes the sums over M samples of items, any labels of which may be missing, or the tables of P pairs of workers.
ItemsFunction: TypeAlias = Callable[[Totals, LabelView], Floats]
PairsFunction: TypeAlias = Callable[[PairTables, LabelView], PairValues]
Function = TypeVar("Function", bound=Callable[..., object])


@dataclass(slots=True)
class AgreementStatistic:
    """All that is known of a statistic."""

    # `alpha`; `Krippendorff's alpha`; one line of plain text
    name: str
    title: str
    formula: str
    scalings: tuple[Scaling, ...]  # those it has, the usual one first
    nothing: str  # why it has no value where its denominator is 0
    even: bool = False  # whether each item must have the same number of labels
    items: ItemsFunction | None = (
        None  # computes it for all workers at once; None for a statistic of two
    )
    pairs: PairsFunction | None = (
        None  # computes it for every two workers; None for a statistic that has no such form
    )

    @property
    def about(self) -> str:
        """The first paragraph of the docstring."""
        return about(self.items or self.pairs)


class AgreementRegistry(Catalogue[AgreementStatistic]):
    """Statistics by name, each in one scaling or more."""

    def __init__(self) -> None:
        super().__init__(Message("Statistic"), fault=MeasureError)

    def of_items(
        self,
        name: str,
        title: str,
        formula: str,
        *scalings: Scaling,
        nothing: str,
        even: bool = False,
    ) -> Callable[[Function], Function]:
        """Add the decorated function, which computes a statistic of all workers; see `AgreementStatistic`."""

        def register(function: Function) -> Function:
            self.add(
                AgreementStatistic(name, title, formula, scalings, nothing, even, items=function)  # type: ignore[arg-type]
            )
            return function

        return register

    def of_pairs(
        self, name: str, title: str = "", formula: str = "", *scalings: Scaling, nothing: str = ""
    ) -> Callable[[Function], Function]:
        """Add the decorated function, which computes a statistic of two workers: a new one, or the form for two of one that is there."""

        def register(function: Function) -> Function:
            if name not in self:
                self.add(AgreementStatistic(name, title, formula, scalings, nothing))
            self[name].pairs = function  # type: ignore[assignment]
            return function

        return register

    def choose(self, names: Iterable[str]) -> tuple[tuple[AgreementStatistic, Scaling], ...]:
        """Return the statistics that names mean: `alpha` in each of its scalings, `alpha-ordinal` in one.

        MeasureError when a name is not known.
        """
        every = {
            f"{each.name}-{scaling}": (each, scaling)
            for each in self.values()
            for scaling in each.scalings
        }
        found: dict[tuple[str, Scaling], tuple[AgreementStatistic, Scaling]] = {}
        for name in names:
            if whole := self.known(name):
                chosen = [(whole, scaling) for scaling in whole.scalings]
            elif plain(name) in every:
                chosen = [every[plain(name)]]
            else:
                raise self.unknown(name, self.nearest(name, also=every))
            found.update({(each.name, scaling): (each, scaling) for each, scaling in chosen})
        return tuple(found.values())


AGREEMENT = AgreementRegistry()


def distances(view: LabelView, grades: int) -> Floats:
    """Return how far apart every two of K labels are, shape (K, K): 0 on the diagonal; ordinal distances depend on the labels given."""
    if view.scaling == "nominal" or view.values is None:
        return 1.0 - np.eye(grades)
    place = (
        np.arange(grades, dtype=np.float64)
        if view.scaling in ("linear", "quadratic")
        else view.values
    )
    apart = np.abs(place[:, None] - place[None, :])
    if view.scaling == "ratio":
        sums = place[:, None] + place[None, :]
        apart = np.divide(apart, sums, out=np.zeros_like(apart), where=sums > 0)
    return apart if view.scaling == "linear" else apart**2

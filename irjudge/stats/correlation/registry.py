"""The catalogue of rank correlations: one declaration a statistic, filled by the decorator `statistic`, and its names."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, get_args

from irjudge.catalogue import Catalogue, about
from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.naming.parameters import (
    Parameter,
    Value,
    named_parameter,
    parameters_of,
    read_values,
    spelled,
    split_name,
)
from irjudge.stats.rankings import Items, RankPair

# An order statistic compares two orders of the same K items; a list statistic knows what to do with items that one list lacks.
Kind: TypeAlias = Literal["order", "lists"]
KINDS: tuple[Kind, ...] = get_args(Kind)
StatisticFunction = TypeVar("StatisticFunction", bound=Callable[..., float])


@dataclass(frozen=True, slots=True)
class CorrelationStatistic:
    """All that is known of a statistic."""

    # `tau-b`; `Kendall's tau-b`; one line of plain text
    name: str
    title: str
    formula: str
    bounds: tuple[float, float]  # lowest and highest value
    kind: Kind  # whether it needs the same items in both rankings
    symmetric: bool  # whether swapping the rankings changes nothing; where it does, the first ranking is the true one
    same: float | None  # the value of a ranking without ties against itself
    opposite: float | None  # its value against its reverse; None where that depends on the length
    aliases: tuple[str, ...]  # other names
    always: tuple[
        str, ...
    ]  # parameters that are printed even where they have their default, since none is agreed on
    parameters: tuple[Parameter, ...]  # in the order of the function's signature
    function: Callable[..., float]  # computes the value of a `RankPair`

    @property
    def about(self) -> str:
        """The first paragraph of the docstring."""
        return about(self.function)


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic with a value for each of its parameters."""

    declaration: CorrelationStatistic
    parameters: tuple[tuple[str, Value], ...]

    @property
    def name(self) -> str:
        """The name that is printed: `rbo(p=0.9)`, `overlap@10`, with each parameter that differs from its default."""
        return spelled(
            self.declaration.name,
            self.declaration.parameters,
            self.parameters,
            self.declaration.always,
            "cutoff",
        )

    def compute(self, pair: RankPair, items: Items = "common") -> float:
        """Return the value for two rankings; order statistics compare those `items` where they hold different ones, list statistics all."""
        seen = pair.over(items) if self.declaration.kind == "order" else pair
        return float(self.declaration.function(seen, **dict(self.parameters)))

    def items(self, pair: RankPair, items: Items = "common") -> int:
        """Return how many items the value rests on."""
        return len(pair.over(items)) if self.declaration.kind == "order" else len(pair)

    def __str__(self) -> str:
        return self.name


class CorrelationRegistry(Catalogue[CorrelationStatistic]):
    """Statistics by name and alias: those of orders, then those of lists."""

    def __init__(self) -> None:
        super().__init__(
            Message("Statistic"), place=lambda each: KINDS.index(each.kind), fault=MeasureError
        )

    def statistic(
        self,
        name: str,
        *,
        title: str,
        formula: str,
        bounds: tuple[float, float] = (-1, 1),
        kind: Kind = "order",
        symmetric: bool = True,
        same: float | None = 1,
        opposite: float | None = -1,
        aliases: Iterable[str] = (),
        always: Iterable[str] = (),
    ) -> Callable[[StatisticFunction], StatisticFunction]:
        """Add the decorated function to the catalogue; the keywords are explained by `CorrelationStatistic`."""

        def register(function: StatisticFunction) -> StatisticFunction:
            parameters = parameters_of(function)
            others = tuple(aliases)
            declaration = CorrelationStatistic(
                name,
                title,
                formula,
                bounds,
                kind,
                symmetric,
                same,
                opposite,
                others,
                tuple(always),
                parameters,
                function,
            )
            self.add(declaration, others)
            return function

        return register

    def parse(self, text: str) -> Statistic:
        """Return the statistic that a name means: `tau-b`, `rbo(p=0.8)`, `overlap@10`; case and `-` or `_` are the same.

        MeasureError when the name or a parameter is not known, or a value is out of its range.
        """
        shape = Message("a statistic is written as name, name(parameter=value) or name@cutoff")
        head, inside, at = split_name(text.strip(), shape)
        declaration = self.find(head)
        values = read_values(declaration.parameters, inside, declaration.name, text)
        if at is not None:
            values["cutoff"] = named_parameter(
                declaration.parameters, "cutoff", declaration.name
            ).read(at, text)
        return Statistic(
            declaration,
            tuple(
                (each.name, values.get(each.name, each.default)) for each in declaration.parameters
            ),
        )


SHIPPED = CorrelationRegistry()
statistic = SHIPPED.statistic

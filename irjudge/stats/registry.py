"""The catalogue of rank correlations: one declaration a statistic, filled by the decorator `statistic`, and its names."""

import difflib
import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, get_args

from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.parameters import Parameter, Value, parameters_of, show
from irjudge.stats.rankings import Items, RankPair

# An order statistic compares two orders of the same items; a list statistic knows what to do with items that one list lacks.
Kind: TypeAlias = Literal["order", "lists"]
KINDS: tuple[Kind, ...] = get_args(Kind)
StatisticFunction = TypeVar("StatisticFunction", bound=Callable[..., float])

SHAPE = re.compile(r"(?P<head>[^()@]+?)\s*(\((?P<inside>[^()]*)\))?\s*(@(?P<at>[^()@]*))?")


@dataclass(frozen=True, slots=True)
class Declaration:
    """All that is known of a statistic.

    Parameters
    ----------
    name, title, formula
        `tau-b`; `Kendall's tau-b`; one line of plain text.
    bounds
        Lowest and highest value.
    kind
        Whether it needs the same items in both rankings.
    symmetric
        Whether swapping the rankings changes nothing; where it does, the first ranking is the true one.
    same
        The value of a ranking without ties against itself.
    opposite
        Its value against its reverse; None where that depends on the length.
    aliases
        Other names.
    always
        Parameters that are printed even where they have their default, since none is agreed on.
    parameters
        In the order of the function's signature.
    function
        Computes the value of a `RankPair`.
    """

    name: str
    title: str
    formula: str
    bounds: tuple[float, float]
    kind: Kind
    symmetric: bool
    same: float | None
    opposite: float | None
    aliases: tuple[str, ...]
    always: tuple[str, ...]
    parameters: tuple[Parameter, ...]
    function: Callable[..., float]

    @property
    def about(self) -> str:
        """The first paragraph of the docstring."""
        return " ".join((inspect.getdoc(self.function) or "").partition("\n\n")[0].split())


@dataclass(frozen=True, slots=True)
class Statistic:
    """A statistic with a value for each of its parameters."""

    declaration: Declaration
    parameters: tuple[tuple[str, Value], ...]

    @property
    def name(self) -> str:
        """The name that is printed: `rbo(p=0.9)`, `overlap@10`, with each parameter that differs from its default."""
        default = {each.name: each.default for each in self.declaration.parameters}
        always = self.declaration.always
        spoken = [(name, value) for name, value in self.parameters if name in always or value != default[name]]
        shown = [f"{name}={show(value)}" for name, value in spoken if name != "cutoff"]
        cutoff = dict(self.parameters).get("cutoff")
        return self.declaration.name + (f"({','.join(shown)})" if shown else "") + (f"@{show(cutoff)}" if cutoff is not None else "")

    def compute(self, pair: RankPair, items: Items = "common") -> float:
        """Return the value for two rankings.

        Parameters
        ----------
        pair
            The rankings.
        items
            For order statistics: which items are compared where the rankings hold different ones. List statistics see all.
        """
        seen = pair.over(items) if self.declaration.kind == "order" else pair
        return float(self.declaration.function(seen, **dict(self.parameters)))

    def items(self, pair: RankPair, items: Items = "common") -> int:
        """Return how many items the value rests on."""
        return len(pair.over(items)) if self.declaration.kind == "order" else len(pair)

    def __str__(self) -> str:
        return self.name


class Registry:
    """Statistics by name and alias. The program has one; tests make their own."""

    def __init__(self) -> None:
        self._declared: dict[str, Declaration] = {}
        self._names: dict[str, Declaration] = {}

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
        """Add the decorated function to the catalogue; the keywords are explained by `Declaration`.

        Raises
        ------
        ValueError
            When the name or an alias is taken.
        """

        def register(function: StatisticFunction) -> StatisticFunction:
            parameters = parameters_of(function)
            declaration = Declaration(
                name, title, formula, bounds, kind, symmetric, same, opposite, tuple(aliases), tuple(always), parameters, function
            )
            for each in (name, *declaration.aliases):
                if _plain(each) in self._names:
                    raise ValueError(Message("{each} already names {names}", each=each, names=self._names[_plain(each)].name))
                self._names[_plain(each)] = declaration
            self._declared[name] = declaration
            return function

        return register

    def catalogue(self) -> tuple[Declaration, ...]:
        """Return all statistics: those of orders, then those of lists, each as declared."""
        return tuple(sorted(self._declared.values(), key=lambda each: KINDS.index(each.kind)))

    def parse(self, text: str) -> Statistic:
        """Return the statistic that a name means: `tau-b`, `rbo(p=0.8)`, `overlap@10`; case and `-` or `_` are the same.

        Raises
        ------
        MeasureError
            When the name or a parameter is not known, or a value is out of its range.
        """
        found = SHAPE.fullmatch(text.strip())
        if not found:
            raise MeasureError("{text!r}: a statistic is written as name, name(parameter=value) or name@cutoff.", text=text)
        declaration = self._find(found["head"], text)
        values: dict[str, Value] = {}
        pieces = [piece.partition("=") for piece in (found["inside"] or "").split(",") if piece.strip()]
        for name, _, value in [*pieces, *([("cutoff", "=", found["at"])] if found["at"] is not None else [])]:
            parameter = next((each for each in declaration.parameters if each.name == name.strip().lower()), None)
            if parameter is None:
                raise MeasureError(
                    "{text}: {declaration} has no parameter {name!r}; {parameters}.",
                    text=text,
                    declaration=declaration.name,
                    name=name.strip(),
                    parameters=_parameters(declaration),
                )
            values[parameter.name] = parameter.read(value.strip(), text)
        return Statistic(declaration, tuple((each.name, values.get(each.name, each.default)) for each in declaration.parameters))

    def _find(self, head: str, text: str) -> Declaration:
        if _plain(head) in self._names:
            return self._names[_plain(head)]
        near = difflib.get_close_matches(_plain(head), self._names, n=1, cutoff=0.6)
        hint = Message("did you mean {names}? There", names=self._names[near[0]].name) if near else "there"
        raise MeasureError(
            "Statistic {text!r} is not known; {hint} are {catalogues}.",
            text=text,
            hint=hint,
            catalogues=", ".join(each.name for each in self.catalogue()),
        )


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "-")


def _parameters(declaration: Declaration) -> str:
    names = [each.name for each in declaration.parameters]
    return Message("it has {names}", names=", ".join(names)) if names else Message("it has none")


SHIPPED = Registry()
statistic = SHIPPED.statistic

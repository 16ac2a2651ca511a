"""The catalogue of pooling strategies: one declaration a strategy, filled by the decorator `strategy`, and their names."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from irjudge.catalogue import Catalogue, about
from irjudge.message import Message
from irjudge.metrics.naming.parameters import (
    Parameter,
    Value,
    parameters_of,
    read_values,
    spelled,
    split_name,
)

# A score for each document at once; a walk, document by document; or a draw.
Kind: TypeAlias = Literal["scores", "walk", "sample"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Need: TypeAlias = Literal["depth", "size"]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class StrategyDeclaration:
    """All that is known of a strategy."""

    # `rrf`; `Reciprocal rank fusion`; one line of plain text
    name: str
    title: str
    formula: str
    # whether its function scores all documents (`Candidates` -> shape (P,), higher is earlier), makes a `Walk` through one topic, or draws
    # from one topic
    kind: Kind
    adaptive: bool  # whether the next document depends on the judgments of those before
    seeded: bool  # whether chance has a part in it
    needs: tuple[Need, ...]  # the bounds of the pool without which it says nothing
    parameters: tuple[Parameter, ...]  # in the order of the function's signature
    function: Callable[..., Any]  # what computes it

    @property
    def purpose(self) -> str:
        """The first paragraph of the docstring."""
        return about(self.function)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy with a value for each of its parameters."""

    declaration: StrategyDeclaration
    parameters: tuple[tuple[str, Value], ...]

    @property
    def name(self) -> str:
        """The name that is printed, with every parameter: `rrf(k=60)`."""
        return spelled(
            self.declaration.name,
            self.declaration.parameters,
            self.parameters,
            dict(self.parameters),
            None,
        )

    def compute(self, *arguments: Any) -> Any:
        """Return what the declaration's function makes of its arguments."""
        return self.declaration.function(*arguments, **dict(self.parameters))


class StrategyRegistry(Catalogue[StrategyDeclaration]):
    """Strategies by name: those that score, those that walk, those that draw."""

    def __init__(self) -> None:
        super().__init__(Message("Strategy"), place=lambda each: KINDS.index(each.kind))

    def strategy(
        self,
        name: str,
        *,
        title: str,
        formula: str,
        kind: Kind = "scores",
        adaptive: bool = False,
        seeded: bool = False,
        needs: tuple[Need, ...] = (),
    ) -> Callable[[Function], Function]:
        """Add the decorated function to the catalogue; the keywords are explained by `StrategyDeclaration`."""

        def register(function: Function) -> Function:
            declaration = StrategyDeclaration(
                name,
                title,
                formula,
                kind,
                adaptive,
                seeded,
                needs,
                parameters_of(function),
                function,
            )
            if not declaration.purpose:
                raise TypeError(f"{name} needs a docstring: the help is made from it")
            self.add(declaration)
            return function

        return register

    def parse(self, text: str, *, also: Sequence[str] = ()) -> Strategy:
        """Return the strategy that a name means: `rrf`, `rrf(k=20)`, `stratified(edges=10/50,rates=1/0.5/0.1)`.

        Of a name that is not known, the names in `also` are told beside those of the strategies. IrjudgeError when the name or a parameter
        is not known, or a value is out of its range.
        """
        head, inside, at = split_name(text.strip(), SHAPE)
        declaration = self.known(head) if at is None else None
        if declaration is None:
            raise self.unknown(text, self.nearest(head, also), also)
        values = read_values(declaration.parameters, inside, declaration.name, text)
        return Strategy(
            declaration,
            tuple(
                (each.name, values.get(each.name, each.default)) for each in declaration.parameters
            ),
        )


SHAPE = Message("a strategy is written as name or name(parameter=value)")
SHIPPED = StrategyRegistry()
strategy = SHIPPED.strategy

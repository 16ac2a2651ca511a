"""The catalogue of pooling strategies: one declaration a strategy, filled by the decorator `strategy`, and their names."""

import difflib
import inspect
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.metrics.parameters import Parameter, Value, parameters_of, show

# A score for each document at once; a walk, document by document; or a draw.
Kind: TypeAlias = Literal["scores", "walk", "sample"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Need: TypeAlias = Literal["depth", "size"]
Function = TypeVar("Function", bound=Callable[..., Any])

SHAPE = re.compile(r"(?P<head>[^()]+?)\s*(\((?P<inside>[^()]*)\))?")


@dataclass(frozen=True, slots=True)
class Declaration:
    """All that is known of a strategy.

    Parameters
    ----------
    name, title, formula
        `rrf`; `Reciprocal rank fusion`; one line of plain text.
    kind
        Whether its function scores all documents (`Candidates` -> shape (P,), higher is earlier), makes a `Walk` through one topic, or
        draws from one topic.
    adaptive
        Whether the next document depends on the judgments of those before.
    seeded
        Whether chance has a part in it.
    needs
        The bounds of the pool without which it says nothing.
    parameters
        In the order of the function's signature.
    function
        What computes it.
    """

    name: str
    title: str
    formula: str
    kind: Kind
    adaptive: bool
    seeded: bool
    needs: tuple[Need, ...]
    parameters: tuple[Parameter, ...]
    function: Callable[..., Any]

    @property
    def purpose(self) -> str:
        """The first paragraph of the docstring."""
        return " ".join((inspect.getdoc(self.function) or "").partition("\n\n")[0].split())


@dataclass(frozen=True, slots=True)
class Strategy:
    """A strategy with a value for each of its parameters."""

    declaration: Declaration
    parameters: tuple[tuple[str, Value], ...]

    @property
    def name(self) -> str:
        """The name that is printed, with every parameter: `rrf(k=60)`."""
        shown = ",".join(f"{name}={show(value)}" for name, value in self.parameters)
        return self.declaration.name + (f"({shown})" if shown else "")

    def compute(self, *arguments: Any) -> Any:
        """Return what the declaration's function makes of its arguments."""
        return self.declaration.function(*arguments, **dict(self.parameters))


class Registry:
    """Strategies by name. The program has one; tests make their own."""

    def __init__(self) -> None:
        self._declared: dict[str, Declaration] = {}

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
        """Add the decorated function to the catalogue; the keywords are explained by `Declaration`.

        Raises
        ------
        TypeError
            When the function has no docstring.
        ValueError
            When the name is taken.
        """

        def register(function: Function) -> Function:
            if name in self._declared:
                raise ValueError(Message("{name} is declared already", name=name))
            declaration = Declaration(name, title, formula, kind, adaptive, seeded, needs, parameters_of(function), function)
            if not declaration.purpose:
                raise TypeError(Message("{name} needs a docstring: the help is made from it", name=name))
            self._declared[name] = declaration
            return function

        return register

    def catalogue(self) -> tuple[Declaration, ...]:
        """Return all strategies: those that score, those that walk, those that draw, each as declared."""
        return tuple(sorted(self._declared.values(), key=lambda each: KINDS.index(each.kind)))

    def parse(self, text: str, *, also: Sequence[str] = ()) -> Strategy:
        """Return the strategy that a name means: `rrf`, `rrf(k=20)`, `stratified(edges=10/50,rates=1/0.5/0.1)`.

        Of a name that is not known, the names in `also` are told beside those of the strategies.

        Raises
        ------
        IrjudgeError
            When the name or a parameter is not known, or a value is out of its range.
        """
        found = SHAPE.fullmatch(text.strip().lower())
        if not found:
            raise IrjudgeError("{text!r}: a strategy is written as name or name(parameter=value).", text=text)
        declaration = self._find(found["head"], text, also)
        known = {each.name: each for each in declaration.parameters}
        values: dict[str, Value] = {}
        for name, _, value in (piece.partition("=") for piece in (found["inside"] or "").split(",") if piece.strip()):
            if name.strip() not in known:
                has = Message("it has {knowns}", knowns=", ".join(known)) if known else Message("it has none")
                raise IrjudgeError(
                    "{text}: {declaration} has no parameter {name!r}; {has}.",
                    text=text,
                    declaration=declaration.name,
                    name=name.strip(),
                    has=has,
                )
            values[name.strip()] = known[name.strip()].read(value.strip(), text)
        return Strategy(declaration, tuple((name, values.get(name, each.default)) for name, each in known.items()))

    def _find(self, head: str, text: str, also: Sequence[str]) -> Declaration:
        if head in self._declared:
            return self._declared[head]
        names = [*also, *(each.name for each in self.catalogue())]
        near = difflib.get_close_matches(head, names, n=1, cutoff=0.7)
        hint = Message("did you mean {first}? Otherwise choose", first=near[0]) if near else "choose"
        raise IrjudgeError("Strategy {text!r} is not known; {hint} {names}.", text=text, hint=hint, names=", ".join(names))


SHIPPED = Registry()
strategy = SHIPPED.strategy

"""The parameters of measures: read from a function's signature, checked, and printed."""

import inspect
import math
import re
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from irjudge.errors import MeasureError

Value: TypeAlias = int | float | str | None
Kind: TypeAlias = Literal["whole", "number", "choice"]

WHOLE = re.compile(r"[+-]?[0-9]+")
NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Range:
    """The values a number may have: `low` to `high`, both included unless `above` leaves out `low`."""

    low: float
    high: float = math.inf
    above: bool = False

    def __contains__(self, value: float) -> bool:
        return (value > self.low if self.above else value >= self.low) and value <= self.high

    def __str__(self) -> str:
        if self.above:
            return f"more than {show(self.low)}"
        return f"{show(self.low)} or more" if self.high == math.inf else f"between {show(self.low)} and {show(self.high)}"


ANY = Range(-math.inf)
HIGHEST_WHOLE = 2**31 - 1  # ranks and grades are int32

Cutoff: TypeAlias = Annotated[int, Range(1)]
MaybeCutoff: TypeAlias = Annotated[int | None, Range(1)]
Rel: TypeAlias = Annotated[int, Range(1)]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a measure.

    Parameters
    ----------
    name
        As it is written in a measure's name and in the function's signature.
    kind
        A whole number, a number, or one of `choices`.
    required
        Whether a name must give it; then `default` says nothing.
    default
        Its value when a name does not give it.
    optional
        Whether None is a value, which means no limit.
    choices
        The words a choice may be.
    range
        The values a number may have.
    """

    name: str
    kind: Kind
    required: bool
    default: Value
    optional: bool
    choices: tuple[str, ...]
    range: Range

    @property
    def allowed(self) -> str:
        """What its value may be, in words."""
        if self.kind == "choice":
            return " or ".join(self.choices)
        noun = "a whole number" if self.kind == "whole" else "a number"
        return noun if self.range == ANY else f"{noun}, {self.range}"

    def read(self, text: str, of: str) -> Value:
        """Return the value that `text` gives; `of` is the measure's name for the error's sentence."""
        if self.kind == "choice":
            return self.check(text.lower(), of)
        pattern = WHOLE if self.kind == "whole" else NUMBER
        if not pattern.fullmatch(text):
            raise MeasureError(f"{of}: {self.name} must be {self.allowed}, got {text!r}.")
        return self.check(int(text) if self.kind == "whole" else float(text), of)

    def check(self, value: Value, of: str) -> Value:
        """Return a value as its parameter's type.

        Raises
        ------
        MeasureError
            When the parameter may not have this value.
        """
        if value is None and self.optional:
            return None
        if self.kind == "choice":
            if value not in self.choices:
                raise MeasureError(f"{of}: {self.name} must be {self.allowed}, got {value!r}.")
            return value
        if isinstance(value, bool) or not isinstance(value, int | float) or (self.kind == "whole" and value != int(value)):
            raise MeasureError(f"{of}: {self.name} must be {self.allowed}, got {value!r}.")
        if value not in self.range:
            raise MeasureError(f"{of}: {self.name} must be {self.range}, got {show(value)}.")
        if not math.isfinite(value) or (self.kind == "whole" and value > HIGHEST_WHOLE):
            raise MeasureError(f"{of}: {self.name} is too large, got {show(value)}.")
        return int(value) if self.kind == "whole" else float(value)


def show(value: Value) -> str:
    """Return a value as names print it: the shortest text that reads back as the same value.

    Examples
    --------
    >>> show(2.0), show(0.1), show("exp2")
    ('2', '0.1', 'exp2')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def parameters_of(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the parameters in a measure's signature, in its order, without the judged run itself.

    Raises
    ------
    TypeError
        When an annotation is none of: int, float, Literal of words, or one of these with None or a `Range`.
    """
    hints = get_type_hints(function, include_extras=True)
    signature = inspect.signature(function)
    return tuple(_parameter(each, hints[each.name]) for each in signature.parameters.values() if each.kind is each.KEYWORD_ONLY)


def _parameter(declared: inspect.Parameter, hint: Any) -> Parameter:
    limits = ANY
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        limits = next((extra for extra in extras if isinstance(extra, Range)), ANY)
    optional = get_origin(hint) in (types.UnionType, Union) and type(None) in get_args(hint)
    if optional:
        hint = next(kind for kind in get_args(hint) if kind is not type(None))
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    if not choices and hint not in (int, float):
        raise TypeError(f"{declared.name}: a measure's parameter is an int, a float or a Literal, got {hint}")
    required = declared.default is inspect.Parameter.empty
    kind: Kind = "choice" if choices else "whole" if hint is int else "number"
    default = None if required else float(declared.default) if kind == "number" and declared.default is not None else declared.default
    return Parameter(declared.name, kind, required, default, optional, choices, limits)

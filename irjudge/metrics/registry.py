"""Registry of measures: declarations by the decorator `measure`, parameters, names and profiles."""

import inspect
import math
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
import numpy.typing as npt

from irjudge.catalogue import (
    Catalogue,
    docstring_section,
    load_extensions,
    nearest,
    parameter_descriptions,
    providing_package,
    summarise,
)
from irjudge.errors import IrjudgeError, MeasureError
from irjudge.message import SEMICOLON, Message, join_choices, join_messages
from irjudge.metrics.judged import Floats, JudgedRun, Scores, divide

# Parameters: read from a function's signature, validated and printed


ParameterKind: TypeAlias = Literal["whole", "number", "choice", "numbers", "gain", "size"]

# pattern of a name, with optional parameters in brackets and optional text after `@`
NAME_PATTERN = re.compile(r"(?P<head>[^()@]*)(\((?P<inside>[^()]*)\))?\s*(@(?P<at>[^()@]*))?")
WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+")
NUMBER_PATTERN = re.compile(r"[+-]?([0-9]++\.?[0-9]*+|\.[0-9]++)(e[+-]?[0-9]++)?", re.IGNORECASE)
# separator of the values in a list; a comma would end the parameter
LIST_SEPARATOR = "/"


@dataclass(frozen=True, slots=True)
class GainMap:
    """Gains of listed grades; the gain of any other grade is the grade itself.

    If the qrels have gains, the map converts these gains instead of the grades.

    >>> str(GainMap(((1, 3.0), (4, 4.5))))
    '1:3/4:4.5'
    """

    # (grade, gain) pairs with distinct, ascending grades; grades and gains are at least 0
    pairs: tuple[tuple[int, float], ...]

    def __str__(self) -> str:
        return LIST_SEPARATOR.join(f"{grade}:{format_value(gain)}" for grade, gain in self.pairs)


Value: TypeAlias = int | float | str | tuple[float, ...] | GainMap | None


@dataclass(frozen=True, slots=True)
class Range:
    """Valid range of a number, `low` to `high`; `above` excludes `low` itself."""

    low: float
    high: float = math.inf
    above: bool = False

    def __contains__(self, value: float) -> bool:
        return (value > self.low if self.above else value >= self.low) and value <= self.high

    def __str__(self) -> str:
        if self.above:
            return Message("more than {minimum}", minimum=format_value(self.low)) + (
                ""
                if self.high == math.inf
                else Message(" and at most {maximum}", maximum=format_value(self.high))
            )
        return (
            Message("{minimum} or more", minimum=format_value(self.low))
            if self.high == math.inf
            else Message(
                "between {minimum} and {maximum}",
                minimum=format_value(self.low),
                maximum=format_value(self.high),
            )
        )


ANY_NUMBER = Range(-math.inf)
MAX_WHOLE_NUMBER = 2**31 - 1  # ranks and grades are int32

# Parameters shared by many measures: the text of the annotation is their description in the
# catalogue
Cutoff: TypeAlias = Annotated[int, Range(1), "Number of documents that the user looks at, k."]
TopCutoff: TypeAlias = Annotated[int, Range(1), "Uses ranks 1 to `cutoff`."]
BothCutoff: TypeAlias = Annotated[int, Range(1), "Uses ranks 1 to `cutoff` of both rankings."]
MaybeBothCutoff: TypeAlias = Annotated[
    int | None, Range(1), "Uses ranks 1 to `cutoff` of both rankings; without a cutoff, all ranks."
]
MaybeCutoff: TypeAlias = Annotated[
    int | None, Range(1), "Uses ranks 1 to `cutoff`; without a cutoff, the whole ranking."
]
SetCutoff: TypeAlias = Annotated[
    int | None,
    Range(1),
    "The set consists of the top `cutoff` documents; without a cutoff, of the whole list.",
]
Rel: TypeAlias = Annotated[int, Range(1), "A document is relevant if its grade is `rel` or more."]
SubtopicRel: TypeAlias = Annotated[
    int,
    Range(1),
    "A document is relevant to a subtopic if its grade for that subtopic is `rel` or more.",
]


@dataclass(frozen=True, slots=True)
class Parameter:
    """Declaration of a parameter of, for example, a measure, pooling strategy or ranker.

    `read` parses a value and `check` checks it. The default value is included, but not the value
    that is used in a computation.
    """

    name: str  # as in the function's signature, and in names such as `nDCG(gain=exp2)`
    # type of the value: an integer, a number, one of `choices`, several numbers (`0.25/0.5`), a
    # gain (one of `choices`, or a map such as `1:3/2:9`), or a size (one of `choices`, or an
    # integer)
    kind: ParameterKind
    required: bool  # whether the parameter must be given; if so, `default` is not used
    default: Value  # value of the parameter if the name of a measure sets none
    optional: bool  # whether None is allowed, which means, for example, no limit
    choices: tuple[str, ...]  # possible values, if the value is one of several choices
    range: Range  # range of allowed numbers
    about: str = ""  # description from the function's docstring, or else from its annotated type

    @property
    def allowed_values(self) -> str:
        """Description of the allowed values."""
        if self.kind == "choice":
            return join_choices(self.choices)
        if self.kind == "gain":
            return Message(
                "{choices}, or gains of grades such as 1:3/2:9", choices=join_choices(self.choices)
            )
        if self.kind == "size":
            return Message(
                "{choices}, or a whole number, {range}",
                choices=join_choices(self.choices),
                range=self.range,
            )
        kind_label = {
            "whole": Message("a whole number"),
            "numbers": Message("numbers such as 0.25/0.5"),
        }.get(self.kind, Message("a number"))
        if self.range == ANY_NUMBER:
            return kind_label
        if self.kind == "numbers":
            return Message("{kind}, each {range}", kind=kind_label, range=self.range)
        return Message("{kind}, {range}", kind=kind_label, range=self.range)

    def read(self, text: str, measure: str) -> Value:
        """Parse a value; `measure` is the name of the measure in error messages."""
        if self.kind == "choice":
            return self.check(text.lower(), measure)
        if self.kind == "gain":
            return self._read_gain(text, measure)
        if self.kind == "size" and text.lower() in self.choices:
            return text.lower()
        if self.kind == "numbers":
            pieces = [piece.strip() for piece in text.split(LIST_SEPARATOR)]
            if not all(map(NUMBER_PATTERN.fullmatch, pieces)):
                raise MeasureError(
                    "{owner}: {parameter} must be {allowed}, got {text!r}.",
                    owner=measure,
                    parameter=self.name,
                    allowed=self.allowed_values,
                    text=text,
                )
            return self.check(tuple(map(float, pieces)), measure)
        is_integer = self.kind in ("whole", "size")
        if not (WHOLE_NUMBER if is_integer else NUMBER_PATTERN).fullmatch(text):
            raise MeasureError(
                "{owner}: {parameter} must be {allowed}, got {text!r}.",
                owner=measure,
                parameter=self.name,
                allowed=self.allowed_values,
                text=text,
            )
        return self.check(int(text) if is_integer else float(text), measure)

    def check(self, value: Value, measure: str) -> Value:
        """Convert a value to the parameter's type; raise MeasureError if it is not allowed."""
        if value is None and self.optional:
            return None
        if self.kind in ("choice", "gain"):
            if value not in self.choices and not (
                self.kind == "gain" and isinstance(value, GainMap)
            ):
                raise MeasureError(
                    "{owner}: {parameter} must be {allowed}, got {value!r}.",
                    key="wrong-kind",
                    owner=measure,
                    parameter=self.name,
                    allowed=self.allowed_values,
                    value=value,
                )
            return value
        if self.kind == "size" and value in self.choices:
            return value
        if self.kind == "numbers":
            return tuple(
                self._parse_number(single_value, measure)
                for single_value in (value if isinstance(value, tuple) and value else (value,))
            )
        number = self._parse_number(value, measure)
        return int(number) if self.kind in ("whole", "size") else number

    def _parse_number(self, value: Value, measure: str) -> float:
        is_integer = self.kind in ("whole", "size")
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or (is_integer and value != int(value))
        ):
            raise MeasureError(
                "{owner}: {parameter} must be {allowed}, got {value!r}.",
                key="wrong-kind",
                owner=measure,
                parameter=self.name,
                allowed=self.allowed_values,
                value=value,
            )
        if value not in self.range:
            raise MeasureError(
                "{owner}: {parameter} must be {range}, got {value}.",
                key="out-of-range",
                owner=measure,
                parameter=self.name,
                range=self.range,
                value=format_value(value),
            )
        if not math.isfinite(value) or (is_integer and value > MAX_WHOLE_NUMBER):
            raise MeasureError(
                "{owner}: {parameter} is too large, got {value}.",
                owner=measure,
                parameter=self.name,
                value=format_value(value),
            )
        return float(value)

    def _read_gain(self, text: str, measure: str) -> Value:
        """Parse a named gain, or a map such as `1:3/2:9`."""
        if ":" not in text:
            return self.check(text.lower(), measure)
        pairs = {}
        for piece in text.split(LIST_SEPARATOR):
            grade, _, gain = (part.strip() for part in piece.partition(":"))
            if not WHOLE_NUMBER.fullmatch(grade) or not NUMBER_PATTERN.fullmatch(gain):
                raise MeasureError(
                    "{owner}: {parameter} must be {allowed}, got {text!r}.",
                    owner=measure,
                    parameter=self.name,
                    allowed=self.allowed_values,
                    text=piece.strip(),
                )
            if int(grade) in pairs:
                raise MeasureError(
                    "{owner}: {parameter} contains grade {grade} twice.",
                    owner=measure,
                    parameter=self.name,
                    grade=int(grade),
                )
            if int(grade) < 0 or not 0 <= float(gain) < math.inf:
                raise MeasureError(
                    "{owner}: grades and their gains must be 0 or more, got {text!r}.",
                    owner=measure,
                    text=piece.strip(),
                )
            pairs[int(grade)] = float(gain)
        return GainMap(tuple(sorted(pairs.items())))


# A parameter of all ranking measures and some set measures: unjudged documents are removed from
# the run first (trec_eval's -J).
JUDGED_ONLY = Parameter(
    "judged_only",
    "choice",
    required=False,
    default=None,
    optional=True,
    choices=("true",),
    range=ANY_NUMBER,
    about="Unjudged documents are removed from the ranking first.",
)


def format_value(value: Value) -> str:
    """Return a value as printed in names: the shortest string that is parsed to the value.

    >>> format_value(2.0), format_value(0.1), format_value("exp2")
    ('2', '0.1', 'exp2')
    """
    if isinstance(value, tuple):
        return LIST_SEPARATOR.join(map(format_value, value))
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)


def split_name(text: str, expected_form: str) -> tuple[str, str | None, str | None]:
    """Return the parts of a name: head, text in brackets, and text after `@`."""
    match = NAME_PATTERN.fullmatch(text)
    if not match or not match["head"].strip():
        raise MeasureError(
            "{text}: {expected}.", key="wrong-shape", text=text, expected=expected_form
        )
    return (
        match["head"].strip(),
        match["inside"],
        None if match["at"] is None else match["at"].strip(),
    )


def find_parameter(parameters: Sequence[Parameter], name: str, owner: str) -> Parameter:
    """Return the parameter with the given name.

    Raises MeasureError if there is no such parameter. The message suggests the most similar name;
    `owner` is the name of the measure in the message.
    """
    parameters_by_name = {parameter.name: parameter for parameter in parameters}
    if name in parameters_by_name:
        return parameters_by_name[name]
    if nearest_name := nearest(name, parameters_by_name):
        raise MeasureError(
            "{owner} has no parameter {name!r}. Did you mean {suggestion}?",
            key="unknown-parameter",
            owner=owner,
            name=name,
            suggestion=nearest_name,
        )
    raise MeasureError(
        "{owner} has no parameter {name!r}; its parameters are {names}."
        if parameters_by_name
        else "{owner} has no parameter {name!r}; it has no parameters.",
        key="unknown-parameter",
        owner=owner,
        name=name,
        names=", ".join(parameters_by_name),
    )


def read_values(
    parameters: Sequence[Parameter], bracket_text: str | None, owner: str, text: str
) -> dict[str, Value]:
    """Parse the values in brackets, such as `p=0.5,ties=a`."""
    values: dict[str, Value] = {}
    for piece in (bracket_text or "").split(",") if (bracket_text or "").strip() else ():
        name, equals_sign, value = (part.strip() for part in piece.partition("="))
        if not equals_sign or not name or not value:
            raise MeasureError(
                "{text}: expected parameters in the form name=value, got {parameter!r}.",
                text=text,
                parameter=piece.strip(),
            )
        parameter = find_parameter(parameters, name.lower(), owner)
        if parameter.name in values:
            raise MeasureError(
                "{text}: {name} is given twice.", key="given-twice", text=text, name=parameter.name
            )
        # ir_measures prints words in quotation marks
        values[parameter.name] = parameter.read(value.strip("'\""), text)
    return values


def format_name(
    name: str,
    declared: Sequence[Parameter],
    values: Iterable[tuple[str, Value]],
    always_shown: Iterable[str],
    at_parameter: str | None,
) -> str:
    """Return a name for printing: `Name(param=value,…)@cutoff`.

    It contains the parameters that differ from their defaults or are in `always_shown`.
    """
    remaining = dict(values)
    at_value = remaining.pop(at_parameter, None) if at_parameter else None
    defaults = {
        parameter.name: parameter.default
        for parameter in declared
        if not parameter.required and parameter.name not in always_shown
    }
    parameters_text = ",".join(
        f"{name}={format_value(value)}"
        for name, value in remaining.items()
        if name not in defaults or value != defaults[name]
    )
    return (
        name
        + (f"({parameters_text})" if parameters_text else "")
        + (f"@{format_value(at_value)}" if at_value is not None else "")
    )


def list_parameters(function: Callable[..., Any]) -> tuple[Parameter, ...]:
    """Return the keyword-only parameters of a registered function, such as a measure.

    Raises TypeError if an annotation is not one of: int, float, tuple of floats, Literal of
    strings, Literal with `GainMap` or int, or one of these with None or a `Range`.
    """
    hints = get_type_hints(function, include_extras=True)
    descriptions = parameter_descriptions(function)
    return tuple(
        _make_parameter(parameter, hints[parameter.name], descriptions.get(parameter.name, ""))
        for parameter in inspect.signature(function).parameters.values()
        if parameter.kind is parameter.KEYWORD_ONLY
    )


def _make_parameter(declared: inspect.Parameter, hint: Any, description: str) -> Parameter:
    limits = ANY_NUMBER
    if get_origin(hint) is Annotated:
        hint, *annotations = get_args(hint)
        limits = next(
            (annotation for annotation in annotations if isinstance(annotation, Range)), ANY_NUMBER
        )
        description = description or next(
            (annotation for annotation in annotations if isinstance(annotation, str)), ""
        )
    kinds = set(get_args(hint)) if get_origin(hint) in (types.UnionType, Union) else {hint}
    is_optional, allows_map = type(None) in kinds, GainMap in kinds
    literals = [kind for kind in kinds if get_origin(kind) is Literal]
    sizes = bool(literals) and int in kinds
    hint = next(literal for literal in literals or kinds if literal not in (type(None), GainMap))
    choices = get_args(hint) if get_origin(hint) is Literal else ()
    numbers = hint == tuple[float, ...]
    if not choices and not numbers and hint not in (int, float):
        raise TypeError(
            Message(
                "{name}: a parameter of a measure must be an int, a float, a tuple of "
                "floats or a Literal, got {annotation}",
                name=declared.name,
                annotation=hint,
            )
        )
    is_required = declared.default is inspect.Parameter.empty
    kind: ParameterKind
    if choices and allows_map:
        kind = "gain"
    elif choices:
        kind = "size" if sizes else "choice"
    elif numbers:
        kind = "numbers"
    else:
        kind = "whole" if hint is int else "number"
    if is_required:
        default = None
    elif kind == "number" and declared.default is not None:
        default = float(declared.default)
    else:
        default = declared.default
    return Parameter(
        declared.name, kind, is_required, default, is_optional, choices, limits, description
    )


# Registry of measures, which are declared by the decorator `measure`


Kind: TypeAlias = Literal["count", "set", "ranked", "graded"]
Summary: TypeAlias = Literal["mean", "sum", "pooled"]
Mean: TypeAlias = Literal["arithmetic", "geometric"]
Better: TypeAlias = Literal["higher", "lower", "neither"]
Law: TypeAlias = Literal["bounds", "top_heavy", "tail", "unjudged", "together", "finite"]
MeasureFunction = TypeVar("MeasureFunction", bound=Callable[..., Scores])


@dataclass(frozen=True, slots=True)
class Alias:
    """Name of a measure in another program or notation, with the parameters it implies.

    Text after the name can set parameters: `ndcg_cut_10` means nDCG@10. `suffix` contains
    the names of these parameters; if it is None, the text sets the same parameter as `@`.
    """

    name: str  # name to type; case is ignored
    preset: tuple[tuple[str, Value], ...] = ()  # parameters that the name implies
    # name of the parameter that the suffix in `name_x` or `name.x,y` sets, or a name for each
    # number of the suffix; None if the suffix sets the same parameter as `@`
    suffix: str | tuple[str, ...] | None = None
    # function that converts the suffix to the parameter's value; None if the value is the suffix
    convert: Callable[[float], float] | None = None
    # suffix if none is given, with its separator, such as `.5,10`; empty if there is no default
    bare: str = ""

    @property
    def suffix_parameters(self) -> tuple[str, ...]:
        """Names of the parameters that a suffix of the alias sets."""
        return (self.suffix,) if isinstance(self.suffix, str) else self.suffix or ()


@dataclass(frozen=True, slots=True)
class MicroAverage:
    """Functions that compute a measure from counts summed over topics (micro-averaging).

    `counts` computes the counts of each topic, and `formula` computes the value from the sums of
    the counts; by default, the first sum is divided by the second.
    """

    # function that computes the counts, shape (T,) each, from the measure's arguments
    counts: Callable[..., tuple[Scores, ...]]
    # function that computes the values from counts of any shape; by default, the first count
    # divided by the second, or 0 where the second is 0
    formula: Callable[..., Scores] = divide


@dataclass(frozen=True, slots=True)
class Exemption:
    """Exemption of a measure from a law that is checked for measures, with the reason.

    An example of a law is `top_heavy`: moving a relevant document up never lowers the value. This
    law is checked only for measures declared as top-heavy. If `when` is empty, the exemption always
    applies. Otherwise it applies only if each parameter in `when` has one of the values or types
    given there.
    """

    law: Law
    reason: str
    when: tuple[tuple[str, tuple[Value | type, ...]], ...] = ()

    def covers(self, parameters: dict[str, Value]) -> bool:
        """Return whether a measure with these parameters is exempt."""
        return all(
            parameters[name] in values or type(parameters[name]) in values
            for name, values in self.when
        )


@dataclass(frozen=True, slots=True)
class MeasureDeclaration:
    """Registry entry of a measure: names, formula, properties, parameters and function.

    The parameters have only default values; a `Measure` combines a declaration with values.
    """

    name: str  # such as `nDCG`
    title: str  # such as `Normalised discounted cumulative gain`
    formula: str  # one line of plain text
    bounds: tuple[float, float]  # lowest and highest possible value
    kind: Kind  # section of the catalogue
    # how a run's value is computed: mean or sum over topics, or pooled from the counts of `micro`
    summary: Summary
    mean: Mean  # kind of mean over topics; the geometric mean applies only to values above 0
    better: Better  # which values are better; `neither` for measures that do not express quality
    # counts to pool over topics; None if the measure is not based on counts
    micro: MicroAverage | None
    # counts used if the parameter `mean` is `ratio`; None if there is no such parameter
    ratio: MicroAverage | None
    aliases: tuple[Alias, ...]  # names in other programs or notations
    parameters: tuple[Parameter, ...]  # in the order of the function's parameters
    at: str | None  # parameter set by `@x`; None if the measure does not accept `@`
    always: tuple[str, ...]  # parameters that are always printed, since there is no agreed default
    # whether moving a relevant document up past a non-relevant one never lowers the value
    top_heavy: bool
    exemptions: tuple[Exemption, ...]  # laws from which the measure is exempt, with the reasons
    # inputs besides qrels and run: `subtopics`, or the name of an auxiliary file
    needs: tuple[str, ...]
    function: Callable[..., Scores]  # function that computes the values of all topics

    @property
    def about(self) -> str:
        """First paragraph of the function's docstring."""
        return summarise(self.function)

    @property
    def notes(self) -> str:
        """Notes section of the function's docstring; empty if there is none."""
        return docstring_section(self.function, "Notes")

    @property
    def references(self) -> str:
        """References section of the function's docstring; empty if there is none."""
        return docstring_section(self.function, "References")

    @property
    def is_arithmetic_mean(self) -> bool:
        """Whether the value of a run is the arithmetic mean over topics, unless pooled."""
        return self.summary == "mean" and self.mean == "arithmetic"

    @property
    def requires_at(self) -> bool:
        """Whether names require `@x`."""
        return self.at is not None and self.parameter(self.at).required

    def alias(self, name: str) -> Alias:
        """Return the alias with a name, ignoring case; by default, the name of the measure."""
        return next(
            (alias for alias in self.aliases if alias.name.lower() == name.strip().lower()),
            Alias(self.name),
        )

    def parameter(self, name: str) -> Parameter:
        """Return the parameter with the given name."""
        return next(parameter for parameter in self.parameters if parameter.name == name)

    def with_parameters(self, values: Mapping[str, Value]) -> "MeasureDeclaration":
        """Return the declaration for given parameter values.

        If `mean` is `ratio`, the value of a run is computed from counts pooled over topics.
        """
        if self.ratio is None or values.get("mean") != "ratio":
            return self
        return replace(self, summary="pooled", micro=self.ratio)

    def satisfies(self, law: Law, parameters: dict[str, Value]) -> bool:
        """Return whether the measure must obey a law with these parameters."""
        if law == "top_heavy" and not self.top_heavy:
            return False
        return not any(
            exemption.law == law and exemption.covers(parameters) for exemption in self.exemptions
        )


def _sort_key(declaration: MeasureDeclaration) -> tuple[int, str, int]:
    """Return the key by which the catalogue sorts measures: kind, module and line."""
    return (
        get_args(Kind).index(declaration.kind),
        declaration.function.__module__,
        inspect.unwrap(declaration.function).__code__.co_firstlineno,
    )


class MeasureRegistry(Catalogue[MeasureDeclaration]):
    """Registry of measures by name and alias; case is ignored.

    The decorator `measure` registers a function; `declare` adds a given declaration.
    """

    def __init__(
        self,
        modules: Iterable[str] = (),
        more: Callable[[], object] | None = None,
    ) -> None:
        fold: Callable[[str], str] = lambda name: name.strip().lower()  # noqa: E731
        super().__init__(
            Message("Measure"),
            sort_key=_sort_key,
            normalise=fold,
            error_class=MeasureError,
            listing=Message("Run `irjudge measures` for the list."),
            modules=modules,
            load_extensions=more,
        )

    def measure(
        self,
        name: str,
        *,
        title: str,
        formula: str,
        bounds: tuple[float, float] = (0, 1),
        kind: Kind = "ranked",
        summary: Summary = "mean",
        mean: Mean = "arithmetic",
        better: Better = "higher",
        micro: MicroAverage | None = None,
        ratio: MicroAverage | None = None,
        aliases: Sequence[str | Alias] = (),
        at: str | None = None,
        always: Sequence[str] = (),
        top_heavy: bool = False,
        exemptions: Sequence[Exemption] = (),
        needs: Sequence[str] = (),
        condensed: bool = False,
    ) -> Callable[[MeasureFunction], MeasureFunction]:
        """Register the decorated function; see `MeasureDeclaration` for the keywords.

        The function takes a `JudgedRun` and keyword-only parameters, and returns the values of
        all topics. Measures of rankings, and others that are `condensed`, also get the
        parameter `judged_only`, which passes them the run without unjudged documents. `at`
        defaults to `cutoff` if the function has that parameter. The name of the package is added to
        the title of a measure from an extension.

        Raises
        ------
        TypeError
            If the function has no docstring, or lacks a parameter named in the declaration.
        ValueError
            If the name or an alias is already used.
        """

        def register(function: MeasureFunction) -> MeasureFunction:
            package = providing_package(function.__module__)
            parameters = (
                *list_parameters(function),
                *([JUDGED_ONLY] if condensed or kind in ("ranked", "graded") else []),
            )
            self.declare(
                MeasureDeclaration(
                    name=name,
                    title=Message("{title} (by {package})", title=title, package=package)
                    if package
                    else title,
                    formula=formula,
                    bounds=bounds,
                    kind=kind,
                    summary=summary,
                    mean=mean,
                    better=better,
                    micro=micro,
                    ratio=ratio,
                    aliases=tuple(
                        Alias(alias) if isinstance(alias, str) else alias for alias in aliases
                    ),
                    parameters=parameters,
                    at=at
                    or (
                        "cutoff"
                        if "cutoff" in {parameter.name for parameter in parameters}
                        else None
                    ),
                    always=tuple(always),
                    top_heavy=top_heavy,
                    exemptions=tuple(exemptions),
                    needs=tuple(needs),
                    function=function,
                )
            )
            return function

        return register

    def declare(self, declaration: MeasureDeclaration) -> None:
        """Add a measure.

        Raises TypeError if it has no docstring, or refers to a parameter that it lacks.
        """
        if not declaration.about:
            raise TypeError(
                f"{declaration.name} needs a docstring: the catalogue and the help are made from it"
            )
        used_names = {*declaration.always, *([declaration.at] if declaration.at else [])}
        used_names |= {name for alias in declaration.aliases for name, _ in alias.preset}
        used_names |= {name for alias in declaration.aliases for name in alias.suffix_parameters}
        used_names |= {name for exemption in declaration.exemptions for name, _ in exemption.when}
        if unknown_names := used_names - {parameter.name for parameter in declaration.parameters}:
            raise TypeError(
                f"{declaration.name} has no parameter {', '.join(sorted(unknown_names))}"
            )
        self.add(declaration, (alias.name for alias in declaration.aliases))


# Modules of measures, listed by name because they import this module. They are searched in this
# order, the most common measures first, because importing each takes milliseconds.
MEASURE_MODULES = (
    "precision",
    "cumulative_gain",
    "sets",
    "counts",
    "rank_biased",
    "averaged_gain",
    "cascade_diversity",
    "diversity",
    "effort",
    "exposure",
    "preference",
    "user_models",
    "user_oriented",
    "answers",
)
MEASURE_REGISTRY = MeasureRegistry(
    modules=(f"{__package__}.{name}" for name in MEASURE_MODULES),
    more=lambda: load_extensions("irjudge.measures"),
)
measure = MEASURE_REGISTRY.measure
list_measures = MEASURE_REGISTRY.catalogue
find_measure = MEASURE_REGISTRY.find


# Names of measures and measure groups, conventions of other programs, and best values

# Bracketed variants of a formula, such as " (norm=share: / N)", which may contain inner brackets
VARIANTS = re.compile(
    r"(?P<open> \(|（)(?P<variants>\w+=(?:[^()（）]|\([^()]*\))*)(?P<close>\)|）)"
)
VARIANT_PATTERN = re.compile(r"(\w+)=(\S+)(?:: |：)")

# Profiles: conventions of programs that compute the same measure differently

Profile: TypeAlias = Literal["irjudge", "trec_eval-9", "trec_eval-10"]
PROFILES: tuple[Profile, ...] = get_args(Profile)


@dataclass(frozen=True, slots=True)
class ProfileRules:
    """Rules of a profile, which make values and tables agree with those of irjudge or trec_eval."""

    meaning: str  # description of the profile
    # default of the parameter `rule`, by which precision at a recall level is computed; None for
    # the default of each measure
    rule: Literal["trec9", "trec10"] | None = None
    # default values of parameters, by measure name
    presets: tuple[tuple[str, tuple[tuple[str, float | str], ...]], ...] = ()
    # whether scores are compared in single precision, which causes more ties
    single_scores: bool = False
    # whether topics that are missing in the run are not printed, and count as 0 in every mean, even
    # if the measure's value for an empty list is not 0
    skips_missing: bool = False
    # whether the number of relevant documents over all topics counts grades above 0, regardless of
    # the lowest relevant grade
    relevant_above_0: bool = False
    omitted_names: frozenset[str] = frozenset()  # names that trec_eval's groups do not include
    # whether `--format trec` uses trec_eval's order of measures and topics, not the requested one
    uses_trec_order: bool = True


PROFILE_RULES: dict[Profile, ProfileRules] = {
    "irjudge": ProfileRules(
        Message("as in the definitions of the measures"), uses_trec_order=False
    ),
    "trec_eval-9": ProfileRules(
        Message(
            "as in trec_eval 9.0.8 (compares scores in single precision; recall level x needs "
            "floor(x·R + 0.9) relevant documents)"
        ),
        rule="trec9",
        single_scores=True,
        skips_missing=True,
        relevant_above_0=True,
        omitted_names=frozenset(("rbp", "rbp_resid", "unj")),
    ),
    "trec_eval-10": ProfileRules(
        Message(
            "as in trec_eval 10.0 (recall level x needs x·R relevant documents, rounded; rbp "
            "uses p = 0.9 and divides grades by the topic's highest grade)"
        ),
        rule="trec10",
        relevant_above_0=True,
        presets=(("RBP", (("p", 0.9), ("gain", "topic"))),),
    ),
}


# Names of measures and of groups of measures: parsing of several programs' notations, and printing

DCG_GAINS = {"log2": "linear", "exp-log2": "exp2"}
# Measures of other programs whose names could be mistaken for different measures of irjudge
UNSUPPORTED_MEASURES = {
    "Accuracy": Message(
        "In ir_measures, Accuracy is the share of pairs in the right order, which irjudge does "
        "not compute; ACC is the share of documents classified correctly."
    ),
    "Compat": Message(
        "In ir_measures, Compat is the rank-biased overlap with the best ranking, which "
        "irjudge does not compute; `irjudge preferences --documents --run` computes the "
        "compatibility of a run with preferences."
    ),
    "SDCG": Message(
        "In ir_measures, SDCG is DCG divided by the DCG of k documents of the highest grade, "
        "which irjudge does not compute. nDCG divides by the DCG of the best order of the "
        "judged documents; sDCG is the DCG of a session."
    ),
    **dict.fromkeys(
        ("NERR8", "NERR9", "NERR10", "NERR11"),
        Message(
            "In ir_measures, NERR is the nearly expected reciprocal rank, which irjudge does "
            "not compute; nERR is ERR divided by the ERR of the ideal ranking."
        ),
    ),
}
# SDCG is rejected in capitals only, since sDCG is a measure of irjudge
UNSUPPORTED_BY_LOWER_NAME = {name.lower(): name for name in UNSUPPORTED_MEASURES if name != "SDCG"}
# measures of irjudge that correspond to names of ranx without a cutoff
WHOLE_LIST_MEASURES = {"precision": "SetP", "recall": "SetR", "f1": "SetF"}
_RBP_PATTERN = re.compile(r"(?:(?i:rbp)\.|rbp@)(?P<digits>[0-9]+)(?:-l[0-9]+)?")
_LEVEL_PATTERN = re.compile(r"(?P<measure>[^()]+)-l(?P<level>[0-9]+)", re.IGNORECASE)


def translate_name(text: str) -> str:
    """Translate a name in ir_measures or ranx to irjudge's notation; others are unchanged.

    >>> names = "nDCG(dcg='exp-log2')@10", "nDCG(gains={0:0,1:3,2:9})", "ERR(max_rel=4)@20"
    >>> tuple(map(translate_name, names))
    ('nDCG(gain=exp2)@10', 'nDCG(gain=0:0/1:3/2:9)', 'ERR(highest=4)@20')
    >>> names = "map@5-l2", "ndcg@5-l3", "f1", "SetP(relative=True)", "NumRet(rel=2)"
    >>> tuple(map(translate_name, names))
    ('map(rel=2)@5', 'ndcg(gain=1:0/2:0)@5', 'SetF', 'SetRelP', 'NumRelRet(rel=2)')
    """
    _check_unsupported(text)
    text = _translate_name_without_cutoff(_translate_level(text))
    text = (
        re.sub(
            r"(?:(?<=\()\s*+|,\s*+)?\b(judged_only|relative)\s*+=\s*+false\b",
            "",
            text,
            flags=re.IGNORECASE,
        )
        .replace("(,", "(")
        .replace("()", "")
    )
    text = re.sub(
        r"\bgains\s*+=\s*+\{([^{}]*+)\}",
        lambda match: "gain=" + "/".join(part.strip() for part in match[1].split(",")),
        text,
    )
    text = re.sub(r"\bdcg\s*=\s*['\"]?([\w-]+)['\"]?", _translate_dcg, text)
    return re.sub(r"\bmax_rel(?=\s*=)", "highest", _derive_measure_name(text))


def _check_unsupported(text: str) -> None:
    head = _translate_head(text)
    name = head if head in UNSUPPORTED_MEASURES else UNSUPPORTED_BY_LOWER_NAME.get(head.lower())
    if name is not None:
        raise MeasureError(
            "{text}: {alternative}", text=text, alternative=UNSUPPORTED_MEASURES[name]
        )
    if head.lower() == "rbp" and re.search(r"\bmax_rel\b", text):
        raise MeasureError(
            "{text}: in irjudge, max_rel corresponds to RBP(gain=graded) with the highest "
            "grade set by --highest.",
            text=text,
        )
    if match := _RBP_PATTERN.fullmatch(text):
        raise MeasureError(
            "{text}: rbp in ranx multiplies by the grade itself, which irjudge does not "
            "support; RBP({p}) uses the gain 1 for each relevant document, and "
            "RBP({p},gain=graded) uses grades divided by the highest grade.",
            key="rbp-of-grades",
            text=text,
            p=f"p=0.{match['digits']}",
        )


def _translate_head(text: str) -> str:
    return re.split(r"[(@]", text, maxsplit=1)[0].strip()


def _translate_level(text: str) -> str:
    """Translate ranx's suffix `-l2`: grades below 2 are not relevant and have gain 0."""
    match = _LEVEL_PATTERN.fullmatch(text)
    if not match:
        return text
    head, at_sign, cutoff = match["measure"].partition("@")
    level = int(match["level"])
    is_gain_measure = head.lower().endswith(("dcg", "dcg_burges"))
    if is_gain_measure and level > 1 and head.lower().endswith("_burges"):
        raise MeasureError(
            "{text}: give the gain of each grade (2^grade − 1, but 0 below grade {level}), for "
            "example {example}.",
            key="gain-to-write",
            text=text,
            level=level,
            example=f"{head.lower().removesuffix('_burges').replace('dcg', 'DCG')}(gain=1:0/2:3/3:7){at_sign}{cutoff}",
        )
    if is_gain_measure and level <= 1:
        return f"{head}{at_sign}{cutoff}"
    argument = (
        "gain=" + "/".join(f"{grade}:0" for grade in range(1, level))
        if is_gain_measure
        else f"rel={level}"
    )
    return f"{head}({argument}){at_sign}{cutoff}"


def _translate_name_without_cutoff(text: str) -> str:
    """Replace a name of ranx without cutoff with the name of the corresponding set measure."""
    head = _translate_head(text)
    has_cutoff = "@" in text or "cutoff" in text
    return (
        WHOLE_LIST_MEASURES[head.lower()] + text[len(head) :]
        if head.lower() in WHOLE_LIST_MEASURES and not has_cutoff
        else text
    )


def _derive_measure_name(text: str) -> str:
    """Translate ir_measures' `SetP(relative=true)` and `NumRet(rel=…)` to irjudge's names."""
    head = _translate_head(text).lower().replace("_", "")
    if head == "setp" and (
        match := re.search(r"\brelative\s*=\s*true\b\s*,?\s*", text, re.IGNORECASE)
    ):
        parameters_text = (text[: match.start()] + text[match.end() :]).partition("(")[2]
        return "SetRelP" + f"({parameters_text}".replace(",)", ")").replace("()", "")
    if head == "numret" and re.search(r"\brel\s*=", text):
        return "NumRelRet" + text[len(_translate_head(text)) :]
    return text


def _translate_dcg(match: re.Match[str]) -> str:
    if match[1] not in DCG_GAINS:
        raise MeasureError(
            "dcg must be {choices}, got {value!r}.", choices=join_choices(DCG_GAINS), value=match[1]
        )
    return f"gain={DCG_GAINS[match[1]]}"


# trec_eval appends parameters to the name: ndcg_cut_10, set_F.0.5, rbp.p=0.5, or several, as in
# iprec_at_recall..10,.20 and ndcg.1=3,2=9.
SUFFIXED_NAME_PATTERN = re.compile(
    r"(?P<base>.{1,80}?)(?P<suffix>[._]([a-z]=)?[-+.,=0-9]*)", re.IGNORECASE
)
Settings: TypeAlias = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Measure:
    """Measure with a value for each of its parameters.

    The parameters include those with default values, most of which the name omits. `compute`
    returns a value for each topic of a judged run.

    >>> (measure,) = parse_measure_name("ndcg_cut_10")
    >>> measure.name, measure.values["gain"]
    ('nDCG@10', 'linear')
    >>> measure.compute(JudgedRun.single(ranked=[2, 0, 1])).round(4)
    array([0.9502])
    """

    declaration: MeasureDeclaration
    # name and value of every parameter, including defaults, in the order of the function's
    # signature
    parameters: tuple[tuple[str, Value], ...]
    # numbers typed after a name of trec_eval, which prints them unchanged; empty for cutoffs
    typed_suffix: str = field(default="", compare=False)

    @property
    def values(self) -> dict[str, Value]:
        """Values of the parameters, by parameter name."""
        return dict(self.parameters)

    @property
    def name(self) -> str:
        """Printed name: `Name(param=value,…)@cutoff`.

        It contains the parameters that differ from their defaults or are always printed.
        """
        declaration = self.declaration
        return format_name(
            declaration.name,
            declaration.parameters,
            self.parameters,
            declaration.always,
            declaration.at,
        )

    @property
    def direction(self) -> int:
        """1 if higher values are better, -1 if lower values are better, 0 if neither.

        >>> [parse_measure_name(name)[0].direction for name in ("AP", "FNR", "NumQ")]
        [1, -1, 0]
        """
        return {"higher": 1, "lower": -1, "neither": 0}[self.declaration.better]

    @property
    def by_subtopics(self) -> bool:
        """Whether the measure uses subtopics (column 2 of the qrels)."""
        return "subtopics" in self.declaration.needs

    @property
    def judged_only(self) -> bool:
        """Whether unjudged documents are removed from the run before the value is computed."""
        return self.values.get(JUDGED_ONLY.name) is not None

    @property
    def settings(self) -> dict[str, Value]:
        """Values of the parameters of the measure's function: all but `judged_only`."""
        return {name: value for name, value in self.parameters if name != JUDGED_ONLY.name}

    def select_judged(self, run: JudgedRun) -> JudgedRun:
        """Return the judged run, without unjudged documents if `judged_only` is set."""
        return run.without_unjudged() if self.judged_only else run

    @property
    def needs_highest(self) -> bool:
        """Whether the value depends on the highest grade of the scale, which no parameter sets."""
        values = self.values
        return ("highest" in values and values["highest"] is None) or values.get("gain") == "graded"

    @property
    def definition(self) -> str:
        """Line for legends: title, formula, and values of the parameters in the formula.

        >>> parse_measure_name("P@10")[0].definition
        'P@10 (Precision): relevant documents in the top k / k; relevant: grade 1 or more; k = 10'
        """
        placeholders = {
            "title": Message(self.declaration.title),
            "formula": Message(self.declaration.formula),
        }
        parts: list[str] = [Message("{name} ({title}): {formula}", name=self.name, **placeholders)]
        for name, value in self.parameters:
            if name == "rel":
                parts.append(Message("relevant: grade {grade} or more", grade=format_value(value)))
            elif value is not None:
                parts.append(f"{PARAMETER_SYMBOLS.get(name, name)} = {format_value(value)}")
        return join_messages(parts, SEMICOLON)

    def select_variants(self, formula: str) -> str:
        """Return a formula without bracketed variants for other values of the parameters.

        The formula may be translated.

        >>> parse_measure_name("AP(norm=cutoff)@5")[0].select_variants("Σ / R (norm=cutoff: / k)")
        'Σ / R (norm=cutoff: / k)'
        >>> parse_measure_name("AP")[0].select_variants("Σ P@r / R (norm=cutoff: / min(R, k)), or 0")
        'Σ P@r / R, or 0'
        """
        shown_formula = formula
        for group in VARIANTS.finditer(formula):
            variants = [
                variant
                for variant in re.split("(?<=; )|(?<=；)", group["variants"])
                if (parameter_match := VARIANT_PATTERN.match(variant))
                and self._has_value(*parameter_match.groups())
            ]
            text = "".join(variants).rstrip("; ；")
            bracketed_text = f"{group['open']}{text}{group['close']}" if text else ""
            shown_formula = shown_formula.replace(group[0], bracketed_text)
        return shown_formula

    def _has_value(self, name: str, text: str) -> bool:
        """Return whether the parameter `name` has the value `text`; all gain maps are equal."""
        value = self.values.get(name)
        formatted_value = "" if value is None else format_value(value)
        return formatted_value == text or (":" in formatted_value and ":" in text)

    def compute(self, run: JudgedRun) -> Scores:
        """Return the value of each topic: shape (T,), float64."""
        return np.asarray(
            self.declaration.function(self.select_judged(run), **self.settings), dtype=np.float64
        )

    def __str__(self) -> str:
        return self.name


# Symbols of parameters in formulas
PARAMETER_SYMBOLS = {"cutoff": "k", "recall": "x", "multiple": "x"}


def make_measure(declaration: MeasureDeclaration, **values: Value) -> Measure:
    """Return a measure with the given parameters, and with defaults for all others.

    Raises MeasureError if a parameter is unknown or missing, or if its value is invalid.

    >>> make_measure(MEASURE_REGISTRY.find("P"), cutoff=5, rel=2).name
    'P(rel=2)@5'
    """
    for name in values:
        find_parameter(declaration.parameters, name, declaration.name)
    return _build_measure(declaration, values, declaration.name)


def parse_measure_name(
    text: str,
    *,
    rel: int = 1,
    profile: Profile = "irjudge",
    registry: MeasureRegistry = MEASURE_REGISTRY,
) -> tuple[Measure, ...]:
    """Parse the name of a measure, of a group, or of a measure with several cutoffs.

    Examples are `nDCG(gain=exp2)@10`, `P@5,10`, and trec_eval's `P_10`, `P.5,10` and `set_F.0.5`;
    case is ignored. `rel` is the lowest relevant grade for measures with this parameter,
    unless the name sets it; gains never depend on it. `profile` selects defaults and groups.

    Raises MeasureError if a name or parameter is unknown or missing, or a value is out of
    range.

    >>> [each.name for each in parse_measure_name("P.5,10", rel=2)]
    ['P(rel=2)@5', 'P(rel=2)@10']
    """
    text = text.strip()
    if not text:
        raise MeasureError("The name of a measure is empty; run `irjudge measures` for the list.")
    names = group_members(text, profile) or (text,)
    return tuple(
        dict.fromkeys(
            measure for name in names for measure in _parse_measure(name, rel, profile, registry)
        )
    )


def _parse_measure(
    text: str, rel: int, profile: Profile, registry: MeasureRegistry
) -> list[Measure]:
    head, bracket_text, at_text = _split_measure(translate_name(text))
    declaration, alias, suffix = _find_declaration(head, text, registry)
    values = _infer_parameters(declaration, alias, rel, profile)
    named_values = read_values(declaration.parameters, bracket_text, declaration.name, text)
    values |= named_values
    if suffix is not None and at_text is not None:
        raise MeasureError(
            "{text}: {alias} has both {suffix!r} and @{cutoff}; use one of them.",
            text=text,
            alias=alias.name,
            suffix=suffix,
            cutoff=at_text,
        )
    if suffix is None and at_text is None and declaration.at not in named_values:
        suffix = alias.bare or None
    if suffix is not None:
        settings, printed_suffix = _read_suffix(declaration, alias, suffix, text)
    else:
        settings = [{}] if at_text is None else _read_values_after_at(declaration, at_text, text)
        printed_suffix = ""
    if repeated_names := settings[0].keys() & named_values:
        raise MeasureError(
            "{text}: {parameter} is given twice.", text=text, parameter=min(repeated_names)
        )
    return [
        _build_measure(declaration, {**values, **setting}, text, printed_suffix)
        for setting in settings
    ]


def _infer_parameters(
    declaration: MeasureDeclaration, alias: Alias, rel: int, profile: Profile
) -> Settings:
    rules = PROFILE_RULES[profile]
    values = dict(alias.preset) or dict(dict(rules.presets).get(declaration.name, ()))
    for parameter in declaration.parameters:
        if parameter.name == "rel":
            values.setdefault("rel", rel)
        if parameter.name == "rule" and rules.rule in parameter.choices:
            values.setdefault("rule", rules.rule)
    return values


def _split_measure(text: str) -> tuple[str, str | None, str | None]:
    """Return the parts of a name: head, text in brackets, and text after `@`."""
    if text.count("(") != text.count(")"):
        raise MeasureError(
            "{text}: a closing bracket is missing."
            if text.count("(") > text.count(")")
            else "{text}: an opening bracket is missing.",
            text=text,
        )
    if text.count("@") > 1:
        raise MeasureError(
            "{text}: more than one @; several cutoffs are written as P@5,10.", text=text
        )
    return split_name(text, Message("expected a measure in the form Name(parameter=value)@cutoff"))


def _find_declaration(
    head: str, text: str, registry: MeasureRegistry
) -> tuple[MeasureDeclaration, Alias, str | None]:
    """Return the measure with the name `head`, the alias used, and trec_eval's suffix or None."""
    if declaration := registry.lookup(head):
        return declaration, declaration.alias(head), None
    match = SUFFIXED_NAME_PATTERN.fullmatch(head)
    if match and (declaration := registry.lookup(match["base"])):
        return declaration, declaration.alias(match["base"]), match["suffix"]
    raise _make_unknown_measure_error(head, text, registry)


def _make_unknown_measure_error(head: str, text: str, registry: MeasureRegistry) -> IrjudgeError:
    match = SUFFIXED_NAME_PATTERN.fullmatch(head)
    base = match["base"] if match else head
    nearest_name = registry.nearest(base, other_names=GROUPS)
    return registry.unknown_name_error(
        text, nearest_name and _correct_name(text, base, nearest_name, registry)
    )


def _correct_name(text: str, base: str, name: str, registry: MeasureRegistry) -> str:
    """Return `text` with its name replaced by `name`; only `name` if the rest is also wrong."""
    corrected_text = name + text[len(base) :]
    try:
        parse_measure_name(corrected_text, registry=registry)
    except MeasureError:
        return name
    return corrected_text


def _read_values_after_at(
    declaration: MeasureDeclaration, at_text: str, text: str
) -> list[Settings]:
    """Return the values after the `@`, each as a setting of the parameter that `@` sets."""
    if declaration.at is None:
        raise MeasureError(
            "{text}: {measure} does not take a cutoff (@).",
            text=text,
            measure=declaration.name,
        )
    parameter = declaration.parameter(declaration.at)
    try:
        return [{parameter.name: parameter.read(part.strip(), text)} for part in at_text.split(",")]
    except MeasureError as error:
        if (suggested_share := _convert_percentage(parameter, at_text)) is None:
            raise
        raise MeasureError(
            "{problem} Did you mean {suggestion}?",
            key="percent-for-share",
            problem=str(error),
            suggestion=f"{text[: text.rindex('@')]}@{suggested_share}",
        ) from None


def _convert_percentage(parameter: Parameter, at_text: str) -> str | None:
    """Convert a percentage to a share; None for other text, or if the share is invalid.

    >>> from irjudge.metrics import MEASURE_REGISTRY
    >>> _convert_percentage(MEASURE_REGISTRY.lookup("WSS").parameter("recall"), "95")
    '0.95'
    """
    percent = at_text.strip().removesuffix("%")
    if parameter.kind != "number" or not re.fullmatch(
        r"(?:[2-9]|[0-9]{2})(?:\.[0-9]{1,4})?|100", percent
    ):
        return None
    share = f"{Decimal(percent) / 100}"
    try:
        parameter.read(share, "")
    except MeasureError:
        return None
    return share


def _read_suffix(
    declaration: MeasureDeclaration, alias: Alias, suffix: str, text: str
) -> tuple[list[Settings], str]:
    """Return the settings in trec_eval's suffix `_10`, `.5,10` or `.1=3,2=9`.

    The result also contains the suffix as printed by trec_eval; empty if it consists of cutoffs.
    """
    numbers = suffix[1:].split(",")
    if alias.suffix_parameters and (
        "=" in suffix or declaration.parameter(alias.suffix_parameters[0]).kind != "gain"
    ):
        return [_read_suffix_parameters(declaration, alias, numbers, text)], suffix[1:]
    if declaration.at is None:
        raise MeasureError(
            "{text}: {measure} does not take a number after its name.",
            text=text,
            measure=declaration.name,
        )
    parameter = declaration.parameter(declaration.at)
    # trec_eval ignores the decimals of a cutoff: ndcg_cut.23.4 has the cutoff 23
    is_integer = suffix[0] == "." and parameter.kind == "whole"
    return [
        {
            parameter.name: parameter.read(
                re.sub(r"(?<=[0-9])\..*", "", number) if is_integer else number, text
            )
        }
        for number in numbers
    ], ""


def _read_suffix_parameters(
    declaration: MeasureDeclaration, alias: Alias, numbers: list[str], text: str
) -> Settings:
    """Return the parameters that a suffix without cutoffs sets in trec_eval."""
    parameters = [declaration.parameter(name) for name in alias.suffix_parameters]
    if len(parameters) == 1:
        return {parameters[0].name: _read_joined_numbers(parameters[0], alias, numbers, text)}
    if len(numbers) != len(parameters):
        raise MeasureError(
            "{text}: {alias} needs {count} numbers ({parameters}); got {numbers}.",
            text=text,
            alias=alias.name,
            count=len(parameters),
            parameters=",".join(alias.suffix_parameters),
            numbers=len(numbers),
        )
    return {
        parameter.name: parameter.read(number, text)
        for parameter, number in zip(parameters, numbers, strict=True)
    }


def _read_joined_numbers(
    parameter: Parameter, alias: Alias, numbers: list[str], text: str
) -> Value:
    """Return the value of a parameter that all numbers of a suffix set together."""
    if parameter.kind == "gain":
        return parameter.read(
            LIST_SEPARATOR.join(number.replace("=", ":", 1) for number in numbers), text
        )
    if parameter.kind == "numbers":
        return parameter.read(LIST_SEPARATOR.join(numbers), text)
    value = parameter.read(",".join(numbers).lower().removeprefix(f"{parameter.name}="), text)
    return (
        parameter.check(alias.convert(value), text)
        if alias.convert and isinstance(value, float)
        else value
    )


def _build_measure(
    declaration: MeasureDeclaration, values: Settings, text: str, printed_suffix: str = ""
) -> Measure:
    """Return the measure with defaults filled in and all values checked."""
    for parameter in declaration.parameters:
        if parameter.required and parameter.name not in values:
            if parameter.kind == "whole":
                example = "10"
            elif parameter.choices:
                example = parameter.choices[0]
            else:
                example = "0.1"
            suggested_name = (
                f"{declaration.name}@{example}"
                if parameter.name == declaration.at
                else f"{declaration.name}({parameter.name}={example})"
            )
            value_label = {
                "cutoff": Message("a cutoff"),
                "recall": Message("a recall level"),
                "multiple": Message("a multiple of R"),
            }.get(parameter.name, Message("the parameter {parameter}", parameter=parameter.name))
            set_measure = MEASURE_REGISTRY.lookup(f"Set{declaration.name}")
            set_measure_hint = (
                Message(
                    "; {name} is the measure for all retrieved documents", name=set_measure.name
                )
                if set_measure and parameter.name == "cutoff"
                else ""
            )
            raise MeasureError(
                "{text} needs {parameter}, for example {example}{hint}.",
                key="missing-parameter",
                text=text,
                parameter=value_label,
                example=suggested_name,
                hint=set_measure_hint,
            )
    parameters = tuple(
        (parameter.name, parameter.check(values.get(parameter.name, parameter.default), text))
        for parameter in declaration.parameters
    )
    return Measure(declaration.with_parameters(dict(parameters)), parameters, printed_suffix)


TREC_CUTOFFS = "5,10,15,20,30,100,200,500,1000"

# names of measures in trec_eval, in the order in which it prints them; all but `TEXT_MEASURES` are
# aliases of measures of irjudge
TREC_KEYWORDS = (
    "runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P relstring recall infAP gm_bpref "
    "Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg ndcg_cut map_cut relative_P success set_P set_relative_P set_recall "
    "set_map set_F num_nonrel_judged_ret yaap rbp rbp_resid unj"
).split()
# trec_eval prints these measures for all topics together, not for single topics
SUMMARY_KEYWORDS = ("num_q", "gm_map", "gm_bpref")
# Replacements for names that need a cutoff, or that mean a different measure in irjudge
PRINTED_NAMES = {
    "P": f"P.{TREC_CUTOFFS}",
    "recall": f"recall.{TREC_CUTOFFS}",
    "success": "success.1,5,10",
    "rbp": "RBP(p=0.9,gain=topic)",
}

# Names of text values, which are not measures
TEXT_MEASURES = ("runid", "relstring")

OFFICIAL_GROUP = TREC_KEYWORDS[: TREC_KEYWORDS.index("P") + 1]
ALL_TREC_GROUP = [word for word in TREC_KEYWORDS if word != "yaap"]
SET_GROUP = "runid num_q num_ret num_rel num_rel_ret utility set_P set_relative_P set_recall set_map set_F".split()
MEASURE_GROUPS: dict[str, list[str]] = {
    "official": OFFICIAL_GROUP,
    "all_trec": ALL_TREC_GROUP,
    "set": SET_GROUP,
}


def group_members(group: str, profile: Profile = "irjudge") -> tuple[str, ...]:
    """Return the names of the measures in a group, in trec_eval's order; empty for other names.

    >>> group_members("official")[:3], group_members("official")[-1]
    (('num_q', 'num_ret', 'num_rel'), 'P.5,10,15,20,30,100,200,500,1000')
    """
    names = [
        word
        for word in MEASURE_GROUPS.get(group.lower(), ())
        if word not in TEXT_MEASURES and word not in PROFILE_RULES[profile].omitted_names
    ]
    return tuple(PRINTED_NAMES.get(word, word) for word in names)


GROUPS: dict[str, tuple[str, ...]] = {group: group_members(group) for group in MEASURE_GROUPS}


# Comparison of values by the direction of their measure (higher or lower is better)


def to_goodness(measure: Measure, values: npt.ArrayLike) -> Floats:
    """Return the values, negated if lower values are better.

    Values of a measure without direction (`Measure.direction` is 0) are unchanged: they are listed
    from high to low, but none is the best.

    >>> from irjudge.metrics import parse_measure_name
    >>> to_goodness(parse_measure_name("SetE")[0], [0.2, 0.5]).tolist()
    [-0.2, -0.5]
    """
    scores = np.asarray(values, dtype=np.float64)
    return -scores if measure.direction < 0 else scores


def best_first(measure: Measure, values: npt.ArrayLike) -> list[int]:
    """Return the indices of values, shape (N,), best first.

    Equal values keep their order, and nan is last.

    >>> from irjudge.metrics import parse_measure_name
    >>> best_first(parse_measure_name("SetE")[0], [0.5, 0.2, 0.9]), best_first(parse_measure_name("AP")[0], [0.5, 0.2, 0.9])
    ([1, 0, 2], [2, 0, 1])
    """
    order: list[int] = np.argsort(-to_goodness(measure, values), kind="stable").tolist()
    return order


def count_outcomes(measure: Measure, differences: npt.ArrayLike) -> tuple[int, int, int]:
    """Return the numbers of topics on which the first of two runs is better, equal, or worse.

    `differences` are the values of the first run minus those of the second, by topic.

    >>> from irjudge.metrics import parse_measure_name
    >>> count_outcomes(parse_measure_name("SetE")[0], [-0.1, -0.2, 0.0, 0.3])
    (2, 1, 1)
    """
    signs = np.sign(to_goodness(measure, differences))
    better, ties, worse = (int((signs == sign).sum()) for sign in (1, 0, -1))
    return better, ties, worse


def is_lower_better(name: str) -> bool:
    """Return whether a column has the name of a measure for which lower values are better.

    >>> is_lower_better("fallout"), is_lower_better("E@10"), is_lower_better("our own score")
    (True, True, False)
    """
    try:
        declaration = MEASURE_REGISTRY.find(re.split(r"[(@]", name, maxsplit=1)[0])
    except MeasureError:
        return False
    return declaration.better == "lower"


# Texts that trec_eval prints as measures: the tag of the run, and the grades at the top ranks

DEFAULT_LENGTH = 10
TEXT_NAME_PATTERN = re.compile(
    r"(?P<word>[a-z]+)([._](?P<length>[0-9]+)(\.[0-9]*)?)?", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class TextItem:
    """Text that trec_eval prints among the measures: run name or string of grades.

    The text itself is not included; `RunScores.texts` contains the string of grades of each topic.
    """

    keyword: str  # `runid` or `relstring`
    length: int = DEFAULT_LENGTH  # number of ranks in a string of grades
    typed_length: str = ""  # length as typed; empty if none was typed

    @property
    def name(self) -> str:
        """Name as printed by trec_eval."""
        return f"{self.keyword}_{self.typed_length}" if self.typed_length else self.keyword

    @property
    def about(self) -> str:
        """Description of the text."""
        return TEXT_DESCRIPTIONS[self.keyword]


TEXT_DESCRIPTIONS = {
    "runid": "the run's name",
    "relstring": "the grades at ranks 1 to 10, or to k with relstring.k: 0 to 9, > for more, . for a pooled document without a grade, "
    "- for one that is not in the qrels",
}


def parse_texts(name: str) -> tuple[TextItem, ...] | None:
    """Return the text values that a name or group refers to; None for other names.

    >>> [text.name for text in parse_texts("all_trec")], parse_texts("relstring.20")[0].length, parse_texts("map")
    (['runid', 'relstring'], 20, None)
    """
    name = name.strip().lower()
    if name in MEASURE_GROUPS:
        return tuple(TextItem(word) for word in MEASURE_GROUPS[name] if word in TEXT_MEASURES)
    match = TEXT_NAME_PATTERN.fullmatch(name)
    if (
        match is None
        or match["word"] not in TEXT_MEASURES
        or (match["length"] and match["word"] == "runid")
    ):
        return None
    length = int(match["length"] or DEFAULT_LENGTH)
    if length > MAX_WHOLE_NUMBER:
        raise MeasureError("{name}: the number of ranks is too large.", name=name)
    return (TextItem(match["word"], length, name[len(match["word"]) + 1 :]),)


def relevance_strings(run: JudgedRun, length: int = DEFAULT_LENGTH) -> tuple[str, ...]:
    """Return a string for each topic, with a character for the grade at each of its top ranks.

    >>> relevance_strings(JudgedRun.single(ranked=[1, 0, None, -1, 12]))
    ('10-.>',)
    """
    is_shown = run.hit_rank <= length
    strings = [["-"] * int(depth) for depth in run.count_retrieved(length)]
    hits = (array[is_shown].tolist() for array in (run.hit_topic, run.hit_rank, run.hit_grade))
    for topic, rank, grade in zip(*hits, strict=True):
        if grade < 0:
            strings[topic][rank - 1] = "."
        elif grade <= 9:
            strings[topic][rank - 1] = str(grade)
        else:
            strings[topic][rank - 1] = ">"
    return tuple(map("".join, strings))


def merge_texts(texts: tuple[TextItem, ...]) -> tuple[TextItem, ...]:
    """Return the texts without duplicates; a typed length has priority over the default."""
    explicit_keywords = {text.keyword for text in texts if text.typed_length}
    return tuple(
        dict.fromkeys(
            text for text in texts if text.typed_length or text.keyword not in explicit_keywords
        )
    )


# initial values of parameters without a default: of integers, and of other numbers
DEFAULT_COUNT, DEFAULT_NUMBER = 10, 0.5


def default_measure_name(declaration: MeasureDeclaration) -> str:
    """Return a measure's name with default parameters.

    Parameters without a default get an initial value.

    Examples
    --------
    >>> from irjudge.metrics import find_measure
    >>> [default_measure_name(find_measure(name)) for name in ("AP", "P", "ACC")]
    ['AP', 'P@10', 'ACC(universe=judged)']
    """
    values: dict[str, Value] = {}
    for parameter in declaration.parameters:
        if parameter.required:
            if parameter.choices:
                values[parameter.name] = parameter.choices[0]
            elif parameter.kind == "whole":
                values[parameter.name] = DEFAULT_COUNT
            else:
                values[parameter.name] = DEFAULT_NUMBER
    return make_measure(declaration, **values).name

"""Declarations of measures: the decorator `measure`, the registry, and the parameters of measures."""

import inspect
import math
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
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

from irjudge.catalogue import (
    Catalogue,
    docstring_section,
    load_extensions,
    nearest,
    parameter_descriptions,
    providing_package,
    summarise,
)
from irjudge.errors import MeasureError
from irjudge.message import Message, join_choices
from irjudge.metrics.judged import Scores, divide

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
        """Convert a value to the parameter's type; raise MeasureError if the value is not allowed."""
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
    bare: str = ""  # default suffix, such as `5,10`; empty if the name can be used without suffix

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
        """Return the alias with a name, ignoring case; by default, the measure's own name as an alias."""
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
    """Registry of measures by name and alias; case is ignored."""

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

"""Registry of measures, which are declared by the decorator `measure`."""

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, TypeVar, get_args

from irjudge.catalogue import (
    Catalogue,
    docstring_section,
    load_extensions,
    providing_package,
    summarise,
)
from irjudge.errors import MeasureError
from irjudge.message import Message
from irjudge.metrics.judged import Scores, divide
from irjudge.metrics.parameters import JUDGED_ONLY, Parameter, Value, list_parameters

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
    "average_precision",
    "precision",
    "cumulative_gain",
    "sets",
    "counts",
    "rank_biased",
    "recall_levels",
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

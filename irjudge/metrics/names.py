"""Names of measures and measure groups, conventions of other programs, and best values.

All code that ranks runs or topics, marks the best value or counts wins uses `to_goodness`,
`best_first` or `count_outcomes`, so that measures where lower values are better are ranked
correctly everywhere.
"""

import re
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError, MeasureError
from irjudge.message import SEMICOLON, Message, join_choices, join_messages
from irjudge.metrics.judged import Floats, JudgedRun, Scores
from irjudge.metrics.registry import (
    JUDGED_ONLY,
    LIST_SEPARATOR,
    MAX_WHOLE_NUMBER,
    MEASURE_REGISTRY,
    Alias,
    MeasureDeclaration,
    MeasureRegistry,
    Parameter,
    Value,
    find_parameter,
    format_name,
    format_value,
    read_values,
    split_name,
)

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
    """Rules of a profile, which make values and printed tables agree with those of a program."""

    meaning: str  # description of the profile
    # default of the parameter `rule`; None for the default of each measure
    rule: str | None = None
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
        """Return whether the parameter `name` has the value `text`; all gain maps count as equal."""
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

"""Catalogue of measures: texts that explain each measure, made from its declaration."""

from collections.abc import Iterator

from irjudge.formats.bytes import collapse_whitespace
from irjudge.message import Message
from irjudge.metrics import (
    MEASURE_REGISTRY,
    MeasureDeclaration,
    format_value,
    list_measures,
    parse_measure_name,
)
from irjudge.translations import load_catalogue

KINDS = {"count": "Counts", "set": "Sets", "ranked": "Rankings", "graded": "Graded rankings"}
PAGE_INTRODUCTION = (
    "Generated from the code by `irjudge measures --page`. `irjudge measures NAME` prints one "
    "entry."
)
ENGLISH = ""


PAGE_TITLE = "Measures"
DEFAULT, NO_DEFAULT, RANGE = ", default {value}", "none", "{low} to {high}"
LINES = ("formula", "bounds", "parameters", "average", "aliases", "notes", "reference")


def catalogue_page(language: str = ENGLISH) -> str:
    """Return the help page that explains every measure, in Markdown.

    Titles and explanations are in `language`, such as `zh_CN`, or in English if they have no
    translation.
    """
    translate = load_catalogue(language).translate
    parts = [f"# {translate(PAGE_TITLE)}", "", translate(PAGE_INTRODUCTION), ""]
    kind = ""
    for declaration in list_measures():
        if declaration.kind != kind:
            kind = declaration.kind
            parts += [f"## {translate(KINDS[kind])}", ""]
        lines = explain_measure(declaration, declaration.name, language)[:-1]
        parts += [f"### {declaration.name}", "", "```text", *lines, "```", ""]
    return "\n".join(parts)


def catalogue_texts() -> Iterator[str]:
    """Yield the English texts of `catalogue_page` that can be translated, each on one line."""
    yield from (
        PAGE_TITLE,
        PAGE_INTRODUCTION,
        DEFAULT,
        NO_DEFAULT,
        RANGE,
        *KINDS.values(),
        *LINES,
        *AVERAGES,
    )
    for measure in list_measures():
        yield from (measure.title, measure.about)
        yield collapse_whitespace(measure.notes)
        yield from (
            collapse_whitespace(text)
            for parameter in measure.parameters
            for text in (parameter.allowed_values, parameter.about)
        )


def translate_about(declaration: MeasureDeclaration, language: str) -> str:
    """Return a measure's description in `language`, or in English if it is not translated."""
    return load_catalogue(language).translate(declaration.about)


def translate_text(text: str, language: str) -> str:
    """Translate a formula, a note or the description of a parameter.

    The translation has no line breaks. A text without a translation is returned unchanged.
    """
    line = collapse_whitespace(text)
    translation = load_catalogue(language).translate(line)
    return text if translation == line else translation


EXPLAINED_COLUMNS = (
    "name",
    "kind",
    "title",
    "formula",
    "bounds",
    "parameters",
    "aliases",
    "references",
)


def explain_measure_row(declaration: MeasureDeclaration, name: str) -> tuple[str, ...]:
    """Return the explanation of a measure as a row with the columns `EXPLAINED_COLUMNS`."""
    low, high = declaration.bounds
    return (
        name,
        declaration.kind,
        declaration.title,
        declaration.formula,
        f"{low:g} to {high:g}",
        "; ".join(_format_parameters(declaration)),
        ", ".join(alias.name for alias in declaration.aliases if alias.name != declaration.name),
        declaration.references,
    )


def explain_measure(
    declaration: MeasureDeclaration, name: str, language: str = ENGLISH
) -> list[str]:
    """Return the explanation of a measure as lines of text; the last line is empty."""
    catalogue = load_catalogue(language)
    low, high = declaration.bounds
    title = catalogue.translate(declaration.title)
    if title != declaration.title:
        title = f"{title} ({declaration.title})"
    lines = [f"{name}  {title}", "", f"  {translate_about(declaration, language)}", ""]

    def add_line(label: str, text: str, text_language: str = language) -> None:
        translated_label = catalogue.translate(label) if label else ""
        # a Chinese character is as wide as two Latin letters
        width = len(translated_label) + sum(character > "\u2e80" for character in translated_label)
        lines.append(
            f"  {translated_label}{' ' * (10 - width)}  {translate_text(text, text_language)}"
        )

    add_line("formula", declaration.formula)
    add_line("bounds", Message(catalogue.translate(RANGE), low=f"{low:g}", high=f"{high:g}"))
    allowed = _format_parameters(declaration, language)
    for index, (parameter, text) in enumerate(zip(declaration.parameters, allowed, strict=True)):
        add_line("" if index else "parameters", text)
        lines.append(f"{'':16}{translate_text(parameter.about, language)}")
    add_line("average", _describe_average(declaration))
    if other_names := [
        alias.name for alias in declaration.aliases if alias.name != declaration.name
    ]:
        add_line("aliases", ", ".join(other_names), text_language="")
    for label, text in (("notes", declaration.notes), ("reference", declaration.references)):
        if text:
            add_line(label, text)
    return [*lines, ""]


MEAN = "the mean over the topics"
GEOMETRIC = "the geometric mean over the topics"
SUM = "the sum over the topics"
AVERAGE_BY_FORMULA = "as in the formula, whichever average is chosen"
MEAN_OR_MICRO = f"{MEAN}; the counts of all topics may be pooled (--average micro)"
AVERAGES = (MEAN, GEOMETRIC, SUM, AVERAGE_BY_FORMULA, MEAN_OR_MICRO)


def _describe_average(declaration: MeasureDeclaration) -> str:
    if declaration.summary == "sum":
        return SUM
    if declaration.summary == "pooled":
        return AVERAGE_BY_FORMULA
    if declaration.mean == "geometric":
        return GEOMETRIC
    return MEAN_OR_MICRO if declaration.micro else MEAN


def _format_parameters(declaration: MeasureDeclaration, language: str = ENGLISH) -> list[str]:
    translate = load_catalogue(language).translate
    rows = []
    for parameter in declaration.parameters:
        value = (
            translate(NO_DEFAULT) if parameter.default is None else format_value(parameter.default)
        )
        default = "" if parameter.required else Message(translate(DEFAULT), value=value)
        rows.append(
            f"{parameter.name}: {translate_text(parameter.allowed_values, language)}{default}"
        )
    return rows


def find_measures(name: str) -> list[tuple[MeasureDeclaration, str]]:
    """Return the declaration and the full name of each measure to which a name refers.

    The name of a measure with a required parameter is accepted without this parameter.
    """
    declaration = MEASURE_REGISTRY.lookup(name)
    if declaration and any(parameter.required for parameter in declaration.parameters):
        return [(declaration, declaration.name)]
    return [(measure.declaration, measure.name) for measure in parse_measure_name(name)]

"""The catalogue of measures in words, made from their declarations."""

import json
from collections.abc import Mapping
from functools import cache

from irjudge.metrics.naming.names import parse
from irjudge.metrics.naming.parameters import show
from irjudge.metrics.naming.registry import SHIPPED, MeasureDeclaration, catalogue
from irjudge.shipped import shipped

KINDS = {"count": "Counts", "set": "Sets", "ranked": "Rankings", "graded": "Graded rankings"}
ABOUT = (
    "Made from the code by `irjudge measures --page`. `irjudge measures NAME` prints one of them."
)
ENGLISH = ""


def catalogue_page(language: str = ENGLISH) -> str:
    """Return the page of the help that explains every measure, in Markdown; titles and sentences in a language, such as `zh_CN`."""
    words = measure_words(language)["labels"]
    parts = [f"# {words.get('head', 'Measures')}", "", words.get("about", ABOUT), ""]
    kind = ""
    for declaration in catalogue():
        if declaration.kind != kind:
            kind = declaration.kind
            parts += [f"## {words.get(kind, KINDS[kind])}", ""]
        said = explained(declaration, declaration.name, language)[:-1]
        parts += [f"### {declaration.name}", "", "```text", *said, "```", ""]
    return "\n".join(parts)


@cache
def measure_words(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return titles of measures and what they say in a language, by their names; nothing in one into which they are not translated.

    Formulas, parameters and notes, of which many measures share one, stand by themselves.
    """
    path = shipped("resources") / "translations" / f"measures_{language}.json"
    if not path.is_file():
        return {"labels": {}, "titles": {}, "abouts": {}, "texts": {}}
    words: dict[str, dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return words


def about_in(declaration: MeasureDeclaration, language: str) -> str:
    """Return what a measure says, in a language where it is translated."""
    return measure_words(language)["abouts"].get(declaration.name, declaration.about)


def text_in(said: str, language: str) -> str:
    """Return a formula, a note, or what a parameter means or allows, in a language where it is translated; on one line there."""
    return measure_words(language)["texts"].get(" ".join(said.split()), said)


EXPLAINED = ("name", "kind", "title", "formula", "bounds", "parameters", "aliases", "references")


def explained_row(declaration: MeasureDeclaration, name: str) -> tuple[str, ...]:
    """Return what is known of a measure as a row of `EXPLAINED`."""
    low, high = declaration.bounds
    others = ", ".join(
        alias.name for alias in declaration.aliases if alias.name != declaration.name
    )
    parameters, known = (
        "; ".join(_parameters(declaration)),
        (declaration.kind, declaration.title, declaration.formula),
    )
    return name, *known, f"{low:g} to {high:g}", parameters, others, declaration.references


def explained(declaration: MeasureDeclaration, name: str, language: str = ENGLISH) -> list[str]:
    """Return what is known of a measure, a line each: what it says, formula, bounds, parameters, average, aliases, references."""
    words = measure_words(language)
    low, high = declaration.bounds
    title = words["titles"].get(declaration.name)
    lines = [
        f"{name}  {f'{title} ({declaration.title})' if title else declaration.title}",
        "",
        f"  {about_in(declaration, language)}",
        "",
    ]

    def put(label: str, said: str) -> None:
        shown = words["labels"].get(label, label)
        width = len(shown) + sum(
            each > "\u2e80" for each in shown
        )  # columns: those of Chinese take two
        lines.append(f"  {shown}{' ' * (10 - width)}  {text_in(said, language)}")

    put("formula", declaration.formula)
    put("bounds", f"{low:g}{words['labels'].get('to', ' to ')}{high:g}")
    for place, (each, allowed) in enumerate(
        zip(declaration.parameters, _parameters(declaration, language), strict=True)
    ):
        put("" if place else "parameters", allowed)
        lines.append(f"{'':16}{text_in(each.about, language)}")
    put("average", _averaged(declaration))
    if others := [alias.name for alias in declaration.aliases if alias.name != declaration.name]:
        put("aliases", ", ".join(others))
    for label, said in (("notes", declaration.notes), ("reference", declaration.references)):
        if said:
            put(label, said)
    return [*lines, ""]


def _averaged(declaration: MeasureDeclaration) -> str:
    """Return how the values of the topics become that of the run."""
    if declaration.summary == "sum":
        return "the sum over the topics"
    if declaration.summary == "pooled":
        return "as the formula says, whatever average is asked for"
    if declaration.mean == "geometric":
        return "the geometric mean over the topics"
    return "the mean over the topics" + (
        "; the counts of all topics may be pooled (--average micro)" if declaration.micro else ""
    )


def _parameters(declaration: MeasureDeclaration, language: str = ENGLISH) -> list[str]:
    words = measure_words(language)["labels"]
    default, none = words.get("default", ", by default "), words.get("none", "none")
    return [
        f"{each.name}: {text_in(each.allowed, language)}"
        + (
            ""
            if each.required
            else f"{default}{none if each.default is None else show(each.default)}"
        )
        for each in declaration.parameters
    ]


def named_measures(name: str) -> list[tuple[MeasureDeclaration, str]]:
    """Return the measures that a name means, and what they are called; the name alone will do where it lacks a cutoff or the like."""
    declaration = SHIPPED.known(name)
    if declaration and any(each.required for each in declaration.parameters):
        return [(declaration, declaration.name)]
    return [(measure.declaration, measure.name) for measure in parse(name)]

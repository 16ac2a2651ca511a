"""The catalogue of measures in words, made from their declarations."""

from irjudge.metrics.naming.names import parse
from irjudge.metrics.naming.parameters import show
from irjudge.metrics.naming.registry import SHIPPED, MeasureDeclaration, catalogue

KINDS = {"count": "Counts", "set": "Sets", "ranked": "Rankings", "graded": "Graded rankings"}


def catalogue_page() -> str:
    """Return the page of the help that explains every measure, in Markdown."""
    parts = ["# Measures", "", "Made from the code by `irjudge measures --page`. `irjudge measures NAME` prints one of them.", ""]
    kind = ""
    for declaration in catalogue():
        if declaration.kind != kind:
            kind = declaration.kind
            parts += [f"## {KINDS[kind]}", ""]
        parts += [f"### {declaration.name}", "", "```text", *explained(declaration, declaration.name)[:-1], "```", ""]
    return "\n".join(parts)


EXPLAINED = ("name", "kind", "title", "formula", "bounds", "parameters", "aliases", "references")


def explained_row(declaration: MeasureDeclaration, name: str) -> tuple[str, ...]:
    """Return what is known of a measure as a row of `EXPLAINED`."""
    low, high = declaration.bounds
    others = ", ".join(alias.name for alias in declaration.aliases if alias.name != declaration.name)
    parameters, known = "; ".join(_parameters(declaration)), (declaration.kind, declaration.title, declaration.formula)
    return name, *known, f"{low:g} to {high:g}", parameters, others, declaration.references


def explained(declaration: MeasureDeclaration, name: str) -> list[str]:
    """Return what is known of a measure, a line each: what it says, formula, bounds, parameters, average, aliases, references."""
    low, high = declaration.bounds
    lines = [f"{name}  {declaration.title}", "", f"  {declaration.about}", "", f"  formula     {declaration.formula}"]
    lines += [f"  bounds      {low:g} to {high:g}"]
    for place, (each, allowed) in enumerate(zip(declaration.parameters, _parameters(declaration), strict=True)):
        lines += [f"  {'' if place else 'parameters':10}  {allowed}", f"{'':16}{each.about}"]
    lines.append(f"  average     {_averaged(declaration)}")
    if others := [alias.name for alias in declaration.aliases if alias.name != declaration.name]:
        lines.append(f"  aliases     {', '.join(others)}")
    lines += [f"  {title:10}  {words}" for title, words in (("notes", declaration.notes), ("reference", declaration.references)) if words]
    return [*lines, ""]


def _averaged(declaration: MeasureDeclaration) -> str:
    """Return how the values of the topics become that of the run."""
    if declaration.summary == "sum":
        return "the sum over the topics"
    if declaration.summary == "pooled":
        return "as the formula says, whatever average is asked for"
    if declaration.mean == "geometric":
        return "the geometric mean over the topics"
    return "the mean over the topics" + ("; the counts of all topics may be pooled (--average micro)" if declaration.micro else "")


def _parameters(declaration: MeasureDeclaration) -> list[str]:
    return [
        f"{each.name}: {each.allowed}" + ("" if each.required else f", by default {'none' if each.default is None else show(each.default)}")
        for each in declaration.parameters
    ]


def named_measures(name: str) -> list[tuple[MeasureDeclaration, str]]:
    """Return the measures that a name means, and what they are called; the name alone will do where it lacks a cutoff or the like."""
    declaration = SHIPPED.known(name)
    if declaration and any(each.required for each in declaration.parameters):
        return [(declaration, declaration.name)]
    return [(measure.declaration, measure.name) for measure in parse(name)]

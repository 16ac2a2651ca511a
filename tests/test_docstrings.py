"""Tests of the engine's docstrings: numpydoc sections, and descriptions of existing parameters."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.syntax_trees import iter_nodes

ROOT = Path(__file__).parents[1]
SECTIONS = (
    "Parameters",
    "Attributes",
    "Returns",
    "Yields",
    "Raises",
    "Warns",
    "Notes",
    "References",
    "Examples",
)
HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)
Definition = ast.FunctionDef | ast.ClassDef


@cache
def definitions() -> list[tuple[str, Definition, str]]:
    """Return place, node and docstring of all functions and classes with sections."""
    return [
        (f"{path.relative_to(ROOT)}:{node.lineno} {node.name}", node, text)
        for path in sorted((ROOT / "irjudge").rglob("*.py"))
        if "---" in (source := path.read_text(encoding="utf-8"))
        for node in iter_nodes(ast.parse(source))
        if isinstance(node, Definition) and HEADING.search(text := ast.get_docstring(node) or "")
    ]


def sections_of(text: str) -> dict[str, str]:
    parts = HEADING.split(text)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def names_of(section: str) -> list[str]:
    """Return the names before the descriptions of a section."""
    heads = [line for line in section.splitlines() if line and not line.startswith(" ")]
    return [name.strip(" *") for head in heads for name in head.partition(" : ")[0].split(",")]


def list_parameters(node: Definition) -> set[str] | None:
    """Return the names of the parameters; None if a base class may have further ones."""
    if isinstance(node, ast.ClassDef):
        own = [each for each in node.body if isinstance(each, ast.FunctionDef)]
        makers = [each for each in own if each.name in ("__init__", "__new__")]
        if not makers:
            return None
        node = makers[0]
    args = node.args
    several = [each for each in (args.vararg, args.kwarg) if each]
    return {each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs, *several)}


def test_sections_are_those_of_numpydoc_in_their_order() -> None:
    problems = [
        location
        for location, _, text in definitions()
        if (titles := list(sections_of(text))) != [each for each in SECTIONS if each in titles]
        or any(not content.strip() for content in sections_of(text).values())
    ]
    assert problems == [] and len(definitions()) > 200


def test_described_parameters_exist() -> None:
    problems = [
        (location, name)
        for location, node, text in definitions()
        if (known := list_parameters(node)) is not None
        for name in names_of(sections_of(text).get("Parameters", ""))
        if name not in known
    ]
    assert problems == []


def test_no_description_of_a_parameter_runs_into_that_of_another() -> None:
    problems = [
        (location, name)
        for location, node, text in definitions()
        for name in list_parameters(node) or ()
        if re.search(rf"(?:[.:] +|\n +)\**{name}\s+[A-Z`]", sections_of(text).get("Parameters", ""))
    ]
    assert problems == []

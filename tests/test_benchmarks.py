"""Tests that the benchmarks, which the default tests do not run, import only names that exist."""

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "bench"
PROJECT_PACKAGES = {"irjudge", "irjudge_ui", "tests"}


def defined_names(path: Path) -> set[str]:
    """Return all names that a module defines, assigns or imports."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {each.asname or each.name for each in node.names}
    return names


def missing_names(node: ast.ImportFrom) -> list[str]:
    """Return the imported names that neither a benchmark nor a package of the project has."""
    module = node.module or ""
    imported = [each.name for each in node.names]
    if (path := FOLDER / f"{module}.py").is_file():
        return [name for name in imported if name not in defined_names(path)]
    if module.partition(".")[0] not in PROJECT_PACKAGES:
        return []
    return [
        name
        for name in imported
        if not hasattr(import_module(module), name) and not find_spec(f"{module}.{name}")
    ]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_benchmarks_import_names_that_exist(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    imports = [node for node in nodes if isinstance(node, ast.ImportFrom)]
    assert {node.lineno: missing for node in imports if (missing := missing_names(node))} == {}

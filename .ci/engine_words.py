"""Collects the sentences of the engine for translation: `python .ci/engine_words.py FOLDER`, where two files are written.

The engine knows nothing of Qt, so its sentences are finished English when they reach the window, which looks for the template that
one was made from. `engine.txt` lists the templates, one a line; `engine_words.py` has the same for lupdate.
"""

import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import irjudge_ui.window  # noqa: F401 -- loads what the window can meet, and so do its pages
from irjudge_ui.pages import PAGES

LAYERS = "errors|shipped|counting|formats|model|pooling|stats|store|judging|exchange|evaluation"
PARTS = (
    r"metrics\.(names|profiles|parameters)|report\.(exporting|forms)|report\.figures\.(catalogue|curves|topics|systems|assessors|material)"
)
FROM = re.compile(rf"irjudge\.({LAYERS}|{PARTS})\b")  # what is written into workbooks and reports stays English
OTHER = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|DROP|ALTER|REPLACE|BEGIN|ATTACH|VALUES|WHERE)\b"  # SQL
    r"|.* (VALUES|DO NOTHING)\b|[a-z_]+ = (OFF|ON|\d+)$"
    r"|.*[Σ∩]|1 - D|.*\bpairs of labels / |labels of rel |np\.|code, id, |the %1$|kind != |\*\*\* "  # formulas, and types as text
    r"|.* \| None$|.*\n|.*\S {2,}|  "  # types, and what is laid out in lines: a receipt is the same for all who compare it
)
FILE_AND_FORM = "%1: %2"  # has no words of its own
FIELD = re.compile(r"\{[a-z]+\}")
LEAST_LETTERS = 3  # of a template: with fewer, such as “%1 in %2”, it would fit what it did not make


def sources() -> Iterator[Path]:
    """Yield the modules of the engine that the window uses; what single measures say, legends and refusals, stays English."""
    for page in PAGES:
        import_module(f"irjudge_ui.views.{page.made_by.partition(':')[0]}")
    for name in sorted(filter(FROM.match, sys.modules)):
        yield Path(str(sys.modules[name].__file__))


def numbered(parts: list[str]) -> str:
    """Return the parts with %1, %2 … between."""
    return "".join(part + (f"%{place}" if place < len(parts) else "") for place, part in enumerate(parts, 1))


def template(node: ast.expr) -> str:
    """Return a string with %1, %2 … where values stand; empty for what is no string."""
    if isinstance(node, ast.JoinedStr):
        parts = [""]
        for value in node.values:
            if isinstance(value, ast.Constant):
                parts[-1] += str(value.value)
            else:
                parts.append("")
        return numbered(parts)
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return numbered(FIELD.split(node.value))
    return ""


def is_labels(node: ast.stmt) -> bool:
    """Tell whether a statement declares the labels that a scale has when nobody gave it others."""
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "LABELS"


def beside(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the strings that are not for people who judge: docstrings, lists of names, parts of other strings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from node.values
        elif (
            (isinstance(node, ast.keyword) and node.arg == "formula")
            or isinstance(node, ast.Expr)
            or (isinstance(node, ast.Attribute) and node.attr == "split")
        ):
            yield node.value


def purposes(tree: ast.AST) -> Iterator[str]:
    """Yield what pooling strategies are for: the first paragraph of each one's docstring."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(ast.unparse(each).startswith("strategy(") for each in node.decorator_list):
            yield " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())


def templates(path: Path) -> Iterator[str]:
    """Yield what in a module reads as words for people."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = {id(node) for node in beside(tree)}
    names = {id(node.args[0]) for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Form"}
    labels = {id(each) for node in tree.body if is_labels(node) for each in ast.walk(node)}
    yield from purposes(tree)
    for node in ast.walk(tree):
        words = template(node) if isinstance(node, ast.expr) and id(node) not in left_out else ""
        letters = len(re.findall("[A-Za-z]", words)) if re.search("[a-z]{2}", words) else 0
        spoken = " " in words.strip() and letters >= LEAST_LETTERS
        whole = path.name == "errors.py" and "%" in words
        if (spoken or whole or (words.islower() and id(node) in names) or (words and id(node) in labels)) and not OTHER.match(words):
            yield words


def main(folder: Path) -> None:
    """Write both files."""
    words = sorted({FILE_AND_FORM, *(each for path in sources() for each in templates(path))})
    (folder / "engine.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    lines = [f"QT_TRANSLATE_NOOP({'Engine'!r}, {each!r})\n" for each in words]
    (folder / "engine_words.py").write_text("from PySide6.QtCore import QT_TRANSLATE_NOOP\n\n" + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

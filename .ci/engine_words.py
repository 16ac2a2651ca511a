"""Collects the sentences of the engine for translation: `python .ci/engine_words.py FOLDER`, where two files are written.

The engine knows nothing of Qt, so its sentences are finished English when they reach the window, which looks for the template that
one was made from. `engine.txt` lists the templates, one a line; `engine_words.py` has the same for lupdate.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ENGINE = Path(__file__).parent.parent / "irjudge"
FROM = ("errors.py", "shipped.py", "formats", "model", "pooling", "store", "judging", "metrics", "evaluation")
LEFT_OUT = ("metrics/registry.py", "metrics/judged.py", "evaluation/frame.py")  # what only a programmer meets
OTHER = re.compile(
    r"\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|WITH|DROP|ALTER|REPLACE|BEGIN|ATTACH|VALUES|WHERE)\b"  # SQL
    r"|.* \| None$|.*\n|.*\S {2,}|  "  # types, and what is laid out in lines: a receipt is the same for all who compare it
)
FIELD = re.compile(r"\{[a-z]+\}")
LEAST_LETTERS = 3  # of a template: with fewer, such as “%1 in %2”, it would fit what it did not make


def sources() -> Iterator[Path]:
    for name in FROM:
        here = ENGINE / name
        for path in [here] if here.is_file() else sorted(here.rglob("*.py")):
            if path.relative_to(ENGINE).as_posix() not in LEFT_OUT:
                yield path


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


def beside(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the strings that are not for people who judge: docstrings, lists of names, parts of other strings, reasons for tests."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from node.values
        elif isinstance(node, ast.Expr) or (isinstance(node, ast.Attribute) and node.attr == "split"):
            yield node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Exemption":
            yield from node.args


def templates(path: Path) -> Iterator[str]:
    """Yield what in a module reads as words for people."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out = {id(node) for node in beside(tree)}
    titles = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "title"}
    for node in ast.walk(tree):
        words = template(node) if isinstance(node, ast.expr) and id(node) not in left_out else ""
        letters = len(re.findall("[A-Za-z]", words)) if re.search("[a-z]{2}", words) else 0
        spoken = " " in words.strip() and letters >= LEAST_LETTERS
        whole = path.name == "errors.py" and "%" in words
        if (spoken or whole or (words and id(node) in titles)) and not OTHER.match(words):
            yield words


def main(folder: Path) -> None:
    words = sorted({each for path in sources() for each in templates(path)})
    (folder / "engine.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    lines = [f"QT_TRANSLATE_NOOP({'Engine'!r}, {each!r})\n" for each in words]
    (folder / "engine_words.py").write_text("from PySide6.QtCore import QT_TRANSLATE_NOOP\n\n" + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

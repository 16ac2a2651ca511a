"""Collects what the engine says to people for translation: `python .ci/messages.py FILE`, which is then read by lupdate.

A sentence is declared where it is said: as a `Message`, an error or an `Oddity`, or as the title of something that is declared. The engine
knows nothing of Qt, so the templates are listed here under the name Engine, under which the window looks for them. The words of the page
for browsers stand under Web.
"""

import ast
import inspect
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import irjudge.audit.asking.ask_model
import irjudge.audit.asking.offline  # what is asked for leaves remarks in the project, which the window shows
import irjudge.errors
import irjudge_ui.window  # noqa: F401 -- loads what the window can meet, and so do its pages
from irjudge.message import COMMA, EITHER, PLACE, SEMICOLON, Message
from irjudge.metrics.naming.registry import catalogue
from irjudge.model.preference import DOCUMENT_REASONS, REASONS
from irjudge.model.scale import LABELS
from irjudge.stats.agreement.registry import AGREEMENT
from irjudge_ui.pages import PAGES

LAYERS = r"errors|catalogue|message|shipped|counting|formats|model|search|pooling|stats|store|judging|exchange|evaluation|audit|web"
PARTS = (
    r"metrics\.naming\.(names|profiles|parameters|registry)|report\.(booklet|forms|method|project_exports|over_time\.history)"
    r"|report\.figures\.(catalogue|registry|curves|topics|systems|assessors|material|judges)"
)
WORKINGS = re.compile(
    r"irjudge\.metrics\.\w+"
)  # shown in the window; a measure's refusals stay English
FROM = re.compile(
    rf"irjudge\.({LAYERS}|{PARTS})\b"
)  # what is written into workbooks and reports stays English
ERRORS = {
    name
    for name, each in inspect.getmembers(irjudge.errors, inspect.isclass)
    if issubclass(each, Exception)
}
SAYING = {"Message", "Oddity", "NotEqual", "NotUtf8", "UnfitRow", "kept_fact", *ERRORS}
TR = re.compile(r'\btr\(\s*("(?:[^"\\]|\\.)*")\s*,?\s*\)')  # of the page for browsers
SYMBOLS = {
    "alpha",
    "beta",
    "gamma",
    "log",
    "min",
    "max",
    "floor",
}  # words that are signs in a formula
DECLARING = {
    "of_items",
    "of_pairs",
    "rule",
    "significance_test",
}  # a title stands among what they are given


def sources() -> Iterator[Path]:
    """Yield the modules of the engine that the window uses; what single measures say, legends and refusals, stays English."""
    for page in PAGES:
        page.view()
    for name in sorted(each for each in sys.modules if FROM.match(each) or WORKINGS.match(each)):
        yield Path(str(sys.modules[name].__file__))


def words(node: ast.expr) -> str:
    """Return a string that is declared; empty for what is no string, or a single word in small letters, which is a name."""
    said = str(node.value) if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
    return said if re.search(r"[a-z]{2}|\{", said) else ""


def declared(node: ast.Call) -> Iterator[str]:
    """Yield what a call says, or declares as a title."""
    name = ast.unparse(node.func).rpartition(".")[2]
    if name in SAYING:
        yield from filter(None, map(words, node.args))
    if name in DECLARING:
        yield from [each for each in map(words, node.args) if each[:1].isupper() and " " in each][
            :1
        ]
    if name != "Message":
        yield from (
            said
            for each in node.keywords
            if each.arg in {"title", "nothing"} and " " in (said := words(each.value))
        )


def purposes(tree: ast.AST) -> Iterator[str]:
    """Yield what pooling strategies are for and what figures show: the first paragraph of each one's docstring."""
    for node in ast.walk(tree):
        made_by = (
            [ast.unparse(each).partition("(")[0] for each in node.decorator_list]
            if isinstance(node, ast.FunctionDef)
            else []
        )
        if isinstance(node, ast.FunctionDef) and {"strategy", "figure"} & set(made_by):
            said = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
            yield (
                said
                if "strategy" in made_by
                else said.removeprefix("Show ")[:1].upper() + said.removeprefix("Show ")[1:]
            )


def speaks(said: str) -> bool:
    """Tell whether a title or a formula has a word of English, apart from names of parameters and functions."""
    return not set(re.findall(r"\b[A-Z]?[a-z]{3,}\b", said)) <= {
        *SYMBOLS,
        *(each.capitalize() for each in SYMBOLS),
    }


def definitions() -> Iterator[str]:
    """Yield what measures and statistics of agreement are called and how they are computed, as far as that is said in words."""
    for measure in catalogue():
        yield from filter(speaks, (measure.title, measure.formula))
    for statistic in AGREEMENT.values():
        yield from filter(speaks, (statistic.about, statistic.formula))


def headers(tree: ast.AST) -> Iterator[str]:
    """Yield what stands above the columns that run along beside a ranking while a value is worked out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "Working":
            given = [
                *node.args[2:3],
                *(each.value for each in node.keywords if each.arg == "columns"),
            ]
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "COLUMNS":
            given = [node.value]
        else:
            continue
        yield from (
            said
            for each in given
            for part in ast.walk(each)
            if isinstance(part, ast.Constant) and (said := words(part))
        )


def templates(path: Path) -> Iterator[str]:
    """Yield what a module says to people, as a window looks for it."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from purposes(tree)
    parts = path.with_suffix("").parts
    module = ".".join(parts[len(parts) - parts[::-1].index("irjudge") - 1 :])
    whole = FROM.match(module) or not WORKINGS.match(module)
    if not whole:
        yield from headers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (whole or ast.unparse(node.func) == "Message"):
            yield from map(plain, declared(node))


def plain(template: str) -> str:
    """Return a template as a message keeps it: without the formats of its values."""
    named = {name: "" for _, name, _, _ in Formatter().parse(template) if name}
    return Message(
        re.sub(r"(?<!\{)\{(\w+)(![sra])?(:[^{}]*)?\}", r"{\1}", template), **named
    ).template


def page_words() -> list[str]:
    """Return what the page for browsers says: the literals that its modules hand to `tr`."""
    web = Path(__file__).parent.parent / "resources" / "web"
    found = (TR.findall(path.read_text(encoding="utf-8")) for path in sorted(web.glob("*.js")))
    return sorted({json.loads(literal) for literals in found for literal in literals})


def main(file: Path) -> None:
    """Write what was found as a module that lupdate reads."""
    found = {
        COMMA,
        SEMICOLON,
        EITHER,
        *REASONS,
        *DOCUMENT_REASONS,
        *(label for labels in LABELS.values() for label in labels),
    }
    found |= {
        scaling
        for declared in AGREEMENT.values()
        for scaling in declared.scalings
        if len(declared.scalings) > 1
    }
    found |= {*definitions(), *(each for path in sources() for each in templates(path))}
    spoken = [
        each
        for each in sorted(found)
        if each == COMMA or re.search("[A-Za-z]{2}|[:;.] ", PLACE.sub("", each))
    ]
    said = [("Engine", each) for each in spoken] + [("Web", each) for each in page_words()]
    lines = [f"QT_TRANSLATE_NOOP({context!r}, {each!r})\n" for context, each in said]
    file.write_text(
        "from PySide6.QtCore import QT_TRANSLATE_NOOP\n\n" + "".join(lines), encoding="utf-8"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))

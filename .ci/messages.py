"""Collects every text that people read, and brings the catalogues of translations up to date.

    python .ci/messages.py            update resources/translations/*.tsv and the list for review
    python .ci/messages.py --check    change nothing; print missing and stale lines, exit with 1

New texts get an empty translation; texts that are no longer used leave the catalogue. A new language
begins as an empty file: `touch resources/translations/de.tsv`. The list for review,
`tests/golden/messages.txt`, has every English text on a line of its own.

Texts are found where they are written: `tr`, `translate` and `QT_TRANSLATE_NOOP` in the window,
`tr` in the page for browsers; in the engine messages, errors and titles of declarations.
"""

import argparse
import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from string import Formatter

import click

import irjudge.errors
from irjudge.cli.main import irjudge as command_line
from irjudge.message import (
    BOTH_TEMPLATE,
    COMMA,
    EITHER_TEMPLATE,
    PLACEHOLDER,
    SEMICOLON,
    Message,
)
from irjudge.metrics import list_measures
from irjudge.model import DOCUMENT_REASONS, PREFERENCE_REASONS
from irjudge.model.scale import DEFAULT_LABELS
from irjudge.report.catalogue import catalogue_texts
from irjudge.stats.agreement import AGREEMENT
from irjudge.translations import escape, format_catalogue, read_catalogue
from irjudge.web.page import PAGE_CONTEXT, page_texts

Text = tuple[str, str]  # English, and the meaning where a text has several

ROOT = Path(__file__).resolve().parent.parent
TRANSLATIONS = ROOT / "resources" / "translations"
REVIEWED = ROOT / "tests" / "golden" / "messages.txt"

# Parts of the engine whose messages the window shows; what only the command line, workbooks and
# reports write stays English.
SHOWN = re.compile(
    r"irjudge\.(errors|catalogue|message|options|shipped|counting|formats|model|search|pooling|stats|store"
    r"|judging|exchange|evaluation|audit|web"
    r"|metrics\.(names|registry)"
    r"|report\.(booklet|writers|contents|project_exports|evaluation_history|comparison_requests|reports)"
    r"|report\.figures\.(chart|drawing|curves|systems_and_topics|judges|requests))\b"
)
COMMAND_LINE_ONLY = re.compile(
    r"irjudge\.(web\.(connections|postgres_store|postgres_connection|server_address|session_store)"
    r"|formats\.(search_log_events|search_logs)|judging\.answers"
    r"|evaluation\.(notebooks|measure_laws|reusability))\b"
)
WORKED_EXAMPLES = re.compile(r"irjudge\.metrics\.\w+")  # refusals of single measures stay English
ERRORS = {
    name
    for name, each in inspect.getmembers(irjudge.errors, inspect.isclass)
    if issubclass(each, Exception)
}
MESSAGES = {
    "Message",
    "WarningKind",
    "ReadBackError",
    "NotUtf8",
    "InvalidRow",
    "read_json_setting",
    *ERRORS,
}
DECLARATIONS = {"of_items", "of_pairs", "rule", "significance_test"}  # their title is an argument
SYMBOLS = {"alpha", "beta", "gamma", "log", "min", "max", "floor"}  # signs in formulas


def module_name(path: Path) -> str:
    """Return the dotted name of a module of the engine."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def is_shown(module: str) -> bool:
    """Return whether a window shows the messages of a module."""
    return bool(SHOWN.match(module)) and not COMMAND_LINE_ONLY.match(module)


def nodes_of(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what `ast.walk` yields except for contexts, in another order and in less time."""
    left = [tree]
    while left:
        node = left.pop()
        yield node
        if isinstance(node, ast.Name | ast.Constant):
            continue
        for value in vars(node).values():
            if isinstance(value, list):
                left += [each for each in value if isinstance(each, ast.AST)]
            elif isinstance(value, ast.AST):
                left.append(value)


def calls_in(tree: ast.AST) -> Iterator[ast.Call]:
    """Yield all calls."""
    return (node for node in nodes_of(tree) if isinstance(node, ast.Call))


def parse(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


def called(node: ast.Call) -> str:
    """Return the name of what is called, without what it is an attribute of; empty for other expressions."""
    return (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )


def is_name(node: ast.expr, name: str) -> bool:
    """Return whether an expression is a name alone."""
    return isinstance(node, ast.Name) and node.id == name


def literal(node: ast.expr) -> str:
    """Return a string constant; empty for anything else and for a lower-case name."""
    text = node.value if isinstance(node, ast.Constant) else ""
    return text if isinstance(text, str) and re.search(r"[a-z]{2}|\{", text) else ""


def without_formats(template: str) -> str:
    """Return a template as a message stores it: without the formats of its values."""
    names = {name: "" for _, name, _, _ in Formatter().parse(template) if name}
    plain = re.sub(r"(?<!\{)\{(\w+)(![sra])?(:[^{}]*)?\}", r"{\1}", template)
    return Message(plain, **names).template


def texts_of_call(node: ast.Call) -> Iterator[str]:
    """Yield the texts of a call that makes a message, an error or a declaration."""
    name = called(node)
    if name in MESSAGES:
        for each in node.args:
            choices = [each.body, each.orelse] if isinstance(each, ast.IfExp) else [each]
            yield from filter(None, map(literal, choices))
    if name == "format_count" and (noun := literal(node.args[1])):
        yield from (f"1 {noun}", f"{{count}} {noun}s")
    if name in DECLARATIONS:
        titles = [each for each in map(literal, node.args) if each[:1].isupper() and " " in each]
        yield from titles[:1]
    if name == "FormField":
        yield from texts_of_form_field(node)
    if name != "Message":
        for each in node.keywords:
            if each.arg in {"title", "nothing"} and " " in (text := literal(each.value)):
                yield text


def texts_of_form_field(node: ast.Call) -> Iterator[str]:
    """Yield the texts of an option in a form: label, unit, tip, placeholder and choices."""
    texts = [*node.args]
    for each in node.keywords:
        if each.arg in {"unit", "tip", "placeholder"}:
            texts.append(each.value)
        elif each.arg == "choices" and isinstance(each.value, ast.Tuple):
            texts += [pair.elts[1] for pair in each.value.elts if isinstance(pair, ast.Tuple)]
    yield from filter(None, map(literal, texts))


def purposes(tree: ast.Module) -> Iterator[str]:
    """Yield what pooling strategies and figures are for: the first paragraph of a docstring."""
    for node in tree.body:
        if not isinstance(node, ast.FunctionDef):
            continue
        made_by = {ast.unparse(each).partition("(")[0] for each in node.decorator_list}
        if made_by & {"strategy", "figure"}:
            text = " ".join((ast.get_docstring(node) or "").partition("\n\n")[0].split())
            shown = text.removeprefix("Return ").removeprefix("a chart of ").removeprefix("Show ")
            yield shown[:1].upper() + shown[1:]


def column_headers(tree: ast.AST) -> Iterator[str]:
    """Yield the headers of the columns in worked examples."""
    for node in nodes_of(tree):
        if isinstance(node, ast.Call) and is_name(node.func, "WorkedExample"):
            columns = [each.value for each in node.keywords if each.arg == "columns"]
            columns += node.args[2:3]
        elif isinstance(node, ast.Assign) and is_name(node.targets[0], "COLUMNS"):
            columns = [node.value]
        else:
            continue
        parts = (part for each in columns for part in nodes_of(each))
        yield from filter(None, (literal(each) for each in parts if isinstance(each, ast.Constant)))


def module_texts(path: Path) -> Iterator[str]:
    """Yield the texts of a module of the engine that a window shows."""
    name = module_name(path)
    shown = is_shown(name)
    if not shown and not WORKED_EXAMPLES.match(name):
        return
    tree = parse(path)
    yield from purposes(tree)
    if not shown:
        yield from column_headers(tree)
    for node in calls_in(tree):
        if shown or is_name(node.func, "Message"):
            yield from map(without_formats, texts_of_call(node))


def is_english(text: str) -> bool:
    """Return whether a title or formula has an English word besides names of functions."""
    symbols = SYMBOLS | {each.capitalize() for each in SYMBOLS}
    return not set(re.findall(r"\b[A-Z]?[a-z]{3,}\b", text)) <= symbols


def declared_texts() -> Iterator[str]:
    """Yield titles and formulas of measures and statistics, grades and reasons."""
    for measure in list_measures():
        yield from filter(is_english, (measure.title, measure.formula))
    for statistic in AGREEMENT.values():
        yield from filter(is_english, (statistic.about, statistic.formula))
        yield from statistic.scalings if len(statistic.scalings) > 1 else ()
    yield from (
        COMMA,
        SEMICOLON,
        EITHER_TEMPLATE,
        BOTH_TEMPLATE,
        *PREFERENCE_REASONS,
        *DOCUMENT_REASONS,
    )
    yield from (label for labels in DEFAULT_LABELS.values() for label in labels)


def engine_texts() -> set[Text]:
    """Return the texts of the engine that a window, a page or the help shows."""
    found = {*declared_texts()}
    for path in sorted((ROOT / "irjudge").rglob("*.py")):
        found |= {*module_texts(path)}
    shown = {each for each in found if each == COMMA or _has_words(each)}
    return {
        (each, "") for each in (*shown, *filter(re.compile("[a-z]{2}").search, catalogue_texts()))
    }


def _has_words(template: str) -> bool:
    return bool(re.search("[A-Za-z]{2}|[:;.] ", PLACEHOLDER.sub("", template)))


def window_texts() -> set[Text]:
    """Return the texts of the window."""
    found: set[Text] = set()
    for path in sorted((ROOT / "ui").rglob("*.py")):
        for node in calls_in(parse(path)):
            found |= {*window_call(node)}
    return found


def window_call(node: ast.Call) -> Iterator[Text]:
    """Yield text and meaning of a call that translates; texts that a variable holds are none."""
    name = called(node)
    if isinstance(node.func, ast.Attribute) and is_name(node.func.value, "painter"):
        return
    if name in {"translate", "QT_TRANSLATE_NOOP", "QT_TRANSLATE_NOOP3"}:
        arguments = node.args[1:3]
    elif name == "tr":
        arguments = node.args[:2]
    else:
        return
    values = [each.value if isinstance(each, ast.Constant) else None for each in arguments]
    if values and isinstance(values[0], str):
        yield values[0], str(values[1] or "") if len(values) > 1 else ""


def command_texts() -> set[Text]:
    """Return the help of all commands and options, and the messages of the command line."""
    context = click.Context(command_line)
    found = set()
    for name in command_line.list_commands(context):
        command = command_line.get_command(context, name)
        assert command is not None  # noqa: S101 -- it was listed
        found.add(command.help or "")
        found |= {each.help or "" for each in command.params if isinstance(each, click.Option)}
    for path in sorted((ROOT / "irjudge").rglob("*.py")):
        for node in () if is_shown(module_name(path)) else calls_in(parse(path)):
            found |= {*map(without_formats, texts_of_call(node))}
    return {(" ".join(each.split()), "") for each in found if _has_words(each)}


AREAS: dict[str, Callable[[], set[Text]]] = {
    "engine": engine_texts,
    "window": window_texts,
    "page for browsers": lambda: {(each, "") for each in page_texts()},
    "command line": command_texts,
}
TRANSLATED = ("engine", "window", "page for browsers")


def updated(path: Path, wanted: set[Text]) -> str:
    """Return a catalogue that has the wanted texts and their translations so far."""
    entries = read_catalogue(path)
    kept = {key for key in entries if key[1] == PAGE_CONTEXT and (key[0], "") in wanted}
    return format_catalogue({key: entries.get(key, "") for key in wanted | kept})


def review_list(areas: dict[str, set[Text]]) -> str:
    """Return the list of all English texts, by area."""
    lines = ["Made by `python .ci/messages.py`: every text that people read, for review."]
    for name, texts in areas.items():
        lines += ["", f"[{name}]", ""]
        lines += sorted(
            escape(text) + (f"  [{meaning}]" if meaning else "") for text, meaning in texts
        )
    return "\n".join(lines) + "\n"


def problems(path: Path, wanted: set[Text]) -> Iterator[str]:
    """Yield what is wrong with a catalogue, each with its line or its text."""
    entries = read_catalogue(path)
    numbers = {key: number for number, key in enumerate(entries, 2)}
    for key in sorted(wanted - set(entries)):
        yield f"{path.name} lacks {key[0]!r}" + (f" ({key[1]})" if key[1] else "")
    for key, text in entries.items():
        where = f"{path.name}, line {numbers[key]}: {key[0]!r}"
        if key not in wanted and not (key[1] == PAGE_CONTEXT and (key[0], "") in wanted):
            yield f"{where} is used nowhere"
        elif not text:
            yield f"{where} has no translation"
        elif placeholders(key[0]) != placeholders(text):
            yield f"{where} has other placeholders than its translation"


def placeholders(text: str) -> list[str]:
    """Return the placeholders and the mnemonics of a text."""
    return sorted(re.findall(r"%\d|\{\w*\}|&(?=\w)", text))


def main(arguments: list[str] | None = None) -> int:
    """Update or check the catalogues; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if stale")
    check = parser.parse_args(arguments).check
    areas = {name: collect() for name, collect in AREAS.items()}
    wanted = {text for name in TRANSLATED for text in areas[name]}
    files = {path: updated(path, wanted) for path in sorted(TRANSLATIONS.glob("*.tsv"))}
    found = [each for path in files for each in problems(path, wanted)] if check else []
    files[REVIEWED] = review_list(areas)
    for path, content in files.items():
        if check and path.read_text(encoding="utf-8") != content:
            found.append(f"{path.name} is out of date: run `python .ci/messages.py`")
        elif not check:
            path.write_text(content, encoding="utf-8")
    sys.stdout.write("".join(f"{each}\n" for each in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

"""Count tests that pin English sentences: `python .ci/pinned_sentences.py [--list] [--limit N]`.

A sentence is a run of five or more words, at least one of them a function word such as "the". It is
pinned where an assertion compares something with it or searches for it, where `match=` has it, and
where a helper that asserts gets it; directly, or by a name or a parametrised argument. Each
assertion counts once. Messages after the comma of an assertion do not count.
"""

import argparse
import ast
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

MIN_WORDS = 5
FUNCTION_WORDS = frozenset(
    "a an the of to in on at by for from with without is are was were be been has have had do does "
    "did not no nor and or but if as it its that this these those which who what where when than "
    "then there here can cannot may must would will should only one each every all any some other "
    "another more most less so too also their they them he she his her you your we our into over "
    "after before until while because how nothing nobody none both".split()
)
WORD = re.compile(r"[(\[\"'“‘*_`]*[A-Za-z][A-Za-z'’\-]*[.,;:?!)\]\"'”’*_`…]*")
VALUE = re.compile(r"[(\[\"'“‘]*(\S*\0\S*|[\d.,:%–-]+|[^\sA-Za-z]{1,3})[.,;:?!)\]\"'”’…]*")
SQL = re.compile(
    r"\s*(select|insert|update|delete|create|drop|pragma|alter|with|begin)\b[^.]*"
    r"\b(from|into|set|table|index|values|as)\b",
    re.IGNORECASE,
)
REGEX_ESCAPE = re.compile(r"\\([^\w\s]|[bBAZ ])|\(\?[:=!imsx]+")
END = "a=b"  # neither a word nor a value
SEARCHES = {
    *("startswith", "endswith", "count", "index", "find", "removeprefix", "removesuffix"),
    *("search", "match", "fullmatch", "findall", "finditer"),
}
WRAPPERS = {  # calls whose result contains the text of their arguments
    *("escape", "Message", "str", "sorted", "set", "list", "tuple", "dict", "frozenset", "join"),
    *(
        "lower",
        "format",
        "replace",
        "strip",
        "approx",
        "dedent",
        "repr",
        "format_count",
        "cleandoc",
    ),
}
Names = Mapping[str, ast.AST]
Function = ast.FunctionDef | ast.AsyncFunctionDef


def has_sentence(text: str, *, is_pattern: bool = False) -> bool:
    """Return whether a text has a run of words that is a sentence; values do not end a run."""
    if is_pattern:
        text = REGEX_ESCAPE.sub(lambda found: found[1] or " ", text)
        text = text.replace(".*", " \0 ").replace("d+", "\0").replace("s+", " ")
    if SQL.match(text):
        return False
    for piece in re.split(r"[\n\t|]|  +|<[^<>]*>", text):
        run: list[str] = []
        for token in [*piece.split(" "), END]:
            if WORD.fullmatch(token):
                run.append(token.strip("([\"'“‘*_`.,;:?!)]”’…").lower())
            elif not (run and VALUE.fullmatch(token)):
                if len(run) >= MIN_WORDS and FUNCTION_WORDS & {*run}:
                    return True
                run = []
    return False


def text_of(node: ast.AST) -> str | None:
    """Return a string literal; NUL replaces each value of an f-string."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else "\0" for part in node.values
        )
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        sides = text_of(node.left), text_of(node.right)
        return None if sides == (None, None) else "".join(side or "\0" for side in sides)
    return None


def name_of_call(node: ast.Call) -> str:
    """Return the last part of the name of what is called."""
    return ast.unparse(node.func).rpartition(".")[2]


def texts_in(node: ast.AST | None, names: Names, seen: frozenset[str] = frozenset()) -> list[str]:
    """Return the string literals that the value of an expression may contain."""
    if node is None:
        return []
    text = text_of(node)
    if text is not None:
        return [text]
    if isinstance(node, ast.Name):
        if node.id in seen:
            return []
        return texts_in(names.get(node.id), names, seen | {node.id})
    return [each for part in parts_of(node) for each in texts_in(part, names, seen)]


def parts_of(node: ast.AST) -> list[ast.expr | None]:
    """Return the parts of an expression whose texts are in its value."""
    if isinstance(node, ast.Call) and name_of_call(node) in WRAPPERS:
        of = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return [*node.args, *(each.value for each in node.keywords), *of]
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return [*node.elts]
    if isinstance(node, ast.Dict):
        return [*node.keys, *node.values]
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.Starred | ast.NamedExpr | ast.Subscript):
        return [node.value]
    return [node.left, node.right] if isinstance(node, ast.BinOp) else []


def compared_texts(test: ast.expr, names: Names) -> Iterator[tuple[str, bool]]:
    """Yield the texts that an assertion compares or searches, and whether they are patterns."""
    for node in ast.walk(test):
        if isinstance(node, ast.Compare):
            sides: list[ast.expr] = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and name_of_call(node) in SEARCHES:
            sides = node.args
        else:
            continue
        is_pattern = isinstance(node, ast.Call) and ast.unparse(node.func).startswith("re.")
        yield from ((text, is_pattern) for side in sides for text in texts_in(side, names))


def assigned_values(body: list[ast.stmt]) -> dict[str, ast.AST]:
    """Return the values of names that plain assignments and loops over literals set."""
    found: dict[str, ast.AST] = {}
    nodes = (
        each
        for statement in body
        if not isinstance(statement, Function | ast.ClassDef)
        for each in ast.walk(statement)
    )
    for node in nodes:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
            found[node.target.id] = node.value
        elif isinstance(node, ast.For):
            found |= columns_of(node.target, node.iter)
    return found


def columns_of(target: ast.expr, table: ast.expr) -> dict[str, ast.AST]:
    """Return for each name of a target the values that it takes from a literal table."""
    names = target.elts if isinstance(target, ast.Tuple) else [target]
    rows = table.elts if isinstance(table, ast.List | ast.Tuple | ast.Set) else []
    rows = list(table.values) if isinstance(table, ast.Dict) else rows
    found: dict[str, ast.AST] = {}
    for index, name in enumerate(names):
        cells = []
        for row in rows:
            if isinstance(row, ast.Call) and name_of_call(row) == "param":
                cells += row.args[index : index + 1]
            elif isinstance(row, ast.Tuple | ast.List) and len(names) > 1:
                cells += row.elts[index : index + 1]
            else:
                cells.append(row)
        if isinstance(name, ast.Name):
            found[name.id] = ast.Tuple(elts=cells, ctx=ast.Load())
    return found


def parametrized_values(function: Function) -> dict[str, ast.AST]:
    """Return the values of the arguments that `parametrize` sets."""
    found: dict[str, ast.AST] = {}
    for each in function.decorator_list:
        if (
            isinstance(each, ast.Call)
            and name_of_call(each) == "parametrize"
            and len(each.args) > 1
        ):
            listed = text_of(each.args[0])
            names = (
                re.split(r"\s*,\s*", listed)
                if listed
                else [text_of(part) or "" for part in getattr(each.args[0], "elts", ())]
            )
            targets = [ast.Name(id=name, ctx=ast.Store()) for name in names]
            target = targets[0] if len(targets) == 1 else ast.Tuple(elts=targets, ctx=ast.Store())
            found |= columns_of(target, each.args[1])
    return found


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """Yield the nodes of a function but not those of functions inside it."""
    waiting = list(ast.iter_child_nodes(function))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function):
            waiting += ast.iter_child_nodes(node)


def pinned_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield line and test of each assertion, `match=` and helper call that pins a sentence."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    module = assigned_values(tree.body)
    functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
    helpers = {
        each.name
        for each in functions
        if not each.name.startswith("test")
        and any(isinstance(node, ast.Assert) for node in ast.walk(each))
    }
    for function in functions:
        names = module | parametrized_values(function) | assigned_values(function.body)
        for node in own_nodes(function):
            if any(
                has_sentence(text, is_pattern=pattern)
                for text, pattern in pins(node, names, helpers)
            ):
                yield node.lineno, function.name  # type: ignore[attr-defined]


def pins(node: ast.AST, names: Names, helpers: set[str]) -> Iterator[tuple[str, bool]]:
    """Yield what a node pins, and whether it is a pattern."""
    if isinstance(node, ast.Assert):
        yield from compared_texts(node.test, names)
    elif isinstance(node, ast.Call):
        values = [each.value for each in node.keywords if each.arg == "match"]
        yield from ((text, True) for value in values for text in texts_in(value, names))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        call = node.value
        values = call.args if name_of_call(call) in helpers else []
        yield from ((text, False) for value in values for text in texts_in(value, names))


def main(arguments: list[str] | None = None) -> int:
    """Print the count; return 1 if it exceeds the limit."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", nargs="*", type=Path, default=[Path("tests")])
    parser.add_argument("--list", action="store_true", help="print each place")
    parser.add_argument("--limit", type=int, help="fail if there are more")
    options = parser.parse_args(arguments)
    files = [
        file
        for path in options.paths
        for file in ([path] if path.is_file() else path.rglob("*.py"))
    ]
    found = [(file, *each) for file in sorted(files) for each in pinned_lines(file)]
    for file, line, test in found if options.list else ():
        sys.stdout.write(f"{file}:{line}: {test}\n")
    sys.stdout.write(f"{len(found)} pinned sentences\n")
    return int(options.limit is not None and len(found) > options.limit)


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Measure how many small bugs the default tests notice.

    .venv/bin/python .ci/mutations.py [--count 30] [--seed 48] [--only 3,7] [--list]

Each mutation changes one expression in one module of a copy of the tracked files: a comparison, an
arithmetic operator, a condition, a number or a returned value. The packages take turns, and within
its package each site is equally likely. The tests run with -x: first those named after the module,
then those of its package, then the whole default run. A mutation that no test notices survives.
"""

import argparse
import ast
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = {"irjudge": "tests/engine", "ui/irjudge_ui": "tests/ui"}  # with the tests of each
LIMIT_SECONDS = 1800  # of one run of tests; a mutation that makes a loop endless is noticed by it
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}


@dataclass(frozen=True, slots=True)
class Mutation:
    """One expression of a module and what replaces it."""

    path: Path  # relative to the root
    line: int
    start: int  # offsets in the file's bytes
    end: int
    before: str
    after: str

    def __str__(self) -> str:
        return f"{self.path.as_posix()}:{self.line}: {self.before}  ->  {self.after}"

    def apply_to(self, source: bytes) -> bytes:
        """Return the source of the module with the expression replaced."""
        return source[: self.start] + f"({self.after})".encode() + source[self.end :]


def negate(node: ast.expr) -> ast.expr:
    """Return the opposite of a condition."""
    return (
        node.operand
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        else ast.UnaryOp(ast.Not(), node)
    )


def replacements(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield expressions at a node of a function, each with what can replace it."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
        swapped = deepcopy(node)
        swapped.ops[0] = COMPARISONS[type(node.ops[0])]()
        yield node, swapped
    elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        yield node, ast.BinOp(node.left, OPERATORS[type(node.op)](), node.right)
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, ast.BoolOp(other, node.values)
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield node.test, negate(node.test)
    elif isinstance(node, ast.Return) and not (
        node.value is None or (isinstance(node.value, ast.Constant) and node.value.value is None)
    ):
        yield node.value, ast.Constant(None)
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield node, ast.Constant(not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield node, ast.Constant(node.value + 1)


def nodes_to_mutate(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes within functions, without annotations and f-strings."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        waiting: list[ast.AST] = list(function.body)
        while waiting:
            node = waiting.pop()
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.JoinedStr):
                continue  # an inner function is walked by itself
            yield node
            waiting += [
                child
                for name, value in ast.iter_fields(node)
                if name not in ("annotation", "returns")
                for child in (value if isinstance(value, list) else [value])
                if isinstance(child, ast.AST)
            ]


def mutations_of(path: Path, source: bytes) -> list[Mutation]:
    """Return all mutations of a module, in the order of their places."""
    offsets = [0]
    for line in source.splitlines(keepends=True):
        offsets.append(offsets[-1] + len(line))
    mutations = set()
    for node in nodes_to_mutate(ast.parse(source)):
        for before, after in replacements(node):
            start = offsets[before.lineno - 1] + before.col_offset
            end = offsets[(before.end_lineno or 0) - 1] + (before.end_col_offset or 0)
            mutations.add(
                Mutation(path, before.lineno, start, end, ast.unparse(before), ast.unparse(after))
            )
    return sorted(mutations, key=lambda each: (each.start, each.end, each.after))


def mutations_by_package() -> dict[str, list[Mutation]]:
    """Return all mutations under the first folder of their module within its source folder."""
    by_package: dict[str, list[Mutation]] = {}
    for path in tracked_files():
        for source in SOURCES:
            if path.suffix == ".py" and path.is_relative_to(source):
                parts = path.relative_to(source).parts
                package = f"{source}/{parts[0]}" if len(parts) > 1 else source
                by_package.setdefault(package, []).extend(
                    mutations_of(path, (ROOT / path).read_bytes())
                )
    return {package: each for package, each in sorted(by_package.items()) if each}


def draw_mutations(count: int, seed: int) -> list[Mutation]:
    """Draw mutations from the packages in turns."""
    chance = random.Random(seed)
    by_package = mutations_by_package()
    drawn: list[Mutation] = []
    while len(drawn) < count:
        order = list(by_package)
        chance.shuffle(order)
        for package in order:
            left = [each for each in by_package[package] if each not in drawn]
            drawn += [chance.choice(left)] if left else []
    return drawn[:count]


def tracked_files() -> list[Path]:
    """Return the files of the last commit and the index, relative to the root."""
    named = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True)
    return [Path(name) for name in sorted(named.stdout.decode().split("\0")) if name]


def copy_files(folder: Path) -> None:
    """Copy the tracked files of this checkout."""
    for path in tracked_files():
        if (ROOT / path).is_file():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes((ROOT / path).read_bytes())


def selections(path: Path, folder: Path) -> list[list[str]]:
    """Return which tests to run for a module, one after the other; the last are all of them."""
    source = next(each for each in SOURCES if path.is_relative_to(each))
    inner, tests = path.relative_to(source).parent, Path(SOURCES[source])
    by_name = sorted((folder / tests).rglob(f"test_{path.stem}.py"))
    steps = [[str(each.relative_to(folder)) for each in by_name]] if by_name else []
    while not (folder / tests / inner).is_dir():
        inner = inner.parent
    if inner.parts:
        steps.append([str(tests / inner), str(path.parent)])  # with the examples of docstrings
    return [*steps, []]


def run_tests(folder: Path, tests: list[str], workers: str) -> str | None:
    """Run tests in a copy; return the first that failed, or None where all passed."""
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join((str(folder), str(folder / "ui"))),
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONDONTWRITEBYTECODE": "",
    }
    parallel = (
        ["-n", workers] if not tests or any(not name.endswith(".py") for name in tests) else []
    )
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *parallel]
    try:
        done = subprocess.run(
            [*command, *tests],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return "no end"
    if done.returncode in (0, 5):  # 5: none of these tests runs by default
        return None
    failed = [each for each in done.stdout.splitlines() if each.startswith(("FAILED", "ERROR"))]
    return failed[0] if failed else f"pytest ended with {done.returncode}"


def find_failing_test(mutation: Mutation, folder: Path, workers: str) -> str | None:
    """Return the first test that notices a mutation, None where none does."""
    path = folder / mutation.path
    source = path.read_bytes()
    path.write_bytes(mutation.apply_to(source))
    try:
        for tests in selections(mutation.path, folder):
            if failed := run_tests(folder, tests, workers):
                return failed
        return None
    finally:
        path.write_bytes(source)


def main() -> int:
    """Run the tests for each mutation and print what was noticed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=48)
    parser.add_argument("--only", help="numbers of the drawn mutations to try, such as 3,7")
    parser.add_argument("--list", action="store_true", help="print what is drawn and stop")
    parser.add_argument("--workers", default="auto", help="for -n of pytest")
    options = parser.parse_args()
    drawn = list(enumerate(draw_mutations(options.count, options.seed), 1))
    if options.only:
        wanted = set(map(int, options.only.split(",")))
        drawn = [each for each in drawn if each[0] in wanted]
    if options.list:
        print(*(f"{number:3} {mutation}" for number, mutation in drawn), sep="\n")
        return 0
    survivors = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_files(folder)
        if not options.only and (failed := run_tests(folder, [], options.workers)):
            print(f"The tests fail without any mutation: {failed}")
            return 1
        for number, mutation in drawn:
            failed = find_failing_test(mutation, folder, options.workers)
            survivors += failed is None
            print(f"{number:3} {mutation}\n    {failed or 'SURVIVED'}", flush=True)
    print(f"Killed: {len(drawn) - survivors} of {len(drawn)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

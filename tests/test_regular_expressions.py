"""Tests that each regular expression takes linear time on any text."""

import ast
import builtins
import importlib
import json
import re
import shutil
import subprocess
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from re import _constants as op  # no public module has the syntax tree of a pattern
from re import _parser as parser
from types import ModuleType
from typing import Any

import pytest

from irjudge.audit.bias import find_injection
from irjudge.formats.rows.mapping import _HINTS
from irjudge.model.documents import _ID_LIKE
from irjudge.search.postings import remove_markup
from tests.syntax_trees import iter_nodes

ROOT = Path(__file__).parent.parent
SOURCES = sorted([*(ROOT / "irjudge").rglob("*.py"), *(ROOT / "ui/irjudge_ui").rglob("*.py")])
# Sizes of texts in characters. The smaller sizes find exponential patterns, which would take hours
# on larger texts; the times of `LARGE` and of twice that size are compared.
SIZES, LARGE = (24, 100, 500, 3_000, 20_000), 100_000
PRUNED_FROM = 3_000  # with fewer characters, a quadratic time cannot be told from a linear one
MAX_SMALL = 0.1  # seconds; a quadratic pattern takes tenths of a second, a linear one milliseconds
# Ratio of the times of the two large texts; a quadratic pattern takes over ten seconds for the
# larger.
MAX_RATIO, NEGLIGIBLE = 3.0, 0.5  # seconds
# Ratio of the times of the two largest sizes, below which the ratio of the large texts, as the sum
# of a linear and a quadratic part, is below `MAX_RATIO` as well.
MAX_SMALL_RATIO = 8
MAX_TEXTS = 120  # the shortest for each pattern, and half as many others
ENDS = ("\0", "\n\0")  # neither a space nor a letter, and not the end of a line; a line's end
FROM_EACH_POSITION = {"search", "sub", "subn", "split", "findall", "finditer", "scanner"}
FROM_THE_BEGINNING = {"match", "fullmatch"}
METHOD_CALL = re.compile(
    rf"(\w+)(?:\[[^][]*\])?\s*\.({'|'.join(FROM_EACH_POSITION | FROM_THE_BEGINNING)})\b"
)


# Patterns that take longer, on texts that only irjudge writes.
OWN_TEXTS = {
    "irjudge.formats.collections.topic_records._FIELD_LABELS": "matched at the beginning alone",
    "irjudge_ui.pages.shared.printing.DETAILS_ELEMENT": "pages of a report, in which all other texts are escaped",
    "irjudge_ui.pages.shared.printing.STYLE": "pages of a report, in which all other texts are escaped",
    "irjudge.web.page.TRANSLATION_CALL_PATTERN": "our own scripts",
    "irjudge.web.page._IMPORT": "our own scripts",
    "irjudge.web.page._DECLARATION": "our own scripts",
    "irjudge.web.page._UNSUPPORTED": "our own scripts",
}


UNKNOWN = "aab"  # in place of an argument of a function
# Patterns that functions build from other values, with an example of each.
BUILT_PATTERNS = {
    "irjudge/exchange/paper.py: f'[^0-9]|[0-9]{{1,{count_tick_digits(scale)}}}'": "[^0-9]|[0-9]{1,2}",
    "irjudge/text/highlight.py: "
    "f'(?<![เแโใไ])(?![{SOUTHEAST_MARKS}]){_make_trie_pattern(trie)}'": "(?:a(?:a(?:b)?|b)|b(?:a)?)",
    "irjudge/formats/rows/mapping.py: _HINTS[part]": "|".join(_HINTS.values()),
    "irjudge/model/documents.py: _ID_LIKE[part]": "|".join(_ID_LIKE.values()),
}


@dataclass(frozen=True, slots=True)
class PatternLocation:
    """Pattern in the source code."""

    pattern: re.Pattern[Any]
    where: str
    from_each_position: bool


def module_name(path: Path) -> str:
    base = ROOT if path.is_relative_to(ROOT / "irjudge") else ROOT / "ui"
    return ".".join(path.relative_to(base).with_suffix("").parts).removesuffix(".__init__")


def patterns_in(name: str, value: object, depth: int = 0) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield the patterns in a value of a module, with the name of the variable or field."""
    inside: Iterable[tuple[str, object]] = ()
    if isinstance(value, re.Pattern):
        yield name, value
    elif depth > 3:
        return
    elif isinstance(value, Mapping):
        inside = ((name, each) for each in [*value.keys(), *value.values()])
    elif isinstance(value, (list, tuple, set, frozenset)):
        inside = ((name, each) for each in value)
    elif is_dataclass(value) and not isinstance(value, type):
        inside = ((each.name, getattr(value, each.name, None)) for each in fields(value))
    elif isinstance(value, type) and value.__module__.startswith("irjudge"):
        inside = list(vars(value).items())
    for holder, each in inside:
        if not isinstance(each, (str, int, float)):
            yield from patterns_in(holder, each, depth + 1)


@cache
def methods_called() -> dict[tuple[str, str], set[str]]:
    """Return the methods of patterns that are called on each name, in each module and in any."""
    patterns: dict[tuple[str, str], set[str]] = {}
    for path in SOURCES:
        for name, method in METHOD_CALL.findall(path.read_text(encoding="utf-8")):
            for module in (module_name(path), ""):
                patterns.setdefault((module, name), set()).add(method)
    return patterns


def is_searched(module: str, name: str) -> bool:
    """Return whether a pattern of this name is searched at each position, not only matched."""
    private = name.startswith("_")
    called = methods_called().get((module if private else "", name), set())
    return not called or bool(called & FROM_EACH_POSITION)


def global_patterns() -> Iterator[PatternLocation]:
    seen: set[tuple[object, int, bool]] = set()
    for path in SOURCES:
        if path.name == "__main__.py":
            continue
        module: ModuleType = importlib.import_module(module_name(path))
        for name, value in list(vars(module).items()):
            for holder, pattern in patterns_in(name, value):
                each = is_searched(module.__name__, holder)
                key = pattern.pattern, pattern.flags, each
                if key not in seen:
                    seen.add(key)
                    yield PatternLocation(pattern, f"{module.__name__}.{name}", each)


class Values(dict[str, Any]):
    """Names in a function: the values of its module, and a sample text for other names."""

    def __init__(self, module: str, unknown: str | bytes) -> None:
        self._module, self._unknown = vars(importlib.import_module(module)), unknown

    def __missing__(self, name: str) -> Any:
        return self._module.get(name, getattr(builtins, name, self._unknown))


def source_of(argument: ast.expr, module: str) -> str | bytes | None:
    """Return the source of a pattern in a function; None if it is not built of plain texts."""
    made = compile(ast.Expression(argument), module, "eval")
    for unknown in (UNKNOWN, UNKNOWN.encode()):
        with suppress(AttributeError, LookupError, TypeError):
            source = eval(made, Values(module, unknown))  # our own source
            if isinstance(source, str | bytes):
                return source
    return None


def calls_in_functions(tree: ast.Module) -> Iterator[ast.Call]:
    """Yield the calls of `re` in functions, and those of other places that compile nothing."""
    inside = {
        id(node)
        for each in iter_nodes(tree)
        if isinstance(each, (ast.FunctionDef, ast.Lambda))
        for node in iter_nodes(each)
    }
    for node in iter_nodes(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Name)
            and node.func.value.id == "re"
            and node.func.attr in FROM_EACH_POSITION | FROM_THE_BEGINNING | {"compile"}
            and (node.func.attr != "compile" or id(node) in inside)
        ):
            yield node


def local_patterns() -> Iterator[PatternLocation]:
    """Yield the patterns of calls such as `re.sub("a+", …)` and `re.compile(rf"</{tag}>")`."""
    for path in SOURCES:
        source_text = path.read_text(encoding="utf-8")
        if not re.search(r"\bre\.", source_text):
            continue
        for node in calls_in_functions(ast.parse(source_text)):
            where = f"{path.relative_to(ROOT).as_posix()}: {ast.unparse(node.args[0])}"
            source = source_of(node.args[0], module_name(path))
            if source is None:
                assert where in BUILT_PATTERNS, where
                continue
            names = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
            flags = re.NOFLAG
            for name in names & {"IGNORECASE", "DOTALL", "MULTILINE", "ASCII"}:
                flags |= getattr(re, name)
            each = node.func.attr in FROM_EACH_POSITION | {"compile"}  # type: ignore[attr-defined]
            yield PatternLocation(re.compile(source, flags), where, each)
    for where, source in BUILT_PATTERNS.items():
        yield PatternLocation(re.compile(source), where, from_each_position=True)


# Texts against a pattern


def representatives(items: Iterable[tuple[Any, Any]]) -> list[str]:
    """Return some characters of a class."""
    items = list(items)
    negated = any(kind is op.NEGATE for kind, _ in items)
    inside: list[str] = []
    for kind, value in items:
        if kind is op.LITERAL:
            inside.append(chr(value))
        elif kind is op.RANGE:
            inside.append(chr(value[0]))
        elif kind is op.CATEGORY:
            inside += {
                op.CATEGORY_SPACE: [" ", "\n"],
                op.CATEGORY_DIGIT: ["0"],
                op.CATEGORY_WORD: ["a", "_"],
                op.CATEGORY_NOT_SPACE: ["a", "<"],
                op.CATEGORY_NOT_DIGIT: ["a"],
                op.CATEGORY_NOT_WORD: [" ", "-"],
            }.get(value, [])
    if not negated:
        return inside[:3] + inside[-1:]
    return [each for each in "a <\"[=/'0\n" if each not in inside][:3]


def matching_texts(  # noqa: C901 -- a branch for each kind
    tree: Iterable[tuple[Any, Any]], groups: dict[int, list[str]]
) -> list[list[str]]:
    """Return texts that match a pattern, each as a list of pieces; a few for each branch."""
    texts: list[list[str]] = [[]]
    for kind, value in tree:
        more: list[list[str]] = [[]]
        if kind is op.LITERAL:
            more = [[chr(value)]]
        elif kind is op.NOT_LITERAL:
            more = [["a" if value != ord("a") else "b"]]
        elif kind is op.ANY:
            more = [["a"]]
        elif kind is op.IN:
            more = [[each] for each in representatives(value)[:2]] or [[]]
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            least, _, inner = value
            more = [each * max(1, min(least, 40)) for each in matching_texts(inner, groups)]
            if least == 0:
                more = [[], *more]
        elif kind is op.SUBPATTERN:
            more = matching_texts(value[3], groups)
            groups[value[0]] = more[0]
        elif kind is op.ATOMIC_GROUP:
            more = matching_texts(value, groups)
        elif kind is op.BRANCH:
            more = [walk for branch in value[1] for walk in matching_texts(branch, groups)[:2]]
        elif kind is op.GROUPREF:
            more = [groups.get(value, [])]
        texts = [[*before, *after] for before in texts for after in more][:24]
    return texts


def repeated_characters(tree: Iterable[tuple[Any, Any]]) -> Iterator[str]:  # noqa: C901 -- a branch for each kind
    """Yield the characters that a pattern names."""
    for kind, value in tree:
        if kind is op.LITERAL:
            yield chr(value)
        elif kind in (op.NOT_LITERAL, op.ANY):
            yield "a"
        elif kind is op.IN:
            yield from representatives(value)
        elif kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield from repeated_characters(value[2])
        elif kind is op.SUBPATTERN:
            yield from repeated_characters(value[3])
        elif kind is op.ATOMIC_GROUP:
            yield from repeated_characters(value)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from repeated_characters(branch)
        elif kind in (op.ASSERT, op.ASSERT_NOT):
            yield from repeated_characters(value[1])


@dataclass(frozen=True, slots=True)
class HostileText:
    """Text of a beginning, a repeated part, and an end that few patterns match."""

    begin: str
    repeated: str
    end: str = "\0"

    def of(self, size: int, pattern: re.Pattern[Any]) -> Any:
        text = self.begin + self.repeated * (size // len(self.repeated)) + self.end
        if isinstance(pattern.pattern, bytes):
            return text.encode("latin-1", "replace")
        return text


def hostile_texts(pattern: re.Pattern[Any]) -> list[HostileText]:
    source = pattern.pattern
    tree = parser.parse(
        source, pattern.flags & ~re.DEBUG & ~(re.UNICODE if isinstance(source, bytes) else 0)
    )
    characters = [*dict.fromkeys([*repeated_characters(tree), " ", "a", "\n"])]
    characters = characters if len(characters) <= 14 else [*characters[:7], *characters[-7:]]
    begins = {"": None}
    for walk in matching_texts(tree, {}):
        whole = "".join(walk)
        for end in range(min(len(walk), 12) + 1):
            begins["".join(walk[:end])] = None
        begins[whole] = None
    texts: dict[HostileText, None] = {}
    for begin in begins:
        if begin:
            texts[HostileText("", begin)] = None
        for each in characters:
            texts[HostileText(begin, each)] = None
            texts[HostileText("", begin + each)] = None
    ordered = sorted(texts, key=lambda each: len(each.begin) + len(each.repeated))
    count = len(ordered) * len(ENDS)
    first = range(min(count, MAX_TEXTS))
    others = range(len(first), count)
    chosen = [*first, *Random(1).sample(others, min(len(others), MAX_TEXTS // 2))]
    return [
        replace(ordered[number // len(ENDS)], end=ENDS[number % len(ENDS)]) for number in chosen
    ]


def seconds(location: PatternLocation, text: Any) -> float:
    begun = time.process_time()
    if location.from_each_position:
        deque(location.pattern.finditer(text), maxlen=0)
    else:
        location.pattern.match(text)
        location.pattern.fullmatch(text)
    return time.process_time() - begun


def steady_seconds(location: PatternLocation, text: Any) -> float:
    """Return the time of a pattern; if it is long, the shorter of two measurements.

    A second measurement is made only if other processes can have added that much.
    """
    took = seconds(location, text)
    is_sure = took <= MAX_SMALL or took > 4 * MAX_SMALL
    return took if is_sure else min(took, seconds(location, text))


def problem_of(location: PatternLocation) -> str:
    """Return a text on which a pattern takes more than linear time, or an empty string.

    All texts of one size are tried before those of the next, so that an exponential pattern is
    found on a small text. The sizes from `PRUNED_FROM` on are tried for the texts that were slowest
    at the size before, and for all texts that took half of what a quadratic pattern needs there,
    assuming it needs `MAX_SMALL` for the largest size: other processes only add time.
    """
    texts = hostile_texts(location.pattern)
    times: list[tuple[float, HostileText]] = []
    for size, before in zip(SIZES, (0, *SIZES), strict=False):
        if size >= PRUNED_FROM:
            suspicious = MAX_SMALL * (before / SIZES[-1]) ** 2 / 2
            texts = [
                text for rank, (took, text) in enumerate(times) if rank < 2 or took > suspicious
            ]
        earlier = dict(map(reversed, times))
        times = []
        for text in texts:
            took = steady_seconds(location, text.of(size, location.pattern))
            if took > MAX_SMALL:
                return f"{took:.2f} s for {size} characters of {text}"
            times.append((took, text))
        times.sort(key=lambda each: -each[0])
    took, text = times[0]
    if 2 * took * (2 * LARGE / SIZES[-1]) ** 2 < NEGLIGIBLE:
        return ""  # even a quadratic time would not be visible
    if took < MAX_SMALL_RATIO * earlier[text]:
        return ""
    once, twice = text.of(LARGE, location.pattern), text.of(2 * LARGE, location.pattern)
    for _ in range(3):  # another process may delay a measurement
        first, second = seconds(location, once), seconds(location, twice)
        if second < NEGLIGIBLE or second < MAX_RATIO * first:
            return ""
    return f"{first:.2f} s, then {second:.2f} s for twice the characters of {text}"


@pytest.mark.slow
@pytest.mark.parametrize("kind", [global_patterns, local_patterns])
def test_every_pattern_takes_linear_time(kind: Any) -> None:
    locations = [*kind()]
    assert len(locations) > 20
    problems = {
        location.where: problem
        for location in locations
        if location.where not in OWN_TEXTS and (problem := problem_of(location))
    }
    assert not problems


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern",
    [r"\s*x", r"<!--.*?-->", r"(?:a+)+b", r"a\s*,?\s*b", "<[^>]*>", r"\S[ \t]*\t[ \t]*\S"],
)
def test_a_slow_pattern_is_detected(pattern: str) -> None:
    assert problem_of(
        PatternLocation(re.compile(pattern, re.DOTALL), "here", from_each_position=True)
    )


TEXTS = {
    "comments": "<!--",
    "scripts": "<script>",
    "styles": "<style>",
    "tags": "<p ",
    "less than": "<",
    "comments and tags": "<!-- >",
    "ends": "</script",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", TEXTS)
def test_markup_is_removed_in_linear_time(kind: str) -> None:
    text = TEXTS[kind] * (250_000 // len(TEXTS[kind]))
    begun = time.process_time()
    remove_markup(text)
    remove_markup(text + " " * 25_000 + ">")
    assert time.process_time() - begun < 2.5


@pytest.mark.parametrize("text", ["<" + " " * 60_000, "rate" + " " * 60_000, "<" * 60_000])
def test_instructions_to_a_model_are_searched_in_linear_time(text: str) -> None:
    begun = time.process_time()
    assert find_injection(text) is None
    assert time.process_time() - begun < 2


# Patterns of the pages, in JavaScript

SCRIPTS = sorted((ROOT / "resources/web").glob("*.js"))
LITERAL = re.compile(
    r"(?:[=(,:!&|?;{}[]|return)\s*/((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/*+?\\[\n])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])*)/([a-z]*)"
)
CONSTRUCTED = re.compile(r"""new RegExp\((?:`([^`]*)`|(\w+(?:\(.*?\))?))(?:, "(\w+)")?""")
CONSTANT = re.compile(r'const (\w+) = "((?:[^"\\\n]|\\.)*)";')
PLACEHOLDER = re.compile(r"\$\{((?:[^{}]|\{[^{}]*\})*)\}")  # in a template
TIME_SCRIPTS = """
const [places, sizes, large] = JSON.parse(require("fs").readFileSync(0, "utf8"));
function seconds(place, text, size) {
  const whole = text[0] + text[1].repeat(size / text[1].length) + "\\0";
  const pattern = new RegExp(place.source, place.flags.includes("g") ? place.flags : place.flags + "g");
  const begun = process.cpuUsage();
  whole.replace(pattern, "");
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1e6;
}
for (const place of places) {
  let slowest = [0, null];
  search: for (const size of sizes) {
    slowest = [0, place.texts[0]];
    for (const text of place.texts) {
      let took = seconds(place, text, size);
      if (took > 0.1 && took <= 0.4) took = Math.min(took, seconds(place, text, size));
      if (took > slowest[0]) slowest = [took, text];
      if (took > 0.1) break search;
    }
  }
  const text = slowest[1];
  if (slowest[0] > 0.1 || [1, 2, 3].every(() => {
    const [once, twice] = [seconds(place, text, large), seconds(place, text, 2 * large)];
    return twice > 0.5 && twice > 3 * once;
  })) console.log(JSON.stringify([place.source, text]));
}
"""


def script_patterns(script: str) -> Iterator[tuple[str, str]]:
    """Yield source and flags of each pattern in a script."""
    constants = dict(CONSTANT.findall(script))
    for source, flags in LITERAL.findall(script):
        yield source, flags
    for template, value, flags in CONSTRUCTED.findall(script):
        source = PLACEHOLDER.sub(
            lambda each: constants.get(each[1], UNKNOWN), template or f"${{{value}}}"
        )
        yield json.loads(f'"{source}"'), flags


def to_python(source: str) -> re.Pattern[str]:
    """Return a Python pattern that suggests texts for a JavaScript pattern."""
    source = re.sub(r"\\[pP]\{[^}]*\}", r"\\w", source.replace(r"\/", "/"))
    return re.compile(re.sub(r"\(\?<(?![=!])", "(?P<", source))


def slow_scripts(patterns: Iterable[tuple[str, str]]) -> list[Any]:
    """Return the JavaScript patterns that take more than linear time, each with a text."""
    locations = [
        {
            "source": source,
            "flags": flags,
            "texts": [[each.begin, each.repeated] for each in hostile_texts(to_python(source))],
        }
        for source, flags in patterns
    ]
    done = subprocess.run(
        ["node", "-e", TIME_SCRIPTS],
        input=json.dumps([locations, SIZES, LARGE]),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


needs_node = pytest.mark.skipif(not shutil.which("node"), reason="node is missing")


@pytest.mark.slow
@needs_node
def test_every_pattern_of_the_pages_takes_linear_time() -> None:
    patterns = {
        each for path in SCRIPTS for each in script_patterns(path.read_text(encoding="utf-8"))
    }
    assert len(patterns) > 30
    assert not slow_scripts(patterns)


@pytest.mark.slow
@needs_node
@pytest.mark.parametrize("pattern", [r"\s*x", r"(?:a+)+b", r"\s+$"])
def test_a_slow_pattern_of_a_page_is_detected(pattern: str) -> None:
    assert slow_scripts([(pattern, "")])


def test_patterns_are_found_in_scripts() -> None:
    script = 'const A = "[ab]+";\nx = y.replace(/[/]a\\/b/gi, "");\nnew RegExp(`^${A}$`, "u");\nz = 1 / 2 / 3;'
    assert [*script_patterns(script)] == [(r"[/]a\/b", "gi"), ("^[ab]+$", "u")]

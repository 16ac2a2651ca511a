"""What users and files rely on, compared with `tests/golden/snapshot`.

Moving or renaming modules changes none of it, except import paths of plug-ins. To rewrite the files:

    python -m tests.test_snapshot
    python -m tests.test_snapshot commands

Review their diff as a change of the interface. Values come from the program: from its entry points,
from declarations found by what they contain, and from files that it writes. No path of a module is
written here; texts that people read are in `messages.txt`.
"""

import contextlib
import csv
import dataclasses
import difflib
import importlib
import inspect
import io
import json
import os
import pkgutil
import re
import sqlite3
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pyarrow.parquet
import pytest

ROOT = Path(__file__).parent.parent
STORED = ROOT / "tests" / "golden" / "snapshot"
PROJECT_FILE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
SAMPLE = ROOT / "sample_collections" / "everyday"
ENTRY_POINTS = {**PROJECT_FILE["scripts"], **PROJECT_FILE["gui-scripts"]}
ENGINE, WINDOW = (each.partition(".")[0] for each in ENTRY_POINTS.values())

Lines = list[str]
SUBJECTS: dict[str, Callable[[], Lines]] = {}
SLOW: set[str] = set()


def subject(name: str, *, slow: bool = False) -> Callable[[Callable[[], Lines]], Callable]:
    """Register a function that computes the lines of a subject."""

    def register(compute: Callable[[], Lines]) -> Callable[[], Lines]:
        SUBJECTS[name] = compute
        SLOW.update([name] if slow else [])
        return compute

    return register


# Finding declarations


@cache
def modules_of(package: str) -> tuple[ModuleType, ...]:
    """Import and return all modules of a package."""
    top = importlib.import_module(package)
    names = [each.name for each in pkgutil.walk_packages(top.__path__, f"{package}.")]
    return (
        top,
        *(importlib.import_module(each) for each in names if not each.endswith("__main__")),
    )


def globals_of(package: str) -> Iterator[tuple[str, Any]]:
    """Yield name and value of each global of all modules of a package."""
    for module in modules_of(package):
        yield from list(vars(module).items())


def find_declarations(
    package: str, *names: str, key: str = "name", also: Sequence[str] = ()
) -> list[Any]:
    """Return the elements of the largest global collection of declarations with these names.

    `key` is the attribute that holds a declaration's name, `also` are other attributes it has.
    """
    result: list[Any] = []
    for _, value in globals_of(package):
        if not isinstance(value, (tuple, list, Mapping)):
            continue
        elements = list(value.values() if isinstance(value, Mapping) else value)
        if len(elements) <= len(result) or not hasattr(elements[0], key):
            continue
        known = {getattr(each, key, None) for each in elements if _has_name(each, key)}
        if known >= {*names} and all(hasattr(elements[0], each) for each in also):
            result = elements
    if not result:
        raise LookupError(f"{package} has no declarations called {', '.join(names)}")
    return result


def _has_name(declaration: Any, key: str) -> bool:
    return isinstance(getattr(declaration, key, None), str)


def global_named(package: str, name: str) -> Any:
    """Return the value of a global by its name, from whichever module defines it."""
    values = {id(value): value for other, value in globals_of(package) if other == name}
    if len(values) != 1:
        raise LookupError(f"{package} has {len(values)} globals called {name}, expected one")
    return next(iter(values.values()))


def entry_point(name: str) -> Any:
    """Return the object that an entry point of the package loads."""
    module, _, function = ENTRY_POINTS[name].partition(":")
    return getattr(importlib.import_module(module), function)


def as_text(value: Any) -> str:
    """Return a value as a stable text."""
    if isinstance(value, (tuple, list)):
        return "[" + " ".join(map(as_text, value)) + "]"
    if isinstance(value, Mapping):
        return "{" + " ".join(f"{name}={as_text(each)}" for name, each in value.items()) + "}"
    return str(value) if isinstance(value, str) and re.fullmatch(r"\S+", value) else repr(value)


def describe(declaration: Any, *names: str) -> str:
    """Return attributes of a declaration, without those that are None, False or empty."""
    values = {each: getattr(declaration, each) for each in names}
    shown = {
        name: each for name, each in values.items() if each or (each == 0 and each is not False)
    }
    return " ".join(f"{name}={as_text(each)}" for name, each in shown.items())


# The command line


@cache
def command_line() -> click.Group:
    """Return the group of commands in the module of the program's entry point."""
    module = importlib.import_module(ENTRY_POINTS["irjudge"].partition(":")[0])
    (group,) = {
        id(each): each for each in vars(module).values() if isinstance(each, click.Group)
    }.values()
    return group


def subcommand(name: str) -> click.Command:
    """Return a command by its name."""
    command = command_line().get_command(click.Context(command_line()), name)
    assert command is not None, name
    return command


@subject("commands")
def commands() -> Lines:
    """Return each command with its arguments and options."""
    group = command_line()
    context = click.Context(group)
    lines = [f"irjudge {_parameter(each)}" for each in group.params]
    for name in group.list_commands(context):
        lines += [name, *(f"{name} {_parameter(each)}" for each in subcommand(name).params)]
    return lines


def _parameter(parameter: click.Parameter) -> str:
    """Return the name of an argument or option, its type and its default."""
    data = parameter.to_info_dict()
    kind = data["type"]
    names = " ".join([*data["opts"], *(f"/ {each}" for each in data["secondary_opts"])])
    if isinstance(parameter, click.Argument):
        names = parameter.human_readable_name
    takes = kind["name"]
    if "choices" in kind:
        takes = f"[{'|'.join(map(str, kind['choices']))}]"
    elif kind.get("min") is not None or kind.get("max") is not None:
        low, high = (kind.get(each) for each in ("min", "max"))
        opened = [bool(kind.get(each)) for each in ("min_open", "max_open")]
        takes += f" {low}{' <' if opened[0] else ' <='} x{' <' if opened[1] else ' <='} {high}"
        takes = takes.replace(" None <= x", " x").replace("x <= None", "x")
    marks = [
        each for each in ("required", "multiple", "is_flag", "count", "hidden") if data.get(each)
    ]
    if data["nargs"] != 1:
        marks.append(f"nargs={data['nargs']}")
    if data.get("envvar"):
        marks.append(f"envvar={data['envvar']}")
    default = data["default"]
    if default is not None and default is not False and not callable(default):
        marks.append(f"default={as_text(default)}")
    return " ".join([names, takes, *marks])


# Registries


def parameters(declaration: Any) -> Lines:
    """Return a line for each parameter of a declaration."""
    return [
        f"{declaration.name} {each.name}: "
        + describe(each, "kind", "required", "default", "optional", "choices")
        for each in declaration.parameters
    ]


@subject("measures")
def measures() -> Lines:
    """Return each measure with its direction, other names and parameters."""
    lines: Lines = []
    declarations = find_declarations(ENGINE, "nDCG", "AP", "P")
    # the registry lists them by module and line
    for each in sorted(declarations, key=lambda each: each.name):
        aliases = [alias.name for alias in each.aliases]
        shown = "kind better bounds summary mean at needs".split()
        lines.append(f"{each.name} {describe(each, *shown)}")
        lines += [f"{each.name} also {alias}" for alias in aliases]
        lines += parameters(each)
    online = find_declarations(ENGINE, "QueryAbandonment", "NumClicks")
    return lines + [f"online {each.name}" for each in online]


@subject("registries")
def registries() -> Lines:
    """Return the names in the registries of statistics, tests, rules, strategies and formats."""
    known: dict[str, tuple[str, ...]] = {
        "agreement": ("alpha", "fleiss-kappa"),
        "significance": ("wilcoxon", "sign"),
        "correction": ("bonferroni", "holm"),
        "consensus": ("majority",),
        "correlation": ("tau-b", "rbo"),
        "pooling": ("depth", "stratified"),
        "pooling preset": ("rank-systems", "find-relevant"),
        "ranking": ("bm25",),
        "figure": ("heat-map",),
        "side file": ("nuggets", "groups"),
        "ratings format": ("quepid", "rre"),
    }
    lines: Lines = []
    for kind, names in known.items():
        for each in sorted(find_declarations(ENGINE, *names), key=lambda each: str(each.name)):
            lines.append(f"{kind}: {each.name}")
            lines += [f"{kind}: {each.name} also {alias}" for alias in getattr(each, "aliases", ())]
            if hasattr(each, "parameters"):
                lines += [f"{kind}: {line}" for line in parameters(each)]
    return lines


@subject("python")
def python_interface() -> Lines:
    """Return the functions of the package with their parameters and defaults."""
    package = importlib.import_module(ENGINE)
    lines: Lines = []
    for name in sorted(package.__all__):
        value = getattr(package, name)
        lines.append(name)
        if callable(value):
            for each in inspect.signature(value).parameters.values():
                default = "" if each.default is each.empty else f" = {as_text(each.default)}"
                lines.append(f"{name} {each.name} ({each.kind.description}){default}")
    return lines


# The window


@subject("window")
def window() -> Lines:
    """Return actions with their keys, settings with their defaults, and pages in their order."""
    actions = find_declarations(WINDOW, "new", "open", key="id", also=("keys", "page"))
    settings = find_declarations(WINDOW, "guard_ms", "theme", also=("default", "help"))
    pages = find_declarations(WINDOW, "home", "judge", key="id", also=("entry",))
    return [
        *(f"action {each.id} {describe(each, 'keys', 'page')}" for each in actions),
        *(
            f"setting {each.name} {describe(each, 'choices', 'span', 'card')} = {each.default!r}"
            for each in settings
        ),
        *(f"page {each.id} {describe(each, 'entry')}" for each in pages),
    ]


# Databases


def split_statement(statement: str) -> Lines:
    """Return an SQL statement, each column and constraint of a table on a line of its own."""
    sql = " ".join(re.sub(r"--[^\n]*", "", statement).split())
    table = re.fullmatch(r"CREATE TABLE (\w+) \((.*)\)([^)]*)", sql)
    if table is None:
        return [sql]
    parts = re.split(r",\s*(?![^(]*\))", table[2])
    return [f"{table[1]}: {each.strip()}" for each in parts] + [f"{table[1]}: ){table[3]}"]


def describe_schema(path: Path) -> Lines:
    """Return the version numbers of a project file, and its tables, indexes and triggers."""
    with closing(sqlite3.connect(path)) as connection:
        marks = ("application_id", "user_version")
        values = [connection.execute(f"PRAGMA {each}").fetchone()[0] for each in marks]
        select = "SELECT sql FROM sqlite_schema WHERE sql != '' ORDER BY type, name"
        rows = connection.execute(select).fetchall()
    lines = [f"{name} = {value}" for name, value in zip(marks, values, strict=True)]
    return lines + [line for (sql,) in rows for line in split_statement(sql)]


@subject("database", slow=True)
def databases() -> Lines:
    """Return the schema of a new project, and of sessions in PostgreSQL."""
    lines = [f"project {each}" for each in run_scenario().schema]
    steps = [
        value
        for _, value in globals_of(ENGINE)
        if isinstance(value, dict)
        and any("TABLE irjudge_fact" in str(each) for each in value.values())
    ]
    for form, statements in steps[0].items():
        plain = re.sub(r"--[^\n]*", "", statements)
        parts = [each for each in plain.split(";") if each.strip()]
        lines += [f"PostgreSQL {form} {line}" for each in parts for line in split_statement(each)]
    return lines


# Files and tables that are written

LOG = """{"session": "s1", "time": "2026-01-31T13:05:00Z", "query": "tides", "results": ["d4"],\
 "clicks": [{"document": "d4", "dwell": 42.5}], "latency_ms": 120}
{"session": "s2", "time": "2026-01-31T13:20:00Z", "query": "tides", "results": ["d1", "d2"]}
"""
INTERLEAVED = """search,topic,rank,document,team,clicked
s1,1,1,a,x,1
s1,1,2,b,y,0
s2,1,1,b,y,1
s2,1,2,a,x,0
"""
PREFERENCES = """topic,assessor,left,right,winner
1,ann,x,y,left
2,ann,x,y,right
1,bob,y,x,left
"""
INPUTS = {
    "own.qrels": "1 0 bee-line 1\n",
    "log.jsonl": LOG,
    "interleaved.csv": INTERLEAVED,
    "preferences.csv": PREFERENCES,
}
RELEASED = ROOT / "tests" / "golden" / "released" / "b99be626.zip"  # has sessions and adjudications
HASH = re.compile(r"\b[0-9a-f]{8,}\b")
COPIES = re.compile(r"rescued|before-merge|pairs.irjudge")  # with the same facts as the project
OLDER = ("merged.irjudge", "crowd.irjudge", "norming.irjudge")
QRELS, RUNS = SAMPLE / "qrels.txt", [SAMPLE / "runs" / f"{each}.run" for each in ("bm25", "ql")]
PROJECT = P = "everyday.irjudge"
# Run in this order, in one folder. The output is described for commands that have `--format`.
TABLES: list[list[Any]] = [
    ["sample"],
    ["import", P, "--judgments", SAMPLE / "judgments.csv"],
    ["import", P, "--judgments", QRELS, "--as", "model", "small"],
    ["evaluate", P],
    ["evaluate", P, "--keep", "nightly"],
    ["evaluate", "own.qrels", RUNS[0], "--keep", "nightly"],
    ["history", P],
    ["compare", P],
    ["compare", P, "--power", ".8"],
    ["bounds", P],
    ["explain", P, "bm25", "-t", "1", "-m", "nDCG"],
    ["correlate", *RUNS],
    ["user", QRELS, RUNS[0], "--known", QRELS],
    ["measures"],
    ["measures", "nDCG"],
    ["strategies"],
    ["rankers"],
    ["fuse", *RUNS],
    ["search", SAMPLE / "documents.jsonl", "--topics", SAMPLE / "topics.txt"],
    ["duplicates", SAMPLE / "documents.jsonl"],
    ["certificate", "--found", "5", "--rest", "100"],
    ["certificate", "--found", "5", "--rest", "100", "--drawn", "20"],
    ["pool", *RUNS, "--depth", "3"],
    ["pool", *RUNS, "--depth", "3", "--details"],
    ["pool", P, "--depth", "3"],
    ["reusability", P],
    ["estimate", P],
    ["agreement", P, "--show", "all"],
    ["agreement", P, "--show", "pairs"],
    ["agreement", P, "--show", "topics"],
    ["agreement", P, "--show", "grades"],
    ["agreement", P, "--show", "assessors"],
    ["agreement", P, "--show", "systems"],
    ["agreement", P, "--show", "confusion", "--ratings", "qrels"],
    ["agreement", P, "--show", "conflicts", "--ratings", "qrels"],
    ["consensus", P],
    *(
        ["audit", P, "--samples", "20", "--show", each]
        for each in "verdict statistics confusion leniency systems bias people conflicts".split()
    ),
    ["figure"],
    ["figure", "heat-map", P],
    ["fields", P],
    ["costs", P, "--hour", "20"],
    ["assign", P, "--assessors", "ann,bob", "--preview"],
    ["assign", P, "--assessors", "ann", "-o", "tasks", "--seed", "1"],
    ["merge", P, "tasks/ann.irtask"],
    *(["status", P, "--show", each] for each in "progress files speed forecast runs".split()),
    ["participant", P],
    ["exercise", P, "--make", "reach"],
    ["participant", "crowd.irjudge"],
    ["agreement", "norming.irjudge", "--show", "rounds"],
    ["preferences", "preferences.csv"],
    ["online", "log.jsonl"],
    ["online", "log.jsonl", "--intervals"],
    ["clicks", "log.jsonl"],
    ["interleaving", "interleaved.csv"],
    ["doctor", P],
    ["rescue", P, "-o", "rescued.irjudge"],
]
WRITTEN: list[list[Any]] = [
    ["export", P, "--judgments", "-o", "judgments.csv"],
    ["export", "merged.irjudge", "--adjudications", "-o", "adjudications.csv"],
    ["export", "crowd.irjudge", "--approvals", "-o", "approvals.csv"],
    ["export", P, "--pool", "-o", "pool.csv"],
    ["export", P, "--tasks", "-o", "tasks.csv"],
    ["export", P, "--tasks", "-o", "tasks.tsv"],
    ["export", P, "--tasks", "-o", "tasks.json"],
    ["export", P, "--documents", "-o", "documents.jsonl"],
    ["export", P, "--topics", "-o", "topics.jsonl"],
    *(
        ["export", P, "--qrels", "--form", form, "-o", f"qrels.{form}.{ending}"]
        for form, ending in {
            "quepid": "csv",
            "opensearch": "json",
            "rre": "json",
            "rank_eval": "json",
            "csv": "csv",
            "jsonl": "jsonl",
            "parquet": "parquet",
        }.items()
    ),
    ["sample", "everyday", "-o", "pairs.irjudge"],
    [
        *("assign", "pairs.irjudge", "--assessors", "pat", "--mode", "side-by-side"),
        *("--grading", "--as", "html", "-o", "pairs", "--seed", "1"),
    ],
    ["export", "tasks/ann.irtask", "--html", "-o", "page.html"],
    ["report", P, "-o", "report.csv"],
    ["report", "own.qrels", RUNS[0], "-m", "P@5", "-o", "study.zip"],
    ["convert", RUNS[0], "-o", "converted"],
    ["ask", P, "--allow"],
    ["ask", P, "--model", "other", "--write-prompts", "prompts"],
]


def run_program(*arguments: Any) -> tuple[int, str, str]:
    """Run the program and return its exit code and what it prints."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        code = entry_point("irjudge")([str(each) for each in arguments])
    return code, out.getvalue(), errors.getvalue()


@dataclasses.dataclass
class Written:
    """Output and files of the commands, by subject."""

    schema: Lines = dataclasses.field(default_factory=list)
    tables: Lines = dataclasses.field(default_factory=list)
    files: Lines = dataclasses.field(default_factory=list)


@cache
def run_scenario() -> Written:
    """Run all commands once, in a temporary folder, and describe their output and files."""
    written = Written()
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryDirectory() as cached,
        contextlib.chdir(folder),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("IRJUDGE_CACHE", cached)
        for name, text in INPUTS.items():
            Path(name).write_text(text, encoding="utf-8")
        with zipfile.ZipFile(RELEASED) as released:
            released.extractall(members=OLDER)
        run_program("sample", "everyday", "-o", PROJECT)
        for command in (*TABLES, *WRITTEN):
            written.tables += describe_output(command)
        written.schema = describe_schema(Path(PROJECT))
        for path in sorted(each for each in Path().rglob("*") if each.is_file()):
            if path.name not in (*INPUTS, *OLDER) and not COPIES.search(path.name):
                written.files += describe_file(path)
    return written


def describe_output(command: Sequence[Any]) -> Lines:
    """Run a command and return its name with each key of its JSON output, or its error."""
    options = [each for option in subcommand(command[0]).params for each in option.opts]
    as_json = ["--format", "json"] if "--format" in options else []
    code, out, errors = run_program(*command, *as_json)
    name = " ".join(each.name if isinstance(each, Path) else each for each in command)
    if code:
        return [f"{name}: exit code {code}, {' '.join(errors.split())[-200:]}"]
    try:
        return (
            [f"{name}: {each}" for each in list_keys(json.loads(out)["values"])] if as_json else []
        )
    except ValueError:
        return [f"{name}: no JSON"]


def list_keys(value: Any, before: str = "") -> Lines:
    """Return the path of each key in a JSON value, in the order of their first occurrence."""
    if isinstance(value, list):
        inside = [list_keys(each, f"{before}[]") for each in value]
        return list(dict.fromkeys(path for paths in inside for path in paths))
    if not isinstance(value, dict) or before.endswith(".values"):  # the values of a message
        return []
    lines: Lines = []
    for key, each in value.items():
        path = f"{before}.{without_ids(key)}".removeprefix("[].").removeprefix(".")
        lines += [path, *list_keys(each, path)]
    return list(dict.fromkeys(lines))


@cache
def data_ids() -> set[str]:
    """Return the ids of the documents in the sample."""
    lines = (SAMPLE / "documents.jsonl").read_text(encoding="utf-8").splitlines()
    return {json.loads(each)["id"] for each in lines}


def without_ids(key: str) -> str:
    """Return a key without hashes, or `*` if it is an id of the data."""
    return "*" if key in data_ids() or re.fullmatch(r"[\d/]+", key) else HASH.sub("HASH", key)


def describe_file(path: Path) -> Lines:
    """Return columns, keys or facts of a file."""
    name = HASH.sub("HASH", path.as_posix())
    readers: dict[str, Callable[[Path], Iterable[str]]] = {
        ".csv": read_header,
        ".tsv": read_header,
        ".json": lambda each: list_keys(json.loads(each.read_text(encoding="utf-8"))),
        ".jsonl": list_keys_of_lines,
        ".parquet": describe_parquet,
        ".html": list_keys_of_page,
        ".irjudge": list_facts,
        ".irtask": list_facts,
        ".zip": describe_archive,
    }
    reader = readers.get(path.suffix)
    return [name, *(f"{name}: {each}" for each in reader(path))] if reader else [name]


def read_header(path: Path) -> Lines:
    """Return the columns of a text table."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return next(csv.reader(file, delimiter="\t" if path.suffix == ".tsv" else ","), [])


def list_keys_of_lines(path: Path) -> Lines:
    """Return the keys in a file with one JSON value per line."""
    return list_keys([json.loads(each) for each in path.read_text(encoding="utf-8").splitlines()])


def describe_parquet(path: Path) -> Lines:
    """Return columns, types and keys of metadata of a Parquet file."""
    schema = pyarrow.parquet.read_schema(path)
    keys = sorted(each.decode() for each in schema.metadata or {} if each != b"ARROW:schema")
    return [
        *(f"{each.name} {each.type}" for each in schema),
        *(f"metadata {each}" for each in keys),
    ]


def list_keys_of_page(path: Path) -> Lines:
    """Return the keys of the task in a page for judging in a browser."""
    pattern = r'<script type="application/json" id="task">(.*?)</script>'
    match = re.search(pattern, path.read_text(encoding="utf-8"), re.DOTALL)
    return [f"task {each}" for each in list_keys(json.loads(match[1]))] if match else []


def list_facts(path: Path) -> Lines:
    """Return the facts in a project or task file, with the keys of those in JSON."""
    with closing(sqlite3.connect(path)) as connection:
        facts = connection.execute("SELECT name, value FROM fact ORDER BY name").fetchall()
        bodies = connection.execute("SELECT body FROM event ORDER BY sequence").fetchall()
    lines: Lines = []
    for name, value in facts:
        lines += [
            f"fact {name}",
            *(f"fact {name}: {each}" for each in list_keys(parse_json(value))),
        ]
    events = [parse_json(bytes(body) if isinstance(body, bytes) else body) for (body,) in bodies]
    return lines + [f"event {each}" for each in list_keys(events)]


def parse_json(text: str | bytes) -> Any:
    """Return a JSON value; None for invalid JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def describe_archive(path: Path) -> Lines:
    """Return the members of a study with the columns or keys of each."""
    lines: Lines = []
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        for name in sorted(archive.namelist()):
            member = Path(archive.extract(name, folder))
            with contextlib.chdir(folder):
                lines += describe_file(member.relative_to(folder)) if member.is_file() else []
    return lines


@subject("tables", slow=True)
def tables() -> Lines:
    """Return the columns of what each command prints; those of CSV are the same."""
    return run_scenario().tables


@subject("files", slow=True)
def files() -> Lines:
    """Return names, columns and keys of the files that commands write."""
    return run_scenario().files


# The page for browsers


def read_page_code() -> str:
    """Return the JavaScript of the page."""
    folder = ROOT / "resources" / "web"
    return "\n".join(each.read_text(encoding="utf-8") for each in sorted(folder.glob("*.js")))


@subject("browser")
def browser() -> Lines:
    """Return the stores in the browser, and the keys of a result file that the page writes."""
    code = read_page_code()
    constants = dict(re.findall(r"^const (\w+) = (.+?);", code, re.MULTILINE))
    lines: Lines = []
    for name, version in re.findall(r"indexedDB\.open\(([^,()]+), (\d+)\)", code):
        lines.append(f"IndexedDB {constants.get(name, name)} version {version}")
    lines += [f"store {each}" for each in sorted(re.findall(r"createObjectStore\((.*?)\);", code))]
    (result,) = re.findall(r"\{\s*irjudge: \"result\",.*?\}", code, re.DOTALL)
    lines += [f"result {each}" for each in re.findall(r"^\s*(\w+):", result, re.MULTILINE)]
    (receipt,) = re.findall(r"receipt = JSON\.stringify\(\{(.*?)\}\)", code)
    return lines + [f"result receipt.{each}" for each in re.findall(r"(\w+):", receipt)]


# Plug-ins, environment, texts

FOR_PLUG_INS = """
Document ExampleTopic FileFormat JudgedRun PlainJudgment RatingsWriter Rel RetrievedDocument
OpenRun Scores Topic WorkedExample explains measure register_bounds
""".split()
RECORD_GROUPS = """
import contextlib, importlib.metadata, io, os, sys
groups = []
importlib.metadata.entry_points = lambda *, group: groups.append(group) or ()
sys.path.append(os.curdir)
from {module} import {function} as main
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    main(["measures"])
    main(["sample", "everyday", "-o", "p.irjudge"])
    main(["new", "n.irjudge", "--topics", "t.tsv", "--documents", "d.jsonl"])
    main(["evaluate", "q.qrels", "r.run"])
    main(["export", "p.irjudge", "--qrels", "--form", "csv", "-o", "q.csv"])
print(*sorted(set(groups)), sep="\\n")
"""


@subject("plug-ins", slow=True)
def plug_ins() -> Lines:
    """Return the groups of entry points, and the modules from which plug-ins import names."""
    module, _, function = ENTRY_POINTS["irjudge"].partition(":")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "x-1.dist-info").mkdir()
        (folder / "x-1.dist-info" / "entry_points.txt").write_text("[irjudge.x]\n")
        (folder / "t.tsv").write_text("1\ttides\n")
        (folder / "d.jsonl").write_text('{"id": "a", "text": "x"}\n')
        (folder / "q.qrels").write_text("1 0 a 1\n")
        (folder / "r.run").write_text("1 Q0 a 1 4 x\n")
        code = RECORD_GROUPS.format(module=module, function=function)
        command = [sys.executable, "-P", "-c", code]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    lines = [f"group {each}" for each in done.stdout.split()]
    for each in FOR_PLUG_INS:
        value = global_named(ENGINE, each)
        lines += [f"{path} {each}" for path in find_import_paths(each, value)]
        if dataclasses.is_dataclass(value):
            lines += [
                f"{each} {field.name}"
                for field in dataclasses.fields(value)
                if field.name[0] != "_"
            ]
    return lines


def find_import_paths(name: str, value: Any) -> Lines:
    """Return the modules that define or export a name."""
    result = [
        module.__name__
        for module in modules_of(ENGINE)
        if name in getattr(module, "__all__", ()) or defines(module, name)
    ]
    return [each for each in result if getattr(sys.modules[each], name) is value]


def defines(module: ModuleType, name: str) -> bool:
    """Return whether a module assigns or defines a global, rather than importing it."""
    source = inspect.getsource(module)
    return bool(re.search(rf"^(?:class|def) {name}\b|^{name}(?:: [^=]+)? = ", source, re.MULTILINE))


@subject("environment")
def environment() -> Lines:
    """Return the environment variables that the program reads."""
    sources = [inspect.getsource(each) for name in (ENGINE, WINDOW) for each in modules_of(name)]
    return sorted({each for text in sources for each in re.findall(r"\bIRJUDGE_[A-Z_]+", text)})


@subject("texts")
def texts() -> Lines:
    """Return how many texts there are, and how many of them each language translates."""
    lines: Lines = []
    for path in sorted((ROOT / "resources" / "translations").glob("*.tsv")):
        rows = [each.split("\t") for each in path.read_text(encoding="utf-8").splitlines()[1:]]
        finished = sum(bool(each[1:] and each[1]) for each in rows)
        lines += [f"{path.stem} texts {len(rows)}", f"{path.stem} translated {finished}"]
    return lines


# Comparing


def read_stored(name: str) -> Lines:
    """Return the stored lines of a subject; none if it has not been written yet."""
    path = STORED / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def compare_lines(name: str, stored: Lines, computed: Lines) -> str:
    """Return the removed and added lines of a subject; empty if it is unchanged."""
    difference = difflib.unified_diff(stored, computed, "stored", "computed", n=0, lineterm="")
    changes = [each for each in list(difference)[2:] if not each.startswith("@@")]
    if not changes:
        return ""
    again = f"If this is intended: python -m tests.test_snapshot {name}"
    return "\n".join([f"{name} changed:", *changes, again])


@pytest.mark.parametrize(
    "name",
    [pytest.param(each, marks=[pytest.mark.slow] if each in SLOW else []) for each in SUBJECTS],
)
def test_interfaces_of_users_and_files_are_unchanged(name: str) -> None:
    if difference := compare_lines(name, read_stored(name), SUBJECTS[name]()):
        pytest.fail(difference, pytrace=False)


def test_each_stored_file_belongs_to_a_subject() -> None:
    assert {each.stem for each in STORED.glob("*.txt")} == {*SUBJECTS}


def test_a_difference_names_subject_and_lines() -> None:
    result = compare_lines("commands", ["a --x integer", "b"], ["a --x text", "b"]).splitlines()
    assert result[:3] == ["commands changed:", "-a --x integer", "+a --x text"]
    assert compare_lines("commands", ["b"], ["b"]) == ""


def main(names: Sequence[str]) -> None:
    """Rewrite the stored lines of subjects, by default of all."""
    STORED.mkdir(exist_ok=True)
    for name in names or SUBJECTS:
        text = "".join(f"{each}\n" for each in SUBJECTS[name]())
        (STORED / f"{name}.txt").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    main(sys.argv[1:])

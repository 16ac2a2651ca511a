"""Tests of the dependency rules, including transitive imports and imports inside functions."""

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import grimp
import pytest
from importlinter import cli as importlinter
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from PySide6.QtCore import QObject

from tests.syntax_trees import iter_nodes

ROOT = Path(__file__).parent.parent
SOURCES = [
    path
    for folder in ("irjudge", "ui/irjudge_ui")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "_shipped" not in path.parts
]


# Last versions with a published vulnerability, of packages that read untrusted bytes.
VULNERABLE = (
    "pyarrow==23.0.0",
    "filelock==3.20.2",
    "pypdfium2==4.30.1",
    "pillow==12.2.0",
    "starlette==1.3.0",
    "h11==0.15.0",
)


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT / "ui" if path.is_relative_to(ROOT / "ui") else ROOT).parts
    return ".".join(parts).removesuffix(".py").removesuffix(".__init__")


def exports_of(stub: Path) -> dict[str, str]:
    """Return the module of each name that the stub of a package exports."""
    package = module_of(stub.with_suffix(".py"))
    return {
        alias.asname or alias.name: f"{package}.{node.module}"
        for node in ast.parse(stub.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


@cache
def public_apis() -> dict[str, dict[str, str]]:
    """Return the exported names of each package with a stub, with the module of each name."""
    return {
        module_of(path): exports_of(stub)
        for path in SOURCES
        if path.name == "__init__.py" and (stub := path.with_suffix(".pyi")).is_file()
    }


@cache
def graph() -> grimp.ImportGraph:
    """Return the import graph; it resolves names of public APIs to the modules that define them.

    Public APIs are loaded lazily, so that grimp alone would see packages that import nothing.
    """
    known = grimp.build_graph(
        "irjudge", "irjudge_ui", include_external_packages=True, cache_dir=None
    )
    for importer, imported in imports_between_packages():
        for module, name in imported:
            home = public_apis().get(module, {}).get(name)
            if home in known.modules:
                known.add_import(importer=importer, imported=home)
    return known


@cache
def imports_between_packages() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Return the names of this program that each module imports, with their modules."""
    return tuple((module_of(path), parse_file(path)[2]) for path in SOURCES)


def find_dependencies(module: str) -> set[str]:
    """Return every module that a package imports, directly or indirectly."""
    return graph().find_upstream_modules(module, as_package=True)


def third_party(modules: set[str]) -> set[str]:
    roots = {module.split(".")[0] for module in modules}
    return {
        root
        for root in roots
        if root not in sys.stdlib_module_names and not root.startswith("irjudge")
    }


@cache
def parse_file(path: Path) -> tuple[frozenset[str], tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the imports of a file, its writing calls, and the names imported from irjudge."""
    imported, calls, names = set(), [], []
    for node in iter_nodes(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            imported.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.split(".")[0])
            if node.module.split(".")[0] in ("irjudge", "irjudge_ui"):
                names += [(node.module, alias.name) for alias in node.names]
        elif isinstance(node, ast.Call) and is_writing_call(node):
            calls.append(ast.unparse(node))
    return frozenset(imported), tuple(calls), tuple(names)


def imports_of(path: Path) -> frozenset[str]:
    return parse_file(path)[0]


def test_layers_import_only_lower_layers() -> None:
    assert (
        importlinter.lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True) == 0
    )


def test_the_engine_reaches_neither_qt_nor_the_window() -> None:
    assert not {
        module
        for module in find_dependencies("irjudge")
        if module.startswith(("PySide6", "shiboken6", "irjudge_ui"))
    }


def test_there_are_no_import_cycles() -> None:
    known = graph()
    cycles = []
    for module in sorted(known.modules):
        if module.startswith("irjudge") and any(
            known.find_shortest_chain(each, module)
            for each in known.find_modules_directly_imported_by(module)
        ):
            cycles.append(module)
    assert cycles == []


def test_packages_are_imported_by_their_public_apis() -> None:
    """Modules in a package are private to it; modules next to packages are public."""
    modules = {module_of(path): path.name == "__init__.py" for path in SOURCES}
    past = []
    for importer, imported in imports_between_packages():
        for module, name in imported:
            target = f"{module}.{name}" if f"{module}.{name}" in modules else module
            package = target if modules[target] else target.rpartition(".")[0]
            if package in ("irjudge", "irjudge_ui") or f"{importer}.".startswith(f"{package}."):
                continue
            if target == module and name in public_apis().get(module, {}):
                continue
            if target == "irjudge.cli.main":  # the entry point of the command line
                continue
            past.append(f"{importer}: from {module} import {name}")
    assert past == []


@pytest.mark.slow
def test_public_apis_export_existing_names() -> None:
    """Every stub belongs to a package that loads from it, and every name in it exists."""
    work = (
        "from importlib import import_module; "
        f"apis = { ({package: sorted(names) for package, names in public_apis().items()})!r}; "
        "[getattr(import_module(package), name) for package in apis for name in apis[package]]; "
        "assert all(sorted(import_module(each).__all__) == apis[each] for each in apis)"
    )
    assert {"irjudge.stats", "irjudge_ui.widgets"} <= set(public_apis())
    assert "irjudge.stats" in loaded_by(work)


def test_measures_import_only_numpy() -> None:
    assert third_party(find_dependencies("irjudge.metrics")) - {"lazy_loader"} == {"numpy"}


def test_only_the_store_uses_sqlite() -> None:
    users = {path.relative_to(ROOT).as_posix() for path in SOURCES if "sqlite3" in imports_of(path)}
    assert users and all(user.startswith("irjudge/store/") for user in users)


def test_only_session_stores_use_a_database() -> None:
    users = {path.relative_to(ROOT).as_posix() for path in SOURCES if "psycopg" in imports_of(path)}
    assert users == {"irjudge/web/postgres_connection.py"}


@cache
def loaded_by(work: str) -> set[str]:
    """Return the modules loaded by a process after some work; all tests share the process."""
    asked = f"import sys; {work}; print(*sys.modules)"
    return set(
        subprocess.run(
            [sys.executable, "-c", asked], check=True, capture_output=True, text=True
        ).stdout.split()
    )


OF_PROJECTS = "import irjudge.cli.main, " + ", ".join(
    f"irjudge.cli.{each}"
    for each in (
        "serve",
        "assignments",
        "projects",
        "evaluate",
        "judgments",
        "pools",
    )
)


@pytest.mark.slow
def test_the_database_driver_is_optional() -> None:
    loaded = loaded_by(OF_PROJECTS)
    assert "irjudge.web.server" in loaded and "psycopg" not in loaded


# scipy itself loads each of these when it is used
HEAVY = ("scipy.special", "scipy.sparse", "scipy.stats", "pandas", "matplotlib", "openpyxl")


@pytest.mark.slow
@pytest.mark.parametrize("heavy", [*HEAVY, "xlsxwriter", "PySide6"])
def test_project_commands_start_without_rarely_needed_modules(heavy: str) -> None:
    assert heavy not in loaded_by(OF_PROJECTS)


def test_evaluating_files_starts_without_sqlite() -> None:
    assert "sqlite3" not in loaded_by("import irjudge.cli.evaluate")


@pytest.mark.slow
@pytest.mark.parametrize("heavy", [*HEAVY, "starlette", "uvicorn", "pypdfium2"])
def test_the_window_starts_without_rarely_needed_modules(heavy: str) -> None:
    assert heavy not in loaded_by("import irjudge_ui.app, irjudge_ui.window")


def test_only_jobs_starts_threads() -> None:
    starters = {"threading", "multiprocessing", "concurrent", "asyncio"}
    users = {path.relative_to(ROOT).as_posix() for path in SOURCES if starters & imports_of(path)}
    users |= {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        if "QThread" in path.read_text(encoding="utf-8")
    }
    assert users == THREAD_MODULES


# Modules that use threads, each with its reason.
THREAD_MODULES = {
    # parallel requests to a model; it waits for all, and they share a budget
    "irjudge/audit/model_requests.py",
    # starts none: parallel requests store their replies one at a time
    "irjudge/audit/model_replies.py",
    "ui/irjudge_ui/jobs.py",
    "irjudge/formats/rows/columns.py",  # computes within one call and ends its threads
    "irjudge/formats/rows/remote_files.py",  # starts none: its stores read in their own event loop
    "irjudge/progress.py",  # leaves a thread running if a remote machine does not respond
    "irjudge/stats/cluster.py",  # starts none: waits for the results of a cluster
    "irjudge/stats/local_processes.py",  # a thread waits for each process of this machine
    "irjudge/stats/worker_start.py",  # starts none: forks the process that workers are copies of
    "irjudge/store/connection.py",  # starts none: connections of several threads take turns
    "irjudge/web/writer.py",  # the single writing thread of a session, and its queue
    "irjudge/web/server.py",  # the threads that answer browsers and that render documents
    "irjudge/web/task.py",  # starts none: the threads of the server share a cache
    "irjudge/web/connections.py",  # starts none: quotas are counted in several threads
    # starts none: asks for the results of the writing thread
    "ui/irjudge_ui/pages/session/controller.py",
    "irjudge/cli/participants.py",  # starts none: polls
    "irjudge/cli/serve.py",  # waits for the server, and for commands of the host
}


PARTIAL_FILES = {"part", "partial", "partial_copy", "partial_path", "temporary_path"}
# Code that opens a file for writing without `formats.bytes.atomic_write`, each with its reason. The
# function's own block is in `PARTIAL_FILES`.
DIRECT_WRITERS = {
    "irjudge/stats/local_processes.py": "writes what tasks share into a temporary folder of its own",
    "irjudge/audit/model_replies.py": "adds what a model answered to the end of a file that has nothing else",
    "ui/irjudge_ui/app.py": "adds to the file of faults, into which Python writes while the program dies",
    "irjudge/store/schema.py": "copies an older file to a name where no file stands, made exclusively",
    "irjudge/store/damaged_file.py": "mends a copy of a damaged file in a temporary folder of its own",
    "irjudge/store/lock_and_journals.py": "renames the journal of a file that is gone to a name where no file stands",
    "irjudge/formats/exercises.py": "adds answers to the end of a file that has nothing else, which a new file in its place would lose",
    "irjudge/report/workbook/sheet_writer.py": "puts a workbook together in the part that its callers were given by the door",
}
WRITING = {
    "write_text",
    "write_bytes",
    "savefig",
    "copy",
    "copy2",
    "copyfile",
    "copytree",
    "move",
    "FileIO",
    "NamedTemporaryFile",
    "rename",
}


def is_writing_call(node: ast.Call) -> bool:
    """Return whether a call opens a file for writing, not a partial file or a buffer."""
    name = (
        node.func.attr
        if isinstance(node.func, ast.Attribute)
        else node.func.id
        if isinstance(node.func, ast.Name)
        else ""
    )
    if name != "open" and name not in WRITING:
        return False
    target = ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
    given = [ast.unparse(each) for each in node.args]
    if target in PARTIAL_FILES or {*PARTIAL_FILES, "buffer", "made", "target", "os.devnull"} & set(
        given
    ):
        return False
    mode = [
        word
        for word in given
        if word[:1] in "'\""
        and set(word.strip("'\"")) <= set("rwaxbt+")
        and set(word) & set("wax+")
    ]
    if name == "open" and mode:
        return True
    return name in WRITING and (target == "shutil" or not name.startswith(("copy", "move")))


def test_files_are_written_by_one_function() -> None:
    around = {
        path.relative_to(ROOT).as_posix(): parse_file(path)[1]
        for path in SOURCES
        if path.name != "atomic_write.py"
    }
    assert {
        name: calls for name, calls in around.items() if calls and name not in DIRECT_WRITERS
    } == {}


def test_output_is_printed_by_one_function() -> None:
    around = re.compile(
        r"(?<![\w.>])print\(|click\.echo\(|console\.print\(|sys\.std(?:out|err)\.write\("
    )
    sources = {
        path: path.read_text(encoding="utf-8")
        for path in (ROOT / "irjudge").rglob("*.py")
        if path.name != "streams.py"
    }
    lines = [
        (path.name, line)
        for path, text in sources.items()
        for line in text.splitlines()
        if ">>>" not in line
    ]
    assert [
        each for each in lines if around.search(each[1]) and not each[1].lstrip().startswith("...")
    ] == []


def test_every_python_subprocess_ignores_the_current_folder() -> None:
    """Python is started with `shipped.module_command`, which passes -P."""
    users = {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        if "sys.executable," in path.read_text(encoding="utf-8")
    }
    assert users == {"irjudge/shipped.py"}


def test_only_judging_appends_events() -> None:
    users = {
        path.relative_to(ROOT).as_posix()
        for path in SOURCES
        if re.search(r"\bevents\.append\(", path.read_text(encoding="utf-8"))
    }
    assert users and all(user.startswith("irjudge/judging/") for user in users)


@pytest.mark.slow
@pytest.mark.parametrize(
    "heavy", ["PySide6", "pandas", "scipy", "matplotlib", "openpyxl", "xlsxwriter", "pyarrow"]
)
def test_importing_the_program_stays_cheap(heavy: str) -> None:
    loaded = loaded_by("import irjudge, irjudge.cli.main")
    assert "irjudge.cli.main" in loaded and heavy not in loaded


@pytest.mark.slow
@pytest.mark.parametrize("heavy", ["PySide6", "pandas", "scipy", "matplotlib"])
def test_parsing_a_measure_name_stays_cheap(heavy: str) -> None:
    loaded = loaded_by(
        "from irjudge.metrics import parse_measure_name; parse_measure_name('nDCG@10')"
    )
    assert "numpy" in loaded and heavy not in loaded


def test_every_dependency_has_its_reason() -> None:
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    begin = lines.index("dependencies = [")
    block = lines[begin + 1 : lines.index("]", begin)]
    bare = [
        line.strip()
        for before, line in zip(["", *block], block, strict=False)
        if line.strip().startswith('"') and not before.strip().startswith("#")
    ]
    assert bare == []


def test_every_third_party_import_is_declared() -> None:
    declared = (
        (ROOT / "pyproject.toml")
        .read_text(encoding="utf-8")
        .split("dependencies = [")[1]
        .split("test = [")[0]
        .lower()
    )
    names = {
        "PySide6": "pyside6-essentials",
        "shiboken6": "pyside6-essentials",
        "markdown_it": "markdown-it-py",
        "charset_normalizer": "charset-normalizer",
        "Stemmer": "PyStemmer",
    }
    used = {
        root
        for path in SOURCES
        for root in imports_of(path)
        if root not in sys.stdlib_module_names and not root.startswith("irjudge")
    }
    assert {root for root in used if f'"{names.get(root, root).lower()}' not in declared} == set()


def requirements() -> dict[str, SpecifierSet]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [
        *project["dependencies"],
        *(each for extra in project["optional-dependencies"].values() for each in extra),
    ]
    return {canonicalize_name(each.name): each.specifier for each in map(Requirement, named)}


def test_ci_installs_the_declared_dependencies() -> None:
    lines = (ROOT / ".ci" / "constraints.txt").read_text(encoding="utf-8").split()
    pinned = {
        canonicalize_name(name): version for name, version in (line.split("==") for line in lines)
    }
    assert {
        name for name, wanted in requirements().items() if pinned.get(name, "none") not in wanted
    } == set()


@pytest.mark.parametrize("holed", VULNERABLE)
def test_no_vulnerable_version_is_allowed(holed: str) -> None:
    name, version = holed.split("==")
    assert version not in requirements()[name]


@pytest.mark.slow
def test_qt_does_not_lose_references_to_none() -> None:
    """PySide6 6.12.0 loses one in every void call and aborts after some thousands."""
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(2000):
        thing.setObjectName("x")
    assert sys.getrefcount(None) > before - 1000

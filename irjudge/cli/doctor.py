"""What somebody needs to know who is to find out why irjudge does not work on another machine; nothing of what was judged."""

import json
import locale
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click
import platformdirs
from filelock import FileLock

from irjudge.cli.launch import check_qt, has_screen
from irjudge.cli.shared.locations import FILE
from irjudge.cli.shared.output import format_option, show
from irjudge.cli.shared.streams import put, tell
from irjudge.errors import IrjudgeError
from irjudge.shipped import cache_folder, crash_report, release
from irjudge.store.schema import is_project

Fact = tuple[str, str]
FACTS = "--facts"  # as the window's probe reads it
MOUNTS = Path("/proc/self/mounts")


@click.command("doctor")
@click.argument("file", required=False, type=FILE)
@click.option(
    "--crash",
    is_flag=True,
    help="Print what the window's last faults said. Read it before you send it: it may name files.",
)
@format_option()
def doctor_command(file: Path | None, crash: bool, form: str) -> None:
    """Print what a maintainer needs to know of this machine, and of the place of the project FILE; nothing of its content."""
    if crash:
        said = crash_report()
        if said.is_file():
            put(said.read_text(encoding="utf-8", errors="replace"))
        else:
            tell("No fault was kept.")
        return
    if file is not None and not file.is_file():
        raise IrjudgeError("{name} does not exist.", name=str(file))
    facts = [*program(), *window(), *folders(), *(project(file) if file else ())]
    show(("what", "found"), facts, form)


def program() -> Iterator[Fact]:
    """Yield which program this is, on what, with which libraries."""
    kind = (
        "a bundle"
        if getattr(sys, "frozen", False)
        else "an environment"
        if sys.prefix != sys.base_prefix
        else "the system's Python"
    )
    yield "program", f"{release()}, in {kind}"
    yield (
        "Python",
        f"{platform.python_version()} ({platform.python_implementation()}, {sys.maxsize.bit_length() + 1} bit)",
    )
    yield "system", f"{platform.platform()}, {os.cpu_count()} processors"
    yield (
        "text",
        f"files {sys.getfilesystemencoding()}, terminal {sys.stdout.encoding}, locale {locale.setlocale(locale.LC_CTYPE)}",
    )
    for each in declared():
        yield each, installed(each)


def declared() -> list[str]:
    """Return the names of the libraries that irjudge uses, those of extras too, the tests' excepted."""
    with suppress(PackageNotFoundError):
        used = (
            each
            for each in requires("irjudge") or ()
            if "extra == 'test'" not in each.replace('"', "'")
        )
        return list(
            dict.fromkeys(
                each.split(";")[0].split("[")[0].split(">")[0].split("!")[0].strip()
                for each in used
            )
        )
    return []


def installed(name: str) -> str:
    """Return the version of a library."""
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def window() -> Iterator[Fact]:
    """Yield what Qt finds here, or why no window can open; a process of its own asks it."""
    if not has_screen():
        yield "window", "there is no screen here"
        return
    try:
        yield from json.loads(check_qt(FACTS).rpartition("\n")[2]).items()
    except IrjudgeError as fault:
        yield "window", str(fault)


def folders() -> Iterator[Fact]:
    """Yield the folders that irjudge uses, with the room in them, and when the window last had a fault."""
    places = {
        "settings": Path(platformdirs.user_config_dir("irjudge", appauthor=False)),
        "copies": cache_folder(),
        "temporary files": Path(tempfile.gettempdir()),
    }
    for name, folder in places.items():
        yield name, f"{short(folder)}: {room(folder)}"
    kept = crash_report()
    if kept.is_file() and (state := kept.stat()).st_size:
        when = f"{datetime.fromtimestamp(state.st_mtime, UTC):%Y-%m-%d %H:%M} UTC"
        yield "last fault", f"{when}; `irjudge doctor --crash` prints it"
    else:
        yield "last fault", "none was kept"


def short(path: Path) -> str:
    """Return a path without the user's name, where it lies in the user's folder."""
    home = Path.home()
    return str(Path("~") / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def room(folder: Path) -> str:
    """Return how much can be written in a folder, or in the first above it that is there."""
    there = next(each for each in (folder, *folder.parents) if each.exists())
    try:
        free = shutil.disk_usage(there).free / 1e9
    except OSError as fault:
        return fault.strerror or str(fault)
    return f"{free:.1f} GB free, {file_system(there)}" + (
        "" if os.access(there, os.W_OK) else ", not writable"
    )


def file_system(path: Path) -> str:
    """Return of what kind the file system below a path is, where the system tells it."""
    try:
        lines = [
            line.split()
            for line in MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines()
        ]
    except OSError:
        return "unknown file system"
    whole = path.resolve()
    found = [
        (len(point), kind)
        for _, point, kind, *_ in lines
        if whole.is_relative_to(point.replace("\\040", " "))
    ]
    return max(found)[1] if found else "unknown file system"


def project(file: Path) -> Iterator[Fact]:
    """Yield what can be said of the place of a project, by trying there what irjudge does with files; its name is not said."""
    yield (
        "project",
        f"{file.stat().st_size / 1e6:,.1f} MB, {'a project' if is_project(file) else 'no project of irjudge'}",
    )
    yield "its folder", room(file.absolute().parent)
    yield "locks and replacing there", tried(file.absolute().parent)


def tried(folder: Path) -> str:
    """Return whether a file can be locked and replaced in a folder; what was made for it is gone again."""
    try:
        with tempfile.TemporaryDirectory(prefix=".irjudge-doctor-", dir=folder) as own:
            first, second = Path(own, "first"), Path(own, "second")
            with FileLock(first, timeout=1):
                second.touch()
            second.replace(first)
    except (OSError, NotImplementedError) as fault:
        return f"do not work: {getattr(fault, 'strerror', None) or fault}"
    return "work"

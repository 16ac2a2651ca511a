"""Locations of the program's files, its version, and commands that run its modules."""

import gc
import os
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from irjudge.errors import IrjudgeError

PACKAGE_FOLDER = Path(__file__).parent
OWN_PACKAGES = ("irjudge", "irjudge_ui")
# first argument with which the bundled program runs a module; a bundle has no Python executable
RUN_MODULE = "--run-module"


def shipped_folder(folder: str) -> Path:
    """Return a folder of this installation, `resources` or `sample_collections`.

    Raises IrjudgeError if the folder is missing.
    """
    for candidate_folder in (PACKAGE_FOLDER / "_shipped", PACKAGE_FOLDER.parent):
        if (candidate_folder / folder).is_dir():
            return candidate_folder / folder
    raise IrjudgeError(
        "The folder {folder} is missing from this installation of irjudge. Reinstall irjudge.",
        folder=folder,
    )


def sample_folders() -> dict[str, Path]:
    """Return the folder of each sample collection, by name of the collection, sorted."""
    return {
        folder.name: folder
        for folder in sorted(shipped_folder("sample_collections").iterdir())
        if (folder / "topics.txt").is_file()
    }


def guide_path(name: str, language: str = "") -> Path:
    """Return the path of a guide, such as `assessors`, in a language.

    If the guide is not translated, return the path of the English guide.
    """
    folder = shipped_folder("resources") / "help"
    translated_page = folder / language / f"{name}.md"
    return translated_page if translated_page.is_file() else folder / f"{name}.md"


@cache
def program_version() -> str:
    """Return the program's name and version."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415 -- 20 ms

    try:
        return f"irjudge {version('irjudge')}"
    except PackageNotFoundError:
        return "irjudge, from a checkout"


def module_command(module: str) -> list[str]:
    """Return the command line that runs a module of the program in a new process."""
    if getattr(sys, "frozen", False):
        # `irjudge` has standard streams, `irjudge-window` has none
        return [str(Path(sys.executable).with_stem("irjudge")), RUN_MODULE, module]
    return [sys.executable, "-P", "-m", module]


def load_modules(module: str, *other_modules: str) -> ModuleType:
    """Import modules without garbage collection, which saves 0.1 s; return the first module."""
    gc_was_enabled = gc.isenabled()
    gc.disable()
    try:
        imported_module = import_module(module)
        for other_module in other_modules:
            import_module(other_module)
    finally:
        _freeze_once()
        if gc_was_enabled:
            gc.enable()
    return imported_module


@cache
def _freeze_once() -> None:
    gc.freeze()  # only once, since objects created later may become garbage


@cache
def release_version() -> str:
    """Return the program's name and version, and its tag or commit if known.

    An example is `irjudge 0.1.0 (v0.1.0)`.
    """
    return f"{program_version()} ({commit})" if (commit := _release_commit()) else program_version()


DESCRIBE_COMMAND = (
    "git",
    "describe",
    "--tags",
    "--match=v[0-9]*",
    "--always",
    "--dirty=+",
    "--abbrev=12",
)  # the build finds the commit of a wheel with the same command


def _release_commit() -> str:
    import subprocess  # noqa: PLC0415 -- most starts do not ask

    if (PACKAGE_FOLDER.parent / ".git").exists():
        try:
            return subprocess.run(
                DESCRIBE_COMMAND,
                cwd=PACKAGE_FOLDER.parent,
                capture_output=True,
                text=True,
                check=True,
                timeout=10,
            ).stdout.strip()
        except (
            OSError,
            subprocess.SubprocessError,
        ):  # git is not installed, or does not trust the folder
            return ""
    commit_file = shipped_folder("resources") / "commit.txt"
    return commit_file.read_text(encoding="utf-8").strip() if commit_file.is_file() else ""


def crash_report_path() -> Path:
    """Return the path of the window's crash report."""
    return cache_folder() / "crash.txt"


def cache_folder() -> Path:
    """Return the user's cache folder; `IRJUDGE_CACHE` in the environment overrides it."""
    import platformdirs  # noqa: PLC0415 -- most starts do not need it

    return Path(
        os.environ.get("IRJUDGE_CACHE") or platformdirs.user_cache_dir("irjudge", appauthor=False)
    )

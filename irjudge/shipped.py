"""Where the program's files lie, in a checkout beside the package, in a wheel inside it; how its modules are run; where it keeps copies."""

import os
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import platformdirs

from irjudge.errors import IrjudgeError

PACKAGE = Path(__file__).parent


def shipped(folder: str) -> Path:
    """Return the folder `resources` or `sample_collections` of this installation.

    Raises
    ------
    IrjudgeError
        When the installation lacks it.
    """
    for parent in (PACKAGE / "_shipped", PACKAGE.parent):
        if (parent / folder).is_dir():
            return parent / folder
    raise IrjudgeError("This installation of irjudge lacks its folder {folder}. Install it again.", folder=folder)


def samples() -> dict[str, Path]:
    """Return the folder of each shipped collection by name, in alphabetical order."""
    return {folder.name: folder for folder in sorted(shipped("sample_collections").iterdir()) if (folder / "topics.txt").is_file()}


def program() -> str:
    """Return the program's name and version."""
    try:
        return f"irjudge {version('irjudge')}"
    except PackageNotFoundError:
        return "irjudge, from a checkout"


def module_command(module: str) -> list[str]:
    """Return what runs a module of ours in a process of its own, which imports nothing from the current folder."""
    return [sys.executable, "-P", "-m", module]


def cache_folder() -> Path:
    """Return this user's folder for what can be made again at any time; `IRJUDGE_CACHE` in the environment names another."""
    return Path(os.environ.get("IRJUDGE_CACHE") or platformdirs.user_cache_dir("irjudge", appauthor=False))

"""What both programs of a bundle run: `irjudge` the command, `irjudge-window` the window, and either of them a module of ours."""

import runpy
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from irjudge.shipped import OURS, RUN_MODULE

IMPORT_ALL = "--import-all-modules"  # `.ci/bundle` asks it: a part that was left out and is needed shows here


def import_all() -> int:
    """Import every module of ours and print how many there are."""
    packages = [import_module(name) for name in OURS]
    names = [each.name for package in packages for each in walk_packages(package.__path__, f"{package.__name__}.")]
    for name in names:
        if not name.endswith("__main__"):  # it is a program
            import_module(name)
    return len(names)


def start() -> None:
    """Do what the first word asks, or be the program that this is called as."""
    if sys.argv[1:2] == [RUN_MODULE] and sys.argv[2].split(".")[0] in OURS:
        sys.argv[:] = sys.argv[2:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    elif sys.argv[1:] == [IMPORT_ALL]:
        sys.stdout.write(f"{import_all()} modules import.\n")
    elif Path(sys.argv[0]).stem == "irjudge-window":
        sys.exit(import_module("irjudge_ui.app").main())
    else:
        sys.exit(import_module("irjudge.cli.main").main())


start()

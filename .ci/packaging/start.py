"""What both programs of a bundle run: `irjudge` the command, `irjudge-window` the window, and either of them a module of ours."""

import runpy
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

from irjudge.shipped import OWN_PACKAGES, RUN_MODULE

IMPORT_ALL = "--import-all-modules"  # `.ci/bundle` asks it: a part that was left out and is needed shows here
# What others load only when it is used, or what we ask for inside of functions.
LATE = (
    "scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.special", "scipy.stats",
    "matplotlib.figure", "matplotlib.backends.backend_agg", "matplotlib.backends.backend_pdf", "matplotlib.backends.backend_svg",
    "numpy.linalg", "numpy.random", "pandas", "pyarrow.dataset", "pyarrow.parquet", "openpyxl", "xlsxwriter", "PIL.Image", "pypdfium2",
    "psycopg", "rich.progress", "segno", "uvicorn", "starlette.applications",
)  # fmt: skip


def import_all() -> int:
    """Import every module of ours, each name that packages export lazily, and what they use later; return how many modules."""
    packages = [import_module(name) for name in OWN_PACKAGES]
    names = [
        each.name
        for package in packages
        for each in walk_packages(package.__path__, f"{package.__name__}.")
    ]
    for name in names:
        if not name.endswith("__main__"):  # it is a program
            import_module(name)
    for name in (*OWN_PACKAGES, *names):
        module = sys.modules.get(name)
        for exported in getattr(module, "__all__", ()):
            getattr(module, exported)
    for name in LATE:
        import_module(name)
    return len(names) + len(LATE)


def start() -> None:
    """Do what the first word asks, or be the program that this is called as."""
    if sys.argv[1:2] == [RUN_MODULE] and sys.argv[2].split(".")[0] in OWN_PACKAGES:
        sys.argv[:] = sys.argv[2:]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    elif sys.argv[1:] == [IMPORT_ALL]:
        sys.stdout.write(f"{import_all()} modules import.\n")
    elif Path(sys.argv[0]).stem == "irjudge-window":
        sys.exit(import_module("irjudge_ui.app").main())
    else:
        sys.exit(import_module("irjudge.cli.main").main())


start()

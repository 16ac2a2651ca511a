"""irjudge: judge search results and evaluate rankings."""

# Type checkers assume that a variable with this name is true. It is not imported from `typing`,
# since `python -m` still searches the current folder for modules when this module is loaded.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from irjudge.evaluation import estimate, evaluate, evaluate_arrow
    from irjudge.formats import read_qrels, read_run, write_qrels
    from irjudge.report import explain
    from irjudge.store import new_project

    __version__: str

# modules that are imported on first use, since importing irjudge must be fast (pandas takes 0.3 s,
# pyarrow 0.1 s)
_MODULES = {
    "estimate": "irjudge.evaluation",
    "evaluate": "irjudge.evaluation",
    "evaluate_arrow": "irjudge.evaluation",
    "explain": "irjudge.report",
    "new_project": "irjudge.store",
    "read_qrels": "irjudge.formats",
    "read_run": "irjudge.formats",
    "write_qrels": "irjudge.formats",
}

__all__ = [
    "__version__",
    "estimate",
    "evaluate",
    "evaluate_arrow",
    "explain",
    "new_project",
    "read_qrels",
    "read_run",
    "write_qrels",
]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 -- 20 ms, and most starts do not ask

        return version("irjudge")
    if name in _MODULES:
        from importlib import import_module  # noqa: PLC0415 -- see above

        return getattr(import_module(_MODULES[name]), name)
    raise AttributeError(f"module 'irjudge' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})

"""Modules are imported under their own names before pytest collects their examples."""

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

ROOTS = (Path(__file__).parent, Path(__file__).parent / "ui")


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path: Path) -> Iterator[list[pytest.Collector]]:
    """Import a module as everyone does: pytest alone would run a module of a catalogue twice, which refuses the second declaration.

    Examples are looked for only where there are some.
    """
    import_module(file_path)
    found = yield
    return [
        each
        for each in found
        if not isinstance(each, DoctestModule) or b">>>" in file_path.read_bytes()
    ]


def import_module(file_path: Path) -> None:
    """Import a module of the program under its own name."""
    if file_path.suffix != ".py" or file_path.name == "__main__.py":
        return
    for root in ROOTS:
        name = (
            file_path.relative_to(root).with_suffix("").parts
            if file_path.is_relative_to(root)
            else ()
        )
        if name[:1] in {("irjudge",), ("irjudge_ui",)}:
            importlib.import_module(".".join(name).removesuffix(".__init__"))

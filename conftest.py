"""Modules are imported under their own names before pytest collects their examples."""

import importlib
from pathlib import Path

ROOTS = (Path(__file__).parent, Path(__file__).parent / "ui")


def pytest_collect_file(file_path: Path) -> None:
    """Import a module as everyone does: pytest alone would run a module of a catalogue twice, which refuses the second declaration."""
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

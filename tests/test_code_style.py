"""ruff and mypy are clean: their word is part of the tests, so that nobody has to remember them."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


# mypy makes much and drops little: to look for garbage takes a tenth of its time.
WITHOUT_COLLECTOR = "import gc; gc.disable(); gc.enable = gc.set_threshold = lambda *_: None; "
COMMANDS = {
    "ruff check": ["-m", "ruff", "check"],
    "ruff format": ["-m", "ruff", "format", "--check"],
    "mypy": ["-c", WITHOUT_COLLECTOR + "from mypy.__main__ import console_entry; console_entry()"],
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_code_is_clean(name: str) -> None:
    kept = (ROOT / ".mypy_cache").is_dir()
    made = (
        {} if kept else {"MYPY_CACHE_DIR": os.devnull}
    )  # to make one that nobody will use takes a fifth of the time
    command, environment = [sys.executable, *COMMANDS[name]], {**os.environ, **made}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


# Touches of private members in the tests: may only fall. Where it fell, write the new number here.
PRIVATE_TOUCHES = 196
STANDARD = {
    "_replace",
    "_fields",
    "_asdict",
    "_exit",
    "_getframe",
}  # public, whatever they look like
BY_NAME = {"setattr", "getattr", "delattr", "hasattr", "setitem"}


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and name not in STANDARD


def private_touches(path: Path) -> int:
    """Count where a test reaches into what is private: by attribute, by import, or by its name in words."""
    count = 0
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute):
            count += is_private(node.attr) and not (
                isinstance(node.value, ast.Name) and node.value.id in {"self", "cls"}
            )
        elif isinstance(node, ast.ImportFrom):
            parts = (node.module or "").split(".")
            count += sum(any(map(is_private, [alias.name, *parts])) for alias in node.names)
        elif isinstance(node, ast.Call):
            called = (
                node.func.attr
                if isinstance(node.func, ast.Attribute)
                else getattr(node.func, "id", "")
            )
            words = [
                each.value
                for each in node.args[:2]
                if isinstance(each, ast.Constant) and isinstance(each.value, str)
            ]
            count += called in BY_NAME and sum(
                is_private(each.rpartition(".")[2]) for each in words
            )
    return count


def test_tests_touch_private_members_ever_less() -> None:
    counts = {
        path.relative_to(ROOT).as_posix(): private_touches(path)
        for path in sorted((ROOT / "tests").rglob("*.py"))
    }
    most = ", ".join(
        f"{path} {count}" for path, count in sorted(counts.items(), key=lambda each: -each[1])[:10]
    )
    assert sum(counts.values()) == PRIVATE_TOUCHES, (
        f"{sum(counts.values())} touches; most in {most}"
    )


def test_a_private_touch_is_counted_however_it_is_written(tmp_path: Path) -> None:
    lines = "from a import _b\nc._d\nmonkeypatch.setattr('a._e', 1)\nself._f\nrow._replace(x=1)\n__name__\n"
    (tmp_path / "test_x.py").write_text(lines)
    assert private_touches(tmp_path / "test_x.py") == 3

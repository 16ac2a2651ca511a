"""Each subject of `where_things_are.md` is defined where that page says."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROW = re.compile(r"^\| (.+?) \| `(\S+)` \| `(\S+)` \|$", re.MULTILINE)
ROWS = ROW.findall((ROOT / "tests" / "where_things_are.md").read_text(encoding="utf-8"))
WRITTEN = {
    ".js": r"^(?:export )?(?:async )?(?:function|const|let|class) {}\b",
    ".css": r"^\s*{}:",
    ".ts": r"<name>{}</name>",
}


def names_of(body: list[ast.stmt]) -> set[str]:
    """Return what a module or a class defines: its classes, functions and values, and what its classes define."""
    found: set[str] = set()
    for each in body:
        if isinstance(each, ast.ClassDef):
            found |= {each.name, *(f"{each.name}.{name}" for name in names_of(each.body))}
        elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(each.name)
        elif isinstance(each, ast.Assign | ast.AnnAssign):
            targets = each.targets if isinstance(each, ast.Assign) else [each.target]
            found |= {
                name.id
                for target in targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name)
            }
    return found


def is_defined(path: Path, name: str) -> bool:
    """Tell whether a file defines a name; one in quotes is the id of an action."""
    text = path.read_text(encoding="utf-8")
    if name.startswith('"'):
        return f"Action({name}," in text
    if path.suffix == ".py":
        return name in names_of(ast.parse(text).body)
    return bool(re.search(WRITTEN[path.suffix].format(re.escape(name)), text, re.MULTILINE))


@pytest.mark.parametrize(("subject", "file", "name"), ROWS, ids=[row[0] for row in ROWS])
def test_a_subject_is_defined_where_the_page_says(subject: str, file: str, name: str) -> None:
    assert is_defined(ROOT / file, name), f"{subject}: {file} does not define {name}"


def test_forty_subjects_and_no_line_of_the_page_is_passed_over() -> None:
    lines = [
        line
        for line in (ROOT / "tests" / "where_things_are.md")
        .read_text(encoding="utf-8")
        .splitlines()
        if line.startswith("|")
    ]
    assert len(ROWS) == len(lines) - 2 >= 40 and len({subject for subject, _, _ in ROWS}) == len(
        ROWS
    )


def test_what_is_not_there_or_only_used_is_not_found() -> None:
    assert not is_defined(ROOT / "ui" / "irjudge_ui" / "window.py", "QLabel")
    assert not is_defined(ROOT / "resources" / "web" / "saving.js", "tr")

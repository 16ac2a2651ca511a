"""Tests of the mutation script: it changes each expression within functions, and nothing else."""

import ast
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parent.parent / ".ci" / "mutations.py"
SOURCE = '''
LIMIT = 5


def f(é: int, b: "int" = 1) -> bool:
    """Compare."""
    if é < b and not b:
        return é + 1
    return f"{b + 1}" == (
        "x"
    )
'''
EXPECTED = [
    ("é < b and (not b)", "é < b or not b"),
    ("é < b and (not b)", "not (é < b and (not b))"),
    ("é < b", "é <= b"),
    ("é + 1", "None"),
    ("é + 1", "é - 1"),
    ("1", "2"),
    ("f'{b + 1}' == 'x'", "None"),
    ("f'{b + 1}' == 'x'", "f'{b + 1}' != 'x'"),
]


@pytest.fixture
def mutations(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = spec_from_file_location("mutations", SCRIPT)
    assert spec and spec.loader
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "mutations", module)
    spec.loader.exec_module(module)
    return module


def test_every_expression_within_a_function_is_changed_and_no_other(mutations: ModuleType) -> None:
    mutations_of_source = mutations.mutations_of(Path("x.py"), SOURCE.encode())
    assert sorted((each.before, each.after) for each in mutations_of_source) == sorted(EXPECTED)


def test_a_change_is_made_at_its_position(mutations: ModuleType) -> None:
    source = SOURCE.encode()
    for each in mutations.mutations_of(Path("x.py"), source):
        changed = each.apply_to(source)
        assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(source))
        assert changed.startswith(source[: each.start]) and changed.endswith(source[each.end :])
        assert changed.decode().count(f"({each.after})") == 1

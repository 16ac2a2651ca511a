"""Tests of test selection: slow tests are deselected, not skipped, unless requested."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILE = "tests/test_selection.py"
FAST = f"{FILE}::test_a_fast_one"
SLOW = f"{FILE}::test_a_slow_one"
BY_FIXTURE = f"{FILE}::test_by_fixture"


def test_a_fast_one() -> None:
    """An example for the test below."""


@pytest.mark.slow
def test_a_slow_one() -> None:
    """An example for the test below."""


@pytest.fixture
def takes_long(slow: None) -> None:
    """Mark the tests that use this fixture."""


def test_by_fixture(takes_long: None, request: pytest.FixtureRequest) -> None:
    assert request.node.get_closest_marker("slow")


@pytest.mark.slow
@pytest.mark.parametrize("file", ["tests/bench/bench_recall_certificate.py"])
def test_benchmarks_with_real_data_run_if_their_file_is_named(file: str) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only"]
    done = subprocess.run([*command, file], cwd=ROOT, capture_output=True, text=True)
    assert f"{file}::test_claims_are_true_as_often_as_stated[cisi]" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((FILE,), {FAST}),
        ((FILE, "--all"), {FAST, SLOW, BY_FIXTURE}),
        ((FILE, "--full"), {FAST, SLOW, BY_FIXTURE}),
        ((FILE, "-m", "slow"), {SLOW, BY_FIXTURE}),
        ((SLOW,), {SLOW}),
    ],
)
def test_which_tests_run(options: tuple[str, ...], expected: set[str]) -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--collect-only"]
    done = subprocess.run([*command, *options], cwd=ROOT, capture_output=True, text=True)
    named = {line for line in done.stdout.splitlines() if line.startswith(f"{FILE}::")}
    assert {name for name in named if "[" not in name} == expected

"""Judging by key in the window, and opening it, with a million documents in the project."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Any

import pytest

from irjudge.store import open_project

HERE = Path(__file__).parent
DOCUMENTS, KEYS, OPENINGS = 1_000_000, 10_000, 5
KEY_MS, OPENING_MS, GAP_MS, PEAK_MB = 50, 1000, 100, 400  # limits


@dataclass(frozen=True)
class ProjectCopies:
    """A project to judge, a copy for plain sqlite3, and default settings."""

    project: Path
    plain: Path
    settings: Path


@pytest.fixture
def copies(tmp_path: Path) -> Iterator[ProjectCopies]:
    made = subprocess.run(
        [sys.executable, HERE / "big_project.py", str(DOCUMENTS)],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    ).stdout.strip()
    copies = ProjectCopies(
        tmp_path / "big.irjudge", tmp_path / "plain.irjudge", tmp_path / "settings.ini"
    )
    for copy in (copies.project, copies.plain):
        shutil.copyfile(made, copy)
        sync(copy)
    yield copies
    copies.project.unlink()  # a gigabyte each
    copies.plain.unlink()


def sync(path: Path, *, forget: bool = False) -> None:
    """Write a file to disk so that this is not timed; with `forget` also drop it from the cache."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())
        if forget:
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def run_judging(copies: ProjectCopies, keys: int, *, plain: bool = False) -> dict[str, Any]:
    """Open the project in a child process, press keys, and return its measurements."""
    command = [
        sys.executable,
        HERE / "judge_big_project.py",
        copies.project,
        copies.settings,
        str(keys),
    ]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [*command, *([copies.plain] if plain else [])],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def percentile_99(values: list[float]) -> float:
    return quantiles(values, n=100, method="inclusive")[98] if len(values) > 1 else values[0]


def format_figures(what: str, values: list[float]) -> tuple[str, int, float, float, float]:
    return what, len(values), median(values), percentile_99(values), max(values)


def opening_figures(result: dict[str, Any]) -> float:
    return result["took"]["opening to first document painted"][0]


def test_judging_a_million_documents_is_fast(bench, copies: ProjectCopies) -> None:
    judged = run_judging(copies, KEYS, plain=True)
    sync(copies.project)
    again = [run_judging(copies, 0) for _ in range(OPENINGS)]
    rows = [
        format_figures(what, values)
        for what, values in sorted(judged["took"].items())
        if "opening" not in what
    ]
    rows.append(
        format_figures(f"opening, {KEYS:,} events in it", [opening_figures(each) for each in again])
    )
    rows.append(format_figures("opening, nothing judged", [opening_figures(judged)]))
    if hasattr(os, "posix_fadvise"):
        sync(copies.project, forget=True)
        rows.append(
            format_figures(
                "opening, nothing of the file in memory", [opening_figures(run_judging(copies, 0))]
            )
        )
    gaps = {
        "during keys": judged["gaps"]["keys"],
        "during opening": [max(each["gaps"]["opening"]) for each in again],
    }
    rows += [
        format_figures(f"gap of the event loop {when}", values) for when, values in gaps.items()
    ]
    peaks = ", ".join(f"{megabytes:.0f} MB {when}" for when, megabytes in judged["peaks"].items())
    size = copies.project.stat().st_size / 1e9
    load = ", ".join(f"{each:.1f}" for each in judged["load"])
    title = f"{KEYS:,} keys, {DOCUMENTS:,} documents, {size:.2f} GB; peak memory {peaks}; load {load} on {os.cpu_count()} cores"
    bench.show(title, ["milliseconds", "n", "median", "p99", "most"], rows)
    check_log(copies.project, judged["events"])
    assert exceeded_limits(judged, again) == []


def check_log(path: Path, expected: list[list[str]]) -> None:
    """Check that every action left its event, in order, and nothing else was added."""
    with open_project(path, writing=False) as project:
        assert [
            [event.kind, event.item.topic, event.item.documents[0]]
            for event in project.events.read()
        ] == expected
        assert project.verify_events() == ()


def exceeded_limits(judged: dict[str, Any], again: list[dict[str, Any]]) -> list[str]:
    """Return exceeded limits; for opening, the median counts, since single ones vary."""
    measured = {
        f"key to next document painted, p99, under {KEY_MS} ms": percentile_99(
            judged["took"]["key to next document painted"]
        )
        < KEY_MS,
        f"opening under {OPENING_MS} ms": median(map(opening_figures, [judged, *again]))
        < OPENING_MS,
        f"every gap during keys under {GAP_MS} ms": max(judged["gaps"]["keys"]) < GAP_MS,
        f"every gap during opening under {GAP_MS} ms": median(
            max(each["gaps"]["opening"]) for each in again
        )
        < GAP_MS,
        f"peak memory under {PEAK_MB} MB": max(judged["peaks"].values()) < PEAK_MB,
    }
    return [bar for bar, is_met in measured.items() if not is_met]

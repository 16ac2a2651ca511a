"""Fixtures of the benchmarks: processes timed with their memory, and printed tables."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from irjudge.report import table_text

ROOT = Path(__file__).parents[2]
GAP_MS = 100  # by which the window's event loop may be late


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Collect `bench_*.py`, which the default pattern ignores, unless given as arguments."""
    wanted = file_path.match("bench_*.py") and not parent.session.isinitpath(file_path)
    return pytest.Module.from_parent(parent, path=file_path) if wanted else None


# A process inherits the peak memory of its parent, so a small process starts it. On Linux it also
# waits for orphaned children.
LAUNCHER = """
import ctypes, os, resource, sys, time
PR_SET_CHILD_SUBREAPER = 36
cores = int(sys.argv[1])
if cores and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
if sys.platform == "linux":
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
begin = time.perf_counter()
_, status, usage = os.wait4(os.posix_spawn(sys.argv[2], sys.argv[2:], os.environ), 0)
seconds = time.perf_counter() - begin
try:
    while True:
        os.wait()
except ChildProcessError:
    all = resource.getrusage(resource.RUSAGE_CHILDREN)
print(end=f"\\0{seconds} {usage.ru_maxrss} {all.ru_utime + all.ru_stime} {all.ru_maxrss}")
sys.exit(os.waitstatus_to_exitcode(status))
"""


@dataclass(frozen=True)
class Cost:
    """Cost of a process: seconds, peak memory, output; and of the processes it started."""

    seconds: float
    megabytes: float
    printed: str
    processor: float  # seconds, of all of them
    largest: float  # megabytes, of the largest of them

    @classmethod
    def median(cls, costs: Sequence["Cost"]) -> "Cost":
        """Return the median cost of several runs of a process."""
        (printed,) = {each.printed for each in costs}
        seconds, megabytes, processor, largest = (
            statistics.median(getattr(each, name) for each in costs)
            for name in ("seconds", "megabytes", "processor", "largest")
        )
        return cls(seconds, megabytes, printed, processor, largest)


def too_slow(took: dict[str, list[float]], load: float) -> dict[str, float]:
    """Return steps that blocked the window too long.

    By the clock on an idle machine, else by the thread's own computing time.
    """
    index = 1 if load < (os.cpu_count() or 1) / 2 else 2
    return {what: row[index] for what, row in took.items() if row[index] > GAP_MS}


class Bench:
    """Times operations and prints tables."""

    @staticmethod
    def process(program: str, *arguments: object, times: int = 3, cores: int = 0) -> Cost:
        """Run Python code in new processes on some cores (0: all); return the fastest's cost."""
        return Bench.command([sys.executable, "-c", program, *arguments], times=times, cores=cores)

    @staticmethod
    def command(arguments: Sequence[object], *, times: int = 3, cores: int = 0) -> Cost:
        """Run a program in new processes on some cores (0: all); return the fastest's cost."""
        costs = [_run(list(map(str, arguments)), cores) for _ in range(times)]
        return min(costs, key=lambda cost: cost.seconds)

    @staticmethod
    def alternate(
        program: str, ways: Mapping[str, Sequence[object]], *, times: int, cores: int = 0
    ) -> dict[str, Cost]:
        """Run Python code with different arguments alternately; return the median cost of each."""
        turns = [
            {
                name: Bench.process(program, *arguments, times=1, cores=cores)
                for name, arguments in ways.items()
            }
            for _ in range(times)
        ]
        return {name: Cost.median([turn[name] for turn in turns]) for name in ways}

    @staticmethod
    def time_calls(call: Callable[[], object], times: int) -> float:
        """Return the median of the seconds of single calls."""
        seconds = []
        for _ in range(times):
            begin = time.perf_counter()
            call()
            seconds.append(time.perf_counter() - begin)
        return statistics.median(seconds)

    @staticmethod
    def show(title: str, columns: list[str], rows: list[tuple[str | float | None, ...]]) -> None:
        print(f"\n{title}\n{table_text(columns, rows, decimals=2)}")  # noqa: T201 -- a benchmark is there to print


def _run(command: list[str], cores: int) -> Cost:
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    # compile installed modules once
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": ""}
    ended = subprocess.run(
        [sys.executable, "-c", LAUNCHER, str(cores), *command],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    printed, _, cost = ended.stdout.rpartition("\0")
    seconds, peak, processor, largest = map(float, cost.split())
    unit = 1024 if sys.platform != "darwin" else 1024**2  # kilobytes on Linux, bytes on macOS
    return Cost(seconds, peak / unit, printed, processor, largest / unit)


@pytest.fixture(scope="session")
def bench() -> Iterator[Bench]:
    yield Bench()

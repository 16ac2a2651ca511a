"""Starts the window in a process of its own, and says what is missing where there can be none."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import click

from irjudge.cli.shared.locations import FILE
from irjudge.cli.shared.output import show
from irjudge.cli.shared.streams import say
from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import evaluate_runs, parse_measures
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.formats.rankings.runs import read_run
from irjudge.shipped import module_command
from irjudge.store.import_files import sample_sources
from irjudge.store.schema import is_project

# The engine never imports the window; it only knows what to run.
WINDOW, PROBE = "irjudge_ui", "irjudge_ui.probe"
SCREENLESS = ("offscreen", "minimal", "vnc")  # Qt platforms that need no screen
PROBE_SECONDS = 60
ENDING = (signal.SIGTERM, signal.SIGHUP) if os.name == "posix" else ()


def has_screen() -> bool:
    """Tell whether there is a screen to show a window on."""
    if not sys.platform.startswith("linux"):
        return True
    return (
        any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
        or os.environ.get("QT_QPA_PLATFORM", "") in SCREENLESS
    )


def open_window(path: Path | None = None) -> None:
    """Show the window and wait until it is closed; without a screen, evaluate the sample here instead."""
    if path is not None and not path.is_file():
        raise IrjudgeError("{path} does not exist.", path=path)
    if path is not None and not is_project(path):
        raise IrjudgeError(
            "{path} is not an irjudge project. To evaluate a run: irjudge evaluate QRELS RUN",
            path=path.name,
        )
    if not has_screen():
        show_sample()
        return
    check_qt()
    code = run_window([*module_command(WINDOW), *([str(path.absolute())] if path else [])])
    if code:
        raise IrjudgeError("The window ended with code {code}.", code=code)


def run_window(command: Sequence[str]) -> int:
    """Run a process until it ends and return its code; what ends this process ends that one first."""
    with subprocess.Popen(command) as window:
        try:
            with _ending_together(window):
                return window.wait()
        except BaseException:
            window.kill()
            raise


@contextmanager
def _ending_together(window: subprocess.Popen[bytes]) -> Iterator[None]:
    """Hand signals that end this process on to the window, and follow it once it is gone."""
    caught: list[int] = []

    def hand_on(number: int, _frame: FrameType | None) -> None:
        caught.append(number)
        window.send_signal(number)

    before = {each: signal.signal(each, hand_on) for each in ENDING}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    for number in caught:
        signal.raise_signal(number)


def check_qt(*asked: str) -> str:
    """Try Qt in a child process: where a library is missing Qt aborts, and an abort cannot be caught. Return what the child says."""
    try:
        probe = subprocess.run(
            [*module_command(PROBE), *asked],
            capture_output=True,
            text=True,
            timeout=PROBE_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as fault:
        raise IrjudgeError(
            "Qt did not answer within {probe_seconds} seconds. Is the screen there that DISPLAY "
            "names?",
            probe_seconds=PROBE_SECONDS,
        ) from fault
    if probe.returncode == 0:
        return probe.stdout
    packages = probe.stdout.split()
    if packages:
        raise IrjudgeError(
            "Qt cannot show a window here: system libraries are missing. Install them: sudo "
            "apt-get install {packages}",
            packages=" ".join(packages),
        )
    said = probe.stderr.strip().splitlines()
    raise IrjudgeError(
        "Qt cannot show a window here ({said}).",
        key="no-window",
        said=said[-1] if said else f"code {probe.returncode}",
    )


def show_sample(name: str = "everyday") -> None:
    """Say that there is no screen, and evaluate a sample collection in the terminal."""
    say(
        "There is no screen here, so the window cannot open. This is the sample collection evaluated in the terminal instead;"
    )
    say("`irjudge --help` lists what can be done without a screen.", "")
    sources, scale = sample_sources(name)
    measures = parse_measures(("AP", "P@5", "nDCG@10", "RR"))
    table = evaluate_runs(
        read_qrels(sources.qrels[0]), map(read_run, sources.runs), measures, highest=scale.highest
    )
    show(
        ("run", *(measure.name for measure in measures)),
        ([run.run, *run.summary.tolist()] for run in table.runs),
        "text",
    )


@click.command("open")
@click.argument("file", type=FILE)
def open_command(file: Path) -> None:
    """Open the project FILE in the window."""
    open_window(file)

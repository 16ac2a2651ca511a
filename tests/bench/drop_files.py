"""Drops runs and qrels on a window: `python tests/bench/drop_files.py [RUNS TOPICS DOCUMENTS]`.

The default is 100 250 1000. Prints the seconds until the first rows are shown and until all are
sorted and grouped, the longest block of the event loop, and the longest computation of the window's
thread in one: on a busy machine, a block also has the time of other programs.
"""

import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from PySide6.QtCore import QEventLoop, QTimer

from irjudge_ui import jobs
from irjudge_ui.app import make_application
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import PREFIX_ROLE
from irjudge_ui.window import Window

EVERY_MS = 5


def make(folder: Path, runs: int, topics: int, documents: int) -> list[Path]:
    """Write runs of different quality, and qrels."""
    random, paths = np.random.default_rng(0), [folder / "all.qrels"]
    judged = [
        f"{topic} 0 d{document} {int(random.integers(0, 3))}\n"
        for topic in range(topics)
        for document in range(min(200, documents))
    ]
    paths[0].write_text("".join(judged), encoding="utf-8")
    for run in range(runs):
        paths.append(folder / f"run{run}.run")
        with paths[-1].open("w", encoding="utf-8") as file:
            for topic in range(topics):
                order = np.argsort(
                    np.arange(documents) + random.normal(0, 20 + 5 * run, documents)
                ).tolist()
                file.write(
                    "".join(
                        f"{topic} Q0 d{document} {rank} {documents - rank} r{run}\n"
                        for rank, document in enumerate(order, 1)
                    )
                )
    return paths


def measure(paths: list[Path], folder: Path) -> None:
    """Drop the files and print the time of each step."""
    settings = Settings(folder / "settings.ini")
    # as in the program: threads in the background release the lock soon
    app = make_application([], settings)
    window = Window(settings)
    window.show()
    window.show_page("files")
    page, ticks, timer = window.pages.view("files"), list[tuple[float, float]](), QTimer()
    timer.timeout.connect(lambda: ticks.append((time.perf_counter(), time.thread_time())))
    timer.start(EVERY_MS)
    began, first = time.perf_counter(), 0.0
    page.add_files(paths)
    while jobs.is_busy() or not page.board.model.annotations(PREFIX_ROLE):
        # a busy loop would take a core from the work
        app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        if not first and page.board.model.rowCount():
            first = time.perf_counter() - began
    gap, computed = np.diff(ticks, axis=0).max(axis=0).tolist()
    took = time.perf_counter() - began
    sys.stdout.write(
        f"first rows {first:.2f}, all {took:.2f}, longest gap {gap:.3f}, computed in one at most {computed:.3f}\n"
    )
    window.close()


if __name__ == "__main__":
    with TemporaryDirectory() as made:
        sizes = [int(each) for each in sys.argv[1:4]] or [100, 250, 1000]
        measure(make(Path(made), *sizes), Path(made))

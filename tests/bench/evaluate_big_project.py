"""Script that opens the result pages of a project and prints blocks of the event loop as JSON.

`python evaluate_big_project.py FOLDER RUNS TOPICS`. The project has random rankings and qrels with
a fixed seed.
"""

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from judge_big_project import LoopMonitor, now_ms, open_window, peak_megabytes
from PySide6.QtWidgets import QApplication

from irjudge.model import Scale, make_qrels, make_run
from irjudge.store import create_project
from irjudge_ui import jobs
from irjudge_ui.window import Window

MEASURES = (
    "AP P@5,10,20 R@10,20,50 nDCG nDCG@10 nDCG@20 ERR@20 RBP(p=0.8) Bpref RR Rprec infAP 11ptAP Q CG@10 DCG@10 SetF SetP SetR "
    "Success@1 Success@5 Judged@10 Rndcg G binG Success@10"
)
RETRIEVED, JUDGED = 100, 60
REST_S = 0.3


def make_project(path: Path, runs: int, topics: int) -> None:
    """Create a project of random rankings."""
    chance = np.random.default_rng(1)
    grades = chance.choice([0, 0, 0, 1, 2], size=(topics, JUDGED)).tolist()
    with create_project(path, scale=Scale.parse("0-2")) as project:
        project.rankings.add_qrels(
            "qrels",
            make_qrels(
                [(f"t{t}", f"d{d}", g) for t, row in enumerate(grades) for d, g in enumerate(row)]
            ),
        )
        for run in range(runs):
            rows = [
                (f"t{topic}", f"d{document}", float(-rank))
                for topic in range(topics)
                for rank, document in enumerate(
                    chance.permutation(2 * RETRIEVED)[:RETRIEVED].tolist()
                )
            ]
            project.rankings.add_run(make_run(f"run{run:03}", rows))


class StepTimer:
    """Performs steps in the window; measures each one's time, longest block, and computing time."""

    def __init__(self, application: QApplication, window: Window) -> None:
        self._application, self.window, self._gaps = application, window, LoopMonitor()
        self.took: dict[str, list[float]] = {}

    def step(self, what: str, act: Callable[[], object]) -> None:
        """Perform a step and wait until all jobs are finished."""
        self._gaps.watch(what)
        begin = now_ms()
        act()
        while jobs.is_busy():
            self._application.processEvents()
        took = now_ms() - begin
        until = time.perf_counter() + REST_S
        while jobs.is_busy() or time.perf_counter() < until:
            self._application.processEvents()
        self._gaps.watch("")
        self.took[what] = [took, max(self._gaps.late[what]), max(self._gaps.computed[what])]


def main(folder: Path, runs: int, topics: int) -> None:
    """Create the project, open it, visit the pages, and print the times."""
    path = folder / "big.irjudge"
    make_project(path, runs, topics)
    application, window = open_window(folder / "settings.ini")
    watch = StepTimer(application, window)
    watch.step("open", lambda: window.open(path))
    page = window.evaluation
    watch.step("make the page", lambda: window.show_page("evaluate"))
    watch.step("30 measures, with signs", lambda: page.use_measures(MEASURES))
    watch.step(
        "another cell",
        lambda: page.run_table.setCurrentIndex(page.run_table.model().index(runs // 2, 9)),
    )
    watch.step(
        "sort",
        lambda: page.run_table.sortByColumn(
            3, page.run_table.horizontalHeader().sortIndicatorOrder()
        ),
    )
    watch.step("coverage", lambda: page.options["table_coverage"].setChecked(True))
    watch.step("intervals", lambda: page.options["table_intervals"].setChecked(True))
    watch.step("to the topics", page.topic_values.enter)
    watch.step("explain", lambda: page.topic_values._open(0))
    explain = window.pages.view("explain")
    watch.step("move a document", lambda: explain.what_if._shift(20, 0))
    watch.step("grade a document", lambda: explain.what_if._grade(3, 2))
    window.close()
    sys.stdout.write(
        json.dumps({"took": watch.took, "peak": peak_megabytes(), "load": os.getloadavg()})
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))

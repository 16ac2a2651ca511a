"""Script that measures the time until computing pages show their progress indicator, as JSON.

`python show_progress_indicators.py FOLDER PROJECT`. Each page is opened three times with its job held back, and
all times are printed.
"""

import json
import os
import sys
import threading
import time
from pathlib import Path

from judge_big_project import open_window

from irjudge_ui import jobs
from irjudge_ui.window import Window

REPEATS = 3
COMPUTING = (
    "evaluate",
    "explain",
    "figures",
    "live",
    "compare",
    "correlate",
    "rankings",
    "agreement",
    "adjudicate",
    "quality",
)


def indicator_ms(window: Window, page: str, process: object) -> tuple[float, float]:
    """Return the time until a page shows its progress indicator, and the computing time in it."""
    go, work = threading.Event(), jobs.Job.run_function
    jobs.Job.run_function = lambda job, function: (go.wait(30), work(job, function))[1]  # type: ignore[method-assign, assignment]
    begun, computed = time.perf_counter(), time.thread_time()
    window.show_page(page)
    while not window.work_indicator.bar.isVisible() and time.perf_counter() < begun + 2:
        process()
    took = 1000 * (time.perf_counter() - begun), 1000 * (time.thread_time() - computed)
    jobs.Job.run_function = work  # type: ignore[method-assign]
    go.set()
    while jobs.is_busy():
        process()
    return took


def main(folder: Path, project: Path) -> None:
    application, window = open_window(folder / "settings.ini")
    process = application.processEvents
    window.open(project)
    while window.project is None or jobs.is_busy():
        process()
    for page in COMPUTING:  # imported once before, so that the first import is not timed
        window.show_page(page)
        while jobs.is_busy():
            process()
    took = {}
    for page in COMPUTING:
        times = []
        for _ in range(REPEATS):
            window.close_project()
            window.open(project)
            while window.project is None or jobs.is_busy():
                process()
            times.append(indicator_ms(window, page, process))
        took[page] = sorted(times)

    print(json.dumps({"took": took, "load": os.getloadavg()}))  # noqa: T201
    sys.stdout.flush()
    os._exit(0)


main(Path(sys.argv[1]), Path(sys.argv[2]))

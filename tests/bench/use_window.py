"""Script that performs expensive steps in the window, and prints blocks of the event loop as JSON.

`python use_window.py FOLDER CRANFIELD`, the second a project of Cranfield. Each step is done three
times.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable
from itertools import product
from pathlib import Path

from evaluate_big_project import StepTimer
from judge_big_project import open_window

from irjudge.model import Document, Event, Item, Scale, Topic, make_run
from irjudge.store import create_project
from irjudge_ui.pages import PAGES
from irjudge_ui.widgets import DocumentView
from irjudge_ui.window import Window
from tests.pools import depth_pool

REPEATS = 3
TOPICS, DEPTH, ASSESSORS = 50, 200, ("ann", "bob", "cleo")  # 30,000 judgments
WORD, MATCHES = "e ", 2_500_000


def make_judged(path: Path) -> None:
    """Create a project in which three assessors judged every document of the pool."""
    with create_project(path, scale=Scale.parse("0-3"), owner="teacher") as project:
        pairs = [
            (str(topic), f"t{topic}d{number}")
            for topic, number in product(range(TOPICS), range(DEPTH))
        ]
        project.collection.add_documents(
            Document(document, document.encode()) for _, document in pairs
        )
        project.rankings.add_run(
            make_run("run", [(*pair, -float(index)) for index, pair in enumerate(pairs)])
        )
        project.rankings.add_pool(depth_pool([project.rankings.run("run")], DEPTH))
        digests = project.collection.digests([document for _, document in pairs])
        scale = project.scale.version
        with project.transaction():
            for shift, assessor in enumerate(ASSESSORS):
                head = None
                for index, (topic, document) in enumerate(pairs):
                    payload = {
                        "value": (index + shift * (index % 3)) % 4,
                        "scale": scale,
                        "active_ms": 5000,
                    }
                    event = Event(
                        assessor,
                        "grade",
                        Item(topic, (document,), (digests[document],)),
                        WHEN,
                        payload,
                        None,
                        head,
                    )
                    project.events.append(event)
                    head = event.digest


WHEN = "2026-03-01T10:00:00.000Z"


def make_matches(path: Path) -> None:
    """Create a project of one document, a paragraph in which every second character matches."""
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_topics([Topic("1", WORD.strip())])
        project.collection.add_documents([Document("d", (WORD * MATCHES).encode())])
        run = make_run("run", [("1", "d", 1.0)])
        project.rankings.add_run(run)
        project.rankings.add_pool(depth_pool([run], 1))


class StepRepeater:
    """Performs each step a few times; keeps the minimum of its longest block and computing time."""

    def __init__(self, watch: StepTimer) -> None:
        self._watch = watch
        self.least: dict[str, list[float]] = defaultdict(list)

    def do(
        self, what: str, act: Callable[[], object], again: Callable[[], object] = lambda: None
    ) -> None:
        """Perform a step; `again` is called before each repeat, unmeasured."""
        rows = []
        for _ in range(REPEATS):
            again()
            self._watch.step(what, act)
            rows.append(self._watch.took[what])
        self.least[what] = [min(column) for column in zip(*rows, strict=True)]


def use(window: Window, watch: StepTimer, folder: Path, cranfield: Path) -> dict[str, list[float]]:
    """Perform all measured steps."""
    steps = StepRepeater(watch)
    watch.step("open", lambda: window.open(cranfield))
    for page in PAGES:
        watch.step("visit", lambda page=page: window.show_page(page.id))
    for id in ("judge", "new", "settings"):
        window.show_page(id)
        steps.do(f"theme, on {id}", window.appearance.switch_theme)
        steps.do(f"zoom, on {id}", window.appearance.zoom_in)
    steps.do(
        "a page in the new theme",
        lambda: window.show_page("new"),
        lambda: (window.show_page("guides"), window.appearance.switch_theme()),
    )
    watch.step("open", lambda: window.open(folder / "judged.irjudge"))
    steps.do(
        "collection with 30,000 judgments",
        lambda: window.show_page("collection"),
        lambda: window.show_page("guides"),
    )
    watch.step("open", lambda: window.open(folder / "matches.irjudge"))
    watch.step("visit", lambda: window.show_page("judge"))
    steps.do(f"zoom on {MATCHES:,} matches", window.appearance.zoom_out)
    steps.do(f"theme on {MATCHES:,} matches", window.appearance.switch_theme)
    return steps.least


def main(folder: Path, cranfield: Path) -> None:
    """Create the projects, use the window, and print the times."""
    make_judged(folder / "judged.irjudge")
    make_matches(folder / "matches.irjudge")
    application, window = open_window(folder / "settings.ini")
    least = use(window, StepTimer(application, window), folder, cranfield)
    document = window.judge.findChild(DocumentView, "document")
    marked = bool(document and document.toPlainText())
    window.close()
    sys.stdout.write(json.dumps({"took": least, "marked": marked, "load": os.getloadavg()}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

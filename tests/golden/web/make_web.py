"""Creates a project, browser tasks and results, and the values after merging. In the checkout's folder:

    python -m tests.golden.web.make_web tests/golden/web/form-1

Run it once for each released form of task and result; what it made stays as it is.
"""

import json
import shutil
import sys
import tempfile
from pathlib import Path

from irjudge.exchange import (
    AssignmentOptions,
    assign_comparison,
    assign_pool,
    merge_files,
    pair_runs,
    parse_candidates,
)
from irjudge.exchange import ComparisonOptions as Comparison
from irjudge.model import make_run, preference_payload
from irjudge.store import open_project
from irjudge.web.task import make_task
from tests.engine.exchange.browser_results import SECOND, THIRD, Browser
from tests.engine.exchange.classroom import build_class


def make(target: Path) -> None:
    """Write TARGET.zip and TARGET.json."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        build_class(folder / "class.irjudge")
        with open_project(folder / "class.irjudge") as project:
            late = [
                (topic, f"t{topic}n{place}", float(place))
                for topic in ("051", "007")
                for place in range(12)
            ]
            project.rankings.add_run(make_run("late", late))
            assign_pool(
                project,
                parse_candidates("ann"),
                AssignmentOptions(gold=1, repeats=1, seed=5),
                folder / "out",
            )
            assign_comparison(
                project,
                parse_candidates("bob"),
                Comparison(pair_runs(("okapifuse", "late")), depth=4),
                folder / "out",
            )
            tasks = [
                make_task(project, each, project.assignments.items(each.code), file=each.file)
                for each in project.assignments.all()
            ]
        shutil.rmtree(folder / "out")
        for task in tasks:
            (folder / f"{task['assessor']}.task.json").write_text(
                json.dumps(task, ensure_ascii=False), encoding="utf-8"
            )
        graded(tasks[0], folder)
        compared(tasks[1], folder)
        shutil.make_archive(str(target), "zip", folder)
        results = sorted(folder.glob("*.result.json"))
        with open_project(folder / "class.irjudge") as project:
            merged = merge_files(project, results)
            events = [event.canonical_bytes.decode() for event in project.events.read()]
    said = {
        "balances": {
            each.file: [
                each.read,
                each.new,
                each.identical,
                each.superseded,
                each.waiting,
                each.rejected,
            ]
            for each in merged.reports
        },
        "events": events,
    }
    target.with_suffix(".json").write_text(
        json.dumps(said, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )


def graded(task: dict[str, object], folder: Path) -> None:
    """Return every kind of action in a grading task, continued in another browser."""
    page = Browser(task)
    page.grade(0, 3)
    page.act("unsure", 0, {"value": True})
    page.act("note", 0, {"text": "“quoted” \U0001f319 <b>\u2028"})
    page.act("rationale", 0, {"text": "words 1", "position": [8, 15]})
    page.act("skip", 1, {"active_ms": 5})
    page.act("unjudgeable", 2, {"reason": "wrong language", "active_ms": 7})
    page.act("draft", 3, {"text": "half a th"})
    taken_back = page.grade(0, 1)
    page.undo(0, taken_back)
    page.undo(0, taken_back, "redo")
    page.undo(0, taken_back)
    for place in range(3, 8):
        page.grade(place, place % 4)
    page.handed_in = "2026-03-02T11:00:00.000Z"
    page.save(folder / "ann.result.json")
    elsewhere = Browser(task, SECOND, page, 30)
    elsewhere.grade(8, 0)
    elsewhere.undo(7, (page.client, page.number))
    elsewhere.save(folder / "ann-elsewhere.result.json")


def compared(task: dict[str, object], folder: Path) -> None:
    """Preferences of every kind."""
    page = Browser(task, THIRD)
    for place, item in enumerate(page.items):
        more = {
            "sides": item["sides"],
            "sizes": item["sizes"],
            "active_ms": 40,
            "scrolled": [4, 3],
            "reasons": ["more relevant"],
        }
        if item["identical"]:
            page.act(
                "preference",
                place,
                preference_payload("tie", identical=True, sides=item["sides"], sizes=item["sizes"]),
            )
        else:
            page.act(
                "preference",
                place,
                preference_payload(
                    "left" if place % 2 else "right", strength=1 + place % 2, **more
                ),
            )
    page.save(folder / "bob.result.json")


if __name__ == "__main__":
    make(Path(sys.argv[1]))

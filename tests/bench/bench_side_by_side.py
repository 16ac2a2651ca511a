"""Side-by-side comparison by key in the window: lists of ten documents, and pairs of documents."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from irjudge.exchange import Choice, ComparisonOptions, assign_comparison_to_owner
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import create_project, open_project
from tests.bench.bench_judging import format_figures, percentile_99
from tests.bench.big_project import Prose

HERE = Path(__file__).parent
TOPICS, DEPTH, KEYS = 320, 10, 300
BYTES = 6000  # about 1,000 words
KEY_MS, GAP_MS = 50, 100  # limits


def make_project(path: Path, choice: Choice | None) -> None:
    """Create two runs that share half of their documents, and a comparison of them."""
    prose = Prose(7)
    words = [prose.piece(40).split()[:5] for _ in range(TOPICS)]
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.collection.add_topics(
            Topic(str(number), " ".join(words[number])) for number in range(TOPICS)
        )
        names = [[f"d{topic}-{index}" for index in range(15)] for topic in range(TOPICS)]
        project.collection.add_documents(
            Document(name, prose.piece(BYTES).encode(), " ".join(prose.piece(40).split()[:6]), kind)
            for topic, mine in enumerate(names)
            for name, kind in zip(mine, ("text", "html", "markdown") * 5, strict=True)
        )
        for run, begin in (("first", 0), ("second", 5)):
            tops = [mine[begin : begin + DEPTH] for mine in names]
            rows = [
                (str(topic), name, float(-rank))
                for topic, top in enumerate(tops)
                for rank, name in enumerate(top)
            ]
            project.rankings.add_run(make_run(run, rows))
    with open_project(path) as project:
        topics = tuple(str(number) for number in range(TOPICS if choice is None else 8))
        assign_comparison_to_owner(
            project,
            ComparisonOptions((("first", "second"),), topics=topics, depth=DEPTH, choice=choice),
        )


@pytest.mark.parametrize("choice", [None, "all"], ids=["panels", "pairs"])
def test_the_next_panel_is_shown_soon_after_a_key(
    bench, tmp_path: Path, choice: Choice | None
) -> None:
    project = tmp_path / "compare.irjudge"
    make_project(project, choice)
    command = [
        sys.executable,
        HERE / "compare_side_by_side.py",
        project,
        tmp_path / "settings.ini",
        str(KEYS),
    ]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(HERE.parents[1])}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    took = result["took"]
    keys = zip(took["key to next panel painted"], took["of a key, our commit"], strict=True)
    took["the same without the commit"] = [key - commit for key, commit in keys]
    rows = [format_figures(what, values) for what, values in took.items()]
    rows.append(format_figures("gap of the event loop during keys", result["gaps"]["keys"]))
    what = "two lists of 10" if choice is None else "two documents"
    load = ", ".join(f"{each:.1f}" for each in result["load"])
    bench.show(
        f"{KEYS} keys, {what}, 1,000 words each; load {load}",
        ["milliseconds", "n", "median", "p99", "most"],
        rows,
    )
    assert percentile_99(result["took"]["key to next panel painted"]) < KEY_MS
    assert max(result["gaps"]["keys"]) < GAP_MS

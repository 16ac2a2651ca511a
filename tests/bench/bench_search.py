"""Full-text search in 1,000,000 documents: first hits within 200 ms, and costs of the index.

`IRJUDGE_BENCH_DOCUMENTS` sets another number.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from irjudge.model import Topic
from irjudge.progress import Progress
from irjudge.store import SearchIndex, open_project, search_documents
from irjudge.store.search_index import MAX_DOCUMENTS_INDEXED_UNASKED
from tests.bench.big_project import Prose, big_project
from tests.bench.conftest import GAP_MS, ROOT, Bench

COUNT = int(os.environ.get("IRJUDGE_BENCH_DOCUMENTS", "1000000"))
CACHE = Path(tempfile.gettempdir()) / "irjudge-bench-cache"
MAX_SECONDS = 0.2  # seconds to the first hits
MAX_STEP_SECONDS = 5.0  # seconds between two progress reports, at which it can be cancelled
MAX_SECONDS_WITHOUT_ASKING = 10.0  # seconds that indexing may take without asking


def test_first_hits_are_found_at_once(bench: Bench) -> None:
    with open_project(big_project(COUNT), writing=False) as project:
        index = SearchIndex(project, CACHE)
        steps, begin = [time.perf_counter()], time.perf_counter()
        if not index.state().is_ready:
            index.build(Progress(lambda *_: steps.append(time.perf_counter())))
        max_step = max((after - before for before, after in pairwise(steps)), default=0.0)
        built = time.perf_counter() - begin
        rows, state = [], index.state()
        for query in queries(project.collection.topics()):
            seconds = bench.time_calls(lambda query=query: index.search(query), 5)
            listed = bench.time_calls(
                lambda query=query: search_documents(project, CACHE, query, state=state), 5
            )
            hits = index.search(query)
            rows.append(
                (
                    query,
                    len(hits.ids),
                    "yes" if hits.is_ranked else "no",
                    seconds * 1000,
                    listed * 1000,
                )
            )
        size = index.path.stat().st_size / 1e6
    made = f"index {size:.0f} MB, made in {built:.0f} s, longest step {max_step:.1f} s"
    bench.show(
        f"Search in {COUNT:,} documents ({made})",
        ["query", "shown", "ranked", "ms", "ms listed"],
        rows,
    )
    assert max(row[-1] for row in rows) < MAX_SECONDS * 1000
    assert max_step < MAX_STEP_SECONDS
    if built > 1:
        assert built / COUNT * MAX_DOCUMENTS_INDEXED_UNASKED < MAX_SECONDS_WITHOUT_ASKING


def test_first_hits_are_shown_in_the_window_at_once(bench: Bench, tmp_path: Path) -> None:
    path = big_project(COUNT)
    with open_project(path, writing=False) as project:
        index, wanted = SearchIndex(project, CACHE), queries(project.collection.topics())
        if not index.state().is_ready:
            index.build()
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    command = [
        sys.executable,
        Path(__file__).parent / "search_in_window.py",
        path,
        CACHE,
        tmp_path / "settings.ini",
        *wanted,
    ]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    rows = [(query, *row) for query, row in result["took"].items()]
    columns = [
        "milliseconds, the least of five",
        "from key to hits on screen",
        "computed by the window",
    ]
    bench.show(
        f"Search in {COUNT:,} documents in the window; load of the machine {result['load'][0]:.1f}",
        columns,
        rows,
    )
    assert max(row[1] for row in rows) < MAX_SECONDS * 1000
    assert max(row[2] for row in rows) < GAP_MS


def queries(topics: tuple[Topic, ...]) -> list[str]:
    """Return rare, frequent and very frequent words, prefixes, several words, an unknown word."""
    prose = Prose(seed=COUNT)
    frequent, seldom = prose.words[0], prose.words[-1]
    return [
        seldom,
        prose.words[3000],
        frequent,
        f"{frequent} ",
        frequent[:1],
        *(topic.title for topic in topics[:4]),
        "nowhere",
    ]

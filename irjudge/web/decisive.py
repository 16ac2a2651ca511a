"""Which documents a session gives out first: those that tell runs apart, looked at anew while people judge."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from threading import Event, Thread
from typing import Any

from irjudge.errors import IrjudgeError
from irjudge.exchange.shares import Pair
from irjudge.store.project import Project, open_project
from irjudge.web.session import SharedSession

MEASURE = "nDCG@10"
MOST = 200  # of two runs
PAUSE = 5.0  # seconds after a look


def most_decisive(project: Project) -> list[Pair]:
    """Return unjudged documents by how far they can move the difference of two runs that stand beside each other, the farthest first.

    Every two neighbours count alike, so that the whole order of the runs becomes clear and not that of two alone.
    """
    from irjudge.evaluation.decisive import decisive  # noqa: PLC0415 -- scipy, which a session in another order does without
    from irjudge.evaluation.live import live, live_project  # noqa: PLC0415
    from irjudge.evaluation.table import parse_measures  # noqa: PLC0415
    from irjudge.judging.judged_qrels import choices, judged_rows  # noqa: PLC0415
    from irjudge.model.ranking import make_qrels  # noqa: PLC0415

    (measure,) = parse_measures([MEASURE])
    own = next((each for each in choices(project) if each.source != "imported"), None)
    if own is not None:
        table = live_project(project, [measure], choice=own)
    else:
        runs = (project.rankings.run(run.name) for run in project.rankings.runs())
        table = live(make_qrels(judged_rows(project, unjudged=True)), runs, [measure])
    order = sorted(table.runs, key=lambda run: (-float(run.summary[0]), run.run))
    weights: dict[Pair, float] = {}
    for better, worse in pairwise(order):
        for each in decisive(table, better.run, worse.run, measure, MOST):
            pair = each.topic, each.document
            weights[pair] = max(weights.get(pair, 0.0), abs(each.weight))
    return sorted(weights, key=lambda pair: (-weights[pair], pair))


class Lookout:
    """Looks again and again which documents decide most, in a thread of its own, and tells the session."""

    def __init__(self, path: Path, lead: Callable[[Callable[[SharedSession], Any]], Any]) -> None:
        self._path, self._lead, self._stop = path, lead, Event()
        self._thread = Thread(target=self._run, name="irjudge-decisive", daemon=True)

    def start(self) -> None:
        """Look for the first time, and go on looking."""
        self._thread.start()

    def stop(self) -> None:
        """Look no more; a look under way ends by itself."""
        self._stop.set()

    def _run(self) -> None:
        seen = -1
        while not self._stop.is_set():
            try:
                with open_project(self._path, writing=False) as project:
                    count = project.events.count()
                    if count != seen:
                        pairs = most_decisive(project)
                        self._lead(lambda session, pairs=pairs: session.dispatch.prefer(pairs))  # type: ignore[misc]
                        seen = count
            except IrjudgeError:
                pass  # the file is away for a moment, or the session ends; what was said before holds
            self._stop.wait(PAUSE)

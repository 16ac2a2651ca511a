"""How much of a project is judged, by assessor and topic."""

import numpy as np

from irjudge.judging.judged_qrels import grades_in_force
from irjudge.store.project import Project

ALL = "all"


def status_rows(project: Project) -> list[tuple[str, str, int, int, int]]:
    """Return (assessor, topic, judged, assigned, left): each topic of the newest pool, then `all`.

    Everyone who judged has rows, the owner always. Only pooled documents count.
    """
    pool = project.rankings.pool()
    if pool is None:
        return []
    sizes = dict(zip(pool.topics, np.diff(pool.starts).tolist(), strict=True))
    documents = pool.document.to_pylist()
    pooled = {topic: set(documents[pool.starts[place] : pool.starts[place + 1]]) for place, topic in enumerate(pool.topics)}
    rows = []
    for assessor in dict.fromkeys([project.owner, *project.events.assessors()]):
        judged = dict.fromkeys(sizes, 0)
        for event in grades_in_force(project, assessor):
            topic, document = event.item.topic, event.item.documents[0]
            if document in pooled.get(topic, ()):
                judged[topic] += 1
        mine = [(assessor, topic, judged[topic], size, size - judged[topic]) for topic, size in sizes.items()]
        rows += [*mine, (assessor, ALL, sum(judged.values()), len(pool), len(pool) - sum(judged.values()))]
    return rows

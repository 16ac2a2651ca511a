"""How much of a project is judged, by assessor and topic."""

from irjudge.judging.judged_qrels import grades_in_force
from irjudge.judging.queue import Place, queue_of
from irjudge.store.project import Project

ALL = "all"


def pooled_without_text(project: Project) -> list[str]:
    """Return the pooled documents that cannot be judged since the project has no text for them, in pool order, each once."""
    pool = project.rankings.pool()
    return project.collection.without_text(list(dict.fromkeys(pool.document.to_pylist()))) if pool else []


def status_rows(project: Project) -> list[tuple[str, str, int, int, int]]:
    """Return (assessor, topic, judged, assigned, left): each topic of the newest pool, then `all`.

    Everyone who judged has rows, the owner always. Assigned are the documents of the pool, and those a topic opens with, that
    have a text and so can be judged.
    """
    pool = project.rankings.pool()
    if pool is None:
        return []
    queue = queue_of(project, pool, project.owner)  # the order is the assessor's own, what is in it is not
    sizes = {topic: queue.size(topic) for topic in pool.topics}
    total = sum(sizes.values())
    rows = []
    for assessor in dict.fromkeys([project.owner, *project.events.assessors()]):
        judged = dict.fromkeys(sizes, 0)
        for event in grades_in_force(project, assessor):
            place = Place(event.item.topic, event.item.documents[0])
            if place in queue:
                judged[place.topic] += 1
        mine = [(assessor, topic, judged[topic], size, size - judged[topic]) for topic, size in sizes.items()]
        rows += [*mine, (assessor, ALL, sum(judged.values()), total, total - sum(judged.values()))]
    return rows

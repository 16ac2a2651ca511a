"""What of a pool cannot be judged."""

from irjudge.store.project import Project


def pooled_without_text(project: Project) -> list[str]:
    """Return the pooled documents that cannot be judged since the project has no text for them, in pool order, each once."""
    pool = project.rankings.pool()
    return project.collection.without_text(list(dict.fromkeys(pool.document.to_pylist()))) if pool else []

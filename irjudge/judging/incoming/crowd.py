"""The pool as tasks for a crowd platform, and what an item that comes back stands for."""

import re
from collections.abc import Iterator

from irjudge.errors import ProjectError
from irjudge.formats.judgments.tasks import JudgingTask, item_of
from irjudge.message import Message
from irjudge.model.pool import Pool
from irjudge.model.ranking import rows_to_topics
from irjudge.model.topic import Topic
from irjudge.progress import SILENT, Progress
from irjudge.store.presentation import shown_of
from irjudge.store.project import Project
from irjudge.text.snippets import plain_text

Pair = tuple[str, str]
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


def pairs_of(pool: Pool) -> list[Pair]:
    """Return (topic, document) of each row of a pool, in its order."""
    topics = [pool.topics[code] for code in rows_to_topics(pool.starts).tolist()]
    return list(zip(topics, pool.document.to_pylist(), strict=True))


def items(project: Project) -> dict[str, Pair]:
    """Return what each item of a task file stands for: the pairs of all pools, since files of an earlier one may come back."""
    pools = (
        project.rankings.pool(version) for version in range(1, project.rankings.pool_version() + 1)
    )
    return {item_of(*pair): pair for pool in pools if pool is not None for pair in pairs_of(pool)}


def readable_pairs(project: Project) -> tuple[list[Pair], list[str]]:
    """Return the pairs of the newest pool whose document has words to show, in pool order, and the documents that have none."""
    pool = project.rankings.pool()
    if pool is None:
        raise ProjectError("{file} has no pool; build one first.", file=project.path.name)
    pairs = pairs_of(pool)
    documents = list(dict.fromkeys(document for _, document in pairs))
    shown = project.collection.with_words(documents)
    return [pair for pair in pairs if pair[1] in shown], [
        document for document in documents if document not in shown
    ]


def tasks(
    project: Project, pairs: list[Pair], progress: Progress = SILENT
) -> Iterator[JudgingTask]:
    """Yield the task of each pair. Documents are read one at a time: their texts may be more than memory holds."""
    topics = {topic.id: topic for topic in project.collection.topics()}
    for topic, document in progress.through(pairs, Message("Writing tasks"), total=len(pairs)):
        yield _task(project, topics.get(topic, Topic(topic, "")), document)


def _task(project: Project, topic: Topic, id: str) -> JudgingTask:
    document = project.collection.document(id)
    if document is None:
        raise ProjectError(
            "{file} is damaged: document {id} has no text any more.", file=project.path.name, id=id
        )
    lines = (
        *(f"{name}: {text}" for name, text in shown_of(project, document)),
        plain_text(document, far=None),
    )
    words = "\n".join(filter(None, lines)).replace(
        "\0", "\N{REPLACEMENT CHARACTER}"
    )  # which no table can hold
    title = document.title or project.collection.titles([id])[id]
    url = id if _ADDRESS.fullmatch(id) else ""
    return JudgingTask(
        item_of(topic.id, id), topic.id, topic.title, topic.description, id, title, words, url
    )

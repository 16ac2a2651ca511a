"""What topics are called: the ids of their file, or their places in it, since some collections judge queries by their order."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, get_args

from irjudge.errors import Undecided
from irjudge.message import Message
from irjudge.model.topic import Topic

TopicIds = Literal["order", "given"]
TOPIC_IDS: tuple[TopicIds, ...] = get_args(TopicIds)
SHOWN = 3


def settled_ids(
    topics: Sequence[Topic], where: Path, topic_ids: TopicIds | None, *, numbered: bool
) -> tuple[tuple[Topic, ...], tuple[str, ...]]:
    """Return topics with the ids that count, and what was decided about them, a sentence or none."""
    ids = [topic.id for topic in topics]
    count = [str(number) for number in range(1, len(ids) + 1)]
    if ids == count:
        return tuple(topics), ()
    if topic_ids is None and numbered and [name.lstrip("0") for name in ids] != count:
        choice = Message(
            "{first} (1 to {ids:,}, as relevance files of SMART count them) or {topic_ids} ({listed})",
            first=TOPIC_IDS[0],
            ids=len(ids),
            topic_ids=TOPIC_IDS[1],
            listed=_listed(ids),
        )
        raise Undecided(
            where,
            Message(
                "the ids of the queries do not count from 1 to {ids:,}; say with --topic-ids which to use: {choice}",
                ids=len(ids),
                choice=choice,
            ),
            ("topic_ids",),
        )
    if topic_ids == "order" or (topic_ids is None and numbered):
        said = (
            Message(
                "The topics are called 1 to {ids:,} by their order; in the file they are called {listed}.",
                ids=len(ids),
                listed=_listed(ids),
            )
            if any(ids)
            else Message("The topics are called 1 to {ids:,} by their order; in the file they have no ids.", ids=len(ids))
        )
        return tuple(replace(topic, id=name) for topic, name in zip(topics, count, strict=True)), (said,)
    if topic_ids == "given":
        return tuple(topics), (
            Message(
                "The topics keep the ids of the file ({listed}), which do not count from 1 to {ids:,}.", listed=_listed(ids), ids=len(ids)
            ),
        )
    return tuple(topics), ()


def _listed(ids: Sequence[str]) -> str:
    """Return the first ids and the last one."""
    if len(ids) <= SHOWN + 1:
        return ", ".join(ids)
    return f"{', '.join(ids[:SHOWN])} … {ids[-1]}"

"""The target way to an honest stop: ten relevant documents are drawn at random, and a search that never saw them finds them again."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from irjudge.errors import IrjudgeError
from irjudge.judging.finding.learning import (
    LearningWish,
    judge_by_learning,
    known_relevance,
    learning_wish,
)
from irjudge.judging.finding.samples import TARGET_FACT, TargetWay, target_ways
from irjudge.judging.finding.sources import Pair
from irjudge.judging.recorder import utc_now
from irjudge.message import Message
from irjudge.stats.recall_certificate import TARGET, TARGET_RECALL
from irjudge.stats.seeded_random import SeededDraw
from irjudge.store.project import Project

AT_ONCE = (
    25  # documents are drawn: all of them are judged before it is known whether that was enough
)


@dataclass(frozen=True, slots=True)
class TargetStanding:
    """How far a topic is on the target way."""

    way: TargetWay
    judged: int  # of those drawn
    relevant: int
    targets: tuple[
        str, ...
    ]  # the first ten relevant ones, in the order they were drawn, once all that was drawn is judged

    @property
    def waits(self) -> bool:
        """Whether something that was drawn is to be judged yet."""
        return self.judged < len(self.way.documents)

    @property
    def drawn(self) -> bool:
        """Whether enough are drawn."""
        return len(self.targets) == TARGET

    @property
    def again(self) -> int:
        """How many of the targets were found again."""
        return len({*self.targets} & {*self.way.again})

    @property
    def complete(self) -> bool:
        """Whether all targets were found again: only then is anything claimed."""
        return self.drawn and self.way.searching and self.again == TARGET

    def sentences(self) -> list[str]:
        """Return how far it is, or the claim with what it rests on."""
        way = self.way
        drawn = Message(
            "Drawn at random from {rest:,} documents that nobody had judged: {drawn:,}; judged: {judged:,}; relevant: {relevant:,}.",
            rest=way.rest,
            drawn=len(way.documents),
            judged=self.judged,
            relevant=self.relevant,
        )
        if self.complete:
            claim = Message(
                "Recall is at least {recall} with 95 %: a search that did not know them found all {target} relevant documents again.",
                recall=TARGET_RECALL,
                target=TARGET,
            )
            return [claim, drawn]
        if way.searching:
            return [
                Message(
                    "Found again: {again} of {target}; nothing is claimed before all are.",
                    again=self.again,
                    target=TARGET,
                ),
                drawn,
            ]
        return [drawn]


def standing_of_target(way: TargetWay, known: Mapping[Pair, bool | None]) -> TargetStanding:
    """Return how far a topic is, by what is known of each judged document."""
    judged = [document for document in way.documents if (way.topic, document) in known]
    relevant = [document for document in judged if known[way.topic, document]]
    whole = len(judged) == len(
        way.documents
    )  # else those judged first would be chosen, and not drawn
    return TargetStanding(
        way, len(judged), len(relevant), tuple(relevant[:TARGET]) if whole else ()
    )


def target_standings(project: Project) -> dict[str, TargetStanding]:
    """Return how far each topic is that goes the target way."""
    found = {}
    for topic, way in target_ways(project).items():
        found[topic] = standing_of_target(way, known_relevance(project, way.rel))
    return found


def draw_targets(
    project: Project,
    topic: str,
    *,
    rel: int,
    count: int = AT_ONCE,
    clock: Callable[[], str] = utc_now,
) -> TargetWay:
    """Begin the target way of a topic, or draw more where too few were relevant, and keep that; `rel` is kept when it begins.

    IrjudgeError when what was drawn is not judged yet or is enough, or nothing is left to draw.
    """
    way = target_ways(project).get(topic)
    known = known_relevance(project, way.rel if way else rel)
    if way is not None:
        standing = standing_of_target(way, known)
        if standing.waits:
            raise IrjudgeError(
                "What was drawn for topic {topic} is not judged yet; judge it first.", topic=topic
            )
        if standing.drawn:
            raise IrjudgeError(
                "Enough is drawn for topic {topic}: search anew, without it.", topic=topic
            )
    before = way.documents if way else ()
    rest = [id for id, _ in project.collection.content() if (topic, id) not in known]
    if not rest:
        raise IrjudgeError(
            "Every document was judged for topic {topic}: nothing can be missing.", topic=topic
        )
    drawn = SeededDraw(project.seed).shuffled(rest, "target", topic, str(len(before)))[:count]
    began = way or TargetWay(topic, (), len(rest), rel, clock())
    return _keep(project, replace(began, documents=(*before, *drawn)))


def search_anew(project: Project, topic: str) -> TargetWay:
    """Let learning, by which the project is judged from now on, go on without what was drawn until it has found it again."""
    way = target_ways(project).get(topic)
    if way is None or not target_standings(project)[topic].drawn:
        raise IrjudgeError(
            "Topic {topic} has fewer than {target} relevant documents drawn at random.",
            topic=topic,
            target=TARGET,
        )
    if learning_wish(project) is None:
        judge_by_learning(project, LearningWish(way.rel))
    return _keep(project, replace(way, searching=True))


def note_found_again(project: Project, topic: str, document: str) -> TargetWay:
    """Keep that the search came to a document that was drawn."""
    way = target_ways(project)[topic]
    return _keep(project, replace(way, again=(*way.again, document)))


def _keep(project: Project, way: TargetWay) -> TargetWay:
    kept = {**target_ways(project), way.topic: way}
    project.set_fact(
        TARGET_FACT,
        json.dumps({topic: asdict(each) for topic, each in kept.items()}, ensure_ascii=False),
    )
    return way


def target_claims(project: Project) -> Iterator[str]:
    """Yield for each topic that went the target way to its end the claim, with what it rests on."""
    for topic, standing in target_standings(project).items():
        for sentence in standing.sentences() if standing.complete else ():
            yield Message("Topic {topic}: {sentence}", topic=topic, sentence=sentence)

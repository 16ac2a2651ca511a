"""Stopping rules and recall estimates: hints, random samples, target method."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from itertools import accumulate

from irjudge.errors import IrjudgeError
from irjudge.judging.active_learning import (
    LearningOptions,
    combine_votes,
    read_learning_options,
    read_relevance,
    read_votes,
    set_learning_options,
)
from irjudge.judging.ledger import get_ledger, list_grades_in_force
from irjudge.judging.sources import (
    SETTING,
    TARGET_SETTING,
    Pair,
    RandomSample,
    TargetSample,
    read_samples,
    read_target_samples,
)
from irjudge.message import Message
from irjudge.model import utc_now
from irjudge.stats import (
    RECALL_LEVEL,
    TARGET_RECALL,
    TARGET_SAMPLE_SIZE,
    HashOrder,
    RecallCertificate,
)
from irjudge.store import Project

QUARTERS = 4
MIN_JUDGED, MIN_FOUND = 20, 5  # minimum numbers for a trend
# Expected remaining finds as a share of the finds so far.
MAX_ENDED_SHARE, MAX_DECAYING_SHARE = 0.1, 1.0
HALF = 0.5
MAX_SLOPE_RATIO, MIN_SLOPE_RATIO = 156, 6  # bounds of the slope ratio in the knee rule
MIN_DRY_DOCUMENTS = 30  # minimum number of documents without a relevant one that is mentioned


# Gain curve: relevant documents found


@dataclass(frozen=True, slots=True)
class TopicFinds:
    """Relevance of the judged documents of a topic, in the order of first judgment."""

    topic: str
    documents: tuple[str, ...]
    relevant: tuple[bool, ...]

    @property
    def relevant_count(self) -> int:
        """Number of relevant documents."""
        return sum(self.relevant)

    @property
    def curve(self) -> list[int]:
        """Number of relevant documents after each judgment."""
        return list(accumulate(map(int, self.relevant)))

    @property
    def dry(self) -> int:
        """Number of documents since the last relevant one."""
        return next(
            (index for index, each in enumerate(reversed(self.relevant)) if each),
            len(self.relevant),
        )


def list_finds(project: Project, rel: int) -> dict[str, TopicFinds]:
    """List the finds of each judged topic by all assessors, without unjudgeable documents."""
    known = read_relevance(project, rel)
    order: dict[Pair, str] = {}
    for name in project.events.assessors():
        for event in list_grades_in_force(project, name):
            pair = event.item.topic, event.item.documents[0]
            judged = get_ledger(project, name).history(event.item.key)[0].judged_at
            order[pair] = min(judged, order.get(pair, judged))
    topics: dict[str, list[str]] = defaultdict(list)
    for pair in sorted(
        (pair for pair in order if known[pair] is not None), key=lambda pair: (order[pair], pair)
    ):
        topics[pair[0]].append(pair[1])
    return {
        topic: TopicFinds(
            topic, tuple(documents), tuple(known[topic, document] is True for document in documents)
        )
        for topic, documents in topics.items()
    }


class FindsTrend(Enum):
    """Messages about how many relevant documents to expect."""

    LITTLE = Message("Too few documents are judged to show a trend.")
    NONE = Message("No relevant documents found.")
    ENDED = Message("Hardly any new relevant documents turn up.")
    SOME = Message("Some relevant documents may remain, probably fewer than were found.")
    AS_MANY = Message("About as many relevant documents probably remain as were found.")
    OPEN = Message("New relevant documents keep turning up; the number left is unknown.")


def classify_trend(finds: TopicFinds) -> FindsTrend:
    """Return the trend of finds in the last two quarters of the judgments.

    If finds continue to fall at the ratio of these quarters, the remaining ones are the sum of a
    geometric series. On public collections this estimate was between .58 and 1.83 times the truth
    for half of the topics: it is a hint, never shown as a number.
    """
    count = len(finds.relevant)
    if count < MIN_JUDGED:
        return FindsTrend.LITTLE
    if not finds.relevant_count:
        return FindsTrend.NONE
    quarter = count // QUARTERS
    last, before = (
        sum(finds.relevant[count - quarter :]),
        sum(finds.relevant[count - 2 * quarter : count - quarter]),
    )
    if last and last >= before:
        return FindsTrend.OPEN
    left = last * last / (before - last) if last else 0.0  # last · r / (1 − r), r = last / before
    if finds.relevant_count < MIN_FOUND and last:
        return FindsTrend.LITTLE
    share = left / finds.relevant_count
    if share < MAX_ENDED_SHARE:
        return FindsTrend.ENDED
    return (
        FindsTrend.SOME
        if share < HALF
        else FindsTrend.AS_MANY
        if share <= MAX_DECAYING_SHARE
        else FindsTrend.OPEN
    )


def is_past_knee(finds: TopicFinds) -> bool:
    """Return whether the curve of finds has a knee and is much flatter after it.

    References
    ----------
    Cormack and Grossman (2016), Engineering quality and reliability in technology-assisted review,
    SIGIR: the knee is where the curve is farthest from the straight line between its ends; the
    ratio of the slopes before and after it must be at least 156 minus the number of finds, and at
    least 6.
    """
    curve = [0, *finds.curve]
    count, total = len(curve) - 1, curve[-1]
    if not total:
        return False
    knee = max(range(1, count + 1), key=lambda rank: curve[rank] * count - total * rank)
    if knee >= count:
        return False
    before, behind = curve[knee] / knee, (1 + total - curve[knee]) / (count - knee)
    return before / behind >= max(
        MAX_SLOPE_RATIO - min(curve[knee], MAX_SLOPE_RATIO - MIN_SLOPE_RATIO), MIN_SLOPE_RATIO
    )


def describe_finds(finds: TopicFinds | None) -> tuple[Message, ...]:
    """Return sentences about the finds so far, which are hints and not claims."""
    if finds is None:
        return ()
    messages = [Message(classify_trend(finds).value)]
    if finds.dry >= MIN_DRY_DOCUMENTS:
        messages.append(
            Message("None of the last {count} documents is relevant.", key="dry", count=finds.dry)
        )
    if is_past_knee(finds):
        messages.append(
            Message(
                "The curve has a knee, after which relevant documents are much rarer.", key="knee"
            )
        )
    return tuple(messages)


# Target method: a search must find ten randomly sampled relevant documents without knowing them.

TARGET_BATCH_SIZE = 25  # documents sampled at a time, all of which are judged


@dataclass(frozen=True, slots=True)
class TargetStatus:
    """Progress of the target method for a topic."""

    way: TargetSample
    judged: int  # number of judged documents of the sample
    relevant: int
    targets: tuple[str, ...]  # first ten relevant documents; empty until the sample is judged

    @property
    def waits(self) -> bool:
        """Whether part of the sample is unjudged."""
        return self.judged < len(self.way.documents)

    @property
    def is_sampled(self) -> bool:
        """Whether enough relevant documents have been sampled."""
        return len(self.targets) == TARGET_SAMPLE_SIZE

    @property
    def again(self) -> int:
        """Number of targets that the search has found."""
        return len({*self.targets} & {*self.way.again})

    @property
    def complete(self) -> bool:
        """Whether the search has found all targets; only then a claim is made."""
        return self.is_sampled and self.way.searching and self.again == TARGET_SAMPLE_SIZE

    def sentences(self) -> list[str]:
        """Return sentences about the progress, or the claim and its basis."""
        way = self.way
        message = Message(
            "Sampled at random from {rest:,} unjudged documents: {drawn:,}; judged: "
            "{judged:,}; relevant: {relevant:,}.",
            rest=way.rest,
            drawn=len(way.documents),
            judged=self.judged,
            relevant=self.relevant,
        )
        if self.complete:
            claim = Message(
                "Recall is at least {recall} with 95 % confidence: an independent search found "
                "all {target} relevant documents again.",
                recall=TARGET_RECALL,
                target=TARGET_SAMPLE_SIZE,
            )
            return [claim, message]
        if way.searching:
            return [
                Message(
                    "Found again: {again} of {target}; recall is reported once all of them are "
                    "found.",
                    again=self.again,
                    target=TARGET_SAMPLE_SIZE,
                ),
                message,
            ]
        return [message]


def compute_target_status(way: TargetSample, known: Mapping[Pair, bool | None]) -> TargetStatus:
    """Return the status of a target sample, from the relevance of judged documents."""
    judged = [document for document in way.documents if (way.topic, document) in known]
    relevant = [document for document in judged if known[way.topic, document]]
    # In a partly judged sample, the documents judged first would not be a random sample.
    whole = len(judged) == len(way.documents)
    return TargetStatus(
        way, len(judged), len(relevant), tuple(relevant[:TARGET_SAMPLE_SIZE]) if whole else ()
    )


def compute_target_statuses(project: Project) -> dict[str, TargetStatus]:
    """Return the status of each topic that uses the target method."""
    statuses = {}
    for topic, way in read_target_samples(project).items():
        statuses[topic] = compute_target_status(way, read_relevance(project, way.rel))
    return statuses


def draw_targets(
    project: Project,
    topic: str,
    *,
    rel: int,
    count: int = TARGET_BATCH_SIZE,
    clock: Callable[[], str] = utc_now,
) -> TargetSample:
    """Start the target method for a topic, or enlarge its sample, and store it.

    `rel` is fixed at the start. Raises IrjudgeError if the sample is not judged yet or is large
    enough, or if no unjudged documents are left.
    """
    way = read_target_samples(project).get(topic)
    known = read_relevance(project, way.rel if way else rel)
    if way is not None:
        status = compute_target_status(way, known)
        if status.waits:
            raise IrjudgeError(
                "The sample of topic {topic} has not been judged completely. Finish judging it "
                "first.",
                topic=topic,
            )
        if status.is_sampled:
            raise IrjudgeError(
                "Enough documents of topic {topic} have been sampled; search again without them.",
                topic=topic,
            )
    before = way.documents if way else ()
    rest = [id for id, _ in project.collection.content() if (topic, id) not in known]
    if not rest:
        raise IrjudgeError(
            "All documents of topic {topic} have been judged, so none can be missing.", topic=topic
        )
    sampled = HashOrder(project.seed).shuffle(rest, "target", topic, str(len(before)))[:count]
    began = way or TargetSample(topic, (), len(rest), rel, clock())
    return _store_target(project, replace(began, documents=(*before, *sampled)))


def start_target_search(project: Project, topic: str) -> TargetSample:
    """Start the search of a target sample: active learning continues without its documents."""
    way = read_target_samples(project).get(topic)
    if way is None or not compute_target_statuses(project)[topic].is_sampled:
        raise IrjudgeError(
            "Topic {topic} has fewer than {target} relevant documents in its random sample.",
            topic=topic,
            target=TARGET_SAMPLE_SIZE,
        )
    if read_learning_options(project) is None:
        set_learning_options(project, LearningOptions(way.rel))
    return _store_target(project, replace(way, searching=True))


def record_target_found(project: Project, topic: str, document: str) -> TargetSample:
    """Record that the search has found a sampled document."""
    way = read_target_samples(project)[topic]
    return _store_target(project, replace(way, again=(*way.again, document)))


def _store_target(project: Project, way: TargetSample) -> TargetSample:
    stored = {**read_target_samples(project), way.topic: way}
    project.set_setting(
        TARGET_SETTING,
        json.dumps({topic: asdict(each) for topic, each in stored.items()}, ensure_ascii=False),
    )
    return way


def iter_target_claims(project: Project) -> Iterator[str]:
    """Yield the claims of all completed target methods, with their basis."""
    for topic, status in compute_target_statuses(project).items():
        for sentence in status.sentences() if status.complete else ():
            yield Message("Topic {topic}: {sentence}", topic=topic, sentence=sentence)


# Recall claims from random samples of unjudged documents

MAX_LOOKS = 20


def draw_sample(
    project: Project,
    topic: str,
    count: int,
    *,
    rel: int,
    looks: int = 1,
    clock: Callable[[], str] = utc_now,
) -> RandomSample:
    """Draw and store a sample of `count` unjudged documents, or of all if fewer are left.

    `looks` is the planned number of samples; later samples keep the number of the first.
    Raises IrjudgeError if the previous sample is not judged yet, all planned samples have been
    drawn, or no unjudged documents are left.
    """
    samples = read_samples(project)
    before, votes = samples.get(topic, ()), read_votes(project)
    if before and not compute_sample_status(before[-1], votes).complete:
        raise IrjudgeError(
            "The sample of topic {topic} has not been judged completely. Finish judging it first.",
            topic=topic,
        )
    if before and len(before) >= before[-1].looks:
        raise IrjudgeError(
            "All {looks} planned looks for topic {topic} have been used; another one would "
            "invalidate the confidence level.",
            topic=topic,
            looks=before[-1].looks,
        )
    if not 1 <= looks <= MAX_LOOKS or count < 1:
        raise IrjudgeError(
            "A sample needs at least 1 document and 1 to {most} looks.", most=MAX_LOOKS
        )
    rest = [id for id, _ in project.collection.content() if (topic, id) not in votes]
    if not rest:
        raise IrjudgeError(
            "All documents of topic {topic} have been judged, so none can be missing.", topic=topic
        )
    chosen = HashOrder(project.seed).shuffle(rest, "sample", topic, str(len(before)))[:count]
    known = {
        pair: combine_votes([*grades.values()], None, rel)
        for pair, grades in votes.items()
        if pair[0] == topic
    }
    planned = before[-1].looks if before else looks
    sample = RandomSample(
        topic,
        tuple(chosen),
        len(rest),
        sum(each is True for each in known.values()),
        rel,
        planned,
        clock(),
    )
    stored = {**samples, topic: (*before, sample)}
    project.set_setting(
        SETTING,
        json.dumps(
            {name: [asdict(each) for each in samples] for name, samples in stored.items()},
            ensure_ascii=False,
        ),
    )
    return sample


@dataclass(frozen=True, slots=True)
class SampleStatus:
    """Progress of a sample, and its result once it is judged."""

    sample: RandomSample
    judged: int
    relevant: int
    unjudgeable: int  # unjudgeable documents among the judged ones; they are not part of the claim

    @property
    def complete(self) -> bool:
        """Whether all documents are judged."""
        return self.judged == len(self.sample.documents)

    @property
    def certificate(self) -> RecallCertificate | None:
        """Result; None until all documents are judged, since the judged part is not a random
        sample.
        """
        if not self.complete:
            return None
        sample = self.sample
        return RecallCertificate(
            sample.found,
            sample.rest,
            len(sample.documents),
            self.relevant,
            sample.looks,
            RECALL_LEVEL,
        )

    def sentences(self, *, warned: bool = True) -> list[str]:
        """Return the claim with its basis and limits.

        Without `warned`, the warning about a weak claim is omitted.
        """
        certificate = self.certificate
        if certificate is None:
            return [
                Message(
                    "Judged: {judged:,} of the {drawn:,} sampled documents.",
                    judged=self.judged,
                    drawn=len(self.sample.documents),
                )
            ]
        messages = certificate.sentences()
        if certificate.weak and not warned:
            messages.pop()
        if self.unjudgeable:
            messages.append(
                Message(
                    "Unjudgeable documents in the sample, which the bound does not cover: "
                    "{count:,}.",
                    count=self.unjudgeable,
                )
            )
        return messages


def compute_sample_status(
    sample: RandomSample, votes: Mapping[Pair, Mapping[str, int]]
) -> SampleStatus:
    """Return the status of a sample by the votes of all assessors."""
    votes_of_documents = [
        [*votes[pair].values()]
        for document in sample.documents
        if (pair := (sample.topic, document)) in votes
    ]
    known = [combine_votes(values, None, sample.rel) for values in votes_of_documents]
    return SampleStatus(
        sample, len(known), sum(each is True for each in known), sum(each is None for each in known)
    )


def compute_sample_statuses(project: Project, topic: str) -> tuple[SampleStatus, ...]:
    """Return the status of the samples of a topic, oldest first."""
    votes = read_votes(project)
    return tuple(
        compute_sample_status(sample, votes) for sample in read_samples(project).get(topic, ())
    )


def iter_claims(project: Project) -> Iterator[str]:
    """Yield the claim of the last judged sample of each topic, then those of the target method."""
    for topic in read_samples(project):
        complete = [each for each in compute_sample_statuses(project, topic) if each.complete]
        for sentence in complete[-1].sentences() if complete else ():
            yield Message("Topic {topic}: {sentence}", topic=topic, sentence=sentence)
    yield from iter_target_claims(project)

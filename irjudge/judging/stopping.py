"""Stopping rules and recall estimates: trend hints, random samples, and the target method."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from enum import Enum
from itertools import accumulate

from irjudge.errors import IrjudgeError
from irjudge.judging.active_learning import (
    LearningOptions,
    read_learning_options,
    set_learning_options,
)
from irjudge.judging.consensus import (
    combine_votes,
    iter_counted_judgments,
    read_relevance,
    read_votes,
)
from irjudge.judging.ledger import JUDGMENTS, get_ledger
from irjudge.judging.sources import (
    SETTING,
    TARGET_SETTING,
    RandomSample,
    SourceShare,
    TargetSample,
    compute_source_shares,
    read_samples,
    read_target_samples,
)
from irjudge.message import Message
from irjudge.model import Pair, utc_now
from irjudge.stats import (
    RECALL_LEVEL,
    TARGET_RECALL,
    TARGET_SAMPLE_SIZE,
    HashOrder,
    RecallCertificate,
    SampleForecast,
    expected_target_cost,
    forecast_samples,
)
from irjudge.store import Project

QUARTER_COUNT = 4
# minimum numbers of judged documents and of relevant documents for determining a trend
MIN_JUDGED, MIN_RELEVANT = 20, 5
# ratio of the expected remaining relevant documents to those found: maximum for the trend ENDED,
# and maximum for the trend AS_MANY
MAX_ENDED_RATIO, MAX_AS_MANY_RATIO = 0.1, 1.0
MIN_AS_MANY_RATIO = 0.5  # minimum ratio for the trend AS_MANY
# maximum and minimum of the slope ratio that the knee rule requires
MAX_SLOPE_RATIO, MIN_SLOPE_RATIO = 156, 6
# A message is shown if at least this number of documents were judged since the last relevant one.
MIN_IRRELEVANT_DOCUMENTS = 30


# Gain curve: relevant documents found


@dataclass(frozen=True, slots=True)
class RelevanceHistory:
    """Relevance of the judged documents of a topic, in the order of their first judgments.

    The judgments are those of all assessors or, in a learning session, of one assessor in the order
    of the queue. Unjudgeable documents are omitted.
    """

    topic: str
    documents: tuple[str, ...]
    relevant: tuple[bool, ...]  # whether each document is relevant, by all judgments of it

    @property
    def relevant_count(self) -> int:
        """Number of relevant documents."""
        return sum(self.relevant)

    @property
    def curve(self) -> list[int]:
        """Number of relevant documents found after each judgment."""
        return list(accumulate(map(int, self.relevant)))

    @property
    def documents_since_relevant(self) -> int:
        """Number of documents judged since the last relevant document."""
        return next(
            (index for index, is_relevant in enumerate(reversed(self.relevant)) if is_relevant),
            len(self.relevant),
        )


def list_relevance_histories(project: Project, rel: int) -> dict[str, RelevanceHistory]:
    """Return the relevance history of each topic, without unjudgeable documents."""
    relevance = read_relevance(project, rel)
    judging_times: dict[Pair, str] = {}
    for _assessor, event in iter_counted_judgments(project):
        pair = event.item.topic, event.item.documents[0]
        history = get_ledger(project, event.assessor).history(event.item.key)
        judged_at = next(event.judged_at for event in history if event.kind in JUDGMENTS)
        judging_times[pair] = min(judged_at, judging_times.get(pair, judged_at))
    documents_by_topic: dict[str, list[str]] = defaultdict(list)
    for pair in sorted(
        (pair for pair in judging_times if relevance.get(pair) is not None),
        key=lambda pair: (judging_times[pair], pair),
    ):
        documents_by_topic[pair[0]].append(pair[1])
    return {
        topic: RelevanceHistory(
            topic,
            tuple(documents),
            tuple(relevance[topic, document] is True for document in documents),
        )
        for topic, documents in documents_by_topic.items()
    }


class RelevanceTrend(Enum):
    """Trend in the number of relevant documents found; the value is the message shown for it."""

    LITTLE = Message("Too few documents are judged to show a trend.")
    NONE = Message("No relevant documents found.")
    ENDED = Message("Hardly any new relevant documents are being found.")
    SOME = Message("Some relevant documents may remain, probably fewer than have been found.")
    AS_MANY = Message("Probably about as many relevant documents remain as have been found.")
    OPEN = Message("New relevant documents are still being found; the number remaining is unknown.")


def classify_trend(history: RelevanceHistory) -> RelevanceTrend:
    """Return the trend of relevant documents from the third to the last quarter of the judgments.

    The number of remaining relevant documents is estimated by a geometric series, whose ratio is
    the number in the last quarter divided by the number in the third. On public collections, this
    estimate was between 0.58 and 1.83 times the true number for half of the topics. Therefore, it
    is only a hint and is never shown as a number.
    """
    count = len(history.relevant)
    if count < MIN_JUDGED:
        return RelevanceTrend.LITTLE
    if not history.relevant_count:
        return RelevanceTrend.NONE
    quarter_size = count // QUARTER_COUNT
    latest_count = sum(history.relevant[count - quarter_size :])
    earlier_count = sum(history.relevant[count - 2 * quarter_size : count - quarter_size])
    if latest_count and latest_count >= earlier_count:
        return RelevanceTrend.OPEN
    expected_count = (
        latest_count * latest_count / (earlier_count - latest_count) if latest_count else 0.0
    )  # sum of the series: latest · r / (1 − r) with r = latest / earlier
    if history.relevant_count < MIN_RELEVANT and latest_count:
        return RelevanceTrend.LITTLE
    ratio = expected_count / history.relevant_count
    if ratio < MAX_ENDED_RATIO:
        return RelevanceTrend.ENDED
    return (
        RelevanceTrend.SOME
        if ratio < MIN_AS_MANY_RATIO
        else RelevanceTrend.AS_MANY
        if ratio <= MAX_AS_MANY_RATIO
        else RelevanceTrend.OPEN
    )


def is_past_knee(history: RelevanceHistory) -> bool:
    """Return whether the curve of relevant documents has a knee and is much flatter after it.

    References
    ----------
    Cormack and Grossman (2016), Engineering quality and reliability in technology-assisted review,
    SIGIR: the knee is where the curve is farthest from the straight line between its ends; the
    ratio of the slopes before and after it must be at least 156 minus the number of relevant
    documents up to the knee, and at least 6.
    """
    curve = [0, *history.curve]
    count, total = len(curve) - 1, curve[-1]
    if not total:
        return False
    knee = max(range(1, count + 1), key=lambda rank: curve[rank] * count - total * rank)
    if knee >= count:
        return False
    slope_before, slope_after = curve[knee] / knee, (1 + total - curve[knee]) / (count - knee)
    return slope_before / slope_after >= max(
        MAX_SLOPE_RATIO - min(curve[knee], MAX_SLOPE_RATIO - MIN_SLOPE_RATIO), MIN_SLOPE_RATIO
    )


def describe_relevance_trend(history: RelevanceHistory | None) -> tuple[Message, ...]:
    """Return sentences about the trend of relevant documents.

    The sentences are hints, not claims."""
    if history is None:
        return ()
    messages = [Message(classify_trend(history).value)]
    if history.documents_since_relevant >= MIN_IRRELEVANT_DOCUMENTS:
        messages.append(
            Message(
                "None of the last {count} documents is relevant.",
                key="dry",
                count=history.documents_since_relevant,
            )
        )
    if is_past_knee(history):
        messages.append(
            Message(
                "The curve has a knee, after which relevant documents are much rarer.", key="knee"
            )
        )
    return tuple(messages)


# Target method: a search must find ten relevant documents of a random sample without using the
# sample.

TARGET_BATCH_SIZE = 25  # number of documents that are sampled at a time, all of which are judged


@dataclass(frozen=True, slots=True)
class TargetStatus:
    """Progress of the target method for a topic: judged sampled documents, and targets.

    In the target method, random documents are judged until ten of them are relevant. Then, a search
    that does not use the sample must find these ten targets again. When all of them are found,
    recall can be claimed.
    """

    sample: TargetSample
    judged: int  # number of sampled documents that are judged
    relevant: int  # number of sampled documents that are judged relevant
    # first relevant documents of the sample, at most ten; empty until the whole sample is judged
    targets: tuple[str, ...]

    @property
    def has_unjudged(self) -> bool:
        """Whether a document of the sample is unjudged."""
        return self.judged < len(self.sample.documents)

    @property
    def is_sampled(self) -> bool:
        """Whether enough relevant documents have been sampled."""
        return len(self.targets) == TARGET_SAMPLE_SIZE

    @property
    def found_count(self) -> int:
        """Number of target documents that the search has found."""
        return len({*self.targets} & {*self.sample.again})

    @property
    def complete(self) -> bool:
        """Whether the search has found all target documents, so that recall can be claimed."""
        return self.is_sampled and self.sample.searching and self.found_count == TARGET_SAMPLE_SIZE

    def sentences(self) -> list[str]:
        """Return sentences about the progress or, when the search is complete, the recall claim."""
        sample = self.sample
        message = Message(
            "Sampled at random from {total:,} unjudged documents: {count:,}; judged: "
            "{judged:,}; relevant: {relevant:,}.",
            total=sample.rest,
            count=len(sample.documents),
            judged=self.judged,
            relevant=self.relevant,
        )
        if self.complete:
            claim = Message(
                "Recall is at least {recall} with 95 % confidence: an independent search found "
                "all {target} relevant documents of the random sample again.",
                recall=TARGET_RECALL,
                target=TARGET_SAMPLE_SIZE,
            )
            return [claim, message]
        if sample.searching:
            return [
                Message(
                    "Sampled relevant documents found again: {count} of {target}. Recall is "
                    "reported once all of them are found.",
                    count=self.found_count,
                    target=TARGET_SAMPLE_SIZE,
                ),
                message,
            ]
        return [message]


def compute_target_status(
    sample: TargetSample, relevance: Mapping[Pair, bool | None]
) -> TargetStatus:
    """Return the status of a target sample, from the relevance of judged documents."""
    judged_documents = [
        document for document in sample.documents if (sample.topic, document) in relevance
    ]
    relevant_documents = [
        document for document in judged_documents if relevance[sample.topic, document]
    ]
    # the judged documents of a partly judged sample are not a random sample
    is_complete = len(judged_documents) == len(sample.documents)
    return TargetStatus(
        sample,
        len(judged_documents),
        len(relevant_documents),
        tuple(relevant_documents[:TARGET_SAMPLE_SIZE]) if is_complete else (),
    )


def compute_target_statuses(project: Project) -> dict[str, TargetStatus]:
    """Return the status of each topic that uses the target method."""
    samples = read_target_samples(project)
    relevance = {
        rel: read_relevance(project, rel) for rel in {each.rel for each in samples.values()}
    }
    return {
        topic: compute_target_status(sample, relevance[sample.rel])
        for topic, sample in samples.items()
    }


def draw_targets(
    project: Project,
    topic: str,
    *,
    rel: int,
    count: int = TARGET_BATCH_SIZE,
    clock: Callable[[], str] = utc_now,
) -> TargetSample:
    """Sample `count` documents for the target method of a topic, and store the sample.

    If the topic already has a target sample, the documents are added to it, and `rel` (the lowest
    relevant grade) is not changed. Raises IrjudgeError if the existing sample is not judged yet or
    is large enough, or if no unjudged documents are left.
    """
    sample = read_target_samples(project).get(topic)
    relevance = read_relevance(project, sample.rel if sample else rel)
    if sample is not None:
        status = compute_target_status(sample, relevance)
        if status.has_unjudged:
            raise IrjudgeError(
                "The sample of topic {topic} has not been judged completely. Finish judging it "
                "first.",
                topic=topic,
            )
        if status.is_sampled:
            raise IrjudgeError(
                "Enough documents of topic {topic} have been sampled. Next, find relevant "
                "documents without using the sample.",
                topic=topic,
            )
    earlier_documents = sample.documents if sample else ()
    unjudged_documents = _shuffle_unjudged(
        project, relevance, "target", topic, len(earlier_documents)
    )
    target_sample = sample or TargetSample(topic, (), len(unjudged_documents), rel, clock())
    return _store_target(
        project, replace(target_sample, documents=(*earlier_documents, *unjudged_documents[:count]))
    )


def _shuffle_unjudged(
    project: Project, judged_pairs: Collection[Pair], purpose: str, topic: str, sampled_count: int
) -> list[str]:
    """Return the unjudged documents of a topic in random order; raise an error if none is left."""
    unjudged_documents = [
        id for id, _ in project.collection.content() if (topic, id) not in judged_pairs
    ]
    if not unjudged_documents:
        raise IrjudgeError(
            "All documents of topic {topic} have been judged, so no relevant document can be "
            "missing.",
            topic=topic,
        )
    return HashOrder(project.seed).shuffle(unjudged_documents, purpose, topic, str(sampled_count))


def start_target_search(project: Project, topic: str) -> TargetSample:
    """Start the search for a target sample, whose documents active learning must find again."""
    sample = read_target_samples(project).get(topic)
    if sample is None or not compute_target_statuses(project)[topic].is_sampled:
        raise IrjudgeError(
            "Topic {topic} has fewer than {target} relevant documents in its random sample.",
            topic=topic,
            target=TARGET_SAMPLE_SIZE,
        )
    if read_learning_options(project) is None:
        set_learning_options(project, LearningOptions(sample.rel))
    return _store_target(project, replace(sample, searching=True))


def record_target_found(project: Project, topic: str, document: str) -> TargetSample:
    """Record that the search has found a sampled document."""
    sample = read_target_samples(project)[topic]
    return _store_target(project, replace(sample, again=(*sample.again, document)))


def _store_target(project: Project, sample: TargetSample) -> TargetSample:
    samples = {**read_target_samples(project), sample.topic: sample}
    project.set_setting(
        TARGET_SETTING,
        json.dumps(
            {topic: asdict(sample) for topic, sample in samples.items()}, ensure_ascii=False
        ),
    )
    return sample


def iter_target_claims(project: Project) -> Iterator[str]:
    """Yield, for each topic whose target search is complete, the recall claim and its basis."""
    for topic, status in compute_target_statuses(project).items():
        for sentence in status.sentences() if status.complete else ():
            yield Message("Topic {topic}: {sentence}", topic=topic, sentence=sentence)


# Recall claims from random samples of unjudged documents

MAX_SAMPLE_COUNT = 20


def draw_sample(
    project: Project,
    topic: str,
    count: int,
    *,
    rel: int,
    planned_samples: int = 1,
    clock: Callable[[], str] = utc_now,
) -> RandomSample:
    """Store a random sample of `count` unjudged documents, or of all if fewer are left.

    `planned_samples` is the planned number of samples for the topic. Only its value for the first
    sample is used. Raises IrjudgeError if the previous sample is not judged yet, if all planned
    samples have been taken, or if no unjudged documents are left.
    """
    samples = read_samples(project)
    earlier_samples, votes = samples.get(topic, ()), read_votes(project)
    if earlier_samples and not compute_sample_status(earlier_samples[-1], votes).complete:
        raise IrjudgeError(
            "The sample of topic {topic} has not been judged completely. Finish judging it first.",
            topic=topic,
        )
    if earlier_samples and len(earlier_samples) >= earlier_samples[-1].looks:
        raise IrjudgeError(
            "All {looks} planned looks for topic {topic} have been used; another look would "
            "invalidate the confidence level.",
            topic=topic,
            looks=earlier_samples[-1].looks,
        )
    if not 1 <= planned_samples <= MAX_SAMPLE_COUNT or count < 1:
        raise IrjudgeError(
            "A sample needs at least 1 document, and 1 to {limit} planned looks.",
            limit=MAX_SAMPLE_COUNT,
        )
    unjudged_documents = _shuffle_unjudged(project, votes, "sample", topic, len(earlier_samples))
    relevance = {
        pair: combine_votes([*grades.values()], None, rel)
        for pair, grades in votes.items()
        if pair[0] == topic
    }
    planned_count = earlier_samples[-1].looks if earlier_samples else planned_samples
    sample = RandomSample(
        topic,
        tuple(unjudged_documents[:count]),
        len(unjudged_documents),
        sum(is_relevant is True for is_relevant in relevance.values()),
        rel,
        planned_count,
        clock(),
    )
    stored_samples = {**samples, topic: (*earlier_samples, sample)}
    project.set_setting(
        SETTING,
        json.dumps(
            {
                name: [asdict(sample) for sample in samples]
                for name, samples in stored_samples.items()
            },
            ensure_ascii=False,
        ),
    )
    return sample


@dataclass(frozen=True, slots=True)
class SampleStatus:
    """Progress of judging a random sample, and a lower bound on recall when it is complete.

    The sample was drawn from the documents of a topic that were unjudged at that time.
    """

    sample: RandomSample
    judged: int  # number of judged documents in the sample, including unjudgeable ones
    relevant: int  # number of documents in the sample that were judged relevant
    # number of unjudgeable documents in the sample, to which the bound does not apply
    unjudgeable: int

    @property
    def complete(self) -> bool:
        """Whether all documents of the sample are judged."""
        return self.judged == len(self.sample.documents)

    @property
    def certificate(self) -> RecallCertificate | None:
        """Lower bound on recall; None until all documents of the sample are judged."""
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

    def sentences(self, *, include_warnings: bool = True) -> list[str]:
        """Return sentences with the bound on recall and its basis, or about the progress.

        The warning about a weak bound is included only with `include_warnings`.
        """
        certificate = self.certificate
        if certificate is None:
            return [
                Message(
                    "Judged: {count:,} of the {total:,} sampled documents.",
                    count=self.judged,
                    total=len(self.sample.documents),
                )
            ]
        messages = certificate.sentences()
        if certificate.weak and not include_warnings:
            messages.pop()
        if self.unjudgeable:
            messages.append(
                Message(
                    "Unjudgeable documents in the sample (not covered by the bound): {count:,}.",
                    count=self.unjudgeable,
                )
            )
        return messages


def compute_sample_status(
    sample: RandomSample, votes: Mapping[Pair, Mapping[str, int]]
) -> SampleStatus:
    """Return the status of a random sample, computed from the votes of all assessors."""
    votes_of_documents = [
        [*votes[pair].values()]
        for document in sample.documents
        if (pair := (sample.topic, document)) in votes
    ]
    relevance = [combine_votes(values, None, sample.rel) for values in votes_of_documents]
    return SampleStatus(
        sample,
        len(relevance),
        sum(is_relevant is True for is_relevant in relevance),
        sum(is_relevant is None for is_relevant in relevance),
    )


def compute_sample_statuses(project: Project, topic: str) -> tuple[SampleStatus, ...]:
    """Return the status of each random sample of a topic, oldest first."""
    votes = read_votes(project)
    return tuple(
        compute_sample_status(sample, votes) for sample in read_samples(project).get(topic, ())
    )


def iter_claims(project: Project) -> Iterator[str]:
    """Yield the recall claims of a project.

    The claims from the last completely judged sample of each topic come first, then the claims
    of the target method.
    """
    votes = read_votes(project)
    for topic, samples in read_samples(project).items():
        statuses = [compute_sample_status(sample, votes) for sample in samples]
        complete_statuses = [status for status in statuses if status.complete]
        for sentence in complete_statuses[-1].sentences() if complete_statuses else ():
            yield Message("Topic {topic}: {sentence}", topic=topic, sentence=sentence)
    yield from iter_target_claims(project)


# State of recall estimation, and expected cost of the target method


@dataclass(frozen=True, slots=True)
class RecallState:
    """Judgments and random samples of a project by topic, for estimates of recall.

    `rel` is the lowest relevant grade. `histories` contains relevance in the order of judging,
    `samples` the status of the random samples (oldest first). `shares` are about the sources of
    judged documents, over all topics; empty if all these documents are from the pool. Sampled
    documents were unjudged when the sample was drawn.
    """

    rel: int
    document_count: int  # number of documents that have a text
    histories: Mapping[str, RelevanceHistory]
    judged: Mapping[str, int]  # number of judged documents by topic, including unjudgeable ones
    samples: Mapping[str, tuple[SampleStatus, ...]]
    targets: Mapping[str, TargetStatus]  # status of each topic that uses the target method
    shares: tuple[SourceShare, ...]

    def relevant_count(self, topic: str) -> int:
        """Return the number of relevant documents of a topic."""
        history = self.histories.get(topic)
        return history.relevant_count if history else 0

    def count_unjudged(self, topic: str) -> int:
        """Return the number of unjudged documents of a topic."""
        return self.document_count - self.judged.get(topic, 0)

    def list_forecasts(self, topic: str, looks: int) -> tuple[SampleForecast, ...]:
        """Return a forecast for each of several sample sizes; empty if all documents are judged.

        `looks` is the planned number of looks at a sample.
        """
        unjudged_count = self.count_unjudged(topic)
        return (
            forecast_samples(self.relevant_count(topic), unjudged_count, looks=looks)
            if unjudged_count
            else ()
        )


def read_recall_state(project: Project, rel: int) -> RecallState:
    """Read the judgments and samples of a project; `rel` is the lowest relevant grade."""
    votes, relevance = read_votes(project), read_relevance(project, rel)
    return RecallState(
        rel,
        project.collection.document_count(),
        list_relevance_histories(project, rel),
        Counter(topic for topic, _ in votes),
        {
            topic: tuple(compute_sample_status(sample, votes) for sample in samples_of_topic)
            for topic, samples_of_topic in read_samples(project).items()
        },
        compute_target_statuses(project),
        compute_source_shares(
            project,
            {pair: int(relevant) for pair, relevant in relevance.items() if relevant is not None},
        ),
    )


def assume_remaining(relevant_count: int) -> int:
    """Return the assumed number of relevant documents that are not judged yet.

    It is a quarter of the known relevant documents, but at least `TARGET_SAMPLE_SIZE`.
    """
    return max(relevant_count // 4, TARGET_SAMPLE_SIZE)


def expected_sample_size(relevant_count: int, unjudged_count: int) -> float | None:
    """Return the expected number of judgments of the target method for a topic.

    Return None if all unjudged documents would have to be judged.
    """
    cost = (
        expected_target_cost(unjudged_count, assume_remaining(relevant_count))
        if unjudged_count
        else None
    )
    return cost if cost is not None and cost < unjudged_count else None

"""Claims of how much was found: samples drawn at random from what nobody judged, kept in the project, and what they say once judged."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass

from irjudge.errors import IrjudgeError
from irjudge.judging.finding.learning import known_votes, relevance
from irjudge.judging.finding.samples import FACT, RandomSample, samples_of
from irjudge.judging.finding.sources import Pair
from irjudge.judging.finding.target import target_claims
from irjudge.judging.recorder import utc_now
from irjudge.message import Message
from irjudge.stats.recall_certificate import LEVEL, RecallCertificate
from irjudge.stats.seeded_random import SeededDraw
from irjudge.store.project import Project

MOST_LOOKS = 20


def draw_sample(
    project: Project,
    topic: str,
    count: int,
    *,
    rel: int,
    looks: int = 1,
    clock: Callable[[], str] = utc_now,
) -> RandomSample:
    """Draw `count` documents of a topic, all where fewer are left, from all that nobody judged, and keep that.

    `looks` is how many samples will be looked at in all, said before the first is drawn; later ones keep what was said then. IrjudgeError
    when the sample before is not judged yet, all that were planned are drawn, or there is nothing to draw from.
    """
    drawn = samples_of(project)
    before, votes = drawn.get(topic, ()), known_votes(project)
    if before and not standing_of_sample(before[-1], votes).complete:
        raise IrjudgeError(
            "The sample of topic {topic} is not judged yet; judge it first.", topic=topic
        )
    if before and len(before) >= before[-1].looks:
        raise IrjudgeError(
            "Topic {topic} had all of the {looks} looks that were planned; one more would claim too much.",
            topic=topic,
            looks=before[-1].looks,
        )
    if not 1 <= looks <= MOST_LOOKS or count < 1:
        raise IrjudgeError(
            "A sample takes 1 document or more, and 1 to {most} looks.", most=MOST_LOOKS
        )
    rest = [id for id, _ in project.collection.content() if (topic, id) not in votes]
    if not rest:
        raise IrjudgeError(
            "Every document was judged for topic {topic}: nothing can be missing.", topic=topic
        )
    chosen = SeededDraw(project.seed).shuffled(rest, "sample", topic, str(len(before)))[:count]
    known = {
        pair: relevance([*said.values()], None, rel)
        for pair, said in votes.items()
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
    kept = {**drawn, topic: (*before, sample)}
    project.set_fact(
        FACT,
        json.dumps(
            {name: [asdict(each) for each in samples] for name, samples in kept.items()},
            ensure_ascii=False,
        ),
    )
    return sample


@dataclass(frozen=True, slots=True)
class SampleStanding:
    """How far a sample is judged, and what it says once all of it is."""

    sample: RandomSample
    judged: int
    relevant: int
    unjudgeable: int  # of those judged; no claim speaks of them

    @property
    def complete(self) -> bool:
        """Whether all of it is judged."""
        return self.judged == len(self.sample.documents)

    @property
    def certificate(self) -> RecallCertificate | None:
        """What it says; None until all of it is judged: a part that was chosen would be no sample."""
        if not self.complete:
            return None
        sample = self.sample
        return RecallCertificate(
            sample.found, sample.rest, len(sample.documents), self.relevant, sample.looks, LEVEL
        )

    def sentences(self, *, warned: bool = True) -> list[str]:
        """Return the claim with its sample, and what it leaves out; without `warned` not that it is weak, where that is said apart."""
        certificate = self.certificate
        if certificate is None:
            return [
                Message(
                    "Of the sample {judged:,} of {drawn:,} are judged.",
                    judged=self.judged,
                    drawn=len(self.sample.documents),
                )
            ]
        said = certificate.sentences()
        if certificate.weak and not warned:
            said.pop()
        if self.unjudgeable:
            said.append(
                Message(
                    "{count:,} of the sample cannot be judged; the claim does not speak of such.",
                    count=self.unjudgeable,
                )
            )
        return said


def standing_of_sample(
    sample: RandomSample, votes: Mapping[Pair, Mapping[str, int]]
) -> SampleStanding:
    """Return how far a sample is judged by the votes of everybody."""
    said = [
        [*votes[pair].values()]
        for document in sample.documents
        if (pair := (sample.topic, document)) in votes
    ]
    known = [relevance(values, None, sample.rel) for values in said]
    return SampleStanding(
        sample, len(known), sum(each is True for each in known), sum(each is None for each in known)
    )


def standings_of(project: Project, topic: str) -> tuple[SampleStanding, ...]:
    """Return how the samples of a topic stand, the first one first."""
    votes = known_votes(project)
    return tuple(standing_of_sample(sample, votes) for sample in samples_of(project).get(topic, ()))


def claims_of(project: Project) -> Iterator[str]:
    """Yield for each topic that had a sample what the last one that is judged claims, and on what; then what the target way does."""
    for topic in samples_of(project):
        complete = [each for each in standings_of(project, topic) if each.complete]
        for sentence in complete[-1].sentences() if complete else ():
            yield Message("Topic {topic}: {sentence}", topic=topic, sentence=sentence)
    yield from target_claims(project)

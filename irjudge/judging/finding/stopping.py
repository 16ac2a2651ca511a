"""What can be said of the end of a search: the curve of finds over effort, hints in words, and claims that rest on a random sample."""

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from irjudge.judging.finding.learning import known_relevance
from irjudge.judging.finding.sources import Pair
from irjudge.judging.ledger import grades_in_force, ledger_of
from irjudge.message import Message
from irjudge.store.project import Project

QUARTERS = 4
LEAST_JUDGED, LEAST_FOUND = 20, 5  # fewer say nothing of how finds go on
ENDED, GOING_ON = (
    0.1,
    1.0,
)  # of what was found, what may be left: less is an end, more is not half of it
HALF = 0.5
STEEPEST, FLATTEST = 156, 6  # of the rule of the knee
DRY = 30  # documents in a row without a find: worth a word


# How finds went on


@dataclass(frozen=True, slots=True)
class TopicFinds:
    """Whether each judged document of a topic is relevant, in the order in which they were judged first."""

    topic: str
    documents: tuple[str, ...]
    relevant: tuple[bool, ...]

    @property
    def found(self) -> int:
        """How many are relevant."""
        return sum(self.relevant)

    @property
    def curve(self) -> list[int]:
        """How many were relevant after each judgment."""
        return list(accumulate(map(int, self.relevant)))

    @property
    def dry(self) -> int:
        """How many of the last ones in a row were not relevant."""
        return next(
            (place for place, each in enumerate(reversed(self.relevant)) if each),
            len(self.relevant),
        )


def finds_of(project: Project, rel: int) -> dict[str, TopicFinds]:
    """Return how finds went on in each topic that has a judgment, whoever judged; what cannot be judged is left out."""
    known = known_relevance(project, rel)
    order: dict[Pair, str] = {}
    for name in project.events.assessors():
        for event in grades_in_force(project, name):
            pair = event.item.topic, event.item.documents[0]
            judged = ledger_of(project, name).history(event.item.key)[0].judged_at
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


class Outlooks(Enum):
    """What the decay of finds says of those that may come."""

    LITTLE = Message("Too little is judged to say how finds go on.")
    NONE = Message("Nothing relevant was found.")
    ENDED = Message("Finds have almost ended.")
    SOME = Message("Some more may come, probably fewer than were found.")
    AS_MANY = Message("Probably about as many again.")
    OPEN = Message("Finds go on: nothing says how many are left.")


def outlook_of(finds: TopicFinds) -> Outlooks:
    """Return what the finds in the last quarter of the judgments, and in the one before it, say of those that may come.

    If finds go on to fall as they fell from one quarter to the next, so many are left: a sum of a geometric series. On public collections
    this was between .58 and 1.83 times the truth for half of the topics: a hint, and never a number.
    """
    count = len(finds.relevant)
    if count < LEAST_JUDGED:
        return Outlooks.LITTLE
    if not finds.found:
        return Outlooks.NONE
    quarter = count // QUARTERS
    last, before = (
        sum(finds.relevant[count - quarter :]),
        sum(finds.relevant[count - 2 * quarter : count - quarter]),
    )
    if last and last >= before:
        return Outlooks.OPEN
    left = last * last / (before - last) if last else 0.0  # last · r / (1 − r), r = last / before
    if finds.found < LEAST_FOUND and last:
        return Outlooks.LITTLE
    share = left / finds.found
    if share < ENDED:
        return Outlooks.ENDED
    return (
        Outlooks.SOME if share < HALF else Outlooks.AS_MANY if share <= GOING_ON else Outlooks.OPEN
    )


def past_knee(finds: TopicFinds) -> bool:
    """Tell whether the curve of finds has a knee behind which it is much flatter.

    References
    ----------
    Cormack and Grossman (2016), Engineering quality and reliability in technology-assisted review, SIGIR: the knee is where the curve is
    farthest from the straight line between its ends, and the slopes before and behind it must differ by 156 less what was found, and
    by 6 at least.
    """
    curve = [0, *finds.curve]
    count, found = len(curve) - 1, curve[-1]
    if not found:
        return False
    knee = max(range(1, count + 1), key=lambda rank: curve[rank] * count - found * rank)
    if knee >= count:
        return False
    before, behind = curve[knee] / knee, (1 + found - curve[knee]) / (count - knee)
    return before / behind >= max(STEEPEST - min(curve[knee], STEEPEST - FLATTEST), FLATTEST)


def hints_of(finds: TopicFinds | None) -> tuple[Message, ...]:
    """Return in words what may be made of the finds so far; none of it is a claim."""
    if finds is None:
        return ()
    said = [Message(outlook_of(finds).value)]
    if finds.dry >= DRY:
        said.append(Message("The last {count} documents brought none.", key="dry", count=finds.dry))
    if past_knee(finds):
        said.append(Message("The curve has a knee: behind it finds are much rarer.", key="knee"))
    return tuple(said)

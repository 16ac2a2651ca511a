"""Work on several copies of one file: how many branches a log has, and where they say different things."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from irjudge.counting import counted
from irjudge.judging.ledger import Ledger
from irjudge.message import Message
from irjudge.model.event import Event, Item, Key

MOST_BRANCHES = 20  # that are compared with each other
MOST_NAMED = 5


def fork_sentence(assessor: str, events: Sequence[Event], files: int) -> str | None:
    """Return a sentence when a log has branches: copies of one of its `files` that were worked on separately."""
    children = Counter(event.parent for event in events)
    branches = sum(number - 1 for parent, number in children.items() if parent is not None)
    branches += max(0, children[None] - max(1, files))
    if not branches:
        return None
    return Message(
        "{assessor} worked on {branches} copies separately. All of it is kept; the later judgment of a document counts.",
        assessor=assessor,
        branches=branches + 1,
    )


def disagreement_sentence(assessor: str, events: Sequence[Event]) -> str | None:
    """Return a sentence that names what an assessor judged differently in one branch than in another."""
    found = disagreements(events)
    if not found:
        return None
    named = "; ".join(f"{item.topic} {' '.join(item.documents[:2])}: {' and '.join(said)}" for item, said in found[:MOST_NAMED])
    more = Message("; and {found:,} more", found=len(found) - MOST_NAMED) if len(found) > MOST_NAMED else ""
    return Message(
        "{assessor} judged {found} differently in two copies: {named}{more}.",
        assessor=assessor,
        found=counted(len(found), "item"),
        named=named,
        more=more,
    )


def disagreements(events: Sequence[Event]) -> list[tuple[Item, list[str]]]:
    """Return what was judged differently in branches of one log, with what was said, in the order of the log.

    Where one branch knew the judgment of the other and changed it, there is no disagreement.
    """
    by_digest, parents = {event.digest: event for event in events}, {event.parent for event in events}
    leaves = [event for event in events if event.digest not in parents][:MOST_BRANCHES]
    if len(leaves) < 2:
        return []
    branches = [_branch(leaf, by_digest) for leaf in leaves]
    standing: dict[Key, list[tuple[Event, int]]] = defaultdict(list)
    for place, branch in enumerate(branches):
        for event in Ledger(branch.values()).judgments():
            standing[event.item.key].append((event, place))
    found = []
    for judgments in standing.values():
        last = [event for event, _ in judgments if not any(_knew(event, other, branches[place]) for other, place in judgments)]
        said = list(dict.fromkeys(_said(event) for event in last))
        if len(said) > 1:
            found.append((last[0].item, said))
    return found


def _branch(leaf: Event, by_digest: Mapping[str, Event]) -> dict[str, Event]:
    """Return the events up to the end of a branch, by digest, in their order."""
    chain: list[Event] = []
    event: Event | None = leaf
    while event is not None:
        chain.append(event)
        event = by_digest.get(event.parent or "")
    return {event.digest: event for event in reversed(chain)}


def _knew(event: Event, other: Event, branch: Mapping[str, Event]) -> bool:
    """Tell whether the branch in which another judgment stands had this one before."""
    return other.digest != event.digest and event.digest in branch


def _said(event: Event) -> str:
    if event.kind == "unjudgeable":
        return Message("cannot be judged ({payload})", payload=event.payload.get("reason"))
    return str(event.payload.get("value" if event.kind == "grade" else "winner"))

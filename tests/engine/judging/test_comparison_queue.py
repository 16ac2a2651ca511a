"""Tests of the next comparison: in the order assigned, or the most informative pair."""

from irjudge.judging import Ledger, list_comparison_items
from irjudge.judging.preferences import ComparisonItem, ComparisonQueue
from irjudge.model import (
    AssignedItem,
    ComparisonRules,
    Event,
    Item,
    ItemKey,
    preference_payload,
)

PAIRS = [AssignedItem(topic, ((a,), (b,)), "pair") for topic in "XY" for a, b in ("ab", "ca", "bc")]


def make_ledger(queue: ComparisonQueue, *answers: tuple[int, str]) -> Ledger:
    """Return a ledger in which some presentations, by index, have an answer."""
    ledger = Ledger()
    for position, winner in answers:
        showing = queue.all[position]
        item = Item(showing.topic, showing.documents, ("", ""), showing.type, showing.occurrence)
        kind = "skip" if winner == "skip" else "preference"
        payload = {} if winner == "skip" else preference_payload(winner)  # type: ignore[arg-type]
        ledger.apply(Event("ann", kind, item, "", payload, None, ledger.head))
        queue.forget(showing.topic)
    return ledger


def describe_item(item: ComparisonItem | None) -> str:
    return "" if item is None else item.topic + "".join(item.documents)


def test_other_items_are_left_out_and_repeats_are_counted() -> None:
    items = [
        AssignedItem("X", (("a",),)),
        *PAIRS[:1],
        AssignedItem("X", (("b",), ("a",)), "pair"),
        *PAIRS[:1],
    ]
    assert [(describe_item(each), each.occurrence) for each in list_comparison_items(items)] == [
        ("Xab", 1),
        ("Xba", 1),
        ("Xab", 2),
    ]


def test_open_comparisons_follow_in_order_and_skipped_ones_on_request() -> None:
    queue = ComparisonQueue(list_comparison_items(PAIRS))
    ledger = make_ledger(queue, (1, "left"), (4, "skip"))
    assert describe_item(queue.find_next(ledger, queue.all[0])) == "Xbc"
    assert describe_item(queue.find_next(ledger, queue.all[3])) == "Ybc"
    assert describe_item(queue.find_next(ledger, queue.all[5])) == "Xab"
    assert describe_item(queue.find_next(ledger, queue.all[3], include_skipped=True)) == "Yca"
    assert (
        queue.count_judged(ledger),
        queue.size(ledger),
        queue.count_judged(ledger, "X"),
        queue.size(ledger, "nothing"),
    ) == (1, 6, 1, 0)


def test_a_tournament_stops_when_the_best_is_known() -> None:
    queue = ComparisonQueue(list_comparison_items(PAIRS[:3], ComparisonRules(top=1)))
    first = queue.find_next(Ledger(), None)
    assert first is not None and queue.size(Ledger()) == 2
    both = [index for index, each in enumerate(queue.all) if "a" in each.documents]
    winners = [(item, "left" if queue.all[item].left == ("a",) else "right") for item in both]
    ledger = make_ledger(queue, *winners)
    assert queue.find_next(ledger, None) is None and queue.size(ledger) == 2
    ties = ComparisonQueue(list_comparison_items(PAIRS[:3], ComparisonRules(top=1)))
    assert ties.find_next(make_ledger(ties, (0, "tie"), (1, "tie")), None) is not None, (
        "a = b and a = c say nothing of b and c"
    )


def test_panels_and_a_search_for_the_best_documents_have_their_own_rules() -> None:
    panels = [AssignedItem("X", (("a",), ("c",)), "panel", ("1", "2"))] * 2
    searched = list_comparison_items(PAIRS[:3], ComparisonRules(top=1))
    queue = ComparisonQueue([*list_comparison_items(panels), *searched])
    assert queue.size(Ledger()) == 2 + 2
    ledger = make_ledger(queue, (0, "left"))
    assert queue.find_next(ledger, queue.all[0]) == queue.all[1]
    assert (queue.count_judged(ledger), queue.size(ledger)) == (1, 4)
    skipped = make_ledger(queue, (0, "left"), (1, "skip"))
    question = queue.find_next(skipped, queue.all[1])
    assert question is not None and question.type == "pair"
    assert queue.find_next(skipped, None, include_skipped=True) == queue.all[1]
    winners = [
        (index, "left" if each.left == ("a",) else "right")
        for index, each in enumerate(queue.all)
        if each.type == "pair" and "a" in each.documents
    ]
    judged = make_ledger(queue, (0, "left"), (1, "tie"), *winners)
    assert queue.find_next(judged, None, include_skipped=True) is None
    assert (queue.count_judged(judged), queue.size(judged)) == (4, 4)


def test_an_event_matches_its_presentation_by_type_too() -> None:
    queue = ComparisonQueue(list_comparison_items(PAIRS))
    item = Item("X", ("a", "b"), ("", ""), "pair")
    assert queue.find_item(Event("ann", "skip", item, "")) == queue.all[0]
    assert (
        queue.find_item(Event("ann", "skip", Item("X", ("a", "b"), ("", ""), "panel"), "")) is None
    )


def test_after_an_answer_only_the_items_of_its_topic_are_read() -> None:
    """All pairs of all topics were read several times after each answer."""
    pairs = [
        AssignedItem(str(topic), ((f"d{a}",), (f"d{b}",)), "pair")
        for topic in range(20)
        for b in range(8)
        for a in range(b)
    ]

    class CountingLedger(Ledger):
        reads = 0

        def judgment(self, key: ItemKey) -> Event | None:
            self.reads += 1
            return super().judgment(key)

    queue = ComparisonQueue(list_comparison_items(pairs, ComparisonRules(top=1)))
    ledger = CountingLedger()
    size, first = queue.size(ledger), queue.find_next(ledger, None)
    assert first is not None and size == 20 * 7
    ledger.reads = 0
    queue.forget(first.topic)
    assert queue.find_next(ledger, first) == first and queue.size(ledger) == size
    assert ledger.reads <= 2 * 28, "28 pairs of one topic"

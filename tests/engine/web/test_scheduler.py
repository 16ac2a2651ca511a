"""Tests of dispatch: overlap never exceeded, no pair twice, late judgments listed."""

from collections import Counter
from random import Random

import pytest

from irjudge.errors import IrjudgeError
from irjudge.web import Order, SchedulingOptions
from irjudge.web.scheduler import Lease, Scheduler
from tests.lengths import short_or_long

POOL = {"a": [f"a{place}" for place in range(6)], "b": [f"b{place}" for place in range(4)]}
LEASE = 60.0


def judge_all(
    dispatch: Scheduler, person: str, now: float = 0.0, limit: int = 10**6
) -> list[Lease]:
    """Let a participant judge their items one after another."""
    done = []
    while len(done) < limit:
        given = dispatch.claim(person, now)
        if not given.leases:
            break
        for lease in given.leases:
            dispatch.record_judgment(lease)
            dispatch.withdraw_leases(lease.pair)
            done.append(lease)
    return done


def test_one_participant_judges_every_pair_once_topic_by_topic() -> None:
    done = judge_all(Scheduler(SchedulingOptions(), POOL, seed=1), "ann")
    assert sorted(lease.pair for lease in done) == sorted(
        (topic, document) for topic in POOL for document in POOL[topic]
    )
    assert [lease.pair[0] for lease in done] == ["a"] * 6 + ["b"] * 4


def test_a_document_listed_twice_in_a_pool_is_one_item() -> None:
    dispatch = Scheduler(SchedulingOptions(overlap=1), {"a": ["x", "y", "x"]}, seed=1)
    dispatch.extend({"a": ["z", "z"]})
    judge_all(dispatch, "ann")
    assert dispatch.progress() == {"a": (3, 3)} and dispatch.is_done


def test_the_order_reveals_nothing_of_the_pool_and_is_reproducible() -> None:
    backwards = {topic: documents[::-1] for topic, documents in POOL.items()}
    orders = [
        [lease.pair for lease in judge_all(Scheduler(SchedulingOptions(), pool, seed=7), "ann")]
        for pool in (POOL, backwards)
    ]
    assert (
        orders[0]
        == orders[1]
        != [lease.pair for lease in judge_all(Scheduler(SchedulingOptions(), POOL, seed=8), "ann")]
    )


def test_on_request_the_order_of_the_pool_is_used_across_topics() -> None:
    pool = {"a": ["x"], "b": ["y"]}
    dispatch = Scheduler(SchedulingOptions(order="pool"), pool, seed=1)
    dispatch.extend({"a": ["z"]})
    assert [lease.pair for lease in judge_all(dispatch, "ann")] == [
        ("a", "x"),
        ("b", "y"),
        ("a", "z"),
    ]
    shown = judge_all(Scheduler(SchedulingOptions(order="pool"), POOL, seed=1), "ann")
    assert [lease.pair for lease in shown] == [
        (topic, document) for topic in POOL for document in POOL[topic]
    ]


def test_the_most_decisive_come_first_across_topics_and_the_rest_at_random() -> None:
    dispatch = Scheduler(SchedulingOptions(order="decisive"), POOL, seed=1)
    first = [("b", "b2"), ("a", "a5"), ("x", "unknown"), ("b", "b0")]
    dispatch.prefer(first)
    (begun,) = judge_all(dispatch, "ann", limit=1)
    dispatch.prefer([("a", "a1"), *first])
    shown = [begun, *judge_all(dispatch, "ann")]
    assert [lease.pair for lease in shown[:4]] == [
        ("b", "b2"),
        ("a", "a1"),
        ("a", "a5"),
        ("b", "b0"),
    ]
    assert len({lease.pair for lease in shown}) == 10 and dispatch.is_done


@pytest.mark.parametrize("order", ["pool", "mixed", "drawn"])
def test_decisiveness_affects_no_other_order(order: Order) -> None:
    notified, unnotified = (
        Scheduler(SchedulingOptions(order=order, share_last=False), POOL, seed=1) for _ in range(2)
    )
    notified.prefer([("b", "b3"), ("a", "a4"), ("b", "b1")])
    assert [lease.pair for lease in judge_all(notified, "ann")] == [
        lease.pair for lease in judge_all(unnotified, "ann")
    ]


def test_before_decisiveness_is_known_the_order_is_random() -> None:
    orders = [
        [
            lease.pair
            for lease in judge_all(Scheduler(SchedulingOptions(order=order), POOL, seed=7), "ann")
        ]
        for order in ("decisive", "mixed")
    ]
    assert orders[0] == orders[1]


def test_gold_outside_the_pool_fills_no_overlap_though_it_is_decisive() -> None:
    dispatch = Scheduler(
        SchedulingOptions(order="decisive", gold_every=2), POOL, seed=1, gold={"a": ["g"]}
    )
    dispatch.prefer([("a", "g"), ("a", "a1")])
    assert ("a", "g") in [lease.pair for lease in judge_all(dispatch, "ann") if not lease.votes]
    assert dispatch.count_judgments(("a", "g")) == 0 and dispatch.is_done


def test_a_mixed_order_alternates_topics_and_reveals_nothing_of_the_pool() -> None:
    backwards = {topic: documents[::-1] for topic, documents in POOL.items()}
    orders = [
        [
            lease.pair
            for lease in judge_all(Scheduler(SchedulingOptions(order="mixed"), pool, seed=7), "ann")
        ]
        for pool in (POOL, backwards)
    ]
    changes = sum(one[0] != other[0] for one, other in zip(orders[0], orders[0][1:], strict=False))
    assert orders[0] == orders[1] and changes > 1


def test_pairs_with_most_missing_judgments_come_first() -> None:
    dispatch = Scheduler(SchedulingOptions(overlap=2), {"a": ["x", "y"]}, seed=1)
    (first,) = dispatch.claim("ann", 0).leases
    (second,) = dispatch.claim("bob", 0).leases
    assert first.pair != second.pair


def test_two_participants_have_different_pairs_until_the_overlap_needs_both() -> None:
    dispatch = Scheduler(SchedulingOptions(share_last=False), {"a": ["x"]}, seed=1)
    assert dispatch.claim("ann", 0).leases and not dispatch.claim("bob", 0).leases


def test_a_pair_is_free_when_its_lease_ends_and_a_later_judgment_is_late() -> None:
    dispatch = Scheduler(SchedulingOptions(share_last=False), {"a": ["x"]}, seed=1)
    (held,) = dispatch.claim("ann", 0).leases
    assert not dispatch.claim("bob", LEASE).leases
    taken = dispatch.claim("bob", LEASE + 1)
    assert taken.lost == [held] and held.state == "lost"
    assert dispatch.record_judgment(held) == "late" and dispatch.list_late() == [held]
    assert (
        dispatch.record_judgment(taken.leases[0]) == "counted"
        and dispatch.count_judgments(("a", "x")) == 1
    )


def test_a_heartbeat_keeps_the_lease() -> None:
    dispatch = Scheduler(SchedulingOptions(share_last=False), {"a": ["x"]}, seed=1)
    dispatch.claim("ann", 0)
    dispatch.record_heartbeat("ann", LEASE)
    assert not dispatch.claim("bob", 2 * LEASE).leases


def test_a_judgment_after_the_lease_counts_if_the_pair_was_not_reassigned() -> None:
    dispatch = Scheduler(SchedulingOptions(), {"a": ["x"]}, seed=1)
    (held,) = dispatch.claim("ann", 0).leases
    assert dispatch.record_judgment(held) == "counted"


def test_undo_renews_the_lease_and_redo_counts_while_there_is_room() -> None:
    dispatch = Scheduler(SchedulingOptions(share_last=False), {"a": ["x"]}, seed=1)
    (held,) = dispatch.claim("ann", 0).leases
    dispatch.record_judgment(held)
    dispatch.record_undo(held, 100)
    assert (
        dispatch.count_judgments(held.pair) == 0 and not dispatch.claim("bob", 100 + LEASE).leases
    )
    (other,) = dispatch.claim("bob", 101 + LEASE).leases
    dispatch.record_judgment(other)
    assert dispatch.record_judgment(held) == "late"


def test_at_the_end_waiting_participants_share_leased_pairs_and_the_first_counts() -> None:
    dispatch = Scheduler(SchedulingOptions(), {"a": ["x"]}, seed=1)
    (slow,) = dispatch.claim("ann", 0).leases
    (fast,) = dispatch.claim("bob", 0).leases
    assert dispatch.record_judgment(fast) == "counted" and dispatch.withdraw_leases(fast.pair) == [
        slow
    ]
    assert dispatch.record_judgment(slow) == "late" and dispatch.is_done


def test_a_participant_gets_a_lost_pair_back_if_it_was_not_reassigned() -> None:
    dispatch = Scheduler(SchedulingOptions(), {"a": ["x"]}, seed=1)
    (held,) = dispatch.claim("ann", 0).leases
    assert dispatch.release([held]) == [held]
    assert dispatch.claim("ann", 0).leases == [held] and dispatch.record_judgment(held) == "counted"


def test_the_organiser_can_accept_a_late_judgment_and_nothing_else() -> None:
    dispatch = Scheduler(SchedulingOptions(), {"a": ["x"]}, seed=1)
    (slow,), (fast,) = dispatch.claim("ann", 0).leases, dispatch.claim("bob", 0).leases
    dispatch.record_judgment(fast)
    dispatch.record_judgment(slow)
    assert (
        not dispatch.accept_late(fast) and dispatch.accept_late(slow) and not dispatch.list_late()
    )
    assert dispatch.count_judgments(slow.pair) == 2


def test_judgments_of_an_excluded_participant_are_replaced_by_others() -> None:
    dispatch = Scheduler(SchedulingOptions(), {"a": ["x", "y"]}, seed=1)
    (lease,) = judge_all(dispatch, "ann", limit=1)
    (held,) = dispatch.claim("ann", 0).leases
    assert dispatch.exclude_participant("ann") == [held] and not dispatch.claim("ann", 0).leases
    assert {each.pair for each in judge_all(dispatch, "bob")} == {("a", "x"), ("a", "y")}
    assert (
        dispatch.readmit_participant("ann") == [lease]
        and lease.state == "late"
        and dispatch.count_judgments(lease.pair) == 1
    )


def test_documents_of_later_runs_are_added_and_withdrawn_pairs_no_longer_assigned() -> None:
    dispatch = Scheduler(SchedulingOptions(), {"a": ["x", "y"]}, seed=1)
    (held,) = dispatch.claim("ann", 0).leases
    assert dispatch.withdraw([held.pair]) == [held]
    dispatch.extend({"a": ["x", "y", "z"], "c": ["w"]})
    done = {lease.pair for lease in judge_all(dispatch, "bob")}
    assert (
        done == {("a", "x"), ("a", "y"), ("a", "z"), ("c", "w")} - {held.pair} and dispatch.is_done
    )
    assert dispatch.progress() == {"a": (2, 2), "c": (1, 1)}


def test_a_judgment_of_a_withdrawn_pair_is_late() -> None:
    dispatch = Scheduler(SchedulingOptions(overlap=2), {"a": ["x", "y"]}, seed=1)
    done, held = dispatch.claim("ann", 0, 2).leases
    assert dispatch.record_judgment(done) == "counted" and dispatch.progress() == {"a": (1, 4)}
    dispatch.withdraw([done.pair, held.pair])
    assert (
        dispatch.record_judgment(held) == "late"
        and dispatch.count_judgments(held.pair) == 0
        and dispatch.list_late() == [held]
    )
    assert dispatch.count_judgments(done.pair) == 1 and dispatch.progress() == {"a": (0, 0)}
    dispatch.record_undo(done, 0)
    assert dispatch.count_judgments(done.pair) == 0 and dispatch.progress() == {"a": (0, 0)}


def test_a_topic_starts_with_its_calibration_for_every_participant() -> None:
    dispatch = Scheduler(SchedulingOptions(overlap=2), POOL, seed=1, calibration={"a": ["a0", "k"]})
    for person in ("ann", "bob"):
        shown = judge_all(dispatch, person)
        first = next(lease for lease, each in enumerate(shown) if each.pair[0] == "a")
        assert {each.pair[1] for each in shown[first : first + 2]} == {"a0", "k"}
        assert [each.role for each in shown].count("calibration") == 2


def test_leased_pairs_are_shared_by_need_and_then_by_decisiveness() -> None:
    dispatch = Scheduler(
        SchedulingOptions(order="decisive", lease=LEASE), {"a": list("uvwxyz")}, seed=1
    )
    held = [dispatch.claim(str(number), 0.0).leases[0].pair for number in range(6)]
    dispatch.prefer(held[::-1])
    shared = [dispatch.claim(person, 1.0).leases[0].pair for person in ("ann", "bob")]
    assert shared == [held[5], held[4]]  # then two participants have what ann has
    dispatch = Scheduler(
        SchedulingOptions(order="decisive", lease=LEASE), {"a": list("uvwxyz")}, seed=1
    )
    held = [dispatch.claim(str(number), 0.0).leases[0].pair for number in range(6)]
    dispatch.prefer(held[::-1])
    given = [dispatch.claim(person, LEASE + 1) for person in ("ann", "bob")]
    assert (
        [each.leases[0].pair for each in given]
        == [each.lost[0].pair for each in given]
        == [held[5], held[4]]
    )


def test_gold_and_repeats_are_at_random_positions() -> None:
    pool = {"a": [f"a{lease}" for lease in range(40)]}
    gold = {"a": [f"g{lease}" for lease in range(10)], "elsewhere": ["e"]}
    shown = judge_all(
        Scheduler(SchedulingOptions(gold_every=5, repeats_every=8), pool, seed=3, gold=gold), "ann"
    )
    roles = Counter(lease.role for lease in shown)
    assert roles["document"] == 40 and 8 <= roles["gold"] <= 10 and 4 <= roles["repeat"] <= 7
    first = {lease.pair: number for number, lease in reversed(list(enumerate(shown)))}
    assert all(
        number - first[lease.pair] >= 4
        for number, lease in enumerate(shown)
        if lease.role == "repeat"
    )
    assert len({(lease.pair, lease.occurrence) for lease in shown}) == len(shown)


def test_gold_is_of_the_current_topic_if_possible_and_first_from_outside_the_pool() -> None:
    pool = {topic: [f"{topic}{lease}" for lease in range(20)] for topic in "ab"}
    gold = {
        topic: [f"{topic}0", f"{topic}1", *(f"{topic}g{lease}" for lease in range(3))]
        for topic in "ab"
    }
    for seed in range(5):
        shown = judge_all(
            Scheduler(SchedulingOptions(gold_every=4), pool, seed=seed, gold=gold), "ann"
        )
        at = shown[0].pair[0]
        asked = [lease.pair for lease in shown if lease.role == "gold"]
        assert set(asked[:3]) == {(at, f"{at}g{lease}") for lease in range(3)}


def test_all_participants_start_with_the_same_gold_which_fills_no_overlap() -> None:
    gold = {"a": ["g1", "g2", "g3", "a0"], "elsewhere": ["e"]}
    dispatch = Scheduler(SchedulingOptions(overlap=2, qualification=3), POOL, seed=3, gold=gold)
    shown = {person: judge_all(dispatch, person) for person in ("ann", "bob", "cleo")}
    first = {tuple(lease.pair for lease in mine[:3]) for mine in shown.values()}
    assert len(first) == 1 and {document for _, document in next(iter(first))} == {"g1", "g2", "g3"}
    assert all(
        [lease.role for lease in mine[:3]] == ["qualification"] * 3 for mine in shown.values()
    )
    assert (
        all(lease.role == "document" for mine in shown.values() for lease in mine[3:])
        and dispatch.is_done
    )
    assert {lease.state for mine in shown.values() for lease in mine} == {"counted"}


def test_initial_gold_from_the_pool_is_limited_by_the_overlap() -> None:
    dispatch = Scheduler(SchedulingOptions(qualification=2), POOL, seed=3, gold={"a": ["a0", "a1"]})
    for person in ("ann", "bob"):
        judge_all(dispatch, person)
    assert (
        dispatch.is_done
        and not dispatch.list_late()
        and max(dispatch.count_judgments(("a", each)) for each in POOL["a"]) == 1
    )


@pytest.mark.parametrize(
    "invalid",
    [
        {"qualification": -1},
        {"overlap": 0},
        {"lease": 0.0},
        {"gold_every": 1},
        {"repeats_every": -1},
    ],
)
def test_impossible_options_are_refused(invalid: dict[str, float]) -> None:
    with pytest.raises(IrjudgeError):
        SchedulingOptions(**invalid)  # type: ignore[arg-type]


class RandomClass:
    """Participants who act at random, and the invariants checked after each action."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.terms = SchedulingOptions(
            overlap=self.random.randint(1, 3),
            gold_every=self.random.choice((0, 3)),
            repeats_every=self.random.choice((0, 4)),
            qualification=self.random.choice((0, 0, 2)),
            order=self.random.choice(("drawn", "pool", "mixed", "decisive")),
            share_last=self.random.random() < 0.7,
        )
        self.gold = {"a": ["a0", "g1", "g2"]}
        self.opening = {"b": ["b0", "k"]} if self.random.random() < 0.5 else {}
        self.now, self.taken = 0.0, Counter[tuple[str, str]]()
        self.people = [f"p{number}" for number in range(self.random.randint(1, 6))]
        self.same = {name: "p0" for name in self.people[1:] if self.random.random() < 0.25}
        self.scheduler = self.made()
        self.aside: set[str] = set()

    def made(self) -> Scheduler:
        return Scheduler(
            self.terms, POOL, seed=5, gold=self.gold, calibration=self.opening, main_ids=self.same
        )

    def step(self) -> None:
        dispatch, person = self.scheduler, self.random.choice(self.people)
        self.now += self.random.choice((0, 1, 30, 70))
        shown = dispatch.leases(person)
        match self.random.randrange(10):
            case 0 | 1 | 2:
                self.claim(person, self.random.randint(1, 3))
            case 3 | 4 | 5 if shown:
                lease = self.random.choice(shown)
                if dispatch.record_judgment(lease) == "counted" and self.random.random() < 0.8:
                    dispatch.withdraw_leases(lease.pair)
            case 6 if shown:
                dispatch.record_undo(self.random.choice(shown), self.now)
            case 7 if self.random.random() < 0.2:
                dispatch.prefer([("a", f"a{self.random.randrange(6)}"), ("b", "b1")])
            case 7:
                dispatch.record_heartbeat(person, self.now)
            case 8 if self.random.random() < 0.2:
                (
                    dispatch.readmit_participant
                    if dispatch.find_main_id(person) in self.aside
                    else dispatch.exclude_participant
                )(person)
                self.aside ^= {dispatch.find_main_id(person)}
            case 9 if shown and self.random.random() < 0.3:
                lease = self.random.choice(shown)
                if dispatch.accept_late(lease) and lease.votes:
                    self.taken[lease.pair] += 1

    def claim(self, person: str, count: int) -> None:
        """Give a participant more items; never one that is judged under another of their ids."""
        ids = [
            name
            for name in self.people
            if self.scheduler.find_main_id(name) == self.scheduler.find_main_id(person)
        ]
        shown = [
            lease for name in ids for lease in self.scheduler.leases(name) if lease.occurrence == 1
        ]
        before = {lease.pair for lease in shown if lease.state in ("counted", "late", "taken")}
        given = self.scheduler.claim(person, self.now, count).leases
        assert not before & {lease.pair for lease in given if lease.occurrence == 1}
        for lease in given:  # a repeat belongs to the log with the first judgment
            assert lease.occurrence == 1 or lease.pair in {
                each.pair for each in self.scheduler.leases(person) if each is not lease
            }

    def check(self) -> None:
        votes = Counter[tuple[str, str]]()
        judgments: set[tuple[str, tuple[str, str]]] = set()
        for person in self.people:
            shown = self.scheduler.leases(person)
            assert len({(lease.pair, lease.occurrence) for lease in shown}) == len(shown)
            who = self.scheduler.find_main_id(person)
            if who not in self.aside:
                judgments |= {
                    (who, lease.pair)
                    for lease in shown
                    if lease.votes and lease.state in ("counted", "taken")
                }
            assert set(self.scheduler.list_held(person)) == {
                lease for lease in shown if lease.state == "held"
            }
        votes.update(pair for _, pair in judgments)
        for pair, count in votes.items():
            assert count == self.scheduler.count_judgments(pair)
            assert count <= self.terms.overlap + self.taken[pair]
        for topic, counts in self.scheduler.progress().items():
            pairs = [
                (topic, each) for each in POOL[topic] if each not in self.opening.get(topic, ())
            ]
            assert counts == (
                sum(min(votes[pair], self.terms.overlap) for pair in pairs),
                len(pairs) * self.terms.overlap,
            )

    def restarted(self) -> Scheduler:
        """Return the dispatch restored from the log."""
        made = self.made()
        for person in self.people:
            for index in self.scheduler.leases(person):
                made.restore(
                    Lease(
                        index.participant_id, index.pair, index.role, index.occurrence, index.state
                    ),
                    self.now,
                )
        for person in self.aside:
            made.exclude_participant(person)
        return made


TWO = {"anna": "ann"}


def test_two_ids_of_one_participant_get_no_pair_twice_and_count_once() -> None:
    dispatch = Scheduler(SchedulingOptions(overlap=2), POOL, seed=1, main_ids=TWO)
    done = [
        lease
        for _ in range(10)
        for name in ("ann", "anna")
        for lease in judge_all(dispatch, name, limit=1)
    ]
    assert {lease.participant_id for lease in done} == {"ann", "anna"} and len(
        {lease.pair for lease in done}
    ) == len(done) == 10
    assert not dispatch.is_done and {dispatch.count_judgments(lease.pair) for lease in done} == {1}
    judge_all(dispatch, "bob")
    assert dispatch.is_done


def test_pairs_judged_by_both_ids_before_merging_count_once_and_are_judged_by_another() -> None:
    dispatch = Scheduler(SchedulingOptions(overlap=2), POOL, seed=1, main_ids=TWO)
    for name in ("ann", "anna"):
        dispatch.restore(Lease(name, ("a", "a0"), state="counted"), 0.0)
    assert dispatch.count_judgments(("a", "a0")) == 1
    assert ("a", "a0") in {
        lease.pair for lease in judge_all(dispatch, "bob")
    } and dispatch.count_judgments(("a", "a0")) == 2
    first, second = dispatch.leases("ann")[0], dispatch.leases("anna")[0]
    dispatch.record_undo(first, 0.0)
    # the judgment of the other id is still in force
    assert dispatch.count_judgments(("a", "a0")) == 2
    dispatch.record_undo(second, 0.0)
    assert dispatch.count_judgments(("a", "a0")) == 1
    assert (
        dispatch.record_judgment(first) == dispatch.record_judgment(second) == "counted"
        and dispatch.count_judgments(("a", "a0")) == 2
    )


def test_items_of_another_id_return_when_their_lease_ends() -> None:
    dispatch = Scheduler(SchedulingOptions(share_last=False), {"a": ["x"]}, seed=1, main_ids=TWO)
    (old,) = dispatch.claim("ann", 0.0).leases
    assert dispatch.claim("anna", LEASE - 1).leases == []
    given = dispatch.claim("anna", LEASE + 1)
    assert [lease.pair for lease in given.leases] == [("a", "x")] and given.lost == [old]
    assert dispatch.record_judgment(given.leases[0]) == "counted" and dispatch.is_done
    assert dispatch.claim("ann", LEASE + 2).leases == []


def test_gold_repeats_and_qualification_items_are_counted_per_participant() -> None:
    gold = {"a": [f"g{number}" for number in range(30)]}
    for terms in (
        SchedulingOptions(gold_every=4),
        SchedulingOptions(qualification=3),
        SchedulingOptions(repeats_every=5),
    ):
        dispatch = Scheduler(
            terms, {"a": [f"a{number}" for number in range(60)]}, seed=3, gold=gold, main_ids=TWO
        )
        done = [
            lease
            for _ in range(20)
            for name in ("ann", "anna")
            for lease in judge_all(dispatch, name, limit=1)
        ]
        alone = judge_all(
            Scheduler(terms, {"a": [f"a{number}" for number in range(60)]}, seed=3, gold=gold),
            "ann",
            limit=40,
        )
        for role in ("gold", "qualification"):
            assert [lease.role == role for lease in done] == [lease.role == role for lease in alone]
        repeats = [lease for lease in done if lease.occurrence == 2]
        assert all(
            any(
                each.pair == lease.pair and each.participant_id == lease.participant_id
                for each in done[: done.index(lease)]
            )
            for lease in repeats
        )
        assert bool(repeats) == bool(terms.repeats_every) and sum(
            lease.occurrence == 2 for lease in alone
        ) >= len(repeats)


def test_an_excluded_participant_is_excluded_under_every_id() -> None:
    dispatch = Scheduler(SchedulingOptions(), POOL, seed=1, main_ids=TWO)
    judge_all(dispatch, "ann", limit=3)
    (held,) = dispatch.claim("ann", 0.0).leases
    assert dispatch.exclude_participant("anna") == [held]
    assert dispatch.claim("ann", 0.0).leases == [] == dispatch.claim("anna", 0.0).leases
    assert sum(done for done, _ in dispatch.progress().values()) == 0
    assert (
        dispatch.readmit_participant("ann") == []
        and sum(done for done, _ in dispatch.progress().values()) == 3
    )


@pytest.mark.slow
def test_after_random_actions_the_overlap_holds_and_a_restart_changes_nothing() -> None:
    for seed in range(short_or_long(40, 3000)):
        group = RandomClass(seed)
        for _ in range(150):
            group.step()
            group.check()
        again = group.restarted()
        assert all(
            again.count_judgments((topic, each)) == group.scheduler.count_judgments((topic, each))
            for topic in POOL
            for each in POOL[topic]
        )
        assert again.progress() == group.scheduler.progress()
        for dispatch in (group.scheduler, again):
            for person in group.aside:
                dispatch.readmit_participant(person)
            now = group.now + 10**6
            for _ in range(40):
                for person in [*group.people, "zoe", "max", "eva"]:
                    judge_all(dispatch, person, now)
                now += 10**3
            assert dispatch.is_done

"""Tests of assignment plans: overlap, balanced loads, whole topics, and reproducibility."""

import time
from collections import Counter
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import FormatError, IrjudgeError
from irjudge.exchange import AssignmentOptions, AssignmentPlan
from irjudge.exchange.assignment_plan import (
    PlanAssessor,
    PlannedItem,
    distribute_pairs,
    make_plan,
    read_candidates,
)
from irjudge.message import Message
from irjudge.stats import HashOrder

POOLS = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 15), min_size=1).map(
    lambda sizes: {
        topic: [f"{topic}{number}" for number in range(size)] for topic, size in sizes.items()
    }
)


def make_assessors(count: int) -> list[PlanAssessor]:
    return [PlanAssessor(f"a{number}") for number in range(count)]


def pairs_of(items: tuple[PlannedItem, ...], *roles: str) -> list[tuple[str, str]]:
    return [(item.topic, item.document) for item in items if item.role in roles]


def count_votes(plan: AssignmentPlan) -> Counter:
    return Counter(
        pair
        for items in plan.items.values()
        for pair in pairs_of(items, "document", "gold", "qualification")
    )


@given(POOLS, st.integers(1, 12), st.integers(1, 4), st.integers())
def test_every_pair_gets_its_overlap_and_loads_differ_by_at_most_one(pool, count, overlap, seed):
    overlap = min(overlap, count)
    plan = make_plan(pool, make_assessors(count), AssignmentOptions(overlap=overlap, seed=seed))
    assert count_votes(plan) == {
        (topic, document): overlap for topic, documents in pool.items() for document in documents
    }
    loads = [len(items) for items in plan.items.values()]
    assert max(loads) - min(loads) <= 1
    assert all(len(set(pairs_of(items, "document"))) == len(items) for items in plan.items.values())


@given(
    POOLS, st.integers(2, 12), st.integers(2, 4), st.sampled_from([0.1, 0.3, 0.5]), st.integers()
)
def test_loads_are_balanced_if_only_a_share_has_overlap(pool, count, overlap, share, seed):
    plan = make_plan(
        pool,
        make_assessors(count),
        AssignmentOptions(overlap=min(overlap, count), share=share, seed=seed),
    )
    loads = [len(items) for items in plan.items.values()]
    assert max(loads) - min(loads) <= 1 and plan.warnings == []


@pytest.mark.parametrize("seed", range(20))
def test_no_pair_is_unassigned_if_exchanges_of_topics_make_room(seed):
    """Only ann can judge t2, so bob must get all documents of t1."""
    pool = {topic: [f"{topic}d{number}" for number in range(10)] for topic in ("t1", "t2")}
    assessors = [PlanAssessor("ann", None, 10), PlanAssessor("bob", frozenset(["t1"]), 10)]
    plan = make_plan(pool, assessors, AssignmentOptions(overlap=1, seed=seed))
    assert plan.warnings == []
    assert {name: {item.topic for item in items} for name, items in plan.items.items()} == {
        "ann": {"t2"},
        "bob": {"t1"},
    }


@pytest.mark.slow
def test_pairs_without_room_are_found_in_linear_time():
    """Too few judgments are possible, although an assessor of few topics has room."""
    copies = {(f"t{number % 50}", f"d{number}"): 1 for number in range(50_000)}
    assessors = [PlanAssessor(f"a{number}", None, 100) for number in range(30)]
    assessors.append(PlanAssessor("last", frozenset(["t0"]), 2_000))
    start = time.perf_counter()
    shares = distribute_pairs(copies, assessors, HashOrder(1))
    assert time.perf_counter() - start < 10
    assert len(shares.by_assessor["last"]) == 1_000  # all pairs of t0
    assert len(shares.unassigned) == 50_000 - 1_000 - 30 * 100


@pytest.mark.slow
def test_pairs_are_moved_between_assessors_with_few_topics_in_linear_time():
    """100,000 pairs took 6 minutes."""
    topics = [f"t{number}" for number in range(10)]
    assessors = [
        PlanAssessor("all"),
        PlanAssessor("four", frozenset(topics[:4])),
        PlanAssessor("two", frozenset(topics[:2])),
    ]
    copies = {(topic, f"d{number}"): 1 for topic in topics for number in range(3_000)}
    began = time.process_time()
    shares = distribute_pairs(copies, assessors, HashOrder(1))
    assert time.process_time() - began < 2
    loads = {name: len(pairs) for name, pairs in shares.by_assessor.items()}
    # six topics can only be judged by the first assessor; the others share the rest equally
    assert loads == {"all": 18_000, "four": 6_000, "two": 6_000}


def test_loads_are_balanced_as_far_as_earlier_loads_allow():
    shares = distribute_pairs(
        {("a", f"a{number}"): 1 for number in range(10)},
        make_assessors(3),
        HashOrder(1),
        loads={"a0": 4},
        assigned_pairs={"a1": [("a", f"a{n}") for n in range(8)]},
    )
    assert {name: len(pairs) for name, pairs in shares.by_assessor.items()} == {
        "a0": 2,
        "a1": 2,
        "a2": 6,
    }
    assert shares.unassigned == []  # a0 then has 6 in total, like a2


@given(POOLS, st.integers(2, 8), st.integers())
def test_the_same_seed_gives_the_same_plan_and_another_order_of_topics_a_valid_one(
    pool, count, seed
):
    options = AssignmentOptions(overlap=2, repeats=1, gold=1, seed=seed)
    gold = {topic: {f"{topic}g{number}": number % 2 for number in range(3)} for topic in pool}
    first, again = (make_plan(pool, make_assessors(count), options, gold=gold) for _ in range(2))
    assert first.items == again.items


def test_the_work_of_an_assessor_is_in_blocks_of_topics():
    pool = {f"t{topic}": [f"d{topic}-{number}" for number in range(20)] for topic in range(12)}
    plan = make_plan(pool, make_assessors(30), AssignmentOptions(overlap=3))
    for items in plan.items.values():
        changes = sum(one.topic != other.topic for one, other in pairwise(items))
        assert changes + 1 == len({item.topic for item in items}) <= 3


def test_whole_topics_stay_together_if_possible():
    pool = {f"t{topic}": [f"d{topic}-{number}" for number in range(20)] for topic in range(12)}
    plan = make_plan(pool, make_assessors(6), AssignmentOptions(overlap=2))
    assert all(
        set(Counter(item.topic for item in items).values()) == {20} for items in plan.items.values()
    )


def test_the_same_assessors_do_not_share_all_their_pairs():
    pool = {f"t{topic}": [f"d{topic}-{number}" for number in range(20)] for topic in range(12)}
    plan = make_plan(pool, make_assessors(30), AssignmentOptions(overlap=3))
    together = {}
    for name, items in plan.items.items():
        for pair in pairs_of(items, "document"):
            together.setdefault(pair, set()).add(name)
    assert len({frozenset(names) for names in together.values()}) > 15


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_a_share_with_overlap_is_spread_evenly_over_the_ranks(share):
    pool = {"a": [f"d{number:03}" for number in range(100)]}
    plan = make_plan(pool, make_assessors(4), AssignmentOptions(overlap=3, share=share, seed=8))
    chosen = sorted(
        int(document[1:]) for (_, document), count in count_votes(plan).items() if count == 3
    )
    assert len(chosen) == 100 * share and set(count_votes(plan).values()) == {1, 3}
    assert max(later - earlier for earlier, later in pairwise(chosen)) <= 1 / share + 1


def test_gold_is_sampled_from_the_assessors_topics_and_is_never_a_calibration_document():
    pool = {
        "a": [f"a{number}" for number in range(10)],
        "b": [f"b{number}" for number in range(10)],
    }
    gold = {"a": {"a-x": 0, "a-y": 0, "a-known": 0}, "b": {"b-x": 0, "b-y": 1}, "c": {"c-x": 0}}
    plan = make_plan(
        pool,
        make_assessors(2),
        AssignmentOptions(gold=2),
        gold=gold,
        calibration={"a": ["a-known"]},
    )
    for items in plan.items.values():
        mine = pairs_of(items, "gold")
        assert (
            len(mine) == 2
            and {topic for topic, _ in mine} <= {item.topic for item in items}
            and ("a", "a-known") not in mine
        )
    assert plan.warnings == []


def items_with_role(plan: AssignmentPlan, role: str) -> list[int]:
    return [sum(item.role == role for item in items) for items in plan.items.values()]


def test_a_share_of_gold_is_relative_to_the_load_and_too_little_gold_is_reported():
    pool = {"a": [f"a{number}" for number in range(40)]}
    plenty = {"a": {f"g{number}": number % 3 for number in range(30)}}
    assert items_with_role(
        make_plan(pool, make_assessors(2), AssignmentOptions(gold=0.05), gold=plenty), "gold"
    ) == [1, 1]
    assert items_with_role(
        make_plan(pool, make_assessors(2), AssignmentOptions(gold=0.25), gold=plenty), "gold"
    ) == [5, 5]
    assert items_with_role(
        make_plan(pool, make_assessors(2), AssignmentOptions(gold=0.26), gold=plenty), "gold"
    ) == [6, 6], "a part of a document is a whole one"
    assert items_with_role(
        make_plan(pool, make_assessors(2), AssignmentOptions(gold=0.01), gold=plenty), "gold"
    ) == [1, 1]
    few = make_plan(pool, make_assessors(2), AssignmentOptions(gold=5), gold={"a": {"g": 0}})
    assert (
        items_with_role(few, "gold") == [1, 1]
        and few.warnings[0].key == "too-little-gold"
        and few.warnings[0].values == {"assessor": "a0", "count": "1", "expected": "5"}
    )


@given(st.integers(1, 6), st.integers())
def test_gold_has_all_grades_equally_as_far_as_available(rounds, seed):
    pool = {topic: [f"{topic}{number}" for number in range(20)] for topic in "ab"}
    # As with deep pools: all gold outside the pool is relevant, and all other gold is in every
    # share.
    outside = {
        topic: {f"{topic}x{number}": 1 + number % 2 for number in range(30)} for topic in pool
    }
    gold = {
        topic: outside[topic] | {each: int(each in documents[10:]) for each in documents}
        for topic, documents in pool.items()
    }
    plan = make_plan(
        pool, make_assessors(2), AssignmentOptions(overlap=2, gold=3 * rounds, seed=seed), gold=gold
    )
    for items in plan.items.values():
        gold_pairs = pairs_of(items, "gold")
        assert Counter(gold[topic][document] for topic, document in gold_pairs) == {
            0: rounds,
            1: rounds,
            2: rounds,
        }
        assert all(
            (pair[1] in pool[pair[0]]) == (gold[pair[0]][pair[1]] == 0) for pair in gold_pairs
        ), "beside the share where it can be"
    assert plan.warnings == [] and all(
        number == 2 for number in count_votes(plan).values() if number > 1
    )


def test_topics_whose_gold_is_all_relevant_are_reported():
    pool = {"a": ["a0", "a1"], "b": ["b0", "b1"]}
    gold = {"a": {"a-x": 1, "a-y": 2}, "b": {"b-x": 0, "b-y": 1}, "c": {"c-x": 1}}
    [warning] = make_plan(pool, make_assessors(1), AssignmentOptions(gold=1), gold=gold).warnings
    assert warning.key == "one-sided-gold"
    assert warning.all_values.items() >= {"count": "1", "example": "a"}.items()
    assert make_plan(pool, make_assessors(1), AssignmentOptions(), gold=gold).warnings == []


@given(st.integers(4, 30), st.integers(1, 3), st.integers())
def test_a_repeat_comes_at_least_half_a_topic_after_the_first_presentation(size, repeats, seed):
    plan = make_plan(
        {"a": [f"d{number}" for number in range(size)]},
        make_assessors(1),
        AssignmentOptions(repeats=repeats, seed=seed),
    )
    (items,) = plan.items.values()
    for index, item in enumerate(items):
        if item.role == "repeat":
            first = next(
                number for number, other in enumerate(items) if other.document == item.document
            )
            assert index - first > size / 2
    assert sum(item.role == "repeat" for item in items) == min(repeats, size // 2)


@pytest.mark.parametrize("seed", range(5))
def test_qualification_items_come_first_and_are_the_same_for_all(seed):
    pool = {topic: [f"{topic}{number}" for number in range(8)] for topic in "abcd"}
    gold = {"a": {"a1": 0}, "c": {f"c-known{number}": number // 4 for number in range(5)}}
    plan = make_plan(
        pool,
        make_assessors(3),
        AssignmentOptions(qualification=3, seed=seed),
        gold=gold,
        calibration={"c": ["c0"]},
    )
    opened = {tuple(pairs_of(items, "qualification")) for items in plan.items.values()}
    assert len(opened) == 1 and all(topic == "c" for topic, _ in opened.pop())
    for items in plan.items.values():
        assert [item.role for item in items[:4]] == ["calibration", *["qualification"] * 3]
        assert "c-known4" in [document for _, document in pairs_of(items, "qualification")], (
            "the only one of its grade"
        )


def test_limits_on_topics_and_numbers_are_respected_and_unassignable_items_reported():
    pool = {
        "a": [f"a{number}" for number in range(10)],
        "b": [f"b{number}" for number in range(10)],
    }
    people = [
        PlanAssessor("any"),
        PlanAssessor("only a", frozenset("a")),
        PlanAssessor("few", max_pairs=3),
    ]
    plan = make_plan(pool, people, AssignmentOptions(overlap=2))
    assert {item.topic for item in plan.items["only a"]} == {"a"} and len(plan.items["few"]) == 3
    assert (
        sum(count_votes(plan).values()) == 20 + 10 + 3
        and plan.warnings[0].key == "too-few-assessors"
    )


def test_items_above_the_maximum_of_an_assessor_are_reported():
    pool = {"a": [f"a{number}" for number in range(10)]}
    people = [PlanAssessor("few", max_pairs=5), PlanAssessor("any")]
    gold = {"a": {f"g{number}": number % 2 for number in range(4)}}
    assert make_plan(pool, people, AssignmentOptions()).warnings == []
    plan = make_plan(pool, people, AssignmentOptions(gold=3, repeats=1), gold=gold)
    (warning,) = plan.warnings
    assert isinstance(warning, Message) and warning.key == "above-limit"
    assert warning.values == {"assessor": "few", "count": "9", "limit": "5"}


def test_an_assessor_gets_no_item_twice():
    pool = {"a": [f"a{number}" for number in range(6)]}
    had = {"a0": {("a", "a0"), ("a", "a1"), ("a", "a2")}}
    plan = make_plan(pool, make_assessors(2), AssignmentOptions(seed=1), assigned_pairs=had)
    assert (
        not had["a0"] & set(pairs_of(plan.items["a0"], "document"))
        and sum(count_votes(plan).values()) == 6
    )


@pytest.mark.parametrize(
    ("options", "people", "key", "values"),
    [
        (AssignmentOptions(overlap=3), 2, "invalid-overlap", {"assessors": "2", "overlap": "3"}),
        (AssignmentOptions(share=0), 2, "invalid-share", {"share": "0"}),
        (AssignmentOptions(gold=-1), 2, "negative-number", {}),
        (
            AssignmentOptions(qualification=1),
            2,
            "too-few-qualification",
            {"count": "1", "pairs": "0"},
        ),
        (AssignmentOptions(), 0, "no-assessor", {}),
    ],
)
def test_impossible_options_are_refused(options, people, key, values):
    with pytest.raises(IrjudgeError) as error:
        make_plan({"a": ["d"]}, make_assessors(people), options)
    assert error.value.key == key and error.value.values == values


def test_two_assessors_with_the_same_name_are_refused():
    with pytest.raises(IrjudgeError, match="x is given twice"):
        make_plan({"a": ["d"]}, [PlanAssessor("x"), PlanAssessor("x")], AssignmentOptions())


def test_nothing_left_to_assign_is_reported():
    with pytest.raises(IrjudgeError, match="nothing to assign"):
        make_plan({"a": []}, make_assessors(1), AssignmentOptions())


@pytest.mark.parametrize(
    ("seed", "digest"), [(7, "6a669d160f66526e"), (2_000_000_011, "6ce024e64d05ac57")]
)
def test_the_seed_of_an_older_project_gives_the_same_plan(seed: int, digest: str) -> None:
    """The digests were computed by irjudge 0.1.0 with format 2, whose seeds have 31 bits."""
    pool = {topic: [f"{topic}{number}" for number in range(9)] for topic in "abc"}
    options = AssignmentOptions(overlap=2, gold=1, repeats=1, seed=seed)
    plan = make_plan(
        pool,
        [PlanAssessor(name) for name in ("ann", "bob", "cleo")],
        options,
        gold={"a": {"a1": 1, "a2": 0}},
    )
    lines = [
        f"{name} {item.topic} {item.document} {item.role}"
        for name, items in plan.items.items()
        for item in items
    ]
    assert sha256("\n".join(lines).encode()).hexdigest()[:16] == digest


def test_a_quotation_mark_in_a_cell_does_not_join_assessors(tmp_path) -> None:
    path = tmp_path / "people.csv"
    path.write_text('name,email\n"Ada,a@x\nBen,b@x\n"Cem,c@x\n')
    with pytest.raises(FormatError):
        read_candidates(path)

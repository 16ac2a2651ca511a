"""Tests of preference results: their values, and changes of the input that must not matter."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.evaluation import PARTS, PREFERENCE_COLUMNS, preference_results
from irjudge.model import Preferences, make_preferences
from irjudge.stats import Sampling

ROWS = st.lists(
    st.tuples(
        st.sampled_from("abc"),
        st.sampled_from("abc"),
        st.integers(-1, 1),
        st.sampled_from("12"),
        st.sampled_from(["x", "y", ""]),
    ).filter(lambda row: row[0] != row[1]),
    min_size=1,
    max_size=25,
)
FEW = Sampling(samples=20)
ORDER_DEPENDENT = ("sides", "repeats")  # these parts depend on sides and order


def preferences_of(rows, **more: object) -> Preferences:
    left, right, winner, topic, assessor = (list(each) for each in zip(*rows, strict=True))
    return make_preferences(left, right, winner, topic=topic, assessor=assessor, **more)


def question_of(row):
    left, right, _, topic, assessor = row
    return {left, right}, topic, assessor


def list_results(preferences: Preferences, *, without: tuple[str, ...] = ()):
    return list(
        preference_results(preferences, sampling=FEW).rows(
            [part for part in PARTS if part not in without]
        )
    )


def value(preferences: Preferences, part: str, statistic: str):
    rows = preference_results(preferences, sampling=FEW).findings
    return next(each for each in rows if (each.part, each.statistic) == (part, statistic))


@pytest.mark.slow
@settings(max_examples=30)
@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_rows_affects_only_repeats(rows, random) -> None:
    rows = [
        row
        for index, row in enumerate(rows)
        if row[4] == "" or question_of(row) not in map(question_of, rows[:index])
    ]
    mixed = rows[:]
    random.shuffle(mixed)
    assert list_results(preferences_of(mixed), without=("repeats",)) == list_results(
        preferences_of(rows), without=("repeats",)
    )


@pytest.mark.slow
@settings(max_examples=30)
@given(ROWS)
def test_swapped_sides_affect_only_the_preference_for_a_side(rows) -> None:
    swapped = [(right, left, -winner, *rest) for left, right, winner, *rest in rows]
    assert list_results(
        preferences_of(swapped), without=("answers", *ORDER_DEPENDENT)
    ) == list_results(preferences_of(rows), without=("answers", *ORDER_DEPENDENT))


@pytest.mark.slow
@settings(max_examples=30)
@given(ROWS)
def test_renaming_in_the_same_order_changes_only_names(rows) -> None:
    named = [(f"s{left}", f"s{right}", *rest) for left, right, *rest in rows]
    plain = [row[5:] for row in list_results(preferences_of(rows))]
    assert [row[5:] for row in list_results(preferences_of(named))] == plain


def test_a_pair_is_won_by_answers_and_by_topics() -> None:
    rows = (
        [("a", "b", 1, topic, f"x{number}") for number, topic in enumerate("1112")]
        + [("a", "b", -1, topic, f"y{number}") for number, topic in enumerate("233")]
        + [("b", "a", 0, "3", "z")]
    )
    wins = value(preferences_of(rows), "pairs", "wins, ties dropped")
    topics = value(preferences_of(rows), "pairs", "topics won")
    assert (wins.first, wins.second, wins.count, wins.total) == ("a", "b", 4, 7)
    assert wins.p == pytest.approx(1)
    assert (topics.count, topics.total) == (1, 2)  # topic 2 is a tie
    net = value(preferences_of(rows), "pairs", "net preference")
    assert (net.value, net.count, net.total) == (1 / 8, 1, 8)
    by_topic = [
        each
        for each in preference_results(preferences_of(rows), sampling=FEW).findings
        if each.part == "topics"
    ]
    assert [(each.topic, each.count, each.total) for each in by_topic] == [
        ("1", 3, 3),
        ("2", 0, 2),
        ("3", -2, 3),
    ]


def test_a_repeated_answer_is_not_another_vote() -> None:
    """One assessor prefers a on topic 1, asked five times, and b on topics 2 and 3: a wins 1 of 3.

    Topic 4 is asked twice too: the first answer, a tie, counts.
    """
    rows = [
        ("a", "b", 1, "1", "x"),
        ("a", "b", -1, "2", "x"),
        ("a", "b", -1, "3", "x"),
        ("a", "b", 0, "4", "x"),
        *[("b", "a", -1, "1", "x")] * 4,
        ("b", "a", 1, "4", "x"),
    ]
    preferences = preferences_of(rows)
    wins = value(preferences, "pairs", "wins, ties dropped")
    assert (wins.count, wins.total) == (1, 3)
    net = value(preferences, "pairs", "net preference")
    assert (net.count, net.total) == (-1, 4)
    agreement = value(preferences, "repeats", "same answer")
    assert (agreement.count, agreement.total) == (4, 5)
    left = value(preferences, "sides", "left chosen")
    assert (left.count, left.total) == (2, 8), "sides of all answers but the tie"
    notes = preference_results(preferences, sampling=FEW).notes
    assert [note.values["count"] for note in notes if note.key == "repeated-answers"] == ["5"]


@pytest.mark.parametrize("column", ["topic", "assessor"])
def test_equal_answers_count_if_topic_or_assessor_is_unknown(column: str) -> None:
    preferences = make_preferences(["a"] * 3, ["b"] * 3, [1, 1, -1], **{column: ["1"] * 3})
    wins = value(preferences, "pairs", "wins, ties dropped")
    assert (wins.count, wins.total) == (2, 3)


def test_the_plan_counts_ties_as_uninformative() -> None:
    rows = [("a", "b", *each) for each in zip((1, -1, 0, 0), "1111", "wxyz", strict=True)]
    plan = value(preferences_of(rows), "plan", "more answers (share=0.6)")
    assert (plan.value, plan.count, plan.total) == (
        416,
        4,
        420,
    )  # 210 decisive answers; every second answer is a tie


def test_a_cycle_is_shown() -> None:
    rows = [(*pair, 1, "1", "x") for pair in ("ab", "bc", "ca")]
    assert value(preferences_of(rows), "order", "cycle").first == "a > b > c > a"
    assert value(preferences_of(rows), "order", "circular triads").count == 1


def test_an_added_half_win_is_marked() -> None:
    assert (
        value(
            preferences_of([("a", "b", 1, "1", "x")]),
            "strengths",
            "bradley-terry log-worth, with half a win added to each side",
        ).first
        == "a"
    )


def test_documents_are_compared_within_their_topic() -> None:
    rows = [("d1", "d2", 1, "1", "x"), ("d1", "d2", -1, "2", "x")]
    results = preference_results(preferences_of(rows, documents=True), sampling=FEW)
    pairs = [each for each in results.findings if each.statistic == "wins, ties dropped"]
    assert [(each.topic, each.count) for each in pairs] == [("1", 1), ("2", 0)]
    assert {each.part for each in results.findings} == {
        "answers",
        "pairs",
        "strengths",
        "order",
        "sides",
    }
    assert len(PREFERENCE_COLUMNS) == len(pairs[0].__slots__)


def test_unconnected_items_are_reported() -> None:
    text = " ".join(
        preference_results(
            preferences_of([("a", "b", 1, "1", "x"), ("c", "d", 1, "1", "x")]), sampling=FEW
        ).notes
    )
    assert "not connected" in text and "--documents" in text
    assert (
        pytest.approx(0.5)
        == value(preferences_of([("a", "b", 0, "1", "x")]), "pairs", "wins, ties half").value
    )


def test_left_choices_are_counted_for_each_assessor() -> None:
    """Ties are no choices, and answers of unknown assessors count only in the total."""
    answers = [("ann", 1), ("ann", -1), ("ann", 0), ("bo", 0), ("", 1)]
    preferences = make_preferences(
        ["a"] * 5,
        ["b"] * 5,
        [winner for _, winner in answers],
        assessor=[name for name, _ in answers],
    )
    rows = [
        (row.assessor, row.count, row.total)
        for row in preference_results(preferences, sampling=FEW).findings
        if row.part == "sides" and row.statistic == "left chosen"
    ]
    assert rows == [("", 2, 3), ("ann", 1, 2), ("bo", 0, 0)]

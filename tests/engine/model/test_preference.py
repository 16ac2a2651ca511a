"""Tests of preferences as columns: codes of names, and documents within their topic."""

import numpy as np
import pytest

from irjudge.model import Event, Item, decode_event, make_preferences, preference_payload


def test_the_order_of_the_rows_does_not_change_the_codes() -> None:
    rows = [("b", "a", 1), ("c", "b", -1), ("a", "c", 0)]
    forth, back = (
        make_preferences(*map(list, zip(*each, strict=True))) for each in (rows, rows[::-1])
    )
    assert forth.items == back.items == ("a", "b", "c")
    assert forth.left.tolist() == back.left.tolist()[::-1]


def test_an_answer_needs_two_different_items() -> None:
    with pytest.raises(ValueError, match="two different items"):
        make_preferences(["a"], ["a"], [1])


def test_documents_are_grouped_by_topic_and_systems_are_not() -> None:
    given = (["d1", "d3"], ["d2", "d1"], [1, -1])
    documents = make_preferences(*given, topic=["1", "2"], documents=True)
    assert [(topic, part.items, part.left.tolist()) for topic, part in documents.groups()] == [
        ("1", ("d1", "d2"), [0]),
        ("2", ("d1", "d3"), [1]),
    ]
    assert [topic for topic, _ in make_preferences(*given, topic=["1", "2"]).groups()] == [""]


def test_missing_values_are_minus_one_or_nan() -> None:
    preferences = make_preferences(["a"], ["b"], [-1])
    assert (
        preferences.topic.tolist(),
        preferences.assessor.tolist(),
        bool(np.isnan(preferences.seconds[0])),
    ) == (
        [-1],
        [-1],
        True,
    )


def test_a_payload_is_read_back_from_its_event() -> None:
    event = Event(
        "ann",
        "preference",
        Item("1", ("l", "r"), ("", ""), "panel"),
        "2026-01-01T00:00:00.000Z",
        preference_payload("right"),
    )
    assert decode_event(event.canonical_bytes).payload == preference_payload("right")
    assert preference_payload("left", strength=2)["strength"] == 2

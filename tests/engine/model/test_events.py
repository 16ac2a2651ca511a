"""Tests of events: canonical bytes, identity, and untrusted bytes."""

import contextlib
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import ProjectError
from irjudge.model import EVENT_KINDS, MALFORMED_EVENT, Event, Item, decode_event
from irjudge.model.events import LEVELS_PER_PIECE

ITEM = Item("051", ("d1",), ("ab" * 32,))
EVENT = Event("ann", "grade", ITEM, "2026-01-01T00:00:00.000Z", {"value": 2}, None, "cd" * 32)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=8)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXTS, inner, max_size=2),
    max_leaves=4,
)
DIGESTS = st.none() | st.sampled_from(["00" * 32, "ab" * 32])
ITEMS = st.builds(
    Item,
    TEXTS,
    st.lists(TEXTS, max_size=3).map(tuple),
    st.lists(TEXTS, max_size=3).map(tuple),
    st.sampled_from(["document", "pair"]),
)
FIRST = st.builds(
    Event,
    TEXTS,
    st.sampled_from(EVENT_KINDS),
    ITEMS,
    TEXTS,
    st.dictionaries(TEXTS, VALUES, max_size=3),
    DIGESTS,
    DIGESTS,
)
CLIENT = "0f" * 16
CLIENTS = st.sampled_from([CLIENT, "a0" * 16])
EVENTS = FIRST | st.builds(
    lambda event, client, number, actor: replace(
        event, version=2, client=client, number=number, actor=actor
    ),
    FIRST,
    CLIENTS,
    st.integers(1, 5),
    st.sampled_from(["person", "model"]),
)


@given(EVENTS)
def test_an_event_is_restored_from_its_bytes(event: Event) -> None:
    again = decode_event(event.canonical_bytes)
    assert (again, again.canonical_bytes, again.digest) == (
        event,
        event.canonical_bytes,
        event.digest,
    )


def test_the_bytes_are_canonical_and_stay_the_same() -> None:
    expected = (
        '{"assessor":"ann","item":{"contents":["'
        + "ab" * 32
        + '"],"documents":["d1"],"topic":"051","type":"document"},"kind":"grade",'
        '"parent":"'
        + "cd" * 32
        + '","payload":{"value":2},"target":null,"time":"2026-01-01T00:00:00.000Z","v":1}'
    )
    assert EVENT.canonical_bytes.decode() == expected
    # By sha256sum of these bytes.
    assert EVENT.digest == "6d745cb69843e0cf989c11edcc035c62269471434c649d302b5ac5bc7ab51515"
    assert len({EVENT, decode_event(EVENT.canonical_bytes)}) == 1


def test_the_bytes_of_the_second_version_stay_the_same_too() -> None:
    expected = (
        '{"actor":"person","assessor":"ann","client":"'
        + CLIENT
        + '","item":{"contents":["'
        + "ab" * 32
        + '"],"documents":["d1"],'
        '"topic":"051","type":"document"},"kind":"grade","number":7,"parent":"'
        + "cd"
        * 32
        + '","payload":{"value":2},"target":null,'
        '"time":"2026-01-01T00:00:00.000Z","v":2}'
    )
    event = replace(EVENT, version=2, client=CLIENT, number=7)
    assert (
        event.canonical_bytes.decode() == expected
        and decode_event(event.canonical_bytes, event.digest) == event
    )
    # By sha256sum of these bytes.
    assert event.digest == "4b0bd94792cd0a582acc8728be9385d31c1b11e7fe653a7b45c2bf08f3d8884f"


@given(EVENTS, EVENTS)
def test_only_equal_events_have_the_same_identity(one: Event, other: Event) -> None:
    assert (one.digest == other.digest) == (one.canonical_bytes == other.canonical_bytes)


def changed_bytes(**fields: object) -> bytes:
    data = json.loads(EVENT.canonical_bytes) | fields
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


@pytest.mark.parametrize(
    ("encoded", "key"),
    [
        (EVENT.canonical_bytes + b" ", "not-canonical"),
        (EVENT.canonical_bytes.replace(b'"v":1', b'"v": 1'), "not-canonical"),
        (changed_bytes(more=1), "not-canonical"),
        (changed_bytes(kind="guess"), "not-canonical"),
        (changed_bytes(kind=["grade"]), "not-canonical"),
        (changed_bytes(time=5), "not-canonical"),
        (changed_bytes(assessor=None), "not-canonical"),
        (changed_bytes(target="zz"), "not-canonical"),
        (changed_bytes(parent="AB" * 32), "not-canonical"),
        (changed_bytes(target=7), "unreadable"),
        (
            changed_bytes(
                item={"type": "document", "topic": "1", "documents": [1], "contents": []}
            ),
            "not-canonical",
        ),
        (changed_bytes(item=[]), "unreadable"),
        (changed_bytes(payload=3), "unreadable"),
        (changed_bytes(v=3), "newer-version"),
        (changed_bytes(v=True), "not-canonical"),
        (changed_bytes(v=1.0), "not-canonical"),
        (changed_bytes(v=[1]), "newer-version"),
        (changed_bytes(client=CLIENT, number=1, actor="person"), "not-canonical"),
        (changed_bytes(v=2), "unreadable"),
        (changed_bytes(v=2, client=CLIENT, number=0, actor="person"), "not-canonical"),
        (changed_bytes(v=2, client=CLIENT, number=True, actor="person"), "not-canonical"),
        (changed_bytes(v=2, client=CLIENT, number=1.0, actor="person"), "not-canonical"),
        (changed_bytes(v=2, client="x", number=1, actor="person"), "not-canonical"),
        (changed_bytes(v=2, client=None, number=1, actor="person"), "unreadable"),
        (changed_bytes(v=2, client=CLIENT, number=1, actor="robot"), "not-canonical"),
        (b"", "unreadable"),
        (b"[]", "unreadable"),
        (b"{}", "unreadable"),
        (b"\xff", "unreadable"),
        (b"[" * 100_000, "unreadable"),
    ],
)
def test_bytes_that_are_not_an_event_are_refused(encoded: bytes, key: str) -> None:
    with pytest.raises(ProjectError) as error:
        decode_event(encoded)
    assert error.value.key == key


@given(
    st.one_of(st.binary(max_size=50), VALUES.map(lambda value: json.dumps(value).encode())),
    st.integers(0, 200),
    st.binary(max_size=3),
)
def test_no_bytes_make_reading_an_event_crash(noise: bytes, at: int, patch: bytes) -> None:
    for encoded in (noise, EVENT.canonical_bytes[:at] + patch + EVENT.canonical_bytes[at + 1 :]):
        with contextlib.suppress(ProjectError):
            decode_event(encoded)


def test_a_number_of_an_action_is_limited() -> None:
    event = replace(EVENT, version=2, client=CLIENT, number=2**53 - 1)
    assert event.problem is None and replace(event, number=2**53).problem == MALFORMED_EVENT


def test_a_number_outside_of_json_is_not_written() -> None:
    with pytest.raises(ValueError, match="JSON"):
        _ = Event("ann", "grade", ITEM, "", {"value": float("nan")}).canonical_bytes


def test_a_repeat_is_another_item_and_first_presentations_keep_their_bytes() -> None:
    first, second = (
        Event(
            "ann",
            "grade",
            Item("1", ("d",), ("ab",), occurrence=number),
            "2026-01-01T00:00:00.000Z",
            {"value": 1},
        )
        for number in (1, 2)
    )
    assert (
        b"occurrence" not in first.canonical_bytes and b'"occurrence":2' in second.canonical_bytes
    )
    assert (
        first.item.key != second.item.key
        and decode_event(second.canonical_bytes, second.digest) == second
        and decode_event(first.canonical_bytes) == first
    )
    for invalid in (b"0", b"-1", b"1.5", b"true", b'"2"', b"null", b"1"):
        with pytest.raises(ProjectError):
            decode_event(
                second.canonical_bytes.replace(b'"occurrence":2', b'"occurrence":' + invalid)
            )


@pytest.mark.parametrize(
    "depth",
    [
        LEVELS_PER_PIECE - 2,
        LEVELS_PER_PIECE - 1,
        LEVELS_PER_PIECE,
        3 * LEVELS_PER_PIECE,
        10 * LEVELS_PER_PIECE,
        30 * LEVELS_PER_PIECE,
    ],
)
def test_an_event_of_any_depth_is_read_and_only_in_its_canonical_form(depth: int) -> None:
    plain = replace(EVENT, payload={"value": 2, "x": "DEEP", "y": [[1], {}] * 60})
    deep = '{"a":1,"b":[' * depth + '"[{\\""' + "]}" * depth
    body = plain.canonical_bytes.replace(b'"DEEP"', deep.encode())
    event = decode_event(body)
    assert (
        event.canonical_bytes == body
        and event.payload["value"] == 2
        and decode_event(body, event.digest).digest == event.digest
    )
    for changed in (
        deep.replace('"b":[', '"b": [', 1),
        deep.replace('{"a":1,"b"', '{"b":1,"a"', 1),
        deep[:-1] + " }",
    ):
        with pytest.raises(ProjectError, match="canonical"):
            decode_event(plain.canonical_bytes.replace(b'"DEEP"', changed.encode()))
    at = deep.rindex('{"a":1,')
    with pytest.raises(ProjectError, match="canonical"):
        decode_event(
            plain.canonical_bytes.replace(
                b'"DEEP"', (deep[:at] + '{"a":1.0e0,' + deep[at + 7 :]).encode()
            )
        )
    for broken in (deep + "]", "[" + deep, deep.replace("]}", "}]", 1)):
        with pytest.raises(ProjectError, match="Cannot read an event"):
            decode_event(plain.canonical_bytes.replace(b'"DEEP"', broken.encode()))

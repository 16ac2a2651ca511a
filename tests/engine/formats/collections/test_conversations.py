"""Tests of turns of conversations as topics, named by conversation and number."""

import json
import time
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_topics, topic_records
from irjudge.formats.collections.topics import TopicFile
from irjudge.model import Topic


def read(tmp_path: Path, content: object) -> TopicFile:
    (path := tmp_path / "turns.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
    return read_topics(path)


def test_cast_topics_have_the_resolved_utterance(tmp_path):
    first = {
        "number": 1,
        "raw_utterance": "And when?",
        "manual_rewritten_utterance": "When does the tide rise?",
    }
    turns = [first, {"number": 2, "raw_utterance": "Why is that?"}]
    file = read(
        tmp_path, [{"number": 31, "title": "Tides", "description": "About the sea.", "turn": turns}]
    )
    assert file.format_name == "conversation turns"
    assert file.topics == (
        Topic("31_1", "When does the tide rise?", "And when?", "Tides\n\nAbout the sea."),
        Topic("31_2", "Why is that?", "", "Tides\n\nAbout the sea.\n\nWhen does the tide rise?"),
    )


def test_ikat_topics_have_the_user_profile_and_responses(tmp_path):
    turns = [
        {
            "turn_id": 1,
            "utterance": "Help me.",
            "resolved_utterance": "Help me find a boat.",
            "response": "How large?",
        },
        {"turn_id": 2, "utterance": "Small."},
    ]
    file = read(
        tmp_path, [{"number": "9-1", "title": "Boats", "ptkb": {"1": "I sail."}, "turns": turns}]
    )
    assert [topic.id for topic in file.topics] == ["9-1_1", "9-1_2"]
    title, statement, asked, answer = file.topics[1].narrative.split("\n\n")
    assert (title, statement, asked) == ("Boats", "I sail.", turns[0]["resolved_utterance"])
    assert answer.endswith("How large?")


def test_turns_of_a_system_are_not_topics(tmp_path):
    turns = [
        {"number": "1-1", "participant": "User", "utterance": "Tides?"},
        {"number": "1-2", "participant": "System", "utterance": "Twice a day."},
        {"number": "1-3", "participant": "User", "utterance": "Why?"},
    ]
    file = read(tmp_path, [{"number": 132, "turn": turns}])
    assert file.topics == (
        Topic("132_1-1", "Tides?"),
        Topic("132_1-3", "Why?", "", "Tides?\n\nAnswer: Twice a day."),
    )


@pytest.mark.slow
def test_statements_without_text_cost_nothing_in_each_turn(tmp_path):
    turns = [{"number": number, "raw_utterance": "Why?"} for number in range(1, 501)]
    began = time.process_time()
    file = read(tmp_path, [{"number": 1, "turn": turns, "ptkb": ["", " "] * 50_000}])
    assert time.process_time() - began < 3
    assert [topic.narrative for topic in file.topics[:3]] == ["", "Why?", "Why?\n\nWhy?"]


@pytest.mark.slow
def test_short_statements_are_joined_quickly_in_each_turn(tmp_path):
    turns = [{"number": number, "raw_utterance": "Why?"} for number in range(1, 301)]
    began = time.process_time()
    file = read(tmp_path, [{"number": 1, "turn": turns, "ptkb": ["a"] * 50_000}])
    assert time.process_time() - began < 1.5
    assert file.topics[1].narrative == "a\n\n" * 50_000 + "Why?"


def test_a_conversation_without_turns_is_named(tmp_path):
    with pytest.raises(FormatError) as refused:
        read(
            tmp_path,
            [{"number": 1, "turn": [{"number": 1, "utterance": "a"}]}, {"number": 2, "turn": "no"}],
        )
    assert (refused.value.key, refused.value.line) == ("no-turns", 11)
    assert refused.value.values["number"] == "2"


def test_a_conversation_of_which_the_turns_have_too_long_narratives_is_refused(
    tmp_path, monkeypatch
):
    """Each topic contains all earlier turns: 9,000 turns in 569 KB needed 2.4 GB."""
    turns = [{"number": number, "raw_utterance": "Why? " * 20} for number in range(1, 41)]
    assert len(read(tmp_path, [{"number": 1, "turn": turns}]).topics) == 40
    monkeypatch.setattr(topic_records, "MAX_NARRATIVES_LENGTH", 50_000)
    with pytest.raises(FormatError) as error:
        read(tmp_path, [{"number": 1, "turn": turns}])
    assert error.value.key == "long-conversation"


def test_conversations_of_which_the_narratives_together_are_too_long_are_refused(
    tmp_path, monkeypatch
):
    """Four conversations of 5,500 short turns in 0.9 MB needed 11 s and 250 MB."""
    monkeypatch.setattr(topic_records, "MAX_NARRATIVES_LENGTH", 50_000)
    # a conversation of n turns has n (n - 1) / 2 earlier turns: 4,950 of about 4 characters
    turns = [{"number": number, "raw_utterance": "Why?"} for number in range(1, 101)]
    assert len(read(tmp_path, [{"number": 1, "turn": turns}]).topics) == 100
    with pytest.raises(FormatError) as error:
        read(tmp_path, [{"number": number, "turn": turns} for number in range(1, 5)])
    assert error.value.key == "long-conversation"
    short = turns[:20]
    conversations = [{"number": number, "turn": short} for number in range(1, 101)]
    assert len(read(tmp_path, conversations).topics) == 2000

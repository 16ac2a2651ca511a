"""Tests of messages: English text with a template and values, which survive copying."""

import copy
import json
import pickle

import pytest

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.message import Message, format_count, from_data, join_messages, to_data

SAID = Message(
    "{file} has {count:,} lines, {first!r} first.", file="a{b}.run", count=1200, first="x"
)


def to_capitals(template: str) -> str:
    """Translate a template into a test language: English in capitals."""
    return "".join(
        part if part.startswith("{") else part.upper()
        for part in template.replace("{", "\0{").replace("}", "}\0").split("\0")
    )


def through_pickle(message: str) -> str:
    return str(pickle.loads(pickle.dumps(message)))


def through_json(message: str) -> str:
    return from_data(json.loads(json.dumps(to_data(message))))


def test_a_message_is_its_english_text() -> None:
    assert SAID == "a{b}.run has 1,200 lines, 'x' first." and isinstance(SAID, str)


def test_a_message_keeps_its_template_and_formatted_values() -> None:
    assert SAID.template == "{file} has {count} lines, {first} first."
    assert SAID.values == {"file": "a{b}.run", "count": "1,200", "first": "'x'"}


def test_a_translation_replaces_the_template_and_keeps_values() -> None:
    assert SAID.translate_with(to_capitals) == "a{b}.run HAS 1,200 LINES, 'x' FIRST."


def test_a_value_cannot_contain_a_placeholder() -> None:
    assert Message("{a} and {b}", a="{b}", b="{a}").translate_with(to_capitals) == "{b} AND {a}"


def test_values_that_are_messages_are_translated_too() -> None:
    why = Message("the disk is full")
    assert (
        Message("Not saved: {file} ({why}).", file="p", why=why).translate_with(to_capitals)
        == "NOT SAVED: p (THE DISK IS FULL)."
    )


def test_an_irjudge_error_is_translated_too() -> None:
    error = IrjudgeError("{file} is gone.", file="p")
    assert (
        Message("Damaged: {fault}", fault=error).translate_with(to_capitals)
        == "DAMAGED: p IS GONE."
    )


def test_a_translation_with_an_unknown_placeholder_shows_it() -> None:
    assert Message("{a} is gone", a="x").translate_with(lambda _: "{a} {b}") == "x {b}"


def test_escaped_braces_are_kept() -> None:
    message = Message('expected {{"name": …}} ({fault})', fault="no")
    assert (
        message == 'expected {"name": …} (no)'
        and message.translate_with(to_capitals) == 'EXPECTED {"name": …} (no)'
    )


@pytest.mark.parametrize("text", [SAID + " Go on.", "Stop. " + SAID, join_messages([SAID, "d2"])])
def test_concatenation_keeps_the_message(text: str) -> None:
    assert isinstance(text, Message) and SAID.translate_with(to_capitals) in text.translate_with(
        to_capitals
    )


def test_joined_texts_without_messages_stay_texts() -> None:
    assert (
        join_messages(["a", "b"]) == "a, b"
        and not isinstance(join_messages(["a", "b"]), Message)
        and join_messages([]) == ""
    )


@pytest.mark.parametrize("again", [copy.deepcopy, through_pickle, through_json])
def test_a_copy_keeps_template_and_values(again) -> None:  # type: ignore[no-untyped-def]
    message = again(Message("{file}: {said}", file="a.run", said=SAID))
    assert message.translate_with(to_capitals) == "a.run: a{b}.run HAS 1,200 LINES, 'x' FIRST."


def test_texts_stored_by_an_older_irjudge_are_read_unchanged() -> None:
    assert from_data("Read 3 {files}.") == "Read 3 {files}." and to_data("plain") == "plain"


def test_an_error_keeps_template_and_values() -> None:
    text = str(IrjudgeError("There is no run called {name}.", name="bm{25}"))
    assert (
        text == "There is no run called bm{25}."
        and isinstance(text, Message)
        and text.values == {"name": "bm{25}"}
    )


def test_an_error_without_values_keeps_its_text() -> None:
    assert str(IrjudgeError("expected {1: 2}")) == "expected {1: 2}"


def test_an_error_in_a_file_names_file_and_line() -> None:
    error = FormatError("a/b.run", Message("{count} columns; expected 6", count=5), 3)
    assert str(error) == "b.run, line 3: 5 columns; expected 6."
    assert str(error).translate_with(to_capitals) == "b.run, LINE 3: 5 COLUMNS; EXPECTED 6."  # type: ignore[attr-defined]
    assert Undecided("a", "which", ("grades",)).options == ("grades",)


@pytest.mark.parametrize(
    ("number", "text"),
    [(0, "0 topics"), (1, "1 topic"), (2, "2 topics"), (12345, "12,345 topics")],
)
def test_a_count_of_one_has_the_singular(number: int, text: str) -> None:
    assert format_count(number, "topic") == text


def test_the_key_stays_when_the_text_changes_and_survives_pickling() -> None:
    first = Message("{file} is gone.", key="file-missing", file="p")
    assert (first.key, first.values["file"]) == ("file-missing", "p")
    assert pickle.loads(pickle.dumps(first)).key == "file-missing"
    assert Message("{file} is gone.", file="p").key == "{file} is gone."


def test_an_error_has_the_values_of_its_message_and_of_the_messages_in_it() -> None:
    problem = Message("{found} columns; expected {expected}", key="columns", found=5, expected=6)
    error = FormatError("a.run", problem, line=7)
    assert dict(error.values) == {
        "name": "a.run",
        "line": "7",
        "where": "a.run, line 7",
        "found": "5",
        "expected": "6",
        "problem": "5 columns; expected 6",
    }
    assert error.key == "columns"
    assert IrjudgeError("braces {} are text").message == "braces {} are text"
    assert IrjudgeError("No runs.", key="no-runs").key == "no-runs"

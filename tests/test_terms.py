"""Tests that new messages use glossary terms, and that the list of exceptions shrinks."""

import runpy
from pathlib import Path

CHECK = runpy.run_path(str(Path(__file__).parent.parent / ".ci" / "check_terms.py"))
TERMS = CHECK["read_terms"](CHECK["read_lines"](CHECK["TERMS"]))


def problems(messages: list[str], allowed: set[str]) -> list[str]:
    return [*CHECK["find_problems"](messages, TERMS, allowed)]


def test_current_messages_use_the_terms_of_the_glossary() -> None:
    assert CHECK["main"]([]) == 0


def test_a_message_with_a_replaced_term_is_flagged_with_what_to_write() -> None:
    (problem,) = problems(["Good.", "Each known answer is shown."], set())
    assert "known answer" in problem and "gold item" in problem


def test_placeholder_names_are_not_checked_as_text() -> None:
    assert problems(["Cannot read {file} ({fault})."], set()) == []


def test_an_allowed_line_is_accepted_and_reported_once_it_is_gone_or_clean() -> None:
    line = "Each known answer is shown."
    assert problems([line], {line}) == []
    assert len(problems([], {line})) == len(problems(["Good."], {"Good."})) == 1

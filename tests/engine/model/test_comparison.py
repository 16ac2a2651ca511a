"""Tests of the rules of a comparison, as stored in files."""

import json

import pytest

from irjudge.model import PREFERENCE_REASONS, ComparisonRules, default_reasons


def test_rules_survive_writing_and_reading() -> None:
    rules = ComparisonRules(True, True, ("clearer", "newer"), 3)
    assert ComparisonRules.parse(json.dumps(rules.as_json())) == rules


def test_missing_rules_are_the_defaults() -> None:
    assert ComparisonRules.parse("") == ComparisonRules() == ComparisonRules.read({})


def test_untrusted_rules_are_limited_to_valid_ones() -> None:
    read = ComparisonRules.read({"reasons": ["x" * 500] * 50, "top": -4})
    assert len(read.reasons) == 9 and len(read.reasons[0]) == 60 and read.top == 0


@pytest.mark.parametrize("text", ["[]", "{", '{"reasons": "all"}', '{"top": "many"}'])
def test_invalid_rules_are_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError)):
        ComparisonRules.parse(text)


def test_rules_without_reasons_keep_the_reasons_for_lists() -> None:
    assert (
        ComparisonRules.parse("").reasons
        == ComparisonRules.read({"top": 2}).reasons
        == PREFERENCE_REASONS
    )
    assert not set(default_reasons(documents=True)) & {"better order", "less repetition"}, (
        "a document has no order of results"
    )

"""Tests of nuggets of topics, as JSON lines or a list."""

import json
import time
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.judgments import read_nuggets
from irjudge.model import Nugget

ONE = {
    "query": "tides",
    "qid": "2024-7",
    "nuggets": [{"text": "They  rise.", "importance": "vital"}, {"text": "They fall."}],
}


def write_lines(tmp_path: Path, *lines: object) -> Path:
    (path := tmp_path / "nuggets.jsonl").write_text(
        "".join(json.dumps(each) + "\n" for each in lines)
    )
    return path


def test_a_nugget_has_a_text_and_an_optional_importance(tmp_path):
    nuggets = read_nuggets(write_lines(tmp_path, ONE, {"topic_id": 8, "nuggets": ["Just text."]}))
    assert nuggets == {
        "2024-7": (Nugget("They rise.", "vital"), Nugget("They fall.")),
        "8": (Nugget("Just text."),),
    }
    (path := tmp_path / "list.json").write_text(json.dumps([ONE]))
    assert list(read_nuggets(path)) == ["2024-7"]


@pytest.mark.parametrize(
    ("line", "key", "topic"),
    [
        (ONE, "same-topic", "2024-7"),
        (ONE | {"qid": "8", "nuggets": []}, "no-nuggets", "8"),
        (ONE | {"qid": "8", "nuggets": [{"importance": "okay"}]}, "no-text", None),
        ({"nuggets": ["a"]}, "no-id", None),
    ],
)
def test_errors_are_named(tmp_path, line, key, topic):
    with pytest.raises(FormatError) as refused:
        read_nuggets(write_lines(tmp_path, ONE, line))
    assert (refused.value.key, refused.value.line) == (key, 2)
    assert refused.value.values.get("topic") == topic


def test_a_file_without_nuggets_is_refused(tmp_path):
    with pytest.raises(FormatError, match="no nugget found"):
        read_nuggets(write_lines(tmp_path))


def test_a_table_gives_the_same_nuggets(tmp_path):
    (path := tmp_path / "importance.csv").write_text(
        "topic,nugget,importance\n7,They rise.,vital\n8,So,okay\n7,They fall.,\n"
    )
    assert read_nuggets(path) == {
        "7": (Nugget("They rise.", "vital"), Nugget("They fall.")),
        "8": (Nugget("So", "okay"),),
    }
    path.write_text("topic,nugget\n7,\n")
    with pytest.raises(FormatError) as refused:
        read_nuggets(path)
    assert (refused.value.key, refused.value.line) == ("empty-cell", 2)
    assert refused.value.values["part"] == "nugget"


BANK = {  # as `NuggetBank.model_dump_json` of autojudge-base writes it (nugget_data.py, commit 42f99fc)
    "query_id": "1053",
    "title_query": "Tides",
    "format_version": "v3",
    "nugget_bank": {
        "How often?": {
            "question": "How often?",
            "question_id": "c939",
            "query_id": "1053",
            "answers": {
                "twice a day": {"answer": "twice a day"},
                "two times": {"answer": "two times", "references": [{"doc_id": "d"}]},
            },
            "sub_nuggets": [
                {"question": "On which coasts?"},
                {"claim": "Not in lakes.", "importance": "okay"},
            ],
        },
        "Why?": {"question": "Why?", "importance": "vital", "answers": [{"answer": "the Moon"}]},
    },
    "claim_bank": {"They rise.": {"claim": "They rise.", "importance": 1}},
}


@pytest.mark.parametrize("indent", [None, 2])
def test_a_nugget_bank_is_read_with_answers_and_nested_nuggets(
    tmp_path: Path, indent: int | None
) -> None:
    other = {
        "query_id": "7",
        "title_query": "x",
        "claim_bank": {"a": {"claim": "a"}},
        "nugget_bank": None,
    }
    (path := tmp_path / "banks.jsonl").write_text(
        "\n".join(json.dumps(each, indent=indent) for each in (BANK, other))
    )
    expected = (
        ("How often? (twice a day; two times)", ""),
        ("On which coasts?", ""),
        ("Not in lakes.", "okay"),
    )
    expected = *expected, ("Why? (the Moon)", "vital"), ("They rise.", "")
    assert read_nuggets(path) == {
        "1053": tuple(Nugget(*each) for each in expected),
        "7": (Nugget("a"),),
    }


@pytest.mark.parametrize(
    ("bank", "key"), [({"a": {"answers": ["b"]}}, "no-text"), ({}, "no-nuggets")]
)
def test_a_nugget_bank_without_questions_is_refused(tmp_path: Path, bank: object, key: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_nuggets(write_lines(tmp_path, {"query_id": "1", "nugget_bank": bank}))
    assert refused.value.key == key


def test_many_nuggets_are_read_in_linear_time(tmp_path: Path) -> None:
    """The first of the remaining nuggets was removed from a list, which took 15 s."""
    nuggets = [f"n{number}" for number in range(300_000)]
    path = tmp_path / "bank.json"
    path.write_text(json.dumps({"query_id": "1", "nugget_bank": nuggets}))
    begun = time.process_time()
    assert len(read_nuggets(path)["1"]) == 300_000
    assert time.process_time() - begun < 4

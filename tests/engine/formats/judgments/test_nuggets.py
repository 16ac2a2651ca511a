"""Nuggets of topics, as JSON lines or a list."""

import json
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.judgments.tasks import read_nuggets
from irjudge.model.answer import Nugget

ONE = {
    "query": "tides",
    "qid": "2024-7",
    "nuggets": [{"text": "They  rise.", "importance": "vital"}, {"text": "They fall."}],
}


def file(tmp_path: Path, *lines: object) -> Path:
    (path := tmp_path / "nuggets.jsonl").write_text(
        "".join(json.dumps(each) + "\n" for each in lines)
    )
    return path


def test_a_nugget_has_a_text_and_maybe_an_importance(tmp_path):
    found = read_nuggets(file(tmp_path, ONE, {"topic_id": 8, "nuggets": ["Just text."]}))
    assert found == {
        "2024-7": (Nugget("They rise.", "vital"), Nugget("They fall.")),
        "8": (Nugget("Just text."),),
    }
    (path := tmp_path / "list.json").write_text(json.dumps([ONE]))
    assert list(read_nuggets(path)) == ["2024-7"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (ONE, "line 2: topic 2024-7 is there twice"),
        (
            ONE | {"qid": "8", "nuggets": []},
            "line 2: topic 8 has no list of nuggets, expected JSON lines like",
        ),
        (ONE | {"qid": "8", "nuggets": [{"importance": "okay"}]}, "line 2: a nugget has no text"),
        ({"nuggets": ["a"]}, "line 2: the record has no id"),
    ],
)
def test_what_is_wrong_is_named(tmp_path, line, problem):
    with pytest.raises(FormatError, match=problem):
        read_nuggets(file(tmp_path, ONE, line))


def test_a_file_without_nuggets_is_refused(tmp_path):
    with pytest.raises(FormatError, match="no nugget was found"):
        read_nuggets(file(tmp_path))


def test_a_table_says_the_same(tmp_path):
    (path := tmp_path / "importance.csv").write_text(
        "topic,nugget,importance\n7,They rise.,vital\n8,So,okay\n7,They fall.,\n"
    )
    assert read_nuggets(path) == {
        "7": (Nugget("They rise.", "vital"), Nugget("They fall.")),
        "8": (Nugget("So", "okay"),),
    }
    path.write_text("topic,nugget\n7,\n")
    with pytest.raises(FormatError, match="line 2: the nugget is empty"):
        read_nuggets(path)


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
def test_a_nugget_bank_is_read_with_its_answers_and_what_is_below_them(
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
    ("bank", "problem"),
    [({"a": {"answers": ["b"]}}, "a nugget has no text"), ({}, "no list of nuggets")],
)
def test_a_nugget_bank_without_questions_is_refused(
    tmp_path: Path, bank: object, problem: str
) -> None:
    with pytest.raises(FormatError, match=problem):
        read_nuggets(file(tmp_path, {"query_id": "1", "nugget_bank": bank}))

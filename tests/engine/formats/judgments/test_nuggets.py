"""Nuggets of topics, as JSON lines or a list."""

import json
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.judgments.tasks import read_nuggets
from irjudge.model.answer import Nugget

ONE = {"query": "tides", "qid": "2024-7", "nuggets": [{"text": "They  rise.", "importance": "vital"}, {"text": "They fall."}]}


def file(tmp_path: Path, *lines: object) -> Path:
    (path := tmp_path / "nuggets.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    return path


def test_a_nugget_has_a_text_and_maybe_an_importance(tmp_path):
    found = read_nuggets(file(tmp_path, ONE, {"topic_id": 8, "nuggets": ["Just text."]}))
    assert found == {"2024-7": (Nugget("They rise.", "vital"), Nugget("They fall.")), "8": (Nugget("Just text."),)}
    (path := tmp_path / "list.json").write_text(json.dumps([ONE]))
    assert list(read_nuggets(path)) == ["2024-7"]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (ONE, "line 2: topic 2024-7 is there twice"),
        (ONE | {"qid": "8", "nuggets": []}, "line 2: topic 8 has no list of nuggets, expected JSON lines like"),
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
    (path := tmp_path / "importance.csv").write_text("topic,nugget,importance\n7,They rise.,vital\n8,So,okay\n7,They fall.,\n")
    assert read_nuggets(path) == {"7": (Nugget("They rise.", "vital"), Nugget("They fall.")), "8": (Nugget("So", "okay"),)}
    path.write_text("topic,nugget\n7,\n")
    with pytest.raises(FormatError, match="line 2: the nugget is empty"):
        read_nuggets(path)

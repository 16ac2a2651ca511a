"""Tests of JSON lines with an item per record, and lists of its workers and labels."""

import json
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, Undecided
from irjudge.formats.judgments import (
    parse_label_columns,
    parse_winners,
    read_labels,
    read_preferences,
)
from irjudge.formats.rows import ColumnMapping

RECORDS = [
    {
        "query_id": "q1",
        "left": "x",
        "right": "y",
        "worker": ["ann", "bob"],
        "good_vote": ["A", "A"],
        "short_vote": ["A", "N"],
    },
    {
        "query_id": "q1",
        "left": "x",
        "right": "z",
        "worker": ["ann", "cid"],
        "good_vote": ["B", "B"],
        "short_vote": ["N", "N"],
    },
]


def write(folder: Path, records) -> Path:
    path = folder / "ratings.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path


def test_the_criterion_is_chosen_by_its_column(tmp_path: Path, capsys) -> None:
    path = write(tmp_path, RECORDS)
    with pytest.raises(Undecided) as refused:
        read_labels(path)
    assert (refused.value.key, refused.value.options) == ("which-list", ("columns",))
    assert "good_vote, short_vote" in refused.value.values["lists"]
    labels = read_labels(path, columns=parse_label_columns("label=short_vote"))
    assert (labels.items, labels.workers) == (("1", "2"), ("ann", "bob", "cid"))
    assert [labels.scale[each] for each in labels.label.tolist()] == ["A", "N", "N", "N"]
    command = ["agreement", str(path), "--columns", "label=good_vote", "-s", "raw-agreement"]
    assert main(command) == 0
    assert "1.0000" in capsys.readouterr().out


def test_records_may_name_their_items(tmp_path: Path) -> None:
    path = write(tmp_path, [{**each, "item": f"i{n}"} for n, each in enumerate(RECORDS)])
    assert read_labels(path, columns=parse_label_columns("label=good_vote")).items == ("i0", "i1")


def test_preferences_are_read_from_lists_too(tmp_path: Path) -> None:
    named = (("winner", "good_vote"), ("assessor", "worker"), ("topic", "query_id"))
    preferences = read_preferences(
        write(tmp_path, RECORDS),
        columns=ColumnMapping(named),
        winners=parse_winners("A:left,B:right,N:tie"),
    )
    assert len(preferences) == 4


@pytest.mark.parametrize(
    "change", [{"good_vote": ["A"]}, {"good_vote": "A"}, {"worker": "ann"}, {"worker": None}]
)
def test_lists_of_different_lengths_are_refused_with_their_line(tmp_path: Path, change) -> None:
    path = write(tmp_path, [RECORDS[0], {**RECORDS[1], **change}])
    with pytest.raises(FormatError) as refused:
        read_labels(path, columns=parse_label_columns("label=good_vote"))
    assert refused.value.line == 2

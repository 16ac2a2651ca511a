"""Tests of auxiliary files: no default replaces a value in an unrecognised column."""

import json
import time

import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings import read_auxiliary_table, read_run_groups
from tests.messages import keys_and_values


@pytest.mark.parametrize(
    ("name", "text", "lacking"),
    [
        (
            "citations",
            "topic,sentence,citation,verdict\n1,s1,d1,full\n1,s1,d2,none\n",
            ("support", "verdict"),
        ),
        (
            "citations",
            "topic,sentence,citation,verdict\n1,s1,d1,2\n1,s1,d2,0\n",
            ("support", "verdict"),
        ),
        ("groups", "document,group,percent\nd1,eu,50\nd1,us,50\n", ("weight", "percent")),
        ("nuggets", "topic,nugget,value,run,support\n1,n1,vital,r,2\n", ("importance", "value")),
    ],
)
def test_defaults_do_not_replace_a_possible_column(tmp_path, name, text, lacking):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(FormatError) as refused:
        read_auxiliary_table(tmp_path / "a.csv", name)
    values = refused.value.values
    assert (refused.value.key, refused.value.line) == ("no-column", 1)
    assert (values["column"], values["name"]) == lacking


def test_further_text_columns_are_named_and_ignored(tmp_path):
    (tmp_path / "a.csv").write_text("document,group,note\nd1,eu,hm\n")
    side = read_auxiliary_table(tmp_path / "a.csv", "groups")
    assert side.columns["weight"] == [1.0]
    assert keys_and_values(side.warnings, "file", "named") == [("unread-fields", "a.csv", "note")]


def test_lone_surrogates_in_json_lines_of_auxiliary_files_are_replaced(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"document": "d\\ud800", "group": "eu"}\n')
    side = read_auxiliary_table(tmp_path / "a.jsonl", "groups")
    assert side.columns["document"] == ["d\ufffd"]


@pytest.mark.slow
def test_the_items_of_a_list_in_an_object_with_many_members_take_linear_time(tmp_path):
    record = {f"c{number}": 1 for number in range(40_000)} | {"document": "d1", "group": "eu"}
    record["list"] = [{"document": f"d{number}"} for number in range(40_000)]
    (tmp_path / "a.jsonl").write_text(json.dumps(record) + "\n")
    began = time.process_time()
    side = read_auxiliary_table(tmp_path / "a.jsonl", "groups")
    assert time.process_time() - began < 2
    # the members of an item replace those of the object
    assert side.columns["document"] == [f"d{number}" for number in range(40_000)]
    assert set(side.columns["group"]) == {"eu"}


def test_too_deeply_nested_json_of_auxiliary_files_is_refused(tmp_path):
    deep_list = "[" * 100_000 + "]" * 100_000
    (tmp_path / "a.jsonl").write_text(f'{{"document": "d1", "group": {deep_list}}}\n')
    with pytest.raises(FormatError) as refused:
        read_auxiliary_table(tmp_path / "a.jsonl", "groups")
    assert refused.value.line == 1


def test_a_quotation_mark_in_a_cell_does_not_join_runs(tmp_path):
    (tmp_path / "g.csv").write_text('run,group\n"a,us\nb,us\n"c,them\n')
    with pytest.raises(FormatError):
        read_run_groups(tmp_path / "g.csv")


def test_an_empty_list_is_not_the_list_of_rows(tmp_path):
    nuggets = [{"nugget": "n1", "support": "support"}]
    records = [
        {"topic": "1", "run": "r", "nuggets": nuggets},
        {"topic": "2", "run": "r", "references": [], "nuggets": nuggets},
        {"topic": "3", "run": "r", "nuggets": []},
        {"topic": "4", "run": "r", "nugget": "n2", "support": "support", "references": []},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    table = read_auxiliary_table(tmp_path / "a.jsonl", "nuggets")
    assert table.columns["topic"] == ["1", "2", "4"]


def test_a_number_with_an_underscore_is_refused(tmp_path):
    (tmp_path / "a.csv").write_text("document,group,weight\nd1,eu,1_0\n")
    with pytest.raises(FormatError) as refused:
        read_auxiliary_table(tmp_path / "a.csv", "groups")
    assert refused.value.key == "not-a-number"

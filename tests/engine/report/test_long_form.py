"""Values one a line: every id and every number reads back as it was, and what spreadsheets change is said."""

import csv
import os
from pathlib import Path

import pytest

from irjudge.errors import Cancelled
from irjudge.evaluation.table import evaluate, parse_measures
from irjudge.model.ranking import make_qrels, make_run
from irjudge.progress import Progress
from irjudge.report.long_form import spreadsheet_remarks, write_long_form
from tests.engine.report.three_runs import HOSTILE, evaluated, hostile


def rows_of(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", errors="surrogateescape", newline="") as file:
        return list(csv.reader(file))


def test_every_id_and_value_reads_back(tmp_path):
    table, path = hostile(), tmp_path / "r.csv"
    write_long_form(path, table)
    header, *rows = rows_of(path)
    assert header == ["run", "measure", "topic", "value"] and not path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert [(run, measure, topic, float(value)) for run, measure, topic, value in rows] == list(table.rows(per_topic=True))
    assert {row[0] for row in rows} == set(HOSTILE)


def test_a_run_named_by_bytes_that_are_no_text_keeps_them(tmp_path):
    name = os.fsdecode(b"run\xff")
    table = evaluate(make_qrels([("1", "a", 1)]), [make_run(name, [("1", "a", 1.0)])], parse_measures(["AP"]))
    write_long_form(tmp_path / "r.csv", table)
    assert b"run\xff,AP,1,1.0\n" in (tmp_path / "r.csv").read_bytes()


def test_ids_that_a_spreadsheet_would_change_are_named_once():
    formulas, numbers = spreadsheet_remarks(["=1+1", "@x", "+1", "-1", "=1+1", "\tx", "301", "007", "1e5", "d-1", "a=b"])
    assert formulas.startswith("A spreadsheet would take 5 ids for formulas: =1+1, @x, +1 and 2 more.") and "as text" in formulas
    assert numbers.startswith("A spreadsheet would take 2 ids for numbers: 007, 1e5.")
    assert spreadsheet_remarks(["301", "bm25", "0", "2.5"]) == ()


def test_a_cancelled_report_leaves_what_was_there(tmp_path):
    path = tmp_path / "r.csv"
    path.write_text("before")
    with pytest.raises(Cancelled):
        write_long_form(path, evaluated(), Progress(cancelled=lambda: True))
    assert path.read_text() == "before" and [each.name for each in tmp_path.iterdir()] == ["r.csv"]

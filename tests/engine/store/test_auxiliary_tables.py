"""Tests of auxiliary files in a project: imported, used in evaluations, and rescued."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError, ProjectError
from irjudge.evaluation import evaluate_project, parse_measures
from irjudge.formats import preview_files
from irjudge.model import Scale, make_qrels, make_run
from irjudge.store import (
    Sources,
    create_project,
    describe_auxiliary_tables,
    import_sources,
    read_auxiliary_tables,
)
from irjudge.store.project import AUXILIARY_FILES
from irjudge.store.rescue_project import RESCUED_KEYS


@pytest.fixture
def project(tmp_path: Path):
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as made:
        made.rankings.add_qrels("known", make_qrels([("1", "a", 1)]))
        made.rankings.add_run(make_run("r", [("1", "b", 2.0), ("1", "a", 1.0)]))
        yield made


def file(tmp_path: Path, name: str, text: str) -> Path:
    (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path / name


def test_an_imported_file_is_used_by_the_measures_that_need_it(project, tmp_path: Path) -> None:
    report = import_sources(
        project, Sources(sides=(file(tmp_path, "size.csv", "docid,chars\na,600\nb,9\n"),))
    )
    (done,) = report.sentences
    assert "size.csv" in done and "rows: 2" in done and report.files == ["size.csv"]
    assert describe_auxiliary_tables(project) == "Document lengths (size.csv, rows: 2)"
    table = evaluate_project(project, parse_measures(["U", "AP"]))
    # 200 characters of the list for b, 200 for a, and a fifth of its 600
    assert table.runs[0].values[:, 0].tolist() == pytest.approx([1 - 520 / 132000, 0.5])
    (stored_table,) = read_auxiliary_tables(project)
    assert (stored_table.kind, stored_table.source, list(stored_table.columns["document"])) == (
        "lengths",
        "size.csv",
        ["a", "b"],
    )


def test_a_file_of_the_same_kind_replaces_the_previous_one(project, tmp_path: Path) -> None:
    for name, group in (("one.csv", "x"), ("two.csv", "y")):
        report = import_sources(
            project, Sources(sides=(file(tmp_path, name, f"document,group\na,{group}\n"),))
        )
    assert [(each.key, each.values) for each in report.warnings] == [
        ("replaced-file", {"file": "two.csv"})
    ]
    assert [list(each.columns["group"]) for each in read_auxiliary_tables(project)] == [["y"]]


def test_an_invalid_file_leaves_the_project_unchanged(project, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as error:
        import_sources(
            project, Sources(sides=(file(tmp_path, "x.csv", "colour,taste\nred,sweet\n"),))
        )
    assert error.value.key == "unknown-side-file"
    assert read_auxiliary_tables(project) == ()


def test_changes_outside_irjudge_are_reported(project) -> None:
    project.set_setting(AUXILIARY_FILES, '{"lengths": 3}')
    with pytest.raises(ProjectError) as error:
        read_auxiliary_tables(project)
    assert error.value.values["file"]


def test_a_preview_shows_the_recognised_kind_and_rescue_keeps_it(tmp_path: Path) -> None:
    seen = preview_files(
        "sides", [file(tmp_path, "s.tsv", "qid\tsession\tposition\n1\tmonday\t2\n")]
    )
    assert (seen.summaries, seen.first_records) == (("s.tsv: Sessions; rows: 1",), ("1 monday 2",))
    assert AUXILIARY_FILES in RESCUED_KEYS

"""Tests that qrels and runs are read by the options of a request."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.formats.rankings import RankingReader, ReadingRequest


def test_qrels_have_the_grades_and_columns_of_the_request(tmp_path: Path) -> None:
    (tmp_path / "q.csv").write_text("topic,document,stars\n1,a,5\n1,b,3\n1,c,2\n")
    reader = ReadingRequest(columns=("grade=stars",), cuts="3,5").reader()
    assert [*reader.read_qrels(tmp_path / "q.csv").rows()] == [
        ("1", "a", 2),
        ("1", "b", 1),
        ("1", "c", 0),
    ]


def test_negative_grades_have_the_requested_meaning(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("1 0 a -1\n1 0 b 1\n")
    reader = ReadingRequest(negative="0").reader()
    assert [*reader.read_qrels(tmp_path / "q.txt").rows()] == [("1", "a", 0), ("1", "b", 1)]


def test_runs_of_a_folder_are_read_one_by_one_under_different_names(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in "xy":
        (folder / f"{name}.run").write_text(f"1 Q0 {name} 1 2.0 tag\n")
    runs = [*RankingReader().read_runs([folder])]
    assert [(run.name, [*run.topics], len(run)) for run in runs] == [
        ("x", ["1"], 1),
        ("y", ["1"], 1),
    ]


@pytest.mark.parametrize(
    "request_",
    [
        ReadingRequest(columns=("grade=stars",)),
        ReadingRequest(sheets=("Grades",)),
        ReadingRequest(encoding="gb18030"),
        ReadingRequest(gains=True),
    ],
)
def test_a_project_has_no_columns_sheets_encoding_or_grades_to_choose(
    request_: ReadingRequest,
) -> None:
    with pytest.raises(IrjudgeError) as error:
        request_.reader().refuse_project(Path("a.irjudge"))
    assert error.value.values["path"] == "a.irjudge"
    ReadingRequest(negative="0").reader().refuse_project(Path("a.irjudge"))

"""Tests of options that describe input files, and of errors for ambiguous ones."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.cli.projects import make_reading_options
from irjudge.errors import IrjudgeError
from irjudge.formats import ReadingOptions
from irjudge.formats.rankings import GradeRules
from irjudge.formats.rows import ColumnMapping
from irjudge.store import open_project, read_import_reports
from tests.engine.cli.output import numbers

DOCUMENTS = "key,body\nd1,one\nd2,two\n"
SMART_TOPICS = ".I 1\n.W\nfirst\n.I 4\n.W\nsecond\n"
INVERTED = "1 d1 1\n2 d2 3\n2 d1 -1\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (
        ("docs.csv", DOCUMENTS),
        ("topics.qry", SMART_TOPICS),
        ("judged.rel", INVERTED),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path


def new(folder: Path, *options: str) -> int:
    files = [
        "--documents",
        str(folder / "docs.csv"),
        "--topics",
        str(folder / "topics.qry"),
        "--qrels",
        str(folder / "judged.rel"),
    ]
    return main(["new", str(folder / "p.irjudge"), *files, "--scale", "0-4", *options])


def test_ambiguities_are_asked_in_turn_before_a_project_is_created(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options: list[str] = []
    for option in (
        ["--topic-ids", "order"],
        ["--grades", "1:4,3:2,-1:0"],
        ["--columns", "documents:id=key,text=body"],
    ):
        assert new(folder, *options) == 2
        message = capsys.readouterr().err
        assert option[0] in message and message.count("\n") == 1
        assert not (folder / "p.irjudge").exists()
        options += option
    assert new(folder, *options) == 0
    with open_project(folder / "p.irjudge") as project:
        assert [(topic.id, topic.title) for topic in project.collection.topics()] == [
            ("1", "first"),
            ("2", "second"),
        ]
        assert sorted(project.rankings.qrels("judged.rel").rows()) == [
            ("1", "d1", 4),
            ("2", "d1", 0),
            ("2", "d2", 2),
        ]
        assert project.collection.document("d1") is not None
        (report,) = read_import_reports(project)
    assert report.files == ["topics.qry", "docs.csv", "judged.rel"]
    result = [numbers(warning) for warning in report.warnings]
    assert ["1", "2", "1", "4"] in result  # ids by position, and those of the file
    assert [
        "1",
        "0",
        "1",
        "1",
        "4",
        "1",
        "3",
        "2",
        "1",
    ] in result  # grades, and their mapped values


def test_columns_without_a_kind_apply_to_the_only_kind_of_file() -> None:
    assert make_reading_options(["topics"], columns=["id=qid"])["topics"].columns == ColumnMapping(
        (("id", "qid"),)
    )
    both = make_reading_options(
        ["documents", "topics"], columns=["topics:id=qid", "documents: id=a:b, text=c"]
    )
    assert [str(both[kind].columns) for kind in both] == ["id=a:b,text=c", "id=qid"]


@pytest.mark.parametrize(
    ("kinds", "columns", "problem"),
    [
        (["documents", "topics"], ["id=qid"], "documents: or topics:"),
        (["topics"], ["qrels:grade=g"], "topics:"),
        (["topics"], ["id=a", "topics:title=b"], "twice for topics"),
        (["topics"], ["shelf=a"], '"shelf=a" does not name'),
        ([], ["id=a"], "files"),
    ],
)
def test_columns_of_no_files_are_refused(
    kinds: list[str], columns: list[str], problem: str
) -> None:
    with pytest.raises(IrjudgeError, match=problem):
        make_reading_options(kinds, columns=columns)


def test_each_kind_of_file_gets_only_its_own_options() -> None:
    reading_options = make_reading_options(
        ["documents", "topics", "qrels"],
        encoding="big5",
        topic_ids="order",
        grades="1:2",
        negative="0",
    )
    assert reading_options["documents"] == ReadingOptions("big5")
    assert reading_options["topics"] == ReadingOptions("big5", topic_ids="order")
    assert reading_options["qrels"] == ReadingOptions(
        "big5", negative="0", grades=GradeRules({1: 2})
    )


def test_calibration_grades_are_mapped_without_qrels(folder: Path) -> None:
    files = [
        "--documents",
        str(folder / "docs.csv"),
        "--topics",
        str(folder / "topics.qry"),
        "--calibration",
        str(folder / "judged.rel"),
    ]
    columns = ["--columns", "documents:id=key,text=body", "--topic-ids", "order"]
    assert main(["new", str(folder / "p.irjudge"), *files, *columns, "--scale", "0-4"]) == 2
    assert (
        main(
            [
                "new",
                str(folder / "p.irjudge"),
                *files,
                *columns,
                "--scale",
                "0-4",
                "--grades",
                "1:4,3:2,-1:0",
            ]
        )
        == 0
    )
    with open_project(folder / "p.irjudge", writing=False) as project:
        assert project.calibration == {"1": {"d1": 4}, "2": {"d2": 2, "d1": 0}}

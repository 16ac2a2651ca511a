"""Tests of `irjudge report`: formats, worked sheets, and ids of every kind."""

import csv
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils.escape import unescape

from irjudge.cli.main import main
from irjudge.formats.rows import unescape_formula
from tests.engine.cli.output import find_line, numbers

IDS = ["=1+1", "@x", "+1", "-1", "007", "1e5", "\x01", "_x0041_", "é😀", "a:b"]
LONG = "x" * 40_000
LONG_ID_AS_WELL = pytest.mark.parametrize("report", [[*IDS, LONG]], indirect=True, ids=["long"])


@pytest.fixture
def report(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """Return a function that reports on qrels and a run with the topic and document ids of `IDS`.

    It returns the output on stderr.
    """
    monkeypatch.chdir(tmp_path)
    documents = getattr(request, "param", IDS)
    Path("q.qrels").write_text(
        "".join(
            f"{topic} 0 {each} {at % 3}\n" for topic in IDS for at, each in enumerate(documents)
        )
    )
    for name, turn in (("mine", 0), ("other:one", 3)):
        ranked = documents[turn:] + documents[:turn]
        lines = (
            f"{topic} Q0 {each} {at} {99 - at} t\n"
            for topic in IDS
            for at, each in enumerate(ranked, 1)
        )
        Path(f"{name}.run").write_text("".join(lines))

    def call(*arguments: str, code: int = 0) -> str:
        assert main(["report", "q.qrels", "mine.run", "other:one.run", *arguments]) == code
        return capsys.readouterr().err

    return call


def column(sheet: str, name: str) -> list[str]:
    head, *rows = openpyxl.load_workbook("r.xlsx", data_only=True)[sheet].iter_rows(
        values_only=True
    )
    return [unescape(str(row[head.index(name)])) for row in rows]


@pytest.mark.slow
@LONG_ID_AS_WELL
def test_ids_are_read_back_from_the_workbook_or_reported_as_truncated(report) -> None:
    err = report("-m", "AP", "-o", "r.xlsx")
    assert list(dict.fromkeys(column("Qrels", "Document"))) == [*IDS, LONG[:32_767]]
    assert list(dict.fromkeys(column("Qrels", "Topic"))) == column("By topic", "Topic") == IDS
    assert column("Per topic", "Topic") == IDS * 2
    assert numbers(find_line(err, "Qrels, row 12, Document")) == ["10", "32,767", "12"]


@pytest.mark.slow
@LONG_ID_AS_WELL
def test_ids_are_read_back_from_the_table(report) -> None:
    report("-m", "AP", "-o", "r.csv")
    with Path("r.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [unescape_formula(row["topic"]) for row in rows] == [*IDS, "all"] * 2 and {
        row["run"] for row in rows
    } == {"mine", "other:one"}


def test_a_worked_sheet_is_made_of_each_topic_named(report) -> None:
    report("-m", "AP", "-o", "r.xlsx", "--worked", "mine:=1+1", "--worked", "other:one:a:b")
    book = openpyxl.load_workbook("r.xlsx", data_only=True)
    tops = [[book[name].cell(row, 2).value for row in (1, 2)] for name in ("Worked", "Worked 2")]
    assert tops == [["mine", "=1+1"], ["other:one", "a:b"]]
    assert book["Worked"]["B9"].value == "=1+1" and book["Worked"]["B9"].data_type == "s"
    report("-m", "AP", "-o", "r.xlsx")
    assert "Worked" not in openpyxl.load_workbook("r.xlsx").sheetnames


def test_impossible_worked_sheets_are_refused_before_writing(report) -> None:
    assert find_line(
        report("-o", "r.xlsx", "--worked", "nobody:1", code=2), "'nobody:1'", " mine, other:one."
    )
    assert "r.csv." in report("-o", "r.csv", "--worked", "mine:007", code=2)
    assert "r.pdf" in report("-o", "r.pdf", code=2)
    assert not list(Path().glob("r.*"))


def test_points_of_curves_are_not_listed_as_measures(report) -> None:
    report("-m", "IPrec@0.5", "-m", "AP", "-o", "r.xlsx")
    book = openpyxl.load_workbook("r.xlsx", data_only=True)
    assert [cell.value for cell in book["Summary"][1]][:4] == ["Run", "IPrec@0.5", "AP", "Topics"]
    assert book["Curves"]["B7"].value == 0.5 and book["Curves"]["C7"].value == pytest.approx(
        book["Summary"]["B2"].value
    )

"""Tests of column options: all commands that read qrels and runs give the output for TREC files."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.formats.rankings import map_columns_by_kind

QRELS = [("1", "a", 0), ("1", "b", 2), ("1", "c", 1), ("2", "a", 1), ("2", "b", 0)]
RUNS = {"x": {"1": "abc", "2": "ab"}, "y": {"1": "cba", "2": "ba"}}


@pytest.fixture
def run_in_formats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text(
        "".join(f"{topic} 0 {document} {grade}\n" for topic, document, grade in QRELS)
    )
    Path("q.csv").write_text(
        "query,docid,stars\n"
        + "".join(f"{topic},{document},{grade}\n" for topic, document, grade in QRELS)
    )
    for name, run in RUNS.items():
        rows = [
            (topic, each, 9 - index)
            for topic, documents in run.items()
            for index, each in enumerate(documents)
        ]
        Path(f"{name}.run").write_text(
            "".join(f"{topic} Q0 {each} 1 {score} {name}\n" for topic, each, score in rows)
        )
        Path(f"{name}.csv").write_text(
            "query,docid,bm25\n"
            + "".join(f"{topic},{each},{score}\n" for topic, each, score in rows)
        )

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(arguments)
        return code, *capsys.readouterr()

    return call


COMMANDS = {
    "evaluate": "evaluate Q X Y --format csv -m nDCG@10",
    "explain": "explain Q X -t 1 -m nDCG@10",
    "compare": "compare Q X Y -m nDCG@10 --format csv",
    "correlate": "correlate --systems Q X Y -m AP -m nDCG@10 --format csv",
    "correlate qrels": "correlate --systems Q X Y -m AP --qrels Q --format csv",
    "figure": "figure precision-recall Q X Y --format csv",
    "figure of measures": "figure topic-spread Q X Y -m AP --format csv",
    "bounds": "bounds Q X Y --format csv",
    "reusability": "reusability Q X Y --depth 2 --format csv",
    "user": "user Q X Y --known Q --format csv",
    "estimate": "estimate Q X Y --pool pool.csv --format csv",
    "pool": "pool X Y --strategy mtf --size 2 --qrels Q --format csv",
}


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_columns_are_mapped_and_requested(run_in_formats, arguments):
    if "pool.csv" in arguments:
        assert run_in_formats("pool", "x.run", "y.run", "--depth", "2", "-o", "pool.csv")[0] == 0
    tables = arguments.replace("Q", "q.csv").replace("X", "x.csv").replace("Y", "y.csv").split()
    lines = arguments.replace("Q", "q.txt").replace("X", "x.run").replace("Y", "y.run").split()
    code, _, err = run_in_formats(*tables)
    assert (code, "q.csv" in err) == (2, True)
    grade = run_in_formats(*tables, "--columns", "score=bm25")
    score = run_in_formats(*tables, "--columns", "grade=stars")
    assert (grade[0], '--columns "grade=stars"' in grade[2]) == (2, True)
    assert (score[0], '--columns "score=bm25" or "rank=bm25"' in score[2]) == (
        2,
        True,
    )
    expected = run_in_formats(*lines)
    outputs = run_in_formats(*tables, "--columns", "qrels:grade=stars", "--columns", "score=bm25")
    assert (outputs[0], outputs[1].replace("q.csv", "q.txt")) == expected[:2] == (0, expected[1])


def test_a_report_uses_mapped_columns_for_values_and_worked_topics(run_in_formats):
    err = ["-m", "AP", "-m", "nDCG@10", "--columns", "grade=stars", "--columns", "score=bm25"]
    for ending in ("csv", "md"):
        assert (
            run_in_formats("report", "q.csv", "x.csv", "y.csv", *err, "-o", f"tables.{ending}")[0]
            == 0
        )
        lines = ["q.txt", "x.run", "y.run", *err[:4], "-o", f"lines.{ending}"]
        assert run_in_formats("report", *lines)[0] == 0
    assert Path("tables.csv").read_text() == Path("lines.csv").read_text()
    assert (
        run_in_formats("report", "q.csv", "x.csv", *err, "--worked", "x:1", "-o", "r.xlsx")[0] == 0
    )


def test_two_runs_are_correlated_by_the_given_columns(run_in_formats):
    tables = run_in_formats(
        "correlate", "x.csv", "y.csv", "--columns", "score=bm25", "--format", "csv"
    )
    assert tables[:2] == run_in_formats("correlate", "x.run", "y.run", "--format", "csv")[:2]


@pytest.mark.parametrize(
    "arguments",
    ["evaluate p.irjudge", "report p.irjudge -o r.md", "bounds p.irjudge", "reusability p.irjudge"],
)
def test_column_options_need_files(run_in_formats, arguments):
    assert run_in_formats("sample", "everyday", "-o", "p.irjudge")[0] == 0
    code, _, err = run_in_formats(*arguments.split(), "--columns", "grade=stars")
    assert code == 2 and err.count("\n") == 1
    assert err.startswith("irjudge: p.irjudge ") and "--columns" in err


def test_column_names_identify_the_kind_of_files_if_unambiguous():
    named = map_columns_by_kind(["qrels", "runs"], ["grade=stars, document=page", "rank=3,topic=1"])
    assert {kind: str(columns) for kind, columns in named.items()} == {
        "qrels": "grade=stars,document=page",
        "runs": "rank=3,topic=1",
    }
    with pytest.raises(IrjudgeError, match=r"document=page.* qrels: or runs: "):
        map_columns_by_kind(["qrels", "runs"], ["document=page"])

"""Tests that one topic gives no interval and no t-test, but the reason."""

import csv
from pathlib import Path

import openpyxl
import pytest

import irjudge
from irjudge.cli.main import main
from irjudge.evaluation import (
    COMPARISON_COLUMNS,
    Evaluation,
    compare,
    evaluate_runs,
    parse_measures,
)
from irjudge.model import make_qrels, make_run
from irjudge.report.workbook.book import WorkbookContents, write_workbook
from irjudge.stats.significance import TESTS


def evaluate(topics: int) -> Evaluation:
    names = [f"t{number}" for number in range(topics)]
    qrels = make_qrels([(topic, "yes", 1) for topic in names])
    good = make_run("good", [(topic, "yes", 1.0) for topic in names])
    late = make_run("late", [row for t in names for row in ((t, "no", 2.0), (t, "yes", 1.0))])
    return evaluate_runs(qrels, [good, late], parse_measures(["RR"]))


@pytest.mark.parametrize("test", ["t", "tukey-hsd"])
def test_a_test_of_variance_has_no_p_with_one_topic(test: str) -> None:
    comparison = compare(evaluate(1), tests=[test])
    (row,) = (dict(zip(COMPARISON_COLUMNS, cells, strict=True)) for cells in comparison.rows())
    assert (row["p"], row["p_adjusted"], row["low"], row["high"]) == (None, None, None, None)
    assert row["difference"] == 0.5 and any("1 topic" in each for each in comparison.notes)
    (pair,) = compare(evaluate(2), tests=[test]).pairs
    assert pair.is_tested


def test_a_test_that_counts_keeps_its_p() -> None:
    counting = [name for name in TESTS if TESTS[name].min_topics == 1]
    assert {"sign", "permutation", "wilcoxon"} <= {*counting}
    comparison = compare(evaluate(1), tests=["sign", "permutation"])
    assert [pair.p for pair in comparison.pairs] == [1.0, 1.0] and all(
        p.is_tested for p in comparison.pairs
    )


def test_a_workbook_leaves_the_cells_empty(tmp_path: Path) -> None:
    table = evaluate(1)
    path = tmp_path / "one.xlsx"
    write_workbook(path, table, WorkbookContents(comparison=compare(table, tests=["t"])))
    header, row = openpyxl.load_workbook(path)["Comparisons"].iter_rows(values_only=True)
    cells = dict(zip(header, row, strict=True))
    assert cells["p"] is cells["p adjusted"] is cells["Lower 95 %"] is None


@pytest.mark.parametrize("topics", [1, 2])
def test_the_command_prints_no_interval_of_one_topic(
    topics: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    qrels, run = tmp_path / "q", tmp_path / "r"
    qrels.write_text("".join(f"{topic} 0 d 1\n" for topic in range(topics)))
    run.write_text("".join(f"{topic} Q0 d 1 1 r\n" for topic in range(topics)))
    arguments = ["evaluate", str(qrels), str(run), "-m", "RR", "--interval", "--format", "csv"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    (row,) = csv.DictReader(out.splitlines())
    assert (row["low"], row["high"]) == (("", "") if topics == 1 else ("1.0", "1.0"))
    assert ("1 topic cannot" in err) == (topics == 1)


@pytest.mark.parametrize("topics", [1, 2])
def test_an_estimate_of_one_topic_has_no_interval_and_the_reason(
    topics: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    prels, run = tmp_path / "prels", tmp_path / "late"
    prels.write_text("".join(f"{t} a 1 1 .5\n{t} b 0 1 .5\n" for t in range(topics)))
    run.write_text("".join(f"{t} Q0 {d} 1 {s} r\n" for t in range(topics) for d, s in ("b2", "a1")))
    assert main(["estimate", str(prels), str(run), "--interval", "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    (row,) = csv.DictReader(out.splitlines())
    assert float(row["value"]) > 0
    assert ((row["low"], row["high"]) == ("", "")) == (topics == 1)
    assert ("1 topic cannot" in err) == (topics == 1)
    table = irjudge.estimate(str(prels), str(run), interval=True)
    keys = [getattr(each, "key", "") for each in table.attrs["remarks"]]
    assert ("no-interval" in keys) == (topics == 1)

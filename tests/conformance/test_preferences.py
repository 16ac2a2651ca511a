"""Tests of a crowd's music preferences, in cp1252 with empty fields."""

import csv
import io

import pytest

from irjudge.cli.main import main


@pytest.fixture
def rows(data, capsys):
    path = data / "pairwise_music" / "data" / "judgments.csv"
    arguments = [
        "--winners",
        "a:left,b:right,s:tie",
        "--documents",
        "--format",
        "csv",
        "--samples",
        "50",
    ]
    assert main(["preferences", str(path), *arguments]) == 0
    printed = capsys.readouterr()
    assert "cp1252" in printed.err and "5 rows" in printed.err
    return list(csv.DictReader(io.StringIO(printed.out)))


def test_every_row_is_counted(rows) -> None:
    counts = {
        row["statistic"]: (row["count"], row["total"]) for row in rows if row["part"] == "answers"
    }
    assert (
        counts["left"] == ("577", "2805")
        and counts["right"] == ("823", "2805")
        and counts["tie"] == ("1405", "2805")
    )
    assert counts["blank"] == ("5", "2810")


def test_all_281_pairs_of_118_documents_in_11_topics_have_strengths(rows) -> None:
    pairs = [row for row in rows if row["part"] == "pairs" and row["statistic"] == "net preference"]
    assert len(pairs) == 281 and sum(int(row["total"]) for row in pairs) == 2805
    strengths = [row for row in rows if row["statistic"] == "davidson log-worth"]
    assert len(strengths) == 118
    assert len([row for row in rows if row["statistic"] == "davidson tie"]) == 11
    for topic in {row["topic"] for row in strengths}:
        assert sum(
            float(row["value"]) for row in strengths if row["topic"] == topic
        ) == pytest.approx(0, abs=1e-6)


def test_the_left_side_was_chosen_less_often_than_half_the_time(rows) -> None:
    overall = next(
        row
        for row in rows
        if row["part"] == "sides" and not row["assessor"] and row["statistic"] == "left chosen"
    )
    assert (overall["count"], overall["total"]) == ("577", "1400")
    # scipy 1.17: binomtest(577, 1400) and its Wilson interval.
    assert float(overall["p"]) == pytest.approx(5.29e-11, rel=0.01)
    assert (float(overall["low"]), float(overall["high"])) == pytest.approx(
        (0.3866, 0.4381), abs=5e-5
    )

"""Tests of clicks over expected clicks and of the grades derived from them, worked by hand."""

from pathlib import Path

import pytest
import scipy

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError
from irjudge.formats import read_shown_results
from irjudge.formats.rankings import read_qrels
from irjudge.judging import list_qrels_choices
from irjudge.logs import clicks_over_expected, grade_by_coec, parse_cut_points
from irjudge.model import CLICK_QRELS_PREFIX, Scale, ShownResults, Topic, make_qrels, make_run
from irjudge.store import create_project, open_project

# Five of ten results at rank 1 were clicked, and one of ten at rank 2.
LOG = """session,query,results,clicks
1,tea,"[""a"", ""b""]",1
2,tea,"[""a"", ""b""]",1
3,tea,"[""a"", ""b""]",1
4,tea,"[""b"", ""a""]",2
5,tea,"[""a"", ""b""]",
6,rice,"[""c"", ""d""]",1
7,rice,"[""c"", ""d""]",
8,rice,"[""c"", ""d""]",1
9,rice,"[""c"", ""d""]",
10,rice,"[""c"", ""d""]",
"""


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (path := tmp_path / "log.csv").write_text(LOG)
    return path


def test_a_log_has_the_values_worked_by_hand(log: Path) -> None:
    """a: displayed four times at rank 1 and once at rank 2, so 4 · .5 + .1 = 2.1 expected clicks.

    It had 4 clicks; b: 4 · .1 + .5 = .9 expected clicks, and none.
    """
    results, _ = read_shown_results(log)
    estimates = clicks_over_expected(results)
    assert estimates.ranks.tolist() == [1, 2]
    assert estimates.share.tolist() == [0.5, 0.1] and estimates.shown.tolist() == [10, 10]
    rows = {row.document: row for row in estimates.rows}
    assert (rows["a"].impressions, rows["a"].clicks, rows["a"].expected) == (
        5,
        4,
        pytest.approx(2.1),
    )
    assert rows["a"].coec == pytest.approx(4 / 2.1)
    assert (rows["b"].clicks, rows["b"].expected, rows["b"].coec, rows["b"].low) == (
        0,
        pytest.approx(0.9),
        0.0,
        0.0,
    )
    assert (rows["c"].coec, rows["d"].coec) == (pytest.approx(2 / 2.5), 0.0)
    assert sum(row.expected for row in estimates.rows) == pytest.approx(
        sum(row.clicks for row in estimates.rows)
    )


def test_a_high_rank_needs_no_memory_for_the_ranks_above_it() -> None:
    results = ShownResults()
    results.add("tea", "a", 1, clicked=True)
    results.add("tea", "b", 1_000_000_000, clicked=False)
    estimates = clicks_over_expected(results)
    assert estimates.ranks.tolist() == [1, 1_000_000_000]
    assert estimates.share.tolist() == [1, 0] and estimates.shown.tolist() == [1, 1]


def test_the_interval_is_that_of_a_poisson_count(log: Path) -> None:
    """Garwood: of four clicks from 1.0899 to 10.2416, of none from 0 to 3.6889."""
    results, _ = read_shown_results(log)
    rows = {row.document: row for row in clicks_over_expected(results).rows}
    assert (rows["a"].low, rows["a"].high) == (
        pytest.approx(1.0899 / 2.1, abs=1e-4),
        pytest.approx(10.2416 / 2.1, abs=1e-4),
    )
    assert rows["b"].high == pytest.approx(3.6889 / 0.9, abs=1e-4)
    low, high = rows["a"].low * rows["a"].expected, rows["a"].high * rows["a"].expected
    assert scipy.stats.poisson.sf(3, low) == pytest.approx(0.025) and scipy.stats.poisson.cdf(
        4, high
    ) == pytest.approx(0.025)


def test_grades_count_the_cuts_reached_by_documents_shown_often_enough(log: Path) -> None:
    results, _ = read_shown_results(log)
    estimates = clicks_over_expected(results)
    assert list(grade_by_coec(estimates, (0.5, 1.0, 2.0), min_impressions=5)) == [
        ("tea", "a", 2),
        ("tea", "b", 0),
        ("rice", "c", 1),
        ("rice", "d", 0),
    ]
    assert list(grade_by_coec(estimates, (0.5,), min_impressions=6)) == []
    for invalid in ("", "1,1", "2,1", "0,1", "x", "nan"):
        with pytest.raises(IrjudgeError) as error:
            parse_cut_points(invalid)
        assert (error.value.key, error.value.values["text"]) == ("invalid-cuts", invalid)


def test_a_log_without_a_click_expects_nothing() -> None:
    results = ShownResults()
    results.add("tea", "a", 3, clicked=False)
    (row,) = clicks_over_expected(results).rows
    assert (row.expected, row.coec, row.low, row.high) == (0.0, 0.0, None, None)
    estimates = clicks_over_expected(results)
    assert (estimates.ranks.tolist(), estimates.shown.tolist()) == ([3], [1])


def test_the_command_prints_values_or_writes_qrels(
    log: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["clicks", "log.csv", "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert (
        out.splitlines()[0] == "query,document,impressions,clicks,expected,coec,low,high"
        and len(out.splitlines()) == 5
    )
    assert "(1: 0.5000, 2: 0.1000)" in err
    assert main(["clicks", "log.csv", "--least", "5", "-o", "clicks.qrels"]) == 0
    assert next(iter(read_qrels(Path("clicks.qrels")).rows())) == ("tea", "a", 2)
    with create_project(Path("p.irjudge"), scale=Scale.parse("0-3")) as project:
        project.collection.add_topics([Topic("7", "Tea"), Topic("8", "tea")])
        project.rankings.add_run(make_run("r", [("8", "a", 2.0), ("8", "b", 1.0)]))
        project.rankings.add_qrels("people", make_qrels([("8", "z", 1)]))
    assert main(["clicks", "log.csv", "--least", "5", "--project", "p.irjudge"]) == 0
    assert " p.irjudge as clicks (COEC)." in capsys.readouterr().err
    assert main(["clicks", "log.csv", "--least", "5", "--project", "p.irjudge"]) == 0
    with open_project(
        Path("p.irjudge")
    ) as project:  # values rest on clicks of people, but not on judgments
        assert [each.name for each in list_qrels_choices(project)] == [
            "people",
            CLICK_QRELS_PREFIX,
            f"{CLICK_QRELS_PREFIX} 2",
        ]
        assert list(project.rankings.qrels(CLICK_QRELS_PREFIX).rows()) == [
            ("8", "a", 2),
            ("8", "b", 0),
        ]
    assert main(["clicks", "log.csv", "--project", "p.irjudge"]) == 2

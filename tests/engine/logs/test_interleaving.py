"""Tests of team-draft interleaving, worked by hand: wins, intervals, and the sign test."""

from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats import InterleavedResult, read_interleaved
from irjudge.logs import compare_team_draft

# A wins 1, 2 and 4, B wins 3; 5 is a tie with a click each, 6 has no click. In 7 only A shows
# documents.
TABLE = """search,topic,rank,document,team,clicked
1,tea,1,a,A,1
1,tea,2,b,B,0
2,tea,1,b,B,1
2,tea,2,a,A,1
2,tea,3,c,A,1
3,tea,1,a,A,0
3,tea,2,b,B,true
4,rice,1,r,A,2
4,rice,2,s,B,1
5,rice,1,r,A,1
5,rice,2,s,B,1
6,rice,1,r,A,0
6,rice,2,s,B,no
7,rice,1,r,A,1
7,rice,2,t,,1
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    (path := tmp_path / "searches.csv").write_text(TABLE)
    return path


def test_searches_have_the_values_worked_by_hand(table: Path) -> None:
    (pair,) = compare_team_draft(read_interleaved(table))
    assert (pair.team_a, pair.team_b, pair.searches) == ("A", "B", 6)
    assert (pair.wins_a, pair.wins_b, pair.ties, pair.unclicked) == (3, 1, 2, 1)
    assert pair.share == 0.75 and pair.delta == pytest.approx((3 + 1) / 6 - 0.5)
    assert pair.p == 2 * (1 + 4) / 16  # of four coins one head or none, twice
    # Wilson by hand: z² = 3.8415, centre (.75 + 3.8415/8) / (1 + 3.8415/4), half z / (1 + z²/4)
    # sqrt(.75·.25/4 + z²/64)
    assert (pair.low, pair.high) == (
        pytest.approx(0.30064, abs=1e-5),
        pytest.approx(0.95441, abs=1e-5),
    )


def test_each_topic_has_its_row(table: Path) -> None:
    comparison = compare_team_draft(read_interleaved(table), per_topic=True)
    assert [(pair.topic, pair.wins_a, pair.wins_b, pair.ties) for pair in comparison] == [
        ("tea", 2, 1, 0),
        ("rice", 1, 0, 2),
        ("all", 3, 1, 2),
    ]


def test_very_many_teams_are_refused() -> None:
    """1,000 teams in a search have 499,500 pairs, which took 15 s and 600 MB."""
    results = [InterleavedResult("s", "1", f"d{team}", f"t{team}", 0) for team in range(101)]
    assert len(compare_team_draft(results[:100])) == 100 * 99 // 2
    with pytest.raises(IrjudgeError) as refused:
        compare_team_draft(results)
    assert refused.value.key == "too-many-teams"


def test_every_two_of_several_teams_are_compared() -> None:
    rows = [("1", "A", 1), ("1", "B", 0), ("2", "B", 0), ("2", "C", 0)]
    comparison = compare_team_draft(
        InterleavedResult(search, "", f"{search}{team}", team, clicks)
        for search, team, clicks in rows
    )
    assert [(pair.team_a, pair.team_b, pair.wins_a, pair.ties) for pair in comparison] == [
        ("A", "B", 1, 0),
        ("B", "C", 0, 1),
    ]
    assert (comparison[1].share, comparison[1].low, comparison[1].p) == (None, None, 1.0)
    with pytest.raises(IrjudgeError) as error:
        compare_team_draft([InterleavedResult("1", "", "a", "A", 1)])
    assert error.value.key == "one-team"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("1,tea,3,a,A,0", "line 17: document a .*search 1"),
        ("1,rice,3,z,A,0", "line 17: search 1 "),
        ("8,tea,1,a,A,-1", "line 17: clicked is -1;"),
        ("8,tea,1,a,A,x", "line 17: clicked 'x' "),
        ("8,tea,1,,A,0", "line 17: "),
    ],
)
def test_invalid_rows_are_named(table: Path, row: str, message: str) -> None:
    table.write_text(TABLE + row + "\n")
    with pytest.raises(FormatError, match=message):
        read_interleaved(table)


def test_the_command_prints_the_pairs(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["interleaving", str(table), "--format", "csv"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[1].startswith("all,A,B,6,3,1,2,1,0.75,") and "Wilson's interval" in err


def test_a_query_id_beside_a_search_id_is_the_topic(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("search_id,query_id,doc_id,team,clicked\n1,q7,d,A,1\n")
    (result,) = read_interleaved(path)
    assert (result.search, result.topic) == ("1", "q7")

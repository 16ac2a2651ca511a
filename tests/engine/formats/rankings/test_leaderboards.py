"""Tests of leaderboards in the column orders of AutoJudge and ir_measures.

The lines are those of `Leaderboard.write` (trec-auto-judge/auto-judge-base,
src/autojudge_base/leaderboard, commit 55d0ec1), whose formats are "tot" (run, measure, topic,
value) and "ir_measures" (run, topic, measure, value); values may be True and False.
"""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings import is_leaderboard, read_leaderboard

TOT = "runA GRADE t1 0.9\nrunA IS_MATCH t1 True\nrunA GRADE all 0.65\nrunA IS_MATCH all 0.5\n"
TOT += "runB GRADE all -1e-1\nrunB IS_MATCH all False\n"
VALUES = {"GRADE": {"runA": 0.65, "runB": -0.1}, "IS_MATCH": {"runA": 0.5, "runB": 0.0}}


def write_board(tmp_path: Path, text: str, name: str = "board.txt") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        TOT,
        "# by a judge\n\n" + TOT.replace(" ", "\t"),
        "".join(
            f"{run} {topic} {measure} {value}\n"
            for run, measure, topic, value in map(str.split, TOT.splitlines())
        ),
        "run,measure,topic,value\n" + TOT.replace(" ", ","),
        "run_id\ttopic_id\tmetric\tvalue\n"
        + "".join(f"{a}\t{c}\t{b}\t{d}\n" for a, b, c, d in map(str.split, TOT.splitlines())),
    ],
)
def test_values_of_all_topics_are_read(tmp_path: Path, text: str) -> None:
    path = write_board(tmp_path, text)
    assert is_leaderboard(path)
    assert read_leaderboard(path).values == VALUES


def test_measures_without_values_of_all_topics_are_named(tmp_path: Path) -> None:
    leaderboard = read_leaderboard(
        write_board(tmp_path, "a f1 t1 .5\na f1_macro all .5\nb f1 t1 .25\nb f1_macro all .25\n")
    )
    assert (leaderboard.values, leaderboard.unread) == ({"f1_macro": {"a": 0.5, "b": 0.25}}, ["f1"])


@pytest.mark.parametrize(
    "text",
    ["1 0 d1 2\n1 0 d2 0\n", "1 Q0 d1 1 2.0 t\n", "a m t1 0.5\nb m t1 0.5\n", "a all all 1\n", ""],
)
def test_qrels_runs_and_files_without_means_are_not_leaderboards(tmp_path: Path, text: str) -> None:
    assert not is_leaderboard(write_board(tmp_path, text))


@pytest.mark.parametrize(
    ("text", "key", "line", "value"),
    [
        ("a m all 0.5\na m all 0.7\n", "twice", 2, "a, m, all"),
        ("a m all good\n", "not-a-number", 1, "'good'"),
        ("a m all nan\n", "not-a-number", 1, "'nan'"),
        ("a m all 1e999\n", "not-a-number", 1, "'1e999'"),
        ("a m t1 0.5\n", "no-leaderboard", None, ""),
        ("a m all 0.5\n" * 1000 + "a m\n", "twice", 2, "a, m, all"),
        (
            "".join(f"a m{number} all 0.5\n" for number in range(1000)) + "a m\n",
            "column-count",
            1001,
            "2",
        ),
        ("run,measure,topic,value\na,,all,1\n", "empty-cell", 2, "measure"),
    ],
)
def test_errors_are_named(
    tmp_path: Path, text: str, key: str, line: int | None, value: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read_leaderboard(write_board(tmp_path, text))
    assert (refused.value.key, refused.value.line) == (key, line)
    assert value in str(refused.value)

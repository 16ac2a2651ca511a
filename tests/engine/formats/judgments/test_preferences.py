"""Tests of tables of preferences: columns in any order, mapped answers, and errors."""

from pathlib import Path

import numpy as np
import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.judgments import parse_winners, read_preferences
from irjudge.formats.rows import ColumnMapping


@pytest.fixture
def table(tmp_path: Path):
    def write(text: str, encoding: str = "utf-8") -> Path:
        (path := tmp_path / "p.csv").write_bytes(text.encode(encoding))
        return path

    return write


def test_columns_may_be_in_any_order(table) -> None:
    preferences = read_preferences(
        table(
            "winner,seconds,Topic,right,left,assessor,strength\nleft,2.5,051,lm,bm25,ann,2\ntie,,051,bm25,lm,bo,1\n"
        )
    )
    assert (
        preferences.items == ("bm25", "lm")
        and preferences.topics == ("051",)
        and preferences.assessors == ("ann", "bo")
    )
    assert (
        preferences.left.tolist(),
        preferences.winner.tolist(),
        preferences.strength.tolist(),
    ) == (
        [0, 1],
        [1, 0],
        [2, 0],
    )
    assert preferences.seconds[0] == 2.5 and np.isnan(preferences.seconds[1])


@pytest.mark.parametrize("separator", [";", "\t"])
def test_other_separators_are_accepted(table, separator: str) -> None:
    assert read_preferences(
        table("left,right,winner\na,b,RIGHT\n".replace(",", separator))
    ).winner.tolist() == [-1]


def test_the_winner_may_be_named(table) -> None:
    assert read_preferences(
        table("left,right,winner\nbm25,lm,lm\nlm,bm25,lm\nlm,bm25,same\n")
    ).winner.tolist() == [-1, 1, 0]


@pytest.mark.parametrize("names", ["docA,docB", "a,b", "system_a,system_b"])
def test_letters_of_column_names_mean_their_sides(table, names: str) -> None:
    assert read_preferences(
        table(f"{names},winner\nx,y,a\nx,y,B\nx,y,s\nx,y,y\n")
    ).winner.tolist() == [1, -1, 0, -1]


def test_an_ambiguous_letter_is_refused(table) -> None:
    assert read_preferences(table("a,b,winner\na,b,a\n")).winner.tolist() == [1]
    with pytest.raises(FormatError, match="winner 'a'"):
        read_preferences(table("a,b,winner\nb,a,a\n"))
    with pytest.raises(FormatError, match="winners 'a', 's'"):
        read_preferences(table("left,right,winner\nx,y,a\nx,y,s\n"))


@pytest.mark.parametrize(
    ("left", "right"), [("run_a", "run_b"), ("model_a", "model_b"), ("first", "second")]
)
def test_the_name_of_the_column_of_a_side_means_that_side(table, left: str, right: str) -> None:
    path = table(f"{left},{right},winner\nx,y,{right}\nx,y,{left.upper()}\nx,y,tie\n")
    assert read_preferences(path).winner.tolist() == [-1, 1, 0]


def test_the_number_of_a_column_means_no_side(table) -> None:
    columns = ColumnMapping((("left", "2"), ("right", "1"), ("winner", "3")))
    with pytest.raises(FormatError) as caught:
        read_preferences(table("y,x,1\ny,x,left\n"), columns=columns)
    assert caught.value.key == "unknown-winner"


@pytest.mark.parametrize(
    ("answers", "example"),
    [
        ("2 1", "2:right,1:left"),
        ("second first", "second:right,first:left"),
        ("B A", "B:right,A:left"),
        ("model_b model_a", "model_b:…,model_a:…"),  # the order of rows states no side
        ("1 0", "1:…,0:…"),
        ("2 0 1", "2:…,0:…,1:…"),  # 0, 1, 2 may be left, right, tie
    ],
)
def test_the_suggested_mapping_names_a_side_only_for_pairs_in_a_known_order(
    table, answers: str, example: str
) -> None:
    rows = "".join(f"x,y,{answer}\n" for answer in answers.split())
    with pytest.raises(FormatError) as caught:
        read_preferences(table("left,right,winner\n" + rows))
    assert caught.value.values["example"] == example


def test_all_unknown_answers_are_listed_together(table) -> None:
    with pytest.raises(FormatError) as caught:
        read_preferences(table("left,right,winner\nx,y,left\nx,y,L\nx,y,R\nx,y,L\n"))
    assert (caught.value.path.name, caught.value.line) == ("p.csv", 3)
    message = str(caught.value)
    assert all(each in message for each in ("'L', 'R'", "left, right, tie", "--winners"))
    assert '"L:left,R:right"' in message


def test_other_answers_and_column_names_can_be_mapped(table) -> None:
    path = table("one,two,said\nx,y,Model_A\nx,y,model_b\nx,y,both: bad\nx,y,\n")
    columns = ColumnMapping((("left", "one"), ("right", "two"), ("winner", "said")))
    preferences = read_preferences(
        path, columns=columns, winners=parse_winners("model_a:left,model_b:right,both: bad:tie")
    )
    assert (preferences.winner.tolist(), preferences.blank) == ([1, -1, 0], 1)
    assert any("1 row" in warning for warning in preferences.warnings)


def test_items_with_the_names_of_their_sides_are_accepted(table) -> None:
    path = table("left,right,winner\nleft,right,right\nleft,right,left\nleft,right,tie\n")
    assert read_preferences(path).winner.tolist() == [-1, 1, 0]
    path = table("left,right,winner\nright,left,right\n")
    winners = parse_winners("left:left,right:right")
    assert read_preferences(path, winners=winners).winner.tolist() == [-1]


def test_a_table_in_another_encoding_is_read_with_a_warning(table) -> None:
    preferences = read_preferences(
        table(
            "left,right,winner,comment\nMartín,Jürgen,left,“très bien” à côté\n" * 1
            + "Jürgen,Martín,tie,él\n",
            "cp1252",
        )
    )
    assert preferences.items == ("Jürgen", "Martín")
    assert any("cp1252" in warning for warning in preferences.warnings)


@pytest.mark.parametrize(
    ("text", "key", "line", "value"),
    [
        ("left,right,winner\na,b,left\na,b,who\n", "unknown-winner", 3, "'who'"),
        ("left,right,winner\nright,left,right\n", "unknown-winner", 2, "'right'"),
        ("left,right,winner\nsame,b,same\n", "unknown-winner", 2, "'same'"),
        ("left,right,winner\na,a,left\n", "same-item", 2, "'a'"),
        ("left,right,winner\n,b,left\n", "empty-cell", 2, "left"),
        ("left,right,winner,strength\na,b,left,3\n", "unknown-strength", 2, "'3'"),
        ("left,right,winner,seconds\na,b,left,-1\n", "not-a-time", 2, "'-1'"),
        ("left,right,winner,seconds\na,b,left,inf\n", "not-a-time", 2, "'inf'"),
        ("left,right,winner\na,b,\n", "no-answer", None, ""),
        ("left,right,who\na,b,left\n", "no-column", 1, "winner"),
    ],
)
def test_invalid_rows_are_refused_with_their_line(
    table, text: str, key: str, line: int | None, value: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read_preferences(table(text))
    assert (refused.value.key, refused.value.line) == (key, line)
    assert value in str(refused.value)


def test_documents_need_their_topic(table) -> None:
    with pytest.raises(FormatError, match="compared within a topic"):
        read_preferences(table("left,right,winner\na,b,left\n"), documents=True)


@pytest.mark.parametrize("text", ["left", "A:up", ":left", "A:left,a:right"])
def test_an_unused_mapping_of_answers_is_refused(text: str) -> None:
    with pytest.raises(IrjudgeError, match="expected"):
        parse_winners(text)


def test_other_columns_of_winners_are_named(table) -> None:
    path = table("left,right,choice,winner\nx,y,left,right\n")
    preferences = read_preferences(path)
    assert preferences.winner.tolist() == [-1]
    assert [each.key for each in preferences.warnings] == ["ignored-column"]


@pytest.mark.parametrize("row", ["x,y,left,0", "x,y,y,0", "x,y,tie,2"])
def test_a_strength_that_contradicts_the_winner_is_refused(table, row: str) -> None:
    with pytest.raises(FormatError) as refused:
        read_preferences(table(f"left,right,winner,strength\nx,y,x,1\n{row}\n"))
    assert (refused.value.key, refused.value.line) == ("contradicting-strength", 3)

"""Tests of fractional ratings and grades of other scales: mapped as requested, never rounded."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats import ReadingOptions, classify_rankings, preview_files
from irjudge.formats.judgments import read_judgments
from irjudge.formats.rankings import read_qrels
from irjudge.message import Message
from tests.messages import keys_and_values

BOOK = "query,docid,Ann,Bob\nstar wars,11,0.5,1\nstar wars,12,0,1\n"
ONE = "query,docid,Ann\nstar wars,11,3\njazz bass,7,\n"
TURN = {0.0: 0, 0.5: 1, 1.0: 2}


def write_table(tmp_path: Path, text: str, name: str = "a.csv") -> Path:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return path


def test_fractions_of_a_book_need_a_mapping(tmp_path: Path) -> None:
    path = write_table(tmp_path, BOOK)
    with pytest.raises(
        Undecided, match=r'ratings: 0, 0\.5, 1\); map them with --grades "0:0,0\.5:1,1:2"'
    ) as asked:
        read_judgments(path)
    assert asked.value.options == ("grades",)
    assert [(row.assessor, row.grade) for row in read_judgments(path, grades=TURN).rows] == [
        ("Ann", 1),
        ("Bob", 2),
        ("Ann", 0),
        ("Bob", 2),
    ]
    with pytest.raises(FormatError, match="--grades") as refused:
        read_judgments(path, grades={0.0: 0, 0.5: 1})
    assert (refused.value.key, refused.value.values["value"]) == ("unturned-grade", "1")


def test_a_grade_outside_the_scale_needs_a_mapping(tmp_path: Path) -> None:
    path = write_table(
        tmp_path, "topic,document,assessor,grade\n1,a,x,10\n1,b,x,unjudgeable\n1,c,x,0\n"
    )
    with pytest.raises(Undecided, match="--grades") as asked:
        read_judgments(path, scale=(0, 1))
    values = asked.value.values
    assert (asked.value.key, asked.value.line) == ("unknown-grade", 2)
    assert (values["found"], values["values"]) == ("10", "0, 1")
    assert [row.grade for row in read_judgments(path, scale=(0, 1), grades={10: 1, 0: 0}).rows] == [
        1,
        -2,
        0,
    ]


def test_a_book_of_one_judge_is_recognised(tmp_path: Path) -> None:
    rows = read_judgments(write_table(tmp_path, ONE)).rows
    assert [(row.topic, row.document, row.assessor, row.grade) for row in rows] == [
        ("q1", "11", "Ann", 3)
    ]


@pytest.mark.parametrize("name", ["score", "rank", "position", "worker"])
def test_a_third_column_with_another_name_is_not_a_judge(tmp_path: Path, name: str) -> None:
    with pytest.raises(FormatError):
        read_judgments(write_table(tmp_path, ONE.replace("Ann", name)))


def test_fractions_in_tables_need_a_mapping_and_scores_are_a_run(tmp_path: Path) -> None:
    path = write_table(tmp_path, "query_id,doc_id,relevance\n1,a,0.5\n1,b,1\n")
    run = write_table(tmp_path, "query_id,doc_id,score\n1,a,2.5\n1,b,1\n", "r.csv")
    with pytest.raises(Undecided, match=r'map them with --grades "0\.5:0,1:1"'):
        read_qrels(path)
    assert list(read_qrels(path, grades=TURN).rows()) == [("1", "a", 1), ("1", "b", 2)]
    sorted_files = classify_rankings([path, run])
    assert (sorted_files.qrels, sorted_files.runs) == ((path,), (run,))


def test_a_preview_names_the_format_and_its_contents(tmp_path: Path) -> None:
    seen = preview_files(
        "qrels", [write_table(tmp_path, "query,docid,rating\nstar wars,11,3\njazz bass,7,\n")]
    )
    assert keys_and_values(seen.summaries, "file", "form", "queries")[0][1:] == (
        "a.csv",
        "Quepid ratings",
        "2",
    )
    assert seen.first_records == ("star wars 11 3",)
    assert keys_and_values(seen.warnings, "file", "left") == [("without-rating", "a.csv", "1")]
    seen = preview_files("judgments", [write_table(tmp_path, BOOK)], ReadingOptions(grades=TURN))
    assert "Quepid book" in seen.summaries[0].values["form"]
    assert seen.summaries[0].values["queries"] == "1"
    asked = preview_files("judgments", [write_table(tmp_path, BOOK)])
    assert isinstance(asked.rejected[0].error, Undecided)


def test_the_grades_of_a_preview_are_translated(tmp_path: Path) -> None:
    (preview,) = preview_files(
        "qrels", [write_table(tmp_path, "1 0 a 1\n1 0 b 0\n", "a.qrels")]
    ).summaries
    assert isinstance(preview, Message)
    assert (preview.values["qrels"], preview.values["topics"]) == ("2", "1")
    assert "1 mit 0" in preview.translate_with(
        lambda template: (
            "{count} mit {value}" if "{count}" in template and "{value}" in template else template
        )
    )

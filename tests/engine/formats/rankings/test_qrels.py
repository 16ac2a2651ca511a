"""Tests of qrels: every quirk of real files, in small files."""

import gzip
import re
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats import classify_rankings
from irjudge.formats.rankings import Negative, parse_grades, read_qrels, write_qrels
from irjudge.model import Qrels
from tests.messages import keys_and_values


def read(folder: Path, data: str | bytes) -> Qrels:
    path = folder / "small.qrels"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return read_qrels(path)


def rows(qrels: Qrels) -> list[tuple[str, str, int]]:
    names = qrels.documents.to_pylist()
    return [
        (qrels.topics[t], names[d], g)
        for t, d, g in zip(qrels.topic, qrels.document, qrels.grade.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    "data",
    [
        "1 0 a 1\n2 0 b 0\n",
        "1\t0\ta\t1\n2\t0\tb\t0\n",
        "1 0\ta  1\n 2 \t 0 b\t\t0 \n",
        "\t1 0 a 1\n   2 0 b 0",
        "1 0 a 1\r\n2 0 b 0\r\n",
        "1 0 a 1\r2 0 b 0",
        "\ufeff1 0 a 1\n2 0 b 0\n",
        "\n\n1 0 a 1\n\n \t\n2 0 b 0\n\n\n",
        "# head\n1 0 a 1\n  # indented\n2 0 b 0\n#",
        "1 0 a +1\n2 0 b -0\n",
        "1 0 a 1.0\n2 0 b 0.00\n",
        "1 0 a 01\n2 0 b 000000000000\n",
        gzip.compress(b"1 0 a 1\n2 0 b 0\n", mtime=0),
        gzip.compress(b"1 0 a 1\n", mtime=0) + gzip.compress(b"2 0 b 0\n", mtime=0),
    ],
)
def test_every_quirk_of_white_space_reads_the_same(tmp_path: Path, data: str | bytes) -> None:
    assert rows(read(tmp_path, data)) == [("1", "a", 1), ("2", "b", 0)]


@pytest.mark.parametrize(
    "name",
    [
        "051",
        "007",
        "NA",
        '"a',
        '"b"',
        "'",
        "null",
        "nan",
        "a#b",
        "1e5",
        "0x1f",
        "-",
        "true",
        "ä",
        "文書",
        "😀",
        "a,b",
        "\\N",
        "٣",
    ],
)
def test_ids_stay_unchanged(tmp_path: Path, name: str) -> None:
    qrels = read(tmp_path, f"{name} {name} {name} 2\n")
    assert (qrels.topics, qrels.groups, qrels.documents.to_pylist()) == ((name,), (name,), [name])


def table_of_columns(folder: Path, name: str) -> Path:
    rated = {"query-id": ["1", "1", "2"], "corpus-id": ["a", "b", "a"], "score": [0.5, 1.0, 0.0]}
    pq.write_table(pa.table(rated), folder / name)
    return folder / name


FRACTIONS = {
    "lines.qrels": "1 0 a 0.5\n1 0 b 1\n2 0 a 0\n",
    "three.qrels": "1 a 0.5\n1 b 1\n2 a 0\n",
    "whole_first.qrels": "1\t0\ta\t1\n1\t0\tb\t1.5\n2\t0\ta\t0\n",
    "ranx.json": '{"1": {"a": 0.5, "b": 1}, "2": {"a": 0}}',
    "grade.csv": "topic,document,grade\n1,a,0.5\n1,b,1\n2,a,0\n",
    "score.csv": "topic,document,score\n1,a,0.5\n1,b,1\n2,a,0\n",
    "mteb.parquet": "",
}


@pytest.mark.parametrize("name", FRACTIONS)
def test_fractions_need_a_mapping_in_every_format(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if FRACTIONS[name]:
        path.write_text(FRACTIONS[name], encoding="utf-8")
    else:
        table_of_columns(tmp_path, name)
    with pytest.raises(Undecided, match="--grades") as error:
        read_qrels(path)
    assert error.value.key == "fractions" and error.value.values["example"].endswith(".5")
    assert error.value.options == ("grades",)
    qrels = read_qrels(path, grades=parse_grades("0:0, 0.5:1, 1:2, 1.5:3"))
    assert rows(qrels) == [
        ("1", "a", 2 if "whole" in name else 1),
        ("1", "b", 3 if "whole" in name else 2),
        ("2", "a", 0),
    ]
    # as scores are
    runs = {path} if name in ("three.qrels", "ranx.json", "score.csv", "mteb.parquet") else set()
    assert {*classify_rankings([path]).runs} == runs and {*classify_rankings([path]).qrels} == {
        path
    } - runs


def test_topics_are_ordered_by_first_appearance_and_rows_as_in_the_file(
    tmp_path: Path,
) -> None:
    qrels = read(tmp_path, "2 0 b 1\n1 0 a 2\n2 0 a 0\n1 0 b 3\n")
    assert rows(qrels) == [("2", "b", 1), ("2", "a", 0), ("1", "a", 2), ("1", "b", 3)]
    assert qrels.starts.tolist() == [0, 2, 4]


def test_column_2_is_kept_and_distinguishes_rows(tmp_path: Path) -> None:
    qrels = read(tmp_path, "1 first a 1\n1 second a 0\n1 first b 0\n")
    assert [qrels.groups[code] for code in qrels.group] == ["first", "second", "first"]
    assert qrels.warnings == ()


def test_the_first_of_duplicate_pairs_is_kept_with_a_warning(tmp_path: Path) -> None:
    qrels = read(tmp_path, "1 0 a 1\n2 0 a 3\n1 0 a 2\n1 0 a 0\n")
    assert rows(qrels) == [("1", "a", 1), ("2", "a", 3)]
    assert keys_and_values(qrels.warnings, "file", "count", "topic", "document")[0] == (
        "same-pair",
        "small.qrels",
        "2",
        "1",
        "a",
    )
    assert keys_and_values(qrels.warnings, "others", "topic", "document", "kept", "grade")[1:] == [
        ("contradicting-grades", "2", "1", "a", "1", "2")
    ]


def test_negative_grades_are_unjudged_or_unjudgeable_with_a_warning(tmp_path: Path) -> None:
    qrels = read(tmp_path, "1 0 a -1\n1 0 b -2\n1 0 c -1\n1 0 d 2\n")
    assert qrels.grade.tolist() == [-1, -2, -1, 2]
    ((key, parts),) = keys_and_values(qrels.warnings, "parts")
    assert key == "meaning-of-negative"
    assert [re.findall(r"-?\d+|unjudg\w+", each) for each in parts.split(", ")] == [
        ["-2", "unjudgeable", "1"],
        ["-1", "unjudged", "2"],
    ]


@pytest.mark.parametrize(("negative", "code"), [("unjudged", -1), ("unjudgeable", -2), ("0", 0)])
def test_the_meaning_of_negative_grades_can_be_given(
    tmp_path: Path, negative: Negative, code: int
) -> None:
    path = tmp_path / "q"
    path.write_text("1 0 a -1\n1 0 b -3\n1 0 c 1\n")
    assert read_qrels(path, negative).grade.tolist() == [code, code, 1]
    with pytest.raises(FormatError) as refused:
        read_qrels(path)
    values = refused.value.values
    assert (refused.value.key, values["count"], values["grade"]) == ("unknown-negative", "1", "-3")
    assert values["negatives"] == "unjudged, unjudgeable, 0"


@pytest.mark.parametrize(
    ("data", "key", "line", "value"),
    [
        ("1 0 a\n", "column-count", 1, "3"),
        ("word\n", "column-count", 1, "1"),
        ("1 0 a 1 0.5\n", "column-count", 1, "prels"),
        ("1 0 a 1\n1 0 b 1 extra\n", "column-count", 2, "5"),
        ("1 0 a 1\n1 0 b nan\n", "not-whole", 2, "'nan'"),
        ("1 0 a 0x1\n", "not-whole", 1, "'0x1'"),
        ("1 0 a ١\n", "not-whole", 1, "'١'"),
        ("1 0 a NA\n", "not-whole", 1, "'NA'"),
        ("1 0 a 2147483648\n", "large-number", 1, "'2147483648'"),
    ],
)
def test_an_invalid_line_is_explained(
    tmp_path: Path, data: str, key: str, line: int, value: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read(tmp_path, data)
    assert (refused.value.key, refused.value.line) == (key, line)
    assert refused.value.path.name == "small.qrels" and value in refused.value.problem


def test_written_qrels_are_read_back_equal(tmp_path: Path) -> None:
    expected = [("051", '"a', 2), ("051", "d#1", -1), ("7", "文\u3000", 0)]
    assert write_qrels(tmp_path / "out", expected) == 3
    assert rows(read_qrels(tmp_path / "out")) == expected


@pytest.mark.parametrize(
    ("topic", "document"), [("a b", "d"), ("1", ""), ("1", "d\t"), ("#1", "d"), ("1", "d\0")]
)
def test_ids_that_the_format_cannot_store_leave_the_file_unchanged(
    tmp_path: Path, topic: str, document: str
) -> None:
    path = tmp_path / "out"
    path.write_text("before")
    with pytest.raises(FormatError) as refused:
        write_qrels(path, [("1", "fine", 1), (topic, document, 1)])
    assert (refused.value.key, refused.value.values["form"]) == ("not-writable", "qrels")
    assert path.read_text() == "before"


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(IrjudgeError) as refused:
        write_qrels(tmp_path / "missing" / "out", [])
    assert refused.value.values["file"] == "out"
    assert refused.value.values["folder"] == str(tmp_path / "missing")


def test_duplicates_with_another_grade_are_reported_separately(tmp_path):
    path = tmp_path / "q"
    path.write_text("1 0 a 1\n1 0 b 2\n1 0 a 1\n1 0 a 0\n2 0 a 0\n")
    qrels = read_qrels(path)
    assert list(qrels.rows()) == [("1", "a", 1), ("1", "b", 2), ("2", "a", 0)]
    result = keys_and_values(qrels.warnings, "file", "others", "document", "kept", "grade")
    assert ("contradicting-grades", "q", "1", "a", "1", "0") in result
    path.write_text("1 0 a 1\n1 0 a 1\n")
    assert keys_and_values(read_qrels(path).warnings) == [("same-pair",)]


@pytest.mark.parametrize("second", ["2 1 1 1 1 1", "2 3 4 5 5 6", "2 0 4 5 6 7"])
def test_an_overlong_line_does_not_change_the_detected_format(tmp_path: Path, second: str) -> None:
    (tmp_path / "q").write_text(f"1 9 51 3\n{second}\n")
    with pytest.raises(FormatError, match="6 columns") as refused:
        read_qrels(tmp_path / "q")
    assert (refused.value.key, refused.value.line) == ("column-count", 2)
    (tmp_path / "q").write_text("1 268 288 304\n2 3 4 5 8 6\n")
    assert {topic: document for topic, document, _ in read_qrels(tmp_path / "q").rows()} == {
        "1": "304",
        "2": "6",
    }


def test_mapped_fractional_grades_without_0_are_not_called_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "q.txt"
    path.write_text("1 0 a 0.5\n1 0 b 1.0\n")
    qrels = read_qrels(path, grades={0.5: 1, 1.0: 2})
    assert [grade for *_, grade in qrels.rows()] == [1, 2]
    assert "no-grade-0" not in [getattr(warning, "key", "") for warning in qrels.warnings]

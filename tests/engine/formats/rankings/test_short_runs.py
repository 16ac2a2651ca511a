"""Tests of runs with two or three columns, in tables, spreadsheets and JSON.

And of writing runs.
"""

import tempfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats.rankings import read_run, write_run
from irjudge.formats.rows import parse_columns
from irjudge.model import Run, make_run
from tests.messages import keys_and_values, keys_inside


def read(folder: Path, text: str, name: str = "a.tsv", columns: str = "") -> Run:
    path = folder / name
    path.write_bytes(text.encode())
    return read_run(path, columns=parse_columns(columns, ("topic", "document", "rank", "score")))


def rows(run: Run) -> list[tuple[str, str, float, int]]:
    return list(
        zip(
            (run.topics[code] for code in run.topic),
            run.document.to_pylist(),
            run.score.tolist(),
            run.rank.tolist(),
            strict=True,
        )
    )


def test_ranks_in_a_third_column_are_converted_to_scores(tmp_path):
    run = read(tmp_path, "7\td1\t1\n7\td2\t2\n7\td3\t5\n9\td1\t0\n9\td2\t1\n")
    assert rows(run) == [
        ("7", "d1", 5, 1),
        ("7", "d2", 4, 2),
        ("7", "d3", 1, 5),
        ("9", "d1", 2, 0),
        ("9", "d2", 1, 1),
    ]
    assert keys_and_values(run.warnings, "file", "columns") == [
        ("read-as", "a.tsv", "topic, document, rank")
    ]
    assert "rank-as-score" in keys_inside(run.warnings[0])
    assert (run.name, run.line.tolist()) == ("a", [1, 2, 3, 4, 5])


@pytest.mark.parametrize(
    "scores",
    [["9", "7", "7"], ["0.9", "1.5", "1"], ["-1", "-2", "-3"], ["inf", "2", "1"], ["4", "3", "2"]],
)
def test_fractional_or_decreasing_numbers_are_scores(tmp_path, scores):
    run = read(tmp_path, "".join(f"7 d{index} {score}\n" for index, score in enumerate(scores)))
    assert (run.score.tolist(), run.rank.tolist()) == (
        [float(score) for score in scores],
        [-1, -1, -1],
    )
    assert keys_and_values(run.warnings, "file", "columns", "ranking") == [
        ("read-as", "a.tsv", "topic, document, score", "")
    ]


@pytest.mark.parametrize("numbers", [(3, 2, 1), (2, 1, 0), (1, 3, 2), (5, 9, 7)])
def test_ambiguous_numbers_are_refused(tmp_path, numbers):
    text = "".join(f"7 d{index} {number}\n" for index, number in enumerate(numbers))
    with pytest.raises(Undecided) as caught:
        read(tmp_path, text)
    rank, score = "topic=1,document=2,rank=3", "topic=1,document=2,score=3"
    assert (caught.value.key, caught.value.options) == ("rank-or-score", ("columns",))
    choice = caught.value.values["choice"]
    assert f'"{rank}"' in choice and f'"{score}"' in choice and "--columns" in str(caught.value)
    assert read(tmp_path, text, columns=score).score.tolist() == list(numbers)
    ranked = read(tmp_path, text, columns=rank)
    assert ranked.rank.tolist() == list(numbers)
    assert ranked.score.tolist() == [max(numbers) - number + 1 for number in numbers]
    assert keys_and_values(ranked.warnings, "file", "columns") == [("read-as", "a.tsv", rank)]
    assert "rank-as-score" in keys_inside(ranked.warnings[0])


def test_two_columns_are_a_ranking_in_the_order_of_lines(tmp_path):
    run = read(tmp_path, "# two\n7 d1\n9 d1\n7 d2\n7 d1\n")
    assert rows(run) == [("7", "d1", 2, 1), ("7", "d2", 1, 2), ("9", "d1", 1, 1)]
    assert run.line.tolist() == [2, 4, 3]
    assert keys_and_values(run.warnings, "file", "columns", "topic", "document") == [
        ("read-as", "a.tsv", "topic, document", "", ""),
        ("same-pair", "a.tsv", "", "7", "d1"),
    ]
    assert "file-order" in keys_inside(run.warnings[0])


def test_a_table_names_its_columns(tmp_path):
    run = read(tmp_path, "qid,docno,rank,score,name\n7,d 1,1,2.5,x\n7,d2,2,1.5,x\n", "bm25.csv")
    assert (rows(run), run.name) == ([("7", "d 1", 2.5, 1), ("7", "d2", 1.5, 2)], "bm25")
    assert keys_and_values(run.warnings, "file", "form", "named") == [
        ("read-as", "bm25.csv", "CSV", ""),
        ("unread-fields", "bm25.csv", "", "name"),
    ]
    assert all(each in run.warnings[0] for each in ("qid", "docno", "rank", "score"))
    assert rows(read(tmp_path, "qid,docno,rank\n7,d1,2\n7,d2,1\n")) == [
        ("7", "d1", 1, 2),
        ("7", "d2", 2, 1),
    ]
    assert rows(read(tmp_path, "qid,docno\n7,d1\n7,d2\n")) == [("7", "d1", 2, 1), ("7", "d2", 1, 2)]


@pytest.mark.parametrize(
    ("text", "message", "choice"),
    [
        ("qid,docno,bm25,text\n7,d1,2.5,x\n7,d2,3,y\n", "", "score=bm25"),
        ("key,docno,bm25\n7,d1,2.5\n7,d2,3\n", "topic=key", "topic=key,score=bm25"),
        ("7,d1,2.5\n7,d2,3\n", "topic=1,document=2", "topic=1,document=2,score=3"),
        ("7 Q0 d1 2.5\n7 Q0 d2 3\n", "topic=1,document=3", "topic=1,document=3,score=4"),
    ],
)
def test_the_order_of_the_file_does_not_replace_an_unknown_number(tmp_path, text, message, choice):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text, columns=message)
    assert caught.value.key == "no-score-column" and "--columns" in str(caught.value)
    ways = caught.value.values["choice"]
    assert f'"{choice}"' in ways and f'"{choice.replace("score", "rank")}"' in ways
    assert read(tmp_path, text, columns=choice).score.tolist() == [2.5, 3]


def test_a_negative_rank_is_refused_unless_there_are_scores(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("topic,document,rank\n1,a,1\n1,c,-1\n")
    with pytest.raises(FormatError) as refused:
        read_run(path)
    assert (refused.value.values["rank"], refused.value.line) == ("-1", 3)
    path.write_text("topic,document,rank,score\n1,a,1,2.5\n1,c,-1,1\n")
    assert read_run(path).score.tolist() == [2.5, 1]


def test_further_text_columns_keep_the_order_of_the_file(tmp_path):
    run = read(tmp_path, "qid,docno,title\n7,d1,1 of 2\n7,d2,\n")
    assert run.score.tolist() == [2, 1]
    assert keys_and_values(run.warnings, "file", "named")[1] == ("unread-fields", "a.tsv", "title")


def test_a_run_is_read_from_a_spreadsheet(tmp_path):
    book = openpyxl.Workbook()
    for row in (["topic", "document", "score"], [7, "d1", 2.5], [7, "d2", 1]):
        book.active.append(row)
    book.save(tmp_path / "bm25.xlsx")
    run = read_run(tmp_path / "bm25.xlsx")
    assert (run.name, rows(run)) == ("bm25", [("7", "d1", 2.5, -1), ("7", "d2", 1, -1)])


def test_json_is_topics_documents_and_scores(tmp_path):
    run = read(
        tmp_path, '{"7": {"d1": 2.5, "d2": -1, "d3": 1e400}, "9": {"d\\ud800": 0}}', "bm25.json"
    )
    assert rows(run) == [
        ("7", "d1", 2.5, -1),
        ("7", "d2", -1, -1),
        ("7", "d3", float("inf"), -1),
        ("9", "d\ufffd", 0, -1),
    ]
    assert run.name == "bm25"
    assert keys_and_values(run.warnings[:1], "file") == [("read-as-json", "bm25.json")]
    assert "lone surrogate" in run.warnings[1]


@pytest.mark.parametrize(
    ("text", "key", "line", "value"),
    [
        ("7 d1 1\n7 d2\n", "column-count", 2, "2"),
        ("7 d1 1\n7 d2 x\n", "not-a-number", 2, "third 'x'"),
        ("qid,docno,score\n7,d1,x\n", "not-a-number", 2, "score 'x'"),
        ("qid,docno,score\n7,d1,1,234.5\n", "column-count", 2, "4"),
        ("qid,docno,score\n7,,1\n", "empty-cell", 2, "document"),
        ("qid,docno,rank\n7,d1,1.5\n", "not-whole", 2, "rank '1.5'"),
        ("qid,docno,score\n", "no-rows", None, ""),
        ('{"7": {"d1": NaN}}', "not-a-number", None, "document d1"),
        ('{"7": [["d1", null, [], 1]]}', "no-documents", None, "topic 7"),
    ],
)
def test_errors_are_named(tmp_path, text, key, line, value):
    with pytest.raises(FormatError) as caught:
        read(tmp_path, text)
    assert (caught.value.key, caught.value.line) == (key, line)
    assert value in str(caught.value.problem)


IDS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8).filter(
    lambda text: (
        text.encode().split() == [text.encode()]
        and "\0" not in text
        and not text.startswith(("#", "\ufeff"))
    )
)
SCORES = st.floats(allow_nan=False)


@given(
    st.dictionaries(st.tuples(st.sampled_from("78") | IDS, IDS), SCORES, min_size=1, max_size=12)
)
def test_a_run_that_is_written_reads_back_equal(pairs):
    run = make_run("a b", [(topic, document, score) for (topic, document), score in pairs.items()])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.run"
        assert write_run(path, run) == len(run)
        back = read_run(path)
        assert path.read_text(encoding="utf-8").split("\n")[0].endswith(" a_b")
    assert [row[:3] for row in rows(back)] == [row[:3] for row in rows(run)]
    assert (back.name, back.starts.tolist(), back.warnings) == ("out", run.starts.tolist(), ())


@pytest.mark.parametrize(
    ("topic", "document"), [("a b", "d"), ("1", ""), ("1", "d\t"), ("#1", "d"), ("\ufeff1", "d")]
)
def test_ids_that_the_format_cannot_store_leave_the_file_unchanged(tmp_path, topic, document):
    path = tmp_path / "out"
    path.write_text("before")
    with pytest.raises(IrjudgeError) as refused:
        write_run(path, make_run("a", [("1", "fine", 1.0), (topic, document, 1.0)]))
    assert (refused.value.key, refused.value.values["form"]) == ("not-writable", "runs")
    assert path.read_text() == "before"

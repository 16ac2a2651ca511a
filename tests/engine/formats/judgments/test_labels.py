"""Tests of label files of crowd platforms, and of errors in them."""

import gzip
from pathlib import Path

import openpyxl
import pytest

from irjudge.errors import Cancelled, FormatError, IrjudgeError
from irjudge.formats.judgments import parse_label_columns, read_gold_labels, read_labels
from irjudge.model import Labels
from irjudge.progress import Progress
from tests.messages import keys_and_values


def rows(labels: Labels) -> list[tuple[str, str, str]]:
    words = [*labels.scale, "unjudgeable", ""]
    return [
        (labels.items[item], labels.workers[worker], words[label])
        for item, worker, label in zip(
            labels.item.tolist(), labels.worker.tolist(), labels.label.tolist(), strict=True
        )
    ]


@pytest.fixture
def file(tmp_path: Path):
    def write(text: str, name: str = "labels.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode())
        return path

    return write


@pytest.mark.parametrize(
    "text",
    [
        "item,worker,label\nd1,ann,2\nd2,bob,0\n",
        "\ufefflabel;comment;assessor;item\r\n2;fine;ann;d1\r\n0;;bob;d2\r\n",
        'Item\tWorker\tGrade\n"d1"\t"ann"\t"2"\n\n"d2"\tbob\t0',
    ],
    ids=["plain", "semicolons", "tabs"],
)
def test_columns_may_be_in_any_order_and_dialect(file, text: str) -> None:
    labels = read_labels(file(text))
    assert rows(labels) == [("d1", "ann", "2"), ("d2", "bob", "0")]
    assert (labels.scale, labels.pairs, labels.gold, labels.seconds) == (
        ("0", "1", "2"),
        None,
        None,
        None,
    )


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv.gz"
    path.write_bytes(gzip.compress(b"item,worker,label\nd1,ann,1\n"))
    assert rows(read_labels(path)) == [("d1", "ann", "1")]


def test_a_workbook_is_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (
        ["topic", "document", "assessor", "grade", "seconds"],
        [51, "007", "ann", 2, 3.5],
        [51, "008", "bob", "unjudgeable", None],
    ):
        book.active.append(row)
    book.save(tmp_path / "labels.xlsx")
    labels = read_labels(tmp_path / "labels.xlsx")
    assert rows(labels) == [("51 007", "ann", "2"), ("51 008", "bob", "unjudgeable")]
    assert labels.pairs == (("51", "007"), ("51", "008"))
    assert labels.seconds[0] == 3.5 and labels.seconds[1] != labels.seconds[1]


def test_columns_can_be_mapped(file) -> None:
    path = file("HIT,Input.doc,WorkerId,Answer.relevance\nh1,d1,W9,2\n")
    assert rows(
        read_labels(
            path,
            columns=parse_label_columns("item=Input.doc,assessor=WorkerId,grade=Answer.relevance"),
        )
    ) == [("d1", "W9", "2")]
    with pytest.raises(FormatError, match="--columns"):
        read_labels(path)
    with pytest.raises(IrjudgeError, match="does not name a column"):
        parse_label_columns("rank=1")


def test_documents_of_topics_may_be_unjudgeable_or_unjudged(file) -> None:
    labels = read_labels(file("query,doc,worker,label\n1,a,w,-2\n1,b,w,-1\n1,c,w,1\n1,d,w,\n"))
    assert rows(labels) == [("1 a", "w", "unjudgeable"), ("1 c", "w", "1")]
    assert keys_and_values(labels.warnings, "file", "line") == [
        ("not-judged", "labels.csv", "3"),
        ("no-label", "labels.csv", "5"),
    ]


def test_items_may_have_labels_below_zero(file) -> None:
    labels = read_labels(file("item,worker,label\n1,a,-1\n1,b,1\n2,b,-2\n"))
    assert (labels.scale, len(labels)) == (("-2", "-1", "0", "1"), 3)


def test_ids_stay_unchanged(file) -> None:
    assert read_labels(file("item,worker,label\n007,NA,1\n7,01,0\n")).items == ("007", "7")


def test_gold_labels_may_be_in_the_same_file(file) -> None:
    labels = read_labels(file("item,worker,label,gold\nd1,a,0,1\nd1,b,1,1\nd2,a,0,\n"))
    assert labels.gold.tolist() == [1, -1]


def test_gold_labels_may_be_in_another_file(file) -> None:
    assert read_gold_labels(file("item,truth\nd1,2\nd2,\n")) == {"d1": "2"}
    assert read_gold_labels(file("topic,document,grade\n1,x,2\n")) == {("1", "x"): "2"}
    with pytest.raises(FormatError) as refused:
        read_gold_labels(file("item,truth\nd1,2\nd1,1\n"))
    values = refused.value.values
    assert (refused.value.key, refused.value.line) == ("two-known-answers", 3)
    assert (values["item"], values["grade"], values["previous"]) == ("d1", "'1'", "'2'")
    with pytest.raises(FormatError, match=r"no gold; .* item \(d1\), rank \(2\)"):
        read_gold_labels(file("item,rank\nd1,2\n"))


def test_gold_labels_may_be_qrels(file) -> None:
    assert read_gold_labels(file("051 0 x 2\n051 0 y -1\n007 0 x 0\n")) == {
        ("051", "x"): "2",
        ("007", "x"): "0",
    }


@pytest.mark.parametrize(
    ("text", "key", "line", "value"),
    [
        ("", "empty-file", 1, ""),
        ("item,worker,label\n", "no-label", None, ""),
        ("topic,document,assessor,grade\n1,d1,a,-2\n1,d1,b,-2\n", "no-grade", None, ""),
        ("item,worker\nd1,a\n", "no-column", 1, "label"),
        ("topic,worker,label\n1,a,1\n", "no-column", 1, "item"),
        ("item,worker,label\nd1,a\n", "column-count", 2, "3"),
        ("item,worker,label\nd1,,1\n", "empty-cell", 2, "worker"),
        ("item,worker,label\n,a,1\n", "empty-cell", 2, "item"),
        ("item,worker,label,seconds\nd1,a,1,soon\n", "not-a-time", 2, "'soon'"),
        ("item,worker,label,seconds\nd1,a,1,-3\n", "not-a-time", 2, "'-3'"),
        ("item,worker,label,gold\nd1,a,1,0\nd1,b,1,1\n", "two-known-answers", 3, "'0'"),
        ('item,worker,label\n"d1,a,1\n', "not-csv", 2, ""),
    ],
)
def test_an_invalid_file_is_refused_with_its_line(
    file, text: str, key: str, line: int | None, value: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read_labels(file(text))
    assert (refused.value.key, refused.value.line) == (key, line)
    assert value in str(refused.value)


def test_a_missing_file_gives_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.csv"):
        read_labels(tmp_path / "none.csv")


def test_reading_can_be_cancelled(file) -> None:
    with pytest.raises(Cancelled):
        read_labels(file("item,worker,label\nd1,a,1\n"), progress=Progress(cancelled=lambda: True))


@pytest.mark.parametrize(
    ("header", "ignored"),
    [
        ("item,worker,label,grade", ["grade"]),
        ("item,worker,Grade,Label,rating", ["Grade", "rating"]),
        ("item,worker,label,comment", []),
    ],
)
def test_other_columns_of_labels_are_named(file, header: str, ignored: list[str]) -> None:
    width = header.count(",") - 1
    labels = read_labels(file(f"{header}\n1,A{',1' * width}\n1,B{',0' * width}\n"))
    named = [each.all_values for each in labels.warnings if each.key == "ignored-column"]
    assert len(named) == bool(ignored)
    if ignored:
        assert named[0]["name"] == ignored[0]


def test_a_chosen_column_of_labels_leaves_others_without_a_warning(file) -> None:
    path = file("item,worker,label,grade\n1,A,1,0\n1,B,1,1\n")
    labels = read_labels(path, columns=parse_label_columns("label=grade"))
    assert rows(labels) == [("1", "A", "0"), ("1", "B", "1")]
    assert not labels.warnings


def test_missing_labels_may_be_written_as_decimals(file) -> None:
    text = (
        "topic,document,worker,label\n1,a,w1,1.0\n1,a,w2,-1.0\n1,a,w3,-2.0\n1,a,w4,\n1,b,w1,0.0\n"
    )
    labels = read_labels(file(text))
    assert labels.scale == ("0", "1")
    assert rows(labels) == [
        ("1 a", "w1", "1"),
        ("1 a", "w3", "unjudgeable"),
        ("1 b", "w1", "0"),
    ]


def test_unjudged_and_unjudgeable_are_no_gold_labels(file) -> None:
    gold = "topic,document,grade\n1,a,-1\n1,b,-2.0\n1,c,1\n1,d,unjudgeable\n"
    assert read_gold_labels(file(gold)) == {("1", "c"): "1"}
    labels = read_labels(
        file("topic,document,worker,label,gold\n1,a,w1,0,-1\n1,b,w1,1,1\n1,c,w1,0,unjudgeable\n")
    )
    assert labels.scale == ("0", "1")
    assert labels.gold is not None
    assert labels.gold.tolist() == [-1, 1, -1]


def test_items_that_occur_with_two_topics_are_pairs(file) -> None:
    text = "topic,item,worker,label\n1,a,w1,2\n1,a,w2,2\n2,a,w1,0\n2,a,w2,0\n"
    labels = read_labels(file(text))
    assert labels.pairs == (("1", "a"), ("2", "a"))
    assert rows(labels)[1:3] == [("1 a", "w2", "2"), ("2 a", "w1", "0")]
    assert read_gold_labels(file("topic,item,gold\n1,a,2\n2,a,0\n")) == {
        ("1", "a"): "2",
        ("2", "a"): "0",
    }


def test_a_topic_that_does_not_distinguish_items_is_not_part_of_them(file) -> None:
    labels = read_labels(file("topic,item,worker,label,gold\n1,a,w1,2,2\n,b,w1,0,\n1,a,w2,1,2\n"))
    assert (labels.items, labels.pairs) == (("a", "b"), None)
    assert labels.gold is not None and labels.gold.tolist() == [2, -1]
    assert read_gold_labels(file("topic,item,gold\n1,a,2\n2,b,0\n")) == {"a": "2", "b": "0"}

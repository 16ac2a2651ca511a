"""Tests of suggested column mappings: by number without a header, ids before texts."""

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from irjudge.cli.main import main
from irjudge.errors import IrjudgeError, Undecided
from irjudge.formats.collections import read_documents
from irjudge.formats.judgments import (
    parse_label_columns,
    read_judgments,
    read_labels,
    read_preferences,
)
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.formats.rows import (
    ColumnMapping,
    describe_columns,
    list_candidate_columns,
    parse_columns,
)
from irjudge.formats.rows.mapping import is_header, suggest_columns


def write(path: Path, rows: list[list[str]], separator: str = ",") -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=separator).writerows(rows)
    return path


def suggestion(error: IrjudgeError) -> dict[str, str]:
    """Return the mapping that the message suggests."""
    pairs = re.search(r'for example "(.*?)"', str(error))
    assert pairs
    return dict(pair.split("=") for pair in pairs[1].split(","))


def follow_suggestion(read: Callable[..., Any], path: Path) -> Any:
    """Return the result of a reader when its suggestion is followed."""
    with pytest.raises(IrjudgeError) as error:
        read(path)
    mapping = suggestion(error.value)
    return read(path, columns=ColumnMapping(tuple(mapping.items())))


LABELS = [["w1", "u1", "1"], ["w2", "u1", "0"], ["w1", "u2", "1"], ["w2", "u2", "1"]]


@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_labels_without_a_header_lose_no_row(tmp_path, separator):
    labels = follow_suggestion(read_labels, write(tmp_path / "a.csv", LABELS, separator))
    assert labels.items == ("u1", "u2")
    assert labels.workers == ("w1", "w2")
    assert labels.label.tolist() == [1, 0, 1, 1]


def test_labels_in_another_order_of_columns_lose_no_row(tmp_path):
    rows = [[label, item, worker] for worker, item, label in LABELS]
    labels = follow_suggestion(read_labels, write(tmp_path / "a.csv", [*rows, ["2", "u3", "w1"]]))
    assert len(labels.label) == 5


def test_judgments_without_a_header_lose_no_row(tmp_path):
    rows = [["ann", "c1", "2"], ["bob", "c1", "0"], ["ann", "c2", "1"]]
    judgments = follow_suggestion(read_judgments, write(tmp_path / "a.csv", rows))
    assert [(row.assessor, row.item, row.grade) for row in judgments.rows] == [
        ("ann", "c1", 2),
        ("bob", "c1", 0),
        ("ann", "c2", 1),
    ]


def test_qrels_and_runs_without_a_header_lose_no_row(tmp_path):
    path = write(tmp_path / "a.csv", [["q1", "d1", "2"], ["q1", "d2", "0"], ["q2", "d1", "1"]])
    assert list(follow_suggestion(read_qrels, path).rows()) == [
        ("q1", "d1", 2),
        ("q1", "d2", 0),
        ("q2", "d1", 1),
    ]
    path = write(tmp_path / "b.csv", [["q1", "d1", "2.5"], ["q1", "d2", "0.5"]])
    run = follow_suggestion(read_run, path)
    assert (len(run), run.score.tolist()) == (2, [2.5, 0.5])


def test_documents_without_a_header_lose_no_row(tmp_path):
    path = write(
        tmp_path / "a.tsv",
        [["1", "d1", "A ship", "A long story of a ship.", "x"]] * 1
        + [["2", "d2", "A car", "A long story of a car.", "y"]],
        "\t",
    )

    def read(path: Path, columns: ColumnMapping | None = None) -> list[Any]:
        return list(read_documents([path], warnings=[], columns=columns))

    assert [(each.id, each.text) for each in follow_suggestion(read, path)] == [
        ("d1", "A long story of a ship."),
        ("d2", "A long story of a car."),
    ]


def test_a_header_is_not_a_document_if_columns_are_numbers(tmp_path):
    path = write(tmp_path / "a.csv", [["id", "title", "text"], ["d1", "T", "hello"]])
    columns = parse_columns("id=1,text=3", ("id", "text"))
    assert [each.id for each in read_documents([path], warnings=[], columns=columns)] == ["d1"]


@pytest.mark.parametrize(
    ("header", "row", "parts", "expected"),
    [
        (
            "record_id,title,abstract,included",
            "1,T one,Long one,1",
            "id,text",
            "record_id,abstract",
        ),
        ("title,summary,key", "T one,Long one,k1", "id,text", "key,summary"),
        ("headline,paper_no", "T one,p1", "id,text", "paper_no,headline"),
        ("index,page,stars", "0,p1,3", "document,grade", "page,stars"),
        (",page,stars", "0,p1,3", "document,grade", "page,stars"),
        ("Unnamed: 0,who,what", "0,ann,p1", "worker,item", "who,what"),
        ("query text,query no", "old ships,7", "topic", "query no"),
        ("body,product_id", "A ship.,p1", "document", "product_id"),
    ],
)
def test_ids_come_before_texts_and_texts_before_titles(header, row, parts, expected):
    columns = list_candidate_columns(header.split(","), [row.split(",")])
    result = suggest_columns(columns, parts.split(","))
    assert ",".join(result.values()) == expected


@pytest.mark.parametrize("first", [0, 1])
def test_a_column_that_counts_the_rows_is_not_suggested(first):
    rows = [[str(first + at), "0", word] for at, word in enumerate(("p7", "p5", "p9"))]
    columns = list_candidate_columns(["id", "query_id", "product"], rows)
    for part in ("document", "item", "worker", "label", "topic", "assessor", "winner"):
        assert suggest_columns(columns, [part]).get(part) != "id"
    assert suggest_columns(columns, ["topic", "document"]) == {
        "topic": "query_id",
        "document": "product",
    }
    assert suggest_columns(columns, ["item"], known_columns={"item": "id"}) == {"item": "product"}


def test_a_part_without_a_column_is_not_given_an_id(tmp_path):
    path = write(
        tmp_path / "a.csv", [["id", "query_id", "product_id", "label"], ["0", "0", "7", "x"]]
    )
    with pytest.raises(IrjudgeError) as error:
        read_labels(path)
    assert suggestion(error.value)["worker"] not in ("id", "query_id", "product_id", "label")


def test_the_first_values_of_columns_are_shown(tmp_path):
    path = write(
        tmp_path / "a.csv", [["key", "story"], ["k7", "Once upon a time " * 9], ["k8", "x"]]
    )
    with pytest.raises(IrjudgeError) as error:
        list(read_documents([path], warnings=[]))
    assert "k7, k8" in str(error.value)
    assert "Once upon a time" in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("first", "rows", "expected"),
    [
        (["who", "what"], [], True),
        (["who", "what"], [["ann", "d1"]], True),
        (["ann", "d1"], [["ann", "d2"]], False),
        (["ann", "1"], [], False),
        (["ann", "-1.5e3"], [], False),
        (["", "what"], [["", "d1"]], True),
    ],
)
def test_a_first_row_of_values_is_not_a_header(first, rows, expected):
    assert is_header(first, rows) == expected


def test_every_command_accepts_column_numbers(tmp_path):
    labels = write(tmp_path / "a.csv", LABELS)
    assert main(["agreement", str(labels), "--columns", "worker=1,item=2,label=3"]) == 0
    assert (
        len(read_labels(labels, columns=parse_label_columns("worker=1,item=2,label=3")).label) == 4
    )
    # "a" and "b" are names of systems here, which headers have for columns
    pairs = write(tmp_path / "b.csv", [["a", "b", "left"], ["a", "b", "right"]])
    assert main(["preferences", str(pairs), "--columns", "left=1,right=2,winner=3"]) == 0
    columns = ColumnMapping((("left", "1"), ("right", "2"), ("winner", "3")))
    assert len(read_preferences(pairs, columns=columns).winner) == 2
    qrels = write(tmp_path / "c.csv", [["q1", "d1", "1"]])
    run = write(tmp_path / "d.csv", [["q1", "d1", "2.5"]])
    arguments = ["--columns", "qrels:topic=1,document=2,grade=3"]
    arguments += ["--columns", "runs:topic=1,document=2,score=3"]
    assert main(["evaluate", str(qrels), str(run), *arguments]) == 0
    documents = write(tmp_path / "e.csv", [["d1", "A long story."]])
    topics = write(tmp_path / "f.csv", [["q1", "old ships"]])
    arguments = ["--columns", "documents:id=1,text=2", "--columns", "topics:id=1,title=2"]
    arguments += ["--columns", "qrels:topic=1,document=2,grade=3"]
    files = ["--documents", str(documents), "--topics", str(topics), "--qrels", str(qrels)]
    assert main(["new", str(tmp_path / "a.irjudge"), *files, *arguments]) == 0


def test_many_columns_are_listed_up_to_a_limit():
    sentence = describe_columns(
        list_candidate_columns([f"c{number}x" for number in range(30)]), ["id"]
    )
    assert "c19x" in sentence and "c20x" not in sentence
    sentence = describe_columns(list_candidate_columns(["a\ud83d", "b\nc"]), ["id"])
    assert "a\ufffd, b c" in sentence
    assert describe_columns([], ["id"]) == "there are no columns"


def test_known_columns_after_many_others_are_found(tmp_path: Path) -> None:
    header = ",".join([*(f"c{number}" for number in range(1100)), "item", "worker"])
    (tmp_path / "a.csv").write_text(f"{header}\n{',' * 1101}\n")
    with pytest.raises(Undecided) as error:
        read_labels(tmp_path / "a.csv")
    assert error.value.key == "no-column" and error.value.values["part"] == "label"

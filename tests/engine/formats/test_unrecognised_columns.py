"""Tests that no number is read from an unrecognised column: a table is read right or refused."""

import csv
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import FormatError
from irjudge.formats.judgments import read_judgments, read_labels, read_preferences
from irjudge.formats.rankings import read_qrels, read_run

GRADES = "grade label relevance rel relevancy relevance_label relevance_grade rating judgment judgement gain score".split()
PEOPLE = "assessor worker judge annotator rater user".split()
UNKNOWN = ["stars", "Bob", "note", "bm25", "", "Answer", "iter2"]
WHOLE = ["0", "1", "2", "3"]
SIDES = ["left", "right", "x"]
MIXED = ["0", "2", "", "x", "1.5", "-1", "left"]
IDS = [("q", "a"), ("q", "b"), ("r", "a")]


@st.composite
def tables(
    draw: Any, names: list[str], always: dict[str, list[str]]
) -> tuple[list[str], list[list[str]]]:
    """Draw some of the named columns and all required ones, in any order, with their cells."""
    others = draw(st.lists(st.sampled_from(names), max_size=4, unique_by=str.lower))
    header = draw(st.permutations([*always, *others]))
    columns = {
        name: draw(st.sampled_from([WHOLE, SIDES, MIXED]).flatmap(draw_column)) for name in others
    } | always
    return header, [[columns[name][row] for name in header] for row in range(len(IDS))]


def draw_column(kind: list[str]) -> Any:
    return st.lists(st.sampled_from(kind), min_size=len(IDS), max_size=len(IDS))


PAIRS = {"qid": [topic for topic, _ in IDS], "docno": [document for _, document in IDS]}


def read(reader: Callable[[Path], Any], header: list[str], rows: list[list[str]]) -> Any:
    """Return the result of a reader for a table; None if it refuses the table."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *rows])
        try:
            return reader(path)
        except FormatError:
            return None


def find_known(names: list[str], header: list[str]) -> str | None:
    return next((name for name in names if name in header), None)


def cells(name: str, header: list[str], rows: list[list[str]]) -> list[str]:
    return [row[header.index(name)] for row in rows]


@given(tables([*GRADES[::3], *UNKNOWN], PAIRS))
def test_grades_of_qrels_are_from_a_recognised_column(table):
    header, rows = table
    result = read(lambda path: read_qrels(path, "unjudged"), header, rows)
    if result is None:
        return
    name = find_known(GRADES, header)
    assert name or len(header) == 2 or not any(cells("", header, rows))
    assert list(result.rows()) == [
        (*pair, int(grade))
        for pair, grade in zip(IDS, cells(name, header, rows) if name else "111", strict=True)
    ]


def is_number(text: str) -> bool:
    return text.replace(".", "").removeprefix("-").isdecimal()


@given(tables(["score", "sim", "rank", "position", *UNKNOWN], PAIRS))
def test_scores_and_ranks_of_runs_are_from_a_recognised_column(table):
    header, rows = table
    run = read(read_run, header, rows)
    if run is None:
        return
    score, rank = find_known(["score", "sim"], header), find_known(["rank", "position"], header)
    if score:
        assert run.score.tolist() == [float(cell) for cell in cells(score, header, rows)]
    elif rank:
        assert run.rank.tolist() == [int(cell) for cell in cells(rank, header, rows)]
    else:
        assert run.rank.tolist() == [1, 2, 1]
        others = [
            [cell for cell in cells(name, header, rows) if cell]
            for name in header
            if name not in PAIRS
        ]
        assert not any(column and all(map(is_number, column)) for column in others)


@given(tables([*GRADES[::3], *PEOPLE[1:], *UNKNOWN], {**PAIRS, "assessor": ["m", "n", "o"]}))
def test_judgments_are_from_recognised_assessor_and_grade_columns(table):
    header, rows = table
    result = read(lambda path: read_judgments(path, words={"x": 3}), header, rows)
    if result is None:
        return
    who, grade = (
        find_known(PEOPLE, header),
        find_known(GRADES, header) or find_known(["Answer"], header),
    )
    expected = [
        (*pair, person, 3 if answer == "x" else int(answer))
        for pair, person, answer in zip(
            IDS, cells(who, header, rows), cells(grade, header, rows), strict=True
        )
        if answer and answer != "-1"  # -1 means unjudged
    ]
    assert [(row.topic, row.document, row.assessor, row.grade) for row in result.rows] == expected


@given(
    tables(
        ["label", "relevance", "rating", *UNKNOWN],
        {"item": ["i", "j", "k"], "worker": ["m", "n", "o"]},
    )
)
def test_labels_are_from_recognised_worker_and_label_columns(table):
    header, rows = table
    result = read(read_labels, header, rows)
    if result is None:
        return
    people = ["worker", "assessor", *PEOPLE[2:]]
    labels = "label grade Answer relevance rel relevancy relevance_label rating judgment judgement".split()
    who, label = find_known(people, header), find_known(labels, header)
    expected = [
        (item, person, answer)
        for item, person, answer in zip(
            "ijk", cells(who, header, rows), cells(label, header, rows), strict=True
        )
        if answer
    ]
    assert [
        (result.items[item], result.workers[worker], result.scale[label])
        for item, worker, label in zip(
            result.item.tolist(), result.worker.tolist(), result.label.tolist(), strict=True
        )
    ] == expected


@given(tables(["winner", "vote", *UNKNOWN], {"left": ["x", "x", "y"], "right": ["y", "z", "z"]}))
def test_winners_are_from_a_recognised_column(table):
    header, rows = table
    result = read(read_preferences, header, rows)
    if result is None:
        return
    answers = cells(
        find_known(["winner", "preferred", "choice", "Answer", "vote"], header), header, rows
    )
    assert result.winner.tolist() == [
        {"left": 1, "x": 1, "right": -1}[answer] for answer in answers if answer
    ]

"""Tests of lines separated by tabs whose ids contain blanks, and of lines with mixed separators."""

from pathlib import Path

import pytest

from irjudge.formats.rankings import read_qrels, read_run


@pytest.fixture
def qrels(tmp_path: Path):
    def read(text: str) -> list[tuple[str, str, int]]:
        path = tmp_path / "q.txt"
        path.write_text(text)
        return list(read_qrels(path).rows())

    return read


@pytest.fixture
def ranking(tmp_path: Path):
    def read(text: str) -> list[tuple[str, str, float]]:
        path = tmp_path / "r.run"
        path.write_text(text)
        run = read_run(path)
        topics = [run.topics[code] for code in run.topic.tolist()]
        return list(zip(topics, run.document.to_pylist(), run.score.tolist(), strict=True))

    return read


@pytest.mark.parametrize("iteration", ["", "0\t", "3\t"])
@pytest.mark.parametrize("topic", ["1", "tea shop"])
def test_tabs_separate_qrels_with_blanks_in_ids(qrels, iteration: str, topic: str) -> None:
    text = "".join(
        f"{topic}\t{iteration}{id}\t{grade}\n" for id, grade in (("New York", 1), ("Paris", 0))
    )
    assert qrels(text) == [(topic, "New York", 1), (topic, "Paris", 0)]


def test_tabs_separate_qrels_with_ids_of_a_word_and_a_number(qrels) -> None:
    assert qrels("1\tDoc 12\t1\n1\tDoc 13\t0\n") == [("1", "Doc 12", 1), ("1", "Doc 13", 0)]


@pytest.mark.parametrize(
    "text",
    [
        "1\t0 d1\t1\n1\t0 d2\t0\n",
        "1 0\td1\t1\n1 0\td2\t0\n",
        "1\tQ0 d1\t1\n1\tQ0 d2\t0\n",
        "1\t2 d1\t1\n1\t2 d2\t0\n",
        "1\t0\td1 1\n1\t0\td2 0\n",
        "1\t0 \td1\t 1\n1\t0\t d2\t0 \n",
    ],
)
def test_tabs_and_blanks_may_separate_qrels_alike(qrels, text: str) -> None:
    assert qrels(text) == [("1", "d1", 1), ("1", "d2", 0)]


def test_tabs_and_blanks_may_separate_lines_of_smart(qrels) -> None:
    assert qrels("1 d1\t0\t0.0\n1 d2\t0\t0.0\n") == [("1", "d1", 1), ("1", "d2", 1)]


@pytest.mark.parametrize("topic", ["1", "tea shop"])
@pytest.mark.parametrize(
    "line",
    [
        "{topic}\tQ0\t{id}\t{rank}\t{score}\tbm25",
        "{topic}\tQ0\t{id}\t{rank}\t{score}",
        "{topic}\t{id}\t{rank}\t{score}\tbm25",
        "{topic}\tQ0\t{id}\t{score}\tbm25",
        "{topic}\t{id}\t{rank}\t{score}",
        "{topic}\t{id}\t{score}",
    ],
)
def test_tabs_separate_runs_with_blanks_in_ids(ranking, line: str, topic: str) -> None:
    ids = ["New York", "San Jose", "Paris"]
    rows = [(topic, id, 9.5 - rank) for rank, id in enumerate(ids, 1)]
    text = "".join(
        line.format(topic=topic, id=id, rank=rank, score=score) + "\n"
        for rank, (_, id, score) in enumerate(rows, 1)
    )
    assert ranking(text) == rows


@pytest.mark.parametrize(
    "line",
    [
        "1\tQ0\td{rank}\t{rank}\t{score}\tmy tag",
        "1 Q0\td{rank}\t{rank}\t{score}\tt",
        "1\tQ0 d{rank}\t{rank}\t{score}\tt",
        "1\tEXP d{rank}\t{rank}\t{score}\tt",
        "1\tQ0\td{rank} {rank}\t{score}\tt",
        "1 d{rank}\t{rank}\t{score}",
        "1\td{rank} {rank}\t{score}",
        "1\tQ0 d{rank}\t{rank}\t{score}",
        "1\tQ0 \t d{rank}\t{rank}\t {score}\tt",
    ],
)
def test_tabs_and_blanks_may_separate_runs_alike(ranking, line: str) -> None:
    text = "".join(line.format(rank=rank, score=9.5 - rank) + "\n" for rank in (1, 2, 3))
    assert ranking(text) == [("1", "d1", 8.5), ("1", "d2", 7.5), ("1", "d3", 6.5)]

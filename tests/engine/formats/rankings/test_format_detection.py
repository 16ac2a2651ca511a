"""Tests of format detection by the first lines: same result as trying all formats."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.evaluation import Policy, read_ranking
from irjudge.formats.bytes import InputFile, open_input
from irjudge.formats.rankings import read_qrels
from irjudge.model import make_qrels

TOKENS = (
    '1 2 3 0 Q0 L1 L2 -1 query docid grade document {"a": qid:1 # #2 a,b rating;x d1 d2 0.5'.split()
)
LINES = st.lists(
    st.lists(st.sampled_from(TOKENS), min_size=2, max_size=6).map(" ".join), max_size=6
)
FOUR = st.lists(
    st.tuples(
        st.sampled_from(TOKENS),
        st.sampled_from(["0", "Q0"]),
        st.sampled_from(TOKENS),
        st.sampled_from(["0", "1", "2", "-1"]),
    ).map(" ".join),
    max_size=6,
)
BLANKS = st.sampled_from([" ", "\t"])


def read_result(path: Path) -> object:
    try:
        qrels = read_qrels(path)
    except IrjudgeError as error:
        return type(error), str(error)
    return list(qrels.rows()), qrels.groups, qrels.warnings


@given(st.one_of(LINES, FOUR), BLANKS, st.sampled_from(["\n", "\r\n"]))
@example(["1 0 2 0", "2 0 3 0"], " ", "\n")  # two queries without documents, and qrels
@example(["401 0 L1 2", "401 0 L2 1"], " ", "\n")
@example(["1 Q0 L1 0"], " ", "\n")
@example(["query 0 document 3", "1 0 d1 2"], "\t", "\n")
@example(["docid 0 query 0"], "\t", "\n")
@example(['{"a": 0 1 0'], " ", "\n")
@example(["query,docid,ann 0 bob 1", "1 0 d1 2"], " ", "\n")
@example(["\ufeff1 0 d1 1"], " ", "\n")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_qrels_are_the_same_as_by_trying_all_formats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str], blank: str, end: str
) -> None:
    path = tmp_path / "some.qrels"
    path.write_text(end.join(line.replace(" ", blank) for line in lines), newline="")
    likely = read_result(path)
    with monkeypatch.context() as patch:
        patch.setattr(InputFile, "first_rows", lambda _: [])
        assert read_result(path) == likely


@pytest.mark.parametrize("score", ["2.5", "x"])
def test_text_runs_are_the_same_as_by_trying_all_formats(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, score: str
) -> None:
    path = tmp_path / "a.run"
    path.write_text(f"1 Q0 a 1 3 t\n1 Q0 b 2 {score} t\n")

    def read() -> object:
        try:
            ranking = read_ranking(path, make_qrels([("1", "b", 1)]), Policy())
        except IrjudgeError as error:
            return type(error), str(error)
        return ranking.topics, np.asarray(ranking.rank).tolist()

    likely = read()
    monkeypatch.setattr(InputFile, "first_rows", lambda _: [])
    assert read() == likely


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b"1 0 a 1\n\n# said\n1 0 b 0\n1 0 c", [["1", "0", "a", "1"], ["1", "0", "b", "0"]]),
        (b"1 0 a 1", [["1", "0", "a", "1"]]),
        (b"1 0 a\0 1\n", []),
        ("1 0 \u00e9 1\n".encode(), []),
        (b"PK\x03\x04 0 a 1\n", []),
        (b"", []),
    ],
)
def test_first_rows_are_those_of_ascii_text(
    tmp_path: Path, content: bytes, rows: list[list[str]]
) -> None:
    path = tmp_path / "a"
    path.write_bytes(content)
    with open_input(path) as file:
        assert file.first_rows() == rows
    assert InputFile(tmp_path).first_rows() == [] == InputFile(tmp_path / "none").first_rows()

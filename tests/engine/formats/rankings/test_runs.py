"""Tests of runs: every quirk of real files, in small files."""

import gzip
import os
import threading
from pathlib import Path

import numpy as np
import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings import read_run, read_tag, run_name
from irjudge.model import Run
from tests.messages import keys_and_values, keys_inside


def read(folder: Path, data: str) -> Run:
    path = folder / "small.run"
    path.write_bytes(data.encode())
    return read_run(path)


@pytest.mark.parametrize("more", ["", " 8", " 8 9", " a b c"])
def test_six_to_nine_columns_read_the_same(tmp_path: Path, more: str) -> None:
    run = read(tmp_path, f"1 Q0 a 1 2.5 tag{more}\n1 Q0 b 2 1.5 tag\n")
    assert (run.document.to_pylist(), run.score.tolist(), run.rank.tolist(), run.line.tolist()) == (
        ["a", "b"],
        [2.5, 1.5],
        [1, 2],
        [1, 2],
    )
    assert bool(run.warnings) == bool(more)


@pytest.mark.parametrize(
    ("line", "rank"),
    [
        ("1 Q0 a 3 2.5 tag", 3),
        ("1 Q0 a 0 2.5 tag", 0),
        ("1 Q0 a 3 2.5", 3),
        ("1 Q0 a 2.5 tag", -1),
        ("1 Q0 a 1.0 2.5 tag", -1),
        ("1 Q0 a x 2.5 tag", -1),
    ],
)
def test_ranks_start_at_any_number_or_are_missing(tmp_path: Path, line: str, rank: int) -> None:
    run = read(tmp_path, line + "\n")
    assert (run.document.to_pylist(), run.score.tolist(), run.rank.tolist()) == (
        ["a"],
        [2.5],
        [rank],
    )
    assert any("no rank" in warning for warning in run.warnings) == (rank < 0)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("1e3", 1000.0),
        ("2.5E-3", 0.0025),
        ("-7.25", -7.25),
        ("+1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        ("-inf", -np.inf),
        ("Infinity", np.inf),
        ("1e400", np.inf),
        ("-0", 0.0),
    ],
)
def test_scores_may_have_exponents_signs_and_any_size(
    tmp_path: Path, text: str, score: float
) -> None:
    assert read(tmp_path, f"1 Q0 a 1 {text} tag\n").score.tolist() == [score]


@pytest.mark.parametrize(
    "text", ["nan", "NaN", "0x10", "1_000", "1,5", "1d5", "١", "NA", "--1", "e5", "."]
)
def test_text_that_is_not_a_number_is_not_a_score(tmp_path: Path, text: str) -> None:
    with pytest.raises(FormatError, match=r"small\.run") as refused:
        read(tmp_path, f"1 Q0 a 1 2.5 tag\n1 Q0 b 2 {text} tag\n")
    values = refused.value.values
    assert (refused.value.key, refused.value.line) == ("not-a-number", 2)
    assert (values["column"], values["shown"]) == ("score", f"'{text}'")


@pytest.mark.parametrize("name", ["051", "007", "NA", '"a', '"b"', "a#b", "1e5", "😀"])
def test_ids_stay_unchanged(tmp_path: Path, name: str) -> None:
    run = read(tmp_path, f"{name} Q0 {name} 1 1 {name}\n")
    assert (run.topics, run.document.to_pylist()) == ((name,), [name])


def test_an_invalid_rank_counts_as_missing(tmp_path: Path) -> None:
    assert read(tmp_path, "1 Q0 a 1 2 t\n1 Q0 b 1.5 2 t\n1 Q0 c x 2 t\n").rank.tolist() == [
        1,
        -1,
        -1,
    ]


def test_lines_keep_their_numbers_and_topics_their_order(tmp_path: Path) -> None:
    run = read(tmp_path, "# head\n2 Q0 a 1 1 t\n\n1 Q0 a 1 1 t\n2 Q0 b 2 1 t\n")
    assert (run.topics, run.starts.tolist(), run.line.tolist()) == (
        ("2", "1"),
        [0, 2, 3],
        [2, 5, 4],
    )


def test_the_first_of_duplicate_pairs_is_kept_with_a_warning(tmp_path: Path) -> None:
    run = read(tmp_path, "1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n2 Q0 a 1 9 t\n1 Q0 a 3 1 t\n")
    assert (run.document.to_pylist(), run.score.tolist()) == (["a", "b", "a"], [3.0, 2.0, 9.0])
    assert keys_and_values(run.warnings, "file", "topic", "document") == [
        ("same-pair", "small.run", "1", "a")
    ]


def test_several_tags_give_a_warning(tmp_path: Path) -> None:
    run = read(tmp_path, "1 Q0 a 1 3 first\n1 Q0 b 2 2 second\n")
    assert keys_and_values(run.warnings, "file", "count", "first", "second") == [
        ("several-tags", "small.run", "2", "first", "second")
    ]


@pytest.mark.parametrize(
    ("data", "line", "columns", "expected"),
    [
        ("1 Q0 a 1\n", 1, "4", "6"),
        ("1 Q0 a 1 2 t 7 8 9 10\n", 1, "10", "6"),
        ("1 Q0 a 1 2 t\n1 Q0 b 1 2\n", 2, "5", "6"),
        ("1 Q0 a 1 2 t\n1  b 1 2 t\n", 2, "5", "6"),
        ("1 Q0 a 1 2 t\n Q0 b 1 2 t\n", 2, "5", "6"),
        ("1 Q0 a 1 2 t\n1 Q0 b 1 2 \n", 2, "5", "6"),
        ("1\tQ0\ta\tx\t2\tt\n1\t\tb\t1\t2\tt\n", 2, "5", "6"),
        ("1 Q0 a 1 2\n1 Q0 b 1 2 t\n", 2, "6", "5"),
    ],
)
def test_a_line_with_another_number_of_columns_is_explained(
    tmp_path: Path, data: str, line: int, columns: str, expected: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read(tmp_path, data)
    assert (refused.value.key, refused.value.line) == ("column-count", line)
    assert refused.value.path.name == "small.run"
    assert refused.value.values["count"] == columns
    assert refused.value.values["expected"].startswith(expected)


@pytest.mark.parametrize(
    ("data", "key", "line", "value"),
    [
        ("Q0 a 9 2.5 t\n", "column-count", 1, "Q0"),
        ("1 Q0 a 1 2 t\n1 Q0 b 9999999999 2 t\n", "large-number", 2, "rank '9999999999'"),
    ],
)
def test_an_invalid_line_is_explained(
    tmp_path: Path, data: str, key: str, line: int, value: str
) -> None:
    with pytest.raises(FormatError) as refused:
        read(tmp_path, data)
    assert (refused.value.key, refused.value.line) == (key, line)
    assert value in refused.value.problem


def test_a_run_is_named_by_its_file_by_default(tmp_path: Path) -> None:
    path = tmp_path / "input.bm25.txt"
    path.write_text("1 Q0 a 1 1 t\n")
    assert (read_run(path).name, read_run(path, "mine").name) == ("input.bm25", "mine")
    assert run_name(Path(".run")) == ".run"


def test_scores_that_look_like_ranks_give_a_warning(tmp_path: Path) -> None:
    swapped = read(tmp_path, "1 Q0 a 9.5 1 t\n1 Q0 b 7.25 2 t\n2 Q0 c 3.5 1 t\n")
    assert ("scores-as-ranks",) in keys_and_values(swapped.warnings)
    tied = read(tmp_path, "2 Q0 c 3 1 t\n1 Q0 a 9 1 t\n1 Q0 b 9 2 t\n1 Q0 c 7 3 t\n")
    assert ("scores-as-ranks",) in keys_and_values(tied.warnings)
    sound = read(tmp_path, "1 Q0 a 9.5 2 t\n1 Q0 b 7.25 1 t\n2 Q0 c 3.5 1 t\n")
    assert ("scores-as-ranks",) not in keys_and_values(sound.warnings)


def test_an_invalid_score_is_explained_with_advice_for_header_lines(
    tmp_path: Path,
) -> None:
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "1 Q0 a 1 2.5 tag\n1 Q0 b 2 x tag\n")
    values = caught.value.values
    assert (caught.value.key, caught.value.line) == ("not-a-number", 2)
    assert (values["column"], values["shown"]) == ("score", "'x'")
    assert "12.5" in values["any_number"] and "names-columns" not in keys_inside(
        caught.value.problem
    )
    with pytest.raises(FormatError) as caught:
        read(tmp_path, "topic Q0 document rank score tag\n1 Q0 a 1 2.5 tag\n1 Q0 b 2 2 tag\n")
    assert (caught.value.key, caught.value.line) == ("not-a-number", 1)
    assert "names-columns" in keys_inside(caught.value.problem)


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("1 Q0 d 1 2.0 mine\n2 Q0 d 1 2.0 other\n", "mine"),
        ("# a note of six words more\n\n1\tQ0\td\t1\t2.0\tmine and more\n", "mine"),
        ("1 Q0 d 1 2.0\n", None),
        ("", None),
        ("# nothing\n", None),
    ],
)
def test_the_tag_is_the_sixth_column_of_the_first_line(
    tmp_path: Path, text: str, tag: str | None
) -> None:
    (tmp_path / "a.run").write_text(text)
    (tmp_path / "b.run.gz").write_bytes(gzip.compress(text.encode()))
    assert read_tag(tmp_path / "a.run") == read_tag(tmp_path / "b.run.gz") == tag


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_not_read_for_its_tag(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text("1 Q0 d 1 2.0 mine\n"))
    writer.start()
    try:
        assert read_tag(tmp_path / "pipe") is None
        assert (tmp_path / "pipe").read_text() == "1 Q0 d 1 2.0 mine\n"
    finally:
        writer.join()


def test_errors_in_reading_a_tag_are_left_to_the_reader(tmp_path: Path) -> None:
    assert read_tag(tmp_path / "missing") is None
    (tmp_path / "x").write_bytes(b"1 Q0 d\xff 1 2 t\n")
    with pytest.raises(FormatError):
        read_tag(tmp_path / "x")


def test_four_columns_with_a_repeated_document_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 d1 1 2.5\n1 d1 2 2.0\n1 d2 3 1.0\n")
    run = read_run(path)
    assert (run.document.to_pylist(), run.rank.tolist()) == (["d1", "d2"], [1, 3])


def test_five_columns_with_score_before_rank_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("1 d1 0.5 1 t\n1 d2 0.4 2 t\n")
    run = read_run(path)
    assert (run.document.to_pylist(), run.score.tolist()) == (["d1", "d2"], [0.5, 0.4])
    assert (run.rank.tolist(), run.tag) == ([1, 2], "t")

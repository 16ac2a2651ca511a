"""Tests of the fast reader of runs: its result equals a full read, or it declines the file."""

import gzip
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irjudge.errors import FormatError
from irjudge.evaluation import find_judged_ranks
from irjudge.evaluation import judged_runs as retrieving
from irjudge.evaluation.judged_runs import read_judged_ranks
from irjudge.formats.rankings import read_run
from irjudge.formats.rankings import runs as regular_runs
from irjudge.formats.rows import grouping as hashed_ids
from irjudge.formats.rows import hash_ids
from irjudge.model import JudgedRanking, Qrels, Ties, make_qrels, make_run, to_arrow_column

IDS = [
    "a",
    "b",
    "7",
    "007",
    "NA",
    "clueweb09-en0000-00-00000",
    "clueweb09-en0000-00-00001",
    "x" * 8,
    "x" * 9,
    "x" * 64,
    "x" * 65,
]
SCORES = [
    "1",
    "1.0",
    "0.5",
    "-0.5",
    "-0",
    "12.345600128173828",
    "1e-3",
    "-1.5e2",
    "3",
    "2.9999999999",
    "2.9999999998",
    "24.786411",
    "1e400",
]
QRELS = make_qrels(
    [(topic, document, 1) for topic in ("1", "2", "longer-than-a-word") for document in IDS[::2]]
    + [("3", "b", 1)]
)


def fields(ranking: JudgedRanking) -> dict[str, object]:
    return {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in asdict(ranking).items()
    }


def write(folder: Path, lines: list[str], text: str = "") -> Path:
    path = folder / "a.run"
    path.write_bytes((text or "".join(f"{line}\n" for line in lines)).encode())
    return path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("retrieved")


@given(
    st.lists(
        st.tuples(st.sampled_from(IDS), st.sampled_from(SCORES)),
        min_size=1,
        max_size=12,
        unique_by=lambda row: row[0],
    ),
    st.lists(st.sampled_from(["1", "2", "3", "4", "longer-than-a-word"]), min_size=1, unique=True),
    st.sampled_from(["trec", "docno", "file"]),
    st.booleans(),
    st.integers(1, 400),
)
@example([("a", "1"), ("b", "-0.5"), ("7", "1")], ["4", "1"], "trec", False, 1)
def test_the_fast_reader_gives_the_same_for_regular_runs(
    folder: Path,
    rows: list[tuple[str, str]],
    topics: list[str],
    ties: Ties,
    single_precision: bool,
    part: int,
) -> None:
    path = write(
        folder, [f"{topic} Q0 {name} 1 {score} tag" for topic in topics for name, score in rows]
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(regular_runs, "PART_BYTES", part)
        judged_ranks = read_judged_ranks(path, QRELS, ties=ties, single_precision=single_precision)
    if any(len(name) > 64 for name, _ in rows):
        assert judged_ranks is None
        return
    assert judged_ranks
    assert fields(judged_ranks) == fields(
        find_judged_ranks(read_run(path), QRELS, ties, single_precision=single_precision)
    )


IRREGULAR = {
    "ranks that contradict the scores": "1 Q0 a 1 1 t\n1 Q0 b 2 2 t\n",
    "a comment behind its head": "1 Q0 a 1 2 t\n#1 Q0 b 2 1 t\n",
    "a blank line": "1 Q0 a 1 2 t\n\n1 Q0 b 2 1 t\n",
    "two separators": "1 Q0  a 1 2 t\n",
    "two separators and a column less": "1  a 1 2 t\n",
    "a tab among spaces": "1\tQ0 a 1 2 t\n",
    "a carriage return": "1 Q0 a 1 2 t\r\n",
    "seven columns": "1 Q0 a 1 2 t more\n",
    "five columns, then seven": "1 Q0 a 1 2\n1 1 Q0 b 1 1 1\n",
    "a topic in two places": "1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n1 Q0 b 1 2 t\n",
    "a document twice": "1 Q0 a 1 2 t\n1 Q0 a 2 1 t\n",
    "two tags": "1 Q0 a 1 2 t\n2 Q0 a 1 2 u\n",
    "two tags in a topic": "1 Q0 a 1 2 t\n1 Q0 b 2 1 u\n",
    "no number": "1 Q0 a 1 x t\n",
    "a sign alone": "1 Q0 a 1 - t\n",
    "an exponent alone": "1 Q0 a 1 e5 t\n",
    "a point alone": "1 Q0 a 1 . t\n",
    "two signs": "1 Q0 a 1 --5 t\n",
    "no finite number": "1 Q0 a 1 nan t\n",
    "a rank too large": "1 Q0 a 99999999999 1 t\n",
    "letters beyond ASCII": "1 Q0 \u00e4 1 2 t\n",
    "nothing": "\n",
    "a zero byte": "1 Q0 a\0 1 2 t\n",
    "codes of interactions": "1 AF a 1 2 t\n1 NS b 2 1 t\n",
}


@pytest.mark.parametrize("text", IRREGULAR.values(), ids=IRREGULAR.keys())
@pytest.mark.parametrize("part", [8, 1 << 20])
def test_irregular_runs_are_left_to_the_full_reader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, part: int
) -> None:
    monkeypatch.setattr(regular_runs, "PART_BYTES", part)
    assert read_judged_ranks(write(tmp_path, [], text), QRELS) is None


@pytest.mark.parametrize(
    "text",
    ["1\tQ0\ta\t1\t2\tt\n", "1 Q0 a 1 2 t", "1 Q0 a 1 2 t\n1 Q0 b x 1 t\n", "1 Q0 a 1 .5 t\n"],
)
def test_tabs_missing_line_ends_and_odd_ranks_are_read_or_left(tmp_path: Path, text: str) -> None:
    path = write(tmp_path, [], text)
    judged_ranks = read_judged_ranks(path, QRELS)
    assert judged_ranks is None or fields(judged_ranks) == fields(
        find_judged_ranks(read_run(path), QRELS)
    )
    assert (judged_ranks is None) == (".5" in text)


def test_a_compressed_run_equals_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(gzip.compress(b"1 Q0 a 1 2 t\n1 Q0 c 2 1 t\n1 Q0 b 3 0 t\n"))
    judged_ranks = read_judged_ranks(path, make_qrels([("1", "b", 1)]))
    assert judged_ranks
    assert (judged_ranks.name, judged_ranks.rank.tolist(), judged_ranks.sizes.tolist()) == (
        "a",
        [3],
        [3],
    )


def test_system_errors_are_raised_by_the_full_reader(tmp_path: Path) -> None:
    assert read_judged_ranks(tmp_path / "missing", QRELS) is None
    packed = gzip.compress("".join(f"1 Q0 {number} 1 2 t\n" for number in range(1000)).encode())
    for broken in (packed[:-20], packed[:10] + b"\x07" + packed[11:]):
        path = tmp_path / "broken.gz"
        path.write_bytes(broken)
        assert read_judged_ranks(path, QRELS) is None
        with pytest.raises(FormatError):
            read_run(path)


@pytest.mark.parametrize("qrels", [make_qrels([]), make_qrels([("9", "a", 1)])])
def test_empty_qrels_match_nothing_and_count_all(tmp_path: Path, qrels: Qrels) -> None:
    judged_ranks = read_judged_ranks(write(tmp_path, ["1 Q0 a 1 2 t", "1 Q0 b 2 1 t"]), qrels)
    assert judged_ranks
    assert (len(judged_ranks.rank), judged_ranks.sizes.tolist()) == (0, [2])


@pytest.mark.parametrize("whole", [False, True])
def test_equal_hashes_of_different_documents_are_never_taken_for_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, whole: bool
) -> None:
    path = write(tmp_path, ["1 Q0 cccccccc 1 2 t"])
    run = read_run(path)
    monkeypatch.setattr(
        hashed_ids, "hash_words", lambda _words, lengths: np.zeros(len(lengths), dtype=np.uint64)
    )
    for module in (hashed_ids, retrieving):
        monkeypatch.setattr(module, "hash_ids", lambda ids: np.zeros(len(ids), dtype=np.uint64))
    for others, wanted in (
        ("a", []),
        (["ccccccccc"], []),
        (["a", "b"], []),
        (["b", "cccccccc", "a"], [1]),
    ):
        qrels = make_qrels([("1", other, 1) for other in others])
        judged_ranks = find_judged_ranks(run, qrels) if whole else read_judged_ranks(path, qrels)
        assert (
            judged_ranks is not None
            and judged_ranks.document.tolist() == wanted
            and judged_ranks.rank.tolist() == [1] * len(wanted)
        )


@given(st.lists(st.text("abé\n7-", max_size=80), max_size=20))
def test_texts_and_pieces_have_the_same_hashes(ids: list[str]) -> None:
    texts = pa.array(ids, pa.string())
    pieces = hashed_ids.PackedTexts.from_texts(texts)
    short = np.array([len(each.encode()) <= hashed_ids.PADDING_BYTES for each in ids], dtype=bool)
    assert (
        (hashed_ids.hash_words(pieces.words, pieces.lengths)[short] == hash_ids(texts)[short]).all()
        if len(ids)
        else True
    )
    assert pieces.take(to_arrow_column(np.flatnonzero(short))).to_pylist() == [
        each for each, fits in zip(ids, short, strict=True) if fits
    ]


def test_a_document_judged_for_several_subtopics_is_found_once() -> None:
    judged_ranks = find_judged_ranks(
        make_run("a", [("1", "d", 1.0)]), make_qrels([("1", "d", 1), ("1", "d", 2)])
    )
    assert (judged_ranks.document.tolist(), judged_ranks.rank.tolist()) == ([0], [1])


@given(st.integers(1, 12), st.integers(0, 30))
def test_a_run_in_memory_gives_the_same_in_parts_of_any_size(part: int, topics: int) -> None:
    run = make_run(
        "a",
        [
            (str(topic), name, float(len(name) % 3))
            for topic in range(topics)
            for name in IDS[: 1 + topic % len(IDS)]
        ],
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(retrieving, "SLICE_ROWS", part)
        judged_ranks = find_judged_ranks(run, QRELS)
    assert fields(judged_ranks) == fields(find_judged_ranks(run, QRELS))


def test_runs_ordered_by_rank_are_left_to_the_full_reader(tmp_path: Path) -> None:
    assert read_judged_ranks(write(tmp_path, ["1 Q0 a 1 2 t"]), QRELS, ties="rank") is None

"""Tests of runs as records, lists, conversation turns, compressed files, archives and folders."""

import gzip
import json
import math
import zipfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest

from irjudge.errors import FormatError, Undecided
from irjudge.formats.rankings import (
    choose_distinct_run_names,
    expand_run_folders,
    read_qrels,
    read_run,
)
from irjudge.model import Run

ROWS = [("401", "d1", 1, 9.5), ("401", "d2", 2, 8.5), ("402", "d3", 1, 7.5)]
TREC = "".join(f"{topic} Q0 {document} {rank} {score} t\n" for topic, document, rank, score in ROWS)
NAMES = ("qid", "docno", "rank", "score")
RECORDS = [dict(zip(NAMES, row, strict=True)) for row in ROWS]
SCORED = [(topic, document, score) for topic, document, _, score in ROWS]
BY_COLUMN = {name: {str(at): record[name] for at, record in enumerate(RECORDS)} for name in NAMES}


def pairs(run: Run) -> list[tuple[str, str, float]]:
    topics = [run.topics[code] for code in run.topic.tolist()]
    return list(zip(topics, run.document.to_pylist(), run.score.tolist(), strict=True))


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(RECORDS),
        json.dumps(RECORDS, indent=2),
        "".join(json.dumps(each) + "\n" for each in RECORDS),
        json.dumps(BY_COLUMN),
        json.dumps({"columns": NAMES, "index": [0, 1, 2], "data": ROWS}),
        json.dumps({"401": [["d1", 9.5], ["d2", 8.5]], "402": [["d3", 7.5]]}),
        json.dumps({"401": [["d1", 1, 9.5], ["d2", 2, 8.5]], "402": [["d3", 1, 7.5]]}),
        json.dumps({"401": RECORDS[:2], "402": RECORDS[2:]}),
        "".join(f"{topic}\t{document}\t{rank}\t{score}\n" for topic, document, rank, score in ROWS),
        f"sep=;\r\n{';'.join(NAMES)}\r\n"
        + "".join(";".join(map(str, row)) + "\r\n" for row in ROWS),
    ],
)
def test_each_shape_has_the_same_ranking(tmp_path: Path, text: str):
    (tmp_path / "a.json").write_text(text, newline="")
    assert pairs(read_run(tmp_path / "a.json")) == SCORED


def write_rows(path: Path, rows: list[dict[str, object]]) -> None:
    """Write records as CSV, JSON records, lists by topic or Parquet, depending on the name."""
    if path.suffix == ".parquet":
        pyarrow.parquet.write_table(pa.Table.from_pylist(rows), path)
    elif path.suffix == ".csv":
        lines = [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
        path.write_text("\n".join(lines) + "\n")
    else:
        path.write_text(json.dumps(rows if path.stem == "records" else {"1": rows}))


@pytest.mark.parametrize("name", ["a.csv", "records.json", "lists.json", "a.parquet"])
def test_scores_that_contradict_ranks_or_look_like_ranks_give_a_warning(tmp_path: Path, name: str):
    contradicting = [
        {"qid": "1", "docno": "a", "rank": 1, "score": 0.25},
        {"qid": "1", "docno": "b", "rank": 2, "score": 0.5},
    ]
    write_rows(tmp_path / name, contradicting)
    assert [each.key for each in read_run(tmp_path / name).warnings][1:] == ["contradicting-ranks"]
    consistent = [{**row, "rank": 3 - row["rank"]} for row in contradicting]
    write_rows(tmp_path / name, consistent)
    assert len(read_run(tmp_path / name).warnings) == 1
    ranks_as_scores = [
        {"qid": "1", "docno": name, "score": at} for at, name in ((1, "a"), (2, "b"))
    ]
    write_rows(tmp_path / name, ranks_as_scores)
    assert [each.key for each in read_run(tmp_path / name).warnings][1:] == ["scores-as-ranks"]


@pytest.mark.parametrize("repeated_line", ["1 d1 2 2.0\n1 d2 3 1.0\n", "1 d1 1 2.5\n1 d2 2 1.0\n"])
def test_a_repeated_document_does_not_change_the_columns(tmp_path: Path, repeated_line: str):
    (path := tmp_path / "a.run").write_text("1 d1 1 2.5\n" + repeated_line)
    run = read_run(path)
    assert pairs(run) == [("1", "d1", 2.5), ("1", "d2", 1.0)]


def test_a_score_may_be_before_the_rank(tmp_path: Path):
    (path := tmp_path / "a.run").write_text("1 d1 0.5 1 t\n1 d2 0.4 2 t\n")
    run = read_run(path)
    assert pairs(run) == [("1", "d1", 0.5), ("1", "d2", 0.4)]
    assert (run.rank.tolist(), run.tag) == ([1, 2], "t")


def test_lists_of_ids_are_ranked_in_their_order(tmp_path: Path):
    (tmp_path / "a.json").write_text('{"1": ["b", 7], "2": []}')
    run = read_run(tmp_path / "a.json")
    assert pairs(run) == [("1", "b", 2), ("1", "7", 1)] and run.empty_topics == ("2",)


@pytest.mark.parametrize(
    "documents",
    [
        [["b", 9.5, 1], ["a", 8, 2]],
        [["b", 9, 1], ["a", 8, 2]],
        [["b", "Title", 9.5], ["a", "3rd title", 8]],
        [["b", 1], ["a", 2]],
        [["b", 0], ["a", 5]],
        [{"docid": "a", "rank": 2}, {"docid": "b", "rank": 1}],
        [{"docid": "a", "position": 2.0}, {"docid": "b", "position": 1}],
        [{"docid": "a", "sim": 0.25}, {"docid": "b", "sim": 0.5}],
        [{"docid": "a", "Similarity": 0.25, "rank": 1}, {"docid": "b", "Similarity": 0.5}],
    ],
)
def test_ranks_and_scores_in_lists_are_distinguished(tmp_path: Path, documents: list[object]):
    (tmp_path / "a.json").write_text(json.dumps({"1": documents}))
    run = read_run(tmp_path / "a.json")
    scores = dict(zip(run.document.to_pylist(), run.score.tolist(), strict=True))
    assert scores["b"] > scores["a"]


def test_whole_scores_of_single_documents_are_kept(tmp_path: Path):
    (tmp_path / "a.json").write_text('{"1": [["a", 7]], "2": [["b", 9]]}')
    assert pairs(read_run(tmp_path / "a.json")) == [("1", "a", 7), ("2", "b", 9)]


def test_the_order_of_a_list_is_named_as_the_ranking(tmp_path: Path):
    (tmp_path / "a.json").write_text('{"1": [{"docid": "b", "length": 3}, {"docid": "a"}]}')
    run = read_run(tmp_path / "a.json")
    assert pairs(run) == [("1", "b", 2), ("1", "a", 1)]
    assert run.warnings[0].values["ranking"].key == "file-order"


@pytest.mark.parametrize(
    ("documents", "key"),
    [
        ([["a", 0.5], "b"], "mixed-documents"),
        ([{"docid": "a", "score": 2}, {"docid": "b", "rank": 1}], "mixed-documents"),
        ([["a", 1, 0.5], ["b", 0.25]], "mixed-documents"),
        ([{"docid": "a", "rank": 1}, {"docid": "b", "rank": None}], "mixed-documents"),
        ([["a", 0.5, 0.25], ["b", 0.25, 0.5]], "no-rank-number"),
        ([{"docid": "a", "rank": 1.5}], "not-whole"),
        ([{"docid": "a", "rank": 1}, {"docid": "b", "rank": -1}], "mixed-documents"),
        ([["a", "first", "second"]], "not-a-number"),
        ([["a", "1", "2.5"], ["b", "2", "1.5"]], "not-a-number"),
        ([["a", float("nan")]], "not-a-number"),
        ([["a", True]], "not-a-number"),
    ],
)
def test_lists_without_one_kind_of_number_are_refused(
    tmp_path: Path, documents: list[object], key: str
):
    (tmp_path / "a.json").write_text(json.dumps({"1": documents}))
    with pytest.raises(FormatError) as caught:
        read_run(tmp_path / "a.json")
    assert caught.value.key == key


@pytest.mark.parametrize("rank", ["1", "x", None, -1, math.nan, math.inf, True])
def test_a_rank_beside_a_score_may_be_a_text_or_missing(tmp_path: Path, rank: object):
    document = {"docid": "a", "rank": rank, "score": 9.5}
    (tmp_path / "a.json").write_text(json.dumps({"1": [document]}))
    run = read_run(tmp_path / "a.json")
    assert pairs(run) == [("1", "a", 9.5)]
    assert run.rank.tolist() == [1 if rank == "1" else -1]


@pytest.mark.parametrize("rank", ["1", None, -1, math.nan])
def test_a_rank_in_a_list_with_a_score_may_be_a_text_or_missing(tmp_path: Path, rank: object):
    (tmp_path / "a.json").write_text(json.dumps({"1": [["a", rank, 9.5]]}))
    run = read_run(tmp_path / "a.json")
    assert pairs(run) == [("1", "a", 9.5)]
    assert run.rank.tolist() == [1 if rank == "1" else -1]


def test_ranks_as_text_give_the_ranking(tmp_path: Path):
    (tmp_path / "a.json").write_text(
        '{"1": [{"docid": "a", "rank": "2"}, {"docid": "b", "rank": "1"}]}'
    )
    run = read_run(tmp_path / "a.json")
    assert dict(zip(run.document.to_pylist(), run.rank.tolist(), strict=True)) == {"a": 2, "b": 1}


@pytest.mark.parametrize("rank", ["first", None, -1, math.nan])
def test_the_ranking_follows_the_list_if_no_rank_is_known(tmp_path: Path, rank: object):
    documents = [{"docid": "b", "rank": rank}, {"docid": "a", "rank": rank}]
    (tmp_path / "a.json").write_text(json.dumps({"1": documents}))
    run = read_run(tmp_path / "a.json")
    assert pairs(run) == [("1", "b", 2), ("1", "a", 1)]
    assert run.warnings[0].values["ranking"].key == "file-order"


def test_records_keep_ids_unchanged(tmp_path: Path):
    (tmp_path / "a.jsonl").write_text(
        '{"qid": 007.0, "docid": 1}'.replace("007.0", '"007"')
        + '\n{"qid": 12345678901234567890, "docid": 1.0, "score": 2}\n'
    )
    with pytest.raises(FormatError) as caught:
        read_run(tmp_path / "a.jsonl")
    assert caught.value.key == "not-a-number" and caught.value.line == 1
    (tmp_path / "b.jsonl").write_text('{"qid": 12345678901234567890, "docid": 1.0, "score": 2}\n')
    assert pairs(read_run(tmp_path / "b.jsonl")) == [("12345678901234567890", "1.0", 2)]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"qid": {"0": "1"}, "docno": {"1": "a"}}', "ragged-table"),
        ('{"columns": ["qid", "docno"], "data": [["1"]]}', "ragged-table"),
        ('[{"qid": "1", "docno": ["a"], "score": 1}]', "empty-cell"),
        ('[{"qid": "1", "docno": "a", "score": 1}, 2]', "not-object"),
        ('{"1": [["a", 1], [null, 2]]}', "no-documents"),
        ("1 a 5 2.5\n1 b 9 1.5\n", "column-count"),
    ],
)
def test_lists_of_different_lengths_are_refused(tmp_path: Path, text: str, key: str):
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(FormatError) as caught:
        read_run(tmp_path / "a.json")
    assert caught.value.key == key


def test_records_without_known_fields_need_column_mappings(tmp_path: Path):
    (tmp_path / "a.json").write_text('[{"qid": "1", "docno": "a", "closeness": 1.5}]')
    with pytest.raises(Undecided) as caught:
        read_run(tmp_path / "a.json")
    assert caught.value.key == "no-score-column"


def turns(*responses: dict[str, object]) -> str:
    return json.dumps({"run_name": "r", "turns": [{"turn_id": "9_1", "responses": responses}]})


def test_a_turn_with_one_response_keeps_scores(tmp_path: Path):
    held = [{"id": "p1", "score": 0.25}, {"id": "p2", "score": 0.75}]
    (tmp_path / "a.json").write_text(turns({"rank": 1, "text": "t", "provenance": held}))
    assert pairs(read_run(tmp_path / "a.json")) == [("9_1", "p1", 0.25), ("9_1", "p2", 0.75)]


def test_turns_are_ranked_by_response_then_by_provenance(tmp_path: Path):
    first = {"rank": 1, "passage_provenance": [{"id": "p1", "score": 0.1}, {"id": "p2"}]}
    second = {"rank": 2, "passage_provenance": [{"id": "p2"}, {"id": "p3", "score": 0.9}]}
    (tmp_path / "a.json").write_text(turns(second, first))
    assert pairs(read_run(tmp_path / "a.json")) == [
        ("9_1", "p1", 3),
        ("9_1", "p2", 2),
        ("9_1", "p3", 1),
    ]


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "utf-8"]
)
def test_runs_and_qrels_in_utf_16_are_read(tmp_path: Path, encoding: str):
    (tmp_path / "a.run").write_bytes(TREC.encode(encoding))
    (tmp_path / "a.qrels").write_bytes("401 0 d1 1\n402 0 d3 0\n".encode(encoding))
    assert pairs(read_run(tmp_path / "a.run")) == SCORED
    expected = [("401", "d1", 1), ("402", "d3", 0)]
    assert list(read_qrels(tmp_path / "a.qrels").rows()) == expected


def test_a_named_encoding_applies_to_lines(tmp_path: Path):
    (tmp_path / "a.run").write_bytes("1 Q0 \u5929 1 2.5 t\n".encode("gb18030"))
    assert read_run(tmp_path / "a.run", encoding="GB18030").document.to_pylist() == ["\u5929"]
    (tmp_path / "a.qrels").write_bytes("1 0 d\xe9 1\n".encode("cp1252"))
    qrels = read_qrels(tmp_path / "a.qrels", encoding="cp1252")
    assert list(qrels.rows()) == [("1", "d\xe9", 1)]
    assert [each.key for each in qrels.warnings] == ["read-as"]


def arrow_packed(codec: str) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as out:
        out.write(TREC.encode())
    return sink.getvalue().to_pybytes()


@pytest.mark.parametrize(("codec", "ending"), [("lz4", "lz4"), ("zstd", "zst")])
def test_other_compressions_are_read(tmp_path: Path, codec: str, ending: str):
    path = tmp_path / f"bm25.run.{ending}"
    path.write_bytes(arrow_packed(codec))
    run = read_run(path)
    assert (run.name, pairs(run)) == ("bm25", SCORED)


def write_zip(path: Path, **files: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("DOT", "."), content)
    return path


METADATA = b"tag: 'bm25 title'\nactor:\n  team: t\n"


def test_an_archive_of_one_run_is_that_run(tmp_path: Path):
    path = write_zip(
        tmp_path / "a.zip",
        sys__runDOTtxt=TREC.encode(),
        sys__runDOTtxtDOTgz=gzip.compress(TREC.encode()),
        **{"sys__ir-metadataDOTyml": METADATA, "__MACOSX__sys__DOT_runDOTtxt": b"x"},
    )
    run = read_run(path)
    assert (run.name, pairs(run)) == ("bm25 title", SCORED)
    assert run.metadata == METADATA.decode().strip()
    packed = write_zip(tmp_path / "b.zip", aDOTrunDOTgz=gzip.compress(TREC.encode()))
    assert pairs(read_run(packed)) == SCORED


def test_an_archive_of_several_runs_names_them(tmp_path: Path):
    path = write_zip(tmp_path / "a.zip", aDOTrun=TREC.encode(), bDOTrun=TREC.encode())
    with pytest.raises(FormatError) as caught:
        read_run(path)
    assert caught.value.key == "archive" and "a.run, b.run" in str(caught.value)


def test_folders_of_runs_are_named_by_their_metadata(tmp_path: Path):
    for name, tag in (("x", "first"), ("y", '"second"')):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.txt.gz").write_bytes(gzip.compress(TREC.encode()))
        (tmp_path / name / "ir-metadata.yml").write_text(f"tag: {tag}\n")
        (tmp_path / name / "index.log").write_text("other\n")
    paths = expand_run_folders([tmp_path])
    assert paths == [tmp_path / "x", tmp_path / "y"]
    assert choose_distinct_run_names(paths) == ["first", "second"]
    assert [read_run(path).name for path in paths] == ["first", "second"]
    assert pairs(read_run(paths[0])) == SCORED


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (("a/x/r.run", "b/x/r.run"), ["a/x/r", "b/x/r"]),
        (("x/r.run", "x/r.txt"), ["r.run", "r.txt"]),
        (
            ("x/r.run", "x/r.txt", "y/r.run", "y/r.txt"),
            ["x/r.run", "x/r.txt", "y/r.run", "y/r.txt"],
        ),
        (("r.run", "x/r.run"), ["r", "x/r"]),
        (("a/r.run", "b/r.run", "c.run"), ["a/r", "b/r", "c"]),
    ],
)
def test_names_of_runs_are_distinct(paths: tuple[str, ...], names: list[str]):
    assert choose_distinct_run_names(list(map(Path, paths))) == names


def test_a_folder_of_several_run_files_is_each_of_them(tmp_path: Path):
    (tmp_path / "b.run").write_text(TREC)
    (tmp_path / "a.run.gz").write_bytes(gzip.compress(TREC.encode()))
    (tmp_path / ".hidden").write_text("other")
    assert expand_run_folders([tmp_path]) == [tmp_path / "a.run.gz", tmp_path / "b.run"]


def test_a_folder_that_is_one_run_stays_one(tmp_path: Path):
    alone, responses, described, columnar = (
        tmp_path / name for name in ("alone", "responses", "described", "columnar")
    )
    for folder in (alone, responses, described):
        folder.mkdir()
    (alone / "bm25.run").write_text(TREC)
    for name in ("one.json", "two.json"):
        (responses / name).write_text('{"hits": {"hits": []}}')
    (described / "run.txt").write_text(TREC)
    (described / "index.log").write_text("other")
    (described / "ir-metadata.yml").write_text("tag: first")
    columnar.mkdir()
    for number in range(2):
        pa.parquet.write_table(pa.table({"a": [1]}), columnar / f"part-{number}.parquet")
    folders = [alone, responses, described, columnar]
    assert expand_run_folders(folders) == folders

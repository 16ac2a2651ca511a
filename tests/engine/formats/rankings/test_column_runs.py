"""Tests of runs and qrels in Parquet and Arrow IPC: files, folders, patterns and addresses."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import Policy, evaluate_runs, parse_measures, read_ranking
from irjudge.evaluation.column_retrieval import read_columnar_judged_ranks
from irjudge.formats.bytes import parse_location
from irjudge.formats.rankings import convert_runs, read_qrels, read_run
from irjudge.model import make_run
from tests.messages import keys_and_values

MEASURES = parse_measures("AP nDCG@5 RR bpref Judged@5 NumRet".split())
TOPICS, DEPTH = 9, 7


def rows(seed: int = 0) -> list[tuple[str, str, float]]:
    random = np.random.default_rng(seed)
    return [
        (f"t{topic}", f"d{document}", round(float(random.normal()), 1))
        for topic in range(TOPICS)
        for document in random.choice(20, DEPTH, replace=False)
    ]


def table_of(given: list[tuple[str, str, float]], **more: list) -> pa.Table:
    topics, documents, scores = map(list, zip(*given, strict=True))
    return pa.table({"query_id": topics, "doc_id": documents, "score": scores, **more})


def write_text(path: Path, given: list[tuple[str, str, float]]) -> Path:
    path.write_text(
        "".join(
            f"{topic} Q0 {document} {rank} {score} x\n"
            for rank, (topic, document, score) in enumerate(given, 1)
        )
    )
    return path


@pytest.fixture
def qrels(tmp_path):
    random = np.random.default_rng(5)
    path = tmp_path / "q.qrels"
    path.write_text(
        "".join(
            f"t{topic} 0 d{each} {random.integers(0, 4)}\n"
            for topic in range(TOPICS)
            for each in range(0, 20, 2)
        )
    )
    return path


def values(qrels: Path, run: Path, **policy) -> list[bytes]:
    judged, wanted = read_qrels(qrels), Policy(**policy)
    evaluation = evaluate_runs(judged, [read_ranking(run, judged, wanted)], MEASURES, wanted).runs[
        0
    ]
    return [
        evaluation.values.tobytes(),
        evaluation.summary.tobytes(),
        repr(evaluation.coverage).encode(),
    ]


@pytest.mark.parametrize("ties", ["trec", "file", "docno"])
@pytest.mark.parametrize("group", [1, 5, DEPTH, 16, 1000])
def test_any_row_group_boundary_gives_the_values_of_the_text(tmp_path, qrels, group, ties):
    text = write_text(tmp_path / "text.run", rows())
    pyarrow.parquet.write_table(table_of(rows()), tmp_path / "a.parquet", row_group_size=group)
    pyarrow.feather.write_feather(table_of(rows()), tmp_path / "a.arrow", chunksize=group)
    wanted = values(qrels, text, ties=ties)
    assert (
        values(qrels, tmp_path / "a.parquet", ties=ties)
        == values(qrels, tmp_path / "a.arrow", ties=ties)
        == wanted
    )


@pytest.mark.parametrize("group", [1, 5, DEPTH, 16])
def test_split_topics_are_joined_without_loading_the_whole_run(tmp_path, qrels, group):
    pyarrow.parquet.write_table(table_of(rows()), tmp_path / "a.parquet", row_group_size=group)
    assert read_columnar_judged_ranks(tmp_path / "a.parquet", read_qrels(qrels)) is not None


@pytest.mark.parametrize(
    "topic", [pa.string(), pa.large_string(), pa.dictionary(pa.int8(), pa.string())]
)
@pytest.mark.parametrize(
    "document", [pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())]
)
def test_ids_may_be_texts_of_any_kind(tmp_path, qrels, topic, document):
    table = table_of(rows()).cast(
        pa.schema({"query_id": topic, "doc_id": document, "score": pa.float64()})
    )
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=5)
    assert values(qrels, tmp_path / "a.parquet") == values(
        qrels, write_text(tmp_path / "text.run", rows())
    )


def test_ids_may_be_whole_numbers(tmp_path):
    (tmp_path / "q").write_text("1 0 7 1\n1 0 07 2\n2 0 123456789012345678 1\n2 0 x 3\n")
    text = [("1", "7", 0.5), ("1", "8", 0.7), ("2", "123456789012345678", 0.7)]
    table = pa.table(
        {"qid": [1, 1, 2], "docid": [7, 8, 123456789012345678], "score": [0.5, 0.7, 0.7]}
    )
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    assert values(tmp_path / "q", tmp_path / "a.parquet") == values(
        tmp_path / "q", write_text(tmp_path / "t.run", text)
    )
    assert read_run(tmp_path / "a.parquet").document.to_pylist() == ["7", "8", "123456789012345678"]


RUN_OR_QRELS = pytest.mark.parametrize(
    ("read", "number"), [(read_run, "score"), (read_qrels, "grade")], ids=["run", "qrels"]
)


def read_ids(read: Callable, path: Path) -> tuple[tuple[str, ...], list[str]]:
    """Return the ids of the topics and documents in a run or in qrels."""
    content = read(path)
    documents = content.document if read is read_run else content.documents
    return content.topics, documents.to_pylist()


def write_parquet(path: Path, topic: object, document: object, number: str) -> Path:
    pyarrow.parquet.write_table(pa.table({"qid": [topic], "docno": [document], number: [1]}), path)
    return path


@RUN_OR_QRELS
@pytest.mark.parametrize(("topic", "document"), [(1.0, 2), (1, 7.0), (3.0, 7.0)])
def test_whole_numbers_stored_as_floats_are_ids(tmp_path, read, number, topic, document):
    path = write_parquet(tmp_path / "a.parquet", topic, document, number)
    assert read_ids(read, path) == ((f"{topic:g}",), [f"{document:g}"])


@RUN_OR_QRELS
@pytest.mark.parametrize("id", [1e15, 12345678901234567.0, 1e16, -1e18])
@pytest.mark.parametrize("is_topic", [True, False])
def test_floats_that_may_be_rounded_ids_are_refused(tmp_path, read, number, id, is_topic):
    path = write_parquet(tmp_path / "a.parquet", *((id, "d") if is_topic else ("1", id)), number)
    with pytest.raises(FormatError) as caught:
        read(path)
    assert caught.value.key == "wrong-cell"


@RUN_OR_QRELS
@pytest.mark.parametrize("id", [" d7", "d7 ", "d7\t", "d7\u00a0", "\u3000d7"])
@pytest.mark.parametrize("is_topic", [True, False])
def test_white_space_at_the_ends_of_ids_is_removed(tmp_path, read, number, id, is_topic):
    path = write_parquet(tmp_path / "a.parquet", *((id, "d") if is_topic else ("1", id)), number)
    assert read_ids(read, path) == ((("d7",), ["d"]) if is_topic else (("1",), ["d7"]))


@pytest.mark.parametrize("document", ["a", " a"])
def test_lists_in_columns_that_are_not_read_are_ignored(tmp_path, document):
    table = pa.table({"query_id": ["1"], "doc_id": [document], "score": [2.5], "emb": [[0.1, 0.2]]})
    pyarrow.parquet.write_table(table, path := tmp_path / "a.parquet")
    run = read_run(path)
    assert (run.document.to_pylist(), run.score.tolist()) == (["a"], [2.5])


@RUN_OR_QRELS
@pytest.mark.parametrize(("id", "key"), [("", "wrong-cell"), (" ", "empty-cell")])
@pytest.mark.parametrize("is_topic", [True, False])
def test_empty_ids_are_refused(tmp_path, read, number, id, key, is_topic):
    path = write_parquet(tmp_path / "a.parquet", *((id, "d") if is_topic else ("1", id)), number)
    with pytest.raises(FormatError) as caught:
        read(path)
    assert caught.value.key == key


@RUN_OR_QRELS
@pytest.mark.parametrize("id_type", [pa.string(), pa.null()])
def test_a_table_without_rows_is_named(tmp_path, read, number, id_type):
    columns = {"qid": pa.array([], id_type), "docno": pa.array([], id_type), number: pa.array([])}
    pyarrow.parquet.write_table(pa.table(columns), tmp_path / "a.parquet")
    with pytest.raises(FormatError) as caught:
        read(tmp_path / "a.parquet")
    assert caught.value.key == "no-rows"


@RUN_OR_QRELS
def test_row_groups_without_rows_are_read(tmp_path, read, number):
    table = pa.table({"qid": ["1"], "docno": [" d7"], number: [1]})
    with pyarrow.parquet.ParquetWriter(tmp_path / "a.parquet", table.schema) as writer:
        for part in (table[:0], table, table[:0]):
            writer.write_table(part)
    assert read_ids(read, tmp_path / "a.parquet") == (("1",), ["d7"])


@RUN_OR_QRELS
def test_ids_with_non_ascii_ends_are_kept(tmp_path, read, number):
    path = write_parquet(tmp_path / "a.parquet", "é", "日本", number)
    assert read_ids(read, path) == (("é",), ["日本"])


@pytest.mark.parametrize("row_group_size", [1, 10])
def test_missing_ranks_are_read_as_in_a_run_without_ranks(tmp_path, row_group_size):
    run = make_run("a", [("1", "d1", 3.0), ("1", "d2", 5.0), ("2", "d1", 1.0)])
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(run.to_arrow(), path, row_group_size=row_group_size)
    table = pa.table(
        {"qid": ["1", "1"], "docno": ["a", "b"], "score": [2.0, 1.0], "rank": [1, None]}
    )
    pyarrow.parquet.write_table(table, tmp_path / "b.parquet")
    assert read_run(path).rank.tolist() == [-1, -1, -1]
    assert read_run(tmp_path / "b.parquet").rank.tolist() == [1, -1]


@pytest.mark.parametrize("name", ["a.parquet", "a.csv"])
@pytest.mark.parametrize("rank", [None, -1])
def test_each_row_needs_a_rank_if_there_are_no_scores(tmp_path, name, rank):
    columns = {"qid": ["1", "1"], "docno": ["a", "b"], "rank": [1, rank]}
    if name == "a.parquet":
        pyarrow.parquet.write_table(pa.table(columns), tmp_path / name)
    else:
        (tmp_path / name).write_text(f"qid,docno,rank\n1,a,1\n1,b,{rank or ''}\n")
    with pytest.raises(FormatError, match="3" if name == "a.csv" else "row 2"):
        read_run(tmp_path / name)


@pytest.mark.parametrize("row_group_size", [20, 1000])
def test_rows_in_another_order_than_their_agreeing_ranks_are_read_in_parts(
    tmp_path, qrels, row_group_size
):
    table = table_of(rows())
    frame = table.to_pandas()
    ranks = frame.groupby("query_id")["score"].rank(method="first", ascending=False).astype(int)
    path = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(
        table.append_column("rank", [ranks.tolist()]), path, row_group_size=row_group_size
    )
    assert read_columnar_judged_ranks(path, read_qrels(qrels)) is not None
    assert values(qrels, path) == values(qrels, write_text(tmp_path / "t.run", rows()))


@pytest.mark.parametrize(
    "names",
    [
        pa.array([["x"], ["y"]]),
        pa.array([10**15, 10**15]).cast(pa.timestamp("s")),
        pa.array([1, 1]).cast(pa.timestamp("us", tz="Mars/Phobos")),
    ],
)
def test_a_column_run_without_names_is_refused(tmp_path, names):
    table = pa.table({"topic": ["1", "1"], "document": ["a", "b"], "score": [2.0, 1.0]})
    pyarrow.parquet.write_table(table.append_column("run", names), tmp_path / "a.parquet")
    with pytest.raises(FormatError) as error:
        read_run(tmp_path / "a.parquet")
    assert error.value.key == "run-type"


def test_an_arrow_file_with_many_dictionaries_for_many_batches_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("irjudge.formats.rows.decoded_size.MAX_DICTIONARY_READS", 8)
    schema = pa.schema(
        [
            ("topic", pa.dictionary(pa.int32(), pa.string())),
            ("document", pa.string()),
            ("score", pa.float64()),
        ]
    )
    for count in (2, 3):
        path = tmp_path / f"{count}.arrow"
        options = pa.ipc.IpcWriteOptions(emit_dictionary_deltas=True)
        with pa.ipc.new_file(path, schema, options=options) as writer:
            for number in range(count):
                names = pa.array([str(topic) for topic in range(number + 1)])
                topics = pa.DictionaryArray.from_arrays(pa.array([number], pa.int32()), names)
                columns = [topics, pa.array(["d"]), pa.array([1.0])]
                writer.write_batch(pa.record_batch(columns, schema=schema))
    assert read_run(tmp_path / "2.arrow").topics == ("0", "1")
    with pytest.raises(FormatError) as error:
        read_run(tmp_path / "3.arrow")
    assert "3 dictionaries" in str(error.value)


def test_arrow_batches_without_rows_are_skipped(tmp_path, qrels):
    table = table_of(rows())
    with pa.ipc.new_file(tmp_path / "a.arrow", table.schema) as writer:
        for part in (table[:0], table[:10], table[:0], table[10:]):
            for batch in part.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]:
                writer.write_batch(batch)
    expected = values(qrels, write_text(tmp_path / "t.run", rows()))
    assert values(qrels, tmp_path / "a.arrow") == expected


def test_ties_of_numeric_ids_are_ordered_as_text(tmp_path):
    (tmp_path / "q").write_text("1 0 9 1\n1 0 10 2\n")
    pyarrow.parquet.write_table(
        pa.table({"qid": [1, 1], "docid": [9, 10], "score": [1.0, 1.0]}), tmp_path / "a.parquet"
    )
    text = write_text(tmp_path / "t.run", [("1", "9", 1.0), ("1", "10", 1.0)])
    assert values(tmp_path / "q", tmp_path / "a.parquet") == values(tmp_path / "q", text)


def test_a_rank_without_score_is_converted_to_a_score(tmp_path, qrels):
    ranked = [(topic, document, float(-index)) for index, (topic, document, _) in enumerate(rows())]
    table = (
        table_of(rows())
        .drop_columns("score")
        .append_column("rank", [[index % DEPTH + 1 for index in range(TOPICS * DEPTH)]])
    )
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=3)
    assert values(qrels, tmp_path / "a.parquet") == values(
        qrels, write_text(tmp_path / "t.run", ranked)
    )


def test_separated_rows_of_a_topic_are_joined(tmp_path, qrels):
    mixed = [rows()[position] for position in np.random.default_rng(1).permutation(TOPICS * DEPTH)]
    pyarrow.parquet.write_table(table_of(mixed), tmp_path / "a.parquet", row_group_size=10)
    assert values(qrels, tmp_path / "a.parquet") == values(
        qrels, write_text(tmp_path / "t.run", mixed)
    )


@pytest.mark.parametrize("topics", [2, TOPICS], ids=["within", "at the end"])
def test_the_first_of_duplicate_documents_is_kept_with_a_warning(tmp_path, qrels, topics):
    end = topics * DEPTH
    twice = [*rows()[:end], rows()[end - 1], *rows()[end:]]
    pyarrow.parquet.write_table(table_of(twice), tmp_path / "a.parquet")
    judged = read_qrels(qrels)
    ranking = read_ranking(tmp_path / "a.parquet", judged, Policy())
    assert ("same-pair",) in keys_and_values(ranking.warnings)
    assert values(qrels, tmp_path / "a.parquet") == values(
        qrels, write_text(tmp_path / "t.run", twice)
    )


def test_a_folder_and_a_pattern_are_one_run(tmp_path, qrels):
    folder = tmp_path / "run=mine"
    folder.mkdir()
    for part, begin in enumerate(range(0, TOPICS * DEPTH, 10)):
        pyarrow.parquet.write_table(
            table_of(rows()[begin : begin + 10]), folder / f"part-{part}.parquet"
        )
    (folder / "_SUCCESS").write_text("")
    wanted = values(qrels, write_text(tmp_path / "t.run", rows()))
    assert values(qrels, folder) == values(qrels, folder / "*.parquet") == wanted
    assert read_run(folder).name == "mine"


@pytest.fixture(params=["memory", pytest.param("s3", marks=pytest.mark.slow)])
def store(request, monkeypatch):
    """Return a store with addresses: in memory, or a local server with the S3 protocol."""
    fsspec = pytest.importorskip("fsspec")
    if request.param == "memory":
        yield fsspec.filesystem("memory"), "memory://runs"
        return
    server = pytest.importorskip("moto.server").ThreadedMotoServer("127.0.0.1", 0)
    server.start()
    host, port = server.get_host_and_port()
    messages = {
        "ENDPOINT_URL": f"http://{host}:{port}",
        "ACCESS_KEY_ID": "x",
        "SECRET_ACCESS_KEY": "x",
        "DEFAULT_REGION": "us-east-1",
    }
    for name, value in messages.items():
        monkeypatch.setenv(f"AWS_{name}", value)
    # an earlier test may have opened the store without these credentials
    fsspec.get_filesystem_class("s3").clear_instance_cache()
    filesystem = fsspec.filesystem("s3")
    filesystem.mkdir("runs")
    yield filesystem, "s3://runs"
    server.stop()


def test_files_at_an_address_are_read_through_fsspec(tmp_path, qrels, store):
    there, top = store
    for part, begin in enumerate(range(0, TOPICS * DEPTH, 10)):
        with there.open(f"{top}/run=a/part-{part}.parquet", "wb") as file:
            pyarrow.parquet.write_table(table_of(rows()[begin : begin + 10]), file)
    with there.open(f"{top}/q.parquet", "wb") as file:
        pyarrow.parquet.write_table(read_qrels(qrels).to_arrow(), file)
    wanted = values(qrels, write_text(tmp_path / "t.run", rows()))
    assert values(parse_location(f"{top}/q.parquet"), parse_location(f"{top}/run=a")) == wanted
    assert values(qrels, parse_location(f"{top}/run=a/part-*.parquet")) == wanted
    with pytest.raises(IrjudgeError, match=f"{top}/none"):
        read_run(parse_location(f"{top}/none"))
    [folder] = convert_runs([read_run(parse_location(f"{top}/run=a"))], tmp_path)
    there.put(str(folder), f"{top}/run=converted", recursive=True)
    assert values(qrels, parse_location(f"{top}/run=converted")) == wanted


@pytest.mark.parametrize(
    ("column", "value", "name"),
    [
        ("score", None, "score"),
        ("score", float("nan"), "score"),
        ("doc_id", None, "document"),
        ("query_id", None, "topic"),
    ],
)
def test_an_invalid_row_is_named_by_file_row_group_and_row(tmp_path, qrels, column, value, name):
    for part in range(2):
        table = table_of(
            [(f"{part}{topic}", document, score) for topic, document, score in rows()]
        ).to_pydict()
        if part:
            table[column][12] = value
        pyarrow.parquet.write_table(
            pa.table(table), tmp_path / f"part-{part}.parquet", row_group_size=10
        )
    with pytest.raises(FormatError) as refused:
        values(qrels, tmp_path / "part-*.parquet")
    result = refused.value.values
    assert (refused.value.key, refused.value.path.name) == ("wrong-cell", "part-1.parquet")
    assert (result["group"], result["row"], result["name"]) == ("2", "3", name)
    assert ("empty" in result["problem"]) == (value is None)


def test_a_damaged_file_is_named(tmp_path, qrels):
    whole = tmp_path / "a.parquet"
    pyarrow.parquet.write_table(table_of(rows()), whole)
    whole.write_bytes(whole.read_bytes()[:200])
    with pytest.raises(FormatError, match=r"a\.parquet: .*cannot be read"):
        values(qrels, whole)


def test_several_runs_need_separate_folders(tmp_path, qrels):
    pyarrow.parquet.write_table(
        table_of(rows(), run=["a", *["b"] * (TOPICS * DEPTH - 1)]), tmp_path / "a.parquet"
    )
    with pytest.raises(FormatError, match="run=NAME") as refused:
        values(qrels, tmp_path / "a.parquet")
    result = refused.value.values
    assert (refused.value.key, result["count"], result["listed"]) == ("several-runs", "2", "a, b")


@pytest.mark.parametrize("write", [pyarrow.parquet.write_table, pyarrow.feather.write_feather])
def test_two_columns_for_the_name_of_the_run_are_refused(tmp_path, write):
    table = table_of(rows(), run=["a"] * TOPICS * DEPTH)
    write(table.append_column("run", table["run"]), tmp_path / "a")
    with pytest.raises(FormatError) as refused:
        read_run(tmp_path / "a")
    assert (refused.value.key, refused.value.values["column"]) == ("repeated-column", "run")


@pytest.mark.parametrize(
    "name", ["../ids.parquet", "other/ids.parquet", "{folder}/ids.parquet", "x::ids.parquet", ""]
)
def test_a_run_reads_its_document_ids_from_no_other_folder(tmp_path, name):
    store = pytest.importorskip("fsspec").filesystem("memory")
    ids = tmp_path / "ids.parquet"
    pyarrow.parquet.write_table(pa.table({"document": ["secret"]}), ids)
    for folder in (tmp_path / "run", tmp_path / "run" / "other"):
        folder.mkdir()
        (folder / "ids.parquet").write_bytes(ids.read_bytes())
    for folder in ("/sibling", "/sibling/run", "/sibling/run/other"):
        store.pipe_file(f"{folder}/ids.parquet", ids.read_bytes())
    table = pa.table({"topic": ["1"], "document": pa.array([0], pa.int32()), "score": [1.0]})
    path = tmp_path / "run" / "a.parquet"
    try:
        for given, is_read in ((name.format(folder=tmp_path), False), ("ids.parquet", True)):
            codes = table.replace_schema_metadata({"irjudge.documents": given})
            pyarrow.parquet.write_table(codes, path)
            store.pipe_file("/sibling/run/a.parquet", path.read_bytes())
            for run in (path, parse_location("memory://sibling/run/a.parquet")):
                if is_read:
                    assert read_run(run).document.to_pylist() == ["secret"]
                else:
                    with pytest.raises(FormatError):
                        read_run(run)
    finally:
        store.rm("/sibling", recursive=True)


def test_qrels_in_a_folder_are_those_of_the_text(tmp_path, qrels):
    folder, judged = tmp_path / "judged", read_qrels(qrels)
    folder.mkdir()
    for part in range(3):
        pyarrow.parquet.write_table(
            judged.to_arrow().slice(part * 30, 30), folder / f"{part}.parquet", row_group_size=7
        )
    stored_qrels = read_qrels(folder)
    assert sorted(stored_qrels.rows()) == sorted(judged.rows())
    assert values(folder, write_text(tmp_path / "t.run", rows())) == values(
        qrels, tmp_path / "t.run"
    )


@pytest.mark.slow
def test_reading_a_run_does_not_import_pandas(tmp_path: Path) -> None:
    table = pa.table({"topic": ["1", "1"], "document": ["a", "b"], "score": [2.0, 1.0]})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    code = (
        "import sys; from pathlib import Path; from irjudge.formats.rankings import read_run; "
        "read_run(Path(sys.argv[1])); print('pandas' in sys.modules)"
    )
    output = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "a.parquet")],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert output == "False\n"

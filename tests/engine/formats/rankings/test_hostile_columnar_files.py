"""Tests of hostile Parquet and Arrow IPC files: one error, and bounded memory before decoding."""

import resource
import struct
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation.column_retrieval import read_columnar_judged_ranks
from irjudge.formats.judgments import read_labels
from irjudge.formats.rankings import (
    column_runs,
    open_columnar_run,
    read_column_parts,
    read_qrels,
    read_run,
)
from irjudge.formats.rankings.column_runs import BatchResult, TopicRows, join_batch_results
from irjudge.formats.rows import NumberIds, decoded_size, parse_columns
from irjudge.formats.rows.columnar_files import ENCRYPTED, RowGroups, find_column_files
from irjudge.formats.rows.decoded_size import Page, iter_pages_of_chunk
from irjudge.formats.rows.tables import iter_column_rows

ROWS = 20_000


@pytest.fixture
def qrels(tmp_path: Path) -> Path:
    path = tmp_path / "q.txt"
    path.write_text("1 0 d1 1\n")
    return path


def repeat_text(length: int, rows: int = ROWS) -> Any:
    """Return a column that has the same text in every row."""
    dictionary = pa.array(["d1", "x" * length])
    codes = np.ones(rows, np.int32)
    codes[0] = 0
    return pa.DictionaryArray.from_arrays(pa.array(codes), dictionary)


def run_table(document: Any, rows: int = ROWS) -> Any:
    return pa.table({"topic": ["1"] * rows, "document": document, "score": np.zeros(rows)})


def write_parquet(path: Path, table: Any, **options: Any) -> Path:
    options = {"compression": "zstd", "store_schema": False, **options}
    pyarrow.parquet.write_table(table, path, **options)
    return path


def write_bomb(path: Path) -> Path:
    return write_parquet(path, run_table(repeat_text(1 << 20)))


def assert_refused(path: Path, qrels: Path) -> None:
    """Check that every reader of runs or qrels raises an error that names the file."""
    for read in (
        lambda: read_run(path),
        lambda: read_columnar_judged_ranks(path, read_qrels(qrels)),
        lambda: read_qrels(path),
    ):
        with pytest.raises(FormatError) as raised:
            read()
        assert raised.value.path.name == path.name


@pytest.mark.parametrize("part", ["topic", "document"])
@pytest.mark.parametrize(
    ("ids", "key"),
    [
        (pa.array(["d", ""]), "wrong-cell"),
        (pa.array(["d", ""]).dictionary_encode(), "wrong-cell"),
        (pa.array([7.0, 1.2345678901234568e16]), "wrong-cell"),
    ],
)
def test_empty_and_rounded_ids_are_refused(
    tmp_path: Path, qrels: Path, part: str, ids: pa.Array, key: str
) -> None:
    columns = {"topic": ["1", "1"], "document": ["a", "b"], "score": [2.0, 1.0], "grade": [1, 0]}
    path = tmp_path / "ids.parquet"
    pyarrow.parquet.write_table(pa.table({**columns, part: ids}), path)
    assert_refused(path, qrels)
    with pytest.raises(FormatError, match="row group 1, row 2") as raised:
        read_run(path)
    assert raised.value.key == key


@pytest.mark.parametrize("read", [read_run, read_qrels])
@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
def test_a_columnar_file_without_rows_is_refused_as_such(
    tmp_path: Path, read: Callable[[Path], object], suffix: str
) -> None:
    names = ("topic", "document", "score", "grade")
    table = pa.table({name: pa.array([], pa.string()) for name in names})
    path = tmp_path / f"empty{suffix}"
    if suffix == ".parquet":
        pyarrow.parquet.write_table(table, path)
    else:
        with pa.ipc.new_file(path, table.schema) as file:
            file.write_table(table)
    with pytest.raises(FormatError) as raised:
        read(path)
    assert raised.value.key == "no-rows"


def test_a_value_of_a_dictionary_that_no_row_has_may_be_empty(tmp_path: Path) -> None:
    documents = pa.DictionaryArray.from_arrays(pa.array([0, 1]), pa.array(["a", "b", ""]))
    columns = {"topic": ["1", "1"], "document": documents, "score": [2.0, 1.0]}
    pyarrow.parquet.write_table(pa.table(columns), tmp_path / "ids.parquet")
    assert read_run(tmp_path / "ids.parquet").document.to_pylist() == ["a", "b"]


def test_too_many_rows_for_the_distinct_values_are_refused(
    tmp_path: Path, qrels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.formats.rows.decoded_size.MAX_ROWS", 1000)
    path = tmp_path / "equal.parquet"
    table = pa.table({"topic": ["1"] * 1000, "document": ["d"] * 1000, "score": [0.0] * 1000})
    pyarrow.parquet.write_table(pa.concat_tables([table] * 100), path)
    assert path.stat().st_size < 5000
    assert_refused(path, qrels)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrow codes"])
def test_a_small_file_that_expands_to_20_gb_is_refused_in_little_memory(
    tmp_path: Path, qrels: Path, kind: str
) -> None:
    if kind == "parquet":
        bomb = write_bomb(tmp_path / "bomb.parquet")
        assert bomb.stat().st_size < 10_000
    else:
        bomb = tmp_path / "bomb.arrow"
        table = run_table(repeat_text(1 << 20)) if kind == "arrow codes" else None
        if table is None:
            table = pa.table({"topic": ["1"], "document": ["d"], "score": [1.0]})
        pyarrow.feather.write_feather(table, bomb, compression="zstd")
        if kind == "arrow":
            claim_size(bomb, 20 << 30)
    limit = 3 << 30
    done = subprocess.run(
        [sys.executable, "-m", "irjudge", "evaluate", str(qrels), str(bomb), "-m", "AP"],
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("irjudge: bomb.")
    assert "Traceback" not in done.stderr


def claim_size(path: Path, size: int) -> None:
    """Write an expanded size into the first compressed buffer of an Arrow IPC file."""
    data = bytearray(path.read_bytes())
    offset = data.index(b"\x28\xb5\x2f\xfd") - 8  # zstd's magic number, after the size
    struct.pack_into("<q", data, offset, size)
    path.write_bytes(data)


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(decoded_size, "MAX_DECODED", 4 << 20)
    monkeypatch.setattr(decoded_size, "MAX_DECODED_FROM_SMALL", 4 << 20)
    return 4 << 20


@pytest.mark.parametrize("codec", ["none", "snappy", "gzip", "brotli", "zstd", "lz4"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_pages_that_expand_are_refused(
    tmp_path: Path, qrels: Path, small_limit: int, codec: str, version: str
) -> None:
    table = run_table(["d1", "x" * (8 << 20)], 2)
    options = {"compression": codec, "use_dictionary": False, "data_page_version": version}
    assert_refused(write_parquet(tmp_path / "a.parquet", table, **options), qrels)


@pytest.mark.parametrize("store_schema", [True, False])
def test_dictionaries_that_expand_are_refused(
    tmp_path: Path, qrels: Path, small_limit: int, store_schema: bool
) -> None:
    table = run_table(repeat_text(100_000, 100), 100)
    assert_refused(write_parquet(tmp_path / "a.parquet", table, store_schema=store_schema), qrels)


@pytest.mark.parametrize("compression", ["zstd", "lz4", "uncompressed"])
def test_arrow_codes_that_expand_are_refused(
    tmp_path: Path, qrels: Path, small_limit: int, compression: str
) -> None:
    table = run_table(repeat_text(100_000, 100), 100)
    pyarrow.feather.write_feather(table, tmp_path / "a.arrow", compression=compression)
    assert_refused(tmp_path / "a.arrow", qrels)


def test_an_empty_column_takes_no_memory(tmp_path: Path, qrels: Path) -> None:
    rows = (1 << 31) - 1
    schema = pa.schema({"topic": pa.null(), "document": pa.null(), "score": pa.null()})
    nothing = pa.Array.from_buffers(pa.null(), rows, [None])
    batch = pa.RecordBatch.from_arrays([nothing] * 3, schema=schema)
    with pa.ipc.new_file(tmp_path / "a.arrow", schema) as file:
        file.write_batch(batch)
    assert_refused(tmp_path / "a.arrow", qrels)


def test_texts_are_read_with_one_large_text_among_them(
    tmp_path: Path, qrels: Path, small_limit: int
) -> None:
    documents = [f"d{number}" for number in range(2000)] + ["x" * 1000]
    path = write_parquet(tmp_path / "a.parquet", run_table(documents, 2001), row_group_size=700)
    assert len(read_run(path)) == 2001
    retrieved = read_columnar_judged_ranks(path, read_qrels(qrels))
    assert retrieved is not None
    assert len(retrieved.document) == 1


def chunks_of(path: Path) -> Any:
    with pa.memory_map(str(path)) as file:
        read = partial(decoded_size.read_at, file)
        return decoded_size.read_column_chunks(read, file.size())[0]


def patch_column(path: Path, column: str, change: Any) -> None:
    """Change the bytes of the pages of a column of an uncompressed file."""
    (chunk,) = (each for each in chunks_of(path) if each.path == column)
    begin, length = chunk.begin, chunk.length
    data = bytearray(path.read_bytes())
    data[begin : begin + length] = change(bytes(data[begin : begin + length]))
    path.write_bytes(data)


@pytest.mark.parametrize("column", ["topic", "document"])
@pytest.mark.parametrize("dictionary", [True, False])
def test_texts_that_are_not_utf8_are_refused(
    tmp_path: Path, qrels: Path, column: str, dictionary: bool
) -> None:
    table = pa.table(
        {"topic": ["t9zz"] * 3, "document": ["d1zz", "d2zz", "d3zz"], "score": [1.0] * 3}
    )
    path = write_parquet(
        tmp_path / "a.parquet",
        table,
        compression="none",
        use_dictionary=dictionary,
        write_statistics=False,
    )
    patch_column(path, column, lambda data: data.replace(b"zz", b"\xff\xfe"))
    assert_refused(path, qrels)


@pytest.mark.parametrize("column", ["topic", "document"])
@pytest.mark.parametrize("store_schema", [True, False])
def test_a_code_outside_of_the_dictionary_is_refused(
    tmp_path: Path, qrels: Path, column: str, store_schema: bool
) -> None:
    texts = [f"d{number % 3}" for number in range(64)]
    table = pa.table({"topic": sorted(texts), "document": texts, "score": np.arange(64.0)})
    if store_schema:
        for position in (0, 1):
            name = table.column_names[position]
            table = table.set_column(position, name, table[name].dictionary_encode())
    path = write_parquet(
        tmp_path / "a.parquet",
        table,
        compression="none",
        store_schema=store_schema,
        write_statistics=False,
    )
    patch_column(path, column, lambda data: data[:-8] + b"\xff" * 8)
    assert_refused(path, qrels)


def test_a_topic_of_too_many_rows_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_parquet(
        tmp_path / "a.parquet", run_table(list(map(str, range(100))), 100), row_group_size=10
    )
    monkeypatch.setattr(column_runs, "MAX_TOPIC_ROWS", 99)
    with pytest.raises(FormatError):
        read_column_parts(open_columnar_run(path), len)
    monkeypatch.setattr(column_runs, "MAX_TOPIC_ROWS", 100)
    assert read_column_parts(open_columnar_run(path), len) == [100]


class CountedIds(NumberIds):
    """Column of ids that counts how often its rows are counted."""

    counts = 0

    def __len__(self) -> int:
        CountedIds.counts += 1
        return len(self.values)


def test_the_rows_of_a_topic_in_many_batches_are_counted_a_few_times(tmp_path: Path) -> None:
    batches = [
        BatchResult(
            ("1",),
            TopicRows(("1",), np.array([0, 1]), CountedIds(np.array([number])), np.ones(1), None),
            [],
            None,
        )
        for number in range(100)
    ]
    CountedIds.counts = 0
    assert join_batch_results(tmp_path / "a.parquet", batches, len) == [100]
    assert CountedIds.counts < 500  # all earlier batches for each batch: 5,050


def test_a_run_larger_than_the_memory_is_not_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_parquet(tmp_path / "a.parquet", run_table(list(map(str, range(100))), 100))
    monkeypatch.setattr(column_runs, "measure_physical_memory", lambda: 1000)
    with pytest.raises(FormatError) as raised:
        read_run(path)
    assert raised.value.problem.values["rows"] == "100"


def test_parsed_page_headers_match_the_file(tmp_path: Path) -> None:
    table = pa.table({"a": [f"d{number}" for number in range(5000)]})
    path = write_parquet(tmp_path / "a.parquet", table, data_page_size=1000, write_batch_size=100)
    chunk = pyarrow.parquet.read_metadata(path).row_group(0).column(0)
    (result,) = chunks_of(path)
    assert (result.path, result.length) == ("a", chunk.total_compressed_size)
    assert result.begin == chunk.dictionary_page_offset
    data = memoryview(path.read_bytes())[result.begin : result.begin + result.length]
    pages = list(iter_pages_of_chunk(data))
    assert sum(page.values for page in pages) == 5000
    assert [page.is_dictionary for page in pages] == [True] + [False] * (len(pages) - 1)
    headers = chunk.total_uncompressed_size - sum(page.size for page in pages)
    assert 0 < headers < 100 * len(pages)


@pytest.mark.parametrize(("values", "size"), [(0, 7), (1, 7), (2, 9), (11, 9), (12, 12), (40, 12)])
def test_the_largest_window_of_pages_is_computed(values: int, size: int) -> None:
    # Two values may be in two pages; three pages need the ten of the middle one and two more.
    pages = [Page(each, 10, is_coded=False, is_dictionary=False) for each in (3, 2, 7)]
    flat = decoded_size.measure_decoded_values(pages, values, 0, None, is_flat=True)
    assert flat == size


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_any_changed_bits_give_values_or_one_error(
    tmp_path: Path, qrels: Path, kind: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    random = np.random.default_rng(seed)
    table = run_table([f"d{number}" for number in range(300)], 300)
    path = tmp_path / f"a.{kind}"
    if kind == "parquet":
        write_parquet(path, table, row_group_size=100)
    else:
        pyarrow.feather.write_feather(table, path, compression="zstd", chunksize=100)
    sound = path.read_bytes()
    for _ in range(25):
        data = bytearray(sound)
        for offset in random.integers(8, len(data), random.integers(1, 4)):
            data[offset] ^= 1 << int(random.integers(8))
        path.write_bytes(data)
        assert main(["evaluate", str(qrels), str(path), "-m", "AP"]) in (0, 2)
        assert "Traceback" not in capsys.readouterr().err


def header(*fields: bytes) -> memoryview:
    return memoryview(b"".join(fields) + b"\0")


# In Thrift's compact protocol: the type of a page, then its sizes, 10 and 0.
DATA, DATA_2, SIZES = b"\x15\x00", b"\x15\x06", b"\x15\x14\x15\x00"
ONE_PLAIN = b"\x2c\x15\x02\x15\x00\x00"  # field 5: one value, plain
MANY_CODED = b"\x3c\x15\xfe\xff\x03\x35\x10\x00"  # field 8: 32,767 values, by codes


def test_a_page_header_is_read_as_the_decoder_reads_it() -> None:
    (page,) = iter_pages_of_chunk(header(DATA, SIZES, ONE_PLAIN))
    assert (page.size, page.values, page.is_coded) == (10, 1, False)
    (page,) = iter_pages_of_chunk(header(DATA_2, SIZES, ONE_PLAIN, MANY_CODED))
    assert (page.values, page.is_coded) == (32767, True)


@pytest.mark.parametrize(
    "fields",
    [
        (DATA_2, SIZES, ONE_PLAIN),  # without the description of its type
        (DATA, SIZES, b"\x2c\x15\xfe\xff\x03\x06\x02\x02\x15\x00\x00"),  # a duplicate count
        (b"\x05\x82\x80\x08\x00", SIZES, ONE_PLAIN),  # a field of more than 16 bits
        (DATA, b"\x15\x13\x15\x00", ONE_PLAIN),  # a negative size
        (DATA, SIZES, b"\x2c" * 20),
        (DATA, SIZES, b"\x28\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"),
    ],
)
def test_a_misleading_page_header_is_refused(fields: tuple[bytes, ...]) -> None:
    with pytest.raises(decoded_size.Malformed):
        list(iter_pages_of_chunk(header(*fields)))


@pytest.mark.parametrize("kind", [9, 10])
def test_a_page_header_with_deeply_nested_lists_is_refused(kind: int) -> None:
    nested_lists = bytes([0x10 | kind]) * 5_000  # each list has one element, which is a list
    with pytest.raises(decoded_size.Malformed):
        next(iter_pages_of_chunk(memoryview(nested_lists)))


def test_run_end_encoded_columns_are_refused(tmp_path: Path, qrels: Path) -> None:
    rows = 10_000
    texts = pa.RunEndEncodedArray.from_arrays(
        pa.array([rows], pa.int32()), pa.array(["d" * 100_000])
    )
    path = tmp_path / "a.arrow"
    pyarrow.feather.write_feather(run_table(texts, rows), path, compression="zstd")
    with pytest.raises(FormatError, match="run-end"):
        read_run(path)


def nest(column: Any, how: str) -> Any:
    rows = len(column)
    if how == "list":
        return pa.ListArray.from_arrays(pa.array(range(rows + 1), pa.int32()), column)
    if how == "struct":
        return pa.StructArray.from_arrays([column], ["a"])
    return pa.DictionaryArray.from_arrays(pa.array(range(rows), pa.int32()), column)


@pytest.mark.parametrize("how", ["list", "struct", "dictionary"])
def test_nested_run_end_encoded_values_are_refused(tmp_path: Path, qrels: Path, how: str) -> None:
    texts = pa.RunEndEncodedArray.from_arrays(pa.array([100], pa.int32()), pa.array(["d" * 1000]))
    path = tmp_path / "a.arrow"
    pyarrow.feather.write_feather(run_table(nest(texts, how), 100), path, compression="zstd")
    assert_refused(path, qrels)
    for read in (read_run, read_labels, read_qrels):
        with pytest.raises(FormatError, match="run-end"):
            read(path)


def write_shared(path: Path, column: str, texts: list[str]) -> Path:
    """Write texts without the prefixes that they share with the preceding texts."""
    plain = {"topic": "PLAIN", "document": "PLAIN", "score": "PLAIN"}
    columns = {name: ["1"] * len(texts) for name in ("topic", "document")} | {column: texts}
    return write_parquet(
        path,
        pa.table(columns | {"score": np.arange(len(texts), 0, -1.0)}),
        use_dictionary=False,
        column_encoding=plain | {column: "DELTA_BYTE_ARRAY"},
    )


@pytest.mark.parametrize("column", ["topic", "document"])
def test_prefix_compressed_texts_are_refused_if_too_large(
    tmp_path: Path, qrels: Path, column: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of 63 KB took 6 GB."""
    monkeypatch.setattr(decoded_size, "MAX_DECODED", 1 << 24)
    path = write_shared(
        tmp_path / "a.parquet", column, [f"{'x' * 50_000}{row}" for row in range(500)]
    )
    assert path.stat().st_size < 10_000
    assert_refused(path, qrels)
    with pytest.raises(FormatError):
        read_labels(path)


SMALL_LIMITS = {
    "before decoding": {"MAX_DECODED_FROM_SMALL": 1 << 20},
    "after decoding": {
        "MIN_ALLOWED_BYTES": 1 << 20,
        "MIN_ALLOWED_OBJECT_BYTES": 1 << 20,
        "MAX_OBJECT_EXPANSION": 400,
    },
}


@pytest.mark.parametrize(
    ("limits", "kind"),
    [
        (limits, kind)
        for limits in SMALL_LIMITS
        for kind in ("codes", "shared", "plain", "arrow", "arrow codes")
        # codes of Arrow are not expanded while they are decoded
        if (limits, kind) != ("before decoding", "arrow codes")
    ],
)
def test_long_ids_of_a_small_file_are_refused(
    tmp_path: Path, qrels: Path, kind: str, limits: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of 3 KB with 400 MB of ids took 3 GB."""
    for name, value in SMALL_LIMITS[limits].items():
        monkeypatch.setattr(decoded_size, name, value)
    texts = [f"{'x' * 10_000}{row}" for row in range(500)]
    table = run_table(repeat_text(10_000, 500) if "codes" in kind else texts, 500)
    path = tmp_path / f"a.{'arrow' if 'arrow' in kind else 'parquet'}"
    if kind == "shared":
        write_shared(path, "document", texts)
    elif "arrow" in kind:
        pyarrow.feather.write_feather(table, path, compression="zstd")
    else:
        write_parquet(path, table, use_dictionary=kind == "codes")
    assert path.stat().st_size < 10_000
    assert_refused(path, qrels)
    form = "Arrow IPC" if path.suffix == ".arrow" else "Parquet"
    with pytest.raises(FormatError, match=r"memory|expands"):
        list(iter_column_rows(path, form))


@pytest.mark.parametrize("kind", ["parquet", "arrow", "labels parquet", "labels arrow"])
def test_the_rows_of_a_batch_are_counted_before_they_are_decoded(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An Arrow file of 11 KB with 20 million rows took 2 GB."""
    limit = "MAX_OBJECT_ROWS" if kind.startswith("labels") else "MAX_ROWS"
    monkeypatch.setattr(decoded_size, limit, 10_000)
    rows = 200_000
    equal = pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), ["1"])
    names = ("topic", "document", "score" if limit == "MAX_ROWS" else "grade")
    table = pa.table(dict(zip(names, (equal, equal, np.zeros(rows, np.int32)), strict=True)))
    path = tmp_path / f"a.{kind.split()[-1]}"
    if kind.endswith("arrow"):
        pyarrow.feather.write_feather(table, path, compression="zstd", chunksize=rows)
    else:
        write_parquet(path, table)
    assert path.stat().st_size < 10_000
    decoded: list[int] = []

    def check_texts(batch: Any) -> Any:
        decoded.append(batch.num_rows)
        return batch

    module = "tables" if kind.startswith("labels") else "columnar_files"
    monkeypatch.setattr(f"irjudge.formats.rows.{module}.check_texts", check_texts)
    with pytest.raises(FormatError, match="rows per byte"):
        (read_run if limit == "MAX_ROWS" else read_labels)(path)
    assert not decoded


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_run_with_the_same_ranking_in_each_topic_is_read(tmp_path: Path, kind: str) -> None:
    """Five million rows are stored in less than a byte each."""
    topics, size = 5000, 1000
    names = [f"clueweb22-en{row % 47:04}-{row % 100:02}-{row:05}" for row in range(size)]
    rank = np.tile(np.arange(1, size + 1, dtype=np.int32), topics)
    topic_codes = np.repeat(np.arange(topics, dtype=np.int32), size)
    table = pa.table(
        {
            "topic": pa.DictionaryArray.from_arrays(topic_codes, [*map(str, range(topics))]),
            "document": pa.DictionaryArray.from_arrays(rank - 1, names),
            "rank": rank,
        }
    )
    path = tmp_path / f"a.{kind}"
    if kind == "arrow":
        pyarrow.feather.write_feather(table, path, compression="zstd")
    else:
        write_parquet(path, table)
    assert path.stat().st_size < len(rank)
    run = open_columnar_run(path)
    assert run is not None
    assert sum(read_column_parts(run, lambda part: len(part))) == len(rank)


def test_the_rows_of_many_small_files_are_limited_together(
    tmp_path: Path, qrels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoded_size, "MAX_ROWS", 100_000)
    rows = 50_000
    table = pa.table({"topic": ["1"] * rows, "document": ["d"] * rows, "score": [0.0] * rows})
    for part in range(5):
        write_parquet(tmp_path / f"part-{part}.parquet", table)
    assert len(read_run(tmp_path / "part-0.parquet")) == 1
    run = open_columnar_run(tmp_path)
    assert run is not None
    with pytest.raises(FormatError, match="rows per byte"):
        [piece() for piece in run.pieces()]


def test_batches_may_share_a_large_dictionary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoded_size, "MIN_ALLOWED_BYTES", 1 << 14)
    monkeypatch.setattr(decoded_size, "ROW_BYTES", 1)
    names = [f"document-{row}" for row in range(10_000)]
    codes = np.random.default_rng(1).permutation(10_000).astype(np.int32)
    table = run_table(pa.DictionaryArray.from_arrays(codes, names), 10_000)
    pyarrow.feather.write_feather(table, tmp_path / "a.arrow", chunksize=50, compression="zstd")
    monkeypatch.setattr(decoded_size, "MAX_EXPANSION", 20)
    assert len(read_run(tmp_path / "a.arrow")) == 10_000


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["shared", "dictionary", "arrow"])
def test_many_row_groups_that_are_too_large_together_are_refused(
    tmp_path: Path, qrels: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of 63 KB in 60 row groups took 3 GB."""
    monkeypatch.setattr(decoded_size, "MIN_ALLOWED_BYTES", 1 << 22)
    monkeypatch.setattr(decoded_size, "MAX_EXPANSION", 200)
    texts = [f"{'x' * 5_000}{row % (4 if kind == 'dictionary' else 4_000)}" for row in range(2000)]
    topics = [f"{row}" for row in range(2000)]  # a document may be in each topic
    table = pa.table({"topic": topics, "document": texts, "score": np.arange(2000, 0, -1.0)})
    path = tmp_path / f"a.{'arrow' if kind == 'arrow' else 'parquet'}"
    if kind == "arrow":
        pyarrow.feather.write_feather(table, path, compression="zstd", chunksize=100)
    else:
        how = {"column_encoding": {"document": "DELTA_BYTE_ARRAY"}} if kind == "shared" else {}
        write_parquet(path, table, row_group_size=100, use_dictionary=kind == "dictionary", **how)
    assert path.stat().st_size < 200_000
    assert_refused(path, qrels)


def test_a_file_may_be_read_any_number_of_times(
    tmp_path: Path, qrels: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoded_size, "MIN_ALLOWED_BYTES", 1 << 14)
    monkeypatch.setattr(decoded_size, "ROW_BYTES", 1)
    monkeypatch.setattr(decoded_size, "MAX_EXPANSION", 1)
    path = write_parquet(tmp_path / "a.parquet", run_table([f"d{row}" for row in range(100)], 100))
    (part,) = [RowGroups.from_file(each) for each in find_column_files(path)]
    for _ in range(50):
        assert sum(read().num_rows for _, _, read in part.pieces(["topic", "document"])) == 100


def test_prefix_compressed_texts_are_read_if_they_fit(tmp_path: Path) -> None:
    names = [f"clueweb22-en0000-00-{row:05}" for row in range(ROWS)]
    path = write_shared(tmp_path / "a.parquet", "document", names)
    assert read_run(path).document.to_pylist() == names


@pytest.mark.parametrize("column", ["topic", "document", "score"])
def test_a_time_outside_of_pythons_range_is_one_error(tmp_path: Path, column: str) -> None:
    """`OverflowError` was not caught."""
    values = {"topic": ["1"], "document": ["a"], "score": [1.0]}
    table = pa.table(values | {column: pa.array([2**62], pa.duration("s"))})
    path = tmp_path / "a.arrow"
    pyarrow.feather.write_feather(table, path)
    for read in (read_labels, *((read_run, read_qrels) if column == "score" else ())):
        with pytest.raises(IrjudgeError):
            read(path)


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_missing_column_number_is_one_error(tmp_path: Path, kind: str) -> None:
    table = pa.table({"query": ["1"], "id": ["a"], "other": [1]})
    path = tmp_path / f"a.{kind}"
    write = pyarrow.parquet.write_table if kind == "parquet" else pyarrow.feather.write_feather
    write(table, path)
    with pytest.raises(FormatError, match="column 4"):
        read_qrels(
            path,
            columns=parse_columns("topic=1,document=3,grade=4", ("topic", "document", "grade")),
        )
    with pytest.raises(FormatError, match="column 9"):
        read_run(
            path,
            columns=parse_columns("topic=1,document=2,score=9", ("topic", "document", "score")),
        )


@pytest.mark.parametrize("kind", [pa.null(), pa.struct([])])
def test_lists_of_values_without_bytes_are_refused(tmp_path: Path, kind: Any) -> None:
    """900 bytes represent 268 million values."""
    many = pa.nulls(1 << 28, pa.null()) if kind == pa.null() else pa.array([{}] * 100, kind)
    lists = pa.ListArray.from_arrays(pa.array([0, len(many)], pa.int32()), many)
    path = tmp_path / "a.arrow"
    table = pa.table({"topic": ["1"], "document": lists, "score": [1.0]})
    with pa.ipc.new_file(str(path), table.schema) as writer:
        writer.write_table(table)
    for read in (read_run, read_labels, read_qrels):
        with pytest.raises(FormatError) as raised:
            read(path)
        assert raised.value.key == "not-text"


@pytest.mark.parametrize("file_format", ["parquet", "arrow"])
def test_repeated_names_are_refused_only_for_columns_that_are_read(
    tmp_path: Path, file_format: str
) -> None:
    columns = {"topic": ["1"], "document": ["a"], "grade": [1]}
    path = tmp_path / f"q.{file_format}"

    def write_with(*names: str) -> None:
        arrays = [pa.array(columns.get(name, [7])) for name in names]
        table = pa.Table.from_arrays(arrays, names=names)
        if file_format == "parquet":
            pyarrow.parquet.write_table(table, path)
        else:
            pyarrow.feather.write_feather(table, str(path))

    write_with("x", "topic", "document", "x", "grade")
    assert [(topic, document) for topic, document, _ in read_qrels(path).rows()] == [("1", "a")]
    write_with("topic", "document", "topic", "grade")
    with pytest.raises(FormatError):
        read_qrels(path)
    with pytest.raises(FormatError) as error:
        read_qrels(path, columns=parse_columns("topic=3", ("topic", "document", "grade")))
    assert error.value.key == "repeated-column"


def test_a_page_type_that_is_no_number_is_refused(tmp_path: Path) -> None:
    """It was looked up in a dictionary, which failed for lists and buffers."""
    path = tmp_path / "q.parquet"
    rows = {"topic": ["1"] * 3, "document": ["a", "b", "c"], "grade": [1, 0, 2]}
    pyarrow.parquet.write_table(pa.table(rows), path)
    data = bytearray(path.read_bytes())
    for field_type in (0x18, 0x19, 0x1C):  # binary, list, struct
        data[4] = field_type
        path.write_bytes(data)
        with pytest.raises(FormatError):
            read_qrels(path)


def test_a_missing_value_of_a_dictionary_is_named(tmp_path: Path) -> None:
    ids = pa.DictionaryArray.from_arrays(pa.array([0, 1, 1], pa.int32()), pa.array(["a", None]))
    table = pa.table({"topic": ["1"] * 3, "document": ids, "score": [3.0, 2.0, 1.0]})
    path = tmp_path / "r.arrow"
    with pa.ipc.new_file(str(path), table.schema) as file:
        file.write_table(table)
    with pytest.raises(FormatError):
        read_run(path)


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
@pytest.mark.parametrize("group_rows", [2, decoded_size.MAX_ROWS])
def test_topics_stored_as_differences_are_read(
    tmp_path: Path, encoding: str, group_rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.formats.rows.columnar_files.MAX_GROUP_ROWS", group_rows)
    table = pa.table({"topic": ["1", "1", "2"], "document": ["a", "b", "a"], "score": [3, 2, 1]})
    encodings = {"topic": encoding, "document": "PLAIN", "score": "PLAIN"}
    path = write_parquet(
        tmp_path / "a.parquet", table, use_dictionary=False, column_encoding=encodings
    )
    run = read_run(path)
    assert (run.topics, run.starts.tolist()) == (("1", "2"), [0, 2, 3])
    assert run.document.to_pylist() == ["a", "b", "a"]


@pytest.mark.parametrize("has_plain_footer", [True, False])
def test_an_encrypted_file_is_described_as_such(
    tmp_path: Path, qrels: Path, has_plain_footer: bool
) -> None:
    from pyarrow.parquet import encryption  # noqa: PLC0415

    class KeyServer(encryption.KmsClient):  # type: ignore[misc]
        def wrap_key(self, key: bytes, _name: str) -> bytes:
            return key.hex().encode()

    properties = encryption.CryptoFactory(lambda _: KeyServer()).file_encryption_properties(
        encryption.KmsConnectionConfig(),
        encryption.EncryptionConfiguration(
            footer_key="a", column_keys={"b": ["document"]}, plaintext_footer=has_plain_footer
        ),
    )
    path = write_parquet(
        tmp_path / "a.parquet", run_table(["d1"], 1), encryption_properties=properties
    )
    assert_refused(path, qrels)
    with pytest.raises(FormatError, match=str(ENCRYPTED)):
        read_run(path)

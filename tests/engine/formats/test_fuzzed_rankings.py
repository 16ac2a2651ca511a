"""Tests that reading any bytes as qrels, a run or judgments gives data or one error, quickly."""

import gzip
import io
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle
from pathlib import Path

import openpyxl
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.formats import preview_files
from irjudge.formats.collections import read_topics
from irjudge.formats.judgments import read_judgments
from irjudge.formats.rankings import parse_grades, read_qrels, read_run
from irjudge.formats.rows import ColumnMapping, parse_columns
from tests.lengths import example_count, is_linear


def _workbook() -> dict[str, bytes]:
    book = openpyxl.Workbook()
    for row in (
        ["topic", "document", "assessor", "grade", "score"],
        [1, "a", "x", 1, 1.5],
        [2, "b", "y", 0, True],
    ):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    with zipfile.ZipFile(out) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


WORKBOOK = _workbook()
SHEET = "xl/worksheets/sheet1.xml"


def zip_members(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


FILES = {
    "trec.qrels": b"1 0 a 1\n1\t0\tb\t-1\n# c\n2 Q0 d 2\r\n",
    "smart.rel": b"01 5  0 0\n01 6  0 0\n2 7 0 0\n",
    "old.rel": b"1   13     0   0.000000\r\n1 14 0 0.0\n",
    "cran.qrels": b"1 184 2 \n1 29 -1\n2 1 4\n",
    "pairs.txt": b"1 a\n2 b\n",
    "marco.tsv": b"1\ta\t1\n1\tb\t2\n2\tc\t1\n",
    "trec.run": b"1 Q0 a 1 2.5 t\n1 Q0 b 2 -1e5 t\n2 Q0 a 0 inf t 7 8\n",
    "beir.tsv": b"query-id\tcorpus-id\tscore\n1\ta\t2\n",
    "table.csv": b'topic,document,assessor,grade,rank,score,note\n1,a,x,2,1,1.5,"a ""b""\nc"\n2,b,y,0,1,2,\n',
    "utf16.csv": "qid;docno;worker;label\n1;\u00e4;x;2\n".encode("utf-16"),
    "ntcir.qrels": b"1 0 a L2\n1 0 b L0\n2 0 a L1\n",
    "LISA.REL": b"Query 1\r\n2 Relevant Refs:\r\n3392 3396 -1\r\n\r\nQuery 2\r\n1 Relevant Refs:\r\n7 -1\r\n",
    "LISARJ.NUM": b"   1   2   12   34\n   2   3   5   6\n   7\n",
    "TIME.REL": b"1  268 288 304 308\n\n2  326 334\n",
    "rlv-ass": b"1\n   12   340\n   /\n2\n 7\n /\n",
    "top1000.dev": b"7\t90\twhat are tides\tTides rise.\n8\t90\tports\tTides rise.\n",
    "retrieved.jsonl": b'{"query": {"qid": "1", "text": "a"}, "candidates": [{"docid": "d", "score": 2.5, "doc": {"segment": "b"}}]}\n',
    "answers.jsonl": b'{"run_id": "s", "topic_id": "1", "references": ["d"], "answer": [{"text": "a", "citations": [0]}]}\n',
    "ranx.json": b'{"1": {"a": 2, "b\\ud800": 1.0}, "2": {}}',
    "book.xlsx": zip_members(WORKBOOK),
}
NAMES = sorted(FILES)
TEXT = [
    b" ",
    b"\t",
    b"\n",
    b"\r",
    b",",
    b";",
    b'"',
    b"{",
    b"}",
    b"[",
    b"0",
    b"-",
    b"1e999",
    b"0x1",
    b"nan",
    b"#",
    b"9" * 30,
]
WORDS = [b"topic", b"document", b"<a>", b"&b;", b" r='B9'"]
BYTES = [b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"PK\x03\x04", b"\x00", b"\xed\xa0\x80"]
TOKENS = st.sampled_from(TEXT + WORDS + BYTES)
COLUMNS = [
    parse_columns(said, ("topic", "document", "grade", "assessor"))
    for said in (
        "topic=1,document=2",
        "topic=2,document=1,grade=3",
        "topic=document,document=topic",
        "grade=9,topic=1,document=2,assessor=3",
    )
]
GRADES = parse_grades("-1:0,0:1,1:2,2:1,4:4")


@st.composite
def mutations(draw: st.DrawFn, content: bytes) -> bytes:
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        length = draw(st.sampled_from([0, 0, 1, 1, 5, 60, 600]))
        put = draw(st.one_of(TOKENS, st.binary(max_size=6)))
        content = content[:start] + put + content[start + length :]
    return content


def every_reader(path: Path, mappings: Sequence[ColumnMapping] = COLUMNS) -> None:
    readers: list[Callable[[], object]] = [
        lambda: list(read_qrels(path).rows()),
        lambda: list(read_qrels(path, "0", grades=GRADES).rows()),
        lambda: read_run(path).document.to_pylist(),
        lambda: read_judgments(path),
        lambda: read_topics(path, topic_ids="order"),
        lambda: preview_files("qrels", [path]),
        lambda: preview_files("runs", [path]),
    ]
    for columns in mappings:
        readers += [
            lambda columns=columns: read_qrels(path, columns=columns).warnings,  # type: ignore[misc]
            lambda columns=columns: read_run(path, columns=columns).warnings,  # type: ignore[misc]
            lambda columns=columns: read_judgments(path, columns=columns),  # type: ignore[misc]
        ]
    for reader in readers:
        try:
            reader()
        except IrjudgeError as error:
            str(error).encode()


def read_as(name: str, content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        every_reader(path)


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_are_each_read_by_one_reader_at_least(tmp_path, name):
    (path := tmp_path / name).write_bytes(FILES[name])
    read = 0
    for reader in (lambda: read_qrels(path, "0"), lambda: read_run(path)):
        try:
            reader()
            read += 1
        except IrjudgeError:
            continue
    assert read


@settings(
    max_examples=example_count(60), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.sampled_from(NAMES), st.binary(max_size=300))
@example("a.xlsx", b"PK\x03\x04")
@example("a.csv", b"topic,document\n")
@example("half.json", b'{"\\ud8001": 2}')
@example("half.json", b'{"\\ud8001": {"\\ud800": "x"}}')
def test_random_bytes_are_read_or_refused(name, content):
    read_as(name, content)


@pytest.mark.slow
@settings(
    max_examples=example_count(200), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.data())
def test_tampered_files_are_read_or_refused(data):
    name = data.draw(st.sampled_from(NAMES))
    content = data.draw(mutations(FILES[name]))
    read_as(name, gzip.compress(content) if data.draw(st.booleans()) else content)


@pytest.mark.slow
@settings(
    max_examples=example_count(80), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.data())
def test_spreadsheets_with_tampered_parts_are_read_or_refused(data):
    name = data.draw(st.sampled_from([SHEET, SHEET, *WORKBOOK]))
    read_as("book.xlsx", zip_members(WORKBOOK | {name: data.draw(mutations(WORKBOOK[name]))}))


@pytest.mark.slow
@pytest.mark.parametrize("before", [b"", b"topic,document,grade\n", b"{", b'{"1": {'])
def test_repetition_takes_linear_time(tmp_path, before, full):
    """A quadratic pattern would need minutes for one of these. Mappings of columns take turns."""
    path, size = tmp_path / "a", 200_000 if full else 40_000

    def read(text: bytes, mapping: ColumnMapping) -> None:
        path.write_bytes(text)
        every_reader(path, COLUMNS if full else [mapping])

    pieces = (
        b'"',
        b'""',
        b",",
        b"\t",
        b" ",
        b"\n",
        b"1 ",
        b"1 a\n",
        b'"a": 1,',
        b"{",
        b"[",
        b"\xff",
        b"\xe4\xb8",
    )
    for mapping, piece in zip(cycle(COLUMNS), pieces, strict=False):
        eighth = before + piece * (size // 8 // len(piece))
        whole = before + piece * (size // len(piece))
        assert is_linear(partial(read, eighth, mapping), partial(read, whole, mapping)), piece

"""Tests that reading any bytes as topics or documents gives data or one error, quickly."""

import gzip
import io
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import OFFICE_DOCUMENTS
from irjudge.formats.collections import (
    preview_documents,
    read_documents,
    read_topics,
    recognise_document_format,
)
from irjudge.formats.collections.documents import FORMS as DOCUMENT_FORMS
from irjudge.formats.collections.topics import FORMATS as TOPIC_FORMS
from tests.lengths import example_count, takes_less_than

RUBRICS = b'{"qid": "1", "rubrics": [{"criterion": "a", "weight": 4.0, "axis": "b"}]}\n'
TOPICS = {
    "rubrics.jsonl": RUBRICS,
    "object.json": b'{"401": "foo", "402": "bar"}',
    "numbered.topics": b"1 one\n2 two words\n",
    "lines.txt": b"foo bar\nbaz\n",
    "roots.xml": b"<topic number='1'><title>a</title></topic>\n<topic number='2'><title>b</title></topic>",
    "outlines.topics": b"enwiki:Aftertaste\nenwiki:Aftertaste/In%20the%20cortex\n",
    "linking.txt": b"<top>\n<num> Number: 321 </num>\n<docid>9171</docid>\n<url>u</url>\n</top>\n",
    "unclosed.txt": b"<top>\n<num> Number: 401\n<title> Topic: a\n<desc> Description:\nb &amp; c\n<narr> Narrative:\nd\n</top>\n",
    "closed.txt": b"<topics><top lang='hi'><num>1</num><title>a &#233;<b>b</b></title></top><!-- c --></topics>",
    "documents.txt": b"<DOC>\n<DOCNO> 1 </DOCNO>\n a\nb\n</DOC>\n",
    "topics.xml": b"<?xml version='1.0'?><t><topic number='1'><query>a</query></topic></t>",
    "web.xml": b"<!DOCTYPE w [<!ENTITY a 'b'>]><w><session num='1'><topic><desc>a</desc></topic>"
    b"<subtopic id='2'>b</subtopic></session></w>",
    "queries.qry": b".I 1\r\n.W\r\na\r\n.T\r\nb\r\n.I 02\n.W\nc\n",
    "topics.csv": b'id,title,description\n1,"a ""b""",c\n2,d,"e\nf"\n',
    "topics.tsv": "\ufeffqid\tquery\r\n051\tcafé\r\n".encode(),
    "topics.jsonl": b'{"qid": 1, "query": "a\\ud83d", "narrative": null}\n{"_id": "2", "text": ["b", "c"]}\n',
    "npl.query": b"1\nradio waves\n   /\n2\nnoise\n/\n",
    "LISA.QUE": b"1\r\nI WANT TIDES. #\r\n2\r\nOR PORTS #\r\n",
    "TIME.QUE": b"*FIND      1\n\n WHO ?\n\n*FIND      2\n\n WHEN ?\n\n*STOP\n",
    "ntcir.txt": b"<TOPIC>\n<NUM>001</NUM>\n<TITLE>a</TITLE>\n<NARR><BACK>b</BACK></NARR>\n</TOPIC>\n<TOPIC q=2><TITLE>c</TITLE></TOPIC>\n",
    "09.mq.topics": b"20001:1:tides\n20002:4:ports\n",
    "cast.json": b'[{"number": 31, "title": "t", "turn": [{"number": 1, "raw_utterance": "a", "manual_rewritten_utterance": "b"}]}]',
    "top1000.dev": b"7\t90\twhat are tides\tTides rise.\n8\t90\tports\tTides rise.\n",
    "retrieved.jsonl": b'{"query": {"qid": "1", "text": "a"}, "candidates": [{"docid": "d", "score": 2.5, "doc": {"segment": "b"}}]}\n',
    "answers.jsonl": b'{"run_id": "s", "topic_id": "1", "references": ["d"], "answer": [{"text": "a", "citations": [0]}]}\n',
    "topics.json": b'[{"id": 1.5e3, "title": "a"},\n {"id": "b", "question": "c"}]',
}


def _tar(members: dict[str, bytes], form: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=form) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return out.getvalue()[:6144]


def _zip(members: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return out.getvalue()


MEMBERS = {
    "a.html": b"<title>t</title><h1>h</h1>",
    "é" * 60 + ".md": b"# a\nb",
    "c.jsonl": b'{"id": 1, "text": "x"}',
}
DOCUMENTS = {
    "criteria.jsonl": RUBRICS,
    "references.ris": b"TY  - JOUR\nID  - 1\nTI  - a\nAB  - b\nc\nER  - \n",
    "pubmed.nbib": b"PMID- 1\nTI  - a\n      b\nAB  - c\nAU  - d e\nMH  - *f\n\nPMID- 2\nTI  - g\n\n",
    "savedrecs.ciw": b"FN Clarivate\nVR 1.0\nPT J\nAU a, b\n   c, d\nTI e\nAB f\nUT WOS:1\nER\n\nEF\n",
    "savedrecs.txt": b"PT\tAU\tTI\tAB\tUT\nJ\ta, b\tc\td\tWOS:1\t\n",
    "trec": b"<DOC>\n<DOCNO>1</DOCNO><HL>t</HL>\n<TEXT>\na <P>b &hyph; </TEXT>\n</DOC>\n<doc id=2 title='x'>c<!-- d --></doc>",
    "web": b"<DOC><DOCNO>1</DOCNO><DOCHDR>h</DOCHDR><html></html></DOC>",
    "documents.xml": b"<?xml version='1.0'?><docs/>",
    "documents.tsv": b"1\thttp://a\tt\tb\n2\t\t\tc\n",
    "bulk.ndjson": b'{"index": {"_index": "i", "_id": "7#0"}}\n{"title": "t", "price": 3}\n{"delete": {"_id": "8"}}\n',
    "documents.jsonl": b'{"docid": "7#0", "contents": "a", "title": "t", "price": 3.5, "in": {"stock": [true, null]}, "img": "p.png"}\n'
    b'{"id": "8", "name": "n", "brand": "b", "irjudge_picture": {"field": "img", "base64": "iVBORw0KGgo="}}\n',
    "documents.csv": b'id,title,text\n1,"a ""b"", c",d\n2,,"e\nf"\n',
    "documents.all": b".I 1\r\n.T\r\na\r\n.A\r\n.W \r\nb\r\n.I 2\n.X\n1\t5\t1\n",
    "object.json": b'{\n "id": 1,\n "text": ["a"]}\n{"id": 2, "base64": "eA==", "kind": "image"}',
    "gbk.tsv": "1\t今天天气很好\n2\t我们去公园散步\n".encode("gb18030"),
    "utf16.csv": "id,text\n1,天气\n".encode("utf-16"),
    "documents.json": b'[{"id": 1, "text": "a"}, {"id": 2, "text": ""}]',
    "doc-text": b"1\nradio waves\n   /\n2\nnoise\n/\n",
    "LISA0.001": b"Document    1\r\nTIDES.\r\n\r\nTHEY RISE.\r\n********************\r\nDocument    2\r\nA\r\n",
    "TIME.ALL": b"*TEXT 017 01/04/63 PAGE 020\n\nTHE TIDE\n\n*TEXT 019 01/04/63 PAGE 021\n\nFELL .\n\n*STOP\n",
    "00.warc": b"WARC/1.0\r\nWARC-Type: response\r\nWARC-TREC-ID: c1\r\nContent-Length: 62\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n<html>\r\n0\r\n\r\n",
    "news.jl": b'{"id": "a", "contents": [{"type": "title", "content": "t"}, {"type": "image", "fullcaption": "c"}]}\n',
    "candidates.json": b'[{"query": {"qid": "1", "text": "a"}, "candidates": [{"docid": "d", "score": 2.5, "doc": {"segment": "b"}}]}]',
    "psgs.tsv": b'id\ttext\ttitle\n1\t"The ""tide"" rose."\tTide\n2\tIt fell.\tEbb\n',
    "top1000.tsv": b"7\t90\twhat are tides\tTides rise.\n8\t90\tports\tTides rise.\n",
    "rag.jsonl": b'{"run_id": "s", "topic_id": "1", "references": ["d"], "answer": [{"text": "a", "citations": [0]}]}\n',
    "page.html": b"<!doctype html><title lang=en>t &amp; u</title><h1>h</h1>",
    "page.md": b"# t #\n\nbody",
    "page.txt": b"caf\xe9",
    "ustar.tar": _tar({"a.txt": b"a", "b.html": b"<h1>b"}, tarfile.USTAR_FORMAT),
    "gnu.tar": _tar(MEMBERS, tarfile.GNU_FORMAT),
    "pax.tar": _tar(MEMBERS, tarfile.PAX_FORMAT),
    "pack.zip": _zip(MEMBERS),
}
PACKED = {
    f"{name}.gz": gzip.compress(content, mtime=0) for name, content in (TOPICS | DOCUMENTS).items()
}
ALL = TOPICS | DOCUMENTS | PACKED
NAMES = sorted(ALL)

# Pieces with a meaning to a reader, inserted in wrong places.
MARKUP = [
    b"<",
    b">",
    b"</",
    b"<DOC>",
    b"</DOC>",
    b"<top>",
    b"<num>",
    b"<TEXT>",
    b"<!--",
    b"-->",
    b"&#",
    b"\t",
    b"\n",
    b'"',
    b"[",
    b"{",
]
BYTES = [
    b"\\ud800",
    b"\x00",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"\xed\xa0\x80",
    b"9" * 30,
    b" " * 30,
    b"L",
    b"x",
    b"path=",
]
TOKENS = st.sampled_from(MARKUP + BYTES)


@st.composite
def mutations(draw: st.DrawFn, content: bytes) -> bytes:
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(content)))
        length = draw(st.sampled_from([0, 0, 1, 1, 5, 60, 600]))
        put = draw(st.one_of(TOKENS, st.binary(max_size=6)))
        content = content[:start] + put + content[start + length :]
    return content


def read_documents_and_say(path: Path) -> None:
    warnings: list[str] = []
    _ = [
        (document.text, document.title, document.digest)
        for document in read_documents([path], warnings=warnings)
    ]
    "".join(warnings).encode()


def every_reader(path: Path) -> None:
    readers: list[Callable[[], object]] = [
        lambda: read_topics(path),
        lambda: read_documents_and_say(path),
        lambda: preview_documents([path]),
        lambda: recognise_document_format(path),
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
        every_reader(Path(folder))


def test_the_examples_cover_every_format(tmp_path):
    for examples, forms, recognise in (
        (TOPICS, TOPIC_FORMS, read_topics),
        (DOCUMENTS, DOCUMENT_FORMS, recognise_document_format),
    ):
        formats = set()
        for name, content in examples.items():
            (path := tmp_path / name).write_bytes(content)
            try:
                known = recognise(path)
            except IrjudgeError as error:
                known = str(error)
            formats |= {form.name for form in forms if form.name in str(known)}
        assert formats == {form.name for form in forms} - set(OFFICE_DOCUMENTS), (
            "what is read in a process of its own has tests of its own"
        )


@settings(
    max_examples=example_count(500), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.sampled_from(NAMES), st.binary(max_size=700))
@example("page.txt", b"")
@example("gnu.tar", bytes(1024))
def test_random_bytes_are_read_or_refused(name, content):
    read_as(name, content)


@pytest.mark.slow
@settings(
    max_examples=example_count(1500), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.data())
def test_tampered_files_are_read_or_refused(data):
    name = data.draw(st.sampled_from(NAMES))
    read_as(name, data.draw(mutations(ALL[name])))


@pytest.mark.slow
@settings(
    max_examples=example_count(1000), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(st.data())
def test_tampered_compressed_files_are_read_or_refused(data):
    name = data.draw(st.sampled_from(sorted(TOPICS | DOCUMENTS)))
    read_as(f"{name}.gz", gzip.compress(data.draw(mutations(ALL[name]))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "before",
    [
        b"<DOC><DOCNO>1</DOCNO><TEXT>",
        b"<top><num>1</num><title>",
        b"<html><title>",
        b"<DOC ",
        b'{"id": ',
        b"[",
        b".I 1\n.W\n",
        b'id,text\n1,"',
        b"1\t\xe9",
    ],
)
def test_repetition_takes_linear_time(tmp_path, before, full):
    """A quadratic pattern would need minutes for one of these."""
    pieces = [
        b"<a",
        b"<a ",
        b"<!--",
        b"<doc>",
        b"<doc ",
        b"a=\"a'",
        b"aaaa",
        b"<top>",
        b"&#1",
        b"   ",
        b"\n",
        b"<title>",
        b"\n<x>",
        b"{},",
        b"\t",
    ]
    path = tmp_path / "page.html" if b"html" in before else tmp_path / "a"
    size = 200_000 if full else 40_000
    for piece in pieces:
        path.write_bytes(before + piece * (size // len(piece)) + b"</TEXT></title></DOC>")
        assert takes_less_than(3 * size / 200_000, lambda: every_reader(path)), piece

"""Tests of web archives, in which each page is a document."""

import gzip
import time
import zlib
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_documents, recognise_document_format
from irjudge.model import Document
from tests.messages import warnings_of


def record(
    kind: str, content: bytes, *headers: str, version: str = "1.0", name: str = "WARC-TREC-ID: cw-1"
) -> bytes:
    lines = [
        f"WARC/{version}",
        f"WARC-Type: {kind}",
        name,
        *headers,
        f"Content-Length: {len(content)}",
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + content + b"\r\n\r\n"


def page(body: bytes, *headers: str) -> bytes:
    return "\r\n".join(("HTTP/1.1 200 OK", *headers, "", "")).encode() + body


HTML = "Content-Type: text/html"
INFO = record("warcinfo", b"software: a\r\n", name="WARC-Record-ID: <urn:uuid:0>")


def read(tmp_path: Path, content: bytes) -> tuple[list[Document], list[str]]:
    (path := tmp_path / "00.warc").write_bytes(content)
    warnings: list[str] = []
    return list(read_documents([path], warnings=warnings)), warnings


def test_a_page_has_trecs_id_and_the_title_of_its_html(tmp_path):
    body = b"<html><title>Tides</title><p>They rise.</p></html>"
    documents, warnings = read(tmp_path, INFO + record("response", page(body, HTML)))
    assert (documents, warnings) == ([Document("cw-1", body, "Tides", "html")], [])


def test_records_without_a_trec_id_use_their_own_id(tmp_path):
    request = record("request", b"GET / HTTP/1.1\r\n\r\n")
    documents, warnings = read(
        tmp_path,
        request + record("conversion", b"Plain words.", name="WARC-Record-ID: <urn:uuid:12-34>"),
    )
    assert documents == [Document("12-34", b"Plain words.")]
    assert warnings_of(warnings) == [("not-a-page", "1", "00.warc, record 1")]


def test_records_compressed_one_by_one_are_read(tmp_path):
    parts = [
        record("response", page(b"<html>a", HTML), name=f"WARC-TREC-ID: c{n}", version="0.18")
        for n in range(3)
    ]
    (path := tmp_path / "a.warc.gz").write_bytes(
        b"".join(gzip.compress(each) for each in [INFO, *parts])
    )
    assert [each.id for each in read_documents([path], warnings=[])] == ["c0", "c1", "c2"]
    assert recognise_document_format(path) == "WARC, compressed with gzip"


def test_each_page_has_its_own_encoding(tmp_path):
    declared = page("<html>天气".encode("gb18030"), "Content-Type: text/html; charset=GBK")
    declares = page('<html><meta charset="cp1252">caf\xe9'.encode("latin-1"), HTML)
    marked = page("<html>café".encode(), HTML)
    content = b"".join(
        record("response", each, name=f"WARC-TREC-ID: c{n}")
        for n, each in enumerate((declared, declares, marked))
    )
    assert [each.text[-2:] for each in read(tmp_path, content)[0]] == ["天气", "fé", "fé"]


def test_chunked_or_compressed_pages_are_decoded(tmp_path):
    chunks = b"5\r\n<html\r\n4;a=b\r\n>abc\r\n0\r\n\r\n"
    pages = (
        page(chunks, HTML, "Transfer-Encoding: chunked"),
        page(b"<html>abc", HTML, "Transfer-Encoding: chunked"),
        page(gzip.compress(b"<html>abc"), HTML, "Content-Encoding: gzip"),
        page(zlib.compress(b"<html>abc"), HTML, "Content-Encoding: deflate"),
        page(zlib.compress(b"<html>abc", wbits=-15), HTML, "Content-Encoding: deflate"),
    )
    content = b"".join(
        record("response", each, name=f"WARC-TREC-ID: c{n}") for n, each in enumerate(pages)
    )
    assert [each.text for each in read(tmp_path, content)[0]] == ["<html>abc"] * 5


@pytest.mark.parametrize("text", ["<html>abc", '{"tide": 1}', "{}", ""])
def test_a_page_that_the_crawler_decompressed_is_read_unchanged(tmp_path, text):
    html = page(text.encode(), "Content-Type: text/plain", "Content-Encoding: deflate")
    assert [each.text for each in read(tmp_path, record("response", html))[0]] == [text]


@pytest.mark.slow
def test_a_page_in_many_chunks_takes_linear_time(tmp_path):
    chunks = b"1\r\na\r\n" * 640_000 + b"0\r\n\r\n"
    content = record("response", page(chunks, "Transfer-Encoding: chunked"))
    began = time.process_time()
    ((document,), _) = read(tmp_path, content)
    assert document.body == b"a" * 640_000
    assert time.process_time() - began < 3


def test_videos_are_left_out_and_pictures_are_read(tmp_path):
    film = record("response", page(b"\0\1\2", "Content-Type: video/mp4"))
    picture = record(
        "response", page(b"\x89PNG\r\n\x1a\n", "Content-Type: image/png"), name="WARC-TREC-ID: p"
    )
    documents, warnings = read(tmp_path, film + picture)
    assert [(each.id, each.kind) for each in documents] == [("p", "image")]
    assert [(key, count) for key, count, _ in warnings_of(warnings)] == [("not-text", "1")]


def test_a_bomb_in_a_page_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr("irjudge.formats.collections.trec_documents.MAX_LINE_BYTES", 10_000)
    bomb = page(gzip.compress(b"a" * 1_000_000), HTML, "Content-Encoding: gzip")
    ((document,), _) = read(tmp_path, record("response", bomb))
    assert len(document.body) == 10_000


@pytest.mark.parametrize(
    ("content", "key", "value"),
    [
        (record("response", page(b"<html>", HTML))[:-12], "cut-off", ""),
        (record("response", b"a") + b"words", "no-record", "words"),
        (record("response", b"a").replace(b"Length: 1", b"Length: x"), "no-length", ""),
        (
            record("response", b"a").replace(b"Length: 1", b"Length: 99999999999"),
            "long-record",
            "64 MB",
        ),
        (record("response", b"a") + b"\n" * 5000, "empty-lines", ""),
        (b"WARC/1.0\r\n" + b"a: b\r\n" * 300_000, "long-header", "1 MB"),
    ],
)
def test_a_damaged_archive_is_refused(tmp_path, content, key, value):
    with pytest.raises(FormatError) as refused:
        read(tmp_path, content)
    assert refused.value.key == key and value in str(refused.value)

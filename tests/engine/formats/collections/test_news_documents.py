"""Tests of articles whose contents are a list of parts."""

import json
from pathlib import Path

from irjudge.formats.collections import read_documents, recognise_document_format
from irjudge.model import Document


def read(tmp_path: Path, *articles: object) -> list[Document]:
    (path := tmp_path / "news.jl").write_text(
        "".join(json.dumps(each) + "\n" for each in articles), encoding="utf-8"
    )
    assert recognise_document_format(path) == "TREC News"
    return list(read_documents([path], warnings=[]))


PARTS = [
    {"type": "kicker", "content": "Sea"},
    {"type": "title", "content": "Tides & <ports>"},
    {"type": "date", "content": 1325376562000},
    None,
    {
        "type": "sanitized_html",
        "subtype": "paragraph",
        "mime": "text/html",
        "content": "They <b>rise</b>.",
    },
    {"type": "image", "fullcaption": "A port <below>", "imageURL": "http://a/b.jpg"},
    {"type": "list", "content": ["one", "two"]},
]


def test_parts_become_paragraphs(tmp_path):
    (document,) = read(tmp_path, {"id": "a1", "title": "Tides", "contents": PARTS})
    assert (document.id, document.title, document.kind) == ("a1", "Tides", "html")
    assert document.text.split("\n") == [
        "<p>Sea</p>",
        "<h1>Tides &amp; &lt;ports&gt;</h1>",
        "<p>They <b>rise</b>.</p>",
        "<p><i>A port &lt;below&gt;</i></p>",
        "<ul><li>one</li><li>two</li></ul>",
    ]


def test_a_missing_title_is_read_from_the_parts(tmp_path):
    documents = read(
        tmp_path, {"id": "a1", "title": None, "contents": PARTS}, {"id": "a2", "contents": None}
    )
    assert [(each.id, each.title, each.text[:3]) for each in documents] == [
        ("a1", "Tides & <ports>", "<p>"),
        ("a2", "", ""),
    ]

"""Tests of documents as records: JSON, tab-separated and TREC, and rules of all formats."""

import gzip
import json
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import Cancelled, FormatError
from irjudge.formats.bytes import collapse_whitespace
from irjudge.formats.bytes import encoding as utf8
from irjudge.formats.collections import (
    preview_documents,
    read_documents,
    recognise_document_format,
    write_documents,
)
from irjudge.formats.rows import ColumnMapping
from irjudge.message import Message
from irjudge.model import DOCUMENT_KINDS, Document
from irjudge.progress import Progress
from tests.messages import keys_and_values, warnings_of

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
IDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1, max_size=20
).filter(lambda name: name == name.strip())
BODIES = st.one_of(TEXT.map(str.encode), st.binary())
DOCUMENTS = st.lists(
    st.builds(
        Document, IDS, BODIES, TEXT.map(collapse_whitespace), st.sampled_from(DOCUMENT_KINDS)
    ),
    unique_by=lambda each: each.id,
    min_size=1,
)


@given(DOCUMENTS)
def test_documents_of_all_kinds_read_back_equal(tmp_path_factory, documents):
    path = tmp_path_factory.mktemp("out") / "docs.jsonl"
    assert write_documents(path, documents) == len(documents)
    assert list(read_documents([path], warnings=[])) == documents


def test_a_written_line_is_read_by_other_tools(tmp_path):
    path = tmp_path / "docs.jsonl"
    write_documents(
        path,
        [
            Document("1", "é\u2028".encode(), "t"),
            Document("2", b"\x89PNG", "", "image"),
            Document("3", b"<p>", "", "html"),
        ],
    )
    assert path.read_text(encoding="utf-8").split("\n") == [
        '{"id": "1", "title": "t", "text": "é\u2028"}',
        '{"id": "2", "kind": "image", "base64": "iVBORw=="}',
        '{"id": "3", "kind": "html", "text": "<p>"}',
        "",
    ]


def test_an_existing_file_stays_when_writing_is_cancelled(tmp_path):
    path = tmp_path / "docs.jsonl"
    path.write_bytes(b"before")
    with pytest.raises(Cancelled):
        write_documents(
            path,
            (Document(str(number), b"x") for number in range(1000)),
            Progress(cancelled=lambda: True),
        )
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"before"]


def read(*paths: Path) -> list[Document]:
    return list(read_documents(paths, warnings=[]))


def remarks(*paths: Path) -> list[str]:
    messages: list[str] = []
    for _ in read_documents(paths, warnings=messages):
        pass
    return messages


def refusal(*paths: Path) -> Message:
    with pytest.raises(FormatError) as caught:
        read(*paths)
    return caught.value.message


def refused_at(path: Path, *names: str) -> tuple[str, ...]:
    """Return key, line and other values of an error, which names the file."""
    message = refusal(path)
    assert message.all_values["where"].startswith(path.name)
    return keys_and_values([message], "line", *names)[0]


@pytest.fixture
def file(tmp_path: Path):
    def file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return file


# Records


@pytest.mark.parametrize("name", ["id", "_id", "docid", "docno", "doc_id"])
def test_json_names_an_id_in_many_ways(file, name):
    expected = Document("007", b"t", "a title", fields=(("url", "u"),))
    assert read(
        file("a.jsonl", f'{{"{name}": "007", "text": "t", "title": "a  title", "url": "u"}}')
    ) == [expected]


@pytest.mark.parametrize("name", ["text", "contents", "body", "abstract"])
def test_json_names_a_text_in_many_ways(file, name):
    assert read(file("a.jsonl", f'{{"id": "NA", "{name}": " t\\n"}}')) == [Document("NA", b" t\n")]


def test_json_without_id_or_text_is_refused_with_its_line(file):
    *at, names = refused_at(
        file("a.jsonl", '{"id": 1, "text": ""}\n\n{"text": "b"}'), "part", "names"
    )
    assert at == ["no-part", "3", "id"] and names.startswith("id, _id, docno")
    *at, names = refused_at(file("a.jsonl", '{"id": 1}'), "part", "names")
    assert at == ["no-part", "1", "text"] and names.startswith("text, contents")


@pytest.mark.parametrize("name", ["d.jsonl", "d.json"])
def test_a_repeated_field_of_a_record_is_refused_with_its_line(file, name):
    records = ['{"id": "a", "text": "x"}', '{"id": "b", "text": "y", "text": "z"}']
    text = "\n".join(records) if name == "d.jsonl" else f"[{records[0]},\n{records[1]}]"
    assert refused_at(file(name, text), "name") == ("repeated-name", "2", "text")


def test_a_repeated_name_inside_a_field_is_accepted(file):
    record = '{"id": "a", "text": "x", "meta": {"k": "1", "k": "2"}}'
    assert [document.id for document in read(file("d.jsonl", record))] == ["a"]


def test_an_id_with_a_zero_byte_is_refused_with_its_line(file):
    """Tables of judgments could not store the id."""
    with pytest.raises(FormatError) as refused:
        read(file("d.jsonl", '{"id": "a", "text": "x"}\n{"id": "a\\u0000b", "text": "y"}\n'))
    assert (refused.value.key, refused.value.line) == ("zero-byte", 2)


def test_truncated_json_is_refused_with_its_line(file):
    lines, whole = '{"id": 1, "text": "a"}\n{"id": 2, "te', '[{"id": 1, "text": "a"}'
    assert refused_at(file("a.jsonl", lines), "column") == ("not-json", "2", "11")
    assert refused_at(file("a.json", f'{whole},\n{{"id": 2')) == ("not-json", "2")
    brace, comma = '"{"', ","
    marks = refused_at(file("a.json", f"{whole} {{"), "found", "mark")
    assert marks == ("missing-mark", "1", brace, comma)
    key, line, marks, mark = refused_at(file("a.json", whole), "found", "mark")
    assert (key, line, mark) == ("missing-mark", "1", comma) and "end" in marks
    assert refused_at(file("a.json", f"{whole}]\n]")) == ("after-list", "1")


def test_deeply_nested_json_is_refused(file):
    deep = "[" * 100_000
    assert refusal(file("a.jsonl", f'{{"id": {deep}')).key == "too-deep"
    assert refusal(file("a.json", f'[{{"id": {deep}')).key == "too-deep"


def test_a_json_list_is_read_like_lines(file):
    assert read(file("a.json", '\n[\n {"id": 1, "text": "a"},\n {"id": 2, "text": "b"}\n]\n')) == [
        Document("1", b"a"),
        Document("2", b"b"),
    ]


def test_a_lone_surrogate_in_a_field_name_is_replaced_with_a_warning(file):
    path = file("a.jsonl", '{"id": "1", "text": "a", "cut \\ud83d": 0}')
    assert read(path) == [Document("1", b"a", fields=(("cut \ufffd", "0"),))]
    assert warnings_of(remarks(path)) == [("half-character", "1", "a.jsonl, line 1")]


def test_a_lone_surrogate_is_replaced_with_a_warning(file):
    path = file("a.jsonl", '{"id": "1", "text": "cut \\ud83d"}')
    assert read(path) == [Document("1", "cut \ufffd".encode())]
    assert warnings_of(remarks(path)) == [("half-character", "1", "a.jsonl, line 1")]


def test_tab_separated_lines_have_a_text_or_a_title_and_a_text(file):
    assert read(file("a.tsv", "\ufeff1\ttext\ttab\r\n2\ttext\r\n")) == [
        Document("1", b"text\ttab"),
        Document("2", b"text"),
    ]
    assert read(file("a.tsv", "1\ttitle\ttext\n2\t\tother\n")) == [
        Document("1", b"text", "title"),
        Document("2", b"other"),
    ]
    assert read(file("a.tsv", "D1\thttps://a.b\ttitle\ttext\n")) == [
        Document("D1", b"text", "title", fields=(("url", "https://a.b"),))
    ]
    assert read(file("a.tsv", "docno\ttext\ttitle\n1\tx\ty\n")) == [Document("1", b"x", "y")]
    refused = refused_at(file("a.tsv", "1\t2\t3\t4\t5\n"), "found")
    assert refused == ("column-count", "1", "5")


def test_columns_are_counted_in_whole_lines_only(file):
    title = "x" * 100_000
    assert read(file("a.tsv", f"1\tt\ta\n2\t{title}\tb\n"))[1] == Document("2", b"b", title)


def test_unread_fields_are_listed_up_to_a_limit(file):
    records = [{"id": number, "text": "a", f"extra{number}": [{}]} for number in range(30)]
    messages = remarks(file("a.jsonl", "\n".join(map(json.dumps, records))))
    ((key, named, more),) = keys_and_values(messages, "named", "more")
    assert key == "unread-fields" and more
    assert named.split(", ") == [f"extra{number}" for number in range(20)]


TREC = """<!-- two -->
<DOC>
<DOCNO> AP-0001 </DOCNO>
<FILEID>X</FILEID>
<HEADLINE>A &amp; <B>B</B></HEADLINE>
<TEXT>
   First
<P>
Second <F P=105>third</F> a < b
</TEXT>
</DOC>
<DOC id="doc2">
<TEXT>here</TEXT></DOC><DOC><docno>3</docno>all of <i>this</i>, <x>and</x> that</DOC>
"""


def test_trec_documents_have_id_title_and_text(file):
    path = file("trec1", TREC)
    first, second, third = read(path)
    assert first == Document("AP-0001", b"First\n\n\nSecond  third  a < b", "A & B")
    assert (second, third.id, third.text.split()) == (
        Document("doc2", b"here"),
        "3",
        ["all", "of", "this,", "and", "that"],
    )
    assert keys_and_values(remarks(path), "named", "more") == [("unread-fields", "fileid", "")]


def test_windows_line_ends_are_converted_in_trec_documents(file):
    assert read(file("trec1", TREC.replace("\n", "\r\n"))) == read(file("trec2", TREC))


@pytest.mark.slow
def test_trec_documents_longer_than_a_block_stay_whole(file, monkeypatch):
    whole = read(file("trec1", TREC * 3000))
    monkeypatch.setattr("irjudge.formats.collections.sgml.CHUNK_BYTES", 7)
    monkeypatch.setattr("irjudge.formats.collections.sgml.MAX_TAG_CHARACTERS", 20)
    assert read(file("trec1", TREC)) == whole


def test_a_trec_document_without_id_or_end_is_refused_with_its_line(file):
    assert refused_at(file("a", TREC + "<DOC>\n<TEXT>x</TEXT></DOC>")) == ("no-id", "14")
    refused = refused_at(file("a", TREC + "<DOC><DOCNO>9</DOCNO>"), "tag")
    assert refused == ("not-closed", "14", "DOC")
    unclosed = "<DOC><DOCNO>1</DOCNO>a\n<DOC><DOCNO>2</DOCNO>b</DOC>"
    assert refused_at(file("a", unclosed)) == ("not-closed", "1")


def test_text_between_trec_documents_is_reported(file):
    path = file("a", "<DOCS><DOC><DOCNO>1</DOCNO>a</DOC> stray </DOCS>")
    assert warnings_of(remarks(path)) == [("between-records", "1", "a, “stray”")]


def test_web_documents_are_the_pages_that_follow_their_header(file):
    web = "<DOC>\n<DOCNO> W1 </DOCNO>\n<DOCHDR>\nhttp://a.b/\nHTTP/1.1 200 OK\n</DOCHDR>\n<html><title>T &amp; U</title>é</html>\n</DOC>\n"
    nameless = "<DOC>\nW2 </DOCNO>\n<DOCHDR>h</DOCHDR>\n<html></html></DOC>\n"
    path = file("a", web + nameless + web.replace("W1", "W3"))
    page = "<html><title>T &amp; U</title>é</html>".encode()
    assert read(path) == [
        Document("W1", page, "T & U", "html"),
        Document("W3", page, "T & U", "html"),
    ]
    assert warnings_of(remarks(path)) == [("no-id", "1", "a, line 9")]
    assert recognise_document_format(path) == "TRECWEB"


def test_pages_among_trec_documents_are_pages(file):
    web = "<DOC>\n<DOCNO>W1</DOCNO>\n<DOCHDR>h</DOCHDR>\n<b>x</b></DOC>"
    assert read(file("a", TREC + "\n" * 70_000 + web))[3] == Document("W1", b"<b>x</b>", "", "html")


def test_conversion_marks_in_the_text_are_reported(file):
    path = file("a", "<DOC><DOCNO>1</DOCNO><TEXT>\ntitle\n.A\n.W\ntext\n</TEXT></DOC>")
    assert read(path)[0].text == "title\n.A\n.W\ntext"
    assert warnings_of(remarks(path)) == [("smart-marks", "1", "1")]


def test_xml_is_refused(file):
    key, line, what = refused_at(file("a", '<?xml version="1.0"?><a/>'), "format")
    assert (key, line) == ("format-not-read", "1") and "XML" in what


SMART = """.I 1
.T
a  title
of two lines
.A
someone
.W
  first\x20

second.
.W\x20
third
.I 2
.T
only
.I 3
.T
.W
""".replace("\n", "\r\n")


def test_smart_documents_have_id_title_and_text(file):
    path = file("docs.all", SMART)
    assert read(path) == [
        Document("1", b"  first\n\nsecond.\nthird", "a title of two lines"),
        Document("2", b"", "only"),
        Document("3", b""),
    ]
    assert keys_and_values(remarks(path), "first", "named") == [
        ("title-only", "2", ""),
        ("empty-document", "3", ""),
        ("unread-fields", "", ".A"),
    ]


def test_other_smart_letters_can_be_named(file):
    path = file("ohsumed", ".I 1\n.U\n87049087\n.T\nt\n.W\nw\n")
    columns = ColumnMapping((("id", "U"), ("text", "T"), ("title", "W")))
    assert list(read_documents([path], warnings=[], columns=columns)) == [
        Document("87049087", b"t", "w")
    ]


# Ids and texts in columns named by the user


def test_named_columns_override_known_ones(file):
    columns = ColumnMapping((("id", "key"), ("text", "abstract"), ("title", "text")))
    expected = Document("k", b"a", "t")
    for name, content in (
        ("a.jsonl", '{"id": 1, "key": "k", "abstract": "a", "text": "t"}'),
        ("b.json", '[{"id": 1, "key": "k", "abstract": "a", "text": "t"}]'),
        ("c.csv", "id,key,abstract,text\n1,k,a,t\n"),
        ("d.tsv", "ID\tkey\tabstract\ttext\n1\tk\ta\tt\n"),
    ):
        assert list(read_documents([file(name, content)], warnings=[], columns=columns)) == [
            expected
        ], name


def test_columns_can_be_named_by_number_without_a_header(file):
    columns = ColumnMapping((("id", "2"), ("text", "1")))
    for name in ("a.csv", "a.tsv"):
        content = "text one\t1\nb\t2\n".replace("\t", "," if name == "a.csv" else "\t")
        assert list(read_documents([file(name, content)], warnings=[], columns=columns)) == [
            Document("1", b"text one"),
            Document("2", b"b"),
        ]


@pytest.mark.parametrize("name", ["a.csv", "a.tsv"])
def test_a_possible_header_above_columns_given_by_number_is_reported(file, name: str):
    columns = ColumnMapping((("id", "1"), ("text", "2")))
    separator = "," if name == "a.csv" else "\t"
    for first, keys in (("nummer", ["names-as-document"]), ("d0", [])):
        rows = f"{first},inhalt\nd1,a\nd2,b\n".replace(",", separator)
        warnings: list[str] = []
        documents = list(read_documents([file(name, rows)], warnings=warnings, columns=columns))
        assert [each.id for each in documents] == [first, "d1", "d2"]
        assert [key for key, *_ in warnings_of(warnings)] == keys


def test_unrecognised_columns_are_listed_with_the_option_to_map_them(file):
    for sentence in (
        refusal(file("a.csv", "key,story\n1,x\n")),
        refusal(file("a.jsonl", '{"key": 1, "story": "x"}')),
    ):
        assert "key (1), story (x);" in sentence and '"id=key,text=story"' in sentence
    assert '"id=1,text=2"' in refusal(file("a.tsv", "1\t2\t3\t4\t5\n"))
    with pytest.raises(FormatError) as refused:
        list(
            read_documents(
                [file("a.csv", "id,text\n1,x\n")],
                warnings=[],
                columns=ColumnMapping((("id", "docno"),)),
            )
        )
    values = refused.value.values
    assert (refused.value.key, values["part"], values["names"]) == ("no-column", "id", "docno")
    assert "id (1), text (x)" in values["columns"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "id,text,id\n1,a,2\n"),
        ("a.csv", "ID,text,id\n1,a,2\n"),
        ("a.tsv", "id\ttext\tid\n1\ta\t2\n"),
    ],
)
def test_a_repeated_id_column_must_be_chosen_by_number(file, name: str, content: str):
    path = file(name, content)
    message = refusal(path)
    assert message.key == "same-column"
    assert '"id=1,text=2" or "id=3,text=2"' in message.all_values["choice"]
    columns = ColumnMapping((("id", "3"), ("text", "2")))
    assert list(read_documents([path], warnings=[], columns=columns)) == [Document("2", b"a")]


def test_a_repeated_column_that_is_not_needed_is_no_error(file):
    assert read(file("a.csv", "id,text,note,note\n1,a,x,y\n"))[0].id == "1"


@pytest.mark.parametrize("header", ["pid\tpassage_text", "docno\tdoctext", "ID\ttext"])
def test_the_column_beside_the_id_is_the_text(file, header: str):
    assert read(file("a.tsv", f"{header}\n1\thello\n")) == [Document("1", b"hello")]


def test_an_id_column_with_several_unknown_columns_is_a_header(file):
    message = refusal(file("a.tsv", "docno\tlang\tdoctext\n1\ten\thello\n"))
    assert (message.key, message.all_values["part"]) == ("no-column", "text")


def test_an_empty_field_does_not_hide_another_name_of_the_same_part(file):
    path = file(
        "a.jsonl",
        '{"id": null, "docno": "d1", "text": "", "body": "real"}\n'
        '{"id": "d2", "docno": "x", "text": "", "body": null}\n',
    )
    first, second = read(path)
    assert (first.id, first.text, first.fields) == ("d1", "real", ())
    assert (second.id, second.text) == ("d2", "")


def test_quotation_marks_of_tab_separated_cells_are_removed_if_they_quote_cells(file):
    path = file("a.tsv", 'id\ttext\n1\t"He said ""hi"""\n2\t"two\nlines"\n3\tplain\n')
    assert [document.text for document in read(path)] == ['He said "hi"', "two\nlines", "plain"]
    path = file("a.tsv", '"id"\t"text"\n"1"\t"a"\n')
    assert read(path) == [Document("1", b"a")]


@pytest.mark.parametrize("text", ['"a" title', '"Hamlet"', '"a', 'b"', '5" disk'])
def test_other_quotation_marks_of_tab_separated_cells_are_text(file, text: str):
    path = file("a.tsv", f"id\ttext\n1\t{text}\n2\tother\n")
    assert [document.text for document in read(path)] == [text, "other"]


def test_other_fields_called_kind_and_base64_are_fields(file):
    path = file(
        "a.jsonl",
        '{"id": "1", "text": "x", "kind": "book", "base64": "no!", "price": 3}\n'
        '{"id": "2", "name": "Shoe", "kind": ["a"], "price": 3}\n',
    )
    first, second = read(path)
    assert (first.kind, first.fields) == (
        "text",
        (("kind", "book"), ("base64", "no!"), ("price", "3")),
    )
    assert second.fields == (("kind", "a"), ("price", "3"))


def test_quoted_csv_is_read(file):
    path = file(
        "a.csv",
        '\ufeff"id","title","text"\r\n1,t,"a ""quoted"", text\r\nof two lines"\r\n\r\n2,,"<p>"\r\n',
    )
    assert read(path) == [
        Document("1", b'a "quoted", text\nof two lines', "t"),
        Document("2", b"<p>"),
    ]
    assert read(file("a.csv", "id;text\n1;a, b\n")) == [Document("1", b"a, b")]
    assert read(file("no-ending", "docno,abstract\n1,a b\n")) == [Document("1", b"a b")]
    assert recognise_document_format(path) == "CSV"


def test_an_invalid_csv_row_is_refused_with_its_line(file):
    long = refused_at(file("a.csv", 'id,text\n1,"a\nb"\n2,b,c\n'), "cells", "count", "names")
    assert long == ("column-count", "4", "3", "2", "id, text")
    assert refused_at(file("a.csv", 'id,text\n1,"a\n2,b\n')) == ("not-csv", "2")


def test_a_long_cell_is_read(file):
    assert len(read(file("a.csv", "id,text\n1," + "x" * 300_000))[0].body) == 300_000


def test_a_json_object_may_span_several_lines(file):
    one = '{\n  "id": 1,\n  "text": "a"\n}\n'
    assert read(file("a.json", one)) == [Document("1", b"a")]
    assert read(file("a.json", one + one.replace("1", "2"))) == [
        Document("1", b"a"),
        Document("2", b"a"),
    ]
    assert refused_at(file("a.json", one + "{\n")) == ("not-json", "6")


def test_a_kind_other_than_html_markdown_or_an_image_is_plain_text(file):
    assert read(file("a.jsonl", '{"id": 1, "kind": "html", "text": "<b>"}')) == [
        Document("1", b"<b>", "", "html")
    ]
    assert read(file("a.jsonl", '{"id": 1, "kind": "news", "text": "a"}')) == [
        Document("1", b"a", fields=(("kind", "news"),))
    ]
    assert read(file("a.jsonl", '{"id": 1, "kind": "image", "text": "a"}')) == [Document("1", b"a")]
    refused = refused_at(file("a.jsonl", '{"id": 1, "base64": "?"}'), "field")
    assert refused == ("not-base64", "1", "base64")


# Selected documents, BEIR


def test_only_requested_documents_are_read_and_missing_ones_reported(file):
    path = file("a.jsonl", "\n".join(f'{{"id": {number}, "text": ""}}' for number in range(9)))
    messages: list[str] = []
    assert [
        each.id for each in read_documents([path], warnings=messages, wanted={"7", "3", "x"})
    ] == [
        "3",
        "7",
    ]
    assert warnings_of(messages) == [("empty-document", "2", "3"), ("not-found", "1", "x")]
    assert list(read_documents([path], warnings=[], wanted=frozenset())) == []


def test_requested_files_are_selected_by_name_before_reading(file, tmp_path, monkeypatch):
    for name in ("docs/a.txt", "docs/b.txt", "docs/c/a.txt"):
        file(name, name)
    opened = []
    monkeypatch.setattr(
        "irjudge.formats.collections.whole_files.read_limited",
        lambda stream, where: opened.append(where.name) or stream.read(),
    )
    assert [
        each.text for each in read_documents([tmp_path / "docs"], warnings=[], wanted={"b"})
    ] == ["docs/b.txt"]
    assert opened == ["b.txt"]


def test_the_corpus_of_a_beir_folder_is_read(file, tmp_path):
    file("beir/corpus.jsonl", '{"_id": "d", "title": "t", "text": "x", "metadata": {}}')
    file("beir/queries.jsonl", '{"_id": "q", "text": "x"}')
    file("beir/qrels/test.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n")
    file("beir/README.md", "# x")
    assert read(tmp_path / "beir") == [Document("d", b"x", "t")]
    assert [each.id for each in read(tmp_path)] == ["README", "d"]  # the parent folder
    warnings = warnings_of(remarks(tmp_path))
    assert warnings[0] == ("not-documents", "2", "beir/qrels/test.tsv")


# Ids, empty documents, several paths


def test_duplicate_ids_keep_the_first_over_all_paths(file):
    one, two = file("a.tsv", "1\ta\n2\tb\n"), file("b.tsv", "2\tc\n3\td\n2\te\n")
    assert [document.text for document in read(one, two)] == ["a", "b", "d"]
    assert keys_and_values(remarks(one, two), "count", "id", "entry") == [
        ("same-document", "2", "2", "b.tsv")
    ]


def test_empty_documents_are_kept_and_counted(file):
    path = file(
        "a.jsonl",
        '{"id": 1, "text": ""}\n{"id": 2, "text": null}\n{"id": 3, "text": " \\n"}\n{"id": 4, "text": "x"}',
    )
    assert len(read(path)) == 4
    assert warnings_of(remarks(path)) == [("empty-document", "3", "1")]


def test_ids_that_trec_files_cannot_contain_are_reported(file):
    assert warnings_of(remarks(file("a.tsv", "two words\tx\n"))) == [
        ("blank-in-id", "1", "two words")
    ]


def test_an_empty_or_invalid_id_is_refused(file):
    assert refused_at(file("a.tsv", "1\ta\n \tb\n")) == ("empty-id", "2")
    long = refused_at(file("a.tsv", "x" * 5000 + "\ta\n"), "length", "limit")
    assert long == ("long-id", "1", "5,000", "1,000")


def test_warnings_are_available_if_reading_stops_early(file):
    messages: list[str] = []
    documents = read_documents([file("a.tsv", "1\t \n2\tb\n")], warnings=messages)
    next(documents)
    next(documents)
    documents.close()
    assert warnings_of(messages) == [("empty-document", "1", "1")]


def test_utf8_with_invalid_bytes_is_refused_with_their_line(file):
    good = "é" * 30
    path = file("a.tsv", f"1\t{good}\n2\t".encode() + b"\xe9\n")
    assert refused_at(path, "column", "raw") == ("not-utf8", "2", "3", "e9")
    assert "--encoding" in refusal(path)
    trec = f"<DOC>\n<DOCNO>1</DOCNO>{good}\na".encode() + b"\xe9</DOC>"
    assert refused_at(file("trec", trec), "column", "raw") == ("not-utf8", "3", "2", "e9")
    messages: list[str] = []
    assert [
        each.text[-2:]
        for each in read_documents([file("trec", trec)], warnings=messages, encoding="utf-8")
    ] == ["a\ufffd"]
    assert keys_and_values(messages, "encoding", "first") == [("broken-bytes", "UTF-8", "trec")]


def test_an_endless_record_does_not_fill_the_memory(file, monkeypatch):
    monkeypatch.setattr(utf8, "MAX_LINE_BYTES", 1000)
    monkeypatch.setattr("irjudge.formats.collections.sgml.CHUNK_BYTES", 1000)
    assert refusal(file("a.tsv", "1\t" + "x" * 2000)).key == "long-line"
    assert refusal(file("a", "<DOC><DOCNO>1</DOCNO>" + "x" * 5000)).key == "no-end"


# Auxiliary data


def test_the_format_is_described(file, tmp_path):
    packed = recognise_document_format(file("a.jsonl.gz", gzip.compress(b'{"id": 1, "text": ""}')))
    assert packed.startswith("JSON lines") and "gzip" in packed
    assert recognise_document_format(file("a", "1\ta\n")) == "TSV"
    file("docs/a.md", "a")
    assert recognise_document_format(tmp_path / "docs") == "Markdown in a folder"
    with pytest.raises(FormatError, match="XML"):
        recognise_document_format(file("a.xml", "<?xml version='1.0'?><a/>"))


def test_a_preview_reads_only_what_it_shows(file):
    path = file("a.jsonl", '{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}\nbroken')
    assert [document.id for document in preview_documents([path], 2)] == ["1", "2"]
    with pytest.raises(FormatError):
        preview_documents([path])


def test_reading_can_be_cancelled(file):
    path = file("a.tsv", "".join(f"{number}\ta\n" for number in range(1000)))
    seen: list[int] = []
    progress = Progress(lambda done, total, what: seen.append(done), lambda: len(seen) == 2)
    with pytest.raises(Cancelled):
        list(read_documents([path], progress, warnings=[]))
    assert seen == [256, 512]


@pytest.mark.slow
def test_documents_stream_in_constant_memory(file):
    path = file(
        "a.jsonl",
        "".join(json.dumps({"id": number, "text": "x" * 10_000}) + "\n" for number in range(3000)),
    )
    tracemalloc.start()
    total = sum(len(document.body) for document in read_documents([path], warnings=[]))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (total, peak < 3_000_000) == (30_000_000, True)


@pytest.mark.parametrize("wanted", [{"b/index.txt"}, {"index", "b/index.txt"}, {"index"}])
def test_the_id_of_a_file_does_not_depend_on_the_wanted_documents(
    tmp_path: Path, wanted: set[str]
) -> None:
    for folder in ("a", "b"):
        (tmp_path / "docs" / folder).mkdir(parents=True)
        (tmp_path / "docs" / folder / "index.txt").write_text(f"In {folder}")
    texts = {"index": "In a", "b/index.txt": "In b"}
    documents = read_documents([tmp_path / "docs"], warnings=[], wanted=wanted)
    assert {each.id: each.text for each in documents} == {id: texts[id] for id in wanted}


def test_an_empty_field_does_not_hide_a_field_of_the_same_part(file):
    record = '{"id": null, "docno": "d1", "text": null, "body": "real"}'
    assert read(file("a.jsonl", record)) == [Document("d1", b"real")]


@pytest.mark.parametrize("header", ["id,text,id", "ID,text,id", "id,text,text"])
def test_a_repeated_column_of_a_part_is_refused(file, header):
    path = file("a.csv", f"{header}\n1,a,2\n")
    refused = refused_at(path, "name", "count")
    assert refused == ("same-column", "1", header.split(",")[2], "2")
    columns = ColumnMapping((("id", "1"), ("text", "2")))
    assert list(read_documents([path], warnings=[], columns=columns)) == [Document("1", b"a")]


@pytest.mark.parametrize("header", ["pid\tpassage_text", "docno\tdoctext"])
def test_a_header_of_which_only_the_id_is_known_is_not_a_document(file, header):
    row = "\t".join(["1", *"ab"][: header.count("\t") + 1])
    assert [document.id for document in read(file("a.tsv", f"{header}\n{row}\n"))] == ["1"]


def test_cells_that_a_program_quoted_are_unquoted(file):
    text = '1\t"He said ""hi"""\n2\t"To be, or not to be"\n3\t"Tea" and "milk"\n'
    assert [document.text for document in read(file("a.tsv", text))] == [
        'He said "hi"',
        '"To be, or not to be"',
        '"Tea" and "milk"',
    ]


@pytest.mark.parametrize(
    "record",
    [
        {"id": "1", "title": "t", "text": "b", "sentences": [{"text": "a"}, {"text": "b"}]},
        {"id": "1", "title": "t", "text": "b", "response": [{"text": "x"}]},
        {"id": "1", "title": "t", "text": "b", "contents": [{"heading": "h", "body": "b"}]},
    ],
)
def test_documents_with_lists_of_objects_keep_their_ids_and_texts(file, record):
    (document,) = read(file("a.jsonl", json.dumps(record) + "\n"))
    assert (document.id, document.title, document.text, document.kind) == ("1", "t", "b", "text")


def test_a_list_of_objects_with_texts_can_be_mapped_to_the_text(file):
    path = file("a.jsonl", '{"id": "1", "sentences": [{"text": "a"}, {"text": "b"}]}')
    assert refusal(path).key == "no-part"
    columns = ColumnMapping((("text", "sentences"),))
    assert list(read_documents([path], warnings=[], columns=columns)) == [Document("1", b"a\nb")]

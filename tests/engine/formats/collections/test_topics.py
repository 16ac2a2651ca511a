"""Tests of topics in the dialects of TREC's SGML, as tab-separated lines, and as JSON."""

import gzip
import tarfile
import tempfile
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats.collections import read_topics, write_topics
from irjudge.formats.collections import topics as topics_module
from irjudge.formats.collections.topics import TopicFile
from irjudge.formats.rows import parse_columns
from irjudge.model import Topic
from tests.messages import keys_and_values, warnings_of


@pytest.fixture
def read(tmp_path: Path):
    def read(content: str | bytes) -> TopicFile:
        path = tmp_path / "topics.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_topics(path)

    return read


@pytest.fixture
def read_error(read):
    def refused(content: str | bytes) -> FormatError:
        with pytest.raises(FormatError) as caught:
            read(content)
        return caught.value

    return refused


OPEN = """<top>

<num> Number: 401
<title> foreign minorities, Germany

<desc> Description:
What language and cultural differences
impede the integration?

<narr> Narrative:
A relevant document will focus
on the causes.

Others are not relevant.

</top>
"""


def test_unclosed_tags_are_read_without_their_prefixes(read):
    narrative = "A relevant document will focus on the causes.\n\nOthers are not relevant."
    topic = Topic(
        "401",
        "foreign minorities, Germany",
        "What language and cultural differences impede the integration?",
        narrative,
    )
    assert read(OPEN) == TopicFile((topic,), "TREC SGML", ())


def test_windows_line_ends_change_nothing(read):
    assert read(OPEN.replace("\n", "\r\n")) == read(OPEN)


def test_a_byte_order_mark_changes_nothing(read):
    assert read("\ufeff" + OPEN) == read(OPEN)
    assert read("\ufeff1\tone\n").topics[0].id == "1"


def test_tags_in_capitals_are_the_same_tags(read):
    content = "<TOP><NUM>7</NUM><TITLE>seven</TITLE></TOP>"
    assert read(content).topics == (Topic("7", "seven"),)


def test_ids_stay_text(read):
    assert read("<top>\n<num> Number:  051 \n<title> Topic:  Airbus\n</top>").topics == (
        Topic("051", "Airbus"),
    )


def test_a_word_of_another_field_is_not_a_prefix(read):
    assert (
        read("<top><num>1</num><title>Narrative: a film</title></top>").topics[0].title
        == "Narrative: a film"
    )


def test_closed_tags_have_their_entities_replaced_and_unclosed_ones_not(read):
    assert (
        read("<top lang='hi'><num>1</num><title>R&amp;D &lt;5</title></top>").topics[0].title
        == "R&D <5"
    )
    assert read("<top>\n<num> 1\n<title> R&amp;D\n</top>").topics[0].title == "R&amp;D"


def test_a_top_element_without_end_tag_ends_at_the_next(read):
    content = "<top>\n<num> 1\n<title> one\n<top>\n<num> 2\n<title> two\n"
    assert read(content).topics == (Topic("1", "one"), Topic("2", "two"))


def test_unread_fields_are_reported_and_left_out_of_the_text(read):
    file = read(
        "<top>\n<num> 1\n<title> one\n<dom> Domain: x\n<desc> Description:\nabout one\n<con> Concepts\n</top>"
    )
    assert file.topics == (Topic("1", "one", "about one"),)
    assert keys_and_values(file.warnings, "named") == [("unread-fields", "dom, con")]


def test_a_tag_inside_a_text_is_dropped_and_its_text_kept(read):
    file = read(
        "<top>\n<num> 1\n<title> H<sub>2</sub>O is a < b\n<narr>\n<p>The <person>Curies</person> count.\n</top>"
    )
    assert file.topics == (Topic("1", "H2O is a < b", "", "The Curies count."),)


def test_the_first_of_two_titles_is_kept_with_a_warning(read):
    file = read("<top>\n<num> 1\n<title> one\n<title> uno\n</top>")
    assert file.topics[0].title == "one"
    assert keys_and_values(file.warnings, "named") == [("unread-fields", "title")]


def test_titles_marked_by_language_are_titles(read):
    assert read("<top>\n<num> C041 </num>\n<EN-title> Pesticides </EN-title>\n</top>").topics == (
        Topic("C041", "Pesticides"),
    )


def test_comments_are_left_out(read):
    assert read(
        "<!-- of 1999 -->\n<top><num>1</num><title>one <!-- two --></title></top>"
    ).topics == (Topic("1", "one"),)


def test_documents_are_topics_whose_text_is_the_title(read):
    content = "<DOC>\n<DOCNO> 1 </DOCNO>\n\n What articles\ndeal with TSS?\n\n</DOC>\n<DOC>\n<DOCNO> 2 </DOCNO>\n Prieve\n</DOC>\n"
    file = read(content)
    assert file.topics == (Topic("1", "What articles deal with TSS?"), Topic("2", "Prieve"))
    assert file.format_name == "TREC documents as topics"


def test_a_topic_without_number_is_refused_with_its_line(read_error):
    error = read_error("<top>\n<num> 1\n<title> one\n</top>\n\n<top>\n<title> two\n</top>")
    assert (error.path.name, error.line, error.key) == ("topics.txt", 6, "no-number")


def test_tab_separated_lines_are_an_id_and_a_query(read):
    file = read('301-AH\tLes Drogues "Dures"\r\n\r\n7\t two  words \r\n')
    assert file == TopicFile(
        (Topic("301-AH", 'Les Drogues "Dures"'), Topic("7", "two words")), "TSV", ()
    )


def test_a_first_line_may_name_the_columns(read):
    file = read("qid\tlang\tquery\tnarrative\n5\ten\tfive\tall of them\n")
    assert file.topics == (Topic("5", "five", "", "all of them"),)
    assert keys_and_values(file.warnings, "named") == [("unread-fields", "lang")]


def test_a_line_without_tab_is_refused_with_its_number(read_error):
    content = "".join(f"{number}\ta query of some length\n" for number in range(5000)) + "oops\n"
    error = read_error(content)
    assert (error.key, error.line) == ("column-count", 5001)
    assert (error.values["cells"], error.values["count"]) == ("1", "2")


def test_tabbed_qrels_are_not_topics(read_error):
    error = read_error("1\t0\td1\t1\n1\t0\td2\t0\n")
    assert (error.key, error.values["columns"]) == ("column-count", "4")


@pytest.mark.parametrize("name", ["id", "_id", "qid", "query_id", "topic_id", "number"])
def test_json_names_an_id_in_many_ways(read, name):
    assert read(f'{{"{name}": "051", "title": "Airbus"}}').topics == (Topic("051", "Airbus"),)


@pytest.mark.parametrize("name", ["title", "text", "query", "question"])
def test_json_names_a_title_in_many_ways(read, name):
    file = read(f'{{"id": 7, "{name}": "a  query", "description": "d", "narrative": "n\\n\\nm"}}')
    assert file == TopicFile((Topic("7", "a query", "d", "n\n\nm"),), "JSON lines", ())


def test_repeated_texts_are_stored_once(read):
    assert read('{"id": 1, "question": "What?"}').topics == (Topic("1", "What?"),)


def test_a_question_with_a_query_is_the_description(read):
    file = read('[{"question_id": "EQ1",\n "question": "What?", "query": "what"}]')
    assert file == TopicFile((Topic("EQ1", "what", "What?"),), "JSON list", ())


def test_numeric_ids_stay_as_written(read):
    topics = read('{"id": 12345678901234567890, "text": "a"}\n{"id": 1.10, "text": "b"}').topics
    assert [topic.id for topic in topics] == ["12345678901234567890", "1.10"]


def test_json_without_id_or_text_is_refused_with_its_line(read_error):
    error = read_error('{"id": 1, "text": "a"}\n{"text": "b"}')
    assert (error.key, error.line) == ("no-id", 2) and error.values["names"].startswith("id,")
    error = read_error('{"id": 1}')
    assert (error.key, error.line) == ("no-text", 1)
    assert error.values["names"].startswith("title,")
    error = read_error('{"id": 1, "text": true}')
    assert (error.key, error.values["name"]) == ("not-text", "text")
    assert "true" in error.values["kind"]


def test_duplicate_ids_keep_the_first_and_are_counted(read):
    file = read("1\tone\n2\ttwo\n1\tuno\n1\tun\n")
    assert [topic.title for topic in file.topics] == ["one", "two"]
    assert warnings_of(file.warnings) == [("same-topic", "2", "1")]


def test_topics_without_title_are_kept_with_a_warning(read):
    file = read("<top>\n<num> 1\n<desc> Description: about one\n</top>")
    assert file.topics == (Topic("1", "", "about one"),)
    assert warnings_of(file.warnings) == [("no-title", "1", "1")]


def test_gzip_is_unpacked(read):
    assert read(gzip.compress(OPEN.encode())) == read(OPEN)


def test_free_text_is_refused_with_its_beginning(read_error):
    error = read_error("Dear reader,\nthis is\n")
    assert (error.key, error.line) == ("unknown-format", 1)
    assert error.values["beginning"].startswith("Dear reader,")


@pytest.mark.parametrize("content", ["", " \n\n", "\ufeff\n"])
def test_an_empty_file_is_refused(read_error, content):
    error = read_error(content)
    assert (error.key, error.path.name) == ("empty-file", "topics.txt")


def test_text_that_is_not_utf8_is_read_and_its_encoding_reported(read):
    file = read("1\tone\n2\tcaf\u00e9\n".encode("cp1252"))
    assert file.topics[1] == Topic("2", "caf\u00e9")
    assert keys_and_values(file.warnings, "first", "encoding", "how") == [
        ("read-as", "topics.txt", "cp1252", "detected")
    ]
    assert read("1\tone\n".encode("utf-16")).topics == (Topic("1", "one"),)


def test_an_encoding_can_be_named(tmp_path):
    path = tmp_path / "topics.tsv"
    path.write_bytes("1\t\u5929\u6c14\n".encode("gb18030"))
    assert read_topics(path, encoding="gbk").topics == (Topic("1", "\u5929\u6c14"),)
    with pytest.raises(IrjudgeError) as refused:
        read_topics(path, encoding="klingon")
    assert (refused.value.key, refused.value.values["name"]) == ("unknown-encoding", "klingon")


def test_a_folder_and_an_archive_are_not_topics(tmp_path):
    with pytest.raises(FormatError) as refused:
        read_topics(tmp_path)
    assert refused.value.key == "folder-without-queries"
    assert refused.value.values["file"] == "queries.jsonl"
    with tarfile.open(tmp_path / "a.tgz", "w:gz") as archive:
        archive.add(__file__, "a.txt")
    with pytest.raises(FormatError) as refused:
        read_topics(tmp_path / "a.tgz")
    assert refused.value.key == "archive"


def test_a_missing_file_gives_an_error(tmp_path):
    with pytest.raises(FormatError, match=r"none\.tsv"):
        read_topics(tmp_path / "none.tsv")


def test_tables_with_a_header_are_topics(read):
    file = read('narrative;qid;query;who\n"one;\ntwo";051;"a ""b"" c";me\n')
    assert file == TopicFile(
        (Topic("051", 'a "b" c', "", "one; two"),), "CSV", ("Ignored fields: who.",)
    )
    assert read("id,title\n1,one\n").format_name == "CSV"


def test_topics_are_read_from_a_spreadsheet(tmp_path):
    book = openpyxl.Workbook()
    for row in (["number", "title", "description"], [51, "one", None], ["052", "two", "more"]):
        book.active.append(row)
    book.save(tmp_path / "topics.xlsx")
    file = read_topics(tmp_path / "topics.xlsx")
    assert file == TopicFile((Topic("51", "one"), Topic("052", "two", "more")), "spreadsheet", ())


def test_columns_can_be_mapped_by_name_and_by_number(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("key,words,lang\n7,seven seas,en\n")
    with pytest.raises(
        FormatError, match="found “key,words,lang 7,seven seas,en”; expected TREC topics"
    ):
        read_topics(path)
    for message in ("id=key,title=words", "id=1,title=2"):
        topics = read_topics(path, columns=parse_columns(message, ("id", "title"))).topics
        assert topics[-1] == Topic("7", "seven seas")
    with pytest.raises(
        Undecided,
        match=r"no id; .*words \(seven seas\).*\"id=key,title=words\"",
    ):
        read_topics(path, columns=parse_columns("title=words", ("id", "title")))


def test_queries_of_a_beir_folder_are_read(tmp_path):
    (tmp_path / "corpus.jsonl").write_text('{"_id": "d1", "text": "x"}\n')
    (tmp_path / "queries.jsonl").write_text(
        '{"_id": "PLAIN-1", "text": "why", "metadata": {"url": "x"}}\n'
    )
    assert read_topics(tmp_path).topics == (Topic("PLAIN-1", "why"),)


def test_too_many_topics_are_refused(read_error, monkeypatch):
    monkeypatch.setattr(topics_module, "MAX_TOPICS", 2)
    error = read_error("1\ta\n2\tb\n2\tb\n")
    assert (error.key, error.values["limit"]) == ("too-many-topics", "2")


def test_an_equal_title_of_all_topics_gives_a_warning(read):
    same = read("1\tempty\n2\tempty\n").warnings
    assert keys_and_values(same, "title") == [("one-title", "empty")]
    assert read("1\tempty\n").warnings == ()
    (message,) = read(f"1\t{'tea ' * 400}\n2\t{'tea ' * 400}\n").warnings
    assert len(message) < 120 and message.values["title"].endswith("tea …")


WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).map(
    lambda text: " ".join(text.split())
)
IDS = WORDS.filter(bool).filter(lambda name: "\0" not in name)
PARAGRAPHS = st.lists(WORDS.filter(bool), max_size=3).map("\n\n".join)


@given(
    st.lists(
        st.builds(Topic, IDS, WORDS, PARAGRAPHS, PARAGRAPHS),
        min_size=1,
        max_size=5,
        unique_by=lambda topic: topic.id,
    )
)
def test_written_topics_are_read_back_equal(topics):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "topics.jsonl"
        assert write_topics(path, topics) == len(topics)
        assert read_topics(path).topics == tuple(topics)


def microblog(tag: str) -> str:
    return f"<top>\n<num> Number: MB051 </num>\n<{tag}> British visit </{tag}>\n<querytime> Tue Feb 01 </querytime>\n</top>\n"


@pytest.mark.parametrize("tag", ["query", "content"])
def test_a_query_in_a_top_element_is_the_title(read, tag):
    assert read(microblog(tag)).topics == (Topic("MB051", "British visit"),)


def test_a_title_wins_over_a_query_before_it(read):
    file = read("<top>\n<num> 1 </num>\n<query> q </query>\n<title> t </title>\n</top>")
    assert file.topics == (Topic("1", "t"),)
    assert keys_and_values(file.warnings, "named") == [("unread-fields", "query")]


def test_only_a_language_may_precede_a_tag(read):
    file = read(
        "<top>\n<num> 1 </num>\n<C-title> c </C-title>\n<sub-title> s </sub-title>\n<topic-narr> n </topic-narr>\n</top>"
    )
    assert file.topics == (Topic("1", "c"),)
    assert keys_and_values(file.warnings, "named") == [("unread-fields", "sub-title, topic-narr")]


def test_a_sub_title_is_not_a_title(read):
    assert read(
        "<top>\n<num> 1 </num>\n<sub-title> s </sub-title>\n<desc> d </desc>\n</top>"
    ).topics == (Topic("1", "", "d"),)


def test_text_below_a_bare_number_is_the_title(read):
    file = read("<top>\n<num> Number: 136\n\nChildren with\ndental caries\n\n</top>")
    assert (file.topics, file.warnings) == ((Topic("136", "Children with dental caries"),), ())


def test_topics_without_text_give_a_warning_with_the_unread_tags(read):
    warnings = read(microblog("words")).warnings
    assert keys_and_values(warnings, "first", "unread")[0] == (
        "no-text",
        "MB051",
        "words, querytime",
    )
    assert "--columns" in warnings[0]
    two = (
        microblog("words")
        + microblog("words").replace("051", "052")
        + microblog("title").replace("051", "053")
    )
    warnings = read(two).warnings
    assert keys_and_values(warnings, "count", "first", "unread")[0] == (
        "no-text",
        "2",
        "MB051",
        "words, querytime",
    )
    assert "--columns" in warnings[0]


@pytest.mark.parametrize(
    "content",
    [
        microblog("words").replace("querytime", "more"),
        "<topics><topic number='MB051'><words>British visit</words><more>Tue Feb 01</more></topic></topics>",
        '{"id": "MB051", "words": "British visit", "more": "Tue Feb 01"}\n',
        '[{"id": "MB051", "words": "British visit", "more": "Tue Feb 01"}]',
    ],
    ids=["SGML", "XML", "JSON lines", "JSON list"],
)
def test_tags_and_fields_can_be_mapped_like_columns(tmp_path, content):
    path = tmp_path / "t"
    path.write_text(content)
    mapping = parse_columns("title=Words, narrative=more", ("id", "title", "narrative"))
    assert read_topics(path, columns=mapping).topics == (
        Topic("MB051", "British visit", "", "Tue Feb 01"),
    )
    with pytest.raises(Undecided) as refused:
        read_topics(path, columns=parse_columns("title=nowhere", ("id", "title")))
    mapping = str(refused.value)
    assert refused.value.options == ("columns",) and "nowhere" in mapping
    assert all(
        each in mapping for each in ("words (British visit)", "more (Tue Feb 01)", "title=words")
    )


def test_a_mapped_tag_is_used_for_nothing_else(tmp_path):
    path = tmp_path / "t"
    path.write_text("<top>\n<num> 7 </num>\n<title> a </title>\n<narr> b </narr>\n</top>")
    assert read_topics(path, columns=parse_columns("title=narr", ("title",))).topics == (
        Topic("7", "b"),
    )


@pytest.mark.parametrize(
    ("text", "key"),
    [("id,query\n1,\n2,x\n", "empty-topic"), ("id,query,hint\n1,,a\n2,x,b\n", "no-text")],
)
def test_ignored_fields_of_an_empty_topic_are_named_only_if_there_are_any(
    tmp_path: Path, text: str, key: str
) -> None:
    (tmp_path / "t.csv").write_text(text)
    messages = [each.key for each in read_topics(tmp_path / "t.csv").warnings]
    assert [each for each in messages if each in ("empty-topic", "no-text")] == [key]

"""Tests of topics in the XML formats of several tracks, and of invalid files."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_topics
from irjudge.formats.collections.topics import TopicFile
from irjudge.model import Topic
from tests.messages import keys_and_values


@pytest.fixture
def read(tmp_path: Path):
    def read(content: str | bytes) -> TopicFile:
        path = tmp_path / "topics.xml"
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


COVID = """<topics task="x">
  <topic number="01">
    <query>coronavirus  origin</query>
    <question>what is the origin</question>
    <narrative>seeking <b>range</b> of information &amp; more</narrative>
  </topic>
</topics>"""

WEB = """<?xml version="1.0"?>
<!DOCTYPE webtrack2010 [
  <!ELEMENT webtrack2010 (topic)*>
  <!ATTLIST topic number CDATA #REQUIRED type (faceted|other) "other">
]>
<webtrack2010>
<!-- <topic number="50"/> -->
<topic number="51" type="faceted">
  <query>horse hooves</query>
  <description> Find information. </description>
  <subtopic number="1" type="inf"> How to care
     for them. </subtopic>
  <subtopic number="2" type="nav"> Pictures. </subtopic>
</topic>
</webtrack2010>"""

SESSIONS = """<sessiontrack>
<session num="3" starttime="x">
  <topic num="17"><title>peace corps</title><desc>Find out about it.</desc><narr>All of it counts.</narr></topic>
  <interaction num="1"><query>peace corp</query></interaction>
  <currentquery><query>peace corps salary</query></currentquery>
</session>
</sessiontrack>"""


def test_fields_are_elements_and_the_number_an_attribute(read):
    topic = Topic(
        "01", "coronavirus origin", "what is the origin", "seeking range of information & more"
    )
    assert read(COVID) == TopicFile((topic,), "XML", ())


@pytest.mark.parametrize(
    "content",
    [
        COVID.replace("\n", "\r\n"),
        "\ufeff" + COVID,
        COVID.encode("utf-16"),
        COVID.replace("topic", "TOPIC"),
    ],
)
def test_line_ends_byte_order_marks_and_capitals_change_no_topic(read, content):
    assert read(content).topics == read(COVID).topics


def test_a_declared_encoding_is_used_and_reported(read):
    file = read(
        "<?xml version='1.0' encoding='iso-8859-15'?><q><topic id='1'><title>5 \u20ac</title></topic></q>".encode(
            "iso-8859-15"
        )
    )
    assert file.topics == (Topic("1", "5 \u20ac"),)
    assert "iso8859-15" in file.warnings[0]


def test_a_dtd_is_ignored_and_subtopics_are_paragraphs_of_the_narrative(read):
    narrative = "Subtopic 1 (inf): How to care for them.\n\nSubtopic 2 (nav): Pictures."
    assert read(WEB).topics == (Topic("51", "horse hooves", "Find information.", narrative),)
    assert (
        read(WEB.replace("<query>", "<narr>Any.</narr><query>"))
        .topics[0]
        .narrative.startswith("Any.\n\nSubtopic 1")
    )


def test_a_session_has_its_current_query_and_the_need_of_its_topic(read):
    file = read(SESSIONS)
    assert file.topics == (
        Topic("3", "peace corps salary", "Find out about it.", "All of it counts."),
    )
    assert keys_and_values(file.warnings, "named") == [("unread-fields", "starttime, interaction")]


def test_a_topic_without_elements_is_its_text(read):
    assert read('<t><topic number="1">A 58-year-old\nwoman</topic></t>').topics == (
        Topic("1", "A 58-year-old woman"),
    )


def test_namespaces_and_number_elements_are_recognised(read):
    assert read('<t xmlns="urn:x"><topic><num>7</num><title>a</title></topic></t>').topics == (
        Topic("7", "a"),
    )


@pytest.mark.parametrize(
    ("content", "key", "line", "value"),
    [
        ("<t>\n<topic><title>a</title></topic></t>", "no-id", 2, "id,"),
        (
            '<t>\n<topic number="1"/><topic number="2"><type>a</type></topic></t>',
            "no-text",
            2,
            "title,",
        ),
        ("<html><body>x</body></html>", "no-topic", None, "topics.xml"),
        ("<t><topic number='1'>\n</t>", "not-well-formed", 2, "mismatched tag"),
        ("<t><topic number='1'>&nbsp;</topic></t>", "not-well-formed", 1, "undefined entity"),
        (
            '<!DOCTYPE t [\n<!ENTITY a "aaaa">\n<!ENTITY b "&a;&a;">]><t><topic id="1">&b;</topic></t>',
            "entities",
            2,
            "",
        ),
        (
            '<!DOCTYPE t [<!ENTITY a SYSTEM "file:///etc/passwd">]><t><topic id="1">&a;</topic></t>',
            "entities",
            1,
            "",
        ),
        (
            '<!DOCTYPE t [<!ENTITY % a SYSTEM "http://x/y">%a;]><t><topic id="1">b</topic></t>',
            "entities",
            1,
            "",
        ),
        (
            "<t><topic id='1'>" + "<a>" * 100_000,
            "large-topic",
            1,
            "20",
        ),
        (
            "<t><topic id='1'>" + "<a>" * 20 + "x" + "</a>" * 20 + "</topic></t>",
            "large-topic",
            1,
            "20",
        ),
        ("<t><topic id='1'>" + "<a/>" * 100_000, "large-topic", 1, "10,000"),
        ("<t>" + "<a>" * 100_000, "deep-elements", 1, "100"),
        ("<t>" + "<a>" * 99 + "</a>" * 99, "not-well-formed", 1, ""),
        ("<t>" + "<a></a>" * 1000 + "</t>", "no-topic", None, ""),
        ('<!DOCTYPE t SYSTEM "topics.dtd"><t/>', "no-topic", None, ""),
    ],
)
def test_errors_are_named_with_their_line(read_error, content, key, line, value):
    error = read_error(content)
    assert (error.key, error.line) == (key, line) and value in str(error)


def test_the_content_of_a_query_is_its_title(read):
    topics = read(
        "<queries><query><qid>0001</qid><content>ascii code</content><description>find it</description></query></queries>"
    ).topics
    assert topics == (Topic("0001", "ascii code", "find it"),)


def test_a_topic_without_text_is_refused_with_the_names_of_its_fields(read_error):
    error = read_error('<t>\n<topic number="1"><type>a</type><source>b</source></topic></t>')
    assert (error.key, error.line) == ("no-text", 2)
    assert error.values["names"].startswith("title,")
    assert "type (a), source (b)" in str(error) and '"title=type"' in str(error)

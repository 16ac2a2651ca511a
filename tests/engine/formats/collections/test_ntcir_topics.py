"""Tests of NTCIR topics: <TOPIC> elements one after another."""

from pathlib import Path

from irjudge.formats.collections import read_topics
from irjudge.formats.collections.topics import TopicFile
from irjudge.model import Topic
from tests.messages import keys_and_values

CLOSED = """<TOPIC>
<NUM>001</NUM>
<SLANG>CH</SLANG>
<TITLE>harbour dredging</TITLE>
<DESC>
Find plans &amp; costs.
</DESC>
<NARR>
<BACK>Ports silt up.</BACK>
<REL>Plans are relevant.</REL>
</NARR>
</TOPIC>
<TOPIC>
<NUM>002</NUM>
<TITLE>tides</TITLE>
</TOPIC>
"""


def read(tmp_path: Path, text: str) -> TopicFile:
    (path := tmp_path / "topics.txt").write_text(text, encoding="utf-8")
    return read_topics(path)


def test_elements_without_a_root_are_topics(tmp_path):
    file = read(tmp_path, CLOSED)
    narrative = "Ports silt up. Plans are relevant."
    assert file.topics == (
        Topic("001", "harbour dredging", "Find plans & costs.", narrative),
        Topic("002", "tides"),
    )
    assert file.format_name == "NTCIR topics"
    assert keys_and_values(file.warnings, "named") == [("unread-fields", "slang")]


def test_the_number_may_be_an_attribute_without_quotes(tmp_path):
    file = read(
        tmp_path,
        "<TOPIC q=0031>\n<TITLE>\ntides\n</TITLE>\n<DESCRIPTION>\nwhen\n</DESCRIPTION>\n</TOPIC>\n",
    )
    assert file.topics == (Topic("0031", "tides", "when"),)


def test_topics_in_a_root_element_are_read_as_xml(tmp_path):
    assert (
        read(tmp_path, "<topics><topic><num>1</num><title>a</title></topic></topics>").format_name
        == "XML"
    )

"""XML topics of real tracks, and the queries of deep learning tracks."""

import re

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_topics


@pytest.mark.parametrize(
    ("name", "count", "first", "last"),
    [
        ("topics/topics.covid-round5.xml", 50, "1", "50"),
        ("trec_covid/topics/topics.covid-round5.xml", 50, "1", "50"),
        ("trec_covid/topics/topics.covid-round1.xml", 30, "1", "30"),
        ("topics/topics.web.51-100.txt", 50, "51", "100"),
    ],
)
def test_xml_with_and_without_a_dtd_is_read(data, name, count, first, last):
    file = read_topics(data / name)
    ids = [topic.id for topic in file.topics]
    assert (file.format_name, len(ids), ids[0], ids[-1]) == ("XML", count, first, last)
    assert len(re.findall(r"<topic number=", (data / name).read_text(encoding="utf-8"))) == count
    assert all(topic.title and topic.description and topic.narrative for topic in file.topics)
    assert not any("\r" in topic.narrative or "<" in topic.narrative for topic in file.topics)


def test_every_subtopic_of_the_web_track_is_in_a_narrative(data):
    path = data / "topics/topics.web.51-100.txt"
    file = read_topics(path)
    count = sum(topic.narrative.count("Subtopic ") for topic in file.topics)
    assert count == len(re.findall("<subtopic number", path.read_text())) > 150
    assert [(each.key, each.values["named"]) for each in file.warnings] == [
        ("unread-fields", "type")
    ]
    first, second, *_ = file.topics[0].narrative.split("\n\n")
    assert first.startswith("Subtopic 1 (inf): Find information ") and first.endswith("for them.")
    assert second.startswith("Subtopic 2 (nav): Find pictures")


def test_covid_topics_have_a_query_a_question_and_a_narrative(data):
    topic = read_topics(data / "trec_covid/topics/topics.covid-round1.xml").topics[0]
    assert topic.title == "coronavirus origin"
    assert topic.description.endswith("origin of COVID-19")
    assert topic.narrative.startswith("seeking range of information")
    assert "SARS-CoV-2 virus's origin" in topic.narrative


def test_the_queries_of_2021_are_read(data):
    path = data / "trec_dl/queries-2021.tsv"
    file = read_topics(path)
    assert (file.format_name, file.warnings) == ("TSV", ())
    assert [(topic.id, topic.title) for topic in file.topics] == [
        (line.split("\t")[0], " ".join(line.split("\t")[1].split()))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


@pytest.mark.parametrize(
    "name", ["qrels/qrels.cacm.txt", "classic/cran/cran.qrels", "classic/cisi/CISI.BLN"]
)
def test_a_file_without_topics_is_refused(data, name):
    with pytest.raises(FormatError, match="expected TREC topics"):
        read_topics(data / name)

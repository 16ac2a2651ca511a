"""Tests of topics without query or title: CAR outlines, documents to link, AutoJudge requests."""

from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_topics
from irjudge.model import Topic


def test_a_heading_of_an_outline_has_its_path_and_text(tmp_path: Path) -> None:
    """Hierarchical topics of Complex Answer Retrieval, as in its qrels."""
    path = tmp_path / "outlines.topics"
    path.write_text(
        "enwiki:Aftertaste\nenwiki:Aftertaste/Aftertaste%20processing%20in%20the%20cortex\nenwiki:Caf%C3%A9/Bread/Rolls\n"
    )
    file = read_topics(path)
    assert file.format_name == "outline headings"
    assert file.topics == (
        Topic("enwiki:Aftertaste", "Aftertaste"),
        Topic(
            "enwiki:Aftertaste/Aftertaste%20processing%20in%20the%20cortex",
            "Aftertaste / Aftertaste processing in the cortex",
        ),
        Topic("enwiki:Caf%C3%A9/Bread/Rolls", "Café / Bread / Rolls"),
    )


@pytest.mark.parametrize("text", ["word\n", "note: see/this\n"])
def test_other_lines_are_not_an_outline(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.txt").write_text(text)
    assert read_topics(tmp_path / "a.txt").topics == (Topic("1", text.strip()),)


def test_addresses_are_not_topics(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("https://a.example/b\nhttps://a.example/c\n")
    with pytest.raises(FormatError):
        read_topics(tmp_path / "a.txt")


def test_an_invalid_line_of_an_outline_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("enwiki:A/B\n" * 3000 + "words of another kind\n")
    with pytest.raises(FormatError) as refused:
        read_topics(tmp_path / "a.txt")
    assert (refused.value.key, refused.value.line) == ("not-a-heading", 3001)
    assert refused.value.path.name == "a.txt" and "of another" in refused.value.values["line"]


def test_a_document_to_be_linked_is_the_topic(tmp_path: Path) -> None:
    """Background linking of the News track: a number, a document and its address."""
    path = tmp_path / "newsir.txt"
    path.write_text(
        "<top>\n<num> Number: 321 </num>\n<docid>9171debc</docid>\n<url>https://news.example/womens-health</url>\n</top>\n\n"
        "<top>\n<num> Number: 336 </num>\n<docid>a1b2</docid>\n<url>https://news.example/b</url>\n</top>\n"
    )
    assert read_topics(path).topics == (
        Topic("321", "Document 9171debc", "https://news.example/womens-health"),
        Topic("336", "Document a1b2", "https://news.example/b"),
    )


def test_a_request_of_autojudge_shows_its_need(tmp_path: Path) -> None:
    """The Request class of autojudge_base (trec-auto-judge/auto-judge-base)."""
    path = tmp_path / "requests.jsonl"
    path.write_text(
        '{"request_id": "7", "title": "coffee", "problem_statement": "Is it healthy?", "background": "I drink much."}\n'
    )
    assert read_topics(path).topics == (Topic("7", "coffee", "Is it healthy?", "I drink much."),)

"""Tests of the tokens of a text: stems, character pairs without spaces, and stop words."""

import pytest

from irjudge.model import Document
from irjudge.search import SearchOptions, make_postings, rank_documents


def search(texts: dict[str, str], query: str) -> list[str]:
    postings = make_postings(Document(id, text.encode()) for id, text in texts.items())
    ranked = rank_documents(postings, SearchOptions().resolve(), postings.read(query))
    return [postings.documents[code] for code in ranked.document.tolist()]


@pytest.mark.parametrize(
    ("texts", "query", "expected"),
    [
        ({"a": "The moon's tides", "b": "Bread rises"}, "tide of the Moon", ["a"]),
        (
            {
                "a": "Warum gibt es Gezeiten an der Nordsee und nicht am Mittelmeer?",
                "b": "Der Hafen ist das Tor",
            },
            "die Gezeit",
            ["a"],
        ),
        (
            {"a": "Les marées de l'océan sont dans la baie", "b": "Le pain et la levure"},
            "une marée",
            ["a"],
        ),
        ({"a": "Приливы и отливы в море", "b": "Хлеб из муки"}, "море приливами", ["a"]),
        ({"a": "تأثير القمر على المد والجزر في البحر", "b": "خبز من الدقيق"}, "قمر", ["a"]),
        ({"a": "二战是在一九三九年开始的", "b": "绿茶的历史"}, "绿茶历史", ["b"]),
        ({"a": "アンパサンドは記号である", "b": "緑茶の歴史"}, "緑茶", ["b"]),
        ({"a": "한국의 수도는 서울이다", "b": "녹차의 역사"}, "서울", ["a"]),
        ({"a": "กรุงเทพเป็นเมืองหลวง", "b": "ประวัติของชาเขียว"}, "เมืองหลวง", ["a"]),
        ({"a": "ज्वार समुद्र में आता है", "b": "रोटी आटे से बनती है"}, "समुद्र", ["a"]),
    ],
)
def test_queries_find_documents_in_every_script(
    texts: dict[str, str], query: str, expected: list[str]
) -> None:
    assert search(texts, query)[:1] == expected


def test_markup_is_not_indexed() -> None:
    postings = make_postings(
        [
            Document("a", b"<p class='tide'>Salt &amp; bread</p>", kind="html"),
            Document("b", b"\x89PNG", kind="image"),
        ]
    )
    assert set(postings.terms) == {"salt", "bread"}


def test_stop_words_find_nothing() -> None:
    assert search({"a": "to be or not to be", "b": "the tide"}, "to be or not to be") == []

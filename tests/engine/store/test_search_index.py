"""Tests of full-text search in every script, and of the cached index."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.model import Document, Scale
from irjudge.progress import Progress
from irjudge.store import (
    Project,
    SearchIndex,
    create_project,
    open_project,
    search_documents,
)
from irjudge.store.search_index import MAX_RANKED_DOCUMENTS, to_index_text, to_match_expression

TEXTS = {
    "en": "The tides of the sea follow the Moon.",
    "zh": "怎样泡绿茶：水温八十度。台风来之前要准备。",
    "ja": "緑茶の淹れ方とお湯の温度",
    "th": "น้ำขึ้นน้ำลง",
    "ar": "طريقة تحضير القهوة العربية",
    "hi": "मसाला चाय कैसे बनाएँ",
    "de": "Über die Straße; größer als nötig",
    "fr": "L’été dernier à Évreux",
    "one": "茶",
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-1")) as made:
        made.collection.add_documents(
            Document(name, text.encode(), f"title of {name}") for name, text in TEXTS.items()
        )
        made.collection.add_documents(
            [
                Document(
                    "page",
                    b"<p class='hidden'>low&amp;high <b>wa</b>ter</p><script>secret()</script>",
                    "",
                    "html",
                )
            ]
        )
        made.collection.add_documents(
            [Document("picture", b"\x89PNG tides", "harbour map", "image")]
        )
    with open_project(tmp_path / "p.irjudge") as opened:
        yield opened


@pytest.fixture
def index(project: Project, tmp_path: Path) -> SearchIndex:
    made = SearchIndex(project, tmp_path / "cache")
    made.build()
    return made


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tides moon", {"en"}),
        ("TIDES", {"en"}),
        ("tid", {"en"}),
        ("tid ", set()),
        ("moon harbour", set()),
        ("绿茶", {"zh"}),
        ("水温", {"zh"}),
        ("温", {"zh", "ja"}),
        ("泡绿茶水", set()),
        ("台风来之前", {"zh"}),
        ("茶", {"zh", "ja", "one"}),
        ("備", set()),
        ("緑茶", {"ja"}),
        ("ขึ้น", {"th"}),
        ("القهوة", {"ar"}),
        ("चाय", {"hi"}),
        ("strasse", {"de"}),
        ("uber GROSSER", {"de"}),
        ("évreux", {"fr"}),
        ("evreux", {"fr"}),
        ("low high", {"page"}),
        ("hidden", set()),
        ("secret", set()),
        ("harbour map", {"picture"}),
        ("PNG", set()),
        ("title", {*TEXTS}),
    ],
)
def test_expected_documents_are_found(index: SearchIndex, query: str, expected: set[str]) -> None:
    assert set(index.search(query).ids) == expected


@pytest.mark.parametrize(
    "query",
    [
        "",
        "  ",
        '"',
        "*",
        "a OR",
        "NEAR(",
        "title:tides",
        "-",
        "^tides",
        "tides AND NOT",
        "{a b}:",
        "'; DROP",
        "\0",
    ],
)
def test_no_query_is_interpreted_as_syntax(index: SearchIndex, query: str) -> None:
    index.search(query)


def test_long_words_are_found(project: Project, tmp_path: Path) -> None:
    word = "acgt" * 25
    project.collection.add_documents(
        [Document("x1", f"gene {word} end".encode()), Document("x2", f"gene {word[:64]}".encode())]
    )
    index = SearchIndex(project, tmp_path / "cache")
    index.build()
    for query, expected in (
        (word, ("x1",)),
        (f"{word} ", ("x1",)),
        (f"{word} end", ("x1",)),
        (f"{word[:70]} ", ()),
        (f"{word[:64]} ", ("x2",)),
        (word[:70], ("x1",)),
    ):
        assert index.search(query).ids == expected, query


def test_a_word_in_the_title_counts_more(project: Project, tmp_path: Path) -> None:
    project.collection.add_documents(
        [
            Document("x1", b"kelp once in a long text of many words", "other"),
            Document("x2", b"a text", "kelp"),
        ]
    )
    index = SearchIndex(project, tmp_path / "cache")
    index.build()
    hits = index.search("kelp")
    assert hits.ids == ("x2", "x1") and hits.is_ranked and not hits.has_more
    assert index.search("kelp", limit=1).has_more


def test_the_index_is_outdated_after_new_documents(project: Project, tmp_path: Path) -> None:
    index = SearchIndex(project, tmp_path / "cache")
    assert not index.state().is_ready
    index.build()
    assert index.state().is_ready and not index.state().needs_consent
    project.collection.add_documents([Document("new", b"fresh words")])
    assert not index.state().is_ready and index.search("fresh").ids == ()
    index.build()
    assert index.state().is_ready and index.search("fresh").ids == ("new",)


def test_the_index_is_not_in_the_project(
    index: SearchIndex, project: Project, tmp_path: Path
) -> None:
    assert [
        path.name for path in tmp_path.iterdir() if path.suffix == ".sqlite"
    ] == [] and index.path.parent == tmp_path / "cache" / "search"
    with closing(sqlite3.connect(project.path)) as file, file:
        assert not [
            name for (name,) in file.execute("SELECT name FROM sqlite_master") if "words" in name
        ]
    assert project.verify().problems == ()


def test_cancelled_indexing_keeps_the_old_index(index: SearchIndex, project: Project) -> None:
    project.collection.add_documents([Document("new", b"fresh words")])
    with pytest.raises(Cancelled):
        index.build(Progress(cancelled=lambda: True))
    assert index.search("tides").ids == ("en",) and [
        path.suffix for path in index.path.parent.iterdir()
    ] == [".sqlite"]


def test_a_damaged_index_and_a_read_only_cache_are_reported(
    index: SearchIndex, project: Project, tmp_path: Path
) -> None:
    index.path.write_bytes(b"no index")
    assert not index.state().is_ready
    with pytest.raises(IrjudgeError, match="Rebuild the index"):
        index.search("tides")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(IrjudgeError, match="Cannot write the index"):
        SearchIndex(project, tmp_path / "file").build()


def test_two_projects_have_two_indexes(index: SearchIndex, tmp_path: Path) -> None:
    with create_project(tmp_path / "q.irjudge", scale=Scale.parse("0-1")) as other:
        assert SearchIndex(other, tmp_path / "cache").path != index.path


def test_character_pairs_match_text_without_spaces() -> None:
    assert (
        to_index_text("绿茶") == " 绿茶 茶 "
        and to_match_expression("绿茶") == '"绿茶"'
        and to_match_expression("绿") == '"绿"*'
    )
    assert MAX_RANKED_DOCUMENTS > 100


@pytest.mark.parametrize(
    ("limit", "expected_ids", "has_more"),
    [(40, 31, False), (31, 31, False), (20, 20, True)],
)
def test_all_documents_whose_id_begins_with_the_query_are_listed_or_announced(
    tmp_path: Path, limit: int, expected_ids: int, has_more: bool
) -> None:
    """30 ids begin with the query; one of these documents and another contain it as a word."""
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-1")) as project:
        project.collection.add_documents(
            [
                *(Document(f"FBIS-{number:02d}", b"kelp") for number in range(29)),
                Document("FBIS", b"fbis"),
                Document("x", b"fbis report"),
            ]
        )
        SearchIndex(project, tmp_path).build()
        results = search_documents(project, tmp_path, "FBIS", limit)
    assert (len(results.hits), results.has_more) == (expected_ids, has_more)
    assert {"FBIS", "x"} <= {hit.id for hit in results.hits}

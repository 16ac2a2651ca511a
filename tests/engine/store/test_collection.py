"""Tests of topics and documents of a project, and of titles."""

from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.model import Document, DocumentKind, Scale
from irjudge.store import create_project, open_project, rescue_file


def titles(tmp_path: Path, *documents: Document) -> dict[str, str]:
    with create_project(tmp_path / "a.irjudge", scale=Scale.parse("0-1"), owner="ann") as project:
        project.collection.add_documents(documents)
        return project.collection.titles([document.id for document in documents])


def test_a_missing_title_is_replaced_by_the_first_words(tmp_path: Path) -> None:
    titles_by_id = titles(
        tmp_path,
        Document("titled", b"the text", "The title"),
        Document("text", b"\n \n  Tides rise.\nTwice a day."),
        Document(
            "page",
            b"<html><head><style>b {}</style></head><body><p>The <b>moon</b> &amp; sun</p><p>more",
            "",
            "html",
        ),
        Document("empty", b" \n"),
        Document("image", b"\x89PNG words", "", "image"),
        Document("drawing", b"words", "A drawing", "image"),
    )
    assert titles_by_id == {
        "titled": "The title",
        "text": "Tides rise.",
        "page": "The moon & sun",
        "empty": "",
        "image": "",
        "drawing": "A drawing",
    }


@pytest.mark.parametrize(("kind", "read"), [("text", 400), ("html", 2000)])
def test_no_more_than_the_beginning_of_a_body_is_read(
    tmp_path: Path, kind: DocumentKind, read: int
) -> None:
    titles_by_id = titles(
        tmp_path,
        Document("near", b"\n" * (read - 4) + b"near", "", kind),
        Document("far", b"\n" * read + b"far", "", kind),
    )
    assert titles_by_id == {"near": "near", "far": ""}


def test_titles_of_more_documents_than_one_query_can_name(tmp_path: Path) -> None:
    titles_by_id = titles(
        tmp_path, *(Document(f"d{number}", f"words {number}".encode()) for number in range(5000))
    )
    assert titles_by_id == {f"d{number}": f"words {number}" for number in range(5000)}


def test_a_document_without_a_title_and_without_a_text_has_no_title(tmp_path: Path) -> None:
    assert titles(tmp_path, Document("bare", b""), Document("page", b"", "", "html")) == {
        "bare": "",
        "page": "",
    }


def test_documents_are_ordered_and_those_with_text_are_listed(tmp_path: Path) -> None:
    made = [
        Document("z", b"one", "t"),
        Document("a", b"", ""),
        Document("p", b"\x89PNG", "", "image"),
        Document("b", b"<p>", "", "html"),
    ]
    with create_project(tmp_path / "a.irjudge", scale=Scale.parse("0-1")) as project:
        project.collection.add_documents(made)
        assert list(project.collection.documents()) == made
        assert project.collection.with_readable_text(["a", "b", "p", "z", "none"]) == {"b", "z"}


def test_the_file_of_a_pdf_is_stored_with_its_text(tmp_path: Path) -> None:
    path = tmp_path / "a.irjudge"
    document = Document("a", b"words", "A title", pdf=b"%PDF-1.7 of a")
    with create_project(path, scale=Scale.parse("0-1"), owner="ann") as project:
        project.collection.add_documents(
            [document, Document("same", b"words", "A title"), Document("b", b"words of b")]
        )
        collection = project.collection
        assert [collection.pdf(name) for name in ("a", "same", "b", "none")] == [
            document.pdf,
            None,
            None,
            None,
        ]
        assert [collection.has_pages(name) for name in ("a", "b")] == [True, False]
        assert collection.document_count() == 3
        assert list(collection.documents()) == [
            document,
            replace(document, id="same"),
            Document("b", b"words of b"),
        ]
        assert collection.document("a").digest == Document("a", b"words", "A title").digest
        assert all(each.pdf == b"" for each in collection.documents()), (
            "it is read when it is asked for, and never with the text"
        )
    with open_project(path, writing=False) as project:
        verdict = project.verify()
        assert verdict.problems == () and verdict.documents == 2, (
            "two texts, and a file of one of them"
        )


def test_scans_without_a_text_have_their_own_pages(tmp_path: Path) -> None:
    with create_project(tmp_path / "a.irjudge", scale=Scale.parse("0-1")) as project:
        project.collection.add_documents(
            Document(name, b"", pdf=b"%PDF-1.7 of " + name.encode()) for name in ("a", "b")
        )
        assert [project.collection.pdf(name) for name in ("a", "b")] == [
            b"%PDF-1.7 of a",
            b"%PDF-1.7 of b",
        ]
        assert project.verify().documents == 1


def test_the_sizes_of_files_are_given_by_document(tmp_path: Path) -> None:
    with create_project(tmp_path / "a.irjudge", scale=Scale.parse("0-1")) as project:
        count = 2500  # more than one query can name
        made = (
            Document(f"d{number}", b"%d" % number, pdf=b"%PDF" + bytes(number % 7))
            for number in range(count)
        )
        project.collection.add_documents([*made, Document("bare", b"words")])
        sizes = project.collection.pdf_sizes(
            [*(f"d{number}" for number in range(count)), "bare", "none"]
        )
        assert {name: size for name, (_, size) in sizes.items()} == {
            f"d{number}": 4 + number % 7 for number in range(count)
        }
        assert len({file for file, _ in sizes.values()}) == 7


def test_a_rescued_project_keeps_page_images(tmp_path: Path) -> None:
    with create_project(tmp_path / "a.irjudge", scale=Scale.parse("0-1"), owner="ann") as project:
        project.collection.add_documents([Document("a", b"words", pdf=b"%PDF-1.7 of a")])
    rescue_file(tmp_path / "a.irjudge", tmp_path / "new.irjudge")
    with open_project(tmp_path / "new.irjudge", writing=False) as project:
        assert project.collection.pdf("a") == b"%PDF-1.7 of a"

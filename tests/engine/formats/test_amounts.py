"""How much there is to read is told where that is cheap, and not guessed where it is not."""

import gzip
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from irjudge.formats import amounts
from irjudge.formats.amounts import documents_in, files_in
from irjudge.formats.collections.documents import read_documents, recognise_documents
from irjudge.formats.preview import preview

LINES = '{"id": "a", "text": "one"}\n\n{"id": "b", "text": "two"}\r\n  \n{"id": "c", "text": "three"}'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "texts"
    (made / "more" / ".hidden").mkdir(parents=True)
    for name in ("a.txt", "b.txt", ".c.txt", "more/d.txt", "more/.hidden/e.txt"):
        (made / name).write_text("words", encoding="utf-8")
    return made


def test_the_lines_of_a_file_are_its_documents(tmp_path: Path) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(LINES, encoding="utf-8", newline="")
    assert documents_in(path, "JSON lines") == len(list(read_documents([path], remarks=[]))) == 3
    assert preview("documents", [path]).found == ("docs.jsonl: JSON lines; documents: 3",)


def test_of_a_beir_folder_the_lines_of_its_corpus_count(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text(LINES, encoding="utf-8")
    (tmp_path / "queries.jsonl").write_text('{"_id": "1", "text": "what"}\n', encoding="utf-8")
    assert documents_in(tmp_path, recognise_documents(tmp_path)) == 3


@pytest.mark.parametrize("raw", [gzip.compress(LINES.encode(), mtime=0), LINES.encode("utf-16")])
def test_lines_that_only_reading_would_tell_are_not_counted(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_bytes(raw)
    form = recognise_documents(path)
    assert form.startswith("JSON lines") and documents_in(path, form) is None and files_in(path, form) is None
    assert preview("documents", [path]).found == (f"docs.jsonl: {form}",)


def test_the_files_of_a_folder_and_of_archives_are_counted_without_hidden_ones(folder: Path, tmp_path: Path) -> None:
    plain, packed, zipped = tmp_path / "a.tar", tmp_path / "a.tar.gz", tmp_path / "a.zip"
    for path, mode in ((plain, "w"), (packed, "w:gz")):
        with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
            archive.add(folder, "texts")
    with zipfile.ZipFile(zipped, "w") as archive:
        for root, _, names in os.walk(folder):
            for name in names:
                archive.write(Path(root, name), Path(root, name).relative_to(folder))
    found = [files_in(path, recognise_documents(path)) for path in (folder, plain, zipped, packed)]
    assert found == [3, 3, 3, None], "a packed archive would have to be unpacked"
    assert preview("documents", [zipped]).found == ("a.zip: plain text in a zip archive; files: 3",)


def test_very_many_are_not_counted(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "docs.jsonl"
    path.write_text(LINES, encoding="utf-8")
    monkeypatch.setattr(amounts, "MOST_FILES", 2)
    monkeypatch.setattr(amounts, "MOST_BYTES", 10)
    assert files_in(folder, "plain text in a folder") is None and documents_in(path, "JSON lines") is None
    assert files_in(tmp_path / "gone.zip", "plain text in a zip archive") is None

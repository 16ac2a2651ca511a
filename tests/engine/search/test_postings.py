"""Tests of postings: counts, order, and the cache."""

import os
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.model import Document
from irjudge.progress import Progress
from irjudge.search import (
    Postings,
    cache_postings,
    compute_collection_fingerprint,
    load_cached_postings,
    make_postings,
)
from irjudge.search import postings as module

TEXTS = ("tide tide", "moon", "", "salt moon moon moon")
DOCUMENTS = [
    Document(f"d{number}", text.encode(), title="Title") for number, text in enumerate(TEXTS)
]


def table(postings: Postings) -> dict[str, list[float]]:
    return dict(zip(postings.terms, postings.counts.toarray().T.tolist(), strict=True))


def test_terms_are_counted_in_titles_and_texts() -> None:
    postings = make_postings(DOCUMENTS)
    assert table(postings) == {
        "titl": [1, 1, 1, 1],
        "tide": [2, 0, 0, 0],
        "moon": [0, 1, 0, 3],
        "salt": [0, 0, 0, 1],
    }
    assert postings.length.tolist() == [3, 2, 1, 5] and postings.mean_length == 2.75
    assert postings.document_frequency.tolist() == [4, 1, 2, 1]


def test_blocks_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = make_postings(DOCUMENTS)
    monkeypatch.setattr(module, "DOCUMENTS_PER_BLOCK", 2)
    parts = make_postings(DOCUMENTS)
    assert table(parts) == table(whole) and parts.documents == whole.documents


def test_stored_postings_are_read_from_the_cache(tmp_path: Path) -> None:
    postings = make_postings(DOCUMENTS)
    cache_postings(postings, tmp_path / "made" / "a.npz")
    again = load_cached_postings(tmp_path / "made" / "a.npz")
    assert again is not None and table(again) == table(postings)
    assert (again.documents, again.languages) == (postings.documents, postings.languages)


def test_unreadable_postings_are_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    assert load_cached_postings(path) is None
    cache_postings(make_postings(DOCUMENTS), path)
    whole = path.read_bytes()
    for cut in (0, 10, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        assert load_cached_postings(path) is None


def test_the_oldest_of_many_are_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_CACHED_FILES", 1)
    cache_postings(make_postings(DOCUMENTS), tmp_path / "a.npz")
    (tmp_path / "a.npz").touch()
    cache_postings(make_postings(DOCUMENTS), tmp_path / "b.npz")
    assert len([*tmp_path.iterdir()]) == 1


def test_processes_can_write_the_same_file_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"

    def write_while_another_process_writes(file: BinaryIO) -> None:
        file.write(b"a")
        module.write_cache_file(path, lambda other: other.write(b"other"))
        file.write(b"b")

    module.write_cache_file(path, write_while_another_process_writes)
    assert path.read_bytes() == b"ab" and [*tmp_path.iterdir()] == [path]


def test_files_of_killed_processes_are_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_CACHED_FILES", 1)
    (tmp_path / "killed.part").write_bytes(b"")
    os.utime(tmp_path / "killed.part", (0, 0))
    cache_postings(make_postings(DOCUMENTS), tmp_path / "a.npz")
    assert [*tmp_path.iterdir()] == [tmp_path / "a.npz"]


def test_a_read_only_folder_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(IrjudgeError, match="Cannot write the index"):
        cache_postings(make_postings(DOCUMENTS), tmp_path / "file" / "a.npz")


def test_a_fingerprint_depends_on_ids_texts_and_their_order() -> None:
    rows = [("a", "1"), ("b", "2")]
    others = [rows[::-1], [("a", "1")], [("a", "1"), ("b", "3")], [("a1", ""), ("b", "2")]]
    assert len(
        {compute_collection_fingerprint(each) for each in [rows, *others]}
    ) == 5 and compute_collection_fingerprint(rows) == compute_collection_fingerprint(iter(rows))


def test_indexing_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        make_postings(DOCUMENTS, progress=Progress(cancelled=lambda: True))


def test_no_documents_have_no_terms() -> None:
    postings = make_postings([])
    assert len(postings) == 0 and postings.read("tide") == {} and np.isfinite(postings.mean_length)

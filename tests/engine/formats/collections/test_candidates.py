"""Tests of queries with their retrieved passages."""

import json
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rankings import read_run
from irjudge.model import Document, Topic
from tests.messages import keys_and_values


def candidate(name: str, score: object, **doc: str) -> dict[str, object]:
    return {"docid": name, "score": score, "doc": doc}


FIRST = {
    "query": {"qid": "2024-7", "text": "what are  tides"},
    "candidates": [candidate("d1", 2.5, title="T", segment="Rise.")],
}
SECOND = {
    "candidates": [candidate("d2", 1, contents="Fall."), candidate("d1", -0.5, segment="Rise.")],
    "query": {"qid": 8, "text": "ports"},
}
FORMS = {
    "lines": "\n".join(map(json.dumps, (FIRST, SECOND))),
    "list": json.dumps([FIRST, SECOND], indent=1),
    "objects": "\n".join(json.dumps(each, indent=1) for each in (FIRST, SECOND)),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_one_file_is_topics_documents_and_a_ranking(tmp_path, form):
    (path := tmp_path / "retrieved.json").write_text(form)
    assert read_topics(path).topics == (Topic("2024-7", "what are tides"), Topic("8", "ports"))
    assert list(read_documents([path], warnings=[])) == [
        Document("d1", b"Rise.", "T"),
        Document("d2", b"Fall."),
    ]
    run = read_run(path)
    assert (run.topics, run.document.to_pylist(), run.score.tolist()) == (
        ("2024-7", "8"),
        ["d1", "d2", "d1"],
        [2.5, 1.0, -0.5],
    )


def read_error(tmp_path: Path, changed: object, reader: object) -> tuple[str, int | None]:
    (path := tmp_path / "retrieved.jsonl").write_text(
        json.dumps(FIRST) + "\n" + json.dumps(changed) + "\n"
    )
    with pytest.raises(FormatError) as caught:
        reader(path)  # type: ignore[operator]
    return caught.value.key, caught.value.line


def test_errors_are_named(tmp_path):
    def documents(path: Path) -> object:
        return list(read_documents([path], warnings=[]))

    without_score = FIRST | {"candidates": [candidate("d", "x")]}
    assert read_error(tmp_path, without_score, read_run) == ("not-a-score", 2)
    assert read_error(tmp_path, FIRST | {"candidates": 7}, read_run) == ("no-list", 2)
    assert read_error(tmp_path, SECOND | {"query": "ports"}, read_topics) == ("no-id", 2)
    without_text = SECOND | {"candidates": [{"docid": "d2"}]}
    assert read_error(tmp_path, without_text, documents) == ("no-text", 2)


def test_without_scores_the_order_is_the_ranking(tmp_path):
    (path := tmp_path / "r.jsonl").write_text(
        json.dumps(FIRST | {"candidates": [{"docid": "b"}, {"docid": "a"}]})
    )
    run = read_run(path)
    assert (run.document.to_pylist(), run.score.tolist()) == (["b", "a"], [2.0, 1.0])


def test_scores_of_only_some_candidates_are_reported_as_not_used(tmp_path):
    record = {"query": FIRST["query"], "candidates": [candidate("d1", 0.5), {"docid": "d2"}]}
    (path := tmp_path / "retrieved.jsonl").write_text(json.dumps(record) + "\n")
    run = read_run(path)
    assert (run.document.to_pylist(), run.score.tolist()) == (["d1", "d2"], [2, 1])
    assert ("missing-scores", "1", "2") in keys_and_values(run.warnings, "missing", "count")

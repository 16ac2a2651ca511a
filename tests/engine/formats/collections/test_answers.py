"""Tests of answers of TREC RAG: sentences that cite references by index or id."""

import json
import time
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats import ReaderWarnings
from irjudge.formats.collections import (
    read_answers,
    read_documents,
    read_topics,
    recognise_document_format,
)
from irjudge.formats.rankings import read_run
from irjudge.model import CitedAnswer, Sentence, Topic
from tests.messages import warnings_of

OLDER = {
    "run_id": "sys",
    "topic_id": "2024-7",
    "topic": "what are tides",
    "references": ["d9", "d4"],
    "answer": [
        {"text": "They  rise.", "citations": [0, 1]},
        {"text": "They fall.", "citations": []},
    ],
}
NEWER = {
    "metadata": {
        "team_id": "t",
        "run_id": "sys",
        "narrative_id": 14,
        "narrative": "Tell me of ports.",
    },
    "references": ["d9", "d4"],
    "answer": [{"text": "Ports <are> old.", "citations": ["d4"]}],
}
SCORED = {
    "metadata": {"run_id": "sys", "topic_id": "3"},
    "responses": [{"text": "So.", "citations": {"d5": 0.9, "d6": 0.1}}],
}


def write_answers(tmp_path: Path, *answers: object) -> Path:
    (path := tmp_path / "sys.jsonl").write_text(
        "".join(json.dumps(each) + "\n" for each in answers), encoding="utf-8"
    )
    return path


def read(tmp_path: Path, *answers: object) -> tuple[list[CitedAnswer], tuple[str, ...]]:
    warnings = ReaderWarnings()
    return read_answers(write_answers(tmp_path, *answers), warnings), warnings.sentences()


@pytest.mark.slow
def test_citations_of_many_references_are_looked_up_in_linear_time(tmp_path):
    names = [f"r{number}" for number in range(20_000)]
    sentences = [{"text": "So.", "citations": names}]
    content = {"topic_id": "1", "run_id": "r", "answer": sentences, "references": names}
    began = time.process_time()
    ((answer,), _) = read(tmp_path, content)
    assert time.process_time() - began < 1
    assert answer.sentences == (Sentence("So.", tuple(names)),)


def test_citations_are_indices_or_ids(tmp_path):
    documents, warnings = read(tmp_path, OLDER, NEWER, SCORED)
    assert documents == [
        CitedAnswer(
            "2024-7",
            "sys",
            (Sentence("They rise.", ("d9", "d4")), Sentence("They fall.")),
            ("d9", "d4"),
            "what are tides",
        ),
        CitedAnswer(
            "14", "sys", (Sentence("Ports <are> old.", ("d4",)),), ("d9", "d4"), "Tell me of ports."
        ),
        CitedAnswer("3", "sys", (Sentence("So.", ("d5", "d6")),), ("d5", "d6")),
    ]
    assert warnings == ()


def test_ids_that_look_like_indices_are_ids_if_referenced(tmp_path):
    (document,), _ = read(tmp_path, OLDER | {"references": ["1", "0"]})
    assert document.sentences[0].citations == ("0", "1")


def test_a_citation_without_reference_is_counted(tmp_path):
    (document,), warnings = read(
        tmp_path, OLDER | {"answer": [{"text": "a", "citations": [1, 2, -1, "x"]}]}
    )
    assert document.sentences[0].citations == ("d4",)
    ((key, count, first),) = warnings_of(warnings)
    assert (key, count) == ("unknown-reference", "3") and "2" in first


def test_one_file_is_documents_topics_and_a_ranking(tmp_path):
    path = write_answers(tmp_path, OLDER, NEWER)
    assert recognise_document_format(path) == "answers with citations"
    first, second = read_documents([path], warnings=[])
    assert (first.id, first.kind) == ("2024-7:sys", "html")
    assert (
        first.text
        == "<p>They rise. [1] [2]</p>\n<p>They fall.</p>\n<ol>\n<li>d9</li>\n<li>d4</li>\n</ol>"
    )
    assert second.text.startswith("<p>Ports &lt;are&gt; old. [2]</p>")
    assert read_topics(path).topics == (
        Topic("2024-7", "what are tides"),
        Topic("14", "Tell me of ports."),
    )
    run = read_run(path)
    assert (run.topics, run.document.to_pylist(), run.score.tolist()) == (
        ("2024-7", "14"),
        ["d9", "d4", "d9", "d4"],
        [2, 1, 2, 1],
    )


def test_answers_of_several_runs_are_not_one_ranking(tmp_path):
    path = write_answers(tmp_path, OLDER, {**OLDER, "run_id": "other", "references": ["d1", "d2"]})
    with pytest.raises(FormatError) as refused:
        read_run(path)
    assert refused.value.key == "several-runs"
    assert (refused.value.values["first"], refused.value.values["second"]) == ("sys", "other")
    ids = [document.id for document in read_documents([path], warnings=[])]
    assert ids == ["2024-7:sys", "2024-7:other"]


@pytest.mark.parametrize(
    ("record", "key"),
    [
        ({"topic_id": None}, "empty-id"),
        ({"answer": [7]}, "no-text"),
        ({"answer": "words"}, "no-sentences"),
    ],
)
def test_errors_are_named(tmp_path, record, key):
    with pytest.raises(FormatError) as refused:
        read(tmp_path, OLDER, OLDER | record)
    assert (refused.value.key, refused.value.line) == (key, 2)


def test_other_json_is_not_an_answer(tmp_path):
    with pytest.raises(FormatError) as refused:
        read(tmp_path, {"id": 1, "text": "a"})
    assert refused.value.key == "no-answer"


def test_an_answer_to_a_topic_needs_no_citations(tmp_path):
    (answer,), _ = read(tmp_path, {"topic_id": "1", "answer": [{"text": "Yes."}]})
    assert (answer.topic, [sentence.text for sentence in answer.sentences]) == ("1", ["Yes."])

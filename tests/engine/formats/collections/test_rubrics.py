"""Tests of TREC RAG rubrics: weighted criteria of topics."""

import json
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.collections import preview_documents, read_topics
from irjudge.formats.judgments import read_labels, read_model_labels
from irjudge.formats.rankings import read_qrels, read_run

RUBRICS = [
    {
        "qid": "r1",
        "domain": "Sea",
        "rubrics": [
            {"criterion": "Names the moon.", "weight": 4.0, "axis": "Explicit Criteria"},
            {"criterion": "Invents a\n source.", "weight": -2.5, "axis": "Citation Quality"},
        ],
    },
    {"qid": "r2", "question": "why tides", "rubrics": [{"criterion": "Is short."}]},
]


def write_rubrics(folder: Path, records, *, lines: bool = True) -> Path:
    path = folder / "rubrics.jsonl"
    texts = [json.dumps(each) for each in records]
    path.write_text("\n".join(texts) if lines else f"[{', '.join(texts)}]")
    return path


@pytest.mark.parametrize("lines", [True, False])
def test_criteria_and_weights_become_the_narrative(tmp_path, lines):
    file = read_topics(write_rubrics(tmp_path, RUBRICS, lines=lines))
    assert [(each.id, each.title) for each in file.topics] == [("r1", "r1"), ("r2", "why tides")]
    first, second = (each.narrative.split("\n\n") for each in file.topics)
    assert len(first) == 2 and second == ["Is short."]
    assert first[0].startswith("Names the moon.") and "4" in first[0] and "Explicit" in first[0]
    assert first[1].startswith("Invents a source.") and "-2.5" in first[1]
    assert any("domain" in str(each) for each in file.warnings)


@pytest.mark.parametrize(
    "read",
    [
        read_qrels,
        read_run,
        read_labels,
        read_model_labels,
        lambda path: preview_documents([path]),
    ],
)
def test_rubrics_are_not_judgments_runs_or_documents(tmp_path, read):
    with pytest.raises(FormatError) as refused:
        read(write_rubrics(tmp_path, RUBRICS))
    assert refused.value.key == "rubrics"


@pytest.mark.parametrize(
    "rubrics", [["a"], [{}], [{"criterion": ""}], [{"criterion": ["a"]}], [{}, None]]
)
def test_a_rubric_without_criterion_is_refused_with_its_line(tmp_path, rubrics):
    good = {"criterion": "a"}
    records = [RUBRICS[0], {"qid": "r2", "rubrics": [good, *rubrics]}]
    with pytest.raises(FormatError) as refused:
        read_topics(write_rubrics(tmp_path, records))
    assert (refused.value.line, refused.value.key) == (2, "no-criterion")

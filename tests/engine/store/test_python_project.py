"""Tests of projects created in Python: from dicts, tables, ir_datasets and PyTerrier."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import irjudge
from irjudge.errors import IrjudgeError
from irjudge.judging import list_qrels_rows
from irjudge.model import Document, Scale, Topic, make_run
from irjudge.store import open_project


class Doc(NamedTuple):
    """Document as in ir_datasets."""

    doc_id: str
    title: str
    body: str
    year: int

    def default_text(self) -> str:
        return f"{self.title} {self.body}"


class Segmented(NamedTuple):
    """Document without a known text field."""

    doc_id: str
    segments: dict

    def default_text(self) -> str:
        return " ".join(self.segments.values())


class Query(NamedTuple):
    query_id: str
    title: str
    description: str
    narrative: str


class Qrel(NamedTuple):
    query_id: str
    doc_id: str
    relevance: int
    iteration: str


class Scored(NamedTuple):
    query_id: str
    doc_id: str
    score: float


class Dataset:
    """Dataset with the methods of ir_datasets that irjudge uses."""

    def docs_iter(self) -> Iterator[Doc]:
        yield Doc("d1", "Tides", "the sea", 1999)
        yield Doc("d2", "Moon", "the moon", 2001)

    def queries_iter(self) -> Iterator[Query]:
        yield Query("051", "tides", "why", "the cause")

    def qrels_iter(self) -> Iterator[Qrel]:
        yield Qrel("051", "d1", 2, "0")
        yield Qrel("051", "d2", 0, "0")

    def scoreddocs_iter(self) -> Iterator[Scored]:
        yield Scored("051", "d2", 2.0)
        yield Scored("051", "d1", 1.0)


class Terrier:
    """Dataset with the methods of PyTerrier that irjudge uses."""

    def get_corpus_iter(self) -> Iterator[dict]:
        yield {"docno": "d1", "title": "Tides", "text": "the sea"}
        yield {"docno": "d2", "title": "Moon", "text": "the moon"}

    def get_topics(self) -> pd.DataFrame:
        return pd.DataFrame({"qid": ["051"], "query": ["tides"]})

    def get_qrels(self) -> pd.DataFrame:
        return pd.DataFrame({"qid": ["051"] * 2, "docno": ["d1", "d2"], "label": [2, 0]})


RESULTS = pd.DataFrame(
    {"qid": ["051"] * 2, "docno": ["d2", "d1"], "score": [2.0, 1.0], "rank": [0, 1]}
)


@dataclass
class Record:
    id: str
    text: str


def contents(path: Path):
    with open_project(path, writing=False) as project:
        return (
            {each.id: (each.title, each.text) for each in project.collection.documents()},
            [(each.id, each.title) for each in project.collection.topics()],
            list_qrels_rows(project) if project.rankings.qrels_names() else [],
            {
                stored.name: project.rankings.run(stored.name).to_pandas().doc_id.tolist()
                for stored in project.rankings.runs()
            },
        )


EXPECTED = (
    {"d1": ("Tides", "the sea"), "d2": ("Moon", "the moon")},
    [("051", "tides")],
    [("051", "d1", 2), ("051", "d2", 0)],
    {"bm25": ["d2", "d1"]},
)


@pytest.mark.parametrize(
    ("documents", "topics", "qrels", "runs"),
    [
        (Dataset(), Dataset(), Dataset(), {"bm25": Dataset()}),
        (Terrier(), Terrier(), Terrier(), {"bm25": RESULTS}),
        (
            pa.table(
                {"docno": ["d1", "d2"], "title": ["Tides", "Moon"], "text": ["the sea", "the moon"]}
            ),
            {"051": "tides"},
            {"051": {"d1": 2, "d2": 0}},
            {"bm25": {"051": {"d2": 2.0, "d1": 1.0}}},
        ),
        (
            [Document("d1", b"the sea", "Tides"), Document("d2", b"the moon", "Moon")],
            [Topic("051", "tides")],
            iter([("051", "d1", 2), ("051", "d2", 0)]),
            [make_run("bm25", [("051", "d2", 2.0), ("051", "d1", 1.0)])],
        ),
        (
            (
                {"_id": f"d{at}", "title": title, "text": text}
                for at, title, text in ((1, "Tides", "the sea"), (2, "Moon", "the moon"))
            ),
            (each for each in [("051", "tides")]),
            [
                {"query_id": "051", "doc_id": "d1", "relevance": 2},
                {"query_id": "051", "doc_id": "d2", "relevance": 0},
            ],
            {"bm25": [("051", "d2", 2.0), ("051", "d1", 1.0)]},
        ),
    ],
)
def test_every_kind_of_input_gives_the_same_project(
    tmp_path, documents, topics, qrels, runs
) -> None:
    made = irjudge.new_project(
        tmp_path / "p.irjudge", documents=documents, topics=topics, qrels=qrels, runs=runs
    )
    assert made == tmp_path / "p.irjudge"
    assert contents(made) == EXPECTED


def test_files_and_other_shapes_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text("051\ttides\n")
    (tmp_path / "d.jsonl").write_text('{"id": "d1", "text": "the sea"}\n')
    made = irjudge.new_project(tmp_path / "d.irjudge", documents=tmp_path / "d.jsonl")
    assert contents(made)[0] == {"d1": ("", "the sea")}
    (tmp_path / "q.qrels").write_text("051 0 d1 2\n051 0 d2 0\n")
    (tmp_path / "r.run").write_text("051 Q0 d2 1 2.0 x\n051 Q0 d1 2 1.0 x\n")
    made = irjudge.new_project(
        str(tmp_path / "p.irjudge"),
        documents={"d1": "the sea", "d2": {"title": "Moon", "text": "the moon"}},
        topics=tmp_path / "t.tsv",
        qrels=str(tmp_path / "q.qrels"),
        runs={"bm25": tmp_path / "r.run"},
    )
    result = contents(made)
    assert result[0] == {"d1": ("", "the sea"), "d2": ("Moon", "the moon")}
    assert result[1:] == EXPECTED[1:]


def test_fields_are_kept_and_the_default_text_is_the_last_resort(tmp_path: Path) -> None:
    made = irjudge.new_project(tmp_path / "p.irjudge", documents=Dataset())
    with open_project(made, writing=False) as project:
        assert project.collection.document("d1").fields == (("year", "1999"),)
    made = irjudge.new_project(
        tmp_path / "s.irjudge",
        documents=[Segmented("d1", {"a": "one", "b": "two"}), Record("d2", "three")],
    )
    assert contents(made)[0] == {"d1": ("", "one two"), "d2": ("", "three")}


def test_a_single_run_and_gains_are_accepted(tmp_path: Path) -> None:
    made = irjudge.new_project(
        tmp_path / "p.irjudge",
        runs={"1": {"a": 3.0, "b": 2.0, "c": 1.0}},
        qrels=irjudge.read_qrels({"1": {"a": 0.412, "b": 1.543, "c": 0.037}}, gains=True),
        scale=Scale.parse("binary"),
    )
    table = irjudge.evaluate
    with open_project(made, writing=False) as project:
        qrels = project.rankings.qrels("qrels")
        value = table(qrels, {"run": project.rankings.run("run")}, ["nDCG@10"])
    assert round(float(value.value.iloc[-1]), 4) == 0.7708


@pytest.mark.parametrize(
    ("runs", "names"),
    [({"bm25": {}}, ["bm25"]), ({"bm25": {}, "x": {"1": {"a": 1.0}}}, ["bm25", "x"])],
)
def test_a_run_without_topics_has_its_name(tmp_path: Path, runs, names: list[str]) -> None:
    made = irjudge.new_project(tmp_path / "p.irjudge", runs=runs)
    with open_project(made, writing=False) as project:
        assert [run.name for run in project.rankings.runs()] == names
        assert project.rankings.run("bm25").topics == ()


@pytest.mark.parametrize(
    ("parts", "key"),
    [
        ({"documents": [{"text": "x"}]}, "no-id"),
        ({"documents": [{"id": "d1"}]}, "no-text"),
        ({"documents": ["d1"]}, "not-a-record"),
        ({"documents": 7}, "not-iterable"),
        ({"topics": [{"query_id": "1"}]}, "no-text"),
        ({"topics": [{"title": "x"}]}, "no-id"),
        ({"qrels": [("1", "d1")]}, "no-number"),
        ({"qrels": {"1": {"d1": 9}}}, "off-scale"),
        ({"runs": {"a": [("1", "d1", "x")]}}, "no-number"),
        ({"runs": [make_run("a", [("1", "d1", 1.0)])] * 2}, "same-name"),
        ({"scale": "many"}, "unknown-scale"),
    ],
)
def test_invalid_input_leaves_no_file(tmp_path: Path, parts, key: str) -> None:
    with pytest.raises(IrjudgeError) as refused:
        irjudge.new_project(tmp_path / "p.irjudge", **parts)
    assert refused.value.key == key
    assert list(tmp_path.iterdir()) == []


def test_topics_are_normalised_as_those_of_files_are(tmp_path: Path) -> None:
    """Otherwise, the topics of the project could not be exported."""
    topic = {"id": "1", "title": " tides\n and  moons", "description": "why\nnow\n\nand  then"}
    path = irjudge.new_project(tmp_path / "a.irjudge", topics=[topic])
    with open_project(path, writing=False) as project:
        (stored,) = project.collection.topics()
    assert (stored.title, stored.description) == ("tides and moons", "why now\n\nand then")


def test_the_topic_of_a_record_is_not_the_id_of_the_record(tmp_path: Path) -> None:
    made = irjudge.new_project(
        tmp_path / "p.irjudge",
        qrels=[{"id": 17, "topic": "q1", "doc_id": "d1", "relevance": 2}],
        runs=[{"_id": "x8", "query": "q1", "document": "d2", "score": 1.5}],
    )
    with open_project(made, writing=False) as project:
        assert [*project.rankings.qrels("qrels").rows()] == [("q1", "d1", 2)]
        assert project.rankings.run("run").topics == ("q1",)


@pytest.mark.parametrize("number", [np.int64, np.int32, np.float64, float])
def test_whole_numbers_of_any_type_are_ids(tmp_path: Path, number: type) -> None:
    made = irjudge.new_project(
        tmp_path / "p.irjudge",
        topics=[(number(1), "tides")],
        documents=[{"doc_id": number(7), "text": "the sea"}],
        qrels=[(number(1), number(7), 2)],
    )
    with open_project(made, writing=False) as project:
        assert [topic.id for topic in project.collection.topics()] == ["1"]
        assert [document.id for document in project.collection.documents()] == ["7"]
        assert [*project.rankings.qrels("qrels").rows()] == [("1", "7", 2)]

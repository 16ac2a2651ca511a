"""Tests of requests that create runs: where runs are stored, and refused requests."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import compare_searches, explain_search, fuse_sources, search_documents
from irjudge.formats.rankings import read_run
from irjudge.model import Document, Scale, Topic, make_qrels
from irjudge.pooling import FusionRequest
from irjudge.search import NewRunRequest, SearchOptions, SearchRequest
from irjudge.store import create_project, open_project

TEXTS = {"d1": "tea and cups", "d2": "tea tea tea", "d3": "coffee"}
REQUEST = SearchRequest(run=NewRunRequest(name="new"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project with three documents, two topics and qrels."""
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-1"), title="Tea", owner="ann") as made:
        made.collection.add_topics([Topic("1", "tea"), Topic("2", "coffee")])
        made.collection.add_documents(
            Document(name, text.encode(), "") for name, text in TEXTS.items()
        )
        made.rankings.add_qrels("truth", make_qrels([("1", "d1", 1), ("2", "d3", 1)]))
    return path


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Return files with the same documents and topics."""
    documents, topics = tmp_path / "documents.jsonl", tmp_path / "topics.tsv"
    lines = [json.dumps({"id": name, "text": text}) for name, text in TEXTS.items()]
    documents.write_text("\n".join(lines), encoding="utf-8")
    topics.write_text("1\ttea\n2\tcoffee\n", encoding="utf-8")
    return documents, topics


def test_a_search_is_stored_in_the_project_or_written(project: Path, tmp_path: Path) -> None:
    output = tmp_path / "new.run"
    with open_project(project) as opened:
        written = replace(REQUEST, only="1", run=NewRunRequest(name="new", output=output))
        assert search_documents(opened, written).run.topics == ("1",)
        assert not opened.rankings.runs()
        made = search_documents(opened, REQUEST)
        assert [run.name for run in opened.rankings.runs()] == ["new"]
    # d2 has the word more often in a text of the same length; topic 2 matches one document
    assert made.run.document.to_pylist() == ["d2", "d1", "d3"] and made.notes == ()
    assert read_run(output).document.to_pylist() == ["d2", "d1"]


def test_files_are_searched_like_a_project(files: tuple[Path, Path]) -> None:
    documents, topics = files
    made = search_documents([documents], replace(REQUEST, topics_file=topics))
    assert made.run.document.to_pylist() == ["d2", "d1", "d3"]
    explained, _ = explain_search(
        [documents], replace(REQUEST, topics_file=topics, only="2", explain="d3")
    )
    assert [each.document_frequency for each in explained.terms] == [1] and explained.documents == 3
    assert explained.score == pytest.approx(float(made.run.score[2]))


def test_searches_are_compared_and_not_stored(project: Path) -> None:
    with open_project(project) as opened:
        alone = compare_searches(opened, [SearchOptions()], name="new")
        several = compare_searches(
            opened, replace(REQUEST, vary=("k1=0.5,0.9",)).all_options(), only="2"
        )
        assert not opened.rankings.runs()
    # the only relevant document of topic 1 is second, that of topic 2 first: AP is (1/2 + 1) / 2
    assert [(each.name, each.values[0]) for each in alone.summaries] == [("new", 0.75)]
    assert alone.best[0] == ("AP", "new", 0.75)
    assert [each.values[0] for each in several.summaries] == [1, 1] and len(several.best) == 2


def test_runs_are_fused_in_the_project_or_from_files(project: Path, tmp_path: Path) -> None:
    with open_project(project) as opened:
        for name in ("a", "b"):
            search_documents(opened, replace(REQUEST, run=NewRunRequest(name=name)))
        made = fuse_sources(opened, FusionRequest(run=NewRunRequest(depth=1)))
        assert [run.name for run in opened.rankings.runs()] == ["a", "b", made.run.name]
    assert made.run.document.to_pylist() == ["d2", "d3"]
    paths = [tmp_path / "x.run", tmp_path / "y.run"]
    for path, document in zip(paths, ("d1", "d2"), strict=True):
        path.write_text(f"1 Q0 {document} 1 9 {path.stem}\n", encoding="utf-8")
    assert fuse_sources(paths, FusionRequest(method="combsum")).run.document.to_pylist() == [
        "d1",
        "d2",
    ]


@pytest.mark.parametrize(
    ("request_", "named"),
    [
        (SearchRequest(topics_file=Path("t")), "--topics"),
        (SearchRequest(ranker="nonsense"), "nonsense"),
        (SearchRequest(fields="nonsense"), "nonsense"),
        (SearchRequest(only="77"), "77"),
    ],
)
def test_a_request_that_does_not_fit_a_project_is_refused(
    request_: SearchRequest, named: str, project: Path
) -> None:
    with open_project(project) as opened, pytest.raises(IrjudgeError, match=named):
        search_documents(opened, request_)


def test_requests_that_cannot_be_computed_are_refused(project: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        search_documents([], REQUEST)
    assert error.value.key == "no-topics"
    with open_project(project) as opened:
        with pytest.raises(IrjudgeError) as error:
            explain_search(opened, replace(REQUEST, explain="d1"))
        assert error.value.values["count"] == "2"
        with pytest.raises(IrjudgeError, match="mtf"):
            fuse_sources(opened, FusionRequest(method="mtf"))

"""Tests of near-duplicates by request: of files and projects, in a pool, and grades to copy."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import NearDuplicatesRequest, list_near_duplicates
from irjudge.exchange import create_pool
from irjudge.model import Scale
from irjudge.pooling import PoolRequest
from irjudge.store import Project, Sources, create_project_from_files, open_project

TEXT = "the tide comes in twice a day because the moon draws the water"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Documents a and b have one text, c another; a is judged on topic 1, and both on topic 2."""
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "cache"))
    texts = {"a": TEXT, "b": TEXT.upper(), "c": "bread and dough"}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    (tmp_path / "q.txt").write_text("1 0 a 1\n2 0 a 1\n2 0 b 0\n")
    lines = (f"{topic} Q0 {name} 1 {-ord(name)} r\n" for topic in "12" for name in "abc")
    (tmp_path / "r.run").write_text("".join(lines))
    sources = Sources(
        documents=[tmp_path / f"{name}.txt" for name in texts],
        runs=[tmp_path / "r.run"],
        qrels=[tmp_path / "q.txt"],
    )
    create_project_from_files(tmp_path / "p.irjudge", sources, scale=Scale.parse("0-1"))
    with open_project(tmp_path / "p.irjudge") as opened:
        yield opened


def test_groups_are_those_of_the_files(project: Project) -> None:
    files = [project.path.with_name(f"{name}.txt") for name in "abc"]
    expected = [(1, "a", 1.0), (1, "b", 1.0)]
    assert list(list_near_duplicates(files).rows) == expected
    assert list(list_near_duplicates(project).rows) == expected


def test_pooled_duplicates_and_grades_to_copy_are_listed(project: Project) -> None:
    create_pool(project, PoolRequest(depth=3))
    pooled = list_near_duplicates(project, NearDuplicatesRequest(pooled=True))
    assert list(pooled.rows) == [(topic, "a", name) for topic in "12" for name in "ab"]
    assert pooled.notes[0].values["count"] == "2"
    offered = list_near_duplicates(project, NearDuplicatesRequest(offer=True))
    assert list(offered.rows) == [("1", "b", 1, "a", 1.0)]
    assert offered.notes[0].values == {"topic": "2", "grades": "a 1, b 0"}


def test_only_grades_are_copied_and_only_to_unjudged_documents(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of the equal a b c d, a is unjudged (-1), b has 1 and d is unjudgeable; x and y have none.

    So 1 of b is offered for a and c, nothing for d, x and y, and no grades are inconsistent.
    """
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "cache"))
    texts = {**dict.fromkeys("abcd", TEXT), **dict.fromkeys("xy", "bread and dough and water")}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(text)
    (tmp_path / "q.txt").write_text("1 0 a -1\n1 0 b 1\n1 0 d -2\n1 0 x -1\n")
    (tmp_path / "r.run").write_text("".join(f"1 Q0 {id} 1 {-ord(id)} r\n" for id in texts))
    sources = Sources(
        documents=[tmp_path / f"{name}.txt" for name in texts],
        runs=[tmp_path / "r.run"],
        qrels=[tmp_path / "q.txt"],
    )
    create_project_from_files(tmp_path / "p.irjudge", sources, scale=Scale.parse("0-1"))
    with open_project(tmp_path / "p.irjudge") as project:
        create_pool(project, PoolRequest(depth=6))
        offered = list_near_duplicates(project, NearDuplicatesRequest(offer=True))
    assert list(offered.rows) == [("1", "a", 1, "b", 1.0), ("1", "c", 1, "b", 1.0)]
    assert len(offered.notes) == 1


@pytest.mark.parametrize("request_", [{"pooled": True}, {"offer": True}])
def test_a_pool_is_required(project: Project, request_: dict) -> None:
    for source, key in (
        (project, "no-pool"),
        ([project.path.with_name("a.txt")], "project-needed"),
    ):
        with pytest.raises(IrjudgeError) as error:
            list_near_duplicates(source, NearDuplicatesRequest(**request_))
        assert error.value.key == key


def test_suggested_grades_show_the_overlap_with_the_graded_document(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two documents overlap 18/20 with the first one, and 17/21 with each other, by hand."""
    monkeypatch.setenv("IRJUDGE_CACHE", str(tmp_path / "cache"))
    words = [f"w{number}" for number in range(21)]  # 19 shingles
    texts = {"a": words, "b": ["x", *words[1:]], "c": [*words[:-1], "y"]}
    for name, text in texts.items():
        (tmp_path / f"{name}.txt").write_text(" ".join(text))
    (tmp_path / "q.txt").write_text("1 0 b 1\n")
    lines = (f"1 Q0 {name} 1 {-ord(name)} r\n" for name in "abc")
    (tmp_path / "r.run").write_text("".join(lines))
    sources = Sources(
        documents=[tmp_path / f"{name}.txt" for name in texts],
        runs=[tmp_path / "r.run"],
        qrels=[tmp_path / "q.txt"],
    )
    create_project_from_files(tmp_path / "p.irjudge", sources, scale=Scale.parse("0-1"))
    with open_project(tmp_path / "p.irjudge") as project:
        create_pool(project, PoolRequest(depth=3))
        rows = list_near_duplicates(project, NearDuplicatesRequest(offer=True)).rows
    assert list(rows) == [
        ("1", "a", 1, "b", pytest.approx(18 / 20)),
        ("1", "c", 1, "b", pytest.approx(17 / 21)),
    ]

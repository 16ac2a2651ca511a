"""Tests of explanations by request, and of values for a user who knows some documents."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    EvaluationSettings,
    UserRequest,
    evaluate_for_user,
    explain_sources,
)
from irjudge.judging import create_sample_project


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Documents b and d are relevant; the run has d at rank 2; the user knew b and d on topic 1."""
    (tmp_path / "q.txt").write_text("1 0 b 1\n1 0 d 1\n1 0 e 1\n2 0 b 1\n")
    (tmp_path / "k.txt").write_text("3 0 a 1\n1 0 b 1\n1 0 d 1\n")
    (tmp_path / "a.run").write_text("1 Q0 x 1 3 a\n1 Q0 d 2 2 a\n1 Q0 e 3 1 a\n")
    return tmp_path


def test_each_measure_is_explained_from_files(files: Path) -> None:
    settings = EvaluationSettings(measures=("RR P@2",))
    explained = explain_sources(files / "q.txt", files / "a.run", "1", settings)
    assert [each.result.rpartition(" = ")[2] for each in explained.explanations] == ["0.5", "0.5"]
    assert explained.policy == settings.policy() and explained.warnings == ()


def test_a_run_of_a_project_is_named(tmp_path: Path) -> None:
    path = tmp_path / "t.irjudge"
    create_sample_project(path, "textbook")
    settings = EvaluationSettings(measures=("AP",))
    with pytest.raises(IrjudgeError) as error:
        explain_sources(path, Path("nobody"), "1", settings)
    names = error.value.values["names"].split(", ")
    assert error.value.values["name"] == "'nobody'" and "textbook" in names


def test_the_default_measures_are_explained_if_none_is_given(files: Path) -> None:
    explained = explain_sources(files / "q.txt", files / "a.run", "1", EvaluationSettings())
    names = [each.measure.name for each in explained.explanations]
    assert names == ["AP", "P@10", "nDCG@10", "RR"]


def test_user_measures_of_two_known_documents_are_right(files: Path) -> None:
    # only topic 1 is in both qrels. Known: d of b and d was found. Relevant found: d, e; e is new
    request = UserRequest(known=files / "k.txt", wanted=2)
    table = evaluate_for_user(files / "q.txt", [files / "a.run"], request)
    assert {(measure, topic): value for _, measure, topic, value in table.rows} == {
        (measure, topic): pytest.approx(value)
        for measure, value in (
            ("coverage", 1 / 2),
            ("novelty", 1 / 2),
            ("relative_recall", 1),
            ("recall_effort", 2 / 3),
        )
        for topic in ("1", "all")
    }
    assert table.notes == () == table.warnings


@pytest.mark.parametrize(
    ("known", "only", "values"),
    [("2 0 z 1\n", "9", {}), ("9 0 z 1\n", "", {"first": "q.txt", "second": "k.txt"})],
)
def test_a_user_without_common_topics_is_refused(
    files: Path, known: str, only: str, values: dict
) -> None:
    (files / "k.txt").write_text(known)
    with pytest.raises(IrjudgeError) as error:
        evaluate_for_user(
            files / "q.txt", [files / "a.run"], UserRequest(known=files / "k.txt", only=only)
        )
    assert values.items() <= error.value.values.items()

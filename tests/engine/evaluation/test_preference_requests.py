"""Tests of preference requests: tables alone, and compared with measures and runs."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import PreferencesRequest, analyse_preferences
from irjudge.formats.rankings import GradesRequest


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Run a finds the relevant document first and is preferred on topic 1, b on topic 2."""
    (tmp_path / "p.csv").write_text("topic,left,right,winner\n1,a,b,left\n2,a,b,right\n")
    (tmp_path / "d.csv").write_text("topic,left,right,winner\n1,x,y,left\n")
    (tmp_path / "q.txt").write_text("1 0 x 1\n2 0 x 1\n")
    for name, order in (("a", "xy"), ("b", "yx")):
        lines = (
            f"{topic} Q0 {document} 1 {-index} {name}\n"
            for topic in "12"
            for index, document in enumerate(order)
        )
        (tmp_path / f"{name}.run").write_text("".join(lines))
    return tmp_path


def statistics(files: Path, name: str, part: str, **options):
    results = analyse_preferences(files / name, PreferencesRequest(samples=10, **options))
    return [each for each in results.findings if each.part == part]


def test_answers_of_a_table_are_counted(files: Path) -> None:
    counts = {each.statistic: each.count for each in statistics(files, "p.csv", "answers")}
    assert [counts[name] for name in ("left", "right", "tie")] == [1, 1, 0]
    winners = {"winners": "left:right,right:right"}
    counts = {
        each.statistic: each.count for each in statistics(files, "p.csv", "answers", **winners)
    }
    assert [counts[name] for name in ("left", "right", "tie")] == [0, 2, 0]


def test_a_measure_agrees_where_it_favours_the_preferred_run(files: Path) -> None:
    # # P@1 favours a on both topics, the preferences only on topic 1
    runs = (files / "a.run", files / "b.run")
    result = statistics(
        files, "p.csv", "measures", qrels=files / "q.txt", runs=runs, measures=("P@1",)
    )
    assert [(each.count, each.total) for each in result if each.count is not None] == [(1, 2)]


def test_runs_are_compatible_with_preferred_documents(files: Path) -> None:
    runs = (files / "a.run", files / "b.run")
    result = statistics(files, "d.csv", "measures", documents=True, runs=runs)
    values = {each.first: each.value for each in result if not each.topic}
    assert values["a"] == pytest.approx(1) and values["b"] < 1


@pytest.mark.parametrize(
    "options",
    [
        {"how": GradesRequest(gains=True)},
        {"documents": True, "measures": ("P@1",)},
        {"measures": ("P@1",)},
        {"columns": "left=nothing"},
        {"winners": "x"},
        {"share": 1.5},
    ],
)
def test_unsuitable_requests_are_refused(files: Path, options: dict) -> None:
    with pytest.raises(IrjudgeError):
        statistics(files, "d.csv" if options.get("documents") else "p.csv", "answers", **options)

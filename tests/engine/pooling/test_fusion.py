"""Tests of run fusion, worked by hand."""

import pytest

from irjudge.errors import IrjudgeError
from irjudge.model import Run, make_run
from irjudge.pooling import fuse_runs, list_fusion_strategies, parse_fusion_strategy

A = make_run("a", [("1", "x", 4.0), ("1", "y", 3.0), ("1", "z", 0.0), ("2", "x", 1.0)])
B = make_run("b", [("1", "y", 20.0), ("1", "w", 10.0)])


def rows(run: Run) -> dict[tuple[str, str], float]:
    return {
        (run.topics[topic], id): score
        for topic, id, score in zip(run.topic, run.document.to_pylist(), run.score, strict=True)
    }


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("rrf", {"y": 1 / 62 + 1 / 61, "x": 1 / 61, "w": 1 / 62, "z": 1 / 63}),
        ("rrf(k=1)", {"y": 1 / 3 + 1 / 2, "x": 1 / 2, "w": 1 / 3, "z": 1 / 4}),
        ("combsum", {"y": 0.75 + 1, "x": 1, "w": 0, "z": 0}),
        ("combmnz", {"y": 2 * 1.75, "x": 1, "w": 0, "z": 0}),
        ("borda", {"y": -3, "x": -(1 + 3.5), "w": -(4 + 2), "z": -(3 + 3.5)}),
    ],
)
def test_scores_are_those_worked_by_hand(name: str, expected: dict[str, float]) -> None:
    run = fuse_runs([A, B], parse_fusion_strategy(name), "both")
    assert {id: score for (topic, id), score in rows(run).items() if topic == "1"} == pytest.approx(
        expected
    )
    assert run.document.to_pylist()[0] == "y" and run.rank.tolist() == [1, 2, 3, 4, 1]


def test_a_run_is_cut_at_its_depth() -> None:
    assert list(rows(fuse_runs([A, B], parse_fusion_strategy("rrf"), "both", depth=2))) == [
        ("1", "y"),
        ("1", "x"),
        ("2", "x"),
    ]


def test_every_method_fuses() -> None:
    for each in list_fusion_strategies():
        assert len(fuse_runs([A, B], parse_fusion_strategy(each.name), "both")) == 5


@pytest.mark.parametrize(
    ("name", "message"),
    [("depth", "provides no scores"), ("mtf", "provides no scores"), ("rff", "Did you mean rrf")],
)
def test_invalid_fusions_are_refused(name: str, message: str) -> None:
    with pytest.raises(IrjudgeError, match=message):
        parse_fusion_strategy(name)


def test_one_run_is_not_fused() -> None:
    with pytest.raises(IrjudgeError) as error:
        fuse_runs([A], parse_fusion_strategy("rrf"), "both")
    assert error.value.values["count"] == "1"

"""Tests of bounds by request: of runs, of differences, and the next documents to judge."""

from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.evaluation import BoundsRequest, QrelsRequest, bound_sources


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Document x is relevant and y unjudged; run a has y first, b has x first."""
    (tmp_path / "q.txt").write_text("1 0 x 1\n1 0 y -1\n")
    (tmp_path / "a.run").write_text("1 Q0 y 1 2 a\n1 Q0 x 2 1 a\n")
    (tmp_path / "b.run").write_text("1 Q0 x 1 2 b\n1 Q0 z 2 1 b\n")
    return tmp_path


def bounds(files: Path, *names: str, **options):
    request = BoundsRequest(measures=("P@1 RR",), **options)
    return bound_sources(files / "q.txt", [files / f"{name}.run" for name in names], request)


def test_bounds_are_the_extremes_over_all_judgments(files: Path) -> None:
    table = bounds(files, "a", "b")
    assert list(table.rows) == [
        ("a", "P@1", "all", 0.0, 0.0, 1.0),
        ("a", "RR", "all", 0.5, 0.5, 1.0),
        ("b", "P@1", "all", 1.0, 1.0, 1.0),
        ("b", "RR", "all", 1.0, 1.0, 1.0),
    ]
    assert table.policy.topics == "both"
    assert {"count": "1", "grades": "0, 1"}.items() <= table.notes[0].values.items()


def test_a_difference_is_narrower_than_the_two_intervals(files: Path) -> None:
    table = bounds(files, "a", "b", difference=True, per_topic=True)
    assert [row[3:] for row in table.rows if row[0] == "P@1"] == [
        (topic, -1.0, -1.0, 0.0, "can_change") for topic in ("1", "all")
    ]
    assert table.notes[0].values["name"] == "can_change"


def test_the_next_document_is_the_unjudged_one(files: Path) -> None:
    table = bounds(files, "a", "b", difference=True, count=3)
    # # judging y relevant would help a: P@1 by 1, and RR by 1 - 1/2
    assert list(table.rows) == [
        ("P@1", "a", "b", "1", "y", 1, None, 1.0),
        ("RR", "a", "b", "1", "y", 1, None, 0.5),
    ]


def test_a_higher_grade_of_the_scale_is_possible(files: Path) -> None:
    assert bounds(files, "a", highest=3).notes[0].values["grades"] == "0, 1, 2, 3"


@pytest.mark.parametrize(
    ("names", "options", "values"),
    [
        ("ab", {"count": 3}, {}),
        ("a", {"difference": True}, {"count": "1"}),
        ("a", {"qrels": QrelsRequest(which="consensus")}, {"path": "q.txt"}),
        ("a", {"qrels": QrelsRequest(only="9")}, {"example": "1"}),
    ],
)
def test_requests_without_bounds_are_refused(
    files: Path, names: str, options: dict, values: dict
) -> None:
    with pytest.raises(IrjudgeError) as error:
        bounds(files, *names, **options)
    assert values.items() <= error.value.values.items()


def test_exchanged_qrels_and_run_are_detected(files: Path) -> None:
    with pytest.raises(IrjudgeError) as error:
        bound_sources(files / "a.run", [files / "q.txt"])
    assert error.value.key == "exchanged"

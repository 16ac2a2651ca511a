"""Tests of `irjudge user`: coverage, novelty, relative recall and recall effort from files."""

from collections.abc import Callable
from pathlib import Path

import pytest

from irjudge.cli.main import main


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Ten documents are retrieved.

    Relevant are d1 d3 d5 d7 and two others; the user knew d3, d7 and one that was not retrieved.
    """
    (tmp_path / "run").write_text(
        "".join(f"1 Q0 d{index} {index} {20 - index} r\n" for index in range(1, 11)),
        encoding="utf-8",
    )
    (tmp_path / "qrels").write_text(
        "".join(f"1 0 {name} 1\n" for name in "d1 d3 d5 d7 x y".split()) + "2 0 d1 1\n",
        encoding="utf-8",
    )
    (tmp_path / "known").write_text("1 0 d3 1\n1 0 d7 1\n1 0 x 1\n3 0 d1 1\n", encoding="utf-8")
    return tmp_path


@pytest.fixture
def user(files: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    def run(*options: str) -> tuple[int, str, str]:
        names = [str(files / name) for name in ("qrels", "run")]
        code = main(["user", *names, "--known", str(files / "known"), "--format", "csv", *options])
        return code, *capsys.readouterr()

    return run


def values(result: tuple[int, str, str]) -> dict[tuple[str, str], float]:
    code, out, _ = result
    assert code == 0
    lines = [line.split(",") for line in out.splitlines()[1:]]
    return {(measure, topic): float(value) for _, measure, topic, value in lines}


def test_the_four_measures_have_the_values_worked_by_hand(
    user: Callable[..., tuple[int, str, str]],
) -> None:
    result = values(user("--wanted", "4"))
    assert result["coverage", "1"] == pytest.approx(2 / 3)  # d3 and d7 of the three known
    assert result["novelty", "1"] == pytest.approx(
        2 / 4
    )  # d1 and d5 of the four relevant retrieved are new
    assert result["relative_recall", "1"] == 1  # four of four wanted
    assert result["recall_effort", "1"] == pytest.approx(4 / 7)  # the fourth has rank 7
    assert {topic for _, topic in result} == {"1", "all"}  # topics of both files


def test_only_the_top_counts_when_a_depth_is_given(
    user: Callable[..., tuple[int, str, str]],
) -> None:
    result = values(user("--depth", "3"))
    assert result["coverage", "all"] == pytest.approx(1 / 3) and result[
        "novelty", "all"
    ] == pytest.approx(1 / 2)
    assert ("relative_recall", "all") not in result


def test_files_without_a_common_topic_are_refused(
    user: Callable[..., tuple[int, str, str]], files: Path
) -> None:
    (files / "known").write_text("9 0 d3 1\n", encoding="utf-8")
    code, out, err = user()
    assert code == 2 and not out and err.startswith("irjudge: qrels ") and " known " in err

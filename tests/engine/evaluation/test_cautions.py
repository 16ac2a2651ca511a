"""Tests of warnings about values that are easily misread."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import pytest
from click.testing import CliRunner

import irjudge
from irjudge.cli.main import irjudge as command
from irjudge.evaluation import evaluate_sources
from irjudge.message import Message
from irjudge.stats import SERIAL, Workers

ROUNDS = "1 0.5 x 1\n1 1 y 1\n1 1 z 0\n"
SUBTOPICS = "1 1 x 1\n1 2 x 0\n1 2 y 1\n"
RUN = "1 Q0 x 1 2 t\n1 Q0 y 2 1 t\n"


def evaluate_warnings(folder: Path, qrels: str, measure: str, run: str = RUN) -> str:
    (folder / "q.qrels").write_text(qrels)
    (folder / "r.run").write_text(run)
    done = CliRunner().invoke(
        command, ["evaluate", str(folder / "q.qrels"), str(folder / "r.run"), "-m", measure]
    )
    assert done.exit_code == 0
    return done.stderr


@pytest.mark.parametrize("measure", ["alpha-nDCG@5", "ERR-IA@5", "P-IA@5", "StRecall@5"])
def test_possible_judging_rounds_in_column_2_give_a_warning(tmp_path: Path, measure: str) -> None:
    cautioned = evaluate_warnings(tmp_path, ROUNDS, measure)
    assert "column 2" in cautioned and "(0.5, 1)" in cautioned and "subtopics" in cautioned
    frame = irjudge.evaluate(tmp_path / "q.qrels", tmp_path / "r.run", measure)
    assert frame.attrs["remarks"][0].startswith(measure)
    assert "subtopics" not in evaluate_warnings(tmp_path, SUBTOPICS, measure)


def test_measures_without_subtopics_give_no_warning_about_column_2(tmp_path: Path) -> None:
    assert "column 2" not in evaluate_warnings(tmp_path, ROUNDS, "AP")


def test_set_f_reports_which_beta_it_uses(tmp_path: Path) -> None:
    cautioned = evaluate_warnings(tmp_path, SUBTOPICS, "SetF(beta=2)")
    assert "SetF(beta=2): " in cautioned and "set_F.2" in cautioned
    assert "beta" not in evaluate_warnings(tmp_path, SUBTOPICS, "SetF")
    assert "ir_measures" not in evaluate_warnings(tmp_path, SUBTOPICS, "set_F.2")


def test_ranks_that_contradict_the_scores_give_a_warning(tmp_path: Path) -> None:
    misordered_run = "1 Q0 x 1 0.2 t\n1 Q0 y 2 0.9 t\n2 Q0 x 1 5 t\n2 Q0 y 2 4 t\n"
    err = evaluate_warnings(tmp_path, SUBTOPICS, "AP", misordered_run)
    assert "r.run: the ranks contradict" in err
    assert "0.2 at rank 1" in err and "0.9 at rank 2" in err and "topic 2" not in err


@pytest.mark.parametrize(
    "run",
    [
        RUN,
        "1 Q0 x 1 2 t\n1 Q0 y 1 3 t\n",
        "1 Q0 y 2 1 t\n1 Q0 x 1 2 t\n",
        "1 Q0 x 1 2 t\n1 Q0 y 2 2 t\n",
    ],
)
def test_equal_unordered_or_tied_ranks_give_no_warning(tmp_path: Path, run: str) -> None:
    assert "contradict" not in evaluate_warnings(tmp_path, SUBTOPICS, "AP", run)


@pytest.mark.parametrize("scores", [(0.25, 0.5), (0.5, 0.25), (1.0, 2.0)])
@pytest.mark.parametrize("workers", [None, SERIAL])
def test_parquet_scores_that_contradict_ranks_or_look_like_ranks_give_a_warning(
    tmp_path: Path, scores: tuple[float, float], workers: Workers | None
) -> None:
    has_ranks = scores != (1.0, 2.0)
    rows = [
        {"qid": topic, "docno": document, "score": score} | ({"rank": rank} if has_ranks else {})
        for topic in "1234"
        for document, rank, score in zip("xy", (1, 2), scores, strict=True)
    ]
    (tmp_path / "q.qrels").write_text(SUBTOPICS)
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), tmp_path / "r.parquet")
    evaluation = evaluate_sources(tmp_path / "q.qrels", [tmp_path / "r.parquet"], workers=workers)
    keys = {warning.key for warning in evaluation.warnings if isinstance(warning, Message)}
    assert ("contradicting-ranks" in keys) == (scores == (0.25, 0.5))
    assert ("scores-as-ranks" in keys) == (scores == (1.0, 2.0))

"""Tests that trec_eval's printed output is reproduced to the last byte.

On NIST's test files, TREC Deep Learning 2021 and TREC-COVID round 1.
"""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from irjudge.cli.main import irjudge
from irjudge.evaluation import (
    Evaluation,
    Policy,
    evaluate_runs,
    parse_measures,
    parse_measures_and_texts,
)
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.metrics import Measure
from irjudge.report import write_trec

PARAMETERS = (
    "iprec_at_recall..10,.20,.25,.75,.50 P.5,7,3 recall.20,2000 Rprec_mult.0.2,0.35,5.0 utility.2,-1,0,0 11pt_avg..25,.5,.75 "
    "ndcg.1=3,2=9,4=4.5 ndcg_cut.10,20,23.4 success.2,5,20"
)
# Expected output, qrels, run, and options; trec_eval 10.0's options in the order of its test
# script.
NIST = {
    "out.test": ("qrels.test", "results.test", "official", ""),
    "out.comment.test": ("qrels.comment.test", "results.comment.test", "official", ""),
    "out.test.a": ("qrels.test", "results.test", "all_trec", ""),
    "out.test.aq": ("qrels.test", "results.test", "all_trec", "--per-topic"),
    "out.test.aqc": ("qrels.test", "results.trunc", "all_trec", "--per-topic --topics qrels"),
    "out.test.aqcM": (
        "qrels.test",
        "results.trunc",
        "all_trec",
        "--per-topic --topics qrels --depth 100",
    ),
    "out.test.aql": (
        "qrels.rel_level",
        "results.test",
        "all_trec relstring.20",
        "--per-topic --rel 2",
    ),
    "out.test.meas_params": ("qrels.test", "results.test", PARAMETERS, "--per-topic"),
}


@pytest.mark.parametrize("expected", NIST)
def test_the_output_for_nists_test_files_is_equal_byte_by_byte(data: Path, expected: str) -> None:
    folder = data / "trec_eval"
    qrels, run, measures, options = NIST[expected]
    command = [
        "evaluate",
        str(folder / qrels),
        str(folder / run),
        "-m",
        measures,
        "--profile",
        "trec_eval-10",
        "--format",
        "trec",
    ]
    done = CliRunner().invoke(irjudge, [*command, *options.split()])
    assert done.exit_code == 0, done.output
    # 10.0 prints uninitialised memory as `rbp`; the expected files have the defined values, so they
    # are compared too.
    assert done.stdout.splitlines() == (folder / expected).read_text().splitlines()
    assert done.stdout_bytes == (folder / expected).read_bytes()


@pytest.mark.parametrize("profile", ["trec_eval-9", "trec_eval-10"])
def test_with_all_topics_the_sum_of_relevant_documents_counts_every_grade_above_0(
    data: Path, profile: str
) -> None:
    """With -c, trec_eval's m_num_rel.c recounts qrels with rel > 0; else it adds up topics."""
    qrels, run = (str(data / "trec_eval" / name) for name in ("qrels.rel_level", "results.test"))
    grades = [int(line.split()[3]) for line in Path(qrels).read_text().splitlines()]
    command = [
        "evaluate",
        qrels,
        run,
        "-m",
        "num_rel",
        "--rel",
        "2",
        "--profile",
        profile,
        "--format",
        "trec",
    ]

    def total(*options: str) -> int:
        done = CliRunner().invoke(irjudge, [*command, *options])
        assert done.exit_code == 0, done.output
        return int(done.stdout.split()[-1])

    assert total("--topics", "qrels") == sum(grade > 0 for grade in grades)
    assert total() == sum(grade >= 2 for grade in grades)


def test_a_gzip_file_and_comments_give_the_same_output(data: Path) -> None:
    folder = data / "trec_eval"
    command = [
        "evaluate",
        str(folder / "qrels.test.with-comments"),
        str(folder / "results.test"),
        "-m",
        "official",
    ]
    done = CliRunner().invoke(irjudge, [*command, "--profile", "trec_eval-10", "--format", "trec"])
    assert done.stdout == (folder / "out.test").read_text()


DL_RUNS = (
    "Fast_ForwardP_2",
    "NLE_P_v1",
    "ielab-uniCOIL",
    "p_bm25",
    "p_bm25rm3",
    "pash_f1",
    "top1000",
    "uogTrPCP",
)


def deep_learning(
    data: Path,
    name: str,
    wishes: str,
    profile: str = "trec_eval-9",
    change: Callable[[Measure], Measure] = lambda measure: measure,
) -> Evaluation:
    wished, texts = parse_measures_and_texts(wishes.split(), profile=profile)
    measures = [change(measure) for measure in wished]
    run = read_run(data / "trec_dl" / "runs" / name)
    return evaluate_runs(
        read_qrels(data / "trec_dl" / "dl21-passage.txt"),
        [run],
        measures,
        Policy(profile=profile),
        texts=texts,
    )


def to_arm(measure: Measure) -> Measure:
    """Return the measure as trec_eval 9 has it on ARM, where recall levels are rounded once."""
    changed = (
        (name, "trec9fused" if value == "trec9" else value) for name, value in measure.parameters
    )
    return replace(measure, parameters=tuple(changed))


def print_evaluation(evaluation: Evaluation) -> str:
    text = io.StringIO()
    write_trec(evaluation, text, per_topic=True)
    return text.getvalue()


@pytest.mark.parametrize("name", DL_RUNS)
def test_published_values_of_each_topic_are_reproduced(data: Path, name: str) -> None:
    for ending, wishes in (("treceval", "official"), ("ndcgeval", "Rndcg ndcg_cut")):
        expected = (data / "trec_dl" / "treceval" / f"{name}.{ending}").read_text()
        evaluation = deep_learning(data, name, wishes)
        arm = deep_learning(data, name, wishes, change=to_arm)
        # The levels were published from a machine that rounds once; they have the names of that
        # profile.
        assert (
            print_evaluation(replace(arm, measures=evaluation.measures)).splitlines()
            == expected.splitlines()
        )


@pytest.mark.parametrize("name", ["Fast_ForwardP_2", "ielab-uniCOIL"])
def test_scores_in_double_precision_give_other_values(data: Path, name: str) -> None:
    old, new = (
        deep_learning(data, name, "map", profile).runs[0]
        for profile in ("trec_eval-9", "trec_eval-10")
    )
    assert old.values.round(4).tolist() != new.values.round(4).tolist()
    assert old.coverage.tied > new.coverage.tied


def test_the_leaderboard_of_trec_covid_is_reproduced(data: Path) -> None:
    folder = data / "trec_covid"
    qrels = read_qrels(folder / "qrels" / "covid-round1.txt")
    with (folder / "leaderboards" / "round1.csv").open(newline="") as file:
        board = {
            row["run"]: [row[name] for name in ("ndcg@10", "p@5", "RBP(p=.5)", "bpref", "MAP")]
            for row in csv.DictReader(file)
        }
    measures = parse_measures(
        "nDCG@10 P@5 RBP(p=0.5,gain=graded) Bpref AP".split(), profile="trec_eval-9"
    )
    runs = (read_run(path) for path in sorted((folder / "runs").iterdir()))
    evaluation = evaluate_runs(qrels, runs, measures, Policy(profile="trec_eval-9"))
    assert len(evaluation.runs) == 20
    values = {
        run.run: [f"{value:.4f}" for value in run.summary.tolist()] for run in evaluation.runs
    }
    assert values == {name: board[name] for name in values}

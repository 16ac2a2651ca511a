"""Tests of estimates by request: of files, judged samples, judge plans, and with model labels."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irjudge.audit import (
    EstimateRequest,
    RunEstimateOptions,
    audit_model,
    estimate_runs_with_model,
    estimate_sources,
    forecast_margins,
    list_cautions,
    list_next_documents,
    make_plan_universe,
)
from irjudge.audit.run_estimates import PlanUniverse, count_outside_plan
from irjudge.errors import IrjudgeError
from irjudge.evaluation import IntervalRequest, Policy, QrelsRequest, parse_measures
from irjudge.formats.judgments import ModelLabel
from irjudge.judging import store_model_labels
from irjudge.message import Message
from irjudge.model import ModelJudge, Run, Scale, Ties, Topic, make_qrels, make_run
from irjudge.pooling import JudgePlanOptions, plan_pool
from irjudge.progress import SILENT
from irjudge.store import ImportReport, create_project


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write a sample in which x (probability 1) is relevant and y (probability 1/2) is not."""
    (tmp_path / "s.prels").write_text("1 x 1 0 1.0\n1 y 0 1 0.5\n1 z 0 1 NA\n")
    (tmp_path / "q.txt").write_text("1 0 x 1\n1 0 y 0\n")
    (tmp_path / "p.csv").write_text(
        "topic,document,order,stratum,probability\n1,x,1,1,1\n1,y,2,1,1\n"
    )
    (tmp_path / "a.run").write_text("1 Q0 y 1 2 a\n1 Q0 x 2 1 a\n")
    return tmp_path


def test_a_judged_sample_is_its_own_pool(files: Path) -> None:
    # one relevant document, at rank 2 below one that counts twice as not relevant
    request = EstimateRequest(measures=("statAP",), per_topic=True)
    table = estimate_sources(files / "s.prels", [files / "a.run"], request)
    assert list(table.rows) == [("a", "statAP", "1", 0.5), ("a", "statAP", "all", 0.5)]
    (skipped,) = table.warnings
    assert skipped.values == {"count": "1"}


def test_an_interval_needs_several_topics(files: Path) -> None:
    request = EstimateRequest(pool=files / "p.csv", spread=IntervalRequest(interval=True))
    table = estimate_sources(files / "q.txt", [files / "a.run"], request)
    assert table.columns == ("run", "measure", "topic", "value", "low", "high")
    ((*_, value, low, high),) = table.rows
    assert (value, low, high) == (pytest.approx(0.5, abs=1e-4), None, None)


def test_labels_of_a_model_are_corrected_by_the_judgments(tmp_path: Path) -> None:
    # 60 sampled documents are judged as by the model, every second one as relevant
    names = [f"d{number}" for number in range(60)]
    for name, line in (
        ("q.txt", "1 0 {name} {grade}\n"),
        ("a.run", "1 Q0 {name} 1 {score} a\n"),
        ("p.csv", "1,{name},1,1,0.5\n"),
    ):
        header = "topic,document,order,stratum,probability\n" if name == "p.csv" else ""
        lines = [line.format(name=each, grade=at % 2, score=-at) for at, each in enumerate(names)]
        (tmp_path / name).write_text(header + "".join(lines))
    qrels, runs = tmp_path / "q.txt", [tmp_path / "a.run"]
    how = {"pool": tmp_path / "p.csv", "model": str(qrels), "measures": ("P@60",)}
    table = estimate_sources(qrels, runs, EstimateRequest(**how))
    ((run, measure, value, low, high, _),) = table.rows
    assert (run, measure, value) == ("a", "P@60", pytest.approx(0.5))
    assert low <= value <= high and table.notes[0].values["judged"] == "60"
    assert "no-estimate" not in {note.key for note in table.notes}
    (tmp_path / "b.run").write_text("1 Q0 elsewhere 1 1 b\n")
    with_other_run = estimate_sources(qrels, [*runs, tmp_path / "b.run"], EstimateRequest(**how))
    (caution,) = [each for each in with_other_run.notes if each.key == "no-estimate"]
    assert caution.values == {"measure": "P@60", "runs": "b"}
    labels = tmp_path / "labels.txt"
    labels.write_text(qrels.read_text() + "1 0 d0 high\n")
    other_table = estimate_sources(qrels, runs, EstimateRequest(**{**how, "model": str(labels)}))
    assert list(other_table.rows) == list(table.rows)
    assert {warning.key for warning in other_table.warnings} >= {"no-grade", "answered-again"}
    ahead = estimate_sources(qrels, runs, EstimateRequest(show="next", **how))
    assert list(ahead.rows) == []  # no sampled document is unjudged


@pytest.mark.parametrize(
    ("options", "qrels", "runs", "key", "values"),
    [
        ({}, "q.txt", ["a.run"], "no-pool-file", {}),
        ({"pool": "p.csv"}, "q.txt", [], "no-pool-file", {}),
        ({"pool": "p.csv", "show": "next"}, "q.txt", ["a.run"], None, {"option": "show"}),
        (
            {"pool": "p.csv", "topics_in_all": 9},
            "q.txt",
            ["a.run"],
            None,
            {"option": "topics-in-all"},
        ),
        ({"qrels": QrelsRequest(which="x")}, "q.txt", ["a.run"], None, {"path": "q.txt"}),
    ],
)
def test_impossible_requests_are_refused(
    files: Path, options: dict, qrels: str, runs: list[str], key: str | None, values: dict
) -> None:
    if "pool" in options:
        options = options | {"pool": files / options["pool"]}
    with pytest.raises(IrjudgeError) as error:
        estimate_sources(files / qrels, [files / each for each in runs], EstimateRequest(**options))
    assert key in (None, error.value.key) and error.value.values == values


@pytest.mark.parametrize(("score", "is_lacking"), [(lambda at: 1.0, True), (float, False)])
@pytest.mark.parametrize("ties", ["docno", "trec"])
def test_documents_outside_the_plan_are_explained_by_its_ties(
    score: object, is_lacking: bool, ties: Ties
) -> None:
    assert callable(score)
    run = make_run("r", [("1", f"d{at:02}", score(at)) for at in range(30)])
    pool = plan_pool([run], JudgePlanOptions("m", 5, 10, ties="docno"), {}, 1)
    options = RunEstimateOptions(parse_measures(["P@10"]), Policy(ties=ties))
    cautions = list_cautions(make_plan_universe(pool, {}, {}, highest_grade=1), [run], options)
    hints = [each for each in cautions if isinstance(each, Message) and each.key == "other-ties"]
    assert bool(hints) == (is_lacking and ties == "trec")
    assert all(each.values == {"suggestion": "docno", "ties": "trec"} for each in hints)


def make_two_topics() -> tuple[PlanUniverse, Run]:
    """Return a plan of 60 judged documents per topic and a run that retrieves all of them.

    Only the first document of topic 1 is relevant, with grade 1 on a scale from 0 to 3.
    """
    documents = [f"d{number:02}" for number in range(60)]
    run = make_run("a", [(topic, each, -at) for topic in "12" for at, each in enumerate(documents)])
    grades = {(topic, each): 0 for topic in "12" for each in documents} | {("1", "d00"): 1}
    pool = plan_pool([run], JudgePlanOptions("m", 120, 60), grades, 3)
    pool = replace(pool, probability=np.full(120, 0.5))
    return make_plan_universe(pool, grades, grades, highest_grade=3), run


def test_an_approximation_uses_the_highest_grade_of_the_scale() -> None:
    population, run = make_two_topics()
    (estimate,) = estimate_runs_with_model(
        population, [run], RunEstimateOptions(parse_measures(["ERR@10"]))
    )
    # the probability of stopping at rank 1 is (2^1 - 1) / 2^3 in topic 1, and 0 in topic 2
    assert estimate.value == pytest.approx(1 / 16)


def test_estimates_and_forecasts_are_of_the_selected_topics() -> None:
    population, run = make_two_topics()
    options = RunEstimateOptions(parse_measures(["P@1", "AP"]), Policy(only="1"))
    estimates = estimate_runs_with_model(population, [run], options)
    assert [estimate.value for estimate in estimates] == [pytest.approx(1), pytest.approx(1)]
    everywhere = replace(options, policy=Policy())
    estimates = estimate_runs_with_model(population, [run], everywhere)
    assert [estimate.value for estimate in estimates] == [pytest.approx(0.5), pytest.approx(0.5)]
    assert forecast_margins(population, [run], options, 3)[-1].judgments == 60
    assert forecast_margins(population, [run], everywhere, 3)[-1].judgments == 120
    unjudged = replace(population, assessor_grade=np.full(120, -1))
    assert {each.topic for each in list_next_documents(unjudged, [run], options, 3)} == {"1"}
    with pytest.raises(IrjudgeError) as error:
        estimate_runs_with_model(population, [run], replace(options, policy=Policy(only="3")))
    assert error.value.values["topic"] == "3"


def test_documents_of_other_topics_are_not_outside_the_plan() -> None:
    population, run = make_two_topics()
    other = make_run("b", [("1", "d00", 2.0), ("2", "new", 1.0)])
    measures = parse_measures(["P@10"])
    assert count_outside_plan(population, [run, other], measures, Policy()) == {"b": 1}
    assert count_outside_plan(population, [run, other], measures, Policy(only="1")) == {}


def test_an_unjudgeable_document_does_not_prevent_the_estimates_of_a_project(
    tmp_path: Path,
) -> None:
    # d0, d2 … of each topic are relevant, but d0 is unjudgeable, so four of ten are relevant
    pairs = [(str(topic), f"d{number}") for topic in range(6) for number in range(10)]
    grades = {pair: 1 - int(pair[1][1:]) % 2 for pair in pairs}
    run = make_run("a", [(*pair, -float(pair[1][1:])) for pair in pairs])
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-1")) as project:
        project.collection.add_topics([Topic(str(topic), "tides") for topic in range(6)])
        project.rankings.add_run(run, "a.run")
        project.rankings.add_pool(plan_pool([run], JudgePlanOptions("m", 55), grades, 1))
        judged = [(*pair, -2 if pair[1] == "d0" else grades[pair]) for pair in pairs]
        project.rankings.add_qrels("q", make_qrels(judged), "q.txt")
        labels = [ModelLabel(1, *pair, grade) for pair, grade in grades.items()]
        store_model_labels(project, labels, ModelJudge("m"), "m.txt", ImportReport(), SILENT)
        audit = audit_model(project, "m", "nDCG@10")
    assert audit.is_planned
    estimate = next(each for each in audit.estimates if each.measure == "P@10")
    assert estimate.low <= 0.4 <= estimate.high and estimate.value == pytest.approx(0.4, abs=0.02)

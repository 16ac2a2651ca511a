"""Tests of evaluating a project's runs under its own qrels."""

from dataclasses import replace

import pytest

from irjudge.errors import ProjectError
from irjudge.evaluation import Policy, evaluate_project, parse_measures
from irjudge.judging import QueueItem, Session, list_qrels_choices
from irjudge.model import make_qrels, make_run
from irjudge.pooling import PoolOptions, build_pool
from irjudge.store import open_project


def test_runs_are_evaluated_with_own_or_chosen_qrels(project_file):
    with open_project(project_file) as project:
        with pytest.raises(ProjectError, match="There are no qrels"):
            evaluate_project(project, parse_measures(["RR"]))
        project.rankings.add_run(make_run("other", [("051", "d1", 1.0)]))
        project.rankings.add_qrels("official", make_qrels([("051", "d0", 1)]))
        session = Session(project)
        session.grade(session.open_item(QueueItem("051", "d1")), 3)
        values = [
            (run.run, run.summary.tolist())
            for run in evaluate_project(project, parse_measures(["RR"])).runs
        ]
        assert values == [("bm25", [0.5]), ("other", [1.0])]
        official = list_qrels_choices(project)[1]
        values = [
            run.summary.tolist()
            for run in evaluate_project(project, parse_measures(["RR"]), Policy(), official).runs
        ]
        assert values == [[1.0], [0.0]]


def test_a_plain_measure_of_a_sampled_pool_gives_a_warning(project_file):
    with open_project(project_file) as project:
        run = make_run("long", [("051", f"d{at}", float(-at)) for at in range(2)])
        project.rankings.add_qrels("official", make_qrels([("051", "d0", 1)]))
        whole = build_pool([run], PoolOptions("depth", 2))
        project.rankings.add_pool(whole)
        session = Session(project)
        session.grade(session.open_item(QueueItem("051", "d1")), 3)
        measures = parse_measures(["AP", "infAP"])
        assert evaluate_project(project, measures).notes == ()
        project.rankings.add_pool(replace(whole, probability=whole.probability / 2))
        (caution,) = evaluate_project(project, measures).notes
        assert (caution.key, caution.values["names"]) == ("sampled-pool", "AP, infAP")
        assert "`irjudge estimate`" in caution
        # judgments from elsewhere were not sampled from this pool
        official = next(each for each in list_qrels_choices(project) if each.source == "imported")
        assert evaluate_project(project, measures, Policy(), official).notes == ()

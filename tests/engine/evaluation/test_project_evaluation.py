"""A project's runs under its own qrels."""

import pytest

from irjudge.errors import ProjectError
from irjudge.evaluation.project_evaluation import evaluate_project
from irjudge.evaluation.table import Policy, parse_measures
from irjudge.judging.judged_qrels import choices
from irjudge.judging.queue import QueuePlace
from irjudge.judging.session import Session
from irjudge.model.ranking import make_qrels, make_run
from irjudge.store.project import open_project


def test_runs_are_evaluated_with_what_was_judged_or_what_is_chosen(project_file):
    with open_project(project_file) as project:
        with pytest.raises(ProjectError, match="There are no qrels"):
            evaluate_project(project, parse_measures(["RR"]))
        project.rankings.add_run(make_run("other", [("051", "d1", 1.0)]))
        project.rankings.add_qrels("official", make_qrels([("051", "d0", 1)]))
        session = Session(project)
        session.grade(session.open_place(QueuePlace("051", "d1")), 3)
        values = [(run.run, run.summary.tolist()) for run in evaluate_project(project, parse_measures(["RR"])).runs]
        assert values == [("bm25", [0.5]), ("other", [1.0])]
        official = choices(project)[1]
        values = [run.summary.tolist() for run in evaluate_project(project, parse_measures(["RR"]), Policy(), official).runs]
        assert values == [[1.0], [0.0]]

"""What each rule of consensus would change: other grades, and runs that change places; what was decided stays by any of them."""

from pathlib import Path

from irjudge.evaluation.project import evaluate_project
from irjudge.evaluation.rule_effects import rule_effects
from irjudge.evaluation.table import parse_measures
from irjudge.judging.decisions import Adjudication
from irjudge.judging.judged_qrels import choices
from irjudge.judging.queue import Place
from irjudge.judging.session import Session
from irjudge.judging.settlement import keep_consensus_method
from irjudge.model.ranking import make_run
from irjudge.store.project import Project, open_project

VOTES = {"bob": (0, 3), "cid": (0, 0), "dan": (2, 2), "eve": (3, 0), "fay": (3, 0)}  # of d0 and d1: majority 0 and 0, median 2 and 0


def voted(project: Project) -> None:
    for name, grades in VOTES.items():
        session = Session(project, name)
        for document, grade in zip(("d0", "d1"), grades, strict=True):
            session.grade(session.open_place(Place("051", document)), grade)


def test_labels_and_runs_that_a_rule_would_change_are_counted(project_file: Path) -> None:
    with open_project(project_file) as project:
        voted(project)
        project.rankings.add_run(make_run("other", [("051", "d1", 2.0), ("051", "d0", 1.0)]))
        measure = parse_measures(["nDCG@10"])[0]
        found = {each.rule.name: each for each in rule_effects(project, measure)}
        assert set(found) == {"majority", "lower-median", "one-coin", "dawid-skene"} and found["majority"].in_force
        assert (found["majority"].labels, found["majority"].swapped) == (0, ())
        assert found["lower-median"].labels == 1, "of 0 0 2 3 3 the median is 2, and 0 is as frequent as 3"
        before = {run.run: float(run.summary[0]) for run in evaluate_project(project, [measure]).runs}
        keep_consensus_method(project, "lower-median")
        after = {run.run: float(run.summary[0]) for run in evaluate_project(project, [measure]).runs}
        swap = (before["bm25"] - before["other"]) * (after["bm25"] - after["other"]) < 0
        assert found["lower-median"].swapped == ((("bm25", "other"),) if swap else ())
        assert {each.rule.name: each.labels for each in rule_effects(project, measure)}["majority"] == 1
        assert choices(project)[0].words == "consensus (pairs: 2, rule: Lower median)", "the rule is named wherever numbers are"
        document = project.collection.document("d0")
        assert document is not None
        Adjudication(project).decide("051", document, 3)
        assert {each.labels for each in rule_effects(project, measure) if each.rule.name in ("majority", "lower-median")} == {0}

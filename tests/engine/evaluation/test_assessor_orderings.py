"""Tests of changes in the order of systems between the qrels of two assessors."""

from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import assessor_orderings, evaluate_project, parse_measures, rule_effects
from irjudge.judging import (
    AdjudicationRecorder,
    QueueItem,
    Session,
    list_qrels_choices,
    set_consensus_method,
)
from irjudge.model import Labels, Run, make_labels, make_run
from irjudge.progress import Progress
from irjudge.stats import parse_statistics
from irjudge.store import Project, open_project

MEASURES = parse_measures(["RR", "P@1"])


def documents(rows: list[tuple[str, str, int]]) -> Labels:
    made = make_labels(rows)
    return replace(made, pairs=tuple(("1", name) for name in made.items))


def ranking(*documents: str) -> Run:
    return make_run(
        documents[0], [("1", document, float(-rank)) for rank, document in enumerate(documents)]
    )


RUNS = [ranking("d1", "d2", "d3"), ranking("d2", "d3", "d1"), ranking("d3", "d1", "d2")]
FULL = documents(
    [
        ("d1", "ann", 1),
        ("d2", "ann", 0),
        ("d3", "ann", 0),
        ("d1", "bob", 0),
        ("d2", "bob", 1),
        ("d3", "bob", 0),
    ]
)


def test_the_orders_under_two_assessors_are_compared_measure_by_measure() -> None:
    """By hand: RR under ann 1, 1/3, 1/2, under bob 1/2, 1, 1/3.

    One pair of three in the same order.
    """
    orderings = assessor_orderings(FULL, lambda: RUNS, MEASURES)
    assert orderings.names == ("ann", "bob", "consensus")
    assert orderings.orders[0][0].values.tolist() == pytest.approx([1, 1 / 3, 1 / 2])
    assert orderings.orders[0][1].values.tolist() == pytest.approx([1 / 2, 1, 1 / 3])
    [tau] = parse_statistics(["tau"])
    assert orderings.matrix(tau)[0, 1] == pytest.approx(-1 / 3)
    assert orderings.matrix(tau).diagonal()[:2].tolist() == [1, 1]
    pairs = list(orderings.pairs([tau]))
    assert [(each.measure_a, each.measure_b) for each in pairs[:1]] == [("RR [ann]", "RR [bob]")]
    assert len(pairs) == 6 and pairs[0].systems == 3


def test_documents_without_a_grade_keep_the_majority_or_are_unjudged() -> None:
    labels = documents([("d1", "ann", 1), ("d2", "bob", 1), ("d1", "bob", 0), ("d1", "cem", 1)])
    filled = assessor_orderings(labels, lambda: RUNS, MEASURES)
    alone = assessor_orderings(labels, lambda: RUNS, MEASURES, rest="unjudged")
    assert filled.judged == alone.judged == (1, 2, 1, 2)
    assert filled.orders[0][0].values.tolist() == pytest.approx(
        [1, 1, 1 / 2]
    )  # d1 by ann, d2 by bob
    assert alone.orders[0][0].values.tolist() == pytest.approx([1, 1 / 3, 1 / 2])


@pytest.mark.parametrize(
    ("labels", "sentence"),
    [
        (make_labels([("d1", "a", 1), ("d1", "b", 0)]), "topics and documents"),
        (documents([("d1", "a", 1)]), "at least two assessors"),
    ],
)
def test_labels_that_cannot_order_systems_are_refused(labels: Labels, sentence: str) -> None:
    with pytest.raises(IrjudgeError, match=sentence):
        assessor_orderings(labels, lambda: RUNS, MEASURES)


def test_the_work_can_be_cancelled() -> None:
    with pytest.raises(Cancelled):
        assessor_orderings(FULL, lambda: RUNS, MEASURES, progress=Progress(cancelled=lambda: True))


# By each rule

# of d0 and d1: majority 0 and 0, median 2 and 0
VOTES = {"bob": (0, 3), "cid": (0, 0), "dan": (2, 2), "eve": (3, 0), "fay": (3, 0)}


def add_votes(project: Project) -> None:
    for name, grades in VOTES.items():
        session = Session(project, name)
        for document, grade in zip(("d0", "d1"), grades, strict=True):
            session.grade(session.open_item(QueueItem("051", document)), grade)


def test_labels_and_runs_that_a_rule_would_change_are_counted(project_file: Path) -> None:
    with open_project(project_file) as project:
        add_votes(project)
        project.rankings.add_run(make_run("other", [("051", "d1", 2.0), ("051", "d0", 1.0)]))
        measure = parse_measures(["nDCG@10"])[0]
        result = {each.rule.name: each for each in rule_effects(project, measure)}
        assert (
            set(result) == {"majority", "lower-median", "one-coin", "dawid-skene", "glad", "mace"}
            and result["majority"].in_force
        )
        assert (result["majority"].labels, result["majority"].swapped) == (0, ())
        assert result["lower-median"].labels == 1, (
            "of 0 0 2 3 3 the median is 2, and 0 is as frequent as 3"
        )
        before = {
            run.run: float(run.summary[0]) for run in evaluate_project(project, [measure]).runs
        }
        set_consensus_method(project, "lower-median")
        after = {
            run.run: float(run.summary[0]) for run in evaluate_project(project, [measure]).runs
        }
        swap = (before["bm25"] - before["other"]) * (after["bm25"] - after["other"]) < 0
        assert result["lower-median"].swapped == ((("bm25", "other"),) if swap else ())
        assert {each.rule.name: each.labels for each in rule_effects(project, measure)}[
            "majority"
        ] == 1
        assert (
            list_qrels_choices(project)[0].description
            == "consensus (judgments: 2, rule: Lower median)"
        ), "the rule is named wherever numbers are"
        document = project.collection.document("d0")
        assert document is not None
        AdjudicationRecorder(project).decide("051", document, 3)
        assert {
            each.labels
            for each in rule_effects(project, measure)
            if each.rule.name in ("majority", "lower-median")
        } == {0}

"""Tests of a judge plan with one rule for ties, and estimates with another."""

import pytest

from irjudge.audit import RunEstimateOptions, list_cautions, make_plan_universe
from irjudge.evaluation import Policy, parse_measures
from irjudge.message import Message
from irjudge.model import Ties, make_run
from irjudge.pooling import JudgePlanOptions, plan_pool


@pytest.mark.parametrize(("score", "is_lacking"), [(lambda at: 1.0, True), (float, False)])
@pytest.mark.parametrize("ties", ["docno", "trec"])
def test_documents_outside_the_plan_are_explained_by_its_ties(
    score: object, is_lacking: bool, ties: Ties
) -> None:
    assert callable(score)
    run = make_run("r", [("1", f"d{at:02}", score(at)) for at in range(30)])
    pool = plan_pool([run], JudgePlanOptions("m", 5, 10, ties="docno"), {}, 1)
    options = RunEstimateOptions(parse_measures(["P@10"]), Policy(ties=ties))
    found = list_cautions(make_plan_universe(pool, {}, {}, highest_grade=1), [run], options)
    hints = [each for each in found if isinstance(each, Message) and each.key == "other-ties"]
    assert bool(hints) == (is_lacking and ties == "trec")
    assert all(each.values == {"suggestion": "docno", "ties": "trec"} for each in hints)

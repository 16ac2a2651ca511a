"""Live evaluation: what judging may still change is inside the intervals on every path, and a verdict stays."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.evaluation.bounds import Setting, pair_bounds, run_bounds
from irjudge.evaluation.live import LiveTable, against, live, live_project, open_qrels, ordering
from irjudge.evaluation.table import Policy, evaluate, parse_measures
from irjudge.judging.judged_qrels import chosen_qrels
from irjudge.metrics.bounds import WORLDS
from irjudge.model.ranking import Run, make_qrels, make_run
from irjudge.store.project import Project, open_project

MEASURES = parse_measures("P@2 R@2 RR RBP DCG nDCG nDCG@2 ERR AP Bpref".split())
NEAR = 1e-12
LETTERS = "abcdefgh"
Rows = list[tuple[str, str, int]]


def ranked(name: str, *topics: tuple[str, str]) -> Run:
    return make_run(name, [(topic, letter, 9.0 - place) for topic, letters in topics for place, letter in enumerate(letters)])


@st.composite
def judgings(draw: st.DrawFn) -> tuple[Rows, list[Run]]:
    """The judgments of two topics in the order in which they will be given, and three runs."""
    pooled = [(topic, letter) for topic in "12" for letter in draw(st.lists(st.sampled_from(LETTERS), unique=True, min_size=1, max_size=6))]
    rows = [(*pair, draw(st.sampled_from([-2, 0, 0, 1, 2]))) for pair in draw(st.permutations(pooled))]
    letters = st.permutations(LETTERS).map("".join)
    runs = [ranked(name, *((topic, draw(letters)[: draw(st.integers(1, 8))]) for topic in "12")) for name in "abc"]
    return rows, runs


def after(rows: Rows, count: int) -> Rows:
    """The qrels when so many of the judgments are given."""
    return [row if place < count else (*row[:2], -1) for place, row in enumerate(rows)]


@settings(max_examples=60, deadline=None)
@given(judgings(), st.sampled_from(WORLDS))
def test_the_final_values_are_in_every_interval_on_the_way_and_no_interval_grows(judging: tuple[Rows, list[Run]], world) -> None:
    rows, runs = judging
    final = [run.summary for run in evaluate(make_qrels(rows), runs, MEASURES, highest=2).runs]
    before: dict[tuple[int, int], tuple[float, float]] = {}
    for count in range(len(rows) + 1):
        table = live(make_qrels(after(rows, count)), runs, MEASURES, None, Setting(world, (0, 1, 2)))
        assert (table.pooled, table.judged) == (len(rows), count)
        for place, run in enumerate(table.runs):
            for number in range(len(MEASURES)):
                _, low, high = table.cell(run, number)
                assert low is not None and high is not None
                assert low - NEAR <= final[place][number] <= high + NEAR
                widest = before.get((place, number), (low, high))
                assert widest[0] - NEAR <= low and high <= widest[1] + NEAR
                before[place, number] = low, high
    if world == "pool":
        assert table.unsettled() == 0


@settings(max_examples=60, deadline=None)
@given(judgings(), st.sampled_from(WORLDS), st.sampled_from(MEASURES))
def test_a_verdict_stays_and_the_final_difference_obeys_it(judging: tuple[Rows, list[Run]], world, measure) -> None:
    rows, runs = judging
    a, b = (float(run.summary[0]) for run in evaluate(make_qrels(rows), runs[:2], [measure], highest=2).runs)
    said = []
    for count in range(len(rows) + 1):
        found = ordering(live(make_qrels(after(rows, count)), runs, [measure], None, Setting(world, (0, 1, 2))), "a", "b", measure)
        assert found.low is not None and found.high is not None
        assert found.low - NEAR <= a - b <= found.high + NEAR
        said.append(found.verdict)
    settled = [each for each in said if each != "can_change"]
    assert len(set(settled)) <= 1 and said[len(said) - len(settled) :] == settled
    sign = "a_better" if a - b > NEAR else "b_better" if b - a > NEAR else "equal"
    assert set(settled) <= {sign}
    if world == "pool":
        assert settled and settled[-1] == sign


@settings(max_examples=40, deadline=None)
@given(
    judgings(),
    st.integers(0, 12),
    st.sampled_from(WORLDS),
    st.sampled_from([Policy(), Policy(depth=3), Policy(ties="docno", topics="qrels")]),
)
def test_the_table_has_the_bounds_of_runs_and_of_pairs(judging: tuple[Rows, list[Run]], count: int, world, policy: Policy) -> None:
    rows, runs = judging
    qrels, setting = make_qrels(after(rows, count)), Setting(world, (0, 1, 2))
    table = live(qrels, runs, MEASURES, policy, setting)
    for run, found in zip(runs, table.runs, strict=True):
        expected = list(run_bounds(qrels, run, MEASURES, policy, setting).rows())
        assert [row[3:] for row in expected] == [table.cell(found, place) for place in range(len(MEASURES))]
    pair = list(pair_bounds(qrels, runs[0], runs[1], MEASURES, policy, setting).rows())
    for measure, row in zip(MEASURES, pair, strict=True):
        found = ordering(table, "a", "b", measure)
        assert (found.difference, found.low, found.high) == pytest.approx(row[4:7], abs=NEAR)
        assert found.verdict == row[7]


def test_topics_that_only_one_run_has_are_no_part_of_an_ordering() -> None:
    qrels = make_qrels([("1", "x", 1), ("2", "x", 1), ("2", "y", -1), ("3", "x", 1)])
    runs = [ranked("a", ("1", "x"), ("2", "xy")), ranked("b", ("3", "y"), ("2", "yx")), ranked("c", ("9", "x"))]
    measures = parse_measures(["P@1"])
    table = live(qrels, runs, measures)
    found = ordering(table, "a", "b", measures[0])
    assert (found.difference, found.low, found.high, found.verdict) == (1.0, 0.0, 1.0, "can_change")
    assert [row[3:] for row in pair_bounds(qrels, runs[0], runs[1], measures).rows()] == [("all", 1.0, 0.0, 1.0, "can_change")]
    alone = ordering(table, "a", "c", measures[0])
    assert (alone.difference, alone.low, alone.high, alone.verdict) == (0, 0, 0, "equal")
    assert table.cell(table.runs[2], 0) == (0.0, 0.0, 0.0)


def test_a_run_stands_against_every_other_in_the_order_of_the_table() -> None:
    qrels = make_qrels([("1", "x", 1), ("1", "y", 0), ("1", "z", -1)])
    measure, *_ = measures = parse_measures(["P@1"])
    table = live(qrels, [ranked(letter, ("1", letter)) for letter in "xyz"], measures)
    found = against(table, "y", measure)
    assert [(each.run_a, each.run_b, each.verdict) for each in found] == [("y", "x", "b_better"), ("y", "z", "can_change")]
    assert (found[1].low, found[1].high) == (-1.0, 0.0)


def test_a_measure_without_bounds_is_provisional_and_says_why() -> None:
    qrels, measures = make_qrels([("1", "x", 1), ("1", "y", -1)]), parse_measures(["NumRet", "P@2"])
    table = live(qrels, [ranked("a", ("1", "xy")), ranked("b", ("1", "y"))], measures)
    assert table.provisional == {"NumRet": "NumRet has no bounds, so its value is provisional."}
    assert table.cell(table.runs[0], 0) == (2.0, None, None) and table.cell(table.runs[0], 1) == (0.5, 0.5, 1.0)
    assert table.unsettled() == 2
    found = ordering(table, "a", "b", measures[0])
    assert (found.difference, found.low, found.verdict, found.remark) == (1.0, None, None, table.provisional["NumRet"])


def test_runs_are_told_apart_by_their_names() -> None:
    qrels, measures = make_qrels([("1", "x", 1)]), parse_measures(["P@1"])
    with pytest.raises(IrjudgeError, match="Two runs are called 'a'"):
        live(qrels, [ranked("a", ("1", "x")), ranked("a", ("1", "y"))], measures)
    table: LiveTable = live(qrels, [ranked("a", ("1", "x"))], measures)
    with pytest.raises(IrjudgeError, match="no run called 'b'; choose a"):
        ordering(table, "a", "b", measures[0])


def test_without_runs_or_qrels_nothing_is_wrong() -> None:
    measures = parse_measures(["P@1", "nDCG"])
    for world in WORLDS:
        assert live(make_qrels([]), [], measures, None, Setting(world)).runs == ()
        table = live(make_qrels([]), [ranked("a", ("1", "x")), ranked("b", ("1", "x"))], measures, None, Setting(world))
        assert (table.pooled, table.judged, table.unsettled()) == (0, 0, 0)
        assert ordering(table, "a", "b", measures[1]).verdict == "equal"


@pytest.fixture
def project(project_file: Path):
    with open_project(project_file, writing=False) as opened:
        yield opened


def test_a_project_that_nobody_judged_is_all_open(project: Project) -> None:
    pool = project.rankings.pool()
    assert pool is not None
    qrels = open_qrels(project)
    assert len(qrels) == len(pool) and np.all(qrels.grade == -1)
    table = live_project(project, parse_measures(["P@1"]))
    assert (table.judged, table.pooled) == (0, len(pool))
    assert [table.cell(run, 0) for run in table.runs] == [(0.0, 0.0, 1.0)] * len(table.runs)


def test_imported_qrels_leave_the_rest_of_the_pool_open(project_file: Path) -> None:
    with open_project(project_file) as opened:
        pool = opened.rankings.pool()
        assert pool is not None
        first = (pool.topics[0], pool.document[0].as_py())
        opened.rankings.add_qrels("given", make_qrels([(*first, 1), (pool.topics[0], "elsewhere", 0)]))
        rows = list(open_qrels(opened, chosen_qrels(opened, "given")).rows())
        mine = int((pool.topic == 0).sum())
        assert sorted(row[2] for row in rows) == [-1] * (mine - 1) + [0, 1]
        assert (*first, 1) in rows and (*first, -1) not in rows
        assert {row[0] for row in rows} == {pool.topics[0]}, "nobody is judging the other topics in these qrels"

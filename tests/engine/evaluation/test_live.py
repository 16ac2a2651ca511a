"""Tests of live evaluation: final values are in all earlier intervals; verdicts do not change."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    BoundsRequest,
    BoundsSetting,
    LiveTable,
    Policy,
    bound_sources,
    compute_live_table,
    compute_project_live_table,
    evaluate_runs,
    open_qrels,
    pair_bounds,
    parse_measures,
    run_bounds,
    run_orderings,
)
from irjudge.evaluation.bounds import run_ordering
from irjudge.judging import (
    AdjudicationRecorder,
    QueueItem,
    Session,
    read_project_qrels,
    select_qrels,
    set_consensus_method,
)
from irjudge.metrics import WORLDS
from irjudge.model import (
    UNJUDGEABLE,
    AssignedItem,
    Assignment,
    Document,
    Run,
    Scale,
    Topic,
    make_qrels,
    make_run,
)
from irjudge.store import Project, create_project, open_project
from tests.lengths import example_count, short_or_long
from tests.pools import depth_pool

MEASURES = parse_measures("P@2 R@2 RR RBP DCG nDCG nDCG@2 ERR AP Bpref".split())
NEAR = 1e-12
LETTERS = "abcdefgh"
Rows = list[tuple[str, str, int]]


def rank_letters(name: str, *topics: tuple[str, str]) -> Run:
    return make_run(
        name,
        [
            (topic, letter, 9.0 - index)
            for topic, letters in topics
            for index, letter in enumerate(letters)
        ],
    )


@st.composite
def judgments_and_runs(draw: st.DrawFn) -> tuple[Rows, list[Run]]:
    """Return the judgments of two topics in the order in which they are made, and three runs."""
    pooled = [
        (topic, letter)
        for topic in "12"
        for letter in draw(st.lists(st.sampled_from(LETTERS), unique=True, min_size=1, max_size=6))
    ]
    rows = [
        (*pair, draw(st.sampled_from([-2, 0, 0, 1, 2]))) for pair in draw(st.permutations(pooled))
    ]
    letters = st.permutations(LETTERS).map("".join)
    runs = [
        rank_letters(name, *((topic, draw(letters)[: draw(st.integers(1, 8))]) for topic in "12"))
        for name in "abc"
    ]
    return rows, runs


def qrels_after(rows: Rows, count: int) -> Rows:
    """Return the qrels after this many judgments."""
    return [row if index < count else (*row[:2], -1) for index, row in enumerate(rows)]


@pytest.mark.xfail(
    reason="the bounds of Bpref take each open document to be judged relevant or not"
)
def test_bpref_stays_in_its_interval_when_a_document_is_unjudgeable() -> None:
    rows = [("1", "d", 1), ("1", "e", 0), ("1", "b", -2), ("1", "a", 1), ("1", "f", 0)]
    run = rank_letters("c", ("1", "aebd"))
    (bpref,) = parse_measures(["Bpref"])
    (final,) = evaluate_runs(make_qrels(rows), [run], [bpref], highest=2).runs
    table = compute_live_table(
        make_qrels(qrels_after(rows, 2)), [run], [bpref], None, BoundsSetting("pool", (0, 1, 2))
    )
    _, low, high = table.cell(table.runs[0], 0)
    assert low is not None and high is not None
    assert low - NEAR <= final.summary[0] <= high + NEAR


@settings(max_examples=example_count(60), deadline=None)
@given(judgments_and_runs(), st.sampled_from(WORLDS))
def test_final_values_are_in_all_earlier_intervals_and_no_interval_grows(
    judging: tuple[Rows, list[Run]], world
) -> None:
    rows, runs = judging
    final = [run.summary for run in evaluate_runs(make_qrels(rows), runs, MEASURES, highest=2).runs]
    before: dict[tuple[int, int], tuple[float, float]] = {}
    # The bounds of Bpref assume that each unjudged document is judged relevant or not.
    omitted = {"Bpref"} if any(grade == UNJUDGEABLE for *_, grade in rows) else set[str]()
    for count in range(len(rows) + 1):
        table = compute_live_table(
            make_qrels(qrels_after(rows, count)),
            runs,
            MEASURES,
            None,
            BoundsSetting(world, (0, 1, 2)),
        )
        assert (table.pooled, table.judged) == (len(rows), count)
        for index, run in enumerate(table.runs):
            for number, measure in enumerate(MEASURES):
                if measure.declaration.name in omitted:
                    continue
                _, low, high = table.cell(run, number)
                assert low is not None and high is not None
                assert low - NEAR <= final[index][number] <= high + NEAR
                widest = before.get((index, number), (low, high))
                assert widest[0] - NEAR <= low and high <= widest[1] + NEAR
                before[index, number] = low, high
    if world == "pool":
        assert table.count_open_values() == 0


@pytest.mark.slow
@settings(max_examples=example_count(60), deadline=None)
@given(judgments_and_runs(), st.sampled_from(WORLDS), st.sampled_from(MEASURES))
def test_a_verdict_is_final_and_true(judging: tuple[Rows, list[Run]], world, measure) -> None:
    rows, runs = judging
    a, b = (
        float(run.summary[0])
        for run in evaluate_runs(make_qrels(rows), runs[:2], [measure], highest=2).runs
    )
    verdicts = []
    for count in range(len(rows) + 1):
        ordering = run_ordering(
            compute_live_table(
                make_qrels(qrels_after(rows, count)),
                runs,
                [measure],
                None,
                BoundsSetting(world, (0, 1, 2)),
            ),
            "a",
            "b",
            measure,
        )
        assert ordering.low is not None and ordering.high is not None
        assert ordering.low - NEAR <= a - b <= ordering.high + NEAR
        verdicts.append(ordering.verdict)
    settled = [each for each in verdicts if each != "can_change"]
    assert len(set(settled)) <= 1 and verdicts[len(verdicts) - len(settled) :] == settled
    sign = "a_better" if a - b > NEAR else "b_better" if b - a > NEAR else "equal"
    assert set(settled) <= {sign}
    if world == "pool":
        assert settled and settled[-1] == sign


@pytest.mark.slow
@settings(max_examples=example_count(40), deadline=None)
@given(
    judgments_and_runs(),
    st.integers(0, 12),
    st.sampled_from(WORLDS),
    st.sampled_from([Policy(), Policy(depth=3), Policy(ties="docno", topics="qrels")]),
)
def test_the_table_has_the_bounds_of_runs_and_of_pairs(
    judging: tuple[Rows, list[Run]], count: int, world, policy: Policy
) -> None:
    rows, runs = judging
    qrels, setting = make_qrels(qrels_after(rows, count)), BoundsSetting(world, (0, 1, 2))
    table = compute_live_table(qrels, runs, MEASURES, policy, setting)
    for run, live_run in zip(runs, table.runs, strict=True):
        expected = list(run_bounds(qrels, run, MEASURES, policy, setting).rows())
        assert [row[3:] for row in expected] == [
            table.cell(live_run, index) for index in range(len(MEASURES))
        ]
    pair = list(pair_bounds(qrels, runs[0], runs[1], MEASURES, policy, setting).rows())
    for measure, row in zip(MEASURES, pair, strict=True):
        live_run = run_ordering(table, "a", "b", measure)
        assert (live_run.difference, live_run.low, live_run.high) == pytest.approx(
            row[4:7], abs=NEAR
        )
        assert live_run.verdict == row[7]


def test_topics_of_only_one_run_are_not_part_of_an_ordering() -> None:
    qrels = make_qrels([("1", "x", 1), ("2", "x", 1), ("2", "y", -1), ("3", "x", 1)])
    runs = [
        rank_letters("a", ("1", "x"), ("2", "xy")),
        rank_letters("b", ("3", "y"), ("2", "yx")),
        rank_letters("c", ("9", "x")),
    ]
    measures = parse_measures(["P@1"])
    table = compute_live_table(qrels, runs, measures)
    ordering = run_ordering(table, "a", "b", measures[0])
    assert (ordering.difference, ordering.low, ordering.high, ordering.verdict) == (
        1.0,
        0.0,
        1.0,
        "can_change",
    )
    assert [row[3:] for row in pair_bounds(qrels, runs[0], runs[1], measures).rows()] == [
        ("all", 1.0, 0.0, 1.0, "can_change")
    ]
    alone = run_ordering(table, "a", "c", measures[0])
    assert (alone.difference, alone.low, alone.high, alone.verdict) == (None,) * 4
    assert alone.note.key == "no-common-topic"
    assert table.cell(table.runs[2], 0) == (0.0, 0.0, 0.0)


def test_a_run_is_compared_with_all_others_in_table_order() -> None:
    qrels = make_qrels([("1", "x", 1), ("1", "y", 0), ("1", "z", -1)])
    measure, *_ = measures = parse_measures(["P@1"])
    table = compute_live_table(
        qrels, [rank_letters(letter, ("1", letter)) for letter in "xyz"], measures
    )
    orderings = run_orderings(table, "y", measure)
    assert [(each.run_a, each.run_b, each.verdict) for each in orderings] == [
        ("y", "x", "b_better"),
        ("y", "z", "can_change"),
    ]
    assert (orderings[1].low, orderings[1].high) == (-1.0, 0.0)


def test_a_measure_without_bounds_is_provisional_and_says_why() -> None:
    qrels, measures = make_qrels([("1", "x", 1), ("1", "y", -1)]), parse_measures(["NumRet", "P@2"])
    table = compute_live_table(
        qrels, [rank_letters("a", ("1", "xy")), rank_letters("b", ("1", "y"))], measures
    )
    assert list(table.provisional) == ["NumRet"] and "NumRet" in table.provisional["NumRet"]
    assert table.cell(table.runs[0], 0) == (2.0, None, None) and table.cell(table.runs[0], 1) == (
        0.5,
        0.5,
        1.0,
    )
    assert table.count_open_values() == 2
    ordering = run_ordering(table, "a", "b", measures[0])
    assert (ordering.difference, ordering.low, ordering.verdict, ordering.note) == (
        1.0,
        None,
        None,
        table.provisional["NumRet"],
    )


def test_runs_are_distinguished_by_their_names() -> None:
    qrels, measures = make_qrels([("1", "x", 1)]), parse_measures(["P@1"])
    with pytest.raises(IrjudgeError) as error:
        compute_live_table(
            qrels, [rank_letters("a", ("1", "x")), rank_letters("a", ("1", "y"))], measures
        )
    assert error.value.key == "repeated-run"
    assert error.value.values["run"] == "'a'"
    table: LiveTable = compute_live_table(qrels, [rank_letters("a", ("1", "x"))], measures)
    with pytest.raises(IrjudgeError) as error:
        run_ordering(table, "a", "b", measures[0])
    assert error.value.key == "unknown-run"
    assert error.value.values["run"] == "'b'"
    assert error.value.values["names"] == "a"


def test_no_runs_or_qrels_cause_no_error() -> None:
    measures = parse_measures(["P@1", "nDCG"])
    for world in WORLDS:
        assert (
            compute_live_table(make_qrels([]), [], measures, None, BoundsSetting(world)).runs == ()
        )
        table = compute_live_table(
            make_qrels([]),
            [rank_letters("a", ("1", "x")), rank_letters("b", ("1", "x"))],
            measures,
            None,
            BoundsSetting(world),
        )
        assert (table.pooled, table.judged, table.count_open_values()) == (0, 0, 0)
        assert run_ordering(table, "a", "b", measures[1]).verdict is None


@pytest.fixture
def project(project_file: Path):
    with open_project(project_file, writing=False) as opened:
        yield opened


def test_an_unjudged_project_has_maximal_intervals(project: Project) -> None:
    pool = project.rankings.pool()
    assert pool is not None
    qrels = open_qrels(project)
    assert len(qrels) == len(pool) and np.all(qrels.grade == -1)
    table = compute_project_live_table(project, parse_measures(["P@1"]))
    assert (table.judged, table.pooled) == (0, len(pool))
    assert [table.cell(run, 0) for run in table.runs] == [(0.0, 0.0, 1.0)] * len(table.runs)


def test_imported_qrels_leave_the_rest_of_the_pool_open(project_file: Path) -> None:
    with open_project(project_file) as opened:
        pool = opened.rankings.pool()
        assert pool is not None
        first = (pool.topics[0], pool.document[0].as_py())
        opened.rankings.add_qrels(
            "given", make_qrels([(*first, 1), (pool.topics[0], "elsewhere", 0)])
        )
        rows = list(open_qrels(opened, select_qrels(opened, "given")).rows())
        mine = int((pool.topic == 0).sum())
        assert sorted(row[2] for row in rows) == [-1] * (mine - 1) + [0, 1]
        assert (*first, 1) in rows and (*first, -1) not in rows
        assert {row[0] for row in rows} == {pool.topics[0]}, (
            "nobody is judging the other topics in these qrels"
        )


# Several assessors

NAMES = ("ann", "bob", "cleo")
SHOWN = "abcd"
Vote = tuple[str, str, int]  # assessor, document, grade


@contextmanager
def class_project(path: Path) -> Iterator[Project]:
    """Create a project of one topic and two runs, whose whole pool three assessors judge."""
    with create_project(path, scale=Scale.parse("0-2"), owner="teacher") as project:
        project.collection.add_topics([Topic("1", "letters")])
        project.collection.add_documents(
            Document(letter, letter.encode(), letter) for letter in SHOWN
        )
        runs = [rank_letters("a", ("1", SHOWN)), rank_letters("b", ("1", SHOWN[::-1]))]
        for run in runs:
            project.rankings.add_run(run, run.name)
        project.rankings.add_pool(depth_pool(runs, len(SHOWN)))
        for name in NAMES:
            project.assignments.add(
                Assignment(0, name, name, "grade", 1),
                [AssignedItem("1", ((letter,),)) for letter in SHOWN],
            )
        yield project


def cast_vote(project: Project, vote: Vote) -> None:
    name, letter, grade = vote
    session = Session(project, name)
    work = session.open_item(QueueItem("1", letter))
    if grade == UNJUDGEABLE:
        session.mark_unjudgeable(work, "spam")
    else:
        session.grade(work, grade)


def adjudicate(project: Project, letter: str, grade: int) -> None:
    AdjudicationRecorder(project).decide("1", Document(letter, letter.encode(), letter), grade)


EVERY_VOTE = st.permutations([(name, letter) for name in NAMES for letter in SHOWN]).flatmap(
    lambda order: st.tuples(
        *(
            st.tuples(*map(st.just, each), st.sampled_from([UNJUDGEABLE, 0, 0, 1, 2]))
            for each in order
        )
    )
)


@pytest.mark.slow
@settings(max_examples=short_or_long(4, 40), deadline=None)
@given(EVERY_VOTE, st.integers(0, 11), st.sampled_from(["majority", "lower-median", "one-coin"]))
def test_the_final_consensus_is_in_every_interval_in_any_order_of_votes(
    tmp_path_factory: pytest.TempPathFactory, votes: tuple[Vote, ...], decided_at: int, rule: str
) -> None:
    with class_project(tmp_path_factory.mktemp("class") / "class.irjudge") as project:
        set_consensus_method(project, rule)
        tables = []
        for index, vote in enumerate(votes):
            cast_vote(project, vote)
            if index == decided_at:
                adjudicate(project, vote[1], 1)
            if select_qrels(project).source == "consensus":
                tables.append(compute_project_live_table(project, MEASURES))
                assert tables[-1].outstanding == len(votes) - index - 1
        runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
        final = [
            run.summary
            for run in evaluate_runs(read_project_qrels(project), runs, MEASURES, highest=2).runs
        ]
        for table in tables:
            for index, run in enumerate(table.runs):
                for number in range(len(MEASURES)):
                    _, low, high = table.cell(run, number)
                    assert low is not None and high is not None
                    assert low - NEAR <= final[index][number] <= high + NEAR
            for number, measure in enumerate(MEASURES):
                ordering = run_ordering(table, "a", "b", measure)
                assert ordering.low is not None and ordering.high is not None
                assert (
                    ordering.low - NEAR
                    <= final[0][number] - final[1][number]
                    <= ordering.high + NEAR
                )
        assert tables[-1].count_open_values() == 0


@pytest.fixture
def project_with_votes(tmp_path: Path):
    """Let one assessor judge all documents highly relevant, and a second one the first."""
    with class_project(tmp_path / "class.irjudge") as made:
        for letter in SHOWN:
            cast_vote(made, ("ann", letter, 2))
        cast_vote(made, ("bob", "a", 2))
        yield made


def grades(project: Project) -> dict[str, int]:
    return {document: grade for _, document, grade in open_qrels(project).rows()}


def test_a_document_with_missing_votes_counts_as_unjudged(
    project_with_votes: Project,
) -> None:
    assert grades(project_with_votes) == dict.fromkeys(SHOWN, -1), "cleo has judged nothing yet"
    cast_vote(project_with_votes, ("cleo", "a", 0))
    assert grades(project_with_votes) == {**dict.fromkeys(SHOWN, -1), "a": 2}
    table = compute_project_live_table(project_with_votes, parse_measures(["P@1", "P@2"]))
    assert (table.outstanding, table.judged, table.pooled) == (6, 4, 4)
    assert [table.cell(table.runs[0], index) for index in range(2)] == [
        (1.0, 1.0, 1.0),
        (1.0, 0.5, 1.0),
    ], "values of now count every vote"
    now = run_ordering(table, "a", "b", parse_measures(["P@1"])[0])
    assert (now.difference, now.low, now.high, now.verdict) == (0.0, 0.0, 1.0, "can_change")


def test_requested_bounds_contain_the_current_consensus(tmp_path: Path) -> None:
    """All grades are 2; cleo's missing judgments can change those of all documents but a.

    P@2 of run a (a b c d) is 1, and 1/2 if b is not relevant; P@2 of run b (d c b a) is 1, and 0 if
    c and d are not relevant. With b relevant and c and d not, the difference is 1; with c and d
    relevant and b not, it is -1/2.
    """
    path = tmp_path / "class.irjudge"
    with class_project(path) as project:
        for name in ("ann", "bob"):
            for letter in SHOWN:
                cast_vote(project, (name, letter, 2))
        cast_vote(project, ("cleo", "a", 0))
    request = BoundsRequest(measures=("P@2",))
    table = bound_sources(path, [], request)
    assert list(table.rows) == [("a", "P@2", "all", 1, 0.5, 1), ("b", "P@2", "all", 1, 0, 1)]
    counts = [note.values["count"] for note in table.notes if "count" in note.values]
    assert counts == ["0", "3"], "unjudged documents, and documents whose grade can change"
    (row,) = bound_sources(path, [], replace(request, difference=True)).rows
    assert row == ("P@2", "a", "b", "all", 0, -0.5, 1, "can_change")


def test_adjudication_fixes_a_document_with_missing_votes(project_with_votes: Project) -> None:
    adjudicate(project_with_votes, "b", 0)
    assert grades(project_with_votes) == {**dict.fromkeys(SHOWN, -1), "b": 0}


def test_excluded_assessors_and_withdrawn_work_are_not_waited_for(
    project_with_votes: Project,
) -> None:
    project_with_votes.assignments.set_exclusion("cleo", "left")
    assert grades(project_with_votes) == {**dict.fromkeys(SHOWN, -1), "a": 2}
    mine = next(each for each in project_with_votes.assignments.all() if each.assessor == "bob")
    project_with_votes.assignments.withdraw(mine.code)
    assert grades(project_with_votes) == dict.fromkeys(SHOWN, 2)
    assert compute_project_live_table(project_with_votes, MEASURES).outstanding == 0


def test_with_a_model_of_assessors_one_vote_can_change_every_document(
    project_with_votes: Project,
) -> None:
    for name in ("bob", "cleo"):
        for letter in SHOWN[:3]:
            cast_vote(project_with_votes, (name, letter, 1))
    assert grades(project_with_votes) == {"a": 1, "b": 1, "c": 1, "d": -1}
    set_consensus_method(project_with_votes, "dawid-skene")
    assert grades(project_with_votes) == dict.fromkeys(SHOWN, -1)


def test_imported_qrels_wait_for_no_votes(project_with_votes: Project) -> None:
    project_with_votes.rankings.add_qrels(
        "given", make_qrels([("1", letter, 1) for letter in SHOWN])
    )
    table = compute_project_live_table(
        project_with_votes, MEASURES, choice=select_qrels(project_with_votes, "given")
    )
    assert (table.outstanding, table.count_open_values()) == (0, 0)

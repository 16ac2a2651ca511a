"""Tests of reusability by leaving out runs: values worked by hand, groups, and requests."""

import re
from dataclasses import astuple
from pathlib import Path

import numpy as np
import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.evaluation import (
    REUSABILITY_COLUMNS,
    Policy,
    QrelsRequest,
    ReusabilityRequest,
    compute_reusability,
    measure_reusability,
    read_judged_pool,
    summarize_reusability,
)
from irjudge.formats.rankings import make_listed_pool
from irjudge.metrics import parse_measure_name
from irjudge.model import Qrels, make_qrels, make_run, to_arrow_strings
from tests.pools import depth_pool


def make_ranking(name: str, *documents: str):
    return make_run(
        name, [("1", document, -float(index)) for index, document in enumerate(documents)]
    )


# Depth 2 pools a1 both of a, b1 both of b, a1 c1 of c. Unique: a2 of a; b1 b2 of b; c1 of c.
A, B, C = (
    make_ranking("a", "a1", "a2", "x"),
    make_ranking("b", "b1", "b2", "a2"),
    make_ranking("c", "c1", "a1", "b1"),
)
RUNS = [A, B, C]
QRELS = make_qrels(
    [
        ("1", "a1", 0),
        ("1", "a2", 1),
        ("1", "b1", 2),
        ("1", "b2", 0),
        ("1", "c1", 1),
        ("1", "late", 1),
    ]
)
(P3,) = parse_measure_name("P@3")


def leave_runs_out(**more):
    return compute_reusability(QRELS, RUNS, depth_pool(RUNS, 2), P3, **more)


def test_a_run_is_evaluated_without_its_unique_documents() -> None:
    # P@3: a 1/3 (a2), b 2/3 (b1 a2), c 2/3 (c1 b1). Without a2: a 0, b 1/3. Without b1 and b2: b
    # 1/3, c 1/3. Without c1: c 1/3.
    a, b, c = leave_runs_out()
    assert [(each.run, each.group, each.unique, each.unique_relevant) for each in (a, b, c)] == [
        ("a", "a", 1, 1),
        ("b", "b", 2, 1),
        ("c", "c", 1, 1),
    ]
    assert [each.value for each in (a, b, c)] == pytest.approx([1 / 3, 2 / 3, 2 / 3])
    assert [each.value_without for each in (a, b, c)] == pytest.approx([0, 1 / 3, 1 / 3])
    assert [each.change for each in (a, b, c)] == pytest.approx([-100, -50, -50])
    assert [(each.rank, each.rank_without, each.shift) for each in (a, b, c)] == [
        (3, 3, 0),
        (1, 1, 0),
        (1, 2, 1),
    ]
    # Orders (1/3, 2/3, 2/3) and, without c1, (1/3, 2/3, 1/3): one pair agrees, each order ties one
    # the other does not: 1 / √(2·2).
    assert c.tau == pytest.approx(0.5)
    # Without the documents of b all are equal: nothing can be compared.
    assert b.tau == 0


def test_lower_values_rank_first_where_they_are_better() -> None:
    (measure,), (complement,) = parse_measure_name("F@3"), parse_measure_name("E@3")
    result = [
        compute_reusability(QRELS, RUNS, depth_pool(RUNS, 2), each)
        for each in (measure, complement)
    ]
    ranks = [
        [(each.rank, each.rank_without, each.shift, each.tau) for each in one] for one in result
    ]
    assert ranks[0] == ranks[1] and len({rank for rank, *_ in ranks[0]}) > 1


def test_the_runs_of_a_group_are_left_out_together() -> None:
    # a and c alone contributed a1, a2 and c1, and b two. Without the three a is 0 and c 1/3.
    a, b, c = leave_runs_out(groups={"a": "us", "c": "us"})
    assert [(each.group, each.unique, each.unique_relevant) for each in (a, b, c)] == [
        ("us", 3, 2),
        ("b", 2, 1),
        ("us", 3, 2),
    ]
    assert [each.value_without for each in (a, c)] == pytest.approx([0, 1 / 3])


def test_an_unpooled_judged_document_stays_judged() -> None:
    # late and, for a pool of depth 1, a2 and b2 are judged and not pooled: R still counts them.
    reusability = compute_reusability(
        QRELS, RUNS, depth_pool(RUNS, 1), parse_measure_name("R@3")[0]
    )
    assert [each.unique for each in reusability] == [1, 1, 1]
    assert reusability[0].value_without == reusability[0].value == pytest.approx(1 / 4)


def test_documents_of_a_removed_contributing_run_are_still_shared() -> None:
    reusability = compute_reusability(QRELS, [A, B], depth_pool(RUNS, 2), P3)
    assert [each.unique for each in reusability] == [1, 2]  # a1 was contributed by c too


def test_the_relevance_threshold_is_used() -> None:
    assert [each.unique_relevant for each in leave_runs_out(policy=Policy(rel=2))] == [0, 1, 0]


def test_the_highest_grade_stays_the_same_if_its_documents_are_removed() -> None:
    """Grade 2 is above the scale. ERR@2 of a without `high` is 1/2 (2^1 - 1)/2^2 = 1/8."""
    runs = [make_ranking("a", "high", "low"), make_ranking("b", "low")]
    qrels = make_qrels([("1", "high", 2), ("1", "low", 1)])
    (measure,) = parse_measure_name("ERR@2")
    a, _ = compute_reusability(qrels, runs, depth_pool(runs, 2), measure, highest=1)
    assert a.value_without == 1 / 8


def test_means_are_over_the_same_topics_with_and_without_the_documents() -> None:
    """Topic 2 loses its only relevant document without run a, but stays a topic: (1 + 0)/2."""
    runs = [
        make_run("a", [("1", "x", 1.0), ("2", "y", 1.0)]),
        make_run("b", [("1", "x", 1.0), ("2", "z", 1.0)]),
    ]
    qrels = make_qrels([("1", "x", 1), ("2", "y", 1), ("2", "z", 0), ("3", "w", 0)])
    a, _ = compute_reusability(
        qrels,
        runs,
        depth_pool(runs, 1),
        parse_measure_name("P@1")[0],
        Policy(topics="relevant"),
    )
    assert (a.value, a.value_without) == (1, 0.5)


def test_a_document_is_counted_once_however_many_subtopics_it_has() -> None:
    """Of a, x is judged for subtopics 1 and 2, and relevant to both; of b, y for one."""
    qrels = Qrels(
        topics=("1",),
        starts=np.array([0, 3]),
        documents=to_arrow_strings(["x", "y"]),
        document=np.array([0, 0, 1], np.int32),
        grade=np.array([1, 1, 0], np.int32),
        group=np.array([0, 1, 0], np.int32),
        groups=("1", "2"),
    )
    runs = [make_ranking("a", "x"), make_ranking("b", "y")]
    reusability = compute_reusability(qrels, runs, depth_pool(runs, 1), P3)
    assert [(each.unique, each.unique_relevant) for each in reusability] == [(1, 1), (1, 0)]


def test_the_summary_has_the_changes_and_the_ranks_lost() -> None:
    numbers = [
        re.findall(r"\d+(?:\.\d+)?", line) for line in summarize_reusability(leave_runs_out())
    ]
    assert numbers == [["66.7", "100.0"], ["1", "1.0"]]


@pytest.mark.parametrize(
    ("groups", "key", "values"),
    [
        ({"a": "x", "b": "x", "c": "x"}, "no-two-groups", {}),
        ({"z": "x"}, "unknown-run", {"run": "z", "names": "a, b, c"}),
    ],
)
def test_invalid_groups_are_refused(
    groups: dict[str, str], key: str, values: dict[str, str]
) -> None:
    with pytest.raises(IrjudgeError) as error:
        leave_runs_out(groups=groups)
    assert (error.value.key, error.value.values) == (key, values)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write the judgments and runs above to files."""
    rows = [f"{topic} 0 {document} {grade}\n" for topic, document, grade in QRELS.rows()]
    (tmp_path / "q.txt").write_text("".join(rows))
    for name, documents in (("a", "a1 a2 x"), ("b", "b1 b2 a2"), ("c", "c1 a1 b1")):
        lines = [f"1 Q0 {each} 1 {-index} {name}\n" for index, each in enumerate(documents.split())]
        (tmp_path / f"{name}.run").write_text("".join(lines))
    (tmp_path / "groups.csv").write_text("run,group\na,us\nc,us\n")
    return tmp_path


def test_files_give_the_values_of_their_pool(files: Path) -> None:
    runs = [files / f"{name}.run" for name in "abc"]
    for groups, expected in (
        (None, leave_runs_out()),
        (files / "groups.csv", leave_runs_out(groups={"a": "us", "c": "us"})),
    ):
        request = ReusabilityRequest(depth=2, measure="P@3", groups=groups)
        table = measure_reusability(files / "q.txt", runs, request)
        assert table.columns == REUSABILITY_COLUMNS
        assert list(table.rows) == [astuple(each) for each in expected]
        assert table.policy == Policy() and not table.warnings


@pytest.mark.parametrize(
    ("options", "runs", "key", "values"),
    [
        ({"measure": "AP P@5", "depth": 2}, "abc", None, {"count": "2"}),
        ({}, "abc", "no-depth", {}),
        ({"depth": 2}, "", "no-depth", {}),
        (
            {"depth": 2, "qrels": QrelsRequest(which="consensus")},
            "abc",
            None,
            {"path": "q.txt"},
        ),
        ({"depth": 2}, "a", "no-two-groups", {}),
    ],
)
def test_impossible_requests_are_refused(
    files: Path, options: dict, runs: str, key: str | None, values: dict[str, str]
) -> None:
    paths = [files / f"{name}.run" for name in runs]
    with pytest.raises(IrjudgeError) as error:
        measure_reusability(files / "q.txt", paths, ReusabilityRequest(**options))
    assert key in (None, error.value.key) and error.value.values == values


def test_documents_that_no_run_contributed_are_unique_to_none() -> None:
    """They were counted for the run of the next document, or ended in an IndexError."""
    pool = make_listed_pool({"1": ["a1", "late"]})
    (row, *_) = compute_reusability(QRELS, RUNS, pool, P3)
    assert (row.unique, row.unique_relevant) == (0, 0)


EMPTY_POOL = "topic,document,order,stratum,probability,rank,runs\n"


def test_an_empty_pool_file_is_refused(tmp_path: Path) -> None:
    files = {"q.txt": "1 0 a 1\n", "a.run": "1 Q0 a 1 2.0 a\n", "b.run": "1 Q0 b 1 2.0 b\n"}
    for name, text in {**files, "pool.csv": EMPTY_POOL}.items():
        (tmp_path / name).write_text(text)
    with pytest.raises(FormatError) as error:
        read_judged_pool(
            tmp_path / "q.txt",
            [tmp_path / "a.run", tmp_path / "b.run"],
            QrelsRequest(),
            [],
            pool=tmp_path / "pool.csv",
            missing=IrjudgeError("missing"),
        )
    assert error.value.path.name == "pool.csv"

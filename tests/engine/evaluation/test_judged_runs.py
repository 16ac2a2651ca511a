"""Tests of joining a run with qrels, against dictionaries."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from irjudge.evaluation import TOPIC_POLICIES, TopicPolicy, join
from irjudge.evaluation import judged_runs as retrieving
from irjudge.evaluation.judged_runs import to_single_precision
from irjudge.metrics import JudgedRun
from irjudge.model import Qrels, Run, Ties, make_qrels, make_run, row_offsets

TOPICS = st.sampled_from(["1", "2", "01", "NA"])
IDS = st.sampled_from(["a", "b", "ä", "007", "7", "NA", "\uffee", "😀"])
RUNS = st.lists(
    st.tuples(TOPICS, IDS, st.sampled_from([0.0, 1.0, 2.0])),
    max_size=16,
    unique_by=lambda row: row[:2],
)
QRELS = st.lists(
    st.tuples(TOPICS, IDS, st.sampled_from(["0", "sub"]), st.sampled_from([-2, -1, 0, 1, 2, 3])),
    max_size=16,
    unique_by=lambda row: row[:3],
)


def qrels_of(rows: list[tuple[str, str, str, int]]) -> Qrels:
    topics = list(dict.fromkeys(row[0] for row in rows))
    documents = list(dict.fromkeys(row[1] for row in rows))
    rows = sorted(rows, key=lambda row: topics.index(row[0]))
    return Qrels(
        tuple(topics),
        row_offsets(np.array([topics.index(row[0]) for row in rows], dtype=np.int32), len(topics)),
        pa.array(documents, pa.string()),
        np.array([documents.index(row[1]) for row in rows], dtype=np.int32),
        np.array([row[3] for row in rows], dtype=np.int32),
        np.array([("0", "sub").index(row[2]) for row in rows], dtype=np.int32),
        ("0", "sub"),
    )


def join_slowly(
    run: list[tuple], qrels: list[tuple], ties: Ties, policy: TopicPolicy, rel: int
) -> list[tuple]:
    """Return (topic, [(rank, grade)], retrieved, judged grades) of every topic to evaluate."""
    grades: dict[str, dict[str, int]] = {}
    for topic, document, _, grade in qrels:
        known = grades.setdefault(topic, {})
        known[document] = max(grade, known.get(document, grade))
    result = []
    for topic, known in grades.items():
        ranked = [row for row in run if row[0] == topic]
        if ties == "docno":
            ranked.sort(key=lambda row: (-row[2], row[1].encode()))
        elif ties == "trec":
            ranked.sort(key=lambda row: (row[2], row[1].encode()), reverse=True)
        counts = {
            "both": bool(ranked),
            "qrels": True,
            "relevant": any(grade >= rel for grade in known.values()),
        }
        if counts[policy]:
            hits = [(rank, known[row[1]]) for rank, row in enumerate(ranked, 1) if row[1] in known]
            result.append(
                (
                    topic,
                    hits,
                    len(ranked),
                    sorted((grade for grade in known.values() if grade >= 0), reverse=True),
                )
            )
    return result


def rows(judged: JudgedRun) -> list[tuple]:
    result = []
    for index, topic in enumerate(judged.topics):
        mine = judged.hit_topic == index
        hits = list(
            zip(judged.hit_rank[mine].tolist(), judged.hit_grade[mine].tolist(), strict=True)
        )
        grades = judged.judged_grades[
            judged.judged_starts[index] : judged.judged_starts[index + 1]
        ].tolist()
        result.append((topic, hits, int(judged.n_retrieved[index]), grades))
    return result


@pytest.mark.parametrize("policy", TOPIC_POLICIES)
@given(RUNS, QRELS, st.sampled_from(["trec", "docno", "file"]), st.sampled_from([1, 2, 3]))
@example([("1", "a", 1.0)], [("1", "a", "0", 0), ("1", "a", "sub", 2)], "trec", 1)
@example(
    [("2", "a", 1.0), ("1", "a", 1.0)],
    [("1", "a", "0", -1), ("2", "a", "0", -2), ("2", "a", "sub", -1)],
    "trec",
    1,
)
@example([], [("1", "a", "0", 1)], "trec", 1)
@example([("1", "a", 1.0)], [], "trec", 1)
def test_a_join_equals_that_of_dictionaries(
    policy: TopicPolicy, run: list[tuple], qrels: list[tuple], ties: Ties, rel: int
) -> None:
    judged = join(
        make_run("run", run), qrels_of(qrels), ties=ties, topics=policy, rel=rel, highest=3
    )
    assert rows(judged) == join_slowly(run, qrels, ties, policy, rel)
    assert judged.highest == 3


@given(RUNS, QRELS, st.integers(1, 5))
def test_only_the_top_of_each_ranking_is_joined(
    run: list[tuple], qrels: list[tuple], depth: int
) -> None:
    judged = join(make_run("run", run), qrels_of(qrels), depth=depth)
    assert rows(judged) == [
        (topic, [hit for hit in hits if hit[0] <= depth], min(retrieved, depth), grades)
        for topic, hits, retrieved, grades in join_slowly(run, qrels, "trec", "both", 1)
    ]


def test_scores_in_single_precision_tie_if_close_and_may_overflow() -> None:
    run = make_run("run", [("1", "a", 1.0 + 1e-9), ("1", "b", 1.0), ("1", "c", 1e300)])
    qrels = make_qrels([("1", "a", 1), ("1", "b", 2)])
    assert join(run, qrels).hit_grade.tolist() == [1, 2]
    assert join(to_single_precision(run), qrels).hit_grade.tolist() == [2, 1]
    assert to_single_precision(run).score.tolist() == [1.0, 1.0, float("inf")]


def test_a_run_and_qrels_without_a_common_topic_give_no_topics() -> None:
    assert len(join(make_run("run", [("1", "a", 1.0)]), make_qrels([("2", "a", 1)]))) == 0


def test_a_slice_of_a_column_joins_like_a_whole_one() -> None:
    whole = make_run("run", [("1", name, -index) for index, name in enumerate("xyab")])
    cut = Run(
        "run",
        ("1",),
        np.array([0, 2]),
        whole.document[2:],
        whole.score[2:],
        whole.rank[2:],
        whole.line[2:],
    )
    assert join(cut, make_qrels([("1", "b", 2)])).hit_rank.tolist() == [2]


@pytest.mark.parametrize("slice_", [1, 3, 7, 8, 100])
def test_documents_are_found_wherever_the_slices_of_a_long_run_end(
    monkeypatch: pytest.MonkeyPatch, slice_: int
) -> None:
    monkeypatch.setattr(retrieving, "SLICE_ROWS", slice_)
    run = make_run(
        "r", [(topic, f"d{index}", index % 5) for topic in ("1", "2") for index in range(7)]
    )
    judged = [(topic, f"d{index}", index % 3) for topic in ("1", "2") for index in range(0, 9, 2)]
    expected = join_slowly(
        rows_of(run), [(*row[:2], "0", row[2]) for row in judged], "trec", "both", 1
    )
    assert rows(join(run, make_qrels(judged))) == expected


def test_equal_fingerprints_only_cost_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retrieving, "hash_ids", lambda ids: np.zeros(len(ids), dtype=np.uint64))
    judged = join(
        make_run("r", [("1", "a", 3.0), ("1", "b", 2.0), ("1", "c", 1.0)]),
        make_qrels([("1", "c", 2), ("1", "x", 1)]),
    )
    assert (judged.hit_rank.tolist(), judged.hit_grade.tolist()) == ([3], [2])


def rows_of(run: Run) -> list[tuple[str, str, float]]:
    return list(
        zip(
            [run.topics[code] for code in run.topic],
            run.document.to_pylist(),
            run.score.tolist(),
            strict=True,
        )
    )

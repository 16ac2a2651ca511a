"""Tests of judged rankings and of the sums that measures use."""

import pickle

import numpy as np
import pytest

from irjudge.errors import MeasureError
from irjudge.metrics import JudgedRun, divide, parse_measure_name

FITTING = {
    "topics": ("a", "b", "c"),
    "hit_topic": [0, 0, 2, 2],
    "hit_rank": [1, 4, 2, 3],
    "hit_grade": [2, 0, -1, 1],
    "n_retrieved": [4, 0, 3],
    "judged_starts": [0, 3, 3, 4],
    "judged_grades": [2, 1, 0, 1],
}


def judged_run(**changes) -> JudgedRun:
    given = FITTING | changes
    longs = ("n_retrieved", "judged_starts")
    return JudgedRun(
        **{
            name: value
            if name == "topics"
            else np.array(value, dtype=np.int64 if name in longs else np.int32)
            for name, value in given.items()
        }
    )


def test_hits_are_chosen_by_grade_and_rank_and_counted_in_their_topic():
    run = judged_run()
    judged = run.judged_hits()
    assert (judged.topic.tolist(), judged.rank.tolist(), judged.nth_in_topic.tolist()) == (
        [0, 0, 2],
        [1, 4, 3],
        [1, 2, 1],
    )
    assert run.relevant_hits(rel=1).rank.tolist() == [1, 3]
    assert run.relevant_hits(rel=2).rank.tolist() == [1]
    assert run.relevant_hits(rel=1, cutoff=2).topic.tolist() == [0]
    assert run.judged_hits(3).rank.tolist() == [1, 3]
    assert (run.ideal_hits().grade.tolist(), run.ideal_hits().rank.tolist()) == (
        [2, 1, 1],
        [1, 2, 1],
    )
    assert run.ideal_hits(1).grade.tolist() == [2, 1]


def test_repeated_calls_give_the_same_result():
    run = judged_run()
    for _ in range(2):
        assert run.relevant_hits(1).rank.tolist() == [1, 3]
        assert run.relevant_hits(2).rank.tolist() == [1]
        assert run.n_relevant(1).tolist() == [2, 0, 1]
        assert run.n_relevant(2).tolist() == [1, 0, 0]
        assert run.judged_topic.tolist() == [0, 0, 0, 2]
        assert run.judged_position.tolist() == [1, 2, 3, 1]


def test_counts_and_sums_have_one_value_a_topic():
    run = judged_run()
    assert len(run) == 3
    assert run.n_judged.tolist() == [3, 0, 1]
    assert run.count_retrieved().tolist() == [4, 0, 3]
    assert run.count_retrieved(3).tolist() == [3, 0, 3]
    assert run.sum_by_topic(run.hit_topic, run.hit_rank).tolist() == [5, 0, 5]
    assert run.count_by_topic(run.hit_topic).tolist() == [2, 0, 2]
    assert run.max_by_topic(run.hit_topic, run.hit_rank).tolist() == [4, 0, 3]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"hit_rank": [1, 4, 2]}, "differ in length"),
        ({"n_retrieved": [4, 0]}, "got 2 and 4"),
        ({"judged_starts": [0, 3, 4]}, "got 3 and 3"),
        ({"judged_starts": [0, 3, 2, 4]}, "judged_starts does not rise"),
        ({"judged_starts": [0, 3, 3, 3]}, "judged_starts does not rise"),
        ({"judged_starts": [1, 3, 3, 4]}, "judged_starts does not rise"),
        ({"hit_topic": [0, 0, 2, 3]}, "names no topic"),
        ({"hit_topic": [-1, 0, 2, 2]}, "names no topic"),
        ({"hit_rank": [0, 4, 2, 3]}, "rank is outside"),
        ({"hit_rank": [1, 5, 2, 3]}, "rank is outside"),
        ({"hit_topic": [0, 0, 1, 2]}, "rank is outside"),
        ({"hit_rank": [1, 4, 3, 2]}, "not sorted"),
        ({"hit_rank": [1, 4, 2, 2]}, "not sorted"),
        ({"hit_topic": [2, 2, 0, 0], "hit_rank": [1, 2, 1, 2]}, "not sorted"),
        ({"judged_grades": [2, 1, -1, 1]}, "is negative"),
        ({"judged_grades": [1, 2, 0, 1]}, "do not descend"),
        ({"judged_starts": [0, 0, 2, 4], "judged_grades": [1, 0, 0, 1]}, "do not descend"),
        (
            {"hit_topic": [], "hit_rank": [], "hit_grade": [], "judged_grades": [1, 2, 0, 1]},
            "do not descend",
        ),
    ],
)
def test_arrays_that_do_not_fit_together_are_refused(changes, problem):
    with pytest.raises(ValueError, match=problem):
        judged_run(**changes)


def test_a_topic_built_from_lists_has_their_values():
    run = JudgedRun.single(ranked=[None, 3, -1, 0], judged=[1, 3, 2], topic="051", highest=4)
    assert (run.topics, run.n_retrieved.tolist(), run.highest) == (("051",), [4], 4)
    assert (run.hit_rank.tolist(), run.hit_grade.tolist()) == ([2, 3, 4], [3, -1, 0])
    assert run.judged_grades.tolist() == [3, 2, 1, 0]
    assert JudgedRun.single(ranked=[1], n_retrieved=1000).n_retrieved.tolist() == [1000]


def test_division_by_zero_gives_zero():
    assert divide([1.0, 0.0, 6.0], [0, 0, 4]).tolist() == [0, 0, 1.5]
    assert divide(1, np.array([0, 2])).tolist() == [0, 0.5]


def test_no_topics_give_no_values():
    empty = judged_run(
        topics=(),
        hit_topic=[],
        hit_rank=[],
        hit_grade=[],
        n_retrieved=[],
        judged_starts=[0],
        judged_grades=[],
    )
    for measure in parse_measure_name("official"):
        assert measure.compute(empty).tolist() == []


def test_a_judged_run_and_a_measure_can_be_pickled():
    (measure,) = parse_measure_name("set_F.4")
    copied, run = pickle.loads(pickle.dumps((measure, judged_run())))
    assert copied == measure
    assert copied.compute(run).tolist() == measure.compute(judged_run()).tolist()


def test_a_grade_too_large_for_exponential_gain_is_refused():
    run = JudgedRun.single(ranked=[2000])
    with pytest.raises(MeasureError) as error:
        parse_measure_name("nDCG(gain=exp2)")[0].compute(run)
    assert error.value.values["maximum"] == "1000"
    assert error.value.values["grade"] == "2000"
    assert parse_measure_name("nDCG")[0].compute(run).tolist() == [1]

"""Tests of user-oriented measures, worked by hand."""

import pytest

from irjudge.errors import MeasureError
from irjudge.metrics import JudgedRun, coverage, novelty, recall_effort, relative_recall

# Relevant by the qrels: ranks 1, 3, 4, 6 and two that were not found. The user knew 3, 6, and two
# that were not found.
RUN = JudgedRun.single(ranked=[2, 0, 1, 1, None, 1], judged=[2, 1, 1, 1, 1, 1, 0])
KNOWN = JudgedRun.single(ranked=[None, None, 1, None, None, 1], judged=[1, 1, 1, 1])


def test_coverage_is_the_share_of_known_relevant_documents_that_is_retrieved() -> None:
    assert coverage(KNOWN) == 2 / 4
    assert coverage(KNOWN, cutoff=5) == 1 / 4
    assert coverage(JudgedRun.single(ranked=[None])) == 0  # the user knew nothing


def test_novelty_is_the_share_of_retrieved_relevant_documents_that_is_new() -> None:
    assert novelty(RUN, KNOWN) == 2 / 4  # 1 and 4 are new, 3 and 6 known
    assert novelty(RUN, KNOWN, cutoff=4) == 2 / 3
    assert novelty(RUN, JudgedRun.single(ranked=[None] * 6)) == 1
    assert novelty(JudgedRun.single(ranked=[0]), JudgedRun.single(ranked=[None])) == 0
    assert novelty(RUN, KNOWN, rel=2) == 1  # only rank 1 has grade 2


def test_documents_not_relevant_by_the_qrels_are_not_new() -> None:
    assert novelty(JudgedRun.single(ranked=[0, 1]), JudgedRun.single(ranked=[1, None])) == 1 / 2


def test_relative_recall_stops_at_the_wanted_number() -> None:
    assert relative_recall(RUN, wanted=8) == 4 / 8
    assert relative_recall(RUN, wanted=3) == 1
    assert relative_recall(RUN, wanted=3, cutoff=3) == 2 / 3


def test_recall_effort_counts_down_to_the_last_one_wanted() -> None:
    assert recall_effort(RUN, wanted=1) == 1 / 1
    assert recall_effort(RUN, wanted=3) == 3 / 4
    assert recall_effort(RUN, wanted=5) == 5 / 6  # only four exist, so all six are examined
    assert recall_effort(RUN, wanted=3, cutoff=3) == 3 / 3
    assert recall_effort(JudgedRun.single(ranked=[]), wanted=3) == 0


def test_invalid_parameters_are_refused() -> None:
    for measure in (relative_recall, recall_effort):
        with pytest.raises(MeasureError) as error:
            measure(RUN, wanted=0)
        assert error.value.values["wanted"] == "0"
    with pytest.raises(MeasureError, match="the same topics"):
        novelty(RUN, JudgedRun.single(ranked=[1], topic="2"))

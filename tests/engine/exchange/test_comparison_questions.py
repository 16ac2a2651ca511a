"""Tests of the questions of a comparison: lists, pairs of documents, and invalid requests."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    AssignmentRequest,
    ComparisonOptions,
    ComparisonRequest,
    assign_comparison_to_owner,
    pair_runs,
    preview_assignment,
    sample_topics,
)
from irjudge.model import Document, Topic, make_run
from irjudge.store import Project, open_project
from tests.outside_edits import edit


def test_identical_lists_are_counted_and_documents_without_text_left_out(
    three_runs_project: Path,
) -> None:
    edit(three_runs_project, "UPDATE document SET digest = NULL WHERE id = 't9n0'")
    with open_project(three_runs_project) as opened:
        preview = preview_assignment(
            opened,
            AssignmentRequest(
                assessors="ann",
                mode="side-by-side",
                comparison=ComparisonRequest(runs=("zebrarank", "okapifuse")),
            ),
        )
        made = assign_comparison_to_owner(opened, ComparisonOptions((("zebrarank", "okapifuse"),)))
        assert preview.warnings == made.warnings
        assert [(each.key, *each.values.values()) for each in made.warnings] == [
            ("documents-without-text", "1", "t9n0"),
            ("identical-lists", "3", "3"),
        ]


@pytest.mark.parametrize(
    ("options", "key", "values"),
    [
        (ComparisonOptions(()), "no-two-runs", []),
        (ComparisonOptions((("zebrarank", "zebrarank"),)), "no-two-runs", []),
        (
            ComparisonOptions((("zebrarank", "nothing"),)),
            "unknown-run",
            ["nothing", "okapifuse, quaggablend, zebrarank"],
        ),
        (
            ComparisonOptions((("zebrarank", "okapifuse"),), topics=("5",)),
            "unknown-topic",
            ["5"],
        ),
        (ComparisonOptions((("zebrarank", "okapifuse"),), depth=0), "invalid-depth", ["0", "1"]),
        (
            ComparisonOptions((("zebrarank", "okapifuse"),), overlap=2),
            "invalid-overlap",
            ["1", "2"],
        ),
        (ComparisonOptions((("zebrarank", "okapifuse"),), repeats=-1), "negative-repeats", ["-1"]),
        (ComparisonOptions((("zebrarank", "okapifuse"),), choice="top"), "no-number", []),
    ],
)
def test_invalid_options_are_refused_and_change_nothing(
    three_runs_project: Path, options: ComparisonOptions, key: str, values: list[str]
) -> None:
    with open_project(three_runs_project) as opened:
        with pytest.raises(IrjudgeError) as error:
            assign_comparison_to_owner(opened, options)
        assert error.value.key == key and list(error.value.values.values()) == values
        assert opened.assignments.all() == () and opened.assignments.rounds() == ()


def test_sampled_topics_are_topics_of_the_runs(three_runs_project: Path) -> None:
    """A topic of the project that no run has is not sampled: it could not be compared."""
    runs = ("zebrarank", "okapifuse")
    with open_project(three_runs_project) as opened:
        opened.collection.add_topics(Topic(f"new{number}", "title") for number in range(20))
        for count in (1, 2):
            sampled = sample_topics(opened, runs, count, seed=1)
            assert len(sampled) == count and set(sampled) < {"051", "007", "9"}
        assert sample_topics(opened, runs, 3, seed=1) == ()


# Pairs of documents


def read_questions(project: Project) -> list[tuple[str, str, str]]:
    return [(item.topic, *item.documents) for item in project.assignments.items(1)]


def test_all_pairs_are_presented_topic_by_topic_with_balanced_sides(
    three_runs_project: Path,
) -> None:
    with open_project(three_runs_project) as opened:
        assign_comparison_to_owner(
            opened,
            ComparisonOptions(pair_runs(("zebrarank", "quaggablend")), depth=3, choice="all"),
        )
        pairs = read_questions(opened)
        assert (
            len({(topic, frozenset((left, right))) for topic, left, right in pairs})
            == len(pairs)
            == 3 * 15
        )
        assert len([topic for topic, following in pairwise(pairs) if topic[0] != following[0]]) == 2
        for topic in ("051", "007", "9"):
            lower = [left < right for each, left, right in pairs if each == topic]
            assert abs(2 * sum(lower) - len(lower)) <= 1


def test_random_pairs_respect_their_budget(three_runs_project: Path) -> None:
    with open_project(three_runs_project) as opened:
        assign_comparison_to_owner(
            opened,
            ComparisonOptions(
                pair_runs(("zebrarank", "quaggablend")), depth=3, choice="random", budget=7
            ),
        )
        assert Counter(topic for topic, _, _ in read_questions(opened)) == {
            "051": 7,
            "007": 7,
            "9": 7,
        }


def test_too_many_documents_for_pairs_are_refused(three_runs_project: Path) -> None:
    with open_project(three_runs_project) as opened:
        rows = [("051", f"t051n{number}", float(-number)) for number in range(16)]
        opened.rankings.add_run(
            make_run("long", [*rows, *(("051", f"more{number}", -99.0) for number in range(300))])
        )
        opened.collection.add_documents(
            Document(f"more{number}", b"words", "title") for number in range(300)
        )
        with pytest.raises(IrjudgeError, match=r"Topic 051 has 316 documents .* Lower the depth"):
            assign_comparison_to_owner(
                opened, ComparisonOptions((("long", "zebrarank"),), depth=1000, choice="all")
            )

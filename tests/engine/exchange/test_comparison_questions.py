"""The questions of a comparison: which lists, which pairs of documents, and what cannot be asked."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from irjudge.exchange import ComparisonOptions, assign_comparison_to_owner, pair_runs
from irjudge.model import Document, make_run
from irjudge.store import Project, open_project
from tests.outside_edits import edit


def test_identical_lists_are_counted_and_documents_without_text_left_out(compared: Path) -> None:
    edit(compared, "UPDATE document SET digest = NULL WHERE id = 't9n0'")
    with open_project(compared) as opened:
        made = assign_comparison_to_owner(opened, ComparisonOptions((("zebrarank", "okapifuse"),)))
        assert [(each.key, *each.values.values()) for each in made.warnings] == [
            ("documents-without-text", "1", "t9n0"),
            ("identical-lists", "3", "3"),
        ]


@pytest.mark.parametrize(
    ("wish", "key", "values"),
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
def test_a_wrong_wish_is_refused_and_changes_nothing(
    compared: Path, wish: ComparisonOptions, key: str, values: list[str]
) -> None:
    with open_project(compared) as opened:
        with pytest.raises(IrjudgeError) as error:
            assign_comparison_to_owner(opened, wish)
        assert error.value.key == key and list(error.value.values.values()) == values
        assert opened.assignments.all() == () and opened.assignments.rounds() == ()


# Pairs of documents


def shown(project: Project) -> list[tuple[str, str, str]]:
    return [(item.topic, *item.documents) for item in project.assignments.items(1)]


def test_all_pairs_of_a_topic_are_shown_topic_by_topic_with_sides_balanced(compared: Path) -> None:
    with open_project(compared) as opened:
        assign_comparison_to_owner(
            opened,
            ComparisonOptions(pair_runs(("zebrarank", "quaggablend")), depth=3, choice="all"),
        )
        pairs = shown(opened)
        assert (
            len({(topic, frozenset((left, right))) for topic, left, right in pairs})
            == len(pairs)
            == 3 * 15
        )
        assert len([topic for topic, following in pairwise(pairs) if topic[0] != following[0]]) == 2
        for topic in ("051", "007", "9"):
            lower = [left < right for each, left, right in pairs if each == topic]
            assert abs(2 * sum(lower) - len(lower)) <= 1


def test_random_pairs_keep_to_their_budget(compared: Path) -> None:
    with open_project(compared) as opened:
        assign_comparison_to_owner(
            opened,
            ComparisonOptions(
                pair_runs(("zebrarank", "quaggablend")), depth=3, choice="random", budget=7
            ),
        )
        assert Counter(topic for topic, _, _ in shown(opened)) == {"051": 7, "007": 7, "9": 7}


def test_too_many_documents_for_pairs_are_refused(compared: Path) -> None:
    with open_project(compared) as opened:
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

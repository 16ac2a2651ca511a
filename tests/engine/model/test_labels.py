"""Tests of labels: their scale, the latest label of each worker, and excluded workers."""

import numpy as np
import pytest

from irjudge.errors import IrjudgeError
from irjudge.model import Labels, infer_scale, make_labels


def make_pair_labels(rows: list[tuple[str, str, str, int]]) -> Labels:
    made = make_labels(
        [(f"{topic} {document}", worker, label) for topic, document, worker, label in rows]
    )
    names = [tuple(name.split(" ")) for name in made.items]
    return Labels(
        made.items,
        made.workers,
        made.scale,
        made.values,
        made.item,
        made.worker,
        made.label,
        tuple((a, b) for a, b in names),
    )


@pytest.mark.parametrize(
    ("words", "scale"),
    [
        (("3", "0"), ("0", "1", "2", "3")),
        (("-1", "1"), ("-1", "0", "1")),
        (("01", "1", "2.0"), ("1", "2")),
        (("0.5", "10", "2"), ("0.5", "2", "10")),
        (("b", "a", "10"), ("10", "a", "b")),
        (("0", "1000"), ("0", "1000")),
        (("nan", "1"), ("1", "nan")),
    ],
)
def test_an_undeclared_scale_is_inferred_from_the_labels(words, scale) -> None:
    assert infer_scale(words) == scale


def test_labels_that_mean_the_same_number_are_the_same() -> None:
    made = make_labels([("d1", "a", "01"), ("d1", "b", "1.0"), ("d1", "c", 1)])
    assert (made.scale, made.label.tolist(), made.values.tolist()) == (("1",), [0, 0, 0], [1.0])


def test_a_label_outside_of_the_scale_is_named() -> None:
    with pytest.raises(IrjudgeError) as error:
        make_labels([("d1", "a", 7)], range(3))
    assert error.value.values["label"] == "'7'"
    assert error.value.values["scale"] == "0, 1, 2"


def test_unjudgeable_labels_stay_unjudgeable_on_another_scale() -> None:
    made = make_labels([("d1", "a", 0), ("d1", "b", 1)])
    refused = Labels(
        made.items,
        made.workers,
        made.scale,
        made.values,
        made.item,
        made.worker,
        np.array([-2, 1], dtype=np.int32),
    )
    assert refused.with_scale([1, 0]).label.tolist() == [-2, 0]
    assert (refused.count_grades().tolist(), refused.count_unjudgeable().tolist()) == (
        [[0, 1]],
        [1],
    )


def test_the_latest_label_counts_in_its_position() -> None:
    made = make_labels([("d1", "a", 0), ("d2", "a", 1), ("d1", "a", 2), ("d1", "b", 1)])
    assert [
        (made.items[item], label)
        for item, label in zip(made.latest().item, made.latest().label, strict=True)
    ] == [
        ("d2", 1),
        ("d1", 2),
        ("d1", 1),
    ]


def test_an_excluded_worker_is_removed_by_name() -> None:
    made = make_labels([("d1", "a", 0), ("d1", "b", 1), ("d2", "c", 2)]).without(["b"])
    assert (made.workers, made.worker.tolist(), made.label.tolist(), made.items) == (
        ("a", "c"),
        [0, 1],
        [0, 2],
        ("d1", "d2"),
    )
    with pytest.raises(IrjudgeError) as error:
        made.without(["z"])
    assert error.value.values["name"] == "'z'"
    assert error.value.values["names"] == "a, c"


def test_items_belong_to_their_topics() -> None:
    made = make_pair_labels(
        [("2", "x", "a", 0), ("1", "x", "a", 1), ("2", "y", "b", 1), ("2", "x", "b", 1)]
    ).with_gold({("2", "y"): "1"})
    assert made.topics == ("2", "1")
    two, one = (part for _, part in made.by_topic())
    assert (two.pairs, two.item.tolist(), two.gold.tolist()) == (
        (("2", "x"), ("2", "y")),
        [0, 1, 0],
        [-1, 1],
    )
    assert (one.items, one.label.tolist(), one.workers) == (("1 x",), [1], ("a", "b"))


def test_gold_labels_are_matched_by_item_or_by_topic_and_document() -> None:
    made = make_pair_labels([("1", "x", "a", 0), ("1", "y", "a", 1)])
    assert (
        made.with_gold({("1", "y"): "1.0"}).gold.tolist()
        == made.with_gold({"1 y": "1"}).gold.tolist()
        == [-1, 1]
    )
    with pytest.raises(IrjudgeError) as error:
        made.with_gold({"1 y": "9"})
    assert error.value.values["item"] == "1 y"
    assert error.value.values["grade"] == "'9'"
    assert error.value.values["scale"] == "0, 1"
    with pytest.raises(IrjudgeError, match="no id in common"):
        made.with_gold({("2", "y"): "1"})

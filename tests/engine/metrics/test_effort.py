"""Tests of the effort of total-recall searches, worked by hand and by CLEF TAR's script."""

import json
from pathlib import Path

import pytest

import irjudge
from irjudge.errors import MeasureError
from irjudge.metrics import JudgedRun, parse_measure_name

TAR = json.loads(
    (Path(__file__).parents[2] / "golden" / "tar_eval.json").read_text(encoding="utf-8")
)


def value(name: str, ranked: list, judged: list[int], **options: int) -> float:
    return float(
        parse_measure_name(name)[0].compute(
            JudgedRun.single(ranked=ranked, judged=judged, **options)
        )[0]
    )


def test_effort_for_four_relevant_documents_of_ten() -> None:
    ranked, judged = [1, 0, 2, None, 1, 0, 0, 1], [1, 2, 1, 1, 0, 0, 0, 0, 0, 0]
    # recall .5 with two at rank 3, .95 with all four at rank 8; ten documents are judged, eight
    # retrieved
    assert value("WSS@0.5", ranked, judged) == pytest.approx((10 - 3) / 10 - 0.5)
    assert value("WSS@0.95", ranked, judged) == pytest.approx((10 - 8) / 10 - 0.05)
    assert value("WSS(universe=100)@0.95", ranked, judged) == pytest.approx(92 / 100 - 0.05)
    assert [value(f"Effort@{x}", ranked, judged) for x in (0, 0.25, 0.5, 0.51, 1)] == [
        0,
        1,
        3,
        5,
        8,
    ]
    assert value("Effort(norm=share)@1", ranked, judged) == 0.8
    assert (value("LastRel", ranked, judged), value("LastRel(rel=2)", ranked, judged)) == (8, 3)
    assert value("LastRel(norm=share,universe=10)", ranked, judged) == 0.8


def test_unreached_recall_costs_all_documents_and_saves_none() -> None:
    ranked, judged = [1, 0], [1, 1, 0, 0]
    assert value("WSS@1", ranked, judged) == 0
    assert (value("Effort@1", ranked, judged), value("Effort(norm=share)@1", ranked, judged)) == (
        4,
        1,
    )
    assert (value("LastRel", ranked, judged), value("LastRel", [0], [1])) == (1, 2)
    assert [value(f"{name}@1", [0], []) for name in ("WSS", "Effort")] == [0, 0]


def test_a_universe_that_is_too_small_is_refused() -> None:
    for name in ("WSS(universe=2)@1", "Effort(universe=2)@1", "LastRel(universe=2)"):
        with pytest.raises(MeasureError) as error:
            value(name, [0, 0, 1], [1])
        assert error.value.values["universe"] == "2"
        assert error.value.values["documents"] == "3"
    with pytest.raises(MeasureError) as error:
        value("WSS(universe=collection)@1", [1], [1])
    assert error.value.key == "no-collection-size"


@pytest.mark.parametrize("name", next(iter(TAR["topics"].values()))["values"])
def test_values_are_those_of_clef_tar(name: str) -> None:
    topics = TAR["topics"]
    qrels = {topic: each["qrels"] for topic, each in topics.items()}
    run = {
        topic: {document: -index for index, document in enumerate(each["ranked"])}
        for topic, each in topics.items()
    }
    frame = irjudge.evaluate(qrels, run, [name], per_topic=True)
    values = {row.topic: row.value for row in frame.itertuples() if row.topic != "all"}
    assert values == pytest.approx(
        {topic: each["values"][name] for topic, each in topics.items()}, abs=1e-12
    )

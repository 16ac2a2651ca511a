"""Tests of names of ir_measures, ranx and NTCIREVAL against values that these tools computed."""

import json
from pathlib import Path

import pytest

import irjudge
from irjudge.errors import MeasureError

GOLDEN = Path(__file__).parents[2] / "golden"
IR_MEASURES = json.loads((GOLDEN / "ir_measures.json").read_text(encoding="utf-8"))
RANX = json.loads((GOLDEN / "ranx.json").read_text(encoding="utf-8"))
NTCIREVAL = json.loads((GOLDEN / "ntcireval.json").read_text(encoding="utf-8"))
# Their names for measures whose irjudge name means something else, and the precision of gdeval.
OURS = {"SetF(beta=2.0)": "set_F.2", "SetF(beta=0.5)": "set_F.0.5"}
PRINTED = {"ERR@5": 5e-6, "ERR@20": 5e-6, "nDCG(dcg='exp-log2')@5": 5e-6}


def group_values(rows: list[list]) -> dict[str, dict]:
    result: dict[str, dict] = {}
    for topic, document, value in rows:
        result.setdefault(topic, {})[document] = value
    return result


def by_topic(qrels: dict | Path, run: dict, name: str, **policy: object) -> dict[str, float]:
    frame = irjudge.evaluate(qrels, run, [name], per_topic=True, **policy)
    return {row.topic: row.value for row in frame.itertuples() if row.topic != "all"}


@pytest.mark.parametrize(
    "name", [name for name in IR_MEASURES["values"] if name not in IR_MEASURES["refused"]]
)
def test_names_of_ir_measures_give_its_values(name: str) -> None:
    # gdeval, the source of ERR and exp-log2 there, takes 4 as the highest grade for all qrels.
    result = by_topic(
        group_values(IR_MEASURES["qrels"]),
        group_values(IR_MEASURES["run"]),
        OURS.get(name, name),
        highest=4,
    )
    assert result == pytest.approx(IR_MEASURES["values"][name], abs=PRINTED.get(name, 1e-9))


@pytest.mark.parametrize("name", IR_MEASURES["refused"])
def test_measures_only_in_ir_measures_are_refused(name: str) -> None:
    with pytest.raises(MeasureError, match="irjudge does not compute"):
        by_topic(group_values(IR_MEASURES["qrels"]), group_values(IR_MEASURES["run"]), name)


@pytest.mark.parametrize("name", IR_MEASURES["intents"]["values"])
def test_subtopic_measures_of_ir_measures_give_its_values(name: str, tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text(
        "".join(" ".join(map(str, row)) + "\n" for row in IR_MEASURES["intents"]["qrels"])
    )
    result = by_topic(tmp_path / "q.txt", group_values(IR_MEASURES["run"]), name)
    assert result == pytest.approx(IR_MEASURES["intents"]["values"][name], abs=1e-9)


@pytest.mark.parametrize("name", [name for name in RANX["values"] if name not in RANX["refused"]])
def test_names_of_ranx_give_its_values(name: str) -> None:
    assert by_topic(RANX["qrels"], RANX["run"], name) == pytest.approx(
        RANX["values"][name], abs=1e-9
    )


@pytest.mark.parametrize("name", RANX["refused"])
def test_names_that_ranx_defines_differently_get_a_replacement(name: str) -> None:
    with pytest.raises(MeasureError) as error:
        by_topic(RANX["qrels"], RANX["run"], name)
    values = error.value.values
    if name.startswith("rbp"):
        assert error.value.key == "rbp-of-grades" and values["p"].startswith("p=0.")
    else:
        assert error.value.key == "gain-to-write" and "gain=1:0/2:3/3:7" in values["example"]


def test_gains_of_a_level_match_the_message() -> None:
    result = by_topic(RANX["qrels"], RANX["run"], "nDCG(gain=1:0/2:3/3:7)@5")
    assert result == pytest.approx(RANX["values"]["ndcg_burges@5-l2"], abs=1e-9)


def test_set_f_with_a_beta_differs_from_ir_measures_with_a_warning() -> None:
    qrels, run = group_values(IR_MEASURES["qrels"]), group_values(IR_MEASURES["run"])
    assert by_topic(qrels, run, "SetF(beta=2)") != pytest.approx(
        IR_MEASURES["values"]["SetF(beta=2.0)"]
    )
    assert "set_F.2" in irjudge.evaluate(qrels, run, "SetF(beta=2)").attrs["remarks"][0]


@pytest.mark.parametrize("name", next(iter(NTCIREVAL["topics"].values()))["values"])
def test_values_are_those_of_ntcireval(name: str) -> None:
    topics = NTCIREVAL["topics"]
    qrels = {topic: each["qrels"] for topic, each in topics.items()}
    run = {
        topic: {document: -index for index, document in enumerate(each["ranked"])}
        for topic, each in topics.items()
    }
    assert by_topic(qrels, run, name, highest=3) == pytest.approx(
        {topic: each["values"][name] for topic, each in topics.items()}, abs=1e-9
    )

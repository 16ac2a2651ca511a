"""Tests of evaluation and estimates as data frames, for notebooks."""

from io import StringIO

import pandas as pd
import pytest

import irjudge
from irjudge.cli.main import main as command
from irjudge.errors import FormatError, IrjudgeError, MeasureError
from irjudge.model import make_qrels, make_run
from irjudge.pooling import PoolOptions, build_pool, make_qrels_judge

QRELS = make_qrels([("1", "a", 1), ("2", "a", 1)])
RUN = make_run("mine", [("1", "b", 2.0), ("1", "a", 1.0)])


def test_files_and_objects_give_the_same_table(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "mine.run").write_text("1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n")
    expected = irjudge.evaluate(QRELS, RUN, "RR P@1", per_topic=True)
    assert irjudge.evaluate(
        str(tmp_path / "q"), tmp_path / "mine.run", ["RR", "P@1"], per_topic=True
    ).equals(expected)
    assert expected.values.tolist() == [
        ["mine", "RR", "1", 0.5],
        ["mine", "RR", "all", 0.5],
        ["mine", "P@1", "1", 0.0],
        ["mine", "P@1", "all", 0.0],
    ]


def test_several_runs_and_policies_are_accepted():
    table = irjudge.evaluate(
        QRELS, [RUN, make_run("other", [("1", "a", 1.0)])], "RR", topics="qrels"
    )
    assert table[["run", "value"]].values.tolist() == [["mine", 0.25], ["other", 0.5]]


def test_profile_depth_and_average_are_accepted():
    qrels = make_qrels([("1", "a", 1), ("1", "c", 1), ("1", "d", 1)])
    run = make_run("r", [("1", "a", 2.0), ("1", "b", 1.0), ("1", "c", 0.0)])
    # floor(.8 · 3 + .9) = 3 of 3 relevant are not found; round(.8 · 3) = 2 are, at rank 3
    assert [
        irjudge.evaluate(qrels, run, "IPrec@.8", profile=each).value[0]
        for each in ("trec_eval-9", "trec_eval-10")
    ] == [0, 2 / 3]
    assert irjudge.evaluate(qrels, run, "NumRelRet NumRet", depth=2).value.tolist() == [1, 2]
    assert irjudge.evaluate(
        QRELS, [RUN], "P@1", average="geometric", topics="qrels"
    ).value.tolist() == [pytest.approx(1e-5)]


def test_invalid_input_is_reported(tmp_path):
    with pytest.raises(MeasureError):
        irjudge.evaluate(QRELS, RUN, "nonsense")
    with pytest.raises(FormatError, match="missing: cannot be read"):
        irjudge.evaluate(QRELS, tmp_path / "missing", "RR")
    with pytest.raises(AttributeError):
        irjudge.nonsense  # noqa: B018


HUGE = 10**400  # too large for a float
GRADES = {"1": {"a": 1, "c": 3}, "2": {"a": 1}}
SCORES = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 0.5}}


def test_dicts_of_pytrec_eval_are_accepted():
    table = irjudge.evaluate(GRADES, SCORES, "RR nDCG", per_topic=True)
    peer = (
        pytest.importorskip("pytrec_eval")
        .RelevanceEvaluator(GRADES, {"recip_rank", "ndcg"})
        .evaluate(SCORES)
    )
    values = {(measure, topic): value for _, measure, topic, value in table.values.tolist()}
    assert {topic: values["nDCG", topic] for topic in "12"} == pytest.approx(
        {topic: peer[topic]["ndcg"] for topic in "12"}
    )
    assert {topic: values["RR", topic] for topic in "12"} == {
        topic: peer[topic]["recip_rank"] for topic in "12"
    }
    assert set(table.run) == {"run"}
    assert set(irjudge.evaluate(GRADES, [SCORES, SCORES], "RR").run) == {"run 1", "run 2"}


def test_a_dict_of_runs_gives_each_its_name(tmp_path):
    path = tmp_path / "file.run"
    path.write_text(
        "".join(f"{t} Q0 {d} 1 {s} tag\n" for t, each in SCORES.items() for d, s in each.items())
    )
    frame = pd.DataFrame(
        [(t, d, s) for t, each in SCORES.items() for d, s in each.items()],
        columns=["query_id", "doc_id", "score"],
    )
    named = irjudge.evaluate(
        GRADES, {"a": SCORES, "b": frame, "c": path, "d": irjudge.read_run(str(path))}, "RR nDCG"
    )
    assert sorted(set(named.run)) == ["a", "b", "c", "d"] and named.groupby(
        "measure"
    ).value.nunique().tolist() == [1, 1]
    assert [*irjudge.evaluate(GRADES, {"c": path}, "RR").run] == ["c"] and [
        *irjudge.evaluate(GRADES, [path], "RR").run
    ] == ["file"]
    assert named.value.tolist()[:2] == irjudge.evaluate(GRADES, SCORES, "RR nDCG").value.tolist()
    with pytest.raises(IrjudgeError, match="topic x has 3"):
        irjudge.evaluate(GRADES, {"x": 3}, "RR")


def test_tables_of_ir_measures_are_accepted():
    qrels = pd.DataFrame(
        [(t, d, g) for t, each in GRADES.items() for d, g in each.items()],
        columns=["query_id", "doc_id", "relevance"],
    )
    run = pd.DataFrame(
        [(t, d, s) for t, each in SCORES.items() for d, s in each.items()],
        columns=["query_id", "doc_id", "score"],
    )
    expected = irjudge.evaluate(GRADES, SCORES, "RR nDCG", per_topic=True)
    assert irjudge.evaluate(qrels, run, "RR nDCG", per_topic=True).equals(expected)
    named = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    assert irjudge.evaluate(
        qrels.rename(columns=named), run.rename(columns=named), "RR nDCG", per_topic=True
    ).equals(expected)


@pytest.mark.parametrize(
    ("qrels", "run", "key", "values"),
    [
        (
            {"1": {"a": 0.5}},
            SCORES,
            "invalid-grade",
            {"topic": "1", "document": "a", "minimum": "-2", "value": "0.5"},
        ),
        ({"1": 1}, SCORES, "not-nested", {"topic": "1", "documents": "1"}),
        (
            {"1": {"a": "x"}},
            SCORES,
            "not-a-number",
            {"topic": "1", "document": "a", "value": "'x'"},
        ),
        (
            GRADES,
            {"1": {"a": float("nan")}},
            "invalid-score",
            {"topic": "1", "document": "a", "value": "nan"},
        ),
        ({"1": {"a": HUGE}}, SCORES, "invalid-grade", {"topic": "1", "value": str(HUGE)}),
        (GRADES, {"1": {"a": HUGE}}, "invalid-score", {"topic": "1", "value": str(HUGE)}),
        (
            GRADES,
            pd.DataFrame({"query_id": ["1"], "doc_id": ["a"]}),
            "no-column",
            {"names": "score", "columns": "query_id, doc_id"},
        ),
        (
            pd.DataFrame({"qid": [1, 1], "docno": ["a", "a"], "rel": [0, 1]}),
            SCORES,
            "two-grades",
            {"topic": "1", "document": "a", "first": "0", "second": "1"},
        ),
    ],
)
def test_invalid_objects_are_refused_with_their_position(qrels, run, key, values):
    with pytest.raises(IrjudgeError) as error:
        irjudge.evaluate(qrels, run, "RR")
    assert error.value.key == key and error.value.values.items() >= values.items()


def test_the_highest_grade_is_chosen_and_reported():
    known = irjudge.evaluate(GRADES, SCORES, "ERR@20")
    assert known.attrs["highest"].startswith("3, ")
    chosen = irjudge.evaluate(GRADES, SCORES, "ERR@20", highest=4)
    assert chosen.attrs["highest"].startswith("4, ")
    assert (
        chosen.value[0]
        == irjudge.evaluate(GRADES, SCORES, "ERR(highest=4)@20").value[0]
        < known.value[0]
    )
    assert "highest" not in irjudge.evaluate(GRADES, SCORES, "AP").attrs
    with pytest.raises(MeasureError) as error:
        irjudge.evaluate(GRADES, SCORES, "ERR@20", highest=2)
    assert error.value.values["highest"] == "2"
    assert error.value.values["grade"] == "3"


# Estimates

DRAWN_RUN = make_run("mine", [("1", f"d{rank}", -float(rank)) for rank in range(8)])
DRAWN = make_qrels([("1", f"d{rank}", int(rank % 3 == 0)) for rank in range(8)])


def test_an_estimate_is_a_table_with_values_worked_by_hand():
    """Half of ranks 1 to 8 were sampled: each relevant one counts for two."""
    pool = build_pool([DRAWN_RUN], PoolOptions("sample(share=0.5)"))
    sampled = set(pool.document.to_pylist())
    table = irjudge.estimate(DRAWN, DRAWN_RUN, "htP@10", pool=pool)
    assert table.columns.tolist() == ["run", "measure", "topic", "value"] and len(sampled) == 4
    assert table.values.tolist() == [
        ["mine", "htP@10", "all", 2 * len(sampled & {"d0", "d3", "d6"}) / 10]
    ]
    assert irjudge.estimate(DRAWN, DRAWN_RUN, pool=pool).measure.tolist() == ["xinfAP"]
    assert "averaged" in [warning.key for warning in table.attrs["remarks"]]


def test_an_unsuitable_estimator_is_refused_with_suitable_ones():
    runs = [
        DRAWN_RUN,
        make_run("other", [("1", f"d{7 - rank}", -float(rank)) for rank in range(8)]),
    ]
    pool = build_pool(runs, PoolOptions("active", size=4), judge=make_qrels_judge(DRAWN))
    with pytest.raises(IrjudgeError) as error:
        irjudge.estimate(DRAWN, runs, "statAP infNDCG", pool=pool)
    assert error.value.key == "needs-equal-chances"
    assert error.value.values["name"] == "infNDCG"
    assert error.value.values["fit"] == "statAP, htAP, htP@10"
    table = irjudge.estimate(DRAWN, runs, pool=pool)
    assert table[["run", "measure"]].values.tolist() == [["mine", "statAP"], ["other", "statAP"]]
    assert ("unequal-chances", "statAP") in [
        (each.key, each.values.get("name")) for each in table.attrs["remarks"]
    ]


def test_files_objects_and_the_terminal_estimate_the_same(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    topics = ("1", "2", "3")
    (tmp_path / "q").write_text(
        "".join(
            f"{topic} 0 d{at} {int((at + int(topic)) % 3 == 0)}\n"
            for topic in topics
            for at in range(9)
        )
    )
    (tmp_path / "a.run").write_text(
        "".join(f"{topic} Q0 d{at} {at} {-at} a\n" for topic in topics for at in range(9))
    )
    assert command(["pool", "a.run", "--strategy", "sample(share=0.5)", "-o", "p.csv"]) == 0
    capsys.readouterr()
    assert (
        command(
            [
                "estimate",
                "q",
                "a.run",
                "--pool",
                "p.csv",
                "-m",
                "xinfAP",
                "-m",
                "htAP",
                "--per-topic",
                "--interval",
                "--format",
                "csv",
            ]
        )
        == 0
    )
    out = pd.read_csv(StringIO(capsys.readouterr().out), dtype={"topic": str})
    grades = {
        topic: {f"d{at}": int((at + int(topic)) % 3 == 0) for at in range(9)} for topic in topics
    }
    scores = {topic: {f"d{at}": -float(at) for at in range(9)} for topic in topics}
    files = irjudge.estimate(
        "q", ["a.run"], "xinfAP htAP", pool="p.csv", per_topic=True, interval=True
    )
    objects = irjudge.estimate(
        grades, scores, ["xinfAP", "htAP"], pool="p.csv", per_topic=True, interval=True
    )
    pd.testing.assert_frame_equal(files, out)
    assert objects.drop(columns="run").equals(files.drop(columns="run")) and set(objects.run) == {
        "run"
    }
    ends = files[files.topic == "all"]
    assert (
        (ends.low <= ends.value).all()
        and (ends.value <= ends.high).all()
        and files[files.topic != "all"].low.isna().all()
    )


def test_without_a_pool_only_judged_samples_are_accepted(tmp_path):
    with pytest.raises(IrjudgeError) as error:
        irjudge.estimate(DRAWN, DRAWN_RUN)
    assert error.value.key == "no-pool"
    (tmp_path / "prels").write_text("1 0 d0 1 1\n1 0 d1 1 0\n1 0 d2 2 -1\n1 0 d3 2 1\n")
    assert irjudge.estimate(tmp_path / "prels", DRAWN_RUN, "xinfAP").value.item() > 0

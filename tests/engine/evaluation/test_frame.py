"""Evaluation for notebooks."""

import pandas as pd
import pytest

import irjudge
from irjudge.errors import FormatError, IrjudgeError, MeasureError
from irjudge.model.ranking import make_qrels, make_run

QRELS = make_qrels([("1", "a", 1), ("2", "a", 1)])
RUN = make_run("mine", [("1", "b", 2.0), ("1", "a", 1.0)])


def test_files_and_objects_give_the_same_table(tmp_path):
    (tmp_path / "q").write_text("1 0 a 1\n2 0 a 1\n")
    (tmp_path / "mine.run").write_text("1 Q0 b 1 2 t\n1 Q0 a 2 1 t\n")
    expected = irjudge.evaluate(QRELS, RUN, "RR P@1", per_topic=True)
    assert irjudge.evaluate(str(tmp_path / "q"), tmp_path / "mine.run", ["RR", "P@1"], per_topic=True).equals(expected)
    assert expected.values.tolist() == [
        ["mine", "RR", "1", 0.5],
        ["mine", "RR", "all", 0.5],
        ["mine", "P@1", "1", 0.0],
        ["mine", "P@1", "all", 0.0],
    ]


def test_several_runs_and_policies_are_taken():
    table = irjudge.evaluate(QRELS, [RUN, make_run("other", [("1", "a", 1.0)])], "RR", topics="qrels")
    assert table[["run", "value"]].values.tolist() == [["mine", 0.25], ["other", 0.5]]


def test_profile_depth_and_average_are_taken():
    qrels, run = (
        make_qrels([("1", "a", 1), ("1", "c", 1), ("1", "d", 1)]),
        make_run("r", [("1", "a", 2.0), ("1", "b", 1.0), ("1", "c", 0.0)]),
    )
    # floor(.8 · 3 + .9) = 3 of 3 relevant are not found; round(.8 · 3) = 2 are, at rank 3
    assert [irjudge.evaluate(qrels, run, "IPrec@.8", profile=each).value[0] for each in ("trec_eval-9", "trec_eval-10")] == [0, 2 / 3]
    assert irjudge.evaluate(qrels, run, "NumRelRet NumRet", depth=2).value.tolist() == [1, 2]
    assert irjudge.evaluate(QRELS, [RUN], "P@1", average="geometric", topics="qrels").value.tolist() == [pytest.approx(1e-5)]


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(MeasureError):
        irjudge.evaluate(QRELS, RUN, "nonsense")
    with pytest.raises(FormatError, match="missing: cannot be read"):
        irjudge.evaluate(QRELS, tmp_path / "missing", "RR")
    with pytest.raises(AttributeError):
        irjudge.nonsense  # noqa: B018


GRADES = {"1": {"a": 1, "c": 3}, "2": {"a": 1}}
SCORES = {"1": {"b": 2.0, "a": 1.0}, "2": {"a": 0.5}}


def test_dicts_are_taken_as_pytrec_eval_takes_them():
    table = irjudge.evaluate(GRADES, SCORES, "RR nDCG", per_topic=True)
    peer = pytest.importorskip("pytrec_eval").RelevanceEvaluator(GRADES, {"recip_rank", "ndcg"}).evaluate(SCORES)
    values = {(measure, topic): value for _, measure, topic, value in table.values.tolist()}
    assert {topic: values["nDCG", topic] for topic in "12"} == pytest.approx({topic: peer[topic]["ndcg"] for topic in "12"})
    assert {topic: values["RR", topic] for topic in "12"} == {topic: peer[topic]["recip_rank"] for topic in "12"}
    assert set(table.run) == {"run"}
    assert set(irjudge.evaluate(GRADES, [SCORES, SCORES], "RR").run) == {"run 1", "run 2"}


def test_tables_are_taken_as_ir_measures_takes_them():
    qrels = pd.DataFrame([(t, d, g) for t, each in GRADES.items() for d, g in each.items()], columns=["query_id", "doc_id", "relevance"])
    run = pd.DataFrame([(t, d, s) for t, each in SCORES.items() for d, s in each.items()], columns=["query_id", "doc_id", "score"])
    expected = irjudge.evaluate(GRADES, SCORES, "RR nDCG", per_topic=True)
    assert irjudge.evaluate(qrels, run, "RR nDCG", per_topic=True).equals(expected)
    named = {"query_id": "qid", "doc_id": "docno", "relevance": "label"}
    assert irjudge.evaluate(qrels.rename(columns=named), run.rename(columns=named), "RR nDCG", per_topic=True).equals(expected)


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        ({"1": {"a": 0.5}}, SCORES, r"document a: a grade is a whole number of -2 or more, got 0\.5"),
        ({"1": 1}, SCORES, r"a dict is \{topic: \{document: number\}\}; topic 1 has 1"),
        ({"1": {"a": "x"}}, SCORES, r"topic 1, document a has 'x', which is no number"),
        (GRADES, {"1": {"a": float("nan")}}, r"document a: a score is a number, got nan"),
        (GRADES, pd.DataFrame({"query_id": ["1"], "doc_id": ["a"]}), r"no column score; it has query_id, doc_id"),
        (pd.DataFrame({"qid": [1, 1], "docno": ["a", "a"], "rel": [0, 1]}), SCORES, r"Topic 1, document a has two grades, 0 and 1"),
    ],
)
def test_objects_of_another_form_are_refused_in_words(qrels, run, sentence):
    with pytest.raises(IrjudgeError, match=sentence):
        irjudge.evaluate(qrels, run, "RR")


def test_the_highest_grade_is_chosen_and_said():
    known = irjudge.evaluate(GRADES, SCORES, "ERR@20")
    assert known.attrs["highest"] == "3, the highest in the qrels"
    chosen = irjudge.evaluate(GRADES, SCORES, "ERR@20", highest=4)
    assert chosen.attrs["highest"] == "4, as asked for"
    assert chosen.value[0] == irjudge.evaluate(GRADES, SCORES, "ERR(highest=4)@20").value[0] < known.value[0]
    assert "highest" not in irjudge.evaluate(GRADES, SCORES, "AP").attrs
    with pytest.raises(MeasureError, match=r"The highest grade was given as 2, but the qrels have the grade 3"):
        irjudge.evaluate(GRADES, SCORES, "ERR@20", highest=2)

"""Evaluation for notebooks."""

import pytest

import irjudge
from irjudge.errors import FormatError, MeasureError
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
    # floor(.7 · 3 + .9) = 3 of 3 relevant are not found; round(.7 · 3) = 2 are, at rank 3
    assert [irjudge.evaluate(qrels, run, "IPrec@.7", profile=each).value[0] for each in ("trec_eval-9", "trec_eval-10")] == [0, 2 / 3]
    assert irjudge.evaluate(qrels, run, "NumRelRet NumRet", depth=2).value.tolist() == [1, 2]
    assert irjudge.evaluate(QRELS, [RUN], "P@1", average="geometric", topics="qrels").value.tolist() == [pytest.approx(1e-5)]


def test_what_is_wrong_is_said(tmp_path):
    with pytest.raises(MeasureError):
        irjudge.evaluate(QRELS, RUN, "nonsense")
    with pytest.raises(FormatError, match="missing: cannot be read"):
        irjudge.evaluate(QRELS, tmp_path / "missing", "RR")
    with pytest.raises(AttributeError):
        irjudge.nonsense  # noqa: B018

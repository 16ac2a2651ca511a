"""Tests of the options of the Python functions, and of warnings about missing judgments."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

import irjudge
from irjudge.errors import IrjudgeError
from irjudge.evaluation import AVERAGES, TOPIC_POLICIES
from irjudge.formats.rankings import NEGATIVES
from irjudge.metrics import PROFILES
from irjudge.model import TIES, make_run
from irjudge.pooling import PoolOptions, build_pool

QRELS = {"1": {"d1": 1, "d2": 0}}
RUN = {"1": {"d1": 1.0, "d2": 2.0}}
CHOICES = {
    "ties": TIES,
    "topics": TOPIC_POLICIES,
    "profile": PROFILES,
    "average": AVERAGES,
}
NUMBERS: dict[str, list[Any]] = {
    "depth": [-1, 0, 2.5, float("nan"), "3", True],
    "rel": [-1, 0, 2.5, float("nan"), "1", True],
    "highest": [-1, 0, 2.5, "3", True],
}


def evaluate(**options: Any) -> Any:
    return irjudge.evaluate(QRELS, RUN, "AP ERR@10", **options)


def explain(**options: Any) -> Any:
    return irjudge.explain(QRELS, RUN, "1", "ERR@10", **options)


def evaluate_arrow(**options: Any) -> Any:
    return irjudge.evaluate_arrow(RUN, QRELS, "ERR@10", **{"highest": 1, **options})


def estimate(**options: Any) -> Any:
    runs = [make_run("a", [("1", "d2", 2.0), ("1", "d1", 1.0)])]
    pool = build_pool(runs, PoolOptions("depth", 2))
    return irjudge.estimate(QRELS, options.pop("runs", runs), "statAP", pool=pool, **options)


ACCEPTED = {
    evaluate: (*CHOICES, *NUMBERS),
    explain: ("ties", "topics", "profile", *NUMBERS),
    evaluate_arrow: ("ties", "topics", "profile", *NUMBERS),
    estimate: ("ties", "topics", "rel"),
}
FUNCTIONS = [(function, name) for function, names in ACCEPTED.items() for name in names]


@pytest.mark.parametrize(("function", "option"), [each for each in FUNCTIONS if each[1] in CHOICES])
@pytest.mark.parametrize("value", ["foo", None, 3, ["trec"]])
def test_an_unknown_choice_is_refused_with_the_choices(function, option, value):
    with pytest.raises(IrjudgeError) as error:
        function(**{option: value})
    assert error.value.values["option"] == option
    assert error.value.values["value"] == repr(value)
    assert all(choice in error.value.values["choices"] for choice in CHOICES[option])


@pytest.mark.parametrize(("function", "option"), [each for each in FUNCTIONS if each[1] in CHOICES])
def test_every_choice_is_accepted(function, option):
    for choice in set(CHOICES[option]) - {"rank", "micro"}:  # these need more than a dict contains
        function(**{option: choice})


@pytest.mark.parametrize(("function", "option"), [each for each in FUNCTIONS if each[1] in NUMBERS])
def test_an_invalid_number_is_refused(function, option):
    for value in NUMBERS[option]:
        with pytest.raises(IrjudgeError) as error:
            function(**{option: value})
        assert str(value) in str(error.value)


def test_whole_numbers_of_numpy_are_accepted():
    assert evaluate(depth=np.int64(1)).equals(evaluate(depth=1))
    assert evaluate(highest=np.int32(2)).equals(evaluate(highest=2))


@pytest.mark.parametrize(
    "qrels", [{}, {"1": {}}, pd.DataFrame({"qid": [], "docno": [], "rel": []})]
)
def test_qrels_without_a_judgment_are_refused(qrels):
    for call in (
        lambda: irjudge.evaluate(qrels, RUN, "AP"),
        lambda: irjudge.explain(qrels, RUN, "1", "AP"),
    ):
        with pytest.raises(IrjudgeError):
            call()


@pytest.mark.parametrize("run", [{}, pd.DataFrame({"qid": [], "docno": [], "score": []})])
@pytest.mark.parametrize("topics", TOPIC_POLICIES)
def test_a_run_without_a_topic_is_refused(run, topics):
    with pytest.raises(IrjudgeError) as error:
        irjudge.evaluate(QRELS, {"good": RUN, "none": run}, "AP", topics=topics)
    assert error.value.values["run"] == "none"
    with pytest.raises(IrjudgeError):
        estimate(runs={"good": RUN, "none": run}, topics=topics)


@pytest.mark.parametrize("topics", TOPIC_POLICIES)
def test_a_run_that_shares_no_topic_gives_a_warning(topics):
    runs = {"good": RUN, "other": {"7": {"d1": 1.0}}}
    with pytest.warns(UserWarning, match="other"):
        frame = irjudge.evaluate(QRELS, runs, "AP", topics=topics)
    keys = [each.key for each in frame.attrs["warnings"]]
    assert keys == ["no-shared-topic", *(["different-topics"] if topics == "both" else [])]
    assert frame.attrs["warnings"][0].values["run"] == "other"
    with pytest.warns(UserWarning, match="other"):
        frame = estimate(runs={"other": runs["other"]}, topics=topics)
    assert len(frame.attrs["warnings"]) == 1


def test_a_run_that_shares_one_of_several_topics_gives_no_warning():
    qrels = {"1": {"d1": 1}, "2": {"d1": 1}, "3": {"d1": 0}}
    for topic in ("1", "3"):
        for topics in TOPIC_POLICIES:
            frame = irjudge.evaluate(qrels, {topic: {"d1": 1.0}}, "AP", topics=topics)
            assert "warnings" not in frame.attrs


def test_a_run_without_a_judged_document_gives_a_warning():
    with pytest.warns(UserWarning, match="run"):
        frame = irjudge.evaluate(QRELS, {"1": {"x1": 1.0}}, "AP")
    assert len(frame.attrs["warnings"]) == 1


def test_a_plain_evaluation_gives_no_warning():
    assert "warnings" not in evaluate().attrs
    assert "warnings" not in estimate().attrs


GRADED = {"qid": ["1", "1", "1"], "docno": ["a", "b", "c"]}


def tables(grades: list[float]) -> list[Any]:
    """Return the same judgments as a dict, as a table, and as a table with a duplicate row."""
    rows = dict(zip("abc", grades, strict=True))
    twice = {name: [*values, values[0]] for name, values in GRADED.items()}
    return [
        {"1": rows},
        pd.DataFrame({**GRADED, "rel": grades}),
        pd.DataFrame({**twice, "rel": [*grades, grades[0]]}),
    ]


def grades_of(given: Any, **options: Any) -> list[int]:
    return irjudge.read_qrels(given, **options).grade.tolist()


def test_negative_grades_of_objects_have_the_given_meaning():
    for given in tables([-1, -2, 2]):
        assert grades_of(given) == [-1, -2, 2]
        assert grades_of(given, negative="0") == [0, 0, 2]
        assert grades_of(given, negative="unjudged") == [-1, -1, 2]
        assert grades_of(given, negative="unjudgeable") == [-2, -2, 2]
    for given in tables([-5, 0, 2]):
        assert grades_of(given, negative="0") == [0, 0, 2]


def test_grades_of_objects_are_mapped():
    for given in tables([0.5, 1.0, 0.0]):
        assert grades_of(given, grades={0: 0, 0.5: 1, 1: 2}) == [1, 2, 0]
        with pytest.raises(IrjudgeError):
            grades_of(given, grades={0: 0, 1: 2})
    for given in tables([1, 2, -1]):
        assert grades_of(given, grades={1: 2, 2: 1, -1: 0}) == [2, 1, 0]
        assert grades_of(given, grades={1: 2, 2: 1}, negative="0") == [2, 1, 0]


def test_options_without_effect_are_refused():
    judged = irjudge.read_qrels(QRELS)
    with pytest.raises(IrjudgeError):
        irjudge.read_qrels(judged, negative="0")
    with pytest.raises(IrjudgeError):
        irjudge.read_qrels(judged, grades={1: 2, 0: 0})
    for given in tables([1, 2, 0]):
        with pytest.raises(IrjudgeError) as error:
            irjudge.read_qrels(given, negative="foo")  # type: ignore[arg-type]
        assert all(choice in error.value.values["choices"] for choice in NEGATIVES)
        for new in (0.5, -3, "2"):
            with pytest.raises(IrjudgeError):
                irjudge.read_qrels(given, grades={0: 0, 1: new, 2: 2})  # type: ignore[dict-item]

"""Tests of stored evaluations: exact values, comparison with earlier ones, and checks."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from irjudge.errors import FormatError, GateFailed, IrjudgeError, ProjectError
from irjudge.evaluation import Evaluation, Policy, evaluate_project, evaluate_runs, parse_measures
from irjudge.model import Scale, make_qrels, make_run
from irjudge.report import (
    StoredEvaluation,
    check_evaluation_name,
    check_floors,
    check_not_worse,
    compare_with_stored,
    delete_stored_evaluation,
    evaluation_changes,
    file_inputs,
    make_stored_evaluation,
    make_stored_project_evaluation,
    newest_evaluation,
    parse_floor,
    read_stored_evaluations,
    store_in_file,
    store_in_project,
    stored_evaluations,
)
from irjudge.report.evaluation_history import (
    EVALUATION_SETTING_KEY,
    NUMBERS_SETTING_KEY,
    EvaluationInput,
    ValueFloor,
)
from irjudge.store import create_project, open_project

TOPICS = [str(topic) for topic in range(1, 9)]
QRELS = make_qrels([(topic, f"d{number}", 1) for topic in TOPICS for number in (1, 2)])


def run_with(name: str, ranks: list[int]):
    """Return a run whose first relevant document has these ranks, topic by topic."""
    rows = [
        (topic, f"x{index}", 100.0 - index)
        for topic, rank in zip(TOPICS, ranks, strict=True)
        for index in range(1, rank)
    ]
    return make_run(
        name,
        rows + [(topic, "d1", 100.0 - rank) for topic, rank in zip(TOPICS, ranks, strict=True)],
    )


GOOD, BAD = [1, 1, 2, 1, 4, 1, 1, 2], [2, 1, 4, 2, 2, 4, 2, 2]


def evaluate(*runs, measures: str = "RR AP") -> Evaluation:
    return evaluate_runs(QRELS, runs, parse_measures(measures.split()), Policy())


def store(
    table: Evaluation, name: str = "april", *inputs: EvaluationInput, **more
) -> StoredEvaluation:
    return make_stored_evaluation(table, name, inputs, program="irjudge 1", **more)


def test_every_value_is_restored_exactly() -> None:
    table = evaluate(run_with("a", GOOD), run_with("b", BAD), measures="RR AP nDCG@10 num_ret")
    before = store(
        table,
        "april",
        EvaluationInput("run", "a", "a.run", "0" * 64),
        scale=3,
        collection=40,
        reading={"negative": "0"},
    )
    after = StoredEvaluation.from_json(before.as_json())
    assert after.as_json() == before.as_json()
    for one, two in zip(before.runs, after.runs, strict=True):
        assert (
            one.values.tobytes() == two.values.tobytes()
            and one.summary.tobytes() == two.summary.tobytes()
        )
        assert (one.topics, one.coverage, one.missing) == (two.topics, two.coverage, two.missing)
    assert after.policy == before.policy and after.measures == ("RR", "AP", "nDCG@10", "NumRet")


def test_a_project_stores_evaluations_in_order_and_a_name_means_the_newest(tmp_path: Path) -> None:
    path = tmp_path / "p.irjudge"
    with create_project(path, scale=Scale.parse("0-3")) as project:
        project.rankings.add_qrels("q", QRELS)
        project.rankings.add_run(run_with("a", BAD))
        store_in_project(
            project,
            make_stored_project_evaluation(
                project, evaluate_project(project, parse_measures(["RR"])), "n", program="irjudge 1"
            ),
        )
        project.rankings.remove_run("a")
        project.rankings.add_run(run_with("a", GOOD))
        store_in_project(
            project,
            make_stored_project_evaluation(
                project, evaluate_project(project, parse_measures(["RR"])), "n", program="irjudge 1"
            ),
        )
    with open_project(path) as project:
        one, two = stored_evaluations(project)
        assert (one.get_average("a", "RR"), two.get_average("a", "RR")) == (0.5, 0.78125)
        assert newest_evaluation((one, two), "n") is two and two.scale == 3
        assert [each.subject for each in evaluation_changes(one, two)] == ["Run a"]
        delete_stored_evaluation(project, "n")
        assert [each.get_average("a", "RR") for each in stored_evaluations(project)] == [0.5]
        # the number of a deleted one is free, and its later contents stay
        store_in_project(project, two)
        assert [each.get_average("a", "RR") for each in stored_evaluations(project)] == [
            0.5,
            0.78125,
        ]
        with pytest.raises(IrjudgeError) as error:
            newest_evaluation(stored_evaluations(project), "x")
        assert dict(error.value.values) == {"name": "x", "names": "n"}


def test_unreadable_stored_evaluations_are_reported(tmp_path: Path) -> None:
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")) as project:
        store_in_project(project, store(evaluate(run_with("a", GOOD))))
        project.set_setting(EVALUATION_SETTING_KEY.format(1), "{}")
        with pytest.raises(ProjectError, match=r"evaluation 1 .*p\.irjudge"):
            stored_evaluations(project)
        for text in ('"x"', "[[1]]", "[1e999]", "[NaN]", '["x"]', "[0]", f"[{2**53}]"):
            project.set_setting(NUMBERS_SETTING_KEY, text)
            with pytest.raises(ProjectError, match=r"p\.irjudge") as error:
                stored_evaluations(project)
            assert "number" not in error.value.values  # the list is invalid, not an evaluation


def test_a_file_has_a_line_for_each_evaluation(tmp_path: Path) -> None:
    path = tmp_path / "n.evaluations.jsonl"
    for ranks in (BAD, GOOD):
        store_in_file(path, store(evaluate(run_with("a", ranks))))
    assert [each.get_average("a", "RR") for each in read_stored_evaluations(path)] == [0.5, 0.78125]
    path.write_text(path.read_text() + '{"irjudge": "evaluation"}\n')
    with pytest.raises(FormatError, match=r"n\.evaluations\.jsonl, line 3: "):
        read_stored_evaluations(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"form": 9}, "format 1"),
        ({"measures": ["RR"]}, "measure|reshape"),
        ({"measures": ["nope", "AP"]}, "nope"),
        ({"scale": -1}, "got -1"),
        ({"name": "a/b"}, "'a/b'"),
        (
            {"inputs": [{"kind": "x", "name": "", "source": "", "digest": "", "unknown": ""}]},
            "qrels, run or side",
        ),
    ],
)
def test_invalid_stored_evaluations_are_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    path = tmp_path / "k.jsonl"
    path.write_text(json.dumps(json.loads(store(evaluate(run_with("a", GOOD))).as_json()) | change))
    with pytest.raises(FormatError, match=message):
        read_stored_evaluations(path)


def test_settings_inputs_and_runs_that_changed_are_named(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("1 0 a 1\n")
    (tmp_path / "r").write_text("1 Q0 a 1 1 t\n")
    one = store(
        evaluate(run_with("a", GOOD)),
        "x",
        *file_inputs(tmp_path / "q", [tmp_path / "r"], ["a"]),
        scale=3,
    )
    (tmp_path / "q").write_text("1 0 a 2\n")
    two = store(
        evaluate(run_with("a", GOOD)),
        "x",
        *file_inputs(tmp_path / "q", [tmp_path / "r"], ["b"]),
        scale=4,
    )
    two = replace(two, policy=replace(two.policy, ties="docno"), program="irjudge 2")
    changes = {each.subject: (each.earlier, each.current) for each in evaluation_changes(one, two)}
    assert {"Program", "ties", "Qrels", "Run a", "Run b"} < set(changes) and len(changes) == 6
    assert ("3", "4") in [(str(before), str(now)) for before, now in changes.values()]  # the scale
    assert (
        changes["ties"] == ("trec", "docno")
        and changes["Run a"][1] == ""
        and changes["Run b"][0] == ""
    )
    assert evaluation_changes(one, one) == ()


def test_the_difference_from_the_baseline_is_that_worked_by_hand() -> None:
    """RR now 1 1 .5 1 .25 1 1 .5, before .5 1 .25 .5 .5 .25 .5 .5: the mean difference is .28125.

    5 are better, 2 equal and 1 worse.
    """
    before = store(evaluate(run_with("a", BAD), run_with("gone", BAD)))
    (pair,) = compare_with_stored(
        evaluate(run_with("a", GOOD), run_with("new", BAD), measures="RR"), before, tests=["t"]
    ).pairs
    assert (pair.mean_a, pair.mean_b, pair.difference) == (0.78125, 0.5, 0.28125)
    assert (pair.wins, pair.ties, pair.losses) == (5, 2, 1)
    assert pair.run_a == "a" and pair.run_b.startswith("a (april, 2")
    differences = np.array([0.5, 0, 0.25, 0.5, -0.25, 0.75, 0.5, 0])
    assert pair.statistic == pytest.approx(0.28125 / (differences.std(ddof=1) / 8**0.5))


def test_a_single_run_is_compared_regardless_of_its_name() -> None:
    before = store(evaluate(run_with("monday", BAD)))
    assert (
        compare_with_stored(evaluate(run_with("tuesday", GOOD)), before, tests=["t"])
        .pairs[0]
        .difference
        == 0.28125
    )
    two = store(evaluate(run_with("monday", BAD), run_with("other", BAD)))
    with pytest.raises(IrjudgeError, match="april, ") as error:
        compare_with_stored(evaluate(run_with("tuesday", GOOD)), two)
    assert (error.value.key, error.value.values["runs"]) == ("no-common-run", "monday, other")
    with pytest.raises(IrjudgeError, match="april, ") as error:
        compare_with_stored(evaluate(run_with("monday", GOOD), measures="P@5"), before)
    assert (error.value.key, error.value.values["names"]) == ("no-common-measure", "RR, AP")


# Checks of pipelines


def test_a_minimum_is_a_measure_and_a_number() -> None:
    assert parse_floor("IPrec@0.5=0.25") == ValueFloor("IPrec@0.5", 0.25)
    assert parse_floor("AP(rel=2)=.3") == ValueFloor("AP(rel=2)", 0.3)
    for invalid in ("AP", "AP=", "=0.3", "AP=x", "AP=nan"):
        with pytest.raises(IrjudgeError) as error:
            parse_floor(invalid)
        assert (error.value.key, error.value.values["text"]) == ("invalid-floor", invalid)


def test_a_value_below_its_minimum_fails_and_an_equal_one_does_not() -> None:
    table = evaluate(run_with("a", GOOD), run_with("b", BAD), measures="RR")
    check_floors(table, [ValueFloor("RR", 0.5), ValueFloor("mrr", 0.4)])
    with pytest.raises(GateFailed) as failed:
        check_floors(table, [ValueFloor("RR", 0.51)])
    assert (
        dict(failed.value.values).items()
        >= {
            "measure": "RR",
            "run": "b",
            "value": "0.5000",
            "limit": "0.51",
        }.items()
    )


def test_worse_values_fail_and_the_tolerance_is_exact() -> None:
    now = evaluate(run_with("a", BAD), measures="RR NumRet")
    before = store(evaluate(run_with("a", GOOD), measures="RR NumRet"))
    with pytest.raises(GateFailed, match=r"^RR .* a \(april, .*\): 0\.5000 .* 0\.7812 ") as failed:
        check_not_worse(now, before)
    assert "NumRet" not in str(failed.value)
    check_not_worse(now, before, by=0.28125)  # it fell by exactly this much
    with pytest.raises(GateFailed):
        check_not_worse(now, before, by=0.28)
    check_not_worse(evaluate(run_with("a", GOOD)), store(evaluate(run_with("a", BAD))))
    check_not_worse(now, before, significant=True)  # t of eight topics: p .07
    with pytest.raises(IrjudgeError) as error:
        check_not_worse(evaluate(run_with("a", BAD), measures="NumQ"), before)
    assert error.value.key == "no-direction"


def test_only_significantly_worse_values_fail_if_requested() -> None:
    before = store(evaluate(run_with("a", [1] * 8)))
    with pytest.raises(GateFailed):
        check_not_worse(evaluate(run_with("a", [3, 4, 3, 4, 3, 4, 3, 4])), before, significant=True)


def test_higher_values_are_worse_if_lower_is_better() -> None:
    nothing = make_run("a", [(topic, "x", 1.0) for topic in TOPICS])
    half = make_run("a", [(topic, "d1", 1.0) for topic in TOPICS])
    check_not_worse(evaluate(half, measures="FNR"), store(evaluate(nothing, measures="FNR")))
    with pytest.raises(GateFailed, match=r"FNR of a .*: 1\.0000 .* 0\.5000"):
        check_not_worse(evaluate(nothing, measures="FNR"), store(evaluate(half, measures="FNR")))


def test_another_run_may_be_the_baseline() -> None:
    table = evaluate(run_with("new", BAD), run_with("old", GOOD), measures="RR")
    with pytest.raises(GateFailed, match=r"^RR of new .* old"):
        check_not_worse(table, baseline="old")
    check_not_worse(table, baseline="new")


@pytest.mark.parametrize("name", ["", "  ", "a/b", "x" * 101, "a\nb"])
def test_invalid_names_are_refused(name: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        check_evaluation_name(name)
    assert error.value.key == "invalid-name"

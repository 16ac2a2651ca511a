"""Tests of the table of values and of the coverage of each mean, with values worked by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import (
    Coverage,
    Evaluation,
    Policy,
    TopicPolicy,
    evaluate_files,
    evaluate_runs,
    parse_measures,
    parse_measures_and_texts,
)
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.message import Message
from irjudge.metrics import PROFILES, Profile, TextItem
from irjudge.model import Run, make_qrels, make_run
from irjudge.progress import Progress

QRELS = make_qrels(
    [
        ("1", "a", 2),
        ("1", "b", 0),
        ("1", "x", 1),
        ("2", "a", 0),
        ("3", "a", 1),
        ("4", "c", -1),
        ("4", "d", 1),
    ]
)
# Topic 1: a (2), u (unjudged), b (0). Topic 2: b, a in a tie, none relevant. Topic 4: c pooled but
# unjudged. Topic 9: no qrels.
RUN = make_run(
    "run",
    [
        ("1", "a", 3.0),
        ("1", "u", 2.0),
        ("1", "b", 1.0),
        ("2", "b", 1.0),
        ("2", "a", 1.0),
        ("4", "c", 5.0),
        ("9", "z", 1.0),
    ],
)


def table(policy: Policy | None = None, names: str = "P@1 AP NumRelRet", **options) -> Evaluation:
    return evaluate_runs(QRELS, [RUN], parse_measures(names.split()), policy, **options)


def test_values_and_coverage_are_those_worked_by_hand() -> None:
    (scores,) = table().runs
    assert scores.topics == ("1", "2", "4")
    # P@1: 1, 0, 0. AP: topic 1 has two relevant, one at rank 1: 1/2; others 0.
    assert scores.values.tolist() == [[1, 0, 0], [0.5, 0, 0], [1, 0, 0]]
    assert scores.summary.round(6).tolist() == [0.333333, 0.166667, 1]
    # Unjudged in the top 10: u of topic 1, b of topic 2, c of topic 4; six were retrieved.
    assert scores.coverage == Coverage(
        topics=3, missing=1, unjudged_topics=1, without_relevant=1, unjudged_top=3 / 6, tied=2
    )


def test_a_note_names_measures_for_which_a_missing_topic_is_best() -> None:
    """Topic 2 is missing. FDR and FP of an empty ranking are 0 and TNR is 1, the best; P is 0, and E is 1."""
    qrels = make_qrels([(topic, *row) for topic in "12" for row in (("a", 1), ("b", 0))])
    complete = make_run("complete", [("1", "a", 1.0), ("2", "a", 1.0)])
    partial = make_run("partial", [("1", "a", 1.0)])
    measures = parse_measures(["FDR", "SetP", "FP", "SetE", "TNR(universe=judged)"])

    def noted_measures(runs: list[Run], policy: Policy) -> list[str]:
        notes = evaluate_runs(qrels, runs, measures, policy, collection=9).notes
        return [note.values["measures"] for note in notes if isinstance(note, Message)]

    every_topic = Policy(topics="qrels")
    assert noted_measures([complete, partial], every_topic) == ["FDR, FP, TNR(universe=judged)"]
    assert noted_measures([complete], every_topic) == []
    assert noted_measures([complete, partial], Policy()) == []


def test_evaluated_files_keep_the_notes_of_earlier_files(tmp_path: Path) -> None:
    (tmp_path / "partial").write_text("1 Q0 a 1 1 r\n")
    (tmp_path / "whole").write_text("1 Q0 a 1 1 r\n2 Q0 a 1 1 r\n")
    qrels = make_qrels([("1", "a", 1), ("2", "a", 1)])
    paths = [tmp_path / "partial", tmp_path / "whole"]
    tables = evaluate_files(qrels, paths, parse_measures(["FDR"]), Policy(topics="qrels"))
    assert [len(each.notes) for each in tables] == [1, 1]


def test_topics_are_in_qrels_order_if_the_first_run_lacks_one() -> None:
    qrels = make_qrels([(topic, "x", 1) for topic in ("2", "10", "1")])
    runs = [
        make_run("a", [("2", "x", 1.0), ("1", "x", 1.0)]),
        make_run("b", [(topic, "x", 1.0) for topic in ("1", "2", "10")]),
    ]
    evaluation = evaluate_runs(qrels, runs, parse_measures(["AP"]))
    assert evaluation.topics == ("2", "10", "1")
    stored = replace(evaluation, qrels=make_qrels([]))
    assert set(stored.topics) == {"1", "2", "10"}, "stored evaluations have no qrels"


def test_every_policy_averages_its_own_topics() -> None:
    (scores,) = table(Policy(topics="qrels")).runs
    assert (scores.topics, scores.summary[0], scores.coverage.without_relevant) == (
        ("1", "2", "3", "4"),
        0.25,
        1,
    )
    (scores,) = table(Policy(topics="relevant")).runs
    assert (scores.topics, round(scores.summary[0], 6), scores.coverage.without_relevant) == (
        ("1", "3", "4"),
        0.333333,
        0,
    )
    (scores,) = table(Policy(topics="relevant", rel=2)).runs
    assert (scores.topics, scores.coverage.topics) == (("1",), 1)


@pytest.mark.parametrize(
    ("profile", "expected"), [("irjudge", 2), ("trec_eval-9", 4), ("trec_eval-10", 4)]
)
def test_trec_eval_sums_grades_above_0_if_all_topics_count(profile: Profile, expected: int) -> None:
    """Two of four relevant documents have grade 2 or more, one in a topic missing from the run."""
    qrels = make_qrels(
        [("1", "a", 1), ("1", "b", 2), ("1", "c", 0), ("2", "d", 3), ("2", "e", 1), ("2", "f", -1)]
    )
    run = make_run("run", [("1", "a", 1.0)])

    def summary(topics: TopicPolicy, name: str = "num_rel") -> float:
        policy = Policy(topics=topics, rel=2, profile=profile)
        return float(
            evaluate_runs(qrels, [run], parse_measures([name], rel=2, profile=profile), policy)
            .runs[0]
            .summary[0]
        )

    assert (summary("qrels"), summary("both")) == (expected, 1)
    assert summary("qrels", "NumRel(rel=3)") == 1


def test_the_order_of_ties_changes_ranks() -> None:
    qrels, run = make_qrels([("1", "a", 1)]), make_run("run", [("1", "a", 1.0), ("1", "b", 1.0)])
    values = {
        ties: evaluate_runs(qrels, [run], parse_measures(["RR"]), Policy(ties=ties))
        .runs[0]
        .summary.tolist()
        for ties in ("trec", "docno", "file")
    }
    assert values == {"trec": [0.5], "docno": [1.0], "file": [1.0]}


def test_a_policy_says_what_it_means() -> None:
    policy = str(Policy("docno", "qrels", 2))
    assert "ties: docno" in policy and "grade 2" in policy
    assert str(Policy("docno", "both", 2)) != policy != str(Policy("docno", "qrels", 1))


def test_a_policy_describes_its_non_default_settings() -> None:
    text = str(Policy(profile="trec_eval-9", depth=1000, average="median"))
    default = str(Policy())
    assert all(each in text for each in ("1,000", "average: median", "profile: trec_eval-9"))
    assert not any(each in default for each in ("1,000", "average:", "profile:"))


def test_the_version_9_profile_adds_nothing_for_missing_topics() -> None:
    # An empty list has c·R = -2 and ln(1 / (1 + R)); version 9 counts it as 0, and geometric means
    # as their minimum.
    qrels = make_qrels([("1", "a", 1), ("2", "a", 1), ("2", "b", 1)])
    run = make_run("r", [("1", "a", 1.0)])
    names = "Utility(c=-1) YAAP GMAP NumRel".split()
    values = {
        profile: evaluate_runs(
            qrels, [run], parse_measures(names), Policy(topics="qrels", profile=profile)
        ).runs[0]
        for profile in ("irjudge", "trec_eval-9", "trec_eval-10")
    }
    assert values["irjudge"].values[:, 1].round(4).tolist() == [-2, -1.0986, 0, 2]
    assert values["trec_eval-10"].values.tolist() == values["irjudge"].values.tolist()
    assert values["trec_eval-9"].values[:, 1].tolist() == [0, 0, 1e-5, 2]
    assert values["trec_eval-9"].summary.round(4).tolist() == [0.5, 0.3466, 0.0032, 3]
    assert values["irjudge"].missing == {"2"}


def test_single_precision_changes_the_number_of_ties() -> None:
    run = make_run("r", [("1", "a", 1.0 + 1e-9), ("1", "b", 1.0)])
    tied = {
        profile: evaluate_runs(QRELS, [run], parse_measures(["AP"]), Policy(profile=profile))
        .runs[0]
        .coverage.tied
        for profile in PROFILES
    }
    assert tied == {"irjudge": 0, "trec_eval-9": 2, "trec_eval-10": 0}


def test_a_name_is_a_measure_a_text_or_a_group() -> None:
    measures, texts = parse_measures_and_texts(["relstring.5", "all_trec", "map", "relstring.7"])
    assert [text.name for text in texts] == ["relstring_5", "runid", "relstring_7"]
    assert measures == parse_measures(["all_trec"])
    assert parse_measures_and_texts(["runid"]) == ((), (TextItem("runid"),))
    with pytest.raises(IrjudgeError) as error:
        parse_measures_and_texts([])
    assert error.value.key == "no-measure"
    with pytest.raises(IrjudgeError) as error:
        parse_measures_and_texts(["relstrin"])
    assert error.value.values["kind"] == "Measure"
    assert error.value.values["name"] == "'relstrin'"
    with pytest.raises(IrjudgeError, match="Measure 'runid_5' is not known"):
        parse_measures_and_texts(["runid_5"])


def test_texts_are_given_for_each_run() -> None:
    (scores,) = table(texts=(TextItem("runid"), TextItem("relstring", 2))).runs
    assert scores.texts == ((), ("2-", "-0", "."))


def test_rows_are_ordered_by_run_and_topic_and_end_with_all() -> None:
    rows = list(table(names="P@1").rows(per_topic=True))
    assert rows == [
        ("run", "P@1", "1", 1.0),
        ("run", "P@1", "2", 0.0),
        ("run", "P@1", "4", 0.0),
        ("run", "P@1", "all", pytest.approx(1 / 3)),
    ]
    assert [row[2] for row in table().rows()] == ["all"] * 3


def test_a_run_without_a_shared_topic_has_zeros_and_a_warning() -> None:
    (scores,) = evaluate_runs(
        QRELS, [make_run("other", [("9", "a", 1.0)])], parse_measures(["AP"])
    ).runs
    assert (scores.topics, scores.summary.tolist()) == ((), [0.0])
    assert scores.coverage == Coverage(
        topics=0, missing=4, unjudged_topics=1, without_relevant=0, unjudged_top=0.0, tied=0
    )


def test_runs_are_evaluated_one_after_another() -> None:
    alive = []

    def runs():
        for name in "abc":
            alive.append(name)
            yield make_run(name, [("1", "a", 1.0)])

    reported = []
    result = evaluate_runs(
        QRELS,
        runs(),
        parse_measures(["AP"]),
        total=3,
        progress=Progress(lambda *step: reported.append((step, list(alive)))),
    )
    assert [run.run for run in result.runs] == ["a", "b", "c"]
    assert reported[0] == ((1, 3, "Evaluated a"), ["a"])
    with pytest.raises(Cancelled):
        evaluate_runs(
            QRELS, runs(), parse_measures(["AP"]), progress=Progress(cancelled=lambda: True)
        )


def test_each_measure_is_computed_once_and_none_is_refused() -> None:
    assert [measure.name for measure in parse_measures(["P@5", "P_5", "AP", "map"])] == [
        "P@5",
        "AP",
    ]
    with pytest.raises(IrjudgeError) as error:
        parse_measures([])
    assert error.value.key == "no-measure"


def test_evaluating_files_creates_no_object_per_line(tmp_path, count_most_objects) -> None:
    lines = 20_000
    (tmp_path / "run").write_text(
        "".join(f"{n // 1000} Q0 doc{n} {n % 1000} {1000 - n % 997} tag\n" for n in range(lines))
    )
    (tmp_path / "qrels").write_text(
        "".join(f"{n // 1000} 0 doc{n} {n % 3}\n" for n in range(0, lines, 2))
    )

    def work() -> Evaluation:
        return evaluate_runs(
            read_qrels(tmp_path / "qrels"),
            [read_run(tmp_path / "run")],
            parse_measures(["AP", "nDCG@10", "RR", "Rprec", "P@10"]),
        )

    assert len(work().runs[0].topics) == 20
    assert count_most_objects(work) < 10_000

"""Tests of diversity measures, worked by hand and against TREC's ndeval."""

import json
from math import log2
from pathlib import Path

import pytest

from irjudge.evaluation import join
from irjudge.formats.rankings import read_qrels
from irjudge.metrics import JudgedRun, Subtopics, parse_measure_name
from irjudge.model import make_run

NDEVAL = json.loads(
    (Path(__file__).parents[2] / "golden" / "ndeval.json").read_text(encoding="utf-8")
)
NAMES = "alpha-nDCG@3 alpha-DCG@3 ERR-IA@3 nERR-IA@3 P-IA@3 MAP-IA StRecall@3 NRBP nNRBP D-nDCG@3 D#-nDCG@3".split()
# Topic 1 means a, b or c. Document x is about a and b, y about a, z about c, w about nothing.
QRELS = "1 a x 1\n1 b x 1\n1 c x 0\n1 a y 2\n1 c z 1\n1 a w 0\n1 d w 0\n"


@pytest.fixture
def join_run(tmp_path):
    def build(ranked: str, text: str = QRELS) -> JudgedRun:
        (tmp_path / "qrels").write_text(text)
        run = make_run(
            "run", [("1", document, -float(index)) for index, document in enumerate(ranked.split())]
        )
        return join(run, read_qrels(tmp_path / "qrels"), topics="qrels")

    return build


def value(name: str, judged: JudgedRun) -> float:
    (measure,) = parse_measure_name(name)
    return float(measure.compute(judged)[0])


def test_a_subtopic_seen_again_is_worth_less(join_run):
    # y: a, 1; x: a again, .5, and b, 1, at rank 2; u unjudged; z: c, 1, at rank 4
    run = join_run("y x u z")
    reached = 1 + 1.5 / log2(3) + 1 / log2(5)
    # the ideal: x gains 2, then z gains 1 (y only .5), then y .5
    ideal = 2 + 1 / log2(3) + 0.5 / log2(4)
    assert value("alpha-nDCG@4", run) == pytest.approx(reached / ideal)
    assert value("alpha-nDCG@2", run) == pytest.approx((1 + 1.5 / log2(3)) / (2 + 1 / log2(3)))
    # alpha = 0: a repeated subtopic counts fully; alpha = 1: not at all
    assert value("alpha-nDCG(alpha=0)@4", run) == pytest.approx(
        (1 + 2 / log2(3) + 1 / log2(5)) / (2 + 1 / log2(3) + 1 / log2(4))
    )
    assert value("alpha-nDCG(alpha=1)@4", run) == pytest.approx(
        (1 + 1 / log2(3) + 1 / log2(5)) / (2 + 1 / log2(3))
    )
    # grade 2 alone is relevant: y for a
    assert value("alpha-nDCG(rel=2)@4", run) == 1


def test_nrbp_of_users_who_want_one_of_three_subtopics(join_run):
    run = join_run("y x u z")
    # a at ranks 1 and 2: 1 + .5/2; b at 2: 1/2; c at 4: 1/4; maximum: 1 + .5/2 + .25/3 + .125/4 for
    # each of three
    ideal = 1 + 0.5 / 2 + 0.25 / 3 + 0.125 / 4
    assert value("ERR-IA@4", run) == pytest.approx((1 + 0.5 / 2 + 1 / 2 + 1 / 4) / (3 * ideal))
    # a twice, b once, c once, each over 4; at 2 documents: 2, 1, 0 over 2
    assert value("P-IA@4", run) == pytest.approx((2 / 4 + 1 / 4 + 1 / 4) / 3)
    assert value("P-IA@2", run) == pytest.approx((2 / 2 + 1 / 2) / 3)
    # d has no relevant document and does not count
    assert [value(f"StRecall@{k}", run) for k in (1, 2, 3, 4)] == pytest.approx(
        [1 / 3, 2 / 3, 2 / 3, 1]
    )


def test_measures_are_normalised_by_the_greedy_ideal_ranking(join_run):
    # as above: y for a; x for a again and b; nothing; z for c. The greedy ideal: x gains 2, z 1, y
    # .5
    run = join_run("y x u z")
    assert value("alpha-DCG@4", run) == pytest.approx(1 + 1.5 / log2(3) + 1 / log2(5))
    ideal = 1 + 0.5 / log2(3) + 0.25 / log2(4) + 0.125 / log2(5)
    assert value("alpha-DCG(norm=most)@4", run) == pytest.approx(
        (1 + 1.5 / log2(3) + 1 / log2(5)) / (3 * ideal)
    )
    assert value("nERR-IA@4", run) == pytest.approx((1 + 1.5 / 2 + 1 / 4) / (2 + 1 / 2 + 0.5 / 3))
    # beta = .5: 1 + 1.5/2 + 1/8 = 1.875; (1 − .5·.5)/3 of it; the ideal has 2 + 1/2 + .5/4 = 2.625
    assert value("NRBP", run) == pytest.approx(0.75 / 3 * 1.875)
    assert value("nNRBP", run) == pytest.approx(1.875 / 2.625)
    assert value("NRBP(alpha=1,beta=0)", run) == pytest.approx(1 / 3)  # rank 1 only
    assert value("nNRBP(alpha=0,beta=1)", run) == 1  # all four, in any order


def test_intent_aware_ap_is_the_mean_over_three_subtopics(join_run):
    # a at ranks 1 and 2, both of its documents; b at 2; c at 4
    assert value("MAP-IA", join_run("y x u z")) == pytest.approx(
        ((1 / 1 + 2 / 2) / 2 + 1 / 2 + 1 / 4) / 3
    )
    assert value("MAP-IA@2", join_run("y x u z")) == pytest.approx((1 + 1 / 2) / 3)
    assert value("MAP-IA", join_run("u x")) == pytest.approx(((1 / 2) / 2 + 1 / 2) / 3)


def test_gains_of_a_document_are_summed_over_intents(join_run):
    # x gains 1 + 1 for a and b, y 2 for a, z 1 for c; two intents of three are found in the top two
    run = join_run("u z y x")
    reached, ideal = 1 / log2(3) + 2 / log2(4) + 2 / log2(5), 2 + 2 / log2(3) + 1 / log2(4)
    assert value("D-nDCG@4", run) == pytest.approx(reached / ideal)
    assert value("D#-nDCG@4", run) == pytest.approx((1 + reached / ideal) / 2)
    assert value("D#-nDCG(gamma=0.2)@3", run) == pytest.approx(
        0.2 * 2 / 3 + 0.8 * (1 / log2(3) + 2 / log2(4)) / ideal
    )
    # exp2: x gains 2, y 3, z 1
    exp2 = (1 / log2(3) + 3 / log2(4)) / (3 + 2 / log2(3) + 1 / log2(4))
    assert value("D-nDCG(gain=exp2)@3", run) == pytest.approx(exp2)
    plain = JudgedRun.single(ranked=[0, 2, 1], judged=[2, 1, 3])
    assert value("D-nDCG@3", plain) == value("nDCG@3", plain)
    assert value("I-rec@3", run) == value("StRecall@3", run) == pytest.approx(2 / 3)


def test_a_condensed_list_keeps_the_subtopics_of_judged_documents(join_run):
    run, short = join_run("u y v x z"), join_run("y x z")
    for name in ("alpha-nDCG{}@2", "D-nDCG{}@2", "MAP-IA{}", "StRecall{}@1"):
        assert (
            value(name.format("(judged_only=true)"), run)
            == value(name.format(""), short)
            > value(name.format(""), run)
        )


def test_no_relevant_document_retrieved_or_known_scores_zero(join_run):
    for run in (
        join_run("u v"),
        join_run("x", "1 a x 0\n1 b x 0\n"),
        JudgedRun.single(ranked=[]),
        JudgedRun.single(ranked=[0]),
    ):
        assert [value(name, run) for name in NAMES] == [0] * len(NAMES)


def test_without_subtopics_a_topic_is_one_subtopic(join_run):
    plain = JudgedRun.single(ranked=[0, 2, 1], judged=[2, 1])
    # alpha = .5: 1/log2 3 + .5/log2 4 over 1 + .5/log2 3
    assert value("alpha-nDCG@3", plain) == pytest.approx(
        (1 / log2(3) + 0.5 / 2) / (1 + 0.5 / log2(3))
    )
    assert value("P-IA@3", plain) == value("P@3", plain)
    same = join_run("u v w", "1 0 v 2\n1 0 w 1\n")
    assert same.subtopics is None
    assert value("alpha-nDCG@3", same) == value("alpha-nDCG@3", plain)


def test_the_greedy_ideal_may_be_less_than_the_best(join_run):
    # a: 1 2, b: 3 4, c: 1 3 all gain 2 at first; c is the last by id; after it a and b gain 1.5
    text = "".join(
        f"1 {subtopic} {document} 1\n"
        for document, subtopics in (("a", "12"), ("b", "34"), ("c", "13"))
        for subtopic in subtopics
    )
    assert value("alpha-nDCG@2", join_run("a b", text)) == pytest.approx(
        (2 + 2 / log2(3)) / (2 + 1.5 / log2(3))
    )


def test_a_document_counts_elsewhere_with_its_highest_grade(join_run):
    run = join_run("y x")
    assert run.hit_grade.tolist() == [2, 1]
    assert value("AP", run) == pytest.approx(2 / 3)


def test_names_of_other_programs_are_accepted():
    names = "alpha_nDCG@5 αnDCG@5 α_nDCG(alpha=0.5,rel=1)@5 alpha-ndcg@5 ERR_IA@5 P_IA@5 strec@5".split()
    assert [parse_measure_name(name)[0].name for name in names] == ["alpha-nDCG@5"] * 4 + [
        "ERR-IA@5",
        "P-IA@5",
        "StRecall@5",
    ]


# At cutoff 1 ndeval does not normalise its sum.
@pytest.mark.parametrize(
    "name",
    [
        name
        for name in NDEVAL["values"]
        if not (name.startswith(("ERR-IA", "alpha-DCG")) and name.endswith("@1"))
    ],
)
def test_diversity_measures_have_the_values_of_ndeval(name, tmp_path):
    assert (NDEVAL["tool"], NDEVAL["version"]) == ("pyndeval", "0.0.8")
    (tmp_path / "qrels").write_text(
        "".join(" ".join(map(str, row)) + "\n" for row in NDEVAL["qrels"])
    )
    run = make_run("run", [tuple(row) for row in NDEVAL["run"]])
    joined = join(run, read_qrels(tmp_path / "qrels"), topics="qrels")
    values = dict(
        zip(joined.topics, parse_measure_name(name)[0].compute(joined).tolist(), strict=True)
    )
    # Where ndeval has 0 / 0, not a number, irjudge has 0.
    assert values == pytest.approx(
        {topic: value or 0.0 for topic, value in NDEVAL["values"][name].items()}, abs=1e-12
    )


def test_subtopics_that_do_not_fit_together_are_refused(join_run):
    known = join_run("y x").subtopics
    rows = [getattr(known, name) for name in known.__slots__]
    for position, invalid in (
        (1, rows[1][:1]),
        (7, rows[7][:1]),
        (0, rows[0] - rows[1]),
        (5, rows[5][::-1]),
    ):
        with pytest.raises(ValueError, match="Invalid subtopics"):
            Subtopics(*(invalid if each == position else row for each, row in enumerate(rows)))

"""Tests of random rankings against trec_eval 9, through pytrec_eval."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from irjudge.evaluation import Policy, evaluate_runs, parse_measures
from irjudge.model import make_qrels, make_run
from irjudge.report.trec import trec_name
from tests.lengths import example_count

peer = pytest.importorskip("pytrec_eval", reason="pytrec_eval-terrier is not installed")

TOPICS = ("1", "2", "3")
DOCUMENTS = (*"abcdefghijkl", "ä", "Z", "10", "9")
# The second and third scores tie in single precision, and so do the last two.
SCORES = (0.0, 1.0, 1.0 + 1e-9, -1.5, 2.0, 16777216.0, 16777217.0)
GRADES = (-2, -1, 0, 0, 1, 1, 2, 3)
MEASURES = (
    "num_ret num_rel num_rel_ret num_nonrel_judged_ret map gm_map Rprec bpref gm_bpref recip_rank iprec_at_recall "
    "P.5,10,15,20,30,100,200,500,1000 recall.5,10,15,20,30,100,200,500,1000 infAP Rprec_mult utility 11pt_avg binG G ndcg ndcg_rel Rndcg "
    "ndcg_cut map_cut relative_P success.1,5,10 set_P set_relative_P set_recall set_map set_F"
).split()

Judged = dict[str, dict[str, int]]
Ranked = dict[str, dict[str, float]]


def judged_topics(rel: int) -> st.SearchStrategy[Judged]:
    # The library reads grades that it did not count if no grade of a topic reaches rel - 1.
    grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from(GRADES), max_size=12)
    full = st.builds(
        lambda found, document: found | {document: max(rel - 1, found.get(document, 0))},
        grades,
        st.sampled_from(DOCUMENTS),
    )
    return st.dictionaries(st.sampled_from(TOPICS), full, min_size=1)


ranked_topics = st.dictionaries(
    st.sampled_from(TOPICS),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.sampled_from(SCORES), min_size=1, max_size=12),
    min_size=1,
)


def library_values(judged: Judged, ranked: Ranked, rel: int) -> dict[tuple[str, str], float]:
    names = {name.partition(".")[0] for name in MEASURES}
    evaluation = peer.RelevanceEvaluator(judged, names, relevance_level=rel).evaluate(ranked)
    # The library prints nan for topics without relevant documents, and logarithms for geometric
    # means.
    return {
        (name, topic): 0.0
        if math.isnan(value)
        else math.exp(value)
        if name.startswith("gm_")
        else value
        for topic, values in evaluation.items()
        for name, value in values.items()
    }


def irjudge_values(judged: Judged, ranked: Ranked, rel: int) -> dict[tuple[str, str], float]:
    qrels = make_qrels(
        [
            (topic, document, grade)
            for topic, grades in judged.items()
            for document, grade in grades.items()
        ]
    )
    run = make_run(
        "r",
        [
            (topic, document, score)
            for topic, scores in ranked.items()
            for document, score in scores.items()
        ],
    )
    measures = parse_measures(MEASURES, rel, "trec_eval-9")
    scores = evaluate_runs(qrels, [run], measures, Policy(rel=rel, profile="trec_eval-9")).runs[0]
    return {
        (trec_name(measure, rel, "trec_eval-9"), topic): float(value)
        for measure, values in zip(measures, scores.values, strict=True)
        for topic, value in zip(scores.topics, values, strict=True)
    }


@pytest.mark.parametrize("rel", [1, 2])
def test_the_version_9_profile_matches_the_library_on_random_rankings(rel: int) -> None:
    @settings(max_examples=example_count(150), deadline=None)
    @given(judged_topics(rel), ranked_topics)
    @example(
        {"1": {"a": 1, "b": 0, "c": -1}},
        {"1": {"a": 1.0, "b": 1.0 + 1e-9, "c": 1.0}, "2": {"a": 1.0}},
    )
    @example({"1": {"a": 3, "b": 2, "c": 1}}, {"1": dict.fromkeys("abc", 0.0)})
    def agrees(judged: Judged, ranked: Ranked) -> None:
        ours, theirs = irjudge_values(judged, ranked, rel), library_values(judged, ranked, rel)
        # Their definitions omit: Rndcg is 0 if no document has the grade rel, though gains never
        # depend on it.
        aside = {
            ("Rndcg", topic)
            for topic, grades in judged.items()
            if all(grade < rel for grade in grades.values())
        }
        assert ours.keys() == theirs.keys()
        assert {key: ours[key] for key in ours.keys() - aside} == pytest.approx(
            {key: theirs[key] for key in theirs.keys() - aside}, abs=1e-9
        )

    agrees()


def test_doubles_reach_a_level_that_exact_decimals_miss() -> None:
    judged = {"1": {"a": 1, "b": 1, "c": 1}}
    ranked = {"1": {"a": 3.0, "b": 2.0, "x": 1.0, "c": 0.0}}
    ours, theirs = irjudge_values(judged, ranked, 1), library_values(judged, ranked, 1)
    # .7 · 3 + .9 is 3, and the third is at rank 4; doubles make it 2.9999999999999996
    assert ours["iprec_at_recall_0.70", "1"] == theirs["iprec_at_recall_0.70", "1"] == 1.0
    assert ours["11pt_avg", "1"] == theirs["11pt_avg", "1"]


def test_every_level_up_to_two_thousand_relevant_documents_agrees_with_the_library(
    full: bool,
) -> None:
    # The 24 numbers of relevant documents for which doubles and decimals differ at 0.3 or 0.7, or
    # all 2,000.
    counts = (
        range(1, 2001)
        if full
        else (3, 23, 33, 43, 53, 63, 73, 83, 93, 103, 113, 123, 153, 313, 503, 643)
    )
    for relevant in counts:
        # The last of every three documents follows one that is not relevant, so that each count has
        # its own precision.
        order = [f"r{number}" for number in range(relevant)]
        ranked = [
            each
            for number, name in enumerate(order)
            for each in (*([f"n{number}"] if number % 3 == 2 else []), name)
        ]
        judged = {"1": dict.fromkeys(order, 1)}
        scored = {"1": {name: float(len(ranked) - index) for index, name in enumerate(ranked)}}
        ours, theirs = irjudge_values(judged, scored, 1), library_values(judged, scored, 1)
        names = [
            ("11pt_avg", "1"),
            *(key for key in theirs if key[0].startswith(("iprec", "Rprec_mult"))),
        ]
        assert {name: ours[name] for name in names} == {name: theirs[name] for name in names}


def test_halves_are_rounded_as_in_the_library() -> None:
    # 13 of 25 retrieved and 39 relevant: 26/64 is .40625 exactly, but trec_eval's order of
    # operations gives slightly more.
    judged = {"1": {f"d{number}": 1 for number in range(39)}}
    ranked = {
        "1": {f"{'d' if number < 13 else 'u'}{number}": 100.0 - number for number in range(25)}
    }
    value = irjudge_values(judged, ranked, 1)["set_F", "1"]
    assert value == library_values(judged, ranked, 1)["set_F", "1"]
    assert f"{value:.4f}" == "0.4063"

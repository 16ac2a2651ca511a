"""Tests of every ranker on five documents, worked by hand."""

from math import log, sqrt

import pytest

from irjudge.errors import IrjudgeError
from irjudge.model import Document, Topic
from irjudge.search import (
    RANKER_REGISTRY,
    Postings,
    SearchOptions,
    explain_query,
    make_postings,
    rank_documents,
    search_collection,
)
from irjudge.search.collection_search import relevance_model

# Lengths 4, 2, 1, 3, 0: mean 2. Of five documents two contain tide (3 times) and two moon (2
# times); ten words in all.
TEXTS = {
    "d1": "tide tide moon salt",
    "d2": "tide bread",
    "d3": "salt",
    "d4": "moon bread bread",
    "d5": "",
}
QUERY = "tide moon"


@pytest.fixture(scope="module")
def postings() -> Postings:
    return make_postings(
        [Document(id, text.encode()) for id, text in TEXTS.items()], languages={"LATIN": "english"}
    )


def scores(postings: Postings, name: str, query: str = QUERY) -> dict[str, float]:
    ranked = rank_documents(postings, RANKER_REGISTRY.parse(name), postings.read(query))
    return {
        postings.documents[code]: score
        for code, score in zip(ranked.document.tolist(), ranked.score.tolist(), strict=True)
    }


def okapi(tf: float, length: float, k1: float = 0.9, b: float = 0.4) -> float:
    return tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / 2))


def bm25l_weight(tf: float, length: float) -> float:
    counted = tf / (1 - 0.4 + 0.4 * length / 2) + 0.5
    return 1.9 * counted / (0.9 + counted)


LUCENE, ROBERTSON, ATIRE = log(1 + 3.5 / 2.5), log(3.5 / 2.5), log(5 / 2)
# of d1 as ltc: tide twice, moon and salt once
TF_NORM = sqrt((1 + log(2)) ** 2 * log(5 / 2) ** 2 + 2 * log(5 / 2) ** 2)
WORKED = {
    "bm25": {
        "d1": LUCENE * (okapi(2, 4) + okapi(1, 4)),
        "d2": LUCENE * okapi(1, 2),
        "d4": LUCENE * okapi(1, 3),
    },
    "bm25(k1=1.2,b=0.75)": {
        "d1": LUCENE * (okapi(2, 4, 1.2, 0.75) + okapi(1, 4, 1.2, 0.75)),
        "d2": LUCENE * okapi(1, 2, 1.2, 0.75),
        "d4": LUCENE * okapi(1, 3, 1.2, 0.75),
    },
    "bm25(idf=robertson)": {
        "d1": ROBERTSON * (okapi(2, 4) + okapi(1, 4)),
        "d2": ROBERTSON * okapi(1, 2),
        "d4": ROBERTSON * okapi(1, 3),
    },
    "bm25(idf=atire)": {
        "d1": ATIRE * (okapi(2, 4) + okapi(1, 4)),
        "d2": ATIRE * okapi(1, 2),
        "d4": ATIRE * okapi(1, 3),
    },
    "bm25+": {
        "d1": log(6 / 2) * (2 + okapi(2, 4) + okapi(1, 4)),
        "d2": log(6 / 2) * (1 + okapi(1, 2)),
        "d4": log(6 / 2) * (1 + okapi(1, 3)),
    },
    "bm25l": {
        "d1": log(6 / 2.5) * (bm25l_weight(2, 4) + bm25l_weight(1, 4)),
        "d2": log(6 / 2.5) * bm25l_weight(1, 2),
        "d4": log(6 / 2.5) * bm25l_weight(1, 3),
    },
    "ql(mu=10)": {  # p is .3 for tide and .2 for moon
        "d1": log(1 + 2 / 3) + log(1 + 1 / 2) + 2 * log(10 / 14),
        "d2": log(1 + 1 / 3) + 2 * log(10 / 12),
        "d4": log(1 + 1 / 2) + 2 * log(10 / 13),
    },
    "qljm(lam=0.5)": {
        "d1": log(1 + 0.5 * 2 / (0.5 * 4 * 0.3)) + log(1 + 0.5 / (0.5 * 4 * 0.2)),
        "d2": log(1 + 0.5 / (0.5 * 2 * 0.3)),
        "d4": log(1 + 0.5 / (0.5 * 3 * 0.2)),
    },
    "nnn.nnn": {"d1": 3.0, "d2": 1.0, "d4": 1.0},
    "ltn.bnn": {"d1": (2 + log(2)) * ATIRE, "d2": ATIRE, "d4": ATIRE},
    "ltc.ltc": {  # the query's vector is the same for both terms, so each has 1 / sqrt(2)
        "d1": ATIRE * (2 + log(2)) / TF_NORM / sqrt(2),
        "d2": 1 / sqrt(2) / sqrt(2),
        "d4": 1 / sqrt(1 + (1 + log(2)) ** 2) / sqrt(2),
    },
    "anc.nnn": {
        "d1": (1 + 0.75) / sqrt(1 + 2 * 0.75**2),
        "d2": 1 / sqrt(2),
        "d4": 0.75 / sqrt(1 + 0.75**2),
    },
    "bpn.nnn": {"d1": 2 * log(3 / 2), "d2": log(3 / 2), "d4": log(3 / 2)},
    "dnn.nnn": {"d1": 2 + log(1 + log(2)), "d2": 1.0, "d4": 1.0},
    "nnn.lnc": {"d1": 3 / sqrt(2), "d2": 1 / sqrt(2), "d4": 1 / sqrt(2)},
}


@pytest.mark.parametrize("name", WORKED)
def test_scores_are_those_worked_by_hand(postings: Postings, name: str) -> None:
    assert scores(postings, name) == pytest.approx(WORKED[name], abs=1e-8)


def test_every_ranker_has_values_worked_by_hand() -> None:
    assert {RANKER_REGISTRY.parse(name).declaration.name for name in WORKED} == set(RANKER_REGISTRY)


def test_a_term_twice_in_the_query_counts_twice(postings: Postings) -> None:
    assert scores(postings, "bm25", "tide tide")["d2"] == pytest.approx(
        2 * LUCENE * okapi(1, 2), abs=1e-8
    )


def test_equal_scores_are_ordered_by_id(postings: Postings) -> None:
    assert list(scores(postings, "nnn.nnn")) == ["d1", "d2", "d4"]


def test_equal_scores_at_the_depth_are_cut_by_id() -> None:
    postings = make_postings(Document(id, b"tide") for id in ("c", "b", "ä", "a"))
    ranked = rank_documents(postings, RANKER_REGISTRY.parse("bm25"), postings.read("tide"), 2)
    assert [postings.documents[code] for code in ranked.document.tolist()] == ["a", "b"]


@pytest.mark.parametrize("name", WORKED)
def test_an_explanation_adds_up_to_the_score(postings: Postings, name: str) -> None:
    for id, score in scores(postings, name).items():
        explanation = explain_query(postings, SearchOptions(name), Topic("1", QUERY), id)
        assert explanation.score == pytest.approx(score, abs=1e-8)
        assert {each.term for each in explanation.terms} == {"tide", "moon"} & set(
            TEXTS[id].split()
        )


def test_feedback_adds_terms_of_the_top_documents(postings: Postings) -> None:
    first = scores(postings, "bm25", "tide")
    weight = {id: score / sum(first.values()) for id, score in first.items()}  # of d1 and d2
    model = {
        "tide": weight["d1"] / 2 + weight["d2"] / 2,
        "bread": weight["d2"] / 2,
        "moon": weight["d1"] / 4,
        "salt": weight["d1"] / 4,
    }
    best = {"tide": model["tide"], "bread": model["bread"]}
    expected = {
        "tide": 0.6 + 0.4 * best["tide"] / sum(best.values()),
        "bread": 0.4 * best["bread"] / sum(best.values()),
    }
    result = relevance_model(
        postings,
        RANKER_REGISTRY.parse("bm25"),
        postings.read("tide"),
        documents=2,
        terms=2,
        original=0.6,
    )
    assert {postings.terms[term]: value for term, value in result.items()} == pytest.approx(
        expected
    )
    run = search_collection(
        postings, [Topic("1", "tide")], SearchOptions(feedback="rm3(documents=2,terms=2)")
    )
    assert run.document.to_pylist()[-1] == "d4"  # contains only bread


@pytest.mark.parametrize("letter", "nlabd")
def test_feedback_weights_replace_term_frequencies_of_the_query(
    postings: Postings, letter: str
) -> None:
    # Of the topic's terms, tide has the weight 0.9 and bread 0.1 (as after feedback); both have
    # the same idf. By letters l and d, weights below 1 / e and 1 would not be positive or defined.
    query = {postings.terms.index("tide"): 0.9, postings.terms.index("bread"): 0.1}
    ranked = rank_documents(postings, RANKER_REGISTRY.parse(f"nnn.{letter}tn"), query)
    assert {
        postings.documents[code]: score
        for code, score in zip(ranked.document.tolist(), ranked.score.tolist(), strict=True)
    } == pytest.approx(
        {"d1": 0.9 * 2 * ATIRE, "d2": (0.9 + 0.1) * ATIRE, "d4": 0.1 * 2 * ATIRE}, abs=1e-8
    )


def test_feedback_with_tf_idf_ranks_the_best_match_first(postings: Postings) -> None:
    feedback = SearchOptions("ltc.ltc", feedback="rm3(documents=1,terms=3)")
    run = search_collection(postings, [Topic("1", QUERY)], feedback)
    assert run.document.to_pylist()[0] == "d1" and run.score.min() > 0


@pytest.mark.parametrize(
    ("plan", "key", "values"),
    [
        (SearchOptions("bm52"), "unknown-name", {"kind": "Ranker", "suggestion": "bm25"}),
        (SearchOptions("bm25(k2=1)"), "unknown-parameter", {"name": "'k2'"}),
        (SearchOptions("bm25", ("b=1.5",)), "out-of-range", {"parameter": "b", "value": "1.5"}),
        (SearchOptions("bm25(b=0.4)", ("b=1",)), "given-twice", {"name": "b"}),
        (SearchOptions(feedback="rocchio"), "unknown-feedback", {"method": "'rocchio'"}),
        (
            SearchOptions(feedback="rm3(terms=0)"),
            "out-of-range",
            {"parameter": "terms", "value": "0"},
        ),
        (SearchOptions(fields=("titel",)), "unknown-part", {"field": "'titel'"}),
        (SearchOptions(depth=0), "invalid-depth", {"depth": "0"}),
    ],
)
def test_invalid_options_are_refused(
    postings: Postings, plan: SearchOptions, key: str, values: dict[str, str]
) -> None:
    with pytest.raises(IrjudgeError) as error:
        search_collection(postings, [Topic("1", "tide")], plan)
    assert error.value.key == key and error.value.values.items() >= values.items()


def test_an_empty_collection_has_no_results(postings: Postings) -> None:
    run = search_collection(postings, [Topic("1", "glacier"), Topic("2", "tide")], SearchOptions())
    assert run.topics == ("1", "2") and run.starts.tolist() == [0, 0, 2]
    for plan in (SearchOptions("ltc.ltc"), SearchOptions("ql", feedback="rm3")):
        assert len(search_collection(postings, [Topic("1", "glacier")], plan)) == 0
    with pytest.raises(IrjudgeError, match="no document"):
        search_collection(make_postings([]), [Topic("1", "tide")], SearchOptions())
    with pytest.raises(IrjudgeError, match="no topic"):
        search_collection(postings, [], SearchOptions())


def test_a_run_is_named_by_its_options() -> None:
    assert (
        SearchOptions("bm25", ("k1=1.2",), ("title", "description"), feedback="rm3").name
        == "bm25-k1=1.2-b=0.4-rm3-title+description"
    )
    assert SearchOptions("lnc.ltc").name == "tfidf-document=lnc"
    assert SearchOptions("ql", feedback="rm3(terms=20)").name == "ql-mu=1000-rm3-terms=20"

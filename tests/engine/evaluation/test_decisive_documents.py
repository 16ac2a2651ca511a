"""Tests of the choice of the next documents to judge: weights worked by hand, ties, and effects."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from irjudge.evaluation import (
    BoundsSetting,
    compute_live_table,
    evaluate_runs,
    find_decisive_documents,
    parse_measures,
)
from irjudge.evaluation import bounds as decisive_module
from irjudge.model import Run, make_qrels, make_run
from tests.lengths import example_count

Rows = list[tuple[str, str, int]]


def rank_letters(name: str, *topics: tuple[str, str]) -> Run:
    return make_run(
        name,
        [
            (topic, letter, 9.0 - index)
            for topic, letters in topics
            for index, letter in enumerate(letters)
        ],
    )


# a b c d e against b a f g c; a is relevant and c is not
A, B = rank_letters("A", ("1", "abcde")), rank_letters("B", ("1", "bafgc"))
ROWS: Rows = [("1", "a", 1), ("1", "c", 0), *(("1", letter, -1) for letter in "bdefg")]


def find_decisive(
    name: str,
    rows: Rows = ROWS,
    runs: tuple[Run, Run] = (A, B),
    count: int = 10,
    setting: BoundsSetting | None = None,
):
    (measure,) = parse_measures([name])
    table = compute_live_table(make_qrels(rows), runs, [measure], None, setting)
    return find_decisive_documents(table, runs[0].name, runs[1].name, measure, count)


def weights(name: str, **more) -> dict[str, float]:
    return {each.document: each.weight for each in find_decisive(name, **more)}


def test_linear_weights_are_differences_of_rank_weights() -> None:
    # RBP: (1 − p) p^(rank − 1); b has ranks 2 and 1, d 4, e 5, f 3, g 4
    assert weights("RBP(p=0.8)") == pytest.approx(
        {
            "b": 0.2 * (0.8 - 1),
            "d": 0.2 * 0.8**3,
            "e": 0.2 * 0.8**4,
            "f": -0.2 * 0.8**2,
            "g": -0.2 * 0.8**3,
        }
    )
    # P: both runs have b in the top 5, so that its grade changes nothing
    assert weights("P@5") == pytest.approx({"d": 0.2, "e": 0.2, "f": -0.2, "g": -0.2})
    # CG with grades up to 3: the highest counts
    assert weights("CG@3", setting=BoundsSetting(grades=(0, 1, 2, 3))) == pytest.approx({"f": -3})


def test_ndcg_weights_are_dcg_weights_over_the_ideal_with_the_document() -> None:
    ideal = 1 + 0.6309297535714575  # 1/log2(2) + 1/log2(3): a, and the document
    discount = {2: 0.6309297535714575, 3: 0.5, 4: 0.43067655807339306, 5: 0.38685280723454163}
    expected = {
        "b": discount[2] - 1,
        "d": discount[4],
        "e": discount[5],
        "f": -discount[3],
        "g": -discount[4],
    }
    assert weights("nDCG@5") == pytest.approx(
        {letter: weight / ideal for letter, weight in expected.items()}
    )


def test_the_weight_of_ap_is_that_of_minimal_test_collections() -> None:
    # c_ij = 1/max(ranks in A) − 1/max(ranks in B); R would be 2. With a (ranks 1 and 2) relevant, b
    # adds c_bb + c_ab = (1/2 + 1/2) − (1 + 1/2) = −1/2. If b is not relevant, the possible gain
    # c_bd + c_be + c_bf + c_bg = 1/4 + 1/5 − 1/3 − 1/4 = −2/15 is lost too. d: c_dd + c_ad = 1/4 +
    # 1/4 = 1/2; b and e could add 1/4 + 1/5.
    expected = {
        "b": (-1 / 2 - 2 / 15) / 2,
        "d": (1 / 2 + 1 / 4 + 1 / 5) / 2,
        "e": (2 / 5 + 1 / 5 + 1 / 5) / 2,
        "f": -(2 / 3 + 1 / 3 + 1 / 4) / 2,
        "g": -(1 / 2 + 1 / 4 + 1 / 4) / 2,
    }
    assert weights("AP") == pytest.approx(expected)
    # Of the first three ranks, only A's contain b alone, and B's contain b and f: c_bf = −1/3, c_ff
    # + c_af = −2/3
    assert weights("AP@3") == pytest.approx({"b": (-1 / 2 - 1 / 3) / 2, "f": (-2 / 3 - 1 / 3) / 2})


def test_documents_below_the_first_relevant_ones_have_no_rr_weight() -> None:
    rows: Rows = [("1", "a", 1), ("1", "b", -1), ("1", "f", -1)]
    assert weights("RR", rows=rows) == pytest.approx(
        {"b": -(1 - 1 / 2)}
    )  # for B alone, from rank 2 to rank 1; f is below a


def test_ties_go_to_the_better_rank_then_to_the_ids() -> None:
    rows: Rows = [(topic, letter, -1) for topic in ("2", "1") for letter in "zyxw"]
    runs = rank_letters("A", ("1", "wx"), ("2", "xw")), rank_letters("B", ("1", "yz"), ("2", "yz"))
    order = [(each.topic, each.document) for each in find_decisive("P@2", rows, runs)]
    assert order == [
        ("1", "w"),
        ("1", "y"),
        ("2", "x"),
        ("2", "y"),
        ("1", "x"),
        ("1", "z"),
        ("2", "w"),
        ("2", "z"),
    ]
    assert [
        (each.topic, each.document) for each in find_decisive("P@2", rows, runs, count=3)
    ] == order[:3]
    assert (
        find_decisive("P@2", rows, runs, count=0)
        == find_decisive("P@2", rows, runs, count=-1)
        == []
    )


def test_the_better_of_two_ranks_breaks_a_tie() -> None:
    # D1 = 1, D2 = 0.6309, D3 = 0.5: p D2; z D1 − D3 and a D3, both 0.5; q D1 − D2 = 0.3691
    runs = rank_letters("A", ("1", "zqa")), rank_letters("B", ("1", "qpz"))
    rows: Rows = [("1", letter, -1) for letter in "apqz"]
    assert [(each.document, each.best_rank) for each in find_decisive("nDCG@10", rows, runs)] == [
        ("p", 2),
        ("z", 1),
        ("a", 3),
        ("q", 1),
    ]


def test_weights_that_differ_by_rounding_are_ties() -> None:
    # P@3: x adds 1/3 − 0, and w 3/3 − 2/3, which computes to 0.33333333333333337
    rows: Rows = [
        ("1", "x", -1),
        ("1", "y", 0),
        ("2", "u", 1),
        ("2", "v", 1),
        ("2", "w", -1),
        ("2", "y", 0),
    ]
    runs = rank_letters("A", ("1", "x"), ("2", "uvw")), rank_letters("B", ("1", "y"), ("2", "y"))
    assert [
        (each.topic, each.document, each.best_rank) for each in find_decisive("P@3", rows, runs)
    ] == [
        ("1", "x", 1),
        ("2", "w", 3),
    ]


@pytest.mark.parametrize("limit", [1, 5, 9, 11])
def test_weights_do_not_depend_on_the_batch_size(
    limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows: Rows = [*ROWS, *(("2", letter, -1) for letter in "abcde")]
    runs = (
        rank_letters("A", ("1", "abcde"), ("2", "edcba")),
        rank_letters("B", ("1", "bafgc"), ("2", "abcde")),
    )
    whole = find_decisive("nDCG@5", rows, runs)
    monkeypatch.setattr(decisive_module, "MAX_HITS_PER_BATCH", limit)
    assert find_decisive("nDCG@5", rows, runs) == whole and len(whole) == 9


def test_judged_documents_and_excluded_topics_are_never_chosen() -> None:
    rows: Rows = [("1", "a", 1), ("1", "b", -2), ("2", "x", -1), ("3", "y", -1)]
    runs = rank_letters("A", ("1", "ab"), ("2", "x")), rank_letters("B", ("1", "cd"), ("3", "y"))
    assert find_decisive("P@2", rows, runs) == []
    assert [
        each.document for each in find_decisive("P@2", rows, runs, setting=BoundsSetting("open"))
    ] == [
        "c",
        "d",
    ]


def test_ranks_in_both_runs_are_given_and_equal_runs_have_no_documents() -> None:
    best = find_decisive("nDCG@5")[0]
    assert (best.document, best.rank_a, best.rank_b) == ("f", 0, 3) and best.best_rank == 3
    assert find_decisive("nDCG@5", runs=(A, rank_letters("again", ("1", "abcde")))) == []
    assert find_decisive("infAP") == []


@settings(max_examples=example_count(60), deadline=None)
@given(st.data(), st.sampled_from("P@2 RBP DCG CG@3 P(rel=2)@3 RBP(gain=graded)".split()))
def test_judging_a_document_moves_a_linear_difference_by_its_weight(
    data: st.DataObject, name: str
) -> None:
    (measure,) = parse_measures([name])
    letters = st.permutations("abcdef").map("".join)
    runs = [
        rank_letters(
            each, *((topic, data.draw(letters)[: data.draw(st.integers(1, 6))]) for topic in "12")
        )
        for each in "AB"
    ]
    rows: Rows = [
        (topic, letter, data.draw(st.sampled_from([-1, -1, 0, 1, 2])))
        for topic in "12"
        for letter in "abcde"
    ]
    named = {
        (each.topic, each.document): each.weight
        for each in find_decisive(
            name, rows, (runs[0], runs[1]), 99, BoundsSetting(grades=(0, 1, 2))
        )
    }

    def difference(of: Rows) -> float:
        a, b = evaluate_runs(make_qrels(of), runs, [measure], highest=2).runs
        return float(a.summary[0] - b.summary[0])

    for index, (topic, letter, grade) in enumerate(rows):
        if grade == -1:
            judged: Rows = [*rows[:index], (topic, letter, 2), *rows[index + 1 :]]
            moved = 2 * (difference(judged) - difference(rows))  # the mean is over two topics
            assert moved == pytest.approx(named.get((topic, letter), 0.0), abs=1e-11)

"""Tests of the active learner: next documents, judgments, explanations, and reproducibility."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from irjudge.model import Document
from irjudge.search import Learner, Postings, make_postings
from irjudge.search.learning import fit_logistic_regression

SAMPLE = Path(__file__).parents[3] / "sample_collections" / "everyday"
SEA = "tide moon sea harbour water wave".split()
BREAD = "bread dough yeast flour oven crust".split()


@pytest.fixture(scope="module")
def postings() -> Postings:
    """Return twelve documents of the sea, two with tide, and twelve of bread, one with tide."""
    sea = [
        " ".join((SEA[1 + index % 5], SEA[1 + (index + 1) % 5], "tide" if index < 2 else "salt"))
        for index in range(12)
    ]
    bread = [
        " ".join((BREAD[index % 6], BREAD[(index + 1) % 6], "tide" if index == 0 else "salt"))
        for index in range(12)
    ]
    return make_postings(
        [Document(f"d{index:02}", text.encode()) for index, text in enumerate([*sea, *bread])]
    )


def learner(postings: Postings, query: str = "tide") -> Learner:
    return Learner(
        postings, postings.read(query), np.random.default_rng(1).permutation(len(postings))
    )


def walk(made: Learner, relevant: range, count: int) -> list[int]:
    order = []
    for _ in range(count):
        document = made.next()
        made.tell(document, relevant=document in relevant)
        order.append(document)
    return order


def test_learning_finds_documents_without_query_words(postings: Postings) -> None:
    order = walk(learner(postings), range(12), 14)
    assert (
        order[0] == 0 and len({*order} & {*range(12)}) >= 10
    )  # two of which contain the query; at random there would be 7


def test_every_document_is_chosen_once(postings: Postings) -> None:
    assert sorted(walk(learner(postings), range(12), 24)) == list(range(24))


def test_documents_are_in_bm25_order_until_one_is_relevant(postings: Postings) -> None:
    made = learner(postings)
    order = walk(made, range(0), 24)
    assert (
        set(order[:3]) == {0, 1, 12} and sorted(order) == list(range(24)) and made.scores() is None
    )


def test_another_document_than_the_next_can_be_judged(postings: Postings) -> None:
    made = learner(postings)
    first = made.next()
    made.tell(first, relevant=True)
    other = next(code for code in range(24) if code not in (first, made.next()))
    made.tell(other, relevant=False)
    assert other not in walk(made, range(12), 22)


def test_an_undone_judgment_has_no_effect(postings: Postings) -> None:
    made, never = learner(postings), learner(postings)
    for each in (made, never):
        each.tell(0, relevant=True)
    made.tell(20, relevant=True)
    made.forget(20)
    assert made.next() == never.next() and made.judged_relevance == never.judged_relevance


def test_another_grade_replaces_the_one_before(postings: Postings) -> None:
    made = learner(postings)
    made.tell(0, relevant=True)
    made.tell(0, relevant=False)
    assert made.judged_relevance == {0: False} and made.next() != 0


def test_the_same_judgments_give_the_same_order(postings: Postings) -> None:
    assert walk(learner(postings), range(12), 24) == walk(learner(postings), range(12), 24)


def test_a_document_is_shown_because_of_its_terms(postings: Postings) -> None:
    made = learner(postings)
    assert made.reasons(0) == ()
    walk(made, range(12), 6)
    reasons = made.reasons(2)
    assert (
        reasons
        and {each.term for each in reasons} <= {*postings.terms}
        and [*reasons] == sorted(reasons, key=lambda each: -each.weight)
    )
    row = postings.counts[2]
    assert {each.term for each in reasons} <= {postings.terms[term] for term in row.indices}


def test_the_weights_are_those_of_logistic_regression() -> None:
    """Two rows that mirror each other: the constant is 0, and w = 2 · expit(-w) at the minimum."""
    weights = fit_logistic_regression(
        csr_matrix([[1.0], [-1.0]]), np.array([True, False]), penalty=1.0
    )
    assert weights[1] == pytest.approx(0, abs=1e-9) and weights[0] == pytest.approx(
        2 / (1 + np.exp(weights[0])), abs=1e-9
    )


def test_the_weights_are_the_minimum_that_another_method_finds() -> None:
    random = np.random.default_rng(3)
    dense = np.where(random.random((60, 40)) < 0.2, random.random((60, 40)), 0.0)
    relevant = random.random(60) < 0.2

    def loss(of):
        margin = np.where(relevant, 1, -1) * (dense @ of[:-1] + of[-1])
        return np.logaddexp(0, -margin).sum() + (of[:-1] ** 2).sum()

    weights = fit_logistic_regression(csr_matrix(dense), relevant, penalty=2.0)
    other = minimize(loss, np.zeros(41), method="BFGS", options={"gtol": 1e-7}).x
    assert loss(weights) <= loss(other) + 1e-9 and weights == pytest.approx(other, abs=1e-4)


ORDER = """
import sys, numpy as np
from pathlib import Path
from irjudge.formats.collections.documents import read_documents
from irjudge.pooling.building import make_learner, order_by_learning
from irjudge.model.documents import Topic
from irjudge.search.postings import make_postings
postings = make_postings(read_documents([Path(sys.argv[1])], warnings=[]))
made = make_learner(postings, Topic("1", "why are there two tides a day"))
print(order_by_learning(made, postings.documents, "1", lambda _topic, document: document < "m", 30))
"""


@pytest.mark.slow
def test_kernels_of_the_processor_do_not_change_the_order(full: bool) -> None:
    if not full:
        pytest.skip("starts three programs")
    orders = set()
    for kernel in ("Nehalem", "Sandybridge", "Haswell"):
        environment = {**os.environ, "OPENBLAS_CORETYPE": kernel}
        command = [sys.executable, "-c", ORDER, str(SAMPLE / "documents.jsonl")]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        orders.add(done.stdout)
    assert len(orders) == 1 and orders.pop().count(",") == 29

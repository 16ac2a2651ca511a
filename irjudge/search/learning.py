"""Continuous active learning: a model selects the next document to judge."""

from collections.abc import Callable, Collection, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy

from irjudge.model import Floats, Longs
from irjudge.search.collection_search import rank_documents
from irjudge.search.postings import Postings
from irjudge.search.rankers import RANKER_REGISTRY, make_document_vectors

# maximum number of random unjudged documents presumed non-relevant whenever a model is trained
MAX_PRESUMED_NONRELEVANT = 100
# minimum number of documents in the collection for each presumed non-relevant document, since a
# larger sample of a small collection would include too many relevant documents
DOCUMENTS_PER_PRESUMED_NONRELEVANT = 10
PENALTY = 2.0  # penalty on the squared weights
DECIMALS = 9  # number of decimals to which scores are rounded, since sums differ between processors
DOCUMENT_WEIGHTING = "ltc"  # SMART weighting of document vectors
MAX_NEWTON_STEPS = 50  # maximum steps of Newton's method; five are typical
# gradient at which Newton's method stops; about nine decimals of the weights are then correct
TOLERANCE = 1e-9
ROUGH_TOLERANCE = 0.1  # relative residual at which the linear solver stops in early Newton steps
MIN_STEP = 1e-6  # smallest share of a Newton step that is tried


@dataclass(frozen=True, slots=True)
class TermReason:
    """Term of a document, with its contribution to the document's relevance score.

    It is shown as a reason why active learning selected the document. The contribution is positive;
    one that was read from a judgment is rounded, possibly to 0.
    """

    term: str
    weight: float


class Learner:
    """Active learner (CAL) for one topic, which selects documents and learns from judgments.

    A logistic regression is trained on the judged documents, the topic's text as a relevant
    document, and some unjudged documents presumed non-relevant. `next` trains it on all judgments
    so far, and returns the unjudged document with the highest score. It should be called after
    every judgment, since larger batches would retrieve relevant documents later. Until a document
    is judged relevant, documents are selected in BM25 order.

    Parameters
    ----------
    postings
        Postings of the collection, N documents.
    query
        Count of each term in the topic, by number of the term, as `Postings.read` returns it.
    random_order
        Numbers of the N documents in random order, shape (N,). The first unjudged documents are
        presumed non-relevant.

    References
    ----------
    Cormack and Grossman (2015), Autonomy and reliability of continuous active learning for technology-assisted review, arXiv 1504.06868.
    """

    def __init__(self, postings: Postings, query: Mapping[int, float], random_order: Longs) -> None:
        self._postings, self._query, self._random_order = postings, dict(query), random_order
        self._relevance: dict[int, bool] = {}
        self._next_document: int | None = None
        self._weights: Floats | None = None
        self._scores: Floats | None = None  # score of each document with the weights `_weights`

    @property
    def judged_relevance(self) -> Mapping[int, bool]:
        """Relevance of each judged document, in order of judgment."""
        return self._relevance

    def next(self) -> int:
        """Return the unjudged document to judge next; there must be one."""
        if self._next_document is None:
            # until a document is judged relevant, there is no model, and BM25 orders the documents
            self._weights = self._train() if any(self._relevance.values()) else None
            self._scores = self.scores()
            self._next_document = self._find_best_except(self._relevance)
        return self._next_document

    def choose(self, excluded_documents: Collection[int]) -> int | None:
        """Return the best unjudged document that is not excluded; None if there is none."""
        if len({*excluded_documents, *self._relevance}) >= len(self._postings):
            return None
        next_document = self.next()
        return (
            self._find_best_except({*excluded_documents, *self._relevance})
            if next_document in excluded_documents
            else next_document
        )

    def copy(self) -> "Learner":
        """Return a copy whose judgments can change independently."""
        duplicate = copy(self)
        duplicate._relevance = dict(self._relevance)
        return duplicate

    def tell(self, document: int, *, relevant: bool) -> None:
        """Record the judgment of a document; it replaces an earlier judgment of the document."""
        self._relevance[document] = relevant
        self._next_document = None

    def forget(self, document: int) -> None:
        """Remove the judgment of a document, so that the next document is selected without it."""
        self._relevance.pop(document, None)
        self._next_document = None

    def reasons(self, document: int, limit: int = 8) -> tuple[TermReason, ...]:
        """Return the terms with the largest positive contributions to a document's score.

        There are at most `limit` terms, and none without a model.
        """
        if self._weights is None:
            return ()
        row = self._document_vectors[document]
        contributions = row.data * self._weights[row.indices]
        term_order = np.lexsort((row.indices, -np.round(contributions, DECIMALS)))[:limit]
        reasons = (
            (self._postings.terms[row.indices[index]], float(contributions[index]))
            for index in term_order.tolist()
        )
        return tuple(TermReason(term, weight) for term, weight in reasons if weight > 0)

    def scores(self) -> Floats | None:
        """Return each document's score by the last model, shape (N,); None if there is no model."""
        return (
            None
            if self._weights is None
            else np.round(self._document_vectors @ self._weights, DECIMALS)
        )

    @property
    def _document_vectors(self) -> Any:
        return make_document_vectors(self._postings, DOCUMENT_WEIGHTING)

    @cached_property
    def _initial_ranking(self) -> list[int]:
        """Documents that match the query, in BM25 order, then all others, ordered by id."""
        ranked_documents = rank_documents(
            self._postings, RANKER_REGISTRY.parse("bm25"), self._query, len(self._postings)
        ).document
        unranked_documents = np.setdiff1d(
            np.argsort(self._postings.by_id), ranked_documents, assume_unique=True
        )
        return [*ranked_documents.tolist(), *unranked_documents.tolist()]

    def _find_best_except(self, excluded_documents: Collection[int]) -> int:
        """Return the highest-scoring document that is not excluded; ids break ties."""
        if self._scores is None:
            return next(code for code in self._initial_ranking if code not in excluded_documents)
        scores = self._scores.copy()
        scores[np.fromiter(excluded_documents, dtype=np.int64)] = -np.inf
        candidates = np.flatnonzero(scores == scores.max())
        return int(candidates[np.argmin(self._postings.by_id[candidates])])

    def _train(self) -> Floats:
        """Train a model on the judgments; return the weight of each term, shape (T,)."""
        judged_documents = np.fromiter(self._relevance, dtype=np.int64)
        presumed_nonrelevant = self._random_order[~np.isin(self._random_order, judged_documents)][
            : min(
                MAX_PRESUMED_NONRELEVANT,
                max(1, len(self._postings) // DOCUMENTS_PER_PRESUMED_NONRELEVANT),
            )
        ]
        rows = scipy.sparse.vstack(
            [
                self._topic_vector,
                self._document_vectors[judged_documents],
                self._document_vectors[presumed_nonrelevant],
            ],
            format="csr",
        )
        relevant = np.concatenate(
            (
                [True],
                np.fromiter(self._relevance.values(), dtype=bool),
                np.zeros(len(presumed_nonrelevant), dtype=bool),
            )
        )
        used_terms, column = np.unique(rows.indices, return_inverse=True)
        reduced_rows = scipy.sparse.csr_matrix(
            (rows.data, column, rows.indptr), shape=(rows.shape[0], len(used_terms))
        )
        weights = np.zeros(len(self._postings.terms))
        weights[used_terms] = fit_logistic_regression(reduced_rows, relevant)[:-1]
        return weights

    @cached_property
    def _topic_vector(self) -> Any:
        return make_query_vector(self._postings, self._query)


def make_query_vector(postings: Postings, query: Mapping[int, float]) -> Any:
    """Return the vector of a topic, weighted like a document by ltc, shape (1, T)."""
    terms = np.fromiter(query, dtype=np.int64, count=len(query))
    count = np.fromiter(query.values(), dtype=np.float64, count=len(query))
    weight = (1 + np.log(count)) * np.log(len(postings) / postings.document_frequency[terms])
    weight /= np.sqrt((weight**2).sum()) or 1.0
    return scipy.sparse.csr_matrix((weight, terms, [0, len(terms)]), shape=(1, len(postings.terms)))


def fit_logistic_regression(rows: Any, relevant: Any, *, penalty: float = PENALTY) -> Floats:
    """Return the weights of T terms and, last, the intercept, fitted by Newton's method.

    The result has shape (T + 1,). It is so close to the unique minimum of the loss that the order
    of documents is the same on all processors; library functions whose sums differ between
    processors are not used. SciPy's L-BFGS would also be slow under load, since its threads wait
    for each other.
    """
    label_sign = np.where(relevant, 1.0, -1.0)
    columns = rows.T.tocsr()
    weights = np.zeros(rows.shape[1] + 1)

    def margins(weights: Floats) -> Floats:
        result: Floats = label_sign * (rows @ weights[:-1] + weights[-1])
        return result

    def loss(weights: Floats, margin: Floats) -> float:
        return float(np.logaddexp(0, -margin).sum() + penalty / 2 * (weights[:-1] ** 2).sum())

    def weighted_sum(row_factors: Floats, weights: Floats) -> Floats:
        return np.append(columns @ row_factors + penalty * weights[:-1], row_factors.sum())

    margin = margins(weights)
    for _ in range(MAX_NEWTON_STEPS):
        residuals = scipy.special.expit(-margin)
        slope = weighted_sum(-label_sign * residuals, weights)
        if np.abs(slope).max() <= TOLERANCE:
            break
        curvature = residuals * (1 - residuals)
        step = _conjugate_gradients(
            lambda x: weighted_sum(curvature * (rows @ x[:-1] + x[-1]), x),  # noqa: B023 called at once
            slope,
        )
        previous_loss, step_share = loss(weights, margin), 1.0
        while (
            loss(weights - step_share * step, margins(weights - step_share * step))
            > previous_loss + TOLERANCE
            and step_share > MIN_STEP
        ):
            step_share /= 2
        weights = weights - step_share * step
        margin = margins(weights)
    return weights


def _conjugate_gradients(multiply: Callable[[Floats], Floats], right_side: Floats) -> Floats:
    """Solve a positive definite system by conjugate gradients; `multiply` applies its matrix."""
    solution, residual = np.zeros(len(right_side)), right_side
    direction, residual_norm = residual, (residual * residual).sum()
    tolerance = residual_norm * min(ROUGH_TOLERANCE, np.sqrt(residual_norm)) ** 2
    for _ in range(len(right_side)):
        if residual_norm <= tolerance:
            break
        product = multiply(direction)
        step = residual_norm / (direction * product).sum()
        solution, residual = solution + step * direction, residual - step * product
        previous_norm, residual_norm = residual_norm, (residual * residual).sum()
        direction = residual + residual_norm / previous_norm * direction
    return solution

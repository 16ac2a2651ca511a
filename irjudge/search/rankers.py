"""Rankers (BM25 and variants, query likelihood, TF-IDF) and their registry."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias, TypeVar

import numpy as np
import scipy

from irjudge.catalogue import Catalogue, docstring_section, summarise
from irjudge.message import Message
from irjudge.metrics import (
    Parameter,
    Range,
    Value,
    format_name,
    list_parameters,
    read_values,
    split_name,
)
from irjudge.model import Floats, Longs
from irjudge.search.postings import Postings

# Registry of rankers, which are declared by the decorator `ranker`, and their names

Function = TypeVar("Function", bound=Callable[..., "TermWeights"])
SMART = re.compile(r"([nlabd][ntp][nc])\.([nlabd][ntp][nc])", re.IGNORECASE)


class TermWeights(NamedTuple):
    """Result of a ranker: the contribution of each match to its document's score.

    A ranker may also add an amount to the score of a document that does not depend on the terms.
    """

    matches: Floats  # contribution of each match, shape (P,)
    # amount added to the score of each document that has a match, shape (N,); None if the ranker
    # adds nothing
    documents: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """Input of a ranker: the P matches of a query's Q terms in N documents.

    A match is a pair of a query term and a document that contains the term.
    """

    postings: Postings
    terms: Longs  # term numbers, shape (Q,)
    query: Floats  # count of each term in the query, or its weight after feedback, shape (Q,)
    document: Longs  # document of each match, shape (P,); matches are sorted by term, then document
    term_index: Longs  # index of the query term of each match, shape (P,)
    count: Floats  # count of the term in the document of each match, at least 1, shape (P,)

    @property
    def length(self) -> Floats:
        """Length of the document of each match, in terms, shape (P,)."""
        return self.postings.length[self.document]

    @property
    def document_frequency(self) -> Floats:
        """Document frequency of each query term, shape (Q,)."""
        return self.postings.document_frequency[self.terms].astype(np.float64)

    @property
    def has_query_counts(self) -> bool:
        """Whether `query` contains counts; weights of feedback are below 1 and are not counts."""
        return bool((self.query >= 1).all())

    def expand_to_matches(self, values: Floats) -> Floats:
        """Return, for each match, the entry of `values`, shape (Q,), for the term of the match."""
        return values[self.term_index]


def find_matches(postings: Postings, query: Mapping[int, float]) -> Matches:
    """Return the matches of a query's terms in the documents of a collection."""
    terms = np.fromiter(query, dtype=np.int64, count=len(query))
    index = postings.by_term
    starts, ends = index.indptr[terms], index.indptr[terms + 1]
    parts = [
        slice(*start_and_end) for start_and_end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]
    document = np.concatenate(
        [index.indices[part] for part in parts] or [np.empty(0, dtype=np.int32)]
    )
    count = np.concatenate([index.data[part] for part in parts] or [np.empty(0)]).astype(np.float64)
    position = np.repeat(np.arange(len(terms)), (ends - starts).astype(np.int64))
    weights = np.fromiter(query.values(), dtype=np.float64, count=len(query))
    return Matches(postings, terms, weights, document.astype(np.int64), position, count)


@dataclass(frozen=True, slots=True)
class RankerDeclaration:
    """Registry entry of a ranker: name, title, formula, parameters and function."""

    name: str  # such as `bm25`
    title: str  # such as `BM25`
    formula: str  # one line of plain text
    parameters: tuple[Parameter, ...]  # in the order of the function's parameters
    function: Callable[..., TermWeights]  # function that computes the contribution of each match

    @property
    def purpose(self) -> str:
        """First paragraph of the function's docstring, which states the purpose."""
        return summarise(self.function)

    @property
    def references(self) -> str:
        """References section of the function's docstring."""
        return docstring_section(self.function, "References")


@dataclass(frozen=True, slots=True)
class Ranker:
    """Ranking formula, such as BM25, with a value for each of its parameters.

    `weigh` computes what each query term contributes to the score of each document that contains
    the term and, for some formulas, a part of the score that does not depend on terms.
    """

    declaration: RankerDeclaration
    parameters: tuple[tuple[str, Value], ...]

    @property
    def name(self) -> str:
        """Printed name with all parameters: `bm25(k1=0.9,b=0.4)`."""
        return format_name(
            self.declaration.name,
            self.declaration.parameters,
            self.parameters,
            [parameter.name for parameter in self.declaration.parameters],
            None,
        )

    def weigh(self, matches: Matches) -> TermWeights:
        """Return the contributions of the matches and, for some formulas, of documents to scores."""
        return self.declaration.function(matches, **dict(self.parameters))


class RankerRegistry(Catalogue[RankerDeclaration]):
    """Registry of rankers by name."""

    def __init__(self) -> None:
        super().__init__(Message("Ranker"))

    def ranker(self, name: str, *, title: str, formula: str) -> Callable[[Function], Function]:
        """Return a decorator that registers a function; see `RankerDeclaration` for arguments."""

        def register(function: Function) -> Function:
            declaration = RankerDeclaration(
                name, title, formula, list_parameters(function), function
            )
            if not declaration.purpose or not declaration.references:
                raise TypeError(
                    f"{name} needs a docstring with its references: the help is made from it"
                )
            self.add(declaration)
            return function

        return register

    def parse(self, text: str, extra_parameters: Sequence[str] = ()) -> Ranker:
        """Parse the name of a ranker, ignoring case.

        Examples are `bm25`, `bm25(k1=1.2,b=0.75)` and, in SMART notation, `ltc.lnc`. Further
        parameters may be given as `k1=1.2`. Raises IrjudgeError if the name or a parameter is
        unknown or repeated, or a value is out of range.
        """
        match = SMART.fullmatch(text.strip())
        ranker_text = f"tfidf(document={match[1]},query={match[2]})" if match else text
        base_name, bracket_text, at_text = split_name(ranker_text.strip(), NAME_FORMAT)
        declaration = self.lookup(base_name) if at_text is None else None
        if declaration is None:
            raise self.unknown_name_error(text, self.nearest(base_name))
        parameters_text = ",".join(filter(None, [bracket_text, *extra_parameters]))
        values = read_values(declaration.parameters, parameters_text, declaration.name, text)
        return Ranker(
            declaration,
            tuple(
                (parameter.name, values.get(parameter.name, parameter.default))
                for parameter in declaration.parameters
            ),
        )


NAME_FORMAT = Message("expected a ranker in the form name or name(parameter=value)")
RANKER_REGISTRY = RankerRegistry()
ranker = RANKER_REGISTRY.ranker


# Rankers: BM25 and variants, query likelihood, and TF-IDF in SMART notation

K1: TypeAlias = Annotated[float, Range(0), "Term frequency saturation: 0 counts each term once."]
B: TypeAlias = Annotated[float, Range(0, 1), "Length normalisation: 0 is none, 1 is full."]
IdfName: TypeAlias = Literal["lucene", "robertson", "atire"]
Smart: TypeAlias = Literal[
    "nnn", "nnc", "ntn", "ntc", "npn", "npc", "lnn", "lnc", "ltn", "ltc", "lpn", "lpc", "ann", "anc", "atn",
    "atc", "apn", "apc", "bnn", "bnc", "btn", "btc", "bpn", "bpc", "dnn", "dnc", "dtn", "dtc", "dpn", "dpc",
]  # fmt: skip


# BM25


def _compute_idf(matches: Matches, variant: IdfName) -> Floats:
    """Return the inverse document frequency of each query term, shape (Q,)."""
    documents, frequency = len(matches.postings), matches.document_frequency
    if variant == "atire":
        return np.log(documents / frequency)
    odds = (documents - frequency + 0.5) / (frequency + 0.5)
    return np.log1p(odds) if variant == "lucene" else np.maximum(np.log(odds), 0.0)


def _compute_length_normalisation(matches: Matches, b: float) -> Floats:
    """Return 1 - b + b · length / mean length for the document of each match, shape (P,)."""
    return 1 - b + b * matches.length / matches.postings.mean_length


@ranker(
    "bm25",
    title="BM25",
    formula="Σ query count · idf · tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / mean length))",
)
def bm25(matches: Matches, *, k1: K1 = 0.9, b: B = 0.4, idf: IdfName = "lucene") -> TermWeights:
    """Rank by the frequency of query terms relative to document length, with higher weights for
    rare terms; the standard baseline.

    Parameters
    ----------
    idf
        Inverse document frequency of a term in n of N documents: lucene ln(1 + (N − n + ½) / (n +
        ½)); robertson without the 1, but at least 0; atire ln(N / n).

    Notes
    -----
    Lucene omits the factor k1 + 1, which does not affect the order.

    References
    ----------
    Robertson, Walker, Jones, Hancock-Beaulieu and Gatford (1994), Okapi at TREC-3; Kamphuis, de
    Vries, Boytsov and Lin (2020), Which BM25 do you mean? A large-scale reproducibility study of
    scoring variants, ECIR.
    """
    tf = matches.count * (k1 + 1) / (matches.count + k1 * _compute_length_normalisation(matches, b))
    return TermWeights(matches.expand_to_matches(matches.query * _compute_idf(matches, idf)) * tf)


@ranker(
    "bm25+",
    title="BM25+",
    formula="Σ query count · ln((N + 1) / n) · (δ + tf · (k1 + 1) / (tf + k1 · (1 − b + b · length / mean length)))",
)
def bm25_plus(
    matches: Matches, *, k1: K1 = 0.9, b: B = 0.4, delta: Annotated[float, Range(0)] = 1.0
) -> TermWeights:
    """Rank as BM25, but with a minimum contribution δ of each query term that occurs in a document,
    however long.

    Parameters
    ----------
    delta
        Minimum contribution of a term that occurs in a document.

    References
    ----------
    Lv and Zhai (2011), Lower-bounding term frequency normalization, CIKM.
    """
    tf = delta + matches.count * (k1 + 1) / (
        matches.count + k1 * _compute_length_normalisation(matches, b)
    )
    idf = np.log((len(matches.postings) + 1) / matches.document_frequency)
    return TermWeights(matches.expand_to_matches(matches.query * idf) * tf)


@ranker(
    "bm25l",
    title="BM25L",
    formula="Σ query count · ln((N + 1) / (n + ½)) · (k1 + 1) · (c + δ) / (k1 + c + δ), c = tf / (1 − b + b · length / mean length)",
)
def bm25_long(
    matches: Matches, *, k1: K1 = 0.9, b: B = 0.4, delta: Annotated[float, Range(0)] = 0.5
) -> TermWeights:
    """Rank as BM25, but without its excessive penalty on very long documents.

    Parameters
    ----------
    delta
        Amount added to the length-normalised count of a term that occurs in a document.

    References
    ----------
    Lv and Zhai (2011), When documents are very long, BM25 fails!, SIGIR.
    """
    normalised_count = matches.count / _compute_length_normalisation(matches, b) + delta
    idf = np.log((len(matches.postings) + 1) / (matches.document_frequency + 0.5))
    return TermWeights(
        matches.expand_to_matches(matches.query * idf)
        * (k1 + 1)
        * normalised_count
        / (k1 + normalised_count)
    )


# Query likelihood


def _compute_collection_probability(matches: Matches) -> Floats:
    """Return the probability of each query term in the collection, shape (Q,)."""
    frequency = matches.postings.collection_frequency
    probability: Floats = frequency[matches.terms] / max(frequency.sum(), 1.0)
    return probability


@ranker(
    "ql",
    title="Query likelihood, Dirichlet",
    formula="Σ query count · ln(1 + tf / (μ · p)) + query length · ln(μ / (length + μ))",
)
def dirichlet(
    matches: Matches, *, mu: Annotated[float, Range(0, above=True)] = 1000.0
) -> TermWeights:
    """Rank by the likelihood of the query under each document's language model, with Dirichlet
    smoothing by μ.

    Parameters
    ----------
    mu
        Number of pseudo-words of the collection that are added to each document.

    Notes
    -----
    Terms that are the same for all documents are omitted, so scores may be above 0; p is the share
    of the term in all words.

    References
    ----------
    Zhai and Lafferty (2001), A study of smoothing methods for language models applied to ad hoc information retrieval, SIGIR.
    """
    term_score = np.log1p(
        matches.count / (mu * matches.expand_to_matches(_compute_collection_probability(matches)))
    )
    prior = matches.query.sum() * np.log(mu / (matches.postings.length + mu))
    return TermWeights(matches.expand_to_matches(matches.query) * term_score, prior)


@ranker(
    "qljm",
    title="Query likelihood, Jelinek-Mercer",
    formula="Σ query count · ln(1 + (1 − λ) · tf / (λ · length · p))",
)
def jelinek_mercer(
    matches: Matches, *, lam: Annotated[float, Range(0, 1, above=True)] = 0.1
) -> TermWeights:
    """Rank by the likelihood of the query under each document's language model, mixed with that of
    the collection.

    Parameters
    ----------
    lam
        Weight of the collection, λ: small for short queries, larger for long ones.

    Notes
    -----
    Terms that are the same for all documents are omitted; p is the share of the term in all words.

    References
    ----------
    Zhai and Lafferty (2001), A study of smoothing methods for language models applied to ad hoc information retrieval, SIGIR.
    """
    term_score = np.log1p(
        (1 - lam)
        * matches.count
        / (
            lam
            * matches.length
            * matches.expand_to_matches(_compute_collection_probability(matches))
        )
    )
    return TermWeights(matches.expand_to_matches(matches.query) * term_score)


# TF-IDF in SMART notation


@ranker(
    "tfidf",
    title="TF-IDF in SMART notation",
    formula="Σ query weight · document weight; a weight is tf · idf / length of the vector",
)
def tf_idf(matches: Matches, *, document: Smart = "ltc", query: Smart = "ltc") -> TermWeights:
    """Rank by the product of query and document vectors; `ltc.lnc` means the weights of documents,
    then of queries.

    Parameters
    ----------
    document
        Three letters for documents. Term frequency: n tf, l 1 + ln tf, a ½ + ½ tf / highest tf,
        b 1, d 1 + ln(1 + ln tf). Document frequency: n 1, t ln(N / n), p ln((N − n) / n) but at
        least 0. Normalisation: n none, c by the vector's length.
    query
        Three letters for queries, with the same meaning. After feedback, the weights of the terms
        replace the term frequency, since they are not counts.

    References
    ----------
    Salton and Buckley (1988), Term-weighting approaches in automatic text retrieval, IP&M 24;
    Singhal, Buckley and Mitra (1996), Pivoted document length normalization, SIGIR.
    """
    idf = _compute_idf_weight(document[1], len(matches.postings), matches.document_frequency)
    weight = _compute_tf_weight(
        document[0], matches.count, matches.postings, matches.document
    ) * matches.expand_to_matches(idf)
    if document[2] == "c":
        weight = weight / _compute_vector_norms(matches.postings, document)[matches.document]
    query_weights = _compute_tf_weight(query[0] if matches.has_query_counts else "n", matches.query)
    query_weights = query_weights * _compute_idf_weight(
        query[1], len(matches.postings), matches.document_frequency
    )
    if query[2] == "c":
        query_weights = query_weights / (np.sqrt((query_weights**2).sum()) or 1.0)
    return TermWeights(matches.expand_to_matches(query_weights) * weight)


def _compute_tf_weight(
    scheme_letter: str,
    count: Floats,
    postings: Postings | None = None,
    document: Longs | None = None,
) -> Floats:
    """Return the SMART weights of term counts in documents or, without `postings`, in a query."""
    if scheme_letter == "l":
        return 1 + np.log(count)
    if scheme_letter == "a":
        highest_counts = (
            count.max(initial=1.0)
            if postings is None
            else _find_max_term_counts(postings)[document]
        )
        return 0.5 + 0.5 * count / highest_counts
    if scheme_letter == "b":
        return np.ones(len(count))
    return 1 + np.log1p(np.log(count)) if scheme_letter == "d" else count


def _compute_idf_weight(scheme_letter: str, documents: int, frequency: Floats) -> Floats:
    if scheme_letter == "n":
        return np.ones(len(frequency))
    with np.errstate(divide="ignore"):  # log(0) for terms in no document or in all documents
        return (
            np.log(documents / frequency)
            if scheme_letter == "t"
            else np.maximum(np.log((documents - frequency) / frequency), 0.0)
        )


def _find_max_term_counts(postings: Postings) -> Floats:
    """Return the highest term count of each document, shape (N,)."""
    return np.asarray(postings.counts.max(axis=1).todense(), dtype=np.float64).ravel()


@lru_cache(maxsize=2)
def _compute_vector_norms(postings: Postings, scheme: str) -> Floats:
    """Return the norm of each document vector, shape (N,); 1 for an empty vector."""
    row, weight = _weigh_postings(postings, scheme)
    norms = np.sqrt(np.bincount(row, weights=weight**2, minlength=len(postings)))
    return np.where(norms > 0, norms, 1.0)


def _weigh_postings(postings: Postings, scheme: str) -> tuple[Longs, Floats]:
    """Return document number and unnormalised weight of each posting, sorted by document."""
    counts = postings.counts
    row = np.repeat(np.arange(len(postings)), np.diff(counts.indptr))
    weight = _compute_tf_weight(scheme[0], counts.data.astype(np.float64), postings, row)
    return row, weight * _compute_idf_weight(
        scheme[1], len(postings), postings.document_frequency.astype(np.float64)
    )[counts.indices]


@lru_cache(maxsize=2)
def make_document_vectors(postings: Postings, scheme: str) -> Any:
    """Return the documents as SMART vectors, a sparse matrix of shape (N, T)."""
    row, weight = _weigh_postings(postings, scheme)
    if scheme[2] == "c":
        weight = weight / _compute_vector_norms(postings, scheme)[row]
    return scipy.sparse.csr_matrix(
        (weight, postings.counts.indices, postings.counts.indptr), shape=postings.counts.shape
    )

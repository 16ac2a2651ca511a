"""Search in a collection: rankings by topic, feedback, and explanations of scores."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from typing import Annotated, Any

import numpy as np
import pyarrow as pa

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.metrics import (
    Range,
    Value,
    format_value,
    list_parameters,
    read_values,
    split_name,
)
from irjudge.model import Floats, Longs, Run, Topic, to_arrow_column
from irjudge.progress import SILENT, Progress
from irjudge.search.postings import Postings
from irjudge.search.rankers import RANKER_REGISTRY, Ranker, find_matches

# number of decimals to which scores are rounded, so that rounding errors do not break ties
DECIMALS = 9
TOPIC_FIELDS = ("title", "description", "narrative")
DEFAULT_DEPTH = 1000
MAX_PARAMETER_COMBINATIONS = 60  # maximum number of parameter combinations in one command


@dataclass(frozen=True, slots=True, eq=False)
class RankedDocuments:
    """Result of a query: N matching documents, best first; ids in ascending order break ties."""

    document: Longs  # number of each document in the postings, shape (N,)
    score: Floats  # shape (N,)


def rank_documents(
    postings: Postings, ranker: Ranker, query: Mapping[int, float], depth: int = DEFAULT_DEPTH
) -> RankedDocuments:
    """Return the best `depth` documents for a query.

    The query maps numbers of terms to weights, as returned by `Postings.read`. A document matches
    if it has a query term of non-zero weight.
    """
    matches = find_matches(postings, query)
    weights = ranker.weigh(matches)
    is_match = np.zeros(len(postings), dtype=bool)
    is_match[matches.document[weights.matches != 0]] = True
    score: Floats = np.bincount(
        matches.document, weights=weights.matches, minlength=len(postings)
    ).astype(np.float64)
    if weights.documents is not None:
        score = score + weights.documents
    documents = np.flatnonzero(is_match)
    rounded_scores = np.round(score[documents], DECIMALS)
    if len(documents) > depth:
        threshold = np.partition(rounded_scores, len(documents) - depth)[len(documents) - depth]
        # all documents that are tied at `depth` are selected, so that ids can break the tie
        is_selected = rounded_scores >= threshold
        documents, rounded_scores = documents[is_selected], rounded_scores[is_selected]
    order = np.lexsort((postings.by_id[documents], -rounded_scores))[:depth]
    return RankedDocuments(documents[order], rounded_scores[order])


# Pseudo-relevance feedback


def relevance_model(
    postings: Postings,
    ranker: Ranker,
    query: Mapping[int, float],
    *,
    documents: Annotated[int, Range(1)] = 10,
    terms: Annotated[int, Range(1)] = 10,
    original: Annotated[float, Range(0, 1)] = 0.5,
) -> dict[int, float]:
    """Return a query expanded from its first results (RM3).

    Parameters
    ----------
    postings
        Postings of the collection.
    ranker
        Ranker of the first pass. Its scores are the weights of the documents, or their exponentials
        if a score of the top documents is 0 or less.
    query
        Weights of the query terms.
    documents
        Number of top documents that are assumed to be relevant.
    terms
        Number of expansion terms, those with the highest weights.
    original
        Weight of the original query, from 0 to 1.

    Returns
    -------
    dict
        Weights of the terms, which sum to 1; the query itself if it has no matches.

    References
    ----------
    Abdul-Jaleel, Allan, Croft, Diaz, Larkey, Li, Smucker and Wade (2004), UMass at TREC 2004: novelty and HARD.
    """
    first_ranking = rank_documents(postings, ranker, query, documents)
    if not len(first_ranking.document):
        return dict(query)
    weight = (
        first_ranking.score
        if first_ranking.score.min() > 0
        else np.exp(first_ranking.score - first_ranking.score.max())
    )
    counts = postings.counts[first_ranking.document]
    share = (weight / weight.sum()) / postings.length[first_ranking.document]
    model = np.asarray(counts.T @ share).ravel()
    best_terms = np.lexsort((np.arange(len(model)), -np.round(model, 12)))[:terms]
    best_terms = best_terms[model[best_terms] > 0]
    expansion_sum, query_sum = model[best_terms].sum(), sum(query.values())
    expanded_query = {term: original * value / query_sum for term, value in query.items()}
    for term in best_terms.tolist():
        expanded_query[term] = expanded_query.get(term, 0.0) + (1 - original) * float(
            model[term] / expansion_sum
        )
    return {term: value for term, value in expanded_query.items() if value > 0}


FEEDBACK_PARAMETERS = list_parameters(relevance_model)


# Runs that rank the documents of a collection by search


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """Options for making a run by search: ranker, topic fields, depth and feedback.

    The documents are separate arguments, and so is the name of the run; `name` is its default.
    `resolve` checks the options and parses the name of the ranker.
    """

    ranker: str = "bm25"  # name of a ranker, with or without parameters: `bm25(k1=1.2)`
    given: tuple[str, ...] = ()  # additional parameters, such as `k1=1.2`
    fields: tuple[str, ...] = ("title",)  # parts of a topic that form the query
    depth: int = DEFAULT_DEPTH  # maximum number of documents per topic
    # `rm3` or `rm3(terms=20)`: the query is expanded with terms of its top documents; empty for no
    # feedback
    feedback: str = ""
    topics: tuple[str, ...] = ()  # topic ids to search; empty for all

    def resolve(self) -> Ranker:
        """Return the ranker; raise IrjudgeError if a name is unknown or a value is out of range."""
        if unknown_field := next(
            (field for field in self.fields if field not in TOPIC_FIELDS), None
        ):
            raise IrjudgeError(
                "Topics have no field {field!r}; expected one of {fields}.",
                key="unknown-part",
                field=unknown_field,
                fields=", ".join(TOPIC_FIELDS),
            )
        if self.depth < 1:
            raise IrjudgeError(
                "The run depth must be at least 1, got {depth}.",
                key="invalid-depth",
                depth=self.depth,
            )
        if self.feedback:
            self.feedback_values()
        return RANKER_REGISTRY.parse(self.ranker, self.given)

    @property
    def name(self) -> str:
        """Default name of the run, such as `bm25-k1=0.9-b=0.4`, without spaces and brackets.

        Of the parameters of TF-IDF and of feedback, those with default values are omitted.
        """
        ranker = self.resolve()
        choice_defaults = {
            parameter.name: parameter.default
            for parameter in ranker.declaration.parameters
            if parameter.kind == "choice"
        }
        values = _format_changed_values(dict(ranker.parameters), choice_defaults)
        if self.feedback:
            feedback_defaults = {
                parameter.name: parameter.default for parameter in FEEDBACK_PARAMETERS
            }
            values += ["rm3", *_format_changed_values(self.feedback_values(), feedback_defaults)]
        fields = ["+".join(self.fields)] if self.fields != ("title",) else []
        return "-".join([ranker.declaration.name, *values, *fields])

    def feedback_values(self) -> dict[str, Any]:
        """Return the parameters of feedback; raise IrjudgeError for an invalid parameter."""
        base_name, bracket_text, at_text = split_name(
            self.feedback,
            Message("expected the feedback method in the form rm3 or rm3(parameter=value)"),
        )
        if base_name.lower() != "rm3" or at_text is not None:
            raise IrjudgeError(
                "Unknown feedback method {method!r}; expected rm3.",
                key="unknown-feedback",
                method=self.feedback,
            )
        return {
            **{parameter.name: parameter.default for parameter in FEEDBACK_PARAMETERS},
            **read_values(FEEDBACK_PARAMETERS, bracket_text, "rm3", self.feedback),
        }


def _format_changed_values(values: Mapping[str, Value], defaults: Mapping[str, Any]) -> list[str]:
    """Return `name=value` for each value that is not the default."""
    return [
        f"{name}={format_value(value)}"
        for name, value in values.items()
        if defaults.get(name) != value
    ]


def vary_parameters(
    plan: SearchOptions, values: Mapping[str, Sequence[str]]
) -> tuple[SearchOptions, ...]:
    """Return the options of a search for each combination of parameter values.

    Raises IrjudgeError if a parameter has no value, there are too many combinations, or a
    combination is invalid.

    >>> [each.name for each in vary_parameters(SearchOptions(), {"k1": ["0.9", "1.2"], "b": ["0", "1"]})]
    ['bm25-k1=0.9-b=0', 'bm25-k1=0.9-b=1', 'bm25-k1=1.2-b=0', 'bm25-k1=1.2-b=1']
    """
    if empty_name := next((name for name, value_list in values.items() if not value_list), None):
        raise IrjudgeError(
            "No values are given for the parameter {name}; expected a list such as 0.4,0.9,1.2.",
            key="no-values",
            name=empty_name,
        )
    combination_count = prod(map(len, values.values()))
    if combination_count > MAX_PARAMETER_COMBINATIONS:
        raise IrjudgeError(
            "The parameter values would create {count:,} runs; at most {limit} can be compared.",
            count=combination_count,
            limit=MAX_PARAMETER_COMBINATIONS,
        )
    parameter_texts = (
        tuple(f"{name}={value}" for name, value in zip(values, combination, strict=True))
        for combination in product(*values.values())
    )
    plans = tuple(
        replace(plan, given=(*plan.given, *parameter_text)) for parameter_text in parameter_texts
    )
    for request in plans:
        request.resolve()
    return plans


def make_topic_query(topic: Topic, fields: Sequence[str] = ("title",)) -> str:
    """Return the text of a topic's fields, one per line, as its query."""
    return "\n".join(getattr(topic, field) for field in fields)


def _compute_query_weights(
    postings: Postings, plan: SearchOptions, ranker: Ranker, topic: Topic
) -> dict[int, float]:
    """Return the weights of a topic's query terms, including terms added by feedback."""
    query = postings.read(make_topic_query(topic, plan.fields))
    return (
        relevance_model(postings, ranker, query, **plan.feedback_values())
        if plan.feedback and query
        else query
    )


def search_collection(
    postings: Postings,
    topics: Sequence[Topic],
    plan: SearchOptions,
    name: str = "",
    progress: Progress = SILENT,
) -> Run:
    """Return a run that ranks the documents of a collection for each topic, in topic order.

    A topic without matching documents has no rows. The run's name is `name`, by default made from
    the options. `progress` is updated after each topic, and may cancel the search. Raises
    IrjudgeError if the options are invalid, or if there is no topic or no document.
    """
    ranker = plan.resolve()
    searched_topics = [topic for topic in topics if not plan.topics or topic.id in plan.topics]
    if not searched_topics:
        raise IrjudgeError(Message("There are no topics to search for."))
    if not len(postings):
        raise IrjudgeError(Message("There are no documents to search."))
    rows = []
    for topic in progress.track(
        searched_topics, Message("Searching the collection"), total=len(searched_topics), every=1
    ):
        rows.append(
            rank_documents(
                postings, ranker, _compute_query_weights(postings, plan, ranker, topic), plan.depth
            )
        )
    return _make_run(name or plan.name, postings, [topic.id for topic in searched_topics], rows)


def _make_run(
    name: str, postings: Postings, topics: Sequence[str], rows: Sequence[RankedDocuments]
) -> Run:
    sizes = [len(row.document) for row in rows]
    document = np.concatenate([row.document for row in rows])
    ranks = np.concatenate([np.arange(1, size + 1, dtype=np.int32) for size in sizes])
    names: pa.Array = postings.ids.take(to_arrow_column(document))
    return Run(
        name=name,
        topics=tuple(topics),
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int64),
        document=names,
        score=np.concatenate([row.score for row in rows]),
        rank=ranks,
        line=np.arange(1, len(document) + 1, dtype=np.int32),
    )


# Explanations of scores


@dataclass(frozen=True, slots=True)
class ExplainedTerm:
    """Contribution of a query term to a document's score."""

    term: str
    query: float  # count or weight of the term in the query
    count: int  # number of occurrences of the term in the document
    document_frequency: int  # number of documents with the term
    contribution: float


@dataclass(frozen=True, slots=True)
class ExplainedScore:
    """Score of a document for a query, split into the contributions of the query terms.

    The score is the sum of the contributions and of a part that does not depend on terms. Query
    terms that are not in the document are omitted. With feedback, the query includes added terms.
    """

    ranker: Ranker
    terms: tuple[ExplainedTerm, ...]  # query terms in the document, largest contribution first
    length: int  # length of the document in terms
    mean_length: float
    documents: int  # number of documents in the collection
    term_independent: float  # part of the score that does not depend on terms
    score: float


def explain_score(
    postings: Postings, ranker: Ranker, query: Mapping[int, float], document: str
) -> ExplainedScore:
    """Return a document's score for a query, split into contributions of the query terms.

    Raises IrjudgeError if the collection does not contain the document.
    """
    if document not in postings.code:
        raise IrjudgeError("The collection has no document {document}.", document=document)
    code, matches = postings.code[document], find_matches(postings, query)
    weights = ranker.weigh(matches)
    entries = np.flatnonzero(matches.document == code)
    terms = tuple(
        ExplainedTerm(
            postings.terms[matches.terms[matches.term_index[row]]],
            float(matches.query[matches.term_index[row]]),
            int(matches.count[row]),
            int(matches.document_frequency[matches.term_index[row]]),
            float(weights.matches[row]),
        )
        for row in entries.tolist()
    )
    document_part = (
        0.0 if weights.documents is None or not len(entries) else float(weights.documents[code])
    )
    return ExplainedScore(
        ranker,
        tuple(sorted(terms, key=lambda term: -term.contribution)),
        int(postings.length[code]),
        postings.mean_length,
        len(postings),
        document_part,
        sum(term.contribution for term in terms) + document_part,
    )


def explain_query(
    postings: Postings, plan: SearchOptions, topic: Topic, document: str
) -> ExplainedScore:
    """Explain the score of a document for a topic, including feedback terms."""
    ranker = plan.resolve()
    return explain_score(
        postings, ranker, _compute_query_weights(postings, plan, ranker, topic), document
    )

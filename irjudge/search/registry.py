"""The catalogue of rankers: one declaration a ranker, filled by the decorator `ranker`, and their names."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from irjudge.catalogue import Catalogue, about, section
from irjudge.message import Message
from irjudge.metrics.naming.parameters import (
    Parameter,
    Value,
    parameters_of,
    read_values,
    spelled,
    split_name,
)
from irjudge.model.ranking import Floats, Longs
from irjudge.search.postings import Postings

Function = TypeVar("Function", bound=Callable[..., "TermWeights"])
SMART = re.compile(r"([nlabd][ntp][nc])\.([nlabd][ntp][nc])", re.IGNORECASE)


class TermWeights(NamedTuple):
    """What the places where terms of a query stand in documents add to the documents' scores."""

    places: Floats  # shape (P,), for each place of `Matches`
    # shape (N,): what each document that has some term gets beside, whichever terms it has; None for nothing
    documents: Floats | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Matches:
    """The P places where the Q terms of one query stand in the N documents of a collection: what a ranker sees."""

    postings: Postings
    terms: Longs  # shape (Q,), the numbers of the terms
    query: Floats  # shape (Q,), how often each stands in the query
    document: Longs  # shape (P,), by term, then ascending
    place: Longs  # shape (P,), which of the Q terms it is
    count: Floats  # shape (P,), how often the term stands in the document, at least 1

    @property
    def length(self) -> Floats:
        """The length of the document of each place, shape (P,)."""
        return self.postings.length[self.document]

    @property
    def found_in(self) -> Floats:
        """In how many documents each term of the query stands, shape (Q,)."""
        return self.postings.document_frequency[self.terms].astype(np.float64)

    def of_term(self, values: Floats) -> Floats:
        """Return a value of each term, shape (Q,), for each of its places, shape (P,)."""
        return values[self.place]


def matches_of(postings: Postings, query: Mapping[int, float]) -> Matches:
    """Return where the terms of a query stand."""
    terms = np.fromiter(query, dtype=np.int64, count=len(query))
    index = postings.by_term
    begins, ends = index.indptr[terms], index.indptr[terms + 1]
    parts = [slice(*ends_of) for ends_of in zip(begins.tolist(), ends.tolist(), strict=True)]
    document = np.concatenate(
        [index.indices[part] for part in parts] or [np.empty(0, dtype=np.int32)]
    )
    count = np.concatenate([index.data[part] for part in parts] or [np.empty(0)]).astype(np.float64)
    place = np.repeat(np.arange(len(terms)), (ends - begins).astype(np.int64))
    weights = np.fromiter(query.values(), dtype=np.float64, count=len(query))
    return Matches(postings, terms, weights, document.astype(np.int64), place, count)


@dataclass(frozen=True, slots=True)
class RankerDeclaration:
    """All that is known of a ranker."""

    # `bm25`; `BM25`; one line of plain text
    name: str
    title: str
    formula: str
    parameters: tuple[Parameter, ...]  # in the order of the function's signature
    function: Callable[..., TermWeights]  # weighs the places of one query

    @property
    def purpose(self) -> str:
        """The first paragraph of the docstring."""
        return about(self.function)

    @property
    def references(self) -> str:
        """The docstring's section References."""
        return section(self.function, "References")


@dataclass(frozen=True, slots=True)
class Ranker:
    """A ranker with a value for each of its parameters."""

    declaration: RankerDeclaration
    parameters: tuple[tuple[str, Value], ...]

    @property
    def name(self) -> str:
        """The name that is printed, with all parameters: `bm25(k1=0.9,b=0.4)`."""
        every = [each.name for each in self.declaration.parameters]
        return spelled(
            self.declaration.name, self.declaration.parameters, self.parameters, every, None
        )

    def weigh(self, matches: Matches) -> TermWeights:
        """Return what each place adds to the score of its document."""
        return self.declaration.function(matches, **dict(self.parameters))


class RankerRegistry(Catalogue[RankerDeclaration]):
    """Rankers by name."""

    def __init__(self) -> None:
        super().__init__(Message("Ranker"))

    def ranker(self, name: str, *, title: str, formula: str) -> Callable[[Function], Function]:
        """Add the decorated function to the catalogue; the keywords are explained by `RankerDeclaration`."""

        def register(function: Function) -> Function:
            declaration = RankerDeclaration(name, title, formula, parameters_of(function), function)
            if not declaration.purpose or not declaration.references:
                raise TypeError(
                    f"{name} needs a docstring with its references: the help is made from it"
                )
            self.add(declaration)
            return function

        return register

    def parse(self, text: str, given: Sequence[str] = ()) -> Ranker:
        """Return the ranker that a name, in any case, means: `bm25`, `bm25(k1=1.2,b=0.75)`, or SMART's letters, `ltc.lnc`.

        More parameters may be given, each as `k1=1.2`. IrjudgeError when the name or a parameter is not known, given twice, or a value is
        out of its range.
        """
        letters = SMART.fullmatch(text.strip())
        spelt = f"tfidf(document={letters[1]},query={letters[2]})" if letters else text
        head, inside, at = split_name(spelt.strip(), SHAPE)
        declaration = self.known(head) if at is None else None
        if declaration is None:
            raise self.unknown(text, self.nearest(head))
        together = ",".join(filter(None, [inside, *given]))
        values = read_values(declaration.parameters, together, declaration.name, text)
        return Ranker(
            declaration,
            tuple(
                (each.name, values.get(each.name, each.default)) for each in declaration.parameters
            ),
        )


SHAPE = Message("a ranker is written as name or name(parameter=value)")
SHIPPED = RankerRegistry()
ranker = SHIPPED.ranker

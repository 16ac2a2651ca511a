"""A statistic of agreement for every two assessors: a list, and a matrix."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from irjudge.errors import MeasureError
from irjudge.model.labels import Labels
from irjudge.stats.agreement.estimates import AgreementEstimate
from irjudge.stats.agreement.pairs import PairTables, pair_tables
from irjudge.stats.agreement.registry import (
    AGREEMENT,
    AgreementStatistic,
    LabelView,
    PairValues,
    Scaling,
)
from irjudge.stats.rankings import Floats, Longs
from irjudge.stats.sampling import Sampling

USUAL_OF_PAIRS = ("raw-agreement", "kappa", "scott-pi", "positive-agreement", "overlap")


@dataclass(frozen=True, slots=True, eq=False)
class PairAgreement:
    """A statistic of every two workers that share an item."""

    # see `Estimate`
    statistic: str
    scale: Scaling
    workers: tuple[str, ...]  # names, W of them
    # shape (P,): codes of the two workers
    first: Longs
    second: Longs
    items: Longs  # shape (P,): items both labelled
    all_items: int  # how many items there are
    # shape (P,): nan where undefined
    value: Floats
    low: Floats
    high: Floats
    nothing: str  # why a value is undefined

    def matrix(self) -> Floats:
        """Return the values as a symmetrical matrix, shape (W, W); nan where two share nothing, and on the diagonal."""
        size = len(self.workers)
        values = np.full((size, size), np.nan)
        values[self.first, self.second] = self.value
        values[self.second, self.first] = self.value
        return values

    def estimates(self) -> Iterator[AgreementEstimate]:
        """Yield each pair as an `AgreementEstimate`, the names of the two in `of`."""
        columns = (self.first, self.second, self.items, self.value, self.low, self.high)
        for first, second, items, *numbers in zip(
            *(each.tolist() for each in columns), strict=True
        ):
            value, low, high = (number if number == number else None for number in numbers)
            names = f"{self.workers[first]} / {self.workers[second]}"
            yield AgreementEstimate(
                self.statistic,
                self.scale,
                items,
                self.all_items,
                value,
                "" if value is not None else self.nothing,
                low,
                high,
                names,
            )


def agreement_of_pairs(
    labels: Labels,
    statistics: Iterable[str] = USUAL_OF_PAIRS,
    *,
    rel: float = 1,
    sampling: Sampling | None = None,
) -> tuple[PairAgreement, ...]:
    """Return how far every two workers agree; see `agreement`.

    MeasureError when a name is not known, or of a statistic that says nothing of two workers alone.

    >>> from irjudge.model.labels import make_labels
    >>> rows = [("d1", "ann", 0), ("d1", "bob", 1), ("d1", "cem", 1), ("d2", "ann", 1), ("d2", "bob", 1)]
    >>> [raw] = agreement_of_pairs(make_labels(rows), ["raw-agreement"])
    >>> raw.first.tolist(), raw.second.tolist(), raw.items.tolist(), raw.value.tolist()
    ([0, 0, 1], [1, 2, 2], [2, 1, 1], [0.5, 0.0, 1.0])
    """
    found = AGREEMENT.choose(statistics)
    together = next((declaration.name for declaration, _ in found if not declaration.pairs), None)
    if together is not None:
        having = ", ".join(name for name, each in AGREEMENT.items() if each.pairs)
        raise MeasureError(
            "{together} is no statistic of two assessors; those are {having}.",
            together=together,
            having=having,
        )
    tables = pair_tables(labels, (sampling or Sampling()).progress)
    relevant = labels.relevant(rel)
    return tuple(
        _paired(tables, len(labels.items), declaration, LabelView(scaling, labels.values, relevant))
        for declaration, scaling in found
    )


def _paired(
    tables: PairTables, items: int, declaration: AgreementStatistic, view: LabelView
) -> PairAgreement:
    nowhere = np.full(len(tables), np.nan)
    found = (
        declaration.pairs(tables, view)
        if declaration.pairs and not view.undefined
        else PairValues(nowhere, nowhere, nowhere)
    )
    return PairAgreement(
        statistic=declaration.name,
        scale=view.scaling,
        workers=tables.workers,
        first=tables.first,
        second=tables.second,
        items=tables.items,
        all_items=items,
        value=found.value,
        low=found.low,
        high=found.high,
        nothing=view.undefined or declaration.nothing,
    )

"""Recall certificates: exact lower bounds on recall from random samples of unjudged documents."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import scipy

from irjudge.errors import IrjudgeError
from irjudge.message import Message

RECALL_LEVEL = 0.95
WEAK_RECALL = 0.5  # lower bounds below this are reported as weak
# number of relevant documents that the target method samples before active learning begins
TARGET_SAMPLE_SIZE = 10
TARGET_RECALL = 0.7  # recall that the target method guarantees with 95 % confidence


@lru_cache(maxsize=4096)  # pages of the window repeat the same computations
def _compute_max_missed(unjudged_count: int, sample_size: int, relevant: int, error: float) -> int:
    # bisection for the highest plausible number of relevant documents among all documents that were
    # unjudged before the sample
    low = relevant
    high = unjudged_count - sample_size + relevant
    while low < high:
        middle = (low + high + 1) // 2
        if scipy.stats.hypergeom.cdf(relevant, unjudged_count, middle, sample_size) > error:
            low = middle
        else:
            high = middle - 1
    return low - relevant


@dataclass(frozen=True, slots=True)
class RecallCertificate:
    """Lower bound on recall, computed from a random sample of unjudged documents.

    Of `rest` unjudged documents, `drawn` were sampled and judged, and `relevant` of the sampled
    documents are relevant. `found` relevant documents were known before the sample, by any method.
    The recall is that after judging the sample: `found` + `relevant` documents are retrieved.
    Nothing is assumed about documents that were not sampled. The bound holds with the confidence
    `level`, for all planned samples (`looks`) together.

    >>> certificate = RecallCertificate(found=4_500, rest=90_000, drawn=1_000, relevant=5)
    >>> certificate.most_missed, round(certificate.recall, 2)
    (935, 0.83)
    """

    found: int
    rest: int
    drawn: int
    relevant: int
    looks: int = 1  # number of planned samples, by which the error probability is divided
    level: float = RECALL_LEVEL

    def __post_init__(self) -> None:
        """Raise IrjudgeError if counts contradict each other, or a value is out of range."""
        if not (self.found >= 0 and 0 <= self.relevant <= self.drawn <= self.rest):
            raise IrjudgeError(
                "Of {unjudged} unjudged documents, {sampled} were sampled, of which {relevant} "
                "are relevant: these numbers contradict each other.",
                unjudged=self.rest,
                sampled=self.drawn,
                relevant=self.relevant,
            )
        if self.looks < 1 or not 0 < self.level < 1:
            raise IrjudgeError(
                "A recall bound from a random sample needs at least one planned look, and a "
                "confidence level between 0 and 1."
            )

    @property
    def most_missed(self) -> int:
        """Upper bound on the number of relevant documents that are still unjudged."""
        return _compute_max_missed(
            self.rest, self.drawn, self.relevant, (1 - self.level) / self.looks
        )

    @property
    def recall(self) -> float:
        """Lower bound on recall with confidence `level`, counting sampled documents as found."""
        retrieved = self.found + self.relevant
        return retrieved / (retrieved + self.most_missed) if retrieved + self.most_missed else 1.0

    @property
    def weak(self) -> bool:
        """Whether the lower bound on recall is below `WEAK_RECALL`, one half."""
        return self.recall < WEAK_RECALL

    def sentences(self) -> list[str]:
        """Return sentences that state the bound and the sample, and warn if the bound is weak."""
        claim = Message(
            "Recall is at least {recall:.2f} with {level:.0f} % confidence. Relevant documents "
            "found: {found:,}; missing: at most {missing:,}.",
            recall=math.floor(100 * self.recall) / 100,
            level=100 * self.level,
            found=self.found + self.relevant,
            missing=self.most_missed,
        )
        basis = Message(
            "Based on {sampled:,} documents sampled at random from {unjudged:,} unjudged "
            "documents; {relevant:,} of the sampled documents are relevant.",
            sampled=self.drawn,
            unjudged=self.rest,
            relevant=self.relevant,
        )
        looks_text = (
            [
                Message(
                    "The error probability is divided among {looks} planned looks.",
                    key="looks",
                    looks=self.looks,
                )
            ]
            if self.looks > 1
            else []
        )
        warning = (
            [
                Message(
                    "The bound is weak: less than half of the relevant documents may have been "
                    "found. A larger sample gives a better bound."
                )
            ]
            if self.weak
            else []
        )
        return [claim, basis, *looks_text, *warning]


@dataclass(frozen=True, slots=True)
class SampleForecast:
    """Forecast of the bounds that a random sample of `drawn` unjudged documents would yield.

    The bounds depend on the number of relevant documents in the sample: none or one.
    """

    drawn: int
    missed_if_none: int  # upper bound on missed relevant documents if the sample contains none
    recall_if_none: float  # lower bound on recall if the sample contains no relevant document
    recall_if_one: float  # lower bound on recall if the sample contains one relevant document


SAMPLE_SIZES = (30, 50, 100, 200, 300, 500, 1000, 2000, 5000)


def forecast_samples(
    found: int,
    unjudged_count: int,
    *,
    looks: int = 1,
    level: float = RECALL_LEVEL,
    sizes: Sequence[int] = SAMPLE_SIZES,
) -> tuple[SampleForecast, ...]:
    """Return the bounds on recall that samples of several sizes would yield.

    `found` is the number of relevant documents already known. The last sample contains all unjudged
    documents; larger `sizes` are ignored.

    >>> [(each.drawn, round(each.recall_if_none, 2)) for each in forecast_samples(20, 1000, sizes=(100, 500))]
    [(100, 0.42), (500, 0.83), (1000, 1.0)]
    """
    sample_sizes = [size for size in sizes if size < unjudged_count] + [unjudged_count]
    forecasts = []
    for size in sample_sizes:
        certificate_if_none, certificate_if_one = (
            RecallCertificate(found, unjudged_count, size, relevant, looks, level)
            for relevant in (0, min(1, size))
        )
        forecasts.append(
            SampleForecast(
                size,
                certificate_if_none.most_missed,
                certificate_if_none.recall,
                certificate_if_one.recall,
            )
        )
    return tuple(forecasts)


def expected_target_cost(unjudged_count: int, relevant: int) -> float | None:
    """Return the expected number of documents to sample until 10 of them are relevant.

    Parameters
    ----------
    unjudged_count
        Number of unjudged documents.
    relevant
        Assumed number of relevant documents among them.

    Returns
    -------
    float or None
        None if `relevant` is below 10, since sampling would never end.

    Notes
    -----
    In the target method, documents are sampled and judged until 10 are relevant. Then
    another method, which does not use the sample, searches the collection until it has found these
    10 documents. The recall of this method is then .7 or more with 95 % confidence.

    References
    ----------
    Cormack and Grossman (2016), Engineering quality and reliability in technology-assisted review, SIGIR.
    """
    return (
        TARGET_SAMPLE_SIZE * (unjudged_count + 1) / (relevant + 1)
        if relevant >= TARGET_SAMPLE_SIZE
        else None
    )

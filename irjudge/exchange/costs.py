"""Estimates of the effort of judging: pairs, documents, hours and cost."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from irjudge.errors import IrjudgeError
from irjudge.exchange.assignment_plan import AssignmentPlan
from irjudge.exchange.task_file import PdfAttachmentSummary
from irjudge.judging import GRADINGS, MIN_PACE_JUDGMENTS, get_ledger
from irjudge.message import Message, join_messages
from irjudge.model import Pool, active_ms
from irjudge.store import Project

DEFAULT_SECONDS = 30.0  # assumed seconds per judgment if too few times were measured
PRICES_KEY = "prices"  # key of a setting: prices of judging
MINUTES_PER_HOUR = 60
MAX_NAMES = 6  # maximum number of assessors who are listed by name
MAX_PRICE = 1e9


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices of judging, per hour and per judgment, in one currency; 0 means no price.

    If both prices are given, both costs are added. An object without any price is false.
    """

    hour: float = 0.0
    item: float = 0.0
    currency: str = ""

    def __bool__(self) -> bool:
        return bool(self.hour or self.item)


@dataclass(frozen=True, slots=True)
class Pace:
    """Mean seconds per judgment, and the number of judgments with a measured time.

    If fewer than five judgments have a measured time, the default is used, and the number is 0.
    """

    seconds: float = DEFAULT_SECONDS
    judgments: int = 0


@dataclass(frozen=True, slots=True)
class CostEstimate:
    """Estimate of the effort of judging a pool or a plan: judgments, hours and cost.

    Hours and cost are computed from the number of judgments, the mean time of a judgment (`pace`)
    and the prices. Pairs are those of topic and document. A pool is estimated as if each pair were
    judged once. The subclass `ComparisonEstimate` is for comparisons.
    """

    topics: int  # number of distinct topics
    pairs: int  # number of distinct pairs
    documents: int  # number of distinct documents
    judgments: int  # number of judgments, including repeats and gold items
    # number of judgments by assessor; empty if the assessors are unknown
    by_assessor: Mapping[str, int]
    pace: Pace  # time per judgment, from which hours are computed
    prices: Prices  # prices from which the cost is computed
    # attached PDF files or page images; None if nothing is attached
    pages: PdfAttachmentSummary | None = None

    @property
    def hours(self) -> float:
        """Active hours of all assessors."""
        return self.judgments * self.pace.seconds / 3600

    @property
    def cost(self) -> float | None:
        """Total cost; None if there are no prices."""
        return (
            self.hours * self.prices.hour + self.judgments * self.prices.item
            if self.prices
            else None
        )

    def sentences(self) -> list[str]:
        """Return the numbers of the estimate as sentences for users."""
        shares = [self._describe_shares()] if self.by_assessor else []
        price = [self._describe_price()] if self.prices else []
        return [
            self._describe_size(),
            *shares,
            self._describe_time(),
            *price,
            *(self.pages.sentences() if self.pages else []),
        ]

    def _describe_size(self) -> str:
        return Message(
            "Topic–document pairs: {pairs:,}; documents: {documents:,}; topics: {topics:,}.",
            key="size",
            pairs=self.pairs,
            documents=self.documents,
            topics=self.topics,
        )

    def _describe_shares(self) -> str:
        counts = self.by_assessor
        if len(set(counts.values())) == 1:
            return Message(
                "Items per assessor: {items:,} (total {judgments:,}).",
                items=max(counts.values()),
                judgments=self.judgments,
            )
        if len(counts) > MAX_NAMES:
            min_count, max_count = min(counts.values()), max(counts.values())
            return Message(
                "Items per assessor: {minimum:,} to {maximum:,} (total {judgments:,}).",
                key="items",
                minimum=min_count,
                maximum=max_count,
                judgments=self.judgments,
            )
        counts_text = join_messages(f"{name} {items:,}" for name, items in counts.items())
        return Message(
            "Items per assessor: {counts} (total {judgments:,}).",
            key="items-by-assessor",
            counts=counts_text,
            judgments=self.judgments,
        )

    def _describe_time(self) -> str:
        seconds, judgments = self.pace.seconds, self.pace.judgments
        if judgments:
            pace_text = Message(
                "{seconds:.0f} s per judgment on average (judgments in this project: "
                "{judgments:,})",
                key="measured-pace",
                seconds=seconds,
                judgments=judgments,
            )
        else:
            pace_text = Message(
                "an assumed {seconds:.0f} s per judgment", key="default-pace", seconds=seconds
            )
        assessor_count, minutes = len(self.by_assessor), 60 * self.hours
        if assessor_count < 2 and minutes < MINUTES_PER_HOUR:
            return Message(
                "About {minutes} min, at {pace}.",
                key="minutes",
                minutes=math.ceil(minutes),
                pace=pace_text,
            )
        if assessor_count < 2:
            return Message("About {hours:.1f} hours, at {pace}.", hours=self.hours, pace=pace_text)
        max_hours = max(self.by_assessor.values()) * seconds / 3600
        if minutes < MINUTES_PER_HOUR:
            max_minutes = math.ceil(60 * max_hours)
            return Message(
                "About {minutes} min in total, at most {time} min per assessor, at {pace}.",
                key="minutes",
                minutes=math.ceil(minutes),
                time=max_minutes,
                pace=pace_text,
            )
        return Message(
            "About {hours:.1f} hours in total, at most {maximum:.1f} hours per assessor, at "
            "{pace}.",
            key="hours",
            hours=self.hours,
            maximum=max_hours,
            pace=pace_text,
        )

    def _describe_price(self) -> str:
        return Message(
            "Cost: about {cost:,.2f} {currency}.",
            key="cost",
            cost=self.cost or 0.0,
            currency=self.prices.currency or "–",
        )


@dataclass(frozen=True, slots=True)
class ComparisonEstimate(CostEstimate):
    """Estimate of the effort of a comparison.

    `pairs` is the number of compared pairs of runs or documents; `judgments` is the number of
    questions, including repeats.
    """

    def _describe_size(self) -> str:
        return Message(
            "Side-by-side comparisons: {judgments:,}; pairs: {pairs:,}; topics: {topics:,}.",
            judgments=self.judgments,
            pairs=self.pairs,
            topics=self.topics,
        )


def estimate_pool(pool: Pool, pace: Pace, prices: Prices) -> CostEstimate:
    """Return the estimated effort of judging each pair of a pool once."""
    topics = sum(
        topic_start < topic_end
        for topic_start, topic_end in zip(
            pool.starts.tolist(), pool.starts.tolist()[1:], strict=False
        )
    )
    return CostEstimate(topics, len(pool), len(pool.document.unique()), len(pool), {}, pace, prices)


def estimate_plan(
    plan: AssignmentPlan, pace: Pace, prices: Prices, pages: PdfAttachmentSummary | None = None
) -> CostEstimate:
    """Return the estimated effort of a plan; `pages` is the summary of attached files."""
    items = [item for assessor_items in plan.items.values() for item in assessor_items]
    pairs = {(item.topic, item.document) for item in items}
    shares = {name: len(assessor_items) for name, assessor_items in plan.items.items()}
    topics, documents = ({pair[index] for pair in pairs} for index in (0, 1))
    return CostEstimate(
        len(topics), len(pairs), len(documents), len(items), shares, pace, prices, pages
    )


def measure_pace(project: Project, kinds: frozenset[str] = GRADINGS) -> Pace:
    """Return the mean time per judgment of the given kinds.

    If fewer than five judgments have a time, the default time is returned.
    """
    events = (
        event
        for name in project.events.assessors()
        for event in get_ledger(project, name).judgments()
        if event.kind in kinds
    )
    times = [milliseconds / 1000 for event in events if (milliseconds := active_ms(event))]
    return Pace(fmean(times), len(times)) if len(times) >= MIN_PACE_JUDGMENTS else Pace()


# Prices


def read_prices(project: Project) -> Prices:
    """Return the stored prices; `Prices()` if none are stored or they cannot be read."""

    def read(stored_prices: dict[str, Any]) -> Prices:
        return Prices(
            float(stored_prices.get("hour", 0)),
            float(stored_prices.get("item", 0)),
            str(stored_prices.get("currency", "")),
        )

    prices = project.read_json_setting(PRICES_KEY, Prices(), parse=read)
    return prices if _is_valid_price(prices.hour) and _is_valid_price(prices.item) else Prices()


def set_prices(project: Project, prices: Prices) -> None:
    """Store the prices of judging in a project."""
    for price in (prices.hour, prices.item):
        if not _is_valid_price(price):
            raise IrjudgeError(
                "The price must be 0 or more, got {price}.",
                key="invalid-price",
                price=price,
            )
    project.set_setting(
        PRICES_KEY,
        json.dumps({"hour": prices.hour, "item": prices.item, "currency": prices.currency.strip()}),
    )


def _is_valid_price(price: float) -> bool:
    return math.isfinite(price) and 0 <= price <= MAX_PRICE

"""The rules of a comparison side by side: what its assessors may and must do, beside saying which side is better."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

REASONS = ("more relevant", "better order", "more complete", "less repetition")  # of lists of results
DOCUMENT_REASONS = ("more relevant", "more complete", "clearer", "more trustworthy")
MOST_REASONS, LONGEST_REASON = 9, 60  # each has a digit of its own


def usual_reasons(*, documents: bool) -> tuple[str, ...]:
    """Return what can be ticked where the organiser says nothing else: of two documents, or of two lists."""
    return DOCUMENT_REASONS if documents else REASONS


@dataclass(frozen=True, slots=True)
class ComparisonRules:
    """What holds while two are compared."""

    must_view: bool = False  # both sides must have been scrolled or opened before one may be preferred
    grading: bool = False  # A result that is opened in full may be graded there
    reasons: tuple[str, ...] = REASONS  # what can be ticked, at most nine; in the organiser's words, or `usual_reasons`
    top: int = 0  # only as many pairs of documents are asked about as find the best so many of a topic; 0 asks about all

    def as_json(self) -> dict[str, Any]:
        """Return the rules as JSON holds them."""
        return {**asdict(self), "reasons": list(self.reasons)}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "ComparisonRules":
        """Return the rules that `as_json` wrote.

        Raises
        ------
        ValueError, TypeError
            When they are none.
        """
        reasons = data.get("reasons", REASONS)
        if not isinstance(reasons, (list, tuple)):
            raise TypeError("the reasons are no list")
        words = tuple(str(reason)[:LONGEST_REASON] for reason in reasons[:MOST_REASONS])
        return cls(bool(data.get("must_view")), bool(data.get("grading")), words, max(0, int(data.get("top", 0))))

    @classmethod
    def parse(cls, text: str) -> "ComparisonRules":
        """Return the rules in a text of JSON; the usual ones for an empty text.

        Raises
        ------
        ValueError, TypeError
            When they cannot be read.
        """
        data = json.loads(text) if text else {}
        if not isinstance(data, dict):
            raise TypeError("the rules are no object")
        return cls.read(data)

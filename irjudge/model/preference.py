"""Preferences: which of two things was better, as columns: no Python object a judgment; and the rules by which they are asked."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.model.event_form import Winner
from irjudge.model.ranking import Floats, Ints, Longs

Flags: TypeAlias = npt.NDArray[np.bool_]
OUTCOMES: dict[str, int] = {"left": 1, "tie": 0, "right": -1}
NOT_SAID = -1


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """N answers to the question which of two is better, in the order in which they were given.

    Items and all other names are sorted, so that nothing hangs on the order of the rows.

    In a project a preference is an event of kind `preference` on an item of type `pair` (two document ids, left first) or `panel`
    (the ids of the left list's documents, then of the right one's). Its payload, JSON values only:

    =============  ===========================================================================================================
    winner         "left", "right" or "tie": as painted
    strength       0 for a tie, 1 for better, 2 for much better
    reasons        list of the reasons ticked, in the words of the scale; empty when none was
    note           text; empty when none was typed
    active_ms      milliseconds of attention, as for grades
    opens          [left, right]: how often a result was opened in full on each side
    dwell_ms       [left, right]: milliseconds that opened results of each side were in view
    scrolled       [left, right]: the lowest rank, 1-based, that was in view on each side
    sides          of a panel: [left, right], opaque ids; which run each stands for is kept by the organiser alone
    sizes          of a panel: [left, right], how many documents each list has
    =============  ===========================================================================================================

    `winner` alone is needed to read it. An identical pair, recorded and not shown, is a tie with `"identical": true`.
    """

    items: tuple[str, ...]  # K names of systems, or of documents
    # shape (N,): code of the item on either side, never the same
    left: Ints
    right: Ints
    winner: (
        Ints  # shape (N,): 1 where the left one is better, 0 for a tie, -1 where the right one is
    )
    strength: Ints  # shape (N,): 0 for a tie, 1 for better, 2 for much better
    # T ids, and shape (N,): code of the topic; `NOT_SAID` (-1) where none was given
    topics: tuple[str, ...]
    topic: Ints
    # A names, and shape (N,): code of the assessor; `NOT_SAID` (-1) where none was given
    assessors: tuple[str, ...]
    assessor: Ints
    seconds: Floats  # shape (N,): time taken; NaN where not known
    documents: bool = (
        False  # whether the items are documents, which can be compared within their topic alone
    )
    blank: int = 0  # rows without an answer; they are left out
    remarks: tuple[str, ...] = ()  # what was strange in the file, a sentence each

    def __len__(self) -> int:
        return len(self.winner)

    def where(self, kept: Flags | Longs) -> "Preferences":
        """Return the answers for which `kept`, shape (N,), is true, or those at the places it holds, with the same names and codes."""
        columns = {
            name: getattr(self, name)[kept]
            for name in ("left", "right", "winner", "strength", "topic", "assessor", "seconds")
        }
        return replace(self, **columns)

    def groups(self) -> Iterator[tuple[str, "Preferences"]]:
        """Yield what can be compared with each other: all systems under the name "", or each topic with its documents alone."""
        if not self.documents:
            yield "", self
            return
        for code, topic in enumerate(self.topics):
            found = self.where(self.topic == code)
            held, codes = np.unique(np.stack((found.left, found.right)), return_inverse=True)
            left, right = codes.reshape(2, -1).astype(np.int32)
            yield (
                topic,
                replace(
                    found,
                    items=tuple(self.items[each] for each in held.tolist()),
                    left=left,
                    right=right,
                ),
            )

    def swapped(self) -> "Preferences":
        """Return the same answers as if the sides had stood the other way round."""
        return replace(self, left=self.right, right=self.left, winner=-self.winner)


def make_preferences(
    left: Sequence[str],
    right: Sequence[str],
    winner: Sequence[int],
    *,
    strength: Sequence[int] | None = None,
    topic: Sequence[str] | None = None,
    assessor: Sequence[str] | None = None,
    seconds: Sequence[float] | None = None,
    documents: bool = False,
    blank: int = 0,
    remarks: Iterable[str] = (),
) -> Preferences:
    """Code names of N answers as numbers; ValueError when an item stands on both sides, or the lengths differ.

    The winner is 1 (left), 0 (tie) or -1 (right); the strength 0 to 2, None for 1 where the answer is not a tie. Topics, assessors and
    seconds are "" and NaN where not known; None where they are for no row. The others see `Preferences`.

    >>> found = make_preferences(["bm25", "lm"], ["lm", "bm25"], [1, 0])
    >>> found.items, found.left.tolist(), found.winner.tolist(), found.strength.tolist()
    (('bm25', 'lm'), [0, 1], [1, 0], [1, 0])
    """
    count = len(winner)
    items, code = _coded([*left, *right])
    one, two = code[:count], code[count:]
    if len(left) != count or len(right) != count or (one == two).any():
        raise ValueError("An answer needs two different items.")
    outcome = np.array(winner, dtype=np.int32)
    topics, topic_code = _coded(topic if topic is not None else [""] * count)
    assessors, assessor_code = _coded(assessor if assessor is not None else [""] * count)
    return Preferences(
        items=items,
        left=one,
        right=two,
        winner=outcome,
        strength=np.abs(outcome) if strength is None else np.array(strength, dtype=np.int32),
        topics=topics,
        topic=topic_code,
        assessors=assessors,
        assessor=assessor_code,
        seconds=np.full(count, np.nan) if seconds is None else np.array(seconds, dtype=np.float64),
        documents=documents,
        blank=blank,
        remarks=tuple(remarks),
    )


def preference_payload(winner: Winner, *, strength: int = 1, **more: Any) -> dict[str, Any]:
    """Return the payload of a preference event; `more` are the other fields that `Preferences` lists.

    >>> preference_payload("tie")
    {'winner': 'tie', 'strength': 0, 'reasons': [], 'note': '', 'active_ms': 0, 'opens': [0, 0], 'dwell_ms': [0, 0], 'scrolled': [0, 0]}
    """
    empty = {
        "reasons": [],
        "note": "",
        "active_ms": 0,
        "opens": [0, 0],
        "dwell_ms": [0, 0],
        "scrolled": [0, 0],
    }
    return {"winner": winner, "strength": 0 if winner == "tie" else strength, **empty, **more}


def _coded(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Return the different names in order, and the code of each; -1 for an empty one."""
    different = sorted(set(names) - {""})
    code = {name: place for place, name in enumerate(different)} | {"": NOT_SAID}
    return tuple(different), np.fromiter(
        (code[name] for name in names), dtype=np.int32, count=len(names)
    )


REASONS = (
    "more relevant",
    "better order",
    "more complete",
    "less repetition",
)  # of lists of results
DOCUMENT_REASONS = ("more relevant", "more complete", "clearer", "more trustworthy")
MOST_REASONS, LONGEST_REASON = 9, 60  # each has a digit of its own


def usual_reasons(*, documents: bool) -> tuple[str, ...]:
    """Return what can be ticked where the organiser says nothing else: of two documents, or of two lists."""
    return DOCUMENT_REASONS if documents else REASONS


@dataclass(frozen=True, slots=True)
class ComparisonRules:
    """What holds while two are compared."""

    must_view: bool = (
        False  # both sides must have been scrolled or opened before one may be preferred
    )
    grading: bool = False  # A result that is opened in full may be graded there
    reasons: tuple[str, ...] = (
        REASONS  # what can be ticked, at most nine; in the organiser's words, or `usual_reasons`
    )
    top: int = 0  # only as many pairs of documents are asked about as find the best so many of a topic; 0 asks about all

    def as_json(self) -> dict[str, Any]:
        """Return the rules as JSON holds them."""
        return {**asdict(self), "reasons": list(self.reasons)}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "ComparisonRules":
        """Return the rules that `as_json` wrote; ValueError, TypeError when they are none."""
        reasons = data.get("reasons", REASONS)
        if not isinstance(reasons, (list, tuple)):
            raise TypeError("the reasons are no list")
        words = tuple(str(reason)[:LONGEST_REASON] for reason in reasons[:MOST_REASONS])
        return cls(
            bool(data.get("must_view")),
            bool(data.get("grading")),
            words,
            max(0, int(data.get("top", 0))),
        )

    @classmethod
    def parse(cls, text: str) -> "ComparisonRules":
        """Return the rules in a text of JSON; the usual ones for an empty text. ValueError, TypeError when they cannot be read."""
        data = json.loads(text) if text else {}
        if not isinstance(data, dict):
            raise TypeError("the rules are no object")
        return cls.read(data)

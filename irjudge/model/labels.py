"""Labels and preferences by several assessors, as columns."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.model.events import Winner
from irjudge.model.ranking import UNJUDGEABLE, UNJUDGED, Floats, Ints, Longs

# Labels of several assessors, as columns

Flags: TypeAlias = npt.NDArray[np.bool_]
Topics: TypeAlias = tuple[tuple[str, str], ...]
MAX_GRADES = 100  # if the range of integer labels is smaller, all integers in it are grades


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """N labels of I items by W workers (assessors) on a scale of K labels, as columns.

    Agreement, consensus and the quality of workers are computed from them. Rows with the same item
    and worker are in the order in which the labels were given; the last one counts (`latest`). A
    label can be unjudgeable (-2). An item is usually a document of a topic. Optional columns
    contain gold labels, the seconds taken, marks of repeated items, and the sizes of texts.
    """

    items: tuple[str, ...]  # names of the items; the code of an item is its index
    workers: tuple[str, ...]  # names of the workers; the code of a worker is its index
    scale: tuple[str, ...]  # labels as text, lowest first if they are numbers
    values: Floats | None  # shape (K,): labels as numbers; None if they are words
    item: Ints  # shape (N,): code of the item
    worker: Ints  # shape (N,): code of the worker
    label: Ints  # shape (N,): index in `scale`, or `UNJUDGEABLE` (-2)
    # topic and document of each item; None if items are not documents
    pairs: Topics | None = None
    # shape (I,): index in `scale` of each item's gold label, or `UNJUDGED` (-1) if it has none;
    # None if no item has one
    gold: Ints | None = None
    # shape (N,): seconds taken for each label, NaN if unknown; None if all are unknown
    seconds: Floats | None = None
    warnings: tuple[str, ...] = ()  # warnings from reading the labels
    # Shape (N,): whether the item was deliberately repeated to measure self-consistency; None if no
    # row is such a repeat.
    is_repeat: Flags | None = None
    # Shape (N,): whether the item was assigned to the worker as a gold item; None means that every
    # item with a gold label was assigned as a gold item.
    assigned_gold: Flags | None = None
    # Shape (I,): size of each item's text in bytes, NaN if unknown; None if all are unknown.
    sizes: Floats | None = None

    def __len__(self) -> int:
        return len(self.label)

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics of the items in order of first appearance; empty if items are not documents."""
        return tuple(dict.fromkeys(topic for topic, _ in self.pairs or ()))

    def where(self, mask: Flags) -> "Labels":
        """Return the labels in the rows selected by a mask, shape (N,).

        Items, workers and scale are unchanged.
        """
        return replace(
            self,
            item=self.item[mask],
            worker=self.worker[mask],
            label=self.label[mask],
            seconds=None if self.seconds is None else self.seconds[mask],
            is_repeat=None if self.is_repeat is None else self.is_repeat[mask],
            assigned_gold=None if self.assigned_gold is None else self.assigned_gold[mask],
        )

    def gold_by_row(self) -> Ints:
        """Return the gold label that applies to each row, shape (N,); `UNJUDGED` if none does."""
        if self.gold is None:
            return np.full(len(self.label), UNJUDGED, dtype=np.int32)
        gold_labels: Ints = self.gold[self.item]
        return (
            gold_labels
            if self.assigned_gold is None
            else np.where(self.assigned_gold, gold_labels, UNJUDGED)
        )

    def without_repeats(self) -> "Labels":
        """Return the labels without the rows in which an item was deliberately repeated."""
        return (
            self if self.is_repeat is None else replace(self.where(~self.is_repeat), is_repeat=None)
        )

    def latest(self) -> "Labels":
        """Return the labels with only the last row of each worker and item.

        >>> make_labels([("d1", "ann", 0), ("d1", "bob", 1), ("d1", "ann", 2)]).latest().label.tolist()
        [1, 2]
        """
        pair_codes = self._encode_pairs()
        _, last_rows = np.unique(pair_codes[::-1], return_index=True)
        return self._select_rows_in_order(len(pair_codes) - 1 - last_rows)

    def earliest(self) -> "Labels":
        """Return the labels with only the first row of each worker and item."""
        return self._select_rows_in_order(np.unique(self._encode_pairs(), return_index=True)[1])

    def _encode_pairs(self) -> Longs:
        """Return a code for each row, which rows with the same worker and item share."""
        return self.item.astype(np.int64) * max(len(self.workers), 1) + self.worker

    def _select_rows_in_order(self, rows: Longs) -> "Labels":
        mask = np.zeros(len(self.item), dtype=bool)
        mask[rows] = True
        return self if mask.all() else self.where(mask)

    def without(self, workers: Collection[str]) -> "Labels":
        """Return the labels of all but some workers; raise IrjudgeError for an unknown worker."""
        unknown_names = sorted(set(workers) - set(self.workers))
        if unknown_names:
            raise IrjudgeError(
                "There is no assessor {name!r} to exclude; expected one of {names}.",
                name=unknown_names[0],
                names=_list_names(self.workers),
            )
        is_selected = np.array([name not in workers for name in self.workers], dtype=bool)
        selected_labels = self.where(is_selected[self.worker])
        names = tuple(name for name in self.workers if name not in workers)
        return replace(
            selected_labels,
            workers=names,
            worker=(np.cumsum(is_selected) - 1)[selected_labels.worker].astype(np.int32),
        )

    def by_topic(self) -> Iterator[tuple[str, "Labels"]]:
        """Yield each topic with the labels of its items; workers and scale are unchanged."""
        topics = self.topics
        topic_codes = {topic: index for index, topic in enumerate(topics)}
        item_topics = np.array(
            [topic_codes[topic_name] for topic_name, _ in self.pairs or ()], dtype=np.int32
        )
        sorted_rows = (
            np.argsort(item_topics[self.item], kind="stable")
            if topics
            else np.empty(0, dtype=np.int64)
        )
        ends = (
            np.cumsum(np.bincount(item_topics[self.item], minlength=len(topics))) if topics else ()
        )
        for name, rows in zip(
            topics, np.split(sorted_rows, ends[:-1]) if topics else (), strict=True
        ):
            yield name, self._select_rows(rows)

    def _select_rows(self, rows: Longs) -> "Labels":
        """Return the labels in the given rows, with only the items that occur in these rows."""
        item_codes, item = np.unique(self.item[rows], return_inverse=True)
        return replace(
            self,
            items=tuple(self.items[index] for index in item_codes.tolist()),
            item=item.astype(np.int32),
            worker=self.worker[rows],
            label=self.label[rows],
            pairs=None
            if self.pairs is None
            else tuple(self.pairs[index] for index in item_codes.tolist()),
            gold=None if self.gold is None else self.gold[item_codes],
            sizes=None if self.sizes is None else self.sizes[item_codes],
            seconds=None if self.seconds is None else self.seconds[rows],
            is_repeat=None if self.is_repeat is None else self.is_repeat[rows],
            assigned_gold=None if self.assigned_gold is None else self.assigned_gold[rows],
        )

    def count_grades(self) -> Longs:
        """Return how often each item has each grade, shape (I, K); every row counts."""
        is_graded = self.label >= 0
        grade_count = len(self.scale)
        cell_codes = self.item[is_graded].astype(np.int64) * grade_count + self.label[is_graded]
        return np.bincount(cell_codes, minlength=len(self.items) * grade_count).reshape(
            len(self.items), grade_count
        )

    def count_unjudgeable(self) -> Longs:
        """Return how often each item was labelled as unjudgeable, shape (I,)."""
        return np.bincount(self.item[self.label == UNJUDGEABLE], minlength=len(self.items))

    def mark_relevant(self, min_grade: float) -> Flags | None:
        """Return whether each label is `min_grade` or more, shape (K,); None if labels are words."""
        return None if self.values is None else self.values >= min_grade

    def with_scale(self, scale: Sequence[str | int | float]) -> "Labels":
        """Return the labels on another scale; raise IrjudgeError if the scale lacks a label.

        `scale` begins with the lowest label.

        >>> make_labels([("d1", "ann", 0), ("d1", "bob", 2)]).with_scale([0, 1, 2, 3]).scale
        ('0', '1', '2', '3')
        """
        names = tuple(map(str, scale))
        codes = {_normalise_label(name): index for index, name in enumerate(names)}
        used_codes = set(np.unique(self.label[self.label >= 0]).tolist()) | set(
            np.unique(self.gold).tolist() if self.gold is not None else ()
        )
        for code in sorted(used_codes - {UNJUDGED}):
            if _normalise_label(self.scale[code]) not in codes:
                raise IrjudgeError(
                    "Label {label!r} is not on the scale {scale}.",
                    label=self.scale[code],
                    scale=_list_names(names),
                )
        # -1 and -2 index the last two elements, so that UNJUDGED and UNJUDGEABLE keep their codes.
        new_codes = np.array(
            [
                *(codes.get(_normalise_label(name), UNJUDGED) for name in self.scale),
                UNJUDGEABLE,
                UNJUDGED,
            ],
            dtype=np.int32,
        )
        gold = None if self.gold is None else new_codes[self.gold]
        return replace(
            self, scale=names, values=parse_numbers(names), label=new_codes[self.label], gold=gold
        )

    def with_gold(self, gold_labels: Mapping[str, str] | Mapping[tuple[str, str], str]) -> "Labels":
        """Return the labels with gold labels for items or for pairs of topic and document.

        Raises IrjudgeError if a gold label is not on the scale, or if no item has a gold label.
        """
        codes = {_normalise_label(name): index for index, name in enumerate(self.scale)}
        names: Sequence[object] = (
            self.pairs
            if self.pairs is not None and not isinstance(next(iter(gold_labels), None), str)
            else self.items
        )
        gold = np.full(len(self.items), UNJUDGED, dtype=np.int32)
        gold_by_name: dict[object, str] = {name: label for name, label in gold_labels.items()}  # noqa: C416 -- of either kind of key
        for index, name in enumerate(names):
            gold_label = gold_by_name.get(name)
            if gold_label is not None and _normalise_label(gold_label) not in codes:
                raise IrjudgeError(
                    "The gold grade of {item} is {grade!r}, which is not on the scale {scale}.",
                    item=self.items[index],
                    grade=gold_label,
                    scale=_list_names(self.scale),
                )
            gold[index] = UNJUDGED if gold_label is None else codes[_normalise_label(gold_label)]
        if not (gold >= 0).any():
            raise IrjudgeError(
                "The gold items and the labelled items have no id in common.",
                key="no-gold-labelled",
            )
        return replace(self, gold=gold, assigned_gold=None)


def make_labels(
    rows: Iterable[tuple[str, str, str | int | float]],
    scale: Sequence[str | int | float] | None = None,
) -> Labels:
    """Build labels from (item, worker, label) rows in order of work. For notebooks and tests.

    `scale` begins with the lowest label. If it is None, `infer_scale` infers it.

    >>> labels = make_labels([("d1", "ann", 0), ("d1", "bob", 2), ("d2", "ann", 1)])
    >>> labels.items, labels.scale, labels.count_grades().tolist()
    (('d1', 'd2'), ('0', '1', '2'), [[1, 0, 1], [0, 1, 0]])
    """
    items, workers, label_coder = NameCoder(), NameCoder(), NameCoder()
    columns = tuple(zip(*rows, strict=True)) or ((), (), ())
    item = items.all(columns[0])
    worker = workers.all(columns[1])
    label = label_coder.all(map(str, columns[2]))
    labels = Labels(items.names, workers.names, label_coder.names, None, item, worker, label)
    return labels.with_scale(infer_scale(label_coder.names) if scale is None else scale)


class NameCoder:
    """Accumulator of distinct names, with codes 0, 1, 2 … in order of first appearance.

    Calling it with a name returns the name's code; a new name gets the next code.
    """

    def __init__(self) -> None:
        self._code: dict[str, int] = {}

    def __call__(self, name: str) -> int:
        """Return the code of a name; a new name gets the next code."""
        return self._code.setdefault(name, len(self._code))

    def all(self, names: Iterable[str]) -> Ints:
        """Return the codes of several names."""
        code = self._code
        return np.array([code.setdefault(name, len(code)) for name in names], dtype=np.int32)

    @property
    def names(self) -> tuple[str, ...]:
        """Names in the order of their codes."""
        return tuple(self._code)


def infer_scale(names: Iterable[str]) -> tuple[str, ...]:
    """Return the scale inferred from the labels in use.

    If the labels are integers with a range below 100, the scale contains all integers from the
    lowest to the highest, including unused ones. Other numbers are sorted numerically, and texts
    alphabetically.

    >>> infer_scale(["3", "0", "1"]), infer_scale(["0.5", "0"]), infer_scale(["yes", "no"])
    (('0', '1', '2', '3'), ('0', '0.5'), ('no', 'yes'))
    """
    label_by_normal_form = {_normalise_label(word): word for word in names}
    values = parse_numbers(tuple(label_by_normal_form.values()))
    if values is None:
        return tuple(sorted(label_by_normal_form.values()))
    if len(values) and (values == np.floor(values)).all() and np.ptp(values) < MAX_GRADES:
        return tuple(str(value) for value in range(int(values.min()), int(values.max()) + 1))
    return tuple(sorted(label_by_normal_form.values(), key=float))


def parse_numbers(texts: Sequence[str]) -> Floats | None:
    """Return labels as numbers, shape (K,); None if any label is not a finite number."""
    try:
        values = np.array([float(text) for text in texts], dtype=np.float64)
    except ValueError:
        return None
    return values if np.isfinite(values).all() else None


def _normalise_label(label: str) -> float | str:
    """Return a value that is the same for all spellings of a label, such as `1`, `01` and `1.0`."""
    value = parse_numbers((label,))
    return label if value is None else float(value[0])


def _list_names(names: Sequence[str], limit: int = 8) -> str:
    return ", ".join(names[:limit]) + (
        Message(" and {count:,} more", count=len(names) - limit) if len(names) > limit else ""
    )


# Preferences as columns, and the rules for comparisons

OUTCOMES: dict[str, int] = {"left": 1, "tie": 0, "right": -1}
UNSPECIFIED = -1


@dataclass(frozen=True, slots=True, eq=False)
class Preferences:
    """Preferences between systems or documents, as columns with N rows.

    A row is one answer: an assessor preferred the left or the right item, or neither. All names are
    sorted, so that results do not depend on the order of the rows.

    In a project a preference is an event of kind `preference` on an item of type `pair` (two
    document ids, left first) or `panel` (the ids of the left list's documents, then of the right
    one's). Its payload, JSON values only:

    =============  ===========================================================================================================
    winner         "left", "right" or "tie", as displayed
    strength       0 for a tie, 1 for better, 2 for much better
    reasons        list of the reasons ticked, as texts of the comparison rules; may be empty
    note           text; may be empty
    active_ms      milliseconds of attention, as for grades
    opens          of a panel: [left, right], number of times a result was opened in full on each side
    dwell_ms       of a panel: [left, right], milliseconds that opened results of each side were in view
    scrolled       of a panel: [left, right], largest rank number, from 1, that was in view; of a pair: 1 if the end was in view
    sides          of a panel: [left, right], opaque ids; only the organiser knows their runs
    sizes          of a panel: [left, right], number of documents of each list
    =============  ===========================================================================================================

    Required are `winner`, in a tie also `strength`, and in a panel also `sides`. Without `sizes`,
    the two lists of a panel are assumed to have the same length. A panel with identical lists is
    not shown; it is recorded as a tie with `"identical": true`.
    """

    items: tuple[str, ...]  # names of K systems or documents
    left: Ints  # shape (N,): code of the left item
    right: Ints  # shape (N,): code of the right item, never the same as the left
    # shape (N,): 1 if the left item is better, 0 for a tie, -1 if the right item is better
    winner: Ints
    strength: Ints  # shape (N,): 0 for a tie, 1 for better, 2 for much better
    topics: tuple[str, ...]  # T topic ids
    topic: Ints  # shape (N,): code of the topic; `UNSPECIFIED` (-1) if none
    assessors: tuple[str, ...]  # names of A assessors
    assessor: Ints  # shape (N,): code of the assessor; `UNSPECIFIED` (-1) if none
    seconds: Floats  # shape (N,): seconds taken for the answer; NaN if unknown
    # whether the items are documents, which are only compared within their topic
    documents: bool = False
    blank: int = 0  # number of rows without an answer, which are omitted
    warnings: tuple[str, ...] = ()  # warnings from reading the preferences

    def __len__(self) -> int:
        return len(self.winner)

    def where(self, mask: Flags | Longs) -> "Preferences":
        """Return the preferences at indices or in a mask, shape (N,); codes are unchanged."""
        columns = {
            name: getattr(self, name)[mask]
            for name in ("left", "right", "winner", "strength", "topic", "assessor", "seconds")
        }
        return replace(self, **columns)

    def groups(self) -> Iterator[tuple[str, "Preferences"]]:
        """Yield the name and the preferences of each group of items that were compared.

        All preferences between systems are one group with the name "". Preferences between
        documents are grouped by topic.
        """
        if not self.documents:
            yield "", self
            return
        for code, topic in enumerate(self.topics):
            selected_preferences = self.where(self.topic == code)
            item_codes, codes = np.unique(
                np.stack((selected_preferences.left, selected_preferences.right)),
                return_inverse=True,
            )
            left_items, right_items = codes.reshape(2, -1).astype(np.int32)
            yield (
                topic,
                replace(
                    selected_preferences,
                    items=tuple(self.items[code] for code in item_codes.tolist()),
                    left=left_items,
                    right=right_items,
                ),
            )

    def swap_left_right(self) -> "Preferences":
        """Return the preferences with left and right swapped."""
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
    warnings: Iterable[str] = (),
) -> Preferences:
    """Build preferences from names; raise ValueError for an item compared with itself.

    The winner is 1 (left), 0 (tie) or -1 (right). The strength is 0 to 2; if `strength` is None, it
    is 0 for a tie and otherwise 1. Unknown topics and assessors are "", and unknown seconds are
    NaN; an argument is None if all of its values are unknown. `Preferences` describes the other
    parameters.

    >>> answers = make_preferences(["bm25", "lm"], ["lm", "bm25"], [1, 0])
    >>> answers.items, answers.left.tolist(), answers.winner.tolist(), answers.strength.tolist()
    (('bm25', 'lm'), [0, 1], [1, 0], [1, 0])
    """
    count = len(winner)
    items, code = _encode_names([*left, *right])
    left_code, right_code = code[:count], code[count:]
    if len(left) != count or len(right) != count or (left_code == right_code).any():
        raise ValueError("An answer needs two different items.")
    winner_values = np.array(winner, dtype=np.int32)
    topics, topic_code = _encode_names(topic if topic is not None else [""] * count)
    assessors, assessor_code = _encode_names(assessor if assessor is not None else [""] * count)
    return Preferences(
        items=items,
        left=left_code,
        right=right_code,
        winner=winner_values,
        strength=np.abs(winner_values) if strength is None else np.array(strength, dtype=np.int32),
        topics=topics,
        topic=topic_code,
        assessors=assessors,
        assessor=assessor_code,
        seconds=np.full(count, np.nan) if seconds is None else np.array(seconds, dtype=np.float64),
        documents=documents,
        blank=blank,
        warnings=tuple(warnings),
    )


def preference_payload(winner: Winner, *, strength: int = 1, **other_fields: Any) -> dict[str, Any]:
    """Return the payload of a preference event; see `Preferences` for `other_fields`.

    >>> preference_payload("tie")
    {'winner': 'tie', 'strength': 0, 'reasons': [], 'note': '', 'active_ms': 0, 'opens': [0, 0], 'dwell_ms': [0, 0], 'scrolled': [0, 0]}
    """
    defaults = {
        "reasons": [],
        "note": "",
        "active_ms": 0,
        "opens": [0, 0],
        "dwell_ms": [0, 0],
        "scrolled": [0, 0],
    }
    return {
        "winner": winner,
        "strength": 0 if winner == "tie" else strength,
        **defaults,
        **other_fields,
    }


def _encode_names(names: Sequence[str]) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct non-empty names, sorted, and each name's code (-1 if empty)."""
    unique_names = sorted(set(names) - {""})
    codes = {name: index for index, name in enumerate(unique_names)} | {"": UNSPECIFIED}
    return tuple(unique_names), np.fromiter(
        (codes[name] for name in names), dtype=np.int32, count=len(names)
    )


# default reasons for preferring a result list, and for preferring a document
PREFERENCE_REASONS = ("more relevant", "better order", "more complete", "less repetition")
DOCUMENT_REASONS = ("more relevant", "more complete", "clearer", "more trustworthy")
# maximum number of reasons, each of which has a digit key; maximum characters of a reason
MAX_REASONS, MAX_REASON_LENGTH = 9, 60


def default_reasons(*, documents: bool) -> tuple[str, ...]:
    """Return the default reasons for preferring a document, or for preferring a result list."""
    return DOCUMENT_REASONS if documents else PREFERENCE_REASONS


@dataclass(frozen=True, slots=True)
class ComparisonRules:
    """Organiser's rules for assessors who compare two documents or lists.

    The rules determine whether both sides must be viewed before a choice, whether opened results
    can be graded, and which reasons can be selected. If only the best documents of each topic are
    to be found, the rules contain the number of these documents.
    """

    # whether each side must be scrolled to its end, or a result on it opened, before the answer
    must_view: bool = False
    grading: bool = False  # whether opened results can be graded
    # at most nine reasons that the assessor can select, set by the organiser or `default_reasons`
    reasons: tuple[str, ...] = PREFERENCE_REASONS
    # number of best documents to find for each topic with as few pairs as necessary; 0 to compare
    # all assigned pairs
    top: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return the rules as data for JSON."""
        return {**asdict(self), "reasons": list(self.reasons)}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> "ComparisonRules":
        """Return rules from the data of `as_json`; raise ValueError or TypeError if invalid."""
        reasons = data.get("reasons", PREFERENCE_REASONS)
        if not isinstance(reasons, (list, tuple)):
            raise TypeError("the reasons are not a list")
        texts = tuple(str(reason)[:MAX_REASON_LENGTH] for reason in reasons[:MAX_REASONS])
        return cls(
            bool(data.get("must_view")),
            bool(data.get("grading")),
            texts,
            max(0, int(data.get("top", 0))),
        )

    @classmethod
    def parse(cls, text: str) -> "ComparisonRules":
        """Return the rules in a JSON text; an empty text means the defaults."""
        data = json.loads(text) if text else {}
        if not isinstance(data, dict):
            raise TypeError("the rules are not an object")
        return cls.read(data)

"""Plan of an assignment: which assessor gets which items, and in which order."""

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain
from pathlib import Path

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.bytes import decode_text
from irjudge.message import Message, format_count
from irjudge.model import Pair, Role
from irjudge.stats import HashOrder
from irjudge.store import OWNER_KEY, check_documents_per_page

# Distribution of pairs among assessors. Loads are nearly equal; topics are kept whole if possible.


@dataclass(frozen=True, slots=True)
class PlanAssessor:
    """Assessor of a plan: name, topics that can be judged, and maximum number of pairs.

    It is usually made from a `Candidate`, which also has the e-mail address.
    """

    name: str
    topics: frozenset[str] | None = None  # topics that the assessor can judge; None for all
    # maximum number of pairs, without gold and repeat items; None for no limit
    max_pairs: int | None = None

    def can_judge(self, topic: str) -> bool:
        """Return whether the assessor can judge a topic."""
        return self.topics is None or topic in self.topics


@dataclass(slots=True)
class PairShares:
    """Result of `distribute_pairs`: pairs by assessor, and unassigned pairs.

    A pair is repeated in `unassigned` for each judgment that could not be assigned.
    """

    by_assessor: dict[str, list[Pair]] = field(default_factory=dict)
    unassigned: list[Pair] = field(default_factory=list)


def distribute_pairs(
    copies: Mapping[Pair, int],
    assessors: Sequence[PlanAssessor],
    draw: HashOrder,
    *,
    assigned_pairs: Mapping[str, Iterable[Pair]] | None = None,
    loads: Mapping[str, int] | None = None,
) -> PairShares:
    """Assign each pair to the required number of different assessors.

    A pair has one copy for each judgment that it needs. All copies are put in a sequence: the first
    copy of every pair by topic, then the second copies, and so on. The sequence is cut into pieces
    of equal length, one per assessor. Therefore, assessors get whole topics if the lengths allow
    it. Each round of copies begins with a different topic, so that each assessor shares topics with
    several others. No assessor gets a pair twice. `assigned_pairs` are the pairs that each assessor
    already has; `loads` are the numbers of documents that the assessors already have to judge.
    """
    distribution = _Distribution(copies, assessors, draw, assigned_pairs or {}, loads or {})
    for pair in _order_copies(copies, draw, len(assessors)):
        distribution.assign_pair(pair)
    distribution.balance_loads()
    distribution.retry_unassigned()
    return PairShares(
        {assessor.name: distribution.list_pairs(assessor) for assessor in assessors},
        distribution.unassigned,
    )


def _order_copies(
    copies: Mapping[Pair, int], draw: HashOrder, assessor_count: int
) -> Iterable[Pair]:
    """Yield all copies of the pairs: the first copies of all pairs, then the second, and so on."""
    topics = draw.shuffle(list(dict.fromkeys(topic for topic, _ in copies)), "topics")
    by_topic: dict[str, list[Pair]] = {topic: [] for topic in topics}
    for pair in copies:
        by_topic[pair[0]].append(pair)
    for copy_index in range(max(copies.values(), default=0)):
        first_topic = copy_index * max(1, round(len(topics) / max(1, assessor_count))) % len(topics)
        for topic in topics[first_topic:] + topics[:first_topic]:
            yield from (pair for pair in by_topic[topic] if copies[pair] > copy_index)


class _Distribution:
    """State of `distribute_pairs`: pairs, loads and target loads of the assessors."""

    def __init__(
        self,
        copies: Mapping[Pair, int],
        assessors: Sequence[PlanAssessor],
        draw: HashOrder,
        assigned_pairs: Mapping[str, Iterable[Pair]],
        loads: Mapping[str, int],
    ) -> None:
        self._assessors = draw.shuffle(list(assessors), "judges", lambda assessor: assessor.name)
        # numbered pairs of each assessor by topic, in the order in which the assessor got them
        self._pairs_by_topic: dict[str, dict[str, list[tuple[int, Pair]]]] = {
            assessor.name: {} for assessor in assessors
        }
        self._last_number = 0
        self.unassigned: list[Pair] = []
        self._pairs_by_assessor = {
            assessor.name: set(assigned_pairs.get(assessor.name, ())) for assessor in assessors
        }
        self._loads = Counter(
            {assessor.name: loads.get(assessor.name, 0) for assessor in assessors}
        )
        self._targets = _compute_targets(self._assessors, self._loads, sum(copies.values()))
        self._open_assessors = list(self._assessors)
        # for a source, a target and a topic: state and result of the last search in `_move`
        self._searches: dict[tuple[str, str, str], tuple[tuple[int, int], int]] = {}
        # how often an assessor got or lost a pair of a topic
        self._gains, self._losses = Counter[tuple[str, str]](), Counter[tuple[str, str]]()

    def list_pairs(self, assessor: PlanAssessor) -> list[Pair]:
        """Return the pairs of an assessor in the order in which the assessor got them."""
        return [pair for _, pair in sorted(chain(*self._pairs_by_topic[assessor.name].values()))]

    def assign_pair(self, pair: Pair) -> None:
        """Assign a copy of a pair to an assessor who can get the pair.

        The first such assessor whose load is below the target load is selected. If there is none,
        the assessor with the lowest load is selected. If no assessor can get the pair, add the
        pair to `unassigned`.
        """
        self._open_assessors = [
            assessor
            for assessor in self._open_assessors
            if self._loads[assessor.name] < self._targets[assessor.name]
        ]
        assessor = next(
            (assessor for assessor in self._open_assessors if self._can_assign(assessor, pair)),
            None,
        )
        if assessor is None:
            able_assessors = [
                assessor for assessor in self._assessors if self._can_assign(assessor, pair)
            ]
            assessor = min(
                able_assessors, key=lambda assessor: self._loads[assessor.name], default=None
            )
        if assessor is None:
            self.unassigned.append(pair)
            return
        self._record_pair(assessor, pair)

    def _can_assign(self, assessor: PlanAssessor, pair: Pair) -> bool:
        is_below_limit = (
            assessor.max_pairs is None or self._loads[assessor.name] < assessor.max_pairs
        )
        return (
            is_below_limit
            and assessor.can_judge(pair[0])
            and pair not in self._pairs_by_assessor[assessor.name]
        )

    def _record_pair(self, assessor: PlanAssessor, pair: Pair) -> None:
        self._last_number += 1
        self._pairs_by_topic[assessor.name].setdefault(pair[0], []).append(
            (self._last_number, pair)
        )
        self._gains[assessor.name, pair[0]] += 1
        self._pairs_by_assessor[assessor.name].add(pair)
        self._loads[assessor.name] += 1

    def balance_loads(self) -> None:
        """Move pairs between assessors until no move makes the loads more equal."""
        has_moved = True
        while has_moved:
            order = sorted(self._assessors, key=lambda assessor: self._loads[assessor.name])
            has_moved = any(
                self._move(most_loaded, least_loaded)
                for most_loaded in reversed(order)
                for least_loaded in order
                if self._loads[most_loaded.name] - self._loads[least_loaded.name] > 1
            )

    def retry_unassigned(self) -> None:
        """Assign unassigned pairs to assessors below their limits, moving other pairs if needed."""
        unassigned_pairs, self.unassigned = self.unassigned, []
        stuck_names = set[str]()  # assessors at their limit whose pairs cannot be moved
        for pair in unassigned_pairs:
            if not any(self._can_assign(assessor, pair) for assessor in self._assessors):
                for assessor in self._list_suitable(pair):
                    if assessor.name not in stuck_names and self._make_room(assessor):
                        stuck_names.clear()
                        break
                    stuck_names.add(assessor.name)
            self.assign_pair(pair)

    def _list_suitable(self, pair: Pair) -> list[PlanAssessor]:
        """Return the assessors who could get a pair if their number of pairs were not limited."""
        return [
            assessor
            for assessor in self._assessors
            if assessor.can_judge(pair[0]) and pair not in self._pairs_by_assessor[assessor.name]
        ]

    def _make_room(self, source: PlanAssessor) -> bool:
        """Move a pair to the assessor with the lowest load who can get one; return whether so."""
        order = sorted(self._assessors, key=lambda assessor: self._loads[assessor.name])
        return any(self._move(source, target) for target in order if target is not source)

    def _move(self, source: PlanAssessor, target: PlanAssessor) -> bool:
        """Move one pair to another assessor; return whether a pair could be moved.

        The pair is the last one that `source` got and `target` can get. If possible, it is of a
        topic of which `target` already has pairs.
        """
        if target.max_pairs is not None and self._loads[target.name] >= target.max_pairs:
            return False
        source_topics = self._pairs_by_topic[source.name]
        common_topics = source_topics.keys() & self._pairs_by_topic[target.name].keys()
        movable = self._find_movable(source, target, common_topics) or self._find_movable(
            source, target, source_topics
        )
        if movable is None:
            return False
        topic, index = movable
        _, pair = source_topics[topic].pop(index)
        if not source_topics[topic]:
            del source_topics[topic]
        self._losses[source.name, topic] += 1
        self._pairs_by_assessor[source.name].remove(pair)
        self._loads[source.name] -= 1
        self._record_pair(target, pair)
        return True

    def _find_movable(
        self, source: PlanAssessor, target: PlanAssessor, topics: Iterable[str]
    ) -> tuple[str, int] | None:
        """Return topic and index of the last pair of these topics that can be moved."""
        last_number, movable = 0, None
        for topic in topics:
            if target.can_judge(topic):
                index = self._find_last_new(source.name, target.name, topic)
                number = self._pairs_by_topic[source.name][topic][index][0] if index >= 0 else 0
                if number > last_number:
                    last_number, movable = number, (topic, index)
        return movable

    def _find_last_new(self, source: str, target: str, topic: str) -> int:
        """Return the index of the last pair of a topic that `target` does not have; -1 if none.

        Pairs that an earlier call passed over are not tried again, unless the source got or the
        target lost pairs of the topic.
        """
        pairs, target_pairs = (
            self._pairs_by_topic[source][topic],
            self._pairs_by_assessor[target],
        )
        state = (self._gains[source, topic], self._losses[target, topic])
        earlier_state, earlier_index = self._searches.get((source, target, topic), (None, 0))
        index = len(pairs) - 1
        if earlier_state == state:
            index = min(index, earlier_index)
        while index >= 0 and pairs[index][1] in target_pairs:
            index -= 1
        self._searches[source, target, topic] = state, index
        return index


def _compute_targets(
    assessors: Sequence[PlanAssessor], loads: Mapping[str, int], pair_count: int
) -> dict[str, int]:
    """Return the target load of each assessor; the targets are as equal as the limits allow."""
    targets = {assessor.name: loads[assessor.name] for assessor in assessors}
    extensible_assessors = [
        assessor
        for assessor in assessors
        if assessor.max_pairs is None or assessor.max_pairs > loads[assessor.name]
    ]
    while pair_count and extensible_assessors:
        lowest_target = min(targets[assessor.name] for assessor in extensible_assessors)
        lowest_assessors = [
            assessor for assessor in extensible_assessors if targets[assessor.name] == lowest_target
        ]
        next_limit = min(
            (
                targets[assessor.name]
                for assessor in extensible_assessors
                if targets[assessor.name] > lowest_target
            ),
            default=lowest_target + pair_count,
        )
        limits = [
            assessor.max_pairs - lowest_target
            for assessor in lowest_assessors
            if assessor.max_pairs is not None
        ]
        added_load = max(
            1, min([next_limit - lowest_target, pair_count // len(lowest_assessors) or 1, *limits])
        )
        for assessor in lowest_assessors[
            : pair_count if pair_count < len(lowest_assessors) else None
        ]:
            targets[assessor.name] += added_load
            pair_count -= added_load
        extensible_assessors = [
            assessor
            for assessor in extensible_assessors
            if assessor.max_pairs is None or assessor.max_pairs > targets[assessor.name]
        ]
    return targets


# Plan, which depends only on pool, assessors, options and seed

# minimum number of items of a topic with repeats; in a shorter topic, a repeat would be too close
# to the first presentation of its document
MIN_BLOCK_SIZE = 4


@dataclass(frozen=True, slots=True)
class AssignmentOptions:
    """Options of `make_plan`: overlap, gold items, repeats, qualification, seed and topics.

    The options apply to documents to be graded. Assessors, pool and gold grades are separate
    arguments.
    """

    overlap: int = 1  # number of assessors per pair, 1 or more
    # share of pairs, in (0, 1], that get `overlap` assessors; the other pairs get one assessor
    share: float = 1.0
    # gold documents per assessor: a number or, if below 1, a share of the largest number of
    # documents of an assessor; documents that the assessor would not get otherwise are preferred
    gold: float = 0
    # number of documents that each assessor judges twice, the second time much later
    repeats: int = 0
    # number of gold documents that each assessor judges first; all assessors get the same documents
    qualification: int = 0
    seed: int = 0  # seed of all random choices
    topics: tuple[str, ...] = ()  # ids of the assigned topics; empty for all
    several: int = 0  # number of documents per page; 0 if they are shown one at a time


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """Document in the plan of an assessor, and its role, such as gold item or repeat."""

    topic: str
    document: str
    role: Role = "document"


@dataclass(slots=True)
class AssignmentPlan:
    """Plan of an assignment: items of each assessor, in the order of presentation, and warnings.

    The items include any gold items and repeats. Warnings are, for example, about pairs that
    could not be assigned. A plan is only computed; nothing is stored.
    """

    items: dict[str, tuple[PlannedItem, ...]]
    warnings: list[str] = field(default_factory=list)


PoolDocuments = Mapping[str, Sequence[str]]  # documents by topic, in pool order
GoldGrades = Mapping[str, Mapping[str, int]]  # gold grades by topic and document
MIN_RELEVANT_GRADE = 1


def make_plan(
    pool: PoolDocuments,
    assessors: Sequence[PlanAssessor],
    options: AssignmentOptions,
    *,
    gold: GoldGrades | None = None,
    calibration: Mapping[str, Iterable[str]] | None = None,
    assigned_pairs: Mapping[str, Iterable[Pair]] | None = None,
    in_order: bool = False,
) -> AssignmentPlan:
    """Plan an assignment: the items of each assessor, in the order of presentation."""
    _check_options(pool, assessors, options)
    position = _number_documents(pool) if in_order else {}
    draw = HashOrder(options.seed)
    calibration_by_topic = {
        topic: set(documents) for topic, documents in (calibration or {}).items()
    }
    gold_grades = _omit_documents(gold or {}, calibration_by_topic)
    earlier_pairs = {name: set(pairs) for name, pairs in (assigned_pairs or {}).items()}
    qualification = _draw_qualification(gold_grades, options.qualification, draw)
    shares = distribute_pairs(
        _count_copies(pool, options, draw), assessors, draw, assigned_pairs=earlier_pairs
    )
    plan = AssignmentPlan(
        {},
        _warn_of_one_sided_gold(pool, gold_grades) if options.gold or options.qualification else [],
    )
    if shares.unassigned:
        plan.warnings.append(_describe_unassigned_pairs(shares.unassigned))
    gold_count = _count_gold(
        options, max((len(pairs) for pairs in shares.by_assessor.values()), default=0)
    )
    for assessor in assessors:
        assessor_share = _AssessorShare(
            assessor,
            shares.by_assessor[assessor.name],
            qualification,
            earlier_pairs.get(assessor.name, set()),
            position,
        )
        assessor_share.add_gold(gold_grades, gold_count, draw)
        items = tuple(assessor_share.order_items(calibration_by_topic, options.repeats, draw))
        plan.items[assessor.name] = items
        plan.warnings += _warn_of_few_items(assessor.name, items, gold_count, options.repeats)
    plan.warnings += _warn_of_exceeded_limits(assessors, plan)
    return plan


def _number_documents(pool: PoolDocuments) -> dict[Pair, int]:
    """Return the position of each document in the pool of its topic, from 0."""
    return {
        (topic, document): position
        for topic, documents in pool.items()
        for position, document in enumerate(documents)
    }


def _omit_documents(
    gold: GoldGrades, omitted: Mapping[str, Collection[str]]
) -> dict[str, dict[str, int]]:
    return {
        topic: {
            document: grade
            for document, grade in grades.items()
            if document not in omitted.get(topic, ())
        }
        for topic, grades in gold.items()
    }


def _warn_of_few_items(
    assessor: str, items: Sequence[PlannedItem], gold_count: int, repeat_count: int
) -> Iterator[Message]:
    """Yield a warning if an assessor gets fewer gold items, or repeats, than expected."""
    counts = Counter(item.role for item in items)
    if counts["gold"] < gold_count:
        yield Message(
            "{assessor} has too few gold items ({count} instead of {expected}): there "
            "are no more for the topics of this assessor.",
            key="too-little-gold",
            assessor=assessor,
            count=counts["gold"],
            expected=gold_count,
        )
    if counts["repeat"] < repeat_count:
        yield Message(
            "{assessor} has too few repeat items ({count} instead of {expected}): the "
            "topics of this assessor have too few documents.",
            assessor=assessor,
            count=counts["repeat"],
            expected=repeat_count,
        )


def _warn_of_exceeded_limits(assessors: Sequence[PlanAssessor], plan: AssignmentPlan) -> list[str]:
    """Return a warning for each assessor who gets more items than the maximum number of pairs."""
    return [
        Message(
            "{assessor} gets {count} items, more than the maximum of {limit} documents: gold, "
            "qualification, calibration and repeat items are not included in the maximum.",
            key="above-limit",
            assessor=assessor.name,
            count=len(plan.items[assessor.name]),
            limit=assessor.max_pairs,
        )
        for assessor in assessors
        if assessor.max_pairs is not None and len(plan.items[assessor.name]) > assessor.max_pairs
    ]


def _check_options(
    pool: PoolDocuments, assessors: Sequence[PlanAssessor], options: AssignmentOptions
) -> None:
    names = [assessor.name for assessor in assessors]
    if not names:
        raise IrjudgeError("Assignments need at least one assessor, got none.", key="no-assessor")
    repeated_name = next((name for name, count in Counter(names).items() if count > 1), None)
    if repeated_name is not None:
        raise IrjudgeError(
            "The assessor {assessor} is given twice; names must be unique.",
            key="repeated-name",
            assessor=repeated_name,
        )
    if not 1 <= options.overlap <= len(names):
        raise IrjudgeError(
            "The overlap must be between 1 and the number of assessors ({assessors}), got {overlap}.",
            key="invalid-overlap",
            assessors=len(names),
            overlap=options.overlap,
        )
    if not 0 < options.share <= 1:
        raise IrjudgeError(
            "The share of pairs judged by several assessors must be above 0 and at most "
            "1, got {share:g}.",
            key="invalid-share",
            share=options.share,
        )
    check_documents_per_page(options.several)
    if options.gold < 0 or options.repeats < 0 or options.qualification < 0:
        raise IrjudgeError(
            "The numbers of gold, repeat and qualification items must be 0 or more.",
            key="negative-number",
        )
    if not any(pool.values()):
        raise IrjudgeError(
            "There is nothing to assign: all pooled documents with a text are already assigned. To "
            "assign them again, first withdraw an assignment round that was not returned.",
            key="all-assigned",
        )


def _count_copies(
    pool: PoolDocuments, options: AssignmentOptions, draw: HashOrder
) -> dict[Pair, int]:
    """Return the number of assessors that each pair needs.

    The pairs of a topic are in random order, so that assessors are assigned regardless of ranks.
    """
    copies = {}
    for topic, documents in pool.items():
        shared_positions = _spread_evenly(
            len(documents), options.share, draw.number("share", topic)
        )
        copy_counts = {
            document: options.overlap if index in shared_positions else 1
            for index, document in enumerate(documents)
        }
        copies.update(
            {
                (topic, document): copy_counts[document]
                for document in draw.shuffle(list(documents), "pairs", topic)
            }
        )
    return copies


def _spread_evenly(count: int, share: float, offset: int) -> set[int]:
    """Select a share of `count` items at equal distances; return their positions.

    `offset` is a random number that determines the first position.
    """
    fraction = Fraction(share).limit_denominator(1000)
    first_fraction = Fraction(offset % 1000, 1000)
    return {
        index
        for index in range(count)
        if int((index + 1) * fraction + first_fraction) > int(index * fraction + first_fraction)
    }


def _count_gold(options: AssignmentOptions, max_load: int) -> int:
    if options.gold >= 1:
        return int(options.gold)
    return round(options.gold * max_load + 0.499)


def _warn_of_one_sided_gold(pool: PoolDocuments, gold_grades: GoldGrades) -> list[str]:
    """Return a warning if the gold documents of some pooled topics are all relevant."""
    topics = [
        topic
        for topic in pool
        if gold_grades.get(topic) and min(gold_grades[topic].values()) >= MIN_RELEVANT_GRADE
    ]
    if not topics:
        return []
    topics_text = Message(
        "Topics whose gold items are all relevant: {count:,} (for example {example}).",
        count=len(topics),
        example=topics[0],
    )
    return [
        Message(
            "{sentence} Such gold items cannot detect an assessor who judges everything "
            "relevant; import qrels with non-relevant documents.",
            key="one-sided-gold",
            sentence=topics_text,
        )
    ]


def _interleave(pairs: Iterable[Pair], group: Callable[[Pair], Hashable]) -> list[Pair]:
    """Return the first pairs of all groups, then the second pairs of all groups, and so on."""
    group_counts: Counter[Hashable] = Counter()
    round_and_pair = []
    for pair in pairs:
        round_and_pair.append((group_counts[group(pair)], pair))
        group_counts[group(pair)] += 1
    return [pair for _, pair in sorted(round_and_pair, key=lambda entry: entry[0])]


def _draw_qualification(gold_grades: GoldGrades, count: int, draw: HashOrder) -> list[Pair]:
    """Select qualification documents from as few topics as possible, with alternating grades.

    Within a topic, they are selected at random.
    """
    topics = sorted(
        gold_grades,
        key=lambda topic: (-len(gold_grades[topic]), draw.number("qualification", topic)),
    )
    pairs = []
    for topic in topics:
        sampled_pairs = [
            (topic, document)
            for document in draw.shuffle(list(gold_grades[topic]), "qualification", topic)
        ]
        pairs += _interleave(sampled_pairs, lambda pair: gold_grades[pair[0]][pair[1]])
    if len(pairs) < count:
        raise IrjudgeError(
            "Qualification needs items with known grades: {count} are required, but there "
            "are only {pairs}.",
            key="too-few-qualification",
            count=count,
            pairs=len(pairs),
        )
    return pairs[:count]


def _describe_unassigned_pairs(unassigned_pairs: Sequence[Pair]) -> str:
    topics = list(dict.fromkeys(topic for topic, _ in unassigned_pairs))
    return Message(
        "Too few assessors are available for {judgments} (for example topic {topic}, document "
        "{document}; affected topics: {topics}).",
        key="too-few-assessors",
        judgments=format_count(len(unassigned_pairs), "judgment"),
        topic=unassigned_pairs[0][0],
        document=unassigned_pairs[0][1],
        topics=len(topics),
    )


class _AssessorShare:
    """Builder of one assessor's items, from qualification, pooled and gold documents."""

    def __init__(
        self,
        assessor: PlanAssessor,
        pairs: Sequence[Pair],
        qualification: Sequence[Pair],
        earlier_pairs: set[Pair],
        position: Mapping[Pair, int],
    ) -> None:
        self.assessor, self._earlier_pairs, self._position = assessor, earlier_pairs, position
        self.qualification = [
            pair
            for pair in qualification
            if assessor.can_judge(pair[0]) and pair not in earlier_pairs
        ]
        qualification_pairs = set(self.qualification)
        self.ordinary_pairs = [pair for pair in pairs if pair not in qualification_pairs]
        self.gold: list[Pair] = []

    def add_gold(self, gold_grades: GoldGrades, count: int, draw: HashOrder) -> None:
        """Select gold items at random from the assessor's topics, with alternating grades.

        Documents that the assessor would not get otherwise are preferred. Topics alternate.
        """
        name = self.assessor.name
        own_pairs = set(self.ordinary_pairs)
        unavailable_pairs = {*self.qualification, *self._earlier_pairs}

        def grade(pair: Pair) -> int:
            return gold_grades[pair[0]][pair[1]]

        topics = dict.fromkeys(topic for topic, _ in self.ordinary_pairs)
        pairs = [
            pair
            for topic in topics
            for document in gold_grades.get(topic, ())
            if (pair := (topic, document)) not in unavailable_pairs
        ]
        pairs.sort(key=lambda pair: draw.number("gold", name, *pair))
        pairs = _interleave(pairs, lambda pair: (pair in own_pairs, grade(pair), pair[0]))
        pairs.sort(
            key=lambda pair: (draw.number("grade", name, str(grade(pair))), pair in own_pairs)
        )
        self.gold = _interleave(pairs, grade)[:count]
        gold_pairs = set(self.gold)
        self.ordinary_pairs = [pair for pair in self.ordinary_pairs if pair not in gold_pairs]

    def order_items(
        self, calibration: Mapping[str, set[str]], repeats: int, draw: HashOrder
    ) -> list[PlannedItem]:
        """Return the assessor's items topic by topic; topics with qualification items come first.

        Within a topic, calibration documents come first, then qualification documents.
        """
        name = self.assessor.name
        qualification, ordinary, gold = map(
            group_documents_by_topic, (self.qualification, self.ordinary_pairs, self.gold)
        )
        other_topics = [topic for topic in ordinary | gold if topic not in qualification]
        blocks = {
            topic: self._order_block(
                topic,
                calibration.get(topic, set()),
                qualification.get(topic, []),
                ordinary.get(topic, []),
                gold.get(topic, []),
                draw,
            )
            for topic in [*qualification, *draw.shuffle(other_topics, "order", name)]
        }
        _insert_repeats(blocks, repeats, name, draw)
        return [item for block in blocks.values() for item in block]

    def _order_block(
        self,
        topic: str,
        calibration_documents: set[str],
        qualification: Sequence[str],
        ordinary: Sequence[str],
        gold: Sequence[str],
        draw: HashOrder,
    ) -> list[PlannedItem]:
        """Return the items of a topic; the sequences contain ids of documents."""
        calibration = [
            PlannedItem(topic, document, "calibration")
            for document in calibration_documents
            if (topic, document) not in self._earlier_pairs
        ]
        qualification_items = [
            PlannedItem(topic, document, "qualification") for document in qualification
        ]
        remaining_items = [
            PlannedItem(topic, document)
            for document in ordinary
            if document not in calibration_documents
        ]
        remaining_items += [PlannedItem(topic, document, "gold") for document in gold]

        def shuffle_items(items: list[PlannedItem]) -> list[PlannedItem]:
            shuffled_items = draw.shuffle(
                items, "order", self.assessor.name, topic, lambda item: item.document
            )
            return (
                sorted(
                    shuffled_items,
                    key=lambda item: self._position.get((topic, item.document), -1),
                )
                if self._position
                else shuffled_items
            )

        return shuffle_items(calibration) + qualification_items + shuffle_items(remaining_items)


def group_documents_by_topic(pairs: Iterable[Pair]) -> dict[str, list[str]]:
    """Return the documents of each topic; topics and documents have the order of the pairs."""
    documents_by_topic: dict[str, list[str]] = {}
    for topic, document in pairs:
        documents_by_topic.setdefault(topic, []).append(document)
    return documents_by_topic


def _insert_repeats(
    blocks: dict[str, list[PlannedItem]], repeats: int, name: str, draw: HashOrder
) -> None:
    """Insert repeats of some documents that are in the first half of their topics.

    At least half of the topic's items are between a document and its repeat.
    """
    candidates = [
        (topic, index)
        for topic, block in blocks.items()
        if len(block) >= MIN_BLOCK_SIZE
        for index in range(len(block) // 2)
        if block[index].role in ("document", "gold")
    ]
    repeated_items = draw.shuffle(
        candidates, "repeat", name, lambda candidate: f"{candidate[0]} {candidate[1]}"
    )[:repeats]
    for topic, index in sorted(
        repeated_items, key=lambda topic_and_index: topic_and_index[1], reverse=True
    ):
        block = blocks[topic]
        block.insert(
            index + (len(block) + 1) // 2 + 1, PlannedItem(topic, block[index].document, "repeat")
        )


# Assessors, given as names on the command line or in a table with a header

COLUMN_NAMES = {
    "name": ("name", "assessor", "worker", "judge"),
    "email": ("email", "e-mail", "mail", "address"),
    "topics": ("topics", "topic"),
    "most": ("most", "maximum", "max"),
}
MAX_NAME_CHARACTERS = 100  # maximum number of characters of an assessor's name


@dataclass(frozen=True, slots=True)
class Candidate:
    """Assessor who is to get work: name, e-mail address, and limits.

    The limits are the topics (None for all) and the maximum number of topic–document pairs or, in
    a comparison, of questions (None for no limit); added gold items and repeats are not limited.
    The assessors are given as a list of names, without addresses and limits, or read from a table.
    """

    name: str
    email: str = ""
    topics: frozenset[str] | None = None
    max_pairs: int | None = None

    def to_plan_assessor(self) -> PlanAssessor:
        """Return the assessor with its limits, as an argument of `distribute_pairs`."""
        return PlanAssessor(self.name, self.topics, self.max_pairs)


def parse_candidates(names_or_path: str) -> tuple[Candidate, ...]:
    """Return the assessors listed in a file with a header, or in a comma-separated list."""
    path = Path(names_or_path)
    if _is_file(path):
        return read_candidates(path)
    if path.suffix.lower() in (".csv", ".tsv", ".txt", ".xlsx", ".ods"):
        raise IrjudgeError("{path} does not exist.", path=names_or_path)
    return tuple(
        check_candidates(
            [Candidate(name.strip()) for name in names_or_path.split(",") if name.strip()],
            Message("The list of assessors"),
        )
    )


def _is_file(path: Path) -> bool:
    """Return whether a file exists; False for a list of names that is too long for a path."""
    try:
        return path.is_file()
    except OSError:
        return False


def read_candidates(path: Path) -> tuple[Candidate, ...]:
    """Read assessors from a table with the column `name`.

    The columns `email`, `topics` and `most` are optional.
    """
    try:
        text = decode_text(path.read_bytes(), path).removeprefix("\ufeff")
    except OSError as error:
        raise FormatError(
            path, Message("cannot be read ({reason})", reason=error.strerror or error)
        ) from error
    header = text.partition("\n")[0]
    lines = csv.reader(
        io.StringIO(text, newline=""), delimiter=max(",\t;", key=header.count), strict=True
    )
    try:
        column_titles = [cell.strip().lower() for cell in next(lines, [])]
        columns = {
            field: next(
                (column_titles.index(name) for name in names if name in column_titles), None
            )
            for field, names in COLUMN_NAMES.items()
        }
        if columns["name"] is None:
            raise FormatError(
                path,
                Message(
                    "the header has no column “name”; expected the columns name and, "
                    "optionally, email, topics and most",
                    key="no-name-column",
                ),
                1,
            )
        rows = [
            (lines.line_num, _read_cells(path, lines.line_num, cells, columns, len(column_titles)))
            for cells in lines
            if any(cells)
        ]
    except csv.Error as error:
        raise FormatError(
            path,
            Message("the line cannot be split into columns ({error})", error=error),
            lines.line_num,
        ) from error
    return tuple(
        check_candidates([_parse_candidate(path, line, row) for line, row in rows], path.name)
    )


def _read_cells(
    path: Path, line: int, cells: list[str], columns: Mapping[str, int | None], column_count: int
) -> dict[str, str]:
    """Return the cell of each field; raise FormatError if there are more cells than columns."""
    if any(cell.strip() for cell in cells[column_count:]):
        raise FormatError(
            path,
            Message(
                "{count} cells, expected {columns} as in the header; put quotes around a cell "
                'that contains the separator, such as "1,2"',
                key="too-many-cells",
                count=len(cells),
                columns=column_count,
            ),
            line,
        )
    return {
        field: cells[column].strip() if column is not None and column < len(cells) else ""
        for field, column in columns.items()
    }


def _parse_candidate(path: Path, line: int, row: dict[str, str]) -> Candidate:
    if row["most"] and not (
        row["most"].isascii() and row["most"].isdigit() and len(row["most"]) < 10
    ):
        raise FormatError(
            path,
            Message(
                "{value!r} is not a valid number of documents",
                key="invalid-number",
                value=row["most"],
            ),
            line,
        )
    if not row["name"]:
        raise FormatError(path, Message("the name is empty", key="empty-name"), line)
    topics = frozenset(filter(None, re.split(r"[\s,;，；、]+", row["topics"]))) or None
    return Candidate(row["name"], row["email"], topics, int(row["most"]) if row["most"] else None)


def check_candidates(candidates: list[Candidate], location: str) -> list[Candidate]:
    """Return the assessors; raise an error if a name is invalid, repeated or reserved."""
    if not candidates:
        raise IrjudgeError("{location} contains no assessor.", key="no-assessor", location=location)
    for name, count in Counter(candidate.name for candidate in candidates).items():
        if len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
            raise IrjudgeError(
                "{location}: {name!r} is not a valid name; names must have at most {limit} "
                "characters, all of them visible.",
                key="invalid-name",
                location=location,
                name=name[:MAX_NAME_CHARACTERS],
                limit=MAX_NAME_CHARACTERS,
            )
        if name == OWNER_KEY:
            raise IrjudgeError(
                "{location}: {name!r} is reserved for a project owner without a name. "
                "Choose another name.",
                key="reserved-name",
                location=location,
                name=OWNER_KEY,
            )
        if count > 1:
            raise IrjudgeError(
                "{location} contains {name} twice; names must be unique.",
                key="repeated-name",
                location=location,
                name=name,
            )
    return candidates

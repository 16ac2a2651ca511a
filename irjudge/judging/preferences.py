"""Comparisons: rules, queue, and current preferences."""

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain

from irjudge.errors import ProjectError
from irjudge.judging.counted_assessors import find_uncounted_assessors
from irjudge.judging.ledger import Ledger, get_ledger
from irjudge.model import (
    OUTCOMES,
    AssignedItem,
    Assignment,
    ComparisonRules,
    Event,
    ItemKey,
    ItemType,
    Preferences,
    make_preferences,
)
from irjudge.stats import TopSearch
from irjudge.store import COMPARISON_RULES, Project


def iter_preferences(project: Project, type_: str) -> Iterator[Event]:
    """Yield the preferences that count and are on items of one type (`pair` or `panel`).

    The preferences are grouped by assessor; those of an assessor are in the order of the first
    actions on the items. A preference is omitted if the assessor is excluded or outside the counted
    group, if the assessor is the owner and assigned comparisons to others, or if it is a late
    judgment in a session. If a participant has several ids, one preference per question is yielded.
    """
    first_ids, counted_questions = project.sessions.first_ids(), set()
    for assessor in sorted(_list_counted_assessors(project), key=lambda name: name in first_ids):
        late_pairs, first_id = (
            project.sessions.late_items(assessor),
            first_ids.get(assessor, assessor),
        )
        events = (
            event
            for event in get_ledger(project, assessor).judgments()
            if event.kind == "preference" and event.item.type == type_
        )
        counted_events = [
            event for event in events if (event.item.topic, event.item.documents) not in late_pairs
        ]
        yield from (
            event
            for event in counted_events
            if (first_id, _get_compared_lists(event)) not in counted_questions
        )
        counted_questions |= (
            {(first_id, _get_compared_lists(event)) for event in counted_events}
            if first_id in first_ids.values()
            else set()
        )


def _get_compared_lists(event: Event) -> tuple[str, frozenset[tuple[str, ...]]]:
    """Return the topic and the two compared lists, as a set that does not depend on the sides."""
    sizes = event.payload.get("sizes")
    first_size = (
        int(sizes[0])
        if isinstance(sizes, (list, tuple)) and sizes
        else len(event.item.documents) // 2
    )
    return event.item.topic, frozenset(
        (event.item.documents[:first_size], event.item.documents[first_size:])
    )


def _list_counted_assessors(project: Project) -> list[str]:
    uncounted_assessors = find_uncounted_assessors(project)
    uncounted_assessors |= {
        other_id
        for other_id, first_id in project.sessions.first_ids().items()
        if first_id in uncounted_assessors
    }
    comparing_assessors = {
        assignment.assessor
        for assignment in project.assignments.all()
        if assignment.mode == "side-by-side"
    }
    if comparing_assessors - {project.owner}:
        uncounted_assessors.add(project.owner)
    return [name for name in project.events.assessors() if name not in uncounted_assessors]


def map_sides_to_runs(project: Project) -> dict[str, str]:
    """Return the run of each list in panels, by opaque id; empty in an assignment file."""
    run_by_side: dict[str, str] = {}
    for assignment in project.assignments.all():
        if assignment.mode == "side-by-side":
            for item, note in project.assignments.items_with_notes(assignment.code):
                runs = (note.left_run, note.right_run)
                run_by_side.update(
                    (side, run) for side, run in zip(item.sides, runs, strict=False) if run
                )
    return run_by_side


def read_project_preferences(
    project: Project, runs: Mapping[str, str] | None = None
) -> Preferences:
    """Return the preferences that count in a project, between documents or between runs.

    `runs` is the result of `map_sides_to_runs`; None to read preferences between documents.
    """
    events = list(iter_preferences(project, "pair" if runs is None else "panel"))
    if not events:
        raise ProjectError(
            "There are no preferences: nothing has been compared yet.", key="no-preferences"
        )
    compared_names = [_get_compared_names(event, runs) for event in events]
    first_ids = project.sessions.first_ids()
    active_times = [event.payload.get("active_ms") for event in events]
    return make_preferences(
        [left_name for left_name, _ in compared_names],
        [right_name for _, right_name in compared_names],
        [_parse_outcome(event) for event in events],
        strength=[
            min(2, max(0, int(event.payload.get("strength", 1)))) if _parse_outcome(event) else 0
            for event in events
        ],
        topic=[event.item.topic for event in events],
        assessor=[first_ids.get(event.assessor, event.assessor) for event in events],
        seconds=[
            float("nan") if milliseconds is None else float(milliseconds) / 1000
            for milliseconds in active_times
        ],
        documents=runs is None,
    )


def _get_compared_names(event: Event, runs: Mapping[str, str] | None) -> tuple[str, str]:
    """Return the two compared documents or runs, left first."""
    names = event.item.documents if runs is None else event.payload.get("sides")
    if not isinstance(names, (list, tuple)) or len(names) != 2:
        raise ProjectError(
            "Cannot read a preference of {assessor} for topic {topic}: it must compare "
            "exactly two items.",
            assessor=event.assessor,
            topic=event.item.topic,
        )
    if runs is None:
        return str(names[0]), str(names[1])
    for side in names:
        if side not in runs:
            raise ProjectError(
                "The project does not record which run is on side {side} of a comparison.",
                side=side,
            )
    left_run, right_run = runs[names[0]], runs[names[1]]
    if left_run == right_run:
        raise ProjectError(
            "Cannot read a preference of {assessor} for topic {topic}: both sides are the run "
            "{run}.",
            assessor=event.assessor,
            topic=event.item.topic,
            run=left_run,
        )
    return left_run, right_run


def _parse_outcome(event: Event) -> int:
    winner = event.payload.get("winner")
    if winner not in OUTCOMES:
        raise ProjectError(
            "Cannot read a preference of {assessor} for topic {topic}: its winner is "
            "{winner!r}; expected left, right or tie.",
            assessor=event.assessor,
            topic=event.item.topic,
            winner=winner,
        )
    return OUTCOMES[winner]


# Comparison items and their order

DEFAULT_RULES = ComparisonRules()


@dataclass(frozen=True, slots=True)
class ComparisonItem:
    """Item of a comparison: two lists of documents, left and right as presented."""

    topic: str  # topic id
    type: ItemType  # `pair` (one document on each side) or `panel`
    left: tuple[str, ...]  # ids of the left list, in the order shown
    right: tuple[str, ...]  # ids of the right list, in the order shown
    sides: tuple[str, ...] = ()  # opaque ids of the two lists of a panel; empty for a pair
    occurrence: int = 1  # number of the presentation of these lists on these sides
    # rules of the assignment
    rules: ComparisonRules = field(default=DEFAULT_RULES, compare=False)

    @property
    def documents(self) -> tuple[str, ...]:
        """All documents of the item; those of the left list come first."""
        return self.left + self.right

    @property
    def key(self) -> ItemKey:
        """Key of the item in the ledger."""
        return (self.topic, self.documents, self.occurrence)

    @property
    def identical(self) -> bool:
        """Whether both lists are identical, so that there is nothing to compare."""
        return self.left == self.right

    @property
    def is_searched(self) -> bool:
        """Whether the item is a pair in a search for the best documents of its topic."""
        return self.type == "pair" and self.rules.top > 0


def read_comparison_items(
    project: Project, assignments: Iterable[Assignment]
) -> list[ComparisonItem]:
    """Return the comparison items of an assessor's assignments, each item with its rules.

    If lists are presented again in another assignment, the number of the presentation increases.
    """
    presentations = Counter[tuple[str, str, tuple[str, ...]]]()
    return [
        item
        for assignment in assignments
        for item in _number_items(
            project.assignments.items(assignment.code),
            read_comparison_rules(project, assignment),
            presentations,
        )
    ]


def list_comparison_items(
    items: Iterable[AssignedItem], rules: ComparisonRules = DEFAULT_RULES
) -> list[ComparisonItem]:
    """Return a comparison item for each assigned pair or panel, in the order of assignment."""
    return _number_items(items, rules, Counter())


def _number_items(
    items: Iterable[AssignedItem],
    rules: ComparisonRules,
    presentations: Counter[tuple[str, str, tuple[str, ...]]],
) -> list[ComparisonItem]:
    """Return comparison items; `presentations` counts earlier presentations and is updated."""
    comparisons = []
    for item in items:
        if item.type != "document" and len(item.lists) == 2:
            presentation = (item.type, item.topic, item.documents)
            presentations[presentation] += 1
            comparisons.append(
                ComparisonItem(
                    item.topic,
                    item.type,
                    *item.lists,
                    sides=item.sides,
                    occurrence=presentations[presentation],
                    rules=rules,
                )
            )
    return comparisons


class ComparisonQueue:
    """Queue of the items that an assessor is to compare, in the order of assignment.

    Pairs in a search for the best documents of a topic follow the other items; the answers
    determine the next pair. If several assignments search in a topic, there is one search, for the
    number of documents in the newest assignment.
    """

    def __init__(self, presentations: Sequence[ComparisonItem]) -> None:
        self.all = tuple(presentations)
        self._indices = {item: index for index, item in enumerate(self.all)}
        self._items_by_topic: dict[str, list[ComparisonItem]] = defaultdict(list)
        self._items_by_key = {item.key: item for item in self.all}
        searched_items: dict[str, list[ComparisonItem]] = defaultdict(list)
        for item in self.all:
            self._items_by_topic[item.topic].append(item)
            if item.is_searched:
                searched_items[item.topic].append(item)
        self._searches = {
            topic: _BestDocumentSearch(topic_items, topic_items[-1].rules.top)
            for topic, topic_items in searched_items.items()
        }
        self._listed_indices = [
            index for index, item in enumerate(self.all) if not item.is_searched
        ]
        self._judged_counts: dict[str, int] = {}
        self._sizes: dict[str, int] = {}

    def forget(self, topic: str) -> None:
        """Discard the cached counts and next question of a topic, which a new event may change."""
        self._judged_counts.pop(topic, None)
        self._sizes.pop(topic, None)
        if topic in self._searches:
            self._searches[topic].forget()

    @property
    def topics(self) -> tuple[str, ...]:
        """Topics with items to compare, in the order of their first items."""
        return tuple(self._items_by_topic)

    def list_topic_items(self, topic: str) -> tuple[ComparisonItem, ...]:
        """Return the items of a topic, in the order of assignment."""
        return tuple(self._items_by_topic.get(topic, ()))

    def find_item(self, event: Event) -> ComparisonItem | None:
        """Return the item of an event; None if it is not in the queue."""
        item = self._items_by_key.get(event.item.key)
        return item if item is not None and item.type == event.item.type else None

    def __contains__(self, item: ComparisonItem) -> bool:
        return item in self._indices

    def count_judged(self, ledger: Ledger, topic: str | None = None) -> int:
        """Return the number of judged items, in a topic or in all topics."""
        if topic is None:
            return sum(self.count_judged(ledger, queue_topic) for queue_topic in self.topics)
        if topic not in self._judged_counts:
            self._judged_counts[topic] = sum(
                ledger.judgment(item.key) is not None
                for item in self._items_by_topic.get(topic, ())
            )
        return self._judged_counts[topic]

    def size(self, ledger: Ledger, topic: str | None = None) -> int:
        """Return the number of items, in a topic or in all topics, including judged items.

        In a search for the best documents, the number is an estimate.
        """
        topics = self.topics if topic is None else (topic,)
        return sum(self._size_of_topic(ledger, queue_topic) for queue_topic in topics)

    def _size_of_topic(self, ledger: Ledger, topic: str) -> int:
        items = self._items_by_topic.get(topic, ())
        if topic not in self._searches:
            return len(items)
        if topic not in self._sizes:
            is_counted = (
                not item.is_searched or ledger.judgment(item.key) is not None for item in items
            )
            self._sizes[topic] = sum(is_counted) + self._searches[topic].count_remaining(ledger)
        return self._sizes[topic]

    def find_next(
        self, ledger: Ledger, current_item: ComparisonItem | None, *, include_skipped: bool = False
    ) -> ComparisonItem | None:
        """Return the next unjudged item; None if there is none.

        This is the next unjudged item after `current_item` or, if there is none, the first one. If
        only searches for the best documents are left, it is the next question of a search. Skipped
        items are returned only with `include_skipped`.
        """
        current_index = self._indices.get(current_item, -1) if current_item else -1
        start = bisect_right(self._listed_indices, current_index)
        next_item = next(
            (
                item
                for index in chain(self._listed_indices[start:], self._listed_indices[:start])
                if ledger.judgment((item := self.all[index]).key) is None
                and (include_skipped or not ledger.is_skipped(item.key))
            ),
            None,
        )
        return next_item or self._find_next_question(
            ledger, current_item, include_skipped=include_skipped
        )

    def _find_next_question(
        self, ledger: Ledger, current_item: ComparisonItem | None, *, include_skipped: bool
    ) -> ComparisonItem | None:
        topics = tuple(self._searches)
        start = (
            topics.index(current_item.topic)
            if current_item is not None and current_item.topic in topics
            else 0
        )
        for topic in topics[start:] + topics[:start]:
            item = self._searches[topic].find_next(ledger)
            if item is not None and (include_skipped or not ledger.is_skipped(item.key)):
                return item
        return None


class _BestDocumentSearch:
    """Search for the best documents of a topic; the answers determine the next question."""

    def __init__(self, presentations: Sequence[ComparisonItem], best_count: int) -> None:
        self._presentations, self._best_count = presentations, best_count
        names = sorted({document for item in presentations for document in item.documents})
        self._code_by_name = {name: index for index, name in enumerate(names)}
        self._items_by_codes = {frozenset(self._get_codes(item)): item for item in presentations}
        self._seed = int.from_bytes(
            blake2b("\0".join(names).encode(), digest_size=8).digest(), "big"
        )
        self._next_item: tuple[ComparisonItem | None, int] | None = None

    def _get_codes(self, item: ComparisonItem) -> tuple[int, int]:
        return self._code_by_name[item.left[0]], self._code_by_name[item.right[0]]

    def forget(self) -> None:
        """Discard the cached next question; call it when an answer has changed."""
        self._next_item = None

    def find_next(self, ledger: Ledger) -> ComparisonItem | None:
        """Return the next pair to compare; None when the best documents are known."""
        return self._find_next(ledger)[0]

    def count_remaining(self, ledger: Ledger) -> int:
        """Return the expected number of remaining questions.

        This is the number of questions of a tournament without ties, minus the number of questions
        already asked. The result is at least 1 unless the search is complete.
        """
        return self._find_next(ledger)[1]

    def _find_next(self, ledger: Ledger) -> tuple[ComparisonItem | None, int]:
        if self._next_item is None:
            search = self._replay_answers(ledger)
            asked_questions, pair = search.answer_count, search.next_pair()
            while pair is not None and frozenset(pair) not in self._items_by_codes:
                search.answer(*pair, 0)  # a pair that was not assigned counts as a tie
                pair = search.next_pair()
            added_questions = (self._best_count - 1) * max(
                1, (len(self._code_by_name) - 1).bit_length()
            )
            expected_questions = len(self._code_by_name) - 1 + added_questions
            self._next_item = (
                (None, 0)
                if pair is None
                else (
                    self._items_by_codes[frozenset(pair)],
                    max(1, expected_questions - asked_questions),
                )
            )
        return self._next_item

    def _replay_answers(self, ledger: Ledger) -> TopSearch:
        search = TopSearch(len(self._code_by_name), self._best_count, seed=self._seed)
        for item in self._presentations:
            event = ledger.judgment(item.key)
            if event is not None:
                search.answer(
                    *self._get_codes(item), OUTCOMES.get(str(event.payload.get("winner")), 0)
                )
        return search


def has_comparisons(project: Project, assessor: str | None = None) -> bool:
    """Return whether comparisons are assigned to an assessor, by default the owner."""
    return bool(list_comparisons(project, assessor or project.owner))


def list_comparisons(project: Project, assessor: str) -> list[Assignment]:
    """Return the comparisons assigned to an assessor and not withdrawn, oldest first."""
    assignments = project.assignments.all()
    return [
        assignment
        for assignment in assignments
        if assignment.assessor == assessor
        and assignment.mode == "side-by-side"
        and not assignment.withdrawn
    ]


def read_comparison_rules(project: Project, assignment: Assignment) -> ComparisonRules:
    """Return the rules of a comparison.

    The rules are read from an assignment file or, in the organiser's project, from the options of
    the round.
    """
    try:
        stored_rules = project.get_setting(COMPARISON_RULES)
        if stored_rules is not None:
            return ComparisonRules.parse(stored_rules)
        rules = next(
            (
                assignment_round.options
                for assignment_round in project.assignments.rounds()
                if assignment_round.number == assignment.round
            ),
            {},
        )
        return ComparisonRules.read(rules.get(COMPARISON_RULES) or {})
    except (ValueError, TypeError, AttributeError) as error:
        raise ProjectError(
            "Cannot read the comparison rules in {file} ({error}).",
            file=project.path.name,
            error=error,
        ) from error

"""Votes of assessors, consensus grades, adjudication, and relevance from votes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.judging.assignable_documents import (
    GOLD_FROM,
    GOLD_ROLES,
    GoldGrades,
    list_calibration,
    list_unassigned,
    read_gold,
    read_pool_pairs,
)
from irjudge.judging.counted_assessors import (
    find_nonvoting_assessors,
    find_uncounted_assessors,
    list_counted_assessors,
    read_counted_group,
)
from irjudge.judging.ledger import JUDGMENTS, Ledger, get_ledger, list_grades_in_force
from irjudge.judging.model_judgments import SHOWN_MODELS_KEY, list_models_shown
from irjudge.judging.norming import is_rejudgment, read_norming
from irjudge.judging.recorder import Recorder
from irjudge.judging.sources import list_pool_pairs
from irjudge.message import Message, join_messages
from irjudge.model import (
    UNJUDGEABLE,
    Document,
    Event,
    Floats,
    Item,
    Labels,
    NameCoder,
    Pair,
    active_ms,
    topic_of_each_row,
    utc_now,
)
from irjudge.progress import SILENT, Progress
from irjudge.stats.consensus import (
    CONSENSUS_RULES,
    UNJUDGEABLE_WORD,
    Consensus,
    DisputedItem,
    FitOptions,
    RuleSettings,
    adjudication_queue,
    consensus,
    consensus_by_methods,
    find_rule,
)
from irjudge.store import ENDED, Project, StoredSession

OTHER_GRADE = Message("the grade is no longer on the scale", key="other-grade")
OTHER_TEXT = Message("the text of the document in the project has changed", key="other-text")


def project_labels(
    project: Project,
    *,
    excluded: Collection[str] = (),
    repeats: bool = False,
    gold: GoldGrades | None = None,
    progress: Progress = SILENT,
) -> Labels:
    """Return the current judgment of each assessor for each document.

    With `repeats`, judgments of repeated presentations are included. Judgments of another version
    of the text, or with a grade that is not on the scale, are omitted and counted in the warnings.
    Unpooled calibration documents are also omitted. A participant with several ids is one
    assessor, named by the main id.
    """
    items, workers = NameCoder(), NameCoder()
    pairs: list[Pair] = []
    rows: list[tuple[int, int, int, float, bool]] = []
    assigned_gold: list[bool] = []
    gold_items = gold.assigned_pairs if gold else frozenset()
    uncounted_pairs = list_unpooled_calibration(project)
    omitted_counts: Counter[str] = Counter()
    for assessor, event, pair, label in _iter_labelled_judgments(
        project, excluded, omitted_counts, repeats=repeats, progress=progress
    ):
        if pair in uncounted_pairs:
            continue
        item = items("\t".join(pair))
        pairs += [pair] if item == len(pairs) else []
        seconds = active_ms(event) / 1000 or np.nan
        rows.append((item, workers(assessor), label, seconds, _is_repeat(event)))
        assigned_gold.append((assessor, pair) in gold_items)
    sizes = project.collection.lengths(list(dict.fromkeys(document for _, document in pairs)))
    labels = replace(
        _make_labels(project, workers.names, tuple(pairs), rows),
        warnings=tuple(_make_exclusion_message(*item) for item in omitted_counts.items()),
        sizes=np.array([sizes.get(document, np.nan) for _, document in pairs], dtype=np.float64),
    )
    judged_pairs = set(pairs)
    gold_grades = gold.answers if gold else {}
    judged_gold = {
        pair: str(gold_grade) for pair, gold_grade in gold_grades.items() if pair in judged_pairs
    }
    if not judged_gold:
        return labels
    return replace(
        labels.with_gold(judged_gold),
        assigned_gold=np.array(assigned_gold, dtype=bool) if gold_items else None,
    )


def _iter_labelled_judgments(
    project: Project,
    excluded: Collection[str],
    omitted_counts: Counter[str],
    *,
    repeats: bool,
    progress: Progress,
) -> Iterator[tuple[str, Event, Pair, int]]:
    """Yield the main id of the assessor, the event, the pair and the label of each judgment.

    The label is the index of the grade on the scale, or -2 for an unjudgeable document. Judgments
    of another text, or with another grade, are omitted and counted in `omitted_counts`.
    """
    grade_codes = {value: index for index, value in enumerate(project.scale.values)}
    first_ids = project.sessions.first_ids()
    main_ids = frozenset(first_ids.values())
    assessors = sorted(
        set(project.events.assessors()) - set(excluded), key=lambda name: (name in first_ids, name)
    )
    counted_judgments: set[tuple[str, Pair, int]] = set()
    for name in progress.track(
        assessors, Message("Reading judgments"), total=len(assessors), every=1
    ):
        main_id = first_ids.get(name, name)
        if main_id in excluded:
            continue
        for event, pair, is_current in iter_judgments(project, name, repeats=repeats):
            judgment_key = main_id, pair, event.item.occurrence if _is_repeat(event) else 1
            if judgment_key in counted_judgments:
                continue  # the participant also judged the pair under the main id
            label = (
                UNJUDGEABLE
                if event.kind == "unjudgeable"
                else grade_codes.get(int(event.payload["value"]))
            )
            if label is None or not is_current:
                omitted_counts[OTHER_GRADE if label is None else OTHER_TEXT] += 1
                continue
            if main_id in main_ids:
                counted_judgments.add(judgment_key)
            yield main_id, event, pair, label


def _is_repeat(event: Event) -> bool:
    return event.item.occurrence > 1 and not is_rejudgment(event)


def _make_exclusion_message(reason: str, count: int) -> str:
    if count == 1:
        return Message("1 judgment skipped: {reason}.", reason=reason)
    return Message("{count:,} judgments skipped: {reason}.", count=count, reason=reason)


def iter_judgments(
    project: Project, assessor: str, *, repeats: bool = False
) -> Iterator[tuple[Event, Pair, bool]]:
    """Yield each current judgment, its pair, and whether the document still has the same text.

    Repeated presentations are included only with `repeats`. If a document was judged in several
    norming rounds, only the first judgment is yielded, since it was made before any discussion.
    """
    grades_in_force = list_grades_in_force(project, assessor)
    first_occurrences: dict[Pair, int] = {}  # of judgments that are no repeats
    for event in grades_in_force:
        if event.item.occurrence == 1 or is_rejudgment(event):
            pair = event.item.topic, event.item.documents[0]
            occurrence = first_occurrences.get(pair, event.item.occurrence)
            first_occurrences[pair] = min(occurrence, event.item.occurrence)
    events = [
        event
        for event in grades_in_force
        if event.item.occurrence
        == first_occurrences.get((event.item.topic, event.item.documents[0]))
        or (repeats and not is_rejudgment(event))
    ]
    current_digests = project.collection.digests(
        list(dict.fromkeys(event.item.documents[0] for event in events))
    )
    for event in events:
        document, content = event.item.documents[0], event.item.contents[0]
        yield (
            event,
            (event.item.topic, document),
            content in ("", current_digests.get(document, "")),
        )


def list_unpooled_calibration(project: Project) -> set[Pair]:
    """Return the calibration documents that are not pooled."""
    calibration = {
        (topic, document) for topic, grades in project.calibration.items() for document in grades
    }
    pool = project.rankings.pool() if calibration else None
    return calibration.difference(list_pool_pairs(pool))


def _make_labels(
    project: Project,
    workers: tuple[str, ...],
    pairs: tuple[Pair, ...],
    rows: list[tuple[int, int, int, float, bool]],
) -> Labels:
    item, assessor, label, seconds, is_repeat = (
        (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [], [])
    )
    return Labels(
        items=tuple(map(" ".join, pairs)),
        workers=workers,
        scale=tuple(map(str, project.scale.values)),
        values=np.array(project.scale.values, dtype=np.float64),
        item=np.array(item, dtype=np.int32),
        worker=np.array(assessor, dtype=np.int32),
        label=np.array(label, dtype=np.int32),
        pairs=pairs,
        seconds=np.array(seconds, dtype=np.float64)
        if rows and np.isfinite(seconds).any()
        else None,
        is_repeat=np.array(is_repeat, dtype=bool) if any(is_repeat) else None,
    )


# Consensus. Adjudicated grades take precedence over grades computed by the rule.

SETTING, DEFAULT_CONSENSUS_METHOD = "consensus", "majority"
LEARNING_ORDER = "learning"  # order of a session in which active learning selects the documents
TEST_ROLES = GOLD_ROLES | {"calibration"}  # roles of documents whose purpose is to test assessors
# rules by which the votes on a document affect only the grade of this document
ITEMWISE_RULES = frozenset({"majority", "lower-median"})


def read_consensus_method(project: Project) -> str:
    """Return the name of a project's consensus rule; by default `majority`."""
    stored_name = project.get_setting(SETTING)
    return (
        stored_name if stored_name and stored_name in CONSENSUS_RULES else DEFAULT_CONSENSUS_METHOD
    )


def set_consensus_method(project: Project, name: str) -> str:
    """Set the consensus rule of a project, and return the rule's canonical name."""
    rule = find_rule(name)
    if rule.is_real_valued:
        integer_rules = ", ".join(
            rule.name for rule in CONSENSUS_RULES.values() if not rule.is_real_valued
        )
        raise IrjudgeError(
            "Grades in qrels must be whole numbers, which the rule “{rule}” does not produce. "
            "Choose one of {rules}.",
            key="fractional-grades",
            rule=Message(rule.title),
            rules=integer_rules,
        )
    project.set_setting(SETTING, rule.name)
    return rule.name


def build_vote_labels(
    project: Project, progress: Progress = SILENT, *, excluded: Collection[str] = ()
) -> Labels:
    """Return the votes from which the consensus is computed.

    These are the judgments of assessors whose judgments count and who are not in `excluded`.
    Judgments of unpooled documents that were assigned as gold, qualification or calibration items
    are not votes, but the items are included.
    """
    if excluded:
        return _make_vote_labels(project, progress, excluded=excluded)
    return project.compute_cached(_make_vote_labels, progress)


def _make_vote_labels(
    project: Project, progress: Progress, *, excluded: Collection[str] = ()
) -> Labels:
    uncounted_assessors = {
        *excluded,
        *(set(project.events.assessors()) - set(list_counted_assessors(project))),
    }
    labels = project_labels(project, excluded=uncounted_assessors, progress=progress)
    test_pairs = list_test_pairs(project)
    if not test_pairs or labels.pairs is None:
        return labels
    is_vote = np.array([pair not in test_pairs for pair in labels.pairs], dtype=bool)
    return labels.where(is_vote[labels.item])


def list_test_pairs(project: Project) -> set[Pair]:
    """Return the unpooled pairs that were assigned in order to test assessors."""
    test_pairs = {
        (item.topic, item.documents[0])
        for assignment in project.assignments.all()
        for item, secret in project.assignments.items_with_notes(assignment.code)
        if secret.role in TEST_ROLES
    }
    pool = project.rankings.pool() if test_pairs else None
    return test_pairs.difference(list_pool_pairs(pool))


def encode_adjudications(project: Project, labels: Labels) -> dict[int, int]:
    """Return the adjudicated grades of items in `labels`, by item code.

    Only valid adjudications are included. A grade is encoded as its index on the scale, or as
    `UNJUDGEABLE`.
    """
    adjudications = read_valid_adjudications(project)
    grade_codes = {value: index for index, value in enumerate(project.scale.values)}
    return {
        item: grade_codes.get(adjudications[pair].grade, UNJUDGEABLE)
        for item, pair in enumerate(labels.pairs or ())
        if pair in adjudications
    }


def compute_consensus(
    project: Project,
    method: str | None = None,
    progress: Progress = SILENT,
    *,
    labels: Labels | None = None,
    settings: RuleSettings | None = None,
) -> Consensus:
    """Return the consensus by a rule, with the adjudicated grades.

    By default, the rule is that of the project, and the labels are those of `build_vote_labels`.
    """
    votes = build_vote_labels(project, progress) if labels is None else labels
    settings = settings or RuleSettings(fitting=FitOptions(progress=progress))
    return consensus(
        votes,
        method or read_consensus_method(project),
        settings,
        adjudicated_grades=encode_adjudications(project, votes),
    )


def compute_consensus_grades(
    project: Project, consensus: Consensus | None = None
) -> dict[Pair, int]:
    """Return the grade of each pair in a consensus; the default is that of `compute_consensus`.

    An unjudgeable document has the grade -2. Adjudicated documents without votes are included. The
    result is empty if there are neither votes nor adjudications.
    """
    consensus = consensus or compute_consensus(project)
    grades = (
        {(topic, document): grade for topic, document, grade in consensus.qrels_rows()}
        if len(consensus.labels.items)
        else {}
    )
    return grades | {
        pair: decision.grade for pair, decision in read_valid_adjudications(project).items()
    }


def grades_by_assessor(labels: Labels) -> dict[str, dict[Pair, int]]:
    """Return, for each assessor, the grade of each pair in the labels; -2 if unjudgeable."""
    latest = labels.latest()
    pairs: Sequence[Pair] = latest.pairs or ()
    scale_values = [*map(int, latest.scale)]
    grades: dict[str, dict[Pair, int]] = {name: {} for name in latest.workers}
    for item, assessor, label in zip(
        latest.item.tolist(), latest.worker.tolist(), latest.label.tolist(), strict=True
    ):
        grades[latest.workers[assessor]][pairs[item]] = (
            scale_values[label] if label >= 0 else UNJUDGEABLE
        )
    return grades


# Outstanding judgments


def count_outstanding(project: Project) -> Counter[Pair]:
    """Return, for each pair, the number of outstanding judgments that will count.

    For open sessions, every judgment that is still needed is counted, assigned or not. Judgments in
    withdrawn assignments and ended sessions, of assessors without a vote, of repeats, and of
    documents used only to test assessors are not counted.
    """
    nonvoting_assessors, test_pairs = find_nonvoting_assessors(project), list_test_pairs(project)
    session_assignments = {
        participant.assignment for participant in project.sessions.participants()
    }
    assigned_pairs: dict[str, dict[Pair, None]] = {}
    for assignment in project.assignments.all():
        if (
            assignment.mode == "grade"
            and not assignment.withdrawn
            and assignment.assessor not in nonvoting_assessors
            and assignment.code not in session_assignments
        ):
            assigned_pairs.setdefault(assignment.assessor, {}).update(
                dict.fromkeys(_list_assigned_documents(project, assignment.code))
            )
    outstanding_counts = Counter(
        pair
        for name, pairs in assigned_pairs.items()
        for pair in pairs
        if not _is_judged(project, name, pair)
    )
    outstanding_counts += count_outstanding_in_sessions(project)
    return Counter(
        {pair: count for pair, count in outstanding_counts.items() if pair not in test_pairs}
    )


def count_outstanding_in_sessions(project: Project) -> Counter[Pair]:
    """Return the number of judgments of each pair that open sessions still need."""
    nonvoting_assessors, outstanding_counts = find_nonvoting_assessors(project), Counter[Pair]()
    for session in _list_open_sessions(project):
        outstanding_counts += _count_session_outstanding(project, session, nonvoting_assessors)
    return outstanding_counts


def list_session_participants(project: Project) -> tuple[str, ...]:
    """Return the ids of participants who have a vote and belong to an open session."""
    nonvoting_assessors = find_nonvoting_assessors(project)
    participants = (
        participant.id
        for session in _list_open_sessions(project)
        for participant in project.sessions.participants(session.code)
    )
    return tuple(id for id in participants if id not in nonvoting_assessors)


def find_changeable_pairs(project: Project) -> set[Pair]:
    """Return the pairs whose consensus grade can still be changed by outstanding judgments.

    These are the pairs with outstanding judgments, and pairs that an open session shows to every
    participant. If the rule models assessors, every pair with a vote can change. Adjudicated
    pairs cannot change.
    """
    outstanding_pairs = set(count_outstanding(project)).union(
        *(_list_pairs_for_all(project, session) for session in _list_open_sessions(project))
    )
    if outstanding_pairs and read_consensus_method(project) not in ITEMWISE_RULES:
        outstanding_pairs |= set(compute_consensus_grades(project))
    return outstanding_pairs - set(read_valid_adjudications(project))


def _list_assigned_documents(project: Project, assignment: int) -> list[Pair]:
    return [
        (item.topic, item.documents[0])
        for item in project.assignments.items(assignment)
        if item.type == "document"
    ]


def _is_judged(project: Project, assessor: str, pair: Pair) -> bool:
    topic, document = pair
    event = get_ledger(project, assessor).judgment((topic, (document,), 1))
    return event is not None and event.kind in JUDGMENTS


def _list_open_sessions(project: Project) -> list[StoredSession]:
    """Return the grading sessions that have not ended; empty if their judgments do not count."""
    includes_sessions = read_counted_group(project) != "others"
    return [
        session
        for session in project.sessions.all()
        if includes_sessions and session.state != ENDED and session.mode == "grade"
    ]


def _count_session_outstanding(
    project: Project, session: StoredSession, nonvoting_assessors: Collection[str]
) -> Counter[Pair]:
    """Return the number of outstanding judgments of each pair in a session.

    Unjudged assigned pairs are included even if the session does not need them.
    """
    assessors_by_pair: dict[Pair, set[str]] = {}
    unjudged_pairs: set[tuple[Pair, str]] = set()
    first_ids = project.sessions.first_ids()
    for participant in project.sessions.participants(session.code):
        first_id, late_pairs = (
            first_ids.get(participant.id, participant.id),
            project.sessions.late_items(participant.id),
        )
        for pair in (
            _list_assigned_documents(project, participant.assignment)
            if not {first_id, participant.id} & set(nonvoting_assessors)
            else ()
        ):
            if not _is_judged(project, participant.id, pair):
                unjudged_pairs.add((pair, first_id))
            elif (pair[0], (pair[1],)) not in late_pairs:
                assessors_by_pair.setdefault(pair, set()).add(first_id)
    topics, overlap = _read_topics_and_overlap(session)
    session_pairs = _list_session_pairs(project, session, topics) - _list_norming_pairs(session)
    if _is_norming(session):
        session_pairs = set()  # during norming, no pooled documents are judged yet
    missing_counts = {
        pair: overlap - len(assessors_by_pair.get(pair, ())) for pair in session_pairs
    }
    return +Counter(missing_counts) + Counter(
        pair
        for pair, assessor in unjudged_pairs
        if pair not in session_pairs and assessor not in assessors_by_pair.get(pair, ())
    )


def _read_topics_and_overlap(session: StoredSession) -> tuple[tuple[str, ...], int]:
    """Return the topics of a session and the number of judgments per pair.

    If the result has no topics, the session includes all topics.
    """
    try:
        return tuple(session.terms["topics"]), int(session.terms["terms"]["overlap"])
    except (LookupError, TypeError, ValueError, ArithmeticError) as error:
        problem = "Cannot read the options of session {code} ({error!r}); run `irjudge verify` for details."
        raise ProjectError(problem, code=session.code, error=error) from error


def _list_session_pairs(
    project: Project, session: StoredSession, topics: Collection[str]
) -> set[Pair]:
    """Return the pairs for which a session needs `overlap` judgments (an option of the session)."""
    # with active learning, only the documents that were already selected are known
    if session.terms.get("terms", {}).get("order") == LEARNING_ORDER:
        return {
            pair
            for participant in project.sessions.participants(session.code)
            for pair in _list_assigned_documents(project, participant.assignment)
        }
    if not project.rankings.pool_version():
        return set()
    pool = list_unassigned(
        project, ignored_round=session.round, include_assigned=session.assigns_again
    )[0]
    calibration = list_calibration(project)
    return {
        (topic, document)
        for topic in topics or pool
        for document in pool.get(topic, ())
        if document not in calibration.get(topic, ())
    }


def _list_norming_pairs(session: StoredSession) -> set[Pair]:
    """Return the pairs of norming rounds, which are not assigned again from the pool."""
    norming = read_norming(session)
    return set(norming.pairs) if norming else set()


def _is_norming(session: StoredSession) -> bool:
    norming = read_norming(session)
    return norming is not None and not norming.over


def _list_pairs_for_all(project: Project, session: StoredSession) -> set[Pair]:
    """Return the pairs that are shown to every participant of a session.

    These are pooled calibration documents and gold items, except pairs of `_list_session_pairs`.
    During norming, the documents of the norming rounds are included.
    """
    gold_pairs = {
        (topic, document)
        for topic, documents in list_calibration(project).items()
        for document in documents
    }
    gold_qrels = next(
        (
            assignment_round.options.get(GOLD_FROM)
            for assignment_round in project.assignments.rounds()
            if assignment_round.number == session.round
        ),
        None,
    )
    check_qrels = (session.terms.get("panel") or {}).get("checks")
    for name in filter(None, (gold_qrels, check_qrels)):
        gold_pairs |= {
            (topic, document)
            for topic, documents in read_gold(project, name)[1].items()
            for document in documents
        }
    pooled_pairs = read_pool_pairs(project, project.rankings.pool_version())
    topics, _ = _read_topics_and_overlap(session)
    norming_pairs = _list_norming_pairs(session) if _is_norming(session) else set()
    return norming_pairs | {
        pair
        for pair in gold_pairs - _list_session_pairs(project, session, topics)
        if pair in pooled_pairs and (not topics or pair[0] in topics)
    }


@dataclass(frozen=True, slots=True)
class AdjudicatedGrade:
    """Grade by which the owner of the project adjudicated a pair, with the reason and time.

    Assessors may have agreed on the pair, or none may have judged it. The grade counts only while
    it is on the scale (or is -2) and the document has the text that was shown.
    """

    topic: str  # topic id
    document: str  # document id
    content: str  # SHA-256 (hex) of the text that was shown; empty if unknown
    grade: int  # grade of the scale, or `UNJUDGEABLE`
    why: str  # reason given by the owner; may be empty
    time: str  # UTC, in the format of events
    adjudicator: str = ""  # name of the owner, who adjudicated

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic, self.document


def _to_adjudicated_grade(event: Event) -> AdjudicatedGrade:
    payload: Mapping[str, object] = event.payload
    grade = UNJUDGEABLE if payload.get("unjudgeable") else int(str(payload["value"]))
    return AdjudicatedGrade(
        event.item.topic,
        event.item.documents[0],
        event.item.contents[0],
        grade,
        str(payload.get("why", "")),
        event.time,
        event.assessor,
    )


def find_adjudication(ledger: Ledger, pair: Pair) -> AdjudicatedGrade | None:
    """Return the adjudicated grade of a pair in the owner's ledger; None if there is none."""
    return next(map(_to_adjudicated_grade, ledger.decisions.iter_in_force(pair)), None)


def list_adjudications(ledger: Ledger) -> dict[Pair, AdjudicatedGrade]:
    """Return the current adjudications in a ledger, in the order of the first adjudications."""
    pairs = cast(Iterable[Pair], ledger.decisions.events_by_key)
    return {
        pair: decision
        for pair in pairs
        if (decision := find_adjudication(ledger, pair)) is not None
    }


def read_adjudications(project: Project) -> dict[Pair, AdjudicatedGrade]:
    """Return a project's current adjudications, which are all by the owner."""
    return list_adjudications(get_ledger(project))


def read_valid_adjudications(project: Project) -> dict[Pair, AdjudicatedGrade]:
    """Return the current adjudications that have a valid grade and apply to the current text."""
    adjudications = read_adjudications(project)
    current_digests = project.collection.digests(
        list(dict.fromkeys(document for _, document in adjudications))
    )
    grades = {*project.scale.values, UNJUDGEABLE}
    return {
        pair: adjudication
        for pair, adjudication in adjudications.items()
        if adjudication.grade in grades
        and adjudication.content in ("", current_digests.get(adjudication.document, ""))
    }


def describe_adjudications(decisions: Collection[AdjudicatedGrade], pairs: int) -> str:
    """Return a sentence with the number of adjudicated pairs and the adjudicators."""
    return Message(
        "Pairs adjudicated by {names}: {count:,} of {pairs:,}.",
        names=join_messages(sorted({decision.adjudicator for decision in decisions})),
        count=len(decisions),
        pairs=pairs,
    )


class AdjudicationRecorder(Recorder):
    """Recorder of the adjudications of a project's owner.

    Adjudications are events in the owner's event chain, which also contains the owner's judgments.
    """

    is_adjudicating = True

    def __init__(self, project: Project, *, clock: Callable[[], str] = utc_now) -> None:
        super().__init__(project, clock=clock)

    def decision(self, pair: Pair) -> AdjudicatedGrade | None:
        """Return the adjudicated grade of a pair; None if there is none."""
        return find_adjudication(self.ledger, pair)

    def decide(
        self,
        topic: str,
        document: Document,
        grade: int,
        *,
        reason: str = "",
        active_ms: int = 0,
        source: str = "",
    ) -> Event:
        """Record the adjudicated grade, which may be `UNJUDGEABLE`, of a presented document.

        `source` is how the owner retrieved a document that was not assigned to assessors.
        """
        scale = self._project.scale
        if grade not in (*scale.values, UNJUDGEABLE):
            raise IrjudgeError(
                "Grade {grade} is not on the scale {values}.",
                key="unknown-grade",
                grade=grade,
                values=", ".join(map(str, scale.values)),
            )
        verdict = {"unjudgeable": True} if grade == UNJUDGEABLE else {"value": grade}
        item = Item(topic, (document.id,), (document.digest.hex(),))
        payload: dict[str, object] = {"source": source} if source else {}
        if models := list_models_shown(self._project, self._project.owner, (topic, document.id)):
            payload[SHOWN_MODELS_KEY] = list(models)
        return self._record(
            "adjudicate",
            item,
            {**verdict, "scale": scale.version, "why": reason, "active_ms": active_ms, **payload},
        )

    def follow(self) -> None:
        """Apply events that other processes wrote, such as adjudications from a merged copy."""
        self._chain.follow()


# Disagreements to adjudicate


@dataclass(frozen=True, slots=True)
class Vote:
    """Judgment of one assessor on a document of the adjudication list, as shown to the owner.

    Only a judgment of the current text with a valid grade is a vote. The topic and the document are
    in the `Dispute`.
    """

    assessor: str  # name of the assessor; the main id of a participant
    grade: int  # grade of the scale, or `UNJUDGEABLE`
    reason: str = ""  # why the document is unjudgeable; empty for a grade
    unsure: bool = False
    note: str = ""
    rationales: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleVerdict:
    """Result of one consensus rule for a document of the adjudication list."""

    rule: str  # title of the rule
    grade: str  # grade as text, with two decimals by a real-valued rule; a word for unjudgeable
    reason: str  # how the rule reached the grade


@dataclass(frozen=True, slots=True)
class Dispute:
    """Table row of the adjudication list: a document with votes, verdicts and priority.

    The document was adjudicated, or assessors or consensus rules disagree on it. The adjudication
    is not included.
    """

    topic: str  # topic id
    document: str  # document id
    votes: tuple[Vote, ...]  # votes in the order of the assessors' names
    # verdict of each consensus rule; empty without votes
    verdicts: tuple[RuleVerdict, ...]
    # priority: spread of the votes, or of the rules' grades if the votes agree, times the
    # document's importance; 0 if there is no disagreement
    weight: float
    # whether votes or rules disagree on relevance, or on whether the document is judgeable
    crosses_relevance: bool
    # whether the votes differ, rather than only the grades by the rules
    is_split: bool

    @property
    def pair(self) -> Pair:
        """Topic and document."""
        return self.topic, self.document


def find_disputes(
    project: Project, *, rel: int = 1, progress: Progress = SILENT
) -> tuple[Dispute, ...]:
    """Return the documents to adjudicate and the adjudicated documents, by priority.

    First come the documents of `queue_disputes`, in the same order, including adjudicated ones.
    Then come adjudicated documents on which assessors now agree or which have fewer than two votes,
    so that the owner can see and change the adjudication. Documents without a text in the project
    are omitted.
    """
    labels = build_vote_labels(project, progress)
    consensus = (
        consensus_by_methods(
            labels, CONSENSUS_RULES, RuleSettings(fitting=FitOptions(progress=progress))
        )
        if len(labels)
        else ()
    )
    pairs: Sequence[Pair] = labels.pairs or ()
    queue = {
        pairs[dispute.item]: dispute for dispute in queue_disputes(project, consensus, rel=rel)
    }
    candidate_pairs = [*queue, *(pair for pair in read_adjudications(project) if pair not in queue)]
    documents_without_text = set(
        project.collection.without_text(list({document for _, document in candidate_pairs}))
    )
    candidate_pairs = [pair for pair in candidate_pairs if pair[1] not in documents_without_text]
    grades = [[row[1] for row in method.rows()] for method in consensus]
    counted_labels = {
        pair: item for item, pair in enumerate(pairs) if consensus and consensus[0].votes[item]
    }
    votes = _list_votes(project, labels.workers, counted_labels.keys() & candidate_pairs)
    split_pairs = set(find_pairs_to_adjudicate(project, labels))
    return tuple(
        Dispute(
            *pair,
            tuple(votes[pair]),
            _make_rule_verdicts(consensus, grades, counted_labels[pair])
            if pair in counted_labels
            else (),
            queue[pair].weight if pair in queue else 0.0,
            pair in queue and queue[pair].differs_in_relevance,
            pair in split_pairs,
        )
        for pair in candidate_pairs
    )


@dataclass(frozen=True, slots=True)
class AdjudicationCount:
    """Number of pairs to adjudicate, and number of these pairs that are adjudicated."""

    adjudicated: int
    total: int


def find_pairs_to_adjudicate(project: Project, labels: Labels) -> tuple[Pair, ...]:
    """Return the pairs on which votes differ; pairs whose document has no text are omitted.

    `labels` are those of `build_vote_labels`. Pairs on which only consensus rules differ are not
    included.
    """
    limits = np.iinfo(np.int32)
    lowest_grades = np.full(len(labels.items), limits.max)
    highest_grades = np.full(len(labels.items), limits.min)
    np.minimum.at(lowest_grades, labels.item, labels.label)
    np.maximum.at(highest_grades, labels.item, labels.label)
    pairs: Sequence[Pair] = labels.pairs or ()
    split_pairs = [pairs[item] for item in np.flatnonzero(lowest_grades < highest_grades).tolist()]
    documents_without_text = set(
        project.collection.without_text(list({document for _, document in split_pairs}))
    )
    return tuple(pair for pair in split_pairs if pair[1] not in documents_without_text)


def count_adjudicated(project: Project, pairs: Collection[Pair]) -> AdjudicationCount:
    """Return the number of pairs with a valid adjudication, and the number of all pairs."""
    return AdjudicationCount(len(set(pairs) & read_valid_adjudications(project).keys()), len(pairs))


def queue_disputes(
    project: Project, consensus: Sequence[Consensus], *, rel: int = 1
) -> tuple[DisputedItem, ...]:
    """Return the items on which votes differ, then items on which only rules differ.

    Both groups are ordered by priority.
    """
    return (
        adjudication_queue(
            consensus, rel=rel, importance=compute_importance(project, consensus[0].labels)
        )
        if consensus
        else ()
    )


def compute_importance(project: Project, labels: Labels) -> Floats | None:
    """Return the importance of each item, shape (I,); None if there is no pool.

    The importance is 1 plus the sum of 1 / log2(rank + 1) over the runs that contributed the item
    to the pool.
    """
    pool = project.rankings.pool()
    if pool is None:
        return None
    contribution_weights = 1 / np.log2(pool.contribution_rank.astype(np.float64) + 1)
    pair_of_contribution = topic_of_each_row(pool.contribution_starts)
    weights = 1 + np.bincount(
        pair_of_contribution, weights=contribution_weights, minlength=len(pool)
    )
    topics = [pool.topics[code] for code in pool.topic.tolist()]
    weights_by_pair = dict(
        zip(zip(topics, pool.document.to_pylist(), strict=True), weights.tolist(), strict=True)
    )
    return np.array([weights_by_pair.get(pair, 1.0) for pair in labels.pairs or ()])


def _make_rule_verdicts(
    consensus: Sequence[Consensus], grades: Sequence[Sequence[str | float | None]], item: int
) -> tuple[RuleVerdict, ...]:
    return tuple(
        RuleVerdict(method.rule.title, _format_grade(verdicts[item]), method.reasons[item])
        for method, verdicts in zip(consensus, grades, strict=True)
    )


def _format_grade(grade: str | float | None) -> str:
    if grade is None or isinstance(grade, str):
        return grade or UNJUDGEABLE_WORD
    return f"{grade:.2f}"


def _list_votes(project: Project, names: Sequence[str], pairs: set[Pair]) -> dict[Pair, list[Vote]]:
    """Return the votes on each given pair, with reasons and notes.

    The votes are those of `build_vote_labels`. `names` are the assessors, in the order of the
    returned votes.
    """
    votes: dict[Pair, list[Vote]] = defaultdict(list)
    valid_grades = {*project.scale.values, UNJUDGEABLE}
    ids: dict[str, list[str]] = {name: [name] for name in names}
    for other_id, name in project.sessions.first_ids().items():
        ids.get(name, []).append(other_id)
    for name, own_ids in ids.items():
        voted_pairs: set[Pair] = set()
        for id in own_ids:
            ledger = get_ledger(project, id)
            for event, pair, is_current in iter_judgments(project, id):
                vote = _to_vote(name, event, ledger)
                if (
                    pair in pairs
                    and pair not in voted_pairs
                    and is_current
                    and vote.grade in valid_grades
                ):
                    voted_pairs.add(pair)
                    votes[pair].append(vote)
    return votes


def _to_vote(name: str, event: Event, ledger: Ledger) -> Vote:
    marks, payload = ledger.marks(event.item.key), event.payload
    return Vote(
        name,
        int(payload["value"]) if event.kind == "grade" else UNJUDGEABLE,
        str(payload.get("reason", "")),
        marks.unsure,
        marks.note,
        tuple(rationale.text for rationale in marks.rationales),
    )


# Relevance from the votes of assessors


def read_relevance(
    project: Project, rel: int, *, without_assessor: str = ""
) -> dict[Pair, bool | None]:
    """Return the relevance of each judged pair: True, False, or None (unjudgeable).

    If several assessors judged, their votes are combined by the consensus rule; ties count as
    relevant. Judgments of the assessor `without_assessor` are omitted, because the learning session
    adds them itself.
    """
    has_several_assessors = (
        len([name for name in list_counted_assessors(project) if name != without_assessor]) > 1
    )
    consensus_grades = compute_consensus_grades(project) if has_several_assessors else {}
    return {
        pair: combine_votes([*votes.values()], consensus_grades.get(pair), rel)
        for pair, votes in read_votes(project, without_assessor=without_assessor).items()
    }


def read_votes(project: Project, *, without_assessor: str = "") -> dict[Pair, dict[str, int]]:
    """Return, for each judged pair, the grade of each assessor except `without_assessor`.

    If an assessor marked the document as unjudgeable, the grade is -2. The judgments are those of
    `iter_counted_judgments`. A participant with several ids is one assessor, named by the main id;
    a judgment under the main id takes precedence. A pair that was adjudicated has only the grade of
    its adjudicator.
    """
    votes: dict[Pair, dict[str, int]] = defaultdict(dict)
    for assessor, event in iter_counted_judgments(project, without_assessor=without_assessor):
        grade = int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE
        votes[event.item.topic, event.item.documents[0]].setdefault(assessor, grade)
    for pair, decision in read_valid_adjudications(project).items():
        votes[pair] = {decision.adjudicator: decision.grade}
    return votes


def iter_counted_judgments(
    project: Project, *, without_assessor: str = ""
) -> Iterator[tuple[str, Event]]:
    """Yield the main id of the assessor and the event of each judgment that counts.

    Repeated presentations, judgments of another text of the document, and judgments of the assessor
    `without_assessor` are omitted. Judgments under main ids come first.
    """
    omitted_assessors = {without_assessor, *find_uncounted_assessors(project)}
    main_ids = project.sessions.first_ids()  # a participant can have several ids
    for name in sorted(project.events.assessors(), key=lambda name: name in main_ids):
        assessor = main_ids.get(name, name)
        if {name, assessor} & omitted_assessors:
            continue
        for event, _pair, is_current in iter_judgments(project, name):
            if is_current:
                yield assessor, event


def combine_votes(votes: Sequence[int], consensus_grade: int | None, rel: int) -> bool | None:
    """Return the relevance of a document from its votes; None if it is unjudgeable.

    It is unjudgeable by consensus, or if all votes mark it as unjudgeable. Equal numbers of votes
    for and against relevance count as relevant. Otherwise, the consensus grade decides or, if there
    is none, the majority of votes.

    >>> combine_votes([0, 2], 0, 1), combine_votes([0, 0, 2], 0, 1), combine_votes([-2], None, 1)
    (True, False, None)
    >>> print(combine_votes([2, 2, -2, -2, -2], -2, 1))
    None
    """
    grades = [vote for vote in votes if vote != UNJUDGEABLE]
    if not grades or consensus_grade == UNJUDGEABLE:
        return None
    relevant_count = sum(vote >= rel for vote in grades)
    is_tie = 2 * relevant_count == len(grades)
    return (
        True
        if is_tie
        else consensus_grade >= rel
        if consensus_grade is not None
        else 2 * relevant_count > len(grades)
    )

"""Commands of the host of a session, and the quality data shown to the host."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice, zip_longest
from typing import Any, TypeAlias

import numpy as np
import segno

from irjudge.errors import IrjudgeError
from irjudge.judging import (
    GOLD_ROLES,
    Norming,
    NormingRound,
    RoundResult,
    build_vote_labels,
    compute_round_result,
    count_outstanding_in_sessions,
    list_excluded_assessors,
    list_grades_in_force,
    list_qrels_choices,
    list_unpooled_calibration,
    project_labels,
    read_assigned_gold,
    read_session_gold,
)
from irjudge.model import UNJUDGEABLE, UNJUDGED, AssignedItem, Labels, NameCoder, Pair
from irjudge.progress import SILENT, Progress
from irjudge.stats import (
    HashOrder,
    Sampling,
    agreement_with_others,
    count_gold_right,
    judge_assessors,
)
from irjudge.stats.agreement import AgreementEstimate, agreement
from irjudge.store import Participant, Project
from irjudge.web.scheduler import VOTING_STATES, Lease
from irjudge.web.session import SharedSession
from irjudge.web.session_state import ParticipantStatus, collect_votes
from irjudge.web.session_subject import SEPARATOR, NormingSubject, describe_pair

# Requests of the host, sent by the page, the command line or a script. A request consists of a
# command and JSON values; the response is JSON.

Json: TypeAlias = dict[str, Any]
Values: TypeAlias = Mapping[str, Any]
PREVIEW_SIZE = 5
DEFAULT_DOCUMENTS, MAX_DOCUMENTS = 6, 50  # default and maximum number of documents per round
REPEAT_MODES = ("same", "split")
MAX_LINK_LENGTH = 500  # maximum number of characters of a link in a QR code


def run_host_request(session: SharedSession, command: str, values: Values) -> Json:
    """Execute a request of the host and return its response."""
    if command not in HOST_REQUESTS:
        raise IrjudgeError(
            "A session does not support {command}; expected one of {commands}.",
            command=command,
            commands=", ".join(HOST_REQUESTS),
        )
    return HOST_REQUESTS[command](session, values)


def _parse_text(values: Values, name: str) -> str:
    value = values.get(name)
    if not isinstance(value, str):
        raise IrjudgeError("{name} is {value}; expected text.", name=name, value=repr(value)[:100])
    return value


def _parse_participant(session: SharedSession, values: Values, name: str = "person") -> str:
    return session.find_participant(_parse_text(values, name))


# Status


def _make_session_status(session: SharedSession, _values: Values) -> Json:
    status, titles = session.status(), session.project.collection.topic_titles()
    judged_count, wanted_count = status.judgment_counts
    panel = session.options.panel
    return {
        "state": status.state,
        "message": session.message,
        "overlap": session.options.terms.overlap,
        "join": session.options.join,
        "panel": panel.parameters if panel else [],
        "norming": round_status(session),
        "share": panel.each if panel else 0,
        "judged": judged_count,
        "wanted": wanted_count,
        "seconds": _forecast_seconds(status.participants, wanted_count - judged_count),
        "topics": [
            {"id": id, "title": titles.get(id, ""), "judged": counted_count, "wanted": wanted_count}
            for id, (counted_count, wanted_count) in status.topics.items()
        ],
        "people": [
            {
                **asdict(participant),
                "completed": participant.completed
                and [participant.completed.time, participant.completed.end],
            }
            for participant in status.participants
        ],
        "late": _list_late_judgments(session),
        "unused": [
            {"id": participant.id, "name": participant.name or participant.id}
            for participant in _list_unused_seats(session)
            if session.options.join != "links"
        ],
    }


def _forecast_seconds(participants: Any, remaining_count: int) -> float | None:
    """Return in how many seconds the active participants will probably finish all judgments.

    Return None if no judgments remain, or if the pace is unknown for all active participants.
    """
    rates = [
        1 / participant.seconds
        for participant in participants
        if participant.here and not participant.aside and participant.seconds
    ]
    return remaining_count / sum(rates) if rates and remaining_count else None


def _list_late_judgments(session: SharedSession) -> list[Json]:
    status, collection = session.status(), session.project.collection
    documents = [
        document for _, pair in status.late for document in _list_documents_of(session, pair)
    ]
    titles, topics = collection.titles(documents) if documents else {}, collection.topic_titles()
    return [
        {
            "person": participant_id,
            "name": status.names[participant_id] or participant_id,
            "topic": pair[0],
            "topic_title": topics.get(pair[0], ""),
            "pair": pair[1],
            "what": describe_pair(pair),
            "title": " – ".join(filter(None, map(titles.get, _list_documents_of(session, pair)))),
        }
        for participant_id, pair in status.late
    ]


def _list_documents_of(session: SharedSession, pair: Pair) -> list[str]:
    """Return the document, or the two compared documents, of a pair in the scheduler.

    The list is empty if two runs are compared.
    """
    names, comparison = pair[1].split(SEPARATOR), session.options.compare
    if comparison is None:
        return names[:1]  # in a norming round, the number of the round follows the document id
    return [] if comparison.runs else names


def _compute_assessor_quality(session: SharedSession, _values: Values) -> Json:
    labels = _collect_counted_labels(session)
    gold, gold_right = count_gold_right(labels)
    agreement = agreement_with_others(
        labels, excluded=[id for id in labels.workers if session.scheduler.is_excluded(id)]
    )
    return {
        "people": {
            id: {
                "gold": [int(gold_right[index]), int(gold[index])],
                "agreement": None if np.isnan(agreement[index]) else float(agreement[index]),
            }
            for index, id in enumerate(labels.workers)
        }
    }


def _collect_counted_labels(session: SharedSession) -> Labels:
    """Return the judgments that count, one per participant and document, as labels.

    The result is the same as that of `project_labels`. This function uses the session in memory,
    because the judgments of a session in a database are not in the project.
    """
    scale, main_id = session.project.scale.values, session.scheduler.find_main_id
    grade_codes = {value: index for index, value in enumerate(scale)}
    uncounted_pairs = list_unpooled_calibration(session.project)
    pairs: dict[Pair, int] = {}
    workers = NameCoder()
    rows: dict[tuple[int, int], tuple[int, bool]] = {}
    # The main id of a participant comes first. If a participant judged a document under two ids,
    # the judgment of the main id is used; the document is a gold item if it was one for any id.
    for entry in sorted(
        session.works, key=lambda entry: main_id(entry.participant.id) != entry.participant.id
    ):
        for lease, event in entry.judgments():
            # `lease.pair` cannot be used, since it can contain the number of a norming round
            pair = event.item.topic, event.item.documents[0]
            label = UNJUDGEABLE if event.kind == "unjudgeable" else None
            if event.kind == "grade":
                label = grade_codes.get(int(event.payload["value"]))
            if label is not None and lease.state in VOTING_STATES and pair not in uncounted_pairs:
                cell = pairs.setdefault(pair, len(pairs)), workers(main_id(lease.participant_id))
                first_label, is_gold = rows.get(cell, (label, False))
                rows[cell] = first_label, is_gold or lease.role in GOLD_ROLES
    answers = (session.gold.get(topic, {}).get(document, UNJUDGED) for topic, document in pairs)
    label_rows = np.array([*rows], dtype=np.int32).reshape(-1, 2)
    return Labels(
        items=tuple(map(" ".join, pairs)),
        workers=workers.names,
        scale=tuple(map(str, scale)),
        values=np.array(scale, dtype=np.float64),
        item=label_rows[:, 0],
        worker=label_rows[:, 1],
        label=np.array([label for label, _ in rows.values()], dtype=np.int32),
        pairs=tuple(pairs),
        gold=np.array([grade_codes.get(answer, UNJUDGED) for answer in answers], dtype=np.int32),
        assigned_gold=np.array([assigned_gold for _, assigned_gold in rows.values()], dtype=bool),
    )


def preview_items(session: SharedSession) -> list[AssignedItem]:
    """Return items for a preview, in an order that reveals no ranks.

    Gold items are included only if there are too few other items, and are not marked. In a session
    with a recruitment panel, there are as many preview items as items of a submission.
    """
    item_count = session.options.panel.each if session.options.panel else PREVIEW_SIZE
    pairs = [
        (topic, document)
        for topic, documents in _collect_preview_documents(session).items()
        for document in sorted(documents)
    ]
    ordinary_pairs = [pair for pair in pairs if pair[1] not in session.gold.get(pair[0], {})]
    shown_pairs = {*ordinary_pairs[:item_count]}
    shown_pairs |= {
        *islice((pair for pair in pairs if pair not in shown_pairs), item_count - len(shown_pairs))
    }
    return [
        session.subject.item(Lease("preview", pair), ())[0] for pair in pairs if pair in shown_pairs
    ]


def _collect_preview_documents(session: SharedSession) -> Mapping[str, Sequence[str]]:
    """Return the documents that a preview may show, by topic.

    These are the documents to judge. If there are none yet, the documents of the pool are returned
    (before the first norming round), or search results for the title of a topic (with active
    learning).
    """
    subject = session.subject
    pool: Mapping[str, Sequence[str]] = subject.pool()
    if isinstance(subject, NormingSubject) and not any(pool.values()):
        pool = subject.list_remaining()
    if any(pool.values()) or not session.options.learns:
        return pool
    results = (
        {id: session.active_learning.search(topic.title)}
        for id in pool
        if (topic := session.active_learning.topics.get(id)) is not None
    )
    return next((result for result in results if any(result.values())), {})


# Norming rounds


def round_status(session: SharedSession) -> Json | None:
    """Return the status of the norming rounds for the host; None if there are no rounds.

    An open round has no results in the status.
    """
    norming = session.options.norming
    if norming is None:
        return None
    newest_round = session.rounds.newest_round()
    return {
        "over": norming.over,
        "open": norming.open,
        "shown": norming.shown,
        "names": norming.names,
        "document": newest_round and newest_round["shown"],
        "rounds": [
            _describe_round(session, round_number)
            for round_number, _ in enumerate(norming.rounds, 1)
        ],
    }


def _describe_round(session: SharedSession, round_number: int) -> Json:
    round_options = (session.options.norming or Norming()).rounds[round_number - 1]
    description: Json = {
        "number": round_number,
        "documents": len(round_options.pairs),
        "opened": round_options.opened,
        "closed": round_options.closed,
        "qualifies": round_options.qualifies,
        "reopened": round_options.reopened,
    }
    if not round_options.closed:
        return description
    result = session.rounds.get(round_number, lambda: compute_closed_round(session, round_number))
    collection = session.project.collection
    titles = collection.titles([document for _, document in round_options.pairs])
    topics = collection.topic_titles()
    names = {entry.participant.id: entry.participant.name for entry in session.works}
    return description | {
        "people": result.participants,
        "estimates": [
            {
                "statistic": estimate.statistic,
                "scale": estimate.scale,
                "of": estimate.of,
                "used": estimate.used,
                "value": estimate.value,
                "low": estimate.low,
                "high": estimate.high,
                "reason": str(estimate.reason),
            }
            for estimate in result.agreement
        ],
        "list": [
            {
                "topic": document.pair[0],
                "document": document.pair[1],
                "title": titles.get(document.pair[1], ""),
                "name": _format_item_title(document.pair, titles, topics),
                "split": document.is_split,
                "votes": document.votes,
            }
            for document in result.documents
        ],
        "qualified": [
            {"person": id, "name": names.get(id) or id, "met": right_count, "asked": asked_count}
            for id, (right_count, asked_count) in result.qualified.items()
        ],
    }


def _format_item_title(pair: Pair, titles: Mapping[str, str], topics: Mapping[str, str]) -> str:
    """Return a label with the titles of a document and its topic; ids replace missing titles."""
    return f"{titles.get(pair[1]) or pair[1]} · {topics.get(pair[0]) or pair[0]}"


def compute_closed_round(session: SharedSession, round_number: int) -> RoundResult:
    """Return the results of a closed norming round, without votes of excluded participants."""
    norming, project = session.options.norming or Norming(), session.project
    return compute_round_result(
        norming,
        round_number,
        collect_votes(session.works, session.scheduler),
        project.scale,
        read_session_gold(project, session.store.session()),
    )


def _open_round(session: SharedSession, values: Values) -> Json:
    """Open a norming round with new documents, or with documents of the previous round."""
    norming = _require_rounds(session)
    if norming.open:
        raise IrjudgeError("Round {number} is open. Close it first.", number=len(norming.rounds))
    kind = values.get("documents", "new")
    if kind == "new":
        pairs = _sample_documents(session, values)
    elif kind not in REPEAT_MODES:
        raise IrjudgeError(
            "The choice of documents for a norming round must be one of {choices}, got {value}.",
            choices=", ".join(("new", *REPEAT_MODES)),
            value=repr(kind)[:40],
        )
    elif not norming.rounds:
        raise IrjudgeError(
            "There is no previous round whose documents can be repeated; use new documents."
        )
    else:
        pairs = _repeat_documents(session, only_split=kind == "split")
    new_round = NormingRound(pairs, session.now(), qualifies=values.get("qualifies") is True)
    session.replace_options(
        replace(
            session.options,
            norming=replace(norming, rounds=(*norming.rounds, new_round), shown=None),
        )
    )
    return {"number": len(norming.rounds) + 1, "documents": len(pairs)}


def _require_rounds(session: SharedSession) -> Norming:
    norming = session.options.norming
    if norming is None or norming.over:
        raise IrjudgeError("This session has no norming rounds, or they are finished.")
    return norming


def _sample_documents(session: SharedSession, values: Values) -> tuple[Pair, ...]:
    """Sample pooled documents that were in no earlier round, evenly over the topics.

    If the host chose a topic, only its documents are sampled.
    """
    count, topic = values.get("count", DEFAULT_DOCUMENTS), values.get("topic", "")
    if type(count) is not int or not 0 < count <= MAX_DOCUMENTS:
        raise IrjudgeError(
            "A norming round can have 1 to {limit} documents, got {count}.",
            limit=MAX_DOCUMENTS,
            count=repr(count)[:40],
        )
    remaining_documents = (
        session.subject.list_remaining() if isinstance(session.subject, NormingSubject) else {}
    )
    if topic and topic not in remaining_documents:
        raise IrjudgeError(
            "There is no topic {topic} in the pool of this session.", topic=repr(topic)[:40]
        )
    hash_order = HashOrder(session.store.seed())
    sampled_by_topic = [
        [(name, document) for document in hash_order.shuffle(documents, "norming", name)]
        for name, documents in remaining_documents.items()
        if not topic or name == topic
    ]
    pairs = [pair for row in zip_longest(*sampled_by_topic) for pair in row if pair is not None][
        :count
    ]
    if not pairs:
        raise IrjudgeError("No pooled documents are left for another norming round.")
    return tuple(sorted(pairs, key=lambda pair: list(remaining_documents).index(pair[0])))


def _repeat_documents(session: SharedSession, *, only_split: bool) -> tuple[Pair, ...]:
    """Return the documents of the previous round; with `only_split`, only the disputed ones."""
    norming = _require_rounds(session)
    pairs = norming.rounds[-1].pairs
    if only_split:
        pairs = tuple(
            document.pair
            for document in compute_closed_round(session, len(norming.rounds)).disputed_documents
        )
        if not pairs:
            raise IrjudgeError(
                "No documents of the previous round are disputed. Use new documents, or use "
                "the documents of the previous round again."
            )
    return pairs


def _close_round(session: SharedSession, _values: Values) -> Json:
    """Close the newest round and show its first document to all participants."""
    norming = _require_rounds(session)
    if not norming.open:
        raise IrjudgeError("No norming round is open.")
    closed_round = replace(norming.rounds[-1], closed=session.now())
    session.replace_options(
        replace(
            session.options,
            norming=replace(norming, rounds=(*norming.rounds[:-1], closed_round), shown=0),
        )
    )
    return {"number": len(norming.rounds)}


def _reopen_round(session: SharedSession, _values: Values) -> Json:
    """Reopen the newest round, even if the rounds have ended; accept the round's late judgments."""
    norming = session.options.norming
    if norming is None or not norming.rounds:
        raise IrjudgeError("This session has no norming round to reopen.")
    if norming.open:
        raise IrjudgeError("Round {number} is already open.", number=len(norming.rounds))
    reopened_round = replace(norming.rounds[-1], closed="", reopened=session.now())
    rounds = (*norming.rounds[:-1], reopened_round)
    session.replace_options(
        replace(session.options, norming=replace(norming, rounds=rounds, shown=None, over=False))
    )
    newest_pairs = (
        session.subject.newest_pairs if isinstance(session.subject, NormingSubject) else ()
    )
    for lease in session.scheduler.list_late():
        if lease.pair in newest_pairs and not session.scheduler.is_excluded(lease.participant_id):
            session.accept_late(lease.participant_id, lease.pair)
    return {"number": len(rounds), "documents": len(reopened_round.pairs)}


def _show_document(session: SharedSession, values: Values) -> Json:
    """Show a document of the newest round to all participants; the round must be closed.

    If no position is given, hide the shown document.
    """
    norming, index = _require_rounds(session), values.get("place")
    if norming.open or not norming.rounds:
        raise IrjudgeError(
            "The results of an open round are hidden. Close the round first.", key="open-round"
        )
    count = len(norming.rounds[-1].pairs)
    if index is not None and (type(index) is not int or not 0 <= index < count):
        raise IrjudgeError(
            "The number of a document in the norming round must be from 0 to {maximum}, got "
            "{value}.",
            maximum=count - 1,
            value=repr(index)[:40],
        )
    session.replace_options(replace(session.options, norming=replace(norming, shown=index)))
    return {"place": index}


def _end_rounds(session: SharedSession, _values: Values) -> Json:
    """End the rounds and continue with the pool."""
    if _require_rounds(session).open:
        _close_round(session, {})
    session.replace_options(
        replace(session.options, norming=replace(_require_rounds(session), over=True, shown=None))
    )
    return {}


# Changes


def _set_state(session: SharedSession, values: Values) -> Json:
    session.set_state(_parse_text(values, "state"))
    return {}


def _set_message(session: SharedSession, values: Values) -> Json:
    session.set_message(_parse_text(values, "words"))
    return {}


def _accept_late_judgment(session: SharedSession, values: Values) -> Json:
    pair = _parse_text(values, "topic"), _parse_text(values, "pair")
    return {"taken": session.accept_late(_parse_participant(session, values), pair)}


def _merge_participants(session: SharedSession, values: Values) -> Json:
    session.set_first_id(
        _parse_participant(session, values), _parse_participant(session, values, "other")
    )
    return {}


def _increase_overlap(session: SharedSession, values: Values) -> Json:
    """Increase the number of judgments of each pair, including assigned and complete pairs.

    Late judgments count where they are now needed.
    """
    overlap = values.get("overlap")
    if type(overlap) is not int or not 0 < overlap < 1000:
        raise IrjudgeError(
            "The number of judgments per document must be a whole number, got {overlap}.",
            overlap=repr(overlap)[:100],
        )
    terms = session.options.terms
    if overlap <= terms.overlap:
        raise IrjudgeError(
            "The new number of judgments per document must be larger than the current number "
            "({current}), got {overlap}.",
            current=terms.overlap,
            overlap=overlap,
        )
    session.replace_options(replace(session.options, terms=replace(terms, overlap=overlap)))
    session.count_late_judgments()
    return {}


def free_empty(session: SharedSession, ids: Collection[str] | None = None) -> int:
    """Free the unused seats of all participants, or only of `ids`; return the number of seats.

    The name of a freed seat can be used by another participant.
    """
    freed_ids = [
        participant.id
        for participant in _list_unused_seats(session)
        if ids is None or participant.id in ids
    ]
    for participant_id in freed_ids:
        session.free_seat(participant_id)
    return len(freed_ids)


def _list_unused_seats(session: SharedSession) -> list[Participant]:
    """Return the absent participants who have no actions, and whose seat has not been freed."""
    present_ids = {
        participant.id for participant in session.status().participants if participant.here
    }
    return [
        entry.participant
        for entry in session.works
        if not (len(entry.log) or entry.is_released)
        and session.scheduler.find_main_id(entry.participant.id) not in present_ids
    ]


def list_unopened_seats(session: SharedSession) -> list[ParticipantStatus]:
    """Return the participants who have not begun with their personal link, so that it can be replaced.

    Participants whose access was revoked and excluded participants are omitted.
    """
    begun_ids = {
        session.scheduler.find_main_id(entry.participant.id)
        for entry in session.works
        if entry.leases or len(entry.log)
    }
    return [
        participant
        for participant in session.status().participants
        if not (
            participant.id in begun_ids
            or participant.here
            or participant.revoked
            or participant.aside
        )
    ]


def _free_seats(session: SharedSession, values: Values) -> Json:
    """Free all unused seats or, if `people` lists ids, only the unused seats of these ids."""
    ids = values.get("people")
    if ids is not None and not (isinstance(ids, list) and all(isinstance(id, str) for id in ids)):
        raise IrjudgeError(
            "{name} is {value}; expected text.", name="people", value=repr(ids)[:100]
        )
    return {"count": free_empty(session, ids)}


def exclude_returned(session: SharedSession, names: Sequence[str]) -> tuple[int, int]:
    """Exclude participants whose submissions were returned or timed out.

    Return the number of newly excluded participants, and of names that belong to no participant.
    """
    id_by_name = {
        entry.participant.name.casefold(): entry.participant.id for entry in session.works
    }
    ids = [id_by_name[name.casefold()] for name in names if name.casefold() in id_by_name]
    newly_excluded_ids = [id for id in dict.fromkeys(ids) if id not in session.store.excluded_ids()]
    for id in newly_excluded_ids:
        session.exclude_participant(id)
    return len(newly_excluded_ids), len(names) - len(ids)


def _make_qr_code(_session: SharedSession, values: Values) -> Json:
    """Return a link as a QR code: rows of the digits 0 (light) and 1 (dark)."""
    link = _parse_text(values, "link")
    if len(link) > MAX_LINK_LENGTH:
        raise IrjudgeError(
            "A link can have at most {limit} characters, got {count}.",
            limit=MAX_LINK_LENGTH,
            count=len(link),
        )
    return {"rows": ["".join(map(str, row)) for row in segno.make(link, micro=False).matrix]}


def _make_participant_handler(
    operation: Callable[[SharedSession, str], object], result_name: str = ""
) -> Callable[[SharedSession, Values], Json]:
    """Return a request handler that applies `operation` to a participant.

    If `result_name` is given, the response contains the result of the operation.
    """

    def handle(session: SharedSession, values: Values) -> Json:
        result = operation(session, _parse_participant(session, values))
        return {result_name: result} if result_name else {}

    return handle


HOST_REQUESTS: dict[str, Callable[[SharedSession, Values], Json]] = {
    "standing": _make_session_status,
    "quality": _compute_assessor_quality,
    "state": _set_state,
    "say": _set_message,
    "let": _make_participant_handler(SharedSession.renew_token, "token"),
    "revoke": _make_participant_handler(SharedSession.revoke),
    "release": _make_participant_handler(SharedSession.release, "count"),
    "aside": _make_participant_handler(SharedSession.exclude_participant),
    "back": _make_participant_handler(SharedSession.readmit_participant),
    "free": _make_participant_handler(SharedSession.free_seat),
    "free-empty": _free_seats,
    "take": _accept_late_judgment,
    "same": _merge_participants,
    "more": _increase_overlap,
    "round": _open_round,
    "close": _close_round,
    "reopen": _reopen_round,
    "show": _show_document,
    "pool": _end_rounds,
    "picture": _make_qr_code,
}


# Quality of judgments during a session: results on gold items, unusual judging, agreement

LIVE_MEASURE = "nDCG@10"
# minimum numbers of judgments of a shown document and of participants; if there were fewer,
# participants could infer single judgments
MIN_VOTES = 3
MIN_PARTICIPANTS = 5


@dataclass(frozen=True, slots=True)
class ParticipantQuality:
    """Quality of an assessor's judgments so far: results on gold items, and warning signs.

    The assessor is a participant of a session, or another assessor of the project.
    """

    correct_count: int  # number of gold items judged correctly
    gold_count: int  # number of gold items judged
    # descriptions of unusual judging, such as judging faster than one can read; empty unless the
    # assessor stands out
    outlier_reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SessionQuality:
    """Quality of the judgments of each assessor in a project so far, and the agreement.

    The session page shows the quality of each participant in its table of participants.
    """

    # quality by id, for all assessors who graded documents, whether or not they participated in a
    # session; the same for all ids of a participant
    participants: dict[str, ParticipantQuality]
    # Krippendorff's alpha (ordinal) with its interval, only of participants of sessions who are not
    # excluded; None if no two of them graded the same document
    agreement: AgreementEstimate | None = None


def compute_session_quality(project: Project, progress: Progress = SILENT) -> SessionQuality:
    """Return the quality of each participant who graded documents, and the agreement."""
    labels = project_labels(
        project, repeats=True, gold=read_assigned_gold(project), progress=progress
    )
    gold, gold_right = count_gold_right(labels.without_repeats().latest())
    quality_by_id = {
        name: ParticipantQuality(
            int(gold_right[index]),
            int(gold[index]),
            verdict.evidence if verdict.state == "stands out" else (),
        )
        for index, (name, verdict) in enumerate(
            zip(labels.workers, judge_assessors(labels, progress=progress), strict=True)
        )
    }
    quality_by_id |= {
        further_id: quality_by_id[main_id]
        for further_id, main_id in project.sessions.first_ids().items()
        if main_id in quality_by_id
    }
    return SessionQuality(quality_by_id, _compute_agreement(project, progress))


def _compute_agreement(project: Project, progress: Progress) -> AgreementEstimate | None:
    labels = build_vote_labels(
        project,
        progress,
        excluded=set(project.events.assessors()) - _list_included_participants(project),
    )
    (estimate,) = agreement(labels, ["alpha-ordinal"], sampling=Sampling(progress=progress))
    return estimate if estimate.used else None


@dataclass(frozen=True, slots=True)
class ClosedDocument:
    """Document with no judgments outstanding, with the number of judgments for each grade.

    The big screen of a session shows one such document; see `LiveResults`.
    """

    topic: str  # title of the topic, or its id if it has no title
    title: str  # title of the document, or its id if it has no title
    counts: tuple[tuple[int, str, int], ...]  # (value, label, number of judgments) of each grade
    unjudgeable: int  # number of judgments that the document is unjudgeable

    @property
    def votes(self) -> int:
        """Number of judgments, including `unjudgeable`."""
        return self.unjudgeable + sum(count for *_, count in self.counts)


@dataclass(frozen=True, slots=True)
class LiveRun:
    """Value of a measure for a run, computed from the judgments so far, with bounds.

    The big screen of a session shows the values; `evaluation` has another class of this name.
    """

    name: str
    value: float
    low: float  # lower bound of the value after all judgments
    high: float  # upper bound of the value after all judgments; `value` if there is no bound


@dataclass(frozen=True, slots=True)
class LiveResults:
    """Results of a project so far, which the host can show to all participants of a session.

    The results contain no individual judgments. Parts for which there are too few data are None or
    empty.
    """

    # completely judged document with the newest judgment; None if there is none with enough
    # judgments, or if there are too few participants
    document: ClosedDocument | None
    participants: int  # number of participants with judgments, without excluded participants
    agreement: AgreementEstimate | None  # agreement of these participants
    measure: str  # name of the measure whose values are in `runs`
    runs: tuple[LiveRun, ...]  # runs, best first


def live_results(project: Project, progress: Progress = SILENT) -> LiveResults:
    """Return those results so far that participants of a session may see."""
    labels = project_labels(
        project,
        excluded=set(project.events.assessors()) - _list_included_participants(project),
        progress=progress,
    )
    participant_count = len(set(labels.worker.tolist()))
    open_pairs = set(count_outstanding_in_sessions(project))
    vote_counts = np.bincount(labels.item, minlength=len(labels.items))
    shown_items = [
        (item, pair)
        for item, pair in enumerate(labels.pairs or ())
        if vote_counts[item] >= MIN_VOTES and pair not in open_pairs
    ]
    last_pair = (
        _find_last_judged_pair(project, {pair for _, pair in shown_items})
        if participant_count >= MIN_PARTICIPANTS
        else None
    )
    shown_item = next(
        (
            _find_closed_document(project, labels, item, pair)
            for item, pair in shown_items
            if pair == last_pair
        ),
        None,
    )
    name, runs = _list_live_runs(project, progress)
    return LiveResults(
        shown_item, participant_count, _compute_agreement(project, progress), name, runs
    )


def _list_included_participants(project: Project) -> set[str]:
    return {participant.id for participant in project.sessions.participants()} - {
        participant.name for participant in list_excluded_assessors(project)
    }


def _find_last_judged_pair(project: Project, pairs: set[tuple[str, str]]) -> tuple[str, str] | None:
    judged_pairs = (
        (event.time, pair)
        for name in _list_included_participants(project)
        for event in list_grades_in_force(project, name)
        if (pair := (event.item.topic, event.item.documents[0])) in pairs
    )
    return max(judged_pairs, default=(None, None))[1]


def _find_closed_document(
    project: Project, labels: Labels, item: int, pair: tuple[str, str]
) -> ClosedDocument:
    topic, document = pair
    counts = tuple(
        (grade.value, grade.label, count)
        for grade, count in zip(
            project.scale.grades, labels.count_grades()[item].tolist(), strict=True
        )
    )
    titles = (
        project.collection.topic_titles().get(topic, ""),
        project.collection.titles([document]).get(document, ""),
    )
    return ClosedDocument(
        titles[0] or topic, titles[1] or document, counts, int(labels.count_unjudgeable()[item])
    )


def _list_live_runs(project: Project, progress: Progress) -> tuple[str, tuple[LiveRun, ...]]:
    """Return the name of the displayed measure, and the runs with their values, best first.

    Without consensus grades, there are no runs in the result.
    """
    from irjudge.evaluation import compute_project_live_table, parse_measures  # noqa: PLC0415 -- loads scipy

    consensus_choice = next(
        (choice for choice in list_qrels_choices(project) if choice.source == "consensus"), None
    )
    if consensus_choice is None or not project.rankings.runs():
        return LIVE_MEASURE, ()
    table = compute_project_live_table(
        project, parse_measures([LIVE_MEASURE]), choice=consensus_choice, progress=progress
    )
    runs = (
        LiveRun(run.run, value, value if low is None else low, value if high is None else high)
        for run in table.runs
        for value, low, high in (table.cell(run, 0),)
    )
    return LIVE_MEASURE, tuple(sorted(runs, key=lambda run: (-run.value, run.name)))

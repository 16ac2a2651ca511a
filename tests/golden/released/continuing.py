"""Actions on a reopened file of a release, and the state hash of a project.

It imports nothing: the release that made the files and the program of today run these very lines on their own objects.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

UNJUDGEABLE = -2


def ticking(start: int) -> Callable[[], str]:
    """Return a clock that starts at a minute of one day and advances one second per call."""
    seconds = count(60 * start)
    return lambda: "2026-05-04T{:02}:{:02}:{:02}.250Z".format(*_hands(next(seconds)))


def _hands(second: int) -> tuple[int, int, int]:
    return second // 3600, second // 60 % 60, second % 60


def grade_on(session: Any, most: int) -> None:
    """Judge up to `most` documents that are open, with every kind of event a grading assessor can write."""
    for turn in range(most):
        work = session.current()
        if work is None:
            return
        if turn % 5 == 0:
            session.draft(work, f"half a note, {turn}")
            session.note(work, f"note {turn}: ünïcode, “quotes”, \\ and a tab\t.")
        if turn % 6 == 1:
            session.set_unsure(work, True)
        if turn % 6 == 4:
            session.rationale(work, "words", 0, 5)
        if turn == 2:
            session.skip(work, active_ms=700)
        elif turn % 7 == 3:
            session.mark_unjudgeable(
                work,
                ("spam", "broken", "wrong language", "other")[turn // 7 % 4],
                active_ms=800 + turn,
            )
        else:
            session.grade(work, turn * 3 % 4, active_ms=1000 + 10 * turn)
        if turn % 8 == 5:
            session.undo()
            session.redo()
        if turn % 8 == 6:
            session.undo()
            session.grade(session.current(), 0, active_ms=2000)
        session.advance()
    session.draft(session.open_topic(session.topics[0]), "a note that nobody finished")


def compare_on(session: Any, attention: Callable[..., Any], most: int) -> None:
    """Compare up to `most` new items, with a skip, an undo and its redo, grades of opened results, reasons and notes."""
    for turn in range(most):
        desk = session.current()
        if desk is None:
            return
        if turn == 1:
            session.skip(desk, active_ms=300)
            desk = session.advance()
        if session.rules.grading and turn % 3 == 0:
            session.grade(desk, desk.left[0], turn % 4)
        seen = attention(active_ms=1500 + turn, opens=(1, 1), dwell_ms=(400, turn), scrolled=(2, 1))
        reasons = session.rules.reasons[: turn % 3]
        winner = ("left", "right", "tie")[turn % 3]
        session.prefer(
            desk,
            winner,
            strength=1 + turn % 2,
            reasons=reasons,
            note="señor" if turn % 4 == 0 else "",
            attention=seen,
        )
        if turn % 4 == 2:
            session.undo()
            session.redo()
        session.advance()


def decide_on(adjudication: Any, topic: str, documents: Iterable[Any]) -> None:
    """Adjudicate the documents of a topic; undo, redo and repeat the last adjudication."""
    last = None
    for turn, last in enumerate(documents):
        adjudication.decide(
            topic,
            last,
            UNJUDGEABLE if turn == 1 else turn % 4,
            reason=f"reason {turn} — naïve",
            active_ms=50 * turn,
        )
    if last is not None:
        adjudication.undo()
        adjudication.redo()
        adjudication.decide(topic, last, 3)


def written(events: Iterable[Any], before: Iterable[str]) -> list[str]:
    """Return the bytes, as text, of the events that are not among the digests of `before`, in the order of the log."""
    known = set(before)
    return [event.canonical_bytes.decode() for event in events if event.digest not in known]


def state_hash(
    project: Any, judgments: Callable[[str], Iterable[Any]], decisions: Iterable[Any]
) -> str:
    """Return the SHA-256 of the state of a project's log, independent of the order of merging.

    It goes over the digests of all events and of those that wait, the judgment in force of each assessor for each item, and each
    decision in force; all of it sorted.
    """
    parts = {
        "events": sorted(event.digest for event in project.events.read()),
        "waiting": sorted(event.digest for event in project.events.waiting()),
        "standing": sorted(
            line for name in project.events.assessors() for line in _standing(name, judgments(name))
        ),
        "decided": sorted(
            json.dumps([each.topic, each.document, each.grade, each.why, each.time])
            for each in decisions
        ),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _standing(assessor: str, events: Iterable[Any]) -> Iterator[str]:
    for event in events:
        said = event.payload.get("value", event.payload.get("winner", event.payload.get("reason")))
        yield json.dumps(
            [
                assessor,
                event.item.topic,
                event.item.documents,
                event.item.occurrence,
                event.kind,
                said,
            ]
        )


def grade_in_session(person: Any, scale: str, count: int, grade: Callable[[int], int]) -> None:
    """Judge up to `count` items as the page of a session does, with the number of the document."""
    welcome = person.call("/welcome", {})
    done = {json.dumps(each["item"], sort_keys=True) for each in welcome["actions"]}
    person.sync(want=5)
    open_items = [
        place
        for place, item in sorted(person.items.items())
        if json.dumps(item, sort_keys=True) not in done
    ]
    for place in open_items[:count]:
        number = int(person.items[place]["documents"][0].rpartition("n")[2])
        person.grade(place, grade(number), scale)
    person.sync(want=0)


def answer_prompts(folder: Path, first: int, last: int) -> None:
    """Write a model's replies to some of the requests in a folder, in their order."""
    lines = (folder / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
    replies = [
        json.dumps(
            {
                "custom_id": json.loads(line)["custom_id"],
                "answer": json.dumps({"grade": number % 4}) if number % 5 else "I cannot tell.",
            }
        )
        for number, line in list(enumerate(lines))[first:last]
    ]
    path = folder / f"replies-{first}.jsonl"
    path.write_text("\n".join(replies) + "\n", encoding="utf-8")

"""What the assessors of a project said, as labels: who holds which grade of which document now."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace

import numpy as np

from irjudge.judging.ledger import grades_in_force
from irjudge.judging.norming import is_again
from irjudge.judging.overview import active_ms
from irjudge.judging.supply import GoldAnswers
from irjudge.message import Message
from irjudge.model.event import Event
from irjudge.model.labels import Coder, Labels
from irjudge.model.ranking import UNJUDGEABLE, rows_to_topics
from irjudge.progress import SILENT, Progress
from irjudge.store.project import Project

Pair = tuple[str, str]
OTHER_GRADE = Message("the scale has no such grade now", key="other-grade")
OTHER_TEXT = Message("the project holds another text of the document now", key="other-text")


def project_labels(
    project: Project,
    *,
    leave_out: Collection[str] = (),
    repeats: bool = False,
    gold: GoldAnswers | None = None,
    progress: Progress = SILENT,
) -> Labels:
    """Return the judgments in force of every assessor, one of each assessor and document."""
    places = {value: at for at, value in enumerate(project.scale.values)}
    items, workers = Coder(), Coder()
    pairs: list[Pair] = []
    rows: list[tuple[int, int, int, float, bool]] = []
    planted: list[bool] = []
    asked = gold.asked if gold else frozenset()
    same = project.sessions.same()
    assessors = sorted(
        set(project.events.assessors()) - set(leave_out), key=lambda name: (name in same, name)
    )
    said: set[tuple[str, Pair, int]] = set()
    not_counted = calibration_only(project)
    foreign: Counter[str] = Counter()
    for name in progress.through(
        assessors, Message("Reading judgments"), total=len(assessors), every=1
    ):
        who = same.get(name, name)
        given = judgments_of(project, name, repeats=repeats) if who not in leave_out else ()
        for event, pair, fits in given:
            what = who, pair, event.item.occurrence
            if what in said:
                continue  # said under the id that stands for the person
            if who in same.values():
                said.add(what)
            label = (
                UNJUDGEABLE
                if event.kind == "unjudgeable"
                else places.get(int(event.payload["value"]))
            )
            if label is None or not fits:
                foreign[OTHER_GRADE if label is None else OTHER_TEXT] += 1
            elif pair not in not_counted:
                item = items("\t".join(pair))
                pairs += [pair] if item == len(pairs) else []
                spent = active_ms(event)
                rows.append(
                    (
                        item,
                        workers(who),
                        label,
                        spent / 1000 if spent else np.nan,
                        event.item.occurrence > 1,
                    )
                )
                planted.append((who, pair) in asked)
    sizes = project.collection.lengths(list(dict.fromkeys(document for _, document in pairs)))
    made = replace(
        _columns(project, workers.names, tuple(pairs), rows),
        remarks=tuple(_said(*each) for each in foreign.items()),
        sizes=np.array([sizes.get(document, np.nan) for _, document in pairs], dtype=np.float64),
    )
    judged = set(pairs)
    answers = gold.answers if gold else {}
    met = {pair: str(answer) for pair, answer in answers.items() if pair in judged}
    return (
        replace(made.with_gold(met), planted=np.array(planted, dtype=bool) if asked else None)
        if met
        else made
    )


def _said(why: str, count: int) -> str:
    return Message(
        "{count:,} {rest} left out: {why}.",
        count=count,
        rest="judgment" if count == 1 else "judgments",
        why=why,
    )


def judgments_of(
    project: Project, assessor: str, *, repeats: bool = False
) -> Iterator[tuple[Event, Pair, bool]]:
    """Yield each judgment in force of an assessor, its pair, and whether it is of the text of now.

    Of a document that was judged in several norming rounds, the first is the one that nobody talked about before it was made.
    """
    found = grades_in_force(project, assessor)
    events = [
        event for event in found if event.item.occurrence == 1 or (repeats and not is_again(event))
    ]
    current = project.collection.digests(
        list(dict.fromkeys(event.item.documents[0] for event in events))
    )
    for event in events:
        document, content = event.item.documents[0], event.item.contents[0]
        yield event, (event.item.topic, document), content in ("", current.get(document, ""))


def calibration_only(project: Project) -> set[Pair]:
    """Return the calibration documents that are not pooled too."""
    calibration = {
        (topic, document) for topic, grades in project.calibration.items() for document in grades
    }
    pool = project.rankings.pool() if calibration else None
    if pool is None:
        return calibration
    topics = [pool.topics[code] for code in rows_to_topics(pool.starts).tolist()]
    return calibration - set(zip(topics, pool.document.to_pylist(), strict=True))


def _columns(
    project: Project,
    workers: tuple[str, ...],
    pairs: tuple[Pair, ...],
    rows: list[tuple[int, int, int, float, bool]],
) -> Labels:
    item, worker, label, seconds, again = (
        (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [], [])
    )
    return Labels(
        items=tuple(map(" ".join, pairs)),
        workers=workers,
        scale=tuple(map(str, project.scale.values)),
        values=np.array(project.scale.values, dtype=np.float64),
        item=np.array(item, dtype=np.int32),
        worker=np.array(worker, dtype=np.int32),
        label=np.array(label, dtype=np.int32),
        pairs=pairs,
        seconds=np.array(seconds, dtype=np.float64)
        if rows and np.isfinite(seconds).any()
        else None,
        again=np.array(again, dtype=bool) if any(again) else None,
    )

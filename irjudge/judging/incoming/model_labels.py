"""Brings what a model answered into the log: as the model's, with how it was asked, and for no vote."""

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from irjudge.errors import IrjudgeError, Undecided
from irjudge.formats.bytes.utf8 import without_half_characters
from irjudge.formats.judgments.model_labels import ModelLabel, read_model_labels
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.judging.ledger import Ledger, in_order
from irjudge.judging.recorder import utc_now
from irjudge.message import Message
from irjudge.model.event import OF_CLIENTS, Event, EventKind, Item
from irjudge.model.judge import ModelJudge
from irjudge.model.labels import make_labels
from irjudge.progress import SILENT, Progress
from irjudge.stats.agreement.matrix import agreement_of_pairs
from irjudge.store.import_report import ImportReport, keep_report, say_textless
from irjudge.store.project import Project

Pair = tuple[str, str]
BACKWARDS = -0.2  # kappa against people, below which a scale seems to run the other way
ENOUGH = 30  # pairs that people judged too, before such a kappa means something
LONGEST_ANSWER = 20_000  # letters of an answer that are kept
UNKNOWN_PAIR = Oddity(
    "1 label is of a topic or document that the project does not know, and was left out: {first}.",
    "{count} labels are of topics or documents that the project does not know, and were left out, beginning with {first}.",
    key="unknown-pair",
)
NO_SUCH_TEXT = Oddity(
    "1 label is of a text that the project does not hold, and was left out: {first}.",
    "{count} labels are of texts that the project does not hold, and were left out, beginning with {first}.",
    key="no-such-text",
)


def import_model_labels(
    project: Project,
    path: Path,
    judge: ModelJudge,
    *,
    backwards: bool | None = None,
    encoding: str | None = None,
    people: dict[Pair, int] | None = None,
    progress: Progress = SILENT,
) -> ImportReport:
    """Add what a model answered to the log, all or nothing; importing a file twice changes nothing.

    `backwards` says whether the model's scale runs the other way; None where nobody said so, and then it is asked where people, whose
    grades of the pairs are given for that, disagree too much. The encoding is that of a table of text.
    """
    check_free(project, judge.name)
    scale = project.scale.values
    file = read_model_labels(path, scale, encoding=encoding)
    remarks = Remarks()
    labels = list(_known(project, file.labels, remarks))
    if backwards is None:
        _check_direction(path, labels, people or {})
    elif backwards:
        top = dict(zip(scale, reversed(scale), strict=True))
        labels = [
            label if label.grade is None else replace(label, grade=top[label.grade])
            for label in labels
        ]
    report = ImportReport(
        remarks=[*file.remarks, *remarks.about(path.name)],
        files=[without_half_characters(path.name)],
    )
    return keep_model_labels(project, labels, judge, path.name, report, progress)


def keep_model_labels(
    project: Project,
    labels: Sequence[ModelLabel],
    judge: ModelJudge,
    source: str,
    report: ImportReport,
    progress: Progress = SILENT,
) -> ImportReport:
    """Add labels of documents that the project has to the log, all or nothing, and say so in the report; those that stand are left out."""
    with project.transaction():
        fresh = _append(project, labels, judge, source, progress)
        said = Message(
            "Labels of the model {name}: {count:,} read from {file}.",
            name=judge.name,
            count=fresh,
            file=source,
        )
        named = Message(
            "They count nowhere until a source names the model: --source {source}.",
            source=f'"model {judge.name}"',
        )
        report.done += [said, named]
        if len(labels) > fresh:
            stood = len(labels) - fresh
            report.remarks.append(
                Message(
                    "{file}: labels that stood in the project already: {known:,}.",
                    key="known-labels",
                    file=source,
                    known=stood,
                )
            )
        say_textless(project, [label.document for label in labels], source, report)
        keep_report(project, report)
    return report


def check_free(project: Project, name: str) -> None:
    """Refuse a name under which a person judges already."""
    if not name.strip() or name != name.strip():
        raise IrjudgeError(
            "A model needs a name without blanks around it, got {name!r}.", name=name
        )
    if name == project.owner or name in project.events.assessors():
        raise IrjudgeError(
            "{name} is a person in {file}; a model needs another name.",
            key="name-of-a-person",
            name=name,
            file=project.path.name,
        )


def _known(
    project: Project, labels: Sequence[ModelLabel], remarks: Remarks
) -> Iterator[ModelLabel]:
    """Yield the labels of pairs that the project knows, with their ids where the file has texts."""
    topics = {topic.id for topic in project.collection.topics()}
    documents = project.collection.named(
        list(dict.fromkeys(label.document for label in labels if label.document))
    )
    by_title = {_folded(topic.title): topic.id for topic in project.collection.topics()}
    by_text = _texts(project) if any(not label.document for label in labels) else {}
    for label in labels:
        if not label.document:
            topic, document = (
                by_title.get(_folded(label.query), ""),
                by_text.get(_folded(label.passage), ""),
            )
            if not (topic and document):
                remarks.add(NO_SUCH_TEXT, Message("line {line}", line=label.line))
                continue
            label = replace(label, topic=topic, document=document)
        elif (topics and label.topic not in topics) or label.document not in documents:
            where = Message(
                "line {line} ({topic} {document})",
                line=label.line,
                topic=label.topic,
                document=label.document,
            )
            remarks.add(UNKNOWN_PAIR, where)
            continue
        yield label


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _texts(project: Project) -> dict[str, str]:
    """Return the id of each text of the project, by the text with single blanks."""
    return {_folded(document.text): document.id for document in project.collection.documents()}


def _check_direction(path: Path, labels: Sequence[ModelLabel], people: dict[Pair, int]) -> None:
    """Ask where people say the opposite so often that the scale may run backwards."""
    both = [
        (label.pair, label.grade, people[label.pair])
        for label in labels
        if label.grade is not None and label.pair in people
    ]
    if len(both) < ENOUGH:
        return
    rows = [
        (f"{topic}\t{document}", who, grade)
        for (topic, document), *given in both
        for who, grade in zip("mp", given, strict=True)
    ]
    kappa = float(agreement_of_pairs(make_labels(rows), ["kappa-linear"])[0].value[0])
    if kappa < BACKWARDS:
        problem = Message(
            "kappa against people is {kappa:.2f} on {count:,} pairs, as if the scale ran backwards; say --backwards or --not-backwards",
            kappa=kappa,
            count=len(both),
        )
        raise Undecided(path, problem, ("backwards",))


def _append(
    project: Project,
    labels: Sequence[ModelLabel],
    judge: ModelJudge,
    source: str,
    progress: Progress,
) -> int:
    """Write an event for each label that is not there; return how many."""
    ledger = Ledger(in_order(project.events.read(judge.name), project.events.lost())[0])
    head, client = ledger.head, secrets.token_hex(16)
    digests = project.collection.digests(list(dict.fromkeys(label.document for label in labels)))
    shown: dict[Pair, int] = {}
    events: list[Event] = []
    for label in progress.through(
        labels, Message("Reading {file}", file=source), total=len(labels)
    ):
        shown[label.pair] = showing = shown.get(label.pair, 0) + 1
        item = Item(
            label.topic, (label.document,), (digests.get(label.document, ""),), occurrence=showing
        )
        if _stands(ledger, item, label.grade):
            continue
        kind: EventKind = "skip" if label.grade is None else "grade"
        payload = _said(project, label, judge, source)
        event = Event(
            judge.name,
            kind,
            item,
            utc_now(),
            payload,
            None,
            head,
            OF_CLIENTS,
            client,
            len(events) + 1,
            "model",
        )
        events.append(event)
        head = event.digest
    project.events.append_all(events)
    return len(events)


def _stands(ledger: Ledger, item: Item, grade: int | None) -> bool:
    standing = ledger.judgment(item.key)
    if grade is None:
        return standing is None and ledger.skipped(item.key)
    return standing is not None and standing.payload.get("value") == grade


def _said(project: Project, label: ModelLabel, judge: ModelJudge, source: str) -> dict[str, object]:
    """Return what an event keeps beside the grade: where it came from, how it was asked, and what was answered."""
    asked = replace(judge, version=label.version) if label.version and not judge.version else judge
    said: dict[str, object] = {
        "imported": Message("{source}, line {line}", source=source, line=label.line),
        "model": asked.as_payload(),
    }
    said |= (
        {"reason": label.why}
        if label.grade is None
        else {"value": label.grade, "scale": project.scale.version}
    )
    if judge.asked:
        said["judged"] = judge.asked
    if label.probabilities:
        said["probabilities"] = list(label.probabilities)
    if label.answer:
        said["answer"] = label.answer[:LONGEST_ANSWER]
    return said

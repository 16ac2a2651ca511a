"""Judgments imported from files, crowd platforms and models; sample projects."""

import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

from irjudge.errors import FormatError, IrjudgeError, ProjectError, Undecided
from irjudge.formats import DEFAULT_READING, ReaderWarnings, ReadingOptions, WarningKind
from irjudge.formats.bytes import replace_file, replace_surrogates
from irjudge.formats.judgments import (
    ASSESSOR_COLUMN,
    JudgingTask,
    JudgmentFile,
    LabelRow,
    ModelLabel,
    RatingsFile,
    is_model_label_file,
    looks_like_model,
    make_item_id,
    read_crowd_header,
    read_judgments,
    read_model_labels,
    read_rating_book,
)
from irjudge.formats.rows import ColumnMapping
from irjudge.judging.judged_qrels import list_qrels_choices, list_qrels_rows
from irjudge.judging.ledger import Ledger, sort_events
from irjudge.message import Message
from irjudge.model import (
    CLIENT_VERSION,
    UNJUDGEABLE,
    UNJUDGEABLE_REASONS,
    Actor,
    Event,
    EventKind,
    Item,
    ModelJudge,
    Pool,
    Scale,
    Topic,
    make_labels,
    topic_of_each_row,
    utc_now,
)
from irjudge.pooling import PoolOptions, build_pool
from irjudge.progress import SILENT, Progress
from irjudge.stats.agreement import agreement_of_pairs
from irjudge.store import (
    ImportReport,
    Project,
    create_project,
    import_queries,
    import_sources,
    load_column_mapping,
    sample_sources,
    save_column_mapping,
    save_import_report,
    shown_fields_of,
    warn_missing_texts,
    warn_unknown_topics,
)
from irjudge.text import extract_plain_text

# The pool as tasks for a crowd platform, and what an item that comes back stands for.

Pair = tuple[str, str]
_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


def list_pairs(pool: Pool) -> list[Pair]:
    """Return (topic, document) of each row of a pool, in its order."""
    topics = [pool.topics[code] for code in topic_of_each_row(pool.starts).tolist()]
    return list(zip(topics, pool.document.to_pylist(), strict=True))


def map_items_to_pairs(project: Project) -> dict[str, Pair]:
    """Return what each item of a task file stands for: the pairs of all pools, since files of an earlier one may come back."""
    pools = (
        project.rankings.pool(version) for version in range(1, project.rankings.pool_version() + 1)
    )
    return {
        make_item_id(*pair): pair for pool in pools if pool is not None for pair in list_pairs(pool)
    }


def list_readable_pairs(project: Project) -> tuple[list[Pair], list[str]]:
    """Return the pairs of the newest pool whose document has words to show, in pool order, and the documents that have none."""
    pool = project.rankings.pool()
    if pool is None:
        raise ProjectError("{file} has no pool; build one first.", file=project.path.name)
    pairs = list_pairs(pool)
    documents = list(dict.fromkeys(document for _, document in pairs))
    shown = project.collection.with_words(documents)
    return [pair for pair in pairs if pair[1] in shown], [
        document for document in documents if document not in shown
    ]


def make_tasks(
    project: Project, pairs: list[Pair], progress: Progress = SILENT
) -> Iterator[JudgingTask]:
    """Yield the task of each pair. Documents are read one at a time: their texts may be more than memory holds."""
    topics = {topic.id: topic for topic in project.collection.topics()}
    for topic, document in progress.through(pairs, Message("Writing tasks"), total=len(pairs)):
        yield _make_task(project, topics.get(topic, Topic(topic, "")), document)


def _make_task(project: Project, topic: Topic, id: str) -> JudgingTask:
    document = project.collection.document(id)
    if document is None:
        raise ProjectError(
            "{file} is damaged: document {id} has no text any more.", file=project.path.name, id=id
        )
    lines = (
        *(f"{name}: {text}" for name, text in shown_fields_of(project, document)),
        extract_plain_text(document, far=None),
    )
    words = "\n".join(filter(None, lines)).replace(
        "\0", "\N{REPLACEMENT CHARACTER}"
    )  # which no table can hold
    title = document.title or project.collection.titles([id])[id]
    url = id if _ADDRESS.fullmatch(id) else ""
    return JudgingTask(
        make_item_id(topic.id, id), topic.id, topic.title, topic.description, id, title, words, url
    )


# Brings what a model answered into the log: as the model's, with how it was asked, and for no vote.

REVERSED_KAPPA = -0.2  # kappa against people, below which a scale seems to run the other way
MIN_KAPPA_PAIRS = 30  # pairs that people judged too, before such a kappa means something
MAX_ANSWER_CHARACTERS = 20_000  # letters of an answer that are kept
UNKNOWN_PAIR = WarningKind(
    "1 label is of a topic or document that the project does not know, and was left out: {first}.",
    "{count} labels are of topics or documents that the project does not know, and were left out, beginning with {first}.",
    key="unknown-pair",
)
NO_SUCH_TEXT = WarningKind(
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
    check_model_name(project, judge.name)
    scale = project.scale.values
    file = read_model_labels(path, scale, encoding=encoding)
    remarks = ReaderWarnings()
    labels = list(_match_labels(project, file.labels, remarks))
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
        files=[replace_surrogates(path.name)],
    )
    return store_model_labels(project, labels, judge, path.name, report, progress)


def store_model_labels(
    project: Project,
    labels: Sequence[ModelLabel],
    judge: ModelJudge,
    source: str,
    report: ImportReport,
    progress: Progress = SILENT,
) -> ImportReport:
    """Add labels of documents that the project has to the log, all or nothing, and say so in the report; those that stand are left out."""
    with project.transaction():
        fresh = _append_labels(project, labels, judge, source, progress)
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
        warn_missing_texts(project, [label.document for label in labels], source, report)
        save_import_report(project, report)
    return report


def check_model_name(project: Project, name: str) -> None:
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


def _match_labels(
    project: Project, labels: Sequence[ModelLabel], remarks: ReaderWarnings
) -> Iterator[ModelLabel]:
    """Yield the labels of pairs that the project knows, with their ids where the file has texts."""
    topics = {topic.id for topic in project.collection.topics()}
    documents = project.collection.named(
        list(dict.fromkeys(label.document for label in labels if label.document))
    )
    by_title = {_normalize_text(topic.title): topic.id for topic in project.collection.topics()}
    by_text = _map_texts_to_ids(project) if any(not label.document for label in labels) else {}
    for label in labels:
        if not label.document:
            topic, document = (
                by_title.get(_normalize_text(label.query), ""),
                by_text.get(_normalize_text(label.passage), ""),
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


def _normalize_text(text: str) -> str:
    return " ".join(text.split()).casefold()


def _map_texts_to_ids(project: Project) -> dict[str, str]:
    """Return the id of each text of the project, by the text with single blanks."""
    return {
        _normalize_text(document.text): document.id for document in project.collection.documents()
    }


def _check_direction(path: Path, labels: Sequence[ModelLabel], people: dict[Pair, int]) -> None:
    """Ask where people say the opposite so often that the scale may run backwards."""
    both = [
        (label.pair, label.grade, people[label.pair])
        for label in labels
        if label.grade is not None and label.pair in people
    ]
    if len(both) < MIN_KAPPA_PAIRS:
        return
    rows = [
        (f"{topic}\t{document}", who, grade)
        for (topic, document), *given in both
        for who, grade in zip("mp", given, strict=True)
    ]
    kappa = float(agreement_of_pairs(make_labels(rows), ["kappa-linear"])[0].value[0])
    if kappa < REVERSED_KAPPA:
        problem = Message(
            "kappa against people is {kappa:.2f} on {count:,} pairs, as if the scale ran backwards; say --backwards or --not-backwards",
            kappa=kappa,
            count=len(both),
        )
        raise Undecided(path, problem, ("backwards",))


def _append_labels(
    project: Project,
    labels: Sequence[ModelLabel],
    judge: ModelJudge,
    source: str,
    progress: Progress,
) -> int:
    """Write an event for each label that is not there; return how many."""
    ledger = Ledger(sort_events(project.events.read(judge.name), project.events.lost())[0])
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
        if _is_recorded(ledger, item, label.grade):
            continue
        kind: EventKind = "skip" if label.grade is None else "grade"
        payload = _model_payload(project, label, judge, source)
        event = Event(
            judge.name,
            kind,
            item,
            utc_now(),
            payload,
            None,
            head,
            CLIENT_VERSION,
            client,
            len(events) + 1,
            "model",
        )
        events.append(event)
        head = event.digest
    project.events.append_all(events)
    return len(events)


def _is_recorded(ledger: Ledger, item: Item, grade: int | None) -> bool:
    standing = ledger.judgment(item.key)
    if grade is None:
        return standing is None and ledger.skipped(item.key)
    return standing is not None and standing.payload.get("value") == grade


def _model_payload(
    project: Project, label: ModelLabel, judge: ModelJudge, source: str
) -> dict[str, object]:
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
        said["answer"] = label.answer[:MAX_ANSWER_CHARACTERS]
    return said


# Brings judgments made elsewhere into the log of a project, one event each.

OTHER_ITEM = WarningKind(
    "1 row names another topic or document than its item stands for, and the item was taken: {first}.",
    "{count} rows name another topic or document than their items stand for, and the items were taken, beginning with {first}.",
    key="other-item-named",
)
OTHER_REASON = "other"  # of REASONS
ALL_ASSESSORS = "all"  # the assessors of a table


def import_judgments(
    project: Project, path: Path, how: ReadingOptions = DEFAULT_READING, progress: Progress = SILENT
) -> ImportReport:
    """Add a table of judgments, of irjudge or of any platform; each becomes an event of its assessor. All of them or none.

    One that says what stands already is left out and counted, so that importing a file twice changes nothing. Columns that were said
    are remembered in the project, and read the same way in the next table with the same header, which is said.

    A file that names no assessor can only be what a model answered, and `how` has to name the model. An assessor whose name is like that
    of a model, and of whom nobody said what it is, is asked about.
    """
    if how.judge and _names_no_assessor(path, how):
        people = read_human_grades(project)
        return import_model_labels(
            project,
            path,
            how.judge,
            backwards=how.backwards,
            encoding=how.encoding,
            people=people,
            progress=progress,
        )
    book = None if how.columns else read_rating_book(path)
    file, remarks = _read_table(project, path, how, book)
    rows = _resolve_items(project, path, file.rows, remarks)
    _check_occurrences(path, rows)
    actors = _classify_assessors(project, path, rows, how)
    report = ImportReport(remarks=remarks, files=[replace_surrogates(path.name)])
    ledgers: dict[str, Ledger] = {}
    known, client = 0, secrets.token_hex(16)
    with project.transaction():
        if book:  # its queries are known by their texts
            ids = import_queries(project, path, book, report)
            rows = [replace(row, topic=ids[row.topic]) for row in rows]
        if how.columns and file.header:
            save_column_mapping(project, "judgments", file.header, how.columns)
        for row in progress.through(
            rows, Message("Reading {file}", file=path.name), total=len(rows)
        ):
            if (
                row.assessor not in ledgers
            ):  # of its own: should the import fail, the project's ledgers must not know of it
                ledgers[row.assessor] = Ledger(
                    sort_events(project.events.read(row.assessor), project.events.lost())[0]
                )
            ledger = ledgers[row.assessor]
            event = _make_event(project, row, ledger, path.name)
            if actors[row.assessor] == "model":
                event = _attribute_to_model(event, how.judge, client, row.line)
            known += not _add_event(project, row, ledger, event)
        _report_import(project, path.name, rows, report, known=known, assessors=len(ledgers))
        save_import_report(project, report)
    return report


def _add_event(project: Project, row: LabelRow, ledger: Ledger, event: Event) -> bool:
    """Add an event and what is marked beside it, unless it stands already; tell whether it was added."""
    standing = ledger.judgment(event.item.key)
    if standing is not None and (standing.kind, standing.payload.get("value")) == (
        event.kind,
        event.payload.get("value"),
    ):
        return False
    for each in (event, *_make_mark_events(event, row)):
        project.events.append(each)
        ledger.apply(each)
    return True


def _report_import(
    project: Project,
    file: str,
    rows: Sequence[LabelRow],
    report: ImportReport,
    *,
    known: int,
    assessors: int,
) -> None:
    report.done.append(
        Message(
            "Judgments: {rows:,} read from {file}. Assessors: {ledgers:,}.",
            rows=len(rows) - known,
            file=file,
            ledgers=assessors,
        )
    )
    warn_unknown_topics(project, list(dict.fromkeys(row.topic for row in rows)), file, report)
    warn_missing_texts(project, [row.document for row in rows], file, report)
    if known:
        report.remarks.append(
            Message(
                "{file}: judgments that stood in the project already: {known:,}.",
                key="known-judgments",
                file=file,
                known=known,
            )
        )


def _names_no_assessor(path: Path, how: ReadingOptions) -> bool:
    """Tell whether a file says of none of its labels who gave them."""
    if is_model_label_file(path):
        return read_rating_book(path) is None
    header = {name.strip().lower() for name in read_crowd_header(path, how.encoding)}
    return header.isdisjoint(ASSESSOR_COLUMN.known) and "assessor" not in dict(how.columns.named)


def read_human_grades(project: Project) -> dict[tuple[str, str], int]:
    """Return the grades of people, as the qrels have them that numbers rest on; empty where there are none."""
    if not list_qrels_choices(project):
        return {}
    return {
        (topic, document): grade
        for topic, document, grade in list_qrels_rows(project)
        if grade >= 0
    }


def _classify_assessors(
    project: Project, path: Path, rows: Sequence[LabelRow], how: ReadingOptions
) -> dict[str, Actor]:
    """Return what each assessor of a table is, and refuse one that was something else before."""
    found: dict[str, Actor] = {}
    for row in rows:
        if (
            found.setdefault(
                row.assessor,
                kind := row.kind
                or found.get(row.assessor)
                or _classify_assessor(project, path, row, how),
            )
            != kind
        ):
            problem = Message(
                "{name} is a person in one row and a model in another", name=row.assessor
            )
            raise FormatError(path, problem, row.line)
    for name, kind in found.items():
        if kind == "model":
            check_model_name(project, name)
        elif name in project.events.models():
            raise FormatError(
                path,
                Message(
                    "{name} is a model in the project, and here a person",
                    key="name-of-a-model",
                    name=name,
                ),
            )
    return found


def _classify_assessor(project: Project, path: Path, row: LabelRow, how: ReadingOptions) -> Actor:
    name = row.assessor
    if name in project.events.models() or (how.judge and how.judge.name in (name, ALL_ASSESSORS)):
        return "model"
    if (
        name in project.events.assessors()
        or how.person in (name, ALL_ASSESSORS)
        or not looks_like_model(name)
    ):
        return "person"
    problem = Message(
        "{name} may be the name of a model; say --as model {name} or --as person {name}, or give a column kind",
        key="model-or-person",
        name=name,
    )
    raise Undecided(path, problem, ("judge",), row.line)


def _attribute_to_model(event: Event, judge: ModelJudge | None, client: str, number: int) -> Event:
    """Return a judgment as one that a model made."""
    said = replace(judge, name=event.assessor) if judge else ModelJudge(event.assessor)
    payload = {**event.payload, "model": said.as_payload()}
    return replace(
        event, payload=payload, version=CLIENT_VERSION, client=client, number=number, actor="model"
    )


class ScaleVocabulary(TypedDict):
    """What a scale says of the grades in a table: what they are called, in small letters, and which there are."""

    words: dict[str, int]
    scale: tuple[int, ...]


def make_scale_vocabulary(scale: Scale) -> ScaleVocabulary:
    """Return what `read_judgments` needs to know of a scale."""
    return {
        "words": {grade.label.casefold(): grade.value for grade in scale.grades if grade.label},
        "scale": scale.values,
    }


def _read_table(
    project: Project, path: Path, how: ReadingOptions, book: RatingsFile | None
) -> tuple[JudgmentFile, list[str]]:
    """Read a table with the columns that were said, or else with those that were said of its header before; a book has none."""
    columns = how.columns or (
        ColumnMapping()
        if book
        else load_column_mapping(project, "judgments", read_crowd_header(path, how.encoding))
    )
    file = read_judgments(
        path,
        columns=columns,
        encoding=how.encoding,
        **make_scale_vocabulary(project.scale),
        grades=how.grades,
    )
    remarks = list(file.remarks)
    if columns and not how.columns:
        remarks.append(
            Message(
                "{file}: read as the file before with the same header: {reading}.",
                key="read-as-before",
                file=path.name,
                reading=file.reading,
            )
        )
    return file, remarks


def _resolve_items(
    project: Project, path: Path, rows: Sequence[LabelRow], said: list[str]
) -> list[LabelRow]:
    """Return the rows with the topic and document that their items stand for."""
    known = map_items_to_pairs(project) if any(row.item for row in rows) else {}
    remarks = ReaderWarnings()
    found = [_resolve_item(path, row, known, remarks) for row in rows]
    said += remarks.about(path.name)
    return found


def _resolve_item(
    path: Path, row: LabelRow, known: Mapping[str, tuple[str, str]], remarks: ReaderWarnings
) -> LabelRow:
    pair = known.get(row.item)
    if pair is None:
        if not (row.topic and row.document):
            problem = Message(
                "the item {item!r} stands for no document, expected one of a file that `irjudge export --tasks` wrote of this project",
                key="unknown-item",
                item=row.item,
            )
            raise FormatError(path, problem, row.line)
        return row
    if any(
        said and said != meant for said, meant in zip((row.topic, row.document), pair, strict=True)
    ):
        remarks.add(OTHER_ITEM, Message("line {line}", line=row.line))
    return replace(row, topic=pair[0], document=pair[1])


def _check_occurrences(path: Path, rows: Sequence[LabelRow]) -> None:
    """Refuse showings that cannot be."""
    for row in rows:
        if row.showing < 1:
            raise FormatError(
                path,
                Message(
                    "showing is {showing}, expected 1 or more",
                    key="invalid-showing",
                    showing=row.showing,
                ),
                row.line,
            )


def _make_event(project: Project, row: LabelRow, ledger: Ledger, source: str) -> Event:
    digest = project.collection.digest(row.document)
    item = Item(
        row.topic, (row.document,), (digest.hex() if digest else "",), occurrence=row.showing
    )
    spent = round(row.seconds * 1000) if row.seconds is not None else 0
    payload: dict[str, object] = {
        "active_ms": spent,
        "imported": Message("{source}, line {line}", source=source, line=row.line),
    }
    if row.time:
        payload["judged"] = row.time  # as the table says it; the event's own time orders the log
    if row.grade == UNJUDGEABLE:
        payload["reason"] = row.because if row.because in UNJUDGEABLE_REASONS else OTHER_REASON
        return Event(row.assessor, "unjudgeable", item, utc_now(), payload, None, ledger.head)
    payload |= {"value": row.grade, "scale": project.scale.version}
    return Event(row.assessor, "grade", item, utc_now(), payload, None, ledger.head)


def _make_mark_events(event: Event, row: LabelRow) -> Iterator[Event]:
    """Yield the events of flag, note and rationales of a row, each after the one before."""
    said: list[tuple[EventKind, dict[str, object]]] = (
        [("unsure", {"value": True})] if row.unsure else []
    )
    said += [("note", {"text": row.note})] if row.note else []
    said += [
        ("rationale", {"text": each.text, "position": [each.begin, each.end]})
        for each in row.rationales
    ]
    last = event
    for kind, payload in said:
        last = Event(event.assessor, kind, event.item, event.time, payload, None, last.digest)
        yield last


# Makes a project of a shipped collection, with what its assessors judged where that belongs to it.


@dataclass(frozen=True, slots=True)
class JudgedSample:
    """What was judged of a collection: the table of judgments in its folder, and how deep the pool was."""

    table: str
    depth: int


CACHE_FOLDER = "__pycache__"  # a folder beside scripts that were run
# The other collections are there to be judged, or for their measures.
JUDGED_SAMPLES = {"harbour": JudgedSample("judgments.csv", 10)}


def create_sample_project(path: Path, name: str, *, progress: Progress = SILENT) -> ImportReport:
    """Make a project of a shipped collection, with its pool and its assessors' judgments where it has them."""
    sources, scale = sample_sources(name)
    with create_project(path, scale=scale, title=name) as project:
        report = import_sources(project, sources, progress)
        if name in JUDGED_SAMPLES:
            _import_sample_judgments(
                project, sources.topics[0].parent, JUDGED_SAMPLES[name], report, progress
            )
    return report


def copy_sample(name: str, folder: Path) -> None:
    """Copy the files of a shipped collection into a folder that is made; those that the project has not taken are there too."""
    source = sample_sources(name)[0].topics[0].parent
    try:
        folder.mkdir()
        for file in sorted(source.rglob("*")):
            place = folder / file.relative_to(source)
            if file.is_dir() and file.name != CACHE_FOLDER:
                place.mkdir()
            elif file.is_file() and file.parent.name != CACHE_FOLDER:
                with replace_file(place) as part:
                    part.write_bytes(file.read_bytes())
    except FileExistsError as fault:
        raise IrjudgeError(
            "{folder} exists already. Choose another name; nothing was overwritten.",
            folder=folder.name,
        ) from fault
    except OSError as fault:
        raise IrjudgeError(
            "The files could not be copied to {folder}: {fault}.", folder=str(folder), fault=fault
        ) from fault


def _import_sample_judgments(
    project: Project, folder: Path, judged: JudgedSample, report: ImportReport, progress: Progress
) -> None:
    """Build the pool that was judged, and add the judgments to the log; `report` says so."""
    runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
    pool = build_pool(runs, PoolOptions(depth=judged.depth), progress=progress)
    project.rankings.add_pool(pool)
    report.done.append(
        Message(
            "Pool: {pairs:,} pairs from the top {depth} of each run.",
            key="pool",
            pairs=len(pool),
            depth=judged.depth,
        )
    )
    taken = import_judgments(project, folder / judged.table, progress=progress)
    report.done += taken.done
    report.remarks += taken.remarks

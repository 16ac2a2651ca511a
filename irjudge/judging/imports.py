"""Judgments imported from files, crowd platforms and models; sample projects."""

import re
import secrets
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypedDict

from irjudge.errors import FormatError, IrjudgeError, ProjectError, Undecided
from irjudge.formats import DEFAULT_READING, ReaderWarnings, ReadingOptions, WarningKind
from irjudge.formats.bytes import replace_file, replace_surrogates
from irjudge.formats.judgments import (
    ASSESSOR_COLUMN,
    JUDGMENT_PARTS,
    JudgingTask,
    JudgmentFile,
    JudgmentFileRow,
    ModelLabel,
    RatingsFile,
    is_label_tool_export,
    is_model_label_file,
    is_qrels_file,
    looks_like_model,
    make_item_id,
    read_crowd_header,
    read_judgments,
    read_llm_judgments,
    read_model_labels,
    read_rating_book,
)
from irjudge.formats.rankings import GradeRules
from irjudge.formats.rows import AS_RECOGNISED, MAX_SHOWN_CHARACTERS, ColumnMapping
from irjudge.judging.judged_qrels import read_human_grades
from irjudge.judging.ledger import Ledger, Marks, sort_events
from irjudge.judging.model_judgments import read_newest_grades
from irjudge.judging.sources import list_pool_pairs
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
    Pair,
    Pool,
    Scale,
    Topic,
    make_labels,
    normalise_query,
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
    scale_rules,
    shown_fields_of,
    warn_missing_texts,
    warn_unknown_topics,
)
from irjudge.text import extract_plain_text

# Tasks for crowd platforms

_ADDRESS = re.compile(r"https?://\S+", re.IGNORECASE)


def list_pairs(pool: Pool) -> list[Pair]:
    """Return the (topic, document) pair of each row of a pool, in pool order."""
    return [*list_pool_pairs(pool)]


def map_items_to_pairs(project: Project) -> dict[str, Pair]:
    """Return the topic and document of each item id, for the documents of all pools.

    Earlier pools are included, since files to be imported may belong to them.
    """
    pools = (
        project.rankings.pool(version) for version in range(1, project.rankings.pool_version() + 1)
    )
    return {
        make_item_id(*pair): pair for pool in pools if pool is not None for pair in list_pairs(pool)
    }


def list_readable_pairs(project: Project) -> tuple[list[Pair], list[str]]:
    """Return the pairs of the newest pool with readable documents, and the unreadable documents.

    An image, or a document with neither text nor fields, is not readable.
    """
    pool = project.rankings.pool()
    if pool is None:
        raise ProjectError("{file} has no pool; build one first.", file=project.path.name)
    pairs = list_pairs(pool)
    documents = list(dict.fromkeys(document for _, document in pairs))
    readable_documents = project.collection.with_readable_text(documents)
    return [pair for pair in pairs if pair[1] in readable_documents], [
        document for document in documents if document not in readable_documents
    ]


def make_tasks(
    project: Project, pairs: list[Pair], progress: Progress = SILENT
) -> Iterator[JudgingTask]:
    """Yield the judging task of each pair.

    Documents are read one at a time, since all texts together may not fit into memory.
    """
    topics = {topic.id: topic for topic in project.collection.topics()}
    for topic, document in progress.track(pairs, Message("Writing task files"), total=len(pairs)):
        yield _make_task(project, topics.get(topic, Topic(topic, "")), document)


def _make_task(project: Project, topic: Topic, id: str) -> JudgingTask:
    document = project.collection.document(id)
    if document is None:
        raise ProjectError(
            "{file} is damaged: the text of document {id} is missing.",
            file=project.path.name,
            id=id,
        )
    lines = (
        *(f"{name}: {text}" for name, text in shown_fields_of(project, document)),
        extract_plain_text(document, max_characters=None),
    )
    # Tables cannot contain the null character.
    text = "\n".join(filter(None, lines)).replace("\0", "\N{REPLACEMENT CHARACTER}")
    title = document.title or project.collection.titles([id])[id]
    url = id if _ADDRESS.fullmatch(id) else ""
    return JudgingTask(
        make_item_id(topic.id, id), topic.id, topic.title, topic.description, id, title, text, url
    )


# Judgments of models. They are stored with the settings of the request, and are not votes.

REVERSED_KAPPA = -0.2  # kappa with the assessors below which a model's scale seems reversed
MIN_KAPPA_PAIRS = 30  # minimum number of pairs judged by both model and assessors to compute kappa
MAX_ANSWER_CHARACTERS = 20_000  # maximum length of a stored answer
UNKNOWN_PAIR = WarningKind(
    "Skipped 1 label whose topic or document is not in the project: {first}.",
    "Skipped {count} labels whose topics or documents are not in the project. First: {first}.",
    key="unknown-pair",
)
NO_SUCH_TEXT = WarningKind(
    "Skipped 1 label whose text is not in the project: {first}.",
    "Skipped {count} labels whose texts are not in the project. First: {first}.",
    key="no-such-text",
)


def import_model_labels(
    project: Project,
    path: Path,
    judge: ModelJudge,
    *,
    is_reversed: bool | None = None,
    columns: ColumnMapping = AS_RECOGNISED,
    encoding: str | None = None,
    rules: GradeRules | None = None,
    assessor_grades: dict[Pair, int] | None = None,
    progress: Progress = SILENT,
) -> ImportReport:
    """Add the judgments of a model to the log; if an error occurs, nothing is added.

    Importing a file again has no effect. `is_reversed` is whether the model's scale is reversed. If
    it is None, Undecided is raised when the grades disagree too much with the assessors' grades
    (`assessor_grades`). `encoding` is that of a text table; `rules` convert words and ratings to
    grades.
    """
    check_model_name(project, judge.name)
    scale = project.scale.values
    file = read_model_labels(path, scale, columns=columns, encoding=encoding, rules=rules)
    warnings = ReaderWarnings()
    labels = list(_match_labels(project, file.labels, warnings))
    if is_reversed is None:
        _check_direction(path, labels, assessor_grades or {})
    elif is_reversed:
        reversed_grades = dict(zip(scale, reversed(scale), strict=True))
        labels = [
            label if label.grade is None else replace(label, grade=reversed_grades[label.grade])
            for label in labels
        ]
    report = ImportReport(
        warnings=[*file.warnings, *warnings.format_for(path.name)],
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
    """Add a model's labels to the log, or none if an error occurs, and extend the report.

    Labels that equal a current judgment are not added.
    """
    with project.transaction():
        added_count = _append_labels(project, labels, judge, source, progress)
        message = Message(
            "Labels of the model {name} read from {file}: {count:,}.",
            name=judge.name,
            count=added_count,
            file=source,
        )
        summary = Message(
            "The labels are not used until you select them as qrels with --source {source}.",
            source=f'"model {judge.name}"',
        )
        report.sentences += [message, summary]
        if len(labels) > added_count:
            already_stored = len(labels) - added_count
            report.warnings.append(
                Message(
                    "{file}: labels already in the project: {count:,}.",
                    key="known-labels",
                    file=source,
                    count=already_stored,
                )
            )
        warn_missing_texts(project, [label.document for label in labels], source, report)
        save_import_report(project, report)
    return report


def check_model_name(project: Project, name: str) -> None:
    """Raise IrjudgeError if a name is invalid for a model or is the name of an assessor."""
    if not name.strip() or name != name.strip():
        raise IrjudgeError(
            "A model name must not be empty or begin or end with a space, got {name!r}.", name=name
        )
    if name == project.owner or name in project.events.assessors():
        raise IrjudgeError(
            "{name} is an assessor in {file}; a model needs another name.",
            key="name-of-a-person",
            name=name,
            file=project.path.name,
        )


def _match_labels(
    project: Project, labels: Sequence[ModelLabel], warnings: ReaderWarnings
) -> Iterator[ModelLabel]:
    """Yield the labels whose topic and document are in the project; warn about the others.

    Texts of queries and documents are replaced by ids.
    """
    topics = {topic.id for topic in project.collection.topics()}
    documents = project.collection.known_ids(
        list(dict.fromkeys(label.document for label in labels if label.document))
    )
    topic_ids_by_title = {
        _normalize_text(topic.title): topic.id
        for topic in reversed(project.collection.topics())  # the first of topics with equal titles
    }
    pairs_by_index = _match_texts(project, labels, topic_ids_by_title)
    for index, label in enumerate(labels):
        if not label.document:
            if index not in pairs_by_index:
                warnings.add(NO_SUCH_TEXT, Message("line {line}", line=label.line))
            for topic, id in pairs_by_index.get(index, ()):
                yield replace(label, topic=topic, document=id)
            continue
        if topics and label.query and label.topic not in topics:
            label = replace(
                label, topic=topic_ids_by_title.get(_normalize_text(label.query), label.topic)
            )
        if (topics and label.topic not in topics) or label.document not in documents:
            location = Message(
                "line {line} ({topic} {document})",
                line=label.line,
                topic=label.topic,
                document=label.document,
            )
            warnings.add(UNKNOWN_PAIR, location)
            continue
        yield label


def _match_texts(
    project: Project, labels: Sequence[ModelLabel], topic_ids_by_title: Mapping[str, str]
) -> dict[int, list[Pair]]:
    """Return the pairs of each label that has texts instead of ids, by the index of the label.

    Of several documents with the same text, a label is about those in the pool. If several labels
    have the same texts, the documents are divided among them, so that a document has several labels
    only if there are more labels than documents. Labels without a match are omitted.
    """
    texts_by_index = {
        index: (
            topic_ids_by_title.get(_normalize_text(label.query), ""),
            _normalize_text(label.passage),
        )
        for index, label in enumerate(labels)
        if not label.document
    }
    passages = {passage for _, passage in texts_by_index.values()}
    passage_by_id = {
        document.id: passage
        for document in (project.collection.documents() if passages else ())
        if (passage := _normalize_text(document.text)) in passages
    }
    first_ids = {passage: id for id, passage in reversed(passage_by_id.items())}
    pooled_ids = defaultdict[tuple[str, str], list[str]](list)
    for topic, id in list_pool_pairs(project.rankings.pool()) if passages else ():
        if id in passage_by_id:
            pooled_ids[topic, passage_by_id[id]].append(id)
    label_counts, positions = Counter(texts_by_index.values()), Counter[tuple[str, str]]()
    pairs_by_index: dict[int, list[Pair]] = {}
    for index, (topic, passage) in texts_by_index.items():
        texts = topic, passage
        if topic and passage in first_ids:
            ids = pooled_ids.get(texts) or [first_ids[passage]]
            own_ids = ids[positions[texts] % len(ids) :: label_counts[texts]]
            pairs_by_index[index] = [(topic, id) for id in own_ids]
            positions[texts] += 1
    return pairs_by_index


def _normalize_text(text: str) -> str:
    return " ".join(text.split()).casefold()


def _check_direction(
    path: Path, labels: Sequence[ModelLabel], assessor_grades: dict[Pair, int]
) -> None:
    """Raise Undecided if kappa with the assessors suggests that the model's scale is reversed."""
    grade_pairs = [
        (label.pair, label.grade, assessor_grades[label.pair])
        for label in labels
        if label.grade is not None and label.pair in assessor_grades
    ]
    if len(grade_pairs) < MIN_KAPPA_PAIRS:
        return
    rows = [
        (f"{topic}\t{document}", rater, grade)
        for (topic, document), *grade_pair in grade_pairs
        for rater, grade in zip("mp", grade_pair, strict=True)
    ]
    kappa = float(agreement_of_pairs(make_labels(rows), ["kappa-linear"])[0].value[0])
    if kappa < REVERSED_KAPPA:
        problem = Message(
            "kappa with human grades is {kappa:.2f} on {count:,} pairs, as if the scale were "
            "reversed; choose --backwards or --not-backwards",
            kappa=kappa,
            count=len(grade_pairs),
        )
        raise Undecided(path, problem, ("backwards",))


def _append_labels(
    project: Project,
    labels: Sequence[ModelLabel],
    judge: ModelJudge,
    source: str,
    progress: Progress,
) -> int:
    """Write an event for each label that is not in the log; return the number of events."""
    ledger = Ledger(sort_events(project.events.read(judge.name), project.events.lost_digests())[0])
    parent, client = ledger.head, secrets.token_hex(16)
    digests = project.collection.digests(list(dict.fromkeys(label.document for label in labels)))
    presentation_counts: dict[Pair, int] = {}
    events: list[Event] = []
    grades = read_newest_grades(ledger)
    last_labels = {label.pair: label for label in labels if label.grade is not None}
    for label in progress.track(labels, Message("Reading {file}", file=source), total=len(labels)):
        presentation_counts[label.pair] = occurrence = presentation_counts.get(label.pair, 0) + 1
        item = Item(
            label.topic,
            (label.document,),
            (digests.get(label.document, ""),),
            occurrence=occurrence,
        )
        # the last grade in the file becomes the grade of the pair
        is_newer = label is last_labels.get(label.pair) and label.grade != grades.get(label.pair)
        if not is_newer and _is_recorded(ledger, item, label.grade):
            continue
        kind: EventKind = "skip" if label.grade is None else "grade"
        payload = _make_model_payload(project, label, judge, source)
        event = Event(
            judge.name,
            kind,
            item,
            utc_now(),
            payload,
            None,
            parent,
            CLIENT_VERSION,
            client,
            len(events) + 1,
            "model",
        )
        events.append(event)
        parent = event.digest
        if label.grade is not None:
            grades[label.pair] = label.grade
    project.events.append_all(events)
    return len(events)


def _is_recorded(ledger: Ledger, item: Item, grade: int | None) -> bool:
    judgment = ledger.judgment(item.key)
    if grade is None:  # an answer without a grade does not replace a judgment
        return any(event.kind == "skip" for event in ledger.history(item.key))
    return judgment is not None and judgment.payload.get("value") == grade


def _make_model_payload(
    project: Project, label: ModelLabel, judge: ModelJudge, source: str
) -> dict[str, object]:
    """Return the payload of a model's judgment: source, settings of the request, and answer."""
    answering_model = (
        replace(judge, version=label.version) if label.version and not judge.version else judge
    )
    payload: dict[str, object] = {
        "imported": f"{source}, line {label.line}",
        "model": answering_model.as_payload(),
    }
    payload |= (
        {"reason": label.missing_reason}
        if label.grade is None
        else {"value": label.grade, "scale": project.scale.version}
    )
    if judge.asked:
        payload["judged"] = judge.asked
    if label.probabilities:
        payload["probabilities"] = list(label.probabilities)
    if label.answer:
        payload["answer"] = label.answer[:MAX_ANSWER_CHARACTERS]
    return payload


# Judgments made in other programs

OTHER_ITEM = WarningKind(
    "1 row names a different topic or document than its item; the topic and document of the "
    "item are used: {first}.",
    "{count} rows name a different topic or document than their items; the topics and "
    "documents of the items are used. First: {first}.",
    key="other-item-named",
)
OTHER_REASON = "other"  # reason for rows with none of UNJUDGEABLE_REASONS
ITEM_SEPARATORS = "_-:/| #\t"
ALL_ASSESSORS = "all"  # used in place of a name for all assessors of a table


def import_judgments(
    project: Project,
    path: Path,
    reading_options: ReadingOptions = DEFAULT_READING,
    progress: Progress = SILENT,
) -> ImportReport:
    """Add a table of judgments to the log; if an error occurs, nothing is added.

    Each row becomes an event of its assessor. Rows that equal a current judgment are skipped and
    counted, so that importing a file again has no effect; new notes, flags and rationales of these
    judgments are added. If an item has several rows, the last one counts. A column mapping is saved
    in the project. The saved mapping is used, with a message, for the next table with the same
    header.

    For a file without assessors, `reading_options` must name the assessor or model. If the name of
    an assessor resembles that of a model, Undecided is raised unless `reading_options` specifies
    which it is.
    """
    judge = _find_model_judge(path, reading_options)
    if judge is not None:
        return import_model_labels(
            project,
            path,
            judge,
            is_reversed=reading_options.backwards,
            columns=reading_options.columns,
            encoding=reading_options.encoding,
            rules=scale_rules(project, reading_options),
            assessor_grades={
                pair: grade for pair, grade in read_human_grades(project).items() if grade >= 0
            },
            progress=progress,
        )
    ratings_book = None if reading_options.columns else read_rating_book(path)
    file, warnings = _read_table(project, path, reading_options, ratings_book)
    rows = _resolve_items(project, path, file.rows, warnings)
    _check_occurrences(path, rows)
    actors = _classify_assessors(project, path, rows, reading_options)
    report = ImportReport(warnings=warnings, files=[replace_surrogates(path.name)])
    with project.transaction():
        if ratings_book:  # queries are identified by their text
            ids = import_queries(project, path, ratings_book, report)
            rows = [replace(row, topic=ids[row.topic]) for row in rows]
        if reading_options.columns and file.header:
            save_column_mapping(project, "judgments", file.header, reading_options.columns)
        already_stored = _add_rows(project, path.name, rows, actors, reading_options, progress)
        _report_import(
            project, path.name, rows, report, already_stored=already_stored, assessors=len(actors)
        )
        save_import_report(project, report)
    return report


def _find_model_judge(path: Path, reading_options: ReadingOptions) -> ModelJudge | None:
    """Return the model whose labels a file contains; None if the judgments are by assessors."""
    model_labels = (
        None if reading_options.person or not path.is_file() else read_llm_judgments(path)
    )
    if model_labels is not None:
        return reading_options.judge or ModelJudge(model_labels.model)
    return (
        reading_options.judge
        if reading_options.judge and _has_no_assessors(path, reading_options)
        else None
    )


def _add_rows(
    project: Project,
    file: str,
    rows: Sequence[JudgmentFileRow],
    actors: Mapping[str, Actor],
    reading_options: ReadingOptions,
    progress: Progress,
) -> int:
    """Add the judgments in the rows to the log; return the number of rows that added nothing."""
    already_stored, client = 0, secrets.token_hex(16)
    # the project's own ledgers are not used, since they must not change if the import fails
    ledgers = {
        name: Ledger(sort_events(project.events.read(name), project.events.lost_digests())[0])
        for name in actors
    }
    last_rows = {_identify_item(row): row for row in rows}
    # importing the earlier rows of an item again would replace the judgment in its last row
    known_items = {
        item for item, row in last_rows.items() if _is_in_force(ledgers[row.assessor], row)
    }
    for row in progress.track(rows, Message("Reading {file}", file=file), total=len(rows)):
        item, ledger = _identify_item(row), ledgers[row.assessor]
        if item in known_items and row is not last_rows[item]:
            already_stored += 1
            continue
        event = _make_event(project, row, ledger, file)
        if actors[row.assessor] == "model":
            event = _attribute_to_model(event, reading_options.judge, client, row.line)
        already_stored += not _add_event(project, row, ledger, event)
    return already_stored


def _identify_item(row: JudgmentFileRow) -> tuple[str, str, str, int]:
    return (row.assessor, row.topic, row.document, row.showing)


def _is_in_force(ledger: Ledger, row: JudgmentFileRow) -> bool:
    """Return whether the current judgment of an item is the judgment in the row."""
    judgment = ledger.judgment((row.topic, (row.document,), row.showing))
    if judgment is None:
        return False
    if row.grade == UNJUDGEABLE:
        return judgment.kind == "unjudgeable"
    return judgment.kind == "grade" and judgment.payload.get("value") == row.grade


def _add_event(project: Project, row: JudgmentFileRow, ledger: Ledger, event: Event) -> bool:
    """Add a judgment and its annotations, except those that the ledger already contains.

    Return whether anything was added.
    """
    is_known = _is_in_force(ledger, row)
    mark_events = _make_mark_events(
        event, row, ledger.marks(event.item.key), event.parent if is_known else event.digest
    )
    new_events = [*([] if is_known else [event]), *mark_events]
    for new_event in new_events:
        project.events.append(new_event)
        ledger.apply(new_event)
    return bool(new_events)


def _report_import(
    project: Project,
    file: str,
    rows: Sequence[JudgmentFileRow],
    report: ImportReport,
    *,
    already_stored: int,
    assessors: int,
) -> None:
    report.sentences.append(
        Message(
            "Judgments read from {file}: {count:,}; assessors: {assessors:,}.",
            count=len(rows) - already_stored,
            file=file,
            assessors=assessors,
        )
    )
    warn_unknown_topics(project, list(dict.fromkeys(row.topic for row in rows)), file, report)
    warn_missing_texts(project, [row.document for row in rows], file, report)
    row_counts = Counter(map(_identify_item, rows))
    repeated_count = sum(count > 1 for count in row_counts.values())
    if repeated_count:
        report.warnings.append(
            Message(
                "{file}: items judged in several rows: {count:,}. The last row of each item counts.",
                key="repeated-items",
                file=file,
                count=repeated_count,
            )
        )
    if already_stored:
        report.warnings.append(
            Message(
                "{file}: judgments already in the project: {count:,}.",
                key="known-judgments",
                file=file,
                count=already_stored,
            )
        )


def _read_header(path: Path, reading_options: ReadingOptions) -> tuple[str, ...]:
    return read_crowd_header(
        path, reading_options.encoding, column_kinds=JUDGMENT_PARTS, columns=reading_options.columns
    )


def _has_no_assessors(path: Path, reading_options: ReadingOptions) -> bool:
    if is_label_tool_export(path):
        return False
    if is_model_label_file(path):
        return read_rating_book(path) is None
    header = {name.strip().lower() for name in _read_header(path, reading_options)}
    return header.isdisjoint(ASSESSOR_COLUMN.column_names) and "assessor" not in dict(
        reading_options.columns.named
    )


def _classify_assessors(
    project: Project, path: Path, rows: Sequence[JudgmentFileRow], reading_options: ReadingOptions
) -> dict[str, Actor]:
    """Return `person` or `model` for each assessor; raise FormatError if rows disagree."""
    actors: dict[str, Actor] = {}
    for row in rows:
        if (
            actors.setdefault(
                row.assessor,
                kind := row.kind
                or actors.get(row.assessor)
                or _classify_assessor(project, path, row, reading_options),
            )
            != kind
        ):
            problem = Message(
                "{name} is an assessor in one row and a model in another", name=row.assessor
            )
            raise FormatError(path, problem, row.line)
    for name, kind in actors.items():
        if kind == "model":
            check_model_name(project, name)
        elif name in project.events.models():
            raise FormatError(
                path,
                Message(
                    "{name} is a model in the project but an assessor in this file",
                    key="name-of-a-model",
                    name=name,
                ),
            )
    return actors


def _classify_assessor(
    project: Project, path: Path, row: JudgmentFileRow, reading_options: ReadingOptions
) -> Actor:
    name = row.assessor
    if name in project.events.models() or (
        reading_options.judge and reading_options.judge.name in (name, ALL_ASSESSORS)
    ):
        return "model"
    if (
        name in project.events.assessors()
        or reading_options.person in (name, ALL_ASSESSORS)
        or not looks_like_model(name)
    ):
        return "person"
    problem = Message(
        "{name} may be a model; choose --as model {name} or --as person {name}, or add a "
        "column named kind",
        key="model-or-person",
        name=name,
    )
    raise Undecided(path, problem, ("judge",), row.line)


def _attribute_to_model(
    event: Event, judge: ModelJudge | None, client: str, sequence_number: int
) -> Event:
    model = replace(judge, name=event.assessor) if judge else ModelJudge(event.assessor)
    payload = {**event.payload, "model": model.as_payload()}
    return replace(
        event,
        payload=payload,
        version=CLIENT_VERSION,
        client=client,
        number=sequence_number,
        actor="model",
    )


class ScaleVocabulary(TypedDict):
    """Keyword arguments of `read_judgments` that describe the scale of a project."""

    words: dict[str, int]  # grade of each label in lower case
    scale: tuple[int, ...]  # valid grades


def make_scale_vocabulary(scale: Scale) -> ScaleVocabulary:
    """Return the keyword arguments of `read_judgments` that describe a scale."""
    return {
        "words": {grade.label.casefold(): grade.value for grade in scale.grades if grade.label},
        "scale": scale.values,
    }


def _read_table(
    project: Project, path: Path, reading_options: ReadingOptions, ratings_book: RatingsFile | None
) -> tuple[JudgmentFile, list[str]]:
    """Read a table with the given column mapping, or the mapping saved for its header.

    Return the judgments and messages for the user."""
    columns = reading_options.columns
    if not columns and not ratings_book:
        saved_mapping = load_column_mapping(
            project, "judgments", _read_header(path, reading_options)
        )
        columns = replace(saved_mapping, sheet=columns.sheet)
    name = reading_options.judge.name if reading_options.judge else reading_options.person
    assessor = "" if name == ALL_ASSESSORS else name
    if not assessor and not columns and is_qrels_file(path, reading_options.encoding):
        problem = Message(
            "the qrels name no assessor; name the assessor with --as person NAME, or import "
            "the qrels with --qrels",
            key="whose-qrels",
        )
        raise Undecided(path, problem, ("person",))
    file = read_judgments(
        path,
        columns=columns,
        encoding=reading_options.encoding,
        **make_scale_vocabulary(project.scale),
        grades=reading_options.grades,
        assessor=assessor,
    )
    warnings = list(file.warnings)
    if columns and not reading_options.columns:
        warnings.append(
            Message(
                "{file}: read like the previous file with the same header: {reading}.",
                key="read-as-before",
                file=path.name,
                reading=file.mapping_text,
            )
        )
    return file, warnings


def _resolve_items(
    project: Project, path: Path, rows: Sequence[JudgmentFileRow], messages: list[str]
) -> list[JudgmentFileRow]:
    pair_of_item = map_items_to_pairs(project) if any(row.item for row in rows) else {}
    rows = _replace_query_texts(project, rows)
    topics = set(project.collection.topic_titles())
    item_codes = {row.item for row in rows if not row.topic and row.item not in pair_of_item}
    pair_of_item |= _split_items(project, item_codes, topics)
    warnings = ReaderWarnings()
    resolved_rows = [_resolve_item(path, row, pair_of_item, warnings) for row in rows]
    messages += warnings.format_for(path.name)
    return resolved_rows


def _replace_query_texts(
    project: Project, rows: Sequence[JudgmentFileRow]
) -> list[JudgmentFileRow]:
    titles = project.collection.topic_titles()
    ids = {normalise_query(title): id for id, title in reversed(titles.items()) if title}
    return [
        replace(row, topic=ids[text])
        if row.topic and row.topic not in titles and (text := normalise_query(row.topic)) in ids
        else row
        for row in rows
    ]


def _split_items(
    project: Project, codes: Collection[str], topics: Collection[str]
) -> dict[str, Pair]:
    """Return the pair of each item code that combines a topic and a document, such as `401_d1`.

    Topic and document must be in the project. Codes that can be split in several ways are omitted.
    """
    max_length = max(map(len, topics), default=0)
    splits_by_code = {
        code: [
            (code[:index], code[index + 1 :])
            for index, character in enumerate(code[: max_length + 1])
            if character in ITEM_SEPARATORS and code[:index] in topics
        ]
        for code in codes
    }
    candidate_documents = {document for pairs in splits_by_code.values() for _, document in pairs}
    known_documents = (
        project.collection.known_ids(list(candidate_documents)) if candidate_documents else set()
    )
    candidates = {
        code: [pair for pair in pairs if pair[1] in known_documents]
        for code, pairs in splits_by_code.items()
    }
    return {code: pairs[0] for code, pairs in candidates.items() if len(pairs) == 1}


def _resolve_item(
    path: Path,
    row: JudgmentFileRow,
    pair_of_item: Mapping[str, tuple[str, str]],
    warnings: ReaderWarnings,
) -> JudgmentFileRow:
    pair = pair_of_item.get(row.item)
    if pair is None:
        if not (row.topic and row.document):
            problem = Message(
                "the item {item!r} does not identify a document; expected an item from a file "
                "that `irjudge export --tasks` wrote for this project",
                key="unknown-item",
                item=row.item[:MAX_SHOWN_CHARACTERS],
            )
            raise FormatError(path, problem, row.line)
        return row
    if any(
        row_value and row_value != item_value
        for row_value, item_value in zip((row.topic, row.document), pair, strict=True)
    ):
        warnings.add(OTHER_ITEM, Message("line {line}", line=row.line))
    return replace(row, topic=pair[0], document=pair[1])


def _check_occurrences(path: Path, rows: Sequence[JudgmentFileRow]) -> None:
    for row in rows:
        if row.showing < 1:
            raise FormatError(
                path,
                Message(
                    "showing is {value}; expected 1 or more",
                    key="invalid-showing",
                    value=row.showing,
                ),
                row.line,
            )


def _make_event(project: Project, row: JudgmentFileRow, ledger: Ledger, source: str) -> Event:
    digest = project.collection.digest(row.document)
    item = Item(
        row.topic, (row.document,), (digest.hex() if digest else "",), occurrence=row.showing
    )
    milliseconds = round(row.seconds * 1000) if row.seconds is not None else 0
    payload: dict[str, object] = {
        "active_ms": milliseconds,
        "imported": f"{source}, line {row.line}",
    }
    if row.time:
        # the payload has the time from the table, because the event has the time of the import
        payload["judged"] = row.time
    if row.grade == UNJUDGEABLE:
        payload["reason"] = row.because if row.because in UNJUDGEABLE_REASONS else OTHER_REASON
        return Event(row.assessor, "unjudgeable", item, utc_now(), payload, None, ledger.head)
    payload |= {"value": row.grade, "scale": project.scale.version}
    return Event(row.assessor, "grade", item, utc_now(), payload, None, ledger.head)


def _make_mark_events(
    event: Event, row: JudgmentFileRow, marks: Marks, parent: str | None
) -> Iterator[Event]:
    """Yield events for the flag, note and rationales in a row, except those in `marks`.

    `parent` is the digest of the parent of the first event. Each event is the parent of the next
    event.
    """
    payloads: list[tuple[EventKind, dict[str, object]]] = (
        [("unsure", {"value": True})] if row.unsure and not marks.unsure else []
    )
    payloads += [("note", {"text": row.note})] if row.note not in ("", marks.note) else []
    payloads += [
        ("rationale", {"text": rationale.text, "position": [rationale.begin, rationale.end]})
        for rationale in row.rationales
        if rationale not in marks.rationales
    ]
    for kind, payload in payloads:
        mark_event = Event(event.assessor, kind, event.item, event.time, payload, None, parent)
        parent = mark_event.digest
        yield mark_event


# Projects of shipped collections


@dataclass(frozen=True, slots=True)
class JudgedSample:
    """Judgments that are shipped with a sample collection and imported with it.

    Before the import, a depth pool is built.
    """

    table: str  # name of the file of judgments
    depth: int  # depth of the pool


CACHE_FOLDER = "__pycache__"  # folder that Python may create next to scripts of a collection
JUDGED_SAMPLES = {"harbour": JudgedSample("judgments.csv", 10)}


def create_sample_project(path: Path, name: str, *, progress: Progress = SILENT) -> ImportReport:
    """Create a project from a shipped collection.

    If the collection has judgments, they are imported, and the judged pool is built.
    """
    sources, scale = sample_sources(name)
    with create_project(path, scale=scale, title=name) as project:
        report = import_sources(project, sources, progress)
        if name in JUDGED_SAMPLES:
            _import_sample_judgments(
                project, sources.topics[0].parent, JUDGED_SAMPLES[name], report, progress
            )
    return report


def copy_sample(name: str, folder: Path) -> None:
    """Copy all files of a shipped collection to a new folder, even files that no import uses."""
    source = sample_sources(name)[0].topics[0].parent
    try:
        folder.mkdir()
        for file in sorted(source.rglob("*")):
            target = folder / file.relative_to(source)
            if file.is_dir() and file.name != CACHE_FOLDER:
                target.mkdir()
            elif file.is_file() and file.parent.name != CACHE_FOLDER:
                with replace_file(target) as partial_copy:
                    partial_copy.write_bytes(file.read_bytes())
    except FileExistsError as error:
        raise IrjudgeError(
            "{folder} already exists. Choose another name; nothing was overwritten.",
            folder=folder.name,
        ) from error
    except OSError as error:
        raise IrjudgeError(
            "Cannot copy the files to {folder}: {error}.", folder=str(folder), error=error
        ) from error


def _import_sample_judgments(
    project: Project, folder: Path, sample: JudgedSample, report: ImportReport, progress: Progress
) -> None:
    """Build the judged pool, import the judgments, and extend the report."""
    runs = [project.rankings.run(run.name) for run in project.rankings.runs()]
    pool = build_pool(runs, PoolOptions(depth=sample.depth), progress=progress)
    project.rankings.add_pool(pool)
    report.sentences.append(
        Message(
            "Pairs pooled from the top {depth} of each run: {pairs:,}.",
            key="pool",
            pairs=len(pool),
            depth=sample.depth,
        )
    )
    import_report = import_judgments(project, folder / sample.table, progress=progress)
    report.sentences += import_report.sentences
    report.warnings += import_report.warnings

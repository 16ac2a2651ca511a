"""Import of files into a project in one transaction; saved column mappings."""

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np

from irjudge.errors import FormatError, ProjectError, Undecided
from irjudge.formats import DEFAULT_READING, FileKind, ReaderWarnings, ReadingOptions
from irjudge.formats.bytes import collapse_whitespace, open_input, replace_surrogates
from irjudge.formats.collections import (
    document_from_fields,
    load_picture,
    read_documents,
    read_instructions,
    read_topics,
    split_paragraphs,
)
from irjudge.formats.judgments import Query, RatingsFile, read_ratings
from irjudge.formats.rankings import (
    GradeRules,
    detect_auxiliary_table,
    expand_run_folders,
    find_off_scale,
    read_engine_responses,
    read_qrels,
    read_run,
    run_from_responses,
    run_name,
)
from irjudge.formats.rows import AS_RECOGNISED, ColumnMapping
from irjudge.message import Message
from irjudge.model import (
    AUXILIARY_KINDS,
    Qrels,
    Run,
    Scale,
    Topic,
    normalise_query,
    read_scale,
    replace_query_texts,
)
from irjudge.progress import SILENT, Progress
from irjudge.shipped import sample_folders
from irjudge.store.import_report import (
    ImportReport,
    save_import_report,
    warn_gaps,
    warn_hidden_calibration,
    warn_off_scale,
    warn_unknown_documents,
    warn_unknown_topics,
)
from irjudge.store.project import (
    CALIBRATION,
    INSTRUCTIONS,
    OWNER_KEY,
    Project,
    create_project,
    save_auxiliary_table,
)


@dataclass(frozen=True, slots=True)
class Sources:
    """Request for an import: paths of files by kind, and options for reading; all optional.

    The kinds are documents, topics, runs, qrels, instructions, calibration documents and auxiliary
    files. The files are read by `import_sources`. An object without files is false in a condition.
    """

    documents: tuple[Path, ...] = ()
    topics: tuple[Path, ...] = ()
    runs: tuple[Path, ...] = ()
    qrels: tuple[Path, ...] = ()
    instructions: Path | None = None  # Markdown for the assessors
    # qrels files with the agreed grades of calibration documents, which are shown first in each
    # topic
    calibration: tuple[Path, ...] = ()
    # options for reading ambiguous files, by kind of file
    options_by_kind: Mapping[FileKind, ReadingOptions] = field(default_factory=dict)
    # auxiliary files, which some measures need; each kind is recognised by its header
    sides: tuple[Path, ...] = ()
    # whether to import only documents in pool and qrels or, without a pool, in runs and qrels
    only_pooled: bool = False

    def __bool__(self) -> bool:
        return bool(
            self.documents
            or self.topics
            or self.runs
            or self.qrels
            or self.instructions
            or self.calibration
            or self.sides
        )

    def get_options(self, kind: FileKind) -> ReadingOptions:
        """Return the options for reading files of a kind."""
        return self.options_by_kind.get(kind, DEFAULT_READING)

    def files(self) -> list[str]:
        """Return the names of all files, without folders."""
        paths = (
            *self.topics,
            *self.documents,
            *self.runs,
            *self.qrels,
            *self.calibration,
            *self.sides,
        )
        return [
            replace_surrogates(path.name)
            for path in (*paths, *([self.instructions] if self.instructions else []))
        ]


def create_project_from_files(
    path: Path,
    sources: Sources,
    *,
    scale: Scale,
    title: str = "",
    owner: str = OWNER_KEY,
    off_scale: bool = False,
    progress: Progress = SILENT,
) -> ImportReport:
    """Create a project from files; after an error or cancellation, no project is left.

    Raises Undecided if qrels have grades that are not on the scale, unless `off_scale` is true.
    """
    with create_project(path, scale=scale, title=title, owner=owner) as project:
        return import_sources(project, sources, progress, off_scale=off_scale)


def import_sources(
    project: Project, sources: Sources, progress: Progress = SILENT, *, off_scale: bool = True
) -> ImportReport:
    """Import files into a project in one transaction.

    `off_scale` is explained in `create_project_from_files`.
    """
    report, messages = ImportReport(files=sources.files()), list[str]()
    with project.transaction():
        _import_topics(project, sources, report)
        for path in sources.qrels if not sources.get_options("qrels").columns else ():
            if ratings := read_ratings(path):
                import_queries(project, path, ratings, report)
        runs = expand_run_folders(sources.runs)
        for index, path in enumerate(runs):
            progress.step(index, len(runs), Message("Reading {file}", file=path.name))
            messages.append(import_run(project, path, report, sources.get_options("runs")))
        qrels_names = _import_all_qrels(project, sources, report, off_scale=off_scale)
        _import_documents(project, sources, report, progress)
        for name in messages if not sources.only_pooled else ():
            warn_unknown_documents(project, name, report)
        for name in qrels_names:
            qrels = project.rankings.qrels(name)
            warn_gaps(project, name, qrels, report)
            warn_off_scale(project, name, qrels, report)
        if sources.instructions:
            _import_instructions(project, sources.instructions, report)
        for path in sources.calibration:
            _import_calibration(project, path, report, sources.get_options("calibration"))
        for path in sources.sides:
            _import_auxiliary_file(project, path, report)
        if report:
            save_import_report(project, report)
    return report


def _import_all_qrels(
    project: Project, sources: Sources, report: ImportReport, *, off_scale: bool
) -> list[str]:
    """Import all qrels files, and return the names of the imported qrels.

    Raises Undecided for grades that are not on the scale, unless `off_scale` is true.
    """
    names = []
    for path in sources.qrels:
        name = import_qrels(project, path, report, sources.get_options("qrels"))
        grades = np.unique(project.rankings.qrels(name).grade).tolist()
        conflict = None if off_scale else find_off_scale(grades, project.scale.values)
        if conflict:
            raise Undecided(path, conflict.problem, ("grades", "scale"))
        names.append(name)
    return names


def import_run(
    project: Project,
    path: Path,
    report: ImportReport,
    reading_options: ReadingOptions = DEFAULT_READING,
) -> str:
    """Import a run and return its name."""
    run = _read_run(project, path, report, reading_options)
    run = replace(
        run,
        topics=replace_query_texts(
            run.topics, project.collection.topic_titles(), _map_texts_to_topic_ids(project)
        ),
    )
    project.rankings.add_run(run, replace_surrogates(path.name))
    report.sentences.append(
        Message(
            "Read run {run} (documents retrieved: {documents:,}; topics: {topics:,}).",
            run=run.name,
            documents=len(run),
            topics=len(run.topics),
        )
    )
    report.warnings += run.warnings
    warn_unknown_topics(project, run.topics, Message("Run {run}", run=run.name), report)
    return run.name


def _read_run(
    project: Project, path: Path, report: ImportReport, reading_options: ReadingOptions
) -> Run:
    """Read a run; if it consists of search engine responses, import their topics and documents."""
    with open_input(path) if path.is_file() else nullcontext(path) as input_file:
        responses = (
            None
            if reading_options.columns or not path.exists()
            else read_engine_responses(input_file, reading_options.paths)
        )
        if responses is None:
            return read_run(
                input_file, columns=reading_options.columns, encoding=reading_options.encoding
            )
    import_queries(project, path, responses, report)
    return run_from_responses(path, run_name(path), responses)


def scale_rules(project: Project, reading_options: ReadingOptions) -> GradeRules:
    """Return rules for reading grades in a file, including the labels of the project's scale."""
    grade_by_label = {grade.label: grade.value for grade in project.scale.grades if grade.label}
    return GradeRules.from_grades(reading_options.grades).with_words(grade_by_label)


def _read_qrels_of_project(project: Project, path: Path, reading_options: ReadingOptions) -> Qrels:
    """Read a qrels file; its queries are identified by the ids of the project's topics."""
    qrels = read_qrels(
        path,
        reading_options.negative,
        grades=scale_rules(project, reading_options),
        columns=reading_options.columns,
        encoding=reading_options.encoding,
    )
    titles = project.collection.topic_titles()
    if not qrels.titles:  # the ids in the file may be texts of queries, as in runs
        topics = replace_query_texts(qrels.topics, titles, _map_texts_to_topic_ids(project))
        return replace(qrels, topics=topics)
    queries = [
        Query(*query, is_topic_id=True) for query in zip(qrels.topics, qrels.titles, strict=True)
    ]
    ids = find_topics_of_queries(titles, queries)
    return replace(qrels, topics=tuple(ids.get(topic, topic) for topic in qrels.topics))


def import_qrels(
    project: Project,
    path: Path,
    report: ImportReport,
    reading_options: ReadingOptions = DEFAULT_READING,
) -> str:
    """Import a qrels file and return its name."""
    qrels = _read_qrels_of_project(project, path, reading_options)
    name = run_name(path)
    project.rankings.add_qrels(name, qrels, replace_surrogates(path.name))
    report.sentences.append(
        Message(
            "Read qrels {name} (judgments: {qrels:,}; topics: {topics:,}).",
            name=name,
            qrels=len(qrels),
            topics=len(qrels.topics),
        )
    )
    report.warnings += qrels.warnings
    warn_unknown_topics(project, qrels.topics, Message("Qrels {name}", name=name), report)
    return name


def _map_texts_to_topic_ids(project: Project) -> dict[str, str]:
    """Return topic ids by query text; if topics have the same text, the id of the first topic."""
    return {
        normalise_query(title): id
        for id, title in reversed(project.collection.topic_titles().items())
        if title
    }


def find_topics_of_queries(titles: Mapping[str, str], queries: Sequence[Query]) -> dict[str, str]:
    """Return the id of the topic that each query of a file means, by the id of the query.

    `titles` are the titles of the topics by id. A query means the topic with its id if the topic's
    title is its text or if it has no text, otherwise the first topic whose title or id is its text.
    If there is no such topic, it means the topic with its id only if the file says that the id is
    one of a topic. A topic is meant by at most one query. Queries that mean no topic are omitted.

    >>> titles = {"1": "jazz bass", "2": "rock", "3": "folk"}
    >>> find_topics_of_queries(titles, [Query("1", "rock"), Query("3", "3"), Query("2", "bebop")])
    {'3': '3', '1': '2'}
    """
    texts = {id: normalise_query(title) for id, title in titles.items()}
    ids_by_text = dict[str, list[str]]()
    for id, text in texts.items():
        ids_by_text.setdefault(text, []).append(id)
    meant_ids = {
        query.id: query.id
        for query in queries
        if query.id in texts and query.text in (query.id, texts[query.id])
    }
    used_ids = {*meant_ids.values()}
    # each topic is tried once, also if many topics and queries have the same text
    remaining_ids = {text: iter(ids) for text, ids in ids_by_text.items()}
    for query in queries:
        if query.id not in meant_ids:
            possible_ids = chain(
                remaining_ids.get(query.text, ()),
                [query.text],  # the id in a column that is expected to contain texts
                [query.id] if query.is_topic_id else [],
            )
            meant_id = next((id for id in possible_ids if id in texts and id not in used_ids), None)
            if meant_id is not None:
                meant_ids[query.id] = meant_id
                used_ids.add(meant_id)
    return meant_ids


def import_queries(
    project: Project, path: Path, ratings: RatingsFile, report: ImportReport
) -> dict[str, str]:
    """Import the queries and documents of a ratings file.

    A topic is created for each query that is none of the project's topics. Returns the topic id in
    the project for each query id in the file.
    """
    titles = project.collection.topic_titles()
    ids = find_topics_of_queries(titles, [*ratings.queries.values()])
    new_topics, used_ids = list[Topic](), {*titles}
    unused_ids = (name for number in count(1) if (name := f"q{number}") not in used_ids)
    for query in ratings.queries.values():
        if query.id not in ids:
            ids[query.id] = query.id if query.id not in used_ids else next(unused_ids)
            used_ids.add(ids[query.id])
            title, need = collapse_whitespace(query.text), split_paragraphs(query.need)
            new_topics.append(Topic(ids[query.id], title, need))
    if new_topics:
        project.collection.add_topics(new_topics)
        report.sentences.append(
            Message(
                "Topics created from the queries in {file}: {new:,}.",
                new=len(new_topics),
                file=path.name,
            )
        )
    if ratings.documents:
        folder, load_warnings = path if path.is_dir() else path.parent, ReaderWarnings()
        documents = (document_from_fields(id, fields) for id, fields in ratings.documents.items())
        added_count = project.collection.add_documents(
            load_picture(document, folder, load_warnings) for document in documents
        )
        report.warnings += load_warnings.sentences()
        report.sentences.append(
            Message(
                "Documents read from {paths}: {new:,}.", new=added_count.new_count, paths=path.name
            )
        )
    return ids


def find_needed_documents(project: Project) -> set[str]:
    """Return the ids of documents in pool and qrels or, without a pool, in runs and qrels."""
    rankings = project.rankings
    needed_ids = {
        id
        for name in rankings.qrels_names()
        for id in rankings.qrels(name.name).documents.to_pylist()
    }
    pool = rankings.pool()
    if pool is not None:
        return needed_ids | set(pool.document.to_pylist())
    return needed_ids.union(
        *(rankings.run(run.name).document.to_pylist() for run in rankings.runs())
    )


def sample_sources(name: str) -> tuple[Sources, Scale]:
    """Return the files and the scale of a sample collection."""
    folders = sample_folders()
    if name not in folders:
        raise ProjectError(
            "There is no sample collection {name}; expected one of {names}.",
            name=name,
            names=", ".join(folders),
        )
    folder = folders[name]
    runs = tuple(sorted((folder / "runs").glob("*.run")))
    instructions = folder / "instructions.md"
    sources = Sources(
        tuple(path for path in (folder / "documents.jsonl", folder / "documents") if path.exists()),
        (folder / "topics.txt",),
        runs,
        (folder / "qrels.txt",),
        instructions=instructions if instructions.is_file() else None,
    )
    return sources, read_scale(folder / "scale.json")


def _import_topics(project: Project, sources: Sources, report: ImportReport) -> None:
    reading_options = sources.get_options("topics")
    for path in sources.topics:
        file = read_topics(
            path,
            topic_ids=reading_options.topic_ids,
            columns=reading_options.columns,
            encoding=reading_options.encoding,
        )
        added_count = project.collection.add_topics(file.topics)
        report.sentences.append(
            Message(
                "Topics read from {file} ({form}): {new:,}.",
                new=added_count.new_count,
                file=path.name,
                form=file.format_name,
            )
        )
        report.warnings += file.warnings
        if added_count.known_count:
            report.warnings.append(
                Message(
                    "{file}: topics already in the project, left unchanged: {known:,}.",
                    file=path.name,
                    known=added_count.known_count,
                )
            )


def _import_documents(
    project: Project, sources: Sources, report: ImportReport, progress: Progress
) -> None:
    paths, reading_options = sources.documents, sources.get_options("documents")
    if not paths:
        return
    needed_ids = find_needed_documents(project) if sources.only_pooled else None
    documents = read_documents(
        paths,
        progress,
        warnings=report.warnings,
        columns=reading_options.columns,
        encoding=reading_options.encoding,
        wanted=needed_ids,
    )
    added_count = project.collection.add_documents(documents)
    report.sentences.append(
        Message(
            "Documents read from {paths}: {new:,}.",
            new=added_count.new_count,
            paths=", ".join(path.name for path in paths),
        )
    )
    if added_count.known_count:
        report.warnings.append(
            Message(
                "Documents already in the project, left unchanged: {known:,}.",
                known=added_count.known_count,
            )
        )
    if needed_ids is not None:
        missing_texts = len(project.collection.without_text(list(needed_ids)))
        report.sentences.append(
            Message(
                "Only documents in the pool, runs or qrels were read. Documents needed: "
                "{wanted:,}; not found: {missing:,}.",
                key="needed-documents",
                wanted=len(needed_ids),
                missing=missing_texts,
            )
        )


def _import_instructions(project: Project, path: Path, report: ImportReport) -> None:
    text, previous_instructions = read_instructions(path), project.instructions
    project.set_setting(INSTRUCTIONS, text)
    report.sentences.append(
        Message(
            "Imported the instructions from {file} (lines: {lines:,}).",
            file=path.name,
            lines=len(text.splitlines()),
        )
    )
    if previous_instructions and previous_instructions != text:
        report.warnings.append(
            Message(
                "{file} replaces the previous instructions.",
                key="replaced-instructions",
                file=path.name,
            )
        )


def _import_auxiliary_file(project: Project, path: Path, report: ImportReport) -> None:
    table = detect_auxiliary_table(path)
    title = AUXILIARY_KINDS.find(table.kind).title
    if save_auxiliary_table(project, table):
        report.warnings.append(
            Message(
                "{file} replaces the previous file of this kind.",
                key="replaced-file",
                file=path.name,
            )
        )
    report.sentences.append(
        Message(
            "Read {title} from {file} (rows: {rows:,}).",
            title=title,
            file=path.name,
            rows=len(table),
        )
    )
    report.warnings += table.warnings


def _import_calibration(
    project: Project, path: Path, report: ImportReport, reading_options: ReadingOptions
) -> None:
    """Import calibration documents; replace the grades of existing calibration documents."""
    calibration, scale = project.calibration, project.scale.values
    rows = list(_read_qrels_of_project(project, path, reading_options).rows())
    graded_rows = [row for row in rows if row[2] >= 0]
    for topic, document, grade in graded_rows:
        if grade not in scale:
            problem = Message(
                "topic {topic}, document {document}: grade {grade} is not on the scale {scale}",
                key="unknown-grade",
                topic=topic,
                document=document,
                grade=grade,
                scale=", ".join(map(str, scale)),
            )
            raise FormatError(path, problem)
        calibration.setdefault(topic, {})[document] = grade
    project.set_setting(CALIBRATION, json.dumps(calibration, ensure_ascii=False))
    topics = list(dict.fromkeys(topic for topic, _, _ in graded_rows))
    report.sentences.append(
        Message(
            "Read calibration data from {file}. Documents with known grades: {graded:,}; "
            "topics: {topics:,}.",
            file=path.name,
            graded=len(graded_rows),
            topics=len(topics),
        )
    )
    if len(graded_rows) < len(rows):
        report.warnings.append(
            Message(
                "{file}: skipped lines without a grade: {rows:,}.",
                key="lines-without-grade",
                file=path.name,
                rows=len(rows) - len(graded_rows),
            )
        )
    warn_unknown_topics(project, topics, path.name, report)
    warn_hidden_calibration(
        project, [document for _, document, _ in graded_rows], path.name, report
    )


MAPPINGS = "columns"
MAX_MAPPINGS = 100  # maximum number of saved column mappings; older ones are deleted


def save_column_mapping(
    project: Project, kind: FileKind, header: Sequence[str], columns: ColumnMapping
) -> None:
    """Save the column mapping for files with a certain header, replacing an earlier mapping."""
    entry = {
        "kind": kind,
        "header": list(header),
        "columns": [list(pair) for pair in columns.named],
    }
    other_mappings = [
        mapping
        for mapping in _read_mappings(project)
        if (mapping.get("kind"), mapping.get("header")) != (kind, entry["header"])
    ]
    project.set_setting(
        MAPPINGS, json.dumps([*other_mappings, entry][-MAX_MAPPINGS:], ensure_ascii=False)
    )


def load_column_mapping(project: Project, kind: FileKind, header: Sequence[str]) -> ColumnMapping:
    """Return the column mapping saved for files with a certain header; empty if none is saved."""

    def parse_mappings(entries: list[dict[str, Any]]) -> list[ColumnMapping]:
        mappings = [
            entry["columns"]
            for entry in entries
            if (entry["kind"], entry["header"]) == (kind, list(header))
        ]
        return [
            ColumnMapping(tuple((str(part), str(column)) for part, column in columns))
            for columns in mappings
        ]

    return next(iter(_read_mappings(project, parse_mappings)), AS_RECOGNISED)


def _read_mappings(project: Project, parse: Callable[[Any], list[Any]] | None = None) -> list[Any]:
    return project.read_json_setting(
        MAPPINGS,
        [],
        "Cannot read the saved column choices in {file}.",
        parse or _parse_entries,
    )


def _parse_entries(content: Any) -> list[dict[str, Any]]:
    if not all(isinstance(entry, dict) for entry in content):
        raise TypeError(Message("expected objects"))
    return list(content)

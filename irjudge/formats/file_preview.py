"""Preview of files before they are imported, and the options for reading them."""

import os
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from irjudge.errors import FormatError, IrjudgeError, Undecided
from irjudge.formats.bytes import UTF16_MARKS, is_hidden, open_input
from irjudge.formats.collections import (
    DOCUMENT_PARTS,
    NUMBERED_LINES_FORMAT_NAME,
    PLAIN_TEXT_FORMAT,
    TOPIC_PARTS,
    TopicIds,
    find_corpus_file,
    preview_documents,
    read_documents,
    read_instructions,
    read_topics,
    recognise_document_format,
)
from irjudge.formats.judgments import (
    JUDGMENT_ALIASES,
    JUDGMENT_PARTS,
    UNJUDGEABLE_LABEL,
    JudgmentFileRow,
    RatingsFile,
    read_judgments,
    read_rating_book,
    read_ratings,
)
from irjudge.formats.rankings import (
    QRELS_PARTS,
    RUN_PARTS,
    GradeMap,
    GradeRules,
    Negative,
    ResponsePaths,
    detect_auxiliary_table,
    format_rating,
    read_engine_responses,
    read_qrels,
    read_run,
    run_from_responses,
    run_name,
)
from irjudge.formats.reader_warnings import ReaderWarnings
from irjudge.formats.rows import (
    GRADE,
    JSON,
    ColumnMapping,
    detect_table_format,
    parse_columns,
    read_table,
)
from irjudge.message import Message, join_messages
from irjudge.model import AUXILIARY_KINDS, UNJUDGEABLE, ModelJudge, Qrels, Run, compute_ranks
from irjudge.progress import SILENT, Progress

# Options for reading ambiguous files, used on the command line, in the window and in the report.

FileKind = Literal["documents", "topics", "runs", "qrels", "calibration", "judgments"]

# for each kind of file, the names of the parts to which users can map columns
COLUMN_PARTS: Mapping[FileKind, Sequence[str]] = {
    "documents": DOCUMENT_PARTS,
    "topics": [part.name for part in TOPIC_PARTS],
    "runs": [part.name for part in RUN_PARTS],
    "qrels": [part.name for part in QRELS_PARTS],
    "calibration": [part.name for part in QRELS_PARTS],
    "judgments": [part.name for part in JUDGMENT_PARTS],
}


# alternative names of the parts in `COLUMN_PARTS`, by kind of file
PART_ALIASES: Mapping[FileKind, Mapping[str, str]] = {"judgments": JUDGMENT_ALIASES}


def parse_file_columns(kind: FileKind, text: str) -> ColumnMapping:
    """Return the column mapping in a text such as `item=Input.item,worker=WorkerId`."""
    aliases = PART_ALIASES.get(kind, {})
    options = parse_columns(text, (*COLUMN_PARTS[kind], *aliases)).named
    return ColumnMapping(tuple((aliases.get(part, part), column) for part, column in options))


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """Options for reading files of one kind, such as qrels, runs or judgments.

    Most options apply to some kinds only. An option that is None or empty is not set: the readers
    then use a default or detect the value from the file. If neither is possible, they raise
    `Undecided`, an error that names the options that the user must set.
    """

    # encoding of text files of any kind
    encoding: str | None = None
    # for tables of any kind: columns that contain the parts of a row, and the sheet
    columns: ColumnMapping = ColumnMapping()  # noqa: RUF009 -- it never changes
    # for topics: which ids to use, those in the file or the positions
    topic_ids: TopicIds | None = None
    # for qrels and calibration documents: meaning of negative grades
    negative: Negative | None = None
    # for qrels, calibration documents and judgments: rules for converting grades
    grades: GradeRules | GradeMap | None = None
    # for runs from engine responses: paths of the hits, and of their ids and other parts
    paths: ResponsePaths | None = None
    # for previews of judgments: grade of each lower-case label, and valid grades (empty if all are
    # valid); imports use the scale of the project instead
    words: Mapping[str, int] | None = None
    scale: tuple[int, ...] = ()
    # for judgments: model that made all labels, or that is one of the assessors
    judge: ModelJudge | None = None
    # for judgments: human assessor whose name looks like the name of a model
    person: str = ""
    # for judgments by a model: whether its scale is reversed; None raises `Undecided` if its grades
    # disagree too much with those of the assessors
    backwards: bool | None = None

    def qrels_options(self) -> list[str]:
        """Return the reading options of qrels as command-line options.

        >>> ReadingOptions(grades={0: 0, 0.5: 1}, negative="unjudged").qrels_options()
        ['--grades', '0:0,0.5:1', '--negative', 'unjudged']
        """
        columns = f"qrels:{self.columns}" if self.columns else ""
        sheet = f"qrels:{self.columns.sheet}" if self.columns.sheet else ""
        options = [("--negative", self.negative), ("--columns", columns), ("--sheet", sheet)]
        given_options = [option for option in options if option[1]]
        return [
            text
            for option in (*GradeRules.from_grades(self.grades).options(), *given_options)
            for text in option
            if text
        ]


DEFAULT_READING = ReadingOptions()


# Preview of files

MAX_COUNTED_BYTES = 200_000_000  # maximum bytes of a file whose lines are counted
MAX_COUNTED_FILES = 200_000
# maximum total bytes of documents and runs that a preview compares
MAX_MATCHED_BYTES = 30_000_000
TREC_RUN_LINE = re.compile(rb"(\xef\xbb\xbf)?\s*\S+\s+(?i:Q0)\s+\S+\s+\S+\s+\S+")
# Highest grade of common scales. If a topic has more documents than this number, and their grades
# are 1, 2, 3 …, the grades are considered ranks.
MAX_DEFAULT_GRADE = 4
TOPIC_FILE_NAME = re.compile(r"topic|quer", re.IGNORECASE)


def count_documents(path: Path, format_name: str) -> int | None:
    """Return the number of documents at a path; None if all documents would have to be read.

    In an uncompressed JSON Lines file, the non-blank lines are counted.
    """
    with suppress(OSError):  # the error is reported when the documents are read
        corpus = find_corpus_file(path)
        if (
            format_name == "JSON lines"
            and corpus.is_file()
            and corpus.stat().st_size <= MAX_COUNTED_BYTES
        ):
            with corpus.open("rb") as file:
                if not file.peek(2).startswith(UTF16_MARKS):
                    return sum(not line.isspace() for line in file)
    return None


def count_files(path: Path, format_name: str) -> int | None:
    """Return the number of files in a folder or archive; None if they cannot be counted quickly."""
    with suppress(
        OSError, ValueError, zipfile.BadZipFile, tarfile.TarError
    ):  # the error is reported when the files are read
        if path.is_dir():
            return _count_up_to_limit(_iter_files_in_folder(path))
        if format_name.endswith(" in a zip archive"):
            with zipfile.ZipFile(path) as archive:
                return _count_up_to_limit(
                    info.filename
                    for info in archive.infolist()
                    if not info.is_dir() and not is_hidden(info.filename)
                )
        if (
            format_name.endswith(" in a tar archive")
            and path.stat().st_size <= MAX_COUNTED_BYTES
            and tarfile.is_tarfile(path)
        ):
            # mode `r:` raises an error for compressed archives, whose files are not counted
            with tarfile.open(path, "r:") as archive:
                return _count_up_to_limit(
                    member.name
                    for member in archive
                    if member.isfile() and not is_hidden(member.name)
                )
    return None


def _iter_files_in_folder(folder: Path) -> Iterator[str]:
    for _, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not is_hidden(name)]
        yield from (name for name in names if not is_hidden(name))


def _count_up_to_limit(names: Iterable[str]) -> int | None:
    count = sum(1 for _ in islice(names, MAX_COUNTED_FILES + 1))
    return count if count <= MAX_COUNTED_FILES else None


PreviewKind: TypeAlias = FileKind | Literal["instructions", "sides"]

MAX_SHOWN_RECORDS = 3
MAX_LINE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class RejectedFile:
    """File that cannot be previewed or classified, with the error.

    The file is unreadable, ambiguous or not of an expected kind.
    """

    path: Path
    error: IrjudgeError


@dataclass(frozen=True, slots=True)
class FilePreview:
    """Result of previewing files of one kind: format, first records, warnings, and errors.

    The files have not been imported. `summaries` and `first_records` are lines of text for users;
    `rejected` contains the files that cannot be read with the given options, with their errors; the
    error is `Undecided` if other options may help.
    """

    # one or two lines per file: name, numbers of records and, for most kinds, the format
    summaries: tuple[str, ...] = ()
    first_records: tuple[str, ...] = ()  # at most `MAX_SHOWN_RECORDS` in total
    warnings: tuple[str, ...] = ()
    rejected: tuple[RejectedFile, ...] = ()
    # distinct grades of qrels or calibration documents, ascending; -2 for unjudgeable
    grades: tuple[int, ...] = ()


def preview_files(
    kind: PreviewKind, paths: Sequence[Path], options: ReadingOptions = DEFAULT_READING
) -> FilePreview:
    """Read the beginning of files to preview them.

    If a file is of another kind or ambiguous, it is listed as rejected and the other files are
    still read. The error of a file that is ambiguous with these `options` is `Undecided`.
    """
    previews, rejected_files = list[FilePreview](), list[RejectedFile]()
    for path in paths:
        try:
            if path.exists() and not (path.is_file() or path.is_dir()):
                raise FormatError(
                    path,
                    Message("it is a pipe or a device; expected a file or a folder", key="pipe"),
                )  # reading a pipe would block
            previews.append(PREVIEW_FUNCTIONS[kind](path, options))
        except IrjudgeError as error:
            rejected_files.append(RejectedFile(path, error))
    summaries, first_records, warnings = (
        tuple(line for preview in previews for line in getattr(preview, field))
        for field in ("summaries", "first_records", "warnings")
    )
    grades = sorted({grade for preview in previews for grade in preview.grades})
    return FilePreview(
        summaries, first_records[:MAX_SHOWN_RECORDS], warnings, tuple(rejected_files), tuple(grades)
    )


def find_missing_documents(
    documents: Sequence[Path],
    runs: Sequence[Path],
    *,
    reading_documents: ReadingOptions = DEFAULT_READING,
    reading_runs: ReadingOptions = DEFAULT_READING,
) -> dict[str, int]:
    """Return the best rank of each retrieved document that is not in the files of documents.

    The result is empty if files are too large to be read for a preview, or are folders or archives.
    """
    corpora = [find_corpus_file(path) for path in documents]
    is_small = all(path.is_file() for path in corpora) and (
        sum(path.stat().st_size for path in (*corpora, *runs)) <= MAX_MATCHED_BYTES
    )
    if not is_small or any(
        "archive" in recognise_document_format(path, columns=reading_documents.columns)
        for path in documents
    ):
        return {}
    best_ranks: dict[str, int] = {}
    for path in runs:
        run = _read_run(path, reading_runs)
        for id, rank in zip(
            run.document.to_pylist(), compute_ranks(run, np.arange(len(run))).tolist(), strict=True
        ):
            best_ranks[id] = min(rank, best_ranks.get(id, rank))
    found_ids = {
        document.id
        for document in read_documents(
            documents,
            warnings=[],
            columns=reading_documents.columns,
            encoding=reading_documents.encoding,
        )
    }
    return {id: rank for id, rank in best_ranks.items() if id not in found_ids}


def _preview_documents(path: Path, options: ReadingOptions) -> FilePreview:
    columns, encoding = options.columns, options.encoding
    format_name = recognise_document_format(path, columns=columns, encoding=encoding)
    problems = list[str]()
    documents = preview_documents(
        [path], MAX_SHOWN_RECORDS, warnings=problems, columns=columns, encoding=encoding
    )
    # the warnings are only about the first documents, and the file may contain more
    if len(documents) == MAX_SHOWN_RECORDS:
        problems = [
            Message(
                "In the first {count} documents: {warning}",
                key="first-documents",
                count=MAX_SHOWN_RECORDS,
                warning=warning,
            )
            for warning in problems
        ]
    return FilePreview(
        (_describe_files(path, format_name),),
        tuple(
            _format_title(document.id, document.title or document.text) for document in documents
        ),
        tuple(problems),
    )


def _describe_files(path: Path, format_name: str) -> str:
    if (documents := count_documents(path, format_name)) is not None:
        return Message(
            "{file}: {form}; documents: {documents:,}",
            file=path.name,
            form=format_name,
            documents=documents,
        )
    if (files := count_files(path, format_name)) is not None:
        return Message(
            "{file}: {form}; files: {files:,}", file=path.name, form=format_name, files=files
        )
    return Message("{file}: {form}", file=path.name, form=format_name)


def _preview_topics(path: Path, options: ReadingOptions) -> FilePreview:
    file = read_topics(
        path, topic_ids=options.topic_ids, columns=options.columns, encoding=options.encoding
    )
    return FilePreview(
        (
            Message(
                "{file}: {form}; topics: {topics:,}",
                file=path.name,
                form=file.format_name,
                topics=len(file.topics),
            ),
        ),
        tuple(_format_title(topic.id, topic.title) for topic in file.topics[:MAX_SHOWN_RECORDS]),
        tuple(file.warnings),
    )


def _read_run(path: Path, options: ReadingOptions) -> Run:
    answers = read_engine_responses(path, options.paths) if options.paths else None
    return (
        run_from_responses(path, run_name(path), answers)
        if answers
        else read_run(path, columns=options.columns, encoding=options.encoding)
    )


def _preview_run(path: Path, options: ReadingOptions) -> FilePreview:
    run = _read_run(path, options)
    rows = zip(
        run.topic[:MAX_SHOWN_RECORDS].tolist(),
        run.document[:MAX_SHOWN_RECORDS].to_pylist(),
        run.score[:MAX_SHOWN_RECORDS].tolist(),
        strict=True,
    )
    return FilePreview(
        (
            Message(
                "{run}: documents retrieved: {documents:,}; topics: {topics:,}",
                run=run.name,
                documents=len(run),
                topics=len(run.topics),
            ),
        ),
        tuple(
            _shorten(f"{run.topics[topic]}  {document}  {score:g}")
            for topic, document, score in rows
        ),
        tuple(run.warnings),
    )


def _describe_ratings(path: Path, ratings: RatingsFile | None) -> tuple[str, ...]:
    if ratings is None:
        return ()
    values = {
        "file": path.name,
        "form": ratings.format_name,
        "queries": len(ratings.queries),
        "documents": len(ratings.documents),
    }
    if ratings.documents:
        return (
            Message(
                "{file}: {form}; queries, identified by their text: {queries:,}; documents "
                "with text: {documents:,}",
                **values,
            ),
        )
    return (Message("{file}: {form}; queries, identified by their text: {queries:,}", **values),)


def _preview_qrels(path: Path, options: ReadingOptions) -> FilePreview:
    ratings = None if options.columns else read_ratings(path)
    qrels = read_qrels(
        path,
        options.negative,
        grades=options.grades,
        columns=options.columns,
        encoding=options.encoding,
    )
    values, counts = np.unique(qrels.grade, return_counts=True)
    titles = dict(zip(qrels.topics, qrels.titles, strict=False))
    return FilePreview(
        (
            *_describe_ratings(path, ratings),
            Message(
                "{file}: judgments: {qrels:,} ({grades}); topics: {topics:,}",
                file=path.name,
                qrels=len(qrels),
                topics=len(qrels.topics),
                grades=join_messages(
                    Message("grade {value}: {count:,}", count=count, value=value)
                    for value, count in zip(values.tolist(), counts.tolist(), strict=True)
                ),
            ),
        ),
        tuple(
            _shorten(f"{titles.get(topic, topic)}  {document}  {format_rating(grade)}")
            for topic, document, grade in islice(qrels.rated_rows(), MAX_SHOWN_RECORDS)
        ),
        _describe_warnings(qrels.warnings, omit_format=ratings is not None),
        grades=tuple(values.tolist()),
    )


def _describe_warnings(warnings: Iterable[str], *, omit_format: bool) -> tuple[str, ...]:
    return tuple(
        warning
        for warning in warnings
        if not (omit_format and isinstance(warning, Message) and warning.key == "read-as-ratings")
    )


def _preview_instructions(path: Path, _options: ReadingOptions) -> FilePreview:
    lines = read_instructions(path).splitlines()
    return FilePreview(
        (Message("{file}: lines: {lines:,}", file=path.name, lines=len(lines)),),
        tuple(_shorten(line) for line in lines if line.strip())[:MAX_SHOWN_RECORDS],
    )


def _preview_judgments(path: Path, options: ReadingOptions) -> FilePreview:
    arguments = {
        name: getattr(options, name) for name in ("columns", "encoding", "words", "grades", "scale")
    }
    file = read_judgments(path, **arguments)
    ratings = None if options.columns else read_rating_book(path)
    return FilePreview(
        (
            *_describe_ratings(path, ratings),
            Message(
                "{file}: judgments: {rows:,}; assessors: {value:,} ({reading})",
                file=path.name,
                rows=len(file.rows),
                value=len({row.assessor for row in file.rows}),
                reading=file.mapping_text,
            ),
        ),
        tuple(_shorten(_format_judgment(row)) for row in file.rows[:MAX_SHOWN_RECORDS]),
        file.warnings,
    )


def _preview_auxiliary_file(path: Path, _options: ReadingOptions) -> FilePreview:
    table = detect_auxiliary_table(path)
    rows = zip(*(column[:MAX_SHOWN_RECORDS] for column in table.columns.values()), strict=True)
    return FilePreview(
        (
            Message(
                "{file}: {title}; rows: {rows:,}",
                file=path.name,
                title=AUXILIARY_KINDS.find(table.kind).title,
                rows=len(table),
            ),
        ),
        tuple(_shorten("  ".join(map(_format_cell, row))) for row in rows),
        table.warnings,
    )


def _format_cell(cell: str | float) -> str:
    return cell if isinstance(cell, str) else f"{cell:g}"


def _format_judgment(row: JudgmentFileRow) -> str:
    return f"{row.item or f'{row.topic}  {row.document}'}  {row.assessor}  {UNJUDGEABLE_LABEL if row.grade == UNJUDGEABLE else row.grade}"


def _format_title(id: str, title: str) -> str:
    return _shorten(" · ".join(filter(None, (id, title.strip()))))


def _shorten(line: str) -> str:
    single_spaced = " ".join(line.split())
    return (
        single_spaced
        if len(single_spaced) <= MAX_LINE_CHARACTERS
        else single_spaced[: MAX_LINE_CHARACTERS - 1] + "…"
    )


PREVIEW_FUNCTIONS: Mapping[PreviewKind, Callable[[Path, ReadingOptions], FilePreview]] = {
    "documents": _preview_documents,
    "topics": _preview_topics,
    "runs": _preview_run,
    "qrels": _preview_qrels,
    "calibration": _preview_qrels,
    "instructions": _preview_instructions,
    "judgments": _preview_judgments,
    "sides": _preview_auxiliary_file,
}


@dataclass(frozen=True, slots=True)
class ClassifiedFiles:
    """Files to evaluate without a project, classified by their content as qrels, runs or neither.

    A run can also be a folder of search engine responses.
    """

    qrels: tuple[Path, ...] = ()
    runs: tuple[Path, ...] = ()
    # files that are neither qrels nor runs, or that cannot be read
    rejected: tuple[RejectedFile, ...] = ()
    # options that the user set for reading the qrels; classification leaves the default
    qrels_reading: ReadingOptions = DEFAULT_READING


def classify_rankings(paths: Sequence[Path], progress: Progress = SILENT) -> ClassifiedFiles:
    """Classify files as qrels or runs by their content."""
    qrels, runs, rejected_files = list[Path](), list[Path](), list[RejectedFile]()
    for index, path in enumerate(paths):
        progress.step(index, len(paths), Message("Reading {file}", file=path.name))
        try:
            (qrels if _is_qrels(path) else runs).append(path)
        except IrjudgeError as error:
            rejected_files.append(RejectedFile(path, error))
    return ClassifiedFiles(tuple(qrels), tuple(runs), tuple(rejected_files))


def classify_files(
    paths: Sequence[Path], progress: Progress = SILENT
) -> dict[PreviewKind, tuple[Path, ...]]:
    """Classify files for a new project as qrels, runs or topics; all others are documents."""
    classified = classify_rankings(paths, progress)
    kinds: dict[PreviewKind, list[Path]] = {"topics": [], "documents": []}
    for rejected_file in classified.rejected:
        kinds["topics" if _is_topics(rejected_file.path) else "documents"].append(
            rejected_file.path
        )
    kinds["runs"], kinds["qrels"] = list(classified.runs), list(classified.qrels)
    return {kind: tuple(files) for kind, files in kinds.items() if files}


def _is_topics(path: Path) -> bool:
    """Return whether a file probably contains topics, judged by its content and its name."""
    if not path.is_file():
        return False
    try:
        format_name = read_topics(path).format_name
    except IrjudgeError:
        return False
    if TOPIC_FILE_NAME.search(path.name):
        return True
    # any list of names matches this format, not only a list of queries
    if format_name == NUMBERED_LINES_FORMAT_NAME:
        return False
    try:
        return recognise_document_format(path) == PLAIN_TEXT_FORMAT.name
    except IrjudgeError:
        return True


def _is_qrels(path: Path) -> bool:
    """Return whether a file is qrels; raise IrjudgeError if it is neither qrels nor a run."""
    if path.is_dir():
        return _check_is_run(
            path, FormatError(path, "contains no search engine responses; expected qrels or a run")
        )
    if not path.is_file():
        raise FormatError(path, "it is not a file; expected qrels or a run")
    with open_input(path) as file:
        if TREC_RUN_LINE.match(file.text(ReaderWarnings()).head):
            return False
    try:
        qrels = read_qrels(path)
    except Undecided as error:
        return "negative" in error.options or "grades" not in error.options or not _is_run(path)
    except IrjudgeError as error:
        return _check_is_run(path, error)
    return not _has_ranks_as_grades(qrels) and not _is_run_table(path)


def _is_run_table(path: Path) -> bool:
    """Return whether a file is a table with a rank and a score, but without a grade."""
    try:
        if detect_table_format(path, RUN_PARTS, records=True) in ("", JSON):
            return False
        table = read_table(path, RUN_PARTS, ReaderWarnings(), records=True)
    except IrjudgeError:
        return False
    names = {name.lower() for name in table.header}
    return {"rank", "score"} <= table.index_of_part.keys() and names.isdisjoint(
        name for name in GRADE.column_names if name != "score"
    )


def _is_run(path: Path) -> bool:
    try:
        read_run(path)
    except IrjudgeError:
        return False
    return True


def _check_is_run(path: Path, error: IrjudgeError) -> bool:
    """Return False if a file is a run, even an ambiguous one; otherwise raise IrjudgeError.

    The message of the error contains `error`.
    """
    try:
        read_run(path)
    except IrjudgeError as run_error:
        if isinstance(run_error, Undecided) and not _has_document(path):
            return False
        raise IrjudgeError(
            "This file contains neither qrels nor a run: {error}", key="neither", error=error
        ) from None
    return False


def _has_document(path: Path) -> bool:
    """Return whether a file is a JSON document with an id and a text."""
    try:
        if detect_table_format(path, RUN_PARTS) != JSON:
            return False
        return bool(preview_documents([path], 1, warnings=[]))
    except IrjudgeError:
        return False


def _has_ranks_as_grades(qrels: Qrels) -> bool:
    """Return whether the grades are probably ranks.

    This is the case if the grades of every topic are 1, 2, 3 …, and some topic has more than
    `MAX_DEFAULT_GRADE` documents.
    """
    grades_by_topic = np.split(qrels.grade, qrels.starts[1:-1])
    has_consecutive_grades = (
        np.array_equal(np.sort(topic_grades), np.arange(1, len(topic_grades) + 1))
        for topic_grades in grades_by_topic
    )
    return max(map(len, grades_by_topic), default=0) > MAX_DEFAULT_GRADE and all(
        has_consecutive_grades
    )

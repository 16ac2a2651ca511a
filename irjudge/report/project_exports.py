"""Exports of a project's data to files for other programs and for crowd platforms."""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple, dataclass, replace
from html import escape
from itertools import zip_longest
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import TextIO, TypeVar

import numpy as np

from irjudge.errors import IrjudgeError, ProjectError
from irjudge.formats import ReaderWarnings, WarningKind
from irjudge.formats.bytes import replace_file, write_text_atomically
from irjudge.formats.collections import read_documents, read_topics, write_documents, write_topics
from irjudge.formats.judgments import (
    LINES_SUFFIX,
    STUDIO_SUFFIX,
    TASK_COLUMNS,
    TASK_FORMATS,
    WRITERS,
    JudgmentFileRow,
    list_used_columns,
    ratings_from_grades,
    read_judgments,
    read_tasks,
    to_cells,
    to_utc,
    write_judgments,
    write_ratings,
    write_tasks,
)
from irjudge.formats.rankings import COLUMNS as POOL_COLUMNS
from irjudge.formats.rankings import (
    REQUIRED_COLUMNS,
    GradeRules,
    iter_pool_rows,
    read_pool,
    read_qrels,
    read_run,
    warn_of_omitted_topics,
    write_pool,
    write_qrels,
    write_run,
)
from irjudge.formats.rows import escape_formula, unescape_formula, write_csv
from irjudge.judging import (
    GRADINGS,
    Ledger,
    describe_adjudications,
    get_ledger,
    list_qrels_choices,
    list_readable_pairs,
    list_rows_and_subtopics,
    make_tasks,
    read_adjudications,
    read_valid_adjudications,
    select_adjudications,
    select_qrels,
)
from irjudge.message import Message, join_choices
from irjudge.model import (
    UNJUDGEABLE,
    Actor,
    Document,
    Event,
    Pool,
    Run,
    Scale,
    active_ms,
    rename_topics_with_blanks,
    warn_of_renamed_topics,
)
from irjudge.progress import SILENT, Progress
from irjudge.report.workbook import (
    MAX_CELL_LENGTH,
    MAX_ROWS,
    SheetCell,
    WorkbookColumn,
    create_workbook,
)
from irjudge.report.workbook import write_table as write_sheet
from irjudge.store import Project

# Exports to other programs. A file is read back and compared before it replaces an existing file.

NUMBER_COLUMN_KINDS = {"grade": "whole", "seconds": "plain", "showing": "whole"}


def write_judgment_book(
    path: Path, rows: Sequence[JudgmentFileRow], progress: Progress = SILENT
) -> int:
    """Write judgments as the only sheet of an XLSX workbook; return the number of judgments.

    Ids are written as text. Raises IrjudgeError if there are too many rows for a sheet, or if a
    text is too long for a cell.
    """
    if len(rows) > MAX_ROWS - 1:
        raise IrjudgeError(
            "{path}: {count:,} judgments, but a sheet has at most {limit:,} rows. Save them as "
            ".csv.",
            path=path.name,
            count=len(rows),
            limit=MAX_ROWS - 1,
        )
    names = list_used_columns(rows)
    columns = [WorkbookColumn(name, NUMBER_COLUMN_KINDS.get(name, "id")) for name in names]  # type: ignore[arg-type]
    with create_workbook(path, progress=progress) as workbook:
        write_sheet(
            workbook,
            "Judgments",
            columns,
            (_fit_cells(path, row, names) for row in rows),
            progress,
            frozen=4,
            total=len(rows),
        )
    return len(rows)


def _fit_cells(path: Path, row: JudgmentFileRow, columns: Sequence[str]) -> Sequence[SheetCell]:
    cells = to_cells(path, row, columns)
    if any(
        isinstance(cell, str) and len(cell.encode("utf-16-le")) > 2 * MAX_CELL_LENGTH
        for cell in cells
    ):
        raise IrjudgeError(
            "{path}: a text is longer than the {limit:,} characters that fit in a cell "
            "({location}). Save the file as .csv.",
            path=path.name,
            limit=MAX_CELL_LENGTH,
            location=f"topic {row.topic}, document {row.document}, {row.assessor}",
        )
    return cells


Row = TypeVar("Row")
_MISSING = object()
TREC = "trec"  # qrels format that all tools can read
BINARY_FORMS = ("parquet", "arrow")


class ReadBackError(IrjudgeError):
    """Error of an export: the data read back from the new file differ from the exported data.

    An existing file is not replaced.
    """


def write_checked(
    path: Path, write_file: Callable[[Path], object], read_back: Callable[[Path], int]
) -> int:
    """Write a file in a temporary folder, read it back, and move it to `path`.

    If `read_back` raises an error, `path` does not change. Otherwise, return the number of rows
    that `read_back` returned.
    """
    with (
        replace_file(path) as part,
        TemporaryDirectory(dir=part.parent, prefix=".irjudge-") as folder,
    ):
        # The temporary file has the name of the final file, since readers detect formats by the
        # extension, and errors contain the name.
        draft_path = Path(folder) / path.name
        write_file(draft_path)
        result = read_back(draft_path)
        draft_path.chmod(part.stat().st_mode)
        draft_path.replace(part)
    return result


def compare_rows(
    path: Path, row_label: str, rows: Iterable[Row], reread_rows: Iterable[Row]
) -> int:
    """Compare written rows with rows read back, and return the number of rows.

    Raises ReadBackError if rows differ. `row_label` is the message's plural noun for the rows.
    """
    written_count = read_count = difference_count = 0
    for row, reread_row in zip_longest(rows, reread_rows, fillvalue=_MISSING):
        written_count = written_count + (row is not _MISSING)
        read_count = read_count + (reread_row is not _MISSING)
        if row != reread_row:
            difference_count = difference_count or max(written_count, read_count)
    if difference_count:
        raise ReadBackError(
            Message(
                "{path} was not saved: the data read back differ from the data to be written. "
                "{written:,} {rows} were written and {read:,} were read back; the first "
                "difference is at position {number:,}.",
                path=path.name,
                rows=row_label,
                written=written_count,
                read=read_count,
                number=difference_count,
            )
        )
    return read_count


FORMULA_CELL_WARNING = WarningKind(
    "1 cell looks like a formula: {first}. It is written with a leading apostrophe, which "
    "irjudge removes when it reads the file.",
    "{count} cells look like formulas. Each is written with a leading apostrophe, which "
    "irjudge removes when reading. First: {first}.",
    key="formula-cell",
)


def note_formulas(
    columns: Sequence[str], rows: Iterable[Sequence[object]], warnings: ReaderWarnings
) -> None:
    """Add a warning for each cell that gets an apostrophe because it looks like a formula.

    In warnings, the header is row 1, so that the first row of data is row 2.
    """
    for number, row in enumerate(rows, 2):
        for column, cell in zip(columns, row, strict=True):
            if escape_formula(cell) != cell:
                warnings.add(
                    FORMULA_CELL_WARNING,
                    Message("{column} in row {number:,}", column=column, number=number),
                )


TEXTLESS_DOCUMENT_WARNING = WarningKind(
    "1 pooled document has no text to show (it is an image or empty), so no task was created for "
    "it: {first}.",
    "{count} pooled documents have no text to show (they are images or empty), so no tasks were "
    "created for them. First: {first}.",
    key="no-words",
)


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """Options of an export: the kind of data, the name of the run or qrels, and the format.

    The kind is, for example, `qrels`, `run`, `pool` or `tasks`. The constructor raises
    IrjudgeError if an option does not apply to the kind. The file is a separate argument, and its
    extension determines further formats.
    """

    what: str  # name of the kind of export, one of `EXPORT_KINDS`
    # name of the run, or of the qrels; None for the default qrels, see `select_qrels`
    name: str | None = None
    unjudged: bool = False  # whether qrels include unjudged pooled documents, with grade -1
    # format of qrels, `TREC` or one of `WRITERS`; or format of tasks, one of `TASK_FORMATS`, or
    # `TREC` to use the format of the extension
    form: str = TREC

    def __post_init__(self) -> None:
        is_task_format = self.form in TASK_FORMATS
        if is_task_format and self.what != "tasks":
            raise IrjudgeError(
                "--form {format} applies to --tasks, not to --{option}.",
                format=self.form,
                option=self.what,
            )
        is_named = bool(self.name) and self.what != "run"
        is_other_form = self.form != TREC and not is_task_format
        if (is_named or self.unjudged or is_other_form) and self.what != "qrels":
            raise IrjudgeError(
                "--source, --unjudged and --form can be used only with --qrels, not with --{option}.",
                option=self.what,
            )


@dataclass(frozen=True, slots=True)
class ExportResult:
    """Result of an export: path, numbers of rows written and read back, and warnings.

    The file was read back and compared with the project's data before it replaced an existing file.
    After an export to a stream, `path` is that of a deleted temporary file. `rows` is a plural noun
    for the rows in messages, such as `judgments`.
    """

    path: Path
    rows: str
    written_count: int
    read_count: int
    warnings: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Sentence with the path and the numbers of rows written and read back."""
        return Message(
            "Created {path}. Written: {written:,} {rows}; read back unchanged: {read:,}.",
            path=self.path,
            written=self.written_count,
            rows=self.rows,
            read=self.read_count,
        )


@dataclass(frozen=True, slots=True)
class ExportContent:
    """Content of an export: number of rows, and functions that write the file and read it back.

    `export_project` writes a temporary file, reads it back, and then moves it to its path.
    """

    count: int
    write: Callable[[Path], object]
    # compares the file with the project's data; returns the number of rows, or raises
    # `ReadBackError` if they differ
    read_back: Callable[[Path], int]
    # returns warnings; called after both functions
    warnings: Callable[[], tuple[str, ...]] = tuple


@dataclass(frozen=True, slots=True)
class ExportKind:
    """Declaration of a kind of export, such as qrels: its texts, file extensions and content."""

    title: str  # title in lists of exports
    rows: str  # plural noun for the rows in messages, such as `judgments`
    suffixes: tuple[str, ...]  # file extensions, default first; empty if any is accepted
    # function that returns the content; the extension of its path determines the format
    content: Callable[[Project, ExportOptions, Path, Progress], ExportContent]


def export_project(
    project: Project,
    options: ExportOptions,
    path: Path,
    progress: Progress = SILENT,
) -> ExportResult:
    """Write part of a project to a file, read the file back, and compare the data.

    The extension of the file determines the format.

    Raises
    ------
    IrjudgeError
        If there is nothing to write, if the extension is not one of this kind of export, if the
        file cannot be written, or if the data read back differ. An existing file is then unchanged.

    Examples
    --------
    >>> ExportOptions("pool", unjudged=True)
    Traceback (most recent call last):
    irjudge.errors.IrjudgeError: --source, --unjudged and --form can be used only with --qrels, not with --pool.
    """
    kind = EXPORT_KINDS[options.what]
    if kind.suffixes and path.suffix.lower() not in kind.suffixes:
        raise IrjudgeError(
            "{title} must be written to a file whose name ends in {endings}, got {file}.",
            title=kind.title,
            endings=join_choices(kind.suffixes),
            file=path.name,
        )
    content = kind.content(project, options, path, progress)
    if not content.count:
        raise ProjectError("{file} has no {rows} to write.", file=project.path.name, rows=kind.rows)
    read_count = write_checked(path, content.write, content.read_back)
    return ExportResult(path, kind.rows, content.count, read_count, content.warnings())


def export_to_stream(
    project: Project,
    options: ExportOptions,
    open_stream: Callable[[], AbstractContextManager[TextIO]],
    progress: Progress = SILENT,
) -> ExportResult:
    """Write part of a project to a text stream.

    The stream is opened only after a temporary file has been written, read back and checked (see
    `export_project`).
    Raises IrjudgeError if the format is not text.
    """
    suffixes = EXPORT_KINDS[options.what].suffixes
    suffix = LINES_SUFFIX if options.form in TASK_FORMATS else next(iter(suffixes), ".txt")
    if options.form in BINARY_FORMS or suffix == ".xlsx":
        raise IrjudgeError(
            "The format {format} is not text, so it cannot be written to standard output; give a "
            "file name after -o.",
            key="not-text",
            format=options.form,
        )
    with TemporaryDirectory(prefix="irjudge-") as folder:
        path = Path(folder) / f"{project.path.stem}{suffix}"
        result = export_project(project, options, path, progress)
        with path.open(encoding="utf-8", newline="") as exported_file, open_stream() as stream:
            copyfileobj(exported_file, stream)
    return result


# Contents of exports


def _make_judgment_content(
    project: Project, _options: ExportOptions, path: Path, progress: Progress
) -> ExportContent:
    rows, excluded_rows = judgment_rows(project, progress)
    return _make_judgment_table_content(path, rows, excluded_rows, progress)


def _make_adjudication_content(
    project: Project, _options: ExportOptions, path: Path, progress: Progress
) -> ExportContent:
    """Return the valid adjudications as a table of judgments by adjudicators.

    The reason for an adjudication is in the column `note`.
    """
    adjudications = read_valid_adjudications(project)
    rows = [
        JudgmentFileRow(
            0,
            *adjudication.pair,
            adjudication.adjudicator,
            adjudication.grade,
            adjudication.time,
            adjudication.why,
        )
        for adjudication in adjudications.values()
    ]
    outdated_count = len(read_adjudications(project)) - len(adjudications)
    warning = Message(
        "Skipped pairs that were adjudicated with an older text or scale: {count:,}.",
        count=outdated_count,
    )
    return _make_judgment_table_content(path, rows, (warning,) if outdated_count else (), progress)


def _make_judgment_table_content(
    path: Path, rows: Sequence[JudgmentFileRow], excluded_rows: tuple[str, ...], progress: Progress
) -> ExportContent:
    if path.suffix.lower() == ".xlsx":
        return ExportContent(
            len(rows),
            lambda stream: write_judgment_book(stream, rows, progress),
            lambda stream: _compare_judgments(stream, rows),
            lambda: excluded_rows,
        )
    warnings = ReaderWarnings()
    columns = list_used_columns(rows)
    note_formulas(columns, (to_cells(path, row, columns) for row in rows), warnings)
    sentences = (*excluded_rows, *warnings.sentences())
    return ExportContent(
        len(rows),
        lambda stream: write_judgments(stream, rows),
        lambda stream: _compare_judgments(stream, rows),
        lambda: sentences,
    )


def judgment_rows(
    project: Project, progress: Progress = SILENT
) -> tuple[list[JudgmentFileRow], tuple[str, ...]]:
    """Return the current judgments of all assessors, and messages about omitted data.

    Rows are sorted by the name of the assessor, then by order of judging. Excluded assessors are
    included. If the project has labels of models, they are last, and each row states whether the
    judgment was made by a person or by a model. The time of a row is the time of the judgment: for
    an imported judgment, the time in the imported table, otherwise the time in the log.
    """
    rows = list[JudgmentFileRow]()
    preferences = note_count = 0
    models = project.events.models()
    names = (*project.events.assessors(), *models)
    for name in progress.track(names, Message("Reading judgments"), total=len(names), every=1):
        ledger = get_ledger(project, name)
        events = list(ledger.judgments())
        kind: Actor | None = ("model" if name in models else "person") if models else None
        rows += [
            replace(_make_judgment_row(event, ledger), kind=kind)
            for event in events
            if event.kind in GRADINGS
        ]
        preferences += sum(event.kind not in GRADINGS for event in events)
        note_count += sum(1 for _ in _iter_annotated_unjudged_items(project, name, ledger))
    counts = (
        (preferences, Message("side-by-side preferences")),
        (note_count, Message("notes or flags on documents without a judgment")),
        (
            len(read_valid_adjudications(project)),
            Message("adjudicated grades (--adjudications writes these grades with their reasons)"),
        ),
    )
    return rows, tuple(
        Message(
            "Not included in the judgments: {content} ({count:,}).",
            content=description,
            count=count,
        )
        for count, description in counts
        if count
    )


def _make_judgment_row(event: Event, ledger: Ledger) -> JudgmentFileRow:
    marks, milliseconds = ledger.marks(event.item.key), active_ms(event)
    # blank or empty passages, which a browser can send, cannot be read back
    rationales = [
        replace(rationale, text=_remove_zero_bytes(rationale.text))
        for rationale in marks.rationales
        if rationale.text.strip() and rationale.begin < rationale.end
    ]
    return JudgmentFileRow(
        0,
        event.item.topic,
        event.item.documents[0],
        event.assessor,
        int(event.payload["value"]) if event.kind == "grade" else UNJUDGEABLE,
        to_utc(_remove_zero_bytes(event.judged_at).strip()),
        _remove_zero_bytes(marks.note),
        marks.unsure,
        milliseconds / 1000 if milliseconds else None,
        event.item.occurrence,
        _remove_zero_bytes(str(event.payload.get("reason", ""))),
        rationales=tuple(rationales),
    )


def _remove_zero_bytes(text: str) -> str:
    """Return a text with U+FFFD instead of zero bytes, which tables cannot store."""
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _iter_annotated_unjudged_items(
    project: Project, assessor: str, ledger: Ledger
) -> Iterator[object]:
    """Yield the key of each item with an assessor's note or unsure flag but without judgment."""
    annotated_items = {
        event.item.key
        for event in project.events.read(assessor)
        if event.kind in ("note", "unsure")
    }
    for key in annotated_items:
        marks = ledger.marks(key)
        if (marks.note or marks.unsure) and ledger.judgment(key) is None:
            yield key


def _compare_judgments(path: Path, rows: Sequence[JudgmentFileRow]) -> int:
    return compare_rows(
        path,
        Message("judgments"),
        rows,
        (replace(row, line=0) for row in read_judgments(path).rows),
    )


def _make_document_content(
    project: Project, _options: ExportOptions, _path: Path, progress: Progress
) -> ExportContent:
    count = project.collection.document_count()

    def documents() -> Iterator[Document]:
        collection = project.collection
        return (
            replace(document, picture=collection.picture(document.id) or b"")
            if document.pictured
            else document
            for document in collection.documents()
        )

    def read_back(path: Path) -> int:
        return compare_rows(
            path, Message("documents"), documents(), read_documents([path], progress, warnings=[])
        )

    return ExportContent(
        count, lambda stream: write_documents(stream, documents(), progress), read_back
    )


def _make_topic_content(
    project: Project, _options: ExportOptions, _path: Path, _progress: Progress
) -> ExportContent:
    rows = project.collection.topics()
    return ExportContent(
        len(rows),
        lambda stream: write_topics(stream, rows),
        lambda stream: compare_rows(stream, Message("topics"), rows, read_topics(stream).topics),
    )


def _make_run_content(
    project: Project, options: ExportOptions, _path: Path, _progress: Progress
) -> ExportContent:
    names = [stored_run.name for stored_run in project.rankings.runs()]
    if options.name is None:
        raise ProjectError(
            "Name the run to write; available: {names}.",
            names=", ".join(names) or Message("none"),
        )
    run = project.rankings.run(options.name)
    new_topic_names = rename_topics_with_blanks(run.topics)
    run = replace(run, topics=tuple(new_topic_names.values()))
    written_run = run.without_empty_topics()
    return ExportContent(
        len(run),
        lambda stream: write_run(stream, written_run),
        lambda stream: _compare_runs(stream, written_run),
        lambda: (*warn_of_renamed_topics(new_topic_names), *warn_of_omitted_topics(run)),
    )


def _compare_runs(path: Path, run: Run) -> int:
    reread_run = read_run(path)
    columns = ((run.starts, reread_run.starts), (run.score, reread_run.score))
    is_equal = (run.topics, run.metadata) == (reread_run.topics, reread_run.metadata)
    if (
        not is_equal
        or run.document != reread_run.document
        or not all(np.array_equal(*column) for column in columns)
    ):
        raise ReadBackError(
            "{file} was not saved: the data read back differ from the data to be written, in "
            "the number of lines ({read:,} of {written:,} lines were read back) or in content.",
            file=path.name,
            written=len(run),
            read=len(reread_run),
        )
    return len(reread_run)


def _make_qrels_content(
    project: Project, options: ExportOptions, _path: Path, _progress: Progress
) -> ExportContent:
    qrels_choice = select_qrels(project, options.name)
    rows, groups = list_rows_and_subtopics(project, qrels_choice, include_unjudged=options.unjudged)
    messages: list[str] = [Message("Qrels: {name}.", name=qrels_choice.name)]
    if adjudications := select_adjudications(project, qrels_choice):
        messages += [
            describe_adjudications(adjudications.values(), qrels_choice.pair_count),
            Message("Reasons for adjudications are written only with --adjudications."),
        ]
    if options.form != TREC:
        return _make_rating_content(project, rows, options.form, messages)
    names = rename_topics_with_blanks(topic for topic, _, _ in rows)
    rows = [(names[topic], document, grade) for topic, document, grade in rows]
    expected_rows = sorted(zip(rows, groups, strict=True))

    def read_back(path: Path) -> int:
        reread_qrels = read_qrels(path, grades=_make_read_back_rules(rows))
        return compare_rows(
            path,
            Message("judgments"),
            expected_rows,
            sorted(
                zip(
                    reread_qrels.rated_rows(),
                    [reread_qrels.groups[code] for code in reread_qrels.group.tolist()],
                    strict=True,
                )
            ),
        )

    return ExportContent(
        len(rows),
        lambda stream: write_qrels(stream, rows, groups),
        read_back,
        lambda: (*messages, *warn_of_renamed_topics(names)),
    )


def _make_rating_content(
    project: Project,
    rows: Sequence[tuple[str, str, float]],
    file_format: str,
    messages: Sequence[str],
) -> ExportContent:
    """Return qrels in the format of a tool that identifies queries by their titles."""
    file = ratings_from_grades(
        rows, project.collection.topic_titles(), project.path.stem, WRITERS[file_format].title
    )
    expected_rows = sorted(
        (file.queries[rating.topic].text, rating.document, rating.value)
        for rating in file.ratings
        if rating.value is not None
    )
    excluded_rows = len(file.ratings) - len(expected_rows)
    warning = Message(
        "Ratings excluded because they have no grade: {count:,}.", count=excluded_rows
    )

    def read_back(path: Path) -> int:
        reread_qrels = read_qrels(path, grades=_make_read_back_rules(rows))
        title = dict(zip(reread_qrels.topics, reread_qrels.titles, strict=False)) or {
            query.id: query.text for query in file.queries.values()
        }
        return compare_rows(
            path,
            Message("judgments"),
            expected_rows,
            sorted(
                (title[topic], document, rating)
                for topic, document, rating in reread_qrels.rated_rows()
                if rating >= 0
            ),
        )

    return ExportContent(
        len(expected_rows),
        lambda stream: write_ratings(stream, file, file_format),
        read_back,
        lambda: (*messages, *([warning] if excluded_rows else [])),
    )


def _make_read_back_rules(rows: Iterable[tuple[str, str, float]]) -> GradeRules:
    """Return grade rules that read written ratings back without changing their numbers."""
    return GradeRules(gains=any(not float(rating).is_integer() for _, _, rating in rows))


def _make_pool_content(
    project: Project, _options: ExportOptions, _path: Path, _progress: Progress
) -> ExportContent:
    pool = project.rankings.pool()
    if pool is None:
        raise ProjectError("{file} has no pool; build one first.", file=project.path.name)

    def read_back(path: Path) -> int:
        return compare_rows(
            path,
            Message("rows"),
            _iter_compared_pool_rows(pool),
            _iter_compared_pool_rows(read_pool(path)),
        )

    warnings = ReaderWarnings()
    note_formulas(POOL_COLUMNS, iter_pool_rows(pool), warnings)
    return ExportContent(
        len(pool) + len(pool.unsampled),
        lambda stream: write_pool(stream, pool),
        read_back,
        warnings.sentences,
    )


def _iter_compared_pool_rows(pool: Pool) -> Iterator[tuple[object, ...]]:
    """Yield the rows of a pool without the contributing runs, which cannot be read back."""
    return (row[: len(REQUIRED_COLUMNS)] for row in iter_pool_rows(pool))


def _make_task_content(
    project: Project, options: ExportOptions, path: Path, progress: Progress
) -> ExportContent:
    task_format = next(
        (known_format for known_format in TASK_FORMATS if known_format == options.form), None
    )
    if (task_format is not None or options.form != TREC) and path.suffix.lower() != LINES_SUFFIX:
        raise ProjectError(
            "Tasks for {format} are JSON lines; expected a file name ending in {ending}, got {file}.",
            format=options.form,
            ending=LINES_SUFFIX,
            file=path.name,
        )
    pairs, textless_pairs = list_readable_pairs(project)
    warnings = ReaderWarnings()
    if textless_pairs:
        warnings.add(TEXTLESS_DOCUMENT_WARNING, textless_pairs[0], len(textless_pairs))

    def write(path: Path) -> None:
        write_tasks(path, make_tasks(project, pairs, progress), task_format)

    def read_back(path: Path) -> int:
        if path.suffix.lower() not in (STUDIO_SUFFIX, LINES_SUFFIX):
            note_formulas(TASK_COLUMNS, (astuple(task) for task in read_tasks(path)), warnings)
        return compare_rows(
            path, Message("tasks"), make_tasks(project, pairs, progress), read_tasks(path)
        )

    return ExportContent(len(pairs), write, read_back, warnings.sentences)


# Kinds of export by name. `irjudge export` has an option for each.
EXPORTS: Mapping[str, ExportKind] = {
    "qrels": ExportKind("Qrels", Message("judgments"), (), _make_qrels_content),
    "judgments": ExportKind(
        Message("Judgments"), Message("judgments"), (".csv", ".xlsx"), _make_judgment_content
    ),
    "adjudications": ExportKind(
        Message("Adjudications"),
        Message("adjudications"),
        (".csv", ".xlsx"),
        _make_adjudication_content,
    ),
    "topics": ExportKind(
        Message("Topics"), Message("topics"), (".jsonl", ".json"), _make_topic_content
    ),
    "documents": ExportKind(
        Message("Documents"), Message("documents"), (".jsonl", ".json"), _make_document_content
    ),
    "run": ExportKind(Message("Runs"), Message("lines"), (), _make_run_content),
    "pool": ExportKind(Message("Pools"), Message("rows"), (".csv",), _make_pool_content),
    "tasks": ExportKind(
        Message("Tasks"), Message("tasks"), (".csv", ".tsv", ".json", ".jsonl"), _make_task_content
    ),
}


# Exports for crowd platforms: payment lists, survey answers, and task layouts

APPROVAL_COLUMNS = ("WorkerId", "Approve", "Reject")  # columns that Mechanical Turk reads
ANSWER_COLUMNS = ("person", "question", "answer")
REJECTION_REASON = "The attention checks, which named the key to press, were failed."
LIST_SUFFIX = ".txt"
LABEL_STUDIO_LAYOUT = """<View>
  <Header value="$title"/>
  <Text name="description" value="$description"/>
  <Text name="text" value="$text"/>
  <Choices name="grade" toName="text" choice="single" required="true">
{choices}
  </Choices>
</View>
"""
MTURK_LAYOUT = """<!doctype html>
<html>
<head><meta charset="utf-8"><title>Judging</title></head>
<body>
<h1>${{title}}</h1>
<p>${{description}}</p>
<h2>${{document_title}}</h2>
<p style="white-space: pre-wrap">${{text}}</p>
<form name="mturk_form" method="post" action="https://www.mturk.com/mturk/externalSubmit">
<input type="hidden" name="assignmentId" value="">
<fieldset><legend>{question}</legend>
{choices}
</fieldset>
<button>Submit</button>
</form>
</body>
</html>
"""
DEFAULT_QUESTION = "How relevant is this document?"

Rows = list[tuple[str, ...]]


def approval_rows(project: Project) -> Rows:
    """Return a row of `APPROVAL_COLUMNS` for each participant who completed the session.

    The row contains the participant's id on the platform, and either an x to approve the
    submission or the reason for its rejection. If a participant completed the submission in two
    browsers, the earlier completion is used.
    """
    names = {participant.id: participant.name for participant in project.sessions.participants()}
    failures: dict[str, bool] = {}
    for id, completion in sorted(
        project.sessions.completions().items(), key=lambda entry: entry[1].time
    ):
        if names.get(id):
            failures.setdefault(names[id], completion.failed)
    return [
        (name, "", REJECTION_REASON) if has_failed else (name, "x", "")
        for name, has_failed in failures.items()
    ]


def write_approval_list(path: Path, rows: Rows) -> None:
    """Write the ids of approved participants in the format of Prolific: one id per line."""
    write_text_atomically(
        path, "".join(f"{name}\n" for name, approval_mark, _ in rows if approval_mark)
    )


def read_approval_list(path: Path) -> Rows:
    """Read a list written by `write_approval_list` as rows of `APPROVAL_COLUMNS`."""
    return [(name, "x", "") for name in path.read_text(encoding="utf-8").splitlines()]


def make_table_writer(columns: Sequence[str]) -> Callable[[Path, Rows], None]:
    """Return a function that writes rows as a CSV file with a header.

    Cells that look like formulas are written with an apostrophe.
    """

    def write(path: Path, rows: Rows) -> None:
        text = io.StringIO()
        write_csv(text, columns, rows, for_spreadsheet=True)
        write_text_atomically(path, text.getvalue())

    return write


def read_table_back(path: Path) -> Rows:
    """Return the rows of a file written by a function of `make_table_writer`, without header."""
    with path.open(encoding="utf-8", newline="") as file:
        return [tuple(unescape_formula(cell) for cell in row) for row in csv.reader(file)][1:]


def task_layout(scale: Scale, path: Path) -> str:
    """Return the layout with which a crowd platform shows the rows of `export --tasks`.

    The layout is for Label Studio if the extension of `path` is .xml, otherwise for Mechanical
    Turk.
    """
    question = escape(str(scale.question) or DEFAULT_QUESTION)
    if path.suffix.lower() == ".xml":
        lines = [
            f'    <Choice value="{grade.value}" hint="{escape(grade.help)}" alias="{escape(grade.label)}"/>'
            for grade in scale.grades
        ]
        return LABEL_STUDIO_LAYOUT.format(choices="\n".join(lines))
    lines = [
        f'<label><input type="radio" name="grade" value="{grade.value}" required> {grade.value} {escape(grade.label)}</label><br>'
        for grade in scale.grades
    ]
    return MTURK_LAYOUT.format(question=question, choices="\n".join(lines))


# Kinds of exports


def _make_approval_content(
    project: Project, _options: ExportOptions, path: Path, _progress: Progress
) -> ExportContent:
    rows = approval_rows(project)
    if path.suffix.lower() == LIST_SUFFIX:
        paid_rows = [row for row in rows if row[1]]
        return ExportContent(
            len(paid_rows),
            lambda stream: write_approval_list(stream, paid_rows),
            lambda stream: compare_rows(
                stream, Message("participants"), paid_rows, read_approval_list(stream)
            ),
        )
    return _make_table_content(rows, APPROVAL_COLUMNS, Message("participants"))


def _make_survey_content(
    project: Project, _options: ExportOptions, _path: Path, _progress: Progress
) -> ExportContent:
    # the times of consent and withdrawal are exported as answers too
    return _make_table_content(
        [
            (id, question, str(answer))
            for id, answers in sorted(project.sessions.surveys().items())
            for question, answer in answers.items()
        ],
        ANSWER_COLUMNS,
        "answers",
    )


def _make_table_content(rows: Rows, columns: Sequence[str], row_label: str) -> ExportContent:
    write_table = make_table_writer(columns)
    return ExportContent(
        len(rows),
        lambda stream: write_table(stream, rows),
        lambda stream: compare_rows(stream, row_label, rows, read_table_back(stream)),
    )


def _make_layout_content(
    project: Project, _options: ExportOptions, path: Path, _progress: Progress
) -> ExportContent:
    text = task_layout(project.scale, path)

    def read_back(path: Path) -> int:
        compare_rows(
            path, Message("lines"), text.splitlines(), path.read_text(encoding="utf-8").splitlines()
        )
        return len(project.scale.grades)

    return ExportContent(
        len(project.scale.grades), lambda stream: write_text_atomically(stream, text), read_back
    )


CROWD_EXPORTS: Mapping[str, ExportKind] = {
    "approvals": ExportKind(
        Message("Approvals"), Message("participants"), (".csv", LIST_SUFFIX), _make_approval_content
    ),
    "surveys": ExportKind(
        Message("Survey answers"), Message("answers"), (".csv",), _make_survey_content
    ),
    "layout": ExportKind(
        Message("Layouts"), Message("grades"), (".xml", ".html"), _make_layout_content
    ),
}

EXPORT_KINDS: Mapping[str, ExportKind] = {**EXPORTS, **CROWD_EXPORTS}


def list_available_exports(project: Project) -> list[str]:
    """Return the kinds of export for which the project has content."""
    has_pool = project.rankings.pool_version() > 0
    is_available = {
        "qrels": bool(list_qrels_choices(project)),
        "judgments": project.events.count() > 0,
        "adjudications": bool(read_valid_adjudications(project)),
        "topics": bool(project.collection.topics()),
        "documents": project.collection.document_count() > 0,
        "run": bool(project.rankings.runs()),
        "pool": has_pool,
        "tasks": has_pool,
        "approvals": bool(project.sessions.completions()),
        "surveys": bool(project.sessions.surveys()),
        "layout": has_pool,
    }
    return [kind for kind in EXPORT_KINDS if is_available[kind]]

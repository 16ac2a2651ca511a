"""Creation of runs by search and by fusion, and listing of near-duplicate documents."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from irjudge.errors import IrjudgeError
from irjudge.evaluation.project_evaluation import (
    SUMMARY_MEASURES,
    RunSummary,
    compare_new_runs,
)
from irjudge.evaluation.requests import add_warnings_to_errors
from irjudge.evaluation.table import ResultTable
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rankings import write_run
from irjudge.judging import (
    find_inconsistent_groups,
    list_pool_pairs,
    list_qrels_rows,
    require_pool,
    select_qrels,
    suggest_grades,
)
from irjudge.message import Message, format_count
from irjudge.metrics import Cell
from irjudge.model import UNJUDGED, Document, Run, Topic, merge_subtopic_grades, select_topics
from irjudge.options import Option
from irjudge.pooling import FusionRequest, fuse_runs, parse_fusion_strategy
from irjudge.progress import SILENT, Progress
from irjudge.search import (
    DEFAULT_OVERLAP,
    MIN_OVERLAP,
    ExplainedScore,
    NearDuplicateGroups,
    Postings,
    SearchOptions,
    SearchRequest,
    explain_query,
    find_near_duplicates,
    make_postings,
    search_collection,
)
from irjudge.shipped import cache_folder
from irjudge.store import Project, measure_overlaps, project_near_duplicates, project_postings


@dataclass(frozen=True, slots=True)
class NewRun:
    """Result of a search or a fusion: the new run, and messages about the input."""

    run: Run
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchComparison:
    """Result of comparing searches in a project: summaries of new runs and stored runs.

    `best` contains the best of the new runs for each measure. The new runs themselves are not
    included, and are not stored in the project.
    """

    summaries: tuple[RunSummary, ...]
    # name of each measure, name of the best new run, and value of this run; empty without qrels
    best: tuple[tuple[str, str, float], ...] = ()


def search_documents(
    source: Project | Sequence[Path], request: SearchRequest, *, progress: Progress = SILENT
) -> NewRun:
    """Search documents for topics, and store the run in the project or write it to a file.

    Parameters
    ----------
    source
        Project, open for writing unless `request.run.output` is given, or files of documents.

    Raises
    ------
    IrjudgeError
        If options are invalid or do not fit the source, a topic is unknown, or a file cannot be
        read or written.

    Examples
    --------
    >>> search_documents([], SearchRequest())
    Traceback (most recent call last):
    irjudge.errors.IrjudgeError: No topics were given; use --topics, or give only a project.
    """
    options = request.options()
    options.resolve()  # raises errors before any file is read
    postings, topics, notes = _read_source(source, request, progress)
    run = search_collection(postings, topics, options, request.run.name, progress)
    _save_run(source, run, request.run.output, "search")
    return NewRun(run, notes)


def explain_search(
    source: Project | Sequence[Path], request: SearchRequest, *, progress: Progress = SILENT
) -> tuple[ExplainedScore, tuple[str, ...]]:
    """Explain the score of the document `request.explain` for the one selected topic.

    Return the explanation, and messages about the input. For errors see `search_documents`.
    """
    options = request.options()
    options.resolve()
    postings, topics, notes = _read_source(source, request, progress)
    if len(topics) != 1:
        raise IrjudgeError(
            "Explaining a score needs exactly one topic, given with --topic; got {count}.",
            count=len(topics),
        )
    return explain_query(postings, options, topics[0], request.explain or ""), notes


def compare_searches(
    project: Project,
    options: Sequence[SearchOptions],
    *,
    only: str = "",
    name: str = "",
    cache: Path | None = None,
    progress: Progress = SILENT,
) -> SearchComparison:
    """Compare the runs of searches in a project with each other and with the project's runs.

    Unjudged documents count as not relevant. If there is a single search, the overlap of its run
    with each of the project's runs is computed.

    Parameters
    ----------
    options
        Options of one or more searches.
    only
        Topics to search for, see `select_topics`; empty for all.
    name
        Name of the run, if there is a single search; by default a name made from the options.
    cache
        Folder of the index; the user's cache by default.

    Examples
    --------
    >>> SearchRequest(vary=("k1=0.5,0.9",)).all_options()[1].name
    'bm25-k1=0.9-b=0.4'
    """
    postings = project_postings(project, cache or cache_folder(), progress)
    topics = _select_topics(project.collection.topics(), only)
    is_single = len(options) == 1
    runs = (
        search_collection(postings, topics, option, name if is_single else "", progress)
        for option in options
    )
    single_run = next(runs) if is_single else None
    summaries = compare_new_runs(
        project, runs if single_run is None else [single_run], progress, shared_with=single_run
    )
    evaluated_summaries = [summary for summary in summaries[: len(options)] if summary.values]
    best_searches = []
    for index, measure in enumerate(SUMMARY_MEASURES if evaluated_summaries else ()):
        values = [summary.values[index] for summary in evaluated_summaries]
        best = values.index(max(values))  # the first of tied searches
        best_searches.append((measure, evaluated_summaries[best].name, values[best]))
    return SearchComparison(summaries, tuple(best_searches))


def fuse_sources(source: Project | Sequence[Path], request: FusionRequest) -> NewRun:
    """Fuse runs of a project or of files.

    The new run is written to `request.run.output`. If this is None and `source` is a project, the
    new run is stored in the project. Raises IrjudgeError if the method or a run is unknown, there
    are fewer than two runs, or a file cannot be read or written.

    >>> fuse_sources([], FusionRequest(method="mtf"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    irjudge.errors.IrjudgeError: The strategy mtf provides no scores for fusing runs; use one of ...
    """
    method, reader = parse_fusion_strategy(request.method), request.reading().reader()
    if isinstance(source, Project):
        names = request.selected_runs or [run.name for run in source.rankings.runs()]
        runs = [source.rankings.run(name) for name in names]
    else:
        runs = list(reader.read_runs(source))
    name = request.run.name or method.name.replace("(", "-").replace(")", "")
    fused_run = fuse_runs(runs, method, name, depth=request.run.depth)
    _save_run(source, fused_run, request.run.output, "fuse")
    return NewRun(fused_run, tuple(warning for run in runs for warning in run.warnings))


def _save_run(source: Project | Sequence[Path], run: Run, output: Path | None, origin: str) -> None:
    if output:
        write_run(output, run)
    elif isinstance(source, Project):
        source.rankings.add_run(run, origin)


def _read_source(
    source: Project | Sequence[Path], request: SearchRequest, progress: Progress
) -> tuple[Postings, list[Topic], tuple[str, ...]]:
    if isinstance(source, Project):
        if request.topics_file:
            raise IrjudgeError(
                "{name} is a project with its own topics; --topics applies only to document files.",
                name=source.path.name,
            )
        postings = project_postings(source, cache_folder(), progress)
        return postings, _select_topics(source.collection.topics(), request.only), ()
    if request.topics_file is None:
        raise IrjudgeError(
            "No topics were given; use --topics, or give only a project.",
            key="no-topics",
        )
    topics = read_topics(request.topics_file, topic_ids=request.topic_ids)
    warnings = list[str]()
    postings = make_postings(read_documents(source, progress, warnings=warnings), progress=progress)
    return postings, _select_topics(topics.topics, request.only), (*topics.warnings, *warnings)


def _select_topics(topics: Sequence[Topic], only: str) -> list[Topic]:
    selected_ids = select_topics(only, [topic.id for topic in topics])
    return [topic for topic in topics if not selected_ids or topic.id in selected_ids]


# Near-duplicate documents


@dataclass(frozen=True, slots=True, kw_only=True)
class NearDuplicatesRequest:
    """Options of `irjudge duplicates`, which lists near-duplicates in a project or in files.

    The project or the files are a separate argument. `pooled` and `offer` need a project with a
    pool.
    """

    overlap: Annotated[
        float,
        Option(
            "Minimum share of three-word sequences that near-duplicates have in common; 1 "
            "finds identical texts only.",
            minimum=MIN_OVERLAP,
            maximum=1,
        ),
    ] = DEFAULT_OVERLAP
    pooled: Annotated[
        bool, Option("List only near-duplicates within the pool of a topic.", flags=("--pool",))
    ] = False
    offer: Annotated[
        bool,
        Option(
            "List unjudged documents of the pool that have a graded near-duplicate, with the "
            "grade of the near-duplicate."
        ),
    ] = False


def list_near_duplicates(
    source: Project | Sequence[Path],
    request: NearDuplicatesRequest | None = None,
    *,
    progress: Progress = SILENT,
) -> ResultTable:
    """List near-duplicate documents, or grades that could be copied between them.

    Parameters
    ----------
    source
        A project, which is not changed, or files of documents.
    request
        Minimum overlap, and which near-duplicates are listed.
    progress
        Progress of reading and comparing the documents.

    Returns
    -------
    ResultTable
        One row per document in a group of near-duplicates; with `pooled`, per pooled document
        with near-duplicates in the pool of the same topic; with `offer`, per grade that could be
        copied to an unjudged document.

    Raises
    ------
    IrjudgeError
        If pooled documents or suggested grades are requested for files, the project has no pool, or
        a file cannot be read.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     files = [Path(folder, name) for name in ("a.txt", "b.txt", "c.txt")]
    ...     for file, text in zip(files, ("one two three", "One two three!", "other"), strict=True):
    ...         _ = file.write_text(text)
    ...     list(list_near_duplicates(files).rows)
    [(1, 'a', 1.0), (1, 'b', 1.0)]
    """
    request, warnings = request or NearDuplicatesRequest(), list[str]()
    if isinstance(source, Project):
        groups = project_near_duplicates(source, cache_folder(), request.overlap, progress)
        if request.offer:
            return _list_suggested_grades(source, groups, progress)
        if request.pooled:
            return _list_pooled_duplicates([*list_pool_pairs(require_pool(source))], groups)
    elif request.pooled or request.offer:
        raise IrjudgeError("--pool and --offer need a project with a pool.", key="project-needed")
    else:

        def read_source() -> Iterable[Document]:
            warnings.clear()  # files are read twice, and each reading adds the same warnings
            return read_documents(source, warnings=warnings)

        groups = find_near_duplicates(read_source, overlap=request.overlap, progress=progress)
    rows: list[Sequence[Cell]] = [
        (number, document.id, document.overlap)
        for number, group in enumerate(groups.groups, 1)
        for document in group
    ]
    note = Message("No near-duplicate documents were found.")
    if rows:
        note = Message(
            "{groups} with {documents}. Overlap is measured against the first document of each "
            "group.",
            groups=format_count(len(groups.groups), "group"),
            documents=format_count(len(rows), "document"),
        )
    return ResultTable(
        ("group", "document", "overlap"), rows, notes=(note,), warnings=tuple(warnings)
    )


def _list_pooled_duplicates(
    pairs: Sequence[tuple[str, str]], groups: NearDuplicateGroups
) -> ResultTable:
    documents_by_group: dict[tuple[str, str], list[str]] = {}
    for topic, document in pairs:
        documents_by_group.setdefault((topic, groups.find_first(document)), []).append(document)
    repeated_groups = {
        key: documents for key, documents in documents_by_group.items() if len(documents) > 1
    }
    rows = [
        (*key, document) for key, documents in repeated_groups.items() for document in documents
    ]
    note = Message(
        "Near-duplicates: {count:,} of {pairs}; `irjudge pool --once` skips them.",
        count=len(rows) - len(repeated_groups),
        pairs=format_count(len(pairs), "pair"),
    )
    return ResultTable(("topic", "group of", "document"), rows, notes=(note,))


def _list_suggested_grades(
    project: Project, groups: NearDuplicateGroups, progress: Progress
) -> ResultTable:
    choice = select_qrels(project)
    judgments = merge_subtopic_grades(list_qrels_rows(project, choice))
    grades = {pair: grade for pair, grade in judgments.items() if grade >= 0}
    with add_warnings_to_errors(choice.sentences):
        unjudged_pairs = [
            pair
            for pair in list_pool_pairs(require_pool(project))
            if judgments.get(pair, UNJUDGED) == UNJUDGED
        ]
    suggestions = suggest_grades(unjudged_pairs, grades, groups)
    compared = [(suggestion.document, suggestion.source) for suggestion in suggestions]
    overlaps = measure_overlaps(project, compared, progress)
    rows = [
        (suggestion.topic, suggestion.document, suggestion.grade, suggestion.source, overlap)
        for suggestion, overlap in zip(suggestions, overlaps, strict=True)
    ]
    notes = [
        Message(
            "Topic {topic}: near-duplicates with different judgments: {grades}.",
            topic=group.topic,
            grades=", ".join(f"{id} {grade}" for id, grade in group.grades),
        )
        for group in find_inconsistent_groups(grades, groups)
    ]
    copy_note = Message(
        "{grades} can be copied; nothing has been changed yet.",
        grades=format_count(len(rows), "grade"),
    )
    columns = ("topic", "document", "grade", "of", "overlap")
    return ResultTable(columns, rows, notes=(*notes, copy_note), warnings=tuple(choice.sentences))

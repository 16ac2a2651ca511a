"""New runs from the options that an organiser gives: searches in documents, and fusions of runs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from irjudge.errors import IrjudgeError
from irjudge.evaluation.project_evaluation import (
    SUMMARY_MEASURES,
    RunSummary,
    compare_new_runs,
)
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rankings import write_run
from irjudge.model import Run, Topic, select_topics
from irjudge.pooling import FusionRequest, fuse_runs, parse_fusion_strategy
from irjudge.progress import SILENT, Progress
from irjudge.search import (
    ExplainedScore,
    Postings,
    SearchOptions,
    SearchRequest,
    explain_query,
    make_postings,
    search_collection,
)
from irjudge.shipped import cache_folder
from irjudge.store import Project, project_postings


@dataclass(frozen=True, slots=True)
class NewRun:
    """Run of a search or a fusion, and messages about the input that was read."""

    run: Run
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchComparison:
    """Summaries of new runs and, after them, of a project's runs; nothing is stored."""

    summaries: tuple[RunSummary, ...]
    # each measure, with name and value of the best new run; empty without qrels
    best: tuple[tuple[str, str, float], ...] = ()


def search_documents(
    source: Project | Sequence[Path], request: SearchRequest, *, progress: Progress = SILENT
) -> NewRun:
    """Search documents for topics, and store the run in the project or write it.

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
    irjudge.errors.IrjudgeError: The topics are missing; give them with --topics, or give a project alone.
    """
    options = request.options()
    options.resolve()  # raises before any file is read
    postings, topics, notes = _read_source(source, request, progress)
    run = search_collection(postings, topics, options, request.run.name, progress)
    _save(source, run, request.run.output, "search")
    return NewRun(run, notes)


def explain_search(
    source: Project | Sequence[Path], request: SearchRequest, *, progress: Progress = SILENT
) -> tuple[ExplainedScore, tuple[str, ...]]:
    """Return the score of the document `request.explain` for the one selected topic, and messages
    about the input; see `search_documents`.
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

    Unjudged documents count as not relevant. The overlap of rankings is computed for one search
    only.

    Parameters
    ----------
    options
        Options of one or more searches.
    only
        Topics to search for, see `select_topics`; empty for all.
    name
        Name of the run of one search; by default made from its options.
    cache
        Folder of the index; the user's cache by default.

    Examples
    --------
    >>> SearchRequest(vary=("k1=0.5,0.9",)).all_options()[1].name
    'bm25-k1=0.9-b=0.4'
    """
    postings = project_postings(project, cache or cache_folder(), progress)
    topics = _select(project.collection.topics(), only)
    alone = len(options) == 1
    runs = (
        search_collection(postings, topics, each, name if alone else "", progress)
        for each in options
    )
    first = next(runs) if alone else None
    summaries = compare_new_runs(
        project, runs if first is None else [first], progress, shared_with=first
    )
    made = [each for each in summaries[: len(options)] if each.values]
    best = [
        (measure, *max((each.values[at], each.name) for each in made)[::-1])
        for at, measure in enumerate(SUMMARY_MEASURES if made else ())
    ]
    return SearchComparison(summaries, tuple(best))


def fuse_sources(source: Project | Sequence[Path], request: FusionRequest) -> NewRun:
    """Fuse runs of a project, which then stores the new run, or files of runs.

    The run is written instead if `request.run.output` is given. Raises IrjudgeError if the method
    or a run is unknown, there are fewer than two runs, or a file cannot be read or written.

    >>> fuse_sources([], FusionRequest(method="mtf"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    irjudge.errors.IrjudgeError: The strategy mtf provides no scores for fusing runs; use one of ...
    """
    method, reader = parse_fusion_strategy(request.method), request.reading().reader()
    if isinstance(source, Project):
        names = request.chosen or [run.name for run in source.rankings.runs()]
        runs = [source.rankings.run(name) for name in names]
    else:
        runs = list(reader.read_runs(source))
    name = request.run.name or method.name.replace("(", "-").replace(")", "")
    fused = fuse_runs(runs, method, name, depth=request.run.depth)
    _save(source, fused, request.run.output, "fuse")
    return NewRun(fused, tuple(warning for run in runs for warning in run.warnings))


def _save(source: Project | Sequence[Path], run: Run, output: Path | None, origin: str) -> None:
    if output:
        write_run(output, run)
    elif isinstance(source, Project):
        source.rankings.add_run(run, origin)


def _read_source(
    source: Project | Sequence[Path], request: SearchRequest, progress: Progress
) -> tuple[Postings, list[Topic], tuple[str, ...]]:
    """Return the index of the documents, the selected topics, and messages."""
    if isinstance(source, Project):
        if request.topics_file:
            raise IrjudgeError(
                "{name} is a project with its own topics; --topics is for documents.",
                name=source.path.name,
            )
        postings = project_postings(source, cache_folder(), progress)
        return postings, _select(source.collection.topics(), request.only), ()
    if request.topics_file is None:
        raise IrjudgeError(
            "The topics are missing; give them with --topics, or give a project alone.",
            key="no-topics",
        )
    topics = read_topics(request.topics_file, topic_ids=request.topic_ids)
    warnings = list[str]()
    documents = read_documents(source, progress, warnings=warnings)
    postings = make_postings(documents, progress=progress)
    return postings, _select(topics.topics, request.only), (*topics.warnings, *warnings)


def _select(topics: Sequence[Topic], only: str) -> list[Topic]:
    chosen = select_topics(only, [topic.id for topic in topics])
    return [topic for topic in topics if not chosen or topic.id in chosen]

"""Creation of a pool from the options that an organiser set."""

from collections.abc import Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from irjudge.errors import FormatError, IrjudgeError
from irjudge.exchange.costs import (
    CostEstimate,
    Pace,
    Prices,
    estimate_pool,
    measure_pace,
    read_prices,
)
from irjudge.formats.judgments import read_model_labels
from irjudge.formats.rankings import RankingReader, ReadingRequest, write_pool
from irjudge.judging import (
    list_pool_pairs,
    read_model_judgments,
    read_project_qrels,
    select_qrels,
)
from irjudge.message import Message, format_count
from irjudge.model import Pool, Qrels, Run, merge_subtopic_grades, select_topics, with_query_texts
from irjudge.pooling import (
    LEARNING,
    PLAN_DEPTH,
    PLAN_STRATEGY,
    JudgePlanOptions,
    PoolRequest,
    build_pool,
    drop_near_duplicates,
    learn_pool,
    make_qrels_judge,
    plan_pool,
)
from irjudge.progress import SILENT, Progress
from irjudge.shipped import cache_folder
from irjudge.stats import SERIAL, Workers
from irjudge.store import Project, project_near_duplicates, project_postings

DEFAULT_READING = ReadingRequest()


@dataclass(frozen=True, slots=True)
class PoolResult:
    """Result of `create_pool`: the pool, messages about it, and the cost of judging it.

    The messages are `summary` and `notes`. `version` is the number of the pool in the project;
    None if the pool was not stored in a project.
    """

    pool: Pool
    summary: str  # sentence on the size and the origin of the pool
    estimate: CostEstimate  # effort of judging every pair once
    notes: tuple[str, ...] = ()  # messages about the files read and the documents skipped
    version: int | None = None  # number of the pool in the project; None if it was not stored


def create_pool(
    source: Project | Sequence[Path],
    request: PoolRequest,
    reading_request: ReadingRequest = DEFAULT_READING,
    *,
    progress: Progress = SILENT,
    workers: Workers = SERIAL,
) -> PoolResult:
    """Build a pool from the runs of a project, which then stores it, or from files of runs.

    The strategy `plan` samples documents with probabilities from a model's grades, and `learning`
    simulates active learning on the documents of a project. Nothing is stored or written for a
    preview, or if `request.output` cannot be written.

    Parameters
    ----------
    source
        Project, open for writing unless the request is a preview, or run files and folders.
    reading_request
        How files of runs and qrels are read.
    workers
        Workers for strategies that go topic by topic; they do not affect the result.

    Raises
    ------
    IrjudgeError
        If options contradict each other or do not fit the source, a strategy, topic or model is
        unknown, or a file cannot be read or written.

    Examples
    --------
    >>> create_pool([], PoolRequest(strategy="learning", size=5))
    Traceback (most recent call last):
    irjudge.errors.IrjudgeError: The strategy "learning" reads documents, so it needs a project that contains documents.
    """
    project = source if isinstance(source, Project) else None
    strategy_name = request.strategy.strip().lower()
    is_planned = strategy_name == PLAN_STRATEGY
    reader, notes = reading_request.reader(), list[str]()
    if request.once and (project is None or is_planned):
        raise IrjudgeError(
            "--once compares texts; use it with a project that contains texts, and with a "
            "strategy that does not sample at random.",
            key="project-needed",
        )
    if project:
        RankingReader(runs=reader.runs).refuse_project(project.path)
    if strategy_name == LEARNING:
        pool, summary = _simulate_learning(project, request, reader, notes, progress, workers)
    elif is_planned:
        if request.qrels or request.wanted or request.first or workers is not SERIAL:
            raise IrjudgeError(
                '--qrels, --topic, --first and --cluster cannot be used: the strategy "plan" '
                "samples from all topics, based on a model's grades."
            )
        pool = _sample_plan(source, request, reader, notes, progress)
        summary = describe_pool(pool)
    else:
        pool = _apply_strategy(source, request, reader, notes, progress, workers)
        summary = describe_pool(pool)
    if not (len(pool) or len(pool.unsampled)):
        raise IrjudgeError(
            "The pool would be empty: no run retrieved a document for the requested topics.",
            key="empty-pool",
        )
    version = None if request.preview else _store_pool(project, pool, request.output)
    if project and (
        documents_without_text := project.collection.without_text(
            sorted({*pool.document.to_pylist()})
        )
    ):
        notes.append(describe_textless(documents_without_text))
    pace_and_prices = (
        (measure_pace(project), read_prices(project)) if project else (Pace(), Prices())
    )
    return PoolResult(pool, summary, estimate_pool(pool, *pace_and_prices), tuple(notes), version)


def _apply_strategy(
    source: Project | Sequence[Path],
    request: PoolRequest,
    reader: RankingReader,
    notes: list[str],
    progress: Progress,
    workers: Workers,
) -> Pool:
    """Return the pool that the requested strategy selects from runs."""
    options = request.options()
    declaration = options.resolve()[0].declaration  # reports invalid options before files are read
    if request.model is not None:
        raise IrjudgeError(
            "--model cannot be used: the strategy {strategy} ignores model grades; only the "
            'strategy "plan" uses them.',
            strategy=declaration.name,
        )
    if request.qrels is not None and not declaration.adaptive:
        raise IrjudgeError(
            "--qrels cannot be used: the strategy {strategy} ignores judgments.",
            strategy=declaration.name,
        )
    project = source if isinstance(source, Project) else None
    judged_qrels: Qrels | None = None
    if request.qrels:
        judged_qrels = reader.read_qrels(request.qrels)
    elif project and declaration.adaptive:
        judged_qrels = _read_chosen_qrels(project, notes)
    runs = _read_runs(source, reader, notes)
    titles = project.collection.topic_titles() if project else {}
    topics = dict.fromkeys([*titles, *(topic for run in runs for topic in run.topics)])
    if judged_qrels is not None:
        judged_qrels = with_query_texts(judged_qrels, topics)
    pool = build_pool(
        runs,
        replace(options, topics=select_topics(request.wanted, list(topics))),
        judge=None if judged_qrels is None else make_qrels_judge(judged_qrels, request.rel),
        progress=progress,
        workers=workers,
    )
    if project and request.once:
        pool = _drop_near_duplicates(project, pool, notes, progress)
    if declaration.adaptive and not request.preview:
        notes.append(
            Message(
                "{strategy} replays the existing judgments; documents without a judgment "
                "count as not relevant.",
                strategy=declaration.title,
            )
        )
    return pool


def _sample_plan(
    source: Project | Sequence[Path],
    request: PoolRequest,
    reader: RankingReader,
    notes: list[str],
    progress: Progress,
) -> Pool:
    """Return a pool whose documents are sampled with probabilities from a model's grades."""
    model = request.model
    if model is None or request.size is None:
        raise IrjudgeError(
            'The strategy "plan" needs --model, the model whose grades are used, and --size, '
            "the total number of pairs to judge."
        )
    options = JudgePlanOptions(
        model, request.size, request.depth or PLAN_DEPTH, request.seed, request.ties
    )
    runs = _read_runs(source, reader, notes)
    grades, highest_grade = read_model_grades(
        source if isinstance(source, Project) else Path(model),
        model,
        {topic for run in runs for topic in run.topics},
        notes,
    )
    return plan_pool(runs, options, grades, highest_grade, progress=progress)


def _simulate_learning(
    project: Project | None,
    request: PoolRequest,
    reader: RankingReader,
    notes: list[str],
    progress: Progress,
    workers: Workers,
) -> tuple[Pool, str]:
    """Return the pool of simulated active learning, and a sentence about its recall."""
    project, size = _check_learning_request(project, request)
    judged_qrels = (
        reader.read_qrels(request.qrels) if request.qrels else _read_chosen_qrels(project, notes)
    )
    topics = project.collection.topics()
    selected_ids = select_topics(request.wanted, [topic.id for topic in topics])
    judge = make_qrels_judge(judged_qrels, request.rel)
    pool = learn_pool(
        project_postings(project, cache_folder(), progress),
        [topic for topic in topics if not selected_ids or topic.id in selected_ids],
        judge,
        size,
        seed=request.seed,
        progress=progress,
        workers=workers,
    )
    if request.once:
        pool = _drop_near_duplicates(project, pool, notes, progress)
    pooled_topics = set(pool.topics)
    summary = Message(
        "{pairs} for {topics}, selected by active learning; relevant documents included: "
        "{relevant:,} of {total:,}.",
        pairs=format_count(len(pool), "pair"),
        topics=format_count(len(pool.topics), "topic"),
        relevant=sum(judge(topic, document) for topic, document in list_pool_pairs(pool)),
        total=sum(
            topic in pooled_topics and grade >= request.rel
            for (topic, _), grade in merge_subtopic_grades(judged_qrels.rows()).items()
        ),
    )
    return pool, summary


def _check_learning_request(project: Project | None, request: PoolRequest) -> tuple[Project, int]:
    """Return the project and the size of a pool of active learning.

    Raises IrjudgeError if one is missing, or if an option is given that active learning ignores.
    """
    if project is None:
        raise IrjudgeError(
            'The strategy "learning" reads documents, so it needs a project that contains '
            "documents.",
            key="project-needed",
        )
    if request.depth or request.first or request.model is not None:
        raise IrjudgeError(
            '--depth, --first and --model cannot be used: the strategy "learning" selects from '
            "all documents of the project."
        )
    if request.size is None:
        raise IrjudgeError(
            'The strategy "learning" needs a size: the number of documents to judge per topic.',
            key="no-size",
        )
    return project, request.size


def _read_runs(
    source: Project | Sequence[Path], reader: RankingReader, notes: list[str]
) -> list[Run]:
    if isinstance(source, Project):
        return [source.rankings.run(run.name) for run in source.rankings.runs()]
    runs = list(reader.read_runs(source))
    notes.extend(warning for run in runs for warning in run.warnings)
    return runs


def _read_chosen_qrels(project: Project, notes: list[str]) -> Qrels:
    choice = select_qrels(project)
    notes.extend(choice.sentences)
    return read_project_qrels(project, choice)


def read_model_grades(
    source: Project | Path, model: str, topics: Collection[str], notes: list[str]
) -> tuple[dict[tuple[str, str], int], int]:
    """Return the grades of a model in a project or in a file of labels, and the highest grade.

    The labels in a file must have ids, and at least one of `topics`. The warnings about the file
    are appended to `notes`.
    """
    if isinstance(source, Project):
        return read_model_judgments(source, model).grades, source.scale.highest
    file = read_model_labels(source, needs_ids=True)
    if all(label.topic not in topics for label in file.labels):
        raise FormatError(
            source,
            Message(
                "no label has a topic of the runs; the first label has the topic {topic!r}. If "
                "this is the text of a query, irjudge import --judgments finds its id in a project",
                key="labels-of-other-topics",
                topic=file.labels[0].topic,
            ),
        )
    notes.extend(file.warnings)
    grades = file.last()
    return grades, max(grades.values(), default=1)


def _drop_near_duplicates(
    project: Project, pool: Pool, notes: list[str], progress: Progress
) -> Pool:
    reduced_pool = drop_near_duplicates(
        pool, project_near_duplicates(project, cache_folder(), progress=progress)
    )
    skipped_text = format_count(len(pool) - len(reduced_pool), "pair")
    notes.append(Message("Skipped near-duplicates: {pairs}.", pairs=skipped_text))
    return reduced_pool


def _store_pool(project: Project | None, pool: Pool, output: Path | None) -> int | None:
    """Store the pool in the project, if any, and write it to `output`, if given.

    Return the version in the project; None without a project. After an error, nothing is stored.
    """
    with project.transaction() if project else nullcontext():
        version = project.rankings.add_pool(pool) if project else None
        if output:
            write_pool(output, pool)
    return version


def describe_textless(documents: Sequence[str]) -> str:
    """Return a warning about pooled documents without text."""
    return Message(
        "Pooled documents without text, excluded from judging: {count:,} (for example "
        "{example}). To judge these documents, add them to the project.",
        count=len(documents),
        example=documents[0],
    )


def describe_retrieved_textless(documents: Sequence[str]) -> str:
    """Return a note about retrieved documents without a text; only pooled documents need one."""
    return Message(
        "Retrieved documents without text: {count:,} (for example {example}). Only documents in "
        "the pool need a text.",
        count=len(documents),
        example=documents[0],
    )


def describe_missing_documents(documents: Sequence[str], depth: int) -> str:
    """Return a warning about documents without a text in the first `depth` ranks of runs."""
    return Message(
        "Documents without text in the first {depth} ranks of the runs: {count:,} (for example "
        "{example}). To judge these documents, add them to the project.",
        depth=depth,
        count=len(documents),
        example=documents[0],
    )


def describe_pool(pool: Pool) -> str:
    """Return a sentence about the size and the origin of a pool."""
    depth, unsampled_count = pool.parameters.get("depth"), len(pool.unsampled)
    documents = format_count(len(pool.document.unique()), "document")
    pairs_text = (
        documents
        if len(pool.document.unique()) == len(pool)
        else Message(
            "{pairs:,} topic–document pairs ({documents})", pairs=len(pool), documents=documents
        )
    )
    counts = {
        "pairs": pairs_text,
        "topics": format_count(len(pool.topics), "topic"),
        "runs": format_count(len(pool.runs), "run"),
    }
    if depth is None:
        pool_size_text = Message("{pairs} for {topics} from {runs}", **counts)
    else:
        pool_size_text = Message(
            "{pairs} for {topics} from the top {depth} of {runs}", depth=depth, **counts
        )
    if not unsampled_count:
        return Message("{size}.", size=pool_size_text)
    return Message(
        "{size}, sampled from {total:,} pairs.",
        size=pool_size_text,
        total=len(pool) + unsampled_count,
    )

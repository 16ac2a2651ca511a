"""Commands search, rankers, fuse, certificate and duplicates."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from irjudge.cli.open_project import choose_qrels, reading, to_write
from irjudge.cli.options import (
    FILE,
    FILE_OR_ADDRESS,
    format_option,
    option_of,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.streams import say, tell, to_stdout
from irjudge.errors import IrjudgeError, ProjectError
from irjudge.evaluation import COMPARED_DEPTH, SUMMARY_MEASURES, compare_new_run, compare_new_runs
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.rankings import (
    ColumnsOption,
    ReadingRequest,
    SheetOption,
    omitted_topics_warning,
    run_lines,
    write_run,
)
from irjudge.judging import find_inconsistent_groups, list_qrels_rows, suggest_grades
from irjudge.message import format_count
from irjudge.metrics import Parameter
from irjudge.metrics import format_value as shown
from irjudge.model import Document, Run, Topic, select_topics
from irjudge.pooling import fuse_runs, list_fusion_strategies, parse_fusion_strategy
from irjudge.search import (
    DEFAULT_OVERLAP,
    FEEDBACK_PARAMETERS,
    MIN_OVERLAP,
    RANKER_REGISTRY,
    NearDuplicateGroups,
    NewRunRequest,
    Postings,
    SearchOptions,
    SearchRequest,
    explain_query,
    find_near_duplicates,
    make_postings,
    search_collection,
    vary_parameters,
)
from irjudge.shipped import cache_folder
from irjudge.stats import (
    RECALL_LEVEL,
    TARGET_RECALL,
    TARGET_SAMPLE_SIZE,
    RecallCertificate,
    expected_target_cost,
    forecast_samples,
)
from irjudge.store import Project, is_project, project_near_duplicates, project_postings

# Commands search, rankers, fuse and certificate

FUSIONS = ", ".join(each.name for each in list_fusion_strategies())


@click.command("search")
@click.argument("sources", type=FILE, nargs=-1, required=True, metavar="PROJECT | DOCUMENTS...")
@options_of(SearchRequest, "request")
@format_option()
def search_command(sources: tuple[Path, ...], request: SearchRequest, form: str) -> None:
    """Search the documents of a PROJECT for its topics, and store the run there; or search
    DOCUMENTS for the topics of a file."""
    plan, only, compare = request.options(), request.only, request.compare
    name, output = request.run.name, request.run.output
    plan.resolve()  # raises before any file is read
    stored = _project_alone(sources)
    if stored and request.topics_file:
        raise IrjudgeError(
            "{name} is a project with its own topics; --topics is for documents.",
            name=sources[0].name,
        )
    if compare and not stored:
        raise IrjudgeError(
            "--compare needs a project, whose runs are compared with the new one.",
            key="project-needed",
        )
    if request.vary and not compare:
        raise IrjudgeError(
            "--vary needs --compare: it creates many runs and saves none.", key="no-compare"
        )
    if not stored and request.topics_file is None:
        raise IrjudgeError(
            "The topics are missing; give them with --topics, or give a project alone.",
            key="no-topics",
        )
    if request.vary:
        _sweep(sources[0], vary_parameters(plan, _several(request.vary)), only, form)
        return
    if compare:
        _compare(sources[0], plan, name, only, form)
        return
    if request.explain is not None:
        postings, topics = (
            _of_project(sources[0])
            if stored
            else _of_files(sources, request.topics_file, request.topic_ids)
        )
        _explain(postings, _wanted(topics, only), plan, request.explain, form)
        return
    if stored and output is None:
        with to_write(sources[0]) as project, terminal_progress() as progress:
            postings = project_postings(project, cache_folder(), progress)
            run = search_collection(
                postings, _wanted(project.collection.topics(), only), plan, name, progress
            )
            _keep(project, run, "search")
        return
    postings, topics = (
        _of_project(sources[0])
        if stored
        else _of_files(sources, request.topics_file, request.topic_ids)
    )
    with terminal_progress() as progress:
        _give(
            search_collection(postings, _wanted(topics, only), plan, name, progress), output, form
        )


def _compare(path: Path, plan: SearchOptions, name: str, only: str, form: str) -> None:
    """Print the values of a new run next to those of the project's runs."""
    with reading(path) as project, terminal_progress() as progress:
        postings = project_postings(project, cache_folder(), progress)
        run = search_collection(
            postings, _wanted(project.collection.topics(), only), plan, name, progress
        )
        comparison = compare_new_run(project, run, progress)
    rows = [
        (each.name, each.rows, *(each.values or (None,) * len(SUMMARY_MEASURES)), each.shared)
        for each in comparison
    ]
    show(("run", "retrieved", *SUMMARY_MEASURES, f"shared top {COMPARED_DEPTH}"), rows, form)
    say(
        f"Documents retrieved only by the new run are unjudged and count as not relevant; "
        f"the last column is each run's overlap with the new run in the top {COMPARED_DEPTH}."
    )


def _several(given: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of each varied parameter."""
    groups: dict[str, list[str]] = {}
    for each in given:
        name, _, values = each.partition("=")
        groups.setdefault(name.strip(), []).extend(
            value.strip() for value in values.split(",") if value.strip()
        )
    return groups


def _sweep(path: Path, plans: Sequence[SearchOptions], only: str, form: str) -> None:
    """Print the values of runs with varied parameters and of the project's runs, and the best one."""
    with reading(path) as project, terminal_progress() as progress:
        postings, topics = (
            project_postings(project, cache_folder(), progress),
            _wanted(project.collection.topics(), only),
        )
        comparisons = compare_new_runs(
            project,
            (search_collection(postings, topics, plan, progress=progress) for plan in plans),
            progress,
        )
    show(
        ("run", "retrieved", *SUMMARY_MEASURES),
        [
            (each.name, each.rows, *(each.values or (None,) * len(SUMMARY_MEASURES)))
            for each in comparisons
        ],
        form,
    )
    made = [each for each in comparisons[: len(plans)] if each.values]
    for index, name in enumerate(SUMMARY_MEASURES if made else ()):
        value, best = max((each.values[index], each.name) for each in made)
        say(f"Best new run by {name}: {best}, {value:.4f}.")
    say("Parameters chosen for the best values on these topics are likely to do worse on others.")


def _project_alone(sources: Sequence[Path]) -> bool:
    """Return whether the source is a project; raise IrjudgeError if it is not the only source."""
    if any(map(is_project, sources)) and len(sources) > 1:
        raise IrjudgeError(
            "{name} is a project; give it alone.",
            key="project-alone",
            name=next(filter(is_project, sources)).name,
        )
    return is_project(sources[0])


def _of_project(path: Path) -> tuple[Postings, Sequence[Topic]]:
    with reading(path) as project, terminal_progress() as progress:
        return project_postings(project, cache_folder(), progress), project.collection.topics()


def _of_files(
    sources: Sequence[Path], topics_file: Path | None, topic_ids: Any
) -> tuple[Postings, Sequence[Topic]]:
    if topics_file is None:
        raise IrjudgeError(
            "The topics are missing; give them with --topics, or give a project alone.",
            key="no-topics",
        )
    topics = read_topics(topics_file, topic_ids=topic_ids)
    warnings: list[str] = []
    with terminal_progress() as progress:
        postings = make_postings(
            read_documents(sources, progress, warnings=warnings), progress=progress
        )
    say(*topics.warnings, *warnings)
    return postings, topics.topics


def _wanted(topics: Sequence[Topic], only: str) -> list[Topic]:
    chosen = select_topics(only, [topic.id for topic in topics])
    return [topic for topic in topics if not chosen or topic.id in chosen]


def _keep(project: Project, run: Run, source: str) -> None:
    """Add a run to a project and print a message."""
    project.rankings.add_run(run, source)
    tell(f"Added the run {run.name} to {project.path.name}: {_describe_run(run)}.")


def _describe_run(run: Run) -> str:
    return f"{format_count(len(run), 'document')} for {format_count(len(run.topics), 'topic')}"


def _give(run: Run, output: Path | None, form: str) -> None:
    """Write a run to a file, or print it."""
    if output:
        write_run(output, run)
        say(*omitted_topics_warning(run))
        tell(f"Wrote {output}: {_describe_run(run)}.")
    elif form == "text":
        with to_stdout() as stdout:
            stdout.writelines(run_lines(Path(run.name), run))
        say(*omitted_topics_warning(run))
    else:
        topics = (run.topics[code] for code in run.topic.tolist())
        rows = zip(
            topics, run.document.to_pylist(), run.rank.tolist(), run.score.tolist(), strict=True
        )
        show(("topic", "document", "rank", "score"), rows, form)


def _explain(
    postings: Postings, topics: Sequence[Topic], plan: SearchOptions, document: str, form: str
) -> None:
    """Print the score of a document term by term, with the statistics it depends on."""
    if len(topics) != 1:
        raise IrjudgeError(
            "Explaining a score needs exactly one topic, given with --topic; got {count}.",
            count=len(topics),
        )
    explanation = explain_query(postings, plan, topics[0], document)
    rows = [
        (each.term, each.query, each.count, each.found_in, each.adds) for each in explanation.terms
    ]
    show(("term", "in query", "in document", "documents with it", "adds"), rows, form)
    say(explanation.ranker.name + ": " + explanation.ranker.declaration.formula)
    say(
        f"Length {explanation.length}, mean length {explanation.mean_length:.4f}, {format_count(explanation.documents, 'document')}."
    )
    if explanation.term_independent:
        say(f"Independent of terms, the document scores {explanation.term_independent:.4f}.")
    say(f"Score {explanation.score:.4f}.")


@click.command("rankers")
@format_option()
def rankers_command(form: str) -> None:
    """List rankers and fusion methods: formulas, parameters, purposes."""
    rows: list[tuple[str, ...]] = [
        (
            each.name,
            "ranker",
            _parameters(each.parameters),
            each.formula,
            each.purpose,
            each.references,
        )
        for each in RANKER_REGISTRY.catalogue()
    ]
    rows.append(
        (
            "rm3",
            "feedback",
            _parameters(FEEDBACK_PARAMETERS),
            "original · query + (1 − original) · terms of its first documents",
            *_rm3(),
        )
    )
    rows += [
        (each.name, "fusion", _parameters(each.parameters), each.formula, each.purpose, "")
        for each in list_fusion_strategies()
    ]
    show(("name", "kind", "parameters", "formula", "purpose", "reference"), rows, form)


def _rm3() -> Iterator[str]:
    yield "Expand the query with the terms of highest weight in its first documents."
    yield "Abdul-Jaleel, Allan, Croft, Diaz, Larkey, Li, Smucker and Wade (2004), UMass at TREC 2004: novelty and HARD."


def _parameters(parameters: Sequence[Parameter]) -> str:
    return ", ".join(
        f"{each.name}={shown(each.default)}: {each.allowed_values}" for each in parameters
    )


@click.command("fuse")
@click.argument(
    "sources", type=FILE_OR_ADDRESS, nargs=-1, required=True, metavar="PROJECT | RUN..."
)
@click.option(
    "--method",
    default="rrf",
    show_default=True,
    metavar="NAME",
    help=f"Method, with or without parameters: {FUSIONS}.",
)
@click.option(
    "--run",
    "chosen",
    multiple=True,
    metavar="NAME",
    help="Use only this run of the project; may be repeated.",
)
@option_of(ColumnsOption, "columns", ())
@option_of(SheetOption, "sheets", ())
@options_of(NewRunRequest, "run")
@format_option()
def fuse_command(
    sources: tuple[Path, ...],
    method: str,
    chosen: tuple[str, ...],
    columns: tuple[str, ...],
    sheets: tuple[str, ...],
    run: NewRunRequest,
    form: str,
) -> None:
    """Fuse RUNS into a new run; or fuse the runs of a PROJECT and store the new run there."""
    how = parse_fusion_strategy(method)
    depth, output = run.depth, run.output
    reader = ReadingRequest(columns=columns, sheets=sheets).reader()
    called = run.name or how.name.replace("(", "-").replace(")", "")
    stored = _project_alone(sources)
    if stored and output is None:
        with to_write(sources[0]) as project:
            _keep(project, fuse_runs(_runs(project, chosen), how, called, depth=depth), "fuse")
        return
    if stored:
        with reading(sources[0]) as project:
            runs = _runs(project, chosen)
    else:
        runs = list(reader.read_runs(sources))
        say(*(warning for run in runs for warning in run.warnings))
    _give(fuse_runs(runs, how, called, depth=depth), output, form)


def _runs(project: Project, chosen: Sequence[str]) -> list[Run]:
    return [
        project.rankings.run(each)
        for each in chosen or [run.name for run in project.rankings.runs()]
    ]


# Recall estimation


@click.command("certificate")
@click.option(
    "--found",
    type=click.IntRange(0),
    required=True,
    help="Number of relevant documents found before sampling.",
)
@click.option(
    "--rest",
    type=click.IntRange(1),
    required=True,
    help="Number of unjudged documents before sampling.",
)
@click.option(
    "--drawn",
    type=click.IntRange(1),
    help="Number of sampled documents that are judged. Without this option, plan samples.",
)
@click.option(
    "--relevant",
    type=click.IntRange(0),
    default=0,
    show_default=True,
    help="Number of relevant documents in the sample.",
)
@click.option(
    "--looks",
    type=click.IntRange(1),
    default=1,
    show_default=True,
    help="Number of samples that you plan to look at before stopping.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=RECALL_LEVEL,
    show_default=True,
    help="Confidence level.",
)
@format_option()
def certificate_command(
    found: int, rest: int, drawn: int | None, relevant: int, looks: int, level: float, form: str
) -> None:
    """Estimate a lower bound on recall from a random sample of unjudged documents; or plan such
    samples."""
    if drawn is not None:
        certificate = RecallCertificate(found, rest, drawn, relevant, looks, level)
        row = (found + relevant, certificate.most_missed, certificate.recall, level)
        show(("found", "missed at most", "recall at least", "level"), [row], form)
        say(*certificate.sentences())
        return
    rows = [
        (each.drawn, each.missed_if_none, each.recall_if_none, each.recall_if_one)
        for each in forecast_samples(found, rest, looks=looks, level=level)
    ]
    show(
        (
            "drawn",
            "missed at most if none is relevant",
            "recall at least",
            "recall at least if one is",
        ),
        rows,
        form,
    )
    say(
        "Planned samples, before judging. The documents found by the search are judged; samples come from all others."
    )
    perhaps = max(found // 4, TARGET_SAMPLE_SIZE)
    if (cost := expected_target_cost(rest, perhaps)) and cost < rest:
        say(
            f"Target-based bound: judge at random until {TARGET_SAMPLE_SIZE} are relevant, "
            f"about {cost:,.0f} documents if {perhaps:,} of the rest are relevant; "
            f"then search again until all {TARGET_SAMPLE_SIZE} are found. Recall is at least {TARGET_RECALL} with 95 % confidence."
        )


# Command duplicates


@click.command("duplicates")
@click.argument("sources", type=FILE, nargs=-1, required=True, metavar="PROJECT | DOCUMENTS...")
@click.option(
    "--overlap",
    type=click.FloatRange(MIN_OVERLAP, 1),
    default=DEFAULT_OVERLAP,
    show_default=True,
    help=(
        "Minimum share of three-word sequences that two documents have in common; 1 finds "
        "identical texts only."
    ),
)
@click.option(
    "--pool", "pooled", is_flag=True, help="List only near-duplicates within the pool of a topic."
)
@click.option(
    "--offer",
    is_flag=True,
    help="List unjudged pairs of the pool, with the grade of a near-duplicate.",
)
@format_option()
def duplicates_command(
    sources: tuple[Path, ...], overlap: float, pooled: bool, offer: bool, form: str
) -> None:
    """List near-duplicate documents of a PROJECT, or of DOCUMENTS, in groups; nothing is changed.

    Grades are never copied between documents; --offer lists the grades that could be copied, and
    where the same text has several grades.
    """
    if not is_project(sources[0]):
        if pooled or offer:
            raise IrjudgeError(
                "--pool and --offer need a project with a pool.", key="project-needed"
            )
        _list(_near_duplicates_of_files(sources, overlap), form)
        return
    if len(sources) > 1:
        raise IrjudgeError(
            "{name} is a project; give it alone.", key="project-alone", name=sources[0].name
        )
    with reading(sources[0]) as project, terminal_progress() as progress:
        groups = project_near_duplicates(project, cache_folder(), overlap, progress)
        if offer:
            _offer(project, groups, form)
        elif pooled:
            _list_pooled(_pairs(project), groups, form)
        else:
            _list(groups, form)


def _near_duplicates_of_files(sources: Sequence[Path], overlap: float) -> NearDuplicateGroups:
    warnings: list[str] = []

    def read() -> Iterable[Document]:
        warnings.clear()  # files are read twice
        return read_documents(sources, warnings=warnings)

    with terminal_progress() as progress:
        groups = find_near_duplicates(read, overlap=overlap, progress=progress)
    say(*warnings)
    return groups


def _list(groups: NearDuplicateGroups, form: str) -> None:
    rows = [
        (number, each.id, each.overlap)
        for number, group in enumerate(groups.groups, 1)
        for each in group
    ]
    show(("group", "document", "overlap"), rows, form)
    say(
        f"{format_count(len(groups.groups), 'group')} with {format_count(len(rows), 'document')}. "
        "Overlap is measured with the first document of the group."
    )


def _pairs(project: Project) -> list[tuple[str, str]]:
    pool = project.rankings.pool()
    if pool is None:
        raise ProjectError(
            "The project has no pool yet. Build one with `irjudge pool`.", key="no-pool"
        )
    return list(
        zip(
            [pool.topics[code] for code in pool.topic.tolist()],
            pool.document.to_pylist(),
            strict=True,
        )
    )


def _list_pooled(pairs: Sequence[tuple[str, str]], groups: NearDuplicateGroups, form: str) -> None:
    together: dict[tuple[str, str], list[str]] = {}
    for topic, document in pairs:
        together.setdefault((topic, groups.first(document)), []).append(document)
    shared = {key: documents for key, documents in together.items() if len(documents) > 1}
    rows = [
        (topic, first, document)
        for (topic, first), documents in shared.items()
        for document in documents
    ]
    show(("topic", "group of", "document"), rows, form)
    spared = sum(len(documents) - 1 for documents in shared.values())
    say(
        f"{spared:,} of {format_count(len(pairs), 'pair')} are near-duplicates; `irjudge pool --once` skips them."
    )


def _offer(project: Project, groups: NearDuplicateGroups, form: str) -> None:
    grades = {
        (topic, document): grade
        for topic, document, grade in list_qrels_rows(project, choose_qrels(project, None))
    }
    offers = suggest_grades(_pairs(project), grades, groups)
    rows = [(each.topic, each.document, each.grade, each.source, each.overlap) for each in offers]
    show(("topic", "document", "grade", "of", "overlap"), rows, form)
    divided = [
        f"Topic {each.topic}: near-duplicates with different judgments: {', '.join(f'{id} {grade}' for id, grade in each.grades)}."
        for each in find_inconsistent_groups(grades, groups)
    ]
    (say if form != "text" else tell)(
        *divided, f"{format_count(len(rows), 'grade')} could be copied; nothing was changed."
    )

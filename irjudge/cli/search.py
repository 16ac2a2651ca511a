"""Commands for searching and runs: search, rankers, fuse, certificate and duplicates."""

from collections.abc import Sequence
from pathlib import Path

import click

from irjudge.cli.open_project import open_for_reading, open_single_project, open_verified
from irjudge.cli.options import (
    FILE,
    FILE_OR_ADDRESS,
    format_option,
    options_of,
    show,
    terminal_progress,
)
from irjudge.cli.streams import say, tell, to_stdout
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    COMPARED_DEPTH,
    SUMMARY_MEASURES,
    NearDuplicatesRequest,
    NewRun,
    SearchComparison,
    compare_searches,
    explain_search,
    fuse_sources,
    list_near_duplicates,
    search_documents,
)
from irjudge.formats.rankings import (
    iter_run_lines,
    warn_of_omitted_topics,
)
from irjudge.message import format_count
from irjudge.metrics import Parameter
from irjudge.metrics import format_value as shown
from irjudge.pooling import FusionRequest, list_fusion_strategies
from irjudge.search import (
    FEEDBACK_PARAMETERS,
    RANKER_REGISTRY,
    ExplainedScore,
    SearchRequest,
)
from irjudge.stats import (
    RECALL_LEVEL,
    TARGET_RECALL,
    TARGET_SAMPLE_SIZE,
    RecallCertificate,
    expected_target_cost,
    forecast_samples,
)
from irjudge.store import Project

# Commands search, rankers and fuse


@click.command("search")
@click.argument("sources", type=FILE, nargs=-1, required=True, metavar="PROJECT | DOCUMENTS...")
@options_of(SearchRequest, "request")
@format_option()
def search_command(sources: tuple[Path, ...], request: SearchRequest, output_format: str) -> None:
    """Search the documents of a PROJECT with its topics as queries, and store the run there; or
    search DOCUMENTS with the topics of a file."""
    if request.vary and not request.compare:
        raise IrjudgeError(
            "--vary creates many runs and saves none of them, so it needs --compare.",
            key="no-compare",
        )
    stores_run = request.run.output is None and not request.compare and request.explain is None
    with (
        open_single_project(sources, open_verified if stores_run else open_for_reading) as source,
        terminal_progress() as progress,
    ):
        if request.compare:
            if not isinstance(source, Project):
                raise IrjudgeError(
                    "--compare needs a project; the new run is compared with the runs of the "
                    "project.",
                    key="project-needed",
                )
            _show_comparison(
                compare_searches(
                    source,
                    request.all_options(),
                    only=request.only,
                    name=request.run.name,
                    progress=progress,
                ),
                output_format,
                are_options_varied=bool(request.vary),
            )
            return
        if request.explain is not None:
            explanation, notes = explain_search(source, request, progress=progress)
            say(*notes)
            _show_explanation(explanation, output_format)
            return
        new_run = search_documents(source, request, progress=progress)
    _show_run(new_run, source, request.run.output, output_format)


def _show_comparison(
    comparison: SearchComparison, output_format: str, *, are_options_varied: bool
) -> None:
    rows = [
        (
            summary.name,
            summary.rows,
            *(summary.values or (None,) * len(SUMMARY_MEASURES)),
            summary.shared,
        )
        for summary in comparison.summaries
    ]
    columns = ("run", "retrieved", *SUMMARY_MEASURES, f"shared top {COMPARED_DEPTH}")
    if not are_options_varied:
        show(columns, rows, output_format)
        say(
            f"Documents retrieved only by the new run are not judged and count as not relevant; "
            f"the last column is each run's overlap with the new run in the top {COMPARED_DEPTH}."
        )
        return
    show(columns[:-1], (row[:-1] for row in rows), output_format)
    for measure, name, value in comparison.best:
        say(f"Best new run by {measure}: {name}, {value:.4f}.")
    say("Parameters chosen for the best values on these topics are likely to do worse on others.")


def _show_run(
    new_run: NewRun, source: Project | Sequence[Path], output: Path | None, output_format: str
) -> None:
    run = new_run.run
    run_size_text = (
        f"{format_count(len(run), 'document')} for {format_count(len(run.topics), 'topic')}"
    )
    if run.empty_topics:
        run_size_text += f", {len(run.empty_topics):,} of them without documents"
    say(*new_run.notes)
    if output:
        say(*warn_of_omitted_topics(run))
        tell(f"Wrote {output}: {run_size_text}.")
    elif isinstance(source, Project):
        tell(f"Added the run {run.name} to {source.path.name}: {run_size_text}.")
    elif output_format == "text":
        with to_stdout() as stdout:
            stdout.writelines(iter_run_lines(Path(run.name), run))
        say(*warn_of_omitted_topics(run))
    else:
        topics = (run.topics[code] for code in run.topic.tolist())
        rows = zip(
            topics, run.document.to_pylist(), run.rank.tolist(), run.score.tolist(), strict=True
        )
        show(("topic", "document", "rank", "score"), rows, output_format)


def _show_explanation(explanation: ExplainedScore, output_format: str) -> None:
    rows = [
        (term.term, term.query, term.count, term.document_frequency, term.contribution)
        for term in explanation.terms
    ]
    show(("term", "in query", "in document", "documents with it", "adds"), rows, output_format)
    say(explanation.ranker.name + ": " + explanation.ranker.declaration.formula)
    say(
        f"Length of the document: {explanation.length}; mean length: "
        f"{explanation.mean_length:.4f}; collection: "
        f"{format_count(explanation.documents, 'document')}."
    )
    if explanation.term_independent:
        say(f"Part of the score that does not depend on terms: {explanation.term_independent:.4f}.")
    say(f"Score: {explanation.score:.4f}.")


@click.command("rankers")
@format_option()
def rankers_command(output_format: str) -> None:
    """List rankers and fusion methods with their formulas, parameters and purposes."""
    rows: list[tuple[str, ...]] = [
        (
            declaration.name,
            "ranker",
            _format_parameters(declaration.parameters),
            declaration.formula,
            declaration.purpose,
            declaration.references,
        )
        for declaration in RANKER_REGISTRY.catalogue()
    ]
    rows.append(
        (
            "rm3",
            "feedback",
            _format_parameters(FEEDBACK_PARAMETERS),
            "original · query + (1 − original) · terms of its first documents",
            "Expand the query with the terms of highest weight in its first documents.",
            "Abdul-Jaleel, Allan, Croft, Diaz, Larkey, Li, Smucker and Wade (2004), UMass at TREC 2004: novelty and HARD.",
        )
    )
    rows += [
        (
            strategy.name,
            "fusion",
            _format_parameters(strategy.parameters),
            strategy.formula,
            strategy.purpose,
            "",
        )
        for strategy in list_fusion_strategies()
    ]
    show(("name", "kind", "parameters", "formula", "purpose", "reference"), rows, output_format)


def _format_parameters(parameters: Sequence[Parameter]) -> str:
    return ", ".join(
        f"{parameter.name}={shown(parameter.default)}: {parameter.allowed_values}"
        for parameter in parameters
    )


@click.command("fuse")
@click.argument(
    "sources", type=FILE_OR_ADDRESS, nargs=-1, required=True, metavar="PROJECT | RUN..."
)
@options_of(FusionRequest, "request")
@format_option()
def fuse_command(sources: tuple[Path, ...], request: FusionRequest, output_format: str) -> None:
    """Fuse RUNS into a new run; or fuse the runs of a PROJECT and store the new run there."""
    with open_single_project(
        sources, open_for_reading if request.run.output else open_verified
    ) as source:
        fused_run = fuse_sources(source, request)
    _show_run(fused_run, source, request.run.output, output_format)


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
    help="Number of sampled documents that were judged. Without this option, samples are planned.",
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
    help="Number of samples that you plan to examine before stopping.",
)
@click.option(
    "--level",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=RECALL_LEVEL,
    show_default=True,
    help="Confidence level of the lower bound on recall.",
)
@format_option()
def certificate_command(
    found: int,
    rest: int,
    drawn: int | None,
    relevant: int,
    looks: int,
    level: float,
    output_format: str,
) -> None:
    """Estimate a lower bound on recall from a random sample of unjudged documents; or plan such
    samples."""
    if drawn is not None:
        certificate = RecallCertificate(found, rest, drawn, relevant, looks, level)
        row = (found + relevant, certificate.most_missed, certificate.recall, level)
        show(("found", "missed at most", "recall at least", "level"), [row], output_format)
        say(*certificate.sentences())
        return
    show(
        (
            "drawn",
            "missed at most if none is relevant",
            "recall at least",
            "recall at least if one is",
        ),
        [
            (sample.drawn, sample.missed_if_none, sample.recall_if_none, sample.recall_if_one)
            for sample in forecast_samples(found, rest, looks=looks, level=level)
        ],
        output_format,
    )
    say(
        "Possible samples, before any is judged. The documents found by the search count as "
        "judged; samples are taken from all other documents."
    )
    assumed_count = max(found // 4, TARGET_SAMPLE_SIZE)
    if (cost := expected_target_cost(rest, assumed_count)) and cost < rest:
        say(
            f"Target-based bound: judge documents in random order until {TARGET_SAMPLE_SIZE} "
            f"relevant ones are found, about {cost:,.0f} documents if {assumed_count:,} of the rest are relevant; "
            f"then repeat the search until it finds all {TARGET_SAMPLE_SIZE}. Recall is at least {TARGET_RECALL} with 95 % confidence."
        )


# Command duplicates


@click.command("duplicates")
@click.argument("sources", type=FILE, nargs=-1, required=True, metavar="PROJECT | DOCUMENTS...")
@options_of(NearDuplicatesRequest, "request")
@format_option()
def duplicates_command(
    sources: tuple[Path, ...], request: NearDuplicatesRequest, output_format: str
) -> None:
    """List near-duplicate documents of a PROJECT, or of DOCUMENTS, in groups; nothing is changed.
    Grades are never copied between documents; --offer lists the grades that could be copied, and
    identical texts with different grades.
    """
    with open_single_project(sources, open_for_reading) as source, terminal_progress() as progress:
        result = list_near_duplicates(source, request, progress=progress)
    say(*result.warnings)
    show(result.columns, result.rows, output_format)
    (tell if request.offer and output_format == "text" else say)(*result.notes)

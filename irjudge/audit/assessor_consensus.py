"""Consensus of assessors: one grade for each item, from the labels in a project or a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, TypeAlias

from irjudge.audit.assessor_labels import (
    LabelSource,
    LabelsRequest,
    label_rules,
    read_assessor_labels,
)
from irjudge.audit.imported_ratings import Row
from irjudge.formats.judgments import read_gold_labels
from irjudge.formats.rankings import CutsOption, parse_grade_rules
from irjudge.judging import (
    DEFAULT_CONSENSUS_METHOD,
    compute_consensus,
    list_consensus_rows,
    queue_disputes,
    read_consensus_method,
)
from irjudge.message import Message, format_count
from irjudge.model import Labels
from irjudge.options import Option, describe_choices
from irjudge.progress import SILENT, Progress
from irjudge.stats.consensus import (
    CONSENSUS_COLUMNS,
    CONSENSUS_RULES,
    TIES,
    TIES_MEAN,
    Consensus,
    FitOptions,
    RuleSettings,
    Ties,
    adjudication_queue,
    consensus,
    consensus_by_methods,
)
from irjudge.store import Project

GoldLabels: TypeAlias = Mapping[str, str] | Mapping[tuple[str, str], str]
PAIR_COLUMNS = ("topic", "document")


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsensusRequest:
    """Options of `irjudge consensus`: method, ties, gold labels, and output.

    `gold` labels constrain methods that fit an assessor model; `truth` labels are only used to
    report the accuracy of every method. `keep` saves the method in the project, not the grades. The
    source of the labels, a project or a table, is a separate argument.
    """

    method: Annotated[
        str | None,
        Option(
            "; ".join(
                f"{rule.name}: {rule.about[0].lower()}{rule.about[1:].removesuffix('.')}"
                for rule in CONSENSUS_RULES.values()
            )
            + f". Default: the method stored in the PROJECT, else {DEFAULT_CONSENSUS_METHOD}.",
            metavar="NAME",
        ),
    ] = None
    keep: Annotated[
        bool,
        Option(
            "From now on, use this consensus method for the qrels of the PROJECT. Only the method "
            "is stored, not --ties or options of fitting."
        ),
    ] = False
    ties: Annotated[
        Ties,
        Option(
            f"Grade used if a majority vote is tied. {describe_choices(TIES_MEAN)}", choices=TIES
        ),
    ] = "lower"
    smoothing: Annotated[
        float,
        Option(
            "For methods that fit an assessor model: number of labels of each kind that are "
            "added before fitting (smoothing).",
            minimum=0,
        ),
    ] = 1.0
    rounds: Annotated[
        int | None,
        Option(
            "For methods that fit an assessor model: maximum number of iterations. Default: "
            "until convergence, for at most two minutes.",
            minimum=1,
        ),
    ] = None
    gold: Annotated[
        Path | None,
        Option(
            "Gold labels that constrain the methods that fit an assessor model: qrels, or a "
            "table with the columns item (or topic and document) and truth."
        ),
    ] = None
    truth: Annotated[
        Path | None,
        Option(
            "Gold labels to compare every method with, as a table or qrels; they do not constrain "
            "the methods."
        ),
    ] = None
    disagreements: Annotated[
        bool,
        Option(
            "Instead of the grades, print the items with conflicting votes, the most important "
            "first, and then the items on which only the methods disagree."
        ),
    ] = False
    output: Annotated[
        Path | None,
        Option(
            "Write TREC qrels instead of printing a table; possible only if the labels have "
            "topics and documents.",
            flags=("-o", "--output"),
            metavar="QRELS",
        ),
    ] = None
    labels: LabelsRequest = field(default_factory=LabelsRequest)
    grades: Annotated[
        str | None,
        Option(
            'Map the labels of a label file to grades, such as "1:4,2:3" or, for words, '
            '"Exact:3,Partial:1".',
            metavar="OLD:NEW,...",
        ),
    ] = None
    cuts: CutsOption = None


@dataclass(frozen=True, slots=True)
class ConsensusResult:
    """Result of `resolve_labels`: consensus of assessors, a table or qrels for it, and messages.

    If qrels are requested, `columns` and `rows` are empty; otherwise `qrels` is empty. A row of the
    table contains the consensus grade of an item or, if disagreements are requested, a disputed
    item with its grade by each method, its votes and its weight. If each labelled item is a
    document of a topic, the last two columns of the table of grades are topic and document.
    """

    consensus: Consensus
    columns: Sequence[str] = ()
    rows: Sequence[Row] = ()
    qrels: Sequence[tuple[str, str, int]] = ()  # rows of topic, document and grade
    notes: tuple[str, ...] = ()  # messages of the reader of the labels
    # messages about the accuracy of the methods, and about a model that did not converge
    summary: tuple[str, ...] = ()


def resolve_labels(
    source: LabelSource, request: ConsensusRequest, *, progress: Progress = SILENT
) -> ConsensusResult:
    """Combine the grades that several assessors gave to each item, from a project or a table.

    An adjudicated grade of a project always takes precedence. The result is a table of the
    consensus, which omits items of a project without a grade. With `request.disagreements`, it is a
    table of the disputed items; with `request.output`, it is qrels. Nothing is stored: the caller
    must save the method if `request.keep` is set.

    Raises
    ------
    IrjudgeError
        If the method is unknown, if there are no labels, or if options cannot be used with the
        source.
    """
    project = source if isinstance(source, Project) else None
    method = request.method or (
        read_consensus_method(project) if project else DEFAULT_CONSENSUS_METHOD
    )
    rules = parse_grade_rules(request.grades, cuts=request.cuts)
    labels, notes = read_assessor_labels(
        source,
        request.labels,
        gold=request.gold,
        grades=rules,
        allow_votes=True,
        progress=progress,
    )
    fit_options = FitOptions(request.smoothing, request.rounds, progress=progress)
    settings = RuleSettings(request.ties, fit_options)
    consensus_result = (
        compute_consensus(project, method, labels=labels, settings=settings)
        if project
        else consensus(labels, method, settings)
    )
    compares_methods = request.truth or request.disagreements
    methods = consensus_by_methods(labels, CONSENSUS_RULES, settings) if compares_methods else ()
    summary = list[str]()
    if request.truth:
        gold = label_rules(source, rules, request.labels.scale)
        summary += _describe_accuracy(methods, read_gold_labels(request.truth, rules=gold))
    summary += _describe_convergence(consensus_result)
    result = ConsensusResult(consensus_result, notes=notes, summary=tuple(summary))
    if request.output:
        qrels = (
            list_consensus_rows(project, consensus_result)
            if project
            else consensus_result.qrels_rows()
        )
        return replace(result, qrels=qrels)
    if request.disagreements:
        columns = ("item", *(method.rule.name for method in methods), "votes", "weight")
        return replace(
            result,
            columns=columns,
            rows=[*_make_disputed_rows(project, methods, request.labels.rel)],
        )
    columns, table = _make_consensus_table(consensus_result)
    rows = [row for row in table if row[1] is not None or not project]
    return replace(result, columns=columns, rows=rows)


def _make_consensus_table(consensus: Consensus) -> tuple[tuple[str, ...], Sequence[Row]]:
    """Return columns and rows of a consensus; the last columns are topic and document, if known."""
    pairs = consensus.labels.pairs
    if pairs is None:
        return CONSENSUS_COLUMNS, consensus.rows()
    rows = [(*row, *pair) for row, pair in zip(consensus.rows(), pairs, strict=True)]
    return (*CONSENSUS_COLUMNS, *PAIR_COLUMNS), rows


def _make_disputed_rows(
    project: Project | None, methods: Sequence[Consensus], rel: int
) -> Iterator[Row]:
    names, labels = [row[0] for row in methods[0].rows()], methods[0].labels
    disputes = (
        queue_disputes(project, methods, rel=rel)
        if project
        else adjudication_queue(methods, rel=rel)
    )
    for dispute in disputes:
        grades = [_format_grade(labels, grade) for grade in dispute.grades]
        yield (names[dispute.item], *grades, dispute.votes, dispute.weight)


def _format_grade(labels: Labels, grade: float) -> str | int | float | None:
    if grade != grade:
        return None
    return f"{grade:g}" if labels.values is not None else labels.scale[int(grade)]


def _describe_accuracy(methods: Sequence[Consensus], gold: GoldLabels) -> Iterator[str]:
    for method in methods:
        right_count, gold_count = replace(
            method, labels=method.labels.with_gold(gold)
        ).count_right_gold()
        yield Message(
            "{method}: share of correct labels {share:.3f} ({right:,} of {items} with gold "
            "labels).",
            method=method.rule.title,
            share=right_count / gold_count,
            right=right_count,
            items=format_count(gold_count, "item"),
        )


def _describe_convergence(consensus: Consensus) -> Iterator[str]:
    model = consensus.model
    if model is not None and not model.converged:
        yield Message(
            "The assessor model did not converge within {rounds}. If it continues to change at "
            "the current rate, the grades of at least {items} could still change.",
            rounds=format_count(len(model.likelihoods), "round"),
            items=format_count(model.unsettled, "item"),
        )

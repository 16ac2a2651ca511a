"""Contents of the report of an evaluation, and how its numbers were computed, for every format."""

import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias, get_args

import numpy as np

from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    AVERAGE_DESCRIPTIONS,
    DEFAULT_ALPHA,
    DEFAULT_CORRECTION,
    DEFAULT_TEST,
    ONE_WAY_TEST,
    TOPIC_POLICY_DESCRIPTIONS,
    Comparison,
    Evaluation,
    OrderingPair,
    Policy,
    TopicNeed,
    compare,
    compare_orderings,
    compute_needed_topics,
    find_leaders,
    is_measure_rankable,
    measure_pairs,
    ordering_rows,
    runs_best_first,
)
from irjudge.formats.bytes import replace_surrogates
from irjudge.judging import (
    SOURCE_LABELS,
    NormingSession,
    QrelsChoice,
    build_vote_labels,
    compute_source_shares,
    describe_adjudications,
    find_human_qrels,
    iter_claims,
    list_qrels_rows,
    select_adjudications,
)
from irjudge.message import Message, escape_control_characters, format_count, join_messages
from irjudge.metrics import PROFILE_RULES, Measure, format_value, to_goodness
from irjudge.model import TIES_MEANING, Run
from irjudge.progress import SILENT, Progress
from irjudge.report.evaluation_history import (
    EvaluationInput,
    evaluated_qrels,
    file_inputs,
    project_inputs,
)
from irjudge.report.tables import Cell
from irjudge.report.workbook import (
    COMPARISON_COLUMNS,
    COMPARISON_MEANINGS,
    CORRELATION_COLUMNS,
    COVERAGE,
    DOCUMENT_COLUMNS,
    ROUND_COLUMNS,
    ROUND_DOCUMENTS,
    ROUND_NOTE,
    ROUNDS,
    Kind,
    WorkbookColumn,
    WorkedSheet,
    by_topic_sheet,
    column_kind,
    is_count,
    make_worked_sheet,
    need_cells,
    round_document_rows,
    round_rows,
    title_cells,
    title_column,
    worked_settings,
)
from irjudge.shipped import program_version
from irjudge.stats import Sampling, parse_statistics
from irjudge.stats.agreement import agreement
from irjudge.stats.significance import CORRECTIONS, TESTS
from irjudge.store import Project
from irjudge.translations import load_catalogue

# Method section: how the numbers of the report were computed


Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
CATALOGUES = {"en": "en", "zh": "zh_CN"}
SENTENCE_SEPARATORS = {"en": " ", "zh": ""}
AGREEMENT_STATISTIC = "alpha-ordinal"
# policy fields that have no option of `irjudge report`, or whose options are added separately
OMITTED_POLICY_FIELDS = ("highest", "exclude_query_id", "only")

Detail: TypeAlias = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Method:
    """Method section of a report in one language: a paragraph, and details as a table.

    It describes how the numbers of the report were computed.
    """

    title: str  # title of the section
    paragraph: str  # paragraph for a paper
    metadata: tuple[Detail, ...]  # details: pairs of label and value
    columns: tuple[str, str]  # headings of labels and values
    subject: str = ""  # name of the evaluated project, or of the qrels file


@dataclass(frozen=True, slots=True)
class MethodSource:
    """Content of a `Method` that an `Evaluation` lacks: project or files, hashes, and command."""

    subject: str = ""  # name of the evaluated project or file
    sentences: tuple[str, ...] = ()  # sentences about the origin of the qrels
    metadata: tuple[Detail, ...] = ()  # details about the qrels, and hashes of qrels and runs
    command: str = ""  # command that reproduces the report


METHOD_TITLE = Message("How the values were computed")


def describe_method(
    evaluation: Evaluation, source: MethodSource | None = None, language: Language = "en"
) -> Method:
    """Return the method section of an evaluation in the given language."""
    source, translate = source or MethodSource(), _make_translator(language)
    sentences = (*source.sentences, *_iter_method_sentences(evaluation))
    details = (
        (Message("Program"), program_version()),
        *([(Message("Command"), source.command)] if source.command else []),
        *_iter_policy_details(evaluation),
        *_iter_measure_details(evaluation),
        *source.metadata,
    )
    return Method(
        translate(METHOD_TITLE),
        SENTENCE_SEPARATORS[language].join(map(translate, sentences)),
        tuple((translate(name), translate(value)) for name, value in details),
        (translate(Message("Detail")), translate(Message("Value"))),
        source.subject,
    )


def report_title(evaluation: Evaluation, method: Method) -> str:
    """Return a report's title: evaluated project or file, number of runs, and today's date."""
    text = f"valuation of {format_count(len(evaluation.runs), 'run')}, {datetime.now(UTC):%Y-%m-%d}"
    return f"{method.subject}: e{text}" if method.subject else f"E{text}"


def _make_translator(language: Language) -> Callable[[str], str]:
    return str if language == "en" else load_catalogue(CATALOGUES[language]).translate_message


def _iter_method_sentences(evaluation: Evaluation) -> Iterator[str]:
    yield Message(
        "Runs evaluated: {runs:,}; topics: {topics:,}; measures: {measures}.",
        runs=len(evaluation.runs),
        topics=len(evaluation.topics),
        measures=", ".join(measure.name for measure in evaluation.measures),
    )
    yield Message("Averaged over: {policy}.", policy=str(evaluation.policy))
    if evaluation.highest:
        yield Message(
            "Highest grade of the scale: {grade} ({source}).",
            grade=evaluation.highest.grade,
            source=evaluation.highest.source,
        )
    yield Message("Computed with {program}.", program=program_version())


def _iter_policy_details(evaluation: Evaluation) -> Iterator[Detail]:
    policy = evaluation.policy
    yield Message("Topics and ties"), str(policy)
    yield (
        Message("Averaging"),
        Message(
            "{average}: {meaning}",
            average=policy.average,
            meaning=AVERAGE_DESCRIPTIONS[policy.average],
        ),
    )
    yield (
        Message("Profile"),
        Message(
            "{profile}: {meaning}",
            profile=policy.profile,
            meaning=PROFILE_RULES[policy.profile].meaning,
        ),
    )
    if evaluation.source:
        yield Message("Qrels"), evaluation.source


def _iter_measure_details(evaluation: Evaluation) -> Iterator[Detail]:
    for measure in evaluation.measures:
        values = join_messages(
            Message(
                "{name} = {value}",
                name=name,
                value=Message("none") if value is None else format_value(value),
            )
            for name, value in measure.parameters
        )
        definition = measure.definition
        if values:
            definition = Message("{definition} ({values})", definition=definition, values=values)
        yield measure.name, definition


# Command that reproduces the report


def reproduction_command(
    input_paths: Sequence[str | Path],
    evaluation: Evaluation,
    output: str | Path,
    language: Language,
    further_options: Iterable[str] = (),
) -> str:
    """Return the command that reproduces a report.

    `further_options` are arguments for options that the evaluation does not contain.
    """
    defaults, policy = Policy(), evaluation.policy
    changed_fields = [
        field.name for field in fields(Policy) if field.name not in OMITTED_POLICY_FIELDS
    ]
    arguments = ["irjudge", "report", *map(str, input_paths)]
    arguments += [part for measure in evaluation.measures for part in ("-m", measure.name)]
    arguments += [
        part
        for name in changed_fields
        # the default topics, if they were chosen, are averaged although the runs have others
        if (value := getattr(policy, name)) != getattr(defaults, name)
        or (name == "topics" and evaluation.topics_chosen)
        for part in (f"--{name}", str(value))
    ]
    arguments += ["--topic", policy.only] if policy.only else []
    arguments += ["--highest", str(policy.highest)] if policy.highest is not None else []
    arguments += ["--exclude-query-id"] if policy.exclude_query_id else []
    arguments += [
        *further_options,
        *(["--language", language] if language != "en" else []),
        "-o",
        str(output),
    ]
    return replace_surrogates(shlex.join(arguments))


# Source of an evaluation of files


def files_source(
    qrels: Path, runs: Sequence[Path], names: Sequence[str], command: str
) -> MethodSource:
    """Return the data of evaluated files for the method section: hashes of qrels and runs.

    `names` are the names of the runs in the evaluation.
    """
    inputs = file_inputs(qrels, runs, names)
    return MethodSource(
        inputs[0].name,
        metadata=tuple(
            (_format_input_label(evaluation_input), evaluation_input.digest_text)
            for evaluation_input in inputs
        ),
        command=command,
    )


def _format_input_label(evaluation_input: EvaluationInput) -> str:
    if evaluation_input.kind == "qrels":
        return Message("Qrels {file}", file=evaluation_input.name)
    return Message("Run {run}", run=evaluation_input.name)


# Source of an evaluation of a project


def project_source(
    project: Project, evaluation: Evaluation, command: str, progress: Progress = SILENT
) -> MethodSource:
    """Return the data of an evaluated project for the method section.

    The data describe the pool, assessors, agreement and recall, and contain hashes of runs and
    qrels.
    """
    qrels_choice = evaluated_qrels(project, evaluation)
    sentences, details = list[str](), list[Detail]()
    pool = project.rankings.pool()
    if pool is not None:
        message = Message(
            "Pool: strategy {strategy}{settings}; runs: {runs:,}; topics: {topics:,}; documents to judge: {pairs:,}.",
            strategy=pool.strategy,
            settings="".join(f", {name} {value}" for name, value in pool.parameters.items()),
            runs=len(pool.runs),
            topics=len(pool.topics),
            pairs=len(pool),
        )
        sentences.append(message)
        details.append((Message("Runs in the pool"), ", ".join(pool.runs)))
    sentences += _iter_judging_sentences(project, qrels_choice, evaluation.policy.rel, progress)
    sentences += _iter_recall_sentences(project, qrels_choice, evaluation.policy.rel)
    details += _iter_hash_details(project, evaluation, progress)
    return MethodSource(
        project.title or project.path.stem, tuple(sentences), tuple(details), command
    )


def _iter_judging_sentences(
    project: Project, qrels_choice: QrelsChoice | None, rel: int, progress: Progress
) -> Iterator[str]:
    """Yield sentences about who made the qrels, and about the agreement of several assessors.

    If a model completed the qrels, sentences about the human qrels follow. If there are no qrels,
    yield none.
    """
    if qrels_choice is None:
        return
    name, count = qrels_choice.origin, qrels_choice.pair_count
    if qrels_choice.source == "imported":
        yield Message(
            "The qrels were imported ({name}; judgments: {rows:,}).", name=name, rows=count
        )
    elif qrels_choice.source == "judged":
        yield Message("Assessors: {count:,}; judgments: {judgments:,}.", count=1, judgments=count)
    elif qrels_choice.source == "assessor":
        yield Message("Assessor: {name}; judgments: {judgments:,}.", name=name, judgments=count)
    elif qrels_choice.source == "model":
        yield Message(
            "The qrels are the labels of the model {name}; judgments: {judgments:,}.",
            name=name,
            judgments=count,
        )
    elif qrels_choice.source == "mixed":
        yield Message(
            "Judgments: {judgments:,}; pairs without a human judgment have the labels of the model "
            "{name}.",
            name=name,
            judgments=count,
        )
        yield from _iter_judging_sentences(project, find_human_qrels(project), rel, progress)
    else:
        yield from _iter_consensus_sentences(project, qrels_choice, rel, progress)


def _iter_consensus_sentences(
    project: Project, qrels_choice: QrelsChoice, rel: int, progress: Progress
) -> Iterator[str]:
    """Yield sentences about the assessors, their agreement and the consensus."""
    labels = build_vote_labels(project, progress)
    yield Message(
        "Assessors: {count:,}; judgments: {judgments:,}.",
        count=len(labels.workers),
        judgments=len(labels.label),
    )
    if len(labels.workers) > 1:
        (estimate,) = agreement(
            labels, (AGREEMENT_STATISTIC,), rel=rel, sampling=Sampling(progress=progress)
        )
        yield Message(
            "Judged by at least two assessors: {count:,} of {total:,} documents.",
            count=estimate.used,
            total=estimate.total,
        )
        if estimate.value is not None:
            interval = "" if estimate.low is None else f" [{estimate.low:.3f}, {estimate.high:.3f}]"
            yield Message(
                "Agreement (Krippendorff's alpha, ordinal, 95 % interval): {value:.3f}{interval}.",
                value=estimate.value,
                interval=interval,
            )
    adjudications = select_adjudications(project, qrels_choice)
    if adjudications:
        yield describe_adjudications(adjudications.values(), qrels_choice.pair_count)
    if qrels_choice.rule and adjudications:
        yield Message(
            "Pairs that were not adjudicated were resolved by the rule: {rule}.",
            rule=qrels_choice.rule,
        )
    elif qrels_choice.rule:
        yield Message("Resolved by the rule: {rule}.", rule=qrels_choice.rule)


def _iter_recall_sentences(
    project: Project, qrels_choice: QrelsChoice | None, rel: int
) -> Iterator[str]:
    """Yield sentences about the sources of relevant documents, and about estimates of recall.

    The first sentences contain the numbers of judged and relevant documents from each source. The
    estimates are made from random samples.
    """
    if (
        qrels_choice is not None
        and qrels_choice.source != "imported"
        and project.assignments.assessor_assignment() is None
    ):
        grades = {
            (topic, document): grade
            for topic, document, grade in list_qrels_rows(project, qrels_choice)
            if grade >= 0
        }
        for share in compute_source_shares(project, grades, rel):
            yield Message(
                "Documents from the source “{source}”: {judged:,} judged, {relevant:,} "
                "relevant ({share:.0%} of all relevant documents).",
                source=SOURCE_LABELS[share.source],
                relevant=share.relevant,
                judged=share.judged,
                share=share.share,
            )
    yield from iter_claims(project)


def _iter_hash_details(
    project: Project, evaluation: Evaluation, progress: Progress
) -> Iterator[Detail]:
    for project_input in project_inputs(project, evaluation, progress):
        if project_input.kind == "qrels":
            yield Message("Qrels written by `irjudge export`"), project_input.digest_text
        else:
            yield (
                Message("Run {run}, from {file}", run=project_input.name, file=project_input.source)
                if project_input.source
                else Message("Run {run}", run=project_input.name),
                project_input.digest_text,
            )


# Descriptions of evaluation settings and measures, shared by all report formats


def evaluation_settings(evaluation: Evaluation) -> dict[str, str]:
    """Return the program, the current time and an evaluation's settings, as label–value pairs."""
    policy = evaluation.policy
    settings = {
        "Program": program_version(),
        "Written": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "Topics averaged": TOPIC_POLICY_DESCRIPTIONS[policy.topics],
        "Order of ties": f"{policy.ties}: {TIES_MEANING[policy.ties]}",
        "Relevant": f"grade {policy.rel} or more",
        "Runs": str(len(evaluation.runs)),
    }
    if policy.only:
        settings["Only topics"] = policy.only
    if policy.average != "macro":
        settings["Average"] = f"{policy.average}: {AVERAGE_DESCRIPTIONS[policy.average]}"
    if policy.profile != "irjudge":
        settings["Profile"] = f"{policy.profile}: {PROFILE_RULES[policy.profile].meaning}"
    if policy.exclude_query_id:
        settings["Left out"] = "documents that have the id of their topic"
    if policy.depth is not None:
        settings["Depth"] = f"only the top {policy.depth:,} of each ranking"
    if evaluation.highest is not None:
        settings["Highest grade"] = str(evaluation.highest)
    return settings


def describe_average(measure: Measure, evaluation: Evaluation) -> str:
    """Describe how a measure's values are averaged over topics."""
    if is_count(measure):
        return "sum over the topics"
    if measure.declaration.mean == "geometric":
        return "geometric mean over the topics"
    average = evaluation.policy.average
    return "mean over the topics" if average == "macro" else AVERAGE_DESCRIPTIONS[average]


def format_bounds(low: float, high: float) -> str:
    """Describe the range of a measure's values, such as `0 to 1`."""
    if math.isinf(low):
        return "any number" if math.isinf(high) else f"{format_value(high)} or less"
    if math.isinf(high):
        return f"{format_value(low)} or more"
    if low == high:
        return format_value(low)
    return f"{format_value(low)} to {format_value(high)}"


# Tables with formatted cells, for all report formats and the clipboard

CellIndex = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """Table whose cells are formatted as strings, for reports and the clipboard.

    `best_cells` are shown in bold, and `marked_cells` with a dagger. In reports, they are the best
    averages, and the averages that differ significantly from the baseline or the best average.
    """

    headings: tuple[str, ...]  # heading of each column
    right_aligned: tuple[
        bool, ...
    ]  # whether each column is right-aligned, as columns of numbers are
    rows: tuple[tuple[str, ...], ...]  # rows, with one string for each column
    best_cells: frozenset[CellIndex] = frozenset()  # row and column of each bold cell
    marked_cells: frozenset[CellIndex] = frozenset()  # row and column of each cell with a dagger
    title: str = ""  # heading of the table
    notes: tuple[str, ...] = ()  # notes, one sentence each


def printed_rows(
    rows: Iterable[Sequence[Cell]], kinds: Sequence[Kind], decimals: int
) -> tuple[tuple[str, ...], ...]:
    """Format the cells of rows as strings; `kinds` contains the kind of each column."""
    return tuple(
        tuple(format_cell(cell, kind, decimals) for cell, kind in zip(row, kinds, strict=True))
        for row in rows
    )


def format_cell(cell: Cell, kind: Kind = "number", decimals: int = 4) -> str:
    """Format a cell as a string, which is empty for None, infinity and NaN.

    >>> format_cell(0.25), format_cell(-0.00001), format_cell(3, "whole"), format_cell(0.125, "share"), format_cell(None)
    ('0.2500', '0.0000', '3', '12.5 %', '')
    >>> format_cell(0.03, "probability"), format_cell(1e-9, "probability"), format_cell("tab\\there")
    ('0.0300', '<0.0001', 'tab\\\\there')
    """
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    if isinstance(cell, str):
        return escape_control_characters(cell)
    if kind == "share":
        return f"{100 * cell:.1f} %"
    if kind == "plain":
        return f"{cell:g}"
    if kind == "probability" and 0 < cell < 10**-decimals:
        return f"<{10**-decimals:.{decimals}f}"
    return f"{round(cell)}" if kind == "whole" else f"{cell:z.{decimals}f}"


# Content of an evaluation report, shared by all formats

Row = tuple[Cell, ...]
SIGNIFICANCE_MARK = "†"
LEGEND_COLUMNS = (
    WorkbookColumn("Name", "words"),
    WorkbookColumn("Title", "words"),
    WorkbookColumn("Definition", "words"),
    WorkbookColumn("Reference", "words"),
)
SETTINGS_COLUMNS = (WorkbookColumn("Setting", "words"), WorkbookColumn("Value", "words"))


@dataclass(frozen=True, slots=True)
class ReportTable:
    """Table of a report with unformatted cells: numbers, strings, or None for empty cells."""

    title: str  # heading of the table
    columns: tuple[WorkbookColumn, ...]  # headings and kinds of the columns
    rows: tuple[Row, ...]  # rows with as many cells as columns; None for an empty cell
    notes: tuple[str, ...] = ()  # notes, one sentence each
    best_cells: frozenset[CellIndex] = frozenset()  # row and column of each best value
    # row and column of each value that differs significantly from that of the baseline or, without
    # a baseline, of the best run
    marked_cells: frozenset[CellIndex] = frozenset()
    has_details: bool = False  # whether the table contains details that few readers need
    introduction: str = ""  # paragraph before the table

    def format_rows(self, decimals: int = 4) -> PrintedTable:
        """Return the table with its cells formatted as strings."""
        cells = printed_rows(self.rows, [column.kind for column in self.columns], decimals)
        headings = printed_rows(
            [[column.title for column in self.columns]], ["id"] * len(self.columns), decimals
        )[0]
        right_aligned = tuple(column.numeric for column in self.columns)
        return PrintedTable(
            headings,
            right_aligned,
            cells,
            self.best_cells,
            self.marked_cells,
            self.title,
            self.notes,
        )


@dataclass(frozen=True, slots=True)
class ReportContent:
    """Content of a report in addition to the values of the evaluation.

    It contains results that `collect_report_content` computes (comparison of runs, correlations of
    measures, norming rounds), and texts such as the titles of topics and the method section.
    """

    # comparison of the evaluated runs; None if no runs were compared
    comparison: Comparison | None = None
    # correlations between the orders of runs by two measures
    correlations: Sequence[OrderingPair] = ()
    # name of the baseline: values that differ significantly from its values are marked; None for
    # the best run by each measure
    baseline: str | None = None
    titles: Mapping[str, str] = field(default_factory=dict)  # titles of topics, by id
    # additional rows of the table of settings: values by label, such as the names of the files
    metadata: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()  # notes below the table of comparisons
    method: Method | None = None  # method section; None to describe only the evaluation itself
    rounds: Sequence[NormingSession] = ()  # norming rounds


@dataclass(frozen=True, slots=True)
class Report:
    """Content of a report, which does not depend on its format: title, tables and evaluation."""

    title: str
    tables: tuple[ReportTable, ...]
    evaluation: Evaluation


def build_report(
    evaluation: Evaluation, findings: ReportContent | None = None, progress: Progress = SILENT
) -> Report:
    """Build a report of an evaluation.

    Its tables are summary, coverage, comparisons, correlations, norming rounds, values by topic,
    legend, settings and method. Comparisons, correlations and norming rounds are omitted if
    `findings` has none.
    """
    findings = findings or ReportContent()
    parts = [summary_table(evaluation, findings, progress), coverage_table(evaluation)]
    if findings.comparison:
        notes = (*findings.notes, *findings.comparison.notes)
        needed_topics = need_cells(findings.comparison)
        cells = tuple(
            (*row, *needed_topics[pair.measure, pair.run_a, pair.run_b])
            for pair, row in zip(findings.comparison.pairs, findings.comparison.rows(), strict=True)
        )
        parts.append(ReportTable("Comparisons", COMPARISON_COLUMNS, cells, notes))
    if findings.correlations:
        correlation_note = "Similarity of the orders of runs by two measures: 1 is the same order, -1 the opposite."
        parts.append(
            ReportTable(
                "Correlations",
                CORRELATION_COLUMNS,
                tuple(ordering_rows(findings.correlations)),
                (correlation_note,),
            )
        )
    if findings.rounds:
        parts.append(
            ReportTable(
                ROUNDS, ROUND_COLUMNS, tuple(map(tuple, round_rows(findings.rounds))), (ROUND_NOTE,)
            )
        )
        parts.append(
            ReportTable(
                ROUND_DOCUMENTS,
                DOCUMENT_COLUMNS,
                tuple(map(tuple, round_document_rows(findings.rounds))),
            )
        )
    parts += topic_tables(evaluation, findings.titles)
    parts.append(legend_table(evaluation, has_comparisons=findings.comparison is not None))
    parts.append(settings_table(evaluation, findings.metadata))
    method = findings.method or describe_method(evaluation)
    columns = tuple(WorkbookColumn(column, "words") for column in method.columns)
    parts.append(ReportTable(method.title, columns, method.metadata, introduction=method.paragraph))
    return Report(report_title(evaluation, method), tuple(parts), evaluation)


# Summary table, in which best and significantly different averages are marked


def summary_table(
    evaluation: Evaluation, findings: ReportContent | None = None, progress: Progress = SILENT
) -> ReportTable:
    """Return the table of averages, with a row for each run and a column for each measure.

    The best average of each column is marked as best. Averages that differ significantly from the
    baseline or, without a baseline, from the best average are marked as significant.
    """
    findings = findings or ReportContent()
    columns = (
        WorkbookColumn("Run"),
        *(WorkbookColumn(measure.name, column_kind(measure)) for measure in evaluation.measures),
    )
    cells = tuple((run.run, *run.summary.tolist()) for run in evaluation.runs)
    best_cells = _find_best_cells(evaluation)
    if findings.baseline is None:
        marked_cells = _find_significant_cells(evaluation, best_cells, progress)
        reference = "the best run of the column"
        comparisons_text = format_count(max(0, len(evaluation.runs) - 1), "comparison")
        marks_note = (
            f"{TESTS[DEFAULT_TEST].title} of each run with the best, two-sided, p corrected for {comparisons_text}"
            f" ({CORRECTIONS[DEFAULT_CORRECTION].name})"
        )
    else:
        marked_cells, marks_note = _find_baseline_cells(evaluation, findings)
        reference = findings.baseline
    notes = (
        f"Averaged over: {evaluation.policy}.",
        *([evaluation.topics_warning] if evaluation.topics_warning else []),
        *(["Bold: the best of its column."] if best_cells else []),
    )
    is_tested = any(is_measure_rankable(evaluation, column - 1) for _, column in best_cells)
    if is_tested or findings.baseline is not None:
        label = (
            f"{SIGNIFICANCE_MARK} differs significantly from"
            if marked_cells
            else "No value differs significantly from that of"
        )
        notes += (f"{label} {reference}: {marks_note}, α = {DEFAULT_ALPHA:g}.",)
    return ReportTable("Summary", columns, cells, notes, best_cells, marked_cells)


def _find_best_cells(evaluation: Evaluation) -> frozenset[CellIndex]:
    """Return the row and column of each best value in the table of averages.

    A column has no best cells if its measure is a count or has no direction, or if all values are
    equal. The result is empty for a single run, or if averages are not comparable (see
    `Evaluation.is_rankable`).
    """
    if len(evaluation.runs) < 2 or not evaluation.is_rankable:
        return frozenset()
    cells = set()
    for index, measure in enumerate(evaluation.measures):
        if is_count(measure) or not measure.direction:
            continue
        values = to_goodness(measure, [run.summary[index] for run in evaluation.runs])
        if np.ptp(values) > 0:
            cells |= {(int(row), 1 + index) for row in np.flatnonzero(values == values.max())}
    return frozenset(cells)


def _find_significant_cells(
    evaluation: Evaluation, best_cells: frozenset[CellIndex], progress: Progress
) -> frozenset[CellIndex]:
    """Return the row and column of each average that differs significantly from the best.

    A column has no such averages if it has no best cell, or if its averages cannot be tested (see
    `is_measure_rankable`).
    """
    cells = set()
    best_columns = {column for _, column in best_cells}
    for index, leaders in enumerate(find_leaders(evaluation, progress=progress)):
        if 1 + index not in best_columns or not is_measure_rankable(evaluation, index):
            continue
        leader = runs_best_first(evaluation, index)[0]
        topics = set(leader.topics)
        cells |= {
            (row, 1 + index)
            for row, run in enumerate(evaluation.runs)
            if run is not leader and not topics.isdisjoint(run.topics) and run.run not in leaders
        }
    return frozenset(cells)


def _find_baseline_cells(
    evaluation: Evaluation, findings: ReportContent
) -> tuple[frozenset[CellIndex], str]:
    """Return the row and column of each average that differs significantly from the baseline.

    Only the first test of the comparison is used. The second element of the result is a text that
    describes this test. Raises IrjudgeError if the baseline is not one of the runs.
    """
    names = {run.run: row for row, run in enumerate(evaluation.runs)}
    if findings.baseline not in names:
        raise IrjudgeError(
            "The baseline {baseline!r} is not among the runs {names}.",
            baseline=findings.baseline,
            names=", ".join(names),
        )
    measures = {measure.name: 1 + index for index, measure in enumerate(evaluation.measures)}
    pairs = findings.comparison.pairs if findings.comparison else ()
    test = pairs[0].test if pairs else DEFAULT_TEST
    baseline_pairs = [
        pair
        for pair in pairs
        if pair.test == test
        and findings.baseline in (pair.run_a, pair.run_b)
        and pair.p_adjusted < DEFAULT_ALPHA
    ]
    other_pairs = (
        (pair.measure, pair.run_a if pair.run_b == findings.baseline else pair.run_b)
        for pair in baseline_pairs
    )
    cells = frozenset((names[run], measures[measure]) for measure, run in other_pairs)
    return cells, f"{TESTS[test].title}, two-sided, p corrected for the number of pairs"


# Tables of coverage, values by topic, explanations and settings


def coverage_table(evaluation: Evaluation) -> ReportTable:
    """Return the table of coverage: how many topics and documents the averages of a run use."""
    columns = (
        WorkbookColumn("Run"),
        *(WorkbookColumn(column.title, column.kind) for column in COVERAGE),
    )
    cells = tuple(
        (run.run, *(column.value(run.coverage) for column in COVERAGE)) for run in evaluation.runs
    )
    return ReportTable("Coverage", columns, cells, ("Coverage on which the averages are based.",))


def topic_tables(evaluation: Evaluation, titles: Mapping[str, str]) -> Iterator[ReportTable]:
    """Yield a table of values for each measure, with a row for each topic.

    Each run has a column, with an empty cell for a topic on which the run was not evaluated.
    `titles` are the topics' titles by id.
    """
    topic_rows = [
        {topic: index for index, topic in enumerate(run.topics)} for run in evaluation.runs
    ]
    for index, measure in enumerate(evaluation.measures):
        columns = (
            WorkbookColumn("Topic"),
            *title_column(titles),
            *(WorkbookColumn(run.run, column_kind(measure)) for run in evaluation.runs),
        )
        values = [run.values[index].tolist() for run in evaluation.runs]
        cells = tuple(
            (
                topic,
                *title_cells(titles, topic),
                *(
                    run[index_of_topic[topic]] if topic in index_of_topic else None
                    for run, index_of_topic in zip(values, topic_rows, strict=True)
                ),
            )
            for topic in evaluation.topics
        )
        yield ReportTable(f"{measure.name} by topic", columns, cells, has_details=True)


def legend_table(evaluation: Evaluation, *, has_comparisons: bool) -> ReportTable:
    """Return the table that explains each measure and the columns of other tables.

    The other tables are the table of coverage and, if `has_comparisons`, the table of comparisons.
    """
    cells: list[Row] = []
    for measure in evaluation.measures:
        declaration = measure.declaration
        description = f"{measure.definition}; {describe_average(measure, evaluation)}; values: {format_bounds(*declaration.bounds)}"
        cells.append((measure.name, declaration.title, description, declaration.references))
    cells += [(column.title, "Basis of the averages", column.meaning, None) for column in COVERAGE]
    cells += [
        (name, "Comparisons", meaning, None)
        for name, meaning in COMPARISON_MEANINGS.items()
        if has_comparisons
    ]
    return ReportTable("Legend", LEGEND_COLUMNS, tuple(cells), has_details=True)


def settings_table(evaluation: Evaluation, metadata: Mapping[str, str]) -> ReportTable:
    """Return the table of an evaluation's settings, with `metadata` as additional rows."""
    return ReportTable(
        "Settings", SETTINGS_COLUMNS, tuple({**evaluation_settings(evaluation), **metadata}.items())
    )


# Results computed for every report: comparisons of runs, correlations of measures, worked examples

# maximum number of runs of which all pairs are compared: with more runs, the table would be
# unreadable, and hardly any difference significant after the correction for multiple tests
MAX_RUNS_FOR_ALL_PAIRS = 10
STATISTICS = ("tau", "tau-b", "tau-ap", "spearman")


def compare_all_runs(
    evaluation: Evaluation, progress: Progress = SILENT
) -> tuple[Comparison | None, tuple[str, ...]]:
    """Compare the runs of an evaluation; return the comparison and notes.

    Up to ten runs are compared in all pairs. If there are more, each run is compared with the best
    run by the first measure. The comparison is None if the runs cannot be compared.
    """
    layout = by_topic_sheet(evaluation)
    if len(evaluation.runs) < 2 or not layout.measures:
        return None, ()
    selected_evaluation = evaluation.select_measures(
        [evaluation.measures[index] for index in layout.measures]
    )
    best_run = runs_best_first(selected_evaluation)[0].run
    baseline = best_run if len(selected_evaluation.runs) > MAX_RUNS_FOR_ALL_PAIRS else None
    if baseline is not None and selected_evaluation.topics_warning:
        return None, (selected_evaluation.topics_warning,)
    try:
        comparison = compare(
            selected_evaluation, baseline=baseline, sampling=Sampling(progress=progress)
        )
        needed_topics = compute_needed_topics(selected_evaluation, baseline=baseline)
    except IrjudgeError as error:
        return None, (f"No comparison: {error}",)
    note = (
        f"Each run is compared with {best_run}, the best by {selected_evaluation.measures[0].name}."
    )
    notes = (
        *comparison.notes,
        *needed_topics.notes,
        *_describe_detectable_differences(needed_topics.rows),
    )
    return replace(comparison, needs=needed_topics.rows, notes=notes), (
        note,
    ) if baseline is not None else ()


def _describe_detectable_differences(needs: Iterable[TopicNeed]) -> Iterator[str]:
    """Yield a sentence about the smallest detectable difference in each measure.

    The analysis of variance detects a difference of this size between the best and the worst run.
    """
    for need in needs:
        if need.test == ONE_WAY_TEST and need.seen is not None:
            needed_text = (
                "more than a million topics"
                if need.needed is None
                else format_count(need.needed, "topic")
            )
            observed_text = (
                f"; the observed difference, {need.difference:.4f}, needs {needed_text}"
                if need.difference
                else ""
            )
            yield (
                f"{need.measure}: the {need.topics} topics detect a difference of {need.seen:.4f} between the best and the worst of all "
                f"{need.runs} runs{observed_text}."
            )


def correlate_measures(evaluation: Evaluation) -> tuple[OrderingPair, ...]:
    """Return, for each pair of measures, the rank correlation of the two orders of runs.

    The result is empty if there are fewer than two measures or runs.
    """
    if len(evaluation.runs) < 2 or len(evaluation.measures) < 2:
        return ()
    return tuple(compare_orderings(measure_pairs(evaluation), parse_statistics(STATISTICS)))


def first_evaluated_topic(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Return the first run with topics and its first topic, as a list with one pair.

    The list is empty if no run has topics.
    """
    return next(([(run.run, run.topics[0])] for run in evaluation.runs if run.topics), [])


def parse_run_topic(evaluation: Evaluation, text: str) -> tuple[str, str]:
    """Split `RUN:TOPIC` into run and topic, both of which may contain colons.

    Raises IrjudgeError if they are not a run and a topic of the evaluation.
    """
    topics = {run.run: run.topics for run in evaluation.runs}
    splits = [
        (text[:position], text[position + 1 :])
        for position, character in enumerate(text)
        if character == ":"
    ]
    valid_splits = [(run, topic) for run, topic in splits if run in topics]
    for run, topic in valid_splits:
        if topic in topics[run]:
            return run, topic
    if valid_splits:
        run, topic = valid_splits[0]
        raise IrjudgeError(
            "Topic {topic!r} was not evaluated for run {run}; expected one of {topics}.",
            topic=topic,
            run=run,
            topics=_format_name_list(topics[run]),
        )
    raise IrjudgeError(
        "{text!r} does not name a run and a topic; expected RUN:TOPIC, where RUN is one of {runs}.",
        text=text,
        runs=_format_name_list(list(topics)),
    )


def _format_name_list(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "") if names else "none"


def make_worked_sheets(
    evaluation: Evaluation,
    run_topics: Sequence[tuple[str, str]],
    run_of: Callable[[str], Run],
    titles: Mapping[str, str],
) -> list[WorkedSheet]:
    """Return the content of a sheet with a worked example for each requested (run, topic).

    `run_of` returns a run by name; `titles` are the topics' titles by id.
    """
    cutoff, gain = worked_settings(evaluation)
    return [
        make_worked_sheet(
            evaluation.qrels,
            run_of(run),
            topic,
            evaluation.policy,
            cutoff=cutoff,
            gain=gain,
            title=titles.get(topic, ""),
        )
        for run, topic in run_topics
    ]

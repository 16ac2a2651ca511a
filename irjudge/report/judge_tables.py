"""Tables of audits of models, for the command line and as sheets of workbooks."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

from irjudge.audit import (
    DEFAULT_AUDIT_MEASURE,
    TOP_SYSTEMS,
    AuditMaterial,
    JudgeAudit,
    RunEstimate,
    audit_judge,
    audit_judges,
    format_statistic,
    format_value,
    make_audit_material,
    read_audit_material,
    read_model_file,
)
from irjudge.errors import IrjudgeError
from irjudge.evaluation import (
    Policy,
    RelOption,
    TiesOption,
    TopicsOption,
    parse_measures,
    refuse_source,
)
from irjudge.formats.bytes import replace_file
from irjudge.formats.rankings import (
    GradeRules,
    GradesRequest,
    RankingReader,
    read_run_groups,
)
from irjudge.judging import ModelJudgments, read_model_judgments, select_qrels
from irjudge.message import Message, format_count
from irjudge.metrics import PROFILES, Measure, Profile
from irjudge.options import Option, SourceOption
from irjudge.progress import SILENT, Progress
from irjudge.report.tables import Cell
from irjudge.report.workbook import WorkbookColumn, WorkbookWriter, create_workbook
from irjudge.report.workbook import write_table as write_sheet
from irjudge.stats import (
    DEFAULT_EPSILON,
    DEFAULT_SAMPLING_SEED,
    JudgeStatistic,
    Sampling,
    SeedOption,
    error_correlation,
)
from irjudge.store import Project

Rows = Callable[[Sequence[JudgeAudit]], Iterator[Sequence[Cell]]]
MODEL_COLUMN = WorkbookColumn("judge", "id")
# values of the column `kind` in the table of systems; a run that the model reranked is not a
# system, but the table contains its rank among the systems
SYSTEM_KIND, RERANKED_KIND = "system", "reranked by the model"


@dataclass(frozen=True, slots=True)
class JudgeTable:
    """Declaration of a table of audits of models.

    It contains the name used on the command line, the title of the sheet, the columns other than
    the first (the model), and the function that returns the rows.
    """

    name: str
    title: str
    about: str  # description of the table, in one line
    columns: tuple[WorkbookColumn, ...]
    rows: Rows

    @property
    def header(self) -> tuple[str, ...]:
        """Names of all columns; the first is the column of the model."""
        return tuple(column.title for column in (MODEL_COLUMN, *self.columns))


def _iter_rows_per_audit(make_rows: Callable[[JudgeAudit], Iterable[Sequence[Cell]]]) -> Rows:
    def rows(audits: Sequence[JudgeAudit]) -> Iterator[Sequence[Cell]]:
        for audit in audits:
            yield from ((audit.judge.name, *row) for row in make_rows(audit))

    return rows


def _iter_verdict_rows(audit: JudgeAudit) -> Iterator[Sequence[Cell]]:
    yield "verdict", audit.verdict.text
    yield from (("evidence", sentence) for sentence in audit.verdict.evidence)
    yield from (("warning", sentence) for sentence in audit.warnings)
    yield "people", audit.source
    yield from (
        ("asked", sentence) for sentence in [audit.judge.sentence()] if sentence != audit.judge.name
    )


def audit_paragraph(audit: JudgeAudit) -> str:
    """Return a paragraph about a model that can be used in a paper.

    It contains the name of the model, its agreement with assessors and its ranking of systems.
    """
    kappa, leniency = audit.find_statistic("kappa"), audit.find_statistic("leniency")
    sentences = [
        f"Relevance was also judged by a model ({audit.judge.sentence()}).",
        f"Compared with human grades ({audit.source}) on {audit.confusion.pairs:,} pairs of "
        f"{len(audit.confusion.topics):,} topics, its agreement is {format_statistic(kappa)} "
        f"({kappa.title}), and it grades {_format_shift(leniency)} on average.",
    ]
    orders = audit.orderings
    if orders:
        sentences.append(
            f"It orders the {len(orders.systems):,} systems by {orders.measure} with an AP correlation of "
            f"{format_value(orders.find_correlation('tau-ap(tied=wrong)'))} (tau-b {format_value(orders.find_correlation('tau-b'))}, of the best "
            f"{min(TOP_SYSTEMS, len(orders.systems))} {format_value(orders.top_tau)}); "
            f"{orders.count_pairs('opposite'):,} pairs of systems differ significantly in opposite directions."
        )
    if orders and orders.circularity:
        circularity = orders.circularity
        sentences.append(
            f"The run {circularity.run}, reranked by the model's labels, has rank "
            f"{circularity.model_rank} of {circularity.runs} by the model's grades and rank "
            f"{circularity.people_rank} by human grades."
        )
    if audit.unjudged:
        sentences.append(
            f"Pairs without a valid answer of the model, which count as unjudged: "
            f"{len(audit.unjudged):,}."
        )
    return " ".join([*sentences, f"Verdict: {audit.verdict.text}"])


def _format_shift(statistic: JudgeStatistic) -> str:
    value = statistic.value or 0.0
    return f"{format_value(abs(value))} {'higher' if value >= 0 else 'lower'}"


def _iter_statistic_rows(audit: JudgeAudit) -> Iterator[Sequence[Cell]]:
    yield from (
        (statistic.name, statistic.title, statistic.value, statistic.low, statistic.high)
        for statistic in audit.statistics
    )
    if audit.self_agreement is not None:
        yield (
            "self-agreement",
            f"the same grade when asked again ({audit.repeated_count:,} pairs)",
            audit.self_agreement,
            None,
            None,
        )
    if audit.orderings:
        subject = f"orders of the systems by {audit.orderings.measure}"
        yield from (
            (name, subject, value, None, None) for name, value in audit.orderings.statistics
        )
        yield (
            "tau-b of the top",
            f"of the best {min(TOP_SYSTEMS, len(audit.orderings.systems))} by human grades",
            audit.orderings.top_tau,
            None,
            None,
        )
        if audit.orderings.mean_topic_tau is not None:
            yield (
                "tau-b by topic",
                f"mean over {audit.orderings.topics:,} topics",
                audit.orderings.mean_topic_tau,
                None,
                None,
            )
    if audit.alternative:
        yield (
            "winning rate",
            "of the alternative annotator test",
            audit.alternative.winning_rate,
            None,
            None,
        )


def _iter_confusion_rows(audit: JudgeAudit) -> Iterator[Sequence[Cell]]:
    for grade, row in zip(audit.confusion.scale, audit.confusion.total.tolist(), strict=True):
        yield from (
            (grade, model, count) for model, count in zip(audit.confusion.scale, row, strict=True)
        )


def _iter_system_rows(audit: JudgeAudit) -> Iterator[Sequence[Cell]]:
    orders = audit.orderings
    if orders is None:
        return
    for system in orders.systems:
        yield (
            SYSTEM_KIND,
            system.run,
            system.people,
            system.model,
            system.people_rank,
            system.model_rank,
            system.people_rank - system.model_rank,
        )
    if orders.circularity:
        circularity = orders.circularity
        yield (
            RERANKED_KIND,
            circularity.run,
            circularity.people,
            circularity.model,
            circularity.people_rank,
            circularity.model_rank,
            circularity.people_rank - circularity.model_rank,
        )


def _iter_pair_rows(audit: JudgeAudit) -> Iterator[Sequence[Cell]]:
    pairs = audit.orderings.pairs if audit.orderings else ()
    for pair in pairs:
        yield (
            pair.kind,
            pair.better,
            pair.worse,
            pair.people_difference,
            pair.people_p,
            pair.model_difference,
            pair.model_p,
        )


def _iter_bias_rows(audit: JudgeAudit) -> Iterator[Sequence[Cell]]:
    yield from (
        (
            bias.criterion,
            bias.kind,
            bias.pairs,
            bias.difference,
            bias.irrelevant,
            bias.called_relevant,
        )
        for bias in audit.bias
    )
    yield from (
        ("system kind", kind.kind, kind.runs, kind.model_preference, None, None)
        for kind in audit.kinds
    )


def _iter_annotator_rows(audit: JudgeAudit) -> Iterator[Sequence[Cell]]:
    if audit.alternative:
        yield from (
            (
                comparison.annotator,
                comparison.items,
                comparison.model_wins,
                comparison.annotator_wins,
                comparison.p,
            )
            for comparison in audit.alternative.comparisons
        )


def _make_text_column(name: str) -> WorkbookColumn:
    return WorkbookColumn(name, "id")


def _make_whole_number_column(name: str) -> WorkbookColumn:
    return WorkbookColumn(name, "whole")


def _make_number_column(name: str) -> WorkbookColumn:
    return WorkbookColumn(name, "plain")


# Tables of audits, in the order of the sheets in a workbook
TABLES: tuple[JudgeTable, ...] = (
    JudgeTable(
        "verdict",
        "Verdict",
        "the verdict with its evidence",
        (_make_text_column("what"), WorkbookColumn("words", "words", 100)),
        _iter_rows_per_audit(_iter_verdict_rows),
    ),
    JudgeTable(
        "paragraph",
        "Paragraph",
        "a paragraph on the model for a paper",
        (WorkbookColumn("words", "words", 100),),
        _iter_rows_per_audit(lambda audit: [(audit_paragraph(audit),)]),
    ),
    JudgeTable(
        "statistics",
        "Statistics",
        "statistics of agreement, leniency and system rankings, with intervals",
        (
            _make_text_column("statistic"),
            _make_text_column("of"),
            _make_number_column("value"),
            _make_number_column("low"),
            _make_number_column("high"),
        ),
        _iter_rows_per_audit(_iter_statistic_rows),
    ),
    JudgeTable(
        "confusion",
        "Confusion",
        "model grades by human grades",
        (
            _make_whole_number_column("people"),
            _make_whole_number_column("model"),
            _make_whole_number_column("pairs"),
        ),
        _iter_rows_per_audit(_iter_confusion_rows),
    ),
    JudgeTable(
        "leniency",
        "Leniency",
        "mean model grade for each human grade",
        (
            _make_whole_number_column("people"),
            _make_whole_number_column("pairs"),
            _make_number_column("mean"),
            _make_number_column("too_high"),
            _make_number_column("too_low"),
        ),
        _iter_rows_per_audit(
            lambda audit: (
                (leniency.grade, leniency.pairs, leniency.mean, leniency.too_high, leniency.too_low)
                for leniency in audit.leniency
            )
        ),
    ),
    JudgeTable(
        "systems",
        "Systems",
        "each run by human and by model grades, then the run reranked by the model's labels, to show the circularity",
        (
            _make_text_column("kind"),
            _make_text_column("run"),
            _make_number_column("people"),
            _make_number_column("model"),
            _make_whole_number_column("people_place"),
            _make_whole_number_column("model_place"),
            _make_whole_number_column("moved"),
        ),
        _iter_rows_per_audit(_iter_system_rows),
    ),
    JudgeTable(
        "pairs",
        "Pairs of systems",
        "pairs of systems with a significant difference by human grades, by the model, or by both",
        (
            *(_make_text_column(name) for name in ("kind", "better", "worse")),
            *(
                _make_number_column(name)
                for name in ("people_difference", "people_p", "model_difference", "model_p")
            ),
        ),
        _iter_rows_per_audit(_iter_pair_rows),
    ),
    JudgeTable(
        "bias",
        "Bias",
        "bias of the model by topic terms, by document length, and by kind of system",
        (
            _make_text_column("by"),
            _make_text_column("kind"),
            _make_whole_number_column("number"),
            _make_number_column("difference"),
            _make_whole_number_column("irrelevant"),
            _make_number_column("called_relevant"),
        ),
        _iter_rows_per_audit(_iter_bias_rows),
    ),
    JudgeTable(
        "people",
        "Replacing an assessor",
        "the alternative annotator test",
        (
            _make_text_column("person"),
            _make_whole_number_column("items"),
            _make_number_column("model_wins"),
            _make_number_column("person_wins"),
            _make_number_column("p"),
        ),
        _iter_rows_per_audit(_iter_annotator_rows),
    ),
    JudgeTable(
        "conflicts",
        "Conflicts",
        "topic–document pairs to check again, largest difference first",
        (
            _make_text_column("topic"),
            _make_text_column("document"),
            _make_whole_number_column("people"),
            _make_whole_number_column("model"),
            _make_whole_number_column("by"),
        ),
        _iter_rows_per_audit(
            lambda audit: (
                (conflict.topic, conflict.document, conflict.people, conflict.model, conflict.size)
                for conflict in audit.conflicts
            )
        ),
    ),
    JudgeTable(
        "planted",
        "Planted",
        "documents with text addressed to the model that grades them, to be checked",
        (_make_text_column("document"), WorkbookColumn("words", "words", 100)),
        _iter_rows_per_audit(lambda audit: audit.injections.items()),
    ),
    JudgeTable(
        "unjudged",
        "Without an answer",
        "topic–document pairs without a valid answer, and why",
        (_make_text_column("topic"), _make_text_column("document"), _make_text_column("why")),
        _iter_rows_per_audit(
            lambda audit: ((*pair, reason) for pair, reason in audit.unjudged.items())
        ),
    ),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRequest:
    """Options of an audit of models: runs, measure, which table to print, and exclusions.

    The project or the file of human qrels, and the models (names or files of labels), are separate
    arguments. `runs` are used only with files. A workbook of all tables is written if `output` is
    set.
    """

    runs: Annotated[
        tuple[Path, ...],
        Option("With files: the runs to rank by human and by model grades."),
    ] = ()
    name: Annotated[str, Option("Measure used to rank the runs.", flags=("-m", "--measure"))] = (
        DEFAULT_AUDIT_MEASURE
    )
    what: Annotated[
        str,
        Option(
            "Table to print. "
            + "; ".join(f"{table.name}: {table.about}" for table in TABLES)
            + ".",
            flags=("--show",),
            choices=tuple(table.name for table in TABLES),
        ),
    ] = "verdict"
    rerank: Annotated[
        str | None,
        Option(
            "Run that the model reranks, to measure circularity. Default: the median run by "
            "human grades.",
            metavar="RUN",
        ),
    ] = None
    groups: Annotated[
        Path | None,
        Option(
            "Table with the columns run and group; the group is the kind of the run, such "
            "as bm25 or gpt."
        ),
    ] = None
    chosen_on: Annotated[
        Path | None,
        Option(
            "Qrels of the topic–document pairs used to choose the prompt; these pairs are "
            "excluded from the measurements."
        ),
    ] = None
    rel: RelOption = 1
    topics: TopicsOption = "both"
    ties: TiesOption = "trec"
    profile: Annotated[
        Profile,
        Option(
            "Use the definitions of irjudge, or those of a version of trec_eval.", choices=PROFILES
        ),
    ] = "irjudge"
    epsilon: Annotated[
        float,
        Option(
            "Tolerance of the alternative annotator test: how much less often than an "
            "assessor the model may be closest to the other assessors; 0.2 for experts, 0.1 "
            "for crowds.",
            minimum=0,
            maximum=1,
        ),
    ] = DEFAULT_EPSILON
    samples: Annotated[
        int | None,
        Option(
            "Number of bootstrap samples of topics, for the intervals [default: 1,000].", minimum=1
        ),
    ] = None
    seed: SeedOption = DEFAULT_SAMPLING_SEED
    output: Annotated[
        Path | None,
        Option("Write all tables as a workbook.", flags=("-o", "--output"), metavar="FILE.xlsx"),
    ] = None
    reading: GradesRequest = field(default_factory=GradesRequest)
    which: SourceOption = None

    def policy(self) -> Policy:
        """Return the policy with which runs are evaluated in the audit."""
        return Policy(ties=self.ties, topics=self.topics, rel=self.rel, profile=self.profile)


@dataclass(frozen=True, slots=True)
class AuditReport:
    """Result of `audit_models`: audits of models with the same human grades, and messages.

    There is one audit for each model. If the request named no models, models that cannot be audited
    are omitted, with a message in `notes`. `summary` describes how the errors of the models
    correlate; it may be empty.
    """

    audits: tuple[JudgeAudit, ...]
    notes: tuple[str, ...] = ()  # messages about the input
    summary: tuple[str, ...] = ()  # messages about all models together


def audit_models(
    source: Project | Path,
    models: Sequence[str],
    request: AuditRequest,
    *,
    progress: Progress = SILENT,
) -> AuditReport:
    """Audit models against human grades, and write the tables to the workbook `request.output`.

    If `request.output` is None, nothing is written.

    Parameters
    ----------
    source
        Project, or a file of human qrels.
    models
        For a project, names of its models; if empty, all of them, except that a model without a
        pair in common with the assessors is left out, with a note. For qrels, files of model
        labels.

    Raises
    ------
    IrjudgeError
        If there is no model, if the measure or a model is unknown, if an option does not apply to
        the source, or if a file cannot be read or written.

    Examples
    --------
    >>> audit_models(Path("human.qrels"), ["model.qrels"], AuditRequest(name="AP P@5"))
    Traceback (most recent call last):
    irjudge.errors.IrjudgeError: An audit needs exactly one measure, got AP P@5.
    """
    output = request.output
    if output and output.suffix != ".xlsx":
        raise IrjudgeError(
            "An audit is written as a workbook; use a file name ending in .xlsx, got {output}.",
            output=output.name,
        )
    measure, *other_measures = parse_measures(request.name.split(), request.rel, request.profile)
    if other_measures:
        raise IrjudgeError("An audit needs exactly one measure, got {name}.", name=request.name)
    reader = RankingReader(grades=request.reading.rules(), negative=request.reading.negative)
    notes = list[str]()
    if isinstance(source, Project):
        audit_material, answers = _read_project(source, models, measure, request, reader, progress)
    else:
        audit_material, answers = _read_files(source, models, measure, request, reader, notes)
    chosen_rows = reader.read_qrels(request.chosen_on).rows() if request.chosen_on else ()
    audit_material = replace(
        audit_material,
        rerank=request.rerank,
        epsilon=request.epsilon,
        kinds=read_run_groups(request.groups) if request.groups else {},
        chosen_on=frozenset((topic, document) for topic, document, _ in chosen_rows),
    )
    sampling = Sampling(seed=request.seed, samples=request.samples)
    if models:
        audits = tuple(
            audit_judge(audit_material, answer, sampling=sampling, progress=progress)
            for answer in answers
        )
    else:
        audits, warnings = audit_judges(
            audit_material, answers, sampling=sampling, progress=progress
        )
        notes += warnings
        audited_models = {audit.judge.name for audit in audits}
        answers = [answer for answer in answers if answer.judge.name in audited_models]
    if output:
        write_audit_workbook(output, audits, progress)
    return AuditReport(audits, tuple(notes), _describe_correlation(audit_material, answers))


def _read_project(
    project: Project,
    models: Sequence[str],
    measure: Measure,
    request: AuditRequest,
    reader: RankingReader,
    progress: Progress,
) -> tuple[AuditMaterial, list[ModelJudgments]]:
    if request.runs:
        raise IrjudgeError(
            "{project} is a project with its own runs; --runs applies only to files.",
            project=project.path.name,
        )
    reader.refuse_project(project.path)
    names = models or project.events.models()
    if not names:
        raise IrjudgeError(
            "{path} has no model labels. Import some: irjudge import PROJECT --judgments FILE "
            "--as model NAME.",
            path=project.path.name,
        )
    answers = [read_model_judgments(project, name) for name in names]
    choice = select_qrels(project, request.which)
    policy = request.policy()
    return read_audit_material(project, measure, policy, choice=choice, progress=progress), answers


def _read_files(
    path: Path,
    models: Sequence[str],
    measure: Measure,
    request: AuditRequest,
    reader: RankingReader,
    notes: list[str],
) -> tuple[AuditMaterial, list[ModelJudgments]]:
    refuse_source(path, request.which)
    if not models:
        raise IrjudgeError(
            "Model labels are missing; give at least one file of model labels after the human "
            "qrels.",
            key="no-labels",
        )
    qrels = reader.read_qrels(path)
    notes += qrels.warnings
    runs = list(RankingReader().read_runs(request.runs, qrels=qrels))
    notes += (warning for run in runs for warning in run.warnings)
    audit_material = make_audit_material(qrels, path.name, measure, request.policy(), runs)
    # Numbers in --grades apply only to the human qrels; words apply to the model labels too.
    rules = GradeRules().with_words(GradeRules.from_grades(reader.grades).words)
    answers = list[ModelJudgments]()
    for model_path in map(Path, models):
        labels, warnings = read_model_file(model_path, audit_material.scale, rules=rules)
        notes += warnings
        answers.append(labels)
    return audit_material, answers


def _describe_correlation(
    audit_material: AuditMaterial, answers: Sequence[ModelJudgments]
) -> tuple[str, ...]:
    if len(answers) < 2:
        return ()
    assessor_grades = {
        pair: grade
        for pair, grade in audit_material.assessor_grades.items()
        if pair not in audit_material.chosen_on
    }
    correlation = error_correlation(assessor_grades, [answer.grades for answer in answers])
    if math.isnan(correlation):  # undefined, since the errors of a model do not vary
        return ()
    return (
        Message(
            "Mean correlation between the errors of these {models}: {correlation:.2f}. The closer "
            "it is to 1, the less the models' labels count as independent votes.",
            models=format_count(len(answers), "model"),
            correlation=correlation,
        ),
    )


ESTIMATE_COLUMNS = (
    *(_make_text_column(name) for name in ("run", "measure")),
    *(_make_number_column(name) for name in ("value", "low", "high")),
    _make_text_column("kind"),
)


def find_judge_table(name: str) -> JudgeTable:
    """Return the table with the given name, which must exist."""
    return next(table for table in TABLES if table.name == name)


def write_audit_workbook(
    path: Path,
    audits: Sequence[JudgeAudit],
    progress: Progress = SILENT,
    *,
    estimates: Sequence[RunEstimate] = (),
) -> None:
    """Write audits as a workbook, with a sheet for each table that has rows.

    If `estimates` is not empty, it is written to an additional sheet.
    """
    with (
        replace_file(path) as part,
        create_workbook(part, progress=progress, name=path.name) as workbook,
    ):
        write_audit_sheets(workbook, audits, progress)
        if estimates:
            rows = [
                (
                    estimate.run,
                    estimate.measure,
                    estimate.value,
                    estimate.low,
                    estimate.high,
                    estimate.kind,
                )
                for estimate in estimates
            ]
            write_sheet(workbook, "Estimates", ESTIMATE_COLUMNS, rows, progress, total=len(rows))


def write_audit_sheets(
    workbook: WorkbookWriter,
    audits: Sequence[JudgeAudit],
    progress: Progress = SILENT,
    *,
    prefix: str = "",
) -> None:
    """Write each table that has rows as a sheet; the sheets' names begin with `prefix`."""
    for table in TABLES:
        rows = list(table.rows(audits))
        if rows:
            name = f"{prefix} {table.title[:1].lower()}{table.title[1:]}" if prefix else table.title
            write_sheet(
                workbook, name, (MODEL_COLUMN, *table.columns), rows, progress, total=len(rows)
            )

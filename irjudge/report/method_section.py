"""Method section of a report: how the numbers of the report were computed."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from irjudge.evaluation import AVERAGE_DESCRIPTIONS, Evaluation, Policy
from irjudge.formats.bytes import replace_surrogates
from irjudge.judging import (
    SOURCE_LABELS,
    QrelsChoice,
    build_vote_labels,
    compute_source_shares,
    describe_adjudications,
    find_human_qrels,
    iter_claims,
    list_qrels_rows,
    select_adjudications,
)
from irjudge.message import Message, format_count, join_messages
from irjudge.metrics import PROFILE_RULES, format_value
from irjudge.progress import SILENT, Progress
from irjudge.report.evaluation_history import (
    EvaluationInput,
    evaluated_qrels,
    file_inputs,
    project_inputs,
)
from irjudge.shipped import program_version
from irjudge.stats import Sampling
from irjudge.stats.agreement import agreement
from irjudge.store import Project
from irjudge.translations import load_catalogue

Language: TypeAlias = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)
CATALOGUES = {"en": "en", "zh": "zh_CN"}
SENTENCE_SEPARATORS = {"en": " ", "zh": ""}
AGREEMENT_STATISTIC = "alpha-ordinal"
# policy fields that have no option of `irjudge report`, or whose options are added separately
OMITTED_POLICY_FIELDS = ("highest", "exclude_query_id")

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
    """Additional content of a method section: the evaluated project or files, and the command."""

    subject: str = ""  # name of the evaluated project or file
    sentences: tuple[str, ...] = ()  # sentences about the origin of the qrels
    metadata: tuple[Detail, ...] = ()  # details about the qrels, and hashes of qrels and runs
    command: str = ""  # command that reproduces the report


TITLE = Message("How the values were computed")


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
        translate(TITLE),
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
        if (value := getattr(policy, name)) != getattr(defaults, name)
        for part in (f"--{name}", str(value))
    ]
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


def files_source(qrels: Path, runs: Sequence[Path], command: str) -> MethodSource:
    """Return the data of evaluated files for the method section: hashes of qrels and runs."""
    inputs = file_inputs(qrels, runs)
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

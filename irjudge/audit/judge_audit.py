"""Audit of a judging model against assessors: agreement, order of systems, bias, verdict."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np

from irjudge.audit.bias import (
    BiasRow,
    SystemKindBias,
    TextReader,
    compute_bias_by_system_kind,
    compute_bias_by_text,
    find_injections,
)
from irjudge.audit.model_orderings import TOP_SYSTEMS, ModelOrderings, compare_orderings
from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import MIN_SYSTEMS, Policy, parse_measures
from irjudge.formats.judgments import MODEL_NAME, read_model_labels
from irjudge.formats.rankings import GradeRules
from irjudge.judging import (
    REVERSED_KAPPA,
    ModelJudgments,
    QrelsChoice,
    build_vote_labels,
    find_human_qrels,
    find_influenced_pairs,
    list_qrels_rows,
    read_model_judgments,
    select_qrels,
)
from irjudge.message import Message
from irjudge.metrics import Measure
from irjudge.model import Labels, ModelJudge, Pair, Qrels, Run, merge_subtopic_grades
from irjudge.progress import SILENT, Progress
from irjudge.search import extract_indexed_text
from irjudge.stats import (
    DEFAULT_EPSILON,
    AlternativeTestResult,
    GradeConfusion,
    JudgeStatistic,
    Leniency,
    Sampling,
    alternative_test,
    judge_statistics,
    leniency_by_grade,
)
from irjudge.store import Project

State: TypeAlias = Literal["worthless", "unproven", "orders systems", "as close as people"]
# minimum numbers of pairs and topics; with fewer, the verdict is `unproven`
MIN_PAIRS, MIN_TOPICS = 30, 2
MIN_KAPPA = 0.1  # minimum quadratic kappa; with a lower one, the verdict is `worthless`
MIN_ORDER_CORRELATION = 0.8  # minimum AP correlation, and minimum tau-b of the best systems
MIN_LENIENCY = 0.2  # minimum difference between mean grades for a warning
VERDICT_SENTENCES: dict[State, str] = {
    "worthless": Message(
        "Not useful: the model's agreement with the assessors is hardly above chance."
    ),
    "unproven": Message(
        "Unproven: there is no evidence that the model ranks systems as assessors do, or that "
        "its grades can replace those of assessors."
    ),
    "orders systems": Message(
        "The model can rank systems, but cannot replace the assessors' grades."
    ),
    "as close as people": Message(
        "The model agrees with the assessors as well as the assessors agree with each other."
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class AuditMaterial:
    """Input of an audit of models: the assessors' grades, runs, texts, and options.

    The runs are used to compare orders of systems. The options include the pairs that the audit
    excludes, and the pairs that an assessor judged after seeing a model's grade. The grades by the
    models are not included.
    """

    assessor_grades: Mapping[Pair, int]  # grade of each pair by the assessors
    scale: tuple[int, ...]  # grades of the scale, lowest first
    source: str  # description of the origin of the assessors' grades
    measure: Measure
    policy: Policy = field(default_factory=Policy)
    runs: Sequence[Run] = ()
    # labels by each assessor; None if there is only one assessor, or only combined grades
    labels: Labels | None = None
    titles: Mapping[str, str] = field(default_factory=dict)  # title of each topic
    # function that returns the texts of documents; None if there are no texts
    texts: TextReader | None = None
    # kind of system of each run, such as `neural`
    kinds: Mapping[str, str] = field(default_factory=dict)
    # pairs whose grades were used to choose the prompt; the audit excludes them
    chosen_on: frozenset[Pair] = frozenset()
    # for each model (by name): pairs that an assessor judged after seeing the model's grade
    pairs_shown: Mapping[str, frozenset[Pair]] = field(default_factory=dict)
    rerank: str | None = None  # run to be reranked by the model's grades; None for the median run
    # cost advantage of the model in the alternative annotator test
    epsilon: float = DEFAULT_EPSILON


@dataclass(frozen=True, slots=True)
class JudgeConflict:
    """Topic and document to which a model and the assessors gave different grades."""

    topic: str
    document: str
    people: int  # grade by the assessors
    model: int  # grade by the model

    @property
    def size(self) -> int:
        """Absolute difference between the two grades."""
        return abs(self.people - self.model)


@dataclass(frozen=True, slots=True)
class JudgeVerdict:
    """Verdict of `reach_verdict` on whether a model can replace assessors, with the evidence.

    `unproven` includes the case of too few pairs or topics.
    """

    state: State  # `worthless`, `unproven`, `orders systems` or `as close as people`
    evidence: tuple[str, ...]  # sentences that justify the verdict

    @property
    def text(self) -> str:
        """Sentence that describes the verdict."""
        return VERDICT_SENTENCES[self.state]


@dataclass(frozen=True, slots=True, eq=False)
class JudgeAudit:
    """Result of the audit of one model: agreement, bias, orders of systems, and verdict.

    The model's grades are compared with the assessors' grades. Some parts are None or empty if
    their data are missing: runs, texts, several assessors, or repeated requests.
    """

    judge: ModelJudge
    source: str  # description of the origin of the assessors' grades
    confusion: GradeConfusion
    statistics: tuple[JudgeStatistic, ...]
    leniency: tuple[Leniency, ...]
    orderings: ModelOrderings | None  # orders of the systems; None if there are fewer than two runs
    bias: tuple[BiasRow, ...]
    kinds: tuple[SystemKindBias, ...]
    # result of the alternative annotator test; None if there are fewer than two assessors, or if
    # none has enough pairs
    alternative: AlternativeTestResult | None
    # probability that a repeated request results in the same grade; None if no request was repeated
    self_agreement: float | None
    repeated_count: int  # number of pairs for which a request was repeated
    unjudged: Mapping[Pair, str]  # pairs without a valid answer, each with the reason
    conflicts: tuple[JudgeConflict, ...]  # conflicts, in descending order of difference
    # documents with a prompt injection, each with the text of the injection
    injections: Mapping[str, str]
    warnings: tuple[str, ...]
    verdict: JudgeVerdict

    def find_statistic(self, name: str) -> JudgeStatistic:
        """Return the statistic with this name."""
        return next(statistic for statistic in self.statistics if statistic.name == name)


def _exclude_chosen_pairs(
    material: AuditMaterial, answers: ModelJudgments
) -> tuple[AuditMaterial, ModelJudgments]:
    """Remove the grades and labels of the pairs that were used to choose the prompt."""
    chosen_pairs = material.chosen_on
    assessor_grades, model_grades = (
        {pair: grade for pair, grade in grades.items() if pair not in chosen_pairs}
        for grades in (material.assessor_grades, answers.grades)
    )
    if not assessor_grades:
        raise IrjudgeError(
            "All human-graded pairs were used to choose the prompt; none is left to evaluate "
            "the model.",
            key="no-pair-left",
        )
    labels = material.labels
    if labels and labels.pairs and chosen_pairs:
        is_kept = np.array([pair not in chosen_pairs for pair in labels.pairs], dtype=bool)
        labels = labels.where(is_kept[labels.item])
    return (
        replace(material, assessor_grades=assessor_grades, labels=labels),
        replace(answers, grades=model_grades),
    )


def audit_judge(
    material: AuditMaterial,
    answers: ModelJudgments,
    *,
    sampling: Sampling | None = None,
    progress: Progress = SILENT,
) -> JudgeAudit:
    """Compare the judgments of a model with those of assessors, and return the audit.

    Confidence intervals are over topics. Raises IrjudgeError if no document was judged for the same
    topic by both the model and the assessors.
    """
    test_material, test_answers = _exclude_chosen_pairs(material, answers)
    assessor_grades, model_grades = test_material.assessor_grades, test_answers.grades
    confusion = GradeConfusion.from_grades(assessor_grades, model_grades, material.scale)
    statistics = judge_statistics(confusion, sampling)
    orders = _compare_orderings(test_material, test_answers, progress)
    alternative = _run_alternative_test(test_material, test_answers)
    judged_documents = dict.fromkeys(document for _, document in answers.grades)
    injections = find_injections(judged_documents, material.texts) if material.texts else {}
    agreement, repeated_count = answers.self_agreement
    return JudgeAudit(
        judge=answers.judge,
        source=material.source,
        confusion=confusion,
        statistics=statistics,
        leniency=leniency_by_grade(confusion),
        orderings=orders,
        bias=compute_bias_by_text(
            assessor_grades,
            model_grades,
            material.titles,
            material.texts,
            rel=material.policy.rel,
        )
        if material.texts
        else (),
        kinds=compute_bias_by_system_kind(orders.systems, material.kinds, material.measure)
        if orders
        else (),
        alternative=alternative,
        self_agreement=agreement if repeated_count else None,
        repeated_count=repeated_count,
        unjudged=answers.unjudged,
        conflicts=_list_conflicts(assessor_grades, model_grades),
        injections=injections,
        warnings=(
            *_list_warnings(material, answers, statistics, orders),
            *_warn_of_injections(injections),
        ),
        verdict=reach_verdict(confusion, statistics, orders, alternative),
    )


def audit_judges(
    material: AuditMaterial,
    answers: Sequence[ModelJudgments],
    *,
    sampling: Sampling | None = None,
    progress: Progress = SILENT,
) -> tuple[tuple[JudgeAudit, ...], tuple[str, ...]]:
    """Audit models; return the audits, and a warning about each model that cannot be audited.

    Raises IrjudgeError with the reason if no model can be audited.
    """
    audits, errors = list[JudgeAudit](), dict[str, IrjudgeError]()
    for answer in answers:
        try:
            audits.append(audit_judge(material, answer, sampling=sampling, progress=progress))
        except Cancelled:
            raise
        except IrjudgeError as error:  # no pair was judged by both the model and the assessors
            errors[answer.judge.name] = error
    if not audits:
        raise next(iter(errors.values()))
    warnings = (
        Message("The model {name} is left out. {reason}", name=name, reason=error)
        for name, error in errors.items()
    )
    return tuple(audits), tuple(warnings)


def _list_conflicts(
    assessor_grades: Mapping[Pair, int], model_grades: Mapping[Pair, int]
) -> tuple[JudgeConflict, ...]:
    """Return the pairs with different grades, largest difference first."""
    conflicts = [
        JudgeConflict(*pair, grade, model_grades[pair])
        for pair, grade in assessor_grades.items()
        if model_grades.get(pair, grade) != grade
    ]
    return tuple(sorted(conflicts, key=lambda conflict: -conflict.size))


def _compare_orderings(
    material: AuditMaterial, answers: ModelJudgments, progress: Progress
) -> ModelOrderings | None:
    """Compare orders of systems by assessors' and model grades; None for fewer than two runs."""
    if len(material.runs) < 2:
        return None
    return compare_orderings(
        material.assessor_grades,
        answers.grades,
        material.runs,
        material.measure,
        material.policy,
        highest=material.scale[-1],
        rerank=material.rerank,
        progress=progress,
    )


def _run_alternative_test(
    material: AuditMaterial, answers: ModelJudgments
) -> AlternativeTestResult | None:
    labels = material.labels
    if labels is None or len(labels.workers) < 2:
        return None
    result = alternative_test(labels, answers.grades, material.epsilon)
    return result if result.comparisons else None


def _warn_of_injections(injections: Mapping[str, str]) -> list[str]:
    if not injections:
        return []
    messages = Message(
        "Documents with text addressed to the model that grades them: {count:,} (for example "
        "{first}). Check these documents.",
        key="planted",
        count=len(injections),
        first=next(iter(injections)),
    )
    return [messages]


# Verdict on a model


def reach_verdict(
    confusion: GradeConfusion,
    statistics: Sequence[JudgeStatistic],
    orders: ModelOrderings | None,
    alternative: AlternativeTestResult | None,
) -> JudgeVerdict:
    """Return the verdict on a model, with the evidence for it.

    The first condition that applies determines the verdict. With fewer than 30 pairs or 2 topics,
    it is `unproven`. With a quadratic kappa below 0.1, it is `worthless`. If the model passes the
    alternative annotator test, it is `as close as people`. It is `orders systems` if at least 5
    systems were evaluated on the same topics, the AP correlation and the tau-b of the best 20
    systems are at least 0.8, and no pair of systems differs significantly in opposite directions.
    Otherwise it is `unproven`.
    """
    kappa = next(statistic for statistic in statistics if statistic.name == "kappa-quadratic")
    order_evidence = _describe_orders(orders) if orders else []
    alternative_test_evidence = _describe_alternative_test(alternative) if alternative else []
    evidence = [
        *_describe_grades(confusion, statistics),
        *order_evidence,
        *alternative_test_evidence,
    ]
    if confusion.pairs < MIN_PAIRS or len(confusion.topics) < MIN_TOPICS:
        few_pairs_text = Message(
            "Too few pairs ({pairs:,}) or topics ({topics:,}): at least 30 pairs and 2 topics "
            "are needed.",
            key="too-few-pairs",
            pairs=confusion.pairs,
            topics=len(confusion.topics),
        )
        return JudgeVerdict("unproven", (few_pairs_text, *evidence))
    if kappa.value is None or kappa.value < MIN_KAPPA:
        return JudgeVerdict("worthless", tuple(evidence))
    if alternative and alternative.passes:
        return JudgeVerdict("as close as people", tuple(evidence))
    return JudgeVerdict(
        "orders systems" if orders and _orders_like_assessors(orders) else "unproven",
        tuple(evidence),
    )


def _orders_like_assessors(orders: ModelOrderings) -> bool:
    return (
        len(orders.systems) >= MIN_SYSTEMS
        and not orders.topics_warning
        and orders.find_correlation("tau-ap(tied=wrong)") >= MIN_ORDER_CORRELATION
        and orders.top_tau >= MIN_ORDER_CORRELATION
        and not orders.count_pairs("opposite")
    )


def _describe_grades(confusion: GradeConfusion, statistics: Sequence[JudgeStatistic]) -> list[str]:
    statistic_of = {statistic.name: statistic for statistic in statistics}
    main_statistics = [statistic_of[name] for name in ("kappa", "kappa-quadratic", "leniency")]
    values: list[str] = [
        Message("{title}: {value}.", title=statistic.title, value=format_statistic(statistic))
        for statistic in main_statistics
    ]
    return [
        Message(
            "Pairs: {pairs:,}; topics: {topics:,}.",
            pairs=confusion.pairs,
            topics=len(confusion.topics),
        ),
        *values,
    ]


def format_statistic(statistic: JudgeStatistic) -> str:
    """Return the value of a statistic as text, with its interval.

    >>> format_statistic(JudgeStatistic("kappa", "", .3712, .3301, .4123))
    '0.371 (0.330 to 0.412)'
    """
    if statistic.value is None:
        return Message("undefined")
    if statistic.low is None or statistic.high is None:
        return format_value(statistic.value)
    return Message(
        "{value} ({low} to {high})",
        value=format_value(statistic.value),
        low=format_value(statistic.low),
        high=format_value(statistic.high),
    )


def format_value(value: float | None) -> str:
    """Return a number as text with three decimals; "undefined" for None.

    >>> format_value(.37116), format_value(-.05), format_value(None)
    ('0.371', '-0.050', 'undefined')
    """
    return Message("undefined") if value is None else f"{value:.3f}"


def _describe_orders(orders: ModelOrderings) -> list[str]:
    messages: list[str] = [
        Message(
            "Rankings of {count:,} systems by {measure}: tau-b = {tau}, AP correlation = {ap} "
            "(tied pairs of systems count as wrongly ordered), tau-b of the best {top_count} "
            "systems = {top_tau}, mean tau-b over topics = {topic_tau}.",
            key="orders-of-systems",
            count=len(orders.systems),
            measure=orders.measure,
            tau=format_value(orders.find_correlation("tau-b")),
            ap=format_value(orders.find_correlation("tau-ap(tied=wrong)")),
            top_count=min(TOP_SYSTEMS, len(orders.systems)),
            top_tau=format_value(orders.top_tau),
            topic_tau=format_value(orders.mean_topic_tau),
        ),
        Message(
            "Significant differences between systems: {both:,} with human and with model "
            "grades, {people:,} with human grades only, {model:,} with model grades only, "
            "{opposite:,} in opposite directions.",
            both=orders.count_pairs("both"),
            people=orders.count_pairs("people only"),
            model=orders.count_pairs("model only"),
            opposite=orders.count_pairs("opposite"),
        ),
    ]
    if len(orders.systems) < MIN_SYSTEMS:
        messages.append(
            Message(
                "Too few systems to assess their ranking: {count:,}; at least {minimum} are "
                "needed.",
                count=len(orders.systems),
                minimum=MIN_SYSTEMS,
            )
        )
    if orders.circularity:
        circularity = orders.circularity
        messages.append(
            Message(
                "Circularity: the run {run}, whose documents were reranked by the model's "
                "grades, is at rank {model_place} of {runs} by the model's grades and at rank "
                "{people_place} by human grades.",
                run=circularity.run,
                model_place=circularity.model_rank,
                runs=circularity.runs,
                people_place=circularity.people_rank,
            )
        )
    return messages


def _describe_alternative_test(alternative: AlternativeTestResult) -> list[str]:
    return [
        Message(
            "The model may replace {rate:.0%} of the {people:,} assessors (alternative "
            "annotator test, epsilon {epsilon:g}); at least half is required.",
            key="may-stand-for-people",
            rate=alternative.winning_rate,
            people=len(alternative.comparisons),
            epsilon=alternative.epsilon,
        )
    ]


# Warnings about a model


def _list_warnings(
    material: AuditMaterial,
    answers: ModelJudgments,
    statistics: Sequence[JudgeStatistic],
    orders: ModelOrderings | None,
) -> list[str]:
    statistic_of = {statistic.name: statistic for statistic in statistics}
    kappa, leniency = statistic_of["kappa-quadratic"].value, statistic_of["leniency"].value or 0.0
    messages: list[str] = []
    if material.chosen_on:
        excluded_count = sum(pair in material.assessor_grades for pair in material.chosen_on)
        messages.append(
            Message(
                "Pairs excluded because they were used to choose the prompt: {pairs:,}.",
                key="pairs-left-out",
                pairs=excluded_count,
            )
        )
    if seen_pairs := material.pairs_shown.get(answers.judge.name):
        messages.append(
            Message(
                "Pairs judged after the model's grade was shown: {pairs:,}. Assessors who see "
                "a grade agree with it more often.",
                pairs=len(seen_pairs),
            )
        )
    if kappa is not None and kappa < REVERSED_KAPPA:
        messages.append(
            Message(
                "Quadratic kappa is {kappa}: is the scale reversed?",
                key="backwards",
                kappa=format_value(kappa),
            )
        )
    if abs(leniency) >= MIN_LENIENCY:
        messages.append(
            Message(
                "On average, the model's grades are {difference} higher than human grades."
                if leniency > 0
                else "On average, the model's grades are {difference} lower than human grades.",
                key="lenient",
                difference=format_value(abs(leniency)),
            )
        )
    if answers.unjudged:
        messages.append(
            Message(
                "Pairs without a valid answer: {pairs:,}; they count as unjudged, not as grade 0.",
                key="pairs-without-answer",
                pairs=len(answers.unjudged),
            )
        )
    if unmatched_count := len(answers.grades.keys() - material.assessor_grades.keys()):
        messages.append(
            Message(
                "Pairs that are not used, because only the model graded them: {count:,}.",
                key="graded-by-model-only",
                count=unmatched_count,
            )
        )
    messages += _warn_of_related_runs(material, answers.judge)
    if orders and orders.topics_warning:
        messages.append(orders.topics_warning)
    if (
        orders
        and orders.circularity
        and orders.circularity.model_rank < orders.circularity.people_rank
    ):
        messages.append(
            Message(
                "The model favours runs produced by models like itself (see “Circularity”). Do "
                "not let it judge runs that it produced."
            )
        )
    return messages


def _warn_of_related_runs(material: AuditMaterial, judge: ModelJudge) -> list[str]:
    """Return a warning about runs that may be by this model or a model of the same family."""
    model_families = {
        name.casefold() for name in (judge.family, *MODEL_NAME.findall(judge.name)) if name
    }
    model_families = {name.strip("-_. 0123456789") for name in model_families} - {
        "llm",
        "umbrela",
        "",
    }
    related_runs = [
        run.name
        for run in material.runs
        if any(
            family in f"{run.name} {material.kinds.get(run.name, '')}".casefold()
            for family in model_families
        )
    ]
    if not related_runs:
        return []
    names = ", ".join(related_runs[:5]) + (" …" if len(related_runs) > 5 else "")
    return [
        Message(
            "Runs that may have been produced by a model similar to the judging model: {names}.",
            key="akin-runs",
            names=names,
        )
    ]


# Input of audits, from projects and files

DEFAULT_AUDIT_MEASURE = "nDCG@10"  # default measure by which systems are ordered
MODEL_SOURCES = ("model", "mixed")  # sources of qrels that contain grades by models


def read_audit_material(
    project: Project,
    measure: Measure,
    policy: Policy | None = None,
    *,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
) -> AuditMaterial:
    """Return the input of an audit from a project: grades, runs, texts and labels of assessors.

    Raises ProjectError if there are no qrels by assessors, and IrjudgeError if the chosen qrels are
    by a model.
    """
    qrels_choice = choice or find_human_qrels(project) or select_qrels(project)
    if qrels_choice.source in MODEL_SOURCES:
        raise IrjudgeError(
            "{source} is from a model; a model must be compared with human grades. Choose "
            "another source.",
            key="qrels-of-a-model",
            source=qrels_choice.name,
        )
    labels = build_vote_labels(project, progress)
    names = [run.name for run in project.rankings.runs()]
    runs = [
        project.rankings.run(name)
        for name in progress.track(names, Message("Reading runs"), total=len(names), every=1)
    ]

    def texts(documents: Sequence[str]) -> Mapping[str, str]:
        return {
            id: extract_indexed_text(document)
            for id, document in project.collection.documents_by_id(documents).items()
            if document.kind != "image"
        }

    return AuditMaterial(
        assessor_grades=_to_grades(list_qrels_rows(project, qrels_choice)),
        scale=tuple(project.scale.values),
        source=qrels_choice.description,
        measure=measure,
        policy=policy or Policy(),
        runs=runs,
        labels=labels if len(labels.workers) > 1 else None,
        titles=project.collection.topic_titles(),
        texts=texts if project.collection.document_count() else None,
        pairs_shown={
            name: find_influenced_pairs(project, name) for name in project.events.models()
        },
    )


def audit_project(
    project: Project,
    names: Sequence[str] = (),
    measure: str = DEFAULT_AUDIT_MEASURE,
    policy: Policy | None = None,
    *,
    sampling: Sampling | None = None,
    progress: Progress = SILENT,
) -> tuple[tuple[JudgeAudit, ...], tuple[str, ...]]:
    """Audit models of a project (by default all of them) against the project's assessors.

    The result is that of `audit_judges`.
    """
    models = tuple(names) or project.events.models()
    if not models:
        raise IrjudgeError("There are no model labels in {file}.", file=project.path.name)
    audit_policy = policy or Policy()
    parsed_measures = parse_measures([measure], audit_policy.rel, audit_policy.profile)
    material = read_audit_material(project, parsed_measures[0], audit_policy, progress=progress)
    answers = [read_model_judgments(project, name) for name in models]
    return audit_judges(material, answers, sampling=sampling, progress=progress)


def _to_grades(rows: Sequence[tuple[str, str, int]]) -> dict[Pair, int]:
    return merge_subtopic_grades(row for row in rows if row[2] >= 0)


def make_audit_material(
    qrels: Qrels,
    source: str,
    measure: Measure,
    policy: Policy | None = None,
    runs: Sequence[Run] = (),
) -> AuditMaterial:
    """Return the input of an audit from qrels; the scale is 0 to the highest grade."""
    qrels.require_grades("audit")
    assessor_grades = _to_grades(list(qrels.rows()))
    if not assessor_grades:
        raise IrjudgeError(
            "{source} has no grades of 0 or more to compare a model with.",
            source=source,
        )
    return AuditMaterial(
        assessor_grades,
        tuple(range(max(assessor_grades.values()) + 1)),
        source,
        measure,
        policy or Policy(),
        runs,
    )


def read_model_file(
    path: Path, scale: Sequence[int], name: str = "", *, rules: GradeRules | None = None
) -> tuple[ModelJudgments, tuple[str, ...]]:
    """Return the judgments of a model in a file, and the warnings of the reader.

    The name of the model is `name` or, by default, the name of the file. `rules` convert words to
    grades. Raises FormatError if a label contains texts instead of topic and document ids.
    """
    file = read_model_labels(path, scale, rules=rules, needs_ids=True)
    grades_by_pair: dict[Pair, list[int]] = {}
    reasons: dict[Pair, str] = {}
    for label in file.labels:
        if label.grade is None:
            reasons[label.pair] = label.missing_reason
        else:
            grades_by_pair.setdefault(label.pair, []).append(label.grade)
    judge = ModelJudge(
        name or path.stem,
        version=next((label.version for label in file.labels if label.version), ""),
    )
    return (
        ModelJudgments(
            judge,
            {pair: grades[-1] for pair, grades in grades_by_pair.items()},
            {pair: tuple(grades) for pair, grades in grades_by_pair.items() if len(grades) > 1},
            {pair: reason for pair, reason in reasons.items() if pair not in grades_by_pair},
        ),
        file.warnings,
    )

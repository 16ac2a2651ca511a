"""Figures that compare a model's grades, leniency and rankings of systems with human grades."""

from dataclasses import dataclass, field

import numpy as np

from irjudge.audit import JudgeAudit, ModelOrderings
from irjudge.errors import IrjudgeError
from irjudge.evaluation import Policy
from irjudge.message import Message
from irjudge.report.figures.chart import (
    Axis,
    CellGrid,
    Chart,
    FigureOptions,
    Line,
    LineSeries,
    Points,
    Role,
    figure,
)
from irjudge.report.figures.systems_and_topics import MAX_LABELLED_POINTS, padded_range

# minimum difference between a system's ranks by human and by model grades at which the system is
# labelled by default
MIN_LABELLED_SHIFT = 3


@dataclass(frozen=True, slots=True)
class JudgeAudits:
    """Audits of the models of a project: the input of figures whose input kind is `models`.

    Each audit compares a model's grades with human grades.
    """

    audits: tuple[JudgeAudit, ...]
    warnings: tuple[str, ...] = ()  # about models that cannot be audited
    policy: Policy = field(default_factory=Policy)  # policy with which runs were evaluated

    @property
    def topics(self) -> tuple[str, ...]:
        """Always empty, since figures of audits cannot be limited to a topic."""
        return ()

    @property
    def models(self) -> tuple[str, ...]:
        """Names of the models."""
        return tuple(audit.judge.name for audit in self.audits)

    def find_audit(self, name: str) -> JudgeAudit:
        """Return the audit of a model, or the first audit if the name is empty.

        Raises IrjudgeError if there is none.
        """
        audit = next((audit for audit in self.audits if audit.judge.name == name or not name), None)
        if audit is None:
            raise IrjudgeError(
                "There is no model {name!r} to show; expected one of {names}.",
                name=name,
                names=", ".join(self.models) or Message("none"),
            )
        return audit


@figure("model-grades", title="Grades of a model", input_kind="models", options=("model",))
def model_grades(audits: JudgeAudits, options: FigureOptions) -> Chart:
    """Return a chart of the frequency of each model grade for each human grade."""
    audit = audits.find_audit(options.model)
    counts = audit.confusion.total.astype(np.float64)
    human_totals = counts.sum(axis=1, keepdims=True)
    shares = np.divide(
        counts, human_totals, out=np.full_like(counts, np.nan), where=human_totals > 0
    )
    names = tuple(str(grade) for grade in audit.confusion.scale)
    return Chart(
        Message("Grades of {model} by human grade", model=audit.judge.name),
        Message(
            "How often the model gave each grade, as a share of the pairs with the same "
            "human grade ({pairs:,} pairs in all). Human grades: {source}.",
            pairs=audit.confusion.pairs,
            source=audit.source,
        ),
        Axis(Message("Model grade"), names=names),
        Axis(Message("Human grade"), names=names),
        CellGrid(shares, 0.0, 1.0, Message("share of the pairs in the row")),
        ("people", "model", "share"),
    )


@figure("model-leniency", title="Leniency of a model", input_kind="models", options=("model",))
def model_leniency(audits: JudgeAudits, options: FigureOptions) -> Chart:
    """Return a chart of the mean grade of a model for each human grade."""
    audit = audits.find_audit(options.model)
    positions = np.arange(float(len(audit.leniency)))
    mean_grades, grades = (
        np.array(values)
        for values in zip(
            *((leniency.mean, float(leniency.grade)) for leniency in audit.leniency), strict=True
        )
    )
    overall = audit.find_statistic("leniency").value or 0.0
    return Chart(
        Message("Leniency of {model}", model=audit.judge.name),
        Message(
            "Above the line, the model grades higher than the assessors; the mean difference "
            "over all {pairs:,} pairs is {difference:+.2f}. Human grades: {source}.",
            difference=overall,
            pairs=audit.confusion.pairs,
            source=audit.source,
        ),
        Axis(
            Message("Human grade"), names=tuple(str(leniency.grade) for leniency in audit.leniency)
        ),
        Axis(
            Message("Mean grade of the model"), audit.confusion.scale[0], audit.confusion.scale[-1]
        ),
        LineSeries(
            (
                Line(Message("equal grades"), positions, grades, "guide"),
                Line(audit.judge.name, positions, mean_grades),
            )
        ),
        ("line", "people", "grade"),
    )


def _list_default_labels(orderings: ModelOrderings) -> set[str]:
    """Return the names of the systems to label by default.

    They are all systems if there are few, otherwise the systems whose ranks by human and model
    grades differ by `MIN_LABELLED_SHIFT` or more.
    """
    if len(orderings.systems) <= MAX_LABELLED_POINTS:
        return {system.run for system in orderings.systems}
    return {
        system.run
        for system in orderings.systems
        if abs(system.people_rank - system.model_rank) >= MIN_LABELLED_SHIFT
    }


@figure(
    "model-orders",
    title="System scores with human grades and with a model's grades",
    input_kind="models",
    options=("model", "runs"),
)
def model_orders(audits: JudgeAudits, options: FigureOptions) -> Chart:
    """Return a chart of the score of each system with human grades, plotted against its score with
    a model's grades.
    """
    audit = audits.find_audit(options.model)
    orderings = audit.orderings
    if orderings is None:
        raise IrjudgeError("This figure compares rankings of runs, so it needs at least two runs.")
    names = tuple(system.run for system in orderings.systems)
    for run in options.runs:
        if run not in names:
            raise IrjudgeError(
                "There is no run {name!r} to show; expected one of {names}.",
                name=run,
                names=", ".join(names),
            )
    human_scores, model = (
        np.array(values)
        for values in zip(
            *((system.people, system.model) for system in orderings.systems), strict=True
        )
    )
    labelled_names = set(options.runs) or _list_default_labels(orderings)
    roles: tuple[Role, ...] = tuple(
        "chosen" if name in labelled_names else "quiet" for name in names
    )
    return Chart(
        Message(
            "{measure} with the grades of {model} and with human grades",
            measure=orderings.measure,
            model=audit.judge.name,
        ),
        Message(
            "Kendall's tau-b = {tau:.3f}, AP correlation = {ap:.3f}, tau-b of the best systems "
            "= {top:.3f}. Human grades: {source}. Evaluation settings: {policy}.",
            tau=orderings.find_correlation("tau-b"),
            ap=orderings.find_correlation("tau-ap(tied=wrong)"),
            top=orderings.top_tau,
            source=audit.source,
            policy=str(audits.policy),
        ),
        Axis(
            Message("{measure} with human grades", measure=orderings.measure),
            *padded_range(human_scores, (0.0, 1.0)),
        ),
        Axis(
            Message("{measure} with model grades", measure=orderings.measure),
            *padded_range(model, (0.0, 1.0)),
        ),
        Points(names, human_scores, model, roles),
        ("system", "people", "model"),
    )

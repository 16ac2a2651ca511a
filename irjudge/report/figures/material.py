"""What curves are made of: every run joined with the qrels, kept as hits alone."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from irjudge.errors import IrjudgeError
from irjudge.evaluation.judged_runs import join, retrieved
from irjudge.evaluation.table import Evaluation, Policy, highest_of
from irjudge.judging.judged_qrels import QrelsChoice, chosen_qrels, project_qrels
from irjudge.message import Message, counted
from irjudge.metrics.basis.judged import JudgedRun
from irjudge.model.ranking import Qrels, Run
from irjudge.model.retrieved import Retrieved
from irjudge.progress import SILENT, Progress
from irjudge.report.figures.chart import MOST_CHOSEN
from irjudge.store.project import Project


@dataclass(frozen=True, slots=True, eq=False)
class JudgedRankings:
    """Runs joined with the same qrels under the same policy."""

    runs: tuple[str, ...]  # names, R of them
    judged: tuple[JudgedRun, ...]  # as many judged runs
    # how they were joined, and where the qrels came from, in words
    policy: Policy
    source: str = ""

    @property
    def topics(self) -> tuple[str, ...]:
        """Every topic of some run, in the order of the qrels."""
        return tuple(dict.fromkeys(topic for judged in self.judged for topic in judged.topics))


def rankings(
    qrels: Qrels,
    runs: Iterable[Run | Retrieved],
    policy: Policy | None = None,
    *,
    highest: int | None = None,
    source: str = "",
    total: int | None = None,
    progress: Progress = SILENT,
) -> JudgedRankings:
    """Join runs with qrels, one at a time; parameters as for `evaluate`."""
    policy = policy or Policy()
    scale = highest_of(qrels, policy, highest).grade
    found: dict[str, JudgedRun] = {}
    for run in runs:
        if run.name in found:
            raise IrjudgeError(
                "Two runs are called {run}; their curves could not be told apart.", run=run.name
            )
        hits = (
            run
            if isinstance(run, Retrieved)
            else retrieved(run, qrels, policy.ties, single=policy.single)
        )
        found[run.name] = join(
            hits,
            qrels,
            topics=policy.topics,
            rel=policy.rel,
            highest=scale,
            depth=policy.depth,
            only=policy.only,
        )
        progress.step(len(found), total, Message("Joined {run}", run=run.name))
    return JudgedRankings(tuple(found), tuple(found.values()), policy, source)


def project_rankings(
    project: Project,
    policy: Policy | None = None,
    choice: QrelsChoice | None = None,
    progress: Progress = SILENT,
) -> JudgedRankings:
    """Join every run of a project with its qrels; parameters as for `evaluate_project`."""
    chosen = choice or chosen_qrels(project)
    names = [run.name for run in project.rankings.runs()]
    return rankings(
        project_qrels(project, chosen),
        (project.rankings.run(name) for name in names),
        policy,
        highest=project.scale.highest,
        source=chosen.words,
        total=len(names),
        progress=progress,
    )


def standing_out(runs: Sequence[str], values: Sequence[float], wished: Sequence[str]) -> list[str]:
    """Return the runs that stand out: those wished; else all where they are few, else the best; higher values are better."""
    strangers = [name for name in wished if name not in runs]
    if strangers:
        some = ", ".join(runs[:MOST_CHOSEN]) + (
            Message(" and {runs} more", runs=len(runs) - MOST_CHOSEN)
            if len(runs) > MOST_CHOSEN
            else ""
        )
        raise IrjudgeError(
            "There is no run {first!r} to show; there are {value}.",
            first=strangers[0],
            value=some or "none",
        )
    if wished or len(runs) <= MOST_CHOSEN:
        return list(wished or runs)
    return [max(zip(runs, values, strict=True), key=lambda each: each[1])[0]]


def policy_words(material: JudgedRankings | Evaluation) -> str:
    """Return under which policy and with which qrels something was computed, for a caption."""
    qrels = Message(" Qrels: {source}.", source=material.source) if material.source else ""
    words = Message("Policy: {policy}.{qrels}", policy=str(material.policy), qrels=qrels)
    warning = material.topics_warning if isinstance(material, Evaluation) else ""
    return Message("{words} {warning}", words=words, warning=warning) if warning else words


def must_have_runs(runs: Sequence[object], least: int = 1) -> None:
    """Raise where there are too few runs to draw."""
    if len(runs) < least:
        raise IrjudgeError(
            "This figure takes {least} or more, got {runs}.",
            least=counted(least, "run"),
            runs=len(runs),
        )

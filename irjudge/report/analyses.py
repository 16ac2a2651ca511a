"""Gathers what an evaluation says by itself: its runs compared, its measures correlated, and single topics worked through."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from irjudge.errors import IrjudgeError
from irjudge.evaluation.comparison import (
    ONE_WAY,
    Comparison,
    TopicNeed,
    compare,
    runs_best_first,
    topics_needed_by,
)
from irjudge.evaluation.system_orderings import OrderingPair, compare_orderings, measure_pairs
from irjudge.evaluation.table import Evaluation
from irjudge.message import counted
from irjudge.model.ranking import Run
from irjudge.progress import SILENT, Progress
from irjudge.report.workbook.by_topic import beside
from irjudge.report.workbook.curves import only
from irjudge.report.workbook.worked import Worked, settings_of, worked
from irjudge.stats.correlation import parse_statistics
from irjudge.stats.sampling import Sampling

# Every two of more runs would be a table that nobody reads, and p-values corrected until nothing is left of them.
MOST_FOR_ALL_PAIRS = 10
STATISTICS = ("tau", "tau-b", "tau-ap", "spearman")


def compared(
    evaluation: Evaluation, progress: Progress = SILENT
) -> tuple[Comparison | None, tuple[str, ...]]:
    """Compare every two runs; of more than ten, each with the one that is best by the first measure."""
    shown = beside(evaluation)
    if len(evaluation.runs) < 2 or not shown.measures:
        return None, ()
    chosen = only(evaluation, [evaluation.measures[place] for place in shown.measures])
    best = runs_best_first(chosen)[0].run
    baseline = best if len(chosen.runs) > MOST_FOR_ALL_PAIRS else None
    if baseline is not None and chosen.topics_warning:
        return None, (chosen.topics_warning,)
    try:
        found = compare(chosen, baseline=baseline, sampling=Sampling(progress=progress))
        needs = topics_needed_by(chosen, baseline=baseline)
    except IrjudgeError as fault:
        return None, (f"No comparison: {fault}",)
    said = f"Each run is compared with {best}, the best by {chosen.measures[0].name}."
    remarks = (*found.remarks, *needs.remarks, *_of_all_runs(needs.rows))
    return replace(found, needs=needs.rows, remarks=remarks), (
        said,
    ) if baseline is not None else ()


def _of_all_runs(needs: Iterable[TopicNeed]) -> Iterator[str]:
    """Say of each measure what the topics can tell of all runs together."""
    for need in needs:
        if need.test == ONE_WAY and need.seen is not None:
            more = (
                "more than a million topics"
                if need.needed is None
                else counted(need.needed, "topic")
            )
            yield (
                f"{need.measure}: the {need.topics} topics find a difference of {need.seen:.4f} between the best and the worst of all "
                f"{need.runs} runs; {need.difference:.4f}, as here, takes {more}."
            )


def correlated(evaluation: Evaluation) -> tuple[OrderingPair, ...]:
    """Return how alike every two measures order the runs; nothing with fewer than two measures or runs."""
    if len(evaluation.runs) < 2 or len(evaluation.measures) < 2:
        return ()
    return tuple(compare_orderings(measure_pairs(evaluation), parse_statistics(STATISTICS)))


def first_topic(evaluation: Evaluation) -> list[tuple[str, str]]:
    """Return the first run that has topics, and the first of them; nothing where there is none."""
    return next(([(run.run, run.topics[0])] for run in evaluation.runs if run.topics), [])


def named_topic(evaluation: Evaluation, wish: str) -> tuple[str, str]:
    """Return the run and topic that `RUN:TOPIC` means; either may have a colon in its name."""
    topics = {run.run: run.topics for run in evaluation.runs}
    splits = [(wish[:at], wish[at + 1 :]) for at, letter in enumerate(wish) if letter == ":"]
    known = [(run, topic) for run, topic in splits if run in topics]
    for run, topic in known:
        if topic in topics[run]:
            return run, topic
    if known:
        run, topic = known[0]
        raise IrjudgeError(
            "Topic {topic!r} is not evaluated for run {run}; it has {some}.",
            topic=topic,
            run=run,
            some=_some(topics[run]),
        )
    raise IrjudgeError(
        "{wish!r} names no run, expected RUN:TOPIC with one of {some}.",
        wish=wish,
        some=_some(list(topics)),
    )


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:5]) + (" …" if len(names) > 5 else "") if names else "none"


def worked_sheets(
    evaluation: Evaluation,
    wished: Sequence[tuple[str, str]],
    run_of: Callable[[str], Run],
    titles: Mapping[str, str],
) -> list[Worked]:
    """Return what the worked sheets show, one for each (run, topic)."""
    cutoff, gain = settings_of(evaluation)
    return [
        worked(
            evaluation.qrels,
            run_of(run),
            topic,
            evaluation.policy,
            cutoff=cutoff,
            gain=gain,
            title=titles.get(topic, ""),
        )
        for run, topic in wished
    ]

"""Evaluation and estimates for notebooks, from files or objects to a pandas table."""

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

import pandas as pd

from irjudge.errors import IrjudgeError
from irjudge.evaluation.column_retrieval import find_judged_ranks_in_columns
from irjudge.evaluation.estimates import INTERVAL_COLUMNS, VALUE_COLUMNS
from irjudge.evaluation.estimates import estimate_runs as estimate_values
from irjudge.evaluation.judged_runs import TopicPolicy
from irjudge.evaluation.table import (
    Average,
    Policy,
    coverage_warnings,
    parse_measures,
    read_ranking,
)
from irjudge.evaluation.table import evaluate_runs as evaluate_table
from irjudge.formats import columnar_run_from_table, read_qrels, read_run
from irjudge.formats.bytes import to_location
from irjudge.formats.rankings import expand_run_folders, read_pool, read_prels
from irjudge.metrics import Profile
from irjudge.model import JudgedRanking, Pool, Qrels, Run, Ties, is_mapping

ScoreData: TypeAlias = Mapping[Any, Mapping[Any, float]] | pd.DataFrame
GradeData: TypeAlias = Mapping[Any, Mapping[Any, int]] | pd.DataFrame
RunData: TypeAlias = Run | Path | str | ScoreData
DEFAULT_RUN_NAME = "run"


def evaluate(
    qrels: Qrels | Path | str | GradeData,
    run: RunData | Iterable[RunData] | Mapping[str, RunData],
    measures: str | Iterable[str],
    *,
    per_topic: bool = False,
    ties: Ties = "trec",
    topics: TopicPolicy = "both",
    rel: int = 1,
    profile: Profile = "irjudge",
    depth: int | None = None,
    average: Average = "macro",
    highest: int | None = None,
    exclude_query_id: bool = False,
) -> pd.DataFrame:
    """Evaluate one run or several.

    Parameters
    ----------
    qrels
        A TREC qrels file, `Qrels`, a dict `{topic: {document: grade}}`, or a table with the columns
        query_id, doc_id and relevance.
    run
        A TREC run file, a `Run`, a dict `{topic: {document: score}}`, a table with the columns
        query_id, doc_id and score, or several of these. A dict or table is named `run`, or `run 1`,
        `run 2` … if there are several; `{name: run}` sets the names.
    measures
        Names such as `AP`, `nDCG@10`, `P_10`; a string is split at spaces.
    per_topic
        Whether to include a row for each topic, not only for the mean.
    ties, topics, rel, profile, depth, average, highest, exclude_query_id
        See `Policy`.

    Returns
    -------
    pandas.DataFrame
        Columns run, measure, topic, value; topic is `all` for the average (the sum for counts). Its
        `attrs` describe the computation: `policy`; `highest`, the highest grade of the scale, if a
        measure divides by it; `remarks` on values that are easily misread; and `warnings` about
        runs without judged documents, or averages over different topics, which are not comparable.

    Raises
    ------
    IrjudgeError
        If a file, an object, an option or a name is invalid, the qrels have no judgments, or a run
        has no topics.

    Warns
    -----
    UserWarning
        If a run shares no topic with the qrels, if none of its top documents is judged, or if the
        runs were evaluated on different topics (`topics="qrels"` counts missing topics as empty
        rankings).

    Examples
    --------
    >>> from irjudge.model import make_qrels, make_run
    >>> table = evaluate(make_qrels([("1", "d1", 1)]), make_run("a", [("1", "d2", 2.0), ("1", "d1", 1.0)]), "RR P@1")
    >>> table.value.tolist()
    [0.5, 0.0]
    """
    policy = Policy(
        ties,
        topics,
        rel,
        profile,
        depth,
        average,
        highest,
        exclude_query_id=exclude_query_id,
    )
    parsed_measures = parse_measures(
        measures.split() if isinstance(measures, str) else measures, rel, profile
    )
    qrels_data = _read_judgments(qrels)
    runs = (
        _require_topics(_read_ranking(data, name, qrels_data, policy))
        for name, data in _list_runs(run)
    )
    table = evaluate_table(qrels_data, runs, parsed_measures, policy)
    frame = pd.DataFrame(table.rows(per_topic=per_topic), columns=list(VALUE_COLUMNS))
    frame.attrs["policy"] = str(policy)
    if table.highest is not None:
        frame.attrs["highest"] = str(table.highest)
    if table.notes:
        frame.attrs["remarks"] = list(table.notes)
    topic_warnings = (table.topics_warning,) if table.topics_warning else ()
    _issue_warnings(frame, (*coverage_warnings(table), *topic_warnings))
    return frame


def estimate(
    qrels: Qrels | Path | str | GradeData,
    run: RunData | Iterable[RunData] | Mapping[str, RunData],
    measures: str | Iterable[str] = (),
    *,
    pool: Pool | Path | str | None = None,
    per_topic: bool = False,
    interval: bool = False,
    seed: int = 0,
    ties: Ties = "trec",
    topics: TopicPolicy = "both",
    rel: int = 1,
    only: str = "",
) -> pd.DataFrame:
    """Estimate the effectiveness of runs from a sampled pool.

    Parameters
    ----------
    qrels, run
        As for `evaluate`. A TREC file of a judged sample with five columns is its own pool.
    measures
        Names of estimates such as `xinfAP` or `statAP`; a string is split at spaces. Each must be
        applicable to the pool. If `measures` is empty, the pool's default estimate is used.
    pool
        The judged pool: a file written by `irjudge pool -o FILE.csv`, or a `Pool`. None if the
        qrels are their own pool.
    per_topic
        Whether to include a row for each topic, not only for the mean.
    interval, seed
        Whether to include the columns low and high, the ends of the 95 % bootstrap interval of the
        mean from 10,000 resamples of the topics, which depend only on the seed.
    ties, topics, rel
        See `Policy`.
    only
        Topics to average, in the syntax of `--topic`: `401-405,410`; empty for all.

    Returns
    -------
    pandas.DataFrame
        Columns run, measure, topic, value; topic is `all` for the average. In its `attrs`,
        `remarks` describe the basis of the values, and `warnings` the runs that share no topic with
        the pool; each is also issued as UserWarning.

    Raises
    ------
    IrjudgeError
        If a file, an object, an option or a name is invalid, a run has no topics, there is no pool,
        or an estimate is not applicable to the pool; the message lists the applicable ones.

    Examples
    --------
    >>> from irjudge.model import make_qrels, make_run
    >>> from irjudge.pooling import PoolOptions, build_pool
    >>> runs = [make_run("a", [("1", "d2", 2.0), ("1", "d1", 1.0)])]
    >>> table = estimate(make_qrels([("1", "d1", 1), ("1", "d2", 0)]), runs, "statAP htP@10", pool=build_pool(runs, PoolOptions("depth", 2)))
    >>> table.measure.tolist(), table.value.tolist()
    (['statAP', 'htP@10'], [0.5, 0.1])
    """
    sample, pool_qrels = _read_pool_and_qrels(qrels, pool)
    names = measures.split() if isinstance(measures, str) else list(measures)
    runs = (_require_topics(_read_whole_run(data, name)) for name, data in _list_runs(run))
    estimation = estimate_values(
        sample, pool_qrels, runs, names, rel=rel, ties=ties, policy=topics, only=only
    )
    columns = [*VALUE_COLUMNS, *(INTERVAL_COLUMNS if interval else ())]
    frame = pd.DataFrame(
        estimation.rows(per_topic=per_topic, seed=seed if interval else None), columns=columns
    )
    frame.attrs["remarks"] = [
        *estimation.notes,
        *(estimation.missing_intervals if interval else ()),
    ]
    _issue_warnings(frame, estimation.warnings)
    return frame


def _read_judgments(source: Qrels | Path | str | GradeData) -> Qrels:
    qrels = read_qrels(source)
    if not len(qrels):
        raise IrjudgeError(
            "The qrels contain no judgments; expected at least one", key="no-judgment"
        )
    return qrels


_Ranked = TypeVar("_Ranked", Run, JudgedRanking, Run | JudgedRanking)


def _require_topics(run: _Ranked) -> _Ranked:
    if not run.topics:
        raise IrjudgeError(
            "Run {run} contains no topics; expected at least one ranking",
            key="no-topic",
            run=run.name,
        )
    return run


def _issue_warnings(frame: pd.DataFrame, messages: Sequence[str]) -> None:
    """Store warnings in the table, and issue them as warnings in the caller's code.

    The caller is the code that called `evaluate` or `estimate`.
    """
    if messages:
        frame.attrs["warnings"] = list(messages)
    for message in messages:
        warnings.warn(message, stacklevel=3)


def _read_pool_and_qrels(
    qrels: Qrels | Path | str | GradeData, pool: Pool | Path | str | None
) -> tuple[Pool, Qrels]:
    if pool is not None:
        return pool if isinstance(pool, Pool) else read_pool(Path(pool)), read_qrels(qrels)
    sample = read_prels(to_location(qrels)) if isinstance(qrels, Path | str) else None
    if sample is None:
        raise IrjudgeError(
            "The judged pool is missing: give pool=FILE, as written by `irjudge pool -o "
            "FILE.csv`, or judgments with five columns.",
            key="no-pool",
        )
    return sample.pool, sample.qrels


def _read_named_runs(
    run: RunData | Iterable[RunData] | Mapping[str, RunData],
) -> dict[str, RunData]:
    """Return the runs of a dict {name: run}; return an empty dict for other arguments."""
    name_and_data = (
        {str(name): cast(RunData, data) for name, data in run.items()}
        if isinstance(run, Mapping)
        else {}
    )
    is_single_run = all(
        isinstance(data, Mapping) and not any(map(is_mapping, data.values()))
        for data in name_and_data.values()
    )
    return (
        name_and_data
        if not is_single_run
        and all(
            isinstance(data, Run | Path | str) or is_mapping(data)
            for data in name_and_data.values()
        )
        else {}
    )


def _list_runs(
    run: RunData | Iterable[RunData] | Mapping[str, RunData],
) -> list[tuple[str | None, RunData]]:
    """Return (name, run) for each run; the name is None if the run or its file determines it."""
    if named_runs := _read_named_runs(run):
        return list(named_runs.items())
    is_single_run = isinstance(run, Run | Path | str) or is_mapping(run)
    run_data = [cast(RunData, run)] if is_single_run else list(cast(Iterable[RunData], run))
    split_runs = [
        part
        for data in run_data
        for part in (
            expand_run_folders([to_location(data)]) if isinstance(data, Path | str) else [data]
        )
    ]
    names = (
        [DEFAULT_RUN_NAME]
        if len(split_runs) == 1
        else [f"{DEFAULT_RUN_NAME} {number}" for number in range(1, len(split_runs) + 1)]
    )
    return [
        (None if isinstance(split_run, Run | Path | str) else name, split_run)
        for name, split_run in zip(names, split_runs, strict=True)
    ]


def _read_whole_run(source: RunData, name: str | None) -> Run:
    run = read_run(source, name)
    return run if name is None else replace(run, name=name)


def _read_ranking(
    source: RunData, name: str | None, qrels: Qrels, policy: Policy
) -> Run | JudgedRanking:
    if isinstance(source, Path | str):
        return read_ranking(to_location(source), qrels, policy, name)
    table = (
        None
        if isinstance(source, Run)
        else columnar_run_from_table(source, name or DEFAULT_RUN_NAME)
    )
    ranking = (
        table
        and not policy.exclude_query_id
        and find_judged_ranks_in_columns(
            table,
            qrels,
            name or DEFAULT_RUN_NAME,
            ties=policy.ties,
            single_precision=policy.single_precision,
        )
    )
    return replace(ranking, warnings=()) if ranking else _read_whole_run(source, name)

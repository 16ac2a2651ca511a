"""Evaluation for notebooks: files or objects in, a pandas table out."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias, cast

import pandas as pd

from irjudge.evaluation.averages import Average
from irjudge.evaluation.join import TopicPolicy
from irjudge.evaluation.table import Policy, parse_measures, read_ranking
from irjudge.evaluation.table import evaluate as evaluate_table
from irjudge.formats.rankings.qrels import read_qrels
from irjudge.metrics.naming.profiles import Profile
from irjudge.model.mappings import is_mapping, qrels_of, run_of
from irjudge.model.order import Ties
from irjudge.model.ranking import Qrels, Run
from irjudge.model.retrieved import Retrieved

Scored: TypeAlias = Mapping[Any, Mapping[Any, float]] | pd.DataFrame
Graded: TypeAlias = Mapping[Any, Mapping[Any, int]] | pd.DataFrame
OneRun: TypeAlias = Run | Path | str | Scored
RUN = "run"


def evaluate(
    qrels: Qrels | Path | str | Graded,
    run: OneRun | Iterable[OneRun],
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
) -> pd.DataFrame:
    """Evaluate one run or several.

    Parameters
    ----------
    qrels
        A TREC qrels file, `Qrels`, a dict `{topic: {document: grade}}`, or a table with the columns query_id, doc_id and relevance.
    run
        A TREC run file, a `Run`, a dict `{topic: {document: score}}`, a table with the columns query_id, doc_id and score, or several
        of these. A dict or table is called `run`, or `run 1`, `run 2` … where there are several.
    measures
        Names such as `AP`, `nDCG@10`, `P_10`; in one text they are split at spaces.
    per_topic
        With a row for each topic, not only for their mean.
    ties, topics, rel, profile, depth, average, highest
        See `Policy`.

    Returns
    -------
    pandas.DataFrame
        Columns run, measure, topic, value; topic is `all` for the average (the sum for counts). Its `attrs` say how it was computed:
        `policy`, `highest`, the highest grade of the scale, where a measure divides by it, and `remarks`, where a value invites a wrong
        reading.

    Raises
    ------
    IrjudgeError
        When a file, an object or a name is wrong.

    Examples
    --------
    >>> from irjudge.model.ranking import make_qrels, make_run
    >>> table = evaluate(make_qrels([("1", "d1", 1)]), make_run("a", [("1", "d2", 2.0), ("1", "d1", 1.0)]), "RR P@1")
    >>> table.value.tolist()
    [0.5, 0.0]
    """
    several = [cast(OneRun, run)] if isinstance(run, Run | Path | str) or is_mapping(run) else list(cast(Iterable[OneRun], run))
    chosen = parse_measures(measures.split() if isinstance(measures, str) else measures, rel, profile)
    if isinstance(qrels, Qrels):
        judged = qrels
    elif is_mapping(qrels):
        judged = qrels_of(qrels)
    else:
        judged = read_qrels(Path(cast(Path, qrels)))
    policy = Policy(ties, topics, rel, profile, depth, average, highest)
    names = [RUN] if len(several) == 1 else [f"{RUN} {number}" for number in range(1, len(several) + 1)]
    runs = (_ranking(each, name, judged, policy) for each, name in zip(several, names, strict=True))
    table = evaluate_table(judged, runs, chosen, policy)
    frame = pd.DataFrame(table.rows(per_topic=per_topic), columns=["run", "measure", "topic", "value"])
    frame.attrs["policy"] = str(policy)
    if table.highest is not None:
        frame.attrs["highest"] = str(table.highest)
    if table.remarks:
        frame.attrs["remarks"] = list(table.remarks)
    return frame


def _ranking(given: OneRun, name: str, qrels: Qrels, policy: Policy) -> Run | Retrieved:
    if isinstance(given, Run):
        return given
    return read_ranking(Path(given), qrels, policy) if isinstance(given, Path | str) else run_of(given, name)

"""Evaluation for notebooks: files or objects in, a pandas table out."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from irjudge.evaluation.averages import Average
from irjudge.evaluation.join import TopicPolicy
from irjudge.evaluation.table import Policy, parse_measures, read_ranking
from irjudge.evaluation.table import evaluate as evaluate_table
from irjudge.formats.qrels import read_qrels
from irjudge.metrics.profiles import Profile
from irjudge.model.order import Ties
from irjudge.model.ranking import Qrels, Run

OneRun = Run | Path | str


def evaluate(
    qrels: Qrels | Path | str,
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
) -> pd.DataFrame:
    """Evaluate one run or several.

    Parameters
    ----------
    qrels
        A TREC qrels file, or `Qrels`.
    run
        A TREC run file, a `Run`, or several of them.
    measures
        Names such as `AP`, `nDCG@10`, `P_10`; in one text they are split at spaces.
    per_topic
        With a row for each topic, not only for their mean.
    ties, topics, rel, profile, depth, average
        See `Policy`.

    Returns
    -------
    pandas.DataFrame
        Columns run, measure, topic, value; topic is `all` for the average (the sum for counts).

    Raises
    ------
    IrjudgeError
        When a file or a name is wrong.

    Examples
    --------
    >>> from irjudge.model.ranking import make_qrels, make_run
    >>> table = evaluate(make_qrels([("1", "d1", 1)]), make_run("a", [("1", "d2", 2.0), ("1", "d1", 1.0)]), "RR P@1")
    >>> table.value.tolist()
    [0.5, 0.0]
    """
    several = [run] if isinstance(run, Run | Path | str) else run
    chosen = parse_measures(measures.split() if isinstance(measures, str) else measures, rel, profile)
    judged = qrels if isinstance(qrels, Qrels) else read_qrels(Path(qrels))
    policy = Policy(ties, topics, rel, profile, depth, average)
    runs = (each if isinstance(each, Run) else read_ranking(Path(each), judged, policy) for each in several)
    table = evaluate_table(judged, runs, chosen, policy)
    return pd.DataFrame(table.rows(per_topic=per_topic), columns=["run", "measure", "topic", "value"])

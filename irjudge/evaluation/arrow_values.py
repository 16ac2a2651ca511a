"""Evaluation of a part of a run in an engine over many machines: Arrow tables in, the values of the part's topics out."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa

from irjudge.errors import MeasureError
from irjudge.evaluation.join import TopicPolicy
from irjudge.evaluation.retrieval import retrieved_by_columns
from irjudge.evaluation.table import Policy, RunScores, evaluate, parse_measures
from irjudge.formats.notebooks import read_qrels, read_run, run_table
from irjudge.metrics.naming.names import Measure
from irjudge.metrics.naming.profiles import Profile
from irjudge.model.arrow import places_of, strings_of
from irjudge.model.order import Ties

SCHEMA = pa.schema({"topic": pa.string(), "measure": pa.string(), "value": pa.float64()})
RUN = "run"


def evaluate_arrow(
    run: Any,
    qrels: Any,
    measures: str | Iterable[str],
    *,
    ties: Ties = "trec",
    topics: TopicPolicy = "both",
    rel: int = 1,
    profile: Profile = "irjudge",
    depth: int | None = None,
    highest: int | None = None,
) -> pa.Table:
    """Return the values of the topics of one run, or of a part of it that holds whole topics.

    The value of a topic rests on its own rows alone, so that parts evaluated anywhere, put together, are what one process gives for the
    whole run, bit for bit. Take means at the end, in the order of the topics.

    Parameters
    ----------
    run
        A table of pyarrow, polars, pandas or anything with `__arrow_c_stream__`, with columns query_id, doc_id and score (other usual names
        are known). All rows of a topic, in any order.
    qrels
        A table with columns query_id, doc_id and relevance, `Qrels`, or a path. Topics that the part lacks may be in it.
    measures
        Names such as `AP`, `nDCG@10`; in one text they are split at spaces.
    ties, rel, profile, depth
        As for `evaluate`.
    topics
        `both`: topics in qrels and run. With `qrels` and `relevant` a topic that the run lacks has a row too: then the qrels must be
        those of the part alone, or each part would give it.
    highest
        The highest grade of the scale. A measure that divides by it needs it said here: the grades of a part may not reach it.

    Returns
    -------
    pyarrow.Table
        Columns topic (string), measure (string) and value (double): a row for each topic and measure, topics in the order of the qrels. No
        rows where run and qrels share no topic.

    Raises
    ------
    IrjudgeError
        When a table or a name is wrong, or a measure needs `highest`.

    Examples
    --------
    >>> run = pa.table({"query_id": ["1", "1", "2"], "doc_id": ["a", "b", "a"], "score": [2.0, 1.0, 1.0]})
    >>> qrels = pa.table({"query_id": ["1", "2"], "doc_id": ["b", "a"], "relevance": [1, 1]})
    >>> evaluate_arrow(run, qrels, "RR P@1").to_pydict()["value"]
    [0.5, 0.0, 1.0, 1.0]
    """
    chosen = parse_measures(measures.split() if isinstance(measures, str) else measures, rel, profile)
    scaled = next((each.name for each in chosen if each.needs_highest), None)
    if scaled and highest is None:
        raise MeasureError("{measure} divides by the highest grade of the scale, which a part may lack; say highest=…", measure=scaled)
    judged, policy = read_qrels(qrels), Policy(ties, topics, rel, profile, depth, highest=highest)
    table = run_table(run, RUN)
    ranking = table and retrieved_by_columns(table, judged, RUN, ties=ties, single=policy.single)
    return value_table(evaluate(judged, [ranking or read_run(run, RUN)], chosen, policy).runs[0], chosen)


def value_table(scores: RunScores, measures: Iterable[Measure]) -> pa.Table:
    """Return the values of a run as a table with a row for each topic and measure."""
    names = [measure.name for measure in measures]
    topics = np.repeat(np.arange(len(scores.topics)), len(names))
    columns = {
        "topic": strings_of(scores.topics).take(places_of(topics)),
        "measure": strings_of(names).take(places_of(np.tile(np.arange(len(names)), len(scores.topics)))),
        "value": pa.array(np.ascontiguousarray(scores.values.T).reshape(-1)),
    }
    return pa.table(columns, schema=SCHEMA)

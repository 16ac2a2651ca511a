"""Two runs topic by topic: the difference of one measure, for its histogram and for wins and losses."""

from collections.abc import Iterator
from dataclasses import dataclass

from irjudge.errors import IrjudgeError
from irjudge.evaluation.table import Policy, evaluate, parse_measures
from irjudge.model.ranking import Qrels, Run
from irjudge.stats.differences import Differences

USUAL = "Rprec"
COLUMNS = ("topic", "value_a", "value_b", "difference")


@dataclass(frozen=True, slots=True, eq=False)
class TopicDifferences:
    """The values of two runs on the topics both have, under one measure.

    Parameters
    ----------
    measure, run_a, run_b
        Names.
    topics
        n topics, in the order of the qrels.
    differences
        Their values, a less b.
    """

    measure: str
    run_a: str
    run_b: str
    topics: tuple[str, ...]
    differences: Differences

    def rows(self) -> Iterator[tuple[str, float, float, float]]:
        """Yield a row of `COLUMNS` for each topic."""
        found = self.differences
        yield from zip(self.topics, found.first.tolist(), found.second.tolist(), found.values.tolist(), strict=True)


def topic_differences(qrels: Qrels, first: Run, second: Run, measure: str = USUAL, policy: Policy | None = None) -> TopicDifferences:
    """Return how two runs differ on each topic.

    Parameters
    ----------
    qrels
        What was judged.
    first, second
        Of different names.
    measure
        The name of one measure; R-precision is what such histograms usually show.
    policy
        Order of ties and topics; None for the defaults.

    Returns
    -------
    TopicDifferences
        Over the topics evaluated for both runs; without topics where there are none.

    Raises
    ------
    IrjudgeError
        When the name means no measure or several, or both runs have one name.

    References
    ----------
    Baeza-Yates and Ribeiro-Neto (2011), Modern information retrieval, ch. 4: precision histograms, RP_A/B(i) = RP_A(i) - RP_B(i).

    Examples
    --------
    >>> from irjudge.model.ranking import make_qrels, make_run
    >>> qrels = make_qrels([("1", "d1", 1), ("2", "d1", 1)])
    >>> a = make_run("a", [("1", "d1", 1.0), ("2", "d2", 1.0)])
    >>> b = make_run("b", [("1", "d2", 1.0), ("2", "d2", 1.0)])
    >>> list(topic_differences(qrels, a, b).rows())
    [('1', 1.0, 0.0, 1.0), ('2', 0.0, 0.0, 0.0)]
    """
    measures = parse_measures([measure])
    if len(measures) != 1:
        raise IrjudgeError(f"Differences are those of one measure; {measure} means {len(measures)}.")
    one, two = evaluate(qrels, [first, second], measures, policy).runs
    place = {topic: at for at, topic in enumerate(two.topics)}
    shared = [(at, place[topic]) for at, topic in enumerate(one.topics) if topic in place]
    mine, theirs = [at for at, _ in shared], [at for _, at in shared]
    found = Differences(one.values[0][mine], two.values[0][theirs])
    return TopicDifferences(measures[0].name, one.run, two.run, tuple(one.topics[at] for at in mine), found)

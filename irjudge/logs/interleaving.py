"""Comparison of two rankers by the clicks on results of team-draft interleaving."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from itertools import combinations

from irjudge.errors import IrjudgeError
from irjudge.formats import InterleavedResult
from irjudge.stats import binomial_p, wilson_interval

ALL_TOPICS = "all"
MAX_TEAMS = 100  # maximum number of teams, which form 4,950 pairs


@dataclass(frozen=True, slots=True)
class TeamPair:
    """Comparison of two interleaved teams (rankers) over the searches that showed both."""

    topic: str  # topic id, or `all` in the row for all topics
    team_a: str
    team_b: str
    searches: int  # number of searches that showed documents of both teams
    wins_a: int  # number of searches with more clicks on documents of team a than of team b
    wins_b: int  # number of searches with more clicks on documents of team b than of team a
    ties: int  # number of searches with equally many clicks on documents of both teams
    unclicked: int  # number of ties in which no document of either team was clicked
    share: float | None  # wins_a / (wins_a + wins_b); None if both are 0
    low: float | None  # lower end of Wilson's 95 % interval of the share
    high: float | None  # upper end of Wilson's 95 % interval of the share
    delta: float  # (wins_a + ties / 2) / searches - 1/2: above 0 if a is preferred
    p: float  # p-value of the exact two-sided sign test, in which ties are omitted


INTERLEAVING_COLUMNS = tuple(field.name for field in fields(TeamPair))


def compare_team_draft(
    results: Iterable[InterleavedResult], *, per_topic: bool = False
) -> tuple[TeamPair, ...]:
    """Compare all pairs of teams; a search is won by the team with more clicks.

    Parameters
    ----------
    results
        Results of all searches, in any order.
    per_topic
        Whether to return a row for each topic before the row for all topics.

    Raises
    ------
    IrjudgeError
        If no search shows documents of two teams, or if there are more than 100 teams.

    References
    ----------
    Radlinski, Kurup and Joachims (2008), How does clickthrough data reflect retrieval quality?,
    CIKM; Chapelle, Joachims, Radlinski and Yue (2012), Large-scale validation and analysis of
    interleaved search evaluation, TOIS 30.

    Examples
    --------
    >>> rows = [("1", "a", 1), ("1", "b", 0), ("2", "a", 0), ("2", "b", 0), ("3", "a", 2), ("3", "b", 1)]
    >>> results = [InterleavedResult(search, "", f"{team}{search}", team, clicks) for search, team, clicks in rows]
    >>> (pair,) = compare_team_draft(results)
    >>> pair.wins_a, pair.wins_b, pair.ties, pair.unclicked, pair.share, round(pair.delta, 4), pair.p
    (2, 0, 1, 1, 1.0, 0.3333, 0.5)
    """
    clicks: dict[str, dict[str, int]] = {}
    topic: dict[str, str] = {}
    for result in results:
        teams = clicks.setdefault(result.search, {})
        topic[result.search] = result.topic
        if result.team:
            teams[result.team] = teams.get(result.team, 0) + result.clicks
    team_count = len({team for teams in clicks.values() for team in teams})
    if team_count > MAX_TEAMS:
        raise IrjudgeError(
            "There are {count:,} teams, but at most {limit} can be compared. Is this the column of "
            "the teams?",
            key="too-many-teams",
            count=team_count,
            limit=MAX_TEAMS,
        )
    # topic and clicks of each search, by pair of teams; a search may show many teams
    searches_by_pair: dict[tuple[str, str], list[tuple[str, tuple[int, int]]]] = {}
    for search, teams in clicks.items():
        for team_a, team_b in combinations(sorted(teams), 2):
            searches_by_pair.setdefault((team_a, team_b), []).append(
                (topic[search], (teams[team_a], teams[team_b]))
            )
    comparisons = [
        pair
        for (team_a, team_b), searches in sorted(searches_by_pair.items())
        for pair in _compare_teams(searches, team_a, team_b, per_topic)
    ]
    if not comparisons:
        raise IrjudgeError(
            "No search shows documents of both teams, so there is nothing to compare.",
            key="one-team",
        )
    return tuple(comparisons)


def _compare_teams(
    searches: Sequence[tuple[str, tuple[int, int]]], team_a: str, team_b: str, per_topic: bool
) -> Iterator[TeamPair]:
    """Yield the comparison of two teams for each topic, if required, and for all topics."""
    counts_by_topic: dict[str, list[tuple[int, int]]] = {}
    for topic, counts in searches:
        counts_by_topic.setdefault(topic, []).append(counts)
    for topic, topic_counts in counts_by_topic.items() if per_topic else ():
        yield _make_team_pair(topic, team_a, team_b, topic_counts)
    yield _make_team_pair(ALL_TOPICS, team_a, team_b, [counts for _, counts in searches])


def _make_team_pair(
    topic: str, team_a: str, team_b: str, counts: list[tuple[int, int]]
) -> TeamPair:
    wins, losses = sum(a > b for a, b in counts), sum(a < b for a, b in counts)
    ties, decided_searches = len(counts) - wins - losses, wins + losses
    low, high = (
        (float(end) for end in wilson_interval(wins, decided_searches))
        if decided_searches
        else (None, None)
    )
    share = wins / decided_searches if decided_searches else None
    delta = (wins + ties / 2) / len(counts) - 0.5
    unclicked_count = sum(a == b == 0 for a, b in counts)
    return TeamPair(
        topic,
        team_a,
        team_b,
        len(counts),
        wins,
        losses,
        ties,
        unclicked_count,
        share,
        low,
        high,
        delta,
        binomial_p(wins, losses),
    )


def format_team_pairs(pairs: Iterable[TeamPair]) -> Iterator[tuple[str | int | float | None, ...]]:
    """Yield the values of `INTERLEAVING_COLUMNS` for each pair of teams."""
    yield from map(astuple, pairs)

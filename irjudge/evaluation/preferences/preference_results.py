"""All that preferences prove, as rows of one shape: for the terminal, for other programs, and for the window."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, fields

import numpy as np

from irjudge.evaluation.preferences.preference_agreement import measure_agreement
from irjudge.evaluation.table import Evaluation
from irjudge.message import Message
from irjudge.metrics.basis.judged import Scores
from irjudge.model.preference import Preferences
from irjudge.model.ranking import Ints, Longs
from irjudge.stats import preferences as bradley_terry
from irjudge.stats.preference_design import left_choices, self_agreement, stood_left
from irjudge.stats.preferences import (
    PairCounts,
    Strengths,
    circular_triads,
    clustered,
    components,
    condorcet_winner,
    copeland,
    count_pairs,
    cycles,
    davidson,
    in_one_order,
    net_preference,
    oriented,
)
from irjudge.stats.proportions import binomial_p, half_p, trials_needed, trinomial_p, wilson
from irjudge.stats.sampling import Sampling

PARTS = {
    "answers": Message("What was answered"),
    "pairs": "Pairs",
    "topics": Message("Pairs by topic"),
    "assessors": Message("Pairs by assessor"),
    "plan": Message("More answers that it takes"),
    "strengths": Message("Strengths, the best first"),
    "order": "Contradictions",
    "sides": Message("Liking for a side"),
    "repeats": Message("The same question again"),
    "measures": Message("Measures that point the same way"),
}
SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Finding:
    """One number and what it rests on."""

    part: str  # one of `PARTS`
    # whose answers; empty for all
    topic: str
    assessor: str
    # the items compared, or the item spoken of; empty where it is none
    first: str
    second: str
    statistic: str  # its name
    value: float | None = None  # None where there is nothing to compute it from
    # 95 % interval
    low: float | None = None
    high: float | None = None
    p: float | None = None  # two-sided
    # what was counted, and of how many
    count: int | None = None
    total: int | None = None


COLUMNS = tuple(field.name for field in fields(Finding))


@dataclass(frozen=True, slots=True)
class PreferenceResults:
    """Findings in the order of `PARTS`, and what is to be known to read and to repeat them, a sentence each."""

    findings: tuple[Finding, ...]
    remarks: tuple[str, ...]

    def rows(self, parts: Iterable[str] = PARTS) -> Iterator[tuple[str | float | int | None, ...]]:
        """Yield a row of `COLUMNS` for each finding of some parts."""
        wanted = set(parts)
        yield from (astuple(each) for each in self.findings if each.part in wanted)


def preference_results(
    preferences: Preferences,
    *,
    share: float = SHARE,
    sampling: Sampling | None = None,
    evaluation: Evaluation | None = None,
) -> PreferenceResults:
    """Return what preferences, one or more, prove; of an evaluation of runs named as the systems, how often its measures agree.

    `share` is the share of wins that it should be possible to notice, for the number of answers it takes; IrjudgeError when it is not
    between 0 and 1.
    """
    found: list[Finding] = [*_answers(preferences), *_sides(preferences), *_repeats(preferences)]
    preferences = in_one_order(preferences)
    said: dict[str, None] = dict.fromkeys(preferences.remarks)
    for topic, part in preferences.groups():
        counts = count_pairs(part)
        found += [
            *_pairs(topic, part, counts, sampling or Sampling(), said),
            *_plan(topic, part, counts, share),
        ]
        found += [*_strengths(topic, part, counts, said), *_contradictions(topic, part, counts)]
    if not preferences.documents:
        found += [*_divided(preferences, "topics"), *_divided(preferences, "assessors")]
        found += _measures(preferences, evaluation)
    order = {part: place for place, part in enumerate(PARTS)}
    return PreferenceResults(
        tuple(sorted(found, key=lambda each: order[each.part])), (*said, *_notes(preferences))
    )


def compatibility_findings(run: str, topics: Sequence[str], values: Scores) -> Iterator[Finding]:
    """Yield the compatibility of a run with preferred documents: topic by topic, then the mean; values of shape (T,)."""
    for topic, value in zip(topics, values.tolist(), strict=True):
        yield Finding("measures", topic, "", run, "", "compatibility", value)
    yield Finding(
        "measures",
        "",
        "",
        run,
        "",
        "compatibility",
        float(values.mean()) if len(values) else None,
        total=len(topics),
    )


def _answers(preferences: Preferences) -> Iterator[Finding]:
    total = len(preferences)
    for name, outcome in (("left", 1), ("right", -1), ("tie", 0)):
        yield _share(
            "answers", ("", "", "", ""), name, int((preferences.winner == outcome).sum()), total
        )
    yield _share(
        "answers",
        ("", "", "", ""),
        Message("much better"),
        int((preferences.strength == 2).sum()),
        total,
    )
    yield Finding(
        "answers", "", "", "", "", "blank", count=preferences.blank, total=total + preferences.blank
    )
    timed = preferences.seconds[~np.isnan(preferences.seconds)]
    if len(timed):
        yield Finding(
            "answers",
            "",
            "",
            "",
            "",
            Message("median seconds"),
            float(np.median(timed)),
            count=len(timed),
            total=total,
        )


def _share(
    part: str,
    of: tuple[str, str, str, str],
    statistic: str,
    count: int,
    total: int,
    p: float | None = None,
) -> Finding:
    if not total:
        return Finding(part, *of, statistic, None, None, None, p, count, total)
    low, high = wilson(count, total)
    return Finding(part, *of, statistic, count / total, float(low), float(high), p, count, total)


def _pairs(
    topic: str, part: Preferences, counts: PairCounts, sampling: Sampling, said: dict[str, None]
) -> Iterator[Finding]:
    net = net_preference(part, counts, sampling=sampling)
    said[Message("Intervals of net preferences: {how}.", how=net.how)] = None
    by_topic = _topic_majorities(part, counts)
    for row in range(len(counts)):
        wins, losses, ties = (int(each[row]) for each in (counts.wins, counts.losses, counts.ties))
        of = (topic, "", part.items[counts.first[row]], part.items[counts.second[row]])
        low, high = (
            None if math.isnan(end) else float(end) for end in (net.low[row], net.high[row])
        )
        yield _share(
            "pairs",
            of,
            Message("wins, ties dropped"),
            wins,
            wins + losses,
            binomial_p(wins, losses),
        )
        halves = (wins + ties / 2) / (wins + losses + ties)
        yield Finding(
            "pairs",
            *of,
            Message("wins, ties half"),
            halves,
            p=half_p(wins, losses, ties),
            total=wins + losses + ties,
        )
        p = trinomial_p(wins, losses, ties)
        yield Finding(
            "pairs",
            *of,
            Message("net preference"),
            float(net.value[row]),
            low,
            high,
            p,
            wins - losses,
            wins + losses + ties,
        )
        if not part.documents and part.topics:
            won, lost = by_topic[row]
            yield _share("pairs", of, Message("topics won"), won, won + lost, binomial_p(won, lost))


def _topic_majorities(part: Preferences, counts: PairCounts) -> list[tuple[int, int]]:
    """Return for each pair on how many topics most answers prefer the first item, and the second."""
    cells, net, _ = _net_by(part, counts, part.topic)
    pair, code = cells
    held = code >= 0
    return [
        (
            int(((net > 0) & held & (pair == row)).sum()),
            int(((net < 0) & held & (pair == row)).sum()),
        )
        for row in range(len(counts))
    ]


def _net_by(part: Preferences, counts: PairCounts, code: Ints) -> tuple[Longs, Longs, Longs]:
    """Return the pairs and codes that occur together, shape (2, C), and for each wins less losses, and answers."""
    one, two, sign = oriented(part)
    pair = np.searchsorted(counts.first * counts.items + counts.second, one * counts.items + two)
    cells, at = np.unique(np.stack((pair, code.astype(np.int64))), axis=1, return_inverse=True)
    at = at.reshape(-1)
    return (
        cells,
        np.bincount(at, sign, cells.shape[1]).astype(np.int64),
        np.bincount(at, minlength=cells.shape[1]).astype(np.int64),
    )


def _divided(preferences: Preferences, by: str) -> Iterator[Finding]:
    """Yield the net preference of each pair within each topic, or of each assessor."""
    counts = count_pairs(preferences)
    code, names = (
        (preferences.topic, preferences.topics)
        if by == "topics"
        else (preferences.assessor, preferences.assessors)
    )
    cells, net, total = _net_by(preferences, counts, code)
    for (pair, each), value, of in zip(cells.T.tolist(), net.tolist(), total.tolist(), strict=True):
        if each >= 0:
            topic, assessor = (names[each], "") if by == "topics" else ("", names[each])
            first, second = (
                preferences.items[counts.first[pair]],
                preferences.items[counts.second[pair]],
            )
            yield Finding(
                by,
                topic,
                assessor,
                first,
                second,
                Message("net preference"),
                value / of,
                count=value,
                total=of,
            )


def _plan(topic: str, part: Preferences, counts: PairCounts, share: float) -> Iterator[Finding]:
    needed = trials_needed(share)
    for row in range(len(counts)) if needed is not None and not part.documents else ():
        decided, answers = (
            int(counts.wins[row] + counts.losses[row]),
            int(counts.wins[row] + counts.losses[row] + counts.ties[row]),
        )
        wanted = math.ceil((needed or 0) * answers / decided) if decided else None
        more = max(0, wanted - answers) if wanted is not None else None
        of = (topic, "", part.items[counts.first[row]], part.items[counts.second[row]])
        yield Finding(
            "plan",
            *of,
            Message("more answers (share={share:g})", share=share),
            more,
            count=answers,
            total=wanted,
        )


def _strengths(
    topic: str, part: Preferences, counts: PairCounts, said: dict[str, None]
) -> Iterator[Finding]:
    if len(np.unique(components(counts))) > 1:
        hint = (
            ""
            if part.documents
            else Message(" Where left and right are documents of a topic, say --documents.")
        )
        said[
            Message(
                "Some items were never compared with others, not even by way of a third: strengths hold within their groups.{hint}",
                hint=hint,
            )
        ] = None
    models = (
        (davidson(counts), bradley_terry(counts)) if counts.ties.any() else (bradley_terry(counts),)
    )
    for found in models:
        if found.added:
            said[
                Message(
                    "Some items only won or only lost: half a win each way was added to every pair to find strengths."
                )
            ] = None
        yield from _worths(topic, part, counts, clustered(found, part))
    score = copeland(counts)
    for item in np.argsort(-score, kind="stable").tolist():
        yield Finding("strengths", topic, "", part.items[item], "", "copeland", int(score[item]))


def _worths(
    topic: str, part: Preferences, counts: PairCounts, found: Strengths
) -> Iterator[Finding]:
    low, high = found.interval()
    won = np.bincount(counts.first, counts.wins, counts.items) + np.bincount(
        counts.second, counts.losses, counts.items
    )
    decided = counts.wins + counts.losses + (counts.ties if found.tie is not None else 0)
    asked = np.bincount(counts.first, decided, counts.items) + np.bincount(
        counts.second, decided, counts.items
    )
    for item in np.argsort(-found.log_worth, kind="stable").tolist():
        value, ends = float(found.log_worth[item]), (float(low[item]), float(high[item]))
        if not math.isnan(value):
            name = Message("{model} log-worth", model=found.model) + (
                Message(", half a win added") if found.added else ""
            )
            yield Finding(
                "strengths",
                topic,
                "",
                part.items[item],
                "",
                name,
                value,
                *ends,
                None,
                int(won[item]),
                int(asked[item]),
            )
    if found.tie is not None:
        yield Finding("strengths", topic, "", "", "", Message("davidson tie"), found.tie)


def _contradictions(topic: str, part: Preferences, counts: PairCounts) -> Iterator[Finding]:
    best = condorcet_winner(counts)
    if best is not None:
        yield Finding("order", topic, "", part.items[best], "", Message("beats every other"))
    yield Finding(
        "order", topic, "", "", "", Message("circular triads"), count=circular_triads(counts)
    )
    for cycle in cycles(counts):
        names = " > ".join(part.items[item] for item in (*cycle, cycle[0]))
        yield Finding("order", topic, "", names, "", "cycle", count=len(cycle))


def _sides(preferences: Preferences) -> Iterator[Finding]:
    left, chosen = left_choices(preferences)
    yield _share(
        "sides",
        ("", "", "", ""),
        Message("left chosen"),
        left,
        chosen,
        binomial_p(left, chosen - left),
    )
    for code, assessor in enumerate(preferences.assessors):
        left, chosen = left_choices(preferences.where(preferences.assessor == code))
        yield _share(
            "sides",
            ("", assessor, "", ""),
            Message("left chosen"),
            left,
            chosen,
            binomial_p(left, chosen - left),
        )
    first, shown = stood_left(preferences)
    yield _share(
        "sides", ("", "", "", ""), Message("first stood left, least balanced pair"), first, shown
    )


def _repeats(preferences: Preferences) -> Iterator[Finding]:
    found, of = self_agreement(preferences), ("", "", "", "")
    if found.total:
        yield _share("repeats", of, Message("same answer"), found.same, found.total)
        yield _share(
            "repeats", of, Message("same answer, sides swapped"), found.swapped_same, found.swapped
        )
        yield _share(
            "repeats", of, Message("same side, sides swapped"), found.followed_side, found.swapped
        )


def _measures(preferences: Preferences, evaluation: Evaluation | None) -> Iterator[Finding]:
    for each in measure_agreement(preferences, evaluation) if evaluation else ():
        of, both = ("", "", each.first, each.second), each.same + each.opposite
        yield _share(
            "measures", of, each.measure, each.same, both, binomial_p(each.same, each.opposite)
        )


def _notes(preferences: Preferences) -> Iterator[str]:
    yield Message(
        "p of wins: exact sign test; of net preference: trinomial test. Both take answers as independent; topics won does not."
    )
    if preferences.documents:
        yield Message("Documents are compared within their topic.")

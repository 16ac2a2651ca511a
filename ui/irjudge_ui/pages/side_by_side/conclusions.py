"""Texts about preference results: conclusions, and what limits them."""

from collections.abc import Sequence
from itertools import pairwise

from irjudge.evaluation import PreferenceStatistic
from irjudge_ui.messages import filled, join_list, join_sentences, translate
from irjudge_ui.models import SIGNIFICANCE_LEVEL, PairRow, select_part

SEPARATOR = " > "  # separator of the names in a cycle
NO_BREAK = "\u00a0"


def format_percent(value: float | None) -> str:
    """Return a share as a percentage, or a dash if it is None."""
    return "–" if value is None else f"{value:.1%}".replace("%", f"{NO_BREAK}%")


def format_signed(value: float | None, decimals: int = 3) -> str:
    """Return a number with its sign, or a dash if it is None."""
    if value is None:
        return "–"
    text = f"{value:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text.replace("-", "−")


def format_p(p: float | None) -> str:
    """Return the text of a p-value with three decimals; small values are "< 0.001"."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def format_interval(estimate: PreferenceStatistic) -> str:
    """Return the text of the interval of a share, in percent."""
    return filled(
        translate("PreferencesView", "{low} to {high}"),
        low=format_percent(estimate.low),
        high=format_percent(estimate.high),
    )


def conclude_pair(pair: PairRow) -> str:
    """Return a sentence that states which item of a pair is preferred, or that this is unclear."""
    if pair.is_conclusive:
        names = (
            (pair.first, pair.second) if (pair.net.value or 0) > 0 else (pair.second, pair.first)
        )
        return filled(
            translate("PreferencesView", "{first} is significantly preferred to {second}."),
            first=names[0],
            second=names[1],
        )
    return filled(
        translate(
            "PreferencesView",
            "No conclusion: {first} and {second} are not significantly different with these "
            "answers.",
        ),
        first=pair.first,
        second=pair.second,
    )


def explain_pair(pair: PairRow) -> str:
    """Return sentences about the basis and the limits of the conclusion about a pair."""
    lines = [
        filled(
            translate(
                "PreferencesView",
                "Answers for {first}: {wins}. For {second}: {losses}. Ties: {ties}.",
            ),
            first=pair.first,
            wins=pair.wins,
            second=pair.second,
            losses=pair.losses,
            ties=pair.ties,
        )
    ]
    if pair.share.value is not None:
        lines.append(
            filled(
                translate(
                    "PreferencesView",
                    "{first} won {percent} of the answers that were not ties (95 % interval: "
                    "{interval}). Sign test p-value: {p}; including ties: {p_adjusted}.",
                ),
                first=pair.first,
                percent=format_percent(pair.share.value),
                interval=format_interval(pair.share),
                p=format_p(pair.share.p),
                p_adjusted=format_p(pair.net.p),
            )
        )
    lines += [_describe_net(pair), _describe_majorities(pair)]
    if not pair.is_conclusive:
        lines.append(
            translate(
                "PreferencesView",
                "Not finding a preference does not prove that there is none: more answers may "
                "reveal one.",
            )
        )
    return "\n\n".join(lines)


def _describe_net(pair: PairRow) -> str:
    """Return a sentence about the net preference and its interval.

    If there is no interval or it has no width, the sentence gives the reason instead.
    """
    if pair.net.low is None or pair.net.low == pair.net.high:
        template = translate(
            "PreferencesView",
            "Net preference {value}; the answers are too few or too similar for an interval.",
        )
    else:
        template = translate(
            "PreferencesView",
            "Net preference {value}, 95 % bootstrap interval from {low} to {high}.",
        )
    return filled(
        template,
        value=format_signed(pair.net.value),
        low=format_signed(pair.net.low),
        high=format_signed(pair.net.high),
    )


def _describe_majorities(pair: PairRow) -> str:
    if pair.majorities is None:
        return filled(
            translate(
                "PreferencesView",
                "The sign test assumes independent answers. p-value, adjusted for the number of "
                "pairs: {p}.",
            ),
            p=format_p(pair.p_adjusted),
        )
    won_topics, decided_topics = pair.majorities.count or 0, pair.majorities.total or 0
    return filled(
        translate(
            "PreferencesView",
            "Topics on which most answers prefer {first}: {wins}; topics on which most prefer "
            "{second}: {losses}. Sign test over topics, p-value: {p}; adjusted for the number of "
            "pairs: {p_adjusted}.",
        ),
        first=pair.first,
        wins=won_topics,
        second=pair.second,
        losses=decided_topics - won_topics,
        p=format_p(pair.p),
        p_adjusted=format_p(pair.p_adjusted),
    )


def describe_plan(pair: PairRow, share: int) -> str:
    """Return a sentence about how many further answers are needed to detect a share of wins.

    `share` is in percent. The result is empty if `pair.answers_needed` is None.
    """
    if pair.answers_needed is None:
        return ""
    if pair.answers_needed.value is None:
        return translate(
            "PreferencesView",
            "The number of answers needed is unknown until an answer favours one side.",
        )
    if not pair.answers_needed.value:
        return filled(
            translate(
                "PreferencesView",
                "There are enough answers to detect a win rate of {share} % with 80 % power.",
            ),
            share=share,
        )
    return filled(
        translate(
            "PreferencesView",
            "To detect a win rate of {share} % with 80 % power, {more} more answers are needed: "
            "{total} in total.",
        ),
        share=share,
        more=f"{pair.answers_needed.value:,.0f}",
        total=f"{pair.answers_needed.total or 0:,}",
    )


def warn_unconnected_groups(groups: Sequence[Sequence[str]]) -> str:
    """Return a warning if strengths cannot be compared between groups; empty for one group."""
    if len(groups) < 2:
        return ""
    return filled(
        translate(
            "PreferencesView",
            "⚠ Never compared with each other, directly or indirectly: {groups}. Strengths are "
            "only comparable within each group.",
        ),
        groups="; ".join(map(join_list, groups)),
    )


def explain_strengths(*, ties: bool, added: bool) -> str:
    """Return sentences that explain how to interpret strengths.

    `ties` is whether the model counts ties. `added` is whether half a win was added to each side of
    every pair.
    """
    return join_sentences(
        translate("PreferencesView", "Davidson's model; ties are counted.")
        if ties
        else translate("PreferencesView", "Bradley–Terry model; there are no ties."),
        translate(
            "PreferencesView",
            "0 is the mean strength. An item whose strength is 0.7 higher than another's wins two "
            "thirds of the comparisons between the two items, not counting ties.",
        ),
        translate(
            "PreferencesView",
            "⚠ Some items won or lost all their comparisons, so half a win was added to each "
            "side of every pair.",
        )
        if added
        else "",
    )


def describe_contradictions(findings: Sequence[PreferenceStatistic]) -> str:
    """Return sentences about contradictions between majority preferences."""
    lines = []
    for finding in findings:
        if finding.statistic == "beats every other":
            lines.append(
                filled(
                    translate(
                        "PreferencesView", "{first} beats all others, by the majority of answers."
                    ),
                    first=finding.first,
                )
            )
        if finding.statistic == "cycle":
            beats = translate("PreferencesView", "{first} beats {second}")
            lines.append(
                "⚠ "
                + join_list(
                    filled(beats, first=first, second=second)
                    for first, second in pairwise(finding.first.split(SEPARATOR))
                )
                + "."
            )
    triad_count = sum(
        finding.count or 0 for finding in findings if finding.statistic == "circular triads"
    )
    if triad_count:
        lines.append(
            filled(
                translate(
                    "PreferencesView",
                    "Circular triads: {triads}. No order agrees with all majorities.",
                ),
                triads=f"{triad_count:,}",
            )
        )
    elif all(finding.statistic != "cycle" for finding in findings):
        lines.append(
            translate(
                "PreferencesView", "No circular triads: one order agrees with all majorities."
            )
        )
    return "\n".join(lines)


def describe_side_bias(findings: Sequence[PreferenceStatistic]) -> str:
    """Return a sentence about how often assessors prefer the left side."""
    left_chosen = select_part(findings, "sides", statistic="left chosen")
    overall = next((row for row in left_chosen if not row.assessor), None)
    if overall is None or overall.value is None or overall.p is None:
        return translate("PreferencesView", "So far, no answer favours either side.")
    sentences = [
        filled(
            translate(
                "PreferencesView",
                "The left side was chosen in {count} of {total} answers that are not ties: "
                "{percent}, 95 % interval from {interval}; p-value: {p}.",
            ),
            count=overall.count,
            total=overall.total,
            percent=format_percent(overall.value),
            interval=format_interval(overall),
            p=format_p(overall.p),
        )
    ]
    if overall.p < SIGNIFICANCE_LEVEL:
        sentences += [
            translate("PreferencesView", "⚠ Assessors tend to choose the left side.")
            if overall.value > 0.5
            else translate("PreferencesView", "⚠ Assessors tend to choose the right side."),
            translate(
                "PreferencesView",
                "Because the sides are balanced, the side bias favours no run, but some "
                "answers do not reflect the quality of the results.",
            ),
        ]
    else:
        sentences.append(translate("PreferencesView", "No side bias detected."))
    fixed_side = select_part(
        findings, "sides", statistic=("first item on the left, least balanced pair")
    )
    if fixed_side and fixed_side[0].total:
        sentences.append(
            filled(
                translate(
                    "PreferencesView",
                    "In the least balanced pair, the first item was on the left {count} of {total} "
                    "times.",
                ),
                count=fixed_side[0].count,
                total=fixed_side[0].total,
            )
        )
    return join_sentences(*sentences)


def describe_repeats(findings: Sequence[PreferenceStatistic]) -> str:
    """Return a sentence about the consistency of repeated questions."""
    by_statistic = {finding.statistic: finding for finding in select_part(findings, "repeats")}
    if not by_statistic:
        return translate(
            "PreferencesView",
            "No question was repeated, so consistency is unknown.",
        )
    same_answer = by_statistic["same answer"]
    same_after_swap = by_statistic["same answer, sides swapped"]
    sentences = [
        filled(
            translate(
                "PreferencesView",
                "When asked again, assessors gave the same answer {count} of {total} times: "
                "{percent}, 95 % interval from {interval}.",
            ),
            count=same_answer.count,
            total=same_answer.total,
            percent=format_percent(same_answer.value),
            interval=format_interval(same_answer),
        )
    ]
    if same_after_swap.total:
        sentences.append(
            filled(
                translate(
                    "PreferencesView",
                    "With the sides swapped, {same} of {total} answers stayed the same; in "
                    "{other} of {total}, the same side was chosen although it now showed the "
                    "other item.",
                ),
                same=same_after_swap.count,
                total=same_after_swap.total,
                other=by_statistic["same side, sides swapped"].count,
            )
        )
    return join_sentences(*sentences)


def describe_answers(findings: Sequence[PreferenceStatistic]) -> str:
    """Return a sentence with the numbers of answers and of assessors."""
    by_statistic = {finding.statistic: finding for finding in select_part(findings, "answers")}
    sentences = [
        filled(
            translate(
                "PreferencesView", "Answers: {total}; ties: {ties}; much better: {much_better}."
            ),
            total=f"{by_statistic['left'].total or 0:,}",
            ties=f"{by_statistic['tie'].count:,}",
            much_better=f"{by_statistic['much better'].count:,}",
        )
    ]
    if (median_seconds := by_statistic.get("median seconds")) and median_seconds.value:
        sentences.append(
            filled(
                translate("PreferencesView", "Median time per answer: {timed} s."),
                timed=f"{median_seconds.value:.1f}",
            )
        )
    return join_sentences(*sentences)

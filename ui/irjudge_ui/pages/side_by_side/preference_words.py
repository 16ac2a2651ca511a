"""What the page of preferences says: what can be concluded from them, and what cannot."""

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QCoreApplication

from irjudge.evaluation.preferences.preference_results import Finding
from irjudge_ui.models.preferences import LEVEL, PairLine, part_of
from irjudge_ui.words import filled, listed, sentences

translate = QCoreApplication.translate
BETWEEN = " > "  # the names of a cycle
NO_BREAK = "\u00a0"


def percent(value: float | None) -> str:
    """Return a share as percent; a dash for none."""
    return "–" if value is None else f"{value:.1%}".replace("%", f"{NO_BREAK}%")


def signed(value: float | None, decimals: int = 3) -> str:
    """Return a number with its sign; a dash for none."""
    if value is None:
        return "–"
    written = f"{value:+.{decimals}f}"
    return written[1:] if float(written) == 0 else written.replace("-", "−")


def p_words(p: float | None) -> str:
    """Return a p as it is written: three places, or that it is below the last of them."""
    if p is None:
        return "–"
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def interval(found: Finding) -> str:
    """Return the ends of a share's interval."""
    return filled(translate("PreferencesView", "%1 to %2"), percent(found.low), percent(found.high))


def verdict(line: PairLine) -> str:
    """Say which of two is preferred, and nothing where that is not known."""
    if line.sure:
        names = (
            (line.first, line.second) if (line.net.value or 0) > 0 else (line.second, line.first)
        )
        return filled(
            translate("PreferencesView", "%1 is preferred to %2, beyond what chance explains."),
            *names,
        )
    words = translate(
        "PreferencesView", "No conclusion: these answers do not tell %1 and %2 apart."
    )
    return filled(words, line.first, line.second)


def about(line: PairLine) -> str:
    """Return what the verdict rests on, and what it does not say."""
    words = translate("PreferencesView", "Answers for %1: %2. For %3: %4. Ties: %5.")
    lines = [filled(words, line.first, line.wins, line.second, line.losses, line.ties)]
    if line.share.value is not None:
        words = translate(
            "PreferencesView",
            "%1 won %2 of the decided answers, 95 % interval from %3; sign test p %4, with the ties p %5.",
        )
        lines.append(
            filled(
                words,
                line.first,
                percent(line.share.value),
                interval(line.share),
                p_words(line.share.p),
                p_words(line.net.p),
            )
        )
    lines.append(_net(line))
    lines += _majorities(line)
    if not line.sure:
        lines.append(
            translate(
                "PreferencesView",
                "That no preference was found does not show that there is none: more answers may find one.",
            )
        )
    return "\n\n".join(lines)


def _net(line: PairLine) -> str:
    """Say the net preference; answers that all are the same cannot tell how far others would be from them."""
    if line.net.low is None or line.net.low == line.net.high:
        words = translate(
            "PreferencesView",
            "Net preference %1; these answers are too few or too alike for an interval.",
        )
    else:
        words = translate(
            "PreferencesView", "Net preference %1, 95 % bootstrap interval from %2 to %3."
        )
    return filled(words, signed(line.net.value), signed(line.net.low), signed(line.net.high))


def _majorities(line: PairLine) -> list[str]:
    if line.majorities is None:
        words = translate(
            "PreferencesView",
            "The sign test takes answers as independent of each other; adjusted for the number of pairs p %1.",
        )
        return [filled(words, p_words(line.p_adjusted))]
    won, decided = line.majorities.count or 0, line.majorities.total or 0
    words = translate(
        "PreferencesView",
        "Topics won by most of their answers: %1 %2, %3 %4; sign test over topics p %5, adjusted for the number of pairs %6.",
    )
    return [
        filled(
            words,
            line.first,
            won,
            line.second,
            decided - won,
            p_words(line.p),
            p_words(line.p_adjusted),
        )
    ]


def planned(line: PairLine, share: int) -> str:
    """Say how many more answers it takes to notice a share of wins."""
    if line.more is None:
        return ""
    if line.more.value is None:
        return translate(
            "PreferencesView",
            "How many more answers it takes is not known while no answer is decided.",
        )
    if not line.more.value:
        words = translate(
            "PreferencesView",
            "There are answers enough to notice, four times of five, that one of them wins %1 %.",
        )
        return filled(words, share)
    words = translate(
        "PreferencesView",
        "To notice, four times of five, that one of them wins %1 % it takes %2 more answers: %3 in all.",
    )
    return filled(words, share, f"{line.more.value:,.0f}", f"{line.more.total or 0:,}")


def groups_apart(groups: Sequence[Sequence[str]]) -> str:
    """Warn of items whose strengths cannot be compared."""
    if len(groups) < 2:
        return ""
    words = translate(
        "PreferencesView",
        "⚠ Never compared with each other, not even by way of a third: %1. Strengths hold within each group.",
    )
    return filled(words, "; ".join(listed(each) for each in groups))


def strengths_help(*, ties: bool, added: bool) -> str:
    """Say how strengths are read."""
    model = (
        translate("PreferencesView", "Davidson's model, ties counted.")
        if ties
        else translate("PreferencesView", "Bradley and Terry's model; there are no ties.")
    )
    read = translate(
        "PreferencesView",
        "0 is the mean; whoever is 0.7 above another wins two of three decided answers against it.",
    )
    half = (
        translate(
            "PreferencesView",
            "⚠ Somebody only won or only lost, so half a win each way was added to every pair.",
        )
        if added
        else ""
    )
    return sentences(model, read, half)


def contradictions(findings: Sequence[Finding]) -> str:
    """Say whether the majorities contradict each other, and how."""
    triads = sum(each.count or 0 for each in findings if each.statistic == "circular triads")
    lines = []
    for each in findings:
        if each.statistic == "beats every other":
            lines.append(
                filled(
                    translate("PreferencesView", "%1 beats every other, by most of their answers."),
                    each.first,
                )
            )
        if each.statistic == "cycle":
            names = each.first.split(BETWEEN)
            beats = translate("PreferencesView", "%1 beats %2")
            lines.append("⚠ " + listed(filled(beats, *both) for both in pairwise(names)) + ".")
    if triads:
        words = translate(
            "PreferencesView", "Circles of three: %1. No order of these agrees with all majorities."
        )
        return "\n".join([*lines, filled(words, f"{triads:,}")])
    return "\n".join(
        [
            *lines,
            *(
                []
                if len(lines) > 1
                else [
                    translate(
                        "PreferencesView",
                        "No circle of three: the majorities can be put in an order.",
                    )
                ]
            ),
        ]
    )


def sides(findings: Sequence[Finding]) -> str:
    """Say whether people like a side, and what that means."""
    chosen = next(
        (each for each in part_of(findings, "sides", statistic="left chosen") if not each.assessor),
        None,
    )
    if chosen is None or chosen.value is None or chosen.p is None:
        return translate("PreferencesView", "No answer chose a side yet.")
    words = translate(
        "PreferencesView",
        "The left side was chosen in %1 of %2 decided answers: %3, 95 % interval from %4, p %5.",
    )
    said = [
        filled(
            words,
            chosen.count,
            chosen.total,
            percent(chosen.value),
            interval(chosen),
            p_words(chosen.p),
        )
    ]
    if chosen.p < LEVEL:
        left = chosen.value > 0.5
        said.append(
            translate("PreferencesView", "⚠ People lean to the left, whatever stands there.")
            if left
            else translate("PreferencesView", "⚠ People lean to the right, whatever stands there.")
        )
        said.append(
            translate(
                "PreferencesView",
                "Balanced sides keep results fair, but part of the answers says nothing of the systems.",
            )
        )
    else:
        said.append(translate("PreferencesView", "A liking for a side does not show."))
    stood = part_of(findings, "sides", statistic="first stood left, least balanced pair")
    if stood and stood[0].total:
        words = translate(
            "PreferencesView", "In the least balanced pair the first stood left %1 of %2 times."
        )
        said.append(filled(words, stood[0].count, stood[0].total))
    return sentences(*said)


def repeats(findings: Sequence[Finding]) -> str:
    """Say whether assessors answer the same when they are asked again."""
    found = {each.statistic: each for each in part_of(findings, "repeats")}
    if not found:
        return translate(
            "PreferencesView",
            "No question was asked twice, so it is not known whether the same person answers the same again.",
        )
    same, swapped = found["same answer"], found["same answer, sides swapped"]
    words = translate(
        "PreferencesView",
        "Asked again, people gave the same answer %1 of %2 times: %3, 95 % interval from %4.",
    )
    said = [filled(words, same.count, same.total, percent(same.value), interval(same))]
    if swapped.total:
        words = translate(
            "PreferencesView",
            "With the sides swapped: %1 of %2 times; %3 of %2 times they chose the same side, and so the other thing.",
        )
        said.append(
            filled(words, swapped.count, swapped.total, found["same side, sides swapped"].count)
        )
    return sentences(*said)


def answers(findings: Sequence[Finding]) -> str:
    """Say how many answers there are, and of whom."""
    found = {each.statistic: each for each in part_of(findings, "answers")}
    total = found["left"].total or 0
    words = translate("PreferencesView", "Answers: %1; ties: %2; much better: %3.")
    said = [
        filled(words, f"{total:,}", f"{found['tie'].count:,}", f"{found['much better'].count:,}")
    ]
    timed = found.get("median seconds")
    if timed and timed.value:
        said.append(
            filled(
                translate("PreferencesView", "Half of them took %1 seconds or less."),
                f"{timed.value:.1f}",
            )
        )
    return sentences(*said)

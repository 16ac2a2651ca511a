"""What correlations mean, in words: how many pairs are swapped, what the statistic says, and what few systems cannot show."""

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from irjudge.stats.correlation.coefficients import Statistic
from irjudge_ui.pages.compare.correlation import ConcordantPairs, Orders, TopicLine, TwoRankings
from irjudge_ui.words import filled, in_language

FEW_PAIRS = 45  # ten systems: below, one pair moves tau by more than 0.04
MEANINGS = {
    "tau": QT_TRANSLATE_NOOP(
        "Correlate",
        "Kendall's tau is the share of pairs in the same order less the share in opposite order. A tied pair counts as neither.",
    ),
    "tau-b": QT_TRANSLATE_NOOP(
        "Correlate", "tau-b is the share of pairs in the same order less the share in opposite order, corrected for tied pairs."
    ),
    "tau-ap": QT_TRANSLATE_NOOP("Correlate", "AP correlation is like tau, but a swap near the top costs more than one at the foot."),
    "tau-ap-b": QT_TRANSLATE_NOOP(
        "Correlate", "AP correlation is like tau, but a swap near the top costs more; here both orders count alike and ties are taken out."
    ),
    "weighted-tau": QT_TRANSLATE_NOOP("Correlate", "Weighted tau is like tau, but pairs near the top weigh more."),
    "spearman": QT_TRANSLATE_NOOP(
        "Correlate", "Spearman's rho is the correlation of the ranks: one large jump costs more than many small ones."
    ),
    "footrule": QT_TRANSLATE_NOOP("Correlate", "Spearman's footrule tells how far things moved, as a share of the farthest possible."),
    "overlap": QT_TRANSLATE_NOOP("Correlate", "Overlap is the share of the top that both rankings have, in whatever order."),
    "jaccard": QT_TRANSLATE_NOOP("Correlate", "Jaccard is the share of all documents of either ranking that both have, in whatever order."),
    "rbo": QT_TRANSLATE_NOOP(
        "Correlate",
        "Rank-biased overlap is the share that both rankings have in common for a reader who goes on from each document to the next "
        "with probability p: the top counts most, and documents that one ranking lacks count against it.",
    ),
}
translate = QCoreApplication.translate


def number(value: float, decimals: int) -> str:
    """Return a value as it is printed."""
    return f"{value:z.{decimals}f}".replace("-", "−")


def orders_verdict(found: Orders, row: int, column: int, decimals: int) -> str:
    """Say how alike two orders of systems are."""
    if row == column:
        return filled(translate("Correlate", "%1 against itself"), in_language(found.names[row]))
    value, counted = number(found.values[row, column], decimals), found.counted(row, column)
    words = translate("Correlate", "%1 and %2: %3 = %4, %5 of %6 pairs of runs swapped")
    names = (in_language(found.names[at]) for at in (row, column))
    return filled(words, *names, found.statistic.name, value, counted.swapped, counted.pairs)


def orders_meaning(found: Orders, row: int, column: int) -> list[str]:
    """Return what the value of two orders of systems means, a paragraph each."""
    counted = found.counted(row, column)
    parts = [pairs_words(counted, translate("Correlate", "runs")), statistic_words(found.statistic)]
    if not found.statistic.declaration.symmetric:
        parts.append(filled(translate("Correlate", "The true order is that of the row, %1."), in_language(found.names[row])))
    if found.statistic.declaration.name in ("tau", "tau-b"):
        parts.append(
            translate(
                "Correlate", "As a rule of thumb, 0.9 and more is the same order, and less than 0.8 a noticeable change (Voorhees, 2001)."
            )
        )
    if counted.pairs < FEW_PAIRS:
        words = translate("Correlate", "With %1 runs there are only %2 pairs: one of them moves tau by %3, so little can be concluded.")
        parts.append(filled(words, found.systems, counted.pairs, number(2 / max(1, counted.pairs), 2)))
    return parts


def rankings_verdict(found: TwoRankings, decimals: int) -> str:
    """Say how alike two runs are over all topics."""
    words = translate("Correlate", "%1 and %2: %3 = %4 on average over %5 topics")
    return filled(words, found.first, found.second, found.statistic.name, number(found.mean, decimals), len(found.lines))


def rankings_meaning(found: TwoRankings, line: TopicLine | None, decimals: int) -> list[str]:
    """Return what the values of two runs mean, those of a topic first; a paragraph each."""
    parts = []
    if line is not None:
        words = translate("Correlate", "Topic %1: %2. Both rankings have %3 of the %4 documents of either.")
        parts.append(filled(words, line.topic, number(line.value, decimals), line.both, line.either))
        if found.statistic.declaration.kind == "order":
            parts.append(pairs_words(line.counted, translate("Correlate", "documents in both")))
    parts.append(statistic_words(found.statistic))
    if not found.statistic.declaration.symmetric:
        parts.append(filled(translate("Correlate", "The true order is that of %1."), found.first))
    few = sum(each.both < 2 for each in found.lines)
    if few and found.statistic.declaration.kind == "order":
        parts.append(filled(translate("Correlate", "On %1 topics fewer than two documents are in both, so their 0 says nothing."), few))
    for name, other, count in zip((found.first, found.second), (found.second, found.first), found.alone, strict=True):
        if count:
            parts.append(filled(translate("Correlate", "%1 topics of %2 are not in %3."), count, name, other))
    return parts


def pairs_words(counted: ConcordantPairs, things: str) -> str:
    """Say how many pairs are in the same order, swapped, tied."""
    words = translate("Correlate", "Of %1 pairs of %2: %3 in the same order, %4 in opposite order, %5 tied.")
    return filled(words, counted.pairs, things, counted.same, counted.swapped, counted.tied)


def statistic_words(statistic: Statistic) -> str:
    """Say what a statistic is, and what its ends mean."""
    declaration = statistic.declaration
    meaning = MEANINGS.get(declaration.name)
    what = translate("Correlate", str(meaning)) if meaning else f"{in_language(declaration.title)}."
    low = translate("Correlate", "1 is the same order, 0 no relation, −1 the opposite order.")
    none = translate("Correlate", "1 says that both are the same, 0 that they have nothing in common.")
    return f"{what} {low if declaration.bounds[0] < 0 else none}" if declaration.same == 1 else what

"""The columns of the tables of preferences: pairs, their parts by topic and assessor, left choices, measures."""

from math import inf

from PySide6.QtCore import QCoreApplication

from irjudge.evaluation.preferences.preference_results import Finding
from irjudge_ui.charts.interval_bar import Span
from irjudge_ui.models.preferences import PairLine
from irjudge_ui.models.tables import Column, SpanColumn
from irjudge_ui.pages.side_by_side import preference_words as words
from irjudge_ui.words import entitled, filled

translate = QCoreApplication.translate


def pair_columns() -> list[Column]:
    """Return both names, the counts, the net preference and what is concluded."""

    def counted(header: str, name: str) -> Column:
        return Column(header, lambda line: getattr(line, name), lambda count: f"{count:,}", number=True)

    return [
        Column(translate("PreferencesView", "One"), lambda line: line.first),
        Column(translate("PreferencesView", "against"), lambda line: line.second),
        Column(translate("PreferencesView", "Conclusion"), lambda line: line.sure * (1 if (line.net.value or 0) > 0 else -1), _concluded),
        counted(translate("PreferencesView", "Wins"), "wins"),
        counted(translate("PreferencesView", "Losses"), "losses"),
        counted(translate("PreferencesView", "Ties"), "ties"),
        SpanColumn(
            translate("PreferencesView", "Net preference"),
            lambda line: line.net.value,
            help=translate("PreferencesView", "Wins less losses, over all answers, and its 95 % bootstrap interval"),
            span=_net,
        ),
        Column(
            translate("PreferencesView", "p adjusted"),
            lambda line: line.p_adjusted,
            words.p_words,
            number=True,
            help=translate(
                "PreferencesView", "Sign test over topics, or over answers where topics are not known; adjusted for the number of pairs"
            ),
        ),
    ]


def _concluded(sign: int) -> str:
    said = {
        1: translate("PreferencesView", "▲ preferred"),
        -1: translate("PreferencesView", "▼ less preferred"),
        0: translate("PreferencesView", "◇ open"),
    }
    return said[sign]


def _net(line: PairLine) -> Span | None:
    net = line.net
    if net.value is None:
        return None
    aside = ""
    if net.low is not None and net.low != net.high:
        aside = filled(translate("PreferencesView", "%1 to %2"), words.signed(net.low), words.signed(net.high))
    return Span(net.value, net.low, net.high, -1.0, 1.0, words.signed(net.value), aside)


def left_columns() -> list[Column]:
    """Return how often each assessor chose the left side."""
    return [
        Column(translate("PreferencesView", "Assessor"), lambda found: found.assessor),
        Column(
            translate("PreferencesView", "Left"),
            lambda found: (found.count, found.total),
            _of_all,
            number=True,
            help=translate("PreferencesView", "Left choices of the decided answers"),
        ),
        SpanColumn(translate("PreferencesView", "Share"), _value, span=_share),
        Column(translate("PreferencesView", "p"), _p, _p_words, number=True, help=translate("PreferencesView", "Sign test, two-sided")),
    ]


def _of_all(counts: tuple[int, int]) -> str:
    return filled(translate("PreferencesView", "%1 of %2"), *counts)


def _p(found: Finding) -> float:
    """Return the p; more than any for what nothing was decided about."""
    return found.p if found.p is not None and found.total else inf


def _p_words(p: float) -> str:
    return words.p_words(None if p == inf else p)


def _value(found: Finding) -> float:
    return -1.0 if found.value is None else found.value


def _share(found: Finding) -> Span | None:
    if found.value is None:
        return None
    return Span(found.value, found.low, found.high, 0.0, 1.0, words.percent(found.value), words.interval(found))


def part_columns(line: PairLine, titles: dict[str, str]) -> list[Column]:
    """Return how a pair fares in each of its parts, topics or assessors."""
    about = filled(translate("PreferencesView", "Answers for %1 less those for %2, over all"), line.first, line.second)
    return [
        Column(translate("PreferencesView", "Of"), lambda found: found.topic or found.assessor, lambda name: named(name, titles)),
        Column(translate("PreferencesView", "Net"), lambda found: found.value, words.signed, number=True, help=about),
        Column(translate("PreferencesView", "Answers"), lambda found: found.total, number=True),
        Column(translate("PreferencesView", "Preferred"), lambda found: _better(found, line)),
    ]


def _better(found: Finding, line: PairLine) -> str:
    if not found.value:
        return translate("PreferencesView", "= neither")
    return line.first if found.value > 0 else line.second


def measure_columns() -> list[Column]:
    """Return on how many topics each measure is for the same run as the preferences."""
    return [
        Column(translate("PreferencesView", "Measure"), lambda found: found.statistic),
        Column(
            translate("PreferencesView", "Same way"),
            lambda found: found.count,
            number=True,
            help=translate("PreferencesView", "Topics on which measure and preferences are for the same run"),
        ),
        Column(
            translate("PreferencesView", "Topics"),
            lambda found: found.total,
            number=True,
            help=translate("PreferencesView", "Topics that both of them decide"),
        ),
        SpanColumn(translate("PreferencesView", "Share"), _value, span=_share),
        Column(translate("PreferencesView", "p"), _p, _p_words, number=True, help=translate("PreferencesView", "Sign test, two-sided")),
    ]


def compatibility_columns() -> list[Column]:
    """Return how well each run puts the preferred documents first."""
    about = translate(
        "PreferencesView", "How near the ranking is to the nearest one that has the preferred documents first: 1 where it is that one"
    )
    return [
        Column(translate("PreferencesView", "Run"), lambda found: found.first),
        Column(
            translate("PreferencesView", "Compatibility"), lambda found: found.value, lambda value: f"{value:.4f}", number=True, help=about
        ),
    ]


def named(id: str, titles: dict[str, str]) -> str:
    """Return an id and its title."""
    return entitled(id, titles.get(id, ""))

"""The columns of the quality page and what they mean, and what is said of one assessor."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from irjudge.stats.assessor_quality import Quality
from irjudge.stats.assessor_verdicts import AssessorVerdict, VerdictState
from irjudge_ui.charts.interval_bar import Span
from irjudge_ui.models.tables import Column, SpanColumn
from irjudge_ui.words import filled, in_language, sentences

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Assessor:
    """A line of the table: a place among the assessors of `Quality`, the verdict, and why who is set aside is (None while they count).

    `shown` is what they are called where somebody reads it.
    """

    found: Quality
    place: int
    verdict: AssessorVerdict
    aside: str | None
    shown: str = ""

    @property
    def name(self) -> str:
        """The assessor's name."""
        return self.found.workers[self.place]


def columns() -> list[Column]:
    """Return the columns of the table, a row for each assessor."""
    return [*_verdict(), *_answers(), *_again_and_times()]


def _verdict() -> list[Column]:
    """Who it is, and what was made of what the other columns say."""
    return [
        Column(translate("Quality", "Assessor"), lambda row: row.shown or row.name),
        Column(translate("Quality", "Counts"), lambda row: _counts(row.aside), help=translate("Quality", "Whether their judgments count")),
        Column(
            translate("Quality", "Verdict"),
            lambda row: verdict_words(row.verdict.state),
            help=translate("Quality", "What stands out is told below the table, with its evidence; nobody is called good or bad by it"),
        ),
    ]


def _answers() -> list[Column]:
    """What their answers are beside what is known and what others said."""
    return [
        _count(translate("Quality", "Judged"), lambda found: found.given, translate("Quality", "Judgments, planted repeats too")),
        SpanColumn(
            translate("Quality", "Right on gold"),
            lambda row: float(row.found.accuracy[row.place]),
            help=translate("Quality", "Share of the known answers that was met, with its 95 % interval"),
            span=_gold,
            without="–",
        ),
        _share(
            translate("Quality", "As others"),
            lambda found: found.agreement,
            translate("Quality", "Mean share of the other assessors of a document who gave the same grade"),
        ),
        _signed(
            translate("Quality", "Bias"),
            lambda found: found.bias,
            translate("Quality", "Mean grade above or below the reference: above 0 is lenient, below 0 strict"),
        ),
        _number(
            translate("Quality", "Cost"),
            lambda found: found.cost,
            translate("Quality", "Expected cost of an answer once its bias is undone (Ipeirotis): 0 is perfect"),
        ),
    ]


def _again_and_times() -> list[Column]:
    """What their work looks like whatever they answered: documents shown again, and how long it took."""
    return [
        Column(
            translate("Quality", "Repeats"),
            lambda row: int(row.found.repeats[row.place]),
            lambda value: f"{value:,}" if value else "–",
            number=True,
            help=translate("Quality", "Documents shown a second time"),
        ),
        Column(
            translate("Quality", "Too fast"),
            lambda row: _part(row.found.too_fast, row.found.timed, row.place),
            _percent,
            number=True,
            help=translate("Quality", "Share of the timed answers that came before the first 40 words of the document can be skimmed"),
        ),
        Column(
            translate("Quality", "Median"),
            lambda row: float(row.found.seconds[row.place]),
            lambda value: "–" if np.isnan(value) else f"{value:.1f} s",
            number=True,
            help=translate("Quality", "Median time of an answer"),
        ),
    ]


def _counts(aside: str | None) -> str:
    return translate("Quality", "✓ counts") if aside is None else translate("Quality", "✕ set aside")


def _gold(row: Assessor) -> Span | None:
    found, place = row.found, row.place
    if not found.gold[place]:
        return None
    met = filled(translate("Quality", "%1 of %2"), f"{found.gold_right[place]:,}", f"{found.gold[place]:,}")
    ends = float(found.accuracy_low[place]), float(found.accuracy_high[place])
    return Span(float(found.accuracy[place]), *ends, 0.0, 1.0, met, f"{100 * ends[0]:.0f}–{100 * ends[1]:.0f} %")


Values = Callable[[Quality], np.ndarray]


def _count(header: str, values: Values, words: str) -> Column:
    return Column(header, lambda row: int(values(row.found)[row.place]), lambda value: f"{value:,}", number=True, help=words)


def _share(header: str, values: Values, words: str) -> Column:
    return Column(header, lambda row: float(values(row.found)[row.place]), _percent, number=True, help=words)


def _number(header: str, values: Values, words: str) -> Column:
    return Column(header, lambda row: float(values(row.found)[row.place]), _two, number=True, help=words)


def _signed(header: str, values: Values, words: str) -> Column:
    show = lambda value: "–" if np.isnan(value) else f"{value:+.2f}".replace("-", "−")  # noqa: E731 -- used once
    return Column(header, lambda row: float(values(row.found)[row.place]), show, number=True, help=words)


def _two(value: float) -> str:
    return "–" if np.isnan(value) else f"{value:.2f}".replace("-", "−")


def _percent(share: float) -> str:
    return "–" if np.isnan(share) else f"{100 * share:.0f} %"


def _part(part: np.ndarray, whole: np.ndarray, place: int) -> float:
    return float(part[place] / whole[place]) if whole[place] else float("nan")


def verdict_words(state: VerdictState) -> str:
    """Return a verdict in two or three words."""
    return {
        "stands out": translate("Quality", "◆ stands out"),
        "nothing stands out": translate("Quality", "nothing stands out"),
        "too little to tell": translate("Quality", "too little to tell"),
    }[state]


def about(row: Assessor) -> str:
    """Return the verdict on an assessor and its evidence, in sentences; nobody is called good or bad by it."""
    found, place = row.found, row.place
    head = {
        "stands out": translate("Quality", "Something stands out."),
        "nothing stands out": translate("Quality", "Nothing stands out."),
        "too little to tell": translate("Quality", "Too little to tell."),
    }[row.verdict.state]
    said = [filled(translate("Quality", "Set aside: %1."), row.aside)] if row.aside is not None else []
    said += [head, *map(in_language, row.verdict.evidence)]
    if found.repeats[place]:
        words = translate("Quality", "Of %1 documents shown again, %2 got the same grade.")
        again = filled(words, f"{found.repeats[place]:,}", f"{found.repeats_same[place]:,}")
        said += [again] if again not in said else []
    if found.unjudgeable[place]:
        said.append(filled(translate("Quality", "Said of %1 documents that they cannot be judged."), f"{found.unjudgeable[place]:,}"))
    return sentences(*said)

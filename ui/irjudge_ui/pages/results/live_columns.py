"""What the tables of live evaluation show: values with their intervals, orderings in words and shapes, documents to judge next."""

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from irjudge.evaluation.bounds import Decisive, LiveTable, RunOrdering, Verdict
from irjudge_ui.charts.intervals import IntervalValue
from irjudge_ui.messages import filled, in_language
from irjudge_ui.models.tables import Column, IntervalColumn

translate = QCoreApplication.translate
# A shape and words for each verdict, of the first run of a pair.
VERDICT_WORDS: dict[Verdict | None, object] = {
    "a_better": QT_TRANSLATE_NOOP("LiveView", "▲ stays better"),
    "b_better": QT_TRANSLATE_NOOP("LiveView", "▼ stays worse"),
    "equal": QT_TRANSLATE_NOOP("LiveView", "= stays equal"),
    "can_change": QT_TRANSLATE_NOOP("LiveView", "◇ can still change"),
    None: QT_TRANSLATE_NOOP("LiveView", "provisional"),
}


@dataclass(frozen=True, slots=True)
class Next:
    """A decisive document with its title and its topic's."""

    decisive: Decisive
    title: str
    topic_title: str
    helped: str  # the run that is the better for it if the document is relevant


def run_columns(table: LiveTable, decimals: int) -> list[Column]:
    """Return the run's name, and for each measure its value and interval."""
    columns = [Column(translate("LiveView", "Run"), lambda run: run.run)]
    for place, measure in enumerate(table.measures):
        cells = {run.run: table.cell(run, place) for run in table.runs}
        ceiling = max([1.0, *(high for _, _, high in cells.values() if high is not None)])
        final = not table.outstanding
        spans = {
            name: _span(*cell, 0.0, ceiling, decimals, final=final) for name, cell in cells.items()
        }
        why = table.provisional.get(measure.name, "")
        columns.append(_span_column(measure.name, in_language(why or measure.definition), spans))
    return columns


def _span_column(header: str, help_text: str, spans: dict[str, IntervalValue]) -> IntervalColumn:
    return IntervalColumn(
        header, lambda run: spans[run.run].value, help=help_text, span=lambda run: spans[run.run]
    )


def ordering_columns(orderings: list[RunOrdering], decimals: int) -> list[Column]:
    """Return the other run, the difference with its interval, and the verdict."""
    far = (
        max(
            [
                abs(end)
                for each in orderings
                for end in (each.low, each.high, each.difference)
                if end is not None
            ],
            default=0.0,
        )
        or 1.0
    )
    return [
        Column(translate("LiveView", "Against"), lambda each: each.run_b),
        Column(translate("LiveView", "Ordering"), lambda each: verdict_words(each.verdict)),
        IntervalColumn(
            translate("LiveView", "Difference"),
            lambda each: each.difference,
            help=translate(
                "LiveView",
                "What the chosen run is above the other now, and between which ends that will be",
            ),
            span=lambda each: _span(
                each.difference, each.low, each.high, -far, far, decimals, signed=True
            ),
        ),
    ]


def next_columns(decimals: int) -> list[Column]:
    """Return the document, its topic, whom it would help and by how much."""
    return [
        Column(translate("LiveView", "Document"), lambda each: each.title),
        Column(
            translate("LiveView", "Topic"),
            lambda each: each.decisive.topic,
            also=lambda each: each.topic_title,
        ),
        Column(
            translate("LiveView", "Moves by"),
            lambda each: abs(each.decisive.weight),
            lambda weight: f"{weight:.{decimals}f}",
            number=True,
            help=translate(
                "LiveView",
                "How far its judgment can move the difference of the two runs on its topic",
            ),
        ),
        Column(
            translate("LiveView", "Would help"),
            lambda each: each.helped,
            help=translate(
                "LiveView", "The run that is the better for it if the document is relevant"
            ),
        ),
    ]


def verdict_words(verdict: Verdict | None) -> str:
    """Return a verdict's shape and words."""
    return translate("LiveView", str(VERDICT_WORDS[verdict]))


def _span(
    value: float,
    low: float | None,
    high: float | None,
    floor: float,
    ceiling: float,
    decimals: int,
    *,
    signed: bool = False,
    final: bool = True,
) -> IntervalValue:
    def number(each: float) -> str:
        return f"{each:+.{decimals}f}".replace("-", "−") if signed else f"{each:.{decimals}f}"

    if low is None or high is None:
        return IntervalValue(
            value, None, None, floor, ceiling, number(value), translate("LiveView", "provisional")
        )
    ends = number(low), number(high)
    aside = (
        translate("LiveView", "final")
        if final and ends[0] == ends[1]
        else translate("LiveView", "{low} to {high}")
    )
    return IntervalValue(
        value, low, high, floor, ceiling, number(value), filled(aside, low=ends[0], high=ends[1])
    )

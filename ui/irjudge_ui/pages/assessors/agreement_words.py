"""What the agreement page says: the columns of its tables, and what a value means in plain words."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from irjudge.stats.agreement.coefficients import AGREEMENT
from irjudge.stats.agreement.estimates import AgreementEstimate
from irjudge.stats.consensus.rules import Disagreed
from irjudge_ui.charts.intervals import IntervalValue
from irjudge_ui.messages import filled, in_language, listed, sentences
from irjudge_ui.models.tables import Column, IntervalColumn

TOPIC, TITLE, DOCUMENT = range(3)  # columns of the documents on which assessors disagree
translate = QCoreApplication.translate
# Counts of cases, out of 100, where a value is a share.
SHARES = {
    "raw-agreement": QT_TRANSLATE_NOOP(
        "AgreementView",
        "When two assessors grade the same document, they give the same grade in about {count} of 100 cases.",
    ),
    "positive-agreement": QT_TRANSLATE_NOOP(
        "AgreementView",
        "What one assessor calls relevant, another calls relevant too in about {count} of 100 cases.",
    ),
    "overlap": QT_TRANSLATE_NOOP(
        "AgreementView",
        "Of 100 documents that any of their assessors calls relevant, all of them do so for about {count}.",
    ),
    "prevalence": QT_TRANSLATE_NOOP(
        "AgreementView",
        "About {count} of 100 grades are relevant ones. The rarer they are, the lower kappas get at the same raw agreement.",
    ),
}
ABOVE_CHANCE = QT_TRANSLATE_NOOP(
    "AgreementView", "About {count} % of the way from what chance gives (0) to full agreement (1)."
)
CHANCE = QT_TRANSLATE_NOOP("AgreementView", "No more agreement than chance gives.")


def name_of(estimate: AgreementEstimate) -> str:
    """Return the title of a statistic, with its scaling where it has several."""
    declared = AGREEMENT[estimate.statistic]
    title = in_language(declared.title)
    return f"{title}, {in_language(estimate.scale)}" if len(declared.scalings) > 1 else title


def definition(estimate: AgreementEstimate) -> str:
    """Return what a statistic is, as the engine describes it."""
    words = in_language(AGREEMENT[estimate.statistic].about).removeprefix("Return ")
    return words[:1].upper() + words[1:]


def meaning(estimate: AgreementEstimate) -> str:
    """Return what a value means, and no verdict on it: how much agreement is enough depends on what the qrels are for."""
    if estimate.value is None:
        return filled(
            translate("AgreementView", "Undefined: {reason}."), reason=in_language(estimate.reason)
        )
    hundred = f"{100 * estimate.value:.0f}"
    if estimate.statistic in SHARES:
        said = filled(translate("AgreementView", str(SHARES[estimate.statistic])), count=hundred)
    elif estimate.value > 0:
        said = filled(translate("AgreementView", str(ABOVE_CHANCE)), count=hundred)
    else:
        said = translate("AgreementView", str(CHANCE))
    return sentences(said, _rests_on(estimate), _why(estimate))


def _why(estimate: AgreementEstimate) -> str:
    return (
        in_language(f"{estimate.reason[0].upper()}{estimate.reason[1:]}.")
        if estimate.reason
        else ""
    )


def _rests_on(estimate: AgreementEstimate) -> str:
    words = translate(
        "AgreementView", "It rests on {used} of {total} documents, those with two grades or more."
    )
    words = filled(words, used=f"{estimate.used:,}", total=f"{estimate.total:,}")
    if estimate.low is None or estimate.high is None:
        return words
    interval = translate(
        "AgreementView",
        "Other documents of the same kind would give {low} to {high} in 95 of 100 cases.",
    )
    return sentences(
        words, filled(interval, low=_number(estimate.low, 2), high=_number(estimate.high, 2))
    )


def statistic_columns(estimates: Sequence[AgreementEstimate], decimals: int) -> list[Column]:
    """Return statistic, value with interval, and what it rests on."""
    return [
        Column(translate("AgreementView", "Statistic"), name_of),
        _span_column(translate("AgreementView", "Value"), floor_of(estimates), decimals),
        _used_column(),
    ]


def part_columns(
    header: str,
    statistics: Sequence[AgreementEstimate],
    floor: float,
    decimals: int,
    *,
    titles: Mapping[str, str] | None,
) -> list[Column]:
    """Return the columns of a table with a row for each part: a tuple of its estimates, the part in `of`.

    Parts that have titles are topics; of these it is told how many documents their numbers rest on.
    """
    columns = [
        Column(
            header,
            lambda row: row[0].of,
            also=(lambda row: titles.get(row[0].of, "")) if titles is not None else None,
        )
    ]
    columns += [
        _part_column(place, first, floor, decimals) for place, first in enumerate(statistics)
    ]
    rests = _used_column()
    used = Column(
        rests.header, lambda row: rests.value(row[0]), rests.show, number=True, help=rests.help
    )
    return [*columns, *([used] if titles is not None else [])]


def _part_column(
    place: int, first: AgreementEstimate, floor: float, decimals: int
) -> IntervalColumn:
    return IntervalColumn(
        in_language(AGREEMENT[first.statistic].title),
        lambda row: _sorted(row[place]),
        help=definition(first),
        span=lambda row: span_of(row[place], floor, decimals),
        without=_undefined(),
    )


def _used_column() -> Column:
    return Column(
        translate("AgreementView", "Used"),
        lambda each: (each.used, each.total),
        lambda counts: filled(
            translate("AgreementView", "{count} of {total}"),
            count=f"{counts[0]:,}",
            total=f"{counts[1]:,}",
        ),
        number=True,
        help=translate(
            "AgreementView",
            "Documents with two grades or more, of all: only they say something about agreement",
        ),
    )


def _span_column(header: str, floor: float, decimals: int) -> IntervalColumn:
    interval = translate("AgreementView", "With its 95 % interval")
    return IntervalColumn(
        header,
        _sorted,
        help=interval,
        span=lambda each: span_of(each, floor, decimals),
        without=_undefined(),
    )


def _undefined() -> str:
    return translate("AgreementView", "undefined")


def _sorted(estimate: AgreementEstimate) -> float:
    return float("nan") if estimate.value is None else estimate.value


def floor_of(estimates: Sequence[AgreementEstimate]) -> float:
    """Return where bars begin: at 0, or below the lowest end there is."""
    return min(
        [
            0.0,
            *(
                each.low if each.low is not None else each.value
                for each in estimates
                if each.value is not None
            ),
        ]
    )


def span_of(estimate: AgreementEstimate, floor: float, decimals: int) -> IntervalValue | None:
    """Return what is drawn of an estimate; None where it is undefined, which the line below the table explains."""
    if estimate.value is None:
        return None
    aside = (
        ""
        if estimate.low is None or estimate.high is None
        else f"{_number(estimate.low, 2)} – {_number(estimate.high, 2)}"
    )
    return IntervalValue(
        estimate.value,
        estimate.low,
        estimate.high,
        floor,
        1.0,
        _number(estimate.value, decimals),
        aside,
    )


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}".replace("-", "−")


def disagreed_columns(titles: Mapping[str, str]) -> list[Column]:
    """Return the columns of the documents on which assessors disagree: what the document is, who said what, and how far that is apart."""
    return [
        Column(translate("AgreementView", "Topic"), lambda each: each.topic),
        Column(translate("AgreementView", "Title"), lambda each: titles.get(each.document, "")),
        Column(translate("AgreementView", "Document"), lambda each: each.document),
        Column(translate("AgreementView", "Who said what"), _said),
        Column(
            translate("AgreementView", "Apart"),
            lambda each: each.apart,
            number=True,
            help=translate(
                "AgreementView",
                "Grades between the lowest and the highest that was given; ✕ is as far as can be",
            ),
        ),
    ]


def _said(each: Disagreed) -> str:
    return listed(f"{name} {label}" for name, label in each.said)

"""What the models page says: the columns of its tables, and what more judgments buy."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication

from irjudge.audit.model_estimates import PlanForecast
from irjudge_ui.models.tables import Column
from irjudge_ui.words import filled

translate = QCoreApplication.translate


def leniency_columns() -> list[Column]:
    """Return the columns of what a model says of each grade that people gave."""
    return [
        Column(translate("Models", "People"), lambda each: each.grade, number=True, help=translate("Models", "The grade that people gave")),
        Column(translate("Models", "Pairs"), lambda each: each.pairs, "{:,}".format, number=True),
        Column(translate("Models", "Model's mean"), lambda each: each.mean, "{:.2f}".format, number=True),
        Column(translate("Models", "Higher"), lambda each: each.too_high, _percent, number=True),
        Column(translate("Models", "Lower"), lambda each: each.too_low, _percent, number=True),
    ]


def system_columns(decimals: int) -> list[Column]:
    """Return the columns of the systems under people and under a model."""
    number = partial(_plain, decimals=decimals)
    return [
        Column(translate("Models", "Run"), lambda each: each.run),
        Column(translate("Models", "People"), lambda each: each.people, number, number=True),
        Column(translate("Models", "Model"), lambda each: each.model, number, number=True),
        Column(
            translate("Models", "Place"), lambda each: each.people_place, number=True, rising=True, help=translate("Models", "Under people")
        ),
        Column(
            translate("Models", "Its place"),
            lambda each: each.model_place,
            number=True,
            rising=True,
            help=translate("Models", "Under the model"),
        ),
        Column(translate("Models", "Moved"), lambda each: each.people_place - each.model_place, _signed, number=True),
    ]


def conflict_columns() -> list[Column]:
    """Return the columns of the pairs on which a model and people differ."""
    return [
        Column(translate("Models", "Topic"), lambda each: each.topic),
        Column(translate("Models", "Document"), lambda each: each.document),
        Column(translate("Models", "People"), lambda each: each.people, number=True),
        Column(translate("Models", "Model"), lambda each: each.model, number=True),
        Column(translate("Models", "Apart"), lambda each: each.size, number=True),
    ]


def estimate_columns(decimals: int) -> list[Column]:
    """Return the columns of estimated values."""
    number = partial(_plain, decimals=decimals)
    return [
        Column(translate("Models", "Run"), lambda each: each.run),
        Column(translate("Models", "Measure"), lambda each: each.measure),
        Column(translate("Models", "Value"), lambda each: each.value, number, number=True),
        Column(translate("Models", "From"), lambda each: each.low, number, number=True, help=translate("Models", "95 % interval")),
        Column(translate("Models", "To"), lambda each: each.high, number, number=True, help=translate("Models", "95 % interval")),
    ]


def forecast_words(forecasts: Sequence[PlanForecast]) -> list[str]:
    """Return a line for each measure: how far intervals reach with how many judgments."""
    lines = []
    for measure in dict.fromkeys(each.measure for each in forecasts):
        steps = [
            filled(translate("Models", "%1: ±%2"), f"{each.judgments:,}", f"{each.reach:.3f}")
            for each in forecasts
            if each.measure == measure
        ]
        lines.append(filled(translate("Models", "Judgments of people and how far %1 reaches then: %2."), measure, "; ".join(steps)))
    return lines


def _percent(share: float) -> str:
    return f"{share:.0%}"


def _plain(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}"


def _signed(places: int) -> str:
    return f"{places:+d}".replace("-", "−") if places else "0"

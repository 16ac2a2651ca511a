"""Every figure that there is: importing this declares them all."""

from irjudge.report.figures import assessors, curves, systems, topics
from irjudge.report.figures.registry import FIGURES, TAKES, Figure, find_figure

__all__ = ["Figure", "assessors", "catalogue", "curves", "find_figure", "systems", "topics"]


def catalogue() -> tuple[Figure, ...]:
    """Return all figures: those of rankings, of values and of labels."""
    return tuple(sorted(FIGURES.values(), key=lambda figure: TAKES.index(figure.takes)))

"""Every figure that there is: importing this declares them all."""

from irjudge.report.figures import assessors, curves, systems, topics
from irjudge.report.figures.registry import FIGURES, Figure, find_figure

__all__ = ["Figure", "assessors", "catalogue", "curves", "find_figure", "systems", "topics"]

catalogue = FIGURES.catalogue

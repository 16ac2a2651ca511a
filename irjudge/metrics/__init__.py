"""Measures: what a ranking is worth, with numpy alone."""

import importlib
import pkgutil

from irjudge.metrics.judged import Hits, JudgedRun, Scores, divide
from irjudge.metrics.names import GROUPS, Measure, make, parse
from irjudge.metrics.parameters import Parameter, Range
from irjudge.metrics.registry import Alias, Declaration, Exemption, catalogue, find

# Every module is imported, so that a new family is in the catalogue without being listed anywhere.
for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")

__all__ = [
    "GROUPS",
    "Alias",
    "Declaration",
    "Exemption",
    "Hits",
    "JudgedRun",
    "Measure",
    "Parameter",
    "Range",
    "Scores",
    "catalogue",
    "divide",
    "find",
    "make",
    "parse",
]

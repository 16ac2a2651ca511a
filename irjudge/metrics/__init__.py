"""Measures: what a ranking is worth, with numpy alone."""

import importlib
import pkgutil

from irjudge.metrics.basis.judged import Hits, JudgedRun, Scores, divide
from irjudge.metrics.naming.names import GROUPS, Measure, make, parse
from irjudge.metrics.naming.parameters import GainMap, Parameter, Range
from irjudge.metrics.naming.profiles import PROFILES, Profile
from irjudge.metrics.naming.registry import (
    Alias,
    Exemption,
    MeasureDeclaration,
    Pooled,
    catalogue,
    find,
)

# Every module is imported, so that a new family is in the catalogue without being listed anywhere; in the order of their own names,
# wherever they stand, since lists of measures follow it.
for _name in sorted(
    (each.name for each in pkgutil.walk_packages(__path__, f"{__name__}.")),
    key=lambda name: name.rpartition(".")[2],
):
    importlib.import_module(_name)

__all__ = [
    "GROUPS",
    "PROFILES",
    "Alias",
    "Exemption",
    "GainMap",
    "Hits",
    "JudgedRun",
    "Measure",
    "MeasureDeclaration",
    "Parameter",
    "Pooled",
    "Profile",
    "Range",
    "Scores",
    "catalogue",
    "divide",
    "find",
    "make",
    "parse",
]

"""Measures: what a ranking is worth, with numpy alone."""

from irjudge.metrics.judged import Hits, JudgedRun, Scores, divide
from irjudge.metrics.names import GROUPS, PROFILES, Measure, Profile, make, parse
from irjudge.metrics.parameters import GainMap, Parameter, Range
from irjudge.metrics.registry import Alias, Exemption, MeasureDeclaration, Pooled, catalogue, find

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

from .judged import Hits as Hits, JudgedRun as JudgedRun, Scores as Scores, divide as divide
from .names import GROUPS as GROUPS, PROFILES as PROFILES, Measure as Measure, Profile as Profile, make as make, parse as parse
from .parameters import GainMap as GainMap, Parameter as Parameter, Range as Range
from .registry import Alias as Alias, Exemption as Exemption, MeasureDeclaration as MeasureDeclaration, Pooled as Pooled, catalogue as catalogue, find as find, measure as measure

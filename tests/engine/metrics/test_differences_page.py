"""Tests of the help page on differences from trec_eval: its measures and values."""

import re

import pytest

from irjudge.metrics import PROFILES, JudgedRun, parse_measure_name
from irjudge.shipped import shipped_folder

PAGE = (shipped_folder("resources") / "help" / "differences.md").read_text(encoding="utf-8")
SECTIONS = {
    part.partition("\n")[0]: part for part in re.split(r"^##+ ", PAGE, flags=re.MULTILINE)[1:]
}
WITHOUT_MEASURES = (
    "What only the default profile does differently",
    "What every profile does differently",
    "What trec_eval has and irjudge does not",
    "Estimates from samples, compared with NIST's script",
    "Labels of one worker for one item",
    "AC1 and AC2 of items with one label",
    "Models of the assessors, compared with crowd-kit",
)


@pytest.mark.parametrize("title", [title for title in SECTIONS if title not in WITHOUT_MEASURES])
def test_every_measure_named_exists_and_every_difference_has_its_example(title):
    (named,) = re.findall(r"^Measures: (.*)$", SECTIONS[title], re.MULTILINE)
    names = re.findall(r"`([^`]+)`", named)
    assert names and all(parse_measure_name(name) for name in names)
    assert "Example: " in SECTIONS[title].replace("\n", " ")


def test_every_profile_is_in_the_table():
    assert re.findall(r"^\| `([^`]+)`", PAGE, re.MULTILINE) == list(PROFILES)


def value(name: str, ranked, judged=(), **options) -> float:
    (measure,) = parse_measure_name(name)
    return round(
        float(measure.compute(JudgedRun.single(ranked=ranked, judged=judged, **options))[0]), 4
    )


def test_the_values_of_the_examples_are_computed_by_irjudge():
    ranked = [int(rank in (3, 8, 15)) for rank in range(1, 16)]
    assert (value("IPrec@.4", ranked), value("IPrec(rule=trec10)@.4", ranked)) == (0.25, 0.3333)
    names = ("RBP(p=0.9)", "RBP(p=0.9,gain=topic)", "RBP(p=0.9,gain=graded)")
    assert [value(name, [2, 0], highest=4) for name in names] == [0.1, 0.1, 0.05]
    assert (value("RBPResid(p=0.9)", [1] * 10), value("RBPResid(p=0.9,rule=trec10)", [1] * 10)) == (
        0.3487,
        0,
    )
    condensed = [None, 1, -1, 0, 1]
    assert (value("AP", condensed), value("AP(judged_only=true)", condensed)) == (0.45, 0.8333)
    assert value("yaap", [], [1]) == -0.6931
    assert value("relative_P_5", [0]) == 0
    assert (value("Q@1", [1], [1] * 5), value("Q(norm=cutoff)@1", [1], [1] * 5)) == (0.2, 1)
    assert parse_measure_name("set_F.0.25") == parse_measure_name("SetF(beta=0.5)")
    assert value("ndcg.1=1.2,2=1.5", [2, 1]) == 1 > value("ndcg.1=1.2,2=1.5", [1, 2])

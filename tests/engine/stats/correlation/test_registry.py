"""Tests of names of statistics: accepted, printed, and refused."""

import pytest

from irjudge.errors import MeasureError
from irjudge.stats import RankPair, list_correlations, parse_statistics
from irjudge.stats.correlation import CORRELATIONS, CorrelationRegistry, correlate


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("TAU_B", "tau-b"),
        ("kendall", "tau"),
        ("rho", "spearman"),
        ("tau_ap", "tau-ap"),
        ("rbo", "rbo(p=0.9)"),
        ("RBO(p=0.80)", "rbo(p=0.8)"),
        ("rbo(ties=w, p=.5)", "rbo(p=0.5,ties=w)"),
        ("overlap@10", "overlap@10"),
        ("overlap(cutoff=10)", "overlap@10"),
        ("jaccard", "jaccard"),
        ("weighted-tau(rank=first)", "weighted-tau(rank=first)"),
        ("fagin-kendall", "fagin-kendall(p=0.5)"),
    ],
)
def test_typed_names_have_a_printed_form(typed: str, printed: str) -> None:
    assert CORRELATIONS.parse(typed).name == printed
    assert CORRELATIONS.parse(printed) == CORRELATIONS.parse(typed)


@pytest.mark.parametrize(
    ("typed", "fragment"),
    [
        ("tua-b", "Did you mean tau-b"),
        ("spearmen", "Did you mean spearman"),
        ("zzz", "spearman, tau, "),
        ("tau(p=1)", "parameter 'p'"),
        ("rbo(q=1)", "p, ties"),
        ("rbo(p=2", "rbo(p=2"),
        ("rbo(p=much)", "'much'"),
        ("rbo(p=-1)", "-1"),
        ("rbo(ties=z)", "w or b"),
        ("overlap@0", "got 0"),
        ("tau@5", "'cutoff'"),
    ],
)
def test_an_unknown_name_is_refused(typed: str, fragment: str) -> None:
    with pytest.raises(MeasureError) as error:
        CORRELATIONS.parse(typed)
    assert fragment in str(error.value)


def test_each_statistic_is_computed_once() -> None:
    assert [each.name for each in parse_statistics(["tau", "Kendall", "rbo", "rbo(p=0.9)"])] == [
        "tau",
        "rbo(p=0.9)",
    ]


def test_a_name_can_be_declared_once() -> None:
    registry = CorrelationRegistry()
    registry.statistic("tau", title="T", formula="t")(lambda pair: 0.0)
    with pytest.raises(ValueError, match="TAU already names tau"):
        registry.statistic("T2", title="T", formula="t", aliases=["TAU"])(lambda pair: 0.0)


def test_one_declaration_registers_a_statistic() -> None:
    registry = CorrelationRegistry()
    registry.statistic("first", title="Same first", formula="1 where the first is the same")(
        lambda pair: float(pair.first.tolist() == pair.second.tolist())
    )
    assert registry.parse("first").compute(RankPair.of_lists("ab", "ab")) == 1
    assert [each.name for each in registry.catalogue()] == ["first"]


def test_all_planned_statistics_are_registered() -> None:
    wanted = {
        "spearman",
        "tau",
        "tau-b",
        "tau-ap",
        "tau-ap-b",
        "weighted-tau",
        "footrule",
        "rbo",
        "rbo-min",
        "rbo-res",
        "overlap",
        "jaccard",
    }
    assert wanted <= {each.name for each in list_correlations()}


def test_lists_of_items_are_compared_by_name() -> None:
    assert correlate("abc", "acb", "tau") == pytest.approx(1 / 3)
    assert correlate("abc", "abd", "tau", items="union") == pytest.approx((5 - 1) / 6)
    assert correlate("abc", "abd", "tau") == 1

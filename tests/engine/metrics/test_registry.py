"""Tests of measure declarations: their attributes, and invalid declarations."""

import inspect
import subprocess
import sys
from typing import Annotated, Literal

import pytest

from irjudge.errors import MeasureError
from irjudge.metrics import (
    Alias,
    Exemption,
    GainMap,
    JudgedRun,
    Range,
    find_measure,
    list_measures,
    make_measure,
)
from irjudge.metrics.registry import MeasureRegistry


def test_the_catalogue_has_every_measure_once_in_a_stable_order():
    names = [each.name for each in list_measures()]
    assert len(names) == len({name.lower() for name in names})
    kinds = [each.kind for each in list_measures()]
    assert kinds == sorted(kinds, key=["count", "set", "ranked", "graded"].index)
    assert names[:5] == ["NumQ", "NumRet", "NumRel", "NumRelRet", "NumJudgedRet"]
    assert list_measures() == list_measures()


@pytest.mark.slow
def test_the_order_of_import_does_not_change_the_catalogue():
    def printed(first: str) -> str:
        code = f"import irjudge.metrics.{first}; from irjudge.metrics import list_measures; print([each.name for each in list_measures()])"
        return subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True
        ).stdout

    assert (
        printed("sets")
        == printed("cumulative_gain")
        == f"{[each.name for each in list_measures()]}\n"
    )


@pytest.mark.parametrize("declaration", list_measures(), ids=lambda each: each.name)
def test_every_measure_has_a_description(declaration):
    assert inspect.getdoc(declaration.function).startswith("Return ")
    assert not declaration.about[:1].islower() and not declaration.about.startswith("Return")
    assert declaration.about.endswith(".")
    assert declaration.title and declaration.formula and "\n" not in declaration.formula
    assert ">>> " in inspect.getdoc(declaration.function)
    assert all(exemption.reason for exemption in declaration.exemptions)


def test_counts_are_sums_and_shares_are_means():
    sums = {each.name for each in list_measures() if each.summary == "sum"}
    assert sums == {
        "NumQ",
        "NumRet",
        "NumRel",
        "NumRelRet",
        "NumJudgedRet",
        "NumNonrelJudgedRet",
        "TP",
        "FP",
        "FN",
        "TN",
    }


def test_the_sections_of_a_docstring_are_separated():
    bpref = find_measure("Bpref")
    assert (
        f"Return {bpref.about[:1].lower()}{bpref.about[1:]}"
        == (inspect.getdoc(bpref.function).partition("\n")[0])
    )
    assert bpref.references.startswith("Buckley and Voorhees (2004), ")
    assert bpref.references.endswith("25–32.") and "\n" not in bpref.references
    assert bpref.notes.startswith("R documents are relevant") and bpref.notes.endswith(
        "as in the paper."
    )
    assert find_measure("NumQ").references == ""


def test_parameters_are_read_from_the_signature():
    registry = MeasureRegistry()

    @registry.measure("M", title="M", formula="m", at="level")
    def function(
        judged,
        *,
        word: Literal["one", "two"] = "one",
        whole: Annotated[int | None, Range(1)] = None,
        number: float = 1,
        level: Annotated[float, Range(0, 1)],
    ):
        """Return nothing."""

    word, whole, number, level, judged_only = registry.find("m").parameters
    assert (word.kind, word.choices, word.default, word.allowed_values) == (
        "choice",
        ("one", "two"),
        "one",
        "one or two",
    )
    assert (whole.kind, whole.optional, whole.default) == ("whole", True, None)
    assert "whole number" in whole.allowed_values and whole.allowed_values.endswith(", 1 or more")
    assert (number.kind, number.default, type(number.default), number.allowed_values) == (
        "number",
        1.0,
        float,
        "a number",
    )
    assert (level.required, level.optional, level.allowed_values) == (
        True,
        False,
        "a number, between 0 and 1",
    )
    assert (
        judged_only.name,
        judged_only.optional,
        judged_only.default,
        judged_only.allowed_values,
    ) == (
        "judged_only",
        True,
        None,
        "true",
    )
    assert registry.find("M").requires_at
    assert not find_measure("nDCG").requires_at


def test_a_list_of_numbers_and_a_gain_are_parameters_too():
    registry = MeasureRegistry()

    @registry.measure("M", title="M", formula="m")
    def function(
        judged,
        *,
        levels: Annotated[tuple[float, ...], Range(0, 1)] = (0.0, 0.5),
        gain: Literal["linear"] | GainMap = "linear",
    ):
        """Return nothing."""

    levels, gain, _ = registry.find("m").parameters
    assert (levels.kind, levels.default, levels.allowed_values) == (
        "numbers",
        (0.0, 0.5),
        "numbers such as 0.25/0.5, each between 0 and 1",
    )
    assert (gain.kind, gain.choices) == ("gain", ("linear",))
    assert gain.allowed_values.startswith("linear") and "1:3/2:9" in gain.allowed_values
    assert levels.check((0.25,), "M") == (0.25,)
    for invalid in ((), 0.25, "0.25", (2.0,), ("x",)):
        if invalid != 0.25:
            with pytest.raises(MeasureError):
                levels.check(invalid, "M")


def test_an_unknown_name_gets_a_suggestion():
    with pytest.raises(MeasureError) as error:
        find_measure("ndgc")
    assert error.value.values["name"] == "'ndgc'"
    assert error.value.values["suggestion"] == "nDCG"
    assert error.value.key == "unknown-name"
    with pytest.raises(MeasureError) as error:
        find_measure("xyzzy")
    assert error.value.values["name"] == "'xyzzy'"
    assert error.value.key == "unknown-name"
    assert "near" not in error.value.values


def test_an_alias_may_equal_the_name():
    assert (
        find_measure("nDCG").alias("ndcg").suffix == "gain"
        and find_measure("AP").alias("ap").suffix is None
    )


def test_a_measure_of_counts_computes_topics_from_them():
    judged = JudgedRun.single(ranked=[1, None, 0, 2], judged=[1, 1, 2, 2])
    pooled = [each for each in list_measures() if each.micro and not each.needs]
    assert {each.name for each in pooled} >= {
        "P",
        "R",
        "Rprec",
        "SetP",
        "SetR",
        "SetF",
        "SetAP",
        "Judged",
        "Unjudged",
    }
    for declaration in pooled:
        required = {
            each.name: each.choices[0] if each.choices else 10
            for each in declaration.parameters
            if each.required
        }
        values = make_measure(declaration, **required)
        counts = declaration.micro.counts(judged, **values.settings)
        assert declaration.micro.formula(*counts).tolist() == values.compute(judged).tolist(), (
            declaration.name
        )


def nothing(judged, *, rel: int = 1):
    """Return nothing."""


def test_a_duplicate_name_is_refused():
    registry = MeasureRegistry()
    registry.measure("AP", title="t", formula="f", aliases=["map"])(nothing)
    with pytest.raises(ValueError, match="MAP already names AP"):
        registry.measure("Other", title="t", formula="f", aliases=["MAP"])(nothing)


def test_a_declaration_that_names_a_missing_parameter_is_refused():
    for invalid in (
        {"at": "cutoff"},
        {"always": ["p"]},
        {"aliases": [Alias("x", preset=(("gain", "exp2"),))]},
        {"aliases": [Alias("x", suffix="beta")]},
        {"exemptions": [Exemption("tail", "why", when=(("norm", ("a",)),))]},
    ):
        with pytest.raises(TypeError, match="has no parameter"):
            MeasureRegistry().measure("M", title="t", formula="f", **invalid)(nothing)


def test_a_missing_docstring_or_invalid_parameter_is_refused():
    def silent(judged): ...

    def strange(judged, *, names: list[str]):
        """Return nothing."""

    with pytest.raises(TypeError, match="needs a docstring"):
        MeasureRegistry().measure("M", title="t", formula="f")(silent)
    with pytest.raises(TypeError, match=r"list\[str\]"):
        MeasureRegistry().measure("M", title="t", formula="f")(strange)


def test_an_exemption_may_apply_to_some_parameters_only():
    average = find_measure("AP")
    assert average.satisfies("top_heavy", {"norm": "relevant"})
    assert not average.satisfies("top_heavy", {"norm": "retrieved"})
    assert not find_measure("NumRet").satisfies("top_heavy", {})
    assert not find_measure("NumRet").satisfies("tail", {})

"""Tests of catalogues: lookup by any name, order, and suggestions for unknown names."""

import sys
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from irjudge.catalogue import Catalogue
from irjudge.errors import IrjudgeError, MeasureError
from irjudge.message import Message
from irjudge.metrics import MEASURE_REGISTRY as MEASURES
from irjudge.pooling import list_strategies
from irjudge.pooling.strategies import STRATEGIES
from irjudge.report.figures import catalogue as figures
from irjudge.report.figures.chart import FIGURES
from irjudge.stats import list_correlations as statistics
from irjudge.stats.agreement import AGREEMENT
from irjudge.stats.consensus import CONSENSUS_RULES
from irjudge.stats.correlation import CORRELATIONS as STATISTICS
from irjudge.stats.significance import CORRECTIONS, TESTS

FAMILIES = {
    "measures": MEASURES,
    "rank statistics": STATISTICS,
    "agreement": AGREEMENT,
    "tests": TESTS,
    "corrections": CORRECTIONS,
    "rules": CONSENSUS_RULES,
    "strategies": STRATEGIES,
    "figures": FIGURES,
}
every_family = pytest.mark.parametrize("family", FAMILIES.values(), ids=list(FAMILIES))


@dataclass(frozen=True)
class Thing:
    name: str
    rank: int = 0


def things(*declared: Thing, **wishes) -> Catalogue[Thing]:
    made: Catalogue[Thing] = Catalogue("Thing", **wishes)
    for each in declared:
        made.add(each)
    return made


def test_a_name_is_found_in_any_spelling() -> None:
    made = things()
    made.add(Thing("lower-median"), ["low"])
    assert {made.find(typed).name for typed in ("Lower_Median", " lower median ", "LOW")} == {
        "lower-median"
    }
    assert made.lookup("median") is None and "low" not in made and list(made) == ["lower-median"]


def test_entries_are_ordered_by_position_then_by_declaration() -> None:
    declared = [Thing("c", 1), Thing("b", 0), Thing("a", 1)]
    assert list(things(*declared)) == ["c", "b", "a"]
    made = things(*declared, sort_key=lambda each: each.rank)
    assert (
        list(made) == ["b", "c", "a"] == [each.name for each in made.catalogue()] and len(made) == 3
    )


def test_a_name_can_be_declared_once() -> None:
    made = things(Thing("one"))
    for name, aliases in (("ONE", []), ("two", ["One"])):
        with pytest.raises(ValueError, match=r"(?i)one already names one"):
            made.add(Thing(name), aliases)


@pytest.mark.parametrize(("typed", "near"), [("wilcoxen", "wilcoxon"), ("zz", None)])
def test_an_unknown_name_gets_a_suggestion(typed: str, near: str | None) -> None:
    with pytest.raises(MeasureError) as error:
        things(Thing("sign"), Thing("wilcoxon"), error_class=MeasureError).find(typed)
    values = error.value.values
    assert error.value.key == "unknown-name" and isinstance(error.value.args[0], Message)
    assert (values["kind"], values["name"]) == ("Thing", repr(typed))
    assert (values["names"], values.get("suggestion")) == ("sign, wilcoxon", near)


def test_a_long_list_is_not_printed_in_errors() -> None:
    with pytest.raises(IrjudgeError) as error:
        things(Thing("sign"), listing="See the list.").find("b")
    assert (error.value.key, error.value.values["listing"]) == ("unknown-name", "See the list.")
    assert "names" not in error.value.values


@every_family
def test_all_entries_are_found_by_name_and_have_descriptions(family) -> None:
    assert len(family) > 3 and list(family) == [each.name for each in family.catalogue()]
    for name in family:
        assert family.find(name.upper()) is family[name] is family.lookup(name)
        message = (
            getattr(family[name], "about", "")
            or getattr(family[name], "purpose", "")
            or getattr(family[name], "meaning", "")
        )
        assert message and getattr(family[name], "title", name)


@every_family
def test_a_misspelt_name_gets_the_right_suggestion(family) -> None:
    name = max(family, key=len)
    with pytest.raises(IrjudgeError, match=rf"Did you mean {name}\?"):
        family.find(f"{name[:-2]}x{name[-1]}")


def test_public_functions_list_the_entries_of_catalogues() -> None:
    assert (list_strategies(), statistics(), figures()) == (
        STRATEGIES.catalogue(),
        STATISTICS.catalogue(),
        FIGURES.catalogue(),
    )


def test_a_name_imports_only_the_modules_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = things(
        modules=("things_first", "things_second"), load_extensions=lambda: made.add(Thing("more"))
    )
    monkeypatch.setitem(sys.modules, "things_here", SimpleNamespace(add=made.add, thing=Thing))
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("first", "second"):
        source = f"import things_here as h\nh.add(h.thing({name!r}), [{name[:1]!r}])\n"
        (tmp_path / f"things_{name}.py").write_text(source)
    assert made.find("f").name == "first" and made["first"].name == "first"
    assert "things_second" not in sys.modules
    assert made.find("second").name == "second" and made.lookup("no") is None
    assert list(made) == ["first", "second", "more"]
    for name in ("things_first", "things_second"):
        monkeypatch.delitem(sys.modules, name)

"""The page of measures in the help: made from the code, complete, and as it is shipped."""

from irjudge.metrics.naming.registry import catalogue
from irjudge.report.catalogue import catalogue_page, explained
from irjudge.shipped import shipped


def test_the_shipped_page_is_the_one_the_code_makes() -> None:
    shown = (shipped("resources") / "help" / "measures.md").read_text(encoding="utf-8")
    assert shown == catalogue_page(), "run `irjudge measures --page > resources/help/measures.md`"


def test_every_measure_has_its_formula_bounds_average_and_what_it_says() -> None:
    page = catalogue_page()
    for declaration in catalogue():
        lines = explained(declaration, declaration.name)
        assert f"### {declaration.name}\n" in page and declaration.about in page
        assert [line.split()[0] for line in lines if line.startswith("  ") and line.split()[0] in ("formula", "bounds", "average")] == [
            "formula",
            "bounds",
            "average",
        ]

"""The page of measures in the help: made from the code, complete, and as it is shipped."""

import re

import pytest

from irjudge.metrics.naming.registry import catalogue
from irjudge.report.catalogue import catalogue_page, explained, measure_words
from irjudge.shipped import shipped


@pytest.mark.parametrize("language", ["", "zh_CN"])
def test_the_shipped_page_is_the_one_the_code_makes(language: str) -> None:
    path = shipped("resources") / "help" / language / "measures.md"
    shown = path.read_text(encoding="utf-8")
    assert shown == catalogue_page(language), (
        f"run `irjudge measures --page --language {language or 'en'} > {path}`"
    )


@pytest.mark.parametrize("part", ["titles", "abouts"])
def test_every_measure_has_a_title_and_a_sentence_in_chinese(part: str) -> None:
    assert set(measure_words("zh_CN")[part]) == {each.name for each in catalogue()}
    assert measure_words("en_GB")[part] == {}


def test_whatever_is_said_of_a_measure_is_said_in_chinese() -> None:
    texts = measure_words("zh_CN")["texts"]
    for declaration in catalogue():
        meant = [
            said for each in declaration.parameters for said in (each.about, str(each.allowed))
        ]
        assert {
            " ".join(said.split()) for said in (declaration.notes, *meant) if said
        } <= texts.keys(), declaration.name
        below_the_title = "\n".join(
            explained(declaration, declaration.name, "zh_CN")[1:]
        ).partition("文献")[0]
        assert not re.search("[a-z]{2,} (the|of|is|are|which|to|or) ", below_the_title), (
            declaration.name
        )
    numbers = re.compile(r"\d+(?:[.,]\d+)*")
    assert all(
        set(numbers.findall(said)) == set(numbers.findall(text)) for said, text in texts.items()
    ), "a number is not translated"


def test_every_measure_has_its_formula_bounds_average_and_what_it_says() -> None:
    page = catalogue_page()
    for declaration in catalogue():
        lines = explained(declaration, declaration.name)
        assert f"### {declaration.name}\n" in page and declaration.about in page
        assert [
            line.split()[0]
            for line in lines
            if line.startswith("  ") and line.split()[0] in ("formula", "bounds", "average")
        ] == [
            "formula",
            "bounds",
            "average",
        ]

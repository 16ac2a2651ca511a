"""Tests of the help page of measures: generated from the code, complete, and up to date."""

import re

import pytest

from irjudge.metrics import list_measures
from irjudge.report import catalogue_page, explain_measure
from irjudge.report.catalogue import catalogue_texts
from irjudge.shipped import shipped_folder
from irjudge.translations import load_catalogue


@pytest.mark.parametrize("language", ["", "zh_CN"])
def test_the_shipped_page_is_up_to_date(language: str) -> None:
    path = shipped_folder("resources") / "help" / language / "measures.md"
    shown = path.read_text(encoding="utf-8")
    assert shown == catalogue_page(language), (
        f"run `irjudge measures --page --language {language or 'en'} > {path}`"
    )


def test_every_text_about_a_measure_has_a_chinese_translation() -> None:
    for declaration in list_measures():
        below_the_title = "\n".join(
            explain_measure(declaration, declaration.name, "zh_CN")[1:]
        ).partition("文献")[0]
        assert not re.search("[a-z]{2,} (the|of|is|are|which|to|or) ", below_the_title), (
            declaration.name
        )


def test_the_numbers_of_a_text_are_in_its_translation() -> None:
    numbers = re.compile(r"\d+(?:[.,]\d+)*")
    entries = load_catalogue("zh_CN").entries
    translated = {text: entries.get((text, ""), text) for text in catalogue_texts()}
    assert len(translated) > 300
    different = [
        text
        for text, translation in translated.items()
        if set(numbers.findall(text)) != set(numbers.findall(translation))
    ]
    assert [numbers.findall(text) for text in different] == [
        ["1"]
    ]  # of RR: 倒数 contains no number


def test_every_measure_has_formula_bounds_average_and_description() -> None:
    page = catalogue_page()
    for declaration in list_measures():
        lines = explain_measure(declaration, declaration.name)
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

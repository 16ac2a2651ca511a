"""Tests of the print settings of a workbook's sheets."""

from pathlib import Path

import openpyxl
import pytest

from irjudge.progress import SILENT
from irjudge.report.workbook import WorkbookColumn, create_workbook, write_table


def test_formula_keys_at_the_end_of_a_sheet_are_not_printed(tmp_path: Path) -> None:
    columns = [
        WorkbookColumn("Run"),
        *(WorkbookColumn(f"P@{rank}", "number") for rank in range(9)),
        WorkbookColumn("Row", "whole", is_key=True),
    ]
    with create_workbook(tmp_path / "book.xlsx") as book:
        write_table(book, "Table", columns, [["a", *[0.5] * 9, 1]], SILENT)
    sheet = openpyxl.load_workbook(tmp_path / "book.xlsx")["Table"]
    assert sheet.print_area == "'Table'!$A$1:$J$2" and sheet.max_column == 11


@pytest.mark.parametrize(("columns", "scale"), [(8, None), (60, "60")])
def test_a_wide_sheet_is_split_into_pages_instead_of_tiny_print(
    tmp_path: Path, columns: int, scale: str | None
) -> None:
    with create_workbook(tmp_path / "x.xlsx") as book:
        named = [
            WorkbookColumn("Topic"),
            *(WorkbookColumn(f"nDCG@10, run {at}", "number") for at in range(columns)),
        ]
        write_table(book, "Wide", named, [("1", *([0.5] * columns))], SILENT, frozen=1)
    sheet = openpyxl.load_workbook(tmp_path / "x.xlsx")["Wide"]
    fitted = sheet.sheet_properties.pageSetUpPr
    assert bool(fitted and fitted.fitToPage) is not bool(scale) and (
        not scale or str(sheet.page_setup.scale) == scale
    )
    assert sheet.print_title_rows == "$1:$1" and (sheet.print_title_cols or None) == (
        scale and "$A:$A"
    )
    assert sheet.page_setup.orientation == "landscape"

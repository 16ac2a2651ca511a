"""Tests of spreadsheets: converted cells, invalid files, and files that would fill the memory."""

import datetime
import io
import time
import zipfile
from pathlib import Path

import numpy as np
import openpyxl
import pytest
import xlsxwriter

from irjudge.errors import FormatError
from irjudge.formats import ReaderWarnings
from irjudge.formats.rankings import read_qrels
from irjudge.formats.rows import is_workbook, parse_columns
from irjudge.formats.rows import tables as workbooks
from irjudge.formats.rows.tables import iter_workbook_rows


def write_rows(folder: Path, *rows: list[object]) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(folder / "a.xlsx")
    return folder / "a.xlsx"


def with_sheet(path: Path, sheet: str, part: str = "xl/worksheets/sheet1.xml") -> Path:
    """Replace the XML of the sheet, or of another part."""
    out = io.BytesIO()
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, sheet if name == part else old.read(name))
    path.write_bytes(out.getvalue())
    return path


def read(path: Path) -> list[tuple[int, list[str]]]:
    return list(iter_workbook_rows(path, ReaderWarnings()))


SHEET = (
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s</worksheet>'
)


def test_cells_are_converted_to_text(tmp_path):
    day = datetime.datetime(2026, 1, 31, 10, 30)  # noqa: DTZ001 -- a spreadsheet knows no time zones
    path = write_rows(
        tmp_path, ["051", 51, 2.0, 1.5, True, None, day, " a\nb "], [], [None, "x", None]
    )
    assert read(path) == [
        (1, ["051", "51", "2", "1.5", "TRUE", "", "2026-01-31T10:30:00", " a\nb "]),
        (3, ["", "x"]),
    ]


def test_rows_above_the_header_and_sheets_without_one_are_left_out(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["notes of May"])
    table = book.create_sheet("labels")
    for row in (["My judgments"], [], ["Query ID", "Doc  ID", "Relevance"], ["q1", "d1", 2]):
        table.append(row)
    book.save(tmp_path / "a.xlsx")
    qrels = read_qrels(tmp_path / "a.xlsx")
    assert list(qrels.rows()) == [("q1", "d1", 2)]
    assert [each.key for each in qrels.warnings] == ["read-as", "sheet-chosen", "rows-above-header"]


def test_columns_named_by_the_user_are_found_in_the_first_row(tmp_path):
    path = write_rows(tmp_path, ["a", "b", "c"], ["q1", "d1", 2], ["topic", "document", 1])
    columns = parse_columns("topic=a,document=b,grade=c", ("topic", "document", "grade"))
    rows = list(read_qrels(path, columns=columns).rows())
    assert rows == [("q1", "d1", 2), ("topic", "document", 1)]


def test_a_sheet_without_a_size_is_read_row_by_row(tmp_path, monkeypatch):
    """The sheet has more tags than may precede the next row."""
    monkeypatch.setattr(workbooks, "MAX_TAGS", 10_000)
    book = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet()
    sheet.append(["topic", "document", "grade"])
    for number in range(3000):
        sheet.append([number, "d", 1])
    book.save(tmp_path / "a.xlsx")
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        content = archive.read("xl/worksheets/sheet1.xml")
    assert b"<dimension" not in content and content.count(b"<") > 10_000
    assert len(read_qrels(tmp_path / "a.xlsx")) == 3000


def test_a_sheet_with_a_false_size_is_read_completely(tmp_path):
    cells = '<dimension ref="A1:XFD1048576"/><sheetData><row r="2"><c r="B2" t="inlineStr"><is><t>x</t></is></c></row></sheetData>'
    assert read(with_sheet(write_rows(tmp_path, ["a"]), SHEET % cells)) == [(2, ["", "x"])]


@pytest.mark.slow
def test_distant_columns_and_rows_take_no_memory(tmp_path):
    cells = '<sheetData><row r="1"><c r="A1"><v>1</v></c><c r="%s"><v>2</v></c></row></sheetData>'
    path = write_rows(tmp_path, ["a"])
    assert read(with_sheet(path, SHEET % (cells % "XFD1"))) == [(1, ["1"])]
    with pytest.raises(FormatError, match="the spreadsheet is damaged"):
        read(with_sheet(path, SHEET % (cells % "ZZZZZZZZ1")))
    with pytest.raises(FormatError, match="more than 1,048,576 rows"):
        read(
            with_sheet(
                path,
                SHEET
                % '<sheetData><row r="999999999999"><c r="A999999999999"><v>1</v></c></row></sheetData>',
            )
        )


@pytest.mark.slow
def test_decompression_bombs_are_refused(tmp_path):
    path = with_sheet(write_rows(tmp_path, ["a"]), SHEET % (" " * 80_000_000))
    with pytest.raises(FormatError) as refused:
        read(path)
    assert (refused.value.key, refused.value.path.name) == ("bomb", "a.xlsx")
    assert refused.value.values["megabytes"] == "76 MB"


@pytest.mark.slow
def test_too_many_styles_for_the_memory_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(workbooks, "MAX_PART_BYTES", 20_000)
    styles = '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs>%s</cellXfs></styleSheet>'
    path = with_sheet(write_rows(tmp_path, ["a"]), styles % ("<xf/>" * 5000), "xl/styles.xml")
    with pytest.raises(FormatError) as refused:
        read(path)
    values = refused.value.values
    assert (refused.value.key, values["name"]) == ("large-part", "xl/styles.xml")
    assert (values["size"], values["limit"]) == ("0 MB", "0 MB")
    assert (
        len(read(write_rows(tmp_path, *(["a" * 99] for _ in range(5000))))) == 5000
    )  # a sheet is read row by row


@pytest.mark.slow
def test_implausibly_many_styles_are_refused_before_reading(tmp_path, monkeypatch):
    styles = '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs>%s</cellXfs></styleSheet>'
    path = with_sheet(write_rows(tmp_path, ["a"]), styles % ("<xf/>" * 800_000), "xl/styles.xml")
    begun = time.process_time()
    with pytest.raises(FormatError) as refused:
        read(path)
    assert refused.value.key == "large-part"
    assert refused.value.problem.values["problem"].values["count"] == "800,002"
    assert time.process_time() - begun < 2
    most = 65_000  # styles that a spreadsheet program can write, each with two elements inside
    assert 3 * most < workbooks.MAX_PART_ELEMENTS
    monkeypatch.setattr(workbooks, "MAX_PART_ELEMENTS", workbooks.MAX_PART_ELEMENTS // 10)
    few = "<xf><alignment/><protection/></xf>" * (most // 10)
    assert len(read(with_sheet(write_rows(tmp_path, ["a"]), styles % few, "xl/styles.xml"))) == 1


def test_entities_are_refused(tmp_path):
    bomb = (
        '<!DOCTYPE w [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>'
        + SHEET % "<sheetData>&b;</sheetData>"
    )
    with pytest.raises(FormatError) as refused:
        read(with_sheet(write_rows(tmp_path, ["a"]), bomb))
    assert (refused.value.key, refused.value.path.name) == ("damaged", "a.xlsx")
    reason = refused.value.values["reason"]
    assert reason and "\n" not in reason and not reason.endswith(".")


@pytest.mark.parametrize("keep", [0, 10, 1000, -30])
def test_a_truncated_file_is_refused_or_not_recognised(tmp_path, keep):
    path = write_rows(tmp_path, ["a"])
    path.write_bytes(path.read_bytes()[:keep])
    assert is_workbook(path) == bool(keep)
    other = path.rename(tmp_path / "other")
    assert not is_workbook(other)
    path = other.rename(path)
    with pytest.raises(FormatError, match="the spreadsheet is damaged"):
        read(path)


def test_shared_texts_are_read_only_as_far_as_needed(tmp_path):
    """Reading millions of shared texts took 19 s before a header was refused.

    Here the end of the texts is damaged, which only a reader of all texts notices.
    """
    texts = (
        "<si><t>topic</t></si><si><r><t>do</t></r><r><t>c</t></r></si>"
        + f"<si><t>{'x' * 90}</t></si>" * 4000
        + "<si><broken</si>"
    )
    shared = f'<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">{texts}</sst>'
    rows = '<sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>%s</sheetData>'
    with xlsxwriter.Workbook(str(tmp_path / "a.xlsx")) as book:
        book.add_worksheet().write_string(0, 0, "a")
    path = with_sheet(tmp_path / "a.xlsx", shared, "xl/sharedStrings.xml")
    assert read(with_sheet(path, SHEET % (rows % ""))) == [(1, ["topic", "doc"])]
    for number in (4002, -1, 10**9):
        with pytest.raises(FormatError, match="the spreadsheet is damaged"):
            read(
                with_sheet(
                    path, SHEET % (rows % f'<row r="2"><c r="A2" t="s"><v>{number}</v></c></row>')
                )
            )


def test_a_bomb_is_refused_next_to_a_part_that_is_not_compressed(tmp_path):
    with xlsxwriter.Workbook(str(tmp_path / "a.xlsx")) as book:
        book.add_worksheet().write_string(0, 0, "a")
    path = with_sheet(
        tmp_path / "a.xlsx", STRINGS % ("<si><t/></si>" * 600_000), "xl/sharedStrings.xml"
    )
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/media/noise.bin", np.random.default_rng(1).bytes(2_000_000))
    with pytest.raises(FormatError) as refused:
        read(path)
    assert refused.value.key == "bomb"


def test_a_uniform_picture_is_no_bomb_unless_it_is_the_sheet(tmp_path):
    path = write_rows(tmp_path, ["a"])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/image1.bmp", bytes(6_000_000))
    assert read(path) == [(1, ["a"])]
    relations = "xl/_rels/workbook.xml.rels"
    with zipfile.ZipFile(path) as archive:
        text = archive.read(relations).decode()
    assert "worksheets/sheet1.xml" in text
    with pytest.raises(FormatError) as refused:
        read(with_sheet(path, text.replace("worksheets/sheet1.xml", "media/image1.bmp"), relations))
    assert refused.value.key == "bomb"


def test_too_many_shared_texts_are_refused(tmp_path, monkeypatch):
    """193 KB with a million empty texts between comments took 5 s and 190 MB."""
    monkeypatch.setattr(workbooks, "MIN_CHECKED_STRINGS", 3000)
    with xlsxwriter.Workbook(str(tmp_path / "a.xlsx")) as book:
        book.add_worksheet().write_string(0, 0, "a")
    for count in (3000, 3001):
        strings = STRINGS % ("<si><t>a</t></si>" * count)
        path = with_sheet(tmp_path / "a.xlsx", strings, "xl/sharedStrings.xml")
        row = f'<row r="1"><c r="A1" t="s"><v>{count - 1}</v></c></row>'
        path = with_sheet(path, SHEET % f"<sheetData>{row}</sheetData>")
        if count == 3000:
            assert read(path) == [(1, ["a"])]
        else:
            with pytest.raises(FormatError) as refused:
                read(path)
            assert refused.value.key == "large-part"


def test_a_cell_in_the_last_row_is_read(tmp_path):
    path = write_rows(tmp_path, ["topic", "document", "grade"], ["1", "d1", "1"])
    row = '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="IV1048576"><v>7</v></c></row>'
    rows = read(with_sheet(path, SHEET % f"<sheetData>{row}</sheetData>"))
    assert rows == [(1, ["1"]), (1_048_576, [*[""] * 255, "7"])]


def test_cells_with_the_same_long_text_are_refused_if_their_texts_are_too_long(tmp_path):
    """A workbook of 281 KB with 4,000 references to one text needed 6 GB."""
    with xlsxwriter.Workbook(str(tmp_path / "a.xlsx")) as book:
        book.add_worksheet().write_string(0, 0, "a")
    path = with_sheet(
        tmp_path / "a.xlsx", STRINGS % f"<si><t>{'x' * 500_000}</t></si>", "xl/sharedStrings.xml"
    )
    cells = '<c t="s"><v>0</v></c>' * 20
    rows = "".join(f'<row r="{number}">{cells}</row>' for number in range(1, 200))
    with pytest.raises(FormatError) as refused:
        read(with_sheet(path, SHEET % f"<sheetData>{rows}</sheetData>"))
    assert refused.value.key == "bomb"
    few_rows = f'<row r="1">{cells}</row>'
    (row,) = read(with_sheet(path, SHEET % f"<sheetData>{few_rows}</sheetData>"))
    assert row[1] == ["x" * 500_000] * 20


def test_other_archives_and_folders_are_not_spreadsheets(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.txt", "a")
    assert not is_workbook(tmp_path / "a.zip")
    assert not is_workbook(tmp_path)
    assert not is_workbook(tmp_path / "none")
    assert is_workbook(write_rows(tmp_path, ["a"]))


STRINGS = '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">%s</sst>'
MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


@pytest.mark.parametrize(
    ("part", "xml"),
    [
        (
            "xl/worksheets/sheet1.xml",
            SHEET % f"<sheetData><row>{'<c/>' * 60_000}</row></sheetData>",
        ),
        ("xl/worksheets/sheet1.xml", SHEET % f"<sheetData>{'<x/>' * 60_000}</sheetData>"),
        ("xl/worksheets/sheet1.xml", SHEET % f"{'<x/>' * 60_000}<sheetData/>"),
        ("xl/sharedStrings.xml", STRINGS % f"<si>{'<r><t>a</t></r>' * 20_000}</si>"),
    ],
)
def test_too_much_data_in_a_row_or_text_is_refused(
    tmp_path: Path, part: str, xml: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """1.6 MB with one row of 8 million cells took more than 45 s and 750 MB."""
    monkeypatch.setattr(workbooks, "MAX_XML_BYTES", 200_000)
    with xlsxwriter.Workbook(tmp_path / "a.xlsx") as book:
        book.add_worksheet().write_row(0, 0, ["a", "b"])
    path = with_sheet(tmp_path / "a.xlsx", xml, part)
    with pytest.raises(FormatError) as raised:
        read(path)
    assert raised.value.key == "large-row"


@pytest.mark.parametrize(
    "xml",
    [
        "<sheetData><row>" + "<c/>" * 3000 + "</row></sheetData>",
        "<sheetData>" + "<row>" * 1500 + "</row>" * 1500 + "</sheetData>",
        "<sheetData><row " + " ".join(f'a{n}=""' for n in range(3000)) + "/></sheetData>",
    ],
    ids=["cells", "nested", "attributes"],
)
def test_too_many_or_too_long_tags_before_a_row_are_refused(
    tmp_path: Path, xml: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """4 MB with one tag of 900,000 attributes took 88 s, 13 KB with 3 million cells 45 s."""
    monkeypatch.setattr(workbooks, "MAX_TAGS", 2000)
    monkeypatch.setattr(workbooks, "MAX_TAG_BYTES", 10_000)
    monkeypatch.setattr(workbooks, "READ_BYTES", 1000)
    path = with_sheet(write_rows(tmp_path, ["a", "b"]), SHEET % xml)
    with pytest.raises(FormatError) as raised:
        read(path)
    assert raised.value.key == "large-row"


def test_a_small_bomb_and_too_many_parts_are_refused(tmp_path: Path) -> None:
    path = with_sheet(write_rows(tmp_path, ["a"]), SHEET % (" " * 6_000_000))
    with pytest.raises(FormatError) as raised:
        read(path)
    assert raised.value.key == "bomb"
    write_rows(tmp_path, ["a"])
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(workbooks.MAX_PARTS):
            archive.writestr(f"xl/{number}.bin", b"")
    with pytest.raises(FormatError) as raised:
        read(path)
    assert raised.value.key == "too-many-parts"


@pytest.mark.slow
def test_many_rows_and_texts_are_read_regardless_of_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workbooks, "MAX_XML_BYTES", 200_000)
    path = write_rows(tmp_path, *([f"text {row}", row] for row in range(9_000)))
    assert len(read(path)) == 9_000


@pytest.mark.slow
def test_tens_of_thousands_of_sheets_are_refused_quickly(tmp_path: Path) -> None:
    """21 KB with 40,000 sheets took 40 s."""
    path = write_rows(tmp_path, ["a", "b"])
    with zipfile.ZipFile(path) as archive:
        book = archive.read("xl/workbook.xml").decode()
    sheet = f'<sheet name="x" sheetId="2" r:id="rId1" xmlns:r="{RELATIONS}"/>'
    with_sheet(path, book.replace("<sheets>", f"<sheets>{sheet * 40_000}"), "xl/workbook.xml")
    began = time.process_time()
    with pytest.raises(FormatError):
        read_qrels(path)
    assert time.process_time() - began < 20


@pytest.mark.parametrize("length", [200, 5_000, 1_500_000])
@pytest.mark.parametrize("quote", ['"', "'"])
def test_an_overlong_number_format_is_refused(tmp_path: Path, length: int, quote: str) -> None:
    """3 MB of brackets took minutes."""
    code = f"formatCode={quote}{'[' * length}{quote}"
    styles = (
        f'<numFmts><numFmt numFmtId="170" {code}/></numFmts><cellXfs><xf numFmtId="170"/></cellXfs>'
    )
    sheet = f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'
    path = with_sheet(write_rows(tmp_path, ["a", "b"]), sheet, "xl/styles.xml")
    if length == 200:
        assert read(path) == [(1, ["a", "b"])]
        return
    with pytest.raises(FormatError) as raised:
        read(path)
    assert raised.value.key == "large-format"

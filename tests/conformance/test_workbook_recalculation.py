"""Tests that LibreOffice recalculates the stored values of workbooks."""

import shutil
import subprocess
from collections.abc import Callable
from contextlib import closing
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import openpyxl
import pandas as pd
import pytest
import xlsxwriter

from irjudge.cli.main import main
from irjudge.evaluation import (
    Coverage,
    Evaluation,
    Policy,
    RunScores,
    evaluate_runs,
    join,
    parse_measures,
)
from irjudge.metrics import parse_measure_name
from irjudge.model import Qrels, Run, make_qrels, make_run
from irjudge.report import make_worked_sheets
from irjudge.report.contents import compare_all_runs, correlate_measures, first_evaluated_topic
from irjudge.report.workbook import curve_measures, sheet_writer
from irjudge.report.workbook.book import WorkbookContents, write_workbook
from irjudge.report.workbook.sheets import FIRST_ROW, RESULT_COLUMN, WORKED_RESULTS
from tests.lengths import short_or_long

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")

# 0: always; by default LibreOffice shows stored values in workbooks that it did not write itself.
ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
Recalculate = Callable[[list[Path]], Path]
Books = Callable[[str], tuple[Path, Path]]
Cells = dict[tuple[str, str], Any]


@pytest.fixture(scope="module")
def recalculate(tmp_path_factory: pytest.TempPathFactory) -> Recalculate:
    """Function that converts workbooks with LibreOffice, and returns the folder of the results."""
    if SOFFICE is None:
        pytest.skip("LibreOffice (soffice) is not installed")
    profile = tmp_path_factory.mktemp("profile")
    (profile / "user").mkdir()
    (profile / "user" / "registrymodifications.xcu").write_text(
        ALWAYS_RECALCULATE, encoding="utf-8"
    )

    def call(paths: list[Path]) -> Path:
        folder = tmp_path_factory.mktemp("computed")
        arguments = [
            str(SOFFICE),
            f"-env:UserInstallation={profile.as_uri()}",
            "--headless",
            "--convert-to",
            "xlsx",
            "--outdir",
            str(folder),
        ]
        done = subprocess.run(
            [*arguments, *map(str, paths)], capture_output=True, text=True, timeout=300, check=False
        )
        assert {path.name for path in folder.iterdir()} == {path.name for path in paths}, (
            done.stdout + done.stderr
        )
        return folder

    return call


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory, recalculate: Recalculate) -> Books:
    """Each workbook of this module as written and as recalculated; LibreOffice is started once."""
    folder = tmp_path_factory.mktemp("written")
    for name, write in WRITERS.items():
        write(folder / f"{name}.xlsx")
    computed = recalculate([folder / f"{name}.xlsx" for name in WRITERS])
    return lambda name: (folder / f"{name}.xlsx", computed / f"{name}.xlsx")


def read_cells(path: Path | BytesIO, *, values: bool) -> Cells:
    """Return the value of each cell by sheet and position, or whether it is a formula."""
    book = openpyxl.load_workbook(path, data_only=values, read_only=True)
    filled = (
        (sheet, cell)
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if cell.value is not None
    )
    result = {
        (sheet.title, cell.coordinate): cell.value if values else cell.data_type == "f"
        for sheet, cell in filled
    }
    book.close()
    return result


def find_formulas(path: Path | BytesIO) -> list[tuple[str, str]]:
    """Return the sheet and position of each formula."""
    return [cell for cell, is_formula in read_cells(path, values=False).items() if is_formula]


def assert_same(path: Path, computed: Path) -> int:
    """Check that each formula has a stored value equal to the computed one; return their number."""
    cells_with_formulas = find_formulas(path)
    stored, new = (
        [cells.get(cell) for cell in cells_with_formulas]
        for cells in (read_cells(path, values=True), read_cells(computed, values=True))
    )
    problems = [
        each
        for each in zip(cells_with_formulas, stored, new, strict=True)
        if not all(isinstance(value, int | float) for value in each[1:])
    ]
    assert not problems, problems[:5]
    np.testing.assert_allclose(stored, new, rtol=1e-9, atol=1e-9)
    return len(cells_with_formulas)


def random_collection(topics: int = 7, documents: int = 30) -> tuple[Qrels, list[Run]]:
    """Return random qrels and runs; the last run lacks two topics, one document is unjudgeable."""
    random = np.random.default_rng(7)
    judged = [
        (f"00{topic}", f"d{each}", int(random.choice([0, 0, 0, 1, 2, 3])))
        for topic in range(topics)
        for each in range(0, documents, 2)
    ]
    judged += [("000", "d1", -2), ("000", "nowhere", 3)]
    runs = []
    for name in ("*", "007", "=1+1", "one:two"):
        held = range(topics - 2 if name == "one:two" else topics)
        rows = [
            (f"00{topic}", f"d{each}", float(random.random()))
            for topic in held
            for each in random.permutation(documents)[:20]
        ]
        runs.append(make_run(name, rows))
    return make_qrels(judged), runs


MEASURES = ("NumRelRet", "AP", "P@5", "nDCG@10", "GMAP", "DCG(gain=exp2)")


def evaluated(
    average: str = "macro", measures: tuple[str, ...] = MEASURES
) -> tuple[Evaluation, list[Run]]:
    qrels, runs = random_collection()
    return evaluate_runs(qrels, runs, parse_measures(measures), Policy(average=average)), runs  # type: ignore[arg-type]


def contents(table: Evaluation, runs: list[Run], **more: object) -> WorkbookContents:
    comparison, _ = compare_all_runs(table)
    titles = {topic: f"=the title of {topic}" for topic in table.topics[:-1]}
    curves = evaluate_runs(table.qrels, runs, curve_measures(table.policy))
    by_name = {run.name: run for run in runs}
    worked = make_worked_sheets(
        table, [*first_evaluated_topic(table), (runs[-1].name, "003")], by_name.__getitem__, titles
    )
    return WorkbookContents(
        titles=titles,
        curves=curves,
        comparison=comparison,
        correlations=correlate_measures(table),
        worked_sheets=worked,
        **more,
    )  # type: ignore[arg-type]


# The workbooks


def write_wrong(path: Path) -> None:
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet().write_formula(0, 0, "=1+1", None, 99)


def write_report(path: Path) -> None:
    table, runs = evaluated()
    write_workbook(path, table, contents(table, runs, qrels=table.qrels.rows()))


def write_average(path: Path) -> None:
    table, _ = evaluated(path.stem, ("NumRelRet", "SetP", "P@1"))  # which is 0 on some topics
    write_workbook(path, table)


def write_parts(path: Path) -> None:
    table, _ = evaluated(measures=("NumRelRet", "AP", "GMAP"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sheet_writer, "MAX_ROWS", 12)
        write_workbook(path, table)


@cache
def plain_workbook() -> bytes:
    """Return the workbook that is changed."""
    table, runs = evaluated()
    with TemporaryDirectory() as folder:
        path = Path(folder) / "plain.xlsx"
        write_workbook(path, table, contents(table, runs))
        return path.read_bytes()


def write_sorted(path: Path) -> None:
    book = openpyxl.load_workbook(BytesIO(plain_workbook()))
    for name in ("Per topic", "Curves per topic"):
        rows = [[cell.value for cell in row] for row in book[name].iter_rows(min_row=2)]
        for index, row in enumerate(sorted(rows, key=lambda row: row[4], reverse=True), 2):
            for column, value in enumerate(row, 1):
                book[name].cell(index, column).value = value
                if isinstance(value, str):
                    book[name].cell(index, column).data_type = "s"
    book.save(path)


# Grades by the row of the table, from 1; rows after the ranking are documents that were not
# retrieved. Then rel, cutoff and gain.
CHANGES: dict[str, tuple[dict[int, int | str], int, int, str]] = {
    "changed": ({3: 3, 5: 0, 8: 2}, 1, 10, "linear"),
    "unjudged": ({2: "unjudged", 20: 3}, 2, 5, "exp2"),
    "deep": ({22: 0}, 1, 30, "exp2"),
    "first": ({}, 3, 1, "linear"),
}


def write_changed(path: Path) -> None:
    grades, *choice = CHANGES[path.stem]
    book = openpyxl.load_workbook(BytesIO(plain_workbook()))
    sheet = book["Worked"]
    for other in set(book.worksheets) - {sheet}:  # its formulas read no other sheet
        book.remove(other)
    for row, grade in grades.items():
        sheet.cell(FIRST_ROW + row - 1, 3).value = grade
    sheet["B4"], sheet["B5"], sheet["B6"] = choice
    book.save(path)


def write_sample(path: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parent)
        assert main(["sample", path.stem, "-o", f"{path.stem}.irjudge"]) == 0
        assert main(["report", f"{path.stem}.irjudge", "-o", path.name]) == 0


AVERAGES, SAMPLES = ("geometric", "median", "micro"), ("textbook", "everyday")
WRITERS: dict[str, Callable[[Path], None]] = {
    "wrong": write_wrong,
    "report": write_report,
    "parts": write_parts,
    "sorted": write_sorted,
}
WRITERS |= (
    dict.fromkeys(AVERAGES, write_average)
    | dict.fromkeys(CHANGES, write_changed)
    | dict.fromkeys(SAMPLES, write_sample)
)


def test_wrong_stored_values_are_recalculated(books: Books) -> None:
    """Without this, the other tests could pass on stored values alone."""
    written, computed = books("wrong")
    assert read_cells(written, values=True) == {("Sheet1", "A1"): 99}
    assert read_cells(computed, values=True) == {("Sheet1", "A1"): 2}


def test_every_formula_recalculates_to_its_stored_value(books: Books) -> None:
    written, computed = books("report")
    assert assert_same(written, computed) > 1000
    assert {sheet for sheet, _ in find_formulas(written)} == {
        "Summary",
        "By topic",
        "Curves",
        "Worked",
        "Worked 2",
        "Comparisons",
    }


@pytest.mark.parametrize("average", AVERAGES)
def test_other_averages_recalculate_to_their_stored_values(books: Books, average: str) -> None:
    written, computed = books(average)
    assert_same(written, computed)
    # Counts of topics were pooled, which no formula over topic values reproduces.
    assert (("Summary", "C2") in find_formulas(written)) == (average != "micro")


def test_topics_on_several_sheets_recalculate_to_their_stored_values(books: Books) -> None:
    written, computed = books("parts")
    assert "Per topic 3" in {sheet for sheet, _ in read_cells(written, values=True)}
    assert_same(written, computed)


def test_a_sorted_sheet_gives_the_same_means(books: Books) -> None:
    stored, new = (
        read_cells(BytesIO(plain_workbook()), values=True),
        read_cells(books("sorted")[1], values=True),
    )
    assert stored["Per topic", "A2"] != new["Per topic", "A2"]
    for cell in find_formulas(BytesIO(plain_workbook())):
        assert new[cell] == pytest.approx(stored[cell], abs=1e-9), cell


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_grade_gives_the_value_of_the_engine(books: Books, change: str) -> None:
    written, computed = books(change)
    _, rel, cutoff, gain = CHANGES[change]
    with closing(openpyxl.load_workbook(written, read_only=True)) as book:
        rows = list(book["Worked"].iter_rows(min_row=FIRST_ROW, max_col=3, values_only=True))
    topic = [("1", document, grade) for _, document, grade in rows if isinstance(grade, int)]
    run = make_run(
        "a", [("1", document, -float(rank)) for rank, document, _ in rows if isinstance(rank, int)]
    )
    judged = join(run, make_qrels(topic))
    names = (
        f"P@{cutoff}",
        "AP",
        f"DCG(gain={gain})@{cutoff}",
        f"nDCG(gain={gain})@{cutoff}",
        f"DCG(gain={gain})",
        f"nDCG(gain={gain})",
    )
    wanted = [float(parse_measure_name(name, rel=rel)[0].compute(judged)[0]) for name in names]
    cells = read_cells(computed, values=True)
    column = openpyxl.utils.get_column_letter(RESULT_COLUMN + 2)
    assert [
        cells["Worked", f"{column}{row}"] for row in range(1, len(WORKED_RESULTS) + 1)
    ] == pytest.approx(wanted, abs=1e-9)


def test_pandas_reads_a_value_for_every_formula() -> None:
    frames = pd.read_excel(BytesIO(plain_workbook()), sheet_name=None, header=None)
    for sheet, cell in find_formulas(BytesIO(plain_workbook())):
        row, column = openpyxl.utils.cell.coordinate_to_tuple(cell)
        assert isinstance(frames[sheet].iat[row - 1, column - 1], int | float), (sheet, cell)
        assert not pd.isna(frames[sheet].iat[row - 1, column - 1]), (sheet, cell)


@pytest.mark.parametrize("sample", SAMPLES)
def test_the_report_of_a_sample_recalculates_to_its_stored_values(
    books: Books, sample: str
) -> None:
    assert assert_same(*books(sample)) > 200


def test_129_systems_recalculate_to_their_stored_values(
    data: Path, tmp_path: Path, recalculate: Recalculate
) -> None:
    from_file = {
        name: np.loadtxt(data / "system_scores" / f"adhoc8_{name}.csv", delimiter=",", skiprows=1).T
        for name in ("ap", "p10")
    }
    values = np.stack(list(from_file.values()), axis=1)[: short_or_long(8, 129)]
    table = make_evaluation(values, ("AP", "P@10"))
    comparison, _ = compare_all_runs(table)
    path = tmp_path / "systems.xlsx"
    write_workbook(
        path, table, WorkbookContents(comparison=comparison, correlations=correlate_measures(table))
    )
    assert assert_same(path, recalculate([path]) / path.name) > len(values) * 50 * 2


def make_evaluation(values: np.ndarray, names: tuple[str, ...]) -> Evaluation:
    """Return an evaluation with these values, shape (runs, measures, topics)."""
    topics = tuple(str(401 + index) for index in range(values.shape[2]))
    coverage = Coverage(len(topics), 0, 0, 0, 0.0, 0)
    runs = (
        RunScores(f"run{index}", topics, each, each.mean(axis=1), coverage)
        for index, each in enumerate(values, 1)
    )
    return Evaluation(parse_measures(names), Policy(), tuple(runs), make_qrels([]))

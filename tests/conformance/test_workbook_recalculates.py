"""The workbook as another program computes it: LibreOffice, made to recalculate everything it loads."""

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
import xlsxwriter
from openpyxl.worksheet.worksheet import Worksheet

from irjudge.cli.main import main
from irjudge.evaluation.join import join
from irjudge.evaluation.table import Coverage, Evaluation, Policy, RunScores, evaluate, parse_measures
from irjudge.metrics.naming.names import parse
from irjudge.model.ranking import Qrels, Run, make_qrels, make_run
from irjudge.report.gathering import compared, correlated, first_topic, worked_sheets
from irjudge.report.workbook import sheets
from irjudge.report.workbook.book import Contents, write_workbook
from irjudge.report.workbook.curves import curve_measures
from irjudge.report.workbook.worked import FIRST, RESULT_COLUMN, RESULTS

SOFFICE = shutil.which("soffice") or shutil.which("libreoffice")

# 0: always; by default LibreOffice shows what is stored in a workbook that it did not write itself.
ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""
Recalculate = Callable[[Path], Path]


@pytest.fixture(scope="module")
def recalculate(tmp_path_factory: pytest.TempPathFactory) -> Recalculate:
    """Open a workbook with LibreOffice in a profile of its own, and return what it saves."""
    if SOFFICE is None:
        pytest.skip("LibreOffice (soffice) is not installed")
    profile = tmp_path_factory.mktemp("profile")
    (profile / "user").mkdir()
    (profile / "user" / "registrymodifications.xcu").write_text(ALWAYS, encoding="utf-8")

    def call(path: Path) -> Path:
        folder = tmp_path_factory.mktemp("computed")
        words = [str(SOFFICE), f"-env:UserInstallation={profile.as_uri()}", "--headless", "--convert-to", "xlsx", "--outdir"]
        done = subprocess.run([*words, str(folder), str(path)], capture_output=True, text=True, timeout=300, check=False)
        assert (folder / path.name).is_file(), done.stdout + done.stderr
        return folder / path.name

    return call


def formulas(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the sheet and place of each formula."""
    for sheet in openpyxl.load_workbook(path):
        cells = (cell for row in sheet.iter_rows() for cell in row) if isinstance(sheet, Worksheet) else ()
        yield from ((sheet.title, cell.coordinate) for cell in cells if cell.data_type == "f")


def assert_same(path: Path, computed: Path) -> int:
    """Every formula has a stored value, and it is what was computed; return how many there are."""
    stored, new = (openpyxl.load_workbook(each, data_only=True) for each in (path, computed))
    places = list(formulas(path))
    values = [[book[sheet][cell].value for sheet, cell in places] for book in (stored, new)]
    wrong = [
        (place, *pair) for place, *pair in zip(places, *values, strict=True) if not all(isinstance(each, int | float) for each in pair)
    ]
    assert not wrong, wrong[:5]
    np.testing.assert_allclose(values[0], values[1], rtol=1e-9, atol=1e-9)
    return len(places)


def collection(topics: int = 7, documents: int = 30) -> tuple[Qrels, list[Run]]:
    """Random qrels and runs, of which the last lacks two topics and the first topic has a document that cannot be judged."""
    drawn = np.random.default_rng(7)
    judged = [
        (f"00{topic}", f"d{each}", int(drawn.choice([0, 0, 0, 1, 2, 3]))) for topic in range(topics) for each in range(0, documents, 2)
    ]
    judged += [("000", "d1", -2), ("000", "nowhere", 3)]
    runs = []
    for name in ("*", "007", "=1+1", "one:two"):
        held = range(topics - 2 if name == "one:two" else topics)
        rows = [(f"00{topic}", f"d{each}", float(drawn.random())) for topic in held for each in drawn.permutation(documents)[:20]]
        runs.append(make_run(name, rows))
    return make_qrels(judged), runs


MEASURES = ("NumRelRet", "AP", "P@5", "nDCG@10", "GMAP", "DCG(gain=exp2)")


def evaluated(average: str = "macro", measures: tuple[str, ...] = MEASURES) -> tuple[Evaluation, list[Run]]:
    qrels, runs = collection()
    return evaluate(qrels, runs, parse_measures(measures), Policy(average=average)), runs  # type: ignore[arg-type]


def contents(table: Evaluation, runs: list[Run], **more: object) -> Contents:
    comparison, _ = compared(table)
    titles = {topic: f"=the title of {topic}" for topic in table.topics[:-1]}
    curves = evaluate(table.qrels, runs, curve_measures(table.policy))
    by_name = {run.name: run for run in runs}
    worked = worked_sheets(table, [*first_topic(table), (runs[-1].name, "003")], by_name.__getitem__, titles)
    return Contents(titles=titles, curves=curves, comparison=comparison, correlations=correlated(table), worked=worked, **more)  # type: ignore[arg-type]


def test_wrong_stored_values_are_computed_anew(tmp_path: Path, recalculate: Recalculate) -> None:
    """Without this the other tests could pass on stored values alone."""
    path = tmp_path / "wrong.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        book.add_worksheet().write_formula(0, 0, "=1+1", None, 99)
    assert openpyxl.load_workbook(path, data_only=True).active["A1"].value == 99
    assert openpyxl.load_workbook(recalculate(path), data_only=True).active["A1"].value == 2


def test_every_formula_comes_out_as_stored(tmp_path: Path, recalculate: Recalculate) -> None:
    table, runs = evaluated()
    path = tmp_path / "report.xlsx"
    write_workbook(path, table, contents(table, runs, qrels=table.qrels.rows()))
    found = assert_same(path, recalculate(path))
    assert {sheet for sheet, _ in formulas(path)} == {"Summary", "By topic", "Curves", "Worked", "Worked 2", "Comparisons"}
    assert found > 1000


@pytest.mark.parametrize("average", ["geometric", "median", "micro"])
def test_other_averages_come_out_as_stored(tmp_path: Path, recalculate: Recalculate, average: str) -> None:
    table, _ = evaluated(average, ("NumRelRet", "SetP", "P@1"))  # which is 0 on some topics
    path = tmp_path / f"{average}.xlsx"
    write_workbook(path, table)
    assert_same(path, recalculate(path))
    summary = {cell for sheet, cell in formulas(path) if sheet == "Summary"}
    assert ("C2" in summary) == (average != "micro")  # counts of topics were pooled, which no formula over the topics' values gives


def test_topics_on_several_sheets_come_out_as_stored(tmp_path: Path, recalculate: Recalculate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "ROWS", 12)
    table, _ = evaluated(measures=("NumRelRet", "AP", "GMAP"))
    path = tmp_path / "parts.xlsx"
    write_workbook(path, table)
    assert "Per topic 3" in openpyxl.load_workbook(path).sheetnames
    assert_same(path, recalculate(path))


def test_a_sorted_sheet_gives_the_same_means(tmp_path: Path, recalculate: Recalculate) -> None:
    table, runs = evaluated()
    path = tmp_path / "sorted.xlsx"
    write_workbook(path, table, contents(table, runs))
    stored = openpyxl.load_workbook(path, data_only=True)
    book = openpyxl.load_workbook(path)
    for name in ("Per topic", "Curves per topic"):
        rows = [[cell.value for cell in row] for row in book[name].iter_rows(min_row=2)]
        for place, row in enumerate(sorted(rows, key=lambda row: row[4], reverse=True), 2):
            for column, value in enumerate(row, 1):
                book[name].cell(place, column).value = value
                if isinstance(value, str):
                    book[name].cell(place, column).data_type = "s"
    book.save(path)
    new = openpyxl.load_workbook(recalculate(path), data_only=True)
    for sheet, cell in formulas(path):
        assert new[sheet][cell].value == pytest.approx(stored[sheet][cell].value, abs=1e-9), (sheet, cell)


CHANGES = [({3: 3, 5: 0, 8: 2}, 1, 10, "linear"), ({2: "unjudged", 20: 3}, 2, 5, "exp2"), ({22: 0}, 1, 30, "exp2"), ({}, 3, 1, "linear")]


@pytest.mark.parametrize(("grades", "rel", "cutoff", "gain"), CHANGES)
def test_a_changed_grade_gives_what_the_engine_gives_for_it(
    tmp_path: Path, recalculate: Recalculate, grades: dict[int, int | str], rel: int, cutoff: int, gain: str
) -> None:
    """`grades` by the row of the table, from 1; rows behind the ranking are of documents that were not retrieved."""
    table, runs = evaluated()
    path = tmp_path / "changed.xlsx"
    write_workbook(path, table, contents(table, runs))
    book = openpyxl.load_workbook(path)
    sheet = book["Worked"]
    for row, grade in grades.items():
        sheet.cell(FIRST + row - 1, 3).value = grade
    sheet["B4"], sheet["B5"], sheet["B6"] = rel, cutoff, gain
    rows = [[cell.value for cell in row[:3]] for row in sheet.iter_rows(min_row=FIRST)]
    book.save(path)
    computed = openpyxl.load_workbook(recalculate(path), data_only=True)["Worked"]
    topic = [("1", document, grade) for _, document, grade in rows if isinstance(grade, int)]
    run = make_run("a", [("1", document, -float(rank)) for rank, document, _ in rows if isinstance(rank, int)])
    judged = join(run, make_qrels(topic))
    names = (f"P@{cutoff}", "AP", f"DCG(gain={gain})@{cutoff}", f"nDCG(gain={gain})@{cutoff}", f"DCG(gain={gain})", f"nDCG(gain={gain})")
    wanted = [float(parse(name, rel=rel)[0].compute(judged)[0]) for name in names]
    assert [computed.cell(row, RESULT_COLUMN + 2).value for row in range(1, len(RESULTS) + 1)] == pytest.approx(wanted, abs=1e-9)


def test_pandas_finds_no_formula_without_a_value(tmp_path: Path) -> None:
    table, runs = evaluated()
    path = tmp_path / "report.xlsx"
    write_workbook(path, table, contents(table, runs))
    frames = pd.read_excel(path, sheet_name=None, header=None)
    for sheet, cell in formulas(path):
        row, column = openpyxl.utils.cell.coordinate_to_tuple(cell)
        assert isinstance(frames[sheet].iat[row - 1, column - 1], int | float), (sheet, cell)
        assert not pd.isna(frames[sheet].iat[row - 1, column - 1]), (sheet, cell)


@pytest.mark.parametrize("sample", ["textbook", "everyday"])
def test_the_report_of_a_sample_comes_out_as_stored(
    tmp_path: Path, recalculate: Recalculate, monkeypatch: pytest.MonkeyPatch, sample: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["sample", sample, "-o", "s.irjudge"]) == 0
    assert main(["report", "s.irjudge", "-o", "s.xlsx"]) == 0
    assert assert_same(tmp_path / "s.xlsx", recalculate(tmp_path / "s.xlsx")) > 200


def test_129_systems_come_out_as_stored(data: Path, tmp_path: Path, recalculate: Recalculate) -> None:
    from_file = {name: np.loadtxt(data / "system_scores" / f"adhoc8_{name}.csv", delimiter=",", skiprows=1).T for name in ("ap", "p10")}
    values = np.stack(list(from_file.values()), axis=1)
    table = scored(values, ("AP", "P@10"))
    comparison, _ = compared(table)
    path = tmp_path / "systems.xlsx"
    write_workbook(path, table, Contents(comparison=comparison, correlations=correlated(table)))
    assert assert_same(path, recalculate(path)) > 129 * 50 * 2


def scored(values: np.ndarray, names: tuple[str, ...]) -> Evaluation:
    """Return an evaluation with these values, shape (runs, measures, topics)."""
    topics = tuple(str(401 + place) for place in range(values.shape[2]))
    coverage = Coverage(len(topics), 0, 0, 0, 0.0, 0)
    runs = (RunScores(f"run{place}", topics, each, each.mean(axis=1), coverage) for place, each in enumerate(values, 1))
    return Evaluation(parse_measures(names), Policy(), tuple(runs), make_qrels([]))

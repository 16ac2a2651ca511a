"""Tests of the workbook: written, then read back with other programs."""

import errno
import os
import re
import stat
import zipfile
from collections import Counter
from pathlib import Path

import numpy as np
import openpyxl
import pandas as pd
import pytest
from openpyxl.utils.escape import unescape

from irjudge.errors import Cancelled, IrjudgeError
from irjudge.evaluation import (
    TOPIC_POLICY_DESCRIPTIONS,
    Evaluation,
    Policy,
    compute_needed_topics,
    evaluate_runs,
    parse_measures,
)
from irjudge.formats.bytes import atomic_write as replacing_module
from irjudge.model import TIES_MEANING, make_qrels, make_run
from irjudge.progress import Progress
from irjudge.report.contents import METHOD_TITLE as MADE
from irjudge.report.contents import compare_all_runs
from irjudge.report.workbook import WrittenWorkbook, make_worked_sheet, sheet_writer
from irjudge.report.workbook import sheets as by_topic
from irjudge.report.workbook.book import WorkbookContents, write_workbook
from irjudge.report.workbook.sheets import JudgmentRow
from tests.engine.report import three_runs
from tests.pools import depth_pool

HOSTILE = (
    *"=1+1 @x +1 -1 007 1e5 1.0 TRUE #N/A NaN http://example.org mailto:a@b internal:A1 * ? ~ <> &lt; \"'quoted' {=1+1}".split(),
    *"_x0041_ _x000 é😀 \x01 \x1b[2J \ufffe \uffff".split(),
    *("tab\there", "\t", " ", " both ", "a\rb", "a\r\nb", "a\nb", "\x7f\x85\u2028"),
)
QRELS = [("1", "a", 1), ("1", "b", 0), ("007", "a", 2), ("007", "c", 1), ("9", "a", 1)]
RUNS = {
    "one": [
        ("1", "a", 2.0),
        ("1", "b", 3.0),
        ("007", "b", 3.0),
        ("007", "a", 1.0),
        ("other", "x", 1.0),
    ],
    "two": [("007", "c", 3.0), ("007", "a", 3.0)],
}
MEASURES = ["NumQ", "NumRelRet", "AP", "nDCG@10", "P@5"]


def evaluate(runs: dict[str, list[tuple[str, str, float]]] = RUNS) -> Evaluation:
    return evaluate_runs(
        make_qrels(QRELS),
        [make_run(name, rows) for name, rows in runs.items()],
        parse_measures(MEASURES),
    )


def rows_of(path: Path, sheet: str, *, formulas: bool = False) -> list[tuple[object, ...]]:
    """Return the rows below the headers, with texts as Excel shows them."""
    book = openpyxl.load_workbook(path, data_only=not formulas)
    rows = book[sheet].iter_rows(min_row=2, values_only=True)
    return [
        tuple(unescape(cell) if isinstance(cell, str) else cell for cell in row) for row in rows
    ]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "evaluation.xlsx"


def list_files(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_the_summary_stores_a_value_with_each_formula(path):
    table = evaluate()
    write_workbook(path, table)
    for run, row in zip(table.runs, rows_of(path, "Summary"), strict=True):
        assert row[0] == run.run
        np.testing.assert_allclose(
            np.array(row[1 : 1 + len(table.measures)], dtype=float), run.summary, rtol=0, atol=1e-12
        )
        assert row[6:12] == (
            run.coverage.topics,
            run.coverage.missing,
            run.coverage.unjudged_topics,
            run.coverage.without_relevant,
            pytest.approx(run.coverage.unjudged_top, abs=1e-12),
            run.coverage.tied,
        )


def test_the_means_of_the_summary_are_formulas_over_the_topics(path):
    write_workbook(path, evaluate())
    first, second = rows_of(path, "Summary", formulas=True)
    assert first[1] == "=SUMIFS('Per topic'!$C$2:$C$4,'Per topic'!$H$2:$H$4,$M2)"
    assert second[3] == "=AVERAGEIFS('Per topic'!$E$2:$E$4,'Per topic'!$H$2:$H$4,$M3)"


def test_a_geometric_mean_is_a_formula_too_and_the_profile_is_written(path):
    judged = make_qrels([("1", "a", 1), ("2", "b", 1)])
    runs = [make_run("a", [("1", "a", 1.0), ("2", "a", 2.0), ("2", "b", 1.0)])]
    table = evaluate_runs(
        judged, runs, parse_measures(["GMAP"]), Policy(profile="trec_eval-9", depth=1000)
    )
    write_workbook(path, table)
    ((_, formula, *_),) = rows_of(path, "Summary", formulas=True)
    values, numbers = "'Per topic'!$C$2:$C$3", "'Per topic'!$D$2:$D$3"
    assert formula == f"=EXP((SUMPRODUCT(({numbers}=$I2)*LN({values})))/(COUNTIFS({numbers},$I2)))"
    assert table.runs[0].summary.tolist() == pytest.approx([0.5**0.5])
    settings = dict(row[:2] for row in rows_of(path, "Settings"))
    assert settings["Profile"].startswith("trec_eval-9: ") and "1,000" in settings["Depth"]


def compute_formulas(path: Path) -> list[list[float]]:
    """Compute the formulas of the Summary from the cells that they refer to."""
    book = openpyxl.load_workbook(path)

    def area(text: str) -> list[float]:
        sheet, cells = text.rsplit("!", 1)
        return [
            0 if row[0].value is None else row[0].value
            for row in book[sheet.strip("'")][cells.replace("$", "")]
        ]

    def ifs(arguments: str) -> list[float]:
        values, runs, number = arguments.rstrip(")").split(",")
        wanted = book["Summary"][number.replace("$", "")].value
        return [value for value, run in zip(area(values), area(runs), strict=True) if run == wanted]

    def one(formula: str) -> float:
        formula = formula.removeprefix("=")
        total, _, count = formula.partition("/MAX(1,")
        result = [
            each for part in total.strip("()").split("+") for each in ifs(part.partition("(")[2])
        ]
        if count:
            return sum(result) / max(1, len(result))
        return sum(result) / len(result) if formula.startswith("AVERAGE") else sum(result)

    rows = book["Summary"].iter_rows(min_row=2)
    return [[one(cell.value) for cell in row[1 : 1 + len(MEASURES)]] for row in rows]


@pytest.mark.parametrize("limit", [1_048_576, 6, 5, 4])
def test_the_formulas_give_the_values_over_any_number_of_sheets(path, monkeypatch, limit):
    monkeypatch.setattr(sheet_writer, "MAX_ROWS", limit)
    judged = make_qrels([(str(topic), "a", 1) for topic in range(10)])
    lengths = {"seven": 7, "three": 3, "none": 0}
    runs = [
        make_run(name, [(str(topic), "a" if topic % 2 else "b", 1.0) for topic in range(count)])
        for name, count in lengths.items()
    ]
    table = evaluate_runs(judged, runs, parse_measures(MEASURES))
    write_workbook(path, table)
    assert rows_of(path, "Summary")[0][3] == pytest.approx(3 / 7)
    np.testing.assert_allclose(
        compute_formulas(path), [run.summary for run in table.runs], rtol=0, atol=1e-12
    )


def test_topics_have_values_of_full_precision(path):
    table = evaluate()
    write_workbook(path, table)
    rows = rows_of(path, "Per topic")
    wanted = [
        (run.run, topic, *values)
        for run in table.runs
        for topic, values in zip(run.topics, run.values.T.tolist(), strict=True)
    ]
    assert [row[:2] for row in rows] == [row[:2] for row in wanted]
    np.testing.assert_allclose(
        np.array([row[2:-2] for row in rows]),
        np.array([row[2:] for row in wanted]),
        rtol=0,
        atol=1e-12,
    )
    assert [row[-2:] for row in rows] == [(1, 1), (1, 2), (2, 3)]


def test_pandas_reads_it_and_topics_stay_text(path):
    table = evaluate()
    write_workbook(path, table)
    frame = pd.read_excel(path, sheet_name="Per topic", dtype={"Topic": str})
    assert frame.groupby("Run")["AP"].mean().to_dict() == pytest.approx(
        {run.run: run.summary[2] for run in table.runs}, abs=1e-12
    )
    assert frame["Topic"].tolist() == ["1", "007", "007"]
    assert pd.read_excel(path)["AP"].tolist() == pytest.approx(
        [run.summary[2] for run in table.runs], abs=1e-12
    )


@pytest.mark.slow
def test_ids_and_notes_stay_text_with_any_first_character(path):
    judged = [
        JudgmentRow(
            name, name, name, None, name, name, 5, note=name, imported=name, page=name, seen=name
        )
        for name in HOSTILE
    ]
    runs = {name: [("1", "a", 1.0)] for name in HOSTILE}
    write_workbook(
        path,
        evaluate(runs),
        WorkbookContents(
            judgments=judged, qrels=[(name, name, 1) for name in HOSTILE], metadata={"=1": "=2"}
        ),
    )
    assert rows_of(path, "Judgments") == [
        (*[name] * 3, None, name, None, name, name, 5, 1, None, name, name, name, None)
        for name in HOSTILE
    ]
    assert rows_of(path, "Qrels") == [(name, name, 1) for name in HOSTILE]
    assert [row[0] for row in rows_of(path, "Summary")] == list(HOSTILE)
    assert ("=1", "=2") in rows_of(path, "Settings")
    formulas = [
        cell
        for sheet in openpyxl.load_workbook(path)
        for row in sheet
        for cell in row
        if cell.data_type == "f"
    ]
    # Five means, the topics, and three measures with other averages.
    assert Counter(cell.parent.title for cell in formulas) == {
        "Summary": 6 * len(HOSTILE),
        "By topic": 3 * len(HOSTILE),
    }
    with zipfile.ZipFile(path) as packed:
        related = [packed.read(name) for name in packed.namelist() if "_rels/sheet" in name]
    assert not any(b"hyperlink" in each for each in related)


def test_run_names_that_criteria_confuse_keep_their_means(path):
    runs = {
        name: [("007", "b", 3.0), ("007", "a", score)]
        for name, score in {"*": 1, "A": 9, "a": 1, "7": 9, "007": 1, ">0": 9}.items()
    }
    write_workbook(path, evaluate(runs))
    assert [row[2] for row in compute_formulas(path)] == pytest.approx([0.25, 0.5] * 3)


def test_a_text_too_long_for_a_cell_is_truncated_with_a_warning(path):
    wide = "😀" * 20_000
    judged = [
        JudgmentRow("1", "d", "me", None, "x" * 32_767),
        JudgmentRow("1", "d", "me", None, "x" * 32_768),
        JudgmentRow("1", wide, "me", 1),
    ]
    written = write_workbook(path, evaluate(), WorkbookContents(judgments=judged))
    assert [len(row[4] or "") for row in rows_of(path, "Judgments")] == [32_767, 32_767, 0]
    assert rows_of(path, "Judgments")[2][1] == "😀" * 16_383
    (warning,) = written.warnings
    assert warning.startswith("2 ") and " 32,767 " in warning
    assert "Judgments, row 3, Unjudgeable because" in warning
    assert ("Remark", *written.warnings) in rows_of(path, "Settings")


def test_a_lone_surrogate_is_replaced_with_a_warning(path):
    written = write_workbook(path, evaluate({"caf\udce9": [("1", "a", 1.0)]}))
    assert rows_of(path, "Summary")[0][0] == "caf\ufffd"
    assert (
        "half a character" in written.warnings[0] and "Summary, row 2, Run" in written.warnings[0]
    )


def test_rows_beyond_the_limit_of_a_sheet_continue_on_the_next(path, monkeypatch):
    monkeypatch.setattr(sheet_writer, "MAX_ROWS", 20)
    rows = [("1", f"d{index}", 1) for index in range(45)]
    written = write_workbook(path, evaluate(), WorkbookContents(qrels=rows))
    assert [each for each in written.sheets if each[0].startswith("Qrels")] == [
        ("Qrels", 19),
        ("Qrels 2", 19),
        ("Qrels 3", 7),
    ]
    assert rows_of(path, "Qrels") + rows_of(path, "Qrels 2") + rows_of(path, "Qrels 3") == rows
    heading = next(openpyxl.load_workbook(path)["Qrels 3"].iter_rows(values_only=True))
    assert heading == ("Topic", "Document", "Grade")


@pytest.mark.parametrize("rows", [1, 19, 20, 38, 39])
def test_the_predicted_sheets_are_the_written_ones(path, monkeypatch, rows):
    monkeypatch.setattr(sheet_writer, "MAX_ROWS", 20)
    written = write_workbook(path, evaluate(), WorkbookContents(qrels=[("1", "d", 1)] * rows))
    assert [(part.sheet, part.last - 1) for part in sheet_writer.table_sheets("Qrels", rows)] == [
        each for each in written.sheets if each[0].startswith("Qrels")
    ]


def test_an_empty_evaluation_gives_a_workbook_of_headers(path):
    nothing = evaluate_runs(make_qrels([]), [], parse_measures(["AP"]))
    written = write_workbook(path, nothing)
    assert dict(written.sheets)["Per topic"] == 0
    assert rows_of(path, "Per topic") == []


def test_the_legend_explains_every_column_of_the_summary(path):
    write_workbook(path, evaluate())
    names = [row[0] for row in rows_of(path, "Legend")]
    summary, topics = (
        list(next(openpyxl.load_workbook(path)[name].iter_rows(values_only=True)))
        for name in ("Summary", "Per topic")
    )
    assert names == [*summary[1:], topics[-1]]
    ndcg = next(row for row in rows_of(path, "Legend") if row[0] == "nDCG@10")
    assert (
        "DCG" in ndcg[2]
        and "gain = linear" in ndcg[3]
        and ndcg[4] == "0 to 1"
        and "Järvelin" in ndcg[6]
    )


def test_the_settings_sheet_has_policy_program_date_and_sources(path):
    write_workbook(path, evaluate(), WorkbookContents(metadata={"Qrels": "qrels.txt"}))
    settings = dict(rows_of(path, "Settings"))
    assert settings["Topics averaged"] == TOPIC_POLICY_DESCRIPTIONS["both"]
    assert settings["Order of ties"] == f"trec: {TIES_MEANING['trec']}"
    assert settings["Relevant"] == "grade 1 or more"
    assert settings["Program"].startswith("irjudge") and settings["Written"].endswith("UTC")
    assert settings["Qrels"] == "qrels.txt"


def test_the_pool_sheet_shows_contributing_runs(path):
    pool = depth_pool([make_run(name, rows) for name, rows in RUNS.items()], 2)
    write_workbook(path, evaluate(), WorkbookContents(pool=pool))
    assert ("007", "a", 2, 1, "two (1), one (2)") in rows_of(path, "Pool")
    assert len(rows_of(path, "Pool")) == len(pool)


def test_headers_are_frozen_and_repeated_on_every_page(path):
    write_workbook(path, evaluate())
    for sheet in openpyxl.load_workbook(path):
        if sheet.title == "Charts":
            continue
        assert (
            sheet.freeze_panes
            and sheet.auto_filter.ref
            and sheet.page_setup.orientation == "landscape"
        )
        assert sheet.print_title_rows == "$1:$1" and (
            sheet.page_setup.scale == 60 or sheet.sheet_properties.pageSetUpPr.fitToPage
        )
        assert all(cell.font.b for cell in sheet[1])


@pytest.mark.parametrize(("decimals", "look"), [(4, "0.0000"), (0, "0"), (2, "0.00")])
def test_displayed_decimals_can_be_chosen(path, decimals, look):
    write_workbook(path, evaluate(), decimals=decimals)
    sheet = openpyxl.load_workbook(path)["Summary"]
    assert [sheet["D2"].number_format, sheet["B2"].number_format, sheet["A2"].number_format] == [
        look,
        "0",
        "@",
    ]


@pytest.mark.parametrize("decimals", [-1, 16])
def test_decimals_out_of_range_are_refused(path, decimals):
    with pytest.raises(IrjudgeError, match=rf"between 0 and 15, got {decimals}"):
        write_workbook(path, evaluate(), decimals=decimals)
    assert list_files(path.parent) == []


def test_an_existing_workbook_is_replaced(path):
    path.write_bytes(b"old")
    assert isinstance(write_workbook(path, evaluate()), WrittenWorkbook)
    assert rows_of(path, "Summary") and list_files(path.parent) == ["evaluation.xlsx"]
    assert stat.S_IMODE(path.stat().st_mode) & stat.S_IRUSR


def test_the_target_of_a_link_is_replaced(path, tmp_path):
    (tmp_path / "far").mkdir()
    path.symlink_to(tmp_path / "far" / "real.xlsx")
    write_workbook(path, evaluate())
    assert path.is_symlink() and list_files(tmp_path / "far") == ["real.xlsx"]


def test_cancelling_keeps_the_old_file(path):
    path.write_bytes(b"old")
    reported: list[str] = []
    progress = Progress(lambda done, total, what: reported.append(what), lambda: len(reported) > 3)
    with pytest.raises(Cancelled):
        write_workbook(
            path, evaluate(), WorkbookContents(qrels=[("1", "d", 1)] * 5000), progress=progress
        )
    assert path.read_bytes() == b"old" and list_files(path.parent) == ["evaluation.xlsx"]
    assert reported[-1] == "Writing Qrels"


def test_cancelling_at_the_last_step_leaves_no_file(path):
    reported: list[str] = []
    progress = Progress(
        lambda done, total, what: reported.append(what), lambda: "Writing Qrels" in reported
    )
    with pytest.raises(Cancelled):
        write_workbook(path, evaluate(), WorkbookContents(qrels=QRELS), progress=progress)
    assert list_files(path.parent) == []


def test_cancelling_during_packing_keeps_the_old_file(path):
    path.write_bytes(b"old")
    reported: list[str] = []
    progress = Progress(
        lambda done, total, what: reported.append(what),
        lambda: reported.count("Writing evaluation.xlsx") > 2,
    )
    with pytest.raises(Cancelled):
        write_workbook(path, evaluate(), progress=progress)
    assert path.read_bytes() == b"old" and list_files(path.parent) == ["evaluation.xlsx"]


def test_a_disk_that_fills_up_during_packing_gives_one_error(path):
    def full(done: int, total: int | None, what: str) -> None:
        if what.startswith("Writing") and done > 1000:
            raise OSError(errno.ENOSPC, "full")

    with pytest.raises(IrjudgeError) as error:
        write_workbook(path, evaluate(), progress=Progress(full))
    assert error.value.values["reason"] == "full"
    assert list_files(path.parent) == []


def test_an_error_in_the_rows_keeps_the_old_file(path):
    path.write_bytes(b"old")

    def failing():
        yield "1", "d", 1
        raise RuntimeError

    with pytest.raises(RuntimeError):
        write_workbook(path, evaluate(), WorkbookContents(qrels=failing()))
    assert path.read_bytes() == b"old" and list_files(path.parent) == ["evaluation.xlsx"]


def test_a_target_locked_by_another_program_gives_one_error(path, monkeypatch):
    path.write_bytes(b"old")

    def locked(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", locked)
    with pytest.raises(IrjudgeError) as error:
        write_workbook(path, evaluate())
    values = error.value.values
    assert values["file"] == "evaluation.xlsx" and values["note"], "and so is the file"
    assert values["reason"] == replacing_module.describe_os_error(PermissionError())
    assert path.read_bytes() == b"old" and list_files(path.parent) == ["evaluation.xlsx"]


def test_a_read_only_target_is_refused_before_the_work(path, monkeypatch):
    path.write_bytes(b"old")
    monkeypatch.setattr(replacing_module.os, "access", lambda target, mode: False)
    with pytest.raises(IrjudgeError, match="read-only"):
        write_workbook(path, evaluate(), WorkbookContents(qrels=(pytest.fail() for _ in "1")))
    assert path.read_bytes() == b"old"


def test_a_read_only_folder_is_reported_before_the_work(path, monkeypatch):
    opened = os.open

    def refused(name: str | Path, flags: int, mode: int = 0o777, **more: int) -> int:
        if flags & os.O_CREAT and Path(name).parent == path.parent:
            raise PermissionError(13, "Permission denied")
        return opened(name, flags, mode, **more)

    monkeypatch.setattr(os, "open", refused)
    with pytest.raises(IrjudgeError) as error:
        write_workbook(path, evaluate(), WorkbookContents(qrels=(pytest.fail() for _ in "1")))
    assert error.value.values["reason"] == replacing_module.describe_os_error(PermissionError())


def test_a_full_disk_gives_one_error(path, monkeypatch):
    def full(self: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("xlsxwriter.workbook.Workbook._store_workbook", full)
    with pytest.raises(IrjudgeError) as error:
        write_workbook(path, evaluate())
    assert error.value.values["reason"] == "full"
    assert list_files(path.parent) == []


def test_a_missing_folder_or_a_folder_as_target_is_reported(tmp_path):
    with pytest.raises(IrjudgeError, match=r"the folder .*missing does not exist\.$"):
        write_workbook(tmp_path / "missing" / "a.xlsx", evaluate())
    with pytest.raises(IrjudgeError, match="it is a folder"):
        write_workbook(tmp_path, evaluate())


def test_more_measures_than_columns_are_refused(path, monkeypatch):
    monkeypatch.setattr(sheet_writer, "MAX_COLUMNS", 8)
    with pytest.raises(IrjudgeError) as error:
        write_workbook(path, evaluate())
    assert dict(error.value.values) == {"name": "Summary", "count": "13", "limit": "8"}
    assert list_files(path.parent) == []


def write_with_titles(path: Path, **more: object) -> None:
    write_workbook(
        path,
        evaluate(),
        WorkbookContents(
            titles={"1": "=one", "007": "seven"},
            qrels=QRELS,
            judgments=[JudgmentRow("1", "a", "me", 1)],
            **more,
        ),
    )


def test_titles_are_next_to_the_topics_if_known(path):
    write_with_titles(path)
    for sheet, topic, title in (
        ("Per topic", 1, 2),
        ("By topic", 0, 1),
        ("Qrels", 0, 1),
        ("Judgments", 0, 1),
    ):
        titles = {row[topic]: row[title] for row in rows_of(path, sheet)}
        assert titles.items() <= {"1": "=one", "007": "seven", "9": None}.items()
    assert {row[0]: row[1] for row in rows_of(path, "Qrels")}["9"] is None
    assert (
        rows_of(path, "Summary", formulas=True)[0][3]
        == "=AVERAGEIFS('Per topic'!$F$2:$F$4,'Per topic'!$I$2:$I$4,$M2)"
    )


def test_sheets_without_data_are_left_out(path):
    written = write_workbook(path, evaluate())
    assert [name for name, _ in written.sheets] == [
        "Summary",
        "Per topic",
        "By topic",
        "Legend",
        MADE,
        "Settings",
    ]
    nothing = evaluate_runs(make_qrels([]), [], parse_measures(["AP"]))
    sheets = [name for name, _ in write_workbook(path, nothing).sheets]
    assert sheets == ["Summary", "Per topic", "Legend", MADE, "Settings"]


def test_a_missing_topic_of_a_run_is_an_empty_cell(path):
    write_workbook(path, evaluate())
    rows = rows_of(path, "By topic")
    assert [row[0] for row in rows] == ["1", "007"]
    # AP, nDCG@10 and P@5 of two runs; the second lacks topic 1.
    assert [cell is None for cell in rows[0][1:]] == [False, True] * 3
    assert [cell is None for cell in rows[1][1:]] == [False] * 6


def test_too_many_columns_of_values_are_left_out_with_a_warning(path, monkeypatch):
    monkeypatch.setattr(by_topic, "MAX_FORMULAS", 6)
    written = write_workbook(path, evaluate())
    (warning,) = written.warnings
    assert warning.startswith("By topic ") and " 6 " in warning and warning.endswith(" P@5.")
    monkeypatch.setattr(by_topic, "MAX_FORMULAS", 2)
    written = write_workbook(path, evaluate())
    assert "By topic" not in dict(written.sheets) and written.warnings[0].startswith("By topic ")


def test_a_median_is_a_formula_and_pooled_counts_are_a_number(path):
    judged, runs = make_qrels(QRELS), [make_run(name, rows) for name, rows in RUNS.items()]
    for average, kind in (("median", "f"), ("geometric", "f"), ("micro", "n")):
        table = evaluate_runs(judged, runs, parse_measures(["SetP"]), Policy(average=average))
        write_workbook(path, table)
        assert openpyxl.load_workbook(path)["Summary"]["B2"].data_type == kind
        assert rows_of(path, "Summary")[0][1] == pytest.approx(table.runs[0].summary[0], abs=1e-12)
        assert dict(row[:2] for row in rows_of(path, "Settings"))["Average"].startswith(
            f"{average}: "
        )


def test_a_total_that_is_not_the_sum_of_its_topics_is_a_number(path):
    """As in trec_eval 10, NumRel of all topics counts grades above 0, although rel is 2.

    Grades of 2 or more: none in topic 1, one in topic 2; grades above 0: one and two.
    """
    judged = make_qrels([("1", "a", 1), ("2", "a", 2), ("2", "b", 1)])
    run = make_run("r", [("1", "a", 1.0), ("2", "a", 1.0)])
    policy = Policy(profile="trec_eval-10", topics="qrels", rel=2)
    table = evaluate_runs(judged, [run], parse_measures(["NumRel", "NumRelRet"], 2), policy)
    assert table.runs[0].values.tolist() == [[0, 1], [0, 1]]
    assert table.runs[0].summary.tolist() == [3, 1]
    write_workbook(path, table)
    sheet = openpyxl.load_workbook(path)["Summary"]
    assert (sheet["B2"].value, sheet["C2"].data_type) == (3, "f")


def test_gains_are_shown_as_they_are(path):
    write_workbook(path, evaluate(), WorkbookContents(qrels=[("1", "a", 0.4), ("1", "b", 2)]))
    cells = [openpyxl.load_workbook(path)["Qrels"][cell] for cell in ("C2", "C3")]
    assert [(cell.value, cell.number_format) for cell in cells] == [
        (0.4, "General"),
        (2, "General"),
    ]


@pytest.mark.parametrize(("measure", "minimum"), [("P@5", [b"0"]), ("Utility(b=-2)", [])])
def test_the_axis_of_a_chart_includes_negative_values(path, measure, minimum):
    qrels, runs = make_qrels(QRELS), [make_run(name, rows) for name, rows in RUNS.items()]
    table = evaluate_runs(qrels, runs, parse_measures([measure]))
    assert (table.runs[0].values.min() < 0) == (minimum == [])
    write_workbook(path, table)
    with zipfile.ZipFile(path) as book:
        (chart,) = [book.read(name) for name in book.namelist() if "/charts/chart" in name]
    value_axis = chart[chart.index(b"<c:valAx>") :]
    assert re.findall(rb'<c:min val="([^"]*)"', value_axis) == minimum


def test_a_worked_sheet_has_the_threshold_of_its_policy_or_the_default():
    # a 1, b 2: P@2 is 1 if grade 1 is relevant, and 1/2 if only grade 2 is
    qrels = make_qrels([("1", "a", 1), ("1", "b", 2)])
    run = make_run("r", [("1", "a", 2.0), ("1", "b", 1.0)])
    default_sheet = make_worked_sheet(qrels, run, "1", cutoff=2)
    strict = make_worked_sheet(qrels, run, "1", Policy(rel=2), cutoff=2)
    assert (default_sheet.rel, default_sheet.values[0], strict.rel, strict.values[0]) == (
        1,
        1.0,
        2,
        0.5,
    )


def test_the_comparison_sheet_has_the_number_of_topics_needed(tmp_path: Path) -> None:
    table = three_runs.evaluate_three_runs("AP P@5")
    comparison, _ = compare_all_runs(table)
    write_workbook(tmp_path / "a.xlsx", table, WorkbookContents(comparison=comparison))
    book = openpyxl.load_workbook(tmp_path / "a.xlsx")
    header, *rows = book["Comparisons"].iter_rows(values_only=True)
    named = [dict(zip(header, row, strict=True)) for row in rows]
    needs = {
        (need.measure, need.run_a, need.run_b): need
        for need in compute_needed_topics(table).rows
        if need.test == "t"
    }
    assert named
    for row in named:
        need = needs[row["Measure"], row["Run A"], row["Run B"]]
        assert (row["Detectable difference"], row["Topics needed"]) == (
            need.seen and pytest.approx(need.seen),
            need.needed,
        )
    settings = [str(cell) for row in book["Settings"].iter_rows(values_only=True) for cell in row]
    assert any(each.startswith("AP: ") and " 12 topics " in each for each in settings)

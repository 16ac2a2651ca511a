"""Tests of misread lines and cells: hidden documents, wrong columns, changed ids."""

from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import openpyxl
import pytest

import irjudge
from irjudge.errors import FormatError
from irjudge.formats.collections import read_documents, read_topics
from irjudge.formats.judgments import read_judgments, read_labels
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.formats.rows import parse_columns


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def has_warning(result: Any, fragment: str) -> bool:
    return any(fragment in warning for warning in result.warnings)


@pytest.mark.parametrize("separator", [" ", "\t"])
@pytest.mark.parametrize("first", ["AF", "NF", "NS"])
def test_documents_that_were_not_displayed_are_left_out(tmp_path, separator, first):
    lines = [f"T1 {first} d1 1 4 s", "T1 NF d2 2 3 s", "T1 NS d3 3 2 s", "T2 NS d4 1 1 s"]
    path = write(tmp_path / "a.run", "\n".join(lines).replace(" ", separator) + "\n")
    run = read_run(path)
    shown = ["d2"] if first == "NS" else ["d1", "d2"]
    assert run.document.to_pylist() == shown
    assert run.topics == ("T1", "T2") and run.empty_topics == ("T2",)
    assert has_warning(run, "NS")
    qrels = {"T1": {"d1": 1, "d2": 1, "d3": 1}, "T2": {"d4": 1}}
    values = irjudge.evaluate(qrels, path, "NumRet SetR", per_topic=True).value.tolist()
    assert values[:3] == [len(shown), 0, len(shown)]


def test_ns_means_nothing_elsewhere(tmp_path):
    run = read_run(write(tmp_path / "a.run", "T1 Q0 NS 1 4 NS\nT1 Q0 d2 2 3 NS\n"))
    assert run.document.to_pylist() == ["NS", "d2"] and run.warnings == ()


def test_a_run_without_q0_has_documents(tmp_path):
    run = read_run(write(tmp_path / "a.run", "q1 d1 1 2.5 s\nq1 d2 2 1.5 s\n"))
    assert run.document.to_pylist() == ["d1", "d2"]
    assert (run.rank.tolist(), run.score.tolist(), run.tag) == ([1, 2], [2.5, 1.5], "s")
    run = read_run(write(tmp_path / "b.run", "q1 Q0 7 2.5 s\nq1 Q0 8 1.5 s\n"))
    assert run.document.to_pylist() == ["7", "8"]


@pytest.mark.parametrize("ranks", [("2.5", "1.5", "0.5"), ("30", "20", "10")])
@pytest.mark.parametrize("first", [0, 1])
def test_exchanged_rank_and_score_are_reported(tmp_path, ranks, first):
    lines = [f"q1 Q0 d{at} {rank} {at + first} s\n" for at, rank in enumerate(ranks)]
    path = write(tmp_path / "a.run", "".join(lines))
    assert has_warning(read_run(path), "swapped")
    right = [f"q1 Q0 d{at} {at + first} {rank} s\n" for at, rank in enumerate(ranks)]
    assert read_run(write(tmp_path / "b.run", "".join(right))).warnings == ()


def test_evaluating_reports_exchanged_columns_too(tmp_path, capsys):
    from irjudge.cli.main import main  # noqa: PLC0415 -- the command line alone

    run = write(tmp_path / "a.run", "q1 Q0 d1 2.5 1 s\nq1 Q0 d2 1.5 2 s\n")
    assert main(["evaluate", str(write(tmp_path / "q", "q1 0 d1 1\n")), str(run)]) == 0
    assert "swapped" in capsys.readouterr().err


def test_quotes_around_topic_ids_are_left_out(tmp_path):
    path = write(tmp_path / "a.tsv", '"401"\t"foo ""bar"""\n"402"\t"x"\n403\t"Quoted" words\n')
    topics = [(topic.id, topic.title) for topic in read_topics(path).topics]
    assert topics == [("401", 'foo "bar"'), ("402", "x"), ("403", '"Quoted" words')]


@pytest.mark.parametrize("id", ["0", "Q0"])
def test_documents_that_are_all_named_0_are_reported(tmp_path, id):
    path = write(tmp_path / "a.qrels", f"q1 d1 {id} 1\nq1 d2 {id} 0\nq2 d1 {id} 1\n")
    (warning,) = (each for each in read_qrels(path).warnings if each.key == "documents-all-0")
    choice = parse_columns(warning.values["choice"], ("topic", "document", "iteration", "grade"))
    assert list(read_qrels(path, columns=choice).rows()) == [
        ("q1", "d1", 1),
        ("q1", "d2", 0),
        ("q2", "d1", 1),
    ]


def sheet(path: Path, *rows: list[Any]) -> Path:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize(
    "value",
    [
        34952194402811904.0,
        1e16,
        datetime(2026, 3, 1),  # noqa: DTZ001
        datetime(2026, 3, 1, 12, 30),  # noqa: DTZ001
        time(1, 30),
        timedelta(hours=1, minutes=30),
        timedelta(days=1, hours=1),
        True,
        "#N/A",
        "#REF!",
    ],
)
@pytest.mark.parametrize(
    ("read", "header", "row"),
    [
        (read_qrels, ["query_id", "doc_id", "relevance"], ["q1", None, 1]),
        (read_run, ["query_id", "doc_id", "score"], ["q1", None, 1.5]),
        (read_labels, ["item", "worker", "label"], [None, "ann", 1]),
        (read_judgments, ["topic", "document", "assessor", "grade"], ["q1", None, "ann", 1]),
    ],
)
def test_ids_that_a_spreadsheet_changed_are_refused(tmp_path, value, read, header, row):
    row = [value if cell is None else cell for cell in row]
    with pytest.raises(FormatError) as error:
        read(sheet(tmp_path / "a.xlsx", header, row))
    assert (error.value.key, error.value.line) == ("changed-id", 2)


def test_an_id_of_16_digits_that_excel_rounded_to_15_is_refused(tmp_path):
    path = sheet(tmp_path / "a.xlsx", ["qid", "docno", "rel"], ["q1", 1234567890123450, 1])
    with ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(path, "w") as archive:
        for name, data in parts.items():  # as Excel writes the number
            archive.writestr(name, data.replace(b">1234567890123450<", b">1.23456789012345E+15<"))
    with pytest.raises(FormatError) as error:
        read_qrels(path)
    assert error.value.key == "changed-id"


def test_whole_numbers_and_texts_are_ids_in_a_spreadsheet(tmp_path):
    path = sheet(tmp_path / "a.xlsx", ["qid", "docno", "rel"], [401, "34952194402811904", 1])
    assert list(read_qrels(path).rows()) == [("401", "34952194402811904", 1)]


@pytest.mark.parametrize("id", ["12:30:00", "1:23:45", "2026-03-01T00:00:00", "TRUE"])
def test_times_stored_as_text_are_ids_in_a_spreadsheet(tmp_path, id):
    path = sheet(tmp_path / "a.xlsx", ["qid", "docno", "rel"], ["1", id, 1])
    assert list(read_qrels(path).rows()) == [("1", id, 1)]


@pytest.mark.parametrize("id", ["01:30:00", "TRUE", "2026-03-01T12:30:00", "1E5", "#N"])
def test_ids_that_only_a_spreadsheet_would_change_are_ids_in_text(tmp_path, id):
    path = write(tmp_path / "a.csv", f"qid,docno,rel\n1,{id},1\n")
    assert list(read_qrels(path).rows()) == [("1", id, 1)]


@pytest.mark.parametrize("id", ["3.49522E+16", "1E+16", "1e+16", "1234567890123450.0", "#N/A"])
def test_ids_changed_by_a_spreadsheet_are_refused_in_text(tmp_path, id):
    path = write(tmp_path / "a.csv", f"qid,docno,rel\n1,{id},1\n")
    with pytest.raises(FormatError) as error:
        read_qrels(path)
    assert error.value.key == "changed-id"


RIS = """TY  - JOUR
ID  - 1
T1  - First
 title
AU  - Ada
AU  - Bo
PY  - 2020
N2  - One.
Two.
ER  -

TY  - JOUR
AN  - 2
ER  -
TY  - CONF
DO  - 10.1/x
TI  - Third
"""


@pytest.mark.parametrize("name", ["a.txt", "a.ris"])
@pytest.mark.parametrize("text", [RIS, RIS.replace("\n", "\r\n"), "\ufeff" + RIS])
def test_ris_is_read_by_its_content(tmp_path, name, text):
    documents = list(read_documents([write(tmp_path / name, text)], warnings=[]))
    assert [each.id for each in documents] == ["1", "2", "10.1/x"]
    assert [each.title for each in documents] == ["First title", "", "Third"]
    assert documents[0].text == "One.\nTwo."
    assert documents[0].fields == (("authors", "Ada; Bo"), ("year", "2020"))


def test_a_reference_without_an_id_is_refused_with_its_line(tmp_path):
    path = write(tmp_path / "a.ris", RIS.replace("AN  - 2", "TI  - 2"))
    with pytest.raises(FormatError) as error:
        list(read_documents([path], warnings=[]))
    assert (error.value.line, error.value.key) == (12, "no-id")


def test_an_id_with_a_blank_is_reported(tmp_path):
    text = '{"requests":[{"id":"q 1","ratings":[{"_index":"i","_id":"d","rating":1}]}],"metric":{}}'
    qrels = read_qrels(write(tmp_path / "a.json", text))
    assert qrels.titles == ("q 1",) and len(qrels) == 1
    assert has_warning(qrels, "q 1")

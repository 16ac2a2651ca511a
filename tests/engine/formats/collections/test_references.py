"""Tests of references from PubMed, Web of Science and reference managers as documents."""

import random
from pathlib import Path

import pytest

from irjudge.errors import FormatError, IrjudgeError
from irjudge.formats.collections import read_documents, recognise_document_format
from irjudge.formats.file_preview import parse_file_columns

PUBMED = """
PMID- 100
OWN - NLM
DP  - 2020 Jan
TI  - Tides in
      harbours.
AB  - BACKGROUND: They rise.
      They fall.
FAU - Smith, Ada
AU  - Smith A
FAU - Doe, Kim
JT  - Journal of tides
MH  - *Water
OT  - ebb
LID - 10.1/x [doi]

PMID- 200
TI  - A title alone.
"""
WOS = """FN Clarivate Analytics Web of Science
VR 1.0
PT J
AU Smith, A
   Doe, K
AF Smith, Ada
   Doe, Kim
TI Tides in
   harbours
SO JOURNAL OF TIDES
DE ebb; flow
ID WATER
AB They rise.
   They fall.
DI 10.1/x
PY 2020
UT WOS:000100
ER

PT C
TI A title alone
UT WOS:000200
ER

EF
"""
TABLE = (
    "PT\tAU\tAF\tTI\tSO\tDE\tID\tAB\tDI\tPY\tUT\n"
    "J\tSmith, A; Doe, K\tSmith, Ada; Doe, Kim\tTides in harbours\tJOURNAL OF TIDES\tebb; flow\tWATER\t"
    "They rise. They fall.\t10.1/x\t2020\tWOS:000100\t\n"
    "C\t\t\tA title alone\t\t\t\t\t\t\tWOS:000200\t\n"
)
FORMS = {"PubMed": PUBMED, "Web of Science": WOS, "Web of Science table": TABLE}


def read(path: Path, **how):
    warnings: list[str] = []
    return list(read_documents([path], warnings=warnings, **how)), warnings


def write(path: Path, text: str) -> Path:
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize("name", ["a.txt", "a.nbib", "a.ciw", "a"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "change", [str, lambda text: text.replace("\n", "\r\n"), "\ufeff{}".format]
)
def test_references_are_read_by_their_content(tmp_path, form, name, change):
    path = write(tmp_path / name, change(FORMS[form]))
    documents, _ = read(path)
    assert recognise_document_format(path) == form
    prefix = "" if form == "PubMed" else "WOS:000"
    assert [each.id for each in documents] == [f"{prefix}100", f"{prefix}200"]
    assert [each.title.rstrip(".") for each in documents] == ["Tides in harbours", "A title alone"]
    text = documents[0].text.split()
    assert text[-4:] == "They rise. They fall.".split()
    fields = dict(documents[0].fields)
    assert fields["authors"] == "Smith, Ada; Doe, Kim"
    assert fields["journal"].casefold() == "journal of tides"
    assert fields["year"].startswith("2020")
    assert fields["doi"].startswith("10.1/x")
    assert documents[1].text == "" and documents[1].fields == ()


def test_utf_16_as_web_of_science_exports_it(tmp_path):
    (tmp_path / "savedrecs.txt").write_bytes(TABLE.encode("utf-16"))
    assert len(read(tmp_path / "savedrecs.txt")[0]) == 2


def test_other_tags_choose_id_and_text(tmp_path):
    columns = parse_file_columns("documents", "id=DI,text=DE")
    path = write(tmp_path / "a.txt", WOS.replace("TI A title alone", "DI 10.1/y"))
    documents, _ = read(path, columns=columns)
    assert [(each.id, each.text) for each in documents] == [("10.1/x", "ebb; flow"), ("10.1/y", "")]


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        (PUBMED.replace("PMID- 200\n", ""), 17, "no-id"),
        (PUBMED.replace("PMID- 200", "PMID-"), 17, "no-id"),
        (PUBMED.replace("\nPMID- 200", "PMID- 200\nPMID-"), 17, "no-id"),
        (WOS.replace("ER\n\nPT C\n", ""), 3, "several-ids"),
        (WOS.replace("UT WOS:000200\n", ""), 20, "no-id"),
        (TABLE.replace("WOS:000200\t", "WOS:000200\tmore"), 3, "column-count"),
        (TABLE.replace("WOS:000200\t", ""), 3, "no-id"),
        (WOS.replace("UT WOS:000200", "UT " + "x" * 5000), 20, "long-id"),
    ],
)
def test_a_damaged_reference_is_refused_with_its_line(tmp_path, text, line, key):
    with pytest.raises(FormatError) as refused:
        read(write(tmp_path / "a.txt", text))
    assert (refused.value.line, refused.value.key) == (line, key)


def test_text_outside_of_records_and_unread_tags_are_reported(tmp_path):
    _, warnings = read(write(tmp_path / "a.txt", WOS.replace("\nPT C", "\nstray text\nPT C")))
    assert any("stray text" in str(each) for each in warnings)
    _, warnings = read(write(tmp_path / "a.nbib", PUBMED))
    assert any("OWN" in str(each) for each in warnings)


@pytest.mark.parametrize(
    "start", ["PMID- ", "FN a\n", "PT\tAU\n", "FN a\nVR b\n", "PT J\nUT 1\nER\n"]
)
def test_texts_with_a_similar_beginning_are_other_formats(tmp_path, start):
    path = write(tmp_path / "a.txt", start)
    assert recognise_document_format(path) not in FORMS


@pytest.mark.slow
@pytest.mark.parametrize("form", FORMS)
def test_lost_lines_lose_no_reference_silently(tmp_path, form):
    """Each reference is read, or the file is refused with one line; text is never dropped."""
    draw = random.Random(54)
    lines = FORMS[form].splitlines(keepends=True)
    for _ in range(150):
        remaining = [line for line in lines if draw.random() > 0.1]
        path = write(tmp_path / "a.txt", "".join(remaining))
        try:
            if recognise_document_format(path) != form:
                continue
            documents, warnings = read(path)
        except IrjudgeError as refused:
            assert "\n" not in str(refused)
            continue
        ids = [word for word in ("100", "200") if any(word in line for line in remaining)]
        assert [each.id[-3:] for each in documents] == ids
        shown = " ".join([*(str(each) for each in warnings), *(each.title for each in documents)])
        assert ("alone" in shown) == any("alone" in line for line in remaining)

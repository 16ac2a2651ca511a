"""Tests of DPR's passages, which double quotation marks."""

from pathlib import Path

from irjudge.formats.collections import read_documents, recognise_document_format
from irjudge.model import Document


def read(tmp_path: Path, text: str) -> tuple[str, list[Document]]:
    (path := tmp_path / "psgs.tsv").write_text(text, encoding="utf-8")
    return recognise_document_format(path), list(read_documents([path], warnings=[]))


def test_quotes_around_texts_are_removed(tmp_path):
    form, documents = read(
        tmp_path, 'id\ttext\ttitle\n1\t"The ""tide"" rose."\tTide\n2\tIt fell.\t"The ""ebb"""\n'
    )
    assert form == "DPR passages"
    assert documents == [
        Document("1", b'The "tide" rose.', "Tide"),
        Document("2", b"It fell.", 'The "ebb"'),
    ]


def test_quotes_that_are_not_doubled_belong_to_the_text(tmp_path):
    form, documents = read(tmp_path, 'id\ttext\ttitle\n1\t"Go" and "stop"\tTide\n2\t"All"\tEbb\n')
    assert (form, [each.text for each in documents]) == ("TSV", ['"Go" and "stop"', '"All"'])

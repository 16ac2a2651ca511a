"""Tests of fields of documents: complete, escaped, in order, and with local images only."""

import json
import os
import time
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.formats.collections import read_documents, write_documents
from irjudge.formats.collections.whole_files import MAX_PICTURE_BYTES
from irjudge.model import Document
from irjudge.store import open_project
from tests.engine.formats.collections.test_whole_files import PNG
from tests.messages import keys_and_values


def read(path: Path) -> tuple[list[Document], list[str]]:
    warnings: list[str] = []
    return list(read_documents([path], warnings=warnings)), warnings


def lines(path: Path, *records: object) -> Path:
    path.write_text("\n".join(json.dumps(each) for each in records), encoding="utf-8")
    return path


def test_columns_other_than_id_title_and_text_are_fields(tmp_path: Path) -> None:
    shoe = {
        "id": "B1",
        "title": "Red shoe",
        "text": "For rain.",
        "price": 12.50,
        "tags": ["red", "new"],
        "in": {"stock": True},
        "was": None,
    }
    fields = (("price", "12.5"), ("tags", "red, new"), ("in.stock", "true"))
    assert read(lines(tmp_path / "a.jsonl", shoe)) == (
        [Document("B1", b"For rain.", "Red shoe", fields=fields)],
        [],
    )
    (tmp_path / "b.csv").write_text(
        "id,Title,text,Price,Brand\nB1,Red shoe,For rain.,12.50,\n", encoding="utf-8"
    )
    assert read(tmp_path / "b.csv") == (
        [Document("B1", b"For rain.", "Red shoe", fields=(("Price", "12.50"),))],
        [],
    )


def test_a_product_needs_no_text(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,name,price\nB1,Red shoe,12\n", encoding="utf-8")
    assert read(tmp_path / "a.csv") == (
        [Document("B1", b"", "Red shoe", fields=(("price", "12"),))],
        [],
    )
    described = lines(
        tmp_path / "b.jsonl",
        {"id": "B1", "name": "Red shoe", "description": "For rain.", "price": "12"},
    )
    assert read(described) == (
        [Document("B1", b"For rain.", "Red shoe", fields=(("price", "12"),))],
        [],
    )


def test_excessive_fields_are_left_out_with_a_warning(tmp_path: Path) -> None:
    many = {"id": "B1", "text": "a", "long": "x" * 10_001, "n" * 101: "1"} | {
        f"f{number}": number for number in range(101)
    }
    (document,), warnings = read(lines(tmp_path / "a.jsonl", many))
    assert [name for name, _ in document.fields] == [f"f{number}" for number in range(100)]
    assert keys_and_values(warnings, "count", "name", "place") == [
        ("fields-left-out", "3", "long", "a.jsonl, line 1")
    ]


@pytest.mark.slow
def test_a_long_name_of_an_object_with_many_members_takes_linear_time(tmp_path: Path) -> None:
    members = {str(number): 1 for number in range(80_000)}
    nested = {"id": "B1", "text": "a", "n" * 800_000: members, " size": {"eu ": 42}}
    path = lines(tmp_path / "a.jsonl", nested)
    began = time.process_time()
    (document,), warnings = read(path)
    assert time.process_time() - began < 1.5
    assert document.fields == (("size.eu", "42"),)
    assert keys_and_values(warnings, "count", "name", "place") == [
        ("fields-left-out", "80,000", "n" * 100, "a.jsonl, line 1")
    ]


def test_a_picture_next_to_the_file_is_included(tmp_path: Path) -> None:
    (tmp_path / "img").mkdir()
    (tmp_path / "img" / "b1.png").write_bytes(PNG)
    path = lines(
        tmp_path / "a.jsonl",
        {"id": "B1", "text": "a", "photo": "img/b1.png", "other": "img/b2.png"},
    )
    (document,), warnings = read(path)
    assert (document.pictured, document.picture, dict(document.fields)["photo"], warnings) == (
        "photo",
        PNG,
        "img/b1.png",
        [],
    )


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/a.png",
        "//host/a.png",
        "../secret.png",
        "img/../../secret.png",
        "{above}/secret.png",
        "C:\\secret.png",
        "link.png",
        ".hidden.png",
        "large.png",
        "words.png",
        "pipe.png",
        "gone.png",
        "a\0.png",
    ],
)
def test_no_other_picture_is_read(tmp_path: Path, address: str) -> None:
    folder = tmp_path / "below"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(PNG)
    (folder / "link.png").symlink_to(tmp_path / "secret.png")
    (folder / ".hidden.png").write_bytes(PNG)
    (folder / "large.png").write_bytes(PNG + bytes(MAX_PICTURE_BYTES))
    (folder / "words.png").write_text("no picture", encoding="utf-8")
    os.mkfifo(folder / "pipe.png")
    shown = address.format(above=tmp_path)
    (document,), _ = read(lines(folder / "a.jsonl", {"id": "B1", "text": "a", "photo": shown}))
    assert (document.pictured, document.picture) == ("", b"") and dict(document.fields)[
        "photo"
    ] == shown


def test_written_documents_are_read_back_with_fields_and_picture(tmp_path: Path) -> None:
    documents = [
        Document(
            "B1",
            b"",
            "Red shoe",
            fields=(("price", "12"), ("img", "a.png")),
            pictured="img",
            picture=PNG,
        ),
        Document("B2", b"For rain.", "", fields=(("brand", '<b onclick="x">'), ("name", "=1+1"))),
    ]
    (tmp_path / "elsewhere").mkdir()
    write_documents(tmp_path / "elsewhere" / "a.jsonl", documents)
    again, warnings = read(tmp_path / "elsewhere" / "a.jsonl")
    assert (again, [each.picture for each in again], warnings) == (documents, [PNG, b""], [])


def test_a_project_exports_documents_unchanged(tmp_path: Path) -> None:
    (tmp_path / "b1.png").write_bytes(PNG)
    lines(tmp_path / "a.jsonl", {"id": "B1", "name": "Red shoe", "price": "12", "img": "b1.png"})
    project, out = tmp_path / "p.irjudge", tmp_path / "out" / "docs.jsonl"
    out.parent.mkdir()
    assert main(["new", str(project), "--documents", str(tmp_path / "a.jsonl")]) == 0
    assert main(["export", str(project), "--documents", "-o", str(out)]) == 0
    (document,), _ = read(out)
    assert (document.fields, document.picture) == ((("price", "12"), ("img", "b1.png")), PNG)
    with open_project(project) as opened:
        assert opened.verify().problems == () and opened.verify().documents == 1


def test_displayed_fields_are_reported_and_can_be_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines(
        tmp_path / "a.jsonl",
        {"id": "B1", "name": "Red shoe", "price": "12", "rank": 3, "brand": "Nordwind"},
    )
    project = str(tmp_path / "p.irjudge")
    assert main(["new", project, "--documents", str(tmp_path / "a.jsonl")]) == 0
    capsys.readouterr()
    assert main(["fields", project, "--format", "csv"]) == 0
    assert (
        capsys.readouterr().out
        == "field,shown,example\nprice,yes,12\nbrand,yes,Nordwind\nrank,no,3\n"
    )
    assert main(["fields", project, "--show", "brand, price", "--format", "csv"]) == 0
    assert (
        capsys.readouterr().out
        == "field,shown,example\nbrand,yes,Nordwind\nprice,yes,12\nrank,no,3\n"
    )
    assert main(["fields", project, "--show", "colour"]) == 2
    assert "colour" in capsys.readouterr().err

"""Tests of image files as documents: recognised by content, and stored unchanged."""

import gzip
import zipfile
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.errors import FormatError
from irjudge.formats import preview_files
from irjudge.formats.collections import is_image, read_documents, recognise_document_format
from irjudge.model import Document
from irjudge.store import open_project
from tests.messages import warnings_of

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010804000000b51c0c020000000b4944415478da6364600000000600023081d02f0000000049454e44ae426082"
)
IMAGES = {
    "a.png": PNG,
    "b.jpg": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "c.JPEG": b"\xff\xd8\xff\xe1",
    "d.gif": b"GIF89a\x01\x00",
    "e.webp": b"RIFF\x1a\x00\x00\x00WEBPVP8 ",
    "f.bmp": b"BM\x3a\x00\x00\x00\x00\x00\x00\x00\x36",
}
IMAGES = {name: body.ljust(64, b"\0") for name, body in IMAGES.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "pictures"
    made.mkdir()
    for name, body in IMAGES.items():
        (made / name).write_bytes(body)
    return made


def read(path: Path) -> tuple[list[Document], list[str]]:
    warnings: list[str] = []
    return list(read_documents([path], warnings=warnings)), warnings


def test_a_folder_of_images_is_documents_byte_for_byte(folder: Path) -> None:
    documents, warnings = read(folder)
    assert documents == [
        Document(name.split(".")[0], body, "", "image") for name, body in IMAGES.items()
    ]
    assert warnings == [] and documents[0].text == ""
    assert recognise_document_format(folder) == "image in a folder"


def test_images_are_read_from_archives_with_texts(folder: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("p.png", PNG)
        archive.writestr("t.txt", "words")
    assert [(each.id, each.kind) for each in read(tmp_path / "a.zip")[0]] == [
        ("p", "image"),
        ("t", "text"),
    ]
    (tmp_path / "q.png.gz").write_bytes(gzip.compress(PNG))
    assert read(tmp_path / "q.png.gz")[0] == [Document("q", PNG, "", "image")]


def test_a_single_image_needs_no_extension(tmp_path: Path) -> None:
    (tmp_path / "scan").write_bytes(PNG)
    assert read(tmp_path / "scan")[0] == [Document("scan", PNG, "", "image")]


@pytest.mark.parametrize(
    "body",
    [PNG[:8], b"\xff\xd8\xff\xe0", PNG[:16] + bytes(8) + PNG[24:], PNG[:20] + bytes(4) + PNG[24:]],
)
def test_an_image_without_pixels_is_named(tmp_path: Path, body: bytes) -> None:
    (tmp_path / "scan.png").write_bytes(body)
    documents, warnings = read(tmp_path / "scan.png")
    assert documents == [Document("scan", body, "", "image")]
    assert warnings_of(warnings) == [("empty-image", "1", "scan.png")]


def test_an_image_extension_alone_does_not_make_an_image(folder: Path, tmp_path: Path) -> None:
    (folder / "g.png").write_bytes(b"not a picture")
    documents, warnings = read(folder)
    assert [each.id for each in documents] == list("abcdef")
    assert warnings_of(warnings) == [("file-left-out", "1", "g.png")]
    with pytest.raises(FormatError) as refused:
        read(folder / "g.png")
    assert (refused.value.key, refused.value.values["beginning"]) == (
        "unknown-format",
        "not a picture",
    )


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"BM25 is a measure of words",
        b"RIFF\x00\x00\x00\x00WAVE",
        b"<svg>",
        b"II*\x00",
        b"GIF88a",
    ],
)
def test_files_with_other_first_bytes_are_not_images(head: bytes) -> None:
    assert not is_image(head)


def test_a_preview_names_images(folder: Path) -> None:
    assert [line.strip() for line in preview_files("documents", [folder]).first_records] == [
        "a",
        "b",
        "c",
    ]


def test_an_image_collection_is_created_pooled_judged_and_evaluated(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "topics.tsv": "1\tharbour at night\n",
        "r.run": "1 Q0 a 1 2.0 r\n1 Q0 d 2 1.0 r\n",
        "q.qrels": "1 0 a 1\n1 0 d 0\n",
    }
    for name, content in files.items():
        (tmp_path / name).write_text(content)
    project, here = tmp_path / "p.irjudge", str(tmp_path)
    command = [
        "new",
        str(project),
        "--documents",
        str(folder),
        "--topics",
        f"{here}/topics.tsv",
        "--runs",
        f"{here}/r.run",
        "--qrels",
    ]
    assert main([*command, f"{here}/q.qrels"]) == 0
    with open_project(project) as opened:
        assert opened.collection.document("a") == Document("a", PNG, "", "image")
        assert opened.verify().problems == ()
    assert main(["pool", str(project), "--depth", "5"]) == 0
    assert main(["verify", str(project)]) == 0
    assert main(["evaluate", str(project)]) == 0
    assert "1.0000" in capsys.readouterr().out

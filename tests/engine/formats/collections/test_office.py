"""Tests of PDF, DOCX and ODT documents: their text, and hostile files."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.image import imread

from irjudge.errors import FormatError
from irjudge.formats.collections import (
    preview_documents,
    read_documents,
    recognise_document_format,
    whole_files,
)
from irjudge.formats.rankings import read_qrels
from irjudge.model import Document
from tests.messages import warnings_of

WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
CORE = '<cp:coreProperties xmlns:cp="c" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title> The  harbour </dc:title></cp:coreProperties>'
TYPES = ("[Content_Types].xml", "<Types/>")


def pdf(text: str = "Ships at sea", title: str = "A title") -> bytes:
    figure, file = Figure(), io.BytesIO()
    figure.text(0.1, 0.5, text)
    figure.savefig(file, format="pdf", metadata={"Title": title})
    return file.getvalue()


def zip_parts(*parts: tuple[str, str | bytes], compress: int = zipfile.ZIP_DEFLATED) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compress) as made:
        for name, text in parts:
            made.writestr(zipfile.ZipInfo(name), text, compress, compresslevel=1)
    return file.getvalue()


def docx(body: str, *more: tuple[str, str | bytes]) -> bytes:
    document = f"<w:document {WORD}><w:body>{body}</w:body></w:document>"
    return zip_parts(TYPES, ("_rels/.rels", "<R/>"), ("word/document.xml", document), *more)


def odt(body: str) -> bytes:
    content = f"<office:document-content {ODF}><office:body>{body}</office:body></office:document-content>"
    meta = f"<office:document-meta {ODF}><dc:title>Nets</dc:title></office:document-meta>"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        made.writestr("content.xml", content)
        made.writestr("meta.xml", meta)
    return file.getvalue()


PARAGRAPHS = (
    "<w:p><w:r><w:t>Low </w:t><w:tab/><w:t>tide</w:t></w:r></w:p>"
    "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>in a cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"
    "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>潮汐 &amp; <![CDATA[<b>]]></w:t></w:r></w:p>"
)
HEADINGS = "<text:h>Knots</text:h><text:p>one<text:s text:c='3'/>two<text:line-break/>three <text:span>four</text:span> five</text:p>"

SLOW_FILES = {"bomb.docx", "deep.odt"}  # besides PDF files, which another process reads
FILES: dict[str, tuple[bytes, str, str]] = {
    "a.pdf": (pdf(), "A title", "Ships at sea"),
    "b.docx": (
        docx(PARAGRAPHS, ("docProps/core.xml", CORE)),
        "The harbour",
        "Low \ttide\nin a cell\n潮汐 & <b>",
    ),
    "c.odt": (odt(HEADINGS), "Nets", "Knots\none   two\nthree four five"),
}


def names_of(files: dict[str, Any]) -> list[Any]:
    """Return the names of files as parameters, the slow ones marked."""
    return [
        pytest.param(
            name, marks=pytest.mark.slow if name in SLOW_FILES or name.endswith(".pdf") else ()
        )
        for name in files
    ]


@pytest.mark.parametrize("name", names_of(FILES))
def test_the_text_of_a_file_is_its_document(tmp_path: Path, name: str) -> None:
    data, title, text = FILES[name]
    path = tmp_path / name
    path.write_bytes(data)
    assert preview_documents([path]) == [Document(name[0], text.encode(), title, "text")]
    assert recognise_document_format(path) == name[2:].upper()


@pytest.mark.slow
def test_a_folder_and_an_archive_of_all_formats_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, (data, _, _) in FILES.items():
        (folder / name).write_bytes(data)
    (folder / "d.txt").write_text("plain")
    (folder / "e.epub").write_bytes(
        zip_parts(("mimetype", "application/epub+zip"), compress=zipfile.ZIP_STORED)
    )
    (tmp_path / "all.zip").write_bytes(
        zip_parts(*((name, data) for name, (data, _, _) in FILES.items()))
    )
    warnings: list[str] = []
    assert [each.id for each in read_documents([folder], warnings=warnings)] == ["a", "b", "c", "d"]
    assert len(warnings) == 1 and "e.epub" in warnings[0]
    assert [each.id for each in read_documents([tmp_path / "all.zip"], warnings=[])] == [
        "a",
        "b",
        "c",
    ]


@pytest.mark.slow
def test_deleted_text_and_note_numbers_are_left_out(tmp_path: Path) -> None:
    gone = "<text:tracked-changes><text:changed-region><text:p>deleted</text:p></text:changed-region></text:tracked-changes>"
    note = "<text:note><text:note-citation>7</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note>"
    path = tmp_path / "a.odt"
    path.write_bytes(odt(f"{gone}<text:p>kept{note} on</text:p>"))
    assert preview_documents([path])[0].text == "kept on\na note"


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="limits of POSIX")
def test_a_document_that_needs_too_much_memory_is_refused() -> None:
    script = "import sys, irjudge.formats.collections.office_child as child; child.MAX_MEMORY_BYTES = 64 << 20; sys.argv[1:] = ['DOCX']; child.main()"
    done = subprocess.run(
        [sys.executable, "-c", script],
        input=docx("<w:p/>" * 400_000),
        capture_output=True,
        check=False,
    )
    assert json.loads(done.stdout) == {"problem": "large"}


@pytest.mark.slow
def test_an_unreadable_document_does_not_stop_a_folder(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf()[:200])
    (tmp_path / "b.pdf").write_bytes(pdf())
    warnings: list[str] = []
    assert [each.id for each in read_documents([tmp_path], warnings=warnings)] == ["b"]
    assert warnings_of(warnings) == [("office-unreadable", "1", "a.pdf")]


@pytest.mark.slow
def test_a_page_without_text_is_an_empty_document_with_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "scan.pdf"
    path.write_bytes(pdf(" ", ""))
    warnings: list[str] = []
    assert [each.body for each in read_documents([path], warnings=warnings)] == [
        b""
    ] and "scan" in warnings[0]


ENTITIES = '<!DOCTYPE d [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;">]><d>&b;</d>'
OUTSIDE = '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]><d>&a;</d>'
HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "cut.pdf": (lambda: pdf()[:300], "damaged"),
    "head.pdf": (lambda: b"%PDF-1.7\n", "damaged"),
    "noise.pdf": (lambda: b"%PDF-1.7\n" + bytes(range(256)) * 400, "damaged"),
    "cut.docx": (lambda: docx(PARAGRAPHS)[:200], "damaged"),
    "empty.docx": (lambda: zip_parts(TYPES, ("_rels/.rels", "")), "damaged"),
    "entities.docx": (
        lambda: zip_parts(TYPES, ("_rels/.rels", ""), ("word/document.xml", ENTITIES)),
        "damaged",
    ),
    "outside.docx": (
        lambda: zip_parts(TYPES, ("_rels/.rels", ""), ("word/document.xml", OUTSIDE)),
        "damaged",
    ),
    "bomb.docx": (
        lambda: zip_parts(TYPES, ("_rels/.rels", ""), ("word/document.xml", b" " * (300 << 20))),
        "bomb",
    ),
    "elements.docx": (lambda: docx("<w:p/>" * 600_000), "bomb"),
    "references.docx": (lambda: docx("<w:p>" + "&lt;" * 600_000 + "</w:p>"), "bomb"),
    "attributes.docx": (lambda: docx("<w:p" + " a=''" * 600_000 + "/>"), "bomb"),
    "parts.docx": (lambda: docx("", *((f"{n}.xml", "") for n in range(10_001))), "bomb"),
    "blanks.odt": (
        lambda: odt("<text:p>" + "<text:s text:c='1000'/>" * 40_000 + "</text:p>"),
        "more text than irjudge reads",
    ),
    "deep.odt": (lambda: odt("<text:p>" * 200_000 + "</text:p>" * 200_000), ""),
    "count.odt": (lambda: odt("<text:p><text:s text:c='999999999999'/></text:p>"), ""),
}


@pytest.mark.parametrize("name", names_of(HOSTILE))
def test_a_hostile_file_gives_an_error_or_its_text(tmp_path: Path, name: str) -> None:
    make, why = HOSTILE[name]
    path = tmp_path / name
    path.write_bytes(make())
    if why:
        with pytest.raises(FormatError, match=rf"{name}: .*{why}"):
            preview_documents([path])
    else:
        assert len(preview_documents([path])[0].body) < 5000


@pytest.mark.slow
def test_a_file_that_takes_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_files, "TIMEOUT_SECONDS", 0.01)
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf())
    with pytest.raises(FormatError, match="takes too long"):
        preview_documents([path])


def test_hostile_files_cause_no_reading_of_other_files(tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(pdf())
    with pytest.raises(FormatError) as refused:
        read_qrels(path)
    assert (refused.value.key, refused.value.values["form"]) == ("documents-only", "PDF")


# Pages as pictures


def pages(*sizes: tuple[float, float]) -> bytes:
    """Return a PDF file with pages of these sizes in inches.

    Page n is black for n tenths of its height.
    """
    file = io.BytesIO()
    with PdfPages(file) as made:
        for number, size in enumerate(sizes, 1):
            figure = Figure(figsize=size)
            figure.add_axes((0, 0, 1, number / 10), frameon=False, xticks=[], yticks=[]).axhspan(
                0, 1, color="black"
            )
            made.savefig(figure)
    return file.getvalue()


def measure_picture(png: bytes) -> tuple[int, int, float]:
    """Return width and height of an image, and the share of black pixels."""
    values = imread(io.BytesIO(png))
    return values.shape[1], values.shape[0], float((values[..., :3].mean(axis=2) < 0.5).mean())


@pytest.mark.slow
def test_pages_are_rendered_by_number_up_to_the_last() -> None:
    data = pages((5, 5), (5, 10), (10, 5))
    images = [
        whole_files.render_page_picture(data, number, Path("a.pdf")) for number in (1, 2, 3, 9)
    ]
    assert [(each.number, each.pages) for each in images] == [(1, 3), (2, 3), (3, 3), (3, 3)]
    shapes = [measure_picture(each.png) for each in images]
    assert [shape[:2] for shape in shapes[:3]] == [(1000, 1000), (1000, 2000), (1000, 500)]
    assert [round(shape[2], 1) for shape in shapes[:3]] == [0.1, 0.2, 0.3]


@pytest.mark.slow
def test_a_page_of_any_size_is_rendered_to_fit_a_screen() -> None:
    width, height, _ = measure_picture(
        whole_files.render_page_picture(pages((1, 100)), 1, Path("a.pdf")).png
    )
    assert height == 4000 and width == 40


@pytest.mark.slow
@pytest.mark.parametrize("data", [b"", b"%PDF-1.7 nothing", pdf()[:200]])
def test_a_page_of_a_damaged_file_gives_one_error(data: bytes) -> None:
    with pytest.raises(FormatError, match=r"a\.pdf: it is damaged"):
        whole_files.render_page_picture(data, 1, Path("a.pdf"))


@pytest.mark.slow
def test_only_pdf_documents_include_their_file(tmp_path: Path) -> None:
    for name, (data, _, _) in FILES.items():
        (tmp_path / name).write_bytes(data)
    assert {each.id: each.pdf for each in read_documents([tmp_path], warnings=[])} == {
        "a": FILES["a.pdf"][0],
        "b": b"",
        "c": b"",
    }


@pytest.mark.slow
def test_text_boxes_and_moved_text_occur_once(tmp_path: Path) -> None:
    box = "<w:txbxContent><w:p><w:r><w:t>box</w:t></w:r></w:p></w:txbxContent>"
    alternatives = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback></mc:AlternateContent>"
    )
    moved = "<w:r><w:t>moved</w:t></w:r>"
    path = tmp_path / "a.docx"
    path.write_bytes(
        docx(
            f"<w:p><w:r><w:t>one</w:t>{alternatives}</w:r></w:p>"
            f"<w:p><w:moveFrom>{moved}</w:moveFrom></w:p><w:p><w:moveTo>{moved}</w:moveTo></w:p>"
        )
    )
    assert preview_documents([path])[0].text.split() == ["one", "box", "moved"]

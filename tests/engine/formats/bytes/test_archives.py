"""Tests of documents as files: in folders and archives, compressed, damaged and hostile."""

import bz2
import gzip
import io
import lzma
import os
import tarfile
import tracemalloc
import zipfile
from pathlib import Path

import openpyxl
import pytest

from irjudge.errors import FormatError
from irjudge.formats import ReaderWarnings
from irjudge.formats.bytes import files as archives
from irjudge.formats.collections import read_documents, read_topics, recognise_document_format
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.message import Message
from irjudge.model import Document
from tests.messages import keys_and_values, warnings_of


def read(*paths: Path) -> list[Document]:
    return list(read_documents(paths, warnings=[]))


def remarks(*paths: Path) -> list[str]:
    messages: list[str] = []
    for _ in read_documents(paths, warnings=messages):
        pass
    return messages


def refusal(*paths: Path) -> Message:
    with pytest.raises(FormatError) as caught:
        read(*paths)
    return caught.value.message


@pytest.fixture
def file(tmp_path: Path):
    def file(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return file


def tar(path: Path, members: dict[str, bytes], mode: str = "w:gz", **options) -> Path:
    with tarfile.open(path, mode, **options) as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return path


def write_zip(path: Path, members: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


HTML = (
    b"<html><!-- <title>no</title> --><TITLE lang=en>A &amp;\n page</TITLE><h1>Heading</h1><p>text"
)
FOLDER = {
    "b.html": HTML,
    "a/z.txt": b"plain",
    "a/y.md": b"# A *title* #\n\ntext",
    "a/.hidden.txt": b"x",
    "__MACOSX/b.html": b"x",
}
EXPECTED = [
    Document("y", b"# A *title* #\n\ntext", "A *title*", "markdown"),
    Document("z", b"plain"),
    Document("b", HTML, "A & page", "html"),
]


def test_a_folder_is_read_by_name_with_the_folders_in_it(file, tmp_path):
    for name, content in FOLDER.items():
        file(f"docs/{name}", content)
    assert read(tmp_path / "docs") == EXPECTED
    assert remarks(tmp_path / "docs") == []


@pytest.mark.parametrize(
    "options",
    [
        {"format": tarfile.USTAR_FORMAT},
        {"format": tarfile.GNU_FORMAT},
        {"format": tarfile.PAX_FORMAT},
    ],
)
@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_a_tar_archive_is_read_in_its_order(tmp_path, mode, options):
    long = "x" * 60 + "/" + "é" * 40 + ".txt"
    path = tar(
        tmp_path / "docs.bin",
        FOLDER | {long: b"long", "../up.txt": b"up", "/root.txt": b"r"},
        mode,
        **options,
    )
    assert read(path) == [
        *EXPECTED[::-1],
        Document("é" * 40, b"long"),
        Document("up", b"up"),
        Document("root", b"r"),
    ]
    assert remarks(path) == []


def test_a_zip_archive_is_read_in_its_order(tmp_path):
    assert read(write_zip(tmp_path / "docs.zip", FOLDER | {"c/": b""})) == EXPECTED[::-1]


def test_errors_describe_the_archive(tmp_path):
    shown = recognise_document_format(tar(tmp_path / "a.tgz", {"readme": b"", "a.htm": b""}))
    assert shown.startswith("HTML ") and "tar archive" in shown


def test_members_of_archives_are_not_written_to_disk(tmp_path):
    tar(tmp_path / "a.tar", {"../up.txt": b"up", "a.txt": b"a"}, "w")
    read(tmp_path / "a.tar")
    assert [path.name for path in tmp_path.rglob("*")] == ["a.tar"]


def test_a_file_of_unknown_format_is_left_out_and_counted(file, tmp_path):
    for name in ("a.txt", "style.css", "x.png", "b.json", "c.xml"):
        file(f"docs/{name}", {"b.json": b"7\n", "x.png": b"\xff\xfe\0"}.get(name, b"a\tb"))
    write_zip(tmp_path / "docs" / "d.zip", {"e.txt": b"e"})
    assert [document.id for document in read(tmp_path / "docs")] == ["a"]
    assert warnings_of(remarks(tmp_path / "docs")) == [
        ("file-left-out", "4", "b.json"),
        ("archive-left-out", "1", "d.zip"),
    ]


def test_record_files_inside_a_folder_are_read_as_records(file, tmp_path):
    file("docs/a.jsonl.gz", gzip.compress(b'{"id": 1, "text": "a"}\n'))
    file("docs/b.txt", "<DOC><DOCNO>2</DOCNO>b</DOC>")
    file("docs/c.tsv", "3\tc")
    file("docs/d.json", '[{"id": 4, "text": "d"}]')
    assert [document.id for document in read(tmp_path / "docs")] == ["1", "2", "3", "4"]


def test_a_file_with_a_duplicate_name_is_named_by_its_path(file, tmp_path):
    file("docs/a/x.txt", "1")
    file("docs/b/x.html", "2")
    assert read(tmp_path / "docs") == [Document("x", b"1"), Document("b/x.html", b"2", "", "html")]
    assert warnings_of(remarks(tmp_path / "docs")) == [("named-by-path", "1", "b/x.html")]


def test_links_to_folders_and_pipes_are_not_followed(file, tmp_path):
    file("docs/a.txt", "a")
    (tmp_path / "docs" / "loop").symlink_to(tmp_path / "docs", target_is_directory=True)
    os.mkfifo(tmp_path / "docs" / "pipe.txt")
    (tmp_path / "docs" / "self.txt").symlink_to("self.txt")
    assert read(tmp_path / "docs") == [Document("a", b"a")]
    assert warnings_of(remarks(tmp_path / "docs")) == [("link-left-out", "3", "loop")]


def test_links_inside_a_tar_archive_are_not_followed(tmp_path):
    with tarfile.open(tmp_path / "a.tar", "w") as archive:
        link = tarfile.TarInfo("passwd.txt")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
        # a size without the bytes
        link.name = "hard.txt"
        link.type = tarfile.LNKTYPE
        link.size = 5000
        archive.addfile(link)
        archive.addfile(tarfile.TarInfo("empty.txt"))
    assert read(tmp_path / "a.tar") == [Document("empty", b"")]
    assert warnings_of(remarks(tmp_path / "a.tar"))[0] == ("link-left-out", "2", "passwd.txt")


def test_a_name_that_is_not_utf8_gives_an_id(tmp_path):
    (tmp_path / "docs").mkdir()
    with open(os.fsencode(tmp_path / "docs") + b"/caf\xe9.txt", "wb") as out:  # noqa: PTH123
        out.write(b"x")
    assert read(tmp_path / "docs") == [Document("café", b"x")]
    tar(tmp_path / "a.tar", {"caf\udce9.txt": b"x"}, "w")
    assert read(tmp_path / "a.tar") == [Document("café", b"x")]


def test_files_that_are_not_utf8_are_read_with_a_warning(file, tmp_path):
    file("docs/a.txt", b"caf\xe9")
    file("docs/b.html", b"\xef\xbb\xbf<h1>ok</h1>")
    file("docs/c.txt", "text".encode("utf-16"))
    file("docs/left-out.css", b"\xe9")
    assert read(tmp_path / "docs") == [
        Document("a", "café".encode()),
        Document("b", b"<h1>ok</h1>", "ok", "html"),
        Document("c", b"text"),
    ]
    assert keys_and_values(remarks(tmp_path / "docs"), "first", "encoding") == [
        ("read-as", "a.txt", "cp1252"),
        ("read-as", "c.txt", "UTF-16"),
        ("file-left-out", "left-out.css", ""),
    ]


def test_a_few_invalid_bytes_in_a_file_are_shown_with_a_warning(file, tmp_path):
    file("docs/a.txt", "é".encode() * 40 + b"\xff")
    assert read(tmp_path / "docs")[0].text == "é" * 40 + "\ufffd"
    assert warnings_of(remarks(tmp_path / "docs")) == [("broken-utf8", "1", "a.txt")]


def test_empty_input_is_refused(file, tmp_path):
    (tmp_path / "docs").mkdir()
    refused = (
        refusal(tmp_path / "docs"),
        refusal(file("a.tsv", "\n")),
        refusal(file("a", "")),
        refusal(tmp_path / "none"),
        refusal(write_zip(tmp_path / "a.zip", {})),
    )
    assert keys_and_values(refused, "where") == [
        ("no-document", "docs"),
        ("empty-file", "a.tsv"),
        ("empty-file", "a"),
        ("cannot-open", "none"),
        ("no-document", "a.zip"),
    ]
    assert "TREC" in refused[0].all_values["expected"]


# Broken and hostile archives


def test_truncated_archives_are_refused(file, tmp_path):
    members = {f"{number}.txt": os.urandom(3000) for number in range(5)}
    for name, packed in (
        ("a.tar", tar(tmp_path / "x", members, "w")),
        ("a.tgz", tar(tmp_path / "y", members)),
        ("a.zip", write_zip(tmp_path / "z", members)),
    ):
        content = packed.read_bytes()
        refused = refusal(file(name, content[: len(content) // 2]))
        assert refused.key in {"damaged", "cut-off"}
    cut = gzip.compress(b'{"id": 1, "text": "a"}\n' * 99)[:-9]
    assert refusal(file("a.jsonl.gz", cut)).key == "damaged"


def test_a_tar_archive_with_a_damaged_header_is_refused(file, tmp_path):
    content = bytearray(tar(tmp_path / "x", {"a.txt": b"a", "b.txt": b"b"}, "w").read_bytes())
    content[1024 + 10] ^= 0xFF
    assert keys_and_values([refusal(file("a.tar", bytes(content)))], "where", "error") == [
        ("damaged-archive", "a.tar", "bad checksum")
    ]


def test_a_tar_archive_without_its_end_is_read_with_a_warning(file, tmp_path):
    content = tar(tmp_path / "x", {"a.txt": b"a"}, "w").read_bytes()[:1024]
    path = file("a.tar", content)
    assert read(path) == [Document("a", b"a")]
    assert warnings_of(remarks(path)) == [("no-end-mark", "1", "a.tar")]


@pytest.mark.slow
def test_bombs_are_refused(file, tmp_path):
    line = b"1\t" + b"x" * 100_000 + b"\n"
    assert refusal(file("a.tsv.gz", gzip.compress(line * 180))).key == "bomb"
    tar(tmp_path / "a.tgz", {"a.bin": line * 180, "b.txt": b"b"}, "w:gz", compresslevel=9)
    assert refusal(tmp_path / "a.tgz").key == "bomb"
    write_zip(
        tmp_path / "a.zip", {"a.jsonl": b'{"id": 1, "text": ""}\n' + (b" " * 100_000 + b"\n") * 180}
    )
    assert refusal(tmp_path / "a.zip").key == "bomb"


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_members_that_cannot_be_decompressed_in_pieces_are_refused(
    tmp_path: Path, method: int
) -> None:
    for name, content in (("a.txt", b"q1 Q0 d1 1 1 t\n"), ("a.xlsx", b"")):
        with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
            archive.writestr(name, content * 1000)
        for refused in (
            lambda: read(tmp_path / "a.zip"),
            lambda: read_run(tmp_path / "a.zip"),
            lambda: read_topics(tmp_path / "a.zip"),
        ):
            with pytest.raises(FormatError):
                refused()
    with zipfile.ZipFile(tmp_path / "a.zip", "w", method) as archive:
        archive.writestr("a.txt", "text")
    assert refusal(tmp_path / "a.zip").key == "unknown-packing"


def sparse(rows: int, repetitions: int) -> bytes:
    """Return queries of a learned sparse model, in which a word is repeated by its weight."""
    words = [f"word{number * 7919 % 9973}" for number in range(rows * 7)]
    return b"".join(
        f"{row}\t{' '.join(f'{word} ' * repetitions for word in words[row * 7 : row * 7 + 7])}\n".encode()
        for row in range(rows)
    )


@pytest.mark.slow
def test_rows_of_repeated_words_are_not_a_bomb(file):
    path = file("splade.tsv.gz", gzip.compress(content := sparse(1500, 230)))
    assert len(content) > archives.MIN_CHECKED_SIZE
    assert len(content) > archives.MAX_COMPRESSION_RATIO * path.stat().st_size
    assert len(read_topics(path).topics) == 1500
    assert len(read(path)) == 1500


@pytest.mark.slow
@pytest.mark.parametrize(
    "spoiled",
    [
        lambda text: b"1\t" + text.translate(None, b"\n\t"),
        lambda text: text.replace(b"word", b"\0\0\0\0"),
    ],
)
def test_repeated_words_outside_of_rows_are_a_bomb(file, spoiled):
    path = file("splade.tsv.gz", gzip.compress(spoiled(sparse(1500, 230))))
    assert refusal(path).key == "bomb"


def test_rows_in_an_archive_can_be_a_bomb(tmp_path):
    assert refusal(write_zip(tmp_path / "a.zip", {"a.tsv": sparse(1500, 230)})).key == "bomb"


def test_a_small_file_may_have_any_compression_ratio(file):
    assert read(file("a.tsv.gz", gzip.compress(b"1\ta" + b"\n" * 5_000_000))) == [
        Document("1", b"a")
    ]


@pytest.mark.slow
@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize(
    ("reader", "line"),
    [
        (read_qrels, b"1 0 a 1\n"),
        (read_run, b"1 Q0 a 1 1 t\n"),
        (read_topics, b"1\t" + b"a" * 99 + b"\n"),
    ],
)
def test_bombs_of_lines_are_refused_by_all_readers(file, monkeypatch, reader, line, pack):
    monkeypatch.setattr(archives, "MIN_CHECKED_SIZE", 1 << 20)
    path = file("a.tsv", pack(line * (1_250_000 // len(line))))
    with pytest.raises(FormatError) as refused:
        reader(path)
    assert refused.value.key == "bomb"


def test_a_spreadsheet_without_rows_has_no_documents(tmp_path):
    book = openpyxl.Workbook()
    book.save(tmp_path / "a.xlsx")
    refused = refusal(tmp_path / "a.xlsx")
    assert keys_and_values([refused], "where") == [("no-rows", "a.xlsx")]


def test_an_archive_that_expands_without_end_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MAX_TOTAL_BYTES", 5000)
    path = write_zip(tmp_path / "a.zip", {f"{number}.txt": b"x" * 2000 for number in range(3)})
    assert keys_and_values([refusal(path)], "where", "megabytes") == [
        ("too-much-unpacked", "2.txt", "0 MB")
    ]


def test_an_archive_with_a_password_is_refused(tmp_path):
    path = write_zip(tmp_path / "a.zip", {"a.txt": b"a"})
    content = bytearray(path.read_bytes())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(content)
    assert refusal(path).key == "locked"


def test_nested_archives_are_reported_and_not_opened(tmp_path):
    inner = write_zip(tmp_path / "inner.zip", {"a.txt": b"a"}).read_bytes()
    packed = gzip.compress(b"x")
    for outer in (
        write_zip(tmp_path / "a.zip", {"b/inner.bin": inner, "c.txt.gz": packed, "d.txt": b"d"}),
        tar(tmp_path / "a.tgz", {"b/inner.bin": inner, "c.txt.gz": packed, "d.txt": b"d"}),
    ):
        assert read(outer) == [Document("d", b"d")]
        assert warnings_of(remarks(outer)) == [("archive-left-out", "2", "b/inner.bin")]


def test_paths_that_leave_a_zip_archive_have_no_effect(tmp_path):
    path = write_zip(
        tmp_path / "a.zip", {"../up.txt": b"up", "/root.txt": b"r", "C:\\win.txt": b"w"}
    )
    assert [each.id for each in read(path)] == ["up", "root", "C:\\win"]
    assert [each.name for each in tmp_path.rglob("*")] == ["a.zip"]


def test_members_that_share_compressed_bytes_are_a_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr(archives, "MIN_CHECKED_SIZE", 50_000)
    path = write_zip(tmp_path / "a.zip", {f"{number}.txt": b"x" * 49_000 for number in range(3)})
    assert refusal(path).key == "bomb"


def test_a_zip_archive_of_unknown_compression_is_refused(tmp_path):
    path = write_zip(tmp_path / "a.zip", {"a.txt": b"a"})
    content = bytearray(path.read_bytes())
    content[8] = content[content.index(b"PK\x01\x02") + 10] = 9
    path.write_bytes(content)
    assert refusal(path).key == "unknown-packing"


def test_other_compressions_are_named(file):
    refused = refusal(file("a.Z", b"\x1f\x9d")), refusal(file("a.7z", b"7z\xbc\xaf\x27"))
    assert keys_and_values(refused, "where", "other") == [
        ("other-packer", "a.Z", "compress"),
        ("other-packer", "a.7z", "7-Zip"),
    ]


def office(name: str) -> bytes:
    """Return the first bytes of a file of an office program."""
    made = io.BytesIO()
    kind = name.rpartition(".")[2]
    types = {
        "odt": "vnd.oasis.opendocument.text",
        "ods": "vnd.oasis.opendocument.spreadsheet",
        "epub": "epub+zip",
    }
    if kind == "pdf":
        return b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"
    if kind == "rtf":
        return rb"{\rtf1\ansi some text}"
    if kind == "doc":
        return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    with zipfile.ZipFile(made, "w") as archive:
        if kind in types:
            archive.writestr("mimetype", f"application/{types[kind]}")
            archive.writestr("content.xml", "<p>words</p>")
        else:
            archive.writestr("[Content_Types].xml", "<Types/>")
            archive.writestr(
                {
                    "docx": "word/document.xml",
                    "pptx": "ppt/presentation.xml",
                    "xlsx": "xl/workbook.xml",
                }[kind],
                "<p>words</p>",
            )
    return made.getvalue()


@pytest.mark.parametrize("name", ["a.epub", "a.pptx", "a.rtf", "a.doc"])
def test_an_old_office_document_is_refused_with_advice(file, name):
    kind = name.rpartition(".")[2].upper()
    as_topics = file(f"topics/{name}", office(name))
    with pytest.raises(FormatError) as refused:
        read_topics(as_topics)
    messages = refusal(file(name, office(name))), refused.value.message
    assert keys_and_values(messages, "where", "form") == [("office-file", name, kind)] * 2


def test_old_office_documents_in_a_folder_are_left_out_with_advice(file, tmp_path):
    file("docs/a.txt", "a")
    names = ("b.pptx", "c.epub", "d.rtf", "e.doc")
    for name in names:
        file(f"docs/{name}", office(name))
    assert warnings_of(remarks(tmp_path / "docs")) == [("office-left-out", "4", "b.pptx")]
    packed = tar(tmp_path / "docs.tgz", {"a.txt": b"a", "b.pptx": office("b.pptx")})
    assert warnings_of(remarks(packed)) == [("office-left-out", "1", "b.pptx")]


def test_a_spreadsheet_in_a_folder_is_not_an_archive(file, tmp_path):
    file("docs/a.txt", "a")
    file("docs/b.xlsx", office("b.xlsx"))
    file("docs/c.ods", office("c.ods"))
    assert warnings_of(remarks(tmp_path / "docs")) == [("sheets-left-out", "2", "b.xlsx")]


def test_office_files_are_recognised_by_content(file, tmp_path):
    file("docs/a.txt", "a")
    file("docs/report", office("b.pptx"))
    file("docs/real.docx", "plain text, whatever the name")
    warnings = warnings_of(remarks(tmp_path / "docs"))
    assert ("office-left-out", "1", "report") in warnings, warnings


def test_a_folder_of_unreadable_files_names_their_formats(file, tmp_path):
    file("docs/b.pptx", office("b.pptx"))
    refused = refusal(tmp_path / "docs")
    assert refused.key == "only-office-files" and "b.pptx" in refused


def pax_header(key: str, value: str) -> bytes:
    """Return a header of a tar archive about the file after it."""
    info = tarfile.TarInfo("a")
    info.pax_headers = {key: value}
    info.size = 0
    whole = info.tobuf(tarfile.PAX_FORMAT)
    return whole[: -tarfile.BLOCKSIZE]  # without the header of the file itself


@pytest.mark.slow
@pytest.mark.parametrize("key", ["comment", "GNU.sparse.a"])
def test_endless_tar_headers_do_not_fill_the_memory(key):
    """65 MB, which expand to 5 GB of headers, filled the memory."""
    content = b"".join(pax_header(f"{key}{number}", "v" * 500_000) for number in range(60))
    stream = io.BufferedReader(io.BytesIO(content))
    tracemalloc.start()
    try:
        assert [*archives.iter_tar_members(stream, Path("a.tar"), ReaderWarnings())] == []
        assert tracemalloc.get_traced_memory()[1] < 8_000_000
    finally:
        tracemalloc.stop()


def test_relevant_tar_headers_are_kept(tmp_path):
    info = tarfile.TarInfo("b")
    info.size = 2
    content = pax_header("path", "a.txt") + pax_header("comment", "x") + info.tobuf() + b"hi"
    path = tmp_path / "a.tar"
    path.write_bytes(content.ljust(len(content) + -len(content) % 512, b"\0") + bytes(1024))
    assert read(path) == [Document("a", b"hi")]


class MemoryHungrySource:
    """Source that requests too much memory, such as LZMA with a dictionary of 4 GB."""

    def read(self, size: int) -> bytes:
        raise MemoryError


def test_a_source_that_needs_too_much_memory_is_one_error():
    stream = archives._GuardedStream(
        MemoryHungrySource(), Path("a.zip"), None, archives._SizeCounter(0)
    )
    with pytest.raises(FormatError) as raised:
        stream.read(1)
    assert raised.value.key == "memory"

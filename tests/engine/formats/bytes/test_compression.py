"""Tests of files compressed with gzip, bzip2, xz, lz4 and Zstandard."""

import bz2
import gzip
import io
import lzma
import tarfile
import zlib
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest

from irjudge.errors import FormatError
from irjudge.formats.bytes.files import COMPRESSIONS
from irjudge.formats.collections import read_documents, recognise_document_format
from irjudge.model import Document


def pack_with_arrow(codec: str, content: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, codec) as out:
        out.write(content)
    return sink.getvalue().to_pybytes()


PACK = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "lz4": partial(pack_with_arrow, "lz4"),
    "Zstandard": partial(pack_with_arrow, "zstd"),
}
ENDING = {"gzip": "gz", "bzip2": "bz2", "xz": "xz", "lz4": "lz4", "Zstandard": "zst"}
LINES = b'{"id": 1, "text": "a"}\n{"id": 2, "text": "b"}\n'


def read(path: Path) -> list[Document]:
    return list(read_documents([path], warnings=[]))


@pytest.fixture(params=[packer.name for packer in COMPRESSIONS])
def packer(request) -> str:
    return request.param


def test_a_compressed_file_is_read_with_any_name(tmp_path, packer):
    path = tmp_path / "docs.bin"
    path.write_bytes(PACK[packer](LINES))
    assert read(path) == [Document("1", b"a"), Document("2", b"b")]
    assert recognise_document_format(path) == f"JSON lines, compressed with {packer}"


def test_concatenated_streams_are_one_file(tmp_path, packer):
    path = tmp_path / "docs"
    padding = b"\0" * 70_000 if packer == "xz" else b""
    path.write_bytes(
        PACK[packer](LINES)
        + padding
        + PACK[packer](LINES.replace(b"1", b"3").replace(b"2", b"4"))
        + padding
    )
    assert [document.id for document in read(path)] == ["1", "2", "3", "4"]


def test_ids_of_compressed_files_omit_the_extension(tmp_path, packer):
    (tmp_path / f"a.txt.{ENDING[packer]}").write_bytes(PACK[packer](b"text"))
    assert read(tmp_path) == [Document("a", b"text")]


def test_a_compressed_tar_archive_is_read(tmp_path, packer):
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        info = tarfile.TarInfo("a.txt")
        info.size = 4
        archive.addfile(info, io.BytesIO(b"text"))
    (tmp_path / "a").write_bytes(PACK[packer](made.getvalue()))
    assert read(tmp_path / "a") == [Document("a", b"text")]
    shown = recognise_document_format(tmp_path / "a")
    assert shown.startswith("plain text") and "tar archive" in shown


def test_a_truncated_or_changed_compressed_file_is_refused(tmp_path, packer):
    path = tmp_path / "a.jsonl"
    packed = PACK[packer](LINES * 50)
    path.write_bytes(packed[:-9])
    with pytest.raises(FormatError, match="damaged"):
        read(path)
    path.write_bytes(packed[:40] + bytes([packed[40] ^ 255]) + packed[41:])
    with pytest.raises(FormatError):
        read(path)


def test_a_bomb_is_refused(tmp_path, packer):
    path = tmp_path / "a.tsv"
    path.write_bytes(PACK[packer]((b"1\t" + b"x" * 2_000_000 + b"\n") * 9))
    with pytest.raises(FormatError) as refused:
        read(path)
    assert refused.value.key == "bomb"


def test_xz_that_needs_gigabytes_of_memory_is_refused(tmp_path):
    path = tmp_path / "a.tsv.xz"
    packed = lzma.compress(b"1\ta\n")
    header = bytearray(packed[12 : 12 + (packed[12] + 1) * 4])
    assert (
        header[2:4] == b"\x21\x01"
    )  # LZMA2 and one byte of properties, the dictionary's size (xz format 1.1, 3.1 and 5.3.1)
    header[4] = 40  # 4 GB
    header[-4:] = zlib.crc32(header[:-4]).to_bytes(4, "little")
    path.write_bytes(packed[:12] + header + packed[12 + len(header) :])
    with pytest.raises(FormatError, match="Memory usage limit exceeded"):
        read(path)

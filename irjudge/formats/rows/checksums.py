"""Checksums of the Parquet files of a folder, so that no changed bit is taken for a value.

`_checksums.json` lists for each file the SHA-256 of its footer and of each column chunk. Readers check
the footer when they open a file, and the chunks that they read. The list has a checksum of its own.
"""

import json
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa

from irjudge.formats.bytes.atomic_write import write_whole
from irjudge.formats.rows.decoded_size import Malformed, Read, column_chunks, read_at
from irjudge.message import Message

NAME = "_checksums.json"
PART = "part-0.parquet"  # the rows of a converted run; the other files begin with an underscore
MAX_SIZE = 64 << 20  # bytes of the list
DAMAGED = Message(
    "it does not have the checksum that `irjudge convert` stored, so it is damaged; copy it or "
    "convert the run again. If a program rewrote it on purpose, delete _checksums.json"
)


def digest(data: Any) -> str:
    """Return the checksum of bytes."""
    return sha256(data).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class FileChecksums:
    """Checksums of a Parquet file."""

    size: int  # bytes
    footer: str
    chunks: tuple[tuple[str, ...], ...]  # of each row group, by column

    @classmethod
    def of(cls, path: Path) -> "FileChecksums":
        """Compute those of a file."""
        # Opened by Python: Arrow opens no file whose name is not UTF-8.
        with path.open("rb") as file, pa.PythonFile(file, mode="r") as source:
            read, size = partial(read_at, source), int(source.size())
            groups = column_chunks(read, size)
            return cls(
                size,
                footer_digest(read, size),
                tuple(
                    tuple(digest(read(each.begin, each.length)) for each in group)
                    for group in groups
                ),
            )

    def check(self, group: int, column: int, chunk: memoryview) -> None:
        """Raise `Malformed` when the bytes of a column chunk are not those that were written."""
        if digest(chunk) != self.chunks[group][column]:
            raise Malformed(DAMAGED)


def footer_digest(read: Read, size: int) -> str:
    """Return the checksum of the footer of a Parquet file of `size` bytes."""
    length = int.from_bytes(read(size - 8, 4), "little")
    return digest(read(size - 8 - length, length + 8))


def is_listed(name: str) -> bool:
    """Return whether a file may be one of a converted run, by its name."""
    return name == PART or (name.startswith("_") and name.endswith(".parquet"))


def find_checksums(listed: str, name: str, read: Read, size: int) -> FileChecksums | None:
    """Return the checksums of an opened file in a list; None where it does not name the file.

    Raises
    ------
    Malformed
        When the list is broken, or the footer of the file is not one that was written.
    """
    written = Checksums.parse(listed).files.get(name)
    if written is None:
        return None
    footer = footer_digest(read, size)
    for each in written:
        if (each.size, each.footer) == (size, footer):
            return each
    raise Malformed(DAMAGED)


@dataclass(slots=True)
class Checksums:
    """The list of a folder. While a file is replaced, it has the old and the new checksums."""

    files: dict[str, list[FileChecksums]] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> "Checksums":
        """Read a list.

        Raises
        ------
        Malformed
            When it is not as it was written.
        """
        try:
            data = json.loads(text)
            if data["digest"] != digest(_dumps(data["files"])):
                raise Malformed(Message("{name} is damaged", name=NAME))
            return cls(
                {
                    name: [
                        FileChecksums(
                            each["size"], each["footer"], tuple(map(tuple, each["chunks"]))
                        )
                        for each in written
                    ]
                    for name, written in data["files"].items()
                }
            )
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as fault:
            raise Malformed(Message("{name} is damaged", name=NAME)) from fault

    @classmethod
    def in_folder(cls, folder: Path) -> "Checksums":
        """Return the list of a folder; an empty one where there is none, or a damaged one."""
        try:
            return cls.parse((folder / NAME).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return cls()

    def add(self, folder: Path, name: str, path: Path) -> None:
        """Add the checksums of a file that is about to replace the one of a name."""
        self.files.setdefault(name, []).append(FileChecksums.of(path))
        self._save(folder)

    def keep_only(self, folder: Path, names: set[str]) -> None:
        """Forget other files, and what was replaced."""
        self.files = {name: self.files[name][-1:] for name in sorted(names)}
        self._save(folder)

    def _save(self, folder: Path) -> None:
        files = {
            name: [
                {"size": each.size, "footer": each.footer, "chunks": each.chunks}
                for each in written
            ]
            for name, written in self.files.items()
        }
        data = {"irjudge": "checksums", "version": 1, "files": files}
        write_whole(folder / NAME, json.dumps({**data, "digest": digest(_dumps(files))}) + "\n")


def _dumps(files: Any) -> bytes:
    return json.dumps(files, sort_keys=True).encode()

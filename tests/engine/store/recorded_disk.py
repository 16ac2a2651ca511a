"""Writes of a process in a folder, from strace, and possible disk contents after a power cut.

Until a file is synced, the disk may have each of its sectors in the old or new version; until the
folder is synced, each of its names.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import TypeAlias

SECTOR = 512
CALLS = "openat,close,lseek,write,pwrite64,fsync,fdatasync,ftruncate,?unlink,unlinkat,?rename,renameat,renameat2,?link,linkat"
STRACE = ("strace", "-qq", "-xx", "-s", "100000000", "-e", f"trace={CALLS}", "-o")
LINE = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass(frozen=True, slots=True)
class Printed:
    """Line written to stdout."""

    line: str


@dataclass(frozen=True, slots=True)
class Written:
    """Bytes written at an offset of a file; None truncates the file there."""

    file: int
    place: int
    content: bytes | None


@dataclass(frozen=True, slots=True)
class Renamed:
    """Names that now refer to other files, atomically; None for a name that is removed."""

    names: dict[str, int | None]


@dataclass(frozen=True, slots=True)
class Synced:
    """Sync of a file, or of the names of the folder (None)."""

    file: int | None


Step: TypeAlias = Printed | Written | Renamed | Synced


class _Reader:
    """Parser that maps the names and descriptors of a folder to files."""

    def __init__(self, folder: Path, start: Iterable[str]) -> None:
        self._folder = str(folder.resolve())
        self._names = {name: number for number, name in enumerate(start)}
        self._made = len(self._names)
        self._open: dict[int, int | None] = {}
        self._places: dict[int, int] = {}

    def steps(self, trace: Iterable[str]) -> Iterator[Step]:
        for line in trace:
            match = LINE.match(line)
            if match and int(match[3]) >= 0:
                texts = [bytes.fromhex(text.replace("\\x", "")) for text in TEXT.findall(match[2])]
                rest = TEXT.sub('""', match[2])
                yield from self._step(
                    match[1], rest, [part.strip() for part in rest.split(",")], texts, int(match[3])
                )

    def _step(
        self, call: str, rest: str, parts: list[str], texts: list[bytes], result: int
    ) -> Iterator[Step]:
        if call == "openat":
            yield from self._open_file(texts[0].decode(), rest, result)
        elif call.startswith(("unlink", "rename", "link")):
            yield from self._rename_file(call, [self._inside(text.decode()) for text in texts])
        elif call == "write" and parts[0] == "1":
            yield from (Printed(line) for line in texts[0].decode().splitlines())
        elif (number := int(parts[0])) in self._open:
            yield from self._done(call, number, parts, texts, result)

    def _inside(self, path: str) -> str | None:
        folder, _, name = path.rpartition("/")
        return name if folder == self._folder else None

    def _open_file(self, path: str, flags: str, number: int) -> Iterator[Step]:
        self._open.pop(number, None)
        name = self._inside(path)
        if path == self._folder:
            self._open[number] = None
        elif name is not None:
            if name not in self._names:
                yield self._name({name: self._made})
                self._made += 1
            self._open[number], self._places[number] = self._names[name], 0
            if "O_TRUNC" in flags:
                yield Written(self._names[name], 0, None)

    def _name(self, names: dict[str, int | None]) -> Renamed:
        for name, file in names.items():
            self._names.pop(name, None)
            if file is not None:
                self._names[name] = file
        return Renamed(names)

    def _rename_file(self, call: str, names: list[str | None]) -> Iterator[Step]:
        first = names[0]
        if first is None:
            return
        gone: dict[str, int | None] = {} if call.startswith("link") else {first: None}
        new = {name: self._names[first] for name in names[1:] if name is not None}
        yield self._name(gone | new)

    def _done(
        self, call: str, number: int, parts: list[str], texts: list[bytes], result: int
    ) -> Iterator[Step]:
        file = self._open[number]
        if call == "close":
            del self._open[number]
        elif call in ("fsync", "fdatasync"):
            yield Synced(file)
        elif call == "lseek":
            self._places[number] = result
        elif file is not None and call == "ftruncate":
            yield Written(file, int(parts[1]), None)
        elif file is not None:
            offset = int(parts[-1]) if call == "pwrite64" else self._places[number]
            self._places[number] += result if call == "write" else 0
            yield Written(file, offset, texts[0][:result])


def parse_trace(trace: Path, folder: Path, start: Iterable[str] = ()) -> list[Step]:
    """Parse the steps of a process in a folder with the files `start`, numbered from 0."""
    with trace.open() as lines:
        return list(_Reader(folder, start).steps(lines))


@dataclass(slots=True)
class Disk:
    """Folder on a disk: durable contents, and later steps."""

    files: dict[int, bytes] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    _writing: dict[int, list[Written]] = field(default_factory=dict)
    _naming: list[Renamed] = field(default_factory=list)

    def do(self, step: Step) -> None:
        """Apply a step to the model of the disk."""
        if isinstance(step, Written):
            self._writing.setdefault(step.file, []).append(step)
        elif isinstance(step, Renamed):
            self._naming.append(step)
        elif isinstance(step, Synced) and step.file is None:
            self.names, self._naming = apply_renames(self.names, self._naming), []
        elif isinstance(step, Synced) and step.file is not None:
            self.files[step.file] = apply_writes(
                self.files.get(step.file, b""), self._writing.pop(step.file, ())
            )

    def after_a_cut(self, chance: Random) -> dict[str, bytes]:
        """Return the files by name; steps that are not durable are kept or lost at random.

        Each sector and each name is kept or lost separately.
        """
        # a slow disk, or one that is nearly done
        keep = chance.choice((0.0, 0.1, 0.5, 0.5, 0.9, 1.0))
        names = apply_renames(self.names, [step for step in self._naming if chance.random() < keep])
        return {name: self._durable_bytes(file, chance, keep) for name, file in names.items()}

    def _durable_bytes(self, file: int, chance: Random, keep: float) -> bytes:
        sectors = (sector for step in self._writing.get(file, ()) for sector in _sectors(step))
        return apply_writes(
            self.files.get(file, b""), [sector for sector in sectors if chance.random() < keep]
        )


def _sectors(step: Written) -> Iterator[Written]:
    if step.content is None:
        yield step
        return
    at = 0
    while at < len(step.content):
        size = SECTOR - (step.place + at) % SECTOR
        yield Written(step.file, step.place + at, step.content[at : at + size])
        at += size


def apply_writes(content: bytes, steps: Iterable[Written]) -> bytes:
    data = bytearray(content)
    for step in steps:
        end = step.place + len(step.content or b"")
        data.extend(bytes(max(0, end - len(data))))
        if step.content is None:
            del data[step.place :]
        else:
            data[step.place : end] = step.content
    return bytes(data)


def apply_renames(names: dict[str, int], steps: Iterable[Renamed]) -> dict[str, int]:
    names_on_disk: dict[str, int | None] = dict(names)
    for step in steps:
        names_on_disk |= step.names
    return {name: file for name, file in names_on_disk.items() if file is not None}


def cut_power(
    steps: Sequence[Step], disk: Disk, count: int, chance: Random
) -> Iterator[tuple[dict[str, bytes], list[str]]]:
    """Cut the power `count` times, half of them right after an output line.

    Yield the files on the disk, and the lines printed before the cut.
    """
    after = [number for number, step in enumerate(steps, 1) if isinstance(step, Printed)]
    anywhere = chance.choices(range(len(steps) + 1), k=count - count // 2)
    often, lines = Counter(anywhere + chance.choices(after, k=count // 2)), list[str]()
    for number, step in enumerate([*steps, None]):
        for _ in range(often[number]):
            yield disk.after_a_cut(chance), list(lines)
        if isinstance(step, Printed):
            lines.append(step.line)
        elif step is not None:
            disk.do(step)

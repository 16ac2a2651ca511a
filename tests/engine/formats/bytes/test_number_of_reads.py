"""Tests of how often a file is opened and how much is read, until its run or qrels are complete."""

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path

import openpyxl
import pytest

from irjudge.errors import FormatError
from irjudge.evaluation import Policy, read_ranking
from irjudge.formats.bytes import files as one_file
from irjudge.formats.rankings import read_qrels, read_run
from irjudge.model import make_qrels

TOPICS, DEPTH = 60, 100
QRELS = make_qrels([("1", "d3", 1), ("2", "d99", 2)])
LINES = [
    f"{topic} Q0 d{rank} {rank} {DEPTH - rank}.5 tag"
    for topic in range(1, TOPICS + 1)
    for rank in range(DEPTH)
]
REGULAR = "\n".join(LINES) + "\n"


@dataclass
class ReadCount:
    """Number of opened files and of read bytes."""

    opened: int = 0
    bytes: int = 0


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ReadCount]:
    """Count how often files in the test's folder are opened for reading, and the bytes read."""
    counted, real = ReadCount(), io.open

    class Counted(io.FileIO):
        def readinto(self, buffer):
            size = super().readinto(buffer)
            counted.bytes += size
            return size

        def readall(self):
            data = super().readall()
            counted.bytes += len(data)
            return data

    def open_counted(file, mode="r", *args, **options):
        if not str(file).startswith(str(tmp_path)) or mode != "rb":
            return real(file, mode, *args, **options)
        counted.opened += 1
        return io.BufferedReader(Counted(file))

    monkeypatch.setattr("io.open", open_counted)
    monkeypatch.setattr("builtins.open", open_counted)
    yield counted


def separate_topics(lines: list[str]) -> list[str]:
    """Return the lines in an order that separates those of a topic."""
    return sorted(lines, key=lambda line: int(line.split()[3]))


IRREGULAR = {
    "not grouped by topic": separate_topics(LINES),
    "a topic comes again": [*LINES, "1 Q0 late 101 -1 tag"],
    "scores rise": [
        line.replace(".5 tag", "e1 tag") if line.startswith("7 ") else line
        for line in reversed(LINES)
    ],
    "ranks contradict scores": [line.replace(" 5 95.5", " 5 9.5") for line in LINES],
    "two spaces": [line.replace(" ", "  ") for line in LINES],
    "tabs in one line": [LINES[0].replace(" ", "\t"), *LINES[1:]],
    "ends of lines of Windows": [f"{line}\r" for line in LINES],
    "no rank": [" ".join((*line.split()[:3], *line.split()[4:])) for line in LINES],
    "no tag": [line.removesuffix(" tag") for line in LINES],
    "two tags": [*LINES, "99 Q0 d 1 1 other"],
    "seven columns": [f"{line} more" for line in LINES],
    "a comment": ["# made by hand", *LINES],
    "not ASCII": [*LINES, "99 Q0 dé 1 1 tag"],
    "a document twice": [*LINES, LINES[-1]],
    "two columns": ["\t".join(line.split()[:3:2]) for line in LINES],
    "three columns": ["\t".join((*line.split()[:3:2], line.split()[4])) for line in LINES],
    "a table with a header": [
        "topic,docno,score",
        *(",".join((*line.split()[:3:2], line.split()[4])) for line in LINES),
    ],
    "top 1000 of MS MARCO": [
        f"{line.split()[0]}\t{line.split()[2][1:]}\twhat is it\tA passage." for line in LINES
    ],
}
WRONG = {
    "one bad line": [*LINES[:200], "4 Q0", *LINES[200:]],
    "a score that is none": [*LINES[:200], "4 Q0 d 1 high tag", *LINES[200:]],
    "four columns": [" ".join(line.split()[:4]) for line in LINES],
}
PACKED = {"": bytes, ".gz": gzip.compress, ".bz2": bz2.compress, ".xz": lzma.compress}


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_bytes(PACKED[path.suffix if path.suffix in PACKED else ""](text.encode()))
    return path


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("kind", [None, *IRREGULAR])
def test_a_run_is_opened_and_read_once(
    tmp_path: Path, count: ReadCount, kind: str | None, ending: str
) -> None:
    text = "\n".join(IRREGULAR[kind]) + "\n" if kind else REGULAR
    path = write(tmp_path, f"a.run{ending}", text)
    read_ranking(path, QRELS, Policy())
    assert astuple(count) == (1, path.stat().st_size)


@pytest.mark.parametrize("ending", PACKED)
@pytest.mark.parametrize("kind", WRONG)
def test_a_run_that_is_refused_is_opened_and_read_once(
    tmp_path: Path, count: ReadCount, kind: str, ending: str
) -> None:
    path = write(tmp_path, f"a.run{ending}", "\n".join(WRONG[kind]) + "\n")
    with pytest.raises(FormatError):
        read_ranking(path, QRELS, Policy())
    assert astuple(count) == (1, path.stat().st_size)


def test_json_and_qrels_are_opened_and_read_once(tmp_path: Path, count: ReadCount) -> None:
    run = write(tmp_path, "run.json", '{"1": {"d3": 2.5, "d4": 1.0}}')
    read_ranking(run, QRELS, Policy())
    qrels = write(tmp_path, "qrels", "1 0 d3 1\n2 0 d4 0\n")
    read_qrels(qrels)
    assert astuple(count) == (2, run.stat().st_size + qrels.stat().st_size)


def test_a_spreadsheet_is_opened_once(tmp_path: Path, count: ReadCount) -> None:
    book = openpyxl.Workbook()
    for row in (("topic", "docno", "score"), ("1", "d3", 2.5)):
        book.active.append(row)
    book.save(tmp_path / "run.xlsx")
    assert read_ranking(tmp_path / "run.xlsx", QRELS, Policy()).topics == ("1",)
    assert count.opened == 1


def test_runs_in_an_archive_are_refused_after_one_look(tmp_path: Path, count: ReadCount) -> None:
    path = tmp_path / "runs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.run", REGULAR)
        archive.writestr("b.run", REGULAR)
    with pytest.raises(FormatError) as refused:
        read_ranking(path, QRELS, Policy())
    assert refused.value.key == "archive"
    assert count.opened == 1


@pytest.mark.parametrize("ending", PACKED)
def test_late_irregularities_cost_a_second_read_and_no_memory(
    tmp_path: Path, count: ReadCount, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    again = [f"{copy}{line}" for copy in ("a", "b", "c") for line in LINES]
    path = write(tmp_path, f"a.run{ending}", "\n".join([*again, "99 Q0 d 1 1 other"]) + "\n")
    monkeypatch.setattr(one_file, "MAX_REPLAY_BYTES", 200_000)
    ranking = read_ranking(path, QRELS, Policy())
    assert astuple(count) == (1, 2 * path.stat().st_size)
    assert ranking.topics[-1] == "99"
    assert ranking.warnings == read_run(path).warnings != ()


@pytest.mark.slow
def test_early_irregularities_cost_no_second_read(tmp_path: Path, count: ReadCount) -> None:
    path = tmp_path / "long.run"
    with path.open("w") as file:
        file.write("0\tQ0 d 1 1 tag\n")
        file.writelines(
            f"{copy}{REGULAR}" for copy in ("1" + "0" * index for index in range(2, 90))
        )
    assert path.stat().st_size > one_file.MAX_REPLAY_BYTES
    assert read_ranking(path, QRELS, Policy()).topics[0] == "0"
    assert astuple(count) == (1, path.stat().st_size)


@pytest.mark.parametrize(
    "damage",
    [
        lambda raw: raw[:-100],
        lambda raw: raw[:-8] + bytes(4) + raw[-4:],
        lambda raw: raw[:-999] + bytes(9) + raw[-990:],
    ],
)
def test_a_damaged_run_gives_the_same_error_as_read_alone(
    tmp_path: Path, damage: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "a.run.gz"
    path.write_bytes(damage(gzip.compress(4 * REGULAR.encode())))
    messages = []
    for read in (read_run, lambda path: read_ranking(path, QRELS, Policy())):
        with pytest.raises(FormatError) as refused:
            read(path)
        assert refused.value.key == "damaged"
        messages.append(str(refused.value))
    assert messages[0] == messages[1]

"""Importing documents: many of them, and files made to be slow to read."""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

DOCUMENTS, SIZE, MB = 100_000, 1000, 1_000_000
MAX_SECONDS = 10.0  # seconds
# memory limit: a multiple of the file's size, plus that of any command, in MB
TIMES_THE_FILE = 10
BESIDE = 200
COMMAND = "import sys; from irjudge.cli.main import main; sys.exit(main(sys.argv[1:]))"
TRY = f"{COMMAND.removesuffix('sys.exit(main(sys.argv[1:]))')}main(sys.argv[1:])"


def documents() -> Iterator[str]:
    chance = random.Random(7)
    words = [
        "".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9)))
        for _ in range(5000)
    ]
    for number in range(DOCUMENTS):
        text = " ".join(chance.choices(words, k=SIZE // 6))[:SIZE]
        yield json.dumps({"id": f"d{number:06}", "title": f"Title {number}", "text": text}) + "\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("importing")
    (made / "topics.tsv").write_text("1\twhat\n")
    (made / "documents.jsonl").write_text("".join(documents()))
    return made


def words(folder: Path, path: Path, project: str) -> list[object]:
    return ["new", folder / project, "--documents", path, "--topics", folder / "topics.tsv"]


def test_many_documents_are_imported_in_time(bench, folder: Path) -> None:
    path, costs = folder / "documents.jsonl", []
    for time in range(3):
        costs.append(bench.process(COMMAND, *words(folder, path, f"{time}.irjudge"), times=1))
        (folder / f"{time}.irjudge").unlink()
    best = min(costs, key=lambda cost: cost.seconds)
    title = (
        f"Import {DOCUMENTS:,} documents of 1 KB ({path.stat().st_size / MB:.0f} MB of JSON lines)"
    )
    bench.show(
        title,
        ["seconds", "MB", "documents a second"],
        [(best.seconds, best.megabytes, DOCUMENTS / best.seconds)],
    )
    assert best.seconds < MAX_SECONDS


HOSTILE = {
    "newlines.all": b".I 1\n.W\n" + b"\n" * 30 * MB,
    "newlines.csv": b"id,text\n1,a\n" + b"\n" * 30 * MB,
    "newlines.all.gz": gzip.compress(b".I 1\n.W\n" + b"\n" * 110 * MB, 9),
    "newlines.jsonl.gz": gzip.compress(b'{"id": 1, "text": "a"}\n' + b"\n" * 110 * MB, 9),
    "documents.jsonl.gz": gzip.compress(b'{"id": 1, "text": "a"}\n' * MB, 9),
    "one-line.tsv": b"1\t" + b"word " * 20 * MB,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_malicious_files_take_bounded_time_and_memory(bench, folder: Path, name: str) -> None:
    (path := folder / name).write_bytes(HOSTILE[name])
    cost = bench.process(TRY, *words(folder, path, f"{name}.irjudge"), times=1)
    megabytes = path.stat().st_size / MB
    bench.show(
        f"Read {name} ({megabytes:.1f} MB)", ["seconds", "MB"], [(cost.seconds, cost.megabytes)]
    )
    assert cost.seconds < MAX_SECONDS and cost.megabytes < BESIDE + TIMES_THE_FILE * megabytes

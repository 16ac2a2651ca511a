"""Tests of randomly changed files of other tools: read or refused in one line, never modified."""

import io
import random
import zipfile
from pathlib import Path

import pytest

from irjudge.errors import IrjudgeError
from tests.engine.formats.test_other_tools import FILES, REFUSED
from tests.lengths import short_or_long

PIECES = [
    *(b" ", b"\t", b"\n", b"\r", b",", b";", b'"', b"{", b"}", b"[", b"]", b"<", b">", b"&#", b"#"),
    *(b"0", b"-", b"1e999", b"nan", b"null", b"9" * 30, b"topic", b"\\ud800", b":", b"=1+1", b".5"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"PK\x03\x04", b"\x00", b"\xed\xa0\x80", b"\xe9"),
    *(
        b"PMID- ",
        b"ER\n",
        b"PT J\n",
        b"UT ",
        b"TY  - ",
        b'"rubrics":[{',
        b"exact",
        b"</c>",
        b"<row>",
    ),
]
READERS = [read for _, read, _ in FILES.values()]
CONTENTS = {name: content for name, (content, *_) in (FILES | REFUSED).items()}


def tamper(content: bytes, chance: random.Random) -> bytes:
    """Change one to four places of a file or of a member of an archive, or truncate it."""
    if content.startswith(b"PK") and chance.random() < 0.8:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(out, "w") as new:
            hit = chance.choice(old.namelist())
            for name in old.namelist():
                data = old.read(name)
                new.writestr(name, tamper(data, chance) if name == hit else data)
        return out.getvalue()
    for _ in range(chance.choice((1, 1, 2, 4))):
        at = chance.randint(0, len(content))
        begin = chance.randint(0, len(content))
        put = chance.choice(
            [chance.choice(PIECES), chance.randbytes(3), content[begin : begin + 30]]
        )
        content = content[:at] + put + content[at + chance.choice((0, 0, 1, 5, 60)) :]
    return content[: chance.randint(0, len(content))] if chance.random() < 0.05 else content


def check(folder: Path, count: int, seed: int) -> None:
    chance = random.Random(seed)
    for number in range(count):
        name = [*CONTENTS][number % len(CONTENTS)]
        path, content = folder / name, tamper(CONTENTS[name], chance)
        path.write_bytes(content)
        for read in (FILES[name][1] if name in FILES else READERS[0], chance.choice(READERS)):
            try:
                read(path)
            except IrjudgeError as refused:
                message = str(refused)
                assert message.strip() and "\n" not in message and len(message) < 2000, name
                message.encode()
        assert path.read_bytes() == content
        path.unlink()


def test_a_tampered_file_is_read_or_refused_in_one_line(tmp_path: Path) -> None:
    check(tmp_path, 30, 54)


@pytest.mark.slow
def test_many_tampered_files_are_read_or_refused_in_one_line(tmp_path: Path) -> None:
    check(tmp_path, short_or_long(300, 4000), 55)

"""The tag of a run."""

import gzip
import os
import threading
from pathlib import Path

import pytest

from irjudge.errors import FormatError
from irjudge.formats.rankings.run_tag import read_tag


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("1 Q0 d 1 2.0 mine\n2 Q0 d 1 2.0 other\n", "mine"),
        ("# a note of six words more\n\n1\tQ0\td\t1\t2.0\tmine and more\n", "mine"),
        ("1 Q0 d 1 2.0\n", None),
        ("", None),
        ("# nothing\n", None),
    ],
)
def test_the_tag_is_the_sixth_column_of_the_first_line(tmp_path: Path, text: str, tag: str | None) -> None:
    (tmp_path / "a.run").write_text(text)
    (tmp_path / "b.run.gz").write_bytes(gzip.compress(text.encode()))
    assert read_tag(tmp_path / "a.run") == read_tag(tmp_path / "b.run.gz") == tag


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_a_pipe_is_left_unread(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=lambda: (tmp_path / "pipe").write_text("1 Q0 d 1 2.0 mine\n"))
    writer.start()
    try:
        assert read_tag(tmp_path / "pipe") is None
        assert (tmp_path / "pipe").read_text() == "1 Q0 d 1 2.0 mine\n"
    finally:
        writer.join()


def test_what_cannot_be_read_is_left_to_who_reads_the_run(tmp_path: Path) -> None:
    assert read_tag(tmp_path / "missing") is None
    (tmp_path / "x").write_bytes(b"1 Q0 d\xff 1 2 t\n")
    with pytest.raises(FormatError):
        read_tag(tmp_path / "x")

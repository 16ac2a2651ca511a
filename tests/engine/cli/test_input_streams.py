"""Tests of standard input, pipes and encodings of evaluated files."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from irjudge.cli.main import main

QRELS = "1 0 a 1\n2 0 b 1\n"
RUN = "qid,docno,score\n1,a,2.5\n2,c,1.5\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_pipes_are_read_in_every_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    writers = []
    for name, text in (("q", QRELS), ("r", RUN)):
        os.mkfifo(tmp_path / name)
        path = tmp_path / name
        writers.append(threading.Thread(target=path.write_text, args=(text,)))
        writers[-1].start()
    try:
        assert main(["evaluate", str(tmp_path / "q"), str(tmp_path / "r"), "-m", "AP"]) == 0
    finally:
        for each in writers:
            each.join()
    assert capsys.readouterr().out.split() == ["run", "AP", "r", "0.5000"]


@pytest.mark.slow
@pytest.mark.parametrize("at", [0, 1])
def test_a_hyphen_is_standard_input(tmp_path: Path, at: int):
    (tmp_path / "q").write_text(QRELS)
    (tmp_path / "r").write_text(RUN)
    arguments = ["q", "r"]
    text = (tmp_path / arguments[at]).read_text()
    arguments[at] = "-"
    command = [sys.executable, "-m", "irjudge", "evaluate", *arguments, "-m", "AP", "-f", "csv"]
    done = subprocess.run(
        command, input=text, text=True, capture_output=True, cwd=tmp_path, check=True
    )
    assert done.stdout.splitlines()[1].endswith("AP,all,0.5")


@pytest.mark.slow
def test_the_named_encoding_is_that_of_qrels_and_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "q").write_bytes("1 0 d\xe9 1\n".encode("cp1252"))
    (tmp_path / "r.run").write_bytes("1 Q0 d\xe9 1 2.5 t\n".encode("cp1252"))
    arguments = ["evaluate", str(tmp_path / "q"), str(tmp_path / "r.run"), "-m", "AP"]
    assert main(arguments) == 2
    assert "--encoding" in capsys.readouterr().err
    assert main([*arguments, "--encoding", "cp1252"]) == 0
    assert capsys.readouterr().out.split() == ["run", "AP", "r", "1.0000"]
    assert main([*arguments, "--encoding", "cp1252", "--cluster", "local"]) == 0


def test_naming_utf_16_leaves_other_files_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "q").write_bytes(QRELS.encode("utf-16-le"))
    (tmp_path / "r.csv").write_text(RUN)
    arguments = ["evaluate", str(tmp_path / "q"), str(tmp_path / "r.csv"), "-m", "AP"]
    assert main([*arguments, "--encoding", "UTF-16"]) == 0
    assert capsys.readouterr().out.split() == ["run", "AP", "r", "0.5000"]


def test_an_encoding_is_for_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "q").write_text("1 0 a 1\n")
    project = tmp_path / "a.irjudge"
    assert main(["new", str(project), "--qrels", str(tmp_path / "q")]) == 0
    assert main(["evaluate", str(project), "--encoding", "cp1252"]) == 2
    assert main(["evaluate", str(tmp_path / "q"), str(tmp_path / "q"), "--encoding", "x"]) == 2

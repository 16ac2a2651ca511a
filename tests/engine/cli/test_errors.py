"""Tests of the errors of each command for missing files, options or values, by key."""

import shutil
from pathlib import Path

import pytest

from irjudge.cli.main import main
from irjudge.cli.streams import hide_secrets, prepare_streams, say_error
from irjudge.model import Scale
from irjudge.shipped import sample_folders
from irjudge.store import create_project
from tests.engine.cli.output import command_error

SAMPLE = sample_folders()["everyday"]
QRELS = str(SAMPLE / "qrels.txt")
RUNS = [str(path) for path in sorted((SAMPLE / "runs").glob("*.run"))]
DOCUMENTS = [str(SAMPLE / "documents.jsonl"), "--topics", str(SAMPLE / "topics.txt")]
LABELS = "item,worker,label\nd1,ann,2\nd1,bob,2\n"


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (["evaluate", QRELS], "no-runs"),
        (["compare", QRELS], "no-runs"),
        (["bounds", QRELS], "no-runs"),
        (["figure", "precision-recall", QRELS], "no-runs"),
        (["correlate", "--systems"], "no-runs"),
        (["correlate", "--systems", QRELS, *RUNS, "-m", "AP"], "one-order"),
        (["evaluate", "missing.irjudge"], "no-file"),
        (["figure", "gain", "missing.irjudge"], "no-file"),
        (["pool", "missing.irjudge"], "no-file"),
        (["estimate", QRELS, *RUNS], "no-pool-file"),
        (["reusability", QRELS, *RUNS], "no-depth"),
        (["search", str(SAMPLE / "documents.jsonl")], "no-topics"),
        (["online"], "no-log"),
        (["evaluate", QRELS, ""], "empty-name"),
        (["convert", *RUNS, "-o", ""], "empty-name"),
        (["search", "", "--topics", QRELS], "empty-name"),
        (["search", *DOCUMENTS, "--compare"], "project-needed"),
        (["pool", *RUNS, "--once"], "project-needed"),
        (["pool", *RUNS, "--strategy", "learning", "--size", "8"], "project-needed"),
        (["duplicates", DOCUMENTS[0], "--pool"], "project-needed"),
        (["reusability", "bare.irjudge"], "no-pool"),
        (["estimate", "bare.irjudge"], "no-pool"),
        (["search", "p.irjudge", "--vary", "k1=1,2"], "no-compare"),
        (["search", "p.irjudge", "--compare", "--vary", "k1="], "no-values"),
        (["fuse", "p.irjudge", "--run", "bm25"], "one-run"),
        (["consensus", "labels.csv", "-o", "other.qrels"], "no-topics"),
        (["search", "p.irjudge", "x"], "project-alone"),
        (["duplicates", "p.irjudge", "x"], "project-alone"),
        (["pool", "p.irjudge", RUNS[0]], "project-alone"),
        (["estimate", "p.irjudge", *RUNS], "project-alone"),
        (["reusability", "p.irjudge", *RUNS], "project-alone"),
        (["evaluate", "p.irjudge", *RUNS], "project-alone"),
        (["bounds", "p.irjudge", *RUNS], "project-alone"),
        (["figure", "precision-recall", "p.irjudge", *RUNS], "project-alone"),
        (["audit", QRELS], "no-labels"),
        (["agreement", "labels.csv", "--show", "topics"], "no-topics"),
        (["consensus", "labels.csv", "--truth", "other.csv"], "no-gold-labelled"),
        (["ask", "p.irjudge", "--model", "x"], "no-endpoint"),
        (["ask", "p.irjudge"], "no-endpoint"),
        (
            ["ask", "p.irjudge", "--model", "x", "--endpoint", "http://[::1]:9", "--budget", "1"],
            "no-prices",
        ),
        (["assign", "p.irjudge", "-o", "out"], "no-assessors"),
        (["assign", "p.irjudge", "--assessors", "ann"], "no-folder"),
    ],
    ids=lambda value: (
        " ".join(Path(word).name for word in value) if isinstance(value, list) else ""
    ),
)
def test_errors_for_missing_input_have_a_key(
    arguments: list[str],
    key: str,
    tmp_path: Path,
    small_project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copy(small_project, "p.irjudge")
    with create_project(Path("bare.irjudge"), scale=Scale.parse("binary")):
        pass
    assert main(["ask", "p.irjudge", "--allow"]) == 0
    Path("labels.csv").write_text(LABELS)
    Path("other.csv").write_text("item,truth\nz,1\n")
    capsys.readouterr()
    code, (out, err) = main(arguments), capsys.readouterr()
    error = command_error(*arguments)
    assert (code, out, error.key) == (2, "", key)
    assert err.splitlines()[-1] == f"irjudge: {error}" and "Traceback" not in err


def test_a_typed_password_is_not_shown_in_lower_case(capsys: pytest.CaptureFixture[str]) -> None:
    prepare_streams()
    hide_secrets(["evaluate", "s3://me%3ASecretPW%40host/a.parquet"])
    say_error("Cannot connect to me%3asecretpw%40host.")
    assert "secretpw" not in capsys.readouterr().err.lower()
    prepare_streams()

"""Tests of command output: encodings, closed or full streams, and terminal control characters."""

import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from irjudge.cli import streams
from irjudge.cli.main import COMMANDS, main
from irjudge.cli.options import show
from irjudge.model import Document, Scale, Topic, make_qrels, make_run
from irjudge.store import create_project
from tests.pools import depth_pool

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
ESCAPE, C1, TURNED, TITLE = "\x1b[2J", "\x9b31m", "\u202e", "\x1b]0;x\x07"
CONTROL_CHARACTERS = re.compile(
    r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)
NAME = f"p{ESCAPE}{TURNED}≥漢"
P, RUN, OTHER, QRELS, LABELS, LOG = (
    f"{NAME}{end}" for end in (".irjudge", ".run", "2.run", ".qrels", ".csv", ".log.csv")
)

# The arguments of each command; a command that is not listed runs on the project only.
ARGUMENTS: dict[str, list[str]] = {
    "sample": ["everyday", "-o", f"sample{NAME}.irjudge"],
    "new": [
        f"new{NAME}.irjudge",
        "--documents",
        f"{NAME}.jsonl",
        "--topics",
        f"{NAME}.tsv",
        "--runs",
        RUN,
    ],
    "import": [P, "--runs", OTHER],
    "remove-run": [P, f"gone{ESCAPE}"],
    "open": [f"nowhere{ESCAPE}.irjudge"],
    "pool": [P, "--depth", "2", "--details"],
    "export": [P, "--judgments", "-o", f"out{NAME}.csv"],
    "assign": [P, "--assessors", f"zo{ESCAPE}e,b{C1}ob", "--overlap", "1", "-o", f"out{ESCAPE}"],
    "merge": [P, f"nowhere{ESCAPE}.irtask"],
    "exclude": [P, f"nobody{ESCAPE}"],
    "serve": [P, "--host", f"nowhere{ESCAPE}"],
    "agreement": [LABELS],
    "consensus": [LABELS],
    "rescue": [P, "-o", f"rescued{NAME}.irjudge"],
    "evaluate": [QRELS, RUN, "-m", "AP", "-m", "P@2", "--per-topic"],
    "compare": [QRELS, RUN, OTHER, "-m", "AP"],
    "correlate": [RUN, OTHER],
    "explain": [QRELS, RUN, "-t", f"t{ESCAPE}1", "-m", "AP"],
    "bounds": [QRELS, RUN, "-m", "P@2"],
    "estimate": [QRELS, RUN],
    "reusability": [QRELS, RUN, OTHER],
    "report": [QRELS, RUN, "-o", f"out{NAME}.md"],
    "figure": ["topic-differences", QRELS, RUN, OTHER],
    "measures": ["AP"],
    "strategies": [],
    "user": [QRELS, RUN, "--known", QRELS],
    "online": [LOG],
    "desktop": ["--remove"],
}

DATA = ("qrels",)  # prints TREC qrels, for programs: exact


@pytest.fixture
def control_folder(tmp_path: Path, control_files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Copy the hostile files for each test, and change to their folder."""
    shutil.copytree(control_files, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / f"data{ESCAPE}"))
    return tmp_path


@pytest.fixture(scope="module")
def control_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Create a project and files whose names, ids and texts have control and unusual characters."""
    folder = tmp_path_factory.mktemp("commanding")
    topics = [f"t{ESCAPE}1", f"t{TITLE}2≥"]
    documents = [f"d{ESCAPE}1", f"d{C1}2", f"d{TURNED}3漢", "d4"]
    rows = [
        (topic, document, 9.0 - index)
        for topic in topics
        for index, document in enumerate(documents)
    ]
    with create_project(
        folder / P, scale=Scale.parse("0-3"), title=f"T{ESCAPE}", owner=f"an{TURNED}n"
    ) as project:
        project.collection.add_topics([Topic(topic, f"title {TITLE}\n") for topic in topics])
        project.collection.add_documents(
            Document(document, f"text {ESCAPE}".encode(), C1) for document in documents
        )
        project.rankings.add_run(run := make_run(f"r{ESCAPE}", rows), RUN)
        project.rankings.add_qrels(
            f"q{ESCAPE}",
            make_qrels([(topic, document, 1) for topic, document, _ in rows[::2]]),
            QRELS,
        )
        project.rankings.add_pool(depth_pool([run], 10))
    (folder / RUN).write_text(
        "".join(f"{topic} Q0 {document} 1 {score} x{ESCAPE}\n" for topic, document, score in rows)
    )
    (folder / OTHER).write_text(
        "".join(f"{topic} Q0 {document} 1 {-score} y{C1}\n" for topic, document, score in rows)
    )
    (folder / QRELS).write_text(
        "".join(
            f"{topic} 0 {document} {index % 2}\n" for index, (topic, document, _) in enumerate(rows)
        )
    )
    labels = [
        f"{topic},{document},{who},1\n"
        for topic, document, _ in rows
        for who in (f"an{ESCAPE}", f"b{TURNED}")
    ]
    (folder / LABELS).write_text("topic,document,assessor,grade\n" + "".join(labels))
    (folder / LOG).write_text(f"session,results,clicks\na{ESCAPE},10,2:40\nb,10,\n")
    (folder / f"{NAME}.jsonl").write_text('{"id": "d\\u001b[2J", "text": "one"}\n')
    (folder / f"{NAME}.tsv").write_text(f"t{ESCAPE}\ttitle\n")
    return folder


def run_with_encoding(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], encoding: str
) -> tuple[int, str]:
    """Run a command with streams of an encoding; return its exit code and output."""
    both = [
        io.TextIOWrapper(io.BytesIO(), encoding=encoding, errors=errors)
        for errors in ("strict", "backslashreplace")
    ]
    with monkeypatch.context() as inside:
        inside.setattr(sys, "stdout", both[0])
        inside.setattr(sys, "stderr", both[1])
        code = main(arguments)
        for stream in both:
            stream.flush()
    return code, "".join(stream.buffer.getvalue().decode(encoding) for stream in both)  # type: ignore[attr-defined]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=pytest.mark.slow if name == "doctor" else ()) for name in COMMANDS],
)
def test_no_command_prints_control_characters_of_data_to_a_terminal(
    name: str, encoding: str, control_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, output = run_with_encoding(monkeypatch, [name, *ARGUMENTS.get(name, [P])], encoding)
    assert code in (0, 2) and "Traceback" not in output, output
    assert name in DATA or not CONTROL_CHARACTERS.findall(output), output


@pytest.mark.parametrize("encoding", ["latin-1", "gbk", "cp932", "cp437", "ascii"])
@pytest.mark.parametrize("name", ["measures", "strategies", "explain", "pool", "--help"])
def test_every_character_can_be_printed_in_any_encoding(
    name: str, encoding: str, control_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [] if name == "measures" else ARGUMENTS.get(name, [])
    code, output = run_with_encoding(monkeypatch, [name, *arguments], encoding)
    assert code == 0 and "Traceback" not in output


def test_json_is_exact_in_an_encoding_that_lacks_its_characters(
    control_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = run_with_encoding(
        monkeypatch, ["pool", P, "--depth", "2", "--format", "json"], "utf-8"
    )[1]
    poor = run_with_encoding(
        monkeypatch, ["pool", P, "--depth", "2", "--format", "json"], "cp1252"
    )[1]
    assert "cp1252" in poor and "encoding" not in exact
    parsed = [json.JSONDecoder().raw_decode(output)[0]["values"] for output in (exact, poor)]
    assert parsed[0] == parsed[1] and any(ESCAPE in each["document"] for each in parsed[0])


def shell(command: str) -> subprocess.CompletedProcess[str]:
    line = command.replace("irjudge", f"'{sys.executable}' -m irjudge")
    return subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, text=True, check=False
    )


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("irjudge measures >&-", 0),
        ("irjudge measures AP 2>&-", 0),
        ("irjudge measures nosuch >&- 2>&-", 2),
        ("irjudge measures AP <&- >&- 2>&-", 0),
        ("irjudge --help | true", 0),
        ("irjudge pool --help | true", 0),
        ("irjudge --help > /dev/full", 2),
    ],
)
def test_closed_or_full_streams_cause_no_crash(command: str, code: int) -> None:
    done = shell(command)
    assert (done.returncode, "Traceback" in done.stderr, "Exception" in done.stderr) == (
        code,
        False,
        False,
    ), done.stderr


@pytest.mark.slow
@POSIX
def test_output_never_goes_into_a_file_opened_after_a_stream_was_closed(
    control_folder: Path,
) -> None:
    (control_folder / P).rename(control_folder / "plain")
    assert shell("irjudge export plain --pool -o t.csv <&- >&- 2>&-").returncode == 0
    lines = (control_folder / "t.csv").read_text().split("\n")
    assert lines[0].startswith("topic,") and not [
        line for line in lines if "Wrote" in line or "plain" in line
    ]


def test_qrels_on_a_terminal_have_no_control_characters(
    control_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "is_terminal", lambda: True)
    code, output = run_with_encoding(monkeypatch, ["qrels", P], "utf-8")
    assert code == 0 and not CONTROL_CHARACTERS.findall(output)


@pytest.mark.parametrize("form", ["csv", "json", "text"])
def test_table_formats_are_escaped_on_a_terminal_and_exact_in_a_file(
    form: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [("d\x1b[2J\x9b1m\u202e", 1)]
    show(("document", "grade"), rows, form)
    streams.end_json()
    exact = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    show(("document", "grade"), rows, form)
    streams.end_json()
    seen = capsys.readouterr().out
    assert (
        not CONTROL_CHARACTERS.findall(seen)
        and "\\x9b1m" in seen
        and seen.count("\n") == exact.count("\n")
    )
    assert form == "text" or "\x9b1m\u202e" in exact


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:sesame@127.0.0.1:9/db",
        "postgresql://me:sesame/db",
        "postgresql:/me:sesame@h/db",
        "https//me:sesame@h/a.parquet",
        "https;//me:sesame@h/a.parquet",
        "http:me:sesame@h/a.parquet",
        "https://me:sesame%40h/a.parquet",
        "https://me:sesame\uff20h/a.parquet",
        "https://me:open/sesame@h/a.parquet",
        "https://sesame@h:x/a.parquet",
        "https://h:9/a.parquet?token=sesame",
        "https://h:9/a.parquet#sesame",
        "s3://AKIA:sesame/bucket/a.parquet",
        "tls://me:sesame",
        "tls://h:9?token=sesame",
        "me:sesame@h:8786",
        " https://me:sesame@h:x/a.parquet",
        "host=127.0.0.1 user=me password=sesame",
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "q", "@"],
        ["evaluate", "@", "q"],
        ["audit", "q", "@"],
        ["merge", "p.irjudge", "@"],
        ["status", "@"],
        ["compare", "q", "q", "q", "--cluster", "@"],
        ["serve", "p.irjudge", "--public", "@"],
        ["serve", "p.irjudge", "--host=@"],
        ["serve", "p.irjudge", "--trust-proxy", "@"],
        ["lead", "http://127.0.0.1:9", "--secret", "@"],
        ["evaluate", "q", "q", "--keep", "@"],
        ["@"],
    ],
    ids=lambda arguments: " ".join(arguments[::2]),
)
def test_no_message_repeats_a_password_of_an_argument(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    address: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    with create_project(tmp_path / "p.irjudge", scale=Scale.parse("0-3")):
        pass
    (tmp_path / "q").write_text("1 0 d1 1\n")
    assert main([word.replace("@", address) for word in arguments]) == 2
    out, err = capsys.readouterr()
    assert "sesame" not in out + err
    assert err


def test_a_truncated_argument_does_not_show_the_beginning_of_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q").write_text("1 0 d1 1\n")
    assert main(["evaluate", "q", "q", "--keep", "sftp://me:sesame-opens@h/a"]) == 2
    err = capsys.readouterr().err
    assert "sftp://me:…" in err and "sesame" not in err

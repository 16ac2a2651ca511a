"""Tests of `irjudge ask`: permission, announcement of requests, and files without a network."""

import json
import os
import sys
from collections.abc import Sequence
from math import nan
from pathlib import Path
from typing import Any

import pytest

from irjudge.cli.main import main
from irjudge.judging import ModelJudgments, read_model_judgments
from irjudge.store import open_project
from tests.engine.audit.chat_responses import chat_response
from tests.engine.audit.misbehaving_endpoint import (
    answer_correctly,
    fork_with_threads,
    grade_of,
    run_server,
)
from tests.engine.cli.output import find_line, numbers

PAIRS = 12
DEAD = "http://127.0.0.1:9/v1"


@pytest.fixture
def allowed_project(project_file: Path) -> str:
    assert main(["ask", str(project_file), "--allow"]) == 0
    return str(project_file)


def labels(project: str, name: str = "tiny") -> ModelJudgments:
    with open_project(Path(project), writing=False) as opened:
        return read_model_judgments(opened, name)


def test_asking_without_permission_is_refused(
    project_file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["ask", str(project_file), "--endpoint", DEAD, "--model", "tiny", "--send"]
    assert main(arguments) == 2
    refused = capsys.readouterr().err
    assert find_line(refused, "small.irjudge", "--allow")
    assert (
        main(["ask", str(project_file), "--allow"])
        == main(["ask", str(project_file), "--forbid"])
        == 0
    )
    assert [line.count("small.irjudge") for line in capsys.readouterr().out.splitlines()] == [1, 1]
    assert main(arguments) == 2 and capsys.readouterr().err == refused


def test_a_preview_prints_requests_and_address_and_sends_nothing(
    allowed_project: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_server(answer_correctly) as server:
        arguments = [
            "ask",
            allowed_project,
            "--endpoint",
            server.url,
            "--model",
            "tiny",
            "--price",
            "2",
            "8",
            "--budget",
            "1",
        ]
        assert main(arguments) == 0
        err = capsys.readouterr().err
        assert find_line(err, f"{server.url}/chat/completions, model tiny: ", "graded.md, ")
        requests = numbers(find_line(err, "Requests: "))
        assert requests[0] == "12" and "3,600" in requests
        cost = numbers(find_line(err, "Cost: "))
        assert 0 < float(cost[0]) < 0.1 and cost[1] == "1" and find_line(err, "--send")
    assert not server.asked
    assert (
        main(["ask", allowed_project, "--endpoint", "http://example.org/v1", "--model", "tiny"])
        == 0
    )
    plain = capsys.readouterr().err
    arguments = ["ask", allowed_project, "--endpoint", "https://example.org/v1", "--model", "tiny"]
    assert main(arguments) == 0
    encrypted = capsys.readouterr().err.replace("https://", "http://")
    assert len(plain.splitlines()) == len(encrypted.splitlines()) + 1  # a warning of plain http


def test_asking_can_be_stopped_and_resumed(
    allowed_project: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with run_server(answer_correctly) as server:
        arguments = [
            "ask",
            allowed_project,
            "--endpoint",
            server.url,
            "--model",
            "tiny",
            "--send",
            "--at-once",
            "2",
        ]
        assert main([*arguments, "--limit", "5"]) == 2
        out, err = capsys.readouterr()
        assert find_line(out, "5 requests", "7 questions")
        assert numbers(find_line(out, "Labels", "tiny", "small.asked.jsonl")) == ["5"]
        assert find_line(err, "requests (5)")
        assert main(arguments) == 0
        out, err = capsys.readouterr()
        assert find_line(out, "7 requests", "0 questions")
        assert numbers(find_line(err, "Requests: "))[-1] == "5"  # answered before
    assert set(server.asked.values()) == {1} and len(labels(allowed_project).grades) == PAIRS
    assert (
        main(["audit", allowed_project, "tiny"]) == 2
    )  # there are no human judgments to compare with
    assert main(["evaluate", allowed_project, "--source", "model tiny"]) == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--model", "x", "--endpoint", DEAD, "--prompt", "nowhere.md"], "nowhere.md"),
        (
            ["--model", "x", "--endpoint", DEAD, "--key-from", "NO_SUCH_KEY"],
            "NO_SUCH_KEY",
        ),
        (["--model", "ann", "--endpoint", DEAD], "small.irjudge"),
        (["--model", "x", "--endpoint", DEAD, "--topic", "9"], "9"),
        (
            ["--read-answers", "nowhere"],
            "--write-prompts",
        ),
    ],
)
def test_missing_options_are_reported(
    allowed_project: str, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert main(["ask", allowed_project, *arguments]) == 2
    assert says in capsys.readouterr().err


def write(project: str, folder: Path, *more: str) -> list[dict]:
    assert main(["ask", project, "--model", "tiny", "--write-prompts", str(folder), *more]) == 0
    return [
        json.loads(line)
        for line in (folder / "prompts.jsonl").read_text(encoding="utf-8").splitlines()
    ]


def test_requests_and_replies_can_be_exchanged_by_files(
    project_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project, folder = str(project_file), tmp_path / "asked"
    requests = write(project, folder)
    assert len(requests) == PAIRS and {each["url"] for each in requests} == {"/v1/chat/completions"}
    grades = [grade_of(each["body"]["messages"][0]["content"]) for each in requests]
    batch = [
        {
            "custom_id": each["custom_id"],
            "response": {
                "status_code": 200,
                "body": json.loads(chat_response(json.dumps({"grade": grade}))),
            },
        }
        for each, grade in zip(requests[:5], grades, strict=False)
    ]
    plain = [
        {"custom_id": each["custom_id"], "answer": f'```\n{{"grade": {grade}}}\n```'}
        for each, grade in zip(requests[5:9], grades[5:], strict=False)
    ]
    bad = [
        {"custom_id": requests[9]["custom_id"], "response": None},
        {"custom_id": requests[10]["custom_id"], "answer": "No."},
    ]
    for name, rows in (
        ("a", batch),
        ("b", [*plain, *bad, {"custom_id": "stranger", "answer": '{"grade": 3}'}]),
    ):
        (folder / f"{name}.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
        )
    for count in (11, 0):  # the second time nothing changes
        capsys.readouterr()
        assert main(["ask", project, "--read-answers", str(folder)]) == 0
        out, err = capsys.readouterr()
        assert numbers(find_line(out, "Labels", "tiny", "small.asked.jsonl")) == [str(count)]
        assert numbers(find_line(err, "asked: ")) == ["1"]  # a reply to an unknown request
        assert err.count(": 1.\n") == 2  # and a request without a reply
    stored_labels = labels(project)
    assert sorted(stored_labels.grades.values()) == sorted(grades[:9])
    assert len({*stored_labels.unjudged.values()}) == len(stored_labels.unjudged) == 2
    assert len((project_file.parent / "small.asked.jsonl").read_bytes().splitlines()) == 11
    assert [each["custom_id"] for each in write(project, folder)] == [
        each["custom_id"] for each in requests[9:]
    ]


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.jsonl", '{"grade": 3}', "a.jsonl, line 1: "),
        ("a.jsonl", "[]", "a.jsonl, line 1: "),
        ("questions.json", '{"by": 3}', "questions.json: "),
        ("questions.json", {"by": {"model": 3}}, "questions.json: "),
        ("questions.json", {"by": {"grades": [1e999]}}, "questions.json: "),
        ("questions.json", {"name": "\ud800"}, "questions.json: "),
        ("questions.json", {"judge": {"parameters": {"temperature": nan}}}, "questions.json: "),
        ("questions.json", {"judge": {"parameters": {"x": 1e999}}}, "questions.json: "),
        (
            "questions.json",
            {"by": {"parameters": json.loads(f"{'[' * 600}{']' * 600}")}},
            "questions.json: ",
        ),
    ],
)
def test_files_of_another_format_are_named(
    project_file: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    name: str,
    text: str | dict[str, Any],
    says: str,
) -> None:
    write(str(project_file), tmp_path / "asked")
    path = tmp_path / "asked" / name
    if isinstance(text, dict):  # the written file with other values
        content = json.loads(path.read_text())
        for key, value in text.items():
            content[key] = {**content[key], **value} if isinstance(value, dict) else value
        text = json.dumps(content)
    path.write_text(text)
    assert main(["ask", str(project_file), "--read-answers", str(tmp_path / "asked")]) == 2
    assert says in capsys.readouterr().err


def sockets_of(*commands: Sequence[str]) -> set[str]:
    """Run commands in a new process and return its socket calls, by Python's audit events."""
    reading, writing = os.pipe()
    child = fork_with_threads()
    if child == 0:
        seen: set[str] = set()
        sys.addaudithook(lambda event, _: seen.add(event) if event.startswith("socket.") else None)
        try:
            codes = [main(list(arguments)) for arguments in commands]
            os.write(
                writing,
                json.dumps(
                    sorted(seen) if not any(codes) else ["failed", *map(str, codes)]
                ).encode(),
            )
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as stream:
        result = json.loads(stream.read() or '["ended"]')
    os.waitpid(child, 0)
    return set(result)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="fork is of POSIX")
def test_no_socket_is_opened_without_the_ask_command(project_file: Path, tmp_path: Path) -> None:
    project, folder = str(project_file), tmp_path / "asked"
    (tmp_path / "m.txt").write_text("".join(f"051 0 d{at} {at % 4}\n" for at in range(6)))
    (tmp_path / "people.qrels").write_text("".join(f"051 0 d{at} {at % 3}\n" for at in range(6)))
    unused = [
        ["sample", "everyday", "-o", str(tmp_path / "sample.irjudge")],
        ["import", project, "--qrels", str(tmp_path / "people.qrels")],
        ["import", project, "--judgments", str(tmp_path / "m.txt"), "--as", "model", "imported"],
        ["audit", project, "--samples", "5"],
        ["evaluate", project, "--source", "mixed:imported"],
        ["verify", project],
        ["ask", project, "--allow"],
        ["ask", project, "--model", "tiny", "--endpoint", DEAD],
        ["ask", project, "--model", "tiny", "--write-prompts", str(folder)],
        ["ask", project, "--read-answers", str(folder)],
    ]
    assert sockets_of(*unused) == set()
    assert not (tmp_path / "small.asked.jsonl").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="fork is of POSIX")
def test_the_audit_hook_sees_the_socket_of_the_ask_command(allowed_project: str) -> None:
    with run_server(answer_correctly) as server:
        assert "socket.connect" in sockets_of(
            ["ask", allowed_project, "--model", "tiny", "--endpoint", server.url, "--send"]
        )

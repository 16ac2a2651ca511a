"""A norming session: thirty participants, two rounds, and a server that is killed in between."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from openpyxl import load_workbook

from irjudge.cli.main import main
from irjudge.store import open_project
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, send_request

SECRET = "a secret that only the teacher knows"
PEOPLE, DOCUMENTS = 30, 6


@dataclass
class ServerProcess:
    """A server in another process."""

    port: int
    code: str
    process: subprocess.Popen[str]

    def send_host_request(self, command: str, **values: Any) -> Any:
        answer = send_request(
            self.port,
            "/lead",
            {"protocol": 1, "wish": command, "values": values},
            headers={"Authorization": f"Bearer {SECRET}"},
        )
        assert answer.status == 200, answer.body
        return answer.json


@contextmanager
def run_server(path: Path, port: int = 0) -> Iterator[ServerProcess]:
    command = [
        sys.executable,
        "-m",
        "irjudge",
        "serve",
        str(path),
        "--norming",
        "--port",
        str(port),
    ]
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(
        command, text=True, env={**os.environ, "IRJUDGE_LEADER": SECRET}, **streams
    ) as process:  # type: ignore[call-overload]
        assert process.stdout
        link = next(
            match
            for line in process.stdout
            if (match := re.search(r"http://127\.0\.0\.1:(\d+)/#(\w+)", line))
        )
        try:
            yield ServerProcess(int(link[1]), link[2], process)
        finally:
            process.kill()


def true_grade(document: str) -> int:
    return int(document[-1]) % 4


def judge_all(person: Person, scale: str, number: int, right: float) -> None:
    """Judge all open items correctly with a probability, and save rationales for half of them.

    The result does not depend on the order.
    """
    while person.sync()["items"] or person.open_items():
        for index in person.open_items():
            document = person.items[index]["documents"][0]
            chance = Random(f"{number} {document} {right}")
            value = true_grade(document) if chance.random() < right else chance.randrange(4)
            action = person.grade(index, value, scale)
            if chance.random() < 0.5:
                person.act(
                    "rationale", action["item"], {"text": f"words {document}", "position": [0, 5]}
                )
    assert person.sync()["acknowledged"] == person.number


def judge_in_parallel(people: list[Person], scale: str, right: float) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda each: judge_all(each[1], scale, each[0], right), enumerate(people)))


def test_thirty_participants_complete_two_rounds_and_a_kill_between_them_loses_nothing(
    tmp_path: Path,
) -> None:
    path = tmp_path / "class.irjudge"
    build_class(path, topics=("051", "007"), documents=9)
    with open_project(path) as project:
        scale = project.scale.version
    with run_server(path) as first:
        people = [Person(first, f"Student {number:02}") for number in range(PEOPLE)]  # type: ignore[arg-type]
        assert first.send_host_request("round", count=DOCUMENTS)["documents"] == DOCUMENTS
        judge_in_parallel(people, scale, 0.4)
        first.send_host_request("close")
        first.send_host_request("show", place=3)
        round_ = people[0].sync()["round"]
        os.kill(first.process.pid, signal.SIGKILL)
        first.process.wait()
    with run_server(path, first.port) as second:
        assert second.port == first.port
        for person in people:
            assert person.sync()["round"] == round_, (
                "each page sees what it saw, by the token it had"
            )
        second.send_host_request("round", documents="same")
        judge_in_parallel(people, scale, 0.9)
        second.send_host_request("close")
        rounds = second.send_host_request("standing")["norming"]["rounds"]
    with open_project(path, writing=False) as project:
        assert project.verify().problems == ()
        grades = [event for event in project.events.read() if event.kind == "grade"]
        assert [sum(event.payload["round"] == number for event in grades) for number in (1, 2)] == [
            PEOPLE * DOCUMENTS
        ] * 2
        assert len(grades) == 2 * PEOPLE * DOCUMENTS
    check_workbook(path, tmp_path / "class.xlsx", rounds)


def check_workbook(path: Path, made: Path, rounds: list[dict[str, Any]]) -> None:
    """Check that the workbook has the agreement, documents and rationales shown to the host."""
    assert main(["report", str(path), "-o", str(made)]) == 0
    book = load_workbook(made, read_only=True)
    rows = list(book["Rounds"].iter_rows(min_row=2, values_only=True))
    alphas = [row for row in rows if row[2:5] == ("all", "alpha", "ordinal")]
    assert [row[1] for row in alphas] == [1, 2] and [row[5] for row in alphas] == [PEOPLE] * 2
    for row, round_ in zip(alphas, rounds, strict=True):
        seen = next(
            each
            for each in round_["estimates"]
            if (each["statistic"], each["scale"], each["of"]) == ("alpha", "ordinal", "")
        )
        assert abs(row[7] - seen["value"]) < 1e-9 and row[8] <= row[7] <= row[9]
    # Each session samples other documents; with few samples of six, the intervals overlap.
    assert alphas[1][7] > alphas[0][7]
    assert {row[2] for row in rows} == {"all", "0", "1", "2", "3"}
    documents = list(book["Round documents"].iter_rows(min_row=2, values_only=True))
    assert [row[4] for row in documents] == [PEOPLE] * 2 * DOCUMENTS
    assert all(f"words {row[3]}" in row[8] for row in documents)
    assert sum(row[6] == "yes" for row in documents[:DOCUMENTS]) > sum(
        row[6] == "yes" for row in documents[DOCUMENTS:]
    )

"""Tests of asking processes killed at any moment: no repeated requests, and no lost replies."""

import json
import os
import random
import shutil
import signal
import sys
import threading
from collections import Counter
from pathlib import Path

import pytest

from irjudge.audit import (
    AnswerFile,
    AskOptions,
    RequestLimits,
    ask_model,
    find_prompt,
    make_answers_path,
    parse_endpoint,
    set_allowed,
)
from irjudge.audit.judge_prompts import render_questions
from irjudge.judging import read_model_judgments
from irjudge.store import open_project
from tests.engine.audit.misbehaving_endpoint import (
    answer_correctly,
    fork_with_threads,
    grade_of,
    run_server,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL and fork are of POSIX"),
]

SEED, PAIRS, REPEATS = 20260501, 12, 2
CALLS = 40_000  # approximate number of function calls when asking about these documents


def make_options(url: str) -> AskOptions:
    return AskOptions(
        "tiny", find_prompt("graded"), repeats=REPEATS, address=parse_endpoint(url).address
    )


def ask(path: Path, url: str, at_once: int) -> None:
    with open_project(path) as project, AnswerFile(make_answers_path(path), path) as answers:
        ask_model(
            project, make_options(url), parse_endpoint(url), answers, RequestLimits(at_once=at_once)
        )


def ask_and_kill(path: Path, url: str, at_once: int, calls: int) -> bool:
    """Ask in a process killed at its n-th call into irjudge, in any thread.

    Return whether it was.
    """
    child = fork_with_threads()
    if child == 0:
        left = calls

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal left
            left -= event in ("call", "c_call")
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        try:
            threading.setprofile(count)
            sys.setprofile(count)
            ask(path, url, at_once)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def count_stored_requests(path: Path) -> Counter[str]:
    """Return how often each request is complete in the file of replies."""
    there = make_answers_path(path)
    lines = there.read_bytes().split(b"\n")[:-1] if there.exists() else []
    return Counter(json.loads(line)["key"] for line in lines)


def test_killing_at_any_moment_loses_or_repeats_no_reply(
    small_project: Path, tmp_path: Path, full: bool
) -> None:
    draw = random.Random(SEED)
    path = tmp_path / "small.irjudge"
    kills = 0
    with run_server(answer_correctly) as server:
        while kills < (100 if full else 5):
            if (
                not kills or len(count_stored_requests(path)) == PAIRS * REPEATS
            ):  # start again after all requests
                make_answers_path(path).unlink(missing_ok=True)
                shutil.copy(small_project, path)
                with open_project(path) as project:
                    set_allowed(project, is_allowed=True)
                    keys = {
                        each.question.key: each.body["messages"][0]["content"]
                        for each in render_questions(project, make_options(server.url))
                    }
            before = count_stored_requests(path)
            asked_before = Counter(server.asked)
            at_once = draw.choice((1, 3))
            kills += ask_and_kill(path, server.url, at_once, draw.randrange(1, CALLS))
            after = count_stored_requests(path)
            assert set(after.values()) <= {1} and before.keys() <= after.keys()
            for content, count in (
                server.asked - asked_before
            ).items():  # at most two requests, none of which was answered
                assert count <= sum(keys[key] == content for key in keys.keys() - before.keys())
        server.asked.clear()
        missing = keys.keys() - count_stored_requests(path).keys()
        ask(path, server.url, 1)
    assert sum(server.asked.values()) == len(missing) and kills
    with open_project(path, writing=False) as project:
        assert project.verify().problems == ()
        model_judgments = read_model_judgments(project, "tiny")
    assert len(model_judgments.grades) == PAIRS and {
        len(given) for given in model_judgments.repeats.values()
    } == {REPEATS}
    assert (
        sorted(model_judgments.grades.values())
        == sorted(grade_of(content) for content in keys.values())[::REPEATS]
    )

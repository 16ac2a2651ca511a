"""Tests that data sent to participants are byte for byte the same with and without model labels."""

import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from irjudge.exchange import IRTASK_FORMAT, assign_pool, make_booklet, parse_candidates
from irjudge.formats.judgments import ModelLabel
from irjudge.judging import Norming, store_model_labels
from irjudge.model import ModelJudge
from irjudge.report import booklet_lines
from irjudge.store import ImportReport, open_project
from irjudge.web import HTML, SchedulingOptions, Server, SessionOptions
from tests.engine.exchange.classroom import OPTIONS, build_class
from tests.engine.web.session_client import Json, Person, Response, run_server, send_request

TOPICS = ("051", "007")
JUDGE = ModelJudge(
    "zebramodel",
    "quaggaversion",
    "numbatprompt.md",
    "f" * 64,
    {"tapir": 1},
    "1999-01-01",
    "okapihost",
    "dingofamily",
)
# of the model, and of its labels
SIGNS = b"zebramodel|quagga|numbat|tapir|okapihost|dingo|1999-01-01|ibexanswer|kudu|0?\\.0718281"
# times, and hashes that depend on times
VARIABLE = re.compile(rb"\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{32,}")

SESSIONS = {
    "graded": SessionOptions(
        SchedulingOptions(overlap=2, order="mixed", gold_every=3, repeats_every=4), search=True
    ),
    "learnt": SessionOptions(
        SchedulingOptions(overlap=2, order="learning", size=5, rel=2), search=True
    ),
    "normed": SessionOptions(SchedulingOptions(overlap=2), norming=Norming(names=True)),
}


@pytest.fixture
def with_and_without(tmp_path: Path) -> tuple[Path, Path]:
    """A project with a model's labels for every pair, and the same project without them."""
    without, labelled = tmp_path / "without" / "class.irjudge", tmp_path / "with" / "class.irjudge"
    for path in (without, labelled):
        path.parent.mkdir()
    build_class(without, TOPICS, documents=8)
    shutil.copy(without, labelled)
    labels = [
        ModelLabel(
            index,
            topic,
            f"t{topic}n{index}",
            *((3 - index % 4, "") if index % 5 else (None, "kudureason")),
            answer="ibexanswer",
        )
        for topic in TOPICS
        for index in range(12)
    ]
    sure = [
        ModelLabel(
            9,
            "051",
            "t051n1",
            2,
            probabilities=(0.0718281, 0.0, 0.9, 0.0281719),
            answer="ibexanswer",
        )
    ]
    with open_project(labelled) as project:
        store_model_labels(project, [*labels, *sure], JUDGE, "labels.jsonl", ImportReport())
        assert project.events.models() == (JUDGE.name,) and not project.events.assessors()
    assert len(set(re.findall(SIGNS, labelled.read_bytes()))) >= 8, (
        "all that must not be seen is in the file"
    )
    return labelled, without


@pytest.fixture
def fixed_randomness(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Make the random secrets the same for each call."""
    sampled = random.Random()
    np.random.default_rng(0)  # NumPy draws once when this is loaded
    monkeypatch.setattr("secrets.token_hex", lambda size=32: sampled.randbytes(size).hex())
    monkeypatch.setattr("secrets.token_bytes", lambda size=32: sampled.randbytes(size))
    monkeypatch.setattr("secrets.token_urlsafe", lambda size=32: sampled.randbytes(size).hex())
    monkeypatch.setattr("secrets.randbits", sampled.getrandbits)
    monkeypatch.setattr("secrets.choice", sampled.choice)
    return lambda: sampled.seed(7)


class RecordingPerson(Person):
    """A participant's page that records all data received."""

    def __init__(self, server: Server, name: str, sent: list[bytes]) -> None:
        self._sent = sent
        super().__init__(server, name)

    def try_call(self, path: str, data: Json) -> Response:
        answer = super().try_call(path, data)
        self._sent.append(path.encode() + b" " + answer.body)
        return answer


def judge(person: Person, scale: str) -> int:
    """Judge all assigned items, with items to be prefetched always available."""
    done = 0
    while person.sync(4)["items"] or person.open_items():
        for index in person.open_items():
            action = person.grade(index, index % 4, scale)
            person.act("rationale", action["item"], {"text": "so it is", "position": [0, 5]})
            done += 1
    person.sync(0)
    return done


def session_bytes(path: Path, options: SessionOptions) -> list[bytes]:
    """Run a session with two participants, and return all data that their pages received."""
    sent: list[bytes] = []
    with open_project(path, writing=False) as project:
        scale = project.scale.version
    with run_server(path, options) as server:
        sent += [send_request(server.port, page).body for page in ("/", "/hello")]
        people = [RecordingPerson(server, name, sent) for name in ("Ann", "Bob")]
        people[0].call("/preview", {"code": server.code})
        people[0].call("/news", {"known": {}})
        if options.norming:
            server.ask("round", documents="new", count=4)
        if options.search:
            hits = people[0].call("/search", {"words": "words 3 more"})["hits"]
            assert len(hits) > 5
            people[0].call("/find", {"topic": "051", "document": "t051n9"})
        assert min(judge(person, scale) for person in people) >= 4
        if options.norming:
            server.ask("close")
            assert people[1].sync(0)["round"]["shown"], "what everybody said is looked at together"
        people[1].call("/survey", {"named": True})
        for person in people:
            person.open()
            person.call("/welcome", {})
            person.call("/news", {"known": {}})
            person.sync(4)
    return sent


def check_equal(seen: list[bytes], wanted: list[bytes]) -> None:
    assert not [sign for each in seen for sign in re.findall(SIGNS, each)]
    assert [VARIABLE.sub(b"", each) for each in seen] == [
        VARIABLE.sub(b"", each) for each in wanted
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("kind", SESSIONS)
def test_a_page_receives_the_same_data_with_and_without_a_model(
    with_and_without: tuple[Path, Path], fixed_randomness: Callable[[], None], kind: str
) -> None:
    sent = []
    for path in with_and_without:
        fixed_randomness()
        sent.append(session_bytes(path, SESSIONS[kind]))
    check_equal(*sent)


@pytest.mark.slow
def test_files_pages_and_booklets_are_the_same_with_and_without_a_model(
    with_and_without: tuple[Path, Path], fixed_randomness: Callable[[], None]
) -> None:
    made: list[list[bytes]] = []
    for path in with_and_without:
        fixed_randomness()
        written = []
        for form in (IRTASK_FORMAT, HTML):
            copied = Path(shutil.copy(path, path.parent / "handed.irjudge"))
            folder = path.parent / form.suffix
            with open_project(copied) as project:
                assign_pool(project, parse_candidates("ann,bob"), OPTIONS, folder, file_format=form)
                written += [
                    "\n".join(
                        booklet_lines(project, make_booklet(project, "ann").pages, str)
                    ).encode()
                ]
            written += [each.read_bytes() for each in sorted(folder.iterdir())]
        made.append(written)
    assert len(made[0]) == 6
    check_equal(*made)

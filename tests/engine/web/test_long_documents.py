"""Tests that rendering a long document delays only the participant who gets it."""

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from irjudge.model import AssignedItem, Document, Scale, Topic, make_run
from irjudge.store import create_project, open_project, search_index
from irjudge.text import Snippet, Term, make_snippet
from irjudge.text.highlight import MAX_HITS
from irjudge.web import (
    SchedulingOptions,
    Server,
    SessionOptions,
    StartPage,
    task,
    to_browser_document,
)
from irjudge.web import server as server_module
from irjudge.web.connections import ServerBusy
from irjudge.web.safe_html import BrowserDocument
from irjudge.web.server import (
    LONG_ITEM_BYTES,
    LONG_THREAD_COUNT,
    RenderingThread,
    RenderingThreads,
)
from irjudge.web.task import ItemRenderer
from tests.engine.web.session_client import Person, run_server
from tests.pools import depth_pool
from tests.web.browsers import wait_until

PATIENCE = 20.0  # seconds


def make_project(path: Path, documents: dict[str, Document]) -> Path:
    with create_project(path, scale=Scale.parse("0-3"), title="Class", owner="teacher") as project:
        project.collection.add_topics([Topic("1", "tides")])
        project.collection.add_documents(documents.values())
        run = make_run("a", [("1", name, -float(index)) for index, name in enumerate(documents)])
        project.rankings.add_run(run, "a.run")
        project.rankings.add_pool(depth_pool([run], len(documents)))
    return path


def serve(path: Path) -> Iterator[Server]:
    with run_server(path, SessionOptions(SchedulingOptions(overlap=9, order="pool"))) as started:
        yield started


class Renderer:
    """Renders documents normally, but long ones only when permitted."""

    def __init__(self) -> None:
        self.may, self.begun, self.count = threading.Event(), threading.Semaphore(0), 0

    def __call__(self, document: Document, prefix: str, *_cancelled: object) -> BrowserDocument:
        if len(document.body) > LONG_ITEM_BYTES:
            self.count += 1
            self.begun.release()
            assert self.may.wait(PATIENCE)
        return to_browser_document(document, prefix)


@pytest.fixture
def renderer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Renderer]:
    made = Renderer()
    monkeypatch.setattr(task, "to_browser_document", made)
    yield made
    made.may.set()


@pytest.fixture
def server(tmp_path: Path, renderer: Renderer) -> Iterator[Server]:
    """A session with a short document, two long ones, and a short one."""
    bodies = {
        "short": "x",
        "long": "y" * LONG_ITEM_BYTES,
        "longer": "z" * LONG_ITEM_BYTES,
        "last": "w",
    }
    documents = {name: Document(name, f"{name} {body}".encode()) for name, body in bodies.items()}
    yield from serve(make_project(tmp_path / "class.irjudge", documents))


def scale_of(server: Server) -> str:
    return server.lead(lambda session: session.project.scale.version)


def titles_of(items: list[dict[str, object]]) -> list[str]:
    return [item["parts"]["items"][0]["about"]["documents"][0] for item in items]  # type: ignore[index]


@pytest.mark.slow
def test_others_join_open_judge_and_search_while_one_waits_for_a_long_document(
    server: Server, renderer: Renderer
) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    with ThreadPoolExecutor(1) as pool:
        first = ann.sync(want=4)
        assert (
            titles_of(first["items"]) == ["short"] and first["more"]
        )  # documents that are ready are sent at once
        waiting = pool.submit(ann.sync, want=0)
        assert renderer.begun.acquire(timeout=PATIENCE)
        bob.call("/welcome", {})
        assert titles_of(bob.sync(want=1)["items"]) == ["short"]
        bob.grade(0, 1, scale_of(server))
        assert bob.sync(want=0)["acknowledged"] == 1
        Person(server, "Cem").sync(want=1)
        assert not waiting.done()
        renderer.may.set()
        assert titles_of(waiting.result()["items"]) == ["long"]
    assert titles_of(ann.sync(want=0)["items"]) == ["longer"]
    assert titles_of(ann.sync(want=0)["items"]) == ["last"]
    assert ann.has == 4 and "more" not in ann.sync(want=0)


def test_a_long_document_is_rendered_once_for_all_and_once_for_a_page_that_asks_again(
    server: Server, renderer: Renderer
) -> None:
    ann, bob = Person(server, "Ann"), Person(server, "Bob")
    for person in (ann, bob):
        person.sync(want=2)
    wanted = {"client": ann.client, "want": 0, "has": 1}
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(ann.try_call, "/sync", wanted)
        assert renderer.begun.acquire(timeout=PATIENCE)
        again = ann.try_call("/sync", wanted)
        assert again.status == 503 and again.headers["retry-after"] == "2"
        renderer.may.set()
        assert waiting.result().status == 200
    assert ann.try_call("/sync", wanted).status == 200
    assert titles_of(bob.sync(want=0)["items"]) == ["long"]
    assert renderer.count == 1


@pytest.mark.slow
def test_several_long_documents_are_rendered_in_parallel(
    tmp_path: Path, renderer: Renderer
) -> None:
    names = [f"d{number}" for number in range(LONG_THREAD_COUNT)]
    documents = {name: Document(name, name.encode() + b"x" * LONG_ITEM_BYTES) for name in names}
    path = make_project(tmp_path / "class.irjudge", documents)
    with run_server(path, SessionOptions(SchedulingOptions(overlap=1, order="pool"))) as server:
        people = [Person(server, name) for name in names]
        with ThreadPoolExecutor(LONG_THREAD_COUNT) as pool:
            waiting = [pool.submit(person.sync, want=1) for person in people]
            for _ in names:
                assert renderer.begun.acquire(timeout=PATIENCE)
            renderer.may.set()
            titles = [titles_of(each.result()["items"])[0] for each in waiting]
    assert sorted(titles) == names


def test_a_search_that_finds_long_documents_delays_no_other_participant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may, begun = threading.Event(), threading.Event()

    def make(document: Document, terms: Sequence[Term]) -> Snippet:
        if document.id == "long":
            begun.set()
            assert may.wait(PATIENCE)
        return make_snippet(document, terms)

    monkeypatch.setattr(search_index, "make_snippet", make)
    documents = {
        "long": Document("long", b"harbour " * LONG_ITEM_BYTES),
        "short": Document("short", b"moon"),
    }
    path = make_project(tmp_path / "class.irjudge", documents)
    options = SessionOptions(SchedulingOptions(overlap=2, order="pool"), search=True)
    with run_server(path, options) as server, ThreadPoolExecutor(1) as pool:
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        waiting = pool.submit(ann.call, "/search", {"words": "harbour"})
        try:
            assert begun.wait(PATIENCE)
            bob.call("/welcome", {})
            assert bob.call("/search", {"words": "moon"})["hits"][0]["id"] == "short"
            assert ann.try_call("/search", {"words": "harbour"}).status == 503
            assert not waiting.done()
        finally:
            may.set()
        assert [hit["id"] for hit in waiting.result()["hits"]] == ["long"]


def test_a_participant_with_many_searches_at_once_queues_only_a_few(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may, begun = threading.Event(), threading.Event()

    def make(document: Document, terms: Sequence[Term]) -> Snippet:
        begun.set()
        assert may.wait(PATIENCE)
        return make_snippet(document, terms)

    monkeypatch.setattr(search_index, "make_snippet", make)
    path = make_project(tmp_path / "class.irjudge", {"short": Document("short", b"moon")})
    options = SessionOptions(SchedulingOptions(overlap=2, order="pool"), search=True)
    with run_server(path, options) as server, ThreadPoolExecutor(20) as pool:
        ann = Person(server, "Ann")
        searches = [pool.submit(ann.try_call, "/search", {"words": "moon"}) for _ in range(20)]
        try:
            assert begun.wait(PATIENCE)
            wait_until(lambda: sum(each.done() for each in searches) == 16)
            assert {each.result().status for each in searches if each.done()} == {503}
        finally:
            may.set()
        assert sorted(each.result().status for each in searches) == [200] * 4 + [503] * 16


def test_a_participant_who_used_up_the_time_for_texts_has_to_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "WORK_BURST", 0.0)
    monkeypatch.setattr(server_module, "WORK_RATE", 1e-9)

    def write(_thread: RenderingThread, count: int) -> bytes:
        return b"x" * count

    async def run() -> None:
        assert await threads.run("ann", write, 3, 4) == b"xxx"
        with pytest.raises(ServerBusy):
            await threads.run("ann", write, 3, 4)
        assert await threads.run("bob", write, 2, 4) == b"xx"

    threads = RenderingThreads(tmp_path)
    try:
        asyncio.run(run())
    finally:
        threads.stop()


def fragments_of(path: Path, document: Document, **limit: float) -> list[dict[str, Any]]:
    make_project(path, {document.id: document})
    with open_project(path, writing=False) as project:
        item = AssignedItem("1", ((document.id,),))
        return ItemRenderer(project, **limit).render([(item, 1)])


def test_a_long_title_is_a_long_document(tmp_path: Path) -> None:
    titled = Document("titled", b"x", "t" * LONG_ITEM_BYTES)
    assert fragments_of(tmp_path / "long", titled, max_bytes=LONG_ITEM_BYTES) == []
    assert len(fragments_of(tmp_path / "any", titled)) == 1


@pytest.mark.parametrize("row", ["a|b\n-|-\n", "a|\n-|\n", "|a|b|c|\n|-|-|-|\n"])
def test_a_markdown_table_counts_more_than_its_length(tmp_path: Path, row: str) -> None:
    """A document of 19.9 KB took 1.0 s."""
    table = Document("table", (row * (19_900 // len(row))).encode(), kind="markdown")
    assert fragments_of(tmp_path / "table", table, max_bytes=LONG_ITEM_BYTES) == []
    words = Document("words", b"a b\nc d\n" * (19_900 // 8), kind="markdown")
    assert len(fragments_of(tmp_path / "words", words, max_bytes=LONG_ITEM_BYTES)) == 1


def test_terms_in_a_long_text_are_found_in_every_slice_up_to_a_maximum(tmp_path: Path) -> None:
    text = "\U0001f319 Tides turn, tidal\n" * 12_000
    (short,) = fragments_of(tmp_path / "some", Document("some", text.encode()))
    (view,) = short["views"].values()
    assert len(view["hits"]) == 3 * text.count("Tides")
    assert view["hits"][3 * 11_999] == 11_999 * len("MM Tides turn, tidal\n") + len("MM ")
    (long,) = fragments_of(tmp_path / "many", Document("many", b"tides " * (MAX_HITS + 9)))
    (view,) = long["views"].values()
    assert len(view["hits"]) == 3 * MAX_HITS and view["passage"]


def test_instructions_are_rendered_before_anybody_joins(tmp_path: Path) -> None:
    """Long guidelines in Markdown take seconds, in the thread that all participants need."""
    path = make_project(tmp_path / "class.irjudge", {"d": Document("d", b"x")})
    with open_project(path) as project:
        project.set_setting("instructions", "# Judge `all` of it")
    options = SessionOptions(
        SchedulingOptions(overlap=1, order="pool"), start=StartPage("You may **stop** at any time")
    )
    task.render_markdown.cache_clear()
    with run_server(path, options) as server:
        assert task.render_markdown.cache_info().misses == 2
        Person(server, "Ann").call("/welcome", {})
        cached = task.render_markdown.cache_info()
        assert cached.hits and cached.misses == 2


@pytest.mark.slow
def test_a_megabyte_of_brackets_delays_no_other_participant(tmp_path: Path) -> None:
    """Formerly, another participant's `/welcome` took 13 s."""
    hostile = Document("hostile", b"![" * 500_000, kind="markdown")
    documents = {"hostile": hostile, "short": Document("short", b"moon")}
    path = make_project(tmp_path / "class.irjudge", documents)
    with (
        ThreadPoolExecutor(1) as pool,
        run_server(path, SessionOptions(SchedulingOptions(overlap=1, order="pool"))) as server,
    ):
        ann, bob = Person(server, "Ann"), Person(server, "Bob")
        waiting = pool.submit(ann.try_call, "/sync", {"client": ann.client, "want": 1})
        slowest, count = 0.0, 0
        while not waiting.done() and count < 20:
            begun = time.monotonic()
            bob.call("/welcome", {})
            bob.sync(want=1)
            slowest, count = max(slowest, time.monotonic() - begun), count + 1
        assert count == 20, "the document took no time; the test shows nothing"
        assert slowest < 2.0
        begun = time.monotonic()
    assert time.monotonic() - begun < 8.0  # the end does not wait for the whole document

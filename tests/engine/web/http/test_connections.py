"""Tests of connection limits: per address, in total, and for silent or unread connections."""

import http.client
import resource
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from irjudge.web import Server, ServerAddress, connections
from irjudge.web.connections import MAX_CONNECTIONS, RESERVED_FILES, JoinLimiter, raise_file_limit
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Person, run_server, send_request
from tests.engine.web.test_server import ServerProcess

OTHER_ADDRESS = "127.0.0.2"  # another address of this machine


@pytest.fixture
def project(tmp_path: Path) -> Path:
    path = tmp_path / "class.irjudge"
    build_class(path)
    return path


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    with run_server(project) as started:
        yield started


@pytest.fixture
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limit connections to eight per address, without other reasons to close one."""
    monkeypatch.setattr(connections, "MAX_CONNECTIONS_PER_ADDRESS", 8)
    monkeypatch.setattr(connections, "HEADER_TIMEOUT", 1000.0)
    monkeypatch.setattr("irjudge.web.server.BODY_TIMEOUT", 1000.0)


def open_connections(
    server: Server, count: int, text: bytes = b"", source: str = "127.0.0.1"
) -> list[socket.socket]:
    """Return connections that send some bytes and then nothing more."""
    made = [
        socket.create_connection(("127.0.0.1", server.port), timeout=8, source_address=(source, 0))
        for _ in range(count)
    ]
    for each in made:
        with suppress(OSError):
            each.sendall(text)
    return made


def read_until_closed(connection: socket.socket) -> bool:
    """Wait until the server has closed a connection, and return the data received."""
    with suppress(ConnectionError):
        while connection.recv(1 << 16):
            pass
    return True


def request_head(server: Server, path: str = "/sync", length: int = 99) -> bytes:
    names = f"Host: 127.0.0.1:{server.port}\r\nOrigin: http://127.0.0.1:{server.port}\r\n"
    return f"POST {path} HTTP/1.1\r\n{names}Content-Length: {length}\r\n\r\n".encode()


@pytest.mark.slow
@pytest.mark.usefixtures("small_limit")
@pytest.mark.parametrize("text", [b"", b"GET /he", "body"])
def test_each_address_has_a_limit_and_its_idle_connections_are_closed_first(
    server: Server, text: bytes | str
) -> None:
    hostile = open_connections(
        server, 40, request_head(server) + b"{" if isinstance(text, str) else text
    )
    assert all(map(read_until_closed, hostile[:30])), "the oldest made room"
    assert Person(server, "Ann", source=OTHER_ADDRESS).sync()["items"]
    assert Person(server, "Bob").sync()["items"], "who speaks gets in from there too"
    for each in hostile:
        each.close()


@pytest.mark.usefixtures("small_limit")
def test_a_connection_with_a_response_under_way_is_never_closed(server: Server) -> None:
    ann = Person(server, "Ann")
    begun, go_on = Event(), Event()
    blocked = server.writer.do(lambda _session: (begun.set(), go_on.wait(20)))
    assert begun.wait(20)
    body = f'{{"protocol":1,"code":"{server.code}","name":"%d"}}'
    asked = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(8)]
    for number, each in enumerate(asked):
        body_bytes = (body % number).encode()
        each.sendall(request_head(server, "/join", len(body_bytes)) + body_bytes)
    for _ in asked:
        assert send_request(server.port, "/hello", source=OTHER_ADDRESS).status == 200
    more = open_connections(server, 4)
    assert all(map(read_until_closed, more)), "all of the share are at work: no other comes in"
    go_on.set()
    assert blocked.result(20) and all(each.recv(12) == b"HTTP/1.1 200" for each in asked)
    for each in (*asked, *more):
        each.close()
    assert ann.sync()["items"]


def test_beyond_the_total_limit_the_address_with_most_connections_loses_one(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.web.server.raise_file_limit", lambda: 12)
    with run_server(project) as server:
        quiet = open_connections(server, 2, source=OTHER_ADDRESS)
        hostile = open_connections(server, 30)
        assert all(map(read_until_closed, hostile[:20]))
        for source in ("127.0.0.3", "127.0.0.4"):
            assert Person(server, source, source=source).sync()["items"]
        for each in quiet:
            each.sendall(f"GET /hello HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
            assert each.recv(12) == b"HTTP/1.1 200", "an address with two has kept both"
        for each in (*quiet, *hostile):
            each.close()


@pytest.mark.slow
@pytest.mark.usefixtures("small_limit")
def test_many_participants_behind_a_trusted_proxy_are_all_served(project: Path) -> None:
    with (
        run_server(project, address=ServerAddress(proxies=("127.0.0.1",))) as server,
        ExitStack() as stack,
    ):
        lines = [
            http.client.HTTPConnection("127.0.0.1", server.port, timeout=20) for _ in range(60)
        ]
        for number, line in enumerate(lines):
            stack.callback(line.close)
            headers = {
                "Origin": f"http://127.0.0.1:{server.port}",
                "X-Forwarded-For": f"10.0.0.{number}",
            }
            body = f'{{"protocol":1,"code":"{server.code}","name":"Person {number}"}}'
            line.request("POST", "/join", body, headers)
        assert [line.getresponse().status for line in lines] == [200] * 60
        assert send_request(server.port, "/hello", source=OTHER_ADDRESS).status == 200


def test_one_participant_behind_a_trusted_proxy_has_a_limit(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.web.connections.MAX_CONCURRENT_REQUESTS", 3)
    with run_server(project, address=ServerAddress(proxies=("127.0.0.1",))) as server:
        head = request_head(server).replace(b"\r\n\r\n", b"\r\nX-Forwarded-For: 10.0.0.1\r\n\r\n{")
        hostile = open_connections(server, 3, head)
        refused = send_request(server.port, "/hello", headers={"X-Forwarded-For": "10.0.0.1"})
        assert (
            refused.status == 503
            and refused.headers["retry-after"] == "1"
            and refused.json["kind"] == "busy"
        )
        assert (
            send_request(server.port, "/hello", headers={"X-Forwarded-For": "10.0.0.2"}).status
            == 200
        )
        for each in hostile:
            each.close()


@pytest.mark.slow
def test_headers_about_the_address_are_ignored_unless_the_proxy_is_trusted(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    guessers = list[str]()
    monkeypatch.setattr(
        JoinLimiter, "record_invalid_code", lambda _gate, address: guessers.append(address) or 0.0
    )
    for number in range(3):
        body = {"protocol": 1, "code": "AAAAAAAA", "name": "Ann"}
        assert (
            send_request(
                server.port, "/join", body, headers={"X-Forwarded-For": f"10.0.0.{number}"}
            ).status
            == 403
        )
    assert guessers == ["127.0.0.1"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/join", "/preview"])
def test_guessing_codes_is_slowed_down_with_any_token(
    server: Server, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    guessers = list[str]()
    monkeypatch.setattr(
        JoinLimiter, "record_invalid_code", lambda _gate, address: guessers.append(address) or 0.0
    )
    body = {"protocol": 1, "code": "AAAAAAAA", "name": "Ann"}
    for number in range(3):
        headers = {"Authorization": f"Bearer made-up-{number}"}
        assert send_request(server.port, path, body, headers=headers).status == 403
    assert guessers == ["127.0.0.1"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("count", [3, 400])
def test_responses_that_are_not_read_are_aborted(
    server: Server, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    monkeypatch.setattr(connections, "WRITE_TIMEOUT", 0.3)
    monkeypatch.setattr(connections, "CLOSE_TIMEOUT", 0.3)
    monkeypatch.setattr(connections, "CHECK_INTERVAL", 0.05)
    deaf = socket.socket()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    deaf.settimeout(20)
    deaf.connect(("127.0.0.1", server.port))
    page = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    with suppress(ConnectionError):
        deaf.sendall(page * count)
    with pytest.raises(ConnectionError):
        while True:  # the server has nothing left to send
            deaf.send(page)
            assert send_request(server.port, "/hello").status == 200
    deaf.close()


@pytest.mark.slow
def test_a_long_response_has_time_while_its_parts_are_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "WRITE_TIMEOUT", 0.3)
    monkeypatch.setattr(connections, "WRITE_PART_BYTES", 10_000)
    monkeypatch.setattr(connections, "CHECK_INTERVAL", 0.05)
    connect = connections.WatchedConnection.connection_made

    def connect_with_small_buffer(self: connections.WatchedConnection, transport: Any) -> None:
        sent = transport.get_extra_info("socket")
        sent.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        connect(self, transport)

    monkeypatch.setattr(connections.WatchedConnection, "connection_made", connect_with_small_buffer)
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    slow.settimeout(20)
    slow.connect(("127.0.0.1", server.port))
    slow.sendall(f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    received, begun = slow.recv(8192), time.monotonic()
    head, _, body = received.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].split()[0])
    while len(body) < length:
        Event().wait(0.01)  # so that the whole response takes longer than the limit of a part
        part = slow.recv(8192)
        assert part, "the connection was closed"
        body += part
    assert time.monotonic() - begun > 2 * connections.WRITE_TIMEOUT
    slow.close()


@pytest.mark.slow
def test_running_out_of_files_is_reported_once_and_the_server_continues(project: Path) -> None:
    served = ServerProcess(project)
    used = len(list(Path(f"/proc/{served.process.pid}/fd").iterdir()))
    resource.prlimit(served.process.pid, resource.RLIMIT_NOFILE, (used + 12, used + 12))
    hostile = open_connections(served, 200)  # type: ignore[arg-type]
    ann = Person(served, "Ann", source=OTHER_ADDRESS)  # type: ignore[arg-type]
    assert ann.sync()["items"]
    for each in hostile:
        each.close()
    output = served.kill(signal.SIGINT)
    assert output.count(connections.TOO_MANY_FILES) == 1 and len(output) < 2000


def test_the_limit_of_open_files_is_raised_as_far_as_possible() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        room = raise_file_limit()
        reached, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        assert (
            reached == min(hard, MAX_CONNECTIONS + RESERVED_FILES)
            and room == reached - RESERVED_FILES
        )
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))

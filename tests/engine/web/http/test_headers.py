"""Tests of response headers, host names, malformed requests, and the compressed page."""

import gzip
import socket
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from irjudge.web import Server, ServerAddress, SharedSession
from irjudge.web.connections import HEADERS
from irjudge.web.server import MAX_BODY_BYTES
from tests.engine.exchange.classroom import build_class
from tests.engine.web.session_client import Response, run_server, send_request


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    build_class(tmp_path / "class.irjudge")
    with run_server(tmp_path / "class.irjudge") as started:
        yield started


def raw_response(server: Server, text: bytes) -> bytes:
    """Return all bytes received in response to some bytes."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as line:
        line.sendall(text)
        received = b""
        with suppress(ConnectionError):
            while more := line.recv(1 << 16):
                received += more
        return received


def request_head(server: Server, *more: str, path: str = "/join") -> bytes:
    origin = f"127.0.0.1:{server.port}"
    return "\r\n".join(
        [f"POST {path} HTTP/1.1", f"Host: {origin}", f"Origin: http://{origin}", *more, "", ""]
    ).encode()


def is_protected(headers: dict[str, str]) -> bool:
    """Return whether a response's headers prevent embedding and sniffing."""
    headers_by_name = {name.lower(): value for name, value in headers.items()}
    policy = headers_by_name.get("content-security-policy", "")
    same = all(
        headers_by_name.get(name.lower()) == HEADERS[name]
        for name in ("X-Content-Type-Options", "Referrer-Policy", "X-Frame-Options")
    )
    return (
        same
        and "frame-ancestors 'none'" in policy
        and "default-src 'none'" in policy
        and "cache-control" in headers_by_name
    )


def header_dict(answer: bytes) -> dict[str, str]:
    return dict(
        line.split(": ", 1) for line in answer.split(b"\r\n\r\n")[0].decode().split("\r\n")[1:]
    )


def test_every_response_has_its_headers(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    answers: list[Response] = [
        send_request(server.port, "/"),
        send_request(server.port, "/", headers={"If-None-Match": "*"}),
        send_request(server.port, "/hello"),
        send_request(server.port, "/nothing"),
        send_request(server.port, "/hello/"),
        send_request(server.port, "/hello", {"protocol": 1}),
        send_request(server.port, "/", headers={"Host": "evil.example"}),
        send_request(
            server.port, "/join", {"protocol": 1}, headers={"Origin": "http://evil.example"}
        ),
        send_request(server.port, "/join", {"protocol": 1, "code": "x", "name": "Ann"}),
        send_request(server.port, "/sync", {"protocol": 0}),
        send_request(server.port, "/sync", {"protocol": 1}),
        send_request(server.port, "/join", body=b" " * (MAX_BODY_BYTES + 1)),
    ]
    monkeypatch.setattr(SharedSession, "join", fail)
    answers.append(
        send_request(server.port, "/join", {"protocol": 1, "code": server.code, "name": "Ann"})
    )
    monkeypatch.setattr(type(server), "_answer_hello", fail)
    answers.append(send_request(server.port, "/hello"))
    statuses = [answer.status for answer in answers]
    assert (
        statuses[:12] == [200, 304, 200, 404, 404, 405, 403, 403, 403, 409, 401, 413]
        and statuses[12] == 503
    ), statuses
    assert [answer.status for answer in answers if not is_protected(answer.headers)] == []
    assert {answer.headers["cache-control"] for answer in answers[2:]} == {"no-store"}


def test_responses_to_malformed_requests_have_the_headers_too(server: Server) -> None:
    answer = raw_response(server, b"NONSENSE\r\n\r\n")
    assert (
        answer.startswith(b"HTTP/1.1 400 ")
        and is_protected(header_dict(answer))
        and b'"kind":"broken"' in answer
    )
    assert {name.lower() for name in header_dict(answer)} == {
        *map(str.lower, HEADERS),
        "content-type",
        "content-length",
        "connection",
    }
    assert raw_response(server, b"GET / HTTP/1.1\r\nX: " + b"y" * 70_000).startswith(
        b"HTTP/1.1 400 "
    )


def test_an_internal_error_is_a_response_with_headers(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("irjudge.web.connections.Page.answer", lambda *_: 1 // 0)
    answer = send_request(server.port, "/")
    assert answer.status == 500 and is_protected(answer.headers) and answer.json["kind"] == "fault"
    monkeypatch.undo()
    assert send_request(server.port, "/").status == 200


@pytest.mark.slow
def test_a_foreign_host_name_is_refused_for_every_spelling_of_the_path(server: Server) -> None:
    for path in ("/", "/hello", "/hello/", "/join/", "/nothing", "//evil.example"):
        answer = send_request(server.port, path, headers={"Host": "evil.example"})
        assert answer.status == 403 and "location" not in answer.headers, path
    assert [send_request(server.port, path).status for path in ("/hello/", "/join/", "//")] == [
        404,
        404,
        404,
    ]


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("[::1]:{port}", "http://[::1]:{port}"),
        ("laptop.local:{port}", "http://laptop.local:{port}"),
        ("judge.example.org", "https://judge.example.org"),
    ],
)
def test_browsers_write_the_names_of_the_server_in_another_form(
    tmp_path: Path, host: str, origin: str
) -> None:
    build_class(tmp_path / "class.irjudge")
    address = ServerAddress(
        names=("::1", "Laptop.local"), public=("https://Judge.example.org:443/",)
    )
    with run_server(tmp_path / "class.irjudge", address=address) as server:
        headers = {
            "Host": host.format(port=server.port),
            "Origin": origin.format(port=server.port),
        }
        values = {"protocol": 1, "code": server.code, "name": "Ann"}
        assert send_request(server.port, "/join", values, headers=headers).status == 200


@pytest.mark.parametrize("turn", [1, -1])
def test_a_request_with_two_lengths_is_refused_and_the_rest_not_read(
    server: Server, turn: int
) -> None:
    order = ("Content-Length: 4", "Transfer-Encoding: chunked")[::turn]
    smuggled = f"GET /hello HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode()
    answer = raw_response(server, request_head(server, *order) + b"0\r\n\r\n" + smuggled)
    assert (
        answer.startswith(b"HTTP/1.1 400 ")
        and answer.count(b"HTTP/1.1") == 1
        and is_protected(header_dict(answer))
    )


def test_the_page_is_compressed_cached_and_restricts_its_scripts(server: Server) -> None:
    plain = send_request(server.port, "/")
    packed = send_request(server.port, "/", headers={"Accept-Encoding": "br;q=1, gzip;q=0.8"})
    assert (
        packed.headers["content-encoding"] == "gzip" and gzip.decompress(packed.body) == plain.body
    )
    assert len(packed.body) < len(plain.body) / 3 and "content-encoding" not in plain.headers
    assert (
        "content-encoding"
        not in send_request(server.port, "/", headers={"Accept-Encoding": "gzip;q=0, br"}).headers
    )
    tag = plain.headers["etag"]
    for header in (tag, f'"other", {tag}', tag.removeprefix("W/"), "*"):
        response = send_request(server.port, "/", headers={"If-None-Match": header})
        assert response.status == 304 and not response.body and response.headers["etag"] == tag
    assert send_request(server.port, "/", headers={"If-None-Match": '"other"'}).status == 200
    assert (
        plain.headers["cache-control"] == "no-cache"
        and plain.headers["vary"].lower() == "accept-encoding"
    )
    policy = plain.headers["content-security-policy"]
    said_inside = (
        plain.body.decode().split('http-equiv="Content-Security-Policy" content="')[1].split('"')[0]
    )
    assert policy == f"{said_inside}; frame-ancestors 'none'" and "script-src 'sha256-" in policy

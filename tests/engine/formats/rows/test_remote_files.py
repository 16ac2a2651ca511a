"""Tests that a silent, slow or endless server ends a remote read with one error."""

import signal
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import pytest

from irjudge.errors import IrjudgeError
from irjudge.formats.bytes import parse_location
from irjudge.formats.rows import ColumnFile, find_column_files, remote_files
from irjudge.formats.rows.remote_files import NoResponse, RemoteFile, look_up

pytest.importorskip("fsspec")
pytest.importorskip("aiohttp")

SIZE = 4096
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/x\r\nAccept-Ranges: bytes\r\n"
PART = f"HTTP/1.1 206 X\r\nContent-Range: bytes 0-{SIZE - 1}/{SIZE}\r\n".encode()
PAGE = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
Answer = Callable[[bytes, socket.socket, threading.Event], None]


def send_file_and(then: Answer, request: bytes, client: socket.socket, end: threading.Event):
    """Send the header of a file, then `then` in place of its bytes."""
    length = f"Content-Length: {SIZE}\r\n\r\n".encode()
    if b"range:" in request.lower():
        client.sendall(PART + (b"\r\n" if then is send_without_end else length))
        then(request, client, end)
    else:
        client.sendall(HEAD + length + (b"" if request.startswith(b"HEAD") else bytes(SIZE)))


def send_nothing(_request: bytes, _client: socket.socket, end: threading.Event) -> None:
    end.wait()


def send_slowly(_request: bytes, client: socket.socket, end: threading.Event) -> None:
    while not end.wait(0.02):
        client.sendall(b"a")


def send_slow_head(_request: bytes, client: socket.socket, end: threading.Event) -> None:
    client.sendall(b"HTTP/1.1 200 OK\r\nX: ")
    send_slowly(_request, client, end)


def send_slow_page(_request: bytes, client: socket.socket, end: threading.Event) -> None:
    client.sendall(PAGE)
    send_slowly(_request, client, end)


def send_without_end(_request: bytes, client: socket.socket, end: threading.Event) -> None:
    while not end.is_set():
        client.sendall(bytes(100_000))


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], str]]:
    end = threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def talk(answer: Answer, client: socket.socket) -> None:
            with client, suppress(OSError):
                while request := client.recv(65_536):
                    answer(request, client, end)

        def accept(answer: Answer) -> None:
            with suppress(OSError):
                while True:
                    client = listener.accept()[0]
                    threading.Thread(target=talk, args=(answer, client), daemon=True).start()

        def start(answer: Answer) -> str:
            threading.Thread(target=accept, args=(answer,), daemon=True).start()
            return f"http://127.0.0.1:{listener.getsockname()[1]}/a.parquet?token=secret"

        yield start
        end.set()
        listener.shutdown(socket.SHUT_RDWR)


def read(address: str) -> None:
    (file,) = find_column_files(parse_location(address))
    source = ColumnFile(file.path).open()
    source.read(SIZE)


@pytest.mark.parametrize(
    "answer",
    [
        send_nothing,
        send_slow_head,
        send_slow_page,
        partial(send_file_and, send_nothing),
        partial(send_file_and, send_slowly),
    ],
    ids=["silent", "slow head", "slow page", "silent body", "slow body"],
)
def test_a_silent_or_slow_server_ends_a_read(serve, monkeypatch, answer: Answer) -> None:
    monkeypatch.setattr(remote_files, "SILENCE_SECONDS", 0.5)
    monkeypatch.setattr(remote_files, "WATCH_SECONDS", 0.05)
    address = serve(answer)
    with pytest.raises((IrjudgeError, NoResponse)) as raised:
        read(address)
    cause = raised.value if isinstance(raised.value, NoResponse) else raised.value.__context__
    assert isinstance(cause, NoResponse)
    assert "secret" not in str(raised.value)


def test_an_endless_response_ends_a_read(serve, monkeypatch) -> None:
    monkeypatch.setattr(remote_files, "WATCH_SECONDS", 0.01)
    with pytest.raises(ValueError, match="larger"):
        read(serve(partial(send_file_and, send_without_end)))


def test_a_read_of_any_store_has_a_deadline(monkeypatch) -> None:
    class Silent:
        size, closed = SIZE, False
        seek = tell = close = print

        def read(self, _size: int) -> bytes:
            threading.Event().wait()
            return b""

    monkeypatch.setattr(remote_files, "SILENCE_SECONDS", 0.05)
    monkeypatch.setattr(remote_files, "MIN_RATE", 1 << 40)
    with pytest.raises(NoResponse):
        RemoteFile(Silent()).read(10)
    with pytest.raises(NoResponse):
        look_up(threading.Event().wait)


def test_ctrl_c_ends_a_lookup_at_once() -> None:
    begun = threading.Event()

    def interrupt() -> None:
        begun.wait()
        signal.raise_signal(signal.SIGINT)

    def wait() -> None:
        begun.set()
        threading.Event().wait()

    # SIGINT is ignored if the tests run in the background
    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        threading.Thread(target=interrupt).start()
        with pytest.raises(KeyboardInterrupt):
            look_up(wait)
    finally:
        signal.signal(signal.SIGINT, earlier)

"""Chat endpoint on this machine that misbehaves as configured, and counts requests."""

import http.server
import json
import os
import socket
import struct
import threading
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.engine.audit.chat_responses import chat_response

Answer = Callable[["Handler", str, int], None]  # the document, and the number of earlier requests


class Handler(http.server.BaseHTTPRequestHandler):
    """Request handler that responds as its server is configured."""

    protocol_version = "HTTP/1.1"
    server: "Server"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = body["messages"][0]["content"] if "messages" in body else body["wish"]
        with self.server.lock:
            before = self.server.asked[asked]
            self.server.asked[asked] += 1
            self.server.bodies.append(body)
            self.server.keys.append(self.headers.get("Authorization", ""))
        self.server.answer(self, asked, before)

    def say(self, text: str, status: int = 200, **headers: str) -> None:
        body = text.encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def cut(self) -> None:
        """End the connection in the middle of a response, with a reset."""
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{")
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, answer: Answer) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.answer, self.lock = answer, threading.Lock()
        self.asked: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def handle_error(self, request: object, client_address: object) -> None:
        pass  # the client has disconnected


@contextmanager
def run_server(answer: Answer) -> Iterator[Server]:
    server = Server(answer)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def answer_correctly(handler: Handler, asked: str, before: int) -> None:
    """Send a grade that is a function of the document."""
    handler.say(chat_response(json.dumps({"grade": grade_of(asked)})))


def grade_of(asked: str) -> int:
    return sum(asked.encode()) % 4


def fork_with_threads() -> int:
    """Fork a process that uses nothing of the server's threads."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of newer Python versions
        return os.fork()

"""Processes of `irjudge` that start quickly, forked from one that has imported everything."""

import json
import os
import socket
import subprocess
import sys
from functools import cache
from threading import Lock
from typing import IO

FORK_SERVER_CODE = """
import json, os, signal, socket, sys, traceback
import irjudge.cli.serve, irjudge.web.postgres_store
from irjudge.cli.main import main

door = socket.socket(fileno=int(sys.argv[1]))
while asked := socket.recv_fds(door, 1 << 16, 2):
    words, streams = asked[:2]
    if not words:
        break
    if isinstance(wish := json.loads(words), int):
        answer = os.waitstatus_to_exitcode(os.waitpid(wish, 0)[1])
    elif isinstance(wish, str):
        answer = sum(name.split(".")[0] == wish for name in sys.modules)
    elif not (answer := os.fork()):
        door.close()
        for stream, number in zip(streams, (1, 2)):
            os.dup2(stream, number)
            os.close(stream)
        sys.stdout, sys.stderr = (open(number, "w", encoding="utf-8", buffering=1, closefd=False) for number in (1, 2))
        signal.signal(signal.SIGINT, signal.default_int_handler)
        code = 1
        try:
            code = main(wish)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    for stream in streams:
        os.close(stream)
    door.sendall(json.dumps(answer).encode())
"""


class ForkServer:
    """A process that has imported everything, and forks itself."""

    def __init__(self) -> None:
        self._door, other = socket.socketpair()
        command = [sys.executable, "-c", FORK_SERVER_CODE, str(other.fileno())]
        self._process = subprocess.Popen(
            command, pass_fds=[other.fileno()], stdin=subprocess.DEVNULL
        )
        self._turn = Lock()
        other.close()

    def ask(self, request: object, *streams: int) -> int:
        """Start a command, wait for its end, or count the loaded modules of a package."""
        with self._turn:
            socket.send_fds(self._door, [json.dumps(request).encode()], streams)
            return int(json.loads(self._door.recv(100)))

    def close(self) -> None:
        self._door.close()
        self._process.wait(20)


fork_server = cache(ForkServer)


class ForkedProcess:
    """`irjudge` with command-line arguments in a forked process; used like subprocess.Popen."""

    def __init__(self, arguments: list[str]) -> None:
        pipes = [os.pipe(), os.pipe()]
        self.pid = fork_server().ask(arguments, *(writing for _, writing in pipes))
        for _, writing in pipes:
            os.close(writing)
        self.stdout, self.stderr = (os.fdopen(reading) for reading, _ in pipes)
        self.returncode: int | None = None

    def send_signal(self, number: int) -> None:
        os.kill(self.pid, number)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        outputs = [_read_all(stream) for stream in (self.stdout, self.stderr)]
        self.returncode = fork_server().ask(self.pid)
        return outputs[0], outputs[1]


def _read_all(stream: IO[str]) -> str:
    with stream:
        return stream.read()

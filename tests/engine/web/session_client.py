"""The browser's part of the protocol: joining, fetching items, judging, and resending actions."""

import http.client
import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from irjudge.exchange import merge_sessions
from irjudge.store import open_project
from irjudge.web import (
    SchedulingOptions,
    Server,
    ServerAddress,
    SessionOptions,
    begin_session,
    find_resumable,
    open_database_session,
    open_project_session,
    read_sessions,
)

Json = dict[str, Any]


# by project, if sessions are stored in databases instead of the projects themselves
databases: dict[Path, str] | None = None


def pull(path: Path) -> Path:
    """Merge the session of a project stored in a database into the project; return its path."""
    if databases is not None:
        with open_project(path) as project, read_sessions(databases[path], project) as copies:
            merge_sessions(project, copies, backup=False)
    return path


def make_server(
    path: Path,
    options: SessionOptions | None = None,
    *,
    address: ServerAddress | None = None,
    code: str = "",
    **more: Any,
) -> Server:
    """Return a server that starts a session, or resumes the existing one."""
    asked = options or SessionOptions(SchedulingOptions(overlap=2))
    if databases is not None:
        return Server(
            path,
            open_database_session(
                databases[path], lambda: open_project(path, writing=False), lambda _: asked
            ),
            address,
            code=code,
            **more,
        )
    opening = open_project_session(
        lambda: open_project(path),
        lambda project: find_resumable(project) or begin_session(project, asked),
    )
    return Server(path, opening, address, code=code, **more)


@contextmanager
def run_server(
    path: Path,
    options: SessionOptions | None = None,
    *,
    address: ServerAddress | None = None,
    code: str = "",
) -> Iterator[Server]:
    server = make_server(path, options, address=address, code=code)
    server.start()
    try:
        yield server
    finally:
        server.stop()
    pull(path)


class Response:
    """Response of a server."""

    def __init__(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Json:
        values: Json = json.loads(self.body)
        return values


class SingleWriteConnection(http.client.HTTPConnection):
    """Sends head and body together.

    If the body came after the head was refused, it would cut off the response.
    """

    held = b""

    def send(self, data: bytes) -> None:
        self.held += data

    def getresponse(self) -> http.client.HTTPResponse:
        super().send(self.held)
        self.held = b""
        return super().getresponse()


def send_request(
    port: int,
    path: str,
    data: object = None,
    *,
    headers: dict[str, str] | None = None,
    body: bytes | None = None,
    source: str = "",
) -> Response:
    """Send a request like a page of the server.

    `headers` replace the default ones, an empty one removes it; `source` is another local address.
    """
    connection = SingleWriteConnection(
        "127.0.0.1", port, timeout=20, source_address=(source, 0) if source else None
    )
    sent = {"Host": f"127.0.0.1:{port}", "Origin": f"http://127.0.0.1:{port}", **(headers or {})}
    payload = body if body is not None else None if data is None else json.dumps(data).encode()
    try:
        connection.putrequest(
            "GET" if payload is None else "POST", path, skip_host=True, skip_accept_encoding=True
        )
        for name, value in sent.items():
            if value:
                connection.putheader(name, value)
        if payload is not None and "Content-Length" not in sent:
            connection.putheader("Content-Length", str(len(payload)))
        connection.endheaders(payload)
        answer = connection.getresponse()
        return Response(answer.status, dict(answer.getheaders()), answer.read())
    finally:
        connection.close()


class Person:
    """A participant's page, with the actions that the server acknowledged."""

    source = ""  # local address of the connections

    def __init__(self, server: Server, name: str, *, join: bool = True, source: str = "") -> None:
        self.port, self.name, self.source = server.port, name, source
        self.token = (
            self.call("/join", {"code": server.code, "name": name})["token"] if join else ""
        )
        self.open()

    def open(self) -> None:
        """Open the page again, as another client without items."""
        self.client, self.number, self.has = secrets.token_hex(16), 0, 0
        self.needs: list[int] = []
        self.items: dict[int, Json] = {}
        self.parts: dict[int, Json] = {}
        self.judged: set[int] = set()
        self.outbox: list[Json] = []
        self.saved: list[Json] = []
        self.state = "open"

    def call(self, path: str, data: Json) -> Json:
        answer = self.try_call(path, data)
        assert answer.status == 200, (answer.status, answer.body)
        return answer.json

    def try_call(self, path: str, data: Json) -> Response:
        headers = {"Authorization": f"Bearer {self.token}"} if getattr(self, "token", "") else {}
        return send_request(
            self.port, path, {"protocol": 1, **data}, headers=headers, source=self.source
        )

    def sync(self, want: int = 3) -> Json:
        """Send pending actions, and receive new items."""
        request = {"client": self.client, "want": want, "has": self.has, "needs": self.needs}
        answer = self.call("/sync", {**request, "actions": self.outbox})
        self.saved += [
            action for action in self.outbox if action["number"] <= answer["acknowledged"]
        ]
        self.outbox = [
            action for action in self.outbox if action["number"] > answer["acknowledged"]
        ]
        self.items |= {
            item["place"]: item["parts"]["items"][0]["about"] for item in answer["items"]
        }
        self.parts |= {item["place"]: item["parts"]["items"][0] for item in answer["items"]}
        for lost in answer["lost"]:
            self.items.pop(lost, None)
        self.has, self.state = answer["places"], answer["state"]
        self.needs = [
            index for index in answer["held"] if index < self.has and index not in self.items
        ]
        return answer

    def open_items(self) -> list[int]:
        return [index for index in sorted(self.items) if index not in self.judged]

    def act(self, kind: str, item: Json, payload: Json, target: Json | None = None) -> Json:
        self.number += 1
        action = {
            "client": self.client,
            "number": self.number,
            "kind": kind,
            "item": item,
            "time": "2026-03-01T10:00:00.000Z",
            "payload": payload,
            "target": target,
        }
        self.outbox.append(action)
        return action

    def grade(self, index: int, value: int, scale: str) -> Json:
        self.judged.add(index)
        return self.act(
            "grade", self.items[index], {"value": value, "scale": scale, "active_ms": 1200}
        )

    def prefer(self, index: int, winner: str) -> Json:
        self.judged.add(index)
        about, parts = self.items[index], self.parts[index]
        panel = (
            {"sides": parts["sides"], "sizes": parts["sizes"]} if about["type"] == "panel" else {}
        )
        body = {
            "winner": winner,
            "strength": 0 if winner == "tie" else 1,
            "reasons": [],
            "note": "",
            "active_ms": 1200,
            **panel,
        }
        return self.act(
            "preference", about, {**body, "opens": [0, 0], "dwell_ms": [0, 0], "scrolled": [1, 1]}
        )

    def undo(self, action: Json) -> Json:
        return self.act(
            "undo", action["item"], {}, {"client": action["client"], "number": action["number"]}
        )

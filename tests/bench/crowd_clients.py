"""Many participants in one process; arguments: code, scale, number of participants, server ports.

A line of standard input gives a rate to offer and a number of seconds, and is answered with the
result; an empty line ends the process.
"""

import asyncio
import json
import secrets
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from random import Random
from typing import Any

MAX_CONCURRENT = 100  # concurrent requests while participants join


class Overloaded(OSError):
    """The server was overloaded and refused a request at once."""


class Client:
    """A page of a participant: joins, fetches, judges, and resends unacknowledged actions."""

    def __init__(self, number: int, scale: str, ports: list[int]) -> None:
        self.number, self.scale, self.port = number, scale, ports[number % len(ports)]
        self.client, self.made, self.has, self.token = secrets.token_hex(16), 0, 0, ""
        self.items: deque[dict[str, Any]] = deque()
        self.outbox: list[dict[str, Any]] = []
        self.saved: list[int] = []
        self.line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, data: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps({"protocol": 1, **data}).encode()
        head = (
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nOrigin: http://127.0.0.1:{self.port}\r\n"
            f"X-Forwarded-For: 10.{self.number >> 16 & 255}.{self.number >> 8 & 255}.{self.number & 255}\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        try:
            if self.line is None:
                self.line = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self.line
            writer.write(head.encode() + body)
            async with asyncio.timeout(20):
                status, *fields = (await reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
                size = next(
                    int(each.split(b":")[1])
                    for each in fields
                    if each.lower().startswith(b"content-length")
                )
                answer: dict[str, Any] = json.loads(await reader.readexactly(size))
        except BaseException:
            self.disconnect()
            raise
        if status.split()[1] == b"503":
            raise Overloaded(answer)
        if status.split()[1] != b"200":
            raise OSError(answer)
        return answer

    def disconnect(self) -> None:
        if self.line:
            self.line[1].close()
        self.line = None

    async def join(self, code: str) -> None:
        self.token = (await self.ask("/join", {"code": code, "name": f"Person {self.number}"}))[
            "token"
        ]

    async def sync(self, *, grade: bool = True) -> int:
        """Judge one document if there is one, and return the number of acknowledged judgments."""
        if grade and self.items and not self.outbox:
            self.made += 1
            payload = {"value": self.number % 4, "scale": self.scale, "active_ms": 3000}
            action = {
                "client": self.client,
                "number": self.made,
                "kind": "grade",
                "item": self.items.popleft(),
                "target": None,
            }
            self.outbox.append({**action, "time": "2026-03-01T10:00:00.000Z", "payload": payload})
        answer = await self.ask(
            "/sync", {"client": self.client, "actions": self.outbox, "want": 4, "has": self.has}
        )
        taken = [each["number"] for each in self.outbox if each["number"] <= answer["acknowledged"]]
        self.saved += taken
        self.outbox = [] if answer["refused"] else self.outbox[len(taken) :]
        self.items.extend(each["parts"]["items"][0]["about"] for each in answer["items"])
        self.has = answer["places"]
        return len(taken)


async def retry(work: Callable[[], Awaitable[object]]) -> None:
    """Repeat a request until the server is not overloaded."""
    while True:
        try:
            await work()
        except Overloaded:
            await asyncio.sleep(1)
        else:
            return


async def offer(
    people: list[Client], rate: float, seconds: float, chance: Random
) -> dict[str, Any]:
    """Let idle participants judge at a rate; return each delay from the time it was due."""
    free = deque(chance.sample(people, len(people)))
    waits = list[float]()
    running = set[asyncio.Task[None]]()
    failed, shed, acknowledged, begun, due = 0, 0, 0, time.monotonic(), 0

    async def one(person: Client, at: float) -> None:
        nonlocal failed, shed, acknowledged
        try:
            taken = await person.sync()
            acknowledged += taken  # not before: others count meanwhile
            waits.append(time.monotonic() - at)
        except Overloaded:
            shed += 1
        except (OSError, ValueError, EOFError, StopIteration):
            failed += 1
        free.append(person)

    while (now := time.monotonic() - begun) < seconds:
        while due < now * rate and free:
            task = asyncio.create_task(
                one(free.popleft(), begun + due / rate if rate < 1000 else time.monotonic())
            )
            running.add(task)
            task.add_done_callback(running.discard)
            due += 1
        await asyncio.sleep(0.002)
    reached = acknowledged / (time.monotonic() - begun)
    await asyncio.gather(*running)
    waits.sort()
    p50, p99 = ((waits[len(waits) * share // 100] if waits else 0.0) * 1000 for share in (50, 99))
    text = f"{reached:.0f} a second acknowledged, {p50:.0f} ms (median), {p99:.0f} ms (99 %), "
    text += f"{shed} told to come again, {failed} without an answer"
    return {"reached": reached, "p50": p50, "p99": p99, "failed": failed, "text": text}


async def main(code: str, scale: str, count: int, ports: list[int]) -> None:
    people = [Client(number, scale, ports) for number in range(count)]
    turn = asyncio.Semaphore(MAX_CONCURRENT)

    async def begin(person: Client) -> None:
        async with turn:
            await retry(lambda: person.join(code))
            await retry(lambda: person.sync(grade=False))

    await asyncio.gather(*map(begin, people))
    print_line({"joined": count})
    chance = Random(1)
    while message := json.loads(await asyncio.to_thread(sys.stdin.readline)):
        print_line(await offer(people, message["rate"], message["seconds"], chance))
    for person in people:  # unacknowledged actions are sent again, as by a page
        for _ in range(20 if person.outbox else 0):
            with suppress(OSError, ValueError, EOFError):
                await person.sync(grade=False)
                break
            await asyncio.sleep(0.5)
    print_line({"saved": [(person.client, number) for person in people for number in person.saved]})


def print_line(values: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(values) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(
        main(sys.argv[1], sys.argv[2], int(sys.argv[3]), [int(each) for each in sys.argv[4:]])
    )

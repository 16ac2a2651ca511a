"""Many sockets against one server, from one address: arguments are the port, how many, and for how many seconds.

A fifth each says nothing, begins a head, begins a body, reads no answer of many, or asks and rests. Whatever the server ends comes back
after a moment. It ends by itself, and prints how many connections it opened.
"""

import asyncio
import resource
import sys
from contextlib import suppress

PAUSE = 2.0  # seconds until a socket that was ended comes back
ROOM = 200  # files beside the sockets


def words(kind: int, port: int) -> bytes:
    """What a socket of a kind says at first."""
    names = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    asked = f"GET / HTTP/1.1\r\n{names}\r\n"
    body = f"POST /sync HTTP/1.1\r\n{names}Content-Length: 5000\r\n\r\n{{"
    return ["", "GET / HTTP/1.1\r\nX: ", body, asked * 40, asked][kind].encode()


async def hold(kind: int, port: int, opened: list[int]) -> None:
    """One socket, again and again."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            opened[0] += 1
            try:
                writer.write(words(kind, port))
                if kind == 3:
                    writer.transport.pause_reading()  # type: ignore[attr-defined]
                    await writer.wait_closed()
                while kind in (0, 4) and await reader.read(65536):
                    pass
                while kind in (1, 2):
                    await asyncio.sleep(1)
                    writer.write(b"a")
                    await writer.drain()
            finally:
                writer.transport.abort()
        await asyncio.sleep(PAUSE)


async def main(port: int, count: int, seconds: float) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + ROOM), hard))
    opened = [0]
    tasks = [asyncio.create_task(hold(number % 5, port, opened)) for number in range(count)]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    sys.stdout.write(f"{opened[0]}\n")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))

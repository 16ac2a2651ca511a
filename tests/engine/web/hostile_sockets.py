"""Opens many sockets to one server from one address; arguments: port, number, seconds.

The sockets are silent, send an incomplete head, an incomplete body, or many requests without
reading responses, or are idle, a fifth each. Closed ones are reopened after a moment. Prints the
number of connections.
"""

import asyncio
import resource
import sys
from contextlib import suppress

PAUSE = 2.0  # seconds until a closed socket is reopened
SPARE_FILES = 200  # file descriptors besides the sockets


def first_bytes(kind: int, port: int) -> bytes:
    """Return what a socket of a kind sends first."""
    names = f"Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    asked = f"GET / HTTP/1.1\r\n{names}\r\n"
    body = f"POST /sync HTTP/1.1\r\n{names}Content-Length: 5000\r\n\r\n{{"
    return ["", "GET / HTTP/1.1\r\nX: ", body, asked * 40, asked][kind].encode()


async def keep_open(kind: int, port: int, opened: list[int]) -> None:
    """Keep a socket of a kind open, reopening it when it is closed."""
    while True:
        with suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1024)
            opened[0] += 1
            try:
                writer.write(first_bytes(kind, port))
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
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, count + SPARE_FILES), hard))
    opened = [0]
    tasks = [asyncio.create_task(keep_open(number % 5, port, opened)) for number in range(count)]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    sys.stdout.write(f"{opened[0]}\n")


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])))

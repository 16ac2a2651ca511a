"""Files in object stores and on web servers, read with limits on time and size.

If a server sends nothing, the packages that `fsspec` uses may wait for minutes or forever. In this
module, each operation has a time limit and can be interrupted by Ctrl+C.
"""

import asyncio
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from irjudge.message import Message
from irjudge.progress import run_within

T = TypeVar("T")
CONNECT_SECONDS = 10.0
# maximum seconds for a lookup, for the head of a response, and for a read without progress
SILENCE_SECONDS = 30.0
LIST_SECONDS = 120.0  # maximum seconds for listing a folder, which may need many requests
MIN_PROGRESS = 1024  # minimum number of received bytes that is considered progress
MIN_RATE = 32 << 10  # minimum bytes per second; a slower read fails
READ_AHEAD = 5 << 20  # bytes that most stores read in one request
MAX_LISTING_BYTES = 16 << 20  # maximum bytes of a response to a request without a range
WATCH_SECONDS = 0.25


class NoResponse(TimeoutError):
    """Error raised if the server of a remote file does not respond, or responds too slowly."""

    def __init__(self) -> None:
        super().__init__(
            Message("the server does not respond, or responds too slowly", key="no-response")
        )


def look_up(operation: Callable[[], T]) -> T:
    """Return the result of a short operation on a store; raise `NoResponse` if it is slow."""
    return _run_within(SILENCE_SECONDS, operation)


def list_files(operation: Callable[[], T]) -> T:
    """Return the result of listing a folder; raise `NoResponse` if it takes too long."""
    return _run_within(LIST_SECONDS, operation)


def _run_within(seconds: float, operation: Callable[[], T]) -> T:
    """Return the result of an operation; raise `NoResponse` if it takes more than `seconds`."""
    try:
        return run_within(seconds, operation)
    except TimeoutError as error:
        raise NoResponse from error


class RemoteFile:
    """Open file in a remote store, with a time limit for each read.

    `pyarrow.PythonFile` calls its methods.
    """

    def __init__(self, file: Any) -> None:
        self._file = file
        self.seek, self.tell = file.seek, file.tell

    @property
    def closed(self) -> bool:
        """Whether the file is closed."""
        return bool(self._file.closed)

    def read(self, size: int = -1) -> bytes:
        """Read bytes; the time limit depends on their number."""
        expected = READ_AHEAD + (size if size >= 0 else self._file.size or 0)
        time_limit = SILENCE_SECONDS + expected / MIN_RATE
        return bytes(_run_within(time_limit, lambda: self._file.read(size)))

    def close(self) -> None:
        """Close the file of the store."""
        self._file.close()


def make_store_options(url: str) -> dict[str, Any]:
    """Return the options of `fsspec` for an address; empty unless it is an HTTP address."""
    if not url.lower().startswith(("http:", "https:")):
        return {}
    import fsspec  # noqa: PLC0415 -- few files are elsewhere

    user_options = fsspec.config.conf.get(url.partition(":")[0].lower(), {}).get(
        "client_kwargs", {}
    )
    return {"client_kwargs": {**user_options, **_make_client_options()}}


@cache
def _make_client_options() -> dict[str, Any]:
    """Return options of HTTP clients that limit the time and the size of each response."""
    try:
        import aiohttp  # noqa: PLC0415 -- few files are elsewhere
    except ImportError:  # fsspec reports which package is missing
        return {}

    class LimitedResponse(aiohttp.ClientResponse):
        async def start(self, connection: Any) -> aiohttp.ClientResponse:
            async with asyncio.timeout(SILENCE_SECONDS):
                return await super().start(connection)

        async def read(self) -> bytes:
            return await _read_limited(
                super().read(),
                self.content,
                _parse_range_size(self.request_info.headers.get("Range", "")),
            )

    timeout = aiohttp.ClientTimeout(
        total=None, connect=CONNECT_SECONDS, sock_connect=CONNECT_SECONDS, sock_read=SILENCE_SECONDS
    )
    return {"timeout": timeout, "response_class": LimitedResponse}


def _parse_range_size(range_header: str) -> int:
    """Return the number of bytes that a `Range` header requests; by default `MAX_LISTING_BYTES`.

    >>> _parse_range_size("bytes=10-19"), _parse_range_size("") == MAX_LISTING_BYTES
    (10, True)
    """
    first, _, last = range_header.removeprefix("bytes=").partition("-")
    return (
        int(last) - int(first) + 1 if first.isdecimal() and last.isdecimal() else MAX_LISTING_BYTES
    )


async def _read_limited(body: Any, stream: Any, max_size: int) -> bytes:
    """Return the body of a response; raise an error if it is too large or the transfer stalls."""
    read_task = asyncio.ensure_future(body)
    clock = asyncio.get_running_loop().time
    progress_bytes, progress_time = 0, clock()
    try:
        while not (await asyncio.wait({read_task}, timeout=WATCH_SECONDS))[0]:
            received_bytes = stream.total_bytes
            if received_bytes > max_size:
                raise ValueError("the response is larger than expected")
            if received_bytes - progress_bytes >= MIN_PROGRESS:
                progress_bytes, progress_time = received_bytes, clock()
            elif clock() - progress_time > SILENCE_SECONDS:
                raise NoResponse
        return bytes(read_task.result())
    finally:
        read_task.cancel()

"""Address and socket of a server, and the names of this machine."""

import socket
from contextlib import suppress
from dataclasses import dataclass

from irjudge.errors import IrjudgeError

# Where a server listens: its address and port, and the socket to which browsers come.

DEFAULT_PORTS = range(8765, 8775)
BACKLOG = 4096
SEND_BUFFER = 131_072  # bytes that the system keeps of what somebody does not read; by itself it would keep megabytes


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server listens, and by which names browsers may ask for it."""

    # the address; port 0 takes any that is free, and None the first of the usual ones that is, so that a link stays what it was
    host: str = "127.0.0.1"
    port: int | None = 0
    names: tuple[str, ...] = ()  # names and addresses that may stand in front of the port
    public: tuple[
        str, ...
    ] = ()  # addresses of a proxy in front, such as `https://judge.example.org`
    proxies: tuple[
        str, ...
    ] = ()  # addresses and networks of proxies whose word about others is believed


def listen(place: ServerAddress) -> socket.socket:
    """Return a socket that listens; whoever comes before the server runs waits in line."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    ports = [place.port] if place.port is not None else [*DEFAULT_PORTS, 0]
    for port in ports:
        try:
            listening = socket.create_server((place.host, port), family=family, backlog=BACKLOG)
        except (OSError, UnicodeError) as fault:
            if port == ports[-1]:
                raise IrjudgeError(
                    "{host}, port {port} cannot be listened on: it is taken, or not an address of this machine.",
                    host=place.host,
                    port=port,
                ) from fault
        else:
            break
    listening.setsockopt(
        socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER
    )  # whoever comes has the same
    return listening


# What this machine is called in its networks, for those who come to its session.

UNUSED_ADDRESS = "192.0.2.1"  # an address that examples use and nobody has


def local_addresses() -> list[str]:
    """Return the addresses of this machine in its networks, the likeliest first; a network may be asked, and be slow to answer."""
    found = likely_addresses()
    with suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return [*dict.fromkeys(each for each in found if not each.startswith("127."))] or ["127.0.0.1"]


def likely_addresses() -> list[str]:
    """Return the address by which this machine speaks to others, if any; nothing is sent to find it."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect((UNUSED_ADDRESS, 9))
        return [str(asked.getsockname()[0])]
    return []


def local_names() -> tuple[str, ...]:
    """Return the names by which devices of its networks may know this machine."""
    name = socket.gethostname().lower()
    return tuple(dict.fromkeys([name, f"{name.partition('.')[0]}.local"]))

"""Where a server listens: its address and port, and the socket to which browsers come."""

import socket
from dataclasses import dataclass

from irjudge.errors import IrjudgeError

USUAL_PORTS = range(8765, 8775)
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
    ports = [place.port] if place.port is not None else [*USUAL_PORTS, 0]
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

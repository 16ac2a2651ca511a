"""Address and socket of a server, and names of this machine."""

import socket
from contextlib import suppress
from dataclasses import dataclass

from irjudge.errors import IrjudgeError

# Address and socket

DEFAULT_PORTS = range(8765, 8775)
BACKLOG = 4096
# size of the send buffer of a connection in bytes; with the default size, unsent responses to a
# slow client would occupy megabytes of memory
SEND_BUFFER_BYTES = 131_072


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Address on which a server listens, and the host names and proxies that it accepts.

    Requests for other host names are rejected. If browsers reach the server through a reverse
    proxy, `public` contains the addresses that they use.
    """

    host: str = "127.0.0.1"  # host name or address to listen on
    # 0 for any free port; None for the first free port of DEFAULT_PORTS, so that links remain valid
    # after a restart
    port: int | None = 0
    # accepted host names and addresses besides `host` and `localhost`
    names: tuple[str, ...] = ()
    # addresses at which browsers reach a reverse proxy, such as `https://judge.example.org`
    public: tuple[str, ...] = ()
    proxies: tuple[str, ...] = ()  # trusted proxies


def make_address(host: str, port: int) -> str:
    """Return the address of a host; an IPv6 address is put in brackets.

    >>> make_address("judge.example.org", 8000), make_address("::1", 8000)
    ('http://judge.example.org:8000', 'http://[::1]:8000')
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def listen(address: ServerAddress) -> socket.socket:
    """Return a listening socket, which queues connections until the server accepts them."""
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    ports = [address.port] if address.port is not None else [*DEFAULT_PORTS, 0]
    for port in ports:
        try:
            listener = socket.create_server((address.host, port), family=family, backlog=BACKLOG)
        except (OSError, UnicodeError) as error:
            if port == ports[-1]:
                raise IrjudgeError(
                    "Cannot listen on {host}, port {port}: the port is in use, or the host is "
                    "not an address of this computer.",
                    host=address.host,
                    port=port,
                ) from error
        else:
            break
    # accepted connections inherit the buffer size of the listening socket
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    return listener


# Names and addresses of this machine

UNUSED_ADDRESS = "192.0.2.1"  # reserved for documentation (RFC 5737)


def local_addresses() -> list[str]:
    """Return this machine's addresses, first the one that other machines can most likely reach.

    The call can take a long time if the name server is slow.
    """
    addresses = likely_addresses()
    with suppress(OSError):
        addresses += socket.gethostbyname_ex(socket.gethostname())[2]
    return [*dict.fromkeys(address for address in addresses if not address.startswith("127."))] or [
        "127.0.0.1"
    ]


def likely_addresses() -> list[str]:
    """Return a list with the address that this machine uses to reach other networks.

    The list is empty if the machine has no network connection. No data are sent.
    """
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp_socket:
        udp_socket.connect((UNUSED_ADDRESS, 9))
        return [str(udp_socket.getsockname()[0])]
    return []


def local_names() -> tuple[str, ...]:
    """Return the host names by which devices in the local network may reach this machine."""
    name = socket.gethostname().lower()
    return tuple(dict.fromkeys([name, f"{name.partition('.')[0]}.local"]))

"""What this machine is called in its networks, for those who come to its session."""

import socket
from contextlib import suppress

USUAL_PORTS = range(8000, 8010)  # short to type, and the same at the next session
ELSEWHERE = "192.0.2.1"  # an address that examples use and nobody has


def own_addresses() -> list[str]:
    """Return the addresses of this machine in its networks, the likeliest first; a network may be asked, and be slow to answer."""
    found = likely_addresses()
    with suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return [*dict.fromkeys(each for each in found if not each.startswith("127."))] or ["127.0.0.1"]


def likely_addresses() -> list[str]:
    """Return the address by which this machine speaks to others, if any; nothing is sent to find it."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.connect((ELSEWHERE, 9))
        return [str(asked.getsockname()[0])]
    return []


def usual_port(host: str) -> int:
    """Return the first of the usual ports that is free on an address; 0, which stands for any, where none is."""
    for port in USUAL_PORTS:
        with suppress(OSError), socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET):
            return port
    return 0


def own_names() -> tuple[str, ...]:
    """Return the names by which devices of its networks may know this machine."""
    name = socket.gethostname().lower()
    return tuple(dict.fromkeys([name, f"{name.partition('.')[0]}.local"]))

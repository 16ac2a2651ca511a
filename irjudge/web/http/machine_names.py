"""What this machine is called in its networks, for those who come to its session."""

import socket
from contextlib import suppress

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


def own_names() -> tuple[str, ...]:
    """Return the names by which devices of its networks may know this machine."""
    name = socket.gethostname().lower()
    return tuple(dict.fromkeys([name, f"{name.partition('.')[0]}.local"]))

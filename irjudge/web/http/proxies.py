"""Whose request it is: the other end of the connection, or, where that is a proxy somebody trusts, who the proxy says it is."""

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.requests import HTTPConnection

from irjudge.errors import IrjudgeError

HOUSE = 64  # leading bits of an IPv6 address that one house has to itself
_FOR = re.compile(r'(?:^|[;,])\s*for\s*=\s*("[^"]*"|[^;,\s]*)', re.IGNORECASE)
_PORT = re.compile(r"^(?:\[([^\]]*)\]|([^:]*))(?::\d+)?$")


class Proxies:
    """Addresses and networks whose word about others is believed."""

    def __init__(self, trusted: Iterable[str] = ()) -> None:
        self._networks: list[IPv4Network | IPv6Network] = []
        for each in trusted:
            try:
                self._networks.append(ip_network(each, strict=False))
            except ValueError as fault:
                raise IrjudgeError(
                    "{proxy} is not an address or a network, such as 10.0.0.7 or 10.0.0.0/8.",
                    key="proxy-address",
                    proxy=each,
                ) from fault

    def __contains__(self, address: str) -> bool:
        known = _parsed(address) if self._networks else None
        return known is not None and any(known in network for network in self._networks)

    def speaker(self, hops: list[str]) -> str:
        """Return the last of some hops that is not trusted; empty where it is no address, or there is none."""
        untrusted = next((hop for hop in reversed(hops) if hop not in self), "")
        known = _parsed(untrusted)
        return str(known) if known is not None else ""


def client_address(request: HTTPConnection, proxies: Proxies) -> str:
    """Return the address of the person who asks.

    Headers are read only where a trusted proxy sent them; where two of them disagree, the client wrote one of them, and neither is
    believed.
    """
    peer = request.client.host if request.client else ""
    if peer not in proxies:
        return peer
    forwarded = ",".join(request.headers.getlist("x-forwarded-for"))
    said = {proxies.speaker([_bare(hop) for hop in forwarded.split(",")])} if forwarded else set()
    if standard := ",".join(request.headers.getlist("forwarded")):
        said.add(proxies.speaker([_bare(hop.strip('"')) for hop in _FOR.findall(standard)]))
    return said.pop() or peer if len(said) == 1 else peer


def counted_as(address: str) -> str:
    """Return what an address is counted as: of IPv6 the network of a house, which has as many addresses as it likes.

    >>> counted_as("2001:db8:1:2::7"), counted_as("::ffff:10.0.0.7"), counted_as("10.0.0.7")
    ('2001:db8:1:2::', '10.0.0.7', '10.0.0.7')
    """
    known = _parsed(address)
    if isinstance(known, IPv6Address):
        return str(ip_network((known, HOUSE), strict=False).network_address)
    return str(known) if known is not None else address


def _bare(hop: str) -> str:
    """Return a hop without its port and brackets."""
    found = _PORT.match(hop.strip())
    return (found[1] or found[2] or "") if found else hop.strip()


@lru_cache(4096)
def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        known = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return getattr(known, "ipv4_mapped", None) or known

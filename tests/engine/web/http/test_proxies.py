"""Tests of client addresses: headers count only from trusted proxies."""

import pytest
from starlette.requests import HTTPConnection

from irjudge.errors import IrjudgeError
from irjudge.web.connections import TrustedProxies, client_address, rate_limit_key

PROXIES = TrustedProxies(("10.0.0.0/8", "fd00::/8", "127.0.0.1"))


def make_request(peer: str, **headers: str | list[str]) -> str:
    sent = [
        (name.replace("_", "-").encode(), value.encode())
        for name, given in headers.items()
        for value in ([given] if isinstance(given, str) else given)
    ]
    return client_address(
        HTTPConnection({"type": "http", "client": (peer, 1), "headers": sent}), PROXIES
    )


@pytest.mark.parametrize(
    ("peer", "headers", "address"),
    [
        ("192.0.2.1", {}, "192.0.2.1"),
        ("192.0.2.1", {"x_forwarded_for": "198.51.100.1"}, "192.0.2.1"),  # not trusted
        ("10.0.0.1", {}, "10.0.0.1"),
        ("10.0.0.1", {"x_forwarded_for": "198.51.100.1"}, "198.51.100.1"),
        (
            "10.0.0.1",
            {"x_forwarded_for": "203.0.113.9, 198.51.100.1"},
            "198.51.100.1",
        ),  # the first was written by the client
        (
            "10.0.0.1",
            {"x_forwarded_for": "203.0.113.9, 198.51.100.1, 10.2.3.4"},
            "198.51.100.1",
        ),  # two trusted proxies
        ("10.0.0.1", {"x_forwarded_for": ["203.0.113.9", "198.51.100.1"]}, "198.51.100.1"),
        ("10.0.0.1", {"x_forwarded_for": "198.51.100.1:4711"}, "198.51.100.1"),
        ("10.0.0.1", {"x_forwarded_for": "2001:db8::7"}, "2001:db8::7"),
        ("10.0.0.1", {"x_forwarded_for": "[2001:db8::7]:4711"}, "2001:db8::7"),
        ("::ffff:10.0.0.1", {"x_forwarded_for": "::ffff:198.51.100.1"}, "198.51.100.1"),
        ("fd00::1", {"x_forwarded_for": "198.51.100.1"}, "198.51.100.1"),
        ("10.0.0.1", {"x_forwarded_for": "nonsense"}, "10.0.0.1"),
        ("10.0.0.1", {"x_forwarded_for": "198.51.100.1, nonsense"}, "10.0.0.1"),
        ("10.0.0.1", {"x_forwarded_for": "10.1.1.1, 10.2.2.2"}, "10.0.0.1"),
        ("10.0.0.1", {"forwarded": 'for=198.51.100.1;proto=https;by="10.0.0.1"'}, "198.51.100.1"),
        ("10.0.0.1", {"forwarded": 'for=203.0.113.9, For="[2001:db8::7]:4711"'}, "2001:db8::7"),
        ("10.0.0.1", {"forwarded": "for=unknown"}, "10.0.0.1"),
        (
            "10.0.0.1",
            {"forwarded": "for=198.51.100.1", "x_forwarded_for": "198.51.100.1"},
            "198.51.100.1",
        ),
        (
            "10.0.0.1",
            {"forwarded": "for=203.0.113.9", "x_forwarded_for": "198.51.100.1"},
            "10.0.0.1",
        ),  # one of them was written by the client
    ],
)
def test_the_client_address_is_found(
    peer: str, headers: dict[str, str | list[str]], address: str
) -> None:
    assert make_request(peer, **headers) == address


def test_an_invalid_proxy_address_is_refused_with_a_message() -> None:
    with pytest.raises(IrjudgeError) as error:
        TrustedProxies(("10.0.0.1", "proxy.example"))
    assert error.value.key == "proxy-address"
    assert error.value.values["proxy"] == "proxy.example"


def test_an_ipv6_network_counts_as_one_address() -> None:
    assert (
        rate_limit_key("2001:db8:1:2:3::4")
        == rate_limit_key("2001:db8:1:2:ffff::")
        != rate_limit_key("2001:db8:1:3::4")
    )
    assert (
        rate_limit_key("192.0.2.1") != rate_limit_key("192.0.2.2")
        and rate_limit_key("::ffff:192.0.2.1") == "192.0.2.1"
    )
    assert rate_limit_key("somewhere") == "somewhere"

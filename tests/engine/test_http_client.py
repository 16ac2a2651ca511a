"""Tests of responses of hostile servers: bounded time and size, masked secrets, one error each."""

import base64
import html
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import product, repeat
from urllib.parse import quote

import pytest

from irjudge import http_client
from irjudge.errors import IrjudgeError
from irjudge.http_client import (
    MAX_RESPONSE_BYTES,
    MAX_SECRET_LENGTH,
    SECRET_REPLACEMENT,
    HttpResponse,
    NoResponseError,
    check_secret,
    is_host,
    mask_secret,
    post,
)
from irjudge.progress import run_within
from tests.lengths import is_linear, takes_less_than

SECRET = "sk-a/b\\c\"d'e&f<g>%h"
DELAY = 0.02  # seconds between two pieces of a slow response
SECONDS = 0.4  # for the whole exchange


@contextmanager
def serve_bytes(pieces: Callable[[], Iterator[bytes]], *, slowly: bool = False) -> Iterator[int]:
    """Serve these bytes to one client after another; yield the port."""
    ended = threading.Event()

    def serve() -> None:
        while not ended.is_set():
            with suppress(OSError):
                connected, _ = listening.accept()
                with connected:
                    request = b""
                    # unread bytes would reset the connection
                    while not request.endswith(b"\r\n\r\n{}"):
                        request += connected.recv(1 << 16)
                    for piece in pieces():
                        if ended.wait(DELAY if slowly else 0):
                            return
                        connected.sendall(piece)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(0.05)
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            ended.set()
            thread.join()


def ask(port: int, seconds: float = 10.0, secret: str = SECRET) -> HttpResponse:
    return post(
        "http", "127.0.0.1", port, "/", body="{}", headers={}, secret=secret, timeout=seconds
    )


def respond(body: bytes, *headers: bytes, status: bytes = b"200 OK") -> Iterator[bytes]:
    yield b"HTTP/1.1 " + status + b"\r\n"
    yield b"".join(header + b"\r\n" for header in headers)
    yield b"Content-Length: %d\r\n\r\n" % len(body)
    yield body


def one_by_one(text: bytes) -> Iterator[bytes]:
    return (text[at : at + 1] for at in range(len(text)))


def prepend(begin: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    yield begin
    yield from rest


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
SLOW: dict[str, Callable[[], Iterator[bytes]]] = {
    "nothing": lambda: repeat(b""),
    "status line": lambda: prepend(b"HTTP/1.1 200 ", repeat(b"O")),
    "header": lambda: prepend(OK + b"X: ", repeat(b"x")),
    "headers": lambda: prepend(OK, repeat(b"X: x\r\n")),
    "body": lambda: prepend(OK + b"Content-Length: 1000000\r\n\r\n", repeat(b"x")),
    "body without a length": lambda: prepend(OK + b"\r\n", repeat(b"x")),
    "chunk": lambda: prepend(CHUNKED + b"fffff\r\n", repeat(b"x")),
    "chunk size": lambda: prepend(CHUNKED, repeat(b"0")),
    "chunk extension": lambda: prepend(CHUNKED + b"1;", repeat(b"x")),
    "trailer": lambda: prepend(CHUNKED + b"0\r\n", repeat(b"x")),
    "trailers": lambda: prepend(CHUNKED + b"0\r\n", repeat(b"X: x\r\n")),
    "100 Continue": lambda: repeat(b"HTTP/1.1 100 Continue\r\n\r\n"),
    "103 Early Hints": lambda: repeat(b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "100 Continue in pieces": lambda: prepend(b"HTTP/1.1 100 Continue\r\nX: ", repeat(b"x")),
}


@pytest.mark.slow
@pytest.mark.parametrize("part", SLOW)
def test_any_slow_part_of_a_response_ends_at_the_deadline(part: str) -> None:
    with serve_bytes(SLOW[part], slowly=True) as port:
        begun = time.monotonic()
        with pytest.raises(NoResponseError):
            ask(port, SECONDS)
        assert time.monotonic() - begun < SECONDS + 1.5


@pytest.mark.parametrize("status", [b"100 Continue", b"102 Processing", b"103 Early Hints"])
def test_interim_responses_are_skipped(status: bytes) -> None:
    interim_response = b"HTTP/1.1 " + status + b"\r\nLink: </a>\r\n\r\n"
    with serve_bytes(lambda: prepend(interim_response * 2, respond(b"final"))) as port:
        assert ask(port) == HttpResponse(200, "final")
    with serve_bytes(lambda: iter([interim_response + b"".join(respond(b"final"))])) as port:
        assert ask(port) == HttpResponse(200, "final")


@pytest.mark.slow
def test_endless_100_continue_at_full_speed_ends_at_the_deadline() -> None:
    with serve_bytes(lambda: repeat(b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)) as port:
        begun = time.monotonic()
        with pytest.raises(NoResponseError):
            ask(port, SECONDS)
        assert time.monotonic() - begun < SECONDS + 1.5


@pytest.mark.parametrize(
    "name",
    [
        "node7",
        "my_host.example",
        "127.0.0.1",
        "::1",
        "fe80::1%eth0",
        "bücher.example",
        "उदाहरण.भारत",
    ],
)
def test_names_and_addresses_of_hosts_are_accepted(name: str) -> None:
    assert is_host(name)


def test_a_silent_name_server_ends_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    is_ended = threading.Event()
    limits: list[float] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **_options: is_ended.wait(60))
    monkeypatch.setattr(
        "irjudge.http_client.run_within",
        lambda seconds, function: limits.append(seconds) or run_within(seconds, function),
    )
    with pytest.raises(NoResponseError, match=r"within 0\.05"):
        post("http", "node7", 80, "/", body="{}", headers={}, secret="", timeout=0.05)
    is_ended.set()
    assert limits and all(0 < limit <= 0.05 for limit in limits)


def test_a_server_that_does_not_read_ends_at_the_deadline() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        begun = time.monotonic()
        with pytest.raises(NoResponseError):
            post(
                "http",
                "127.0.0.1",
                listening.getsockname()[1],
                "/",
                body="x" * (64 << 20),
                headers={},
                secret="",
                timeout=SECONDS,
            )
        assert time.monotonic() - begun < SECONDS + 1.5


WRONG: dict[str, Callable[[], Iterator[bytes]]] = {
    "closed": lambda: iter([]),
    "no HTTP": lambda: iter([b"SSH-2.0-OpenSSH\r\n"]),
    "no number": lambda: iter([b"HTTP/1.1 two OK\r\n\r\n"]),
    "too many headers": lambda: iter([OK, b"X: x\r\n" * 1000, b"\r\n"]),
    "a header too long": lambda: iter([OK, b"X: ", b"x" * 100_000, b"\r\n\r\n"]),
    "cut": lambda: iter([OK + b"Content-Length: 10\r\n\r\n", b"x"]),
    "cut chunk": lambda: iter([CHUNKED, b"a\r\nx"]),
    "no chunk": lambda: iter([CHUNKED, b"what\r\nx"]),
    "negative chunk": lambda: iter([CHUNKED, b"-" + b"f" * 40 + b"\r\nx"]),
    "body too large": lambda: prepend(OK + b"\r\n", repeat(b"x" * (1 << 20))),
    "chunks too large": lambda: prepend(
        CHUNKED, repeat(b"100000\r\n" + b"x" * (1 << 20) + b"\r\n")
    ),
    "more than it says": lambda: prepend(
        OK + b"Content-Length: 99999999999\r\n\r\n", repeat(b"x" * (1 << 20))
    ),
}


@pytest.mark.parametrize("kind", WRONG)
def test_an_invalid_or_endless_response_is_one_error(kind: str) -> None:
    with serve_bytes(WRONG[kind]) as port, pytest.raises(NoResponseError):
        ask(port)


@pytest.mark.slow
def test_a_body_may_have_the_largest_size() -> None:
    with serve_bytes(lambda: respond(b"x" * MAX_RESPONSE_BYTES)) as port:
        assert len(ask(port).text) == MAX_RESPONSE_BYTES


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0),
        ("9" * 500, 366 * 86_400.0),
        ("Fri, 01 Jan 9999 00:00:00 GMT", 366 * 86_400.0),
        ("-7", None),
        ("7.5", None),
        ("soon", None),
        ("", None),
        ("Thu, 01 Jan 1970 00:00:00 GMT", 0.0),
        ("Thu, 01 Jan 1970 00:00:00 +99999999999999999999", None),
        ("Thu, 01 Jan 99999999999999999999 00:00:00 GMT", None),
        ("Thu, 01 Jan 0001 00:00:00 +2359", None),
        ("Thu, 99 Jan 1970 99:99:99 GMT", None),
        ("٧", 7.0),
    ],
)
def test_the_time_to_wait_is_a_number_or_none(value: str, seconds: float | None) -> None:
    header = b"Retry-After: " + value.encode()
    with serve_bytes(lambda: respond(b"", header, status=b"429 Slow")) as port:
        response = ask(port)
    assert response.status == 429
    assert response.retry_after in (seconds, None, 0.0)
    if value.isascii() and value != "Thu, 01 Jan 0001 00:00:00 +2359":
        assert response.retry_after == seconds


ESCAPES: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "JSON": json.dumps,
    "JSON in JSON": lambda key: json.dumps(json.dumps(key)),
    "JSON in JSON in JSON": lambda key: json.dumps(json.dumps(json.dumps(key))),
    "every character": lambda key: "".join(f"\\u{ord(each):04x}" for each in key),
    "every character in capitals": lambda key: "".join(f"\\u{ord(each):04X}" for each in key),
    "every character in JSON": lambda key: json.dumps(
        "".join(f"\\u{ord(each):04x}" for each in key)
    ),
    "one character": lambda key: f"\\u{ord(key[0]):04x}" + key[1:].replace("\\", "\\\\"),
    "slashes": lambda key: json.dumps(key).replace("/", "\\/"),
    "HTML": lambda key: "".join(f"&#{ord(each)};" for each in key),
    "HTML, hexadecimal": lambda key: "".join(f"&#x{ord(each):04X};" for each in key),
    "address": lambda key: "".join(f"%{ord(each):02X}" for each in key),
    "address, small letters": lambda key: "".join(f"%{ord(each):02x}" for each in key),
    "Python": lambda key: "".join(f"\\x{ord(each):02x}" for each in key),
    "two bytes a character": lambda key: key.encode("utf-16-le").decode("latin-1"),
    "quoted": lambda key: quote(key, safe=""),
    "HTML where needed": lambda key: html.escape(key),
}


@pytest.mark.parametrize("how", ESCAPES)
@pytest.mark.parametrize("secret", [SECRET, "sk-0123456789abcdef", "a+b.c*d(e)[f]$^|{}?=~"])
def test_a_secret_is_masked_in_any_escaped_form(how: str, secret: str) -> None:
    text = f"before {ESCAPES[how](secret)} after"
    masked = mask_secret(text, secret)
    assert masked.startswith("before ") and masked.endswith(" after")
    assert masked.count(SECRET_REPLACEMENT) == 1
    assert len(masked) <= len("before '[key]' after") + 12


NESTED = {
    "HTML in Go's JSON": lambda text: "".join(f"\\u0026#{ord(each)};" for each in text),
    "an escaped backslash": lambda text: "".join(f"\\u005cu{ord(each):04x}" for each in text),
    "an address in HTML": lambda text: "".join(f"&#37;{ord(each):02x}" for each in text),
    "HTML in an address": lambda text: quote("".join(f"&#{ord(each)};" for each in text)),
    "HTML 5": lambda text: text.replace("/", "&sol;").replace("_", "&lowbar;"),
    "HTML without semicolons": lambda text: "".join(
        each if each.isdigit() else f"&#{ord(each)}" for each in text
    ),
    "more levels than are undone": lambda text: quote_repeatedly(text, 30),
    "JavaScript's escape": lambda text: "".join(f"%u{ord(each):04X}" for each in text),
    "Python, eight digits": lambda text: "".join(f"\\U{ord(each):08x}" for each in text),
    "C": lambda text: "".join(f"\\{ord(each):03o}" for each in text),
    "mail": lambda text: "".join(f"={ord(each):02X}" for each in text),
    "mail with a line break": lambda text: (
        text[:5].replace("=", "=3D") + "=\n" + text[5:].replace("=", "=3D")
    ),
    "a line break": lambda text: f"{text[:5]}\n{text[5:]}",
    "a line break in JSON": lambda text: json.dumps(f"{text[:5]}\r\n{text[5:]}"),
    "soft hyphens": lambda text: "\u00ad".join(text),
    "blanks of no width": lambda text: "\u200b".join(text),
    "base64": lambda text: base64.b64encode(text.encode()).decode(),
    "base64 after a word": lambda text: base64.b64encode(f"Bearer {text}".encode()).decode(),
    "base64 between words": lambda text: base64.b64encode(f"token={text}&x=1".encode()).decode(),
    "base64 in an address": lambda text: base64.urlsafe_b64encode(f"<?>{text}?".encode()).decode(),
    "base64 in lines": lambda text: base64.encodebytes(f"{'x' * 50}{text}".encode()).decode(),
    "hexadecimal": lambda text: text.encode().hex(),
    "hexadecimal after a backslash": lambda text: json.dumps("\\" + text.encode().hex()),
    "bytes by index": lambda text: json.dumps({str(i): ord(c) for i, c in enumerate(text)}),
    "characters by index": lambda text: json.dumps(dict(enumerate(text))),
    "a hexadecimal dump": lambda text: "\n".join(
        f"{begin:08x}  {part.encode().hex(' ')}  |{part}|"
        for begin, part in split_into_lines(f"Authorization: Bearer {text}")
    ),
    "a hexadecimal dump without text": lambda text: "\r\n".join(
        f"{begin:06x} {part.encode().hex(' ')}"
        for begin, part in split_into_lines(f"Bearer {text}")
    ),
    "a dump of words in JSON": lambda text: json.dumps(
        "\n".join(
            f"{begin:08x}: {part.encode().hex(' ', -2)}  {part}"
            for begin, part in split_into_lines(f"Bearer {text}")
        )
    ),
    "base64 in JSON": lambda text: (
        base64.b64encode(b"\xff\xfe" + text.encode()).decode().replace("/", "\\/")
    ),
}


def split_into_lines(text: str) -> list[tuple[int, str]]:
    return [(begin, text[begin : begin + 16]) for begin in range(0, len(text), 16)]


def quote_repeatedly(text: str, levels: int) -> str:
    for _ in range(levels // 2):
        text = text.replace("/", "%2f").replace("%", "&#37;").replace("&", "%26")
    return text


@pytest.mark.parametrize("how", NESTED)
@pytest.mark.parametrize("secret", ["sk-a/b_C.d=Z+", "/org/_key_Abc"])
def test_a_secret_under_different_escapes_is_not_shown(how: str, secret: str) -> None:
    assert mask_secret(f"before {NESTED[how](secret)} after", secret) == SECRET_REPLACEMENT


@pytest.mark.parametrize("change", [str.upper, str.lower, str.swapcase, str.title])
def test_a_secret_in_another_case_is_not_shown(change: Callable[[str], str]) -> None:
    assert mask_secret(f"no key {change('sk-Proj-0aB1cD2eF3')}", "sk-Proj-0aB1cD2eF3") == (
        SECRET_REPLACEMENT
    )


def test_base64_of_a_json_text_hides_no_secret() -> None:
    secret = 'a"b\\c-12345678'
    text = base64.b64encode(json.dumps({"a": secret}).encode()).decode()
    assert mask_secret(text, secret) == SECRET_REPLACEMENT


def test_a_reply_with_escapes_but_without_the_secret_stays_as_it_is() -> None:
    text = json.dumps({"a": 'x%20y "&amp;lt;" \\n\\\\ \u00e9 &#300; %zz &; & \\u{73}'})
    assert mask_secret(text, "sk-a/b_C.d=Z+") == text
    assert mask_secret(text, "\\") != SECRET_REPLACEMENT


def test_a_masked_reply_is_still_json_and_has_the_secret_nowhere() -> None:
    secret = "sk-a/b0123"
    response = {"a": secret, secret: [f"x{secret}y", json.dumps({"b": secret})]}
    for text in (json.dumps(response), json.dumps(response).replace("/", "\\/")):
        with serve_bytes(lambda text=text: respond(text.encode())) as port:
            masked = ask(port, secret=secret).text
        assert json.loads(masked) == {
            "a": SECRET_REPLACEMENT,
            SECRET_REPLACEMENT: [f"x{SECRET_REPLACEMENT}y", json.dumps({"b": SECRET_REPLACEMENT})],
        }


def test_a_large_text_with_deep_escapes_is_masked_as_a_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A text of a tenth of the largest reply, with a tenth of the limit."""
    limit = http_client.MAX_DECODED_CHARACTERS // 10
    monkeypatch.setattr(http_client, "MAX_DECODED_CHARACTERS", limit)
    deep = "\\x5a"
    for kind in range(8):
        deep = (f"&#{ord(deep[0])};" if kind % 2 else f"%{ord(deep[0]):02x}") + deep[1:]
    assert mask_secret(f"{deep} and more", "sk-1234567890") == f"{deep} and more"
    assert mask_secret(f"{deep} {'=73' * 130_000}", "sk-1234567890") == SECRET_REPLACEMENT
    assert mask_secret("x = 10\\n" * 40_000, "sk-1234567890") != SECRET_REPLACEMENT


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        *("\\" * 400_000, "s" * 400_000, "sk" * 200_000, "%25" * 140_000),
        *("&amp;" * 80_000, "&lt" * 260_000, "&lt;" * 200_000, "=41" * 260_000),
    ],
)
def test_masking_takes_linear_time(text: str) -> None:
    secret = "sk-" + "s" * 60
    eighth = text[: len(text) // 8]
    assert is_linear(lambda: mask_secret(eighth, secret), lambda: mask_secret(text, secret))


def test_a_secret_of_equal_characters_takes_no_more_time() -> None:
    """256 KB of all but one of the characters of such a secret took 22 s."""
    secret = "s" * MAX_SECRET_LENGTH
    assert takes_less_than(1, lambda: mask_secret((secret[1:] + "x") * 16, secret))


def test_a_long_secret_is_masked_as_a_whole_and_its_beginning_alone() -> None:
    secret = "".join(f"{number:04}" for number in range(100))
    assert mask_secret(f"a {secret} b {secret[:100]}x", secret) == (
        f"a [key] b [key]{secret[64:100]}x"
    )


def test_a_secret_too_long_for_a_header_is_an_error_at_once() -> None:
    assert check_secret("s" * MAX_SECRET_LENGTH, "the file") == "s" * MAX_SECRET_LENGTH
    with pytest.raises(IrjudgeError) as error:
        check_secret("s" * 2_000_000, "the file")
    assert error.value.key == "long-key"
    assert "sss" not in str(error.value)


@pytest.mark.parametrize("secret", ["one\ntwo", "a b", "", "  ", "é", "a\x7f", "a\0b"])
def test_an_unusable_secret_is_an_error_without_it(secret: str) -> None:
    with pytest.raises(IrjudgeError) as error:
        check_secret(secret, "the file")
    assert not secret.strip() or secret not in str(error.value)


@pytest.mark.parametrize(
    "inserted", "\u200b\u202a\u2062\u061c\ufe0f\u2028\xad\x85\xa0\u2060\ufeff\r\n"
)
def test_no_character_inside_a_key_hides_it_in_any_escaped_form(inserted: str) -> None:
    key = "sk-Proj_9f8e7d6c5b4a"
    text = key[:8] + inserted + key[8:]
    code = ord(inserted)
    for shown in (
        text,
        json.dumps({"a": text}),
        json.dumps(json.dumps({"a": text})),
        quote(text),
        text.replace(inserted, f"&#{code};"),
        text.replace(inserted, f"&#x{code:x};"),
    ):
        assert SECRET_REPLACEMENT in mask_secret(shown, key), shown


CODERS = {
    "json": json.dumps,
    "units": lambda text: "".join(f"\\u{ord(each):04x}" for each in text),
    "bytes": lambda text: "".join(f"\\x{ord(each):02x}" for each in text),
    "quote": lambda text: quote(text, safe=""),
    "percent": lambda text: "".join(f"%{each:02X}" for each in text.encode()),
    "decimal": lambda text: "".join(f"&#{ord(each)};" for each in text),
    "hex": lambda text: "".join(f"&#x{ord(each):x};" for each in text),
    "unclosed": lambda text: "".join(f"&#{ord(each)}%3B" for each in text),
    "mail": lambda text: "".join(f"={ord(each):02x}" for each in text),
}


@pytest.mark.parametrize("coders", [*product(CODERS, repeat=2)], ids=" ".join)
def test_a_key_is_masked_in_any_double_encoding(coders: tuple[str, str]) -> None:
    text = "sk-Proj_9f8e7d6c5b4a"
    for name in coders:
        text = CODERS[name](text)
    assert SECRET_REPLACEMENT in mask_secret(text, "sk-Proj_9f8e7d6c5b4a")


@pytest.mark.parametrize(
    "inserted", ["\U000e0041", "\ufe0f", "\u034f", "\u3164", "\u200b", "\u115f"]
)
@pytest.mark.parametrize("key", ["p4ss", "%41%42", "sk-Proj_9f8e7d6c5b4a"])
def test_no_invisible_characters_hide_even_a_short_key(key: str, inserted: str) -> None:
    assert mask_secret(f"a {inserted.join(key)} b", key) == SECRET_REPLACEMENT


@pytest.mark.parametrize("secret", ["sk-proj-AbC123dEf456", "pass/word&more<12>"])
def test_a_secret_in_bytes_or_encoded_twice_is_masked(secret: str) -> None:
    codes = secret.encode()
    for encoded in (
        str(list(codes)),
        json.dumps(list(codes), separators=(",", ":")),
        ", ".join(f"0x{code:02x}" for code in codes),
        ",".join(f"0x{code:02X}" for code in codes),
        base64.b64encode(secret.encode("utf-16-le")).decode(),
        base64.b64encode(b"x" + quote(secret, safe="").encode()).decode(),
        base64.b64encode(b"xy" + html.escape(secret).encode()).decode(),
        base64.b64encode(json.dumps(secret).replace("/", "\\/").encode()).decode(),
    ):
        assert mask_secret(f"Wrong key: {encoded}.", secret) == SECRET_REPLACEMENT


def test_a_secret_without_its_first_or_last_characters_is_masked() -> None:
    secret = "sk-proj-AbC123dEf456GhI789jKl"
    for part in (secret[:-1], secret[:16], secret[1:], secret[-16:]):
        assert mask_secret(f"Wrong key: {part}.", secret) == SECRET_REPLACEMENT
    for part in (secret[:8], secret[-4:]):
        assert mask_secret(f"Wrong key: {part}.", secret) == f"Wrong key: {part}."


@pytest.mark.parametrize("key", ["1", "a", "key"])
def test_a_dummy_key_that_may_occur_in_any_text_does_not_change_a_reply(key: str) -> None:
    text = '{"message": {"content": "{\\"grade\\": 1, \\"key\\": 1}"}}'
    assert mask_secret(text, key) == text
    assert (
        mask_secret("Bearer keys is invalid", "keys") == f"Bearer {SECRET_REPLACEMENT} is invalid"
    )


@pytest.mark.parametrize(
    ("secret", "text"),
    [
        # JSON escapes in references: \u0036 is 6, and &#86; is V
        (
            "VN6lieGN",
            r"\u0026#\u00386;&#78;&\u002354;\u0026#1\u00308;&#1\u00305;\u0026#\u00310\u0031;&#71;&#78;",
        ),
        ("VN6lieGN", "&#8%36;&#78;&#5%34%3b&#x6%63;&#x%36%39;&#101;&#71;&#78;"),
        ("VN6lieGN", "&#86&#78&#54&#108&#105&#101&#71&#78"),
        ("key<;sesame", r"key&l\u0074\u003b;sesame"),
    ],
)
def test_a_secret_in_partly_escaped_references_is_not_shown(secret: str, text: str) -> None:
    assert mask_secret(f"before {text} after", secret) == SECRET_REPLACEMENT


def test_a_secret_that_contains_an_escape_is_masked() -> None:
    secret = "a-%12-c-d-e-f-"
    assert mask_secret("Wrong key: a-%12-c\n-d-e-f-.", secret) == SECRET_REPLACEMENT
    assert mask_secret("short", "%12%13s") == "short"

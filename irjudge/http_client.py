"""HTTP requests to other servers: time and size are limited, secrets in responses are masked."""

import base64
import email.utils
import html
import http.client
import io
import json
import re
import socket
import ssl
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from html.entities import codepoint2name
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote

from irjudge.errors import IrjudgeError
from irjudge.message import Message
from irjudge.progress import run_within

# statuses of responses that precede the final response
INTERIM_STATUSES = (HTTPStatus.PROCESSING, HTTPStatus.EARLY_HINTS)
MAX_RETRY_SECONDS = 366 * 86_400.0  # maximum time to wait that is returned: a year
MAX_RESPONSE_BYTES = 4 << 20  # maximum size of the body of a response
CHUNK_BYTES = 1 << 16  # number of bytes of the body that are read at a time
SECRET_REPLACEMENT = "[key]"  # text that replaces a secret in a response
MAX_ESCAPE_DEPTH = 10  # maximum number of times that a text with nested escapes is decoded
# Maximum total number of characters that are decoded for a text. The largest response without
# nested escapes needs fewer. Decoding 100 million characters would take seconds.
MAX_DECODED_CHARACTERS = 6 * MAX_RESPONSE_BYTES
MAX_VARIANTS = 4  # maximum number of possible decoded texts; some escapes are ambiguous
MAX_DISTINCT_ESCAPES = (
    50_000  # maximum number of distinct escapes in a text; decoding more would take seconds
)
MAX_SECRET_LENGTH = 4096  # maximum characters of a secret, since masking a long secret takes long
# Number of characters at the beginning of a secret that are masked even if the text after them
# differs from the secret. The square root of MAX_SECRET_LENGTH minimises the time for masking a
# secret such as "aaa…".
MASKED_PREFIX_LENGTH = 64
# minimum characters of a secret that is masked; a shorter key, which only a server that ignores keys
# accepts, may occur in any response
MIN_MASKED_LENGTH = 4
# minimum characters of a secret whose base64 encoding is masked; the encoding of a shorter secret
# may occur in any text
MIN_ENCODED_LENGTH = 8
MIN_HALF_LENGTH = 16  # minimum characters of half a secret that is masked alone
_ESCAPE = re.compile(
    r"(?:\\U000000|\\u00|\\x|%u00|%(?:25)*)(?P<two>[0-7][0-9a-f])|\\u\{0*+(?P<braced>[0-7]?[0-9a-f])\}|"
    r"&(?:amp;)*(?:#x0*+(?P<digits>[0-7]?[0-9a-f])(?![0-9a-f])(?:;|%(?:25)*3b)?"
    r"|#0*+(?P<decimal>[0-9]{1,3})(?![0-9])(?:;|%(?:25)*3b)?|(?P<name>[a-z][a-z0-9]{1,31};?))|"
    r"\\(?P<octal>[01]?[0-7]{2})|"
    # escape of a non-ASCII character, which cannot be part of a secret
    r"(?P<other>\\u(?:[0-9a-f]{4}|\{[0-9a-f]{1,6}\})|%(?:25)*[89a-f][0-9a-f]"
    r"|&(?:amp;)*#(?:x[0-9a-f]{1,9}|[0-9]{1,9});?)",
    re.IGNORECASE,
)
_QUOTED_PRINTABLE = re.compile(r"=([2-7][0-9A-Fa-f])")  # escape in quoted-printable encoding
_LINE_ESCAPE = re.compile(r"(?<!\\)\\++[nrt]")
_SOFT_BREAK = re.compile(r"=\r?\n")
_NON_ALPHANUMERIC = bytes(code for code in range(128) if not chr(code).isalnum())
# line of a hexadecimal dump: an offset, the bytes, and usually their text
_HEX_DUMP_LINE = re.compile(
    r"\b(?:0x)?[0-9A-Fa-f]{4,16}(?: -)?:?[ \t]{1,4}"
    r"((?:[0-9A-Fa-f]{2,4}(?:[ \t-]{1,2}|\r?$)){1,16})",
    re.MULTILINE,
)
_HOST_NAME = re.compile(r"[A-Za-z0-9._-]+")  # after encoding of non-ASCII letters
_IPV6_ADDRESS = re.compile(r"[0-9A-Fa-f:.]+(?:%[A-Za-z0-9._~-]+)?")
# translation table that removes invisible ASCII characters, which cannot be part of a secret
_INVISIBLE = dict.fromkeys([*range(33), 0x7F])


class NoResponseError(Exception):
    """Error of `post`: no complete response in time, a failed connection, or a too large response.

    The request can be repeated.
    """


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Response of a server to a request sent by `post`: status, body and `Retry-After` delay."""

    status: int
    text: str  # body of the response
    # seconds to wait before the next attempt; None if the server specifies no delay
    retry_after: float | None = None


def post(
    scheme: str,
    host: str,
    port: int | None,
    path: str,
    *,
    body: str,
    headers: Mapping[str, str],
    secret: str,
    timeout: float,
) -> HttpResponse:
    """Send JSON and return the response.

    Redirects are not followed, since their targets would receive the secret.

    Parameters
    ----------
    secret
        Sent as bearer token unless empty, and masked in the returned body.
    timeout
        Maximum seconds of the exchange, from connecting to the last byte of the body.

    Raises
    ------
    NoResponseError
        If no complete response arrives in time, or the body is larger than `MAX_RESPONSE_BYTES`.
    """
    all_headers = {"Content-Type": "application/json", "Accept": "application/json", **headers}
    if secret:
        all_headers["Authorization"] = f"Bearer {secret}"
    deadline = time.monotonic() + timeout
    try:
        with closing(_connect(scheme, host, port, deadline)) as connection_socket:
            connection_class = (
                http.client.HTTPSConnection if scheme == "https" else http.client.HTTPConnection
            )
            connection = connection_class(host, port)
            deadline_socket = cast("socket.socket", _DeadlineSocket(connection_socket, deadline))
            connection.sock = deadline_socket
            connection.request("POST", path, body.encode(), all_headers)
            response = connection.getresponse()
            while response.status in INTERIM_STATUSES:  # `http.client` skips only 100 Continue
                response = http.client.HTTPResponse(deadline_socket)
                response.begin()
            body_bytes = _read_body(response, deadline)
    except TimeoutError as error:
        raise NoResponseError(
            Message("no response within {seconds:g} seconds", seconds=timeout)
        ) from error
    # `http.client` raises OverflowError for a chunk of, for example, -10^30 bytes
    except (OSError, http.client.HTTPException, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        raise NoResponseError(
            Message("the connection failed ({error})", error=mask_secret(str(reason), secret))
        ) from error
    text = mask_secret(body_bytes.decode("utf-8", "replace"), secret)
    return HttpResponse(response.status, text, _parse_retry_after(response.headers["Retry-After"]))


def _compute_time_left(deadline: float) -> float:
    seconds_left = deadline - time.monotonic()
    if seconds_left <= 0:
        raise TimeoutError
    return seconds_left


def _connect(scheme: str, host: str, port: int | None, deadline: float) -> socket.socket:
    """Return a connection to the first of a host's addresses that accepts a connection."""
    error: OSError = ConnectionError()

    def resolve() -> list[Any]:
        return socket.getaddrinfo(host, port or scheme, type=socket.SOCK_STREAM)

    # `getaddrinfo` has no timeout, and may wait long for a name server that does not respond.
    for family, kind, protocol, _, address in run_within(_compute_time_left(deadline), resolve):
        connection_socket = socket.socket(family, kind, protocol)
        try:
            connection_socket.settimeout(_compute_time_left(deadline))
            connection_socket.connect(address)
            connection_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if scheme == "https":
                context = ssl.create_default_context()
                context.set_alpn_protocols(["http/1.1"])
                connection_socket.settimeout(_compute_time_left(deadline))
                return context.wrap_socket(connection_socket, server_hostname=host)
        except OSError as problem:
            connection_socket.close()
            error = problem
        else:
            return connection_socket
    raise error


class _DeadlineSocket:
    """Socket for `http.client` with one deadline for all operations together.

    The timeout of an ordinary socket would begin again with each received byte.
    """

    def __init__(self, connection_socket: socket.socket, deadline: float) -> None:
        self._socket, self._deadline = connection_socket, deadline
        self._reader = _SharedReader(_DeadlineReader(connection_socket, deadline))

    def sendall(self, data: bytes) -> None:
        unsent_data = memoryview(data)
        while unsent_data:
            self._socket.settimeout(_compute_time_left(self._deadline))
            unsent_data = unsent_data[self._socket.send(unsent_data) :]

    def makefile(self, _mode: str) -> io.BufferedReader:
        """Return the file that reads from the socket."""
        return self._reader

    def close(self) -> None:
        """Do nothing; `post` closes the socket, which `http.client` would close too early."""


class _SharedReader(io.BufferedReader):
    """File from which several responses are read; one may have buffered bytes of the next."""

    def close(self) -> None:
        """Do nothing; the first response would close the file too early."""


class _DeadlineReader(io.RawIOBase):
    def __init__(self, connection_socket: socket.socket, deadline: float) -> None:
        super().__init__()
        self._socket, self._deadline = connection_socket, deadline

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._socket.settimeout(_compute_time_left(self._deadline))
        return self._socket.recv_into(buffer)


def _read_body(response: http.client.HTTPResponse, deadline: float) -> bytes:
    """Return the body of a response; raise NoResponseError if it exceeds `MAX_RESPONSE_BYTES` bytes.

    Raises TimeoutError if the body is incomplete at the deadline.
    """
    chunks, size = [], 0
    while chunk := response.read1(CHUNK_BYTES):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_RESPONSE_BYTES:
            raise NoResponseError(
                Message("the response is larger than {size:,} bytes", size=MAX_RESPONSE_BYTES)
            )
        _compute_time_left(deadline)
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return b"".join(chunks)


def _parse_retry_after(value: str | None) -> float | None:
    """Parse a number of seconds or a date; return the seconds to wait, or None if invalid.

    A longer time than a year is reduced to a year.

    >>> _parse_retry_after("2"), _parse_retry_after("soon"), _parse_retry_after("9" * 5000)
    (2.0, None, 31622400.0)
    """
    if value is None:
        return None
    if value.strip().isdecimal():
        return min(float(value), MAX_RETRY_SECONDS)
    try:
        retry_time = email.utils.parsedate_to_datetime(value)
        retry_time = retry_time if retry_time.tzinfo else retry_time.replace(tzinfo=UTC)
        wait_seconds = (retry_time - datetime.now(UTC)).total_seconds()
    except (ValueError, ArithmeticError, TypeError, LookupError):
        return None
    return min(max(0.0, wait_seconds), MAX_RETRY_SECONDS)


# Secrets


def is_host(name: str) -> bool:
    """Return whether a text is a plain host name or IP address.

    A text with escapes, blanks or separators is not a host name, since these could hide a password.

    >>> is_host("example.org"), is_host("fe80::1%eth0"), is_host("me%3Apassword%40example.org")
    (True, True, False)
    >>> is_host("example.org password"), is_host("example.org;password")
    (False, False)
    """
    if ":" in name:
        return bool(_IPV6_ADDRESS.fullmatch(name))
    try:
        return bool(_HOST_NAME.fullmatch(name.encode("idna").decode()))
    except UnicodeError:  # an empty or too long label, or an invalid character
        return False


def check_secret(secret: str, source: str) -> str:
    """Return the stripped secret; raise IrjudgeError if it is invalid in a header.

    The error never contains the secret.

    >>> check_secret(" sk-1 ", "the file")
    'sk-1'
    """
    secret = secret.strip()
    if not secret:
        raise IrjudgeError("There is no key in {where}.", key="no-key", where=source)
    if len(secret) > MAX_SECRET_LENGTH:
        raise IrjudgeError(
            "The text in {where} is too long for a key: expected at most {most:,} characters.",
            key="long-key",
            where=source,
            most=MAX_SECRET_LENGTH,
        )
    if not secret.isascii() or any(character <= " " or character == "\x7f" for character in secret):
        raise IrjudgeError(
            "The text in {where} is not a valid key: expected one line of ASCII characters "
            "without spaces.",
            where=source,
        )
    return secret


def mask_secret(text: str, secret: str) -> str:
    r"""Return a text in which a secret is masked, even if characters of the secret are escaped.

    The whole text is masked if it contains the secret with nested escapes of different kinds,
    encoded as base64, in hexadecimal or as a list of bytes, or with line breaks or invisible
    characters inside. It is also masked if it contains the first or last half of a long secret.
    Secrets of fewer than `MIN_MASKED_LENGTH` characters are not masked.

    >>> mask_secret(r'{"model": "\u0073k\/1", "again": "sk/1"}', "sk/1")
    '{"model": "[key]", "again": "[key]"}'
    >>> mask_secret(r"not this: \u0026#115;k%5Cu002F1", "sk/1")
    '[key]'
    """
    if len(secret) < MIN_MASKED_LENGTH:
        return text
    text = _make_secret_pattern(secret).sub(SECRET_REPLACEMENT, text)
    return SECRET_REPLACEMENT if _is_hidden_in(secret, text) else text


def _is_hidden_in(secret: str, text: str) -> bool:
    """Return whether a text contains the secret after all escapes are decoded.

    The result is also True if there are too many escapes to decode. If the secret has enough
    letters and digits, a second comparison ignores all other characters, so that neither these
    characters nor remains of escapes can hide the secret.
    """
    try:
        decoder = _DecodedEscapes()
        variants = _list_variants(secret, decoder)
        texts = _unescape(text, decoder)
        for variant in [*texts]:
            quoted_text = _QUOTED_PRINTABLE.sub(_decode_quoted, _SOFT_BREAK.sub("", variant))
            if quoted_text != variant:
                texts |= _unescape(quoted_text, decoder)
    except _TooManyEscapesError:
        return True
    # characters other than visible ASCII cannot be part of a secret and are removed
    visible_texts = [_remove_invisible(decoded_text) for decoded_text in texts]
    if any(
        variant and variant in visible_text
        for variant in variants
        for visible_text in visible_texts
    ):
        return True
    reduced_variants = {
        reduced_variant
        for variant in variants
        if len(reduced_variant := _remove_non_alphanumeric(variant)) >= MIN_ENCODED_LENGTH
    }
    if len(secret) >= MIN_ENCODED_LENGTH:
        for code in ("u%04x", "x%02x", "0x%02x", "%02x", "u%04X", "x%02X", "0x%02X", "%02X", "%d"):
            reduced_variants.add("".join(code % ord(character) for character in secret))
        # JSON objects of bytes or characters, by index
        for characters in (map(ord, secret), secret):
            indexed_secret = "".join(f"{index}{item}" for index, item in enumerate(characters))
            reduced_variants.add(_remove_non_alphanumeric(indexed_secret))
    dumps = ("".join(_HEX_DUMP_LINE.findall(decoded_text)) for decoded_text in texts)
    # The text is also compared before decoding, since the first digits of a hexadecimal secret after
    # a backslash are decoded as an octal escape.
    stripped_texts = (
        [_remove_non_alphanumeric(possible_text) for possible_text in (text, *texts, *dumps)]
        if reduced_variants
        else []
    )
    return any(
        reduced_variant.lower() in stripped_text.lower()
        for reduced_variant in reduced_variants
        for stripped_text in stripped_texts
    )


def _list_variants(secret: str, decoder: "_DecodedEscapes") -> set[str]:
    """Return the secret, its halves, its base64 encodings, and the secret with decoded escapes.

    Raises _TooManyEscapesError if there are too many escapes to decode.
    """
    variants = {secret, secret.replace("\\", "")} | _list_halves(secret)
    json_secret = json.dumps(secret)[1:-1]
    for encoded_secret in (  # the secret may be escaped or encoded as UTF-16 before base64
        secret,
        json_secret,
        json_secret.replace("/", "\\/"),
        html.escape(secret),
        quote(secret),
        quote(secret, safe=""),
        "".join(f"{character}\0" for character in secret),
    ):
        variants |= _encode_base64(encoded_secret)
    return variants | {
        stripped_variant
        for variant in _unescape(secret, decoder)
        for stripped_variant in (variant, _remove_invisible(variant))
        if stripped_variant == secret or len(stripped_variant) >= MIN_ENCODED_LENGTH
    }


def _remove_invisible(text: str) -> str:
    return text.encode("ascii", "ignore").decode().translate(_INVISIBLE)


def _remove_non_alphanumeric(text: str) -> str:
    return text.encode("ascii", "ignore").translate(None, _NON_ALPHANUMERIC).decode()


def _list_halves(secret: str) -> set[str]:
    """Return the first and the last half of a secret, which a response may contain alone.

    The halves have at least `MIN_HALF_LENGTH` characters; the result is empty for shorter secrets.
    """
    length = max(MIN_HALF_LENGTH, -(-len(secret) // 2))
    return {secret[:length], secret[-length:]} if length < len(secret) else set()


def _decode_quoted(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _encode_base64(secret: str) -> set[str]:
    """Return the base64 encodings of a secret inside other bytes, one for each of 3 alignments.

    >>> sorted(_encode_base64("sk-12345")) == sorted({"c2stMTIzND", "NrLTEyMzQ1", "zay0xMjM0N"})
    True
    """
    if len(secret) < MIN_ENCODED_LENGTH:
        return set()
    encodings = set()
    for padding_length in range(3):
        encoded_secret = base64.b64encode(bytes(padding_length) + secret.encode()).decode()
        start, end = -(-padding_length * 8 // 6), (padding_length + len(secret)) * 8 // 6
        encodings.add(encoded_secret[start:end])
    return encodings


class _TooManyEscapesError(Exception):
    """Error: the escapes in a text are too many, too deeply nested, or too ambiguous to decode."""


class _DecodedEscapes(dict[str, str]):
    """Decoder of escapes: maps each escape to its character, and limits the number of characters.

    An escape of a non-ASCII character is mapped to an empty string.
    """

    def __init__(self) -> None:
        self._characters_left = MAX_DECODED_CHARACTERS

    def decode(self, text: str) -> str:
        """Return a text in which each escape is decoded at most once.

        Raises _TooManyEscapesError if the limit of characters is exceeded.
        """
        self._characters_left -= len(text)
        if self._characters_left < 0:
            raise _TooManyEscapesError
        if not any(character in text for character in "\\%&"):
            return text  # a search for escapes would be slower than this test
        # A reference without a semicolon is decoded last, since the escape after it may be a digit.
        decoded_text = _ESCAPE.sub(self._decode_terminated, text)
        if decoded_text != text or "&" not in text:
            return decoded_text
        return _ESCAPE.sub(lambda match: self[match[0]], text)

    def _decode_terminated(self, match: re.Match[str]) -> str:
        escape = match[0]
        is_open = escape[0] == "&" and escape[-1] != ";" and "%" not in escape
        return escape if is_open else self[escape]

    def __missing__(self, escape: str) -> str:
        match = _ESCAPE.fullmatch(escape)
        kind = (match.lastgroup if match else None) or ""
        character = escape
        if kind == "other":
            character = ""
        elif match and kind == "name":
            character = html.unescape(f"&{match[kind]}")
        elif match:
            code = int(match[kind], {"decimal": 10, "octal": 8}.get(kind, 16))
            character = chr(code) if code < 128 else ""
        self[escape] = character
        if len(self) > MAX_DISTINCT_ESCAPES:
            raise _TooManyEscapesError
        return character


def _unescape(text: str, decoder: _DecodedEscapes) -> set[str]:
    """Return the possible texts after all escapes are decoded and backslashes are removed.

    There can be several texts, since a backslash before n, r or t may be part of an escaped line
    break or tab, or precede a letter. Raises _TooManyEscapesError if there are too many escapes.
    """
    final_texts, texts = set[str](), [text]
    for _ in range(MAX_ESCAPE_DEPTH):
        next_texts = set()
        for current_text in texts:
            decoded_text = decoder.decode(current_text)
            if decoded_text != current_text:
                next_texts.add(decoded_text)
            elif "\\" in decoded_text:
                next_texts |= {
                    decoded_text.replace("\\", ""),
                    _LINE_ESCAPE.sub("\n", decoded_text).replace("\\", ""),
                }
            else:
                final_texts.add(decoded_text)
        if not next_texts:
            return final_texts
        if len(next_texts) > MAX_VARIANTS:
            break
        texts = [*next_texts]
    raise _TooManyEscapesError


@cache
def _make_secret_pattern(secret: str) -> re.Pattern[str]:
    # The pattern matches backslashes without backtracking, and a match never begins between two of
    # them. The part after the prefix is tried only where the prefix matches, which is then masked
    # in any case. Therefore, the time of a search is linear in the length of the text, even if the
    # text repeats a part of the secret.
    characters = [*map(_make_character_pattern, secret)]
    prefix = r"\0*+".join(characters[:MASKED_PREFIX_LENGTH])
    rest_pattern = "".join(rf"\0*+{character}" for character in characters[MASKED_PREFIX_LENGTH:])
    return re.compile(rf"(?<!\\){prefix}" + (f"(?:{rest_pattern})?" if rest_pattern else ""))


def _make_character_pattern(character: str) -> str:
    r"""Return a pattern for a character, plain or escaped with one or more backslashes."""
    code = ord(character)
    encodings = [f"%(?:25)*{code:02x}", f"&(?:amp;)*#(?:0*{code}|x0*{code:x});"]
    if code in codepoint2name:
        encodings.append(f"&(?:amp;)*{codepoint2name[code]};")
    if character == "\\":
        return rf"(?:\\++(?i:u005c|x5c)?|(?i:{'|'.join(encodings)}))"
    encodings = [f"u00{code:02x}", f"x{code:02x}", *encodings]
    return rf"\\*+(?:{re.escape(character)}|(?i:{'|'.join(encodings)}))"

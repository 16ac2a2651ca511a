"""Addresses of files in object stores (`s3://…`), and their distinction from local paths."""

import errno
import os
import re
import sys
from ipaddress import IPv6Address
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self
from urllib.parse import unquote, urlsplit

from irjudge.errors import IrjudgeError

if TYPE_CHECKING:
    _LocalPath = Path
else:
    # base class of `Address`; `Path` itself can be subclassed only since Python 3.12
    _LocalPath = type(Path())

UNSUPPORTED_ADDRESS_MESSAGE = (
    "only runs and qrels in Parquet or Arrow IPC can be read from an address"
)
# schemes of `fsspec` whose addresses contain the data itself, or refer to another address
WRAPPER_SCHEMES = frozenset(
    "async_wrapper asynclocal asyncwrapper blockcache cached dask data dir filecache generic "
    "libarchive reference simplecache tar zip".split()
)
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]+(?:::[a-z0-9+.:-]*)?)://(.*)", re.IGNORECASE | re.DOTALL)
# `file:/…` with a single slash, which RFC 8089 allows
_FILE = re.compile(r"(file):/(?!/)(.*)", re.IGNORECASE | re.DOTALL)
# `data:` address, which contains the data after a comma (RFC 2397)
_DATA = re.compile(r"data:[^,]*,", re.IGNORECASE)
_MANGLED = re.compile(r"[a-z][a-z0-9+.-]+:[/\\].+", re.IGNORECASE)
# user name and password in an address; the password may contain `/`, `?` or `#`, contrary to RFC
# 3986
_ACCOUNT = re.compile(
    r"(?<=://)(?:[^/?#]*@|[^/?#:@\[]*:(?![0-9]*(?:/|\Z)|[0-9]+[?#]).*@)", re.DOTALL
)
_IPV6_HOST = re.compile(r"[^:]+://(?:[^/?#]*@)?\[([0-9a-f:.]+)", re.IGNORECASE)
_QUERY = re.compile(r"(?<=[^?#])[?#].*", re.DOTALL)
_CHARACTER = re.compile(r"%([0-9a-f]{2})|(.)", re.IGNORECASE | re.DOTALL)  # encoded or plain
# web address in a text; the groups omit the account and the query
_WEB_ADDRESS = re.compile(
    r"(https?://)(?:[^\s/?#'\"<>]*@)?([^\s?#'\"<>]*)(?:[?#][^\s'\"<>]*)?", re.IGNORECASE
)
_QUERY_PAIR = re.compile(r"\?[\w.%-]+=")

# schemes whose addresses contain the name of a host after `://`
HOST_SCHEMES = frozenset(("http", "https", "ftp", "sftp", "ssh", "smb", "webhdfs"))
MAX_SHOWN_CHARACTERS = 100  # maximum number of characters of an address with data in messages
# messages hide passwords and queries that have at least this number of characters
MIN_SECRET, MIN_QUERY_SECRET = 3, 6
_OPTION_NAME = re.compile(r"\A-[\w-]++=")
_WINDOWS_PATH = re.compile(r"[A-Za-z]:[\\/]")
_KNOWN_SCHEME = rf"(?<![\w+.-])(?i:{'|'.join(sorted(HOST_SCHEMES))}|s3|gs|abfs|hdfs)\s?:"
# pattern of the beginning of an address whose colon or slashes may be wrong or missing
_TYPED_SCHEME = re.compile(
    r"(?<![\w+.-])[A-Za-z][\w+.-]{0,30}\s?"
    r"(?:[:;]?[/\\]{2,3}|[:;][/\\]|:(?=[^:@]{0,200}:[^@]{0,200}(?:@|＠|%40)))"
    rf"|{_KNOWN_SCHEME}(?=[^\s?#]{{0,200}}[?#])"
)
# pattern of a scheme or of two values in a connection string; file names rarely match it
_ADDRESS_LIKE = re.compile(
    rf"[\w+.-]\s?[:;][/\\]|{_KNOWN_SCHEME}|\w=[^=]{{0,200}}[\s;]\w{{1,30}}\s?=", re.ASCII
)
_AT_SIGNS = ("@", "＠", "%40")
_TYPED_PORT = re.compile(r"(?!\[)[^/\\:\s]*:(?!\d{1,5}(?:[/?#]|$))([^/\s?#]+)")
_TYPED_QUERY = re.compile(r"[?#](\S+)")
_QUOTES = "<>()\"“”'‘’"  # characters that may follow an address
_TYPED_PASSWORD = re.compile(
    r"(?i:password|passwrd|passwd|pwd|accountkey)\s*=\s*(?:'([^']+)'?|([^'\s&;]+))"
)
# placeholders used instead of a password if the user name is a token
_TOKEN_PASSWORDS = ("", "x", "x-oauth-basic")


class Address(_LocalPath):
    """Address of a file, folder or pattern in a store, usable as the path of runs or qrels.

    Examples are addresses that begin with `https://` or `s3://`. Only Parquet and Arrow IPC
    files can be read, with `ColumnFile.open`. `url` is the text that the user gave, in which
    repeated slashes and dots are preserved, unlike in a path. `str` omits the user name, the
    password and the query. Like a path, an address has a name, which is used as the name of a
    run. `exists` and `is_file` always return False, and `open` raises FileNotFoundError.
    """

    __slots__ = ("url",)
    url: str

    def __new__(cls, url: str) -> Self:
        """Create an address without checking the URL; `parse_location` checks it."""
        self = super().__new__(cls, _remove_own_secrets(url))
        self.url = url
        return self

    def __init__(self, url: str) -> None:
        if sys.version_info >= (3, 12):
            super().__init__(_remove_own_secrets(url))

    def __str__(self) -> str:
        """Return the address without account, password and query, which may be secret."""
        return _remove_own_secrets(self.url)

    def __repr__(self) -> str:
        return f"Address({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Address) and other.url == self.url

    def __hash__(self) -> int:
        return hash(self.url)

    def __reduce__(self) -> tuple[Any, ...]:
        return Address, (self.url,)

    def with_segments(self, *segments: Any) -> Path:
        """Return a `Path`; the base class calls this method to derive a path, such as a parent."""
        return Path(*segments)

    @property
    def parent(self) -> Path:  # type: ignore[override]
        """Parent folder as a `Path` object; only its name is meaningful."""
        return Path(str(self)).parent

    def resolve(self, strict: bool = False) -> Self:  # noqa: ARG002 -- as `Path` has it
        """Return the address itself."""
        return self

    def stat(self, *_: Any, **__: Any) -> NoReturn:
        """Raise FileNotFoundError, so that methods such as `exists` and `is_file` return False."""
        raise FileNotFoundError(errno.ENOENT, UNSUPPORTED_ADDRESS_MESSAGE, str(self))

    def open(self, *_: Any, **__: Any) -> NoReturn:
        """Raise FileNotFoundError, since only `ColumnFile.open` reads addresses."""
        raise FileNotFoundError(errno.ENOENT, UNSUPPORTED_ADDRESS_MESSAGE, str(self))


def _list_secrets(url: str) -> list[str]:
    """Return the secret parts of an address: its user name and password, and its query."""
    account = _ACCOUNT.search(url)
    return [part for part in (account[0] if account else "", _find_query(url)) if part]


def _find_query(url: str) -> str:
    """Return the query and the fragment of an address, with the `?` or `#` before them."""
    # In other addresses, `?` may be a wildcard.
    if not url.lower().startswith(("http", "jlab", "jupyter")) and not _QUERY_PAIR.search(url):
        return ""
    account = _ACCOUNT.search(url)
    query = _QUERY.search(url, account.end() if account else 0)
    return query[0] if query else ""


def _remove_own_secrets(url: str) -> str:
    return remove_secrets(url, url)


def remove_secrets(text: str, url: str) -> str:
    """Return a text, such as an error message of a store, without the secret parts of an address.

    The account and the query of other web addresses are removed too, since the server may have
    redirected a request to an address with a signature.

    >>> remove_secrets("no host me:pw@h", "https://me:pw@h/a.parquet?signature=x")
    'no host h'
    >>> remove_secrets("abfs://c@h/x?sig=1 is not there", "abfs://c@h/x?sig=1")
    'abfs://h/x is not there'
    """
    for secret in _list_secrets(url):
        text = replace_in_any_case(text, secret, "")
    return _WEB_ADDRESS.sub(r"\1\2", text)


def replace_in_any_case(text: str, secret: str, replacement: str) -> str:
    """Replace all occurrences of a secret in a text, ignoring case and percent-encoding.

    Case is ignored because a mistyped address may contain a password in the position of the host,
    and HTTP libraries convert the host to lower case. They also encode and decode characters.

    >>> replace_in_any_case("cannot find host sesame", "Sesame", "…")
    'cannot find host …'
    >>> replace_in_any_case("403, url=h/a?key=AK/sesame%3D", "key=AK%2Fsesame=", "…")
    '403, url=h/a?…'
    """
    text = re.sub(re.escape(secret), lambda _: replacement, text, flags=re.IGNORECASE)
    (decoded_secret, _), (decoded_text, positions) = map(_decode_characters, (secret, text))
    parts, end = [], 0
    begin = decoded_text.find(decoded_secret)
    while begin >= 0:
        parts += [text[end : positions[begin]], replacement]
        end = positions[begin + len(decoded_secret)]
        begin = decoded_text.find(decoded_secret, begin + len(decoded_secret))
    return "".join([*parts, text[end:]])


def _decode_characters(text: str) -> tuple[bytes, list[int]]:
    """Return a text in lower case without percent-encoding, with the position of each byte.

    `+` may be an encoded space. The last position is the length of the text.
    """
    decoded_text, positions = bytearray(), []
    for match in _CHARACTER.finditer(text):
        code, character = match.groups()
        decoded = bytes.fromhex(code) if code else character.encode("utf-8", "surrogatepass")
        decoded_text += decoded.lower().replace(b"+", b" ")
        positions += [match.start()] * len(decoded)
    return bytes(decoded_text), [*positions, len(text)]


def list_typed_secrets(argument: str) -> list[str]:
    """Return the parts of a command's argument that may be passwords, longest first.

    The argument may be an address that is mistyped in any way, or a connection string. The parts
    are returned as typed, and without percent-encoding. Short parts are omitted, since they may be
    ordinary words of a message.

    >>> list_typed_secrets("postgresql://me:sesame/db"), list_typed_secrets("https//me:se/same@h")
    (['sesame'], ['se/same', 'same'])
    >>> list_typed_secrets("tls://node7:8786"), list_typed_secrets("s3://b/a.run?token=sesame")
    ([], ['token=sesame', 'sesame'])
    >>> list_typed_secrets("https://h/pkg@1/a.run"), list_typed_secrets("https://sesame@h/a.run")
    ([], ['sesame'])
    >>> list_typed_secrets("me:sesame@h:1"), list_typed_secrets("host=h password=sesame")
    (['sesame'], ['sesame'])
    >>> list_typed_secrets("https:h/a.run?token=sesame"), list_typed_secrets("runs:document=page")
    (['token=sesame', 'sesame'], [])
    >>> list_typed_secrets("<https ://h/a?token=sesame>"), list_typed_secrets("https;//sesame:x@h/")
    (['token=sesame', 'sesame'], ['sesame'])
    >>> list_typed_secrets("me:sesame//word@h/db"), list_typed_secrets("h/a?token=sesame")
    (['sesame//word', 'sesame', 'word'], ['token=sesame', 'sesame'])
    """
    text = _OPTION_NAME.sub("", argument)
    parts = _find_secret_parts(text) | _find_secret_parts(unquote(text))
    return sorted(parts, key=lambda part: (-len(part), part))


def _find_secret_parts(text: str) -> set[str]:
    secrets = [quoted or word for quoted, word in _TYPED_PASSWORD.findall(text)]
    is_windows_path = _WINDOWS_PATH.match(text) is not None
    scheme = None if is_windows_path else _TYPED_SCHEME.search(text)
    rest = text[scheme.end() :] if scheme else text
    if not is_windows_path:
        secrets += _list_account_secrets(rest, has_scheme=scheme is not None)
    # what looks like a scheme may be the user's name or a part of the password
    if scheme and (":" in text[: scheme.start()] or scheme[0].endswith(":")):
        secrets += _list_account_secrets(text, has_scheme=False)
    parts = [part for secret in secrets for part in (secret, *re.split(r"[/@:?#\[\]]", secret))]
    secret_parts = {part for part in parts if len(part) >= MIN_SECRET and not part.isspace()}
    if (scheme or _QUERY_PAIR.search(rest)) and (match := _TYPED_QUERY.search(rest)):
        query = match[1].rstrip(_QUOTES)
        values = (pair.rpartition("=")[2] for pair in query.split("&"))
        secret_parts |= {part for part in (query, *values) if len(part) >= MIN_QUERY_SECRET}
    return secret_parts


def _list_account_secrets(text: str, *, has_scheme: bool) -> list[str]:
    """Return the password before the last `@` of an address without its scheme.

    A user name without a password may be a token.
    """
    account, at_sign, _ = text.rpartition(max(_AT_SIGNS, key=text.rfind))
    user, _, password = account.partition(":")
    if password.lower() not in _TOKEN_PASSWORDS:
        return [password]
    if not has_scheme:
        return []
    if at_sign:
        return [user] if "/" not in user else []  # otherwise, the `@` is part of a path
    port = _TYPED_PORT.match(text)
    return [port[1]] if port else []


def is_mistyped_address(text: str) -> bool:
    """Return whether a text is a mistyped address or connection string that contains a secret.

    A file name may contain a colon, a number sign or an equals sign.

    >>> is_mistyped_address("https:h/a.run?token=sesame"), is_mistyped_address("me:sesame@h")
    (True, True)
    >>> is_mistyped_address("v1:notes#chapter1.csv"), is_mistyped_address("pwd=abc.csv")
    (False, False)
    """
    before_at = max((text.rpartition(sign)[0] for sign in _AT_SIGNS), key=len)
    is_address_like = ":" in before_at or _ADDRESS_LIKE.search(text) is not None
    return is_address_like and bool(list_typed_secrets(text))


def parse_location(text: str) -> Path:
    """Convert the text of a location to a local path or an `Address`.

    `file:` addresses are paths on this computer, percent-encoded as in RFC 8089.

    Raises
    ------
    IrjudgeError
        If a `file:` address names another computer, if the scheme only wraps another address (as
        `zip` does), or if an address of a web server has no valid host.

    Examples
    --------
    >>> parse_location("file:///runs/a%20b.run").as_posix(), parse_location("s3://runs/a").name
    ('/runs/a b.run', 'a')
    """
    if match := _FILE.fullmatch(text):
        return _decode_path(text, match[2])
    match = _ADDRESS.fullmatch(text)
    if _DATA.match(text) and not os.path.lexists(text):
        raise _make_wrapper_error(text, "data")
    if not match:
        if _is_mangled(Path(text)) and _list_secrets(_restore_slash(text)):
            raise IrjudgeError(
                "{address} is not a file; if it is an address, two slashes must follow the colon.",
                address=_mask_mangled_address(text),
            )
        return Path(text)
    scheme, address = match[1].lower(), match[2]
    if scheme in ("file", "local"):
        return _to_local_path(text, address)
    if scheme in WRAPPER_SCHEMES or "::" in scheme:
        raise _make_wrapper_error(text, scheme)
    if "::" in expand_ipv6_host(text):
        raise IrjudgeError(
            "Cannot read {address}, because “::” occurs in it; rename the file or folder.",
            address=_remove_own_secrets(text),
        )
    if not _has_valid_host(scheme, text):
        # the message omits the address, since any part of the address may contain a password
        raise IrjudgeError(
            "The {scheme} address has no valid host; expected {scheme}://HOST/PATH.", scheme=scheme
        )
    return Address(scheme + text[len(scheme) :])


def _make_wrapper_error(text: str, scheme: str) -> IrjudgeError:
    """Return the error for an address that contains data or another address."""
    address = _remove_own_secrets(text)
    is_long = len(address) > MAX_SHOWN_CHARACTERS
    return IrjudgeError(
        "Cannot read {address}: {scheme} is not a storage protocol. Give the address of "
        "the file itself, such as s3://bucket/a.parquet.",
        address=f"{address[:MAX_SHOWN_CHARACTERS]}…" if is_long else address,
        scheme=scheme,
    )


def expand_ipv6_host(url: str) -> str:
    """Return an address with all digits of an IPv6 host, since fsspec would split it at `::`.

    >>> expand_ipv6_host("http://[2001:db8::1]:8000/a"), expand_ipv6_host("s3://b/a")
    ('http://[2001:0db8:0000:0000:0000:0000:0000:0001]:8000/a', 's3://b/a')
    """
    match = _IPV6_HOST.match(url)
    try:
        return (
            f"{url[: match.start(1)]}{IPv6Address(match[1]).exploded}{url[match.end(1) :]}"
            if match
            else url
        )
    except ValueError:  # not an IPv6 address
        return url


def replace_name(address: Address, name: str) -> Address:
    """Return the address of another file in the same folder, with the same account and query."""
    query = _find_query(address.url)
    folder = address.url.removesuffix(query).rpartition("/")[0]
    return Address(f"{folder}/{name}{query}")


def replace_path(address: Address, path: str) -> str:
    """Return an address with another path, but the same account and host."""
    account = _ACCOUNT.search(address.url)
    begin = account.end() if account else address.url.index("://") + 3
    return address.url[:begin] + address.url[begin:].partition("/")[0] + path


def _has_valid_host(scheme: str, url: str) -> bool:
    from irjudge.http_client import is_host  # noqa: PLC0415 -- needed only for addresses

    try:
        urlsplit(url)  # raises ValueError for brackets in a password, which fsspec would print
        if scheme not in HOST_SCHEMES:
            return True
        parts = urlsplit(_remove_own_secrets(url))
        is_valid_port = parts.port is None or parts.port >= 0
    except ValueError:  # the port is invalid, or a character is equivalent to `@` or `/`
        return False
    host = parts.hostname or ""
    return is_valid_port and (is_host(host) if scheme in ("http", "https") else bool(host))


def _to_local_path(text: str, address: str) -> Path:
    host, slash, path = address.partition("/")
    if not slash or host.lower() not in ("", "localhost"):
        shown_address = _remove_own_secrets(text)
        raise IrjudgeError(
            "{address} refers to the computer {host}; a file on this computer is written as "
            "file:///folder/name, with three slashes and the full path.",
            address=shown_address,
            host=shown_address.partition("://")[2].partition("/")[0],
        )
    return _decode_path(text, path)


def _decode_path(text: str, path: str) -> Path:
    if os.name == "nt":
        from urllib.request import url2pathname  # noqa: PLC0415 -- takes 20 ms, and few paths are file: addresses

        local_path = url2pathname(f"/{path}")
    else:  # names of files are bytes, which need not be UTF-8
        local_path = unquote(f"/{path}", sys.getfilesystemencoding(), "surrogateescape")
    if "\0" in local_path:
        raise IrjudgeError(
            "{address} is not a file name: it contains a zero byte.",
            address=_remove_own_secrets(text),
        )
    return Path(local_path)


def to_location(location: Path | str) -> Path:
    """Convert an argument of the Python API to a local path or an `Address`.

    Raises
    ------
    IrjudgeError
        If the address is invalid, or was passed as a `Path`, which removes one of its slashes.
    """
    if isinstance(location, str):
        return parse_location(location)
    if not isinstance(location, Address) and _is_mangled(location):
        raise IrjudgeError(
            "{path} is an address; pass it as a string, because a Path object would change it.",
            path=_mask_mangled_address(str(location)),
        )
    return location


def _is_mangled(path: Path) -> bool:
    """Return whether a path does not exist and looks like an address that lost a slash."""
    return _MANGLED.fullmatch(str(path)) is not None and not os.path.lexists(path)


def _restore_slash(text: str) -> str:
    """Restore the slash that an address lost when it was converted to a path."""
    scheme, _, address = text.partition(":")
    return scheme + "://" + address.lstrip("/\\")


def _mask_mangled_address(text: str) -> str:
    """Remove the secret parts from an address that was converted to a path."""
    return _remove_own_secrets(_restore_slash(text)).replace("://", ":/", 1)

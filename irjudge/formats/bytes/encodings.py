"""Bytes in any encoding as a stream of UTF-8, so that readers know one encoding only; what was taken is said."""

import codecs
import io
import re

from irjudge.errors import IrjudgeError
from irjudge.formats.remarks import Oddity, Remarks
from irjudge.message import Message

CHUNK = 64 * 1024
SAMPLE = 64 * 1024

# What is looked for. Of those that fit equally well the first is taken: a short text fits several.
CANDIDATES = tuple(
    "cp1252 gb18030 big5hkscs cp932 euc_jp cp949 cp1250 cp1251 koi8_r cp1253 cp1254 cp1255 cp1256 cp1257 cp874".split()
)
# What people call by the narrow name is nearly always written in the wide one.
WIDER = {
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "big5hkscs",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
SHOWN = {
    "gb18030": "GB18030",
    "big5hkscs": "Big5",
    "cp932": "Shift-JIS",
    "euc_jp": "EUC-JP",
    "koi8-r": "KOI8-R",
    "koi8_r": "KOI8-R",
}

MARKS = (  # the longer first: a mark of UTF-32 begins as one of UTF-16 does
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

SAID = Message("as was said")
# Text that is not ASCII with a little in front of it. No encoding uses bytes below 0x30 inside a character, so none is cut.
WORDS = re.compile(rb"[\x20-\x7e]{0,20}[\x80-\xff][\x30-\xff]*+")
LONGEST_CHARACTER = 4
LONGEST_DECLARATION = 4096
DECLARED = re.compile(
    rb"""<(?:meta|\?xml)\s[^<>]*?(?:charset|encoding)\s*+=\s*+["']?\s*+([A-Za-z][\w.:-]*+)""",
    re.IGNORECASE,
)

HALF = "\udfff"  # stands for a broken byte while bytes are counted; no decoder yields it


def _mark_broken(fault: UnicodeError) -> tuple[str, int]:
    if not isinstance(fault, UnicodeDecodeError):
        raise fault
    return HALF * (fault.end - fault.start), fault.end


codecs.register_error("irjudge.broken", _mark_broken)


class _AsUtf8(io.RawIOBase):
    """Another stream's text as UTF-8.

    Pieces are given as they are while they are ASCII. The first bytes that are not decide: valid UTF-8 is never touched
    again, else what is detected is decoded from there on; both take no more memory than a few pieces.
    """

    def __init__(
        self, source: io.BufferedReader, name: str, remarks: Remarks, encoding: str | None
    ) -> None:
        self._source, self._name, self._remarks, self._named = source, name, remarks, encoding
        self._ready = memoryview(b"")
        self._plain, self._ended = False, False
        self._decoder: codecs.IncrementalDecoder | None = None
        self._shown = ""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fill the buffer as far as the source goes, so that one look at the head sees all of it."""
        view, filled = memoryview(buffer), 0
        while filled < len(view) and self._filled():
            piece = self._ready[: len(view) - filled]
            view[filled : filled + len(piece)] = piece
            self._ready = self._ready[len(piece) :]
            filled += len(piece)
        return filled

    def _filled(self) -> bool:
        while not self._ready and not self._ended:
            self._ready = memoryview(self._next())
        return bool(self._ready)

    def _next(self) -> bytes:
        raw = self._source.read(CHUNK)
        if not self._plain and not self._decoder and raw:
            raw = self._begun(raw)
        self._ended = not raw
        return self._decoded(raw) if self._decoder else raw

    def _begun(self, raw: bytes) -> bytes:
        """Decide what the text is in as soon as that can be told, and return what was read for it."""
        if self._named:
            self._take(self._named, raw, SAID if self._named != "utf-8" else "")
        elif b"\0" in raw or not raw.isascii():
            raw += self._source.read(SAMPLE)
            self._decide(raw, ended=len(raw) < SAMPLE)
        return raw

    def _decide(self, raw: bytes, *, ended: bool) -> None:
        if mark := next((encoding for mark, encoding in MARKS if raw.startswith(mark)), None):
            self._take(mark, raw, Message("by its mark", key="by-mark"))
        elif encoding := _without_mark(raw):
            self._take(encoding, raw, "detected")
        elif is_utf8(raw, ended=ended):
            self._plain = not raw.isascii()
        elif encoding := declared(raw):
            self._take(encoding, raw, Message("as it declares", key="declared"))
        elif encoding := detected(raw, ended=ended):
            self._take(encoding, raw, "detected")
        else:
            self._plain = True  # the reader names the line

    def _take(self, encoding: str, raw: bytes, how: str) -> None:
        marked = any(raw.startswith(mark) for mark, _ in MARKS)
        codec = f"{encoding}-le" if encoding in ("utf-16", "utf-32") and not marked else encoding
        self._decoder = codecs.getincrementaldecoder(codec)("irjudge.broken")
        self._shown = SHOWN.get(
            encoding, encoding.upper() if encoding.startswith("utf") else encoding
        )
        if how:
            self._remarks.add(_read_as(self._shown, how), self._name)

    def _decoded(self, raw: bytes) -> bytes:
        text = self._decoder.decode(raw, final=not raw) if self._decoder else ""
        if broken := text.count(HALF):
            self._remarks.add(_broken_bytes(self._shown), self._name, broken)
            text = text.replace(HALF, "\N{REPLACEMENT CHARACTER}")
        return text.encode("utf-8", "replace")  # UTF-7 and its like may hold half characters


def as_utf8(
    stream: io.BufferedReader, name: str, remarks: Remarks, encoding: str | None = None
) -> io.BufferedReader:
    """Return a stream of the same text in UTF-8."""
    named = known_encoding(encoding) if encoding else None
    return io.BufferedReader(_AsUtf8(stream, name, remarks, named), 2 * CHUNK)


def known_encoding(name: str) -> str:
    """Return Python's name of an encoding that a user names.

    >>> known_encoding("Shift-JIS"), known_encoding("UTF8"), known_encoding("gbk")
    ('cp932', 'utf-8', 'gb18030')
    """
    try:
        codec = codecs.lookup(name.strip())
        "a".encode(
            codec.name
        )  # codecs from bytes to bytes are refused here, those that cannot go on at broken bytes in the next line
        codecs.getincrementaldecoder(codec.name)("irjudge.broken").decode(b"a")
    except (LookupError, ValueError):
        raise IrjudgeError(
            'There is no encoding "{name}", expected a name like utf-8, utf-16, cp1252, gb18030, big5 or shift-jis.',
            key="unknown-encoding",
            name=name,
        ) from None
    return WIDER.get(codec.name, codec.name)


def is_utf8(raw: bytes, *, ended: bool = True) -> bool:
    """Tell whether bytes are UTF-8, or were and have a few broken places; when more follows, the last character may be cut off."""
    decoder = codecs.getincrementaldecoder("utf-8")("ignore")
    text = decoder.decode(raw, ended)
    sound, cut = len(text.encode()), len(decoder.getstate()[0])
    broken = len(raw) - cut - sound
    return not broken or sound - len(text) > 20 * broken


def declared(raw: bytes) -> str | None:
    """Return the encoding that HTML or XML says it is in, if that is so.

    >>> declared('<meta charset="gb2312">\u5929'.encode("gb18030"))
    'gb18030'
    """
    if not (said := DECLARED.search(raw[:LONGEST_DECLARATION])):
        return None
    try:
        name = known_encoding(said[1].decode())
    except IrjudgeError:
        return None
    if name.startswith("utf"):  # the declaration is read in ASCII
        return None
    encoding = "cp1252" if name == "iso8859-1" else name  # as all browsers have it
    text = codecs.getincrementaldecoder(encoding)("irjudge.broken").decode(raw)
    return encoding if 100 * text.count(HALF) <= len(text) else None


def detected(raw: bytes, *, ended: bool = True) -> str | None:
    """Return the encoding that fits text that is not UTF-8; None when none does. When more follows, the last word may be cut off."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 -- 15 ms, and most text is UTF-8

    words = WORDS.findall(raw)
    sample = b"\n".join(words if ended or len(words) == 1 else words[:-1])
    cuts = range(
        1 if ended or len(words) > 1 else LONGEST_CHARACTER
    )  # one word without end: try where its last character may begin
    tried = [
        list(from_bytes(sample[: len(sample) - cut], cp_isolation=list(CANDIDATES))) for cut in cuts
    ]
    matches = min(filter(None, tried), key=lambda found: found[0].chaos, default=[])
    best = [
        match
        for match in matches
        if (match.chaos, match.coherence) == (matches[0].chaos, matches[0].coherence)
    ]
    fitting = {encoding for match in best for encoding in match.could_be_from_charset}
    return next((encoding for encoding in CANDIDATES if encoding in fitting), None)


def _without_mark(raw: bytes) -> str | None:
    """Return UTF-16 when zero bytes stand at every second place or nearly so, as Latin letters, digits and blanks make them."""
    zeros, odd = raw.count(b"\0"), raw[1::2].count(b"\0")
    if zeros < 4 or zeros * 50 < len(raw) or 0.1 * zeros < odd < 0.9 * zeros:
        return None
    return "utf-16-le" if odd > zeros / 2 else "utf-16-be"


def _read_as(shown: str, how: str) -> Oddity:
    other = "" if how == SAID else Message("; name another with --encoding")
    return Oddity(
        "{first}: read as {encoding} ({how}){other}.",
        "{count} files were read as {encoding} ({how}), beginning with {first}{other}.",
        (("encoding", shown), ("how", how), ("other", other)),
        key="read-as",
    )


def _broken_bytes(shown: str) -> Oddity:
    return Oddity(
        "1 byte is not {encoding} and shows as \ufffd, in {first}.",
        "{count} bytes are not {encoding} and show as \ufffd, first in {first}.",
        (("encoding", shown),),
        key="broken-bytes",
    )

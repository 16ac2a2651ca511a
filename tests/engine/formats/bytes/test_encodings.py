"""Tests of text encodings: converted to UTF-8, with the encoding reported."""

import io
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from irjudge.errors import IrjudgeError
from irjudge.formats import ReaderWarnings
from irjudge.formats.bytes import parse_encoding, to_utf8_stream
from irjudge.formats.bytes.files import AS_NAMED, CHUNK_BYTES, SAMPLE_BYTES
from irjudge.message import Message
from tests.messages import keys_and_values, keys_inside

CHINESE = "今天天气很好，我们去公园散步。图书馆里有很多人在读书。"
JAPANESE = "これは日本語の文章です。図書館で本を読みます。カタカナもあります。"
READ_AS = "first", "encoding", "how"
FRENCH = "Le café est fermé à midi ; l'été, la forêt est très fréquentée.\n"


def read(
    raw: bytes, encoding: str | None = None, pieces: int = 0
) -> tuple[str, tuple[Message, ...]]:
    warnings = ReaderWarnings()
    stream = to_utf8_stream(io.BufferedReader(io.BytesIO(raw), 16), "a.txt", warnings, encoding)
    text = b"".join(iter(lambda: stream.read(pieces), b"")) if pieces else stream.read()
    return text.decode("utf-8", "surrogateescape"), warnings.sentences()


@pytest.mark.slow
@given(st.text(), st.integers(1, 9))
def test_utf8_is_unchanged_without_a_warning(text, pieces):
    assert read(text.encode(), pieces=pieces) == (text, ()) or "\0" in text


def test_a_character_at_the_end_of_the_sample_is_not_invalid():
    text = "é" + "a" * (CHUNK_BYTES + SAMPLE_BYTES - 3) + "文\n"
    assert read(text.encode()) == (text, ())


@pytest.mark.parametrize(
    ("text", "encoding", "shown"),
    [
        (CHINESE, "gb18030", "GB18030"),
        ("臺灣大學是一所大學，圖書館裡有很多人在讀書。", "big5", "Big5"),
        (JAPANESE, "shift_jis", "Shift-JIS"),
        (JAPANESE, "euc_jp", "EUC-JP"),
        (FRENCH, "cp1252", "cp1252"),
        ("“Quotes” – and 5 €", "cp1252", "cp1252"),
        (
            "Все люди рождаются свободными и равными в своем достоинстве и правах.",
            "cp1251",
            "cp1251",
        ),
    ],
)
def test_other_encodings_are_detected_and_reported(text, encoding, shown):
    out, messages = read(text.encode(encoding))
    assert out == text
    assert keys_and_values(messages, *READ_AS) == [("read-as", "a.txt", shown, "detected")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.parametrize("text", ["a\nb", CHINESE])
def test_a_byte_order_mark_determines_the_encoding(text, encoding):
    out, messages = read(text.encode(encoding))
    assert out == text
    assert keys_and_values(messages, "first", "encoding") == [
        ("read-as", "a.txt", encoding.upper())
    ]
    assert "by-mark" in keys_inside(messages[0]) and "--encoding" in messages[0]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_detected_by_its_zeros(encoding):
    text = '{"id": 1, "text": "' + CHINESE + '"}\n'
    assert read(text.encode(encoding))[0] == text
    assert read(text.encode(encoding), encoding)[0] == text
    assert read(b"a\0b") == ("a\0b", ())


def test_utf16_named_by_the_user_needs_no_mark():
    out, messages = read(CHINESE.encode("utf-16-le"), "utf-16")
    assert out == CHINESE
    assert keys_and_values(messages, *READ_AS) == [("read-as", "a.txt", "UTF-16", AS_NAMED)]
    assert "--encoding" not in messages[0]
    assert read(CHINESE.encode("utf-16"), "utf-16")[0] == CHINESE


def test_the_first_characters_beyond_ascii_determine_the_encoding():
    before = "plain letters\n" * 20_000
    text, messages = read((before + CHINESE).encode("gb18030"))
    assert text == before + CHINESE
    assert keys_and_values(messages, *READ_AS) == [("read-as", "a.txt", "GB18030", "detected")]


@pytest.mark.parametrize("between", ["", "\n"])
@pytest.mark.parametrize("shift", range(4))
def test_characters_across_two_pieces_stay_whole(shift, between):
    for encoding in ("utf-8", "gb18030"):
        text = (
            CHINESE + "x" * shift + (CHINESE + between) * (3 * CHUNK_BYTES // len(CHINESE.encode()))
        )
        assert read(text.encode(encoding))[0] == text
    late = "x" * (CHUNK_BYTES + SAMPLE_BYTES - shift) + CHINESE
    assert read(late.encode()) == (late, ())
    assert read(late.encode("gb18030"))[0] == late


def test_utf8_with_a_few_invalid_bytes_is_left_to_the_reader():
    text, messages = read((CHINESE * 10).encode() + b"\xff")
    assert (text, messages) == (CHINESE * 10 + "\udcff", ())


def test_a_named_encoding_is_used_and_invalid_bytes_are_counted():
    out, messages = read(CHINESE.encode("gbk") + b"\xff\n", "GBK")
    assert out == CHINESE + "\ufffd\n"
    assert keys_and_values(messages, *READ_AS, "count") == [
        ("read-as", "a.txt", "GB18030", AS_NAMED, ""),
        ("broken-bytes", "a.txt", "GB18030", "", ""),
    ]
    out, messages = read(b"a\xff\xfeb", "utf-8")
    assert out == "a\ufffd\ufffdb"
    assert keys_and_values(messages, *READ_AS, "count") == [
        ("broken-bytes", "a.txt", "UTF-8", "", "2")
    ]


def test_a_replacement_character_in_the_text_is_not_an_invalid_byte():
    assert read("a\ufffd".encode(), "utf-8") == ("a\ufffd", ())


@pytest.mark.parametrize(
    "page",
    ['<meta charset="{}"><p>', "<META http-equiv='Content-Type' content='text/html; charset={}'>"],
)
def test_the_declared_encoding_of_a_page_is_used(page):
    text = page.format("gb2312") + "天"
    out, messages = read(text.encode("gb2312"))
    assert out == text
    assert keys_and_values(messages, "first", "encoding") == [("read-as", "a.txt", "GB18030")]
    assert "declared" in keys_inside(messages[0])


def test_an_impossible_declared_encoding_is_ignored():
    text = '<meta charset="utf-16">' + FRENCH * 5
    out, messages = read(text.encode("cp1252"))
    assert out == text
    assert keys_and_values(messages, "first", "encoding") == [("read-as", "a.txt", "cp1252")]
    assert "declared" not in keys_inside(messages[0])
    text = '<meta charset="klingon">' + FRENCH * 5
    assert read(text.encode("cp1252"))[0] == text


@pytest.mark.parametrize("name", ["klingon", "base64", "rot13", "idna", "", "a\0b"])
def test_an_unknown_encoding_is_refused_with_examples(name):
    with pytest.raises(
        IrjudgeError,
        match="expected a name such as utf-8, utf-16, cp1252, gb18030, big5 or shift-jis",
    ):
        parse_encoding(name)


@given(
    st.binary(max_size=300),
    st.sampled_from(
        [None, "utf-8", "utf-16", "gbk", "shift-jis", "utf-7", "iso2022_jp", "cp1252", "big5"]
    ),
)
def test_any_bytes_are_decoded(raw, encoding):
    text, _ = read(raw, encoding)
    if encoding:
        text.encode()


@pytest.mark.slow
def test_a_large_file_in_another_encoding_takes_little_memory():
    class Endless(io.RawIOBase):
        left = 200

        def readable(self):
            return True

        def readinto(self, buffer):
            self.left -= 1
            raw = (
                (CHINESE.encode("gb18030") * (len(buffer) // 50))[: len(buffer) // 2 * 2]
                if self.left > 0
                else b""
            )
            buffer[: len(raw)] = raw
            return len(raw)

    stream = to_utf8_stream(io.BufferedReader(Endless(), CHUNK_BYTES), "a.txt", ReaderWarnings())
    tracemalloc.start()
    total = sum(len(piece) for piece in iter(lambda: stream.read(CHUNK_BYTES), b""))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert total > 10_000_000 > 4 * peak

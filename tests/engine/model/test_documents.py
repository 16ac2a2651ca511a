"""Tests of a document's text and digest."""

import unicodedata

import pytest

from irjudge.model import Document, natural_key, normalise_unicode


def test_the_text_is_utf8_and_an_image_has_none() -> None:
    assert Document("d", "é".encode()).text == "é" and Document("d", b"caf\xe9").text == "caf\ufffd"
    assert Document("d", b"words", "", "image").text == ""


def test_the_digest_covers_the_rendered_content_but_not_the_id() -> None:
    bodies = [
        Document("d", b"x"),
        Document("d", b"y"),
        Document("d", b"x", "t"),
        Document("d", b"x", "", "image"),
        Document("d", b"x", "", "html"),
    ]
    assert len({each.digest for each in bodies}) == len(bodies)
    assert Document("other", b"x").digest == bodies[0].digest


def test_any_ids_are_sorted_by_the_numbers_in_them() -> None:
    ids = ["d184", "d29", "31", "", "d29a", "a-9-b", "a-10-b", "d029", "9" * 5000, "é٣"]
    assert sorted(ids, key=natural_key) == sorted([*ids[3:], *ids[:3]], key=natural_key)
    numbered = sorted(["184", "29", "31", "1000", "9"], key=natural_key)
    assert numbered == ["9", "29", "31", "184", "1000"]
    assert sorted(["a-10-b", "a-9-b", "a-9"], key=natural_key) == ["a-9", "a-9-b", "a-10-b"]
    assert len({natural_key(id) for id in ids}) == len(ids), "different ids differ"


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
@pytest.mark.parametrize("marks", ["\u0301\u0316", "\u0344\u0316", "\uff9e\u0301", "\u0f73\u0316"])
def test_long_runs_of_marks_are_cut_before_they_are_sorted(form: str, marks: str) -> None:
    """Python sorts a run of marks in quadratic time: 400 KB took half a minute."""
    normal_form = normalise_unicode(form, f"a{marks * 50_000}b")  # type: ignore[arg-type]
    assert normal_form[-1] == "b" and len(normal_form) < 70
    short_text = f"é{marks * 15}b – 日本語"
    assert normalise_unicode(form, short_text) == unicodedata.normalize(form, short_text)  # type: ignore[arg-type]

"""A document's text and its digest."""

from irjudge.model import Document


def test_the_text_is_utf8_and_an_image_has_none() -> None:
    assert Document("d", "é".encode()).text == "é" and Document("d", b"caf\xe9").text == "caf\ufffd"
    assert Document("d", b"words", "", "image").text == ""


def test_the_digest_covers_all_that_is_painted_and_not_the_id() -> None:
    bodies = [
        Document("d", b"x"),
        Document("d", b"y"),
        Document("d", b"x", "t"),
        Document("d", b"x", "", "image"),
        Document("d", b"x", "", "html"),
    ]
    assert len({each.digest for each in bodies}) == len(bodies)
    assert Document("other", b"x").digest == bodies[0].digest

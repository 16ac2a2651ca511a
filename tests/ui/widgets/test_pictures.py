"""Tests of images in documents: five formats, fitted to the page, decompression bombs refused."""

import struct
import zlib

import pytest
from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from irjudge_ui.widgets import DocumentPicture, DocumentView, read_address, read_picture


def encode_image(width: int, height: int, form: str = "PNG", colour: str = "#ff0000") -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, form)  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def make_png_header(width: int, height: int) -> bytes:
    """Return a PNG of a few bytes whose header has the given size."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


@pytest.fixture
def view(qtbot: QtBot) -> DocumentView:
    made = DocumentView()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.mark.parametrize("form", ["PNG", "JPG", "BMP", "WEBP"])
def test_images_of_all_formats_are_read(form: str) -> None:
    picture = read_picture(encode_image(30, 20, form))
    assert (picture.width, picture.height, picture.image.width(), picture.problem) == (
        30,
        20,
        30,
        "",
    )


def test_a_gif_is_read() -> None:
    gif = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"
    assert (read_picture(gif).width, read_picture(gif).problem) == (1, "")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"words",
        encode_image(30, 20)[:50],
        b"BM",
        b"<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
    ],
)
def test_damaged_images_and_other_data_are_reported_as_damaged(data: bytes) -> None:
    assert read_picture(data).problem == "damaged"


def test_decoding_of_a_bomb_is_not_started() -> None:
    bomb = read_picture(make_png_header(100_000, 100_000))
    assert (bomb.width, bomb.height, bomb.problem, bomb.image.isNull()) == (
        100_000,
        100_000,
        "large",
        True,
    )
    assert read_picture(make_png_header(8000, 8001)).problem == "large"


def test_a_large_image_is_reduced_and_keeps_its_original_size_as_text() -> None:
    picture = read_picture(encode_image(4000, 3000, "JPG"))
    assert (picture.width, picture.height) == (4000, 3000) and picture.image.width() <= 2400


def test_transparent_pixels_are_filled_with_white() -> None:
    image = QImage(2, 2, QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    assert read_picture(bytes(buffer.data().data())).image.pixelColor(0, 0) == QColor("#ffffff")


@pytest.mark.parametrize(
    "address", ["data:image/png;base64,!!!", "data:image/png;base64,AAA", "data:", ""]
)
def test_an_address_without_an_image_is_damaged(address: str) -> None:
    assert read_address(address).problem == "damaged"


def show(
    view: DocumentView, picture: DocumentPicture, html: str = "<p><img src='irjudge-picture:0'></p>"
) -> None:
    view.show_slices([html], pictures={"irjudge-picture:0": picture})


def red_width(view: DocumentView) -> int:
    """Return the width of the image's red area on screen."""
    line = view.grab().toImage()
    return sum(line.pixelColor(x, 12) == QColor("#ff0000") for x in range(line.width()))


def test_an_image_is_shrunk_to_the_page_and_never_enlarged(
    view: DocumentView, qtbot: QtBot
) -> None:
    show(view, read_picture(encode_image(1000, 500)))
    qtbot.waitUntil(lambda: 480 <= red_width(view) <= 500)
    view.resize(300, 400)
    qtbot.waitUntil(lambda: 280 <= red_width(view) <= 300)
    view.resize(700, 400)
    qtbot.waitUntil(lambda: 680 <= red_width(view) <= 700)
    show(view, read_picture(encode_image(100, 50)))
    assert red_width(view) == 100


def test_an_image_keeps_its_aspect_ratio_also_in_a_list_and_in_a_later_slice(
    view: DocumentView, qtbot: QtBot
) -> None:
    picture = read_picture(encode_image(1000, 500))
    view.show_slices(["<p>x</p>"], has_more=True)
    view.add_slices(
        ["<ul><li><img src='irjudge-picture:7'></li></ul>"], pictures={"irjudge-picture:7": picture}
    )
    qtbot.waitUntil(lambda: view.complete)
    cursor = view.textCursor()
    cursor.setPosition(3)
    form = cursor.charFormat().toImageFormat()
    assert 400 <= form.width() <= 460 and form.height() == round(form.width() / 2)


def test_an_unknown_image_shows_nothing(view: DocumentView) -> None:
    view.show_slices(["<p><img src='irjudge-picture:0'></p>"])
    assert red_width(view) == 0

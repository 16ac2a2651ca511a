"""Pictures of documents: safe decoding of untrusted data, and scaling to the page."""

import base64
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt, QUrl
from PySide6.QtGui import QColor, QImage, QImageReader, QPainter, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from irjudge_ui.widgets.text_marks import make_cursor

MAX_PIXELS = 64_000_000  # maximum pixels of a picture; a small file can declare a huge picture
MAX_STORED_PIXELS = 8_000_000
MAX_STORED_WIDTH = 2400
MIN_PICTURE_WIDTH, MIN_PICTURE_HEIGHT = 40, 200
LIST_INDENT = 40
PICTURE_CHARACTER = "\ufffc"  # character that Qt uses for a picture in a text

SIGNATURES: tuple[tuple[bytes, bytes], ...] = (
    (b"\x89PNG\r\n\x1a\n", b"png"),
    (b"\xff\xd8\xff", b"jpeg"),
    (b"GIF87a", b"gif"),
    (b"GIF89a", b"gif"),
    (b"BM", b"bmp"),
)


@dataclass(frozen=True, slots=True)
class DocumentPicture:
    """Decoded picture of a document, possibly downscaled.

    `width` and `height` are those of the original picture, 0 if they are not known; `image` is
    null if the picture cannot be shown. `problem` is a code for the reason (`damaged`, or
    `large` for too many pixels); empty if the picture can be shown.
    """

    width: int = 0
    height: int = 0
    image: QImage = field(default_factory=QImage)
    problem: Literal["", "damaged", "large"] = ""


def read_picture(data: bytes) -> DocumentPicture:
    """Decode a PNG, JPEG, GIF, WebP or BMP image; downscale large, reject huge images."""
    image_format = _image_format(data)
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer, QByteArray(image_format))
    reader.setAutoDetectImageFormat(False)  # Qt can also read other formats, which are rejected
    reader.setAutoTransform(True)
    size = reader.size()
    if not image_format or size.isEmpty():
        return DocumentPicture(problem="damaged")
    pixels = size.width() * size.height()
    if pixels > MAX_PIXELS:
        return DocumentPicture(size.width(), size.height(), problem="large")
    factor = min(1.0, MAX_STORED_WIDTH / size.width(), math.sqrt(MAX_STORED_PIXELS / pixels))
    if factor < 1:
        reader.setScaledSize(
            QSize(max(1, round(size.width() * factor)), max(1, round(size.height() * factor)))
        )
    image = reader.read()
    if image.isNull():
        return DocumentPicture(size.width(), size.height(), problem="damaged")
    is_rotated = (image.width() > image.height()) != (
        size.width() > size.height()
    ) and size.width() != size.height()
    width, height = (size.height(), size.width()) if is_rotated else (size.width(), size.height())
    return DocumentPicture(width, height, _paint_on_white(image))


def read_address(address: str) -> DocumentPicture:
    """Decode a picture from a `data:image/...;base64,...` URL."""
    try:
        return read_picture(base64.b64decode(address.partition(",")[2]))
    except ValueError:
        return DocumentPicture(problem="damaged")


def _image_format(data: bytes) -> bytes:
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return b"webp"
    return next(
        (image_format for signature, image_format in SIGNATURES if data.startswith(signature)), b""
    )


def _paint_on_white(image: QImage) -> QImage:
    """Return a transparent picture on a white background, so that it is visible on a dark page."""
    if not image.hasAlphaChannel():
        return image
    paper = QImage(image.size(), QImage.Format.Format_RGB32)
    paper.fill(QColor(Qt.GlobalColor.white))
    painter = QPainter(paper)
    painter.drawImage(0, 0, image)
    painter.end()
    return paper


class PlacedPictures:
    """Pictures in the text of a document view, scaled down to fit the visible page.

    The texts refer to the pictures by the names under which they are registered. A picture is at
    most as wide as the page and, unless `are_tall` is set, at most as high. Small pictures are not
    enlarged.
    """

    def __init__(self, view: QTextEdit) -> None:
        self._view = view
        self._pictures: dict[str, DocumentPicture] = {}
        self._positions: list[tuple[int, str]] = []
        self._shown_sizes: dict[str, tuple[int, float]] = {}
        self.are_tall = False

    def clear(self) -> None:
        """Remove the pictures of the previous document."""
        self._pictures, self._positions, self._shown_sizes = {}, [], {}

    def register(self, pictures: Mapping[str, DocumentPicture]) -> None:
        """Register pictures by the names under which texts inserted later refer to them."""
        self._pictures.update(pictures)

    def image(self, name: str) -> QImage | None:
        picture = self._pictures.get(name)
        return picture.image if picture else None

    def place_pictures(self, begin: int, end: int) -> None:
        """Find registered pictures in a range of the text, and scale them to the page."""
        if not self._pictures:
            return
        cursor = make_cursor(self._view.document(), begin, end)
        encoded_text = cursor.selectedText().encode("utf-16-le")
        encoded_placeholder, offset, positions = PICTURE_CHARACTER.encode("utf-16-le"), -2, []
        while (offset := encoded_text.find(encoded_placeholder, offset + 2)) >= 0:
            if offset % 2 == 0:
                cursor.setPosition(begin + offset // 2 + 1)
                name = cursor.charFormat().toImageFormat().name()
                if name in self._pictures:
                    positions.append((begin + offset // 2, name))
        self._positions += positions
        self._fit(positions)

    def fit(self) -> None:
        """Scale all pictures again, after the page was resized."""
        self._fit(self._positions)

    def _fit(self, positions: list[tuple[int, str]]) -> None:
        if not positions:
            return
        cursor = QTextCursor(self._view.document())
        cursor.beginEditBlock()
        for position, name in positions:
            self._fit_one(cursor, position, name)
        cursor.endEditBlock()

    def _fit_one(self, cursor: QTextCursor, position: int, name: str) -> None:
        picture = self._pictures[name]
        cursor.setPosition(position)
        cursor.setPosition(position + 1, QTextCursor.MoveMode.KeepAnchor)
        image_format = cursor.charFormat().toImageFormat()
        if not picture.width:
            return
        factor = min(
            1.0,
            self._column(cursor) / picture.width,
            1.0 if self.are_tall else self._height() / picture.height,
        )
        width = max(1, round(picture.width * factor))
        if image_format.width() == width:
            return
        height = max(1, round(picture.height * width / picture.width))
        self._scale(name, picture.image, width, height)
        image_format.setWidth(width)
        image_format.setHeight(height)
        cursor.setCharFormat(image_format)

    def _column(self, cursor: QTextCursor) -> int:
        block = cursor.blockFormat()
        text_list = cursor.currentList()
        indent = (block.indent() + (text_list.format().indent() if text_list else 0)) * LIST_INDENT
        margins = (
            2 * self._view.document().documentMargin() + block.leftMargin() + block.rightMargin()
        )
        return max(MIN_PICTURE_WIDTH, int(self._view.viewport().width() - margins - indent))

    def _height(self) -> int:
        return max(
            MIN_PICTURE_HEIGHT,
            int(self._view.viewport().height() - 2 * self._view.document().documentMargin()),
        )

    def _scale(self, name: str, image: QImage, width: int, height: int) -> None:
        """Store a picture in the size at which it is shown.

        Qt would otherwise scale it at every paint, without smoothing.
        """
        ratio = self._view.devicePixelRatioF()
        if image.width() > width * ratio and self._shown_sizes.get(name) != (width, ratio):
            self._shown_sizes[name] = (width, ratio)
            scaled = image.scaled(
                QSize(round(width * ratio), round(height * ratio)),
                Qt.AspectRatioMode.IgnoreAspectRatio,
                Qt.TransformationMode.SmoothTransformation,
            )
            self._view.document().addResource(
                QTextDocument.ResourceType.ImageResource, QUrl(name), scaled
            )

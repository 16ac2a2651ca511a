"""The document on screen: loads nothing, follows nothing, says once that it was painted."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irjudge.model.document import Document
from irjudge.text.render import to_html
from irjudge_ui.widgets.document_view import DocumentView

DATA = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="


@pytest.fixture
def view(qtbot: QtBot) -> DocumentView:
    made = DocumentView()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def painted(view: DocumentView) -> list[str]:
    heard: list[str] = []
    view.painted.connect(lambda: heard.append(view.toPlainText()))
    return heard


@pytest.mark.parametrize(
    "html",
    [
        "<p>x<img src='{file}'>",
        "<img src='http://127.0.0.1:9/x.png'>",
        "<body background='{file}'>x",
        "<p style='background-image: url({file})'>x",
        "<link rel='stylesheet' href='{file}'>x",
        "<style>@import url({file});</style>x",
        "<object data='{file}'>x</object>",
    ],
)
def test_nothing_outside_the_page_is_loaded(html: str, view: DocumentView, tmp_path: Path) -> None:
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff0000"))
    assert image.save(str(tmp_path / "red.png"))
    text = html.format(file=(tmp_path / "red.png").as_uri())
    for shown in (text, to_html(Document("d", text.encode(), "", "html"))):
        view.show_html(shown)
        picture = view.grab().toImage()
        reds = [picture.pixelColor(x, y).name() for x in range(0, 500, 20) for y in range(0, 400, 20)]
        assert "#ff0000" not in reds


def test_a_cleaned_document_does_not_even_ask_for_anything(view: DocumentView, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(DocumentView, "loadResource", lambda self, kind, name: asked.append(str(name)))
    hostile = "<img src='http://example.org/x.png'><img src='file:///etc/passwd'><a href='file:///etc/passwd'>l</a><iframe src='http://x/'>"
    view.show_html(to_html(Document("d", hostile.encode(), "", "html")))
    view.grab()
    assert asked == []


def test_an_image_in_the_page_itself_is_shown(view: DocumentView) -> None:
    view.show_html("<p>nothing</p>")
    empty = view.grab().toImage().pixelColor(100, 100)
    view.show_html(f"<img src='{DATA}' width=300 height=300>")
    assert view.grab().toImage().pixelColor(100, 100) != empty


@pytest.mark.parametrize("address", ["file:///etc/passwd", "http://127.0.0.1:9/", "/etc/passwd", "qrc:/x", "data:text/html,x"])
def test_only_images_in_the_page_are_ever_loaded(address: str, view: DocumentView) -> None:
    assert view.loadResource(2, address).size().width() == 1
    assert view.loadResource(3, address) == ""


def test_a_link_leads_nowhere(view: DocumentView, qtbot: QtBot) -> None:
    view.show_html("<p><a href='file:///etc/passwd'>passwd passwd passwd</a></p>")
    before = view.toPlainText()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 20))
    assert view.toPlainText() == before and not view.source().isValid()


def test_painted_comes_exactly_once_for_each_document(view: DocumentView, painted: list[str], qtbot: QtBot) -> None:
    for words in ("one", "two"):
        view.show_html(f"<p>{words}</p>")
        qtbot.waitUntil(lambda words=words: words in painted)
        for _ in range(3):
            view.viewport().repaint()
            QApplication.processEvents()
    assert painted == ["one", "two"]


def test_a_document_replaced_before_it_was_seen_is_never_announced(view: DocumentView, painted: list[str], qtbot: QtBot) -> None:
    view.show_html("<p>one</p>")
    view.viewport().repaint()
    view.show_html("<p>two</p>")
    view.setUpdatesEnabled(False)
    QApplication.processEvents()
    assert painted == []
    view.setUpdatesEnabled(True)
    view.viewport().repaint()
    qtbot.waitUntil(lambda: bool(painted))
    assert painted == ["two"]


def test_nothing_is_announced_while_the_page_is_hidden(view: DocumentView, painted: list[str], qtbot: QtBot) -> None:
    view.hide()
    view.show_html("<p>one</p>")
    view.grab()
    QApplication.processEvents()
    assert painted == [] and view.milliseconds_since_painted() == 0
    view.show()
    qtbot.waitUntil(lambda: painted == ["one"])


def test_each_document_begins_at_its_top(view: DocumentView, qtbot: QtBot) -> None:
    view.show_html("<p>line</p>" * 200)
    view.verticalScrollBar().setValue(500)
    view.show_html("<p>line</p>" * 200)
    assert view.verticalScrollBar().value() == 0


def test_zoom_scales_text_and_headings(view: DocumentView) -> None:
    sizes: dict[float, list[int]] = {}
    for zoom in (1.0, 2.0):
        view.show_html("<h1>Title</h1><p>words</p>", zoom)
        blocks = [view.document().begin(), view.document().begin().next()]
        sizes[zoom] = [
            block.begin().fragment().charFormat().font().pixelSize()
            if block.begin().fragment().charFormat().font().pixelSize() > 0
            else view.document().defaultFont().pixelSize()
            for block in blocks
        ]
    assert sizes == {1.0: [20, 16], 2.0: [40, 32]}


def test_tab_leaves_the_document(view: DocumentView) -> None:
    assert view.tabChangesFocus() and view.isReadOnly() and view.accessibleName()

"""Tests of the document page: background loading of long documents and images, and links."""

import base64
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from irjudge.model import Document
from irjudge_ui import jobs
from irjudge_ui.widgets import DocumentView
from irjudge_ui.workspace import DocumentLoader, ask_link
from irjudge_ui.workspace import document_page as page_module
from irjudge_ui.workspace.document_page import LinkDialog
from tests.ui.widgets.test_pictures import encode_image, make_png_header

LONG = Document(
    "long", "".join(f"paragraph {number} of a long text\n\n" for number in range(5000)).encode()
)
SHORT = Document("short", b"short text", "title")


@pytest.fixture
def view(qtbot: QtBot) -> DocumentView:
    made = DocumentView()
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def page(view: DocumentView) -> DocumentLoader:
    return DocumentLoader(view)


@pytest.fixture
def rendered_signals(view: DocumentView) -> list[str]:
    messages: list[str] = []
    view.rendered.connect(lambda: messages.append("painted"))
    view.loaded.connect(lambda: messages.append("loaded"))
    return messages


@pytest.fixture
def opened_addresses(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The addresses that would have been opened in a browser."""
    made: list[str] = []
    monkeypatch.setattr(
        QDesktopServices, "openUrl", lambda url: made.append(url.toString()) or True
    )
    return made


def load_text(page: DocumentLoader, document: Document, qtbot: QtBot) -> str:
    page.show(document)
    qtbot.waitUntil(lambda: page.parent().complete)
    return str(page.parent().toPlainText())


def test_a_short_document_is_shown_at_once(
    page: DocumentLoader, view: DocumentView, rendered_signals: list[str], qtbot: QtBot
) -> None:
    page.show(SHORT, 1.5)
    assert view.toPlainText() == "title\nshort text" and view.complete and not jobs.is_busy()
    qtbot.waitUntil(lambda: rendered_signals == ["loaded", "painted"])


def test_a_document_that_is_prepared_after_its_view_is_gone_is_dropped(qtbot: QtBot) -> None:
    view = DocumentView()
    loader = DocumentLoader(view)
    with qtbot.captureExceptions() as errors:
        loader.show(LONG)
        assert jobs.is_busy()
        delete(view)
        qtbot.waitUntil(lambda: not jobs.is_busy())
    assert errors == []


def test_a_long_document_is_loaded_in_the_background(
    page: DocumentLoader, view: DocumentView, rendered_signals: list[str], qtbot: QtBot
) -> None:
    page.show(LONG)
    assert view.toPlainText() == "" and not view.complete and jobs.is_busy()
    qtbot.waitUntil(lambda: view.complete)
    assert view.toPlainText() == LONG.text.strip().replace("\n\n", "\n")
    assert rendered_signals == ["painted", "loaded"]


def test_a_document_shown_later_replaces_one_whose_loading_ends_later(
    page: DocumentLoader, view: DocumentView, rendered_signals: list[str], qtbot: QtBot
) -> None:
    page.show(LONG)
    page.show(SHORT)
    qtbot.waitUntil(lambda: not jobs.is_busy())
    qtbot.waitUntil(lambda: "painted" in rendered_signals)
    assert view.toPlainText() == "title\nshort text" and rendered_signals == ["loaded", "painted"]
    page.show(LONG)
    qtbot.waitUntil(lambda: "paragraph 0" in view.toPlainText())
    page.show(SHORT)
    qtbot.waitUntil(lambda: not jobs.is_busy())
    assert view.toPlainText() == "title\nshort text"


def test_a_page_that_takes_long_shows_that_it_is_loading(
    page: DocumentLoader,
    view: DocumentView,
    rendered_signals: list[str],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    held: list[Callable[[], object]] = []
    monkeypatch.setattr(jobs, "run", lambda work, done, *_: held.append(lambda: done(work(None))))
    page.show(LONG)
    assert view.accessibleDescription() == ""
    qtbot.waitUntil(lambda: view.accessibleDescription() == "Loading …")
    view.viewport().repaint()
    QApplication.processEvents()
    assert rendered_signals == [] and view.toPlainText() == ""


def test_an_internal_error_is_shown_on_the_page_and_reported_to_the_window(
    page: DocumentLoader, view: DocumentView, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_document: Document) -> Iterator[str]:
        raise ZeroDivisionError

    monkeypatch.setattr(page_module, "to_slices", broken)
    with qtbot.captureExceptions() as faults:
        page.show(LONG)
        qtbot.waitUntil(lambda: view.complete)
    assert 0 < len(view.toPlainText()) < 100, "a sentence takes the place of the document"
    assert [error[0] for error in faults] == [ZeroDivisionError]


# Images


def test_an_image_is_shown_with_its_size_as_text(
    page: DocumentLoader, view: DocumentView, qtbot: QtBot
) -> None:
    text = load_text(page, Document("i", encode_image(1000, 500), "a title", "image"), qtbot)
    assert text == "a title\n\ufffc" and view.accessibleDescription() == "Image, 1,000 × 500 pixels"
    qtbot.waitUntil(lambda: view.grab().toImage().pixelColor(100, 100).name() == "#ff0000")
    load_text(page, SHORT, qtbot)
    assert view.accessibleDescription() == ""


@pytest.mark.parametrize(
    ("body", "named"),
    [
        (b"\x89PNG\r\n\x1a\n nothing more", "damaged"),
        (b"", "damaged"),
        (make_png_header(100_000, 90_000), "100,000 × 90,000"),
    ],
)
def test_an_image_that_cannot_be_shown_says_why(
    body: bytes, named: str, page: DocumentLoader, qtbot: QtBot
) -> None:
    assert named in load_text(page, Document("i", body, "", "image"), qtbot)


def document_with_images(*bodies: bytes) -> Document:
    images = "".join(
        f'<p>a<img src="data:image/png;base64,{base64.b64encode(body).decode()}">'
        for body in bodies
    )
    return Document("d", images.encode(), "", "html")


def test_embedded_images_are_shown_and_decompression_bombs_are_described(
    page: DocumentLoader, qtbot: QtBot
) -> None:
    first, broken, bomb, last = load_text(
        page,
        document_with_images(
            encode_image(30, 20), b"broken", make_png_header(60_000, 60_000), encode_image(30, 20)
        ),
        qtbot,
    ).split("\n")
    assert first == last == "a\ufffc"
    assert broken.startswith("a[") and "damaged" in broken
    assert bomb.startswith("a[") and "60,000 × 60,000" in bomb


def test_a_page_of_many_large_images_stops_showing_them(
    page: DocumentLoader, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_module, "MAX_PIXELS", 1000)
    text = load_text(
        page,
        document_with_images(encode_image(40, 30), encode_image(41, 30), encode_image(42, 30)),
        qtbot,
    )
    assert text.count("\ufffc") == 1 and text.count("not shown") == 2


# Links


def link_dialog(view: DocumentView) -> LinkDialog:
    return next(child for child in view.findChildren(LinkDialog) if child.isVisible())


def test_a_link_is_opened_only_after_a_question_whose_default_is_no(
    page: DocumentLoader, view: DocumentView, opened_addresses: list[str], qtbot: QtBot
) -> None:
    page.show(Document("d", b"<a href='https://example.org/a?b=c#d'>x</a>", "", "html"))
    for press in (Qt.Key.Key_Return, Qt.Key.Key_Escape):
        view.link_requested.emit("https://example.org/a?b=c#d")
        dialog = link_dialog(view)
        assert dialog.findChild(QPlainTextEdit).toPlainText() == "https://example.org/a?b=c#d"
        assert dialog.focusWidget() is dialog.buttons[-1]
        QTest.keyClick(dialog.buttons[-1], press)
        qtbot.waitUntil(lambda: not view.findChildren(LinkDialog))
        assert opened_addresses == []
    view.link_requested.emit("https://example.org/a?b=c#d")
    dialog = link_dialog(view)
    assert [each.text() for each in dialog.buttons] == ["Open in the browser", "Stay"]
    dialog.buttons[0].click()
    assert opened_addresses == ["https://example.org/a?b=c#d"]
    qtbot.waitUntil(lambda: not view.findChildren(LinkDialog))


def test_the_question_shows_the_real_host(
    view: DocumentView, opened_addresses: list[str], qtbot: QtBot
) -> None:
    dialog = ask_link(view, "http://www.bank.example@\u0430pple.com/\u202ecod")
    assert dialog is not None
    assert (
        dialog.findChild(QPlainTextEdit).toPlainText()
        == "http://www.bank.example@xn--pple-43d.com/%E2%80%AEcod"
    )
    assert "The link opens xn--pple-43d.com." in [
        label.text() for label in dialog.findChildren(QLabel)
    ]
    dialog.close()
    letter = ask_link(view, "mailto:a@example.org")
    assert letter is not None and "The link opens a new e-mail." in [
        label.text() for label in letter.findChildren(QLabel)
    ]
    letter.close()
    qtbot.waitUntil(lambda: not view.findChildren(LinkDialog))


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "javascript:x()",
        "data:text/html,x",
        "",
        "relative/path",
        "qrc:/x",
        "smb://x/y",
    ],
)
def test_other_addresses_are_not_offered(
    address: str, view: DocumentView, opened_addresses: list[str]
) -> None:
    assert ask_link(view, address) is None and opened_addresses == []


def test_the_address_in_the_question_is_the_address_opened(
    view: DocumentView, opened_addresses: list[str], qtbot: QtBot
) -> None:
    dialog = ask_link(view, "http://example.org/%E2%80%AE?q=%26&x= y")
    assert dialog is not None
    address = dialog.findChild(QPlainTextEdit).toPlainText()
    dialog.buttons[0].click()
    assert QUrl(opened_addresses[0]) == QUrl(address)
    qtbot.waitUntil(lambda: not view.findChildren(LinkDialog))


def test_after_a_question_enter_does_not_ask_for_the_link_again(
    page: DocumentLoader, view: DocumentView, opened_addresses: list[str], qtbot: QtBot
) -> None:
    page.show(
        Document("d", b"<p>words</p><p><a href='https://example.org/'>link</a></p>", "", "html")
    )
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Return)
    dialog = link_dialog(view)
    assert dialog.isVisible()
    dialog.buttons[-1].click()
    qtbot.waitUntil(lambda: not view.findChildren(LinkDialog))
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert (
        not view.textCursor().hasSelection()
        and view.findChildren(LinkDialog) == []
        and opened_addresses == []
    )


def test_a_tall_image_fits_the_view_and_follows_its_height(
    page: DocumentLoader, view: DocumentView, qtbot: QtBot
) -> None:
    def size() -> tuple[int, int]:
        cursor = view.textCursor()
        cursor.setPosition(view.toPlainText().index("\ufffc") + 1)
        form = cursor.charFormat().toImageFormat()
        return round(form.width()), round(form.height())

    load_text(page, Document("i", encode_image(600, 1200), "", "image"), qtbot)
    assert size() == (196, 392), "the view is 400 high and has margins of 4"
    view.resize(500, 600)
    qtbot.waitUntil(lambda: size() == (296, 592))
    view.resize(500, 100)
    qtbot.waitUntil(lambda: size() == (100, 200))
    load_text(page, Document("i", encode_image(30, 40), "", "image"), qtbot)
    assert size() == (30, 40)


@pytest.mark.parametrize("times", [1, 3000])
@pytest.mark.parametrize(
    ("kind", "source"),
    [
        ("html", "<script>alert(1)</script>"),
        ("html", "<table><tr><td></td></tr></table>"),
        ("markdown", "> > >\n\n"),
        ("text", "\u200b\u2060"),
        ("text", ""),
        ("image", ""),
        ("image", "no image"),
    ],
)
def test_an_empty_document_is_described_as_empty(
    page: DocumentLoader,
    rendered_signals: list[str],
    qtbot: QtBot,
    kind: str,
    source: str,
    times: int,
) -> None:
    text = load_text(page, Document("d", (source * times).encode(), "", kind), qtbot)
    qtbot.waitUntil(lambda: {"painted", "loaded"} <= set(rendered_signals))
    assert any(each in text for each in ("nothing to show", "is empty", "is damaged"))

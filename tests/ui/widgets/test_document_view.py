"""Tests of the document view: it loads nothing, opens no link, and signals rendering once."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QImage, QTextCursor, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from irjudge.model import Document
from irjudge.text import to_html
from irjudge_ui.widgets import DocumentView, TextMarks
from irjudge_ui.widgets.document_view import LINE_HEIGHT, reserve_space
from irjudge_ui.widgets.theme import DOCUMENT_FONT_SIZE, READING_WIDTH

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
def rendered_texts(view: DocumentView) -> list[str]:
    heard: list[str] = []
    view.rendered.connect(lambda: heard.append(view.toPlainText()))
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
        reds = [
            picture.pixelColor(x, y).name() for x in range(0, 500, 20) for y in range(0, 400, 20)
        ]
        assert "#ff0000" not in reds


def test_a_cleaned_document_requests_nothing(
    view: DocumentView, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        DocumentView, "loadResource", lambda self, kind, name: asked.append(str(name))
    )
    hostile = "<img src='http://example.org/x.png'><img src='file:///etc/passwd'><a href='file:///etc/passwd'>l</a><iframe src='http://x/'>"
    view.show_html(to_html(Document("d", hostile.encode(), "", "html")))
    view.grab()
    assert asked == []


def test_an_image_embedded_in_the_page_is_shown(view: DocumentView) -> None:
    view.show_html("<p>nothing</p>")
    empty = view.grab().toImage().pixelColor(100, 100)
    view.show_html(f"<img src='{DATA}' width=300 height=300>")
    assert view.grab().toImage().pixelColor(100, 100) != empty


@pytest.mark.parametrize(
    "address",
    ["file:///etc/passwd", "http://127.0.0.1:9/", "/etc/passwd", "qrc:/x", "data:text/html,x"],
)
def test_only_embedded_images_are_ever_loaded(address: str, view: DocumentView) -> None:
    assert view.loadResource(2, address).size().width() == 1
    assert view.loadResource(3, address) == ""


def test_a_link_is_not_opened(view: DocumentView, qtbot: QtBot) -> None:
    view.show_html("<p><a href='file:///etc/passwd'>passwd passwd passwd</a></p>")
    before = view.toPlainText()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 20))
    assert view.toPlainText() == before and not view.source().isValid()


def test_rendered_is_emitted_exactly_once_per_document(
    view: DocumentView, rendered_texts: list[str], qtbot: QtBot
) -> None:
    for text in ("one", "two"):
        view.show_html(f"<p>{text}</p>")
        qtbot.waitUntil(lambda text=text: text in rendered_texts)
        for _ in range(3):
            view.viewport().repaint()
            QApplication.processEvents()
    assert rendered_texts == ["one", "two"]


def test_a_document_replaced_before_it_was_visible_is_not_signalled(
    view: DocumentView, rendered_texts: list[str], qtbot: QtBot
) -> None:
    view.show_html("<p>one</p>")
    view.viewport().repaint()
    view.show_html("<p>two</p>")
    view.setUpdatesEnabled(False)
    QApplication.processEvents()
    assert rendered_texts == []
    view.setUpdatesEnabled(True)
    view.viewport().repaint()
    qtbot.waitUntil(lambda: bool(rendered_texts))
    assert rendered_texts == ["two"]


def test_nothing_is_signalled_while_the_page_is_hidden(
    view: DocumentView, rendered_texts: list[str], qtbot: QtBot
) -> None:
    view.hide()
    view.show_html("<p>one</p>")
    view.grab()
    QApplication.processEvents()
    assert rendered_texts == []
    view.show()
    qtbot.waitUntil(lambda: rendered_texts == ["one"])


def test_each_document_starts_at_its_top(view: DocumentView, qtbot: QtBot) -> None:
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


PARAGRAPHS = "<p>some words of a paragraph</p>" * 100
SLICES = [f"<h2>part {number}</h2>{PARAGRAPHS}" for number in range(30)]


@pytest.fixture
def loaded_texts(view: DocumentView) -> list[str]:
    heard: list[str] = []
    view.loaded.connect(lambda: heard.append(view.toPlainText()))
    return heard


def test_a_short_document_is_loaded_when_it_is_shown(
    view: DocumentView, loaded_texts: list[str]
) -> None:
    view.show_html("<p>one</p>")
    assert loaded_texts == ["one"] and view.complete
    view.show_slices(["<p>two</p>"])
    assert loaded_texts == ["one", "two"]


def test_the_first_slice_is_shown_at_once_and_the_rest_later(
    view: DocumentView, loaded_texts: list[str], rendered_texts: list[str], qtbot: QtBot
) -> None:
    view.show_slices(SLICES)
    assert view.toPlainText().startswith("part 0") and "part 1" not in view.toPlainText()
    assert not view.complete and loaded_texts == []
    qtbot.waitUntil(lambda: view.complete)
    assert loaded_texts == [view.toPlainText()] and len(rendered_texts) == 1
    assert [line for line in loaded_texts[0].split("\n") if line.startswith("part")] == [
        f"part {number}" for number in range(30)
    ]


def test_slices_together_look_like_the_whole_document(view: DocumentView, qtbot: QtBot) -> None:
    parts = [
        "<h1>a</h1><p>b</p>",
        "<p>c</p><ul><li>d</li></ul>",
        "<ul><li>e</li></ul>",
        "<table><tr><td>f</td></tr></table>",
    ]
    parts += [
        "<table><tr><td>g</td></tr></table>",
        "<pre>h\ni</pre>",
        "<h2>j</h2>k <b>l</b>",
        "<blockquote>m</blockquote>",
        "<hr>n",
    ]

    def block_formats() -> list[tuple[object, ...]]:
        block, seen = view.document().begin(), list[tuple[object, ...]]()
        while block.isValid():
            form = block.blockFormat()
            size = (
                block.begin().fragment().charFormat().font().pixelSize()
                if block.length() > 1
                else 0
            )
            expected = (
                form.topMargin(),
                form.bottomMargin(),
                form.leftMargin(),
                form.lineHeight(),
                form.headingLevel(),
                size,
            )
            seen.append((block.text(), block.textList() is not None, *expected))
            block = block.next()
        return seen

    view.show_slices(["".join(parts)])
    whole = block_formats()
    view.show_slices(parts)
    qtbot.waitUntil(lambda: view.complete)
    assert block_formats() == whole


def test_scroll_position_selection_and_marks_stay_while_slices_are_added(
    view: DocumentView, qtbot: QtBot
) -> None:
    view.show_slices(SLICES)
    first = view.toPlainText()
    end = len(first)
    cursor = view.textCursor()
    cursor.setPosition(end)
    cursor.setPosition(10, QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    TextMarks(view).mark_hits([(end - 5, end)])
    view.verticalScrollBar().setValue(300)
    qtbot.waitUntil(lambda: view.complete)
    assert view.verticalScrollBar().value() == 300 and view.toPlainText().startswith(first)
    assert (view.textCursor().anchor(), view.textCursor().position()) == (end, 10)
    assert view.extraSelections()[0].cursor.selectedText() == first[-5:]


def test_a_document_shown_later_stops_the_slices_of_the_previous_one(
    view: DocumentView, loaded_texts: list[str], qtbot: QtBot
) -> None:
    view.show_slices(SLICES)
    view.show_html("<p>short</p>")
    for _ in range(5):
        QApplication.processEvents()
    assert loaded_texts == ["short"] == [view.toPlainText()]


def test_more_slices_can_be_announced_and_are_requested(
    view: DocumentView, loaded_texts: list[str], qtbot: QtBot
) -> None:
    with qtbot.waitSignal(view.more_requested):
        view.show_slices(["<p>one</p>", "<p>two</p>"], has_more=True)
    assert view.toPlainText() == "one\ntwo" and not view.complete
    view.add_slices(["<p>three</p>"])
    qtbot.waitUntil(lambda: view.complete)
    assert loaded_texts == ["one\ntwo\nthree"]


def test_leaving_a_large_page_does_not_delay_the_next(view: DocumentView, qtbot: QtBot) -> None:
    view.show_slices(SLICES)
    qtbot.waitUntil(lambda: view.complete)
    before = view.document()
    gone: list[bool] = []
    before.destroyed.connect(lambda: gone.append(True))
    view.show_html("<p>next</p>")
    assert view.toPlainText() == "next" and gone == [] and before.blockCount() > 2000
    qtbot.waitUntil(lambda: bool(gone))
    assert view.toPlainText() == "next"


def test_a_waiting_page_is_not_rendered_and_has_no_text(
    view: DocumentView, rendered_texts: list[str], loaded_texts: list[str]
) -> None:
    view.show_html("<p>one</p>")
    view.show_waiting("Loading …")
    pixels = view.grab().toImage()
    view.viewport().repaint()
    QApplication.processEvents()
    assert rendered_texts == [] and loaded_texts == ["one"] and not view.complete
    assert view.toPlainText() == "" and view.accessibleDescription() == "Loading …"
    view.show_waiting()
    assert view.grab().toImage() != pixels, "the words were seen"


LINKS = "<p><a href='http://example.org/a?b=c'>link link link</a></p>"


def test_a_clicked_or_entered_link_is_signalled_and_not_followed(
    view: DocumentView, qtbot: QtBot
) -> None:
    asked: list[str] = []
    view.link_requested.connect(asked.append)
    view.show_html(LINKS)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 15))
    view.show_html(LINKS)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert asked == ["http://example.org/a?b=c"] * 2
    assert view.toPlainText() == "link link link" and not view.source().isValid()


def test_the_address_of_a_link_is_shown_in_full(view: DocumentView) -> None:
    asked: list[str] = []
    view.link_requested.connect(asked.append)
    view.anchorClicked.emit("http://\u0430\u0440\u0440\u04cf\u0435.com/\u202ecod.exe")
    assert asked == ["http://xn--80ak6aa92e.com/%E2%80%AEcod.exe"]


def test_a_link_within_the_page_scrolls_to_its_target(view: DocumentView, qtbot: QtBot) -> None:
    asked: list[str] = []
    view.link_requested.connect(asked.append)
    view.show_slices(
        [
            "<p><a href='#end'>to the end to the end</a></p>" + PARAGRAPHS,
            *SLICES,
            "<h2 id='end'>end</h2>" + PARAGRAPHS,
        ]
    )
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(30, 15))
    qtbot.waitUntil(lambda: view.complete)
    assert view.cursorForPosition(QPoint(5, 5)).block().text() == "end" and asked == []


def test_text_without_an_address_does_not_look_like_a_link(view: DocumentView) -> None:
    view.show_html("<p><a>words</a> <a href='#x'>words</a></p>")
    at = view.document().begin().begin()
    first = at.fragment().charFormat().foreground().color()
    at += 2
    assert at.fragment().charFormat().foreground().color() != first


@pytest.mark.parametrize(
    "text",
    [
        "a line of words ",
        "\u0633\u0637\u0631 \u0645\u0646 \u0627\u0644\u0643\u0644\u0645\u0627\u062a ",
        "\u4e00\u884c\u5b57",
    ],
    ids=["latin", "arabic", "chinese"],
)
def test_lines_of_every_script_have_equal_spacing(text: str, view: DocumentView) -> None:
    view.show_html(f"<h1>{text}</h1><p>{text * 60}</p>")
    layout = view.document().begin().next().layout()
    assert layout.lineCount() > 2
    assert layout.lineAt(1).y() - layout.lineAt(0).y() == pytest.approx(
        LINE_HEIGHT * DOCUMENT_FONT_SIZE, abs=0.6
    )


def test_each_paragraph_is_laid_out_in_its_own_direction(view: DocumentView) -> None:
    view.show_html(
        "<p>abc</p><p>\u0627\u0644\u0628\u062d\u062b</p><p>\u05d0\u05d7\u05d6\u05d5\u05e8 abc</p><p>\u202eabc</p><p>abc</p>"
    )
    block, directions, positions = view.document().begin(), [], []
    while block.isValid():
        directions.append(block.textDirection())
        positions.append(block.layout().lineAt(0).naturalTextRect().left() > 100)
        block = block.next()
    left, right = Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft
    assert directions[:3] == [left, right, right] and directions[4] == left, (
        "an override ends with its paragraph"
    )
    assert positions[:3] == [False, True, True] and not positions[4]


ARABIC = (
    "\u0648\u0627\u062d\u062f",
    "\u0627\u062b\u0646\u0627\u0646",
    "\u062b\u0644\u0627\u062b\u0629",
    "\u0623\u0631\u0628\u0639\u0629",
)


def test_a_right_to_left_table_starts_at_the_right(view: DocumentView, qtbot: QtBot) -> None:
    one, two, three, four = ARABIC
    rows = f"<table><tr><td>{one}</td><td>{two}</td><td>abc</td></tr><tr><td>{three}</td><td>{four}</td></tr></table>"
    view.show_slices(
        [
            f"<p>abc</p>{rows}<p>words</p><table><tr><td>left</td><td>right</td></tr></table>",
            f"<ul><li>{one}</li></ul>{rows}",
        ]
    )
    qtbot.waitUntil(lambda: view.complete)
    block, positions = view.document().begin(), list[tuple[str, float, float]]()
    while block.isValid():
        box = view.document().documentLayout().blockBoundingRect(block)
        line = block.layout().lineAt(0).naturalTextRect()
        positions += (
            [(block.text(), box.left() + line.left(), box.left() + line.right())]
            if block.text()
            else []
        )
        block = block.next()
    for table in (positions[1:6], positions[10:15]):
        at = {text: end for text, _, end in table}
        assert (
            at[one] > at[two] > at["abc"]
            and at[one] == pytest.approx(at[three], abs=1)
            and at[two] == pytest.approx(at[four], abs=1)
        )
        assert at[one] > view.viewport().width() - 60, "the table is at the right"
    lefts = {text: begin for text, begin, _ in positions}
    assert (
        lefts["left"] < lefts["right"]
        and lefts["words"] < 30
        and positions[9][2] > view.viewport().width() - 80
    )


def test_a_right_to_left_list_has_all_its_markers_at_the_right(view: DocumentView) -> None:
    one, two, *_ = ARABIC
    view.show_html(
        f"<ul><li>{one}</li><li>Medjool</li><li>{two}</li></ul><ol><li>abc</li><li>{one}</li></ol><p>Medjool</p>"
    )
    block, directions = view.document().begin(), dict[str, list[bool]]()
    while block.isValid():
        directions.setdefault(block.text(), []).append(
            block.textDirection() == Qt.LayoutDirection.RightToLeft
        )
        block = block.next()
    assert directions == {one: [True, True], "Medjool": [True, False], two: [True], "abc": [False]}


@pytest.mark.parametrize("before", [[], ["<p>a slice before</p>"]])
def test_numbers_in_a_right_to_left_table_are_below_their_headers(
    view: DocumentView, qtbot: QtBot, before: list[str]
) -> None:
    one, two, *_ = ARABIC
    view.show_slices(
        [
            *before,
            f"<table><tr><th>{one}</th><th>{two}</th></tr><tr><td>4</td><td>20 %</td></tr></table><p>5</p>",
        ]
    )
    qtbot.waitUntil(lambda: view.complete)
    block, ends = view.document().begin(), dict[str, float]()
    while block.isValid():
        box = view.document().documentLayout().blockBoundingRect(block)
        line = block.layout().lineAt(0).naturalTextRect()
        ends[block.text()] = box.left() + line.right()
        block = block.next()
    assert ends["4"] == pytest.approx(ends[one], abs=1) and ends["20 %"] == pytest.approx(
        ends[two], abs=1
    )
    assert ends["5"] < 40, "outside of the table it runs as everywhere"


def make_table(columns: int, word: str) -> str:
    return "<table>" + ("<tr>" + f"<td>{word}</td>" * columns + "</tr>") * 3 + "</table>"


def first_lines(view: DocumentView) -> list[str]:
    """Return the first line of each block as wrapped on screen."""
    block, seen = view.document().begin(), []
    while block.isValid():
        line = block.layout().lineAt(0)
        seen.append(block.text()[: line.textLength()].strip())
        block = block.next()
    return seen


@pytest.mark.parametrize("before", ["", "<p>prose</p>"])
def test_a_wide_table_scrolls_sideways_and_wraps_within_no_word(
    before: str, view: DocumentView, qtbot: QtBot
) -> None:
    view.show_slices([f"{before}<p>{'words ' * 40}</p>", make_table(25, "measure value")])
    qtbot.waitUntil(lambda: view.complete)
    QApplication.processEvents()
    assert first_lines(view).count("measure") == 75
    assert view.horizontalScrollBar().maximum() > 500 and view.horizontalScrollBar().isVisible()
    view.show_html("<p>next</p>")
    assert view.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize(
    "rest",
    [
        "",
        make_table(3, "word"),
        "<pre>" + "a line of code " * 30 + "</pre>",
        make_table(1, "y" * 300),
    ],
)
def test_other_text_is_never_wider_than_the_page(rest: str, view: DocumentView) -> None:
    text = f"<p>see http://example.org/{'x' * 300} and {'words ' * 400}</p>{rest}"
    view.show_html(to_html(Document("d", text.encode(), "", "html")))
    QApplication.processEvents()
    assert view.horizontalScrollBar().maximum() == 0 and view.verticalScrollBar().maximum() > 0


def test_very_long_words_are_wrapped_anywhere_also_next_to_a_table(view: DocumentView) -> None:
    view.show_html(make_table(2, "word") + f"<p>{chr(0x436) * 300}</p>")
    QApplication.processEvents()
    assert view.horizontalScrollBar().maximum() == 0


@pytest.mark.parametrize("zoom", [1.0, 2.0])
def test_eighty_columns_of_preformatted_text_fit_the_page(zoom: float, view: DocumentView) -> None:
    view.resize(round(700 * zoom), 400)
    view.show_html(f"<pre>{'0123456789' * 8}</pre>", zoom)
    look = view.document().begin().begin().fragment().charFormat().font()
    assert view.document().begin().layout().lineCount() == 1 and look.pixelSize() == 13 * zoom


def test_the_scroll_bar_has_its_range_at_once_for_a_long_first_slice(view: DocumentView) -> None:
    view.show_html("<p>short</p>" * 5000)
    known = view.verticalScrollBar().maximum()
    for _ in range(5):
        QApplication.processEvents()
    assert view.verticalScrollBar().maximum() == known > 50_000
    view.show_html("<p>short</p>")
    assert view.verticalScrollBar().maximum() == 0 and not view.verticalScrollBar().isVisible()


def test_copied_text_has_no_zero_width_spaces(view: DocumentView) -> None:
    address = "http://example.org/" + "x" * 100
    view.show_html(to_html(Document("d", f"<p>{address}</p>".encode(), "", "html")))
    assert view.toPlainText() != address
    view.selectAll()
    copied = view.createMimeDataFromSelection()
    assert copied.text() == address and address in copied.html()


@pytest.mark.slow
def test_a_table_as_wide_as_the_view_needs_no_scroll_bar(view: DocumentView, qtbot: QtBot) -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td>some words {line} {column}</td>" for column in range(4)) + "</tr>"
        for line in range(30)
    )
    for width in range(380, 420, 3):
        view.resize(width, 300)
        view.show_html(f"<table width='100%'>{rows}</table>")
        qtbot.waitUntil(lambda: view.complete)
        QApplication.processEvents()
        assert not view.horizontalScrollBar().isVisible(), width
    view.show_html(f"<table><tr>{'<td>unbreakable' * 40}</tr></table>")
    QApplication.processEvents()
    assert view.horizontalScrollBar().isVisible()


@pytest.mark.parametrize(("width", "zoom"), [(1400, 1.0), (1900, 2.0), (500, 1.0)])
def test_the_line_length_is_limited_for_readability(
    view: DocumentView, width: int, zoom: float
) -> None:
    view.resize(width, 400)
    view.show_html("<p>" + "words of a sentence " * 40 + "</p>", zoom)
    room, max_width = view.viewport().geometry(), READING_WIDTH * zoom
    assert room.width() <= max_width + 2
    assert room.width() >= min(max_width, width) - 24, "no narrower than that"
    assert abs(room.left() - (width - room.right())) < 24, "in the middle"


def test_space_for_the_fields_is_reserved_under_the_title_on_every_change() -> None:
    document = QTextDocument()
    document.setHtml("<h1>title</h1><p>text</p>")
    margins = []
    for room in (0, 40, 40, 7):
        reserve_space(document, room)
        margins.append(document.firstBlock().blockFormat().bottomMargin())
    assert [each - margins[0] for each in margins] == [0, 40, 40, 7]


def test_space_for_the_fields_is_reserved_above_a_text_without_title() -> None:
    document = QTextDocument()
    document.setHtml("<p>text</p><p>more</p>")
    margins = []
    for room in (0, 40, 7):
        reserve_space(document, room)
        margins.append(document.rootFrame().frameFormat().topMargin())
    assert [each - margins[0] for each in margins] == [0, 40, 7]

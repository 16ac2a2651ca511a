"""The slowest documents on the page: time until rendered, and the longest block of the window."""

import base64
import time
from collections.abc import Iterator

from PySide6.QtCore import QBuffer, QEventLoop, QIODevice, Qt, QTimer
from PySide6.QtGui import QColor, QImage

from irjudge.model import Document
from irjudge_ui.widgets import DocumentView, apply_theme
from irjudge_ui.widgets.theme import LIGHT
from irjudge_ui.workspace import DocumentLoader

MB = 1_000_000
BAR_MS, TICK_MS, AFTER_MS, PATIENCE_MS = 100, 5, 300, 120_000
SENTENCE = "The quick brown fox jumps over the lazy dog and runs away from it all day. "
SECTION = f"<h2>A head</h2><p>{SENTENCE * 5}<a href='http://example.org/'>link</a> <b>bold</b> &amp; so on</p><ul><li>one<li>two</ul>"


def repeat_to_size(piece: str, size: int) -> str:
    return (piece * (size // len(piece) + 1))[:size]


def photograph(width: int, height: int) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    for line in range(height):
        image.setPixelColor(line % width, line, QColor(line % 256, 3, 4))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")
    return bytes(buffer.data().data())


def slow_documents() -> Iterator[tuple[str, str | bytes, str]]:
    """Yield the description, the body and the kind of each document."""
    yield "10 MB of lines", repeat_to_size(SENTENCE + "\n", 10 * MB), "text"
    yield "10 MB of paragraphs", repeat_to_size(SENTENCE * 8 + "\n\n", 10 * MB), "text"
    yield "5 MB in one line, no blank", "x" * 5 * MB, "text"
    yield "5 MB in one line, blanks", repeat_to_size(SENTENCE, 5 * MB), "text"
    yield (
        "2 million characters of CJK, one line",
        repeat_to_size("検索結果の評価は難しい", 2 * MB),
        "text",
    )
    yield (
        "4 million characters of Arabic, one line",
        repeat_to_size("البحث عن المعلومات وتقييم النتائج ", 4 * MB),
        "text",
    )
    yield "1 million accents on one letter", "a" + "\u0301" * MB, "text"
    yield "10 MB in one paragraph", "<p>" + repeat_to_size(SENTENCE, 10 * MB), "html"
    yield "10 MB page", repeat_to_size(SECTION, 10 * MB), "html"
    yield "33,000 tables in tables", "<table><tr><td>some words" * 33_000, "html"
    yield (
        "200 times 8 tables in tables",
        ("<table><tr><td>" * 8 + SENTENCE * 20 + "</table>" * 8) * 200,
        "html",
    )
    yield "table of 50,000 cells", "<table>" + ("<tr>" + "<td>words of a cell" * 10) * 5000, "html"
    yield "row of 50,000 cells", "<table><tr>" + "<td>words of a cell" * 50_000, "html"
    yield "cell of 5 MB", "<table><tr><td>" + repeat_to_size(SENTENCE, 5 * MB), "html"
    yield "100,000 nested tags", "<div>" * 100_000 + "deep", "html"
    yield "100,000 nested lists", "<ul><li>x" * 100_000, "html"
    yield "600,000 tags in a line", "<b>x</b>" * 600_000, "html"
    yield (
        "10 MB script",
        "<script>" + repeat_to_size("if (a </b) ", 10 * MB) + "</script>end",
        "html",
    )
    yield "10 MB comment", "<!--" + repeat_to_size(SENTENCE, 10 * MB) + "-->end", "html"
    yield (
        "3 MB of Markdown",
        repeat_to_size(
            f"# head\n\n{SENTENCE * 5}*so* [on](http://example.org/)\n\n- a\n- b\n\n", 3 * MB
        ),
        "markdown",
    )
    picture = photograph(6000, 4000)
    yield "image of 24 million pixels", picture, "image"
    carried = f'<p>{SENTENCE}<img src="data:image/png;base64,{base64.b64encode(picture).decode()}">'
    yield "the same image in a page, three times", carried * 3, "html"


class DocumentTimer:
    """Shows a document; measures the times until rendered and loaded, and the longest block."""

    def __init__(self, view: DocumentView) -> None:
        self._view, self._page, self._loop = view, DocumentLoader(view), QEventLoop()
        self._tick = QTimer(interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._tick.timeout.connect(self._on_tick)
        self._patience = QTimer(interval=PATIENCE_MS, singleShot=True)
        self._patience.timeout.connect(self._loop.quit)
        view.rendered.connect(lambda: self._note("painted"))
        view.loaded.connect(
            lambda: self._note("loaded") or QTimer.singleShot(AFTER_MS, self._loop.quit)
        )

    def show(self, document: Document) -> tuple[float, float, float]:
        self._noted, self._longest = dict[str, float](), 0.0
        self._began = self._last = time.perf_counter()
        self._patience.start()  # restarted for each document
        self._tick.start()
        self._page.show(document)
        self._loop.exec()
        self._tick.stop()
        return 1000 * self._noted["painted"], 1000 * self._longest, self._noted["loaded"]

    def _note(self, what: str) -> None:
        self._noted.setdefault(what, time.perf_counter() - self._began)

    def _on_tick(self) -> None:
        now = time.perf_counter()
        self._longest, self._last = max(self._longest, now - self._last - TICK_MS / 1000), now


def test_the_slowest_documents_are_rendered_in_time(bench, qapp, qtbot):
    apply_theme(qapp, LIGHT)
    view = DocumentView()
    qtbot.addWidget(view)
    view.resize(700, 760)
    view.show()
    qtbot.waitExposed(view)
    clock, rows = DocumentTimer(view), []
    clock.show(Document("warm", b"<p>a</p>", "", "html"))
    for name, body, kind in slow_documents():
        document = Document("d", body if isinstance(body, bytes) else body.encode(), "", kind)
        rows.append((name, *clock.show(document)))
    bench.show(
        "Worst documents on the page", ["", "painted, ms", "longest gap, ms", "loaded, s"], rows
    )
    slow = [row for row in rows if row[2] > BAR_MS or (row[1] > BAR_MS and "image" not in row[0])]
    assert slow == [], (
        "an image is painted when it is decoded, beside the window; all else is painted at once"
    )

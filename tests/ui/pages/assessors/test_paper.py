"""Tests of paper judging: a booklet is written as PDF, and marks are entered by key."""

from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog

from irjudge.errors import CommitFailed
from irjudge.exchange import BookletPage, make_booklet, read_pages
from irjudge.judging import list_grades_in_force
from irjudge.model import Scale
from irjudge_ui.pages.assessors import AssessorsView
from irjudge_ui.pages.assessors.paper import BookletDialog, PaperEntryDialog, PaperTicks
from irjudge_ui.widgets import set_reading_direction
from irjudge_ui.window import Window

ONE_WINDOW = True


@pytest.fixture
def first_page() -> str:
    return "assessors"


@pytest.fixture
def page(open_window: Window) -> AssessorsView:
    view = open_window.pages.view("assessors")
    assert isinstance(view, AssessorsView)
    return view


def open_entry_dialog(page: AssessorsView) -> PaperEntryDialog:
    make_booklet(page.project, "dan")
    page.actions_by_id["enter-paper"].trigger()
    return page.findChildren(PaperEntryDialog)[-1]


def letter_height(sheet: pypdfium2.PdfPage, content: str) -> float:
    """Return the height in points of the first letter of a text on a page."""
    text = sheet.get_textpage()
    at, _ = text.search(content).get_next()
    _, bottom, _, top = text.get_charbox(at)
    return top - bottom


def longest_page(page: AssessorsView) -> tuple[str, BookletPage]:
    return max(read_pages(page.project).items(), key=lambda each: len(each[1].documents))


def type_keys(dialog: PaperEntryDialog, keys: str) -> None:
    """Press keys in the field that expects them: the code, or the list of marks."""
    for key in keys:
        QTest.keyClick(dialog.ticks if dialog.ticks.titles else dialog.code, key)


@pytest.mark.slow
def test_booklets_of_named_assessors_become_a_pdf(
    page: AssessorsView,
    wait_until_idle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    messages: list[str] = []
    page.message_shown.connect(messages.append)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "b.pdf"), ""))
    page.actions_by_id["booklet"].trigger()
    dialog = page.findChildren(BookletDialog)[-1]
    dialog.names.setText("dan, eve")
    dialog.buttons[-1].click()
    wait_until_idle()
    pages = read_pages(page.project)
    assert {each.assessor for each in pages.values()} == {"dan", "eve"}
    pdf = pypdfium2.PdfDocument(tmp_path / "b.pdf")
    texts = [each.get_textpage().get_text_bounded() for each in pdf]
    assert all(any(code in text for text in texts) for code in pages)
    code, first = next(iter(pages.items()))
    title = page.project.collection.document(first.documents[0]).title
    assert (
        title and letter_height(pdf[0], code) > 12 and 6 < letter_height(pdf[0], title) < 12
    )  # minimum sizes in points, for reading from a distance and in the hand
    assert f"b.pdf. Parts: {len(pages)}." in messages[-1]


def test_a_code_and_a_key_per_document_save_a_page(page: AssessorsView) -> None:
    dialog = open_entry_dialog(page)
    code, paper = longest_page(page)
    type_keys(dialog, code)
    assert dialog.ticks.titles
    rest = len(paper.documents) - 2
    type_keys(dialog, "2x" + "0" * rest)
    events = list_grades_in_force(page.project, "dan")
    assert [event.payload.get("value") for event in events] == [2, None, *[0] * rest]
    assert not dialog.ticks.titles and dialog.code.text() == "" and dialog.saved == len(events)
    assert {event.payload["paper"] for event in events} == {code}
    dialog.close()


def test_marks_that_cannot_be_saved_are_kept_and_the_last_key_tries_again(
    page: AssessorsView, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = open_entry_dialog(page)
    code, paper = longest_page(page)
    marks = "2" + "0" * (len(paper.documents) - 1)
    type_keys(dialog, code)
    with monkeypatch.context() as broken:

        def refuse(*_: object) -> None:
            raise CommitFailed("Not saved: the disk is full.")

        broken.setattr("irjudge_ui.pages.assessors.paper.record_entry", refuse)
        type_keys(dialog, marks)
    assert "disk is full" in dialog.status.text() and not dialog.saved
    assert dialog.ticks.titles and dialog.ticks.ticks == tuple(marks[:-1])
    type_keys(dialog, marks[-1])
    events = list_grades_in_force(page.project, "dan")
    assert [event.payload["value"] for event in events] == [int(mark) for mark in marks]
    dialog.close()


def test_a_wrong_code_is_reported_at_once_and_a_wrong_key_marks_nothing(
    page: AssessorsView,
) -> None:
    dialog = open_entry_dialog(page)
    code, _ = longest_page(page)
    type_keys(dialog, code[:-1] + str((int(code[-1]) + 1) % 10))
    assert "a digit is wrong" in dialog.status.text() and not dialog.ticks.titles
    dialog.code.clear()
    type_keys(dialog, code + "9q")
    assert dialog.ticks.ticks == ()
    type_keys(dialog, "2")
    assert dialog.ticks.ticks == ("2",)
    QTest.keyClick(dialog.ticks, Qt.Key.Key_Backspace)
    assert dialog.ticks.ticks == ()
    QTest.keyClick(dialog.ticks, Qt.Key.Key_Backspace)
    assert not dialog.ticks.titles and not list_grades_in_force(page.project, "dan")
    dialog.close()


def test_a_sentence_follows_its_own_direction_in_a_table_of_the_other_direction(
    qapp: QApplication,
) -> None:
    document = QTextDocument()
    document.setHtml(
        '<div dir="ltr"><table><tr><td>A tea, please.</td><td>كوب شاي من فضلك.</td></tr></table></div>'
    )
    set_reading_direction(document)
    blocks = [document.findBlockByNumber(number) for number in range(document.blockCount())]
    ways = {block.text(): block.textDirection() for block in blocks if block.text()}
    assert ways == {
        "A tea, please.": Qt.LayoutDirection.LeftToRight,
        "كوب شاي من فضلك.": Qt.LayoutDirection.RightToLeft,
    }


def test_no_marks_are_saved_after_the_code_was_changed_to_an_unknown_or_incomplete_one(
    page: AssessorsView,
) -> None:
    dialog = open_entry_dialog(page)
    code, booklet_page = longest_page(page)
    for other_code in ("ZZZZ", code[:-1]):
        type_keys(dialog, code)
        assert len(dialog.ticks.titles) == len(booklet_page.documents)
        dialog.code.setText(other_code)
        dialog.code.textEdited.emit(other_code)
        assert not dialog.ticks.titles
        QTest.keyClicks(dialog.ticks, "1" * len(booklet_page.documents))
        assert dialog.saved == 0
        dialog.code.clear()
    dialog.reject()


@pytest.mark.parametrize(
    ("keys", "ticks"),
    [("1x-", ("1", "x", "-")), ("20051", ("20", "5")), ("01*0-", ("1", "x", "0"))],
)
@pytest.mark.usefixtures("qapp")
def test_a_sign_completes_a_grade_of_one_digit(keys: str, ticks: tuple[str, ...]) -> None:
    """The digit before the sign was lost, so that the sign became the mark of its document."""
    paper_ticks = PaperTicks(Scale.parse("0-20"))
    paper_ticks.show_titles(("a", "b", "c"))
    QTest.keyClicks(paper_ticks, keys)
    assert paper_ticks.ticks == ticks

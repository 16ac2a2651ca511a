"""Dialogs that several pages use: document, pictures of its pages, search, exercises."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QLineEdit, QWidget

from irjudge.errors import IrjudgeError
from irjudge.formats.collections import PagePicture, render_page_picture
from irjudge.judging import cache_postings, get_cached_postings, load_postings
from irjudge.model import UNJUDGEABLE, Document, Scale, Topic
from irjudge.progress import Progress
from irjudge.search import Postings
from irjudge.store import Project, SearchHit, find_documents, limit_to_shown_fields
from irjudge.text import query_terms
from irjudge_ui.actions import format_keys
from irjudge_ui.jobs import LatestJob, on_project
from irjudge_ui.messages import escape_markup, filled, translate, translate_message
from irjudge_ui.models import MISSING, Column, TableModel
from irjudge_ui.pages.shared.view import View
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_XL,
    Dialog,
    DocumentView,
    Flow,
    GradeButtons,
    Table,
    card,
    join_horizontally,
    keycap,
    make_button,
    make_growing,
    make_label,
    make_timer,
    named,
    row,
    show_text,
)
from irjudge_ui.workspace import DocumentLoader, GradeEntry, MarkedDocumentLoader

# Dialog with a full document, and dialog with pictures of the pages of its file

PAGES_SIZE = (860, 720)
MAX_CACHED_PAGES = 12  # maximum number of cached pictures of pages
PAGE_STEPS = {"Left": -1, "Right": 1}  # number of pages to go forward, by key


class PagesDialog(Dialog):
    """Read-only dialog that shows pages of a document's file as pictures; arrow keys turn pages.

    Pages are rendered in the background.
    """

    def __init__(self, parent: QWidget, project: Project, document: str, zoom: float) -> None:
        super().__init__(parent, PAGES_SIZE)
        self._project, self._document, self._zoom = project, document, zoom
        self._job = LatestJob()
        self._pictures: OrderedDict[int, PagePicture] = OrderedDict()
        self.shown: PagePicture | None = None
        self.view = named(DocumentView(), self.tr("Page"))
        self.view.allow_tall_pictures()
        self._loader = DocumentLoader(self.view)
        self._page_label = make_label("", "quiet", wrap=False)
        self.problem = make_label("", "error", hidden=True)
        self.back = make_button(self.tr("Previous page"), clicked=lambda: self.turn(-1))
        self.next_button = make_button(self.tr("Next page"), clicked=lambda: self.turn(1))
        for key, step in PAGE_STEPS.items():
            QShortcut(QKeySequence(key), self).activated.connect(lambda step=step: self.turn(step))
        self.fill(
            document,
            [
                self.problem,
                make_growing(card(self.view, margin=SPACE_M)),
                Flow(
                    (
                        *[
                            join_horizontally(button, keycap(format_keys(key)))
                            for button, key in zip(
                                (self.back, self.next_button), PAGE_STEPS, strict=True
                            )
                        ],
                        self._page_label,
                    )
                ),
            ],
            [(self.tr("Close"), None)],
        )
        self.finished.connect(lambda _result: self._job.stop())
        self.finished.connect(lambda _result: self._loader.stop())
        self.view.ensurePolished()  # without this, the style sheet would change the font later
        self._load_page(1)
        self.view.setFocus()

    def turn(self, step: int) -> None:
        if self.shown and 1 <= self.shown.number + step <= self.shown.pages:
            self._load_page(self.shown.number + step)

    def _load_page(self, number: int) -> None:
        if number in self._pictures:
            self._pictures.move_to_end(number)
            self._show(self._pictures[number])
            return
        document = self._document
        missing_message = self.tr("The project has no page images of {document}.")
        self._page_label.setText(filled(self.tr("Rendering page {number} …"), number=number))

        def draw(project: Project, _progress: Progress) -> PagePicture:
            if (pdf := project.collection.pdf(document)) is None:
                raise IrjudgeError(filled(missing_message, document=document))
            return render_page_picture(pdf, number, Path(document))

        self._job.run(on_project(self._project, draw), self._on_picture, self._on_failed)

    def _on_picture(self, picture: PagePicture) -> None:
        self._pictures[picture.number] = picture
        if len(self._pictures) > MAX_CACHED_PAGES:
            self._pictures.popitem(last=False)
        self._show(picture)

    def _show(self, picture: PagePicture) -> None:
        self.shown = picture
        self.problem.hide()
        self._page_label.setText(
            filled(
                self.tr("Page {number} of {pages}"),
                number=f"{picture.number:,}",
                pages=f"{picture.pages:,}",
            )
        )
        self.back.setEnabled(picture.number > 1)
        self.next_button.setEnabled(picture.number < picture.pages)
        self._loader.show(Document(self._document, picture.png, kind="image"), self._zoom)

    def _on_failed(self, error: Exception, trace: str) -> None:
        if trace:
            raise error
        self._page_label.setText("")
        show_text(self.problem, "✕ " + translate_message(str(error)))


DOCUMENT_SIZE = (820, 700)


class DocumentDialog(Dialog):
    """Read-only dialog with a document, in which the terms of the text `note` are marked.

    `description` is shown above the document. If `project_with_pages` is set, a button opens
    pictures of the pages of the document's file. Many pages open the dialog for a document in a
    table; `note` is, for example, a search query.
    """

    def __init__(
        self,
        parent: QWidget,
        document: Document,
        description: str,
        zoom: float,
        *,
        note: str = "",
        project_with_pages: Project | None = None,
    ) -> None:
        super().__init__(parent, DOCUMENT_SIZE)
        self.view = named(DocumentView(), self.tr("Document"))
        self._loader = MarkedDocumentLoader(self.view)
        self.pages = make_button(
            self.tr("Show pages as images"),
            clicked=lambda: (
                PagesDialog(self, project_with_pages, document.id, zoom).open()
                if project_with_pages
                else None
            ),
        )
        self.pages.setHidden(project_with_pages is None)
        description_label = make_label(description, "quiet")
        header = row(description_label, self.pages, stretched=description_label)
        self.fill(
            document.id,
            [header, make_growing(card(self.view, margin=SPACE_XL))],
            [(self.tr("Close"), None)],
        )
        self.finished.connect(lambda _result: self._loader.stop())
        self.view.ensurePolished()  # without this, the style sheet would change the font later
        self._loader.show(document, query_terms(note), zoom)
        self.view.setFocus()


def open_document(
    parent: QWidget,
    project: Project,
    document: str,
    description: str,
    zoom: float,
    *,
    note: str = "",
) -> str:
    """Show a document in a dialog; return an error message if the project lacks its text.

    The message is empty if there is no error.
    """
    if (document_read := project.collection.document(document)) is None:
        return filled(
            translate("DocumentDialog", "The project has no text for {document}."),
            document=document,
        )
    DocumentDialog(
        parent,
        limit_to_shown_fields(project, document_read),
        description,
        zoom,
        note=note,
        project_with_pages=project if project.collection.has_pages(document) else None,
    ).open()
    return ""


# Dialog that searches the collection for documents of a topic

DIALOG_SIZE = (860, 700)
TYPING_DELAY_MS = 120  # pause in typing after which the query is searched
MIN_ROWS = 4


@dataclass(frozen=True, slots=True)
class SearchContext:
    """Input of the search dialog: topic, scale, and functions of the page that opened it.

    `grade_of` returns the user's grade of a document, or None. `give` saves a grade, or raises an
    exception. On the adjudication page, the grades are decisions. `open` shows a document on the
    page for judging; None if that is not possible.
    """

    topic: Topic
    scale: Scale
    # function that returns the user's grade of a document, or None if it has none
    grade_of: Callable[[str], int | None]
    give: Callable[[str, int], object]  # function that saves a grade, or raises an exception
    # function that shows a document on the page for judging; None if that is not possible
    open: Callable[[str], object] | None = None


class SearchDialog(Dialog):
    """Dialog that searches the collection while the user types; results can be graded.

    The documents are indexed first if necessary. Enter moves the focus to the results; digits grade
    the selected result with `SearchContext.give`; Enter or a button opens it on the page for
    judging, if that is possible.

    `graded` is emitted with the id of a document and its grade after the grade was saved.
    """

    graded = Signal(str, int)

    def __init__(
        self, page: View, project: Project, cache: Path, context: SearchContext, zoom: float
    ) -> None:
        super().__init__(page, DIALOG_SIZE)
        self._page, self._project, self._cache = page, project, cache
        self._context, self._zoom = context, zoom
        self._job, self._document_id = LatestJob(), ""
        self.finished.connect(lambda _result: self._job.stop())
        self.query, self.hits = (
            named(
                QLineEdit(
                    placeholderText=self.tr("Words, or the beginning of a document id"),
                    clearButtonEnabled=True,
                ),
                self.tr("Search terms"),
            ),
            TableModel(_columns()),
        )
        self.table = Table(self.hits, self.tr("Matching documents"), stretch=2, rows=MIN_ROWS)
        self.document = named(DocumentView(), self.tr("Text of the selected document"))
        self.description_label = make_label("", "small")
        self.problem = make_label("", "error", hidden=True)
        self._loader = DocumentLoader(self.document)
        self.grades = GradeButtons(
            [(grade.value, translate_message(grade.label)) for grade in context.scale.grades]
        )
        self._typing_timer = make_timer(self, TYPING_DELAY_MS, self.search)
        self._lay_out()
        self._entry = GradeEntry(lambda: bool(self._document_id))
        self._entry.set_values(self._context.scale.values)
        self._entry.graded.connect(self.give)
        for watched in (self.table, self.document, self.document.viewport()):
            watched.installEventFilter(self._entry)
        self.query.textChanged.connect(lambda _text: self._typing_timer.start())
        self.query.returnPressed.connect(self._enter)
        self.grades.chosen.connect(self.give)
        self.table.selectionModel().currentRowChanged.connect(
            lambda current, _previous: self._choose_hit(current)
        )
        self.table.opened.connect(lambda _line: self.judge_shown())
        self.query.setFocus()

    def _lay_out(self) -> None:
        self.grades.set_row(row=True)
        self.judge_button = make_button(self.tr("Open and judge"), clicked=self.judge_shown)
        self.judge_button.setVisible(self._context.open is not None)
        self.fill(
            self.tr("Search in the collection"),
            [
                make_label(
                    filled(
                        self.tr("For topic: {title}"),
                        title=escape_markup(self._context.topic.title or self._context.topic.id),
                    ),
                    "quiet",
                ),
                self.query,
                self.description_label,
                self.table,
                make_growing(card(self.document, margin=SPACE_M)),
                self.grades,
                self.problem,
            ],
            [(self.tr("Close"), None)],
        )
        self.buttons[-1].setAutoDefault(False)
        dialog_layout = self.layout()
        last_item = dialog_layout.itemAt(dialog_layout.count() - 1) if dialog_layout else None
        button_row = last_item.layout() if last_item else None
        assert isinstance(button_row, QBoxLayout)  # noqa: S101 -- the buttons of a dialog are its last row
        button_row.insertWidget(1, self.judge_button)
        self.document.ensurePolished()
        self._choose_hit(None)

    # Searching

    def search(self) -> None:
        self._typing_timer.stop()
        cache, query = self._cache, self.query.text()
        if (cached_postings := get_cached_postings(self._project)) is None:
            self.description_label.setText(self.tr("Indexing the words of all documents …"))

        def find(
            job_project: Project, progress: Progress
        ) -> tuple[Postings, tuple[SearchHit, ...]]:
            postings = cached_postings or load_postings(job_project, cache, progress)
            return postings, find_documents(job_project, postings, query)

        self._job.run(
            on_project(self._project, find),
            self._show_hits,
            lambda error, trace: self._page.show_error(error, trace, self.problem),
        )

    def _show_hits(self, results: tuple[Postings, tuple[SearchHit, ...]]) -> None:
        cache_postings(self._project, results[0])
        self.hits.fill([(hit, self._context.grade_of(hit.id)) for hit in results[1]])
        message = (
            filled(
                self.tr("Matching documents, best first: {count}."),
                count=f"{len(results[1]):,}",
            )
            if results[1]
            else self.tr("No matches.")
        )
        self.description_label.setText(message if self.query.text().strip() else "")
        self._choose_hit(None)
        if results[1] and self.table.hasFocus():
            self.table.selectRow(0)

    def _enter(self) -> None:
        if self._typing_timer.isActive():
            self.search()
        self.table.setFocus()
        if self.table.model().rowCount():
            self.table.selectRow(0)

    # Selected result

    def _choose_hit(self, index: QModelIndex | None) -> None:
        id = str(index.siblingAtColumn(0).data()) if index is not None and index.isValid() else ""
        document = self._project.collection.document(id) if id else None
        self._document_id = id if document else ""
        for part in (self.grades, self.judge_button):
            part.setEnabled(document is not None)
        if document is None:
            self._loader.stop()
            self.document.show_html("", self._zoom)
        else:
            self._loader.show(limit_to_shown_fields(self._project, document), self._zoom)
            self.grades.mark_grade(self._context.grade_of(id))

    def give(self, grade: int) -> None:
        if not (document := self._document_id):
            return
        try:
            self._context.give(document, grade)
        except IrjudgeError as error:
            show_text(self.problem, "✕ " + translate_message(str(error)))
            return
        self.problem.hide()
        self.hits.update_and_append(
            [(hit, self._context.grade_of(hit.id)) for hit, _ in self.hits.rows]
        )
        self.grades.mark_grade(grade)
        self.graded.emit(document, grade)

    def judge_shown(self) -> None:
        document, open_document = self._document_id, self._context.open
        if document and open_document is not None:
            self.accept()
            open_document(document)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ignore Enter here, so that the dialog does not press a button.

        The query field and the table of results handle Enter themselves.
        """
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            event.accept()
        else:
            super().keyPressEvent(event)


def _columns() -> list[Column]:
    return [
        Column(translate("SearchDialog", "Document"), lambda row: row[0].id),
        Column(translate("SearchDialog", "Title"), lambda row: row[0].title),
        Column(translate("SearchDialog", "Text"), lambda row: row[0].text),
        Column(
            translate("SearchDialog", "Your grade"),
            lambda row: row[1],
            format_grade,
            number=True,
        ),
    ]


def format_grade(grade: int | None) -> str:
    """Return the text of a grade in a table; a dash if there is none."""
    return {None: MISSING, UNJUDGEABLE: "✕"}.get(grade, str(grade))


# Base class of exercise dialogs


class ExerciseDialog(Dialog):
    """Base class of dialogs that pose exercises; each exercise is generated from a seed.

    It has the parts that all exercises share: question, verdict, calculation and buttons. The
    button for the next exercise uses the next seed. Subclasses implement `draw`, which poses the
    exercise of a seed, and the display of the calculation.
    """

    def __init__(self, page: View, size: tuple[int, int]) -> None:
        super().__init__(page, size)
        self._page, self._seed, self._job = page, 1, LatestJob()
        self.finished.connect(lambda _result: self._job.stop())
        self._question = make_label("", "heading")
        self.verdict, self.working = make_label(), make_label()
        self.problem = make_label("", "error")
        self._result_widgets = (self.verdict, self.problem, self.working)
        self.reveal = make_button(self.tr("Show calculation"), clicked=self._reveal)
        self.next = make_button(self.tr("Next exercise"), clicked=lambda: self.draw(self._seed + 1))

    def draw(self, seed: int) -> None:
        raise NotImplementedError

    def _reveal(self) -> None:
        raise NotImplementedError

    def _show_verdict(self, verdict: str, problem: str) -> None:
        show_text(self.verdict, verdict)
        show_text(self.problem, f"✕ {problem}" if problem else "")
        self.working.hide()

    def _on_failed(self, error: Exception, trace: str) -> None:
        self._page.show_error(error, trace, self.problem)

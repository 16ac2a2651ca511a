"""Offers a grade to documents nearly the same as one that was judged: it is given where somebody asks for it, never in silence."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, Signal

from irjudge.judging.alike import GradeOffer, grade_offers
from irjudge.judging.queue import QueuePlace
from irjudge.judging.session import Session
from irjudge.progress import Progress
from irjudge.search.duplicates import AlikeGroups
from irjudge.store.project import Project
from irjudge.store.search_index import project_alike
from irjudge_ui.desk.page import DocumentOnDesk
from irjudge_ui.jobs import Latest
from irjudge_ui.models.tables import Column, TableModel, sorted_model
from irjudge_ui.pages.shared.view import View
from irjudge_ui.widgets.dialog import Dialog, growing
from irjudge_ui.widgets.document.document_view import DocumentView
from irjudge_ui.widgets.layout import card, text
from irjudge_ui.widgets.table import Table
from irjudge_ui.widgets.theme import SPACE_M
from irjudge_ui.words import filled, plain

SIZE = (820, 640)
ROWS = 5
translate = QCoreApplication.translate


class AlikeOffers(QObject):
    """Finds beside the window what is nearly the same as a judged document and waits for its grade. `found` comes with the offers."""

    found = Signal(object)
    failed = Signal(object, str)

    def __init__(self, parent: QObject, work: Latest) -> None:
        super().__init__(parent)
        self._work = work

    def ask(self, session: Session, place: QueuePlace, cache: Path) -> None:
        """Find the documents of a place's topic to which its grade may be offered; which texts are alike is found out once."""
        project: Project = session.project
        judgment = session.judgment(place)
        if judgment is None or judgment.kind != "grade":
            return

        def work(progress: Progress) -> AlikeGroups:
            with project.second_connection() as other:
                return project_alike(other, cache, progress=progress)

        self._work.run(work, lambda groups: self.found.emit(offers_at(session, place, groups)), self.failed.emit)


def offers_at(session: Session, place: QueuePlace, groups: AlikeGroups) -> list[GradeOffer]:
    """Return what the grade of a place may be offered to among what is to be judged for its topic."""
    places = session.queue.places(place.topic)
    grades = {
        (each.topic, each.document): int(said.payload["value"]) if said.kind == "grade" else -2
        for each in places
        if (said := session.judgment(each)) is not None
    }
    return grade_offers([(each.topic, each.document) for each in places], grades, groups, place.topic, place.document)


class AlikeDialog(Dialog):
    """Shows documents nearly the same as one that was judged. Those chosen get its grade; `give` is called with them."""

    def __init__(self, page: View, project: Project, offers: Sequence[GradeOffer], give: Callable[[list[GradeOffer]], object], zoom: float):
        super().__init__(page, SIZE)
        self._project, self._give, self._zoom = project, give, zoom
        self.offers = TableModel(_columns(), offers)
        self.table = Table(sorted_model(self.offers), self.tr("Nearly the same"), rows=ROWS)
        self.document = DocumentView()
        self._paper = DocumentOnDesk(self.document)
        about = self.tr("%1 has grade %2. These are nearly the same and not judged. Read one by choosing it; those chosen get the grade.")
        words = text(filled(about, plain(offers[0].source), str(offers[0].grade)), "quiet")
        choices = [
            (self.tr("Give none"), None),
            (filled(self.tr("Give grade %1 to those chosen"), str(offers[0].grade)), self._give_chosen),
        ]
        self.document.setAccessibleName(self.tr("Text of the chosen document"))
        self.fill(self.tr("Nearly the same"), [words, self.table, growing(card(self.document, margin=SPACE_M))], choices)
        self.document.ensurePolished()
        self.table.selectionModel().currentRowChanged.connect(lambda now, _before: self._show(now))
        self.table.selectAll()
        self._show(self.table.model().index(0, 0))
        self.table.setFocus()

    def _show(self, index: QModelIndex) -> None:
        document = self._project.collection.document(str(index.siblingAtColumn(0).data())) if index.isValid() else None
        if document is not None:
            self._paper.show(document, self._zoom)

    def _give_chosen(self) -> None:
        chosen = {str(index.data()) for index in self.table.selectionModel().selectedRows()}
        self._give([each for each in self.offers.rows if each.document in chosen])


def _columns() -> list[Column]:
    help = translate("AlikeDialog", "Share of the runs of three words that both have in common")
    return [
        Column(translate("AlikeDialog", "Document"), lambda each: each.document),
        Column(translate("AlikeDialog", "In common"), lambda each: each.overlap, lambda share: f"{share:.0%}", number=True, help=help),
    ]

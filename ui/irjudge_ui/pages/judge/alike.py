"""The dialog of documents nearly the same as one that was graded: they are listed, and its grade is offered, never given unasked."""

from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QCoreApplication, Signal

from irjudge.errors import IrjudgeError
from irjudge.judging.active_learning import GradeOffer, grade_offers
from irjudge.judging.queue import QueuePlace
from irjudge.judging.session import Session
from irjudge.progress import Progress
from irjudge.search.duplicates import AlikeGroups
from irjudge.store.search_index import project_alike
from irjudge_ui.jobs import Latest
from irjudge_ui.messages import filled, plain
from irjudge_ui.models.tables import Column, TableModel
from irjudge_ui.pages.shared.view import View
from irjudge_ui.widgets.dialog import Dialog
from irjudge_ui.widgets.layout import Part, text
from irjudge_ui.widgets.table import Table

SIZE = (620, 460)
ROWS = 6
NONE = -99  # in place of a grade
translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class AlikeRow:
    """A document that is nearly the same, how much it shares, whether it is to be judged for the topic, and its grade."""

    id: str
    overlap: float
    pooled: bool
    grade: int | None


class AlikeDialog(Dialog):
    """Lists what is nearly the same as a document that has a grade. `graded` comes with those that got the grade, once it is saved."""

    graded = Signal(tuple)

    def __init__(
        self, page: View, session: Session, place: QueuePlace, grade: int, cache: Path
    ) -> None:
        super().__init__(page, SIZE)
        self._page, self._session, self._place, self._grade, self._cache = (
            page,
            session,
            place,
            grade,
            cache,
        )
        self._work = Latest()
        self.finished.connect(lambda _result: self._work.stop())
        self.offers: list[GradeOffer] = []
        self.rows = TableModel(_columns())
        self._table = Table(self.rows, self.tr("Documents that are nearly the same"), rows=ROWS)
        self.about, self.problem = text(""), text("", "error")
        self.problem.hide()
        title = filled(self.tr("Nearly the same as {document}"), document=plain(place.document))
        topic = text(
            filled(
                self.tr("For topic: {title}"),
                title=plain(session.topic(place.topic).title or place.topic),
            ),
            "quiet",
        )
        parts: list[Part] = [topic, self.about, self._table, self.problem, None]
        self.fill(
            title,
            parts,
            [
                (self.tr("Close"), None),
                (filled(self.tr("Give them grade {grade}"), grade=grade), self._give),
            ],
        )
        self.offer = self.buttons[-1]
        self._find()

    def _find(self) -> None:
        """Compare all documents, beside the window; the cache knows them the next time."""
        project, cache = self._session.project, self._cache

        def work(progress: Progress) -> AlikeGroups:
            with project.second_connection() as other:
                return project_alike(other, cache, progress=progress)

        self.offer.setEnabled(False)
        self.about.setText(self.tr("Comparing the texts of all documents …"))
        self._work.run(work, self._show, self._on_failed)

    def _show(self, alike: AlikeGroups) -> None:
        session, topic = self._session, self._place.topic
        waiting = [
            (topic, place.document)
            for place in session.queue.places(topic)
            if session.judgment(place) is None
        ]
        self.offers = grade_offers(waiting, {(topic, self._place.document): self._grade}, alike)
        self.rows.fill(
            [self._row(each.id, each.overlap) for each in alike.others(self._place.document)]
        )
        self.offer.setEnabled(bool(self.offers))
        if not self.rows.rows:
            self.about.setText(self.tr("No document is nearly the same."))
        else:
            words = self.tr(
                "To be judged for this topic, and without a grade: {count}. Read one where you are not sure: a word may decide."
            )
            self.about.setText(filled(words, count=f"{len(self.offers):,}"))

    def _row(self, document: str, overlap: float) -> AlikeRow:
        place = QueuePlace(self._place.topic, document)
        pooled = place in self._session.queue
        judgment = self._session.judgment(place) if pooled else None
        grade = int(judgment.payload["value"]) if judgment and judgment.kind == "grade" else None
        return AlikeRow(document, overlap, pooled, grade)

    def _give(self) -> None:
        """Give each of them the grade, one judgment after another: each can be taken back."""
        given = []
        try:
            for offer in self.offers:
                self._session.grade_found(offer.topic, offer.document, offer.grade)
                given.append(offer.document)
        except IrjudgeError as fault:
            self._page.failed.emit(fault, "")
        if given:
            self.graded.emit(tuple(given))

    def _on_failed(self, fault: Exception, trace: str) -> None:
        self.about.setText("")
        self._page.show_fault(fault, trace, self.problem)


def _columns() -> list[Column]:
    return [
        Column(translate("AlikeDialog", "Document"), lambda each: each.id),
        Column(
            translate("AlikeDialog", "In common"),
            lambda each: each.overlap,
            lambda share: f"{share:.2f}",
            number=True,
        ),
        Column(
            translate("AlikeDialog", "To be judged"),
            lambda each: (
                translate("AlikeDialog", "yes") if each.pooled else translate("AlikeDialog", "no")
            ),
        ),
        Column(
            translate("AlikeDialog", "Your grade"),
            lambda each: NONE if each.grade is None else each.grade,
            lambda grade: "–" if grade == NONE else str(grade),
            number=True,
        ),
    ]

"""Dialogs that list documents: near-duplicates, and all documents of a topic."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QListView, QWidget

from irjudge.errors import IrjudgeError
from irjudge.judging import GradeSuggestion, ItemState, QueueItem, Session, suggest_grades
from irjudge.progress import Progress
from irjudge.search import NearDuplicateGroups
from irjudge.store import Project, measure_overlaps, project_near_duplicates
from irjudge_ui.jobs import LatestJob, on_project
from irjudge_ui.messages import escape_markup, filled, isolate, translate
from irjudge_ui.models import QUEUE_ITEM_ROLE, Column, QueueModel, TableModel
from irjudge_ui.pages.shared import View, format_grade
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_XL,
    ChoiceBox,
    Dialog,
    QueueItemDelegate,
    Table,
    column,
    make_button,
    make_label,
    named,
    row,
)

# Dialog that lists the near-duplicates of a graded document, and can give them the same grade

NEAR_DUPLICATES_SIZE = (620, 460)
MIN_ROWS = 6


@dataclass(frozen=True, slots=True)
class NearDuplicateRow:
    """Table row of a near-duplicate: its overlap with the graded document, and its own grade.

    `overlap` is the shingle overlap of the texts, from 0 to 1. `pooled` is whether the
    near-duplicate is an item of the assessor's queue for the topic. `grade` is None if it is not in
    the queue or not graded.
    """

    id: str
    overlap: float
    pooled: bool
    grade: int | None


class NearDuplicatesDialog(Dialog):
    """Dialog of the judging page with a table of the near-duplicates of a graded document.

    The whole collection is searched for near-duplicates in the background. A button saves the grade
    of the document for all near-duplicates that are unjudged items of the queue for the topic, as a
    judgment for each.

    `graded` is emitted with the ids of the documents for which the grade has been saved.
    """

    graded = Signal(tuple)

    def __init__(
        self, page: View, session: Session, item: QueueItem, grade: int, cache: Path
    ) -> None:
        super().__init__(page, NEAR_DUPLICATES_SIZE)
        self._page, self._cache = page, cache
        self._session, self._item, self._grade = session, item, grade
        self._job = LatestJob()
        self.finished.connect(lambda _result: self._job.stop())
        self.suggestions: list[GradeSuggestion] = []
        self.rows = TableModel(_columns())
        self._table = Table(self.rows, self.tr("Near-duplicates"), rows=MIN_ROWS)
        self.description_label, self.problem = make_label(""), make_label("", "error", hidden=True)
        self.fill(
            filled(self.tr("Near-duplicate of {document}"), document=escape_markup(item.document)),
            [
                make_label(
                    filled(
                        self.tr("For topic: {title}"),
                        title=escape_markup(session.topic(item.topic).title or item.topic),
                    ),
                    "quiet",
                ),
                self.description_label,
                self._table,
                self.problem,
                None,
            ],
            [
                (self.tr("Close"), None),
                (
                    filled(self.tr("Give all documents grade {grade}"), grade=grade),
                    self._assign_grade,
                ),
            ],
        )
        self.offer = self.buttons[-1]
        self._find_near_duplicates()

    def _find_near_duplicates(self) -> None:
        cache, document = self._cache, self._item.document

        def find_groups(
            project: Project, progress: Progress
        ) -> tuple[NearDuplicateGroups, dict[str, float]]:
            groups = project_near_duplicates(project, cache, progress=progress)
            other_ids = [duplicate.id for duplicate in groups.list_others(document)]
            overlaps = measure_overlaps(
                project, [(document, other) for other in other_ids], progress
            )
            return groups, dict(zip(other_ids, overlaps, strict=True))

        self.offer.setEnabled(False)
        self.description_label.setText(self.tr("Comparing the texts of all documents …"))
        self._job.run(on_project(self._session.project, find_groups), self._show, self._on_failed)

    def _show(self, groups_and_overlaps: tuple[NearDuplicateGroups, dict[str, float]]) -> None:
        groups, overlaps = groups_and_overlaps
        session, topic = self._session, self._item.topic
        self.suggestions = suggest_grades(
            [
                (topic, state.document)
                for state in session.queue.topic_items(topic)
                if session.judgment(state) is None
            ],
            {(topic, self._item.document): self._grade},
            groups,
        )
        self.rows.fill(
            [self._make_row(document, overlap) for document, overlap in overlaps.items()]
        )
        self.offer.setEnabled(bool(self.suggestions))
        self.description_label.setText(
            filled(
                self.tr(
                    "Documents of this topic without a grade: {count}. Open a document if you are "
                    "not sure: a single word can change the grade."
                ),
                count=f"{len(self.suggestions):,}",
            )
            if self.rows.rows
            else self.tr("No near-duplicates.")
        )

    def _make_row(self, document: str, overlap: float) -> NearDuplicateRow:
        item = QueueItem(self._item.topic, document)
        pooled = item in self._session.queue
        judgment = self._session.judgment(item) if pooled else None
        return NearDuplicateRow(
            document,
            overlap,
            pooled,
            int(judgment.payload["value"]) if judgment and judgment.kind == "grade" else None,
        )

    def _assign_grade(self) -> None:
        """Save the grade for all suggested documents.

        Each document gets a judgment of its own, so that the judgments can be undone one by one.
        """
        graded_documents = []
        try:
            for suggestion in self.suggestions:
                self._session.grade_retrieved(
                    suggestion.topic, suggestion.document, suggestion.grade
                )
                graded_documents.append(suggestion.document)
        except IrjudgeError as error:
            self._page.failed.emit(error, "")
        if graded_documents:
            self.graded.emit(tuple(graded_documents))

    def _on_failed(self, error: Exception, trace: str) -> None:
        self.description_label.setText("")
        self._page.show_error(error, trace, self.problem)


def _columns() -> list[Column]:
    return [
        Column(translate("AlikeDialog", "Document"), lambda document: document.id),
        Column(
            translate("AlikeDialog", "Similarity"),
            lambda document: document.overlap,
            lambda share: f"{share:.2f}",
            number=True,
        ),
        Column(
            translate("AlikeDialog", "To judge"),
            lambda document: (
                translate("AlikeDialog", "yes")
                if document.pooled
                else translate("AlikeDialog", "no")
            ),
        ),
        Column(
            translate("AlikeDialog", "Your grade"),
            lambda document: document.grade,
            format_grade,
            number=True,
        ),
    ]


# Dialog that lists all documents of a topic (judged, skipped or unjudged), to open one

DOCUMENTS_SIZE = (560, 620)
MIN_CHARACTERS = 20  # minimum width of a topic's title, in characters
STATE_FILTERS: dict[str, Callable[[ItemState], bool]] = {
    "all": lambda state: True,
    "unjudged": lambda state: state.state == "unjudged",
    "skipped": lambda state: state.state == "skipped",
    "judged": lambda state: state.state in ("grade", "unjudgeable"),
    "unsure": lambda state: state.unsure,
}
PRIORITIES: tuple[Callable[[ItemState], bool], ...] = (
    lambda state: state.state in ("unjudged", "skipped"),
    STATE_FILTERS["unsure"],
)


class JumpDialog(Dialog):
    """Dialog of the judging page that lists a topic's documents; the user opens one of them.

    The documents are in the order of judging, and filtered by state. The topic and the state (such
    as unjudged or skipped) can be selected. `chosen` is emitted with the queue item of the document
    to open.
    """

    chosen = Signal(object)

    def __init__(
        self, parent: QWidget, session: Session, topic: str, selected_item: QueueItem | None
    ) -> None:
        super().__init__(parent, DOCUMENTS_SIZE)
        self.setWindowTitle(self.tr("Documents"))
        self._session = session
        self._items: tuple[ItemState, ...] = ()
        self._model = QueueModel([], {}, session.scale.values)
        self._list = self._new_list()
        self._filter = ChoiceBox(
            name=self.tr("Documents to list"), activated=lambda _index: self._show(None)
        )
        self._filter.setObjectName("kept")
        self._topics = self._new_topics()
        hint = make_label(
            self.tr(
                "Press Enter to open a document. You can then press a digit to change its grade."
            ),
            "small",
        )
        self.setLayout(
            column(
                self._topics,
                row(self._filter, None),
                self._list,
                row(
                    hint,
                    make_button(self.tr("Close"), clicked=self.reject),
                    make_button(
                        self.tr("Open"),
                        "primary",
                        clicked=lambda: self._open_item(self._list.currentIndex()),
                    ),
                    stretched=hint,
                ),
                spacing=SPACE_M,
                margins=(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL),
                stretched=self._list,
            )
        )
        self._list.setFocus()
        self._topics.setCurrentIndex(max(0, self._topics.findData(topic)))
        self._list_topic(selected_item)

    def _new_list(self) -> QListView:
        list_view = named(QListView(uniformItemSizes=True), self.tr("Documents of this topic"))
        list_view.setObjectName("places")
        list_view.setModel(self._model)
        list_view.setItemDelegate(QueueItemDelegate(list_view))
        list_view.activated.connect(self._open_item)
        return list_view

    def _new_topics(self) -> ChoiceBox:
        box = ChoiceBox(
            MIN_CHARACTERS, self.tr("Topic"), activated=lambda _index: self._list_topic(None)
        )
        box.setObjectName("topics")
        for topic in self._session.queue.topics:
            count, title = self._session.count(topic), self._session.topic(topic).title or topic
            box.add_choice(f"{isolate(title)}  {count.judged:,}/{count.assigned:,}", topic, title)
        return box

    def _list_topic(self, item: QueueItem | None) -> None:
        if (topic := self._topics.currentData()) is None:
            return
        self._topics.setToolTip(
            escape_markup(self._topics.currentData(Qt.ItemDataRole.ToolTipRole))
        )
        self._items = self._session.item_states(topic)
        self._model.set_titles(self._session.titles(topic))
        labels = {
            "all": self.tr("All"),
            "unjudged": self.tr("Not judged"),
            "skipped": self.tr("Skipped"),
            "judged": self.tr("Judged"),
            "unsure": self.tr("Unsure"),
        }
        self._filter.clear()
        self._filter.add_choices(
            (f"{labels[name]}  ({sum(map(predicate, self._items)):,})", name)
            for name, predicate in STATE_FILTERS.items()
        )
        self._show(item or first_unfinished(self._items))

    def _show(self, item: QueueItem | None) -> None:
        self._model.show_items([*filter(STATE_FILTERS[self._filter.currentData()], self._items)])
        row = next((row for row, state in enumerate(self._model.items) if state.item == item), 0)
        self._list.setCurrentIndex(self._model.index(row))
        self._list.scrollTo(self._list.currentIndex(), QListView.ScrollHint.PositionAtCenter)

    def _open_item(self, index: QModelIndex) -> None:
        if (state := index.data(QUEUE_ITEM_ROLE)) is not None:
            self.accept()
            self.chosen.emit(state.item)


def first_unfinished(states: Sequence[ItemState]) -> QueueItem | None:
    """Return the first unjudged document, or else the first document marked as unsure.

    Return None if there is no such document.
    """
    return next(
        (state.item for predicate in PRIORITIES for state in states if predicate(state)), None
    )

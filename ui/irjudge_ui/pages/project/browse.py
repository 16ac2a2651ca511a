"""Browse page: lists and searches the documents, topics and runs of a collection."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtWidgets import QLineEdit, QProgressBar, QStackedWidget

from irjudge.judging import list_qrels_choices, read_project_qrels
from irjudge.model import Document, top_documents
from irjudge.progress import Progress
from irjudge.store import IndexState, Project, SearchIndex, SearchResults, search_documents
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.messages import filled
from irjudge_ui.models import Column, TableModel
from irjudge_ui.pages.project.collection import topic_rows
from irjudge_ui.pages.shared import DocumentDialog, View, open_document
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    ChoiceBox,
    Table,
    card,
    column,
    make_button,
    make_flow,
    make_label,
    row,
)

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class TopicRow:
    """A topic: its texts, and how many of its documents are pooled, judged and relevant."""

    id: str
    title: str
    description: str
    pooled: int
    judged: int
    relevant: int


@dataclass(frozen=True, slots=True)
class RankRow:
    """A rank of a run: the document, its title, its score, and its grade in the qrels; None where it has none."""

    rank: int
    id: str
    title: str
    score: float
    grade: int | None


def document_columns() -> list[Column]:
    """Return id, title, text and fields."""
    return [
        Column(translate("BrowseView", "Document"), lambda row: row.id),
        Column(translate("BrowseView", "Title"), lambda row: row.title),
        Column(translate("BrowseView", "Text"), lambda row: row.text),
        Column(translate("BrowseView", "Fields"), lambda row: row.facts),
    ]


def topic_columns() -> list[Column]:
    """Return the texts of a topic, then how far it is judged."""
    return [
        Column(translate("BrowseView", "Topic"), lambda row: row.id),
        Column(translate("BrowseView", "Title"), lambda row: row.title),
        Column(translate("BrowseView", "Description"), lambda row: row.description),
        Column(
            translate("BrowseView", "Pooled"),
            lambda row: row.pooled,
            lambda count: f"{count:,}",
            number=True,
        ),
        Column(
            translate("BrowseView", "Judged"),
            lambda row: row.judged,
            lambda count: f"{count:,}",
            number=True,
        ),
        Column(
            translate("BrowseView", "Relevant"),
            lambda row: row.relevant,
            lambda count: f"{count:,}",
            number=True,
        ),
    ]


def rank_columns() -> list[Column]:
    """Return rank, document, score and grade."""
    return [
        Column(
            translate("BrowseView", "Rank"),
            lambda row: row.rank,
            lambda rank: f"{rank:,}",
            number=True,
        ),
        Column(translate("BrowseView", "Document"), lambda row: row.id),
        Column(translate("BrowseView", "Title"), lambda row: row.title),
        Column(
            translate("BrowseView", "Score"),
            lambda row: row.score,
            lambda score: f"{score:.4f}",
            number=True,
        ),
        Column(
            translate("BrowseView", "Grade"),
            lambda row: -99 if row.grade is None else row.grade,
            lambda grade: "–" if grade == -99 else "✕" if grade == -2 else str(grade),
            number=True,
        ),
    ]


MOST = 100  # documents that are listed
MAX_RANKS = 1000
TYPING_MS = (
    50  # that keys may follow each other by without a search between; a search takes about as long
)
DOCUMENTS, TOPICS, RUNS = 0, 1, 2
LETTERS = 14  # of a choice


@dataclass(frozen=True, slots=True)
class TopicRequest:
    """A topic that another page wants to be looked at."""

    topic: str


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A run whose rankings another page wants to be looked at."""

    run: str


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """Words for which another page wants documents to be searched."""

    words: str


class BrowseView(View):
    """Lists documents, topics or the ranking of a run; what is typed finds some of them, and Enter opens one."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._work, self._indexing = self.latest(), self.latest()
        self._index: IndexState | None = None  # None until known
        self._wish: TopicRequest | None = None
        self.kind, self.run, self.topic = (ChoiceBox(LETTERS) for _ in range(3))
        self.search = QLineEdit()
        self.documents, self.topics, self.ranks = (
            TableModel(document_columns()),
            TableModel(topic_columns()),
            TableModel(rank_columns()),
        )
        self._tables = (
            Table(self.documents, self.tr("Documents"), stretch=2),
            Table(self.topics, self.tr("Topics"), stretch=2),
            Table(self.ranks, self.tr("Ranking"), stretch=2),
        )
        self.about, self._state = make_label("", "quiet"), make_label("", "small")
        self._typing = QTimer(self)
        self._typing.setSingleShot(True)
        self._typing.setInterval(TYPING_MS)
        self._lay_out()
        self._connect()
        self.actions_by_id = create_actions(self, self._deeds())

    def _deeds(self) -> dict[str, ActionHandler]:
        return {
            "search": ActionHandler(self.focus_search),
            "make-index": ActionHandler(self.make_index, lambda: self.can_index),
        }

    def _lay_out(self) -> None:
        for words in (self.tr("Documents"), self.tr("Topics"), self.tr("Runs")):
            self.kind.addItem(words)
        for box, name in (
            (self.kind, self.tr("What is listed")),
            (self.run, self.tr("Run")),
            (self.topic, self.tr("Topic")),
        ):
            box.setAccessibleName(name)
        self.search.setAccessibleName(BY_ID["search"].label)
        self.search.setClearButtonEnabled(True)
        self._make = make_button(BY_ID["make-index"].label)
        self._cancel = make_button(self.tr("Cancel"))
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setAccessibleName(self.tr("Indexing documents"))
        self._choices = make_flow(self.run, self.topic)
        self._stack = QStackedWidget()
        for table in self._tables:
            self._stack.addWidget(table)
        head = row(self.kind, self.search, spacing=SPACE_M)
        head.setStretch(1, 1)
        indexing = row(self._state, self._bar, self._make, self._cancel)
        indexing.setStretch(0, 1)
        paper = card(self.about, self._stack, margin=SPACE_M)
        parts = column(
            make_label(BY_ID["browse"].label, "title"),
            head,
            self._choices,
            indexing,
            paper,
            spacing=SPACE_S,
        )
        parts.setStretchFactor(paper, 1)
        self.setLayout(parts)

    def _connect(self) -> None:
        bind_key_cap(
            "search",
            lambda key: self.search.setPlaceholderText(f"{BY_ID['search'].label} ({key})"),
            self.search,
        )
        bind_key_cap("make-index", self._make.setToolTip, self._make)
        self.kind.currentIndexChanged.connect(lambda _place: self._show_kind())
        self.search.textChanged.connect(lambda _text: self._typing.start())
        self.search.returnPressed.connect(self._enter)
        self._typing.timeout.connect(self.look)
        for box in (self.run, self.topic):
            box.activated.connect(lambda _place: self.look())
        for table in self._tables:
            table.opened.connect(self._open)
        self._make.clicked.connect(lambda: self.actions_by_id["make-index"].trigger())
        self._cancel.clicked.connect(self._stop_indexing)

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        if project is not self.project:
            self._index = None
            self.search.clear()
            for model in (self.documents, self.topics, self.ranks):
                model.fill(())
        super().show_project(project)
        self._show_indexing(None)

    def take(self, what: object) -> None:
        """List the topics and select one, list the rankings of a run, or search documents."""
        if isinstance(what, TopicRequest):
            self._wish = what
            self.search.clear()
            self.kind.setCurrentIndex(TOPICS)
        elif isinstance(what, RunRequest):
            self.search.clear()
            self._list_rankings()  # the run may have been added after the page was shown
            self.run.setCurrentText(what.run)
            self.kind.setCurrentIndex(RUNS)
        elif isinstance(what, SearchRequest):
            self.kind.setCurrentIndex(DOCUMENTS)
            self.search.setText(what.words)

    def refresh(self) -> None:
        """Offer the runs and topics there are, and list again."""
        if self.project is None:
            return
        self._index = None
        self._list_rankings()
        self._show_kind()

    def _list_rankings(self) -> None:
        """Offer the runs and topics of the project; keep the selected ones."""
        if self.project is None:
            return
        for box, names in (
            (self.run, [run.name for run in self.project.rankings.runs()]),
            (self.topic, [topic.id for topic in self.project.collection.topics()]),
        ):
            before = box.currentText()
            box.clear()
            box.addItems(names)
            box.setCurrentIndex(max(0, box.findText(before)) if names else -1)

    def focus(self) -> None:
        """Put the focus where one types."""
        self.search.setFocus()

    # Actions

    def focus_search(self) -> None:
        """Put the cursor where one types."""
        self.search.setFocus()
        self.search.selectAll()

    @property
    def can_index(self) -> bool:
        """Whether there is an index to make."""
        return (
            self.project is not None
            and self._index is not None
            and not self._index.ready
            and not self._indexing.busy
        )

    def make_index(self) -> None:
        """Index all documents in the background; one can go on meanwhile."""
        project, cache = self.project, self._settings.cache
        if project is None:
            return

        def work(progress: Progress) -> None:
            with project.second_connection() as other:
                SearchIndex(other, cache).build(progress)

        asked = bool(self._index and self._index.asks)
        self._show_indexing((0, None))
        self._indexing.run(
            work,
            lambda _none: self._finish_indexing(asked=asked),
            self._on_failed,
            lambda done, total, _what: self._show_indexing((done, total)),
        )

    def _finish_indexing(self, *, asked: bool) -> None:
        if asked:
            self.said.emit(self.tr("All words are indexed."))
        self._show_indexing(None)
        self._index = None
        self.look()

    def _stop_indexing(self) -> None:
        self._indexing.stop()
        self._show_indexing(None)
        self._say(self.tr("Only ids are searched until there is an index of the words."))

    def _show_indexing(self, how_far: tuple[int, int | None] | None) -> None:
        for each in (self._bar, self._cancel):
            each.setVisible(how_far is not None)
        if how_far is not None:
            self._make.hide()
            self._say(self.tr("Indexing documents …"))
            self._bar.setRange(0, how_far[1] or 0)
            self._bar.setValue(how_far[0])

    def _say(self, words: str) -> None:
        self._state.setText(words)
        self._state.setVisible(bool(words))

    # Search

    def _show_kind(self) -> None:
        kind = self.kind.currentIndex()
        self._stack.setCurrentIndex(kind)
        self._choices.setVisible(kind == RUNS)
        self.look()

    def look(self) -> None:
        """List what fits the words that are typed, in the background."""
        project, query = self.project, self.search.text()
        self._typing.stop()
        if project is None:
            return
        work, show = (
            (self._documents_work(query), self._show_documents),
            (_topics_work(query), self._show_topics),
            (
                _ranks_work(self.run.currentText(), self.topic.currentText(), query),
                self._show_ranks,
            ),
        )[self.kind.currentIndex()]

        def beside(progress: Progress) -> Any:
            with project.second_connection() as other:
                return work(other, progress)

        self._work.run(beside, show, self._on_failed)

    def _documents_work(self, query: str) -> Callable[[Project, Progress], SearchResults]:
        cache, state = self._settings.cache, self._index
        return lambda project, _progress: search_documents(project, cache, query, MOST, state=state)

    def _show_documents(self, found: SearchResults) -> None:
        self._index = state = found.index
        for column_of, some in (
            (2, any(each.text for each in found.hits)),
            (3, any(each.facts for each in found.hits)),
        ):
            self._tables[DOCUMENTS].setColumnHidden(
                column_of, not some
            )  # before widths are found again
        self.documents.fill(found.hits)
        count, total = f"{len(found.hits):,}", f"{state.total:,}"
        if not found.more:
            self.about.setText(filled(self.tr("Documents found: {count}."), count=count))
        elif self.search.text().strip():
            self.about.setText(
                filled(
                    self.tr("The first {count} documents. Others fit too; more words find fewer."),
                    count=count,
                )
            )
        else:
            self.about.setText(
                filled(self.tr("The first {count} of {total} documents."), count=count, total=total)
            )
        if self._indexing.busy:
            return
        self._make.setVisible(not state.ready)
        self._say(
            ""
            if state.ready
            else self.tr("Only ids are searched until there is an index of the words.")
        )
        if not state.ready and not state.asks:
            self.make_index()

    def _show_topics(self, rows: list[TopicRow]) -> None:
        self.topics.fill(rows)
        self.about.setText(filled(self.tr("Topics: {count}."), count=f"{len(rows):,}"))
        self._hide_index()
        wish, self._wish = self._wish, None
        place = next(
            (place for place, each in enumerate(rows) if wish and each.id == wish.topic), None
        )
        if place is not None:
            table = self._tables[TOPICS]
            table.sortByColumn(-1, Qt.SortOrder.AscendingOrder)
            table.selectRow(place)
            table.setFocus()

    def _show_ranks(self, rows: list[RankRow]) -> None:
        self.ranks.fill(rows)
        words = (
            self.tr("Documents retrieved: {count}.")
            if rows
            else self.tr("This run has nothing of this topic that fits.")
        )
        self.about.setText(filled(words, count=f"{len(rows):,}"))
        self._hide_index()

    def _hide_index(self) -> None:
        if not self._indexing.busy:
            self._make.hide()
            self._say("")

    def _on_failed(self, fault: Exception, trace: str) -> None:
        self._show_indexing(None)
        self.failed.emit(fault, trace)

    # Opening

    def _enter(self) -> None:
        """Move the focus from the search field to the results."""
        table = self._tables[self.kind.currentIndex()]
        self.look()
        table.setFocus()
        if table.model().rowCount():
            table.selectRow(max(0, table.currentIndex().row()))

    def _open(self, line: int) -> None:
        project, kind = self.project, self.kind.currentIndex()
        if project is None:
            return
        index = self._tables[kind].model().index(line, 0)
        id = str(index.siblingAtColumn(1 if kind == RUNS else 0).data())
        zoom = float(self._settings.get("zoom"))
        if kind == TOPICS:
            topic = next(each for each in project.collection.topics() if each.id == id)
            words = "\n\n".join(filter(None, (topic.description, topic.narrative)))
            DocumentDialog(
                self, Document(topic.id, words.encode(), topic.title), self.tr("Topic"), zoom
            ).open()
            return
        about = (
            filled(self.tr("Rank {rank} in {run}."), rank=index.data(), run=self.run.currentText())
            if kind == RUNS
            else ""
        )
        self.said.emit(
            open_document(
                self,
                project,
                id,
                about,
                zoom,
                words=self.search.text() if kind == DOCUMENTS else "",
            )
        )


def _topics_work(query: str) -> Callable[[Project, Progress], list[TopicRow]]:
    wanted = query.casefold().split()

    def work(project: Project, _progress: Progress) -> list[TopicRow]:
        texts = {topic.id: topic for topic in project.collection.topics()}
        rows = []
        for each in topic_rows(project):
            topic = texts.get(each.id)
            description, narrative = (topic.description, topic.narrative) if topic else ("", "")
            whole = " ".join((each.id, each.title, description, narrative)).casefold()
            if all(word in whole for word in wanted):
                rows.append(
                    TopicRow(
                        each.id, each.title, description, each.pooled, each.judged, each.relevant
                    )
                )
        return rows

    return work


def _ranks_work(run: str, topic: str, query: str) -> Callable[[Project, Progress], list[RankRow]]:
    wanted = query.casefold().split()

    def work(project: Project, _progress: Progress) -> list[RankRow]:
        names = {each.name for each in project.rankings.runs()}
        if run not in names:
            return []
        read = project.rankings.run(run).only({topic})
        ids = top_documents(read, topic, MAX_RANKS)
        titles = project.collection.titles(ids)
        scores = dict(zip(read.document.to_pylist(), read.score.tolist(), strict=True))
        qrels = read_project_qrels(project) if list_qrels_choices(project) else None
        grades = (
            {name: grade for each, name, grade in qrels.rows() if each == topic} if qrels else {}
        )
        rows = [
            RankRow(rank, id, titles.get(id, ""), scores[id], grades.get(id))
            for rank, id in enumerate(ids, 1)
        ]
        return [
            each
            for each in rows
            if all(word in f"{each.id} {each.title}".casefold() for word in wanted)
        ]

    return work

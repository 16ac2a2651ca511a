"""The adjudication page: one disputed document at a time with every vote on it; one key decides, and the next one comes."""

from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QSizePolicy, QWidget

from irjudge.errors import ProjectError
from irjudge.judging.consensus import (
    Adjudication,
    AdjudicationCount,
    Decision,
    Dispute,
    Pair,
    count_adjudicated,
    disputes,
    valid_decisions,
)
from irjudge.judging.counted_assessors import assessors, shown_names
from irjudge.judging.ledger import ledger_of
from irjudge.judging.session import PaintedDocument
from irjudge.judging.sources import pool_pairs
from irjudge.model.documents import Topic
from irjudge.model.events import Event
from irjudge.model.ranking import UNJUDGEABLE
from irjudge.progress import Progress
from irjudge.store.presentation import with_shown
from irjudge.store.project import Project
from irjudge_ui.actions import Deed, key_cap, make_all
from irjudge_ui.messages import apart, filled, in_language
from irjudge_ui.models.tables import TableModel
from irjudge_ui.pages.assessors.adjudicate_panels import (
    DecisionPanel,
    VotesPanel,
    all_decided,
    list_columns,
    looking,
    nothing,
)
from irjudge_ui.pages.shared.desk_view import DeskView
from irjudge_ui.pages.shared.policy import kept_wish
from irjudge_ui.pages.shared.rule_panel import RulePanel
from irjudge_ui.pages.shared.search_dialog import SearchDesk, SearchDialog
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.document_view import DocumentView
from irjudge_ui.widgets.layout import Paged, card, column
from irjudge_ui.widgets.status import StatePage
from irjudge_ui.widgets.table import FilterLine, Table
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M, zoomed
from irjudge_ui.workspace.document_page import DocumentLoader, ask_to_print
from irjudge_ui.workspace.keyboard import GradeEntry
from irjudge_ui.workspace.messages import State
from irjudge_ui.workspace.panels import TopicPanel, papers
from irjudge_ui.workspace.reading_aids import Reading
from irjudge_ui.workspace.saving import Turns

NARROW, LEFT, RIGHT, PAPER, LOW_PAPER, LIST = 980, 300, 280, 220, 110, 130


class AdjudicateView(DeskView):
    """Shows what assessors disagree on and what was decided, the weightiest first, and turns keys into decisions: commit, then move."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.queue: tuple[Dispute, ...] = ()
        self._topics: dict[str, Topic] = {}
        self._titles: dict[str, str] = {}
        self._asked: tuple[object, ...] | None = None
        self._work = self.latest()
        self._put_off: set[Pair] = set()
        self._whys: dict[Pair, str] = {}  # typed, and not decided yet
        self.dispute: Dispute | None = None
        self._make_parts()
        self._lay_out()
        self.actions_by_id = make_all(self, self._deeds())

    def _deeds(self) -> dict[str, Deed]:
        return {
            "cannot-decide": Deed(self.cannot_be_judged, lambda: self.can_decide),
            "put-off": Deed(self.put_off, lambda: self.has_dispute),
            "hide-names": Deed(self.hide_names, lambda: self.has_dispute),
            "search-decision": Deed(self.search, lambda: self.can_search),
            "why": Deed(self.write_why, lambda: self.has_dispute),
            "undo-decision": Deed(self.turns.undo, lambda: self.turns.can_undo),
            "redo-decision": Deed(self.turns.redo, lambda: self.turns.can_redo),
            "save-decision": Deed(self.saving.retry, lambda: self.saving.waits),
        }

    def _make_parts(self) -> None:
        self.document = DocumentView()
        self.document.painted.connect(self._on_painted)
        self._page = DocumentLoader(self.document)
        self._page.begun.connect(self._read)
        self._topic_panel, self.panel, self.votes = TopicPanel(), DecisionPanel(), VotesPanel()
        self.rule = RulePanel(self.latest(quiet=True))
        self.rule.changed.connect(self._change_rule)
        self._reading = Reading(self.document, self._topic_panel)
        self.panel.chosen.connect(self.give)
        self.panel.asked.connect(lambda action: self.actions_by_id[action].trigger())
        for leave in (self.panel.why.left, self.panel.why.returnPressed):
            leave.connect(self.document.setFocus)
        too_soon = self.tr("Key ignored: the document had only just appeared.")
        self.turns = Turns[Adjudication, PaintedDocument](
            self.panel, self, self._settings, self._put, too_soon=too_soon, retry="save-decision"
        )
        taken = self.tr("Taken back: the decision on {document}. {key} brings it back.")
        brought = self.tr("Brought back: the decision on {document}. {key} takes it back.")
        self.turns.undone.connect(lambda event: self._on_step(event, taken, "redo-decision"))
        self.turns.redone.connect(lambda event: self._on_step(event, brought, "undo-decision"))
        self.saving = self.turns.saving
        self.list = TableModel(list_columns(self._decision_on, self._called))
        self.table = Table(self.list, self.tr("Documents to decide"))
        self.table.setSortingEnabled(False)  # they stand by how much they matter
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.readable = 0  # a long id is cut, never the grade beside it
        self.table.opened.connect(self._open)
        self.table.clicked.connect(lambda index: self._open(index.row()))
        self._entry = GradeEntry(self.turns.ready)
        self._entry.graded.connect(self.give)
        self._entry.unknown.connect(
            lambda grade: self.panel.show_ignored(
                filled(self.tr("The scale has no grade {grade}."), grade=str(grade))
            )
        )
        self._entry.begun.connect(
            lambda digit: self.panel.show_hint(
                filled(self.tr("Grade {digit}_: type the second digit."), digit=digit)
            )
        )
        self._entry.alive.connect(self.turns.active.touch)
        for watched in (self.document.viewport(), self.document):
            watched.installEventFilter(self._entry)

    def _lay_out(self) -> None:
        self._topic_panel.arrange("middle")
        self._paper = card(
            papers(self._reading.notice, self.document, self._reading.bar), margin=SPACE_M
        )
        self._paper.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.table.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored
        )  # the room that is left, and some at least
        self.panel.add(FilterLine(self.table), self.table)
        self._left, self._right = QWidget(), self.panel
        self._left.setLayout(column(self.votes, self.rule, None, spacing=SPACE_M))
        self._middle = QWidget()
        middle = column(self._topic_panel, self._paper, spacing=SPACE_L)
        middle.setStretchFactor(self._paper, 1)
        self._middle.setLayout(middle)
        self._below = middle
        self._middle.installEventFilter(self)
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(SPACE_L)
        for part, stretch in ((self._left, 0), (self._middle, 1), (self._right, 0)):
            self._body.addWidget(part, stretch)
        inside = QWidget()
        self._body.setContentsMargins(0, 0, 0, 0)
        inside.setLayout(self._body)
        self._area = Paged(inside)
        self.put_parts(self._area)

    def _arrange(self) -> None:
        """Stand in three columns; where the window is narrow votes and grades stand below the document, all in the first view."""
        narrow = self.width() < zoomed(NARROW)
        for part in (self._left, self._middle, self._right):
            self._body.removeWidget(part)
        self._body.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )
        order = (
            (self._middle, self._left, self._right)
            if narrow
            else (self._left, self._middle, self._right)
        )
        for part in order:
            self._body.addWidget(part, int(part is self._middle))
        sides: tuple[tuple[QWidget, int], ...] = ((self._left, LEFT), (self._right, RIGHT))
        for part, width in sides:
            part.setMinimumWidth(0 if narrow else zoomed(width))
            part.setMaximumWidth(16_777_215 if narrow else zoomed(width))
        if narrow:
            self.panel.give_grades(self._below, self.votes.strip, self.width())
        else:
            self.panel.take_grades()
        self.votes.strip.setVisible(narrow)
        self._reckon()
        self.table.setMinimumHeight(zoomed(LIST))

    def _reckon(self) -> None:
        """Give the middle the height of the first view, or what its parts need, which changes with their words."""
        narrow = self.width() < zoomed(NARROW)
        self._paper.setMinimumHeight(zoomed(LOW_PAPER if narrow else PAPER))
        around = (
            sum(part.sizeHint().height() for part in (self._topic_panel, self.panel.grades))
            + 2 * SPACE_L
        )
        first = max(
            self.height(), around + self._paper.minimumHeight()
        )  # all of it where there is room, and nothing squeezed where not
        self._middle.setMinimumHeight(first if narrow else 0)
        self._middle.setMaximumHeight(first if narrow else 16_777_215)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Reckon anew when a part of the middle needs another height."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._reckon()
        return super().eventFilter(watched, event)

    # What the window calls

    @property
    def prints(self) -> bool:
        """Whether a document is on the desk."""
        return self.has_dispute

    def print_page(self) -> None:
        """Print the document."""
        ask_to_print(self.document, self.said.emit)

    def show_project(self, project: Project | None) -> None:
        """Show another project."""
        if project is not self.project:
            self.panel.show_hint("")
        super().show_project(project)
        self._stop()
        self.turns.begin(Adjudication(project) if project and project.writing else None)
        self._topics = {topic.id: topic for topic in project.collection.topics()} if project else {}
        self._asked, self.queue = None, ()
        self._put_off.clear()
        self._whys.clear()
        if project:
            self.panel.set_scale(project.scale)
            self.votes.called = shown_names(project)
            self._entry.set_values(project.scale.values)

    def _stop(self) -> None:
        self._page.stop()
        self._reading.stop()
        self.turns.begin(self.turns.session)
        self.dispute = None
        self._work.stop()

    def focus_parts(self) -> None:
        """Put the focus where keys decide."""
        self.document.setFocus()

    def refresh(self) -> None:
        """Look for disagreement anew when something was judged since, or show the same document in other colours."""
        project = self.project
        if project is None:
            return
        if self.turns.session:
            self.turns.session.follow()
        self._arrange()
        wish = kept_wish(project, self._settings)
        votes: list[tuple[str, object]] = [
            (name, project.events.last_sequence(name))
            for name in assessors(project)
            if name != project.owner
        ]
        if project.owner in assessors(project):  # whose chain has the decisions too
            newest = ledger_of(project).acts.to_undo
            votes.append((project.owner, newest and newest.digest))
        self.rule.show_rule(project, wish)
        asked = (tuple(votes), project.rankings.pool_version(), wish.rel)
        if asked != self._asked:
            self._asked = asked
            self._look(project, wish.rel)
        else:
            self.restyle()

    def _change_rule(self) -> None:
        """Show what another rule settles."""
        self._asked = None
        self.refresh()
        self.changed.emit()

    def restyle(self) -> None:
        """Follow the theme and the zoom."""
        self._arrange()
        if self.turns.shown:
            self._put_on_paper(self.turns.shown)

    def _look(self, project: Project, rel: int) -> None:
        self._stop()
        self.show_state(looking())

        def find(progress: Progress) -> tuple[tuple[Dispute, ...], dict[str, str]]:
            with project.second_connection() as other:
                found = disputes(other, rel=rel, progress=progress)
                return found, other.collection.titles([each.document for each in found])

        self._work.run(find, self._take, self._fail)

    def _called(self, dispute: Dispute) -> tuple[str, str]:
        """Return what a topic and its document are called: by their titles, or their ids where they have none."""
        topic = self._topics.get(dispute.topic)
        return apart(topic.title if topic and topic.title else dispute.topic), apart(
            self._titles.get(dispute.document) or dispute.document
        )

    def _take(self, found: tuple[tuple[Dispute, ...], dict[str, str]]) -> None:
        queue, self._titles = found
        self.queue = queue
        self.panel.show_agreed(sum(bool(each.weight) and not each.split for each in queue))
        self.list.fill(queue)
        self._advance()

    def _fail(self, fault: Exception, trace: str) -> None:
        self._asked = None
        self.show_state(State(self.tr("Nothing to decide"), in_language(str(fault))))
        if trace:
            self.failed.emit(fault, trace)

    # What keys and buttons call

    @property
    def can_decide(self) -> bool:
        """Whether a document is on screen that can be decided."""
        return self.turns.painted is not None and self.turns.session is not None

    @property
    def has_dispute(self) -> bool:
        """Whether a document is on the desk."""
        return self.dispute is not None

    def give(self, grade: int) -> None:
        """Decide on a grade for the document on screen and show the next one."""
        self._decide(grade, filled(self.tr("grade {grade}"), grade=str(grade)))

    def cannot_be_judged(self) -> None:
        """Decide that the document cannot be judged and show the next one."""
        self._decide(UNJUDGEABLE, self.tr("cannot be judged"))

    def put_off(self) -> None:
        """Leave the document for later; it comes back at the end."""
        if self.dispute:
            self._put_off.add(self.dispute.pair)
            self.panel.show_hint(
                filled(
                    self.tr("Put off: {document}. It comes back at the end."),
                    document=self.dispute.document,
                )
            )
            self._advance()

    def hide_names(self) -> None:
        """Call the assessors by number, or by name again, so that nobody's name decides."""
        self.votes.hide_names(not self.votes.hidden)

    @property
    def can_search(self) -> bool:
        """Whether the collection can be searched for the topic on the desk, and what is found decided."""
        return self.has_dispute and self.turns.session is not None

    def search(self) -> None:
        """Search the collection for the topic on the desk; a hit is decided where it stands, though nobody had to judge it."""
        project, dispute, deciding = self.project, self.dispute, self.turns.session
        if project is None or dispute is None or deciding is None:
            return
        topic = self._topics.get(dispute.topic) or Topic(dispute.topic, dispute.topic)
        asked = {each.pair for each in self.queue} | pool_pairs(project.rankings.pool()).keys()

        def decide(document: str, grade: int) -> None:
            found = project.collection.document(document)
            if found is not None:
                deciding.decide(
                    topic.id, found, grade, source="" if (topic.id, document) in asked else "search"
                )

        def decided(document: str) -> int | None:
            decision = deciding.decision((topic.id, document))
            return decision.grade if decision else None

        dialog = SearchDialog(
            self,
            project,
            self._settings.cache,
            SearchDesk(topic, project.scale, decided, decide),
            self.zoom,
        )
        dialog.graded.connect(self._on_found)
        dialog.finished.connect(self.come_back)
        dialog.open()

    def _on_found(self, document: str, grade: int) -> None:
        """Say what was decided in a search, and show how far the work is."""
        saved = self.tr("Decided: {document}, {decision}. {key} takes it back.")
        self.panel.show_hint(
            filled(
                saved,
                document=document,
                decision=filled(self.tr("grade {grade}"), grade=str(grade)),
                key=key_cap("undo-decision"),
            )
        )
        self.progressed.emit()
        self._show_progress()

    def write_why(self) -> None:
        """Put the cursor where the reason is written."""
        self.panel.why.setFocus()

    # Commit, then move

    def _decide(self, grade: int, words: str) -> None:
        work, deciding = self.turns.painted, self.turns.session
        if work is None or deciding is None:
            return

        def then(_event: Event) -> None:
            saved = self.tr("Decided: {document}, {decision}. {key} takes it back.")
            self.panel.show_hint(
                filled(
                    saved, document=work.document.id, decision=words, key=key_cap("undo-decision")
                )
            )
            self._whys.pop((work.topic.id, work.document.id), None)
            self._leave()
            self._advance()

        why, active_ms = self.panel.why.text().strip(), self.turns.active.stop()
        self.turns.act(
            partial(
                deciding.decide, work.topic.id, work.document, grade, why=why, active_ms=active_ms
            ),
            then,
        )

    def _on_step(self, event: Event, words: str, other: str) -> None:
        """Show the document of a decision that was taken back or brought back."""
        pair = event.item.topic, event.item.documents[0]
        self.panel.show_hint(filled(words, document=pair[1], key=key_cap(other)))
        self._leave()
        at = next((each for each in self.queue if each.pair == pair), None)
        self._show(at) if at else self._advance()

    def _leave(self) -> None:
        """Forget what was typed as the reason: it is kept with the decision, or belongs to the one that was taken back."""
        self.turns.clear()
        self.progressed.emit()

    def _decided(self) -> set[Pair]:
        return {each.pair for each in self.queue if self._decision_on(each)}

    def _count(self, project: Project) -> AdjudicationCount:
        return count_adjudicated(project, [each.pair for each in self.queue if each.split])

    def _advance(self) -> None:
        """Show what matters most among what is undecided; what was put off comes last."""
        decided = self._decided()
        left = [each for each in self.queue if each.pair not in decided]
        fresh = [each for each in left if each.pair not in self._put_off]
        if not fresh:
            self._put_off.clear()
        others = [each for each in fresh or left if each is not self.dispute] or left
        self._show(others[0] if others else None)

    # What is on screen

    def _open(self, line: int) -> None:
        self._show(self.list.at(self.list.index(line, 0)))
        self.document.setFocus()

    def _show(self, dispute: Dispute | None) -> None:
        if self.turns.shown and self.dispute:
            self._whys[self.dispute.pair] = self.panel.why.text()
        self.dispute = dispute
        self.turns.move(lambda: self._work_on(dispute) if dispute else None)

    def _work_on(self, dispute: Dispute) -> PaintedDocument | None:
        if self.project is None:
            return None
        document = self.project.collection.document(dispute.document)
        if document is None:
            raise ProjectError(
                "Document {document} has no text in this project.", document=dispute.document
            )
        return PaintedDocument(
            self._topics.get(dispute.topic) or Topic(dispute.topic, dispute.topic), document
        )

    def _put(self, work: PaintedDocument | None) -> None:
        self.turns.show(work)
        self._entry.clear()
        project, dispute = self.project, self.dispute
        if project is None:
            return
        if work is None or dispute is None:
            self.show_state(
                all_decided(self._count(project), lambda: self._show(self.queue[0]))
                if self.queue
                else nothing()
            )
            return
        self.show_state(None)
        topics = list(dict.fromkeys(each.topic for each in self.queue))
        self._topic_panel.show_topic(work.topic, topics)
        self.votes.show_dispute(dispute, project.scale)
        self._show_progress()
        self._put_on_paper(work)

    def _show_progress(self) -> None:
        if self.dispute and self.project:
            self.panel.show_decision(self._decision_on(self.dispute), self._count(self.project))
            if typed := self._whys.get(self.dispute.pair):
                self.panel.why.setText(typed)
            self.list.fill(self.queue)
            self.table.setCurrentIndex(self.list.line_of(self.queue.index(self.dispute)))

    def _put_on_paper(self, work: PaintedDocument) -> None:
        self._reading.stop()
        self._page.show(
            with_shown(self.project, work.document) if self.project else work.document, self.zoom
        )
        focused = QApplication.focusWidget()
        if self.isVisible() and (focused is None or not self.table.isAncestorOf(focused)):
            self.document.setFocus()
        QTimer.singleShot(0, self, lambda: self._area.verticalScrollBar().setValue(0))

    def _read(self) -> None:
        if self.turns.shown:
            self._reading.begin(self.turns.shown)

    def _on_painted(self) -> None:
        if self.document.isVisible():
            self.turns.paint()

    def show_state(self, state: State | None) -> None:
        """Show a state, and put the focus on what it offers: what had it before is gone while disagreement is looked for."""
        super().show_state(state)
        if self.rest and self.isVisible():
            QTimer.singleShot(0, self, partial(self._focus_state, self.rest))

    def _focus_state(self, shown: StatePage) -> None:
        """Put the focus on what a state offers, unless a document has come in its place meanwhile."""
        if shown is self.rest:
            shown.focus()

    def _decision_on(self, dispute: Dispute) -> Decision | None:
        decisions = self.project.derived(valid_decisions) if self.project else {}
        return decisions.get(dispute.pair)

    # What Qt calls

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take digits as grades wherever the focus is on the page, but in a field that takes text."""
        if not (self.dispute is not None and self._entry.press(event)):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand in columns or below each other, as the width allows."""
        super().resizeEvent(event)
        self._arrange()

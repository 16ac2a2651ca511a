"""Judging page: shows documents, which the user grades with keys."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent

from irjudge.errors import IrjudgeError
from irjudge.judging import (
    LearningOptions,
    LearningSession,
    PresentedDocument,
    QueueItem,
    Session,
    find_learning_options,
    read_learning_options,
    set_learning_options,
)
from irjudge.model import Event
from irjudge.store import (
    DEFAULT_DOCUMENTS_PER_PAGE,
    Project,
    limit_to_shown_fields,
    read_documents_per_page,
)
from irjudge_ui.actions import ActionHandler, create_actions, key_cap_text
from irjudge_ui.messages import filled
from irjudge_ui.pages.judge.active_learning import (
    DEFAULT_MORE_COUNT,
    ActiveLearning,
    OrderDialog,
    describe_order,
    describe_topic_end,
    explain_presentation,
)
from irjudge_ui.pages.judge.document_lists import JumpDialog, NearDuplicatesDialog
from irjudge_ui.pages.shared import PagesDialog, SearchContext, SearchDialog, WorkspaceView
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import Dialog, DocumentView, column, make_container
from irjudge_ui.workspace import (
    DocumentLoader,
    DocumentMenu,
    GradeEntry,
    GradePanel,
    JudgingLayout,
    MarkSaver,
    PresentationTurns,
    ReadingAids,
    ReasonMenu,
    SeveralDocuments,
    StateMessage,
    Submission,
    TopicPanel,
    describe_agreed_grade,
    describe_deadline,
    describe_event,
    describe_submission,
    finished_state,
    position_action,
    reason_label,
    topic_done_state,
    waiting_state,
)


class JudgeView(WorkspaceView):
    """Judging page: shows a document; a key saves a judgment and shows the next document.

    A page with several documents can be shown instead; judgments then apply to the current one.
    The page also has dialogs to search, to jump to a document, to grade near-duplicates, and to
    submit. `judged` is emitted after each move in the queue, with or without a judgment (for
    example after a jump or undo), and when the summary of a finished topic is shown.
    """

    judged = Signal()

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        # number of unjudged documents of the topic at the time the displayed document was shown
        self._unjudged_before = 0
        self.document = DocumentView()
        self.document.rendered.connect(self._on_rendered)
        self._loader = DocumentLoader(self.document)
        self._loader.begun.connect(self._read)
        self._topic_panel, self.grade_panel = TopicPanel(), GradePanel()
        self.grade_panel.chosen.connect(self.give)
        self._make_turns(settings)
        self.reading = ReadingAids(self.document, self._topic_panel)
        self.reading.message_shown.connect(self.grade_panel.show_hint)
        self.several = SeveralDocuments(self.document, self.reading.terms_of)
        self.several.chosen.connect(self._jump_to)
        self._task_page_size = 0  # number of documents per page that the task specifies; 0 if none
        self.menu = DocumentMenu(self.document, lambda: self.has_pages)
        self.menu.action_requested.connect(self.do)
        self.menu.message_shown.connect(self.grade_panel.show_hint)
        self.document.zoom_requested.connect(
            lambda step: self.wants.emit("zoom-in" if step > 0 else "zoom-out")
        )
        self.saving = self.turns.saving
        self.saving.job_requested.connect(self.job_requested)
        self.saving.copied.connect(self.open_file)
        self.grade_panel.retry_requested.connect(self.saving.retry)
        self.marking = MarkSaver(self.turns, self.grade_panel, self.document)
        self.marking.saved.connect(self.say_saved)
        self.saving.copies.connect(self.marking.flush)
        self.closing = Submission(self, self)
        self.closing.failed.connect(self.grade_panel.show_problem)
        self.closing.done.connect(self._on_submitted)
        self.closing.topic_requested.connect(self.list_topic)
        self.grade_panel.action_requested.connect(self.do)
        self.learning = ActiveLearning(self, self.latest(quiet=True), self.latest())
        self.learning.ready.connect(self._on_ready)
        self.learning.failed.connect(self.failed)
        self._watch_keys()
        self._lay_out()
        self.actions_by_id = create_actions(self, self._action_handlers())

    def _action_handlers(self) -> dict[str, ActionHandler]:
        return {
            "skip": ActionHandler(self.skip, lambda: self.can_judge),
            "unjudgeable": ActionHandler(self.ask_unjudgeable, lambda: self.can_judge),
            "unsure": ActionHandler(self.marking.switch_unsure, lambda: self.can_judge),
            "note": ActionHandler(self.marking.write_note, lambda: self.can_judge),
            "reason": ActionHandler(self.marking.save_rationale, lambda: self.can_judge),
            "passage": ActionHandler(self.reading.show_passage, lambda: self.reading.has_hits),
            "highlight": ActionHandler(self.reading.highlight, lambda: self.can_judge),
            "next-hit": ActionHandler(self.reading.next_hit, lambda: self.reading.has_hits),
            "previous-hit": ActionHandler(self.reading.previous_hit, lambda: self.reading.has_hits),
            "find": ActionHandler(self.reading.find, lambda: self.can_judge),
            "find-next": ActionHandler(self.reading.find_next, lambda: self.can_judge),
            "find-previous": ActionHandler(self.reading.find_previous, lambda: self.can_judge),
            "pages": ActionHandler(self.show_pages, lambda: self.has_pages),
            "order": ActionHandler(self.ask_order, self._can_order),
            "why-shown": ActionHandler(
                self.say_why, lambda: self._judgment_to_explain() is not None
            ),
            "search-collection": ActionHandler(self.search, self._can_search),
            "alike": ActionHandler(
                self.offer_near_duplicates,
                lambda: self._can_search() and self._last_grade() is not None,
            ),
            "jump": ActionHandler(self.jump, self._has_topic),
            "several": ActionHandler(self.switch_several, self._can_show_several),
            "next-on-page": ActionHandler(lambda: self.go_to_neighbour(1), lambda: self.can_judge),
            "previous-on-page": ActionHandler(
                lambda: self.go_to_neighbour(-1), lambda: self.can_judge
            ),
            "back": ActionHandler(
                self.back,
                lambda: self.session is not None and self.session.last_judged() is not None,
            ),
            "go-on": ActionHandler(self.go_on, lambda: self.can_go_on),
            "undo": ActionHandler(self.turns.undo, lambda: self.turns.can_undo),
            "redo": ActionHandler(self.turns.redo, lambda: self.turns.can_redo),
            "hand-in": ActionHandler(self.closing.submit, lambda: self.closing.can_submit),
            "save-copy": ActionHandler(self.saving.ask_copy, lambda: self.saving.has_failed_saves),
            "retry": ActionHandler(self.saving.retry, lambda: self.saving.has_failed_saves),
        }

    def _make_turns(self, settings: Settings) -> None:
        self.turns = PresentationTurns[Session, PresentedDocument](
            self.grade_panel,
            self,
            settings,
            self._show,
            too_soon_message=self.tr("Key ignored: the document had just appeared."),
        )
        self.turns.begun.connect(lambda: QTimer.singleShot(0, self, self._fetch_ahead))
        self.turns.undone.connect(
            lambda event: self._on_step(
                event, self.tr("Undone: {action}. {key} redoes it."), "redo"
            )
        )
        self.turns.redone.connect(
            lambda event: self._on_step(
                event, self.tr("Redone: {action}. {key} undoes it."), "undo"
            )
        )

    def _watch_keys(self) -> None:
        self._entry = GradeEntry(self.turns.ready)
        self._entry.graded.connect(self.give)
        self._entry.begun.connect(self.grade_panel.show_begun)
        self._entry.unknown.connect(self.grade_panel.show_unknown)
        self._entry.user_active.connect(self.turns.active.touch)
        for watched in (self.document.viewport(), self.document):
            watched.installEventFilter(self._entry)

    def _lay_out(self) -> None:
        self._layout = JudgingLayout(
            self._topic_panel,
            make_container(column(self.reading.notice, self.several, self.reading.bar)),
            self.grade_panel,
        )
        self._layout.keys.action_requested.connect(self.do)
        self._layout.continue_row.clicked.connect(lambda: self.do("go-on"))
        self.put_parts(self._layout)

    # Called by the window

    def begin(self, session: Session | None, *, read_only_reason: str = "") -> None:
        """Begin judging in a session; if `session` is None, show why judging is not possible.

        `read_only_reason` is why the project is read-only; empty if it is writable.
        """
        self.turns.begin(session)
        if (
            session is None
            and self.project
            and not read_only_reason
            and find_learning_options(self.project)
        ):
            self.show_state(self.learning.make_waiting_state())
            self.learning.make_ready(self.project, self._settings.cache)
            return
        if session is None:
            self.show_state(
                waiting_state(
                    read_only_reason,
                    documents=(
                        self.project is None
                        or not self.project.rankings.runs()
                        or self.project.collection.document_count() > 0
                    ),
                    judge_without_runs=self.ask_order if self._can_order() else None,
                )
            )
            return
        self.reading.store_terms(self._settings, session.project.path)
        self.grade_panel.set_scale(session.scale)
        self._entry.set_values(session.scale.values)
        self._fit()
        assignment = session.project.assignments.assessor_assignment()
        self._task_page_size = read_documents_per_page(session.project, assignment)
        self.grade_panel.show_deadline(
            describe_deadline(assignment.deadline, datetime.now())  # noqa: DTZ005
            if assignment and assignment.deadline
            else ""
        )
        self.grade_panel.show_order(describe_order(session))
        self.grade_panel.offer_learning_links(self._can_order())
        self._show_submission()
        if last_item := self._settings.last_item(session.project.path):
            session.resume(QueueItem(*last_item[1]), last_item[0] or None)
        self._show(session.current())

    def open_topic(self, topic: str) -> None:
        if session := self.session:
            self._jump(lambda: session.open_topic(topic))

    @property
    def prints(self) -> bool:
        return self.can_judge

    def print_page(self) -> None:
        self.menu.print()

    def show_project(self, project: Project | None) -> None:
        self.stop()
        if project is not self.project:
            # the message about the last saved judgment does not apply to the next project
            self.grade_panel.show_hint("")
        super().show_project(project)

    def stop(self) -> None:
        """Stop judging, because the project was closed or its pool changed."""
        self.marking.flush()
        self._loader.stop()
        self.turns.begin(None)

    def refresh(self) -> None:
        self.restyle()

    def restart_jobs(self) -> None:
        self.wants.emit("judge")  # the window begins judging, which restarts the preparation

    def restyle(self) -> None:
        self._fit()
        if self.turns.shown:
            self._show_document(self.turns.shown)

    def focus_parts(self) -> None:
        self.document.setFocus()

    # Actions

    @property
    def session(self) -> Session | None:
        return self.turns.session

    @property
    def rendered_item(self) -> PresentedDocument | None:
        """Document that has been rendered on screen; None if none has been rendered yet."""
        return self.turns.rendered

    @property
    def can_judge(self) -> bool:
        return self.turns.rendered is not None

    @property
    def has_pages(self) -> bool:
        session, work = self.session, self.turns.rendered
        return (
            session is not None
            and work is not None
            and session.project.collection.has_pages(work.document.id)
        )

    def show_pages(self) -> None:
        session, work = self.session, self.turns.rendered
        if session and work:
            self._open_dialog(PagesDialog(self, session.project, work.document.id, self.zoom))

    def _open_dialog(self, dialog: Dialog) -> None:
        dialog.finished.connect(self.come_back)
        dialog.open()

    def _has_topic(self) -> bool:
        return self.session is not None and bool(self.session.queue.topics)

    def _can_show_several(self) -> bool:
        """Whether several documents can be shown on one page.

        This is not possible with active learning, where each grade determines the next document.
        """
        return self.session is not None and not isinstance(self.session, LearningSession)

    @property
    def on_a_page(self) -> int:
        """Number of documents to show on one page; 0 to show one document at a time."""
        preference = self._settings.get("several")
        return (
            0
            if preference == "one" or not self._can_show_several()
            else self._task_page_size
            or (DEFAULT_DOCUMENTS_PER_PAGE if preference == "several" else 0)
        )

    def switch_several(self) -> None:
        self._settings.set("several", "one" if self.on_a_page else "several")
        if self.turns.shown:
            self.marking.flush()
            self._show(self.turns.shown)

    def go_to_neighbour(self, step: int) -> None:
        work = self.turns.rendered
        neighbour = self.several.adjacent(work.queue_item, step) if work else None
        if neighbour:
            self._jump_to(neighbour)
        else:
            self.grade_panel.show_hint(
                self.tr("There are no more documents on this page.")
                if self.several.visible_items
                else self.tr("The page shows only one document.")
            )

    def _jump_to(self, item: QueueItem) -> None:
        if session := self.session:
            self._jump(lambda: session.open_item(item))

    def give(self, grade: int) -> None:
        self._judge(Session.grade, filled(self.tr("grade {grade}"), grade=str(grade)), value=grade)

    def skip(self) -> None:
        """Postpone the document to the end of its topic or, the second time, of all topics."""
        self._judge(Session.skip, self.tr("skipped for now"))

    def ask_unjudgeable(self) -> None:
        ReasonMenu(self.document).chosen.connect(self.mark_unjudgeable)

    def mark_unjudgeable(self, reason: str) -> None:
        self._judge(
            Session.mark_unjudgeable,
            filled(self.tr("unjudgeable ({reason})"), reason=reason_label(reason)),
            reason=reason,
        )

    def back(self) -> None:
        session = self.session
        item = session.last_judged() if session else None
        if session and item:
            self._jump(lambda: session.open_item(item))

    def go_on(self) -> None:
        """Return to the document shown before going back, or show the next document."""
        if session := self.session:
            self._jump(session.return_or_advance)

    def _can_order(self) -> bool:
        """Whether the order of judging can be chosen.

        This is possible in an organiser's project that has documents and topics.
        """
        project = self.project
        return (
            project is not None
            and project.writing
            and project.assignments.assessor_assignment() is None
            and bool(project.collection.document_count() and project.collection.topics())
        )

    def ask_order(self) -> None:
        if project := self.project:
            self._open_dialog(
                OrderDialog(self, project, lambda options: self._set_order(project, options))
            )

    def _set_order(self, project: Project, options: LearningOptions | None) -> None:
        if options != read_learning_options(project):
            set_learning_options(project, options)
        self.changed.emit()
        self.wants.emit("judge")  # begin a session with the new order

    def _on_ready(self) -> None:
        if self.isVisible() and self.session is None:
            self.wants.emit("judge")

    def _judgment_to_explain(self) -> Event | None:
        """Return the judgment whose document `say_why` explains; None if there is none.

        This is the judgment of the current document or, if it is not judged, the last judgment.
        """
        session, work = self.session, self.turns.rendered
        if session is None:
            return None
        item = (
            work.queue_item if work and session.judgment(work.queue_item) else session.last_judged()
        )
        return session.judgment(item) if item else None

    def say_why(self) -> None:
        """Explain why a judged document was shown; for unjudged documents, this is not revealed."""
        if event := self._judgment_to_explain():
            self.grade_panel.show_hint(explain_presentation(event))

    def ask_more(self, topic: str) -> None:
        if isinstance(self.session, LearningSession):
            self.session.ask_more(topic, DEFAULT_MORE_COUNT)
            self._continue()

    def _can_search(self) -> bool:
        """Whether the collection can be searched for documents of the current topic.

        An assignment file cannot be searched, since it contains only the assigned documents.
        """
        return (
            self._has_topic()
            and self.session is not None
            and self.session.project.assignments.assessor_assignment() is None
        )

    def search(self) -> None:
        if (session := self.session) is None or not self._can_search():
            return
        current_item = session.current()
        topic = current_item.topic if current_item else session.topic(session.queue.topics[-1])

        def grade_of(document: str) -> int | None:
            judgment = session.judgment(QueueItem(topic.id, document))
            return int(judgment.payload["value"]) if judgment and judgment.kind == "grade" else None

        dialog = SearchDialog(
            self,
            session.project,
            self._settings.cache,
            SearchContext(
                topic,
                session.scale,
                grade_of,
                lambda document, grade: session.grade_retrieved(topic.id, document, grade),
                lambda document: self._jump(partial(session.open_retrieved, topic.id, document)),
            ),
            self.zoom,
        )
        dialog.graded.connect(self._on_graded)
        self._open_dialog(dialog)

    def _on_graded(self, document: str, grade: int) -> None:
        self._report_grades(
            filled(
                self.tr("Saved: {document}, grade {grade}. {key} undoes it."),
                document=document,
                grade=str(grade),
                key=key_cap_text("undo"),
            ),
            (document,),
        )

    def _report_grades(self, message: str, documents: tuple[str, ...]) -> None:
        """Report grades saved in a dialog.

        If the displayed document is one of those graded, show the next one in the queue.
        """
        self.grade_panel.show_hint(message)
        if (session := self.session) and (work := self.turns.shown):
            if work.document.id in documents:
                self._move(session.advance)
            else:
                self.grade_panel.show_state(session, work)

    def _last_grade(self) -> Event | None:
        event = self._judgment_to_explain()
        return event if event and event.kind == "grade" else None

    def offer_near_duplicates(self) -> None:
        session, event = self.session, self._last_grade()
        if session and event:
            grade = int(event.payload["value"])
            dialog = NearDuplicatesDialog(
                self,
                session,
                QueueItem(event.item.topic, event.item.documents[0]),
                grade,
                self._settings.cache,
            )
            dialog.graded.connect(partial(self._on_near_duplicates, grade))
            self._open_dialog(dialog)

    def _on_near_duplicates(self, grade: int, documents: tuple[str, ...]) -> None:
        self._report_grades(
            filled(
                self.tr(
                    "Saved: grade {grade} for near-duplicates ({count}). {key} undoes the grades "
                    "one by one."
                ),
                grade=str(grade),
                count=f"{len(documents):,}",
                key=key_cap_text("undo"),
            ),
            documents,
        )

    def jump(self) -> None:
        session = self.session
        current_item = session.current() if session else None
        if session and session.queue.topics:
            self.list_topic(
                current_item.topic.id if current_item else session.queue.topics[-1],
                current_item.queue_item if current_item else None,
            )

    def list_topic(self, topic: str, selected_item: QueueItem | None = None) -> None:
        """List the documents of a topic, and show the one that the user chooses.

        `selected_item` is selected at first; if it is None, the first unjudged document.
        """
        if session := self.session:
            dialog = JumpDialog(self, session, topic, selected_item)
            dialog.chosen.connect(self._jump_to)
            self._open_dialog(dialog)

    def _show_submission(self) -> None:
        message, is_outdated = describe_submission(self.session) if self.session else ("", False)
        self.grade_panel.show_submission(message, stale=is_outdated)

    def _on_submitted(self) -> None:
        self._show_submission()
        if self.session and not self.session.count().left:
            self.turns.move(self.session.advance)

    # Saving and moving on

    def say_saved(self, work: PresentedDocument, label: str) -> None:
        self.grade_panel.show_hint(
            filled(
                self.tr("Saved: {document}, {text}. {key} undoes it."),
                document=work.document.id,
                text=label,
                key=key_cap_text("undo"),
            )
        )
        self._show_submission()
        self._show_reasons(work)

    def _judge(self, save: Callable[..., Event], label: str, **details: object) -> None:
        session, work = self.session, self.turns.rendered
        if session is None or work is None:
            self.turns.ready()  # called only for its message: the key was pressed too early
            return

        def on_saved(_event: Event) -> None:
            self.say_saved(work, label)
            self.grade_panel.add_message(describe_agreed_grade(session, work.queue_item))
            # if this judgment was the last one of its topic
            if left_before and session.count().left and not session.count(work.topic.id).left:
                self.turns.clear()
                self.show_state(self._make_topic_end_state(session, work.topic.id))
                self.judged.emit()
            else:
                self._move(session.advance)

        left_before = self._unjudged_before
        # an unsaved note must be saved before the next document replaces it
        self.turns.save_action(
            partial(
                save,
                session,
                work,
                active_ms=self.turns.active.stop(),
                page=self.several.visible_documents,
                **details,
            ),
            on_saved,
            precondition=self.marking.save_unsaved_note,
        )

    def _make_topic_end_state(self, session: Session, topic: str) -> StateMessage:
        state = topic_done_state(session, topic, self._continue, self.jump, self.turns.undo)
        if not isinstance(session, LearningSession):
            return state
        continue_choice, *other_choices = state.choices
        return replace(
            state,
            message=describe_topic_end(session, topic) + "\n" + state.message,
            choices=[
                continue_choice,
                (
                    filled(
                        self.tr("{more} more documents for this topic"),
                        more=str(DEFAULT_MORE_COUNT),
                    ),
                    lambda: self.ask_more(topic),
                ),
                *other_choices,
            ],
        )

    def _continue(self) -> None:
        if self.session:
            self._move(self.session.advance)

    def _move(self, find_item: Callable[[], PresentedDocument | None]) -> None:
        self.turns.move(find_item)
        self.judged.emit()

    def _jump(self, find_item: Callable[[], PresentedDocument | None]) -> None:
        """Show the document that `find_item` returns, and store its item in the settings.

        The settings contain the item to which the user jumped last. Jumps are not logged.
        """
        self._move(find_item)
        if self.session and self.turns.shown:
            item = self.turns.shown.queue_item
            self._settings.store_last_item(
                self.session.project.path,
                self.session.head or "",
                (item.topic, item.document, item.occurrence),
            )

    def _on_step(self, event: Event, label: str, other: str) -> None:
        self.grade_panel.show_hint(
            filled(label, action=describe_event(event), key=key_cap_text(other))
        )
        if self.session:
            self._move(self.session.current)

    # Display

    def _show(self, work: PresentedDocument | None) -> None:
        self.marking.flush()
        self.turns.show(work)
        self._entry.clear()
        if self.session is None:
            return
        if work is None:
            self.show_state(finished_state(self.session, self.closing.submit, self.jump))
            return
        self._unjudged_before = self.session.count(work.topic.id).left
        self.show_state(None)
        self._topic_panel.show_topic(
            work.topic,
            self.session.queue.topics,
            is_new=not self.session.count(work.topic.id).judged,
            calibrates=self.session.calibration(work.queue_item) is not None,
        )
        self.grade_panel.show_state(self.session, work)
        self._layout.continue_row.setVisible(self.can_go_on)
        self._show_document(work)

    def _show_document(self, work: PresentedDocument) -> None:
        self.reading.stop()
        self.grade_panel.offer_several(self._can_show_several(), is_shown=bool(self.on_a_page))
        if self.session and self.on_a_page:
            self.several.show_page(self.session, work, self.on_a_page, self.zoom)
        else:
            self.several.show_single()
        self._loader.show(
            limit_to_shown_fields(self.session.project, work.document)
            if self.session
            else work.document,
            self.zoom,
        )
        if self.isVisible():  # a change of zoom must not move the focus from another page
            self.document.setFocus()

    def _read(self) -> None:
        if self.turns.shown:
            self.reading.begin(
                self.turns.shown, best_passage=bool(self._settings.get("best_passage"))
            )
            self._show_reasons(self.turns.shown)

    def _show_reasons(self, work: PresentedDocument) -> None:
        if self.session:
            self.reading.show_reasons(work, self.session.marks(work.queue_item).rationales)
            self.several.show_states(self.session, work.queue_item)

    def _on_rendered(self) -> None:
        if self.document.isVisible():
            self.turns.paint()

    def _fetch_ahead(self) -> None:
        with suppress(IrjudgeError):  # the error is reported when that document is shown
            if session := self.session:
                session.fetch_ahead()
                self.learning.look_ahead(session, session.fetch_ahead)

    # Qt overrides

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Interpret digits as grades, whichever widget of the page has the focus.

        On keyboards for non-Latin scripts, keys are interpreted by their position.
        """
        if self.session is not None and self._entry.press(event):
            return
        if (action := self.actions_by_id.get(position_action(event))) is None:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            action.trigger()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self._layout.fit(
            self.width() / self.zoom,
            self.height() / self.zoom,
            self.zoom,
            len(self.session.scale.values) if self.session else 0,
        )

"""Side-by-side page: lists or documents side by side, and the form for a new comparison."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFormLayout,
    QStackedLayout,
    QStackedWidget,
    QWidget,
)

from irjudge.errors import IrjudgeError
from irjudge.exchange import (
    DEFAULT_DEPTH,
    AssignmentReport,
    Choice,
    ComparisonOptions,
    assign_comparison_to_owner,
    sample_topics,
)
from irjudge.judging import (
    Attention,
    ComparisonSession,
    PresentedLists,
    ViewingLog,
    has_comparisons,
)
from irjudge.model import ComparisonRules, Event, Scale, Winner, default_reasons
from irjudge.progress import Progress
from irjudge.store import Project
from irjudge_ui.actions import ActionHandler, create_actions, key_cap_text
from irjudge_ui.jobs import on_project
from irjudge_ui.messages import filled, join_sentences, translate_message
from irjudge_ui.pages.shared import WorkspaceView
from irjudge_ui.pages.side_by_side.answer_bar import (
    LOW_PAGE_HEIGHT,
    AnswerBar,
    describe_action,
    describe_missing_lists,
    done_state,
)
from irjudge_ui.pages.side_by_side.result_lists import (
    ComparedDocuments,
    ComparedLists,
    OpenedResult,
    SideBySideView,
)
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    SPACE_S,
    SPACE_XL,
    ChoiceBox,
    MaxWidthBox,
    NumberField,
    card,
    column,
    fill_choices,
    make_button,
    make_container,
    make_flow,
    make_label,
    make_scroll_area,
    row,
    scale_length,
    show_text,
    with_tooltip,
)
from irjudge_ui.workspace import (
    ACTIVITY_EVENTS,
    ActionRow,
    PresentationTurns,
    StateMessage,
    Submission,
    TopicPanel,
    waiting_state,
)

# Form for a new comparison, which is shown in a project without a comparison

WIDTH = 520
MAX_DEPTH, MAX_TOPICS, MAX_TOP_DOCUMENTS = 100, 99_999, 50
MIN_CHARACTERS = 16  # minimum width of a run name, in characters
# minimum width in pixels of the box for the kind of comparison, so that the form fits with large
# text
MIN_KIND_WIDTH = 140
# indices of form rows that depend on the kind of comparison
SAME_ROW, BEST_ROW, REPEATS_ROW = 3, 6, 7
LISTS, ALL_PAIRS, BEST_DOCUMENTS = 0, 1, 2  # kinds of comparison, in the order of the form


class ComparisonForm(QWidget):
    """Form of the side-by-side page for a new comparison of two runs by the user.

    The options are runs, kind, topics, depth and rules. The kind is a comparison of ranked lists,
    of all pairs of documents, or of the best documents. The topics are a random sample of the
    entered size.

    `job_requested` is emitted with a job that creates the comparison (title, function(progress),
    on_done(result)), and `designed` with warnings after it was created.
    """

    job_requested = Signal(str, object, object)
    designed = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._project: Project | None = None
        self._topic_count = 0  # number of topics of the project
        self.title = make_label(self.tr("Compare side by side"), "title")
        self.description_label = make_label("", "quiet")
        self.problem = make_label("", "error")
        self.first, self.second = (ChoiceBox(MIN_CHARACTERS) for _ in range(2))
        self.kind = ChoiceBox()
        self.topics = NumberField(1, MAX_TOPICS, 1, self.tr("Number of topics"))
        self.results = NumberField(
            1, MAX_DEPTH, DEFAULT_DEPTH, self.tr("Number of results per list")
        )
        self.top = NumberField(
            1, MAX_TOP_DOCUMENTS, 1, self.tr("Number of best documents to find per topic")
        )
        self.repeats = NumberField(
            0, MAX_TOPICS, 0, self.tr("Number of pairs shown again with swapped sides")
        )
        self.must_view = with_tooltip(
            QCheckBox(self.tr("Both sides must be viewed before choosing")),
            self.tr(
                "A side counts as viewed once it has been scrolled to the end or one of its "
                "results has been opened"
            ),
        )
        self.grading = QCheckBox(self.tr("Allow grading of opened results"))
        self.same = make_label(self.tr("✕ Choose two different runs."), "error")
        self.begin = make_button(self.tr("Start comparing"), "primary", clicked=self._ask)
        self.kind.addItems(
            [
                self.tr("Result lists"),
                self.tr("Documents: compare all pairs"),
                self.tr("Documents: find the best"),
            ]
        )
        self.kind.currentIndexChanged.connect(lambda _index: self._show_kind())
        self.kind.setMinimumWidth(MIN_KIND_WIDTH)
        for box in (self.first, self.second):
            box.currentIndexChanged.connect(lambda _index: self._show_same())
        self._lay_out()

    def _lay_out(self) -> None:
        self._form = QFormLayout(
            rowWrapPolicy=QFormLayout.RowWrapPolicy.WrapLongRows,
            horizontalSpacing=SPACE_M,
            verticalSpacing=SPACE_S,
        )
        for label, field, unit in (
            (self.tr("Compare"), self.kind, ""),
            (self.tr("First run"), self.first, ""),
            (self.tr("Second run"), self.second, ""),
            (self.tr("Topics"), self.topics, ""),
            (self.tr("Depth"), self.results, self.tr("results per list")),
            (self.tr("Best"), self.top, self.tr("documents to find per topic")),
            (self.tr("Repeats"), self.repeats, self.tr("pairs shown again with swapped sides")),
        ):
            if not field.accessibleName():
                field.setAccessibleName(label)
            self._form.addRow(
                make_label(label, "quiet", wrap=False),
                make_flow(*([field, make_label(unit, "quiet", wrap=False)] if unit else [field])),
            )
        self._form.insertRow(SAME_ROW, "", self.same)
        self._fields = make_container(
            column(self._form, self.must_view, self.grading, row(self.begin, None), spacing=SPACE_M)
        )
        panel = card(
            self.title,
            self.description_label,
            self._fields,
            self.problem,
            margin=SPACE_XL,
            spacing=SPACE_M,
        )
        box = column(None, MaxWidthBox(WIDTH, column(panel), middle=True), None, None)
        self.setLayout(column(make_scroll_area(make_container(box))))

    def show_project(self, project: Project) -> None:
        """Show a project; the choices are kept if it is the one that is already shown."""
        if project is not self._project:
            self._project = project
            self._reset()
        self.problem.hide()
        names = [run.name for run in project.rankings.runs()]
        for box, index in ((self.first, 0), (self.second, 1)):
            fill_choices(box, [(name, name) for name in names], index)
        topic_count = max(1, len(project.collection.topics()))
        if self.topics.value() == self._topic_count:  # all topics
            self.topics.set_value(topic_count)
        self._topic_count = topic_count
        self._fields.setVisible(len(names) > 1 and project.writing)
        self._show_same()
        self._show_kind()

    def _reset(self) -> None:
        for box in (self.first, self.second):
            box.clear()
        self.kind.setCurrentIndex(LISTS)
        for field in (self.topics, self.results, self.top, self.repeats):
            field.reset()
        self._topic_count = self.topics.value()
        for option in (self.must_view, self.grading):
            option.setChecked(False)

    def _show_kind(self) -> None:
        self.description_label.setText(
            self.tr("Comparing needs two runs. Add them on the Collection page.")
            if self.first.count() < 2
            else join_sentences(
                self.tr(
                    "Two result lists are shown side by side. Choose the better one, without "
                    "knowing which run produced it."
                )
                if self.kind.currentIndex() == LISTS
                else self.tr(
                    "Two documents are shown side by side. Choose the one that fits the topic "
                    "better."
                ),
                self.tr(
                    "To let several assessors make this comparison, choose it under Task on the "
                    "Assessors page."
                ),
            )
        )
        # only opened results can be graded; documents are shown in full, so that none are opened
        self.grading.setVisible(self.kind.currentIndex() == LISTS)
        self._form.setRowVisible(BEST_ROW, self.kind.currentIndex() == BEST_DOCUMENTS)
        self._form.setRowVisible(REPEATS_ROW, self.kind.currentIndex() != BEST_DOCUMENTS)

    def _show_same(self) -> None:
        is_same = self.first.count() > 1 and self.first.currentText() == self.second.currentText()
        self._form.setRowVisible(SAME_ROW, is_same)
        self.begin.setEnabled(not is_same)

    def _ask(self) -> None:
        self.problem.hide()
        if (project := self._project) is None:
            return
        options, topic_count = self._make_options(project), self.topics.value()

        def assign(job_project: Project, progress: Progress) -> AssignmentReport | IrjudgeError:
            try:
                topics = sample_topics(job_project, options.runs[0], topic_count, options.seed)
                return assign_comparison_to_owner(
                    job_project, replace(options, topics=topics), progress=progress
                )
            except IrjudgeError as error:
                return error

        self.job_requested.emit(
            self.tr("Planning the comparison"), on_project(project, assign), self._on_created
        )

    def _on_created(self, result: AssignmentReport | IrjudgeError) -> None:
        if isinstance(result, IrjudgeError):
            show_text(self.problem, "✕ " + translate_message(str(result)))
        else:
            self.designed.emit(join_sentences(*map(translate_message, result.warnings)))

    def _make_options(self, project: Project) -> ComparisonOptions:
        """Return the entered options without the topics, which are sampled later."""
        kind = self.kind.currentIndex()
        choice: Choice | None = {LISTS: None, ALL_PAIRS: "all", BEST_DOCUMENTS: "top"}[kind]
        return ComparisonOptions(
            runs=((self.first.currentText(), self.second.currentText()),),
            depth=self.results.value(),
            repeats=0 if kind == BEST_DOCUMENTS else self.repeats.value(),
            seed=project.seed,
            rules=ComparisonRules(
                self.must_view.isChecked(),
                self.grading.isChecked() and kind == LISTS,
                default_reasons(documents=kind != LISTS),
                self.top.value() if kind == BEST_DOCUMENTS else 0,
            ),
            choice=choice,
        )


# The side-by-side page


class ComparisonView(WorkspaceView):
    """Side-by-side page: shows two lists or documents; the user chooses the better one.

    The names of runs are not shown. Keys save the preferences. If the project has no comparison
    yet, or the user requests another one at the end, the page shows a form that creates one.
    Results of a list can be opened, and graded if the rules permit it.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._topic_panel, self.foot = TopicPanel(), AnswerBar()
        self._continue_row = ActionRow("panel-go-on", cap_width=0)
        self.lists, self.pair, self.opened = ComparedLists(), ComparedDocuments(), OpenedResult()
        self.form = ComparisonForm()
        self._visible_sides: SideBySideView = self.lists
        self._shown_kind_and_rules: tuple[str, ComparisonRules] | None = None
        self.turns = PresentationTurns[ComparisonSession, PresentedLists](
            self.foot,
            self,
            settings,
            self._show,
            too_soon_message=self.tr("Key ignored: the two sides had just appeared."),
            retry="panel-retry",
        )
        self.saving = self.turns.saving
        self.saving.job_requested.connect(self.job_requested)
        self.saving.copied.connect(self.open_file)
        self.results = ResultOpener(self, self.lists, self.opened, self.foot)
        self.closing = Submission(self, self)
        self.closing.failed.connect(self.foot.show_problem)
        self.closing.done.connect(self._on_submitted)
        self._fetch_timer = QTimer(self)
        self._fetch_timer.timeout.connect(self._fetch_ahead)
        self.turns.begun.connect(lambda: self._fetch_timer.start(0))
        self.turns.undone.connect(
            lambda event: self._on_step(
                event, self.tr("Undone: {action}. {key} redoes it."), "panel-redo"
            )
        )
        self.turns.redone.connect(
            lambda event: self._on_step(
                event, self.tr("Redone: {action}. {key} undoes it."), "panel-undo"
            )
        )
        for sides in (self.lists, self.pair):
            sides.rendered.connect(self.turns.paint)
            sides.scrolled.connect(self.turns.active.touch)
            sides.opened.connect(self.results.open)
        self.results.moved.connect(self._update_middle)
        self.foot.action_requested.connect(lambda action: self.actions_by_id[action].trigger())
        self._continue_row.clicked.connect(lambda: self.actions_by_id["panel-go-on"].trigger())
        self.foot.retry_requested.connect(self.saving.retry)
        self.foot.left_note.connect(self.focus)
        self.form.job_requested.connect(self.job_requested)
        self.form.designed.connect(self._begin_design)
        self._lay_out()
        self.actions_by_id = create_actions(self, self._action_handlers())

    def _action_handlers(self) -> dict[str, ActionHandler]:
        return {
            "left": ActionHandler(lambda: self.prefer("left", 1), lambda: self.can_compare),
            "equal": ActionHandler(lambda: self.prefer("tie", 1), lambda: self.can_compare),
            "right": ActionHandler(lambda: self.prefer("right", 1), lambda: self.can_compare),
            "much-left": ActionHandler(lambda: self.prefer("left", 2), lambda: self.can_compare),
            "much-right": ActionHandler(lambda: self.prefer("right", 2), lambda: self.can_compare),
            "open-result": ActionHandler(self.results.open_focused, lambda: self.results.can_open),
            "link": ActionHandler(self.switch_link, lambda: self.can_compare),
            "same": ActionHandler(self.switch_same, lambda: self.results.can_open),
            "panel-note": ActionHandler(self.foot.write_note, lambda: self.can_compare),
            "later": ActionHandler(self.skip, lambda: self.can_compare),
            "panel-go-on": ActionHandler(self.go_on, lambda: self.can_go_on),
            "panel-undo": ActionHandler(self.turns.undo, lambda: self.turns.can_undo),
            "panel-redo": ActionHandler(self.turns.redo, lambda: self.turns.can_redo),
            "panel-hand-in": ActionHandler(self.closing.submit, lambda: self.closing.can_submit),
            "panel-copy": ActionHandler(self.saving.ask_copy, lambda: self.saving.has_failed_saves),
            "panel-retry": ActionHandler(self.saving.retry, lambda: self.saving.has_failed_saves),
        }

    def _lay_out(self) -> None:
        self._topic_panel.arrange("middle")
        self._stack, self._middle = QStackedWidget(), QStackedLayout()
        comparison_part, middle_part = QWidget(), QWidget()
        # the layout is set first, so that the widgets added to it get a parent: a widget that is
        # shown without a parent becomes a window
        middle_part.setLayout(self._middle)
        for part in (self.lists, self.pair, self.opened):
            self._middle.addWidget(part)
        self._continue_row.hide()
        comparison_part.setLayout(
            column(
                self._topic_panel,
                self._continue_row,
                middle_part,
                self.foot,
                spacing=SPACE_M,
                stretched=middle_part,
            )
        )
        for page in (comparison_part, self.form):
            self._stack.addWidget(page)
        self.put_parts(self._stack)
        for watched in (
            self.lists,
            self.pair,
            self.opened.view.viewport(),
            *(view.viewport() for view in self.pair.views),
        ):
            watched.installEventFilter(self)

    # Called by the window

    def show_project(self, project: Project | None) -> None:
        self.stop()
        super().show_project(project)

    def stop(self) -> None:
        """Stop comparing, because the project was closed or has changed."""
        self._fetch_timer.stop()
        self._visible_sides.stop()
        self.opened.close_document()
        self.turns.begin(None)

    def refresh(self) -> None:
        if self.session is not None:
            self._redisplay()
        elif self.project is not None:
            self._begin(self.project)

    def _begin(self, project: Project) -> None:
        if not project.writing:
            self.show_state(waiting_state(self.tr("The project is open read-only in this window.")))
            return
        if not has_comparisons(project):
            self._show_form()
            return
        try:
            session = ComparisonSession(project)
        except IrjudgeError as error:
            self.show_state(
                StateMessage(self.tr("Nothing to compare"), translate_message(str(error)))
            )
            return
        self.turns.begin(session)
        self.foot.show_hint("")
        self._shown_kind_and_rules = None
        self._show(session.current())
        self.brief()

    def instructions_scale(self) -> Scale | None:
        return self.session.scale if self.session and self.session.rules.grading else None

    def _show_form(self) -> None:
        if self.project is not None:
            self.form.show_project(self.project)
            self._stack.setCurrentWidget(self.form)
            self.show_state(None)

    def _begin_design(self, warnings: str) -> None:
        self.turns.begin(None)
        self.refresh()
        self.foot.show_hint(warnings)
        self.focus()

    def focus_parts(self) -> None:
        if self._stack.currentWidget() is self.form:
            self.form.begin.setFocus()  # since the defaults often suffice
        else:
            (self.opened.view if self.results.is_open else self._visible_sides).setFocus()

    # Available actions

    @property
    def session(self) -> ComparisonSession | None:
        return self.turns.session

    @property
    def rendered_item(self) -> PresentedLists | None:
        return self.turns.rendered

    @property
    def can_compare(self) -> bool:
        return self.turns.rendered is not None

    # Saving and moving on

    def prefer(self, winner: Winner, strength: int) -> None:
        session, lists = self.session, self.turns.rendered
        if session is None or lists is None:
            return
        attention = Attention(
            self.turns.active.stop(),
            *self.results.log.count(),
            self._visible_sides.lowest_visible(),
        )
        self.turns.save_action(
            partial(
                session.prefer,
                lists,
                winner,
                strength=strength,
                reasons=self.foot.reasons(),
                note=self.foot.note.text().strip(),
                attention=attention,
            ),
            self._go_on,
            refusal=self._explain_refusal(session, lists, attention),
        )

    def _explain_refusal(
        self, session: ComparisonSession, presented_lists: PresentedLists, attention: Attention
    ) -> str:
        if self.results.is_open:
            return self.tr("Close the open result first.")
        missing_views = session.list_unviewed_sides(presented_lists, attention)
        return describe_missing_lists(missing_views) if missing_views else ""

    def skip(self) -> None:
        session, lists = self.session, self.turns.rendered
        if session is not None and lists is not None:
            self.turns.save_action(
                partial(session.skip, lists, active_ms=self.turns.active.stop()), self._go_on
            )

    def go_on(self) -> None:
        if session := self.session:
            self.turns.move(session.return_or_advance)

    def _on_step(self, event: Event, label: str, other: str) -> None:
        if session := self.session:
            self.turns.move(session.current)
            self.foot.show_hint(
                filled(label, action=describe_action(event), key=key_cap_text(other))
            )
            if event.kind == "preference":
                self.foot.show_answer(
                    event.payload.get("reasons", []), event.payload.get("note", "")
                )

    def _go_on(self, event: Event) -> None:
        if self.session is not None:
            self.turns.move(self.session.advance)
            self.say_saved(event)

    def say_saved(self, event: Event) -> None:
        self.foot.show_hint(
            filled(
                self.tr("Saved: {action}. {key} undoes it."),
                action=describe_action(event),
                key=key_cap_text("panel-undo"),
            )
        )

    def switch_link(self) -> None:
        is_linked = not self._visible_sides.is_linked
        for sides in (self.lists, self.pair):
            sides.is_linked = is_linked
        self.foot.show_hint(
            self.tr("Both sides scroll together.")
            if is_linked
            else self.tr("The sides scroll independently.")
        )

    def switch_same(self) -> None:
        self.foot.show_hint(
            self.tr("Documents in both lists show their rank in the other list.")
            if self.lists.switch_same()
            else self.tr("Ranks in the other list are hidden.")
        )

    # Display

    def _show(self, lists: PresentedLists | None) -> None:
        self.turns.show(lists)
        self._fetch_timer.stop()
        self.results.log.begin()
        if (session := self.session) is None:
            return
        if lists is None:
            self.show_state(done_state(session, self.closing.submit, self._show_form))
            return
        self._begin_item(session, lists)
        self.foot.clear_answer()
        self._visible_sides.stop()
        self._visible_sides = self.pair if lists.item.type == "pair" else self.lists
        self._stack.setCurrentIndex(0)
        self.show_state(None)
        self._update_middle()
        self._topic_panel.show_topic(lists.topic, session.queue.topics)
        self.foot.show_state(session)
        self._continue_row.setVisible(self.can_go_on)
        self._visible_sides.show_lists(session, lists, self.zoom)
        if self.isVisible():
            self._visible_sides.setFocus()

    def _begin_item(self, session: ComparisonSession, lists: PresentedLists) -> None:
        """Show question, reasons and grades, unless they are those of the previous item."""
        kind_and_rules = (lists.item.type, lists.item.rules)
        if kind_and_rules != self._shown_kind_and_rules:
            self.foot.begin(lists)
            self.opened.begin(session, lists.item.rules)
            self._shown_kind_and_rules = kind_and_rules

    def _redisplay(self) -> None:
        """Show the item again after a change of theme or zoom, in the same presentation.

        Lists adapt on their own.
        """
        if self.session is not None and self.turns.shown is not None and self._shows_item:
            if self._visible_sides is self.pair:
                self.pair.show_lists(self.session, self.turns.shown, self.zoom)
            self.foot.fit()

    def _fetch_ahead(self) -> None:
        """Read one result of the next item in advance.

        Each call reads a single result, so that a key press never waits for more than one.
        """
        has_more = False
        with suppress(IrjudgeError):  # the error is reported when that item is shown
            # nothing is read while the page is disabled, since a job then has exclusive use of the
            # project
            has_more = self.session is not None and self.isEnabled() and self.session.prepare()
        if not has_more:
            self._fetch_timer.stop()

    def _on_submitted(self) -> None:
        if self.session and not self.session.count().left:
            self.turns.move(self.session.advance)

    @property
    def _shows_item(self) -> bool:
        return self.state_page is None and self._stack.currentWidget() is not self.form

    # Qt overrides

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._shows_item:
            super().keyPressEvent(event)
            return
        if self.results.is_open and self.opened.handle_key(event):
            return
        steps_by_key = {
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
            Qt.Key.Key_PageUp: (0, -1),
            Qt.Key.Key_PageDown: (0, 1),
        }
        digit, key = event.text(), Qt.Key(event.key())
        if key == Qt.Key.Key_Space:
            self._visible_sides.step(
                pages=-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
            )
        elif key in steps_by_key:
            self._visible_sides.step(*steps_by_key[key])
        elif not (
            len(digit) == 1
            and digit in "123456789"
            and not event.isAutoRepeat()
            and self.foot.tick(int(digit))
        ):
            super().keyPressEvent(event)

    def eventFilter(self, _watched: object, event: QEvent) -> bool:
        if event.type() in ACTIVITY_EVENTS:
            self.turns.active.touch()
        return False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            QTimer.singleShot(0, self, self._redisplay)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_answer_bar()
        self.foot.fit()

    def _update_middle(self) -> None:
        self._middle.setCurrentWidget(self.opened if self.results.is_open else self._visible_sides)
        self._update_answer_bar()

    def _update_answer_bar(self) -> None:
        """Hide the answer bar if a result is open and the page is low.

        No preference can be recorded while a result is open.
        """
        self.foot.setVisible(
            not self.results.is_open or self.height() >= scale_length(LOW_PAGE_HEIGHT)
        )


class ResultOpener(QObject):
    """Controller that opens, grades and closes a result, and measures how long it is open.

    `moved` is emitted when a result was opened or closed; the page then shows the result or the
    lists. `log` counts how often and how long results of each side were open while the current item
    was shown. The controller belongs to the side-by-side page.
    """

    moved = Signal()

    def __init__(
        self,
        page: ComparisonView,
        lists: ComparedLists,
        opened_result: OpenedResult,
        foot: AnswerBar,
    ) -> None:
        super().__init__(opened_result)
        self._page, self._lists, self._opened, self._foot = page, lists, opened_result, foot
        self.log = ViewingLog()
        opened_result.closed.connect(self.close)
        opened_result.graded.connect(self.grade)

    @property
    def is_open(self) -> bool:
        return self.log.open_position is not None

    @property
    def can_open(self) -> bool:
        lists = self._page.rendered_item
        return lists is not None and lists.item.type == "panel" and not self.is_open

    def open_focused(self) -> None:
        positions = [
            (side, rank)
            for side, result_list in enumerate(self._lists.lists)
            for rank, _ in enumerate(result_list.cards.visible_cards)
        ]
        position = next(
            (
                position
                for position in positions
                if self._lists.lists[position[0]].cards.all[position[1]].hasFocus()
            ),
            next(iter(positions), None),
        )
        if position is not None:
            self.open(*position)

    def open(self, side: int, rank: int) -> None:
        session, lists = self._page.session, self._page.rendered_item
        if session is not None and lists is not None:
            self.log.open(side, rank)
            self.moved.emit()  # first, so that the document is laid out at its final size
            self._opened.open(session, lists, side, rank, self._page.zoom)
            self._opened.view.setFocus()

    def close(self) -> None:
        position = self.log.close()
        self._opened.close_document()
        self.moved.emit()
        self._foot.show_hint("")
        if position is not None:
            self._lists.lists[position[0]].cards.all[position[1]].setFocus()

    def grade(self, value: int) -> None:
        session, lists = self._page.session, self._page.rendered_item
        position = self.log.open_position
        if session is None or lists is None or position is None:
            return
        result = (lists.left, lists.right)[position[0]][position[1]]

        def on_saved(event: Event) -> None:
            self._opened.show_given(session, lists, result)
            self._page.say_saved(event)

        self._page.saving.commit(partial(session.grade, lists, result, value), on_saved)

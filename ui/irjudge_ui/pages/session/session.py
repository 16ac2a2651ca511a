"""Session page: start a session, show its participants and progress, and control it."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QWidget
from shiboken6 import isValid

from irjudge.errors import IrjudgeError
from irjudge.judging import count_assigned_pairs
from irjudge.store import ENDED, OPEN, PAUSED, Project
from irjudge.web import (
    FAREWELL_SECONDS,
    ParticipantQuality,
    ParticipantStatus,
    SessionOptions,
    SessionQuality,
    SessionStatus,
    SharedSession,
    compute_session_quality,
    find_resumable,
    free_empty,
    list_unopened_seats,
)
from irjudge_ui.actions import BY_ID, ActionHandler, bind_key_cap, create_actions
from irjudge_ui.jobs import on_project
from irjudge_ui.messages import escape_markup, filled, translate_message
from irjudge_ui.models import TableModel
from irjudge_ui.pages.session.big_screen import BigScreen
from irjudge_ui.pages.session.controller import (
    RepeatedJob,
    SessionController,
    close_ended,
    controller_of,
    make_server,
    open_controller,
    retire_controller,
)
from irjudge_ui.pages.session.participants import (
    COMPLETED_COLUMN,
    GOLD_COLUMN,
    LATE_COLUMN,
    NOTICE_COLUMN,
    can_be_taken_over,
    describe_agreement,
    describe_notices,
    late_columns,
    participant_columns,
    participant_label,
    topic_columns,
)
from irjudge_ui.pages.session.rounds import RoundsCard
from irjudge_ui.pages.session.session_form import (
    LOCAL_ADDRESS,
    SessionForm,
    StartPageField,
)
from irjudge_ui.pages.shared import View, ask_cards
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_M,
    ChoiceBox,
    Dialog,
    Flow,
    Meter,
    PageScrollArea,
    QrCode,
    SideBySide,
    Table,
    ask,
    card,
    column,
    make_button,
    make_container,
    make_flow,
    make_label,
    make_selectable_label,
    named,
    row,
    scale_length,
    set_style,
    show_text,
)

if TYPE_CHECKING:
    # imported at run time only when a server is started, since most visits to the page start none
    from irjudge.web import Server

MAX_TOPICS, MAX_LATE_ROWS = 20, 6
MIN_PARTICIPANT_ROWS = 6  # minimum number of rows of participants shown at once
# height in pixels reserved below the table of participants for its actions
RESERVED_HEIGHT = 390
NARROW_WIDTH, NARROW_HEAD_WIDTH, CODE_COLUMN_WIDTH = 860, 440, 420
SAME_PERSON_DIALOG_SIZE, LINK_DIALOG_SIZE = (440, 240), (480, 460)
QUALITY_SECONDS = 10.0  # minimum time between checks of the participants' quality


def _end_session(session: SharedSession) -> SessionStatus:
    session.set_state(ENDED)
    return session.status()


class SessionView(View):
    """Session page: a form that starts a session, and the display of the running session.

    This window serves the session to the browsers of the participants, whose judgments are written
    to the project immediately. The host can pause and end the session, create links, exclude
    participants, and accept late judgments. A session that was interrupted can be resumed.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.controller: SessionController | None = None
        self.status: SessionStatus | None = None
        self.screen_shown: BigScreen | None = None
        self.form, self.asks = SessionForm(), StartPageField()
        for signal in (
            self.form.mode.currentIndexChanged,
            self.form.order.currentIndexChanged,
            self.form.again.toggled,
        ):
            signal.connect(lambda _value: self._show_missing())
        self._notices: dict[str, ParticipantQuality] = {}
        self._quality_job = RepeatedJob(self.latest(quiet=True), QUALITY_SECONDS)
        self._count_job = self.latest(quiet=True)
        # state of the project for which its pairs were counted, and the numbers of assigned and
        # unassigned pairs; None until they are known
        self._counted_state: object = None
        self._pair_counts: tuple[int, int] | None = None
        self.people = TableModel(participant_columns(self._notices))
        self._titles = dict[str, str]()
        self.topics = TableModel(topic_columns(self._titles))
        self.late = TableModel(late_columns())
        self.people_table = Table(self.people, self.tr("Participants"), rows=MIN_PARTICIPANT_ROWS)
        self._topic_table = Table(self.topics, self.tr("Progress by topic"), rows=MAX_TOPICS)
        self._late_table = Table(self.late, self.tr("Late judgments"), rows=MAX_LATE_ROWS)
        self._description_label, self._missing_label, self.agreement = (
            make_label("", "quiet") for _ in range(3)
        )
        self._link = named(make_selectable_label(""), self.tr("Link"))
        self._code, self._state = make_label("", "title"), make_label("", "warning")
        self._notices_label, self.ended_counts = make_label(), make_label()
        self._missing_next = ""
        self._by_code, self._has_excluded = True, False
        self.leads = True
        self._picture, self._meter = QrCode(self.tr("QR code")), Meter(self.tr("Judgments"))
        self._create_notes()
        self._lay_out()
        self.actions_by_id = create_actions(
            self,
            {"big-screen": ActionHandler(self.show_screen, lambda: self.controller is not None)},
        )

    def _create_notes(self) -> None:
        self._no_participants = make_label(
            self.tr("Nobody has joined yet. Show the full-screen display, or send the link."),
            "quiet",
        )
        self._notifying_note = make_label(
            self.tr("The participants' open pages are being notified."), "quiet"
        )
        self.lead_there = make_button(
            "", clicked=lambda: self.wants.emit(BY_ID[self._missing_next].page)
        )
        self.to_evaluation = make_button(
            self.tr("Evaluate"), clicked=lambda: self.wants.emit("evaluate")
        )

    def _lay_out(self) -> None:
        self.start, self.resume = (
            make_button(self.tr("Start a session"), clicked=self.begin),
            make_button(self.tr("Continue"), clicked=lambda: self._start(None)),
        )
        self.give_up = make_button(self.tr("End"), clicked=self.ask_end_unfinished)
        self._unfinished = card(
            make_label(self.tr("A session is running"), "heading"),
            make_label(self.tr("Participants can continue where they left off."), "quiet"),
            row(self.resume, self.give_up, None),
        )
        self.ended = card(
            make_label(self.tr("The session has ended"), "heading"),
            self.ended_counts,
            self._notifying_note,
            make_flow(
                self.to_evaluation,
                make_button(self.tr("Agreement"), clicked=lambda: self.wants.emit("agreement")),
            ),
        )
        self.ended.hide()
        setup_card = card(
            make_label(self.tr("New session"), "heading"),
            make_label(
                self.tr(
                    "Participants open the link in a browser and judge. No internet connection is "
                    "needed, but all devices must be on the same network."
                ),
                "quiet",
            ),
            self._missing_label,
            self.form,
        )
        self._stack = QStackedWidget()
        self._stack.addWidget(
            PageScrollArea(
                column(
                    self._make_head(self.start, self.lead_there, self.asks),
                    self.ended,
                    self._unfinished,
                    setup_card,
                    None,
                    spacing=SPACE_M,
                )
            )
        )
        self._stack.addWidget(PageScrollArea(self._make_running_page()))
        self.setLayout(column(self._stack, self.problem))

    def _make_head(self, *widgets: QWidget) -> QWidget:
        return SideBySide(
            column(None, make_label(self.tr("Session"), "title", wrap=False), None),
            Flow(widgets),
            NARROW_HEAD_WIDTH,
            (1, 0),
        )

    def _make_running_page(self) -> QWidget:
        self.pause = make_button(
            self.tr("Pause"),
            clicked=self.switch_pause,
            tooltip=self.tr(
                "While the session is paused, no page accepts judgments. Participants continue "
                "where they stopped."
            ),
        )
        self.big_screen_button = make_button(
            BY_ID["big-screen"].label, clicked=lambda: self.actions_by_id["big-screen"].trigger()
        )
        bind_key_cap("big-screen", self._explain_big_screen, self.big_screen_button)
        self.end = make_button(
            self.tr("End"),
            clicked=self.ask_end,
            tooltip=self.tr(
                "Ends judging for all participants. Their judgments are saved in the project."
            ),
        )
        self._make_row_actions()
        self._make_seat_actions()
        self.people_table.set_row_actions(
            self.exclude,
            self.release,
            self.again,
            self.revoke,
            self.same,
            self.free,
            self.free_empty,
        )
        self.people_table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._show_chosen()
        )
        self._late_table.selectionModel().currentRowChanged.connect(
            lambda _current, _previous: self._enable()
        )
        head = self._make_head(self.pause, self.big_screen_button, self.end)
        self._parts = self._make_running_parts()
        return make_container(column(head, self._state, self._parts, None, spacing=SPACE_M))

    def _make_running_parts(self) -> SideBySide:
        self.count = make_button(
            self.tr("Include"),
            clicked=self.take_late,
            tooltip=self.tr(
                "Include this judgment although the document already has enough judgments."
            ),
        )
        self._late_card = card(
            make_label(self.tr("Late judgments"), "heading"),
            self._late_table,
            row(self.count, None),
        )
        self.rounds = RoundsCard()
        right_part = column(
            self.rounds,
            card(make_label(self.tr("Progress"), "heading"), self._meter, self.agreement),
            card(
                make_label(self.tr("Participants"), "heading"),
                self._no_participants,
                self.people_table,
                self._notices_label,
            ),
            self._late_card,
            card(make_label(self.tr("Progress by topic"), "heading"), self._topic_table),
            None,
            spacing=SPACE_M,
        )
        return SideBySide(
            column(self._make_join_part(), None, spacing=SPACE_M), right_part, NARROW_WIDTH, (2, 5)
        )

    def _make_row_actions(self) -> None:
        self.exclude = self._make_row_action(
            self.tr("Exclude"),
            self.tr(
                "Exclude this participant: none of their judgments are used, and their "
                "documents go to others. Nothing is deleted."
            ),
            self.switch_excluded,
        )
        self.release = self._make_row_action(
            self.tr("Release documents"),
            self.tr(
                "Documents that are assigned to this participant but not judged go to other "
                "participants at once. Judgments are kept."
            ),
            lambda participant: self._do_for_participant(SharedSession.release, participant),
        )
        self.again = self._make_row_action(
            self.tr("Readmit"),
            self.tr(
                "Create a new link for a participant who has lost the old one. The old link "
                "then stops working."
            ),
            self.let_in_again,
        )
        self.same = self._make_row_action(
            self.tr("Merge with …"),
            self.tr(
                "Count two names as one participant, for example if someone joined again with "
                "another device."
            ),
            self.ask_same,
        )

    def _make_seat_actions(self) -> None:
        self.revoke = self._make_row_action(
            self.tr("Revoke the link"),
            self.tr(
                "Revoke this participant's link, and the access of the browser that used the "
                "link. The judgments are kept."
            ),
            self.revoke_link,
        )
        self.free = self._make_row_action(
            self.tr("Free the seat"),
            self.tr(
                "Let another participant use this name, for example if it was taken by "
                "mistake. This is possible only if none of the judgments made under this name "
                "are used."
            ),
            self.ask_free_seat,
        )
        self.free_empty = QAction(
            self.tr("Free unused seats"),
            self,
            toolTip=escape_markup(
                self.tr(
                    "Free the names of all participants who left without judging anything, so "
                    "that others can use these names."
                )
            ),
        )
        self.free_empty.triggered.connect(self.free_all_empty)

    def _explain_big_screen(self, keys: str) -> None:
        self.big_screen_button.setToolTip(
            escape_markup(
                filled(
                    self.tr(
                        "Full-screen display for everyone, with the progress and instructions for "
                        "joining, but without judgments. Key: {keys}"
                    ),
                    keys=keys,
                )
            )
        )

    def _make_join_part(self) -> QWidget:
        self.copy, self.cards = (
            make_button("", clicked=self.copy_links),
            make_button(self.tr("Print cards…"), clicked=self.print_cards),
        )
        join_part = SideBySide(
            column(row(self._picture, None), None),
            column(
                self._code,
                self._link,
                self._description_label,
                make_flow(self.copy, self.cards),
                None,
            ),
            CODE_COLUMN_WIDTH,
            (0, 1),
        )
        join_part.set_reversed(True)
        return card(make_label(self.tr("Join"), "heading"), join_part)

    def _make_row_action(
        self, text: str, tooltip: str, call: Callable[[ParticipantStatus], object]
    ) -> QAction:
        action = QAction(text, self, toolTip=escape_markup(tooltip))
        action.triggered.connect(lambda: call(self.chosen) if self.chosen else None)
        return action

    def focus(self) -> None:
        first_button = (
            self.big_screen_button
            if self.controller
            else self.resume
            if not self._unfinished.isHidden()
            else self.to_evaluation
            if self._has_results
            else self.start
        )
        (self.people_table if self.people.rows else first_button).setFocus()

    # Display

    def show_project(self, project: Project | None) -> None:
        super().show_project(project)
        self._counted_state = self._pair_counts = None
        self.ended.hide()
        self.form.reset()
        self.asks.show_project(project)
        self._titles.clear()
        self._show_session(controller_of(project))

    def refresh(self) -> None:
        if self.project is not None and self.controller is None:
            self.form.refresh()
            has_unfinished = find_resumable(self.project) is not None
            self._unfinished.setVisible(has_unfinished)
            set_style(self.resume, "primary" if has_unfinished else "")
            set_style(self.start, "" if has_unfinished or self._has_results else "primary")
            self._show_missing()

    def _show_missing(self) -> None:
        if (project := self.project) is None:
            return
        runs, message, self._missing_next = len(project.rankings.runs()), "", ""
        is_comparing = bool(self.form.mode.currentData())
        if not project.writing:
            message = self.tr("The project is open read-only, so no judgments can be made.")
        elif not is_comparing and self.form.order.currentData() == "learning":
            if not (project.collection.document_count() and project.collection.topics()):
                message = self.tr("Active learning needs documents and topics.")
                self._missing_next = "add-documents"
        elif is_comparing and runs < 2:
            message, self._missing_next = self.tr("Comparing needs at least two runs."), "add-runs"
        elif not is_comparing and not project.rankings.pool_version():
            message = self.tr(
                "There is no pool yet. The pool is the list of documents to judge, such as the "
                "top documents of every run."
            )
            self._missing_next = "build-pool" if runs else "add-runs"
        elif not is_comparing:
            self._count_pairs(project)
            message = self._describe_assigned()
        show_text(self._missing_label, message)
        self.start.setEnabled(not message)
        self.lead_there.setVisible(bool(self._missing_next))
        if self._missing_next:
            self.lead_there.setText(BY_ID[self._missing_next].label)

    def _count_pairs(self, project: Project) -> None:
        """Count the assigned pairs in the background, unless the project has not changed."""
        if self._counted_state == project.writes:
            return
        self._counted_state = project.writes

        def show_counts(counts: tuple[int, int]) -> None:
            self._pair_counts = counts
            self._show_missing()

        self.run_on_project(
            self._count_job,
            lambda job_project, _progress: count_assigned_pairs(job_project),
            show_counts,
            self.failed.emit,
        )

    def _describe_assigned(self) -> str:
        """Return a message if all pairs are assigned; empty until the pairs are counted."""
        if self._pair_counts is None:
            return ""
        assigned_count, unassigned_count = self._pair_counts
        self.form.offer_again(assigned_count > 0)
        if unassigned_count or self.form.again.isChecked():
            return ""
        return filled(
            self.tr(
                "Nothing is left to assign: all {out} topic–document pairs are already "
                "assigned. With “{choice}”, a new session collects the full number of "
                "judgments of every pair, in addition to those already made."
            ),
            out=f"{assigned_count:,}",
            choice=self.form.again.text(),
        )

    def _show_session(self, controller: SessionController | None) -> None:
        if self.controller is not None:
            self.controller.status_changed.disconnect(self._show)
            self.controller.failed.disconnect(self._show_failure)
        self.controller, self.status = controller, None
        self.rounds.follow(controller)
        self._quality_job.reset()
        self._notices.clear()
        self.agreement.hide()
        for model in (self.people, self.topics, self.late):
            model.fill(())
        self._stack.setCurrentIndex(int(controller is not None))
        self.problem.hide()
        if controller is not None:
            controller.status_changed.connect(self._show)
            controller.failed.connect(self._show_failure)
            self._show_join_code(controller)
            self._show_people(())
            self._enable()

    def _show_join_code(self, controller: SessionController) -> None:
        resumable_session = find_resumable(self.project) if self.project else None
        self._by_code = (
            resumable_session is None
            or SessionOptions.from_json(resumable_session.terms).join != "links"
        )
        code = controller.server.code
        self._code.setText(f"{code[:4]} {code[4:]}")
        self._link.setText(
            controller.link
            if self._by_code
            else self.tr("Each participant has a personal link. Copy the links and send them.")
        )
        self._picture.show_text(controller.link)
        for widget in (self._code, self._picture):
            widget.setVisible(self._by_code)
        self.cards.setVisible(not self._by_code)
        self.copy.setText(self.tr("Copy link") if self._by_code else self.tr("Copy links"))

    def _show_people(self, participants: Sequence[ParticipantStatus]) -> None:
        self._update_table(self.people_table, self.people, participants)
        self.people_table.setVisible(bool(participants))
        self._no_participants.setVisible(not participants)
        self._parts.set_reversed(bool(participants))
        self._show_columns()

    def _show_columns(self) -> None:
        notices = self._notices.values()
        has_values = {
            GOLD_COLUMN: any(quality.gold_count for quality in notices),
            NOTICE_COLUMN: any(quality.outlier_reasons for quality in notices),
            LATE_COLUMN: any(participant.late for participant in self.people.rows),
            COMPLETED_COLUMN: any(participant.completed for participant in self.people.rows),
        }
        table = self.people_table
        changed = [
            column
            for column, is_shown in has_values.items()
            if table.isColumnHidden(column) == is_shown
        ]
        for number in changed:
            table.setColumnHidden(number, not has_values[number])
        # the columns are fitted again, since "excluded" is the longest text of its column
        any_excluded = any(participant.aside for participant in self.people.rows)
        if changed or any_excluded != self._has_excluded:
            table.fit()
        self._has_excluded = any_excluded

    def _show_failure(self, sentence: str) -> None:
        show_text(self.problem, "✕ " + translate_message(sentence))

    def _show(self, status: SessionStatus) -> None:
        old_status, self.status = self.status, status
        if old_status is None or old_status.participants != status.participants:
            self._show_people(status.participants)
        late_judgments = [
            (participant_id, status.names.get(participant_id) or participant_id, pair)
            for participant_id, pair in status.late
        ]
        if late_judgments != self.late.rows:
            selected = self.late.at(self._late_table.currentIndex())
            self.late.fill(late_judgments)
            if selected in late_judgments:
                index = self.late.line_of(late_judgments.index(selected))
                self._late_table.selectRow(index.row())
        self._late_card.setVisible(bool(late_judgments))
        if self.project and not self._titles:
            self._titles.update(self.project.collection.topic_titles())
        if old_status is None or old_status.topics != status.topics:
            self._update_table(self._topic_table, self.topics, list(status.topics.items()))
        self._meter.show_count(*status.judgment_counts)
        state_texts = {
            ENDED: self.tr("Session ended; notifying participants."),
            PAUSED: self.tr("⚠ Paused: no new documents are assigned."),
        }
        show_text(self._state, state_texts.get(status.state, ""))
        self._description_label.setText(self._describe_reachability())
        self._check_quality(status)
        self._show_chosen()

    def _describe_reachability(self) -> str:
        if self.controller and self.controller.server.has_remote_client:
            return self.tr("Other devices can connect.")
        if self.controller and self.controller.address.startswith(f"http://{LOCAL_ADDRESS}:"):
            return filled(
                self.tr(
                    "Only this computer can reach {here}. To let others join, end the session "
                    "and choose another address."
                ),
                here=LOCAL_ADDRESS,
            )
        return self.tr(
            "No other device has connected yet. Try to connect with a phone: a firewall or "
            "guest network may block connections."
        )

    @staticmethod
    def _update_table(table: Table, model: TableModel, rows: Sequence[Any]) -> None:
        has_other_count = len(rows) != len(model.rows)
        model.update_and_append(rows)
        if has_other_count:
            table.fit()

    # Notices

    def _check_quality(self, status: SessionStatus) -> None:
        def on_done(quality: SessionQuality) -> None:
            self.agreement.setText(describe_agreement(quality.agreement))
            self.agreement.setVisible(quality.agreement is not None)
            if quality.participants != self._notices:
                self._notices.clear()
                self._notices.update(quality.participants)
                self.people.update_and_append(self.people.rows)
                self.people_table.fit()
                self._show_columns()
                self._show_chosen()

        if self.project and self.isVisible():
            self._quality_job.run_if_due(
                status.judgment_state,
                on_project(self.project, compute_session_quality),
                on_done,
                self.failed.emit,
            )

    def _show_chosen(self) -> None:
        show_text(
            self._notices_label, describe_notices(self.people.rows, self.chosen, self._notices)
        )
        self._enable()

    def _enable(self) -> None:
        participant, is_running = self.chosen, self.controller is not None
        for button in (self.exclude, self.release, self.again, self.revoke):
            button.setEnabled(is_running and participant is not None)
        self.free.setEnabled(
            is_running
            and self._by_code
            and participant is not None
            and can_be_taken_over(participant)
        )
        self.free_empty.setEnabled(
            is_running and self._by_code and any(row.unused for row in self.people.rows)
        )
        self.same.setEnabled(is_running and participant is not None and len(self.people.rows) > 1)
        self.count.setEnabled(is_running and self._late_table.currentIndex().isValid())
        self.exclude.setText(
            self.tr("Include again") if participant and participant.aside else self.tr("Exclude")
        )
        is_paused = self.status is not None and self.status.state == PAUSED
        self.pause.setText(self.tr("Continue") if is_paused else self.tr("Pause"))
        set_style(self.pause, "primary" if is_paused else "")

    @property
    def chosen(self) -> ParticipantStatus | None:
        return cast(ParticipantStatus | None, self.people.at(self.people_table.currentIndex()))

    # Start and end

    def begin(self) -> None:
        try:
            options = self.form.session_options(self.project) if self.project else None
        except IrjudgeError as error:
            self._show_failure(str(error))
            return
        if options:
            self._start(options)

    def _start(self, options: SessionOptions | None) -> None:
        project, host, cache = self.project, self.form.host, self._settings.cache
        if project is None:
            return
        self.problem.hide()
        close_ended(project)

        def on_done(server: "Server") -> None:
            self.ended.hide()
            self._show_session(open_controller(project, server, host))
            self.changed.emit()
            if self.isVisible():
                self.focus()  # the pressed button is no longer visible

        self.job_requested.emit(
            self.tr("Starting the session"),
            lambda progress: make_server(project, options, host, cache, progress),
            on_done,
        )

    def ask_end_unfinished(self) -> None:
        self._confirm(
            self.tr("End the session?"),
            (
                self.tr(
                    "Judgments that the participants' pages have not sent yet will be lost, and the "
                    "links will stop working. You will not be able to continue this session."
                ),
            ),
            self.tr("End"),
            self.end_unfinished,
        )

    def end_unfinished(self) -> None:
        resumable_session = find_resumable(self.project) if self.project else None
        if self.project and resumable_session:
            self.project.sessions.set_state(resumable_session.code, ENDED)
            self.refresh()
            self.changed.emit()

    def ask_end(self) -> None:
        message = self.tr(
            "All judgments sent so far are in the project. Unsent judgments will be lost."
        )
        judged, wanted = self.status.judgment_counts if self.status else (0, 0)
        if judged < wanted:
            missing = filled(
                self.tr(
                    "Missing judgments: {missing} of {wanted}. An ended session cannot be "
                    "continued. To continue it later, keep it running and close the window "
                    "instead."
                ),
                missing=f"{wanted - judged:,}",
                wanted=f"{wanted:,}",
            )
            message = f"{missing}\n\n{message}"
        ask(
            self,
            self.tr("End the session?"),
            message,
            [(self.tr("End"), self.end_session), (self.tr("Keep running"), None)],
        )

    def end_session(self) -> None:
        if controller := self.controller:
            controller.do(_end_session, lambda status: self._close(controller, status))

    def _close(self, controller: SessionController, status: SessionStatus) -> None:
        project = self.project
        if not isValid(self) or self.controller is not controller or project is None:
            return  # the window was closed, or another session has begun
        is_present = any(participant.here for participant in status.participants)
        self._show_session(None)
        self._notifying_note.setVisible(is_present)
        controller.destroyed.connect(self._notifying_note.hide)
        retire_controller(project, FAREWELL_SECONDS if is_present else 0.0)
        judged, wanted = status.judgment_counts
        self.ended_counts.setText(
            filled(
                self.tr("Participants: {people}. Judgments: {judged} of {wanted}."),
                people=f"{len(status.participants):,}",
                judged=f"{judged:,}",
                wanted=f"{wanted:,}",
            )
        )
        set_style(self.to_evaluation, "primary" if judged else "")
        self.ended.show()
        self.refresh()
        self.changed.emit()
        if self.isVisible():
            self.focus()  # the pressed button is no longer visible

    @property
    def _has_results(self) -> bool:
        return not self.ended.isHidden() and self.to_evaluation.objectName() == "primary"

    # Host commands

    def switch_pause(self) -> None:
        state = OPEN if self.status and self.status.state == PAUSED else PAUSED
        if self.controller:
            self.controller.do(lambda session: session.set_state(state))

    def switch_excluded(self, participant: ParticipantStatus) -> None:
        if participant.aside:
            self._do_for_participant(SharedSession.readmit_participant, participant)
            return
        name = participant_label(participant)
        self._confirm(
            filled(self.tr("Exclude {name}?"), name=name),
            (
                filled(
                    self.tr("Judgments that will no longer be used: {count}."),
                    count=f"{participant.judged + participant.norming_count:,}",
                ),
                filled(
                    self.tr(
                        "The documents of these judgments will be assigned to others, and {name} "
                        "will get no more documents."
                    ),
                    name=name,
                ),
                self.tr("You can include this participant again later."),
            ),
            self.tr("Exclude"),
            lambda: self._do_for_participant(SharedSession.exclude_participant, participant),
        )

    def ask_free_seat(self, participant: ParticipantStatus) -> None:
        self._confirm(
            filled(self.tr("Free {name}'s seat?"), name=participant_label(participant)),
            (
                self.tr(
                    "The participant's link and open page will stop working, and anyone with the "
                    "code will be able to join under this name."
                ),
            ),
            self.tr("Free the seat"),
            lambda: self._do_for_participant(SharedSession.free_seat, participant),
        )

    def _confirm(
        self, title: str, sentences: Sequence[str], label: str, call: Callable[[], object]
    ) -> None:
        ask(self, title, "\n\n".join(sentences), [(self.tr("Cancel"), None), (label, call)])

    def _do_for_participant(
        self,
        work: Callable[[SharedSession, str], object],
        participant: ParticipantStatus,
        on_done: Callable[[Any], object] = lambda _done: None,
    ) -> None:
        if self.controller:
            self.controller.do(lambda session: work(session, participant.id), on_done)

    def ask_same(self, participant: ParticipantStatus) -> None:
        other_names = ChoiceBox(name=self.tr("Merge with another participant"))
        others = [other for other in self.people.rows if other.id != participant.id]
        other_names.add_choices(
            [
                (self.tr("Choose a participant"), ""),
                *((participant_label(other), other.id) for other in others),
            ]
        )
        message = filled(
            self.tr(
                "Did {name} join twice? Both names will count as one participant, and no "
                "document will be shown to this participant twice. No judgment will be "
                "changed, but you will not be able to separate the names again."
            ),
            name=participant_label(participant),
        )

        def merge_names() -> None:
            other_id = other_names.currentData()
            self._do_for_participant(
                lambda session, id: session.set_first_id(id, other_id), participant
            )

        dialog = Dialog(self, SAME_PERSON_DIALOG_SIZE)
        dialog.fill(
            self.tr("Merge with another participant"),
            [make_label(message), row(make_label(self.tr("Merge with")), other_names), None],
            [(self.tr("Cancel"), None), (self.tr("Count as one participant"), merge_names)],
        )
        merge = dialog.buttons[-1]
        merge.setEnabled(False)
        other_names.currentIndexChanged.connect(lambda index: merge.setEnabled(index > 0))
        other_names.setFocus()
        dialog.open()

    def let_in_again(self, participant: ParticipantStatus) -> None:
        self._confirm(
            filled(self.tr("Readmit {name} with a new link?"), name=participant_label(participant)),
            (
                self.tr(
                    "The participant will get a new link. The old link and the open page will stop "
                    "working. The judgments are kept."
                ),
            ),
            self.tr("Readmit"),
            lambda: self._do_for_participant(
                SharedSession.renew_token,
                participant,
                lambda token: self._show_token(participant.id, token),
            ),
        )

    def _show_token(self, participant_id: str, token: str) -> None:
        if self.controller is None:
            return
        link = self.controller.links[participant_id] = self._personal_link(token)
        QGuiApplication.clipboard().setText(link)
        picture = QrCode(self.tr("QR code"))
        picture.show_text(link)
        dialog = Dialog(self, LINK_DIALOG_SIZE)
        dialog.fill(
            self.tr("Readmit"),
            [
                make_label(
                    self.tr(
                        "Copied the new link, which readmits the participant. The old link no "
                        "longer works."
                    )
                ),
                row(picture, None),
                make_selectable_label(link),
                None,
            ],
            [(self.tr("Close"), None)],
        )
        dialog.fit()
        dialog.open()

    def _personal_link(self, token: str) -> str:
        return f"{self.controller.address}/#t={token}" if self.controller else ""

    def copy_links(self) -> None:
        if self.controller and self._by_code:
            QGuiApplication.clipboard().setText(self.controller.link)
        else:
            self._make_links(self._copy_links)

    def print_cards(self) -> None:
        if project := self.project:
            self._make_links(lambda links: ask_cards(self, project, links, self._show_failure))

    def _make_links(self, on_links: Callable[[list[tuple[str, str]]], object]) -> None:
        """Create links for participants who have not begun; call `on_links` with all links.

        The argument of `on_links` is a list of names and links.
        """
        if (controller := self.controller) is None:
            return

        def make(session: SharedSession) -> dict[str, str]:
            return {
                participant.id: session.renew_token(participant.id)
                for participant in list_unopened_seats(session)
                if participant.id not in controller.links
            }

        def on_done(tokens: dict[str, str]) -> None:
            controller.links.update(
                {id: self._personal_link(token) for id, token in tokens.items()}
            )
            on_links(
                [
                    (participant_label(participant), controller.links[participant.id])
                    for participant in self.people.rows
                    if participant.id in controller.links
                ]
            )

        controller.do(make, on_done)

    def _copy_links(self, links: list[tuple[str, str]]) -> None:
        QGuiApplication.clipboard().setText("\n".join("\t".join(link) for link in links))
        ask(
            self,
            self.tr("Copy links"),
            filled(
                self.tr(
                    "Copied one line with name and link for each participant ({count}). "
                    "Participants who have already joined keep their link."
                ),
                count=str(len(links)),
            ),
            [(self.tr("Close"), None)],
        )

    def revoke_link(self, participant: ParticipantStatus) -> None:
        def revoke() -> None:
            if self.controller:
                self.controller.links.pop(participant.id, None)
                self._do_for_participant(SharedSession.revoke, participant)

        sentences = [
            self.tr(
                "The participant's link and open page will stop working. The judgments are "
                "kept. To readmit the participant, create a new link."
            )
        ]
        if self._by_code:
            sentences.append(
                self.tr("The participant can still use the code to join under another name.")
            )
        self._confirm(
            filled(self.tr("Revoke the access of {name}?"), name=participant_label(participant)),
            sentences,
            self.tr("Revoke"),
            revoke,
        )

    def free_all_empty(self) -> None:
        unused_seats = [participant for participant in self.people.rows if participant.unused]
        participant_ids = [participant.id for participant in unused_seats]

        def free() -> None:
            if self.controller:
                self.controller.do(lambda session: free_empty(session, participant_ids))

        self._confirm(
            filled(self.tr("Free unused seats ({count})?"), count=str(len(unused_seats))),
            (
                ", ".join(map(participant_label, unused_seats)),
                self.tr(
                    "These participants have not judged anything, and their pages are closed. To "
                    "take part, they will have to join again, and others will be able to use "
                    "their names."
                ),
            ),
            self.tr("Free unused seats"),
            free,
        )

    def take_late(self) -> None:
        late_judgment = self.late.at(self._late_table.currentIndex())
        if self.controller and late_judgment:
            participant_id, _, pair = late_judgment
            self.controller.do(lambda session: session.accept_late(participant_id, pair))

    def show_screen(self) -> None:
        if self.controller and self.project:
            if self.screen_shown is not None and isValid(self.screen_shown):
                self.screen_shown.close()
            self.screen_shown = BigScreen(
                self.controller, self.project.title, by_code=self._by_code
            )
            self.screen_shown.fill(self.screen())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        row_height = max(1, self.people_table.verticalHeader().defaultSectionSize())
        free_rows = (self.height() - scale_length(RESERVED_HEIGHT)) // row_height
        self.people_table.show_rows(max(MIN_PARTICIPANT_ROWS, free_rows))

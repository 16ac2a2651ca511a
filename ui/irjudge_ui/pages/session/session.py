"""The session page: begin judging together, see who is there and how far it is, and lead."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QCoreApplication, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from irjudge.errors import IrjudgeError
from irjudge.exchange.shares import Pair
from irjudge.progress import Progress
from irjudge.store.project import Project
from irjudge.store.sessions import ENDED, OPEN, PAUSED
from irjudge.web.server import Server
from irjudge.web.session import FAREWELL, Seat, SharedSession, Standing
from irjudge.web.subject import what_is
from irjudge.web.wish import Wish, resumable
from irjudge_ui.models.tables import Column, TableModel, sorted_model
from irjudge_ui.pages.session.form import SessionForm
from irjudge_ui.pages.session.hall import Hall, close_hall, hall_of, make_server, open_hall
from irjudge_ui.pages.session.screen import BigScreen
from irjudge_ui.pages.shared.view import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.dialog import ask
from irjudge_ui.widgets.layout import Beside, button, card, column, row, scrolling, text
from irjudge_ui.widgets.meter import Meter
from irjudge_ui.widgets.qr_code import QrCode
from irjudge_ui.widgets.table import Table
from irjudge_ui.widgets.theme import SPACE_L, SPACE_M
from irjudge_ui.words import filled, in_language

MOST_PEOPLE, MOST_TOPICS, MOST_LATE, NARROW = 12, 8, 6, 860
Late = tuple[str, str, Pair]  # id and name of the person, and what it is about
translate = QCoreApplication.translate


class SessionView(View):
    """Begins a session, shows how it stands, and leads it; what people judge is in the project at once."""

    def __init__(self, _settings: Settings) -> None:
        super().__init__()
        self.hall: Hall | None = None
        self.standing: Standing | None = None
        self.screen_shown: BigScreen | None = None
        self.form = SessionForm()
        self.people, self.topics, self.late = TableModel(_people_columns()), TableModel(_topic_columns()), TableModel(_late_columns())
        self._people_table = Table(sorted_model(self.people), self.tr("People"), rows=MOST_PEOPLE)
        self._topic_table = Table(sorted_model(self.topics), self.tr("Progress by topic"), rows=MOST_TOPICS)
        self._late_table = Table(sorted_model(self.late), self.tr("Judgments that came too late"), rows=MOST_LATE)
        self._problem, self._about, self._link, self._code = text("", "error"), text("", "quiet"), text(), text("", "title")
        self._link.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self._link.setAccessibleName(self.tr("Link"))
        self._picture, self._meter = QrCode(self.tr("Code to scan")), Meter(self.tr("Judgments"))
        self._lay_out()

    def _lay_out(self) -> None:
        about = self.tr("Everybody opens the link in a browser and judges. It needs no internet; all devices must be in one network.")
        self.start, self.resume = self._button(self.tr("Start a session"), self.begin), self._button(self.tr("Go on"), self.go_on)
        self._unfinished = card(
            text(self.tr("A session has not ended"), "heading"),
            text(self.tr("Those who took part go on with what they had."), "quiet"),
            row(self.resume, None),
        )
        setup = card(text(self.tr("Judge together"), "heading"), text(about, "quiet"), self.form, row(self.start, None))
        first = QWidget()
        first.setLayout(column(text(self.tr("Session"), "title", wrap=False), self._unfinished, setup, None, spacing=SPACE_M))
        self._stack = QStackedWidget()
        self._stack.addWidget(scrolling(first))
        self._stack.addWidget(scrolling(self._live()))
        self.setLayout(column(self._stack, self._problem))
        self._problem.hide()

    def _live(self) -> QWidget:
        """Return what is shown while a session runs."""
        self.pause = self._button(self.tr("Pause"), self.switch_pause)
        self.beamer = self._button(self.tr("Big screen"), self.show_screen)
        self.end = self._button(self.tr("End"), self.ask_end)
        self.aside = self._button(self.tr("Set aside"), self.switch_aside)
        self.release = self._button(self.tr("Give back what is held"), lambda: self._about_person(lambda session, id: session.release(id)))
        self.again = self._button(self.tr("Let in again"), self.let_in_again)
        self.count = self._button(self.tr("Let it count"), self.take_late)
        copy = self._button(self.tr("Copy link"), lambda: QGuiApplication.clipboard().setText(self.hall.link if self.hall else ""))
        head = row(text(self.tr("Session"), "title", wrap=False), None, self.pause, self.beamer, self.end)
        join = card(text(self.tr("Join"), "heading"), self._code, self._link, self._picture, self._about, row(copy, None))
        people = card(text(self.tr("People"), "heading"), self._people_table, row(self.aside, self.release, self.again, None))
        topics = card(text(self.tr("Progress"), "heading"), self._meter, self._topic_table)
        self._late_card = card(text(self.tr("Too late to count"), "heading"), self._late_table, row(self.count, None))
        right = column(people, self._late_card, None, spacing=SPACE_L)
        inside = QWidget()
        inside.setLayout(column(head, Beside(column(join, topics, None, spacing=SPACE_L), right, NARROW, (1, 2)), None, spacing=SPACE_M))
        self._people_table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._enable())
        self._late_table.selectionModel().currentRowChanged.connect(lambda _now, _before: self._enable())
        return inside

    @staticmethod
    def _button(words: str, call: Callable[[], object]) -> QPushButton:
        made = button(words)
        made.clicked.connect(lambda: call())
        return made

    def focus(self) -> None:
        """Put the focus where most people begin."""
        (self._people_table if self.hall else self.start).setFocus()

    # What is shown

    def show_project(self, project: Project | None) -> None:
        """Show another project; a session of this window that is served from it goes on."""
        super().show_project(project)
        self._follow(hall_of(project))

    def refresh(self) -> None:
        """Show the form, or the session that runs."""
        if self.project is not None and self.hall is None:
            self.form.refresh()
            self._unfinished.setVisible(resumable(self.project) is not None)
            something = self.project.rankings.pool_version() > 0 or len(self.project.rankings.runs()) > 1
            self.start.setEnabled(self.project.writing and something)

    def _follow(self, hall: Hall | None) -> None:
        """Show a session as it goes on, or the form where there is none."""
        if self.hall is not None:
            self.hall.stands.disconnect(self._show)
            self.hall.failed.disconnect(self._fail)
        self.hall, self.standing = hall, None
        self._stack.setCurrentIndex(int(hall is not None))
        self._problem.hide()
        if hall is not None:
            hall.stands.connect(self._show)
            hall.failed.connect(self._fail)
            code = hall.server.code
            self._code.setText(f"{code[:4]} {code[4:]}")
            self._link.setText(hall.link)
            self._picture.show_text(hall.link)
            self._enable()

    def _fail(self, sentence: str) -> None:
        self._problem.setText("✕ " + in_language(sentence))
        self._problem.show()

    def _show(self, standing: Standing) -> None:
        """Show how it stands; the rows that are chosen stay so."""
        before, self.standing = self.standing, standing
        seats = [(seat.id, seat.judged, seat.aside, seat.here, seat.held, seat.name) for seat in standing.seats]
        if before is None or seats != [(seat.id, seat.judged, seat.aside, seat.here, seat.held, seat.name) for seat in before.seats]:
            self._refill(self._people_table, self.people, standing.seats)
        names = {seat.id: seat.name for seat in standing.seats}
        late = [(person, names.get(person) or person, pair) for person, pair in standing.late]
        if late != self.late.rows:
            self._refill(self._late_table, self.late, late)
        self._late_card.setVisible(bool(late))
        if before is None or before.topics != standing.topics:
            self._refill(self._topic_table, self.topics, list(standing.topics.items()))
        judged, wanted = (sum(each[place] for each in standing.topics.values()) for place in (0, 1))
        self._meter.show_count(judged, wanted)
        self._about.setText(self._said(standing))
        self._enable()

    def _said(self, standing: Standing) -> str:
        if standing.state == ENDED:
            return self.tr("It has ended; the pages are being told.")
        if standing.state == PAUSED:
            return self.tr("Paused: nothing new is given out.")
        if self.hall and self.hall.server.others:
            return self.tr("Other devices reach this one.")
        return self.tr("No other device came yet. Try it with a phone: a firewall or a guest network may be in the way.")

    @staticmethod
    def _refill(table: Table, model: TableModel, rows: Any) -> None:
        row_before = table.currentIndex().row()
        model.fill(rows)
        if 0 <= row_before < model.rowCount():
            table.selectRow(row_before)

    def _enable(self) -> None:
        seat, running = self.chosen, self.hall is not None
        for each in (self.aside, self.release, self.again):
            each.setEnabled(running and seat is not None)
        self.count.setEnabled(running and self._late_table.currentIndex().isValid())
        self.aside.setText(self.tr("Count again") if seat and seat.aside else self.tr("Set aside"))
        paused = self.standing is not None and self.standing.state == PAUSED
        self.pause.setText(self.tr("Go on") if paused else self.tr("Pause"))

    @property
    def chosen(self) -> Seat | None:
        """The person whose row is chosen."""
        index = self._people_table.currentIndex()
        return self.people.rows[sorted_row(self._people_table)] if index.isValid() else None

    # Beginning and ending

    def begin(self) -> None:
        """Begin a session as the form says."""
        if self.project is None:
            return
        try:
            self._start(self.form.wish(self.project))
        except IrjudgeError as fault:
            self._fail(str(fault))

    def go_on(self) -> None:
        """Go on with the session that has not ended."""
        self._start(None)

    def _start(self, wish: Wish | None) -> None:
        project, host = self.project, self.form.host
        if project is None:
            return
        self._problem.hide()

        def work(_progress: Progress) -> Server:
            return make_server(project, wish, host)

        def done(server: Server) -> None:
            self._follow(open_hall(project, server, host))
            self.changed.emit()

        self.work.emit(self.tr("Beginning the session"), work, done)

    def ask_end(self) -> None:
        """Ask whether the session is to end."""
        words = self.tr("All that was judged is in the project. What pages have not sent yet is lost to it.")
        ask(self, self.tr("End the session?"), words, [(self.tr("End"), self.end_session), (self.tr("Go on"), None)])

    def end_session(self) -> None:
        """End the session, and stop answering browsers once their pages were told."""
        hall = self.hall
        if hall:
            here = self.standing is not None and any(seat.here for seat in self.standing.seats)
            farewell = int(FAREWELL * 1000) if here else 0
            hall.do(lambda session: session.set_state(ENDED), lambda _done: QTimer.singleShot(farewell, hall, lambda: self._close(hall)))

    def _close(self, hall: Hall) -> None:
        project = self.project
        if self.hall is not hall:
            return
        self._follow(None)
        close_hall(project)
        self.refresh()
        self.changed.emit()

    # Leading

    def switch_pause(self) -> None:
        """Pause the session, or let it go on."""
        state = OPEN if self.standing and self.standing.state == PAUSED else PAUSED
        if self.hall:
            self.hall.do(lambda session: session.set_state(state))

    def switch_aside(self) -> None:
        """Let nothing of the chosen person count, or let them count again."""
        seat = self.chosen
        if seat is not None:
            self._about_person(SharedSession.bring_back if seat.aside else SharedSession.set_aside)

    def _about_person(self, work: Callable[[SharedSession, str], object], then: Callable[[Any], object] = lambda _done: None) -> None:
        seat = self.chosen
        if self.hall and seat is not None:
            self.hall.do(lambda session: work(session, seat.id), then)

    def let_in_again(self) -> None:
        """Make a new link for somebody who lost theirs, and show it."""
        self._about_person(SharedSession.let_in_again, self._show_token)

    def _show_token(self, token: str) -> None:
        link = f"{self.hall.address}/#t={token}" if self.hall else ""
        QGuiApplication.clipboard().setText(link)
        words = filled(self.tr("This link lets the person in; it was copied. The one before lets nobody in any more.\n%1"), link)
        ask(self, self.tr("Let in again"), words, [(self.tr("Close"), None)])

    def take_late(self) -> None:
        """Let the chosen late judgment count."""
        if self.hall and self._late_table.currentIndex().isValid():
            person, _, pair = self.late.rows[sorted_row(self._late_table)]
            self.hall.do(lambda session: session.take_in(person, pair))

    def show_screen(self) -> None:
        """Open the big screen."""
        if self.hall and self.project:
            self.screen_shown = BigScreen(self.hall, self.project.title)
            self.screen_shown.show()


def sorted_row(table: Table) -> int:
    """Return which row of its source the current one of a sorted table is."""
    model = table.model()
    return int(model.mapToSource(table.currentIndex()).row())  # type: ignore[attr-defined]


def _people_columns() -> list[Column]:
    def state(seat: Seat) -> str:
        if seat.aside:
            return translate("SessionView", "set aside")
        return translate("SessionView", "here") if seat.here else translate("SessionView", "away")

    def seconds(value: float) -> str:
        return "–" if value < 0 else f"{value:.0f} s"

    return [
        Column(translate("SessionView", "Name"), lambda seat: seat.name or seat.id),
        Column(translate("SessionView", "Judged"), lambda seat: seat.judged, lambda count: f"{count:,}", number=True),
        Column(translate("SessionView", "Each takes"), lambda seat: -1 if seat.seconds is None else seat.seconds, seconds, number=True),
        Column(translate("SessionView", "Holds"), lambda seat: seat.held, number=True),
        Column(translate("SessionView", "Late"), lambda seat: seat.late, number=True),
        Column(translate("SessionView", "State"), state),
    ]


def _topic_columns() -> list[Column]:
    return [
        Column(translate("SessionView", "Topic"), lambda row: row[0]),
        Column(translate("SessionView", "Judged"), lambda row: row[1][0], lambda count: f"{count:,}", number=True),
        Column(translate("SessionView", "Wanted"), lambda row: row[1][1], lambda count: f"{count:,}", number=True),
    ]


def _late_columns() -> list[Column]:
    return [
        Column(translate("SessionView", "Name"), lambda late: late[1]),
        Column(translate("SessionView", "Topic"), lambda late: late[2][0]),
        Column(translate("SessionView", "Document"), lambda late: what_is(late[2])),
    ]

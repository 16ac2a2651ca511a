"""Base classes of pages: a page of a project, and a page for judging."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSlider, QApplication, QLabel, QPushButton, QWidget

from irjudge.judging import Session, SideBySide
from irjudge.model import Document, Scale
from irjudge.store import Project
from irjudge.text import to_html
from irjudge_ui.actions import BoundAction
from irjudge_ui.jobs import LatestJob
from irjudge_ui.messages import translate_message
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_XL,
    Dialog,
    DocumentView,
    StatePage,
    StateStack,
    card,
    column,
    make_growing,
    set_style,
)
from irjudge_ui.workspace import PresentationTurns, StateMessage, ask_link

# What every page is: it shows a project, or a state in its place, and asks the window for what is not its own to do.


class View(QWidget):
    """A page of the window. It overrides what it needs; its signals reach the window without a further line.

    `wants` names an action of the window. `said` is shown at the foot of the window; `wrote` is
    emitted after it with the file, or the folder, that was written. `work` is a job that
    writes: title, function(progress), done(result); the window is covered meanwhile. `failed`
    brings what went wrong in the background, with a trace where the fault is ours. `changed`
    says that what is judged, or who judges it, is another now. `opens` names another page and
    hands it what it is to show. `progressed` says that the project is further than it was. The
    others ask for what the window alone does: open or make a project, judge a topic, write a
    report.
    """

    wants = Signal(str)
    said = Signal(str)
    wrote = Signal(Path)
    work = Signal(str, object, object)
    failed = Signal(object, str)
    changed = Signal()
    opens = Signal(str, object)
    progressed = Signal()
    open_file = Signal(Path)
    open_sample = Signal(str)
    new_project = Signal(object)  # a `ProjectWish`
    judge_topic = Signal(str)  # the id of the topic that was opened
    report = Signal(object, Path)  # an `Evaluation` or nothing, and the file that it is written to
    evaluate_files = Signal()
    files_report = Signal(
        object, object, object
    )  # an `Evaluation` or nothing, the file or None for paper, and `SortedFiles`
    worked = Signal()  # work in the background began, went on or ended: see `under_way`
    printed = Signal(object)  # an `Evaluation` or nothing, whose report is printed

    def __init__(self) -> None:
        super().__init__()
        self.project: Project | None = None
        self.leads = (
            False  # whether a button of its own stands out, whatever comes next in the project
        )
        self.next_buttons: dict[
            str, QPushButton
        ] = {}  # by action: those of which one may be what comes next in the project
        self._beside: list[LatestJob] = []
        self._making: list[LatestJob] = []  # those of them that make what the page shows

    def latest(self, *, quiet: bool = False) -> LatestJob:
        """Return what runs work on the project in the background; it stops when another project is shown.

        Unless it is quiet, as what only adds to a page that is there, the window says while
        it works that the page is being made.
        """
        made = LatestJob() if quiet else LatestJob(self.worked.emit)
        self._beside.append(made)
        if not quiet:
            self._making.append(made)
        return made

    @property
    def under_way(self) -> tuple[int, int | None, str] | None:
        """How far the work is that makes the page: so many of so many, and what is done; None where nothing is under way."""
        return next((each.step for each in self._making if each.busy), None)

    @property
    def writing(self) -> bool:
        """Whether a file is being written in the background."""
        return False

    @property
    def prints(self) -> bool:
        """Whether the page has a report or a document that can be printed now."""
        return False

    def print_page(self) -> None:
        """Ask for a printer and print it."""

    def stop_making(self) -> None:
        """Stop the work that makes the page."""
        for each in self._making:
            each.stop()

    def begin_anew(self) -> None:
        """Make the page as if the project had just been opened."""
        project = self.project
        self.show_project(None)
        self.show_project(project)
        self.refresh()

    def show_project(self, project: Project | None) -> None:
        """Show another project; None shows none. It is refreshed when the page is shown."""
        for work in self._beside:
            work.stop()
        self.project = project

    def show_fault(self, fault: Exception, trace: str, problem: QLabel) -> None:
        """Say on the page what went wrong in the background.

        A fault of ours, which has a trace, is the window's to show.
        """
        if trace:
            self.failed.emit(fault, trace)
        else:
            problem.setText("✕ " + translate_message(str(fault)))
            problem.show()

    def take(self, what: object) -> None:
        """Be told by another page what to show when this one comes into view next."""

    def refresh(self) -> None:
        """Show what the project holds now; called whenever the page comes into view."""

    def restyle(self) -> None:
        """Show its documents in the theme, the zoom and the font in use.

        What is not a document follows by itself.
        """

    def mark_next(self, action: str) -> None:
        """Let the button of the action that comes next in the project stand out, and no other, neither in a state."""
        for state in self.findChildren(StatePage) if action else ():
            state.be_quiet()
        for id, made in self.next_buttons.items():
            set_style(made, "primary" if id == action else "")

    def point_to(self, action: str) -> None:
        """Put the focus on the button of an action of this page."""
        if action in self.next_buttons:
            self.next_buttons[action].setFocus()

    def focus(self) -> None:
        self.setFocus()


class StatefulView(View):
    """A page whose parts make room for a state where they would show nothing."""

    actions_by_id: Mapping[str, BoundAction] = {}

    def put_parts(self, parts: QWidget) -> None:
        """Fill the page with its parts."""
        self.stated = StateStack(parts)
        self.setLayout(column(self.stated))

    @property
    def rest(self) -> StatePage | None:
        """The state that is shown in the place of the parts; None while they are shown."""
        return self.stated.page

    def show_state(self, state: StateMessage | None) -> None:
        """Show a state in the place of the parts; None shows the parts."""
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self.stated.show_state(state.page(self.do) if state else None)
        if state and had_focus:
            self.focus()

    def do(self, action: str) -> None:
        """Do an action of the page, or of the window."""
        here = self.actions_by_id.get(action)
        here.trigger() if here else self.wants.emit(action)

    def focus(self) -> None:
        """Put the focus where most people begin, or on the one thing to do next; a dialog that is open keeps it."""
        if QApplication.activeModalWidget():
            return
        if self.rest:
            self.rest.focus()
        else:
            self.focus_parts()

    def focus_parts(self) -> None:
        """Put the focus where most people begin among the parts."""


# What pages share on which somebody judges, compares or adjudicates: the instructions and the way back from dialogs.


class WorkspaceView(StatefulView):
    """A page on which keys say something of what lies on the desk, and a state stands in the desk's place where nothing does."""

    turns: PresentationTurns[Any, Any]

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings

    @property
    def zoom(self) -> float:
        """The size of documents."""
        return float(self._settings.get("zoom"))

    def asked_scale(self) -> Scale | None:
        """Return the scale that is asked for, whose grades stand with the instructions; None where no grades are."""
        return self.project.scale if self.project else None

    def brief(self) -> None:
        """Show the instructions, if there are any, to somebody who judges for another and has not begun; who wrote them knows them."""
        session: Session | SideBySide | None = self.turns.session
        if session is None:
            return
        project = session.project
        if (
            session.fresh
            and project.instructions
            and (project.assignments.own() or project.belongs_to)
        ):
            self.show_instructions()

    def show_instructions(self) -> None:
        """Show what the organiser wants, and what each grade means where grades are given."""
        session: Session | SideBySide | None = self.turns.session
        if session:
            dialog = InstructionsDialog(
                self,
                session.project.instructions,
                self.asked_scale(),
                self.zoom,
                begins=session.fresh,
            )
            dialog.finished.connect(self.come_back)
            dialog.open()

    def come_back(self) -> None:
        """Take keys again after a dialog, once it is gone."""
        self.window().activateWindow()
        QTimer.singleShot(0, self, self.focus)


SIZE = (760, 640)
LEAFING = {
    Qt.Key.Key_PageDown: QAbstractSlider.SliderAction.SliderPageStepAdd,
    Qt.Key.Key_PageUp: QAbstractSlider.SliderAction.SliderPageStepSub,
    Qt.Key.Key_End: QAbstractSlider.SliderAction.SliderToMaximum,
    Qt.Key.Key_Home: QAbstractSlider.SliderAction.SliderToMinimum,
}


class InstructionsDialog(Dialog):
    """Shows instructions written in Markdown, then the scale where grades are asked for."""

    def __init__(
        self, parent: QWidget, instructions: str, scale: Scale | None, zoom: float, *, begins: bool
    ) -> None:
        super().__init__(parent, SIZE)
        self.view = DocumentView()
        self.view.link_asked.connect(lambda address: ask_link(self.view, address))
        self.view.setAccessibleName(self.tr("Instructions"))
        page = make_growing(card(self.view, margin=SPACE_XL))
        label = self.tr("Begin") if begins else self.tr("Close")
        self.fill(self.tr("Instructions"), [page], [(label, None)])
        self.view.ensurePolished()  # the style sheet would set its own font size later
        self.view.show_html(self._html(instructions, scale), zoom)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leaf through the words while the button has the focus."""
        step = LEAFING.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self.view.verticalScrollBar().triggerAction(step)

    def _html(self, instructions: str, scale: Scale | None) -> str:
        words = (
            to_html(Document("", instructions.encode(), kind="markdown"))
            if instructions.strip()
            else ""
        )
        if scale is None:
            return words
        grades = "".join(
            f"<p><b>{grade.value} {escape(translate_message(grade.label))}</b>{'<br>' + escape(grade.help) if grade.help else ''}</p>"
            for grade in reversed(scale.grades)
        )
        heading = self.tr("Grades")
        return f"{words}<h2>{escape(heading)}</h2>{grades}"

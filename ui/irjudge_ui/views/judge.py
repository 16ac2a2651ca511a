"""The judging page: shows one document and turns keys into commands."""

from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QGridLayout, QMenu, QSizePolicy, QStackedLayout, QVBoxLayout, QWidget

from irjudge.errors import CommitFailed, IrjudgeError
from irjudge.judging.active_time import ActiveTime
from irjudge.judging.session import REASONS, Session, Work
from irjudge.model.event import Event
from irjudge.text.render import to_html
from irjudge_ui.actions import BY_ID, make_all, shown_keys
from irjudge_ui.settings import Settings
from irjudge_ui.views.digits import digit_of
from irjudge_ui.views.judge_panels import GradePanel, TopicPanel
from irjudge_ui.views.judge_words import ended, in_words
from irjudge_ui.views.reading import Reading
from irjudge_ui.widgets.document_view import DocumentView
from irjudge_ui.widgets.layout import card
from irjudge_ui.widgets.state import StatePage
from irjudge_ui.widgets.theme import SPACE_L, SPACE_S, SPACE_XL

WIDE, NARROW = 830, 560  # widths of this page: a window of 1,000 and of 700 pixels less the rail
BESIDE_HEIGHT, GRADE_HEIGHT = 410, 28  # what stands beside the document, and each grade; with less height they go below
SIGNS_OF_LIFE = {QEvent.Type.KeyPress, QEvent.Type.MouseMove, QEvent.Type.Wheel, QEvent.Type.MouseButtonPress}


class JudgeView(QWidget):
    """Shows one document and turns keys into judgments: commit, then move."""

    judged = Signal()
    wants = Signal(str)  # the id of an action of the window

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self._settings = settings
        self.session: Session | None = None
        self._shown: Work | None = None  # what was handed to the page
        self._painted: Work | None = None  # what a person can see; keys judge this and nothing else
        self._timed: Work | None = None
        self._typed = ""  # the first of two digits
        self._document = DocumentView()
        self._document.painted.connect(self._on_painted)
        self._document.viewport().installEventFilter(self)
        self._document.installEventFilter(self)
        self._topic_panel = TopicPanel()
        self._grade_panel = GradePanel()
        self._grade_panel.chosen.connect(self.give)
        self._reading = Reading(self._document, self._topic_panel)
        self._marks = self._grade_panel.marks
        self._marks.kept.connect(self.keep_note)
        self._marks.typed.connect(self._keep_draft)
        self._desk = QWidget()
        self._lay_out()
        self.actions_by_id = make_all("judge", self)
        self._new_timer()

    def _lay_out(self) -> None:
        self._paper = card(self._document, margin=SPACE_XL)
        self._paper.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._grid = QGridLayout(self._desk)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(SPACE_L)
        self._state: QWidget = QWidget()
        self._stack = QStackedLayout()
        self._stack.addWidget(self._desk)
        self._stack.addWidget(self._state)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addLayout(self._stack)
        self._arranged = ("wide", 0.0)
        self._arrange("wide")

    def _new_timer(self) -> None:
        self._active = ActiveTime(int(self._settings.get("idle_s")) * 1000)
        self._timed = None

    # What the window calls

    def begin(self, session: Session | None, *, reading: str = "") -> None:
        """Start with a session; None says that there is no pool yet, or that the project is open for reading only, and why."""
        self.session = session
        self._shown = self._painted = None
        self._new_timer()
        if session is None and reading:
            words = reading + " " + self.tr("Numbers and exports work all the same.")
            self._show_state(self.tr("This project is open for reading"), words, [(self.tr("Evaluate the runs"), "evaluate")])
            return
        if session is None:
            words = self.tr("A pool is the list of documents to judge for each topic. It is built from the runs.")
            self._show_state(self.tr("Nothing to judge yet"), words, [(self.tr("Build a pool"), "collection")])
            return
        self._grade_panel.set_scale(session.scale)
        self._fit()
        self._show(session.current())

    def open_topic(self, topic: str) -> None:
        """Show the first unjudged document of a topic."""
        if self.session:
            session = self.session
            self._move(lambda: session.open_topic(topic))

    def stop(self) -> None:
        """Judge no longer: the project is closed, or its pool has changed."""
        self._flush()
        self.session = self._shown = self._painted = None

    def refresh(self) -> None:
        """Show the same document again, after the theme or the zoom changed."""
        self._fit()
        if self._shown:
            self._show(self._shown)

    def focus(self) -> None:
        """Put the focus where keys judge, or on the one thing to do next."""
        if self._stack.currentWidget() is self._desk:
            self._document.setFocus()
        elif isinstance(self._state, StatePage):
            self._state.focus()

    # What keys and buttons call

    @property
    def can_judge(self) -> bool:
        """Whether a document is on screen and was painted."""
        return self._painted is not None

    @property
    def can_undo(self) -> bool:
        """Whether there is an action to take back."""
        return self.session is not None and self.session.can_undo

    @property
    def can_redo(self) -> bool:
        """Whether there is an action to bring back."""
        return self.session is not None and self.session.can_redo

    def give(self, grade: int) -> None:
        """Grade the document on screen and show the next one."""
        self._judge(lambda session, work, ms: session.grade(work, grade, active_ms=ms), self.tr("grade %1").replace("%1", str(grade)))

    def skip(self) -> None:
        """Put the document off; it comes back at the end of the topic."""
        self._judge(lambda session, work, ms: session.skip(work, active_ms=ms), self.tr("skipped for now"))

    def ask_unjudgeable(self) -> None:
        """Ask why the document cannot be judged."""
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addAction(self.tr("Why can it not be judged?")).setEnabled(False)
        for key, reason in enumerate(REASONS, 1):
            choice = QAction(f"&{key}  {self.tr(reason)}", menu)
            choice.triggered.connect(lambda _checked=False, reason=reason: self.unjudgeable(reason))
            menu.addAction(choice)
        menu.popup(self._document.mapToGlobal(self._document.rect().topLeft()))
        menu.setActiveAction(menu.actions()[1])

    def unjudgeable(self, reason: str) -> None:
        """Say that the document cannot be judged and show the next one."""
        words = self.tr("cannot be judged (%1)").replace("%1", self.tr(reason))
        self._judge(lambda session, work, ms: session.unjudgeable(work, reason, active_ms=ms), words)

    @property
    def has_hits(self) -> bool:
        """Whether the document has any of the topic's words."""
        return self.can_judge and bool(self._reading.hits)

    def show_passage(self) -> None:
        """Bring the passage with most of the topic's words to the top."""
        self._reading.show_passage()

    def switch_unsure(self) -> None:
        """Flag the document as one the assessor is unsure about, or take the flag off."""
        self._mark(lambda session, work: session.set_unsure(work, not session.marks(work.place).unsure), self.tr("unsure"))

    def write_note(self) -> None:
        """Put the cursor into the note."""
        self._grade_panel.open_marks(True)
        self._marks.note.setFocus()

    def keep_note(self, words: str) -> None:
        """Keep the note and go back to the document."""
        self._mark(lambda session, work: session.note(work, words), self.tr("a note"))
        self._document.setFocus()

    def keep_selection(self) -> None:
        """Keep the selected words as the reason of the judgment."""
        cursor = self._document.textCursor()
        words = cursor.selectedText().replace("\u2029", "\n")
        self._mark(
            lambda session, work: session.rationale(work, words, cursor.selectionStart(), cursor.selectionEnd()), self.tr("a reason")
        )

    def undo(self) -> None:
        """Take back the newest action and show its document."""
        self._take(Session.undo, self.tr("Taken back: %1. %2 brings it back."), "redo")

    def redo(self) -> None:
        """Bring back what was undone last and show its document."""
        self._take(Session.redo, self.tr("Brought back: %1. %2 takes it back."), "undo")

    # Commit, then move

    def _mark(self, act: Callable[[Session, Work], Event], words: str) -> bool:
        """Keep a mark of the document on screen; the document stays. Tell whether it is on disk."""
        work = self._painted
        if self.session is None or work is None:
            return False
        try:
            act(self.session, work)
        except IrjudgeError as fault:
            self._grade_panel.show_problem(str(fault))
            return False
        self._flush()
        self._grade_panel.show_state(self.session, work)
        saved = self.tr("Saved: %1, %2.").replace("%1", work.document.id).replace("%2", words)
        self._grade_panel.show_saved(saved, self._key("undo"), self.tr("takes it back"))
        return True

    def _flush(self) -> None:
        """Keep what is typed and not kept, before the field shows something else."""
        words, work = self._marks.unkept(), self._painted
        if self.session and work and words is not None and words != self.session.marks(work.place).note:
            self._keep_draft(words)

    def _keep_draft(self, words: str) -> None:
        """Keep what was typed so far, so that a crash does not lose it."""
        if self.session and self._painted:
            try:
                self.session.draft(self._painted, words)
            except IrjudgeError as fault:
                self._grade_panel.show_problem(str(fault))

    def _judge(self, act: Callable[[Session, Work, int], Event], words: str) -> None:
        work = self._painted
        if self.session is None or self._guarded() or work is None:
            return
        unkept = self._marks.unkept()
        if unkept is not None and not self._mark(lambda session, work: session.note(work, unkept), self.tr("a note")):
            return  # the grade would leave the note behind
        try:
            act(self.session, work, self._active.stop())
        except CommitFailed as fault:
            self._grade_panel.show_problem(
                self.tr("%1 The document stays; press the key again to try once more.").replace("%1", str(fault))
            )
            return
        saved = self.tr("Saved: %1, %2.").replace("%1", work.document.id).replace("%2", words)
        self._grade_panel.show_saved(saved, self._key("undo"), self.tr("takes it back"))
        self._move(self.session.advance)

    def _move(self, find: Callable[[], Work | None]) -> None:
        """Show the next document; where it cannot be read, nothing on screen can be judged any more."""
        try:
            self._show(find())
        except IrjudgeError as fault:
            self._shown = self._painted = None
            self._grade_panel.show_problem(str(fault))
        self.judged.emit()

    def _guarded(self) -> bool:
        """Ignore a key that was meant for the document before: it came too soon after this one appeared."""
        if self._shown is None:
            return False
        if self._painted is not None and self._document.milliseconds_since_painted() >= int(self._settings.get("guard_ms")):
            return False
        self._grade_panel.show_ignored(self.tr("Key ignored: the document had only just appeared."))
        return True

    def _take(self, act: Callable[[Session], Event | None], words: str, other: str) -> None:
        if self.session is None:
            return
        try:
            event = act(self.session)
        except CommitFailed as fault:
            self._grade_panel.show_problem(str(fault))
            return
        if event is not None:
            said = words.replace("%1", in_words(event, self.tr)).replace("%2", self._key(other))
            self._grade_panel.show_saved(said)
            self._move(self.session.current)

    @staticmethod
    def _key(action: str) -> str:
        return shown_keys(BY_ID[action].keys[0])

    # What is on screen

    def _show(self, work: Work | None) -> None:
        self._flush()
        self._shown, self._painted, self._typed = work, None, ""
        if self.session is None:
            return
        if work is None:
            self._show_state(*ended(self.session, self.tr))
            return
        self._stack.setCurrentWidget(self._desk)
        self._topic_panel.show_topic(work.topic, self.session.queue.topics, fresh=not self.session.count(work.topic.id).judged)
        self._grade_panel.show_state(self.session, work)
        self._document.show_html(to_html(work.document), float(self._settings.get("zoom")))
        self._reading.begin(work)
        if self.isVisible():  # another page keeps its cursor when the zoom changes
            self._document.setFocus()

    def _on_painted(self) -> None:
        if self._shown is not self._painted and self._document.isVisible():
            self._painted = self._shown
            if self._timed is not self._shown:  # the same document painted again in other colours is no new start
                self._timed = self._shown
                self._active.start()
                QTimer.singleShot(0, self, self._fetch_ahead)

    def _show_state(self, title: str, words: str, choices: list[tuple[str, str]]) -> None:
        calls = [(label, lambda action=action: self.wants.emit(action)) for label, action in choices]
        self._stack.removeWidget(self._state)
        self._state.deleteLater()
        self._state = StatePage(title, words, calls)
        self._stack.addWidget(self._state)
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        self._stack.setCurrentWidget(self._state)
        if had_focus:
            self.focus()

    def _fetch_ahead(self) -> None:
        with suppress(IrjudgeError):  # a document that cannot be read says so when its turn comes
            if self.session:
                self.session.fetch_ahead()

    # What Qt calls

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take digits as grades. A held key repeats; only its first press counts."""
        digit = digit_of(event)
        if not digit or self.session is None:
            super().keyPressEvent(event)
        elif not event.isAutoRepeat():
            self._type(digit, self.session.scale.values)

    def _type(self, digit: str, values: tuple[int, ...]) -> None:
        """Take a digit as a grade; scales above 9 take two, which may not be shared out over two documents."""
        if values[-1] > 9 and not self._typed:
            if self._painted is not None and not self._guarded():
                self._typed = digit
                self._grade_panel.show_hint(self.tr("Grade %1_: type the second digit.").replace("%1", digit))
            return
        grade, self._typed = int(self._typed + digit), ""
        if grade in values:
            self.give(grade)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note signs of life, and take the number pad's digits before they scroll when NumLock is off."""
        if event.type() in SIGNS_OF_LIFE:
            self._active.touch()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and digit_of(event):
            self.keyPressEvent(event)
            return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand in three columns, with the topic on top, or with the grades below, as the width allows."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        zoom = float(self._settings.get("zoom"))
        width = self.width() / zoom
        grades = GRADE_HEIGHT * len(self.session.scale.values) if self.session else 0
        low = self.height() / zoom < BESIDE_HEIGHT + grades
        shape = "narrow" if low or width < NARROW else "wide" if width >= WIDE else "middle"
        if (shape, zoom) != self._arranged:
            self._arranged = (shape, zoom)
            QTimer.singleShot(0, self, lambda: self._arrange(shape))

    def _arrange(self, shape: str) -> None:
        places = {
            "wide": ((0, 0, 1, 1), (0, 1, 1, 1), (0, 2, 1, 1)),
            "middle": ((0, 0, 1, 2), (1, 0, 1, 1), (1, 1, 1, 1)),
            "narrow": ((0, 0, 1, 1), (1, 0, 1, 1), (2, 0, 1, 1)),
        }[shape]
        for widget in (self._topic_panel, self._paper, self._grade_panel):
            self._grid.removeWidget(widget)
        self._grid.setSpacing(SPACE_S if shape == "narrow" else SPACE_L)
        self._topic_panel.arrange(shape)
        self._grade_panel.arrange(shape)
        margin = SPACE_XL if shape == "wide" else SPACE_S + 4
        layout = self._paper.layout()
        if layout:
            layout.setContentsMargins(margin, margin, margin, margin)
        for part, place in zip((self._topic_panel, self._paper, self._grade_panel), places, strict=True):
            self._grid.addWidget(part, *place)
        for line in range(3):
            self._grid.setColumnStretch(line, int(line == places[1][1]))
            self._grid.setRowStretch(line, int(line == places[1][0]))

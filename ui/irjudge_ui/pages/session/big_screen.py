"""Window of a session for a projector: how to join, progress, norming rounds, results."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent, QResizeEvent, QScreen
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from irjudge.store import ENDED, PAUSED
from irjudge.web import MIN_PARTICIPANTS, MIN_VOTES, LiveResults, SessionStatus
from irjudge_ui.actions import KEYS, key_cap_text
from irjudge_ui.charts import WideBar, WideBars
from irjudge_ui.keymap import pressed_key
from irjudge_ui.messages import filled, join_sentences, translate_message
from irjudge_ui.pages.session.controller import SessionController
from irjudge_ui.pages.session.participants import format_agreement
from irjudge_ui.pages.session.rounds import build_count_bars, format_alpha, format_reasons
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_S,
    SPACE_XL,
    Meter,
    QrCode,
    apply_style,
    column,
    make_breakable,
    make_container,
    make_label,
    row,
    show_text,
)

WINDOW_SIZE, QR_SIDE = (1024, 640), 300
# text heights as shares of the window height; they are readable from the back of a classroom
TITLE_SIZE = 0.028
TEXT_SIZE = 0.034
READING_SIZE = 0.0445
COUNT_SIZE = 0.046
ADDRESS_SIZE = 0.055
CODE_SIZE = 0.1
KEYS_SIZE = 0.022
BAR_SIZE = 0.02
# space at the left of each text, since some letters, such as J, begin to the left of their origin
TEXT_MARGIN = 0.008
# aspect ratio of a projector; if the window is narrower, its width determines the text size
PROJECTOR_RATIO = 16 / 9
WIDTH_SHARES = (6, 5)  # stretch factors of the text and of the QR code
MAX_REASONS, MAX_RUNS = 2, 4
JOIN_MODE, ROUND_MODE, RESULTS_MODE = range(3)  # display modes


class BigScreen(QWidget):
    """Window for a projector with the current state of a session.

    The window shows how to join, with a QR code if there is a common link. The key R switches to
    the results so far: agreement, order of the runs, and grade counts of the last completely judged
    document. While the host discusses a document of a closed norming round, the window shows its
    title, its grade counts, and the reasons of the participants, who are named only if all of them
    have agreed.
    """

    def __init__(self, controller: SessionController, title: str, *, by_code: bool = True) -> None:
        super().__init__(None, Qt.WindowType.Window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setObjectName("page")
        self.setWindowTitle(title)
        self._controller = controller
        self._font_shares = dict[QLabel, float]()
        self._bars = list[WideBars]()
        self._people, self._meter = self._make_text("", COUNT_SIZE), Meter(self.tr("Judgments"))
        for label in self._meter.findChildren(QLabel):
            label.setIndent(0)
        self._state = self._make_text("", COUNT_SIZE, "warning")
        self._round = self._make_text("", COUNT_SIZE)
        for label in (self._state, self._round):
            label.hide()
        self._keys = self._make_text("", KEYS_SIZE, "quiet")
        self._code = QrCode(self.tr("QR code"), QR_SIDE)
        self._code.show_text(controller.link)
        self._code.setVisible(by_code)
        self._views = QStackedWidget()
        for view in (
            self._make_join_view(controller, title, by_code=by_code),
            self._make_round_view(),
            self._make_results_view(),
        ):
            # text is scaled to the window height, so its height must not limit the window height
            view.setMinimumHeight(1)
            self._views.addWidget(view)
        self._views.currentChanged.connect(self._show_keys)
        self.setLayout(
            column(self._views, self._keys, margins=(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_XL))
        )
        apply_style(self)
        self.resize(*WINDOW_SIZE)
        self._show_keys()
        controller.status_changed.connect(self._show)
        controller.rounds.connect(self._show_rounds)
        controller.results.connect(self._show_results)
        controller.destroyed.connect(self.close)
        if controller.status:
            self._show(controller.status)
        self._show_rounds(controller.rounds_report)

    def fill(self, host_screen: QScreen) -> None:
        """Show the window in full screen mode, if possible not on the screen of the host."""
        other_screens = [
            screen for screen in QGuiApplication.screens() if screen is not host_screen
        ]
        self.setGeometry((other_screens or [host_screen])[0].availableGeometry())
        self.showFullScreen()
        self.raise_()
        self.activateWindow()

    # Parts

    def _make_join_view(
        self, controller: SessionController, title: str, *, by_code: bool
    ) -> QWidget:
        code = controller.server.code
        join_texts = (
            [
                self._make_text(self.tr("Scan the code, or open this address")),
                self._make_text(
                    make_breakable(controller.address.removeprefix("http://")), ADDRESS_SIZE
                ),
                self._make_text(self.tr("Code")),
                self._make_text(f"{code[:4]} {code[4:]}", CODE_SIZE, "strong"),
            ]
            if by_code
            else [self._make_text(self.tr("Open the link that you were given."))]
        )
        texts = column(
            self._make_text(title, TITLE_SIZE, "quiet"),
            None,
            *join_texts,
            None,
            self._state,
            self._round,
            self._people,
            self._meter,
        )
        layout = row(make_container(texts), *([self._code] if by_code else []), spacing=SPACE_XL)
        for index, share in enumerate(WIDTH_SHARES[: layout.count()]):
            layout.setStretch(index, share)
        return make_container(layout)

    def _make_round_view(self) -> QWidget:
        self._shown_head, self._shown_topic, self._shown_title = (
            self._make_text("", READING_SIZE, "quiet"),
            self._make_text("", READING_SIZE),
            self._make_text("", ADDRESS_SIZE),
        )
        self._shown_reasons, self._shown_results = (
            self._make_text("", READING_SIZE, "quiet"),
            self._make_text("", READING_SIZE),
        )
        return make_container(
            column(
                self._shown_head,
                self._shown_topic,
                self._shown_title,
                self._make_bars(self.tr("Judgments")),
                self._shown_reasons,
                None,
                self._shown_results,
                spacing=SPACE_L,
            )
        )

    def _make_results_view(self) -> QWidget:
        self._live_head, self._live_title = (
            self._make_text("", READING_SIZE, "quiet"),
            self._make_text("", READING_SIZE),
        )
        self._live_runs, self._live_results = (
            self._make_text("", READING_SIZE, "quiet"),
            self._make_text("", READING_SIZE),
        )
        document, runs = self._make_bars(self.tr("Grades")), self._make_bars(self.tr("Runs"))
        self._order: tuple[str, ...] = ()
        self._agreement_text = ""  # text on the agreement; empty until results are available
        return make_container(
            column(
                self._live_head,
                self._live_title,
                document,
                None,
                self._live_runs,
                runs,
                None,
                self._live_results,
                spacing=SPACE_S,
            )
        )

    def _make_text(self, text: str, share: float = TEXT_SIZE, style: str = "") -> QLabel:
        label = make_label(text, style)
        label.setIndent(0)  # otherwise the label has an indent that grows with the font
        self._font_shares[label] = share
        return label

    def _make_bars(self, name: str) -> WideBars:
        bars = WideBars(name)
        self._bars.append(bars)
        return bars

    # Display

    def _show(self, status: SessionStatus) -> None:
        judged_count, total_count = status.judgment_counts
        self._people.setText(
            filled(
                self.tr("Participants: {count}"),
                count=str(sum(row.here and not row.aside for row in status.participants)),
            )
        )
        state_texts = {PAUSED: self.tr("⚠ Paused"), ENDED: self.tr("The session has ended.")}
        show_text(self._state, state_texts.get(status.state, ""))
        self._meter.show_count(judged_count, total_count)
        if self._agreement_text:
            self._show_complete()

    def _show_rounds(self, report: Mapping[str, Any] | None) -> None:
        document = report["document"] if report else None
        round_number = len(report["rounds"]) if report and not report["over"] else 0
        if report and round_number:
            text = (
                self.tr("Round {number} is open")
                if report["open"]
                else self.tr("Round {number} is closed")
            )
            self._round.setText(filled(text, number=str(round_number)))
        self._round.setVisible(bool(round_number))
        if report and document:
            self._shown_head.setText(
                filled(
                    self.tr("Round {number}, document {place} of {documents}"),
                    number=str(round_number),
                    place=str(document["place"] + 1),
                    documents=str(report["rounds"][-1]["documents"]),
                )
            )
            self._shown_topic.setText(document["topic_title"] or document["topic"])
            self._shown_title.setText(document["title"] or document["document"])
            self._bars[0].show_bars(
                build_count_bars(document), highest_level=len(document["counts"]) - 1
            )
            self._shown_reasons.setText("\n".join(format_reasons(document, MAX_REASONS)))
            self._shown_results.setText(
                "     ".join(
                    f"{closed_round['number']}:  α {format_alpha(closed_round)}"
                    for closed_round in report["rounds"]
                    if closed_round["closed"]
                )
            )
        mode = RESULTS_MODE if self._controller.is_watching else JOIN_MODE
        self._views.setCurrentIndex(ROUND_MODE if document else mode)

    def _show_results(self, results: LiveResults) -> None:
        if (closed_document := results.document) is None:
            self._live_head.setText(
                filled(
                    self.tr(
                        "Grades of a document are shown once it has at least {votes} judgments "
                        "and at least {participants} participants take part."
                    ),
                    votes=str(MIN_VOTES),
                    participants=str(MIN_PARTICIPANTS),
                )
            )
        else:
            self._live_head.setText(closed_document.topic)
            self._live_title.setText(closed_document.title)
            bars = [
                WideBar(
                    f"{grade}  {translate_message(label)}".strip(),
                    str(count),
                    count / max(1, closed_document.votes),
                    index,
                )
                for index, (grade, label, count) in enumerate(closed_document.counts)
            ]
            self._bars[1].show_bars(bars, highest_level=len(bars) - 1)
        for part in (self._live_title, self._bars[1]):
            part.setVisible(closed_document is not None)
        self._show_runs(results)
        self._agreement_text = format_agreement(results.agreement)
        self._show_complete()

    def _show_complete(self) -> None:
        complete = self._controller.status.complete if self._controller.status else 0
        self._live_results.setText(
            join_sentences(
                self._agreement_text,
                filled(
                    self.tr("Documents with all planned judgments: {complete}."),
                    complete=f"{complete:,}",
                ),
            )
        )

    def _show_runs(self, results: LiveResults) -> None:
        old_order, self._order = self._order, tuple(run.name for run in results.runs)
        bars = []
        for index, run in enumerate(results.runs[:MAX_RUNS]):
            old_index = old_order.index(run.name) if run.name in old_order else index
            movement = (
                f" ↑{old_index - index}"
                if old_index > index
                else f" ↓{index - old_index}"
                if old_index < index
                else ""
            )
            bars.append(
                WideBar(
                    f"{index + 1}  {run.name}{movement}",
                    f"{run.value:.2f}  ({run.low:.2f}–{run.high:.2f})",
                    run.value,
                    span=(run.low, run.high),
                )
            )
        self._bars[2].show_bars(bars)
        template = (
            self.tr("Runs by {measure}, with their possible values")
            if bars
            else self.tr("Runs are shown once two assessors have judged the same documents.")
        )
        texts = [filled(template, measure=results.measure)]
        if len(results.runs) > len(bars):
            texts.append(
                filled(
                    self.tr("Showing the first {count} of {total} runs."),
                    count=len(bars),
                    total=len(results.runs),
                )
            )
        self._live_runs.setText(" · ".join(texts))

    def show_results(self, visible: bool) -> None:
        if visible and not self._order:
            self._live_head.setText(self.tr("Computing …"))
        self._controller.watch(visible)
        self._show_rounds(self._controller.rounds_report)

    # Size and keys

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        height = min(self.height(), round(self.width() / PROJECTOR_RATIO))
        padding = f"padding-left: {round(height * TEXT_MARGIN)}px"
        for label, share in self._font_shares.items():
            label.setStyleSheet(f"font-size: {round(height * share)}px; {padding}")
        for bars in self._bars:
            bars.set_font_size(round(height * READING_SIZE))
        font_size, bar = round(height * COUNT_SIZE), round(height * BAR_SIZE)
        self._meter.setStyleSheet(
            f"QLabel {{ font-size: {font_size}px; {padding} }} "
            f"QProgressBar, QProgressBar::chunk {{ min-height: {bar}px; max-height: {bar}px; border-radius: {bar // 2}px }}"
        )

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if pressed_key(event) in KEYS.keys("big-screen"):
            self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen)
        elif event.key() == Qt.Key.Key_R:
            self.show_results(not self._controller.is_watching)
        elif event.key() == Qt.Key.Key_Escape:
            self.close()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.WindowStateChange:
            self._show_keys()

    def _show_keys(self) -> None:
        self._keys.setText(
            join_sentences(
                self.tr("R: show how to join.")
                if self._controller.is_watching
                else self.tr("R: show the results."),
                self.tr("Esc: exit full screen")
                if self.isFullScreen()
                else filled(
                    self.tr("{key}: full screen. Esc: close"), key=key_cap_text("big-screen")
                ),
            )
        )

    def event(self, event: QEvent) -> bool:
        is_handled = super().event(event)
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            apply_style(self)  # elsewhere, only the pages of the main window are restyled
        return is_handled

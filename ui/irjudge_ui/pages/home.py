"""Start page: open a recent project, try a sample, or begin a project."""

from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QLabel, QMenu, QPushButton, QSizePolicy

from irjudge.formats.bytes import path_exists
from irjudge.judging import SubmittableWork, count_judged_in_pool, read_submission
from irjudge.shipped import sample_folders
from irjudge_ui import jobs
from irjudge_ui.messages import escape_markup, filled, shorten, translate
from irjudge_ui.pages.shared import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XS,
    ElidedLabel,
    Flow,
    MaxWidthBox,
    PageScrollArea,
    SideBySide,
    card,
    clear,
    column,
    make_button,
    make_label,
    row,
    set_style,
)
from irjudge_ui.workspace import describe_deadline

SEPARATOR = " · "

WorkSummary = dict[str, str]


def summarize_work(work: SubmittableWork, now: datetime, *, next_page: str = "") -> WorkSummary:
    """Return a summary of the work in a project, to be stored in the user's settings.

    `next_page` is the page of the next step of an organiser's project.
    """
    submitted = read_submission(work.project, work.assessor)
    assignment = work.project.assignments.assessor_assignment()
    judged_count, assigned_count = (
        _count_own_work(work)
        if assignment or work.project.belongs_to
        else count_judged_in_pool(work.project)
    )
    return {
        "used": f"{now:%Y-%m-%d}",
        "judged": f"{judged_count:,}",
        "assigned": f"{assigned_count:,}",
        "owner": work.project.belongs_to or "",
        "deadline": assignment.deadline if assignment else "",
        "handed": submitted.time[:10] if submitted else "",
        "changed": "yes" if submitted and submitted.changed else "",
        "next": next_page,
    }


def _count_own_work(work: SubmittableWork) -> tuple[int, int]:
    count = work.count()
    return count.judged, count.assigned


def format_summary(summary: WorkSummary, today: datetime, *, brief: bool = False) -> str:
    """Format the summary of a project for the start page; the result may be empty.

    A brief summary contains the time of the last use only if it contains nothing else. Invalid
    stored values are shown unchanged or omitted.
    """
    texts = {
        name: summary.get(name, "")
        for name in ("used", "judged", "assigned", "owner", "deadline", "handed", "changed")
    }
    parts = []
    if texts["assigned"]:
        parts.append(
            filled(
                translate("LastSeen", "{judged} of {assigned} judged"),
                judged=texts["judged"],
                assigned=texts["assigned"],
            )
        )
    if texts["handed"]:
        parts.append(filled(translate("LastSeen", "submitted {time}"), time=texts["handed"]))
        parts += [translate("LastSeen", "changed after submission")] if texts["changed"] else []
    if texts["deadline"] and (not texts["handed"] or texts["judged"] != texts["assigned"]):
        parts.append(describe_deadline(texts["deadline"], today))
    if texts["owner"]:
        parts.append(filled(translate("LastSeen", "for {owner}"), owner=texts["owner"]))
    if texts["used"] and not (brief and parts):
        parts.append(filled(translate("LastSeen", "last opened {used}"), used=texts["used"]))
    return SEPARATOR.join(parts)


def unfinished_counts(summary: WorkSummary) -> tuple[str, str] | None:
    """Return the numbers of judged and assigned documents of unfinished work, as stored strings.

    Return None if the work is finished or the counts are unknown.
    """
    judged_count, assigned_count = (summary.get(name, "") for name in ("judged", "assigned"))
    if summary.get("handed") and not summary.get("changed"):
        return None
    numbers = [count.replace(",", "") for count in (judged_count, assigned_count)]
    return (
        (judged_count, assigned_count)
        if all(map(str.isdecimal, numbers)) and int(numbers[0]) < int(numbers[1])
        else None
    )


PAGE_WIDTH, COLUMNS_WIDTH = 1120, 1000  # pixels: maximum width, and minimum width for two columns
MAX_NAME_LENGTH = 30  # maximum length of a project's name in characters


class HomeView(View):
    """Start page: recent projects, samples, and buttons for projects and for evaluation.

    The buttons create or open a project, continue an unfinished project, or evaluate files without
    a project. The button of a sample opens the user's own copy, which is created on first use.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._recent = column(spacing=1)
        self._recent_entries: dict[Path, QPushButton] = {}
        self._continue_button = make_button(
            "", "primary", clicked=lambda: self.open_file.emit(self._unfinished)
        )
        self._main_buttons = [
            self._continue_button,
            make_button(self.tr("New project"), clicked=lambda: self.wants.emit("new")),
            make_button(self.tr("Open project"), clicked=lambda: self.wants.emit("open")),
            make_button(self.tr("Evaluate files"), clicked=self.evaluate_files),
        ]
        self._unfinished: Path | None = None  # unfinished project that the "Continue" button opens
        self._samples = [self._make_sample_entry(name) for name in sample_folders()]
        self._recent_card = card(make_label(self.tr("Recent"), "heading"), self._recent)
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        header = column(
            make_label("irjudge", "title"),
            make_label(
                self.tr(
                    "Judge search results and evaluate rankings. All data stay on this computer."
                ),
                "quiet",
            ),
        )
        judge_card = card(
            make_label(self.tr("Judge"), "heading"),
            Flow(self._main_buttons[:-1]),
            make_label(
                self.tr(
                    "Did you receive a file to judge (.irtask)? Choose Open project, or drop the "
                    "file here."
                ),
                "quiet",
            ),
        )
        evaluate_card = card(
            make_label(self.tr("Evaluate"), "heading"),
            Flow(self._main_buttons[-1:]),
            make_label(
                self.tr(
                    "Drop qrels and runs here to evaluate them without a project, or topics and "
                    "documents to create a project."
                ),
                "quiet",
            ),
        )
        samples_card = card(
            make_label(self.tr("Try a sample"), "heading"),
            make_label(
                self.tr(
                    "A small collection with topics, runs and judgments, copied into a new project."
                ),
                "quiet",
            ),
            *self._samples,
            spacing=SPACE_XS,
        )
        work = column(judge_card, evaluate_card, self._recent_card, None, spacing=SPACE_M)
        body = SideBySide(work, column(samples_card, None), COLUMNS_WIDTH, (5, 3))
        parts = column(header, body, spacing=SPACE_M, margins=(0, SPACE_L, SPACE_L, SPACE_M))
        self.setLayout(column(PageScrollArea(MaxWidthBox(PAGE_WIDTH, parts))))

    def focus(self) -> None:
        next(button for button in self._main_buttons if not button.isHidden()).setFocus()

    def refresh(self) -> None:
        clear(self._recent)
        self._recent_entries.clear()
        recent = self._settings.recent()
        summaries, today = self._settings.last_seen(), datetime.now()  # noqa: DTZ005 -- local time
        for path in recent:
            entry = _make_recent_entry(path, summaries.get(str(path), {}), today)
            entry.clicked.connect(lambda _checked=False, path=path: self.open_file.emit(path))
            entry.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            entry.customContextMenuRequested.connect(partial(self._show_context_menu, entry, path))
            self._recent.addWidget(entry)
            self._recent_entries[path] = entry
        self._show_main_buttons()
        # one thread per project, so that a check that blocks does not delay the other checks
        for path in recent:
            jobs.run_detached(
                partial(path_exists, path),
                partial(self._hide_missing, path, self._recent_entries[path]),
            )

    def _hide_missing(self, path: Path, entry: QPushButton, is_there: bool) -> None:
        """Hide the entry of a project if its file is missing and the list still has the entry."""
        if self._recent_entries.get(path) is entry and not is_there:
            self._recent_entries.pop(path).hide()
            self._show_main_buttons()

    def _show_main_buttons(self) -> None:
        summaries = self._settings.last_seen()
        counts = (
            (path, unfinished_counts(summaries.get(str(path), {}))) for path in self._recent_entries
        )
        self._unfinished, (judged_count, assigned_count) = next(
            ((path, count) for path, count in counts if count), (None, ("", ""))
        )
        if self._unfinished:
            self._continue_button.setText(
                filled(
                    self.tr("Continue {name} ({count} of {total})"),
                    name=shorten(self._unfinished.name),
                    count=judged_count,
                    total=assigned_count,
                )
            )
        self._continue_button.setVisible(self._unfinished is not None)
        set_style(self._main_buttons[1], "" if self._unfinished else "primary")
        self._recent_card.setVisible(bool(self._recent_entries))
        for previous, following in pairwise(
            [*self._main_buttons, *self._recent_entries.values(), *self._samples]
        ):
            self.setTabOrder(previous, following)

    def _show_context_menu(self, entry: QPushButton, path: Path, point: QPoint) -> None:
        menu = QMenu(entry)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for label, callback in (
            (self.tr("Open"), lambda: self.open_file.emit(path)),
            (
                self.tr("Show in folder"),
                lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))),
            ),
            (self.tr("Copy path"), lambda: QGuiApplication.clipboard().setText(str(path))),
            (self.tr("Remove from list"), lambda: self._forget(path)),
        ):
            menu.addAction(label).triggered.connect(callback)
        menu.setActiveAction(menu.actions()[0])
        menu.popup(entry.mapToGlobal(point))

    def _forget(self, path: Path) -> None:
        self._settings.forget_recent(path)
        self.refresh()
        self.focus()

    def _make_sample_entry(self, name: str) -> QPushButton:
        description = {
            "harbour": self.tr("160 documents in many languages, 12 topics, 5 runs, 3 assessors"),
            "everyday": self.tr("40 short documents, 6 topics, 4 runs; for trying out judging"),
            "textbook": self.tr("worked examples from textbooks; for learning about measures"),
        }.get(name, "")
        label = make_label(name, wrap=False)
        label.setMinimumWidth(max(map(label.fontMetrics().horizontalAdvance, sample_folders())))
        entry = _make_entry(name, description, label, make_label(description, "small"))
        entry.clicked.connect(lambda: self.open_sample.emit(name))
        return entry


def _make_recent_entry(path: Path, work: WorkSummary, today: datetime) -> QPushButton:
    summary, name = format_summary(work, today), shorten(path.name, MAX_NAME_LENGTH)
    folder = ElidedLabel(str(path.parent), "small", mode=Qt.TextElideMode.ElideMiddle, spare=True)
    folder.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
    entry = _make_entry(
        path.name,
        f"{summary} {path.parent}".strip(),
        make_label(name, wrap=False),
        ElidedLabel(format_summary(work, today, brief=True), "quiet"),
        folder,
    )
    entry.setToolTip(escape_markup("\n".join(filter(None, (str(path), summary)))))
    return entry


def _make_entry(name: str, description: str, *labels: QLabel) -> QPushButton:
    entry = make_button("", "entry", name=name)
    entry.setAccessibleDescription(description)
    for label in labels:
        label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
    entry.setLayout(
        row(
            *labels,
            spacing=SPACE_M,
            margins=(SPACE_M, SPACE_S, SPACE_M, SPACE_S),
            stretched=labels[-1],
        )
    )
    # the button must not be lower than its labels
    entry.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
    return entry

"""Start page: open a recent project, try a sample, or begin a project."""

from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QPoint, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QVBoxLayout

from irjudge.formats.bytes import path_exists
from irjudge.judging import SubmittableWork, count_judged_in_pool, read_submission
from irjudge.shipped import sample_folders
from irjudge_ui import jobs
from irjudge_ui.messages import filled, shorten
from irjudge_ui.pages.shared import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import (
    SPACE_L,
    SPACE_M,
    SPACE_S,
    SPACE_XL,
    SPACE_XS,
    Bounded,
    Flow,
    PageScrollArea,
    card,
    clear,
    column,
    make_breakable,
    make_button,
    make_label,
    row,
    set_style,
)
from irjudge_ui.workspace import describe_deadline

translate = QCoreApplication.translate
BETWEEN = " · "

WorkSummary = dict[str, str]


def summarize_work(work: SubmittableWork, now: datetime) -> WorkSummary:
    """Return the progress of a project, to be stored in the user's settings."""
    done, own = (
        read_submission(work.project, work.assessor),
        work.project.assignments.assessor_assignment(),
    )
    judged, assigned = (
        _count_own_work(work)
        if own or work.project.belongs_to
        else count_judged_in_pool(work.project)
    )
    return {
        "used": f"{now:%Y-%m-%d}",
        "judged": f"{judged:,}",
        "assigned": f"{assigned:,}",
        "owner": work.project.belongs_to or "",
        "deadline": own.deadline if own else "",
        "handed": done.time[:10] if done else "",
        "changed": "yes" if done and done.changed else "",
    }


def _count_own_work(work: SubmittableWork) -> tuple[int, int]:
    """Return the numbers of judged and assigned documents of an assessor; in an organiser's
    project, those of the whole pool.
    """
    count = work.count()
    return count.judged, count.assigned


def format_summary(summary: WorkSummary, today: datetime) -> str:
    """Return the summary of a project for the start page; may be empty.

    Invalid settings are shown unchanged or omitted.
    """
    known = {
        name: summary.get(name, "")
        for name in ("used", "judged", "assigned", "owner", "deadline", "handed", "changed")
    }
    parts = []
    if known["assigned"]:
        parts.append(
            filled(
                translate("LastSeen", "{judged} of {assigned} judged"),
                judged=known["judged"],
                assigned=known["assigned"],
            )
        )
    if known["handed"]:
        parts.append(filled(translate("LastSeen", "submitted {time}"), time=known["handed"]))
        parts += [translate("LastSeen", "changed after submission")] if known["changed"] else []
    if known["deadline"] and (not known["handed"] or known["judged"] != known["assigned"]):
        parts.append(describe_deadline(known["deadline"], today))
    if known["owner"]:
        parts.append(filled(translate("LastSeen", "for {owner}"), owner=known["owner"]))
    if known["used"]:
        parts.append(filled(translate("LastSeen", "last opened {used}"), used=known["used"]))
    return BETWEEN.join(parts)


def unfinished_counts(summary: WorkSummary) -> tuple[str, str] | None:
    """Return judged and total counts of unfinished work; None if done or unknown."""
    judged, assigned = (summary.get(name, "") for name in ("judged", "assigned"))
    if summary.get("handed") and not summary.get("changed"):
        return None
    numbers = [each.replace(",", "") for each in (judged, assigned)]
    return (
        (judged, assigned)
        if all(map(str.isdecimal, numbers)) and int(numbers[0]) < int(numbers[1])
        else None
    )


PAGE_WIDTH = 720


class HomeView(View):
    """Describes the program and offers recent projects, samples and a new project."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._recent = QVBoxLayout()
        self._entries: dict[Path, QPushButton] = {}
        self._recent.setSpacing(SPACE_XS)
        self._go_on, new = make_button("", "primary"), make_button(self.tr("New project"))
        other, files = make_button(self.tr("Open project")), make_button(self.tr("Evaluate files"))
        self._ways = [self._go_on, new, other, files]
        self._half_done: Path | None = None  # unfinished project that the button continues
        self._go_on.clicked.connect(lambda: self.open_file.emit(self._half_done))
        files.clicked.connect(self.evaluate_files)
        new.clicked.connect(lambda: self.wants.emit("new"))
        other.clicked.connect(lambda: self.wants.emit("open"))
        header = column(
            make_label("irjudge", "title"),
            make_label(
                self.tr(
                    "Judge search results and evaluate rankings. All data stay on this computer."
                ),
                "quiet",
            ),
        )
        sent = make_label(
            self.tr(
                "Did you receive a file to judge (.irtask)? Choose Open project, or drop it here."
            ),
            "quiet",
        )
        self._samples = [self._sample(name) for name in sample_folders()]
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
        self._recent_card = card(make_label(self.tr("Recent"), "heading"), self._recent)
        brought = make_label(
            self.tr(
                "Drop qrels and runs here to evaluate them without a project, or topics and "
                "documents to create a project."
            ),
            "quiet",
        )
        judge = card(
            make_label(self.tr("Judge"), "heading"), Flow(self._ways[:-1]), sent, spacing=SPACE_S
        )
        evaluate = card(
            make_label(self.tr("Evaluate"), "heading"), Flow([files]), brought, spacing=SPACE_S
        )
        parts = column(
            header, judge, evaluate, self._recent_card, samples_card, None, spacing=SPACE_L
        )
        parts.setContentsMargins(0, SPACE_XL, SPACE_L, SPACE_L)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(PageScrollArea(Bounded(PAGE_WIDTH, parts)))
        self.refresh()

    def focus(self) -> None:
        """Focus the most common action: continuing unfinished work, or else a new project."""
        next(each for each in self._ways if not each.isHidden()).setFocus()

    def refresh(self) -> None:
        """Show recently opened projects; remove missing ones after a check in the background."""
        clear(self._recent)
        self._entries.clear()
        recent = self._settings.recent()
        seen, today = self._settings.last_seen(), datetime.now()  # noqa: DTZ005 -- local time
        for path in recent:
            entry = self._entry(
                path.name,
                make_breakable(path.parent),
                format_summary(seen.get(str(path), {}), today),
            )
            entry.clicked.connect(lambda _checked=False, path=path: self.open_file.emit(path))
            entry.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
            entry.customContextMenuRequested.connect(partial(self._offer_under, entry, path))
            self._recent.addWidget(entry)
            self._entries[path] = entry
        self._show_ways()
        # one job per project, so that one that blocks does not delay the others
        for path in recent:
            jobs.run_detached(
                partial(path_exists, path), partial(self._show_state, path, self._entries[path])
            )

    def _show_state(self, path: Path, entry: QPushButton, is_there: bool) -> None:
        """Remove the entry of a missing project, unless the list has changed meanwhile."""
        if self._entries.get(path) is entry and not is_there:
            self._entries.pop(path).hide()
            self._show_ways()

    def _show_ways(self) -> None:
        """Emphasise the most common action, and put recent projects before samples in the tab
        order.
        """
        seen = self._settings.last_seen()
        counts = ((path, unfinished_counts(seen.get(str(path), {}))) for path in self._entries)
        self._half_done, count = next(
            ((path, count) for path, count in counts if count), (None, ("", ""))
        )
        if self._half_done:
            self._go_on.setText(
                filled(
                    self.tr("Continue {name} ({count} of {total})"),
                    name=shorten(self._half_done.name),
                    count=count[0],
                    total=count[1],
                )
            )
        self._go_on.setVisible(self._half_done is not None)
        set_style(self._ways[1], "" if self._half_done else "primary")
        self._recent_card.setVisible(bool(self._entries))
        for one, after in pairwise([*self._ways, *self._entries.values(), *self._samples]):
            self.setTabOrder(one, after)

    def _offer_under(self, entry: QPushButton, path: Path, point: QPoint) -> None:
        """Show the menu of a recent project."""
        menu = QMenu(entry)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for label, do in (
            (self.tr("Open"), lambda: self.open_file.emit(path)),
            (
                self.tr("Show in folder"),
                lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))),
            ),
            (self.tr("Copy path"), lambda: QGuiApplication.clipboard().setText(str(path))),
            (self.tr("Remove from list"), lambda: self._forget(path)),
        ):
            menu.addAction(label).triggered.connect(do)
        menu.setActiveAction(menu.actions()[0])
        menu.popup(entry.mapToGlobal(point))

    def _forget(self, path: Path) -> None:
        """Remove a project from the list; its file is not deleted."""
        self._settings.forget_recent(path)
        self.refresh()
        self.focus()

    def _sample(self, name: str) -> QPushButton:
        about = {
            "harbour": self.tr("160 documents in many languages, 12 topics, 5 runs, 3 assessors"),
            "everyday": self.tr("40 short documents, 6 topics, 4 runs: for judging"),
            "textbook": self.tr("worked examples from textbooks, for measures"),
        }
        entry = self._entry(name, about.get(name, ""))
        entry.clicked.connect(lambda: self.open_sample.emit(name))
        return entry

    @staticmethod
    def _entry(name: str, about: str, state: str = "") -> QPushButton:
        entry = make_button("", "entry")
        entry.setAccessibleName(name)
        entry.setAccessibleDescription(f"{state} {about}".strip())
        title, subtitle, status = (
            make_label(name, wrap=False),
            make_label(about, "small"),
            make_label(state, "quiet"),
        )
        if not state:
            status.hide()  # showing it here would open a window, because it has no parent yet
        for label in (title, subtitle, status):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        texts = row(title, subtitle, spacing=SPACE_M)
        texts.setStretch(1, 1)
        inside = column(texts, status, spacing=SPACE_XS)
        inside.setContentsMargins(SPACE_M, SPACE_S, SPACE_M, SPACE_S)
        entry.setLayout(inside)
        entry.setSizePolicy(
            QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum
        )  # as high as its text requires
        return entry

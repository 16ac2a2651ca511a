"""Registry of the window's pages: view class, and place in the navigation."""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from irjudge.store import Project
from irjudge_ui import jobs
from irjudge_ui.actions import BY_ID as ACTIONS_BY_ID
from irjudge_ui.pages.shared import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets import GUTTER_WIDTH, NumberField, PageScrollArea, apply_style

ViewFactory = Callable[[Settings], View]


@dataclass(frozen=True, slots=True)
class PageEntry:
    """Declaration of a page of the window: its view class and its place in the navigation.

    The entries of all pages are in `PAGES`. `import_view` imports the module of the page, if it
    is not yet imported, and returns the view class.
    """

    id: str  # id of the action that shows the page; actions on the page refer to this id
    name: str  # module:class in `irjudge_ui.pages`; imported when first needed
    # id of the first page of the navigation entry to which the page belongs; the pages of an entry
    # are shown as tabs; empty for a page without an entry
    entry: str = ""
    # whether the page reads judgments; above such pages, uncounted judgments cause a warning
    judgments: bool = False
    # engine modules that only this page uses; imported in the background before the page
    engine: tuple[str, ...] = ()
    # whether the page is rarely needed; such a page has a tab only once the user has opened it, for
    # example from the command palette
    rare: bool = False
    # id of the page whose tab this page shares (a bar below the tabs switches between the two);
    # empty for a page with its own tab
    part_of: str = ""
    tab: object = ""  # English label of the tab; empty for the label of the action
    # English label in the bar of pages that share a tab; empty for the label of the action
    part: object = ""

    @property
    def module(self) -> str:
        return f"irjudge_ui.pages.{self.name.partition(':')[0]}"

    @property
    def main(self) -> str:
        """Id of the page whose tab this page uses: another page, or this page itself."""
        return self.part_of or self.id

    @property
    def tab_label(self) -> str:
        return self._label(BY_ID[self.main].tab) or ACTIONS_BY_ID[self.main].label

    @property
    def part_label(self) -> str:
        return self._label(self.part) or ACTIONS_BY_ID[self.id].label

    @staticmethod
    def _label(text: object) -> str:
        return QCoreApplication.translate("PageEntry", str(text)) if text else ""

    @property
    def is_loaded(self) -> bool:
        return self.module in sys.modules

    def import_view(self) -> ViewFactory:
        factory: ViewFactory = getattr(import_module(self.module), self.name.partition(":")[2])
        return factory

    def load_engine(self) -> None:
        """Import the engine modules of the page; this is safe in a background thread.

        The page itself must be imported in the GUI thread: if two threads use PySide's lazily
        created Qt types for the first time, the program crashes.
        """
        for name in self.engine:
            import_module(f"irjudge.{name}")


PAGES = (
    PageEntry("home", "home:HomeView", "home"),
    PageEntry("new", "project.new_project:NewProjectView"),
    PageEntry("files", "results.evaluate_files:FilesView"),
    PageEntry(
        "collection",
        "project.collection:CollectionView",
        "collection",
        tab=QT_TRANSLATE_NOOP("PageEntry", "Overview"),
    ),
    PageEntry("browse", "project.browse:BrowseView", "collection"),
    PageEntry(
        "runs",
        "project.runs:RunsView",
        "collection",
        engine=(
            "evaluation.new_runs",
            "formats.exercises",
            "evaluation.exercises",
            "evaluation.score_exercises",
        ),
    ),
    PageEntry("judge", "judge.judge:JudgeView", "judge"),
    PageEntry("panels", "side_by_side.comparison:ComparisonView", "panels"),
    PageEntry("preferences", "side_by_side.preferences:PreferencesView", "panels", judgments=True),
    PageEntry("assessors", "assessors.assessors:AssessorsView", "assessors", judgments=True),
    PageEntry(
        "session",
        "session.session:SessionView",
        "assessors",
        engine=(
            "web.host",
            "web.server_address",
        ),
    ),
    PageEntry(
        "agreement",
        "assessors.agreement:AgreementView",
        "assessors",
        judgments=True,
        engine=("audit.assessor_agreement",),
        tab=QT_TRANSLATE_NOOP("PageEntry", "Agreement and quality"),
        part=QT_TRANSLATE_NOOP("PageEntry", "Agreement"),
    ),
    PageEntry(
        "quality",
        "assessors.quality:QualityView",
        "assessors",
        judgments=True,
        part_of="agreement",
    ),
    PageEntry("adjudicate", "assessors.adjudicate:AdjudicateView", "assessors", judgments=True),
    PageEntry(
        "models",
        "models:ModelsView",
        "assessors",
        judgments=True,
        engine=("audit.run_estimates",),
        part=QT_TRANSLATE_NOOP("PageEntry", "Labels"),
    ),
    PageEntry(
        "ask-models",
        "ask_models:AskModelsView",
        "assessors",
        engine=(
            "audit.model_replies",
            "audit.model_requests",
        ),
        part_of="models",
    ),
    PageEntry("evaluate", "results.evaluate:EvaluateView", "evaluate", judgments=True),
    PageEntry(
        "explain",
        "results.explain:ExplainView",
        "evaluate",
        judgments=True,
        engine=(
            "formats.exercises",
            "evaluation.exercises",
            "report.explanation",
        ),
    ),
    PageEntry(
        "figures",
        "figures:FiguresView",
        "evaluate",
        judgments=True,
        engine=(
            "audit.assessor_labels",
            "report.figures.curves",
            "report.figures.judges",
            "report.figures.requests",
            "report.figures.systems_and_topics",
        ),
    ),
    PageEntry(
        "live",
        "results.live:LiveView",
        "evaluate",
        engine=("evaluation.bounds",),
        rare=True,
    ),
    PageEntry(
        "found", "results.recall_estimation:RecallView", "evaluate", judgments=True, rare=True
    ),
    PageEntry("compare", "compare.compare:CompareView", "compare", judgments=True),
    PageEntry("correlate", "compare.correlate:CorrelateView", "compare", judgments=True),
    PageEntry(
        "rankings",
        "compare.run_comparison:RunComparisonView",
        "compare",
        judgments=True,
        engine=("evaluation.run_comparison",),
    ),
    PageEntry("history", "compare.history:HistoryView", "compare", judgments=True, rare=True),
    PageEntry("settings", "settings:SettingsView"),
    PageEntry("guides", "guides:GuidesView"),
)
BY_ID = {page.id: page for page in PAGES}
ENTRIES = tuple(dict.fromkeys(page.entry for page in PAGES if page.entry))


def sibling_pages(id: str) -> tuple[PageEntry, ...]:
    """Return all pages that have the same navigation entry as a page; empty if it has no entry."""
    entry = BY_ID[id].entry
    return tuple(page for page in PAGES if entry and page.entry == entry)


PRELOAD_MS = 150  # pause before the next page is imported in advance


class Pages(QStackedWidget):
    """Stack of all pages; a page is created when it is first requested.

    The modules of pages are imported in advance, while the window is idle. `show_project` shows a
    project on all created pages, and on each later page when the page is created. `view_created` is
    emitted with a page after its creation.
    """

    view_created = Signal(object)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._views: dict[str, View] = {}
        self._project: Project | None = None
        self._views_to_restyle: set[View] = set()
        self._pages_to_load = [*PAGES]
        self._load_timer = QTimer(self, interval=PRELOAD_MS)
        self._load_timer.timeout.connect(self._load_next_page)
        self._load_timer.start()

    def _load_next_page(self) -> None:
        """Import the engine modules of the next page in the background, then the page itself.

        This halves the time until a page is shown for the first time.
        """
        while self._pages_to_load and self._pages_to_load[0].is_loaded:
            self._pages_to_load.pop(0)
        if not self._pages_to_load:
            self._load_timer.stop()
        elif not jobs.is_busy():
            page = self._pages_to_load.pop(0)

            def load(_result: None) -> None:
                page.import_view()

            jobs.run(lambda _progress: page.load_engine(), load, jobs.raise_unexpected)

    def view(self, id: str) -> View:
        if id not in self._views:
            view = self._views[id] = BY_ID[id].import_view()(self._settings)
            view.setContentsMargins(0, 0, 0 if view.findChild(PageScrollArea) else GUTTER_WIDTH, 0)
            self.addWidget(view)
            apply_style(view)
            view.opens.connect(self._open)
            self.view_created.emit(view)
            view.show_project(self._project)
        return self._views[id]

    def existing_view(self, id: str) -> View | None:
        return self._views.get(id)

    def show_project(self, project: Project | None) -> None:
        # all number fields get their defaults, except those of the settings page
        for id, view in self._views.items() if project is not self._project else ():
            for field in view.findChildren(NumberField) if BY_ID[id].entry else ():
                field.reset()
        self._project = project
        for view in self._views.values():
            view.show_project(project)

    def restyle(self) -> None:
        """Restyle the visible page now, and each other page when it is shown.

        Restyling all pages at once would take seconds.
        """
        self._views_to_restyle.update(self._views.values())
        self._restyle(self.currentWidget())

    def setCurrentWidget(self, view: QWidget) -> None:
        self._restyle(view)
        super().setCurrentWidget(view)

    def _restyle(self, view: QWidget | None) -> None:
        if isinstance(view, View) and view in self._views_to_restyle:
            self._views_to_restyle.remove(view)
            apply_style(view)
            view.restyle()

    def _open(self, id: str, request: object) -> None:
        self.view(id).set_request(request)
        self.view(id).wants.emit(id)

    @property
    def writing(self) -> bool:
        return any(view.writing for view in self._views.values())

    def on_top(self) -> str:
        """Return the id of the visible page; empty if no page has been shown yet."""
        return next((id for id, view in self._views.items() if view is self.currentWidget()), "")

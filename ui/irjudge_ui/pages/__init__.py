"""Every page of the window in one table: what makes it, and where it stands in the rail."""

import dis
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.machinery import PathFinder
from itertools import takewhile
from pathlib import Path
from types import CodeType

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from irjudge.store.project import Project
from irjudge_ui import jobs
from irjudge_ui.pages.shared.view import View
from irjudge_ui.settings import Settings
from irjudge_ui.widgets.fields import NumberField
from irjudge_ui.widgets.layout import GUTTER, Paged
from irjudge_ui.widgets.theme import dress

ABOVE = Path(__file__).parents[2]  # where the window's own folder stands
Maker = Callable[[Settings], View]


@dataclass(frozen=True, slots=True)
class PageEntry:
    """A page of the window."""

    id: str  # that of the action that shows it, and the page on which its own actions work
    view: Callable[[], Maker]  # imports it, when the page is first shown: the window opens at once
    # the entry of the rail it stands under, named by the action of its first page; several pages of one entry stand there as tabs. Empty
    # for a page that is reached from elsewhere.
    entry: str = ""
    judgments: bool = False  # whether it reads judgments: whose do not count is said above it

    @property
    def loaded(self) -> bool:
        """Whether the module of the page was read."""
        return all(name in sys.modules for name in imports_of(self.view))

    def load_engine(self) -> None:
        """Read what the page needs of the engine, and nothing of the page itself.

        Two threads that use types of Qt for the first time crash the program: PySide makes these late, and in one thread only.
        """
        for name in _engine_of(self.view, set()):
            import_module(name)


def imports_of(code: CodeType | Callable[[], Maker]) -> list[str]:
    """Return which modules compiled code imports before it does anything else; what is imported for types alone stands behind that."""
    first = takewhile(lambda step: step.opname != "LOAD_NAME", dis.get_instructions(code))
    return [step.argval for step in first if step.opname == "IMPORT_NAME"]


def code_of(module: str, above: Path = ABOVE) -> CodeType | None:
    """Return a module of the window as it is compiled, from its source or without; it is not run, nor are the packages around it."""
    spec = PathFinder.find_spec(module, [str(above.joinpath(*module.split(".")[:-1]))])
    return spec.loader.get_code(module) if spec and isinstance(spec.loader, InspectLoader) else None


def _engine_of(code: CodeType | Callable[[], Maker], seen: set[str]) -> Iterator[str]:
    """Return which modules of the engine a part of the window needs, and those it imports."""
    for name in imports_of(code):
        if name in seen or name in sys.modules or not name.startswith(("irjudge.", "irjudge_ui.")):
            continue
        seen.add(name)
        if name.startswith("irjudge."):
            yield name
        elif within := code_of(name):
            yield from _engine_of(within, seen)


def _home() -> Maker:
    from irjudge_ui.pages.start.home import HomeView

    return HomeView


def _new() -> Maker:
    from irjudge_ui.pages.project.new_project import NewProjectView

    return NewProjectView


def _collection() -> Maker:
    from irjudge_ui.pages.project.collection import CollectionView

    return CollectionView


def _browse() -> Maker:
    from irjudge_ui.pages.project.browse import BrowseView

    return BrowseView


def _judge() -> Maker:
    from irjudge_ui.pages.judge.judge import JudgeView

    return JudgeView


def _panels() -> Maker:
    from irjudge_ui.pages.side_by_side.panels import PanelsView

    return PanelsView


def _preferences() -> Maker:
    from irjudge_ui.pages.side_by_side.preferences import PreferencesView

    return PreferencesView


def _assessors() -> Maker:
    from irjudge_ui.pages.assessors.assessors import AssessorsView

    return AssessorsView


def _session() -> Maker:
    from irjudge_ui.pages.session.session import SessionView

    return SessionView


def _agreement() -> Maker:
    from irjudge_ui.pages.assessors.agreement import AgreementView

    return AgreementView


def _adjudicate() -> Maker:
    from irjudge_ui.pages.assessors.adjudicate import AdjudicateView

    return AdjudicateView


def _quality() -> Maker:
    from irjudge_ui.pages.assessors.quality import QualityView

    return QualityView


def _models() -> Maker:
    from irjudge_ui.pages.models.models import ModelsView

    return ModelsView


def _ask_models() -> Maker:
    from irjudge_ui.pages.models.ask import AskModelsView

    return AskModelsView


def _evaluate() -> Maker:
    from irjudge_ui.pages.results.evaluate import EvaluateView

    return EvaluateView


def _files() -> Maker:
    from irjudge_ui.pages.results.evaluate_files import FilesView

    return FilesView


def _explain() -> Maker:
    from irjudge_ui.pages.results.explain import ExplainView

    return ExplainView


def _figures() -> Maker:
    from irjudge_ui.pages.figures.figures import FiguresView

    return FiguresView


def _live() -> Maker:
    from irjudge_ui.pages.results.live import LiveView

    return LiveView


def _found() -> Maker:
    from irjudge_ui.pages.results.how_much_was_found import FoundView

    return FoundView


def _compare() -> Maker:
    from irjudge_ui.pages.compare.compare import CompareView

    return CompareView


def _correlate() -> Maker:
    from irjudge_ui.pages.compare.correlate import CorrelateView

    return CorrelateView


def _rankings() -> Maker:
    from irjudge_ui.pages.compare.run_comparison import RunComparisonView

    return RunComparisonView


def _history() -> Maker:
    from irjudge_ui.pages.compare.history import HistoryView

    return HistoryView


def _settings() -> Maker:
    from irjudge_ui.pages.settings.settings import SettingsView

    return SettingsView


def _guides() -> Maker:
    from irjudge_ui.pages.guides.guides import GuidesView

    return GuidesView


PAGES = (
    PageEntry("home", _home, "home"),
    PageEntry("new", _new),
    PageEntry("files", _files),
    PageEntry("collection", _collection, "collection"),
    PageEntry("browse", _browse, "collection"),
    PageEntry("judge", _judge, "judge"),
    PageEntry("panels", _panels, "panels"),
    PageEntry("preferences", _preferences, "panels", judgments=True),
    PageEntry("assessors", _assessors, "assessors", judgments=True),
    PageEntry("session", _session, "assessors"),
    PageEntry("agreement", _agreement, "assessors", judgments=True),
    PageEntry("adjudicate", _adjudicate, "assessors", judgments=True),
    PageEntry("quality", _quality, "assessors", judgments=True),
    PageEntry("models", _models, "assessors", judgments=True),
    PageEntry("ask-models", _ask_models, "assessors"),
    PageEntry("evaluate", _evaluate, "evaluate", judgments=True),
    PageEntry("explain", _explain, "evaluate", judgments=True),
    PageEntry("figures", _figures, "evaluate", judgments=True),
    PageEntry("live", _live, "evaluate"),
    PageEntry("found", _found, "evaluate", judgments=True),
    PageEntry("compare", _compare, "compare", judgments=True),
    PageEntry("correlate", _correlate, "compare", judgments=True),
    PageEntry("rankings", _rankings, "compare", judgments=True),
    PageEntry("history", _history, "compare", judgments=True),
    PageEntry("settings", _settings),
    PageEntry("guides", _guides),
)
BY_ID = {page.id: page for page in PAGES}
ENTRIES = tuple(dict.fromkeys(page.entry for page in PAGES if page.entry))


def together(id: str) -> tuple[PageEntry, ...]:
    """Return the pages that stand under the same entry of the rail as this one; none for a page without an entry."""
    entry = BY_ID[id].entry
    return tuple(page for page in PAGES if entry and page.entry == entry)


AHEAD_MS = 150  # between two pages that are read ahead


class Pages(QStackedWidget):
    """Makes each page when it is first asked for, and tells all of them which project is open. `made` comes with a new page."""

    made = Signal(object)

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self._views: dict[str, View] = {}
        self._project: Project | None = None
        self._to_restyle: set[View] = set()
        self._to_load = [*PAGES]
        self._ahead = QTimer(self)
        self._ahead.setInterval(AHEAD_MS)
        self._ahead.timeout.connect(self._load_ahead)
        self._ahead.start()

    def _load_ahead(self) -> None:
        """Read the module of one page after another: the first look at a page costs half as long then. The engine's part is read beside."""
        while self._to_load and self._to_load[0].loaded:
            self._to_load.pop(0)
        if not self._to_load:
            self._ahead.stop()
        elif not jobs.busy():
            page = self._to_load.pop(0)

            def load(_nothing: None) -> None:
                page.view()

            jobs.run(lambda _progress: page.load_engine(), load, jobs.unexpected)

    def view(self, id: str) -> View:
        """Return a page."""
        if id not in self._views:
            view = self._views[id] = BY_ID[id].view()(self._settings)
            view.setContentsMargins(0, 0, 0 if view.findChild(Paged) else GUTTER, 0)
            self.addWidget(view)
            dress(view)
            view.opens.connect(self._open)
            self.made.emit(view)
            view.show_project(self._project)
        return self._views[id]

    def made_view(self, id: str) -> View | None:
        """Return a page that was shown before; None where it was not made yet."""
        return self._views.get(id)

    def show_project(self, project: Project | None) -> None:
        """Show another project on all pages."""
        if project is not self._project:
            self._forget_typed()
        self._project = project
        for view in self._views.values():
            view.show_project(project)

    def _forget_typed(self) -> None:
        """Let numbers that were typed for one project be no wish of the next; settings are of no project."""
        fields = (
            field
            for id, view in self._views.items()
            if BY_ID[id].entry
            for field in view.findChildren(NumberField)
        )
        for field in fields:
            field.reset()

    def restyle(self) -> None:
        """Let the page in view follow the theme and the zoom, and each other when it comes into view: all at once would take seconds."""
        self._to_restyle.update(self._views.values())
        self._restyle(self.currentWidget())

    def setCurrentWidget(self, view: QWidget) -> None:
        """Bring a page into view, in the looks of now."""
        self._restyle(view)
        super().setCurrentWidget(view)

    def _restyle(self, view: QWidget | None) -> None:
        if isinstance(view, View) and view in self._to_restyle:
            self._to_restyle.remove(view)
            dress(view)
            view.restyle()

    def _open(self, id: str, what: object) -> None:
        """Hand a page what it is to show, and let it ask to be shown."""
        self.view(id).take(what)
        self.view(id).wants.emit(id)

    @property
    def writing(self) -> bool:
        """Whether a page writes a file beside the window."""
        return any(view.writing for view in self._views.values())

    def on_top(self) -> str:
        """Return the id of the page in view; empty when there is none yet."""
        return next((id for id, view in self._views.items() if view is self.currentWidget()), "")

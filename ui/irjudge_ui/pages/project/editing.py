"""Base class of the pages that change a collection: undo, imports, and buttons."""

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from irjudge.errors import IrjudgeError
from irjudge.store import ImportReport
from irjudge_ui.actions import ActionHandler
from irjudge_ui.messages import translate_message
from irjudge_ui.pages.project.file_import import FileImporter
from irjudge_ui.pages.shared import View
from irjudge_ui.project_changes import AddRuns, Change, change_stack
from irjudge_ui.settings import Settings


def describe_report(report: ImportReport) -> str:
    """Return the results and warnings of an import, one per line."""
    return "\n".join(
        [
            *map(translate_message, report.sentences),
            *("⚠ " + translate_message(warning) for warning in report.warnings),
        ]
    )


class EditingView(View):
    """Base class of pages that edit a collection and share the project's undo stack.

    Such a page imports files and changes the project. `changed` is emitted after a successful
    import, and after each change, even if the change failed. Added and removed runs, new pools and
    the choice of shown fields can be undone; other imports and the prices of judging cannot.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.buttons: dict[str, QPushButton] = {}
        self.adding = FileImporter(self, self)
        self.adding.added.connect(self._record_added_runs)

    def _add_button(self, action: str, *, window: bool = False) -> QPushButton:
        button = self.buttons[action] = self.action_button(action, window=window)
        return button

    def _enable(self) -> None:
        for action, button in self.buttons.items():
            if action in self.actions_by_id:
                button.setEnabled(self.actions_by_id[action].possible)

    def _notify_changed(self) -> None:
        self.refresh()
        self.changed.emit()

    # Changes

    def _history_handlers(self, undo: str, redo: str) -> dict[str, ActionHandler]:
        return {
            undo: ActionHandler(
                self.undo_change,
                lambda: self.project is not None and change_stack(self.project).canUndo(),
            ),
            redo: ActionHandler(
                self.redo_change,
                lambda: self.project is not None and change_stack(self.project).canRedo(),
            ),
        }

    def undo_change(self) -> None:
        if self.project:
            self._change(change_stack(self.project).undo_change)

    def redo_change(self) -> None:
        if self.project:
            self._change(change_stack(self.project).redo_change)

    def _make_change(self, change: Change) -> None:
        if project := self.project:
            self._change(lambda: change_stack(project).apply_change(change))

    def _change(self, change: Callable[[], None]) -> None:
        self.message_shown.emit("")
        try:
            change()
        except IrjudgeError as error:
            self.message_shown.emit("✕ " + translate_message(str(error)))
        self._notify_changed()

    # Imports

    def show_report(self, report: ImportReport) -> None:
        self.message_shown.emit(describe_report(report))

    def _record_added_runs(self, report: ImportReport, old_runs: set[str]) -> None:
        runs = self.project.rankings.runs() if self.project else ()
        new_runs = [run.name for run in runs if run.name not in old_runs]
        if self.project and new_runs:
            change_stack(self.project).apply_change(AddRuns(self.project, new_runs))
        self.show_report(report)
        self._notify_changed()
